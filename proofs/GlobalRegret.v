(** * thm:global_regret

    The general guarantee for an actual run of the protocol, in its variants:
    [thm_global_regret_repaired]   W^1 + 11 c^2 sum_l S^l sqrt(e_{l-1} / Kbar^{l-1})
    [thm_global_regret_sharpened]  sum_m (1 - 1/K_m) E^1_m + sum_l min(W^l, (C/g) S^l sqrt(e_{l-1} / Kbar^{l-1}))
    [thm_global_regret_per_cell]   the same with a smaller C for c > 1
    [thm_global_regret_best]       the same for agents in step with C/g at most 3.8098 at the best g
                                   (3.6981 when epochs double, 3 / sqrt 2 for two arms).

    The hypotheses, all of them:                                                                        *)
From Coq Require Import Reals Lra Lia Psatz List Arith.
From FedIGW Require Import FiniteSums FiniteProbability InverseGapWeighting Constants BestParameters Protocol.
From FedIGW Require Setting RepairedInduction SharpenedInduction PerCellInduction BestRegret SumOverEpochs.
Open Scope R_scope.

Section GlobalRegret.
  (** agents, contexts, arms, context laws, reward laws *)
  Variables (M : nat) (X K : nat -> nat) (D : nat -> nat -> R) (reward_law : nat -> nat -> nat -> list (R * R)).
  Hypothesis HM : (1 <= M)%nat.
  Hypothesis HK : forall m, (1 <= K m)%nat.
  Hypothesis HD0 : forall m x, (x < X m)%nat -> 0 <= D m x.
  Hypothesis HD1 : forall m, sum (X m) (D m) = 1.
  Hypothesis HR : forall m x a, distribution (reward_law m x a).
  (** H1: rewards in [0,1] *)
  Hypothesis H1 : forall m x a, Forall (fun pr => 0 <= snd pr <= 1) (reward_law m x a).
  (** H2: epoch lengths are fixed in advance and at least 1 *)
  Variables (L : nat) (len : nat -> nat -> nat).
  Hypothesis HL : (1 <= L)%nat.
  Hypothesis H2 : forall l m, (1 <= l <= L)%nat -> (m < M)%nat -> (1 <= len l m)%nat.
  (** the FL routine and its excess risk.  H3: E Err^l <= W^l e_l whatever kernel of a reachable estimate collected the data;
      [reachable] is any property of all estimates that a run can play ([fun _ => True] asks H3 of all kernels) *)
  Variables (gamma : nat -> R) (FLroutine : nat -> run -> list (R * estimate)) (e : nat -> R).
  Hypothesis HFL : forall l h, distribution (FLroutine l h).
  Hypothesis He : forall l, (1 <= l)%nat -> (S l <= L)%nat -> 0 < e l.
  Variable reachable : estimate -> Prop.
  Hypothesis Hzero : reachable zero_estimate.
  Hypothesis Hreach : forall l h, Forall (fun pf => reachable (snd pf)) (FLroutine l h).
  Hypothesis H3 : forall l h f, reachable f -> (1 <= l)%nat -> (S l <= L)%nat ->
    Expect (all_agents X K D reward_law len gamma l f M)
      (fun d => Expect (FLroutine l (update h l (f, d))) (fun f' => Err_of M X K D reward_law len gamma l f f'))
    <= W M len l * e l.
  (** H4: gamma^{l+1} = g sqrt(Kbar^l / e_l);  gamma^1 does not matter *)
  Variable g : R.
  Hypothesis Hg : 0 < g.
  Hypothesis H4 : forall l, (1 <= l)%nat -> (S l <= L)%nat -> gamma (S l) = g * sqrt (Kbar M K len l / e l).
  Hypothesis H4first : 0 <= gamma 1.
  (** H5: gamma^l <= gamma^{l+1} for l >= 2 *)
  Hypothesis H5 : forall l, (2 <= l)%nat -> (S l <= L)%nat -> gamma l <= gamma (S l).
  (** c_l = max_m (E^{l+1}_m / E^l_m) / min_m (same) <= c *)
  Variable c : R.
  Hypothesis Hc : forall l m m', (1 <= l)%nat -> (S l <= L)%nat -> (m < M)%nat -> (m' < M)%nat ->
    E len (S l) m / E len l m <= c * (E len (S l) m' / E len l m').

  Local Notation W := (W M len).
  Local Notation SK := (SK M K len).
  Local Notation Kbar := (Kbar M K len).
  Local Notation E := (E len).
  (** Reg(T), the expected regret of the run *)
  Local Notation "'Reg_T'" := (Expect (run_law M X K D reward_law len gamma FLroutine L)
                                 (total_regret M K reward_law L)).

  (** ** The run is a setting in the sense of Setting.v *)
  Instance run_setting : Setting.setting := {|
    Setting.M := M; Setting.X := X; Setting.K := K; Setting.D := D; Setting.fstar := fstar reward_law;
    Setting.Omega := run; Setting.law := run_law M X K D reward_law len gamma FLroutine L;
    Setting.L := L; Setting.E := E; Setting.gamma := gamma; Setting.fhat := fhat;
    Setting.c := c; Setting.g := g; Setting.rbar := 1 |}.

  Lemma E_pos l m : (1 <= l <= L)%nat -> (m < M)%nat -> 0 < E l m.
  Proof. intros Hl Hm. apply lt_0_INR. pose proof (H2 l m Hl Hm). lia. Qed.
  Lemma run_SK_pos l : (1 <= l <= L)%nat -> 0 < SK l.
  Proof.
    intro Hl. apply Rlt_le_trans with (E l 0 * INR (K 0%nat)).
    - apply Rmult_lt_0_compat; [apply E_pos; lia|]. apply lt_0_INR. pose proof (HK 0). lia.
    - apply (sum_ge_one M (fun m => E l m * INR (K m)) 0); [|lia].
      intros i Hi. apply Rmult_le_pos; [left; apply E_pos; assumption | apply pos_INR].
  Qed.
  Lemma run_W_pos l : (1 <= l <= L)%nat -> 0 < W l.
  Proof.
    intro Hl. apply Rlt_le_trans with (E l 0); [apply E_pos; lia|].
    apply (sum_ge_one M (fun m => E l m) 0); [|lia]. intros i Hi. left. apply E_pos; assumption.
  Qed.
  Lemma run_gamma_pos l : (2 <= l <= L)%nat -> 0 < gamma l.
  Proof.
    intro Hl. destruct l as [|l]; [lia|]. rewrite H4 by lia.
    apply Rmult_lt_0_compat; [exact Hg|]. apply sqrt_lt_R0.
    apply Rdiv_lt_0_compat; [|apply He; lia].
    apply Rdiv_lt_0_compat; [apply run_SK_pos | apply run_W_pos]; lia.
  Qed.
  Lemma run_gamma_nonneg l : (1 <= l <= L)%nat -> 0 <= gamma l.
  Proof.
    intro Hl. destruct (Nat.eq_dec l 1) as [->|Hn]; [exact H4first|]. left. apply run_gamma_pos. lia.
  Qed.

  Instance run_valid : Setting.valid run_setting.
  Proof.
    constructor; cbn.
    - exact HM.
    - intros m _. apply HK.
    - intros m x _. apply HD0.
    - intros m _. apply HD1.
    - apply (distribution_run M X K D reward_law L); auto using run_gamma_nonneg.
    - exact E_pos.
    - reflexivity.
    - exact Hc.
    - exact run_gamma_pos.
    - lra.
    - intros l A1 A2. rewrite Rmult_1_l. apply H5; assumption.
    - intros l A1 A2.
      apply (Setting.lem_learning_rate (s := run_setting) e); cbn.
      + apply run_SK_pos. lia.
      + apply run_W_pos. lia.
      + apply He; assumption.
      + exact Hg.
      + apply (H3_run M X K D reward_law L) with (reachable := reachable); auto using run_gamma_nonneg.
      + apply H4; assumption.
  Qed.

  Lemma Reg_T_epochs :
    Reg_T = Expect Setting.law (fun w => sum L (fun i => Setting.epoch_regret (S i) w)).
  Proof.
    unfold total_regret. rewrite !Expect_sum. apply sum_ext. intros i Hi.
    apply (realised_regret M X K D reward_law L len gamma FLroutine); auto using run_gamma_nonneg. lia.
  Qed.
  Lemma means_unit m x a : (m < Setting.M)%nat -> (x < Setting.X m)%nat -> (a < Setting.K m)%nat ->
    0 <= Setting.fstar m x a <= 1.
  Proof. intros _ _ _. apply fstar_unit; assumption. Qed.

  Lemma run_weight_rate l : (2 <= l <= L)%nat ->
    SK l / gamma l = SK l * sqrt (e (l - 1)%nat / Kbar (l - 1)) / g.
  Proof. intro Hl. apply (SumOverEpochs.weight_rate (s := run_setting) e Hg He H4 l Hl). Qed.

  Lemma total_with_constant Cst q : (forall m, (m < M)%nat -> 1 - / INR (K m) <= q) ->
    (forall l, (2 <= l <= L)%nat -> Expect Setting.law (Setting.epoch_regret l) <= Cst * (SK l / gamma l)) ->
    Reg_T <= sum M (fun m => (1 - / INR (K m)) * E 1 m) +
      sum (L - 1) (fun i => Rmin (W (i + 2)) (Cst / g * (SK (i + 2) * sqrt (e (i + 1)%nat / Kbar (i + 1))))).
  Proof.
    intros Hq HC. rewrite Reg_T_epochs.
    eapply Rle_trans.
    - apply (SumOverEpochs.total_from_epochs (s := run_setting) means_unit (fun l => Cst * (SK l / gamma l)) HL HC).
    - right. cbn. f_equal. apply sum_ext. intros i Hi. f_equal.
      rewrite run_weight_rate by lia. replace (i + 2 - 1)%nat with (i + 1)%nat by lia. field. lra.
  Qed.

  (** q = max_m (1 - 1/K_m), or anything larger *)
  Variable q : R.
  Hypothesis Hq : forall m, (m < M)%nat -> 1 - / INR (K m) <= q.

  (** thm:global_regret, sharpened.  C = 7q/6 + 7/(18c) + 28 c^2 g^2 / 9:
      Reg(T) <= sum_m (1 - 1/K_m) E^1_m + sum_{l >= 2} min(W^l, (C/g) S^l sqrt(e_{l-1} / Kbar^{l-1})). *)
  Theorem thm_global_regret_sharpened :
    Reg_T <= sum M (fun m => (1 - / INR (K m)) * E 1 m) +
      sum (L - 1) (fun i => Rmin (W (i + 2))
        (sharpened_constant c g q / g * (SK (i + 2) * sqrt (e (i + 1)%nat / Kbar (i + 1))))).
  Proof.
    apply (total_with_constant _ q Hq). intros l Hl.
    apply (SharpenedInduction.lem_epoch_regret_bound_sharpened (s := run_setting) q Hq eq_refl l Hl).
  Qed.

  (** thm:global_regret, per cell.  C = (8c-1)/(8c-2) (q + 1/(4c-1) + 8 c^2 g^2 / 3). *)
  Theorem thm_global_regret_per_cell :
    Reg_T <= sum M (fun m => (1 - / INR (K m)) * E 1 m) +
      sum (L - 1) (fun i => Rmin (W (i + 2))
        (per_cell_constant c g q / g * (SK (i + 2) * sqrt (e (i + 1)%nat / Kbar (i + 1))))).
  Proof.
    apply (total_with_constant _ q Hq). intros l Hl.
    apply (PerCellInduction.lem_epoch_regret_bound_per_cell (s := run_setting) q Hq eq_refl l Hl).
  Qed.

  (** thm:global_regret, per cell, when c bounds the ratio of the lengths of any two epochs:
      C = (7/6)(q + 1/3 + 8 c g^2 / 3). *)
  Theorem thm_global_regret_per_cell_any_epochs :
    (forall l' l m m', (1 <= l)%nat -> (l < l')%nat -> (l' <= L)%nat -> (m < M)%nat -> (m' < M)%nat ->
      E l' m / E l m <= c * (E l' m' / E l m')) ->
    Reg_T <= sum M (fun m => (1 - / INR (K m)) * E 1 m) +
      sum (L - 1) (fun i => Rmin (W (i + 2))
        (per_cell_constant_any_epochs c g q / g * (SK (i + 2) * sqrt (e (i + 1)%nat / Kbar (i + 1))))).
  Proof.
    intro Hany. apply (total_with_constant _ q Hq). intros l Hl.
    apply (PerCellInduction.lem_epoch_regret_bound_per_cell_any_epochs (s := run_setting) q Hq eq_refl Hany l Hl).
  Qed.

  (** ** Variant best: agents in step, each with at least two and at most k arms *)
  Section Best.
    Variable k : nat.
    Hypothesis arms_range : forall m, (m < M)%nat -> (2 <= K m <= k)%nat.

    Lemma total_with_any_constant Cst :
      (forall l, (2 <= l <= L)%nat -> Expect Setting.law (Setting.epoch_regret l) <= Cst * (SK l / gamma l)) ->
      Reg_T <= sum M (fun m => (1 - / INR (K m)) * E 1 m) +
        sum (L - 1) (fun i => Rmin (W (i + 2)) (Cst / g * (SK (i + 2) * sqrt (e (i + 1)%nat / Kbar (i + 1))))).
    Proof.
      intro HC. apply (total_with_constant Cst 1); [|exact HC]. intros m _.
      assert (0 < / INR (K m)) by (apply Rinv_0_lt_compat, lt_0_INR; pose proof (HK m); lia). lra.
    Qed.

    (** thm:global_regret, best.  C = max(1 - 1/k, 1 - 2/k + 0.44284) + 2.51493 g^2, H5 alone. *)
    Theorem thm_global_regret_best : c = 1 ->
      Reg_T <= sum M (fun m => (1 - / INR (K m)) * E 1 m) +
        sum (L - 1) (fun i => Rmin (W (i + 2))
          (best_constant (INR k) g / g * (SK (i + 2) * sqrt (e (i + 1)%nat / Kbar (i + 1))))).
    Proof.
      intro Hc1. apply total_with_any_constant. intros l Hl.
      apply (BestRegret.lem_epoch_regret_bound_best (s := run_setting) eq_refl k arms_range l Hc1 Hl).
    Qed.

    (** thm:global_regret, best, at the best rate, for every number of arms:
        Reg(T) <= sum_m (1 - 1/K_m) E^1_m + sum_{l >= 2} min(W^l, 3.8098 S^l sqrt(e_{l-1} / Kbar^{l-1})). *)
    Theorem thm_global_regret_best_display : c = 1 ->
      g = sqrt (Rmax (1 - / INR k) (1 - 2 / INR k + best_arms) / best_risk) ->
      Reg_T <= sum M (fun m => (1 - / INR (K m)) * E 1 m) +
        sum (L - 1) (fun i => Rmin (W (i + 2)) (38098 / 10000 * (SK (i + 2) * sqrt (e (i + 1)%nat / Kbar (i + 1))))).
    Proof.
      intros Hc1 Hbest. eapply Rle_trans; [apply (thm_global_regret_best Hc1)|]. apply Rplus_le_compat_l.
      assert (Hk2 : 2 <= INR k).
      { change 2 with (INR 2). apply le_INR. pose proof (arms_range 0 ltac:(lia)). lia. }
      assert (HC : best_constant (INR k) g / g <= 38098 / 10000).
      { pose proof (best_constant_attained (INR k) Hk2) as H. cbv zeta in H. rewrite <- Hbest in H. rewrite H. apply best_over_g_value. exact Hk2. }
      apply sum_le. intros i Hi. apply Rle_min_compat_l. apply Rmult_le_compat_r; [|exact HC].
      apply Rmult_le_pos; [left; apply run_SK_pos; lia|apply sqrt_pos].
    Qed.

    (** thm:global_regret, best, with tuned parameters: C/g <= 3.8079 at the best g. *)
    Theorem thm_global_regret_best_tuned : c = 1 ->
      Reg_T <= sum M (fun m => (1 - / INR (K m)) * E 1 m) +
        sum (L - 1) (fun i => Rmin (W (i + 2))
          (tuned_constant (INR k) g / g * (SK (i + 2) * sqrt (e (i + 1)%nat / Kbar (i + 1))))).
    Proof.
      intro Hc1. apply total_with_any_constant. intros l Hl.
      apply (BestRegret.lem_epoch_regret_bound_best_tuned (s := run_setting) eq_refl k arms_range l Hc1 Hl).
    Qed.

    (** thm:global_regret, best, when gamma^{l-1} <= gamma^l / sqrt 2 from epoch 4 on, as under doubling (an epoch whose bound is
        not below its length needs no reason).  C = max(1 - 1/k, 1 - 2/k + 0.47255) + 2.32170 g^2. *)
    Theorem thm_global_regret_best_doubling : c = 1 -> (3 <= k)%nat -> g ^ 2 <= 6 / 5 ->
      (forall l, (4 <= l <= L)%nat -> gamma (l - 1)%nat <= 169 / 239 * gamma l \/
        W l <= doubling_constant (INR k) g * (SK l / gamma l)) ->
      Reg_T <= sum M (fun m => (1 - / INR (K m)) * E 1 m) +
        sum (L - 1) (fun i => Rmin (W (i + 2))
          (doubling_constant (INR k) g / g * (SK (i + 2) * sqrt (e (i + 1)%nat / Kbar (i + 1))))).
    Proof.
      intros Hc1 Hk3 Hg2 Hlast. apply total_with_any_constant. intros l Hl.
      assert (Hcase : ((4 <= l)%nat -> gamma (l - 1)%nat <= 169 / 239 * gamma l) \/
        W l <= doubling_constant (INR k) g * (SK l / gamma l)).
      { destruct (le_lt_dec 4 l) as [Hl4|Hl4]; [|left; lia].
        destruct (Hlast l ltac:(lia)) as [H|H]; [left; intros _; exact H | right; exact H]. }
      destruct Hcase as [Hgrow|Hcap].
      - apply (BestRegret.lem_epoch_regret_bound_best_doubling (s := run_setting) eq_refl k arms_range l Hc1 Hk3 Hg2 Hl Hgrow).
      - eapply Rle_trans; [|exact Hcap]. rewrite <- (Expect_const Setting.law (W l) Setting.Hlaw).
        apply Expect_le; [apply Setting.Hlaw|]. intro w.
        apply (SumOverEpochs.regret_cap (s := run_setting) means_unit l w). cbn. lia.
    Qed.

    (** thm:global_regret, best, two arms.  C = 1/2 + 9 g^2 / 4. *)
    Theorem thm_global_regret_best_two_arms : c = 1 -> (forall m, (m < M)%nat -> K m = 2%nat) ->
      Reg_T <= sum M (fun m => (1 - / INR (K m)) * E 1 m) +
        sum (L - 1) (fun i => Rmin (W (i + 2))
          (two_arm_constant g / g * (SK (i + 2) * sqrt (e (i + 1)%nat / Kbar (i + 1))))).
    Proof.
      intros Hc1 Htwo. apply total_with_any_constant. intros l Hl.
      apply (BestRegret.lem_epoch_regret_bound_best_two_arms (s := run_setting) eq_refl l Hc1 Htwo Hl).
    Qed.

    (** thm:global_regret, best, agents out of step with c < 10/3. *)
    Theorem thm_global_regret_best_asynchronous : c < 10 / 3 ->
      Reg_T <= sum M (fun m => (1 - / INR (K m)) * E 1 m) +
        sum (L - 1) (fun i => Rmin (W (i + 2))
          (asynchronous_constant (INR k) g c / g * (SK (i + 2) * sqrt (e (i + 1)%nat / Kbar (i + 1))))).
    Proof.
      intro Hc1. apply total_with_any_constant. intros l Hl.
      apply (BestRegret.lem_epoch_regret_bound_best_asynchronous (s := run_setting) eq_refl k arms_range l Hc1 Hl).
    Qed.
  End Best.

  (** thm:global_regret, repaired: the paper's learning rate (g = 1) and constant.
      Reg(T) <= W^1 + 11 c^2 sum_{l >= 2} S^l sqrt(e_{l-1} / Kbar^{l-1}). *)
  Theorem thm_global_regret_repaired : g = 1 ->
    Reg_T <= W 1 +
      sum (L - 1) (fun i => repaired_constant c * (SK (i + 2) * sqrt (e (i + 1)%nat / Kbar (i + 1)))).
  Proof.
    intro Hg1. rewrite Reg_T_epochs.
    eapply Rle_trans.
    - apply (SumOverEpochs.total_from_epochs (s := run_setting) means_unit
        (fun l => repaired_constant c * (SK l / gamma l)) HL).
      intros l Hl. apply (RepairedInduction.lem_epoch_regret_bound_repaired (s := run_setting) Hg1 eq_refl l Hl).
    - apply Rplus_le_compat.
      + apply sum_le. intros m Hm. cbn. pose proof (E_pos 1 m ltac:(lia) Hm) as HE1.
        assert (0 < / INR (K m)) by (apply Rinv_0_lt_compat, lt_0_INR; pose proof (HK m); lia).
        assert (0 < / INR (K m) * E 1 m) by (apply Rmult_lt_0_compat; assumption). lra.
      + apply sum_le. intros i Hi. eapply Rle_trans; [apply Rmin_r|]. cbn.
        rewrite run_weight_rate by lia. replace (i + 2 - 1)%nat with (i + 1)%nat by lia.
        rewrite Hg1. unfold Rdiv at 1. rewrite Rinv_1, Rmult_1_r. lra.
  Qed.

  (** The same in the shape of the paper's display, with its c^{5/2}:
      Reg(T) <= W^1 + 11 c^{5/2} sum_{l >= 2} sqrt(Kbar^l e_{l-1}) W^l. *)
  Theorem thm_global_regret_repaired_display : g = 1 ->
    Reg_T <= W 1 +
      sum (L - 1) (fun i => repaired_constant c * sqrt c * (sqrt (Kbar (i + 2) * e (i + 1)%nat) * W (i + 2))).
  Proof.
    intro Hg1. eapply Rle_trans; [apply (thm_global_regret_repaired Hg1)|].
    apply Rplus_le_compat_l. apply sum_le. intros i Hi. rewrite Rmult_assoc. apply Rmult_le_compat_l.
    - unfold repaired_constant. pose proof (pow2_ge_0 c). lra.
    - pose proof (SumOverEpochs.rate_term_paper (s := run_setting) e He (i + 2) ltac:(cbn; lia)) as F.
      unfold SumOverEpochs.rate_term in F. replace (i + 2 - 1)%nat with (i + 1)%nat in F by lia. exact F.
  Qed.
End GlobalRegret.
