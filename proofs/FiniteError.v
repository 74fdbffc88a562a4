(** * lem:finite_error, sharpened and best: the excess risk of the exact minimiser of a finite class

    D = f - fstar, l(f) = (f - r)^2 - (fstar - r)^2 = D^2 + 2 D (fstar - r).  Hoeffding's lemma gives
    E[exp(-l(f)) | x, a] <= exp(-D^2 / 2), convexity on D^2 in [0,1] gives <= 1 - kappa D^2 with
    kappa = 1 - exp(-1/2), and independence P(fhat = f) <= exp(-kappa n eps_f) for a function f of excess risk
    eps_f.  The mean and the tail follow; no Bernstein inequality and no log n.
    The data may come from any sampling kernel p_m(a|x), one per agent; the last section is the case of an epoch of FedIGW.
    The argument holds for any exponent theta > 0 and factor kappa > 0 with E exp(- theta l(f)) <= 1 - kappa D^2; the variant
    best takes both from FiniteExponent.v.                                                                        *)
From Coq Require Import Reals Lra Lia Psatz List Arith.
From FedIGW Require Import FiniteSums FiniteProbability Hoeffding FiniteExponent InverseGapWeighting Protocol.
Import ListNotations.
Open Scope R_scope.

(** kappa = 1 - exp(-1/2) = 0.3934...; 1/kappa = 2.5414... *)
Definition kappa : R := 1 - exp (- (1 / 2)).
Lemma kappa_pos : 0 < kappa.
Proof.
  unfold kappa. assert (exp (- (1 / 2)) < exp 0) by (apply exp_increasing; lra). rewrite exp_0 in *. lra.
