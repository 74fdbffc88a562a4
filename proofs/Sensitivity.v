(** * Privacy: how much one sample changes the statistics that agents send

    An agent sends V = sum_i phi_i phi_i' and theta b, b = sum_i r_i phi_i, together.  Replacing one sample (phi, r) by (psi, s), with
    norms at most 1 and rewards in [0,1], changes the pair (V, theta b) by at most

        (2 + theta^2)/sqrt 2   for theta^2 <= 2,        2 theta   for theta^2 >= 2          ([joint_sensitivity], q = theta^2),

    measured in the Frobenius norm of V and the Euclidean norm of b.  Both values are attained ([joint_sensitivity_attained]).   *)
From Coq Require Import Reals Lra Lia Psatz List Arith.
From FedIGW Require Import FiniteSums AcceleratedGradient RidgeExcessRisk.
Open Scope R_scope.

(** |phi phi' - psi psi'|_F^2 + q |r phi - s psi|^2, q = theta^2 *)
Definition joint_change (d : nat) (q : R) (phi psi : vector) (r s : R) : R :=
  sum d (fun i => sum d (fun j => (phi i * phi j - psi i * psi j) ^ 2)) + q * square_norm d (fun i => r * phi i - s * psi i).
(** the square of the sensitivity: (2 + q)^2/2 for q <= 2, 4q from there on *)
Definition joint_sensitivity_square (q : R) : R := (2 + Rmin q 2) ^ 2 / 2 + 4 * (q - Rmin q 2).
Lemma sensitivity_small q : q <= 2 -> joint_sensitivity_square q = (2 + q) ^ 2 / 2.
Proof. intro H. unfold joint_sensitivity_square. rewrite Rmin_left by exact H. ring. Qed.
Lemma sensitivity_large q : 2 <= q -> joint_sensitivity_square q = 4 * q.
Proof. intro H. unfold joint_sensitivity_square. rewrite Rmin_right by exact H. field. Qed.

