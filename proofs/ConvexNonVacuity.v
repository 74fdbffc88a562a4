(** * col:convex and col:convex_per are not vacuous

    [accurate_calls_exist]: for every method, output, world and tolerance some step size and number of rounds are accepted, so [accurate_call]
    can always be met.  [convex_example_bound], [convex_example_not_vacuous]: two agents in the world of LinearNonVacuity.v with any of
    the four methods, delta = 1/2, T = 2^14: every hypothesis of ColConvex.v holds, and the bound is below MT/2, the regret of
    always playing the wrong arm.  [convex_per_example_bound], [convex_per_example_not_vacuous]: the same for LSGD-PFL with a personal
    coordinate of every agent.                                                                                                *)
From Coq Require Import Reals Lra Lia Psatz List Arith.
From FedIGW Require Import FiniteSums FiniteProbability Hoeffding InverseGapWeighting AcceleratedGradient RidgeExcessRisk BestParameters Protocol
  DoublingSchedule LinearRegret LinearDifferentLaws ColLinearPer LowerBound NonVacuity LinearNonVacuity LocalRuns LocalConvergence LocalRidge LocalEpoch
  ColConvex ColConvexPer.
Import ListNotations.
Open Scope R_scope.

Lemma small_factor a x : 0 <= a -> 0 <= x <= 1 -> 0 <= a * x <= a.
Proof. intros Ha [H0 H1]. split; [apply Rmult_le_pos; assumption|]. rewrite <- (Rmult_1_r a) at 2. apply Rmult_le_compat_l; assumption. Qed.
Lemma decays rho S tol : 0 <= rho < 1 -> 0 <= S -> 0 < tol -> exists rounds, rho ^ rounds * S <= tol.
Proof.
  intros Hr HS Ht. destruct (pow_lt_1_zero rho ltac:(rewrite Rabs_pos_eq; lra) (tol / (S + 1)) ltac:(apply Rdiv_lt_0_compat; lra)) as [q Hq].
  exists q. specialize (Hq q (le_n q)). rewrite Rabs_pos_eq in Hq by (apply pow_le; lra).
  apply Rle_trans with (tol / (S + 1) * S); [apply Rmult_le_compat_r; lra|].
  apply (Rmult_le_reg_r (S + 1)); [lra|]. replace (tol / (S + 1) * S * (S + 1)) with (tol * S) by (field; lra). nra.
Qed.
(** Small steps and many rounds are accurate, whatever the method: the last point, *)
Lemma last_calls_exist way M steps local_steps server_step D norm2 big share tol : (1 <= M)%nat -> (1 <= steps)%nat -> (1 <= local_steps)%nat ->
  1 <= server_step -> 0 <= norm2 -> 0 <= big -> 0 <= share -> 0 < tol ->
  exists eta rounds, accurate_call the_last way M steps local_steps server_step eta rounds D norm2 big share tol.
