(** * thm:global_regret, sharpened and best, under doubling

    Epochs 2, 2, 4, 8, ... cut at T >= 3, K arms, any FL routine whose excess risk after n samples is at most
    e = min(1, A/n), learning rates gamma^{l+1} = g sqrt(K / e_l).  The rate grows by sqrt 2 from epoch 4 on, or the bound of the epoch is
    above its length; so thm_global_regret_best_doubling applies:

        Reg(T) <= 2M(1 - 1/K) + sum_{l >= 2} min(M E^l, (C/g) S^l sqrt(e_{l-1} / K))
               <= 2M(1 - 1/K) + (C/g)(2 + sqrt 2) sqrt(K M T A),   C/g <= 3.6981;  3 / sqrt 2 for two arms.

    The same with the sharpened constant needs no growth of the rate.                                             *)
From Coq Require Import Reals Lra Lia Psatz List Arith.
From FedIGW Require Import FiniteSums FiniteProbability InverseGapWeighting Constants BestParameters Protocol GlobalRegret
  DoublingSchedule.
Open Scope R_scope.

(** the closed form, for a constant C/g *)
Definition doubling_bound (constant M K T A : R) : R := 2 * M * (1 - / K) + constant * (2 + sqrt 2) * sqrt (M * K * T * A).
(** e after n samples *)
Definition clipped_risk (A n : R) : R := Rmin 1 (A / n).

Lemma clipped_risk_pos A n : 0 < A -> 0 < n -> 0 < clipped_risk A n.
Proof. intros HA Hn. unfold clipped_risk. apply Rmin_glb_lt; [lra|]. apply Rdiv_lt_0_compat; assumption. Qed.
Lemma clipped_risk_decreases A n n' : 0 < A -> 0 < n -> n <= n' -> clipped_risk A n' <= clipped_risk A n.
Proof.
  intros HA Hn H. unfold clipped_risk. apply Rle_min_compat_l. apply Rmult_le_compat_l; [lra|]. apply Rinv_le_contravar; assumption.
Qed.
(** Twice the samples: half the risk, or it was clipped and is still 1/2. *)
Lemma clipped_risk_halves A n : 0 < A -> 0 < n ->
  clipped_risk A (2 * n) = clipped_risk A n / 2 \/ 1 / 2 <= clipped_risk A (2 * n).
Proof.
  intros HA Hn. unfold clipped_risk. set (u := A / n). replace (A / (2 * n)) with (u / 2) by (unfold u; field; lra).
  unfold Rmin. destruct (Rle_dec 1 (u / 2)); destruct (Rle_dec 1 u); try (left; lra); right; lra.
Qed.

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
  Lemma later_epochs_uncapped C0 v : 0 <= C0 -> 0 <= v ->
    sum (epochs_until T - 1) (fun i =>
      C0 * (sqrt v * (SK M (K_arms k) (doubling T) (i + 2) / sqrt (SK M (K_arms k) (doubling T) (i + 1))))) <=
    C0 * (2 + sqrt 2) * sqrt (INR M * INR k * INR T * v).
  Proof.
    intros HC0 Hv. pose proof (epochs_until_log2 T HT) as [_ HL2]. set (s0 := sqrt v).
    assert (Hkk : 1 <= INR k) by (replace 1 with (INR 1) by reflexivity; apply le_INR, Hk).
    assert (HMM : 1 <= INR M) by (replace 1 with (INR 1) by reflexivity; apply le_INR, HM).
    apply Rle_trans with (C0 * s0 * sqrt (INR M * INR k) *
        sum (epochs_until T - 1) (fun i => INR (doubling T (i + 2) 0) / sqrt (INR (doubling T (i + 1) 0)))).
    - rewrite <- sum_scal. apply sum_le. intros i Hi.
      right. rewrite !SK_doubling.
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
  (** The same with every epoch capped. *)
  Lemma later_epochs C0 v : 0 <= C0 -> 0 <= v ->
    sum (epochs_until T - 1) (fun i => Rmin (W M (doubling T) (i + 2))
      (C0 * (sqrt v * (SK M (K_arms k) (doubling T) (i + 2) / sqrt (SK M (K_arms k) (doubling T) (i + 1)))))) <=
    C0 * (2 + sqrt 2) * sqrt (INR M * INR k * INR T * v).
  Proof.
    intros HC0 Hv. eapply Rle_trans; [|exact (later_epochs_uncapped C0 v HC0 Hv)]. apply sum_le. intros i _. apply Rmin_r.
  Qed.
