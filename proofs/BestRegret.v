(** * lem:epoch_regret_bound, best

    The pathwise claim averaged over contexts, agents and data.  The risk of an early epoch, taken with the weights of epoch T, is
    at most [spread T l] g^2 S^T (1 for agents in step), so that

        E regret^L <= (max_m (1 - 1/K_m, 1 - 2/K_m + a) + b g^2) S^L / gamma^L                                    *)
From Coq Require Import Reals Lra Lia Psatz List Arith.
From FedIGW Require Import FiniteSums FiniteProbability InverseGapWeighting Policies Setting PerCellInduction
  BackwardChain BestParameters LastEpoch PathwiseClaim TwoArms.
Open Scope R_scope.

(** What the multipliers add up to when the risk of epoch l counts r q^{T-l} times: (r, q) = (1, 1) for agents in step,
    (1, c) if c bounds the ratio between consecutive epochs, (c, 1) if it bounds that between any two. *)
Definition spread_risk (p : parameters) (r q : R) : R :=
  r * (last_multiplier p * q + previous_multiplier p * q ^ 2
       + spread p * start_size p * q ^ 3 / (4 * decay p * (1 - decay p * q))).
Lemma spread_risk_in_step p : closes p -> spread_risk p 1 1 = risk_constant p.
Proof.
  intro H. unfold spread_risk, risk_constant. pose proof (decay_pos p H). pose proof (decay_lt_1 p H). field. split; lra.
Qed.

(** max(1 - 1/K, 1 - 2/K + a) *)
Definition arms_part (a k : R) : R := Rmax (1 - / k) (1 - 2 / k + a).
Lemma all_arms_part K a : (1 <= K)%nat -> all_arms K a = arms_part a (INR K) * INR K.
Proof.
  intro HK. assert (0 < INR K) by (apply lt_0_INR; lia). unfold all_arms, arms_part.
  rewrite (Rmult_comm (Rmax _ _)), <- RmaxRmult by lra. f_equal; field; lra.
