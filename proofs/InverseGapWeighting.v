(** * Inverse gap weighting in one context

    [K] arms, an estimate [f a], a learning rate [gamma].  [gap K f a] is
    max_b f(b) - f(a): the regret of arm [a] if [f] were the truth.                  *)
From Coq Require Import Reals Lra Lia Psatz List Arith.
From FedIGW Require Import FiniteSums.
Open Scope R_scope.

Section IGW.
  Variables (K : nat) (gamma : R) (f : nat -> R).
  Hypothesis HK : (1 <= K)%nat.
  Hypothesis Hgam : 0 <= gamma.

  (** p(a|x) for a <> ahat:  1 / (K + gamma (fhat(ahat) - fhat(a))). *)
  Definition igw_off_greedy (a : nat) : R := / (INR K + gamma * gap K f a).
  (** The kernel p(a|x); the greedy arm takes what is left. *)
  Definition igw (a : nat) : R :=
    if Nat.eq_dec a (argmax K f)
    then 1 - sum K (fun a' => if Nat.eq_dec a' (argmax K f) then 0 else igw_off_greedy a')
    else igw_off_greedy a.

  Lemma arms_ge_1 : 1 <= INR K.
  Proof. replace 1 with (INR 1) by reflexivity. apply le_INR. exact HK. Qed.

  Lemma denominator_ge a : (a < K)%nat -> INR K <= INR K + gamma * gap K f a.
  Proof. intro H. pose proof (gap_nonneg K f a H). nra. Qed.

  Lemma igw_off_pos a : (a < K)%nat -> 0 < igw_off_greedy a.
  Proof. intro H. apply Rinv_0_lt_compat. pose proof (denominator_ge a H). pose proof arms_ge_1. lra. Qed.

  Lemma igw_off_le a : (a < K)%nat -> igw_off_greedy a <= / INR K.
  Proof. intro H. apply Rinv_le_contravar; [pose proof arms_ge_1; lra | apply denominator_ge; exact H]. Qed.

  Lemma igw_greedy : / INR K <= igw (argmax K f).
  Proof.
    unfold igw. destruct (Nat.eq_dec (argmax K f) (argmax K f)) as [_|n]; [|congruence].
    pose proof arms_ge_1 as H1.
    assert (H : sum K (fun a' => if Nat.eq_dec a' (argmax K f) then 0 else igw_off_greedy a')
       <= sum K (fun a' => / INR K - (if Nat.eq_dec a' (argmax K f) then / INR K else 0))).
    { apply sum_le. intros i Hi. pose proof (igw_off_le i Hi).
      destruct (Nat.eq_dec i (argmax K f)); lra. }
    rewrite sum_minus, sum_const, sum_delta in H by (apply argmax_lt; exact HK).
    rewrite Rinv_r in H by lra. lra.
  Qed.

  Lemma igw_pos a : (a < K)%nat -> 0 < igw a.
  Proof.
    intro H. destruct (Nat.eq_dec a (argmax K f)) as [->|Hn].
    - pose proof igw_greedy. pose proof arms_ge_1.
      assert (0 < / INR K) by (apply Rinv_0_lt_compat; lra). lra.
    - unfold igw. destruct (Nat.eq_dec a (argmax K f)); [congruence|]. apply igw_off_pos; exact H.
  Qed.

  Lemma igw_total : sum K igw = 1.
  Proof.
    rewrite (sum_ext K igw (fun a =>
       (if Nat.eq_dec a (argmax K f) then igw a else 0) +
       (if Nat.eq_dec a (argmax K f) then 0 else igw_off_greedy a))).
    - rewrite sum_plus, sum_delta by (apply argmax_lt; exact HK).
      unfold igw. destruct (Nat.eq_dec (argmax K f) (argmax K f)); [lra|congruence].
    - intros i _. unfold igw. destruct (Nat.eq_dec i (argmax K f)); lra.
  Qed.

  (** lem:V_upper in one context:  1 / p(a|x) <= K + gamma (fhat(ahat) - fhat(a)). *)
  Lemma igw_inverse a : (a < K)%nat -> / igw a <= INR K + gamma * gap K f a.
  Proof.
    intro H. pose proof arms_ge_1 as H1. pose proof (denominator_ge a H) as H2.
    destruct (Nat.eq_dec a (argmax K f)) as [->|Hn].
    - assert (0 < / INR K) by (apply Rinv_0_lt_compat; lra).
      pose proof (Rinv_le_contravar _ _ H0 igw_greedy) as H3. rewrite Rinv_inv in H3. lra.
    - unfold igw. destruct (Nat.eq_dec a (argmax K f)); [congruence|].
      unfold igw_off_greedy. rewrite Rinv_inv. lra.
  Qed.

  (** lem:q_loss_bound in one context, sharpened:  sum_a p(a|x) (fhat(ahat) - fhat(a)) <= (K - 1) / gamma. *)
  Lemma igw_estimated_regret : 0 < gamma -> sum K (fun a => igw a * gap K f a) <= (INR K - 1) / gamma.
  Proof.
    intro Hg. pose proof arms_ge_1 as H1.
    apply Rle_trans with (sum K (fun a => / gamma - (if Nat.eq_dec a (argmax K f) then / gamma else 0))).
    - apply sum_le. intros i Hi. unfold igw.
      destruct (Nat.eq_dec i (argmax K f)) as [->|Hn].
      + rewrite gap_best. lra.
      + pose proof (gap_nonneg K f i Hi) as Hgap. unfold igw_off_greedy.
        set (g := gap K f i) in *. assert (0 < INR K + gamma * g) by nra.
        replace (/ gamma - 0) with (/ gamma) by lra.
        apply (Rmult_le_reg_l (gamma * (INR K + gamma * g))); [nra|].
        replace (gamma * (INR K + gamma * g) * (/ (INR K + gamma * g) * g)) with (gamma * g) by (field; lra).
        replace (gamma * (INR K + gamma * g) * / gamma) with (INR K + gamma * g) by (field; lra). lra.
    - rewrite sum_minus, sum_const, sum_delta by (apply argmax_lt; exact HK). right. field. lra.
  Qed.
End IGW.

(** Epoch 1: the estimate 0 makes the kernel uniform, whatever gamma. *)
Lemma gap_zero K f a : (forall i, f i = 0) -> gap K f a = 0.
Proof. intro H. unfold gap. rewrite !H. lra. Qed.

Lemma igw_uniform K gamma f a : (1 <= K)%nat -> (forall i, f i = 0) ->
  (a < K)%nat -> igw K gamma f a = / INR K.
Proof.
  intros HK Hf Ha.
  assert (H1 : 1 <= INR K) by (replace 1 with (INR 1) by reflexivity; apply le_INR; exact HK).
  unfold igw, igw_off_greedy. destruct (Nat.eq_dec a (argmax K f)) as [Hn|Hn].
  - rewrite (sum_ext K _ (fun a' => / INR K - (if Nat.eq_dec a' (argmax K f) then / INR K else 0))).
    + rewrite sum_minus, sum_const, sum_delta by (apply argmax_lt; exact HK). rewrite Rinv_r by lra. lra.
    + intros i _. rewrite gap_zero by exact Hf.
      destruct (Nat.eq_dec i (argmax K f)); [lra|].
      replace (INR K + gamma * 0) with (INR K) by lra. lra.
  - rewrite gap_zero by exact Hf. f_equal. lra.
