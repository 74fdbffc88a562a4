(** * col:finite, best

    Exact minimiser, doubling schedule, K arms, T >= 3 steps.  Its excess risk after n samples is at most min(1, ln|F| / (kappa n)) with
    kappa = 0.46368, so DoublingRegret.v applies with A = ln|F| / kappa:

        Reg(T) <= 2M(1 - 1/K) + (C/g)(2 + sqrt 2) sqrt(K M T ln|F| / kappa) <= 2M(1 - 1/K) + 18.55 sqrt(K M T ln|F|).

    No hypothesis on the learning rate or on the error is left: both are computed.                               *)
From Coq Require Import Reals Lra Lia Psatz List Arith.
From FedIGW Require Import FiniteSums FiniteProbability InverseGapWeighting BestParameters Protocol GlobalRegret
  FiniteExponent FiniteError DoublingSchedule FiniteRegret DoublingRegret.
Open Scope R_scope.

(** the bound, for a constant C/g *)
Definition col_finite_best_bound (constant M K T logF : R) : R :=
  2 * M * (1 - / K) + constant * (2 + sqrt 2) * sqrt (M * K * T * (logF / kappa_best)).
(** the rate g of K arms *)
Definition best_multiplier (K : nat) : R :=
  if Nat.eq_dec K 2 then sqrt (2 / 9) else sqrt (Rmax (1 - / INR K) (1 - 2 / INR K + doubling_arms) / doubling_risk).

