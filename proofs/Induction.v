(** * The induction over epochs, for any coefficient A

    b^l = sup_pi S^l[Reghat^l - A Reg](pi) is carried from epoch to epoch.  With split [t],

        t rbar A <= 1,   1 + t rbar A <= A   =>   E b^l <= beta S^l / gamma^l,
        beta = (2t + c g^2 / 4t) / (1 - 2ct).

    A = 2 gives the paper's lem:true_virtual_loss (RepairedInduction.v), the smallest admissible
    A = 1 / (1 - t rbar) the sharpened theorem (SharpenedInduction.v).

    The supremum is inside the expectation.  The paper proves its lemma for a fixed policy and then applies
    it to policies that depend on the data (erratum E1, refuted in Errata.v).                              *)
From Coq Require Import Reals Lra Lia Psatz List Arith.
From FedIGW Require Import FiniteSums FiniteProbability InverseGapWeighting OneContext Policies Setting Constants.
Open Scope R_scope.

(** ** The supremum over policies separates

    sup_pi sum_m E_m E_x u(m, x, pi_m(x)) = sum_m E_m E_x max_a u(m, x, a), and it is attained. *)
Section Supremum.
  Context {s : setting} {valid_s : valid s}.
  Variable u : nat -> nat -> nat -> R.
  Definition best_arm m x : nat := argmax (K m) (u m x).
  Theorem supremum_separates l pi : (1 <= l <= L)%nat -> policies pi ->
    over_epoch l (fun m x => u m x (pi m x)) <= over_epoch l (fun m x => u m x (best_arm m x)).
  Proof.
    intros Hl Hpi. apply over_epoch_le; [exact Hl|]. intros m x Hm Hx.
    apply argmax_ge. apply Hpi; assumption.
  Qed.
  Lemma best_arm_policies : policies best_arm.
  Proof. intros m Hm x Hx. apply argmax_lt, HK, Hm. Qed.
End Supremum.

