(** * Local steps on convex smooth losses: one round of FedAvg, LSGD-PFL and SCAFFOLD

    V is any space with a symmetric, non-negative bilinear form ip: for M agents the points (x_1, ..., x_M) with
    <x, y> = sum_m p_m <x_m, y_m> (AgentSpace.v).  proj, an orthogonal projection, averages the shared coordinates.
    F(x) = sum_m p_m f_m(x_m), G its gradient in this form, g(., xi) stochastic gradients of a finite law.  Nothing is
    bounded uniformly: sigma^2, tau^2 (noise, before and after averaging) and the dissimilarity are those at the minimiser xs.
    With h = K eta eta_g, d = norm(x - xs)^2, gap = F(x) - F(xs):
    [local_steps_round]  2 h beta + (3/2)(h beta)^2 <= 1:  E d+ <= d - 2 h gap + c1 h^2 + c2 h^3
    [scaffold_round]     2 h beta + (9/2)(h beta)^2 <= 1:  the same for d + a norm(c - grad F(xs))^2, without c2
    [gradient_steps_round, scaffold_gradients_round]  full local gradients: h beta up to 0.618 and 1/2, no c1
    Note: the term norm(g(y) - g(xs))^2 that convexity and smoothness leave pays for drift and noise alike.            *)
From Coq Require Import Reals Lra Lia Psatz List.
From FedIGW Require Import FiniteSums FiniteProbability Exchangeability.
Open Scope R_scope.

