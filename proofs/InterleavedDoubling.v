(** * Interleaved FedIGW under doubling: the closed form

    Epochs of 2, 2, 4, 8, ... steps cut at T >= 3, K arms each, e_l <= A/(M E^l) not increasing, gamma^{l+2} = g sqrt(K/e_l):

        Reg(T) <= 4M(1 - 1/K) + (C/g)(2 + 2 sqrt 2) sqrt(M K T A)                                                    ([interleaved_bound])

    with C of thm:global_regret: [interleaved_doubling_sharpened], [interleaved_doubling_best], [interleaved_doubling_best_two_arms].   *)
From Coq Require Import Reals Lra Lia Psatz List Arith.
From FedIGW Require Import FiniteSums FiniteProbability InverseGapWeighting Constants BestParameters Protocol DoublingSchedule DoublingRegret Interleaved.
Open Scope R_scope.

(** 4M(1 - 1/K) + constant (2 + 2 sqrt 2) sqrt(M K T A) *)
Definition interleaved_bound (constant M K T A : R) : R := 4 * M * (1 - / K) + constant * (2 + 2 * sqrt 2) * sqrt (M * K * T * A).

(** ** The schedule *)
Lemma full_interleaved_sum j :
  sum j (fun i => INR (full_length (i + 3)) / sqrt (INR (full_length (i + 1)))) <= 2 * (sqrt2 + 1) * (sqrt2 ^ (j + 2) - 2).
Proof.
  pose proof sqrt2_bounds as Hr. pose proof sqrt2_square as H2. induction j as [|j IH].
  - simpl. rewrite Rmult_1_r, H2. lra.
  - change (sum (S j) (fun i => INR (full_length (i + 3)) / sqrt (INR (full_length (i + 1))))) with
      (sum j (fun i => INR (full_length (i + 3)) / sqrt (INR (full_length (i + 1)))) + INR (full_length (j + 3)) / sqrt (INR (full_length (j + 1)))).
    pose proof (epoch_term_le (INR (full_length (j + 3))) (j + 1) ltac:(lia) (pos_INR _)) as Ht.
    replace (j + 1 - 1)%nat with j in Ht by lia.
    assert (Hf : INR (full_length (j + 3)) = sqrt2 ^ (j + 2) * sqrt2 ^ (j + 2)).
    { rewrite sqrt2_powers. unfold full_length. destruct (Nat.eq_dec (j + 3) 1); [lia|]. do 2 f_equal. lia. }
    rewrite Hf in Ht at 2. assert (Hp : 0 < sqrt2 ^ j) by (apply pow_lt; lra).
    replace (sqrt2 ^ (j + 2) * sqrt2 ^ (j + 2) / sqrt2 ^ j) with (sqrt2 ^ j * ((sqrt2 * sqrt2) * (sqrt2 * sqrt2))) in Ht
      by (rewrite pow_add; simpl; field; lra).
    replace (sqrt2 ^ (S j + 2)) with (sqrt2 ^ j * sqrt2 * (sqrt2 * sqrt2)) by (rewrite pow_add; simpl; ring).
    replace (sqrt2 ^ (j + 2)) with (sqrt2 ^ j * (sqrt2 * sqrt2)) in IH by (rewrite pow_add; simpl; ring).
    rewrite H2 in *. nra.
Qed.

(** sum_{l = 3}^{L} E^l_cut / sqrt(E^{l-2}) <= (2 + 2 sqrt 2) sqrt T *)
Lemma interleaved_schedule_sum T : (3 <= T)%nat ->
  sum (epochs_until T - 2) (fun i => INR (doubling T (i + 3) 0) / sqrt (INR (doubling T (i + 1) 0))) <= (2 + 2 * sqrt2) * sqrt (INR T).
