(** * Finite sums and the greedy arm

    Everything in this development is a finite sum.  Contexts of agent [m] are the
    numbers [x < X m], its arms the numbers [a < K m], so that an expectation over
    contexts or arms is [sum n f], read  sum_{i < n} f(i).                          *)
From Coq Require Import Reals Lra Lia Psatz List Arith.
Import ListNotations.
Open Scope R_scope.

(** ** Sums over [i < n] *)

Fixpoint sum (n : nat) (f : nat -> R) : R :=
  match n with O => 0 | S k => sum k f + f k end.

Lemma sum_ext n f g : (forall i, (i < n)%nat -> f i = g i) -> sum n f = sum n g.
Proof.
  induction n as [|n IH]; intro H; [reflexivity|]. simpl.
  rewrite IH by (intros; apply H; lia). rewrite (H n) by lia. reflexivity.
Qed.

Lemma sum_le n f g : (forall i, (i < n)%nat -> f i <= g i) -> sum n f <= sum n g.
Proof.
  induction n as [|n IH]; intro H; [simpl; lra|]. simpl.
  assert (sum n f <= sum n g) by (apply IH; intros; apply H; lia).
  assert (f n <= g n) by (apply H; lia). lra.
Qed.

Lemma sum_plus n f g : sum n (fun i => f i + g i) = sum n f + sum n g.
Proof. induction n as [|n IH]; simpl; [lra|]. rewrite IH. lra. Qed.

Lemma sum_scal n k f : sum n (fun i => k * f i) = k * sum n f.
Proof. induction n as [|n IH]; simpl; [lra|]. rewrite IH. lra. Qed.

Lemma sum_const n k : sum n (fun _ => k) = INR n * k.
Proof.
  induction n as [|n IH]; [simpl; lra|].
  change (sum (S n) (fun _ => k)) with (sum n (fun _ => k) + k).
  rewrite IH, S_INR. lra.
Qed.

Lemma sum_zero n : sum n (fun _ => 0) = 0.
Proof. rewrite sum_const. lra. Qed.

Lemma sum_nonneg n f : (forall i, (i < n)%nat -> 0 <= f i) -> 0 <= sum n f.
Proof. intro H. rewrite <- (sum_zero n). apply sum_le. exact H. Qed.

Lemma sum_minus n f g : sum n (fun i => f i - g i) = sum n f - sum n g.
Proof. induction n as [|n IH]; simpl; [lra|]. rewrite IH. lra. Qed.

(** Picking one entry, and bounding one or two entries by a non-negative sum. *)
Lemma sum_delta n j f : (j < n)%nat ->
  sum n (fun i => if Nat.eq_dec i j then f i else 0) = f j.
Proof.
  induction n as [|n IH]; intro H; [lia|]. simpl.
  destruct (Nat.eq_dec n j) as [->|Hn].
  - rewrite (sum_ext j _ (fun _ => 0)); [rewrite sum_zero; lra|].
    intros i Hi. destruct (Nat.eq_dec i j); [lia|reflexivity].
  - rewrite IH by lia. lra.
Qed.

Lemma sum_ge_one n f j : (forall i, (i < n)%nat -> 0 <= f i) -> (j < n)%nat -> f j <= sum n f.
Proof.
  intros H Hj. rewrite <- (sum_delta n j f Hj). apply sum_le. intros i Hi.
  destruct (Nat.eq_dec i j); [lra| apply H; exact Hi].
Qed.

Lemma sum_ge_two n f j k : (forall i, (i < n)%nat -> 0 <= f i) ->
  (j < n)%nat -> (k < n)%nat -> j <> k -> f j + f k <= sum n f.
Proof.
  intros H Hj Hk Hjk. rewrite <- (sum_delta n j f Hj), <- (sum_delta n k f Hk), <- sum_plus.
  apply sum_le. intros i Hi. specialize (H i Hi).
  destruct (Nat.eq_dec i j); destruct (Nat.eq_dec i k); subst; try lia; lra.
Qed.

(** Products and exchange of sums. *)
Lemma sum_sum_scal n m f g :
  sum n f * sum m g = sum n (fun i => sum m (fun j => f i * g j)).
Proof.
  rewrite Rmult_comm, <- sum_scal. apply sum_ext. intros i _.
  rewrite sum_scal. lra.
Qed.

Lemma sum_swap n m (f : nat -> nat -> R) :
  sum n (fun i => sum m (fun j => f i j)) = sum m (fun j => sum n (fun i => f i j)).
