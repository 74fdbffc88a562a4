(** * col:finite, best

    Exact minimiser, doubling schedule, K arms, T >= 3 steps.  With e_l = min(1, ln|F| / (kappa M E^l)), kappa = 0.46368, the learning
    rate grows by sqrt 2 from epoch 4 on, or the bound of the epoch is above its length; so thm_global_regret_best_doubling applies:

        Reg(T) <= 2M(1 - 1/K) + (C/g)(2 + sqrt 2) sqrt(K M T ln|F| / kappa),   C/g <= 3.6981;  3 / sqrt 2 for two arms.

    No hypothesis on the learning rate or on the error is left: both are computed.                               *)
From Coq Require Import Reals Lra Lia Psatz List Arith.
From FedIGW Require Import FiniteSums FiniteProbability InverseGapWeighting BestParameters Protocol GlobalRegret
  FiniteExponent FiniteError DoublingSchedule FiniteRegret.
Open Scope R_scope.

(** the bound, for a constant C/g *)
Definition col_finite_best_bound (constant M K T logF : R) : R :=
  2 * M * (1 - / K) + constant * (2 + sqrt 2) * sqrt (M * K * T * (logF / kappa_best)).
(** e after n samples *)
Definition clipped_risk (logF n : R) : R := Rmin 1 (logF / (kappa_best * n)).

Lemma clipped_risk_pos logF n : 0 < logF -> 0 < n -> 0 < clipped_risk logF n.
Proof.
  intros Hv Hn. unfold clipped_risk. apply Rmin_glb_lt; [lra|].
  apply Rdiv_lt_0_compat; [exact Hv|]. apply Rmult_lt_0_compat; [exact kappa_best_pos|exact Hn].
Qed.
Lemma clipped_risk_decreases logF n n' : 0 < logF -> 0 < n -> n <= n' -> clipped_risk logF n' <= clipped_risk logF n.
Proof.
  intros Hv Hn H. pose proof kappa_best_pos as Hk. unfold clipped_risk. apply Rle_min_compat_l. apply Rmult_le_compat_l; [lra|].
  apply Rinv_le_contravar; [apply Rmult_lt_0_compat; lra | apply Rmult_le_compat_l; lra].
Qed.
(** Twice the samples: half the risk, or it was clipped and is still 1/2. *)
Lemma clipped_risk_halves logF n : 0 < logF -> 0 < n ->
  clipped_risk logF (2 * n) = clipped_risk logF n / 2 \/ 1 / 2 <= clipped_risk logF (2 * n).
Proof.
  intros Hv Hn. pose proof kappa_best_pos as Hk. unfold clipped_risk. set (u := logF / (kappa_best * n)).
  replace (logF / (kappa_best * (2 * n))) with (u / 2) by (unfold u; field; lra).
  unfold Rmin. destruct (Rle_dec 1 (u / 2)); destruct (Rle_dec 1 u); try (left; lra); right; lra.
Qed.

