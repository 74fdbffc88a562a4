(** * col:linear: FedIGW with federated ridge regression

    One law of contexts and rewards for all agents, means phi(x,a)'wstar with |phi| <= 1 and |wstar|^2 <= norm2, ridge regression with
    lambda = 1/n on each epoch's pooled data, doubling, K arms, T >= 3.  With A = d/4 + norm2 (norm2 = 1 in the paper), and
    (1 + delta)^2 A in its place for a solver of accuracy delta, the main results are

    [col_linear_repaired]       2M + 11 (2 + sqrt 2) sqrt(M K T A),                            e_l = A / (n_l + 1), g = 1
    [col_linear_sharpened]      2M(1 - 1/K) + (14/9) sqrt(2(3q + 1)) (2 + sqrt 2) sqrt(M K T A), e_l = A / (n_l + 1), q = 1 - 1/K
    [col_linear_best]           2M(1 - 1/K) + 3.6981 (2 + sqrt 2) sqrt(M K T A),                e_l = A / n_l, K >= 3
    [col_linear_best_two_arms]  2M(1 - 1/K) + (3 / sqrt 2)(2 + sqrt 2) sqrt(M K T A),           e_l = A / n_l, K = 2

    and the same names with [_agd]: accelerated gradient descent, with as many rounds as [enough_rounds] asks for.  Each states the sum
    over epochs too, which lies between the regret and the closed form: every epoch capped at its length, but in repaired.
    Main definitions: [linear_Reg_T], [direct_weights], [agd_weights].
    Notes: estimates and risks are not clipped.  best needs risks that halve when the epoch doubles, so it takes A / n.  *)
From Coq Require Import Reals Lra Lia Psatz List Arith FunctionalExtensionality.
From FedIGW Require Import FiniteSums FiniteProbability InverseGapWeighting AcceleratedGradient RidgeExcessRisk Constants BestParameters
  Protocol DoublingSchedule DoublingRegret DoublingAnyRisk Exchangeability RidgeSamples RidgeProtocol.
Import ListNotations.
Open Scope R_scope.

(** A = d/4 + norm2 *)
Definition linear_constant (d norm2 : R) : R := d / 4 + norm2.
(** the bounds; risk is A or (1 + delta)^2 A *)
Definition linear_repaired_bound (M K T risk : R) : R := 2 * M + 11 * (2 + sqrt 2) * sqrt (M * K * T * risk).
Definition linear_bound (constant M K T risk : R) : R := 2 * M * (1 - / K) + constant * (2 + sqrt 2) * sqrt (M * K * T * risk).
(** C/g of sharpened at its best rate *)
Definition linear_sharpened_constant (q : R) : R := 14 / 9 * sqrt (2 * (3 * q + 1)).