Proof.
  induction n as [|n IH]; simpl; [rewrite sum_zero; reflexivity|].
  rewrite IH, <- sum_plus. reflexivity.
Qed.
(** Cauchy-Schwarz:  (sum u v)^2 <= (sum u^2) (sum v^2). *)
Lemma cauchy_schwarz n (u v : nat -> R) :
  sum n (fun i => u i * v i) ^ 2 <= sum n (fun i => u i ^ 2) * sum n (fun i => v i ^ 2).
Proof.
  set (a := sum n (fun i => u i ^ 2)). set (b := sum n (fun i => u i * v i)).
  set (d := sum n (fun i => v i ^ 2)).
  assert (Q : forall t s, 0 <= t ^ 2 * a - 2 * t * s * b + s ^ 2 * d).
  { intros t s. unfold a, b, d. rewrite <- !sum_scal, <- sum_minus, <- sum_plus.
    apply sum_nonneg. intros i _.
    replace (t ^ 2 * u i ^ 2 - 2 * t * s * (u i * v i) + s ^ 2 * v i ^ 2)
      with ((t * u i - s * v i) ^ 2) by ring. apply pow2_ge_0. }
  assert (Ha : 0 <= a) by (apply sum_nonneg; intros; apply pow2_ge_0).
  destruct (Req_dec a 0) as [H0|Hn].
  - pose proof (Q (b * (d + 1)) (b ^ 2)) as H. rewrite H0 in *.
    assert (Hd : 0 <= d) by (apply sum_nonneg; intros; apply pow2_ge_0).
    destruct (Req_dec b 0) as [->|Hb]; [lra|].
    assert (0 < b ^ 2) by nra. assert (0 < b ^ 4) by (replace (b ^ 4) with (b ^ 2 * b ^ 2) by ring; nra).
    replace ((b * (d + 1)) ^ 2 * 0 - 2 * (b * (d + 1)) * b ^ 2 * b + (b ^ 2) ^ 2 * d)
      with (- (b ^ 4 * (d + 2))) in H by ring. nra.
  - pose proof (Q b a) as H.
    replace (b ^ 2 * a - 2 * b * a * b + a ^ 2 * d) with (a * (a * d - b ^ 2)) in H by ring.
    assert (0 < a) by lra. nra.
Qed.

(** ** The greedy arm: argmax over [a < n], lowest index on ties *)

(** [argmax n f] is the first maximiser of f below n. *)
Fixpoint argmax (n : nat) (f : nat -> R) : nat :=
  match n with
  | O => O
  | S k => let b := argmax k f in if Rlt_dec (f b) (f k) then k else b
  end.

Lemma argmax_lt n f : (1 <= n)%nat -> (argmax n f < n)%nat.
Proof.
  induction n as [|n IH]; intro H; [lia|]. simpl.
  destruct (Rlt_dec (f (argmax n f)) (f n)); [lia|].
  destruct n as [|n]; [simpl; lia|]. specialize (IH ltac:(lia)). lia.
Qed.

Lemma argmax_ge n f a : (a < n)%nat -> f a <= f (argmax n f).
Proof.
  induction n as [|n IH]; intro H; [lia|]. simpl.
  destruct (Rlt_dec (f (argmax n f)) (f n)) as [Hl|Hl].
  - destruct (Nat.eq_dec a n) as [->|]; [lra|]. specialize (IH ltac:(lia)). lra.
  - destruct (Nat.eq_dec a n) as [->|]; [lra|]. apply IH. lia.
Qed.

Lemma argmax_first n f a : (a < argmax n f)%nat -> f a < f (argmax n f).
Proof.
  induction n as [|n IH]; simpl; intro H; [lia|].
  destruct (Rlt_dec (f (argmax n f)) (f n)) as [Hl|Hl].
  - assert (f a <= f (argmax n f)) by (apply argmax_ge; exact H). lra.
  - apply IH. exact H.
Qed.

(** gap K f a = max_b f(b) - f(a): the (pointwise) regret of arm a under f. *)
Definition gap (K : nat) (f : nat -> R) (a : nat) : R := f (argmax K f) - f a.

Lemma gap_nonneg K f a : (a < K)%nat -> 0 <= gap K f a.
Proof. intro H. unfold gap. pose proof (argmax_ge K f a H). lra. Qed.
Lemma gap_best K f : gap K f (argmax K f) = 0.
Proof. unfold gap. lra. Qed.