Proof.
  intro HT. pose proof sqrt2_bounds as Hr. pose proof sqrt2_square as H2. pose proof (epochs_until_log2 T HT) as [Hlog HL2].
  destruct (Nat.eq_dec (epochs_until T) 2) as [E2|Hn2].
  { rewrite E2. simpl sum. apply Rmult_le_pos; [lra|apply sqrt_pos]. }
  set (L := epochs_until T) in *. set (k := (L - 3)%nat). assert (HLk : L = (k + 3)%nat) by (unfold k; lia).
  set (u := (T - 2 ^ (k + 2))%nat).
  assert (Hu : (1 <= u <= 2 ^ (k + 2))%nat).
  { rewrite HLk in Hlog. replace (k + 3 - 1)%nat with (k + 2)%nat in Hlog by lia.
    replace (2 ^ (k + 3))%nat with (2 ^ (k + 2) + 2 ^ (k + 2))%nat in Hlog by (replace (k + 3)%nat with (S (k + 2)) by lia; simpl; lia). unfold u. lia. }
  assert (HTu : T = (2 ^ (k + 2) + u)%nat) by (unfold u in *; lia).
  replace (L - 2)%nat with (S k) by lia. cbn [sum].
  rewrite (sum_ext k _ (fun i => INR (full_length (i + 3)) / sqrt (INR (full_length (i + 1))))).
  2:{ intros i Hi. unfold doubling. fold L. destruct (Nat.eq_dec (i + 3) L); [lia|]. destruct (Nat.eq_dec (i + 1) L); [lia|]. reflexivity. }
  pose proof (full_interleaved_sum k) as F.
  replace (doubling T (k + 3) 0) with u.
  2:{ unfold doubling. fold L. destruct (Nat.eq_dec (k + 3) L); [|lia]. unfold u. do 2 f_equal. lia. }
  replace (doubling T (k + 1) 0) with (full_length (k + 1)).
  2:{ unfold doubling. fold L. destruct (Nat.eq_dec (k + 1) L); [lia|reflexivity]. }
  pose proof (epoch_term_le (INR u) (k + 1) ltac:(lia) (pos_INR _)) as Ht. replace (k + 1 - 1)%nat with k in Ht by lia.
  set (R0 := sqrt2 ^ (k + 2)) in *. assert (HR : 0 < R0) by (apply pow_lt; lra).
  assert (HRR : R0 * R0 = INR (2 ^ (k + 2))) by apply sqrt2_powers.
  set (v := INR u / (R0 * R0)). assert (Huv : INR u = v * (R0 * R0)) by (unfold v; field; lra).
  assert (Hv : 0 <= v <= 1).
  { assert (0 <= INR u <= R0 * R0) by (rewrite HRR; split; [apply pos_INR|apply le_INR; apply Hu]). assert (0 < R0 * R0) by nra. split; nra. }
  assert (Hk : R0 = sqrt2 ^ k * 2) by (unfold R0; rewrite pow_add; replace (sqrt2 ^ 2) with (sqrt2 * sqrt2) by ring; rewrite H2; reflexivity).
  assert (Hpk : 0 < sqrt2 ^ k) by (apply pow_lt; lra).
  assert (HuR : INR u / sqrt2 ^ k = 2 * v * R0) by (rewrite Huv, Hk; field; lra).
  assert (HsT : sqrt (INR T) = R0 * sqrt (1 + v)).
  { rewrite HTu, plus_INR, <- HRR, Huv. replace (R0 * R0 + v * (R0 * R0)) with (R0 * R0 * (1 + v)) by ring.
    rewrite sqrt_mult by nra. rewrite sqrt_square by lra. reflexivity. }
  assert (Hs : 1 + v * (sqrt2 - 1) <= sqrt (1 + v)).
  { assert (Hvr : 0 <= v * (sqrt2 - 1)) by (apply Rmult_le_pos; lra).
    rewrite <- (sqrt_square (1 + v * (sqrt2 - 1))) by lra. apply sqrt_le_1_alt.
    assert (Hsq : (sqrt2 - 1) * (sqrt2 - 1) = 3 - 2 * sqrt2) by (ring_simplify; replace (sqrt2 ^ 2) with 2 by (rewrite <- H2; ring); ring).
    replace ((1 + v * (sqrt2 - 1)) * (1 + v * (sqrt2 - 1))) with (1 + 2 * v * (sqrt2 - 1) + v * v * ((sqrt2 - 1) * (sqrt2 - 1))) by ring.
    rewrite Hsq. assert (0 < 3 - 2 * sqrt2) by nra.
    assert (v * v * (3 - 2 * sqrt2) <= v * (3 - 2 * sqrt2)) by (apply Rmult_le_compat_r; nra). lra. }
  rewrite HsT, HuR in *.
  assert (Hfin : (2 + 2 * sqrt2) * (R0 * (1 + v * (sqrt2 - 1))) <= (2 + 2 * sqrt2) * (R0 * sqrt (1 + v))).
  { apply Rmult_le_compat_l; [lra|]. apply Rmult_le_compat_l; lra. }
  replace ((2 + 2 * sqrt2) * (R0 * (1 + v * (sqrt2 - 1)))) with ((2 + 2 * sqrt2) * R0 + 2 * v * (sqrt2 * sqrt2 - 1) * R0) in Hfin by ring.
  rewrite H2 in Hfin. lra.
