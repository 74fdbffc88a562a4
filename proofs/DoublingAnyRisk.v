(** * thm:global_regret under doubling, for any risks that do not grow

    Epochs 2, 2, 4, 8, ... cut at T >= 3, K arms, any FL routine with risks e_1 >= e_2 >= ..., gamma^{l+1} = g sqrt(K / e_l): no
    clip, as ridge regression is run.  Main results, each as a sum over epochs:
    [thm_risk_repaired]      2M + 11 sum_{l >= 2} sqrt(K e_{l-1}) M E^l, g = 1
    [thm_risk_sharpened]     2M(1 - 1/K) + sum_{l >= 2} M E^l min(1, (C/g) sqrt(K e_{l-1}))
    [thm_risk_best]          the same with C of best, K >= 3, for risks that halve when the epoch doubles
    [thm_risk_best_two_arms] C = 1/2 + 9 g^2 / 4, K = 2.
    [risk_closed], [thm_risk_repaired_closed]: for e_l <= A / (M E^l) these sums are at most 2M(1 - 1/K) + (C/g)(2 + sqrt 2) sqrt(M K T A)
    and 2M + 11 (2 + sqrt 2) sqrt(M K T A).  Main definitions: [capped_sum], [uncapped_sum].                               *)
From Coq Require Import Reals Lra Lia Psatz List Arith.
From FedIGW Require Import FiniteSums FiniteProbability InverseGapWeighting Constants BestParameters Protocol GlobalRegret
  DoublingSchedule DoublingRegret.
Open Scope R_scope.

(** 2M(1 - 1/K) + sum_{l >= 2} M E^l min(1, C sqrt(K e_{l-1})), the last epoch cut at T *)
Definition capped_sum (constant : R) (M k T : nat) (e : nat -> R) : R :=
  2 * INR M * (1 - / INR k) +
    sum (epochs_until T - 1) (fun i => INR M * INR (doubling T (i + 2) 0) * Rmin 1 (constant * sqrt (INR k * e (i + 1)%nat))).
(** 2M + sum_{l >= 2} M E^l C sqrt(K e_{l-1}), the last epoch cut at T *)
Definition uncapped_sum (constant : R) (M k T : nat) (e : nat -> R) : R :=
  2 * INR M + sum (epochs_until T - 1) (fun i => INR M * INR (doubling T (i + 2) 0) * (constant * sqrt (INR k * e (i + 1)%nat))).

