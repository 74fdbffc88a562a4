(** * One agent, one context, one run: from epoch to epoch backwards

    [fstar] is the truth, [fhat l] the estimate of epoch l (0 in epoch 1), [p l] the kernel that plays it.  In the scale
    of the learning rate, as in docs/proof_best.md:

        R_a = fstar(a_star) - fstar(a),   V^l_a = 1 / p^l(a),   eps^l = gamma_l^2 sum_a p^{l-1}(a) (fhat^l - fstar)(a)^2.

    A sum  sum_a om_a V^l_a + sum_a C_a R_a  with weights om >= 0 is at most K |om| plus the same kind of sum one epoch
    earlier plus a multiple of eps^l (lemma [descend]); the new weights are squares of the old ones, so they decay, and in
    epoch 1, where V = K, nothing is left but K times what the weights add up to (theorem [chain_bound]).             *)
From Coq Require Import Reals Lra Lia Psatz List Arith.
From FedIGW Require Import FiniteSums InverseGapWeighting.
Open Scope R_scope.

(** ** Sums over arms *)

(** c d <= c^2 / (4 lam p) + lam p d^2 *)
Lemma weighted_amgm lam p c d : 0 < lam -> 0 < p -> c * d <= c * c / (4 * lam) * / p + lam * (p * (d * d)).
Proof.
  intros Hl Hp. apply (Rmult_le_reg_l (4 * lam * p)); [nra|].
  replace (4 * lam * p * (c * c / (4 * lam) * / p + lam * (p * (d * d))))
    with (c * c + (2 * lam * p * d) * (2 * lam * p * d)) by (field; lra).
  pose proof (Rle_0_sqr (c - 2 * lam * p * d)) as H. unfold Rsqr in H. lra.
Qed.

Lemma sum_amgm n lam (p c d : nat -> R) : 0 < lam -> (forall a, (a < n)%nat -> 0 < p a) ->
  sum n (fun a => c a * d a) <=
    sum n (fun a => c a * c a / (4 * lam) * / p a) + lam * sum n (fun a => p a * (d a * d a)).
Proof.
  intros Hl Hp. rewrite <- sum_scal, <- sum_plus. apply sum_le. intros a Ha. apply weighted_amgm; auto.
Qed.

(** The weights off one arm. *)
Definition off (g : nat) (u : nat -> R) (a : nat) : R := if Nat.eq_dec a g then 0 else u a.

Lemma off_same g u : off g u g = 0.
Proof. unfold off. destruct (Nat.eq_dec g g); [reflexivity|contradiction]. Qed.
Lemma off_other g u a : a <> g -> off g u a = u a.
Proof. intro H. unfold off. destruct (Nat.eq_dec a g); [contradiction|reflexivity]. Qed.

(** Taking one arm out of a sum. *)
Lemma sum_off n g u : (g < n)%nat -> sum n u = sum n (off g u) + u g.
Proof.
  intro Hg. rewrite <- (sum_delta n g u Hg), <- sum_plus. apply sum_ext. intros a _.
  unfold off. destruct (Nat.eq_dec a g); lra.
Qed.

(** sum_a u_a^2 <= (sum_a u_a)^2 for u >= 0, and the same for fourth powers. *)
Lemma sum_squares_le n u : (forall a, (a < n)%nat -> 0 <= u a) ->
  sum n (fun a => u a * u a) <= sum n u * sum n u.
Proof.
  intro H. replace (sum n u * sum n u) with (sum n (fun a => sum n u * u a)) by (rewrite sum_scal; reflexivity).
  apply sum_le. intros a Ha. apply Rmult_le_compat_r; [auto|]. apply sum_ge_one; auto.
Qed.

