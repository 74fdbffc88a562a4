(** * The induction inside each cell

    For c > 1 the sharpened induction loses a little by summing over agents in every epoch.  Here the
    bound on Reghat - A2 Reg is carried, cell by cell, as an explicit function of the errors of all the
    epochs before; agents are summed once, in the last epoch.  [ratio l' l] bounds
    max_m (E^{l'}_m / E^l_m) / min_m (same).                                                          *)
From Coq Require Import Reals Lra Lia Psatz List Arith.
From FedIGW Require Import FiniteSums FiniteProbability InverseGapWeighting OneContext Policies Setting Constants SharpenedInduction.
Open Scope R_scope.

(** weight of the errors of the epochs before l, seen from epoch T *)
Fixpoint history_weight (ratio : nat -> nat -> R) (t : R) (T l : nat) : R :=
  match l with
  | O => 0
  | S l' => match l' with O => 0 | _ => 2 * t * history_weight ratio t T l' + ratio T l' end
  end.

(** the constant of epoch l + 1 *)
Definition cell_split_constant (ratio : nat -> nat -> R) (l : nat) (rbar g s t q : R) : R :=
  (q + 2 * s * (1 + 2 * t / (1 - 2 * t))
    + g ^ 2 * (ratio (S l) l / (4 * s) + 2 * s / (4 * t) * history_weight ratio t (S l) l))
  / (1 - s * rbar * A2 rbar t).

(** ** Errors of an early epoch with the weights of a late one *)
Section Reweighted.
  Context {s : setting} {valid_s : valid s}.
  Variable ratio : nat -> nat -> R.
  Hypothesis Hratio : forall l' l m m', (1 <= l)%nat -> (l < l')%nat -> (l' <= L)%nat ->
    (m < M)%nat -> (m' < M)%nat -> E l' m / E l m <= ratio l' l * (E l' m' / E l m').

  (** E S^T[err^l] <= ratio(T, l) S^T g^2 / (gamma^{l+1})^2: the errors of epoch l with the weights of epoch T *)
  Lemma err_reweighted T l : (1 <= l)%nat -> (l < T)%nat -> (T <= L)%nat ->
    Expect law (fun w => over_epoch T (err_cell l w)) <= ratio T l * SK T * g ^ 2 / gamma (S l) ^ 2.
  Proof.
    intros H1 H2 H3. assert (Hl : (1 <= l <= L)%nat) by lia. pose proof (HM (s := s)) as some_agent.
    pose proof (SK_pos l Hl) as Sp. pose proof (SK_pos T ltac:(lia)) as Sp'.
    assert (Hg : 0 < gamma (S l)) by (apply Hgamma; lia).
    assert (Hk : 0 <= ratio T l).
    { pose proof (Hratio T l 0 0 H1 H2 H3 ltac:(lia) ltac:(lia)) as H.
      assert (0 < E T 0%nat / E l 0%nat) by (apply Rdiv_lt_0_compat; apply HE; lia). nra. }
    destruct (Hlaw (s := s)) as [Hw _].
    eapply Rle_trans.
    - apply (Expect_le law _ (fun w => ratio T l * SK T / SK l * Err l w) Hw). intro w.
      apply reweight_gen; auto; try lia.
      intros m x Hm _. apply err_cell_nonneg; assumption.
    - rewrite (Expect_scal law (ratio T l * SK T / SK l) (Err l)).
      replace (ratio T l * SK T * g ^ 2 / gamma (S l) ^ 2)
        with (ratio T l * SK T / SK l * (g ^ 2 * SK l / gamma (S l) ^ 2)) by (field; lra).
      apply Rmult_le_compat_l; [|apply HErr; lia].
      apply Rmult_le_pos; [apply Rmult_le_pos; lra|]. left. apply Rinv_0_lt_compat. lra.
  Qed.
End Reweighted.

Section PerCell.
  Context {s : setting} {valid_s : valid s}.
  Let some_agent := HM (s := s).
  Let some_arm := HK (s := s).
  Let contexts_nonneg := HD0 (s := s).
  Let contexts_total := HD1 (s := s).
  Let epochs_positive := HE (s := s).
  Let rates_positive := Hgamma (s := s).
  Let explore_first := Hfirst (s := s).

  Variable ratio : nat -> nat -> R.
  Hypothesis Hratio : forall l' l m m', (1 <= l)%nat -> (l < l')%nat -> (l' <= L)%nat ->
    (m < M)%nat -> (m' < M)%nat -> E l' m / E l m <= ratio l' l * (E l' m' / E l m').
  Variables (sigma t q : R).
  Let A := A2 rbar t.
  Let carry := 2 * t / (1 - 2 * t).
  Hypothesis Ht : 0 < t.
  Hypothesis Htr : t * rbar <= 1 / 2.
  Hypothesis Ht2 : 2 * t < 1.
  Hypothesis Hs : 0 < sigma.
  Hypothesis HsA : sigma * rbar * A < 1.
  Hypothesis Hq : forall m, (m < M)%nat -> INR (K m) - 1 <= q * INR (K m).

  (** history^l = 2t (gamma^{l-1} / gamma^l) history^{l-1} + (gamma^l / 4t) err^{l-1}: the errors behind fhat^l, discounted *)
  Fixpoint history (l : nat) w m x : R :=
    match l with
    | O => 0
    | S l' => match l' with
              | O => 0
              | _ => 2 * t * (gamma0 l' / gamma (S l')) * history l' w m x + gamma (S l') / (4 * t) * err_cell l' w m x
              end
    end.
  (** the bound carried in one cell:  (2t / (1 - 2t)) K / gamma^l + history^l *)
  Definition b_history l w m x : R :=
    (if Nat.eq_dec l 1 then 0 else carry * (INR (K m) / gamma l)) + history l w m x.

  Lemma carry_fix : 2 * t * (1 + carry) = carry.
  Proof. unfold carry. field. lra. Qed.
  Lemma carry_nonneg : 0 <= carry.
  Proof. unfold carry. apply Rmult_le_pos; [lra|]. left. apply Rinv_0_lt_compat. lra. Qed.

  Lemma gamma0_b_history l w m x : (1 <= l <= L)%nat -> (m < M)%nat ->
    gamma0 l * b_history l w m x <= carry * INR (K m) + gamma0 l * history l w m x.
  Proof.
    intros Hl Hm. unfold b_history, gamma0. pose proof carry_nonneg. pose proof (arms_ge_one m Hm).
    destruct (Nat.eq_dec l 1).
    - assert (0 <= carry * INR (K m)) by (apply Rmult_le_pos; lra). lra.
    - assert (0 < gamma l) by (apply Hgamma; lia). right. field. lra.
  Qed.

  Lemma slack_history r l w m x : 0 < r -> (1 <= l)%nat -> (S l <= L)%nat -> (m < M)%nat ->
    2 * r * (INR (K m) / gamma (S l)) + 2 * r * (gamma0 l / gamma (S l)) * b_history l w m x
      + gamma (S l) / (4 * r) * err_cell l w m x
    <= 2 * r * (1 + carry) * (INR (K m) / gamma (S l)) + 2 * r / gamma (S l) * (gamma0 l * history l w m x)
      + gamma (S l) / (4 * r) * err_cell l w m x.
  Proof.
    intros Hr H1 H2 Hm. pose proof (gamma0_b_history l w m x ltac:(lia) Hm) as H.
    assert (Hg : 0 < gamma (S l)) by (apply Hgamma; lia).
    assert (Hrg : 0 < 2 * r / gamma (S l)) by (apply Rdiv_lt_0_compat; lra).
    apply (Rmult_le_compat_l (2 * r / gamma (S l))) in H; [|lra].
    unfold Rdiv in *. lra.
  Qed.

  (** The induction, in every cell and on every run:  Reghat^l(a) <= A2 Reg(a) + b_history^l. *)
  Lemma gap_b_history l w m x a : (1 <= l <= L)%nat -> (m < M)%nat -> (a < K m)%nat ->
    gap (K m) (fhat l w m x) a <= A * gap (K m) (fstar m x) a + b_history l w m x.
  Proof.
    intros Hl Hm. revert a. induction l as [|l IH]; [lia|]. intros a Ha.
    destruct (Nat.eq_dec l 0) as [->|Hn].
    - rewrite gap_zero by (intro; apply Hfirst). unfold b_history. simpl.
      pose proof (gap_nonneg (K m) (fstar m x) a Ha). pose proof (A2_nonneg _ _ Htr : 0 <= A).
      assert (0 <= A * gap (K m) (fstar m x) a) by (apply Rmult_le_pos; lra). lra.
    - assert (H1 : (1 <= l)%nat) by lia. assert (H2 : (S l <= L)%nat) by lia.
      assert (Hl' : (1 <= l <= L)%nat) by lia.
      assert (Hg : 0 < gamma (S l)) by (apply Hgamma; lia).
      assert (T : gap (K m) (fhat (S l) w m x) a - A * gap (K m) (fstar m x) a <=
        2 * t * (INR (K m) / gamma (S l)) + 2 * t * (gamma0 l / gamma (S l)) * b_history l w m x
        + gamma (S l) / (4 * t) * err_cell l w m x).
      { apply (virtual_gap_bound (K m) (fstar m x) (fhat (S l) w m x) (kernel l w m x)) with (rbar := rbar)
          (gap0 := gap (K m) (fhat l w m x));
          auto using gamma0_nonneg, gamma0_le, kernel_pos, kernel_inverse, A2_split.
        - apply A2_nonneg; exact Htr.
        - apply A2_split; exact Htr.
        - apply A2_step; exact Htr. }
      pose proof (slack_history t l w m x Ht H1 H2 Hm) as T2. rewrite carry_fix in T2.
      assert (T3 : b_history (S l) w m x = carry * (INR (K m) / gamma (S l)) + 2 * t / gamma (S l) * (gamma0 l * history l w m x)
        + gamma (S l) / (4 * t) * err_cell l w m x).
      { unfold b_history. destruct (Nat.eq_dec (S l) 1); [lia|].
        destruct l as [|l]; [lia|]. unfold history at 1. fold (history (S l) w m x). field. lra. }
      lra.
  Qed.

  (** E S^T[gamma^l history^l] <= (g^2 / 4t) history_weight(T, l) S^T *)
  Lemma history_bound T l : (1 <= l)%nat -> (l <= T)%nat -> (T <= L)%nat ->
    Expect law (fun w => over_epoch T (fun m x => gamma0 l * history l w m x)) <= g ^ 2 / (4 * t) * history_weight ratio t T l * SK T.
  Proof.
    intros H1 H2 H3. induction l as [|l IH]; [lia|].
    destruct (Nat.eq_dec l 0) as [->|Hn].
    - simpl. rewrite (Expect_ext law _ (fun _ => 0)).
      + rewrite Expect_const by exact Hlaw. lra.
      + intro w. rewrite (over_epoch_scal T (gamma0 1) (fun _ _ => 0)). unfold gamma0. simpl. lra.
    - specialize (IH ltac:(lia) ltac:(lia)).
      assert (Hg : 0 < gamma (S l)) by (apply Hgamma; lia).
      pose proof (err_reweighted ratio Hratio T l ltac:(lia) ltac:(lia) H3) as HEw.
      assert (HG : gamma0 (S l) = gamma (S l)) by (unfold gamma0; destruct (Nat.eq_dec (S l) 1); [lia|reflexivity]).
      rewrite (Expect_ext law _ (fun w => 2 * t * over_epoch T (fun m x => gamma0 l * history l w m x)
                              + gamma (S l) ^ 2 / (4 * t) * over_epoch T (err_cell l w))).
      + rewrite (Expect_plus law (fun w => 2 * t * over_epoch T (fun m x => gamma0 l * history l w m x))
                   (fun w => gamma (S l) ^ 2 / (4 * t) * over_epoch T (err_cell l w))).
        rewrite (Expect_scal law (2 * t)), (Expect_scal law (gamma (S l) ^ 2 / (4 * t))).
        assert (HS : history_weight ratio t T (S l) = 2 * t * history_weight ratio t T l + ratio T l) by (destruct l; [lia|reflexivity]).
        rewrite HS.
        apply (Rmult_le_compat_l (2 * t)) in IH; [|lra].
        apply (Rmult_le_compat_l (gamma (S l) ^ 2 / (4 * t))) in HEw.
        2:{ apply Rmult_le_pos; [apply pow2_ge_0|]. left. apply Rinv_0_lt_compat. lra. }
        replace (gamma (S l) ^ 2 / (4 * t) * (ratio T l * SK T * g ^ 2 / gamma (S l) ^ 2))
          with (g ^ 2 / (4 * t) * ratio T l * SK T) in HEw by (field; lra).
        lra.
      + intro w. rewrite <- !over_epoch_scal, <- over_epoch_plus. unfold over_epoch. apply sum_ext. intros m _. f_equal.
        apply sum_ext. intros x _. f_equal. rewrite HG.
        destruct l as [|l]; [lia|]. unfold history at 1. fold (history (S l) w m x). field. lra.
  Qed.

  (** The epoch regret with any splits and any table of ratios. *)
  Theorem epoch_regret_cellwise l : (1 <= l)%nat -> (S l <= L)%nat ->
    Expect law (epoch_regret (S l)) <= cell_split_constant ratio l rbar g sigma t q * (SK (S l) / gamma (S l)).
  Proof.
    intros H1 H2. assert (Hl : (1 <= l <= L)%nat) by lia.
    assert (Hg : 0 < gamma (S l)) by (apply Hgamma; lia).
    set (v := SK (S l) / gamma (S l)).
    assert (P : forall w, (1 - sigma * rbar * A) * epoch_regret (S l) w <=
       (q + 2 * sigma * (1 + carry)) * v + 2 * sigma / gamma (S l) * over_epoch (S l) (fun m x => gamma0 l * history l w m x)
       + gamma (S l) / (4 * sigma) * over_epoch (S l) (err_cell l w)).
    { intro w. unfold epoch_regret, v. rewrite <- over_epoch_arms. rewrite <- !over_epoch_scal, <- !over_epoch_plus.
      apply over_epoch_le; [lia|]. intros m x Hm Hx.
      assert (F : (1 - sigma * rbar * A) * regret_cell (S l) w m x <=
        sum (K m) (fun a => kernel (S l) w m x a * gap (K m) (fhat (S l) w m x) a) +
        (2 * sigma * (INR (K m) / gamma (S l)) + 2 * sigma * (gamma0 l / gamma (S l)) * b_history l w m x
        + gamma (S l) / (4 * sigma) * err_cell l w m x)).
      { apply (played_gap_bound (K m) (fstar m x) (fhat (S l) w m x) (kernel l w m x)) with (rbar := rbar)
          (gap0 := gap (K m) (fhat l w m x));
          auto using gamma0_nonneg, gamma0_le, kernel_pos, kernel_inverse, gap_b_history, kernel_total.
        - apply A2_nonneg; exact Htr.
        - intros a Ha. left. apply kernel_pos; auto; lia. }
      assert (F2 : sum (K m) (fun a => kernel (S l) w m x a * gap (K m) (fhat (S l) w m x) a)
                 <= (INR (K m) - 1) / gamma (S l)).
      { apply igw_estimated_regret; auto. }
      assert (F3 : (INR (K m) - 1) / gamma (S l) <= q * (INR (K m) / gamma (S l))).
      { unfold Rdiv. rewrite <- Rmult_assoc. apply Rmult_le_compat_r; [|apply Hq; exact Hm].
        left. apply Rinv_0_lt_compat. exact Hg. }
      pose proof (slack_history sigma l w m x Hs H1 H2 Hm). lra. }
    destruct (Hlaw (s := s)) as [Hw _].
    pose proof (Expect_le law _ _ Hw P) as Q.
    rewrite (Expect_scal law (1 - sigma * rbar * A) (epoch_regret (S l))) in Q.
    rewrite (Expect_plus law (fun w => (q + 2 * sigma * (1 + carry)) * v + 2 * sigma / gamma (S l) * over_epoch (S l) (fun m x => gamma0 l * history l w m x))
                        (fun w => gamma (S l) / (4 * sigma) * over_epoch (S l) (err_cell l w))) in Q.
    rewrite (Expect_plus law (fun w => (q + 2 * sigma * (1 + carry)) * v)
                        (fun w => 2 * sigma / gamma (S l) * over_epoch (S l) (fun m x => gamma0 l * history l w m x))) in Q.
    rewrite (Expect_scal law (2 * sigma / gamma (S l))), (Expect_scal law (gamma (S l) / (4 * sigma))), (Expect_const law _ Hlaw) in Q.
    pose proof (history_bound (S l) l H1 ltac:(lia) H2) as B1.
    pose proof (err_reweighted ratio Hratio (S l) l H1 ltac:(lia) H2) as B2.
    apply (Rmult_le_compat_l (2 * sigma / gamma (S l))) in B1; [|left; apply Rdiv_lt_0_compat; lra].
    apply (Rmult_le_compat_l (gamma (S l) / (4 * sigma))) in B2; [|left; apply Rdiv_lt_0_compat; lra].
    apply (Rmult_le_reg_l (1 - sigma * rbar * A)); [lra|].
    replace ((1 - sigma * rbar * A) * (cell_split_constant ratio l rbar g sigma t q * v)) with
      ((q + 2 * sigma * (1 + carry)) * v + 2 * sigma / gamma (S l) * (g ^ 2 / (4 * t) * history_weight ratio t (S l) l * SK (S l))
        + gamma (S l) / (4 * sigma) * (ratio (S l) l * SK (S l) * g ^ 2 / gamma (S l) ^ 2)); [lra|].
    unfold cell_split_constant, v. fold carry A. field. repeat split; lra.
  Qed.

End PerCell.

(** ** At s = t = 1/(8c), and at s = t = 1/8 *)
Section PerCellEpoch.
  Context {s : setting} {valid_s : valid s}.
  Let some_agent := HM (s := s).
  Let some_arm := HK (s := s).
  Let contexts_nonneg := HD0 (s := s).
  Let contexts_total := HD1 (s := s).
  Let epochs_positive := HE (s := s).
  Let rates_positive := Hgamma (s := s).
  Let ratio_of_lengths := Hc (s := s).
  Let explore_first := Hfirst (s := s).
  Variable q : R.
  Hypothesis Hq : forall m, (m < M)%nat -> 1 - / INR (K m) <= q.
  Hypothesis paper_monotone : rbar = 1.

  Lemma ratio_powers l j m m' : (1 <= l)%nat -> (l + j <= L)%nat -> (m < M)%nat -> (m' < M)%nat -> 0 <= c ->
    E (l + j) m / E l m <= c ^ j * (E (l + j) m' / E l m').
  Proof.
    intros H1 H2 Hm Hm' Hc0. induction j as [|j IH].
    - rewrite Nat.add_0_r. pose proof (epochs_positive l m ltac:(lia) Hm). pose proof (epochs_positive l m' ltac:(lia) Hm').
      replace (E l m / E l m) with 1 by (field; lra). replace (E l m' / E l m') with 1 by (field; lra). simpl. lra.
    - specialize (IH ltac:(lia)). replace (l + S j)%nat with (S (l + j)) by lia.
      pose proof (ratio_of_lengths (l + j)%nat m m' ltac:(lia) ltac:(lia) Hm Hm') as H.
      pose proof (epochs_positive l m ltac:(lia) Hm). pose proof (epochs_positive l m' ltac:(lia) Hm').
      pose proof (epochs_positive (l + j) m ltac:(lia) Hm). pose proof (epochs_positive (l + j) m' ltac:(lia) Hm').
      pose proof (epochs_positive (S (l + j)) m ltac:(lia) Hm). pose proof (epochs_positive (S (l + j)) m' ltac:(lia) Hm').
      replace (E (S (l + j)) m / E l m) with ((E (S (l + j)) m / E (l + j) m) * (E (l + j) m / E l m)) by (field; lra).
      replace (c ^ S j * (E (S (l + j)) m' / E l m')) with
        ((c * (E (S (l + j)) m' / E (l + j) m')) * (c ^ j * (E (l + j) m' / E l m'))) by (simpl; field; lra).
      apply Rmult_le_compat; try assumption; left; apply Rdiv_lt_0_compat; assumption.
  Qed.
  Lemma history_weight_powers t T l : 1 <= c -> 0 < t -> 2 * c * t < 1 -> (1 <= l)%nat -> (l <= T)%nat ->
    history_weight (fun l' l => c ^ (l' - l)) t T l <= c ^ (T - l + 1) / (1 - 2 * c * t).
  Proof.
    intros Hc1 Ht Hct H1 H2. induction l as [|l IH]; [lia|].
    destruct (Nat.eq_dec l 0) as [->|Hn].
    - simpl history_weight. left. apply Rdiv_lt_0_compat; [apply pow_lt; lra|lra].
    - replace (history_weight (fun l' l => c ^ (l' - l)) t T (S l)) with
        (2 * t * history_weight (fun l' l => c ^ (l' - l)) t T l + c ^ (T - l)) by (destruct l; [lia|reflexivity]).
      specialize (IH ltac:(lia) ltac:(lia)).
      replace (T - S l + 1)%nat with (T - l)%nat by lia.
      replace (T - l + 1)%nat with (S (T - l)) in IH by lia.
      apply (Rmult_le_compat_l (2 * t)) in IH; [|lra].
      replace (c ^ (T - l) / (1 - 2 * c * t)) with (2 * t * (c ^ S (T - l) / (1 - 2 * c * t)) + c ^ (T - l))
        by (simpl; field; lra).
      lra.
  Qed.

  (** lem:epoch_regret_bound, per cell:  E regret^l <= C S^l / gamma^l  for l >= 2,
      C = (8c-1)/(8c-2) (q + 1/(4c-1) + 8 c^2 g^2 / 3). *)
  Theorem lem_epoch_regret_bound_per_cell l : (2 <= l <= L)%nat ->
    Expect law (epoch_regret l) <= per_cell_constant c g q * (SK l / gamma l).
  Proof.
    intro Hl. assert (Hc1 : 1 <= c) by (apply c_ge1; lia).
    pose proof (eighth c Hc1) as B. pose proof (eighth_absorbs _ B) as B2.
    destruct l as [|l]; [lia|]. set (t := 1 / (8 * c)) in *.
    assert (Hct : 2 * c * t = 1 / 4) by (unfold t; field; lra).
    assert (Hw : 0 <= SK (S l) / gamma (S l)).
    { left. apply Rdiv_lt_0_compat; [apply SK_pos; lia | apply Hgamma; lia]. }
    eapply Rle_trans.
    - apply (epoch_regret_cellwise (fun l' l => c ^ (l' - l))) with (sigma := t) (t := t) (q := q);
        rewrite ?paper_monotone; try lra; try lia; auto using (q_arms q Hq).
      intros l' l0 m m' A1 A3 A4 Hm Hm'. replace l' with (l0 + (l' - l0))%nat at 1 3 by lia.
      apply ratio_powers; auto; try lia. lra.
    - apply Rmult_le_compat_r; [exact Hw|]. rewrite paper_monotone.
      pose proof (history_weight_powers t (S l) l Hc1 ltac:(lra) ltac:(lra) ltac:(lia) ltac:(lia)) as HH.
      replace (S l - l + 1)%nat with 2%nat in HH by lia. rewrite Hct in HH.
      unfold cell_split_constant. replace (S l - l)%nat with 1%nat by lia.
      apply Rle_trans with ((q + 2 * t * (1 + 2 * t / (1 - 2 * t)) +
         g ^ 2 * (c ^ 1 / (4 * t) + 2 * t / (4 * t) * (c ^ 2 / (1 - 1 / 4)))) / (1 - t * 1 * A2 1 t)).
      + apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; lra|].
        apply Rplus_le_compat_l. apply Rmult_le_compat_l; [apply pow2_ge_0|].
        apply Rplus_le_compat_l. apply Rmult_le_compat_l; [|exact HH].
        left. apply Rdiv_lt_0_compat; lra.
      + right. unfold per_cell_constant, A2, t. field. repeat split; lra.
  Qed.

  (** c bounds the ratio between any two epochs *)
  Hypothesis Hany : forall l' l m m', (1 <= l)%nat -> (l < l')%nat -> (l' <= L)%nat ->
    (m < M)%nat -> (m' < M)%nat -> E l' m / E l m <= c * (E l' m' / E l m').

  Lemma history_weight_constant t T l : 0 <= c -> 0 < t -> 2 * t < 1 -> history_weight (fun _ _ => c) t T l <= c / (1 - 2 * t).
  Proof.
    intros Hc0 Ht Ht2. assert (P : 0 <= c / (1 - 2 * t)).
    { apply Rmult_le_pos; [exact Hc0|]. left. apply Rinv_0_lt_compat. lra. }
    induction l as [|l IH]; [exact P|]. destruct l as [|l]; [exact P|].
    change (history_weight (fun _ _ => c) t T (S (S l))) with (2 * t * history_weight (fun _ _ => c) t T (S l) + c).
    apply (Rmult_le_compat_l (2 * t)) in IH; [|lra].
    replace (c / (1 - 2 * t)) with (2 * t * (c / (1 - 2 * t)) + c) at 1 by (field; lra). lra.
  Qed.

  (** lem:epoch_regret_bound, per cell, if c bounds the ratio between any two epochs:
      C = (7/6)(q + 1/3 + 8 c g^2 / 3), so that C/g grows as sqrt c. *)
  Theorem lem_epoch_regret_bound_per_cell_any_epochs l : (2 <= l <= L)%nat ->
    Expect law (epoch_regret l) <= per_cell_constant_any_epochs c g q * (SK l / gamma l).
  Proof.
    intro Hl. assert (Hc1 : 1 <= c) by (apply c_ge1; lia).
    destruct l as [|l]; [lia|]. set (t := 1 / 8).
    assert (B2 : t * 1 * A2 1 t < 1) by (apply eighth_absorbs; unfold t; lra).
    assert (Hw : 0 <= SK (S l) / gamma (S l)).
    { left. apply Rdiv_lt_0_compat; [apply SK_pos; lia | apply Hgamma; lia]. }
    eapply Rle_trans.
    - apply (epoch_regret_cellwise (fun _ _ => c)) with (sigma := t) (t := t) (q := q);
        rewrite ?paper_monotone; try (unfold t; lra); try lia; auto using (q_arms q Hq).
    - apply Rmult_le_compat_r; [exact Hw|]. rewrite paper_monotone.
      pose proof (history_weight_constant t (S l) l ltac:(lra) ltac:(unfold t; lra) ltac:(unfold t; lra)) as HH.
      unfold cell_split_constant.
      apply Rle_trans with ((q + 2 * t * (1 + 2 * t / (1 - 2 * t)) +
         g ^ 2 * (c / (4 * t) + 2 * t / (4 * t) * (c / (1 - 2 * t)))) / (1 - t * 1 * A2 1 t)).
      + apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; lra|].
        apply Rplus_le_compat_l. apply Rmult_le_compat_l; [apply pow2_ge_0|].
        apply Rplus_le_compat_l. apply Rmult_le_compat_l; [|exact HH].
        unfold t. lra.
      + right. unfold per_cell_constant_any_epochs, A2, t. field.
  Qed.
End PerCellEpoch.
