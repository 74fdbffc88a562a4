(** * own:lower_bound: what FedIGW loses at least

    Instances with gap 1: in every context one arm of mean 1, all others of mean 0.  The FL routine may return anything in [0,1], even
    fstar itself: exploration alone costs (K - 1)/(K + gamma^l) a step.

    Main result: [fedigw_lower_bound]
        Reg(T) >= sum_m E^1_m (1 - 1/K_m) + sum_{l >= 2} sum_m E^l_m (K_m - 1)/(K_m + gamma^l).
    Note: an arm of gap at most 1 has probability 1/(K + gamma gap) or more, the greedy one at least 1/K.           *)
From Coq Require Import Reals Lra Lia Psatz List Arith.
From FedIGW Require Import FiniteSums FiniteProbability InverseGapWeighting Protocol Exchangeability.
Import ListNotations.
Open Scope R_scope.

(** ** One step *)
Section OneStep.
  Variables (K : nat) (gamma : R) (f : nat -> R) (star : nat).
  Hypothesis HK : (1 <= K)%nat.
  Hypothesis Hgam : 0 <= gamma.
  Hypothesis Hf : forall a, (a < K)%nat -> 0 <= f a <= 1.
  Hypothesis Hstar : (star < K)%nat.
  Lemma gap_le_1 a : (a < K)%nat -> gap K f a <= 1.
  Proof.
    intro Ha. unfold gap. pose proof (argmax_lt K f HK) as Hm. pose proof (Hf _ Hm). pose proof (Hf a Ha). lra.
  Qed.
  Lemma igw_ge a : (a < K)%nat -> / (INR K + gamma) <= igw K gamma f a.
  Proof.
    intro Ha. assert (H1 : 1 <= INR K) by (replace 1 with (INR 1) by reflexivity; apply le_INR; exact HK).
    destruct (Nat.eq_dec a (argmax K f)) as [->|Hn].
    - eapply Rle_trans; [|apply igw_greedy; assumption]. apply Rinv_le_contravar; lra.
    - unfold igw. destruct (Nat.eq_dec a (argmax K f)); [congruence|]. unfold igw_off_greedy.
      pose proof (gap_le_1 a Ha). pose proof (gap_nonneg K f a Ha).
      apply Rinv_le_contravar; nra.
  Qed.
  Lemma regret_lower_bound :
    (INR K - 1) / (INR K + gamma) <=
    sum K (fun a => igw K gamma f a * (if Nat.eq_dec a star then 0 else 1)).
  Proof.
    assert (H1 : 1 <= INR K) by (replace 1 with (INR 1) by reflexivity; apply le_INR; exact HK).
    apply Rle_trans with (sum K (fun a => / (INR K + gamma) - (if Nat.eq_dec a star then / (INR K + gamma) else 0))).
    - rewrite sum_minus, sum_const, sum_delta by exact Hstar. unfold Rdiv. lra.
    - apply sum_le. intros a Ha. pose proof (igw_ge a Ha).
      destruct (Nat.eq_dec a star); lra.
  Qed.
End OneStep.

(** The first summand apart. *)
Lemma sum_first n (f : nat -> R) : sum (S n) f = f 0%nat + sum n (fun i => f (S i)).
Proof. induction n as [|n IH]; simpl in *; [lra|]. rewrite IH. ring. Qed.
(** An estimate without gaps is played uniformly, whatever gamma is. *)
Lemma igw_without_gaps K gamma a : (1 <= K)%nat -> (a < K)%nat -> igw K gamma (fun _ => 0) a = / INR K.
Proof.
  intros HK Ha. assert (H1 : 1 <= INR K) by (replace 1 with (INR 1) by reflexivity; apply le_INR; exact HK).
  assert (Hoff : forall b, igw_off_greedy K gamma (fun _ => 0) b = / INR K).
  { intro b. unfold igw_off_greedy, gap. f_equal. ring. }
  unfold igw. destruct (Nat.eq_dec a _); [|apply Hoff].
  rewrite (sum_ext K _ (fun b => / INR K - (if Nat.eq_dec b (argmax K (fun _ => 0)) then / INR K else 0))).
  - rewrite sum_minus, sum_const, sum_delta by (apply argmax_lt; exact HK). field. lra.
  - intros b _. rewrite Hoff. destruct (Nat.eq_dec b _); ring.
