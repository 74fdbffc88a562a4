(** * Exchangeability of independent samples

    Main definitions: [iid P n], the law of n independent draws from P as a list; [insert], [skip].
    Main results: [insert_anywhere], a fresh draw may be put anywhere into the list without changing its law, and
    [held_out_average], so the mean loss at a fresh point is the average of the n + 1 held-out losses of n + 1 draws.
    Note: no permutation is needed; the proof moves the fresh draw one place at a time.                           *)
From Coq Require Import Reals Lra Lia Psatz List Arith.
From FedIGW Require Import FiniteSums FiniteProbability.
Import ListNotations.
Open Scope R_scope.

Lemma Expect_swap {X Y} (d1 : list (R * X)) (d2 : list (R * Y)) F :
  Expect d1 (fun x => Expect d2 (fun y => F x y)) = Expect d2 (fun y => Expect d1 (fun x => F x y)).
Proof.
  induction d1 as [|[p x] d IH]; simpl.
  - induction d2 as [|[q y] d2 IH2]; simpl; [reflexivity|]. rewrite <- IH2. lra.
  - rewrite IH. rewrite (Expect_plus d2 (fun y => p * F x y) (fun y => Expect d (fun x => F x y))), Expect_scal. reflexivity.
Qed.
Section IID.
  Context {Z : Type} (P : list (R * Z)).
  Fixpoint iid (n : nat) : list (R * list Z) :=
    match n with O => dirac nil | S k => bind (iid k) (fun d => bind P (fun z => dirac (z :: d))) end.
  Fixpoint insert (i : nat) (z : Z) (d : list Z) : list Z :=
    match i, d with O, _ => z :: d | S i', y :: d' => y :: insert i' z d' | S _, nil => [z] end.
  Lemma Expect_iid_S n F : Expect (iid (S n)) F = Expect (iid n) (fun d => Expect P (fun z => F (z :: d))).
  Proof.
    simpl. rewrite Expect_bind. apply Expect_ext. intro d. rewrite Expect_bind. apply Expect_ext. intro z. apply Expect_dirac.
  Qed.
  Theorem insert_anywhere i : forall n F, (i <= n)%nat ->
    Expect (iid (S n)) F = Expect (iid n) (fun d => Expect P (fun z => F (insert i z d))).
  Proof.
    induction i as [|i IH]; intros n F Hi; [apply Expect_iid_S|].
    destruct n as [|n]; [lia|].
    rewrite Expect_iid_S.
    rewrite (IH n (fun d => Expect P (fun z => F (z :: d))) ltac:(lia)).
    rewrite (Expect_iid_S n). apply Expect_ext. intro d. apply Expect_swap.
  Qed.
  (** So a fresh sample's mean loss is the mean of the n+1 held-out losses. *)
  Corollary held_out_average n (G : Z -> list Z -> R) (H : nat -> list Z -> R) :
    (forall i z d, length d = n -> (i <= n)%nat -> H i (insert i z d) = G z d) ->
    INR (S n) * Expect (iid n) (fun d => Expect P (fun z => G z d)) = Expect (iid (S n)) (fun w => sum (S n) (fun i => H i w)).
  Proof.
    intro HH. rewrite Expect_sum, <- (sum_const (S n)). apply sum_ext. intros i Hi.
    rewrite (insert_anywhere i n (H i)) by lia.
    assert (Hlen : Forall (fun pw => length (snd pw) = n) (iid n)).
    { clear. induction n as [|n IH]; simpl; [repeat constructor|]. unfold bind.
      induction IH as [|[p d] l Hd Hl IHl]; simpl; [constructor|]. simpl in Hd.
      apply Forall_app. split; [|exact IHl]. clear IHl Hl.
      unfold scale. apply Forall_map. apply Forall_forall. intros [q w] Hin.
      simpl. apply in_flat_map in Hin || idtac.
      revert Hin. clear -Hd. induction P as [|[s z] P' IHP]; simpl; intro Hin; [contradiction|].
      destruct Hin as [Hin|Hin]; [inversion Hin; subst; reflexivity|]. apply IHP. exact Hin. }
    induction Hlen as [|[p d] l Hd Hl IHl]; simpl; [reflexivity|]. rewrite IHl. f_equal. f_equal.
    apply Expect_ext. intro z. symmetry. apply HH; [exact Hd|lia].
  Qed.
End IID.

(** ** Lists: what holds on the support of a law *)
Lemma Expect_ext_on_support {X} (d : list (R * X)) F G : Forall (fun pw => F (snd pw) = G (snd pw)) d -> Expect d F = Expect d G.
Proof. intro H. induction H as [|[p x] d Hx Hd IH]; simpl; [reflexivity|]. simpl in Hx. rewrite Hx, IH. reflexivity. Qed.
Lemma Forall_bind {X Y} (Pr : Y -> Prop) (d : list (R * X)) (k : X -> list (R * Y)) :
  Forall (fun pw => Forall (fun qy => Pr (snd qy)) (k (snd pw))) d -> Forall (fun qy => Pr (snd qy)) (bind d k).
Proof.
  intro H. unfold bind. induction H as [|[p x] d Hx Hd IH]; simpl; [constructor|]. apply Forall_app. split; [|exact IH].
  unfold scale. apply Forall_map. eapply Forall_impl; [|exact Hx]. intros [q y] Hy. exact Hy.
Qed.

(** ** Taking a point out *)
(** Index j of the n points that remain when point i of n+1 is taken out. *)
Definition skip (i j : nat) : nat := if lt_dec j i then j else S j.
Lemma sum_skip g : forall n i, (i <= n)%nat -> sum (S n) (fun j => if Nat.eq_dec j i then 0 else g j) = sum n (fun j => g (skip i j)).
Proof.
  intros n i Hi. pose proof (sum_delta (S n) i g ltac:(lia)) as Hd.
  assert (H1 : sum (S n) (fun j => if Nat.eq_dec j i then 0 else g j) = sum (S n) g - g i).
  { rewrite <- Hd. rewrite <- sum_minus. apply sum_ext. intros j _. destruct (Nat.eq_dec j i); ring. }
  rewrite H1. clear H1 Hd. revert i Hi. induction n as [|n IH]; intros i Hi.
  - assert (i = 0)%nat by lia. subst. simpl. ring.
  - change (sum (S (S n)) g) with (sum (S n) g + g (S n)).
    change (sum (S n) (fun j => g (skip i j))) with (sum n (fun j => g (skip i j)) + g (skip i n)).
    destruct (Nat.eq_dec i (S n)) as [->|Hn].
    + unfold skip at 2. destruct (lt_dec n (S n)); [|lia].
      rewrite (sum_ext n (fun j => g (skip (S n) j)) g).
      * simpl. ring.
      * intros j Hj. unfold skip. destruct (lt_dec j (S n)); [reflexivity|lia].
    + rewrite <- (IH i) by lia. unfold skip. destruct (lt_dec n i); [lia|]. ring.
Qed.
Lemma nth_insert_same {Z} i : forall (z : Z) d dflt, (i <= length d)%nat -> nth i (insert i z d) dflt = z.
Proof. induction i as [|i IH]; intros z [|y d] dflt H; simpl in *; try reflexivity; try lia. apply IH. lia. Qed.
Lemma nth_insert_skip {Z} i : forall j (z : Z) d dflt, (i <= length d)%nat -> nth (skip i j) (insert i z d) dflt = nth j d dflt.
Proof.
  induction i as [|i IH]; intros j z d dflt H; [reflexivity|].
  destruct d as [|y d]; simpl in H; [lia|]. destruct j as [|j].
  - reflexivity.
  - specialize (IH j z d dflt ltac:(lia)). unfold skip in *. destruct (lt_dec j i); destruct (lt_dec (S j) (S i)); try lia; simpl; exact IH.
Qed.

(** a draw of a + b is a draw of b and one of a *)
Lemma iid_plus {Z} (P : list (R * Z)) a b F :
  Expect (iid P (a + b)) F = Expect (iid P b) (fun l => Expect (iid P a) (fun d => F (d ++ l))).
Proof.
  revert F. induction a as [|a IH]; intro F.
  - simpl. apply Expect_ext. intro l. lra.
  - change (S a + b)%nat with (S (a + b)). rewrite Expect_iid_S, IH. apply Expect_ext. intro l.
    rewrite Expect_iid_S. reflexivity.
Qed.
