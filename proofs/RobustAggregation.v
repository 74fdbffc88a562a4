(** * Robust aggregation: how far f lying agents of M can move the aggregate

    M agents send vectors x_0, ..., x_{M-1}; N = M - f of them are honest, the others may send anything and may know what the honest
    ones send.  z is the mean of the honest vectors, v the mean of their squared distances from z.  A rule A is (f, kappa)-robust if

        |A(x) - z|^2 <= kappa v          whatever is sent, whoever is honest.

    Main results, in any dimension and for 2 f < M:
    [trimmed_mean_robust]   kappa = f/(M - 2f), drop the f smallest and the f largest in every coordinate
    [median_robust]         kappa = (ceil(M/2) - 1)/(floor(M/2) + 1 - f), the median of every coordinate.
    GeometricMedian.v has the geometric median, RobustWitnesses.v that no rule does better.

    The idea: sums of k of N numbers with mean zero are small, (sum_R x)^2 <= k (N - k) v, and a sorted list lies between its k
    smallest and its k largest honest values.                                                                                    *)
From Coq Require Import Reals Lra Lia Psatz List Arith Permutation.
From FedIGW Require Import FiniteSums AcceleratedGradient RidgeExcessRisk.
Import ListNotations.
Open Scope R_scope.

(** ** The rules, and what is asked of them *)

(** 1 for the agents in the set h, 0 for the others *)
Definition among (h : nat -> bool) (i : nat) : R := if h i then 1 else 0.
(** how many of the agents i < n are in the set h *)
Fixpoint count (n : nat) (h : nat -> bool) : nat :=
  match n with O => O | S k => (count k h + if h k then 1 else 0)%nat end.

Lemma count_le n h : (count n h <= n)%nat.
Proof. induction n as [|n IH]; simpl; [lia|]. destruct (h n); lia. Qed.
Lemma count_more n j h : (count n h <= count (n + j) h <= count n h + j)%nat.
Proof.
  induction j as [|j IH]; [rewrite Nat.add_0_r; lia|]. rewrite Nat.add_succ_r. cbn [count]. destruct (h (n + j)%nat); lia.
Qed.
Lemma sum_among n h : sum n (among h) = INR (count n h).
Proof.
  induction n as [|n IH]; [reflexivity|]. simpl sum. simpl count. rewrite IH, plus_INR. unfold among. destruct (h n); simpl; lra.
Qed.

(** mean of the honest messages, coordinate j;  mean squared distance from it *)
Definition honest_mean (M : nat) (h : nat -> bool) (x : nat -> vector) : vector :=
  fun j => sum M (fun i => among h i * x i j) / INR (count M h).
Definition honest_spread (M d : nat) (h : nat -> bool) (x : nat -> vector) : R :=
  sum M (fun i => among h i * square_norm d (minus (x i) (honest_mean M h x))) / INR (count M h).
(** A is (f, kappa)-robust: every M - f of the agents may be the honest ones *)
Definition robust (M f d : nat) (A : (nat -> vector) -> vector) (kappa : R) : Prop :=
  forall x h, count M h = (M - f)%nat ->
    square_norm d (minus (A x) (honest_mean M h x)) <= kappa * honest_spread M d h x.

(** The agents sorted by what they send (insertion sort): [ranked M y k] is the (k+1)-st smallest of y_0, ..., y_{M-1}. *)
Fixpoint insert_agent (y : nat -> R) (i : nat) (sorted : list nat) : list nat :=
  match sorted with nil => [i] | j :: rest => if Rle_dec (y i) (y j) then i :: sorted else j :: insert_agent y i rest end.
Fixpoint sorted_agents (y : nat -> R) (M : nat) : list nat :=
  match M with O => nil | S k => insert_agent y k (sorted_agents y k) end.
Definition ranked (M : nat) (y : nat -> R) (k : nat) : R := y (nth k (sorted_agents y M) 0%nat).

