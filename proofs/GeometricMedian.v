(** * The geometric median under f lying agents of M

    Any minimiser g of  sum_i |w - x_i|  over all w.  Setting and notation of RobustAggregation.v.

    Main result: [geometric_median_robust]   |g - z|^2 <= floor(M/2)/(ceil(M/2) - f) v.

    With t = |g - z|, e = (g - z)/t, r_i = |g - x_i| and c_i = <e, (g - x_i)/r_i> in [-1, 1] (-1 where g = x_i): moving g towards z
    does not help, so sum_i c_i <= 0 and the honest c_i add up to at most f.  Then sum_honest r_i c_i = N t and
    sum_honest r_i^2 = N (t^2 + v), and at most floor(M/2) is left for the squares of the positive c_i.                            *)
From Coq Require Import Reals Lra Lia Psatz List Arith.
From FedIGW Require Import FiniteSums AcceleratedGradient RidgeExcessRisk RobustAggregation.
Open Scope R_scope.

Definition euclidean_norm (d : nat) (u : vector) : R := sqrt (square_norm d u).
(** g is a geometric median of x_0, ..., x_{M-1} *)
Definition geometric_median (M d : nat) (x : nat -> vector) (g : vector) : Prop :=
  forall w, sum M (fun i => euclidean_norm d (minus g (x i))) <= sum M (fun i => euclidean_norm d (minus w (x i))).
(** floor(M/2)/(ceil(M/2) - f), half = floor(M/2) *)
Definition geometric_kappa (M f half : R) : R := half / (M - half - f).

Lemma norm_nonneg d u : 0 <= euclidean_norm d u.
Proof. apply sqrt_pos. Qed.
Lemma norm_square d u : euclidean_norm d u ^ 2 = square_norm d u.
Proof. unfold euclidean_norm. rewrite <- Rsqr_pow2. apply Rsqr_sqrt, square_norm_nonneg. Qed.
Lemma within_abs a b : Rabs a <= b -> - b <= a <= b.
Proof. intro H. pose proof (Rle_abs a). pose proof (Rle_abs (- a)). rewrite Rabs_Ropp in *. lra. Qed.
Lemma dot_le_norms d u v : Rabs (dot d u v) <= euclidean_norm d u * euclidean_norm d v.
Proof.
  apply Rsqr_incr_0_var; [|apply Rmult_le_pos; apply norm_nonneg].
  rewrite <- Rsqr_abs, !Rsqr_pow2, Rpow_mult_distr, !norm_square. apply cauchy_schwarz.
Qed.