Proof.
  intros HM Hs Hl Hg Hn2 Hb Hsh Ht. unfold accurate_call. cbv zeta. set (C := D / 4 + norm2).
  assert (M1 : 1 <= INR M) by (replace 1 with (INR 1) by reflexivity; apply le_INR, HM). assert (E1 : 1 <= INR steps) by (replace 1 with (INR 1) by reflexivity; apply le_INR, Hs).
  assert (K1 : 1 <= INR local_steps) by (replace 1 with (INR 1) by reflexivity; apply le_INR, Hl).
  set (n := INR M * INR steps). assert (N1 : 1 <= n) by (unfold n; nra). set (beta := 2 * (1 + big / n)).
  assert (B0 : 2 <= beta) by (unfold beta; assert (0 <= big / n) by (apply Rmult_le_pos; [exact Hb|left; apply Rinv_0_lt_compat; lra]); lra).
  set (N := mean_noise n norm2). set (Z := mean_drift (INR M) C n). set (D0 := mean_start C).
  assert (HN : 0 <= N) by (unfold N, mean_noise; assert (0 <= 4 * norm2 / n) by (apply Rmult_le_pos; [lra|left; apply Rinv_0_lt_compat; lra]); lra).
  assert (HZ : 0 <= Z) by (apply Rmult_le_pos; [apply pow2_ge_0|left; apply Rinv_0_lt_compat; lra]). assert (HD : 0 <= D0) by apply pow2_ge_0.
  set (g := server_step) in *. set (K := INR local_steps) in *. set (mu := 2 / n). assert (Mu : 0 < mu <= 2) by (unfold mu, Rdiv; assert (0 < / n <= 1) by (split; [apply Rinv_0_lt_compat; lra|rewrite <- Rinv_1; apply Rinv_le_contravar; lra]); lra).
  assert (Hmu : 0 < / mu) by (apply Rinv_0_lt_compat; lra). assert (iK : 0 < / K <= 1) by (split; [apply Rinv_0_lt_compat; lra|rewrite <- Rinv_1; apply Rinv_le_contravar; lra]).
  assert (iG : 0 < / g ^ 2 <= 1) by (split; [apply Rinv_0_lt_compat; nra|rewrite <- Rinv_1; apply Rinv_le_contravar; nra]).
  set (B := 2 * (share * N) + 9 / 2 * N + beta * Z). assert (HsN : 0 <= share * N) by (apply Rmult_le_pos; assumption). assert (HbZ : 0 <= beta * Z) by (apply Rmult_le_pos; lra).
  assert (HB : 0 <= B) by (unfold B; lra). set (Bm := B * / mu + 1). assert (HBm : 1 <= Bm) by (unfold Bm; assert (0 <= B * / mu) by (apply Rmult_le_pos; lra); lra).
  set (h := Rmin (/ (4 * beta)) (tol / (2 * Bm))). assert (Hh : 0 < h) by (apply Rmin_glb_lt; [apply Rinv_0_lt_compat; lra|apply Rdiv_lt_0_compat; lra]).
  assert (U : h * beta <= 1 / 4).
  { apply Rle_trans with (/ (4 * beta) * beta); [apply Rmult_le_compat_r; [lra|apply Rmin_l]|]. right. field. lra. }
  assert (H1 : h <= 1 / 8) by nra.
  assert (Small : h * Bm <= tol / 2).
  { apply Rle_trans with (tol / (2 * Bm) * Bm); [apply Rmult_le_compat_r; [lra|apply Rmin_r]|]. right. field. lra. }
  assert (R0 : 0 <= 1 - mu * h < 1) by (assert (0 < mu * h) by (apply Rmult_lt_0_compat; lra); assert (mu * h <= 2 * h) by (apply Rmult_le_compat_r; lra); lra).
  assert (U2 : (h * beta) ^ 2 <= 1 / 16) by (replace (1 / 16) with ((1 / 4) ^ 2) by field; apply pow_incr; split; [apply Rmult_le_pos; lra|exact U]).
  assert (R1 : 0 <= Rmax (1 - mu * h) (2 / 3) < 1) by (split; [eapply Rle_trans; [|apply Rmax_r]; lra|apply Rmax_lub_lt; lra]).
  exists (h / (K * g)). assert (W : whole_step (h / (K * g)) g local_steps = h) by (unfold whole_step; fold K; field; lra).
  assert (He : 0 < h / (K * g)) by (apply Rdiv_lt_0_compat; [exact Hh|apply Rmult_lt_0_compat; lra]). assert (U0 : 0 <= h * beta) by (apply Rmult_le_pos; lra).
  assert (Noise : forall c x, 0 <= c <= 9 / 2 -> 0 <= x <= 1 -> 0 <= (2 * (share * N) + c * x * (h * beta) * N / g ^ 2) / K * h / mu <= h * Bm - h - h * (beta * Z) * / mu).
  { intros c x Hc Hx. assert (X1 : 0 <= N * (x * (h * beta) * / g ^ 2) <= N).
    { apply small_factor; [exact HN|]. split; [apply Rmult_le_pos; [apply Rmult_le_pos|]; lra|]. assert (0 <= x * (h * beta) <= 1) by (rewrite Rmult_comm; pose proof (small_factor (h * beta) x ltac:(lra) Hx); lra).
      pose proof (small_factor (x * (h * beta)) (/ g ^ 2) ltac:(lra) ltac:(lra)). lra. }
    assert (X2 : 0 <= 2 * (share * N) + c * x * (h * beta) * N / g ^ 2 <= 2 * (share * N) + 9 / 2 * N).
    { replace (c * x * (h * beta) * N / g ^ 2) with (c * (N * (x * (h * beta) * / g ^ 2))) by (unfold Rdiv; ring). split; [apply Rplus_le_le_0_compat; [lra|apply Rmult_le_pos; lra]|].
      apply Rplus_le_compat_l. apply Rmult_le_compat; lra. }
    pose proof (small_factor _ (/ K) (proj1 X2) ltac:(lra)) as X3. unfold Rdiv at 2 3. split.
    - apply Rmult_le_pos; [apply Rmult_le_pos|]; unfold Rdiv in *; lra.
    - apply Rle_trans with ((2 * (share * N) + 9 / 2 * N) * h * / mu); [apply Rmult_le_compat_r; [lra|]; apply Rmult_le_compat_r; unfold Rdiv in *; lra|].
      right. unfold Bm, B. ring. }
  assert (Drift : forall c, 0 <= c <= 1 -> 0 <= c * (1 - / K) * beta * Z / g ^ 2 * h ^ 2 / mu <= h * (beta * Z) * / mu).
  { intros c Hc. replace (c * (1 - / K) * beta * Z / g ^ 2 * h ^ 2 / mu) with (h * (beta * Z) * / mu * (c * (1 - / K) * / g ^ 2 * h)) by (unfold Rdiv; ring).
    apply small_factor; [apply Rmult_le_pos; [apply Rmult_le_pos|]; lra|].
    assert (P1 : 0 <= c * (1 - / K) <= 1) by (split; [apply Rmult_le_pos; lra|]; pose proof (small_factor c (1 - / K) ltac:(lra) ltac:(lra)); lra).
    pose proof (small_factor _ (/ g ^ 2) (proj1 P1) ltac:(lra)) as P2. pose proof (small_factor _ h (proj1 P2) ltac:(lra)) as P3. lra. }
  assert (V : 0 < h ^ 3 * beta * / g ^ 2) by (apply Rmult_lt_0_compat; [apply Rmult_lt_0_compat; [apply pow_lt|]|]; lra).
  assert (Hbm : 0 <= h * (beta * Z) * / mu) by (apply Rmult_le_pos; [apply Rmult_le_pos|]; lra).
  destruct way.
  - destruct (decays (1 - mu * h) D0 (tol / 2) R0 HD ltac:(lra)) as [q Hq]. exists q. rewrite W. repeat split; [exact He|unfold step_condition; lra|]. unfold method_bound, fedavg_noise, fedavg_drift.
    pose proof (Noise (3 / 2) (1 - / K) ltac:(lra) ltac:(lra)) as X1. pose proof (Drift 1 ltac:(lra)) as X2.
    replace (((2 * (share * N) + 3 / 2 * (1 - / K) * (h * beta) * N / g ^ 2) / K * h + (1 - / K) * beta * Z / g ^ 2 * h ^ 2) / mu)
      with ((2 * (share * N) + 3 / 2 * (1 - / K) * (h * beta) * N / g ^ 2) / K * h / mu + 1 * (1 - / K) * beta * Z / g ^ 2 * h ^ 2 / mu) by (unfold Rdiv; ring). lra.
  - destruct (decays (1 - mu * h) (D0 + variate_weight h beta g * Z) (tol / 2) R0) as [q Hq]; [apply Rplus_le_le_0_compat; [exact HD|apply Rmult_le_pos; [unfold variate_weight, Rdiv; lra|exact HZ]]|lra|].
    exists q. rewrite W. repeat split; [exact He|unfold step_condition; lra|]. unfold method_bound, scaffold_noise. pose proof (Noise (9 / 2) 1 ltac:(lra) ltac:(lra)) as X1. rewrite Rmult_1_r in X1. lra.
  - destruct (decays (1 - mu * h) D0 (tol / 2) R0 HD ltac:(lra)) as [q Hq]. exists q. rewrite W. repeat split; [exact He|unfold step_condition; lra|]. unfold method_bound, gradients_drift.
    pose proof (Drift (2 / 3) ltac:(lra)) as X2. pose proof (Noise 0 0 ltac:(lra) ltac:(lra)) as X1. lra.
  - destruct (decays (Rmax (1 - mu * h) (2 / 3)) (D0 + exact_variate_weight h beta g * Z) (tol / 2) R1) as [q Hq]; [apply Rplus_le_le_0_compat; [exact HD|apply Rmult_le_pos; [unfold exact_variate_weight, Rdiv; lra|exact HZ]]|lra|].
    exists q. rewrite W. repeat split; [exact He|unfold step_condition; lra|]. unfold method_bound. lra.
