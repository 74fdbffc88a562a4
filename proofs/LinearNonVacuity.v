(** * col:linear, col:linear_per and own:lower_bound are not vacuous

    One agent, one context, features e_0 for the first arm and e_1 for all others in dimension 2, wstar = (3/4, 1/4), Bernoulli rewards,
    T = 2^14.  Always playing a wrong arm has regret T/2.  Main results: [linear_example_bound], [linear_example_not_vacuous] (sharpened,
    two arms) and the same with [_best] (three arms): every hypothesis of LinearRegret.v holds and the bound is below T/2.
    [personal_example_bound], [personal_example_not_vacuous] and [_best]: the same for two agents with a coordinate of their own each.
    [enough_rounds_exist]: so does the one on AGD.  [lower_example]: rewards 1 and 0, where the lower bound applies to any FL routine with outputs in [0,1].         *)
From Coq Require Import Reals Lra Lia Psatz List Arith ZArith.
From FedIGW Require Import FiniteSums FiniteProbability Hoeffding InverseGapWeighting AcceleratedGradient RidgeExcessRisk BestParameters Protocol
  DoublingSchedule LinearRegret LinearDifferentLaws ColLinearPer LowerBound NonVacuity.
Import ListNotations.
Open Scope R_scope.

Definition example_features (x a : nat) : vector := fun i => if Nat.eq_dec i (if Nat.eq_dec a 0 then 0 else 1) then 1 else 0.
Definition example_weights : vector := fun i => if Nat.eq_dec i 0 then 3 / 4 else 1 / 4.
Definition linear_example_regret (k : nat) (e : nat -> R) (g : R) : R :=
  linear_Reg_T 1 1 k (fun _ => 1) (fun x a => example_rewards 0 x a) example_horizon 2 example_features
    (direct_weights 1 example_horizon 2 example_features) e g.
(** 1 - 1/2 *)
Definition example_q : R := 1 - / INR 2.

Lemma both_ends a b c : a <= b <= c -> a <= c.
Proof. lra. Qed.
Lemma example_horizon_large : (3 <= example_horizon)%nat.
Proof. unfold example_horizon. apply Nat.le_trans with (2 ^ 2)%nat; [simpl; lia | apply Nat.pow_le_mono_r; lia]. Qed.
Lemma example_laws x a : distribution (example_rewards 0 x a).
Proof. apply bernoulli_distribution. destruct (Nat.eq_dec a 0); lra. Qed.
Lemma example_unit x a : Forall (fun pr => 0 <= snd pr <= 1) (example_rewards 0 x a).
Proof. unfold example_rewards, bernoulli. repeat apply Forall_cons; try apply Forall_nil; simpl; lra. Qed.
Lemma example_linear x a : Expect (example_rewards 0 x a) (fun r => r) = dot 2 (example_features x a) example_weights.
Proof.
  unfold example_rewards, bernoulli, dot, example_features, example_weights. destruct (Nat.eq_dec a 0); simpl; lra.
Qed.
Lemma example_norms x a : square_norm 2 (example_features x a) <= 1.
Proof. unfold square_norm, dot, example_features. destruct (Nat.eq_dec a 0); simpl; lra. Qed.
Lemma example_weights_norm : square_norm 2 example_weights <= 1.
Proof. unfold square_norm, dot, example_weights. simpl. lra. Qed.

(** col:linear, sharpened, applies: every hypothesis holds for the example with two arms. *)
Theorem linear_example_bound :
  linear_example_regret 2 (ridge_risk 1 example_horizon (linear_constant (INR 2) 1)) (sqrt ((3 * example_q + 1) / 8)) <=
    linear_bound (linear_sharpened_constant example_q) (INR 1) (INR 2) (INR example_horizon) (linear_constant (INR 2) 1).
Proof.
  eapply both_ends. apply (col_linear_sharpened 1 1 2 (fun _ => 1) (fun x a => example_rewards 0 x a) example_horizon 2 example_features example_weights 1);
    auto using example_laws, example_unit, example_linear, example_norms, example_weights_norm, example_horizon_large; try lia.
  - intros. lra.
  - simpl. lra.
Qed.
(** col:linear, best, applies: every hypothesis holds for the example with three arms. *)
Theorem linear_example_bound_best :
  linear_example_regret 3 (scaled_risk 1 example_horizon (linear_constant (INR 2) 1))
    (sqrt (Rmax (1 - / INR 3) (1 - 2 / INR 3 + doubling_arms) / doubling_risk)) <=
    linear_bound (doubling_over_g (INR 3)) (INR 1) (INR 3) (INR example_horizon) (linear_constant (INR 2) 1).
