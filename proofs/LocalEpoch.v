(** * Local methods on the data of an epoch: the distance to the minimiser, in the mean

    Agent m's features phi m x a have d coordinates, the first a of them shared.  [place] puts coordinate i of agent m into one vector
    of D coordinates, Phi m x a is the feature there, wstar the truth there: with shared coordinates only D = d and nothing moves;
    with personal ones it is the lifted problem of ColLinearPer.v.  The data are what the M agents collect in epoch l, [steps] samples
    each, n = M steps, in play from any estimates.  With C = D/4 + norm2 and norm2 >= |wstar|^2, in the mean over the data,
    norm(xs)^2 <= (1 + sqrt C)^2,  sigma^2 <= 1 + 4 norm2 / n,  zeta^2 <= (sqrt M + 2 sqrt C)^2 / n, so
    [epoch_distance]  E norm(x_R - xs)^2 <= Theorem G's right-hand side at these three numbers,
    [epoch_gap]       E sum over fresh points of (phi'(x-bar - xs))^2 <= D n times Theorem G's bound on the gap of the average point,
    the means over the data and over what the method draws.  Main definitions: [mean_start], [mean_noise], [mean_drift], [epoch_run],
    [epoch_average], [moved].                                                                                                     *)
From Coq Require Import Reals Lra Lia Psatz List Arith FunctionalExtensionality.
From FedIGW Require Import FiniteSums FiniteProbability InverseGapWeighting AcceleratedGradient RidgeExcessRisk Protocol Exchangeability
  RidgeSamples RidgeProtocol RidgeDifferentLaws RidgeGap LinearDifferentLaws LocalSteps LocalRuns AgentSpace LocalConvergence RidgeMoments LocalRidge.
Import ListNotations.
Open Scope R_scope.

(** the bounds on E norm(xs)^2, E sigma^2 and E zeta^2 *)
Definition mean_start (C : R) : R := (1 + sqrt C) ^ 2.
Definition mean_noise (n norm2 : R) : R := 1 + 4 * norm2 / n.
Definition mean_drift (M C n : R) : R := (sqrt M + 2 * sqrt C) ^ 2 / n.

Lemma best_split x y : 0 < x -> 0 < y -> (1 + sqrt y / sqrt x) * x + (1 + / (sqrt y / sqrt x)) * y = (sqrt y + sqrt x) ^ 2.
Proof.
  intros Hx Hy. pose proof (sqrt_lt_R0 x Hx) as Sx. pose proof (sqrt_lt_R0 y Hy) as Sy. pose proof (sqrt_sqrt x ltac:(lra)) as Ex. pose proof (sqrt_sqrt y ltac:(lra)) as Ey.
  rewrite <- Ex at 2. rewrite <- Ey at 3. field. lra.
Qed.

Definition no_sample : sample := (0%nat, 0%nat, 0).

Section Epoch.
  Variables (M : nat) (X K : nat -> nat) (D : nat -> nat -> R) (reward_law : nat -> nat -> nat -> list (R * R)).
  Variables (len : nat -> nat -> nat) (gamma : nat -> R) (l steps : nat) (f : estimate).
  Hypothesis HM : (1 <= M)%nat.
  Hypothesis HK : forall m, (1 <= K m)%nat.
  Hypothesis HD0 : forall m x, (x < X m)%nat -> 0 <= D m x.
  Hypothesis HD1 : forall m, sum (X m) (D m) = 1.
  Hypothesis HR : forall m x a, distribution (reward_law m x a).
  Hypothesis HR01 : forall m x a, Forall (fun pr => 0 <= snd pr <= 1) (reward_law m x a).
  Hypothesis Hgamma : forall i, 0 <= gamma i.
  Hypothesis Hl : (1 <= l)%nat.
  Hypothesis Hlen : forall m, len l m = steps.
  Hypothesis Hsteps : (1 <= steps)%nat.
  (** the agents' features and where their coordinates are *)
  Variables (d a dim : nat) (phi Phi : nat -> nat -> nat -> vector) (place_of : nat -> nat -> nat) (wstar : vector) (norm2 big share : R).
  Hypothesis Hlin : forall m x b, Expect (reward_law m x b) (fun r => r) = dot dim (Phi m x b) wstar.
  Hypothesis HPhi : forall m x b, square_norm dim (Phi m x b) <= 1.
  Hypothesis Hphi : forall m x b, square_norm d (phi m x b) <= 1.
  Definition restrict (m : nat) (v : vector) : vector := fun i => v (place_of m i).
  Hypothesis place_below : forall m i, (m < M)%nat -> (i < d)%nat -> (place_of m i < dim)%nat.
  Hypothesis place_shared : forall m i, (m < M)%nat -> (i < a)%nat -> place_of m i = i.
  Hypothesis feature_shared : forall m x b i, (m < M)%nat -> (i < a)%nat -> Phi m x b i = phi m x b i.
  Hypothesis feature_own : forall m m' x b i, (m < M)%nat -> (m' < M)%nat -> (a <= i)%nat -> (i < d)%nat ->
    Phi m' x b (place_of m i) = if Nat.eq_dec m' m then phi m x b i else 0.
  Hypothesis same_dot : forall m x b v, (m < M)%nat -> dot dim (Phi m x b) v = dot d (phi m x b) (restrict m v).
  Hypothesis smaller_norm : forall v, sum M (fun m => / INR M * square_norm d (restrict m v)) <= square_norm dim v.
  Hypothesis same_combination : forall m J (c : nat -> R) (at_ : nat -> nat * nat), (m < M)%nat ->
    square_norm d (fun i => sum J (fun j => c j * phi m (fst (at_ j)) (snd (at_ j)) i)) <=
    square_norm dim (fun i => sum J (fun j => c j * Phi m (fst (at_ j)) (snd (at_ j)) i)).
  Hypothesis truth_norm : square_norm dim wstar <= norm2.
  Hypothesis truth_weighted : sum M (fun m => / INR M * sum d (fun i => block_weight M a i * restrict m wstar i ^ 2)) <= norm2.
  Hypothesis truth_unit : sum M (fun m => / INR M * square_norm d (restrict m wstar)) <= 1.
  Hypothesis Hbig : forall i, (i < d)%nat -> block_weight M a i <= big.
  Hypothesis Hbig1 : 1 <= big.
  (** tau^2 <= share sigma^2: 1/M where all coordinates are shared *)
  Hypothesis Hshare : (a = d /\ share = / INR M) \/ share = 1.
  Hypothesis Hnorm2 : 0 < norm2.
  Let n := INR M * INR steps.
  Let C := INR dim / 4 + norm2.
  Let data := all_agents X K D reward_law len gamma l f.

  (** ** Samples by agent *)
  Definition sample_feature (ds : dataset) (m j : nat) : vector := phi m (fst (fst (nth j (ds m) no_sample))) (snd (fst (nth j (ds m) no_sample))).
  Definition sample_reward (ds : dataset) (m j : nat) : R := snd (nth j (ds m) no_sample).
  Definition right_lengths (k : nat) (ds : dataset) : Prop := forall m, (m < k)%nat -> length (ds m) = steps.
  Lemma agent_lengths m N : Forall (fun pw => length (snd pw) = N) (agent_epoch X K D reward_law gamma l f m N).
  Proof.
    induction N as [|N IH]; [repeat constructor|]. simpl. apply (Forall_bind (fun t => length t = S N)). eapply Forall_impl; [|exact IH].
    intros [p t] Ht. cbn [snd] in *. apply (Forall_bind (fun t => length t = S N)). apply Forall_forall. intros [q z] _. repeat constructor. cbn [snd length]. congruence.
  Qed.
  Lemma data_lengths k : Forall (fun pw => right_lengths k (snd pw)) (data k).
  Proof.
    induction k as [|k IH]; [repeat constructor; intros m Hm; lia|]. unfold data in *. simpl. apply (Forall_bind (right_lengths (S k))). eapply Forall_impl; [|exact IH].
    intros [p ds] Hd. cbn [snd] in *. apply (Forall_bind (right_lengths (S k))). eapply Forall_impl; [|apply (agent_lengths k (len l k))]. intros [q t] Ht.
    constructor; [|constructor]. cbn [snd] in *. intros m Hm. unfold update. destruct (Nat.eq_dec m k) as [->|]; [rewrite Ht; apply Hlen|apply Hd; lia].
  Qed.
  Lemma pooled_sum (F : LinearDifferentLaws.place * R -> R) k ds : right_lengths k ds ->
    sum (pooled_count len l k) (fun i => F (nth i (pooled_places k ds) (nowhere nowhere_place))) =
    sum k (fun m => sum steps (fun j => F (with_agent m (nth j (ds m) no_sample)))).
  Proof.
    induction k as [|k IH]; intro Hd; [reflexivity|]. cbn [pooled_places pooled_count sum].
    assert (L : length (pooled_places k ds) = pooled_count len l k).
    { clear IH. assert (H : forall m, (m < k)%nat -> length (ds m) = steps) by (intros; apply Hd; lia). clear Hd. induction k as [|k IH]; [reflexivity|].
      cbn [pooled_places pooled_count]. rewrite app_length, map_length, IH by (intros; apply H; lia). rewrite (H k ltac:(lia)), Hlen. reflexivity. }
    assert (Lk : length (map (with_agent k) (ds k)) = len l k) by (rewrite map_length, (Hd k ltac:(lia)), Hlen; reflexivity).
    rewrite <- Lk, <- L, <- app_length, (sum_over_app F (map (with_agent k) (ds k)) (pooled_places k ds) (nowhere nowhere_place)). rewrite L, IH by (intros m Hm; apply Hd; lia).
    rewrite Lk, Hlen, Rplus_comm. f_equal. apply sum_ext. intros j Hj. f_equal.
    rewrite (nth_indep (map (with_agent k) (ds k)) (nowhere nowhere_place) (with_agent k no_sample)) by (rewrite map_length, (Hd k ltac:(lia)); exact Hj). apply map_nth.
  Qed.

  (** ** The minimiser of these data *)
  Definition pooled_fit (ds : dataset) : vector := places_fit M len dim Phi l (pooled_places M ds).
  Definition agents_fit (ds : dataset) : agents_point := fun m => restrict m (pooled_fit ds).
  Definition agents_truth : agents_point := fun m => restrict m wstar.
  Let N := pooled_count len l M.
  Lemma fit_normal ds I : right_lengths M ds -> (I < dim)%nat ->
    sum M (fun m => sum steps (fun j => (dot d (sample_feature ds m j) (agents_fit ds m) - sample_reward ds m j) * Phi m (fst (fst (nth j (ds m) no_sample))) (snd (fst (nth j (ds m) no_sample))) I)) + pooled_fit ds I = 0.
  Proof.
    intros Hd HI.
    set (p := fun j => at_point (place_feature Phi) nowhere_place (pooled_places M ds) j). set (r := fun j => snd (nth j (pooled_places M ds) (nowhere nowhere_place))).
    pose proof (solve_solves dim p N (fun i => sum N (fun j => r j * p j i)) I HI) as E. unfold A in E. cbv beta in E. set (w := solve dim p N (fun i => sum N (fun j => r j * p j i))) in *.
    change (pooled_fit ds I) with (w I).
    assert (Hw : forall m, agents_fit ds m = restrict m w) by reflexivity.
    assert (S1 : sum N (fun j => (dot dim (p j) w - r j) * p j I) = sum M (fun m => sum steps (fun j =>
      (dot d (sample_feature ds m j) (agents_fit ds m) - sample_reward ds m j) * Phi m (fst (fst (nth j (ds m) no_sample))) (snd (fst (nth j (ds m) no_sample))) I))).
    { pose proof (pooled_sum (fun z => (dot dim (place_feature Phi (fst z)) w - snd z) * place_feature Phi (fst z) I) M ds Hd) as S. fold N in S.
      etransitivity; [exact S|]. apply sum_ext. intros m Hm. apply sum_ext. intros j _. unfold with_agent, place_feature, sample_feature, sample_reward. cbn [fst snd].
      rewrite (same_dot m _ _ w Hm), Hw. reflexivity. }
    rewrite <- S1. rewrite (sum_ext N _ (fun j => dot dim (p j) w * p j I - r j * p j I)) by (intros; ring). rewrite sum_minus. lra.
  Qed.
  Lemma fit_shared ds m i : (m < M)%nat -> (i < a)%nat -> agents_fit ds m i = agents_fit ds O i.
  Proof. intros Hm Hi. unfold agents_fit, restrict. rewrite !place_shared by (assumption || lia). reflexivity. Qed.
  Lemma truth_shared m i : (m < M)%nat -> (i < a)%nat -> agents_truth m i = agents_truth O i.
  Proof. intros Hm Hi. unfold agents_truth, restrict. rewrite !place_shared by (assumption || lia). reflexivity. Qed.
  Lemma normal_at_shared ds i : right_lengths M ds -> (i < a)%nat -> (i < d)%nat ->
    sum M (fun m => pull steps d (sample_feature ds) (sample_reward ds) (agents_fit ds) m i) + agents_fit ds O i = 0.
  Proof.
    intros Hd Ha Hi. assert (HI : (i < dim)%nat) by (rewrite <- (place_shared O i ltac:(lia) Ha); apply place_below; lia).
    rewrite <- (fit_normal ds i Hd HI). f_equal.
    - apply sum_ext. intros m Hm. unfold pull, residual. apply sum_ext. intros j _. f_equal. unfold sample_feature. symmetry. apply feature_shared; assumption.
    - unfold agents_fit, restrict. rewrite place_shared by (assumption || lia). reflexivity.
  Qed.
  Lemma normal_at_own ds m i : right_lengths M ds -> (m < M)%nat -> (a <= i)%nat -> (i < d)%nat ->
    pull steps d (sample_feature ds) (sample_reward ds) (agents_fit ds) m i + agents_fit ds m i = 0.
  Proof.
    intros Hd Hm Ha Hi. rewrite <- (fit_normal ds (place_of m i) Hd (place_below m i Hm Hi)). f_equal.
    rewrite (sum_ext M _ (fun m' => if Nat.eq_dec m' m then pull steps d (sample_feature ds) (sample_reward ds) (agents_fit ds) m' i else 0)).
    - rewrite (sum_delta M m (fun m' => pull steps d (sample_feature ds) (sample_reward ds) (agents_fit ds) m' i) Hm). reflexivity.
    - intros m' Hm'. unfold pull, residual. destruct (Nat.eq_dec m' m) as [->|Hne].
      + apply sum_ext. intros j _. f_equal. rewrite (feature_own m m _ _ i Hm Hm Ha Hi). destruct (Nat.eq_dec m m); [reflexivity|congruence].
      + rewrite <- (sum_zero steps). apply sum_ext. intros j _. rewrite (feature_own m m' _ _ i Hm Hm' Ha Hi). destruct (Nat.eq_dec m' m); [congruence|ring].
  Qed.

  (** ** The three sums of RidgeMoments.v *)
  Let feat := place_feature Phi.
  Let y0 := nowhere_place.
  Lemma energy_is ds : right_lengths M ds ->
    error_squares M steps d (sample_feature ds) (agents_fit ds) agents_truth <= data_energy feat y0 dim wstar (designs X K D len gamma l f M) (pooled_places M ds).
  Proof.
    intro Hd. unfold error_squares, data_energy. rewrite designs_length. change (ridge_fit feat y0 dim (pooled_count len l M) (pooled_places M ds)) with (pooled_fit ds).
    apply Rplus_le_compat.
    - right. pose proof (pooled_sum (fun z => dot dim (feat (fst z)) (minus (pooled_fit ds) wstar) ^ 2) M ds Hd) as S. symmetry. etransitivity; [exact S|].
      apply sum_ext. intros m Hm. apply sum_ext. intros j _. unfold with_agent, feat, place_feature, sample_feature. cbn [fst snd]. rewrite (same_dot m _ _ _ Hm). reflexivity.
    - apply (smaller_norm (minus (pooled_fit ds) wstar)).
  Qed.
  Lemma surprise_is ds m j : (m < M)%nat -> snd (with_agent m (nth j (ds m) no_sample)) - dot dim (feat (fst (with_agent m (nth j (ds m) no_sample)))) wstar =
    own_noise d (sample_feature ds) (sample_reward ds) agents_truth m j.
  Proof. intro Hm. unfold own_noise, with_agent, feat, place_feature, sample_feature, sample_reward. cbn [fst snd]. rewrite (same_dot m _ _ wstar Hm). reflexivity. Qed.
  Lemma squares_are ds : right_lengths M ds ->
    noise_squares M steps d (sample_feature ds) (sample_reward ds) agents_truth = data_squares feat y0 dim wstar (designs X K D len gamma l f M) (pooled_places M ds).
  Proof.
    intro Hd. unfold noise_squares, data_squares. rewrite designs_length.
    pose proof (pooled_sum (fun z => (snd z - dot dim (feat (fst z)) wstar) ^ 2) M ds Hd) as S. symmetry. etransitivity; [exact S|].
    apply sum_ext. intros m Hm. apply sum_ext. intros j _. rewrite surprise_is by exact Hm. reflexivity.
  Qed.
  Lemma owned_is ds : right_lengths M ds ->
    agents_noise M steps d (sample_feature ds) (sample_reward ds) agents_truth <= data_owned feat y0 dim wstar (designs X K D len gamma l f M) M fst (pooled_places M ds).
  Proof.
    intro Hd. unfold agents_noise, data_owned. apply sum_le. intros m Hm. rewrite designs_length.
    eapply Rle_trans; [apply (same_combination m steps (fun j => own_noise d (sample_feature ds) (sample_reward ds) agents_truth m j) (fun j => fst (nth j (ds m) no_sample)) Hm)|].
    right. apply sum_ext. intros i _. f_equal.
    pose proof (pooled_sum (fun z => (if Nat.eq_dec (fst (fst z)) m then feat (fst z) i else 0) * (snd z - dot dim (feat (fst z)) wstar)) M ds Hd) as S.
    symmetry. etransitivity; [exact S|].
    rewrite (sum_ext M _ (fun m' => if Nat.eq_dec m' m then sum steps (fun j => own_noise d (sample_feature ds) (sample_reward ds) agents_truth m' j * Phi m' (fst (fst (nth j (ds m') no_sample))) (snd (fst (nth j (ds m') no_sample))) i) else 0)).
    - rewrite (sum_delta M m (fun m' => sum steps (fun j => own_noise d (sample_feature ds) (sample_reward ds) agents_truth m' j * Phi m' (fst (fst (nth j (ds m') no_sample))) (snd (fst (nth j (ds m') no_sample))) i)) Hm). reflexivity.
    - intros m' Hm'. destruct (Nat.eq_dec m' m) as [->|Hne].
      + apply sum_ext. intros j _. rewrite surprise_is by exact Hm. unfold with_agent. cbn [fst snd]. destruct (Nat.eq_dec m m); [|congruence]. unfold feat, place_feature. cbn [fst snd]. ring.
      + rewrite (sum_ext steps _ (fun _ => 0)); [apply sum_zero|]. intros j _. unfold with_agent. cbn [fst snd]. destruct (Nat.eq_dec m' m); [congruence|ring].
  Qed.

  (** ** Runs: the server's point after the last round *)
  Variables (eta eta_g : R) (k : nat) (way : method) (rounds : nat).
  Hypothesis Heta : 0 < eta.
  Hypothesis Hg : 1 <= eta_g.
  Hypothesis Hk : (1 <= k)%nat.
  Let h := whole_step eta eta_g k.
  Let beta := 2 * (1 + big / n).
  Let mu := 2 / n.
  Hypothesis Hstep : step_condition way (whole_step eta eta_g k * (2 * (1 + big / (INR M * INR steps)))).
  Definition epoch_run (ds : dataset) : list (R * agents_point) :=
    bind (local_run M steps d a (sample_feature ds) (sample_reward ds) (agents_fit ds) eta eta_g k way rounds) (fun y => dirac (average M a (equal_weight M) y)).
  Definition distance_from (xs y : agents_point) : R := sum M (fun m => / INR M * square_norm d (minus (y m) (xs m))).
  Lemma epoch_run_law ds : distribution (epoch_run ds).
  Proof. apply distribution_bind; [apply local_run_law; assumption|intro; apply distribution_dirac]. Qed.
  Lemma server_closer ds y : distance_from (agents_fit ds) (average M a (equal_weight M) y) <=
    sq agents_point (pip M d (equal_weight M)) (LocalSteps.sub agents_point padd pscal y (agents_fit ds)).
  Proof.
    pose proof (weights_sum M steps HM Hsteps) as W1. pose proof (weights_pos M steps HM Hsteps) as W0.
    eapply Rle_trans; [|apply (proj_shrinks agents_point padd pscal (pip M d (equal_weight M)) (pip_add M d (equal_weight M)) (pip_scal M d (equal_weight M)) (pip_sym M d (equal_weight M))
      (pip_pos M d (equal_weight M) (fun m _ => W0 m)) (average M a (equal_weight M)) (average_adjoint M d a (equal_weight M)) (average_twice M d a (equal_weight M) W1))].
    right. unfold distance_from, sq, pip. apply sum_ext. intros m Hm. unfold square_norm. f_equal. apply sum_ext. intros i _. unfold minus.
    assert (E : average M a (equal_weight M) (LocalSteps.sub agents_point padd pscal y (agents_fit ds)) m i = average M a (equal_weight M) y m i - agents_fit ds m i); [|rewrite E; ring].
    unfold average, LocalSteps.sub, padd, pscal. destruct (Nat.ltb_spec i a) as [Ha|]; [|ring]. unfold agents_mean.
    rewrite (sum_ext M _ (fun j => equal_weight M j * y j i + (- agents_fit ds O i) * equal_weight M j)) by (intros j Hj; rewrite (fit_shared ds j i Hj Ha); ring).
    rewrite sum_plus, sum_scal, W1, (fit_shared ds m i Hm Ha). ring.
  Qed.
  Lemma noise_shares ds : let sh := shared_noise M d a (equal_weight M) (fun _ => steps) (equal_chance steps) (local_gradient M steps d a (sample_feature ds) (sample_reward ds) false) (agents_fit ds) in
    let pe := personal_noise M d a (equal_weight M) (fun _ => steps) (equal_chance steps) (local_gradient M steps d a (sample_feature ds) (sample_reward ds) false) (agents_fit ds) in
    / INR M * sh + pe <= share * (sh + pe).
  Proof.
    intros sh pe. pose proof (weights_pos M steps HM Hsteps) as W0. destruct Hshare as [[Had ->]| ->].
    - assert (P0 : pe = 0); [|rewrite P0; lra]. unfold pe, personal_noise. rewrite (sum_ext M _ (fun _ => 0)); [apply sum_zero|]. intros m _.
      rewrite (sum_ext d _ (fun _ => 0)); [rewrite sum_zero; ring|]. intros i Hi. destruct (Nat.ltb_spec i a); [reflexivity|lia].
    - assert (0 <= sh).
      { apply sum_nonneg. intros m _. apply Rmult_le_pos; [apply W0|]. apply sum_nonneg. intros i _. destruct (Nat.ltb i a); [|lra].
        apply variance_nonneg; [intros m' j _; apply (chances_pos M steps HM Hsteps m' j)|intros; apply (chances_sum M steps HM Hsteps)]. }
      assert (/ INR M <= 1) by (rewrite <- Rinv_1; apply Rinv_le_contravar; [lra|]; replace 1 with (INR 1) by reflexivity; apply le_INR, HM).
      assert (/ INR M * sh <= 1 * sh) by (apply Rmult_le_compat_r; assumption). lra.
  Qed.
  (** ** Start, noise and drift of the data, in the mean *)
  Definition start_of (ds : dataset) : R := sq agents_point (pip M d (equal_weight M)) (LocalSteps.sub agents_point padd pscal origin_point (agents_fit ds)).
  Definition noise_of (ds : dataset) : R :=
    shared_noise M d a (equal_weight M) (fun _ => steps) (equal_chance steps) (local_gradient M steps d a (sample_feature ds) (sample_reward ds) false) (agents_fit ds) +
    personal_noise M d a (equal_weight M) (fun _ => steps) (equal_chance steps) (local_gradient M steps d a (sample_feature ds) (sample_reward ds) false) (agents_fit ds).
  Definition drift_of (ds : dataset) : R :=
    sq agents_point (pip M d (equal_weight M)) (mean_gradient (fun _ => steps) (equal_chance steps) (local_gradient M steps d a (sample_feature ds) (sample_reward ds) false) (agents_fit ds)).
  Let s0 := sqrt 1 / sqrt C.
  Let s1 := sqrt (INR M) / sqrt (4 * C).
  (** b1 start + b2 noise + b3 drift is at most this function of the samples *)
  Definition numbers_above (b1 b2 b3 : R) (t : list (LinearDifferentLaws.place * R)) : R :=
    three_sums feat y0 dim wstar (designs X K D len gamma l f M) M fst
      (b1 * (1 + s0) + b3 * ((1 + s1) * (4 * / n))) (b2 * (4 * / n)) (b3 * ((1 + / s1) * (4 * / n * / INR steps))) t + (b1 * (1 + / s0) + b2 * (4 * (/ n * norm2))).
  Lemma splits : 1 <= n /\ 0 < C /\ 0 < s0 /\ 0 < s1.
  Proof.
    destruct (counts M steps HM Hsteps) as (M1 & E1 & N1). assert (C0 : 0 < C) by (unfold C; pose proof (pos_INR dim); lra).
    repeat split; [exact N1|exact C0| |]; unfold s0, s1; apply Rdiv_lt_0_compat; apply sqrt_lt_R0; lra.
  Qed.
  Lemma numbers_bound b1 b2 b3 ds : 0 <= b1 -> 0 <= b2 -> 0 <= b3 -> right_lengths M ds ->
    b1 * start_of ds + b2 * noise_of ds + b3 * drift_of ds <= numbers_above b1 b2 b3 (pooled_places M ds).
  Proof.
    intros P1 P2 P3 L. destruct splits as (N1 & C0 & S0 & S1). destruct (counts M steps HM Hsteps) as (M1 & E1 & _).
    assert (In : 0 < / n) by (apply Rinv_0_lt_compat; lra). assert (Ie : 0 < / INR steps) by (apply Rinv_0_lt_compat; lra).
    assert (I0 : 0 < / s0) by (apply Rinv_0_lt_compat; exact S0). assert (I1 : 0 < / s1) by (apply Rinv_0_lt_compat; exact S1).
    pose proof (start_bound M steps d (sample_feature ds) HM Hsteps (agents_fit ds) agents_truth s0 S0) as B1.
    pose proof (noise_bound M steps d a (sample_feature ds) (sample_reward ds) HM Hsteps (fun m j => Hphi m _ _) (agents_fit ds) (fit_shared ds)
      (fun i => normal_at_shared ds i L) (fun m i => normal_at_own ds m i L) agents_truth truth_shared) as B2.
    pose proof (drift_bound M steps d a (sample_feature ds) (sample_reward ds) HM Hsteps (fun m j => Hphi m _ _) (agents_fit ds) (fit_shared ds)
      (fun i => normal_at_shared ds i L) (fun m i => normal_at_own ds m i L) agents_truth false s1 S1) as B3.
    fold (start_of ds) in B1. fold (noise_of ds) in B2. fold (drift_of ds) in B3.
    apply (Rmult_le_compat_l b1) in B1; [|exact P1]. apply (Rmult_le_compat_l b2) in B2; [|exact P2]. apply (Rmult_le_compat_l b3) in B3; [|exact P3].
    unfold numbers_above, three_sums. rewrite <- (squares_are ds L). fold n in B2, B3.
    set (ca := b1 * (1 + s0) + b3 * ((1 + s1) * (4 * / n))). set (cb := b2 * (4 * / n)). set (cc := b3 * ((1 + / s1) * (4 * / n * / INR steps))).
    assert (A0 : 0 <= ca) by (unfold ca; apply Rplus_le_le_0_compat; apply Rmult_le_pos; try assumption; [lra|apply Rmult_le_pos; lra]).
    assert (A2 : 0 <= cc) by (unfold cc; apply Rmult_le_pos; [assumption|]; apply Rmult_le_pos; [lra|apply Rmult_le_pos; lra]).
    pose proof (energy_is ds L) as H1. pose proof (owned_is ds L) as H3. pose proof truth_weighted as T2. pose proof truth_unit as T1.
    set (q := error_squares M steps d (sample_feature ds) (agents_fit ds) agents_truth) in *. set (e2 := noise_squares M steps d (sample_feature ds) (sample_reward ds) agents_truth) in *.
    set (bs := agents_noise M steps d (sample_feature ds) (sample_reward ds) agents_truth) in *.
    change (sum M (fun m => equal_weight M m * square_norm d (agents_truth m))) with (sum M (fun m => / INR M * square_norm d (restrict m wstar))) in *.
    change (sum M (fun m => equal_weight M m * sum d (fun i => block_weight M a i * agents_truth m i ^ 2))) with (sum M (fun m => / INR M * sum d (fun i => block_weight M a i * restrict m wstar i ^ 2))) in *.
    set (t1 := sum M (fun m => / INR M * square_norm d (restrict m wstar))) in *. set (t2 := sum M (fun m => / INR M * sum d (fun i => block_weight M a i * restrict m wstar i ^ 2))) in *.
    apply (Rmult_le_compat_l ca) in H1; [|exact A0]. apply (Rmult_le_compat_l cc) in H3; [|exact A2].
    assert (X1 : b1 * ((1 + / s0) * t1) <= b1 * (1 + / s0)) by (apply Rmult_le_compat_l; [exact P1|]; rewrite <- (Rmult_1_r (1 + / s0)) at 2; apply Rmult_le_compat_l; lra).
    assert (X2 : b2 * (4 * (/ n * t2)) <= b2 * (4 * (/ n * norm2))) by (apply Rmult_le_compat_l; [exact P2|]; apply Rmult_le_compat_l; [lra|]; apply Rmult_le_compat_l; lra).
    apply Rle_trans with (ca * q + cb * e2 + cc * bs + (b1 * ((1 + / s0) * t1) + b2 * (4 * (/ n * t2)))); [|lra].
    replace (ca * q + cb * e2 + cc * bs + (b1 * ((1 + / s0) * t1) + b2 * (4 * (/ n * t2))))
      with (b1 * ((1 + s0) * q + (1 + / s0) * t1) + b2 * (4 * (/ n * e2 + / n * t2)) + b3 * ((1 + s1) * (4 * / n * q) + (1 + / s1) * (4 * / n * / INR steps * bs))) by (unfold ca, cb, cc; ring). lra.
  Qed.
  Lemma mean_numbers (T : list LinearDifferentLaws.place -> R) b1 b2 b3 : (forall ps, 0 <= T ps) -> 0 <= b1 -> 0 <= b2 -> 0 <= b3 ->
    Expect (data M) (fun ds => T (map fst (pooled_places M ds)) * numbers_above b1 b2 b3 (pooled_places M ds)) <=
      Expect (product (designs X K D len gamma l f M)) T * (b1 * mean_start C + b2 * mean_noise n norm2 + b3 * mean_drift (INR M) C n).
  Proof.
    intros HT P1 P2 P3. destruct splits as (N1 & C0 & S0 & S1). destruct (counts M steps HM Hsteps) as (M1 & E1 & _).
    assert (In : 0 < / n) by (apply Rinv_0_lt_compat; lra). assert (Ie : 0 < / INR steps) by (apply Rinv_0_lt_compat; lra).
    assert (I0 : 0 < / s0) by (apply Rinv_0_lt_compat; exact S0). assert (I1 : 0 < / s1) by (apply Rinv_0_lt_compat; exact S1).
    unfold data. rewrite (all_agents_places X K D reward_law len gamma l f M (fun t => T (map fst t) * numbers_above b1 b2 b3 t)). unfold numbers_above.
    set (ca := b1 * (1 + s0) + b3 * ((1 + s1) * (4 * / n))). set (cb := b2 * (4 * / n)). set (cc := b3 * ((1 + / s1) * (4 * / n * / INR steps))).
    set (rest := b1 * (1 + / s0) + b2 * (4 * (/ n * norm2))).
    assert (A0 : 0 <= ca) by (unfold ca; apply Rplus_le_le_0_compat; apply Rmult_le_pos; try assumption; [lra|apply Rmult_le_pos; lra]).
    assert (A1 : 0 <= cb) by (unfold cb; apply Rmult_le_pos; lra).
    assert (A2 : 0 <= cc) by (unfold cc; apply Rmult_le_pos; [assumption|]; apply Rmult_le_pos; [lra|apply Rmult_le_pos; lra]).
    pose proof (designs_distributions X K D len gamma HK HD0 HD1 l f (Hgamma l) M) as HQ.
    pose proof (weighted_moments feat y0 dim wstar (1 / 4) (designs X K D len gamma l f M) (place_rewards reward_law) M fst HQ (fun y => HPhi _ _ _) (fun y => HR _ _ _) (fun y => Hlin _ _ _)
      (place_variance reward_law dim Phi wstar HR HR01 Hlin) ltac:(lra) T ca cb cc rest HT A0 A1 A2) as Mo.
    rewrite designs_length, pooled_count_W in Mo.
    rewrite (sum_ext M (fun m => INR (len l m)) (fun _ => INR steps)), sum_const in Mo by (intros; rewrite Hlen; reflexivity). fold n in Mo.
    eapply Rle_trans; [exact Mo|].
    assert (T0 : 0 <= Expect (product (designs X K D len gamma l f M)) T).
    { pose proof (distribution_product _ HQ) as Hd. rewrite <- (Expect_const _ 0 Hd). apply Expect_le; [apply Hd|exact HT]. }
    apply Rmult_le_compat_l; [exact T0|].
    apply Rle_trans with (ca * C + cb * (1 / 4 * n) + cc * (1 / 4 * n) + rest).
    - apply Rplus_le_compat_r. apply Rplus_le_compat_r. apply Rplus_le_compat_r. apply Rmult_le_compat_l; [exact A0|]. unfold C. lra.
    - pose proof (best_split C 1 C0 ltac:(lra)) as F1. fold s0 in F1. pose proof (best_split (4 * C) (INR M) ltac:(lra) ltac:(lra)) as F2. fold s1 in F2.
      assert (R4 : sqrt (4 * C) = 2 * sqrt C) by (rewrite sqrt_mult_alt by lra; replace 4 with (2 * 2) by ring; rewrite sqrt_square by lra; reflexivity).
      rewrite sqrt_1 in F1. rewrite R4 in F2. unfold mean_start, mean_noise, mean_drift. rewrite <- F1, <- F2.
      right. unfold ca, cb, cc, rest. unfold n. field. repeat split; try lra; apply Rgt_not_eq; assumption.
  Qed.
  Lemma data_law : distribution (data M).
  Proof. apply (distribution_all_agents X K D reward_law l len gamma HK HD0 HD1 HR (fun i _ => Hgamma i)). lia. Qed.
  Lemma share_nonneg : 0 <= share.
  Proof. destruct (counts M steps HM Hsteps) as (M1 & _). destruct Hshare as [[_ ->]| ->]; [left; apply Rinv_0_lt_compat; lra|lra]. Qed.
  Lemma constants_range : 1 <= INR k /\ 0 < h /\ mu * h <= 1 /\ 0 < beta /\ 0 < mu.
  Proof.
    destruct splits as (N1 & _). pose proof (step_ok M steps big HM Hsteps eta eta_g k Heta Hg Hk Hbig1 way Hstep) as [Hh Hmh]. fold n h mu in Hh, Hmh.
    assert (0 <= big / n) by (apply Rmult_le_pos; [lra|left; apply Rinv_0_lt_compat; lra]).
    repeat split; [replace 1 with (INR 1) by reflexivity; apply le_INR, Hk|exact Hh|exact Hmh|unfold beta; lra|unfold mu; apply Rdiv_lt_0_compat; lra].
  Qed.
  (** E norm(x_R - xs)^2, over the data and the draws of the method *)
  Theorem epoch_distance : Expect (all_agents X K D reward_law len gamma l f M) (fun ds => Expect (epoch_run ds) (distance_from (agents_fit ds))) <=
    method_bound way (INR k) eta_g (whole_step eta eta_g k) (2 * (1 + big / (INR M * INR steps))) (2 / (INR M * INR steps)) share rounds
      (mean_start (INR dim / 4 + norm2)) (mean_noise (INR M * INR steps) norm2) (mean_drift (INR M) (INR dim / 4 + norm2) (INR M * INR steps)).
  Proof.
    fold n C h beta mu. destruct constants_range as (K1 & Hh & Hmh & B0 & Mu0). pose proof share_nonneg as Sh0.
    pose proof (fun u v w => method_bound_nonneg way (INR k) eta_g h beta mu share rounds u v w K1 Hg Hh B0 Mu0 Hmh Sh0) as Pos.
    pose proof (method_bound_linear way (INR k) eta_g h beta mu share rounds) as Lin.
    set (b1 := method_bound way (INR k) eta_g h beta mu share rounds 1 0 0) in *. set (b2 := method_bound way (INR k) eta_g h beta mu share rounds 0 1 0) in *. set (b3 := method_bound way (INR k) eta_g h beta mu share rounds 0 0 1) in *.
    assert (P1 : 0 <= b1) by (apply Pos; lra). assert (P2 : 0 <= b2) by (apply Pos; lra). assert (P3 : 0 <= b3) by (apply Pos; lra).
    eapply Rle_trans; [apply (Expect_le_on_support _ _ (fun ds => 1 * numbers_above b1 b2 b3 (pooled_places M ds))); [apply data_law|]|].
    - eapply Forall_impl; [|apply (data_lengths M)]. intros [p ds] L. cbn [snd] in *. rewrite Rmult_1_l. eapply Rle_trans; [|apply (numbers_bound b1 b2 b3 ds P1 P2 P3 L)].
      rewrite <- Lin. unfold epoch_run. rewrite Expect_bind. eapply Rle_trans.
      + apply (Expect_le _ _ (fun y => sq agents_point (pip M d (equal_weight M)) (LocalSteps.sub agents_point padd pscal y (agents_fit ds)))).
        * apply local_run_law; assumption.
        * intro y. rewrite Expect_dirac. apply server_closer.
      + apply (local_run_bound M steps d a big (sample_feature ds) (sample_reward ds) HM Hsteps (fun m j => Hphi m _ _) Hbig (agents_fit ds) (fit_shared ds)
          (fun i => normal_at_shared ds i L) (fun m i => normal_at_own ds m i L) eta eta_g k share Heta Hg Hk Hbig1 (noise_shares ds) way rounds Hstep).
    - rewrite Lin. eapply Rle_trans; [apply (mean_numbers (fun _ => 1) b1 b2 b3 (fun _ => Rle_0_1) P1 P2 P3)|]. right.
      rewrite (Expect_const _ 1 (distribution_product _ (designs_distributions X K D len gamma HK HD0 HD1 l f (Hgamma l) M))). ring.
  Qed.

  (** ** The average point: its gap, and what it says of fresh points *)
  (** points that agree on the shared coordinates are one vector, in the same norm *)
  Hypothesis lifts : forall v : agents_point, (forall m i, (m < M)%nat -> (i < a)%nat -> v m i = v O i) -> exists V : vector,
    (forall m i, (m < M)%nat -> (i < d)%nat -> restrict m V i = v m i) /\ square_norm dim V <= sum M (fun m => / INR M * sum d (fun i => block_weight M a i * v m i ^ 2)).
  Definition epoch_average (ds : dataset) : list (R * agents_point) :=
    bind (local_average M steps d a (sample_feature ds) (sample_reward ds) (agents_fit ds) eta eta_g k way rounds) (fun y => dirac (average M a (equal_weight M) y)).
  Lemma epoch_average_law ds : distribution (epoch_average ds).
  Proof. apply distribution_bind; [apply local_average_law; assumption|intro; apply distribution_dirac]. Qed.
  (** the truth, moved by the difference between y and the minimiser *)
  Definition moved (xs y : agents_point) : estimate := fun m x b => fstar reward_law m x b + dot d (phi m x b) (minus (y m) (xs m)).
  Definition gap_of (ds : dataset) (y : agents_point) : R :=
    objective M (equal_weight M) (fun _ => steps) (equal_chance steps) (local_loss M steps d a (sample_feature ds) (sample_reward ds) false) y -
    objective M (equal_weight M) (fun _ => steps) (equal_chance steps) (local_loss M steps d a (sample_feature ds) (sample_reward ds) false) (agents_fit ds).
  Notation leverage_of ds := (fresh_leverage feat y0 dim (designs X K D len gamma l f M) (map fst (pooled_places M ds))).
  Lemma moved_error ds y : right_lengths M ds -> (forall m i, (m < M)%nat -> (i < a)%nat -> y m i = y O i) ->
    Err_of M X K D reward_law len gamma l f (moved (agents_fit ds) y) <= leverage_of ds * (n * gap_of ds y).
  Proof.
    intros L Hy. destruct (lifts (fun m => minus (y m) (agents_fit ds m))) as (V & HV & NV).
    { intros m i Hm Hi. unfold minus. rewrite (Hy m i Hm Hi), (fit_shared ds m i Hm Hi). reflexivity. }
    assert (Dot : forall m x b, (m < M)%nat -> dot dim (Phi m x b) V = dot d (phi m x b) (minus (y m) (agents_fit ds m))).
    { intros m x b Hm. rewrite (same_dot m x b V Hm). apply dot_ext. intros i Hi. apply (HV m i Hm Hi). }
    assert (E1 : Err_of M X K D reward_law len gamma l f (moved (agents_fit ds) y) =
      Err_of M X K D reward_law len gamma l f (own_linear_estimate dim Phi (fun i => wstar i + V i))).
    { unfold Err_of, over_epoch. apply sum_ext. intros m Hm. f_equal. apply sum_ext. intros x _. f_equal. apply sum_ext. intros b _. f_equal.
      unfold moved, own_linear_estimate, fstar. rewrite Hlin, dot_plus, (Dot m x b Hm). reflexivity. }
    rewrite E1, (Err_places M X K D reward_law len gamma dim Phi wstar Hlin l f).
    replace (minus (fun i => wstar i + V i) wstar) with V by (apply functional_extensionality; intro i; unfold minus; ring).
    eapply Rle_trans; [apply (fresh_squares feat y0 dim (designs X K D len gamma l f M) (designs_distributions X K D len gamma HK HD0 HD1 l f (Hgamma l) M) (map fst (pooled_places M ds)) V)|].
    apply Rmult_le_compat_l; [apply (leverage_nonneg feat y0 dim _ (designs_distributions X K D len gamma HK HD0 HD1 l f (Hgamma l) M))|].
    pose proof (gap_energy M steps d a (sample_feature ds) (sample_reward ds) HM Hsteps (agents_fit ds) (fit_shared ds) (fun i => normal_at_shared ds i L) (fun m i => normal_at_own ds m i L)
      false y (agree_of M steps d a HM Hsteps (agents_fit ds) (fit_shared ds) y Hy)) as G.
    unfold gap_of. fold n in G. rewrite <- G. apply Rplus_le_compat; [|exact NV]. right. rewrite designs_length.
    pose proof (pooled_sum (fun z => dot dim (feat (fst z)) V ^ 2) M ds L) as S. etransitivity; [|etransitivity; [exact S|]].
    - apply sum_ext. intros j _. f_equal. unfold feature_at. f_equal. f_equal. apply (map_nth fst (pooled_places M ds) (nowhere nowhere_place) j).
    - apply sum_ext. intros m Hm. apply sum_ext. intros j _. unfold with_agent, feat, place_feature, sample_feature. cbn [fst snd]. rewrite (Dot m _ _ Hm). reflexivity.
  Qed.
  Lemma shared_coordinates z m i : shared agents_point (pip M d (equal_weight M)) (average M a (equal_weight M)) z -> (m < M)%nat -> (i < d)%nat -> average M a (equal_weight M) z m i = z m i.
  Proof.
    intros Hz Hm Hi. set (t := fun m' i' => if Nat.eq_dec m' m then if Nat.eq_dec i' i then 1 else 0 else 0).
    assert (At : forall z', pip M d (equal_weight M) z' t = equal_weight M m * z' m i).
    { intro z'. unfold pip. rewrite (sum_ext M _ (fun m' => if Nat.eq_dec m' m then equal_weight M m' * z' m' i else 0)).
      - apply (sum_delta M m (fun m' => equal_weight M m' * z' m' i) Hm).
      - intros m' _. unfold t. destruct (Nat.eq_dec m' m) as [->|].
        + f_equal. rewrite (sum_ext d _ (fun i' => if Nat.eq_dec i' i then z' m i' else 0)) by (intros i' _; destruct (Nat.eq_dec i' i); ring). apply (sum_delta d i (z' m) Hi).
        + rewrite (sum_ext d _ (fun _ => 0)) by (intros; ring). rewrite sum_zero. ring. }
    specialize (Hz t). rewrite !At in Hz. destruct (counts M steps HM Hsteps) as (M1 & _). apply (Rmult_eq_reg_l (equal_weight M m)); [exact Hz|]. unfold equal_weight. apply Rgt_not_eq, Rinv_0_lt_compat. lra.
  Qed.
  Lemma average_same ds y m i : shared agents_point (pip M d (equal_weight M)) (average M a (equal_weight M)) (LocalSteps.sub agents_point padd pscal y (agents_fit ds)) -> (m < M)%nat -> (i < d)%nat ->
    average M a (equal_weight M) y m i = y m i.
  Proof.
    intros Hy Hm Hi. pose proof (shared_coordinates _ m i Hy Hm Hi) as E. pose proof (weights_sum M steps HM Hsteps) as W1.
    unfold average, LocalSteps.sub, padd, pscal in *. destruct (Nat.ltb_spec i a) as [Ha|]; [|reflexivity]. unfold agents_mean in *.
    rewrite (sum_ext M _ (fun j => equal_weight M j * y j i + (- agents_fit ds O i) * equal_weight M j)) in E by (intros j Hj; rewrite (fit_shared ds j i Hj Ha); ring).
    rewrite sum_plus, sum_scal, W1, (fit_shared ds m i Hm Ha) in E. lra.
  Qed.
  (** Fresh points, over the data and the draws of the method: D n times the bound on the gap *)
  Theorem epoch_gap : (1 <= rounds)%nat ->
    Expect (all_agents X K D reward_law len gamma l f M) (fun ds => Expect (epoch_average ds) (fun y => Err_of M X K D reward_law len gamma l f (moved (agents_fit ds) y))) <=
    INR dim * (INR M * INR steps * gap_bound way (INR k) eta_g (whole_step eta eta_g k) (2 * (1 + big / (INR M * INR steps))) (2 / (INR M * INR steps)) share rounds
      (mean_start (INR dim / 4 + norm2)) (mean_noise (INR M * INR steps) norm2) (mean_drift (INR M) (INR dim / 4 + norm2) (INR M * INR steps))).
  Proof.
    intro HR1. fold n C h beta mu. destruct constants_range as (K1 & Hh & Hmh & B0 & Mu0). pose proof share_nonneg as Sh0. destruct splits as (N1 & _).
    pose proof (fun u v w => gap_bound_nonneg way (INR k) eta_g h beta mu share rounds u v w K1 Hg Hh B0 Mu0 Hmh Sh0 HR1) as Pos.
    pose proof (gap_bound_linear way (INR k) eta_g h beta mu share rounds) as Lin.
    set (b1 := gap_bound way (INR k) eta_g h beta mu share rounds 1 0 0) in *. set (b2 := gap_bound way (INR k) eta_g h beta mu share rounds 0 1 0) in *. set (b3 := gap_bound way (INR k) eta_g h beta mu share rounds 0 0 1) in *.
    assert (P1 : 0 <= n * b1) by (apply Rmult_le_pos; [lra|apply Pos; lra]). assert (P2 : 0 <= n * b2) by (apply Rmult_le_pos; [lra|apply Pos; lra]).
    assert (P3 : 0 <= n * b3) by (apply Rmult_le_pos; [lra|apply Pos; lra]).
    pose proof (designs_distributions X K D len gamma HK HD0 HD1 l f (Hgamma l) M) as HQ.
    pose proof (leverage_nonneg feat y0 dim (designs X K D len gamma l f M) HQ) as T0.
    eapply Rle_trans; [apply (Expect_le_on_support _ _ (fun ds => leverage_of ds * numbers_above (n * b1) (n * b2) (n * b3) (pooled_places M ds))); [apply data_law|]|].
    - eapply Forall_impl; [|apply (data_lengths M)]. intros [p ds] L. cbn [snd] in *.
      apply Rle_trans with (leverage_of ds * (n * b1 * start_of ds + n * b2 * noise_of ds + n * b3 * drift_of ds)).
      + replace (n * b1 * start_of ds + n * b2 * noise_of ds + n * b3 * drift_of ds) with (n * (b1 * start_of ds + b2 * noise_of ds + b3 * drift_of ds)) by ring. rewrite <- Lin.
        assert (Shared : forall y, shared agents_point (pip M d (equal_weight M)) (average M a (equal_weight M)) (LocalSteps.sub agents_point padd pscal y (agents_fit ds)) ->
          gap_of ds (average M a (equal_weight M) y) = gap_of ds y).
        { intros y Hy. unfold gap_of, objective. f_equal. apply sum_ext. intros m Hm. f_equal. apply Expect_ext. intro j. unfold local_loss, sample_loss. f_equal.
          - f_equal. f_equal. apply dot_ext. intros i Hi. apply (average_same ds y m i Hy Hm Hi).
          - f_equal. apply sum_ext. intros i Hi. f_equal. f_equal. apply (average_same ds y m i Hy Hm Hi). }
        unfold epoch_average. rewrite Expect_bind.
        pose proof (local_average_law M steps d a (sample_feature ds) (sample_reward ds) HM Hsteps (agents_fit ds) eta eta_g k way rounds) as Hl0.
        eapply Rle_trans; [apply (Expect_le_on_support _ _ (fun y => leverage_of ds * (n * (objective M (equal_weight M) (fun _ => steps) (equal_chance steps) (local_loss M steps d a (sample_feature ds) (sample_reward ds) false) y
          + - objective M (equal_weight M) (fun _ => steps) (equal_chance steps) (local_loss M steps d a (sample_feature ds) (sample_reward ds) false) (agents_fit ds))))); [apply Hl0|]|].
        * eapply Forall_impl; [|apply (local_average_shared M steps d a big (sample_feature ds) (sample_reward ds) HM Hsteps (agents_fit ds) (fit_shared ds) eta eta_g k Heta Hg Hk Hbig1 way rounds Hstep HR1)].
          intros [q y] Hy. cbn [snd] in *. rewrite Expect_dirac. eapply Rle_trans; [apply (moved_error ds (average M a (equal_weight M) y) L)|].
          -- intros m i Hm Hi. unfold average. apply Nat.ltb_lt in Hi. rewrite Hi. reflexivity.
          -- rewrite (Shared y Hy). right. reflexivity.
        * rewrite !Expect_scal. apply Rmult_le_compat_l; [apply T0|]. apply Rmult_le_compat_l; [lra|].
          rewrite (Expect_plus_const _ _ _ _ Hl0) by reflexivity.
          apply (local_average_bound M steps d a big (sample_feature ds) (sample_reward ds) HM Hsteps (fun m j => Hphi m _ _) Hbig (agents_fit ds) (fit_shared ds)
            (fun i => normal_at_shared ds i L) (fun m i => normal_at_own ds m i L) eta eta_g k share Heta Hg Hk Hbig1 (noise_shares ds) way rounds Hstep HR1).
      + apply Rmult_le_compat_l; [apply T0|]. apply (numbers_bound (n * b1) (n * b2) (n * b3) ds P1 P2 P3 L).
    - eapply Rle_trans; [apply (mean_numbers (fresh_leverage feat y0 dim (designs X K D len gamma l f M)) (n * b1) (n * b2) (n * b3) T0 P1 P2 P3)|].
      rewrite (Lin (mean_start C)). replace (n * b1 * mean_start C + n * b2 * mean_noise n norm2 + n * b3 * mean_drift (INR M) C n)
        with (n * (b1 * mean_start C + b2 * mean_noise n norm2 + b3 * mean_drift (INR M) C n)) by ring.
      apply Rmult_le_compat_r; [|apply (mean_leverage feat y0 dim (designs X K D len gamma l f M) HQ (fun y => HPhi _ _ _))].
      apply Rmult_le_pos; [lra|]. rewrite <- Lin. apply Pos; [apply pow2_ge_0| |].
      + unfold mean_noise. assert (0 <= 4 * norm2 / n) by (apply Rmult_le_pos; [lra|left; apply Rinv_0_lt_compat; lra]). lra.
      + apply Rmult_le_pos; [apply pow2_ge_0|left; apply Rinv_0_lt_compat; lra].
  Qed.
End Epoch.