Qed.
(** and the average point. *)
Theorem accurate_calls_exist out way M steps local_steps server_step D norm2 big share tol : (1 <= M)%nat -> (1 <= steps)%nat -> (1 <= local_steps)%nat ->
  1 <= server_step -> 0 <= D -> 0 <= norm2 -> 0 <= big -> 0 <= share -> 0 < tol ->
  exists eta rounds, accurate_call out way M steps local_steps server_step eta rounds D norm2 big share tol.
Proof.
  intros HM Hs Hl Hg HD Hn2 Hb Hsh Ht. destruct out; [apply last_calls_exist; assumption|].
  assert (M1 : 1 <= INR M) by (replace 1 with (INR 1) by reflexivity; apply le_INR, HM). assert (E1 : 1 <= INR steps) by (replace 1 with (INR 1) by reflexivity; apply le_INR, Hs).
  assert (K1 : 1 <= INR local_steps) by (replace 1 with (INR 1) by reflexivity; apply le_INR, Hl).
  set (n := INR M * INR steps). assert (N1 : 1 <= n) by (unfold n; nra). assert (In : 0 < / n) by (apply Rinv_0_lt_compat; lra).
  assert (Mu : 0 < 2 / n) by (unfold Rdiv; lra). assert (Dm : 0 <= 2 * D * (2 / n)) by (apply Rmult_le_pos; lra).
  destruct (last_calls_exist way M steps local_steps server_step D norm2 big share (tol / (2 * D * (2 / n) + 1)) HM Hs Hl Hg Hn2 Hb Hsh ltac:(apply Rdiv_lt_0_compat; lra)) as (eta & rounds & He & Hc & H).
  revert Hc H. fold n. set (beta := 2 * (1 + big / n)). set (h := whole_step eta server_step local_steps). set (mu := 2 / n) in *. intros Hc H.
  assert (Hh : 0 < h) by (unfold h, whole_step; repeat apply Rmult_lt_0_compat; lra).
  assert (B0 : 2 <= beta) by (unfold beta; assert (0 <= big / n) by (apply Rmult_le_pos; lra); lra). assert (Hb0 : 0 < h * beta) by (apply Rmult_lt_0_compat; lra).
  assert (U : h * beta <= 1) by (destruct way; simpl in Hc; nra). assert (Hh1 : h <= 1 / 2) by nra.
  assert (Mu2 : mu <= 2) by (unfold mu, Rdiv; assert (/ n <= 1) by (rewrite <- Rinv_1; apply Rinv_le_contravar; lra); lra). assert (Mh : 0 < mu * h <= 1) by (split; [apply Rmult_lt_0_compat; lra|nra]).
  set (N := mean_noise n norm2) in *. set (Z := mean_drift (INR M) (D / 4 + norm2) n) in *. set (D0 := mean_start (D / 4 + norm2)) in *.
  assert (Z0 : 0 <= Z) by (apply Rmult_le_pos; [apply pow2_ge_0|left; lra]). assert (S00 : 0 <= D0) by apply pow2_ge_0.
  set (weight := match way with scaffold_samples => variate_weight h beta server_step | scaffold_gradients => exact_variate_weight h beta server_step | _ => 0 end).
  assert (W0 : 0 <= weight).
  { assert (0 < / server_step ^ 2) by (apply Rinv_0_lt_compat; nra). assert (0 < h ^ 3) by (apply pow_lt; exact Hh).
    assert (0 < h ^ 3 * beta * / server_step ^ 2) by (apply Rmult_lt_0_compat; [apply Rmult_lt_0_compat; lra|assumption]).
    unfold weight, variate_weight, exact_variate_weight, Rdiv. destruct way; lra. }
  set (S := D0 + weight * Z). assert (S0 : 0 <= S) by (unfold S; assert (0 <= weight * Z) by (apply Rmult_le_pos; assumption); lra).
  set (error := match way with
    | fedavg_samples => fedavg_noise (INR local_steps) server_step (h * beta) (share * N) N * h + fedavg_drift (INR local_steps) server_step beta Z * h ^ 2
    | scaffold_samples => scaffold_noise (INR local_steps) server_step (h * beta) (share * N) N * h
    | fedavg_gradients => gradients_drift (INR local_steps) server_step beta Z * h ^ 2
    | scaffold_gradients => 0 end).
  assert (Small : error <= mu * (tol / (2 * D * mu + 1))).
  { apply (Rmult_le_compat_l mu) in H; [|lra]. eapply Rle_trans; [|exact H].
    assert (P : forall x, 0 <= x -> 0 <= mu * (x ^ rounds * S)) by (intros x Hx; apply Rmult_le_pos; [lra|apply Rmult_le_pos; [apply pow_le; exact Hx|exact S0]]).
    pose proof (P (1 - mu * h) ltac:(lra)) as P1. pose proof (P (Rmax (1 - mu * h) (2 / 3)) ltac:(apply Rle_trans with (2 / 3); [lra|apply Rmax_r])) as P2.
    unfold error, method_bound. unfold S, weight in P1, P2. destruct way.
    - set (e := fedavg_noise _ _ _ _ _ * h + _). replace (mu * ((1 - mu * h) ^ rounds * D0 + e / mu)) with (mu * ((1 - mu * h) ^ rounds * (D0 + 0 * Z)) + e) by (field; lra). lra.
    - set (e := scaffold_noise _ _ _ _ _ * h). rewrite Rmult_plus_distr_l. replace (mu * (e / mu)) with e by (field; lra). lra.
    - set (e := gradients_drift _ _ _ _ * h ^ 2). replace (mu * ((1 - mu * h) ^ rounds * D0 + e / mu)) with (mu * ((1 - mu * h) ^ rounds * (D0 + 0 * Z)) + e) by (field; lra). lra.
    - lra. }
  set (q := 1 - mu * h / 2). assert (Q : 0 <= q < 1) by (unfold q; lra).
  destruct (decays q (D * (S / h)) (tol / 2) Q) as [r Hr]; [apply Rmult_le_pos; [lra|apply Rmult_le_pos; [exact S0|left; apply Rinv_0_lt_compat; exact Hh]]|lra|].
  exists eta, (1 + r)%nat. unfold accurate_call. cbv zeta. fold n beta h mu N Z D0. repeat split; [exact He|exact Hc|lia|].
  assert (G : gap_bound way (INR local_steps) server_step h beta mu share (1 + r) D0 N Z = mu / 2 * (q ^ (1 + r) / (1 - q ^ (1 + r))) * S + error).
  { unfold gap_bound. fold q. unfold S, weight, error. destruct way; ring. }
  rewrite G. pose proof (pow_le q r ltac:(lra)) as Qr. assert (Qr1 : q ^ r <= 1) by (rewrite <- (pow1 r); apply pow_incr; lra).
  assert (Q1 : q ^ (1 + r) = q * q ^ r) by reflexivity. assert (Up : q ^ (1 + r) <= q ^ r) by (rewrite Q1; assert (q * q ^ r <= 1 * q ^ r) by (apply Rmult_le_compat_r; lra); lra).
  assert (Down : mu * h / 2 <= 1 - q ^ (1 + r)) by (rewrite Q1; assert (q * q ^ r <= q * 1) by (apply Rmult_le_compat_l; lra); unfold q in *; lra).
  assert (Forgotten : mu / 2 * (q ^ (1 + r) / (1 - q ^ (1 + r))) <= q ^ r / h).
  { apply Rle_trans with (mu / 2 * (q ^ r / (mu * h / 2))); [|right; field; lra]. apply Rmult_le_compat_l; [lra|]. unfold Rdiv at 1 2.
    apply Rmult_le_compat; [rewrite Q1; apply Rmult_le_pos; lra|left; apply Rinv_0_lt_compat; lra|exact Up|apply Rinv_le_contravar; lra]. }
  apply (Rmult_le_compat_r S) in Forgotten; [|exact S0].
  assert (A1 : D * (mu / 2 * (q ^ (1 + r) / (1 - q ^ (1 + r))) * S) <= tol / 2).
  { eapply Rle_trans; [apply Rmult_le_compat_l; [lra|exact Forgotten]|]. replace (D * (q ^ r / h * S)) with (q ^ r * (D * (S / h))) by (field; lra). exact Hr. }
  assert (A2 : D * error <= tol / 2).
  { eapply Rle_trans; [apply Rmult_le_compat_l; [lra|exact Small]|]. replace (D * (mu * (tol / (2 * D * mu + 1)))) with (tol / 2 * (2 * D * mu / (2 * D * mu + 1))) by (field; lra).
    apply Rle_trans with (tol / 2 * 1); [|lra]. apply Rmult_le_compat_l; [lra|]. apply (Rmult_le_reg_r (2 * D * mu + 1)); [lra|]. replace (2 * D * mu / (2 * D * mu + 1) * (2 * D * mu + 1)) with (2 * D * mu) by (field; lra). lra. }
  lra.