Proof.
  eapply both_ends. apply (col_linear_best 1 1 3 (fun _ => 1) (fun x a => example_rewards 0 x a) example_horizon 2 example_features example_weights 1);
    auto using example_laws, example_unit, example_linear, example_norms, example_weights_norm, example_horizon_large; try lia.
  - intros. lra.
  - simpl. lra.
Qed.

(** The bound is below the regret T/2 of the worst play. *)
Theorem linear_example_not_vacuous :
  linear_bound (linear_sharpened_constant example_q) (INR 1) (INR 2) (INR example_horizon) (linear_constant (INR 2) 1) <
    INR example_horizon / 2.
Proof.
  rewrite example_horizon_value. unfold linear_bound, linear_sharpened_constant, linear_constant, example_q.
  change (INR 2) with 2. change (INR 1) with 1.
  assert (S2 : sqrt 2 * sqrt 2 = 2) by (apply sqrt_sqrt; lra). assert (S0 : 0 <= sqrt 2) by apply sqrt_pos.
  assert (S1 : sqrt 2 <= 3 / 2) by nra.
  assert (Q1 : sqrt (2 * (3 * (1 - / 2) + 1)) <= 9 / 4).
  { rewrite <- (sqrt_square (9 / 4)) by lra. apply sqrt_le_1_alt. lra. }
  assert (Q0 : 0 <= sqrt (2 * (3 * (1 - / 2) + 1))) by apply sqrt_pos.
  assert (R1 : sqrt (1 * 2 * 16384 * (2 / 4 + 1)) <= 222).
  { rewrite <- (sqrt_square 222) by lra. apply sqrt_le_1_alt. lra. }
  assert (R0 : 0 <= sqrt (1 * 2 * 16384 * (2 / 4 + 1))) by apply sqrt_pos.
  assert (C2 : 14 / 9 * sqrt (2 * (3 * (1 - / 2) + 1)) * (2 + sqrt 2) <= 14 / 9 * (9 / 4) * (7 / 2)) by (apply Rmult_le_compat; lra).
  assert (C3 : 14 / 9 * sqrt (2 * (3 * (1 - / 2) + 1)) * (2 + sqrt 2) * sqrt (1 * 2 * 16384 * (2 / 4 + 1)) <= 14 / 9 * (9 / 4) * (7 / 2) * 222)
    by (apply Rmult_le_compat; [apply Rmult_le_pos; lra | exact R0 | exact C2 | exact R1]).
  lra.
Qed.
(** So is the bound of the variant best with three arms. *)
Theorem linear_example_not_vacuous_best :
  linear_bound (doubling_over_g (INR 3)) (INR 1) (INR 3) (INR example_horizon) (linear_constant (INR 2) 1) < INR example_horizon / 2.
Proof.
  rewrite example_horizon_value. unfold linear_bound, linear_constant. replace (INR 3) with 3 by (simpl; ring).
  change (INR 2) with 2. change (INR 1) with 1.
  assert (S2 : sqrt 2 * sqrt 2 = 2) by (apply sqrt_sqrt; lra). assert (S0 : 0 <= sqrt 2) by apply sqrt_pos.
  assert (S1 : sqrt 2 <= 3 / 2) by nra.
  assert (R1 : sqrt (1 * 3 * 16384 * (2 / 4 + 1)) <= 272).
  { rewrite <- (sqrt_square 272) by lra. apply sqrt_le_1_alt. lra. }
  assert (R0 : 0 <= sqrt (1 * 3 * 16384 * (2 / 4 + 1))) by apply sqrt_pos.
  pose proof (doubling_over_g_value 3 ltac:(lra)) as C1.
  assert (C0 : 0 <= doubling_over_g 3) by (unfold doubling_over_g; apply Rmult_le_pos; [lra|apply sqrt_pos]).
  assert (C2 : doubling_over_g 3 * (2 + sqrt 2) <= 36981 / 10000 * (7 / 2)) by (apply Rmult_le_compat; lra).
  assert (C3 : doubling_over_g 3 * (2 + sqrt 2) * sqrt (1 * 3 * 16384 * (2 / 4 + 1)) <= 36981 / 10000 * (7 / 2) * 272)
    by (apply Rmult_le_compat; [apply Rmult_le_pos; lra | exact R0 | exact C2 | exact R1]).
  lra.
