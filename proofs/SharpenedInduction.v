(** * The sharpened induction: A = A2 = 1 / (1 - t rbar) *)
From Coq Require Import Reals Lra Lia Psatz List Arith.
From FedIGW Require Import FiniteSums FiniteProbability InverseGapWeighting OneContext Policies Setting Constants Induction.
Open Scope R_scope.

Section Sharpened.
  Context {s : setting} {valid_s : valid s}.
  Variables (sigma t q : R).
  Let A := A2 rbar t.
  Let beta := induction_constant c g t.
  Hypothesis Ht : 0 < t.
  Hypothesis Htr : t * rbar <= 1 / 2.
  Hypothesis Hct : 2 * c * t < 1.

  (** lem:true_virtual_loss, sharpened.  For l >= 2 and any policies, fixed or depending on the run,
      E S^l[Reghat^l](Pi) <= A2 E S^l[Reg](Pi) + beta S^l / gamma^l,   A2 = 1 / (1 - t rbar). *)
  Theorem lem_true_virtual_loss_sharpened l (Pi : Omega -> nat -> nat -> nat) :
    (2 <= l <= L)%nat -> (forall w, policies (Pi w)) ->
    Expect law (fun w => virtual_loss l w (Pi w)) <=
      A2 rbar t * Expect law (fun w => true_loss l (Pi w)) + induction_constant c g t * (SK l / gamma l).
  Proof.
    intros Hl HPi.
    pose proof (b_sup_expectation A t (A2_nonneg _ _ Htr) (A2_split _ _ Htr) (A2_step _ _ Htr) Ht Hct l Hl) as H.
    pose proof (virtual_by_true A l Pi ltac:(lia) HPi) as H2. fold A. lra.
  Qed.

  Hypothesis Hs : 0 < sigma.
  Hypothesis HsA : sigma * rbar * A < 1.
  Hypothesis Hq : forall m, (m < M)%nat -> INR (K m) - 1 <= q * INR (K m).

  (** lem:epoch_regret_bound, sharpened, any splits:  E regret^l <= C S^l / gamma^l  with
      C = (q + 2s + 2cs beta + c g^2 / 4s) / (1 - s rbar A2). *)
  Theorem lem_epoch_regret_bound_split l : (2 <= l <= L)%nat ->
    Expect law (epoch_regret l) <= split_constant rbar c g sigma t q * (SK l / gamma l).
  Proof.
    intro Hl. destruct l as [|l]; [lia|].
    assert (H1 : (1 <= l)%nat) by lia. assert (H2 : (S l <= L)%nat) by lia.
    assert (Hg : 0 < gamma (S l)) by (apply Hgamma; lia).
    pose proof (slack_bound A t sigma l Hs H1 H2
      (b_sup_bound A t (A2_nonneg _ _ Htr) (A2_split _ _ Htr) (A2_step _ _ Htr) Ht Hct l ltac:(lia) ltac:(lia))) as HZ.
    assert (HB : Expect law (fun w => (1 - sigma * rbar * A) * epoch_regret (S l) w) <=
                 Expect law (fun w => q * (SK (S l) / gamma (S l)) + over_epoch (S l) (slack A sigma l w))).
    { destruct (Hlaw (s := s)) as [Hw _]. apply Expect_le; [exact Hw|]. intro w. unfold epoch_regret.
      rewrite <- over_epoch_scal, <- over_epoch_arms, <- over_epoch_scal, <- over_epoch_plus.
      apply over_epoch_le; [lia|]. intros m x Hm Hx.
      pose proof (played_step A (A2_nonneg _ _ Htr) sigma l w m x Hs H1 H2 Hm).
      pose proof (played_virtual (S l) w m x ltac:(lia) Hm) as F2.
      assert (F3 : (INR (K m) - 1) / gamma (S l) <= q * (INR (K m) / gamma (S l))).
      { unfold Rdiv. rewrite <- Rmult_assoc. apply Rmult_le_compat_r; [|apply Hq; exact Hm].
        left. apply Rinv_0_lt_compat. exact Hg. }
      lra. }
    rewrite (Expect_scal law (1 - sigma * rbar * A) (epoch_regret (S l))) in HB.
    rewrite (Expect_plus law (fun _ => q * (SK (S l) / gamma (S l)))), (Expect_const law _ Hlaw) in HB.
    apply (Rmult_le_reg_l (1 - sigma * rbar * A)); [lra|].
    replace ((1 - sigma * rbar * A) * (split_constant rbar c g sigma t q * (SK (S l) / gamma (S l))))
      with ((q + 2 * sigma + 2 * c * sigma * beta + c * g ^ 2 / (4 * sigma)) * (SK (S l) / gamma (S l))).
    - unfold beta. lra.
    - unfold split_constant. fold beta A. field. repeat split; lra.
  Qed.