(** In terms of a = |phi|^2, b = |psi|^2, c = phi'psi. *)
Lemma joint_change_products d q phi psi r s :
  joint_change d q phi psi r s =
  square_norm d phi ^ 2 + square_norm d psi ^ 2 - 2 * dot d phi psi ^ 2
  + q * (r ^ 2 * square_norm d phi + s ^ 2 * square_norm d psi - 2 * r * s * dot d phi psi).
Proof.
  unfold joint_change. f_equal.
  - unfold square_norm, dot. replace (sum d (fun i => phi i ^ 2) ^ 2) with (sum d (fun i => phi i ^ 2) * sum d (fun i => phi i ^ 2)) by ring.
    replace (sum d (fun i => psi i ^ 2) ^ 2) with (sum d (fun i => psi i ^ 2) * sum d (fun i => psi i ^ 2)) by ring.
    replace (sum d (fun i => phi i * psi i) ^ 2) with (sum d (fun i => phi i * psi i) * sum d (fun i => phi i * psi i)) by ring.
    rewrite !sum_sum_scal, <- sum_scal, <- sum_plus, <- sum_minus. apply sum_ext. intros i _.
    rewrite <- sum_scal, <- sum_plus, <- sum_minus. apply sum_ext. intros j _. ring.
  - f_equal. unfold square_norm, dot. rewrite <- !sum_scal, <- sum_plus, <- sum_minus. apply sum_ext. intros i _. ring.
Qed.

(** theta^2 <= 2: one square. *)
Lemma numbers_small a b c r s q : 0 <= a <= 1 -> 0 <= b <= 1 -> 0 <= r <= 1 -> 0 <= s <= 1 -> 0 <= q ->
  a ^ 2 + b ^ 2 - 2 * c ^ 2 + q * (r ^ 2 * a + s ^ 2 * b - 2 * r * s * c) <= (2 + q) ^ 2 / 2.
Proof.
  intros Ha Hb Hr Hs Hq.
  assert (H1 : - 2 * c ^ 2 - 2 * q * (r * s) * c <= q ^ 2 * (r * s) ^ 2 / 2) by (pose proof (pow2_ge_0 (2 * c + q * (r * s))); nra).
  assert (Hrs : 0 <= r * s <= 1) by nra.
  assert (H2 : (r * s) ^ 2 <= 1) by nra.
  assert (H3 : q ^ 2 * (r * s) ^ 2 <= q ^ 2) by (pose proof (pow2_ge_0 q); nra).
  assert (H4 : r ^ 2 * a <= 1) by nra. assert (H5 : s ^ 2 * b <= 1) by nra.
  assert (H6 : q * (r ^ 2 * a + s ^ 2 * b) <= q * 2) by (apply Rmult_le_compat_l; lra).
  nra.
Qed.
(** theta^2 >= 2: the norms and rewards at 1 are the worst, and then c = -1. *)
Lemma numbers_large a b c r s q : 0 <= a <= 1 -> 0 <= b <= 1 -> c ^ 2 <= a * b -> 0 <= r <= 1 -> 0 <= s <= 1 -> 2 <= q ->
  a ^ 2 + b ^ 2 - 2 * c ^ 2 + q * (r ^ 2 * a + s ^ 2 * b - 2 * r * s * c) <= 4 * q.
Proof.
  intros Ha Hb Hc Hr Hs Hq.
  assert (Hr2 : 0 <= r ^ 2 <= 1) by nra. assert (Hs2 : 0 <= s ^ 2 <= 1) by nra. assert (Hrs : 0 <= r * s <= 1) by nra.
  assert (H4 : r ^ 2 * a <= a) by nra. assert (H5 : s ^ 2 * b <= b) by nra.
  set (p := - c). assert (Hp2 : p ^ 2 <= a * b) by (unfold p; nra). assert (Hcp : c = - p) by (unfold p; ring). rewrite Hcp.
  assert (Hp1 : p <= 1) by nra.
  assert (H6 : 2 * (r * s) * p <= 2 * Rmax p 0).
  { destruct (Rle_lt_dec p 0) as [H|H]; [rewrite Rmax_right by exact H; nra|rewrite Rmax_left by lra; nra]. }
  assert (Hlin : q * (r ^ 2 * a + s ^ 2 * b - 2 * r * s * - p) <= q * (a + b + 2 * Rmax p 0)) by (apply Rmult_le_compat_l; lra).
  destruct (Rle_lt_dec p 0) as [H|H].
  - rewrite Rmax_right in Hlin by exact H. pose proof (pow2_ge_0 p). assert (a ^ 2 <= 1) by nra. assert (b ^ 2 <= 1) by nra.
    assert (q * (a + b + 2 * 0) <= q * 2) by (apply Rmult_le_compat_l; lra). nra.
  - rewrite Rmax_left in Hlin by lra.
    (* a^2 + b^2 - 2 p^2 + q (a + b + 2 p) <= 4 q: it grows in q by at most 4, and at q = 2 it is a^2+b^2+2a+2b - 2(1-p)^2 + 2 <= 8 *)
    assert (G1 : (q - 2) * (a + b + 2 * p) <= (q - 2) * 4) by (apply Rmult_le_compat_l; lra).
    assert (G2 : a ^ 2 + b ^ 2 - 2 * p ^ 2 + 2 * (a + b + 2 * p) <= 8) by (pose proof (pow2_ge_0 (1 - p)); nra).
    nra.
Qed.

(** S1, the joint sensitivity, for every theta (q = theta^2): the pair (V, theta b) changes by at most (2 + theta^2)/sqrt 2 for
    theta^2 <= 2 and by at most 2 theta for theta^2 >= 2; here squared. *)
Theorem joint_sensitivity d q phi psi r s : 0 <= q ->
  square_norm d phi <= 1 -> square_norm d psi <= 1 -> 0 <= r <= 1 -> 0 <= s <= 1 ->
  joint_change d q phi psi r s <= joint_sensitivity_square q.
Proof.
  intros Hq Ha Hb Hr Hs. rewrite joint_change_products. pose proof (square_norm_nonneg d phi). pose proof (square_norm_nonneg d psi).
  destruct (Rle_lt_dec q 2).
  - rewrite sensitivity_small by assumption. apply numbers_small; auto.
  - rewrite sensitivity_large by lra. apply numbers_large; auto; [|lra]. apply cauchy_schwarz.
Qed.

(** The matrix alone: |V - V'|_F <= sqrt 2, here squared. *)
Theorem matrix_sensitivity d phi psi : square_norm d phi <= 1 -> square_norm d psi <= 1 ->
  sum d (fun i => sum d (fun j => (phi i * phi j - psi i * psi j) ^ 2)) <= 2.
Proof.
  intros Ha Hb. pose proof (joint_sensitivity d 0 phi psi 0 0 ltac:(lra) Ha Hb ltac:(lra) ltac:(lra)) as H.
  rewrite sensitivity_small in H by lra. unfold joint_change in H. lra.
Qed.
(** The vector alone: |b - b'| <= 2, here squared. *)
Theorem vector_sensitivity d phi psi r s :
  square_norm d phi <= 1 -> square_norm d psi <= 1 -> 0 <= r <= 1 -> 0 <= s <= 1 ->
  square_norm d (fun i => r * phi i - s * psi i) <= 4.
Proof.
  intros Ha Hb Hr Hs.
  assert (E : square_norm d (fun i => r * phi i - s * psi i) <= 2 * r ^ 2 * square_norm d phi + 2 * s ^ 2 * square_norm d psi).
  { unfold square_norm. rewrite <- !sum_scal, <- sum_plus. apply sum_le. intros i _. pose proof (pow2_ge_0 (r * phi i + s * psi i)). nra. }
  pose proof (square_norm_nonneg d phi). pose proof (square_norm_nonneg d psi).
  assert (r ^ 2 <= 1) by nra. assert (s ^ 2 <= 1) by nra. nra.
Qed.

(** Both values are attained in every dimension from 2 on: phi = e_1 and psi at the angle whose cosine is -min(q, 2)/2, rewards 1. *)
Theorem joint_sensitivity_attained d q : (2 <= d)%nat -> 0 <= q ->
  exists phi psi, square_norm d phi = 1 /\ square_norm d psi = 1 /\ joint_change d q phi psi 1 1 = joint_sensitivity_square q.
Proof.
  intros Hd Hq. set (c := - (Rmin q 2 / 2)).
  assert (Hm : 0 <= Rmin q 2 <= 2) by (split; [apply Rmin_glb; lra|apply Rmin_r]).
  assert (Hc : 0 <= 1 - c ^ 2) by (unfold c; nra).
  set (phi := fun i : nat => if Nat.eq_dec i 0 then 1 else 0).
  set (psi := fun i : nat => (if Nat.eq_dec i 0 then c else 0) + (if Nat.eq_dec i 1 then sqrt (1 - c ^ 2) else 0)).
  assert (Hphi : square_norm d phi = 1).
  { unfold square_norm, phi. rewrite (sum_ext d _ (fun i => if Nat.eq_dec i 0 then 1 else 0)) by (intros i _; destruct (Nat.eq_dec i 0); ring).
    apply (sum_delta d 0 (fun _ => 1)). lia. }
  assert (Hpsi : square_norm d psi = 1).
  { unfold square_norm, psi.
    rewrite (sum_ext d _ (fun i => (if Nat.eq_dec i 0 then c ^ 2 else 0) + (if Nat.eq_dec i 1 then sqrt (1 - c ^ 2) ^ 2 else 0))).
    - rewrite sum_plus, (sum_delta d 0 (fun _ => c ^ 2)), (sum_delta d 1 (fun _ => sqrt (1 - c ^ 2) ^ 2)) by lia.
      rewrite pow2_sqrt by exact Hc. ring.
    - intros i _. destruct (Nat.eq_dec i 0), (Nat.eq_dec i 1); try ring. lia. }
  assert (Hdot : dot d phi psi = c).
  { unfold dot, phi, psi. rewrite (sum_ext d _ (fun i => if Nat.eq_dec i 0 then c else 0)).
    - apply (sum_delta d 0 (fun _ => c)). lia.
    - intros i _. destruct (Nat.eq_dec i 0), (Nat.eq_dec i 1); try ring. lia. }
  exists phi, psi. repeat split; [exact Hphi|exact Hpsi|].
  rewrite joint_change_products, Hphi, Hpsi, Hdot. unfold c. destruct (Rle_lt_dec q 2).
  - rewrite sensitivity_small, Rmin_left by assumption. field.
  - rewrite sensitivity_large, Rmin_right by lra. field.
Qed.
