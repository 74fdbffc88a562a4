(** * Accelerated gradient descent: the general rate, and ridge regression

    Nesterov's scheme with constant steps for a function F of d variables that is mu-strongly convex and L-smooth,
    theta = sqrt(mu / L):

        y = (x + theta z) / (1 + theta),    x' = y - (1/L) grad F(y),    z' = (1 - theta) z + theta (y - grad F(y) / mu).

    The potential  F(x) - F(v) + (mu/2) |z - v|^2  shrinks by the factor 1 - theta in every round, for every v.
    For the ridge loss F(w) = (1/n) sum_i (phi_i'w - r_i)^2 + |w|^2 / n with |phi_i| <= 1 and r_i in [0,1], started at 0:

        F(w_k) - F(w_S) <= (5/4) exp(-k / sqrt(n+1)),    |w_k - w_S|^2 <= (5/4) n exp(-k / sqrt(n+1)).

    Vectors are functions on {0, ..., d-1}; w_S is any solution of the normal equations.                        *)
From Coq Require Import Reals Lra Lia Psatz List Arith.
From FedIGW Require Import FiniteSums Hoeffding.
Open Scope R_scope.

Definition vector := nat -> R.
Definition dot (d : nat) (u v : vector) : R := sum d (fun i => u i * v i).
Definition square_norm (d : nat) (u : vector) : R := sum d (fun i => u i ^ 2).
Definition minus (u v : vector) : vector := fun i => u i - v i.

Lemma square_norm_nonneg d u : 0 <= square_norm d u.
Proof. apply sum_nonneg. intros. apply pow2_ge_0. Qed.

(** ** Any strongly convex and smooth function *)
Section Accelerated.
  Variables (d : nat) (F : vector -> R) (gradient : vector -> vector) (mu L : R).
  Hypothesis Hmu : 0 < mu.
  Hypothesis HmuL : mu <= L.
  Hypothesis strongly_convex : forall u v,
    F u + dot d (gradient u) (minus v u) + mu / 2 * square_norm d (minus v u) <= F v.
  Hypothesis smooth : forall u v,
    F v <= F u + dot d (gradient u) (minus v u) + L / 2 * square_norm d (minus v u).

  Definition theta : R := sqrt (mu / L).
  Lemma theta_bounds : 0 < theta <= 1 /\ theta * theta = mu / L.
  Proof.
    assert (H : 0 < mu / L) by (apply Rdiv_lt_0_compat; lra).
    assert (Q : theta * theta = mu / L) by (apply sqrt_sqrt; lra).
    assert (P : 0 < theta) by (apply sqrt_lt_R0; exact H).
    assert (mu / L <= 1).
    { apply (Rmult_le_reg_r L); [lra|]. replace (mu / L * L) with mu by (field; lra). lra. }
    repeat split; [exact P | nra | exact Q].
  Qed.

  (** one round: (x, z) -> (x', z') *)
  Definition middle (x z : vector) : vector := fun i => (x i + theta * z i) / (1 + theta).
  Definition next_x (x z : vector) : vector := fun i => middle x z i - / L * gradient (middle x z) i.
  Definition next_z (x z : vector) : vector := fun i =>
    (1 - theta) * z i + theta * (middle x z i - / mu * gradient (middle x z) i).
  Fixpoint iterate (k : nat) (x z : vector) : vector * vector :=
    match k with
    | O => (x, z)
    | S k' => let (x', z') := iterate k' x z in (next_x x' z', next_z x' z')
    end.
  Definition potential (v x z : vector) : R := F x - F v + mu / 2 * square_norm d (minus z v).

  (** The potential shrinks by 1 - theta. *)
  Lemma potential_step v x z : potential v (next_x x z) (next_z x z) <= (1 - theta) * potential v x z.
  Proof.
    destruct theta_bounds as [[T0 T1] TT]. assert (HL : 0 < L) by lra.
    set (y := middle x z). set (gr := gradient y).
    (* progress of the gradient step *)
    pose proof (smooth y (next_x x z)) as P1.
    replace (dot d (gradient y) (minus (next_x x z) y)) with (- / L * square_norm d gr) in P1.
    2:{ unfold dot, square_norm. rewrite <- sum_scal. apply sum_ext. intros i _.
        unfold minus, next_x. fold y gr. ring. }
    replace (square_norm d (minus (next_x x z) y)) with (/ L * / L * square_norm d gr) in P1.
    2:{ unfold square_norm. rewrite <- sum_scal. apply sum_ext. intros i _. unfold minus, next_x. fold y gr. ring. }
    replace (F y + - / L * square_norm d gr + L / 2 * (/ L * / L * square_norm d gr))
      with (F y - / (2 * L) * square_norm d gr) in P1 by (field; lra).
    (* convexity towards v and towards x *)
    pose proof (strongly_convex y v) as P2. fold gr in P2.
    pose proof (strongly_convex y x) as P3. fold gr in P3.
    assert (N3 : 0 <= mu / 2 * square_norm d (minus x y)) by (apply Rmult_le_pos; [lra | apply square_norm_nonneg]).
    (* the new z *)
    assert (P4 : mu / 2 * square_norm d (minus (next_z x z) v) <=
      (1 - theta) * (mu / 2 * square_norm d (minus z v)) + theta * (mu / 2 * square_norm d (minus v y))
      + / (2 * L) * square_norm d gr
      - theta * sum d (fun i => gr i * ((1 - theta) * (z i - v i) + theta * (y i - v i)))).
    { unfold square_norm. rewrite <- !sum_scal, <- !sum_plus, <- sum_minus. apply sum_le. intros i _.
      unfold minus, next_z. fold y gr.
      assert (Hq : / (2 * L) = theta * theta / (2 * mu)) by (rewrite TT; field; lra).
      rewrite Hq.
      assert (Id : (1 - theta) * (mu / 2 * (z i - v i) ^ 2) + theta * (mu / 2 * (v i - y i) ^ 2)
          + theta * theta / (2 * mu) * gr i ^ 2
          - theta * (gr i * ((1 - theta) * (z i - v i) + theta * (y i - v i)))
          - mu / 2 * ((1 - theta) * z i + theta * (y i - / mu * gr i) - v i) ^ 2
        = mu / 2 * (theta * (1 - theta)) * (z i - y i) ^ 2) by (field; lra).
      assert (0 <= mu / 2 * (theta * (1 - theta)) * (z i - y i) ^ 2).
      { apply Rmult_le_pos; [|apply pow2_ge_0]. apply Rmult_le_pos; [lra|]. apply Rmult_le_pos; lra. }
      lra. }
    (* the inner products cancel by the choice of y *)
    assert (P5 : (1 - theta) * - dot d gr (minus x y) + theta * - dot d gr (minus v y)
      - theta * sum d (fun i => gr i * ((1 - theta) * (z i - v i) + theta * (y i - v i))) = 0).
    { unfold dot. rewrite <- (sum_zero d).
      replace (- sum d (fun i => gr i * minus x y i)) with (-1 * sum d (fun i => gr i * minus x y i)) by ring.
      replace (- sum d (fun i => gr i * minus v y i)) with (-1 * sum d (fun i => gr i * minus v y i)) by ring.
      rewrite <- !sum_scal, <- sum_plus, <- sum_minus. apply sum_ext. intros i _.
      unfold minus, y, middle. field. lra. }
    unfold potential.
    apply (Rmult_le_compat_l theta) in P2; [|lra].
    assert (P3' : (1 - theta) * (F y + dot d gr (minus x y)) <= (1 - theta) * F x)
      by (apply Rmult_le_compat_l; lra).
    lra.
  Qed.

  (** The rate:  F(x_k) - F(v) + (mu/2)|z_k - v|^2 <= (1 - sqrt(mu/L))^k (F(x_0) - F(v) + (mu/2)|z_0 - v|^2). *)
  Theorem agd_rate v x z k :
    potential v (fst (iterate k x z)) (snd (iterate k x z)) <= (1 - sqrt (mu / L)) ^ k * potential v x z.
  Proof.
    fold theta. destruct theta_bounds as [[T0 T1] _]. induction k as [|k IH]; [simpl; lra|].
    simpl iterate. destruct (iterate k x z) as [xk zk]. simpl fst in *. simpl snd in *.
    eapply Rle_trans; [apply potential_step|]. simpl pow. rewrite Rmult_assoc.
    apply Rmult_le_compat_l; [lra | exact IH].
  Qed.
End Accelerated.

(** ** Ridge regression *)
Section Ridge.
  Variables (d n : nat) (phi : nat -> vector) (r : nat -> R).
  Hypothesis Hn : (1 <= n)%nat.
  Hypothesis Hphi : forall j, (j < n)%nat -> square_norm d (phi j) <= 1.
  Hypothesis Hr : forall j, (j < n)%nat -> 0 <= r j <= 1.

  Definition ridge (w : vector) : R :=
    / INR n * sum n (fun j => (dot d (phi j) w - r j) ^ 2) + / INR n * square_norm d w.
  Definition ridge_gradient (w : vector) : vector := fun i =>
    2 * (/ INR n * sum n (fun j => (dot d (phi j) w - r j) * phi j i)) + 2 * (/ INR n * w i).

  Lemma n_pos : 0 < / INR n <= 1.
  Proof.
    assert (1 <= INR n) by (replace 1 with (INR 1) by reflexivity; apply le_INR; exact Hn).
    split; [apply Rinv_0_lt_compat; lra|]. rewrite <- Rinv_1. apply Rinv_le_contravar; lra.
  Qed.
  Lemma dot_minus u v w : dot d u (minus v w) = dot d u v - dot d u w.
  Proof. unfold dot, minus. rewrite <- sum_minus. apply sum_ext. intros; ring. Qed.
  Lemma gradient_dot w h : dot d (ridge_gradient w) h =
    2 * (/ INR n * sum n (fun j => (dot d (phi j) w - r j) * dot d (phi j) h)) + 2 * (/ INR n * dot d w h).
  Proof.
    unfold dot at 1. unfold ridge_gradient.
    rewrite (sum_ext d _ (fun i => 2 * (/ INR n * sum n (fun j => (dot d (phi j) w - r j) * (phi j i * h i)))
                                   + 2 * (/ INR n * (w i * h i)))).
    - rewrite sum_plus, !sum_scal. unfold dot at 3. f_equal. f_equal. f_equal.
      rewrite (sum_swap d n (fun i j => (dot d (phi j) w - r j) * (phi j i * h i))).
      apply sum_ext. intros j _. rewrite sum_scal. reflexivity.
    - intros i _.
      replace (sum n (fun j => (dot d (phi j) w - r j) * (phi j i * h i)))
        with (h i * sum n (fun j => (dot d (phi j) w - r j) * phi j i)); [ring|].
      rewrite <- sum_scal. apply sum_ext. intros; ring.
  Qed.

  (** F(v) = F(u) + <grad F(u), v - u> + (1/n) sum_j (phi_j'(v - u))^2 + |v - u|^2 / n, exactly. *)
  Lemma ridge_expansion u v : ridge v =
    ridge u + dot d (ridge_gradient u) (minus v u)
    + (/ INR n * sum n (fun j => dot d (phi j) (minus v u) ^ 2) + / INR n * square_norm d (minus v u)).
  Proof.
    rewrite gradient_dot. unfold ridge.
    assert (A : sum n (fun j => (dot d (phi j) v - r j) ^ 2) =
      sum n (fun j => (dot d (phi j) u - r j) ^ 2)
      + 2 * sum n (fun j => (dot d (phi j) u - r j) * dot d (phi j) (minus v u))
      + sum n (fun j => dot d (phi j) (minus v u) ^ 2)).
    { rewrite <- sum_scal, <- !sum_plus. apply sum_ext. intros j _. rewrite dot_minus. ring. }
    assert (B : square_norm d v = square_norm d u + 2 * dot d u (minus v u) + square_norm d (minus v u)).
    { unfold square_norm, dot, minus. rewrite <- sum_scal, <- !sum_plus. apply sum_ext. intros; ring. }
    rewrite A, B. ring.
  Qed.

  (** strongly convex with mu = 2/n, smooth with L = 2(1 + 1/n) *)
  Lemma ridge_strongly_convex u v : ridge u + dot d (ridge_gradient u) (minus v u)
    + 2 * / INR n / 2 * square_norm d (minus v u) <= ridge v.
  Proof.
    rewrite (ridge_expansion u v). pose proof n_pos.
    assert (0 <= / INR n * sum n (fun j => dot d (phi j) (minus v u) ^ 2)).
    { apply Rmult_le_pos; [lra|]. apply sum_nonneg. intros. apply pow2_ge_0. }
    lra.
  Qed.
  Lemma ridge_smooth u v : ridge v <= ridge u + dot d (ridge_gradient u) (minus v u)
    + 2 * (1 + / INR n) / 2 * square_norm d (minus v u).
  Proof.
    rewrite (ridge_expansion u v). pose proof n_pos as Hp. pose proof (square_norm_nonneg d (minus v u)) as Hs.
    assert (H : sum n (fun j => dot d (phi j) (minus v u) ^ 2) <= sum n (fun _ => square_norm d (minus v u))).
    { apply sum_le. intros j Hj. eapply Rle_trans; [apply cauchy_schwarz|].
      fold (square_norm d (phi j)) (square_norm d (minus v u)). pose proof (Hphi j Hj).
      pose proof (square_norm_nonneg d (phi j)). nra. }
    rewrite sum_const in H. apply (Rmult_le_compat_l (/ INR n)) in H; [|lra].
    replace (/ INR n * (INR n * square_norm d (minus v u))) with (square_norm d (minus v u)) in H.
    - lra.
    - field. intro E. rewrite E in Hp. rewrite Rinv_0 in Hp. lra.
  Qed.

  (** w_S: the normal equations *)
  Variable wS : vector.
  Hypothesis normal_equations : forall i, (i < d)%nat -> ridge_gradient wS i = 0.

  Lemma gradient_zero h : dot d (ridge_gradient wS) h = 0.
  Proof.
    unfold dot. rewrite <- (sum_zero d). apply sum_ext. intros i Hi. rewrite normal_equations by exact Hi. ring.
  Qed.
  (** |w_S|^2 / n <= 1/4, from <grad F(w_S), w_S> = 0 and p (r - p) <= 1/4 *)
  Lemma minimiser_norm : / INR n * square_norm d wS <= 1 / 4.
  Proof.
    pose proof n_pos as Hp. pose proof (gradient_zero wS) as H. rewrite gradient_dot in H.
    assert (B : dot d wS wS = square_norm d wS) by (apply sum_ext; intros; ring). rewrite B in H.
    assert (C : sum n (fun _ => - (1 / 4)) <= sum n (fun j => (dot d (phi j) wS - r j) * dot d (phi j) wS)).
    { apply sum_le. intros j Hj. pose proof (Hr j Hj).
      set (p := dot d (phi j) wS). assert (0 <= (2 * p - r j) ^ 2) by apply pow2_ge_0. nra. }
    rewrite sum_const in C. apply (Rmult_le_compat_l (/ INR n)) in C; [|lra].
    replace (/ INR n * (INR n * - (1 / 4))) with (- (1 / 4)) in C
      by (field; intro E; rewrite E, Rinv_0 in Hp; lra).
    lra.
  Qed.
  Definition zero_vector : vector := fun _ => 0.
  (** the potential at the start: F(0) - F(w_S) + |w_S|^2 / n <= 1 + 1/4 *)
  Definition agd_start_constant : R := 5 / 4.
  Lemma start : potential d ridge (2 * / INR n) wS zero_vector zero_vector <= agd_start_constant.
  Proof.
    pose proof n_pos as Hp. unfold potential, agd_start_constant.
    assert (A : ridge zero_vector <= 1).
    { unfold ridge. assert (Z : square_norm d zero_vector = 0).
      { unfold square_norm. rewrite (sum_ext d _ (fun _ => 0)) by (intros; unfold zero_vector; ring). apply sum_zero. }
      rewrite Z. assert (B : sum n (fun j => (dot d (phi j) zero_vector - r j) ^ 2) <= sum n (fun _ => 1)).
      { apply sum_le. intros j Hj. pose proof (Hr j Hj).
        replace (dot d (phi j) zero_vector) with 0.
        - nra.
        - unfold dot. rewrite (sum_ext d _ (fun _ => 0)) by (intros; unfold zero_vector; ring). symmetry. apply sum_zero. }
      rewrite sum_const in B. apply (Rmult_le_compat_l (/ INR n)) in B; [|lra].
      replace (/ INR n * (INR n * 1)) with 1 in B by (field; intro E; rewrite E, Rinv_0 in Hp; lra). lra. }
    assert (C : 0 <= ridge wS).
    { unfold ridge. apply Rplus_le_le_0_compat; apply Rmult_le_pos; try lra.
      - apply sum_nonneg. intros. apply pow2_ge_0.
      - apply square_norm_nonneg. }
    assert (N : square_norm d (minus zero_vector wS) = square_norm d wS).
    { apply sum_ext. intros i _. unfold minus, zero_vector. ring. }
    rewrite N. pose proof minimiser_norm. lra.
  Qed.

  (** w_k of AGD on the ridge loss, started at 0 *)
  Definition agd (k : nat) : vector :=
    fst (iterate ridge_gradient (2 * / INR n) (2 * (1 + / INR n)) k zero_vector zero_vector).

  Lemma condition_number : 2 * / INR n / (2 * (1 + / INR n)) = / (INR n + 1).
  Proof.
    assert (1 <= INR n) by (replace 1 with (INR 1) by reflexivity; apply le_INR; exact Hn). field. split; lra.
  Qed.
  Lemma shrink_exp k : (1 - sqrt (/ (INR n + 1))) ^ k <= exp (- (INR k / sqrt (INR n + 1))).
  Proof.
    assert (1 <= INR n) by (replace 1 with (INR 1) by reflexivity; apply le_INR; exact Hn).
    rewrite sqrt_inv. set (t := / sqrt (INR n + 1)).
    assert (Ht : 0 < t <= 1).
    { assert (1 <= sqrt (INR n + 1)) by (rewrite <- sqrt_1 at 1; apply sqrt_le_1_alt; lra).
      split; [apply Rinv_0_lt_compat; lra|]. assert (Hi : t <= / 1) by (apply Rinv_le_contravar; lra).
      rewrite Rinv_1 in Hi. exact Hi. }
    replace (- (INR k / sqrt (INR n + 1))) with (INR k * - t) by (unfold t, Rdiv; ring).
    induction k as [|k IH].
    - simpl. rewrite Rmult_0_l, exp_0. lra.
    - rewrite S_INR. replace ((INR k + 1) * - t) with (- t + INR k * - t) by ring. rewrite exp_plus. simpl pow.
      apply Rmult_le_compat; [lra | apply pow_le; lra | | exact IH].
      pose proof (exp_tangent (- t)). lra.
  Qed.

  (** AGD on ridge, loss:  F(w_k) - F(w_S) <= (5/4) exp(-k / sqrt(n+1)). *)
  Theorem agd_ridge_loss k : ridge (agd k) - ridge wS <= agd_start_constant * exp (- (INR k / sqrt (INR n + 1))).
  Proof.
    pose proof n_pos as Hp.
    pose proof (agd_rate d ridge ridge_gradient (2 * / INR n) (2 * (1 + / INR n)) ltac:(lra) ltac:(lra)
      ridge_strongly_convex ridge_smooth wS zero_vector zero_vector k) as H.
    rewrite condition_number in H. fold (agd k) in H.
    assert (A : ridge (agd k) - ridge wS <= (1 - sqrt (/ (INR n + 1))) ^ k
      * potential d ridge (2 * / INR n) wS zero_vector zero_vector).
    { unfold potential at 1 in H.
      pose proof (square_norm_nonneg d (minus (snd (iterate ridge_gradient (2 * / INR n) (2 * (1 + / INR n)) k
        zero_vector zero_vector)) wS)).
      assert (0 <= 2 * / INR n / 2 * square_norm d (minus (snd (iterate ridge_gradient (2 * / INR n)
        (2 * (1 + / INR n)) k zero_vector zero_vector)) wS)) by (apply Rmult_le_pos; lra). lra. }
    assert (S0 : 0 <= 1 - sqrt (/ (INR n + 1))).
    { assert (1 <= INR n) by (replace 1 with (INR 1) by reflexivity; apply le_INR; exact Hn).
      assert (sqrt (/ (INR n + 1)) <= 1); [|lra].
      assert (Hi : / (INR n + 1) <= / 1) by (apply Rinv_le_contravar; lra). rewrite Rinv_1 in Hi.
      apply sqrt_le_1_alt in Hi. rewrite sqrt_1 in Hi. exact Hi. }
    eapply Rle_trans; [exact A|]. rewrite (Rmult_comm agd_start_constant).
    eapply Rle_trans; [apply Rmult_le_compat_l; [apply pow_le; exact S0 | exact start]|].
    apply Rmult_le_compat_r; [unfold agd_start_constant; lra | apply shrink_exp].
  Qed.

  (** AGD on ridge, distance:  |w_k - w_S|^2 <= (5/4) n exp(-k / sqrt(n+1)). *)
  Theorem agd_ridge_distance k :
    square_norm d (minus (agd k) wS) <= agd_start_constant * INR n * exp (- (INR k / sqrt (INR n + 1))).
  Proof.
    pose proof n_pos as Hp. pose proof (ridge_strongly_convex wS (agd k)) as H. rewrite gradient_zero in H.
    pose proof (agd_ridge_loss k) as B.
    assert (Hn1 : 1 <= INR n) by (replace 1 with (INR 1) by reflexivity; apply le_INR; exact Hn).
    apply (Rmult_le_reg_l (/ INR n)); [lra|].
    replace (/ INR n * (agd_start_constant * INR n * exp (- (INR k / sqrt (INR n + 1)))))
      with (agd_start_constant * exp (- (INR k / sqrt (INR n + 1)))) by (field; lra).
    lra.
  Qed.
End Ridge.
