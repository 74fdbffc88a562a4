(** * Finite class: interleaved epochs, and epsilon-greedy

    The exact minimiser over a finite class satisfies every hypothesis of InterleavedDoubling.v and of EpsilonGreedyDoubling.v with
    A = ln|F|/kappa, kappa = 0.46368, for every sampling kernel.  So no hypothesis on the FL routine is left:

    [interleaved_finite_best]   Reg(T) <= 4M(1 - 1/K) + (C/g)(2 + 2 sqrt 2) sqrt(M K T ln|F|/kappa)
    [epsilon_greedy_finite]     Reg(T) <= 2M(1 - 1/K) + 5.11 (K ln|F|/kappa)^{1/3} (M T)^{2/3}.                                       *)
From Coq Require Import Reals Lra Lia Psatz List Arith.
From FedIGW Require Import FiniteSums FiniteProbability InverseGapWeighting BestParameters Protocol FiniteExponent FiniteError DoublingSchedule
  DoublingRegret InterleavedDoubling EpsilonGreedyDoubling.
Open Scope R_scope.

Section FiniteOtherRuns.
  Variables (M : nat) (X : nat -> nat) (k : nat) (D : nat -> nat -> R) (reward_law : nat -> nat -> nat -> list (R * R)) (T : nat).
  Hypothesis HM : (1 <= M)%nat.
  Hypothesis Hk : (2 <= k)%nat.
  Hypothesis HD0 : forall m x, (x < X m)%nat -> 0 <= D m x.
  Hypothesis HD1 : forall m, sum (X m) (D m) = 1.
  Hypothesis HR : forall m x a, distribution (reward_law m x a).
  Hypothesis HR01 : forall m x a, Forall (fun pr => 0 <= snd pr <= 1) (reward_law m x a).
  Hypothesis HT : (3 <= T)%nat.
  (** the class, realizability, an exact minimiser with any rule for ties *)
  Variables (N jstar : nat) (F : nat -> estimate) (choice : nat -> dataset -> nat).
  Hypothesis HN : (2 <= N)%nat.
  Hypothesis HF01 : forall j m x a, (j < N)%nat -> 0 <= F j m x a <= 1.
  Hypothesis Hjstar : (jstar < N)%nat.
  Hypothesis Hreal : forall m x a, F jstar m x a = fstar reward_law m x a.
  Hypothesis Hchoice : forall l ds, (choice l ds < N)%nat.
  Hypothesis Hmin : forall l ds j, (j < N)%nat -> loss M (F (choice l ds)) ds <= loss M (F j) ds.
  (** A = ln|F|/kappa,  e_l = A/(M E^l) *)
  Definition class_risk (classes : R) : R := ln classes / kappa_best.
  Definition class_error (l : nat) : R := class_risk (INR N) / (INR M * INR (doubling T l 0)).

  Lemma class_risk_positive : 0 < class_risk (INR N).
  Proof.
    unfold class_risk. apply Rdiv_lt_0_compat; [|exact kappa_best_pos]. rewrite <- ln_1. apply ln_increasing; [lra|].
    assert (2 <= INR N) by (change 2 with (INR 2); apply le_INR; exact HN). lra.
  Qed.
  Lemma epoch_samples l : (1 <= l <= epochs_until T)%nat -> 0 < INR M * INR (doubling T l 0).
  Proof. intro Hl. apply (samples_pos M k T HM ltac:(lia) HT l Hl). Qed.
  Lemma class_error_range l : (1 <= l <= epochs_until T)%nat -> 0 < class_error l <= class_risk (INR N) / (INR M * INR (doubling T l 0)).
  Proof. intro Hl. unfold class_error. split; [apply Rdiv_lt_0_compat; [exact class_risk_positive|apply epoch_samples, Hl]|lra]. Qed.
  Lemma class_error_decreases l : (1 <= l)%nat -> (S (S l) <= epochs_until T)%nat -> class_error (S l) <= class_error l.
  Proof.
    intros H1 H2. pose proof (epoch_samples l ltac:(lia)). pose proof class_risk_positive.
    apply Rmult_le_compat_l; [lra|]. apply Rinv_le_contravar; [assumption|].
    apply Rmult_le_compat_l; [apply pos_INR|]. apply le_INR, (doubling_mono T HT); assumption.
  Qed.
  Lemma finite_H3 gamma l h f : 0 <= gamma l -> (1 <= l <= epochs_until T)%nat ->
    Expect (all_agents X (K_arms k) D reward_law (doubling T) gamma l f M)
      (fun d => Expect (exact_minimiser F choice l (update h l (f, d)))
        (fun f' => Err_of M X (K_arms k) D reward_law (doubling T) gamma l f f'))
    <= Protocol.W M (doubling T) l * class_error l.
  Proof.
    intros Hg Hl. rewrite (Expect_ext _ _ (fun d => Err_of M X (K_arms k) D reward_law (doubling T) gamma l f (F (choice l d))))
      by (intro d; unfold exact_minimiser; rewrite Expect_dirac, update_same; reflexivity).
    replace (Protocol.W M (doubling T) l * class_error l) with (ln (INR N) / kappa_best).
    2:{ rewrite (W_samples M T). unfold class_error, class_risk. pose proof (epoch_samples l Hl) as Hc. pose proof kappa_best_pos. field.
        repeat split; try lra; intro Hz; rewrite Hz in Hc; lra. }
    rewrite (epoch_draws X (K_arms k) D reward_law (doubling T) gamma l f).
    assert (Hk1 : forall m, (1 <= K_arms k m)%nat) by (intro m; unfold K_arms; lia).
    exact (draws_error_sum_best M X (K_arms k) D reward_law (doubling T l) (fun m x => igw (K_arms k m) (gamma l) (f m x)) N jstar F (choice l)
      HM HD0 HD1 HR HR01 (fun m x a Ha => Rlt_le _ _ (igw_pos (K_arms k m) (gamma l) (f m x) (Hk1 m) Hg a Ha))
      (fun m x => igw_total (K_arms k m) (gamma l) (f m x) (Hk1 m)) HN HF01 Hjstar Hreal (Hchoice l) (Hmin l)).
  Qed.

  (** Interleaved FedIGW, finite class, doubling:  4M(1 - 1/K) + (C/g)(2 + 2 sqrt 2) sqrt(M K T ln|F|/kappa). *)
  Theorem interleaved_finite_best g : 0 < g ->
    interleaved_Reg_T M X k D reward_law (exact_minimiser F choice) class_error T g <=
      interleaved_bound (best_constant (INR k) g / g) (INR M) (INR k) (INR T) (class_risk (INR N)).
  Proof.
    intro Hg. apply (interleaved_doubling_best M X k D reward_law (exact_minimiser F choice) class_error (class_risk (INR N)) T g HM ltac:(lia) HD0 HD1 HR HR01)
      with (reachable := fun _ => True); auto.
    - intros l h. apply distribution_dirac.
    - intros l h j v Hj. unfold exact_minimiser. rewrite update_other by lia. reflexivity.
    - left. exact class_risk_positive.
    - exact class_error_range.
    - exact class_error_decreases.
    - intros l h. repeat constructor.
    - intros l h f _ H1 H2. apply finite_H3; [|lia]. destruct l as [|[|[|l]]]; simpl; try lra. apply Rmult_le_pos; [lra|apply sqrt_pos].
  Qed.
  (** epsilon-greedy, finite class, doubling:  2M(1 - 1/K) + 5.11 (K ln|F|/kappa)^{1/3} (M T)^{2/3}. *)
  Theorem epsilon_greedy_finite :
    epsilon_greedy_Reg_T M X k D reward_law (exact_minimiser F choice) class_error T <=
      epsilon_greedy_bound (INR M) (INR k) (INR T) (class_risk (INR N)).
  Proof.
    apply (epsilon_greedy_doubling M X k D reward_law (exact_minimiser F choice) class_error (class_risk (INR N)) T HM ltac:(lia) HD0 HD1 HR HR01); auto.
    - intros l h. apply distribution_dirac.
    - exact class_risk_positive.
    - exact class_error_range.
    - exact class_error_decreases.
    - intros l h f _ H1 H2. apply (finite_H3 (fun _ => 1)); [lra|lia].
  Qed.
End FiniteOtherRuns.
