(** * Theorem G is not vacuous

    Two agents of weight 1/2 with one shared coordinate, least squares with targets 1 and -1 and noise 1 or -1, so that
    sigma^2 = zeta^2 = mu = beta = 1.  Main result: [local_example]: every hypothesis of LocalConvergence.v holds, and two local
    steps of 1/8 a round give E d_R <= (3/4)^R d_0 + 23/128 from every start.                                             *)
From Coq Require Import Reals Lra Lia Psatz List Arith.
From FedIGW Require Import FiniteSums FiniteProbability Exchangeability LocalSteps LocalRuns AgentSpace LocalConvergence.
Open Scope R_scope.

Definition half (m : nat) : R := 1 / 2.
Definition half_each (m j : nat) : R := 1 / 2.
Definition two_samples (m : nat) : nat := 2%nat.
(** sample j of agent m: 1 or -1, plus 1 or -1 *)
Definition seen (m j : nat) : R := (match m with O => 1 | _ => -1 end) + (match j with O => 1 | _ => -1 end).
Definition squared (m j : nat) (x : nat -> R) : R := / 2 * (x O - seen m j) ^ 2.
Definition slope (m j : nat) (x : nat -> R) (i : nat) : R := x i - seen m j.
Definition best_point : agents_point := fun _ _ => 0.
Notation form := (pip 2 1 half).
Notation server := (average 2 1 half).
Ltac compute_all := unfold objective, shared_noise, personal_noise, agent_variance, mean_gradient, agent_law, finite_law, two_samples, half_each, pip, sq, LocalSteps.sub,
  padd, pscal, slope, squared, seen, best_point, half, average, agents_mean in *; simpl in *.

Lemma example_convex m j x y : squared m j x + sum 1 (fun i => slope m j x i * (y i - x i)) <= squared m j y.
Proof. unfold squared, slope. simpl. pose proof (pow2_ge_0 (y O - x O)). lra. Qed.
Lemma example_smooth m j x y : squared m j y <= squared m j x + sum 1 (fun i => slope m j x i * (y i - x i)) + 1 / 2 * sum 1 (fun i => (y i - x i) ^ 2).
Proof. unfold squared, slope. simpl. lra. Qed.
Lemma example_growth x : shared agents_point form server (LocalSteps.sub agents_point padd pscal x best_point) ->
  1 / 2 * sq agents_point form (LocalSteps.sub agents_point padd pscal x best_point) <= objective 2 half two_samples half_each squared x - objective 2 half two_samples half_each squared best_point.
Proof. intro H. pose proof (H (fun m i => match m with O => 1 | _ => 0 end)) as H0. compute_all. nra. Qed.
Lemma example_optimal y : form (server (mean_gradient two_samples half_each slope best_point)) y = 0.
Proof. compute_all. field. Qed.

(** sigma^2 = zeta^2 = 1: c1 = 19/32 and c2 = 1/2, and c1 h + c2 h^2 = 23/128 at h = 1/4. *)
Theorem local_example rounds x : shared agents_point form server (LocalSteps.sub agents_point padd pscal x best_point) ->
  Expect (fedavg_run 2 1 1 half two_samples half_each slope best_point (1 / 8) 1 2 rounds x)
    (fun y => sq agents_point form (LocalSteps.sub agents_point padd pscal y best_point)) <= (3 / 4) ^ rounds * sq agents_point form (LocalSteps.sub agents_point padd pscal x best_point) + 23 / 128.
Proof.
  intro Hx.
  pose proof (fedavg_last 2 1 1 half (1 / 2) ltac:(intros; unfold half; lra) ltac:(unfold half; simpl; lra) ltac:(intros; unfold half; lra) two_samples half_each
    ltac:(intros; unfold half_each; lra) ltac:(intros; unfold half_each; simpl; lra) squared slope 1 1 ltac:(lra) ltac:(lra) example_convex example_smooth best_point
    example_growth example_optimal (1 / 8) 1 2 ltac:(lra) ltac:(lra) ltac:(lia) rounds x) as H.
  assert (E : whole_step (1 / 8) 1 2 = 1 / 4) by (unfold whole_step; simpl; lra). rewrite E in H. specialize (H ltac:(lra) Hx).
  eapply Rle_trans; [exact H|]. clear H Hx. replace (1 - 1 * (1 / 4)) with (3 / 4) by lra. apply Rplus_le_compat_l.
  assert (S : shared_noise 2 1 1 half two_samples half_each slope best_point = 1) by (compute_all; field).
  assert (O : personal_noise 2 1 1 half two_samples half_each slope best_point = 0) by (compute_all; field).
  assert (Z : sq agents_point form (mean_gradient two_samples half_each slope best_point) = 1) by (compute_all; field).
  rewrite S, O, Z. unfold fedavg_noise, fedavg_drift. simpl. lra.
Qed.
