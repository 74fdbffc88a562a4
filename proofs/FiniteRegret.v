(** * col:finite, sharpened

    The exact minimiser of a finite class in [0,1], with e_l = min(1, ln|F| / (kappa n)) from FiniteError.v put into
    thm:global_regret; then the doubling schedule and one number of arms.  No hypothesis on the error is left, under doubling
    none on the learning rate: both are computed, from the clipped e_l, as the simulator computes them.             *)
From Coq Require Import Reals Lra Lia Psatz List Arith.
From FedIGW Require Import FiniteSums FiniteProbability InverseGapWeighting Constants Protocol GlobalRegret
  FiniteError DoublingSchedule DoublingRegret.
Open Scope R_scope.

Lemma log_class_pos N : (2 <= N)%nat -> 0 < ln (INR N).
Proof.
  intro HN. rewrite <- ln_1. apply ln_increasing; [lra|].
  replace 1 with (INR 1) by reflexivity. apply lt_INR. lia.
Qed.

(** ** Any schedule *)
Section FiniteRegret.
  Variables (M : nat) (X K : nat -> nat) (D : nat -> nat -> R).
  Variable reward_law : nat -> nat -> nat -> list (R * R).
  Variables (L : nat) (len : nat -> nat -> nat) (gamma : nat -> R).
  Variables (N jstar : nat) (F : nat -> estimate) (choice : nat -> dataset -> nat).
  Hypothesis HM : (1 <= M)%nat.
  Hypothesis HK : forall m, (1 <= K m)%nat.
  Hypothesis HD0 : forall m x, (x < X m)%nat -> 0 <= D m x.
  Hypothesis HD1 : forall m, sum (X m) (D m) = 1.
  Hypothesis HR : forall m x a, distribution (reward_law m x a).
  Hypothesis HR01 : forall m x a, Forall (fun pr => 0 <= snd pr <= 1) (reward_law m x a).
  Hypothesis HL : (1 <= L)%nat.
  Hypothesis Hlen : forall l m, (1 <= l <= L)%nat -> (m < M)%nat -> (1 <= len l m)%nat.
  Hypothesis HN : (2 <= N)%nat.
  Hypothesis HF01 : forall j m x a, (j < N)%nat -> 0 <= F j m x a <= 1.
  Hypothesis Hjstar : (jstar < N)%nat.
  Hypothesis Hreal : forall m x a, F jstar m x a = fstar reward_law m x a.
  Hypothesis Hchoice : forall l ds, (choice l ds < N)%nat.
  Hypothesis Hmin : forall l ds j, (j < N)%nat -> loss M (F (choice l ds)) ds <= loss M (F j) ds.
  Local Notation E := (E len).
  Local Notation SK := (SK M K len).
  Local Notation W := (W M len).
  Local Notation Kbar := (Kbar M K len).
  Local Notation Err_of := (Err_of M X K D reward_law len gamma).

  (** squares of functions in [0,1] are at most 1, so the error is at most W *)
  Lemma error_at_most_W l f j : 0 <= gamma l -> (j < N)%nat -> Err_of l f (F j) <= W l.
  Proof.
    intros Hg Hj. unfold Protocol.Err_of, Protocol.over_epoch, Protocol.W. apply sum_le. intros m Hm.
    assert (HE : 0 <= E l m) by apply pos_INR.
    rewrite <- (Rmult_1_r (E l m)) at 2. apply Rmult_le_compat_l; [exact HE|].
    rewrite <- (HD1 m). apply sum_le. intros x Hx. rewrite <- (Rmult_1_r (D m x)) at 2.
    apply Rmult_le_compat_l; [apply HD0, Hx|].
    rewrite <- (igw_total (K m) (gamma l) (f m x) (HK m)). apply sum_le. intros a Ha.
    pose proof (igw_pos (K m) (gamma l) (f m x) (HK m) Hg a Ha) as Hp.
    rewrite <- (Rmult_1_r (igw _ _ _ a)) at 2. apply Rmult_le_compat_l; [lra|].
    pose proof (HF01 j m x a Hj). pose proof (fstar_unit reward_law HR HR01 m x a).
    assert (-1 <= F j m x a - fstar reward_law m x a <= 1) by lra. nra.
  Qed.
  (** H3 with the clipped risk, for whatever factor FiniteError.v gives. *)
  Lemma clipped_error factor l h f : 0 < factor -> (1 <= l <= L)%nat -> (forall i, (1 <= i <= L)%nat -> 0 <= gamma i) ->
    Expect (all_agents X K D reward_law len gamma l f M) (fun d => Err_of l f (F (choice l d))) <= ln (INR N) / factor ->
    Expect (all_agents X K D reward_law len gamma l f M)
      (fun d => Expect (exact_minimiser F choice l (update h l (f, d))) (fun f' => Err_of l f f'))
    <= W l * clipped_risk (ln (INR N) / factor) (W l).
  Proof.
    intros Hf Hl Hg Hsum. pose proof (run_W_pos M HM L len HL Hlen l Hl) as HW.
    rewrite (Expect_ext _ _ (fun d => Err_of l f (F (choice l d))))
      by (intro d; unfold exact_minimiser; rewrite Expect_dirac, update_same; reflexivity).
    unfold clipped_risk, Rmin. destruct (Rle_dec 1 _) as [Hc|Hc].
    - assert (Hd : distribution (all_agents X K D reward_law len gamma l f M))
        by (apply (distribution_all_agents X K D reward_law L); auto).
      rewrite Rmult_1_r, <- (Expect_const (all_agents X K D reward_law len gamma l f M) (W l) Hd).
      apply Expect_le; [apply Hd|]. intro d. apply error_at_most_W; auto.
    - replace (W l * (ln (INR N) / factor / W l)) with (ln (INR N) / factor) by (field; split; lra). exact Hsum.
  Qed.

  (** e_l = min(1, ln|F| / (kappa W^l)) *)
  Definition finite_risk (l : nat) : R := clipped_risk (ln (INR N) / kappa) (W l).

  Variables (c g q : R).
  Hypothesis Hc : forall l m m', (1 <= l)%nat -> (S l <= L)%nat -> (m < M)%nat -> (m' < M)%nat ->
    E (S l) m / E l m <= c * (E (S l) m' / E l m').
  Hypothesis Hq : forall m, (m < M)%nat -> 1 - / INR (K m) <= q.
  Hypothesis Hg : 0 < g.
  (** H4 with this e:  gamma^{l+1} = g sqrt(Kbar^l / e_l) *)
  Hypothesis Hfirst : 0 <= gamma 1.
  Hypothesis Hgamma : forall l, (1 <= l)%nat -> (S l <= L)%nat -> gamma (S l) = g * sqrt (Kbar l / finite_risk l).
  (** H5 *)
  Hypothesis H5 : forall l, (2 <= l)%nat -> (S l <= L)%nat -> gamma l <= gamma (S l).

  (** col:finite for any schedule:  Reg(T) <= sum_m (1 - 1/K_m) E^1_m
        + sum_{l >= 2} min(W^l, (C/g) S^l sqrt(e_{l-1} / Kbar^{l-1})),  e_l = min(1, ln|F| / (kappa W^l)). *)
  Theorem col_finite_any_schedule :
    Expect (run_law M X K D reward_law len gamma (exact_minimiser F choice) L) (total_regret M K reward_law L) <=
      sum M (fun m => (1 - / INR (K m)) * E 1 m) +
      sum (L - 1) (fun i => Rmin (W (i + 2))
         (sharpened_constant c g q / g * (SK (i + 2) * sqrt (finite_risk (i + 1) / Kbar (i + 1))))).
  Proof.
    pose proof kappa_pos as Hk. pose proof (log_class_pos N HN) as HlnN.
    assert (HA : 0 < ln (INR N) / kappa) by (apply Rdiv_lt_0_compat; assumption).
    assert (Hg0 : forall l, (1 <= l <= L)%nat -> 0 <= gamma l).
    { intros l Hl. destruct l as [|[|l]]; [lia | exact Hfirst |]. rewrite Hgamma by lia.
      apply Rmult_le_pos; [lra | apply sqrt_pos]. }
    apply (thm_global_regret_sharpened M X K D reward_law HM HK HD0 HD1 HR HR01 L len HL Hlen)
      with (reachable := fun _ => True); auto.
    - intros l h. apply distribution_dirac.
    - intros l H1 H2. apply clipped_risk_pos; [exact HA|]. apply (run_W_pos M HM L len HL Hlen). lia.
    - intros l h. apply Forall_forall. auto.
    - intros l h f _ H1 H2. apply clipped_error; auto; [lia|].
      apply (finite_error_sum M X K D reward_law L len gamma N jstar F choice); auto. lia.
  Qed.
