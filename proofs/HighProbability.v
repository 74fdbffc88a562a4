(** * thm:global_regret with high probability

    The paper bounds the expected regret.  The pathwise theorem averaged over contexts and agents needs no expectation: in every single
    run whose realised errors satisfy Err^l <= W^l e_l, the regret of the kernels played is at most the bound of thm:global_regret
    ([realised_sharpened], [realised_best], [realised_best_two_arms]).  So, if every call of the FL routine fails that with probability
    delta_l at most, the regret of the run is at most the bound with probability 1 - sum_l delta_l ([high_probability_best]).
    Finite class, exact minimiser ([finite_high_probability_best]): e_l = ln((|F| - 1)(L - 1)/delta) / (kappa W^l), kappa = 0.46368.  *)
From Coq Require Import Reals Lra Lia Psatz List Arith.
From FedIGW Require Import FiniteSums FiniteProbability InverseGapWeighting Constants BestParameters Protocol FiniteExponent FiniteError VersionSpace.
From FedIGW Require Setting SharpenedInduction BestRegret SumOverEpochs.
Import ListNotations.
Open Scope R_scope.

Section HighProbability.
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
  Hypothesis HL : (1 <= L)%nat.
  Hypothesis H2 : forall l m, (1 <= l <= L)%nat -> (m < M)%nat -> (1 <= len l m)%nat.
  Variables (gamma : nat -> R) (FLroutine : nat -> run -> list (R * estimate)) (e : nat -> R).
  Hypothesis HFL : forall l h, distribution (FLroutine l h).
  Hypothesis He : forall l, (1 <= l)%nat -> (S l <= L)%nat -> 0 < e l.
  (** H4: gamma^{l+1} = g sqrt(Kbar^l / e_l) *)
  Variable g : R.
  Hypothesis Hg : 0 < g.
  Hypothesis H4 : forall l, (1 <= l)%nat -> (S l <= L)%nat -> gamma (S l) = g * sqrt (Kbar M K len l / e l).
  Hypothesis H4first : 0 <= gamma 1.
  (** H5: gamma^l <= gamma^{l+1} for l >= 2 *)
  Hypothesis H5 : forall l, (2 <= l)%nat -> (S l <= L)%nat -> gamma l <= gamma (S l).
  Variable c : R.
  Hypothesis Hc : forall l m m', (1 <= l)%nat -> (S l <= L)%nat -> (m < M)%nat -> (m' < M)%nat ->
    E len (S l) m / E len l m <= c * (E len (S l) m' / E len l m').
  Local Notation W := (W M len).
  Local Notation SK := (SK M K len).
  Local Notation Kbar := (Kbar M K len).
  Local Notation E := (E len).
  Local Notation Err := (Err_of M X K D reward_law len gamma).
  Local Notation law := (run_law M X K D reward_law len gamma FLroutine).

  (** regret of a run: of the kernels that it played *)
  Definition kernels_regret (w : run) : R := sum L (fun i => regret_of M X K D reward_law len gamma (S i) (fhat (S i) w)).
  (** the realised error of every call is at most W^l e_l *)
  Definition small_errors (w : run) : Prop := forall l, (1 <= l)%nat -> (S l <= L)%nat -> Err l (fhat l w) (fhat (S l) w) <= W l * e l.

  Lemma some_steps l m : (1 <= l <= L)%nat -> (m < M)%nat -> 0 < E l m.
  Proof. intros Hl Hm. apply lt_0_INR. pose proof (H2 l m Hl Hm). lia. Qed.
  Lemma SK_positive l : (1 <= l <= L)%nat -> 0 < SK l.
  Proof.
    intro Hl. apply Rlt_le_trans with (E l 0 * INR (K 0%nat)).
    - apply Rmult_lt_0_compat; [apply some_steps; lia|]. apply lt_0_INR. pose proof (HK 0). lia.
    - apply (sum_ge_one M (fun m => E l m * INR (K m)) 0); [|lia].
      intros i Hi. apply Rmult_le_pos; [left; apply some_steps; assumption | apply pos_INR].
  Qed.
  Lemma W_positive l : (1 <= l <= L)%nat -> 0 < W l.
  Proof.
    intro Hl. apply Rlt_le_trans with (E l 0); [apply some_steps; lia|].
    apply (sum_ge_one M (fun m => E l m) 0); [|lia]. intros i Hi. left. apply some_steps; assumption.
  Qed.
  Lemma gamma_positive l : (2 <= l <= L)%nat -> 0 < gamma l.
  Proof.
    intro Hl. destruct l as [|l]; [lia|]. rewrite H4 by lia.
    apply Rmult_lt_0_compat; [exact Hg|]. apply sqrt_lt_R0. apply Rdiv_lt_0_compat; [|apply He; lia].
    apply Rdiv_lt_0_compat; [apply SK_positive | apply W_positive]; lia.
  Qed.
  Lemma gamma_nonneg l : (1 <= l <= L)%nat -> 0 <= gamma l.
  Proof. intro Hl. destruct (Nat.eq_dec l 1) as [->|Hn]; [exact H4first|]. left. apply gamma_positive. lia. Qed.

  (** ** One run is a setting in the sense of Setting.v, with nothing random *)
  Instance one_run (w : run) : Setting.setting := {|
    Setting.M := M; Setting.X := X; Setting.K := K; Setting.D := D; Setting.fstar := fstar reward_law;
    Setting.Omega := run; Setting.law := dirac w;
    Setting.L := L; Setting.E := E; Setting.gamma := gamma; Setting.fhat := fhat;
    Setting.c := c; Setting.g := g; Setting.rbar := 1 |}.
  Lemma one_run_valid w : small_errors w -> Setting.valid (one_run w).
  Proof.
    intro Hw. constructor; cbn -[Expect dirac].
    - exact HM.
    - intros m _. apply HK.
    - intros m x _. apply HD0.
    - intros m _. apply HD1.
    - apply distribution_dirac.
    - exact some_steps.
    - reflexivity.
    - exact Hc.
    - exact gamma_positive.
    - lra.
    - intros l A1 A2. rewrite Rmult_1_l. apply H5; assumption.
    - intros l A1 A2. pose proof (Setting.lem_learning_rate (s := one_run w) e l) as Hrate. cbn -[Expect dirac] in Hrate. apply Hrate.
      + apply SK_positive. lia.
      + apply W_positive. lia.
      + apply He; assumption.
      + exact Hg.
      + rewrite Expect_dirac. apply (Hw l A1 A2).
      + apply H4; assumption.
  Qed.
  (** Any constant that bounds the epochs bounds the run. *)
  Lemma realised_total w Cst : small_errors w ->
    (forall l, (2 <= l <= L)%nat -> Expect (Setting.law (setting := one_run w)) (Setting.epoch_regret (s := one_run w) l) <= Cst * (SK l / gamma l)) ->
    kernels_regret w <= sum M (fun m => (1 - / INR (K m)) * E 1 m) +
      sum (L - 1) (fun i => Rmin (W (i + 2)) (Cst / g * (SK (i + 2) * sqrt (e (i + 1)%nat / Kbar (i + 1))))).
  Proof.
    intros Hw HC. pose proof (one_run_valid w Hw) as V.
    assert (Hunit : forall m x a, (m < M)%nat -> (x < X m)%nat -> (a < K m)%nat -> 0 <= fstar reward_law m x a <= 1)
      by (intros; apply fstar_unit; assumption).
    pose proof (SumOverEpochs.total_from_epochs (s := one_run w) Hunit (fun l => Cst * (SK l / gamma l)) HL HC) as H.
    cbn -[Expect dirac] in H. rewrite Expect_dirac in H. eapply Rle_trans; [exact H|]. right. f_equal. apply sum_ext. intros i Hi. f_equal.
    pose proof (SumOverEpochs.weight_rate (s := one_run w) e Hg He H4 (i + 2) ltac:(cbn; lia)) as Hwr.
    unfold SumOverEpochs.rate_term in Hwr. replace (i + 2 - 1)%nat with (i + 1)%nat in Hwr by lia.
    change (SK (i + 2) / gamma (i + 2)%nat = SK (i + 2) * sqrt (e (i + 1)%nat / Kbar (i + 1)) / g) in Hwr. rewrite Hwr. field. lra.
  Qed.

  Variable q : R.
  Hypothesis Hq : forall m, (m < M)%nat -> 1 - / INR (K m) <= q.
  (** thm:global_regret, sharpened, in a single run:  C = 7q/6 + 7/(18c) + 28 c^2 g^2 / 9. *)
  Theorem realised_sharpened w : small_errors w ->
    kernels_regret w <= sum M (fun m => (1 - / INR (K m)) * E 1 m) +
      sum (L - 1) (fun i => Rmin (W (i + 2)) (sharpened_constant c g q / g * (SK (i + 2) * sqrt (e (i + 1)%nat / Kbar (i + 1))))).
  Proof.
    intro Hw. apply (realised_total w _ Hw). intros l Hl. pose proof (one_run_valid w Hw) as V.
    apply (SharpenedInduction.lem_epoch_regret_bound_sharpened (s := one_run w) q Hq eq_refl l Hl).
  Qed.
  Section Best.
    Variable k : nat.
    Hypothesis arms_range : forall m, (m < M)%nat -> (2 <= K m <= k)%nat.
    (** thm:global_regret, best, in a single run:  C = max(1 - 1/k, 1 - 2/k + 0.44284) + 2.51493 g^2. *)
    Theorem realised_best w : c = 1 -> small_errors w ->
      kernels_regret w <= sum M (fun m => (1 - / INR (K m)) * E 1 m) +
        sum (L - 1) (fun i => Rmin (W (i + 2)) (best_constant (INR k) g / g * (SK (i + 2) * sqrt (e (i + 1)%nat / Kbar (i + 1))))).
    Proof.
      intros Hc1 Hw. apply (realised_total w _ Hw). intros l Hl. pose proof (one_run_valid w Hw) as V.
      apply (BestRegret.lem_epoch_regret_bound_best (s := one_run w) eq_refl k arms_range l Hc1 Hl).
    Qed.
    (** thm:global_regret, best, two arms, in a single run:  C = 1/2 + 9 g^2 / 4. *)
    Theorem realised_best_two_arms w : c = 1 -> (forall m, (m < M)%nat -> K m = 2%nat) -> small_errors w ->
      kernels_regret w <= sum M (fun m => (1 - / INR (K m)) * E 1 m) +
        sum (L - 1) (fun i => Rmin (W (i + 2)) (two_arm_constant g / g * (SK (i + 2) * sqrt (e (i + 1)%nat / Kbar (i + 1))))).
    Proof.
      intros Hc1 Htwo Hw. apply (realised_total w _ Hw). intros l Hl. pose proof (one_run_valid w Hw) as V.
      apply (BestRegret.lem_epoch_regret_bound_best_two_arms (s := one_run w) eq_refl l Hc1 Htwo Hl).
    Qed.
  End Best.

  (** ** Probability *)
  Variable reachable : estimate -> Prop.
  Hypothesis Hzero : reachable zero_estimate.
  Hypothesis Hreach : forall l h, Forall (fun pf => reachable (snd pf)) (FLroutine l h).
  (** As H3_run in Protocol.v, for any function of what was played and what was learned. *)
  Lemma learned_run (G : estimate -> estimate -> R) bound l : (1 <= l)%nat -> (S l <= L)%nat ->
    (forall h f, reachable f -> Expect (all_agents X K D reward_law len gamma l f M)
      (fun d => Expect (FLroutine l (update h l (f, d))) (fun f' => G f f')) <= bound) ->
    Expect (law L) (fun w : run => G (fhat l w) (fhat (S l) w)) <= bound.
  Proof.
    intros A1 A2 H.
    rewrite (forget_after M X K D reward_law L len gamma FLroutine HM HK HD0 HD1 HR HFL gamma_nonneg (S l))
      by (try lia; intros j h v Hj; rewrite !fhat_other by lia; reflexivity).
    change (law (S l)) with (bind (law l) (fun h => bind (next_estimate FLroutine l h) (fun f =>
      bind (all_agents X K D reward_law len gamma (S l) f M) (fun d => dirac (update h (S l) (f, d)))))).
    rewrite Expect_bind. rewrite (Expect_ext _ _ (fun h => Expect (FLroutine l h) (fun f' => G (fhat l h) f'))).
    2:{ intro h. rewrite Expect_bind. destruct l as [|n]; [lia|]. apply Expect_ext. intro f'. rewrite Expect_bind.
        apply Expect_const_out; [apply (distribution_all_agents X K D reward_law L); auto using gamma_nonneg; lia|]. intro d.
        rewrite Expect_dirac, fhat_other, (fhat_same M HM) by lia. reflexivity. }
    destruct l as [|n]; [lia|]. simpl run_law. rewrite Expect_bind.
    destruct (distribution_run M X K D reward_law L len gamma FLroutine HM HK HD0 HD1 HR HFL gamma_nonneg n ltac:(lia)) as [Hw Ht].
    rewrite <- (Expect_const (law n) bound) by (split; assumption). apply Expect_le; [exact Hw|]. intro h. rewrite Expect_bind.
    destruct (distribution_next_estimate FLroutine HFL n h) as [Hw2 Ht2].
    rewrite <- (Expect_const (next_estimate FLroutine n h) bound) by (split; assumption).
    apply Expect_le_on_support; [exact Hw2|].
    assert (Hsupport : Forall (fun pf => reachable (snd pf) /\ forall d, fhat (S n) (update h (S n) (snd pf, d)) = snd pf) (next_estimate FLroutine n h)).
    { destruct n as [|n]; [repeat constructor; exact Hzero|]. eapply Forall_impl; [|apply (Hreach (S n) h)].
      intros [p f] Hf. split; [exact Hf|]. intro d. apply (fhat_same M HM). lia. }
    eapply Forall_impl; [|exact Hsupport]. intros [p f] [Hf Hd]. cbn [snd] in *. rewrite Expect_bind.
    rewrite (Expect_ext _ _ (fun d => Expect (FLroutine (S n) (update h (S n) (f, d))) (fun f' => G f f'))) by (intro d; rewrite Expect_dirac, Hd; reflexivity).
    apply (H h f Hf).
  Qed.
  (** every call misses its error bound with probability delta_l at most, whatever kernel collected the data *)
  Variable delta : nat -> R.
  Hypothesis H3 : forall l h f, reachable f -> (1 <= l)%nat -> (S l <= L)%nat ->
    Expect (all_agents X K D reward_law len gamma l f M)
      (fun d => Expect (FLroutine l (update h l (f, d))) (fun f' => if Rlt_dec (W l * e l) (Err l f f') then 1 else 0)) <= delta l.
  Lemma errors_are_small : except_with_probability (sum (L - 1) (fun i => delta (S i))) (law L) small_errors.
  Proof.
    set (miss := fun (w : run) i => if Rlt_dec (W (S i) * e (S i)) (Err (S i) (fhat (S i) w) (fhat (S (S i)) w)) then true else false).
    pose proof (distribution_run M X K D reward_law L len gamma FLroutine HM HK HD0 HD1 HR HFL gamma_nonneg L (le_n L)) as Hd.
    exists (fun w => existsb (miss w) (seq 0 (L - 1))). split.
    - apply Rle_trans with (Expect (law L) (fun w => sum (L - 1) (fun i => if miss w i then 1 else 0))).
      + apply Expect_le; [apply Hd|]. intro w.
        assert (H0 : forall i, (i < L - 1)%nat -> 0 <= (if miss w i then 1 else 0)) by (intros i _; destruct (miss w i); lra).
        destruct (existsb (miss w) (seq 0 (L - 1))) eqn:Em; [|apply sum_nonneg, H0].
        apply existsb_exists in Em. destruct Em as [i [Hin Ei]]. apply in_seq in Hin.
        pose proof (sum_ge_one (L - 1) _ i H0 ltac:(lia)) as H. cbv beta in H. rewrite Ei in H. exact H.
      + rewrite Expect_sum. apply sum_le. intros i Hi.
        eapply Rle_trans; [|apply (learned_run (fun f f' => if Rlt_dec (W (S i) * e (S i)) (Err (S i) f f') then 1 else 0) (delta (S i)) (S i)); try lia].
        * right. apply Expect_ext. intro w. unfold miss. destruct (Rlt_dec _ _); reflexivity.
        * intros h f Hf. apply H3; [exact Hf|lia|lia].
    - apply Forall_forall. intros [p w] _. cbn [snd]. intros Hbad l A1 A2.
      destruct (Rlt_dec (W l * e l) (Err l (fhat l w) (fhat (S l) w))) as [Hlt|Hn]; [exfalso|lra].
      assert (existsb (miss w) (seq 0 (L - 1)) = true); [|congruence].
      apply existsb_exists. exists (l - 1)%nat. split; [apply in_seq; lia|]. unfold miss. replace (S (l - 1)) with l by lia.
      destruct (Rlt_dec _ _); [reflexivity|contradiction].
  Qed.
  (** thm:global_regret, best, with high probability: outside probability sum_l delta_l the regret of the run is at most the bound. *)
  Theorem high_probability_best k : (forall m, (m < M)%nat -> (2 <= K m <= k)%nat) -> c = 1 ->
    except_with_probability (sum (L - 1) (fun i => delta (S i))) (law L) (fun w =>
      kernels_regret w <= sum M (fun m => (1 - / INR (K m)) * E 1 m) +
        sum (L - 1) (fun i => Rmin (W (i + 2)) (best_constant (INR k) g / g * (SK (i + 2) * sqrt (e (i + 1)%nat / Kbar (i + 1)))))).
  Proof.
    intros Hk Hc1. destruct errors_are_small as [bad [Hp Hgood]]. exists bad. split; [exact Hp|].
    eapply Forall_impl; [|exact Hgood]. intros [p w] Hw Hbad. apply (realised_best k Hk w Hc1). apply Hw, Hbad.
  Qed.
