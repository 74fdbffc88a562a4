(** * The joint observed bound: one error of the estimate for all steps, not the worst error for every step

    In step t arm a has the true mean v t a and the estimate e t a, g t is the greedy arm of the estimate, mean t is what the policy
    expects to receive.  error t a = (v t a - v t (g t)) - (e t a - e t (g t)) is linear in the error of the estimate; let X t a bound it.
    The regret of step t is at most v t (g t) - mean t, which is linear in the error too, plus the largest (error - gap) that is positive,
    and that is at most alpha error^2 + kappa ([chosen_alpha], [chosen_kappa]).  So summed over all steps of a run

        regret <= linear + quadratic + sum kappa,

    where linear and quadratic bound the sums of the linear and of the quadratic terms over one ellipsoid: the sum is taken first, the
    worst error afterwards.  Deterministic: that the truth lies in the ellipsoid is what holds with high probability.
    Main results: [joint_bound] for any majorants, [joint_bound_chosen] for these.                                               *)
From Coq Require Import Reals Lra Lia Psatz List.
From FedIGW Require Import FiniteSums InverseGapWeighting.
Open Scope R_scope.

(** ** alpha x^2 + kappa above the positive part of x - gap, for x <= X *)
(** a square, where X is at least 2 g' *)
Lemma majorant_far x gap g' : 0 <= gap <= g' -> 0 < g' -> x - gap <= x ^ 2 / (4 * g') + (g' - gap).
Proof.
  intros H Hg. apply (Rmult_le_reg_r (4 * g')); [lra|].
  replace ((x ^ 2 / (4 * g') + (g' - gap)) * (4 * g')) with (x ^ 2 + (g' - gap) * (4 * g')) by (field; lra). pose proof (pow2_ge_0 (x - 2 * g')). lra.
Qed.
(** a parabola that meets x - gap in X, where X is at most 2 g' *)
Lemma majorant_near x X gap g' : 0 <= gap <= g' -> 0 < X -> x <= X -> X <= 2 * g' -> g' <= X ->
  x - gap <= (X - g') / X ^ 2 * x ^ 2 + (g' - gap).
Proof.
  intros H HX Hx H1 H2. assert (Q : 0 <= (X - x) * ((X + x) * - (X - g') + X ^ 2)).
  { apply Rmult_le_pos; [lra|]. destruct (Rle_dec 0 x) as [P|P]; nra. }
  apply (Rmult_le_reg_r (X ^ 2)); [nra|].
  replace (((X - g') / X ^ 2 * x ^ 2 + (g' - gap)) * X ^ 2) with ((X - g') * x ^ 2 + (g' - gap) * X ^ 2) by (field; lra). nra.
Qed.
(** the choice: nothing for an arm that the error cannot lift above the greedy one, else g' = max(gap, theta X) *)
Definition chosen_kappa (theta X gap : R) : R := if Rle_dec X gap then 0 else Rmax gap (theta * X) - gap.
Definition chosen_alpha (theta X gap : R) : R :=
  if Rle_dec X gap then 0
  else if Rle_dec (2 * Rmax gap (theta * X)) X then / (4 * Rmax gap (theta * X)) else Rmax 0 (X - Rmax gap (theta * X)) / X ^ 2.
Lemma chosen_majorant theta X gap x : 0 < theta -> 0 <= gap -> x <= X -> x - gap <= chosen_alpha theta X gap * x ^ 2 + chosen_kappa theta X gap.
Proof.
  intros Ht Hg Hx. unfold chosen_alpha, chosen_kappa. destruct (Rle_dec X gap) as [|HX]; [lra|].
  pose proof (Rmax_l gap (theta * X)) as M1. pose proof (Rmax_r gap (theta * X)) as M2. set (g' := Rmax gap (theta * X)) in *.
  assert (Hg' : 0 < g') by nra. destruct (Rle_dec (2 * g') X) as [Hf|Hf].
  - pose proof (majorant_far x gap g' ltac:(lra) Hg'). unfold Rdiv in H. lra.
  - destruct (Rle_dec g' X) as [Hn|Hn].
    + rewrite Rmax_right by lra. apply majorant_near; lra.
    + rewrite Rmax_left by lra. unfold Rdiv. lra.
Qed.
Lemma chosen_nonneg theta X gap : 0 < theta -> 0 <= gap -> 0 <= chosen_alpha theta X gap /\ 0 <= chosen_kappa theta X gap.
Proof.
  intros Ht Hg. unfold chosen_alpha, chosen_kappa. destruct (Rle_dec X gap) as [|HX]; [lra|].
  pose proof (Rmax_l gap (theta * X)) as M1. pose proof (Rmax_r gap (theta * X)) as M2. set (g' := Rmax gap (theta * X)) in *.
  split; [|lra]. destruct (Rle_dec (2 * g') X).
  - left. apply Rinv_0_lt_compat. nra.
  - apply Rmult_le_pos; [apply Rmax_l|]. left. apply Rinv_0_lt_compat. nra.
Qed.

(** ** The regret of N steps *)
Section Joint.
  Variables (N K : nat) (v e : nat -> nat -> R) (mean : nat -> R).
  Hypothesis HK : (1 <= K)%nat.
  Definition greedy_arm (t : nat) : nat := argmax K (e t).
  Definition error (t a : nat) : R := (v t a - v t (greedy_arm t)) - (e t a - e t (greedy_arm t)).

  (** Any majorants: alpha error^2 + kappa above error - gap in every step and arm. *)
  Theorem joint_bound (alpha kappa : nat -> nat -> R) (linear quadratic : R) :
    (forall t a, 0 <= alpha t a) -> (forall t a, 0 <= kappa t a) ->
    (forall t a, (t < N)%nat -> (a < K)%nat -> error t a - gap K (e t) a <= alpha t a * error t a ^ 2 + kappa t a) ->
    sum N (fun t => v t (greedy_arm t) - mean t) <= linear ->
    sum N (fun t => sum K (fun a => alpha t a * error t a ^ 2)) <= quadratic ->
    sum N (fun t => v t (argmax K (v t)) - mean t) <= linear + quadratic + sum N (fun t => sum K (fun a => kappa t a)).
  Proof.
    intros Halpha Hkappa majorant Hlinear Hquadratic.
    eapply Rle_trans; [apply (sum_le N _ (fun t => (v t (greedy_arm t) - mean t) +
      (sum K (fun a => alpha t a * error t a ^ 2) + sum K (fun a => kappa t a))))|].
    - intros t Ht. set (b := argmax K (v t)). assert (Hb : (b < K)%nat) by (apply argmax_lt, HK).
      pose proof (majorant t b Ht Hb) as H. unfold gap in H. fold (greedy_arm t) in H.
      assert (E : error t b - (e t (greedy_arm t) - e t b) = v t b - v t (greedy_arm t)) by (unfold error; ring).
      rewrite <- sum_plus.
      pose proof (sum_ge_one K (fun a => alpha t a * error t a ^ 2 + kappa t a) b) as S. cbv beta in S.
      assert (S' : alpha t b * error t b ^ 2 + kappa t b <= sum K (fun a => alpha t a * error t a ^ 2 + kappa t a)).
      { apply S; [|exact Hb]. intros a _. pose proof (Halpha t a). pose proof (Hkappa t a). pose proof (pow2_ge_0 (error t a)). nra. }
      lra.
    - rewrite sum_plus, sum_plus. lra.
  Qed.
  (** The chosen majorants: X bounds the error of every step and arm, theta > 0 is free. *)
  Theorem joint_bound_chosen (theta linear quadratic : R) (X : nat -> nat -> R) : 0 < theta ->
    (forall t a, (t < N)%nat -> (a < K)%nat -> error t a <= X t a) ->
    sum N (fun t => v t (greedy_arm t) - mean t) <= linear ->
    sum N (fun t => sum K (fun a => chosen_alpha theta (X t a) (gap K (e t) a) * error t a ^ 2)) <= quadratic ->
    sum N (fun t => v t (argmax K (v t)) - mean t) <=
      linear + quadratic + sum N (fun t => sum K (fun a => chosen_kappa theta (X t a) (gap K (e t) a))).
  Proof.
    intros Ht HX Hl Hq.
    assert (Hgap : forall t a, (a < K)%nat -> 0 <= gap K (e t) a) by (intros t a Ha; apply gap_nonneg, Ha).
    set (alpha := fun t a => if lt_dec a K then chosen_alpha theta (X t a) (gap K (e t) a) else 0).
    set (kappa := fun t a => if lt_dec a K then chosen_kappa theta (X t a) (gap K (e t) a) else 0).
    assert (Ek : sum N (fun t => sum K (fun a => kappa t a)) = sum N (fun t => sum K (fun a => chosen_kappa theta (X t a) (gap K (e t) a)))).
    { apply sum_ext. intros t _. apply sum_ext. intros a Ha. unfold kappa. destruct (lt_dec a K); [reflexivity|lia]. }
    rewrite <- Ek. apply (joint_bound alpha kappa linear quadratic).
    - intros t a. unfold alpha. destruct (lt_dec a K) as [Ha|]; [|lra]. apply (chosen_nonneg theta (X t a) _ Ht (Hgap t a Ha)).
    - intros t a. unfold kappa. destruct (lt_dec a K) as [Ha|]; [|lra]. apply (chosen_nonneg theta (X t a) _ Ht (Hgap t a Ha)).
    - intros t a Hn Ha. unfold alpha, kappa. destruct (lt_dec a K); [|lia]. apply chosen_majorant; auto.
    - exact Hl.
    - eapply Rle_trans; [|exact Hq]. right. apply sum_ext. intros t _. apply sum_ext. intros a Ha. unfold alpha. destruct (lt_dec a K); [reflexivity|lia].
  Qed.
End Joint.
