(** * The doubling schedule tau^l = 2^l, tau^0 = 0

    Epoch lengths 2, 2, 4, 8, ...; a horizon T cuts the last epoch to T - 2^(L-1) steps.  For T >= 3 the number of
    epochs is L = ceil(log2 T), so that the estimates of L - 1 = ceil(log2 T) - 1 calls of the FL routine are used, and

        sum_{l = 2}^{L} E^l_cut / sqrt(E^{l-1}) <= (2 + sqrt 2) sqrt T.                                     *)
From Coq Require Import Reals Lra Lia Psatz List Arith.
From FedIGW Require Import FiniteSums.
Open Scope R_scope.

(** E^1 = 2, E^l = 2^{l-1} *)
Definition full_length (l : nat) : nat := if Nat.eq_dec l 1 then 2%nat else (2 ^ (l - 1))%nat.
Definition epochs_until (T : nat) : nat := Nat.log2_up T.
(** length of epoch l up to the horizon T; the same for all agents *)
Definition doubling (T l m : nat) : nat :=
  if Nat.eq_dec l (epochs_until T) then (T - 2 ^ (l - 1))%nat else full_length l.

(** L = ceil(log2 T) epochs:  2^(L-1) < T <= 2^L. *)
Theorem epochs_until_log2 T : (3 <= T)%nat ->
  (2 ^ (epochs_until T - 1) < T <= 2 ^ epochs_until T)%nat /\ (2 <= epochs_until T)%nat.
Proof.
  intro HT. unfold epochs_until. pose proof (Nat.log2_up_spec T ltac:(lia)) as H.
  rewrite <- Nat.sub_1_r in H. split; [exact H|].
  change 2%nat with (Nat.log2_up 3) at 1. apply Nat.log2_up_le_mono. exact HT.
Qed.

Definition sqrt2 : R := sqrt 2.
Lemma sqrt2_square : sqrt2 * sqrt2 = 2.
Proof. apply sqrt_sqrt. lra. Qed.
Lemma sqrt2_bounds : 1 < sqrt2 < 2.
Proof.
  pose proof sqrt2_square. assert (0 <= sqrt2) by apply sqrt_pos. split; nra.
Qed.
Lemma sqrt_power_of_two k : sqrt (INR (2 ^ k)) = sqrt2 ^ k.
Proof.
  rewrite pow_INR. change (INR 2) with 2. pose proof sqrt2_bounds.
  induction k as [|k IH]; [simpl; apply sqrt_1|].
  change (2 ^ S k) with (2 * 2 ^ k). rewrite sqrt_mult by (try lra; apply pow_le; lra).
  rewrite IH. reflexivity.
Qed.
Lemma sqrt2_powers k : sqrt2 ^ k * sqrt2 ^ k = INR (2 ^ k).
Proof. rewrite <- sqrt_power_of_two. apply sqrt_sqrt. apply pos_INR. Qed.

Lemma full_length_ge l : (1 <= l)%nat -> (2 ^ (l - 1) <= full_length l)%nat.
Proof. intro H. unfold full_length. destruct (Nat.eq_dec l 1) as [->|]; simpl; lia. Qed.
Lemma pow_ge1 j : (1 <= 2 ^ j)%nat.
Proof. induction j; simpl; lia. Qed.

Lemma epoch_term_le E2 l : (1 <= l)%nat -> 0 <= E2 -> E2 / sqrt (INR (full_length l)) <= E2 / sqrt2 ^ (l - 1).
Proof.
  intros Hl HE. pose proof sqrt2_bounds. apply Rmult_le_compat_l; [exact HE|].
  apply Rinv_le_contravar; [apply pow_lt; lra|]. rewrite <- sqrt_power_of_two.
  apply sqrt_le_1_alt, le_INR, full_length_ge, Hl.
