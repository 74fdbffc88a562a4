(** * Bounds by computation: polynomials on an interval, exp between polynomials

    Two tools for an inequality in one real variable.  A polynomial with rational coefficients is at least 0 on an
    interval that is cut finely enough for Horner's scheme to show it ([nonnegative_between], run by the kernel); and exp
    lies between partial sums of its series, about any point.                                                     *)
From Coq Require Import Reals Lra Lia Psatz List Arith QArith Qreals.
From FedIGW Require Import Hoeffding.
Import ListNotations.
Open Scope R_scope.

(** ** Polynomials *)

(** A polynomial as it is written, and its value. *)
Inductive polynomial :=
  | variable
  | constant (q : Q)
  | plus (e f : polynomial)
  | times (e f : polynomial).
Fixpoint value (e : polynomial) (x : R) : R :=
  match e with
  | variable => x
  | constant q => Q2R q
  | plus e f => value e x + value f x
  | times e f => value e x * value f x
  end.
Definition minus (e f : polynomial) : polynomial := plus e (times (constant (-1)) f).

(** Coefficients, lowest first; every one is reduced, so that the numbers stay small. *)
Fixpoint horner (p : list Q) (t : R) : R :=
  match p with nil => 0 | c :: p' => Q2R c + t * horner p' t end.
Fixpoint list_plus (p q : list Q) : list Q :=
  match p, q with
  | nil, _ => q
  | _, nil => p
  | c :: p', d :: q' => Qred (c + d) :: list_plus p' q'
  end.
Definition list_scale (c : Q) (p : list Q) : list Q := map (fun d => Qred (c * d)) p.
Fixpoint list_times (p q : list Q) : list Q :=
  match p with nil => nil | c :: p' => list_plus (list_scale c q) (0%Q :: list_times p' q) end.
(** The coefficients of t -> e(a + t). *)
Fixpoint coefficients (a : Q) (e : polynomial) : list Q :=
  match e with
  | variable => [a; 1%Q]
  | constant q => [q]
  | plus e f => list_plus (coefficients a e) (coefficients a f)
  | times e f => list_times (coefficients a e) (coefficients a f)
  end.

Lemma Q2R_reduced q : Q2R (Qred q) = Q2R q.
Proof. apply Qeq_eqR, Qred_correct. Qed.
Lemma Q2R_zero : Q2R 0 = 0.
Proof. unfold Q2R. simpl. lra. Qed.
Lemma Q2R_one : Q2R 1 = 1.
Proof. unfold Q2R. simpl. lra. Qed.

Lemma horner_plus p q t : horner (list_plus p q) t = horner p t + horner q t.
Proof.
  revert q. induction p as [|c p IH]; intros [|d q]; cbn [list_plus horner]; try lra.
  rewrite IH, Q2R_reduced, Q2R_plus. ring.
Qed.
Lemma horner_scale c p t : horner (list_scale c p) t = Q2R c * horner p t.
Proof.
  induction p as [|d p IH]; cbn [list_scale map horner]; [ring|]. fold (list_scale c p).
  rewrite IH, Q2R_reduced, Q2R_mult. ring.
Qed.
Lemma horner_times p q t : horner (list_times p q) t = horner p t * horner q t.
Proof.
  induction p as [|c p IH]; simpl; [ring|]. rewrite horner_plus, horner_scale. simpl. rewrite IH, Q2R_zero. ring.
Qed.
Lemma coefficients_value a e t : horner (coefficients a e) t = value e (Q2R a + t).
Proof.
  induction e as [|q|e IHe f IHf|e IHe f IHf]; simpl.
  - rewrite Q2R_one. ring.
  - ring.
  - rewrite horner_plus, IHe, IHf. reflexivity.
  - rewrite horner_times, IHe, IHf. reflexivity.
Qed.

