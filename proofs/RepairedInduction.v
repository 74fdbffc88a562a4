(** * The paper's induction, repaired: A = 2, split 1/(8c), eta^l = 9 c^2 S^l / gamma^l

    lem:true_virtual_loss and lem:epoch_regret_bound with the paper's constants.  The statement differs from
    the printed one in one point: the policy may depend on the run, which is how the paper uses it. (For a policy
    fixed in advance the two agree.)  g = 1 and H5 (rbar = 1) as in the paper.

    The proof through Induction.v has room to spare: it gives E b^l <= 3 c^2 and E a^l <= 4 c^2, in units of
    S^l / gamma^l, where the paper's way gives 35/4 and 26/3.                                                *)
From Coq Require Import Reals Lra Lia Psatz List Arith.
From FedIGW Require Import FiniteSums FiniteProbability InverseGapWeighting OneContext Policies Setting Constants Induction.
Open Scope R_scope.

Section Repaired.
  Context {s : setting} {valid_s : valid s}.
  Hypothesis paper_rate : g = 1.
  Hypothesis paper_monotone : rbar = 1.

  (** a^l = sup_pi S^l[Reg - 2 Reghat^l](pi)  and  b^l = sup_pi S^l[Reghat^l - 2 Reg](pi) *)
  Definition a_cell l w m x : R :=
    let h := fun a => gap (K m) (fstar m x) a - 2 * gap (K m) (fhat l w m x) a in h (argmax (K m) h).
  Definition sup_true l w : R := over_epoch l (a_cell l w).
  Definition sup_virtual l w : R := b_sup 2 l w.

  Theorem sup_true_is_supremum l w : (1 <= l <= L)%nat ->
    (forall pi, policies pi -> true_loss l pi - 2 * virtual_loss l w pi <= sup_true l w) /\
    (exists pi, policies pi /\ true_loss l pi - 2 * virtual_loss l w pi = sup_true l w).
  Proof.
    intro Hl.
    assert (Eq : forall pi, true_loss l pi - 2 * virtual_loss l w pi =
      over_epoch l (fun m x => gap (K m) (fstar m x) (pi m x) - 2 * gap (K m) (fhat l w m x) (pi m x))).
    { intro pi. unfold true_loss, virtual_loss. rewrite <- over_epoch_scal.
      rewrite <- (over_epoch_minus l). reflexivity. }
    split; [intros pi Hpi | exists (best_arm (fun m x a => gap (K m) (fstar m x) a - 2 * gap (K m) (fhat l w m x) a)); split].
    - rewrite Eq.
      apply (supremum_separates (fun m x a => gap (K m) (fstar m x) a - 2 * gap (K m) (fhat l w m x) a)); assumption.
    - apply best_arm_policies.
    - apply Eq.
  Qed.

  Theorem sup_virtual_is_supremum l w : (1 <= l <= L)%nat ->
    (forall pi, policies pi -> virtual_loss l w pi - 2 * true_loss l pi <= sup_virtual l w) /\
    (exists pi, policies pi /\ virtual_loss l w pi - 2 * true_loss l pi = sup_virtual l w).
  Proof.
    intro Hl.
    assert (Eq : forall pi, virtual_loss l w pi - 2 * true_loss l pi =
      over_epoch l (fun m x => gap (K m) (fhat l w m x) (pi m x) - 2 * gap (K m) (fstar m x) (pi m x))).
    { intro pi. unfold true_loss, virtual_loss. rewrite <- over_epoch_scal.
      rewrite <- (over_epoch_minus l). reflexivity. }
    split; [intros pi Hpi | exists (best_arm (fun m x a => gap (K m) (fhat l w m x) a - 2 * gap (K m) (fstar m x) a)); split].
    - rewrite Eq.
      apply (supremum_separates (fun m x a => gap (K m) (fhat l w m x) a - 2 * gap (K m) (fstar m x) a)); assumption.
    - apply best_arm_policies.
    - apply Eq.
  Qed.

  (** ** The split t = 1/(8c) *)
  Let t := 1 / (8 * c).
  Lemma split_ok : 1 <= c -> 0 < t <= 1 / 8 /\ 2 * c * t = 1 / 4.
  Proof.
    intro Hc1. unfold t. repeat split; [apply Rdiv_lt_0_compat; lra | | field; lra].
    unfold Rdiv. rewrite !Rmult_1_l. apply Rinv_le_contravar; lra.
  Qed.
  Lemma beta_at_split : 1 <= c -> 0 <= induction_constant c g t <= 3 * c ^ 2.
  Proof.
    intro Hc1. rewrite paper_rate. unfold induction_constant, t.
    replace ((2 * (1 / (8 * c)) + c * 1 ^ 2 / (4 * (1 / (8 * c)))) / (1 - 2 * c * (1 / (8 * c))))
      with (1 / (3 * c) + 8 * c ^ 2 / 3) by (field; lra).
    assert (0 < 1 / (3 * c)) by (apply Rdiv_lt_0_compat; lra).
    assert (1 / (3 * c) <= 1 / 3).
    { unfold Rdiv. rewrite !Rmult_1_l. apply Rinv_le_contravar; lra. }
    assert (1 <= c ^ 2) by nra. lra.
  Qed.
  (** E of the slack of one epoch: (1/(4c) + beta/4 + 2 c^2) S^l / gamma^l <= 3 c^2 S^l / gamma^l *)
  Lemma slack_at_split l : (1 <= l)%nat -> (S l <= L)%nat ->
    Expect law (fun w => over_epoch (S l) (slack 2 t l w)) <= 3 * c ^ 2 * (SK (S l) / gamma (S l)).
  Proof.
    intros H1 H2. assert (Hc1 : 1 <= c) by (apply c_ge1; lia).
    destruct (split_ok Hc1) as [Ht Hct]. pose proof (beta_at_split Hc1) as Hb.
    assert (Hw : 0 < SK (S l) / gamma (S l)).
    { apply Rdiv_lt_0_compat; [apply SK_pos; lia | apply Hgamma; lia]. }
    assert (IH : gamma0 l * Expect law (b_sup 2 l) <= induction_constant c g t * SK l).
    { apply b_sup_bound; try lia; try lra; rewrite paper_monotone; lra. }
    eapply Rle_trans; [apply (slack_bound 2 t t l ltac:(lra) H1 H2 IH)|].
    apply Rmult_le_compat_r; [lra|].
    replace (2 * t + 2 * c * t * induction_constant c g t + c * g ^ 2 / (4 * t))
      with (induction_constant c g t); [lra|].
    unfold induction_constant. field. split; lra.
  Qed.

  (** lem:true_virtual_loss, repaired, first half:  E a^l <= (26/3) c^2 S^l / gamma^l  for l >= 2. *)
  Theorem lem_true_virtual_loss_repaired_a l : (2 <= l <= L)%nat ->
    Expect law (sup_true l) <= repaired_a_constant c * (SK l / gamma l).
  Proof.
    intro Hl. destruct l as [|l]; [lia|].
    assert (H1 : (1 <= l)%nat) by lia. assert (H2 : (S l <= L)%nat) by lia.
    assert (Hc1 : 1 <= c) by (apply c_ge1; lia). destruct (split_ok Hc1) as [Ht Hct].
    assert (Hw : 0 < SK (S l) / gamma (S l)).
    { apply Rdiv_lt_0_compat; [apply SK_pos; lia | apply Hgamma; lia]. }
    apply Rle_trans with (4 / 3 * Expect law (fun w => over_epoch (S l) (slack 2 t l w))).
    - rewrite <- Expect_scal. destruct (Hlaw (s := s)) as [Hp _]. apply Expect_le; [exact Hp|]. intro w.
      unfold sup_true. rewrite <- over_epoch_scal. apply over_epoch_le; [lia|]. intros m x Hm Hx.
      unfold a_cell. cbv zeta.
      set (a := argmax (K m) (fun a => gap (K m) (fstar m x) a - 2 * gap (K m) (fhat (S l) w m x) a)).
      assert (Ha : (a < K m)%nat) by (apply argmax_lt, HK; exact Hm).
      pose proof (true_step 2 ltac:(lra) t l w m x a ltac:(lra) H1 H2 Hm Ha) as F.
      pose proof (slack_nonneg 2 t l w m x ltac:(lra) H1 H2 Hm) as F0.
      rewrite paper_monotone in F.
      pose proof (gap_nonneg (K m) (fstar m x) a Ha). pose proof (gap_nonneg (K m) (fhat (S l) w m x) a Ha). nra.
    - pose proof (slack_at_split l H1 H2) as F. unfold repaired_a_constant.
      assert (0 <= c ^ 2 * (SK (S l) / gamma (S l))) by (apply Rmult_le_pos; [apply pow2_ge_0 | lra]). lra.
  Qed.

  (** Second half:  E b^l <= (35/4) c^2 S^l / gamma^l  for l >= 2. *)
  Theorem lem_true_virtual_loss_repaired_b l : (2 <= l <= L)%nat ->
    Expect law (sup_virtual l) <= repaired_b_constant c * (SK l / gamma l).
  Proof.
    intro Hl. assert (Hc1 : 1 <= c) by (apply c_ge1; lia).
    destruct (split_ok Hc1) as [Ht Hct]. pose proof (beta_at_split Hc1) as Hb.
    assert (Hw : 0 < SK l / gamma l).
    { apply Rdiv_lt_0_compat; [apply SK_pos; lia | apply Hgamma; lia]. }
    eapply Rle_trans.
    - apply (b_sup_expectation 2 t); try lra; try lia; rewrite paper_monotone; lra.
    - apply Rmult_le_compat_r; [lra|]. unfold repaired_b_constant. pose proof (pow2_ge_0 c). lra.
  Qed.

  (** lem:true_virtual_loss, repaired.  For l >= 2 and policies Pi that may depend on the run:
      E S^l[Reg](Pi) <= 2 E S^l[Reghat^l](Pi) + eta^l  and  E S^l[Reghat^l](Pi) <= 2 E S^l[Reg](Pi) + eta^l,
      eta^l = 9 c^2 S^l / gamma^l. *)
  Theorem lem_true_virtual_loss_repaired l (Pi : Omega -> nat -> nat -> nat) :
    (2 <= l <= L)%nat -> (forall w, policies (Pi w)) ->
    Expect law (fun w => true_loss l (Pi w)) <=
      2 * Expect law (fun w => virtual_loss l w (Pi w)) + eta_constant c * (SK l / gamma l) /\
    Expect law (fun w => virtual_loss l w (Pi w)) <=
      2 * Expect law (fun w => true_loss l (Pi w)) + eta_constant c * (SK l / gamma l).
  Proof.
    intros Hl HPi. assert (Hw : 0 < SK l / gamma l).
    { apply Rdiv_lt_0_compat; [apply SK_pos; lia | apply Hgamma; lia]. }
    split.
    - pose proof (lem_true_virtual_loss_repaired_a l Hl) as Ha.
      assert (F : Expect law (fun w => true_loss l (Pi w)) <=
        2 * Expect law (fun w => virtual_loss l w (Pi w)) + Expect law (sup_true l)).
      { rewrite <- Expect_scal, <- Expect_plus. destruct (Hlaw (s := s)) as [Hp _].
        apply Expect_le; [exact Hp|]. intro w.
        pose proof (proj1 (sup_true_is_supremum l w ltac:(lia)) (Pi w) (HPi w)). lra. }
      pose proof (Rmult_le_compat_r _ _ _ (Rlt_le _ _ Hw) (repaired_a_le_eta c)). lra.
    - pose proof (lem_true_virtual_loss_repaired_b l Hl) as Hb.
      pose proof (virtual_by_true 2 l Pi ltac:(lia) HPi) as F. fold (sup_virtual l) in F.
      change (Expect law (b_sup 2 l)) with (Expect law (sup_virtual l)) in F.
      pose proof (Rmult_le_compat_r _ _ _ (Rlt_le _ _ Hw) (repaired_b_le_eta c)). lra.
  Qed.

  (** lem:true_virtual_loss, as printed: for a policy pi fixed before the run, S^l[Reg](pi) is a number.
      S^l[Reg](pi) <= 2 E S^l[Reghat^l](pi) + eta^l  and  E S^l[Reghat^l](pi) <= 2 S^l[Reg](pi) + eta^l. *)
  Theorem lem_true_virtual_loss_printed l (pi : nat -> nat -> nat) : (2 <= l <= L)%nat -> policies pi ->
    true_loss l pi <= 2 * Expect law (fun w => virtual_loss l w pi) + eta_constant c * (SK l / gamma l) /\
    Expect law (fun w => virtual_loss l w pi) <= 2 * true_loss l pi + eta_constant c * (SK l / gamma l).
  Proof.
    intros Hl Hpi. pose proof (lem_true_virtual_loss_repaired l (fun _ => pi) Hl (fun _ => Hpi)) as H. cbv beta in H.
    rewrite (Expect_const law (true_loss l pi) Hlaw) in H. exact H.
  Qed.

  (** lem:epoch_regret_bound, repaired, with q >= 1 - 1/K_m kept:  E regret^l <= (2q + 9 c^2) S^l / gamma^l. *)
  Theorem lem_epoch_regret_bound_repaired_arms q l : (2 <= l <= L)%nat ->
    (forall m, (m < M)%nat -> 1 - / INR (K m) <= q) ->
    Expect law (epoch_regret l) <= repaired_constant_arms c q * (SK l / gamma l).
  Proof.
    intros Hl Hq. assert (Hg : 0 < gamma l) by (apply Hgamma; lia).
    assert (Hw : 0 < SK l / gamma l) by (apply Rdiv_lt_0_compat; [apply SK_pos; lia | exact Hg]).
    assert (F : Expect law (epoch_regret l) <= Expect law (fun w => 2 * q * (SK l / gamma l) + sup_true l w)).
    { destruct (Hlaw (s := s)) as [Hp _]. apply Expect_le; [exact Hp|]. intro w.
      unfold epoch_regret, sup_true. rewrite <- over_epoch_arms, <- over_epoch_scal, <- over_epoch_plus.
      apply over_epoch_le; [lia|]. intros m x Hm Hx.
      apply Rle_trans with (2 * ((INR (K m) - 1) / gamma l) + a_cell l w m x).
      - apply Rle_trans with (2 * sum (K m) (fun a => kernel l w m x a * gap (K m) (fhat l w m x) a)
            + a_cell l w m x).
        + rewrite <- sum_scal.
          replace (a_cell l w m x) with (a_cell l w m x * sum (K m) (kernel l w m x))
            by (rewrite (kernel_total l w m x Hm); ring).
          rewrite <- sum_scal, <- sum_plus. apply sum_le. intros a Ha.
          pose proof (kernel_pos l w m x a ltac:(lia) Hm Ha) as Hk.
          assert (Ga : gap (K m) (fstar m x) a - 2 * gap (K m) (fhat l w m x) a <= a_cell l w m x).
          { apply (argmax_ge (K m) (fun a => gap (K m) (fstar m x) a - 2 * gap (K m) (fhat l w m x) a) a Ha). }
          replace (2 * (kernel l w m x a * gap (K m) (fhat l w m x) a) + a_cell l w m x * kernel l w m x a)
            with (kernel l w m x a * (2 * gap (K m) (fhat l w m x) a + a_cell l w m x)) by ring.
          apply Rmult_le_compat_l; lra.
        + pose proof (played_virtual l w m x Hl Hm). lra.
      - pose proof (Hq m Hm) as Hqm. pose proof (arms_ge_one m Hm) as HKm.
        assert ((INR (K m) - 1) / gamma l <= q * (INR (K m) / gamma l)).
        { replace (q * (INR (K m) / gamma l)) with (q * INR (K m) / gamma l) by (field; lra).
          apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; exact Hg|].
          replace (INR (K m) - 1) with ((1 - / INR (K m)) * INR (K m)) by (field; lra).
          apply Rmult_le_compat_r; lra. }
        lra. }
    rewrite (Expect_plus law (fun _ => 2 * q * (SK l / gamma l))), (Expect_const law _ Hlaw) in F.
    pose proof (lem_true_virtual_loss_repaired_a l Hl) as Ha.
    pose proof (Rmult_le_compat_r _ _ _ (Rlt_le _ _ Hw) (repaired_a_le_eta c)) as He.
    unfold repaired_constant_arms. unfold eta_constant in He. lra.
  Qed.

  (** lem:epoch_regret_bound, repaired:  E regret^l <= 11 c^2 S^l / gamma^l  for l >= 2. *)
  Theorem lem_epoch_regret_bound_repaired l : (2 <= l <= L)%nat ->
    Expect law (epoch_regret l) <= repaired_constant c * (SK l / gamma l).
  Proof.
    intro Hl. assert (Hc1 : 1 <= c) by (apply c_ge1; lia).
    assert (Hw : 0 < SK l / gamma l) by (apply Rdiv_lt_0_compat; [apply SK_pos; lia | apply Hgamma; lia]).
    eapply Rle_trans.
    - apply (lem_epoch_regret_bound_repaired_arms 1 l Hl). intros m Hm. pose proof (arms_ge_one m Hm).
      assert (0 < / INR (K m)) by (apply Rinv_0_lt_compat; lra). lra.
    - apply Rmult_le_compat_r; [lra|]. unfold repaired_constant_arms, repaired_constant.
      assert (1 <= c ^ 2) by nra. lra.
  Qed.
End Repaired.
