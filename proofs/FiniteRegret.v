(** * col:finite, sharpened

    The exact minimiser of a finite class in [0,1], with e_l = ln|F| / (kappa n) from FiniteError.v put into
    thm:global_regret; then the doubling schedule and one number of arms.  No hypothesis on the learning rate or on the
    error is left: both are computed.                                                                         *)
From Coq Require Import Reals Lra Lia Psatz List Arith.
From FedIGW Require Import FiniteSums FiniteProbability InverseGapWeighting Constants Protocol GlobalRegret
  FiniteError DoublingSchedule.
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

  Variables (c g q : R).
  Hypothesis Hc : forall l m m', (1 <= l)%nat -> (S l <= L)%nat -> (m < M)%nat -> (m' < M)%nat ->
    E (S l) m / E l m <= c * (E (S l) m' / E l m').
  Hypothesis Hq : forall m, (m < M)%nat -> 1 - / INR (K m) <= q.
  Hypothesis Hg : 0 < g.
  (** gamma^{l+1} = g sqrt(kappa S^l / ln|F|) *)
  Hypothesis Hfirst : 0 <= gamma 1.
  Hypothesis Hgamma : forall l, (1 <= l)%nat -> (S l <= L)%nat -> gamma (S l) = g * sqrt (kappa * SK l / ln (INR N)).
  (** H5 for the finite class: S^l grows, except into the last epoch, which may be cut *)
  Hypothesis HSK : forall l, (1 <= l)%nat -> (S (S l) <= L)%nat -> SK l <= SK (S l).

  (** col:finite for any schedule:  Reg(T) <= sum_m (1 - 1/K_m) E^1_m
        + sum_{l >= 2} min(W^l, (C/g) sqrt(ln|F| / kappa) S^l / sqrt(S^{l-1})). *)
  Theorem col_finite_any_schedule :
    Expect (run_law M X K D reward_law len gamma (exact_minimiser F choice) L) (total_regret M K reward_law L) <=
      sum M (fun m => (1 - / INR (K m)) * E 1 m) +
      sum (L - 1) (fun i => Rmin (W (i + 2))
         (sharpened_constant c g q / g * (sqrt (ln (INR N) / kappa) * (SK (i + 2) / sqrt (SK (i + 1)))))).
  Proof.
    pose proof kappa_pos as Hk. pose proof (log_class_pos N HN) as HlnN.
    assert (HSKp : forall l, (1 <= l <= L)%nat -> 0 < SK l)
      by (intros l Hl; apply (run_SK_pos M K HM HK L len HL Hlen l Hl)).
    assert (HWp : forall l, (1 <= l <= L)%nat -> 0 < W l)
      by (intros l Hl; apply (run_W_pos M HM L len HL Hlen l Hl)).
    set (e := fun l => ln (INR N) / (kappa * W l)).
    assert (Hep : forall l, (1 <= l <= L)%nat -> 0 < e l).
    { intros l Hl. unfold e. apply Rdiv_lt_0_compat; [exact HlnN|]. apply Rmult_lt_0_compat; auto. }
    assert (Hg0 : forall l, (1 <= l <= L)%nat -> 0 <= gamma l).
    { intros l Hl. destruct l as [|[|l]]; [lia | exact Hfirst |]. rewrite Hgamma by lia.
      apply Rmult_le_pos; [lra | apply sqrt_pos]. }
    rewrite (sum_ext (L - 1) _ (fun i => Rmin (W (i + 2))
         (sharpened_constant c g q / g * (SK (i + 2) * sqrt (e (i + 1)%nat / Kbar (i + 1)))))).
    2:{ intros i Hi. f_equal. f_equal. assert (Hl : (1 <= i + 1 <= L)%nat) by lia.
        pose proof (HSKp _ Hl) as P1. pose proof (HWp _ Hl) as P2. unfold e, Protocol.Kbar.
        replace (ln (INR N) / (kappa * W (i + 1)) / (SK (i + 1) / W (i + 1)))
          with (ln (INR N) / kappa / SK (i + 1)) by (field; repeat split; lra).
        assert (0 < ln (INR N) / kappa) by (apply Rdiv_lt_0_compat; lra).
        rewrite (sqrt_div (ln (INR N) / kappa) (SK (i + 1))) by lra.
        set (u := sqrt (ln (INR N) / kappa)). pose proof (sqrt_lt_R0 _ P1). field. lra. }
    apply (thm_global_regret_sharpened M X K D reward_law HM HK HD0 HD1 HR HR01 L len HL Hlen); auto.
    - intros l h. apply distribution_dirac.
    - intros l H1 H2. apply Hep. lia.
    - intros l h f H1 H2.
      rewrite (Expect_ext _ _ (fun d => Err_of M X K D reward_law len gamma l f (F (choice l d)))).
      + replace (W l * e l) with (ln (INR N) / kappa).
        * apply (finite_error_sum M X K D reward_law L len gamma N jstar F choice); auto. lia.
        * unfold e. pose proof (HWp l ltac:(lia)). field. lra.
      + intro d. unfold exact_minimiser. rewrite Expect_dirac, update_same. reflexivity.
    - intros l H1 H2. rewrite Hgamma by assumption. f_equal. f_equal. unfold e, Protocol.Kbar.
      pose proof (HWp l ltac:(lia)). field. repeat split; lra.
    - intros l H1 H2. destruct l as [|l]; [lia|]. rewrite !Hgamma by lia.
      apply Rmult_le_compat_l; [lra|]. apply sqrt_le_1_alt.
      apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; lra|].
      apply Rmult_le_compat_l; [lra|]. apply HSK; lia.
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

