(** * The claim behind the variant `best`: one agent, one context, one run

        gamma_L sum_a p^L_a R_a <= max(K - 1, K - 2 + K a) + sum_{l = 2}^L Lam_l eps^l

    for every L >= 2, every K >= 2 and every run, if the learning rates grow (H5) and gamma_{L-1} <= rbar gamma_L; with
    Lam_L = lambda, Lam_{L-1} = lambda', Lam_l = kap n theta^{L-2-l} / (4 theta) below.  Nothing is random here: the average over
    contexts, agents and data is taken in BestRegret.v.                                                       *)
From Coq Require Import Reals Lra Lia Psatz List Arith.
From FedIGW Require Import FiniteSums InverseGapWeighting BackwardChain BestParameters LastEpoch.
Open Scope R_scope.

Section Pathwise.
  Variables (K L : nat) (fstar : nat -> R) (fhat : nat -> nat -> R) (gamma : nat -> R).
  Hypothesis HK : (2 <= K)%nat.
  Hypothesis first_estimate : forall a, fhat 1 a = 0.
  Hypothesis rates_positive : forall l, (2 <= l <= L)%nat -> 0 < gamma l.
  Hypothesis rates_grow : forall l, (2 <= l)%nat -> (S l <= L)%nat -> gamma l <= gamma (S l).
  Variable s : parameters.
  Hypothesis Hs : closes s.

  Local Notation lam := (last_multiplier s).
  Local Notation lam' := (previous_multiplier s).
  Local Notation th := (decay s).
  Local Notation kap := (spread s).
  Local Notation eta := (absorbed s).
  Local Notation mu := (transferred s).
  Local Notation X := (entry s).
  Local Notation nt := (weight_size s).
  Local Notation S2 := (weight_squares s).
  Local Notation n := (start_size s).
  Let risk := scaled_risk K fstar fhat gamma.
  Let reg := true_gap K fstar.
  Let star := best_arm K fstar.
  Let p := play K fhat gamma.
  Lemma some_arm : (1 <= K)%nat.
  Proof using HK. apply Nat.le_trans with 2%nat; [repeat constructor|exact HK]. Qed.

  Lemma xbar_range : 0 <= th * (nt ^ 2 / (nt ^ 2 + S2)) / kap <= 1 / 2.
  Proof.
    pose proof (S2_bounds s) as [H1 _]. pose proof (X_pos s Hs) as HX. pose proof (pow2_ge_0 nt) as Hn.
    assert (HX2 : 0 < X ^ 2) by nra. assert (HD : 0 < nt ^ 2 + S2) by lra.
    pose proof (E8 s Hs) as H8. pose proof (E10 s Hs) as H10. pose proof (decay_pos s Hs) as Hth.
    assert (Hf : 0 <= nt ^ 2 / (nt ^ 2 + S2) <= 1).
    { split; [apply Rmult_le_pos; [lra|left; apply Rinv_0_lt_compat; lra]|].
      apply (Rmult_le_reg_r (nt ^ 2 + S2)); [lra|].
      replace (nt ^ 2 / (nt ^ 2 + S2) * (nt ^ 2 + S2)) with (nt ^ 2) by (field; lra). lra. }
    split; [apply Rmult_le_pos; [apply Rmult_le_pos; lra|left; apply Rinv_0_lt_compat; lra]|].
    apply (Rmult_le_reg_r kap); [lra|].
    replace (th * (nt ^ 2 / (nt ^ 2 + S2)) / kap * kap) with (th * (nt ^ 2 / (nt ^ 2 + S2))) by (field; lra).
    assert (th * (nt ^ 2 / (nt ^ 2 + S2)) <= th * 1) by (apply Rmult_le_compat_l; lra). lra.
  Qed.

  (** o^2 / (4 lam') with what it may still add, for o <= z <= nt: at most  o (z / 4 lam') / (1 - th z^2 / (kap (nt^2 + S2))) *)
  Lemma square_added o z : 0 <= o <= z -> z <= nt ->
    o * o / (4 * lam') / (1 - th * (o * o / (4 * lam')) / (kap * n)) <=
    o * ((z / (4 * lam')) / (1 - th * (z ^ 2 / (nt ^ 2 + S2)) / kap)).
  Proof.
    intros Ho Hz. pose proof xbar_range as Hx. pose proof (previous_pos s Hs) as Hl. pose proof (E8 s Hs) as H8.
    pose proof (eq_n s Hs) as Hn. pose proof (n_pos s Hs) as Hn0. pose proof (decay_pos s Hs) as Hth.
    pose proof (S2_bounds s) as [H1 _]. pose proof (X_pos s Hs) as HX.
    assert (HX2 : 0 < X ^ 2) by nra. pose proof (pow2_ge_0 nt) as Hnt2.
    set (D := nt ^ 2 + S2) in *. assert (HD : 0 < D) by (unfold D; lra).
    assert (Hc : 0 < th / (D * kap)) by (apply Rdiv_lt_0_compat; [lra|apply Rmult_lt_0_compat; lra]).
    replace (th * (o * o / (4 * lam')) / (kap * n)) with (th / (D * kap) * (o * o))
      by (rewrite <- Hn; field; repeat split; lra).
    replace (th * (z ^ 2 / D) / kap) with (th / (D * kap) * (z * z)) by (field; split; lra).
    replace (th * (nt ^ 2 / D) / kap) with (th / (D * kap) * (nt * nt)) in Hx by (field; split; lra).
    assert (Hoz : o * o <= z * z) by (apply Rmult_le_compat; lra).
    assert (Hzn : z * z <= nt * nt) by (apply Rmult_le_compat; lra).
    apply (Rmult_le_compat_l (th / (D * kap))) in Hoz; [|lra]. apply (Rmult_le_compat_l (th / (D * kap))) in Hzn; [|lra].
    set (c := th / (D * kap)) in *.
    replace (o * (z / (4 * lam') / (1 - c * (z * z)))) with (o * z / (4 * lam') * / (1 - c * (z * z))) by (unfold Rdiv; ring).
    unfold Rdiv at 1. apply Rmult_le_compat.
    - apply Rmult_le_pos; [nra|left; apply Rinv_0_lt_compat; lra].
    - left. apply Rinv_0_lt_compat. lra.
    - apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; lra|]. apply Rmult_le_compat_l; lra.
    - apply Rinv_le_contravar; lra.
  Qed.

  (** From the last epoch to the chain. *)
  Lemma start_ready l om C part sg : (2 <= l)%nat -> (S l <= L)%nat -> gamma l <= rate_ratio s * gamma (S l) ->
    start K fstar fhat gamma l (greedy_arm K fhat l) s (gamma l / (rate_ratio s * gamma (S l))) om C part sg ->
    ready K fstar th kap (earlier K fhat l om lam') (charge K fhat gamma l om C) n sg (gamma l).
  Proof.
    intros Hl HlL Hratio St. set (b := greedy_arm K fhat l) in *. set (G := gamma (S l)) in *.
    assert (Hb : (b < K)%nat) by (apply greedy_arm_lt; exact some_arm).
    pose proof (rates_positive l ltac:(lia)) as Hg. assert (HG : 0 < G) by (apply rates_positive; lia).
    pose proof (ratio_pos s Hs) as Hr. pose proof (previous_pos s Hs) as Hl'.
    set (t := gamma l / (rate_ratio s * G)) in *.
    assert (HrG : 0 < rate_ratio s * G) by (apply Rmult_lt_0_compat; lra).
    assert (Ht0 : 0 <= t) by (left; apply Rdiv_lt_0_compat; lra).
    assert (HtG : t * (rate_ratio s * G) = gamma l) by (unfold t; field; lra).
    pose proof (start_nonneg _ _ _ _ _ _ _ _ _ _ _ _ St) as Hom0.
    pose proof (start_size_off _ _ _ _ _ _ _ _ _ _ _ _ St) as F1.
    pose proof (start_squares_off _ _ _ _ _ _ _ _ _ _ _ _ St) as F2.
    pose proof (start_entry_off _ _ _ _ _ _ _ _ _ _ _ _ St) as F3.
    pose proof (start_weight_off _ _ _ _ _ _ _ _ _ _ _ _ St) as FW.
    pose proof (start_own _ _ _ _ _ _ _ _ _ _ _ _ St) as Fown.
    pose proof (start_previous _ _ _ _ _ _ _ _ _ _ _ _ St) as Fb.
    fold G in Fown, Fb. set (w := off b om) in *.
    change (weight_off K b om) with (sum K w) in *.
    set (W := sum K w) in *.
    assert (Hw0 : forall a, (a < K)%nat -> 0 <= w a).
    { intros a Ha. unfold w, off. destruct (Nat.eq_dec a b); [lra|apply Hom0, Ha]. }
    assert (HW0 : 0 <= W) by (apply sum_nonneg; exact Hw0).
    assert (Hwb : w b = 0) by apply off_same.
    assert (Hearlier : forall a, earlier K fhat l om lam' a = (at_arm b (W * W) a + w a * w a) * / (4 * lam')).
    { intro a. unfold earlier. cbv zeta. fold b w W. unfold at_arm. destruct (Nat.eq_dec a b) as [->|].
      - rewrite Hwb. unfold Rdiv. ring.
      - unfold Rdiv. ring. }
    assert (Hi : 0 < / (4 * lam')) by (apply Rinv_0_lt_compat; lra).
    assert (Hcancel : forall u z, u <= 4 * lam' * z -> u * / (4 * lam') <= z).
    { intros u z H. apply (Rmult_le_reg_l (4 * lam')); [lra|].
      replace (4 * lam' * (u * / (4 * lam'))) with u by (field; lra). exact H. }
    constructor.
    - intros a Ha. apply earlier_nonneg. exact Hl'.
    - rewrite (sum_ext K _ (fun a => / (4 * lam') * (at_arm b (W * W) a + w a * w a))) by (intros; rewrite Hearlier; ring).
      rewrite sum_scal, sum_plus, sum_at by exact Hb. rewrite Rmult_comm. apply Hcancel. exact F1.
    - rewrite (sum_ext K _ (fun a => / (4 * lam') * / (4 * lam') * (at_arm b (W ^ 4) a + w a * w a * (w a * w a)))).
      2:{ intros a _. rewrite Hearlier. unfold at_arm. destruct (Nat.eq_dec a b) as [->|]; [rewrite Hwb|]; ring. }
      rewrite sum_scal, sum_plus, sum_at by exact Hb.
      replace ((kap - 1) * (sg * n) ^ 2) with (/ (4 * lam') * / (4 * lam') * ((kap - 1) * (4 * lam' * (sg * n)) ^ 2)) by (field; lra).
      apply Rmult_le_compat_l; [nra|]. exact F2.
    - intros a Ha. rewrite Hearlier. apply Hcancel.
      assert (HwW : w a <= W) by (apply sum_ge_one; [exact Hw0|exact Ha]). pose proof (Hw0 a Ha).
      assert (w a * w a <= W * W) by (apply Rmult_le_compat; lra).
      replace (4 * lam' * (2 / 3 * (sg * n))) with (2 / 3 * (4 * lam' * (sg * n))) by ring.
      unfold at_arm. destruct (Nat.eq_dec a b) as [->|]; [rewrite Hwb|]; lra.
    - intros a Ha Hstar. unfold charge. cbv zeta. fold b w W. rewrite Hearlier.
      destruct (Nat.eq_dec a b) as [->|Hnb].
      + rewrite Hwb, at_same. replace ((W * W + 0 * 0) * / (4 * lam')) with (W * W / (4 * lam')) by (unfold Rdiv; ring).
        pose proof (square_added W nt (conj HW0 FW) (Rle_refl nt)) as Hadd. fold (restart s) in Hadd.
        change (nt / (4 * lam') / (1 - th * (nt ^ 2 / (nt ^ 2 + S2)) / kap)) with (restart s) in Hadd.
        pose proof (E2_restart s Hs) as Hz. apply (Rmult_le_compat_l (gamma l)) in Hadd; [|lra].
        assert (Hlose : gamma l * (W * restart s) <= gamma l * W).
        { apply Rmult_le_compat_l; [lra|]. assert (W * restart s <= W * 1) by (apply Rmult_le_compat_l; lra). lra. }
        destruct (Fb Hstar) as [HC|[HC HWn]]; [lra|].
        pose proof (E2 s Hs) as H2. apply (Rmult_le_compat_l (t * G)) in H2; [|apply Rmult_le_pos; lra].
        replace (t * G * (rate_ratio s * (1 - restart s) * nt)) with (t * (rate_ratio s * G) * (W * (1 - restart s))) in H2
          by (rewrite HWn; ring).
        rewrite HtG in H2. lra.
      + rewrite at_other by exact Hnb. assert (Hwa : w a = om a) by (apply off_other; exact Hnb). rewrite Hwa.
        destruct (Fown a Ha Hstar Hnb) as [kp [Hkp [HC HomX]]].
        replace ((0 + om a * om a) * / (4 * lam')) with (om a * om a / (4 * lam')) by (unfold Rdiv; ring).
        pose proof (X_pos s Hs) as HX. pose proof (nt_bounds s Hs) as [HXn _]. pose proof (Hom0 a Ha) as Ho.
        assert (HoX : om a <= X) by nra.
        pose proof (square_added (om a) X (conj Ho HoX) HXn) as Hadd.
        set (f := X / (4 * lam') / (1 - th * (X ^ 2 / (nt ^ 2 + S2)) / kap)) in *.
        assert (Hchain : X + X * f = own_chain s).
        { unfold own_chain, f. unfold Rdiv. ring. }
        assert (Hf0 : 0 <= f).
        { unfold f. pose proof xbar_range as Hx. pose proof (S2_bounds s) as [H1 _]. pose proof (E8 s Hs). pose proof (decay_pos s Hs).
          assert (HX2 : 0 < X ^ 2) by nra. pose proof (pow2_ge_0 nt).
          apply Rmult_le_pos; [apply Rmult_le_pos; lra|]. left. apply Rinv_0_lt_compat.
          assert (HXX : X ^ 2 <= nt ^ 2) by (apply pow_incr; lra).
          assert (th * (X ^ 2 / (nt ^ 2 + S2)) / kap <= th * (nt ^ 2 / (nt ^ 2 + S2)) / kap).
          { unfold Rdiv. apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; lra|]. apply Rmult_le_compat_l; [lra|].
            apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; lra|exact HXX]. }
          lra. }
        assert (Htotal : om a + om a * f <= kp * own_chain s).
        { rewrite <- Hchain. replace (om a + om a * f) with (om a * (1 + f)) by ring.
          replace (kp * (X + X * f)) with (kp * X * (1 + f)) by ring. apply Rmult_le_compat_r; lra. }
        apply (Rmult_le_compat_l (gamma l)) in Htotal; [|lra]. apply (Rmult_le_compat_l (gamma l)) in Hadd; [|lra].
        pose proof (E1 s Hs) as H1. apply (Rmult_le_compat_l (t * G * kp)) in H1; [|apply Rmult_le_pos; [apply Rmult_le_pos|]; lra].
        replace (t * G * kp * (rate_ratio s * own_chain s)) with (t * (rate_ratio s * G) * (kp * own_chain s)) in H1 by ring.
        rewrite HtG in H1. rewrite Rminus_0_r. lra.
  Qed.

  (** sum_{j = 2}^{l + 1} Lam_j eps^j, seen from epoch l + 1 *)
  Definition all_risks (l : nat) : R :=
    lam * risk l +
    match l with
    | S (S _ as l') => lam' * risk l' + past_risks K fstar fhat gamma th kap n l'
    | _ => 0
    end.

  (** Epoch 2: b = ahat and t = 0, and V = K. *)
  Theorem pathwise_epoch_2 : (2 <= L)%nat ->
    gamma 2 * sum K (fun a => p 2 a * reg a) <= all_arms K (arms_constant_2 s) + all_risks 1.
  Proof.
    intro HL. set (b := greedy_arm K fhat 2).
    assert (Hb : (b < K)%nat) by (apply greedy_arm_lt; exact some_arm).
    destruct (start_exists K L fstar fhat gamma HK first_estimate rates_positive 1 ltac:(lia) ltac:(lia) b Hb s Hs 0 ltac:(lra))
      as [om [C [part [sg St]]]].
    pose proof (start_first _ _ _ _ _ _ _ _ _ _ _ _ St) as F.
    pose proof (start_top_2 _ _ _ _ _ _ _ _ _ _ _ _ St eq_refl) as Ftop.
    rewrite (sum_ext K (fun a => om a * inverse K fhat gamma 1 a) (fun a => INR K * om a)) in F
      by (intros a Ha; rewrite inverse_first by (exact some_arm || assumption); ring).
    rewrite sum_scal in F.
    assert (HC : sum K (fun a => C a * true_gap K fstar a) <= 0).
    { rewrite <- (sum_zero K). apply sum_le. intros a Ha.
      destruct (Nat.eq_dec a star) as [->|Hns]; [unfold star; rewrite true_gap_best; lra|].
      pose proof (true_gap_nonneg K fstar a Ha) as H0.
      assert (C a <= 0); [|nra]. destruct (Nat.eq_dec a b) as [->|Hnb].
      - destruct (start_previous _ _ _ _ _ _ _ _ _ _ _ _ St Hns) as [H|[H _]]; lra.
      - destruct (start_own _ _ _ _ _ _ _ _ _ _ _ _ St a Ha Hns Hnb) as [kp [_ [H _]]]. lra. }
    unfold all_risks, p, reg, risk. lra.
  Qed.

  Section Later.
    Variable l : nat.
    Hypothesis Hl : (1 <= l)%nat.
    Hypothesis HlL : (S (S l) <= L)%nat.
    Hypothesis Hratio : gamma (S l) <= rate_ratio s * gamma (S (S l)).

    Lemma pathwise_start : exists om C part sg,
      start K fstar fhat gamma (S l) (greedy_arm K fhat (S l)) s (gamma (S l) / (rate_ratio s * gamma (S (S l)))) om C part sg.
    Proof.
      pose proof (rates_positive (S l) ltac:(lia)) as H1. pose proof (rates_positive (S (S l)) ltac:(lia)) as H2.
      pose proof (ratio_pos s Hs) as Hr. assert (0 < rate_ratio s * gamma (S (S l))) by (apply Rmult_lt_0_compat; lra).
      apply (start_exists K L); auto; try lia.
      - apply greedy_arm_lt. exact some_arm.
      - split; [left; apply Rdiv_lt_0_compat; lra|]. apply (Rmult_le_reg_r (rate_ratio s * gamma (S (S l)))); [lra|].
        replace (gamma (S l) / (rate_ratio s * gamma (S (S l))) * (rate_ratio s * gamma (S (S l)))) with (gamma (S l)) by (field; lra). lra.
    Qed.

    (** The last two epochs together; what is left is one sum in epoch l. *)
    Lemma pathwise_two_back om C part sg :
      start K fstar fhat gamma (S l) (greedy_arm K fhat (S l)) s (gamma (S l) / (rate_ratio s * gamma (S (S l)))) om C part sg ->
      gamma (S (S l)) * sum K (fun a => p (S (S l)) a * reg a) <= part + lam * risk (S l) + lam' * risk l
        + (sum K (fun a => earlier K fhat (S l) om lam' a * inverse K fhat gamma l a)
           + sum K (fun a => charge K fhat gamma (S l) om C a * reg a)).
    Proof.
      intro St. pose proof (start_first _ _ _ _ _ _ _ _ _ _ _ _ St) as F.
      pose proof (descend K L fstar fhat gamma some_arm first_estimate rates_positive l om C lam' Hl ltac:(lia) (previous_pos s Hs)
        (start_nonneg _ _ _ _ _ _ _ _ _ _ _ _ St)) as Hd.
      unfold p, reg, risk. lra.
    Qed.

    Theorem pathwise_later :
      gamma (S (S l)) * sum K (fun a => p (S (S l)) a * reg a) <= all_arms K (arms_constant s) + all_risks (S l).
    Proof.
      destruct pathwise_start as [om [C [part [sg St]]]].
      pose proof (pathwise_two_back om C part sg St) as F.
      pose proof (start_ready (S l) om C part sg ltac:(lia) HlL Hratio St) as Hready.
      pose proof (chain_bound K L fstar fhat gamma some_arm first_estimate rates_positive rates_grow th kap
        (conj (decay_pos s Hs) (decay_lt_1 s Hs)) (E8 s Hs) (E8_decay s Hs) (E10 s Hs) l ltac:(lia)
        (earlier K fhat (S l) om lam') (charge K fhat gamma (S l) om C) n sg (gamma (S l)) (n_pos s Hs)
        (start_share _ _ _ _ _ _ _ _ _ _ _ _ St)
        ltac:(left; apply rates_positive; lia) ltac:(intro; apply rates_grow; lia) Hready) as Hc.
      pose proof (start_top _ _ _ _ _ _ _ _ _ _ _ _ St) as Ftop.
      fold reg in Hc. unfold all_risks. destruct l as [|l0]; [lia|]. fold risk in Hc. lra.
    Qed.
  End Later.

  (** Epoch 3: one step back is all. *)
  Theorem pathwise_epoch_3 : (3 <= L)%nat -> gamma 2 <= rate_ratio s * gamma 3 ->
    gamma 3 * sum K (fun a => p 3 a * reg a) <= all_arms K (arms_constant_3 s) + all_risks 2.
  Proof.
    intros HL Hratio. destruct (pathwise_start 1 ltac:(lia) HL Hratio) as [om [C [part [sg St]]]].
    pose proof (pathwise_two_back 1 ltac:(lia) HL om C part sg St) as F.
    pose proof (start_ready 2 om C part sg ltac:(lia) HL Hratio St) as Hready.
    pose proof (chain_first K fstar fhat gamma some_arm first_estimate th kap
        (conj (decay_pos s Hs) (decay_lt_1 s Hs)) (E8 s Hs)
        (earlier K fhat 2 om lam') (charge K fhat gamma 2 om C) n sg (gamma 2) (n_pos s Hs)
        (start_share _ _ _ _ _ _ _ _ _ _ _ _ St)
        ltac:(left; apply rates_positive; lia) Hready) as Hc.
    pose proof (start_top_3 _ _ _ _ _ _ _ _ _ _ _ _ St) as Ftop.
    fold reg in Hc. unfold all_risks. simpl past_risks. lra.
  Qed.

  (** Every epoch: E4 makes epoch 2 no worse than the others. *)
  Theorem pathwise_claim l : (1 <= l)%nat -> (S l <= L)%nat -> ((2 <= l)%nat -> gamma l <= rate_ratio s * gamma (S l)) ->
    gamma (S l) * sum K (fun a => p (S l) a * reg a) <= all_arms K (arms_constant s) + all_risks l.
  Proof.
    intros H1 H2 Hratio. destruct l as [|[|l]]; [lia| |].
    - pose proof (pathwise_epoch_2 H2) as H. eapply Rle_trans; [exact H|]. apply Rplus_le_compat_r.
      unfold all_arms. apply Rle_max_compat_l. apply Rplus_le_compat_l. apply Rmult_le_compat_l; [apply pos_INR|].
      pose proof (last_pos s Hs) as Hl. unfold arms_constant, arms_constant_2.
      pose proof (n_pos s Hs) as Hn. pose proof (decay_lt_1 s Hs) as Hth.
      assert (0 < n / (1 - th)) by (apply Rdiv_lt_0_compat; lra).
      assert (1 / (2 * lam) <= nt + paid_entry s); [|lra].
      replace (1 / (2 * lam)) with (2 / (4 * lam)) by (field; lra). apply divide_by_lam; [exact Hs|].
      replace (4 * lam * (nt + paid_entry s)) with (4 * lam * nt + 4 * lam * paid_entry s) by ring.
      rewrite (eq_nt s Hs), (eq_Y s Hs). apply (E4 s Hs).
    - apply pathwise_later; [lia|exact H2|]. apply Hratio. lia.
  Qed.
End Pathwise.
