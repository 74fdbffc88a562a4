(** * Generalised linear rewards: the excess risk of a regularised minimiser

    A link psi' with potential psi, 0 < c <= psi'' <= L in the sense of [strong] and [smooth]; rewards with means psi'(phi'wstar) and
    variances of at most s2, |phi| <= 1.  fit n minimises sum_j (psi(phi_j'w) - r_j phi_j'w) + (Lam/2)|w|^2 over n samples, which
    [stationary] says by its gradient.  Main result: [glm_iid_excess_risk], for n independent samples of any finite law and
    Lam > 2L - c,

        E (psi'(phi'w) - psi'(phi'wstar))^2 <= 2L (s2 d/c + (Lam/2)|wstar|^2) / ((n + 1)(1 - 2L/(c + Lam))).

    Logistic rewards: L = 1/4, c = sigma(B)(1 - sigma(B)) on [-B, B], continued with this curvature; identity link: c = L = 1.
    The proof takes one of n + 1 samples out: with H = c sum_j phi_j phi_j' + Lam I, q_i = phi_i'H^{-1}phi_i and
    g_i = psi'(phi_i'w_{-i}) - r_i the loss of sample i grows by at most g_i^2 q_i ([left_out]), sum_i q_i <= d/c and
    q_i <= 1/(c + Lam); the square of psi' - psi'_* in g_i^2 is at most 2L times the excess loss itself.                      *)
From Coq Require Import Reals Lra Lia Psatz List Arith FunctionalExtensionality.
From FedIGW Require Import FiniteSums FiniteProbability AcceleratedGradient RidgeExcessRisk Exchangeability RidgeSamples.
Import ListNotations.
Open Scope R_scope.

(** 2L (s2 d/c + (Lam/2) norm) / (1 - 2L/(c + Lam)) *)
Definition glm_constant (c L Lam s2 d norm : R) : R := 2 * L * ((s2 * d / c + Lam / 2 * norm) / (1 - 2 * L / (c + Lam))).

