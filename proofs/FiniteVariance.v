(** * lem:finite_var: mean and variance of the excess squared loss

    One agent; x ~ D, a ~ p(.|x) for any kernel p, r from the law of (x, a) with mean fstar(x, a).
    l(f) = (f(x,a) - r)^2 - (fstar(x,a) - r)^2.  Then E l = E (f - fstar)^2 and Var l <= (4/3) E l, if f and r are
    in [0,1]; the paper's constant is 4.  4/3 cannot be improved.                                              *)
From Coq Require Import Reals Lra Lia Psatz List Arith.
From FedIGW Require Import FiniteSums FiniteProbability.
Import ListNotations.
Open Scope R_scope.

Definition variance {A : Type} (d : list (R * A)) (Z : A -> R) : R :=
  Expect d (fun w => (Z w - Expect d Z) ^ 2).
Definition printed_variance_constant : R := 4.
Definition sharpened_variance_constant : R := 4 / 3.

(** Var Z = E Z^2 - (E Z)^2 *)
Lemma variance_moments {A : Type} (d : list (R * A)) Z : distribution d ->
  variance d Z = Expect d (fun w => Z w ^ 2) - Expect d Z ^ 2.
Proof.
  intro Hd. unfold variance. set (m := Expect d Z).
  rewrite (Expect_ext d _ (fun w => (Z w ^ 2 + (-2 * m) * Z w) + m ^ 2)) by (intro; ring).
  rewrite (Expect_plus_const d _ (fun w => Z w ^ 2 + (-2 * m) * Z w) (m ^ 2) Hd) by reflexivity.
  rewrite (Expect_plus d (fun w => Z w ^ 2) (fun w => (-2 * m) * Z w)), (Expect_scal d (-2 * m) Z). fold m. ring.
Qed.

(** The pointwise inequality: D^2 + 4 s (1 - s) <= 4/3 for s and s + D in [0,1]. *)
Lemma variance_cell s D : 0 <= s <= 1 -> 0 <= s + D <= 1 -> D ^ 2 + 4 * (s * (1 - s)) <= 4 / 3.
Proof.
  intros Hs HD. destruct (Rle_dec 0 D) as [H|H].
  - (* s <= 1 - D *)
    destruct (Rle_dec D (1 / 2)).
    + assert (D ^ 2 <= 1 / 4) by nra. assert (0 <= (1 - 2 * s) ^ 2) by apply pow2_ge_0. nra.
    + assert (s * (1 - s) <= D * (1 - D)) by nra. assert (0 <= (3 * D - 2) ^ 2) by apply pow2_ge_0. nra.
  - destruct (Rle_dec (- D) (1 / 2)).
    + assert (D ^ 2 <= 1 / 4) by nra. assert (0 <= (1 - 2 * s) ^ 2) by apply pow2_ge_0. nra.
    + assert (s * (1 - s) <= - D * (1 - - D)) by nra. assert (0 <= (3 * - D - 2) ^ 2) by apply pow2_ge_0. nra.
Qed.

Section FiniteVariance.
  Variables (X K : nat) (D : nat -> R) (p : nat -> nat -> R) (reward : nat -> nat -> list (R * R)).
  Variable f : nat -> nat -> R.
  Hypothesis HD0 : forall x, (x < X)%nat -> 0 <= D x.
  Hypothesis HD1 : sum X D = 1.
  Hypothesis Hp0 : forall x a, (x < X)%nat -> (a < K)%nat -> 0 <= p x a.
  Hypothesis Hp1 : forall x, sum K (p x) = 1.
  Hypothesis HR : forall x a, distribution (reward x a).
  Hypothesis HR01 : forall x a, Forall (fun pr => 0 <= snd pr <= 1) (reward x a).

  Definition mean_reward (x a : nat) : R := Expect (reward x a) (fun r => r).
  (** the law of (x, a, r) *)
  Definition sample_law : list (R * (nat * nat * R)) :=
    bind (finite_law X D) (fun x => bind (finite_law K (p x)) (fun a =>
    bind (reward x a) (fun r => dirac (x, a, r)))).
  Definition excess_loss (z : nat * nat * R) : R :=
    match z with (x, a, r) => (f x a - r) ^ 2 - (mean_reward x a - r) ^ 2 end.

  Lemma Expect_sample (Z : nat * nat * R -> R) :
    Expect sample_law Z = sum X (fun x => D x * sum K (fun a => p x a * Expect (reward x a) (fun r => Z (x, a, r)))).
  Proof using.
    unfold sample_law. rewrite Expect_bind, Expect_finite_law. apply sum_ext. intros x _. f_equal.
    rewrite Expect_bind, Expect_finite_law. apply sum_ext. intros a _. f_equal. rewrite Expect_bind.
    apply Expect_ext. intro r. apply Expect_dirac.
  Qed.
  (** E l = E (f - fstar)^2 in one cell *)
  Lemma cell_mean x a : Expect (reward x a) (fun r => excess_loss (x, a, r)) = (f x a - mean_reward x a) ^ 2.
  Proof using HR.
    simpl excess_loss. set (d := f x a - mean_reward x a). set (s := mean_reward x a).
    rewrite (Expect_ext _ _ (fun r => (-2 * d) * r + (d * (f x a + s)))).
    - rewrite (Expect_plus_const _ _ (fun r => (-2 * d) * r) (d * (f x a + s)) (HR x a)) by reflexivity.
      rewrite (Expect_scal _ (-2 * d) (fun r => r)). change (Expect (reward x a) (fun r => r)) with s.
      unfold d. fold s. ring.
    - intro r. unfold d. fold s. ring.
  Qed.
  Lemma mean_unit x a : 0 <= mean_reward x a <= 1.
  Proof using HR HR01.
    unfold mean_reward. destruct (HR x a) as [H0 H1]. split.
    - rewrite <- (Expect_const (reward x a) 0) by apply HR. apply Expect_le_on_support; [exact H0|].
      eapply Forall_impl; [|apply HR01]. intros [w r] H. apply H.
    - rewrite <- H1. apply Expect_le_on_support; [exact H0|].
      eapply Forall_impl; [|apply HR01]. intros [w r] H. apply H.
  Qed.
  (** E l^2 = D^4 + 4 D^2 Var(r) <= (4/3) D^2 in one cell *)
  Lemma cell_second x a : 0 <= f x a <= 1 ->
    Expect (reward x a) (fun r => excess_loss (x, a, r) ^ 2) <= 4 / 3 * (f x a - mean_reward x a) ^ 2.
  Proof using HR HR01.
    intro Hf. pose proof (mean_unit x a) as Hs. simpl excess_loss.
    set (s := mean_reward x a) in *. set (d := f x a - s).
    (* l^2 = (2 d (s - r) + d^2)^2, linear in r after r^2 <= r *)
    apply Rle_trans with (Expect (reward x a) (fun r => (d ^ 4 + 4 * d ^ 3 * s + 4 * d ^ 2 * s ^ 2)
        + (4 * d ^ 2 - 8 * d ^ 2 * s - 4 * d ^ 3) * r)).
    - apply Expect_le_on_support; [apply HR|]. eapply Forall_impl; [|apply HR01]. intros [w r] Hr. cbn [snd] in Hr |- *.
      assert (0 <= d ^ 2) by apply pow2_ge_0.
      assert (E : ((f x a - r) ^ 2 - (s - r) ^ 2) ^ 2 = (d ^ 4 + 4 * d ^ 3 * s + 4 * d ^ 2 * s ^ 2)
        + (4 * d ^ 2 - 8 * d ^ 2 * s - 4 * d ^ 3) * r - 4 * d ^ 2 * (r - r ^ 2)) by (unfold d; ring).
      assert (0 <= r - r ^ 2) by nra.
      apply Rle_trans with (((f x a - r) ^ 2 - (s - r) ^ 2) ^ 2); [right; reflexivity|]. rewrite E. nra.
    - rewrite (Expect_plus _ (fun _ => d ^ 4 + 4 * d ^ 3 * s + 4 * d ^ 2 * s ^ 2)), (Expect_const _ _ (HR x a)).
      rewrite (Expect_scal _ (4 * d ^ 2 - 8 * d ^ 2 * s - 4 * d ^ 3) (fun r => r)).
      change (Expect (reward x a) (fun r => r)) with s.
      replace (d ^ 4 + 4 * d ^ 3 * s + 4 * d ^ 2 * s ^ 2 + (4 * d ^ 2 - 8 * d ^ 2 * s - 4 * d ^ 3) * s)
        with (d ^ 2 * (d ^ 2 + 4 * (s * (1 - s)))) by ring.
      rewrite (Rmult_comm (4 / 3)). apply Rmult_le_compat_l; [apply pow2_ge_0|].
      apply variance_cell; [exact Hs | unfold d; lra].
  Qed.

  (** lem:finite_var, mean:  E l(f) = E_{x,a} [(f - fstar)^2]. *)
  Theorem lem_finite_var_mean :
    Expect sample_law excess_loss = sum X (fun x => D x * sum K (fun a => p x a * (f x a - mean_reward x a) ^ 2)).
  Proof using HR.
    rewrite Expect_sample. apply sum_ext. intros x _. f_equal. apply sum_ext. intros a _. f_equal. apply cell_mean.
  Qed.

  Lemma sample_distribution : distribution sample_law.
  Proof using HD0 HD1 Hp0 Hp1 HR.
    split.
    - unfold sample_law, finite_law.
      assert (G : forall xs, (forall x, In x xs -> (x < X)%nat) -> Forall (fun pw => 0 <= fst pw)
        (bind (map (fun i => (D i, i)) xs) (fun x => bind (map (fun i => (p x i, i)) (seq 0 K))
          (fun a => bind (reward x a) (fun r => dirac (x, a, r)))))).
      { induction xs as [|x xs IH]; intro Hxs; simpl; [constructor|]. apply Forall_app. split; [|apply IH; auto with datatypes].
        apply Forall_map. eapply Forall_impl.
        2:{ apply (distribution_bind (finite_law K (p x)) (fun a => bind (reward x a) (fun r => dirac (x, a, r)))).
            - apply distribution_finite_law; [intros a Ha; apply Hp0; [apply Hxs; left; reflexivity|exact Ha] | apply Hp1].
            - intro a. apply distribution_bind; [apply HR|]. intro r. apply distribution_dirac. }
        intros [w z] Hw. simpl in *. apply Rmult_le_pos; [|exact Hw]. apply HD0, Hxs. left. reflexivity. }
      apply G. intros x Hx. apply in_seq in Hx. lia.
    - rewrite Expect_sample. transitivity (sum X D); [|exact HD1]. apply sum_ext. intros x _.
      rewrite (sum_ext K _ (p x)); [rewrite Hp1; ring|]. intros a _.
      rewrite (Expect_const _ 1 (HR x a)). ring.
  Qed.

  Hypothesis Hf : forall x a, (x < X)%nat -> (a < K)%nat -> 0 <= f x a <= 1.

  (** lem:finite_var, sharpened:  Var l(f) <= (4/3) E l(f). *)
  Theorem lem_finite_var_sharpened :
    variance sample_law excess_loss <= sharpened_variance_constant * Expect sample_law excess_loss.
  Proof using HD0 HD1 Hp0 Hp1 HR HR01 Hf.
    rewrite variance_moments by exact sample_distribution.
    assert (H2 : 0 <= Expect sample_law excess_loss ^ 2) by apply pow2_ge_0.
    apply Rle_trans with (Expect sample_law (fun z => excess_loss z ^ 2)); [lra|].
    rewrite lem_finite_var_mean, Expect_sample. unfold sharpened_variance_constant. rewrite <- sum_scal.
    apply sum_le. intros x Hx.
    replace (4 / 3 * (D x * sum K (fun a => p x a * (f x a - mean_reward x a) ^ 2)))
      with (D x * (4 / 3 * sum K (fun a => p x a * (f x a - mean_reward x a) ^ 2))) by ring.
    apply Rmult_le_compat_l; [apply HD0; exact Hx|]. rewrite <- sum_scal. apply sum_le. intros a Ha.
    replace (4 / 3 * (p x a * (f x a - mean_reward x a) ^ 2))
      with (p x a * (4 / 3 * (f x a - mean_reward x a) ^ 2)) by ring.
    apply Rmult_le_compat_l; [apply Hp0; assumption|]. apply cell_second. apply Hf; assumption.
  Qed.

  (** lem:finite_var, repaired (f in [0,1]):  Var l(f) <= 4 E l(f). *)
  Theorem lem_finite_var_repaired :
    variance sample_law excess_loss <= printed_variance_constant * Expect sample_law excess_loss.
  Proof using HD0 HD1 Hp0 Hp1 HR HR01 Hf.
    eapply Rle_trans; [apply lem_finite_var_sharpened|]. apply Rmult_le_compat_r.
    - rewrite lem_finite_var_mean. apply sum_nonneg. intros x Hx. apply Rmult_le_pos; [apply HD0; exact Hx|].
      apply sum_nonneg. intros a Ha. apply Rmult_le_pos; [apply Hp0; assumption | apply pow2_ge_0].
    - unfold sharpened_variance_constant, printed_variance_constant. lra.
  Qed.
End FiniteVariance.

(** 4/3 is sharp: two contexts of probability 1 - w and w, one arm; f = fstar in the first; in the second fstar = 1/3,
    f = 1, r Bernoulli(1/3), so D = 2/3.  Then E l = 4w/9 and Var l = 16w/27 - 16w^2/81, a ratio of 4/3 - 4w/9. *)
Theorem lem_finite_var_sharp w : 0 < w <= 1 ->
  let law := sample_law 2 1 (fun x => if Nat.eq_dec x 0 then 1 - w else w) (fun _ _ => 1)
               (fun _ _ => [(2 / 3, 0); (1 / 3, 1)]) in
  let l := excess_loss (fun _ _ => [(2 / 3, 0); (1 / 3, 1)]) (fun x _ => if Nat.eq_dec x 0 then 1 / 3 else 1) in
  variance law l = (4 / 3 - 4 / 9 * w) * Expect law l /\ 0 < Expect law l.
Proof.
  intros Hw law l. unfold variance, law, l.
  rewrite !Expect_sample. unfold excess_loss, mean_reward. simpl. split; [field|lra].
Qed.