(** the mean of what is left without the f smallest and the f largest; the middle value, or the mean of the two middle values *)
Definition trimmed_mean (M f : nat) (y : nat -> R) : R :=
  sum (M - 2 * f) (fun i => ranked M y (f + i)) / INR (M - 2 * f).
Definition median (M : nat) (y : nat -> R) : R :=
  (ranked M y (Nat.div2 (M - 1)) + ranked M y (Nat.div2 M)) / 2.
(** the same rule in every coordinate *)
Definition coordinatewise (rule : (nat -> R) -> R) (x : nat -> vector) : vector := fun j => rule (fun i => x i j).

(** ** Sorting *)
Section Sorting.
  Variable y : nat -> R.
  Definition ascending (l : list nat) : Prop := forall i j, (i <= j < length l)%nat -> y (nth i l 0%nat) <= y (nth j l 0%nat).

  Lemma place_permutes i l : Permutation (i :: l) (insert_agent y i l).
  Proof.
    induction l as [|j l IH]; simpl; [reflexivity|]. destruct (Rle_dec (y i) (y j)); [reflexivity|].
    rewrite perm_swap. constructor. exact IH.
  Qed.
  Lemma sorted_permutes M : Permutation (seq 0 M) (sorted_agents y M).
  Proof.
    induction M as [|M IH]; [constructor|]. rewrite seq_S. simpl sorted_agents. rewrite <- place_permutes, <- IH.
    symmetry. apply Permutation_cons_append.
  Qed.
  Lemma ascending_head j l : ascending (j :: l) -> ascending l /\ forall k, (k < length l)%nat -> y j <= y (nth k l 0%nat).
  Proof.
    intro H. split.
    - intros a b Hab. apply (H (S a) (S b)). simpl. lia.
    - intros k Hk. apply (H 0%nat (S k)). simpl. lia.
  Qed.
  Lemma ascending_cons j l : ascending l -> (forall k, (k < length l)%nat -> y j <= y (nth k l 0%nat)) -> ascending (j :: l).
  Proof.
    intros H0 H1 a b Hab. destruct a as [|a]; destruct b as [|b]; simpl in *; try lia; try lra.
    - apply H1. lia.
    - apply H0. lia.
  Qed.
  Lemma place_ascending i l : ascending l -> ascending (insert_agent y i l).
  Proof.
    induction l as [|j l IH]; intro H.
    - intros a b Hab. simpl in *. replace a with b by lia. lra.
    - simpl. destruct (ascending_head j l H) as [H0 H1]. destruct (Rle_dec (y i) (y j)) as [Hij|Hij].
      + apply ascending_cons; [exact H|]. intros [|k] Hk; simpl in *; [exact Hij|]. pose proof (H1 k ltac:(lia)). lra.
      + apply ascending_cons; [apply IH, H0|]. intros k Hk.
        assert (Hin : In (nth k (insert_agent y i l) 0%nat) (i :: l)).
        { apply (Permutation_in _ (Permutation_sym (place_permutes i l))). apply nth_In. exact Hk. }
        destruct Hin as [<-|Hin]; [lra|]. apply (In_nth _ _ 0%nat) in Hin. destruct Hin as [k' [Hk' <-]]. apply H1, Hk'.
  Qed.
  Lemma sorted_ascending M : ascending (sorted_agents y M).
  Proof. induction M as [|M IH]; [intros i j H; simpl in H; lia|]. simpl. apply place_ascending, IH. Qed.

  (** Sums may be taken in the sorted order. *)
  Fixpoint list_sum (l : list nat) (g : nat -> R) : R := match l with nil => 0 | i :: l' => g i + list_sum l' g end.
  Lemma list_sum_app l l' g : list_sum (l ++ l') g = list_sum l g + list_sum l' g.
  Proof. induction l as [|i l IH]; simpl; [lra|]. rewrite IH. lra. Qed.
  Lemma list_sum_permutes l l' g : Permutation l l' -> list_sum l g = list_sum l' g.
  Proof. induction 1; simpl; lra. Qed.
  Lemma list_sum_seq n g : list_sum (seq 0 n) g = sum n g.
  Proof. induction n as [|n IH]; [reflexivity|]. rewrite seq_S, list_sum_app, IH. simpl. lra. Qed.
  Lemma list_sum_nth l g : list_sum l g = sum (length l) (fun k => g (nth k l 0%nat)).
  Proof.
    induction l as [|i l IH] using rev_ind; [reflexivity|].
    rewrite list_sum_app, IH, app_length. simpl. replace (length l + 1)%nat with (S (length l)) by lia. simpl sum.
    rewrite nth_middle. f_equal; [|lra]. apply sum_ext. intros k Hk. rewrite app_nth1 by exact Hk. reflexivity.
  Qed.
  Lemma sorted_length M : length (sorted_agents y M) = M.
  Proof. rewrite <- (Permutation_length (sorted_permutes M)). apply seq_length. Qed.
  Lemma sum_sorted M g : sum M (fun k => g (nth k (sorted_agents y M) 0%nat)) = sum M g.
  Proof.
    rewrite <- (list_sum_seq M g), (list_sum_permutes _ _ g (sorted_permutes M)), list_sum_nth, sorted_length. reflexivity.
  Qed.
  Lemma ranked_ascending M i j : (i <= j < M)%nat -> ranked M y i <= ranked M y j.
  Proof. intro H. apply (sorted_ascending M). rewrite sorted_length. exact H. Qed.