Section Induction.
  Context {s : setting} {valid_s : valid s}.
  Let some_agent := HM (s := s).
  Let some_arm := HK (s := s).
  Let contexts_nonneg := HD0 (s := s).
  Let contexts_total := HD1 (s := s).
  Let epochs_positive := HE (s := s).
  Let rates_positive := Hgamma (s := s).
  Let ratio_of_lengths := Hc (s := s).
  Let explore_first := Hfirst (s := s).

  Variables (A t : R).
  Let beta := induction_constant c g t.
  Hypothesis HA : 0 <= A.
  Hypothesis HtA : t * rbar * A <= 1.
  Hypothesis HA1 : 1 + t * rbar * A <= A.
  Hypothesis Ht : 0 < t.
  Hypothesis Hct : 2 * c * t < 1.

  (** b^l = sup_pi S^l[Reghat^l - A Reg](pi); in one cell, the maximum over arms. *)
  Definition b_cell l w m x : R :=
    let h := fun a => gap (K m) (fhat l w m x) a - A * gap (K m) (fstar m x) a in h (argmax (K m) h).
  Definition b_sup l w : R := over_epoch l (b_cell l w).

  Lemma b_cell_ge l w m x a : (a < K m)%nat ->
    gap (K m) (fhat l w m x) a <= A * gap (K m) (fstar m x) a + b_cell l w m x.
  Proof.
    intro Ha. unfold b_cell. cbv zeta.
    set (h := fun a => gap (K m) (fhat l w m x) a - A * gap (K m) (fstar m x) a).
    change (gap (K m) (fhat l w m x) a <= A * gap (K m) (fstar m x) a + h (argmax (K m) h)).
    pose proof (argmax_ge (K m) h a Ha) as H.
    change (h a) with (gap (K m) (fhat l w m x) a - A * gap (K m) (fstar m x) a) in H. lra.
  Qed.
  Lemma b_cell_nonneg l w m x : (m < M)%nat -> 0 <= b_cell l w m x.
  Proof.
    intro Hm. assert (Ha : (argmax (K m) (fstar m x) < K m)%nat) by (apply argmax_lt; auto).
    pose proof (b_cell_ge l w m x _ Ha) as H. rewrite gap_best in H.
    pose proof (gap_nonneg (K m) (fhat l w m x) _ Ha). lra.
  Qed.
  
  (** What epoch l + 1 may lose in one cell with split r. *)
  Definition slack (r : R) l w m x : R :=
    2 * r * (INR (K m) / gamma (S l)) + 2 * r * (gamma0 l / gamma (S l)) * b_cell l w m x
    + gamma (S l) / (4 * r) * err_cell l w m x.

  Lemma b_cell_step l w m x : (1 <= l)%nat -> (S l <= L)%nat -> (m < M)%nat ->
    b_cell (S l) w m x <= slack t l w m x.
  Proof.
    intros H1 H2 Hm. unfold b_cell at 1. cbv zeta.
    assert (Hl : (1 <= l <= L)%nat) by lia.
    apply (virtual_gap_bound (K m) (fstar m x) (fhat (S l) w m x) (kernel l w m x)) with (rbar := rbar)
      (gap0 := gap (K m) (fhat l w m x));
      auto using gamma0_nonneg, gamma0_le, kernel_pos, kernel_inverse, b_cell_ge, argmax_lt.
    apply Hgamma. lia.
  Qed.

  (** Its second half: the true regret of the kernel that epoch l + 1 plays. *)
  Lemma played_step r l w m x : 0 < r -> (1 <= l)%nat -> (S l <= L)%nat -> (m < M)%nat ->
    (1 - r * rbar * A) * regret_cell (S l) w m x <=
      sum (K m) (fun a => kernel (S l) w m x a * gap (K m) (fhat (S l) w m x) a) + slack r l w m x.
  Proof.
    intros Hr H1 H2 Hm. assert (Hl : (1 <= l <= L)%nat) by lia.
    assert (Hg : 0 < gamma (S l)) by (apply Hgamma; lia).
    apply (played_gap_bound (K m) (fstar m x) (fhat (S l) w m x) (kernel l w m x)) with (rbar := rbar)
      (gap0 := gap (K m) (fhat l w m x));
      auto using gamma0_nonneg, gamma0_le, kernel_pos, kernel_inverse, b_cell_ge, kernel_total.
    intros a Ha. left. apply kernel_pos; auto; lia.
  Qed.
  (** And for every single arm. *)
  Lemma true_step r l w m x a : 0 < r -> (1 <= l)%nat -> (S l <= L)%nat -> (m < M)%nat -> (a < K m)%nat ->
    (1 - r * rbar * A) * gap (K m) (fstar m x) a <= gap (K m) (fhat (S l) w m x) a + slack r l w m x.
  Proof.
    intros Hr H1 H2 Hm Ha. assert (Hl : (1 <= l <= L)%nat) by lia.
    assert (Hg : 0 < gamma (S l)) by (apply Hgamma; lia).
    apply (true_gap_bound (K m) (fstar m x) (fhat (S l) w m x) (kernel l w m x)) with (rbar := rbar)
      (gap0 := gap (K m) (fhat l w m x));
      auto using gamma0_nonneg, gamma0_le, kernel_pos, kernel_inverse, b_cell_ge.
  Qed.
  Lemma slack_nonneg r l w m x : 0 < r -> (1 <= l)%nat -> (S l <= L)%nat -> (m < M)%nat ->
    0 <= slack r l w m x.
  Proof.
    intros Hr H1 H2 Hm. assert (Hg : 0 < gamma (S l)) by (apply Hgamma; lia).
    pose proof (gamma0_nonneg l ltac:(lia)). pose proof (b_cell_nonneg l w m x Hm).
    pose proof (err_cell_nonneg l w m x ltac:(lia) Hm). pose proof (arms_ge_one m Hm).
    pose proof (Rinv_0_lt_compat _ Hg).
    assert (0 < / (4 * r)) by (apply Rinv_0_lt_compat; lra).
    unfold slack, Rdiv. repeat apply Rplus_le_le_0_compat; repeat apply Rmult_le_pos; lra.
  Qed.

  Lemma beta_fix : 2 * t + 2 * c * t * beta + c * g ^ 2 / (4 * t) = beta.
  Proof. unfold beta, induction_constant. field. lra. Qed.
  Lemma beta_nonneg : 0 <= c -> 0 <= beta.
  Proof.
    intro H. unfold beta, induction_constant. apply Rmult_le_pos; [|left; apply Rinv_0_lt_compat; lra].
    assert (0 <= c * g ^ 2 / (4 * t)).
    { apply Rmult_le_pos; [apply Rmult_le_pos; [exact H|apply pow2_ge_0]|].
      left. apply Rinv_0_lt_compat. lra. }
    lra.
  Qed.

  (** Summed over agents and contexts, in expectation: (2r + 2cr beta + c g^2 / 4r) S^{l+1} / gamma^{l+1}.
      Changing the weights from E^{l+1} to E^l costs the factor c, here and only here. *)
  Lemma slack_bound r l : 0 < r -> (1 <= l)%nat -> (S l <= L)%nat ->
    gamma0 l * Expect law (b_sup l) <= beta * SK l ->
    Expect law (fun w => over_epoch (S l) (slack r l w)) <=
      (2 * r + 2 * c * r * beta + c * g ^ 2 / (4 * r)) * (SK (S l) / gamma (S l)).
  Proof.
    intros Hr H1 H2 IH.
    assert (Hl : (1 <= l <= L)%nat) by lia.
    assert (Hg : 0 < gamma (S l)) by (apply Hgamma; lia).
    pose proof (SK_pos l Hl) as Sp. pose proof (SK_pos (S l) ltac:(lia)) as Sp'.
    pose proof (gamma0_nonneg l Hl) as HG.
    assert (Hc0 : 1 <= c) by (apply c_ge1; lia).
    set (cost := c * SK (S l) / SK l).
    assert (Hk : 0 < cost) by (unfold cost; apply Rdiv_lt_0_compat; nra).
    set (c0 := 2 * r * (SK (S l) / gamma (S l))).
    set (c1 := 2 * r * (gamma0 l / gamma (S l))).
    set (c2 := gamma (S l) / (4 * r)).
    assert (Hc1 : 0 <= c1).
    { unfold c1. apply Rmult_le_pos; [lra|]. apply Rmult_le_pos; [exact HG|].
      left; apply Rinv_0_lt_compat; lra. }
    assert (Hc2 : 0 < c2) by (unfold c2; apply Rdiv_lt_0_compat; lra).
    assert (P : forall w, over_epoch (S l) (slack r l w) <= c0 + (c1 * cost) * b_sup l w + (c2 * cost) * Err l w).
    { intro w. unfold slack.
      rewrite (over_epoch_plus (S l) (fun m x => 2 * r * (INR (K m) / gamma (S l)) + 2 * r * (gamma0 l / gamma (S l)) * b_cell l w m x)
                             (fun m x => gamma (S l) / (4 * r) * err_cell l w m x)).
      rewrite (over_epoch_plus (S l) (fun m x => 2 * r * (INR (K m) / gamma (S l)))
                             (fun m x => 2 * r * (gamma0 l / gamma (S l)) * b_cell l w m x)).
      rewrite (over_epoch_scal (S l) (2 * r) (fun m x => INR (K m) / gamma (S l))).
      rewrite (over_epoch_scal (S l) (2 * r * (gamma0 l / gamma (S l))) (b_cell l w)).
      rewrite (over_epoch_scal (S l) (gamma (S l) / (4 * r)) (err_cell l w)).
      rewrite over_epoch_arms. fold c0 c1 c2.
      pose proof (reweight l (b_cell l w) H1 H2 (fun m x Hm _ => b_cell_nonneg l w m x Hm)) as R1.
      pose proof (reweight l (err_cell l w) H1 H2 (fun m x Hm _ => err_cell_nonneg l w m x Hl Hm)) as R2.
      fold (b_sup l w) in R1. fold (Err l w) in R2. fold cost in R1, R2.
      apply (Rmult_le_compat_l c1) in R1; [|exact Hc1].
      apply (Rmult_le_compat_l c2) in R2; [|lra]. lra. }
    destruct (Hlaw (s := s)) as [Hw _].
    eapply Rle_trans; [apply (Expect_le law _ _ Hw P)|].
    rewrite (Expect_plus law (fun w => c0 + c1 * cost * b_sup l w) (fun w => c2 * cost * Err l w)).
    rewrite (Expect_plus law (fun _ => c0) (fun w => c1 * cost * b_sup l w)).
    rewrite (Expect_scal law (c1 * cost) (b_sup l)), (Expect_scal law (c2 * cost) (Err l)).
    rewrite (Expect_const law c0 Hlaw).
    pose proof (HErr l H1 H2) as HEr.
    apply (Rmult_le_compat_l (c2 * cost)) in HEr; [|apply Rmult_le_pos; lra].
    assert (Q : c1 * cost * Expect law (b_sup l) <= 2 * r / gamma (S l) * cost * (beta * SK l)).
    { replace (c1 * cost * Expect law (b_sup l)) with ((2 * r / gamma (S l) * cost) * (gamma0 l * Expect law (b_sup l)))
        by (unfold c1; field; lra).
      apply Rmult_le_compat_l; [|exact IH].
      apply Rmult_le_pos; [|lra]. apply Rmult_le_pos; [lra|]. left; apply Rinv_0_lt_compat; lra. }
    replace ((2 * r + 2 * c * r * beta + c * g ^ 2 / (4 * r)) * (SK (S l) / gamma (S l)))
      with (c0 + 2 * r / gamma (S l) * cost * (beta * SK l) + c2 * cost * (g ^ 2 * SK l / gamma (S l) ^ 2)).
    - lra.
    - unfold c0, c2, cost. field. repeat split; lra.
  Qed.

  (** E b^l <= beta S^l / gamma^l, written so that it also covers epoch 1 (gamma0 1 = 0). *)
  Lemma b_sup_bound l : (1 <= l <= L)%nat -> (2 <= L)%nat -> gamma0 l * Expect law (b_sup l) <= beta * SK l.
  Proof.
    intros Hl HL. induction l as [|l IH]; [lia|].
    assert (Hc0 : 1 <= c) by (apply c_ge1; exact HL).
    destruct (Nat.eq_dec l 0) as [->|Hn].
    - unfold gamma0. simpl. rewrite Rmult_0_l. apply Rmult_le_pos; [apply beta_nonneg; lra|].
      left. apply SK_pos. lia.
    - assert (H1 : (1 <= l)%nat) by lia. assert (H2 : (S l <= L)%nat) by lia.
      assert (Hg : 0 < gamma (S l)) by (apply Hgamma; lia).
      specialize (IH ltac:(lia)).
      pose proof (slack_bound t l ltac:(lra) H1 H2 IH) as HZ. rewrite beta_fix in HZ.
      assert (HB : Expect law (b_sup (S l)) <= Expect law (fun w => over_epoch (S l) (slack t l w))).
      { destruct (Hlaw (s := s)) as [Hw _]. apply Expect_le; [exact Hw|]. intro w.
        apply over_epoch_le; [lia|]. intros m x Hm Hx. apply b_cell_step; assumption. }
      unfold gamma0. destruct (Nat.eq_dec (S l) 1); [lia|].
      replace (beta * SK (S l)) with (gamma (S l) * (beta * (SK (S l) / gamma (S l)))) by (field; lra).
      apply Rmult_le_compat_l; lra.
  Qed.

  (** From the supremum to policies that may depend on the run. *)
  Lemma virtual_by_true l (Pi : Omega -> nat -> nat -> nat) : (1 <= l <= L)%nat -> (forall w, policies (Pi w)) ->
    Expect law (fun w => virtual_loss l w (Pi w)) <=
      A * Expect law (fun w => true_loss l (Pi w)) + Expect law (b_sup l).
  Proof.
    intros Hl HPi. rewrite <- Expect_scal, <- Expect_plus.
    destruct (Hlaw (s := s)) as [Hw _]. apply Expect_le; [exact Hw|]. intro w.
    unfold virtual_loss, true_loss, b_sup. rewrite <- over_epoch_scal, <- over_epoch_plus.
    apply over_epoch_le; [exact Hl|]. intros m x Hm Hx. apply b_cell_ge. apply HPi; assumption.
  Qed.
  (** lem:q_loss_bound in one cell of epoch l. *)
  Lemma played_virtual l w m x : (2 <= l <= L)%nat -> (m < M)%nat ->
    sum (K m) (fun a => kernel l w m x a * gap (K m) (fhat l w m x) a) <= (INR (K m) - 1) / gamma l.
  Proof. intros Hl Hm. apply igw_estimated_regret; [apply HK; exact Hm | apply Hgamma; exact Hl]. Qed.

  Theorem b_sup_expectation l : (2 <= l <= L)%nat -> Expect law (b_sup l) <= beta * (SK l / gamma l).
  Proof.
    intro Hl. assert (Hg : 0 < gamma l) by (apply Hgamma; lia).
    pose proof (b_sup_bound l ltac:(lia) ltac:(lia)) as H. unfold gamma0 in H.
    destruct (Nat.eq_dec l 1); [lia|]. apply (Rmult_le_reg_l (gamma l)); [exact Hg|].
    replace (gamma l * (beta * (SK l / gamma l))) with (beta * SK l) by (field; lra). exact H.
  Qed.
End Induction.
