(** * own:logistic_excess_risk: the regret of FedIGW on generalised linear rewards, such as logistic ones

    Means psi'(phi'wstar) with c <= psi'' <= L, |phi| <= 1 and |wstar| <= B, doubling, K arms, T >= 3.  After an epoch of n samples w_S
    minimises their loss plus (Lam/2)|w|^2, every call ends within (delta/L)^2 e(n) of w_S, squared, and predictions are
    psi'(clip(phi'w)).  Then the excess risk is at most (1 + delta)^2 e(n) ([same_H3], [different_H3]) with e(n) from LogisticRisk.v:
        one law          e = C/(n + 1), in best C/n,  C = 2L (d/(4c) + Lam B^2/2)/(1 - 2L/(c + Lam)),  Lam > 2L - c
        different laws   e = C/n,                     C = 2L (d/(2c) + Lam B^2/2)/(1 - 4L/(c + Lam)),  Lam > 4L - c
    Main results [col_logistic_repaired], [_sharpened], [_best], [_best_two_arms], and the same names with [_different]: the bounds
    of col:linear at (1 + delta)^2 C, as a sum over epochs and closed.  For logistic rewards (LogisticLink.v) L = 1/4: (delta/L)^2 = 16 delta^2.
    Main definitions: [logistic_routine], [different_logistic_routine], [near_minimiser], [near_different_minimiser].           *)
From Coq Require Import Reals Lra Lia Psatz List Arith.
From FedIGW Require Import FiniteSums FiniteProbability InverseGapWeighting AcceleratedGradient RidgeExcessRisk Constants BestParameters
  Protocol DoublingSchedule DoublingRegret DoublingAnyRisk Exchangeability RidgeSamples RidgeProtocol RidgeDifferentLaws LinearRegret
  LinearDifferentLaws CertifiedRegret GlmExcessRisk GlmSamples GlmDifferentLaws LogisticRisk.
Import ListNotations.
Open Scope R_scope.

(** ** A solver that is not exact, at one point *)
Lemma clip_closer B z y : (clip B z - clip B y) ^ 2 <= (z - y) ^ 2.
Proof.
  assert (H : forall a b, a <= b -> 0 <= clip B b - clip B a <= b - a).
  { intros a b Hab. unfold clip, Rmax, Rmin. repeat destruct (Rle_dec _ _); lra. }
  destruct (Rle_dec z y) as [Hz|Hz]; [pose proof (H z y Hz)|pose proof (H y z ltac:(lra))]; nra.
Qed.
Section Point.
  Variables (d : nat) (psi link : R -> R) (c L B delta e : R).
  Hypothesis Hc : 0 < c.
  Hypothesis HL : c <= L.
  Hypothesis strong : forall z y, psi z + link z * (y - z) + c / 2 * (y - z) ^ 2 <= psi y.
  Hypothesis smooth : forall z y, psi y <= psi z + link z * (y - z) + L / 2 * (y - z) ^ 2.
  Hypothesis Hdelta : 0 <= delta.
  Lemma lipschitz z y : (link z - link y) ^ 2 <= L ^ 2 * (z - y) ^ 2.
  Proof.
    assert (H : forall a b, a < b -> 0 <= link b - link a <= L * (b - a)).
    { intros a b Hab. pose proof (increases psi link c Hc strong a b ltac:(lra)). split; [lra|].
      pose proof (smooth a b) as S1. pose proof (smooth b a) as S2. replace ((a - b) ^ 2) with ((b - a) ^ 2) in S2 by ring.
      apply (Rmult_le_reg_r (b - a)); nra. }
    rewrite <- Rpow_mult_distr. destruct (Rtotal_order z y) as [Hz|[->|Hz]].
    - specialize (H z y Hz). nra.
    - right. ring.
    - specialize (H y z Hz). nra.
  Qed.
  Lemma near_point p v w s : square_norm d p <= 1 -> square_norm d (minus v w) <= (delta / L) ^ 2 * e ->
    (link (clip B (dot d p v)) - s) ^ 2 <= (1 + delta) * (link (clip B (dot d p w)) - s) ^ 2 + (1 + delta) * (delta * e).
  Proof.
    intros Hp Hv. set (u := link (clip B (dot d p w)) - s). set (x := link (clip B (dot d p v)) - link (clip B (dot d p w))).
    replace (link (clip B (dot d p v)) - s) with (u + x) by (unfold u, x; ring).
    assert (X : x ^ 2 <= delta ^ 2 * e).
    { eapply Rle_trans; [apply lipschitz|]. apply Rle_trans with (L ^ 2 * ((delta / L) ^ 2 * e)); [|right; field; lra].
      apply Rmult_le_compat_l; [apply pow2_ge_0|]. eapply Rle_trans; [apply clip_closer|]. rewrite <- dot_minus.
      pose proof (cauchy_schwarz d p (minus v w)) as C. fold (dot d p (minus v w)) (square_norm d p) (square_norm d (minus v w)) in C.
      pose proof (square_norm_nonneg d (minus v w)). nra. }
    destruct Hdelta as [Hd|<-].
    - assert (Q : 2 * u * x <= delta * u ^ 2 + delta * e).
      { apply (Rmult_le_reg_l delta); [exact Hd|]. pose proof (pow2_ge_0 (delta * u - x)). nra. }
      nra.
    - assert (x = 0) by nra. subst x. rewrite H. nra.
  Qed.