Section Glm.
  Variables (d : nat) (psi link : R -> R) (c L Lam : R).
  Hypothesis Hc : 0 < c.
  Hypothesis HL : c <= L.
  Hypothesis HLam : 2 * L - c < Lam.
  Hypothesis strong : forall z y, psi z + link z * (y - z) + c / 2 * (y - z) ^ 2 <= psi y.
  Hypothesis smooth : forall z y, psi y <= psi z + link z * (y - z) + L / 2 * (y - z) ^ 2.
  (** (psi'(y) - psi'(z))^2 <= 2L (psi(y) - psi(z) - psi'(z)(y - z)) *)
  Lemma by_excess z y : (link y - link z) ^ 2 <= 2 * L * (psi y - psi z - link z * (y - z)).
  Proof.
    set (s := link y - link z). pose proof (smooth y (y - s / L)) as H1. pose proof (strong z (y - s / L)) as H2.
    pose proof (pow2_ge_0 (y - s / L - z)) as H3. assert (0 <= c / 2 * (y - s / L - z) ^ 2) by (apply Rmult_le_pos; lra).
    replace (y - s / L - y) with (- (s / L)) in H1 by ring.
    assert (E1 : link y = link z + s) by (unfold s; ring). rewrite E1 in H1.
    assert (H4 : psi z + link z * (y - s / L - z) <= psi y + (link z + s) * - (s / L) + L / 2 * (- (s / L)) ^ 2) by lra.
    replace (psi y + (link z + s) * - (s / L) + L / 2 * (- (s / L)) ^ 2) with (psi y - link z * (s / L) - s ^ 2 / (2 * L)) in H4 by (field; lra).
    assert (H5 : s ^ 2 / (2 * L) <= psi y - psi z - link z * (y - z)) by lra.
    apply (Rmult_le_compat_l (2 * L)) in H5; [|lra]. replace (2 * L * (s ^ 2 / (2 * L))) with (s ^ 2) in H5 by (field; lra). exact H5.
  Qed.

  (** ** One sample out *)
  Definition sample_cost (p : vector) (r : R) (w : vector) : R := psi (dot d p w) - r * dot d p w.
  Variables (N : nat) (phi : nat -> vector) (r : nat -> R).
  Hypothesis Hphi : forall j, (j < N)%nat -> square_norm d (phi j) <= 1.
  (** w is stationary for the samples with keep j = 1 *)
  Definition stationary_for (keep : nat -> R) (w : vector) : Prop := forall i, (i < d)%nat ->
    sum N (fun j => keep j * ((link (dot d (phi j) w) - r j) * phi j i)) + Lam * w i = 0.
  Definition cost (keep : nat -> R) (w : vector) : R := sum N (fun j => keep j * sample_cost (phi j) (r j) w) + Lam / 2 * square_norm d w.
  Lemma grows keep w y : (forall j, 0 <= keep j) -> stationary_for keep w ->
    cost keep w + (c / 2 * sum N (fun j => keep j * dot d (phi j) (minus y w) ^ 2) + Lam / 2 * square_norm d (minus y w)) <= cost keep y.
  Proof.
    intros Hk Hw.
    assert (Z : sum N (fun j => keep j * ((link (dot d (phi j) w) - r j) * dot d (phi j) (minus y w))) + Lam * dot d w (minus y w) = 0).
    { set (b := fun j => keep j * (link (dot d (phi j) w) - r j)).
      assert (E : dot d (minus y w) (fun i => sum N (fun j => b j * phi j i) + Lam * w i) = 0).
      { unfold dot. rewrite <- (sum_zero d). apply sum_ext. intros i Hi. rewrite <- (Rmult_0_r (minus y w i)). f_equal. rewrite <- (Hw i Hi). f_equal.
        apply sum_ext. intros j _. unfold b. ring. }
      rewrite (dot_plus d (minus y w) (fun i => sum N (fun j => b j * phi j i)) (fun i => Lam * w i)), dot_scal, dot_sum, (dot_symmetric d (minus y w) w) in E.
      rewrite <- E. f_equal. apply sum_ext. intros j _. unfold b. rewrite (dot_symmetric d (minus y w)). ring. }
    assert (S : sum N (fun j => keep j * sample_cost (phi j) (r j) w) + sum N (fun j => keep j * ((link (dot d (phi j) w) - r j) * dot d (phi j) (minus y w)))
      + c / 2 * sum N (fun j => keep j * dot d (phi j) (minus y w) ^ 2) <= sum N (fun j => keep j * sample_cost (phi j) (r j) y)).
    { rewrite <- sum_scal, <- !sum_plus. apply sum_le. intros j _.
      replace (keep j * sample_cost (phi j) (r j) w + keep j * ((link (dot d (phi j) w) - r j) * dot d (phi j) (minus y w)) + c / 2 * (keep j * dot d (phi j) (minus y w) ^ 2))
        with (keep j * (sample_cost (phi j) (r j) w + (link (dot d (phi j) w) - r j) * dot d (phi j) (minus y w) + c / 2 * dot d (phi j) (minus y w) ^ 2)) by ring.
      apply Rmult_le_compat_l; [apply Hk|]. unfold sample_cost. rewrite dot_minus. pose proof (strong (dot d (phi j) w) (dot d (phi j) y)). lra. }
    assert (Q : square_norm d y = square_norm d w + 2 * dot d w (minus y w) + square_norm d (minus y w)).
    { unfold square_norm, dot, minus. rewrite <- sum_scal, <- !sum_plus. apply sum_ext. intros. ring. }
    unfold cost. rewrite Q. lra.
  Qed.
  (** H = c sum phi phi' + Lam I is Lam times RidgeExcessRisk.A of the features sqrt(c/Lam) phi; q_i = phi_i'H^{-1}phi_i *)
  Let t := sqrt (c / Lam).
  Definition scaled_feature (j : nat) : vector := fun i => sqrt (c / Lam) * phi j i.
  Definition share_of (i : nat) : R := h d scaled_feature N i / c.
  Lemma Lam_pos : 0 < Lam. Proof. lra. Qed.
  Lemma t_square : t * t = c / Lam. Proof. apply sqrt_sqrt. left. apply Rdiv_lt_0_compat; lra. Qed.
  Lemma scaled_dot j v : dot d (scaled_feature j) v = t * dot d (phi j) v.
  Proof. unfold dot, scaled_feature. fold t. rewrite <- sum_scal. apply sum_ext. intros. ring. Qed.
  Lemma scaled_norm j : square_norm d (scaled_feature j) = c / Lam * square_norm d (phi j).
  Proof. rewrite <- t_square. unfold square_norm, scaled_feature. fold t. rewrite <- sum_scal. apply sum_ext. intros. ring. Qed.
  Definition weighed (v : vector) : R := c * sum N (fun j => dot d (phi j) v ^ 2) + Lam * square_norm d v.
  Lemma weighed_is v : Lam * dot d v (A d scaled_feature N v) = weighed v.
  Proof.
    rewrite dot_A, dot_self. unfold weighed. rewrite Rmult_plus_distr_l. f_equal.
    rewrite (sum_ext N _ (fun j => c / Lam * dot d (phi j) v ^ 2)) by (intros j _; rewrite !scaled_dot, <- t_square; ring). rewrite sum_scal. field. lra.
  Qed.
  Lemma share_nonneg i : (i < N)%nat -> 0 <= share_of i.
  Proof.
    intro Hi. unfold share_of. pose proof (h_identity d scaled_feature N i Hi) as E. pose proof (square_norm_nonneg d (u d scaled_feature N i)).
    assert (0 <= sum N (fun j => dot d (scaled_feature j) (u d scaled_feature N i) ^ 2)) by (apply sum_nonneg; intros; apply pow2_ge_0).
    apply Rmult_le_pos; [lra|left; apply Rinv_0_lt_compat; exact Hc].
  Qed.
  (** q_i <= 1/(c + Lam) and sum_i q_i <= d/c *)
  Lemma share_small i : (i < N)%nat -> share_of i <= / (c + Lam).
  Proof.
    intro Hi. pose proof (share_nonneg i Hi) as S0. set (x := u d scaled_feature N i). set (y := h d scaled_feature N i).
    assert (E : y = sum N (fun j => dot d (scaled_feature j) x ^ 2) + square_norm d x) by apply (h_identity d scaled_feature N i Hi).
    assert (P : y ^ 2 <= sum N (fun j => dot d (scaled_feature j) x ^ 2)).
    { unfold y, h. fold x. apply (sum_ge_one N (fun j => dot d (scaled_feature j) x ^ 2) i); [|exact Hi]. intros. apply pow2_ge_0. }
    assert (Q : y ^ 2 <= c / Lam * square_norm d x).
    { unfold y, h. fold x. eapply Rle_trans; [apply cauchy_schwarz|]. fold (square_norm d (scaled_feature i)) (square_norm d x). rewrite scaled_norm.
      pose proof (Hphi i Hi). pose proof (square_norm_nonneg d x). assert (0 < c / Lam) by (apply Rdiv_lt_0_compat; lra).
      apply Rmult_le_compat_r; [assumption|]. rewrite <- (Rmult_1_r (c / Lam)) at 2. apply Rmult_le_compat_l; lra. }
    assert (Q' : Lam / c * y ^ 2 <= square_norm d x).
    { apply (Rmult_le_compat_l (Lam / c)) in Q; [|left; apply Rdiv_lt_0_compat; lra]. replace (Lam / c * (c / Lam * square_norm d x)) with (square_norm d x) in Q by (field; lra). exact Q. }
    assert (Y0 : 0 <= y) by (unfold share_of in S0; fold y in S0; apply (Rmult_le_compat_r c) in S0; [|lra]; unfold Rdiv in S0; rewrite Rmult_assoc, Rinv_l in S0 by lra; lra).
    assert (Y : y * (1 + Lam / c) <= 1).
    { destruct (Rle_lt_or_eq_dec 0 y Y0) as [Hy|<-]; [|lra]. apply (Rmult_le_reg_l y); [exact Hy|]. replace (y * (y * (1 + Lam / c))) with (y ^ 2 + Lam / c * y ^ 2) by ring. lra. }
    unfold share_of. fold y. apply (Rmult_le_reg_r (c + Lam)); [lra|]. rewrite Rinv_l by lra. replace (y / c * (c + Lam)) with (y * (1 + Lam / c)) by (field; lra). exact Y.
  Qed.
  Lemma share_total : sum N share_of <= INR d / c.
  Proof.
    unfold share_of, Rdiv. rewrite (sum_ext N _ (fun i => / c * h d scaled_feature N i)) by (intros; ring). rewrite sum_scal, Rmult_comm.
    apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; exact Hc|]. apply h_trace.
  Qed.
  (** (phi_i'v)^2 <= q_i v'Hv *)
  Lemma by_share i v : (i < N)%nat -> dot d (phi i) v ^ 2 <= share_of i * weighed v.
  Proof.
    intro Hi. set (x := u d scaled_feature N i). set (y := h d scaled_feature N i). set (s := dot d (scaled_feature i) v). set (Q := dot d v (A d scaled_feature N v)).
    assert (Sx : solves d scaled_feature N x (scaled_feature i)) by apply solve_solves.
    assert (Ex : dot d x (A d scaled_feature N x) = y) by (rewrite (dot_ext d x _ _ Sx), dot_symmetric; reflexivity).
    assert (Es : dot d x (A d scaled_feature N v) = s) by (rewrite A_symmetric, (dot_ext d v _ _ Sx), dot_symmetric; reflexivity).
    assert (Y0 : square_norm d x <= y) by (rewrite <- Ex; apply A_positive).
    assert (H : s ^ 2 <= y * Q).
    { pose proof (square_norm_nonneg d x) as X0. destruct (Rle_lt_or_eq_dec 0 y ltac:(lra)) as [Hy|Hy].
      - set (z := fun m => y * v m + - s * x m).
        assert (Az : forall m, A d scaled_feature N z m = y * A d scaled_feature N v m + - s * A d scaled_feature N x m).
        { intro m. unfold A. rewrite (sum_ext N _ (fun j => y * (dot d (scaled_feature j) v * scaled_feature j m) + - s * (dot d (scaled_feature j) x * scaled_feature j m)))
            by (intros j _; unfold z; rewrite (dot_plus d (scaled_feature j) (fun m => y * v m) (fun m => - s * x m)), !dot_scal; ring).
          rewrite sum_plus, !sum_scal. unfold z. ring. }
        pose proof (A_positive d scaled_feature N z) as P. pose proof (square_norm_nonneg d z) as P0.
        rewrite (dot_ext d z (A d scaled_feature N z) _ (fun m _ => Az m)) in P.
        rewrite (dot_plus d z (fun m => y * A d scaled_feature N v m) (fun m => - s * A d scaled_feature N x m)), !dot_scal in P.
        rewrite (dot_symmetric d z (A d scaled_feature N v)), (dot_symmetric d z (A d scaled_feature N x)) in P. unfold z in P at 2 3.
        rewrite (dot_plus d _ (fun m => y * v m) (fun m => - s * x m)), (dot_plus d (A d scaled_feature N x) (fun m => y * v m) (fun m => - s * x m)), !dot_scal in P.
        rewrite (dot_symmetric d _ v), (dot_symmetric d _ x), (dot_symmetric d _ v), (dot_symmetric d _ x) in P. rewrite (A_symmetric d scaled_feature N v x), Es, Ex in P. fold Q in P.
        apply (Rmult_le_reg_l y); [exact Hy|]. nra.
      - assert (X1 : square_norm d x = 0) by lra. assert (Z : s = 0).
        { rewrite <- Es. pose proof (cauchy_schwarz d x (A d scaled_feature N v)) as C. fold (dot d x (A d scaled_feature N v)) (square_norm d x) in C. rewrite X1, Rmult_0_l in C.
          pose proof (pow2_ge_0 (dot d x (A d scaled_feature N v))). nra. }
        rewrite Z, <- Hy. lra. }
    unfold s in H. rewrite scaled_dot in H. rewrite <- weighed_is. fold Q. unfold share_of. fold y.
    apply (Rmult_le_reg_l (c / Lam)); [apply Rdiv_lt_0_compat; lra|]. replace (c / Lam * (y / c * (Lam * Q))) with (y * Q) by (field; lra).
    replace (c / Lam * dot d (phi i) v ^ 2) with ((t * dot d (phi i) v) ^ 2) by (rewrite <- t_square; ring). exact H.
  Qed.
  Definition everyone (j : nat) : R := 1.
  Definition but (i j : nat) : R := if Nat.eq_dec j i then 0 else 1.
  (** l_i(w_{-i}) - l_i(w) <= g_i^2 q_i *)
  Lemma left_out i w v : (i < N)%nat -> stationary_for everyone w -> stationary_for (but i) v ->
    sample_cost (phi i) (r i) v - sample_cost (phi i) (r i) w <= (link (dot d (phi i) v) - r i) ^ 2 * share_of i.
  Proof.
    intros Hi Hw Hv. set (D := minus v w). set (p := dot d (phi i) D). set (g := link (dot d (phi i) v) - r i). set (Q := weighed D).
    pose proof (grows everyone w v ltac:(intro; unfold everyone; lra) Hw) as H1. pose proof (grows (but i) v w ltac:(intro j; unfold but; destruct (Nat.eq_dec j i); lra) Hv) as H2.
    assert (Split : forall f : nat -> R, sum N (fun j => everyone j * f j) = sum N (fun j => but i j * f j) + f i).
    { intro f. rewrite <- (sum_delta N i f Hi), <- sum_plus. apply sum_ext. intros j _. unfold everyone, but. destruct (Nat.eq_dec j i); ring. }
    unfold cost in H1, H2. rewrite !Split in H1. fold D p in H1.
    assert (Neg : forall j, dot d (phi j) (minus w v) ^ 2 = dot d (phi j) D ^ 2) by (intro j; unfold D; rewrite !dot_minus; ring).
    rewrite (sum_ext N (fun j => but i j * dot d (phi j) (minus w v) ^ 2) (fun j => but i j * dot d (phi j) D ^ 2)) in H2 by (intros; rewrite Neg; reflexivity).
    assert (Nn : square_norm d (minus w v) = square_norm d D) by (apply sum_ext; intros; unfold D, minus; ring). rewrite Nn in H2.
    assert (HQ : Q = c * (sum N (fun j => but i j * dot d (phi j) D ^ 2) + p ^ 2) + Lam * square_norm d D).
    { unfold Q, weighed, p. rewrite <- (Split (fun j => dot d (phi j) D ^ 2)). f_equal. f_equal. apply sum_ext. intros. unfold everyone. ring. }
    assert (A1 : Q - c / 2 * p ^ 2 <= sample_cost (phi i) (r i) v - sample_cost (phi i) (r i) w) by lra.
    assert (A2 : sample_cost (phi i) (r i) v - sample_cost (phi i) (r i) w <= g * p - c / 2 * p ^ 2).
    { pose proof (strong (dot d (phi i) v) (dot d (phi i) w)) as S. unfold sample_cost, g, p, D. rewrite dot_minus.
      replace ((dot d (phi i) w - dot d (phi i) v) ^ 2) with ((dot d (phi i) v - dot d (phi i) w) ^ 2) in S by ring. lra. }
    pose proof (by_share i D Hi) as B. fold p Q in B. pose proof (share_nonneg i Hi) as S0. set (q := share_of i) in *.
    assert (P2 : 0 <= c / 2 * p ^ 2) by (apply Rmult_le_pos; [lra|apply pow2_ge_0]).
    assert (Q0 : 0 <= Q) by (unfold Q; rewrite <- weighed_is; pose proof (A_positive d scaled_feature N D); pose proof (square_norm_nonneg d D); apply Rmult_le_pos; [pose proof Lam_pos; lra|lra]).
    assert (G : g * p <= g ^ 2 * q).
    { destruct (Rle_lt_dec (g * p) 0) as [Hn|Hp]; [apply Rle_trans with 0; [exact Hn|apply Rmult_le_pos; [apply pow2_ge_0|exact S0]]|].
      apply (Rmult_le_reg_l (g * p)); [exact Hp|]. apply Rle_trans with (g ^ 2 * (q * Q)).
      - replace (g * p * (g * p)) with (g ^ 2 * p ^ 2) by ring. apply Rmult_le_compat_l; [apply pow2_ge_0|exact B].
      - replace (g * p * (g ^ 2 * q)) with (g ^ 2 * q * (g * p)) by ring. replace (g ^ 2 * (q * Q)) with (g ^ 2 * q * Q) by ring.
        apply Rmult_le_compat_l; [apply Rmult_le_pos; [apply pow2_ge_0|exact S0]|lra]. }
    lra.
  Qed.
  (** sum_i l_i(w) <= sum_i l_i(wstar) + (Lam/2)|wstar|^2 *)
  Lemma all_in w ws : stationary_for everyone w ->
    sum N (fun i => sample_cost (phi i) (r i) w) <= sum N (fun i => sample_cost (phi i) (r i) ws) + Lam / 2 * square_norm d ws.
  Proof.
    intro Hw. pose proof (grows everyone w ws ltac:(intro; unfold everyone; lra) Hw) as H. unfold cost in H.
    rewrite (sum_ext N (fun j => everyone j * sample_cost (phi j) (r j) w) (fun j => sample_cost (phi j) (r j) w)) in H by (intros; unfold everyone; ring).
    rewrite (sum_ext N (fun j => everyone j * sample_cost (phi j) (r j) ws) (fun j => sample_cost (phi j) (r j) ws)) in H by (intros; unfold everyone; ring).
    pose proof Lam_pos. pose proof (square_norm_nonneg d w). pose proof (square_norm_nonneg d (minus ws w)).
    assert (0 <= sum N (fun j => everyone j * dot d (phi j) (minus ws w) ^ 2)) by (apply sum_nonneg; intros; unfold everyone; rewrite Rmult_1_l; apply pow2_ge_0).
    assert (0 <= c / 2 * sum N (fun j => everyone j * dot d (phi j) (minus ws w) ^ 2)) by (apply Rmult_le_pos; lra).
    assert (0 <= Lam / 2 * square_norm d w) by (apply Rmult_le_pos; lra). assert (0 <= Lam / 2 * square_norm d (minus ws w)) by (apply Rmult_le_pos; lra). lra.
  Qed.
End Glm.