Qed.
Lemma full_epochs_sum j : sum j (fun i => INR (full_length (i + 2)) / sqrt (INR (full_length (i + 1)))) <= (sqrt2 + 1) * (sqrt2 ^ (j + 2) - 2).
Proof.
  pose proof sqrt2_bounds as Hr. pose proof sqrt2_square as H2. induction j as [|j IH].
  - simpl. rewrite Rmult_1_r, H2. lra.
  - change (sum (S j) (fun i => INR (full_length (i + 2)) / sqrt (INR (full_length (i + 1))))) with
      (sum j (fun i => INR (full_length (i + 2)) / sqrt (INR (full_length (i + 1)))) + INR (full_length (j + 2)) / sqrt (INR (full_length (j + 1)))).
    pose proof (epoch_term_le (INR (full_length (j + 2))) (j + 1) ltac:(lia) (pos_INR _)) as Ht.
    replace (j + 1 - 1)%nat with j in Ht by lia.
    assert (Hf : INR (full_length (j + 2)) = sqrt2 ^ (j + 1) * sqrt2 ^ (j + 1)).
    { rewrite sqrt2_powers. unfold full_length. destruct (Nat.eq_dec (j + 2) 1); [lia|]. do 2 f_equal. lia. }
    rewrite Hf in Ht at 2.
    assert (Hp : 0 < sqrt2 ^ j) by (apply pow_lt; lra).
    replace (sqrt2 ^ (j + 1) * sqrt2 ^ (j + 1) / sqrt2 ^ j) with (sqrt2 ^ j * (sqrt2 * sqrt2)) in Ht
      by (rewrite pow_add; simpl; field; lra).
    replace (sqrt2 ^ (S j + 2)) with (sqrt2 ^ j * sqrt2 * (sqrt2 * sqrt2)) by (rewrite pow_add; simpl; ring).
    replace (sqrt2 ^ (j + 2)) with (sqrt2 ^ j * (sqrt2 * sqrt2)) in IH by (rewrite pow_add; simpl; ring).
    rewrite H2 in *. nra.
Qed.