End Point.

(** ** One law for all agents *)
Section SameLaw.
  Variables (M contexts k T : nat) (D : nat -> R) (reward_law : nat -> nat -> list (R * R)).
  Variables (d : nat) (phi : nat -> nat -> vector) (psi link : R -> R) (c L Lam B : R) (wstar : vector).
  Hypothesis HM : (1 <= M)%nat.
  Hypothesis Hk : (1 <= k)%nat.
  Hypothesis HT : (3 <= T)%nat.
  Hypothesis Hdim : (1 <= d)%nat.
  Hypothesis HD0 : forall x, (x < contexts)%nat -> 0 <= D x.
  Hypothesis HD1 : sum contexts D = 1.
  Hypothesis HR : forall x a, distribution (reward_law x a).
  Hypothesis HR01 : forall x a, Forall (fun pr => 0 <= snd pr <= 1) (reward_law x a).
  Hypothesis Hmean : forall x a, Expect (reward_law x a) (fun r => r) = link (dot d (phi x a) wstar).
  Hypothesis Hphi : forall x a, square_norm d (phi x a) <= 1.
  Hypothesis Hstar : square_norm d wstar <= B * B.
  Hypothesis HB : 0 <= B.
  Hypothesis Hc : 0 < c.
  Hypothesis HL : c <= L.
  Hypothesis HLam : 2 * L - c < Lam.
  Hypothesis strong : forall z y, psi z + link z * (y - z) + c / 2 * (y - z) ^ 2 <= psi y.
  Hypothesis smooth : forall z y, psi y <= psi z + link z * (y - z) + L / 2 * (y - z) ^ 2.
  (** the minimiser on any number of samples, by its gradient *)
  Variable fit : nat -> (nat -> vector) -> (nat -> R) -> vector.
  Hypothesis stationary : forall N p r i, (i < d)%nat -> sum N (fun j => (link (dot d (p j) (fit N p r)) - r j) * p j i) + Lam * fit N p r i = 0.
  (** what the solver returns on the pooled data of epoch l *)
  Variables (weights : nat -> list sample -> vector) (delta : R).
  Hypothesis Hdelta : 0 <= delta.
  Definition logistic_estimate (w : vector) : estimate := fun _ x a => link (clip B (dot d (phi x a) w)).
  Definition logistic_routine (l : nat) (h : run) : list (R * estimate) := dirac (logistic_estimate (weights l (pooled M (snd (h l))))).
  (** every call ends within (delta/L)^2 e(n) of the minimiser, squared *)
  Definition near_minimiser (e : nat -> R) : Prop := forall l t, (1 <= l)%nat -> (S l <= epochs_until T)%nat ->
    good_list (pooled_count (doubling T) l M) t ->
    square_norm d (minus (weights l t) (glm_fit (feature phi) (0%nat, 0%nat) (pooled_count (doubling T) l M) fit t)) <= (delta / L) ^ 2 * e l.
  (** Reg(T) of FedIGW with these models and gamma^{l+1} = g sqrt(K / e_l), gamma^1 = 0 *)
  Definition logistic_Reg_T (e : nat -> R) (g : R) : R :=
    risk_Reg_T M (fun _ => contexts) k (fun _ => D) (fun _ => reward_law) logistic_routine e T g.
  Local Notation C := (glm_constant c L Lam (1 / 4) (INR d) (B * B)).
  Local Notation risk := ((1 + delta) ^ 2 * glm_constant c L Lam (1 / 4) (INR d) (B * B)).

  Let error v (y : nat * nat) : R := (link (clip B (dot d (feature phi y) v)) - link (dot d (feature phi y) wstar)) ^ 2.
  Lemma Err_logistic len gamma l f v : (forall m x, f m x = f 0%nat x) ->
    Err_of M (fun _ => contexts) (K_arms k) (fun _ => D) (fun _ => reward_law) len gamma l f (logistic_estimate v) =
    Protocol.W M len l * Expect (epoch_design contexts k D gamma l f) (error v).
  Proof.
    intro common. unfold Err_of, over_epoch, Protocol.W. set (q := Expect _ (error v)).
    rewrite Rmult_comm, <- sum_scal. apply sum_ext. intros m _. rewrite Rmult_comm. f_equal.
    unfold q, epoch_design. rewrite Expect_bind, Expect_finite_law. apply sum_ext. intros x _. f_equal.
    rewrite Expect_bind, Expect_finite_law, common. apply sum_ext. intros a _. f_equal.
    rewrite Expect_dirac. unfold error, logistic_estimate, fstar, feature. cbn [fst snd]. rewrite Hmean. ring.
  Qed.
  Lemma constant_positive : 0 < C.
  Proof.
    unfold glm_constant. assert (1 <= INR d) by (replace 1 with (INR 1) by reflexivity; apply le_INR, Hdim).
    assert (P : 2 * L / (c + Lam) < 1) by (apply (Rmult_lt_reg_r (c + Lam)); [lra|]; unfold Rdiv; rewrite Rmult_assoc, Rinv_l by lra; lra).
    apply Rmult_lt_0_compat; [lra|]. apply Rdiv_lt_0_compat; [|lra]. apply Rplus_lt_le_0_compat; [apply Rdiv_lt_0_compat; lra|].
    apply Rmult_le_pos; [lra|apply Rmult_le_pos; exact HB].
  Qed.
  Lemma same_H3 e gamma l h f : (forall i, (1 <= i <= epochs_until T)%nat -> ridge_risk M T C i <= e i) -> near_minimiser e ->
    (forall i, 0 <= gamma i) -> common_estimate f -> (1 <= l)%nat -> (S l <= epochs_until T)%nat ->
    Expect (all_agents (fun _ => contexts) (K_arms k) (fun _ => D) (fun _ => reward_law) (doubling T) gamma l f M)
      (fun ds => Expect (logistic_routine l (update h l (f, ds)))
        (fun f' => Err_of M (fun _ => contexts) (K_arms k) (fun _ => D) (fun _ => reward_law) (doubling T) gamma l f f'))
    <= Protocol.W M (doubling T) l * ((1 + delta) ^ 2 * e l).
  Proof.
    intros He Hnear Hg Hf H1 H2. set (n := pooled_count (doubling T) l M). set (Q := epoch_design contexts k D gamma l f).
    set (wS := glm_fit (feature phi) (0%nat, 0%nat) n fit).
    pose proof (distribution_epoch_design contexts k D gamma Hk HD0 HD1 l f (Hg l)) as HQ. fold Q in HQ.
    pose proof (distribution_iid_P contexts k D reward_law gamma Hk HD0 HD1 HR l f (Hg l) n) as Hdata. fold Q in Hdata.
    pose proof (ridge_risk_pos M k T HM Hk HT C constant_positive l ltac:(lia)) as Hpos. pose proof (He l ltac:(lia)) as Hel.
    rewrite (Expect_ext _ _ (fun ds => Protocol.W M (doubling T) l * Expect Q (error (weights l (pooled M ds)))))
      by (intro ds; unfold logistic_routine; rewrite Expect_dirac, update_same; apply Err_logistic, Hf).
    rewrite Expect_scal. change (K_arms k) with (fun _ : nat => k). rewrite (all_is_iid contexts k D reward_law (doubling T) gamma Hk l f Hf M (fun t => Expect Q (error (weights l t)))).
    rewrite (W_samples M T). pose proof (count_pos M k T HM Hk HT l ltac:(lia)) as Hn.
    apply Rmult_le_compat_l; [lra|]. fold n Q.
    apply Rle_trans with (Expect (iid (point_law Q (rewards_at reward_law)) n) (fun t => (1 + delta) * Expect Q (error (wS t)) + (1 + delta) * (delta * e l))).
    - apply Expect_le_on_support; [apply Hdata|]. eapply Forall_impl; [|apply (iid_good contexts k D reward_law gamma HR01 l f n)]. intros [p t] Ht. cbn [snd] in *.
      rewrite <- Expect_scal, <- (Expect_plus_const Q (fun y => (1 + delta) * error (wS t) y + (1 + delta) * (delta * e l)) (fun y => (1 + delta) * error (wS t) y)) by (auto; reflexivity).
      apply Expect_le; [apply HQ|]. intro y. unfold error.
      apply (near_point d psi link c L B delta (e l)); try assumption; [apply Hphi|apply (Hnear l t H1 H2 Ht)].
    - rewrite (Expect_plus_const _ _ (fun t => (1 + delta) * Expect Q (error (wS t))) ((1 + delta) * (delta * e l))) by (auto; reflexivity). rewrite Expect_scal.
      pose proof (logistic_same_law (feature phi) (0%nat, 0%nat) d psi link c L Lam B wstar (rewards_at reward_law) Hc HL strong smooth HB (fun y => Hphi (fst y) (snd y)) Hstar
        (fun y => HR (fst y) (snd y)) (fun y => HR01 (fst y) (snd y)) (fun y => Hmean (fst y) (snd y)) fit stationary n Q HQ HLam) as H.
      change (Expect (iid (point_law Q (rewards_at reward_law)) n) (fun t => Expect Q (error (wS t))) <= C / INR (S n)) in H.
      assert (Hr : C / INR (S n) <= e l).
      { eapply Rle_trans; [|exact Hel]. right. unfold ridge_risk. rewrite S_INR. unfold n. rewrite (pooled_samples M T l). reflexivity. }
      apply Rle_trans with ((1 + delta) * e l + (1 + delta) * (delta * e l)); [|right; ring]. apply Rplus_le_compat_r, Rmult_le_compat_l; lra.
  Qed.
  Let positive_risk : 0 < risk.
  Proof. apply Rmult_lt_0_compat; [apply pow_lt; lra|apply constant_positive]. Qed.
  Let reached l h : Forall (fun pf => common_estimate (snd pf)) (logistic_routine l h).
  Proof. repeat constructor. Qed.
  Let law l h : distribution (logistic_routine l h).
  Proof. apply distribution_dirac. Qed.
  Let start : common_estimate zero_estimate := fun m x => eq_refl.
  Let positive := ridge_risk_pos M k T HM Hk HT risk positive_risk.
  Let decreases := ridge_decreases M k T d HM Hk Hdim HT risk positive_risk.
  Let below := ridge_below_scaled M k T HM Hk HT risk positive_risk.
  Let scaled_positive := scaled_risk_pos M k T HM Hk HT risk positive_risk.
  Let scaled_decrease := scaled_decreases M k T d HM Hk Hdim HT risk positive_risk.
  Let scaled_below l : (1 <= l <= epochs_until T)%nat -> scaled_risk M T risk l <= risk / (INR M * INR (doubling T l 0)).
  Proof. intros _. unfold scaled_risk. lra. Qed.
  Let H3 (near : near_minimiser (ridge_risk M T C)) g l h f (Hg : 0 < g) (Hf : common_estimate f) (H1 : (1 <= l)%nat) (H2 : (S l <= epochs_until T)%nat) :
    Expect (all_agents (fun _ => contexts) (K_arms k) (fun _ => D) (fun _ => reward_law) (doubling T) (risk_rates k (ridge_risk M T risk) g) l f M)
      (fun ds => Expect (logistic_routine l (update h l (f, ds)))
        (fun f' => Err_of M (fun _ => contexts) (K_arms k) (fun _ => D) (fun _ => reward_law) (doubling T) (risk_rates k (ridge_risk M T risk) g) l f f'))
    <= Protocol.W M (doubling T) l * ridge_risk M T risk l.
  Proof.
    replace (ridge_risk M T risk l) with ((1 + delta) ^ 2 * ridge_risk M T C l) by (unfold ridge_risk, Rdiv; ring).
    apply same_H3; auto; [intros; lra|]. intro i. apply risk_rates_nonneg, Hg.
  Qed.
  Let scaled_H3 (near : near_minimiser (scaled_risk M T C)) g l h f (Hg : 0 < g) (Hf : common_estimate f) (H1 : (1 <= l)%nat) (H2 : (S l <= epochs_until T)%nat) :
    Expect (all_agents (fun _ => contexts) (K_arms k) (fun _ => D) (fun _ => reward_law) (doubling T) (risk_rates k (scaled_risk M T risk) g) l f M)
      (fun ds => Expect (logistic_routine l (update h l (f, ds)))
        (fun f' => Err_of M (fun _ => contexts) (K_arms k) (fun _ => D) (fun _ => reward_law) (doubling T) (risk_rates k (scaled_risk M T risk) g) l f f'))
    <= Protocol.W M (doubling T) l * scaled_risk M T risk l.
  Proof.
    replace (scaled_risk M T risk l) with ((1 + delta) ^ 2 * scaled_risk M T C l) by (unfold scaled_risk, Rdiv; ring).
    apply same_H3; auto; [exact (ridge_below_scaled M k T HM Hk HT C constant_positive)|]. intro i. apply risk_rates_nonneg, Hg.
  Qed.

  (** repaired:  2M + 11 (2 + sqrt 2)(1 + delta) sqrt(M K T C). *)
  Theorem col_logistic_repaired : near_minimiser (ridge_risk M T C) ->
    logistic_Reg_T (ridge_risk M T risk) 1 <= uncapped_sum 11 M k T (ridge_risk M T risk) <= linear_repaired_bound (INR M) (INR k) (INR T) risk.
  Proof.
    intro near. exact (routine_repaired M k T _ _ _ _ _ risk common_estimate HM Hk HT (fun _ => HD0) (fun _ => HD1) (fun _ => HR) (fun _ => HR01) law
      start reached positive_risk positive decreases below (H3 near)).
  Qed.
  (** sharpened, g^2 = (3q + 1)/8. *)
  Theorem col_logistic_sharpened : let q := 1 - / INR k in near_minimiser (ridge_risk M T C) ->
    logistic_Reg_T (ridge_risk M T risk) (sqrt ((3 * q + 1) / 8)) <= capped_sum (linear_sharpened_constant q) M k T (ridge_risk M T risk) <=
      linear_bound (linear_sharpened_constant q) (INR M) (INR k) (INR T) risk.
  Proof.
    intros q near. exact (routine_sharpened M k T _ _ _ _ _ risk common_estimate HM Hk HT (fun _ => HD0) (fun _ => HD1) (fun _ => HR) (fun _ => HR01) law
      start reached positive_risk positive decreases below (H3 near)).
  Qed.
  (** best, K >= 3: the constant is at most 3.6981. *)
  Theorem col_logistic_best : (3 <= k)%nat -> near_minimiser (scaled_risk M T C) ->
    logistic_Reg_T (scaled_risk M T risk) (sqrt (Rmax (1 - / INR k) (1 - 2 / INR k + doubling_arms) / doubling_risk)) <=
      capped_sum (doubling_over_g (INR k)) M k T (scaled_risk M T risk) <= linear_bound (doubling_over_g (INR k)) (INR M) (INR k) (INR T) risk.
  Proof.
    intros Hk3 near. exact (routine_best M k T _ _ _ _ _ risk common_estimate HM Hk HT (fun _ => HD0) (fun _ => HD1) (fun _ => HR) (fun _ => HR01) law
      start reached positive_risk scaled_positive scaled_decrease scaled_below (scaled_H3 near) Hk3 (different_risk_halves M k T d HM Hk Hdim HT risk)).
  Qed.
  (** best, two arms:  3 / sqrt 2. *)
  Theorem col_logistic_best_two_arms : k = 2%nat -> near_minimiser (scaled_risk M T C) ->
    logistic_Reg_T (scaled_risk M T risk) (sqrt (2 / 9)) <= capped_sum (3 / sqrt 2) M k T (scaled_risk M T risk) <= linear_bound (3 / sqrt 2) (INR M) (INR k) (INR T) risk.
  Proof.
    intros Hk2 near. exact (routine_best_two_arms M k T _ _ _ _ _ risk common_estimate HM Hk HT (fun _ => HD0) (fun _ => HD1) (fun _ => HR) (fun _ => HR01) law
      start reached positive_risk scaled_positive scaled_decrease scaled_below (scaled_H3 near) Hk2).
  Qed.
