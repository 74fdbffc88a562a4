(** * The theorem is not vacuous

    A concrete system that satisfies every hypothesis of col:finite, with a bound below the trivial one.
    One agent, one context, two arms with Bernoulli(3/4) and Bernoulli(1/4) rewards, F = {fstar, fstar with the arms
    exchanged}, T = 2^14.  Always playing the wrong arm has regret T/2; the theorem gives less.  The same with a third arm,
    Bernoulli(1/4), for the variant best.                                                                  *)
From Coq Require Import Reals Lra Lia Psatz List Arith.
From FedIGW Require Import FiniteSums FiniteProbability Hoeffding InverseGapWeighting Constants BestParameters Protocol
  FiniteExponent FiniteError DoublingSchedule FiniteRegret FiniteRegretBest.
Import ListNotations.
Open Scope R_scope.

Definition bernoulli (p : R) : list (R * R) := [(1 - p, 0); (p, 1)].
Definition example_rewards (m x a : nat) : list (R * R) :=
  bernoulli (if Nat.eq_dec a 0 then 3 / 4 else 1 / 4).
Definition example_class (j : nat) : estimate := fun m x a =>
  if Nat.eq_dec j 0 then (if Nat.eq_dec a 0 then 3 / 4 else 1 / 4) else (if Nat.eq_dec a 0 then 1 / 4 else 3 / 4).
Definition example_choice (l : nat) (ds : dataset) : nat :=
  if Rle_dec (loss 1 (example_class 0) ds) (loss 1 (example_class 1) ds) then 0%nat else 1%nat.
(** three arms: f* = (3/4, 1/4, 1/4), and the same with the first two exchanged *)
Definition example_class_3 (j : nat) : estimate := fun m x a =>
  if Nat.eq_dec j 0 then (if Nat.eq_dec a 0 then 3 / 4 else 1 / 4) else (if Nat.eq_dec a 1 then 3 / 4 else 1 / 4).
Definition example_choice_3 (l : nat) (ds : dataset) : nat :=
  if Rle_dec (loss 1 (example_class_3 0) ds) (loss 1 (example_class_3 1) ds) then 0%nat else 1%nat.
Definition example_horizon : nat := (2 ^ 14)%nat.
(** Reg(T) of FedIGW on the example *)
Definition example_regret : R :=
  Reg_T 1 (fun _ => 1%nat) 2 (fun _ _ => 1) example_rewards 2 example_class example_choice example_horizon (/ sqrt 2).

Lemma bernoulli_distribution p : 0 <= p <= 1 -> distribution (bernoulli p).
Proof. intro Hp. split; [unfold bernoulli; repeat apply Forall_cons; try apply Forall_nil; simpl; lra | simpl; lra]. Qed.

(** col:finite applies: every hypothesis holds for the example. *)
Theorem example_regret_bound :
  example_regret <= col_finite_bound col_finite_constant 1 2 (INR example_horizon) (ln 2).
Proof.
  change (example_regret <= col_finite_bound col_finite_constant (INR 1) (INR 2) (INR example_horizon) (ln (INR 2))).
  apply col_finite_sharpened with (jstar := 0%nat); try lia.
  - intros _ _ _. lra.
  - intros _. simpl. lra.
  - intros m x a. apply bernoulli_distribution. destruct (Nat.eq_dec a 0); lra.
  - intros m x a. unfold example_rewards, bernoulli. repeat apply Forall_cons; try apply Forall_nil; simpl; lra.
  - intros j m x a _. unfold example_class. destruct (Nat.eq_dec j 0), (Nat.eq_dec a 0); lra.
  - intros m x a. unfold example_class, fstar, example_rewards, bernoulli. simpl. destruct (Nat.eq_dec a 0); lra.
  - intros l ds. unfold example_choice. destruct (Rle_dec _ _); lia.
  - intros l ds j Hj. unfold example_choice. destruct (Rle_dec _ _); destruct j as [|[|j]]; try lia; lra.
  - unfold example_horizon. apply Nat.le_trans with (2 ^ 2)%nat; [simpl; lia | apply Nat.pow_le_mono_r; lia].