End HighProbability.

(** ** Finite class, exact minimiser *)
Section FiniteClass.
  Variables (M : nat) (X K : nat -> nat) (D : nat -> nat -> R) (reward_law : nat -> nat -> nat -> list (R * R)).
  Hypothesis HM : (1 <= M)%nat.
  Hypothesis HK : forall m, (1 <= K m)%nat.
  Hypothesis HD0 : forall m x, (x < X m)%nat -> 0 <= D m x.
  Hypothesis HD1 : forall m, sum (X m) (D m) = 1.
  Hypothesis HR : forall m x a, distribution (reward_law m x a).
  Hypothesis H1 : forall m x a, Forall (fun pr => 0 <= snd pr <= 1) (reward_law m x a).
  Variables (L : nat) (len : nat -> nat -> nat).
  Hypothesis HL : (2 <= L)%nat.
  Hypothesis H2 : forall l m, (1 <= l <= L)%nat -> (m < M)%nat -> (1 <= len l m)%nat.
  (** the class, realizability, an exact minimiser with any rule for ties *)
  Variables (N jstar : nat) (F : nat -> estimate) (choice : nat -> dataset -> nat).
  Hypothesis HN : (2 <= N)%nat.
  Hypothesis HF01 : forall j m x a, (j < N)%nat -> 0 <= F j m x a <= 1.
  Hypothesis Hjstar : (jstar < N)%nat.
  Hypothesis Hreal : forall m x a, F jstar m x a = fstar reward_law m x a.
  Hypothesis Hchoice : forall l ds, (choice l ds < N)%nat.
  Hypothesis Hmin : forall l ds j, (j < N)%nat -> loss M (F (choice l ds)) ds <= loss M (F j) ds.
  Variables (g delta : R) (gamma : nat -> R).
  Hypothesis Hg : 0 < g.
  Hypothesis Hdelta : 0 < delta <= 1.
  (** ln((|F| - 1)(L - 1)/delta) / (kappa W^l) *)
  Definition likely_risk (classes calls delta samples : R) : R := ln ((classes - 1) * calls / delta) / (kappa_best * samples).
  Definition likely_error (l : nat) : R := likely_risk (INR N) (INR (L - 1)) delta (W M len l).
  (** more than one wrong function, or more than one call, or delta < 1: otherwise the logarithm is 0 *)
  Hypothesis Hlog : 0 < ln ((INR N - 1) * INR (L - 1) / delta).
  Hypothesis H4 : forall l, (1 <= l)%nat -> (S l <= L)%nat -> gamma (S l) = g * sqrt (Kbar M K len l / likely_error l).
  Hypothesis H4first : 0 <= gamma 1.
  Hypothesis H5 : forall l, (2 <= l)%nat -> (S l <= L)%nat -> gamma l <= gamma (S l).
  (** agents in step *)
  Hypothesis Hc : forall l m m', (1 <= l)%nat -> (S l <= L)%nat -> (m < M)%nat -> (m' < M)%nat ->
    E len (S l) m / E len l m <= 1 * (E len (S l) m' / E len l m').

  Lemma samples_positive l : (1 <= l <= L)%nat -> 0 < W M len l.
  Proof.
    intro Hl. apply Rlt_le_trans with (E len l 0); [apply lt_0_INR; pose proof (H2 l 0%nat Hl HM); lia|].
    apply (sum_ge_one M (fun m => E len l m) 0); [|lia]. intros i _. apply pos_INR.
  Qed.
  Lemma likely_positive l : (1 <= l)%nat -> (S l <= L)%nat -> 0 < likely_error l.
  Proof.
    intros A1 A2. unfold likely_error, likely_risk. apply Rdiv_lt_0_compat; [exact Hlog|].
    apply Rmult_lt_0_compat; [exact kappa_best_pos|apply samples_positive; lia].
  Qed.
  (** With probability 1 - delta every call keeps its error bound. *)
  Lemma finite_errors_are_small :
    except_with_probability delta (run_law M X K D reward_law len gamma (exact_minimiser F choice) L)
      (small_errors M X K D reward_law L len gamma likely_error).
  Proof.
    assert (Hcalls : 1 <= INR (L - 1)) by (replace 1 with (INR 1) by reflexivity; apply le_INR; lia).
    assert (HN2 : 2 <= INR N) by (change 2 with (INR 2); apply le_INR; exact HN).
    assert (Hsum : sum (L - 1) (fun _ => delta / INR (L - 1)) = delta) by (rewrite sum_const; field; lra).
    rewrite <- Hsum at 1.
    apply (errors_are_small M X K D reward_law HM HK HD0 HD1 HR L len ltac:(lia) H2 gamma (exact_minimiser F choice) likely_error
      (fun l h => distribution_dirac _) likely_positive g Hg H4 H4first (fun _ => True) I (fun l h => Forall_cons _ I (Forall_nil _))
      (fun _ => delta / INR (L - 1))).
    intros l h f _ A1 A2. pose proof (samples_positive l ltac:(lia)) as PW.
    assert (Hgam : 0 <= gamma l).
    { destruct (Nat.eq_dec l 1) as [->|Hn]; [exact H4first|]. replace l with (S (l - 1)) by lia. rewrite H4 by lia.
      apply Rmult_le_pos; [lra|apply sqrt_pos]. }
    assert (Hd' : 0 < delta / INR (L - 1) <= 1).
    { split; [apply Rdiv_lt_0_compat; lra|]. apply (Rmult_le_reg_r (INR (L - 1))); [lra|].
      replace (delta / INR (L - 1) * INR (L - 1)) with delta by (field; lra). lra. }
    pose proof (lem_finite_error_tail_best M X K D reward_law (len l) (fun m x => igw (K m) (gamma l) (f m x)) N jstar F (choice l)) as Htail.
    specialize (Htail HM HD0 HD1 HR H1 (fun m Hm => H2 l m ltac:(lia) Hm)
      (fun m x a Ha => Rlt_le _ _ (igw_pos (K m) (gamma l) (f m x) (HK m) Hgam a Ha)) (fun m x => igw_total (K m) (gamma l) (f m x) (HK m))
      HN HF01 Hjstar Hreal (Hchoice l) (Hmin l) (delta / INR (L - 1)) Hd').
    rewrite <- (epoch_draws X K D reward_law len gamma l f) in Htail. eapply Rle_trans; [|exact Htail]. right. apply Expect_ext. intro d.
    unfold exact_minimiser. rewrite Expect_dirac, update_same. cbn [snd].
    change (sample_count M (len l)) with (W M len l).
    change (excess M X K D reward_law (len l) (fun m x => igw (K m) (gamma l) (f m x)) (F (choice l d))) with
      (Err_of M X K D reward_law len gamma l f (F (choice l d))).
    set (x := Err_of M X K D reward_law len gamma l f (F (choice l d))).
    assert (Ethreshold : ln ((INR N - 1) / (delta / INR (L - 1))) / (kappa_best * W M len l) = likely_error l).
    { unfold likely_error, likely_risk. f_equal. f_equal. field. split; lra. }
    rewrite Ethreshold.
    destruct (Rlt_dec (W M len l * likely_error l) x) as [A|A]; destruct (Rlt_dec (likely_error l) (x / W M len l)) as [B|B]; try reflexivity; exfalso.
    - apply B. apply (Rmult_lt_reg_l (W M len l)); [exact PW|]. replace (W M len l * (x / W M len l)) with x by (field; lra). exact A.
    - apply A. apply (Rmult_lt_compat_l (W M len l)) in B; [|exact PW]. replace (W M len l * (x / W M len l)) with x in B by (field; lra). exact B.
  Qed.

  (** col:finite, best, with high probability: at e_l = ln((|F| - 1)(L - 1)/delta)/(kappa W^l), kappa = 0.46368, the regret of the run is
      at most the bound of thm:global_regret with probability 1 - delta. *)
  Theorem finite_high_probability_best k : (forall m, (m < M)%nat -> (2 <= K m <= k)%nat) ->
    except_with_probability delta (run_law M X K D reward_law len gamma (exact_minimiser F choice) L) (fun w =>
      kernels_regret M X K D reward_law L len gamma w <= sum M (fun m => (1 - / INR (K m)) * E len 1 m) +
        sum (L - 1) (fun i => Rmin (W M len (i + 2))
          (best_constant (INR k) g / g * (SK M K len (i + 2) * sqrt (likely_error (i + 1) / Kbar M K len (i + 1)))))).
  Proof.
    intro Hk. destruct finite_errors_are_small as [bad [Hp Hgood]]. exists bad. split; [exact Hp|].
    eapply Forall_impl; [|exact Hgood]. intros [p w] Hw Hbad.
    apply (realised_best M X K D reward_law HM HK HD0 HD1 HR H1 L len ltac:(lia) H2 gamma likely_error
      likely_positive g Hg H4 H5 1 Hc k Hk w eq_refl). apply Hw, Hbad.
  Qed.
  (** The same for two arms:  C = 1/2 + 9 g^2 / 4. *)
  Theorem finite_high_probability_best_two_arms : (forall m, (m < M)%nat -> K m = 2%nat) ->
    except_with_probability delta (run_law M X K D reward_law len gamma (exact_minimiser F choice) L) (fun w =>
      kernels_regret M X K D reward_law L len gamma w <= sum M (fun m => (1 - / INR (K m)) * E len 1 m) +
        sum (L - 1) (fun i => Rmin (W M len (i + 2))
          (two_arm_constant g / g * (SK M K len (i + 2) * sqrt (likely_error (i + 1) / Kbar M K len (i + 1)))))).
  Proof.
    intro Hk. destruct finite_errors_are_small as [bad [Hp Hgood]]. exists bad. split; [exact Hp|].
    eapply Forall_impl; [|exact Hgood]. intros [p w] Hw Hbad.
    apply (realised_best_two_arms M X K D reward_law HM HK HD0 HD1 HR H1 L len ltac:(lia) H2 gamma likely_error
      likely_positive g Hg H4 H5 1 Hc w eq_refl Hk). apply Hw, Hbad.
  Qed.
End FiniteClass.