(** ** The inequality behind it, in numbers *)
Section Numbers.
  Variables (M f : nat) (h : nat -> bool) (r c : nat -> R) (t v : R).
  Hypothesis honest : count M h = (M - f)%nat.
  Hypothesis few : (2 * f < M)%nat.
  Let N := INR (count M h).
  Let half := INR (Nat.div2 M).
  Hypothesis Hr : forall i, 0 <= r i.
  Hypothesis Hc : forall i, -1 <= c i <= 1.
  Hypothesis balance : sum M c <= 0.
  Hypothesis mean_t : sum M (fun i => among h i * (r i * c i)) = N * t.
  Hypothesis mean_square : sum M (fun i => among h i * r i ^ 2) = N * (t ^ 2 + v).
  Hypothesis Ht : 0 <= t.

  Lemma honest_balance : sum M (fun i => among h i * c i) <= INR f.
  Proof.
    assert (H : sum M (fun i => among h i * c i) <= sum M (fun i => c i + (1 - among h i))).
    { apply sum_le. intros i _. pose proof (Hc i). unfold among. destruct (h i); lra. }
    rewrite sum_plus, sum_minus, sum_const, sum_among, honest, minus_INR in H by lia. lra.
  Qed.
  (** the honest agents with c_i > 0 *)
  Let positive i := (h i && if Rlt_dec 0 (c i) then true else false)%bool.
  Lemma positive_squares : sum M (fun i => among positive i * c i ^ 2) <= half.
  Proof.
    assert (H1 : sum M (fun i => among positive i * c i ^ 2) <= INR (count M positive)).
    { rewrite <- sum_among. apply sum_le. intros i _. pose proof (Hc i). unfold among. destruct (positive i); nra. }
    assert (H2 : sum M (fun i => among positive i * c i ^ 2) <= sum M (fun i => among h i * c i + (among h i - among positive i))).
    { apply sum_le. intros i _. pose proof (Hc i). unfold among, positive. destruct (h i); cbn [andb]; [|lra].
      destruct (Rlt_dec 0 (c i)); nra. }
    rewrite sum_plus, sum_minus, !sum_among in H2. pose proof honest_balance as H3. rewrite honest, minus_INR in H2 by lia.
    pose proof (Nat.div2_odd M) as E. unfold half.
    destruct (le_lt_dec (count M positive) (Nat.div2 M)) as [H|H]; [eapply Rle_trans; [exact H1|apply le_INR, H]|].
    assert (H4 : INR M <= INR (count M positive + Nat.div2 M)) by (apply le_INR; destruct (Nat.odd M); cbn [Nat.b2n] in E; lia).
    rewrite plus_INR in H4. lra.
  Qed.
  Lemma geometric_core : t ^ 2 <= geometric_kappa (INR M) (INR f) half * v.
  Proof.
    assert (HN : 0 < N) by (apply lt_0_INR; lia).
    assert (HNM : N = INR M - INR f) by (unfold N; rewrite honest, minus_INR by lia; reflexivity).
    assert (H1 : N * t <= sum M (fun i => (among h i * r i) * (among positive i * c i))).
    { rewrite <- mean_t. apply sum_le. intros i _. pose proof (Hr i). unfold among, positive. destruct (h i); cbn [andb]; [|lra].
      destruct (Rlt_dec 0 (c i)); nra. }
    pose proof (cauchy_schwarz M (fun i => among h i * r i) (fun i => among positive i * c i)) as H2. cbv beta in H2.
    rewrite (sum_ext M (fun i => (among h i * r i) ^ 2) (fun i => among h i * r i ^ 2)) in H2
      by (intros i _; unfold among; destruct (h i); ring).
    rewrite (sum_ext M (fun i => (among positive i * c i) ^ 2) (fun i => among positive i * c i ^ 2)) in H2
      by (intros i _; unfold among; destruct (positive i); ring).
    pose proof positive_squares as H3.
    assert (H5 : 0 <= N * (t ^ 2 + v)).
    { rewrite <- mean_square. apply sum_nonneg. intros i _. pose proof (pow2_ge_0 (r i)). unfold among. destruct (h i); lra. }
    rewrite mean_square in H2.
    assert (H6 : (N * t) ^ 2 <= N * (t ^ 2 + v) * half).
    { assert ((N * t) ^ 2 <= (sum M (fun i => among h i * r i * (among positive i * c i))) ^ 2)
        by (apply pow_incr; split; [apply Rmult_le_pos; lra|exact H1]).
      eapply Rle_trans; [eassumption|]. eapply Rle_trans; [exact H2|]. apply Rmult_le_compat_l; [exact H5|exact H3]. }
    assert (Hhalf : half < N).
    { unfold half. rewrite HNM, <- minus_INR by lia. apply lt_INR. pose proof (Nat.div2_odd M) as E.
      destruct (Nat.odd M); cbn [Nat.b2n] in E; lia. }
    assert (H7 : t ^ 2 * (N - half) <= half * v).
    { apply (Rmult_le_reg_l N); [exact HN|]. nra. }
    unfold geometric_kappa. replace (INR M - half - INR f) with (N - half) by lra.
    apply (Rmult_le_reg_r (N - half)); [lra|]. replace (half / (N - half) * v * (N - half)) with (half * v) by (field; lra). exact H7.
  Qed.