(** A lower bound on [0, w]: c + t p(t) >= c + min(0, w min p). *)
Fixpoint lower (w : Q) (p : list Q) : Q :=
  match p with
  | nil => 0
  | c :: p' => let b := (w * lower w p')%Q in Qred (if Qle_bool 0 b then c else c + b)
  end.
Lemma lower_correct w p t : 0 <= t <= Q2R w -> Q2R (lower w p) <= horner p t.
Proof.
  intro Ht. induction p as [|c p IH]; cbn [lower horner]; [rewrite Q2R_zero; lra|].
  rewrite Q2R_reduced. destruct (Qle_bool 0 (w * lower w p)) eqn:Hb.
  - apply Qle_bool_imp_le, Qle_Rle in Hb. rewrite Q2R_zero, Q2R_mult in Hb.
    assert (0 <= t * horner p t); [|lra]. destruct (Req_dec t 0) as [->|Hn]; [lra|].
    assert (0 < Q2R w) by lra. assert (0 <= Q2R (lower w p)) by nra. apply Rmult_le_pos; lra.
  - assert (Hn : Q2R (w * lower w p) < 0).
    { rewrite <- Q2R_zero. apply Qlt_Rlt, Qnot_le_lt. intro H. apply Qle_bool_iff in H. congruence. }
    rewrite Q2R_plus. rewrite Q2R_mult in *. assert (Q2R (lower w p) <= 0) by nra.
    assert (t * Q2R (lower w p) <= t * horner p t) by (apply Rmult_le_compat_l; lra). nra.
Qed.

(** e >= 0 from a to the last of the cuts: the lower bound is at least 0 on every piece. *)
Fixpoint nonnegative_between (e : polynomial) (a : Q) (cuts : list Q) : bool :=
  match cuts with
  | nil => Qle_bool 0 (lower 0 (coefficients a e))
  | b :: rest => (Qle_bool 0 (lower (b - a) (coefficients a e)) && nonnegative_between e b rest)%bool
  end.
Lemma nonnegative_between_correct e a cuts : nonnegative_between e a cuts = true ->
  forall x, Q2R a <= x <= Q2R (last cuts a) -> 0 <= value e x.