Qed.

(** Reg(T) on the example with three arms, at the rate of the variant best *)
Definition example_regret_best : R :=
  best_Reg_T 1 (fun _ => 1%nat) 3 (fun _ _ => 1) example_rewards 2 example_class_3 example_choice_3 example_horizon
    (sqrt (Rmax (1 - / INR 3) (1 - 2 / INR 3 + doubling_arms) / doubling_risk)).

(** col:finite, best, applies: every hypothesis holds for the example with three arms. *)
Theorem example_regret_bound_best :
  example_regret_best <= col_finite_best_bound (doubling_over_g 3) 1 3 (INR example_horizon) (ln 2).
Proof.
  replace (col_finite_best_bound (doubling_over_g 3) 1 3 (INR example_horizon) (ln 2))
    with (col_finite_best_bound (doubling_over_g (INR 3)) (INR 1) (INR 3) (INR example_horizon) (ln (INR 2)))
    by (replace (INR 3) with 3 by (simpl; ring); reflexivity).
  apply col_finite_best with (jstar := 0%nat); try lia.
  - intros _ _ _. lra.
  - intros _. simpl. lra.
  - intros m x a. apply bernoulli_distribution. destruct (Nat.eq_dec a 0); lra.
  - intros m x a. unfold example_rewards, bernoulli. repeat apply Forall_cons; try apply Forall_nil; simpl; lra.
  - intros j m x a _. unfold example_class_3. destruct (Nat.eq_dec j 0), (Nat.eq_dec a 0), (Nat.eq_dec a 1); lra.
  - intros m x a. unfold example_class_3, fstar, example_rewards, bernoulli. simpl. destruct (Nat.eq_dec a 0); lra.
  - intros l ds. unfold example_choice_3. destruct (Rle_dec _ _); lia.
  - intros l ds j Hj. unfold example_choice_3. destruct (Rle_dec _ _); destruct j as [|[|j]]; try lia; lra.
  - unfold example_horizon. apply Nat.le_trans with (2 ^ 2)%nat; [simpl; lia | apply Nat.pow_le_mono_r; lia].
Qed.

(** col:finite, best, two arms, applies to the example with two. *)
Theorem example_regret_bound_best_two_arms :
  best_Reg_T 1 (fun _ => 1%nat) 2 (fun _ _ => 1) example_rewards 2 example_class example_choice example_horizon (sqrt (2 / 9)) <=
    col_finite_best_bound (3 / sqrt 2) 1 2 (INR example_horizon) (ln 2).
Proof.
  change (best_Reg_T 1 (fun _ => 1%nat) 2 (fun _ _ => 1) example_rewards 2 example_class example_choice example_horizon (sqrt (2 / 9)) <=
    col_finite_best_bound (3 / sqrt 2) (INR 1) (INR 2) (INR example_horizon) (ln (INR 2))).
  apply col_finite_best_two_arms with (jstar := 0%nat); try lia.
  - intros _ _ _. lra.
  - intros _. simpl. lra.
  - intros m x a. apply bernoulli_distribution. destruct (Nat.eq_dec a 0); lra.
  - intros m x a. unfold example_rewards, bernoulli. repeat apply Forall_cons; try apply Forall_nil; simpl; lra.
  - intros j m x a _. unfold example_class. destruct (Nat.eq_dec j 0), (Nat.eq_dec a 0); lra.
  - intros m x a. unfold example_class, fstar, example_rewards, bernoulli. simpl. destruct (Nat.eq_dec a 0); lra.
  - intros l ds. unfold example_choice. destruct (Rle_dec _ _); lia.
  - intros l ds j Hj. unfold example_choice. destruct (Rle_dec _ _); destruct j as [|[|j]]; try lia; lra.
  - unfold example_horizon. apply Nat.le_trans with (2 ^ 2)%nat; [simpl; lia | apply Nat.pow_le_mono_r; lia].
Qed.

Lemma example_horizon_value : INR example_horizon = 16384.
Proof. unfold example_horizon. rewrite pow_INR. simpl INR. lra. Qed.