Section AnyRisk.
  Variables (M : nat) (X : nat -> nat) (k : nat) (D : nat -> nat -> R).
  Variable reward_law : nat -> nat -> nat -> list (R * R).
  Variables (FLroutine : nat -> run -> list (R * estimate)) (e : nat -> R) (T : nat) (g : R).
  Hypothesis HM : (1 <= M)%nat.
  Hypothesis Hk : (1 <= k)%nat.
  Hypothesis HD0 : forall m x, (x < X m)%nat -> 0 <= D m x.
  Hypothesis HD1 : forall m, sum (X m) (D m) = 1.
  Hypothesis HR : forall m x a, distribution (reward_law m x a).
  Hypothesis HR01 : forall m x a, Forall (fun pr => 0 <= snd pr <= 1) (reward_law m x a).
  Hypothesis HFL : forall l h, distribution (FLroutine l h).
  Hypothesis HT : (3 <= T)%nat.
  Hypothesis Hg : 0 < g.
  Hypothesis He : forall l, (1 <= l <= epochs_until T)%nat -> 0 < e l.
  Hypothesis Hdecreases : forall l, (1 <= l)%nat -> (S (S l) <= epochs_until T)%nat -> e (S l) <= e l.
  (** gamma^{l+1} = g sqrt(K / e_l), gamma^1 = 0 *)
  Definition risk_rates (l : nat) : R :=
    match l with
    | O => 0
    | S l' => match l' with O => 0 | _ => g * sqrt (INR k / e l') end
    end.
  Variable reachable : estimate -> Prop.
  Hypothesis Hzero : reachable zero_estimate.
  Hypothesis Hreach : forall l h, Forall (fun pf => reachable (snd pf)) (FLroutine l h).
  Hypothesis H3 : forall l h f, reachable f -> (1 <= l)%nat -> (S l <= epochs_until T)%nat ->
    Expect (all_agents X (K_arms k) D reward_law (doubling T) risk_rates l f M)
      (fun d => Expect (FLroutine l (update h l (f, d)))
        (fun f' => Err_of M X (K_arms k) D reward_law (doubling T) risk_rates l f f'))
    <= Protocol.W M (doubling T) l * e l.
  (** Reg(T) with these rates *)
  Definition risk_Reg_T : R :=
    Expect (run_law M X (K_arms k) D reward_law (doubling T) risk_rates FLroutine (epochs_until T))
      (total_regret M (K_arms k) reward_law (epochs_until T)).

  Lemma arms_ge_1 : 1 <= INR k.
  Proof. replace 1 with (INR 1) by reflexivity. apply le_INR, Hk. Qed.
  Lemma risk_rates_nonneg l : 0 <= risk_rates l.
  Proof. destruct l as [|[|l]]; simpl; try lra. apply Rmult_le_pos; [lra|apply sqrt_pos]. Qed.
  Lemma risk_rates_are_H4 l : (1 <= l)%nat -> (S l <= epochs_until T)%nat ->
    risk_rates (S l) = g * sqrt (Kbar M (K_arms k) (doubling T) l / e l).
  Proof. intros H1 H2. destruct l as [|l]; [lia|]. rewrite (Kbar_arms M k T HM Hk HT) by lia. reflexivity. Qed.
  Lemma risk_rates_grow l : (2 <= l)%nat -> (S l <= epochs_until T)%nat -> risk_rates l <= risk_rates (S l).
  Proof.
    intros H1 H2. destruct l as [|[|l]]; [lia|lia|]. simpl risk_rates. apply Rmult_le_compat_l; [lra|]. apply sqrt_le_1_alt.
    pose proof arms_ge_1. apply Rmult_le_compat_l; [lra|]. apply Rinv_le_contravar; [apply He; lia|apply Hdecreases; lia].
  Qed.
  Lemma lengths_in_step l m m' : (1 <= l)%nat -> (S l <= epochs_until T)%nat -> (m < M)%nat -> (m' < M)%nat ->
    E (doubling T) (S l) m / E (doubling T) l m <= 1 * (E (doubling T) (S l) m' / E (doubling T) l m').
  Proof. intros _ _ _ _. unfold E, doubling. lra. Qed.

  (** A later epoch's charge is at most what the risk A / (M E^l) would charge. *)
  Lemma charge_at_most A C0 i : 0 <= A -> 0 <= C0 -> (i < epochs_until T - 1)%nat ->
    (forall l, (1 <= l <= epochs_until T)%nat -> e l <= A / (INR M * INR (doubling T l 0))) ->
    C0 * (SK M (K_arms k) (doubling T) (i + 2) * sqrt (e (i + 1)%nat / Kbar M (K_arms k) (doubling T) (i + 1))) <=
    C0 * (sqrt A * (SK M (K_arms k) (doubling T) (i + 2) / sqrt (SK M (K_arms k) (doubling T) (i + 1)))).
  Proof.
    intros HA HC Hi Hle. apply Rmult_le_compat_l; [exact HC|]. pose proof arms_ge_1 as Hk1.
    assert (Hl : (1 <= i + 1 <= epochs_until T)%nat) by lia. pose proof (samples_pos M k T HM Hk HT (i + 1) Hl) as Hs.
    rewrite (Kbar_arms M k T HM Hk HT) by exact Hl.
    assert (HS : 0 < SK M (K_arms k) (doubling T) (i + 1)) by (rewrite (SK_samples M k T); apply Rmult_lt_0_compat; lra).
    replace (sqrt A * (SK M (K_arms k) (doubling T) (i + 2) / sqrt (SK M (K_arms k) (doubling T) (i + 1))))
      with (SK M (K_arms k) (doubling T) (i + 2) * sqrt (A / SK M (K_arms k) (doubling T) (i + 1))).
    - apply Rmult_le_compat_l.
      + rewrite (SK_samples M k T). apply Rmult_le_pos; [lra|]. apply Rmult_le_pos; apply pos_INR.
      + apply sqrt_le_1_alt. rewrite (SK_samples M k T). apply (Rmult_le_reg_r (INR k)); [lra|].
        replace (e (i + 1)%nat / INR k * INR k) with (e (i + 1)%nat) by (field; lra).
        eapply Rle_trans; [apply Hle; exact Hl|]. right. field.
        assert (INR M <> 0) by (intro Hz; rewrite Hz in Hs; lra).
        assert (INR (doubling T (i + 1) 0) <> 0) by (intro Hz; rewrite Hz in Hs; lra). repeat split; try assumption; lra.
    - rewrite sqrt_div by lra. pose proof (sqrt_lt_R0 _ HS). field. lra.
  Qed.

  (** sharpened, as a sum over epochs; q is at least 1 - 1/K *)
  Theorem thm_risk_sharpened q : 1 - / INR k <= q ->
    risk_Reg_T <= sum M (fun m => (1 - / INR (K_arms k m)) * E (doubling T) 1 m) +
      sum (epochs_until T - 1) (fun i => Rmin (Protocol.W M (doubling T) (i + 2)) (sharpened_constant 1 g q / g *
        (SK M (K_arms k) (doubling T) (i + 2) * sqrt (e (i + 1)%nat / Kbar M (K_arms k) (doubling T) (i + 1))))).
  Proof.
    intro Hq. pose proof (epochs_until_log2 T HT) as [_ HL2].
    apply (thm_global_regret_sharpened M X (K_arms k) D reward_law HM (fun _ => Hk) HD0 HD1 HR HR01 (epochs_until T) (doubling T)
      ltac:(lia) (fun l m Hl _ => doubling_positive T HT l m Hl) risk_rates FLroutine e) with (c := 1) (reachable := reachable); auto.
    - intros l H1 H2. apply He. lia.
    - exact risk_rates_are_H4.
    - apply risk_rates_nonneg.
    - exact risk_rates_grow.
    - exact lengths_in_step.
  Qed.
  (** repaired, g = 1, as a sum over epochs *)
  Theorem thm_risk_repaired : g = 1 ->
    risk_Reg_T <= 2 * INR M + sum (epochs_until T - 1) (fun i => repaired_constant 1 *
        (SK M (K_arms k) (doubling T) (i + 2) * sqrt (e (i + 1)%nat / Kbar M (K_arms k) (doubling T) (i + 1)))).
  Proof.
    intro Hg1. pose proof (epochs_until_log2 T HT) as [_ HL2]. eapply Rle_trans.
    - apply (thm_global_regret_repaired M X (K_arms k) D reward_law HM (fun _ => Hk) HD0 HD1 HR HR01 (epochs_until T) (doubling T)
        ltac:(lia) (fun l m Hl _ => doubling_positive T HT l m Hl) risk_rates FLroutine e) with (g := g) (c := 1) (reachable := reachable); auto.
      + intros l H1 H2. apply He. lia.
      + exact risk_rates_are_H4.
      + apply risk_rates_nonneg.
      + exact risk_rates_grow.
      + exact lengths_in_step.
    - apply Rplus_le_compat_r. rewrite (W_samples M T), doubling_first by exact HT. simpl INR. lra.
  Qed.
  (** best for K >= 3: each risk is half the one before where the length doubles *)
  Theorem thm_risk_best : (3 <= k)%nat -> g ^ 2 <= 6 / 5 ->
    (forall l, (2 <= l)%nat -> (S (S l) <= epochs_until T)%nat -> e (S l) = e l / 2) ->
    risk_Reg_T <= sum M (fun m => (1 - / INR (K_arms k m)) * E (doubling T) 1 m) +
      sum (epochs_until T - 1) (fun i => Rmin (Protocol.W M (doubling T) (i + 2)) (doubling_constant (INR k) g / g *
        (SK M (K_arms k) (doubling T) (i + 2) * sqrt (e (i + 1)%nat / Kbar M (K_arms k) (doubling T) (i + 1))))).
  Proof.
    intros Hk3 Hg2 Hhalf. pose proof (epochs_until_log2 T HT) as [_ HL2].
    apply (thm_global_regret_best_doubling M X (K_arms k) D reward_law HM (fun _ => Hk) HD0 HD1 HR HR01 (epochs_until T) (doubling T)
      ltac:(lia) (fun l m Hl _ => doubling_positive T HT l m Hl) risk_rates FLroutine e) with (c := 1) (k := k) (reachable := reachable); auto.
    - intros l H1 H2. apply He. lia.
    - exact risk_rates_are_H4.
    - apply risk_rates_nonneg.
    - exact risk_rates_grow.
    - exact lengths_in_step.
    - intros m _. unfold K_arms. lia.
    - intros l Hl. left. destruct l as [|[|[|l]]]; [lia|lia|lia|]. replace (S (S (S l)) - 1)%nat with (S (S l)) by lia. simpl risk_rates.
      rewrite (Hhalf (S l)) by lia. pose proof (He (S l) ltac:(lia)) as Hp. pose proof arms_ge_1 as Hk1.
      replace (169 / 239 * (g * sqrt (INR k / (e (S l) / 2)))) with (g * (169 / 239 * sqrt (INR k / (e (S l) / 2)))) by ring.
      apply Rmult_le_compat_l; [lra|]. rewrite <- (sqrt_square (169 / 239)) by lra. rewrite <- sqrt_mult_alt by lra. apply sqrt_le_1_alt.
      replace (169 / 239 * (169 / 239) * (INR k / (e (S l) / 2))) with (2 * (169 / 239 * (169 / 239)) * (INR k / e (S l))) by (field; lra).
      assert (0 < INR k / e (S l)) by (apply Rdiv_lt_0_compat; lra). lra.
  Qed.
  (** best for two arms *)
  Theorem thm_risk_best_two_arms : k = 2%nat ->
    risk_Reg_T <= sum M (fun m => (1 - / INR (K_arms k m)) * E (doubling T) 1 m) +
      sum (epochs_until T - 1) (fun i => Rmin (Protocol.W M (doubling T) (i + 2)) (two_arm_constant g / g *
        (SK M (K_arms k) (doubling T) (i + 2) * sqrt (e (i + 1)%nat / Kbar M (K_arms k) (doubling T) (i + 1))))).
  Proof.
    intro Hk2. pose proof (epochs_until_log2 T HT) as [_ HL2].
    apply (thm_global_regret_best_two_arms M X (K_arms k) D reward_law HM (fun _ => Hk) HD0 HD1 HR HR01 (epochs_until T) (doubling T)
      ltac:(lia) (fun l m Hl _ => doubling_positive T HT l m Hl) risk_rates FLroutine e) with (c := 1) (reachable := reachable); auto.
    - intros l H1 H2. apply He. lia.
    - exact risk_rates_are_H4.
    - apply risk_rates_nonneg.
    - exact risk_rates_grow.
    - exact lengths_in_step.
  Qed.

  (** What epoch i + 2 is charged:  S sqrt(e / K) = M E sqrt(K e). *)
  Lemma charge_value i : (i < epochs_until T - 1)%nat ->
    SK M (K_arms k) (doubling T) (i + 2) * sqrt (e (i + 1)%nat / Kbar M (K_arms k) (doubling T) (i + 1)) =
    INR M * INR (doubling T (i + 2) 0) * sqrt (INR k * e (i + 1)%nat).
  Proof.
    intro Hi. rewrite (Kbar_arms M k T HM Hk HT), (SK_samples M k T) by lia. pose proof arms_ge_1 as Hk1.
    assert (Hroot : INR k * sqrt (e (i + 1)%nat / INR k) = sqrt (INR k * e (i + 1)%nat)).
    { rewrite <- (sqrt_square (INR k)) at 1 by lra. rewrite <- sqrt_mult_alt by nra. f_equal. field. lra. }
    rewrite <- Hroot. ring.
  Qed.
  Lemma capped_charge C0 i : (i < epochs_until T - 1)%nat ->
    INR M * INR (doubling T (i + 2) 0) * Rmin 1 (C0 * sqrt (INR k * e (i + 1)%nat)) =
    Rmin (Protocol.W M (doubling T) (i + 2)) (C0 *
      (SK M (K_arms k) (doubling T) (i + 2) * sqrt (e (i + 1)%nat / Kbar M (K_arms k) (doubling T) (i + 1)))).
  Proof.
    intro Hi. rewrite charge_value, (W_samples M T) by exact Hi. pose proof (samples_pos M k T HM Hk HT (i + 2) ltac:(lia)) as HW.
    set (w := INR M * INR (doubling T (i + 2) 0)) in *. set (y := sqrt (INR k * e (i + 1)%nat)).
    replace (C0 * (w * y)) with (w * (C0 * y)) by ring.
    destruct (Rle_dec 1 (C0 * y)) as [Hy|Hy].
    - rewrite !Rmin_left; [ring | | exact Hy]. rewrite <- (Rmult_1_r w) at 1. apply Rmult_le_compat_l; lra.
    - rewrite !Rmin_right; [reflexivity | | lra]. rewrite <- (Rmult_1_r w) at 2. apply Rmult_le_compat_l; lra.
  Qed.

  (** The sum over epochs, and the closed form above it for risks of at most A / (M E^l). *)
  Lemma capped_sum_value C0 : capped_sum C0 M k T e =
    sum M (fun m => (1 - / INR (K_arms k m)) * E (doubling T) 1 m) +
      sum (epochs_until T - 1) (fun i => Rmin (Protocol.W M (doubling T) (i + 2)) (C0 *
        (SK M (K_arms k) (doubling T) (i + 2) * sqrt (e (i + 1)%nat / Kbar M (K_arms k) (doubling T) (i + 1))))).
  Proof.
    unfold capped_sum. rewrite (sum_ext (epochs_until T - 1) _ _ (fun i Hi => capped_charge C0 i Hi)). f_equal.
    rewrite (sum_ext M _ (fun _ => (1 - / INR k) * INR (doubling T 1 0))) by reflexivity. rewrite sum_const.
    rewrite doubling_first by exact HT. simpl INR. ring.
  Qed.
  Lemma capped_sum_closed A C0 : 0 <= A -> 0 <= C0 ->
    (forall l, (1 <= l <= epochs_until T)%nat -> e l <= A / (INR M * INR (doubling T l 0))) ->
    capped_sum C0 M k T e <= doubling_bound C0 (INR M) (INR k) (INR T) A.
  Proof.
    intros HA HC0 Hle. unfold capped_sum, doubling_bound. rewrite (sum_ext (epochs_until T - 1) _ _ (fun i Hi => capped_charge C0 i Hi)).
    apply Rplus_le_compat_l. eapply Rle_trans; [|apply (later_epochs M k T HM Hk HT C0 A HC0 HA)].
    apply sum_le. intros i Hi. apply Rle_min_compat_l. apply charge_at_most; assumption.
  Qed.
  Lemma risk_closed A Cst : 0 <= A -> 0 <= Cst ->
    (forall l, (1 <= l <= epochs_until T)%nat -> e l <= A / (INR M * INR (doubling T l 0))) ->
    risk_Reg_T <= sum M (fun m => (1 - / INR (K_arms k m)) * E (doubling T) 1 m) +
      sum (epochs_until T - 1) (fun i => Rmin (Protocol.W M (doubling T) (i + 2)) (Cst / g *
        (SK M (K_arms k) (doubling T) (i + 2) * sqrt (e (i + 1)%nat / Kbar M (K_arms k) (doubling T) (i + 1))))) ->
    risk_Reg_T <= capped_sum (Cst / g) M k T e <= doubling_bound (Cst / g) (INR M) (INR k) (INR T) A.
  Proof.
    intros HA HC Hle Hsum. rewrite <- capped_sum_value in Hsum. split; [exact Hsum|]. apply capped_sum_closed; try assumption.
    apply Rmult_le_pos; [exact HC|left; apply Rinv_0_lt_compat; exact Hg].
  Qed.
  Theorem thm_risk_repaired_closed A : 0 <= A -> g = 1 ->
    (forall l, (1 <= l <= epochs_until T)%nat -> e l <= A / (INR M * INR (doubling T l 0))) ->
    risk_Reg_T <= uncapped_sum 11 M k T e <= 2 * INR M + 11 * (2 + sqrt 2) * sqrt (INR M * INR k * INR T * A).
  Proof.
    intros HA Hg1 Hle. unfold uncapped_sum.
    rewrite (sum_ext (epochs_until T - 1) _ (fun i => 11 * (SK M (K_arms k) (doubling T) (i + 2) *
      sqrt (e (i + 1)%nat / Kbar M (K_arms k) (doubling T) (i + 1))))) by (intros i Hi; rewrite charge_value by exact Hi; ring).
    split.
    - eapply Rle_trans; [exact (thm_risk_repaired Hg1)|]. right. f_equal. apply sum_ext. intros i _. unfold repaired_constant. ring.
    - apply Rplus_le_compat_l. eapply Rle_trans; [|apply (later_epochs_uncapped M k T HM Hk HT 11 A ltac:(lra) HA)].
      apply sum_le. intros i Hi. apply charge_at_most; try assumption. lra.
  Qed.
  Lemma sharpened_nonneg q : 1 - / INR k <= q -> 0 <= sharpened_constant 1 g q.
  Proof.
    intro Hq. unfold sharpened_constant. pose proof arms_ge_1.
    assert (/ INR k <= 1) by (rewrite <- Rinv_1; apply Rinv_le_contravar; lra).
    assert (0 <= 1 ^ 2 * g ^ 2) by (apply Rmult_le_pos; apply pow2_ge_0). lra.
  Qed.
End AnyRisk.
