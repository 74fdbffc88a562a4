(** * The version space: the truth stays in it, at all epochs at once

    A finite class F_0, ..., F_{N-1} that contains fstar, any program in the sense of Protocol.v.  After epoch l those functions are kept
    whose cumulative squared loss has never, at the end of an epoch, been more than

        b = ln((N - 1)/delta) / 2                                                              ([threshold])

    above that of another.  With probability 1 - delta fstar is kept through the whole run ([truth_is_kept]): for each wrong f,
    exp(2 (loss of fstar - loss of f)) is a supermartingale (Hoeffding's lemma, exponent 2 is the largest), and Ville's inequality
    needs no union over epochs.                                                                                                    *)
From Coq Require Import Reals Lra Lia Psatz List Arith.
From FedIGW Require Import FiniteSums FiniteProbability Hoeffding InverseGapWeighting Protocol FiniteError.
Import ListNotations.
Open Scope R_scope.

(** [good] holds except with probability delta: outside an event of that probability or less. *)
Definition except_with_probability {X} (delta : R) (law : list (R * X)) (good : X -> Prop) : Prop :=
  exists bad : X -> bool, Expect law (fun w => if bad w then 1 else 0) <= delta /\
    Forall (fun pw => bad (snd pw) = false -> good (snd pw)) law.

(** ln((N - 1)/delta)/2 *)
Definition threshold (N delta : R) : R := ln ((N - 1) / delta) / 2.

Section VersionSpace.
  Variables (M : nat) (X K : nat -> nat) (D : nat -> nat -> R) (reward_law : nat -> nat -> nat -> list (R * R)).
  Hypothesis HM : (1 <= M)%nat.
  Hypothesis HK : forall m, (1 <= K m)%nat.
  Hypothesis HD0 : forall m x, (x < X m)%nat -> 0 <= D m x.
  Hypothesis HD1 : forall m, sum (X m) (D m) = 1.
  Hypothesis HR : forall m x a, distribution (reward_law m x a).
  Hypothesis HR01 : forall m x a, Forall (fun pr => 0 <= snd pr <= 1) (reward_law m x a).
  Variables (L : nat) (len : nat -> nat -> nat) (gamma : nat -> R) (FLroutine : nat -> run -> list (R * estimate)).
  Hypothesis Hgamma0 : forall l, (1 <= l <= L)%nat -> 0 <= gamma l.
  Hypothesis HFL : forall l h, distribution (FLroutine l h).
  (** the class; fstar is its member jstar *)
  Variables (N jstar : nat) (F : nat -> estimate).
  Hypothesis HN : (2 <= N)%nat.
  Hypothesis HF01 : forall j m x a, (j < N)%nat -> 0 <= F j m x a <= 1.
  Hypothesis Hjstar : (jstar < N)%nat.
  Hypothesis Hreal : forall m x a, F jstar m x a = fstar reward_law m x a.
  Local Notation law := (run_law M X K D reward_law len gamma FLroutine).

  (** sum of (f(x,a) - r)^2 over the data of epochs 1, ..., l *)
  Definition cumulative (l : nat) (h : run) (f : estimate) : R := sum l (fun i => loss M f (snd (h (S i)))).
  (** F_j is in the version space after epoch l, with room b *)
  Definition kept (b : R) (l : nat) (h : run) (j : nat) : Prop :=
    forall l' i, (l' <= l)%nat -> (i < N)%nat -> cumulative l' h (F j) <= cumulative l' h (F i) + b.

  Lemma cumulative_later l k h v f : (l < k)%nat -> cumulative l (update h k v) f = cumulative l h f.
  Proof. intro H. apply sum_ext. intros i Hi. rewrite update_other by (clear -H Hi; lia). reflexivity. Qed.
  Lemma cumulative_now l h f d f' : cumulative (S l) (update h (S l) (f, d)) f' = cumulative l h f' + loss M f' d.
  Proof.
    unfold cumulative at 1. cbn [sum]. rewrite update_same. cbn [snd]. f_equal. apply (cumulative_later l (S l)). lia.
  Qed.

  (** ** One sample, one epoch: E exp(-2 (loss of f - loss of fstar)) <= 1 *)
  Lemma reward_moment_2 (f : estimate) m x a : 0 <= f m x a <= 1 ->
    Expect (reward_law m x a) (fun r => exp (- (2 * ((f m x a - r) * (f m x a - r) - (fstar reward_law m x a - r) * (fstar reward_law m x a - r)))))
    <= 1 - 0 * ((f m x a - fstar reward_law m x a) * (f m x a - fstar reward_law m x a)).
  Proof.
    intros _. set (s := fstar reward_law m x a). set (dl := f m x a - s).
    rewrite (Expect_ext _ _ (fun r => exp (- (2 * (dl * dl))) * exp (4 * dl * (r - s)))).
    2:{ intro r. rewrite <- exp_plus. f_equal. unfold dl. ring. }
    rewrite (Expect_scal _ (exp (- (2 * (dl * dl)))) (fun r => exp (4 * dl * (r - s)))).
    pose proof (hoeffding (reward_law m x a) (4 * dl) (HR m x a) (HR01 m x a)) as H. cbv zeta in H.
    change (Expect (reward_law m x a) (fun r => r)) with s in H.
    apply (Rmult_le_compat_l (exp (- (2 * (dl * dl))))) in H; [|left; apply exp_pos].
    eapply Rle_trans; [exact H|]. rewrite <- exp_plus.
    replace (- (2 * (dl * dl)) + 4 * dl * (4 * dl) / 8) with 0 by field. rewrite exp_0. lra.
  Qed.
  Lemma epoch_moment l f j : (1 <= l <= L)%nat -> (j < N)%nat ->
    Expect (all_agents X K D reward_law len gamma l f M) (fun d => exp (2 * (loss M (F jstar) d - loss M (F j) d))) <= 1.
  Proof.
    intros Hl Hj. rewrite (epoch_draws X K D reward_law len gamma l f).
    pose proof (all_draws_moment M X K D reward_law (len l) (fun m x => igw (K m) (gamma l) (f m x)) N jstar F HM HD0 HD1 HR
      (fun m x a Ha => Rlt_le _ _ (igw_pos (K m) (gamma l) (f m x) (HK m) (Hgamma0 l Hl) a Ha))
      (fun m x => igw_total (K m) (gamma l) (f m x) (HK m)) HN HF01 Hjstar Hreal 2 0 reward_moment_2 j M Hj) as H.
    rewrite Rmult_0_l, Ropp_0, exp_0 in H. eapply Rle_trans; [|exact H]. right. apply Expect_ext. intro d. unfold loss. f_equal. ring.
  Qed.

  (** ** Ville's inequality *)
  Section OneFunction.
    Variables (j : nat) (b : R).
    Hypothesis Hj : (j < N)%nat.
    Hypothesis Hb : 0 <= b.
    (** how far fstar has fallen behind F_j *)
    Definition behind (l : nat) (h : run) : R := cumulative l h (F jstar) - cumulative l h (F j).
    (** by more than b, after some epoch up to l *)
    Fixpoint overtaken (l : nat) (h : run) : bool :=
      match l with O => false | S l' => (overtaken l' h || if Rlt_dec b (behind (S l') h) then true else false)%bool end.
    (** exp(2 behind), stopped when fstar is overtaken *)
    Definition stopped (l : nat) (h : run) : R := if overtaken l h then exp (2 * b) else exp (2 * behind l h).

    Lemma overtaken_later l k h v : (l < k)%nat -> overtaken l (update h k v) = overtaken l h.
    Proof.
      induction l as [|l IH]; intro H; [reflexivity|]. cbn [overtaken]. rewrite IH by lia. unfold behind.
      rewrite !cumulative_later by lia. reflexivity.
    Qed.
    Lemma stopped_step l h f : (S l <= L)%nat ->
      Expect (all_agents X K D reward_law len gamma (S l) f M) (fun d => stopped (S l) (update h (S l) (f, d))) <= stopped l h.
    Proof.
      intro Hl. unfold stopped. cbn [overtaken].
      assert (Hd : distribution (all_agents X K D reward_law len gamma (S l) f M))
        by (apply (distribution_all_agents X K D reward_law L); auto; lia).
      destruct (overtaken l h) eqn:E.
      - right. apply Expect_const_out; [exact Hd|]. intro d. rewrite overtaken_later, E by lia. reflexivity.
      - apply Rle_trans with (Expect (all_agents X K D reward_law len gamma (S l) f M)
          (fun d => exp (2 * behind l h) * exp (2 * (loss M (F jstar) d - loss M (F j) d)))).
        + apply Expect_le; [apply Hd|]. intro d. rewrite overtaken_later, E by lia. cbn [orb].
          assert (Eb : behind (S l) (update h (S l) (f, d)) = behind l h + (loss M (F jstar) d - loss M (F j) d))
            by (unfold behind; rewrite !cumulative_now; ring).
          rewrite <- exp_plus. replace (2 * behind l h + 2 * (loss M (F jstar) d - loss M (F j) d)) with (2 * behind (S l) (update h (S l) (f, d)))
            by (rewrite Eb; ring).
          destruct (Rlt_dec b (behind (S l) (update h (S l) (f, d)))) as [Hlt|_]; [|lra]. left. apply exp_increasing. lra.
        + rewrite Expect_scal. pose proof (epoch_moment (S l) f j ltac:(lia) Hj) as H.
          pose proof (exp_pos (2 * behind l h)) as P. apply (Rmult_le_compat_l (exp (2 * behind l h))) in H; lra.
    Qed.
    Lemma stopped_mean l : (l <= L)%nat -> Expect (law l) (stopped l) <= 1.
    Proof.
      induction l as [|l IH]; intro Hl.
      - cbn [run_law]. rewrite Expect_dirac. unfold stopped, behind, cumulative. cbn [overtaken sum].
        replace (2 * (0 - 0)) with 0 by ring. rewrite exp_0. lra.
      - eapply Rle_trans; [|apply IH; lia]. simpl run_law. rewrite Expect_bind.
        apply Expect_le; [apply (distribution_run M X K D reward_law L); auto; lia|]. intro h. rewrite Expect_bind.
        destruct (distribution_next_estimate FLroutine HFL l h) as [H0 H1].
        rewrite <- (Expect_const (next_estimate FLroutine l h) (stopped l h)) by (split; assumption).
        apply Expect_le; [exact H0|]. intro f. rewrite Expect_bind. eapply Rle_trans; [|apply (stopped_step l h f Hl)].
        right. apply Expect_ext. intro d. apply Expect_dirac.
    Qed.
    (** P(fstar is overtaken by F_j by more than b at the end of any epoch) <= exp(-2b) *)
    Theorem ville : Expect (law L) (fun w => if overtaken L w then 1 else 0) <= exp (- (2 * b)).
    Proof.
      pose proof (stopped_mean L (le_n L)) as H. pose proof (exp_pos (2 * b)) as P.
      apply (Rmult_le_reg_l (exp (2 * b))); [exact P|]. rewrite <- exp_plus. replace (2 * b + - (2 * b)) with 0 by ring. rewrite exp_0.
      rewrite <- Expect_scal. eapply Rle_trans; [|exact H].
      apply Expect_le; [apply (distribution_run M X K D reward_law L); auto|]. intro w. unfold stopped.
      destruct (overtaken L w); [lra|]. pose proof (exp_pos (2 * behind L w)). lra.
    Qed.
    Lemma not_overtaken l h : overtaken l h = false -> forall l', (l' <= l)%nat -> behind l' h <= b.
    Proof.
      induction l as [|l IH]; intros H l' Hl'.
      - replace l' with 0%nat by lia. unfold behind, cumulative. simpl. lra.
      - cbn [overtaken] in H. apply Bool.orb_false_iff in H. destruct H as [H1 H2].
        destruct (Nat.eq_dec l' (S l)) as [->|Hn]; [|apply IH; [exact H1|lia]].
        destruct (Rlt_dec b (behind (S l) h)); [discriminate|lra].
    Qed.
  End OneFunction.

  (** With probability 1 - delta the truth is in the version space after every epoch; b = ln((N - 1)/delta)/2. *)
  Theorem truth_is_kept delta : 0 < delta <= 1 ->
    except_with_probability delta (law L) (fun w => kept (threshold (INR N) delta) L w jstar).
  Proof.
    intro Hd. set (b := threshold (INR N) delta).
    destruct (log_ratio_nonneg N HN delta Hd) as [HN1 Hln]. assert (Hb : 0 <= b) by (unfold b, threshold; lra).
    exists (fun w => existsb (fun j => overtaken j b L w) (seq 0 N)). split.
    - assert (Hdist : distribution (law L)) by (apply (distribution_run M X K D reward_law L); auto).
      apply Rle_trans with (Expect (law L) (fun w => sum N (fun j => if overtaken j b L w then 1 else 0))).
      + apply Expect_le; [apply Hdist|]. intro w.
        assert (H0 : forall i, (i < N)%nat -> 0 <= (if overtaken i b L w then 1 else 0)) by (intros i _; destruct (overtaken i b L w); lra).
        destruct (existsb (fun j => overtaken j b L w) (seq 0 N)) eqn:E; [|apply sum_nonneg, H0].
        apply existsb_exists in E. destruct E as [j [Hin Ej]]. apply in_seq in Hin.
        pose proof (sum_ge_one N _ j H0 ltac:(lia)) as H. cbv beta in H. rewrite Ej in H. exact H.
      + rewrite Expect_sum.
        apply Rle_trans with (sum N (fun j => delta / (INR N - 1) - (if Nat.eq_dec j jstar then delta / (INR N - 1) else 0))).
        * apply sum_le. intros j Hj. destruct (Nat.eq_dec j jstar) as [->|Hne].
          -- (* fstar does not overtake itself *)
             right. rewrite Rminus_diag_eq by reflexivity. apply Expect_const_out; [exact Hdist|]. intro w.
             replace (overtaken jstar b L w) with false; [reflexivity|]. symmetry. generalize L as l. induction l as [|l IH]; [reflexivity|].
             cbn [overtaken]. rewrite IH. unfold behind. destruct (Rlt_dec b _); [lra|reflexivity].
          -- rewrite Rminus_0_r. eapply Rle_trans; [apply (ville j b Hj)|]. unfold b, threshold.
             replace (- (2 * (ln ((INR N - 1) / delta) / 2))) with (- ln ((INR N - 1) / delta)) by field.
             rewrite exp_Ropp, exp_ln by (apply Rdiv_lt_0_compat; lra). right. field. lra.
        * rewrite sum_minus, sum_const, sum_delta by exact Hjstar. right. field. lra.
    - apply Forall_forall. intros [p w] _. cbn [snd]. intros Hbad l i Hl Hi.
      assert (Ei : overtaken i b L w = false).
      { destruct (overtaken i b L w) eqn:E; [|reflexivity]. exfalso.
        assert (existsb (fun j => overtaken j b L w) (seq 0 N) = true) by (apply existsb_exists; exists i; split; [apply in_seq; lia|exact E]).
        congruence. }
      pose proof (not_overtaken i b Hi Hb L w Ei l Hl) as H. unfold behind in H. lra.
  Qed.
End VersionSpace.
