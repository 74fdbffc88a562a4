(** * own:logistic_excess_risk: rewards in [0,1], predictions clipped

    GlmSamples.v and GlmDifferentLaws.v for rewards in [0,1] and norm(wstar) <= B, predictions psi'(clip(phi'w)), clip to [-B, B].
    Main results: [logistic_same_law]        E error^2 <= C/(n + 1), C = 2L (d/(4c) + Lam B^2/2)/(1 - 2L/(c + Lam)), Lam > 2L - c
    [logistic_different_laws]                sum_i E error_i^2 <= C, C = 2L (d/(2c) + Lam B^2/2)/(1 - 4L/(c + Lam)), Lam > 4L - c
    Note: clipping brings a prediction nearer to the truth, because psi' increases ([clipped_closer]).                        *)
From Coq Require Import Reals Lra Lia Psatz List Arith.
From FedIGW Require Import FiniteSums FiniteProbability AcceleratedGradient RidgeExcessRisk Exchangeability RidgeSamples RidgeDifferentLaws GlmExcessRisk GlmSamples
  GlmDifferentLaws.
Open Scope R_scope.

Definition clip (B z : R) : R := Rmax (- B) (Rmin B z).
Lemma constant_up a b x y K : 0 < b -> 0 <= a -> 0 <= K -> x <= y -> 2 * a * ((K + x) / b) <= 2 * a * ((K + y) / b).
Proof. intros Hb Ha HK Hx. apply Rmult_le_compat_l; [lra|]. apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; exact Hb|lra]. Qed.