Qed.

(** ** The regret *)
Section InterleavedDoubling.
  Variables (M : nat) (X : nat -> nat) (k : nat) (D : nat -> nat -> R) (reward_law : nat -> nat -> nat -> list (R * R)).
  Variables (routine : nat -> run -> list (R * estimate)) (e : nat -> R) (A : R) (T : nat) (g : R).
  Hypothesis HM : (1 <= M)%nat.
  Hypothesis Hk : (1 <= k)%nat.
  Hypothesis HD0 : forall m x, (x < X m)%nat -> 0 <= D m x.
  Hypothesis HD1 : forall m, sum (X m) (D m) = 1.
  Hypothesis HR : forall m x a, distribution (reward_law m x a).
  Hypothesis HR01 : forall m x a, Forall (fun pr => 0 <= snd pr <= 1) (reward_law m x a).
  Hypothesis Hroutine : forall l h, distribution (routine l h).
  Hypothesis Hpast : forall l h j v, (l < j)%nat -> routine l (update h j v) = routine l h.
  Hypothesis HT : (3 <= T)%nat.
  Hypothesis Hg : 0 < g.
  Hypothesis HA : 0 <= A.
  (** risks of at most A/n that do not grow *)
  Hypothesis He : forall l, (1 <= l <= epochs_until T)%nat -> 0 < e l <= A / (INR M * INR (doubling T l 0)).
  Hypothesis Hdecreases : forall l, (1 <= l)%nat -> (S (S l) <= epochs_until T)%nat -> e (S l) <= e l.
  (** gamma^{l+2} = g sqrt(K / e_l), gamma^1 = gamma^2 = 0 *)
  Definition interleaved_rates (l : nat) : R :=
    match l with S (S l') => match l' with O => 0 | _ => g * sqrt (INR k / e l') end | _ => 0 end.
  Variable reachable : estimate -> Prop.
  Hypothesis Hzero : reachable zero_estimate.
  Hypothesis Hreach : forall l h, Forall (fun pf => reachable (snd pf)) (routine l h).
  Hypothesis H3 : forall l h f, reachable f -> (1 <= l)%nat -> (l + 2 <= epochs_until T)%nat ->
    Expect (all_agents X (K_arms k) D reward_law (doubling T) interleaved_rates l f M)
      (fun d => Expect (routine l (update h l (f, d)))
        (fun f' => Err_of M X (K_arms k) D reward_law (doubling T) interleaved_rates l f f'))
    <= Protocol.W M (doubling T) l * e l.
  (** Reg(T) of the interleaved run *)
  Definition interleaved_Reg_T : R :=
    Expect (run_law M X (K_arms k) D reward_law (doubling T) interleaved_rates (interleaved routine) (epochs_until T))
      (total_regret M (K_arms k) reward_law (epochs_until T)).
  Let L := epochs_until T.
  Let Hk1 : 1 <= INR k.
  Proof. replace 1 with (INR 1) by reflexivity. apply le_INR, Hk. Qed.
  Let HM1 : 1 <= INR M.
  Proof. replace 1 with (INR 1) by reflexivity. apply le_INR, HM. Qed.
  Let HL2 : (2 <= L)%nat.
  Proof. apply (epochs_until_log2 T HT). Qed.

  Lemma rates_H4 l : (1 <= l)%nat -> (l + 2 <= L)%nat -> interleaved_rates (l + 2) = g * sqrt (Kbar M (K_arms k) (doubling T) l / e l).
  Proof.
    intros H1 H2. rewrite (Kbar_arms M k T HM Hk HT) by (fold L; lia). replace (l + 2)%nat with (S (S l)) by lia.
    destruct l as [|l]; [lia|]. reflexivity.
  Qed.
  Lemma decreases_far l j : (1 <= l)%nat -> (S (l + j) <= L)%nat -> e (l + j)%nat <= e l.
  Proof.
    intros H1. induction j as [|j IH]; intro Hj; [rewrite Nat.add_0_r; lra|].
    eapply Rle_trans; [|apply IH; lia]. rewrite Nat.add_succ_r. apply Hdecreases; [lia|fold L; lia].
  Qed.
  Lemma rates_H5 l : (3 <= l)%nat -> (l + 2 <= L)%nat -> interleaved_rates l <= interleaved_rates (l + 2).
  Proof.
    intros H1 H2. replace l with (S (S (S (l - 3)))) by lia. set (j := (l - 3)%nat). replace (S (S (S j)) + 2)%nat with (S (S (S j + 2))) by lia.
    cbn [interleaved_rates]. replace (S j + 2)%nat with (S (S (S j))) by lia.
    apply Rmult_le_compat_l; [lra|]. apply sqrt_le_1_alt. apply Rmult_le_compat_l; [lra|].
    apply Rinv_le_contravar; [apply He; fold L; unfold j; lia|].
    replace (S (S (S j))) with (S j + 2)%nat by lia. apply decreases_far; unfold j; lia.
  Qed.
  Lemma rates_nonneg_first : 0 <= interleaved_rates 1 /\ 0 <= interleaved_rates 2.
  Proof. simpl. lra. Qed.
  Lemma in_step l m m' : (1 <= l)%nat -> (l + 2 <= L)%nat -> (m < M)%nat -> (m' < M)%nat ->
    E (doubling T) (l + 2) m / E (doubling T) l m <= 1 * (E (doubling T) (l + 2) m' / E (doubling T) l m').
  Proof. intros _ _ _ _. unfold E, doubling. lra. Qed.
  Lemma risks_positive l : (1 <= l)%nat -> (l + 2 <= L)%nat -> 0 < e l.
  Proof. intros H1 H2. apply He. fold L. lia. Qed.

  (** From the sum to the closed form. *)
  Lemma interleaved_closed C0 : 0 <= C0 ->
    sum M (fun m => (1 - / INR (K_arms k m)) * (E (doubling T) 1 m + E (doubling T) 2 m)) +
      sum (L - 2) (fun i => Rmin (Protocol.W M (doubling T) (i + 3))
        (C0 * (SK M (K_arms k) (doubling T) (i + 3) * sqrt (e (i + 1)%nat / Kbar M (K_arms k) (doubling T) (i + 1))))) <=
    interleaved_bound C0 (INR M) (INR k) (INR T) A.
  Proof.
    intro HC. assert (Hki : / INR k <= 1) by (rewrite <- Rinv_1; apply Rinv_le_contravar; lra). unfold interleaved_bound.
    apply Rplus_le_compat.
    - rewrite (sum_ext M _ (fun _ => (1 - / INR k) * (INR (doubling T 1 0) + INR (doubling T 2 0)))) by reflexivity. rewrite sum_const.
      rewrite doubling_first by exact HT.
      assert (Hd2 : (doubling T 2 0 <= 2)%nat).
      { unfold doubling. fold L. destruct (Nat.eq_dec 2 L) as [E2|]; [|unfold full_length; simpl; lia].
        pose proof (epochs_until_log2 T HT) as [Hlog _]. fold L in Hlog. rewrite <- E2 in Hlog. simpl in *. lia. }
      apply le_INR in Hd2. simpl (INR 2) in *. assert (0 <= INR M * (1 - / INR k)) by (apply Rmult_le_pos; lra). nra.
    - apply Rle_trans with (C0 * sqrt A * sqrt (INR M * INR k) *
        sum (L - 2) (fun i => INR (doubling T (i + 3) 0) / sqrt (INR (doubling T (i + 1) 0)))).
      + rewrite <- sum_scal. apply sum_le. intros i Hi. eapply Rle_trans; [apply Rmin_r|].
        assert (Hl : (1 <= i + 1 <= L)%nat) by lia. pose proof (He (i + 1)%nat Hl) as [_ Hle].
        assert (Hp : 0 < INR (doubling T (i + 1) 0)).
        { apply lt_0_INR. pose proof (doubling_positive T HT (i + 1) 0 Hl). lia. }
        rewrite (Kbar_arms M k T HM Hk HT) by exact Hl. rewrite (SK_samples M k T).
        assert (HMk : 0 < INR M * INR k) by nra. pose proof (sqrt_lt_R0 _ HMk) as Hsq. pose proof (sqrt_lt_R0 _ Hp) as Hsp.
        assert (Hroot : sqrt (e (i + 1)%nat / INR k) <= sqrt A / (sqrt (INR M * INR k) * sqrt (INR (doubling T (i + 1) 0)))).
        { rewrite <- sqrt_mult by lra. rewrite <- sqrt_div by (try exact HA; apply Rmult_lt_0_compat; assumption). apply sqrt_le_1_alt.
          apply (Rmult_le_reg_r (INR k)); [lra|]. replace (e (i + 1)%nat / INR k * INR k) with (e (i + 1)%nat) by (field; lra).
          eapply Rle_trans; [exact Hle|]. right. field. repeat split; lra. }
        apply Rle_trans with (C0 * (INR k * (INR M * INR (doubling T (i + 3) 0)) *
          (sqrt A / (sqrt (INR M * INR k) * sqrt (INR (doubling T (i + 1) 0)))))).
        * apply Rmult_le_compat_l; [exact HC|]. apply Rmult_le_compat_l; [|exact Hroot].
          pose proof (pos_INR (doubling T (i + 3) 0)). repeat apply Rmult_le_pos; lra.
        * right. replace (INR k * (INR M * INR (doubling T (i + 3) 0))) with (sqrt (INR M * INR k) * sqrt (INR M * INR k) * INR (doubling T (i + 3) 0))
            by (rewrite sqrt_sqrt by lra; ring). field. split; lra.
      + replace (C0 * (2 + 2 * sqrt 2) * sqrt (INR M * INR k * INR T * A)) with (C0 * sqrt A * sqrt (INR M * INR k) * ((2 + 2 * sqrt2) * sqrt (INR T))).
        * apply Rmult_le_compat_l; [|exact (interleaved_schedule_sum T HT)].
          apply Rmult_le_pos; [apply Rmult_le_pos; [exact HC|apply sqrt_pos]|apply sqrt_pos].
        * assert (0 <= INR M * INR k) by nra.
          rewrite (sqrt_mult (INR M * INR k * INR T)) by (solve [exact HA | apply Rmult_le_pos; [lra|apply pos_INR]]).
          rewrite (sqrt_mult (INR M * INR k) (INR T)) by (try lra; apply pos_INR). unfold sqrt2. ring.
  Qed.

  (** Interleaved under doubling, sharpened: C = 7q/6 + 7/18 + 28 g^2/9. *)
  Theorem interleaved_doubling_sharpened q : 1 - / INR k <= q ->
    interleaved_Reg_T <= interleaved_bound (sharpened_constant 1 g q / g) (INR M) (INR k) (INR T) A.
  Proof.
    intro Hq. eapply Rle_trans; [|apply interleaved_closed].
    - apply (interleaved_sharpened M X (K_arms k) D reward_law HM (fun _ => Hk) HD0 HD1 HR HR01 L (doubling T) HL2
        (fun l m Hl _ => doubling_positive T HT l m Hl) interleaved_rates routine e Hroutine Hpast risks_positive reachable Hzero Hreach H3 g Hg
        rates_H4 rates_nonneg_first rates_H5 1 in_step q (fun _ _ => Hq)).
    - apply Rmult_le_pos; [|left; apply Rinv_0_lt_compat; exact Hg]. unfold sharpened_constant.
      assert (/ INR k <= 1) by (rewrite <- Rinv_1; apply Rinv_le_contravar; lra).
      assert (0 <= 1 ^ 2 * g ^ 2) by (apply Rmult_le_pos; apply pow2_ge_0). lra.
  Qed.
  (** Interleaved under doubling, best, any number of arms: C = max(1 - 1/K, 1 - 2/K + 0.44284) + 2.51493 g^2. *)
  Theorem interleaved_doubling_best : (2 <= k)%nat ->
    interleaved_Reg_T <= interleaved_bound (best_constant (INR k) g / g) (INR M) (INR k) (INR T) A.
  Proof.
    intro Hk2. eapply Rle_trans; [|apply interleaved_closed].
    - apply (interleaved_best M X (K_arms k) D reward_law HM (fun _ => Hk) HD0 HD1 HR HR01 L (doubling T) HL2
        (fun l m Hl _ => doubling_positive T HT l m Hl) interleaved_rates routine e Hroutine Hpast risks_positive reachable Hzero Hreach H3 g Hg
        rates_H4 rates_nonneg_first rates_H5 1 in_step k (fun m _ => conj Hk2 (le_n k)) eq_refl).
    - apply Rmult_le_pos; [|left; apply Rinv_0_lt_compat; exact Hg]. assert (H2 : 2 <= INR k) by (change 2 with (INR 2); apply le_INR; exact Hk2).
      pose proof (arms_positive best_arms (INR k) H2). unfold best_constant, best_risk. pose proof (pow2_ge_0 g). lra.
  Qed.
  (** The same for two arms: C = 1/2 + 9 g^2/4. *)
  Theorem interleaved_doubling_best_two_arms : k = 2%nat ->
    interleaved_Reg_T <= interleaved_bound (two_arm_constant g / g) (INR M) (INR k) (INR T) A.
  Proof.
    intro Hk2. eapply Rle_trans; [|apply interleaved_closed].
    - apply (interleaved_best_two_arms M X (K_arms k) D reward_law HM (fun _ => Hk) HD0 HD1 HR HR01 L (doubling T) HL2
        (fun l m Hl _ => doubling_positive T HT l m Hl) interleaved_rates routine e Hroutine Hpast risks_positive reachable Hzero Hreach H3 g Hg
        rates_H4 rates_nonneg_first rates_H5 1 in_step eq_refl (fun _ _ => Hk2)).
    - apply Rmult_le_pos; [|left; apply Rinv_0_lt_compat; exact Hg]. unfold two_arm_constant. pose proof (pow2_ge_0 g). lra.
  Qed.
End InterleavedDoubling.