End Sorting.

(** ** Sums of k of N numbers, and sums of a sorted list *)

(** Weights whose partial sums are never positive and whose total is zero prefer the large values (summation by parts). *)
Lemma late_weights M (y w : nat -> R) : (forall i j, (i <= j < M)%nat -> y i <= y j) ->
  (forall n, (n <= M)%nat -> sum n w <= 0) -> sum M w = 0 -> 0 <= sum M (fun i => w i * y i).
Proof.
  intros Hy Hw H0.
  assert (F : forall n, (S n <= M)%nat -> sum (S n) w * y n <= sum (S n) (fun i => w i * y i)).
  { induction n as [|n IH]; intro Hn; [simpl; lra|]. specialize (IH ltac:(lia)).
    change (sum (S (S n)) (fun i => w i * y i)) with (sum (S n) (fun i => w i * y i) + w (S n) * y (S n)).
    change (sum (S (S n)) w) with (sum (S n) w + w (S n)).
    pose proof (Hw (S n) ltac:(lia)) as H1. pose proof (Hy n (S n) ltac:(lia)) as H2. nra. }
  destruct M as [|M]; [simpl; lra|]. pose proof (F M (le_n _)) as H. rewrite H0 in H. lra.
Qed.

(** Subset lemma: numbers with mean zero in the set h, R (here: chosen) a part of h: (sum_R x)^2 <= |R| (|h| - |R|) v. *)
Section Subset.
  Variables (M : nat) (h chosen : nat -> bool) (x : nat -> R) (v : R).
  Hypothesis part : forall i, chosen i = true -> h i = true.
  Hypothesis zero_mean : sum M (fun i => among h i * x i) = 0.
  Hypothesis squares : sum M (fun i => among h i * x i ^ 2) = INR (count M h) * v.
  Let N := INR (count M h).
  Let k := INR (count M chosen).
  Theorem subset_sum : sum M (fun i => among chosen i * x i) ^ 2 <= k * (N - k) * v.
  Proof.
    destruct (Nat.eq_dec (count M h) 0) as [H0|Hn].
    { assert (Hle : (count M chosen <= count M h)%nat).
      { clear -part. induction M as [|n IH]; simpl; [lia|]. pose proof (part n). destruct (chosen n), (h n); lia. }
      assert (Hk : k = 0) by (unfold k; replace (count M chosen) with 0%nat by lia; reflexivity).
      rewrite Hk, Rmult_0_l, Rmult_0_l.
      assert (E : sum M (fun i => among chosen i * x i) = 0).
      { rewrite <- (sum_zero M). apply sum_ext. intros i Hi.
        assert (H1 : among chosen i <= sum M (among chosen)).
        { apply sum_ge_one; [|exact Hi]. intros j _. unfold among. destruct (chosen j); lra. }
        rewrite sum_among in H1. fold k in H1. rewrite Hk in H1. unfold among in *. destruct (chosen i); lra. }
      rewrite E. lra. }
    assert (HN : 0 < N) by (apply lt_0_INR; lia).
    pose proof (cauchy_schwarz M (fun i => among chosen i - k / N * among h i) (fun i => among h i * x i)) as H.
    rewrite (sum_ext M _ (fun i => among chosen i * x i - k / N * (among h i * x i))) in H.
    2:{ intros i _. pose proof (part i). unfold among. destruct (chosen i), (h i); try ring. discriminate (H0 eq_refl). }
    rewrite sum_minus, sum_scal, zero_mean in H.
    rewrite (sum_ext M (fun i => (among chosen i - k / N * among h i) ^ 2)
      (fun i => among chosen i + (- (2 * (k / N)) * among chosen i + (k / N) ^ 2 * among h i))) in H.
    2:{ intros i _. pose proof (part i). unfold among. destruct (chosen i), (h i); try ring. discriminate (H0 eq_refl). }
    rewrite !sum_plus, !sum_scal, !sum_among in H. fold N k in H.
    rewrite (sum_ext M (fun i => (among h i * x i) ^ 2) (fun i => among h i * x i ^ 2)) in H
      by (intros i _; unfold among; destruct (h i); ring).
    rewrite squares in H. fold N in H.
    replace (k * (N - k) * v) with ((k + (- (2 * (k / N)) * k + (k / N) ^ 2 * N)) * (N * v)) by (field; lra).
    rewrite Rmult_0_r, Rminus_0_r in H. exact H.
  Qed.
