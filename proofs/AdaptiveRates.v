(** * Learning rates chosen from the data

    The pathwise theorem (PathwiseClaim.v) holds in every run, for every context and all learning rates that grow, also for rates that
    were chosen after looking at the data.  So the rate of a context may be set from what is known of the error there:

        gamma(x)^2 sum_a p(a|x) (f(x,a) - F_j(x,a))^2 <= g^2 K       for every F_j of the version space (VersionSpace.v),     ([sound])

    where p plays what is in use and f is the new estimate; if no larger rate is to be had, the old estimate and the old rate are kept.

    Main results:
    [pathwise_adaptive]     one context, one run:  gamma sum_a p(a) (regret of a) <= C(g) K for the estimate and rate in use,
                            C(g) = 1/2 + 9 g^2/4 for two arms, max(1 - 1/K, 1 - 2/K + 0.44284) + 2.51493 g^2 for more
    [adaptive_observed]     with probability 1 - delta the regret of the run is at most what the run itself shows:
                            sum over epochs, agents and contexts of  min(1, C(g) K/gamma(x)),  1 - 1/K where play is uniform
    [adaptive_regret]       so Reg(T) <= E[what the run shows] + delta sum_l W^l.

    Notes: regret is that of the kernels played, sum_l E[regret of epoch l | what is played].  The decision rule [next] is any function
    of the past with [sound]; nothing is said of epoch lengths, the same rates for all contexts, or how f was found.  It is a run in the
    sense of Protocol.v at rate 1, of the estimate times its rate.                                                                    *)
From Coq Require Import Reals Lra Lia Psatz List Arith.
From FedIGW Require Import FiniteSums FiniteProbability InverseGapWeighting BackwardChain BestParameters LastEpoch PathwiseClaim TwoArms
  BestRegret Protocol FiniteError Exchangeability VersionSpace.
Import ListNotations.
Open Scope R_scope.

(** C(g) at k arms *)
Definition adaptive_constant (k : nat) (g : R) : R := if Nat.eq_dec k 2 then two_arm_constant g else best_constant (INR k) g.

(** ** One context, one run *)
Section OneContext.
  Variables (K : nat) (fstar : nat -> R) (g : R).
  Hypothesis HK : (2 <= K)%nat.

  (** estimates f_1 = 0, f_2, ..., f_n adopted one after the other at rates that grow, each good under the play of the one before *)
  Record adopted (n : nat) (gamma : nat -> R) (f : nat -> nat -> R) : Prop := {
    adopted_first : forall a, f 1%nat a = 0;
    adopted_positive : forall i, (2 <= i <= n)%nat -> 0 < gamma i;
    adopted_grow : forall i, (2 <= i)%nat -> (S i <= n)%nat -> gamma i <= gamma (S i);
    adopted_risk : forall i, (1 <= i)%nat -> (S i <= n)%nat -> scaled_risk K fstar f gamma i <= g ^ 2 * INR K
  }.

  Section Risks.
    Variables (n : nat) (gamma : nat -> R) (f : nat -> nat -> R).
    Hypothesis H : adopted n gamma f.
    Let B := g ^ 2 * INR K.
    Let HB : 0 <= B.
    Proof. apply Rmult_le_pos; [apply pow2_ge_0|apply pos_INR]. Qed.
    Lemma past_risks_bounded p : closes p -> forall l N, (l <= n)%nat -> 0 <= N ->
      past_risks K fstar f gamma (decay p) (spread p) N l <= spread p * N / (4 * decay p * (1 - decay p)) * B.
    Proof.
      intro Hp. pose proof (decay_pos p Hp) as H0. pose proof (decay_lt_1 p Hp) as H1. pose proof (E8 p Hp) as H8.
      induction l as [|[|l] IH]; intros N Hl HN.
      - simpl. apply Rmult_le_pos; [|exact HB]. apply Rmult_le_pos; [nra|]. left. apply Rinv_0_lt_compat. nra.
      - simpl. apply Rmult_le_pos; [|exact HB]. apply Rmult_le_pos; [nra|]. left. apply Rinv_0_lt_compat. nra.
      - change (past_risks K fstar f gamma (decay p) (spread p) N (S (S l))) with
          (spread p * N / (4 * decay p) * scaled_risk K fstar f gamma (S l) + past_risks K fstar f gamma (decay p) (spread p) (decay p * N) (S l)).
        pose proof (IH (decay p * N) ltac:(lia) ltac:(nra)) as F. pose proof (adopted_risk _ _ _ H (S l) ltac:(lia) ltac:(lia)) as Fr. fold B in Fr.
        assert (Hk : 0 <= spread p * N / (4 * decay p)) by (apply Rmult_le_pos; [nra|left; apply Rinv_0_lt_compat; lra]).
        apply (Rmult_le_compat_l (spread p * N / (4 * decay p))) in Fr; [|exact Hk].
        eapply Rle_trans; [apply Rplus_le_compat; [exact Fr|exact F]|]. right. field. split; lra.
    Qed.
    Lemma all_risks_bounded p l : closes p -> (1 <= l)%nat -> (S l <= n)%nat -> all_risks K fstar f gamma p l <= risk_constant p * B.
    Proof.
      intros Hp H1 Hn. pose proof (last_pos p Hp) as Hl. pose proof (previous_pos p Hp) as Hl'. pose proof (n_pos p Hp) as Hs.
      pose proof (decay_pos p Hp) as Hd0. pose proof (decay_lt_1 p Hp) as Hd1. pose proof (E8 p Hp) as H8.
      pose proof (adopted_risk _ _ _ H l H1 Hn) as F. fold B in F. apply (Rmult_le_compat_l (last_multiplier p)) in F; [|lra].
      assert (Hrest : 0 <= spread p * start_size p / (4 * decay p * (1 - decay p))).
      { apply Rmult_le_pos; [nra|]. left. apply Rinv_0_lt_compat. nra. }
      unfold all_risks, risk_constant. destruct l as [|[|l]]; [lia|nra|].
      pose proof (adopted_risk _ _ _ H (S l) ltac:(lia) ltac:(lia)) as F'. fold B in F'.
      apply (Rmult_le_compat_l (previous_multiplier p)) in F'; [|lra].
      pose proof (past_risks_bounded p Hp (S l) (start_size p) ltac:(lia) ltac:(lra)) as F''. lra.
    Qed.
  End Risks.
