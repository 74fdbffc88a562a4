(** * The logistic function meets the hypotheses of LogisticRisk.v and ColLogistic.v

    psi(z) = ln(1 + e^z) for |z| <= B, continued beyond as the parabola with the curvature at B, and psi' = [logistic_link].  Main result
    [logistic_curvature_bounds]: c <= psi'' <= 1/4 on the line, as two inequalities, with c = sigma(B)(1 - sigma(B)) > 0, and a
    clipped score is predicted by the logistic function itself.  Main definitions: [sigma], [logistic_psi], [logistic_link].      *)
From Coq Require Import Reals Lra Psatz.
From FedIGW Require Import LogisticRisk.
Open Scope R_scope.

Definition sigma (z : R) : R := exp z / (1 + exp z).
(** c = sigma(B)(1 - sigma(B)) *)
Definition logistic_curvature (B : R) : R := sigma B * (1 - sigma B).
Definition logistic_link (B z : R) : R := sigma (clip B z) + logistic_curvature B * (z - clip B z).
Definition logistic_psi (B z : R) : R :=
  ln (1 + exp (clip B z)) + sigma (clip B z) * (z - clip B z) + logistic_curvature B / 2 * (z - clip B z) ^ 2.

(** ** On the line *)
Lemma sigma_between z : 0 < sigma z < 1.
Proof.
  pose proof (exp_pos z). unfold sigma. split; [apply Rdiv_lt_0_compat; lra|].
  apply (Rmult_lt_reg_r (1 + exp z)); [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra.
Qed.
Lemma sigma_opposite z : sigma (- z) = 1 - sigma z.
Proof. unfold sigma. rewrite exp_Ropp. pose proof (exp_pos z). field. lra. Qed.
Lemma one_plus_exp z : derivable_pt_lim (fun t => 1 + exp t) z (exp z).
Proof. rewrite <- (Rplus_0_l (exp z)). apply (derivable_pt_lim_plus (fun _ => 1) exp); [apply derivable_pt_lim_const|apply derivable_pt_lim_exp]. Qed.
Lemma sigma_slope z : derivable_pt_lim sigma z (sigma z * (1 - sigma z)).
Proof.
  pose proof (exp_pos z). replace (sigma z * (1 - sigma z)) with ((exp z * (1 + exp z) - exp z * exp z) / Rsqr (1 + exp z)) by (unfold sigma, Rsqr; field; lra).
  apply (derivable_pt_lim_div exp (fun t => 1 + exp t)); [apply derivable_pt_lim_exp|apply one_plus_exp|lra].
Qed.
Lemma softplus_slope z : derivable_pt_lim (fun t => ln (1 + exp t)) z (sigma z).
Proof.
  pose proof (exp_pos z). replace (sigma z) with (/ (1 + exp z) * exp z) by (unfold sigma; field; lra).
  apply (derivable_pt_lim_comp (fun t => 1 + exp t) ln); [apply one_plus_exp|apply derivable_pt_lim_ln; lra].
Qed.
Lemma sigma_grows a b : a <= b -> sigma a <= sigma b.
Proof.
  intros [H| ->]; [|lra]. destruct (MVT_cor2 sigma (fun t => sigma t * (1 - sigma t)) a b H (fun t _ => sigma_slope t)) as [t [E _]].
  pose proof (sigma_between t). assert (0 <= sigma t * (1 - sigma t)) by (apply Rmult_le_pos; lra). assert (0 <= sigma t * (1 - sigma t) * (b - a)) by (apply Rmult_le_pos; lra). lra.
Qed.

Section Logistic.
  Variable B : R.
  Hypothesis HB : 0 <= B.
  Let c := logistic_curvature B.
  Lemma curvature_inside t : - B <= t <= B -> c <= sigma t * (1 - sigma t) <= 1 / 4.
  Proof.
    intros [H1 H2]. apply sigma_grows in H1, H2. rewrite sigma_opposite in H1. split; [|pose proof (pow2_ge_0 (sigma t - 1 / 2)); lra].
    unfold c, logistic_curvature. assert (0 <= (sigma t - (1 - sigma B)) * (sigma B - sigma t)) by (apply Rmult_le_pos; lra). lra.
  Qed.
  Lemma curvature_range : 0 < c <= 1 / 4.
  Proof.
    split; [|apply (Rle_trans _ (sigma 0 * (1 - sigma 0))); apply curvature_inside; lra].
    pose proof (sigma_between B). unfold c, logistic_curvature. apply Rmult_lt_0_compat; lra.
  Qed.
  Lemma clip_inside z : - B <= z <= B -> clip B z = z.
  Proof. intros [H1 H2]. unfold clip. rewrite Rmin_right, Rmax_right by lra. reflexivity. Qed.
  Lemma clip_above z : B <= z -> clip B z = B.
  Proof. intro H. unfold clip. rewrite Rmin_left, Rmax_right by lra. reflexivity. Qed.
  Lemma clip_below z : z <= - B -> clip B z = - B.
  Proof. intro H. unfold clip. rewrite Rmin_right by lra. rewrite Rmax_left by lra. reflexivity. Qed.

  (** ** The slopes of psi', by pieces *)
  Let slope a b : Prop := c * (b - a) <= logistic_link B b - logistic_link B a <= 1 / 4 * (b - a).
  Lemma slope_inside a b : - B <= a -> a <= b -> b <= B -> slope a b.
  Proof.
    intros H1 [H| ->] H2; [|unfold slope; lra]. unfold slope, logistic_link. rewrite !clip_inside by lra.
    destruct (MVT_cor2 sigma (fun t => sigma t * (1 - sigma t)) a b H (fun t _ => sigma_slope t)) as [t [E Ht]].
    destruct (curvature_inside t ltac:(lra)) as [C1 C2]. apply (Rmult_le_compat_r (b - a)) in C1, C2; lra.
  Qed.
  Lemma slope_outside a b : a <= b -> clip B a = clip B b -> slope a b.
  Proof.
    intros H E. unfold slope, logistic_link. rewrite E. fold c. pose proof curvature_range as [_ C]. apply (Rmult_le_compat_r (b - a)) in C; lra.
  Qed.
  Lemma slope_join a m b : slope a m -> slope m b -> slope a b.
  Proof. unfold slope. lra. Qed.
  Lemma slope_right a b : - B <= a -> a <= b -> slope a b.
  Proof.
    intros H1 H2. destruct (Rle_dec b B); [apply slope_inside; lra|]. destruct (Rle_dec B a).
    - apply slope_outside; [lra|]. rewrite !clip_above by lra. reflexivity.
    - apply (slope_join a B b); [apply slope_inside; lra|]. apply slope_outside; [lra|]. rewrite !clip_above by lra. reflexivity.
  Qed.
  Lemma slopes a b : a <= b -> slope a b.
  Proof.
    intro H. destruct (Rle_dec (- B) a); [apply slope_right; lra|]. destruct (Rle_dec b (- B)).
    - apply slope_outside; [lra|]. rewrite !clip_below by lra. reflexivity.
    - apply (slope_join a (- B) b); [|apply slope_right; lra]. apply slope_outside; [lra|]. rewrite !clip_below by lra. reflexivity.
  Qed.

  (** ** psi above its tangents, by pieces *)
  Let gap z y : R := logistic_psi B y - logistic_psi B z - logistic_link B z * (y - z).
  Let fits z y : Prop := c / 2 * (y - z) ^ 2 <= gap z y <= 1 / 4 / 2 * (y - z) ^ 2.
  Lemma tangent_slope k z t : derivable_pt_lim (fun t => ln (1 + exp t) - (sigma z * t + k / 2 * (t - z) ^ 2)) t (sigma t - (sigma z + k * (t - z))).
  Proof.
    apply (derivable_pt_lim_minus (fun t => ln (1 + exp t)) (fun t => sigma z * t + k / 2 * (t - z) ^ 2)); [apply softplus_slope|].
    apply (derivable_pt_lim_plus (fun t => sigma z * t) (fun t => k / 2 * (t - z) ^ 2)).
    - pose proof (derivable_pt_lim_scal (fun t => t) (sigma z) t 1 (derivable_pt_lim_id t)) as H. rewrite Rmult_1_r in H. exact H.
    - replace (k * (t - z)) with (k / 2 * ((INR 2 * (t - z) ^ 1) * (1 - 0))) by (simpl; field).
      apply (derivable_pt_lim_scal (fun t => (t - z) ^ 2)). apply (derivable_pt_lim_comp (fun t => t - z) (fun u => u ^ 2)).
      + apply (derivable_pt_lim_minus (fun t => t) (fun _ => z)); [apply derivable_pt_lim_id|apply derivable_pt_lim_const].
      + apply (derivable_pt_lim_pow (t - z) 2).
  Qed.
  (** the error of a parabola of curvature k at the tangent of z is (slope error at some point between) times (y - z) *)
  Lemma tangent k z y : - B <= z <= B -> - B <= y <= B -> z <> y -> exists t, (z < t < y \/ y < t < z) /\ - B <= t <= B /\
    gap z y - k / 2 * (y - z) ^ 2 = (sigma t - sigma z - k * (t - z)) * (y - z).
  Proof.
    intros Hz Hy Hn. unfold gap, logistic_psi, logistic_link. rewrite !clip_inside by assumption.
    destruct (Rtotal_order z y) as [H|[H|H]]; [|contradiction|].
    - destruct (MVT_cor2 _ (fun t => sigma t - (sigma z + k * (t - z))) z y H (fun t _ => tangent_slope k z t)) as [t [E Ht]]. exists t. split; [lra|]. split; [lra|].
      cbv beta in E. lra.
    - destruct (MVT_cor2 _ (fun t => sigma t - (sigma z + k * (t - z))) y z H (fun t _ => tangent_slope k z t)) as [t [E Ht]]. exists t. split; [lra|]. split; [lra|].
      cbv beta in E. lra.
  Qed.
  Lemma fits_inside z y : - B <= z <= B -> - B <= y <= B -> fits z y.
  Proof.
    intros Hz Hy. destruct (Req_dec z y) as [->|Hn]; [unfold fits, gap; lra|].
    assert (S : forall a b, - B <= a <= B -> - B <= b <= B -> a <= b -> c * (b - a) <= sigma b - sigma a <= 1 / 4 * (b - a)).
    { intros a b Ha Hb Hab. pose proof (slope_inside a b ltac:(lra) Hab ltac:(lra)) as Sl. unfold slope, logistic_link in Sl. rewrite !clip_inside in Sl by assumption. lra. }
    split.
    - destruct (tangent c z y Hz Hy Hn) as [t [Hb [Ht E]]]. destruct Hb as [Hb|Hb].
      + pose proof (S z t Hz Ht ltac:(lra)). assert (0 <= (sigma t - sigma z - c * (t - z)) * (y - z)) by (apply Rmult_le_pos; lra). lra.
      + pose proof (S t z Ht Hz ltac:(lra)). assert (0 <= - (sigma t - sigma z - c * (t - z)) * (z - y)) by (apply Rmult_le_pos; lra). lra.
    - destruct (tangent (1 / 4) z y Hz Hy Hn) as [t [Hb [Ht E]]]. destruct Hb as [Hb|Hb].
      + pose proof (S z t Hz Ht ltac:(lra)). assert (0 <= - (sigma t - sigma z - 1 / 4 * (t - z)) * (y - z)) by (apply Rmult_le_pos; lra). lra.
      + pose proof (S t z Ht Hz ltac:(lra)). assert (0 <= (sigma t - sigma z - 1 / 4 * (t - z)) * (z - y)) by (apply Rmult_le_pos; lra). lra.
  Qed.
  Lemma fits_outside z y : clip B z = clip B y -> fits z y.
  Proof.
    intro E. unfold fits. assert (G : gap z y = c / 2 * (y - z) ^ 2) by (unfold gap, logistic_psi, logistic_link; rewrite E; fold c; field).
    rewrite G. pose proof curvature_range as [_ C]. pose proof (pow2_ge_0 (y - z)). apply (Rmult_le_compat_r ((y - z) ^ 2)) in C; lra.
  Qed.
  Lemma fits_join z m y : z <= m <= y \/ y <= m <= z -> fits z m -> fits m y -> fits z y.
  Proof.
    intros Hm H1 H2. assert (E : gap z y = gap z m + gap m y + (logistic_link B m - logistic_link B z) * (y - m)) by (unfold gap; ring).
    assert (S : c * ((m - z) * (y - m)) <= (logistic_link B m - logistic_link B z) * (y - m) <= 1 / 4 * ((m - z) * (y - m))).
    { destruct Hm as [Hm|Hm].
      - destruct (slopes z m ltac:(lra)) as [S1 S2]. apply (Rmult_le_compat_r (y - m)) in S1, S2; lra.
      - destruct (slopes m z ltac:(lra)) as [S1 S2]. apply (Rmult_le_compat_r (m - y)) in S1, S2; lra. }
    unfold fits in *. rewrite E. replace ((y - z) ^ 2) with ((m - z) ^ 2 + (y - m) ^ 2 + 2 * ((m - z) * (y - m))) by ring. lra.
  Qed.
  Lemma fits_right z y : - B <= z -> - B <= y -> fits z y.
  Proof.
    intros Hz Hy. destruct (Rle_dec z B), (Rle_dec y B).
    - apply fits_inside; lra.
    - apply (fits_join z B y); [lra|apply fits_inside; lra|]. apply fits_outside. rewrite !clip_above by lra. reflexivity.
    - apply (fits_join z B y); [lra| |apply fits_inside; lra]. apply fits_outside. rewrite !clip_above by lra. reflexivity.
    - apply fits_outside. rewrite !clip_above by lra. reflexivity.
  Qed.
  Lemma fits_everywhere z y : fits z y.
  Proof.
    destruct (Rle_dec (- B) z), (Rle_dec (- B) y).
    - apply fits_right; lra.
    - apply (fits_join z (- B) y); [lra|apply fits_right; lra|]. apply fits_outside. rewrite !clip_below by lra. reflexivity.
    - apply (fits_join z (- B) y); [lra| |apply fits_right; lra]. apply fits_outside. rewrite !clip_below by lra. reflexivity.
    - apply fits_outside. rewrite !clip_below by lra. reflexivity.
  Qed.
End Logistic.

(** Logistic rewards: L = 1/4 and c = sigma(B)(1 - sigma(B)), and predictions are sigma of the clipped score. *)
Theorem logistic_curvature_bounds B : 0 <= B ->
  0 < logistic_curvature B /\ logistic_curvature B <= 1 / 4 /\
  (forall z y, logistic_psi B z + logistic_link B z * (y - z) + logistic_curvature B / 2 * (y - z) ^ 2 <= logistic_psi B y) /\
  (forall z y, logistic_psi B y <= logistic_psi B z + logistic_link B z * (y - z) + 1 / 4 / 2 * (y - z) ^ 2) /\
  (forall z, logistic_link B (clip B z) = sigma (clip B z)) /\
  (forall z, - B <= z <= B -> logistic_psi B z = ln (1 + exp z) /\ logistic_link B z = sigma z).
Proof.
  intro HB. destruct (curvature_range B HB) as [C1 C2].
  assert (Same : forall z, - B <= z <= B -> logistic_psi B z = ln (1 + exp z) /\ logistic_link B z = sigma z)
    by (intros z Hz; unfold logistic_psi, logistic_link; rewrite (clip_inside B z Hz); split; ring).
  repeat split; try assumption; try (apply Same; assumption).
  - intros z y. destruct (fits_everywhere B HB z y) as [H _]. lra.
  - intros z y. destruct (fits_everywhere B HB z y) as [_ H]. lra.
  - intro z. apply Same. unfold clip. split; [apply Rmax_l|]. apply Rmax_lub; [lra|apply Rmin_l].
Qed.