Qed.

(** one step size and one number of rounds for each of finitely many calls *)
Lemma for_each (P : nat -> R -> nat -> Prop) L : (forall l, exists eta rounds, P l eta rounds) -> exists eta rounds, forall l, (l <= L)%nat -> P l (eta l) (rounds l).
Proof.
  intro H. induction L as [|L (eta & rounds & IH)].
  - destruct (H O) as (x & q & H0). exists (fun _ => x), (fun _ => q). intros l Hl. replace l with O by lia. exact H0.
  - destruct (H (S L)) as (x & q & H0). exists (update eta (S L) x), (update rounds (S L) q). intros l Hl. destruct (Nat.eq_dec l (S L)) as [->|Hn].
    + rewrite !update_same. exact H0.
    + rewrite !update_other by exact Hn. apply IH. lia.
Qed.
Definition convex_example_risk : R := (1 + 1 / 2) ^ 2 * linear_constant (INR 2) 1.
Definition convex_example_regret (out : output) (way : method) (eta : nat -> R) (rounds : nat -> nat) (g : R) : R :=
  convex_Reg_T 2 1 2 example_horizon (fun _ => 1) (fun x a => example_rewards 0 x a) 2 example_features out way 5 1 eta rounds (ridge_risk 2 example_horizon convex_example_risk) g.
