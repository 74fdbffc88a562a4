(** * One sample of the finite class, with the best exponent

    D = f - fstar, l = (f - r)^2 - (fstar - r)^2 = D^2 + 2 D (fstar - r), m = fstar = E r.  For every reward law on [0,1]
      E exp(- theta l) <= 1 - kappa D^2    with theta = 104/100 and kappa = 46368/100000,
    where Hoeffding's lemma alone, at exponent 1, gives kappa = 1 - exp(-1/2) = 0.3934...

    exp is convex, so r may be Bernoulli(m); (m, D, r) -> (1 - m, - D, 1 - r) leaves l alone, so D >= 0 and
    m <= 1 - D.  Put x = 2 theta D, B = e^x - 1.  Then E exp(- theta l) = e^{- theta D^2 - x m} (1 + m B), and
    - D <= 0.54: Hoeffding's lemma, exp(- theta (1 - theta/2) D^2);
    - 0.54 <= D <= 0.61: 1 + y <= e^y at y = c (1 + m B) - 1 with c B <= x removes m, whatever it is;
    - 0.61 <= D: the expression increases in m up to m = 1 - D.
    What is left are inequalities in D alone, which PolynomialBounds.v decides.  At D = 0.647, m = 1 - D the two sides differ
    by 7e-6, so that kappa = 0.4637 already fails at this exponent.                                               *)
From Coq Require Import Reals Lra Lia Psatz List Arith QArith Qreals.
From FedIGW Require Import FiniteSums FiniteProbability Hoeffding PolynomialBounds.
Import ListNotations.
Open Scope R_scope.

(** the Chernoff exponent theta, and kappa = 0.46368; 1/kappa = 2.1566... *)
Definition theta_best : R := 104 / 100.
Definition kappa_best : R := 46368 / 100000.
Lemma theta_best_pos : 0 < theta_best.
Proof. unfold theta_best. lra. Qed.
Lemma kappa_best_pos : 0 < kappa_best.
Proof. unfold kappa_best. lra. Qed.

(** ** The inequalities in D, as polynomials *)
Declare Scope polynomial_scope.
Infix "+" := plus : polynomial_scope.
Infix "-" := minus : polynomial_scope.
Infix "*" := times : polynomial_scope.
Local Coercion constant : Q >-> polynomial.
Local Open Scope Q_scope.
Local Open Scope polynomial_scope.