Proof.
  assert (Piece : forall a w x, Qle_bool 0 (lower w (coefficients a e)) = true -> 0 <= x - Q2R a <= Q2R w -> 0 <= value e x).
  { intros a0 w x H Hx. apply Qle_bool_imp_le, Qle_Rle in H. rewrite Q2R_zero in H.
    pose proof (lower_correct w (coefficients a0 e) (x - Q2R a0) Hx) as B. rewrite coefficients_value in B.
    replace (Q2R a0 + (x - Q2R a0)) with x in B by ring. lra. }
  revert a. induction cuts as [|b rest IH]; intros a H x Hx.
  - simpl in H, Hx. apply (Piece a 0%Q x H). rewrite Q2R_zero. lra.
  - simpl in H. apply andb_prop in H as [H1 H2]. destruct (Rle_lt_dec x (Q2R b)) as [Hb|Hb].
    + apply (Piece a (b - a)%Q x H1). rewrite Q2R_minus. lra.
    + apply (IH b H2 x). split; [lra|]. destruct Hx as [_ Hx]. destruct rest as [|b' rest']; [simpl in Hx; lra|].
      replace (last (b' :: rest') b) with (last (b :: b' :: rest') a); [exact Hx|].
      clear. simpl. revert b'. induction rest' as [|c rest' IH]; intro b'; [reflexivity|]. simpl in *. apply IH.
Qed.

(** ** The series of exp *)

(** 1 + x + ... + x^n / n! *)
Fixpoint exp_term (n : nat) (x : R) : R :=
  match n with O => 1 | S p => / INR (S p) * x * exp_term p x end.
Fixpoint exp_series (n : nat) (x : R) : R :=
  match n with O => 1 | S p => exp_series p x + exp_term n x end.
Fixpoint term_of (n : nat) (e : polynomial) : polynomial :=
  match n with O => constant 1 | S p => times (times (constant (1 # Pos.of_succ_nat p)) e) (term_of p e) end.
Fixpoint series_of (n : nat) (e : polynomial) : polynomial :=
  match n with O => constant 1 | S p => plus (series_of p e) (term_of n e) end.

Lemma value_term n e x : value (term_of n e) x = exp_term n (value e x).
Proof.
  induction n as [|n IH]; [exact Q2R_one|]. cbn [term_of value exp_term]. rewrite IH, INR_IZR_INZ.
  unfold Q2R. cbn [Qnum Qden Z.of_nat]. rewrite Rmult_1_l. reflexivity.
Qed.
Lemma value_series n e x : value (series_of n e) x = exp_series n (value e x).
Proof.
  induction n as [|n IH]; [exact Q2R_one|]. cbn [series_of value]. rewrite IH, value_term. reflexivity.
Qed.

Lemma exp_term_derivative n x : derivable_pt_lim (exp_term (S n)) x (exp_term n x).
Proof.
  induction n as [|n IH].
  - replace (exp_term 0 x) with (1 * 1) by (simpl; ring).
    eapply derivable_pt_lim_ext; [|apply (derivable_pt_lim_scal id 1 x 1), derivable_pt_lim_id].
    intro y. unfold mult_real_fct, id. simpl. field.
  - assert (Hn : INR (S (S n)) <> 0) by (apply not_0_INR; lia).
    replace (exp_term (S n) x) with (/ INR (S (S n)) * (1 * exp_term (S n) x + x * exp_term n x)).
    + eapply derivable_pt_lim_ext.
      2:{ apply (derivable_pt_lim_scal (fun y => id y * exp_term (S n) y)).
          apply (derivable_pt_lim_mult id (exp_term (S n))); [apply derivable_pt_lim_id|exact IH]. }
      intro y. unfold mult_real_fct, id. change (exp_term (S (S n)) y) with (/ INR (S (S n)) * y * exp_term (S n) y). ring.
    + change (exp_term (S n) x) with (/ INR (S n) * x * exp_term n x). rewrite (S_INR (S n)) in *.
      assert (INR (S n) <> 0) by (apply not_0_INR; lia). field. split; assumption.
Qed.
Lemma exp_series_derivative n x : derivable_pt_lim (exp_series (S n)) x (exp_series n x).
Proof.
  induction n as [|n IH].
  - replace (exp_series 0 x) with (0 + exp_term 0 x) by (simpl; ring).
    apply (derivable_pt_lim_plus (fun _ => 1) (exp_term 1)); [apply derivable_pt_lim_const|apply exp_term_derivative].
  - apply (derivable_pt_lim_plus (exp_series (S n)) (exp_term (S (S n)))); [exact IH|apply exp_term_derivative].
Qed.
Lemma exp_series_0 n : exp_series n 0 = 1.
Proof. induction n as [|n IH]; [reflexivity|]. cbn [exp_series exp_term]. rewrite IH. ring. Qed.

(** exp minus its partial sum has the partial sum before as derivative: an odd one is below exp, the next one crosses at 0. *)
Lemma remainder_derivative n x :
  derivable_pt_lim (fun y => exp y - exp_series (S n) y) x (exp x - exp_series n x).
Proof. apply (derivable_pt_lim_minus exp); [apply derivable_pt_lim_exp|apply exp_series_derivative]. Qed.
Lemma remainder_0 n : exp 0 - exp_series n 0 = 0.
Proof. rewrite exp_0, exp_series_0. ring. Qed.
Lemma exp_series_odd k : forall x, 0 <= exp x - exp_series (2 * k + 1) x.
Proof.
  induction k as [|k IH]; intro x.
  - pose proof (exp_tangent x). simpl. lra.
  - replace (2 * S k + 1)%nat with (S (S (2 * k + 1))) by lia.
    destruct (sign_by_derivative (fun y => exp y - exp_series (S (2 * k + 1)) y) (fun y => exp y - exp_series (2 * k + 1) y)
      (remainder_derivative _) (remainder_0 _) IH) as [P N].
    exact (nonneg_by_derivative _ _ (remainder_derivative _) (remainder_0 _) P N x).
Qed.
Lemma exp_series_even k x : x <= 0 -> exp x <= exp_series (2 * k + 2) x.
Proof.
  intro Hx. replace (2 * k + 2)%nat with (S (2 * k + 1)) by lia.
  destruct (sign_by_derivative (fun y => exp y - exp_series (S (2 * k + 1)) y) (fun y => exp y - exp_series (2 * k + 1) y)
    (remainder_derivative _) (remainder_0 _) (exp_series_odd k)) as [_ N].
  pose proof (N x Hx). lra.
Qed.

(** ** exp at a rational number, and about it *)

(** low <= e^y if low <= s(y), and e^y <= high if s(-y) high >= 1, for the partial sum s of degree 2k + 1. *)
Lemma exp_above_rational k low y :
  nonnegative_between (minus (series_of (2 * k + 1) (constant y)) (constant low)) 0 nil = true -> Q2R low <= exp (Q2R y).
Proof.
  intro H. pose proof (nonnegative_between_correct _ _ _ H 0 ltac:(simpl; rewrite Q2R_zero; lra)) as B.
  pose proof (exp_series_odd k (Q2R y)) as S.
  unfold minus in B. cbn [value] in B. rewrite value_series in B. cbn [value] in B.
  replace (Q2R (-1)) with (-1) in B by (unfold Q2R; simpl; lra). lra.
Qed.
Lemma exp_below_rational k y high :
  nonnegative_between (minus (times (constant high) (series_of (2 * k + 1) (constant (- y)))) (constant 1)) 0 nil = true ->
  0 <= Q2R high -> exp (Q2R y) <= Q2R high.
Proof.
  intros H Hh. pose proof (nonnegative_between_correct _ _ _ H 0 ltac:(simpl; rewrite Q2R_zero; lra)) as B.
  pose proof (exp_series_odd k (- Q2R y)) as S.
  unfold minus in B. cbn [value] in B. rewrite value_series in B. cbn [value] in B. rewrite Q2R_opp in B.
  replace (Q2R (-1)) with (-1) in B by (unfold Q2R; simpl; lra). rewrite Q2R_one in B.
  set (s := exp_series (2 * k + 1) (- Q2R y)) in *.
  assert (E : exp (Q2R y) * exp (- Q2R y) = 1) by (rewrite <- exp_plus, Rplus_opp_r; apply exp_0).
  assert (B1 : 1 <= exp (- Q2R y) * Q2R high) by nra.
  apply (Rmult_le_compat_l (exp (Q2R y))) in B1; [|left; apply exp_pos]. rewrite <- Rmult_assoc, E in B1. lra.
Qed.

Lemma exp_below_series high y x : exp y <= high -> x <= y -> exp x <= high * exp_series 4 (x - y).
Proof.
  intros Hy Hx. pose proof (exp_series_even 1 (x - y) ltac:(lra)) as S. change (2 * 1 + 2)%nat with 4%nat in S.
  replace x with (y + (x - y)) at 1 by ring. rewrite exp_plus.
  apply Rmult_le_compat; [left; apply exp_pos|left; apply exp_pos|exact Hy|exact S].
Qed.
Lemma exp_above_series low y x : 0 <= low <= exp y -> low * exp_series 3 (x - y) <= exp x.
Proof.
  intros Hy. pose proof (exp_series_odd 1 (x - y)) as S. change (2 * 1 + 1)%nat with 3%nat in S.
  replace x with (y + (x - y)) at 2 by ring. rewrite exp_plus.
  apply Rle_trans with (low * exp (x - y)); [apply Rmult_le_compat_l; lra|].
  apply Rmult_le_compat_r; [left; apply exp_pos|apply Hy].
Qed.
