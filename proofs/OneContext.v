(** * One agent, one context, one step of the induction

    Fix an agent and a context.  [fstar] is the truth, [fhat] the new estimate, [P] the
    kernel that collected the data behind [fhat], [Delta = fhat - fstar] and
    [e = sum_a P(a) Delta(a)^2].  Both inductions (repaired, sharpened) are inequalities
    in this one cell, summed over agents and contexts afterwards.                     *)
From Coq Require Import Reals Lra Lia Psatz List Arith.
From FedIGW Require Import FiniteSums InverseGapWeighting.
Open Scope R_scope.

(** AM-GM: |d| <= u + d^2 / 4u. *)
Lemma amgm u d : 0 < u -> Rabs d <= u + d * d / (4 * u).
Proof.
  intro Hu. assert (0 <= (Rabs d - 2 * u) * (Rabs d - 2 * u)) by apply Rle_0_sqr.
  assert (Hd : d * d = Rabs d * Rabs d) by (rewrite <- Rabs_mult; symmetry; apply Rabs_right; apply Rle_ge, Rle_0_sqr).
  rewrite Hd. apply (Rmult_le_reg_l (4 * u)); [lra|].
  replace (4 * u * (u + Rabs d * Rabs d / (4 * u))) with (4 * u * u + Rabs d * Rabs d) by (field; lra).
  nra.
Qed.