(** every agent has k arms *)
Definition K_arms (k m : nat) : nat := k.

Section LaterEpochs.
  Variables (M k T : nat).
  Hypothesis HM : (1 <= M)%nat.
  Hypothesis Hk : (1 <= k)%nat.
  Hypothesis HT : (3 <= T)%nat.

  Lemma SK_doubling l : SK M (K_arms k) (doubling T) l = INR M * INR k * INR (doubling T l 0).
  Proof.
    unfold SK, E, K_arms. rewrite (sum_ext M _ (fun _ => INR (doubling T l 0) * INR k)) by reflexivity.
    rewrite sum_const. ring.
  Qed.

  (** The epochs after the first, for any constant C/g and any risk v = ln|F| / kappa of a single sample. *)
  Lemma later_epochs C0 v : 0 <= C0 -> 0 <= v ->
    sum (epochs_until T - 1) (fun i => Rmin (W M (doubling T) (i + 2))
      (C0 * (sqrt v * (SK M (K_arms k) (doubling T) (i + 2) / sqrt (SK M (K_arms k) (doubling T) (i + 1)))))) <=
    C0 * (2 + sqrt 2) * sqrt (INR M * INR k * INR T * v).
  Proof.
    intros HC0 Hv. pose proof (epochs_until_log2 T HT) as [_ HL2]. set (s0 := sqrt v).
    assert (Hkk : 1 <= INR k) by (replace 1 with (INR 1) by reflexivity; apply le_INR, Hk).
    assert (HMM : 1 <= INR M) by (replace 1 with (INR 1) by reflexivity; apply le_INR, HM).
    apply Rle_trans with (C0 * s0 * sqrt (INR M * INR k) *
        sum (epochs_until T - 1) (fun i => INR (doubling T (i + 2) 0) / sqrt (INR (doubling T (i + 1) 0)))).
    - rewrite <- sum_scal. apply sum_le. intros i Hi.
      eapply Rle_trans; [apply Rmin_r|]. right. rewrite !SK_doubling.
      assert (Hp : 0 < INR (doubling T (i + 1) 0)).
      { apply lt_0_INR. pose proof (doubling_positive T HT (i + 1) 0 ltac:(lia)). lia. }
      assert (HMk : 0 < INR M * INR k) by nra.
      rewrite (sqrt_mult (INR M * INR k)) by lra.
      pose proof (sqrt_lt_R0 _ Hp). pose proof (sqrt_lt_R0 _ HMk) as Hsq.
      replace (INR M * INR k * INR (doubling T (i + 2) 0)) with
        (sqrt (INR M * INR k) * sqrt (INR M * INR k) * INR (doubling T (i + 2) 0))
        by (rewrite sqrt_sqrt by lra; ring).
      field. lra.
    - replace (C0 * (2 + sqrt 2) * sqrt (INR M * INR k * INR T * v))
        with (C0 * s0 * sqrt (INR M * INR k) * ((2 + sqrt2) * sqrt (INR T))).
      + apply Rmult_le_compat_l; [|exact (schedule_sum T HT)].
        apply Rmult_le_pos; [|apply sqrt_pos]. apply Rmult_le_pos; [exact HC0|apply sqrt_pos].
      + assert (0 <= INR M * INR k) by nra.
        rewrite (sqrt_mult (INR M * INR k * INR T)) by (solve [exact Hv | apply Rmult_le_pos; [lra|apply pos_INR]]).
        rewrite (sqrt_mult (INR M * INR k) (INR T)) by (try lra; apply pos_INR).
        unfold s0, sqrt2. ring.
  Qed.