End SameLaw.

(** ** Agents with different laws *)
Section DifferentLaws.
  Variables (M k T : nat) (X : nat -> nat) (D : nat -> nat -> R) (reward_law : nat -> nat -> nat -> list (R * R)).
  Variables (d : nat) (phi : nat -> nat -> nat -> vector) (psi link : R -> R) (c L Lam B : R) (wstar : vector).
  Hypothesis HM : (1 <= M)%nat.
  Hypothesis Hk : (1 <= k)%nat.
  Hypothesis HT : (3 <= T)%nat.
  Hypothesis Hdim : (1 <= d)%nat.
  Hypothesis HD0 : forall m x, (x < X m)%nat -> 0 <= D m x.
  Hypothesis HD1 : forall m, sum (X m) (D m) = 1.
  Hypothesis HR : forall m x a, distribution (reward_law m x a).
  Hypothesis HR01 : forall m x a, Forall (fun pr => 0 <= snd pr <= 1) (reward_law m x a).
  Hypothesis Hmean : forall m x a, Expect (reward_law m x a) (fun r => r) = link (dot d (phi m x a) wstar).
  Hypothesis Hphi : forall m x a, square_norm d (phi m x a) <= 1.
  Hypothesis Hstar : square_norm d wstar <= B * B.
  Hypothesis HB : 0 <= B.
  Hypothesis Hc : 0 < c.
  Hypothesis HL : c <= L.
  Hypothesis HLam : 4 * L - c < Lam.
  Hypothesis strong : forall z y, psi z + link z * (y - z) + c / 2 * (y - z) ^ 2 <= psi y.
  Hypothesis smooth : forall z y, psi y <= psi z + link z * (y - z) + L / 2 * (y - z) ^ 2.
  Variable fit : nat -> (nat -> vector) -> (nat -> R) -> vector.
  Hypothesis stationary : forall N p r i, (i < d)%nat -> sum N (fun j => (link (dot d (p j) (fit N p r)) - r j) * p j i) + Lam * fit N p r i = 0.
  Variables (weights : nat -> list (place * R) -> vector) (delta : R).
  Hypothesis Hdelta : 0 <= delta.
  Definition different_logistic_estimate (w : vector) : estimate := fun m x a => link (clip B (dot d (phi m x a) w)).
  Definition different_logistic_routine (l : nat) (h : run) : list (R * estimate) :=
    dirac (different_logistic_estimate (weights l (pooled_places M (snd (h l))))).
  Definition near_different_minimiser (e : nat -> R) : Prop := forall l t, (1 <= l)%nat -> (S l <= epochs_until T)%nat ->
    good_places (pooled_count (doubling T) l M) t ->
    square_norm d (minus (weights l t) (glm_fit (place_feature phi) nowhere_place (pooled_count (doubling T) l M) fit t)) <= (delta / L) ^ 2 * e l.
  Definition different_logistic_Reg_T (e : nat -> R) (g : R) : R := risk_Reg_T M X k D reward_law different_logistic_routine e T g.
  Local Notation C := (glm_different_constant c L Lam (1 / 4) (INR d) (B * B)).
  Local Notation risk := ((1 + delta) ^ 2 * glm_different_constant c L Lam (1 / 4) (INR d) (B * B)).

  Let error v (y : place) : R := (link (clip B (dot d (place_feature phi y) v)) - link (dot d (place_feature phi y) wstar)) ^ 2.
  Let total len gamma l f v : R := sum (length (designs X (K_arms k) D len gamma l f M)) (fun i => Expect (nth i (designs X (K_arms k) D len gamma l f M) nil) (error v)).
  Lemma Err_different_logistic len gamma l f v :
    Err_of M X (K_arms k) D reward_law len gamma l f (different_logistic_estimate v) = total len gamma l f v.
  Proof.
    assert (F : forall j, sum (length (designs X (K_arms k) D len gamma l f j)) (fun i => Expect (nth i (designs X (K_arms k) D len gamma l f j) nil) (error v)) =
      sum j (fun m => INR (len l m) * Expect (agent_design X (K_arms k) D gamma l f m) (error v))).
    { induction j as [|j IH]; [reflexivity|]. cbn [designs].
      rewrite (sum_over_app (fun Q => Expect Q (error v))), (sum_over_repeat (fun Q => Expect Q (error v))), IH. cbn [sum]. ring. }
    unfold total. rewrite F. unfold Err_of, over_epoch. apply sum_ext. intros m _. unfold E. f_equal. unfold agent_design.
    rewrite Expect_bind, Expect_finite_law. apply sum_ext. intros x _. f_equal. rewrite Expect_bind, Expect_finite_law.
    apply sum_ext. intros a _. f_equal. rewrite Expect_dirac. unfold error, different_logistic_estimate, fstar, place_feature. cbn [fst snd].
    rewrite Hmean. ring.
  Qed.
  Lemma different_constant_positive : 0 < C.
  Proof.
    unfold glm_different_constant. assert (1 <= INR d) by (replace 1 with (INR 1) by reflexivity; apply le_INR, Hdim).
    assert (P : 4 * L / (c + Lam) < 1) by (apply (Rmult_lt_reg_r (c + Lam)); [lra|]; unfold Rdiv; rewrite Rmult_assoc, Rinv_l by lra; lra).
    apply Rmult_lt_0_compat; [lra|]. apply Rdiv_lt_0_compat; [|lra].
    apply Rplus_lt_le_0_compat; [apply Rmult_lt_0_compat; [lra|apply Rdiv_lt_0_compat; lra]|]. apply Rmult_le_pos; [lra|apply Rmult_le_pos; exact HB].
  Qed.
  Lemma different_H3 gamma l h f : near_different_minimiser (different_risk M T C) ->
    (forall i, 0 <= gamma i) -> (1 <= l)%nat -> (S l <= epochs_until T)%nat ->
    Expect (all_agents X (K_arms k) D reward_law (doubling T) gamma l f M)
      (fun ds => Expect (different_logistic_routine l (update h l (f, ds))) (fun f' => Err_of M X (K_arms k) D reward_law (doubling T) gamma l f f'))
    <= Protocol.W M (doubling T) l * ((1 + delta) ^ 2 * different_risk M T C l).
  Proof.
    intros Hnear Hg H1 H2. set (n := pooled_count (doubling T) l M). set (Qs := designs X (K_arms k) D (doubling T) gamma l f M).
    set (wS := glm_fit (place_feature phi) nowhere_place n fit). set (e := different_risk M T C l).
    pose proof (designs_distributions X (K_arms k) D (doubling T) gamma (fun _ => Hk) HD0 HD1 l f (Hg l) M) as HQs. fold Qs in HQs.
    pose proof (designs_length X (K_arms k) D (doubling T) gamma l f M) as HN. fold Qs n in HN.
    pose proof (samples_count M k T HM Hk HT l ltac:(lia)) as Hn.
    pose proof (different_risk_pos M k T HM Hk HT C different_constant_positive l ltac:(lia)) as Hpos. fold e in Hpos.
    assert (Hw : INR n = INR M * INR (doubling T l 0)) by apply (pooled_samples M T l).
    assert (Hdata : distribution (product (map (fun Q => point_law Q (place_rewards reward_law)) Qs))).
    { apply distribution_product. apply Forall_map. eapply Forall_impl; [|exact HQs]. intros Q HQ. apply distribution_bind; [exact HQ|]. intro p.
      apply distribution_bind; [apply HR|]. intro. apply distribution_dirac. }
    rewrite (Expect_ext _ _ (fun ds => sum (length Qs) (fun i => Expect (nth i Qs nil) (error (weights l (pooled_places M ds))))))
      by (intro ds; unfold different_logistic_routine; rewrite Expect_dirac, update_same; apply Err_different_logistic).
    rewrite (all_agents_places X (K_arms k) D reward_law (doubling T) gamma l f M (fun t => sum (length Qs) (fun i => Expect (nth i Qs nil) (error (weights l t))))).
    rewrite (W_samples M T), <- Hw. fold Qs.
    apply Rle_trans with (Expect (product (map (fun Q => point_law Q (place_rewards reward_law)) Qs))
      (fun t => (1 + delta) * sum (length Qs) (fun i => Expect (nth i Qs nil) (error (wS t))) + INR n * ((1 + delta) * (delta * e)))).
    - apply Expect_le_on_support; [apply Hdata|]. eapply Forall_impl; [|apply (samples_good reward_law HR01 Qs)]. intros [p t] Ht. cbn [snd] in *.
      replace (INR n * ((1 + delta) * (delta * e))) with (sum (length Qs) (fun _ => (1 + delta) * (delta * e))) by (rewrite sum_const, HN; reflexivity).
      rewrite <- sum_scal, <- sum_plus. apply sum_le. intros i Hi.
      assert (HQ : distribution (nth i Qs nil)) by (apply (proj1 (Forall_forall _ _) HQs), nth_In, Hi).
      rewrite <- Expect_scal, <- (Expect_plus_const (nth i Qs nil) (fun y => (1 + delta) * error (wS t) y + (1 + delta) * (delta * e)) (fun y => (1 + delta) * error (wS t) y)) by (auto; reflexivity).
      apply Expect_le; [apply HQ|]. intro y. unfold error.
      apply (near_point d psi link c L B delta e); try assumption; [apply Hphi|]. rewrite HN in Ht. apply (Hnear l t H1 H2 Ht).
    - rewrite (Expect_plus_const _ _ (fun t => (1 + delta) * sum (length Qs) (fun i => Expect (nth i Qs nil) (error (wS t)))) (INR n * ((1 + delta) * (delta * e)))) by (auto; reflexivity).
      rewrite Expect_scal.
      pose proof (logistic_different_laws (place_feature phi) nowhere_place d psi link c L Lam B wstar (place_rewards reward_law) Hc HL strong smooth HB
        (fun y => Hphi (fst y) (fst (snd y)) (snd (snd y))) Hstar (fun y => HR (fst y) (fst (snd y)) (snd (snd y))) (fun y => HR01 (fst y) (fst (snd y)) (snd (snd y)))
        (fun y => Hmean (fst y) (fst (snd y)) (snd (snd y))) fit stationary Qs HQs HLam) as H. rewrite HN in H. rewrite HN.
      change (Expect (product (map (fun Q => point_law Q (place_rewards reward_law)) Qs)) (fun t => sum n (fun i => Expect (nth i Qs nil) (error (wS t)))) <= C) in H.
      assert (Hr : C = INR n * e) by (unfold e, different_risk; rewrite Hw; field; split; intro Hz; rewrite Hz in Hn; lra).
      apply Rle_trans with ((1 + delta) * (INR n * e) + INR n * ((1 + delta) * (delta * e))); [|right; ring]. apply Rplus_le_compat_r, Rmult_le_compat_l; lra.
  Qed.
  Let any (f : estimate) : Prop := True.
  Let positive_risk : 0 < risk.
  Proof. apply Rmult_lt_0_compat; [apply pow_lt; lra|apply different_constant_positive]. Qed.
  Let reached l h : Forall (fun pf => any (snd pf)) (different_logistic_routine l h).
  Proof. repeat constructor. Qed.
  Let law l h : distribution (different_logistic_routine l h).
  Proof. apply distribution_dirac. Qed.
  Let positive := different_risk_pos M k T HM Hk HT risk positive_risk.
  Let decreases := different_risk_decreases M k T d HM Hk Hdim HT risk positive_risk.
  Let below l : (1 <= l <= epochs_until T)%nat -> different_risk M T risk l <= risk / (INR M * INR (doubling T l 0)).
  Proof. intros _. unfold different_risk. lra. Qed.
  Let H3 (near : near_different_minimiser (different_risk M T C)) g l h f (Hg : 0 < g) (Hf : any f) (H1 : (1 <= l)%nat) (H2 : (S l <= epochs_until T)%nat) :
    Expect (all_agents X (K_arms k) D reward_law (doubling T) (risk_rates k (different_risk M T risk) g) l f M)
      (fun ds => Expect (different_logistic_routine l (update h l (f, ds)))
        (fun f' => Err_of M X (K_arms k) D reward_law (doubling T) (risk_rates k (different_risk M T risk) g) l f f'))
    <= Protocol.W M (doubling T) l * different_risk M T risk l.
  Proof.
    replace (different_risk M T risk l) with ((1 + delta) ^ 2 * different_risk M T C l) by (unfold different_risk, Rdiv; ring).
    apply different_H3; auto. intro i. apply risk_rates_nonneg, Hg.
  Qed.

  (** repaired:  2M + 11 (2 + sqrt 2)(1 + delta) sqrt(M K T C). *)
  Theorem col_logistic_different_repaired : near_different_minimiser (different_risk M T C) ->
    different_logistic_Reg_T (different_risk M T risk) 1 <= uncapped_sum 11 M k T (different_risk M T risk) <= linear_repaired_bound (INR M) (INR k) (INR T) risk.
  Proof.
    intro near. exact (routine_repaired M k T X D reward_law _ _ risk any HM Hk HT HD0 HD1 HR HR01 law I reached positive_risk positive decreases below (H3 near)).
  Qed.
  (** sharpened, g^2 = (3q + 1)/8. *)
  Theorem col_logistic_different_sharpened : let q := 1 - / INR k in near_different_minimiser (different_risk M T C) ->
    different_logistic_Reg_T (different_risk M T risk) (sqrt ((3 * q + 1) / 8)) <= capped_sum (linear_sharpened_constant q) M k T (different_risk M T risk) <=
      linear_bound (linear_sharpened_constant q) (INR M) (INR k) (INR T) risk.
  Proof.
    intros q near. exact (routine_sharpened M k T X D reward_law _ _ risk any HM Hk HT HD0 HD1 HR HR01 law I reached positive_risk positive decreases below (H3 near)).
  Qed.
  (** best, K >= 3: the constant is at most 3.6981. *)
  Theorem col_logistic_different_best : (3 <= k)%nat -> near_different_minimiser (different_risk M T C) ->
    different_logistic_Reg_T (different_risk M T risk) (sqrt (Rmax (1 - / INR k) (1 - 2 / INR k + doubling_arms) / doubling_risk)) <=
      capped_sum (doubling_over_g (INR k)) M k T (different_risk M T risk) <= linear_bound (doubling_over_g (INR k)) (INR M) (INR k) (INR T) risk.
  Proof.
    intros Hk3 near. exact (routine_best M k T X D reward_law _ _ risk any HM Hk HT HD0 HD1 HR HR01 law I reached positive_risk positive decreases below (H3 near) Hk3
      (different_risk_halves M k T d HM Hk Hdim HT risk)).
  Qed.
  (** best, two arms:  3 / sqrt 2. *)
  Theorem col_logistic_different_best_two_arms : k = 2%nat -> near_different_minimiser (different_risk M T C) ->
    different_logistic_Reg_T (different_risk M T risk) (sqrt (2 / 9)) <= capped_sum (3 / sqrt 2) M k T (different_risk M T risk) <= linear_bound (3 / sqrt 2) (INR M) (INR k) (INR T) risk.
  Proof.
    intros Hk2 near. exact (routine_best_two_arms M k T X D reward_law _ _ risk any HM Hk HT HD0 HD1 HR HR01 law I reached positive_risk positive decreases below (H3 near) Hk2).
  Qed.
End DifferentLaws.