End FiniteRegret.

(** ** Doubling schedule, the same number of arms for all agents *)

(** (28 sqrt2 / 9)(2 + sqrt2): the factor of sqrt(K M T ln|F| / kappa) in col:finite *)
Definition col_finite_constant : R := 28 * sqrt 2 / 9 * (2 + sqrt 2).
(** the same with q = 1 - 1/K kept *)
Definition col_finite_constant_arms (q : R) : R := 14 / 9 * sqrt (2 * (3 * q + 1)) * (2 + sqrt 2).
(** the bound itself *)
Definition col_finite_bound (constant M K T logF : R) : R :=
  2 * M * (1 - / K) + constant * sqrt (M * K * T * (logF / kappa)).

Section ColFinite.
  Variables (M : nat) (X : nat -> nat) (k : nat) (D : nat -> nat -> R).
  Variable reward_law : nat -> nat -> nat -> list (R * R).
  Variables (N jstar : nat) (F : nat -> estimate) (choice : nat -> dataset -> nat) (T : nat).
  Hypothesis HM : (1 <= M)%nat.
  Hypothesis Hk : (1 <= k)%nat.
  Hypothesis HD0 : forall m x, (x < X m)%nat -> 0 <= D m x.
  Hypothesis HD1 : forall m, sum (X m) (D m) = 1.
  Hypothesis HR : forall m x a, distribution (reward_law m x a).
  Hypothesis HR01 : forall m x a, Forall (fun pr => 0 <= snd pr <= 1) (reward_law m x a).
  Hypothesis HN : (2 <= N)%nat.
  Hypothesis HF01 : forall j m x a, (j < N)%nat -> 0 <= F j m x a <= 1.
  Hypothesis Hjstar : (jstar < N)%nat.
  Hypothesis Hreal : forall m x a, F jstar m x a = fstar reward_law m x a.
  Hypothesis Hchoice : forall l ds, (choice l ds < N)%nat.
  Hypothesis Hmin : forall l ds j, (j < N)%nat -> loss M (F (choice l ds)) ds <= loss M (F j) ds.
  Hypothesis HT : (3 <= T)%nat.

  (** Reg(T) of FedIGW with the exact minimiser, the doubling schedule and gamma^{l+1} = g sqrt(K / e_l),
      e_l = min(1, ln|F| / (kappa M E^l)), gamma^1 = 0 *)
  Definition Reg_T (g : R) : R :=
    doubling_Reg_T M X k D reward_law (exact_minimiser F choice) (ln (INR N) / kappa) T g.

  Lemma W_of_doubling l : W M (doubling T) l = INR M * INR (doubling T l 0).
  Proof. unfold W, E. rewrite (sum_ext M _ (fun _ => INR (doubling T l 0))) by reflexivity. apply sum_const. Qed.

  Lemma col_finite_any_rate g q : 0 < g -> 1 - / INR k <= q ->
    Reg_T g <= col_finite_bound (sharpened_constant 1 g q / g * (2 + sqrt 2)) (INR M) (INR k) (INR T) (ln (INR N)).
  Proof.
    intros Hg Hq. pose proof kappa_pos as Hk0. pose proof (log_class_pos N HN) as HlnN.
    assert (HA : 0 < ln (INR N) / kappa) by (apply Rdiv_lt_0_compat; assumption).
    unfold Reg_T. change (col_finite_bound (sharpened_constant 1 g q / g * (2 + sqrt 2)) (INR M) (INR k) (INR T) (ln (INR N)))
      with (doubling_bound (sharpened_constant 1 g q / g) (INR M) (INR k) (INR T) (ln (INR N) / kappa)).
    apply thm_doubling_sharpened_closed with (reachable := fun _ => True); auto.
    - intros l h. apply distribution_dirac.
    - intros l h. apply Forall_forall. auto.
    - intros l h f _ H1 H2.
      assert (Hr : forall i, 0 <= doubling_rates M k (ln (INR N) / kappa) T g i) by (intro i; apply rates_nonneg; exact Hg).
      unfold doubling_excess. rewrite <- W_of_doubling.
      apply (clipped_error M X (K_arms k) D reward_law (epochs_until T)) ; auto; try lia.
      + intros l0 m Hl _. apply doubling_positive; assumption.
      + apply (finite_error_sum M X (K_arms k) D reward_law (epochs_until T)) with (jstar := jstar); auto; try lia.
  Qed.

  (** col:finite, sharpened.  T >= 3, gamma^{l+1} = sqrt(K / (2 e_l)), e_l = min(1, ln|F| / (kappa M E^l)):
      Reg(T) <= 2M(1 - 1/K) + (28 sqrt2 / 9)(2 + sqrt2) sqrt(K M T ln|F| / kappa),  kappa = 1 - exp(-1/2). *)
  Theorem col_finite_sharpened :
    Reg_T (/ sqrt 2) <= col_finite_bound col_finite_constant (INR M) (INR k) (INR T) (ln (INR N)).
  Proof.
    assert (H20 : 0 < sqrt 2) by (apply sqrt_lt_R0; lra).
    assert (Hkk : 1 <= INR k) by (replace 1 with (INR 1) by reflexivity; apply le_INR, Hk).
    assert (0 < / INR k) by (apply Rinv_0_lt_compat; lra).
    pose proof (col_finite_any_rate (/ sqrt 2) 1 ltac:(apply Rinv_0_lt_compat; lra) ltac:(lra)) as H0.
    rewrite sharpened_constant_best_rate in H0. exact H0.
  Qed.

  (** The same with q = 1 - 1/K and its own best rate g^2 = (3q + 1)/8 (what `bound col:finite` evaluates):
      Reg(T) <= 2M(1 - 1/K) + (14/9) sqrt(2(3q + 1)) (2 + sqrt2) sqrt(K M T ln|F| / kappa). *)
  Theorem col_finite_sharpened_arms :
    let q := 1 - / INR k in
    Reg_T (sqrt ((3 * q + 1) / 8)) <=
      col_finite_bound (col_finite_constant_arms q) (INR M) (INR k) (INR T) (ln (INR N)).
  Proof.
    intro q. assert (Hkk : 1 <= INR k) by (replace 1 with (INR 1) by reflexivity; apply le_INR, Hk).
    assert (Hki : 0 < / INR k <= 1).
    { split; [apply Rinv_0_lt_compat; lra|]. rewrite <- Rinv_1. apply Rinv_le_contravar; lra. }
    assert (Hq0 : 0 <= q) by (unfold q; lra).
    assert (Hgp : 0 < sqrt ((3 * q + 1) / 8)) by (apply sqrt_lt_R0; lra).
    pose proof (col_finite_any_rate (sqrt ((3 * q + 1) / 8)) q Hgp ltac:(unfold q; lra)) as H0.
    pose proof (sharpened_constant_attained 1 q ltac:(lra) ltac:(lra)) as H1. cbv zeta in H1.
    replace ((3 * 1 * q + 1) / (8 * 1 ^ 3)) with ((3 * q + 1) / 8) in H1 by field.
    replace (2 * 1 * (3 * 1 * q + 1)) with (2 * (3 * q + 1)) in H1 by ring.
    rewrite H1 in H0. exact H0.
  Qed.
End ColFinite.
