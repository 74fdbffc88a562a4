(** * Robust aggregation: the constants cannot be improved

    Setting and notation of RobustAggregation.v.  The witnesses: agents send 0 or 1 (in the first coordinate), and the f lying ones
    cannot be told from honest ones.

    Main results:
    [no_rule_is_more_robust]     whatever the rule, kappa >= f/(M - 2f): the trimmed mean is the best there is
    [median_exact]               the median of every coordinate has no smaller kappa than (ceil(M/2) - 1)/(floor(M/2) + 1 - f)
    [geometric_median_exact]     nor the geometric median, for odd M, than floor(M/2)/(ceil(M/2) - f)
    [no_rule_survives_half]      if f >= M/2 no kappa does, for any rule.                                                        *)
From Coq Require Import Reals Lra Lia Psatz List Arith.
From FedIGW Require Import FiniteSums AcceleratedGradient RobustAggregation GeometricMedian.
Open Scope R_scope.

(** The agents in the set r send (1, 0, ..., 0), the others 0. *)
Definition ones (r : nat -> bool) : nat -> vector := fun i j => if Nat.eq_dec j 0 then among r i else 0.

Lemma count_ext n h r : (forall i, (i < n)%nat -> h i = r i) -> count n h = count n r.
Proof.
  induction n as [|n IH]; intro H; [reflexivity|]. cbn [count]. rewrite IH by (intros; apply H; lia). rewrite (H n) by lia. reflexivity.
Qed.
Lemma windows_meet n lo hi lo' hi' :
  count n (fun i => window lo hi i && window lo' hi' i)%bool = count n (window (Nat.max lo lo') (Nat.min hi hi')).
Proof.
  apply count_ext. intros i _. unfold window.
  destruct (Nat.leb_spec lo i), (Nat.ltb_spec i hi), (Nat.leb_spec lo' i), (Nat.ltb_spec i hi'),
    (Nat.leb_spec (Nat.max lo lo') i), (Nat.ltb_spec i (Nat.min hi hi')); try reflexivity; lia.
Qed.

(** What a robust rule must satisfy when the share m of the honest agents sends 1:  (A - m)^2 <= kappa m (1 - m). *)
Section Ones.
  Variables (M f d : nat) (A : (nat -> vector) -> vector) (kappa : R).
  Hypothesis Hd : (1 <= d)%nat.
  Hypothesis HA : robust M f d A kappa.
  Variables h r : nat -> bool.
  Hypothesis Hh : count M h = (M - f)%nat.
  Hypothesis some_honest : (f < M)%nat.
  Definition share : R := INR (count M (fun i => h i && r i)%bool) / INR (count M h).
  Let HN : 0 < INR (count M h).
  Proof. apply lt_0_INR. lia. Qed.
  Lemma share_is_mean : mean_of M h (among r) = share.
  Proof.
    unfold mean_of, share. f_equal. rewrite <- sum_among. apply sum_ext. intros i _. unfold among. destruct (h i), (r i); simpl; ring.
  Qed.
  Lemma spread_of_ones : honest_spread M d h (ones r) = share * (1 - share).
  Proof.
    rewrite honest_spread_by_coordinates.
    rewrite (sum_ext d _ (fun j => if Nat.eq_dec j 0 then share * (1 - share) else 0)).
    - apply (sum_delta d 0 (fun _ => share * (1 - share))). lia.
    - intros j _. unfold ones. destruct (Nat.eq_dec j 0) as [->|Hj].
      + change (fun i => among r i) with (among r). unfold spread_of. rewrite share_is_mean.
        rewrite (sum_ext M _ (fun i => (1 - 2 * share) * among (fun i => h i && r i)%bool i + share ^ 2 * among h i))
          by (intros i _; unfold among; destruct (h i), (r i); simpl; ring).
        rewrite sum_plus, !sum_scal, !sum_among. unfold share. field. lra.
      + unfold spread_of, mean_of. rewrite (sum_ext M (fun i => among h i * 0) (fun _ => 0)) by (intros; ring). rewrite sum_zero.
        rewrite (sum_ext M _ (fun _ => 0)) by (intros; field; lra). rewrite sum_zero. field. lra.
  Qed.
  Lemma robust_on_ones : (A (ones r) 0%nat - share) ^ 2 <= kappa * (share * (1 - share)).
  Proof.
    pose proof (HA (ones r) h Hh) as H. rewrite spread_of_ones in H. eapply Rle_trans; [|exact H]. unfold square_norm.
    rewrite <- share_is_mean. change (mean_of M h (among r)) with (honest_mean M h (ones r) 0%nat).
    apply (sum_ge_one d (fun j => minus (A (ones r)) (honest_mean M h (ones r)) j ^ 2) 0); [intros; apply pow2_ge_0|lia].
  Qed.
  (** all honest agents agree: so must the rule *)
  Lemma unanimous : share * (1 - share) = 0 -> A (ones r) 0%nat = share.
  Proof. intro H. pose proof robust_on_ones as H1. rewrite H in H1. pose proof (pow2_ge_0 (A (ones r) 0%nat - share)). nra. Qed.