Section Logistic.
  Context {Y : Type} (feat : Y -> vector) (y0 : Y).
  Variables (d : nat) (psi link : R -> R) (c L Lam B : R) (wstar : vector) (rew : Y -> list (R * R)).
  Hypothesis Hc : 0 < c.
  Hypothesis HL : c <= L.
  Hypothesis strong : forall z y, psi z + link z * (y - z) + c / 2 * (y - z) ^ 2 <= psi y.
  Hypothesis smooth : forall z y, psi y <= psi z + link z * (y - z) + L / 2 * (y - z) ^ 2.
  Hypothesis HB : 0 <= B.
  Hypothesis Hfeat : forall y, square_norm d (feat y) <= 1.
  Hypothesis Hstar : square_norm d wstar <= B * B.
  Hypothesis Hrew : forall p, distribution (rew p).
  Hypothesis Hrew01 : forall p, Forall (fun pr => 0 <= snd pr <= 1) (rew p).
  Hypothesis Hmean : forall p, Expect (rew p) (fun r => r) = link (dot d (feat p) wstar).
  Variable fit : nat -> (nat -> vector) -> (nat -> R) -> vector.
  Hypothesis stationary : forall N p r i, (i < d)%nat -> sum N (fun j => (link (dot d (p j) (fit N p r)) - r j) * p j i) + Lam * fit N p r i = 0.
  Lemma increases z y : z <= y -> link z <= link y.
  Proof.
    intro H. destruct (Req_dec z y) as [->|Hn]; [lra|]. pose proof (strong z y) as H1. pose proof (strong y z) as H2.
    assert (0 < y - z) by lra. pose proof (pow2_ge_0 (y - z)) as P. replace ((z - y) ^ 2) with ((y - z) ^ 2) in H2 by ring.
    assert (0 <= c * (y - z) ^ 2) by (apply Rmult_le_pos; lra). apply (Rmult_le_reg_r (y - z)); lra.
  Qed.
  Lemma clipped_closer z zs : - B <= zs <= B -> (link (clip B z) - link zs) ^ 2 <= (link z - link zs) ^ 2.
  Proof.
    intros [H1 H2]. unfold clip. destruct (Rle_lt_dec z B) as [Hz|Hz].
    - rewrite Rmin_right by exact Hz. destruct (Rle_lt_dec (- B) z) as [Hm|Hm]; [rewrite Rmax_right by exact Hm; lra|].
      rewrite Rmax_left by lra. pose proof (increases z (- B) ltac:(lra)). pose proof (increases (- B) zs H1). nra.
    - rewrite Rmin_left by lra. rewrite Rmax_right by lra. pose proof (increases B z ltac:(lra)). pose proof (increases zs B H2). nra.
  Qed.
  Lemma truth_inside y : - B <= dot d (feat y) wstar <= B.
  Proof.
    pose proof (cauchy_schwarz d (feat y) wstar) as C. fold (dot d (feat y) wstar) (square_norm d (feat y)) (square_norm d wstar) in C.
    pose proof (Hfeat y). pose proof (square_norm_nonneg d (feat y)). pose proof (square_norm_nonneg d wstar). set (x := dot d (feat y) wstar) in *.
    assert (X : x ^ 2 <= B * B) by nra. split; nra.
  Qed.
  Lemma unit_variance p : Expect (rew p) (fun r => (r - link (dot d (feat p) wstar)) ^ 2) <= 1 / 4.
  Proof.
    set (m := link (dot d (feat p) wstar)). apply Rle_trans with (Expect (rew p) (fun r => (1 - 2 * m) * r + m ^ 2)).
    - apply Expect_le_on_support; [apply Hrew|]. eapply Forall_impl; [|apply Hrew01]. intros [q r] H. simpl in *. nra.
    - rewrite (Expect_plus_const (rew p) _ (fun r => (1 - 2 * m) * r) (m ^ 2)) by (try apply Hrew; reflexivity).
      rewrite Expect_scal, Hmean. fold m. pose proof (pow2_ge_0 (m - 1 / 2)). nra.
  Qed.

  (** One law for all samples:  E (psi'(clip(phi'w)) - psi'(phi'wstar))^2 <= C/(n + 1). *)
  Theorem logistic_same_law n (Q : list (R * Y)) : distribution Q -> 2 * L - c < Lam ->
    Expect (iid (point_law Q rew) n) (fun l => Expect Q (fun p => (link (clip B (dot d (feat p) (glm_fit feat y0 n fit l))) - link (dot d (feat p) wstar)) ^ 2)) <=
      glm_constant c L Lam (1 / 4) (INR d) (B * B) / INR (S n).
  Proof.
    intros HQ HLam. assert (HN : 0 < INR (S n)) by (apply lt_0_INR; lia).
    assert (Hiid : distribution (iid (point_law Q rew) n)).
    { generalize n. induction n0 as [|k IH]; [apply distribution_dirac|]. apply distribution_bind; [exact IH|]. intro. apply distribution_bind; [|intro; apply distribution_dirac].
      apply distribution_bind; [exact HQ|]. intro p. apply distribution_bind; [apply Hrew|]. intro. apply distribution_dirac. }
    eapply Rle_trans; [|eapply Rle_trans; [apply (glm_iid_excess_risk feat y0 d psi link c L Lam wstar (1 / 4) n Hc HL HLam strong smooth Q rew HQ
      ltac:(apply Forall_forall; intros; apply Hfeat) Hrew Hmean unit_variance ltac:(lra) fit stationary)|]].
    - apply Expect_le; [apply Hiid|]. intro l. apply Expect_le; [apply HQ|]. intro p. apply clipped_closer, truth_inside.
    - apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; exact HN|]. unfold glm_constant. apply constant_up; [|lra| |apply Rmult_le_compat_l; lra].
      + assert (2 * L / (c + Lam) < 1); [|lra]. apply (Rmult_lt_reg_r (c + Lam)); [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra.
      + apply Rmult_le_pos; [apply Rmult_le_pos; [lra|apply pos_INR]|left; apply Rinv_0_lt_compat; exact Hc].
  Qed.
  (** A law of its own for every sample:  sum_i E (psi'(clip(phi_i'w)) - psi'(phi_i'wstar))^2 <= C at fresh copies. *)
  Theorem logistic_different_laws (Qs : list (list (R * Y))) : Forall distribution Qs -> 4 * L - c < Lam ->
    Expect (product (List.map (fun Q => point_law Q rew) Qs)) (fun t => sum (length Qs) (fun i => Expect (List.nth i Qs nil)
      (fun y => (link (clip B (dot d (feat y) (glm_fit feat y0 (length Qs) fit t))) - link (dot d (feat y) wstar)) ^ 2))) <=
    glm_different_constant c L Lam (1 / 4) (INR d) (B * B).
  Proof.
    intros HQs HLam. eapply Rle_trans; [|eapply Rle_trans; [apply (glm_different_laws feat y0 d psi link c L Lam wstar (1 / 4) Hc HL HLam strong smooth Qs rew HQs
      Hfeat Hrew Hmean unit_variance ltac:(lra) fit stationary)|]].
    - apply Expect_le.
      + apply distribution_product. apply Forall_map. eapply Forall_impl; [|exact HQs]. intros Q HQ. apply distribution_bind; [exact HQ|]. intro p.
        apply distribution_bind; [apply Hrew|]. intro. apply distribution_dirac.
      + intro t. apply sum_le. intros i Hi. apply Expect_le; [apply (proj1 (Forall_forall _ _) HQs), List.nth_In, Hi|]. intro y. apply clipped_closer, truth_inside.
    - unfold glm_different_constant. apply constant_up; [|lra| |apply Rmult_le_compat_l; lra].
      + assert (4 * L / (c + Lam) < 1); [|lra]. apply (Rmult_lt_reg_r (c + Lam)); [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra.
      + apply Rmult_le_pos; [lra|]. apply Rmult_le_pos; [apply Rmult_le_pos; [lra|apply pos_INR]|left; apply Rinv_0_lt_compat; exact Hc].
  Qed.
End Logistic.

(** Every hypothesis can be met: a fair coin, one feature, the identity link, Lam = 2; the bound is 7.5/(n + 1). *)
Theorem logistic_example n :
  Expect (iid (point_law (dirac tt) (fun _ => (1 / 2, 0) :: (1 / 2, 1) :: nil)%list) n) (fun l => Expect (dirac tt)
    (fun p => (clip 1 (dot 1 (fun _ => 1) (glm_fit (fun _ _ => 1) tt n (identity_fit 1 2) l)) - dot 1 (fun _ => 1) (fun _ => 1 / 2)) ^ 2)) <= 15 / 2 / INR (S n).
Proof.
  assert (HN : 0 < INR (S n)) by (apply lt_0_INR; lia). destruct (identity_link 1 2 ltac:(lra)) as [S1 S2].
  eapply Rle_trans; [apply (logistic_same_law (fun _ _ => 1) tt 1 (fun z => z ^ 2 / 2) (fun z => z) 1 1 2 1 (fun _ => 1 / 2) (fun _ => (1 / 2, 0) :: (1 / 2, 1) :: nil)%list) with (n := n) (Q := dirac tt)|].
  - lra.
  - lra.
  - intros z y. pose proof (S1 z y). lra.
  - intros z y. pose proof (S1 z y). lra.
  - lra.
  - intro y. unfold square_norm. simpl. lra.
  - unfold square_norm. simpl. lra.
  - intro p. split; [repeat constructor; simpl; lra|simpl; lra].
  - intro p. repeat constructor; simpl; lra.
  - intro p. unfold dot. simpl. lra.
  - exact S2.
  - apply distribution_dirac.
  - lra.
  - apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; exact HN|]. unfold glm_constant. simpl INR. lra.
Qed.
