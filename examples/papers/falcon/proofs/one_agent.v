(** From the sum over epochs of FedIGW's Corollary 4.2, at one agent, to a number times sqrt(K T).  Epoch 1 has 2 steps
    and epoch l >= 2 has 2^(l-1), so T = 2^(n+1) steps are n+1 epochs; a/E bounds the excess risk after E samples. *)
Require Import Reals Lra Arith Lia.
Open Scope R_scope.

Definition length (l : nat) : R := 2 ^ Nat.max 1 (l - 1).
Definition charge (C K a : R) (l : nat) : R :=
  length l * Rmin 1 (C * sqrt (K * Rmin 1 (a / length (l - 1)))).
Fixpoint charges (C K a : R) (n : nat) : R := (* of the epochs 2, ..., n+1 *)
  match n with O => 0 | S m => charges C K a m + charge C K a (n + 1) end.

Lemma root_pow n : sqrt (2 ^ n) = sqrt 2 ^ n.
Proof.
  induction n as [|n IH]; [apply sqrt_1|]. simpl. rewrite sqrt_mult, IH; [reflexivity|lra|].
  apply pow_le; lra.
Qed.

Lemma root_le m n : (m <= n)%nat -> sqrt 2 ^ m <= sqrt 2 ^ n.
Proof. intro H. apply Rle_pow; [|exact H]. rewrite <- sqrt_1. apply sqrt_le_1_alt. lra. Qed.

Lemma one_charge C K a n : 0 <= C -> 0 <= K -> 0 <= a ->
  charge C K a (S n + 1) <= C * sqrt (K * a) * sqrt 2 ^ (n + 2).
Proof.
  intros HC HK Ha. set (m := Nat.max 1 n).
  assert (Hs : 0 < sqrt 2) by (apply sqrt_lt_R0; lra).
  assert (Hm : 0 < sqrt 2 ^ m) by (apply pow_lt, Hs).
  assert (Hroot : sqrt (K * Rmin 1 (a / 2 ^ m)) <= sqrt (K * a) / sqrt 2 ^ m).
  { rewrite <- root_pow, <- sqrt_div_alt by (apply pow_lt; lra). apply sqrt_le_1_alt. unfold Rdiv at 2.
    rewrite Rmult_assoc. apply Rmult_le_compat_l; [exact HK|]. apply Rmin_r. }
  unfold charge, length. replace (S n + 1 - 1)%nat with (S n) by lia. replace (S n - 1)%nat with n by lia.
  replace (Nat.max 1 (S n)) with (S n) by lia. fold m.
  assert (Hpow : 2 ^ S n = sqrt 2 ^ (n + 2) * sqrt 2 ^ n).
  { rewrite <- pow_add. replace (n + 2 + n)%nat with (2 * S n)%nat by lia.
    rewrite pow_mult. replace (sqrt 2 ^ 2) with 2 by (simpl; rewrite Rmult_1_r, sqrt_sqrt; lra). reflexivity. }
  rewrite Hpow.
  assert (H0 : 0 <= sqrt 2 ^ (n + 2)) by (apply pow_le; lra).
  assert (H1 : 0 <= sqrt 2 ^ n) by (apply pow_le; lra).
  assert (Hw : 0 <= sqrt (K * a)) by apply sqrt_pos.
  assert (Hle : sqrt 2 ^ n <= sqrt 2 ^ m) by (apply root_le; unfold m; lia).
  assert (Hmin : Rmin 1 (C * sqrt (K * Rmin 1 (a / 2 ^ m))) <= C * (sqrt (K * a) / sqrt 2 ^ m)).
  { eapply Rle_trans; [apply Rmin_r|]. apply Rmult_le_compat_l; assumption. }
  apply Rle_trans with (sqrt 2 ^ (n + 2) * sqrt 2 ^ n * (C * (sqrt (K * a) / sqrt 2 ^ m))).
  { apply Rmult_le_compat_l; [apply Rmult_le_pos; assumption|exact Hmin]. }
  replace (sqrt 2 ^ (n + 2) * sqrt 2 ^ n * (C * (sqrt (K * a) / sqrt 2 ^ m)))
    with (C * sqrt (K * a) * sqrt 2 ^ (n + 2) * (sqrt 2 ^ n / sqrt 2 ^ m)) by (field; lra).
  rewrite <- (Rmult_1_r (C * sqrt (K * a) * sqrt 2 ^ (n + 2))) at 2.
  apply Rmult_le_compat_l; [repeat apply Rmult_le_pos; assumption|].
  apply Rmult_le_reg_r with (sqrt 2 ^ m); [exact Hm|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra.
Qed.

(** The corollary: C (2 + sqrt 2) sqrt(K a T) with T = 2^(n+1), for any regret that the sum bounds. *)
Theorem closed regret first C K a n : 0 <= C -> 0 <= K -> 0 <= a ->
  regret <= first + charges C K a n -> regret <= first + C * (2 + sqrt 2) * sqrt (K * a * 2 ^ (n + 1)).
Proof.
  intros HC HK Ha Hregret. apply Rle_trans with (1 := Hregret). apply Rplus_le_compat_l. clear Hregret.
  assert (HKa : 0 <= K * a) by (apply Rmult_le_pos; assumption).
  rewrite sqrt_mult, root_pow by (try apply pow_le; lra).
  assert (Hs : 0 < sqrt 2) by (apply sqrt_lt_R0; lra). assert (Hss : sqrt 2 * sqrt 2 = 2) by (apply sqrt_sqrt; lra).
  induction n as [|n IH].
  - simpl charges. repeat apply Rmult_le_pos; try apply sqrt_pos; try assumption; try (apply pow_le; lra); lra.
  - pose proof (one_charge C K a n HC HK Ha) as H. simpl charges.
    replace (S n + 1)%nat with (S (n + 1)) in * by lia. replace (n + 2)%nat with (S (n + 1)) in H by lia.
    cbn [pow] in *.
    assert (Hgrow : C * (2 + sqrt 2) * (sqrt (K * a) * (sqrt 2 * sqrt 2 ^ (n + 1))) =
      C * (2 + sqrt 2) * (sqrt (K * a) * sqrt 2 ^ (n + 1)) + C * sqrt (K * a) * (sqrt 2 * sqrt 2 ^ (n + 1))).
    { replace ((2 + sqrt 2)) with (sqrt 2 * sqrt 2 + sqrt 2) by lra.
      replace (C * (sqrt 2 * sqrt 2 + sqrt 2) * (sqrt (K * a) * (sqrt 2 * sqrt 2 ^ (n + 1))))
        with (C * sqrt (K * a) * sqrt 2 ^ (n + 1) * (sqrt 2 * (sqrt 2 * sqrt 2) + sqrt 2 * sqrt 2)) by ring.
      replace (C * (sqrt 2 * sqrt 2 + sqrt 2) * (sqrt (K * a) * sqrt 2 ^ (n + 1)) + C * sqrt (K * a) * (sqrt 2 * sqrt 2 ^ (n + 1)))
        with (C * sqrt (K * a) * sqrt 2 ^ (n + 1) * (sqrt 2 * sqrt 2 + sqrt 2 + sqrt 2)) by ring.
      f_equal. rewrite !Hss. ring. }
    lra.
Qed.
