(** * Interleaved FedIGW: learn from epoch l while epoch l + 1 is played

    Epoch l uses the estimate that was learned from the data of epoch l - 2, so that the FL routine has a whole epoch's time to
    compute; epochs 1 and 2 explore uniformly.  It is a run in the sense of Protocol.v: after epoch l the routine returns what it
    learned from epoch l - 1 ([interleaved]).

    The odd epochs are a setting in the sense of Setting.v with the lengths E^1, E^3, E^5, ..., the even ones another; so every bound
    of an epoch's regret applies to both, and the regrets add ([interleaved_total]):

        Reg(T) <= sum_m (1 - 1/K_m)(E^1_m + E^2_m) + sum_{l >= 3} min(W^l, (C/g) S^l sqrt(e_{l-2} / Kbar^{l-2}))

    with the C of thm:global_regret.  Main results: [interleaved_sharpened], [interleaved_best], [interleaved_best_display],
    [interleaved_best_doubling], [interleaved_best_two_arms].
    Note: the routine may look at all epochs up to l, those of the other kind too; only the data of epoch l + 1 it may not.         *)
From Coq Require Import Reals Lra Lia Psatz List Arith.
From FedIGW Require Import FiniteSums FiniteProbability InverseGapWeighting Constants BestParameters Protocol.
From FedIGW Require Setting SharpenedInduction PerCellInduction BestRegret SumOverEpochs.
Open Scope R_scope.

