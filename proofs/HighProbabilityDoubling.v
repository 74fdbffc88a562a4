(** * own:high_probability: col:finite with probability 1 - delta under doubling

    M synchronous agents with K >= 2 arms, epochs 2, 2, 4, 8, ... cut at T >= 3, a class of N >= 2 functions in [0,1] that contains
    fstar, the exact minimiser on each epoch's data.  L = ceil(log2 T) - 1 calls are used; with

        e_l = ln((N - 1) L / delta) / (kappa n_l),  kappa = 0.46368,  n_l = M E^l,  gamma^{l+1} = g sqrt(K / e_l)

    the regret of the run, given the models in use, is at most

        2M(1 - 1/K) + sum_{l >= 2} M E^l min(1, (C/g) sqrt(K e_{l-1})) <= 2M(1 - 1/K) + (C/g)(2 + sqrt 2) sqrt(M K T ln((N - 1) L / delta) / kappa)

    outside an event of probability delta.  Main results: [own_high_probability_best], C/g <= 3.8098 of any schedule, and
    [own_high_probability_best_two_arms], 3 / sqrt 2.                                                                             *)
From Coq Require Import Reals Lra Lia Psatz List Arith.
From FedIGW Require Import FiniteSums FiniteProbability InverseGapWeighting Constants BestParameters Protocol FiniteExponent FiniteError
  VersionSpace DoublingSchedule DoublingRegret DoublingAnyRisk HighProbability.
Open Scope R_scope.