Section ColFiniteBest.
  Variables (M : nat) (X : nat -> nat) (k : nat) (D : nat -> nat -> R).
  Variable reward_law : nat -> nat -> nat -> list (R * R).
  Variables (N jstar : nat) (F : nat -> estimate) (choice : nat -> dataset -> nat) (T : nat).
  Hypothesis HM : (1 <= M)%nat.
  Hypothesis Hk : (2 <= k)%nat.
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
  Let L := epochs_until T.
  Let len := doubling T.
  Local Notation SK := (SK M (K_arms k) len).
  Local Notation W := (W M len).
  Local Notation Kbar := (Kbar M (K_arms k) len).

  (** e_l = min(1, ln|F| / (kappa M E^l)) *)
  Definition best_risk_of (l : nat) : R := clipped_risk (ln (INR N)) (INR M * INR (doubling T l 0)).
  (** gamma^{l+1} = g sqrt(K / e_l), gamma^1 = 0 *)
  Definition best_rates (g : R) (l : nat) : R :=
    match l with
    | O => 0
    | S l' => match l' with O => 0 | _ => g * sqrt (INR k / best_risk_of l') end
    end.
  (** Reg(T) of FedIGW with the exact minimiser, the doubling schedule and these rates *)
  Definition best_Reg_T (g : R) : R :=
    Expect (run_law M X (K_arms k) D reward_law (doubling T) (best_rates g) (exact_minimiser F choice) (epochs_until T))
      (total_regret M (K_arms k) reward_law (epochs_until T)).

  Lemma Hk1 : (1 <= k)%nat.
  Proof using Hk. apply Nat.le_trans with 2%nat; [repeat constructor|exact Hk]. Qed.
  Lemma k_ge_2 : 2 <= INR k.
  Proof. change 2 with (INR 2). apply le_INR, Hk. Qed.
  Lemma M_ge_1 : 1 <= INR M.
  Proof. replace 1 with (INR 1) by reflexivity. apply le_INR, HM. Qed.
  Lemma log_pos : 0 < ln (INR N).
  Proof. apply log_class_pos. exact HN. Qed.
  Lemma epochs_two : (2 <= L)%nat.
  Proof. apply (epochs_until_log2 T HT). Qed.
  Lemma lengths_positive l m : (1 <= l <= L)%nat -> (m < M)%nat -> (1 <= len l m)%nat.
  Proof. intros Hl _. apply (doubling_positive T HT l m Hl). Qed.
  Lemma length_pos l : (1 <= l <= L)%nat -> 0 < INR (doubling T l 0).
  Proof. intro Hl. apply lt_0_INR. pose proof (doubling_positive T HT l 0 Hl). lia. Qed.
  Lemma samples_pos l : (1 <= l <= L)%nat -> 0 < INR M * INR (doubling T l 0).
  Proof. intro Hl. pose proof M_ge_1. apply Rmult_lt_0_compat; [lra|apply length_pos, Hl]. Qed.
  Lemma W_samples l : W l = INR M * INR (doubling T l 0).
  Proof. unfold Protocol.W, E, len. rewrite (sum_ext M _ (fun _ => INR (doubling T l 0))) by reflexivity. apply sum_const. Qed.
  Lemma SK_samples l : SK l = INR k * (INR M * INR (doubling T l 0)).
  Proof. unfold len. rewrite (SK_doubling M k T l). ring. Qed.
  Lemma Kbar_arms l : (1 <= l <= L)%nat -> Kbar l = INR k.
  Proof.
    intro Hl. unfold Protocol.Kbar. rewrite SK_samples, W_samples.
    pose proof M_ge_1. pose proof (length_pos l Hl). field. split; lra.
  Qed.
  Lemma risk_of_pos l : (1 <= l <= L)%nat -> 0 < best_risk_of l.
  Proof. intro Hl. apply clipped_risk_pos; [exact log_pos|apply samples_pos, Hl]. Qed.

  (** squares of functions in [0,1] are at most 1, so the error is at most W *)
  Lemma error_at_most_W gamma l f j : (1 <= l <= L)%nat -> (forall l, 0 <= gamma l) -> (j < N)%nat ->
    Err_of M X (K_arms k) D reward_law len gamma l f (F j) <= W l.
  Proof.
    intros Hl Hg Hj. unfold Err_of, Protocol.over_epoch, Protocol.W. apply sum_le. intros m Hm.
    assert (HE : 0 <= E len l m) by apply pos_INR.
    rewrite <- (Rmult_1_r (E len l m)) at 2. apply Rmult_le_compat_l; [exact HE|].
    rewrite <- (HD1 m). apply sum_le. intros x Hx. rewrite <- (Rmult_1_r (D m x)) at 2.
    apply Rmult_le_compat_l; [apply HD0, Hx|].
    rewrite <- (igw_total (K_arms k m) (gamma l) (f m x) Hk1). apply sum_le. intros a Ha.
    pose proof (igw_pos (K_arms k m) (gamma l) (f m x) Hk1 (Hg l) a Ha) as Hp.
    rewrite <- (Rmult_1_r (igw _ _ _ a)) at 2. apply Rmult_le_compat_l; [lra|].
    pose proof (HF01 j m x a Hj). pose proof (fstar_unit reward_law HR HR01 m x a).
    assert (-1 <= F j m x a - fstar reward_law m x a <= 1) by lra. nra.
  Qed.

  Section Rate.
    Variable g : R.
    Hypothesis Hg : 0 < g.
    Lemma rates_nonneg l : 0 <= best_rates g l.
    Proof. destruct l as [|[|l]]; simpl; try lra. apply Rmult_le_pos; [lra|apply sqrt_pos]. Qed.
    Lemma error_of_minimiser l h f : (1 <= l)%nat -> (S l <= L)%nat ->
      Expect (all_agents X (K_arms k) D reward_law len (best_rates g) l f M)
        (fun d => Expect (exact_minimiser F choice l (update h l (f, d)))
          (fun f' => Err_of M X (K_arms k) D reward_law len (best_rates g) l f f')) <= W l * best_risk_of l.
    Proof.
      intros H1 H2. assert (Hl : (1 <= l <= L)%nat) by lia. pose proof (samples_pos l Hl) as Hs. pose proof kappa_best_pos as Hkap.
      rewrite (Expect_ext _ _ (fun d => Err_of M X (K_arms k) D reward_law len (best_rates g) l f (F (choice l d)))).
      2:{ intro d. unfold exact_minimiser. rewrite Expect_dirac, update_same. reflexivity. }
      rewrite W_samples. unfold best_risk_of, clipped_risk. unfold Rmin.
      destruct (Rle_dec 1 (ln (INR N) / (kappa_best * (INR M * INR (doubling T l 0))))) as [Hc|Hc].
      - rewrite Rmult_1_r, <- W_samples.
        assert (Hd : distribution (all_agents X (K_arms k) D reward_law len (best_rates g) l f M)).
        { apply (distribution_all_agents X (K_arms k) D reward_law L len (best_rates g)); auto using rates_nonneg. intro; exact Hk1. }
        rewrite <- (Expect_const (all_agents X (K_arms k) D reward_law len (best_rates g) l f M) (W l) Hd).
        apply Expect_le; [apply Hd|]. intro d. apply error_at_most_W; auto using rates_nonneg.
      - replace (INR M * INR (doubling T l 0) * (ln (INR N) / (kappa_best * (INR M * INR (doubling T l 0))))) with (ln (INR N) / kappa_best)
          by (pose proof M_ge_1; pose proof (length_pos l Hl); field; repeat split; lra).
        apply (finite_error_sum_best M X (K_arms k) D reward_law L len (best_rates g) N jstar F choice); auto using rates_nonneg.
        intro m. exact Hk1.
    Qed.
    Lemma rates_are_H4 l : (1 <= l)%nat -> (S l <= L)%nat -> best_rates g (S l) = g * sqrt (Kbar l / best_risk_of l).
    Proof. intros H1 H2. destruct l as [|l]; [lia|]. rewrite Kbar_arms by lia. reflexivity. Qed.
    Lemma rates_grow l : (2 <= l)%nat -> (S l <= L)%nat -> best_rates g l <= best_rates g (S l).
    Proof.
      intros H1 H2. destruct l as [|[|l]]; [lia|lia|]. simpl best_rates. apply Rmult_le_compat_l; [lra|]. apply sqrt_le_1_alt.
      pose proof k_ge_2. apply Rmult_le_compat_l; [lra|]. apply Rinv_le_contravar; [apply risk_of_pos; lia|].
      apply clipped_risk_decreases; [exact log_pos | apply samples_pos; lia |].
      apply Rmult_le_compat_l; [apply pos_INR|]. apply le_INR. apply (doubling_mono T HT); [lia|exact H2].
    Qed.
    (** What the bound of epoch l is: (C/g) sqrt(K e_{l-1}) W^l. *)
    Lemma term_value Cst l : (2 <= l <= L)%nat ->
      Cst * (SK l / best_rates g l) = Cst / g * sqrt (INR k * best_risk_of (l - 1)) * W l.
    Proof.
      intro Hl. destruct l as [|[|l]]; [lia|lia|]. replace (S (S l) - 1)%nat with (S l) by lia.
      pose proof k_ge_2 as Hk2. pose proof (risk_of_pos (S l) ltac:(lia)) as Hr. simpl best_rates. rewrite SK_samples, W_samples.
      assert (Hq : 0 < INR k / best_risk_of (S l)) by (apply Rdiv_lt_0_compat; lra).
      assert (Hs : sqrt (INR k * best_risk_of (S l)) = INR k / sqrt (INR k / best_risk_of (S l))).
      { pose proof (sqrt_lt_R0 _ Hq) as Hsq. apply sqrt_lem_1; [apply Rmult_le_pos; lra | apply Rlt_le, Rdiv_lt_0_compat; lra |].
        set (v := sqrt (INR k / best_risk_of (S l))) in *. assert (Hv : v * v = INR k / best_risk_of (S l)) by (apply sqrt_sqrt; lra).
        replace (INR k / v * (INR k / v)) with (INR k * INR k / (v * v)) by (field; lra). rewrite Hv. field. lra. }
      rewrite Hs. pose proof (sqrt_lt_R0 _ Hq). field. split; lra.
    Qed.
    (** 2 * 169^2 = 239^2 + 1; where the risk was clipped the bound of the epoch is above its length *)
    Lemma rates_double Cst l : 0 <= Cst -> 1 <= Cst / g -> (4 <= l <= L)%nat ->
      best_rates g (l - 1) <= 169 / 239 * best_rates g l \/ W l <= Cst * (SK l / best_rates g l).
    Proof.
      intros HC HCg Hl. pose proof k_ge_2 as Hk2.
      assert (E2 : INR M * INR (doubling T (l - 1) 0) = 2 * (INR M * INR (doubling T (l - 1 - 1) 0))).
      { assert (E1 : doubling T (l - 1) 0 = (2 * doubling T (l - 1 - 1) 0)%nat).
        { unfold doubling, full_length. fold L. destruct (Nat.eq_dec (l - 1) L); [lia|]. destruct (Nat.eq_dec (l - 1 - 1) L); [lia|].
          destruct (Nat.eq_dec (l - 1) 1); [lia|]. destruct (Nat.eq_dec (l - 1 - 1) 1); [lia|].
          set (j := (l - 1 - 1 - 1)%nat). replace (l - 1 - 1)%nat with (S j) by (unfold j; lia). simpl. lia. }
        rewrite E1, mult_INR. change (INR 2) with 2. ring. }
      destruct (clipped_risk_halves (ln (INR N)) (INR M * INR (doubling T (l - 1 - 1) 0)) log_pos (samples_pos (l - 1 - 1) ltac:(lia))) as [Hh|Hh];
        rewrite <- E2 in Hh; fold (best_risk_of (l - 1)) in Hh.
      - left. fold (best_risk_of (l - 1 - 1)) in Hh. pose proof (risk_of_pos (l - 1 - 1) ltac:(lia)) as Hr.
        destruct l as [|[|[|l]]]; [lia|lia|lia|]. replace (S (S (S l)) - 1)%nat with (S (S l)) in * by lia.
        replace (S (S l) - 1)%nat with (S l) in * by lia. simpl best_rates.
        replace (169 / 239 * (g * sqrt (INR k / best_risk_of (S (S l))))) with (g * (169 / 239 * sqrt (INR k / best_risk_of (S (S l))))) by ring.
        apply Rmult_le_compat_l; [lra|]. rewrite <- (sqrt_square (169 / 239)) by lra. rewrite <- sqrt_mult_alt by lra. apply sqrt_le_1_alt.
        rewrite Hh. replace (169 / 239 * (169 / 239) * (INR k / (best_risk_of (S l) / 2)))
          with (2 * (169 / 239 * (169 / 239)) * (INR k / best_risk_of (S l))) by (field; lra).
        assert (0 < INR k / best_risk_of (S l)) by (apply Rdiv_lt_0_compat; lra). lra.
      - right. rewrite term_value by lia. pose proof (samples_pos l ltac:(lia)) as HW. rewrite <- W_samples in HW.
        assert (Hroot : 1 <= sqrt (INR k * best_risk_of (l - 1))).
        { rewrite <- sqrt_1. apply sqrt_le_1_alt. assert (2 * (1 / 2) <= INR k * best_risk_of (l - 1)) by (apply Rmult_le_compat; lra). lra. }
        assert (1 * 1 <= Cst / g * sqrt (INR k * best_risk_of (l - 1))) by (apply Rmult_le_compat; lra).
        rewrite <- (Rmult_1_l (W l)) at 1. apply Rmult_le_compat_r; lra.
    Qed.

    (** Whatever constant holds in every epoch. *)
    Lemma closed_form Cst : 0 <= Cst ->
      best_Reg_T g <= sum M (fun m => (1 - / INR (K_arms k m)) * E len 1 m) +
        sum (L - 1) (fun i => Rmin (W (i + 2)) (Cst / g * (SK (i + 2) * sqrt (best_risk_of (i + 1) / Kbar (i + 1))))) ->
      best_Reg_T g <= col_finite_best_bound (Cst / g) (INR M) (INR k) (INR T) (ln (INR N)).
    Proof.
      intros HC H. eapply Rle_trans; [exact H|]. unfold col_finite_best_bound. pose proof kappa_best_pos as Hkap. pose proof log_pos as Hlog.
      assert (Hv : 0 < ln (INR N) / kappa_best) by (apply Rdiv_lt_0_compat; lra).
      assert (HC0 : 0 <= Cst / g) by (apply Rmult_le_pos; [exact HC|left; apply Rinv_0_lt_compat; exact Hg]).
      apply Rplus_le_compat.
      - rewrite (sum_ext M _ (fun _ => (1 - / INR k) * INR (doubling T 1 0))) by reflexivity. rewrite sum_const.
        rewrite doubling_first by exact HT. simpl INR. right. ring.
      - eapply Rle_trans; [|apply (later_epochs M k N jstar T HM Hk1 HN Hjstar HT (Cst / g) (ln (INR N) / kappa_best)); [exact HC0|lra]].
        fold L len. apply sum_le. intros i Hi. apply Rle_min_compat_l. apply Rmult_le_compat_l; [exact HC0|].
        assert (Hl : (1 <= i + 1 <= L)%nat) by lia. pose proof (samples_pos (i + 1) Hl) as Hs. pose proof k_ge_2 as Hk2.
        assert (HS : 0 < SK (i + 1)) by (rewrite SK_samples; apply Rmult_lt_0_compat; lra).
        replace (sqrt (ln (INR N) / kappa_best) * (SK (i + 2) / sqrt (SK (i + 1)))) with (SK (i + 2) * sqrt (ln (INR N) / kappa_best / SK (i + 1))).
        + apply Rmult_le_compat_l.
          * rewrite SK_samples. apply Rmult_le_pos; [lra|]. apply Rmult_le_pos; apply pos_INR.
          * apply sqrt_le_1_alt. rewrite Kbar_arms by exact Hl. rewrite SK_samples.
            apply (Rmult_le_reg_r (INR k)); [lra|].
            replace (best_risk_of (i + 1) / INR k * INR k) with (best_risk_of (i + 1)) by (field; lra).
            replace (ln (INR N) / kappa_best / (INR k * (INR M * INR (doubling T (i + 1) 0))) * INR k)
              with (ln (INR N) / (kappa_best * (INR M * INR (doubling T (i + 1) 0))))
              by (pose proof M_ge_1; pose proof (length_pos (i + 1) Hl); field; repeat split; lra).
            apply Rmin_r.
        + rewrite sqrt_div by lra. pose proof (sqrt_lt_R0 _ HS). field. lra.
    Qed.

    Lemma in_step l m m' : (1 <= l)%nat -> (S l <= L)%nat -> (m < M)%nat -> (m' < M)%nat ->
      E len (S l) m / E len l m <= 1 * (E len (S l) m' / E len l m').
    Proof. intros _ _ _ _. unfold E, len, doubling. lra. Qed.
    Lemma doubling_above_g : 0 <= doubling_constant (INR k) g /\ 1 <= doubling_constant (INR k) g / g.
    Proof.
      pose proof (arms_positive doubling_arms (INR k) k_ge_2) as HA. pose proof k_ge_2 as Hk2.
      assert (HA1 : 1 / 2 <= Rmax (1 - / INR k) (1 - 2 / INR k + doubling_arms)).
      { eapply Rle_trans; [|apply Rmax_l]. assert (/ INR k <= / 2) by (apply Rinv_le_contravar; lra). lra. }
      assert (HB : 2 <= doubling_risk) by (unfold doubling_risk; lra). unfold doubling_constant.
      set (A := Rmax (1 - / INR k) (1 - 2 / INR k + doubling_arms)) in *. pose proof (pow2_ge_0 g).
      assert (0 <= doubling_risk * g ^ 2) by (apply Rmult_le_pos; lra). split; [lra|].
      apply (Rmult_le_reg_r g); [exact Hg|]. replace ((A + doubling_risk * g ^ 2) / g * g) with (A + doubling_risk * g ^ 2) by (field; lra).
      assert (2 * g ^ 2 <= doubling_risk * g ^ 2) by (apply Rmult_le_compat_r; lra). pose proof (pow2_ge_0 (g - 1 / 2)). lra.
    Qed.

    (** col:finite as a sum over epochs, each capped at its length:
        Reg(T) <= 2M(1 - 1/K) + sum_{l >= 2} min(M E^l, (C/g) S^l sqrt(e_{l-1} / K)). *)
    Theorem col_finite_best_epochs : (3 <= k)%nat -> g ^ 2 <= 6 / 5 ->
      best_Reg_T g <= sum M (fun m => (1 - / INR (K_arms k m)) * E (doubling T) 1 m) +
        sum (epochs_until T - 1) (fun i => Rmin (Protocol.W M (doubling T) (i + 2)) (doubling_constant (INR k) g / g *
          (Protocol.SK M (K_arms k) (doubling T) (i + 2) * sqrt (best_risk_of (i + 1) / Protocol.Kbar M (K_arms k) (doubling T) (i + 1))))).
    Proof.
      intros Hk3 Hg2. destruct doubling_above_g as [HC HCg].
      apply (thm_global_regret_best_doubling M X (K_arms k) D reward_law HM (fun _ => Hk1) HD0 HD1 HR HR01 L len
        ltac:(pose proof epochs_two; lia) lengths_positive (best_rates g) (exact_minimiser F choice) best_risk_of) with (c := 1) (k := k); auto.
      - intros l h. apply distribution_dirac.
      - intros l H1 H2. apply risk_of_pos. lia.
      - intros l h f H1 H2. apply error_of_minimiser; assumption.
      - exact rates_are_H4.
      - apply rates_nonneg.
      - exact rates_grow.
      - exact in_step.
      - intros l Hl. apply rates_double; assumption.
    Qed.
    Theorem col_finite_best_any_rate : (3 <= k)%nat -> g ^ 2 <= 6 / 5 ->
      best_Reg_T g <= col_finite_best_bound (doubling_constant (INR k) g / g) (INR M) (INR k) (INR T) (ln (INR N)).
    Proof. intros Hk3 Hg2. apply closed_form; [apply doubling_above_g | exact (col_finite_best_epochs Hk3 Hg2)]. Qed.

    (** The same for two arms. *)
    Theorem col_finite_best_two_arms_epochs : k = 2%nat ->
      best_Reg_T g <= sum M (fun m => (1 - / INR (K_arms k m)) * E (doubling T) 1 m) +
        sum (epochs_until T - 1) (fun i => Rmin (Protocol.W M (doubling T) (i + 2)) (two_arm_constant g / g *
          (Protocol.SK M (K_arms k) (doubling T) (i + 2) * sqrt (best_risk_of (i + 1) / Protocol.Kbar M (K_arms k) (doubling T) (i + 1))))).
    Proof.
      intro Hk2.
      apply (thm_global_regret_best_two_arms M X (K_arms k) D reward_law HM (fun _ => Hk1) HD0 HD1 HR HR01 L len
        ltac:(pose proof epochs_two; lia) lengths_positive (best_rates g) (exact_minimiser F choice) best_risk_of) with (c := 1); auto.
      - intros l h. apply distribution_dirac.
      - intros l H1 H2. apply risk_of_pos. lia.
      - intros l h f H1 H2. apply error_of_minimiser; assumption.
      - exact rates_are_H4.
      - apply rates_nonneg.
      - exact rates_grow.
      - exact in_step.
    Qed.
    Theorem col_finite_best_two_arms_any_rate : k = 2%nat ->
      best_Reg_T g <= col_finite_best_bound (two_arm_constant g / g) (INR M) (INR k) (INR T) (ln (INR N)).
    Proof.
      intro Hk2. apply closed_form; [|exact (col_finite_best_two_arms_epochs Hk2)].
      unfold two_arm_constant. pose proof (pow2_ge_0 g). lra.
    Qed.
  End Rate.

  (** col:finite, best, K >= 3, at the best rate g^2 = A/B of C = A + B g^2:
      Reg(T) <= 2M(1 - 1/K) + 2 sqrt(A B) (2 + sqrt 2) sqrt(K M T ln|F| / kappa),  A = 1 - 2/K + 0.47255, B = 2.32170. *)
  Theorem col_finite_best : (3 <= k)%nat ->
    best_Reg_T (sqrt (Rmax (1 - / INR k) (1 - 2 / INR k + doubling_arms) / doubling_risk)) <=
      col_finite_best_bound (doubling_over_g (INR k)) (INR M) (INR k) (INR T) (ln (INR N)).
  Proof.
    intro Hk3. pose proof k_ge_2 as H2. pose proof (arms_positive doubling_arms (INR k) H2) as HA.
    pose proof (arms_below doubling_arms (INR k) H2 ltac:(unfold doubling_arms; lra)) as HA1.
    assert (HB : 0 < doubling_risk) by (unfold doubling_risk; lra).
    rewrite <- (doubling_constant_attained (INR k) H2). apply col_finite_best_any_rate; [|exact Hk3|].
    - apply sqrt_lt_R0. apply Rdiv_lt_0_compat; assumption.
    - rewrite pow2_sqrt by (left; apply Rdiv_lt_0_compat; assumption).
      apply (Rmult_le_reg_r doubling_risk); [exact HB|].
      replace (Rmax (1 - / INR k) (1 - 2 / INR k + doubling_arms) / doubling_risk * doubling_risk)
        with (Rmax (1 - / INR k) (1 - 2 / INR k + doubling_arms)) by (field; lra).
      unfold doubling_arms, doubling_risk in *. lra.
  Qed.

  (** col:finite, best, two arms, g^2 = 2/9:  C/g = 3 / sqrt 2. *)
  Theorem col_finite_best_two_arms : k = 2%nat ->
    best_Reg_T (sqrt (2 / 9)) <= col_finite_best_bound (3 / sqrt 2) (INR M) (INR k) (INR T) (ln (INR N)).
  Proof.
    intro Hk2. rewrite <- two_arm_constant_attained. apply col_finite_best_two_arms_any_rate; [|exact Hk2].
    apply sqrt_lt_R0. lra.
  Qed.
End ColFiniteBest.