End LaterEpochs.

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

  (** gamma^{l+1} = g sqrt(kappa K M E^l / ln|F|), gamma^1 = 0 *)
  Definition rates (g : R) (l : nat) : R :=
    match l with
    | O => 0
    | S l' => match l' with O => 0 | _ => g * sqrt (kappa * SK M (K_arms k) (doubling T) l' / ln (INR N)) end
    end.
  (** Reg(T) of FedIGW with the exact minimiser, the doubling schedule and these rates *)
  Definition Reg_T (g : R) : R :=
    Expect (run_law M X (K_arms k) D reward_law (doubling T) (rates g) (exact_minimiser F choice) (epochs_until T))
      (total_regret M (K_arms k) reward_law (epochs_until T)).

  Lemma col_finite_any_rate g q : 0 < g -> 1 - / INR k <= q ->
    Reg_T g <= col_finite_bound (sharpened_constant 1 g q / g * (2 + sqrt 2)) (INR M) (INR k) (INR T) (ln (INR N)).
  Proof.
    intros Hg Hq. pose proof kappa_pos as Hk0. pose proof (log_class_pos N HN) as HlnN.
    assert (H20 : 0 < sqrt 2) by (apply sqrt_lt_R0; lra).
    assert (Hkk : 1 <= INR k) by (replace 1 with (INR 1) by reflexivity; apply le_INR, Hk).
    assert (HMM : 1 <= INR M) by (replace 1 with (INR 1) by reflexivity; apply le_INR, HM).
    assert (Hln : 0 <= ln (INR N) / kappa) by (left; apply Rdiv_lt_0_compat; lra).
    assert (Hki : 0 < / INR k <= 1).
    { split; [apply Rinv_0_lt_compat; lra|]. rewrite <- Rinv_1. apply Rinv_le_contravar; lra. }
    pose proof (epochs_until_log2 T HT) as [_ HL2].
    unfold Reg_T, col_finite_bound. eapply Rle_trans.
    - apply (col_finite_any_schedule M X (K_arms k) D reward_law (epochs_until T) (doubling T) (rates g) N jstar F choice)
        with (c := 1) (g := g) (q := q); auto.
      + lia.
      + intros l m Hl Hm. apply doubling_positive; assumption.
      + intros l m m' H1 H2 _ _. unfold E, doubling. lra.
      + simpl. lra.
      + intros l H1 H2. destruct l as [|l]; [lia|]. reflexivity.
      + intros l H1 H2. rewrite !SK_doubling. apply Rmult_le_compat_l; [nra|]. apply le_INR.
        apply doubling_mono; assumption.
    - apply Rplus_le_compat.
      + rewrite (sum_ext M _ (fun _ => (1 - / INR k) * INR (doubling T 1 0))) by reflexivity. rewrite sum_const.
        rewrite doubling_first by exact HT. simpl INR. right. ring.
      + set (C0 := sharpened_constant 1 g q / g).
        assert (HC0 : 0 <= C0).
        { unfold C0, sharpened_constant. apply Rmult_le_pos; [|left; apply Rinv_0_lt_compat; exact Hg].
          assert (0 <= 1 ^ 2 * g ^ 2) by (apply Rmult_le_pos; apply pow2_ge_0). lra. }
        apply (later_epochs M k T HM Hk HT); assumption.
  Qed.

  (** col:finite, sharpened.  T >= 3, gamma^{l+1} = sqrt(kappa K M E^l / (2 ln|F|)):
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