Qed.

(** ** col:linear_per: two agents, one shared coordinate and one of its own each; agent 0's is worth 1/4, agent 1's 0 *)
Definition personal_mean (m a : nat) : R := if Nat.eq_dec a 0 then 3 / 4 else if Nat.eq_dec m 0 then 1 / 4 else 0.
Definition personal_example_rewards (m x a : nat) : list (R * R) := bernoulli (personal_mean m a).
Definition personal_example_weights (m : nat) : vector := fun i => if Nat.eq_dec i 0 then 3 / 4 else if Nat.eq_dec m 0 then 1 / 4 else 0.
(** d~/4 + (9/4) M *)
Definition personal_example_constant : R := different_constant (INR (lifted_dimension 1 (fun _ => 1%nat) 2)) (INR 2).
Definition personal_example_regret (k : nat) (g : R) : R :=
  personal_Reg_T 2 k 1 example_horizon (fun _ => 1%nat) (fun _ => 1%nat) (fun _ _ => 1) personal_example_rewards (fun _ => example_features)
    (personal_direct 2 1 example_horizon (fun _ => 1%nat) (fun _ => example_features)) personal_example_constant g.
(** every hypothesis of col:linear_per holds, whatever the number of arms *)
Lemma personal_example_hypotheses :
  (forall m x a, distribution (personal_example_rewards m x a)) /\
  (forall m x a, Forall (fun pr => 0 <= snd pr <= 1) (personal_example_rewards m x a)) /\
  (forall m x a, Expect (personal_example_rewards m x a) (fun r => r) = dot (1 + 1) (example_features x a) (personal_example_weights m)) /\
  (forall m i, (i < 1)%nat -> personal_example_weights m i = personal_example_weights 0 i) /\
  (forall m : nat, square_norm (1 + 1) (personal_example_weights m) <= 1).
Proof.
  unfold personal_example_rewards, personal_example_weights, personal_mean. repeat split.
  - apply bernoulli_distribution. destruct (Nat.eq_dec a 0); [lra|destruct (Nat.eq_dec m 0); lra].
  - apply bernoulli_distribution. destruct (Nat.eq_dec a 0); [lra|destruct (Nat.eq_dec m 0); lra].
  - intros m x a. unfold bernoulli. repeat apply Forall_cons; try apply Forall_nil; simpl; lra.
  - intros m x a. unfold bernoulli, dot, example_features. destruct (Nat.eq_dec a 0), (Nat.eq_dec m 0); simpl; lra.
  - intros m i Hi. destruct (Nat.eq_dec i 0); [reflexivity|lia].
  - intro m. unfold square_norm. destruct (Nat.eq_dec m 0); simpl; lra.
Qed.
(** col:linear_per, sharpened, applies: every hypothesis holds for the example with two arms. *)
Theorem personal_example_bound :
  personal_example_regret 2 (sqrt ((3 * example_q + 1) / 8)) <=
    linear_bound (linear_sharpened_constant example_q) (INR 2) (INR 2) (INR example_horizon) personal_example_constant.
Proof.
  destruct personal_example_hypotheses as (H1 & H2 & H3 & H4 & H5).
  eapply both_ends. apply (col_linear_per_sharpened 2 2 1 example_horizon (fun _ => 1%nat) (fun _ => 1%nat) (fun _ _ => 1) personal_example_rewards
    (fun _ => example_features) personal_example_weights); auto using example_horizon_large; try lia.
  - unfold lifted_dimension. simpl. lia.
  - intros. lra.
  - intros. simpl. lra.
  - intros. apply example_norms.
Qed.
(** col:linear_per, best, applies: every hypothesis holds for the example with three arms. *)
Theorem personal_example_bound_best :
  personal_example_regret 3 (sqrt (Rmax (1 - / INR 3) (1 - 2 / INR 3 + doubling_arms) / doubling_risk)) <=
    linear_bound (doubling_over_g (INR 3)) (INR 2) (INR 3) (INR example_horizon) personal_example_constant.
Proof.
  destruct personal_example_hypotheses as (H1 & H2 & H3 & H4 & H5).
  eapply both_ends. apply (col_linear_per_best 2 3 1 example_horizon (fun _ => 1%nat) (fun _ => 1%nat) (fun _ _ => 1) personal_example_rewards
    (fun _ => example_features) personal_example_weights); auto using example_horizon_large; try lia.
  - unfold lifted_dimension. simpl. lia.
  - intros. lra.
  - intros. simpl. lra.
  - intros. apply example_norms.