Section ColFiniteBest.
  Variables (M : nat) (X : nat -> nat) (k : nat) (D : nat -> nat -> R).
  Variable reward_law : nat -> nat -> nat -> list (R * R).
  Variables (N jstar : nat) (F : nat -> estimate) (choice : nat -> dataset -> nat) (T : nat).
  Hypothesis HM : (1 <= M)%nat.
  Hypothesis Hk : (2 <= k)%nat.
  Hypothesis HD0 : forall m x, (x < X m)%nat -> 0 <= D m x.
  Hypothesis HD1 : forall m, sum (X m) (D m) = 1.
  Hypothesis HR : forall m x a, distribution (reward_law m x a).
  Hypothesis HR01 : forall m x a, Forall (fun pr => 0 <= snd pr <= 1) (reward_law m x a).
  Hypothesis HN : (2 <= N)%nat.
  Hypothesis HF01 : forall j m x a, (j < N)%nat -> 0 <= F j m x a <= 1.
  Hypothesis Hjstar : (jstar < N)%nat.
  Hypothesis Hreal : forall m x a, F jstar m x a = fstar reward_law m x a.
  Hypothesis Hchoice : forall l ds, (choice l ds < N)%nat.
  Hypothesis Hmin : forall l ds j, (j < N)%nat -> loss M (F (choice l ds)) ds <= loss M (F j) ds.
  Hypothesis HT : (3 <= T)%nat.
  Let A : R := ln (INR N) / kappa_best.


  (** Reg(T) of FedIGW with the exact minimiser, the doubling schedule and gamma^{l+1} = g sqrt(K / e_l),
      e_l = min(1, ln|F| / (kappa M E^l)) *)
  Definition best_Reg_T (g : R) : R :=
    doubling_Reg_T M X k D reward_law (exact_minimiser F choice) (ln (INR N) / kappa_best) T g.

  Lemma some_arm : (1 <= k)%nat.
  Proof using Hk. apply Nat.le_trans with 2%nat; [repeat constructor|exact Hk]. Qed.
  Lemma A_pos : 0 < A.
  Proof. apply Rdiv_lt_0_compat; [apply log_class_pos; exact HN | exact kappa_best_pos]. Qed.
  Lemma k_at_least_2 : 2 <= INR k.
  Proof. change 2 with (INR 2). apply le_INR, Hk. Qed.

  Lemma error_of_minimiser g l h f : 0 < g -> (1 <= l)%nat -> (S l <= epochs_until T)%nat ->
    Expect (all_agents X (K_arms k) D reward_law (doubling T) (doubling_rates M k A T g) l f M)
      (fun d => Expect (exact_minimiser F choice l (update h l (f, d)))
        (fun f' => Err_of M X (K_arms k) D reward_law (doubling T) (doubling_rates M k A T g) l f f'))
    <= Protocol.W M (doubling T) l * doubling_excess M A T l.
  Proof.
    intros Hg H1 H2. unfold doubling_excess. rewrite <- W_of_doubling. unfold A.
    assert (Hr : forall i, 0 <= doubling_rates M k (ln (INR N) / kappa_best) T g i) by (intro i; apply rates_nonneg; exact Hg).
    assert (Hlen : forall i m, (1 <= i <= epochs_until T)%nat -> (m < M)%nat -> (1 <= doubling T i m)%nat)
      by (intros i m Hi _; apply doubling_positive; assumption).
    apply (clipped_error M X (K_arms k) D reward_law (epochs_until T)); auto using kappa_best_pos; try lia; try (intro; exact some_arm).
    apply (finite_error_sum_best M X (K_arms k) D reward_law (epochs_until T)) with (jstar := jstar); auto; try lia; try (intro; exact some_arm).
  Qed.

  (** col:finite as a sum over epochs, each capped at its length, K >= 3:
      Reg(T) <= 2M(1 - 1/K) + sum_{l >= 2} min(M E^l, (C/g) S^l sqrt(e_{l-1} / K)). *)
  Theorem col_finite_best_epochs g : 0 < g -> (3 <= k)%nat -> g ^ 2 <= 6 / 5 ->
    best_Reg_T g <= sum M (fun m => (1 - / INR (K_arms k m)) * E (doubling T) 1 m) +
      sum (epochs_until T - 1) (fun i => Rmin (Protocol.W M (doubling T) (i + 2)) (doubling_constant (INR k) g / g *
        (Protocol.SK M (K_arms k) (doubling T) (i + 2) *
          sqrt (doubling_excess M (ln (INR N) / kappa_best) T (i + 1) / Protocol.Kbar M (K_arms k) (doubling T) (i + 1))))).
  Proof.
    intros Hg Hk3 Hg2. apply (thm_doubling_best M X k D reward_law (exact_minimiser F choice) A T g) with (reachable := fun _ => True); auto using A_pos.
    - exact some_arm.
    - intros l h. apply distribution_dirac.
    - intros l h. apply Forall_forall. auto.
    - intros l h f _ H1 H2. apply error_of_minimiser; assumption.
  Qed.
  (** The same sum for two arms. *)
  Theorem col_finite_best_two_arms_epochs g : 0 < g -> k = 2%nat ->
    best_Reg_T g <= sum M (fun m => (1 - / INR (K_arms k m)) * E (doubling T) 1 m) +
      sum (epochs_until T - 1) (fun i => Rmin (Protocol.W M (doubling T) (i + 2)) (two_arm_constant g / g *
        (Protocol.SK M (K_arms k) (doubling T) (i + 2) *
          sqrt (doubling_excess M (ln (INR N) / kappa_best) T (i + 1) / Protocol.Kbar M (K_arms k) (doubling T) (i + 1))))).
  Proof.
    intros Hg Hk2. apply (thm_doubling_best_two_arms M X k D reward_law (exact_minimiser F choice) A T g) with (reachable := fun _ => True); auto using A_pos.
    - exact some_arm.
    - intros l h. apply distribution_dirac.
    - intros l h. apply Forall_forall. auto.
    - intros l h f _ H1 H2. apply error_of_minimiser; assumption.
  Qed.

  Lemma rate_of_arms : (3 <= k)%nat -> let g := sqrt (Rmax (1 - / INR k) (1 - 2 / INR k + doubling_arms) / doubling_risk) in
    0 < g /\ g ^ 2 <= 6 / 5.
  Proof.
    intros Hk3 g. pose proof k_at_least_2 as H2. pose proof (arms_positive doubling_arms (INR k) H2) as HC.
    pose proof (arms_below doubling_arms (INR k) H2 ltac:(unfold doubling_arms; lra)) as HC1.
    assert (HB : 0 < doubling_risk) by (unfold doubling_risk; lra). unfold g. split.
    - apply sqrt_lt_R0. apply Rdiv_lt_0_compat; assumption.
    - rewrite pow2_sqrt by (left; apply Rdiv_lt_0_compat; assumption).
      apply (Rmult_le_reg_r doubling_risk); [exact HB|].
      replace (Rmax (1 - / INR k) (1 - 2 / INR k + doubling_arms) / doubling_risk * doubling_risk)
        with (Rmax (1 - / INR k) (1 - 2 / INR k + doubling_arms)) by (field; lra).
      unfold doubling_arms, doubling_risk in *. lra.
  Qed.

  (** col:finite, best, K >= 3, at the best rate g^2 = A/B of C = A + B g^2:
      Reg(T) <= 2M(1 - 1/K) + 2 sqrt(A B) (2 + sqrt 2) sqrt(K M T ln|F| / kappa),  A = 1 - 2/K + 0.47255, B = 2.32170. *)
  Theorem col_finite_best : (3 <= k)%nat ->
    best_Reg_T (sqrt (Rmax (1 - / INR k) (1 - 2 / INR k + doubling_arms) / doubling_risk)) <=
      col_finite_best_bound (doubling_over_g (INR k)) (INR M) (INR k) (INR T) (ln (INR N)).
  Proof.
    intro Hk3. destruct (rate_of_arms Hk3) as [Hg Hg2]. rewrite <- (doubling_constant_attained (INR k) k_at_least_2).
    apply (thm_doubling_best_closed M X k D reward_law (exact_minimiser F choice) A T) with (reachable := fun _ => True); auto using A_pos.
    - exact some_arm.
    - intros l h. apply distribution_dirac.
    - intros l h. apply Forall_forall. auto.
    - intros l h f _ H1 H2. apply error_of_minimiser; assumption.
  Qed.

  (** col:finite, best, two arms, g^2 = 2/9:  C/g = 3 / sqrt 2. *)
  Theorem col_finite_best_two_arms : k = 2%nat ->
    best_Reg_T (sqrt (2 / 9)) <= col_finite_best_bound (3 / sqrt 2) (INR M) (INR k) (INR T) (ln (INR N)).
  Proof.
    intro Hk2. rewrite <- two_arm_constant_attained. assert (Hg : 0 < sqrt (2 / 9)) by (apply sqrt_lt_R0; lra).
    apply (thm_doubling_best_two_arms_closed M X k D reward_law (exact_minimiser F choice) A T) with (reachable := fun _ => True); auto using A_pos.
    - exact some_arm.
    - intros l h. apply distribution_dirac.
    - intros l h. apply Forall_forall. auto.
    - intros l h f _ H1 H2. apply error_of_minimiser; assumption.
  Qed.

  (** col:finite, best, every K >= 2 at its own rate:  Reg(T) <= 2M(1 - 1/K) + 18.55 sqrt(K M T ln|F|). *)
  Theorem col_finite_best_display :
    best_Reg_T (best_multiplier k) <=
      2 * INR M * (1 - / INR k) + 1855 / 100 * sqrt (INR k * INR M * INR T * ln (INR N)).
  Proof.
    assert (S2 : sqrt 2 * sqrt 2 = 2) by (apply sqrt_sqrt; lra). assert (S0 : 0 < sqrt 2) by (apply sqrt_lt_R0; lra).
    assert (S1 : sqrt 2 <= 141422 / 100000) by nra.
    assert (Hlog : 0 < ln (INR N)) by (apply log_class_pos; exact HN).
    assert (Hbound : forall Cg, 0 <= Cg <= 36981 / 10000 ->
      col_finite_best_bound Cg (INR M) (INR k) (INR T) (ln (INR N)) <=
        2 * INR M * (1 - / INR k) + 1855 / 100 * sqrt (INR k * INR M * INR T * ln (INR N))).
    { intros Cg HCg. unfold col_finite_best_bound. apply Rplus_le_compat_l.
      set (z := INR k * INR M * INR T * ln (INR N)).
      assert (Hz : 0 <= z) by (unfold z; repeat apply Rmult_le_pos; try apply pos_INR; lra).
      replace (INR M * INR k * INR T * (ln (INR N) / kappa_best)) with (/ kappa_best * z)
        by (unfold z; pose proof kappa_best_pos; field; lra).
      rewrite sqrt_mult_alt by (left; apply Rinv_0_lt_compat; exact kappa_best_pos).
      assert (Hkap : sqrt (/ kappa_best) <= 146856 / 100000).
      { apply sqrt_below; [lra|]. unfold kappa_best. lra. }
      pose proof (sqrt_pos (/ kappa_best)) as Hp. pose proof (sqrt_pos z) as Hsz.
      replace (Cg * (2 + sqrt 2) * (sqrt (/ kappa_best) * sqrt z)) with (Cg * ((2 + sqrt 2) * sqrt (/ kappa_best)) * sqrt z) by ring.
      apply Rmult_le_compat_r; [exact Hsz|].
      assert (H1 : (2 + sqrt 2) * sqrt (/ kappa_best) <= 341422 / 100000 * (146856 / 100000)) by (apply Rmult_le_compat; lra).
      assert (H0 : 0 <= (2 + sqrt 2) * sqrt (/ kappa_best)) by (apply Rmult_le_pos; lra).
      assert (Cg * ((2 + sqrt 2) * sqrt (/ kappa_best)) <= 36981 / 10000 * (341422 / 100000 * (146856 / 100000)))
        by (apply Rmult_le_compat; lra). lra. }
    unfold best_multiplier. destruct (Nat.eq_dec k 2) as [Hk2|Hn2].
    - eapply Rle_trans; [apply (col_finite_best_two_arms Hk2)|]. apply Hbound.
      assert (3 / sqrt 2 = 3 / 2 * sqrt 2).
      { apply (Rmult_eq_reg_r (sqrt 2)); [|lra]. replace (3 / sqrt 2 * sqrt 2) with 3 by (field; lra). rewrite Rmult_assoc, S2. field. }
      lra.
    - assert (Hk3 : (3 <= k)%nat) by (clear - Hk Hn2; lia).
      eapply Rle_trans; [apply (col_finite_best Hk3)|]. apply Hbound. split.
      + unfold doubling_over_g. apply Rmult_le_pos; [lra|apply sqrt_pos].
      + apply (doubling_over_g_value (INR k) k_at_least_2).
  Qed.
End ColFiniteBest.