End LaterEpochs.

Section DoublingRegret.
  Variables (M : nat) (X : nat -> nat) (k : nat) (D : nat -> nat -> R).
  Variable reward_law : nat -> nat -> nat -> list (R * R).
  Variables (FLroutine : nat -> run -> list (R * estimate)) (A : R) (T : nat) (g : R).
  Hypothesis HM : (1 <= M)%nat.
  Hypothesis Hk : (1 <= k)%nat.
  Hypothesis HD0 : forall m x, (x < X m)%nat -> 0 <= D m x.
  Hypothesis HD1 : forall m, sum (X m) (D m) = 1.
  Hypothesis HR : forall m x a, distribution (reward_law m x a).
  Hypothesis HR01 : forall m x a, Forall (fun pr => 0 <= snd pr <= 1) (reward_law m x a).
  Hypothesis HFL : forall l h, distribution (FLroutine l h).
  Hypothesis HA : 0 < A.
  Hypothesis HT : (3 <= T)%nat.
  Hypothesis Hg : 0 < g.
  Let L := epochs_until T.
  Let len := doubling T.
  Local Notation SK := (SK M (K_arms k) len).
  Local Notation W := (W M len).
  Local Notation Kbar := (Kbar M (K_arms k) len).

  (** e_l = min(1, A / (M E^l)) *)
  Definition doubling_excess (l : nat) : R := clipped_risk A (INR M * INR (doubling T l 0)).
  (** gamma^{l+1} = g sqrt(K / e_l), gamma^1 = 0 *)
  Definition doubling_rates (l : nat) : R :=
    match l with
    | O => 0
    | S l' => match l' with O => 0 | _ => g * sqrt (INR k / doubling_excess l') end
    end.
  (** H3: E Err^l <= W^l e_l whatever kernel of a reachable estimate collected the data *)
  Variable reachable : estimate -> Prop.
  Hypothesis Hzero : reachable zero_estimate.
  Hypothesis Hreach : forall l h, Forall (fun pf => reachable (snd pf)) (FLroutine l h).
  Hypothesis H3 : forall l h f, reachable f -> (1 <= l)%nat -> (S l <= epochs_until T)%nat ->
    Expect (all_agents X (K_arms k) D reward_law (doubling T) doubling_rates l f M)
      (fun d => Expect (FLroutine l (update h l (f, d)))
        (fun f' => Err_of M X (K_arms k) D reward_law (doubling T) doubling_rates l f f'))
    <= Protocol.W M (doubling T) l * doubling_excess l.
  (** Reg(T) of FedIGW with this FL routine, the doubling schedule and these rates *)
  Definition doubling_Reg_T : R :=
    Expect (run_law M X (K_arms k) D reward_law (doubling T) doubling_rates FLroutine (epochs_until T))
      (total_regret M (K_arms k) reward_law (epochs_until T)).

  Lemma k_ge_1 : 1 <= INR k.
  Proof. replace 1 with (INR 1) by reflexivity. apply le_INR, Hk. Qed.
  Lemma k_ge_2 : (2 <= k)%nat -> 2 <= INR k.
  Proof. intro H. change 2 with (INR 2). apply le_INR, H. Qed.
  Lemma M_ge_1 : 1 <= INR M.
  Proof. replace 1 with (INR 1) by reflexivity. apply le_INR, HM. Qed.
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
  Lemma risk_of_pos l : (1 <= l <= L)%nat -> 0 < doubling_excess l.
  Proof. intro Hl. apply clipped_risk_pos; [exact HA|apply samples_pos, Hl]. Qed.

  Lemma rates_nonneg l : 0 <= doubling_rates l.
  Proof. destruct l as [|[|l]]; simpl; try lra. apply Rmult_le_pos; [lra|apply sqrt_pos]. Qed.
  Lemma rates_are_H4 l : (1 <= l)%nat -> (S l <= L)%nat -> doubling_rates (S l) = g * sqrt (Kbar l / doubling_excess l).
  Proof. intros H1 H2. destruct l as [|l]; [lia|]. rewrite Kbar_arms by lia. reflexivity. Qed.
  Lemma rates_grow l : (2 <= l)%nat -> (S l <= L)%nat -> doubling_rates l <= doubling_rates (S l).
  Proof.
    intros H1 H2. destruct l as [|[|l]]; [lia|lia|]. simpl doubling_rates. apply Rmult_le_compat_l; [lra|]. apply sqrt_le_1_alt.
    pose proof k_ge_1. apply Rmult_le_compat_l; [lra|]. apply Rinv_le_contravar; [apply risk_of_pos; lia|].
    apply clipped_risk_decreases; [exact HA | apply samples_pos; lia |].
    apply Rmult_le_compat_l; [apply pos_INR|]. apply le_INR. apply (doubling_mono T HT); [lia|exact H2].
  Qed.
  (** What the bound of epoch l is: (C/g) sqrt(K e_{l-1}) W^l. *)
  Lemma term_value Cst l : (2 <= l <= L)%nat ->
    Cst * (SK l / doubling_rates l) = Cst / g * sqrt (INR k * doubling_excess (l - 1)) * W l.
  Proof.
    intro Hl. destruct l as [|[|l]]; [lia|lia|]. replace (S (S l) - 1)%nat with (S l) by lia.
    pose proof k_ge_1 as Hk2. pose proof (risk_of_pos (S l) ltac:(lia)) as Hr. simpl doubling_rates. rewrite SK_samples, W_samples.
    assert (Hq : 0 < INR k / doubling_excess (S l)) by (apply Rdiv_lt_0_compat; lra).
    assert (Hs : sqrt (INR k * doubling_excess (S l)) = INR k / sqrt (INR k / doubling_excess (S l))).
    { pose proof (sqrt_lt_R0 _ Hq) as Hsq. apply sqrt_lem_1; [apply Rmult_le_pos; lra | apply Rlt_le, Rdiv_lt_0_compat; lra |].
      set (v := sqrt (INR k / doubling_excess (S l))) in *. assert (Hv : v * v = INR k / doubling_excess (S l)) by (apply sqrt_sqrt; lra).
      replace (INR k / v * (INR k / v)) with (INR k * INR k / (v * v)) by (field; lra). rewrite Hv. field. lra. }
    rewrite Hs. pose proof (sqrt_lt_R0 _ Hq). field. split; lra.
  Qed.
  (** 2 * 169^2 = 239^2 + 1; where the risk was clipped the bound of the epoch is above its length *)
  Lemma rates_double Cst l : (2 <= k)%nat -> 0 <= Cst -> 1 <= Cst / g -> (4 <= l <= L)%nat ->
    doubling_rates (l - 1) <= 169 / 239 * doubling_rates l \/ W l <= Cst * (SK l / doubling_rates l).
  Proof.
    intros Hk2' HC HCg Hl. pose proof (k_ge_2 Hk2') as Hk2.
    assert (E2 : INR M * INR (doubling T (l - 1) 0) = 2 * (INR M * INR (doubling T (l - 1 - 1) 0))).
    { assert (E1 : doubling T (l - 1) 0 = (2 * doubling T (l - 1 - 1) 0)%nat).
      { unfold doubling, full_length. fold L. destruct (Nat.eq_dec (l - 1) L); [lia|]. destruct (Nat.eq_dec (l - 1 - 1) L); [lia|].
        destruct (Nat.eq_dec (l - 1) 1); [lia|]. destruct (Nat.eq_dec (l - 1 - 1) 1); [lia|].
        set (j := (l - 1 - 1 - 1)%nat). replace (l - 1 - 1)%nat with (S j) by (unfold j; lia). simpl. lia. }
      rewrite E1, mult_INR. change (INR 2) with 2. ring. }
    destruct (clipped_risk_halves A (INR M * INR (doubling T (l - 1 - 1) 0)) HA (samples_pos (l - 1 - 1) ltac:(lia))) as [Hh|Hh];
      rewrite <- E2 in Hh; fold (doubling_excess (l - 1)) in Hh.
    - left. fold (doubling_excess (l - 1 - 1)) in Hh. pose proof (risk_of_pos (l - 1 - 1) ltac:(lia)) as Hr.
      destruct l as [|[|[|l]]]; [lia|lia|lia|]. replace (S (S (S l)) - 1)%nat with (S (S l)) in * by lia.
      replace (S (S l) - 1)%nat with (S l) in * by lia. simpl doubling_rates.
      replace (169 / 239 * (g * sqrt (INR k / doubling_excess (S (S l))))) with (g * (169 / 239 * sqrt (INR k / doubling_excess (S (S l))))) by ring.
      apply Rmult_le_compat_l; [lra|]. rewrite <- (sqrt_square (169 / 239)) by lra. rewrite <- sqrt_mult_alt by lra. apply sqrt_le_1_alt.
      rewrite Hh. replace (169 / 239 * (169 / 239) * (INR k / (doubling_excess (S l) / 2)))
        with (2 * (169 / 239 * (169 / 239)) * (INR k / doubling_excess (S l))) by (field; lra).
      assert (0 < INR k / doubling_excess (S l)) by (apply Rdiv_lt_0_compat; lra). lra.
    - right. rewrite term_value by lia. pose proof (samples_pos l ltac:(lia)) as HW. rewrite <- W_samples in HW.
      assert (Hroot : 1 <= sqrt (INR k * doubling_excess (l - 1))).
      { rewrite <- sqrt_1. apply sqrt_le_1_alt. assert (2 * (1 / 2) <= INR k * doubling_excess (l - 1)) by (apply Rmult_le_compat; lra). lra. }
      assert (1 * 1 <= Cst / g * sqrt (INR k * doubling_excess (l - 1))) by (apply Rmult_le_compat; lra).
      rewrite <- (Rmult_1_l (W l)) at 1. apply Rmult_le_compat_r; lra.
  Qed.

  (** Whatever constant holds in every epoch. *)
  Lemma closed_form Cst : 0 <= Cst ->
    doubling_Reg_T <= sum M (fun m => (1 - / INR (K_arms k m)) * E len 1 m) +
      sum (L - 1) (fun i => Rmin (W (i + 2)) (Cst / g * (SK (i + 2) * sqrt (doubling_excess (i + 1) / Kbar (i + 1))))) ->
    doubling_Reg_T <= doubling_bound (Cst / g) (INR M) (INR k) (INR T) A.
  Proof.
    intros HC H. eapply Rle_trans; [exact H|]. unfold doubling_bound.
    assert (HC0 : 0 <= Cst / g) by (apply Rmult_le_pos; [exact HC|left; apply Rinv_0_lt_compat; exact Hg]).
    apply Rplus_le_compat.
    - rewrite (sum_ext M _ (fun _ => (1 - / INR k) * INR (doubling T 1 0))) by reflexivity. rewrite sum_const.
      rewrite doubling_first by exact HT. simpl INR. right. ring.
    - eapply Rle_trans; [|apply (later_epochs M k T HM Hk HT (Cst / g) A); [exact HC0|lra]].
      fold L len. apply sum_le. intros i Hi. apply Rle_min_compat_l. apply Rmult_le_compat_l; [exact HC0|].
      assert (Hl : (1 <= i + 1 <= L)%nat) by lia. pose proof (samples_pos (i + 1) Hl) as Hs. pose proof k_ge_1 as Hk2.
      assert (HS : 0 < SK (i + 1)) by (rewrite SK_samples; apply Rmult_lt_0_compat; lra).
      replace (sqrt A * (SK (i + 2) / sqrt (SK (i + 1)))) with (SK (i + 2) * sqrt (A / SK (i + 1))).
      + apply Rmult_le_compat_l.
        * rewrite SK_samples. apply Rmult_le_pos; [lra|]. apply Rmult_le_pos; apply pos_INR.
        * apply sqrt_le_1_alt. rewrite Kbar_arms by exact Hl. rewrite SK_samples.
          apply (Rmult_le_reg_r (INR k)); [lra|].
          replace (doubling_excess (i + 1) / INR k * INR k) with (doubling_excess (i + 1)) by (field; lra).
          replace (A / (INR k * (INR M * INR (doubling T (i + 1) 0))) * INR k) with (A / (INR M * INR (doubling T (i + 1) 0)))
            by (pose proof M_ge_1; pose proof (length_pos (i + 1) Hl); field; repeat split; lra).
          apply Rmin_r.
      + rewrite sqrt_div by lra. pose proof (sqrt_lt_R0 _ HS). field. lra.
  Qed.

  Lemma in_step l m m' : (1 <= l)%nat -> (S l <= L)%nat -> (m < M)%nat -> (m' < M)%nat ->
    E len (S l) m / E len l m <= 1 * (E len (S l) m' / E len l m').
  Proof. intros _ _ _ _. unfold E, len, doubling. lra. Qed.
  Lemma doubling_above_g : (2 <= k)%nat -> 0 <= doubling_constant (INR k) g /\ 1 <= doubling_constant (INR k) g / g.
  Proof.
    intro Hk2'. pose proof (k_ge_2 Hk2') as Hk2. pose proof (arms_positive doubling_arms (INR k) Hk2) as HC.
    assert (HA1 : 1 / 2 <= Rmax (1 - / INR k) (1 - 2 / INR k + doubling_arms)).
    { eapply Rle_trans; [|apply Rmax_l]. assert (/ INR k <= / 2) by (apply Rinv_le_contravar; lra). lra. }
    assert (HB : 2 <= doubling_risk) by (unfold doubling_risk; lra). unfold doubling_constant.
    set (C0 := Rmax (1 - / INR k) (1 - 2 / INR k + doubling_arms)) in *. pose proof (pow2_ge_0 g).
    assert (0 <= doubling_risk * g ^ 2) by (apply Rmult_le_pos; lra). split; [lra|].
    apply (Rmult_le_reg_r g); [exact Hg|]. replace ((C0 + doubling_risk * g ^ 2) / g * g) with (C0 + doubling_risk * g ^ 2) by (field; lra).
    assert (2 * g ^ 2 <= doubling_risk * g ^ 2) by (apply Rmult_le_compat_r; lra). pose proof (pow2_ge_0 (g - 1 / 2)). lra.
  Qed.

  (** thm:global_regret, sharpened, under doubling, as a sum over epochs, each capped at its length; q is at least 1 - 1/K:
      Reg(T) <= 2M(1 - 1/K) + sum_{l >= 2} min(M E^l, (C/g) S^l sqrt(e_{l-1} / K)),  C = 7q/6 + 7/18 + 28 g^2 / 9. *)
  Theorem thm_doubling_sharpened q : 1 - / INR k <= q ->
    doubling_Reg_T <= sum M (fun m => (1 - / INR (K_arms k m)) * E (doubling T) 1 m) +
      sum (epochs_until T - 1) (fun i => Rmin (Protocol.W M (doubling T) (i + 2)) (sharpened_constant 1 g q / g *
        (Protocol.SK M (K_arms k) (doubling T) (i + 2) * sqrt (doubling_excess (i + 1) / Protocol.Kbar M (K_arms k) (doubling T) (i + 1))))).
  Proof.
    intro Hq.
    apply (thm_global_regret_sharpened M X (K_arms k) D reward_law HM (fun _ => Hk) HD0 HD1 HR HR01 L len
      ltac:(pose proof epochs_two; lia) lengths_positive doubling_rates FLroutine doubling_excess) with (c := 1) (reachable := reachable); auto.
    - intros l H1 H2. apply risk_of_pos. lia.
    - exact rates_are_H4.
    - apply rates_nonneg.
    - exact rates_grow.
    - exact in_step.
  Qed.
  (** The closed form. *)
  Theorem thm_doubling_sharpened_closed q : 1 - / INR k <= q ->
    doubling_Reg_T <= doubling_bound (sharpened_constant 1 g q / g) (INR M) (INR k) (INR T) A.
  Proof.
    intro Hq. apply closed_form; [|exact (thm_doubling_sharpened q Hq)]. unfold sharpened_constant.
    pose proof k_ge_1. assert (/ INR k <= 1) by (rewrite <- Rinv_1; apply Rinv_le_contravar; lra).
    assert (0 <= 1 ^ 2 * g ^ 2) by (apply Rmult_le_pos; apply pow2_ge_0). lra.
  Qed.

  (** thm:global_regret, best, under doubling, K >= 3, as a sum over epochs, each capped at its length:
      Reg(T) <= 2M(1 - 1/K) + sum_{l >= 2} min(M E^l, (C/g) S^l sqrt(e_{l-1} / K)). *)
  Theorem thm_doubling_best : (3 <= k)%nat -> g ^ 2 <= 6 / 5 ->
    doubling_Reg_T <= sum M (fun m => (1 - / INR (K_arms k m)) * E (doubling T) 1 m) +
      sum (epochs_until T - 1) (fun i => Rmin (Protocol.W M (doubling T) (i + 2)) (doubling_constant (INR k) g / g *
        (Protocol.SK M (K_arms k) (doubling T) (i + 2) * sqrt (doubling_excess (i + 1) / Protocol.Kbar M (K_arms k) (doubling T) (i + 1))))).
  Proof.
    intros Hk3 Hg2. destruct (doubling_above_g ltac:(lia)) as [HC HCg].
    apply (thm_global_regret_best_doubling M X (K_arms k) D reward_law HM (fun _ => Hk) HD0 HD1 HR HR01 L len
      ltac:(pose proof epochs_two; lia) lengths_positive doubling_rates FLroutine doubling_excess) with (c := 1) (k := k) (reachable := reachable); auto.
    - intros l H1 H2. apply risk_of_pos. lia.
    - exact rates_are_H4.
    - apply rates_nonneg.
    - exact rates_grow.
    - exact in_step.
    - intros m _. unfold K_arms. lia.
    - intros l Hl. apply rates_double; try assumption; lia.
  Qed.
  (** The closed form:  Reg(T) <= 2M(1 - 1/K) + (C/g)(2 + sqrt 2) sqrt(K M T A). *)
  Theorem thm_doubling_best_closed : (3 <= k)%nat -> g ^ 2 <= 6 / 5 ->
    doubling_Reg_T <= doubling_bound (doubling_constant (INR k) g / g) (INR M) (INR k) (INR T) A.
  Proof. intros Hk3 Hg2. apply closed_form; [apply doubling_above_g; lia | exact (thm_doubling_best Hk3 Hg2)]. Qed.

  (** The same for two arms:  C = 1/2 + 9 g^2 / 4. *)
  Theorem thm_doubling_best_two_arms : k = 2%nat ->
    doubling_Reg_T <= sum M (fun m => (1 - / INR (K_arms k m)) * E (doubling T) 1 m) +
      sum (epochs_until T - 1) (fun i => Rmin (Protocol.W M (doubling T) (i + 2)) (two_arm_constant g / g *
        (Protocol.SK M (K_arms k) (doubling T) (i + 2) * sqrt (doubling_excess (i + 1) / Protocol.Kbar M (K_arms k) (doubling T) (i + 1))))).
  Proof.
    intro Hk2.
    apply (thm_global_regret_best_two_arms M X (K_arms k) D reward_law HM (fun _ => Hk) HD0 HD1 HR HR01 L len
      ltac:(pose proof epochs_two; lia) lengths_positive doubling_rates FLroutine doubling_excess) with (c := 1) (reachable := reachable); auto.
    - intros l H1 H2. apply risk_of_pos. lia.
    - exact rates_are_H4.
    - apply rates_nonneg.
    - exact rates_grow.
    - exact in_step.
  Qed.
  (** The closed form for two arms. *)
  Theorem thm_doubling_best_two_arms_closed : k = 2%nat ->
    doubling_Reg_T <= doubling_bound (two_arm_constant g / g) (INR M) (INR k) (INR T) A.
  Proof.
    intro Hk2. apply closed_form; [|exact (thm_doubling_best_two_arms Hk2)].
    unfold two_arm_constant. pose proof (pow2_ge_0 g). lra.
  Qed.
End DoublingRegret.