Qed.
(** Both bounds are below M T/2, the least regret of always playing a wrong arm. *)
Theorem personal_example_not_vacuous :
  linear_bound (linear_sharpened_constant example_q) (INR 2) (INR 2) (INR example_horizon) personal_example_constant <
    INR 2 * INR example_horizon / 2.
Proof.
  rewrite example_horizon_value. unfold linear_bound, linear_sharpened_constant, personal_example_constant, different_constant, lifted_dimension, example_q.
  change (1 + before (fun _ => 1) 2)%nat with 3%nat. change (INR 2) with 2. replace (INR 3) with 3 by (simpl; ring).
  assert (S2 : sqrt 2 * sqrt 2 = 2) by (apply sqrt_sqrt; lra). assert (S0 : 0 <= sqrt 2) by apply sqrt_pos.
  assert (S1 : sqrt 2 <= 3 / 2) by nra.
  assert (Q1 : sqrt (2 * (3 * (1 - / 2) + 1)) <= 9 / 4).
  { rewrite <- (sqrt_square (9 / 4)) by lra. apply sqrt_le_1_alt. lra. }
  assert (Q0 : 0 <= sqrt (2 * (3 * (1 - / 2) + 1))) by apply sqrt_pos.
  assert (R1 : sqrt (2 * 2 * 16384 * (3 / 4 + 9 / 4 * 2)) <= 587).
  { rewrite <- (sqrt_square 587) by lra. apply sqrt_le_1_alt. lra. }
  assert (R0 : 0 <= sqrt (2 * 2 * 16384 * (3 / 4 + 9 / 4 * 2))) by apply sqrt_pos.
  assert (C2 : 14 / 9 * sqrt (2 * (3 * (1 - / 2) + 1)) * (2 + sqrt 2) <= 14 / 9 * (9 / 4) * (7 / 2)) by (apply Rmult_le_compat; lra).
  assert (C3 : 14 / 9 * sqrt (2 * (3 * (1 - / 2) + 1)) * (2 + sqrt 2) * sqrt (2 * 2 * 16384 * (3 / 4 + 9 / 4 * 2)) <= 14 / 9 * (9 / 4) * (7 / 2) * 587)
    by (apply Rmult_le_compat; [apply Rmult_le_pos; lra | exact R0 | exact C2 | exact R1]).
  lra.
Qed.
(** So is the bound of the variant best with three arms. *)
Theorem personal_example_not_vacuous_best :
  linear_bound (doubling_over_g (INR 3)) (INR 2) (INR 3) (INR example_horizon) personal_example_constant <
    INR 2 * INR example_horizon / 2.
Proof.
  rewrite example_horizon_value. unfold linear_bound, personal_example_constant, different_constant, lifted_dimension.
  change (1 + before (fun _ => 1) 2)%nat with 3%nat. change (INR 2) with 2. replace (INR 3) with 3 by (simpl; ring).
  assert (S2 : sqrt 2 * sqrt 2 = 2) by (apply sqrt_sqrt; lra). assert (S0 : 0 <= sqrt 2) by apply sqrt_pos.
  assert (S1 : sqrt 2 <= 3 / 2) by nra.
  assert (R1 : sqrt (2 * 3 * 16384 * (3 / 4 + 9 / 4 * 2)) <= 719).
  { rewrite <- (sqrt_square 719) by lra. apply sqrt_le_1_alt. lra. }
  assert (R0 : 0 <= sqrt (2 * 3 * 16384 * (3 / 4 + 9 / 4 * 2))) by apply sqrt_pos.
  pose proof (doubling_over_g_value 3 ltac:(lra)) as C1.
  assert (C0 : 0 <= doubling_over_g 3) by (unfold doubling_over_g; apply Rmult_le_pos; [lra|apply sqrt_pos]).
  assert (C2 : doubling_over_g 3 * (2 + sqrt 2) <= 36981 / 10000 * (7 / 2)) by (apply Rmult_le_compat; lra).
  assert (C3 : doubling_over_g 3 * (2 + sqrt 2) * sqrt (2 * 3 * 16384 * (3 / 4 + 9 / 4 * 2)) <= 36981 / 10000 * (7 / 2) * 719)
    by (apply Rmult_le_compat; [apply Rmult_le_pos; lra | exact R0 | exact C2 | exact R1]).
  lra.
