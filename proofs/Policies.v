(** * Kernels as mixtures of policies; the five supporting lemmas

    One agent.  A policy is a function [pi] from contexts to arms; [policy X K pi] says that it
    maps the contexts [x < X] into the arms [a < K].  As in the paper

        V(p, pi)    = E_x [ 1 / p(pi(x) | x) ]          R(pi)      = E_x [ f(x, pi(x)) ]
        Reg_f(pi)   = R_f(pi_f) - R_f(pi),              pi_f(x)    = argmax_a f(x, a)

    with f = fstar for the true and f = fhat for the virtual quantities.                 *)
From Coq Require Import Reals Lra Lia Psatz List Arith.
From FedIGW Require Import FiniteSums FiniteProbability InverseGapWeighting.
Import ListNotations.
Open Scope R_scope.

Section Policies.
  Variables (X K : nat) (D : nat -> R).
  Hypothesis HK : (1 <= K)%nat.
  Hypothesis HD0 : forall x, (x < X)%nat -> 0 <= D x.
  Hypothesis HD1 : sum X D = 1.

  Definition policy (pi : nat -> nat) : Prop := forall x, (x < X)%nat -> (pi x < K)%nat.
  Definition value (f : nat -> nat -> R) (pi : nat -> nat) : R := sum X (fun x => D x * f x (pi x)).
  Definition greedy (f : nat -> nat -> R) (x : nat) : nat := argmax K (f x).
  Definition Reg (f : nat -> nat -> R) (pi : nat -> nat) : R := value f (greedy f) - value f pi.
  Definition V (p : nat -> nat -> R) (pi : nat -> nat) : R := sum X (fun x => D x * / p x (pi x)).
  (** E_{x, a ~ p} [ Delta(x,a)^2 ] *)
  Definition excess_risk (p Delta : nat -> nat -> R) : R :=
    sum X (fun x => D x * sum K (fun a => p x a * Delta x a ^ 2)).

  Lemma Reg_gap f pi : Reg f pi = sum X (fun x => D x * gap K (f x) (pi x)).
  Proof using.
    unfold Reg, value. rewrite <- sum_minus. apply sum_ext. intros x _. unfold gap, greedy. ring.
  Qed.

  (** Q: draw pi(x) ~ p(.|x) independently for every context. *)
  Fixpoint Q_up_to (p : nat -> nat -> R) (n : nat) : list (R * (nat -> nat)) :=
    match n with
    | O => dirac (fun _ => 0%nat)
    | S x => bind (Q_up_to p x) (fun pi => bind (finite_law K (p x)) (fun a => dirac (update pi x a)))
    end.
  Definition Q (p : nat -> nat -> R) : list (R * (nat -> nat)) := Q_up_to p X.

  Section Kernel.
    Variable p : nat -> nat -> R.
    Hypothesis Hp0 : forall x a, (x < X)%nat -> (a < K)%nat -> 0 <= p x a.
    Hypothesis Hp1 : forall x, (x < X)%nat -> sum K (p x) = 1.

    Lemma Q_up_to_distribution n : (n <= X)%nat -> distribution (Q_up_to p n).
    Proof using HK Hp0 Hp1.
      induction n as [|n IH]; intro Hn; simpl; [apply distribution_dirac|].
      apply distribution_bind; [apply IH; lia|]. intro pi.
      apply distribution_bind; [apply distribution_finite_law|].
      - intros a Ha. apply Hp0; [lia|exact Ha].
      - apply Hp1. lia.
      - intro a. apply distribution_dirac.
    Qed.

    Lemma Q_up_to_marginal n x (h : nat -> R) : (x < n)%nat -> (n <= X)%nat ->
      Expect (Q_up_to p n) (fun pi => h (pi x)) = sum K (fun a => p x a * h a).
    Proof using HK Hp0 Hp1.
      induction n as [|n IH]; intros Hx Hn; [lia|]. simpl. rewrite Expect_bind.
      destruct (Nat.eq_dec x n) as [->|Hne].
      - apply Expect_const_out; [apply Q_up_to_distribution; lia|]. intro pi.
        rewrite Expect_bind, Expect_finite_law. apply sum_ext. intros a _.
        rewrite Expect_dirac, update_same. reflexivity.
      - rewrite <- IH by lia. apply Expect_ext. intro pi. rewrite Expect_bind.
        apply Expect_const_out.
        + apply distribution_finite_law; [intros a Ha; apply Hp0; [lia|exact Ha] | apply Hp1; lia].
        + intro a. rewrite Expect_dirac, update_other by exact Hne. reflexivity.
    Qed.

    (** lem:q_distribution.  Q is a probability measure on policies and
        p(a|x) = sum_pi 1{pi(x) = a} Q(pi). *)
    Theorem lem_q_distribution :
      distribution (Q p) /\
      forall x a, (x < X)%nat -> (a < K)%nat ->
        p x a = Expect (Q p) (fun pi => if Nat.eq_dec (pi x) a then 1 else 0).
    Proof using HK Hp0 Hp1.
      split; [apply Q_up_to_distribution; lia|]. intros x a Hx Ha. unfold Q.
      rewrite (Q_up_to_marginal X x (fun b => if Nat.eq_dec b a then 1 else 0)) by lia.
      rewrite (sum_ext K _ (fun b => if Nat.eq_dec b a then p x b else 0)).
      - symmetry. apply (sum_delta K a (p x) Ha).
      - intros b _. destruct (Nat.eq_dec b a); ring.
    Qed.

    Lemma Q_mixture (h : nat -> nat -> R) :
      Expect (Q p) (fun pi => sum X (fun x => D x * h x (pi x))) =
      sum X (fun x => D x * sum K (fun a => p x a * h x a)).
    Proof using HK Hp0 Hp1.
      rewrite (Expect_sum (Q p) X (fun x pi => D x * h x (pi x))). apply sum_ext. intros x Hx.
      rewrite (Expect_scal (Q p) (D x) (fun pi => h x (pi x))). f_equal.
      apply (Q_up_to_marginal X x (h x)); lia.
    Qed.

    (** lem:loss_decompose.
        E_{x, a ~ p} [ f(x, pi_f(x)) - f(x, a) ] = sum_pi Q(pi) Reg_f(pi). *)
    Theorem lem_loss_decompose (f : nat -> nat -> R) :
      sum X (fun x => D x * sum K (fun a => p x a * (f x (greedy f x) - f x a))) =
      Expect (Q p) (Reg f).
    Proof using HK Hp0 Hp1.
      rewrite (Expect_ext (Q p) (Reg f) (fun pi => sum X (fun x => D x * gap K (f x) (pi x))))
        by (intro pi; apply Reg_gap).
      rewrite (Q_mixture (fun x a => gap K (f x) a)). reflexivity.
    Qed.
  End Kernel.

  (** The kernel played in an epoch: inverse gap weighting of [fhat]. *)
  Definition igw_kernel (gamma : R) (fhat : nat -> nat -> R) (x : nat) : nat -> R := igw K gamma (fhat x).

  Lemma igw_kernel_nonneg gamma fhat x a : 0 <= gamma -> (a < K)%nat -> 0 <= igw_kernel gamma fhat x a.
  Proof using HK. intros Hg Ha. left. apply igw_pos; assumption. Qed.

  (** lem:q_loss_bound, sharpened:  sum_pi Q(pi) Reghat(pi) <= (K - 1) / gamma. *)
  Theorem lem_q_loss_bound_sharpened gamma fhat : 0 < gamma ->
    Expect (Q (igw_kernel gamma fhat)) (Reg fhat) <= (INR K - 1) / gamma.
  Proof using HK HD0 HD1.
    intro Hg. rewrite <- lem_loss_decompose.
    - apply Rle_trans with (sum X (fun x => (INR K - 1) / gamma * D x)).
      + apply sum_le. intros x Hx. rewrite Rmult_comm. apply Rmult_le_compat_r; [apply HD0; exact Hx|].
        apply (igw_estimated_regret K gamma (fhat x)); [exact HK | exact Hg].
      + rewrite sum_scal, HD1. lra.
    - intros x a _ Ha. apply igw_kernel_nonneg; [lra|exact Ha].
    - intros x _. apply igw_total. exact HK.
  Qed.

  (** lem:q_loss_bound, as printed:  <= K / gamma. *)
  Theorem lem_q_loss_bound gamma fhat : 0 < gamma ->
    Expect (Q (igw_kernel gamma fhat)) (Reg fhat) <= INR K / gamma.
  Proof using HK HD0 HD1.
    intro Hg. eapply Rle_trans; [apply lem_q_loss_bound_sharpened; exact Hg|].
    apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; exact Hg | lra].
  Qed.

  (** lem:q_loss_bound for estimates in [0,1]:  <= (K - 1) / (K + gamma). *)
  Theorem lem_q_loss_bound_unit gamma fhat : 0 <= gamma ->
    (forall x a, (x < X)%nat -> (a < K)%nat -> 0 <= fhat x a <= 1) ->
    Expect (Q (igw_kernel gamma fhat)) (Reg fhat) <= (INR K - 1) / (INR K + gamma).
  Proof using HK HD0 HD1.
    intros Hg H01. rewrite <- lem_loss_decompose.
    - apply Rle_trans with (sum X (fun x => (INR K - 1) / (INR K + gamma) * D x)).
      + apply sum_le. intros x Hx. rewrite Rmult_comm. apply Rmult_le_compat_r; [apply HD0; exact Hx|].
        apply (igw_estimated_regret_unit K gamma (fhat x) HK Hg). intros a Ha. apply H01; assumption.
      + rewrite sum_scal, HD1. lra.
    - intros x a _ Ha. apply igw_kernel_nonneg; assumption.
    - intros x _. apply igw_total. exact HK.
  Qed.

  (** lem:V_upper.  V(p, pi) <= K + gamma Reghat(pi)  for every policy pi. *)
  Theorem lem_V_upper gamma fhat pi : 0 <= gamma -> policy pi ->
    V (igw_kernel gamma fhat) pi <= INR K + gamma * Reg fhat pi.
  Proof using HK HD0 HD1.
    intros Hg Hpi. rewrite Reg_gap. unfold V.
    apply Rle_trans with (sum X (fun x => INR K * D x + gamma * (D x * gap K (fhat x) (pi x)))).
    - apply sum_le. intros x Hx.
      replace (INR K * D x + gamma * (D x * gap K (fhat x) (pi x)))
        with (D x * (INR K + gamma * gap K (fhat x) (pi x))) by ring.
      apply Rmult_le_compat_l; [apply HD0; exact Hx|].
      apply igw_inverse; [exact HK | exact Hg | apply Hpi; exact Hx].
    - rewrite sum_plus, !sum_scal, HD1. lra.
  Qed.

  (** lem:V_upper, sharpened: equality for a policy that never plays the greedy arm. *)
  Theorem lem_V_upper_equality gamma fhat pi : (forall x, (x < X)%nat -> pi x <> greedy fhat x) ->
    V (igw_kernel gamma fhat) pi = INR K + gamma * Reg fhat pi.
  Proof using HD1.
    intro H. rewrite Reg_gap. unfold V.
    rewrite (sum_ext X _ (fun x => INR K * D x + gamma * (D x * gap K (fhat x) (pi x)))).
    - rewrite sum_plus, !sum_scal, HD1. ring.
    - intros x Hx. unfold igw_kernel. rewrite igw_inverse_off_greedy by (apply H; exact Hx). ring.
  Qed.

  (** lem:VE.  | Rhat(pi) - R(pi) | <= sqrt(V(p, pi)) sqrt(E_{x, a ~ p} [Delta^2])
      for every kernel with full support and every policy. *)
  Theorem lem_VE p fstar fhat pi :
    (forall x a, (x < X)%nat -> (a < K)%nat -> 0 < p x a) -> policy pi ->
    Rabs (value fhat pi - value fstar pi) <=
      sqrt (V p pi) * sqrt (excess_risk p (fun x a => fhat x a - fstar x a)).
  Proof using HD0.
    intros Hp Hpi. set (d := fun x => fhat x (pi x) - fstar x (pi x)).
    assert (HV : 0 <= V p pi).
    { apply sum_nonneg. intros x Hx. apply Rmult_le_pos; [apply HD0; exact Hx|].
      left. apply Rinv_0_lt_compat, Hp; auto. }
    assert (Hterm : forall x, (x < X)%nat ->
      p x (pi x) * d x ^ 2 <= sum K (fun a => p x a * (fhat x a - fstar x a) ^ 2)).
    { intros x Hx. apply (sum_ge_one K (fun a => p x a * (fhat x a - fstar x a) ^ 2) (pi x)).
      - intros a Ha. apply Rmult_le_pos; [left; apply Hp; assumption | apply pow2_ge_0].
      - apply Hpi. exact Hx. }
    rewrite <- sqrt_mult_alt by exact HV. rewrite <- sqrt_Rsqr_abs. apply sqrt_le_1_alt.
    rewrite Rsqr_pow2.
    replace (value fhat pi - value fstar pi) with
      (sum X (fun x => (sqrt (D x) * sqrt (/ p x (pi x))) * (sqrt (D x) * (sqrt (p x (pi x)) * d x)))).
    - eapply Rle_trans; [apply cauchy_schwarz|]. apply Rmult_le_compat.
      + apply sum_nonneg. intros; apply pow2_ge_0.
      + apply sum_nonneg. intros; apply pow2_ge_0.
      + right. apply sum_ext. intros x Hx. pose proof (Hp x (pi x) Hx (Hpi x Hx)) as Hpx.
        rewrite Rpow_mult_distr, !pow2_sqrt; auto. left. apply Rinv_0_lt_compat. exact Hpx.
      + apply sum_le. intros x Hx. pose proof (Hp x (pi x) Hx (Hpi x Hx)) as Hpx.
        rewrite !Rpow_mult_distr, !pow2_sqrt by (auto; lra).
        apply Rmult_le_compat_l; [apply HD0; exact Hx | apply Hterm; exact Hx].
    - unfold value. rewrite <- sum_minus. apply sum_ext. intros x Hx.
      pose proof (Hp x (pi x) Hx (Hpi x Hx)) as Hpx. pose proof (HD0 x Hx) as Hdx.
      rewrite sqrt_inv. pose proof (sqrt_lt_R0 _ Hpx).
      replace (sqrt (D x) * / sqrt (p x (pi x)) * (sqrt (D x) * (sqrt (p x (pi x)) * d x)))
        with ((sqrt (D x) * sqrt (D x)) * d x) by (field; lra).
      rewrite sqrt_sqrt by exact Hdx. unfold d. ring.
  Qed.

  (** lem:VE is tight: for every kernel and policy some estimate attains it. *)
  Theorem lem_VE_tight p fstar pi :
    (forall x a, (x < X)%nat -> (a < K)%nat -> 0 < p x a) -> policy pi ->
    exists fhat, V p pi = value fhat pi - value fstar pi /\
      Rabs (value fhat pi - value fstar pi) =
        sqrt (V p pi) * sqrt (excess_risk p (fun x a => fhat x a - fstar x a)).
  Proof using HD0.
    intros Hp Hpi.
    exists (fun x a => fstar x a + (if Nat.eq_dec a (pi x) then / p x (pi x) else 0)).
    assert (HV : 0 <= V p pi).
    { apply sum_nonneg. intros x Hx. apply Rmult_le_pos; [apply HD0; exact Hx|].
      left. apply Rinv_0_lt_compat, Hp; auto. }
    assert (Hval : V p pi =
      value (fun x a => fstar x a + (if Nat.eq_dec a (pi x) then / p x (pi x) else 0)) pi - value fstar pi).
    { unfold V, value. rewrite <- sum_minus. apply sum_ext. intros x Hx.
      destruct (Nat.eq_dec (pi x) (pi x)); [ring|contradiction]. }
    split; [exact Hval|]. rewrite <- Hval.
    replace (excess_risk p _) with (V p pi).
    - rewrite sqrt_sqrt by exact HV. apply Rabs_right. lra.
    - unfold V, excess_risk. apply sum_ext. intros x Hx. f_equal.
      pose proof (Hp x (pi x) Hx (Hpi x Hx)) as Hpx.
      rewrite (sum_ext K _ (fun a => if Nat.eq_dec a (pi x) then p x a * (/ p x (pi x)) ^ 2 else 0)).
      + rewrite (sum_delta K (pi x) (fun a => p x a * (/ p x (pi x)) ^ 2)) by (apply Hpi; exact Hx).
        field. lra.
      + intros a _. destruct (Nat.eq_dec a (pi x)) as [->|]; ring.
  Qed.
End Policies.