(** The bound is below the regret T/2 of the worst play, hence below the trivial bound M T. *)
Theorem example_not_vacuous :
  col_finite_bound col_finite_constant 1 2 (INR example_horizon) (ln 2) < INR example_horizon / 2.
Proof.
  rewrite example_horizon_value. unfold col_finite_bound, col_finite_constant.
  assert (S2 : sqrt 2 * sqrt 2 = 2) by (apply sqrt_sqrt; lra).
  assert (S0 : 0 <= sqrt 2) by apply sqrt_pos.
  assert (S1 : sqrt 2 <= 3 / 2) by nra.
  pose proof kappa_ge_third as Hk.
  (* ln 2 <= 1 and kappa >= 1/3 *)
  assert (L2 : 0 < ln 2 <= 1).
  { split; [rewrite <- ln_1; apply ln_increasing; lra|].
    rewrite <- (ln_exp 1). pose proof (exp_tangent 1) as He.
    destruct (Req_dec 2 (exp 1)) as [->|Hn]; [lra | left; apply ln_increasing; lra]. }
  assert (Q : ln 2 / kappa <= 3).
  { apply (Rmult_le_reg_r kappa); [lra|]. replace (ln 2 / kappa * kappa) with (ln 2) by (field; lra). lra. }
  assert (Q0 : 0 <= ln 2 / kappa) by (apply Rmult_le_pos; [lra | left; apply Rinv_0_lt_compat; lra]).
  assert (R1 : sqrt (1 * 2 * 16384 * (ln 2 / kappa)) <= 320).
  { replace 320 with (sqrt (320 * 320)) by (apply sqrt_square; lra). apply sqrt_le_1_alt. lra. }
  assert (R0 : 0 <= sqrt (1 * 2 * 16384 * (ln 2 / kappa))) by apply sqrt_pos.
  assert (C1 : 0 <= 28 * sqrt 2 / 9 * (2 + sqrt 2) <= 49 / 3) by nra.
  nra.
Qed.

(** So is the bound of the variant best with three arms. *)
Theorem example_not_vacuous_best :
  col_finite_best_bound (doubling_over_g 3) 1 3 (INR example_horizon) (ln 2) < INR example_horizon / 2.
Proof.
  rewrite example_horizon_value. unfold col_finite_best_bound.
  assert (S2 : sqrt 2 * sqrt 2 = 2) by (apply sqrt_sqrt; lra).
  assert (S0 : 0 <= sqrt 2) by apply sqrt_pos.
  assert (S1 : sqrt 2 <= 3 / 2) by nra.
  assert (L2 : 0 < ln 2 <= 1).
  { split; [rewrite <- ln_1; apply ln_increasing; lra|].
    rewrite <- (ln_exp 1). pose proof (exp_tangent 1) as He.
    destruct (Req_dec 2 (exp 1)) as [->|Hn]; [lra | left; apply ln_increasing; lra]. }
  assert (R1 : sqrt (1 * 3 * 16384 * (ln 2 / kappa_best)) <= 330).
  { replace 330 with (sqrt (330 * 330)) by (apply sqrt_square; lra). apply sqrt_le_1_alt. unfold kappa_best. lra. }
  assert (R0 : 0 <= sqrt (1 * 3 * 16384 * (ln 2 / kappa_best))) by apply sqrt_pos.
  pose proof (doubling_over_g_value 3 ltac:(lra)) as C1.
  assert (C0 : 0 <= doubling_over_g 3) by (unfold doubling_over_g; apply Rmult_le_pos; [lra|apply sqrt_pos]).
  assert (C2 : doubling_over_g 3 * (2 + sqrt 2) <= 36981 / 10000 * (7 / 2)) by (apply Rmult_le_compat; lra).
  assert (C3 : doubling_over_g 3 * (2 + sqrt 2) * sqrt (1 * 3 * 16384 * (ln 2 / kappa_best)) <= 36981 / 10000 * (7 / 2) * 330)
    by (apply Rmult_le_compat; [apply Rmult_le_pos; lra | exact R0 | exact C2 | exact R1]).
  lra.
Qed.
