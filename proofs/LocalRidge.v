(** * Local methods on ridge regression, one data set

    M agents with [steps] samples each, n = M steps, the first a of d coordinates shared; agent m's loss of sample j is
    (x_mj'w - r_mj)^2 + (1/n) sum_i b_i w_i^2, b_i = 1 in shared coordinates and M in personal ones, so that the average is ridge
    regression with lambda = 1/n.  mu = 2/n, beta = 2(1 + big/n), big = 1 where all coordinates are shared, else M; p_m = 1/M.
    xs is the minimiser by its normal equations, ws the truth, e = r - x'ws.  The three numbers that Theorem G asks for:
    [start_bound]   sum_m |xs_m|^2 / M <= (1 + s) Q + (1 + 1/s) sum_m |ws_m|^2 / M
    [noise_bound]   sigma^2 <= (4/n) (sum e^2 + sum_m sum_i b_i ws_mi^2 / M)
    [drift_bound]   zeta^2 <= (1 + s)(4/n) Q + (1 + 1/s)(4/(n steps)) sum_m |sum_j e_mj x_mj|^2,
    Q = sum_mj (x_mj'(xs_m - ws_m))^2 + sum_m |xs_m - ws_m|^2 / M.
    Main definitions: [method], four ways to run local steps; [local_run]; [method_bound], Theorem G's right-hand side.
    Main result: [local_run_bound].                                                                                        *)
From Coq Require Import Reals Lra Lia Psatz List Arith.
From FedIGW Require Import FiniteSums FiniteProbability AcceleratedGradient RidgeExcessRisk Exchangeability LocalSteps LocalRuns AgentSpace LocalConvergence.
Open Scope R_scope.

(** FedAvg and SCAFFOLD (option II), one sample a local step or full local gradients; LSGD-PFL is FedAvg with personal coordinates *)
Inductive method := fedavg_samples | scaffold_samples | fedavg_gradients | scaffold_gradients.
Definition full_gradients (way : method) : bool := match way with fedavg_samples | scaffold_samples => false | _ => true end.
(** what Theorem G asks of u = h beta *)
Definition step_condition (way : method) (u : R) : Prop := match way with
  | fedavg_samples => 2 * u + 3 / 2 * u ^ 2 <= 1
  | scaffold_samples => 2 * u + 9 / 2 * u ^ 2 <= 1
  | fedavg_gradients => u + u ^ 2 <= 1
  | scaffold_gradients => u + 2 * u ^ 2 <= 1 end.
(** the bound on the squared distance after R rounds of K local steps with server step g: start, noise and drift are bounds on
    norm(x_0 - xs)^2, sigma^2 and zeta^2, tau^2 <= share sigma^2 *)
Definition method_bound (way : method) (K g h beta mu share : R) (rounds : nat) (start noise drift : R) : R := match way with
  | fedavg_samples => (1 - mu * h) ^ rounds * start + (fedavg_noise K g (h * beta) (share * noise) noise * h + fedavg_drift K g beta drift * h ^ 2) / mu
  | scaffold_samples => (1 - mu * h) ^ rounds * (start + variate_weight h beta g * drift) + scaffold_noise K g (h * beta) (share * noise) noise * h / mu
  | fedavg_gradients => (1 - mu * h) ^ rounds * start + gradients_drift K g beta drift * h ^ 2 / mu
  | scaffold_gradients => Rmax (1 - mu * h) (2 / 3) ^ rounds * (start + exact_variate_weight h beta g * drift) end.

(** Theorem G's bound on the gap of the average point after R rounds, likewise *)
Definition gap_bound (way : method) (K g h beta mu share : R) (rounds : nat) (start noise drift : R) : R :=
  let q := 1 - mu * h / 2 in
  let forgotten := mu / 2 * (q ^ rounds / (1 - q ^ rounds)) in match way with
  | fedavg_samples => forgotten * start + (fedavg_noise K g (h * beta) (share * noise) noise * h + fedavg_drift K g beta drift * h ^ 2)
  | scaffold_samples => forgotten * (start + variate_weight h beta g * drift) + scaffold_noise K g (h * beta) (share * noise) noise * h
  | fedavg_gradients => forgotten * start + gradients_drift K g beta drift * h ^ 2
  | scaffold_gradients => forgotten * (start + exact_variate_weight h beta g * drift) end.

Lemma gap_bound_linear way K g h beta mu share rounds x y z :
  gap_bound way K g h beta mu share rounds x y z =
  gap_bound way K g h beta mu share rounds 1 0 0 * x + gap_bound way K g h beta mu share rounds 0 1 0 * y + gap_bound way K g h beta mu share rounds 0 0 1 * z.
Proof. destruct way; unfold gap_bound, fedavg_noise, fedavg_drift, scaffold_noise, gradients_drift, Rdiv; ring. Qed.
Lemma gap_bound_nonneg way K g h beta mu share rounds x y z : 1 <= K -> 1 <= g -> 0 < h -> 0 < beta -> 0 < mu -> mu * h <= 1 -> 0 <= share -> (1 <= rounds)%nat ->
  0 <= x -> 0 <= y -> 0 <= z -> 0 <= gap_bound way K g h beta mu share rounds x y z.
Proof.
  intros HK Hg Hh Hb Hm Hmh Hs HR Hx Hy Hz.
  assert (G : 0 < / g ^ 2) by (apply Rinv_0_lt_compat; nra). assert (K0 : 0 < / K <= 1) by (split; [apply Rinv_0_lt_compat; lra|rewrite <- Rinv_1; apply Rinv_le_contravar; lra]).
  assert (Mh : 0 < mu * h) by (apply Rmult_lt_0_compat; assumption). assert (H3 : 0 < h ^ 3) by (apply pow_lt; exact Hh). assert (S0 : 0 <= share * y) by (apply Rmult_le_pos; assumption).
  set (q := 1 - mu * h / 2). assert (P0 : 0 <= q ^ rounds < 1).
  { split; [apply pow_le; unfold q; lra|]. apply pow_lt_1_compat; [unfold q; lra|lia]. }
  assert (Fo : 0 <= mu / 2 * (q ^ rounds / (1 - q ^ rounds))).
  { apply Rmult_le_pos; [lra|]. apply Rmult_le_pos; [lra|left; apply Rinv_0_lt_compat; lra]. }
  destruct way; unfold gap_bound; fold q; set (forgotten := mu / 2 * (q ^ rounds / (1 - q ^ rounds))) in *; clearbody forgotten;
    unfold fedavg_noise, fedavg_drift, scaffold_noise, gradients_drift, variate_weight, exact_variate_weight, Rdiv.
  all: repeat first [lra | apply Rplus_le_le_0_compat | apply Rmult_le_pos | apply pow2_ge_0].
Qed.

Lemma method_bound_linear way K g h beta mu share rounds x y z :
  method_bound way K g h beta mu share rounds x y z =
  method_bound way K g h beta mu share rounds 1 0 0 * x + method_bound way K g h beta mu share rounds 0 1 0 * y + method_bound way K g h beta mu share rounds 0 0 1 * z.
Proof. destruct way; unfold method_bound, fedavg_noise, fedavg_drift, scaffold_noise, gradients_drift, Rdiv; ring. Qed.
Lemma method_bound_nonneg way K g h beta mu share rounds x y z : 1 <= K -> 1 <= g -> 0 < h -> 0 < beta -> 0 < mu -> mu * h <= 1 -> 0 <= share ->
  0 <= x -> 0 <= y -> 0 <= z -> 0 <= method_bound way K g h beta mu share rounds x y z.
Proof.
  intros HK Hg Hh Hb Hm Hmh Hs Hx Hy Hz.
  assert (G : 0 < / g ^ 2) by (apply Rinv_0_lt_compat; nra). assert (K0 : 0 < / K <= 1) by (split; [apply Rinv_0_lt_compat; lra|rewrite <- Rinv_1; apply Rinv_le_contravar; lra]).
  assert (M0 : 0 < / mu) by (apply Rinv_0_lt_compat; exact Hm). assert (P0 : 0 <= (1 - mu * h) ^ rounds) by (apply pow_le; lra).
  assert (H3 : 0 < h ^ 3) by (apply pow_lt; exact Hh).
  assert (S0 : 0 <= share * y) by (apply Rmult_le_pos; assumption).
  destruct way; unfold method_bound, fedavg_noise, fedavg_drift, scaffold_noise, gradients_drift, variate_weight, exact_variate_weight, Rdiv.
  all: repeat first [lra | apply Rplus_le_le_0_compat | apply Rmult_le_pos | apply pow2_ge_0 | apply pow_le | (apply Rle_trans with (2 / 3); [lra|apply Rmax_r])].
Qed.

(** E (f - E f)^2 <= E (f - c)^2 *)
Lemma variance_least {X} (P : list (R * X)) (f : X -> R) c : distribution P -> Expect P (fun w => (f w - Expect P f) ^ 2) <= Expect P (fun w => (f w - c) ^ 2).
Proof.
  intro HP. assert (V : forall b, Expect P (fun w => (f w - b) ^ 2) = Expect P (fun w => f w ^ 2) - 2 * b * Expect P f + b ^ 2).
  { intro b. rewrite (Expect_plus_const P _ (fun w => f w ^ 2 + (-2 * b) * f w) (b ^ 2) HP) by (intro; ring). rewrite Expect_plus, Expect_scal. ring. }
  rewrite !V. pose proof (pow2_ge_0 (Expect P f - c)). lra.
Qed.

Lemma turns_distribution {State} (turn : State -> list (R * State)) : (forall s, distribution (turn s)) -> forall rounds s, distribution (turns State turn rounds s).
Proof. intros H rounds. induction rounds as [|q IH]; intro s; [apply distribution_dirac|]. apply distribution_bind; [apply H|exact IH]. Qed.

Section LocalRidge.
  Variables (M steps d a : nat) (big : R) (x : nat -> nat -> vector) (r : nat -> nat -> R).
  Hypothesis HM : (1 <= M)%nat.
  Hypothesis Hsteps : (1 <= steps)%nat.
  Hypothesis Hx : forall m j, square_norm d (x m j) <= 1.
  Let n := INR M * INR steps.
  (** b_i *)
  Definition block_weight (i : nat) : R := if Nat.ltb i a then 1 else INR M.
  Hypothesis Hbig : forall i, (i < d)%nat -> block_weight i <= big.
  Hypothesis Hbig0 : 0 <= big.
  Definition sample_loss (m j : nat) (w : nat -> R) : R := (dot d (x m j) w - r m j) ^ 2 + / n * sum d (fun i => block_weight i * w i ^ 2).
  Definition sample_gradient (m j : nat) (w : nat -> R) (i : nat) : R := 2 * (dot d (x m j) w - r m j) * x m j i + 2 * / n * block_weight i * w i.
  Definition average_over (f : nat -> R) : R := sum steps (fun j => / INR steps * f j).
  (** one sample's loss, or the agent's *)
  Definition local_loss (full : bool) (m j : nat) (w : nat -> R) : R := if full then average_over (fun j' => sample_loss m j' w) else sample_loss m j w.
  Definition local_gradient (full : bool) (m j : nat) (w : nat -> R) (i : nat) : R :=
    if full then average_over (fun j' => sample_gradient m j' w i) else sample_gradient m j w i.
  Definition equal_weight (m : nat) : R := / INR M.
  Definition equal_chance (m j : nat) : R := / INR steps.
  Let samples (m : nat) := steps.
  Let beta := 2 * (1 + big / n).
  Let mu := 2 / n.
  Lemma counts : 1 <= INR M /\ 1 <= INR steps /\ 1 <= n.
  Proof.
    assert (1 <= INR M) by (replace 1 with (INR 1) by reflexivity; apply le_INR, HM).
    assert (1 <= INR steps) by (replace 1 with (INR 1) by reflexivity; apply le_INR, Hsteps). repeat split; try assumption. unfold n. nra.
  Qed.
  Lemma inverse_n : 0 < / n. Proof. destruct counts as (_ & _ & H). apply Rinv_0_lt_compat. lra. Qed.
  Lemma weights_sum : sum M equal_weight = 1.
  Proof. unfold equal_weight. rewrite sum_const. destruct counts. field. lra. Qed.
  Lemma weights_pos m : 0 <= equal_weight m. Proof. left. apply Rinv_0_lt_compat. destruct counts. lra. Qed.
  Lemma chances_sum m : sum steps (equal_chance m) = 1.
  Proof. unfold equal_chance. rewrite sum_const. destruct counts as (_ & H & _). field. lra. Qed.
  Lemma chances_pos m j : 0 <= equal_chance m j. Proof. left. apply Rinv_0_lt_compat. destruct counts as (_ & H & _). lra. Qed.
  Lemma average_const c : average_over (fun _ => c) = c.
  Proof. unfold average_over. rewrite sum_const. destruct counts as (_ & H & _). field. lra. Qed.
  Lemma weight_ge_1 i : 1 <= block_weight i. Proof. unfold block_weight. destruct counts. destruct (Nat.ltb i a); lra. Qed.

  Lemma expansion m j w y : sample_loss m j y = sample_loss m j w + sum d (fun i => sample_gradient m j w i * (y i - w i))
    + (dot d (x m j) (minus y w) ^ 2 + / n * sum d (fun i => block_weight i * (y i - w i) ^ 2)).
  Proof.
    unfold sample_loss, sample_gradient. rewrite dot_minus.
    assert (E1 : sum d (fun i => (2 * (dot d (x m j) w - r m j) * x m j i + 2 * / n * block_weight i * w i) * (y i - w i)) =
      2 * (dot d (x m j) w - r m j) * (dot d (x m j) y - dot d (x m j) w) + / n * sum d (fun i => 2 * (block_weight i * (w i * (y i - w i))))).
    { rewrite <- dot_minus. unfold dot at 3. rewrite <- !sum_scal, <- sum_plus. apply sum_ext. intros i _. unfold minus. ring. }
    rewrite E1.
    assert (E2 : sum d (fun i => block_weight i * y i ^ 2) = sum d (fun i => block_weight i * w i ^ 2) + sum d (fun i => 2 * (block_weight i * (w i * (y i - w i)))) + sum d (fun i => block_weight i * (y i - w i) ^ 2)).
    { rewrite <- !sum_plus. apply sum_ext. intros. ring. }
    rewrite E2. ring.
  Qed.
  Lemma sample_strong m j w y : sample_loss m j w + sum d (fun i => sample_gradient m j w i * (y i - w i)) + / n * sum d (fun i => (y i - w i) ^ 2) <= sample_loss m j y.
  Proof.
    rewrite (expansion m j w y). pose proof (pow2_ge_0 (dot d (x m j) (minus y w))). pose proof inverse_n.
    assert (sum d (fun i => (y i - w i) ^ 2) <= sum d (fun i => block_weight i * (y i - w i) ^ 2)).
    { apply sum_le. intros i _. pose proof (weight_ge_1 i). pose proof (pow2_ge_0 (y i - w i)). nra. }
    assert (/ n * sum d (fun i => (y i - w i) ^ 2) <= / n * sum d (fun i => block_weight i * (y i - w i) ^ 2)) by (apply Rmult_le_compat_l; lra). lra.
  Qed.
  Lemma sample_smooth m j w y : sample_loss m j y <= sample_loss m j w + sum d (fun i => sample_gradient m j w i * (y i - w i)) + beta / 2 * sum d (fun i => (y i - w i) ^ 2).
  Proof.
    rewrite (expansion m j w y). pose proof inverse_n.
    pose proof (cauchy_schwarz d (x m j) (minus y w)) as C. fold (dot d (x m j) (minus y w)) in C. fold (square_norm d (x m j)) in C. specialize (Hx m j).
    change (sum d (fun i => minus y w i ^ 2)) with (sum d (fun i => (y i - w i) ^ 2)) in C.
    assert (P : 0 <= sum d (fun i => (y i - w i) ^ 2)) by (apply sum_nonneg; intros; apply pow2_ge_0).
    assert (sum d (fun i => block_weight i * (y i - w i) ^ 2) <= big * sum d (fun i => (y i - w i) ^ 2)).
    { rewrite <- sum_scal. apply sum_le. intros i Hi. apply Rmult_le_compat_r; [apply pow2_ge_0|apply Hbig, Hi]. }
    assert (/ n * sum d (fun i => block_weight i * (y i - w i) ^ 2) <= / n * (big * sum d (fun i => (y i - w i) ^ 2))) by (apply Rmult_le_compat_l; lra).
    unfold beta. replace (2 * (1 + big / n) / 2) with (1 + / n * big) by (unfold Rdiv; field; apply Rgt_not_eq; destruct counts as (? & ? & ?); lra).
    assert (square_norm d (x m j) * sum d (fun i => (y i - w i) ^ 2) <= 1 * sum d (fun i => (y i - w i) ^ 2)) by (apply Rmult_le_compat_r; assumption). lra.
  Qed.
  Lemma average_sums (F H : nat -> R) (g : nat -> nat -> R) (z : nat -> R) c : (forall j, F j + sum d (fun i => g j i * z i) + c <= H j) ->
    average_over F + sum d (fun i => average_over (fun j => g j i) * z i) + c <= average_over H.
  Proof.
    intro HF. apply Rle_trans with (average_over (fun j => F j + sum d (fun i => g j i * z i) + c)).
    - right. unfold average_over.
      rewrite (sum_ext steps (fun j => / INR steps * (F j + sum d (fun i => g j i * z i) + c)) (fun j => / INR steps * F j + sum d (fun i => / INR steps * g j i * z i) + / INR steps * c)).
      + rewrite !sum_plus. f_equal; [f_equal|symmetry; apply average_const]. rewrite sum_swap. apply sum_ext. intros i _.
        rewrite Rmult_comm, <- sum_scal. apply sum_ext. intros. ring.
      + intros j _. rewrite (sum_ext d (fun i => / INR steps * g j i * z i) (fun i => / INR steps * (g j i * z i))) by (intros; ring). rewrite sum_scal. ring.
    - unfold average_over. apply sum_le. intros j _. apply Rmult_le_compat_l; [apply (chances_pos O j)|apply HF].
  Qed.
  Lemma local_strong full m j w y : local_loss full m j w + sum d (fun i => local_gradient full m j w i * (y i - w i)) + / n * sum d (fun i => (y i - w i) ^ 2) <= local_loss full m j y.
  Proof.
    destruct full; [|apply sample_strong]. unfold local_loss, local_gradient.
    apply (average_sums (fun j => sample_loss m j w) (fun j => sample_loss m j y) (fun j => sample_gradient m j w) (fun i => y i - w i)). intro. apply sample_strong.
  Qed.
  Lemma local_convex full m j w y : local_loss full m j w + sum d (fun i => local_gradient full m j w i * (y i - w i)) <= local_loss full m j y.
  Proof.
    eapply Rle_trans; [|apply (local_strong full m j w y)]. pose proof inverse_n.
    assert (0 <= / n * sum d (fun i => (y i - w i) ^ 2)) by (apply Rmult_le_pos; [lra|apply sum_nonneg; intros; apply pow2_ge_0]). lra.
  Qed.
  Lemma local_smooth full m j w y : local_loss full m j y <= local_loss full m j w + sum d (fun i => local_gradient full m j w i * (y i - w i)) + beta / 2 * sum d (fun i => (y i - w i) ^ 2).
  Proof.
    destruct full; [|apply sample_smooth]. unfold local_loss, local_gradient.
    pose proof (average_sums (fun j => - sample_loss m j w) (fun j => - sample_loss m j y) (fun j i => - sample_gradient m j w i) (fun i => y i - w i)
      (- (beta / 2 * sum d (fun i => (y i - w i) ^ 2)))) as H.
    assert (N : forall f, average_over (fun j => - f j) = - average_over f).
    { intro f. unfold average_over. rewrite (sum_ext steps _ (fun j => (-1) * (/ INR steps * f j))) by (intros; ring). rewrite sum_scal. ring. }
    rewrite !N in H. rewrite (sum_ext d (fun i => average_over (fun j => - sample_gradient m j w i) * (y i - w i)) (fun i => (-1) * (average_over (fun j => sample_gradient m j w i) * (y i - w i)))) in H
      by (intros i _; rewrite N; ring).
    rewrite sum_scal in H. cut (- average_over (fun j => sample_loss m j w) + -1 * sum d (fun i => average_over (fun j => sample_gradient m j w i) * (y i - w i)) + - (beta / 2 * sum d (fun i => (y i - w i) ^ 2)) <= - average_over (fun j => sample_loss m j y)); [lra|].
    apply H. intro j'. pose proof (sample_smooth m j' w y). rewrite (sum_ext d _ (fun i => (-1) * (sample_gradient m j' w i * (y i - w i)))) by (intros; ring). rewrite sum_scal. lra.
  Qed.

  (** ** The minimiser *)
  Notation form := (pip M d equal_weight).
  Notation server := (average M a equal_weight).
  Notation norm2 y := (LocalSteps.sq agents_point form y).
  Notation away y z := (LocalSteps.sub agents_point padd pscal y z).
  Notation agree := (shared agents_point form server).
  Variable xs : agents_point.
  Hypothesis xs_shared : forall m i, (m < M)%nat -> (i < a)%nat -> xs m i = xs O i.
  Definition residual (m j : nat) : R := dot d (x m j) (xs m) - r m j.
  Definition pull (m i : nat) : R := sum steps (fun j => residual m j * x m j i).
  Hypothesis normal_shared : forall i, (i < a)%nat -> (i < d)%nat -> sum M (fun m => pull m i) + xs O i = 0.
  Hypothesis normal_own : forall m i, (m < M)%nat -> (a <= i)%nat -> (i < d)%nat -> pull m i + xs m i = 0.
  Notation total full := (objective M equal_weight samples equal_chance (local_loss full)).
  Notation slope full := (mean_gradient samples equal_chance (local_gradient full)).
  Lemma law_average (f : nat -> R) m : Expect (agent_law samples equal_chance m) f = average_over f.
  Proof. unfold agent_law. rewrite Expect_finite_law. reflexivity. Qed.
  Lemma same_loss full m w : Expect (agent_law samples equal_chance m) (fun j => local_loss full m j w) = average_over (fun j => sample_loss m j w).
  Proof. rewrite law_average. destruct full; [apply (average_const (average_over (fun j => sample_loss m j w)))|reflexivity]. Qed.
  Lemma same_slope full y m i : slope full y m i = average_over (fun j => sample_gradient m j (y m) i).
  Proof. unfold mean_gradient. rewrite law_average. destruct full; [apply (average_const (average_over (fun j => sample_gradient m j (y m) i)))|reflexivity]. Qed.
  Lemma slope_at full m i : slope full xs m i = 2 * / INR steps * pull m i + 2 * / n * block_weight i * xs m i.
  Proof.
    rewrite same_slope. unfold average_over, sample_gradient, pull, residual.
    rewrite (sum_ext steps _ (fun j => 2 * / INR steps * ((dot d (x m j) (xs m) - r m j) * x m j i) + / INR steps * (2 * / n * block_weight i * xs m i))) by (intros; ring).
    rewrite sum_plus, sum_scal. f_equal. apply average_const.
  Qed.
  Lemma slope_own full m i : (m < M)%nat -> (a <= i)%nat -> (i < d)%nat -> slope full xs m i = 0.
  Proof.
    intros Hm H1 H2. rewrite slope_at. destruct counts as (A & B & C). unfold block_weight. destruct (Nat.ltb_spec i a); [lia|].
    replace (pull m i) with (- xs m i) by (pose proof (normal_own m i Hm H1 H2); lra). unfold n. field. lra.
  Qed.
  Lemma slope_shared full i : (i < a)%nat -> (i < d)%nat -> agents_mean M equal_weight (slope full xs) i = 0.
  Proof.
    intros H1 H2. unfold agents_mean, equal_weight. destruct counts as (A & B & C).
    rewrite (sum_ext M _ (fun m => 2 * / n * pull m i + 2 * / n * / INR M * xs O i)).
    - rewrite sum_plus, sum_scal, sum_const. replace (sum M (fun m => pull m i)) with (- xs O i) by (pose proof (normal_shared i H1 H2); lra).
      unfold n. field. lra.
    - intros m Hm. rewrite slope_at, (xs_shared m i Hm H1). unfold block_weight. destruct (Nat.ltb_spec i a); [|lia]. unfold n. field. lra.
  Qed.
  Lemma optimal_at full y : form (server (slope full xs)) y = 0.
  Proof.
    rewrite average_pip. rewrite <- (sum_zero d). apply sum_ext. intros i Hi. destruct (Nat.ltb_spec i a).
    - rewrite slope_shared by assumption. ring.
    - rewrite <- (sum_zero M). apply sum_ext. intros m Hm. rewrite slope_own by assumption. ring.
  Qed.
  Lemma no_slope full z : agree z -> form (slope full xs) z = 0.
  Proof. intro Hz. rewrite pip_sym, <- (Hz (slope full xs)), average_adjoint, pip_sym. apply optimal_at. Qed.
  Lemma norm2_value y z : norm2 (away y z) = sum M (fun m => equal_weight m * sum d (fun i => (y m i - z m i) ^ 2)).
  Proof. unfold LocalSteps.sq, pip. apply sum_ext. intros m _. f_equal. apply sum_ext. intros i _. unfold LocalSteps.sub, padd, pscal. ring. Qed.
  Lemma total_value full y : total full y = sum M (fun m => equal_weight m * average_over (fun j => sample_loss m j (y m))).
  Proof. unfold objective. apply sum_ext. intros m _. rewrite same_loss. reflexivity. Qed.
  Lemma growth_at full y : agree (away y xs) -> mu / 2 * norm2 (away y xs) <= total full y - total full xs.
  Proof.
    intro Hy. pose proof (no_slope full _ Hy) as Z.
    assert (H : total full xs + form (slope full xs) (away y xs) + mu / 2 * norm2 (away y xs) <= total full y); [|lra].
    rewrite norm2_value, !total_value. unfold pip. rewrite <- sum_scal, <- !sum_plus. apply sum_le. intros m Hm.
    pose proof (average_sums (fun j => sample_loss m j (xs m)) (fun j => sample_loss m j (y m)) (fun j => sample_gradient m j (xs m)) (fun i => y m i - xs m i)
      (/ n * sum d (fun i => (y m i - xs m i) ^ 2)) (fun j => sample_strong m j (xs m) (y m))) as S.
    apply (Rmult_le_compat_l (equal_weight m)) in S; [|apply weights_pos].
    rewrite (sum_ext d (fun i => slope full xs m i * away y xs m i) (fun i => average_over (fun j => sample_gradient m j (xs m) i) * (y m i - xs m i)))
      by (intros i _; rewrite same_slope; unfold LocalSteps.sub, padd, pscal; ring).
    eapply Rle_trans; [|exact S]. right. unfold mu. field. destruct counts as (? & ? & ?). lra.
  Qed.
  (** n times the gap: what the samples see of y - xs, and its weighted length *)
  Lemma gap_energy full y : agree (away y xs) ->
    sum M (fun m => sum steps (fun j => dot d (x m j) (minus (y m) (xs m)) ^ 2)) + sum M (fun m => equal_weight m * sum d (fun i => block_weight i * (y m i - xs m i) ^ 2)) =
    n * (total full y - total full xs).
  Proof.
    intro Hy. pose proof (no_slope full _ Hy) as Z. destruct counts as (A & B & C).
    set (q := fun m j => dot d (x m j) (minus (y m) (xs m)) ^ 2). set (b := fun m => sum d (fun i => block_weight i * (y m i - xs m i) ^ 2)).
    assert (H : total full y - total full xs = form (slope full xs) (away y xs) + / n * (sum M (fun m => sum steps (q m)) + sum M (fun m => equal_weight m * b m))).
    { rewrite !total_value, <- sum_minus, Rmult_plus_distr_l, <- !sum_scal. unfold pip. rewrite <- !sum_plus. apply sum_ext. intros m _.
      rewrite (sum_ext d (fun i => slope full xs m i * away y xs m i) (fun i => sum steps (fun j => / INR steps * (sample_gradient m j (xs m) i * (y m i - xs m i))))).
      - rewrite sum_swap. unfold average_over.
        replace (/ n * (equal_weight m * b m)) with (sum steps (fun _ => / INR steps * (/ n * (equal_weight m * b m)))) by (rewrite sum_const; field; lra).
        rewrite <- Rmult_minus_distr_l, <- sum_minus, <- !sum_scal, <- !sum_plus. apply sum_ext. intros j _. rewrite (expansion m j (xs m) (y m)), sum_scal.
        unfold q, b, equal_weight, n. field. lra.
      - intros i _. rewrite same_slope. unfold average_over, LocalSteps.sub, padd, pscal. rewrite Rmult_comm, <- sum_scal. apply sum_ext. intros. ring. }
    rewrite H, Z. unfold q, b. field. lra.
  Qed.
  Lemma agree_of y : (forall m i, (m < M)%nat -> (i < a)%nat -> y m i = y O i) -> agree (away y xs).
  Proof.
    intro Hy. apply (agree_shared M d a equal_weight weights_sum). intros m i Hm Hi. unfold LocalSteps.sub, padd, pscal. rewrite (Hy m i Hm Hi), (xs_shared m i Hm Hi). reflexivity.
  Qed.

  (** ** The truth *)
  Variable ws : agents_point.
  Hypothesis ws_shared : forall m i, (m < M)%nat -> (i < a)%nat -> ws m i = ws O i.
  Definition own_noise (m j : nat) : R := r m j - dot d (x m j) (ws m).
  Definition error_squares : R := sum M (fun m => sum steps (fun j => dot d (x m j) (minus (xs m) (ws m)) ^ 2)) + sum M (fun m => equal_weight m * square_norm d (minus (xs m) (ws m))).
  Definition noise_squares : R := sum M (fun m => sum steps (fun j => own_noise m j ^ 2)).
  Definition agents_noise : R := sum M (fun m => square_norm d (fun i => sum steps (fun j => own_noise m j * x m j i))).
  Definition origin_point : agents_point := fun _ _ => 0.
  Lemma young s u v : 0 < s -> (u + v) ^ 2 <= (1 + s) * u ^ 2 + (1 + / s) * v ^ 2.
  Proof.
    intro Hs. assert (0 <= / s * (s * u - v) ^ 2) by (apply Rmult_le_pos; [left; apply Rinv_0_lt_compat; exact Hs|apply pow2_ge_0]).
    replace (/ s * (s * u - v) ^ 2) with (s * u ^ 2 - 2 * u * v + / s * v ^ 2) in H by (field; lra). lra.
  Qed.
  Lemma start_bound s : 0 < s -> norm2 (away origin_point xs) <= (1 + s) * error_squares + (1 + / s) * sum M (fun m => equal_weight m * square_norm d (ws m)).
  Proof.
    intro Hs. rewrite norm2_value. apply Rle_trans with ((1 + s) * sum M (fun m => equal_weight m * square_norm d (minus (xs m) (ws m))) + (1 + / s) * sum M (fun m => equal_weight m * square_norm d (ws m))).
    - rewrite <- !sum_scal, <- sum_plus. apply sum_le. intros m _. unfold square_norm.
      replace ((1 + s) * (equal_weight m * sum d (fun i => minus (xs m) (ws m) i ^ 2)) + (1 + / s) * (equal_weight m * sum d (fun i => ws m i ^ 2)))
        with (equal_weight m * ((1 + s) * sum d (fun i => minus (xs m) (ws m) i ^ 2) + (1 + / s) * sum d (fun i => ws m i ^ 2))) by ring.
      apply Rmult_le_compat_l; [apply weights_pos|]. rewrite <- !sum_scal, <- sum_plus. apply sum_le. intros i _. unfold origin_point, minus.
      replace ((0 - xs m i) ^ 2) with (((xs m i - ws m i) + ws m i) ^ 2) by ring. apply young, Hs.
    - apply Rplus_le_compat_r. apply Rmult_le_compat_l; [lra|]. unfold error_squares.
      assert (0 <= sum M (fun m => sum steps (fun j => dot d (x m j) (minus (xs m) (ws m)) ^ 2))) by (apply sum_nonneg; intros; apply sum_nonneg; intros; apply pow2_ge_0). lra.
  Qed.
  Lemma data_average (f : nat -> nat -> R) : sum M (fun m => equal_weight m * average_over (f m)) = / n * sum M (fun m => sum steps (f m)).
  Proof.
    rewrite <- sum_scal. apply sum_ext. intros m _. unfold average_over, equal_weight. rewrite <- !sum_scal. apply sum_ext. intros j _. unfold n.
    destruct counts as (? & ? & ?). field. lra.
  Qed.
  Lemma residuals_bound : / n * sum M (fun m => sum steps (fun j => residual m j ^ 2)) <= / n * noise_squares + / n * sum M (fun m => equal_weight m * sum d (fun i => block_weight i * ws m i ^ 2)).
  Proof.
    pose proof (growth_at false ws (agree_of ws ws_shared)) as G. rewrite !total_value in G.
    assert (P : 0 <= mu / 2 * norm2 (away ws xs)).
    { apply Rmult_le_pos; [unfold mu; pose proof inverse_n; unfold Rdiv; lra|]. apply (pip_pos M d equal_weight (fun m _ => weights_pos m)). }
    assert (E : forall y, sum M (fun m => equal_weight m * average_over (fun j => sample_loss m j (y m))) =
      / n * sum M (fun m => sum steps (fun j => (dot d (x m j) (y m) - r m j) ^ 2)) + / n * sum M (fun m => equal_weight m * sum d (fun i => block_weight i * y m i ^ 2))).
    { intro y. rewrite <- data_average, <- sum_scal, <- sum_plus. apply sum_ext. intros m _. unfold average_over, sample_loss.
      rewrite (sum_ext steps _ (fun j => / INR steps * (dot d (x m j) (y m) - r m j) ^ 2 + / INR steps * (/ n * sum d (fun i => block_weight i * y m i ^ 2)))) by (intros; ring).
      rewrite sum_plus. rewrite (average_const (/ n * sum d (fun i => block_weight i * y m i ^ 2)) : sum steps _ = _). ring. }
    rewrite !E in G. unfold noise_squares.
    rewrite (sum_ext M (fun m => sum steps (fun j => own_noise m j ^ 2)) (fun m => sum steps (fun j => (dot d (x m j) (ws m) - r m j) ^ 2)))
      by (intros; apply sum_ext; intros; unfold own_noise; ring).
    assert (0 <= / n * sum M (fun m => equal_weight m * sum d (fun i => block_weight i * xs m i ^ 2))).
    { pose proof inverse_n. apply Rmult_le_pos; [lra|]. apply sum_nonneg. intros. apply Rmult_le_pos; [apply weights_pos|]. apply sum_nonneg. intros j _.
      apply Rmult_le_pos; [pose proof (weight_ge_1 j); lra|apply pow2_ge_0]. }
    unfold residual. lra.
  Qed.
  Notation sigma2 full := (shared_noise M d a equal_weight samples equal_chance (local_gradient full) xs + personal_noise M d a equal_weight samples equal_chance (local_gradient full) xs).
  (** sigma^2 <= (4/n)(sum e^2 + sum_m sum_i b_i ws_mi^2 / M) *)
  Lemma noise_bound : sigma2 false <= 4 * (/ n * noise_squares + / n * sum M (fun m => equal_weight m * sum d (fun i => block_weight i * ws m i ^ 2))).
  Proof.
    apply Rle_trans with (4 * (/ n * sum M (fun m => sum steps (fun j => residual m j ^ 2)))); [|apply Rmult_le_compat_l; [lra|apply residuals_bound]].
    rewrite <- data_average, <- sum_scal. unfold shared_noise, personal_noise. rewrite <- sum_plus. apply sum_le. intros m _.
    rewrite <- Rmult_plus_distr_l, <- sum_plus, <- Rmult_assoc, (Rmult_comm 4), Rmult_assoc. apply Rmult_le_compat_l; [apply weights_pos|].
    apply Rle_trans with (sum d (fun i => average_over (fun j => (2 * residual m j * x m j i) ^ 2))).
    - apply sum_le. intros i _. apply Rle_trans with (agent_variance samples equal_chance (local_gradient false) xs m i); [destruct (Nat.ltb i a); lra|].
      unfold agent_variance, mean_gradient. eapply Rle_trans; [apply (variance_least _ (fun j => local_gradient false m j (xs m) i) (2 * / n * block_weight i * xs m i))|].
      + apply distribution_finite_law; [intros; apply chances_pos|apply chances_sum].
      + rewrite law_average. right. unfold average_over. apply sum_ext. intros j _. unfold local_gradient, sample_gradient, residual. f_equal. ring.
    - unfold average_over. rewrite sum_swap, <- sum_scal. apply sum_le. intros j _. rewrite sum_scal.
      replace (4 * (/ INR steps * residual m j ^ 2)) with (/ INR steps * (4 * residual m j ^ 2)) by ring. apply Rmult_le_compat_l; [apply (chances_pos O j)|].
      rewrite (sum_ext d _ (fun i => 4 * residual m j ^ 2 * x m j i ^ 2)) by (intros; ring). rewrite sum_scal. fold (square_norm d (x m j)).
      rewrite <- (Rmult_1_r (4 * residual m j ^ 2)) at 2. apply Rmult_le_compat_l; [pose proof (pow2_ge_0 (residual m j)); lra|apply Hx].
  Qed.
  Lemma pulls_square f m : square_norm d (fun i => sum steps (fun j => f j * x m j i)) <= INR steps * sum steps (fun j => f j ^ 2).
  Proof.
    apply Rle_trans with (sum d (fun i => sum steps (fun j => f j ^ 2) * sum steps (fun j => x m j i ^ 2))).
    - apply sum_le. intros i _. apply cauchy_schwarz.
    - rewrite sum_scal, sum_swap, Rmult_comm. apply Rmult_le_compat_r; [apply sum_nonneg; intros; apply pow2_ge_0|].
      replace (INR steps) with (sum steps (fun _ => 1)) by (rewrite sum_const; ring). apply sum_le. intros j _. apply Hx.
  Qed.
  Notation zeta2 full := (norm2 (slope full xs)).
  (** zeta^2 <= (1/M) sum_m (4/steps^2) |pull_m|^2: in shared coordinates the mean is 0, in personal ones every slope *)
  Lemma drift_by_pulls full : zeta2 full <= sum M (fun m => equal_weight m * (4 * / INR steps ^ 2 * square_norm d (pull m))).
  Proof.
    unfold LocalSteps.sq. rewrite by_coordinate.
    rewrite (sum_ext M _ (fun m => sum d (fun i => equal_weight m * (2 * / INR steps * pull m i - 0) ^ 2))).
    - rewrite (sum_swap M d). apply sum_le. intros i Hi. destruct (Nat.ltb_spec i a) as [Ha|Ha].
      + pose proof (slope_shared full i Ha Hi) as Z. unfold agents_mean in Z.
        assert (HP : distribution (finite_law M equal_weight)) by (apply distribution_finite_law; [intros; apply weights_pos|apply weights_sum]).
        pose proof (variance_least (finite_law M equal_weight) (fun m => 2 * / INR steps * pull m i) 0 HP) as V. rewrite !Expect_finite_law in V.
        eapply Rle_trans; [|exact V]. right. apply sum_ext. intros m Hm. f_equal.
        assert (E : slope full xs m i = 2 * / INR steps * pull m i - sum M (fun k => equal_weight k * (2 * / INR steps * pull k i))); [|rewrite E; ring].
        rewrite (sum_ext M _ (fun k => equal_weight k * (2 * / INR steps * pull k i) + (2 * / n * xs O i) * equal_weight k)) in Z.
        * rewrite sum_plus, sum_scal, weights_sum in Z. rewrite slope_at, (xs_shared m i Hm Ha). unfold block_weight. destruct (Nat.ltb_spec i a); [|lia]. lra.
        * intros k Hk. rewrite slope_at, (xs_shared k i Hk Ha). unfold block_weight. destruct (Nat.ltb_spec i a); [|lia]. ring.
      + apply sum_le. intros m Hm. rewrite (slope_own full m i Hm Ha Hi). rewrite Rmult_0_l, Rmult_0_r. apply Rmult_le_pos; [apply weights_pos|apply pow2_ge_0].
    - intros m _. unfold square_norm. rewrite <- !sum_scal. apply sum_ext. intros i _. field. destruct counts as (? & ? & ?). lra.
  Qed.
  Lemma drift_bound full s : 0 < s -> zeta2 full <= (1 + s) * (4 * / n * error_squares) + (1 + / s) * (4 * / n * / INR steps * agents_noise).
  Proof.
    intro Hs. eapply Rle_trans; [apply drift_by_pulls|]. destruct counts as (A & B & C). pose proof inverse_n as I.
    apply Rle_trans with (sum M (fun m => (1 + s) * (4 * / n * sum steps (fun j => dot d (x m j) (minus (xs m) (ws m)) ^ 2))
      + (1 + / s) * (4 * / n * / INR steps * square_norm d (fun i => sum steps (fun j => own_noise m j * x m j i))))).
    - apply sum_le. intros m _.
      set (f := fun j => dot d (x m j) (minus (xs m) (ws m))). set (P := fun i => sum steps (fun j => f j * x m j i)). set (b := fun i => sum steps (fun j => own_noise m j * x m j i)).
      assert (Hp : square_norm d (pull m) <= (1 + s) * square_norm d P + (1 + / s) * square_norm d b).
      { unfold square_norm. rewrite <- !sum_scal, <- sum_plus. apply sum_le. intros i _.
        replace (pull m i) with (P i + - b i).
        - eapply Rle_trans; [apply (young s (P i) (- b i) Hs)|]. right. ring.
        - unfold P, b, pull. replace (- sum steps (fun j => own_noise m j * x m j i)) with (sum steps (fun j => (-1) * (own_noise m j * x m j i))) by (rewrite sum_scal; ring).
          rewrite <- sum_plus. apply sum_ext. intros j _. unfold f, residual, own_noise. rewrite dot_minus. ring. }
      pose proof (pulls_square f m) as HP. fold P in HP. fold (square_norm d P) in HP.
      assert (I2 : 0 < / n * / INR steps) by (apply Rmult_lt_0_compat; [exact I|apply Rinv_0_lt_compat; lra]).
      replace (equal_weight m * (4 * / INR steps ^ 2 * square_norm d (pull m))) with (4 * (/ n * / INR steps) * square_norm d (pull m)) by (unfold equal_weight, n; field; lra).
      apply Rle_trans with (4 * (/ n * / INR steps) * ((1 + s) * (INR steps * sum steps (fun j => f j ^ 2)) + (1 + / s) * square_norm d b)).
      + apply Rmult_le_compat_l; [lra|]. eapply Rle_trans; [exact Hp|]. apply Rplus_le_compat_r. apply Rmult_le_compat_l; lra.
      + right. change (sum steps (fun j => dot d (x m j) (minus (xs m) (ws m)) ^ 2)) with (sum steps (fun j => f j ^ 2)). fold b. field. lra.
    - rewrite sum_plus, !sum_scal. fold agents_noise. apply Rplus_le_compat_r. apply Rmult_le_compat_l; [lra|]. apply Rmult_le_compat_l; [lra|]. unfold error_squares.
      assert (0 <= sum M (fun m => equal_weight m * square_norm d (minus (xs m) (ws m)))) by (apply sum_nonneg; intros; apply Rmult_le_pos; [apply weights_pos|apply square_norm_nonneg]). lra.
  Qed.

  (** ** Runs from 0 with zero control variates; the output is the last point *)
  Variables (eta eta_g : R) (k : nat) (share : R).
  Hypothesis Heta : 0 < eta.
  Hypothesis Hg : 1 <= eta_g.
  Hypothesis Hk : (1 <= k)%nat.
  Hypothesis Hbig1 : 1 <= big.
  Notation tau2 full := (/ INR M * shared_noise M d a equal_weight samples equal_chance (local_gradient full) xs + personal_noise M d a equal_weight samples equal_chance (local_gradient full) xs).
  Hypothesis Hshare0 : 0 <= share.
  Hypothesis Hshare : tau2 false <= share * sigma2 false.
  Notation h := (whole_step eta eta_g k).
  Definition local_run (way : method) (rounds : nat) : list (R * agents_point) := match way with
    | fedavg_samples | fedavg_gradients =>
        fedavg_run M d a equal_weight (fun _ => steps) equal_chance (local_gradient (full_gradients way)) xs eta eta_g k rounds origin_point
    | scaffold_samples | scaffold_gradients =>
        bind (scaffold_run M d a equal_weight (fun _ => steps) equal_chance (local_gradient (full_gradients way)) xs eta eta_g k rounds (origin_point, origin_point))
          (fun s => dirac (fst s)) end.
  Lemma scaffold_law full rounds s : distribution (scaffold_run M d a equal_weight (fun _ => steps) equal_chance (local_gradient full) xs eta eta_g k rounds s).
  Proof.
    apply turns_distribution. intro t. apply sround_distribution. apply (draws_distribution (fun _ => steps) equal_chance (fun m j _ => chances_pos m j) chances_sum).
  Qed.
  Lemma local_run_law way rounds : distribution (local_run way rounds).
  Proof.
    assert (F : forall full y, distribution (fedavg_run M d a equal_weight (fun _ => steps) equal_chance (local_gradient full) xs eta eta_g k rounds y)).
    { intros full y. apply turns_distribution. intro t. apply round_distribution. apply (draws_distribution (fun _ => steps) equal_chance (fun m j _ => chances_pos m j) chances_sum). }
    destruct way; unfold local_run; [apply F| |apply F|]; (apply distribution_bind; [apply scaffold_law|intro; apply distribution_dirac]).
  Qed.
  (** the average of the points before the last, with weights q^(R-1-r) *)
  Definition local_average (way : method) (rounds : nat) : list (R * agents_point) := match way with
    | fedavg_samples | fedavg_gradients =>
        fedavg_averaged M d a equal_weight (fun _ => steps) equal_chance (local_loss (full_gradients way)) (local_gradient (full_gradients way)) (2 / (INR M * INR steps)) xs eta eta_g k rounds origin_point
    | scaffold_samples | scaffold_gradients =>
        scaffold_averaged M d a equal_weight (fun _ => steps) equal_chance (local_loss (full_gradients way)) (local_gradient (full_gradients way)) (2 / (INR M * INR steps)) xs eta eta_g k rounds
          (origin_point, origin_point) end.
  Lemma local_average_law way rounds : distribution (local_average way rounds).
  Proof.
    pose proof (draws_distribution (fun _ => steps) equal_chance (fun m j _ => chances_pos m j) chances_sum) as D.
    assert (F : forall full, distribution (fedavg_averaged M d a equal_weight (fun _ => steps) equal_chance (local_loss full) (local_gradient full) (2 / (INR M * INR steps)) xs eta eta_g k rounds origin_point)).
    { intro full. apply distribution_bind; [|intro; apply distribution_dirac]. apply sums_distribution. intro t. apply round_distribution. apply D. }
    assert (S : forall full, distribution (scaffold_averaged M d a equal_weight (fun _ => steps) equal_chance (local_loss full) (local_gradient full) (2 / (INR M * INR steps)) xs eta eta_g k rounds (origin_point, origin_point))).
    { intro full. apply distribution_bind; [|intro; apply distribution_dirac]. apply sums_distribution. intro t. apply sround_distribution. apply D. }
    destruct way; [apply F|apply S|apply F|apply S].
  Qed.
  Lemma mu_beta : 0 < beta /\ 0 < mu <= beta.
  Proof.
    destruct counts as (A & B & C). pose proof inverse_n. unfold beta, mu, Rdiv. assert (1 * / n <= big * / n) by (apply Rmult_le_compat_r; lra). repeat split; lra.
  Qed.
  Lemma step_ok way : step_condition way (h * beta) -> 0 < h /\ mu * h <= 1.
  Proof.
    intro Hc. destruct mu_beta as (B & M0 & M1). assert (K1 : 1 <= INR k) by (replace 1 with (INR 1) by reflexivity; apply le_INR, Hk).
    assert (H : 0 < h) by (unfold whole_step; repeat apply Rmult_lt_0_compat; lra). split; [exact H|].
    assert (h * beta <= 1) by (assert (0 < h * beta) by (apply Rmult_lt_0_compat; assumption); destruct way; simpl in Hc; nra). nra.
  Qed.
  Lemma origin_agrees : agree (away origin_point xs).
  Proof. apply agree_of. intros. reflexivity. Qed.
  Lemma origin_slope full : norm2 (away origin_point (slope full xs)) = zeta2 full.
  Proof.
    unfold LocalSteps.sq, pip. apply sum_ext. intros m _. f_equal. apply sum_ext. intros i _. unfold LocalSteps.sub, padd, pscal, origin_point. ring.
  Qed.
  Lemma same_total y z : total true y - total true z = total false y - total false z.
  Proof. rewrite !total_value. reflexivity. Qed.
  Lemma method_bound_up way rounds x1 y1 z1 x2 y2 z2 : 0 < h -> mu * h <= 1 -> x1 <= x2 -> y1 <= y2 -> z1 <= z2 ->
    method_bound way (INR k) eta_g h beta mu share rounds x1 y1 z1 <= method_bound way (INR k) eta_g h beta mu share rounds x2 y2 z2.
  Proof.
    intros H0 H1 Hxx Hyy Hzz. destruct mu_beta as (B & M0 & M1). assert (K1 : 1 <= INR k) by (replace 1 with (INR 1) by reflexivity; apply le_INR, Hk).
    rewrite (method_bound_linear _ _ _ _ _ _ _ _ x1), (method_bound_linear _ _ _ _ _ _ _ _ x2).
    pose proof (fun u v w => method_bound_nonneg way (INR k) eta_g h beta mu share rounds u v w K1 Hg H0 B M0 H1 Hshare0) as P.
    apply Rplus_le_compat; [apply Rplus_le_compat|]; (apply Rmult_le_compat_l; [apply P; lra|assumption]).
  Qed.
  (** E norm(x_R - xs)^2 is at most Theorem G's bound at the start, the noise and the drift of these data. *)
  Theorem local_run_bound way rounds : step_condition way (h * beta) ->
    Expect (local_run way rounds) (fun y => norm2 (away y xs)) <=
      method_bound way (INR k) eta_g h beta mu share rounds (norm2 (away origin_point xs)) (sigma2 false) (zeta2 false).
  Proof.
    intro Hc. destruct (step_ok way Hc) as [Hh Hmh]. destruct mu_beta as (B & M01). pose proof Hshare as Sh. unfold samples in Sh |- *.
    assert (K1 : 1 <= INR k) by (replace 1 with (INR 1) by reflexivity; apply le_INR, Hk).
    assert (Z : norm2 (mean_gradient (fun _ => steps) equal_chance (local_gradient true) xs) = norm2 (mean_gradient (fun _ => steps) equal_chance (local_gradient false) xs)).
    { unfold LocalSteps.sq, pip. apply sum_ext. intros m _. f_equal. apply sum_ext. intros i _. rewrite !same_slope. reflexivity. }
    assert (G2 : 0 < / eta_g ^ 2) by (apply Rinv_0_lt_compat; nra). assert (K2 : 0 < / INR k) by (apply Rinv_0_lt_compat; lra). assert (M2 : 0 < / mu) by (apply Rinv_0_lt_compat; lra).
    assert (W : 0 < h ^ 3 * beta * / eta_g ^ 2) by (apply Rmult_lt_0_compat; [apply Rmult_lt_0_compat; [apply pow_lt|]|]; assumption).
    destruct way; unfold local_run, full_gradients; simpl in Hc.
    - pose proof (fedavg_last M d a equal_weight (/ INR M) (fun m _ => weights_pos m) weights_sum (fun m _ => Rle_refl _) (fun _ => steps) equal_chance (fun m j _ => chances_pos m j) chances_sum
        (local_loss false) (local_gradient false) beta mu B M01 (local_convex false) (local_smooth false) xs (growth_at false) (optimal_at false) eta eta_g k Heta Hg Hk rounds origin_point Hc origin_agrees) as H.
      eapply Rle_trans; [exact H|]. unfold method_bound. apply Rplus_le_compat_l. apply Rmult_le_compat_r; [lra|]. apply Rplus_le_compat_r. apply Rmult_le_compat_r; [lra|].
      unfold fedavg_noise. apply Rmult_le_compat_r; lra.
    - rewrite Expect_bind. rewrite (Expect_ext _ _ (fun s => norm2 (away (fst s) xs))) by (intro s; exact (Expect_dirac (fst s) (fun y => norm2 (away y xs)))).
      pose proof (scaffold_last M d a equal_weight (/ INR M) (fun m _ => weights_pos m) weights_sum (fun m _ => Rle_refl _) (fun _ => steps) equal_chance (fun m j _ => chances_pos m j) chances_sum
        (local_loss false) (local_gradient false) beta mu B M01 (local_convex false) (local_smooth false) xs (growth_at false) (optimal_at false) eta eta_g k Heta Hg Hk rounds (origin_point, origin_point) Hc origin_agrees) as H.
      eapply Rle_trans; [|eapply Rle_trans; [exact H|]].
      + apply Expect_le.
        * apply scaffold_law.
        * intro s. pose proof (variates_above M d equal_weight (fun m _ => weights_pos m) (fun _ => steps) equal_chance (local_gradient false) xs (variate_weight h beta eta_g) s) as Q.
          specialize (Q ltac:(unfold variate_weight, Rdiv; lra)). lra.
      + unfold variates. cbn [fst snd]. rewrite origin_slope. unfold method_bound. apply Rplus_le_compat_l. apply Rmult_le_compat_r; [lra|]. apply Rmult_le_compat_r; [lra|].
        unfold scaffold_noise. apply Rmult_le_compat_r; lra.
    - assert (full : forall m j w i, local_gradient true m j w i = local_gradient true m O w i) by reflexivity.
      pose proof (gradients_last M d a equal_weight (fun m _ => weights_pos m) weights_sum (fun _ => steps) equal_chance (fun m j _ => chances_pos m j) chances_sum
        (local_loss true) (local_gradient true) beta mu B M01 (local_convex true) (local_smooth true) xs (growth_at true) (optimal_at true) eta eta_g k Heta Hg Hk full rounds origin_point Hc origin_agrees) as H.
      rewrite Z in H. exact H.
    - assert (full : forall m j w i, local_gradient true m j w i = local_gradient true m O w i) by reflexivity.
      rewrite Expect_bind. rewrite (Expect_ext _ _ (fun s => norm2 (away (fst s) xs))) by (intro s; exact (Expect_dirac (fst s) (fun y => norm2 (away y xs)))).
      pose proof (scaffold_gradients_last M d a equal_weight (fun m _ => weights_pos m) weights_sum (fun _ => steps) equal_chance (fun m j _ => chances_pos m j) chances_sum
        (local_loss true) (local_gradient true) beta mu B M01 (local_convex true) (local_smooth true) xs (growth_at true) (optimal_at true) eta eta_g k Heta Hg Hk full rounds (origin_point, origin_point) Hc origin_agrees) as H.
      unfold variates in H at 2. cbn [fst snd] in H. rewrite origin_slope in H. unfold samples in H. rewrite Z in H.
      eapply Rle_trans; [|exact H]. apply Expect_le.
      + apply scaffold_law.
      + intro s. pose proof (variates_above M d equal_weight (fun m _ => weights_pos m) (fun _ => steps) equal_chance (local_gradient true) xs (exact_variate_weight h beta eta_g) s) as Q.
        specialize (Q ltac:(unfold exact_variate_weight, Rdiv; lra)). lra.
  Qed.
  Lemma gap_bound_up way rounds x1 y1 z1 x2 y2 z2 : (1 <= rounds)%nat -> 0 < h -> mu * h <= 1 -> x1 <= x2 -> y1 <= y2 -> z1 <= z2 ->
    gap_bound way (INR k) eta_g h beta mu share rounds x1 y1 z1 <= gap_bound way (INR k) eta_g h beta mu share rounds x2 y2 z2.
  Proof.
    intros HR H0 H1 Hxx Hyy Hzz. destruct mu_beta as (B & M0 & M1). assert (K1 : 1 <= INR k) by (replace 1 with (INR 1) by reflexivity; apply le_INR, Hk).
    rewrite (gap_bound_linear _ _ _ _ _ _ _ _ x1), (gap_bound_linear _ _ _ _ _ _ _ _ x2).
    pose proof (fun u v w => gap_bound_nonneg way (INR k) eta_g h beta mu share rounds u v w K1 Hg H0 B M0 H1 Hshare0 HR) as P.
    apply Rplus_le_compat; [apply Rplus_le_compat|]; (apply Rmult_le_compat_l; [apply P; lra|assumption]).
  Qed.
  Lemma condition_small way : step_condition way (h * beta) -> h * beta <= 1.
  Proof.
    intro Hc. destruct mu_beta as (B & _). assert (K1 : 1 <= INR k) by (replace 1 with (INR 1) by reflexivity; apply le_INR, Hk).
    assert (0 < h * beta) by (apply Rmult_lt_0_compat; [unfold whole_step; repeat apply Rmult_lt_0_compat; lra|exact B]). destruct way; simpl in Hc; nra.
  Qed.
  Lemma local_average_shared way rounds : step_condition way (h * beta) -> (1 <= rounds)%nat -> Forall (fun pv => agree (away (snd pv) xs)) (local_average way rounds).
  Proof.
    intros Hc HR. destruct mu_beta as (B & M01). pose proof (condition_small way Hc) as U.
    pose proof (fun full => fedavg_averaged_shared M d a equal_weight weights_sum (fun _ => steps) equal_chance (local_loss full) (local_gradient full) beta mu M01 xs
      eta eta_g k Heta Hg Hk rounds origin_point U origin_agrees HR) as F.
    pose proof (fun full => scaffold_averaged_shared M d a equal_weight weights_sum (fun _ => steps) equal_chance (local_loss full) (local_gradient full) beta mu M01 xs
      eta eta_g k Heta Hg Hk rounds (origin_point, origin_point) U origin_agrees HR) as S.
    destruct way; [apply F|apply S|apply F|apply S].
  Qed.
  (** E F(x-bar) - F(xs) is at most Theorem G's bound at the start, the noise and the drift of these data. *)
  Theorem local_average_bound way rounds : step_condition way (h * beta) -> (1 <= rounds)%nat ->
    Expect (local_average way rounds) (total false) - total false xs <=
      gap_bound way (INR k) eta_g h beta mu share rounds (norm2 (away origin_point xs)) (sigma2 false) (zeta2 false).
  Proof.
    intros Hc HR. destruct (step_ok way Hc) as [Hh Hmh]. destruct mu_beta as (B & M01). pose proof Hshare as Sh. unfold samples in Sh |- *.
    assert (K1 : 1 <= INR k) by (replace 1 with (INR 1) by reflexivity; apply le_INR, Hk).
    assert (Z : norm2 (mean_gradient (fun _ => steps) equal_chance (local_gradient true) xs) = norm2 (mean_gradient (fun _ => steps) equal_chance (local_gradient false) xs)).
    { unfold LocalSteps.sq, pip. apply sum_ext. intros m _. f_equal. apply sum_ext. intros i _. rewrite !same_slope. reflexivity. }
    assert (T : forall y, objective M equal_weight (fun _ => steps) equal_chance (local_loss true) y = objective M equal_weight (fun _ => steps) equal_chance (local_loss false) y)
      by (intro y; pose proof (total_value true y) as E1; pose proof (total_value false y) as E2; unfold samples in E1, E2; rewrite E1, E2; reflexivity).
    assert (G2 : 0 < / eta_g ^ 2) by (apply Rinv_0_lt_compat; nra). assert (K2 : 0 < / INR k) by (apply Rinv_0_lt_compat; lra).
    destruct way; unfold local_average, full_gradients; simpl in Hc.
    - pose proof (fedavg_average M d a equal_weight (/ INR M) (fun m _ => weights_pos m) weights_sum (fun m _ => Rle_refl _) (fun _ => steps) equal_chance (fun m j _ => chances_pos m j) chances_sum
        (local_loss false) (local_gradient false) beta mu B M01 (local_convex false) (local_smooth false) xs (growth_at false) (optimal_at false) eta eta_g k Heta Hg Hk rounds origin_point Hc origin_agrees HR) as H.
      eapply Rle_trans; [exact H|]. unfold gap_bound. apply Rplus_le_compat; [right; ring|]. apply Rplus_le_compat_r. apply Rmult_le_compat_r; [lra|].
      unfold fedavg_noise. apply Rmult_le_compat_r; lra.
    - pose proof (scaffold_average M d a equal_weight (/ INR M) (fun m _ => weights_pos m) weights_sum (fun m _ => Rle_refl _) (fun _ => steps) equal_chance (fun m j _ => chances_pos m j) chances_sum
        (local_loss false) (local_gradient false) beta mu B M01 (local_convex false) (local_smooth false) xs (growth_at false) (optimal_at false) eta eta_g k Heta Hg Hk rounds (origin_point, origin_point) Hc origin_agrees HR) as H.
      unfold variates in H. cbn [fst snd] in H. rewrite origin_slope in H. eapply Rle_trans; [exact H|]. unfold gap_bound. apply Rplus_le_compat; [right; unfold samples; ring|].
      apply Rmult_le_compat_r; [lra|]. unfold scaffold_noise. apply Rmult_le_compat_r; lra.
    - assert (full : forall m j w i, local_gradient true m j w i = local_gradient true m O w i) by reflexivity.
      pose proof (gradients_average M d a equal_weight (fun m _ => weights_pos m) weights_sum (fun _ => steps) equal_chance (fun m j _ => chances_pos m j) chances_sum
        (local_loss true) (local_gradient true) beta mu B M01 (local_convex true) (local_smooth true) xs (growth_at true) (optimal_at true) eta eta_g k Heta Hg Hk full rounds origin_point Hc origin_agrees HR) as H.
      rewrite Z, T, (Expect_ext _ _ _ T) in H. eapply Rle_trans; [exact H|]. unfold gap_bound. right. ring.
    - assert (full : forall m j w i, local_gradient true m j w i = local_gradient true m O w i) by reflexivity.
      pose proof (scaffold_gradients_average M d a equal_weight (fun m _ => weights_pos m) weights_sum (fun _ => steps) equal_chance (fun m j _ => chances_pos m j) chances_sum
        (local_loss true) (local_gradient true) beta mu B M01 (local_convex true) (local_smooth true) xs (growth_at true) (optimal_at true) eta eta_g k Heta Hg Hk full rounds (origin_point, origin_point) Hc origin_agrees HR) as H.
      unfold variates in H. cbn [fst snd] in H. rewrite origin_slope in H. unfold samples in H. rewrite Z, T, (Expect_ext _ _ _ T) in H. eapply Rle_trans; [exact H|]. unfold gap_bound. right. ring.
  Qed.
End LocalRidge.
