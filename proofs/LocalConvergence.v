(** * Theorem G: FedAvg, LSGD-PFL and SCAFFOLD on convex smooth losses

    Agent m has the weight p_m and finitely many samples j of probability chance m j, with losses l_(m,j), convex and
    beta-smooth on R^d; f_m is their mean, F(x) = sum_m p_m f_m(x_m), and xs minimises F over the points whose shared
    coordinates agree, around which F grows by mu.  Agents draw samples independently, at every local step anew.
    sigma_a^2, sigma_b^2: the noise at xs in the shared and the personal coordinates, zeta^2 = norm(grad F(xs))^2,
    tau^2 = p_max sigma_a^2 + sigma_b^2, h = K eta eta_g, u = h beta, q = 1 - mu h/2, d = norm(x - xs)^2.
    FedAvg and LSGD-PFL, 2 u + (3/2) u^2 <= 1:
    [fedavg_last]      E d_R <= (1 - mu h)^R d_0 + (c1 h + c2 h^2)/mu
    [fedavg_average]   E F(x-bar) - F(xs) <= (mu/2) d_0 q^R/(1 - q^R) + c1 h + c2 h^2, x-bar the average with weights q^(R-1-r)
    SCAFFOLD (option II), 2 u + (9/2) u^2 <= 1: [scaffold_last], [scaffold_average], the same for d + a C without c2,
    C = norm(c - grad F(xs))^2.  Full local gradients, u + u^2 <= 1 and u + 2 u^2 <= 1: [gradients_last],
    [gradients_average], [scaffold_gradients_last], [scaffold_gradients_average], without c1; [scaffold_first_last] is option I. *)
From Coq Require Import Reals Lra Lia Psatz List Arith.
From FedIGW Require Import FiniteSums FiniteProbability Exchangeability LocalSteps LocalRuns AgentSpace.
Open Scope R_scope.

(** c1 of FedAvg and LSGD-PFL, with K local steps, server step g, u = h beta *)
Definition fedavg_noise (K g u tau2 sigma2 : R) : R := (2 * tau2 + 3 / 2 * (1 - / K) * u * sigma2 / g ^ 2) / K.
(** c2 of FedAvg and LSGD-PFL *)
Definition fedavg_drift (K g beta zeta2 : R) : R := (1 - / K) * beta * zeta2 / g ^ 2.
(** c2 with full local gradients *)
Definition gradients_drift (K g beta zeta2 : R) : R := 2 / 3 * (1 - / K) * beta * zeta2 / g ^ 2.
(** c1 of SCAFFOLD *)
Definition scaffold_noise (K g u tau2 sigma2 : R) : R := (2 * tau2 + 9 / 2 * u * sigma2 / g ^ 2) / K.
(** a of SCAFFOLD, with noise and with full local gradients *)
Definition variate_weight (h beta g : R) : R := 3 / 2 * h ^ 3 * beta / g ^ 2.
Definition exact_variate_weight (h beta g : R) : R := h ^ 3 * beta / g ^ 2.