(** col:convex, sharpened, applies: for every method there are step sizes and rounds with which every hypothesis holds. *)
Theorem convex_example_bound out way : exists eta rounds,
  convex_example_regret out way eta rounds (sqrt ((3 * example_q + 1) / 8)) <=
    linear_bound (linear_sharpened_constant example_q) (INR 2) (INR 2) (INR example_horizon) convex_example_risk.
Proof.
  destruct (for_each (fun l eta rounds => accurate_call out way 2 (doubling example_horizon l 0) 5 1 eta rounds (INR 2) 1 1 (/ INR 2)
    ((1 / 2) ^ 2 * (linear_constant (INR 2) 1 / (INR 2 * INR (doubling example_horizon l 0) + 1)))) (epochs_until example_horizon)) as (eta & rounds & H).
  - intro l. generalize (doubling_pos example_horizon l 0 example_horizon_large). generalize (doubling example_horizon l 0). intros steps Hs.
    assert (E1 : 1 <= INR steps) by (replace 1 with (INR 1) by reflexivity; apply le_INR, Hs). replace (INR 2) with 2 by (simpl; ring).
    apply accurate_calls_exist; [lia|exact Hs|lia|lra|lra|lra|lra|lra|]. apply Rmult_lt_0_compat; [lra|]. apply Rdiv_lt_0_compat; [unfold linear_constant; lra|lra].
  - exists eta, rounds.
    pose proof (col_convex_sharpened 2 1 2 example_horizon (fun _ => 1) (fun x a => example_rewards 0 x a) 2 example_features example_weights ltac:(lia) ltac:(lia) example_horizon_large ltac:(lia)
      ltac:(intros; lra) ltac:(simpl; lra) example_laws example_unit example_linear example_norms example_weights_norm out way 5 1 (1 / 2) eta rounds ltac:(lia) ltac:(lra) ltac:(lra)
      (fun l H1 H2 => H l ltac:(lia))) as B. cbv zeta in B. unfold convex_example_regret, convex_example_risk, example_q. exact (both_ends _ _ _ B).