Section Cell.
  Variables (K : nat) (fstar fhat P : nat -> R).
  Hypothesis HK : (1 <= K)%nat.
  Hypothesis HP : forall a, (a < K)%nat -> 0 < P a.
  Let Delta a := fhat a - fstar a.
  Let e := sum K (fun a => P a * (Delta a * Delta a)).

  Lemma e_nonneg : 0 <= e.
  Proof.
    apply sum_nonneg. intros i Hi. pose proof (HP i Hi).
    apply Rmult_le_pos; [lra|apply Rle_0_sqr].
  Qed.

  (** One AM-GM for the difference of two arms: equal arms cancel, distinct arms share one e.
      |Delta(a) - Delta(a')| <= (s / gamma) (1/P(a) + 1/P(a')) + (gamma / 4s) e *)
  Lemma joint_split s gamma a a' : 0 < s -> 0 < gamma -> (a < K)%nat -> (a' < K)%nat ->
    Rabs (Delta a - Delta a') <= s / gamma * (/ P a + / P a') + gamma / (4 * s) * e.
  Proof.
    intros Hs Hg Ha Ha'. pose proof e_nonneg as He.
    assert (Hc : 0 < s / gamma) by (apply Rdiv_lt_0_compat; lra).
    assert (Hc' : 0 < gamma / (4 * s)) by (apply Rdiv_lt_0_compat; lra).
    pose proof (HP a Ha) as Pa. pose proof (HP a' Ha') as Pa'.
    pose proof (Rinv_0_lt_compat _ Pa) as Ia. pose proof (Rinv_0_lt_compat _ Pa') as Ia'.
    destruct (Nat.eq_dec a a') as [->|Hn].
    - replace (Delta a' - Delta a') with 0 by lra. rewrite Rabs_R0.
      apply Rplus_le_le_0_compat; apply Rmult_le_pos; lra.
    - assert (H2 : P a * (Delta a * Delta a) + P a' * (Delta a' * Delta a') <= e).
      { unfold e. apply (sum_ge_two K (fun i => P i * (Delta i * Delta i)) a a'); auto.
        intros i Hi. pose proof (HP i Hi). apply Rmult_le_pos; [lra|apply Rle_0_sqr]. }
      assert (Q1 : Rabs (Delta a) <= s / gamma * / P a + gamma / (4 * s) * (P a * (Delta a * Delta a))).
      { eapply Rle_trans; [apply (amgm (s / gamma * / P a)); apply Rmult_lt_0_compat; lra|].
        right. field. lra. }
      assert (Q2 : Rabs (Delta a') <= s / gamma * / P a' + gamma / (4 * s) * (P a' * (Delta a' * Delta a'))).
      { eapply Rle_trans; [apply (amgm (s / gamma * / P a')); apply Rmult_lt_0_compat; lra|].
        right. field. lra. }
      assert (Q3 : Rabs (Delta a - Delta a') <= Rabs (Delta a) + Rabs (Delta a')).
      { unfold Rminus. eapply Rle_trans; [apply Rabs_triang|]. rewrite Rabs_Ropp. lra. }
      assert (Q4 : gamma / (4 * s) * (P a * (Delta a * Delta a)) + gamma / (4 * s) * (P a' * (Delta a' * Delta a'))
                   <= gamma / (4 * s) * e).
      { rewrite <- Rmult_plus_distr_l. apply Rmult_le_compat_l; lra. }
      lra.
  Qed.

  (** Reghat(a) = Reg(a) + (Delta(ahat) - Delta(a)) - Reg(ahat), and the same with the roles exchanged. *)
  Lemma estimated_gap_decompose a : gap K fhat a = gap K fstar a + (Delta (argmax K fhat) - Delta a) - gap K fstar (argmax K fhat).
  Proof. unfold gap, Delta. lra. Qed.
  Lemma true_gap_decompose a : gap K fstar a = gap K fhat a + (Delta a - Delta (argmax K fstar)) - gap K fhat (argmax K fstar).
  Proof. unfold gap, Delta. lra. Qed.

  (** The previous epoch: its kernel satisfies lem:V_upper, 1/P <= K + G Reghat', where G is its learning
      rate (0 in epoch 1), and its virtual gap satisfies the induction hypothesis Reghat' <= A Reg + b0. *)
  Variables (G gamma b0 A rbar : R) (gap0 : nat -> R).
  Hypothesis HG : 0 <= G.
  Hypothesis HGg : G <= rbar * gamma.   (* H5 *)
  Hypothesis Hgam : 0 < gamma.
  Hypothesis HA : 0 <= A.
  Hypothesis Hinv : forall a, (a < K)%nat -> / P a <= INR K + G * gap0 a.
  Hypothesis Hb0 : forall a, (a < K)%nat -> gap0 a <= A * gap K fstar a + b0.

  (** (s / gamma) / P(a) <= s K / gamma + s (G / gamma) b0 + s rbar A Reg(a) *)
  Lemma inverse_bound s a : 0 < s -> (a < K)%nat ->
    s / gamma * / P a <= s * INR K / gamma + s * (G / gamma) * b0 + s * rbar * A * gap K fstar a.
  Proof.
    intros Hs Ha. pose proof (Hinv a Ha) as H1. pose proof (Hb0 a Ha) as H2.
    pose proof (gap_nonneg K fstar a Ha) as H3.
    assert (Hsg : 0 < s / gamma) by (apply Rdiv_lt_0_compat; lra).
    assert (H4 : s / gamma * / P a <= s / gamma * (INR K + G * (A * gap K fstar a + b0))).
    { apply Rmult_le_compat_l; [lra|]. eapply Rle_trans; [exact H1|].
      apply Rplus_le_compat_l. apply Rmult_le_compat_l; assumption. }
    assert (H5 : s / gamma * (G * (A * gap K fstar a)) <= s * rbar * A * gap K fstar a).
    { replace (s / gamma * (G * (A * gap K fstar a))) with ((s * (A * gap K fstar a)) * (G / gamma)) by (field; lra).
      assert (Hr : G / gamma <= rbar).
      { apply (Rmult_le_reg_r gamma); [lra|]. replace (G / gamma * gamma) with G by (field; lra). lra. }
      assert (0 <= s * (A * gap K fstar a)) by (apply Rmult_le_pos; [lra|]; apply Rmult_le_pos; lra).
      nra. }
    eapply Rle_trans; [exact H4|].
    replace (s / gamma * (INR K + G * (A * gap K fstar a + b0)))
      with (s * INR K / gamma + s * (G / gamma) * b0 + s / gamma * (G * (A * gap K fstar a))) by (field; lra).
    lra.
  Qed.

  (** What one cell may lose with split [r]:  2 r K / gamma + 2 r (G / gamma) b0 + (gamma / 4r) e. *)
  Definition cell_slack (r : R) : R :=
    2 * r * (INR K / gamma) + 2 * r * (G / gamma) * b0 + gamma / (4 * r) * e.

  (** Virtual by true:  Reghat(a) - A Reg(a) <= slack, if t rbar A <= 1 and 1 + t rbar A <= A.
      The term - Reg(ahat) of the decomposition absorbs the cost of the arm ahat. *)
  Lemma virtual_gap_bound t a : 0 < t -> t * rbar * A <= 1 -> 1 + t * rbar * A <= A -> (a < K)%nat ->
    gap K fhat a - A * gap K fstar a <= cell_slack t.
  Proof.
    intros Ht HtA HA1 Ha.
    assert (Hh : (argmax K fhat < K)%nat) by (apply argmax_lt; exact HK).
    pose proof (joint_split t gamma (argmax K fhat) a Ht Hgam Hh Ha) as HJ.
    pose proof (Rle_abs (Delta (argmax K fhat) - Delta a)) as Habs.
    pose proof (inverse_bound t a Ht Ha) as B1.
    pose proof (inverse_bound t (argmax K fhat) Ht Hh) as B2.
    pose proof (gap_nonneg K fstar a Ha) as N1.
    pose proof (gap_nonneg K fstar (argmax K fhat) Hh) as N2.
    rewrite (estimated_gap_decompose a). unfold cell_slack.
    assert (t * rbar * A * gap K fstar (argmax K fhat) <= 1 * gap K fstar (argmax K fhat))
      by (apply Rmult_le_compat_r; lra).
    assert ((1 + t * rbar * A) * gap K fstar a <= A * gap K fstar a) by (apply Rmult_le_compat_r; lra).
    unfold Rdiv in *. lra.
  Qed.

  (** True by virtual:  (1 - r rbar A) Reg(a) <= Reghat(a) + slack. *)
  Lemma true_gap_bound r a : 0 < r -> (a < K)%nat ->
    (1 - r * rbar * A) * gap K fstar a <= gap K fhat a + cell_slack r.
  Proof.
    intros Hr Ha. assert (Hst : (argmax K fstar < K)%nat) by (apply argmax_lt; exact HK).
    pose proof (joint_split r gamma a (argmax K fstar) Hr Hgam Ha Hst) as HJ.
    pose proof (Rle_abs (Delta a - Delta (argmax K fstar))) as Habs.
    pose proof (inverse_bound r a Hr Ha) as B1.
    pose proof (inverse_bound r (argmax K fstar) Hr Hst) as B2.
    rewrite gap_best in B2.
    pose proof (gap_nonneg K fhat (argmax K fstar) Hst) as N2.
    pose proof (true_gap_decompose a) as HI. unfold cell_slack. unfold Rdiv in *. lra.
  Qed.

  (** The same, averaged over the kernel [pl] that is played now. *)
  Lemma played_gap_bound r (pl : nat -> R) : 0 < r ->
    (forall a, (a < K)%nat -> 0 <= pl a) -> sum K pl = 1 ->
    (1 - r * rbar * A) * sum K (fun a => pl a * gap K fstar a) <=
      sum K (fun a => pl a * gap K fhat a) + cell_slack r.
  Proof.
    intros Hr Hp Hp1. rewrite <- sum_scal.
    apply Rle_trans with (sum K (fun a => pl a * gap K fhat a + cell_slack r * pl a)).
    - apply sum_le. intros a Ha. specialize (Hp a Ha).
      pose proof (true_gap_bound r a Hr Ha) as H.
      replace ((1 - r * rbar * A) * (pl a * gap K fstar a))
        with (pl a * ((1 - r * rbar * A) * gap K fstar a)) by ring.
      replace (pl a * gap K fhat a + cell_slack r * pl a) with (pl a * (gap K fhat a + cell_slack r)) by ring.
      apply Rmult_le_compat_l; assumption.
    - rewrite sum_plus, sum_scal, Hp1. lra.
  Qed.
End Cell.