Section Convergence.
  Variables (M d a : nat) (p : nat -> R) (pmax : R).
  Hypothesis Hp0 : forall m, (m < M)%nat -> 0 <= p m.
  Hypothesis Hp1 : sum M p = 1.
  Hypothesis Hpmax : forall m, (m < M)%nat -> p m <= pmax.
  (** samples of the agents and their losses *)
  Variables (samples : nat -> nat) (chance : nat -> nat -> R).
  Hypothesis Hchance0 : forall m j, (j < samples m)%nat -> 0 <= chance m j.
  Hypothesis Hchance1 : forall m, sum (samples m) (chance m) = 1.
  Variables (loss : nat -> nat -> (nat -> R) -> R) (grad : nat -> nat -> (nat -> R) -> nat -> R).
  Variables (beta mu : R).
  Hypothesis Hbeta : 0 < beta.
  Hypothesis Hmu : 0 < mu <= beta.
  Hypothesis convex : forall m j x y, loss m j x + sum d (fun i => grad m j x i * (y i - x i)) <= loss m j y.
  Hypothesis smooth : forall m j x y,
    loss m j y <= loss m j x + sum d (fun i => grad m j x i * (y i - x i)) + beta / 2 * sum d (fun i => (y i - x i) ^ 2).
  Definition agent_law (m : nat) : list (R * nat) := finite_law (samples m) (chance m).
  (** F(x) = sum_m p_m f_m(x_m) and its gradient *)
  Definition objective (x : agents_point) : R := sum M (fun m => p m * Expect (agent_law m) (fun j => loss m j (x m))).
  Definition mean_gradient (x : agents_point) : agents_point := fun m i => Expect (agent_law m) (fun j => grad m j (x m) i).
  Notation form := (pip M d p).
  Notation server := (average M a p).
  Notation norm2 x := (LocalSteps.sq agents_point form x).
  Notation away x y := (LocalSteps.sub agents_point padd pscal x y).
  Notation agree := (shared agents_point form server).
  Variable xs : agents_point.
  Hypothesis growth : forall x, agree (away x xs) -> mu / 2 * norm2 (away x xs) <= objective x - objective xs.
  Hypothesis optimal : forall y, form (server (mean_gradient xs)) y = 0.
  (** the variance of one sample's gradient at xs, coordinate i; sigma_a^2 and sigma_b^2 *)
  Definition agent_variance (m i : nat) : R := Expect (agent_law m) (fun j => (grad m j (xs m) i - mean_gradient xs m i) ^ 2).
  Definition shared_noise : R := sum M (fun m => p m * sum d (fun i => if Nat.ltb i a then agent_variance m i else 0)).
  Definition personal_noise : R := sum M (fun m => p m * sum d (fun i => if Nat.ltb i a then 0 else agent_variance m i)).

  (** ** The agents' draws *)
  (** one sample of every agent, independently *)
  Fixpoint drawn_samples (agents : nat) : list (R * (nat -> nat)) := match agents with
    | O => dirac (fun _ => O)
    | S m => bind (drawn_samples m) (fun xi => bind (agent_law m) (fun j => dirac (update xi m j))) end.
  Lemma sample_distribution m : distribution (agent_law m).
  Proof. apply distribution_finite_law; [apply Hchance0|apply Hchance1]. Qed.
  Lemma draws_distribution agents : distribution (drawn_samples agents).
  Proof.
    induction agents as [|m IH]; [apply distribution_dirac|]. apply distribution_bind; [exact IH|]. intro. apply distribution_bind; [apply sample_distribution|].
    intro. apply distribution_dirac.
  Qed.
  Lemma draws_S m H : Expect (drawn_samples (S m)) H = Expect (drawn_samples m) (fun xi => Expect (agent_law m) (fun j => H (update xi m j))).
  Proof. simpl. rewrite Expect_bind. apply Expect_ext. intro xi. rewrite Expect_bind. apply Expect_ext. intro j. apply Expect_dirac. Qed.
  Lemma draws_one agents m H : (m < agents)%nat -> Expect (drawn_samples agents) (fun xi => H (xi m)) = Expect (agent_law m) H.
  Proof.
    induction agents as [|n IH]; intro Hm; [lia|]. rewrite draws_S. destruct (Nat.eq_dec m n) as [->|Hd].
    - apply Expect_const_out; [apply draws_distribution|]. intro xi. apply Expect_ext. intro j. rewrite update_same. reflexivity.
    - rewrite <- (IH ltac:(lia)). apply Expect_ext. intro xi. apply Expect_const_out; [apply sample_distribution|]. intro j. rewrite update_other by auto. reflexivity.
  Qed.
  Lemma draws_two agents m m' H H' : (m < agents)%nat -> (m' < agents)%nat -> m <> m' ->
    Expect (drawn_samples agents) (fun xi => H (xi m) * H' (xi m')) = Expect (agent_law m) H * Expect (agent_law m') H'.
  Proof.
    induction agents as [|n IH]; intros Hm Hm' Hd; [lia|]. rewrite draws_S. destruct (Nat.eq_dec m n) as [->|Hn].
    - rewrite <- (draws_one n m' H') by lia. rewrite <- Expect_scal. apply Expect_ext. intro xi.
      rewrite (Expect_ext _ _ (fun j => H' (xi m') * H j)) by (intro j; rewrite update_same, update_other by auto; ring). rewrite Expect_scal. ring.
    - destruct (Nat.eq_dec m' n) as [->|Hn'].
      + rewrite <- (draws_one n m H) by lia. rewrite Rmult_comm, <- Expect_scal. apply Expect_ext. intro xi.
        rewrite (Expect_ext _ _ (fun j => H (xi m) * H' j)) by (intro j; rewrite update_same, update_other by auto; ring). rewrite Expect_scal. ring.
      + rewrite <- IH by lia. apply Expect_ext. intro xi. apply Expect_const_out; [apply sample_distribution|]. intro j. rewrite !update_other by auto. reflexivity.
  Qed.
  (** the losses and gradients of one draw, all agents together *)
  Definition drawn_loss (x : agents_point) (xi : nat -> nat) : R := sum M (fun m => p m * loss m (xi m) (x m)).
  Definition drawn_gradient (x : agents_point) (xi : nat -> nat) : agents_point := fun m i => grad m (xi m) (x m) i.
  Notation P := (drawn_samples M).
  Notation noise := (LocalSteps.sample_noise agents_point padd pscal (nat -> nat) mean_gradient drawn_gradient xs).
  Lemma drawn_objective x : LocalRuns.F agents_point (nat -> nat) P drawn_loss x = objective x.
  Proof.
    unfold LocalRuns.F, drawn_loss, objective. rewrite Expect_sum. apply sum_ext. intros m Hm. rewrite Expect_scal. f_equal.
    apply (draws_one M m (fun j => loss m j (x m)) Hm).
  Qed.
  Lemma unbiased y z : Expect P (fun xi => form (drawn_gradient y xi) z) = form (mean_gradient y) z.
  Proof.
    unfold pip, drawn_gradient. rewrite Expect_sum. apply sum_ext. intros m Hm. rewrite Expect_scal, Expect_sum. f_equal. apply sum_ext. intros i _.
    rewrite (Expect_ext _ _ (fun xi => z m i * grad m (xi m) (y m) i)) by (intro; ring). rewrite Expect_scal, (draws_one M m (fun j => grad m j (y m) i) Hm).
    unfold mean_gradient. ring.
  Qed.
  Lemma form_away x y xi : form (drawn_gradient x xi) (away y x) = sum M (fun m => p m * sum d (fun i => grad m (xi m) (x m) i * (y m i - x m i))).
  Proof. unfold pip. apply sum_ext. intros m _. f_equal. apply sum_ext. intros i _. unfold LocalSteps.sub, padd, pscal, drawn_gradient. ring. Qed.
  Lemma drawn_convex xi x y : drawn_loss x xi + form (drawn_gradient x xi) (away y x) <= drawn_loss y xi.
  Proof.
    rewrite form_away. unfold drawn_loss. rewrite <- sum_plus. apply sum_le. intros m Hm. rewrite <- Rmult_plus_distr_l.
    apply Rmult_le_compat_l; [apply Hp0, Hm|apply convex].
  Qed.
  Lemma drawn_smooth xi x y : drawn_loss y xi <= drawn_loss x xi + form (drawn_gradient x xi) (away y x) + beta / 2 * norm2 (away y x).
  Proof.
    rewrite form_away. assert (N : norm2 (away y x) = sum M (fun m => p m * sum d (fun i => (y m i - x m i) ^ 2))).
    { unfold LocalSteps.sq, pip. apply sum_ext. intros m _. f_equal. apply sum_ext. intros i _. unfold LocalSteps.sub, padd, pscal. ring. }
    rewrite N. unfold drawn_loss. rewrite <- sum_scal, <- !sum_plus. apply sum_le. intros m Hm.
    replace (p m * loss m (xi m) (x m) + p m * sum d (fun i => grad m (xi m) (x m) i * (y m i - x m i)) + beta / 2 * (p m * sum d (fun i => (y m i - x m i) ^ 2)))
      with (p m * (loss m (xi m) (x m) + sum d (fun i => grad m (xi m) (x m) i * (y m i - x m i)) + beta / 2 * sum d (fun i => (y m i - x m i) ^ 2))) by ring.
    apply Rmult_le_compat_l; [apply Hp0, Hm|apply smooth].
  Qed.
  Lemma drawn_growth x : agree (away x xs) -> mu / 2 * norm2 (away x xs) <= LocalRuns.F agents_point (nat -> nat) P drawn_loss x - LocalRuns.F agents_point (nat -> nat) P drawn_loss xs.
  Proof. rewrite !drawn_objective. apply growth. Qed.
  Lemma noise_at xi m i : noise xi m i = grad m (xi m) (xs m) i - mean_gradient xs m i.
  Proof. unfold LocalSteps.sample_noise, LocalSteps.sub, padd, pscal, drawn_gradient. ring. Qed.
  Lemma noise_square m i : (m < M)%nat -> Expect P (fun xi => noise xi m i ^ 2) = agent_variance m i.
  Proof.
    intro Hm. rewrite (Expect_ext _ _ (fun xi => (grad m (xi m) (xs m) i - mean_gradient xs m i) ^ 2)) by (intro; rewrite noise_at; reflexivity).
    apply (draws_one M m (fun j => (grad m j (xs m) i - mean_gradient xs m i) ^ 2) Hm).
  Qed.
  Lemma noise_uncorrelated m m' i : (m < M)%nat -> (m' < M)%nat -> m <> m' -> Expect P (fun xi => noise xi m i * noise xi m' i) = 0.
  Proof.
    intros Hm Hm' Hd. rewrite (Expect_ext _ _ (fun xi => (grad m (xi m) (xs m) i - mean_gradient xs m i) * (grad m' (xi m') (xs m') i - mean_gradient xs m' i)))
      by (intro; rewrite !noise_at; reflexivity).
    rewrite (draws_two M m m' (fun j => grad m j (xs m) i - mean_gradient xs m i) (fun j => grad m' j (xs m') i - mean_gradient xs m' i)) by assumption.
    assert (Z : Expect (agent_law m) (fun j => grad m j (xs m) i - mean_gradient xs m i) = 0).
    { rewrite (Expect_plus_const (agent_law m) _ (fun j => grad m j (xs m) i) (- mean_gradient xs m i) (sample_distribution m)) by (intro; ring). unfold mean_gradient. ring. }
    rewrite Z. ring.
  Qed.
  Lemma variance_nonneg m i : 0 <= agent_variance m i.
  Proof.
    unfold agent_variance. rewrite <- (Expect_const (agent_law m) 0 (sample_distribution m)). apply Expect_le; [apply sample_distribution|]. intro j. apply pow2_ge_0.
  Qed.
  Lemma all_noise : Expect P (fun xi => norm2 (noise xi)) <= shared_noise + personal_noise.
  Proof.
    right. unfold LocalSteps.sq, pip, shared_noise, personal_noise. rewrite Expect_sum, <- sum_plus. apply sum_ext. intros m Hm.
    rewrite Expect_scal, Expect_sum, <- Rmult_plus_distr_l, <- sum_plus. f_equal. apply sum_ext. intros i _. rewrite <- (noise_square m i Hm).
    rewrite (Expect_ext P (fun w => noise w m i * noise w m i) (fun xi => noise xi m i ^ 2)) by (intro; ring). destruct (Nat.ltb i a); ring.
  Qed.
  Lemma averaged_all : Expect P (fun xi => norm2 (server (noise xi))) <= pmax * shared_noise + personal_noise.
  Proof.
    rewrite (averaged_noise M d a p Hp1 (nat -> nat) P noise noise_uncorrelated). unfold shared_noise, personal_noise.
    rewrite <- sum_scal, <- sum_plus.
    rewrite (sum_ext d _ (fun i => sum M (fun m => if Nat.ltb i a then p m ^ 2 * agent_variance m i else p m * agent_variance m i))).
    2: { intros i _. destruct (Nat.ltb i a); apply sum_ext; intros m Hm; rewrite (noise_square m i Hm); reflexivity. }
    rewrite sum_swap. apply sum_le. intros m Hm. rewrite <- Rmult_assoc, <- !sum_scal, <- sum_plus. apply sum_le. intros i _.
    pose proof (variance_nonneg m i) as V0. pose proof (Hp0 m Hm) as P0. pose proof (Hpmax m Hm) as P1.
    destruct (Nat.ltb i a); [|lra]. assert (p m * (p m * agent_variance m i) <= pmax * (p m * agent_variance m i)) by (apply Rmult_le_compat_r; [apply Rmult_le_pos; assumption|exact P1]). nra.
  Qed.

  (** ** Runs *)
  Variables (eta eta_g : R) (k : nat).
  Hypothesis Heta : 0 < eta.
  Hypothesis Hg : 1 <= eta_g.
  Hypothesis Hk : (1 <= k)%nat.
  Notation h := (whole_step eta eta_g k).
  Notation u := (h * beta).
  Notation q := (1 - mu * h / 2).
  Notation sigma2 := (shared_noise + personal_noise).
  Notation tau2 := (pmax * shared_noise + personal_noise).
  Notation zeta2 := (norm2 (mean_gradient xs)).
  (** a round of FedAvg or LSGD-PFL, and of SCAFFOLD: (point, control variates) *)
  Definition fedavg_round : agents_point -> list (R * agents_point) :=
    round agents_point padd pscal form server (nat -> nat) (drawn_samples M) drawn_gradient mean_gradient xs eta eta_g k.
  Definition scaffold_step : agents_point * agents_point -> list (R * (agents_point * agents_point)) :=
    sround agents_point padd pscal form server (nat -> nat) (drawn_samples M) drawn_gradient mean_gradient xs eta eta_g k.
  (** the point after R rounds, and the average of those before with weights q^(R-1-r) *)
  Definition fedavg_run : nat -> agents_point -> list (R * agents_point) := turns agents_point fedavg_round.
  Definition scaffold_run : nat -> agents_point * agents_point -> list (R * (agents_point * agents_point)) := turns (agents_point * agents_point) scaffold_step.
  Definition fedavg_averaged : nat -> agents_point -> list (R * agents_point) :=
    averaged_points agents_point padd pscal (nat -> nat) P drawn_loss xs mu agents_point fedavg_round (fun x => x) h.
  Definition scaffold_averaged : nat -> agents_point * agents_point -> list (R * agents_point) :=
    averaged_points agents_point padd pscal (nat -> nat) P drawn_loss xs mu (agents_point * agents_point) scaffold_step fst h.
  Definition variates (weight : R) (s : agents_point * agents_point) : R := norm2 (away (fst s) xs) + weight * norm2 (away (snd s) (mean_gradient xs)).
  Notation c1 := (fedavg_noise (INR k) eta_g u tau2 sigma2).
  Notation c2 := (fedavg_drift (INR k) eta_g beta zeta2).
  Lemma step_facts : 0 < h /\ 0 < mu * h <= u /\ 1 <= INR k.
  Proof.
    assert (1 <= INR k) by (replace 1 with (INR 1) by reflexivity; apply le_INR, Hk).
    assert (0 < h) by (unfold whole_step; repeat apply Rmult_lt_0_compat; lra). split; [assumption|]. split; [|assumption]. nra.
  Qed.
  Lemma error_of e c rounds : 0 < mu * h <= 1 -> e = h ^ 2 * c -> 0 <= c -> e * sum rounds (fun i => (1 - mu * h) ^ i) <= c * h / mu.
  Proof.
    intros Hm -> Hc. destruct step_facts as (Hh & _ & _). pose proof (geometric_sum (1 - mu * h) rounds ltac:(lra)) as G.
    replace (1 - (1 - mu * h)) with (mu * h) in G by ring.
    eapply Rle_trans; [apply Rmult_le_compat_l; [|exact G]|right; field; lra]. apply Rmult_le_pos; [apply pow2_ge_0|exact Hc].
  Qed.
  Lemma noise_constants_nonneg own u' : 0 <= own -> 0 <= u' -> 0 <= (2 * tau2 + own * u' * sigma2 / eta_g ^ 2) / INR k.
  Proof.
    intros Ho Hu. destruct step_facts as (_ & _ & Hn).
    assert (S0 : 0 <= sigma2) by (eapply Rle_trans; [|exact all_noise]; rewrite <- (Expect_const P 0 (draws_distribution M)); apply Expect_le; [apply draws_distribution|]; intro; apply (pip_pos M d p Hp0)).
    assert (T0 : 0 <= tau2) by (eapply Rle_trans; [|exact averaged_all]; rewrite <- (Expect_const P 0 (draws_distribution M)); apply Expect_le; [apply draws_distribution|]; intro; apply (pip_pos M d p Hp0)).
    assert (0 < / eta_g ^ 2) by (apply Rinv_0_lt_compat; nra). assert (0 < / INR k) by (apply Rinv_0_lt_compat; lra).
    unfold Rdiv. apply Rmult_le_pos; [|lra]. assert (0 <= own * u' * sigma2 * / eta_g ^ 2) by (repeat apply Rmult_le_pos; lra). lra.
  Qed.
  Lemma drift_nonneg own : 0 <= own -> 0 <= own * (1 - / INR k) * beta * zeta2 / eta_g ^ 2.
  Proof.
    intro Ho. destruct step_facts as (_ & _ & Hn). assert (0 < / eta_g ^ 2) by (apply Rinv_0_lt_compat; nra).
    assert (/ INR k <= 1) by (rewrite <- Rinv_1; apply Rinv_le_contravar; lra). pose proof (pip_pos M d p Hp0 (mean_gradient xs)) as Z0.
    unfold Rdiv. repeat apply Rmult_le_pos; try lra. exact Z0.
  Qed.
  (** ** The theorems *)
  Notation last := (last_point agents_point padd pscal form (pip_pos M d p Hp0) server (nat -> nat) P drawn_loss xs mu drawn_growth).
  Notation mean_point := (average_point agents_point padd pscal form (pip_add M d p) (pip_scal M d p) (pip_sym M d p) (pip_pos M d p Hp0) server
    (nat -> nat) P drawn_loss drawn_gradient mean_gradient xs beta mu (draws_distribution M) Hmu unbiased drawn_convex drawn_growth).
  Notation same_law := (round_distribution agents_point padd pscal form server (nat -> nat) P drawn_gradient mean_gradient xs (draws_distribution M) eta eta_g k).
  Notation keeps := (round_shared agents_point padd pscal form (pip_add M d p) (pip_scal M d p) (pip_sym M d p) server (average_adjoint M d a p) (average_twice M d a p Hp1)
    (nat -> nat) P drawn_gradient mean_gradient xs eta eta_g k).
  Notation same_laws := (sround_distribution agents_point padd pscal form server (nat -> nat) P drawn_gradient mean_gradient xs (draws_distribution M) eta eta_g k).
  Notation keep := (sround_shared agents_point padd pscal form (pip_add M d p) (pip_scal M d p) (pip_sym M d p) server (average_adjoint M d a p) (average_twice M d a p Hp1)
    (nat -> nat) P drawn_gradient mean_gradient xs eta eta_g k).
  Lemma fedavg_steps x : 2 * u + 3 / 2 * u ^ 2 <= 1 -> agree (away x xs) -> Expect (fedavg_round x) (fun y => norm2 (away y xs)) <=
    norm2 (away x xs) + 2 / 3 * (norm2 (away x xs) - norm2 (away x xs)) - 2 * h * (LocalRuns.F agents_point (nat -> nat) P drawn_loss x - LocalRuns.F agents_point (nat -> nat) P drawn_loss xs)
      + h ^ 2 * (c1 + c2 * h).
  Proof.
    intros Hu Hx.
    pose proof (fedavg_turn agents_point padd pscal form (pip_add M d p) (pip_scal M d p) (pip_sym M d p) (pip_pos M d p Hp0) server (average_adjoint M d a p) (average_twice M d a p Hp1)
      (nat -> nat) P drawn_loss drawn_gradient mean_gradient xs beta sigma2 tau2 (draws_distribution M) Hbeta unbiased drawn_convex drawn_smooth optimal all_noise averaged_all
      eta eta_g k Heta Hg Hk x Hu Hx) as H.
    unfold fedavg_round. eapply Rle_trans; [exact H|]. unfold fedavg_error, fedavg_noise, fedavg_drift. right. unfold Rdiv. ring.
  Qed.
  Lemma scaffold_steps s : 2 * u + 9 / 2 * u ^ 2 <= 1 -> agree (away (fst s) xs) -> Expect (scaffold_step s) (variates (variate_weight h beta eta_g)) <=
    norm2 (away (fst s) xs) + 2 / 3 * (variates (variate_weight h beta eta_g) s - norm2 (away (fst s) xs))
      - 2 * h * (LocalRuns.F agents_point (nat -> nat) P drawn_loss (fst s) - LocalRuns.F agents_point (nat -> nat) P drawn_loss xs) + h ^ 2 * scaffold_noise (INR k) eta_g u tau2 sigma2.
  Proof.
    intros Hu Hx.
    exact (scaffold_turn agents_point padd pscal form (pip_add M d p) (pip_scal M d p) (pip_sym M d p) (pip_pos M d p Hp0) server (average_adjoint M d a p) (average_twice M d a p Hp1)
      (nat -> nat) P drawn_loss drawn_gradient mean_gradient xs beta sigma2 tau2 (draws_distribution M) Hbeta unbiased drawn_convex drawn_smooth optimal all_noise averaged_all
      eta eta_g k Heta Hg Hk s Hu Hx).
  Qed.
  Lemma variates_above weight s : 0 <= weight -> 0 <= variates weight s - norm2 (away (fst s) xs).
  Proof. intro Hw. unfold variates. assert (0 <= weight * norm2 (away (snd s) (mean_gradient xs))) by (apply Rmult_le_pos; [exact Hw|apply (pip_pos M d p Hp0)]). lra. Qed.
  Lemma weights_nonneg : 0 <= variate_weight h beta eta_g /\ 0 <= exact_variate_weight h beta eta_g.
  Proof.
    destruct step_facts as (Hh & _ & _). assert (0 < / eta_g ^ 2) by (apply Rinv_0_lt_compat; nra). assert (0 < h ^ 3) by (apply pow_lt; exact Hh).
    assert (B : 0 < h ^ 3 * beta * / eta_g ^ 2) by (apply Rmult_lt_0_compat; [apply Rmult_lt_0_compat; lra|assumption]).
    unfold variate_weight, exact_variate_weight, Rdiv. split; lra.
  Qed.
  Lemma objective_of law : Expect law (LocalRuns.F agents_point (nat -> nat) P drawn_loss) = Expect law objective.
  Proof. apply Expect_ext. apply drawn_objective. Qed.

  (** FedAvg and LSGD-PFL, the last agents_point *)
  Theorem fedavg_last rounds x : 2 * u + 3 / 2 * u ^ 2 <= 1 -> agree (away x xs) ->
    Expect (fedavg_run rounds x) (fun y => norm2 (away y xs)) <= (1 - mu * h) ^ rounds * norm2 (away x xs) + (c1 * h + c2 * h ^ 2) / mu.
  Proof.
    intros Hu Hx. destruct step_facts as (Hh & Hm & Hn). assert (U1 : u <= 1) by nra.
    pose proof (last agents_point fedavg_round (fun y => y) (fun y => norm2 (away y xs)) (h ^ 2 * (c1 + c2 * h)) h Hh same_law keeps (fun x => fedavg_steps x Hu)
      (1 - mu * h) ltac:(lra) ltac:(lra) ltac:(intro; lra) rounds x Hx) as H.
    eapply Rle_trans; [exact H|]. apply Rplus_le_compat_l.
    assert (C : 0 <= c1 + c2 * h).
    { pose proof (noise_constants_nonneg (3 / 2 * (1 - / INR k)) u) as N. pose proof (drift_nonneg 1 ltac:(lra)) as D.
      assert (/ INR k <= 1) by (rewrite <- Rinv_1; apply Rinv_le_contravar; lra).
      specialize (N ltac:(lra) ltac:(lra)). unfold fedavg_noise, fedavg_drift. rewrite Rmult_1_l in D. assert (0 <= (1 - / INR k) * beta * zeta2 / eta_g ^ 2 * h) by (apply Rmult_le_pos; [exact D|lra]). lra. }
    eapply Rle_trans; [apply (error_of _ (c1 + c2 * h) rounds ltac:(lra) eq_refl C)|]. right. field. lra.
  Qed.
  (** FedAvg and LSGD-PFL, the average point *)
  Theorem fedavg_average rounds x : 2 * u + 3 / 2 * u ^ 2 <= 1 -> agree (away x xs) -> (1 <= rounds)%nat ->
    Expect (fedavg_averaged rounds x) objective - objective xs <= mu / 2 * norm2 (away x xs) * (q ^ rounds / (1 - q ^ rounds)) + (c1 * h + c2 * h ^ 2).
  Proof.
    intros Hu Hx HR. destruct step_facts as (Hh & Hm & Hn). assert (U1 : u <= 1) by nra.
    pose proof (mean_point agents_point fedavg_round (fun y => y) (fun y => norm2 (away y xs)) (h ^ 2 * (c1 + c2 * h)) h Hh same_law keeps ltac:(intro; lra) (fun x => fedavg_steps x Hu)
      ltac:(lra) ltac:(intro; lra) rounds x Hx HR) as H.
    rewrite objective_of, drawn_objective in H. eapply Rle_trans; [exact H|]. apply Rplus_le_compat_l. right. field. lra.
  Qed.
  (** SCAFFOLD, the last agents_point and variates *)
  Theorem scaffold_last rounds s : 2 * u + 9 / 2 * u ^ 2 <= 1 -> agree (away (fst s) xs) ->
    Expect (scaffold_run rounds s) (variates (variate_weight h beta eta_g)) <=
      (1 - mu * h) ^ rounds * variates (variate_weight h beta eta_g) s + scaffold_noise (INR k) eta_g u tau2 sigma2 * h / mu.
  Proof.
    intros Hu Hx. destruct step_facts as (Hh & Hm & Hn). destruct weights_nonneg as [W _]. assert (U1 : u <= 1 / 3) by nra.
    pose proof (last (agents_point * agents_point)%type scaffold_step fst (variates (variate_weight h beta eta_g)) (h ^ 2 * scaffold_noise (INR k) eta_g u tau2 sigma2) h Hh same_laws keep
      (fun t => scaffold_steps t Hu) (1 - mu * h) ltac:(lra) ltac:(lra) ltac:(intro t; apply Rmult_le_compat_r; [apply variates_above; exact W|lra]) rounds s Hx) as H.
    eapply Rle_trans; [exact H|]. apply Rplus_le_compat_l. apply (error_of _ _ rounds ltac:(lra) eq_refl). apply (noise_constants_nonneg (9 / 2) u); lra.
  Qed.
  (** SCAFFOLD, the average point *)
  Theorem scaffold_average rounds s : 2 * u + 9 / 2 * u ^ 2 <= 1 -> agree (away (fst s) xs) -> (1 <= rounds)%nat ->
    Expect (scaffold_averaged rounds s) objective - objective xs <=
      mu / 2 * variates (variate_weight h beta eta_g) s * (q ^ rounds / (1 - q ^ rounds)) + scaffold_noise (INR k) eta_g u tau2 sigma2 * h.
  Proof.
    intros Hu Hx HR. destruct step_facts as (Hh & Hm & Hn). destruct weights_nonneg as [W _]. assert (U1 : u <= 1 / 3) by nra.
    pose proof (mean_point (agents_point * agents_point)%type scaffold_step fst (variates (variate_weight h beta eta_g)) (h ^ 2 * scaffold_noise (INR k) eta_g u tau2 sigma2) h Hh same_laws keep
      ltac:(intro t; pose proof (variates_above _ t W); lra) (fun t => scaffold_steps t Hu) ltac:(lra)
      ltac:(intro t; apply Rmult_le_compat_r; [apply variates_above; exact W|lra]) rounds s Hx HR) as H.
    rewrite objective_of, drawn_objective in H. eapply Rle_trans; [exact H|]. apply Rplus_le_compat_l. right. field. lra.
  Qed.

  (** averages of shared points are shared *)
  Lemma fedavg_averaged_shared rounds x : u <= 1 -> agree (away x xs) -> (1 <= rounds)%nat -> Forall (fun pv => agree (away (snd pv) xs)) (fedavg_averaged rounds x).
  Proof.
    intros U1 Hx HR. destruct step_facts as (Hh & Hm & _).
    exact (averaged_shared agents_point padd pscal form (pip_add M d p) (pip_scal M d p) server (average_adjoint M d a p) (nat -> nat) P drawn_loss xs mu
      agents_point fedavg_round (fun y => y) h keeps ltac:(lra) rounds x Hx HR).
  Qed.
  Lemma scaffold_averaged_shared rounds s : u <= 1 -> agree (away (fst s) xs) -> (1 <= rounds)%nat -> Forall (fun pv => agree (away (snd pv) xs)) (scaffold_averaged rounds s).
  Proof.
    intros U1 Hx HR. destruct step_facts as (Hh & Hm & _).
    exact (averaged_shared agents_point padd pscal form (pip_add M d p) (pip_scal M d p) server (average_adjoint M d a p) (nat -> nat) P drawn_loss xs mu
      (agents_point * agents_point)%type scaffold_step fst h keep ltac:(lra) rounds s Hx HR).
  Qed.

  (** ** Full local gradients *)
  Section FullGradients.
    Hypothesis full : forall m j x i, grad m j x i = grad m O x i.
    Lemma full_gradient y xi z : form (drawn_gradient y xi) z = form (mean_gradient y) z.
    Proof.
      unfold pip. apply sum_ext. intros m _. f_equal. apply sum_ext. intros i _. f_equal. unfold drawn_gradient, mean_gradient. rewrite full.
      symmetry. apply Expect_const_out; [apply sample_distribution|]. intro j. apply full.
    Qed.
    Notation c2' := (gradients_drift (INR k) eta_g beta zeta2).
    Lemma gradient_steps x : u + u ^ 2 <= 1 -> agree (away x xs) -> Expect (fedavg_round x) (fun y => norm2 (away y xs)) <=
      norm2 (away x xs) + 2 / 3 * (norm2 (away x xs) - norm2 (away x xs)) - 2 * h * (LocalRuns.F agents_point (nat -> nat) P drawn_loss x - LocalRuns.F agents_point (nat -> nat) P drawn_loss xs)
        + h ^ 2 * (c2' * h).
    Proof.
      intros Hu Hx.
      pose proof (gradients_turn agents_point padd pscal form (pip_add M d p) (pip_scal M d p) (pip_sym M d p) (pip_pos M d p Hp0) server (average_adjoint M d a p) (average_twice M d a p Hp1)
        (nat -> nat) P drawn_loss drawn_gradient mean_gradient xs beta (draws_distribution M) Hbeta unbiased drawn_convex drawn_smooth optimal
        eta eta_g k Heta Hg Hk x full_gradient Hu Hx) as H.
      unfold fedavg_round. eapply Rle_trans; [exact H|]. unfold gradients_error, gradients_drift. right. unfold Rdiv. ring.
    Qed.
    (** FedAvg and LSGD-PFL with full local gradients, the last agents_point *)
    Theorem gradients_last rounds x : u + u ^ 2 <= 1 -> agree (away x xs) ->
      Expect (fedavg_run rounds x) (fun y => norm2 (away y xs)) <= (1 - mu * h) ^ rounds * norm2 (away x xs) + c2' * h ^ 2 / mu.
    Proof.
      intros Hu Hx. destruct step_facts as (Hh & Hm & Hn). assert (U1 : u <= 1) by nra.
      pose proof (last agents_point fedavg_round (fun y => y) (fun y => norm2 (away y xs)) (h ^ 2 * (c2' * h)) h Hh same_law keeps (fun x => gradient_steps x Hu)
        (1 - mu * h) ltac:(lra) ltac:(lra) ltac:(intro; lra) rounds x Hx) as H.
      eapply Rle_trans; [exact H|]. apply Rplus_le_compat_l.
      assert (C : 0 <= c2' * h) by (apply Rmult_le_pos; [apply (drift_nonneg (2 / 3)); lra|lra]).
      eapply Rle_trans; [apply (error_of _ (c2' * h) rounds ltac:(lra) eq_refl C)|]. right. field. lra.
    Qed.
    (** the average point *)
    Theorem gradients_average rounds x : u + u ^ 2 <= 1 -> agree (away x xs) -> (1 <= rounds)%nat ->
      Expect (fedavg_averaged rounds x) objective - objective xs <= mu / 2 * norm2 (away x xs) * (q ^ rounds / (1 - q ^ rounds)) + c2' * h ^ 2.
    Proof.
      intros Hu Hx HR. destruct step_facts as (Hh & Hm & Hn). assert (U1 : u <= 1) by nra.
      pose proof (mean_point agents_point fedavg_round (fun y => y) (fun y => norm2 (away y xs)) (h ^ 2 * (c2' * h)) h Hh same_law keeps ltac:(intro; lra) (fun x => gradient_steps x Hu)
        ltac:(lra) ltac:(intro; lra) rounds x Hx HR) as H.
      rewrite objective_of, drawn_objective in H. eapply Rle_trans; [exact H|]. apply Rplus_le_compat_l. right. field. lra.
    Qed.
    Lemma scaffold_gradient_steps s : u + 2 * u ^ 2 <= 1 -> agree (away (fst s) xs) -> Expect (scaffold_step s) (variates (exact_variate_weight h beta eta_g)) <=
      norm2 (away (fst s) xs) + 2 / 3 * (variates (exact_variate_weight h beta eta_g) s - norm2 (away (fst s) xs))
        - 2 * h * (LocalRuns.F agents_point (nat -> nat) P drawn_loss (fst s) - LocalRuns.F agents_point (nat -> nat) P drawn_loss xs) + 0.
    Proof.
      intros Hu Hx.
      exact (scaffold_gradients_turn agents_point padd pscal form (pip_add M d p) (pip_scal M d p) (pip_sym M d p) (pip_pos M d p Hp0) server (average_adjoint M d a p) (average_twice M d a p Hp1)
        (nat -> nat) P drawn_loss drawn_gradient mean_gradient xs beta (draws_distribution M) Hbeta unbiased drawn_convex drawn_smooth optimal
        eta eta_g k Heta Hg Hk s full_gradient Hu Hx).
    Qed.
    (** SCAFFOLD with full local gradients, the last agents_point and variates *)
    Theorem scaffold_gradients_last rounds s : u + 2 * u ^ 2 <= 1 -> agree (away (fst s) xs) ->
      Expect (scaffold_run rounds s) (variates (exact_variate_weight h beta eta_g)) <= Rmax (1 - mu * h) (2 / 3) ^ rounds * variates (exact_variate_weight h beta eta_g) s.
    Proof.
      intros Hu Hx. destruct step_facts as (Hh & _ & _). destruct weights_nonneg as [_ W]. pose proof (Rmax_l (1 - mu * h) (2 / 3)) as R1. pose proof (Rmax_r (1 - mu * h) (2 / 3)) as R2.
      pose proof (last (agents_point * agents_point)%type scaffold_step fst (variates (exact_variate_weight h beta eta_g)) 0 h Hh same_laws keep
        (fun t => scaffold_gradient_steps t Hu) (Rmax (1 - mu * h) (2 / 3)) R1 ltac:(lra) ltac:(intro t; apply Rmult_le_compat_r; [apply variates_above; exact W|exact R2]) rounds s Hx) as H.
      rewrite Rmult_0_l, Rplus_0_r in H. exact H.
    Qed.
    (** the average point *)
    Theorem scaffold_gradients_average rounds s : u + 2 * u ^ 2 <= 1 -> agree (away (fst s) xs) -> (1 <= rounds)%nat ->
      Expect (scaffold_averaged rounds s) objective - objective xs <= mu / 2 * variates (exact_variate_weight h beta eta_g) s * (q ^ rounds / (1 - q ^ rounds)).
    Proof.
      intros Hu Hx HR. destruct step_facts as (Hh & Hm & Hn). destruct weights_nonneg as [_ W]. assert (U1 : u <= 1 / 2) by nra.
      pose proof (mean_point (agents_point * agents_point)%type scaffold_step fst (variates (exact_variate_weight h beta eta_g)) 0 h Hh same_laws keep
        ltac:(intro t; pose proof (variates_above _ t W); lra) (fun t => scaffold_gradient_steps t Hu) ltac:(lra)
        ltac:(intro t; apply Rmult_le_compat_r; [apply variates_above; exact W|lra]) rounds s Hx HR) as H.
      rewrite objective_of, drawn_objective in H. replace (0 / h) with 0 in H by (field; lra). rewrite Rplus_0_r in H. exact H.
    Qed.
    (** SCAFFOLD's option I with full local gradients: the variates are the gradients at the last server's point *)
    Definition scaffold_first_step : agents_point * agents_point -> list (R * (agents_point * agents_point)) :=
      sround_first agents_point padd pscal form server (nat -> nat) P drawn_gradient mean_gradient xs eta eta_g k.
    (** option I, the last point and variates *)
    Theorem scaffold_first_last rounds s : u + u ^ 2 <= 1 -> agree (away (fst s) xs) ->
      Expect (turns (agents_point * agents_point) scaffold_first_step rounds s) (variates (exact_variate_weight h beta eta_g)) <=
        Rmax (1 - mu * (h * (1 - u ^ 2))) (2 / 3) ^ rounds * variates (exact_variate_weight h beta eta_g) s.
    Proof.
      intros Hu Hx. destruct step_facts as (Hh & Hm & _). destruct weights_nonneg as [_ W].
      pose proof (Rmax_l (1 - mu * (h * (1 - u ^ 2))) (2 / 3)) as R1. pose proof (Rmax_r (1 - mu * (h * (1 - u ^ 2))) (2 / 3)) as R2.
      assert (T : 0 < h * (1 - u ^ 2)) by (apply Rmult_lt_0_compat; lra).
      pose proof (last (agents_point * agents_point)%type scaffold_first_step fst (variates (exact_variate_weight h beta eta_g)) 0 (h * (1 - u ^ 2)) T
        (sround_first_distribution agents_point padd pscal form server (nat -> nat) P drawn_gradient mean_gradient xs (draws_distribution M) eta eta_g k)
        (sround_first_shared agents_point padd pscal form (pip_add M d p) (pip_scal M d p) (pip_sym M d p) server (average_adjoint M d a p) (average_twice M d a p Hp1)
          (nat -> nat) P drawn_gradient mean_gradient xs eta eta_g k)
        (fun t => scaffold_first_turn agents_point padd pscal form (pip_add M d p) (pip_scal M d p) (pip_sym M d p) (pip_pos M d p Hp0) server (average_adjoint M d a p) (average_twice M d a p Hp1)
          (nat -> nat) P drawn_loss drawn_gradient mean_gradient xs beta mu (draws_distribution M) Hbeta Hmu unbiased drawn_convex drawn_smooth drawn_growth optimal
          eta eta_g k Heta Hg Hk t full_gradient Hu)
        (Rmax (1 - mu * (h * (1 - u ^ 2))) (2 / 3)) R1 ltac:(lra) ltac:(intro t; apply Rmult_le_compat_r; [apply variates_above; exact W|exact R2]) rounds s Hx) as H.
      rewrite Rmult_0_l, Rplus_0_r in H. exact H.
    Qed.
  End FullGradients.
End Convergence.