End Numbers.

(** ** A minimiser cannot be improved by a small step *)

(** sqrt(r^2 + s) <= r + s/(2r) *)
Lemma sqrt_tangent r s : 0 < r -> 0 <= r ^ 2 + s -> sqrt (r ^ 2 + s) <= r + s / (2 * r).
Proof.
  intros Hr Hs. assert (H0 : 0 <= r + s / (2 * r)).
  { apply (Rmult_le_reg_r (2 * r)); [lra|]. replace ((r + s / (2 * r)) * (2 * r)) with (2 * r ^ 2 + s) by (field; lra).
    pose proof (pow2_ge_0 r). lra. }
  rewrite <- (sqrt_pow2 (r + s / (2 * r))) by exact H0. apply sqrt_le_1_alt.
  replace ((r + s / (2 * r)) ^ 2) with (r ^ 2 + s + (s / (2 * r)) ^ 2) by (field; lra). pose proof (pow2_ge_0 (s / (2 * r))). lra.
Qed.
(** a slope that small steps cannot use is not positive *)
Lemma no_slope q C : (forall tau, 0 < tau -> q * tau <= C * tau ^ 2) -> q <= 0.
Proof.
  intro H. destruct (Rle_lt_dec q 0) as [Hq|Hq]; [exact Hq|exfalso].
  set (B := Rabs C + 1). assert (HB : 0 < B) by (unfold B; pose proof (Rabs_pos C); lra).
  assert (HC : C < B) by (unfold B; pose proof (Rle_abs C); lra).
  assert (Hu : 0 < q / B) by (apply Rdiv_lt_0_compat; lra).
  pose proof (H (q / B) Hu) as H1. assert (H2 : q = q / B * B) by (field; lra).
  assert (q * (q / B) = q / B * B * (q / B)) by (rewrite <- H2; reflexivity).
  assert (0 < (q / B) ^ 2) by nra. nra.
Qed.

Section Minimiser.
  Variables (M d : nat) (x : nat -> vector) (g u : vector).
  Hypothesis minimal : geometric_median M d x g.
  Let b i := minus g (x i).
  Let r i := euclidean_norm d (b i).
  (** the slope of |g - tau u - x_i| at tau = 0, with the sign turned *)
  Let slope i := if Req_EM_T (r i) 0 then - euclidean_norm d u else dot d (b i) u / r i.

  Lemma one_distance tau i : 0 < tau ->
    euclidean_norm d (minus (fun j => g j - tau * u j) (x i)) <=
    r i - tau * slope i + tau ^ 2 * (if Req_EM_T (r i) 0 then 0 else square_norm d u / (2 * r i)).
  Proof.
    intro Htau. unfold euclidean_norm at 1.
    assert (E : square_norm d (minus (fun j => g j - tau * u j) (x i))
      = r i ^ 2 + (tau ^ 2 * square_norm d u - 2 * tau * dot d (b i) u)).
    { unfold r. rewrite norm_square. unfold square_norm, dot.
      rewrite <- (sum_scal d (tau ^ 2)), <- (sum_scal d (2 * tau)), <- sum_minus, <- sum_plus.
      apply sum_ext. intros j _. unfold b, minus. ring. }
    pose proof (square_norm_nonneg d (minus (fun j => g j - tau * u j) (x i))) as H0. rewrite E in H0 |- *.
    unfold slope. destruct (Req_EM_T (r i) 0) as [Hz|Hn].
    - assert (Hb : dot d (b i) u = 0).
      { pose proof (dot_le_norms d (b i) u) as H. change (euclidean_norm d (b i)) with (r i) in H. rewrite Hz, Rmult_0_l in H.
        apply within_abs in H. lra. }
      rewrite Hb, Hz. right. replace (0 ^ 2 + (tau ^ 2 * square_norm d u - 2 * tau * 0)) with (tau ^ 2 * square_norm d u) by ring.
      rewrite sqrt_mult_alt by apply pow2_ge_0. rewrite sqrt_pow2 by lra. unfold euclidean_norm. ring.
    - assert (Hr : 0 < r i) by (pose proof (norm_nonneg d (b i)); unfold r in *; lra).
      eapply Rle_trans; [apply sqrt_tangent; [exact Hr|exact H0]|]. right. field. exact Hn.
  Qed.
  Lemma slopes : sum M slope <= 0.
  Proof.
    apply (no_slope _ (sum M (fun i => if Req_EM_T (r i) 0 then 0 else square_norm d u / (2 * r i)))). intros tau Htau.
    pose proof (minimal (fun j => g j - tau * u j)) as H.
    assert (H1 : sum M (fun i => euclidean_norm d (minus (fun j => g j - tau * u j) (x i))) <=
      sum M (fun i => r i - tau * slope i + tau ^ 2 * (if Req_EM_T (r i) 0 then 0 else square_norm d u / (2 * r i))))
      by (apply sum_le; intros i _; apply one_distance; exact Htau).
    rewrite sum_plus, sum_minus, !sum_scal in H1. unfold r, b in *. lra.
  Qed.
