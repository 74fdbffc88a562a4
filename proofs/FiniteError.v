(** * lem:finite_error, sharpened and best: the excess risk of the exact minimiser of a finite class

    D = f - fstar, l(f) = (f - r)^2 - (fstar - r)^2 = D^2 + 2 D (fstar - r).  Hoeffding's lemma gives
    E[exp(-l(f)) | x, a] <= exp(-D^2 / 2), convexity on D^2 in [0,1] gives <= 1 - kappa D^2 with
    kappa = 1 - exp(-1/2), and independence P(fhat = f) <= exp(-kappa n eps_f) for a function f of excess risk
    eps_f.  The mean and the tail follow; no Bernstein inequality and no log n.
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
  Variables (L : nat) (len : nat -> nat -> nat) (gamma : nat -> R).
  (** the class F = {F 0, ..., F (N-1)}, the index of fstar, the minimiser's choice *)
  Variables (N jstar : nat) (F : nat -> estimate) (choice : nat -> dataset -> nat).
  Local Notation fstar := (fstar reward_law).
  Local Notation one_step := (one_step X K D reward_law gamma).
  Local Notation agent_epoch := (agent_epoch X K D reward_law gamma).
  Local Notation all_agents := (all_agents X K D reward_law len gamma).
  Local Notation E := (E len).
  Local Notation W := (W M len).
  Local Notation Err_of := (Err_of M X K D reward_law len gamma).

  (** sum of (f(x, a) - r)^2 over the data of one agent, and of all *)
  Fixpoint agent_loss (f : estimate) (m : nat) (d : list sample) : R :=
    match d with nil => 0 | (x, a, r) :: d' => (f m x a - r) * (f m x a - r) + agent_loss f m d' end.
  Definition loss (f : estimate) (ds : dataset) : R := sum M (fun m => agent_loss f m (ds m)).

  Hypothesis HM : (1 <= M)%nat.
  Hypothesis HK : forall m, (1 <= K m)%nat.
  Hypothesis HD0 : forall m x, (x < X m)%nat -> 0 <= D m x.
  Hypothesis HD1 : forall m, sum (X m) (D m) = 1.
  Hypothesis HR : forall m x a, distribution (reward_law m x a).
  Hypothesis HR01 : forall m x a, Forall (fun pr => 0 <= snd pr <= 1) (reward_law m x a).
  Hypothesis Hlen : forall l m, (1 <= l <= L)%nat -> (m < M)%nat -> (1 <= len l m)%nat.
  Hypothesis Hgamma0 : forall l, (1 <= l <= L)%nat -> 0 <= gamma l.
  Hypothesis HN : (2 <= N)%nat.
  (** functions in [0,1] (needed: erratum E12), realizability, an exact minimiser with any rule for ties *)
  Hypothesis HF01 : forall j m x a, (j < N)%nat -> 0 <= F j m x a <= 1.
  Hypothesis Hjstar : (jstar < N)%nat.
  Hypothesis Hreal : forall m x a, F jstar m x a = fstar m x a.
  Hypothesis Hchoice : forall l ds, (choice l ds < N)%nat.
  Hypothesis Hmin : forall l ds j, (j < N)%nat -> loss (F (choice l ds)) ds <= loss (F j) ds.

  (** the FL routine of col:finite: the exact minimiser on the data of the last epoch *)
  Definition exact_minimiser : nat -> run -> list (R * estimate) := fun l h => dirac (F (choice l (snd (h l)))).

  (** E_{x, a ~ igw(f)} [(f' - fstar)^2] for agent m *)
  Definition squared_error l (f f' : estimate) m : R :=
    sum (X m) (fun x => D m x * sum (K m) (fun a => igw (K m) (gamma l) (f m x) a *
       ((f' m x a - fstar m x a) * (f' m x a - fstar m x a)))).

  Lemma kernel_nonneg l (f : estimate) m x a : (1 <= l <= L)%nat -> (a < K m)%nat -> 0 <= igw (K m) (gamma l) (f m x) a.
  Proof. intros Hl Ha. left. apply igw_pos; auto. Qed.

  (** A function of the choice, averaged: sum_j P(fhat = f_j) h(j). *)
  Lemma Expect_choice l f (h : nat -> R) :
    Expect (all_agents l f M) (fun d => h (choice l d)) =
    sum N (fun j => Expect (all_agents l f M) (fun d => if Nat.eq_dec j (choice l d) then 1 else 0) * h j).
  Proof.
    rewrite (sum_ext N _ (fun j => Expect (all_agents l f M)
      (fun d => h j * (if Nat.eq_dec j (choice l d) then 1 else 0)))).
    - rewrite <- (Expect_sum (all_agents l f M) N (fun j d => h j * (if Nat.eq_dec j (choice l d) then 1 else 0))).
      apply Expect_ext. intro d. symmetry.
      rewrite (sum_ext N _ (fun j => if Nat.eq_dec j (choice l d) then h j else 0)).
      + apply (sum_delta N (choice l d) h). apply Hchoice.
      + intros j _. destruct (Nat.eq_dec j (choice l d)); ring.
    - intros j _. rewrite Expect_scal. ring.
  Qed.

  Lemma W_positive l : (1 <= l <= L)%nat -> 0 < W l.
  Proof.
    intro Hl. apply Rlt_le_trans with (E l 0).
    - apply lt_0_INR. pose proof (Hlen l 0%nat Hl ltac:(lia)). lia.
    - apply (sum_ge_one M (fun m => E l m) 0); [|lia]. intros i _. apply pos_INR.
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

    (** one step, one agent's epoch, all agents: E exp(-theta l) <= exp(-factor E D^2), multiplied up *)
    Lemma one_step_moment l f j m : (1 <= l <= L)%nat -> (j < N)%nat ->
      Expect (one_step l f m) (fun z => exp (- (theta * (agent_loss (F j) m [z] - agent_loss (F jstar) m [z])))) <= exp (- (factor * squared_error l f (F j) m)).
    Proof.
      intros Hl Hj. unfold Protocol.one_step. rewrite Expect_bind, Expect_finite_law.
      apply Rle_trans with (sum (X m) (fun x => D m x - factor * (D m x * sum (K m) (fun a => igw (K m) (gamma l) (f m x) a *
         ((F j m x a - fstar m x a) * (F j m x a - fstar m x a)))))).
      - apply sum_le. intros x Hx. rewrite Expect_bind, Expect_finite_law.
        apply Rle_trans with (D m x * (sum (K m) (fun a => igw (K m) (gamma l) (f m x) a - factor * (igw (K m) (gamma l) (f m x) a *
         ((F j m x a - fstar m x a) * (F j m x a - fstar m x a)))))).
        + apply Rmult_le_compat_l; [apply HD0; exact Hx|]. apply sum_le. intros a Ha. rewrite Expect_bind.
          pose proof (Hsample (F j) m x a (HF01 j m x a Hj)) as H.
          rewrite (Expect_ext _ _ (fun r => exp (- (theta * ((F j m x a - r) * (F j m x a - r) - (fstar m x a - r) * (fstar m x a - r)))))).
          * apply (Rmult_le_compat_l (igw (K m) (gamma l) (f m x) a)) in H; [|apply kernel_nonneg; assumption]. lra.
          * intro r. rewrite Expect_dirac. simpl. rewrite Hreal. f_equal. ring.
        + rewrite sum_minus, sum_scal, igw_total by auto. right. ring.
      - rewrite sum_minus, sum_scal, HD1. fold (squared_error l f (F j) m).
        pose proof (exp_tangent (- (factor * squared_error l f (F j) m))). lra.
    Qed.

    Lemma agent_epoch_moment l f j m n : (1 <= l <= L)%nat -> (j < N)%nat ->
      Expect (agent_epoch l f m n) (fun d => exp (- (theta * (agent_loss (F j) m d - agent_loss (F jstar) m d)))) <= exp (- (factor * (INR n * squared_error l f (F j) m))).
    Proof.
      intros Hl Hj. induction n as [|n IH].
      - simpl. replace (- (theta * (0 - 0))) with 0 by ring. replace (- (factor * (0 * squared_error l f (F j) m))) with 0 by ring. lra.
      - change (agent_epoch l f m (S n)) with (bind (agent_epoch l f m n) (fun d => bind (one_step l f m) (fun z => dirac (z :: d)))).
        rewrite Expect_bind.
        rewrite (Expect_ext _ _ (fun d => Expect (one_step l f m) (fun z => exp (- (theta * (agent_loss (F j) m [z] - agent_loss (F jstar) m [z]))))
                                      * exp (- (theta * (agent_loss (F j) m d - agent_loss (F jstar) m d))))).
        + rewrite (Expect_scal _ _ (fun d => exp (- (theta * (agent_loss (F j) m d - agent_loss (F jstar) m d))))).
          rewrite S_INR. replace (- (factor * ((INR n + 1) * squared_error l f (F j) m)))
            with (- (factor * squared_error l f (F j) m) + - (factor * (INR n * squared_error l f (F j) m))) by ring.
          rewrite exp_plus. apply Rmult_le_compat; [| |apply one_step_moment; assumption|exact IH].
          * rewrite <- (Expect_const (one_step l f m) 0) by (apply (distribution_one_step X K D reward_law L); auto).
            apply Expect_le; [apply (distribution_one_step X K D reward_law L gamma); auto|]. intro z. left. apply exp_pos.
          * rewrite <- (Expect_const (agent_epoch l f m n) 0) by (apply (distribution_agent_epoch X K D reward_law L); auto).
            apply Expect_le; [apply (distribution_agent_epoch X K D reward_law L gamma); auto|]. intro z. left. apply exp_pos.
        + intro d. rewrite Expect_bind, Rmult_comm, <- Expect_scal. apply Expect_ext. intros [[x a] r].
          rewrite Expect_dirac, <- exp_plus. f_equal. simpl. ring.
    Qed.

    Lemma all_agents_moment l f j k : (1 <= l <= L)%nat -> (j < N)%nat ->
      Expect (all_agents l f k) (fun ds => exp (- (theta * (sum k (fun m => agent_loss (F j) m (ds m)) - sum k (fun m => agent_loss (F jstar) m (ds m))))))
      <= exp (- (factor * sum k (fun m => E l m * squared_error l f (F j) m))).
    Proof.
      intros Hl Hj. induction k as [|k IH].
      - simpl. replace (- (theta * (0 - 0))) with 0 by ring. replace (- (factor * 0)) with 0 by ring. lra.
      - change (all_agents l f (S k)) with
          (bind (all_agents l f k) (fun ds => bind (agent_epoch l f k (len l k)) (fun d => dirac (update ds k d)))).
        rewrite Expect_bind.
        rewrite (Expect_ext _ _ (fun ds => Expect (agent_epoch l f k (len l k)) (fun d => exp (- (theta * (agent_loss (F j) k d - agent_loss (F jstar) k d))))
            * exp (- (theta * (sum k (fun m => agent_loss (F j) m (ds m)) - sum k (fun m => agent_loss (F jstar) m (ds m))))))).
        + rewrite (Expect_scal _ _ (fun ds : dataset => exp (- (theta * (sum k (fun m => agent_loss (F j) m (ds m)) - sum k (fun m => agent_loss (F jstar) m (ds m))))))).
          change (sum (S k) (fun m => E l m * squared_error l f (F j) m))
            with (sum k (fun m => E l m * squared_error l f (F j) m) + INR (len l k) * squared_error l f (F j) k).
          replace (- (factor * (sum k (fun m => E l m * squared_error l f (F j) m) + INR (len l k) * squared_error l f (F j) k)))
            with (- (factor * (INR (len l k) * squared_error l f (F j) k)) + - (factor * sum k (fun m => E l m * squared_error l f (F j) m))) by ring.
          rewrite exp_plus. apply Rmult_le_compat; [| |apply agent_epoch_moment; assumption|exact IH].
          * rewrite <- (Expect_const (agent_epoch l f k (len l k)) 0) by (apply (distribution_agent_epoch X K D reward_law L); auto).
            apply Expect_le; [apply (distribution_agent_epoch X K D reward_law L gamma); auto|]. intro z. left. apply exp_pos.
          * rewrite <- (Expect_const (all_agents l f k) 0) by (apply (distribution_all_agents X K D reward_law L); auto).
            apply Expect_le; [apply (distribution_all_agents X K D reward_law L len gamma); auto|]. intro z. left. apply exp_pos.
        + intro ds. rewrite Expect_bind, Rmult_comm, <- Expect_scal. apply Expect_ext. intro d.
          rewrite Expect_dirac, <- exp_plus. f_equal. simpl. rewrite !update_same.
          rewrite (sum_ext k (fun m => agent_loss (F j) m (update ds k d m)) (fun m => agent_loss (F j) m (ds m)))
            by (intros i Hi; rewrite update_other by lia; reflexivity).
          rewrite (sum_ext k (fun m => agent_loss (F jstar) m (update ds k d m)) (fun m => agent_loss (F jstar) m (ds m)))
            by (intros i Hi; rewrite update_other by lia; reflexivity).
          ring.
    Qed.

    (** P(fhat = f_j) <= exp(-factor n eps_j), where n eps_j = sum_m n_m E_{x,a}[(f_j - fstar)^2]. *)
    Lemma probability_of_choice l f j : (1 <= l <= L)%nat -> (j < N)%nat ->
      0 <= Expect (all_agents l f M) (fun d => if Nat.eq_dec j (choice l d) then 1 else 0)
        <= exp (- (factor * Err_of l f (F j))).
    Proof.
      intros Hl Hj.
      assert (Hdist : distribution (all_agents l f M)) by (apply (distribution_all_agents X K D reward_law L); auto).
      split.
      - apply Expect_nonneg; [exact Hdist|]. intro d. destruct (Nat.eq_dec j (choice l d)); lra.
      - eapply Rle_trans; [|apply (all_agents_moment l f j M Hl Hj)].
        apply Expect_le; [apply Hdist|]. intro d.
        destruct (Nat.eq_dec j (choice l d)) as [Ej|Hn].
        + pose proof (Hmin l d jstar Hjstar) as Hm. rewrite <- Ej in Hm. unfold loss in Hm.
          apply Rle_trans with (exp 0); [rewrite exp_0; lra|]. apply exp_monotone. nra.
        + left. apply exp_pos.
    Qed.

    (** sum_m n_m E[(fhat - fstar)^2] <= ln|F| / factor in expectation. *)
    Lemma risk_sum l f : (1 <= l <= L)%nat ->
      Expect (all_agents l f M) (fun d => Err_of l f (F (choice l d))) <= ln (INR N) / factor.
    Proof.
      intro Hl.
      assert (Hdist : distribution (all_agents l f M)) by (apply (distribution_all_agents X K D reward_law L); auto).
      rewrite (Expect_choice l f (fun j => Err_of l f (F j))).
      set (p := fun j => Expect (all_agents l f M) (fun d => if Nat.eq_dec j (choice l d) then 1 else 0)).
      assert (Hs : sum N p = 1).
      { pose proof (Expect_choice l f (fun _ => 1)) as H. cbv beta in H. rewrite (Expect_const _ 1 Hdist) in H.
        rewrite H. apply sum_ext. intros j _. unfold p. ring. }
      pose proof (entropy_bound N p (fun j => factor * Err_of l f (F j)) ltac:(lia)
        (fun j Hj => probability_of_choice l f j Hl Hj) Hs) as G.
      apply (Rmult_le_reg_l factor); [exact Hfactor|].
      replace (factor * (ln (INR N) / factor)) with (ln (INR N)) by (field; lra).
      rewrite <- sum_scal. eapply Rle_trans; [|exact G]. right. apply sum_ext. intros j _. unfold p. ring.
    Qed.

    (** The mean in the paper's normalisation, n = W^l and excess risk = Err / n:  E[excess risk] <= ln|F| / (factor n). *)
    Lemma risk_mean l f : (1 <= l <= L)%nat ->
      Expect (all_agents l f M) (fun d => Err_of l f (F (choice l d)) / W l) <= ln (INR N) / (factor * W l).
    Proof.
      intro Hl. pose proof (W_positive l Hl) as HW.
      rewrite (Expect_ext _ _ (fun d => / W l * Err_of l f (F (choice l d)))) by (intro; unfold Rdiv; ring).
      rewrite (Expect_scal _ (/ W l) (fun d => Err_of l f (F (choice l d)))).
      replace (ln (INR N) / (factor * W l)) with (/ W l * (ln (INR N) / factor)) by (field; lra).
      apply Rmult_le_compat_l; [left; apply Rinv_0_lt_compat; exact HW | apply risk_sum; exact Hl].
    Qed.

    (** The tail:  P(excess risk > ln((|F| - 1)/delta) / (factor n)) <= delta. *)
    Lemma risk_tail l f delta : (1 <= l <= L)%nat -> 0 < delta <= 1 ->
      Expect (all_agents l f M)
        (fun d => if Rlt_dec (ln ((INR N - 1) / delta) / (factor * W l)) (Err_of l f (F (choice l d)) / W l)
                  then 1 else 0) <= delta.
    Proof.
      intros Hl Hd. pose proof (W_positive l Hl) as HW.
      destruct (log_ratio_nonneg delta Hd) as [HN1 Hln].
      set (bad := fun j => if Rlt_dec (ln ((INR N - 1) / delta) / (factor * W l)) (Err_of l f (F j) / W l) then 1 else 0).
      change (Expect (all_agents l f M) (fun d => bad (choice l d)) <= delta). rewrite (Expect_choice l f bad).
      apply Rle_trans with (sum N (fun j => delta / (INR N - 1) -
          (if Nat.eq_dec j jstar then delta / (INR N - 1) else 0))).
      - apply sum_le. intros j Hj.
        destruct (probability_of_choice l f j Hl Hj) as [P0 P1].
        assert (Hq : 0 < (INR N - 1) / delta) by (apply Rdiv_lt_0_compat; lra).
        assert (Hdq : 0 < delta / (INR N - 1)) by (apply Rdiv_lt_0_compat; lra).
        unfold bad. destruct (Nat.eq_dec j jstar) as [->|Hne].
        + assert (Z : Err_of l f (F jstar) = 0).
          { unfold Protocol.Err_of, over_epoch. rewrite <- (sum_zero M). apply sum_ext. intros m _.
            rewrite (sum_ext (X m) _ (fun _ => 0)); [rewrite sum_zero; ring|]. intros x _.
            rewrite (sum_ext (K m) _ (fun _ => 0)); [rewrite sum_zero; ring|]. intros a _.
            rewrite Hreal. ring. }
          rewrite Z. destruct (Rlt_dec _ _) as [Hlt|_]; [|lra]. exfalso.
          assert (0 <= ln ((INR N - 1) / delta) / (factor * W l)).
          { apply Rmult_le_pos; [exact Hln|]. left. apply Rinv_0_lt_compat, Rmult_lt_0_compat; assumption. }
          unfold Rdiv in *. lra.
        + rewrite Rminus_0_r. destruct (Rlt_dec _ _) as [Hlt|_]; [|lra]. rewrite Rmult_1_r.
          eapply Rle_trans; [exact P1|].
          apply Rle_trans with (exp (- ln ((INR N - 1) / delta))).
          * apply exp_monotone. apply Ropp_le_contravar.
            apply (Rmult_lt_compat_r (factor * W l)) in Hlt; [|apply Rmult_lt_0_compat; assumption].
            replace (ln ((INR N - 1) / delta) / (factor * W l) * (factor * W l))
              with (ln ((INR N - 1) / delta)) in Hlt by (field; lra).
            replace (Err_of l f (F j) / W l * (factor * W l)) with (factor * Err_of l f (F j)) in Hlt by (field; lra).
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

  (** one step, one agent's epoch, all agents: E exp(-l) <= exp(-kappa E D^2), multiplied up *)
  Lemma one_step_mgf l f j m : (1 <= l <= L)%nat -> (j < N)%nat ->
    Expect (one_step l f m) (fun z => exp (- (agent_loss (F j) m [z] - agent_loss (F jstar) m [z]))) <= exp (- (kappa * squared_error l f (F j) m)).
  Proof.
    intros Hl Hj. pose proof (one_step_moment 1 kappa reward_moment l f j m Hl Hj) as H.
    rewrite (Expect_ext _ _ _ (fun z => f_equal (fun y => exp (- y)) (Rmult_1_l _))) in H. exact H.
  Qed.
  Lemma agent_epoch_mgf l f j m n : (1 <= l <= L)%nat -> (j < N)%nat ->
    Expect (agent_epoch l f m n) (fun d => exp (- (agent_loss (F j) m d - agent_loss (F jstar) m d))) <= exp (- (kappa * (INR n * squared_error l f (F j) m))).
  Proof.
    intros Hl Hj. pose proof (agent_epoch_moment 1 kappa reward_moment l f j m n Hl Hj) as H.
    rewrite (Expect_ext _ _ _ (fun z => f_equal (fun y => exp (- y)) (Rmult_1_l _))) in H. exact H.
  Qed.
  Lemma all_agents_mgf l f j k : (1 <= l <= L)%nat -> (j < N)%nat ->
    Expect (all_agents l f k) (fun ds => exp (- (sum k (fun m => agent_loss (F j) m (ds m)) - sum k (fun m => agent_loss (F jstar) m (ds m)))))
    <= exp (- (kappa * sum k (fun m => E l m * squared_error l f (F j) m))).
  Proof.
    intros Hl Hj. pose proof (all_agents_moment 1 kappa reward_moment l f j k Hl Hj) as H.
    rewrite (Expect_ext _ _ _ (fun z => f_equal (fun y => exp (- y)) (Rmult_1_l _))) in H. exact H.
  Qed.

  (** P(fhat = f_j) <= exp(-kappa n eps_j), where n eps_j = sum_m n_m E_{x,a}[(f_j - fstar)^2]. *)
  Lemma choice_probability l f j : (1 <= l <= L)%nat -> (j < N)%nat ->
    0 <= Expect (all_agents l f M) (fun d => if Nat.eq_dec j (choice l d) then 1 else 0)
      <= exp (- (kappa * Err_of l f (F j))).
  Proof. apply (probability_of_choice 1 kappa); [lra|exact reward_moment]. Qed.

  (** sum_m n_m E[(fhat - fstar)^2] <= ln|F| / kappa in expectation. *)
  Lemma finite_error_sum l f : (1 <= l <= L)%nat ->
    Expect (all_agents l f M) (fun d => Err_of l f (F (choice l d))) <= ln (INR N) / kappa.
  Proof. apply (risk_sum 1 kappa); [lra|exact kappa_pos|exact reward_moment]. Qed.

  (** lem:finite_error, mean, sharpened:  E[excess risk] <= ln|F| / (kappa n). *)
  Theorem lem_finite_error_mean_sharpened l f : (1 <= l <= L)%nat ->
    Expect (all_agents l f M) (fun d => Err_of l f (F (choice l d)) / W l) <= ln (INR N) / (kappa * W l).
  Proof. apply (risk_mean 1 kappa); [lra|exact kappa_pos|exact reward_moment]. Qed.

  (** lem:finite_error, tail, sharpened:  P(excess risk > ln((|F| - 1)/delta) / (kappa n)) <= delta. *)
  Theorem lem_finite_error_tail_sharpened l f delta : (1 <= l <= L)%nat -> 0 < delta <= 1 ->
    Expect (all_agents l f M)
      (fun d => if Rlt_dec (ln ((INR N - 1) / delta) / (kappa * W l)) (Err_of l f (F (choice l d)) / W l)
                then 1 else 0) <= delta.
  Proof. apply (risk_tail 1 kappa); [lra|exact kappa_pos|exact reward_moment]. Qed.

  (** ** What the paper prints, and what its algebra gives *)

  (** Any constant from 3 on will do in the tail, since kappa >= 1/3. *)
  Lemma tail_any_constant C l f delta : 3 <= C -> (1 <= l <= L)%nat -> 0 < delta <= 1 ->
    Expect (all_agents l f M)
      (fun d => if Rlt_dec (C * ln (INR N / delta) / W l) (Err_of l f (F (choice l d)) / W l)
                then 1 else 0) <= delta.
  Proof.
    intros HC Hl Hd. pose proof (W_positive l Hl) as HW. pose proof kappa_ge_third as Hk.
    destruct (log_ratio_nonneg delta Hd) as [HN1 A2].
    assert (Hdist : distribution (all_agents l f M)) by (apply (distribution_all_agents X K D reward_law L); auto).
    eapply Rle_trans; [|apply (lem_finite_error_tail_sharpened l f delta Hl Hd)].
    apply Expect_le; [apply Hdist|]. intro d.
    assert (Hle : ln ((INR N - 1) / delta) / (kappa * W l) <= C * ln (INR N / delta) / W l).
    { assert (A1 : ln ((INR N - 1) / delta) <= ln (INR N / delta)).
      { left. apply ln_increasing; [apply Rdiv_lt_0_compat; lra|].
        apply Rmult_lt_compat_r; [apply Rinv_0_lt_compat|]; lra. }
      apply (Rmult_le_reg_r (kappa * W l)); [apply Rmult_lt_0_compat; lra|].
      replace (ln ((INR N - 1) / delta) / (kappa * W l) * (kappa * W l))
        with (ln ((INR N - 1) / delta)) by (field; lra).
      replace (C * ln (INR N / delta) / W l * (kappa * W l)) with (C * kappa * ln (INR N / delta)) by (field; lra).
      assert (1 <= C * kappa) by nra. nra. }
    destruct (Rlt_dec (C * ln (INR N / delta) / W l) _); destruct (Rlt_dec _ _); lra.
  Qed.

  (** lem:finite_error, tail, as printed:  P(excess risk > 25 log(|F|/delta) / n) <= delta. *)
  Theorem lem_finite_error_tail_printed l f delta : (1 <= l <= L)%nat -> 0 < delta <= 1 ->
    Expect (all_agents l f M)
      (fun d => if Rlt_dec (printed_tail_constant * ln (INR N / delta) / W l) (Err_of l f (F (choice l d)) / W l)
                then 1 else 0) <= delta.
  Proof. apply tail_any_constant. unfold printed_tail_constant. lra. Qed.

  (** lem:finite_error, tail, repaired:  P(excess risk > (2 + 4/sqrt3)^2 log(|F|/delta) / n) <= delta. *)
  Theorem lem_finite_error_tail_repaired l f delta : (1 <= l <= L)%nat -> 0 < delta <= 1 ->
    Expect (all_agents l f M)
      (fun d => if Rlt_dec (repaired_tail_constant * ln (INR N / delta) / W l) (Err_of l f (F (choice l d)) / W l)
                then 1 else 0) <= delta.
  Proof.
    apply tail_any_constant. unfold repaired_tail_constant.
    assert (0 < 4 / sqrt 3) by (apply Rdiv_lt_0_compat; [lra | apply sqrt_lt_R0; lra]). nra.
  Qed.

  (** lem:finite_error, mean, as printed:  E[excess risk] <= (25 log(|F| n) + 1) / n. *)
  Theorem lem_finite_error_mean_printed l f : (1 <= l <= L)%nat ->
    Expect (all_agents l f M) (fun d => Err_of l f (F (choice l d)) / W l) <=
      (printed_tail_constant * ln (INR N * W l) + 1) / W l.
  Proof.
    intro Hl. pose proof (W_positive l Hl) as HW. pose proof kappa_ge_third as Hk.
    assert (HN2 : 2 <= INR N) by (replace 2 with (INR 2) by reflexivity; apply le_INR; exact HN).
    assert (HW1 : 1 <= W l).
    { apply Rle_trans with (E l 0).
      - replace 1 with (INR 1) by reflexivity. apply le_INR, Hlen; lia.
      - apply (sum_ge_one M (fun m => E l m) 0); [|lia]. intros i _. apply pos_INR. }
    assert (Hln : 0 <= ln (INR N)) by (rewrite <- ln_1; left; apply ln_increasing; lra).
    assert (HlW : 0 <= ln (W l)).
    { rewrite <- ln_1. destruct HW1 as [H1|H1]; [left; apply ln_increasing; lra | rewrite <- H1; lra]. }
    eapply Rle_trans; [apply (lem_finite_error_mean_sharpened l f Hl)|].
    unfold printed_tail_constant. rewrite ln_mult by lra.
    apply (Rmult_le_reg_r (kappa * W l)); [apply Rmult_lt_0_compat; lra|].
    replace (ln (INR N) / (kappa * W l) * (kappa * W l)) with (ln (INR N)) by (field; lra).
    replace ((25 * (ln (INR N) + ln (W l)) + 1) / W l * (kappa * W l))
      with (kappa * (25 * (ln (INR N) + ln (W l)) + 1)) by (field; lra).
    assert (ln (INR N) <= 1 / 3 * (25 * (ln (INR N) + ln (W l)) + 1)) by lra.
    assert (0 <= 25 * (ln (INR N) + ln (W l)) + 1) by lra. nra.
  Qed.

  (** ** theta = 104/100, kappa = 46368/100000: best *)

  (** E[exp(-theta l(f)) | x, a] <= 1 - kappa D^2, from FiniteExponent.v *)
  Lemma reward_moment_best (f : estimate) m x a : 0 <= f m x a <= 1 ->
    Expect (reward_law m x a) (fun r => exp (- (theta_best * ((f m x a - r) * (f m x a - r) - (fstar m x a - r) * (fstar m x a - r)))))
    <= 1 - kappa_best * ((f m x a - fstar m x a) * (f m x a - fstar m x a)).
  Proof. apply (one_sample_best (reward_law m x a)); auto. Qed.

  (** sum_m n_m E[(fhat - fstar)^2] <= ln|F| / kappa_best in expectation. *)
  Lemma finite_error_sum_best l f : (1 <= l <= L)%nat ->
    Expect (all_agents l f M) (fun d => Err_of l f (F (choice l d))) <= ln (INR N) / kappa_best.
  Proof. apply (risk_sum theta_best kappa_best); [exact theta_best_pos|exact kappa_best_pos|exact reward_moment_best]. Qed.

  (** lem:finite_error, mean, best:  E[excess risk] <= ln|F| / (kappa_best n). *)
  Theorem lem_finite_error_mean_best l f : (1 <= l <= L)%nat ->
    Expect (all_agents l f M) (fun d => Err_of l f (F (choice l d)) / W l) <= ln (INR N) / (kappa_best * W l).
  Proof. apply (risk_mean theta_best kappa_best); [exact theta_best_pos|exact kappa_best_pos|exact reward_moment_best]. Qed.

  (** lem:finite_error, tail, best:  P(excess risk > ln((|F| - 1)/delta) / (kappa_best n)) <= delta. *)
  Theorem lem_finite_error_tail_best l f delta : (1 <= l <= L)%nat -> 0 < delta <= 1 ->
    Expect (all_agents l f M)
      (fun d => if Rlt_dec (ln ((INR N - 1) / delta) / (kappa_best * W l)) (Err_of l f (F (choice l d)) / W l)
                then 1 else 0) <= delta.
  Proof. apply (risk_tail theta_best kappa_best); [exact theta_best_pos|exact kappa_best_pos|exact reward_moment_best]. Qed.
End FiniteError.