End OneContext.

(** Two arms: the multipliers add up to 9/4. *)
Section TwoArmRisks.
  Variables (fstar : nat -> R) (g : R) (n : nat) (gamma : nat -> R) (f : nat -> nat -> R).
  Hypothesis H : adopted 2 fstar g n gamma f.
  Let B := g ^ 2 * INR 2.
  Let HB : 0 <= B.
  Proof. apply Rmult_le_pos; [apply pow2_ge_0|apply pos_INR]. Qed.
  Lemma pair_risks_bounded l : forall N, (l <= n)%nat -> 0 <= N -> pair_risks fstar f gamma N l <= 9 / 5 * N * B.
  Proof.
    induction l as [|[|l] IH]; intros N Hl HN; [simpl; nra|simpl; nra|].
    change (pair_risks fstar f gamma N (S (S l))) with (3 / 2 * N * scaled_risk 2 fstar f gamma (S l) + pair_risks fstar f gamma (N / 6) (S l)).
    pose proof (IH (N / 6) ltac:(lia) ltac:(lra)) as F. pose proof (adopted_risk _ _ _ _ _ _ H (S l) ltac:(lia) ltac:(lia)) as Fr. fold B in Fr.
    apply (Rmult_le_compat_l (3 / 2 * N)) in Fr; [|lra]. lra.
  Qed.
  Lemma two_arm_risks_bounded l : (1 <= l)%nat -> (S l <= n)%nat -> two_arm_risks fstar f gamma l <= 9 / 4 * B.
  Proof.
    intros H1 Hn. pose proof (adopted_risk _ _ _ _ _ _ H l H1 Hn) as F. fold B in F. unfold two_arm_risks.
    destruct l as [|[|l]]; [lia|lra|]. pose proof (adopted_risk _ _ _ _ _ _ H (S l) ltac:(lia) ltac:(lia)) as F'. fold B in F'.
    pose proof (pair_risks_bounded (S l) (5 / 144) ltac:(lia) ltac:(lra)). lra.
  Qed.
End TwoArmRisks.

