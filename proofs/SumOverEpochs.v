(** * From epochs to the total

    First epoch (uniform arms), the cap W^l of every epoch, S^l / gamma^l written with the excess risk e, and the
    sum over epochs.  Everything here is about an arbitrary [setting]; Protocol.v applies it to the run.        *)
From Coq Require Import Reals Lra Lia Psatz List Arith.
From FedIGW Require Import FiniteSums FiniteProbability InverseGapWeighting Policies Setting Constants
  RepairedInduction SharpenedInduction PerCellInduction.
Open Scope R_scope.

Section Total.
  Context {s : setting} {valid_s : valid s}.
  Let some_agent := HM (s := s).
  Let some_arm := HK (s := s).
  Let explore_first := Hfirst (s := s).
  (** H1: mean rewards are in [0,1] *)
  Hypothesis H1 : forall m x a, (m < M)%nat -> (x < X m)%nat -> (a < K m)%nat -> 0 <= fstar m x a <= 1.

  Lemma W_pos l : (1 <= l <= L)%nat -> 0 < W l.
  Proof.
    intro Hl. apply Rlt_le_trans with (E l 0%nat); [apply HE; lia|].
    apply (sum_ge_one M (fun m => E l m) 0); [|lia]. intros i Hi. left. apply HE; auto.
  Qed.
  Lemma gap_le_one m x a : (m < M)%nat -> (x < X m)%nat -> (a < K m)%nat -> gap (K m) (fstar m x) a <= 1.
  Proof.
    intros Hm Hx Ha. unfold gap. pose proof (H1 m x a Hm Hx Ha).
    pose proof (H1 m x (argmax (K m) (fstar m x)) Hm Hx ltac:(apply argmax_lt; auto)). lra.
  Qed.

  (** regret^l <= W^l *)
  Lemma regret_cap l w : (1 <= l <= L)%nat -> epoch_regret l w <= W l.
  Proof.
    intro Hl. unfold epoch_regret.
    replace (W l) with (over_epoch l (fun _ _ => 1)).
    - apply over_epoch_le; [exact Hl|]. intros m x Hm Hx.
      unfold regret_cell. rewrite <- (kernel_total l w m x Hm).
      apply sum_le. intros a Ha. pose proof (kernel_pos l w m x a Hl Hm Ha).
      pose proof (gap_le_one m x a Hm Hx Ha). nra.
    - rewrite (over_epoch_agent l (fun _ => 1)). apply sum_ext. intros; ring.
  Qed.

  (** regret^1 <= sum_m (1 - 1/K_m) E^1_m: one arm in K_m is optimal and p^1 is uniform *)
  Lemma regret_first w : (1 <= L)%nat -> epoch_regret 1 w <= sum M (fun m => (1 - / INR (K m)) * E 1 m).
  Proof.
    intro HL. unfold epoch_regret.
    replace (sum M (fun m => (1 - / INR (K m)) * E 1 m)) with (over_epoch 1 (fun m _ => 1 - / INR (K m))).
    - apply over_epoch_le; [lia|]. intros m x Hm Hx. pose proof (arms_ge_one m Hm) as HKm.
      assert (Hi : 0 < / INR (K m)) by (apply Rinv_0_lt_compat; lra).
      unfold regret_cell.
      apply Rle_trans with (sum (K m) (fun a => / INR (K m) -
          (if Nat.eq_dec a (argmax (K m) (fstar m x)) then / INR (K m) else 0))).
      + apply sum_le. intros a Ha. unfold kernel. rewrite igw_uniform; auto.
        destruct (Nat.eq_dec a (argmax (K m) (fstar m x))) as [->|Hn].
        * rewrite gap_best. lra.
        * pose proof (gap_le_one m x a Hm Hx Ha). nra.
      + rewrite sum_minus, sum_const, sum_delta by (apply argmax_lt; auto). right. field. lra.
    - rewrite (over_epoch_agent 1 (fun m => 1 - / INR (K m))). apply sum_ext. intros; ring.
  Qed.

  Lemma total_from_epochs (B : nat -> R) : (1 <= L)%nat ->
    (forall l, (2 <= l <= L)%nat -> Expect law (epoch_regret l) <= B l) ->
    Expect law (fun w => sum L (fun i => epoch_regret (S i) w)) <=
      sum M (fun m => (1 - / INR (K m)) * E 1 m) +
      sum (L - 1) (fun i => Rmin (W (i + 2)) (B (i + 2)%nat)).
  Proof.
    intros HL HB. rewrite Expect_sum. destruct (Hlaw (s := s)) as [Hw _].
    assert (F : forall k, (k <= L - 1)%nat ->
      sum (S k) (fun i => Expect law (epoch_regret (S i))) <=
        sum M (fun m => (1 - / INR (K m)) * E 1 m) +
        sum k (fun i => Rmin (W (i + 2)) (B (i + 2)%nat))).
    { induction k as [|k IH]; intro Hk.
      - simpl. rewrite !Rplus_0_l, Rplus_0_r.
        rewrite <- (Expect_const law (sum M (fun m => (1 - / INR (K m)) * E 1 m)) Hlaw).
        apply Expect_le; [exact Hw|]. intro w. apply regret_first. lia.
      - change (sum (S (S k)) (fun i => Expect law (epoch_regret (S i))))
          with (sum (S k) (fun i => Expect law (epoch_regret (S i))) + Expect law (epoch_regret (S (S k)))).
        change (sum (S k) (fun i => Rmin (W (i + 2)) (B (i + 2)%nat)))
          with (sum k (fun i => Rmin (W (i + 2)) (B (i + 2)%nat)) + Rmin (W (k + 2)) (B (k + 2)%nat)).
        specialize (IH ltac:(lia)). replace (k + 2)%nat with (S (S k)) by lia.
        assert (Expect law (epoch_regret (S (S k))) <= Rmin (W (S (S k))) (B (S (S k)))).
        { apply Rmin_glb.
          - rewrite <- (Expect_const law (W (S (S k))) Hlaw). apply Expect_le; [exact Hw|].
            intro w. apply regret_cap. lia.
          - apply HB. lia. }
        lra. }
    replace L with (S (L - 1)) at 1 by lia. apply F. lia.
  Qed.

  (** ** S^l / gamma^l through the excess risk *)
  Variable e : nat -> R.
  Hypothesis Hg : 0 < g.
  Hypothesis He : forall l, (1 <= l)%nat -> (S l <= L)%nat -> 0 < e l.
  (** H4: gamma^{l+1} = g sqrt(Kbar^l / e_l) *)
  Hypothesis H4 : forall l, (1 <= l)%nat -> (S l <= L)%nat -> gamma (S l) = g * sqrt (Kbar l / e l).

  (** S^l sqrt(e_{l-1} / Kbar^{l-1}) *)
  Definition rate_term (l : nat) : R := SK l * sqrt (e (l - 1)%nat / Kbar (l - 1)).

  Lemma Kbar_pos l : (1 <= l <= L)%nat -> 0 < Kbar l.
  Proof. intro Hl. apply Rdiv_lt_0_compat; [apply SK_pos | apply W_pos]; exact Hl. Qed.

  Lemma weight_rate l : (2 <= l <= L)%nat -> SK l / gamma l = rate_term l / g.
  Proof.
    intro Hl. destruct l as [|l]; [lia|]. unfold rate_term. replace (S l - 1)%nat with l by lia.
    rewrite H4 by lia. pose proof (Kbar_pos l ltac:(lia)) as P1.
    pose proof (He l ltac:(lia) ltac:(lia)) as P3.
    assert (P5 : 0 < Kbar l / e l) by (apply Rdiv_lt_0_compat; lra).
    replace (e l / Kbar l) with (/ (Kbar l / e l)) by (field; split; lra).
    rewrite sqrt_inv. pose proof (sqrt_lt_R0 _ P5). field. split; lra.
  Qed.

  (** Kbar^{l+1} <= c Kbar^l: this is the paper's last, missing, sqrt(c) (erratum E5). *)
  Lemma Kbar_ratio l : (1 <= l)%nat -> (S l <= L)%nat -> Kbar (S l) <= c * Kbar l.
  Proof.
    intros A1 A2. unfold Kbar. pose proof (W_pos l ltac:(lia)) as P1. pose proof (W_pos (S l) ltac:(lia)) as P2.
    apply (Rmult_le_reg_r (W (S l) * W l)); [apply Rmult_lt_0_compat; assumption|].
    replace (SK (S l) / W (S l) * (W (S l) * W l)) with (SK (S l) * W l) by (field; lra).
    replace (c * (SK l / W l) * (W (S l) * W l)) with (c * (W (S l) * SK l)) by (field; lra).
    unfold SK, W. rewrite !sum_sum_scal, (sum_swap M M (fun i j => E (S l) i * (E l j * INR (K j)))), <- sum_scal.
    apply sum_le. intros m Hm. rewrite <- sum_scal. apply sum_le. intros m' Hm'.
    pose proof (Hc l m m' A1 A2 Hm Hm') as Hcc.
    pose proof (HE l m ltac:(lia) Hm). pose proof (HE l m' ltac:(lia) Hm'). pose proof (arms_ge_one m Hm).
    apply (Rmult_le_compat_r (E l m * E l m' * INR (K m))) in Hcc.
    - replace (E (S l) m / E l m * (E l m * E l m' * INR (K m))) with (E (S l) m * INR (K m) * E l m') in Hcc
        by (field; lra).
      replace (c * (E (S l) m' / E l m') * (E l m * E l m' * INR (K m)))
        with (c * (E (S l) m' * (E l m * INR (K m)))) in Hcc by (field; lra).
      exact Hcc.
    - apply Rmult_le_pos; [|lra]. apply Rmult_le_pos; lra.
  Qed.

  (** S^l sqrt(e_{l-1} / Kbar^{l-1}) <= sqrt(c) sqrt(Kbar^l e_{l-1}) W^l *)
  Lemma rate_term_paper l : (2 <= l <= L)%nat ->
    rate_term l <= sqrt c * (sqrt (Kbar l * e (l - 1)%nat) * W l).
  Proof.
    intro Hl. destruct l as [|l]; [lia|]. unfold rate_term. replace (S l - 1)%nat with l by lia.
    assert (Hc1 : 1 <= c) by (apply c_ge1; lia).
    pose proof (Kbar_pos l ltac:(lia)) as P1.
    pose proof (Kbar_pos (S l) ltac:(lia)) as P2'. pose proof (W_pos (S l) ltac:(lia)) as PW.
    pose proof (He l ltac:(lia) ltac:(lia)) as Pe.
    replace (SK (S l)) with (Kbar (S l) * W (S l)) by (unfold Kbar; field; lra).
    rewrite <- Rmult_assoc, Rmult_assoc, (Rmult_comm (W (S l))), <- Rmult_assoc.
    apply Rmult_le_compat_r; [lra|].
    replace (Kbar (S l) * sqrt (e l / Kbar l)) with (sqrt (Kbar (S l) ^ 2 * (e l / Kbar l))).
    - rewrite <- sqrt_mult_alt by lra. apply sqrt_le_1_alt.
      apply (Rmult_le_reg_r (Kbar l)); [exact P1|].
      replace (Kbar (S l) ^ 2 * (e l / Kbar l) * Kbar l) with (Kbar (S l) * e l * Kbar (S l)) by (field; lra).
      replace (c * (Kbar (S l) * e l) * Kbar l) with (Kbar (S l) * e l * (c * Kbar l)) by ring.
      apply Rmult_le_compat_l; [apply Rmult_le_pos; lra | apply Kbar_ratio; lia].
    - rewrite sqrt_mult_alt by apply pow2_ge_0. f_equal. rewrite <- Rsqr_pow2. apply sqrt_Rsqr. lra.
  Qed.
End Total.
