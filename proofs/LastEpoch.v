(** * The last epoch of one run in one context: two comparators

    The regret of epoch l + 1 is compared with the best arm and with the arm b that was greedy one epoch before.  Arms get
    weights q; with c = q - (sum q - mu) 1{best} - mu 1{b}, and any om >= c^2 / (4 lam),

        gamma sum_a p_a R_a <= sum q v + sum C R + sum om V^l + lam eps^{l+1},   C = gamma (p - q + mu 1{b})

    ([compared]).  Which of the arms ahat, best, b coincide decides the weights (cases A, B, C, D of docs/proof_best.md); in each
    case [start] holds, from which the chain of BackwardChain.v begins.                                              *)
From Coq Require Import Reals Lra Lia Psatz List Arith.
From FedIGW Require Import FiniteSums InverseGapWeighting BackwardChain BestParameters.
Open Scope R_scope.

(** A marked arm. *)
Definition at_arm (j : nat) (k : R) (a : nat) : R := if Nat.eq_dec a j then k else 0.
Lemma at_same j k : at_arm j k j = k.
Proof. unfold at_arm. destruct (Nat.eq_dec j j); [reflexivity|contradiction]. Qed.
Lemma at_other j k a : a <> j -> at_arm j k a = 0.
Proof. intro H. unfold at_arm. destruct (Nat.eq_dec a j); [contradiction|reflexivity]. Qed.
Lemma sum_at n j k : (j < n)%nat -> sum n (at_arm j k) = k.
Proof. intro H. apply (sum_delta n j (fun _ => k) H). Qed.
Lemma sum_at_times n j k (f : nat -> R) : (j < n)%nat -> sum n (fun a => at_arm j k a * f a) = k * f j.
Proof.
  intro H. rewrite <- (sum_delta n j (fun a => k * f a) H). apply sum_ext. intros a _. unfold at_arm.
  destruct (Nat.eq_dec a j); ring.
Qed.

(** Three facts about products, named so that no solver has to find them among many hypotheses. *)
Lemma share_of t m : 0 <= t <= 1 -> 0 <= m -> 0 <= t * m <= m.
Proof. intros Ht Hm. split; nra. Qed.
Lemma unit_square u : 0 <= u <= 1 -> 0 <= u * u <= 1.
Proof. intro H. split; nra. Qed.
Lemma square_of_difference u z m : 0 <= u -> 0 <= z <= m -> (u - z) ^ 2 <= u * u + m ^ 2.
Proof. intros Hu Hz. nra. Qed.

