(** * own:certificate: any FL routine that ends within a tolerance of the minimiser, and how the server knows

    F = sum_m p_m f_m, where f_m is mu_m-strongly convex, so F is so with mu = sum_m p_m mu_m: one number from every agent.
    [certificate_distance]  |w - w_S|^2 <= |grad F(w)|^2 / mu^2 at the minimiser w_S of F, for every w;
    [certificate_gap]       F(w) - F(w_S) <= |grad F(w)|^2 / (2 mu);
    [ridge_certificate]     the same for ridge regression, mu = (2/n)(1 + c), where c |v|^2 <= sum_j (phi_j'v)^2 for all v;
    [stop_rule]             so a routine that stops when |grad F(w)| / mu <= delta sqrt(A / n) ends within delta^2 A / n of w_S.

    For every routine that always ends so (any map from the history to a law on weights; what it does, and how long, is free) the regret of col:linear holds with
    (1 + delta)^2 A in place of A.  Main results, T >= 3, doubling, K arms:
    [certified_repaired], [_sharpened], [_best], [_best_two_arms]             one law, A = d/4 + norm2
    [certified_different_repaired], [_sharpened], [_best], [_best_two_arms]   different laws, A = d/4 + (9/4) norm2
    Main definitions: [within_tolerance], [certified_routine].                                                                   *)
From Coq Require Import Reals Lra Lia Psatz List Arith.
From FedIGW Require Import FiniteSums FiniteProbability InverseGapWeighting AcceleratedGradient RidgeExcessRisk Constants BestParameters
  Protocol DoublingSchedule DoublingRegret DoublingAnyRisk Exchangeability RidgeSamples RidgeProtocol RidgeDifferentLaws LinearRegret
  LinearDifferentLaws.
Import ListNotations.
Open Scope R_scope.

(** ** The certificate *)
Section Certificate.
  Variables (d agents : nat) (p mu : nat -> R) (f : nat -> vector -> R) (gradient : nat -> vector -> vector).
  Hypothesis Hp : forall m, (m < agents)%nat -> 0 <= p m.
  Hypothesis strongly_convex : forall m u v, (m < agents)%nat ->
    f m u + dot d (gradient m u) (minus v u) + mu m / 2 * square_norm d (minus v u) <= f m v.
  Definition total_gradient (w : vector) : vector := fun i => sum agents (fun m => p m * gradient m w i).
  Definition total_curvature : R := sum agents (fun m => p m * mu m).

  Lemma total_gradient_dot w h : dot d (total_gradient w) h = sum agents (fun m => p m * dot d (gradient m w) h).
  Proof.
    unfold dot, total_gradient. rewrite (sum_ext d _ (fun i => sum agents (fun m => p m * (gradient m w i * h i)))).
    - rewrite (sum_swap d agents). apply sum_ext. intros m _. apply sum_scal.
    - intros i _. rewrite Rmult_comm, <- sum_scal. apply sum_ext. intros; ring.
  Qed.
  (** |w - w_S|^2 <= |grad F(w)|^2 / mu^2,  mu = sum_m p_m mu_m, wherever the gradient at w_S is 0. *)
  Theorem certificate_distance w best : 0 < total_curvature -> (forall i, (i < d)%nat -> total_gradient best i = 0) ->
    square_norm d (minus w best) <= square_norm d (total_gradient w) / total_curvature ^ 2.
  Proof.
    intros Hmu Hbest. set (N := square_norm d (minus w best)).
    assert (Hsym : square_norm d (minus best w) = N) by (apply sum_ext; intros; unfold minus; ring).
    assert (Hopp : forall g, dot d g (minus best w) = - dot d g (minus w best)) by (intro g; rewrite !dot_minus; ring).
    assert (Hzero : dot d (total_gradient best) (minus w best) = 0).
    { unfold dot. rewrite <- (sum_zero d). apply sum_ext. intros i Hi. rewrite Hbest by exact Hi. ring. }
    assert (H : total_curvature * N <= dot d (total_gradient w) (minus w best)).
    { rewrite <- (Rminus_0_r (dot d (total_gradient w) (minus w best))), <- Hzero, !total_gradient_dot, <- sum_minus.
      unfold total_curvature. rewrite Rmult_comm, <- sum_scal. apply sum_le. intros m Hm.
      pose proof (strongly_convex m w best Hm) as H1. pose proof (strongly_convex m best w Hm) as H2.
      rewrite Hsym, Hopp in H1. fold N in H2. pose proof (Hp m Hm). nra. }
    pose proof (cauchy_schwarz d (total_gradient w) (minus w best)) as Hc.
    fold (dot d (total_gradient w) (minus w best)) (square_norm d (total_gradient w)) (square_norm d (minus w best)) in Hc. fold N in Hc.
    assert (HN : 0 <= N) by apply square_norm_nonneg. pose proof (square_norm_nonneg d (total_gradient w)) as HG.
    set (G := square_norm d (total_gradient w)) in *. set (s := dot d (total_gradient w) (minus w best)) in *.
    assert (Hm2 : 0 < total_curvature ^ 2) by (apply pow_lt; exact Hmu).
    apply (Rmult_le_reg_r (total_curvature ^ 2)); [exact Hm2|].
    replace (G / total_curvature ^ 2 * total_curvature ^ 2) with G by (field; lra).
    destruct (Rle_lt_or_eq_dec 0 N HN) as [Hpos|<-]; [|lra].
    apply (Rmult_le_reg_r N); [exact Hpos|].
    apply Rle_trans with (s ^ 2); [|exact Hc].
    replace (N * total_curvature ^ 2 * N) with ((total_curvature * N) ^ 2) by ring.
    apply pow_incr. split; [apply Rmult_le_pos; lra|exact H].
  Qed.
  (** F(w) - F(w_S) <= |grad F(w)|^2 / (2 mu): no gradient at w_S is needed. *)
  Theorem certificate_gap w best : 0 < total_curvature ->
    sum agents (fun m => p m * f m w) - sum agents (fun m => p m * f m best) <= square_norm d (total_gradient w) / (2 * total_curvature).
  Proof.
    intro Hmu. set (N := square_norm d (minus w best)). set (s := dot d (total_gradient w) (minus w best)).
    assert (H : sum agents (fun m => p m * f m w) - sum agents (fun m => p m * f m best) <= s - total_curvature / 2 * N).
    { unfold s, total_curvature. rewrite total_gradient_dot. unfold Rdiv. rewrite Rmult_assoc, Rmult_comm, <- sum_scal, <- !sum_minus.
      apply sum_le. intros m Hm. pose proof (strongly_convex m w best Hm) as H1. pose proof (Hp m Hm) as H2.
      assert (Hsym : square_norm d (minus best w) = N) by (apply sum_ext; intros; unfold minus; ring).
      assert (Hopp : dot d (gradient m w) (minus best w) = - dot d (gradient m w) (minus w best)) by (rewrite !dot_minus; ring).
      rewrite Hsym, Hopp in H1. apply (Rmult_le_compat_l (p m)) in H1; [|exact H2]. lra. }
    pose proof (cauchy_schwarz d (total_gradient w) (minus w best)) as Hc.
    fold (dot d (total_gradient w) (minus w best)) (square_norm d (total_gradient w)) (square_norm d (minus w best)) in Hc. fold N s in Hc.
    assert (HN : 0 <= N) by apply square_norm_nonneg. pose proof (square_norm_nonneg d (total_gradient w)) as HG.
    set (G := square_norm d (total_gradient w)) in *. eapply Rle_trans; [exact H|].
    apply (Rmult_le_reg_r (2 * total_curvature)); [lra|]. replace (G / (2 * total_curvature) * (2 * total_curvature)) with G by (field; lra).
    set (c := total_curvature) in *. destruct (Rle_dec s 0) as [Hs|Hs]; [nra|].
    assert (Hroot : (2 * (s * c)) ^ 2 <= (G + c ^ 2 * N) ^ 2) by (pose proof (pow2_ge_0 (G - c ^ 2 * N)); nra).
    assert (2 * (s * c) <= G + c ^ 2 * N).
    { apply Rnot_lt_le. intro Hn. assert (0 <= G + c ^ 2 * N) by nra. nra. }
    nra.
  Qed.
End Certificate.

(** Ridge regression; the agents' c_m add up: sum_j over all samples is the sum over the agents. *)
Theorem ridge_certificate d n (phi : nat -> vector) (r : nat -> R) (c : R) (w wS : vector) :
  (1 <= n)%nat -> 0 <= c -> (forall v, c * square_norm d v <= sum n (fun j => dot d (phi j) v ^ 2)) ->
  (forall i, (i < d)%nat -> ridge_gradient d n phi r wS i = 0) ->
  square_norm d (minus w wS) <= square_norm d (ridge_gradient d n phi r w) / (2 * / INR n * (1 + c)) ^ 2.
Proof.
  intros Hn Hc Hcurved HS. pose proof (n_pos n Hn) as Hi.
  pose proof (certificate_distance d 1 (fun _ => 1) (fun _ => 2 * / INR n * (1 + c)) (fun _ => ridge d n phi r)
    (fun _ => ridge_gradient d n phi r)) as H.
  unfold total_gradient, total_curvature in H. cbn [sum] in H. rewrite !Rplus_0_l, !Rmult_1_l in H.
  replace (square_norm d (ridge_gradient d n phi r w)) with (square_norm d (fun i => 0 + 1 * ridge_gradient d n phi r w i))
    by (apply sum_ext; intros; ring).
  apply H.
  - intros. lra.
  - intros _ u v _. rewrite (ridge_expansion d n phi r u v). specialize (Hcurved (minus v u)).
    apply (Rmult_le_compat_l (/ INR n)) in Hcurved; [|lra]. lra.
  - apply Rmult_lt_0_compat; lra.
  - intros i Hd. rewrite HS by exact Hd. ring.
Qed.

(** The stop rule: a server that stops at w when |grad F(w)| <= mu sqrt(tol) is within tol of the ridge solution of the pooled data t. *)
Theorem stop_rule {Y} (feat : Y -> vector) (y0 : Y) d n (t : list (Y * R)) (c tol : R) (w : vector) : (1 <= n)%nat -> 0 <= c ->
  let phi := fun j => at_point feat y0 t j in
  let r := fun j => snd (nth j t (nowhere y0)) in
  (forall v, c * square_norm d v <= sum n (fun j => dot d (phi j) v ^ 2)) ->
  square_norm d (ridge_gradient d n phi r w) <= (2 * / INR n * (1 + c)) ^ 2 * tol ->
  square_norm d (minus w (ridge_fit feat y0 d n t)) <= tol.
Proof.
  intros Hn Hc phi r Hcurved Hstop. pose proof (n_pos n Hn) as Hi. assert (Hmu : 0 < (2 * / INR n * (1 + c)) ^ 2) by (apply pow_lt, Rmult_lt_0_compat; lra).
  eapply Rle_trans; [apply (ridge_certificate d n phi r c w (ridge_fit feat y0 d n t) Hn Hc Hcurved)|].
  - intros i Hd. unfold ridge_gradient, ridge_fit, ridge_solution.
    pose proof (solve_solves d phi n (fun i => sum n (fun j => r j * phi j i)) i Hd) as Es. unfold RidgeExcessRisk.A in Es.
    set (v := solve d phi n (fun i => sum n (fun j => r j * phi j i))) in *.
    change (2 * (/ INR n * sum n (fun j => (dot d (phi j) v - r j) * phi j i)) + 2 * (/ INR n * v i) = 0).
    rewrite (sum_ext n (fun j => (dot d (phi j) v - r j) * phi j i) (fun j => dot d (phi j) v * phi j i - r j * phi j i)) by (intros; ring).
    rewrite sum_minus. replace (v i) with (sum n (fun j => r j * phi j i) - sum n (fun j => dot d (phi j) v * phi j i)) by lra.
    ring.
  - apply (Rmult_le_reg_r ((2 * / INR n * (1 + c)) ^ 2)); [exact Hmu|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra.
Qed.

(** ** Estimates near the minimiser *)
Section Near.
  Variables (M : nat) (X K : nat -> nat) (D : nat -> nat -> R) (reward_law : nat -> nat -> nat -> list (R * R)).
  Variables (len : nat -> nat -> nat) (gamma : nat -> R) (dim : nat) (phi : nat -> nat -> nat -> vector) (wstar : vector).
  Hypothesis HK : forall m, (1 <= K m)%nat.
  Hypothesis HD0 : forall m x, (x < X m)%nat -> 0 <= D m x.
  Hypothesis HD1 : forall m, sum (X m) (D m) = 1.
  Hypothesis HR : forall m x a, distribution (reward_law m x a).
  Hypothesis Hlin : forall m x a, Expect (reward_law m x a) (fun r => r) = dot dim (phi m x a) wstar.
  Hypothesis Hphi : forall m x a, square_norm dim (phi m x a) <= 1.
  Hypothesis Hgamma : forall l, 0 <= gamma l.
  Variables (l : nat) (f : estimate) (delta tol : R).
  Hypothesis Hl : (1 <= l)%nat.
  Hypothesis Hdelta : 0 < delta.
  Let extra := (1 + / delta) * tol.
  Let Err := Err_of M X K D reward_law len gamma l f.

  Lemma near_point p w wS : square_norm dim p <= 1 -> square_norm dim (minus w wS) <= tol ->
    dot dim p (minus w wstar) ^ 2 <= (1 + delta) * dot dim p (minus wS wstar) ^ 2 + extra.
  Proof.
    intros Hp Hw.
    replace (dot dim p (minus w wstar)) with (dot dim p (minus wS wstar) + dot dim p (minus w wS)) by (rewrite !dot_minus; ring).
    pose proof (cauchy_schwarz dim p (minus w wS)) as Hc. fold (dot dim p (minus w wS)) (square_norm dim p) (square_norm dim (minus w wS)) in Hc.
    pose proof (square_norm_nonneg dim (minus w wS)) as Hn. pose proof (square_norm_nonneg dim p) as Hp0.
    set (u := dot dim p (minus wS wstar)) in *. set (v := dot dim p (minus w wS)) in *. set (N := square_norm dim (minus w wS)) in *.
    assert (Hv : v ^ 2 <= tol) by nra.
    assert (Hi : 0 < / delta) by (apply Rinv_0_lt_compat; exact Hdelta).
    assert (Hq : 2 * u * v <= delta * u ^ 2 + / delta * v ^ 2).
    { assert (0 <= / delta * (delta * u - v) ^ 2) by (apply Rmult_le_pos; [lra|apply pow2_ge_0]).
      replace (/ delta * (delta * u - v) ^ 2) with (delta * u ^ 2 - 2 * u * v + / delta * v ^ 2) in H by (field; lra). lra. }
    assert ((1 + / delta) * v ^ 2 <= extra) by (apply Rmult_le_compat_l; lra). nra.
  Qed.
  Lemma near_error w wS : square_norm dim (minus w wS) <= tol ->
    Err (own_linear_estimate dim phi w) <= (1 + delta) * Err (own_linear_estimate dim phi wS) + W M len l * extra.
  Proof.
    intro Hw. unfold Err, Err_of, over_epoch, W. rewrite Rmult_comm with (r1 := sum M _), <- !sum_scal, <- sum_plus. apply sum_le. intros m _.
    set (q0 := fun x a => (own_linear_estimate dim phi wS m x a - fstar reward_law m x a) * (own_linear_estimate dim phi wS m x a - fstar reward_law m x a)).
    set (kernel := fun x a => igw (K m) (gamma l) (f m x) a).
    apply Rle_trans with (E len l m * sum (X m) (fun x => D m x * ((1 + delta) * sum (K m) (fun a => kernel x a * q0 x a) + extra))).
    - apply Rmult_le_compat_l; [apply pos_INR|]. apply sum_le. intros x Hx. apply Rmult_le_compat_l; [apply HD0; exact Hx|].
      replace extra with (sum (K m) (fun a => extra * kernel x a)) by (rewrite sum_scal; unfold kernel; rewrite igw_total by auto; ring).
      rewrite <- sum_scal, <- sum_plus. apply sum_le. intros a Ha.
      pose proof (igw_pos (K m) (gamma l) (f m x) (HK m) (Hgamma l) a Ha) as Hk0. fold (kernel x a) in Hk0 |- *.
      pose proof (near_point (phi m x a) w wS (Hphi m x a) Hw) as Hpoint.
      unfold q0, own_linear_estimate, fstar. rewrite Hlin, !dot_minus in *.
      apply (Rmult_le_compat_l (kernel x a)) in Hpoint; [|lra]. nra.
    - right. rewrite (sum_ext (X m) (fun x => D m x * ((1 + delta) * sum (K m) (fun a => kernel x a * q0 x a) + extra))
        (fun x => (1 + delta) * (D m x * sum (K m) (fun a => kernel x a * q0 x a)) + extra * D m x)) by (intros; ring).
      rewrite sum_plus, !sum_scal, HD1. unfold kernel, q0. ring.
  Qed.
  (** what a routine returns: weights, drawn from any law that the history fixes, turned into an estimate *)
  Definition certified_routine (weights : nat -> run -> list (R * vector)) (l : nat) (h : run) : list (R * estimate) :=
    bind (weights l h) (fun w => dirac (own_linear_estimate dim phi w)).
  (** every output lies within tol of w_S *)
  Definition within_tolerance (weights : nat -> run -> list (R * vector)) (h : run) (wS : vector) : Prop :=
    Forall (fun pw => square_norm dim (minus (snd pw) wS) <= tol) (weights l h).

  Variables (weights : nat -> run -> list (R * vector)) (fit : dataset -> vector) (least : R) (h : run).
  Hypothesis Hlaw : forall h, distribution (weights l h).
  Hypothesis Hwithin : forall h, within_tolerance weights h (fit (snd (h l))).
  Hypothesis exact_H3 : Expect (all_agents X K D reward_law len gamma l f M) (fun ds => Err (own_linear_estimate dim phi (fit ds))) <= least.
  Lemma certified_H3 : Expect (all_agents X K D reward_law len gamma l f M)
      (fun ds => Expect (certified_routine weights l (update h l (f, ds))) Err) <= (1 + delta) * least + W M len l * extra.
  Proof.
    assert (Hd : distribution (all_agents X K D reward_law len gamma l f M))
      by (apply (distribution_all_agents X K D reward_law l len gamma HK HD0 HD1 HR (fun i _ => Hgamma i)); lia).
    apply Rle_trans with (Expect (all_agents X K D reward_law len gamma l f M)
      (fun ds => (1 + delta) * Err (own_linear_estimate dim phi (fit ds)) + W M len l * extra)).
    - apply Expect_le; [apply Hd|]. intro ds. set (h' := update h l (f, ds)). unfold certified_routine. rewrite Expect_bind.
      rewrite (Expect_ext _ _ (fun w => Err (own_linear_estimate dim phi w))) by (intro w; apply Expect_dirac).
      rewrite <- (Expect_const (weights l h') ((1 + delta) * Err (own_linear_estimate dim phi (fit ds)) + W M len l * extra)) by apply Hlaw.
      apply Expect_le_on_support; [apply Hlaw|]. eapply Forall_impl; [|apply (Hwithin h')]. intros [q w] Hw. cbn [snd] in *.
      apply near_error. unfold h' in Hw. rewrite update_same in Hw. exact Hw.
    - rewrite (Expect_plus_const _ _ (fun ds => (1 + delta) * Err (own_linear_estimate dim phi (fit ds))) (W M len l * extra)) by (auto; reflexivity).
      rewrite Expect_scal. apply (Rmult_le_compat_l (1 + delta)) in exact_H3; lra.
  Qed.
End Near.

(** ** The regret of any FL routine with risks e_l of at most risk / n_l, at the best rates *)
Section AnyRoutine.
  Variables (M k T : nat) (X : nat -> nat) (D : nat -> nat -> R) (reward_law : nat -> nat -> nat -> list (R * R)).
  Variables (FLroutine : nat -> run -> list (R * estimate)) (e : nat -> R) (risk : R) (reachable : estimate -> Prop).
  Hypothesis HM : (1 <= M)%nat.
  Hypothesis Hk : (1 <= k)%nat.
  Hypothesis HT : (3 <= T)%nat.
  Hypothesis HD0 : forall m x, (x < X m)%nat -> 0 <= D m x.
  Hypothesis HD1 : forall m, sum (X m) (D m) = 1.
  Hypothesis HR : forall m x a, distribution (reward_law m x a).
  Hypothesis HR01 : forall m x a, Forall (fun pr => 0 <= snd pr <= 1) (reward_law m x a).
  Hypothesis HFL : forall l h, distribution (FLroutine l h).
  Hypothesis Hzero : reachable zero_estimate.
  Hypothesis Hreach : forall l h, Forall (fun pf => reachable (snd pf)) (FLroutine l h).
  Hypothesis Hrisk : 0 < risk.
  Hypothesis He : forall l, (1 <= l <= epochs_until T)%nat -> 0 < e l.
  Hypothesis Hdecreases : forall l, (1 <= l)%nat -> (S (S l) <= epochs_until T)%nat -> e (S l) <= e l.
  Hypothesis Hbelow : forall l, (1 <= l <= epochs_until T)%nat -> e l <= risk / (INR M * INR (doubling T l 0)).
  Hypothesis H3 : forall g l h f, 0 < g -> reachable f -> (1 <= l)%nat -> (S l <= epochs_until T)%nat ->
    Expect (all_agents X (K_arms k) D reward_law (doubling T) (risk_rates k e g) l f M)
      (fun d => Expect (FLroutine l (update h l (f, d)))
        (fun f' => Err_of M X (K_arms k) D reward_law (doubling T) (risk_rates k e g) l f f'))
    <= Protocol.W M (doubling T) l * e l.
  Let Reg := risk_Reg_T M X k D reward_law FLroutine e T.

  Lemma routine_repaired : Reg 1 <= uncapped_sum 11 M k T e <= linear_repaired_bound (INR M) (INR k) (INR T) risk.
  Proof.
    apply (thm_risk_repaired_closed M X k D reward_law FLroutine e T 1 HM Hk HD0 HD1 HR HR01 HFL HT ltac:(lra) He Hdecreases reachable Hzero Hreach).
    - intros l h f. apply H3. lra.
    - lra.
    - reflexivity.
    - exact Hbelow.
  Qed.
  Lemma routine_sharpened : let q := 1 - / INR k in
    Reg (sqrt ((3 * q + 1) / 8)) <= capped_sum (linear_sharpened_constant q) M k T e <=
      linear_bound (linear_sharpened_constant q) (INR M) (INR k) (INR T) risk.
  Proof.
    intro q. assert (Hkk : 1 <= INR k) by (replace 1 with (INR 1) by reflexivity; apply le_INR, Hk).
    assert (Hki : 0 < / INR k <= 1) by (split; [apply Rinv_0_lt_compat; lra|rewrite <- Rinv_1; apply Rinv_le_contravar; lra]).
    set (g := sqrt ((3 * q + 1) / 8)). assert (Hg : 0 < g) by (apply sqrt_lt_R0; unfold q; lra).
    pose proof (sharpened_constant_attained 1 q ltac:(lra) ltac:(unfold q; lra)) as H1. cbv zeta in H1.
    replace ((3 * 1 * q + 1) / (8 * 1 ^ 3)) with ((3 * q + 1) / 8) in H1 by field.
    replace (2 * 1 * (3 * 1 * q + 1)) with (2 * (3 * q + 1)) in H1 by ring. unfold linear_sharpened_constant. rewrite <- H1. fold g.
    apply (risk_closed M X k D reward_law FLroutine e T g HM Hk HT Hg risk (sharpened_constant 1 g q)).
    - lra.
    - apply (sharpened_nonneg k g Hk q). unfold q. lra.
    - exact Hbelow.
    - apply (thm_risk_sharpened M X k D reward_law FLroutine e T g HM Hk HD0 HD1 HR HR01 HFL HT Hg He Hdecreases reachable Hzero Hreach);
        [|unfold q; lra]. intros l h f. apply H3. exact Hg.
  Qed.
  Lemma routine_best : (3 <= k)%nat -> (forall l, (2 <= l)%nat -> (S (S l) <= epochs_until T)%nat -> e (S l) = e l / 2) ->
    Reg (sqrt (Rmax (1 - / INR k) (1 - 2 / INR k + doubling_arms) / doubling_risk)) <= capped_sum (doubling_over_g (INR k)) M k T e <=
      linear_bound (doubling_over_g (INR k)) (INR M) (INR k) (INR T) risk.
  Proof.
    intros Hk3 Hhalf. assert (H2 : 2 <= INR k) by (change 2 with (INR 2); apply le_INR; lia).
    pose proof (arms_positive doubling_arms (INR k) H2) as HC.
    pose proof (arms_below doubling_arms (INR k) H2 ltac:(unfold doubling_arms; lra)) as HC1.
    assert (HB : 0 < doubling_risk) by (unfold doubling_risk; lra).
    rewrite <- (doubling_constant_attained (INR k) H2).
    set (g := sqrt (Rmax (1 - / INR k) (1 - 2 / INR k + doubling_arms) / doubling_risk)).
    assert (Hg : 0 < g) by (apply sqrt_lt_R0; apply Rdiv_lt_0_compat; assumption).
    apply (risk_closed M X k D reward_law FLroutine e T g HM Hk HT Hg risk (doubling_constant (INR k) g)).
    - lra.
    - apply (doubling_above_g k g Hg). lia.
    - exact Hbelow.
    - apply (thm_risk_best M X k D reward_law FLroutine e T g HM Hk HD0 HD1 HR HR01 HFL HT Hg He Hdecreases reachable Hzero Hreach); auto.
      unfold g. rewrite pow2_sqrt by (left; apply Rdiv_lt_0_compat; assumption).
      apply (Rmult_le_reg_r doubling_risk); [exact HB|].
      replace (Rmax (1 - / INR k) (1 - 2 / INR k + doubling_arms) / doubling_risk * doubling_risk)
        with (Rmax (1 - / INR k) (1 - 2 / INR k + doubling_arms)) by (field; lra).
      unfold doubling_arms, doubling_risk in *. lra.
  Qed.
  Lemma routine_best_two_arms : k = 2%nat ->
    Reg (sqrt (2 / 9)) <= capped_sum (3 / sqrt 2) M k T e <= linear_bound (3 / sqrt 2) (INR M) (INR k) (INR T) risk.
  Proof.
    intro Hk2. rewrite <- two_arm_constant_attained. set (g := sqrt (2 / 9)). assert (Hg : 0 < g) by (apply sqrt_lt_R0; lra).
    apply (risk_closed M X k D reward_law FLroutine e T g HM Hk HT Hg risk (two_arm_constant g)).
    - lra.
    - unfold two_arm_constant. pose proof (pow2_ge_0 g). lra.
    - exact Hbelow.
    - apply (thm_risk_best_two_arms M X k D reward_law FLroutine e T g HM Hk HD0 HD1 HR HR01 HFL HT Hg He Hdecreases reachable Hzero Hreach); auto.
  Qed.
End AnyRoutine.

(** ** Different laws *)
Section DifferentLaws.
  Variables (M k T : nat) (X : nat -> nat) (D : nat -> nat -> R) (reward_law : nat -> nat -> nat -> list (R * R)).
  Variables (dim : nat) (phi : nat -> nat -> nat -> vector) (wstar : vector) (norm2 : R).
  Hypothesis HM : (1 <= M)%nat.
  Hypothesis Hk : (1 <= k)%nat.
  Hypothesis HT : (3 <= T)%nat.
  Hypothesis Hdim : (1 <= dim)%nat.
  Hypothesis HD0 : forall m x, (x < X m)%nat -> 0 <= D m x.
  Hypothesis HD1 : forall m, sum (X m) (D m) = 1.
  Hypothesis HR : forall m x a, distribution (reward_law m x a).
  Hypothesis HR01 : forall m x a, Forall (fun pr => 0 <= snd pr <= 1) (reward_law m x a).
  Hypothesis Hlin : forall m x a, Expect (reward_law m x a) (fun r => r) = dot dim (phi m x a) wstar.
  Hypothesis Hphi : forall m x a, square_norm dim (phi m x a) <= 1.
  Hypothesis Hstar : square_norm dim wstar <= norm2.
  Variables (delta : R) (weights : nat -> run -> list (R * vector)).
  Hypothesis Hdelta : 0 < delta.
  Hypothesis Hlaw : forall l h, distribution (weights l h).
  (** the routine always ends within delta^2 A / n of the minimiser of the epoch's pooled data, n = M E^l *)
  Hypothesis always : forall l h, (1 <= l)%nat -> (S l <= epochs_until T)%nat ->
    within_tolerance dim l (delta ^ 2 * (different_constant (INR dim) norm2 / (INR M * INR (doubling T l 0)))) weights h
      (places_fit M (doubling T) dim phi l (pooled_places M (snd (h l)))).
  Let A := different_constant (INR dim) norm2.
  Local Notation risk := ((1 + delta) ^ 2 * different_constant (INR dim) norm2).
  (** Reg(T) of FedIGW with this routine and gamma^{l+1} = g sqrt(K / e_l), e_l = risk / n_l *)
  Definition certified_different_Reg_T (g : R) : R :=
    risk_Reg_T M X k D reward_law (certified_routine dim phi weights) (different_risk M T ((1 + delta) ^ 2 * different_constant (INR dim) norm2)) T g.
  Lemma different_risk_is_positive : 0 < risk.
  Proof. apply Rmult_lt_0_compat; [apply pow_lt; lra|]. apply (different_A_positive dim wstar norm2 Hstar Hdim). Qed.
  Lemma certified_law l h : distribution (certified_routine dim phi weights l h).
  Proof. apply distribution_bind; [apply Hlaw|]. intro w. apply distribution_dirac. Qed.
  Lemma certified_different_H3 g l h f : 0 < g -> True -> (1 <= l)%nat -> (S l <= epochs_until T)%nat ->
    Expect (all_agents X (K_arms k) D reward_law (doubling T) (risk_rates k (different_risk M T risk) g) l f M)
      (fun d => Expect (certified_routine dim phi weights l (update h l (f, d)))
        (fun f' => Err_of M X (K_arms k) D reward_law (doubling T) (risk_rates k (different_risk M T risk) g) l f f'))
    <= Protocol.W M (doubling T) l * different_risk M T risk l.
  Proof.
    intros Hg _ H1 H2. set (rates := risk_rates k (different_risk M T risk) g).
    assert (Hrates : forall i, 0 <= rates i) by (intro i; apply risk_rates_nonneg; exact Hg).
    pose proof (samples_count M k T HM Hk HT l ltac:(lia)) as Hn.
    eapply Rle_trans.
    - apply (certified_H3 M X (K_arms k) D reward_law (doubling T) rates dim phi wstar (fun _ => Hk) HD0 HD1 HR Hlin Hphi Hrates l f delta
        (delta ^ 2 * (A / (INR M * INR (doubling T l 0)))) H1 Hdelta weights
        (fun ds => different_direct M T dim phi l (pooled_places M ds)) A h (Hlaw l)).
      + intro h'. apply always; assumption.
      + apply (different_direct_H3 M k X D reward_law T dim phi wstar norm2 Hk HD0 HD1 HR HR01 Hlin Hphi Hstar); auto.
    - rewrite (W_samples M T). right. unfold different_risk. fold A. field. repeat split; intro Hz; rewrite Hz in *; lra.
  Qed.
  Let below l : (1 <= l <= epochs_until T)%nat -> different_risk M T risk l <= risk / (INR M * INR (doubling T l 0)).
  Proof. intros _. unfold different_risk. lra. Qed.
  Let any (f : estimate) : Prop := True.
  Let reached l h : Forall (fun pf => any (snd pf)) (certified_routine dim phi weights l h).
  Proof. apply Forall_forall. intros. exact I. Qed.

  Let positive : forall l, (1 <= l <= epochs_until T)%nat -> 0 < different_risk M T risk l :=
    different_risk_pos M k T HM Hk HT risk different_risk_is_positive.
  Let decreases : forall l, (1 <= l)%nat -> (S (S l) <= epochs_until T)%nat -> different_risk M T risk (S l) <= different_risk M T risk l :=
    different_risk_decreases M k T dim HM Hk Hdim HT risk different_risk_is_positive.

  (** repaired:  2M + 11 (2 + sqrt 2) (1 + delta) sqrt(M K T (d/4 + (9/4) norm2)). *)
  Theorem certified_different_repaired :
    certified_different_Reg_T 1 <= uncapped_sum 11 M k T (different_risk M T risk) <= linear_repaired_bound (INR M) (INR k) (INR T) risk.
  Proof.
    exact (routine_repaired M k T X D reward_law _ _ risk any HM Hk HT HD0 HD1 HR HR01 certified_law I reached
      different_risk_is_positive positive decreases below certified_different_H3).
  Qed.
  (** sharpened, g^2 = (3q + 1)/8. *)
  Theorem certified_different_sharpened : let q := 1 - / INR k in
    certified_different_Reg_T (sqrt ((3 * q + 1) / 8)) <=
      capped_sum (linear_sharpened_constant q) M k T (different_risk M T risk) <=
      linear_bound (linear_sharpened_constant q) (INR M) (INR k) (INR T) risk.
  Proof.
    exact (routine_sharpened M k T X D reward_law _ _ risk any HM Hk HT HD0 HD1 HR HR01 certified_law I reached
      different_risk_is_positive positive decreases below certified_different_H3).
  Qed.
  (** best, K >= 3: the constant is at most 3.6981. *)
  Theorem certified_different_best : (3 <= k)%nat ->
    certified_different_Reg_T (sqrt (Rmax (1 - / INR k) (1 - 2 / INR k + doubling_arms) / doubling_risk)) <=
      capped_sum (doubling_over_g (INR k)) M k T (different_risk M T risk) <=
      linear_bound (doubling_over_g (INR k)) (INR M) (INR k) (INR T) risk.
  Proof.
    intro Hk3. exact (routine_best M k T X D reward_law _ _ risk any HM Hk HT HD0 HD1 HR HR01 certified_law I reached
      different_risk_is_positive positive decreases below certified_different_H3 Hk3
      (different_risk_halves M k T dim HM Hk Hdim HT risk)).
  Qed.
  (** best, two arms:  3 / sqrt 2. *)
  Theorem certified_different_best_two_arms : k = 2%nat ->
    certified_different_Reg_T (sqrt (2 / 9)) <=
      capped_sum (3 / sqrt 2) M k T (different_risk M T risk) <= linear_bound (3 / sqrt 2) (INR M) (INR k) (INR T) risk.
  Proof.
    exact (routine_best_two_arms M k T X D reward_law _ _ risk any HM Hk HT HD0 HD1 HR HR01 certified_law I reached
      different_risk_is_positive positive decreases below certified_different_H3).
  Qed.
End DifferentLaws.

(** ** One law for all agents *)
Section SameLaw.
  Variables (M contexts k T : nat) (D : nat -> R) (reward_law : nat -> nat -> list (R * R)).
  Variables (dim : nat) (phi : nat -> nat -> vector) (wstar : vector) (norm2 : R).
  Hypothesis HM : (1 <= M)%nat.
  Hypothesis Hk : (1 <= k)%nat.
  Hypothesis HT : (3 <= T)%nat.
  Hypothesis Hdim : (1 <= dim)%nat.
  Hypothesis HD0 : forall x, (x < contexts)%nat -> 0 <= D x.
  Hypothesis HD1 : sum contexts D = 1.
  Hypothesis HR : forall x a, distribution (reward_law x a).
  Hypothesis HR01 : forall x a, Forall (fun pr => 0 <= snd pr <= 1) (reward_law x a).
  Hypothesis Hlin : forall x a, Expect (reward_law x a) (fun r => r) = dot dim (phi x a) wstar.
  Hypothesis Hphi : forall x a, square_norm dim (phi x a) <= 1.
  Hypothesis Hstar : square_norm dim wstar <= norm2.
  Variables (delta : R) (weights : nat -> run -> list (R * vector)).
  Hypothesis Hdelta : 0 < delta.
  Hypothesis Hlaw : forall l h, distribution (weights l h).
  (** the routine always ends within delta^2 A / (n + 1) of the minimiser of the epoch's pooled data, n = M E^l *)
  Hypothesis always : forall l h, (1 <= l)%nat -> (S l <= epochs_until T)%nat ->
    within_tolerance dim l (delta ^ 2 * (linear_constant (INR dim) norm2 / (INR M * INR (doubling T l 0) + 1))) weights h
      (ridge_of M (doubling T) dim phi l (snd (h l))).
  Let A := linear_constant (INR dim) norm2.
  Local Notation risk := ((1 + delta) ^ 2 * linear_constant (INR dim) norm2).
  Let routine := certified_routine dim (fun _ => phi) weights.
  (** Reg(T) of FedIGW with this routine and gamma^{l+1} = g sqrt(K / e_l) *)
  Definition certified_Reg_T (e : nat -> R) (g : R) : R :=
    risk_Reg_T M (fun _ => contexts) k (fun _ => D) (fun _ => reward_law) (certified_routine dim (fun _ => phi) weights) e T g.
  Let risk_positive : 0 < risk.
  Proof. apply Rmult_lt_0_compat; [apply pow_lt; lra|]. apply (A_positive dim wstar norm2 Hstar Hdim). Qed.
  Let law l h : distribution (routine l h).
  Proof. apply distribution_bind; [apply Hlaw|]. intro w. apply distribution_dirac. Qed.
  Let reached l h : Forall (fun pf => common_estimate (snd pf)) (routine l h).
  Proof.
    unfold routine, certified_routine. apply (Forall_bind common_estimate). apply Forall_forall. intros [q w] _. simpl.
    constructor; [|constructor]. intros m x. reflexivity.
  Qed.
  Lemma certified_same_H3 e g l h f : (forall i, (1 <= i <= epochs_until T)%nat -> ridge_risk M T risk i <= e i) ->
    0 < g -> common_estimate f -> (1 <= l)%nat -> (S l <= epochs_until T)%nat ->
    Expect (all_agents (fun _ => contexts) (K_arms k) (fun _ => D) (fun _ => reward_law) (doubling T) (risk_rates k e g) l f M)
      (fun d => Expect (routine l (update h l (f, d)))
        (fun f' => Err_of M (fun _ => contexts) (K_arms k) (fun _ => D) (fun _ => reward_law) (doubling T) (risk_rates k e g) l f f'))
    <= Protocol.W M (doubling T) l * e l.
  Proof.
    intros He Hg Hf H1 H2. assert (Hrates : forall i, 0 <= risk_rates k e g i) by (intro i; apply risk_rates_nonneg; exact Hg).
    pose proof (samples_count M k T HM Hk HT l ltac:(lia)) as Hn. set (n := INR M * INR (doubling T l 0)) in *.
    apply Rle_trans with (Protocol.W M (doubling T) l * ridge_risk M T risk l).
    - eapply Rle_trans.
      + apply (certified_H3 M (fun _ => contexts) (K_arms k) (fun _ => D) (fun _ => reward_law) (doubling T) (risk_rates k e g) dim
          (fun _ => phi) wstar (fun _ => Hk) (fun _ => HD0) (fun _ => HD1) (fun _ => HR) (fun _ => Hlin) (fun _ => Hphi) Hrates l f delta
          (delta ^ 2 * (A / (n + 1))) H1 Hdelta weights (fun ds => direct_weights M T dim phi l (pooled M ds)) (n * (A / (n + 1))) h (Hlaw l)).
        * intro h'. apply always; assumption.
        * pose proof (direct_H3 M contexts k D reward_law T dim phi wstar norm2 Hk HD0 HD1 HR HR01 Hlin Hphi Hstar (risk_rates k e g) l f
            (Hrates l) Hf H1 H2) as H. rewrite (W_samples M T) in H. exact H.
      + rewrite (W_samples M T). right. unfold ridge_risk. fold n A. field. lra.
    - rewrite (W_samples M T). apply Rmult_le_compat_l; [fold n; lra|]. apply He. lia.
  Qed.
  Let positive : forall l, (1 <= l <= epochs_until T)%nat -> 0 < ridge_risk M T risk l := ridge_risk_pos M k T HM Hk HT risk risk_positive.
  Let decreases : forall l, (1 <= l)%nat -> (S (S l) <= epochs_until T)%nat -> ridge_risk M T risk (S l) <= ridge_risk M T risk l :=
    ridge_decreases M k T dim HM Hk Hdim HT risk risk_positive.
  Let below : forall l, (1 <= l <= epochs_until T)%nat -> ridge_risk M T risk l <= risk / (INR M * INR (doubling T l 0)) :=
    ridge_below_scaled M k T HM Hk HT risk risk_positive.
  Let H3 g l h f := certified_same_H3 (ridge_risk M T risk) g l h f (fun i _ => Rle_refl _).

  (** repaired:  2M + 11 (2 + sqrt 2) (1 + delta) sqrt(M K T (d/4 + norm2)). *)
  Theorem certified_repaired :
    certified_Reg_T (ridge_risk M T risk) 1 <= uncapped_sum 11 M k T (ridge_risk M T risk) <=
      linear_repaired_bound (INR M) (INR k) (INR T) risk.
  Proof.
    exact (routine_repaired M k T _ _ _ _ _ risk common_estimate HM Hk HT (fun _ => HD0) (fun _ => HD1) (fun _ => HR) (fun _ => HR01) law
      (fun m x => eq_refl) reached risk_positive positive decreases below H3).
  Qed.
  (** sharpened, g^2 = (3q + 1)/8. *)
  Theorem certified_sharpened : let q := 1 - / INR k in
    certified_Reg_T (ridge_risk M T risk) (sqrt ((3 * q + 1) / 8)) <=
      capped_sum (linear_sharpened_constant q) M k T (ridge_risk M T risk) <=
      linear_bound (linear_sharpened_constant q) (INR M) (INR k) (INR T) risk.
  Proof.
    exact (routine_sharpened M k T _ _ _ _ _ risk common_estimate HM Hk HT (fun _ => HD0) (fun _ => HD1) (fun _ => HR) (fun _ => HR01) law
      (fun m x => eq_refl) reached risk_positive positive decreases below H3).
  Qed.
  Let scaled_positive : forall l, (1 <= l <= epochs_until T)%nat -> 0 < scaled_risk M T risk l := scaled_risk_pos M k T HM Hk HT risk risk_positive.
  Let scaled_decrease : forall l, (1 <= l)%nat -> (S (S l) <= epochs_until T)%nat -> scaled_risk M T risk (S l) <= scaled_risk M T risk l :=
    different_risk_decreases M k T dim HM Hk Hdim HT risk risk_positive.
  Let scaled_below l : (1 <= l <= epochs_until T)%nat -> scaled_risk M T risk l <= risk / (INR M * INR (doubling T l 0)).
  Proof. intros _. unfold scaled_risk. lra. Qed.
  Let scaled_H3 g l h f := certified_same_H3 (scaled_risk M T risk) g l h f below.
  (** best, K >= 3: the constant is at most 3.6981. *)
  Theorem certified_best : (3 <= k)%nat ->
    certified_Reg_T (scaled_risk M T risk) (sqrt (Rmax (1 - / INR k) (1 - 2 / INR k + doubling_arms) / doubling_risk)) <=
      capped_sum (doubling_over_g (INR k)) M k T (scaled_risk M T risk) <=
      linear_bound (doubling_over_g (INR k)) (INR M) (INR k) (INR T) risk.
  Proof.
    intro Hk3. exact (routine_best M k T _ _ _ _ _ risk common_estimate HM Hk HT (fun _ => HD0) (fun _ => HD1) (fun _ => HR) (fun _ => HR01) law
      (fun m x => eq_refl) reached risk_positive scaled_positive scaled_decrease scaled_below scaled_H3 Hk3
      (different_risk_halves M k T dim HM Hk Hdim HT risk)).
  Qed.
  (** best, two arms:  3 / sqrt 2. *)
  Theorem certified_best_two_arms : k = 2%nat ->
    certified_Reg_T (scaled_risk M T risk) (sqrt (2 / 9)) <=
      capped_sum (3 / sqrt 2) M k T (scaled_risk M T risk) <= linear_bound (3 / sqrt 2) (INR M) (INR k) (INR T) risk.
  Proof.
    exact (routine_best_two_arms M k T _ _ _ _ _ risk common_estimate HM Hk HT (fun _ => HD0) (fun _ => HD1) (fun _ => HR) (fun _ => HR01) law
      (fun m x => eq_refl) reached risk_positive scaled_positive scaled_decrease scaled_below scaled_H3).
  Qed.
End SameLaw.