Section LinearRegret.
  Variables (M contexts k : nat) (D : nat -> R) (reward_law : nat -> nat -> list (R * R)) (T : nat).
  Variables (dim : nat) (phi : nat -> nat -> vector) (wstar : vector) (norm2 : R).
  Hypothesis HM : (1 <= M)%nat.
  Hypothesis Hk : (1 <= k)%nat.
  Hypothesis HD0 : forall x, (x < contexts)%nat -> 0 <= D x.
  Hypothesis HD1 : sum contexts D = 1.
  Hypothesis HR : forall x a, distribution (reward_law x a).
  Hypothesis HR01 : forall x a, Forall (fun pr => 0 <= snd pr <= 1) (reward_law x a).
  Hypothesis Hlin : forall x a, Expect (reward_law x a) (fun r => r) = dot dim (phi x a) wstar.
  Hypothesis Hphi : forall x a, square_norm dim (phi x a) <= 1.
  Hypothesis Hstar : square_norm dim wstar <= norm2.
  Hypothesis Hdim : (1 <= dim)%nat.
  Hypothesis HT : (3 <= T)%nat.
  Let X := fun _ : nat => contexts.
  Let DD := fun _ : nat => D.
  Let law := fun _ : nat => reward_law.
  Let A := linear_constant (INR dim) norm2.

  (** FL routine: weights l t is what the solver returns on the pooled data t of epoch l *)
  Definition linear_routine (weights : nat -> list sample -> vector) (l : nat) (h : run) : list (R * estimate) :=
    dirac (linear_estimate dim phi (weights l (pooled M (snd (h l))))).
  (** e_l of repaired and sharpened, e_l of best, for a given constant *)
  Definition ridge_risk (risk : R) (l : nat) : R := risk / (INR M * INR (doubling T l 0) + 1).
  Definition scaled_risk (risk : R) (l : nat) : R := risk / (INR M * INR (doubling T l 0)).
  (** Reg(T) of FedIGW with this solver and gamma^{l+1} = g sqrt(K / e_l), gamma^1 = 0 *)
  Definition linear_Reg_T (weights : nat -> list sample -> vector) (e : nat -> R) (g : R) : R :=
    risk_Reg_T M (fun _ => contexts) k (fun _ => D) (fun _ => reward_law) (linear_routine weights) e T g.

  (** all agents play from one estimate *)
  Definition common_estimate (f : estimate) : Prop := forall m x, f m x = f 0%nat x.
  Lemma routine_reaches weights l h : Forall (fun pf => common_estimate (snd pf)) (linear_routine weights l h).
  Proof. repeat constructor. Qed.
  Lemma A_large : ridge_risk_constant (1 / 4) (INR dim) (square_norm dim wstar) <= A.
  Proof. unfold A, linear_constant, ridge_risk_constant. lra. Qed.
  Lemma A_positive : 0 < A.
  Proof.
    unfold A, linear_constant. pose proof (square_norm_nonneg dim wstar).
    assert (1 <= INR dim) by (replace 1 with (INR 1) by reflexivity; apply le_INR; exact Hdim). lra.
  Qed.
  Lemma count_pos l : (1 <= l <= epochs_until T)%nat -> 0 < INR M * INR (doubling T l 0).
  Proof. intro Hl. apply (samples_pos M k T HM Hk HT l Hl). Qed.
  Lemma lengths_grow l : (1 <= l)%nat -> (S (S l) <= epochs_until T)%nat -> INR M * INR (doubling T l 0) <= INR M * INR (doubling T (S l) 0).
  Proof. intros H1 H2. apply Rmult_le_compat_l; [apply pos_INR|]. apply le_INR, (doubling_mono T HT); assumption. Qed.
  Lemma lengths_double l : (2 <= l)%nat -> (S (S l) <= epochs_until T)%nat -> doubling T (S l) 0 = (2 * doubling T l 0)%nat.
  Proof.
    intros H1 H2. unfold doubling, full_length. destruct (Nat.eq_dec (S l) (epochs_until T)); [lia|].
    destruct (Nat.eq_dec l (epochs_until T)); [lia|]. destruct (Nat.eq_dec (S l) 1); [lia|]. destruct (Nat.eq_dec l 1); [lia|].
    replace (S l - 1)%nat with (S (l - 1)) by lia. reflexivity.
  Qed.

  (** ** Any solver that satisfies H3 with some constant *)
  Section AnySolver.
    Variables (weights : nat -> list sample -> vector) (risk : R).
    Hypothesis Hrisk : 0 < risk.
    Hypothesis Hweights : forall gamma l f, 0 <= gamma l -> common_estimate f -> (1 <= l)%nat -> (S l <= epochs_until T)%nat ->
      Expect (all_agents X (K_arms k) DD law (doubling T) gamma l f M)
        (fun ds => Err_of M X (K_arms k) DD law (doubling T) gamma l f (linear_estimate dim phi (weights l (pooled M ds)))) <=
      Protocol.W M (doubling T) l * (risk / (Protocol.W M (doubling T) l + 1)).

    Lemma ridge_risk_pos l : (1 <= l <= epochs_until T)%nat -> 0 < ridge_risk risk l.
    Proof. intro Hl. pose proof (count_pos l Hl). apply Rdiv_lt_0_compat; lra. Qed.
    Lemma scaled_risk_pos l : (1 <= l <= epochs_until T)%nat -> 0 < scaled_risk risk l.
    Proof. intro Hl. pose proof (count_pos l Hl). apply Rdiv_lt_0_compat; lra. Qed.
    Lemma ridge_below_scaled l : (1 <= l <= epochs_until T)%nat -> ridge_risk risk l <= risk / (INR M * INR (doubling T l 0)).
    Proof.
      intro Hl. pose proof (count_pos l Hl). apply Rmult_le_compat_l; [lra|]. apply Rinv_le_contravar; lra.
    Qed.
    Lemma solver_H3_at e g l h f : 0 < g -> (forall i, (1 <= i <= epochs_until T)%nat -> ridge_risk risk i <= e i) ->
      common_estimate f -> (1 <= l)%nat -> (S l <= epochs_until T)%nat ->
      Expect (all_agents X (K_arms k) DD law (doubling T) (risk_rates k e g) l f M)
        (fun d => Expect (linear_routine weights l (update h l (f, d)))
          (fun f' => Err_of M X (K_arms k) DD law (doubling T) (risk_rates k e g) l f f'))
      <= Protocol.W M (doubling T) l * e l.
    Proof.
      intros Hg He Hf H1 H2.
      rewrite (Expect_ext _ _ (fun d => Err_of M X (K_arms k) DD law (doubling T) (risk_rates k e g) l f
         (linear_estimate dim phi (weights l (pooled M d)))))
        by (intro d; unfold linear_routine; rewrite Expect_dirac, update_same; reflexivity).
      eapply Rle_trans; [apply Hweights; try assumption; apply risk_rates_nonneg; exact Hg|].
      rewrite (W_samples M T). pose proof (count_pos l ltac:(lia)). apply Rmult_le_compat_l; [lra|]. apply He. lia.
    Qed.
    Lemma ridge_decreases l : (1 <= l)%nat -> (S (S l) <= epochs_until T)%nat -> ridge_risk risk (S l) <= ridge_risk risk l.
    Proof.
      intros H1 H2. pose proof (lengths_grow l H1 H2). pose proof (count_pos l ltac:(lia)).
      apply Rmult_le_compat_l; [lra|]. apply Rinv_le_contravar; lra.
    Qed.
    Lemma scaled_decreases l : (1 <= l)%nat -> (S (S l) <= epochs_until T)%nat -> scaled_risk risk (S l) <= scaled_risk risk l.
    Proof.
      intros H1 H2. pose proof (lengths_grow l H1 H2). pose proof (count_pos l ltac:(lia)).
      apply Rmult_le_compat_l; [lra|]. apply Rinv_le_contravar; lra.
    Qed.

    Lemma any_solver_repaired : linear_Reg_T weights (ridge_risk risk) 1 <=
      uncapped_sum 11 M k T (ridge_risk risk) <=
      linear_repaired_bound (INR M) (INR k) (INR T) risk.
    Proof.
      apply (thm_risk_repaired_closed M X k DD law (linear_routine weights) (ridge_risk risk) T 1 HM Hk (fun _ => HD0) (fun _ => HD1)
        (fun _ => HR) (fun _ => HR01) (fun l h => distribution_dirac _) HT ltac:(lra) ridge_risk_pos ridge_decreases common_estimate
        (fun m x => eq_refl) (routine_reaches weights)).
      - intros l h f. apply solver_H3_at; [lra|]. intros; lra.
      - lra.
      - reflexivity.
      - exact ridge_below_scaled.
    Qed.
    Lemma any_solver_sharpened g q : 0 < g -> 1 - / INR k <= q ->
      linear_Reg_T weights (ridge_risk risk) g <=
        capped_sum (sharpened_constant 1 g q / g) M k T (ridge_risk risk) <=
        linear_bound (sharpened_constant 1 g q / g) (INR M) (INR k) (INR T) risk.
    Proof.
      intros Hg Hq.
      apply (risk_closed M X k DD law (linear_routine weights) (ridge_risk risk) T g HM Hk HT Hg risk (sharpened_constant 1 g q)).
      - lra.
      - apply (sharpened_nonneg k g Hk q Hq).
      - exact ridge_below_scaled.
      - apply (thm_risk_sharpened M X k DD law (linear_routine weights) (ridge_risk risk) T g HM Hk (fun _ => HD0) (fun _ => HD1)
          (fun _ => HR) (fun _ => HR01) (fun l h => distribution_dirac _) HT Hg ridge_risk_pos ridge_decreases common_estimate
          (fun m x => eq_refl) (routine_reaches weights)); [|exact Hq].
        intros l h f. apply solver_H3_at; [exact Hg|]. intros; lra.
    Qed.
    Lemma any_solver_best g : 0 < g -> (3 <= k)%nat -> g ^ 2 <= 6 / 5 ->
      linear_Reg_T weights (scaled_risk risk) g <=
        capped_sum (doubling_constant (INR k) g / g) M k T (scaled_risk risk) <=
        linear_bound (doubling_constant (INR k) g / g) (INR M) (INR k) (INR T) risk.
    Proof.
      intros Hg Hk3 Hg2.
      apply (risk_closed M X k DD law (linear_routine weights) (scaled_risk risk) T g HM Hk HT Hg risk (doubling_constant (INR k) g)).
      - lra.
      - apply (doubling_above_g k g Hg). lia.
      - intros l _. unfold scaled_risk. lra.
      - apply (thm_risk_best M X k DD law (linear_routine weights) (scaled_risk risk) T g HM Hk (fun _ => HD0) (fun _ => HD1)
          (fun _ => HR) (fun _ => HR01) (fun l h => distribution_dirac _) HT Hg scaled_risk_pos scaled_decreases common_estimate
          (fun m x => eq_refl) (routine_reaches weights)); auto.
        + intros l h f. apply solver_H3_at; [exact Hg|]. exact ridge_below_scaled.
        + intros l H1 H2. unfold scaled_risk. rewrite (lengths_double l H1 H2), mult_INR. change (INR 2) with 2.
          pose proof (count_pos l ltac:(lia)) as Hc. field.
          split; intro Hz; rewrite Hz in Hc; lra.
    Qed.
    Lemma any_solver_best_two_arms g : 0 < g -> k = 2%nat ->
      linear_Reg_T weights (scaled_risk risk) g <=
        capped_sum (two_arm_constant g / g) M k T (scaled_risk risk) <=
        linear_bound (two_arm_constant g / g) (INR M) (INR k) (INR T) risk.
    Proof.
      intros Hg Hk2.
      apply (risk_closed M X k DD law (linear_routine weights) (scaled_risk risk) T g HM Hk HT Hg risk (two_arm_constant g)).
      - lra.
      - unfold two_arm_constant. pose proof (pow2_ge_0 g). lra.
      - intros l _. unfold scaled_risk. lra.
      - apply (thm_risk_best_two_arms M X k DD law (linear_routine weights) (scaled_risk risk) T g HM Hk (fun _ => HD0) (fun _ => HD1)
          (fun _ => HR) (fun _ => HR01) (fun l h => distribution_dirac _) HT Hg scaled_risk_pos scaled_decreases common_estimate
          (fun m x => eq_refl) (routine_reaches weights)); auto.
        intros l h f. apply solver_H3_at; [exact Hg|]. exact ridge_below_scaled.
    Qed.

    (** the three at their best rates *)
    Lemma any_solver_sharpened_at_best : let q := 1 - / INR k in
      linear_Reg_T weights (ridge_risk risk) (sqrt ((3 * q + 1) / 8)) <=
        capped_sum (linear_sharpened_constant q) M k T (ridge_risk risk) <=
        linear_bound (linear_sharpened_constant q) (INR M) (INR k) (INR T) risk.
    Proof.
      intro q. assert (Hkk : 1 <= INR k) by (replace 1 with (INR 1) by reflexivity; apply le_INR, Hk).
      assert (Hki : 0 < / INR k <= 1) by (split; [apply Rinv_0_lt_compat; lra|rewrite <- Rinv_1; apply Rinv_le_contravar; lra]).
      assert (Hq0 : 0 <= q) by (unfold q; lra).
      assert (Hgp : 0 < sqrt ((3 * q + 1) / 8)) by (apply sqrt_lt_R0; lra).
      pose proof (any_solver_sharpened (sqrt ((3 * q + 1) / 8)) q Hgp ltac:(unfold q; lra)) as H0.
      pose proof (sharpened_constant_attained 1 q ltac:(lra) ltac:(lra)) as H1. cbv zeta in H1.
      replace ((3 * 1 * q + 1) / (8 * 1 ^ 3)) with ((3 * q + 1) / 8) in H1 by field.
      replace (2 * 1 * (3 * 1 * q + 1)) with (2 * (3 * q + 1)) in H1 by ring.
      rewrite H1 in H0. exact H0.
    Qed.
    Lemma any_solver_best_at_best : (3 <= k)%nat ->
      linear_Reg_T weights (scaled_risk risk) (sqrt (Rmax (1 - / INR k) (1 - 2 / INR k + doubling_arms) / doubling_risk)) <=
        capped_sum (doubling_over_g (INR k)) M k T (scaled_risk risk) <=
        linear_bound (doubling_over_g (INR k)) (INR M) (INR k) (INR T) risk.
    Proof.
      intro Hk3. assert (H2 : 2 <= INR k) by (change 2 with (INR 2); apply le_INR; lia).
      pose proof (arms_positive doubling_arms (INR k) H2) as HC.
      pose proof (arms_below doubling_arms (INR k) H2 ltac:(unfold doubling_arms; lra)) as HC1.
      assert (HB : 0 < doubling_risk) by (unfold doubling_risk; lra).
      rewrite <- (doubling_constant_attained (INR k) H2). apply any_solver_best; [|exact Hk3|].
      - apply sqrt_lt_R0. apply Rdiv_lt_0_compat; assumption.
      - rewrite pow2_sqrt by (left; apply Rdiv_lt_0_compat; assumption).
        apply (Rmult_le_reg_r doubling_risk); [exact HB|].
        replace (Rmax (1 - / INR k) (1 - 2 / INR k + doubling_arms) / doubling_risk * doubling_risk)
          with (Rmax (1 - / INR k) (1 - 2 / INR k + doubling_arms)) by (field; lra).
        unfold doubling_arms, doubling_risk in *. lra.
    Qed.
    Lemma any_solver_best_two_arms_at_best : k = 2%nat ->
      linear_Reg_T weights (scaled_risk risk) (sqrt (2 / 9)) <=
        capped_sum (3 / sqrt 2) M k T (scaled_risk risk) <=
        linear_bound (3 / sqrt 2) (INR M) (INR k) (INR T) risk.
    Proof.
      intro Hk2. rewrite <- two_arm_constant_attained. apply any_solver_best_two_arms; [apply sqrt_lt_R0; lra|exact Hk2].
    Qed.
  End AnySolver.

  (** ** The direct method: the exact solution of the ridge problem *)
  Definition direct_weights (l : nat) (t : list sample) : vector :=
    ridge_fit (feature phi) (0%nat, 0%nat) dim (pooled_count (doubling T) l M) t.
  Lemma direct_H3 gamma l f : 0 <= gamma l -> common_estimate f -> (1 <= l)%nat -> (S l <= epochs_until T)%nat ->
    Expect (all_agents X (K_arms k) DD law (doubling T) gamma l f M)
      (fun ds => Err_of M X (K_arms k) DD law (doubling T) gamma l f (linear_estimate dim phi (direct_weights l (pooled M ds)))) <=
    Protocol.W M (doubling T) l * (A / (Protocol.W M (doubling T) l + 1)).
  Proof.
    intros Hg Hf _ _.
    exact (ridge_H3 M contexts k D reward_law (doubling T) gamma dim phi wstar Hk HD0 HD1 HR HR01 Hlin Hphi A A_large l f Hg Hf).
  Qed.

  (** col:linear, repaired, direct method:  Reg(T) <= 2M + 11 (2 + sqrt 2) sqrt(M K T (d/4 + norm2)). *)
  Theorem col_linear_repaired :
    linear_Reg_T direct_weights (ridge_risk (linear_constant (INR dim) norm2)) 1 <=
      uncapped_sum 11 M k T (ridge_risk (linear_constant (INR dim) norm2)) <=
      linear_repaired_bound (INR M) (INR k) (INR T) (linear_constant (INR dim) norm2).
  Proof. apply any_solver_repaired; [exact A_positive | exact direct_H3]. Qed.
  (** col:linear, sharpened, direct method, g^2 = (3q + 1)/8:
      Reg(T) <= 2M(1 - 1/K) + (14/9) sqrt(2(3q + 1)) (2 + sqrt 2) sqrt(M K T (d/4 + norm2)). *)
  Theorem col_linear_sharpened :
    let q := 1 - / INR k in
    linear_Reg_T direct_weights (ridge_risk (linear_constant (INR dim) norm2)) (sqrt ((3 * q + 1) / 8)) <=
      capped_sum (linear_sharpened_constant q) M k T (ridge_risk (linear_constant (INR dim) norm2)) <=
      linear_bound (linear_sharpened_constant q) (INR M) (INR k) (INR T) (linear_constant (INR dim) norm2).
  Proof. apply any_solver_sharpened_at_best; [exact A_positive | exact direct_H3]. Qed.
  (** col:linear, best, direct method, K >= 3: the constant is at most 3.6981. *)
  Theorem col_linear_best : (3 <= k)%nat ->
    linear_Reg_T direct_weights (scaled_risk (linear_constant (INR dim) norm2))
      (sqrt (Rmax (1 - / INR k) (1 - 2 / INR k + doubling_arms) / doubling_risk)) <=
      capped_sum (doubling_over_g (INR k)) M k T (scaled_risk (linear_constant (INR dim) norm2)) <=
      linear_bound (doubling_over_g (INR k)) (INR M) (INR k) (INR T) (linear_constant (INR dim) norm2).
  Proof. apply any_solver_best_at_best; [exact A_positive | exact direct_H3]. Qed.
  (** col:linear, best, direct method, two arms:  3 / sqrt 2. *)
  Theorem col_linear_best_two_arms : k = 2%nat ->
    linear_Reg_T direct_weights (scaled_risk (linear_constant (INR dim) norm2)) (sqrt (2 / 9)) <=
      capped_sum (3 / sqrt 2) M k T (scaled_risk (linear_constant (INR dim) norm2)) <=
      linear_bound (3 / sqrt 2) (INR M) (INR k) (INR T) (linear_constant (INR dim) norm2).
  Proof. apply any_solver_best_two_arms_at_best; [exact A_positive | exact direct_H3]. Qed.

  (** ** Accelerated gradient descent *)
  Variables (delta : R) (rounds : nat -> nat).
  Hypothesis Hdelta : 0 < delta.
  (** (5/4) n exp(-k_l / sqrt(n + 1)) <= delta^2 A / (n + 1), n = M E^l *)
  Hypothesis enough_rounds : forall l, (1 <= l)%nat -> (S l <= epochs_until T)%nat ->
    let n := pooled_count (doubling T) l M in
    agd_start_constant * INR n * exp (- (INR (rounds l) / sqrt (INR n + 1))) <=
      delta ^ 2 * (linear_constant (INR dim) norm2 / INR (S n)).
  Definition agd_weights (l : nat) (t : list sample) : vector :=
    agd dim (pooled_count (doubling T) l M) (fun j => at_point (feature phi) (0%nat, 0%nat) t j)
      (fun j => snd (nth j t (nowhere (0%nat, 0%nat)))) (rounds l).

  Lemma pooled_ge_1 l : (1 <= l)%nat -> (S l <= epochs_until T)%nat -> (1 <= pooled_count (doubling T) l M)%nat.
  Proof.
    intros H1 H2. destruct M as [|M']; [lia|]. simpl. pose proof (doubling_positive T HT l M' ltac:(lia)). lia.
  Qed.
  Lemma agd_accurate l t : (1 <= l)%nat -> (S l <= epochs_until T)%nat -> good_list (pooled_count (doubling T) l M) t ->
    square_norm dim (minus (agd_weights l t) (direct_weights l t)) <= delta ^ 2 * (A / INR (S (pooled_count (doubling T) l M))).
  Proof.
    intros H1 H2 [Hlen Hunit]. eapply Rle_trans; [|apply enough_rounds; assumption].
    set (n := pooled_count (doubling T) l M) in *. apply agd_ridge_distance.
    - apply pooled_ge_1; assumption.
    - intros j _. unfold at_point, feature. apply Hphi.
    - intros j Hj. apply (proj1 (Forall_forall _ _) Hunit (nth j t (nowhere (0%nat, 0%nat)))). apply nth_In. rewrite Hlen. exact Hj.
    - intros i Hi. unfold direct_weights. fold n. unfold ridge_gradient, ridge_fit, ridge_solution.
      set (p := fun j => at_point (feature phi) (0%nat, 0%nat) t j). set (r := fun j => snd (nth j t (nowhere (0%nat, 0%nat)))).
      pose proof (solve_solves dim p n (fun i => sum n (fun j => r j * p j i)) i Hi) as Es. unfold RidgeExcessRisk.A in Es.
      set (w := solve dim p n (fun i => sum n (fun j => r j * p j i))) in *.
      change (2 * (/ INR n * sum n (fun j => (dot dim (p j) w - r j) * p j i)) + 2 * (/ INR n * w i) = 0).
      rewrite (sum_ext n (fun j => (dot dim (p j) w - r j) * p j i) (fun j => dot dim (p j) w * p j i - r j * p j i)) by (intros; ring).
      rewrite sum_minus.
      assert (HN : INR n <> 0) by (apply not_0_INR; pose proof (pooled_ge_1 l H1 H2); unfold n; lia).
      replace (w i) with (sum n (fun j => r j * p j i) - sum n (fun j => dot dim (p j) w * p j i)) by lra. field. exact HN.
  Qed.
  Lemma agd_positive : 0 < (1 + delta) ^ 2 * A.
  Proof. pose proof A_positive. apply Rmult_lt_0_compat; [apply pow_lt; lra|assumption]. Qed.
  Lemma agd_H3 gamma l f : 0 <= gamma l -> common_estimate f -> (1 <= l)%nat -> (S l <= epochs_until T)%nat ->
    Expect (all_agents X (K_arms k) DD law (doubling T) gamma l f M)
      (fun ds => Err_of M X (K_arms k) DD law (doubling T) gamma l f (linear_estimate dim phi (agd_weights l (pooled M ds)))) <=
    Protocol.W M (doubling T) l * ((1 + delta) ^ 2 * A / (Protocol.W M (doubling T) l + 1)).
  Proof.
    intros Hg Hf H1 H2.
    apply (solver_H3 M contexts k D reward_law (doubling T) gamma dim phi wstar Hk HD0 HD1 HR HR01 Hlin Hphi A A_large l f Hg Hf
      (agd_weights l) delta Hdelta).
    intros t Ht. apply agd_accurate; assumption.
  Qed.

  (** col:linear, repaired, AGD:  the same with the factor 1 + delta. *)
  Theorem col_linear_repaired_agd :
    linear_Reg_T agd_weights (ridge_risk ((1 + delta) ^ 2 * linear_constant (INR dim) norm2)) 1 <=
      uncapped_sum 11 M k T (ridge_risk ((1 + delta) ^ 2 * linear_constant (INR dim) norm2)) <=
      linear_repaired_bound (INR M) (INR k) (INR T) ((1 + delta) ^ 2 * linear_constant (INR dim) norm2).
  Proof. apply any_solver_repaired; [exact agd_positive | exact agd_H3]. Qed.
  (** col:linear, sharpened, AGD:  the same with the factor 1 + delta. *)
  Theorem col_linear_sharpened_agd :
    let q := 1 - / INR k in
    linear_Reg_T agd_weights (ridge_risk ((1 + delta) ^ 2 * linear_constant (INR dim) norm2)) (sqrt ((3 * q + 1) / 8)) <=
      capped_sum (linear_sharpened_constant q) M k T (ridge_risk ((1 + delta) ^ 2 * linear_constant (INR dim) norm2)) <=
      linear_bound (linear_sharpened_constant q) (INR M) (INR k) (INR T) ((1 + delta) ^ 2 * linear_constant (INR dim) norm2).
  Proof. apply any_solver_sharpened_at_best; [exact agd_positive | exact agd_H3]. Qed.
  (** col:linear, best, AGD, K >= 3. *)
  Theorem col_linear_best_agd : (3 <= k)%nat ->
    linear_Reg_T agd_weights (scaled_risk ((1 + delta) ^ 2 * linear_constant (INR dim) norm2))
      (sqrt (Rmax (1 - / INR k) (1 - 2 / INR k + doubling_arms) / doubling_risk)) <=
      capped_sum (doubling_over_g (INR k)) M k T (scaled_risk ((1 + delta) ^ 2 * linear_constant (INR dim) norm2)) <=
      linear_bound (doubling_over_g (INR k)) (INR M) (INR k) (INR T) ((1 + delta) ^ 2 * linear_constant (INR dim) norm2).
  Proof. apply any_solver_best_at_best; [exact agd_positive | exact agd_H3]. Qed.
  (** col:linear, best, AGD, two arms. *)
  Theorem col_linear_best_two_arms_agd : k = 2%nat ->
    linear_Reg_T agd_weights (scaled_risk ((1 + delta) ^ 2 * linear_constant (INR dim) norm2)) (sqrt (2 / 9)) <=
      capped_sum (3 / sqrt 2) M k T (scaled_risk ((1 + delta) ^ 2 * linear_constant (INR dim) norm2)) <=
      linear_bound (3 / sqrt 2) (INR M) (INR k) (INR T) ((1 + delta) ^ 2 * linear_constant (INR dim) norm2).
  Proof. apply any_solver_best_two_arms_at_best; [exact agd_positive | exact agd_H3]. Qed.
End LinearRegret.
