(** * The constants

    Every constant that appears in a headline theorem is a definition here, so that it can be
    read, evaluated and compared in one place.  c: ratio of epoch lengths; g: factor of the learning
    rate; q >= 1 - 1/K_m; s, t: the two splits; rbar: slack in H5 (1 in the paper).            *)
From Coq Require Import Reals Lra Lia Psatz.
Open Scope R_scope.

(** ** The repaired paper *)

(** E a^l <= (26/3) c^2 S^l / gamma^l *)
Definition repaired_a_constant (c : R) : R := 26 / 3 * c ^ 2.
(** E b^l <= (35/4) c^2 S^l / gamma^l *)
Definition repaired_b_constant (c : R) : R := 35 / 4 * c ^ 2.
(** eta^l = 9 c^2 S^l / gamma^l *)
Definition eta_constant (c : R) : R := 9 * c ^ 2.
(** epoch regret <= (2q + 9 c^2) S^l / gamma^l <= 11 c^2 S^l / gamma^l *)
Definition repaired_constant_arms (c q : R) : R := 2 * q + 9 * c ^ 2.
Definition repaired_constant (c : R) : R := 11 * c ^ 2.

Lemma repaired_a_le_eta c : repaired_a_constant c <= eta_constant c.
Proof. unfold repaired_a_constant, eta_constant. pose proof (pow2_ge_0 c). lra. Qed.
Lemma repaired_b_le_eta c : repaired_b_constant c <= eta_constant c.
Proof. unfold repaired_b_constant, eta_constant. pose proof (pow2_ge_0 c). lra. Qed.

(** ** The sharpened induction, any splits *)

Definition A2 (rbar t : R) : R := / (1 - t * rbar).
Lemma A2_nonneg rbar t : t * rbar <= 1 / 2 -> 0 <= A2 rbar t.
Proof. intro H. left. apply Rinv_0_lt_compat. lra. Qed.
Lemma A2_split rbar t : t * rbar <= 1 / 2 -> t * rbar * A2 rbar t <= 1.
Proof.
  intro H. unfold A2. apply (Rmult_le_reg_r (1 - t * rbar)); [lra|].
  replace (t * rbar * / (1 - t * rbar) * (1 - t * rbar)) with (t * rbar) by (field; lra). lra.
Qed.
Lemma A2_step rbar t : t * rbar <= 1 / 2 -> 1 + t * rbar * A2 rbar t <= A2 rbar t.
Proof. intro H. right. unfold A2. field. lra. Qed.
(** beta = (2t + c g^2 / 4t) / (1 - 2ct) *)
Definition induction_constant (c g t : R) : R := (2 * t + c * g ^ 2 / (4 * t)) / (1 - 2 * c * t).
(** C = A1 (q + 2s + 2cs beta + c g^2 / 4s),  A1 = 1 / (1 - s rbar A2) *)
Definition split_constant (rbar c g s t q : R) : R :=
  (q + 2 * s + 2 * c * s * induction_constant c g t + c * g ^ 2 / (4 * s)) / (1 - s * rbar * A2 rbar t).

(** ** At s = t = 1/(8c) *)

(** What the absorption inside each cell gives. *)
Definition cellwise_constant (c g q : R) : R :=
  (8 * c - 1) / (8 * c - 2) * (q + 1 / (3 * c) + 8 * c ^ 2 * g ^ 2 / 3).
(** The variant `sharpened`: 7q/6 + 7/(18c) + 28 c^2 g^2 / 9. *)
Definition sharpened_constant (c g q : R) : R := 7 * q / 6 + 7 / (18 * c) + 28 * c ^ 2 * g ^ 2 / 9.
(** The induction, too, is made inside each cell. *)
Definition per_cell_constant (c g q : R) : R :=
  (8 * c - 1) / (8 * c - 2) * (q + 1 / (4 * c - 1) + 8 * c ^ 2 * g ^ 2 / 3).
(** The same when c bounds the ratio between any two epochs. *)
Definition per_cell_constant_any_epochs (c g q : R) : R := 7 / 6 * (q + 1 / 3 + 8 * c * g ^ 2 / 3).
(** C / g at the best g:  (14/9) sqrt(2c(3cq + 1)). *)
Definition sharpened_rate_constant (c q : R) : R := 14 / 9 * sqrt (2 * c * (3 * c * q + 1)).

(** At s = t = 1/(8c) and rbar = 1 the constant of any splits is the cellwise one, and that is below `sharpened`. *)
Lemma split_constant_eighth c g q : 1 <= c -> split_constant 1 c g (1 / (8 * c)) (1 / (8 * c)) q = cellwise_constant c g q.
Proof.
  intro Hc. unfold split_constant, induction_constant, A2, cellwise_constant. field.
  repeat split; try lra.
Qed.

Lemma cellwise_le_sharpened c g q : 1 <= c -> 0 <= q -> cellwise_constant c g q <= sharpened_constant c g q.
Proof.
  intros Hc Hq. unfold cellwise_constant.
  replace (sharpened_constant c g q) with (7 / 6 * (q + 1 / (3 * c) + 8 * c ^ 2 * g ^ 2 / 3)) by (unfold sharpened_constant; field; lra).
  apply Rmult_le_compat_r.
  - assert (0 < 1 / (3 * c)) by (apply Rdiv_lt_0_compat; lra).
    assert (0 <= c ^ 2 * g ^ 2) by (apply Rmult_le_pos; apply pow2_ge_0). lra.
  - apply (Rmult_le_reg_r (8 * c - 2)); [lra|].
    replace ((8 * c - 1) / (8 * c - 2) * (8 * c - 2)) with (8 * c - 1) by (field; lra). lra.