(** The pathwise theorem for adopted estimates: gamma_n sum_a p^n(a) (regret of a) <= C(g) K. *)
Theorem pathwise_adaptive K fstar g n gamma f : (2 <= K)%nat -> (2 <= n)%nat -> adopted K fstar g n gamma f ->
  gamma n * sum K (fun a => igw K (gamma n) (f n) a * gap K fstar a) <= adaptive_constant K g * INR K.
Proof.
  intros HK Hn H. destruct n as [|l]; [lia|]. unfold adaptive_constant. destruct (Nat.eq_dec K 2) as [->|_].
  - pose proof (pathwise_two_arms (S l) fstar f gamma (adopted_first _ _ _ _ _ _ H) (adopted_positive _ _ _ _ _ _ H)
      (adopted_grow _ _ _ _ _ _ H) l ltac:(lia) (le_n _)) as F.
    pose proof (two_arm_risks_bounded fstar g (S l) gamma f H l ltac:(lia) (le_n _)) as F'.
    unfold two_arm_constant. change (INR 2) with (1 + 1) in *. unfold play, true_gap in F. lra.
  - pose proof (pathwise_claim K (S l) fstar f gamma HK (adopted_first _ _ _ _ _ _ H) (adopted_positive _ _ _ _ _ _ H)
      (adopted_grow _ _ _ _ _ _ H) any_schedule any_schedule_closes l ltac:(lia) (le_n _)) as F.
    pose proof (all_risks_bounded K fstar g HK (S l) gamma f H any_schedule l any_schedule_closes ltac:(lia) (le_n _)) as F'.
    rewrite all_arms_part in F by lia. rewrite any_schedule_arms in F. rewrite any_schedule_risk in F'.
    assert (Hratio : (2 <= l)%nat -> gamma l <= rate_ratio any_schedule * gamma (S l)).
    { intro Hl. cbn. rewrite Rmult_1_l. apply (adopted_grow _ _ _ _ _ _ H); lia. }
    specialize (F Hratio). unfold play, true_gap in F. unfold best_constant. unfold arms_part in F. lra.
Qed.

(** ** What is in use in a context: a rate and an estimate *)
Definition in_use : Type := (R * (nat -> R))%type.
Definition uniform_play : in_use := (0, fun _ => 0).

(** Rate 1 of the estimate times its rate is the estimate at its rate. *)
Lemma argmax_times g f n : 0 < g -> argmax n (fun a => g * f a) = argmax n f.
Proof.
  intro Hg. induction n as [|n IH]; [reflexivity|]. cbn [argmax]. rewrite IH.
  destruct (Rlt_dec (g * f (argmax n f)) (g * f n)) as [A|A]; destruct (Rlt_dec (f (argmax n f)) (f n)) as [B|B]; try reflexivity; exfalso; nra.
Qed.
Lemma igw_rate_zero K f a : (1 <= K)%nat -> (a < K)%nat -> igw K 0 f a = / INR K.
Proof.
  intros HK Ha. assert (H1 : 1 <= INR K) by (replace 1 with (INR 1) by reflexivity; apply le_INR; exact HK).
  assert (Hoff : forall b, igw_off_greedy K 0 f b = / INR K) by (intro b; unfold igw_off_greedy; f_equal; ring).
  unfold igw. destruct (Nat.eq_dec a (argmax K f)); [|apply Hoff].
  rewrite (sum_ext K _ (fun b => / INR K - (if Nat.eq_dec b (argmax K f) then / INR K else 0))).
  - rewrite sum_minus, sum_const, sum_delta by (apply argmax_lt; exact HK). field. lra.
  - intros b _. rewrite Hoff. destruct (Nat.eq_dec b (argmax K f)); ring.
Qed.
Lemma igw_times K g f a : (1 <= K)%nat -> (a < K)%nat -> 0 <= g -> igw K 1 (fun b => g * f b) a = igw K g f a.
Proof.
  intros HK Ha [Hg|<-].
  - unfold igw. rewrite argmax_times by exact Hg.
    assert (E : forall b, igw_off_greedy K 1 (fun b => g * f b) b = igw_off_greedy K g f b).
    { intro b. unfold igw_off_greedy, gap. rewrite argmax_times by exact Hg. f_equal. ring. }
    destruct (Nat.eq_dec a (argmax K f)); [|apply E]. f_equal. apply sum_ext. intros b _. rewrite E. reflexivity.
  - rewrite igw_rate_zero by assumption. apply igw_uniform; auto. intro i. ring.
