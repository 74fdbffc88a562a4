(** * The rule that the product plays: the largest rate that the version space allows

    After every epoch, in every context: p plays what is in use, f is what the FL routine learned,

        U = max over the version space of sum_a p(a|x) (f - F_j)(x,a)^2,     gamma' = min(most, g sqrt(K/U)),     most if U = 0,

    and (gamma', f) is adopted if gamma' is above the rate in use.  This rule is sound, so [adaptive_observed] holds for it
    ([version_rule_observed]) without any further hypothesis: rates chosen from the data, and a bound on the regret of this very run.  *)
From Coq Require Import Reals Lra Lia Psatz List Arith.
From FedIGW Require Import FiniteSums FiniteProbability InverseGapWeighting BestParameters Protocol FiniteError VersionSpace AdaptiveRates.
Import ListNotations.
Open Scope R_scope.

(** max(0, u_0, ..., u_{n-1}) *)
Fixpoint largest (n : nat) (u : nat -> R) : R := match n with O => 0 | S k => Rmax (largest k u) (u k) end.
Lemma largest_ge n u j : (j < n)%nat -> u j <= largest n u.
Proof.
  induction n as [|n IH]; intro Hj; [lia|]. simpl. destruct (Nat.eq_dec j n) as [->|]; [apply Rmax_r|].
  eapply Rle_trans; [apply IH; lia|apply Rmax_l].
Qed.

Section Rule.
  Variables (M : nat) (X K : nat -> nat) (N : nat) (F : nat -> estimate) (g b most : R).
  Hypothesis HK : forall m, (1 <= K m)%nat.
  (** what the FL routine has learned after epoch l *)
  Variable learned : nat -> run -> estimate.
  Hypothesis Hlearned : forall l h k v, (l < k)%nat -> learned l (update h k v) = learned l h.

  (** F_j is in the version space after epoch l *)
  Definition is_kept (l : nat) (h : run) (j : nat) : bool :=
    forallb (fun l' => forallb (fun i => if Rle_dec (cumulative M l' h (F j)) (cumulative M l' h (F i) + b) then true else false) (seq 0 N))
      (seq 0 (S l)).
  Lemma kept_is_kept l h j : kept M N F b l h j -> is_kept l h j = true.
  Proof.
    intro H. apply forallb_forall. intros l' Hl'. apply in_seq in Hl'. apply forallb_forall. intros i Hi. apply in_seq in Hi.
    destruct (Rle_dec _ _) as [_|n]; [reflexivity|]. exfalso. apply n. apply H; lia.
  Qed.
  Lemma is_kept_later l k h v j : (l < k)%nat -> is_kept l (update h k v) j = is_kept l h j.
  Proof.
    intro Hk. unfold is_kept. assert (E : forall l', In l' (seq 0 (S l)) ->
      forallb (fun i => if Rle_dec (cumulative M l' (update h k v) (F j)) (cumulative M l' (update h k v) (F i) + b) then true else false) (seq 0 N) =
      forallb (fun i => if Rle_dec (cumulative M l' h (F j)) (cumulative M l' h (F i) + b) then true else false) (seq 0 N)).
    { intros l' Hl'. apply in_seq in Hl'. induction (seq 0 N) as [|i s IH]; [reflexivity|]. cbn [forallb]. f_equal; [|exact IH].
      rewrite !cumulative_later by lia. reflexivity. }
    induction (seq 0 (S l)) as [|l' s IH]; [reflexivity|]. cbn [forallb]. rewrite (E l') by (left; reflexivity).
    f_equal. apply IH. intros i Hi. apply E. right. exact Hi.
  Qed.

  (** U, and the rate it allows *)
  Definition squared_distance (m x : nat) (s : in_use) (f f' : nat -> R) : R :=
    sum (K m) (fun a => igw (K m) (fst s) (snd s) a * ((f a - f' a) * (f a - f' a))).
  Definition largest_error (l : nat) (h : run) (m x : nat) (s : in_use) : R :=
    largest N (fun j => if is_kept l h j then squared_distance m x s (learned l h m x) (F j m x) else 0).
  Definition allowed_rate (k : nat) (U : R) : R := if Rlt_dec 0 U then Rmin most (g * sqrt (INR k / U)) else most.
  Definition proposal (l : nat) (h : run) (m x : nat) (s : in_use) : in_use :=
    (allowed_rate (K m) (largest_error l h m x s), learned l h m x).

  (** what is in use in epoch l *)
  Fixpoint version_state (l : nat) (h : run) (m x : nat) : in_use :=
    match l with
    | O => uniform_play
    | S l' => match l' with
      | O => uniform_play
      | _ => let s := version_state l' h m x in
             if Rlt_dec (fst s) (fst (proposal l' h m x s)) then proposal l' h m x s else s
      end
    end.
  Definition version_next (l : nat) (h : run) (m x : nat) : option in_use :=
    let s := version_state l h m x in
    if Rlt_dec (fst s) (fst (proposal l h m x s)) then Some (proposal l h m x s) else None.

  Lemma version_state_is_state l h m x : state version_next l h m x = version_state l h m x.
  Proof.
    induction l as [|l IH]; [reflexivity|]. cbn [state version_state]. destruct l as [|l]; [reflexivity|]. rewrite IH. unfold version_next.
    cbv zeta. destruct (Rlt_dec _ _); reflexivity.
  Qed.
  Lemma proposal_later l k h v m x s : (l < k)%nat -> proposal l (update h k v) m x s = proposal l h m x s.
  Proof.
    intro Hk. unfold proposal, largest_error. rewrite Hlearned by exact Hk. f_equal. f_equal.
    induction N as [|n IH]; [reflexivity|]. simpl. rewrite IH, is_kept_later by exact Hk. reflexivity.
  Qed.
  Lemma version_state_later l k h v m x : (l <= k)%nat -> version_state l (update h k v) m x = version_state l h m x.
  Proof.
    induction l as [|l IH]; intro Hl; [reflexivity|]. cbn [version_state]. destruct l as [|l]; [reflexivity|].
    rewrite IH by lia. cbv zeta. rewrite proposal_later by lia. reflexivity.
  Qed.
  Lemma state_rate_nonneg l h m x : 0 <= fst (version_state l h m x).
  Proof.
    induction l as [|l IH]; [simpl; lra|]. cbn [version_state]. destruct l as [|l]; [simpl; lra|]. cbv zeta.
    destruct (Rlt_dec _ _); [lra|exact IH].
  Qed.

  (** The rule is sound. *)
  Theorem version_rule_sound l h m x gamma' f' : version_next l h m x = Some (gamma', f') ->
    let s := version_state l h m x in
    0 < gamma' /\ fst s <= gamma' /\
    forall j, (j < N)%nat -> kept M N F b l h j -> gamma' ^ 2 * squared_distance m x s f' (F j m x) <= g ^ 2 * INR (K m).
  Proof.
    intros H s. unfold version_next in H. cbv zeta in H. fold s in H. destruct (Rlt_dec (fst s) (fst (proposal l h m x s))) as [Hlt|]; [|discriminate].
    injection H as Eg Ef. pose proof (state_rate_nonneg l h m x) as Hs. fold s in Hs. cbn [fst proposal] in Hlt. rewrite Eg in Hlt.
    split; [lra|]. split; [lra|]. intros j Hj Hkept. set (d := squared_distance m x s f' (F j m x)).
    set (U := largest_error l h m x s).
    assert (HdU : d <= U).
    { unfold U, largest_error. eapply Rle_trans; [|apply (largest_ge N _ j Hj)]. cbv beta. rewrite kept_is_kept by exact Hkept. rewrite Ef. unfold d. lra. }
    assert (Hk0 : 0 < INR (K m)) by (apply lt_0_INR; pose proof (HK m); lia). pose proof (pow2_ge_0 gamma') as Hg2. pose proof (pow2_ge_0 g) as Hgg.
    unfold allowed_rate in Eg. fold U in Eg. destruct (Rlt_dec 0 U) as [HU|HU].
    - assert (Hle : gamma' <= g * sqrt (INR (K m) / U)) by (rewrite <- Eg; apply Rmin_r).
      assert (Hsq : gamma' ^ 2 <= g ^ 2 * (INR (K m) / U)).
      { apply Rle_trans with ((g * sqrt (INR (K m) / U)) ^ 2); [apply pow_incr; lra|].
        rewrite Rpow_mult_distr, pow2_sqrt; [lra|]. left. apply Rdiv_lt_0_compat; assumption. }
      apply Rle_trans with (gamma' ^ 2 * U); [apply Rmult_le_compat_l; assumption|].
      apply Rle_trans with (g ^ 2 * (INR (K m) / U) * U); [apply Rmult_le_compat_r; lra|]. right. field. lra.
    - assert (gamma' ^ 2 * d <= 0) by nra. nra.
  Qed.
End Rule.

(** What the run shows once more: the largest regret that it would have if a function of the version space after epoch l were the truth. *)
Definition regret_if (M : nat) (X K : nat -> nat) (D : nat -> nat -> R) (L : nat) (len : nat -> nat -> nat) (truth : estimate) (w : run) : R :=
  sum L (fun i => over_epoch M X D len (S i) (fun m x => sum (K m) (fun a => igw (K m) 1 (fhat (S i) w m x) a * gap (K m) (truth m x) a))).
Definition confidence (M : nat) (X K : nat -> nat) (D : nat -> nat -> R) (L : nat) (len : nat -> nat -> nat) (N : nat) (F : nat -> estimate)
    (b : R) (l : nat) (w : run) : R :=
  largest N (fun j => if is_kept M N F b l w j then regret_if M X K D L len (F j) w else 0).
Lemma argmax_ext n f g : (forall a, f a = g a) -> argmax n f = argmax n g.
Proof. intro H. induction n as [|n IH]; [reflexivity|]. cbn [argmax]. rewrite IH, !H. reflexivity. Qed.

(** Rates from the data by the version space: with probability 1 - delta the regret of the run is at most
    sum_l sum_m E^l_m E_x min(1, C(g) K/gamma^l(x)), gamma^l(x) the rate in use (1 - 1/K while play is uniform), all of which the run
    shows, and at most the largest regret that it would have under a function of the version space after any epoch l.  Any FL routine
    may have learned the estimates. *)
Theorem version_rule_observed (M : nat) (X K : nat -> nat) (D : nat -> nat -> R) (reward_law : nat -> nat -> nat -> list (R * R))
  (L : nat) (len : nat -> nat -> nat) (N jstar : nat) (F : nat -> estimate) (g delta most : R) (learned : nat -> run -> estimate) :
  (1 <= M)%nat -> (forall m, (2 <= K m)%nat) ->
  (forall m x, (x < X m)%nat -> 0 <= D m x) -> (forall m, sum (X m) (D m) = 1) ->
  (forall m x a, distribution (reward_law m x a)) ->
  (forall m x a, Forall (fun pr => 0 <= snd pr <= 1) (reward_law m x a)) ->
  (2 <= N)%nat -> (forall j m x a, (j < N)%nat -> 0 <= F j m x a <= 1) ->
  (jstar < N)%nat -> (forall m x a, F jstar m x a = fstar reward_law m x a) ->
  0 < delta <= 1 ->
  (forall l h k v, (l < k)%nat -> learned l (update h k v) = learned l h) ->
  let rule := version_next M K N F g (threshold (INR N) delta) most learned in
  except_with_probability delta (run_law M X K D reward_law len (fun _ => 1) (adaptive_routine rule) L)
    (fun w => forall l, (l <= L)%nat -> run_regret M X K D reward_law L len w <=
      Rmin (observed M X K D L len g rule w) (confidence M X K D L len N F (threshold (INR N) delta) l w)).
Proof.
  intros HM HK HD0 HD1 HR H1 HN HF01 Hjstar Hreal Hdelta Hlearned rule.
  assert (HK1 : forall m, (1 <= K m)%nat) by (intro m; pose proof (HK m); lia).
  assert (Hpast : forall l h k v m x, (l < k)%nat -> rule l (update h k v) m x = rule l h m x).
  { intros l h k v m x Hk. unfold rule, version_next. cbv zeta.
    rewrite version_state_later by (auto; lia). rewrite proposal_later by auto. reflexivity. }
  destruct (adaptive_outside M X K D reward_law HM HK HD0 HD1 HR H1 L len N jstar F HN HF01 Hjstar Hreal g delta Hdelta rule Hpast) as [bad [Hp Hgood]].
  { intros l h m x gamma' f' _ _ _ E. unfold rule. rewrite version_state_is_state.
    apply (version_rule_sound M K N F g (threshold (INR N) delta) most HK1 learned l h m x gamma' f' E). }
  exists bad. split; [exact Hp|]. eapply Forall_impl; [|exact Hgood]. intros [p w] Hw Hbad l Hl. cbn [snd] in *.
  destruct (Hw Hbad) as [Hkept Hobserved]. apply Rmin_glb; [exact Hobserved|]. unfold confidence.
  eapply Rle_trans; [|apply (largest_ge N _ jstar Hjstar)]. cbv beta.
  rewrite kept_is_kept by (intros l' i Hl' Hi; apply Hkept; [lia|exact Hi]).
  right. unfold run_regret, regret_if, regret_of. apply sum_ext. intros i _. unfold over_epoch. apply sum_ext. intros m _. f_equal.
  apply sum_ext. intros x _. f_equal. apply sum_ext. intros a _. f_equal. unfold gap.
  rewrite (argmax_ext (K m) (F jstar m x) (fstar reward_law m x)) by (intro; apply Hreal). rewrite !Hreal. reflexivity.
Qed.
