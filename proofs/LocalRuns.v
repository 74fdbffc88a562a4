(** * Whole runs of FedAvg, LSGD-PFL and SCAFFOLD on convex smooth losses

    Every sample's loss is convex and beta-smooth, only the average has growth mu around its minimiser xs over the shared
    points; noise and dissimilarity are measured at xs.  A run is any sequence of rounds with
    E psi+ <= d + (2/3)(psi - d) - 2 t gap + error, d = norm(x - xs)^2 <= psi; then
    [last_point]      E psi_R <= rho^R psi_0 + error sum_(i<R) rho^i
    [average_point]   E gap of the average of x_0, ..., x_(R-1), weights q^(R-1-r), q = 1 - mu t/2:
                      at most (mu/2) psi_0 q^R/(1 - q^R) + error/t
    and LocalSteps.v gives such rounds: [fedavg_turn], [gradients_turn], [scaffold_turn], [scaffold_gradients_turn] with
    t = h, and [scaffold_first_turn] (SCAFFOLD's option I) with t = h (1 - (h beta)^2).                                     *)
From Coq Require Import Reals Lra Lia Psatz List.
From FedIGW Require Import FiniteSums FiniteProbability Exchangeability LocalSteps.
Open Scope R_scope.

Section Runs.
  Variables (V : Type) (add : V -> V -> V) (scal : R -> V -> V) (ip : V -> V -> R).
  Hypothesis ip_add : forall x y z, ip (add x y) z = ip x z + ip y z.
  Hypothesis ip_scal : forall c x z, ip (scal c x) z = c * ip x z.
  Hypothesis ip_sym : forall x y, ip x y = ip y x.
  Hypothesis ip_pos : forall x, 0 <= ip x x.
  Variable proj : V -> V.
  Hypothesis proj_adjoint : forall x y, ip (proj x) y = ip x (proj y).
  Hypothesis proj_twice : forall x y, ip (proj (proj x)) y = ip (proj x) y.
  Notation sub := (sub V add scal).
  Notation sq := (sq V ip).
  Notation shared := (shared V ip proj).
  Lemma sub_l x y z : ip (sub x y) z = ip x z - ip y z.
  Proof. apply (ip_sub V add scal ip ip_add ip_scal). Qed.
  Lemma sub_r x y z : ip z (sub x y) = ip z x - ip z y.
  Proof. apply (ip_sub_r V add scal ip ip_add ip_scal ip_sym). Qed.
  Lemma add_r x y z : ip z (add x y) = ip z x + ip z y.
  Proof. apply (ip_add_r V add ip ip_add ip_sym). Qed.
  Lemma scal_r c x z : ip z (scal c x) = c * ip z x.
  Proof. apply (ip_scal_r V scal ip ip_scal ip_sym). Qed.
  Ltac expand := unfold LocalSteps.sq; repeat rewrite ?sub_l, ?sub_r, ?ip_add, ?add_r, ?ip_scal, ?scal_r.

  Variables (Xi : Type) (P : list (R * Xi)) (loss : V -> Xi -> R) (g : V -> Xi -> V) (G : V -> V) (xs : V).
  Variables (beta mu sigma2 tau2 : R).
  Hypothesis HP : distribution P.
  Hypothesis Hbeta : 0 < beta.
  Hypothesis Hmu : 0 < mu <= beta.
  Hypothesis unbiased : forall y z, Expect P (fun xi => ip (g y xi) z) = ip (G y) z.
  Hypothesis convex : forall xi x y, loss x xi + ip (g x xi) (sub y x) <= loss y xi.
  Hypothesis smooth : forall xi x y, loss y xi <= loss x xi + ip (g x xi) (sub y x) + beta / 2 * sq (sub y x).
  Definition F (y : V) : R := Expect P (loss y).
  (** strong convexity is asked of the average only, as growth around the minimiser over the shared points *)
  Hypothesis growth : forall x, shared (sub x xs) -> mu / 2 * sq (sub x xs) <= F x - F xs.
  Hypothesis optimal : forall y, ip (proj (G xs)) y = 0.
  Hypothesis noise_all : Expect P (fun xi => sq (sample_noise V add scal Xi G g xs xi)) <= sigma2.
  Hypothesis noise_shared : Expect P (fun xi => sq (proj (sample_noise V add scal Xi G g xs xi))) <= tau2.

  Lemma F_smooth x y : F y <= F x + ip (G x) (sub y x) + beta / 2 * sq (sub y x).
  Proof.
    unfold F. eapply Rle_trans; [apply (Expect_le P _ (fun xi => loss x xi + (ip (g x xi) (sub y x) + beta / 2 * sq (sub y x)))); [apply HP|]|].
    - intro xi. pose proof (smooth xi x y). lra.
    - rewrite !(Expect_plus P), unbiased, (Expect_const P _ HP). apply Req_le. change (Expect P (fun w => loss x w)) with (Expect P (loss x)). ring.
  Qed.
  (** convex and smooth: l(xs) >= l(y) + <g(y), xs - y> + norm(g(y) - g(xs))^2/(2 beta) *)
  Lemma cocoercive xi y : loss y xi + ip (g y xi) (sub xs y) + / (2 * beta) * sq (sub (g y xi) (g xs xi)) <= loss xs xi.
  Proof.
    set (gy := g y xi). set (gs := g xs xi). set (D := sub gs gy). set (z := add xs (scal (- / beta) D)).
    pose proof (convex xi y z) as H1. pose proof (smooth xi xs z) as H2. fold gy in H1. fold gs in H2.
    assert (E1 : ip gy (sub z y) = ip gy (sub xs y) - / beta * ip gy D) by (unfold z; expand; ring).
    assert (E2 : ip gs (sub z xs) = - (/ beta * ip gs D)) by (unfold z; expand; ring).
    assert (E3 : sq (sub z xs) = / beta * / beta * sq D) by (unfold z; expand; rewrite (ip_sym xs D); ring).
    assert (E4 : / beta * sq D = / beta * ip gs D - / beta * ip gy D) by (unfold LocalSteps.sq; unfold D at 1; rewrite sub_l; ring).
    assert (E5 : sq (sub gy gs) = sq D) by (unfold D; expand; rewrite (ip_sym gs gy); ring).
    assert (E6 : beta / 2 * (/ beta * / beta * sq D) = / beta * sq D / 2) by (field; lra).
    assert (E7 : / (2 * beta) * sq D = / beta * sq D / 2) by (field; lra).
    rewrite E1 in H1. rewrite E2, E3, E6 in H2. rewrite E5, E7. lra.
  Qed.
  Lemma F_convex_at_xs y : F y + ip (G y) (sub xs y) + / (2 * beta) * Expect P (fun xi => sq (sub (g y xi) (g xs xi))) <= F xs.
  Proof.
    unfold F. rewrite <- unbiased, <- (Expect_scal P), <- !(Expect_plus P). apply Expect_le; [apply HP|]. intro xi. apply cocoercive.
  Qed.

  Lemma F_convex x y : F x + ip (G x) (sub y x) <= F y.
  Proof.
    unfold F. rewrite <- unbiased. change (Expect P (loss x)) with (Expect P (fun xi => loss x xi)). rewrite <- (Expect_plus P).
    apply Expect_le; [apply HP|]. intro xi. apply convex.
  Qed.

  (** ** Any rounds that lower psi *)
  Section Turns.
    Variables (State : Type) (turn : State -> list (R * State)) (point : State -> V) (psi : State -> R) (error : R).
    Variable t : R.
    Hypothesis Ht : 0 < t.
    Notation d s := (sq (sub (point s) xs)).
    Hypothesis turn_law : forall s, distribution (turn s).
    Hypothesis stays : forall s, shared (sub (point s) xs) -> Forall (fun pt => shared (sub (point (snd pt)) xs)) (turn s).
    Hypothesis above : forall s, d s <= psi s.
    Hypothesis one_turn : forall s, shared (sub (point s) xs) ->
      Expect (turn s) psi <= d s + 2 / 3 * (psi s - d s) - 2 * t * (F (point s) - F xs) + error.
    (** the state after some rounds *)
    Fixpoint turns (rounds : nat) (s : State) : list (R * State) := match rounds with O => dirac s | S r => bind (turn s) (turns r) end.
    Theorem last_point rho : 1 - mu * t <= rho -> 0 <= rho -> (forall s, 2 / 3 * (psi s - d s) <= rho * (psi s - d s)) ->
      forall rounds s, shared (sub (point s) xs) -> Expect (turns rounds s) psi <= rho ^ rounds * psi s + error * sum rounds (fun i => rho ^ i).
    Proof.
      intros Hr Hr0 H23. induction rounds as [|r IH]; intros s Hs; [simpl; lra|]. simpl turns. rewrite Expect_bind.
      eapply Rle_trans; [apply (Expect_le_on_support (turn s) _ (fun s' => rho ^ r * psi s' + error * sum r (fun i => rho ^ i))); [apply turn_law|]|].
      - eapply Forall_impl; [|apply (stays s Hs)]. intros [q s'] Hs'. apply IH. exact Hs'.
      - rewrite Expect_plus, Expect_scal, (Expect_const (turn s) _ (turn_law s)).
        pose proof (one_turn s Hs) as H. pose proof (growth (point s) Hs) as Gr. pose proof (H23 s) as H2. pose proof (ip_pos (sub (point s) xs)) as D0.
        assert (D1 : (1 - mu * t) * d s <= rho * d s) by (apply Rmult_le_compat_r; [exact D0|exact Hr]).
        assert (D2 : t * (mu / 2 * d s) <= t * (F (point s) - F xs)) by (apply Rmult_le_compat_l; lra).
        assert (B : Expect (turn s) psi <= rho * psi s + error) by lra.
        assert (Q : 0 <= rho ^ r) by (apply pow_le; exact Hr0).
        apply (Rmult_le_compat_l _ _ _ Q) in B. simpl. lra.
    Qed.

    (** q = 1 - mu t/2; sum_(r<R) q^(R-1-r) t E gap_r + E psi_R *)
    Notation q := (1 - mu * t / 2).
    Fixpoint weighted_gaps (rounds : nat) (s : State) : R := match rounds with
      | O => psi s
      | S r => q ^ r * (t * (F (point s) - F xs)) + Expect (turn s) (weighted_gaps r) end.
    Hypothesis Hq : 0 <= q.
    Hypothesis slow : forall s, 2 / 3 * (psi s - d s) <= q * (psi s - d s).
    Theorem all_points rounds : forall s, shared (sub (point s) xs) ->
      weighted_gaps rounds s <= q ^ rounds * psi s + error * sum rounds (fun i => q ^ i).
    Proof.
      induction rounds as [|r IH]; intros s Hs; [simpl; lra|]. simpl weighted_gaps.
      assert (A : Expect (turn s) (weighted_gaps r) <= Expect (turn s) (fun s' => q ^ r * psi s' + error * sum r (fun i => q ^ i))).
      { apply Expect_le_on_support; [apply turn_law|]. eapply Forall_impl; [|apply (stays s Hs)]. intros [w s'] Hs'. apply IH. exact Hs'. }
      rewrite Expect_plus, Expect_scal, (Expect_const (turn s) _ (turn_law s)) in A.
      pose proof (one_turn s Hs) as H. pose proof (growth (point s) Hs) as Gr. pose proof (slow s) as H2.
      assert (D2 : t * (mu / 2 * d s) <= t * (F (point s) - F xs)) by (apply Rmult_le_compat_l; lra).
      assert (B : t * (F (point s) - F xs) + Expect (turn s) psi <= q * psi s + error) by lra.
      assert (Q : 0 <= q ^ r) by (apply pow_le; exact Hq).
      apply (Rmult_le_compat_l _ _ _ Q) in B. simpl. lra.
    Qed.

    (** the sums of q^(R-1-r) x_r and of q^(R-1-r) F(x_r) in a run *)
    Fixpoint sums (rounds : nat) (s : State) (so_far : V * R) : list (R * (V * R)) := match rounds with
      | O => dirac so_far
      | S r => bind (turn s) (fun s' => sums r s' (add (fst so_far) (scal (q ^ r) (point s)), snd so_far + q ^ r * F (point s))) end.
    Definition weights (rounds : nat) : R := sum rounds (fun i => q ^ i).
    (** the average iterate, x-bar *)
    Definition averaged_points (rounds : nat) (s : State) : list (R * V) :=
      bind (sums rounds s (scal 0 xs, 0)) (fun w => dirac (scal (/ weights rounds) (fst w))).
    Lemma sums_distribution rounds : forall s w, distribution (sums rounds s w).
    Proof. induction rounds as [|r IH]; intros s w; simpl; [apply distribution_dirac|]. apply distribution_bind; [apply turn_law|intro; apply IH]. Qed.
    (** Jensen, along each run *)
    Lemma sums_convex rounds : forall s w total, (forall z, total * F z + ip (G z) (sub (fst w) (scal total z)) <= snd w) ->
      Forall (fun pv => forall z, (total + weights rounds) * F z + ip (G z) (sub (fst (snd pv)) (scal (total + weights rounds) z)) <= snd (snd pv)) (sums rounds s w).
    Proof.
      unfold weights. induction rounds as [|r IH]; intros s w total Hw.
      - constructor; [|constructor]. intro z. simpl. rewrite Rplus_0_r. apply Hw.
      - simpl sums. apply (Forall_bind (fun v : V * R => forall z, (total + sum (S r) (fun i => q ^ i)) * F z + ip (G z) (sub (fst v) (scal (total + sum (S r) (fun i => q ^ i)) z)) <= snd v)).
        apply Forall_forall. intros [p s'] _.
        assert (Hw' : forall z, (total + q ^ r) * F z + ip (G z) (sub (add (fst w) (scal (q ^ r) (point s))) (scal (total + q ^ r) z)) <= snd w + q ^ r * F (point s)).
        { intro z. pose proof (Hw z) as Hz. pose proof (F_convex z (point s)) as Hc. assert (Q : 0 <= q ^ r) by (apply pow_le; exact Hq).
          apply (Rmult_le_compat_l _ _ _ Q) in Hc. revert Hz Hc. rewrite !sub_r, !add_r, !scal_r. intros. lra. }
        pose proof (IH s' (add (fst w) (scal (q ^ r) (point s)), snd w + q ^ r * F (point s)) (total + q ^ r) Hw') as H. simpl in *.
        eapply Forall_impl; [|exact H]. intros [p' v] Hv z. specialize (Hv z). simpl in *.
        replace (total + (sum r (fun i => q ^ i) + q ^ r)) with (total + q ^ r + sum r (fun i => q ^ i)) by ring. exact Hv.
    Qed.
    Lemma sums_value rounds : forall s w, Expect (sums rounds s w) snd <= snd w + weights rounds * F xs + weighted_gaps rounds s / t.
    Proof.
      unfold weights. induction rounds as [|r IH]; intros s w.
      - simpl. assert (0 <= psi s / t) by (apply Rmult_le_pos; [eapply Rle_trans; [apply ip_pos|apply above]|left; apply Rinv_0_lt_compat; lra]). lra.
      - simpl sums. rewrite Expect_bind.
        eapply Rle_trans; [apply (Expect_le (turn s) _ (fun s' => (snd w + q ^ r * F (point s) + sum r (fun i => q ^ i) * F xs) + / t * weighted_gaps r s')); [apply turn_law|]|].
        + intro s'. pose proof (IH s' (add (fst w) (scal (q ^ r) (point s)), snd w + q ^ r * F (point s))) as H. simpl in H. unfold Rdiv in H. lra.
        + rewrite (Expect_plus (turn s)), (Expect_scal (turn s)), (Expect_const (turn s) _ (turn_law s)). simpl. right. field. lra.
    Qed.
    Lemma weights_pos rounds : (1 <= rounds)%nat -> 0 < weights rounds.
    Proof.
      intro H. unfold weights. destruct rounds as [|r]; [lia|]. clear H. induction r as [|r IH]; [simpl; lra|].
      change (sum (S (S r)) (fun i => q ^ i)) with (sum (S r) (fun i => q ^ i) + q ^ S r). pose proof (pow_le _ (S r) Hq). lra.
    Qed.
    (** the average is shared where all points of the run are *)
    Lemma sums_shared rounds : forall s w total, shared (sub (point s) xs) -> (forall y, ip (fst w) (proj y) - total * ip xs (proj y) = ip (fst w) y - total * ip xs y) ->
      Forall (fun pv => forall y, ip (fst (snd pv)) (proj y) - (total + weights rounds) * ip xs (proj y) = ip (fst (snd pv)) y - (total + weights rounds) * ip xs y) (sums rounds s w).
    Proof.
      unfold weights. induction rounds as [|r IH]; intros s w total Hs Hw.
      - constructor; [|constructor]. intro y. simpl. rewrite Rplus_0_r. apply Hw.
      - simpl sums. apply (Forall_bind (fun v : V * R => forall y, ip (fst v) (proj y) - (total + sum (S r) (fun i => q ^ i)) * ip xs (proj y) = ip (fst v) y - (total + sum (S r) (fun i => q ^ i)) * ip xs y)).
        eapply Forall_impl; [|apply (stays s Hs)]. intros [p s'] Hs'.
        assert (Hw' : forall y, ip (add (fst w) (scal (q ^ r) (point s))) (proj y) - (total + q ^ r) * ip xs (proj y) = ip (add (fst w) (scal (q ^ r) (point s))) y - (total + q ^ r) * ip xs y).
        { intro y. pose proof (Hw y) as H1. pose proof (Hs y) as H2. rewrite proj_adjoint, !sub_l in H2. rewrite !ip_add, !ip_scal.
          apply (Rmult_eq_compat_l (q ^ r)) in H2. lra. }
        pose proof (IH s' (add (fst w) (scal (q ^ r) (point s)), snd w + q ^ r * F (point s)) (total + q ^ r) Hs' Hw') as H. cbn [snd].
        eapply Forall_impl; [|exact H]. intros [p' v] Hv y. specialize (Hv y). simpl in *.
        replace (total + (sum r (fun i => q ^ i) + q ^ r)) with (total + q ^ r + sum r (fun i => q ^ i)) by ring. exact Hv.
    Qed.
    Lemma averaged_shared rounds s : shared (sub (point s) xs) -> (1 <= rounds)%nat -> Forall (fun pv => shared (sub (snd pv) xs)) (averaged_points rounds s).
    Proof.
      intros Hs HR. unfold averaged_points. apply (Forall_bind (fun x => shared (sub x xs))). pose proof (weights_pos rounds HR) as HW.
      eapply Forall_impl; [|apply (sums_shared rounds s (scal 0 xs, 0) 0 Hs)].
      - intros [p w] Hw. constructor; [|constructor]. cbn [snd] in *. intro y. rewrite proj_adjoint, !sub_l, !ip_scal. specialize (Hw y). rewrite Rplus_0_l in Hw.
        apply (Rmult_eq_reg_l (weights rounds)); [|lra]. rewrite !Rmult_minus_distr_l, <- !Rmult_assoc, Rinv_r, !Rmult_1_l by lra. exact Hw.
      - intro y. cbn [fst]. rewrite !ip_scal. ring.
    Qed.
    Theorem average_point rounds s : shared (sub (point s) xs) -> (1 <= rounds)%nat ->
      Expect (averaged_points rounds s) F - F xs <= mu / 2 * psi s * (q ^ rounds / (1 - q ^ rounds)) + error / t.
    Proof.
      intros Hs HR. assert (Hm : 0 < mu * t) by (apply Rmult_lt_0_compat; lra). pose proof (weights_pos rounds HR) as HW.
      assert (A : Expect (averaged_points rounds s) F <= / weights rounds * Expect (sums rounds s (scal 0 xs, 0)) snd).
      { unfold averaged_points. rewrite Expect_bind, <- Expect_scal.
        rewrite (Expect_ext _ _ (fun w => F (scal (/ weights rounds) (fst w)))) by (intro; apply Expect_dirac).
        apply Expect_le_on_support; [apply sums_distribution|].
        assert (H0 : forall z, 0 * F z + ip (G z) (sub (fst (scal 0 xs, 0)) (scal 0 z)) <= snd (scal 0 xs, 0)).
        { intro z. simpl. rewrite sub_r, !scal_r. lra. }
        eapply Forall_impl; [|apply (sums_convex rounds s (scal 0 xs, 0) 0 H0)]. intros [p w] Hw. specialize (Hw (scal (/ weights rounds) (fst w))).
        simpl in *. revert Hw. rewrite sub_r, !scal_r, Rplus_0_l. intro Hw. apply (Rmult_le_reg_l (weights rounds)); [exact HW|].
        rewrite <- (Rmult_assoc _ (/ _)), Rinv_r, Rmult_1_l by lra.
        replace (weights rounds * (/ weights rounds * ip (G (scal (/ weights rounds) (fst w))) (fst w))) with (ip (G (scal (/ weights rounds) (fst w))) (fst w)) in Hw by (field; lra). lra. }
      pose proof (sums_value rounds s (scal 0 xs, 0)) as B. simpl in B. pose proof (all_points rounds s Hs) as C. fold (weights rounds) in C.
      assert (geometric : weights rounds * (mu * t / 2) = 1 - q ^ rounds).
      { unfold weights. clear. induction rounds as [|r IH]; [simpl; ring|]. change (sum (S r) (fun i => q ^ i)) with (sum r (fun i => q ^ i) + q ^ r).
        rewrite Rmult_plus_distr_r, IH. simpl. field. }
      assert (Q1 : 0 < 1 - q ^ rounds) by (rewrite <- geometric; apply Rmult_lt_0_compat; lra).
      assert (D : Expect (averaged_points rounds s) F - F xs <= / weights rounds * (weighted_gaps rounds s / t)).
      { apply (Rmult_le_compat_l (/ weights rounds)) in B; [|left; apply Rinv_0_lt_compat; exact HW].
        replace (/ weights rounds * (0 + weights rounds * F xs + weighted_gaps rounds s / t)) with (F xs + / weights rounds * (weighted_gaps rounds s / t)) in B by (field; lra). lra. }
      eapply Rle_trans; [exact D|].
      apply (Rle_trans _ (/ weights rounds * ((q ^ rounds * psi s + error * weights rounds) / t))).
      - apply Rmult_le_compat_l; [left; apply Rinv_0_lt_compat; exact HW|]. apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; exact Ht|exact C].
      - right. replace (weights rounds) with ((1 - q ^ rounds) / (mu * t / 2)) by (rewrite <- geometric; field; lra). field. repeat split; lra.
    Qed.
  End Turns.
  (** sum_(i<R) rho^i <= 1/(1 - rho) *)
  Lemma geometric_sum rho rounds : 0 <= rho < 1 -> sum rounds (fun i => rho ^ i) <= / (1 - rho).
  Proof.
    intros [H0 H1]. assert (E : sum rounds (fun i => rho ^ i) * (1 - rho) = 1 - rho ^ rounds).
    { induction rounds as [|r IH]; [simpl; ring|]. change (sum (S r) (fun i => rho ^ i)) with (sum r (fun i => rho ^ i) + rho ^ r).
      rewrite Rmult_plus_distr_r, IH. simpl. ring. }
    apply (Rmult_le_reg_r (1 - rho)); [lra|]. rewrite Rinv_l, E by lra. pose proof (pow_le rho rounds H0). lra.
  Qed.

  Variables (eta eta_g : R) (k : nat).
  Hypothesis Heta : 0 < eta.
  Hypothesis Hg : 1 <= eta_g.
  Hypothesis Hk : (1 <= k)%nat.
  (** h = K eta eta_g, the step of a whole round *)
  Definition whole_step : R := INR k * eta * eta_g.
  Notation h := whole_step.
  Lemma h_pos : 0 < h.
  Proof. assert (1 <= INR k) by (replace 1 with (INR 1) by reflexivity; apply le_INR, Hk). unfold whole_step. repeat apply Rmult_lt_0_compat; lra. Qed.
  Lemma mu_h : 0 < mu * h <= h * beta.
  Proof. pose proof h_pos. nra. Qed.

  Lemma next_shared x st : shared (sub x xs) -> shared (sub (next V add scal proj eta_g x st) xs).
  Proof.
    intros Hs y. rewrite proj_adjoint. unfold next. set (v := LocalSteps.sub V add scal (at_y V st) x).
    specialize (Hs y). rewrite proj_adjoint in Hs. revert Hs. rewrite !sub_l, !ip_add, !ip_scal.
    rewrite (proj_adjoint v (proj y)), (ip_sym v (proj (proj y))), proj_twice, (ip_sym (proj y) v), <- (proj_adjoint v y). intros. lra.
  Qed.

  (** ** FedAvg and LSGD-PFL *)
  Definition nothing : V := scal 0 xs.
  Lemma nothing_private y : ip (proj nothing) y = 0.
  Proof. rewrite proj_adjoint. unfold nothing. rewrite ip_scal. ring. Qed.
  Definition round (x : V) : list (R * V) := bind (law V add scal ip Xi P G g xs eta nothing x k) (fun st => dirac (next V add scal proj eta_g x st)).
  (** c1 h^2 + c2 h^3:  c1 = (2 tau2 + (3/2)(1 - 1/K) h beta sigma2 / eta_g^2) / K,  c2 = (1 - 1/K) beta norm(G xs)^2 / eta_g^2 *)
  Definition fedavg_error : R := h ^ 2 * ((2 * tau2 + 3 / 2 * (1 - / INR k) * (h * beta) * sigma2 / eta_g ^ 2) / INR k) + h ^ 3 * ((1 - / INR k) * beta * sq (G xs) / eta_g ^ 2).
  (** full local gradients:  c2 h^3,  c2 = (2/3)(1 - 1/K) beta norm(G xs)^2 / eta_g^2 *)
  Definition gradients_error : R := h ^ 3 * (2 / 3 * (1 - / INR k) * beta * sq (G xs) / eta_g ^ 2).
  Lemma round_distribution x : distribution (round x).
  Proof. apply distribution_bind; [apply (law_distribution V add scal ip Xi P G g xs HP)|intro; apply distribution_dirac]. Qed.
  Lemma round_shared x : shared (sub x xs) -> Forall (fun py => shared (sub (snd py) xs)) (round x).
  Proof.
    intro Hs. unfold round. apply (Forall_bind (fun y => shared (sub y xs))). apply Forall_forall. intros [q st] _. constructor; [|constructor]. simpl. apply next_shared. exact Hs.
  Qed.
  Lemma round_expect x : Expect (round x) (fun y => sq (sub y xs)) =
    Expect (law V add scal ip Xi P G g xs eta nothing x k) (fun st => sq (sub (next V add scal proj eta_g x st) xs)).
  Proof. unfold round. rewrite Expect_bind. apply Expect_ext. intro st. rewrite Expect_dirac. reflexivity. Qed.
  Lemma nothing_added : LocalSteps.sq V ip (add (G xs) nothing) = sq (G xs).
  Proof. unfold nothing. expand. ring. Qed.
  Lemma fedavg_turn x : 2 * (h * beta) + 3 / 2 * (h * beta) ^ 2 <= 1 -> shared (sub x xs) ->
    Expect (round x) (fun y => sq (sub y xs)) <= sq (sub x xs) + 2 / 3 * (sq (sub x xs) - sq (sub x xs)) - 2 * h * (F x - F xs) + fedavg_error.
  Proof.
    intros Hu Hs. rewrite round_expect.
    pose proof (local_steps_round V add scal ip ip_add ip_scal ip_sym ip_pos proj proj_adjoint proj_twice Xi P F G g xs beta sigma2 tau2 HP Hbeta unbiased
      F_smooth F_convex_at_xs optimal noise_all noise_shared eta eta_g nothing x Heta Hg nothing_private Hs k Hk Hu) as H.
    rewrite nothing_added in H. unfold fedavg_error, whole_step. lra.
  Qed.
  Lemma gradients_turn x : (forall y xi z, ip (g y xi) z = ip (G y) z) -> h * beta + (h * beta) ^ 2 <= 1 -> shared (sub x xs) ->
    Expect (round x) (fun y => sq (sub y xs)) <= sq (sub x xs) + 2 / 3 * (sq (sub x xs) - sq (sub x xs)) - 2 * h * (F x - F xs) + gradients_error.
  Proof.
    intros exact Hu Hs. rewrite round_expect.
    pose proof (gradient_steps_round V add scal ip ip_add ip_scal ip_sym ip_pos proj proj_adjoint proj_twice Xi P F G g xs beta HP Hbeta unbiased
      F_smooth F_convex_at_xs optimal eta eta_g nothing x Heta Hg nothing_private Hs k Hk exact Hu) as H.
    rewrite nothing_added in H. unfold gradients_error, whole_step. lra.
  Qed.

  (** ** SCAFFOLD, control variates of option II: c_m+ = c_m - c + (x - y_m)/(K eta) *)
  Definition correction (cv : V) : V := sub (proj cv) cv.
  Definition new_variate (x cv : V) (st : local_state V) : V := add (sub cv (proj cv)) (scal (/ (INR k * eta)) (sub x (at_y V st))).
  Definition sround (s : V * V) : list (R * (V * V)) :=
    bind (law V add scal ip Xi P G g xs eta (correction (snd s)) (fst s) k) (fun st => dirac (next V add scal proj eta_g (fst s) st, new_variate (fst s) (snd s) st)).
  (** a = (3/2) h^3 beta / eta_g^2 and c1 h^2, c1 = (2 tau2 + (9/2) h beta sigma2 / eta_g^2) / K *)
  Definition variates_weight : R := 3 / 2 * h ^ 3 * beta / eta_g ^ 2.
  Definition scaffold_error : R := h ^ 2 * ((2 * tau2 + 9 / 2 * (h * beta) * sigma2 / eta_g ^ 2) / INR k).
  (** full local gradients: a = h^3 beta / eta_g^2, no error *)
  Definition gradients_weight : R := h ^ 3 * beta / eta_g ^ 2.
  (** Psi = d + a norm(c - G xs)^2 *)
  Definition Psi (a : R) (s : V * V) : R := sq (sub (fst s) xs) + a * sq (sub (snd s) (G xs)).
  Lemma correction_private cv y : ip (proj (correction cv)) y = 0.
  Proof.
    unfold correction. rewrite proj_adjoint, sub_l, proj_adjoint, (ip_sym cv (proj (proj y))), proj_twice, (ip_sym (proj y)). ring.
  Qed.
  (** the corrected gradients at xs are no longer than the error of the variates *)
  Lemma corrected cv : sq (add (G xs) (correction cv)) <= sq (sub cv (G xs)).
  Proof.
    set (e := sub cv (G xs)).
    assert (Pe : forall y, ip (proj e) y = ip (proj cv) y) by (intro y; unfold e; rewrite (proj_sub V add scal ip ip_add ip_scal proj proj_adjoint), optimal; ring).
    assert (Q : sq (add (G xs) (correction cv)) = sq e - sq (proj e)).
    { assert (L : forall y, ip (add (G xs) (correction cv)) y = ip (proj e) y - ip e y).
      { intro y. rewrite Pe. unfold correction, e. rewrite ip_add, !sub_l. ring. }
      unfold LocalSteps.sq at 1. rewrite L, (ip_sym (proj e)), (ip_sym e), !L.
      pose proof (proj_sq V ip ip_sym proj proj_adjoint proj_twice e) as S1. unfold LocalSteps.sq in *. rewrite (ip_sym (proj e) e), <- S1. ring. }
    rewrite Q. pose proof (ip_pos (proj e)). unfold LocalSteps.sq at 2. lra.
  Qed.
  Lemma new_variate_error x cv st : shared (sub x xs) -> good V add scal ip G xs eta (correction cv) x k st ->
    sq (sub (new_variate x cv st) (G xs)) = variate_error V add ip k st.
  Proof.
    intros Hs (H1 & _). assert (Hn : 1 <= INR k) by (replace 1 with (INR 1) by reflexivity; apply le_INR, Hk).
    assert (L : forall z, ip (sub (new_variate x cv st) (G xs)) z = / INR k * ip (add (sum_a V st) (sum_b V st)) z).
    { intro z. unfold new_variate. rewrite sub_l, ip_add, sub_l, ip_scal, sub_l.
      pose proof (H1 z) as Hz. rewrite sub_l in Hz. unfold correction in Hz. rewrite !ip_add, sub_l in Hz. rewrite ip_add.
      replace (ip x z - ip (at_y V st) z) with (eta * (ip (sum_a V st) z + ip (sum_b V st) z + INR k * (ip (G xs) z + (ip (proj cv) z - ip cv z)))) by lra.
      field. lra. }
    unfold LocalSteps.sq, variate_error. rewrite L, ip_sym, L. unfold LocalSteps.sq. field. lra.
  Qed.
  Lemma weights_positive : 0 < variates_weight /\ 0 < gradients_weight.
  Proof.
    pose proof h_pos as Hh. assert (0 < / eta_g ^ 2) by (apply Rinv_0_lt_compat; nra). assert (0 < h ^ 3) by (apply pow_lt; exact Hh).
    assert (B : 0 < h ^ 3 * beta * / eta_g ^ 2) by (apply Rmult_lt_0_compat; [apply Rmult_lt_0_compat; lra|assumption]).
    unfold variates_weight, gradients_weight, Rdiv. split; lra.
  Qed.
  Lemma Psi_above a s : 0 < a -> sq (sub (fst s) xs) <= Psi a s.
  Proof. intro Ha. unfold Psi. assert (0 <= a * sq (sub (snd s) (G xs))) by (apply Rmult_le_pos; [lra|apply ip_pos]). lra. Qed.
  Lemma sround_distribution s : distribution (sround s).
  Proof. apply distribution_bind; [apply (law_distribution V add scal ip Xi P G g xs HP)|intro; apply distribution_dirac]. Qed.
  Lemma sround_shared s : shared (sub (fst s) xs) -> Forall (fun pt => shared (sub (fst (snd pt)) xs)) (sround s).
  Proof.
    intro Hs. unfold sround. apply (Forall_bind (fun t : V * V => shared (sub (fst t) xs))). apply Forall_forall. intros [q st] _. constructor; [|constructor]. simpl. apply next_shared. exact Hs.
  Qed.
  Lemma sround_expect a x cv : shared (sub x xs) -> Expect (sround (x, cv)) (Psi a) =
    Expect (law V add scal ip Xi P G g xs eta (correction cv) x k) (fun st => sq (sub (next V add scal proj eta_g x st) xs) + a * variate_error V add ip k st).
  Proof.
    intro Hs. unfold sround. rewrite Expect_bind. simpl. apply Expect_ext_on_support.
    eapply Forall_impl; [|apply (law_good V add scal ip ip_add ip_scal ip_sym ip_pos proj proj_adjoint Xi P G g xs optimal eta (correction cv) x Hs k)].
    intros [q st] Hst. simpl. unfold Psi. simpl. rewrite (new_variate_error x cv st Hs Hst). ring.
  Qed.
  Lemma scaffold_turn s : 2 * (h * beta) + 9 / 2 * (h * beta) ^ 2 <= 1 -> shared (sub (fst s) xs) ->
    Expect (sround s) (Psi variates_weight) <= sq (sub (fst s) xs) + 2 / 3 * (Psi variates_weight s - sq (sub (fst s) xs)) - 2 * h * (F (fst s) - F xs) + scaffold_error.
  Proof.
    destruct s as [x cv]. simpl. intros Hu Hs. rewrite (sround_expect variates_weight x cv Hs).
    pose proof (scaffold_round V add scal ip ip_add ip_scal ip_sym ip_pos proj proj_adjoint proj_twice Xi P F G g xs beta sigma2 tau2 HP Hbeta unbiased
      F_smooth F_convex_at_xs optimal noise_all noise_shared eta eta_g (correction cv) x Heta Hg (correction_private cv) Hs k Hk Hu) as H.
    cbv zeta in H. fold whole_step in H. fold variates_weight in H. eapply Rle_trans; [exact H|]. unfold scaffold_error, Psi. simpl.
    pose proof (corrected cv) as Hc. pose proof weights_positive as [Hw _].
    assert (variates_weight * sq (add (G xs) (correction cv)) <= variates_weight * sq (sub cv (G xs))) by (apply Rmult_le_compat_l; lra). lra.
  Qed.
  Lemma scaffold_gradients_turn s : (forall y xi z, ip (g y xi) z = ip (G y) z) -> h * beta + 2 * (h * beta) ^ 2 <= 1 -> shared (sub (fst s) xs) ->
    Expect (sround s) (Psi gradients_weight) <= sq (sub (fst s) xs) + 2 / 3 * (Psi gradients_weight s - sq (sub (fst s) xs)) - 2 * h * (F (fst s) - F xs) + 0.
  Proof.
    destruct s as [x cv]. simpl. intros exact Hu Hs. rewrite (sround_expect gradients_weight x cv Hs).
    pose proof (scaffold_gradients_round V add scal ip ip_add ip_scal ip_sym ip_pos proj proj_adjoint proj_twice Xi P F G g xs beta HP Hbeta unbiased
      F_smooth F_convex_at_xs optimal eta eta_g (correction cv) x Heta Hg (correction_private cv) Hs k Hk exact Hu) as H.
    cbv zeta in H. fold whole_step in H. fold gradients_weight in H. eapply Rle_trans; [exact H|]. unfold Psi. simpl.
    pose proof (corrected cv) as Hc. pose proof weights_positive as [_ Hw].
    assert (gradients_weight * sq (add (G xs) (correction cv)) <= gradients_weight * sq (sub cv (G xs))) by (apply Rmult_le_compat_l; lra). lra.
  Qed.
  (** ** SCAFFOLD, option I: the variates of the next round are the gradients at this round's point *)
  Definition sround_first (s : V * V) : list (R * (V * V)) :=
    bind (law V add scal ip Xi P G g xs eta (correction (snd s)) (fst s) k) (fun st => dirac (next V add scal proj eta_g (fst s) st, G (fst s))).
  Lemma sround_first_distribution s : distribution (sround_first s).
  Proof. apply distribution_bind; [apply (law_distribution V add scal ip Xi P G g xs HP)|intro; apply distribution_dirac]. Qed.
  Lemma sround_first_shared s : shared (sub (fst s) xs) -> Forall (fun pt => shared (sub (fst (snd pt)) xs)) (sround_first s).
  Proof.
    intro Hs. unfold sround_first. apply (Forall_bind (fun t : V * V => shared (sub (fst t) xs))). apply Forall_forall. intros [q st] _. constructor; [|constructor]. simpl. apply next_shared. exact Hs.
  Qed.
  (** gradients are close to those at xs where the gap is small *)
  Lemma gradients_by_gap x : shared (sub x xs) -> sq (sub (G x) (G xs)) <= 2 * beta * (F x - F xs).
  Proof.
    intro Hs. set (D := sub (G x) (G xs)). set (z := add x (scal (- / beta) D)).
    pose proof (F_convex xs z) as H1. pose proof (F_smooth x z) as H2.
    assert (Z : ip (G xs) (sub x xs) = 0).
    { rewrite ip_sym, <- (Hs (G xs)), proj_adjoint, ip_sym. apply optimal. }
    assert (E1 : ip (G xs) (sub z xs) = ip (G xs) (sub x xs) - / beta * ip (G xs) D) by (unfold z; expand; ring).
    assert (E2 : ip (G x) (sub z x) = - (/ beta * ip (G x) D)) by (unfold z; expand; ring).
    assert (E3 : sq (sub z x) = / beta * / beta * sq D) by (unfold z; expand; rewrite (ip_sym x D); ring).
    assert (E4 : / beta * sq D = / beta * ip (G x) D - / beta * ip (G xs) D) by (unfold LocalSteps.sq; unfold D at 1; rewrite sub_l; ring).
    rewrite E1, Z in H1. rewrite E2, E3 in H2. replace (beta / 2 * (/ beta * / beta * sq D)) with (/ beta * sq D / 2) in H2 by (field; lra).
    assert (Q : / beta * sq D <= 2 * (F x - F xs)) by lra.
    apply (Rmult_le_compat_l beta) in Q; [|lra]. rewrite <- Rmult_assoc, Rinv_r, Rmult_1_l in Q by lra. fold D. lra.
  Qed.
  Lemma scaffold_first_turn s : (forall y xi z, ip (g y xi) z = ip (G y) z) -> h * beta + (h * beta) ^ 2 <= 1 -> shared (sub (fst s) xs) ->
    Expect (sround_first s) (Psi gradients_weight) <=
      sq (sub (fst s) xs) + 2 / 3 * (Psi gradients_weight s - sq (sub (fst s) xs)) - 2 * (h * (1 - (h * beta) ^ 2)) * (F (fst s) - F xs) + 0.
  Proof.
    destruct s as [x cv]. cbn [fst snd]. intros exact Hu Hs. unfold sround_first. rewrite Expect_bind. cbn [fst snd].
    rewrite (Expect_ext _ _ (fun st => sq (sub (next V add scal proj eta_g x st) xs) + gradients_weight * sq (sub (G x) (G xs)))) by (intro st; rewrite Expect_dirac; reflexivity).
    rewrite Expect_plus, (Expect_const _ _ (law_distribution V add scal ip Xi P G g xs HP eta (correction cv) x k)).
    pose proof (gradient_steps_round V add scal ip ip_add ip_scal ip_sym ip_pos proj proj_adjoint proj_twice Xi P F G g xs beta HP Hbeta unbiased
      F_smooth F_convex_at_xs optimal eta eta_g (correction cv) x Heta Hg (correction_private cv) Hs k Hk exact Hu) as H.
    fold whole_step in H. pose proof (corrected cv) as Hc. pose proof weights_positive as [_ Hw]. pose proof h_pos as Hh.
    pose proof (fractions eta_g Hg k Hk) as [F1 F2].
    pose proof (gradients_by_gap x Hs) as Hgap. pose proof (growth x Hs) as Gr. pose proof (ip_pos (sub x xs)) as D0.
    assert (g0 : 0 <= F x - F xs) by (eapply Rle_trans; [|exact Gr]; apply Rmult_le_pos; [lra|exact D0]).
    set (e := sq (add (G xs) (correction cv))) in *. assert (e0 : 0 <= e) by apply ip_pos.
    assert (A : h ^ 3 * (2 / 3 * (1 - / INR k) * beta * e / eta_g ^ 2) <= 2 / 3 * (gradients_weight * sq (sub cv (G xs)))).
    { replace (h ^ 3 * (2 / 3 * (1 - / INR k) * beta * e / eta_g ^ 2)) with (2 / 3 * ((1 - / INR k) * (gradients_weight * e))) by (unfold gradients_weight, Rdiv; ring).
      apply Rmult_le_compat_l; [lra|]. assert (gradients_weight * e <= gradients_weight * sq (sub cv (G xs))) by (apply Rmult_le_compat_l; lra).
      assert (0 <= gradients_weight * e) by (apply Rmult_le_pos; lra). nra. }
    assert (B : gradients_weight * sq (sub (G x) (G xs)) <= 2 * h * (h * beta) ^ 2 * (F x - F xs)).
    { apply (Rle_trans _ (gradients_weight * (2 * beta * (F x - F xs)))); [apply Rmult_le_compat_l; lra|].
      replace (gradients_weight * (2 * beta * (F x - F xs))) with (2 * h * (h * beta) ^ 2 * (F x - F xs) * / eta_g ^ 2) by (unfold gradients_weight, Rdiv; ring).
      assert (0 <= 2 * h * (h * beta) ^ 2 * (F x - F xs)) by (apply Rmult_le_pos; [apply Rmult_le_pos; [lra|apply pow2_ge_0]|exact g0]).
      rewrite <- (Rmult_1_r (2 * h * (h * beta) ^ 2 * (F x - F xs))) at 2. apply Rmult_le_compat_l; lra. }
    unfold Psi. cbn [fst snd]. lra.
  Qed.
End Runs.
