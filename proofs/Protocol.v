(** * The protocol: FedIGW as it is run (alg:FedIGW_agent)

    In epoch l every agent m makes [len l m] steps.  A step draws a context, an arm from the IGW kernel of the
    current estimate, a reward; after the epoch the FL routine returns the next estimate.  [run_law L] is the law of
    the whole run, [total_regret] its regret

        sum_m sum_t  fstar(x_{m,t}, pi*(x_{m,t})) - fstar(x_{m,t}, a_{m,t}),

    whose expectation is the paper's Reg(T).  The FL routine is any map from the history so far (all estimates, all
    data) to a law on estimates: deterministic or randomised, on the last epoch's data (as in the paper) or not.   *)
From Coq Require Import Reals Lra Lia Psatz List Arith.
From FedIGW Require Import FiniteSums FiniteProbability InverseGapWeighting.
Import ListNotations.
Open Scope R_scope.

Section Protocol.
  Variables (M : nat) (X K : nat -> nat) (D : nat -> nat -> R).
  (** law of the reward of agent m, context x, arm a *)
  Variable reward_law : nat -> nat -> nat -> list (R * R).
  (** number of epochs, their lengths, the learning rates *)
  Variables (L : nat) (len : nat -> nat -> nat) (gamma : nat -> R).

  (** a sample (x, a, r); an estimate m, x, a -> R; the data of an epoch, agent by agent; a run, epoch by epoch *)
  Definition sample : Type := (nat * nat * R)%type.
  Definition estimate : Type := nat -> nat -> nat -> R.
  Definition dataset : Type := nat -> list sample.
  Definition run : Type := nat -> (estimate * dataset)%type.
  (** FLroutine l h: called after epoch l with the history h *)
  Variable FLroutine : nat -> run -> list (R * estimate).

  (** mu_m(x, a) = fstar: the mean reward.  Realizability holds by definition of fstar; that fstar lies in the
      class of the FL routine is a hypothesis only where a class appears (FiniteError.v). *)
  Definition fstar m x a : R := Expect (reward_law m x a) (fun r => r).
  Definition zero_estimate : estimate := fun _ _ _ => 0.

  (** one step of agent m in epoch l with estimate f *)
  Definition one_step (l : nat) (f : estimate) (m : nat) : list (R * sample) :=
    bind (finite_law (X m) (D m)) (fun x =>
    bind (finite_law (K m) (igw (K m) (gamma l) (f m x))) (fun a =>
    bind (reward_law m x a) (fun r => dirac (x, a, r)))).
  (** n steps of agent m *)
  Fixpoint agent_epoch (l : nat) (f : estimate) (m n : nat) : list (R * list sample) :=
    match n with
    | O => dirac nil
    | S n' => bind (agent_epoch l f m n') (fun d => bind (one_step l f m) (fun z => dirac (z :: d)))
    end.
  (** epoch l of the agents m < k *)
  Fixpoint all_agents (l : nat) (f : estimate) (k : nat) : list (R * dataset) :=
    match k with
    | O => dirac (fun _ => nil)
    | S m => bind (all_agents l f m) (fun ds => bind (agent_epoch l f m (len l m)) (fun d => dirac (update ds m d)))
    end.
  (** fhat^1 = 0; fhat^{l+1} comes from the FL routine *)
  Definition next_estimate (n : nat) (h : run) : list (R * estimate) :=
    match n with O => dirac zero_estimate | _ => FLroutine n h end.
  (** the first n epochs *)
  Fixpoint run_law (n : nat) : list (R * run) :=
    match n with
    | O => dirac (fun _ => (zero_estimate, fun _ => nil))
    | S n' => bind (run_law n') (fun h => bind (next_estimate n' h) (fun f =>
              bind (all_agents (S n') f M) (fun d => dirac (update h (S n') (f, d)))))
    end.

  (** ** Regret *)
  Fixpoint agent_regret (m : nat) (d : list sample) : R :=
    match d with nil => 0 | (x, a, _) :: d' => gap (K m) (fstar m x) a + agent_regret m d' end.
  Definition dataset_regret (d : dataset) : R := sum M (fun m => agent_regret m (d m)).
  Definition total_regret (w : run) : R := sum L (fun i => dataset_regret (snd (w (S i)))).


  (** ** The paper's quantities for the run *)
  Definition E (l m : nat) : R := INR (len l m).
  Definition W (l : nat) : R := sum M (fun m => E l m).
  Definition SK (l : nat) : R := sum M (fun m => E l m * INR (K m)).
  Definition Kbar (l : nat) : R := SK l / W l.
  Definition over_epoch (l : nat) (u : nat -> nat -> R) : R :=
    sum M (fun m => E l m * sum (X m) (fun x => D m x * u m x)).
  (** the estimate in use in epoch l *)
  Definition fhat (l : nat) (w : run) : estimate :=
    match l with O => zero_estimate | 1%nat => zero_estimate | _ => fst (w l) end.
  (** sum_m E^l_m E_{x, a ~ igw(f)} [(f' - fstar)^2]: f collected the data, f' was learned from them *)
  Definition Err_of (l : nat) (f f' : estimate) : R :=
    over_epoch l (fun m x => sum (K m) (fun a => igw (K m) (gamma l) (f m x) a *
       ((f' m x a - fstar m x a) * (f' m x a - fstar m x a)))).
  Definition regret_of (l : nat) (f : estimate) : R :=
    over_epoch l (fun m x => sum (K m) (fun a => igw (K m) (gamma l) (f m x) a * gap (K m) (fstar m x) a)).

  Hypothesis HM : (1 <= M)%nat.
  Hypothesis HK : forall m, (1 <= K m)%nat.
  Hypothesis HD0 : forall m x, (x < X m)%nat -> 0 <= D m x.
  Hypothesis HD1 : forall m, sum (X m) (D m) = 1.
  Hypothesis HR : forall m x a, distribution (reward_law m x a).
  Hypothesis HR01 : forall m x a, Forall (fun pr => 0 <= snd pr <= 1) (reward_law m x a).
  Hypothesis Hlen : forall l m, (1 <= l <= L)%nat -> (m < M)%nat -> (1 <= len l m)%nat.
  Hypothesis HFL : forall l h, distribution (FLroutine l h).
  Hypothesis Hgamma0 : forall l, (1 <= l <= L)%nat -> 0 <= gamma l.

  Lemma fstar_unit m x a : 0 <= fstar m x a <= 1.
  Proof.
    unfold fstar. pose proof (HR m x a) as Hd. destruct Hd as [H0 H1]. split.
    - rewrite <- (Expect_const (reward_law m x a) 0) by apply HR. apply Expect_le_on_support; [exact H0|].
      eapply Forall_impl; [|apply HR01]. intros [p r] H. apply H.
    - rewrite <- H1. apply Expect_le_on_support; [exact H0|].
      eapply Forall_impl; [|apply HR01]. intros [p r] H. apply H.
  Qed.

  Lemma distribution_one_step l f m : (1 <= l <= L)%nat -> distribution (one_step l f m).
  Proof.
    intro Hl. unfold one_step. apply distribution_bind; [apply distribution_finite_law; auto|]. intro x.
    apply distribution_bind; [apply distribution_finite_law|].
    - intros a Ha. left. apply igw_pos; auto.
    - apply igw_total; auto.
    - intro a. apply distribution_bind; [apply HR|]. intro r. apply distribution_dirac.
  Qed.
  Lemma distribution_agent_epoch l f m n : (1 <= l <= L)%nat -> distribution (agent_epoch l f m n).
  Proof.
    intro Hl. induction n as [|n IH]; simpl; [apply distribution_dirac|].
    apply distribution_bind; [exact IH|]. intro d. apply distribution_bind; [apply distribution_one_step; exact Hl|].
    intro z. apply distribution_dirac.
  Qed.
  Lemma distribution_all_agents l f k : (1 <= l <= L)%nat -> distribution (all_agents l f k).
  Proof.
    intro Hl. induction k as [|k IH]; simpl; [apply distribution_dirac|].
    apply distribution_bind; [exact IH|]. intro ds. apply distribution_bind; [apply distribution_agent_epoch; exact Hl|].
    intro z. apply distribution_dirac.
  Qed.
  Lemma distribution_next_estimate n h : distribution (next_estimate n h).
  Proof. destruct n; simpl; [apply distribution_dirac | apply HFL]. Qed.
  Lemma distribution_run n : (n <= L)%nat -> distribution (run_law n).
  Proof.
    induction n as [|n IH]; intro Hn; simpl; [apply distribution_dirac|].
    apply distribution_bind; [apply IH; lia|]. intro h.
    apply distribution_bind; [apply distribution_next_estimate|]. intro f.
    apply distribution_bind; [apply distribution_all_agents; lia|]. intro d. apply distribution_dirac.
  Qed.

  (** ** The expected regret of one epoch *)
  Definition step_regret l (f : estimate) m : R :=
    sum (X m) (fun x => D m x * sum (K m) (fun a => igw (K m) (gamma l) (f m x) a * gap (K m) (fstar m x) a)).

  Lemma Expect_one_step l f m : Expect (one_step l f m) (fun z : sample => gap (K m) (fstar m (fst (fst z))) (snd (fst z))) = step_regret l f m.
  Proof.
    unfold one_step. rewrite Expect_bind, Expect_finite_law. apply sum_ext. intros x _. f_equal.
    rewrite Expect_bind, Expect_finite_law. apply sum_ext. intros a _. f_equal.
    rewrite Expect_bind. apply Expect_const_out; [apply HR|]. intro r. rewrite Expect_dirac. reflexivity.
  Qed.
  Lemma Expect_agent_epoch l f m n : (1 <= l <= L)%nat -> Expect (agent_epoch l f m n) (agent_regret m) = INR n * step_regret l f m.
  Proof.
    intro Hl. induction n as [|n IH]; [simpl; lra|].
    change (agent_epoch l f m (S n)) with (bind (agent_epoch l f m n) (fun d => bind (one_step l f m) (fun z => dirac (z :: d)))).
    rewrite Expect_bind.
    rewrite (Expect_plus_const _ _ (agent_regret m) (step_regret l f m)); [|apply distribution_agent_epoch; exact Hl|].
    - rewrite IH, S_INR. ring.
    - intro d. rewrite Expect_bind.
      rewrite (Expect_plus_const _ _ (fun z : sample => gap (K m) (fstar m (fst (fst z))) (snd (fst z))) (agent_regret m d));
        [rewrite Expect_one_step; ring | apply distribution_one_step; exact Hl |].
      intros [[x a] r]. rewrite Expect_dirac. reflexivity.
  Qed.
  Lemma Expect_all_agents l f k : (1 <= l <= L)%nat ->
    Expect (all_agents l f k) (fun ds => sum k (fun m => agent_regret m (ds m))) = sum k (fun m => INR (len l m) * step_regret l f m).
  Proof.
    intro Hl. induction k as [|k IH]; [simpl; lra|].
    change (all_agents l f (S k)) with
      (bind (all_agents l f k) (fun ds => bind (agent_epoch l f k (len l k)) (fun d => dirac (update ds k d)))).
    rewrite Expect_bind.
    rewrite (Expect_plus_const _ _ (fun ds : dataset => sum k (fun m => agent_regret m (ds m))) (INR (len l k) * step_regret l f k));
      [rewrite IH; reflexivity | apply distribution_all_agents; exact Hl |].
    intro ds. rewrite Expect_bind.
    rewrite (Expect_plus_const _ _ (agent_regret k) (sum k (fun m => agent_regret m (ds m))));
      [rewrite Expect_agent_epoch by exact Hl; ring | apply distribution_agent_epoch; exact Hl |].
    intro d. rewrite Expect_dirac. simpl. rewrite update_same, Rplus_comm. f_equal.
    apply sum_ext. intros i Hi. rewrite update_other by lia. reflexivity.
  Qed.
  Lemma Expect_dataset_regret l f : (1 <= l <= L)%nat -> Expect (all_agents l f M) dataset_regret = regret_of l f.
  Proof. intro Hl. unfold dataset_regret. rewrite Expect_all_agents by exact Hl. reflexivity. Qed.

  (** ** What happens later does not change the law of what happened before *)
  Lemma forget_last n (F : run -> R) : (S n <= L)%nat -> (forall h v, F (update h (S n) v) = F h) ->
    Expect (run_law (S n)) F = Expect (run_law n) F.
  Proof.
    intros Hn H. simpl. rewrite Expect_bind. apply Expect_ext. intro h. rewrite Expect_bind.
    apply Expect_const_out; [apply distribution_next_estimate|]. intro f. rewrite Expect_bind.
    apply Expect_const_out; [apply distribution_all_agents; lia|]. intro d. rewrite Expect_dirac. apply H.
  Qed.
  Lemma forget_later n j (F : run -> R) : (n + j <= L)%nat -> (forall k h v, (n < k)%nat -> F (update h k v) = F h) ->
    Expect (run_law (n + j)) F = Expect (run_law n) F.
  Proof.
    intros Hn H. induction j as [|j IH]; [rewrite Nat.add_0_r; reflexivity|].
    replace (n + S j)%nat with (S (n + j)) by lia. rewrite forget_last; [apply IH; lia | lia |].
    intros h v. apply H. lia.
  Qed.
  Lemma forget_after n (F : run -> R) : (n <= L)%nat -> (forall k h v, (n < k)%nat -> F (update h k v) = F h) ->
    Expect (run_law L) F = Expect (run_law n) F.
  Proof. intros Hn H. replace L with (n + (L - n))%nat by lia. apply forget_later; [lia|exact H]. Qed.

  Lemma fhat_other l k w v : l <> k -> fhat l (update w k v) = fhat l w.
  Proof. intro H. unfold fhat. destruct l as [|[|l]]; try reflexivity. rewrite update_other by exact H. reflexivity. Qed.
  Lemma fhat_same l w f d : (2 <= l)%nat -> fhat l (update w l (f, d)) = f.
  Proof. intro H. unfold fhat. destruct l as [|[|l]]; try lia. rewrite update_same. reflexivity. Qed.

  (** Tower property: the realised regret of epoch l has the expectation of the regret of its kernel. *)
  Lemma realised_regret l : (1 <= l <= L)%nat ->
    Expect (run_law L) (fun w => dataset_regret (snd (w l))) = Expect (run_law L) (fun w : run => regret_of l (fhat l w)).
  Proof.
    intro Hl.
    rewrite (forget_after l) by (try lia; intros k h v Hk; rewrite update_other by lia; reflexivity).
    rewrite (forget_after l (fun w : run => regret_of l (fhat l w)))
      by (try lia; intros k h v Hk; rewrite fhat_other by lia; reflexivity).
    destruct l as [|n]; [lia|]. simpl. rewrite !Expect_bind. apply Expect_ext. intro h. rewrite !Expect_bind.
    destruct n as [|n].
    - simpl next_estimate. rewrite !Expect_dirac, !Expect_bind.
      rewrite (Expect_ext _ _ dataset_regret) by (intro d; rewrite Expect_dirac, update_same; reflexivity).
      rewrite Expect_dataset_regret by lia. symmetry. apply Expect_const_out; [apply distribution_all_agents; lia|].
      intro d. rewrite Expect_dirac. reflexivity.
    - apply Expect_ext. intro f. rewrite !Expect_bind.
      rewrite (Expect_ext _ _ dataset_regret) by (intro d; rewrite Expect_dirac, update_same; reflexivity).
      rewrite Expect_dataset_regret by lia. symmetry. apply Expect_const_out; [apply distribution_all_agents; lia|].
      intro d. rewrite Expect_dirac, update_same. reflexivity.
  Qed.


  (** H3: e_l bounds the excess risk of the FL routine (def:error_general) uniformly over the sampling kernel (the estimate f
      played in epoch l) and over the past h.  It is asked only of estimates that a run can reach: [reachable] is any property
      that the zero estimate and all outputs of the FL routine have ([fun _ => True] asks it of all). *)
  Variable e : nat -> R.
  Variable reachable : estimate -> Prop.
  Hypothesis Hzero : reachable zero_estimate.
  Hypothesis Hreach : forall l h, Forall (fun pf => reachable (snd pf)) (FLroutine l h).
  Hypothesis H3 : forall l h f, reachable f -> (1 <= l)%nat -> (S l <= L)%nat ->
    Expect (all_agents l f M) (fun d => Expect (FLroutine l (update h l (f, d))) (fun f' => Err_of l f f'))
    <= W l * e l.

  Lemma H3_run l : (1 <= l)%nat -> (S l <= L)%nat -> Expect (run_law L) (fun w : run => Err_of l (fhat l w) (fhat (S l) w)) <= W l * e l.
  Proof.
    intros H1 H2.
    rewrite (forget_after (S l)) by (try lia; intros k h v Hk; rewrite !fhat_other by lia; reflexivity).
    change (run_law (S l)) with (bind (run_law l) (fun h => bind (next_estimate l h) (fun f =>
              bind (all_agents (S l) f M) (fun d => dirac (update h (S l) (f, d)))))).
    rewrite Expect_bind.
    rewrite (Expect_ext _ _ (fun h => Expect (FLroutine l h) (fun f' => Err_of l (fhat l h) f'))).
    2:{ intro h. rewrite Expect_bind. destruct l as [|n]; [lia|]. apply Expect_ext. intro f'. rewrite Expect_bind.
        apply Expect_const_out; [apply distribution_all_agents; lia|]. intro d.
        rewrite Expect_dirac, fhat_other, fhat_same by lia. reflexivity. }
    destruct l as [|n]; [lia|]. simpl run_law. rewrite Expect_bind.
    destruct (distribution_run n ltac:(lia)) as [Hw Ht].
    rewrite <- (Expect_const (run_law n) (W (S n) * e (S n))) by (split; assumption).
    apply Expect_le; [exact Hw|]. intro h. rewrite Expect_bind.
    destruct (distribution_next_estimate n h) as [Hw2 Ht2].
    destruct n as [|n].
    - simpl next_estimate. rewrite Expect_dirac, Expect_bind.
      rewrite (Expect_ext _ _ (fun d => Expect (FLroutine 1 (update h 1 (zero_estimate, d))) (fun f' => Err_of 1 zero_estimate f')))
        by (intro d; rewrite Expect_dirac; reflexivity).
      apply H3; [exact Hzero|lia|lia].
    - rewrite <- (Expect_const (next_estimate (S n) h) (W (S (S n)) * e (S (S n)))) by (split; assumption).
      apply Expect_le_on_support; [exact Hw2|]. eapply Forall_impl; [|apply (Hreach (S n) h)]. intros [q f] Hf. simpl snd in *.
      rewrite Expect_bind.
      rewrite (Expect_ext _ _ (fun d => Expect (FLroutine (S (S n)) (update h (S (S n)) (f, d))) (fun f' => Err_of (S (S n)) f f')))
        by (intro d; rewrite Expect_dirac, fhat_same by lia; reflexivity).
      apply H3; [exact Hf|lia|lia].
  Qed.
End Protocol.