(** theta, 1 - kappa D^2 and x = 2 theta D *)
Definition exponent_polynomial : polynomial := (104 # 100).
Definition target_polynomial : polynomial := 1 - (46368 # 100000) * (variable * variable).
Definition tilt_polynomial : polynomial := (208 # 100) * variable.
(** (1 - kappa D^2) e^{theta D (2 - D)} - D - (1 - D) e^x, each exp replaced by its expansion about [y] and [z] *)
Definition boundary_polynomial (low y z high : Q) : polynomial :=
  target_polynomial * (low * series_of 3 (exponent_polynomial * (variable * (2 - variable)) - y))
  - (variable + (1 - variable) * (high * series_of 4 (tilt_polynomial - z))).
(** (e^x - 1)(1 - x (1 - D)) - x: the derivative in m at m = 1 - D is at least 0 *)
Definition slope_polynomial : polynomial :=
  (series_of 5 tilt_polynomial - 1) * (1 - tilt_polynomial * (1 - variable)) - tilt_polynomial.
(** c, near the tangent of x/(e^x - 1) at D = 0.6; x - c (e^x - 1); and (1 - kappa D^2) c e^{1 - c + theta D^2} - 1 *)
Definition inside_factor : polynomial := (88 # 100) - (63 # 100) * variable.
Definition inside_slope (z high : Q) : polynomial :=
  tilt_polynomial - inside_factor * (high * series_of 4 (tilt_polynomial - z) - 1).
Definition inside_polynomial (low y : Q) : polynomial :=
  target_polynomial * (inside_factor * (low * series_of 3 (1 - inside_factor + exponent_polynomial * (variable * variable) - y)))
  - 1.
Local Close Scope polynomial_scope.
Local Close Scope Q_scope.

Lemma boundary_near : nonnegative_between (boundary_polynomial (2484322 # 1000000) (91 # 100) (1456 # 1000) (42887702 # 10000000))
  (61 # 100) [63 # 100; 639 # 1000; 643 # 1000; 646 # 1000; 654 # 1000; 7 # 10]%Q = true.
Proof. vm_compute. reflexivity. Qed.
Lemma boundary_far : nonnegative_between (boundary_polynomial (27182 # 10000) 1 (208 # 100) (8005 # 1000)) (7 # 10) [1%Q] = true.
Proof. vm_compute. reflexivity. Qed.
Lemma slope_sign : nonnegative_between slope_polynomial (61 # 100) [1%Q] = true.
Proof. vm_compute. reflexivity. Qed.
Lemma inside_slope_sign : nonnegative_between (inside_slope (12688 # 10000) (3556583 # 1000000)) (54 # 100)
  [59 # 100; 61 # 100]%Q = true.
Proof. vm_compute. reflexivity. Qed.
Lemma inside_sign : nonnegative_between (inside_polynomial (22255 # 10000) (80 # 100)) (54 # 100) [61 # 100]%Q = true.
Proof. vm_compute. reflexivity. Qed.

(** ** The inequalities in D, as they are needed *)
Local Ltac rational := unfold Q2R; cbn [Qnum Qden Qopp]; simpl; unfold theta_best, kappa_best; lra.
Local Ltac read_polynomial H :=
  unfold boundary_polynomial, slope_polynomial, inside_slope, inside_polynomial, inside_factor, exponent_polynomial,
    target_polynomial, tilt_polynomial, minus in H;
  do 2 (cbn [value] in H; rewrite ?value_series in H); cbn [value] in H;
  replace (Q2R (104 # 100)) with theta_best in H by rational;
  replace (Q2R (208 # 100)) with (2 * theta_best) in H by rational;
  replace (Q2R (46368 # 100000)) with kappa_best in H by rational;
  replace (Q2R 1) with 1 in H by rational; replace (Q2R 2) with 2 in H by rational;
  replace (Q2R (-1)) with (-1) in H by rational;
  replace (Q2R (88 # 100)) with (88 / 100) in H by rational; replace (Q2R (63 # 100)) with (63 / 100) in H by rational.

(** the exponentials about which exp is expanded *)
Local Ltac above k := apply (exp_above_rational k); vm_compute; reflexivity.
Local Ltac below k := apply (exp_below_rational k); [vm_compute; reflexivity|rational].
Lemma exp_080 : Q2R (22255 # 10000) <= exp (Q2R (80 # 100)).
Proof. above 4%nat. Qed.
Lemma exp_091 : Q2R (2484322 # 1000000) <= exp (Q2R (91 # 100)).
Proof. above 4%nat. Qed.
Lemma exp_100 : Q2R (27182 # 10000) <= exp (Q2R 1).
Proof. above 4%nat. Qed.
Lemma exp_127 : exp (Q2R (12688 # 10000)) <= Q2R (3556583 # 1000000).
Proof. below 5%nat. Qed.
Lemma exp_146 : exp (Q2R (1456 # 1000)) <= Q2R (42887702 # 10000000).
Proof. below 6%nat. Qed.
Lemma exp_208 : exp (Q2R (208 # 100)) <= Q2R (8005 # 1000).
Proof. below 6%nat. Qed.
Lemma exp_minus_015 : exp (Q2R (- (14556672 # 100000000))) <= Q2R (8646 # 10000).
Proof. below 1%nat. Qed.

Lemma boundary_correct (a low y z high : Q) cuts :
  nonnegative_between (boundary_polynomial low y z high) a cuts = true ->
  Q2R z = 2 * theta_best * Q2R (last cuts a) ->
  0 <= Q2R low <= exp (Q2R y) -> exp (Q2R z) <= Q2R high -> Q2R (last cuts a) <= 1 ->
  forall D, Q2R a <= D <= Q2R (last cuts a) -> 0 <= 1 - kappa_best * (D * D) ->
  D + (1 - D) * exp (2 * theta_best * D) <= (1 - kappa_best * (D * D)) * exp (theta_best * (D * (2 - D))).
Proof.
  intros H Hz Hlow Hhigh Hend D HD Hgap. pose proof (nonnegative_between_correct _ _ _ H D HD) as P. read_polynomial P.
  pose proof (exp_above_series (Q2R low) (Q2R y) (theta_best * (D * (2 - D))) Hlow) as L.
  pose proof (exp_below_series (Q2R high) (Q2R z) (2 * theta_best * D) Hhigh
    ltac:(rewrite Hz; apply Rmult_le_compat_l; [unfold theta_best|]; lra)) as U.
  replace (theta_best * (D * (2 + -1 * D)) + -1 * Q2R y) with (theta_best * (D * (2 - D)) - Q2R y) in P by ring.
  replace (2 * theta_best * D + -1 * Q2R z) with (2 * theta_best * D - Q2R z) in P by ring.
  apply (Rmult_le_compat_l _ _ _ Hgap) in L. apply (Rmult_le_compat_l (1 - D)) in U; [|lra]. lra.
Qed.

(** h(D) <= 1 - kappa D^2, where h is the value at m = 1 - D: *)
Lemma boundary_bound D : 61 / 100 <= D <= 1 ->
  D + (1 - D) * exp (2 * theta_best * D) <= (1 - kappa_best * (D * D)) * exp (theta_best * (D * (2 - D))).
Proof.
  intro HD. assert (Hgap : 0 <= 1 - kappa_best * (D * D)) by (unfold kappa_best; nra).
  destruct (Rle_lt_dec D (7 / 10)) as [Hd|Hd].
  - apply (boundary_correct _ _ _ _ _ _ boundary_near); cbn [last]; try exact exp_146; try exact Hgap; try rational.
    split; [rational|exact exp_091].
  - apply (boundary_correct _ _ _ _ _ _ boundary_far); cbn [last]; try exact exp_208; try exact Hgap; try rational.
    split; [rational|exact exp_100].
Qed.

(** x (1 + (1 - D) B) <= B *)
Lemma slope_bound D : 61 / 100 <= D <= 1 -> let x := 2 * theta_best * D in
  x * (1 + (1 - D) * (exp x - 1)) <= exp x - 1.
Proof.
  intros HD x. pose proof (nonnegative_between_correct _ _ _ slope_sign D) as P. cbn [last] in P.
  replace (Q2R 1) with 1 in P by rational. replace (Q2R (61 # 100)) with (61 / 100) in P by rational.
  specialize (P HD). read_polynomial P. fold x in P. pose proof (exp_series_odd 2 x) as S. change (2 * 2 + 1)%nat with 5%nat in S.
  assert (0 <= 1 - x * (1 - D)) by (unfold x, theta_best; nra).
  set (s := exp_series 5 x) in *. set (e := exp x) in *.
  assert (0 <= (e - s) * (1 - x * (1 - D))) by (apply Rmult_le_pos; assumption). lra.
Qed.

(** c B <= x, and 1 <= (1 - kappa D^2) c e^{1 - c + theta D^2} *)
Lemma inside_bound D : 54 / 100 <= D <= 61 / 100 -> let c := 88 / 100 - 63 / 100 * D in
  c * (exp (2 * theta_best * D) - 1) <= 2 * theta_best * D /\
  1 <= (1 - kappa_best * (D * D)) * (c * exp (1 - c + theta_best * (D * D))).
Proof.
  intros HD c. pose proof (nonnegative_between_correct _ _ _ inside_slope_sign D) as P.
  pose proof (nonnegative_between_correct _ _ _ inside_sign D) as R. cbn [last] in P, R.
  replace (Q2R (54 # 100)) with (54 / 100) in P, R by rational. replace (Q2R (61 # 100)) with (61 / 100) in P, R by rational.
  specialize (P HD). specialize (R HD). read_polynomial P. read_polynomial R.
  assert (Hc : 0 <= c) by (unfold c; lra).
  assert (Hgap : 0 <= 1 - kappa_best * (D * D)) by (unfold kappa_best; nra).
  split.
  - pose proof (exp_below_series _ _ (2 * theta_best * D) exp_127
      ltac:(replace (Q2R (12688 # 10000)) with (12688 / 10000) by rational; unfold theta_best; lra)) as U.
    replace (2 * theta_best * D + -1 * Q2R (12688 # 10000)) with (2 * theta_best * D - Q2R (12688 # 10000)) in P by ring.
    apply (Rmult_le_compat_l _ _ _ Hc) in U. unfold c in *. lra.
  - assert (E : 0 <= Q2R (22255 # 10000)) by rational.
    pose proof (exp_above_series _ _ (1 - c + theta_best * (D * D)) (conj E exp_080)) as L.
    replace (1 + -1 * (88 / 100 + -1 * (63 / 100 * D)) + theta_best * (D * D) + -1 * Q2R (80 # 100))
      with (1 - c + theta_best * (D * D) - Q2R (80 # 100)) in R by (unfold c; ring).
    apply (Rmult_le_compat_l _ _ _ Hc) in L. apply (Rmult_le_compat_l _ _ _ Hgap) in L.
    replace (88 / 100 + -1 * (63 / 100 * D)) with c in R by (unfold c; ring). lra.
Qed.

(** ** A Bernoulli reward *)

(** D <= 0.54: Hoeffding's lemma. *)
Lemma bernoulli_small m D : 0 <= m <= 1 -> 0 <= D <= 54 / 100 ->
  exp (- (theta_best * (D * D)) - 2 * theta_best * D * m) * (1 - m + m * exp (2 * theta_best * D)) <= 1 - kappa_best * (D * D).
Proof.
  intros Hm HD. pose proof (bernoulli_mgf m Hm (2 * theta_best * D)) as H.
  apply (Rmult_le_compat_l (exp (- (theta_best * (D * D))))) in H; [|left; apply exp_pos]. rewrite <- exp_plus in H.
  unfold Rminus at 1. rewrite exp_plus. rewrite Rmult_assoc.
  rewrite (Rmult_comm (exp (- (2 * theta_best * D * m)))). eapply Rle_trans; [exact H|].
  set (z := D * D / (54 / 100 * (54 / 100))).
  assert (Hz : 0 <= z <= 1).
  { assert (D * D <= 54 / 100 * (54 / 100)) by nra. unfold z. split.
    - apply Rmult_le_pos; [nra|]. left. apply Rinv_0_lt_compat. lra.
    - apply (Rmult_le_reg_r (54 / 100 * (54 / 100))); [lra|]. unfold Rdiv at 1. rewrite Rmult_assoc, Rinv_l by lra. lra. }
  replace (- (theta_best * (D * D)) + 2 * theta_best * D * (2 * theta_best * D) / 8) with (- (14556672 / 100000000) * z)
    by (unfold z, theta_best; field).
  pose proof (exp_chord (- (14556672 / 100000000)) z Hz) as C.
  pose proof exp_minus_015 as E. replace (Q2R (- (14556672 # 100000000))) with (- (14556672 / 100000000)) in E by rational.
  replace (Q2R (8646 # 10000)) with (8646 / 10000) in E by rational.
  assert (z * exp (- (14556672 / 100000000)) <= z * (8646 / 10000)) by (apply Rmult_le_compat_l; lra).
  assert (D * D = 54 / 100 * (54 / 100) * z) by (unfold z; field). unfold kappa_best. lra.
Qed.

(** 0.54 <= D <= 0.61: 1 + y <= e^y at y = c (1 + m B) - 1. *)
Lemma bernoulli_inside m D : 0 <= m <= 1 -> 54 / 100 <= D <= 61 / 100 ->
  exp (- (theta_best * (D * D)) - 2 * theta_best * D * m) * (1 - m + m * exp (2 * theta_best * D)) <= 1 - kappa_best * (D * D).
Proof.
  intros Hm HD. destruct (inside_bound D HD) as [HB H]. set (c := 88 / 100 - 63 / 100 * D) in *.
  set (x := 2 * theta_best * D) in *. set (g := 1 - kappa_best * (D * D)) in *.
  assert (Hc : 0 < c) by (unfold c; lra).
  assert (Hg : 0 <= g) by (unfold g, kappa_best; nra).
  pose proof (exp_tangent (c * (1 + m * (exp x - 1)) - 1)) as T.
  assert (M : exp (c * (1 + m * (exp x - 1)) - 1) <= exp (c - 1 + x * m)).
  { assert (L : c * (1 + m * (exp x - 1)) - 1 <= c - 1 + x * m) by nra.
    destruct L as [L|L]; [left; apply exp_increasing; exact L|rewrite L; right; reflexivity]. }
  assert (A : 1 - m + m * exp x <= / c * exp (c - 1 + x * m)).
  { apply (Rmult_le_reg_l c); [exact Hc|]. rewrite <- Rmult_assoc, Rinv_r by lra. lra. }
  apply Rle_trans with (exp (- (theta_best * (D * D)) - x * m) * (/ c * exp (c - 1 + x * m))).
  - apply Rmult_le_compat_l; [left; apply exp_pos|exact A].
  - replace (exp (- (theta_best * (D * D)) - x * m) * (/ c * exp (c - 1 + x * m)))
      with (/ c * exp (- (1 - c + theta_best * (D * D)))).
    + apply (Rmult_le_reg_r (c * exp (1 - c + theta_best * (D * D)))); [apply Rmult_lt_0_compat; [exact Hc|apply exp_pos]|].
      replace (/ c * exp (- (1 - c + theta_best * (D * D))) * (c * exp (1 - c + theta_best * (D * D)))) with 1; [exact H|].
      replace 1 with (exp (- (1 - c + theta_best * (D * D)) + (1 - c + theta_best * (D * D)))) at 1
        by (rewrite Rplus_opp_l; apply exp_0).
      rewrite exp_plus. field. lra.
    + replace (- (1 - c + theta_best * (D * D))) with (- (theta_best * (D * D)) - x * m + (c - 1 + x * m)) by ring.
      rewrite exp_plus. ring.
Qed.

(** 0.61 <= D: increasing in m up to 1 - D. *)
Lemma bernoulli_boundary m D : 0 <= m <= 1 - D -> 61 / 100 <= D <= 1 ->
  exp (- (theta_best * (D * D)) - 2 * theta_best * D * m) * (1 - m + m * exp (2 * theta_best * D)) <= 1 - kappa_best * (D * D).
Proof.
  intros Hm HD. pose proof (slope_bound D HD) as S. cbv zeta in S. pose proof (boundary_bound D HD) as H.
  set (x := 2 * theta_best * D) in *. set (g := 1 - kappa_best * (D * D)) in *.
  assert (Hx : 0 < x) by (unfold x, theta_best; lra).
  assert (He : 1 < exp x) by (rewrite <- exp_0; apply exp_increasing; exact Hx).
  set (top := D + (1 - D) * exp x) in *.
  assert (Htop : 0 < top) by (unfold top; nra).
  assert (A : 1 - m + m * exp x <= top * exp (- (x * (1 - D - m)))).
  { apply Rle_trans with (top * (1 + - (x * (1 - D - m)))).
    - assert (x * top <= exp x - 1) by (unfold top; lra).
      assert ((1 - D - m) * (x * top) <= (1 - D - m) * (exp x - 1)) by (apply Rmult_le_compat_l; lra).
      unfold top in *. lra.
    - apply Rmult_le_compat_l; [lra|apply exp_tangent]. }
  apply Rle_trans with (exp (- (theta_best * (D * D)) - x * m) * (top * exp (- (x * (1 - D - m))))).
  - apply Rmult_le_compat_l; [left; apply exp_pos|exact A].
  - apply Rle_trans with (exp (- (theta_best * (D * (2 - D)))) * (g * exp (theta_best * (D * (2 - D))))).
    + replace (exp (- (theta_best * (D * D)) - x * m) * (top * exp (- (x * (1 - D - m)))))
        with (exp (- (theta_best * (D * (2 - D)))) * top).
      * apply Rmult_le_compat_l; [left; apply exp_pos|exact H].
      * replace (- (theta_best * (D * (2 - D)))) with (- (theta_best * (D * D)) - x * m + - (x * (1 - D - m)))
          by (unfold x; ring).
        rewrite exp_plus. ring.
    + set (z := theta_best * (D * (2 - D))). right. rewrite (Rmult_comm g), <- Rmult_assoc, <- exp_plus, Rplus_opp_l, exp_0. ring.
Qed.

Lemma bernoulli_best m D : 0 <= m -> 0 <= D -> m + D <= 1 ->
  exp (- (theta_best * (D * D)) - 2 * theta_best * D * m) * (1 - m + m * exp (2 * theta_best * D)) <= 1 - kappa_best * (D * D).
Proof.
  intros Hm HD H1. destruct (Rle_lt_dec D (54 / 100)); [apply bernoulli_small; lra|].
  destruct (Rle_lt_dec D (61 / 100)); [apply bernoulli_inside; lra|apply bernoulli_boundary; lra].
Qed.

(** ** Any reward law *)

(** E exp(- theta ((f - r)^2 - (fstar - r)^2)) <= 1 - kappa (f - fstar)^2,  fstar = E r,  f and r in [0,1]. *)
Theorem one_sample_best (law : list (R * R)) f : distribution law -> Forall (fun pr => 0 <= snd pr <= 1) law -> 0 <= f <= 1 ->
  let fstar := Expect law (fun r => r) in
  Expect law (fun r => exp (- (theta_best * ((f - r) * (f - r) - (fstar - r) * (fstar - r))))) <=
    1 - kappa_best * ((f - fstar) * (f - fstar)).
Proof.
  intros Hd H01 Hf m.
  assert (Hm : 0 <= m <= 1).
  { destruct Hd as [H0 H1]. split.
    - rewrite <- (Expect_const law 0) by (split; assumption). apply Expect_le_on_support; [exact H0|].
      eapply Forall_impl; [|exact H01]. intros [p r] H. apply H.
    - rewrite <- H1. apply Expect_le_on_support; [exact H0|].
      eapply Forall_impl; [|exact H01]. intros [p r] H. apply H. }
  set (D := f - m). set (x := 2 * theta_best * D).
  apply Rle_trans with (exp (- (theta_best * (D * D)) - x * m) * (1 - m + m * exp x)).
  - apply Rle_trans with (Expect law (fun r => exp (- (theta_best * (D * D)) - x * m) * (1 + (exp x - 1) * r))).
    + apply Expect_le_on_support; [apply Hd|]. eapply Forall_impl; [|exact H01]. intros [p r] Hr. simpl in *.
      replace (- (theta_best * ((f - r) * (f - r) - (m - r) * (m - r)))) with ((- (theta_best * (D * D)) - x * m) + x * r)
        by (unfold x, D; ring).
      rewrite exp_plus. apply Rmult_le_compat_l; [left; apply exp_pos|]. pose proof (exp_chord x r Hr). lra.
    + rewrite (Expect_scal law (exp (- (theta_best * (D * D)) - x * m)) (fun r => 1 + (exp x - 1) * r)).
      rewrite (Expect_plus law (fun _ => 1) (fun r => (exp x - 1) * r)), Expect_const by exact Hd.
      rewrite (Expect_scal law (exp x - 1) (fun r => r)). fold m. right. ring.
  - destruct (Rle_lt_dec 0 D) as [HD|HD].
    + apply bernoulli_best; unfold D in *; lra.
    + pose proof (bernoulli_best (1 - m) (- D) ltac:(lra) ltac:(lra) ltac:(unfold D; lra)) as H.
      replace (- D * - D) with (D * D) in H by ring. eapply Rle_trans; [|exact H]. right.
      replace (2 * theta_best * - D) with (- x) by (unfold x; ring).
      replace (1 - (1 - m)) with m by ring.
      replace (- (theta_best * (D * D)) - - x * (1 - m)) with ((- (theta_best * (D * D)) - x * m) + x) by ring.
      rewrite (exp_plus _ x), Rmult_assoc. f_equal.
      replace (exp x * (m + (1 - m) * exp (- x))) with (m * exp x + (1 - m) * (exp x * exp (- x))) by ring.
      rewrite <- (exp_plus x), Rplus_opp_r, exp_0. ring.
Qed.