End Minimiser.

(** The geometric median is robust with kappa = floor(M/2)/(ceil(M/2) - f), in any dimension, for 2 f < M;
    any minimiser may be returned. *)
Theorem geometric_median_robust M f d A : (2 * f < M)%nat -> (forall x, geometric_median M d x (A x)) ->
  robust M f d A (geometric_kappa (INR M) (INR f) (INR (Nat.div2 M))).
Proof.
  intros Hf HA x h Hh. set (g := A x). set (z := honest_mean M h x). set (v := honest_spread M d h x).
  set (D := minus g z). set (t := euclidean_norm d D). set (N := INR (count M h)).
  assert (HN : 0 < N) by (apply lt_0_INR; lia).
  change (square_norm d D <= geometric_kappa (INR M) (INR f) (INR (Nat.div2 M)) * v). rewrite <- norm_square. fold t.
  assert (Ht : 0 <= t) by apply norm_nonneg.
  (* mean and spread around g *)
  assert (Hmean : forall u, sum M (fun i => among h i * dot d (minus g (x i)) u) = N * dot d D u).
  { intro u. unfold dot. rewrite <- sum_scal.
    rewrite (sum_ext M _ (fun i => sum d (fun j => among h i * (minus g (x i) j * u j)))) by (intros; rewrite sum_scal; reflexivity).
    rewrite (sum_swap M d (fun i j => among h i * (minus g (x i) j * u j))). apply sum_ext. intros j _.
    rewrite (sum_ext M _ (fun i => g j * u j * among h i - u j * (among h i * x i j))) by (intros; unfold minus; ring).
    rewrite sum_minus, !sum_scal, sum_among. unfold D, minus, z, honest_mean. fold N. field. lra. }
  assert (Hsquare : sum M (fun i => among h i * square_norm d (minus g (x i))) = N * (t ^ 2 + v)).
  { replace (N * (t ^ 2 + v)) with (N * t ^ 2 + N * v) by ring.
    assert (Hv : N * v = sum M (fun i => among h i * square_norm d (minus (x i) z))).
    { unfold v, honest_spread. fold N. fold z. field. lra. }
    assert (E : forall i, among h i * square_norm d (minus g (x i)) =
      2 * (among h i * dot d (minus g (x i)) D) - t ^ 2 * among h i + among h i * square_norm d (minus (x i) z)).
    { intro i. unfold t. rewrite norm_square.
      assert (F : square_norm d (minus g (x i)) = 2 * dot d (minus g (x i)) D - square_norm d D + square_norm d (minus (x i) z)).
      { unfold square_norm, dot. rewrite <- sum_scal, <- sum_minus, <- sum_plus. apply sum_ext. intros j _. unfold D, minus. ring. }
      rewrite F. ring. }
    rewrite (sum_ext M _ _ (fun i _ => E i)), sum_plus, sum_minus, !sum_scal, sum_among, Hmean, Hv. fold N.
    rewrite dot_self. unfold t. rewrite norm_square. ring. }
  assert (Hv0 : 0 <= v).
  { unfold v, honest_spread. apply Rmult_le_pos; [|left; apply Rinv_0_lt_compat; exact HN]. apply sum_nonneg. intros i _.
    apply Rmult_le_pos; [unfold among; destruct (h i); lra | apply square_norm_nonneg]. }
  destruct (Req_dec t 0) as [H0|Hn].
  { rewrite H0. replace (0 ^ 2) with 0 by ring. apply Rmult_le_pos; [|exact Hv0]. unfold geometric_kappa.
    apply Rmult_le_pos; [apply pos_INR|]. left. apply Rinv_0_lt_compat.
    assert (INR (Nat.div2 M + f) < INR M); [|rewrite plus_INR in *; lra].
    apply lt_INR. pose proof (Nat.div2_odd M) as E. destruct (Nat.odd M); cbn [Nat.b2n] in E; lia. }
  set (r := fun i => euclidean_norm d (minus g (x i))).
  set (c := fun i => if Req_EM_T (r i) 0 then -1 else dot d (minus g (x i)) D / r i / t).
  assert (Hrc : forall i, r i * c i = dot d (minus g (x i)) D / t).
  { intro i. unfold c. destruct (Req_EM_T (r i) 0) as [Hz|Hz]; [|field; split; assumption].
    pose proof (dot_le_norms d (minus g (x i)) D) as H. change (euclidean_norm d (minus g (x i))) with (r i) in H. rewrite Hz, Rmult_0_l in H.
    assert (E : dot d (minus g (x i)) D = 0).
    { apply within_abs in H. lra. }
    rewrite Hz, E. field. exact Hn. }
  apply (geometric_core M f h r c t v Hh Hf).
  - intro i. apply norm_nonneg.
  - intro i. unfold c. destruct (Req_EM_T (r i) 0) as [Hz|Hz]; [lra|].
    assert (Hr : 0 < r i) by (pose proof (norm_nonneg d (minus g (x i))); unfold r in *; lra).
    apply within_abs. unfold Rdiv. rewrite Rmult_assoc, <- Rinv_mult.
    rewrite Rabs_mult, (Rabs_right (/ (r i * t))) by (apply Rle_ge; left; apply Rinv_0_lt_compat; apply Rmult_lt_0_compat; lra).
    apply (Rmult_le_reg_r (r i * t)); [apply Rmult_lt_0_compat; lra|].
    rewrite Rmult_assoc, Rinv_l by (apply Rmult_integral_contrapositive_currified; assumption).
    rewrite Rmult_1_r, Rmult_1_l. apply dot_le_norms.
  - pose proof (slopes M d x g D (HA x)) as H. cbv zeta beta in H.
    apply (Rmult_le_reg_l t); [lra|]. rewrite Rmult_0_r, <- sum_scal. eapply Rle_trans; [|exact H]. right.
    apply sum_ext. intros i _. unfold c, r. fold t. destruct (Req_EM_T (euclidean_norm d (minus g (x i))) 0); field. split; assumption.
  - rewrite (sum_ext M _ (fun i => / t * (among h i * dot d (minus g (x i)) D))) by (intros i _; rewrite Hrc; field; exact Hn).
    rewrite sum_scal, Hmean, dot_self, <- norm_square. fold t N. field. exact Hn.
  - fold N. rewrite <- Hsquare. apply sum_ext. intros i _. unfold r. rewrite norm_square. reflexivity.
  - exact Ht.
Qed.