Qed.
Lemma arms_part_grows a k k' : 0 < k -> k <= k' -> arms_part a k <= arms_part a k'.
Proof.
  intros H0 H. assert (/ k' <= / k) by (apply Rinv_le_contravar; assumption).
  unfold arms_part, Rdiv. apply Rmax_lub.
  - eapply Rle_trans; [|apply Rmax_l]. lra.
  - eapply Rle_trans; [|apply Rmax_r]. lra.
Qed.
Lemma arms_part_limit a k : 1 <= k -> 0 <= a -> arms_part a k <= 1 + a.
Proof.
  intros Hk Ha. assert (0 < / k) by (apply Rinv_0_lt_compat; lra). unfold arms_part, Rdiv. apply Rmax_lub; lra.
Qed.

Section Average.
  Context {s : setting} {valid_s : valid s}.
  Let some_agent := HM (s := s).
  Variable ratio : nat -> nat -> R.
  Hypothesis Hratio : forall l' l m m', (1 <= l)%nat -> (l < l')%nat -> (l' <= L)%nat ->
    (m < M)%nat -> (m' < M)%nat -> E l' m / E l m <= ratio l' l * (E l' m' / E l m').
  Hypothesis two_arms : forall m, (m < M)%nat -> (2 <= K m)%nat.
  Hypothesis paper_monotone : rbar = 1.
  Variable p : parameters.
  Hypothesis Hp : closes p.

  (** one run in one context of one agent *)
  Let estimates (w : Omega) (m x : nat) : nat -> nat -> R := fun l => fhat l w m x.
  Let risk w m x := scaled_risk (K m) (fstar m x) (estimates w m x) gamma.
  Let risks w m x := all_risks (K m) (fstar m x) (estimates w m x) gamma p.
  Let past w m x := past_risks (K m) (fstar m x) (estimates w m x) gamma (decay p) (spread p).

  Lemma risk_is_error w m x l : risk w m x l = gamma (S l) ^ 2 * err_cell l w m x.
  Proof.
    unfold risk, scaled_risk, err_cell. rewrite <- sum_scal. apply sum_ext. intros a _.
    unfold deviation, estimates. change (play (K m) (fun l0 => fhat l0 w m x) gamma l a) with (kernel l w m x a). ring.
  Qed.

  (** E S^T[eps^{l+1}] <= ratio(T, l) g^2 S^T *)
  Lemma risk_mean T l : (1 <= l)%nat -> (l < T)%nat -> (T <= L)%nat ->
    Expect law (fun w => over_epoch T (fun m x => risk w m x l)) <= ratio T l * (g ^ 2 * SK T).
  Proof.
    intros H1 H2 H3. assert (Hg : 0 < gamma (S l)) by (apply Hgamma; lia).
    rewrite (Expect_ext law _ (fun w => gamma (S l) ^ 2 * over_epoch T (err_cell l w))).
    - rewrite (Expect_scal law (gamma (S l) ^ 2) (fun w => over_epoch T (err_cell l w))).
      pose proof (err_reweighted ratio Hratio T l H1 H2 H3) as H.
      apply (Rmult_le_compat_l (gamma (S l) ^ 2)) in H; [|apply pow2_ge_0].
      eapply Rle_trans; [exact H|]. right. field. lra.
    - intro w. rewrite <- over_epoch_scal. unfold over_epoch. apply sum_ext. intros m _. f_equal.
      apply sum_ext. intros x _. f_equal. apply risk_is_error.
  Qed.

  Fixpoint past_weights (N : R) (T l : nat) : R :=
    match l with
    | S (S _ as l') => spread p * N / (4 * decay p) * ratio T l' + past_weights (decay p * N) T l'
    | _ => 0
    end.
  Definition all_weights (T l : nat) : R :=
    last_multiplier p * ratio T l +
    match l with
    | S (S _ as l') => previous_multiplier p * ratio T l' + past_weights (start_size p) T l'
    | _ => 0
    end.

  Lemma Expect_over_epoch_plus T (u v : Omega -> nat -> nat -> R) :
    Expect law (fun w => over_epoch T (fun m x => u w m x + v w m x)) =
    Expect law (fun w => over_epoch T (u w)) + Expect law (fun w => over_epoch T (v w)).
  Proof. rewrite <- Expect_plus. apply Expect_ext. intro w. apply over_epoch_plus. Qed.
  Lemma Expect_over_epoch_scal T k (u : Omega -> nat -> nat -> R) :
    Expect law (fun w => over_epoch T (fun m x => k * u w m x)) = k * Expect law (fun w => over_epoch T (u w)).
  Proof. rewrite <- Expect_scal. apply Expect_ext. intro w. apply over_epoch_scal. Qed.

  Lemma past_mean T l : (l < T)%nat -> (T <= L)%nat -> forall N, 0 <= N ->
    Expect law (fun w => over_epoch T (fun m x => past w m x N l)) <= past_weights N T l * (g ^ 2 * SK T).
  Proof.
    intros HT HL. pose proof (decay_pos p Hp) as Hth. pose proof (E8 p Hp) as Hkap. induction l as [|[|l] IH]; intros N HN.
    - unfold past. simpl. rewrite (Expect_ext law _ (fun _ => 0)); [rewrite Expect_const by exact Hlaw; lra|].
      intro w. rewrite (over_epoch_agent T (fun _ => 0)). rewrite (sum_ext M _ (fun _ => 0)) by (intros; ring). apply sum_zero.
    - unfold past. simpl. rewrite (Expect_ext law _ (fun _ => 0)); [rewrite Expect_const by exact Hlaw; lra|].
      intro w. rewrite (over_epoch_agent T (fun _ => 0)). rewrite (sum_ext M _ (fun _ => 0)) by (intros; ring). apply sum_zero.
    - set (k := spread p * N / (4 * decay p)).
      assert (Hk : 0 <= k) by (unfold k; apply Rmult_le_pos; [apply Rmult_le_pos; lra|left; apply Rinv_0_lt_compat; lra]).
      change (fun w => over_epoch T (fun m x => past w m x N (S (S l)))) with
        (fun w => over_epoch T (fun m x => k * risk w m x (S l) + past w m x (decay p * N) (S l))).
      rewrite (Expect_over_epoch_plus T (fun w m x => k * risk w m x (S l)) (fun w m x => past w m x (decay p * N) (S l))).
      rewrite (Expect_over_epoch_scal T k (fun w m x => risk w m x (S l))).
      pose proof (risk_mean T (S l) ltac:(lia) ltac:(lia) HL) as H1. apply (Rmult_le_compat_l k) in H1; [|exact Hk].
      assert (HN' : 0 <= decay p * N) by (apply Rmult_le_pos; lra).
      pose proof (IH ltac:(lia) _ HN') as H2.
      change (past_weights N T (S (S l))) with (k * ratio T (S l) + past_weights (decay p * N) T (S l)). lra.
  Qed.

  Lemma risks_mean T l : (1 <= l)%nat -> (l < T)%nat -> (T <= L)%nat ->
    Expect law (fun w => over_epoch T (fun m x => risks w m x l)) <= all_weights T l * (g ^ 2 * SK T).
  Proof.
    intros H1 HT HL. pose proof (last_pos p Hp) as Hlam. pose proof (previous_pos p Hp) as Hlam'. pose proof (n_pos p Hp) as Hn.
    pose proof (risk_mean T l H1 HT HL) as F1. apply (Rmult_le_compat_l (last_multiplier p)) in F1; [|lra].
    destruct l as [|[|l]]; [lia| |].
    - unfold risks, all_risks, all_weights.
      rewrite (Expect_ext law _ (fun w => over_epoch T (fun m x => last_multiplier p * risk w m x 1))).
      + rewrite (Expect_over_epoch_scal T (last_multiplier p) (fun w m x => risk w m x 1)). lra.
      + intro w. unfold over_epoch. apply sum_ext. intros m _. f_equal. apply sum_ext. intros x _. f_equal. unfold risk. ring.
    - change (fun w => over_epoch T (fun m x => risks w m x (S (S l)))) with (fun w => over_epoch T (fun m x =>
        last_multiplier p * risk w m x (S (S l)) + (previous_multiplier p * risk w m x (S l) + past w m x (start_size p) (S l)))).
      rewrite (Expect_over_epoch_plus T (fun w m x => last_multiplier p * risk w m x (S (S l)))
        (fun w m x => previous_multiplier p * risk w m x (S l) + past w m x (start_size p) (S l))).
      rewrite (Expect_over_epoch_plus T (fun w m x => previous_multiplier p * risk w m x (S l)) (fun w m x => past w m x (start_size p) (S l))).
      rewrite (Expect_over_epoch_scal T (last_multiplier p) (fun w m x => risk w m x (S (S l)))).
      rewrite (Expect_over_epoch_scal T (previous_multiplier p) (fun w m x => risk w m x (S l))).
      pose proof (risk_mean T (S l) ltac:(lia) ltac:(lia) HL) as F2. apply (Rmult_le_compat_l (previous_multiplier p)) in F2; [|lra].
      pose proof (past_mean T (S l) ltac:(lia) HL (start_size p) ltac:(lra)) as F3.
      unfold all_weights. fold past_weights. lra.
  Qed.

  (** Any bound of the cells by a part for the arms and risks of known mean, averaged. *)
  Lemma averaged_risks (part : nat -> R) (risksum : Omega -> nat -> nat -> R) top weight l : (1 <= l)%nat -> (S l <= L)%nat ->
    (forall m, (m < M)%nat -> part m <= top * INR (K m)) ->
    (forall w m x, (m < M)%nat -> (x < X m)%nat -> gamma (S l) * regret_cell (S l) w m x <= part m + risksum w m x) ->
    Expect law (fun w => over_epoch (S l) (risksum w)) <= weight * (g ^ 2 * SK (S l)) ->
    Expect law (epoch_regret (S l)) <= (top + weight * g ^ 2) * (SK (S l) / gamma (S l)).
  Proof.
    intros H1 H2 Htop Hcell Hmean. assert (Hg : 0 < gamma (S l)) by (apply Hgamma; lia).
    destruct (Hlaw (s := s)) as [Hw _].
    apply (Rmult_le_reg_l (gamma (S l))); [exact Hg|].
    replace (gamma (S l) * ((top + weight * g ^ 2) * (SK (S l) / gamma (S l))))
      with (top * SK (S l) + weight * (g ^ 2 * SK (S l))) by (field; lra).
    apply Rle_trans with (Expect law (fun w => over_epoch (S l) (fun m x => top * INR (K m) + risksum w m x))).
    - rewrite <- Expect_scal. apply Expect_le; [exact Hw|]. intro w. unfold epoch_regret.
      rewrite <- over_epoch_scal. apply over_epoch_le; [lia|]. intros m x Hm Hx.
      eapply Rle_trans; [apply (Hcell w m x Hm Hx)|]. apply Rplus_le_compat_r. apply Htop, Hm.
    - rewrite (Expect_over_epoch_plus (S l) (fun _ m _ => top * INR (K m)) risksum).
      rewrite (Expect_const law (over_epoch (S l) (fun m _ => top * INR (K m))) Hlaw).
      rewrite (over_epoch_agent (S l) (fun m => top * INR (K m))).
      replace (sum M (fun m => E (S l) m * (top * INR (K m)))) with (top * SK (S l))
        by (unfold SK; rewrite <- sum_scal; apply sum_ext; intros; ring).
      lra.
  Qed.

  Lemma averaged a top l : (1 <= l)%nat -> (S l <= L)%nat ->
    (forall m, (m < M)%nat -> arms_part a (INR (K m)) <= top) ->
    (forall w m x, (m < M)%nat -> (x < X m)%nat ->
      gamma (S l) * regret_cell (S l) w m x <= all_arms (K m) a + risks w m x l) ->
    Expect law (epoch_regret (S l)) <= (top + all_weights (S l) l * g ^ 2) * (SK (S l) / gamma (S l)).
  Proof.
    intros H1 H2 Htop Hcell.
    apply (averaged_risks (fun m => all_arms (K m) a) (fun w m x => risks w m x l)); auto.
    - intros m Hm. rewrite all_arms_part by (pose proof (two_arms m Hm); lia).
      apply Rmult_le_compat_r; [apply pos_INR|]. apply Htop, Hm.
    - apply risks_mean; auto.
  Qed.

  (** The three claims of PathwiseClaim.v in every cell. *)
  Lemma rates_grow l : (2 <= l)%nat -> (S l <= L)%nat -> gamma l <= gamma (S l).
  Proof. intros H1 H2. pose proof (Hmono l H1 H2) as H. rewrite paper_monotone in H. lra. Qed.

  Theorem epoch_regret_any_spread top l : (1 <= l)%nat -> (S l <= L)%nat ->
    (forall m, (m < M)%nat -> arms_part (arms_constant p) (INR (K m)) <= top) ->
    ((2 <= l)%nat -> gamma l <= rate_ratio p * gamma (S l)) ->
    Expect law (epoch_regret (S l)) <= (top + all_weights (S l) l * g ^ 2) * (SK (S l) / gamma (S l)).
  Proof.
    intros H1 H2 Htop Hlast. apply (averaged (arms_constant p)); auto. intros w m x Hm Hx.
    apply (pathwise_claim (K m) L (fstar m x) (estimates w m x) gamma (two_arms m Hm)
      (fun a => Hfirst w m x a) (fun l0 => Hgamma l0) rates_grow p Hp l H1 H2 Hlast).
  Qed.
  Theorem epoch_2_regret top : (2 <= L)%nat ->
    (forall m, (m < M)%nat -> arms_part (arms_constant_2 p) (INR (K m)) <= top) ->
    Expect law (epoch_regret 2) <= (top + all_weights 2 1 * g ^ 2) * (SK 2 / gamma 2).
  Proof.
    intros H2 Htop. apply (averaged (arms_constant_2 p)); auto. intros w m x Hm Hx.
    apply (pathwise_epoch_2 (K m) L (fstar m x) (estimates w m x) gamma (two_arms m Hm)
      (fun a => Hfirst w m x a) (fun l0 => Hgamma l0) p Hp H2).
  Qed.
  Theorem epoch_3_regret top : (3 <= L)%nat -> gamma 2 <= rate_ratio p * gamma 3 ->
    (forall m, (m < M)%nat -> arms_part (arms_constant_3 p) (INR (K m)) <= top) ->
    Expect law (epoch_regret 3) <= (top + all_weights 3 2 * g ^ 2) * (SK 3 / gamma 3).
  Proof.
    intros H2 Hlast Htop. apply (averaged (arms_constant_3 p)); auto. intros w m x Hm Hx.
    apply (pathwise_epoch_3 (K m) L (fstar m x) (estimates w m x) gamma (two_arms m Hm)
      (fun a => Hfirst w m x a) (fun l0 => Hgamma l0) p Hp H2 Hlast).
  Qed.
  (** Two arms: 1 + risks with multipliers 15/8, 5/16, 5/96, 5/576, ... *)
  Let pair w m x := pair_risks (fstar m x) (estimates w m x) gamma.
  Fixpoint pair_weights (y : R) (T l : nat) : R :=
    match l with
    | S (S _ as l') => 3 / 2 * y * ratio T l' + pair_weights (y / 6) T l'
    | _ => 0
    end.
  Definition two_arm_weights (T l : nat) : R :=
    15 / 8 * ratio T l +
    match l with
    | S (S _ as l') => 5 / 16 * ratio T l' + pair_weights (5 / 144) T l'
    | _ => 0
    end.
  Hypothesis just_two : forall m, (m < M)%nat -> K m = 2%nat.
  Let risk_2 w m x := scaled_risk 2 (fstar m x) (estimates w m x) gamma.

  Lemma over_epoch_cells T u v : (forall m x, (m < M)%nat -> u m x = v m x) -> over_epoch T u = over_epoch T v.
  Proof. intro H. apply sum_ext. intros m Hm. f_equal. apply sum_ext. intros x _. f_equal. apply H, Hm. Qed.
  Lemma risk_2_mean T l : (1 <= l)%nat -> (l < T)%nat -> (T <= L)%nat ->
    Expect law (fun w => over_epoch T (fun m x => risk_2 w m x l)) <= ratio T l * (g ^ 2 * SK T).
  Proof.
    intros H1 H2 H3. rewrite (Expect_ext law _ (fun w => over_epoch T (fun m x => risk w m x l))).
    - apply risk_mean; assumption.
    - intro w. apply over_epoch_cells. intros m x Hm. unfold risk_2, risk. rewrite (just_two m Hm). reflexivity.
  Qed.
  Lemma pair_mean T l : (l < T)%nat -> (T <= L)%nat -> forall y, 0 <= y ->
    Expect law (fun w => over_epoch T (fun m x => pair w m x y l)) <= pair_weights y T l * (g ^ 2 * SK T).
  Proof.
    intros HT HL. induction l as [|[|l] IH]; intros y Hy.
    1, 2: unfold pair; simpl; rewrite (Expect_ext law _ (fun _ => 0)); [rewrite Expect_const by exact Hlaw; lra|];
      intro w; rewrite (over_epoch_agent T (fun _ => 0)); rewrite (sum_ext M _ (fun _ => 0)) by (intros; ring); apply sum_zero.
    change (fun w => over_epoch T (fun m x => pair w m x y (S (S l)))) with
      (fun w => over_epoch T (fun m x => 3 / 2 * y * risk_2 w m x (S l) + pair w m x (y / 6) (S l))).
    rewrite (Expect_over_epoch_plus T (fun w m x => 3 / 2 * y * risk_2 w m x (S l)) (fun w m x => pair w m x (y / 6) (S l))).
    rewrite (Expect_over_epoch_scal T (3 / 2 * y) (fun w m x => risk_2 w m x (S l))).
    pose proof (risk_2_mean T (S l) ltac:(lia) ltac:(lia) HL) as H1. apply (Rmult_le_compat_l (3 / 2 * y)) in H1; [|lra].
    pose proof (IH ltac:(lia) (y / 6) ltac:(lra)) as H2.
    change (pair_weights y T (S (S l))) with (3 / 2 * y * ratio T (S l) + pair_weights (y / 6) T (S l)). lra.
  Qed.
  Lemma two_arm_risks_mean T l : (1 <= l)%nat -> (l < T)%nat -> (T <= L)%nat ->
    Expect law (fun w => over_epoch T (fun m x => two_arm_risks (fstar m x) (estimates w m x) gamma l)) <=
      two_arm_weights T l * (g ^ 2 * SK T).
  Proof.
    intros H1 HT HL. pose proof (risk_2_mean T l H1 HT HL) as F1. destruct l as [|[|l]]; [lia| |].
    - rewrite (Expect_ext law _ (fun w => over_epoch T (fun m x => 15 / 8 * risk_2 w m x 1))).
      + rewrite (Expect_over_epoch_scal T (15 / 8) (fun w m x => risk_2 w m x 1)). unfold two_arm_weights. lra.
      + intro w. apply over_epoch_cells. intros m x _. unfold two_arm_risks, risk_2. ring.
    - change (fun w => over_epoch T (fun m x => two_arm_risks (fstar m x) (estimates w m x) gamma (S (S l)))) with
        (fun w => over_epoch T (fun m x => 15 / 8 * risk_2 w m x (S (S l)) + (5 / 16 * risk_2 w m x (S l) + pair w m x (5 / 144) (S l)))).
      rewrite (Expect_over_epoch_plus T (fun w m x => 15 / 8 * risk_2 w m x (S (S l)))
        (fun w m x => 5 / 16 * risk_2 w m x (S l) + pair w m x (5 / 144) (S l))).
      rewrite (Expect_over_epoch_plus T (fun w m x => 5 / 16 * risk_2 w m x (S l)) (fun w m x => pair w m x (5 / 144) (S l))).
      rewrite (Expect_over_epoch_scal T (15 / 8) (fun w m x => risk_2 w m x (S (S l)))).
      rewrite (Expect_over_epoch_scal T (5 / 16) (fun w m x => risk_2 w m x (S l))).
      pose proof (risk_2_mean T (S l) ltac:(lia) ltac:(lia) HL) as F2.
      pose proof (pair_mean T (S l) ltac:(lia) HL (5 / 144) ltac:(lra)) as F3.
      unfold two_arm_weights. fold pair_weights. lra.
  Qed.
  Theorem two_arm_epoch_regret l : (1 <= l)%nat -> (S l <= L)%nat ->
    Expect law (epoch_regret (S l)) <= (1 / 2 + two_arm_weights (S l) l * g ^ 2) * (SK (S l) / gamma (S l)).
  Proof.
    intros H1 H2.
    apply (averaged_risks (fun _ => 1) (fun w m x => two_arm_risks (fstar m x) (estimates w m x) gamma l)); auto.
    - intros m Hm. rewrite (just_two m Hm). simpl. lra.
    - intros w m x Hm Hx.
      pose proof (pathwise_two_arms L (fstar m x) (estimates w m x) gamma (fun a => Hfirst w m x a) (fun l0 => Hgamma l0) rates_grow l H1 H2) as H.
      unfold regret_cell, kernel. rewrite (just_two m Hm). exact H.
    - apply two_arm_risks_mean; auto.
  Qed.
End Average.

(** The multipliers are a geometric sum. *)
Section Geometric.
  Variable p : parameters.
  Hypothesis Hp : closes p.
  Variables (r q : R).
  Hypothesis Hr : 0 <= r.
  Hypothesis Hq : 1 <= q.
  Hypothesis Hdecay : decay p * q < 1.
  Let table (T l : nat) : R := r * q ^ (T - l).

  Lemma past_weights_geometric T l : (l < T)%nat -> forall N, 0 <= N ->
    past_weights table p N T l <= spread p * N / (4 * decay p) * (r * q ^ (T - l + 1)) / (1 - decay p * q).
  Proof.
    pose proof (decay_pos p Hp) as Hth. pose proof (E8 p Hp) as Hkap. intro HT.
    assert (Hd : 0 < 1 - decay p * q) by lra. pose proof (Rinv_0_lt_compat _ Hd) as Hi.
    assert (Hnn : forall N k, 0 <= N -> 0 <= spread p * N / (4 * decay p) * (r * q ^ k) / (1 - decay p * q)).
    { intros N k HN. apply Rmult_le_pos; [|lra]. apply Rmult_le_pos; [|apply Rmult_le_pos; [exact Hr|apply pow_le; lra]].
      apply Rmult_le_pos; [apply Rmult_le_pos; lra|]. left. apply Rinv_0_lt_compat. lra. }
    induction l as [|[|l] IH]; intros N HN; [apply Hnn, HN | apply Hnn, HN |].
    change (past_weights table p N T (S (S l))) with
      (spread p * N / (4 * decay p) * table T (S l) + past_weights table p (decay p * N) T (S l)).
    assert (HN' : 0 <= decay p * N) by (apply Rmult_le_pos; lra).
    pose proof (IH ltac:(lia) _ HN') as H. unfold table at 1.
    replace (T - S (S l) + 1)%nat with (T - S l)%nat by lia.
    replace (T - S l + 1)%nat with (S (T - S l)) in H by lia.
    eapply Rle_trans; [apply Rplus_le_compat_l; exact H|]. right. simpl pow. field. split; lra.
  Qed.

  Lemma all_weights_geometric l : (1 <= l)%nat -> all_weights table p (S l) l <= spread_risk p r q.
  Proof.
    intro Hl. pose proof (decay_pos p Hp) as Hth. pose proof (E8 p Hp) as Hkap. pose proof (last_pos p Hp) as Hlam.
    pose proof (previous_pos p Hp) as Hlam'. pose proof (n_pos p Hp) as Hn.
    assert (Hd : 0 < 1 - decay p * q) by lra. pose proof (Rinv_0_lt_compat _ Hd) as Hi.
    assert (Hthird : 0 <= spread p * start_size p / (4 * decay p) * (r * q ^ 3) / (1 - decay p * q)).
    { apply Rmult_le_pos; [|lra]. apply Rmult_le_pos; [|apply Rmult_le_pos; [exact Hr|apply pow_le; lra]].
      apply Rmult_le_pos; [apply Rmult_le_pos; lra|]. left. apply Rinv_0_lt_compat. lra. }
    assert (Hsum : spread_risk p r q = last_multiplier p * (r * q) + (previous_multiplier p * (r * q ^ 2)
      + spread p * start_size p / (4 * decay p) * (r * q ^ 3) / (1 - decay p * q))).
    { unfold spread_risk. field. split; lra. }
    rewrite Hsum. unfold all_weights, table. replace (S l - l)%nat with 1%nat by lia. rewrite pow_1.
    apply Rplus_le_compat_l. destruct l as [|[|l]]; [lia| |].
    - assert (0 <= previous_multiplier p * (r * q ^ 2))
        by (apply Rmult_le_pos; [lra|apply Rmult_le_pos; [exact Hr|apply pow2_ge_0]]). lra.
    - replace (S (S (S l)) - S l)%nat with 2%nat by lia. apply Rplus_le_compat_l.
      pose proof (past_weights_geometric (S (S (S l))) (S l) ltac:(lia) (start_size p) ltac:(lra)) as H.
      replace (S (S (S l)) - S l + 1)%nat with 3%nat in H by lia. exact H.
  Qed.
End Geometric.

(** The multipliers of two arms: 15/8 + 5/16 + 1/16. *)
Lemma pair_weights_sum r T l y : 0 <= r -> 0 <= y -> pair_weights (fun _ _ => r) y T l <= 9 / 5 * y * r.
Proof.
  intro Hr. revert y. induction l as [|[|l] IH]; intros y Hy; [simpl; nra | simpl; nra |].
  change (pair_weights (fun _ _ => r) y T (S (S l))) with (3 / 2 * y * r + pair_weights (fun _ _ => r) (y / 6) T (S l)).
  pose proof (IH (y / 6) ltac:(lra)). lra.
Qed.
Lemma two_arm_weights_sum r T l : 0 <= r -> two_arm_weights (fun _ _ => r) T l <= 9 / 4 * r.
Proof.
  intro Hr. unfold two_arm_weights. destruct l as [|[|l]]; [lra|lra|].
  pose proof (pair_weights_sum r T (S l) (5 / 144) Hr ltac:(lra)). lra.
Qed.

Section BestEpoch.
  Context {s : setting} {valid_s : valid s}.
  Hypothesis paper_monotone : rbar = 1.
  (** every agent has at least two arms, and at most k *)
  Variable k : nat.
  Hypothesis arms_range : forall m, (m < M)%nat -> (2 <= K m <= k)%nat.

  Lemma two_arms m : (m < M)%nat -> (2 <= K m)%nat.
  Proof. intro Hm. apply arms_range. exact Hm. Qed.
  Lemma most_arms a m : (m < M)%nat -> arms_part a (INR (K m)) <= arms_part a (INR k).
  Proof.
    intro Hm. destruct (arms_range m Hm) as [H1 H2]. apply arms_part_grows; [apply lt_0_INR; lia | apply le_INR; exact H2].
  Qed.
  Lemma weight_positive l : (2 <= l <= L)%nat -> 0 <= SK l / gamma l.
  Proof. intro Hl. left. apply Rdiv_lt_0_compat; [apply SK_pos; lia|apply Hgamma; lia]. Qed.

  (** Any parameters that close, any way in which lengths may differ. *)
  Theorem lem_epoch_regret_bound_best_spread p r q l : closes p -> 0 <= r -> 1 <= q -> decay p * q < 1 ->
    (forall l' l m m', (1 <= l)%nat -> (l < l')%nat -> (l' <= L)%nat -> (m < M)%nat -> (m' < M)%nat ->
      E l' m / E l m <= r * q ^ (l' - l) * (E l' m' / E l m')) ->
    (2 <= l <= L)%nat -> ((3 <= l)%nat -> gamma (l - 1) <= rate_ratio p * gamma l) ->
    Expect law (epoch_regret l) <= (arms_part (arms_constant p) (INR k) + spread_risk p r q * g ^ 2) * (SK l / gamma l).
  Proof.
    intros Hp Hr Hq Hd Hratio Hl Hlast. pose proof (weight_positive l Hl) as Hw. destruct l as [|l]; [lia|].
    eapply Rle_trans.
    - apply (epoch_regret_any_spread (fun T l => r * q ^ (T - l)) Hratio two_arms paper_monotone p Hp
        (arms_part (arms_constant p) (INR k)) l); try lia.
      + intros m Hm. apply most_arms. exact Hm.
      + intro H2. replace (S l - 1)%nat with l in Hlast by lia. apply Hlast. lia.
    - apply Rmult_le_compat_r; [exact Hw|]. apply Rplus_le_compat_l. apply Rmult_le_compat_r; [apply pow2_ge_0|].
      apply all_weights_geometric; auto. lia.
  Qed.

  Lemma ratio_by_powers l' l m m' : (1 <= l)%nat -> (l < l')%nat -> (l' <= L)%nat -> (m < M)%nat -> (m' < M)%nat ->
    E l' m / E l m <= 1 * c ^ (l' - l) * (E l' m' / E l m').
  Proof.
    intros H1 H2 H3 Hm Hm'. pose proof (c_ge1 (s := s)) as Hc1. specialize (Hc1 ltac:(lia)). rewrite Rmult_1_l.
    pose proof (ratio_powers l (l' - l) m m' H1 ltac:(lia) Hm Hm' ltac:(lra)) as H.
    replace (l + (l' - l))%nat with l' in H by lia. exact H.
  Qed.
  Lemma last_rates_grow p l : rate_ratio p = 1 -> (2 <= l <= L)%nat -> (3 <= l)%nat -> gamma (l - 1) <= rate_ratio p * gamma l.
  Proof.
    intros Hp Hl H3. pose proof (Hmono (l - 1) ltac:(lia) ltac:(lia)) as H. rewrite paper_monotone in H.
    replace (S (l - 1)) with l in H by lia. rewrite Hp. exact H.
  Qed.

  (** lem:epoch_regret_bound, best.  Agents in step, H5 alone, l >= 2:
      E regret^l <= C S^l / gamma^l,  C = max(1 - 1/K, 1 - 2/K + 0.44284) + 2.51493 g^2. *)
  Theorem lem_epoch_regret_bound_best l : c = 1 -> (2 <= l <= L)%nat ->
    Expect law (epoch_regret l) <= best_constant (INR k) g * (SK l / gamma l).
  Proof.
    intros Hc Hl.
    pose proof (lem_epoch_regret_bound_best_spread any_schedule 1 1 l any_schedule_closes ltac:(lra) ltac:(lra)
      ltac:(unfold any_schedule; cbn; lra)) as H.
    rewrite (spread_risk_in_step _ any_schedule_closes), any_schedule_arms, any_schedule_risk in H.
    apply H; [|exact Hl|intro H3; apply last_rates_grow; [reflexivity|exact Hl|exact H3]].
    intros l' l0 m m' A1 A2 A3 Hm Hm'. pose proof (ratio_by_powers l' l0 m m' A1 A2 A3 Hm Hm') as H0. rewrite Hc in H0. exact H0.
  Qed.

  (** The same with tuned parameters:  C = 1 - 2/K + 0.437 + 2.52259 g^2 for K >= 3. *)
  Theorem lem_epoch_regret_bound_best_tuned l : c = 1 -> (2 <= l <= L)%nat ->
    Expect law (epoch_regret l) <= tuned_constant (INR k) g * (SK l / gamma l).
  Proof.
    intros Hc Hl. pose proof (weight_positive l Hl) as Hw. destruct tuned_constants as [Ha Hb].
    pose proof (lem_epoch_regret_bound_best_spread tuned 1 1 l tuned_closes ltac:(lra) ltac:(lra)
      ltac:(unfold tuned; cbn; lra)) as H.
    rewrite (spread_risk_in_step _ tuned_closes) in H. eapply Rle_trans.
    - apply H; [|exact Hl|intro H3; apply last_rates_grow; [reflexivity|exact Hl|exact H3]].
      intros l' l0 m m' A1 A2 A3 Hm Hm'. pose proof (ratio_by_powers l' l0 m m' A1 A2 A3 Hm Hm') as H0. rewrite Hc in H0. exact H0.
    - apply Rmult_le_compat_r; [exact Hw|]. unfold tuned_constant. apply Rplus_le_compat.
      + unfold arms_part. apply Rle_max_compat_l. lra.
      + apply Rmult_le_compat_r; [apply pow2_ge_0|exact Hb].
  Qed.

  (** The same for agents out of step, 1 <= c < 10/3. *)
  Theorem lem_epoch_regret_bound_best_asynchronous l : c < 10 / 3 -> (2 <= l <= L)%nat ->
    Expect law (epoch_regret l) <= asynchronous_constant (INR k) g c * (SK l / gamma l).
  Proof.
    intros Hc Hl. assert (Hc1 : 1 <= c) by (apply c_ge1; lia).
    pose proof (lem_epoch_regret_bound_best_spread any_schedule 1 c l any_schedule_closes ltac:(lra) Hc1
      ltac:(unfold any_schedule; cbn; lra) ratio_by_powers Hl
      ltac:(intro H3; apply last_rates_grow; [reflexivity|exact Hl|exact H3])) as H.
    replace (spread_risk any_schedule 1 c) with (48 / 25 * c + 11 / 25 * c ^ 2 + 400285315997339 / 3690987520000000 * c ^ 3 / (1 - 3 / 10 * c)) in H.
    - rewrite any_schedule_arms in H. exact H.
    - unfold spread_risk. assert (Hn : start_size any_schedule = 400285315997339 / 3690987520000000 * (4 * (3 / 10)) / (153 / 100))
        by (unfold any_schedule; numbers).
      rewrite Hn. unfold any_schedule. cbn [last_multiplier previous_multiplier decay spread]. field. lra.
  Qed.
  (** The same if c bounds the ratio of the lengths of any two epochs. *)
  Theorem lem_epoch_regret_bound_best_any_epochs l :
    (forall l' l m m', (1 <= l)%nat -> (l < l')%nat -> (l' <= L)%nat -> (m < M)%nat -> (m' < M)%nat ->
      E l' m / E l m <= c * (E l' m' / E l m')) -> (2 <= l <= L)%nat ->
    Expect law (epoch_regret l) <= best_constant_any_epochs (INR k) g c * (SK l / gamma l).
  Proof.
    intros Hany Hl. assert (Hc1 : 1 <= c) by (apply c_ge1; lia). assert (Hc0 : 0 <= c) by lra.
    pose proof (lem_epoch_regret_bound_best_spread any_schedule c 1 l any_schedule_closes Hc0 ltac:(lra)
      ltac:(unfold any_schedule; cbn; lra)) as H.
    replace (spread_risk any_schedule c 1) with (c * best_risk) in H.
    - rewrite any_schedule_arms in H. apply H; [|exact Hl|intro H3; apply last_rates_grow; [reflexivity|exact Hl|exact H3]].
      intros l' l0 m m' A1 A2 A3 Hm Hm'. rewrite pow1, Rmult_1_r. apply Hany; assumption.
    - rewrite <- any_schedule_risk, <- (spread_risk_in_step _ any_schedule_closes). unfold spread_risk. ring.
  Qed.

  (** When epochs double: gamma^{l-1} <= gamma^l / sqrt 2 from epoch 4 on.  In epoch 3 the rate has not grown (the first two epochs are
      equally long), but its past is short; so is that of epoch 2. *)
  Theorem lem_epoch_regret_bound_best_doubling l : c = 1 -> (3 <= k)%nat -> g ^ 2 <= 6 / 5 -> (2 <= l <= L)%nat ->
    ((4 <= l)%nat -> gamma (l - 1) <= 169 / 239 * gamma l) ->
    Expect law (epoch_regret l) <= doubling_constant (INR k) g * (SK l / gamma l).
  Proof.
    intros Hc Hk3 Hg Hl Hlast. pose proof (weight_positive l Hl) as Hw. pose proof (pow2_ge_0 g) as Hg0.
    assert (Hone : forall l' l0 m m', (1 <= l0)%nat -> (l0 < l')%nat -> (l' <= L)%nat -> (m < M)%nat -> (m' < M)%nat ->
      E l' m / E l0 m <= 1 * 1 ^ (l' - l0) * (E l' m' / E l0 m')).
    { intros l' l0 m m' A1 A2 A3 Hm Hm'. pose proof (ratio_by_powers l' l0 m m' A1 A2 A3 Hm Hm') as H0. rewrite Hc in H0. exact H0. }
    destruct (Nat.eq_dec l 2) as [->|Hn2]; [|destruct (Nat.eq_dec l 3) as [->|Hn3]].
    - eapply Rle_trans.
      + apply (epoch_2_regret (fun T l => 1 * 1 ^ (T - l)) Hone two_arms after_doubling after_doubling_closes
          (arms_part (arms_constant_2 after_doubling) (INR k))); [lia|].
        intros m Hm. apply most_arms. exact Hm.
      + apply Rmult_le_compat_r; [exact Hw|]. unfold all_weights, doubling_constant. simpl pow. apply Rplus_le_compat.
        * unfold arms_part. apply Rle_max_compat_l. apply Rplus_le_compat_l. unfold doubling_arms, after_doubling. numbers.
        * apply Rmult_le_compat_r; [nra|]. unfold doubling_risk, after_doubling. cbn. lra.
    - eapply Rle_trans.
      + apply (epoch_3_regret (fun T l => 1 * 1 ^ (T - l)) Hone two_arms any_schedule any_schedule_closes
          (arms_part (arms_constant_3 any_schedule) (INR k))); [lia| |].
        * apply (last_rates_grow any_schedule 3); [reflexivity|exact Hl|lia].
        * intros m Hm. apply most_arms. exact Hm.
      + apply Rmult_le_compat_r; [exact Hw|].
        assert (Ha3 : arms_constant_3 any_schedule <= 4257 / 10000).
        { unfold arms_constant_3. apply Rmax_lub; unfold any_schedule; numbers. }
        assert (Hki : / INR k <= 1 / 3).
        { replace (1 / 3) with (/ INR 3) by (simpl; lra). apply Rinv_le_contravar; [simpl; lra | apply le_INR; exact Hk3]. }
        assert (Htop : arms_part (arms_constant_3 any_schedule) (INR k) <= 1 - 2 / INR k + 4257 / 10000).
        { unfold arms_part, Rdiv. apply Rmax_lub; lra. }
        assert (Hd : 1 - 2 / INR k + doubling_arms <= Rmax (1 - / INR k) (1 - 2 / INR k + doubling_arms)) by apply Rmax_r.
        assert (Hwt : all_weights (fun T l => 1 * 1 ^ (T - l)) any_schedule 3 2 = 59 / 25).
        { unfold all_weights, past_weights, any_schedule. simpl. lra. }
        rewrite Hwt. unfold doubling_constant, doubling_arms, doubling_risk in *. lra.
    - pose proof (lem_epoch_regret_bound_best_spread after_doubling 1 1 l after_doubling_closes ltac:(lra) ltac:(lra)
        ltac:(unfold after_doubling; cbn; lra) Hone Hl ltac:(intros _; apply Hlast; lia)) as H.
      rewrite (spread_risk_in_step _ after_doubling_closes), after_doubling_arms, after_doubling_risk in H. exact H.
  Qed.

  (** Two arms:  C = 1/2 + 9 g^2 / 4. *)
  Theorem lem_epoch_regret_bound_best_two_arms l : c = 1 -> (forall m, (m < M)%nat -> K m = 2%nat) -> (2 <= l <= L)%nat ->
    Expect law (epoch_regret l) <= two_arm_constant g * (SK l / gamma l).
  Proof.
    intros Hc H2 Hl. pose proof (weight_positive l Hl) as Hw. destruct l as [|l]; [lia|]. eapply Rle_trans.
    - apply (two_arm_epoch_regret (fun _ _ => 1)); auto; try lia.
      intros l' l0 m m' A1 A2 A3 Hm Hm'. pose proof (ratio_by_powers l' l0 m m' A1 A2 A3 Hm Hm') as H0.
      rewrite Hc, pow1, Rmult_1_l in H0. exact H0.
    - apply Rmult_le_compat_r; [exact Hw|]. unfold two_arm_constant. apply Rplus_le_compat_l.
      apply Rmult_le_compat_r; [apply pow2_ge_0|]. pose proof (two_arm_weights_sum 1 (S l) l ltac:(lra)). lra.
  Qed.
End BestEpoch.
