(** * Gradient descent: the distance to the minimiser, and ridge regression

    x' = x - (1/L) grad F(x) for a function F that is mu-strongly convex and L-smooth, mu < L, with minimiser v:

        |x_k - v|^2 <= (1 - mu/L)^(2k) |x_0 - v|^2                       [descent_distance]

    For the ridge loss F(w) = (1/n) sum_i (phi_i'w - r_i)^2 + |w|^2 / n with |phi_i| <= 1 and r_i in [0,1], started at 0:

        |w_k - w_S|^2 <= (n/4) exp(-2k/(n+1))                             [ridge_descent]

    Main idea: between x and v the lower parabola of one and the upper parabola of the other cannot cross, at the two
    points where they are nearest; so (L + mu) <g, e> >= |g|^2 + mu L |e|^2 for g = grad F(x), e = x - v.           *)
From Coq Require Import Reals Lra Lia Psatz List Arith.
From FedIGW Require Import FiniteSums Hoeffding AcceleratedGradient.
Open Scope R_scope.

Section Descent.
  Variables (d : nat) (F : vector -> R) (gradient : vector -> vector) (mu L : R).
  Hypothesis Hmu : 0 < mu.
  Hypothesis HmuL : mu < L.
  Hypothesis strongly_convex : forall u v,
    F u + dot d (gradient u) (minus v u) + mu / 2 * square_norm d (minus v u) <= F v.
  Hypothesis smooth : forall u v,
    F v <= F u + dot d (gradient u) (minus v u) + L / 2 * square_norm d (minus v u).
  Variable best : vector.
  Hypothesis optimal : forall i, (i < d)%nat -> gradient best i = 0.

  Definition descended (x : vector) : vector := fun i => x i - / L * gradient x i.
  Fixpoint descend (k : nat) (x : vector) : vector := match k with O => x | S k => descended (descend k x) end.

  Lemma optimal_dot h : dot d (gradient best) h = 0.
  Proof. unfold dot. rewrite <- (sum_zero d). apply sum_ext. intros i Hi. rewrite optimal by exact Hi. ring. Qed.
  (** a g + b e *)
  Lemma combined_norm (g e : vector) a b : square_norm d (fun i => a * g i + b * e i) =
    a ^ 2 * square_norm d g + 2 * a * b * dot d g e + b ^ 2 * square_norm d e.
  Proof.
    unfold square_norm, dot. rewrite <- !sum_scal, <- !sum_plus. apply sum_ext. intros. ring.
  Qed.
  Lemma combined_dot (g e : vector) a b : dot d g (fun i => a * g i + b * e i) = a * square_norm d g + b * dot d g e.
  Proof. unfold square_norm, dot. rewrite <- !sum_scal, <- !sum_plus. apply sum_ext. intros. ring. Qed.

  Section Step.
    Variable x : vector.
    Notation g := (gradient x).
    Notation e := (minus x best).
    Lemma norm_ext u v : (forall i, u i = v i) -> square_norm d u = square_norm d v.
    Proof. intro H. apply sum_ext. intros i _. rewrite H. reflexivity. Qed.
    Lemma dot_ext w u v : (forall i, u i = v i) -> dot d w u = dot d w v.
    Proof. intro H. apply sum_ext. intros i _. rewrite H. reflexivity. Qed.
    Lemma between : square_norm d g + mu * L * square_norm d e <= (L + mu) * dot d g e.
    Proof.
      set (c := / (L - mu)). assert (C : c * (L - mu) = 1) by (unfold c; field; lra). assert (C0 : 0 < c) by (apply Rinv_0_lt_compat; lra).
      set (z := fun i => best i + c * (g i - mu * e i)). set (y := fun i => x i + c * (mu * e i - g i)).
      assert (zx : forall i, minus z x i = c * g i + (- (c * L)) * e i).
      { intro i. unfold minus, z. replace (best i + c * (g i - mu * minus x best i) - x i) with (c * g i - (1 + c * mu) * (x i - best i)) by (unfold minus; ring).
        replace (1 + c * mu) with (c * L) by lra. unfold minus. ring. }
      assert (zb : forall i, minus z best i = c * g i + (- (c * mu)) * e i) by (intro i; unfold minus, z; unfold minus; ring).
      assert (yx : forall i, minus y x i = (- c) * g i + (c * mu) * e i) by (intro i; unfold minus, y; unfold minus; ring).
      assert (yb : forall i, minus y best i = (- c) * g i + (c * L) * e i).
      { intro i. unfold minus, y. replace (x i + c * (mu * minus x best i - g i) - best i) with ((1 + c * mu) * (x i - best i) - c * g i) by (unfold minus; ring).
        replace (1 + c * mu) with (c * L) by lra. unfold minus. ring. }
      pose proof (strongly_convex x z) as A1. pose proof (smooth best z) as A2. pose proof (strongly_convex best y) as B1. pose proof (smooth x y) as B2.
      rewrite optimal_dot in A2, B1. rewrite (dot_ext _ _ _ zx), (norm_ext _ _ zx), combined_dot, combined_norm in A1. rewrite (norm_ext _ _ zb), combined_norm in A2.
      rewrite (norm_ext _ _ yb), combined_norm in B1. rewrite (dot_ext _ _ _ yx), (norm_ext _ _ yx), combined_dot, combined_norm in B2.
      set (G := square_norm d g) in *. set (P := dot d g e) in *. set (E := square_norm d e) in *.
      assert (K : c * (G - (L + mu) * P + mu * L * E) <= 0).
      { replace (c * (G - (L + mu) * P + mu * L * E)) with (c * (c * (L - mu)) * (G - (L + mu) * P + mu * L * E)) by (rewrite C; ring).
        replace (c * (c * (L - mu)) * (G - (L + mu) * P + mu * L * E)) with
          ((c * (c * (L - mu)) * 2 * G - c * (c * (L - mu)) * (L + mu) * P) + c ^ 2 * (mu * (G - 2 * L * P + L ^ 2 * E) - L * (G - 2 * mu * P + mu ^ 2 * E))) by ring.
        rewrite C. lra. }
      assert (G - (L + mu) * P + mu * L * E <= 0) by (apply (Rmult_le_reg_l c); [exact C0|lra]). lra.
    Qed.
    Lemma steep : mu ^ 2 * square_norm d e <= square_norm d g.
    Proof.
      pose proof (strongly_convex x best) as A. pose proof (strongly_convex best x) as B. rewrite optimal_dot in B.
      assert (N : square_norm d (minus best x) = square_norm d e) by (apply sum_ext; intros; unfold minus; ring).
      assert (M : dot d g (minus best x) = - dot d g e) by (unfold dot; rewrite <- (Rmult_1_l (sum d (fun i => gradient x i * minus x best i))), <- Ropp_mult_distr_l_reverse, <- sum_scal; apply sum_ext; intros; unfold minus; ring).
      rewrite N, M in A. assert (S : 0 <= square_norm d (fun i => 1 * g i + (- mu) * e i)) by apply square_norm_nonneg. rewrite combined_norm in S. nra.
    Qed.
    Lemma descent_step : square_norm d (minus (descended x) best) <= (1 - mu / L) ^ 2 * square_norm d e.
    Proof.
      assert (D : forall i, minus (descended x) best i = (- / L) * g i + 1 * e i) by (intro i; unfold minus, descended; unfold minus; ring).
      rewrite (norm_ext _ _ D), combined_norm. pose proof between as H. pose proof steep as S.
      set (G := square_norm d g) in *. set (P := dot d g e) in *. set (E := square_norm d e) in *.
      apply (Rmult_le_reg_l (L ^ 2 * (L + mu))); [apply Rmult_lt_0_compat; [apply pow_lt|]; lra|].
      replace (L ^ 2 * (L + mu) * ((- / L) ^ 2 * G + 2 * - / L * 1 * P + 1 ^ 2 * E)) with ((L + mu) * G - 2 * L * ((L + mu) * P) + L ^ 2 * (L + mu) * E) by (field; lra).
      replace (L ^ 2 * (L + mu) * ((1 - mu / L) ^ 2 * E)) with ((L + mu) * (L - mu) ^ 2 * E) by (field; lra).
      assert (2 * L * (G + mu * L * E) <= 2 * L * ((L + mu) * P)) by (apply Rmult_le_compat_l; lra).
      assert ((L - mu) * (mu ^ 2 * E) <= (L - mu) * G) by (apply Rmult_le_compat_l; lra). nra.
    Qed.
  End Step.

  Theorem descent_distance k x : square_norm d (minus (descend k x) best) <= ((1 - mu / L) ^ 2) ^ k * square_norm d (minus x best).
  Proof.
    induction k as [|k IH]; [simpl; lra|]. simpl descend. eapply Rle_trans; [apply descent_step|]. simpl pow at 2. rewrite Rmult_assoc.
    apply Rmult_le_compat_l; [apply pow2_ge_0|exact IH].
  Qed.
End Descent.

(** w_k of gradient descent on the ridge loss, started at 0 *)
Definition ridge_descended (n : nat) (d : nat) (phi : nat -> vector) (r : nat -> R) (k : nat) : vector :=
  descend (ridge_gradient d n phi r) (2 * (1 + / INR n)) k zero_vector.

(** Gradient descent on the ridge loss, started at 0: after k steps the squared distance to the ridge estimate w_S is at most
    (n/4) exp(-2k/(n+1)). *)
Theorem ridge_descent d n (phi : nat -> vector) (r : nat -> R) (wS : vector) k : (1 <= n)%nat ->
  (forall j, (j < n)%nat -> square_norm d (phi j) <= 1) -> (forall j, (j < n)%nat -> 0 <= r j <= 1) ->
  (forall i, (i < d)%nat -> ridge_gradient d n phi r wS i = 0) ->
  square_norm d (minus (ridge_descended n d phi r k) wS) <= INR n / 4 * exp (- (2 * INR k / (INR n + 1))).
Proof.
  intros Hn Hphi Hr HS. assert (N1 : 1 <= INR n) by (replace 1 with (INR 1) by reflexivity; apply le_INR; exact Hn).
  assert (I : 0 < / INR n) by (apply Rinv_0_lt_compat; lra).
  pose proof (descent_distance d (ridge d n phi r) (ridge_gradient d n phi r) (2 * / INR n) (2 * (1 + / INR n)) ltac:(lra) ltac:(lra)
    (ridge_strongly_convex d n phi r Hn) (ridge_smooth d n phi r Hn Hphi) wS HS k zero_vector) as H.
  fold (ridge_descended n d phi r k) in H. eapply Rle_trans; [exact H|]. rewrite condition_number by exact Hn.
  assert (W : square_norm d (minus zero_vector wS) <= INR n / 4).
  { replace (square_norm d (minus zero_vector wS)) with (square_norm d wS) by (apply sum_ext; intros; unfold minus, zero_vector; ring).
    pose proof (minimiser_norm d n phi r Hn Hr wS HS) as M. apply (Rmult_le_compat_l (INR n)) in M; [|lra].
    replace (INR n * (/ INR n * square_norm d wS)) with (square_norm d wS) in M by (field; lra). lra. }
  set (t := / (INR n + 1)). assert (T : 0 < t <= 1) by (split; [apply Rinv_0_lt_compat; lra|unfold t; rewrite <- Rinv_1; apply Rinv_le_contravar; lra]).
  assert (X : ((1 - t) ^ 2) ^ k <= exp (- (2 * INR k / (INR n + 1)))).
  { replace (- (2 * INR k / (INR n + 1))) with (INR k * (- t + - t)) by (unfold t; field; lra). clear H. induction k as [|k IH]; [simpl; rewrite Rmult_0_l, exp_0; lra|].
    rewrite S_INR. replace ((INR k + 1) * (- t + - t)) with ((- t + - t) + INR k * (- t + - t)) by ring. rewrite exp_plus. simpl pow at 1.
    apply Rmult_le_compat; [apply pow2_ge_0|apply pow_le, pow2_ge_0| |exact IH].
    rewrite exp_plus. pose proof (exp_tangent (- t)). simpl pow. rewrite Rmult_1_r. apply Rmult_le_compat; lra. }
  rewrite Rmult_comm. apply Rmult_le_compat; [apply square_norm_nonneg|apply pow_le, pow2_ge_0|exact W|exact X].
Qed.
