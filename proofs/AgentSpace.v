(** * The space of M agents: shared and personal coordinates

    x m i is coordinate i of agent m's model, <x, y> = sum_m p_m <x_m, y_m>; the server averages the first [a] of [d]
    coordinates (FedAvg and SCAFFOLD: a = d; LSGD-PFL: a < d).  This is a space of LocalSteps.v.
    [averaged_noise]  noise that is uncorrelated between agents averages out in the shared coordinates.                 *)
From Coq Require Import Reals Lra Lia Psatz List Arith FunctionalExtensionality.
From FedIGW Require Import FiniteSums FiniteProbability Exchangeability LocalSteps LocalRuns.
Open Scope R_scope.

Section Agents.
  Variables (M d a : nat) (p : nat -> R).
  Hypothesis Hp0 : forall m, (m < M)%nat -> 0 <= p m.
  Hypothesis Hp1 : sum M p = 1.
  Definition agents_point := nat -> nat -> R.
  Definition padd (x y : agents_point) : agents_point := fun m i => x m i + y m i.
  Definition pscal (c : R) (x : agents_point) : agents_point := fun m i => c * x m i.
  Definition pip (x y : agents_point) : R := sum M (fun m => p m * sum d (fun i => x m i * y m i)).
  Definition agents_mean (x : agents_point) (i : nat) : R := sum M (fun m => p m * x m i).
  (** the server averages the shared coordinates *)
  Definition average (x : agents_point) : agents_point := fun m i => if Nat.ltb i a then agents_mean x i else x m i.
  Lemma pip_add x y z : pip (padd x y) z = pip x z + pip y z.
  Proof.
    unfold pip, padd. rewrite <- sum_plus. apply sum_ext. intros m _. rewrite <- Rmult_plus_distr_l, <- sum_plus. f_equal. apply sum_ext. intros. ring.
  Qed.
  Lemma pip_scal c x z : pip (pscal c x) z = c * pip x z.
  Proof. unfold pip, pscal. rewrite <- sum_scal. apply sum_ext. intros m _. rewrite (sum_ext d _ (fun i => c * (x m i * z m i))) by (intros; ring). rewrite sum_scal. ring. Qed.
  Lemma pip_sym x y : pip x y = pip y x.
  Proof. unfold pip. apply sum_ext. intros m _. f_equal. apply sum_ext. intros. ring. Qed.
  Lemma pip_pos x : 0 <= pip x x.
  Proof. unfold pip. apply sum_nonneg. intros m Hm. apply Rmult_le_pos; [apply Hp0, Hm|]. apply sum_nonneg. intros. nra. Qed.
  Lemma by_coordinate x y : pip x y = sum d (fun i => sum M (fun m => p m * (x m i * y m i))).
  Proof. unfold pip. rewrite sum_swap. apply sum_ext. intros m _. rewrite sum_scal. reflexivity. Qed.
  Lemma average_pip x y : pip (average x) y = sum d (fun i => if Nat.ltb i a then agents_mean x i * agents_mean y i else sum M (fun m => p m * (x m i * y m i))).
  Proof.
    rewrite by_coordinate. apply sum_ext. intros i _. unfold average. destruct (Nat.ltb i a); [|reflexivity].
    change (agents_mean y i) with (sum M (fun m => p m * y m i)). rewrite <- sum_scal. apply sum_ext. intros. ring.
  Qed.
  Lemma average_adjoint x y : pip (average x) y = pip x (average y).
  Proof.
    rewrite (pip_sym x), !average_pip. apply sum_ext. intros i _. destruct (Nat.ltb i a); [ring|]. apply sum_ext. intros. ring.
  Qed.
  Lemma average_twice x y : pip (average (average x)) y = pip (average x) y.
  Proof.
    unfold pip. apply sum_ext. intros m _. f_equal. apply sum_ext. intros i _. f_equal. unfold average at 1. destruct (Nat.ltb i a) eqn:E; [|reflexivity].
    unfold agents_mean. rewrite (sum_ext M _ (fun j => agents_mean x i * p j)).
    - rewrite sum_scal, Hp1. unfold average. rewrite E. ring.
    - intros j _. unfold average. rewrite E. ring.
  Qed.
  (** a point is shared when all agents agree on the first a coordinates *)
  Lemma agree_shared x : (forall m i, (m < M)%nat -> (i < a)%nat -> x m i = x O i) -> shared agents_point pip average x.
  Proof.
    intros H y. unfold pip. apply sum_ext. intros m Hm. f_equal. apply sum_ext. intros i _. f_equal. unfold average.
    destruct (Nat.ltb_spec i a); [|reflexivity]. unfold agents_mean. rewrite (sum_ext M _ (fun j => x O i * p j)).
    - rewrite sum_scal, Hp1, (H m i Hm); [ring|assumption].
    - intros j Hj. rewrite (H j i Hj); [ring|assumption].
  Qed.

  (** ** Noise: uncorrelated between agents, it averages out in the shared coordinates *)
  Variables (Xi : Type) (P : list (R * Xi)) (b : Xi -> agents_point).
  Hypothesis uncorrelated : forall m m' i, (m < M)%nat -> (m' < M)%nat -> m <> m' -> Expect P (fun xi => b xi m i * b xi m' i) = 0.
  Lemma averaged_noise : Expect P (fun xi => sq agents_point pip (average (b xi))) =
    sum d (fun i => if Nat.ltb i a then sum M (fun m => p m ^ 2 * Expect P (fun xi => b xi m i ^ 2))
                    else sum M (fun m => p m * Expect P (fun xi => b xi m i ^ 2))).
  Proof.
    rewrite (Expect_ext P _ (fun xi => sum d (fun i => if Nat.ltb i a then agents_mean (b xi) i ^ 2 else sum M (fun m => p m * b xi m i ^ 2)))).
    - rewrite Expect_sum. apply sum_ext. intros i _. destruct (Nat.ltb i a).
      + rewrite (Expect_ext P _ (fun xi => sum M (fun m => sum M (fun m' => p m * p m' * (b xi m i * b xi m' i))))).
        * rewrite Expect_sum. apply sum_ext. intros m Hm. rewrite Expect_sum.
          rewrite (sum_ext M _ (fun m' => if Nat.eq_dec m' m then p m' ^ 2 * Expect P (fun xi => b xi m' i ^ 2) else 0)).
          -- rewrite (sum_delta M m (fun m' => p m' ^ 2 * Expect P (fun xi => b xi m' i ^ 2)) Hm). reflexivity.
          -- intros m' Hm'. rewrite Expect_scal. destruct (Nat.eq_dec m' m) as [->|Hd].
             ++ rewrite (Expect_ext P (fun xi => b xi m i * b xi m i) (fun xi => b xi m i ^ 2)) by (intro; ring). ring.
             ++ rewrite (uncorrelated m m' i Hm Hm') by auto. ring.
        * intro xi. unfold agents_mean. replace (sum M (fun m => p m * b xi m i) ^ 2) with (sum M (fun m => p m * b xi m i) * sum M (fun m => p m * b xi m i)) by ring.
          rewrite <- sum_scal. apply sum_ext. intros m _. rewrite Rmult_comm, <- sum_scal. apply sum_ext. intros. ring.
      + rewrite Expect_sum. apply sum_ext. intros m _. apply Expect_scal.
    - intro xi. unfold sq. rewrite average_adjoint, (pip_sym (b xi)), average_twice, average_pip. apply sum_ext. intros i _.
      destruct (Nat.ltb i a); [ring|]. apply sum_ext. intros. ring.
  Qed.
End Agents.