Qed.
(** The bound is below MT/2. *)
Theorem convex_example_not_vacuous :
  linear_bound (linear_sharpened_constant example_q) (INR 2) (INR 2) (INR example_horizon) convex_example_risk < INR 2 * INR example_horizon / 2.
Proof.
  rewrite example_horizon_value. unfold linear_bound, linear_sharpened_constant, convex_example_risk, linear_constant, example_q. change (INR 2) with 2.
  assert (S2 : sqrt 2 * sqrt 2 = 2) by (apply sqrt_sqrt; lra). assert (S0 : 0 <= sqrt 2) by apply sqrt_pos. assert (S1 : sqrt 2 <= 3 / 2) by nra.
  assert (Q1 : sqrt (2 * (3 * (1 - / 2) + 1)) <= 9 / 4) by (rewrite <- (sqrt_square (9 / 4)) by lra; apply sqrt_le_1_alt; lra).
  assert (Q0 : 0 <= sqrt (2 * (3 * (1 - / 2) + 1))) by apply sqrt_pos.
  set (r := sqrt (2 * 2 * 16384 * ((1 + 1 / 2) ^ 2 * (2 / 4 + 1)))).
  assert (R1 : r <= 471) by (unfold r; rewrite <- (sqrt_square 471) by lra; apply sqrt_le_1_alt; lra). assert (R0 : 0 <= r) by apply sqrt_pos.
  assert (C2 : 14 / 9 * sqrt (2 * (3 * (1 - / 2) + 1)) * (2 + sqrt 2) <= 14 / 9 * (9 / 4) * (7 / 2)) by (apply Rmult_le_compat; lra).
  assert (C3 : 14 / 9 * sqrt (2 * (3 * (1 - / 2) + 1)) * (2 + sqrt 2) * r <= 14 / 9 * (9 / 4) * (7 / 2) * 471) by (apply Rmult_le_compat; [apply Rmult_le_pos; lra | exact R0 | exact C2 | exact R1]).
  lra.