Qed.

(** ** The run *)
Section LowerBound.
  Variables (M : nat) (X K : nat -> nat) (D : nat -> nat -> R) (reward_law : nat -> nat -> nat -> list (R * R)).
  Variables (L : nat) (len : nat -> nat -> nat) (gamma : nat -> R) (FLroutine : nat -> run -> list (R * estimate)).
  Hypothesis HM : (1 <= M)%nat.
  Hypothesis HK : forall m, (1 <= K m)%nat.
  Hypothesis HD0 : forall m x, (x < X m)%nat -> 0 <= D m x.
  Hypothesis HD1 : forall m, sum (X m) (D m) = 1.
  Hypothesis HR : forall m x a, distribution (reward_law m x a).
  Hypothesis HFL : forall l h, distribution (FLroutine l h).
  Hypothesis Hgamma0 : forall l, (1 <= l <= L)%nat -> 0 <= gamma l.
  Definition unit_estimate (f : estimate) : Prop := forall m x a, 0 <= f m x a <= 1.
  Hypothesis Hunit : forall l h, Forall (fun pf => unit_estimate (snd pf)) (FLroutine l h).
  (** one arm of mean 1, the others of mean 0 *)
  Variable best : nat -> nat -> nat.
  Hypothesis Hbest : forall m x, (best m x < K m)%nat.
  Hypothesis Hgaps : forall m x a, fstar reward_law m x a = if Nat.eq_dec a (best m x) then 1 else 0.

  Lemma run_unit n : Forall (fun pw => forall l, unit_estimate (fst (snd pw l))) (run_law M X K D reward_law len gamma FLroutine n).
  Proof.
    induction n as [|n IH]; simpl.
    - constructor; [|constructor]. simpl. intros l m x a. unfold zero_estimate. lra.
    - apply (Forall_bind (fun w : run => forall l, unit_estimate (fst (w l)))). eapply Forall_impl; [|exact IH]. intros [p h] Hh. simpl in Hh. simpl.
      apply (Forall_bind (fun w : run => forall l, unit_estimate (fst (w l)))).
      assert (Hn : Forall (fun pf => unit_estimate (snd pf)) (next_estimate FLroutine n h)).
      { destruct n; simpl; [|apply Hunit]. constructor; [|constructor]. simpl. intros m x a. unfold zero_estimate. lra. }
      eapply Forall_impl; [|exact Hn]. intros [q f] Hf. simpl in Hf. simpl.
      apply (Forall_bind (fun w : run => forall l, unit_estimate (fst (w l)))). apply Forall_forall. intros [s ds] _. simpl.
      constructor; [|constructor]. simpl. intro l. unfold update. destruct (Nat.eq_dec l (S n)); [exact Hf|apply Hh].
  Qed.
  Lemma gap_best_arm m x a : (a < K m)%nat -> gap (K m) (fstar reward_law m x) a = if Nat.eq_dec a (best m x) then 0 else 1.
  Proof.
    intro Ha. unfold gap. pose proof (argmax_ge (K m) (fstar reward_law m x) (best m x) (Hbest m x)) as H.
    pose proof (argmax_lt (K m) (fstar reward_law m x) (HK m)) as Hl.
    rewrite !Hgaps in *. destruct (Nat.eq_dec (best m x) (best m x)); [|congruence].
    destruct (Nat.eq_dec (argmax _ _) (best m x)); destruct (Nat.eq_dec a (best m x)); lra.
  Qed.
  (** sum_m E^l_m (K_m - 1)/(K_m + gamma^l) *)
  Definition epoch_lower_bound (l : nat) : R := sum M (fun m => E len l m * ((INR (K m) - 1) / (INR (K m) + gamma l))).
  Lemma regret_of_lower l f : (1 <= l <= L)%nat -> unit_estimate f -> epoch_lower_bound l <= regret_of M X K D reward_law len gamma l f.
  Proof.
    intros Hl Hf. unfold epoch_lower_bound, regret_of, over_epoch. apply sum_le. intros m _. apply Rmult_le_compat_l; [apply pos_INR|].
    set (c := (INR (K m) - 1) / (INR (K m) + gamma l)).
    apply Rle_trans with (sum (X m) (fun x => D m x * c)).
    - rewrite (sum_ext _ _ (fun x => c * D m x)) by (intros; ring). rewrite sum_scal, HD1. lra.
    - apply sum_le. intros x Hx. apply Rmult_le_compat_l; [apply HD0; exact Hx|].
      eapply Rle_trans; [apply (regret_lower_bound (K m) (gamma l) (f m x) (best m x) (HK m) (Hgamma0 l Hl)); [intros; apply Hf | apply Hbest]|].
      right. apply sum_ext. intros a Ha. rewrite gap_best_arm by exact Ha. reflexivity.
  Qed.

  (** own:lower_bound.  Epoch 1 is uniform (gamma^1 = 0 or not: fhat^1 = 0 has no gaps), whatever the FL routine returns in [0,1]:
      sum_m E^1_m (1 - 1/K_m) + sum_{l >= 2} sum_m E^l_m (K_m - 1)/(K_m + gamma^l) <= Reg(T). *)
  Theorem fedigw_lower_bound : (1 <= L)%nat ->
    sum M (fun m => E len 1 m * (1 - / INR (K m))) +
    sum (L - 1) (fun i => sum M (fun m => E len (i + 2) m * ((INR (K m) - 1) / (INR (K m) + gamma (i + 2)%nat)))) <=
    Expect (run_law M X K D reward_law len gamma FLroutine L) (total_regret M K reward_law L).
  Proof.
    intro HL. unfold total_regret. rewrite Expect_sum.
    replace L with (S (L - 1)) at 2 by lia. rewrite sum_first.
    apply Rplus_le_compat.
    - rewrite (realised_regret M X K D reward_law L len gamma FLroutine) by (auto; lia).
      pose proof (distribution_run M X K D reward_law L len gamma FLroutine HM HK HD0 HD1 HR HFL Hgamma0 L (le_n L)) as Hd.
      rewrite <- (Expect_const _ (sum M (fun m => E len 1 m * (1 - / INR (K m)))) Hd).
      apply Expect_le; [apply Hd|]. intro w. unfold fhat, regret_of, over_epoch. apply sum_le. intros m _.
      apply Rmult_le_compat_l; [apply pos_INR|].
      assert (HKm : 1 <= INR (K m)) by (replace 1 with (INR 1) by reflexivity; apply le_INR, HK).
      replace (1 - / INR (K m)) with ((1 - / INR (K m)) * sum (X m) (D m)) by (rewrite HD1; ring).
      rewrite <- sum_scal. apply sum_le. intros x Hx.
      rewrite Rmult_comm. apply Rmult_le_compat_l; [apply HD0, Hx|].
      rewrite (sum_ext (K m) _ (fun a => / INR (K m) - (if Nat.eq_dec a (best m x) then / INR (K m) else 0))).
      + rewrite sum_minus, sum_const, sum_delta by apply Hbest. right. field. lra.
      + intros a Ha. rewrite gap_best_arm by exact Ha. unfold zero_estimate.
        rewrite (igw_without_gaps (K m) (gamma 1%nat) a (HK m) Ha). destruct (Nat.eq_dec a (best m x)); ring.
    - apply sum_le. intros i Hi.
      pose proof (distribution_run M X K D reward_law L len gamma FLroutine HM HK HD0 HD1 HR HFL Hgamma0 L (le_n L)) as [H0 H1].
      rewrite (realised_regret M X K D reward_law L len gamma FLroutine) by (auto; lia).
      replace (S (S i)) with (i + 2)%nat by lia. change (sum M _) with (epoch_lower_bound (i + 2)).
      rewrite <- (Expect_const (run_law M X K D reward_law len gamma FLroutine L) (epoch_lower_bound (i + 2))) by (split; assumption).
      apply Expect_le_on_support; [exact H0|]. eapply Forall_impl; [|apply (run_unit L)]. intros [p w] Hw. simpl in Hw. simpl snd.
      apply regret_of_lower; [lia|]. unfold fhat. replace (i + 2)%nat with (S (S i)) by lia. apply Hw.
  Qed.
End LowerBound.
