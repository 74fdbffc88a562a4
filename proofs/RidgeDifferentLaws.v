(** * Ridge regression on independent samples of different laws

    n independent samples, each from a law of its own, features in the unit ball, means phi'wstar, variances at most s2, lambda n = 1.
    For every i let phi~_i be a fresh copy of the i-th feature.  Then

        sum_i E (phi~_i'(w - wstar))^2 <= s2 d + (9/4) |wstar|^2                             ([ridge_different_laws])

    so the excess risk, weighted as the samples are, is at most (s2 d + (9/4) |wstar|^2)/n.

    The idea: take phi_i out, B = A - phi_i phi_i'.  Given B the copy phi~ and phi_i may be exchanged, and
        g = phi_i'B^{-1}phi_i, g~ = phi~'B^{-1}phi~, c = phi_i'B^{-1}phi~, beta, beta~ = phi_i'B^{-1}wstar, phi~'B^{-1}wstar satisfy
        variance   phi~'A^{-1} G A^{-1}phi~ <= x - x^2 <= g~/(1 + g~),   x = phi~'A^{-1}phi~ = g~ - c^2/(1 + g),
        bias       (phi~'A^{-1}wstar)^2 = (beta~ - beta c/(1 + g))^2 <= (3/2) beta~^2 + (3/4) beta^2,   because 2 |c| <= 1 + g.
    g~/(1 + g~) and beta~/(1 + g~) are h_i and u_i'wstar of the design with phi~ in the place of phi_i (RidgeExcessRisk.v).        *)
From Coq Require Import Reals Lra Lia Psatz List Arith FunctionalExtensionality.
From FedIGW Require Import FiniteSums FiniteProbability AcceleratedGradient RidgeExcessRisk Exchangeability RidgeSamples.
Import ListNotations.
Open Scope R_scope.

(** s2 d + (9/4) |wstar|^2 *)
Definition different_laws_constant (s2 d norm : R) : R := s2 * d + 9 / 4 * norm.

(** ** One design, one copy *)
Section OneCopy.
  Variables (d N : nat) (phi : nat -> vector) (i : nat) (copy wstar : vector).
  Hypothesis Hi : (i < N)%nat.
  Hypothesis Hphi : square_norm d (phi i) <= 1.
  Hypothesis Hcopy : square_norm d copy <= 1.
  (** the design with the copy in the place of phi_i, and without it *)
  Let phi' : nat -> vector := update phi i copy.
  Let phi0 : nat -> vector := update phi i (fun _ => 0).
  Let a := solve d phi0 N copy.
  Let b := solve d phi0 N (phi i).
  Let g := dot d (phi i) b.
  Let g' := dot d copy a.
  Let c := dot d (phi i) a.
  Let beta := dot d b wstar.
  Let beta' := dot d a wstar.

  Lemma one_more (p : vector) v m : A d (update phi i p) N v m = A d phi0 N v m + dot d p v * p m.
  Proof.
    unfold A. assert (E : sum N (fun j => dot d (update phi i p j) v * update phi i p j m) =
      sum N (fun j => dot d (phi0 j) v * phi0 j m) + sum N (fun j => if Nat.eq_dec j i then dot d p v * p m else 0)).
    { rewrite <- sum_plus. apply sum_ext. intros j _. unfold phi0, update. destruct (Nat.eq_dec j i); ring. }
    rewrite E, (sum_delta N i (fun _ => dot d p v * p m) Hi). ring.
  Qed.
  Lemma phi_is_update : phi = update phi i (phi i).
  Proof. apply functional_extensionality. intro j. unfold update. destruct (Nat.eq_dec j i) as [->|]; reflexivity. Qed.
  Lemma solves_scaled k phi1 v p s : s <> 0 -> (forall m, (m < d)%nat -> A d phi1 k v m = s * p m) -> solves d phi1 k (fun m => / s * v m) p.
  Proof.
    intros Hs H m Hm. unfold A. rewrite (sum_ext k _ (fun j => / s * (dot d (phi1 j) v * phi1 j m))) by (intros j _; rewrite dot_scal; ring).
    rewrite sum_scal, <- Rmult_plus_distr_l. pose proof (H m Hm) as E. unfold A in E. rewrite E. field. exact Hs.
  Qed.

  (** what solves for p in a design with p itself in place i *)
  Lemma leverage (p v : vector) : solves d phi0 N v p -> 0 <= dot d p v -> forall w,
    dot d w (solve d (update phi i p) N p) = / (1 + dot d p v) * dot d w v.
  Proof.
    intros Hv Hg w. rewrite <- (dot_scal d (/ (1 + dot d p v)) w v).
    assert (S1 : solves d (update phi i p) N (fun m => / (1 + dot d p v) * v m) p).
    { apply solves_scaled; [lra|]. intros m Hm. rewrite one_more, (Hv m Hm). ring. }
    pose proof (solves_symmetric d (update phi i p) N _ _ p w S1 (solve_solves d (update phi i p) N w)) as E1.
    pose proof (solves_symmetric d (update phi i p) N _ _ p w (solve_solves d (update phi i p) N p) (solve_solves d (update phi i p) N w)) as E2.
    congruence.
  Qed.
  Lemma quadratic_nonneg v p : solves d phi0 N v p -> square_norm d v <= dot d p v.
  Proof.
    intro H. pose proof (A_positive d phi0 N v) as P. rewrite (dot_ext d v (A d phi0 N v) p H) in P. rewrite (dot_symmetric d p). exact P.
  Qed.
  Lemma Sa : solves d phi0 N a copy. Proof. apply solve_solves. Qed.
  Lemma Sb : solves d phi0 N b (phi i). Proof. apply solve_solves. Qed.
  Lemma unit_range v p : square_norm d p <= 1 -> solves d phi0 N v p -> 0 <= dot d p v <= 1.
  Proof.
    intros Hp Hv. pose proof (quadratic_nonneg v p Hv) as H1. pose proof (square_norm_nonneg d v) as H2.
    pose proof (cauchy_schwarz d p v) as H3. fold (dot d p v) in H3. fold (square_norm d p) (square_norm d v) in H3. nra.
  Qed.
  Lemma g_range : 0 <= g <= 1. Proof. apply unit_range; [exact Hphi|exact Sb]. Qed.
  Lemma g'_range : 0 <= g' <= 1. Proof. apply unit_range; [exact Hcopy|exact Sa]. Qed.
  Lemma c_other : dot d copy b = c.
  Proof. unfold c. apply (solves_symmetric d phi0 N a b copy (phi i) Sa Sb). Qed.
  (** 2 |c| <= 1 + g, because (a -+ b)'B(a -+ b) >= 0 and g~ <= 1 *)
  Lemma c_small : - (1 + g) <= 2 * c <= 1 + g.
  Proof.
    assert (H : forall s, s * s = 1 -> 2 * s * c <= 1 + g).
    { intros s Hs. assert (Sab : solves d phi0 N (fun m => a m + (- s) * b m) (fun m => copy m + (- s) * phi i m)).
      { intros m Hm. pose proof (Sa m Hm) as E1. pose proof (Sb m Hm) as E2. unfold A in *.
        rewrite (sum_ext N _ (fun j => dot d (phi0 j) a * phi0 j m + (- s) * (dot d (phi0 j) b * phi0 j m))).
        - rewrite sum_plus, sum_scal, <- E1, <- E2. ring.
        - intros j _. rewrite (dot_plus d (phi0 j) a (fun m => - s * b m)), dot_scal. ring. }
      pose proof (quadratic_nonneg _ _ Sab) as Q. pose proof (square_norm_nonneg d (fun m => a m + - s * b m)) as P.
      rewrite (dot_symmetric d), (dot_plus d (fun m => a m + - s * b m) copy (fun m => - s * phi i m)), dot_scal in Q.
      rewrite (dot_symmetric d _ copy), (dot_symmetric d _ (phi i)) in Q.
      rewrite (dot_plus d copy a (fun m => - s * b m)), (dot_plus d (phi i) a (fun m => - s * b m)), !dot_scal in Q.
      rewrite c_other in Q. fold c g g' in Q. pose proof g'_range.
      replace (g' + - s * c + - s * (c + - s * g)) with (g' - 2 * s * c + s * s * g) in Q by ring. rewrite Hs in Q. lra. }
    pose proof (H 1 ltac:(ring)). pose proof (H (-1) ltac:(ring)). lra.
  Qed.

  (** A^{-1}phi~ = a - c/(1+g) b *)
  Let y : vector := fun m => a m + (- (c / (1 + g))) * b m.
  Lemma Sy : solves d phi N y copy.
  Proof.
    intros m Hm. pose proof g_range as Hg. rewrite phi_is_update, one_more.
    assert (E0 : A d phi0 N y m = copy m + (- (c / (1 + g))) * phi i m).
    { pose proof (Sa m Hm) as E1. pose proof (Sb m Hm) as E2. unfold A in *.
      rewrite (sum_ext N _ (fun j => dot d (phi0 j) a * phi0 j m + (- (c / (1 + g))) * (dot d (phi0 j) b * phi0 j m))).
      - rewrite sum_plus, sum_scal, <- E1, <- E2. unfold y. ring.
      - intros j _. unfold y. rewrite (dot_plus d (phi0 j) a (fun m => - (c / (1 + g)) * b m)), dot_scal. ring. }
    rewrite E0. unfold y. rewrite (dot_plus d (phi i) a (fun m => - (c / (1 + g)) * b m)), dot_scal. fold c g. field. lra.
  Qed.
  Lemma dot_y w : dot d w (solve d phi N copy) = dot d w a - c / (1 + g) * dot d w b.
  Proof.
    pose proof (solves_symmetric d phi N _ _ copy w Sy (solve_solves d phi N w)) as E1.
    pose proof (solves_symmetric d phi N _ _ copy w (solve_solves d phi N copy) (solve_solves d phi N w)) as E2.
    rewrite <- E2, E1. unfold y. rewrite (dot_plus d w a (fun m => - (c / (1 + g)) * b m)), dot_scal. ring.
  Qed.

  (** variance: sum_j (phi_j'A^{-1}phi~)^2 <= h_i of the design with the copy *)
  Lemma copy_variance : sum N (fun j => dot d (phi j) (solve d phi N copy) ^ 2) <= h d phi' N i.
  Proof.
    set (v := solve d phi N copy). set (x := dot d copy v).
    assert (Ex : x = sum N (fun j => dot d (phi j) v ^ 2) + square_norm d v).
    { unfold x. rewrite dot_symmetric, <- (dot_ext d v (A d phi N v) copy (solve_solves d phi N copy)), dot_A, dot_self.
      f_equal. apply sum_ext. intros. ring. }
    assert (Hx2 : x ^ 2 <= square_norm d v).
    { pose proof (cauchy_schwarz d copy v) as H. fold (dot d copy v) in H. fold x (square_norm d copy) (square_norm d v) in H.
      pose proof (square_norm_nonneg d v). nra. }
    assert (Eg : x = g' - c / (1 + g) * c) by (unfold x, v; rewrite dot_y, c_other; reflexivity).
    pose proof g_range as Hg. pose proof g'_range as Hg'.
    assert (Hle : x <= g').
    { rewrite Eg. assert (0 <= c / (1 + g) * c); [|lra]. replace (c / (1 + g) * c) with (c ^ 2 * / (1 + g)) by (field; lra).
      apply Rmult_le_pos; [apply pow2_ge_0|left; apply Rinv_0_lt_compat; lra]. }
    assert (Eh : h d phi' N i = / (1 + g') * g').
    { unfold h, u, phi'. rewrite update_same. apply (leverage copy a Sa); fold g'; lra. }
    rewrite Eh. apply Rle_trans with (x - x ^ 2); [lra|].
    apply (Rmult_le_reg_l (1 + g')); [lra|]. replace ((1 + g') * (/ (1 + g') * g')) with g' by (field; lra).
    destruct (Rle_lt_dec (1 / 3) g') as [H|H].
    - pose proof (pow2_ge_0 (x - 1 / 2)). assert (x - x ^ 2 <= 1 / 4) by nra. nra.
    - assert (x - x ^ 2 <= g' - g' ^ 2) by nra. assert ((1 + g') * (g' - g' ^ 2) <= g') by nra. nra.
  Qed.

  (** phi~'A^{-1}phi~ <= phi~'B^{-1}phi~ *)
  Lemma copy_leverage : dot d copy (solve d phi N copy) <= dot d copy (solve d (update phi i (fun _ => 0)) N copy).
  Proof.
    rewrite dot_y, c_other. fold phi0 a c. pose proof g_range. replace (c / (1 + g) * c) with (c ^ 2 * / (1 + g)) by (field; lra).
    assert (0 <= c ^ 2 * / (1 + g)) by (apply Rmult_le_pos; [apply pow2_ge_0|left; apply Rinv_0_lt_compat; lra]). lra.
  Qed.

  (** bias: (wstar'A^{-1}phi~)^2 <= 6 (u_i'wstar)^2 with the copy + 3 (u_i'wstar)^2 *)
  Lemma copy_bias : dot d wstar (solve d phi N copy) ^ 2 <= 6 * dot d (u d phi' N i) wstar ^ 2 + 3 * dot d (u d phi N i) wstar ^ 2.
  Proof.
    pose proof g_range as Hg. pose proof g'_range as Hg'. pose proof c_small as Hc.
    rewrite dot_y, (dot_symmetric d wstar a), (dot_symmetric d wstar b). fold beta beta'.
    assert (E1 : dot d (u d phi N i) wstar = / (1 + g) * beta).
    { rewrite dot_symmetric. unfold u. rewrite phi_is_update at 1. rewrite (leverage (phi i) b Sb) by (fold g; lra).
      fold g. unfold beta. rewrite (dot_symmetric d wstar b). reflexivity. }
    assert (E2 : dot d (u d phi' N i) wstar = / (1 + g') * beta').
    { rewrite dot_symmetric. unfold u, phi'. rewrite update_same. rewrite (leverage copy a Sa) by (fold g'; lra).
      fold g'. unfold beta'. rewrite (dot_symmetric d wstar a). reflexivity. }
    rewrite E1, E2. set (k := c / (1 + g)).
    assert (Hk : k ^ 2 <= 1 / 4).
    { assert (Ek : k * (1 + g) = c) by (unfold k; field; lra). assert (-1 / 2 <= k <= 1 / 2); [|nra].
      split; apply (Rmult_le_reg_r (1 + g)); lra. }
    assert (H1 : beta' ^ 2 <= 4 * (/ (1 + g') * beta') ^ 2).
    { replace (beta' ^ 2) with ((1 + g') ^ 2 * (/ (1 + g') * beta') ^ 2) by (field; lra).
      apply Rmult_le_compat_r; [apply pow2_ge_0|nra]. }
    assert (H2 : beta ^ 2 <= 4 * (/ (1 + g) * beta) ^ 2).
    { replace (beta ^ 2) with ((1 + g) ^ 2 * (/ (1 + g) * beta) ^ 2) by (field; lra).
      apply Rmult_le_compat_r; [apply pow2_ge_0|nra]. }
    assert (H3 : (beta' - k * beta) ^ 2 <= 3 / 2 * beta' ^ 2 + 3 * (k ^ 2 * beta ^ 2)) by (pose proof (pow2_ge_0 (beta' + 2 * (k * beta))); nra).
    assert (H4 : k ^ 2 * beta ^ 2 <= 1 / 4 * beta ^ 2) by (apply Rmult_le_compat_r; [apply pow2_ge_0|exact Hk]).
    lra.
  Qed.
End OneCopy.

(** ** Independent draws from different laws *)
Section Product.
  Context {Z : Type}.
  Fixpoint product (Ps : list (list (R * Z))) : list (R * list Z) :=
    match Ps with nil => dirac nil | P :: Ps' => bind (product Ps') (fun t => bind P (fun z => dirac (z :: t))) end.
  Fixpoint set_nth (i : nat) (z : Z) (t : list Z) : list Z :=
    match t, i with nil, _ => nil | _ :: t', O => z :: t' | y :: t', S i' => y :: set_nth i' z t' end.
  Lemma Expect_product P Ps F : Expect (product (P :: Ps)) F = Expect (product Ps) (fun t => Expect P (fun z => F (z :: t))).
  Proof. simpl. rewrite Expect_bind. apply Expect_ext. intro t. rewrite Expect_bind. apply Expect_ext. intro z. apply Expect_dirac. Qed.
  Lemma distribution_product Ps : Forall distribution Ps -> distribution (product Ps).
  Proof.
    induction 1 as [|P Ps HP HPs IH]; simpl; [apply distribution_dirac|]. apply distribution_bind; [exact IH|]. intro t.
    apply distribution_bind; [exact HP|]. intro z. apply distribution_dirac.
  Qed.
  Lemma product_length Ps : Forall (fun pw => length (snd pw) = length Ps) (product Ps).
  Proof.
    induction Ps as [|P Ps IH]; simpl; [repeat constructor|]. apply (Forall_bind (fun t => length t = S (length Ps))).
    eapply Forall_impl; [|exact IH]. intros [p t] Ht. simpl in Ht. simpl. apply (Forall_bind (fun t => length t = S (length Ps))).
    apply Forall_forall. intros [q z] _. simpl. repeat constructor. simpl. congruence.
  Qed.
  (** Drawing one of them again changes nothing. *)
  Lemma draw_again Ps : Forall distribution Ps -> forall i F, (i < length Ps)%nat ->
    Expect (product Ps) (fun t => Expect (nth i Ps nil) (fun z => F (set_nth i z t))) = Expect (product Ps) F.
  Proof.
    induction 1 as [|P Ps HP HPs IH]; intros i F Hi; [simpl in Hi; lia|]. rewrite !Expect_product. destruct i as [|i].
    - apply Expect_ext. intro t. cbn [nth]. apply Expect_const_out; [exact HP|]. intro z. reflexivity.
    - cbn [nth set_nth]. rewrite <- (IH i (fun t => Expect P (fun z => F (z :: t))) ltac:(simpl in Hi; lia)).
      apply Expect_ext. intro t. apply Expect_swap.
  Qed.
  Lemma nth_set i : forall z t j dflt, (i < length t)%nat -> nth j (set_nth i z t) dflt = if Nat.eq_dec j i then z else nth j t dflt.
  Proof.
    induction i as [|i IH]; intros z t j dflt Hi; destruct t as [|y t]; simpl in Hi; try lia.
    - destruct j as [|j]; reflexivity.
    - destruct j as [|j]; [reflexivity|]. cbn [set_nth nth]. rewrite IH by lia.
      destruct (Nat.eq_dec j i), (Nat.eq_dec (S j) (S i)); try lia; reflexivity.
  Qed.
End Product.

(** ** Ridge regression *)
Section DifferentLaws.
  Context {Y : Type} (feat : Y -> vector) (y0 : Y).
  Variables (d : nat) (wstar : vector) (s2 : R).
  (** the laws of the designs; the law of the reward given the design *)
  Variables (Qs : list (list (R * Y))) (rew : Y -> list (R * R)).
  Hypothesis HQs : Forall distribution Qs.
  Hypothesis Hfeat : forall y, square_norm d (feat y) <= 1.
  Hypothesis Hrew : forall p, distribution (rew p).
  Hypothesis Hmean : forall p, Expect (rew p) (fun r => r) = dot d (feat p) wstar.
  Hypothesis Hvar : forall p, Expect (rew p) (fun r => (r - dot d (feat p) wstar) ^ 2) <= s2.
  Hypothesis Hs2 : 0 <= s2.
  Let n := length Qs.
  Let fit (t : list point) : vector := ridge_fit feat y0 d n t.
  Let at_design (ps : list Y) : nat -> vector := feature_at feat y0 ps.

  Lemma designs_first Qs' F : Expect (product (map (fun Q => point_law Q rew) Qs')) F = Expect (product Qs') (fun ps => Expect (rewards_law rew ps) F).
  Proof.
    revert F. induction Qs' as [|Q Qs' IH]; intro F; [simpl; lra|].
    cbn [map]. rewrite (Expect_product (point_law Q rew)), (Expect_product Q), IH. apply Expect_ext. intro ps.
    rewrite (Expect_ext Q (fun z => Expect (rewards_law rew (z :: ps)) F)
      (fun p => Expect (rewards_law rew ps) (fun l => Expect (rew p) (fun r => F ((p, r) :: l))))) by (intro; apply Expect_rewards).
    rewrite (Expect_swap Q (rewards_law rew ps) (fun p l => Expect (rew p) (fun r => F ((p, r) :: l)))).
    apply Expect_ext. intro l. unfold point_law. rewrite Expect_bind. apply Expect_ext. intro p.
    rewrite Expect_bind. apply Expect_ext. intro r. rewrite Expect_dirac. reflexivity.
  Qed.

  (** A given design and a given point p: noise and bias. *)
  Lemma given_design ps p : length ps = n ->
    Expect (rewards_law rew ps) (fun t => dot d p (minus (fit t) wstar) ^ 2) <=
    s2 * sum n (fun j => dot d (at_design ps j) (solve d (at_design ps) n p) ^ 2) + dot d wstar (solve d (at_design ps) n p) ^ 2.
  Proof.
    intro Hl. set (v := solve d (at_design ps) n p). set (e := noise feat y0 d wstar ps).
    pose proof (noise_square n s2 (list point) (rewards_law rew ps) e (distribution_rewards rew Hrew ps)
      (fun j Hj => noise_mean feat y0 d wstar rew Hrew Hmean ps j ltac:(lia))
      (fun j k Hj Hk Hne => noise_uncorrelated feat y0 d wstar rew Hrew Hmean ps j k ltac:(lia) ltac:(lia) Hne)
      (fun j Hj => noise_variance feat y0 d wstar s2 rew Hrew Hvar ps j ltac:(lia))
      (fun j => dot d (at_design ps j) v) (- dot d wstar v)) as H.
    replace ((- dot d wstar v) ^ 2) with (dot d wstar v ^ 2) in H by ring. eapply Rle_trans; [|exact H]. right.
    apply Expect_ext_on_support. eapply Forall_impl; [|apply rewards_support]. intros [q t] Ht. simpl in Ht. cbn [snd].
    f_equal. rewrite dot_minus.
    assert (Hat : forall j, at_point feat y0 t j = at_design ps j)
      by (intro j; unfold at_point, at_design, feature_at; rewrite <- Ht; f_equal; symmetry; apply (map_nth fst t (nowhere y0) j)).
    set (r := fun j => snd (nth j t (nowhere y0))).
    assert (E1 : dot d p (fit t) = sum n (fun j => r j * dot d (at_design ps j) v)).
    { unfold fit, ridge_fit.
      replace (fun j => at_point feat y0 t j) with (at_design ps) by (apply functional_extensionality; intro j; symmetry; apply Hat).
      set (s := fun i => sum n (fun j => r j * at_design ps j i)). change (dot d p (solve d (at_design ps) n s) = sum n (fun j => r j * dot d (at_design ps j) v)).
      rewrite (solves_symmetric d (at_design ps) n v (solve d (at_design ps) n s) p s (solve_solves _ _ _ _) (solve_solves _ _ _ _)).
      unfold s. rewrite dot_symmetric, (dot_sum d v n r (at_design ps)). apply sum_ext. intros j _. rewrite (dot_symmetric d v). reflexivity. }
    assert (E2 : dot d p wstar = sum n (fun j => dot d (at_design ps j) wstar * dot d (at_design ps j) v) + dot d wstar v).
    { rewrite dot_symmetric, <- (dot_ext d wstar (A d (at_design ps) n v) p (solve_solves d (at_design ps) n p)), dot_A.
      f_equal. apply sum_ext. intros j _. ring. }
    rewrite E1, E2.
    rewrite (sum_ext n (fun j => dot d (at_design ps j) v * e t j)
      (fun j => r j * dot d (at_design ps j) v - dot d (at_design ps j) wstar * dot d (at_design ps j) v))
      by (intros j _; unfold e, noise, r, at_design; ring).
    rewrite sum_minus. ring.
  Qed.

  (** One copy: at most s2 h_i + 6 (u_i'wstar)^2 of the design with the copy, and 3 (u_i'wstar)^2. *)
  Let leverage_at i ps := s2 * h d (at_design ps) n i + 6 * dot d (u d (at_design ps) n i) wstar ^ 2.
  Lemma one_copy ps i y : length ps = n -> (i < n)%nat ->
    Expect (rewards_law rew ps) (fun t => dot d (feat y) (minus (fit t) wstar) ^ 2) <=
    leverage_at i (set_nth i y ps) + 3 * dot d (u d (at_design ps) n i) wstar ^ 2.
  Proof.
    intros Hl Hi. eapply Rle_trans; [apply (given_design ps (feat y) Hl)|]. unfold leverage_at.
    replace (at_design (set_nth i y ps)) with (update (at_design ps) i (feat y)).
    2:{ apply functional_extensionality. intro j. unfold update, at_design, feature_at. rewrite nth_set by lia.
        destruct (Nat.eq_dec j i); reflexivity. }
    pose proof (copy_variance d n (at_design ps) i (feat y) Hi (Hfeat _) (Hfeat y)) as H1.
    pose proof (copy_bias d n (at_design ps) i (feat y) wstar Hi (Hfeat _) (Hfeat y)) as H2.
    apply (Rmult_le_compat_l s2) in H1; [|exact Hs2]. lra.
  Qed.

  (** Ridge regression on n independent samples of different laws, lambda n = 1: fresh copies of all of them are predicted with
      sum_i E (phi~_i'(w - wstar))^2 <= s2 d + (9/4) |wstar|^2, so the excess risk is at most (s2 d + (9/4) |wstar|^2)/n. *)
  Theorem ridge_different_laws :
    Expect (product (map (fun Q => point_law Q rew) Qs))
      (fun t => sum (length Qs) (fun i => Expect (nth i Qs nil) (fun y => dot d (feat y) (minus (ridge_fit feat y0 d (length Qs) t) wstar) ^ 2)))
    <= different_laws_constant s2 (INR d) (square_norm d wstar).
  Proof.
    fold n. change (ridge_fit feat y0 d n) with fit. rewrite designs_first.
    assert (HQi : forall i, (i < n)%nat -> distribution (nth i Qs nil)).
    { intros i Hi. rewrite Forall_forall in HQs. apply HQs. apply nth_In. exact Hi. }
    apply Rle_trans with (Expect (product Qs) (fun ps => sum n (fun i => Expect (nth i Qs nil) (fun y => leverage_at i (set_nth i y ps))
      + 3 * dot d (u d (at_design ps) n i) wstar ^ 2))).
    - apply Expect_le_on_support; [apply distribution_product, HQs|]. eapply Forall_impl; [|apply product_length].
      intros [p ps] Hl. cbn [snd] in *. rewrite Expect_sum. apply sum_le. intros i Hi.
      rewrite (Expect_swap (rewards_law rew ps) (nth i Qs nil) (fun t y => dot d (feat y) (minus (fit t) wstar) ^ 2)).
      rewrite <- (Expect_plus_const (nth i Qs nil) (fun y => leverage_at i (set_nth i y ps) + 3 * dot d (u d (at_design ps) n i) wstar ^ 2)
        (fun y => leverage_at i (set_nth i y ps))) by (auto; reflexivity).
      apply Expect_le; [apply HQi, Hi|]. intro y. apply one_copy; [exact Hl|exact Hi].
    - rewrite Expect_sum.
      rewrite (sum_ext n _ (fun i => Expect (product Qs) (fun ps => leverage_at i ps + 3 * dot d (u d (at_design ps) n i) wstar ^ 2))).
      2:{ intros i Hi. rewrite (Expect_plus (product Qs) (fun ps => Expect (nth i Qs nil) (fun y => leverage_at i (set_nth i y ps)))
            (fun ps => 3 * dot d (u d (at_design ps) n i) wstar ^ 2)), (Expect_plus (product Qs) (leverage_at i)). f_equal.
          apply (draw_again Qs HQs i (leverage_at i) Hi). }
      rewrite <- (Expect_sum (product Qs) n (fun i ps => leverage_at i ps + 3 * dot d (u d (at_design ps) n i) wstar ^ 2)).
      pose proof (distribution_product Qs HQs) as Hd.
      rewrite <- (Expect_const (product Qs) (different_laws_constant s2 (INR d) (square_norm d wstar)) Hd).
      apply Expect_le; [apply Hd|]. intro ps. unfold leverage_at, different_laws_constant.
      rewrite (sum_ext n _ (fun i => s2 * h d (at_design ps) n i + 9 * dot d (u d (at_design ps) n i) wstar ^ 2)) by (intros; ring).
      rewrite sum_plus, !sum_scal. pose proof (h_trace d (at_design ps) n) as H1. pose proof (bias_sum d (at_design ps) n wstar) as H2.
      apply (Rmult_le_compat_l s2) in H1; [|exact Hs2]. change (sum n (fun i => h d (at_design ps) n i)) with (sum n (h d (at_design ps) n)). lra.
  Qed.
End DifferentLaws.