Qed.

(** ** Sharper facts *)
Section Sharper.
  Variables (K : nat) (gamma : R) (f : nat -> R).
  Hypothesis HK : (1 <= K)%nat.
  Hypothesis Hgamma : 0 <= gamma.

  (** lem:V_upper, sharpened: off the greedy arm  1 / p(a|x) = K + gamma (fhat(ahat) - fhat(a)). *)
  Lemma igw_inverse_off_greedy a : a <> argmax K f ->
    / igw K gamma f a = INR K + gamma * gap K f a.
  Proof using.
    intro H. unfold igw. destruct (Nat.eq_dec a (argmax K f)); [contradiction|].
    unfold igw_off_greedy. apply Rinv_inv.
  Qed.
  (** lem:V_upper, sharpened: on the greedy arm  1 / p(ahat|x) <= K. *)
  Lemma igw_inverse_greedy : / igw K gamma f (argmax K f) <= INR K.
  Proof using HK Hgamma.
    pose proof (igw_inverse K gamma f HK Hgamma _ (argmax_lt K f HK)) as H.
    rewrite gap_best in H. lra.
  Qed.

  (** lem:q_loss_bound for an estimate in [0,1]:  (K - 1) / (K + gamma). *)
  Lemma igw_estimated_regret_unit : (forall a, (a < K)%nat -> 0 <= f a <= 1) ->
    sum K (fun a => igw K gamma f a * gap K f a) <= (INR K - 1) / (INR K + gamma).
  Proof using HK Hgamma.
    intro H01. pose proof (arms_ge_1 K HK) as H1.
    apply Rle_trans with (sum K (fun a => / (INR K + gamma) -
        (if Nat.eq_dec a (argmax K f) then / (INR K + gamma) else 0))).
    - apply sum_le. intros i Hi. unfold igw.
      destruct (Nat.eq_dec i (argmax K f)) as [->|Hn]; [rewrite gap_best; lra|].
      pose proof (gap_nonneg K f i Hi) as Hg0.
      assert (Hg1 : gap K f i <= 1).
      { unfold gap. pose proof (H01 i Hi). pose proof (H01 _ (argmax_lt K f HK)). lra. }
      unfold igw_off_greedy. set (d := gap K f i) in *. rewrite Rminus_0_r.
      assert (0 <= gamma * d) by nra.
      apply (Rmult_le_reg_r ((INR K + gamma * d) * (INR K + gamma))); [nra|].
      replace (/ (INR K + gamma * d) * d * ((INR K + gamma * d) * (INR K + gamma)))
        with (d * (INR K + gamma)) by (field; nra).
      replace (/ (INR K + gamma) * ((INR K + gamma * d) * (INR K + gamma)))
        with (INR K + gamma * d) by (field; nra). nra.
    - rewrite sum_minus, sum_const, sum_delta by (apply argmax_lt; exact HK). right. field. lra.
  Qed.
End Sharper.