End Ones.

Section EveryRule.
  Variables (M f d : nat) (A : (nat -> vector) -> vector) (kappa : R).
  Hypothesis Hd : (1 <= d)%nat.
  Hypothesis HA : robust M f d A kappa.

  (** No rule has a smaller kappa than the trimmed mean: f agents say 1, the others 0, and f of either kind may be lying. *)
  Theorem no_rule_is_more_robust : (1 <= f)%nat -> (2 * f < M)%nat -> trimmed_kappa (INR M) (INR f) <= kappa.
  Proof.
    intros H1 Hf. set (r := window 0 f).
    assert (Hh1 : count M (window f M) = (M - f)%nat) by (rewrite count_window by lia; lia).
    assert (Hh2 : count M (window 0 (M - f)) = (M - f)%nat) by (rewrite count_window by lia; lia).
    assert (S1 : share M (window f M) r = 0).
    { unfold share, r. rewrite windows_meet. replace (count M (window (Nat.max f 0) (Nat.min M f))) with 0%nat.
      - simpl. unfold Rdiv. apply Rmult_0_l.
      - rewrite count_window by lia. lia. }
    assert (S2 : share M (window 0 (M - f)) r = INR f / INR (M - f)).
    { unfold share, r. rewrite windows_meet, Hh2. replace (count M (window (Nat.max 0 0) (Nat.min (M - f) f))) with f; [reflexivity|].
      rewrite count_window by lia. lia. }
    pose proof (unanimous M f d A kappa Hd HA (window f M) r Hh1 ltac:(lia) ltac:(rewrite S1; ring)) as E. rewrite S1 in E.
    pose proof (robust_on_ones M f d A kappa Hd HA (window 0 (M - f)) r Hh2 ltac:(lia)) as H. rewrite E, S2 in H.
    assert (Pf : 0 < INR f) by (apply lt_0_INR; lia). assert (PN : 0 < INR M - INR f) by (rewrite <- minus_INR by lia; apply lt_0_INR; lia).
    assert (P2 : 0 < INR M - 2 * INR f).
    { change 2 with (INR 2). rewrite <- mult_INR, <- minus_INR by lia. apply lt_0_INR. lia. }
    rewrite minus_INR in H by lia. set (F := INR f) in *. set (N := INR M - F) in *.
    assert (H' : F * F <= F * (kappa * (N - F))).
    { replace (F * F) with ((0 - F / N) ^ 2 * N ^ 2) by (field; lra).
      replace (F * (kappa * (N - F))) with (kappa * (F / N * (1 - F / N)) * N ^ 2) by (field; lra).
      apply Rmult_le_compat_r; [apply pow2_ge_0|exact H]. }
    apply Rmult_le_reg_l in H'; [|exact Pf]. unfold trimmed_kappa.
    apply (Rmult_le_reg_r (INR M - 2 * F)); [exact P2|]. replace (F / (INR M - 2 * F) * (INR M - 2 * F)) with F by (field; lra).
    replace (INR M - 2 * F) with (N - F) by (unfold N; ring). exact H'.
  Qed.

  (** Breakdown at one half: two camps of equal size, each of which may be the honest one. *)
  Theorem no_rule_survives_half : (f < M)%nat -> (M <= 2 * f)%nat -> False.
  Proof.
    intros H1 Hf. set (N := (M - f)%nat). set (r := window 0 N).
    assert (Hh1 : count M (window 0 N) = (M - f)%nat) by (rewrite count_window by lia; lia).
    assert (Hh2 : count M (window f M) = (M - f)%nat) by (rewrite count_window by lia; lia).
    assert (PN : 0 < INR (M - f)) by (apply lt_0_INR; lia).
    assert (S1 : share M (window 0 N) r = 1).
    { unfold share, r. rewrite windows_meet. replace (count M (window (Nat.max 0 0) (Nat.min N N))) with (M - f)%nat.
      - rewrite Hh1. field. lra.
      - rewrite count_window by lia. lia. }
    assert (S2 : share M (window f M) r = 0).
    { unfold share, r. rewrite windows_meet. rewrite (count_ext M _ (fun _ => false)).
      - replace (count M (fun _ => false)) with 0%nat by (clear; induction M as [|n IH]; simpl; [reflexivity|rewrite <- IH; lia]).
        simpl. unfold Rdiv. apply Rmult_0_l.
      - intros i _. unfold window. destruct (Nat.leb_spec (Nat.max f 0) i), (Nat.ltb_spec i (Nat.min M N)); try reflexivity. lia. }
    pose proof (unanimous M f d A kappa Hd HA (window 0 N) r Hh1 H1 ltac:(rewrite S1; ring)) as E1. rewrite S1 in E1.
    pose proof (unanimous M f d A kappa Hd HA (window f M) r Hh2 H1 ltac:(rewrite S2; ring)) as E2. rewrite S2 in E2. lra.
  Qed.

  (** floor(M/2) + 1 agents say 1, f of them lying.  A rule that follows this majority has at least the median's constant. *)
  Lemma majority_kappa : (3 <= M)%nat -> (2 * f < M)%nat -> A (ones (window 0 (Nat.div2 M + 1))) 0%nat = 1 ->
    median_kappa (INR M) (INR f) (INR (Nat.div2 M)) <= kappa.
  Proof.
    intros HM Hf Hone. destruct (halves M ltac:(lia)) as [Hpq Hpq']. set (q := Nat.div2 M) in *. set (c := (q + 1 - f)%nat).
    assert (Hh : count M (window f M) = (M - f)%nat) by (rewrite count_window by lia; lia).
    assert (S : share M (window f M) (window 0 (q + 1)) = INR c / INR (M - f)).
    { unfold share. rewrite windows_meet, Hh. f_equal. f_equal. rewrite count_window by lia. unfold c. lia. }
    pose proof (robust_on_ones M f d A kappa Hd HA (window f M) (window 0 (q + 1)) Hh ltac:(lia)) as H. rewrite Hone, S in H.
    assert (Pc : 0 < INR c) by (apply lt_0_INR; unfold c; lia). assert (PN : 0 < INR (M - f)) by (apply lt_0_INR; lia).
    assert (Prest : 0 < INR (M - f) - INR c) by (rewrite <- minus_INR by (unfold c; lia); apply lt_0_INR; unfold c; lia).
    assert (H' : (INR (M - f) - INR c) * (INR (M - f) - INR c) <= (INR (M - f) - INR c) * (kappa * INR c)).
    { replace ((INR (M - f) - INR c) * (INR (M - f) - INR c)) with ((1 - INR c / INR (M - f)) ^ 2 * INR (M - f) ^ 2) by (field; lra).
      replace ((INR (M - f) - INR c) * (kappa * INR c))
        with (kappa * (INR c / INR (M - f) * (1 - INR c / INR (M - f))) * INR (M - f) ^ 2) by (field; lra).
      apply Rmult_le_compat_r; [apply pow2_ge_0|exact H]. }
    apply Rmult_le_reg_l in H'; [|exact Prest].
    assert (Ec : INR c = INR q + 1 - INR f) by (unfold c; rewrite minus_INR, plus_INR by lia; reflexivity).
    unfold median_kappa. rewrite <- Ec. rewrite minus_INR in H' by lia.
    apply (Rmult_le_reg_r (INR c)); [exact Pc|]. replace ((INR M - INR q - 1) / INR c * INR c) with (INR M - INR q - 1) by (field; lra). lra.
  Qed.
End EveryRule.

(** The median of every coordinate has no smaller constant. *)
Theorem median_exact M f d kappa : (1 <= d)%nat -> (3 <= M)%nat -> (2 * f < M)%nat ->
  robust M f d (coordinatewise (median M)) kappa -> median_kappa (INR M) (INR f) (INR (Nat.div2 M)) <= kappa.
Proof.
  intros Hd HM Hf H. apply (majority_kappa M f d _ kappa Hd H HM Hf).
  destruct (halves M ltac:(lia)) as [Hpq Hpq']. set (p := Nat.div2 (M - 1)) in *. set (q := Nat.div2 M) in *.
  set (r := window 0 (q + 1)). unfold coordinatewise. set (y := fun i => ones r i 0%nat).
  assert (Hy : forall i, y i = 0 \/ y i = 1) by (intro i; unfold y, ones, among; simpl; destruct (r i); auto).
  assert (Hp : ranked M y p = 1).
  { destruct (Hy (nth p (sorted_agents y M) 0%nat)) as [H0|H1]; [exfalso|exact H1].
    (* then the ranks 0, ..., p are 0 and at most M - 1 - p = q agents sent 1 *)
    assert (Hall : sum M y = INR (q + 1)).
    { change y with (among r). rewrite sum_among. unfold r. rewrite count_window by lia. f_equal. lia. }
    rewrite <- (sum_sorted y M y) in Hall.
    assert (Hle : sum M (fun k => y (nth k (sorted_agents y M) 0%nat)) <= sum M (among (window (p + 1) M))).
    { apply sum_le. intros k Hk. pose proof (ranked_ascending y M) as Hs. unfold ranked in Hs. unfold among, window.
      destruct (Nat.leb_spec (p + 1) k); destruct (Nat.ltb_spec k M); cbn [andb]; try lia.
      - destruct (Hy (nth k (sorted_agents y M) 0%nat)); lra.
      - rewrite <- H0. apply Hs. lia. }
    rewrite sum_among, count_window in Hle by lia. rewrite Hall in Hle. apply INR_le in Hle. lia. }
  assert (Hq : ranked M y q = 1).
  { pose proof (ranked_ascending y M p q ltac:(lia)) as Hs. destruct (Hy (nth q (sorted_agents y M) 0%nat)) as [H0|H1]; [|exact H1].
    unfold ranked in *. lra. }
  unfold median. fold p q. change (fun i => ones r i 0%nat) with y. rewrite Hp, Hq. field.
Qed.

Lemma norm_ge_first d u : (1 <= d)%nat -> Rabs (u 0%nat) <= euclidean_norm d u.
Proof.
  intro Hd. unfold euclidean_norm. rewrite <- sqrt_Rsqr_abs. apply sqrt_le_1_alt. rewrite Rsqr_pow2.
  apply (sum_ge_one d (fun j => u j ^ 2) 0); [intros; apply pow2_ge_0|lia].
Qed.
(** The geometric median has no smaller constant, for odd M. *)
Theorem geometric_median_exact M f d A kappa : (1 <= d)%nat -> (3 <= M)%nat -> (2 * f < M)%nat -> Nat.odd M = true ->
  (forall x, geometric_median M d x (A x)) -> robust M f d A kappa ->
  geometric_kappa (INR M) (INR f) (INR (Nat.div2 M)) <= kappa.
Proof.
  intros Hd HM Hf Hodd HA H. set (q := Nat.div2 M).
  assert (HMq : M = (2 * q + 1)%nat) by (pose proof (Nat.div2_odd M) as E; rewrite Hodd in E; cbn [Nat.b2n] in E; unfold q; lia).
  assert (EM : INR M = 2 * INR q + 1) by (rewrite HMq, plus_INR, mult_INR; reflexivity).
  replace (geometric_kappa (INR M) (INR f) (INR q)) with (median_kappa (INR M) (INR f) (INR q)).
  2:{ unfold geometric_kappa, median_kappa. rewrite EM. f_equal; [ring|f_equal; ring]. }
  apply (majority_kappa M f d A kappa Hd H HM Hf). fold q. set (r := window 0 (q + 1)). set (g := A (ones r)).
  set (e := fun j : nat => if Nat.eq_dec j 0 then 1 else 0).
  (* the distances from a point w: q + 1 times |w - e|, q times |w| *)
  assert (Hsum : forall w, sum M (fun i => euclidean_norm d (minus w (ones r i))) = (INR q + 1) * euclidean_norm d (minus w e) + INR q * euclidean_norm d w).
  { intro w. rewrite (sum_ext M _ (fun i => euclidean_norm d w + (euclidean_norm d (minus w e) - euclidean_norm d w) * among r i)).
    - rewrite sum_plus, sum_const, sum_scal, sum_among. unfold r. rewrite count_window by lia.
      replace (Nat.min M (q + 1) - 0)%nat with (q + 1)%nat by lia. rewrite EM, plus_INR. simpl (INR 1). ring.
    - intros i _. unfold ones, among, minus. destruct (r i).
      + replace (euclidean_norm d w + (euclidean_norm d (fun i0 => w i0 - e i0) - euclidean_norm d w) * 1) with (euclidean_norm d (fun i0 => w i0 - e i0)) by ring. reflexivity.
      + rewrite Rmult_0_r, Rplus_0_r. unfold euclidean_norm, square_norm. f_equal. apply sum_ext. intros j _. destruct (Nat.eq_dec j 0); ring. }
  pose proof (HA (ones r) e) as Hmin. fold g in Hmin. rewrite !Hsum in Hmin.
  assert (He0 : euclidean_norm d (minus e e) = 0).
  { unfold euclidean_norm. replace (square_norm d (minus e e)) with 0; [apply sqrt_0|]. unfold square_norm, minus.
    rewrite <- (sum_zero d). apply sum_ext. intros. ring. }
  assert (He1 : euclidean_norm d e = 1).
  { unfold euclidean_norm. replace (square_norm d e) with 1; [apply sqrt_1|]. unfold square_norm, e.
    rewrite (sum_ext d _ (fun j => if Nat.eq_dec j 0 then 1 else 0)) by (intros j _; destruct (Nat.eq_dec j 0); ring).
    symmetry. apply (sum_delta d 0 (fun _ => 1)). lia. }
  rewrite He0, He1 in Hmin.
  pose proof (norm_ge_first d g Hd) as G1. pose proof (norm_ge_first d (minus g e) Hd) as G2. unfold minus in G2 at 1.
  unfold e in G2 at 1. simpl in G2.
  pose proof (pos_INR q) as Hq. pose proof (Rle_abs (g 0%nat)) as G3. pose proof (Rle_abs (- (g 0%nat - 1))) as G4. rewrite Rabs_Ropp in G4.
  assert (G5 : 1 <= euclidean_norm d (minus g e) + euclidean_norm d g) by lra.
  assert (G6 : euclidean_norm d (minus g e) <= 0) by nra.
  apply Rle_antisym; [|lra]. pose proof (Rle_abs (g 0%nat - 1)). lra.
Qed.