(** What the program asks for after epoch l: the estimate learned from epoch l - 1; after epoch 1 still none. *)
Definition interleaved (routine : nat -> run -> list (R * estimate)) (l : nat) (h : run) : list (R * estimate) :=
  match l with S (S _ as l') => routine l' h | _ => dirac zero_estimate end.

(** Sums over odd and over even epochs. *)
Lemma sum_two_by_two n (u : nat -> R) :
  sum n u = sum (Nat.div2 (S n)) (fun i => u (2 * i)%nat) + sum (Nat.div2 n) (fun i => u (2 * i + 1)%nat).
Proof.
  assert (F : forall k, sum (2 * k) u = sum k (fun i => u (2 * i)%nat) + sum k (fun i => u (2 * i + 1)%nat)).
  { induction k as [|k IH]; [simpl; lra|]. replace (2 * S k)%nat with (S (S (2 * k))) by lia. cbn [sum]. rewrite IH.
    replace (2 * k + 1)%nat with (S (2 * k)) by lia. lra. }
  pose proof (Nat.div2_odd n) as E. destruct (Nat.odd n); cbn [Nat.b2n] in E; set (k := Nat.div2 n) in *.
  - assert (H : Nat.div2 (S n) = S k).
    { rewrite E. replace (S (2 * k + 1)) with (2 * S k)%nat by lia. apply Nat.div2_double. }
    rewrite H, E. replace (2 * k + 1)%nat with (S (2 * k)) by lia. cbn [sum]. rewrite F. replace (S (2 * k)) with (2 * k + 1)%nat by lia.
    replace (Nat.div2 (2 * k + 1)) with k by (replace (2 * k + 1)%nat with (S (2 * k)) by lia; rewrite Nat.div2_succ_double; reflexivity). lra.
  - assert (H : Nat.div2 (S n) = k).
    { rewrite E. replace (2 * k + 0)%nat with (2 * k)%nat by lia. apply Nat.div2_succ_double. }
    rewrite H, E. replace (2 * k + 0)%nat with (2 * k)%nat by lia. apply F.
Qed.

Section Interleaved.
  Variables (M : nat) (X K : nat -> nat) (D : nat -> nat -> R) (reward_law : nat -> nat -> nat -> list (R * R)).
  Hypothesis HM : (1 <= M)%nat.
  Hypothesis HK : forall m, (1 <= K m)%nat.
  Hypothesis HD0 : forall m x, (x < X m)%nat -> 0 <= D m x.
  Hypothesis HD1 : forall m, sum (X m) (D m) = 1.
  Hypothesis HR : forall m x a, distribution (reward_law m x a).
  (** H1: rewards in [0,1] *)
  Hypothesis H1 : forall m x a, Forall (fun pr => 0 <= snd pr <= 1) (reward_law m x a).
  (** H2: epoch lengths are fixed in advance and at least 1 *)
  Variables (L : nat) (len : nat -> nat -> nat).
  Hypothesis HL : (2 <= L)%nat.
  Hypothesis H2 : forall l m, (1 <= l <= L)%nat -> (m < M)%nat -> (1 <= len l m)%nat.
  (** [routine l h] learns from the history up to epoch l: what comes later it does not see *)
  Variables (gamma : nat -> R) (routine : nat -> run -> list (R * estimate)) (e : nat -> R).
  Hypothesis Hroutine : forall l h, distribution (routine l h).
  Hypothesis Hpast : forall l h k v, (l < k)%nat -> routine l (update h k v) = routine l h.
  Hypothesis He : forall l, (1 <= l)%nat -> (l + 2 <= L)%nat -> 0 < e l.
  Variable reachable : estimate -> Prop.
  Hypothesis Hzero : reachable zero_estimate.
  Hypothesis Hreach : forall l h, Forall (fun pf => reachable (snd pf)) (routine l h).
  (** H3, as in GlobalRegret.v *)
  Hypothesis H3 : forall l h f, reachable f -> (1 <= l)%nat -> (l + 2 <= L)%nat ->
    Expect (all_agents X K D reward_law len gamma l f M)
      (fun d => Expect (routine l (update h l (f, d))) (fun f' => Err_of M X K D reward_law len gamma l f f'))
    <= W M len l * e l.
  (** H4: gamma^{l+2} = g sqrt(Kbar^l / e_l) *)
  Variable g : R.
  Hypothesis Hg : 0 < g.
  Hypothesis H4 : forall l, (1 <= l)%nat -> (l + 2 <= L)%nat -> gamma (l + 2)%nat = g * sqrt (Kbar M K len l / e l).
  Hypothesis H4first : 0 <= gamma 1 /\ 0 <= gamma 2.
  (** H5: gamma^l <= gamma^{l+2} for l >= 3 *)
  Hypothesis H5 : forall l, (3 <= l)%nat -> (l + 2 <= L)%nat -> gamma l <= gamma (l + 2)%nat.
  (** lengths of epochs of the same kind:  E^{l+2}_m / E^l_m <= c E^{l+2}_m' / E^l_m' *)
  Variable c : R.
  Hypothesis Hc : forall l m m', (1 <= l)%nat -> (l + 2 <= L)%nat -> (m < M)%nat -> (m' < M)%nat ->
    E len (l + 2) m / E len l m <= c * (E len (l + 2) m' / E len l m').

  Local Notation W := (W M len).
  Local Notation SK := (SK M K len).
  Local Notation Kbar := (Kbar M K len).
  Local Notation E := (E len).
  Local Notation FL := (interleaved routine).
  Local Notation law := (run_law M X K D reward_law len gamma FL).
  Local Notation Err := (Err_of M X K D reward_law len gamma).
  (** Reg(T), the expected regret of the interleaved run *)
  Local Notation "'Reg_T'" := (Expect (law L) (total_regret M K reward_law L)).

  (** ** The program *)
  Lemma length_pos l m : (1 <= l <= L)%nat -> (m < M)%nat -> 0 < E l m.
  Proof. intros Hl Hm. apply lt_0_INR. pose proof (H2 l m Hl Hm). lia. Qed.
  Lemma some_SK l : (1 <= l <= L)%nat -> 0 < SK l.
  Proof.
    intro Hl. apply Rlt_le_trans with (E l 0 * INR (K 0%nat)).
    - apply Rmult_lt_0_compat; [apply length_pos; lia|]. apply lt_0_INR. pose proof (HK 0). lia.
    - apply (sum_ge_one M (fun m => E l m * INR (K m)) 0); [|lia].
      intros i Hi. apply Rmult_le_pos; [left; apply length_pos; assumption | apply pos_INR].
  Qed.
  Lemma some_W l : (1 <= l <= L)%nat -> 0 < W l.
  Proof.
    intro Hl. apply Rlt_le_trans with (E l 0); [apply length_pos; lia|].
    apply (sum_ge_one M (fun m => E l m) 0); [|lia]. intros i Hi. left. apply length_pos; assumption.
  Qed.
  Lemma rate_pos l : (3 <= l <= L)%nat -> 0 < gamma l.
  Proof.
    intro Hl. replace l with (l - 2 + 2)%nat by lia. rewrite H4 by lia.
    apply Rmult_lt_0_compat; [exact Hg|]. apply sqrt_lt_R0. apply Rdiv_lt_0_compat; [|apply He; lia].
    apply Rdiv_lt_0_compat; [apply some_SK | apply some_W]; lia.
  Qed.
  Lemma rate_nonneg l : (1 <= l <= L)%nat -> 0 <= gamma l.
  Proof.
    intro Hl. destruct (Nat.eq_dec l 1) as [->|]; [apply H4first|]. destruct (Nat.eq_dec l 2) as [->|]; [apply H4first|].
    left. apply rate_pos. lia.
  Qed.
  Lemma interleaved_distribution l h : distribution (FL l h).
  Proof. destruct l as [|[|l]]; [apply distribution_dirac|apply distribution_dirac|apply Hroutine]. Qed.
  Lemma interleaved_reachable l h : Forall (fun pf => reachable (snd pf)) (FL l h).
  Proof. destruct l as [|[|l]]; [repeat constructor; exact Hzero|repeat constructor; exact Hzero|apply Hreach]. Qed.
  Let forget n F := forget_after M X K D reward_law L len gamma FL HM HK HD0 HD1 HR interleaved_distribution rate_nonneg n F.

  (** the estimate in use in epoch l *)
  Definition used (l : nat) (w : run) : estimate := match l with S (S (S _)) => fst (w l) | _ => zero_estimate end.
  Lemma used_other l k w v : l <> k -> used l (update w k v) = used l w.
  Proof. intro H. unfold used. destruct l as [|[|[|l]]]; try reflexivity. rewrite update_other by exact H. reflexivity. Qed.
  Lemma used_same l w f d : (3 <= l)%nat -> used l (update w l (f, d)) = f.
  Proof. intro H. unfold used. destruct l as [|[|[|l]]]; try lia. rewrite update_same. reflexivity. Qed.

  (** Epoch 2 is played with the zero estimate. *)
  Lemma regret_used l : (1 <= l <= L)%nat ->
    Expect (law L) (fun w : run => regret_of M X K D reward_law len gamma l (fhat l w)) =
    Expect (law L) (fun w : run => regret_of M X K D reward_law len gamma l (used l w)).
  Proof.
    intro Hl. destruct l as [|[|[|l]]]; [lia|reflexivity| |reflexivity].
    rewrite !(forget 2%nat) by (try lia; intros k h v Hk; rewrite ?fhat_other, ?used_other by lia; reflexivity).
    change (law 2) with (bind (law 1) (fun h => bind (next_estimate FL 1 h) (fun f =>
      bind (all_agents X K D reward_law len gamma 2 f M) (fun d => dirac (update h 2 (f, d)))))).
    rewrite !Expect_bind. apply Expect_ext. intro h. unfold next_estimate. cbn [interleaved]. rewrite !Expect_bind, !Expect_dirac, !Expect_bind.
    apply Expect_ext. intro d. rewrite !Expect_dirac, (fhat_same M HM) by lia. reflexivity.
  Qed.

  (** H3 for the run: what epoch l + 2 plays was learned from epoch l. *)
  Lemma interleaved_H3 l : (1 <= l)%nat -> (l + 2 <= L)%nat ->
    Expect (law L) (fun w : run => Err l (used l w) (used (l + 2) w)) <= W l * e l.
  Proof.
    intros A1 A2. replace (l + 2)%nat with (S (S l)) in * by lia.
    rewrite (forget (S (S l))) by (try lia; intros k h v Hk; rewrite !used_other by lia; reflexivity).
    change (law (S (S l))) with (bind (law (S l)) (fun h => bind (next_estimate FL (S l) h) (fun f =>
      bind (all_agents X K D reward_law len gamma (S (S l)) f M) (fun d => dirac (update h (S (S l)) (f, d)))))).
    rewrite Expect_bind.
    rewrite (Expect_ext _ _ (fun h => Expect (routine l h) (fun f' => Err l (used l h) f'))).
    2:{ intro h. rewrite Expect_bind. destruct l as [|n]; [lia|]. apply Expect_ext. intro f'. rewrite Expect_bind.
        apply Expect_const_out; [apply (distribution_all_agents X K D reward_law L); auto using rate_nonneg; lia|]. intro d.
        rewrite Expect_dirac, used_other, used_same by lia. reflexivity. }
    rewrite (forget_last M X K D reward_law L len gamma FL HM HK HD0 HD1 HR interleaved_distribution rate_nonneg l
      (fun h => Expect (routine l h) (fun f' => Err l (used l h) f'))) by (try lia; intros h v; rewrite Hpast, used_other by lia; reflexivity).
    destruct l as [|n]; [lia|]. simpl run_law. rewrite Expect_bind.
    destruct (distribution_run M X K D reward_law L len gamma FL HM HK HD0 HD1 HR interleaved_distribution rate_nonneg n ltac:(lia)) as [Hw Ht].
    rewrite <- (Expect_const (law n) (W (S n) * e (S n))) by (split; assumption).
    apply Expect_le; [exact Hw|]. intro h. rewrite Expect_bind.
    destruct (distribution_next_estimate FL interleaved_distribution n h) as [Hw2 Ht2].
    rewrite <- (Expect_const (next_estimate FL n h) (W (S n) * e (S n))) by (split; assumption).
    apply Expect_le_on_support; [exact Hw2|].
    assert (Hsupport : Forall (fun pf => reachable (snd pf) /\ forall d, used (S n) (update h (S n) (snd pf, d)) = snd pf) (next_estimate FL n h)).
    { destruct n as [|[|n]].
      - repeat constructor. exact Hzero.
      - repeat constructor. exact Hzero.
      - eapply Forall_impl; [|apply (interleaved_reachable (S (S n)) h)]. intros [q f] Hf. split; [exact Hf|].
        intro d. apply used_same. lia. }
    eapply Forall_impl; [|exact Hsupport]. intros [q f] [Hf Hd]. simpl snd in *. rewrite Expect_bind.
    rewrite (Expect_ext _ _ (fun d => Expect (routine (S n) (update h (S n) (f, d))) (fun f' => Err (S n) f f'))).
    - apply H3; [exact Hf|lia|lia].
    - intro d. rewrite Expect_dirac, Hd. reflexivity.
  Qed.

  (** ** The epochs of one kind: b = 0 for 1, 3, 5, ..., b = 1 for 2, 4, 6, ... *)
  Definition epoch_of (b j : nat) : nat := (2 * j - 1 + b)%nat.
  Instance chain (b : nat) : Setting.setting := {|
    Setting.M := M; Setting.X := X; Setting.K := K; Setting.D := D; Setting.fstar := fstar reward_law;
    Setting.Omega := run; Setting.law := law L; Setting.L := Nat.div2 (L + 1 - b);
    Setting.E := fun j => E (epoch_of b j); Setting.gamma := fun j => gamma (epoch_of b j);
    Setting.fhat := fun j => used (if le_lt_dec j 1 then 0%nat else epoch_of b j);
    Setting.c := c; Setting.g := g; Setting.rbar := 1 |}.

  Lemma epoch_range b j : (b <= 1)%nat -> (1 <= j <= Nat.div2 (L + 1 - b))%nat -> (1 <= epoch_of b j <= L)%nat.
  Proof.
    intros Hb Hj. unfold epoch_of. pose proof (Nat.div2_odd (L + 1 - b)) as H.
    destruct (Nat.odd (L + 1 - b)); cbn [Nat.b2n] in H; lia.
  Qed.
  Lemma epoch_next b j : (1 <= j)%nat -> epoch_of b (S j) = (epoch_of b j + 2)%nat.
  Proof. unfold epoch_of. lia. Qed.
  Lemma used_chain b j w : (b <= 1)%nat -> (1 <= j)%nat ->
    used (if le_lt_dec j 1 then 0%nat else epoch_of b j) w = used (epoch_of b j) w.
  Proof.
    intros Hb Hj. destruct (le_lt_dec j 1) as [H|H]; [|reflexivity]. replace j with 1%nat by lia.
    destruct b as [|[|b]]; [reflexivity|reflexivity|lia].
  Qed.
  Lemma chain_valid b : (b <= 1)%nat -> Setting.valid (chain b).
  Proof.
    intro Hb. constructor; cbn -[epoch_of Nat.div2 le_lt_dec].
    - exact HM.
    - intros m _. apply HK.
    - intros m x _. apply HD0.
    - intros m _. apply HD1.
    - apply (distribution_run M X K D reward_law L); auto using rate_nonneg, interleaved_distribution.
    - intros j m Hj. apply length_pos. apply epoch_range; assumption.
    - reflexivity.
    - intros j m m' A1 A2 Hm Hm'. pose proof (epoch_range b (S j) Hb ltac:(lia)) as Hr. rewrite epoch_next in * by exact A1.
      apply Hc; auto; try lia. apply epoch_range; [exact Hb|lia].
    - intros j Hj. apply rate_pos. pose proof (epoch_range b j Hb ltac:(lia)). unfold epoch_of in *. lia.
    - lra.
    - intros j A1 A2. rewrite Rmult_1_l. pose proof (epoch_range b (S j) Hb ltac:(lia)) as Hr.
      rewrite epoch_next in * by lia. apply H5; [unfold epoch_of; lia|lia].
    - intros j A1 A2. pose proof (epoch_range b (S j) Hb ltac:(lia)) as Hr. pose proof (epoch_range b j Hb ltac:(lia)) as Hr'.
      rewrite epoch_next in Hr by lia.
      pose proof (Setting.lem_learning_rate (s := chain b) (fun j => e (epoch_of b j)) j) as Hrate. cbn -[epoch_of Nat.div2 le_lt_dec] in Hrate. apply Hrate.
      + apply some_SK. exact Hr'.
      + apply some_W. exact Hr'.
      + apply He; lia.
      + exact Hg.
      + eapply Rle_trans; [|apply (interleaved_H3 (epoch_of b j)); lia]. right. apply Expect_ext. intro w.
        unfold Setting.Err, Setting.over_epoch, Setting.err_cell, Setting.kernel, Err_of, over_epoch. cbn -[epoch_of Nat.div2 le_lt_dec].
        rewrite !used_chain, epoch_next by lia. reflexivity.
      + rewrite epoch_next by exact A1. apply H4; lia.
  Qed.
  Lemma means_in_unit m x a : (m < M)%nat -> (x < X m)%nat -> (a < K m)%nat -> 0 <= fstar reward_law m x a <= 1.
  Proof. intros _ _ _. apply fstar_unit; assumption. Qed.
  Lemma chain_regret b j : (b <= 1)%nat -> (1 <= j <= Nat.div2 (L + 1 - b))%nat ->
    Expect (law L) (fun w => dataset_regret M K reward_law (snd (w (epoch_of b j)))) =
    Expect (law L) (Setting.epoch_regret (s := chain b) j).
  Proof.
    intros Hb Hj. pose proof (epoch_range b j Hb Hj) as Hr.
    rewrite (realised_regret M X K D reward_law L len gamma FL) by (auto using rate_nonneg, interleaved_distribution; lia).
    rewrite regret_used by exact Hr. apply Expect_ext. intro w.
    unfold Setting.epoch_regret, Setting.over_epoch, Setting.regret_cell, Setting.kernel, regret_of, over_epoch. cbn -[epoch_of Nat.div2 le_lt_dec].
    rewrite used_chain by lia. reflexivity.
  Qed.

  (** S^l / gamma^l = S^l sqrt(e_{l-2} / Kbar^{l-2}) / g *)
  Lemma interleaved_weight l : (3 <= l <= L)%nat ->
    SK l / gamma l = SK l * sqrt (e (l - 2)%nat / Kbar (l - 2)) / g.
  Proof.
    intro Hl. set (j := (l - 2)%nat). replace l with (j + 2)%nat by (unfold j; lia). rewrite H4 by (unfold j; lia).
    assert (P1 : 0 < Kbar j) by (apply Rdiv_lt_0_compat; [apply some_SK|apply some_W]; unfold j; lia).
    pose proof (He j ltac:(unfold j; lia) ltac:(unfold j; lia)) as P3.
    assert (P5 : 0 < Kbar j / e j) by (apply Rdiv_lt_0_compat; lra).
    replace (e j / Kbar j) with (/ (Kbar j / e j)) by (field; split; lra).
    rewrite sqrt_inv. pose proof (sqrt_lt_R0 _ P5). field. split; lra.
  Qed.

  (** Any constant that bounds the epochs of both kinds bounds the interleaved run. *)
  Theorem interleaved_total Cst :
    (forall b j, (b <= 1)%nat -> (2 <= j <= Nat.div2 (L + 1 - b))%nat ->
      Expect (law L) (Setting.epoch_regret (s := chain b) j) <= Cst * (SK (epoch_of b j) / gamma (epoch_of b j))) ->
    Reg_T <= sum M (fun m => (1 - / INR (K m)) * (E 1 m + E 2 m)) +
      sum (L - 2) (fun i => Rmin (W (i + 3)) (Cst / g * (SK (i + 3) * sqrt (e (i + 1)%nat / Kbar (i + 1))))).
  Proof.
    intro HC. set (B := fun l => Cst * (SK l / gamma l)).
    assert (Hchain : forall b, (b <= 1)%nat ->
      sum (Nat.div2 (L + 1 - b)) (fun i => Expect (law L) (fun w => dataset_regret M K reward_law (snd (w (epoch_of b (S i)))))) <=
      sum M (fun m => (1 - / INR (K m)) * E (b + 1) m)
      + sum (Nat.div2 (L + 1 - b) - 1) (fun i => Rmin (W (epoch_of b (i + 2))) (B (epoch_of b (i + 2))))).
    { intros b Hb. pose proof (chain_valid b Hb) as V. assert (HLb : (1 <= Nat.div2 (L + 1 - b))%nat).
      { pose proof (Nat.div2_odd (L + 1 - b)) as H. destruct (Nat.odd (L + 1 - b)); cbn [Nat.b2n] in H; lia. }
      pose proof (SumOverEpochs.total_from_epochs (s := chain b) means_in_unit (fun j => B (epoch_of b j)) HLb
        (fun j Hj => HC b j Hb Hj)) as H.
      rewrite Expect_sum in H. cbn -[epoch_of B Nat.div2] in H.
      rewrite (sum_ext _ _ (fun i => Expect (law L) (Setting.epoch_regret (s := chain b) (S i))))
        by (intros i Hi; apply chain_regret; [exact Hb|lia]).
      replace (epoch_of b 1) with (b + 1)%nat in H by (unfold epoch_of; lia). exact H. }
    assert (Esum : Reg_T = sum L (fun i => Expect (law L) (fun w => dataset_regret M K reward_law (snd (w (S i)))))).
    { unfold total_regret. rewrite Expect_sum. reflexivity. }
    rewrite Esum, sum_two_by_two. pose proof (Hchain 0%nat ltac:(lia)) as F0. pose proof (Hchain 1%nat ltac:(lia)) as F1.
    replace (L + 1 - 0)%nat with (S L) in F0 by lia. replace (L + 1 - 1)%nat with L in F1 by lia.
    rewrite (sum_ext (Nat.div2 (S L)) _ (fun i => Expect (law L) (fun w => dataset_regret M K reward_law (snd (w (epoch_of 0 (S i)))))))
      by (intros i _; replace (epoch_of 0 (S i)) with (S (2 * i)) by (unfold epoch_of; lia); reflexivity).
    rewrite (sum_ext (Nat.div2 L) _ (fun i => Expect (law L) (fun w => dataset_regret M K reward_law (snd (w (epoch_of 1 (S i)))))))
      by (intros i _; replace (epoch_of 1 (S i)) with (S (2 * i + 1)) by (unfold epoch_of; lia); reflexivity).
    rewrite (sum_two_by_two (L - 2)).
    replace (Nat.div2 (S (L - 2))) with (Nat.div2 (S L) - 1)%nat by (replace L with (S (S (L - 2))) at 1 by lia; simpl; lia).
    replace (Nat.div2 (L - 2)) with (Nat.div2 L - 1)%nat by (replace L with (S (S (L - 2))) at 1 by lia; simpl; lia).
    assert (Hterm : forall l, (3 <= l <= L)%nat ->
      Rmin (W l) (B l) = Rmin (W l) (Cst / g * (SK l * sqrt (e (l - 2)%nat / Kbar (l - 2))))).
    { intros l Hl. unfold B. rewrite interleaved_weight by exact Hl. f_equal. field. lra. }
    rewrite (sum_ext (Nat.div2 (S L) - 1) (fun i => Rmin (W (epoch_of 0 (i + 2))) (B (epoch_of 0 (i + 2))))
      (fun i => Rmin (W (2 * i + 3)) (Cst / g * (SK (2 * i + 3) * sqrt (e (2 * i + 1)%nat / Kbar (2 * i + 1)))))) in F0.
    2:{ intros i Hi. pose proof (Nat.div2_odd (S L)) as H. replace (epoch_of 0 (i + 2)) with (2 * i + 3)%nat by (unfold epoch_of; lia).
        rewrite Hterm by (destruct (Nat.odd (S L)); cbn [Nat.b2n] in H; lia). replace (2 * i + 3 - 2)%nat with (2 * i + 1)%nat by lia. reflexivity. }
    rewrite (sum_ext (Nat.div2 L - 1) (fun i => Rmin (W (epoch_of 1 (i + 2))) (B (epoch_of 1 (i + 2))))
      (fun i => Rmin (W (2 * i + 1 + 3)) (Cst / g * (SK (2 * i + 1 + 3) * sqrt (e (2 * i + 1 + 1)%nat / Kbar (2 * i + 1 + 1)))))) in F1.
    2:{ intros i Hi. pose proof (Nat.div2_odd L) as H. replace (epoch_of 1 (i + 2)) with (2 * i + 1 + 3)%nat by (unfold epoch_of; lia).
        rewrite Hterm by (destruct (Nat.odd L); cbn [Nat.b2n] in H; lia). replace (2 * i + 1 + 3 - 2)%nat with (2 * i + 1 + 1)%nat by lia. reflexivity. }
    rewrite (sum_ext M (fun m => (1 - / INR (K m)) * (E 1 m + E 2 m)) (fun m => (1 - / INR (K m)) * E 1 m + (1 - / INR (K m)) * E 2 m))
      by (intros; ring).
    rewrite sum_plus. change (0 + 1)%nat with 1%nat in F0. change (1 + 1)%nat with 2%nat in F1. cbv beta. lra.
  Qed.

  (** q = max_m (1 - 1/K_m), or anything larger *)
  Variable q : R.
  Hypothesis Hq : forall m, (m < M)%nat -> 1 - / INR (K m) <= q.

  (** Interleaved, sharpened.  C = 7q/6 + 7/(18c) + 28 c^2 g^2 / 9. *)
  Theorem interleaved_sharpened :
    Reg_T <= sum M (fun m => (1 - / INR (K m)) * (E 1 m + E 2 m)) +
      sum (L - 2) (fun i => Rmin (W (i + 3))
        (sharpened_constant c g q / g * (SK (i + 3) * sqrt (e (i + 1)%nat / Kbar (i + 1))))).
  Proof.
    apply interleaved_total. intros b j Hb Hj. pose proof (chain_valid b Hb) as V.
    apply (SharpenedInduction.lem_epoch_regret_bound_sharpened (s := chain b) q Hq eq_refl j Hj).
  Qed.

  (** ** Variant best: agents in step, each with at least two and at most k arms *)
  Section Best.
    Variable k : nat.
    Hypothesis arms_range : forall m, (m < M)%nat -> (2 <= K m <= k)%nat.
    (** Interleaved, best.  C = max(1 - 1/k, 1 - 2/k + 0.44284) + 2.51493 g^2. *)
    Theorem interleaved_best : c = 1 ->
      Reg_T <= sum M (fun m => (1 - / INR (K m)) * (E 1 m + E 2 m)) +
        sum (L - 2) (fun i => Rmin (W (i + 3))
          (best_constant (INR k) g / g * (SK (i + 3) * sqrt (e (i + 1)%nat / Kbar (i + 1))))).
    Proof.
      intro Hc1. apply interleaved_total. intros b j Hb Hj. pose proof (chain_valid b Hb) as V.
      apply (BestRegret.lem_epoch_regret_bound_best (s := chain b) eq_refl k arms_range j Hc1 Hj).
    Qed.
    (** Interleaved, best, at the best rate, for every number of arms: 3.8098. *)
    Theorem interleaved_best_display : c = 1 ->
      g = sqrt (Rmax (1 - / INR k) (1 - 2 / INR k + best_arms) / best_risk) ->
      Reg_T <= sum M (fun m => (1 - / INR (K m)) * (E 1 m + E 2 m)) +
        sum (L - 2) (fun i => Rmin (W (i + 3)) (38098 / 10000 * (SK (i + 3) * sqrt (e (i + 1)%nat / Kbar (i + 1))))).
    Proof.
      intros Hc1 Hbest. eapply Rle_trans; [apply (interleaved_best Hc1)|]. apply Rplus_le_compat_l.
      assert (Hk2 : 2 <= INR k).
      { change 2 with (INR 2). apply le_INR. pose proof (arms_range 0 ltac:(lia)). lia. }
      assert (HC : best_constant (INR k) g / g <= 38098 / 10000).
      { pose proof (best_constant_attained (INR k) Hk2) as H. cbv zeta in H. rewrite <- Hbest in H. rewrite H. apply best_over_g_value. exact Hk2. }
      apply sum_le. intros i Hi. apply Rle_min_compat_l. apply Rmult_le_compat_r; [|exact HC].
      apply Rmult_le_pos; [left; apply some_SK; lia|apply sqrt_pos].
    Qed.
    (** Interleaved, best, when gamma^{l-2} <= gamma^l / sqrt 2 from epoch 7 on, as under doubling.
        C = max(1 - 1/k, 1 - 2/k + 0.47255) + 2.32170 g^2. *)
    Theorem interleaved_best_doubling : c = 1 -> (3 <= k)%nat -> g ^ 2 <= 6 / 5 ->
      (forall l, (7 <= l <= L)%nat -> gamma (l - 2)%nat <= 169 / 239 * gamma l) ->
      Reg_T <= sum M (fun m => (1 - / INR (K m)) * (E 1 m + E 2 m)) +
        sum (L - 2) (fun i => Rmin (W (i + 3))
          (doubling_constant (INR k) g / g * (SK (i + 3) * sqrt (e (i + 1)%nat / Kbar (i + 1))))).
    Proof.
      intros Hc1 Hk3 Hg2 Hlast. apply interleaved_total. intros b j Hb Hj. pose proof (chain_valid b Hb) as V.
      apply (BestRegret.lem_epoch_regret_bound_best_doubling (s := chain b) eq_refl k arms_range j Hc1 Hk3 Hg2 Hj).
      intro Hj4. cbn -[epoch_of]. pose proof (epoch_range b j Hb ltac:(lia)) as Hr.
      replace (epoch_of b (j - 1)) with (epoch_of b j - 2)%nat by (unfold epoch_of; lia). apply Hlast. unfold epoch_of in *. lia.
    Qed.
    (** Interleaved, best, two arms.  C = 1/2 + 9 g^2 / 4. *)
    Theorem interleaved_best_two_arms : c = 1 -> (forall m, (m < M)%nat -> K m = 2%nat) ->
      Reg_T <= sum M (fun m => (1 - / INR (K m)) * (E 1 m + E 2 m)) +
        sum (L - 2) (fun i => Rmin (W (i + 3))
          (two_arm_constant g / g * (SK (i + 3) * sqrt (e (i + 1)%nat / Kbar (i + 1))))).
    Proof.
      intros Hc1 Htwo. apply interleaved_total. intros b j Hb Hj. pose proof (chain_valid b Hb) as V.
      apply (BestRegret.lem_epoch_regret_bound_best_two_arms (s := chain b) eq_refl j Hc1 Htwo Hj).
    Qed.
  End Best.
End Interleaved.