Section Horizon.
  Variable T : nat.
  Hypothesis HT : (3 <= T)%nat.
  Let k : nat := (epochs_until T - 2)%nat.
  Let u : nat := (T - 2 ^ (k + 1))%nat.
  Lemma epochs_k : epochs_until T = (k + 2)%nat.
  Proof. unfold k. pose proof (epochs_until_log2 T HT). lia. Qed.
  Lemma Hu : (1 <= u <= 2 ^ (k + 1))%nat.
  Proof.
    pose proof (epochs_until_log2 T HT) as [H _]. rewrite epochs_k in H.
    replace (k + 2 - 1)%nat with (k + 1)%nat in H by lia.
    replace (2 ^ (k + 2))%nat with (2 ^ (k + 1) + 2 ^ (k + 1))%nat in H
      by (replace (k + 2)%nat with (S (k + 1)) by lia; simpl; lia).
    unfold u. lia.
  Qed.
  Lemma T_split : T = (2 ^ (k + 1) + u)%nat.
  Proof. pose proof Hu. unfold u in *. lia. Qed.

  Lemma doubling_positive l m : (1 <= l <= epochs_until T)%nat -> (1 <= doubling T l m)%nat.
  Proof.
    intro Hl. unfold doubling. destruct (Nat.eq_dec l (epochs_until T)) as [->|].
    - pose proof (epochs_until_log2 T HT). lia.
    - pose proof (full_length_ge l ltac:(lia)). pose proof (pow_ge1 (l - 1)). lia.
  Qed.
  Lemma doubling_first m : (doubling T 1 m = 2)%nat.
  Proof.
    pose proof (epochs_until_log2 T HT). unfold doubling. destruct (Nat.eq_dec 1 (epochs_until T)); [lia|]. reflexivity.
  Qed.
  (** only the last epoch is cut: the lengths before it grow *)
  Lemma doubling_mono l m : (1 <= l)%nat -> (S (S l) <= epochs_until T)%nat -> (doubling T l m <= doubling T (S l) m)%nat.
  Proof.
    intros H1 H2. unfold doubling, full_length.
    destruct (Nat.eq_dec l (epochs_until T)); [lia|]. destruct (Nat.eq_dec (S l) (epochs_until T)); [lia|].
    destruct (Nat.eq_dec (S l) 1); [lia|]. destruct (Nat.eq_dec l 1) as [->|]; [simpl; lia|].
    apply Nat.pow_le_mono_r; lia.
  Qed.

  (** sum_{l = 2}^{L} E^l_cut / sqrt(E^{l-1}) <= (2 + sqrt 2) sqrt T *)
  Lemma schedule_sum : sum (epochs_until T - 1) (fun i => INR (doubling T (i + 2) 0) / sqrt (INR (doubling T (i + 1) 0))) <= (2 + sqrt2) * sqrt (INR T).
  Proof.
    pose proof sqrt2_bounds as Hr. pose proof sqrt2_square as H2.
    replace (epochs_until T - 1)%nat with (S k) by (pose proof epochs_k; lia). simpl sum.
    rewrite (sum_ext k _ (fun i => INR (full_length (i + 2)) / sqrt (INR (full_length (i + 1))))).
    2:{ intros i Hi. unfold doubling. rewrite epochs_k. destruct (Nat.eq_dec (i + 2) (k + 2)); [lia|].
        destruct (Nat.eq_dec (i + 1) (k + 2)); [lia|]. reflexivity. }
    pose proof (full_epochs_sum k) as F.
    replace (doubling T (k + 2) 0) with u by (unfold doubling; rewrite epochs_k; destruct (Nat.eq_dec (k + 2) (k + 2)); [unfold u; do 2 f_equal; lia|lia]).
    replace (doubling T (k + 1) 0) with (full_length (k + 1)) by (unfold doubling; rewrite epochs_k; destruct (Nat.eq_dec (k + 1) (k + 2)); [lia|reflexivity]).
    pose proof (epoch_term_le (INR u) (k + 1) ltac:(lia) (pos_INR _)) as Ht.
    replace (k + 1 - 1)%nat with k in Ht by lia.
    set (R0 := sqrt2 ^ (k + 1)).
    assert (HR : 0 < R0) by (apply pow_lt; lra).
    assert (HRR : R0 * R0 = INR (2 ^ (k + 1))) by apply sqrt2_powers.
    set (v := INR u / (R0 * R0)).
    assert (Huv : INR u = v * (R0 * R0)) by (unfold v; field; lra).
    assert (Hv : 0 <= v <= 1).
    { assert (0 <= INR u <= R0 * R0) by (rewrite HRR; split; [apply pos_INR|apply le_INR; apply Hu]).
      assert (0 < R0 * R0) by nra. split; nra. }
    assert (Hk : R0 = sqrt2 ^ k * sqrt2) by (unfold R0; rewrite pow_add; simpl; ring).
    assert (Hpk : 0 < sqrt2 ^ k) by (apply pow_lt; lra).
    assert (HuR : INR u / sqrt2 ^ k = v * sqrt2 * R0) by (rewrite Huv, Hk; field; lra).
    replace (sqrt2 ^ (k + 2)) with (sqrt2 * R0) in F by (rewrite Hk, pow_add; simpl; ring).
    assert (HsT : sqrt (INR T) = R0 * sqrt (1 + v)).
    { rewrite T_split, plus_INR, <- HRR, Huv.
      replace (R0 * R0 + v * (R0 * R0)) with (R0 * R0 * (1 + v)) by ring.
      rewrite sqrt_mult by nra. rewrite sqrt_square by lra. reflexivity. }
    assert (Hs : 1 + v * (sqrt2 - 1) <= sqrt (1 + v)).
    { assert (Hvr : 0 <= v * (sqrt2 - 1)) by (apply Rmult_le_pos; lra).
      rewrite <- (sqrt_square (1 + v * (sqrt2 - 1))) by lra. apply sqrt_le_1_alt.
      assert (Hsq : (sqrt2 - 1) * (sqrt2 - 1) = 3 - 2 * sqrt2) by (ring_simplify; replace (sqrt2 ^ 2) with 2 by (rewrite <- H2; ring); ring).
      replace ((1 + v * (sqrt2 - 1)) * (1 + v * (sqrt2 - 1))) with (1 + 2 * v * (sqrt2 - 1) + v * v * ((sqrt2 - 1) * (sqrt2 - 1))) by ring.
      rewrite Hsq. assert (0 < 3 - 2 * sqrt2) by nra.
      assert (v * v * (3 - 2 * sqrt2) <= v * (3 - 2 * sqrt2)) by (apply Rmult_le_compat_r; nra). lra. }
    rewrite HsT, HuR in *.
    assert (Hfin : (2 + sqrt2) * (R0 * (1 + v * (sqrt2 - 1))) <= (2 + sqrt2) * (R0 * sqrt (1 + v))).
    { apply Rmult_le_compat_l; [lra|]. apply Rmult_le_compat_l; lra. }
    replace ((2 + sqrt2) * (R0 * (1 + v * (sqrt2 - 1)))) with ((2 + sqrt2) * R0 + v * (sqrt2 * sqrt2 + sqrt2 - 2) * R0) in Hfin by ring.
    replace (v * (sqrt2 * sqrt2 + sqrt2 - 2) * R0) with (v * sqrt2 * R0) in Hfin by (rewrite H2; ring).
    replace ((sqrt2 + 1) * (sqrt2 * R0 - 2)) with ((sqrt2 * sqrt2 + sqrt2) * R0 - 2 * (sqrt2 + 1)) in F by ring.
    rewrite H2 in F. lra.
  Qed.

End Horizon.