Qed.

(** Enough rounds of AGD exist, whatever accuracy eps is asked for: exp(-y) <= 1/(1 + y). *)
Definition sufficient_rounds (n : nat) (eps : R) : nat := Z.to_nat (up (sqrt (INR n + 1) * (agd_start_constant * INR n / eps))).
(** The hypothesis of col:linear on the rounds of AGD can be met for every n and every accuracy. *)
Theorem enough_rounds_exist n eps : 0 < eps ->
  agd_start_constant * INR n * exp (- (INR (sufficient_rounds n eps) / sqrt (INR n + 1))) <= eps.
Proof.
  intro He. pose proof (pos_INR n) as Hn. assert (Hs : 0 < sqrt (INR n + 1)) by (apply sqrt_lt_R0; lra).
  assert (Hc : 0 <= agd_start_constant * INR n) by (unfold agd_start_constant; lra).
  assert (Hz : 0 <= agd_start_constant * INR n / eps) by (apply Rmult_le_pos; [exact Hc|left; apply Rinv_0_lt_compat; exact He]).
  set (r := sqrt (INR n + 1) * (agd_start_constant * INR n / eps)).
  assert (Hr : 0 <= r) by (apply Rmult_le_pos; lra). destruct (archimed r) as [Hup _].
  assert (Hk : r <= INR (sufficient_rounds n eps)).
  { unfold sufficient_rounds. fold r. rewrite INR_IZR_INZ, Z2Nat.id; [lra|]. apply le_IZR. simpl. lra. }
  set (y := INR (sufficient_rounds n eps) / sqrt (INR n + 1)).
  assert (Hy : agd_start_constant * INR n / eps <= y).
  { unfold y. apply (Rmult_le_reg_r (sqrt (INR n + 1))); [exact Hs|].
    replace (INR (sufficient_rounds n eps) / sqrt (INR n + 1) * sqrt (INR n + 1)) with (INR (sufficient_rounds n eps)) by (field; lra).
    unfold r in Hk. lra. }
  assert (Hcy : agd_start_constant * INR n <= eps * y).
  { replace (agd_start_constant * INR n) with (eps * (agd_start_constant * INR n / eps)) by (field; lra). apply Rmult_le_compat_l; lra. }
  rewrite exp_Ropp. pose proof (exp_tangent y) as Ht. pose proof (exp_pos y) as Hp.
  apply (Rmult_le_reg_r (exp y)); [exact Hp|].
  replace (agd_start_constant * INR n * / exp y * exp y) with (agd_start_constant * INR n) by (field; lra).
  assert (eps * (1 + y) <= eps * exp y) by (apply Rmult_le_compat_l; lra). lra.
Qed.

(** own:lower_bound applies: one agent, one context, rewards 1 for the first arm and 0 for the other, L epochs of any lengths. *)
Theorem lower_example L len gamma FLroutine : (1 <= L)%nat -> (forall l, (1 <= l <= L)%nat -> 0 <= gamma l) ->
  (forall l h, distribution (FLroutine l h)) -> (forall l h, Forall (fun pf => unit_estimate (snd pf)) (FLroutine l h)) ->
  sum 1 (fun m => E len 1 m * (1 - / INR 2)) + sum (L - 1) (fun i => sum 1 (fun m => E len (i + 2) m * ((INR 2 - 1) / (INR 2 + gamma (i + 2)%nat)))) <=
  Expect (run_law 1 (fun _ => 1%nat) (fun _ => 2%nat) (fun _ _ => 1) (fun _ _ a => dirac (if Nat.eq_dec a 0 then 1 else 0)) len gamma FLroutine L)
    (total_regret 1 (fun _ => 2%nat) (fun _ _ a => dirac (if Nat.eq_dec a 0 then 1 else 0)) L).
Proof.
  intros HL Hg HFL Hunit.
  apply (fedigw_lower_bound 1 (fun _ => 1%nat) (fun _ => 2%nat) (fun _ _ => 1) (fun _ _ a => dirac (if Nat.eq_dec a 0 then 1 else 0))
    L len gamma FLroutine) with (best := fun _ _ => 0%nat); auto; try lia.
  - intros. lra.
  - intros. simpl. lra.
  - intros. apply distribution_dirac.
  - intros m x a. unfold fstar. rewrite Expect_dirac. reflexivity.
Qed.