Qed.

(** c = g = q = 1: C = 14/3, where the paper has 11. *)
Lemma sharpened_constant_paper_rate : sharpened_constant 1 1 1 = 14 / 3.
Proof. unfold sharpened_constant. field. Qed.
(** c = q = 1 at the best rate g = 1/sqrt2: C/g = 28 sqrt2 / 9 = 4.3998. *)
Lemma sharpened_constant_best_rate : sharpened_constant 1 (/ sqrt 2) 1 / (/ sqrt 2) = 28 * sqrt 2 / 9.
Proof.
  assert (H : 0 < sqrt 2) by (apply sqrt_lt_R0; lra).
  assert (H2 : sqrt 2 * sqrt 2 = 2) by (apply sqrt_sqrt; lra).
  unfold sharpened_constant.
  replace ((/ sqrt 2) ^ 2) with (/ 2); [field; lra|].
  simpl. rewrite Rmult_1_r, <- Rinv_mult, H2. reflexivity.
Qed.

(** For any c, q the best rate is g^2 = (3cq + 1)/(8c^3), with C/g = (14/9) sqrt(2c(3cq + 1)). *)
Lemma sharpened_constant_over_g c g q : 0 < c -> 0 < g ->
  sharpened_constant c g q / g = 7 * (3 * c * q + 1) / (18 * c) / g + 28 * c ^ 2 / 9 * g.
Proof. intros. unfold sharpened_constant. field. lra. Qed.
Lemma sharpened_constant_optimal c g q : 0 < c -> 0 < g -> 0 < 3 * c * q + 1 ->
  14 / 9 * sqrt (2 * c * (3 * c * q + 1)) <= sharpened_constant c g q / g.
Proof.
  intros Hc Hg Hq. rewrite sharpened_constant_over_g by assumption. set (u := 3 * c * q + 1) in *.
  set (r := sqrt (2 * c * u)).
  assert (Hr : r * r = 2 * c * u) by (apply sqrt_sqrt; nra).
  replace u with (r * r / (2 * c)) by (rewrite Hr; field; lra).
  assert (H : 0 <= (r - 4 * c ^ 2 * g) ^ 2) by apply pow2_ge_0.
  apply (Rmult_le_reg_l (36 * c ^ 2 * g)); [apply Rmult_lt_0_compat; [nra|lra]|].
  replace (36 * c ^ 2 * g * (7 * (r * r / (2 * c)) / (18 * c) / g + 28 * c ^ 2 / 9 * g))
    with (7 * (r * r) + 112 * c ^ 4 * g ^ 2) by (field; lra).
  nra.
Qed.
Lemma sharpened_constant_attained c q : 0 < c -> 0 < 3 * c * q + 1 ->
  let g := sqrt ((3 * c * q + 1) / (8 * c ^ 3)) in
  sharpened_constant c g q / g = 14 / 9 * sqrt (2 * c * (3 * c * q + 1)).
Proof.
  intros Hc Hq g. set (u := 3 * c * q + 1) in *.
  assert (Hc3 : 0 < 8 * c ^ 3) by (apply Rmult_lt_0_compat; [lra|apply pow_lt; lra]).
  assert (Hx : 0 < u / (8 * c ^ 3)) by (apply Rdiv_lt_0_compat; lra).
  assert (Hg : 0 < g) by (apply sqrt_lt_R0; exact Hx).
  assert (Hgg : g * g = u / (8 * c ^ 3)) by (apply sqrt_sqrt; lra).
  assert (Hs : sqrt (2 * c * u) = 4 * c ^ 2 * g).
  { apply sqrt_lem_1; [nra|nra|]. 
    replace (4 * c ^ 2 * g * (4 * c ^ 2 * g)) with (16 * c ^ 4 * (g * g)) by ring.
    rewrite Hgg. field. lra. }
  rewrite Hs, sharpened_constant_over_g by assumption. fold u.
  replace u with (8 * c ^ 3 * (g * g)) by (rewrite Hgg; field; lra). field. lra.
Qed.

(** H5 relaxed to gamma^l <= rbar gamma^{l+1}: at c = 1, s = t = 1/8 only A1 changes, to (8 - rbar)/(8 - 2 rbar). *)
Lemma split_constant_relaxed rbar g q : 0 <= rbar < 4 ->
  split_constant rbar 1 g (1 / 8) (1 / 8) q = (8 - rbar) / (8 - 2 * rbar) * (q + 1 / 3 + 8 * g ^ 2 / 3).
Proof. intro H. unfold split_constant, induction_constant, A2. field. repeat split; lra. Qed.

(** Per cell is at most `sharpened`. *)
Lemma per_cell_le_sharpened c g q : 1 <= c -> 0 <= q -> per_cell_constant c g q <= sharpened_constant c g q.
Proof.
  intros Hc Hq. eapply Rle_trans; [|apply cellwise_le_sharpened; assumption].
  unfold per_cell_constant, cellwise_constant. apply Rmult_le_compat_l.
  - left. apply Rdiv_lt_0_compat; lra.
  - assert (1 / (4 * c - 1) <= 1 / (3 * c)).
    { unfold Rdiv. rewrite !Rmult_1_l. apply Rinv_le_contravar; lra. }
    lra.
Qed.