End Sharpened.

(** ** At s = t = 1/(8c) *)
Lemma eighth c : 1 <= c -> 0 < 1 / (8 * c) <= 1 / 8.
Proof.
  intro H. split; [apply Rdiv_lt_0_compat; lra|].
  unfold Rdiv. rewrite !Rmult_1_l. apply Rinv_le_contravar; lra.
Qed.
Lemma eighth_absorbs t : 0 < t <= 1 / 8 -> t * 1 * A2 1 t < 1.
Proof.
  intro B. unfold A2. assert (B2 : / (1 - t * 1) <= 8 / 7).
  { replace (8 / 7) with (/ (7 / 8)) by field. apply Rinv_le_contravar; lra. }
  assert (0 < / (1 - t * 1)) by (apply Rinv_0_lt_compat; lra). nra.
Qed.

Section SharpenedEpoch.
  Context {s : setting} {valid_s : valid s}.
  Variable q : R.
  Hypothesis Hq : forall m, (m < M)%nat -> 1 - / INR (K m) <= q.
  Hypothesis paper_monotone : rbar = 1.

  Lemma q_nonneg : 0 <= q.
  Proof.
    pose proof (HM (s := s)). pose proof (Hq 0%nat ltac:(lia)).
    pose proof (arms_ge_one 0 ltac:(lia)).
    assert (/ INR (K 0%nat) <= 1) by (rewrite <- Rinv_1; apply Rinv_le_contravar; lra). lra.
  Qed.
  Lemma q_arms m : (m < M)%nat -> INR (K m) - 1 <= q * INR (K m).
  Proof.
    intro Hm. pose proof (Hq m Hm). pose proof (arms_ge_one m Hm).
    replace (INR (K m) - 1) with ((1 - / INR (K m)) * INR (K m)) by (field; lra).
    apply Rmult_le_compat_r; lra.
  Qed.

  (** lem:epoch_regret_bound, sharpened:  E regret^l <= C S^l / gamma^l  for l >= 2,
      C = 7q/6 + 7/(18c) + 28 c^2 g^2 / 9,  q >= 1 - 1/K_m.  (c = q = g = 1: C = 14/3.) *)
  Theorem lem_epoch_regret_bound_sharpened l : (2 <= l <= L)%nat ->
    Expect law (epoch_regret l) <= sharpened_constant c g q * (SK l / gamma l).
  Proof.
    intro Hl. assert (Hc1 : 1 <= c) by (apply c_ge1; lia). pose proof (eighth c Hc1) as B.
    assert (Hw : 0 <= SK l / gamma l).
    { left. apply Rdiv_lt_0_compat; [apply SK_pos; lia | apply Hgamma; lia]. }
    apply Rle_trans with (cellwise_constant c g q * (SK l / gamma l)).
    - rewrite <- split_constant_eighth by exact Hc1. rewrite <- paper_monotone.
      apply lem_epoch_regret_bound_split; rewrite ?paper_monotone; auto using q_arms; try lra.
      + replace (2 * c * (1 / (8 * c))) with (1 / 4) by (field; lra). lra.
      + apply eighth_absorbs. exact B.
    - apply Rmult_le_compat_r; [exact Hw|]. apply cellwise_le_sharpened; [exact Hc1 | exact q_nonneg].
  Qed.
End SharpenedEpoch.