(** u, z <= X and u + z <= X + X'  =>  u^2 + z^2 <= X^2 + X'^2. *)
Lemma two_squares u z X X' : 0 <= u <= X -> 0 <= z <= X -> 0 <= X' -> u + z <= X + X' -> u * u + z * z <= X ^ 2 + X' ^ 2.
Proof.
  intros Hu Hz HX' H. destruct (Rle_dec (u + z) X) as [Hs|Hs].
  - assert ((u + z) * (u + z) <= X * X) by (apply Rmult_le_compat; lra). pose proof (pow2_ge_0 X'). nra.
  - assert ((u + z - X) * (u + z - X) <= X' * X') by (apply Rmult_le_compat; lra).
    assert (0 <= (X - u) * (X - z)) by (apply Rmult_le_pos; lra). nra.
Qed.

Section LastEpoch.
  Variables (K L : nat) (fstar : nat -> R) (fhat : nat -> nat -> R) (gamma : nat -> R).
  Hypothesis HK : (2 <= K)%nat.
  Hypothesis first_estimate : forall a, fhat 1 a = 0.
  Hypothesis rates_positive : forall l, (2 <= l <= L)%nat -> 0 < gamma l.
  Variable l : nat.
  Hypothesis Hl : (1 <= l)%nat.
  Hypothesis HlL : (S l <= L)%nat.
  (** b: any arm, later the greedy arm of epoch l *)
  Variable b : nat.
  Hypothesis Hb : (b < K)%nat.

  Let ahat := greedy_arm K fhat (S l).
  Let star := best_arm K fstar.
  Let G := gamma (S l).
  Let p := play K fhat gamma (S l).
  Let v a := G * gap K (fhat (S l)) a.
  Let reg := true_gap K fstar.
  Let V := inverse K fhat gamma l.
  Let risk := scaled_risk K fstar fhat gamma l.
  Let k := INR K.

  Lemma arms_ge_2 : 2 <= k.
  Proof. unfold k. change 2 with (INR 2). apply le_INR. exact HK. Qed.
  Lemma HK1 : (1 <= K)%nat.
  Proof using HK. apply Nat.le_trans with 2%nat; [repeat constructor|exact HK]. Qed.
  Lemma ahat_lt : (ahat < K)%nat.
  Proof. apply greedy_arm_lt. exact HK1. Qed.
  Lemma star_lt : (star < K)%nat.
  Proof. apply best_arm_lt. exact HK1. Qed.
  Lemma G_pos : 0 < G.
  Proof. apply rates_positive. lia. Qed.
  Lemma p_pos a : (a < K)%nat -> 0 < p a.
  Proof. intro Ha. apply (play_pos K L); auto using HK1; lia. Qed.
  Lemma p_total : sum K p = 1.
  Proof. apply igw_total. exact HK1. Qed.
  Lemma v_nonneg a : (a < K)%nat -> 0 <= v a.
  Proof. intro Ha. apply Rmult_le_pos; [left; exact G_pos|]. apply gap_nonneg. exact Ha. Qed.
  Lemma v_greedy : v ahat = 0.
  Proof. unfold v, ahat, greedy_arm. rewrite gap_best. ring. Qed.
  Lemma p_off a : (a < K)%nat -> a <> ahat -> p a * (k + v a) = 1.
  Proof.
    intros Ha Hn. unfold p, play. pose proof (igw_inverse_off_greedy K G (fhat (S l)) a Hn) as H. fold G.
    unfold k, v. rewrite <- H. apply Rinv_r. pose proof (p_pos a Ha). unfold p, play in H0. fold G in H0. lra.
  Qed.
  Lemma p_small a : (a < K)%nat -> a <> ahat -> k * p a <= 1.
  Proof. intros Ha Hn. pose proof (p_off a Ha Hn). pose proof (v_nonneg a Ha). pose proof (p_pos a Ha). nra. Qed.
  Lemma p_greedy : 1 <= k * p ahat.
  Proof.
    pose proof (igw_greedy K G (fhat (S l)) HK1 (Rlt_le _ _ G_pos)) as H. pose proof arms_ge_2.
    fold ahat in H. change (igw K G (fhat (S l)) (argmax K (fhat (S l)))) with (p ahat) in H.
    apply (Rmult_le_compat_l k) in H; [|lra]. fold k in H. rewrite Rinv_r in H by lra. exact H.
  Qed.
  Lemma reg_nonneg a : (a < K)%nat -> 0 <= reg a.
  Proof. apply true_gap_nonneg. Qed.
  Lemma reg_star : reg star = 0.
  Proof. apply true_gap_best. Qed.
  Lemma V_pos a : (a < K)%nat -> 0 < V a.
  Proof. intro Ha. apply (inverse_pos K L); auto using HK1; lia. Qed.

  (** ** (F) *)
  Theorem compared (lam : R) (q om : nat -> R) (moved : R) : 0 < lam -> q star = 0 -> 0 <= moved -> moved <= sum K q ->
    (forall a, (a < K)%nat -> (q a - at_arm star (sum K q - moved) a - at_arm b moved a) ^ 2 <= 4 * lam * om a) ->
    G * sum K (fun a => p a * reg a) <=
      sum K (fun a => q a * v a) + sum K (fun a => G * (p a - q a + at_arm b moved a) * reg a)
      + sum K (fun a => om a * V a) + lam * risk.
  Proof.
    intros Hlam Hq0 Hm0 Hm Hom. pose proof G_pos as HG.
    set (c := fun a => q a - at_arm star (sum K q - moved) a - at_arm b moved a).
    set (d := deviation fstar fhat gamma (S l)).
    set (B := G * (fhat (S l) ahat - fstar star)).
    assert (Hid : forall a, v a + d a = B + G * reg a).
    { intro a. unfold v, d, deviation, B, reg, true_gap, gap, ahat, star, greedy_arm, best_arm. fold G. ring. }
    assert (Hc0 : sum K c = 0).
    { unfold c. rewrite !sum_minus, !sum_at by (exact Hb || exact star_lt). ring. }
    assert (Hterm : forall a, (a < K)%nat -> G * (p a * reg a) <=
      q a * v a + G * (p a - q a + at_arm b moved a) * reg a + (c a * d a - B * c a)).
    { intros a Ha. pose proof (Hid a) as Hi. pose proof (v_nonneg a Ha) as Hv. pose proof (reg_nonneg a Ha) as Hreg.
      replace (d a) with (B + G * reg a - v a) by lra.
      assert (Hgoal : 0 <= (at_arm star (sum K q - moved) a + at_arm b moved a) * v a - G * at_arm star (sum K q - moved) a * reg a).
      { unfold at_arm at 3. unfold at_arm at 1. destruct (Nat.eq_dec a star) as [->|Hn].
        - rewrite reg_star. assert (0 <= at_arm b moved star) by (unfold at_arm; destruct (Nat.eq_dec star b); lra).
          nra.
        - assert (0 <= at_arm b moved a) by (unfold at_arm; destruct (Nat.eq_dec a b); lra). nra. }
      unfold c. nra. }
    assert (S1 : G * sum K (fun a => p a * reg a) <=
      sum K (fun a => q a * v a) + sum K (fun a => G * (p a - q a + at_arm b moved a) * reg a) + sum K (fun a => c a * d a)).
    { rewrite <- sum_scal. eapply Rle_trans; [apply sum_le; exact Hterm|].
      rewrite !sum_plus, sum_minus, (sum_scal K B c), Hc0. lra. }
    pose proof (sum_amgm K lam (play K fhat gamma l) c d Hlam
      (fun a Ha => play_pos K L fhat gamma HK1 first_estimate rates_positive l a ltac:(lia) Ha)) as S3.
    change (sum K (fun a => play K fhat gamma l a * (d a * d a))) with risk in S3.
    assert (S4 : sum K (fun a => c a * c a / (4 * lam) * / play K fhat gamma l a) <= sum K (fun a => om a * V a)).
    { apply sum_le. intros a Ha. apply Rmult_le_compat_r; [left; apply (V_pos a Ha)|].
      apply (Rmult_le_reg_r (4 * lam)); [lra|].
      replace (c a * c a / (4 * lam) * (4 * lam)) with (c a ^ 2) by (field; lra). unfold c.
      pose proof (Hom a Ha). lra. }
    lra.
  Qed.

  (** ** Parameters, and t = gamma^l / (rbar gamma^{l+1}), or 0 in epoch 2 *)
  Variable s : parameters.
  Hypothesis Hs : closes s.
  Variable t : R.
  Hypothesis Ht : 0 <= t <= 1.

  Local Notation lam := (last_multiplier s).
  Local Notation lam' := (previous_multiplier s).
  Local Notation th := (decay s).
  Local Notation kap := (spread s).
  Local Notation eta := (absorbed s).
  Local Notation mu := (transferred s).
  Local Notation A := (own_share s).
  Local Notation xi := (shift s).
  Local Notation X := (entry s).
  Local Notation X' := (entry' s).
  Local Notation nt := (weight_size s).
  Local Notation S2 := (weight_squares s).
  Local Notation n := (start_size s).
  Local Notation x := (greedy_entry s).

  (** ** The arms outside {ahat, best}: probability po, weight qo = po (1 + t eta po) *)
  Definition po (a : nat) : R := if Nat.eq_dec a ahat then 0 else if Nat.eq_dec a star then 0 else p a.
  Definition te : R := t * eta.
  Definition qo (a : nat) : R := po a + te * (po a * po a).
  Definition rest : R := sum K po.
  Definition one_outside (a : nat) : R := if Nat.eq_dec a ahat then 0 else if Nat.eq_dec a star then 0 else 1.

  Lemma te_range : 0 <= te <= eta.
  Proof. unfold te. pose proof (absorbed_nonneg s Hs). nra. Qed.
  Lemma po_nonneg a : (a < K)%nat -> 0 <= po a.
  Proof.
    intro Ha. unfold po. pose proof (p_pos a Ha). destruct (Nat.eq_dec a ahat); [lra|].
    destruct (Nat.eq_dec a star); lra.
  Qed.
  Lemma po_arms a : (a < K)%nat -> k * po a <= 1.
  Proof.
    intro Ha. unfold po. destruct (Nat.eq_dec a ahat) as [|Hn]; [lra|].
    destruct (Nat.eq_dec a star); [lra|]. apply p_small; assumption.
  Qed.
  Lemma po_half a : (a < K)%nat -> po a <= 1 / 2.
  Proof. intro Ha. pose proof (po_arms a Ha). pose proof (po_nonneg a Ha). pose proof arms_ge_2. nra. Qed.
  (** an arm apart from two others is one of at least three *)
  Lemma po_third a : ahat <> star -> (a < K)%nat -> po a <= 1 / 3.
  Proof.
    intros Hn Ha. unfold po. destruct (Nat.eq_dec a ahat) as [|Hah]; [lra|]. destruct (Nat.eq_dec a star); [lra|].
    assert (H3 : 3 <= k).
    { unfold k. replace 3 with (INR 3) by (simpl; lra). apply le_INR. pose proof ahat_lt. pose proof star_lt. lia. }
    pose proof (p_small a Ha Hah). pose proof (p_pos a Ha). nra.
  Qed.
  Lemma po_ahat : po ahat = 0.
  Proof. unfold po. destruct (Nat.eq_dec ahat ahat); [reflexivity|contradiction]. Qed.
  Lemma po_star : po star = 0.
  Proof.
    unfold po. destruct (Nat.eq_dec star ahat); [reflexivity|].
    destruct (Nat.eq_dec star star); [reflexivity|contradiction].
  Qed.
  Lemma qo_ahat : qo ahat = 0.
  Proof. unfold qo. rewrite po_ahat. ring. Qed.
  Lemma qo_star : qo star = 0.
  Proof. unfold qo. rewrite po_star. ring. Qed.
  Lemma rest_nonneg : 0 <= rest.
  Proof. apply sum_nonneg. exact po_nonneg. Qed.
  Lemma po_le_rest a : (a < K)%nat -> po a <= rest.
  Proof. intro Ha. apply sum_ge_one; [exact po_nonneg|exact Ha]. Qed.
  Lemma rest_apart : ahat <> star -> rest = 1 - p ahat - p star.
  Proof.
    intro Hn. unfold rest. rewrite (sum_ext K po (fun a => p a - at_arm ahat (p ahat) a - at_arm star (p star) a)).
    - rewrite !sum_minus, !sum_at, p_total by (exact ahat_lt || exact star_lt). ring.
    - intros a _. unfold po, at_arm. destruct (Nat.eq_dec a ahat) as [->|H1].
      + destruct (Nat.eq_dec ahat star); [contradiction|ring].
      + destruct (Nat.eq_dec a star) as [->|H2]; ring.
  Qed.
  Lemma rest_together : ahat = star -> rest = 1 - p ahat.
  Proof.
    intro He. unfold rest. rewrite (sum_ext K po (fun a => p a - at_arm ahat (p ahat) a)).
    - rewrite sum_minus, sum_at, p_total by exact ahat_lt. ring.
    - intros a _. unfold po, at_arm. destruct (Nat.eq_dec a ahat) as [->|H1]; [ring|].
      destruct (Nat.eq_dec a star); [congruence|ring].
  Qed.
  Lemma outside_apart : ahat <> star -> sum K one_outside = k - 2.
  Proof.
    intro Hn. rewrite (sum_ext K one_outside (fun a => 1 - at_arm ahat 1 a - at_arm star 1 a)).
    - rewrite !sum_minus, !sum_at, sum_const by (exact ahat_lt || exact star_lt). unfold k. ring.
    - intros a _. unfold one_outside, at_arm. destruct (Nat.eq_dec a ahat) as [->|H1].
      + destruct (Nat.eq_dec ahat star); [contradiction|ring].
      + destruct (Nat.eq_dec a star) as [->|H2]; ring.
  Qed.
  Lemma outside_together : ahat = star -> sum K one_outside = k - 1.
  Proof.
    intro He. rewrite (sum_ext K one_outside (fun a => 1 - at_arm ahat 1 a)).
    - rewrite sum_minus, sum_at, sum_const by exact ahat_lt. unfold k. ring.
    - intros a _. unfold one_outside, at_arm. destruct (Nat.eq_dec a ahat) as [->|H1]; [ring|].
      destruct (Nat.eq_dec a star); [congruence|ring].
  Qed.

  (** With po <= h:  qo <= po (1 + eta h),  sum po^2 <= h rest,  sum qo^2 <= h (1 + eta h)^2 rest. *)
  Section Bounded.
    Variable h : R.
    Hypothesis Hh : forall a, (a < K)%nat -> po a <= h.
    Lemma h_nonneg : 0 <= h.
    Proof. pose proof (Hh ahat ahat_lt) as H. rewrite po_ahat in H. exact H. Qed.
    Lemma qo_bound a : (a < K)%nat -> 0 <= qo a <= po a * (1 + eta * h).
    Proof.
      intro Ha. pose proof (po_nonneg a Ha). pose proof (Hh a Ha). pose proof te_range. unfold qo.
      assert (Hsq : 0 <= po a * po a <= po a * h) by (split; [nra|apply Rmult_le_compat_l; lra]).
      assert (0 <= te * (po a * po a) <= eta * (po a * h)) by (split; [nra|apply Rmult_le_compat; lra]). lra.
    Qed.
    Lemma sum_po_squares : sum K (fun a => po a * po a) <= h * rest.
    Proof.
      unfold rest. rewrite <- sum_scal. apply sum_le. intros a Ha.
      apply Rmult_le_compat_r; [apply po_nonneg, Ha | apply Hh, Ha].
    Qed.
    Lemma qo_square a : (a < K)%nat -> qo a * qo a <= (1 + eta * h) ^ 2 * (po a * po a).
    Proof.
      intro Ha. pose proof (qo_bound a Ha) as H.
      replace ((1 + eta * h) ^ 2 * (po a * po a)) with ((po a * (1 + eta * h)) * (po a * (1 + eta * h))) by ring.
      apply Rmult_le_compat; lra.
    Qed.
    Lemma sum_qo_squares : sum K (fun a => qo a * qo a) <= (1 + eta * h) ^ 2 * (h * rest).
    Proof.
      eapply Rle_trans; [apply sum_le; intros a Ha; apply (qo_square a Ha)|]. rewrite sum_scal.
      apply Rmult_le_compat_l; [apply pow2_ge_0 | exact sum_po_squares].
    Qed.
    Lemma sum_qo : rest <= sum K qo <= rest + te * (h * rest).
    Proof.
      unfold qo. rewrite sum_plus, sum_scal. fold rest. pose proof te_range. pose proof sum_po_squares.
      assert (0 <= sum K (fun a => po a * po a)) by (apply sum_nonneg; intros; apply Rle_0_sqr). nra.
    Qed.
  End Bounded.

  (** T0 = sum q v <= #outside - (K - eta) rest *)
  Lemma estimated_part qh : sum K (fun a => (at_arm ahat qh a + qo a) * v a) <= sum K one_outside - (k - eta) * rest.
  Proof.
    unfold rest. rewrite <- sum_scal, <- sum_minus. apply sum_le. intros a Ha.
    destruct (Nat.eq_dec a ahat) as [->|Hn].
    - rewrite v_greedy. unfold one_outside, po. destruct (Nat.eq_dec ahat ahat); [lra|contradiction].
    - rewrite at_other by exact Hn. unfold one_outside, qo, po.
      destruct (Nat.eq_dec a ahat); [contradiction|]. destruct (Nat.eq_dec a star); [lra|].
      pose proof (p_off a Ha Hn) as Hp. pose proof (p_pos a Ha) as Hp0. pose proof te_range as Hte.
      assert (Hpv : p a * v a = 1 - k * p a) by lra.
      replace ((0 + (p a + te * (p a * p a))) * v a) with ((1 + te * p a) * (p a * v a)) by ring. rewrite Hpv.
      pose proof arms_ge_2. assert (0 <= te * (p a * p a)) by nra.
      assert (0 <= k * (te * (p a * p a))) by (apply Rmult_le_pos; lra). nra.
  Qed.

  (** ** Numbers *)
  Local Notation Y := (paid_entry s).
  Lemma eq_X : 4 * lam * X = A ^ 2.
  Proof. unfold entry. pose proof (last_pos s Hs). field. lra. Qed.
  Lemma eq_X' : 4 * lam * X' = (1 - xi) ^ 2.
  Proof. unfold entry'. pose proof (last_pos s Hs). field. lra. Qed.
  Lemma eq_Y : 4 * lam * Y = mu ^ 2.
  Proof. unfold paid_entry. pose proof (last_pos s Hs). field. lra. Qed.
  Lemma eq_nt : 4 * lam * nt = A ^ 2 + (1 - xi) ^ 2.
  Proof. unfold weight_size. rewrite <- eq_X, <- eq_X'. ring. Qed.
  Lemma eq_x : 4 * lam * x = (1 + eta / 2) ^ 2.
  Proof. unfold greedy_entry. pose proof (last_pos s Hs). field. lra. Qed.
  Lemma eq_n : 4 * lam' * n = nt ^ 2 + S2.
  Proof. unfold start_size. pose proof (previous_pos s Hs). field. lra. Qed.
  Lemma eq_met : 4 * lam' * met_size s = 2 * X ^ 2.
  Proof. unfold met_size. pose proof (previous_pos s Hs). field. lra. Qed.
  Lemma eta_small : 0 <= eta <= 1.
  Proof.
    split; [apply (absorbed_nonneg s Hs)|]. pose proof (E5 s Hs) as H. unfold own_share in H.
    pose proof (absorbed_nonneg s Hs). nra.
  Qed.
  Lemma X_pos : 0 < X.
  Proof.
    pose proof eq_X. pose proof (last_pos s Hs). pose proof eta_small. unfold own_share in *.
    assert (0 < (1 + eta) ^ 2) by nra. nra.
  Qed.
  Lemma X'_nonneg : 0 <= X'.
  Proof. pose proof eq_X'. pose proof (last_pos s Hs). pose proof (pow2_ge_0 (1 - xi)). nra. Qed.
  Lemma nt_bounds : X <= nt <= 2 * X.
  Proof. unfold weight_size. pose proof X'_nonneg. pose proof (E11 s Hs). lra. Qed.
  Lemma S2_bounds : X ^ 2 <= S2 /\ nt ^ 2 <= 2 * S2.
  Proof.
    unfold weight_squares, weight_size. pose proof (pow2_ge_0 X'). pose proof (pow2_ge_0 (X - X')). split; nra.
  Qed.
  Lemma n_pos : 0 < n.
  Proof.
    pose proof eq_n. pose proof (previous_pos s Hs). pose proof X_pos. pose proof S2_bounds as [HX2 _].
    pose proof (pow2_ge_0 nt). assert (0 < X ^ 2) by nra. nra.
  Qed.
  Lemma x_le_X : 0 < x <= X.
  Proof.
    pose proof eq_x. pose proof eq_X. pose proof (last_pos s Hs). pose proof eta_small. unfold own_share in *.
    assert (0 < (1 + eta / 2) ^ 2 <= (1 + eta) ^ 2) by (split; nra). split; nra.
  Qed.
  Lemma divide_by_lam u z : u <= 4 * lam * z -> u / (4 * lam) <= z.
  Proof.
    intro H. pose proof (last_pos s Hs). apply (Rmult_le_reg_r (4 * lam)); [lra|].
    replace (u / (4 * lam) * (4 * lam)) with u by (field; lra). lra.
  Qed.

  (** ** What every case gives *)
  Definition weight_off (om : nat -> R) : R := sum K (off b om).
  Definition squares_off (om : nat -> R) : R := sum K (fun a => off b om a * off b om a).
  Definition fourths_off (om : nat -> R) : R := sum K (fun a => off b om a * off b om a * (off b om a * off b om a)).
  Definition all_arms (a : R) : R := Rmax (k - 1) (k - 2 + k * a).

  Record start (om C : nat -> R) (part sg : R) : Prop := {
    start_nonneg : forall a, (a < K)%nat -> 0 <= om a;
    start_first : G * sum K (fun a => p a * reg a) <=
      part - k * sum K om + sum K (fun a => C a * reg a) + sum K (fun a => om a * V a) + lam * risk;
    start_share : 0 <= sg <= 1;
    start_top : part + k * (sg * n / (1 - th * sg)) <= all_arms (arms_constant s);
    start_top_3 : part + k * (sg * n) <= all_arms (arms_constant_3 s);
    start_top_2 : b = ahat -> part <= all_arms (arms_constant_2 s);
    start_size_off : weight_off om * weight_off om + squares_off om <= 4 * lam' * (sg * n);
    start_squares_off : weight_off om ^ 4 + fourths_off om <= (kap - 1) * (4 * lam' * (sg * n)) ^ 2;
    start_entry_off : weight_off om * weight_off om <= 2 / 3 * (4 * lam' * (sg * n));
    start_weight_off : weight_off om <= nt;
    start_own : forall a, (a < K)%nat -> a <> star -> a <> b ->
      exists kp, 0 <= kp <= 1 /\ C a <= - (G * (t * eta) * kp) /\ om a <= kp * X;
    start_previous : b <> star -> C b <= 0 \/ (C b <= G * (t * mu) /\ weight_off om = nt)
  }.

  (** sum w^4 <= X^2 sum w^2 if w <= X *)
  Lemma fourths_bound om z : (forall a, (a < K)%nat -> 0 <= off b om a <= z) ->
    fourths_off om <= z ^ 2 * squares_off om.
  Proof.
    intro H. unfold fourths_off, squares_off. rewrite <- sum_scal. apply sum_le. intros a Ha. pose proof (H a Ha).
    apply Rmult_le_compat_r; [apply Rle_0_sqr|]. nra.
  Qed.
  (** A and B: sizes as large as they get, sg = 1 *)
  Lemma start_full om : 0 <= weight_off om <= nt -> squares_off om <= S2 -> (forall a, (a < K)%nat -> 0 <= off b om a <= X) ->
    weight_off om * weight_off om + squares_off om <= 4 * lam' * (1 * n) /\
    weight_off om ^ 4 + fourths_off om <= (kap - 1) * (4 * lam' * (1 * n)) ^ 2 /\
    weight_off om * weight_off om <= 2 / 3 * (4 * lam' * (1 * n)).
  Proof.
    intros HW HQ Hent. rewrite Rmult_1_l, eq_n. pose proof (fourths_bound om X Hent) as HF.
    pose proof S2_bounds as [_ H2]. pose proof (E8_start s Hs) as H8.
    assert (HWW : 0 <= weight_off om * weight_off om <= nt ^ 2) by nra.
    assert (HW4 : weight_off om ^ 4 <= nt ^ 4).
    { replace (weight_off om ^ 4) with ((weight_off om * weight_off om) * (weight_off om * weight_off om)) by ring.
      replace (nt ^ 4) with (nt ^ 2 * nt ^ 2) by ring. apply Rmult_le_compat; lra. }
    assert (HXS : X ^ 2 * squares_off om <= X ^ 2 * S2) by (apply Rmult_le_compat_l; [apply pow2_ge_0|exact HQ]).
    repeat split; lra.
  Qed.
  (** C and D: weights that add up to at most z *)
  Lemma start_small om z sg : 0 <= weight_off om <= z -> (forall a, (a < K)%nat -> 0 <= off b om a) ->
    4 * lam' * (sg * n) = 2 * z ^ 2 ->
    weight_off om * weight_off om + squares_off om <= 4 * lam' * (sg * n) /\
    weight_off om ^ 4 + fourths_off om <= (kap - 1) * (4 * lam' * (sg * n)) ^ 2 /\
    weight_off om * weight_off om <= 2 / 3 * (4 * lam' * (sg * n)).
  Proof.
    intros HW H0 Hsg. rewrite Hsg. pose proof (E8 s Hs) as H8.
    assert (HQ : squares_off om <= weight_off om * weight_off om) by (apply sum_squares_le; exact H0).
    assert (Hent : forall a, (a < K)%nat -> 0 <= off b om a <= weight_off om).
    { intros a Ha. split; [apply H0, Ha|]. apply sum_ge_one; [exact H0|exact Ha]. }
    pose proof (fourths_bound om _ Hent) as HF.
    assert (HWW : 0 <= weight_off om * weight_off om <= z ^ 2) by nra.
    set (W2 := weight_off om * weight_off om) in *.
    assert (HF2 : fourths_off om <= W2 * W2).
    { eapply Rle_trans; [exact HF|]. replace (weight_off om ^ 2) with W2 by (unfold W2; ring).
      apply Rmult_le_compat_l; lra. }
    replace (weight_off om ^ 4) with (W2 * W2) by (unfold W2; ring).
    assert (W2 * W2 <= z ^ 2 * z ^ 2) by (apply Rmult_le_compat; lra).
    assert (0 <= z ^ 2 * z ^ 2) by (apply Rmult_le_pos; apply pow2_ge_0).
    replace ((kap - 1) * (2 * z ^ 2) ^ 2) with (4 * (kap - 1) * (z ^ 2 * z ^ 2)) by ring.
    pose proof (pow2_ge_0 z). repeat split; nra.
  Qed.

  (** ahat apart from the best arm: what the probability of the others pays *)
  Section Apart.
    Hypothesis apart : ahat <> star.
    Let P := p ahat.
    Let Q := sum K qo.
    Let Q2 := sum K (fun a => qo a * qo a).
    Lemma third a : (a < K)%nat -> po a <= 1 / 3.
    Proof. apply po_third. exact apart. Qed.
    Lemma P_rest : 0 < P /\ 0 <= rest /\ P + rest <= 1.
    Proof.
      pose proof (rest_apart apart). pose proof (p_pos ahat ahat_lt). pose proof (p_pos star star_lt).
      pose proof rest_nonneg. unfold P. lra.
    Qed.
    Lemma Q_bounds : rest <= Q <= rest + te * (rest / 3).
    Proof. pose proof (sum_qo (1 / 3) third). unfold Q. lra. Qed.
    Lemma Q2_bounds : 0 <= Q2 <= (1 + eta / 3) ^ 2 / 3 * rest.
    Proof.
      pose proof (sum_qo_squares (1 / 3) third) as H. unfold Q2. split; [apply sum_nonneg; intros; apply Rle_0_sqr|].
      replace ((1 + eta / 3) ^ 2 / 3 * rest) with ((1 + eta * (1 / 3)) ^ 2 * (1 / 3 * rest)) by field. exact H.
    Qed.
    Lemma qo_entry a : (a < K)%nat -> qo a * qo a / (4 * lam) <= po a * po a * X.
    Proof.
      intro Ha. apply divide_by_lam. pose proof (qo_square (1 / 3) third a Ha) as H. pose proof eq_X as HX.
      pose proof eta_small as He. unfold own_share in HX.
      replace (4 * lam * (po a * po a * X)) with (4 * lam * X * (po a * po a)) by ring. rewrite HX.
      eapply Rle_trans; [exact H|]. apply Rmult_le_compat_r; [apply Rle_0_sqr|]. nra.
    Qed.
    (** (P + t eta)^2 <= (1 + t eta)^2 - (1 - P),  and that pays the others' squares *)
    Lemma hat_square : (P + te) ^ 2 <= (1 + te) ^ 2 - (1 - P).
    Proof. pose proof P_rest. pose proof te_range. nra. Qed.
    Lemma hat_and_others : (P + te) ^ 2 + Q2 <= (1 + te) ^ 2.
    Proof.
      pose proof hat_square. pose proof Q2_bounds as [_ H2]. pose proof P_rest as [_ [Hr Hs1]].
      pose proof (E5 s Hs) as H5. pose proof eta_small as He. unfold own_share in H5.
      assert (Hc : (1 + eta / 3) ^ 2 / 3 <= 1) by nra.
      assert ((1 + eta / 3) ^ 2 / 3 * rest <= 1 * rest) by (apply Rmult_le_compat_r; lra). lra.
    Qed.

    (** Case C, b = best: q_ahat = P + t eta, nothing moved. *)
    Let sum_C := P + te + Q.
    Lemma sum_C_square : sum_C ^ 2 <= A ^ 2 + (1 - P) * (2 * A * eta / 3 + eta ^ 2 / 9).
    Proof.
      pose proof P_rest as [HP [Hr Hs1]]. pose proof Q_bounds as [HQ1 HQ2]. pose proof te_range as Hte. pose proof eta_small as He.
      set (d := 1 - P) in *. unfold own_share.
      assert (Hd : 0 <= rest <= d) by (unfold d; lra). assert (Hd1 : d <= 1) by (unfold d; lra).
      assert (Hup : 0 <= sum_C <= 1 + te + te * (d / 3)).
      { unfold sum_C. split; [lra|]. assert (te * (rest / 3) <= te * (d / 3)) by (apply Rmult_le_compat_l; lra).
        unfold d in *. lra. }
      assert (H1 : sum_C ^ 2 <= (1 + te + te * (d / 3)) ^ 2) by (apply pow_incr; lra).
      eapply Rle_trans; [exact H1|].
      assert (Hmono : 1 + te + te * (d / 3) <= 1 + eta + eta * (d / 3)).
      { assert (te * (d / 3) <= eta * (d / 3)) by (apply Rmult_le_compat_r; lra). lra. }
      assert (H2 : (1 + te + te * (d / 3)) ^ 2 <= (1 + eta + eta * (d / 3)) ^ 2).
      { apply pow_incr. split; [|exact Hmono]. assert (0 <= te * (d / 3)) by (apply Rmult_le_pos; lra). lra. }
      eapply Rle_trans; [exact H2|].
      replace ((1 + eta + eta * (d / 3)) ^ 2) with ((1 + eta) ^ 2 + d * (2 * (1 + eta) * eta / 3) + eta ^ 2 / 9 * (d * d)) by field.
      assert (eta ^ 2 / 9 * (d * d) <= eta ^ 2 / 9 * d) by (apply Rmult_le_compat_l; nra). lra.
    Qed.

    Theorem case_C : b = star -> exists om C part sg, start om C part sg.
    Proof.
      intro Hbs. pose proof (last_pos s Hs) as Hlam. pose proof P_rest as [HP [Hr Hs1]].
      set (q := fun a => at_arm ahat (P + te) a + qo a).
      assert (Hq : sum K q = sum_C) by (unfold q; rewrite sum_plus, sum_at by exact ahat_lt; reflexivity).
      assert (Hq0 : q star = 0) by (unfold q; rewrite at_other, qo_star by auto; ring).
      set (om := fun a => (at_arm ahat ((P + te) ^ 2) a + at_arm star (sum_C ^ 2) a + qo a * qo a) / (4 * lam)).
      set (C := fun a => G * (p a - q a + at_arm b 0 a)).
      exists om, C, (k - 2 + 2 * k * X), (met_size s / n).
      pose proof n_pos as Hn. pose proof X_pos as HX. pose proof eq_X as HeqX. pose proof arms_ge_2 as Hk2.
      pose proof eq_n as Heqn. pose proof eq_met as Heqm. pose proof (previous_pos s Hs) as Hlam1.
      assert (Hom : sum K om = ((P + te) ^ 2 + sum_C ^ 2 + Q2) / (4 * lam)).
      { unfold om, Rdiv. rewrite (sum_ext K _ (fun a => / (4 * lam) * (at_arm ahat ((P + te) ^ 2) a + at_arm star (sum_C ^ 2) a + qo a * qo a)))
          by (intros; ring).
        rewrite sum_scal, !sum_plus, !sum_at by (exact ahat_lt || exact star_lt). fold Q2. ring. }
      assert (Hoff : forall a, off b om a = (at_arm ahat ((P + te) ^ 2) a + qo a * qo a) / (4 * lam)).
      { intro a. rewrite Hbs. destruct (Nat.eq_dec a star) as [->|Hns].
        - rewrite off_same, at_other, qo_star by auto. field. lra.
        - rewrite off_other by exact Hns. unfold om. rewrite (at_other star) by exact Hns. field. lra. }
      assert (HoffX : weight_off om <= X).
      { unfold weight_off. rewrite (sum_ext K _ (fun a => / (4 * lam) * (at_arm ahat ((P + te) ^ 2) a + qo a * qo a)))
          by (intros; rewrite Hoff; field; lra).
        rewrite sum_scal, sum_plus, sum_at by exact ahat_lt. fold Q2. rewrite Rmult_comm. apply divide_by_lam. rewrite HeqX.
        pose proof hat_and_others. pose proof te_range. pose proof eta_small.
        assert ((1 + te) ^ 2 <= A ^ 2) by (apply pow_incr; unfold own_share; lra). lra. }
      assert (Hom0 : forall a, (a < K)%nat -> 0 <= om a).
      { intros a Ha. unfold om. apply Rmult_le_pos; [|left; apply Rinv_0_lt_compat; lra].
        unfold at_arm. pose proof (pow2_ge_0 (P + te)). pose proof (pow2_ge_0 sum_C). pose proof (Rle_0_sqr (qo a)) as Hsq. unfold Rsqr in Hsq.
        destruct (Nat.eq_dec a ahat); destruct (Nat.eq_dec a star); lra. }
      assert (Hoff0 : forall a, (a < K)%nat -> 0 <= off b om a).
      { intros a Ha. unfold off. destruct (Nat.eq_dec a b); [lra|apply Hom0, Ha]. }
      assert (HW0 : 0 <= weight_off om) by (apply sum_nonneg; exact Hoff0).
      assert (Hmet : 0 <= met_size s <= n).
      { pose proof S2_bounds as [HS _]. pose proof nt_bounds. split; [nra|]. nra. }
      assert (Hsgn : met_size s / n * n = met_size s) by (field; lra).
      assert (Hsg : 0 <= met_size s / n <= 1).
      { split; [apply Rmult_le_pos; [lra|left; apply Rinv_0_lt_compat; lra]|].
        apply (Rmult_le_reg_r n); [lra|]. rewrite Hsgn. lra. }
      destruct (start_small om X (met_size s / n)) as [F1 [F2 F3]]; auto.
      { rewrite Hsgn. lra. }
      assert (Hsize : k * sum K om <= 2 * k * X).
      { rewrite Hom. replace (2 * k * X) with (k * (2 * X)) by ring. apply Rmult_le_compat_l; [lra|].
        apply divide_by_lam. pose proof hat_square. pose proof sum_C_square. pose proof Q2_bounds as [_ HQ2].
        pose proof (E5 s Hs) as H5. pose proof te_range. pose proof eta_small.
        assert ((1 + te) ^ 2 <= A ^ 2) by (apply pow_incr; unfold own_share; lra).
        assert ((1 + eta / 3) ^ 2 / 3 * rest <= (1 + eta / 3) ^ 2 / 3 * (1 - P)).
        { apply Rmult_le_compat_l; [|lra]. pose proof (pow2_ge_0 (1 + eta / 3)). lra. }
        assert ((1 - P) * (2 * A * eta / 3 + eta ^ 2 / 9 + (1 + eta / 3) ^ 2 / 3) <= (1 - P) * 1)
          by (apply Rmult_le_compat_l; lra).
        replace (4 * lam * (2 * X)) with (2 * A ^ 2) by (rewrite <- HeqX; ring). lra. }
      constructor; auto.
      - pose proof (compared lam q om 0 Hlam Hq0 (Rle_refl 0)) as HF. rewrite Hq in HF.
        assert (HsumC : 0 <= sum_C) by (unfold sum_C; pose proof te_range; pose proof Q_bounds; lra).
        specialize (HF HsumC). eapply Rle_trans; [apply HF|].
        + intros a Ha. unfold om. replace (4 * lam * _) with (at_arm ahat ((P + te) ^ 2) a + at_arm star (sum_C ^ 2) a + qo a * qo a)
            by (field; lra).
          unfold q. right. replace (at_arm b 0 a) with 0 by (unfold at_arm; destruct (Nat.eq_dec a b); reflexivity).
          destruct (Nat.eq_dec a ahat) as [->|Hna].
          * rewrite !at_same, !(at_other star), qo_ahat by exact apart. ring.
          * rewrite !(at_other ahat) by exact Hna. destruct (Nat.eq_dec a star) as [->|Hns].
            -- rewrite !at_same, qo_star. ring.
            -- rewrite !(at_other star) by exact Hns. ring.
        + pose proof (estimated_part (P + te)) as HT. rewrite (outside_apart apart) in HT. fold q in HT.
          change (fun a => (at_arm ahat (P + te) a + qo a) * v a) with (fun a => q a * v a) in HT.
          pose proof eta_small. assert (0 <= (k - eta) * rest) by (apply Rmult_le_pos; lra). unfold C. lra.
      - unfold all_arms. eapply Rle_trans; [|apply Rmax_r].
        assert (Hden : 0 < n - th * met_size s).
        { pose proof (decay_pos s Hs). pose proof (decay_lt_1 s Hs). assert (th * met_size s <= th * n) by (apply Rmult_le_compat_l; lra). nra. }
        replace (met_size s / n * n / (1 - th * (met_size s / n))) with (n * met_size s / (n - th * met_size s)) by (field; lra).
        assert (Hlast : n * met_size s / (n - th * met_size s) <= arms_constant s - 2 * X).
        { apply (Rmult_le_reg_r (n - th * met_size s)); [lra|].
          replace (n * met_size s / (n - th * met_size s) * (n - th * met_size s)) with (n * met_size s) by (field; lra).
          apply (E9 s Hs). }
        apply (Rmult_le_compat_l k) in Hlast; lra.
      - rewrite Hsgn. unfold all_arms. eapply Rle_trans; [|apply Rmax_r].
        assert (Hlast : 2 * X + met_size s <= arms_constant_3 s) by (unfold arms_constant_3; apply Rmax_r).
        apply (Rmult_le_compat_l k) in Hlast; lra.
      - intro Hba. congruence.
      - pose proof nt_bounds. lra.
      - intros a Ha Hns Hnb. destruct (Nat.eq_dec a ahat) as [->|Hna].
        + exists 1. split; [lra|]. split.
          * unfold C, q. rewrite at_same, qo_ahat. rewrite at_other by congruence. fold P. unfold te. lra.
          * rewrite <- (off_other b om ahat Hnb). rewrite Rmult_1_l. eapply Rle_trans; [|exact HoffX].
            apply (sum_ge_one K (off b om) ahat Hoff0 ahat_lt).
        + exists (po a * po a). pose proof (third a Ha). pose proof (po_nonneg a Ha). split; [apply unit_square; lra|].
          assert (Hpo : po a = p a).
          { unfold po. destruct (Nat.eq_dec a ahat); [contradiction|]. destruct (Nat.eq_dec a star); [contradiction|reflexivity]. }
          split.
          * unfold C, q. rewrite at_other by exact Hna. rewrite at_other by exact Hnb. unfold qo. rewrite Hpo. unfold te. lra.
          * unfold om. rewrite !at_other by assumption. replace (0 + 0 + qo a * qo a) with (qo a * qo a) by ring. apply qo_entry, Ha.
      - intro Hnb. contradiction.
    Qed.

    (** Case B, b = ahat: q_ahat = P, nothing moved. *)
    Let sum_B := P + Q.
    Lemma sum_B_square : sum_B ^ 2 <= 1 + (1 - P) * (2 * eta / 3 + eta ^ 2 / 9).
    Proof.
      pose proof P_rest as [HP [Hr Hs1]]. pose proof Q_bounds as [HQ1 HQ2]. pose proof te_range as Hte. pose proof eta_small as He.
      set (d := 1 - P) in *.
      assert (Hd : 0 <= rest <= d) by (unfold d; lra). assert (Hd1 : d <= 1) by (unfold d; lra).
      assert (Hup : 0 <= sum_B <= 1 + eta * (d / 3)).
      { unfold sum_B. split; [lra|]. assert (te * (rest / 3) <= eta * (d / 3)) by (apply Rmult_le_compat; lra).
        unfold d in *. lra. }
      assert (H1 : sum_B ^ 2 <= (1 + eta * (d / 3)) ^ 2) by (apply pow_incr; lra).
      eapply Rle_trans; [exact H1|].
      replace ((1 + eta * (d / 3)) ^ 2) with (1 + d * (2 * eta / 3) + eta ^ 2 / 9 * (d * d)) by field.
      assert (eta ^ 2 / 9 * (d * d) <= eta ^ 2 / 9 * d) by (apply Rmult_le_compat_l; nra). lra.
    Qed.

    Theorem case_B : b = ahat -> exists om C part sg, start om C part sg.
    Proof.
      intro Hba. pose proof (last_pos s Hs) as Hlam. pose proof P_rest as [HP [Hr Hs1]].
      set (q := fun a => at_arm ahat P a + qo a).
      assert (Hq : sum K q = sum_B) by (unfold q; rewrite sum_plus, sum_at by exact ahat_lt; reflexivity).
      assert (Hq0 : q star = 0) by (unfold q; rewrite at_other, qo_star by auto; ring).
      set (om := fun a => (at_arm ahat (P ^ 2) a + at_arm star (sum_B ^ 2) a + qo a * qo a) / (4 * lam)).
      set (C := fun a => G * (p a - q a + at_arm b 0 a)).
      exists om, C, (k - 2 + k * arms_constant_2 s), 1.
      pose proof n_pos as Hn. pose proof X_pos as HX. pose proof eq_X as HeqX. pose proof arms_ge_2 as Hk2.
      pose proof te_range as Hte. pose proof eta_small as He. pose proof sum_B_square as HB2. pose proof Q2_bounds as [HQ20 HQ2].
      assert (HA : 1 <= A) by (unfold own_share; lra).
      assert (H5 : 2 * eta / 3 + eta ^ 2 / 9 + (1 + eta / 3) ^ 2 / 3 <= 1).
      { pose proof (E5 s Hs) as H. assert (2 * eta / 3 <= 2 * A * eta / 3) by nra. lra. }
      assert (Hb3 : 0 <= (1 + eta / 3) ^ 2 / 3) by (pose proof (pow2_ge_0 (1 + eta / 3)); lra).
      assert (HQ2P : Q2 <= (1 + eta / 3) ^ 2 / 3 * (1 - P)).
      { eapply Rle_trans; [exact HQ2|]. apply Rmult_le_compat_l; lra. }
      assert (Hom : sum K om = (P ^ 2 + sum_B ^ 2 + Q2) / (4 * lam)).
      { unfold om, Rdiv. rewrite (sum_ext K _ (fun a => / (4 * lam) * (at_arm ahat (P ^ 2) a + at_arm star (sum_B ^ 2) a + qo a * qo a)))
          by (intros; ring).
        rewrite sum_scal, !sum_plus, !sum_at by (exact ahat_lt || exact star_lt). fold Q2. ring. }
      assert (Hoff : forall a, off b om a = at_arm star (sum_B ^ 2 / (4 * lam)) a + qo a * qo a / (4 * lam)).
      { intro a. rewrite Hba. destruct (Nat.eq_dec a ahat) as [->|Hna].
        - rewrite off_same, at_other, qo_ahat by auto. field. lra.
        - rewrite off_other by exact Hna. unfold om. rewrite (at_other ahat) by exact Hna. unfold at_arm.
          destruct (Nat.eq_dec a star); field; lra. }
      set (u := sum_B ^ 2 / (4 * lam)). set (z := Q2 / (4 * lam)).
      assert (Hi : 0 < / (4 * lam)) by (apply Rinv_0_lt_compat; lra).
      assert (Hu0 : 0 <= u) by (apply Rmult_le_pos; [apply pow2_ge_0|lra]).
      assert (Hz0 : 0 <= z) by (apply Rmult_le_pos; lra).
      assert (HuX : u <= X).
      { apply divide_by_lam. rewrite HeqX. unfold own_share. assert ((1 - P) * (2 * eta / 3 + eta ^ 2 / 9) <= 2 * eta / 3 + eta ^ 2 / 9) by nra. nra. }
      assert (HzX : z <= X).
      { apply divide_by_lam. rewrite HeqX. assert ((1 + eta / 3) ^ 2 / 3 * (1 - P) <= (1 + eta / 3) ^ 2 / 3) by nra. nra. }
      assert (Huz : u + z <= nt).
      { unfold u, z. replace (sum_B ^ 2 / (4 * lam) + Q2 / (4 * lam)) with ((sum_B ^ 2 + Q2) / (4 * lam)) by (field; lra).
        apply divide_by_lam. pose proof (E7_squares s Hs) as H7.
        assert ((1 - P) * (2 * eta / 3 + eta ^ 2 / 9) <= 2 * eta / 3 + eta ^ 2 / 9) by nra.
        assert ((1 + eta / 3) ^ 2 / 3 * (1 - P) <= (1 + eta / 3) ^ 2 / 3) by nra. lra. }
      assert (HW : weight_off om = u + z).
      { unfold weight_off. rewrite (sum_ext K _ (fun a => at_arm star u a + / (4 * lam) * (qo a * qo a)))
          by (intros; rewrite Hoff; fold u; field; lra).
        rewrite sum_plus, sum_at, sum_scal by exact star_lt. fold Q2. unfold z. field. lra. }
      assert (Hqo0 : forall a, 0 <= qo a * qo a / (4 * lam)).
      { intro a. apply Rmult_le_pos; [apply Rle_0_sqr|lra]. }
      assert (HSQ : squares_off om <= S2).
      { unfold squares_off. rewrite (sum_ext K _ (fun a => at_arm star (u * u) a + (qo a * qo a / (4 * lam)) * (qo a * qo a / (4 * lam)))).
        2:{ intros a _. rewrite Hoff. fold u. unfold at_arm. destruct (Nat.eq_dec a star) as [->|]; [rewrite qo_star; field; lra | ring]. }
        rewrite sum_plus, sum_at by exact star_lt.
        assert (Hsq : sum K (fun a => qo a * qo a / (4 * lam) * (qo a * qo a / (4 * lam))) <= z * z).
        { replace z with (sum K (fun a => qo a * qo a / (4 * lam))).
          - apply (sum_squares_le K (fun a => qo a * qo a / (4 * lam))). intros; apply Hqo0.
          - unfold z. replace (Q2 / (4 * lam)) with (/ (4 * lam) * Q2) by (field; lra). unfold Q2. rewrite <- sum_scal.
            apply sum_ext. intros. field. lra. }
        pose proof (two_squares u z X X' (conj Hu0 HuX) (conj Hz0 HzX) X'_nonneg Huz) as H2. unfold weight_squares. lra. }
      assert (Hent : forall a, (a < K)%nat -> 0 <= off b om a <= X).
      { intros a Ha. rewrite Hoff. fold u. pose proof (Hqo0 a) as Hq1. unfold at_arm. destruct (Nat.eq_dec a star) as [->|].
        - rewrite qo_star. replace (0 * 0 / (4 * lam)) with 0 by (field; lra). lra.
        - pose proof (qo_entry a Ha). pose proof (third a Ha). pose proof (po_nonneg a Ha).
          assert (po a * po a * X <= 1 * X) by (apply Rmult_le_compat_r; [lra|apply unit_square; lra]). lra. }
      destruct (start_full om) as [F1 [F2 F3]]; auto. { rewrite HW. lra. }
      assert (Ha2 : arms_constant_2 s <= nt + Y).
      { unfold arms_constant_2. replace (1 / (2 * lam)) with (2 / (4 * lam)) by (field; lra). apply divide_by_lam.
        replace (4 * lam * (nt + Y)) with (4 * lam * nt + 4 * lam * Y) by ring. rewrite eq_nt, eq_Y. apply (E4 s Hs). }
      assert (Hsize : sum K om <= arms_constant_2 s).
      { rewrite Hom. unfold arms_constant_2. apply divide_by_lam. replace (4 * lam * (1 / (2 * lam))) with 2 by (field; lra).
        assert (P ^ 2 <= P) by (replace (P ^ 2) with (P * P) by ring; apply share_of; lra).
        assert ((1 - P) * (2 * eta / 3 + eta ^ 2 / 9 + (1 + eta / 3) ^ 2 / 3) <= (1 - P) * 1) by (apply Rmult_le_compat_l; lra). lra. }
      constructor; auto.
      - intros a Ha. unfold om. apply Rmult_le_pos; [|lra]. unfold at_arm. pose proof (pow2_ge_0 P). pose proof (pow2_ge_0 sum_B).
        pose proof (Rle_0_sqr (qo a)) as Hsq. unfold Rsqr in Hsq. destruct (Nat.eq_dec a ahat); destruct (Nat.eq_dec a star); lra.
      - pose proof (compared lam q om 0 Hlam Hq0 (Rle_refl 0)) as HF. rewrite Hq in HF.
        assert (HsumB : 0 <= sum_B) by (unfold sum_B; pose proof Q_bounds; lra).
        specialize (HF HsumB). eapply Rle_trans; [apply HF|].
        + intros a Ha. unfold om. replace (4 * lam * _) with (at_arm ahat (P ^ 2) a + at_arm star (sum_B ^ 2) a + qo a * qo a)
            by (field; lra).
          unfold q. right. replace (at_arm b 0 a) with 0 by (unfold at_arm; destruct (Nat.eq_dec a b); reflexivity).
          destruct (Nat.eq_dec a ahat) as [->|Hna].
          * rewrite !at_same, !(at_other star), qo_ahat by exact apart. ring.
          * rewrite !(at_other ahat) by exact Hna. destruct (Nat.eq_dec a star) as [->|Hns].
            -- rewrite !at_same, qo_star. ring.
            -- rewrite !(at_other star) by exact Hns. ring.
        + pose proof (estimated_part P) as HT. rewrite (outside_apart apart) in HT.
          change (fun a => (at_arm ahat P a + qo a) * v a) with (fun a => q a * v a) in HT.
          assert (0 <= (k - eta) * rest) by (apply Rmult_le_pos; lra).
          apply (Rmult_le_compat_l k) in Hsize; [|lra]. unfold C. lra.
      - lra.
      - unfold all_arms. eapply Rle_trans; [|apply Rmax_r]. rewrite !Rmult_1_l, Rmult_1_r.
        assert (Hlast : arms_constant_2 s + n / (1 - th) <= arms_constant s) by (unfold arms_constant; lra).
        apply (Rmult_le_compat_l k) in Hlast; lra.
      - unfold all_arms. eapply Rle_trans; [|apply Rmax_r]. rewrite !Rmult_1_l.
        assert (Hlast : arms_constant_2 s + n <= arms_constant_3 s).
        { unfold arms_constant_3. eapply Rle_trans; [|apply Rmax_l]. lra. }
        apply (Rmult_le_compat_l k) in Hlast; lra.
      - intros _. apply Rmax_r.
      - rewrite HW. exact Huz.
      - intros a Ha Hns Hnb. assert (Hna : a <> ahat) by congruence.
        exists (po a * po a). pose proof (third a Ha). pose proof (po_nonneg a Ha). split; [apply unit_square; lra|].
        assert (Hpo : po a = p a).
        { unfold po. destruct (Nat.eq_dec a ahat); [contradiction|]. destruct (Nat.eq_dec a star); [contradiction|reflexivity]. }
        split.
        + unfold C, q. rewrite at_other by exact Hna. rewrite at_other by exact Hnb. unfold qo. rewrite Hpo. unfold te. lra.
        + rewrite <- (off_other b om a Hnb), Hoff, at_other by exact Hns. rewrite Rplus_0_l. apply qo_entry, Ha.
      - intros _. left. unfold C, q. rewrite Hba. rewrite !at_same, qo_ahat. fold P. lra.
    Qed.

    (** Case A, three different arms: q_ahat = P + t eta, and t mu is moved from the best arm to b. *)
    Let sum_A := P + te + Q - t * mu.
    Lemma mu_range : 0 <= mu <= 1 / 2.
    Proof. pose proof (E12 s Hs). pose proof (E3_nonneg s Hs) as Hxi. pose proof eta_small. unfold shift in Hxi. lra. Qed.
    Lemma sum_A_range : t * mu <= P + te + Q /\ 0 <= sum_A <= 1 - t * xi + te * ((1 - P) / 3).
    Proof.
      pose proof P_rest as [HP [Hr Hs1]]. pose proof Q_bounds as [HQ1 HQ2]. pose proof te_range as Hte. pose proof mu_range as Hmu.
      pose proof (rest_apart apart) as Hra. fold P in Hra.
      assert (Hps : p star <= 1 / 2).
      { assert (Hsa : star <> ahat) by auto. pose proof (p_small star star_lt Hsa). pose proof (p_pos star star_lt). pose proof arms_ge_2. nra. }
      assert (t * mu <= 1 / 2) by nra.
      assert (te * (rest / 3) <= te * ((1 - P) / 3)) by (apply Rmult_le_compat_l; lra).
      unfold sum_A, shift, te in *. repeat split; lra.
    Qed.
    Lemma sum_A_square : sum_A ^ 2 <= (1 - t * xi) ^ 2 + (1 - P) * (2 * eta / 3 + eta ^ 2 / 9).
    Proof.
      pose proof P_rest as [HP [Hr Hs1]]. pose proof sum_A_range as [_ HA]. pose proof te_range as Hte. pose proof eta_small as He.
      pose proof (E3_nonneg s Hs) as Hxi0. pose proof (E3 s Hs) as Hxi. set (d := 1 - P) in *.
      assert (Hd : 0 <= d <= 1) by (unfold d; lra).
      assert (Htxi : 0 <= t * xi <= 1) by nra.
      assert (H1 : sum_A ^ 2 <= (1 - t * xi + te * (d / 3)) ^ 2) by (apply pow_incr; lra).
      eapply Rle_trans; [exact H1|].
      replace ((1 - t * xi + te * (d / 3)) ^ 2) with ((1 - t * xi) ^ 2 + (d * (2 / 3)) * ((1 - t * xi) * te) + te ^ 2 * (d * d) / 9) by field.
      assert (F1 : (1 - t * xi) * te <= 1 * eta) by (apply Rmult_le_compat; lra).
      assert (F2 : te ^ 2 * (d * d) <= eta ^ 2 * d).
      { apply Rmult_le_compat; [apply pow2_ge_0 | nra | apply pow_incr; lra | nra]. }
      apply (Rmult_le_compat_l (d * (2 / 3))) in F1; [|lra]. lra.
    Qed.

    Theorem case_A : b <> ahat -> b <> star -> exists om C part sg, start om C part sg.
    Proof.
      intros Hba Hbs. pose proof (last_pos s Hs) as Hlam. pose proof P_rest as [HP [Hr Hs1]].
      pose proof n_pos as Hn. pose proof X_pos as HX. pose proof eq_X as HeqX. pose proof eq_X' as HeqX'. pose proof eq_nt as Heqnt.
      pose proof arms_ge_2 as Hk2. pose proof te_range as Hte. pose proof eta_small as He. pose proof mu_range as Hmu.
      pose proof Q2_bounds as [HQ20 HQ2]. pose proof sum_A_range as [HmA HAr]. pose proof sum_A_square as HA2.
      pose proof (E3_nonneg s Hs) as Hxi0. pose proof (E3 s Hs) as Hxi.
      assert (Hi : 0 < / (4 * lam)) by (apply Rinv_0_lt_compat; lra).
      set (q := fun a => at_arm ahat (P + te) a + qo a).
      assert (Hq : sum K q = P + te + Q) by (unfold q; rewrite sum_plus, sum_at by exact ahat_lt; reflexivity).
      assert (Hq0 : q star = 0) by (unfold q; rewrite at_other, qo_star by auto; ring).
      set (bulk := off b (fun a => qo a * qo a / (4 * lam))). set (Z := sum K bulk).
      assert (Hqo0 : forall a, 0 <= qo a * qo a / (4 * lam)).
      { intro a. apply Rmult_le_pos; [apply Rle_0_sqr|lra]. }
      assert (Hbulk0 : forall a, 0 <= bulk a).
      { intro a. unfold bulk, off. destruct (Nat.eq_dec a b); [lra|apply Hqo0]. }
      assert (HZ0 : 0 <= Z) by (apply sum_nonneg; intros; apply Hbulk0).
      assert (HZ : 4 * lam * Z <= Q2).
      { replace Q2 with (4 * lam * sum K (fun a => qo a * qo a / (4 * lam))).
        - apply Rmult_le_compat_l; [lra|]. apply sum_le. intros a _. unfold bulk, off. pose proof (Hqo0 a). destruct (Nat.eq_dec a b); lra.
        - unfold Q2. rewrite <- sum_scal. apply sum_ext. intros. field. lra. }
      set (oms := Rmax (sum_A ^ 2) ((1 - xi) ^ 2) / (4 * lam)).
      set (omh := nt - oms - Z). set (omb := (qo b - t * mu) ^ 2 / (4 * lam)).
      set (om := fun a => at_arm ahat omh a + at_arm star oms a + at_arm b omb a + bulk a).
      set (C := fun a => G * (p a - q a + at_arm b (t * mu) a)).
      exists om, C, (k - 2 + k * (nt + Y)), 1.
      assert (Heoms : 4 * lam * oms = Rmax (sum_A ^ 2) ((1 - xi) ^ 2)) by (unfold oms; field; lra).
      assert (Homs1 : sum_A ^ 2 <= 4 * lam * oms) by (rewrite Heoms; apply Rmax_l).
      assert (Homs2 : (1 - xi) ^ 2 <= 4 * lam * oms) by (rewrite Heoms; apply Rmax_r).
      assert (HXoms : X' <= oms) by nra.
      assert (HomsX : oms <= X).
      { apply divide_by_lam. rewrite HeqX. apply Rmax_lub.
        - apply pow_incr. split; [lra|]. unfold own_share.
          assert (te * ((1 - P) / 3) <= eta * (1 / 3)) by (apply Rmult_le_compat; lra).
          assert (0 <= t * xi) by (apply Rmult_le_pos; lra). lra.
        - rewrite <- HeqX, <- HeqX'. apply Rmult_le_compat_l; [lra|]. apply (E11 s Hs). }
      (* what ahat keeps still covers its square *)
      assert (Hgrow : (1 + te) ^ 2 + (1 - t * xi) ^ 2 <= A ^ 2 + (1 - xi) ^ 2).
      { unfold own_share, te.
        replace ((1 + eta) ^ 2 + (1 - xi) ^ 2) with ((1 + t * eta) ^ 2 + (1 - t * xi) ^ 2
          + (1 - t) * (2 * (eta - xi) + (eta ^ 2 + xi ^ 2) * (1 + t))) by ring.
        assert (0 <= (eta ^ 2 + xi ^ 2) * (1 + t)) by (apply Rmult_le_pos; [pose proof (pow2_ge_0 eta); pose proof (pow2_ge_0 xi); lra|lra]).
        assert (0 <= (1 - t) * (2 * (eta - xi) + (eta ^ 2 + xi ^ 2) * (1 + t))) by (apply Rmult_le_pos; lra). lra. }
      assert (HA : 1 <= A) by (unfold own_share; lra).
      assert (Hcover : (P + te) ^ 2 <= 4 * lam * omh).
      { unfold omh. replace (4 * lam * (nt - oms - Z)) with (4 * lam * nt - 4 * lam * oms - 4 * lam * Z) by ring.
        rewrite Heqnt, Heoms. pose proof hat_and_others as Hho. pose proof hat_square as Hhs.
        assert (H1A : (1 + te) ^ 2 <= A ^ 2) by (apply pow_incr; unfold own_share; lra).
        unfold Rmax. destruct (Rle_dec (sum_A ^ 2) ((1 - xi) ^ 2)); [lra|].
        pose proof (E5 s Hs) as H5. assert (2 * eta / 3 <= 2 * A * eta / 3) by nra.
        assert (Hb3 : 0 <= (1 + eta / 3) ^ 2 / 3) by (pose proof (pow2_ge_0 (1 + eta / 3)); lra).
        assert (HQ2P : Q2 <= (1 + eta / 3) ^ 2 / 3 * (1 - P)).
        { eapply Rle_trans; [exact HQ2|]. apply Rmult_le_compat_l; lra. }
        assert ((1 - P) * (2 * eta / 3 + eta ^ 2 / 9 + (1 + eta / 3) ^ 2 / 3) <= (1 - P) * 1) by (apply Rmult_le_compat_l; lra). lra. }
      assert (Homh0 : 0 <= omh).
      { apply (Rmult_le_reg_l (4 * lam)); [lra|]. rewrite Rmult_0_r. eapply Rle_trans; [apply pow2_ge_0|exact Hcover]. }
      assert (HomhX : omh <= X) by (unfold omh, weight_size; lra).
      assert (Homb0 : 0 <= omb) by (apply Rmult_le_pos; [apply pow2_ge_0|lra]).
      assert (Hoff : forall a, off b om a = at_arm star oms a + (at_arm ahat omh a + bulk a)).
      { intro a. destruct (Nat.eq_dec a b) as [->|Hnb].
        - rewrite off_same, !at_other by assumption. unfold bulk. rewrite off_same. ring.
        - rewrite off_other by exact Hnb. unfold om. rewrite (at_other b) by exact Hnb. ring. }
      assert (HW : weight_off om = nt).
      { unfold weight_off. rewrite (sum_ext K _ (fun a => at_arm star oms a + (at_arm ahat omh a + bulk a))) by (intros; apply Hoff).
        rewrite !sum_plus, !sum_at by (exact ahat_lt || exact star_lt). fold Z. unfold omh. ring. }
      assert (Hbulk_star : bulk star = 0) by (unfold bulk; rewrite off_other by auto; rewrite qo_star; field; lra).
      assert (Hbulk_ahat : bulk ahat = 0) by (unfold bulk; rewrite off_other by auto; rewrite qo_ahat; field; lra).
      assert (HSQ : squares_off om <= S2).
      { unfold squares_off. rewrite (sum_ext K _ (fun a => at_arm star (oms * oms) a + (at_arm ahat omh a + bulk a) * (at_arm ahat omh a + bulk a))).
        2:{ intros a _. rewrite Hoff. destruct (Nat.eq_dec a star) as [->|Hns].
            - rewrite !at_same, Hbulk_star, at_other by auto. ring.
            - rewrite !(at_other star) by exact Hns. ring. }
        rewrite sum_plus, sum_at by exact star_lt.
        assert (Hrest : sum K (fun a => at_arm ahat omh a + bulk a) = nt - oms).
        { rewrite sum_plus, sum_at by exact ahat_lt. fold Z. unfold omh. ring. }
        pose proof (sum_squares_le K (fun a => at_arm ahat omh a + bulk a)) as Hsq. rewrite Hrest in Hsq.
        assert (Hnn : forall a, (a < K)%nat -> 0 <= at_arm ahat omh a + bulk a).
        { intros a _. pose proof (Hbulk0 a). unfold at_arm. destruct (Nat.eq_dec a ahat); lra. }
        specialize (Hsq Hnn). pose proof X'_nonneg as HX'0.
        pose proof (two_squares oms (nt - oms) X X' ltac:(lra) ltac:(unfold weight_size; lra) HX'0 ltac:(unfold weight_size; lra)) as H2.
        unfold weight_squares. lra. }
      assert (Hent : forall a, (a < K)%nat -> 0 <= off b om a <= X).
      { intros a Ha. rewrite Hoff. pose proof X'_nonneg. destruct (Nat.eq_dec a star) as [->|Hns].
        - rewrite at_same, Hbulk_star, at_other by auto. lra.
        - rewrite (at_other star) by exact Hns. destruct (Nat.eq_dec a ahat) as [->|Hna].
          + rewrite at_same, Hbulk_ahat. lra.
          + rewrite (at_other ahat) by exact Hna. split; [pose proof (Hbulk0 a); lra|]. rewrite !Rplus_0_l.
            unfold bulk, off. destruct (Nat.eq_dec a b); [lra|].
            pose proof (qo_entry a Ha). pose proof (third a Ha). pose proof (po_nonneg a Ha).
            assert (po a * po a * X <= 1 * X) by (apply Rmult_le_compat_r; [lra|apply unit_square; lra]). lra. }
      destruct (start_full om) as [F1 [F2 F3]]; auto. { rewrite HW. pose proof nt_bounds. lra. }
      assert (Hom : sum K om = nt + omb).
      { rewrite (sum_off K b om Hb). fold (weight_off om). rewrite HW. unfold om. rewrite !at_other by assumption.
        rewrite at_same. unfold bulk. rewrite off_same. ring. }
      (* the arm b: its own square is paid by its probability *)
      assert (Hpob : 0 <= po b <= rest) by (split; [apply po_nonneg, Hb | apply po_le_rest, Hb]).
      assert (Hk_omb : k * omb <= k * Y + x * rest).
      { apply (Rmult_le_reg_l (4 * lam)); [lra|].
        replace (4 * lam * (k * omb)) with (k * (qo b - t * mu) ^ 2) by (unfold omb; field; lra).
        replace (4 * lam * (k * Y + x * rest)) with (k * (4 * lam * Y) + (4 * lam * x) * rest) by ring. rewrite eq_Y, eq_x.
        pose proof (qo_bound (1 / 3) third b Hb) as Hqb. pose proof (qo_square (1 / 3) third b Hb) as Hqb2.
        assert (Htm : 0 <= t * mu <= mu) by (apply share_of; lra).
        assert (Hsplit : (qo b - t * mu) ^ 2 <= qo b * qo b + mu ^ 2) by (apply square_of_difference; lra).
        assert (Hkq : k * (qo b * qo b) <= (1 + eta / 2) ^ 2 * rest).
        { pose proof (po_arms b Hb) as Hkp.
          apply Rle_trans with ((1 + eta * (1 / 3)) ^ 2 * ((k * po b) * po b)).
          - apply (Rmult_le_compat_l k) in Hqb2; [|lra]. lra.
          - apply Rmult_le_compat; [apply pow2_ge_0 | apply Rmult_le_pos; [apply Rmult_le_pos|]; lra | apply pow_incr; lra |].
            assert (k * po b * po b <= 1 * po b) by (apply Rmult_le_compat_r; lra). lra. }
        apply (Rmult_le_compat_l k) in Hsplit; lra. }
      constructor; auto.
      - intros a Ha. unfold om, at_arm. pose proof (Hbulk0 a). pose proof X'_nonneg.
        destruct (Nat.eq_dec a ahat); destruct (Nat.eq_dec a star); destruct (Nat.eq_dec a b); lra.
      - assert (Htm0 : 0 <= t * mu) by (apply share_of; lra).
        pose proof (compared lam q om (t * mu) Hlam Hq0 Htm0) as HF. rewrite Hq in HF.
        specialize (HF HmA). eapply Rle_trans; [apply HF|].
        + intros a Ha. change (P + te + Q - t * mu) with sum_A. unfold q.
          destruct (Nat.eq_dec a ahat) as [->|Hna].
          * unfold om. rewrite !at_same, Hbulk_ahat, !(at_other star), !(at_other b), qo_ahat by auto.
            replace (P + te + 0 - 0 - 0) with (P + te) by ring. rewrite !Rplus_0_r. exact Hcover.
          * rewrite (at_other ahat) by exact Hna. destruct (Nat.eq_dec a star) as [->|Hns].
            -- unfold om. rewrite !at_same, Hbulk_star, (at_other ahat), !(at_other b), qo_star by auto.
               replace (0 + 0 - sum_A - 0) with (- sum_A) by ring. rewrite !Rplus_0_r, Rplus_0_l.
               replace ((- sum_A) ^ 2) with (sum_A ^ 2) by ring. exact Homs1.
            -- rewrite (at_other star) by exact Hns. unfold om. rewrite (at_other ahat), (at_other star) by assumption.
               destruct (Nat.eq_dec a b) as [->|Hnb].
               ++ rewrite !at_same. unfold bulk. rewrite off_same. right. unfold omb. field. lra.
               ++ rewrite !(at_other b) by exact Hnb. unfold bulk. rewrite off_other by exact Hnb. right. field. lra.
        + pose proof (estimated_part (P + te)) as HT. rewrite (outside_apart apart) in HT.
          change (fun a => (at_arm ahat (P + te) a + qo a) * v a) with (fun a => q a * v a) in HT.
          pose proof (E6 s Hs) as H6. assert (Hpay : (eta + x - k) * rest <= 0 * rest) by (apply Rmult_le_compat_r; lra).
          rewrite Hom. fold C. change (fun a => G * (p a - q a + at_arm b (t * mu) a) * reg a) with (fun a => C a * reg a). lra.
      - lra.
      - unfold all_arms. eapply Rle_trans; [|apply Rmax_r]. rewrite !Rmult_1_l, Rmult_1_r. unfold arms_constant. lra.
      - unfold all_arms. eapply Rle_trans; [|apply Rmax_r]. rewrite !Rmult_1_l.
        assert (Hlast : nt + Y + n <= arms_constant_3 s) by (unfold arms_constant_3; apply Rmax_l).
        apply (Rmult_le_compat_l k) in Hlast; lra.
      - intro. contradiction.
      - rewrite HW. lra.
      - intros a Ha Hns Hnb. destruct (Nat.eq_dec a ahat) as [->|Hna].
        + exists 1. split; [lra|]. split.
          * unfold C, q. rewrite at_same, qo_ahat, at_other by auto. fold P. unfold te. lra.
          * unfold om. rewrite at_same, Hbulk_ahat, !at_other by auto. lra.
        + exists (po a * po a). pose proof (third a Ha). pose proof (po_nonneg a Ha). split; [apply unit_square; lra|].
          assert (Hpo : po a = p a).
          { unfold po. destruct (Nat.eq_dec a ahat); [contradiction|]. destruct (Nat.eq_dec a star); [contradiction|reflexivity]. }
          split.
          * unfold C, q. rewrite at_other by exact Hna. rewrite at_other by exact Hnb. unfold qo. rewrite Hpo. unfold te. lra.
          * unfold om. rewrite !at_other by assumption. unfold bulk. rewrite off_other by exact Hnb. rewrite !Rplus_0_l. apply qo_entry, Ha.
      - intros _. right. split; [|exact HW]. unfold C, q. rewrite at_same, at_other by exact Hba.
        assert (Hpo : po b = p b).
        { unfold po. destruct (Nat.eq_dec b ahat); [contradiction|]. destruct (Nat.eq_dec b star); [contradiction|reflexivity]. }
        apply Rmult_le_compat_l; [left; exact G_pos|]. unfold qo. rewrite Hpo.
        assert (0 <= te * (p b * p b)) by (apply Rmult_le_pos; [lra|apply Rle_0_sqr]). lra.
    Qed.
  End Apart.

  (** Case D, ahat = best: nothing moved, everything is paid by the probability of the other arms. *)
  Theorem case_D : ahat = star -> exists om C part sg, start om C part sg.
  Proof.
    intro He. pose proof (last_pos s Hs) as Hlam. pose proof (previous_pos s Hs) as Hlam1.
    pose proof n_pos as Hn. pose proof X_pos as HX. pose proof x_le_X as HxX. pose proof eq_x as Heqx. pose proof eq_X as HeqX.
    pose proof arms_ge_2 as Hk2. pose proof te_range as Hte. pose proof eta_small as Het. pose proof G_pos as HG.
    assert (Hi : 0 < / (4 * lam)) by (apply Rinv_0_lt_compat; lra).
    assert (Hki : 0 < / k) by (apply Rinv_0_lt_compat; lra).
    assert (Hik : k * / k = 1) by (apply Rinv_r; lra).
    assert (Hpk : forall a, (a < K)%nat -> po a <= / k).
    { intros a Ha. pose proof (po_arms a Ha). apply (Rmult_le_reg_l k); [lra|]. lra. }
    assert (Hkhalf : / k <= 1 / 2) by (apply (Rmult_le_reg_l k); lra).
    pose proof (rest_together He) as Hrest. pose proof rest_nonneg as Hr0. pose proof p_greedy as Hpg.
    assert (Hr1 : rest <= 1 - / k).
    { assert (/ k <= p ahat) by (apply (Rmult_le_reg_l k); lra). lra. }
    set (Q := sum K qo). set (Q2 := sum K (fun a => qo a * qo a)).
    pose proof (sum_qo (/ k) Hpk) as HQ. fold Q in HQ.
    pose proof (sum_qo_squares (/ k) Hpk) as HQ2. fold Q2 in HQ2.
    assert (Hfac : 0 <= 1 + eta * / k <= 1 + eta / 2).
    { assert (0 <= eta * / k <= eta * (1 / 2)) by (split; [apply Rmult_le_pos; lra | apply Rmult_le_compat_l; lra]). lra. }
    assert (HQr : 0 <= Q <= (1 + eta / 2) * rest).
    { assert (0 <= / k * rest <= 1 / 2 * rest) by (split; [apply Rmult_le_pos; lra | apply Rmult_le_compat_r; lra]).
      assert (te * (/ k * rest) <= eta * (1 / 2 * rest)) by (apply Rmult_le_compat; lra). lra. }
    assert (HQ2r : 0 <= Q2 <= (1 + eta / 2) ^ 2 * (/ k * rest)).
    { split; [apply sum_nonneg; intros; apply Rle_0_sqr|]. eapply Rle_trans; [exact HQ2|].
      apply Rmult_le_compat_r; [apply Rmult_le_pos; lra|]. apply pow_incr. exact Hfac. }
    set (om := fun a => (at_arm star (Q ^ 2) a + qo a * qo a) / (4 * lam)).
    set (C := fun a => G * (p a - qo a + at_arm b 0 a)).
    set (cD := 2 * x ^ 2 / (4 * lam')).
    assert (HcD : 0 <= cD) by (apply Rmult_le_pos; [pose proof (pow2_ge_0 x); lra | left; apply Rinv_0_lt_compat; lra]).
    assert (HeqD : 4 * lam' * cD = 2 * x ^ 2) by (unfold cD; field; lra).
    exists om, C, (k - 1 - (k - eta) * rest + k * (x * rest)), (cD * rest ^ 2 / n).
    assert (Hsgn : cD * rest ^ 2 / n * n = cD * rest ^ 2) by (field; lra).
    assert (Hrr : 0 <= rest ^ 2 <= rest) by (split; [apply pow2_ge_0 | nra]).
    assert (HcDn : cD <= n).
    { pose proof eq_n as Heqn. pose proof S2_bounds as [HS _]. pose proof nt_bounds as [Hnt _].
      assert (x ^ 2 <= X ^ 2) by (apply pow_incr; lra). assert (X ^ 2 <= nt ^ 2) by (apply pow_incr; lra).
      apply (Rmult_le_reg_l (4 * lam')); lra. }
    assert (HcDr : 0 <= cD * rest ^ 2 <= cD * rest) by (split; [apply Rmult_le_pos; lra | apply Rmult_le_compat_l; lra]).
    assert (Hsg : 0 <= cD * rest ^ 2 / n <= 1).
    { split; [apply Rmult_le_pos; [lra|left; apply Rinv_0_lt_compat; lra]|].
      apply (Rmult_le_reg_r n); [lra|]. rewrite Hsgn. assert (cD * rest <= n * 1) by (apply Rmult_le_compat; lra). lra. }
    assert (Hom0 : forall a, (a < K)%nat -> 0 <= om a).
    { intros a Ha. unfold om. apply Rmult_le_pos; [|lra]. pose proof (pow2_ge_0 Q). pose proof (Rle_0_sqr (qo a)) as Hsq. unfold Rsqr in Hsq.
      unfold at_arm. destruct (Nat.eq_dec a star); lra. }
    assert (Hom : sum K om <= x * rest).
    { unfold om, Rdiv. rewrite (sum_ext K _ (fun a => / (4 * lam) * (at_arm star (Q ^ 2) a + qo a * qo a))) by (intros; ring).
      rewrite sum_scal, sum_plus, sum_at by exact star_lt. fold Q2. rewrite Rmult_comm. apply divide_by_lam.
      replace (4 * lam * (x * rest)) with ((4 * lam * x) * rest) by ring. rewrite Heqx.
      assert (Q ^ 2 <= ((1 + eta / 2) * rest) ^ 2) by (apply pow_incr; lra).
      assert (Hfin : (1 + eta / 2) ^ 2 * (rest * (rest + / k)) <= (1 + eta / 2) ^ 2 * (rest * 1)).
      { apply Rmult_le_compat_l; [apply pow2_ge_0|]. apply Rmult_le_compat_l; lra. }
      replace (((1 + eta / 2) * rest) ^ 2) with ((1 + eta / 2) ^ 2 * (rest * rest)) in * by ring. lra. }
    assert (Hoff0 : forall a, (a < K)%nat -> 0 <= off b om a).
    { intros a Ha. unfold off. destruct (Nat.eq_dec a b); [lra|apply Hom0, Ha]. }
    assert (HW : 0 <= weight_off om <= x * rest).
    { split; [apply sum_nonneg; exact Hoff0|]. eapply Rle_trans; [|exact Hom]. apply sum_le. intros a Ha. pose proof (Hom0 a Ha).
      unfold off. destruct (Nat.eq_dec a b); lra. }
    destruct (start_small om (x * rest) (cD * rest ^ 2 / n)) as [F1 [F2 F3]]; auto.
    { rewrite Hsgn. replace (4 * lam' * (cD * rest ^ 2)) with ((4 * lam' * cD) * rest ^ 2) by ring. rewrite HeqD. ring. }
    pose proof (decay_pos s Hs) as Hth0. pose proof (decay_lt_1 s Hs) as Hth1. pose proof (E7 s Hs) as H7. fold cD in H7.
    assert (Hi1 : 0 < / (1 - th)) by (apply Rinv_0_lt_compat; lra).
    assert (Hbudget : k - 1 - (k - eta) * rest + k * (x * rest) + k * (cD * rest / (1 - th)) <= k - 1).
    { replace (k - 1 - (k - eta) * rest + k * (x * rest) + k * (cD * rest / (1 - th)))
        with (k - 1 + rest * (k * (x + cD / (1 - th) - 1) + eta)) by (field; lra).
      assert (k * (x + cD / (1 - th) - 1) <= k * (- (eta / 2))) by (apply Rmult_le_compat_l; lra).
      assert (k * (eta / 2) >= 2 * (eta / 2)) by (apply Rle_ge, Rmult_le_compat_r; lra).
      assert (rest * (k * (x + cD / (1 - th) - 1) + eta) <= rest * 0) by (apply Rmult_le_compat_l; lra). lra. }
    assert (Hgrow : cD * rest <= cD * rest / (1 - th)).
    { apply (Rmult_le_reg_r (1 - th)); [lra|]. replace (cD * rest / (1 - th) * (1 - th)) with (cD * rest) by (field; lra).
      assert (0 <= cD * rest * th) by (apply Rmult_le_pos; [apply Rmult_le_pos|]; lra). lra. }
    constructor; auto.
    - assert (Hq0 : qo star = 0) by apply qo_star.
      pose proof (compared lam qo om 0 Hlam Hq0 (Rle_refl 0)) as HF. fold Q in HF.
      specialize (HF ltac:(lra)). eapply Rle_trans; [apply HF|].
      + intros a Ha. unfold om. replace (4 * lam * _) with (at_arm star (Q ^ 2) a + qo a * qo a) by (field; lra).
        right. replace (at_arm b 0 a) with 0 by (unfold at_arm; destruct (Nat.eq_dec a b); reflexivity).
        rewrite Rminus_0_r with (r := Q). unfold at_arm. destruct (Nat.eq_dec a star) as [->|Hns]; [rewrite Hq0; ring | ring].
      + pose proof (estimated_part 0) as HT. rewrite (outside_together He) in HT.
        rewrite (sum_ext K _ (fun a => qo a * v a)) in HT
          by (intros a _; unfold at_arm; destruct (Nat.eq_dec a ahat); ring).
        apply (Rmult_le_compat_l k) in Hom; [|lra].
        change (fun a => G * (p a - qo a + at_arm b 0 a) * reg a) with (fun a => C a * reg a). lra.
    - rewrite Hsgn. unfold all_arms. eapply Rle_trans; [|apply Rmax_l].
      assert (Hstep : cD * rest ^ 2 / (1 - th * (cD * rest ^ 2 / n)) <= cD * rest / (1 - th)).
      { assert (Hths : th * (cD * rest ^ 2 / n) <= th * 1) by (apply Rmult_le_compat_l; lra).
        apply Rmult_le_compat; try lra.
        - left. apply Rinv_0_lt_compat. lra.
        - apply Rinv_le_contravar; lra. }
      apply (Rmult_le_compat_l k) in Hstep; lra.
    - rewrite Hsgn. unfold all_arms. eapply Rle_trans; [|apply Rmax_l].
      assert (k * (cD * rest ^ 2) <= k * (cD * rest / (1 - th))) by (apply Rmult_le_compat_l; lra). lra.
    - intros _. unfold all_arms. eapply Rle_trans; [|apply Rmax_l].
      assert (0 <= k * (cD * rest / (1 - th))) by (apply Rmult_le_pos; lra). lra.
    - pose proof nt_bounds. assert (x * rest <= X * 1) by (apply Rmult_le_compat; lra). lra.
    - intros a Ha Hns Hnb. exists (po a * po a). pose proof (po_half a Ha). pose proof (po_nonneg a Ha). split; [apply unit_square; lra|].
      assert (Hpo : po a = p a).
      { unfold po. destruct (Nat.eq_dec a ahat); [congruence|]. destruct (Nat.eq_dec a star); [contradiction|reflexivity]. }
      split.
      + unfold C. rewrite at_other by exact Hnb. unfold qo. rewrite Hpo. unfold te. lra.
      + unfold om. rewrite at_other by exact Hns. rewrite Rplus_0_l. apply divide_by_lam.
        replace (4 * lam * (po a * po a * X)) with ((4 * lam * X) * (po a * po a)) by ring. rewrite HeqX.
        pose proof (qo_square (/ k) Hpk a Ha) as Hqs. eapply Rle_trans; [exact Hqs|].
        apply Rmult_le_compat_r; [apply Rle_0_sqr|]. apply pow_incr. unfold own_share. lra.
    - intro Hnb. left. unfold C. rewrite at_same.
      assert (Hpo : po b = p b).
      { unfold po. destruct (Nat.eq_dec b ahat); [congruence|]. destruct (Nat.eq_dec b star); [contradiction|reflexivity]. }
      unfold qo. rewrite Hpo. assert (0 <= te * (p b * p b)) by (apply Rmult_le_pos; [lra|apply Rle_0_sqr]).
      assert (0 <= G * (te * (p b * p b))) by (apply Rmult_le_pos; lra). lra.
  Qed.

  Theorem start_exists : exists om C part sg, start om C part sg.
  Proof.
    destruct (Nat.eq_dec ahat star) as [He|Hne]; [apply case_D; exact He|].
    destruct (Nat.eq_dec b ahat) as [Hba|Hba]; [apply case_B; assumption|].
    destruct (Nat.eq_dec b star) as [Hbs|Hbs]; [apply case_C; assumption|].
    apply case_A; assumption.
  Qed.
End LastEpoch.