Qed.
(** 1/3 <= kappa: enough to compare with the paper's constant 25. *)
Lemma kappa_ge_third : 1 / 3 <= kappa.
Proof.
  unfold kappa. assert (H : exp (- (1 / 2)) <= 2 / 3); [|lra].
  rewrite exp_Ropp. replace (2 / 3) with (/ (3 / 2)) by field.
  apply Rinv_le_contravar; [lra|]. pose proof (exp_tangent (1 / 2)). lra.
Qed.
(** the constant of the printed tail, and what the paper's own algebra gives: 18.571 *)
Definition printed_tail_constant : R := 25.
Definition repaired_tail_constant : R := (2 + 4 / sqrt 3) ^ 2.

Lemma exp_monotone x y : x <= y -> exp x <= exp y.
Proof. intros [H| ->]; [left; apply exp_increasing; exact H|right; reflexivity]. Qed.

(** If p is a probability vector with p_j <= exp(-y_j), then sum_j p_j y_j <= ln N. *)
Lemma entropy_bound N (p y : nat -> R) : (1 <= N)%nat -> (forall j, (j < N)%nat -> 0 <= p j <= exp (- y j)) ->
  sum N p = 1 -> sum N (fun j => p j * y j) <= ln (INR N).
Proof.
  intros HN Hp Hs. assert (H0 : 0 < INR N) by (apply lt_0_INR; lia).
  assert (H : sum N (fun j => p j * y j) <= sum N (fun j => / INR N + (ln (INR N) - 1) * p j)).
  { apply sum_le. intros j Hj. destruct (Hp j Hj) as [Hp0 Hp1].
    pose proof (exp_tangent (y j - ln (INR N))) as He.
    apply (Rmult_le_compat_l (p j)) in He; [|exact Hp0].
    assert (p j * exp (y j - ln (INR N)) <= / INR N).
    { replace (/ INR N) with (exp (- y j) * exp (y j - ln (INR N))).
      - apply Rmult_le_compat_r; [left; apply exp_pos|exact Hp1].
      - rewrite <- exp_plus. replace (- y j + (y j - ln (INR N))) with (- ln (INR N)) by ring.
        rewrite exp_Ropp, exp_ln by exact H0. reflexivity. }
    lra. }
  rewrite sum_plus, sum_const, sum_scal, Hs, Rinv_r in H by lra. lra.
Qed.

Lemma Expect_nonneg {X} (d : list (R * X)) F : distribution d -> (forall x, 0 <= F x) -> 0 <= Expect d F.
Proof.
  intros Hd H. rewrite <- (Expect_const d 0 Hd). apply Expect_le; [apply Hd|exact H].
Qed.

Section FiniteError.
  Variables (M : nat) (X K : nat -> nat) (D : nat -> nat -> R).
  Variable reward_law : nat -> nat -> nat -> list (R * R).
  (** number of samples of agent m; the kernel p_m(a | x) that drew their arms, any kernel *)
  Variables (size : nat -> nat) (p : nat -> nat -> nat -> R).
  (** the class F = {F 0, ..., F (N-1)}, the index of fstar, the minimiser's choice *)
  Variables (N jstar : nat) (F : nat -> estimate) (choice : dataset -> nat).
  Local Notation fstar := (fstar reward_law).

  (** ** The data: agent m draws x ~ D_m, a ~ p_m(.|x) and a reward, [size m] times, independently *)
  Definition draw (m : nat) : list (R * sample) :=
    bind (finite_law (X m) (D m)) (fun x =>
    bind (finite_law (K m) (p m x)) (fun a =>
    bind (reward_law m x a) (fun r => dirac (x, a, r)))).
  Fixpoint agent_draws (m n : nat) : list (R * list sample) :=
    match n with
    | O => dirac nil
    | S n' => bind (agent_draws m n') (fun d => bind (draw m) (fun z => dirac (z :: d)))
    end.
  Fixpoint all_draws (k : nat) : list (R * dataset) :=
    match k with
    | O => dirac (fun _ => nil)
    | S m => bind (all_draws m) (fun ds => bind (agent_draws m (size m)) (fun d => dirac (update ds m d)))
    end.
  (** n = sum_m n_m *)
  Definition sample_count : R := sum M (fun m => INR (size m)).
  Local Notation samples := sample_count.
  (** E_{x, a ~ p} [(f - fstar)^2] for agent m, and n times the excess risk of f *)
  Definition squared_error (f : estimate) m : R :=
    sum (X m) (fun x => D m x * sum (K m) (fun a => p m x a * ((f m x a - fstar m x a) * (f m x a - fstar m x a)))).
  Definition excess (f : estimate) : R := sum M (fun m => INR (size m) * squared_error f m).

  (** sum of (f(x, a) - r)^2 over the data of one agent, and of all *)
  Fixpoint agent_loss (f : estimate) (m : nat) (d : list sample) : R :=
    match d with nil => 0 | (x, a, r) :: d' => (f m x a - r) * (f m x a - r) + agent_loss f m d' end.
  Definition loss (f : estimate) (ds : dataset) : R := sum M (fun m => agent_loss f m (ds m)).

  Hypothesis HM : (1 <= M)%nat.
  Hypothesis HD0 : forall m x, (x < X m)%nat -> 0 <= D m x.
  Hypothesis HD1 : forall m, sum (X m) (D m) = 1.
  Hypothesis HR : forall m x a, distribution (reward_law m x a).
  Hypothesis HR01 : forall m x a, Forall (fun pr => 0 <= snd pr <= 1) (reward_law m x a).
  Hypothesis Hsize : forall m, (m < M)%nat -> (1 <= size m)%nat.
  Hypothesis Hp0 : forall m x a, (a < K m)%nat -> 0 <= p m x a.
  Hypothesis Hp1 : forall m x, sum (K m) (p m x) = 1.
  Hypothesis HN : (2 <= N)%nat.
  (** functions in [0,1] (needed: erratum E12), realizability, an exact minimiser with any rule for ties *)
  Hypothesis HF01 : forall j m x a, (j < N)%nat -> 0 <= F j m x a <= 1.
  Hypothesis Hjstar : (jstar < N)%nat.
  Hypothesis Hreal : forall m x a, F jstar m x a = fstar m x a.
  Hypothesis Hchoice : forall ds, (choice ds < N)%nat.
  Hypothesis Hmin : forall ds j, (j < N)%nat -> loss (F (choice ds)) ds <= loss (F j) ds.

  Lemma distribution_draw m : distribution (draw m).
  Proof.
    unfold draw. apply distribution_bind; [apply distribution_finite_law; auto|]. intro x.
    apply distribution_bind; [apply distribution_finite_law; [apply Hp0|apply Hp1]|]. intro a.
    apply distribution_bind; [apply HR|]. intro r. apply distribution_dirac.
  Qed.
  Lemma distribution_agent_draws m n : distribution (agent_draws m n).
  Proof.
    induction n as [|n IH]; simpl; [apply distribution_dirac|]. apply distribution_bind; [exact IH|]. intro d.
    apply distribution_bind; [apply distribution_draw|]. intro z. apply distribution_dirac.
  Qed.
  Lemma distribution_all_draws k : distribution (all_draws k).
  Proof.
    induction k as [|k IH]; simpl; [apply distribution_dirac|]. apply distribution_bind; [exact IH|]. intro ds.
    apply distribution_bind; [apply distribution_agent_draws|]. intro d. apply distribution_dirac.
  Qed.

  (** A function of the choice, averaged: sum_j P(fhat = f_j) h(j). *)
  Lemma Expect_choice (h : nat -> R) :
    Expect (all_draws M) (fun d => h (choice d)) =
    sum N (fun j => Expect (all_draws M) (fun d => if Nat.eq_dec j (choice d) then 1 else 0) * h j).
  Proof.
    rewrite (sum_ext N _ (fun j => Expect (all_draws M)
      (fun d => h j * (if Nat.eq_dec j (choice d) then 1 else 0)))).
    - rewrite <- (Expect_sum (all_draws M) N (fun j d => h j * (if Nat.eq_dec j (choice d) then 1 else 0))).
      apply Expect_ext. intro d. symmetry.
      rewrite (sum_ext N _ (fun j => if Nat.eq_dec j (choice d) then h j else 0)).
      + apply (sum_delta N (choice d) h). apply Hchoice.
      + intros j _. destruct (Nat.eq_dec j (choice d)); ring.
    - intros j _. rewrite Expect_scal. ring.
  Qed.

  Lemma samples_positive : 0 < samples.
  Proof.
    apply Rlt_le_trans with (INR (size 0%nat)).
    - apply lt_0_INR. pose proof (Hsize 0%nat ltac:(lia)). lia.
    - apply (sum_ge_one M (fun m => INR (size m)) 0); [|lia]. intros i _. apply pos_INR.
  Qed.

  Lemma log_ratio_nonneg delta : 0 < delta <= 1 -> 1 <= INR N - 1 /\ 0 <= ln ((INR N - 1) / delta).
  Proof.
    intro Hd. assert (2 <= INR N) by (replace 2 with (INR 2) by reflexivity; apply le_INR; exact HN).
    split; [lra|]. rewrite <- ln_1. assert (B : 1 <= (INR N - 1) / delta).
    { apply (Rmult_le_reg_r delta); [lra|].
      replace ((INR N - 1) / delta * delta) with (INR N - 1) by (field; lra). lra. }
    destruct B as [B|B]; [left; apply ln_increasing; lra | rewrite <- B; lra].
  Qed.

  (** ** Any exponent: theta, and a factor for which one sample satisfies its inequality *)
  Section Exponent.
    Variables theta factor : R.
    Hypothesis Htheta : 0 < theta.
    Hypothesis Hfactor : 0 < factor.
    Hypothesis Hsample : forall (f : estimate) m x a, 0 <= f m x a <= 1 ->
      Expect (reward_law m x a) (fun r => exp (- (theta * ((f m x a - r) * (f m x a - r) - (fstar m x a - r) * (fstar m x a - r)))))
      <= 1 - factor * ((f m x a - fstar m x a) * (f m x a - fstar m x a)).

    (** one sample, one agent's samples, all samples: E exp(-theta l) <= exp(-factor E D^2), multiplied up *)
    Lemma draw_moment j m : (j < N)%nat ->
      Expect (draw m) (fun z => exp (- (theta * (agent_loss (F j) m [z] - agent_loss (F jstar) m [z])))) <= exp (- (factor * squared_error (F j) m)).
    Proof.
      intro Hj. unfold draw. rewrite Expect_bind, Expect_finite_law.
      apply Rle_trans with (sum (X m) (fun x => D m x - factor * (D m x * sum (K m) (fun a => p m x a *
         ((F j m x a - fstar m x a) * (F j m x a - fstar m x a)))))).
      - apply sum_le. intros x Hx. rewrite Expect_bind, Expect_finite_law.
        apply Rle_trans with (D m x * (sum (K m) (fun a => p m x a - factor * (p m x a *
         ((F j m x a - fstar m x a) * (F j m x a - fstar m x a)))))).
        + apply Rmult_le_compat_l; [apply HD0; exact Hx|]. apply sum_le. intros a Ha. rewrite Expect_bind.
          pose proof (Hsample (F j) m x a (HF01 j m x a Hj)) as H.
          rewrite (Expect_ext _ _ (fun r => exp (- (theta * ((F j m x a - r) * (F j m x a - r) - (fstar m x a - r) * (fstar m x a - r)))))).
          * apply (Rmult_le_compat_l (p m x a)) in H; [|apply Hp0; assumption]. lra.
          * intro r. rewrite Expect_dirac. simpl. rewrite Hreal. f_equal. ring.
        + rewrite sum_minus, sum_scal, Hp1. right. ring.
      - rewrite sum_minus, sum_scal, HD1. fold (squared_error (F j) m).
        pose proof (exp_tangent (- (factor * squared_error (F j) m))). lra.
    Qed.

    Lemma agent_draws_moment j m n : (j < N)%nat ->
      Expect (agent_draws m n) (fun d => exp (- (theta * (agent_loss (F j) m d - agent_loss (F jstar) m d)))) <= exp (- (factor * (INR n * squared_error (F j) m))).
    Proof.
      intro Hj. induction n as [|n IH].
      - simpl. replace (- (theta * (0 - 0))) with 0 by ring. replace (- (factor * (0 * squared_error (F j) m))) with 0 by ring. lra.
      - change (agent_draws m (S n)) with (bind (agent_draws m n) (fun d => bind (draw m) (fun z => dirac (z :: d)))).
        rewrite Expect_bind.
        rewrite (Expect_ext _ _ (fun d => Expect (draw m) (fun z => exp (- (theta * (agent_loss (F j) m [z] - agent_loss (F jstar) m [z]))))
                                      * exp (- (theta * (agent_loss (F j) m d - agent_loss (F jstar) m d))))).
        + rewrite (Expect_scal _ _ (fun d => exp (- (theta * (agent_loss (F j) m d - agent_loss (F jstar) m d))))).
          rewrite S_INR. replace (- (factor * ((INR n + 1) * squared_error (F j) m)))
            with (- (factor * squared_error (F j) m) + - (factor * (INR n * squared_error (F j) m))) by ring.
          rewrite exp_plus. apply Rmult_le_compat; [| |apply draw_moment; assumption|exact IH].
          * rewrite <- (Expect_const (draw m) 0) by apply distribution_draw.
            apply Expect_le; [apply distribution_draw|]. intro z. left. apply exp_pos.
          * rewrite <- (Expect_const (agent_draws m n) 0) by apply distribution_agent_draws.
            apply Expect_le; [apply distribution_agent_draws|]. intro z. left. apply exp_pos.
        + intro d. rewrite Expect_bind, Rmult_comm, <- Expect_scal. apply Expect_ext. intros [[x a] r].
          rewrite Expect_dirac, <- exp_plus. f_equal. simpl. ring.
    Qed.

    Lemma all_draws_moment j k : (j < N)%nat ->
      Expect (all_draws k) (fun ds => exp (- (theta * (sum k (fun m => agent_loss (F j) m (ds m)) - sum k (fun m => agent_loss (F jstar) m (ds m))))))
      <= exp (- (factor * sum k (fun m => INR (size m) * squared_error (F j) m))).
    Proof.
      intro Hj. induction k as [|k IH].
      - simpl. replace (- (theta * (0 - 0))) with 0 by ring. replace (- (factor * 0)) with 0 by ring. lra.
      - change (all_draws (S k)) with
          (bind (all_draws k) (fun ds => bind (agent_draws k (size k)) (fun d => dirac (update ds k d)))).
        rewrite Expect_bind.
        rewrite (Expect_ext _ _ (fun ds => Expect (agent_draws k (size k)) (fun d => exp (- (theta * (agent_loss (F j) k d - agent_loss (F jstar) k d))))
            * exp (- (theta * (sum k (fun m => agent_loss (F j) m (ds m)) - sum k (fun m => agent_loss (F jstar) m (ds m))))))).
        + rewrite (Expect_scal _ _ (fun ds : dataset => exp (- (theta * (sum k (fun m => agent_loss (F j) m (ds m)) - sum k (fun m => agent_loss (F jstar) m (ds m))))))).
          change (sum (S k) (fun m => INR (size m) * squared_error (F j) m))
            with (sum k (fun m => INR (size m) * squared_error (F j) m) + INR (size k) * squared_error (F j) k).
          replace (- (factor * (sum k (fun m => INR (size m) * squared_error (F j) m) + INR (size k) * squared_error (F j) k)))
            with (- (factor * (INR (size k) * squared_error (F j) k)) + - (factor * sum k (fun m => INR (size m) * squared_error (F j) m))) by ring.
          rewrite exp_plus. apply Rmult_le_compat; [| |apply agent_draws_moment; assumption|exact IH].
          * rewrite <- (Expect_const (agent_draws k (size k)) 0) by apply distribution_agent_draws.
            apply Expect_le; [apply distribution_agent_draws|]. intro z. left. apply exp_pos.
          * rewrite <- (Expect_const (all_draws k) 0) by apply distribution_all_draws.
            apply Expect_le; [apply distribution_all_draws|]. intro z. left. apply exp_pos.
        + intro ds. rewrite Expect_bind, Rmult_comm, <- Expect_scal. apply Expect_ext. intro d.
          rewrite Expect_dirac, <- exp_plus. f_equal. simpl. rewrite !update_same.
          rewrite (sum_ext k (fun m => agent_loss (F j) m (update ds k d m)) (fun m => agent_loss (F j) m (ds m)))
            by (intros i Hi; rewrite update_other by lia; reflexivity).
          rewrite (sum_ext k (fun m => agent_loss (F jstar) m (update ds k d m)) (fun m => agent_loss (F jstar) m (ds m)))
            by (intros i Hi; rewrite update_other by lia; reflexivity).
          ring.
    Qed.

    (** P(fhat = f_j) <= exp(-factor n eps_j), where n eps_j = sum_m n_m E_{x,a}[(f_j - fstar)^2]. *)
    Lemma probability_of_choice j : (j < N)%nat ->
      0 <= Expect (all_draws M) (fun d => if Nat.eq_dec j (choice d) then 1 else 0)
        <= exp (- (factor * excess (F j))).
    Proof.
      intro Hj.
      assert (Hdist : distribution (all_draws M)) by apply distribution_all_draws.
      split.
      - apply Expect_nonneg; [exact Hdist|]. intro d. destruct (Nat.eq_dec j (choice d)); lra.
      - eapply Rle_trans; [|apply (all_draws_moment j M Hj)].
        apply Expect_le; [apply Hdist|]. intro d.
        destruct (Nat.eq_dec j (choice d)) as [Ej|Hn].
        + pose proof (Hmin d jstar Hjstar) as Hm. rewrite <- Ej in Hm. unfold loss in Hm.
          apply Rle_trans with (exp 0); [rewrite exp_0; lra|]. apply exp_monotone. nra.
        + left. apply exp_pos.
    Qed.

    (** sum_m n_m E[(fhat - fstar)^2] <= ln|F| / factor in expectation. *)
    Lemma risk_sum :
      Expect (all_draws M) (fun d => excess (F (choice d))) <= ln (INR N) / factor.
    Proof.
        assert (Hdist : distribution (all_draws M)) by apply distribution_all_draws.
      rewrite (Expect_choice (fun j => excess (F j))).
      set (q := fun j => Expect (all_draws M) (fun d => if Nat.eq_dec j (choice d) then 1 else 0)).
      assert (Hs : sum N q = 1).
      { pose proof (Expect_choice (fun _ => 1)) as H. cbv beta in H. rewrite (Expect_const _ 1 Hdist) in H.
        rewrite H. apply sum_ext. intros j _. unfold q. ring. }
      pose proof (entropy_bound N q (fun j => factor * excess (F j)) ltac:(lia)
        (fun j Hj => probability_of_choice j Hj) Hs) as G.
      apply (Rmult_le_reg_l factor); [exact Hfactor|].
      replace (factor * (ln (INR N) / factor)) with (ln (INR N)) by (field; lra).
      rewrite <- sum_scal. eapply Rle_trans; [|exact G]. right. apply sum_ext. intros j _. unfold q. ring.
    Qed.

    (** The mean in the paper's normalisation, excess risk = excess / n:  E[excess risk] <= ln|F| / (factor n). *)
    Lemma risk_mean :
      Expect (all_draws M) (fun d => excess (F (choice d)) / samples) <= ln (INR N) / (factor * samples).
    Proof.
      pose proof samples_positive as HW.
      rewrite (Expect_ext _ _ (fun d => / samples * excess (F (choice d)))) by (intro; unfold Rdiv; ring).
      rewrite (Expect_scal _ (/ samples) (fun d => excess (F (choice d)))).
      replace (ln (INR N) / (factor * samples)) with (/ samples * (ln (INR N) / factor)) by (field; lra).
      apply Rmult_le_compat_l; [left; apply Rinv_0_lt_compat; exact HW | apply risk_sum].
    Qed.

    (** The tail:  P(excess risk > ln((|F| - 1)/delta) / (factor n)) <= delta. *)
    Lemma risk_tail delta : 0 < delta <= 1 ->
      Expect (all_draws M)
        (fun d => if Rlt_dec (ln ((INR N - 1) / delta) / (factor * samples)) (excess (F (choice d)) / samples)
                  then 1 else 0) <= delta.
    Proof.
      intro Hd. pose proof samples_positive as HW.
      destruct (log_ratio_nonneg delta Hd) as [HN1 Hln].
      set (bad := fun j => if Rlt_dec (ln ((INR N - 1) / delta) / (factor * samples)) (excess (F j) / samples) then 1 else 0).
      change (Expect (all_draws M) (fun d => bad (choice d)) <= delta). rewrite (Expect_choice bad).
      apply Rle_trans with (sum N (fun j => delta / (INR N - 1) -
          (if Nat.eq_dec j jstar then delta / (INR N - 1) else 0))).
      - apply sum_le. intros j Hj.
        destruct (probability_of_choice j Hj) as [P0 P1].
        assert (Hq : 0 < (INR N - 1) / delta) by (apply Rdiv_lt_0_compat; lra).
        assert (Hdq : 0 < delta / (INR N - 1)) by (apply Rdiv_lt_0_compat; lra).
        unfold bad. destruct (Nat.eq_dec j jstar) as [->|Hne].
        + assert (Z : excess (F jstar) = 0).
          { unfold excess, squared_error. rewrite <- (sum_zero M). apply sum_ext. intros m _.
            rewrite (sum_ext (X m) _ (fun _ => 0)); [rewrite sum_zero; ring|]. intros x _.
            rewrite (sum_ext (K m) _ (fun _ => 0)); [rewrite sum_zero; ring|]. intros a _.
            rewrite Hreal. ring. }
          rewrite Z. destruct (Rlt_dec _ _) as [Hlt|_]; [|lra]. exfalso.
          assert (0 <= ln ((INR N - 1) / delta) / (factor * samples)).
          { apply Rmult_le_pos; [exact Hln|]. left. apply Rinv_0_lt_compat, Rmult_lt_0_compat; assumption. }
          unfold Rdiv in *. lra.
        + rewrite Rminus_0_r. destruct (Rlt_dec _ _) as [Hlt|_]; [|lra]. rewrite Rmult_1_r.
          eapply Rle_trans; [exact P1|].
          apply Rle_trans with (exp (- ln ((INR N - 1) / delta))).
          * apply exp_monotone. apply Ropp_le_contravar.
            apply (Rmult_lt_compat_r (factor * samples)) in Hlt; [|apply Rmult_lt_0_compat; assumption].
            replace (ln ((INR N - 1) / delta) / (factor * samples) * (factor * samples))
              with (ln ((INR N - 1) / delta)) in Hlt by (field; lra).
            replace (excess (F j) / samples * (factor * samples)) with (factor * excess (F j)) in Hlt by (field; lra).
            lra.
          * rewrite exp_Ropp, exp_ln by exact Hq. right. field. lra.
      - rewrite sum_minus, sum_const, sum_delta by exact Hjstar. right. field. lra.
    Qed.
  End Exponent.

  (** ** theta = 1, kappa = 1 - exp(-1/2): sharpened *)

  (** E[exp(-l(f)) | x, a] <= 1 - kappa D^2 *)
  Lemma reward_mgf (f : estimate) m x a : 0 <= f m x a <= 1 ->
    Expect (reward_law m x a) (fun r => exp (- ((f m x a - r) * (f m x a - r) - (fstar m x a - r) * (fstar m x a - r))))
    <= 1 - kappa * ((f m x a - fstar m x a) * (f m x a - fstar m x a)).
  Proof.
    intro Hf. pose proof (fstar_unit reward_law HR HR01 m x a) as Hs. set (dl := f m x a - fstar m x a).
    rewrite (Expect_ext _ _ (fun r => exp (- (dl * dl)) * exp (2 * dl * (r - fstar m x a)))).
    2:{ intro r. rewrite <- exp_plus. f_equal. unfold dl. ring. }
    rewrite (Expect_scal _ (exp (- (dl * dl))) (fun r => exp (2 * dl * (r - fstar m x a)))).
    pose proof (hoeffding (reward_law m x a) (2 * dl) (HR m x a) (HR01 m x a)) as H. cbv zeta in H.
    change (Expect (reward_law m x a) (fun r => r)) with (fstar m x a) in H.
    apply (Rmult_le_compat_l (exp (- (dl * dl)))) in H; [|left; apply exp_pos].
    eapply Rle_trans; [exact H|]. rewrite <- exp_plus.
    replace (- (dl * dl) + 2 * dl * (2 * dl) / 8) with (- (1 / 2) * (dl * dl)) by field.
    assert (Hd : -1 <= dl <= 1) by (unfold dl; lra).
    assert (Hdd : 0 <= dl * dl <= 1) by nra.
    pose proof (exp_chord (- (1 / 2)) (dl * dl) Hdd). unfold kappa. lra.
  Qed.
  (** the same with the exponent written out *)
  Lemma reward_moment (f : estimate) m x a : 0 <= f m x a <= 1 ->
    Expect (reward_law m x a) (fun r => exp (- (1 * ((f m x a - r) * (f m x a - r) - (fstar m x a - r) * (fstar m x a - r)))))
    <= 1 - kappa * ((f m x a - fstar m x a) * (f m x a - fstar m x a)).
  Proof. intro Hf. rewrite (Expect_ext _ _ _ (fun r => f_equal (fun z => exp (- z)) (Rmult_1_l _))). apply reward_mgf, Hf. Qed.

  (** sum_m n_m E[(fhat - fstar)^2] <= ln|F| / kappa in expectation. *)
  Lemma draws_error_sum :
    Expect (all_draws M) (fun d => excess (F (choice d))) <= ln (INR N) / kappa.
  Proof. apply (risk_sum 1 kappa); [lra|exact kappa_pos|exact reward_moment]. Qed.

  (** lem:finite_error, mean, sharpened:  E[excess risk] <= ln|F| / (kappa n). *)
  Theorem lem_finite_error_mean_sharpened :
    Expect (all_draws M) (fun d => excess (F (choice d)) / samples) <= ln (INR N) / (kappa * samples).
  Proof. apply (risk_mean 1 kappa); [lra|exact kappa_pos|exact reward_moment]. Qed.

  (** lem:finite_error, tail, sharpened:  P(excess risk > ln((|F| - 1)/delta) / (kappa n)) <= delta. *)
  Theorem lem_finite_error_tail_sharpened delta : 0 < delta <= 1 ->
    Expect (all_draws M)
      (fun d => if Rlt_dec (ln ((INR N - 1) / delta) / (kappa * samples)) (excess (F (choice d)) / samples)
                then 1 else 0) <= delta.
  Proof. apply (risk_tail 1 kappa); [lra|exact kappa_pos|exact reward_moment]. Qed.

  (** ** What the paper prints, and what its algebra gives *)

  (** Any constant from 3 on will do in the tail, since kappa >= 1/3. *)
  Lemma tail_any_constant C delta : 3 <= C -> 0 < delta <= 1 ->
    Expect (all_draws M)
      (fun d => if Rlt_dec (C * ln (INR N / delta) / samples) (excess (F (choice d)) / samples)
                then 1 else 0) <= delta.
  Proof.
    intros HC Hd. pose proof samples_positive as HW. pose proof kappa_ge_third as Hk.
    destruct (log_ratio_nonneg delta Hd) as [HN1 A2].
    assert (Hdist : distribution (all_draws M)) by apply distribution_all_draws.
    eapply Rle_trans; [|apply (lem_finite_error_tail_sharpened delta Hd)].
    apply Expect_le; [apply Hdist|]. intro d.
    assert (Hle : ln ((INR N - 1) / delta) / (kappa * samples) <= C * ln (INR N / delta) / samples).
    { assert (A1 : ln ((INR N - 1) / delta) <= ln (INR N / delta)).
      { left. apply ln_increasing; [apply Rdiv_lt_0_compat; lra|].
        apply Rmult_lt_compat_r; [apply Rinv_0_lt_compat|]; lra. }
      apply (Rmult_le_reg_r (kappa * samples)); [apply Rmult_lt_0_compat; lra|].
      replace (ln ((INR N - 1) / delta) / (kappa * samples) * (kappa * samples))
        with (ln ((INR N - 1) / delta)) by (field; lra).
      replace (C * ln (INR N / delta) / samples * (kappa * samples)) with (C * kappa * ln (INR N / delta)) by (field; lra).
      assert (1 <= C * kappa) by nra. nra. }
    destruct (Rlt_dec (C * ln (INR N / delta) / samples) _); destruct (Rlt_dec _ _); lra.
  Qed.

  (** lem:finite_error, tail, as printed:  P(excess risk > 25 log(|F|/delta) / n) <= delta. *)
  Theorem lem_finite_error_tail_printed delta : 0 < delta <= 1 ->
    Expect (all_draws M)
      (fun d => if Rlt_dec (printed_tail_constant * ln (INR N / delta) / samples) (excess (F (choice d)) / samples)
                then 1 else 0) <= delta.
  Proof. apply tail_any_constant. unfold printed_tail_constant. lra. Qed.

  (** lem:finite_error, tail, repaired:  P(excess risk > (2 + 4/sqrt3)^2 log(|F|/delta) / n) <= delta. *)
  Theorem lem_finite_error_tail_repaired delta : 0 < delta <= 1 ->
    Expect (all_draws M)
      (fun d => if Rlt_dec (repaired_tail_constant * ln (INR N / delta) / samples) (excess (F (choice d)) / samples)
                then 1 else 0) <= delta.
  Proof.
    apply tail_any_constant. unfold repaired_tail_constant.
    assert (0 < 4 / sqrt 3) by (apply Rdiv_lt_0_compat; [lra | apply sqrt_lt_R0; lra]). nra.
  Qed.

  (** lem:finite_error, mean, as printed:  E[excess risk] <= (25 log(|F| n) + 1) / n. *)
  Theorem lem_finite_error_mean_printed :
    Expect (all_draws M) (fun d => excess (F (choice d)) / samples) <=
      (printed_tail_constant * ln (INR N * samples) + 1) / samples.
  Proof.
    pose proof samples_positive as HW. pose proof kappa_ge_third as Hk.
    assert (HN2 : 2 <= INR N) by (replace 2 with (INR 2) by reflexivity; apply le_INR; exact HN).
    assert (HW1 : 1 <= samples).
    { apply Rle_trans with (INR (size 0%nat)).
      - replace 1 with (INR 1) by reflexivity. apply le_INR, Hsize; lia.
      - apply (sum_ge_one M (fun m => INR (size m)) 0); [|lia]. intros i _. apply pos_INR. }
    assert (Hln : 0 <= ln (INR N)) by (rewrite <- ln_1; left; apply ln_increasing; lra).
    assert (HlW : 0 <= ln (samples)).
    { rewrite <- ln_1. destruct HW1 as [H1|H1]; [left; apply ln_increasing; lra | rewrite <- H1; lra]. }
    eapply Rle_trans; [apply (lem_finite_error_mean_sharpened)|].
    unfold printed_tail_constant. rewrite ln_mult by lra.
    apply (Rmult_le_reg_r (kappa * samples)); [apply Rmult_lt_0_compat; lra|].
    replace (ln (INR N) / (kappa * samples) * (kappa * samples)) with (ln (INR N)) by (field; lra).
    replace ((25 * (ln (INR N) + ln (samples)) + 1) / samples * (kappa * samples))
      with (kappa * (25 * (ln (INR N) + ln (samples)) + 1)) by (field; lra).
    assert (ln (INR N) <= 1 / 3 * (25 * (ln (INR N) + ln (samples)) + 1)) by lra.
    assert (0 <= 25 * (ln (INR N) + ln (samples)) + 1) by lra. nra.
  Qed.

  (** ** theta = 104/100, kappa = 46368/100000: best *)

  (** E[exp(-theta l(f)) | x, a] <= 1 - kappa D^2, from FiniteExponent.v *)
  Lemma reward_moment_best (f : estimate) m x a : 0 <= f m x a <= 1 ->
    Expect (reward_law m x a) (fun r => exp (- (theta_best * ((f m x a - r) * (f m x a - r) - (fstar m x a - r) * (fstar m x a - r)))))
    <= 1 - kappa_best * ((f m x a - fstar m x a) * (f m x a - fstar m x a)).
  Proof. apply (one_sample_best (reward_law m x a)); auto. Qed.

  (** sum_m n_m E[(fhat - fstar)^2] <= ln|F| / kappa_best in expectation. *)
  Lemma draws_error_sum_best :
    Expect (all_draws M) (fun d => excess (F (choice d))) <= ln (INR N) / kappa_best.
  Proof. apply (risk_sum theta_best kappa_best); [exact theta_best_pos|exact kappa_best_pos|exact reward_moment_best]. Qed.

  (** lem:finite_error, mean, best:  E[excess risk] <= ln|F| / (kappa_best n). *)
  Theorem lem_finite_error_mean_best :
    Expect (all_draws M) (fun d => excess (F (choice d)) / samples) <= ln (INR N) / (kappa_best * samples).
  Proof. apply (risk_mean theta_best kappa_best); [exact theta_best_pos|exact kappa_best_pos|exact reward_moment_best]. Qed.

  (** lem:finite_error, tail, best:  P(excess risk > ln((|F| - 1)/delta) / (kappa_best n)) <= delta. *)
  Theorem lem_finite_error_tail_best delta : 0 < delta <= 1 ->
    Expect (all_draws M)
      (fun d => if Rlt_dec (ln ((INR N - 1) / delta) / (kappa_best * samples)) (excess (F (choice d)) / samples)
                then 1 else 0) <= delta.
  Proof. apply (risk_tail theta_best kappa_best); [exact theta_best_pos|exact kappa_best_pos|exact reward_moment_best]. Qed.
End FiniteError.

(** ** An epoch of the protocol: its kernel is inverse gap weighting *)

(** the FL routine of col:finite: the exact minimiser on the data of the last epoch *)
Definition exact_minimiser (F : nat -> estimate) (choice : nat -> dataset -> nat) : nat -> run -> list (R * estimate) :=
  fun l h => dirac (F (choice l (snd (h l)))).

Section Epoch.
  Variables (M : nat) (X K : nat -> nat) (D : nat -> nat -> R).
  Variable reward_law : nat -> nat -> nat -> list (R * R).
  Variables (L : nat) (len : nat -> nat -> nat) (gamma : nat -> R).
  Variables (N jstar : nat) (F : nat -> estimate) (choice : nat -> dataset -> nat).
  Hypothesis HM : (1 <= M)%nat.
  Hypothesis HK : forall m, (1 <= K m)%nat.
  Hypothesis HD0 : forall m x, (x < X m)%nat -> 0 <= D m x.
  Hypothesis HD1 : forall m, sum (X m) (D m) = 1.
  Hypothesis HR : forall m x a, distribution (reward_law m x a).
  Hypothesis HR01 : forall m x a, Forall (fun pr => 0 <= snd pr <= 1) (reward_law m x a).
  Hypothesis Hlen : forall l m, (1 <= l <= L)%nat -> (m < M)%nat -> (1 <= len l m)%nat.
  Hypothesis Hgamma0 : forall l, (1 <= l <= L)%nat -> 0 <= gamma l.
  Hypothesis HN : (2 <= N)%nat.
  Hypothesis HF01 : forall j m x a, (j < N)%nat -> 0 <= F j m x a <= 1.
  Hypothesis Hjstar : (jstar < N)%nat.
  Hypothesis Hreal : forall m x a, F jstar m x a = fstar reward_law m x a.
  Hypothesis Hchoice : forall l ds, (choice l ds < N)%nat.
  Hypothesis Hmin : forall l ds j, (j < N)%nat -> loss M (F (choice l ds)) ds <= loss M (F j) ds.
  Variables (l : nat) (f : estimate).
  Hypothesis Hl : (1 <= l <= L)%nat.
  Let p := fun m x => igw (K m) (gamma l) (f m x).
  Local Notation Err_of := (Err_of M X K D reward_law len gamma l f).

  Lemma agent_epoch_draws m n : agent_epoch X K D reward_law gamma l f m n = agent_draws X K D reward_law p m n.
  Proof. induction n as [|n IH]; simpl; [reflexivity|]. rewrite IH. reflexivity. Qed.
  Lemma epoch_draws k : all_agents X K D reward_law len gamma l f k = all_draws X K D reward_law (len l) p k.
  Proof. induction k as [|k IH]; simpl; [reflexivity|]. rewrite IH, agent_epoch_draws. reflexivity. Qed.
  Lemma p_nonneg m x a : (a < K m)%nat -> 0 <= p m x a.
  Proof. intro Ha. left. apply igw_pos; auto. Qed.
  Lemma p_total m x : sum (K m) (p m x) = 1.
  Proof. apply igw_total, HK. Qed.

  (** E Err^l <= ln|F| / kappa, with both kappas, and <= 25 ln(|F| W^l) + 1. *)
  Lemma finite_error_sum :
    Expect (all_agents X K D reward_law len gamma l f M) (fun d => Err_of (F (choice l d))) <= ln (INR N) / kappa.
  Proof.
    rewrite epoch_draws.
    apply (draws_error_sum M X K D reward_law (len l) p N jstar F (choice l)); auto using p_nonneg, p_total.
  Qed.
  Lemma finite_error_sum_best :
    Expect (all_agents X K D reward_law len gamma l f M) (fun d => Err_of (F (choice l d))) <= ln (INR N) / kappa_best.
  Proof.
    rewrite epoch_draws.
    apply (draws_error_sum_best M X K D reward_law (len l) p N jstar F (choice l)); auto using p_nonneg, p_total.
  Qed.
  Lemma finite_error_mean_printed :
    Expect (all_agents X K D reward_law len gamma l f M) (fun d => Err_of (F (choice l d)) / W M len l) <=
      (25 * ln (INR N * W M len l) + 1) / W M len l.
  Proof.
    rewrite epoch_draws.
    apply (lem_finite_error_mean_printed M X K D reward_law (len l) p N jstar F (choice l)); auto using p_nonneg, p_total.
  Qed.
End Epoch.
