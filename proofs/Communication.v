(** * How often the FL routine is called, and what the direct method sends

    Under doubling epoch l ends at step 2^l, and the FL routine is called after every epoch that ends by T.
    Main results: [doubling_calls], floor(log2 T) calls; [direct_total_numbers], the direct method sends M (d(d + 1)/2 + 2d) numbers a
    call: every agent the upper triangle of its symmetric d x d matrix and a vector up, and it receives the d coordinates of the estimate.
    Main definitions: [epoch_end], [calls_until], [statistics_message], [estimate_message].                                          *)
From Coq Require Import Reals Lra Lia Psatz List Arith.
From FedIGW Require Import FiniteSums DoublingSchedule.
Import ListNotations.
Open Scope R_scope.

(** the step at which epoch l ends; epochs that end by T *)
Fixpoint epoch_end (l : nat) : nat := match l with O => O | S l' => (epoch_end l' + full_length (S l'))%nat end.
Definition calls_until (T : nat) : nat := length (filter (fun l => Nat.leb (epoch_end l) T) (seq 1 (epochs_until T))).

Lemma epoch_end_power l : (1 <= l)%nat -> epoch_end l = (2 ^ l)%nat.
Proof.
  induction l as [|l IH]; intro H; [lia|]. destruct (Nat.eq_dec l 0) as [->|Hl]; [reflexivity|].
  cbn [epoch_end]. rewrite IH by lia. unfold full_length. destruct (Nat.eq_dec (S l) 1); [lia|].
  replace (S l - 1)%nat with l by lia. cbn [Nat.pow]. lia.
Qed.
Lemma filter_prefix (f : nat -> bool) k : forall start n, (k <= n)%nat ->
  (forall l, (start <= l < start + k)%nat -> f l = true) -> (forall l, (start + k <= l)%nat -> f l = false) ->
  length (filter f (seq start n)) = k.
Proof.
  induction k as [|k IH]; intros start n Hk Ht Hf.
  - clear Hk Ht. revert start Hf. induction n as [|n IHn]; intros start Hf; [reflexivity|]. simpl. rewrite (Hf start) by lia.
    apply IHn. intros l Hl. apply Hf. lia.
  - destruct n as [|n]; [lia|]. simpl. rewrite (Ht start) by lia. simpl. f_equal. apply IH; [lia| |].
    + intros l Hl. apply Ht. lia.
    + intros l Hl. apply Hf. lia.
Qed.
(** col:finite, calls:  floor(log2 T) epochs end by T. *)
Theorem doubling_calls T : (1 <= T)%nat -> calls_until T = Nat.log2 T.
Proof.
  intro HT. unfold calls_until. pose proof (Nat.log2_spec T ltac:(lia)) as [H1 H2].
  apply filter_prefix.
  - unfold epochs_until. apply Nat.le_log2_log2_up.
  - intros l Hl. apply Nat.leb_le. rewrite epoch_end_power by lia. eapply Nat.le_trans; [|exact H1]. apply Nat.pow_le_mono_r; lia.
  - intros l Hl. apply Nat.leb_gt. rewrite epoch_end_power by lia. eapply Nat.lt_le_trans; [exact H2|]. apply Nat.pow_le_mono_r; lia.
Qed.

(** what an agent sends up: row i of its symmetric matrix from the diagonal on, then its vector; what it receives *)
Definition statistics_message (d : nat) (gram : nat -> nat -> R) (moment : nat -> R) : list R :=
  flat_map (fun i => map (gram i) (seq i (d - i))) (seq 0 d) ++ map moment (seq 0 d).
Definition estimate_message (d : nat) (w : nat -> R) : list R := map w (seq 0 d).
Lemma triangle_length (gram : nat -> nat -> R) d : forall k, (k <= d)%nat ->
  (2 * length (flat_map (fun i => map (gram i) (seq i (d - i))) (seq 0 k)) = k * (2 * d + 1 - k))%nat.
Proof.
  induction k as [|k IH]; intro Hk; [reflexivity|]. specialize (IH ltac:(lia)). rewrite seq_S, flat_map_app, app_length. cbn [flat_map plus].
  rewrite app_length, map_length, seq_length. cbn [length]. nia.
Qed.
Lemma statistics_length d (gram : nat -> nat -> R) moment : INR (length (statistics_message d gram moment)) = INR d * (INR d + 1) / 2 + INR d.
Proof.
  unfold statistics_message. rewrite app_length, map_length, seq_length, plus_INR. pose proof (triangle_length gram d d (le_n d)) as H.
  apply (f_equal INR) in H. rewrite !mult_INR in H. replace (2 * d + 1 - d)%nat with (S d) in H by lia. rewrite (S_INR d) in H. change (INR 2) with 2 in H.
  lra.
Qed.
(** col:linear, direct:  all numbers of a run, up and down. *)
Theorem direct_total_numbers M d T (gram : nat -> nat -> nat -> nat -> R) (moment : nat -> nat -> nat -> R) (w : nat -> nat -> R) : (1 <= T)%nat ->
  sum (calls_until T) (fun l => sum M (fun m =>
    INR (length (statistics_message d (gram l m) (moment l m))) + INR (length (estimate_message d (w l))))) =
  INR M * (INR d * (INR d + 1) / 2 + 2 * INR d) * INR (Nat.log2 T).
Proof.
  intro HT. rewrite (doubling_calls T HT).
  rewrite (sum_ext (Nat.log2 T) _ (fun _ => INR M * (INR d * (INR d + 1) / 2 + 2 * INR d))); [rewrite sum_const; ring|].
  intros l _. rewrite (sum_ext M _ (fun _ => INR d * (INR d + 1) / 2 + 2 * INR d)); [apply sum_const|].
  intros m _. rewrite statistics_length. unfold estimate_message. rewrite map_length, seq_length. ring.
Qed.
