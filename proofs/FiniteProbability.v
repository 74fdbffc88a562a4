(** * Finite probability

    A law on a type is a weighted list; its expectation is a finite sum.  [bind] draws
    from the first law and then from the law that the outcome selects, so a program
    written with [bind] is the joint law of everything it draws, and [Expect_bind] is
    the tower property.                                                              *)
From Coq Require Import Reals Lra Lia Psatz List Arith.
From FedIGW Require Import FiniteSums.
Import ListNotations.
Open Scope R_scope.

(** ** Laws and expectations *)

(** E_d F = sum of p F(w) over the entries (p, w) of d. *)
Fixpoint Expect {X : Type} (d : list (R * X)) (F : X -> R) : R :=
  match d with nil => 0 | (p, w) :: d' => p * F w + Expect d' F end.

(** Non-negative weights that sum to one. *)
Definition distribution {X} (d : list (R * X)) : Prop :=
  Forall (fun pw => 0 <= fst pw) d /\ Expect d (fun _ => 1) = 1.

Section ExLemmas.
  Context {X : Type} (d : list (R * X)).
  Lemma Expect_plus F G : Expect d (fun w => F w + G w) = Expect d F + Expect d G.
  Proof. induction d as [|[p w] d' IH]; simpl; [lra|]. rewrite IH. lra. Qed.
  Lemma Expect_scal k F : Expect d (fun w => k * F w) = k * Expect d F.
  Proof. induction d as [|[p w] d' IH]; simpl; [lra|]. rewrite IH. lra. Qed.
  Lemma Expect_ext F G : (forall w, F w = G w) -> Expect d F = Expect d G.
  Proof. intro H. induction d as [|[p w] d' IH]; simpl; [lra|]. rewrite IH, H. lra. Qed.
  Lemma Expect_sum n (F : nat -> X -> R) :
    Expect d (fun w => sum n (fun i => F i w)) = sum n (fun i => Expect d (F i)).
  Proof.
    induction n as [|n IH]; simpl.
    - induction d as [|[p w] d' IHd]; simpl; [lra|]. rewrite IHd. lra.
    - rewrite Expect_plus, IH. reflexivity.
  Qed.
  Lemma Expect_le F G : Forall (fun pw => 0 <= fst pw) d ->
    (forall w, F w <= G w) -> Expect d F <= Expect d G.
  Proof.
    intros Hd H. induction Hd as [|[p w] d' Hp Hd IH]; simpl; [lra|].
    simpl in Hp. assert (p * F w <= p * G w) by (apply Rmult_le_compat_l; auto). lra.
  Qed.
  Lemma Expect_const k : distribution d -> Expect d (fun _ => k) = k.
  Proof.
    intros [_ H]. rewrite (Expect_ext _ (fun w => k * (fun _ => 1) w)) by (intro; simpl; lra).
    rewrite Expect_scal, H. lra.
  Qed.
End ExLemmas.
(** Monotonicity on the support only. *)
Lemma Expect_le_on_support {X} (d : list (R * X)) F G : Forall (fun pw => 0 <= fst pw) d ->
  Forall (fun pw => F (snd pw) <= G (snd pw)) d -> Expect d F <= Expect d G.
Proof.
  intros H0 H. induction H0 as [|[p x] d Hp Hd IH]; simpl; [lra|].
  inversion H as [|y l0 Hy Hl0 E0]; subst. simpl in *. specialize (IH Hl0).
  assert (p * F x <= p * G x) by (apply Rmult_le_compat_l; assumption). lra.
Qed.
(** ** Building laws: point mass, sequential draw, law on [i < n] *)

Definition dirac {X} (x : X) : list (R * X) := [(1, x)].
Definition scale {X} (p : R) (d : list (R * X)) : list (R * X) :=
  map (fun qy => (p * fst qy, snd qy)) d.
Fixpoint bind {X Y} (d : list (R * X)) (k : X -> list (R * Y)) : list (R * Y) :=
  match d with nil => nil | (p, x) :: d' => scale p (k x) ++ bind d' k end.

Lemma Expect_app {X} (d1 d2 : list (R * X)) F : Expect (d1 ++ d2) F = Expect d1 F + Expect d2 F.
Proof. induction d1 as [|[p x] d1 IH]; simpl; [lra|]. rewrite IH. lra. Qed.
Lemma Expect_scale {X} p (d : list (R * X)) F : Expect (scale p d) F = p * Expect d F.
Proof. induction d as [|[q x] d IH]; simpl; [lra|]. rewrite IH. lra. Qed.
(** Tower property. *)
Lemma Expect_bind {X Y} (d : list (R * X)) (k : X -> list (R * Y)) F :
  Expect (bind d k) F = Expect d (fun x => Expect (k x) F).
Proof. induction d as [|[p x] d IH]; simpl; [lra|]. rewrite Expect_app, Expect_scale, IH. lra. Qed.
Lemma Expect_dirac {X} (x : X) F : Expect (dirac x) F = F x.
Proof. simpl. lra. Qed.

Lemma distribution_dirac {X} (x : X) : distribution (dirac x).
Proof. split; [repeat constructor; simpl; lra | simpl; lra]. Qed.

Lemma distribution_bind {X Y} (d : list (R * X)) (k : X -> list (R * Y)) :
  distribution d -> (forall x, distribution (k x)) -> distribution (bind d k).
Proof.
  intros [H0 H1] Hk. split.
  - clear H1. induction H0 as [|[p x] d Hp Hd IH]; simpl; [constructor|].
    apply Forall_app. split; [|exact IH]. simpl in Hp.
    destruct (Hk x) as [Hx _]. unfold scale. apply Forall_map.
    eapply Forall_impl; [|exact Hx]. intros [q y] Hq. simpl in *. apply Rmult_le_pos; assumption.
  - rewrite Expect_bind. rewrite (Expect_ext d _ (fun _ => 1)); [exact H1|]. intro x. apply (proj2 (Hk x)).
Qed.

(** The law on {0, ..., n-1} with weights f. *)
Definition finite_law (n : nat) (f : nat -> R) : list (R * nat) := map (fun i => (f i, i)) (seq 0 n).
Lemma Expect_finite_law n f F : Expect (finite_law n f) F = sum n (fun i => f i * F i).
Proof.
  unfold finite_law. induction n as [|n IH]; [reflexivity|].
  rewrite seq_S, map_app, Expect_app, IH. simpl. lra.
Qed.
Lemma distribution_finite_law n f : (forall i, (i < n)%nat -> 0 <= f i) -> sum n f = 1 -> distribution (finite_law n f).
Proof.
  intros H0 H1. split.
  - unfold finite_law. apply Forall_map, Forall_forall. intros i Hi. apply in_seq in Hi. simpl. apply H0. lia.
  - rewrite Expect_finite_law, (sum_ext n _ f); [exact H1|]. intros; ring.
Qed.

Lemma Expect_const_out {X} (d : list (R * X)) k F : distribution d -> (forall x, F x = k) -> Expect d F = k.
Proof. intros Hd H. rewrite (Expect_ext d F (fun _ => k) H). apply Expect_const, Hd. Qed.

Lemma Expect_plus_const {X} (d : list (R * X)) F G k : distribution d ->
  (forall x, F x = G x + k) -> Expect d F = Expect d G + k.
Proof.
  intros Hd H. rewrite (Expect_ext d F (fun x => G x + (fun _ => k) x) H).
  rewrite (Expect_plus d G (fun _ => k)), Expect_const by exact Hd. reflexivity.
Qed.

(** [update h i v]: the function h with the value v at i. *)
Definition update {X} (h : nat -> X) (i : nat) (v : X) : nat -> X :=
  fun j => if Nat.eq_dec j i then v else h j.
Lemma update_same {X} (h : nat -> X) i v : update h i v i = v.
Proof. unfold update. destruct (Nat.eq_dec i i); congruence. Qed.
Lemma update_other {X} (h : nat -> X) i j v : j <> i -> update h i v j = h j.
Proof. unfold update. intro. destruct (Nat.eq_dec j i); congruence. Qed.