Section HighProbabilityDoubling.
  Variables (M : nat) (X : nat -> nat) (k : nat) (D : nat -> nat -> R) (reward_law : nat -> nat -> nat -> list (R * R)) (T : nat).
  Variables (N jstar : nat) (F : nat -> estimate) (choice : nat -> dataset -> nat) (delta : R).
  Hypothesis HM : (1 <= M)%nat.
  Hypothesis HD0 : forall m x, (x < X m)%nat -> 0 <= D m x.
  Hypothesis HD1 : forall m, sum (X m) (D m) = 1.
  Hypothesis HR : forall m x a, distribution (reward_law m x a).
  Hypothesis HR01 : forall m x a, Forall (fun pr => 0 <= snd pr <= 1) (reward_law m x a).
  Hypothesis HT : (3 <= T)%nat.
  Hypothesis HN : (2 <= N)%nat.
  Hypothesis HF01 : forall j m x a, (j < N)%nat -> 0 <= F j m x a <= 1.
  Hypothesis Hjstar : (jstar < N)%nat.
  Hypothesis Hreal : forall m x a, F jstar m x a = fstar reward_law m x a.
  Hypothesis Hchoice : forall l ds, (choice l ds < N)%nat.
  Hypothesis Hmin : forall l ds j, (j < N)%nat -> loss M (F (choice l ds)) ds <= loss M (F j) ds.
  Hypothesis Hdelta : 0 < delta < 1.
  (** e_l, and n_l e_l *)
  Definition likely_e (l : nat) : R := likely_risk (INR N) (INR (epochs_until T - 1)) delta (Protocol.W M (doubling T) l).
  Definition likely_coefficient (N calls delta : R) : R := ln ((N - 1) * calls / delta) / kappa_best.
  (** the law of the run, and its regret given the models in use *)
  Definition likely_law (g : R) : list (R * run) :=
    run_law M X (K_arms k) D reward_law (doubling T) (risk_rates k likely_e g) (exact_minimiser F choice) (epochs_until T).
  Definition likely_regret (g : R) (w : run) : R :=
    kernels_regret M X (K_arms k) D reward_law (epochs_until T) (doubling T) (risk_rates k likely_e g) w.

  Lemma two_epochs : (2 <= epochs_until T)%nat.
  Proof. apply (epochs_until_log2 T HT). Qed.
  Lemma likely_log : 0 < ln ((INR N - 1) * INR (epochs_until T - 1) / delta).
  Proof.
    pose proof two_epochs. assert (H1 : 1 <= INR (epochs_until T - 1)) by (replace 1 with (INR 1) by reflexivity; apply le_INR; lia).
    assert (H2 : 2 <= INR N) by (change 2 with (INR 2); apply le_INR; exact HN).
    rewrite <- ln_1. apply ln_increasing; [lra|]. apply (Rmult_lt_reg_r delta); [lra|].
    replace ((INR N - 1) * INR (epochs_until T - 1) / delta * delta) with ((INR N - 1) * INR (epochs_until T - 1)) by (field; lra). nra.
  Qed.
  Section Arms.
    Hypothesis Hk : (2 <= k)%nat.
    Let Hk1 : (1 <= k)%nat.
    Proof. lia. Qed.
    Lemma likely_samples l : (1 <= l <= epochs_until T)%nat -> 0 < Protocol.W M (doubling T) l.
    Proof. intro Hl. rewrite (W_samples M T). apply (samples_pos M k T HM Hk1 HT l Hl). Qed.
    Lemma likely_e_positive l : (1 <= l <= epochs_until T)%nat -> 0 < likely_e l.
    Proof.
      intro Hl. unfold likely_e, likely_risk. apply Rdiv_lt_0_compat; [exact likely_log|].
      apply Rmult_lt_0_compat; [exact kappa_best_pos|apply likely_samples, Hl].
    Qed.
    Lemma likely_e_decreases l : (1 <= l)%nat -> (S (S l) <= epochs_until T)%nat -> likely_e (S l) <= likely_e l.
    Proof.
      intros H1 H2. unfold likely_e, likely_risk. pose proof kappa_best_pos as Hkap. pose proof (likely_samples l ltac:(lia)) as Hs.
      apply Rmult_le_compat_l; [left; exact likely_log|]. apply Rinv_le_contravar; [apply Rmult_lt_0_compat; assumption|].
      apply Rmult_le_compat_l; [lra|]. rewrite !(W_samples M T). apply Rmult_le_compat_l; [apply pos_INR|]. apply le_INR, (doubling_mono T HT); assumption.
    Qed.
    Lemma likely_chain C0 : 0 <= C0 ->
      capped_sum C0 M k T likely_e <= doubling_bound C0 (INR M) (INR k) (INR T) (likely_coefficient (INR N) (INR (epochs_until T - 1)) delta).
    Proof.
      intro HC. apply (capped_sum_closed M k likely_e T HM Hk1 HT); [|exact HC|].
      - unfold likely_coefficient. left. apply Rdiv_lt_0_compat; [exact likely_log|exact kappa_best_pos].
      - intros l Hl. right. unfold likely_e, likely_risk, likely_coefficient. rewrite (W_samples M T). pose proof kappa_best_pos.
        pose proof (samples_pos M k T HM Hk1 HT l Hl) as Hs. field. repeat split; try lra; intro Hz; rewrite Hz in Hs; lra.
    Qed.
    Lemma likely_epochs g C0 : 0 < g -> 0 <= C0 ->
      (except_with_probability delta (likely_law g) (fun w => likely_regret g w <=
        sum M (fun m => (1 - / INR (K_arms k m)) * E (doubling T) 1 m) +
        sum (epochs_until T - 1) (fun i => Rmin (Protocol.W M (doubling T) (i + 2))
          (C0 * (SK M (K_arms k) (doubling T) (i + 2) * sqrt (likely_e (i + 1) / Kbar M (K_arms k) (doubling T) (i + 1))))))) ->
      except_with_probability delta (likely_law g) (fun w => likely_regret g w <= capped_sum C0 M k T likely_e <=
        doubling_bound C0 (INR M) (INR k) (INR T) (likely_coefficient (INR N) (INR (epochs_until T - 1)) delta)).
    Proof.
      intros Hg HC [bad [Hp Hgood]]. exists bad. split; [exact Hp|]. eapply Forall_impl; [|exact Hgood]. intros [p w] Hw Hbad.
      specialize (Hw Hbad). cbn [snd] in *. rewrite <- (capped_sum_value M k likely_e T HM Hk1 HT C0) in Hw.
      split; [exact Hw|apply likely_chain, HC].
    Qed.
    (** own:high_probability, best:  K >= 2 arms at the best rate of any schedule; the constant is at most 3.8098. *)
    Theorem own_high_probability_best : let g := sqrt (Rmax (1 - / INR k) (1 - 2 / INR k + best_arms) / best_risk) in
      except_with_probability delta (likely_law g) (fun w => likely_regret g w <= capped_sum (best_over_g (INR k)) M k T likely_e <=
        doubling_bound (best_over_g (INR k)) (INR M) (INR k) (INR T) (likely_coefficient (INR N) (INR (epochs_until T - 1)) delta)).
    Proof.
      intro g. assert (H2 : 2 <= INR k) by (change 2 with (INR 2); apply le_INR; lia).
      pose proof (arms_positive best_arms (INR k) H2) as HC. assert (HB : 0 < best_risk) by (unfold best_risk; lra).
      assert (Hg : 0 < g) by (apply sqrt_lt_R0; apply Rdiv_lt_0_compat; assumption).
      apply likely_epochs; [exact Hg|unfold best_over_g; apply Rmult_le_pos; [lra|apply sqrt_pos]|].
      rewrite <- (best_constant_attained (INR k) H2). fold g.
      apply (finite_high_probability_best M X (K_arms k) D reward_law HM (fun _ => Hk1) HD0 HD1 HR HR01 (epochs_until T) (doubling T) two_epochs
        (fun l m Hl _ => doubling_positive T HT l m Hl) N jstar F choice HN HF01 Hjstar Hreal Hchoice Hmin g delta (risk_rates k likely_e g) Hg
        ltac:(lra) likely_log (risk_rates_are_H4 M k likely_e T g HM Hk1 HT) (risk_rates_nonneg k likely_e g Hg 1)
        (risk_rates_grow M k likely_e T g HM Hk1 HT Hg likely_e_positive likely_e_decreases) (lengths_in_step M T)).
      intros m _. unfold K_arms. lia.
    Qed.
    (** own:high_probability, best, two arms:  3 / sqrt 2. *)
    Theorem own_high_probability_best_two_arms : k = 2%nat ->
      except_with_probability delta (likely_law (sqrt (2 / 9))) (fun w => likely_regret (sqrt (2 / 9)) w <= capped_sum (3 / sqrt 2) M k T likely_e <=
        doubling_bound (3 / sqrt 2) (INR M) (INR k) (INR T) (likely_coefficient (INR N) (INR (epochs_until T - 1)) delta)).
    Proof.
      intro Hk2. assert (Hg : 0 < sqrt (2 / 9)) by (apply sqrt_lt_R0; lra).
      assert (Hs : 0 < sqrt 2) by (apply sqrt_lt_R0; lra).
      apply likely_epochs; [exact Hg|left; apply Rdiv_lt_0_compat; lra|].
      rewrite <- two_arm_constant_attained.
      apply (finite_high_probability_best_two_arms M X (K_arms k) D reward_law HM (fun _ => Hk1) HD0 HD1 HR HR01 (epochs_until T) (doubling T) two_epochs
        (fun l m Hl _ => doubling_positive T HT l m Hl) N jstar F choice HN HF01 Hjstar Hreal Hchoice Hmin (sqrt (2 / 9)) delta
        (risk_rates k likely_e (sqrt (2 / 9))) Hg ltac:(lra) likely_log (risk_rates_are_H4 M k likely_e T _ HM Hk1 HT)
        (risk_rates_nonneg k likely_e _ Hg 1)
        (risk_rates_grow M k likely_e T _ HM Hk1 HT Hg likely_e_positive likely_e_decreases) (lengths_in_step M T)).
      intros m _. exact Hk2.
    Qed.
  End Arms.
End HighProbabilityDoubling.