Qed.

(** s came about by adopting estimates one after the other, as above *)
Definition well_founded (K : nat) (fstar : nat -> R) (g : R) (s : in_use) : Prop :=
  s = uniform_play \/ exists n gamma f, (2 <= n)%nat /\ adopted K fstar g n gamma f /\ fst s = gamma n /\ snd s = f n.
Lemma adopt K fstar g s gamma' f' : (1 <= K)%nat -> well_founded K fstar g s -> 0 < gamma' -> fst s <= gamma' ->
  gamma' ^ 2 * sum K (fun a => igw K (fst s) (snd s) a * ((f' a - fstar a) * (f' a - fstar a))) <= g ^ 2 * INR K ->
  well_founded K fstar g (gamma', f').
Proof.
  intros HK Hs Hpos Hle Hrisk. right. rewrite <- sum_scal in Hrisk. destruct Hs as [->|[n [gamma [f [Hn [Ha [E1 E2]]]]]]].
  - exists 2%nat, (fun _ => gamma'), (fun i => if Nat.eq_dec i 2 then f' else fun _ => 0). split; [lia|]. split; [|split; reflexivity].
    constructor.
    + reflexivity.
    + intros. exact Hpos.
    + intros. lra.
    + intros i H1 H2. replace i with 1%nat by lia. eapply Rle_trans; [|exact Hrisk]. right. unfold scaled_risk, play, deviation.
      apply sum_ext. intros a Ha. cbn [Nat.eq_dec fst snd uniform_play]. simpl.
      rewrite !igw_uniform by auto. ring.
  - exists (S n), (fun i => if Nat.eq_dec i (S n) then gamma' else gamma i), (fun i => if Nat.eq_dec i (S n) then f' else f i).
    assert (Eold : forall i, (i <= n)%nat -> (if Nat.eq_dec i (S n) then gamma' else gamma i) = gamma i)
      by (intros i Hi; destruct (Nat.eq_dec i (S n)); [lia|reflexivity]).
    assert (Eold' : forall i, (i <= n)%nat -> (if Nat.eq_dec i (S n) then f' else f i) = f i)
      by (intros i Hi; destruct (Nat.eq_dec i (S n)); [lia|reflexivity]).
    assert (Enew : (if Nat.eq_dec (S n) (S n) then gamma' else gamma (S n)) = gamma') by (destruct (Nat.eq_dec (S n) (S n)); [reflexivity|lia]).
    assert (Enew' : (if Nat.eq_dec (S n) (S n) then f' else f (S n)) = f') by (destruct (Nat.eq_dec (S n) (S n)); [reflexivity|lia]).
    split; [lia|]. split; [|cbn [fst snd]; rewrite Enew, Enew'; split; reflexivity]. constructor.
    + intro a. rewrite Eold' by lia. apply (adopted_first _ _ _ _ _ _ Ha).
    + intros i Hi. destruct (Nat.eq_dec i (S n)); [exact Hpos|]. apply (adopted_positive _ _ _ _ _ _ Ha). lia.
    + intros i Hi1 Hi2. rewrite (Eold i) by lia. destruct (Nat.eq_dec i n) as [->|].
      * rewrite Enew, <- E1. exact Hle.
      * rewrite Eold by lia. apply (adopted_grow _ _ _ _ _ _ Ha); lia.
    + intros i Hi1 Hi2. unfold scaled_risk, play, deviation. rewrite (Eold i), (Eold' i) by lia. destruct (Nat.eq_dec i n) as [->|].
      * rewrite Enew, Enew', <- E1, <- E2. eapply Rle_trans; [|exact Hrisk]. right. apply sum_ext. intros a _. ring.
      * rewrite (Eold (S i)), (Eold' (S i)) by lia. apply (adopted_risk _ _ _ _ _ _ Ha); lia.
Qed.

(** What a step in a context is charged: min(1, C(g) K/gamma), or 1 - 1/K while play is uniform. *)
Definition step_charge (k : nat) (g : R) (s : in_use) : R :=
  if Rlt_dec 0 (fst s) then Rmin 1 (adaptive_constant k g * INR k / fst s) else 1 - / INR k.

Lemma charged K fstar g s : (2 <= K)%nat -> (forall a, (a < K)%nat -> gap K fstar a <= 1) -> well_founded K fstar g s ->
  0 <= fst s /\ sum K (fun a => igw K (fst s) (snd s) a * gap K fstar a) <= step_charge K g s.
Proof.
  intros HK Hgap Hs. assert (HK1 : 2 <= INR K) by (change 2 with (INR 2); apply le_INR; exact HK). unfold step_charge.
  destruct Hs as [->|[n [gamma [f [Hn [Ha [E1 E2]]]]]]].
  - cbn [fst snd uniform_play]. split; [lra|]. destruct (Rlt_dec 0 0); [lra|]. set (b := argmax K fstar).
    apply Rle_trans with (sum K (fun a => / INR K - (if Nat.eq_dec a b then / INR K else 0))).
    + apply sum_le. intros a Ha. rewrite igw_uniform by (auto; lia). assert (0 < / INR K) by (apply Rinv_0_lt_compat; lra).
      destruct (Nat.eq_dec a b) as [->|_]; [unfold b; rewrite gap_best; lra|]. pose proof (Hgap a Ha). nra.
    + rewrite sum_minus, sum_const, sum_delta by (apply argmax_lt; lia). right. field. lra.
  - pose proof (adopted_positive _ _ _ _ _ _ Ha n ltac:(lia)) as Hp. rewrite E1, E2. split; [lra|]. destruct (Rlt_dec 0 (gamma n)); [|lra].
    apply Rmin_glb.
    + apply Rle_trans with (sum K (igw K (gamma n) (f n))); [|rewrite igw_total by lia; lra]. apply sum_le. intros a Haa.
      pose proof (igw_pos K (gamma n) (f n) ltac:(lia) ltac:(lra) a Haa). pose proof (Hgap a Haa). nra.
    + pose proof (pathwise_adaptive K fstar g n gamma f HK Hn Ha) as F. apply (Rmult_le_reg_l (gamma n)); [exact Hp|].
      replace (gamma n * (adaptive_constant K g * INR K / gamma n)) with (adaptive_constant K g * INR K) by (field; lra). exact F.
Qed.

(** ** The run *)
Section Adaptive.
  Variables (M : nat) (X K : nat -> nat) (D : nat -> nat -> R) (reward_law : nat -> nat -> nat -> list (R * R)).
  Hypothesis HM : (1 <= M)%nat.
  Hypothesis HK : forall m, (2 <= K m)%nat.
  Hypothesis HD0 : forall m x, (x < X m)%nat -> 0 <= D m x.
  Hypothesis HD1 : forall m, sum (X m) (D m) = 1.
  Hypothesis HR : forall m x a, distribution (reward_law m x a).
  (** H1: rewards in [0,1] *)
  Hypothesis H1 : forall m x a, Forall (fun pr => 0 <= snd pr <= 1) (reward_law m x a).
  Variables (L : nat) (len : nat -> nat -> nat).
  (** the class; fstar is its member jstar *)
  Variables (N jstar : nat) (F : nat -> estimate).
  Hypothesis HN : (2 <= N)%nat.
  Hypothesis HF01 : forall j m x a, (j < N)%nat -> 0 <= F j m x a <= 1.
  Hypothesis Hjstar : (jstar < N)%nat.
  Hypothesis Hreal : forall m x a, F jstar m x a = fstar reward_law m x a.
  Variables (g delta : R).
  Hypothesis Hdelta : 0 < delta <= 1.

  (** [next l h m x]: after epoch l, agent m in context x adopts a rate and an estimate, or (None) keeps what is in use *)
  Variable next : nat -> run -> nat -> nat -> option in_use.
  Hypothesis Hpast : forall l h k v m x, (l < k)%nat -> next l (update h k v) m x = next l h m x.
  (** what is in use in epoch l *)
  Fixpoint state (l : nat) (h : run) (m x : nat) : in_use :=
    match l with
    | O => uniform_play
    | S l' => match l' with O => uniform_play | _ => match next l' h m x with Some s => s | None => state l' h m x end end
    end.
  (** an estimate is adopted only at a larger rate, and only if it is close enough to everything in the version space *)
  Hypothesis sound : forall l h m x gamma' f', (1 <= l)%nat -> (m < M)%nat -> (x < X m)%nat -> next l h m x = Some (gamma', f') ->
    0 < gamma' /\ fst (state l h m x) <= gamma' /\
    forall j, (j < N)%nat -> kept M N F (threshold (INR N) delta) l h j ->
      gamma' ^ 2 * sum (K m) (fun a => igw (K m) (fst (state l h m x)) (snd (state l h m x)) a * ((f' a - F j m x a) * (f' a - F j m x a)))
      <= g ^ 2 * INR (K m).
  (** the program: rate 1 of the estimate times its rate *)
  Definition times_rate (s : in_use) : nat -> R := fun a => fst s * snd s a.
  Definition adaptive_routine (l : nat) (h : run) : list (R * estimate) := dirac (fun m x => times_rate (state (S l) h m x)).
  Local Notation rate := (fun _ : nat => 1).
  Local Notation law := (run_law M X K D reward_law len rate adaptive_routine).
  Local Notation regret := (regret_of M X K D reward_law len rate).
  Local Notation W := (W M len).

  (** regret of the run: of the kernels that it played; and what the run shows of it *)
  Definition run_regret (w : run) : R := sum L (fun i => regret (S i) (fhat (S i) w)).
  Definition observed (w : run) : R :=
    sum L (fun i => over_epoch M X D len (S i) (fun m x => step_charge (K m) g (state (S i) w m x))).

  Let some_arm m : (1 <= K m)%nat.
  Proof. pose proof (HK m). lia. Qed.
  Let rate_nonneg : forall l : nat, (1 <= l <= L)%nat -> 0 <= 1.
  Proof. intros. lra. Qed.
  Lemma adaptive_distribution l h : distribution (adaptive_routine l h).
  Proof. apply distribution_dirac. Qed.
  Lemma state_later l k h v m x : (l <= k)%nat -> state l (update h k v) m x = state l h m x.
  Proof.
    induction l as [|l IH]; intro Hl; [reflexivity|]. cbn [state]. destruct l as [|l]; [reflexivity|].
    rewrite Hpast, IH by lia. reflexivity.
  Qed.
  (** Every run plays the state. *)
  Lemma plays_state n : Forall (fun pw => forall l m x, (1 <= l <= n)%nat -> fhat l (snd pw) m x = times_rate (state l (snd pw) m x) \/ l = 1%nat) (law n).
  Proof.
    induction n as [|n IH]; [constructor; [|constructor]; intros; lia|]. simpl run_law.
    apply (Forall_bind (fun w => forall l m x, (1 <= l <= S n)%nat -> fhat l w m x = times_rate (state l w m x) \/ l = 1%nat)).
    eapply Forall_impl; [|exact IH]. intros [p h] Hh. cbn [snd] in *.
    assert (Hall : forall f, (forall m x, (1 <= n)%nat -> f m x = times_rate (state (S n) h m x)) ->
      Forall (fun qy => forall l m x, (1 <= l <= S n)%nat -> fhat l (snd qy) m x = times_rate (state l (snd qy) m x) \/ l = 1%nat)
        (bind (all_agents X K D reward_law len rate (S n) f M) (fun d => dirac (update h (S n) (f, d))))).
    { intros f Hf. apply (Forall_bind (fun w => forall l m x, (1 <= l <= S n)%nat -> fhat l w m x = times_rate (state l w m x) \/ l = 1%nat)).
      apply Forall_forall. intros [q d] _. cbn [snd]. constructor; [|constructor]. cbn [snd]. intros l m x Hl.
      destruct (Nat.eq_dec l 1) as [->|Hn1]; [right; reflexivity|]. left. rewrite state_later by lia.
      destruct (Nat.eq_dec l (S n)) as [->|Hne].
      - rewrite (fhat_same M HM) by lia. apply Hf. lia.
      - rewrite fhat_other by lia. destruct (Hh l m x ltac:(lia)) as [E|E]; [exact E|lia]. }
    apply (Forall_bind (fun w => forall l m x, (1 <= l <= S n)%nat -> fhat l w m x = times_rate (state l w m x) \/ l = 1%nat)).
    destruct n as [|n]; (constructor; [|constructor]); cbn [snd]; apply Hall; [intros; lia|intros; reflexivity].
  Qed.

  (** While the truth is kept, what is in use came about by adopting good estimates. *)
  Lemma state_founded w l m x : (m < M)%nat -> (x < X m)%nat -> (l <= S L)%nat ->
    kept M N F (threshold (INR N) delta) L w jstar -> well_founded (K m) (fstar reward_law m x) g (state l w m x).
  Proof.
    intros Hm Hx Hl Hkept. induction l as [|l IH]; [left; reflexivity|]. cbn [state]. destruct l as [|l]; [left; reflexivity|].
    specialize (IH ltac:(lia)). destruct (next (S l) w m x) as [[gamma' f']|] eqn:E; [|exact IH].
    destruct (sound (S l) w m x gamma' f' ltac:(lia) Hm Hx E) as [S1 [S2 S3]].
    apply (adopt (K m) _ g (state (S l) w m x) gamma' f' (some_arm m) IH S1 S2).
    specialize (S3 jstar Hjstar). rewrite (sum_ext (K m) _ (fun a => igw (K m) (fst (state (S l) w m x)) (snd (state (S l) w m x)) a *
      ((f' a - fstar reward_law m x a) * (f' a - fstar reward_law m x a)))) in S3 by (intros a _; rewrite Hreal; reflexivity).
    apply S3. intros l' i Hl' Hi. apply Hkept; [lia|exact Hi].
  Qed.

  Lemma epoch_charged w l : (1 <= l <= L)%nat ->
    (forall m x, fhat l w m x = times_rate (state l w m x) \/ l = 1%nat) -> kept M N F (threshold (INR N) delta) L w jstar ->
    regret l (fhat l w) <= over_epoch M X D len l (fun m x => step_charge (K m) g (state l w m x)).
  Proof.
    intros Hl Hplay Hkept. unfold regret_of, over_epoch. apply sum_le. intros m Hm. apply Rmult_le_compat_l; [apply pos_INR|].
    apply sum_le. intros x Hx. apply Rmult_le_compat_l; [apply HD0, Hx|].
    assert (Hgap : forall a, (a < K m)%nat -> gap (K m) (fstar reward_law m x) a <= 1).
    { intros a Ha. unfold gap. pose proof (fstar_unit reward_law HR H1 m x a).
      pose proof (fstar_unit reward_law HR H1 m x (argmax (K m) (fstar reward_law m x))). lra. }
    destruct (charged (K m) (fstar reward_law m x) g (state l w m x) (HK m) Hgap (state_founded w l m x Hm Hx ltac:(lia) Hkept)) as [Hnn Hch].
    eapply Rle_trans; [|exact Hch]. right. apply sum_ext. intros a Ha. f_equal.
    destruct (Hplay m x) as [->|E].
    - apply igw_times; auto.
    - rewrite E. cbn [state uniform_play fst snd fhat]. rewrite !igw_uniform by auto. reflexivity.
  Qed.

  (** Outside an event of probability delta the truth is kept and the regret of the run is at most what it shows. *)
  Lemma adaptive_outside : except_with_probability delta (law L)
    (fun w => kept M N F (threshold (INR N) delta) L w jstar /\ run_regret w <= observed w).
  Proof.
    destruct (truth_is_kept M X K D reward_law HM some_arm HD0 HD1 HR H1 L len rate adaptive_routine rate_nonneg adaptive_distribution
      N jstar F HN HF01 Hjstar Hreal delta Hdelta) as [bad [Hp Hgood]].
    exists bad. split; [exact Hp|]. pose proof (plays_state L) as Hplay. rewrite Forall_forall in *. intros [p w] Hin Hbad. cbn [snd] in *.
    pose proof (Hgood _ Hin Hbad) as Hkept. pose proof (Hplay _ Hin) as Hw. cbn [snd] in *.
    split; [exact Hkept|]. unfold run_regret, observed. apply sum_le. intros i Hi.
    apply epoch_charged; [lia| |exact Hkept]. intros m x. apply Hw. lia.
  Qed.
  (** Learning rates from the data: with probability 1 - delta the regret of the run is at most what it shows. *)
  Theorem adaptive_observed : except_with_probability delta (law L) (fun w => run_regret w <= observed w).
  Proof.
    destruct adaptive_outside as [bad [Hp Hgood]]. exists bad. split; [exact Hp|].
    eapply Forall_impl; [|exact Hgood]. intros [p w] Hw Hbad. apply (Hw Hbad).
  Qed.

  (** In expectation:  Reg(T) <= E[what the run shows] + delta sum_l W^l. *)
  Theorem adaptive_regret :
    Expect (law L) (total_regret M K reward_law L) <= Expect (law L) observed + delta * sum L (fun i => W (S i)).
  Proof.
    destruct adaptive_observed as [bad [Hp Hgood]].
    pose proof (distribution_run M X K D reward_law L len rate adaptive_routine HM some_arm HD0 HD1 HR adaptive_distribution rate_nonneg L (le_n L)) as Hd.
    assert (Etotal : Expect (law L) (total_regret M K reward_law L) = Expect (law L) run_regret).
    { unfold total_regret, run_regret. rewrite !Expect_sum. apply sum_ext. intros i Hi.
      apply (realised_regret M X K D reward_law L len rate adaptive_routine); auto using adaptive_distribution. lia. }
    rewrite Etotal. set (T := sum L (fun i => W (S i))).
    assert (HT : 0 <= T).
    { apply sum_nonneg. intros i _. apply sum_nonneg. intros m _. apply pos_INR. }
    apply Rle_trans with (Expect (law L) (fun w => observed w + T * (if bad w then 1 else 0))).
    - apply Expect_le_on_support; [apply Hd|]. eapply Forall_impl; [|exact Hgood]. intros [p w] Hw. cbn [snd] in *.
      destruct (bad w); [|specialize (Hw eq_refl); lra].
      assert (Hcap : run_regret w <= T).
      { unfold run_regret, T. apply sum_le. intros i _. unfold regret_of, over_epoch, Protocol.W. apply sum_le. intros m _.
        rewrite <- (Rmult_1_r (E len (S i) m)) at 2. apply Rmult_le_compat_l; [apply pos_INR|].
        apply Rle_trans with (sum (X m) (D m)); [|rewrite HD1; lra]. apply sum_le. intros x Hx.
        rewrite <- (Rmult_1_r (D m x)) at 2. apply Rmult_le_compat_l; [apply HD0, Hx|].
        apply Rle_trans with (sum (K m) (igw (K m) 1 (fhat (S i) w m x))); [|rewrite igw_total by apply some_arm; lra].
        apply sum_le. intros a Ha. pose proof (igw_pos (K m) 1 (fhat (S i) w m x) (some_arm m) Rle_0_1 a Ha) as P.
        assert (gap (K m) (fstar reward_law m x) a <= 1).
        { unfold gap. pose proof (fstar_unit reward_law HR H1 m x a).
          pose proof (fstar_unit reward_law HR H1 m x (argmax (K m) (fstar reward_law m x))). lra. }
        nra. }
      assert (Hobs : 0 <= observed w).
      { unfold observed, over_epoch. apply sum_nonneg. intros i _. apply sum_nonneg. intros m Hm.
        apply Rmult_le_pos; [apply pos_INR|]. apply sum_nonneg. intros x Hx. apply Rmult_le_pos; [apply HD0, Hx|].
        pose proof (HK m) as Hk2. assert (HK2 : 2 <= INR (K m)) by (change 2 with (INR 2); apply le_INR; exact Hk2).
        assert (0 < / INR (K m)) by (apply Rinv_0_lt_compat; lra).
        assert (/ INR (K m) <= / 2) by (apply Rinv_le_contravar; lra).
        unfold step_charge. destruct (Rlt_dec 0 (fst (state (S i) w m x))); [|lra]. apply Rmin_glb; [lra|].
        apply Rmult_le_pos; [|left; apply Rinv_0_lt_compat; assumption]. apply Rmult_le_pos; [|lra]. unfold adaptive_constant.
        pose proof (pow2_ge_0 g). destruct (Nat.eq_dec (K m) 2); [unfold two_arm_constant; lra|].
        unfold best_constant. pose proof (arms_positive best_arms (INR (K m)) HK2). unfold best_risk. lra. }
      lra.
    - rewrite Expect_plus, Expect_scal. apply (Rmult_le_compat_l T) in Hp; [|exact HT]. lra.
  Qed.
End Adaptive.
