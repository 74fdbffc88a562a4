(** * own:covering: the excess risk of the exact minimiser of a class of finite covering number

    The class is any property of estimates; N functions with values in [0,1], the net, come within [radius] of each of its
    members.  The minimiser fhat has at most the loss of fstar, so its neighbour g in the net has at most 2 n radius more, and
    P(neighbour = g_j) <= exp(2 n radius - kappa n eps_j), kappa = 1 - exp(-1/2), where eps_j is the excess risk of g_j.  The
    entropy bound of FiniteError.v gives kappa n E eps <= ln N + 2 n radius, and fhat is within radius of its neighbour:
    [own_covering]   E[excess risk] <= (sqrt((ln N + 2 n radius) / (kappa n)) + radius)^2.
    At radius 0 the net is the class, and this is lem:finite_error.                                                  *)
From Coq Require Import Reals Lra Lia Psatz List Arith.
From FedIGW Require Import FiniteSums FiniteProbability Hoeffding Protocol FiniteError Exchangeability.
Open Scope R_scope.

Section Covering.
  Variables (M : nat) (X K : nat -> nat) (D : nat -> nat -> R).
  Variable reward_law : nat -> nat -> nat -> list (R * R).
  (** number of samples of agent m; the kernel p_m(a | x) that drew their arms, any kernel *)
  Variables (size : nat -> nat) (p : nat -> nat -> nat -> R).
  (** the class, its exact minimiser; the net of N functions, the index of a neighbour in it *)
  Variables (class : estimate -> Prop) (fhat : dataset -> estimate).
  Variables (N : nat) (net : nat -> estimate) (near : estimate -> nat) (radius : R).
  Local Notation fstar := (fstar reward_law).
  Local Notation draws := (all_draws X K D reward_law size p M).
  Local Notation samples := (sample_count M size).
  Local Notation excess := (excess M X K D reward_law size p).

  Hypothesis HM : (1 <= M)%nat.
  Hypothesis HD0 : forall m x, (x < X m)%nat -> 0 <= D m x.
  Hypothesis HD1 : forall m, sum (X m) (D m) = 1.
  Hypothesis HR : forall m x a, distribution (reward_law m x a).
  Hypothesis HR01 : forall m x a, Forall (fun pr => 0 <= snd pr <= 1) (reward_law m x a).
  Hypothesis Hsize : forall m, (m < M)%nat -> (1 <= size m)%nat.
  Hypothesis Hp0 : forall m x a, (a < K m)%nat -> 0 <= p m x a.
  Hypothesis Hp1 : forall m x, sum (K m) (p m x) = 1.
  Hypothesis Hclass01 : forall f m x a, class f -> 0 <= f m x a <= 1.
  Hypothesis Hnet01 : forall j m x a, (j < N)%nat -> 0 <= net j m x a <= 1.
  Hypothesis Hreal : class (Protocol.fstar reward_law).
  Hypothesis Hmember : forall ds, class (fhat ds).
  Hypothesis Hmin : forall ds f, class f -> loss M (fhat ds) ds <= loss M f ds.
  Hypothesis Hnear : forall f, class f -> (near f < N)%nat.
  Hypothesis Hradius : forall f m x a, class f -> - radius <= f m x a - net (near f) m x a <= radius.

  Let choice (ds : dataset) : nat := near (fhat ds).
  (** the net and, at index N, fstar *)
  Let F (j : nat) : estimate := if Nat.eq_dec j N then fstar else net j.
  Let shift : R := 2 * (samples * radius).

  Lemma covering_draws : distribution draws.
  Proof. apply distribution_all_draws; assumption. Qed.
  Lemma net_positive : (1 <= N)%nat.
  Proof. pose proof (Hnear _ Hreal). lia. Qed.
  Lemma radius_nonneg : 0 <= radius.
  Proof. pose proof (Hradius _ 0%nat 0%nat 0%nat Hreal). lra. Qed.
  Lemma covering_samples_positive : 0 < samples.
  Proof. apply (samples_positive M size 2 0); try assumption; lia. Qed.

  (** Data as they can be drawn: rewards in [0,1], [size m] samples of agent m. *)
  Definition unit_data (d : list sample) : Prop := Forall (fun z : sample => 0 <= snd z <= 1) d.
  Lemma agent_draws_unit m n :
    Forall (fun pd => unit_data (snd pd) /\ length (snd pd) = n) (agent_draws X K D reward_law p m n).
  Proof.
    induction n as [|n IH]; simpl; [repeat constructor|].
    apply (Forall_bind (fun d => unit_data d /\ length d = S n)). eapply Forall_impl; [|exact IH]. intros [w d] [Hu Hn]. simpl in Hu, Hn. simpl.
    unfold draw. apply (Forall_bind (fun d => unit_data d /\ length d = S n)).
    apply (Forall_bind (fun z => Forall (fun qd => unit_data (snd qd) /\ length (snd qd) = S n) (dirac (z :: d)))).
    apply Forall_forall. intros [w1 x] _. simpl snd.
    apply (Forall_bind (fun z => Forall (fun qd => unit_data (snd qd) /\ length (snd qd) = S n) (dirac (z :: d)))).
    apply Forall_forall. intros [w2 a] _. simpl snd.
    apply (Forall_bind (fun z => Forall (fun qd => unit_data (snd qd) /\ length (snd qd) = S n) (dirac (z :: d)))).
    eapply Forall_impl; [|apply (HR01 m x a)]. intros [w3 r] Hr. simpl in Hr.
    constructor; [|constructor]. constructor; [|constructor]. simpl. split; [constructor; assumption|lia].
  Qed.
  Lemma all_draws_unit k :
    Forall (fun pd => forall m, (m < k)%nat -> unit_data (snd pd m) /\ length (snd pd m) = size m) (all_draws X K D reward_law size p k).
  Proof.
    induction k as [|k IH]; simpl; [repeat constructor; lia|].
    apply (Forall_bind (fun ds : dataset => forall m, (m < S k)%nat -> unit_data (ds m) /\ length (ds m) = size m)).
    eapply Forall_impl; [|exact IH]. intros [w ds] Hds. simpl in Hds. simpl.
    apply (Forall_bind (fun ds' : dataset => forall m, (m < S k)%nat -> unit_data (ds' m) /\ length (ds' m) = size m)).
    eapply Forall_impl; [|apply (agent_draws_unit k (size k))]. intros [w' d] Hd. simpl in Hd. simpl.
    constructor; [|constructor]. simpl. intros m Hm. destruct (Nat.eq_dec m k) as [->|Hn].
    - rewrite update_same. exact Hd.
    - rewrite update_other by exact Hn. apply Hds. lia.
  Qed.

  (** One sample: (g - r)^2 - (f - r)^2 = (g - f)(g + f - 2r) <= 2 radius; then all samples. *)
  Lemma agent_loss_near f m d : class f -> unit_data d ->
    agent_loss (net (near f)) m d <= agent_loss f m d + 2 * (INR (length d) * radius).
  Proof.
    intros Hf Hd. induction Hd as [|[[x a] r] d Hr Hd IH]; simpl agent_loss; [simpl; lra|].
    change (length ((x, a, r) :: d)) with (S (length d)). rewrite S_INR. simpl in Hr.
    pose proof (Hradius f m x a Hf). pose proof (Hclass01 f m x a Hf). pose proof (Hnet01 _ m x a (Hnear f Hf)).
    assert ((net (near f) m x a - r) * (net (near f) m x a - r) <= (f m x a - r) * (f m x a - r) + 2 * radius) by nra.
    lra.
  Qed.
  Lemma loss_near ds : (forall m, (m < M)%nat -> unit_data (ds m) /\ length (ds m) = size m) ->
    loss M (net (choice ds)) ds <= loss M fstar ds + shift.
  Proof.
    intro Hds. apply Rle_trans with (loss M (fhat ds) ds + shift).
    - unfold loss, shift, sample_count. rewrite (Rmult_comm (sum M _)), <- !sum_scal, <- sum_plus. apply sum_le. intros m Hm.
      destruct (Hds m Hm) as [Hu Hn]. pose proof (agent_loss_near (fhat ds) m (ds m) (Hmember ds) Hu) as H.
      rewrite Hn in H. unfold choice. lra.
    - pose proof (Hmin ds _ Hreal). lra.
  Qed.

  (** P(neighbour = g_j) <= exp(2 n radius - kappa n eps_j) *)
  Lemma probability_of_neighbour j : (j < N)%nat ->
    0 <= Expect draws (fun d => if Nat.eq_dec j (choice d) then 1 else 0) <= exp (- (kappa * excess (net j) - shift)).
  Proof.
    intro Hj. pose proof covering_draws as Hdist. split.
    - apply Expect_nonneg; [exact Hdist|]. intro d. destruct (Nat.eq_dec j (choice d)); lra.
    - assert (F01 : forall i m x a, (i < S N)%nat -> 0 <= F i m x a <= 1).
      { intros i m x a Hi. unfold F. destruct (Nat.eq_dec i N); [apply fstar_unit; assumption|apply Hnet01; lia]. }
      assert (FN : F N = fstar) by (unfold F; destruct (Nat.eq_dec N N); congruence).
      assert (Fj : F j = net j) by (unfold F; destruct (Nat.eq_dec j N); [lia|reflexivity]).
      assert (G : Expect draws (fun ds => exp (- (1 * (loss M (F j) ds - loss M (F N) ds)))) <= exp (- (kappa * excess (F j)))).
      { apply (all_draws_moment M X K D reward_law size p (S N) N F) with (theta := 1) (factor := kappa); auto; try lia.
        - intros. rewrite FN. reflexivity.
        - intros f m x a Hf. apply reward_moment; assumption. }
      rewrite FN, Fj in G.
      replace (- (kappa * excess (net j) - shift)) with (shift + - (kappa * excess (net j))) by ring. rewrite exp_plus.
      apply Rle_trans with (exp shift * Expect draws (fun ds => exp (- (1 * (loss M (net j) ds - loss M fstar ds)))));
        [|apply Rmult_le_compat_l; [left; apply exp_pos|exact G]].
      rewrite <- Expect_scal. apply Expect_le_on_support; [apply Hdist|].
      eapply Forall_impl; [|apply (all_draws_unit M)]. intros [w ds] Hds. simpl in Hds. simpl snd.
      rewrite <- exp_plus. destruct (Nat.eq_dec j (choice ds)) as [Ej|Hn]; [|left; apply exp_pos].
      pose proof (loss_near ds Hds) as Hl. rewrite <- Ej in Hl.
      apply Rle_trans with (exp 0); [rewrite exp_0; lra|]. apply exp_monotone. lra.
  Qed.

  (** kappa n E eps(neighbour) <= ln N + 2 n radius *)
  Lemma neighbour_risk : Expect draws (fun d => excess (net (choice d))) <= (ln (INR N) + shift) / kappa.
  Proof.
    pose proof covering_draws as Hdist. pose proof kappa_pos as Hk.
    assert (Hc : forall ds, (choice ds < N)%nat) by (intro; apply Hnear, Hmember).
    rewrite (Expect_choice M X K D reward_law size p N choice Hc (fun j => excess (net j))).
    set (q := fun j => Expect draws (fun d => if Nat.eq_dec j (choice d) then 1 else 0)).
    assert (Hs : sum N q = 1).
    { pose proof (Expect_choice M X K D reward_law size p N choice Hc (fun _ => 1)) as H. cbv beta in H.
      rewrite (Expect_const _ 1 Hdist) in H. rewrite H. apply sum_ext. intros j _. unfold q. ring. }
    pose proof (entropy_bound N q (fun j => kappa * excess (net j) - shift) net_positive probability_of_neighbour Hs) as G.
    apply (Rmult_le_reg_l kappa); [exact Hk|].
    replace (kappa * ((ln (INR N) + shift) / kappa)) with (ln (INR N) + shift) by (field; lra).
    rewrite <- sum_scal.
    assert (Hsplit : sum N (fun j => q j * (kappa * excess (net j) - shift)) = sum N (fun j => kappa * (q j * excess (net j))) - shift).
    { rewrite (sum_ext N _ (fun j => kappa * (q j * excess (net j)) - shift * q j)) by (intros; ring).
      rewrite sum_minus, (sum_scal N shift), Hs. ring. }
    cbv beta in G. rewrite Hsplit in G. unfold q in G. lra.
  Qed.

  (** (f - fstar)^2 <= (1 + radius/s)(g - fstar)^2 + radius s + radius^2 for every s > 0, averaged over the samples *)
  Lemma excess_near f s : class f -> 0 < s ->
    excess f <= (1 + radius / s) * excess (net (near f)) + samples * (radius * s + radius ^ 2).
  Proof.
    intros Hf Hs. pose proof radius_nonneg as Hr0. unfold FiniteError.excess, sample_count.
    rewrite (Rmult_comm (sum M _) (radius * s + radius ^ 2)), <- !sum_scal, <- sum_plus. apply sum_le. intros m Hm.
    replace ((1 + radius / s) * (INR (size m) * squared_error X K D reward_law p (net (near f)) m) + (radius * s + radius ^ 2) * INR (size m))
      with (INR (size m) * ((1 + radius / s) * squared_error X K D reward_law p (net (near f)) m + (radius * s + radius ^ 2))) by ring.
    apply Rmult_le_compat_l; [apply pos_INR|]. unfold squared_error.
    replace (radius * s + radius ^ 2) with ((radius * s + radius ^ 2) * sum (X m) (D m)) by (rewrite HD1; ring).
    rewrite <- !sum_scal, <- sum_plus. apply sum_le. intros x Hx.
    replace ((1 + radius / s) * (D m x * sum (K m) (fun a => p m x a * ((net (near f) m x a - fstar m x a) * (net (near f) m x a - fstar m x a)))) + (radius * s + radius ^ 2) * D m x)
      with (D m x * ((1 + radius / s) * sum (K m) (fun a => p m x a * ((net (near f) m x a - fstar m x a) * (net (near f) m x a - fstar m x a))) + (radius * s + radius ^ 2))) by ring.
    apply Rmult_le_compat_l; [apply HD0; exact Hx|].
    replace (radius * s + radius ^ 2) with ((radius * s + radius ^ 2) * sum (K m) (p m x)) by (rewrite Hp1; ring).
    rewrite <- !sum_scal, <- sum_plus. apply sum_le. intros a Ha.
    set (u := net (near f) m x a - fstar m x a).
    replace ((1 + radius / s) * (p m x a * (u * u)) + (radius * s + radius ^ 2) * p m x a)
      with (p m x a * ((1 + radius / s) * (u * u) + (radius * s + radius ^ 2))) by ring.
    apply Rmult_le_compat_l; [apply Hp0; exact Ha|].
    pose proof (Hradius f m x a Hf) as Hv. set (v := f m x a - net (near f) m x a) in *.
    replace (f m x a - fstar m x a) with (u + v) by (unfold u, v; ring).
    assert (A : 2 * (u * v) <= radius / s * (u * u) + radius * s).
    { apply (Rmult_le_reg_r s); [exact Hs|].
      replace ((radius / s * (u * u) + radius * s) * s) with (radius * (u * u) + radius * (s * s)) by (field; lra).
      assert (0 <= (radius + v) * ((u - s) * (u - s)) + (radius - v) * ((u + s) * (u + s))).
      { apply Rplus_le_le_0_compat; apply Rmult_le_pos; try lra; apply Rle_0_sqr. }
      lra. }
    assert (v * v <= radius ^ 2) by nra. lra.
  Qed.

  (** own:covering:  E[excess risk] <= (sqrt((ln N + 2 n radius) / (kappa n)) + radius)^2. *)
  Theorem own_covering :
    Expect draws (fun d => excess (fhat d) / samples) <=
      (sqrt ((ln (INR N) + 2 * (samples * radius)) / (kappa * samples)) + radius) ^ 2.
  Proof.
    pose proof covering_draws as Hdist. pose proof covering_samples_positive as Hn. pose proof radius_nonneg as Hr0. pose proof kappa_pos as Hk.
    pose proof neighbour_risk as Hg. fold shift.
    assert (HN1 : 1 <= INR N) by (replace 1 with (INR 1) by reflexivity; apply le_INR, net_positive).
    assert (Hln : 0 <= ln (INR N)).
    { rewrite <- ln_1. destruct HN1 as [H|H]; [left; apply ln_increasing; lra|rewrite <- H; lra]. }
    assert (Hshift : 0 <= shift) by (unfold shift; apply Rmult_le_pos; [lra|apply Rmult_le_pos; lra]).
    set (B2 := (ln (INR N) + shift) / (kappa * samples)).
    assert (HB : 0 <= B2) by (unfold B2; apply Rmult_le_pos; [lra|left; apply Rinv_0_lt_compat, Rmult_lt_0_compat; lra]).
    assert (Hg' : Expect draws (fun d => excess (net (choice d))) <= samples * B2).
    { eapply Rle_trans; [exact Hg|]. right. unfold B2. field. lra. }
    rewrite (Expect_ext _ _ (fun d => / samples * excess (fhat d))) by (intro; unfold Rdiv; ring).
    rewrite (Expect_scal _ (/ samples) (fun d => excess (fhat d))).
    apply (Rmult_le_reg_l samples); [exact Hn|]. rewrite <- Rmult_assoc, Rinv_r, Rmult_1_l by lra.
    assert (Hs : forall s, 0 < s -> Expect draws (fun d => excess (fhat d)) <= (1 + radius / s) * (samples * B2) + samples * (radius * s + radius ^ 2)).
    { intros s Hs. apply Rle_trans with (Expect draws (fun d => (1 + radius / s) * excess (net (choice d)) + samples * (radius * s + radius ^ 2))).
      - apply Expect_le; [apply Hdist|]. intro d. apply excess_near; [apply Hmember|exact Hs].
      - rewrite (Expect_plus draws (fun d => (1 + radius / s) * excess (net (choice d)))), (Expect_const draws _ Hdist), (Expect_scal draws (1 + radius / s) (fun d => excess (net (choice d)))).
        apply Rplus_le_compat_r. apply Rmult_le_compat_l; [|exact Hg'].
        assert (0 <= radius / s) by (apply Rmult_le_pos; [lra|left; apply Rinv_0_lt_compat; exact Hs]). lra. }
    pose proof (sqrt_sqrt B2 HB) as HS. pose proof (sqrt_pos B2) as HP. destruct HP as [HP|HP].
    - eapply Rle_trans; [apply (Hs (sqrt B2) HP)|]. right.
      replace B2 with (sqrt B2 * sqrt B2) at 2 by exact HS. field. lra.
    - assert (Hr : radius = 0).
      { rewrite <- HP in HS. destruct Hr0 as [Hr|Hr]; [|lra]. exfalso.
        assert (0 < B2); [|lra]. unfold B2. apply Rdiv_lt_0_compat; [|apply Rmult_lt_0_compat; lra].
        assert (0 < shift); [|lra]. unfold shift. apply Rmult_lt_0_compat; [lra|apply Rmult_lt_0_compat; lra]. }
      eapply Rle_trans; [apply (Hs 1 ltac:(lra))|]. rewrite <- HP, Hr. rewrite <- HP in HS.
      replace B2 with 0 by lra. right. field.
  Qed.
End Covering.