Qed.

(** ** col:convex_per *)
Definition convex_per_example_risk : R := (1 + 1 / 2) ^ 2 * personal_example_constant.
Definition convex_per_example_regret (out : output) (way : method) (eta : nat -> R) (rounds : nat -> nat) (g : R) : R :=
  convex_per_Reg_T 2 2 1 1 example_horizon (fun _ => 1%nat) (fun _ _ => 1) personal_example_rewards (fun _ => example_features) out way 5 1 (1 / 2) eta rounds g.
(** col:convex_per, sharpened, applies. *)
Theorem convex_per_example_bound out way : exists eta rounds,
  convex_per_example_regret out way eta rounds (sqrt ((3 * example_q + 1) / 8)) <=
    linear_bound (linear_sharpened_constant example_q) (INR 2) (INR 2) (INR example_horizon) convex_per_example_risk.
Proof.
  destruct (for_each (fun l eta rounds => accurate_call out way 2 (doubling example_horizon l 0) 5 1 eta rounds (INR (lifted_dimension 1 (fun _ => 1%nat) 2)) (INR 2) (INR 2) 1
    ((1 / 2) ^ 2 * (different_constant (INR (lifted_dimension 1 (fun _ => 1%nat) 2)) (INR 2) / (INR 2 * INR (doubling example_horizon l 0))))) (epochs_until example_horizon)) as (eta & rounds & H).
  - intro l. generalize (doubling_pos example_horizon l 0 example_horizon_large). generalize (doubling example_horizon l 0). intros steps Hs.
    assert (E1 : 1 <= INR steps) by (replace 1 with (INR 1) by reflexivity; apply le_INR, Hs). replace (INR 2) with 2 by (simpl; ring).
    pose proof (pos_INR (lifted_dimension 1 (fun _ => 1%nat) 2)) as D0.
    apply accurate_calls_exist; [lia|exact Hs|lia|lra|lra|lra|lra|lra|]. apply Rmult_lt_0_compat; [lra|]. apply Rdiv_lt_0_compat; [unfold different_constant; lra|lra].
  - exists eta, rounds. destruct personal_example_hypotheses as (A1 & A2 & A3 & A4 & A5).
    pose proof (col_convex_per_sharpened 2 2 1 1 example_horizon (fun _ => 1%nat) (fun _ _ => 1) personal_example_rewards (fun _ => example_features) personal_example_weights ltac:(lia) ltac:(lia)
      ltac:(unfold lifted_dimension; simpl; lia) example_horizon_large ltac:(intros; lra) ltac:(intros; simpl; lra) A1 A2 A3 A4 (fun _ => example_norms) A5 out way 5 1 (1 / 2) eta rounds
      ltac:(lia) ltac:(lra) ltac:(lra) (fun l H1 H2 => H l ltac:(lia))) as B. cbv zeta in B.
    unfold convex_per_example_regret, convex_per_example_risk, personal_example_constant, example_q. exact (both_ends _ _ _ B).