End Subset.

(** A sorted list with flags h.  [between lo hi i]: i is in h, and of the members before it there are at least lo and fewer than hi. *)
Section Ranks.
  Variables (M : nat) (h : nat -> bool) (y : nat -> R).
  Hypothesis ascending : forall i j, (i <= j < M)%nat -> y i <= y j.
  Let N := count M h.
  Definition between (lo hi i : nat) : bool := (h i && (lo <=? count i h) && (count i h <? hi))%bool.
  Lemma between_part lo hi i : between lo hi i = true -> h i = true.
  Proof. unfold between. destruct (h i); simpl; [reflexivity|discriminate]. Qed.
  Lemma count_between lo hi n : (lo <= hi)%nat -> count n (between lo hi) = (Nat.min (count n h) hi - lo)%nat.
  Proof.
    intro Hlo. induction n as [|n IH]; [simpl; lia|]. cbn [count]. rewrite IH. unfold between at 1.
    destruct (h n); cbn [andb]; [|rewrite !Nat.add_0_r; reflexivity].
    destruct (Nat.leb_spec lo (count n h)); destruct (Nat.ltb_spec (count n h) hi); cbn [andb]; lia.
  Qed.
  Lemma count_grows n : (n <= M)%nat -> (count n h <= N <= count n h + (M - n))%nat.
  Proof. intro Hn. unfold N. replace M with (n + (M - n))%nat at 1 2 by lia. apply count_more. Qed.

  (** Weights a of total k whose partial sums are between those of the k smallest and the k largest of h. *)
  Variables (a : nat -> R) (k : nat).
  Hypothesis Hk : (k <= N)%nat.
  Hypothesis total : sum M a = INR k.
  Lemma above_the_smallest : (forall n, (n <= M)%nat -> sum n a <= INR (Nat.min (count n h) k)) ->
    sum M (fun i => among (between 0 k) i * y i) <= sum M (fun i => a i * y i).
  Proof.
    intro H. assert (F : 0 <= sum M (fun i => (a i - among (between 0 k) i) * y i)).
    { apply (late_weights M y (fun i => a i - among (between 0 k) i) ascending).
      - intros n Hn. rewrite sum_minus, sum_among, count_between by lia. rewrite Nat.sub_0_r. specialize (H n Hn). lra.
      - rewrite sum_minus, sum_among, count_between, total by lia. fold N. replace (Nat.min N k - 0)%nat with k by lia. lra. }
    rewrite (sum_ext M _ (fun i => a i * y i - among (between 0 k) i * y i)) in F by (intros; ring).
    rewrite sum_minus in F. lra.
  Qed.
  Lemma below_the_largest : (forall n, (n <= M)%nat -> INR (count n h - (N - k)) <= sum n a) ->
    sum M (fun i => a i * y i) <= sum M (fun i => among (between (N - k) N) i * y i).
  Proof.
    intro H. assert (F : 0 <= sum M (fun i => (among (between (N - k) N) i - a i) * y i)).
    { apply (late_weights M y (fun i => among (between (N - k) N) i - a i) ascending).
      - intros n Hn. rewrite sum_minus, sum_among, count_between by lia. specialize (H n Hn).
        pose proof (count_grows n Hn) as HcN.
        replace (Nat.min (count n h) N - (N - k))%nat with (count n h - (N - k))%nat by lia. lra.
      - rewrite sum_minus, sum_among, count_between, total by lia. fold N. replace (Nat.min N N - (N - k))%nat with k by lia. lra. }
    rewrite (sum_ext M _ (fun i => among (between (N - k) N) i * y i - a i * y i)) in F by (intros; ring).
    rewrite sum_minus in F. lra.
  Qed.

  (** So such a weighted sum is as close to the mean of h as sums of k members can be. *)
  Theorem weighted_ranks v : sum M (fun i => among h i * y i) = 0 -> sum M (fun i => among h i * y i ^ 2) = INR N * v ->
    (forall n, (n <= M)%nat -> INR (count n h - (N - k)) <= sum n a <= INR (Nat.min (count n h) k)) ->
    sum M (fun i => a i * y i) ^ 2 <= INR k * INR (N - k) * v.
  Proof.
    intros Hz Hv Hn.
    pose proof (above_the_smallest (fun n Hn' => proj2 (Hn n Hn'))) as H1. pose proof (below_the_largest (fun n Hn' => proj1 (Hn n Hn'))) as H2.
    pose proof (subset_sum M h (between 0 k) y v (between_part 0 k) Hz Hv) as S1.
    pose proof (subset_sum M h (between (N - k) N) y v (between_part (N - k) N) Hz Hv) as S2.
    rewrite count_between in S1, S2 by lia. fold N in S1, S2. replace (Nat.min N k - 0)%nat with k in S1 by lia.
    replace (Nat.min N N - (N - k))%nat with k in S2 by lia. rewrite <- minus_INR in S1, S2 by lia.
    set (t := sum M (fun i => a i * y i)) in *. set (s := sum M (fun i => among (between 0 k) i * y i)) in *.
    set (s' := sum M (fun i => among (between (N - k) N) i * y i)) in *.
    destruct (Rle_lt_dec 0 t); nra.
  Qed.
End Ranks.

(** ** One coordinate: mean and spread of the members of h *)
Definition mean_of (M : nat) (h : nat -> bool) (y : nat -> R) : R := sum M (fun i => among h i * y i) / INR (count M h).
Definition spread_of (M : nat) (h : nat -> bool) (y : nat -> R) : R :=
  sum M (fun i => among h i * (y i - mean_of M h y) ^ 2) / INR (count M h).
Lemma honest_spread_by_coordinates M d h x : honest_spread M d h x = sum d (fun j => spread_of M h (fun i => x i j)).
Proof.
  unfold honest_spread, spread_of, square_norm, Rdiv. rewrite Rmult_comm, <- sum_scal.
  rewrite (sum_ext M _ (fun i => sum d (fun j => / INR (count M h) * (among h i * minus (x i) (honest_mean M h x) j ^ 2)))).
  - rewrite (sum_swap M d (fun i j => / INR (count M h) * (among h i * minus (x i) (honest_mean M h x) j ^ 2))).
    apply sum_ext. intros j _. rewrite sum_scal. apply Rmult_comm.
  - intros i _. rewrite !sum_scal. reflexivity.
Qed.
(** A rule that is good in every coordinate is robust. *)
Lemma robust_by_coordinates M f d rule kappa :
  (forall y h, count M h = (M - f)%nat -> (rule y - mean_of M h y) ^ 2 <= kappa * spread_of M h y) ->
  robust M f d (coordinatewise rule) kappa.
Proof.
  intros H x h Hh. rewrite honest_spread_by_coordinates, <- sum_scal. apply sum_le. intros j _. apply (H (fun i => x i j) h Hh).
Qed.

(** Weights on the sorted values: if every choice of N honest agents leaves them between the k smallest and the k largest ones. *)
Lemma weighted_ranks_robust M f y h a k : count M h = (M - f)%nat -> (1 <= k <= M - f)%nat -> sum M a = INR k ->
  (forall h', count M h' = (M - f)%nat -> forall n, (n <= M)%nat ->
    INR (count n h' - (M - f - k)) <= sum n a <= INR (Nat.min (count n h') k)) ->
  (sum M (fun i => a i * ranked M y i) / INR k - mean_of M h y) ^ 2 <= INR (M - f - k) / INR k * spread_of M h y.