Section LocalSteps.
  Variables (V : Type) (add : V -> V -> V) (scal : R -> V -> V) (ip : V -> V -> R).
  Hypothesis ip_add : forall x y z, ip (add x y) z = ip x z + ip y z.
  Hypothesis ip_scal : forall c x z, ip (scal c x) z = c * ip x z.
  Hypothesis ip_sym : forall x y, ip x y = ip y x.
  Hypothesis ip_pos : forall x, 0 <= ip x x.
  Definition sub (x y : V) : V := add x (scal (-1) y).
  Definition sq (x : V) : R := ip x x.
  Lemma ip_add_r x y z : ip z (add x y) = ip z x + ip z y.
  Proof. rewrite ip_sym, ip_add, (ip_sym x), (ip_sym y). reflexivity. Qed.
  Lemma ip_scal_r c x z : ip z (scal c x) = c * ip z x.
  Proof. rewrite ip_sym, ip_scal, (ip_sym x). reflexivity. Qed.
  Lemma ip_sub x y z : ip (sub x y) z = ip x z - ip y z.
  Proof. unfold sub. rewrite ip_add, ip_scal. ring. Qed.
  Lemma ip_sub_r x y z : ip z (sub x y) = ip z x - ip z y.
  Proof. unfold sub. rewrite ip_add_r, ip_scal_r. ring. Qed.
  Ltac expand := unfold sq; repeat rewrite ?ip_sub, ?ip_sub_r, ?ip_add, ?ip_add_r, ?ip_scal, ?ip_scal_r.

  (** averaging of the shared coordinates: an orthogonal projection *)
  Variable proj : V -> V.
  Hypothesis proj_adjoint : forall x y, ip (proj x) y = ip x (proj y).
  Hypothesis proj_twice : forall x y, ip (proj (proj x)) y = ip (proj x) y.
  Definition shared (z : V) : Prop := forall y, ip (proj z) y = ip z y.
  Lemma proj_add x y z : ip (proj (add x y)) z = ip (proj x) z + ip (proj y) z.
  Proof. rewrite !proj_adjoint. apply ip_add. Qed.
  Lemma proj_sub x y z : ip (proj (sub x y)) z = ip (proj x) z - ip (proj y) z.
  Proof. rewrite !proj_adjoint. apply ip_sub. Qed.
  Lemma proj_sq x : sq (proj x) = ip x (proj x).
  Proof. unfold sq. rewrite (proj_adjoint x (proj x)), (ip_sym x (proj (proj x))), proj_twice. apply ip_sym. Qed.
  Lemma proj_shrinks x : sq (proj x) <= sq x.
  Proof.
    pose proof (ip_pos (sub x (proj x))) as H. pose proof (proj_sq x) as E. revert H E. expand. rewrite (ip_sym (proj x) x).
    unfold sq. lra.
  Qed.

  Variables (Xi : Type) (P : list (R * Xi)) (F : V -> R) (G : V -> V) (g : V -> Xi -> V) (xs : V).
  Variables (beta sigma2 tau2 : R).
  Hypothesis HP : distribution P.
  Hypothesis Hbeta : 0 < beta.
  Hypothesis unbiased : forall y z, Expect P (fun xi => ip (g y xi) z) = ip (G y) z.
  Hypothesis smooth : forall x y, F y <= F x + ip (G x) (sub y x) + beta / 2 * sq (sub y x).
  (** convexity and smoothness of every sample's loss, at the minimiser (lemma [cocoercive] below) *)
  Hypothesis convex_at_xs : forall y,
    F y + ip (G y) (sub xs y) + / (2 * beta) * Expect P (fun xi => sq (sub (g y xi) (g xs xi))) <= F xs.
  Hypothesis optimal : forall y, ip (proj (G xs)) y = 0.
  Definition sample_noise (xi : Xi) : V := sub (g xs xi) (G xs).
  Hypothesis noise_all : Expect P (fun xi => sq (sample_noise xi)) <= sigma2.
  Hypothesis noise_shared : Expect P (fun xi => sq (proj (sample_noise xi))) <= tau2.
  Lemma noise_mean z : Expect P (fun xi => ip (sample_noise xi) z) = 0.
  Proof.
    unfold sample_noise. rewrite (Expect_ext P _ (fun xi => ip (g xs xi) z + - ip (G xs) z)) by (intro; rewrite ip_sub; ring).
    rewrite (Expect_plus P (fun xi => ip (g xs xi) z)), unbiased, (Expect_const P _ HP). ring.
  Qed.

  Lemma noise_nonneg : 0 <= sigma2.
  Proof. eapply Rle_trans; [|exact noise_all]. rewrite <- (Expect_const P 0 HP). apply Expect_le; [apply HP|]. intro. apply ip_pos. Qed.

  (** ** One round: K local steps of size eta with the correction cm, then a server step eta_g *)
  Variables (eta eta_g : R) (cm x : V).
  Hypothesis Heta : 0 < eta.
  Hypothesis Hg : 1 <= eta_g.
  Hypothesis cm_private : forall y, ip (proj cm) y = 0.
  Let u := sub x xs.
  Hypothesis Hx : shared u.
  Let c := add (G xs) cm.
  Let gap := F x - F xs.
  (** point; sums of g(y)-g(xs), of the noise at xs; sums of norm(g(y)-g(xs))^2, norm(y-x)^2, <g, x-xs> *)
  Record local_state := State { at_y : V; sum_a : V; sum_b : V; sum_s : R; sum_D : R; sum_cr : R }.
  Definition step (st : local_state) (xi : Xi) : local_state :=
    State (sub (at_y st) (scal eta (add (g (at_y st) xi) cm)))
      (add (sum_a st) (sub (g (at_y st) xi) (g xs xi))) (add (sum_b st) (sample_noise xi))
      (sum_s st + sq (sub (g (at_y st) xi) (g xs xi))) (sum_D st + sq (sub (at_y st) x)) (sum_cr st + ip (g (at_y st) xi) u).
  Definition origin : V := scal 0 xs.
  Fixpoint law (j : nat) : list (R * local_state) :=
    match j with O => dirac (State x origin origin 0 0 0) | S j' => bind (law j') (fun st => bind P (fun xi => dirac (step st xi))) end.
  Lemma law_S j H : Expect (law (S j)) H = Expect (law j) (fun st => Expect P (fun xi => H (step st xi))).
  Proof. simpl. rewrite Expect_bind. apply Expect_ext. intro st. rewrite Expect_bind. apply Expect_ext. intro xi. apply Expect_dirac. Qed.
  Lemma law_distribution j : distribution (law j).
  Proof. induction j as [|j IH]; [apply distribution_dirac|]. apply distribution_bind; [exact IH|]. intro st. apply distribution_bind; [exact HP|]. intro. apply distribution_dirac. Qed.
  Lemma c_private y : ip (proj c) y = 0.
  Proof. unfold c. rewrite proj_add, optimal, cm_private. ring. Qed.
  Lemma private_u v : (forall y, ip (proj v) y = 0) -> ip v u = 0.
  Proof. intro H. rewrite (ip_sym v u), <- (Hx v), proj_adjoint, ip_sym. apply H. Qed.

  Definition good (j : nat) (st : local_state) : Prop :=
    (forall z, ip (sub (at_y st) x) z = - eta * (ip (sum_a st) z + ip (sum_b st) z + INR j * ip c z)) /\
    sq (sum_a st) <= INR j * sum_s st /\ 0 <= sum_s st /\ ip (sum_a st) u + ip (sum_b st) u = sum_cr st.
  Lemma law_good j : Forall (fun pw => good j (snd pw)) (law j).
  Proof.
    induction j as [|j IH].
    - constructor; [|constructor]. unfold good, origin; simpl. repeat split; intros; expand; first [ring | right; ring | lra].
    - simpl. apply Forall_bind. eapply Forall_impl; [|exact IH]. intros [w st] (H1 & H2 & H4 & H3). simpl in *.
      apply Forall_bind. apply Forall_forall. intros [q xi] _. constructor; [|constructor]. simpl. unfold good. rewrite S_INR. repeat split.
      + intro z. unfold step; simpl. specialize (H1 z). revert H1. unfold sample_noise, c. expand. intro H1. lra.
      + unfold step; simpl. set (a := sub (g (at_y st) xi) (g xs xi)).
        assert (E : sq (add (sum_a st) a) = sq (sum_a st) + 2 * ip (sum_a st) a + sq a) by (unfold sq; rewrite !ip_add, !ip_add_r, (ip_sym a (sum_a st)); ring).
        rewrite E. destruct j as [|j].
        * simpl in *. unfold sq in *. assert (Z : ip (sum_a st) (sum_a st) = 0) by (pose proof (ip_pos (sum_a st)); lra).
          assert (Q : 2 * ip (sum_a st) a = 0).
          { (* Cauchy-Schwarz at a null vector *)
            destruct (Req_dec (ip (sum_a st) a) 0) as [Q|Q]; [lra|].
            pose proof (ip_pos (add (scal (- ((1 + ip a a) / (2 * ip (sum_a st) a))) (sum_a st)) a)) as Hm. revert Hm.
            repeat rewrite ?ip_add, ?ip_add_r, ?ip_scal, ?ip_scal_r. rewrite (ip_sym a (sum_a st)), Z. intro Hm. exfalso.
            assert (Hm' : 0 <= -1) by (eapply Rle_trans; [exact Hm|]; right; field; exact Q). lra. }
          pose proof (ip_pos a). lra.
        * set (n := INR (S j)) in *. assert (Hn : 0 < n) by (apply lt_0_INR; lia).
          assert (Y : 2 * ip (sum_a st) a <= / n * sq (sum_a st) + n * sq a).
          { pose proof (ip_pos (sub (sum_a st) (scal n a))) as Hp. revert Hp. expand. rewrite (ip_sym a (sum_a st)). intro Hp. unfold sq.
            apply (Rmult_le_reg_l n); [exact Hn|]. rewrite Rmult_plus_distr_l, <- (Rmult_assoc n (/ n)), Rinv_r by lra. lra. }
          assert (Z : / n * sq (sum_a st) <= sum_s st).
          { apply (Rmult_le_reg_l n); [exact Hn|]. rewrite <- Rmult_assoc, Rinv_r by lra. lra. }
          lra.
      + unfold step; simpl. pose proof (ip_pos (sub (g (at_y st) xi) (g xs xi))). unfold sq. lra.
      + unfold step; simpl. pose proof (private_u (G xs) optimal) as E. unfold sample_noise. expand. lra.
  Qed.
  Notation E j H := (Expect (law j) H).

  Lemma mean_b j : E j (fun st => sq (sum_b st)) <= INR j * sigma2.
  Proof.
    induction j as [|j IH]; [simpl; unfold origin; expand; lra|]. rewrite law_S.
    rewrite (Expect_ext (law j) _ (fun st => sq (sum_b st) + Expect P (fun xi => sq (sample_noise xi)))).
    - rewrite Expect_plus, (Expect_const (law j) _ (law_distribution j)), S_INR. lra.
    - intro st. simpl. rewrite (Expect_ext P _ (fun xi => sq (sample_noise xi) + (2 * ip (sample_noise xi) (sum_b st) + sq (sum_b st))))
        by (intro; unfold sq; rewrite !ip_add, !ip_add_r, (ip_sym (sum_b st) (sample_noise w)); ring).
      rewrite !(Expect_plus P), (Expect_scal P 2), noise_mean, (Expect_const P _ HP). ring.
  Qed.
  Lemma mean_proj_b j : E j (fun st => sq (proj (sum_b st))) <= INR j * tau2.
  Proof.
    induction j as [|j IH].
    - simpl. rewrite Rplus_0_r, Rmult_1_l, Rmult_0_l. pose proof (proj_shrinks origin) as Hs. unfold sq, origin in *. rewrite ip_scal in Hs. lra.
    - rewrite law_S.
      rewrite (Expect_ext (law j) _ (fun st => sq (proj (sum_b st)) + Expect P (fun xi => sq (proj (sample_noise xi))))).
      + rewrite Expect_plus, (Expect_const (law j) _ (law_distribution j)), S_INR. lra.
      + intro st. simpl. rewrite (Expect_ext P _ (fun xi => sq (proj (sample_noise xi)) + (2 * ip (sample_noise xi) (proj (sum_b st)) + sq (proj (sum_b st))))).
        * rewrite !(Expect_plus P), (Expect_scal P 2), noise_mean, (Expect_const P _ HP). ring.
        * intro xi. rewrite !proj_sq, ip_add. rewrite !(ip_sym _ (proj (add _ _))), !proj_add.
          rewrite (ip_sym (proj (sum_b st)) (sum_b st)), (ip_sym (proj (sample_noise xi)) (sample_noise xi)), (proj_adjoint (sample_noise xi) (sum_b st)), (ip_sym (proj (sum_b st)) (sample_noise xi)). ring.
  Qed.
  Lemma mean_cr j : INR j * gap - beta / 2 * E j sum_D + / (2 * beta) * E j sum_s <= E j sum_cr.
  Proof.
    induction j as [|j IH]; [simpl; lra|]. rewrite !law_S, S_INR.
    assert (Q : E j (fun st => Expect P (fun xi => sum_cr (step st xi))) >= E j (fun st => sum_cr st + (gap - beta / 2 * sq (sub (at_y st) x)
      + / (2 * beta) * Expect P (fun xi => sq (sub (g (at_y st) xi) (g xs xi)))))).
    { apply Rle_ge, Expect_le; [apply law_distribution|]. intro st. simpl.
      rewrite (Expect_plus_const P (fun xi => sum_cr st + ip (g (at_y st) xi) u) (fun xi => ip (g (at_y st) xi) u) (sum_cr st) HP) by (intro; ring).
      rewrite unbiased. pose proof (smooth (at_y st) x) as A1. pose proof (convex_at_xs (at_y st)) as A2. unfold gap, u in *. revert A1 A2. expand.
      rewrite !(ip_sym (at_y st) x). intros. lra. }
    assert (D1 : E j (fun st => Expect P (fun xi => sum_D (step st xi))) = E j (fun st => sum_D st + sq (sub (at_y st) x)))
      by (apply Expect_ext; intro st; simpl; apply (Expect_const P _ HP)).
    assert (S1 : E j (fun st => Expect P (fun xi => sum_s (step st xi))) =
      E j (fun st => sum_s st + Expect P (fun xi => sq (sub (g (at_y st) xi) (g xs xi))))).
    { apply Expect_ext. intro st. simpl. rewrite (Expect_plus P (fun _ => sum_s st)), (Expect_const P _ HP). reflexivity. }
    rewrite D1, S1, !(Expect_plus (law j)). rewrite (Expect_plus (law j) sum_cr) in Q.
    rewrite (Expect_ext (law j) (fun st => gap - beta / 2 * sq (sub (at_y st) x) + / (2 * beta) * Expect P (fun xi => sq (sub (g (at_y st) xi) (g xs xi))))
      (fun st => gap + (- (beta / 2) * sq (sub (at_y st) x) + / (2 * beta) * Expect P (fun xi => sq (sub (g (at_y st) xi) (g xs xi)))))) in Q by (intro; ring).
    rewrite !(Expect_plus (law j)), !(Expect_scal (law j)), (Expect_const (law j) _ (law_distribution j)) in Q. lra.
  Qed.
  Lemma mean_s_step j : E j sum_s <= E (S j) sum_s.
  Proof.
    rewrite law_S. apply Expect_le; [apply law_distribution|]. intro st. simpl.
    rewrite <- (Expect_const P (sum_s st) HP) at 1. apply Expect_le; [apply HP|]. intro xi. pose proof (ip_pos (sub (g (at_y st) xi) (g xs xi))). unfold sq. lra.
  Qed.
  Lemma mean_s_up i j : (i <= j)%nat -> E i sum_s <= E j sum_s.
  Proof. induction 1; [lra|]. pose proof (mean_s_step m). lra. Qed.
  Lemma drift j st : good j st -> sq (sub (at_y st) x) <= 3 * eta ^ 2 * (INR j * sum_s st + sq (sum_b st) + INR j ^ 2 * sq c).
  Proof.
    intros (H1 & H2 & _ & _).
    assert (Q : sq (sub (at_y st) x) = eta ^ 2 * (sq (sum_a st) + sq (sum_b st) + INR j ^ 2 * sq c
      + 2 * ip (sum_a st) (sum_b st) + 2 * INR j * ip (sum_a st) c + 2 * INR j * ip (sum_b st) c)).
    { unfold sq at 1. rewrite H1. rewrite (ip_sym (sum_a st) (sub (at_y st) x)), (ip_sym (sum_b st) (sub (at_y st) x)), (ip_sym c (sub (at_y st) x)), !H1.
      unfold sq. rewrite (ip_sym (sum_b st) (sum_a st)), (ip_sym c (sum_a st)), (ip_sym c (sum_b st)). ring. }
    rewrite Q. apply (Rle_trans _ (eta ^ 2 * (3 * (INR j * sum_s st + sq (sum_b st) + INR j ^ 2 * sq c)))); [|right; ring].
    apply Rmult_le_compat_l; [apply pow2_ge_0|].
    pose proof (ip_pos (sub (sum_a st) (sum_b st))) as A1. pose proof (ip_pos (sub (sum_a st) (scal (INR j) c))) as A2.
    pose proof (ip_pos (sub (sum_b st) (scal (INR j) c))) as A3. revert A1 A2 A3. expand. unfold sq in *.
    rewrite (ip_sym (sum_b st) (sum_a st)), (ip_sym c (sum_a st)), (ip_sym c (sum_b st)). intros. lra.
  Qed.
  Lemma mean_D k j : (j <= k)%nat -> E j sum_D <= 3 * eta ^ 2 * (INR j * (INR j - 1) / 2 * (E k sum_s + sigma2) + INR j ^ 2 * (INR j - 1) / 3 * sq c).
  Proof.
    induction j as [|j IH]; intro Hj; [simpl; lra|]. specialize (IH ltac:(lia)). rewrite law_S.
    rewrite (Expect_ext (law j) _ (fun st => sum_D st + sq (sub (at_y st) x))) by (intro st; simpl; apply (Expect_const P _ HP)).
    rewrite Expect_plus.
    assert (Q : E j (fun st => sq (sub (at_y st) x)) <= E j (fun st => 3 * eta ^ 2 * (INR j * sum_s st + (sq (sum_b st) + INR j ^ 2 * sq c)))).
    { apply Expect_le_on_support; [apply law_distribution|]. eapply Forall_impl; [|apply (law_good j)]. intros [w st] Hst. simpl in *.
      pose proof (drift j st Hst). lra. }
    rewrite (Expect_scal (law j)), !(Expect_plus (law j)), (Expect_scal (law j)), (Expect_const (law j) _ (law_distribution j)) in Q.
    pose proof (mean_b j) as Hb. pose proof (mean_s_up j k ltac:(lia)) as Hs. rewrite S_INR. set (n := INR j) in *.
    assert (Hn : 0 <= n) by (apply pos_INR). set (S := E k sum_s) in *.
    assert (S0 : 0 <= E j sum_s) by (pose proof (mean_s_up 0 j ltac:(lia)) as H0; simpl in H0; lra).
    pose proof noise_nonneg as B0.
    assert (C0 : 0 <= sq c) by apply ip_pos.
    assert (e2 : 0 <= 3 * eta ^ 2) by (pose proof (pow2_ge_0 eta); lra).
    eapply Rle_trans; [apply Rplus_le_compat; [exact IH|exact Q]|]. rewrite <- Rmult_plus_distr_l. apply Rmult_le_compat_l; [exact e2|].
    assert (n * E j sum_s <= n * S) by (apply Rmult_le_compat_l; lra). assert (0 <= n * sq c) by (apply Rmult_le_pos; lra). lra.
  Qed.

  (** ** The new point and the new control variate *)
  Definition next (st : local_state) : V := add x (scal eta_g (proj (sub (at_y st) x))).
  Variable k : nat.
  Hypothesis Hk : (1 <= k)%nat.
  Let h := INR k * eta * eta_g.
  Lemma next_distance st : good k st ->
    sq (sub (next st) xs) <= sq u - 2 * eta_g * eta * sum_cr st + 2 * eta_g ^ 2 * eta ^ 2 * (INR k * sum_s st + sq (proj (sum_b st))).
  Proof.
    intros (H1 & H2 & _ & H3). set (v := sub (at_y st) x) in *.
    assert (Q : sq (sub (next st) xs) = sq u + 2 * eta_g * ip (proj v) u + eta_g ^ 2 * sq (proj v)).
    { unfold next, u, sq. fold v. repeat rewrite ?ip_sub, ?ip_sub_r, ?ip_add, ?ip_add_r, ?ip_scal, ?ip_scal_r.
      rewrite (ip_sym x (proj v)), (ip_sym xs (proj v)), (ip_sym xs x). ring. }
    assert (Q1 : ip (proj v) u = - eta * sum_cr st).
    { rewrite proj_adjoint, ip_sym, (Hx v), ip_sym, H1, (private_u c c_private), <- H3. ring. }
    assert (Q2 : sq (proj v) = eta ^ 2 * sq (proj (add (sum_a st) (sum_b st)))).
    { assert (W : forall z, ip (proj v) z = - eta * ip (proj (add (sum_a st) (sum_b st))) z).
      { intro z. rewrite proj_adjoint, H1, <- (proj_adjoint c z), c_private, proj_add, !proj_adjoint. ring. }
      unfold sq. rewrite W, (ip_sym _ (proj v)), W. ring. }
    assert (Q3 : sq (proj (add (sum_a st) (sum_b st))) <= 2 * (sq (sum_a st) + sq (proj (sum_b st)))).
    { pose proof (proj_shrinks (sum_a st)) as A1. pose proof (ip_pos (sub (proj (sum_a st)) (proj (sum_b st)))) as A2. revert A2. expand.
      assert (W : ip (proj (add (sum_a st) (sum_b st))) (proj (add (sum_a st) (sum_b st))) =
        ip (proj (sum_a st)) (proj (sum_a st)) + 2 * ip (proj (sum_a st)) (proj (sum_b st)) + ip (proj (sum_b st)) (proj (sum_b st))).
      { rewrite proj_add. rewrite !(ip_sym _ (proj (add _ _))), !proj_add. rewrite (ip_sym (proj (sum_b st)) (proj (sum_a st))). ring. }
      rewrite W. rewrite (ip_sym (proj (sum_b st)) (proj (sum_a st))). unfold sq in A1. intros. lra. }
    rewrite Q, Q1, Q2. assert (0 <= eta_g ^ 2 * eta ^ 2) by (apply Rmult_le_pos; apply pow2_ge_0). nra.
  Qed.

  Lemma expected_next : h * beta <= 1 ->
    E k (fun st => sq (sub (next st) xs)) <= sq u - 2 * h * gap + 2 * h ^ 2 * tau2 / INR k
      + (1 - / INR k) * (3 / 2 * h ^ 3 * beta * sigma2 / (INR k * eta_g ^ 2) + h ^ 3 * beta * sq c / eta_g ^ 2)
      - E k sum_s / INR k * (h / beta - 2 * h ^ 2 - (1 - / INR k) * (3 / 2 * h ^ 3 * beta / eta_g ^ 2)).
  Proof.
    intro Hh. assert (Hn : 1 <= INR k) by (replace 1 with (INR 1) by reflexivity; apply le_INR, Hk).
    eapply Rle_trans.
    - apply Expect_le_on_support; [apply law_distribution|]. eapply Forall_impl; [|apply (law_good k)]. intros [w st] Hst. simpl in *. apply (next_distance st Hst).
    - rewrite (Expect_ext (law k) _ (fun st => sq u + (- (2 * eta_g * eta) * sum_cr st + 2 * eta_g ^ 2 * eta ^ 2 * (INR k * sum_s st + sq (proj (sum_b st)))))) by (intro; ring).
      rewrite !(Expect_plus (law k)), !(Expect_scal (law k)), (Expect_plus (law k)), (Expect_scal (law k)), (Expect_const (law k) _ (law_distribution k)).
      pose proof (mean_cr k) as Hc. pose proof (mean_D k k (le_n k)) as HD. pose proof (mean_proj_b k) as Hb.
      set (S := E k sum_s) in *. set (D := E k sum_D) in *. set (cr := E k sum_cr) in *. set (Bp := E k (fun st => sq (proj (sum_b st)))) in *. set (n := INR k) in *. set (C := sq c) in *.
      assert (Hc' : n * gap - beta / 2 * (3 * eta ^ 2 * (n * (n - 1) / 2 * (S + sigma2) + n ^ 2 * (n - 1) / 3 * C)) + / (2 * beta) * S <= cr) by nra.
      assert (T1 : 2 * eta_g * eta * (n * gap - beta / 2 * (3 * eta ^ 2 * (n * (n - 1) / 2 * (S + sigma2) + n ^ 2 * (n - 1) / 3 * C)) + / (2 * beta) * S) <= 2 * eta_g * eta * cr)
        by (apply Rmult_le_compat_l; [nra|exact Hc']).
      assert (T2 : 2 * eta_g ^ 2 * eta ^ 2 * (n * S + Bp) <= 2 * eta_g ^ 2 * eta ^ 2 * (n * S + n * tau2)).
      { apply Rmult_le_compat_l; [|lra]. apply Rmult_le_pos; [|apply pow2_ge_0]. pose proof (pow2_ge_0 eta_g). lra. }
      eapply Rle_trans; [apply Rplus_le_compat_l, Rplus_le_compat; [|exact T2]|].
      + rewrite <- Ropp_mult_distr_l. apply Ropp_le_contravar. exact T1.
      + right. unfold h. fold n. field. repeat split; lra.
  Qed.

  Lemma sum_s_nonneg : 0 <= E k sum_s / INR k.
  Proof.
    assert (Hn : 1 <= INR k) by (replace 1 with (INR 1) by reflexivity; apply le_INR, Hk).
    apply Rmult_le_pos; [pose proof (mean_s_up 0 k ltac:(lia)) as H0; simpl in H0; lra|left; apply Rinv_0_lt_compat; lra].
  Qed.
  (** 1 - 1/K is in [0, 1] and 1/eta_g^2 in (0, 1] *)
  Lemma fractions : 0 <= 1 - / INR k <= 1 /\ 0 < / eta_g ^ 2 <= 1.
  Proof.
    assert (Hn : 1 <= INR k) by (replace 1 with (INR 1) by reflexivity; apply le_INR, Hk).
    assert (0 < / INR k) by (apply Rinv_0_lt_compat; lra).
    assert (/ INR k <= 1) by (rewrite <- Rinv_1; apply Rinv_le_contravar; lra).
    assert (/ eta_g ^ 2 <= 1) by (rewrite <- Rinv_1; apply Rinv_le_contravar; nra).
    assert (0 < / eta_g ^ 2) by (apply Rinv_0_lt_compat; nra). lra.
  Qed.

  (** Theorem G, FedAvg and LSGD-PFL, one round.  E d+ <= d - 2 h gap + c1 h^2 + c2 h^3 with
      c1 = (2 tau^2 + (3/2)(1 - 1/K) h beta sigma^2 / eta_g^2) / K and c2 = (1 - 1/K) beta norm(c)^2 / eta_g^2. *)
  Theorem local_steps_round : 2 * (h * beta) + 3 / 2 * (h * beta) ^ 2 <= 1 ->
    E k (fun st => sq (sub (next st) xs)) <= sq u - 2 * h * gap
      + h ^ 2 * ((2 * tau2 + 3 / 2 * (1 - / INR k) * (h * beta) * sigma2 / eta_g ^ 2) / INR k)
      + h ^ 3 * ((1 - / INR k) * beta * sq c / eta_g ^ 2).
  Proof.
    intro Hu. assert (Hn : 1 <= INR k) by (replace 1 with (INR 1) by reflexivity; apply le_INR, Hk).
    assert (Hh : 0 < h) by (unfold h; repeat apply Rmult_lt_0_compat; lra). assert (Hhb : 0 < h * beta) by nra.
    pose proof (expected_next ltac:(nra)) as Hmain. eapply Rle_trans; [exact Hmain|].
    pose proof sum_s_nonneg as S0. pose proof fractions as [F1 F2].
    assert (C0 : 0 <= h / beta - 2 * h ^ 2 - (1 - / INR k) * (3 / 2 * h ^ 3 * beta / eta_g ^ 2)).
    { set (f := 1 - / INR k) in *. set (e := / eta_g ^ 2) in *.
      replace (h / beta - 2 * h ^ 2 - f * (3 / 2 * h ^ 3 * beta / eta_g ^ 2)) with
        (h / beta * (1 - 2 * (h * beta) - 3 / 2 * (h * beta) ^ 2 * (f * e))) by (unfold e; field; lra).
      apply Rmult_le_pos; [left; apply Rdiv_lt_0_compat; lra|].
      assert (f * e <= 1) by nra. assert (0 <= (h * beta) ^ 2) by apply pow2_ge_0. nra. }
    assert (0 <= E k sum_s / INR k * (h / beta - 2 * h ^ 2 - (1 - / INR k) * (3 / 2 * h ^ 3 * beta / eta_g ^ 2))) by (apply Rmult_le_pos; assumption).
    replace (h ^ 2 * ((2 * tau2 + 3 / 2 * (1 - / INR k) * (h * beta) * sigma2 / eta_g ^ 2) / INR k)) with
      (2 * h ^ 2 * tau2 / INR k + (1 - / INR k) * (3 / 2 * h ^ 3 * beta * sigma2 / (INR k * eta_g ^ 2))) by (field; lra).
    replace (h ^ 3 * ((1 - / INR k) * beta * sq c / eta_g ^ 2)) with ((1 - / INR k) * (h ^ 3 * beta * sq c / eta_g ^ 2)) by (field; lra). lra.
  Qed.

  (** SCAFFOLD: the control variate of the next round is the mean of the round's gradients, g(y_1), ..., g(y_K) *)
  Definition variate_error (st : local_state) : R := sq (add (sum_a st) (sum_b st)) / INR k ^ 2.
  Lemma mean_variate : E k variate_error <= 2 * (E k sum_s + sigma2) / INR k.
  Proof.
    assert (Hn : 1 <= INR k) by (replace 1 with (INR 1) by reflexivity; apply le_INR, Hk).
    eapply Rle_trans.
    - apply (Expect_le_on_support (law k) variate_error (fun st => 2 / INR k * sum_s st + 2 / INR k ^ 2 * sq (sum_b st))); [apply law_distribution|].
      eapply Forall_impl; [|apply (law_good k)]. intros [w st] (_ & H2 & _ & _). simpl in *. unfold variate_error.
      assert (Q : sq (add (sum_a st) (sum_b st)) <= 2 * (INR k * sum_s st + sq (sum_b st))).
      { pose proof (ip_pos (sub (sum_a st) (sum_b st))) as A2. revert A2. expand. rewrite (ip_sym (sum_b st) (sum_a st)). unfold sq in H2. intros. lra. }
      apply (Rmult_le_reg_r (INR k ^ 2)); [nra|]. unfold Rdiv at 1. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by nra.
      eapply Rle_trans; [exact Q|]. right. field. lra.
    - rewrite Expect_plus, !(Expect_scal (law k)). pose proof (mean_b k) as Hb.
      assert (2 / INR k ^ 2 * E k (fun st => sq (sum_b st)) <= 2 / INR k ^ 2 * (INR k * sigma2)) by (apply Rmult_le_compat_l; [left; apply Rdiv_lt_0_compat; nra|exact Hb]).
      replace (2 * (E k sum_s + sigma2) / INR k) with (2 / INR k * E k sum_s + 2 / INR k ^ 2 * (INR k * sigma2)) by (field; lra). lra.
  Qed.
  (** Theorem G, SCAFFOLD, one round.  Psi = d + a norm(variate - G xs)^2, a = (3/2) h^3 beta / eta_g^2; c is the error of
      this round's variates, and c1 = (2 tau^2 + (9/2) h beta sigma^2 / eta_g^2) / K. *)
  Theorem scaffold_round : 2 * (h * beta) + 9 / 2 * (h * beta) ^ 2 <= 1 ->
    let a := 3 / 2 * h ^ 3 * beta / eta_g ^ 2 in
    E k (fun st => sq (sub (next st) xs) + a * variate_error st) <=
      sq u + 2 / 3 * (a * sq c) - 2 * h * gap + h ^ 2 * ((2 * tau2 + 9 / 2 * (h * beta) * sigma2 / eta_g ^ 2) / INR k).
  Proof.
    intros Hu a. assert (Hn : 1 <= INR k) by (replace 1 with (INR 1) by reflexivity; apply le_INR, Hk).
    assert (Hh : 0 < h) by (unfold h; repeat apply Rmult_lt_0_compat; lra). assert (Hhb : 0 < h * beta) by nra.
    pose proof sum_s_nonneg as S0. pose proof fractions as [F1 F2]. pose proof noise_nonneg as B0. assert (C0 : 0 <= sq c) by apply ip_pos.
    assert (Ha : 0 < a) by (unfold a; apply Rmult_lt_0_compat; [|lra]; apply Rmult_lt_0_compat; [|lra]; apply Rmult_lt_0_compat; [lra|apply pow_lt; exact Hh]).
    pose proof (expected_next ltac:(nra)) as Hmain. pose proof mean_variate as Hv.
    rewrite Expect_plus, (Expect_scal (law k) a).
    assert (Hav : a * E k variate_error <= a * (2 * (E k sum_s + sigma2) / INR k)) by (apply Rmult_le_compat_l; lra).
    set (f := 1 - / INR k) in *.
    assert (Q0 : 0 <= h / beta - 2 * h ^ 2 - f * (3 / 2 * h ^ 3 * beta / eta_g ^ 2) - 2 * a).
    { set (e := / eta_g ^ 2) in *.
      replace (h / beta - 2 * h ^ 2 - f * (3 / 2 * h ^ 3 * beta / eta_g ^ 2) - 2 * a) with
        (h / beta * (1 - 2 * (h * beta) - 3 / 2 * (h * beta) ^ 2 * (f * e + 2 * e))) by (unfold a, e; field; lra).
      apply Rmult_le_pos; [left; apply Rdiv_lt_0_compat; lra|].
      assert (f * e + 2 * e <= 3) by nra. assert (0 <= (h * beta) ^ 2) by apply pow2_ge_0. nra. }
    assert (P0 : 0 <= E k sum_s / INR k * (h / beta - 2 * h ^ 2 - f * (3 / 2 * h ^ 3 * beta / eta_g ^ 2) - 2 * a)) by (apply Rmult_le_pos; assumption).
    replace (a * (2 * (E k sum_s + sigma2) / INR k)) with (2 * a * (E k sum_s / INR k) + 2 * a * sigma2 / INR k) in Hav by (field; lra).
    replace (3 / 2 * h ^ 3 * beta * sigma2 / (INR k * eta_g ^ 2)) with (a * sigma2 / INR k) in Hmain by (unfold a; field; lra).
    replace (h ^ 3 * beta * sq c / eta_g ^ 2) with (2 / 3 * (a * sq c)) in Hmain by (unfold a; field; lra).
    replace (3 / 2 * h ^ 3 * beta / eta_g ^ 2) with a in * by (unfold a; reflexivity).
    assert (N0 : 0 <= a * sigma2 / INR k) by (apply Rmult_le_pos; [apply Rmult_le_pos; lra|left; apply Rinv_0_lt_compat; lra]).
    assert (M0 : 0 <= 2 / 3 * (a * sq c)) by (apply Rmult_le_pos; [lra|apply Rmult_le_pos; lra]).
    assert (f * (a * sigma2 / INR k + 2 / 3 * (a * sq c)) <= 1 * (a * sigma2 / INR k + 2 / 3 * (a * sq c))) by (apply Rmult_le_compat_r; lra).
    replace (h ^ 2 * ((2 * tau2 + 9 / 2 * (h * beta) * sigma2 / eta_g ^ 2) / INR k)) with
      (2 * h ^ 2 * tau2 / INR k + 3 * (a * sigma2 / INR k)) by (unfold a; field; lra). lra.
  Qed.

  (** ** Full local gradients: no noise, so larger steps and smaller constants *)
  Section FullGradients.
    Hypothesis exact : forall y xi z, ip (g y xi) z = ip (G y) z.
    Lemma law_exact j : Forall (fun pw => forall z, ip (sum_b (snd pw)) z = 0) (law j).
    Proof.
      induction j as [|j IH].
      - constructor; [|constructor]. intro z. simpl. unfold origin. rewrite ip_scal. ring.
      - simpl. apply (Forall_bind (fun st => forall z, ip (sum_b st) z = 0)). eapply Forall_impl; [|exact IH]. intros [w st] H. simpl in *.
        apply (Forall_bind (fun st => forall z, ip (sum_b st) z = 0)). apply Forall_forall. intros [q xi] _. constructor; [|constructor]. intro z. simpl.
        unfold sample_noise. rewrite ip_add, ip_sub, exact, H. ring.
    Qed.
    Lemma law_good_exact j : Forall (fun pw => good j (snd pw) /\ forall z, ip (sum_b (snd pw)) z = 0) (law j).
    Proof. apply Forall_and; [apply law_good|apply law_exact]. Qed.
    Lemma drift_exact j st : good j st -> (forall z, ip (sum_b st) z = 0) -> sq (sub (at_y st) x) <= 2 * eta ^ 2 * (INR j * sum_s st + INR j ^ 2 * sq c).
    Proof.
      intros (H1 & H2 & _ & _) Hb.
      assert (Q : sq (sub (at_y st) x) = eta ^ 2 * (sq (sum_a st) + INR j ^ 2 * sq c + 2 * INR j * ip (sum_a st) c)).
      { unfold sq at 1. rewrite H1, Hb. rewrite (ip_sym (sum_a st) (sub (at_y st) x)), (ip_sym c (sub (at_y st) x)), !H1, !Hb.
        unfold sq. rewrite (ip_sym c (sum_a st)). ring. }
      rewrite Q. apply (Rle_trans _ (eta ^ 2 * (2 * (INR j * sum_s st + INR j ^ 2 * sq c)))); [|right; ring].
      apply Rmult_le_compat_l; [apply pow2_ge_0|].
      pose proof (ip_pos (sub (sum_a st) (scal (INR j) c))) as A2. revert A2. expand. unfold sq in *. rewrite (ip_sym c (sum_a st)). intros. lra.
    Qed.
    Lemma mean_D_exact j : (j <= k)%nat -> E j sum_D <= 2 * eta ^ 2 * (INR j * (INR j - 1) / 2 * E k sum_s + INR j ^ 2 * (INR j - 1) / 3 * sq c).
    Proof.
      induction j as [|j IH]; intro Hj; [simpl; lra|]. specialize (IH ltac:(lia)). rewrite law_S.
      rewrite (Expect_ext (law j) _ (fun st => sum_D st + sq (sub (at_y st) x))) by (intro st; simpl; apply (Expect_const P _ HP)).
      rewrite Expect_plus.
      assert (Q : E j (fun st => sq (sub (at_y st) x)) <= E j (fun st => 2 * eta ^ 2 * (INR j * sum_s st + INR j ^ 2 * sq c))).
      { apply Expect_le_on_support; [apply law_distribution|]. eapply Forall_impl; [|apply (law_good_exact j)]. intros [w st] [Hst Hb]. simpl in *.
        apply (drift_exact j st Hst Hb). }
      rewrite (Expect_scal (law j)), !(Expect_plus (law j)), (Expect_scal (law j)), (Expect_const (law j) _ (law_distribution j)) in Q.
      pose proof (mean_s_up j k ltac:(lia)) as Hs. rewrite S_INR. set (n := INR j) in *.
      assert (Hn : 0 <= n) by (apply pos_INR). set (S := E k sum_s) in *.
      assert (C0 : 0 <= sq c) by apply ip_pos. assert (e2 : 0 <= 2 * eta ^ 2) by (pose proof (pow2_ge_0 eta); lra).
      eapply Rle_trans; [apply Rplus_le_compat; [exact IH|exact Q]|]. rewrite <- Rmult_plus_distr_l. apply Rmult_le_compat_l; [exact e2|].
      assert (n * E j sum_s <= n * S) by (apply Rmult_le_compat_l; lra). assert (0 <= n * sq c) by (apply Rmult_le_pos; lra). lra.
    Qed.
    Lemma next_distance_exact st : good k st -> (forall z, ip (sum_b st) z = 0) ->
      sq (sub (next st) xs) <= sq u - 2 * eta_g * eta * sum_cr st + eta_g ^ 2 * eta ^ 2 * (INR k * sum_s st).
    Proof.
      intros (H1 & H2 & _ & H3) Hb. set (v := sub (at_y st) x) in *.
      assert (Q : sq (sub (next st) xs) = sq u + 2 * eta_g * ip (proj v) u + eta_g ^ 2 * sq (proj v)).
      { unfold next, u, sq. fold v. repeat rewrite ?ip_sub, ?ip_sub_r, ?ip_add, ?ip_add_r, ?ip_scal, ?ip_scal_r.
        rewrite (ip_sym x (proj v)), (ip_sym xs (proj v)), (ip_sym xs x). ring. }
      assert (Q1 : ip (proj v) u = - eta * sum_cr st).
      { rewrite proj_adjoint, ip_sym, (Hx v), ip_sym, H1, (private_u c c_private), <- H3. ring. }
      assert (Q2 : sq (proj v) = eta ^ 2 * sq (proj (sum_a st))).
      { assert (W : forall z, ip (proj v) z = - eta * ip (proj (sum_a st)) z).
        { intro z. rewrite proj_adjoint, H1, Hb, <- (proj_adjoint c z), c_private, proj_adjoint. ring. }
        unfold sq. rewrite W, (ip_sym _ (proj v)), W. ring. }
      pose proof (proj_shrinks (sum_a st)) as Q3.
      rewrite Q, Q1, Q2. assert (0 <= eta_g ^ 2 * eta ^ 2) by (apply Rmult_le_pos; apply pow2_ge_0). nra.
    Qed.
    Lemma expected_next_exact :
      E k (fun st => sq (sub (next st) xs)) <= sq u - 2 * h * gap + 2 / 3 * (1 - / INR k) * (h ^ 3 * beta * sq c / eta_g ^ 2)
        - E k sum_s / INR k * (h / beta - h ^ 2 - (1 - / INR k) * (h ^ 3 * beta / eta_g ^ 2)).
    Proof.
      assert (Hn : 1 <= INR k) by (replace 1 with (INR 1) by reflexivity; apply le_INR, Hk).
      eapply Rle_trans.
      - apply Expect_le_on_support; [apply law_distribution|]. eapply Forall_impl; [|apply (law_good_exact k)]. intros [w st] [Hst Hb]. simpl in *.
        apply (next_distance_exact st Hst Hb).
      - rewrite (Expect_ext (law k) _ (fun st => sq u + (- (2 * eta_g * eta) * sum_cr st + eta_g ^ 2 * eta ^ 2 * INR k * sum_s st))) by (intro; ring).
        rewrite !(Expect_plus (law k)), !(Expect_scal (law k)), (Expect_const (law k) _ (law_distribution k)).
        pose proof (mean_cr k) as Hc. pose proof (mean_D_exact k (le_n k)) as HD.
        set (S := E k sum_s) in *. set (D := E k sum_D) in *. set (cr := E k sum_cr) in *. set (n := INR k) in *. set (C := sq c) in *.
        assert (Hc' : n * gap - beta / 2 * (2 * eta ^ 2 * (n * (n - 1) / 2 * S + n ^ 2 * (n - 1) / 3 * C)) + / (2 * beta) * S <= cr) by nra.
        assert (T1 : 2 * eta_g * eta * (n * gap - beta / 2 * (2 * eta ^ 2 * (n * (n - 1) / 2 * S + n ^ 2 * (n - 1) / 3 * C)) + / (2 * beta) * S) <= 2 * eta_g * eta * cr)
          by (apply Rmult_le_compat_l; [nra|exact Hc']).
        eapply Rle_trans; [apply Rplus_le_compat_l, Rplus_le_compat_r|].
        + rewrite <- Ropp_mult_distr_l. apply Ropp_le_contravar. exact T1.
        + right. unfold h. fold n. field. repeat split; lra.
    Qed.
    (** FedAvg and LSGD-PFL with full local gradients:  E d+ <= d - 2 h gap + c2 h^3,  c2 = (2/3)(1 - 1/K) beta norm(c)^2 / eta_g^2 *)
    Theorem gradient_steps_round : h * beta + (h * beta) ^ 2 <= 1 ->
      E k (fun st => sq (sub (next st) xs)) <= sq u - 2 * h * gap + h ^ 3 * (2 / 3 * (1 - / INR k) * beta * sq c / eta_g ^ 2).
    Proof.
      intro Hu. assert (Hn : 1 <= INR k) by (replace 1 with (INR 1) by reflexivity; apply le_INR, Hk).
      assert (Hh : 0 < h) by (unfold h; repeat apply Rmult_lt_0_compat; lra). assert (Hhb : 0 < h * beta) by nra.
      eapply Rle_trans; [exact expected_next_exact|]. pose proof sum_s_nonneg as S0. pose proof fractions as [F1 F2]. set (f := 1 - / INR k) in *.
      assert (C0 : 0 <= h / beta - h ^ 2 - f * (h ^ 3 * beta / eta_g ^ 2)).
      { set (e := / eta_g ^ 2) in *.
        replace (h / beta - h ^ 2 - f * (h ^ 3 * beta / eta_g ^ 2)) with (h / beta * (1 - h * beta - (h * beta) ^ 2 * (f * e))) by (unfold e; field; lra).
        apply Rmult_le_pos; [left; apply Rdiv_lt_0_compat; lra|].
        assert (f * e <= 1) by nra. assert (0 <= (h * beta) ^ 2) by apply pow2_ge_0. nra. }
      assert (0 <= E k sum_s / INR k * (h / beta - h ^ 2 - f * (h ^ 3 * beta / eta_g ^ 2))) by (apply Rmult_le_pos; assumption).
      replace (h ^ 3 * (2 / 3 * f * beta * sq c / eta_g ^ 2)) with (2 / 3 * f * (h ^ 3 * beta * sq c / eta_g ^ 2)) by (field; lra). lra.
    Qed.
    Lemma mean_variate_exact : E k variate_error <= E k sum_s / INR k.
    Proof.
      assert (Hn : 1 <= INR k) by (replace 1 with (INR 1) by reflexivity; apply le_INR, Hk).
      replace (E k sum_s / INR k) with (/ INR k * E k sum_s) by (unfold Rdiv; ring). rewrite <- (Expect_scal (law k)).
      apply Expect_le_on_support; [apply law_distribution|]. eapply Forall_impl; [|apply (law_good_exact k)]. intros [w st] [(_ & H2 & _ & _) Hb]. simpl in *.
      unfold variate_error.
      assert (Q : sq (add (sum_a st) (sum_b st)) = sq (sum_a st)).
      { unfold sq. rewrite ip_add, Hb, !ip_add_r, (ip_sym (sum_a st) (sum_b st)), Hb. ring. }
      rewrite Q. apply (Rmult_le_reg_r (INR k ^ 2)); [nra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by nra.
      replace (/ INR k * sum_s st * INR k ^ 2) with (INR k * sum_s st) by (field; lra). exact H2.
    Qed.
    (** SCAFFOLD with full local gradients: Psi with a = h^3 beta / eta_g^2, steps up to 1/(2 beta), no error term *)
    Theorem scaffold_gradients_round : h * beta + 2 * (h * beta) ^ 2 <= 1 ->
      let a := h ^ 3 * beta / eta_g ^ 2 in
      E k (fun st => sq (sub (next st) xs) + a * variate_error st) <= sq u + 2 / 3 * (a * sq c) - 2 * h * gap.
    Proof.
      intros Hu a. assert (Hn : 1 <= INR k) by (replace 1 with (INR 1) by reflexivity; apply le_INR, Hk).
      assert (Hh : 0 < h) by (unfold h; repeat apply Rmult_lt_0_compat; lra). assert (Hhb : 0 < h * beta) by nra.
      pose proof sum_s_nonneg as S0. pose proof fractions as [F1 F2]. assert (C0 : 0 <= sq c) by apply ip_pos.
      assert (Ha : 0 < a) by (unfold a; apply Rmult_lt_0_compat; [|lra]; apply Rmult_lt_0_compat; [apply pow_lt; exact Hh|lra]).
      pose proof expected_next_exact as Hmain. rewrite Expect_plus, (Expect_scal (law k) a).
      assert (Hav : a * E k variate_error <= a * (E k sum_s / INR k)) by (apply Rmult_le_compat_l; [lra|exact mean_variate_exact]).
      set (f := 1 - / INR k) in *.
      assert (Q0 : 0 <= h / beta - h ^ 2 - f * a - a).
      { set (e := / eta_g ^ 2) in *.
        replace (h / beta - h ^ 2 - f * a - a) with (h / beta * (1 - h * beta - (h * beta) ^ 2 * (f * e + e))) by (unfold a, e; field; lra).
        apply Rmult_le_pos; [left; apply Rdiv_lt_0_compat; lra|].
        assert (f * e + e <= 2) by nra. assert (0 <= (h * beta) ^ 2) by apply pow2_ge_0. nra. }
      assert (P0 : 0 <= E k sum_s / INR k * (h / beta - h ^ 2 - f * a - a)) by (apply Rmult_le_pos; assumption).
      replace (h ^ 3 * beta * sq c / eta_g ^ 2) with (a * sq c) in Hmain by (unfold a; field; lra). fold a in Hmain.
      assert (M0 : 0 <= a * sq c) by (apply Rmult_le_pos; lra).
      assert (2 / 3 * f * (a * sq c) <= 2 / 3 * (a * sq c)) by (apply Rmult_le_compat_r; lra). lra.
    Qed.
  End FullGradients.
End LocalSteps.