Qed.
(** The bound is below MT/2. *)
Theorem convex_per_example_not_vacuous :
  linear_bound (linear_sharpened_constant example_q) (INR 2) (INR 2) (INR example_horizon) convex_per_example_risk < INR 2 * INR example_horizon / 2.
Proof.
  rewrite example_horizon_value. unfold linear_bound, linear_sharpened_constant, convex_per_example_risk, personal_example_constant, different_constant, lifted_dimension, example_q.
  replace (INR (1 + before (fun _ => 1%nat) 2)) with 3 by (simpl; ring). change (INR 2) with 2.
  assert (S2 : sqrt 2 * sqrt 2 = 2) by (apply sqrt_sqrt; lra). assert (S0 : 0 <= sqrt 2) by apply sqrt_pos. assert (S1 : sqrt 2 <= 3 / 2) by nra.
  assert (Q1 : sqrt (2 * (3 * (1 - / 2) + 1)) <= 9 / 4) by (rewrite <- (sqrt_square (9 / 4)) by lra; apply sqrt_le_1_alt; lra).
  assert (Q0 : 0 <= sqrt (2 * (3 * (1 - / 2) + 1))) by apply sqrt_pos.
  set (r := sqrt (2 * 2 * 16384 * ((1 + 1 / 2) ^ 2 * (3 / 4 + 9 / 4 * 2)))).
  assert (R1 : r <= 881) by (unfold r; rewrite <- (sqrt_square 881) by lra; apply sqrt_le_1_alt; lra). assert (R0 : 0 <= r) by apply sqrt_pos.
  assert (C2 : 14 / 9 * sqrt (2 * (3 * (1 - / 2) + 1)) * (2 + sqrt 2) <= 14 / 9 * (9 / 4) * (7 / 2)) by (apply Rmult_le_compat; lra).
  assert (C3 : 14 / 9 * sqrt (2 * (3 * (1 - / 2) + 1)) * (2 + sqrt 2) * r <= 14 / 9 * (9 / 4) * (7 / 2) * 881) by (apply Rmult_le_compat; [apply Rmult_le_pos; lra | exact R0 | exact C2 | exact R1]).
  lra.
Qed.