Proof.
  intros Hh Hk Ha Hn. set (s := fun i => nth i (sorted_agents y M) 0%nat). set (z := mean_of M h y). set (v := spread_of M h y).
  assert (HN : 0 < INR (count M h)) by (apply lt_0_INR; lia). assert (Hk0 : 0 < INR k) by (apply lt_0_INR; lia).
  set (h' := fun i => h (s i)).
  assert (Hh' : count M h' = (M - f)%nat).
  { rewrite <- Hh. apply INR_eq. rewrite <- !sum_among. apply (sum_sorted y M (among h)). }
  assert (Hz : sum M (fun i => among h' i * (ranked M y i - z)) = 0).
  { transitivity (sum M (fun i => among h i * y i - z * among h i)).
    - rewrite <- (sum_sorted y M (fun i => among h i * y i - z * among h i)). apply sum_ext. intros i _.
      unfold ranked, among, h', s. ring.
    - rewrite sum_minus, sum_scal, sum_among. unfold z, mean_of. field. lra. }
  assert (Hv : sum M (fun i => among h' i * (ranked M y i - z) ^ 2) = INR (count M h') * v).
  { transitivity (sum M (fun i => among h i * (y i - z) ^ 2)); [apply (sum_sorted y M (fun i => among h i * (y i - z) ^ 2))|].
    rewrite Hh', <- Hh. unfold v, spread_of. fold z. field. lra. }
  pose proof (weighted_ranks M h' (fun i => ranked M y i - z)) as H. specialize (H ltac:(intros i j Hij; pose proof (ranked_ascending y M i j Hij); lra)).
  specialize (H a k). rewrite Hh' in H. specialize (H ltac:(lia) Ha v Hz). rewrite Hh' in Hv. specialize (H Hv (Hn h' Hh')).
  rewrite (sum_ext M _ (fun i => a i * ranked M y i - z * a i)) in H by (intros; ring).
  rewrite sum_minus, sum_scal, Ha in H. set (t := sum M (fun i => a i * ranked M y i)) in *.
  replace ((t / INR k - z) ^ 2) with (/ INR k * / INR k * (t - z * INR k) ^ 2) by (field; lra).
  replace (INR (M - f - k) / INR k * v) with (/ INR k * / INR k * (INR k * INR (M - f - k) * v)) by (field; lra).
  apply Rmult_le_compat_l; [|exact H]. pose proof (Rinv_0_lt_compat _ Hk0). nra.
Qed.

(** The agents lo <= i < hi. *)
Definition window (lo hi i : nat) : bool := ((lo <=? i) && (i <? hi))%bool.
Lemma sum_window n lo hi g : (lo <= hi)%nat -> sum n (fun i => among (window lo hi) i * g i) = sum (Nat.min n hi - lo) (fun i => g (lo + i)%nat).
Proof.
  intro Hlo. induction n as [|n IH]; [reflexivity|]. cbn [sum]. rewrite IH. unfold among, window.
  destruct (Nat.leb_spec lo n); destruct (Nat.ltb_spec n hi); cbn [andb].
  - replace (Nat.min (S n) hi - lo)%nat with (S (n - lo)) by lia. replace (Nat.min n hi - lo)%nat with (n - lo)%nat by lia.
    cbn [sum]. replace (lo + (n - lo))%nat with n by lia. lra.
  - replace (Nat.min (S n) hi) with (Nat.min n hi) by lia. lra.
  - replace (Nat.min (S n) hi - lo)%nat with (Nat.min n hi - lo)%nat by lia. lra.
  - lia.
Qed.
Lemma count_window n lo hi : (lo <= hi)%nat -> count n (window lo hi) = (Nat.min n hi - lo)%nat.
Proof.
  intro Hlo. apply INR_eq. rewrite <- sum_among. pose proof (sum_window n lo hi (fun _ => 1) Hlo) as H.
  cbv beta in H. rewrite sum_const, Rmult_1_r in H. rewrite <- H. apply sum_ext. intros; ring.
Qed.

(** ** The trimmed mean *)

(** f/(M - 2f) *)
Definition trimmed_kappa (M f : R) : R := f / (M - 2 * f).

(** The trimmed mean is robust with kappa = f/(M - 2f), in any dimension, for 2 f < M:
    |TM(x) - z|^2 <= f/(M - 2f) v. *)
Theorem trimmed_mean_robust M f d : (2 * f < M)%nat ->
  robust M f d (coordinatewise (trimmed_mean M f)) (trimmed_kappa (INR M) (INR f)).
Proof.
  intro Hf. apply robust_by_coordinates. intros y h Hh.
  pose proof (weighted_ranks_robust M f y h (among (window f (M - f))) (M - 2 * f) Hh ltac:(lia)) as H.
  rewrite sum_window in H by lia. replace (Nat.min M (M - f) - f)%nat with (M - 2 * f)%nat in H by lia.
  replace (M - f - (M - 2 * f))%nat with f in H by lia.
  replace (trimmed_kappa (INR M) (INR f)) with (INR f / INR (M - 2 * f)).
  2:{ unfold trimmed_kappa. rewrite minus_INR, mult_INR by lia. reflexivity. }
  apply H.
  - rewrite sum_among, count_window by lia. f_equal. lia.
  - intros h' Hh' n Hn. rewrite sum_among, count_window by lia. pose proof (count_grows M h' n Hn) as Hg. rewrite Hh' in Hg.
    pose proof (count_le n h'). split; apply le_INR; lia.
Qed.

(** ** The median of every coordinate *)

(** (ceil(M/2) - 1)/(floor(M/2) + 1 - f), half = floor(M/2) *)
Definition median_kappa (M f half : R) : R := (M - half - 1) / (half + 1 - f).

Lemma halves M : (1 <= M)%nat -> (Nat.div2 (M - 1) + Nat.div2 M + 1 = M /\ Nat.div2 (M - 1) <= Nat.div2 M <= Nat.div2 (M - 1) + 1)%nat.
Proof.
  intro HM. pose proof (Nat.div2_odd M) as H1. pose proof (Nat.div2_odd (M - 1)) as H2.
  destruct (Nat.odd M), (Nat.odd (M - 1)); cbn [Nat.b2n] in *; lia.
Qed.
Lemma sum_at n p (c : R) : sum n (fun i => if Nat.eq_dec i p then c else 0) = if le_lt_dec n p then 0 else c.
Proof.
  destruct (le_lt_dec n p) as [H|H]; [|apply (sum_delta n p (fun _ => c)); exact H].
  transitivity (sum n (fun _ => 0)); [|apply sum_zero]. apply sum_ext. intros i Hi. destruct (Nat.eq_dec i p); [lia|reflexivity].
Qed.

(** The median is robust with kappa = (ceil(M/2) - 1)/(floor(M/2) + 1 - f), in any dimension, for 2 f < M. *)
Theorem median_robust M f d : (2 * f < M)%nat ->
  robust M f d (coordinatewise (median M)) (median_kappa (INR M) (INR f) (INR (Nat.div2 M))).
Proof.
  intro Hf. apply robust_by_coordinates. intros y h Hh.
  destruct (halves M ltac:(lia)) as [Hpq Hpq']. set (p := Nat.div2 (M - 1)) in *. set (q := Nat.div2 M) in *. set (k := (q + 1 - f)%nat).
  assert (Hk0 : 0 < INR k) by (apply lt_0_INR; lia).
  set (a := fun i => (if Nat.eq_dec i p then INR k / 2 else 0) + (if Nat.eq_dec i q then INR k / 2 else 0)).
  assert (Ha : forall n, sum n a = (if le_lt_dec n p then 0 else INR k / 2) + (if le_lt_dec n q then 0 else INR k / 2)).
  { intro n. unfold a. rewrite sum_plus, !sum_at. reflexivity. }
  pose proof (weighted_ranks_robust M f y h a k Hh ltac:(lia)) as H.
  replace (M - f - k)%nat with p in H by lia.
  replace (sum M (fun i => a i * ranked M y i)) with (INR k * median M y) in H.
  2:{ unfold a. rewrite (sum_ext M _ (fun i => (if Nat.eq_dec i p then INR k / 2 * ranked M y i else 0)
        + (if Nat.eq_dec i q then INR k / 2 * ranked M y i else 0)))
        by (intros i _; destruct (Nat.eq_dec i p), (Nat.eq_dec i q); ring).
      rewrite sum_plus. rewrite (sum_delta M p (fun i => INR k / 2 * ranked M y i)) by lia.
      rewrite (sum_delta M q (fun i => INR k / 2 * ranked M y i)) by lia. unfold median. fold p q. field. }
  replace (INR k * median M y / INR k) with (median M y) in H by (field; lra).
  replace (median_kappa (INR M) (INR f) (INR q)) with (INR p / INR k).
  2:{ pose proof (f_equal INR Hpq) as HM. rewrite !plus_INR in HM. change (INR 1) with 1 in HM.
      assert (Hk : INR k = INR q + 1 - INR f) by (unfold k; rewrite minus_INR, plus_INR by lia; reflexivity).
      unfold median_kappa. rewrite <- Hk. replace (INR M - INR q - 1) with (INR p) by lra. reflexivity. }
  apply H.
  - rewrite Ha. destruct (le_lt_dec M p); [lia|]. destruct (le_lt_dec M q); [lia|]. field.
  - intros h' Hh' n Hn. rewrite Ha. pose proof (count_grows M h' n Hn) as Hg. rewrite Hh' in Hg. pose proof (count_le n h') as Hc.
    destruct (le_lt_dec n p) as [A|A]; destruct (le_lt_dec n q) as [B|B]; try lia.
    + replace (count n h' - p)%nat with 0%nat by lia. simpl INR. pose proof (pos_INR (Nat.min (count n h') k)). lra.
    + (* M even, n = M/2: one of the two middle values is counted *)
      assert (H1 : INR (count n h' - p) <= INR 1) by (apply le_INR; lia).
      assert (H2 : INR 2 <= INR k) by (apply le_INR; lia).
      assert (H3 : INR (k - 1) <= INR (Nat.min (count n h') k)) by (apply le_INR; lia).
      rewrite minus_INR in H3 by lia. simpl INR in *. lra.
    + assert (H1 : INR (count n h' - p) <= INR k) by (apply le_INR; lia).
      assert (H3 : INR k <= INR (Nat.min (count n h') k)) by (apply le_INR; lia). lra.
Qed.