(** ** One step back *)
Section Cell.
  Variables (K L : nat) (fstar : nat -> R) (fhat : nat -> nat -> R) (gamma : nat -> R).
  Hypothesis HK : (1 <= K)%nat.
  Hypothesis first_estimate : forall a, fhat 1 a = 0.
  Hypothesis rates_positive : forall l, (2 <= l <= L)%nat -> 0 < gamma l.
  Hypothesis rates_grow : forall l, (2 <= l)%nat -> (S l <= L)%nat -> gamma l <= gamma (S l).

  Definition play (l : nat) : nat -> R := igw K (gamma l) (fhat l).
  Definition greedy_arm (l : nat) : nat := argmax K (fhat l).
  Definition best_arm : nat := argmax K fstar.
  Definition true_gap (a : nat) : R := gap K fstar a.
  Definition inverse (l a : nat) : R := / play l a.
  (** gamma_l (fhat^l - fstar)(a) *)
  Definition deviation (l a : nat) : R := gamma l * (fhat l a - fstar a).
  (** eps^{l+1} = gamma_{l+1}^2 sum_a p^l(a) (fhat^{l+1} - fstar)(a)^2 *)
  Definition scaled_risk (l : nat) : R := sum K (fun a => play l a * (deviation (S l) a * deviation (S l) a)).

  Lemma greedy_arm_lt l : (greedy_arm l < K)%nat.
  Proof. apply argmax_lt. exact HK. Qed.
  Lemma best_arm_lt : (best_arm < K)%nat.
  Proof. apply argmax_lt. exact HK. Qed.
  Lemma true_gap_nonneg a : (a < K)%nat -> 0 <= true_gap a.
  Proof. apply gap_nonneg. Qed.
  Lemma true_gap_best : true_gap best_arm = 0.
  Proof. apply gap_best. Qed.

  Lemma play_pos l a : (1 <= l <= L)%nat -> (a < K)%nat -> 0 < play l a.
  Proof.
    intros Hl Ha. unfold play. destruct (Nat.eq_dec l 1) as [->|Hn].
    - rewrite igw_uniform; auto. apply Rinv_0_lt_compat. pose proof (arms_ge_1 K HK). lra.
    - apply igw_pos; auto. left. apply rates_positive. lia.
  Qed.
  Lemma inverse_first a : (a < K)%nat -> inverse 1 a = INR K.
  Proof. intro Ha. unfold inverse, play. rewrite igw_uniform, Rinv_inv; auto. Qed.
  Lemma inverse_pos l a : (1 <= l <= L)%nat -> (a < K)%nat -> 0 < inverse l a.
  Proof. intros Hl Ha. apply Rinv_0_lt_compat, play_pos; assumption. Qed.

  (** V^l_a <= K + gamma_l (fhat^l(ahat) - fhat^l(a)), where the gap is  gamma_l (R_a - R_ahat) - d_a + d_ahat. *)
  Lemma inverse_bound l a : (2 <= l <= L)%nat -> (a < K)%nat ->
    inverse l a <= INR K + (gamma l * (true_gap a - true_gap (greedy_arm l)) - deviation l a + deviation l (greedy_arm l)).
  Proof.
    intros Hl Ha. pose proof (rates_positive l Hl) as Hg.
    pose proof (igw_inverse K (gamma l) (fhat l) HK ltac:(lra) a Ha) as H.
    unfold inverse, play, true_gap, deviation, greedy_arm, gap in *. lra.
  Qed.

  (** The weights one epoch earlier: c^2 / (4 lam) with c = W at the greedy arm and -w elsewhere. *)
  Definition earlier (l : nat) (om : nat -> R) (lam : R) (a : nat) : R :=
    let g := greedy_arm l in let w := off g om in let W := sum K w in
    (if Nat.eq_dec a g then W * W else w a * w a) / (4 * lam).
  (** What the arms' regrets are multiplied with one epoch earlier. *)
  Definition charge (l : nat) (om C : nat -> R) (a : nat) : R :=
    let g := greedy_arm l in let w := off g om in
    C a + gamma l * (w a - (if Nat.eq_dec a g then sum K w else 0)).

  Lemma earlier_nonneg l om lam a : 0 < lam -> 0 <= earlier l om lam a.
  Proof.
    intro Hl. unfold earlier. cbv zeta. apply Rmult_le_pos; [|left; apply Rinv_0_lt_compat; lra].
    destruct (Nat.eq_dec a (greedy_arm l)); apply Rle_0_sqr.
  Qed.

  Theorem descend l om C lam : (1 <= l)%nat -> (S l <= L)%nat -> 0 < lam -> (forall a, (a < K)%nat -> 0 <= om a) ->
    sum K (fun a => om a * inverse (S l) a) + sum K (fun a => C a * true_gap a) <=
      INR K * sum K om + sum K (fun a => earlier (S l) om lam a * inverse l a)
      + sum K (fun a => charge (S l) om C a * true_gap a) + lam * scaled_risk l.
  Proof.
    intros H1 H2 Hlam Hom. set (g := greedy_arm (S l)). set (w := off g om). set (W := sum K w).
    assert (Hg : (g < K)%nat) by apply greedy_arm_lt.
    assert (Hl : (2 <= S l <= L)%nat) by lia.
    assert (Hw : forall a, (a < K)%nat -> 0 <= w a).
    { intros a Ha. unfold w, off. destruct (Nat.eq_dec a g); [lra|auto]. }
    set (c := fun a => (if Nat.eq_dec a g then W else 0) - w a).
    (* sum om V <= K |om| + gamma (sum w R - W R_g) + sum c d *)
    assert (S1 : sum K (fun a => om a * inverse (S l) a) <=
       INR K * sum K om + (sum K (fun a => gamma (S l) * (w a - (if Nat.eq_dec a g then W else 0)) * true_gap a)
         + sum K (fun a => c a * deviation (S l) a))).
    { assert (Hterm : forall a, (a < K)%nat -> om a * inverse (S l) a <=
          INR K * om a + gamma (S l) * (w a * true_gap a) - w a * deviation (S l) a
          + w a * (deviation (S l) g - gamma (S l) * true_gap g)).
      { intros a Ha. pose proof (inverse_bound (S l) a Hl Ha) as H. fold g in H.
        unfold w, off. destruct (Nat.eq_dec a g) as [->|Hn].
        - assert (inverse (S l) g <= INR K) by lra. pose proof (Hom g Ha). nra.
        - pose proof (Hom a Ha). nra. }
      eapply Rle_trans; [apply sum_le; exact Hterm|].
      rewrite sum_plus, sum_minus, sum_plus, !sum_scal.
      replace (sum K (fun a => w a * (deviation (S l) g - gamma (S l) * true_gap g)))
        with ((deviation (S l) g - gamma (S l) * true_gap g) * W)
        by (unfold W; rewrite <- sum_scal; apply sum_ext; intros; ring).
      rewrite (sum_ext K (fun a => gamma (S l) * (w a - (if Nat.eq_dec a g then W else 0)) * true_gap a)
        (fun a => gamma (S l) * (w a * true_gap a) - (if Nat.eq_dec a g then gamma (S l) * W * true_gap a else 0)))
        by (intros a _; destruct (Nat.eq_dec a g); ring).
      rewrite sum_minus, sum_scal, (sum_delta K g (fun a => gamma (S l) * W * true_gap a)) by exact Hg.
      rewrite (sum_ext K (fun a => c a * deviation (S l) a)
        (fun a => (if Nat.eq_dec a g then W * deviation (S l) a else 0) - w a * deviation (S l) a))
        by (intros a _; unfold c; destruct (Nat.eq_dec a g); ring).
      rewrite sum_minus, (sum_delta K g (fun a => W * deviation (S l) a)) by exact Hg. lra. }
    pose proof (sum_amgm K lam (play l) c (deviation (S l)) Hlam
      (fun a Ha => play_pos l a ltac:(lia) Ha)) as S2. fold (scaled_risk l) in S2.
    replace (sum K (fun a => c a * c a / (4 * lam) * / play l a))
      with (sum K (fun a => earlier (S l) om lam a * inverse l a)) in S2.
    2:{ apply sum_ext. intros a _. unfold earlier. cbv zeta. fold g w W. unfold inverse, c.
        destruct (Nat.eq_dec a g) as [->|Hn]; [|f_equal; f_equal; ring].
        unfold w at 1 2. rewrite off_same. f_equal. f_equal. ring. }
    rewrite (sum_ext K (fun a => charge (S l) om C a * true_gap a)
      (fun a => C a * true_gap a + gamma (S l) * (w a - (if Nat.eq_dec a g then W else 0)) * true_gap a))
      by (intros a _; unfold charge; cbv zeta; fold g w W; ring).
    rewrite sum_plus. lra.
  Qed.

  (** ** All the way back

      th: the factor between the weights of consecutive epochs; kap: how unequal they may be.  N bounds |om|, G is at
      least the learning rate; the share sg is squared in every epoch.                                          *)
  Variables (th kap : R).
  Hypothesis Hth : 0 < th < 1.
  Hypothesis Hkap : 3 / 2 <= kap.
  Hypothesis squares_decay : 1 + 4 / 9 * (kap - 1) <= (kap - 1) * kap ^ 2.
  Hypothesis chains_decay : 2 * th <= kap.

  (** sum_{j = 2}^l kap N th^{l-j} / (4 th) eps^j *)
  Fixpoint past_risks (N : R) (l : nat) : R :=
    match l with
    | O => 0
    | S l' => match l' with O => 0 | _ => kap * N / (4 * th) * scaled_risk l' + past_risks (th * N) l' end
    end.

  (** The invariant: sizes, squares, entries; and whatever an arm's weight may still add to its coefficient is paid. *)
  Record ready (om C : nat -> R) (N sg G : R) : Prop := {
    ready_nonneg : forall a, (a < K)%nat -> 0 <= om a;
    ready_size : sum K om <= sg * N;
    ready_squares : sum K (fun a => om a * om a) <= (kap - 1) * (sg * N) ^ 2;
    ready_entries : forall a, (a < K)%nat -> om a <= 2 / 3 * (sg * N);
    ready_paid : forall a, (a < K)%nat -> a <> best_arm -> C a + G * (om a / (1 - th * om a / (kap * N))) <= 0
  }.

  Lemma entries_small N sg o : 0 < N -> 0 <= sg <= 1 -> 0 <= o <= 2 / 3 * (sg * N) ->
    0 <= o / (kap * N) <= 4 / 9.
  Proof.
    intros HN Hsg Ho. assert (HkN : 0 < kap * N) by nra. split.
    - apply Rmult_le_pos; [lra|]. left. apply Rinv_0_lt_compat. exact HkN.
    - apply (Rmult_le_reg_r (kap * N)); [exact HkN|].
      replace (o / (kap * N) * (kap * N)) with o by (field; nra).
      assert (sg * N <= N) by nra. nra.
  Qed.

  (** An arm that is not greedy squares its weight: o + th u o / (1 - th u^2) <= o / (1 - th u), u = o / (kap N). *)
  Lemma weight_squared o u : 0 <= o -> 0 <= u <= 4 / 9 -> o + th * u * o / (1 - th * (u * u)) <= o / (1 - th * u).
  Proof.
    intros Ho Hu. assert (Hs : 0 <= th * u <= 4 / 9) by nra.
    assert (Hsu : th * (u * u) <= th * u) by nra.
    replace (o / (1 - th * u)) with (o + th * u * o / (1 - th * u)) by (field; lra).
    apply Rplus_le_compat_l. apply Rmult_le_compat_l; [apply Rmult_le_pos; lra|].
    apply Rinv_le_contravar; lra.
  Qed.
  (** The greedy arm loses W and starts again at th u W:  th u W / (1 - th u^2) <= W, u = W / (kap N) <= 2/3. *)
  Lemma weight_restarts W u : 0 <= W -> 0 <= u <= 2 / 3 -> th * u <= 1 / 2 -> th * u * W / (1 - th * (u * u)) <= W.
  Proof.
    intros HW Hu Hs. assert (H : th * (u * u) <= 1 / 3) by nra.
    apply (Rmult_le_reg_r (1 - th * (u * u))); [lra|].
    replace (th * u * W / (1 - th * (u * u)) * (1 - th * (u * u))) with (th * u * W) by (field; lra). nra.
  Qed.

  Lemma ready_earlier l om C N sg G : (2 <= l <= L)%nat -> 0 < N -> 0 <= sg <= 1 -> gamma l <= G -> ready om C N sg G ->
    ready (earlier l om (kap * N / (4 * th))) (charge l om C) (th * N) (sg * sg) (gamma l).
  Proof.
    intros Hl HN Hsg HG [H0 Hsize Hsq Hent Hpaid]. pose proof (rates_positive l Hl) as Hgl.
    set (g := greedy_arm l). set (w := off g om). set (W := sum K w).
    assert (HkN : 0 < kap * N) by nra.
    set (lam := kap * N / (4 * th)).
    assert (Hlam : 0 < lam) by (unfold lam; apply Rdiv_lt_0_compat; lra).
    assert (H4 : 4 * lam = kap * N / th) by (unfold lam; field; lra).
    assert (Hw0 : forall a, (a < K)%nat -> 0 <= w a <= om a).
    { intros a Ha. unfold w, off. pose proof (H0 a Ha). destruct (Nat.eq_dec a g); lra. }
    assert (HW0 : 0 <= W) by (apply sum_nonneg; intros a Ha; apply Hw0, Ha).
    assert (HW : W <= sg * N).
    { eapply Rle_trans; [|exact Hsize]. apply sum_le. intros a Ha. apply Hw0, Ha. }
    assert (Hgl2 : (g < K)%nat) by apply greedy_arm_lt.
    assert (Hww : sum K (fun a => w a * w a) <= (kap - 1) * (sg * N) ^ 2).
    { eapply Rle_trans; [|exact Hsq]. apply sum_le. intros a Ha. pose proof (Hw0 a Ha). nra. }
    assert (HsgN : 0 <= sg * N) by nra.
    set (k := th / (kap * N)).
    assert (Hk : 0 < k) by (unfold k; apply Rdiv_lt_0_compat; lra).
    assert (Hearlier : forall a, earlier l om lam a = k * ((if Nat.eq_dec a g then W * W else 0) + w a * w a)).
    { intro a. unfold earlier. cbv zeta. fold g w W. rewrite H4. unfold k.
      destruct (Nat.eq_dec a g) as [->|Hn]; [unfold w at 1 2; rewrite off_same|]; field; lra. }
    assert (HkW : k * (W * W) <= th * (sg * sg * N) / kap).
    { replace (th * (sg * sg * N) / kap) with (k * ((sg * N) * (sg * N))) by (unfold k; field; lra).
      apply Rmult_le_compat_l; [lra|]. apply Rmult_le_compat; assumption. }
    constructor.
    - intros a Ha. apply earlier_nonneg. exact Hlam.
    - rewrite (sum_ext K _ (fun a => k * ((if Nat.eq_dec a g then W * W else 0) + w a * w a)))
        by (intros; apply Hearlier).
      rewrite sum_scal, sum_plus, (sum_delta K g (fun _ => W * W)) by exact Hgl2.
      replace (sg * sg * (th * N)) with (k * (kap * (sg * N) ^ 2)) by (unfold k; field; lra).
      apply Rmult_le_compat_l; [lra|]. assert (W * W <= (sg * N) * (sg * N)) by (apply Rmult_le_compat; assumption). nra.
    - rewrite (sum_ext K _ (fun a => k * k * ((if Nat.eq_dec a g then W * W * (W * W) else 0) + w a * w a * (w a * w a)))).
      2:{ intros a _. rewrite Hearlier. destruct (Nat.eq_dec a g) as [->|Hn]; [|ring].
          unfold w. rewrite off_same. ring. }
      rewrite sum_scal, sum_plus, (sum_delta K g (fun _ => W * W * (W * W))) by exact Hgl2.
      set (n := sg * N) in *.
      assert (F4 : sum K (fun a => w a * w a * (w a * w a)) <= 4 / 9 * (kap - 1) * (n ^ 2 * n ^ 2)).
      { apply Rle_trans with (sum K (fun a => 4 / 9 * n ^ 2 * (w a * w a))).
        - apply sum_le. intros a Ha. apply Rmult_le_compat_r; [apply Rle_0_sqr|].
          pose proof (Hw0 a Ha). pose proof (Hent a Ha). nra.
        - rewrite sum_scal. pose proof (pow2_ge_0 n). nra. }
      assert (FW : W * W * (W * W) <= n ^ 2 * n ^ 2).
      { assert (W * W <= n ^ 2) by nra. assert (0 <= W * W) by nra. apply Rmult_le_compat; assumption. }
      replace ((kap - 1) * (sg * sg * (th * N)) ^ 2) with (k * k * ((kap - 1) * kap ^ 2 * (n ^ 2 * n ^ 2)))
        by (unfold k, n; field; lra).
      apply Rmult_le_compat_l; [nra|].
      assert (0 <= n ^ 2 * n ^ 2) by (apply Rmult_le_pos; apply pow2_ge_0).
      assert ((1 + 4 / 9 * (kap - 1)) * (n ^ 2 * n ^ 2) <= (kap - 1) * kap ^ 2 * (n ^ 2 * n ^ 2))
        by (apply Rmult_le_compat_r; assumption).
      lra.
    - intros a Ha. rewrite Hearlier.
      assert (Hbig : th * (sg * sg * N) / kap <= 2 / 3 * (sg * sg * (th * N))).
      { replace (2 / 3 * (sg * sg * (th * N))) with (2 / 3 * (th * (sg * sg * N))) by ring.
        unfold Rdiv at 1. rewrite (Rmult_comm (2 / 3)). apply Rmult_le_compat_l.
        - apply Rmult_le_pos; [lra|]. apply Rmult_le_pos; nra.
        - replace (2 / 3) with (/ (3 / 2)) by field. apply Rinv_le_contravar; lra. }
      destruct (Nat.eq_dec a g) as [->|Hn].
      + unfold w at 1 2. rewrite off_same. replace (W * W + 0 * 0) with (W * W) by ring. lra.
      + assert (w a <= W) by (apply sum_ge_one; [intros b Hb; apply Hw0, Hb | exact Ha]).
        pose proof (Hw0 a Ha). assert (w a * w a <= W * W) by (apply Rmult_le_compat; lra).
        assert (k * (0 + w a * w a) <= k * (W * W)) by (apply Rmult_le_compat_l; lra). lra.
    - intros a Ha Hbest. rewrite Hearlier. unfold charge. cbv zeta. fold g w W.
      pose proof (Hpaid a Ha Hbest) as Hp. pose proof (H0 a Ha) as Ho. pose proof (Hent a Ha) as He.
      pose proof (entries_small N sg (om a) HN Hsg (conj Ho He)) as Hu.
      set (u := om a / (kap * N)) in *.
      assert (Hou : th * om a / (kap * N) = th * u) by (unfold u; field; lra).
      rewrite Hou in Hp.
      assert (Hthu : 0 <= th * u <= 4 / 9) by nra.
      assert (Hphi : 0 <= om a / (1 - th * u)).
      { apply Rmult_le_pos; [lra|]. left. apply Rinv_0_lt_compat. lra. }
      assert (HpG : C a + gamma l * (om a / (1 - th * u)) <= 0).
      { assert (gamma l * (om a / (1 - th * u)) <= G * (om a / (1 - th * u))) by (apply Rmult_le_compat_r; lra). lra. }
      destruct (Nat.eq_dec a g) as [->|Hn].
      + assert (Hwg : w g = 0) by apply off_same. rewrite Hwg.
        set (v := W / (kap * N)).
        assert (Hv0 : 0 <= v) by (apply Rmult_le_pos; [lra|left; apply Rinv_0_lt_compat; lra]).
        assert (Hvk : v * kap <= 1).
        { apply (Rmult_le_reg_r N); [lra|]. replace (v * kap * N) with W by (unfold v; field; lra). nra. }
        assert (Hv : v <= 2 / 3) by nra. assert (Hthv : th * v <= 1 / 2) by nra.
        replace (k * (W * W + 0 * 0)) with (th * v * W) by (unfold k, v; field; lra).
        replace (th * (th * v * W) / (kap * (th * N))) with (th * (v * v)) by (unfold v; field; lra).
        pose proof (weight_restarts W v HW0 (conj Hv0 Hv) Hthv) as Hr.
        apply (Rmult_le_compat_l (gamma l)) in Hr; [|lra].
        assert (0 <= gamma l * (om g / (1 - th * u))) by (apply Rmult_le_pos; lra). lra.
      + assert (Hwa : w a = om a) by (apply off_other; exact Hn). rewrite Hwa.
        replace (k * (0 + om a * om a)) with (th * u * om a) by (unfold k, u; field; lra).
        replace (th * (th * u * om a) / (kap * (th * N))) with (th * (u * u)) by (unfold u; field; lra).
        pose proof (weight_squared (om a) u Ho Hu) as Hr.
        apply (Rmult_le_compat_l (gamma l)) in Hr; [|lra]. lra.
  Qed.

  (** In epoch 1 V = K, and no regret has a positive coefficient. *)
  Lemma chain_first om C N sg G : 0 < N -> 0 <= sg <= 1 -> 0 <= G -> ready om C N sg G ->
    sum K (fun a => om a * inverse 1 a) + sum K (fun a => C a * true_gap a) <= INR K * (sg * N).
  Proof.
    intros HN Hsg HG0 [H0 Hsize _ Hent Hpaid].
    rewrite (sum_ext K _ (fun a => INR K * om a)) by (intros a Ha; rewrite inverse_first by exact Ha; ring).
    rewrite sum_scal.
    assert (HC : sum K (fun a => C a * true_gap a) <= 0).
    { rewrite <- (sum_zero K). apply sum_le. intros a Ha.
      destruct (Nat.eq_dec a best_arm) as [->|Hb]; [rewrite true_gap_best; lra|].
      pose proof (Hpaid a Ha Hb) as Hp. pose proof (true_gap_nonneg a Ha).
      pose proof (entries_small N sg (om a) HN Hsg (conj (H0 a Ha) (Hent a Ha))) as Hu.
      assert (0 <= G * (om a / (1 - th * om a / (kap * N)))).
      { apply Rmult_le_pos; [exact HG0|]. apply Rmult_le_pos; [apply H0, Ha|].
        left. apply Rinv_0_lt_compat.
        replace (th * om a / (kap * N)) with (th * (om a / (kap * N))) by (field; nra). nra. }
      nra. }
    apply (Rmult_le_compat_l (INR K)) in Hsize; [|apply pos_INR]. lra.
  Qed.

  (** The whole past of epoch l + 1: K times what the weights add up to, and the risks with their multipliers. *)
  Theorem chain_bound l : (1 <= l <= L)%nat -> forall om C N sg G, 0 < N -> 0 <= sg <= 1 -> 0 <= G ->
    ((2 <= l)%nat -> gamma l <= G) -> ready om C N sg G ->
    sum K (fun a => om a * inverse l a) + sum K (fun a => C a * true_gap a) <=
      INR K * (sg * N / (1 - th * sg)) + past_risks N l.
  Proof.
    induction l as [|l IH]; [lia|]. intros Hl om C N sg G HN Hsg HG0 HG Hready.
    assert (Hs : th * sg < 1) by nra.
    assert (HK0 : 0 <= INR K) by apply pos_INR.
    assert (HsN : 0 <= sg * N) by nra.
    destruct (Nat.eq_dec l 0) as [->|Hn].
    - simpl past_risks. pose proof (chain_first om C N sg G HN Hsg HG0 Hready) as Hfirst.
      assert (sg * N <= sg * N / (1 - th * sg)).
      { apply (Rmult_le_reg_r (1 - th * sg)); [lra|].
        replace (sg * N / (1 - th * sg) * (1 - th * sg)) with (sg * N) by (field; lra).
        assert (0 <= sg * N * (th * sg)) by (apply Rmult_le_pos; nra). lra. }
      assert (INR K * (sg * N) <= INR K * (sg * N / (1 - th * sg))) by (apply Rmult_le_compat_l; lra).
      lra.
    - assert (H2 : (2 <= S l <= L)%nat) by lia.
      set (lam := kap * N / (4 * th)).
      assert (Hlam : 0 < lam) by (unfold lam; apply Rdiv_lt_0_compat; nra).
      pose proof (descend l om C lam ltac:(lia) ltac:(lia) Hlam (ready_nonneg _ _ _ _ _ Hready)) as Hd.
      pose proof (ready_earlier (S l) om C N sg G H2 HN Hsg (HG ltac:(lia)) Hready) as Hr. fold lam in Hr.
      assert (Hsg2 : 0 <= sg * sg <= 1) by nra.
      assert (HthN : 0 < th * N) by nra.
      pose proof (rates_positive (S l) H2) as Hgl.
      pose proof (IH ltac:(lia) _ _ (th * N) (sg * sg) (gamma (S l)) HthN Hsg2 ltac:(lra)
        ltac:(intro; apply rates_grow; lia) Hr) as Hi.
      assert (Hpast : past_risks N (S l) = lam * scaled_risk l + past_risks (th * N) l).
      { destruct l as [|l]; [lia|]. reflexivity. }
      rewrite Hpast. pose proof (ready_size _ _ _ _ _ Hready) as Hsize.
      assert (Hgeo : sg * N + sg * sg * (th * N) / (1 - th * (sg * sg)) <= sg * N / (1 - th * sg)).
      { replace (sg * N / (1 - th * sg)) with (sg * N + sg * sg * (th * N) / (1 - th * sg)) by (field; lra).
        assert (Hsmall : th * (sg * sg) <= th * sg) by (apply Rmult_le_compat_l; nra).
        apply Rplus_le_compat_l. apply Rmult_le_compat_l; [apply Rmult_le_pos; nra|].
        apply Rinv_le_contravar; lra. }
      apply (Rmult_le_compat_l (INR K)) in Hgeo; [|exact HK0].
      apply (Rmult_le_compat_l (INR K)) in Hsize; [|exact HK0]. lra.
  Qed.
End Cell.
