(** * Generalised linear rewards on independent samples: the excess risk at a fresh point

    Setting and constants of GlmExcessRisk.v.  Main definitions: [glm_fit], the minimiser on the samples' list; [excess_loss].
    Main result: [glm_iid_excess_risk], n independent samples of one finite law, Lam > 2L - c:
        E (psi'(phi'w) - psi'(phi'wstar))^2 <= glm_constant / (n + 1).
    [identity_link]: with psi(z) = z^2/2 a minimiser exists for every Lam > 0, so the hypotheses can be met.                  *)
From Coq Require Import Reals Lra Lia Psatz List Arith FunctionalExtensionality.
From FedIGW Require Import FiniteSums FiniteProbability AcceleratedGradient RidgeExcessRisk Exchangeability RidgeSamples GlmExcessRisk.
Import ListNotations.
Open Scope R_scope.

(** ** Rewards given the design *)
Section Rewards.
  Context {Y : Type} (y0 : Y).
  Variables (rew : Y -> list (R * R)) (mean : Y -> R) (s2 : R).
  Hypothesis Hrew : forall p, distribution (rew p).
  Hypothesis Hmean : forall p, Expect (rew p) (fun r => r) = mean p.
  Hypothesis Hvar : forall p, Expect (rew p) (fun r => (r - mean p) ^ 2) <= s2.
  Definition deviation (ps : list Y) (l : list point) (i : nat) : R := snd (nth i l (nowhere y0)) - mean (nth i ps y0).
  (** k does not look at sample i *)
  Definition blind_to (i : nat) (k : list (Y * R) -> R) : Prop := forall l l', (forall j, j <> i -> nth j l (nowhere y0) = nth j l' (nowhere y0)) -> k l = k l'.
  Lemma centred p : Expect (rew p) (fun r => r - mean p) = 0.
  Proof. unfold Rminus. rewrite (Expect_plus (rew p) (fun r => r)), Hmean, Expect_const by apply Hrew. ring. Qed.
  Lemma deviation_blind ps : forall i k, (i < length ps)%nat -> blind_to i k -> Expect (rewards_law rew ps) (fun l => deviation ps l i * k l) = 0.
  Proof.
    induction ps as [|p t IH]; intros i k Hi Hk; simpl in Hi; [lia|]. rewrite Expect_rewards. destruct i as [|i].
    - apply Expect_const_out; [apply distribution_rewards, Hrew|]. intro l.
      rewrite (Expect_ext _ _ (fun r => k ((p, 0) :: l) * (r - mean p))); [rewrite Expect_scal, centred; ring|].
      intro r. rewrite (Hk ((p, r) :: l) ((p, 0) :: l)); [unfold deviation; simpl; ring|]. intros [|j] Hj; [congruence|reflexivity].
    - rewrite (Expect_swap (rewards_law rew t) (rew p) (fun l r => deviation (p :: t) ((p, r) :: l) (S i) * k ((p, r) :: l))).
      apply Expect_const_out; [apply Hrew|]. intro r. apply (IH i (fun l => k ((p, r) :: l)) ltac:(lia)).
      intros l l' Hl. apply Hk. intros [|j] Hj; [reflexivity|]. simpl. apply Hl. lia.
  Qed.
  Lemma deviation_variance ps : forall i, (i < length ps)%nat -> Expect (rewards_law rew ps) (fun l => deviation ps l i ^ 2) <= s2.
  Proof.
    induction ps as [|p t IH]; intros i Hi; [simpl in Hi; lia|]. rewrite Expect_rewards. destruct i as [|i].
    - rewrite (Expect_ext _ _ (fun _ => Expect (rew p) (fun r => (r - mean p) ^ 2))) by (intro; reflexivity).
      rewrite Expect_const by apply (distribution_rewards rew Hrew). apply Hvar.
    - simpl in Hi. eapply Rle_trans; [|apply (IH i); lia]. right. apply Expect_ext. intro l.
      apply (Expect_const_out (rew p) (deviation t l i ^ 2)); [apply Hrew|]. intro r. reflexivity.
  Qed.
End Rewards.

Section GlmSamples.
  Context {Y : Type} (feat : Y -> vector) (y0 : Y).
  Variables (d : nat) (psi link : R -> R) (c L Lam : R) (wstar : vector) (s2 : R) (n : nat).
  Hypothesis Hc : 0 < c.
  Hypothesis HL : c <= L.
  Hypothesis HLam : 2 * L - c < Lam.
  Hypothesis strong : forall z y, psi z + link z * (y - z) + c / 2 * (y - z) ^ 2 <= psi y.
  Hypothesis smooth : forall z y, psi y <= psi z + link z * (y - z) + L / 2 * (y - z) ^ 2.
  (** design law; reward law given the feature *)
  Variables (Q : list (R * Y)) (rew : Y -> list (R * R)).
  Hypothesis HQ : distribution Q.
  Hypothesis HQ1 : Forall (fun pw => square_norm d (feat (snd pw)) <= 1) Q.
  Hypothesis Hrew : forall p, distribution (rew p).
  Hypothesis Hmean : forall p, Expect (rew p) (fun r => r) = link (dot d (feat p) wstar).
  Hypothesis Hvar : forall p, Expect (rew p) (fun r => (r - link (dot d (feat p) wstar)) ^ 2) <= s2.
  Hypothesis Hs2 : 0 <= s2.
  (** the minimiser on any number of samples, by its gradient *)
  Variable fit : nat -> (nat -> vector) -> (nat -> R) -> vector.
  Hypothesis stationary : forall N p r i, (i < d)%nat -> sum N (fun j => (link (dot d (p j) (fit N p r)) - r j) * p j i) + Lam * fit N p r i = 0.
  Definition glm_fit (l : list point) : vector := fit n (fun j => at_point feat y0 l j) (fun j => snd (nth j l (nowhere y0))).
  (** l(w) - l(wstar) of one sample *)
  Definition excess_loss (p : vector) (r : R) (w : vector) : R := sample_cost d psi p r w - sample_cost d psi p r wstar.
  Definition without (i : nat) (l : list point) : vector := fit n (fun j => at_point feat y0 l (skip i j)) (fun j => snd (nth (skip i j) l (nowhere y0))).
  Definition held_out_loss (i : nat) (l : list point) : R := excess_loss (at_point feat y0 l i) (snd (nth i l (nowhere y0))) (without i l).
  Definition fresh_loss (z : point) (l : list point) : R := excess_loss (feat (fst z)) (snd z) (glm_fit l).
  Lemma held_out_insert i z l : length l = n -> (i <= n)%nat -> held_out_loss i (insert i z l) = fresh_loss z l.
  Proof.
    intros Hl Hi. unfold held_out_loss, fresh_loss, glm_fit, without, at_point. rewrite nth_insert_same by lia.
    replace (fun j => feat (fst (nth (skip i j) (insert i z l) (nowhere y0)))) with (fun j => feat (fst (nth j l (nowhere y0))))
      by (apply functional_extensionality; intro j; rewrite nth_insert_skip by lia; reflexivity).
    replace (fun j => snd (nth (skip i j) (insert i z l) (nowhere y0))) with (fun j => snd (nth j l (nowhere y0)))
      by (apply functional_extensionality; intro j; rewrite nth_insert_skip by lia; reflexivity).
    reflexivity.
  Qed.
  Let bound := (s2 * INR d / c + Lam / 2 * square_norm d wstar) / (1 - 2 * L / (c + Lam)).
  Lemma skip_other i j : skip i j <> i.
  Proof. unfold skip. destruct (lt_dec j i); lia. Qed.

  (** one design of n+1 points *)
  Lemma glm_design ps : length ps = S n -> Forall (fun p => square_norm d (feat p) <= 1) ps ->
    Expect (rewards_law rew ps) (fun l => sum (S n) (fun i => held_out_loss i l)) <= bound.
  Proof.
    intros Hl Hp. set (phi := fun j => feat (nth j ps y0)). set (law := rewards_law rew ps).
    assert (Hlaw : distribution law) by (apply distribution_rewards, Hrew).
    assert (Hphi : forall j, (j < S n)%nat -> square_norm d (phi j) <= 1).
    { intros j Hj. apply (proj1 (Forall_forall _ _) Hp). apply nth_In. lia. }
    set (r := fun (l : list point) j => snd (nth j l (nowhere y0))).
    set (w := fun i l => fit n (fun j => phi (skip i j)) (fun j => r l (skip i j))).
    set (z := fun i l => dot d (phi i) (w i l)). set (zs := fun i => dot d (phi i) wstar).
    set (s := fun i l => link (z i l) - link (zs i)). set (e := deviation y0 (fun p => link (dot d (feat p) wstar)) ps).
    set (gain := fun i l => psi (z i l) - psi (zs i) - link (zs i) * (z i l - zs i)).
    set (q := share_of d c Lam (S n) phi).
    assert (Blind : forall i (F : R -> R), (i < S n)%nat -> Expect law (fun l => e l i * F (z i l)) = 0).
    { intros i F Hi. apply (deviation_blind y0 rew _ Hrew Hmean ps i (fun l => F (z i l)) ltac:(lia)). intros l l' He. unfold z, w. f_equal. f_equal. f_equal.
      apply functional_extensionality. intro j. unfold r. rewrite He by apply skip_other. reflexivity. }
    assert (Loss : forall i l, map fst l = ps -> held_out_loss i l = gain i l - e l i * (z i l - zs i)).
    { intros i l Hs. assert (Hat : forall j, at_point feat y0 l j = phi j)
        by (intro j; unfold at_point, phi; rewrite <- Hs; f_equal; symmetry; apply (map_nth fst l (nowhere y0) j)).
      unfold held_out_loss, excess_loss, sample_cost, without. rewrite !Hat.
      replace (fun j => at_point feat y0 l (skip i j)) with (fun j => phi (skip i j)) by (apply functional_extensionality; intro j; symmetry; apply Hat).
      fold (r l i). change (fun j => snd (nth (skip i j) l (nowhere y0))) with (fun j => r l (skip i j)). fold (w i l). fold (z i l). fold (zs i).
      change (e l i) with (r l i - link (zs i)). unfold gain. ring. }
    assert (Support : forall F G, (forall l, map fst l = ps -> F l <= G l) -> Expect law F <= Expect law G).
    { intros F G H. apply Expect_le_on_support; [apply Hlaw|]. eapply Forall_impl; [|apply rewards_support]. intros [p l] Hs. apply H. exact Hs. }
    assert (Mean : Expect law (fun l => sum (S n) (fun i => held_out_loss i l)) = sum (S n) (fun i => Expect law (gain i))).
    { rewrite (Expect_ext_on_support law _ (fun l => sum (S n) (fun i => gain i l + (-1) * (e l i * (z i l - zs i))))).
      - rewrite Expect_sum. apply sum_ext. intros i Hi. rewrite Expect_plus, Expect_scal, (Blind i (fun x => x - zs i) Hi). ring.
      - eapply Forall_impl; [|apply rewards_support]. intros [p l] Hs. cbn [snd] in *. apply sum_ext. intros i _. rewrite (Loss i l Hs). ring. }
    assert (Upper : Expect law (fun l => sum (S n) (fun i => held_out_loss i l)) <=
      sum (S n) (fun i => q i * Expect law (fun l => (s i l - e l i) ^ 2)) + Lam / 2 * square_norm d wstar).
    { eapply Rle_trans; [apply (Support _ (fun l => sum (S n) (fun i => q i * (s i l - e l i) ^ 2) + Lam / 2 * square_norm d wstar))|].
      - intros l Hs. set (wall := fit (S n) phi (r l)).
        assert (Ha : stationary_for d link Lam (S n) phi (r l) everyone wall).
        { intros i Hi. etransitivity; [|apply (stationary (S n) phi (r l) i Hi)]. f_equal. apply sum_ext. intros. unfold everyone. fold wall. ring. }
        assert (Hat : forall j, at_point feat y0 l j = phi j)
          by (intro j; unfold at_point, phi; rewrite <- Hs; f_equal; symmetry; apply (map_nth fst l (nowhere y0) j)).
        assert (Hi : forall i, (i < S n)%nat -> stationary_for d link Lam (S n) phi (r l) (but i) (w i l)).
        { intros i Hi m Hm. etransitivity; [|apply (stationary n (fun j => phi (skip i j)) (fun j => r l (skip i j)) m Hm)]. fold (w i l). f_equal.
          rewrite <- (sum_skip (fun j => (link (dot d (phi j) (w i l)) - r l j) * phi j m) n i ltac:(lia)).
          apply sum_ext. intros j _. unfold but. destruct (Nat.eq_dec j i); ring. }
        pose proof (all_in d psi link c L Lam Hc HL HLam strong (S n) phi (r l) wall wstar Ha) as H1.
        assert (H2 : sum (S n) (fun i => sample_cost d psi (phi i) (r l i) (w i l) - sample_cost d psi (phi i) (r l i) wall) <= sum (S n) (fun i => q i * (s i l - e l i) ^ 2)).
        { apply sum_le. intros i Hn. eapply Rle_trans; [apply (left_out d psi link c L Lam Hc HL HLam strong (S n) phi (r l) i wall (w i l) Hn Ha (Hi i Hn))|].
          right. change (share_of d c Lam (S n) phi i) with (q i). change (dot d (phi i) (w i l)) with (z i l).
          change (e l i) with (r l i - link (zs i)). unfold s. ring. }
        rewrite (sum_ext (S n) (fun i => held_out_loss i l) (fun i => (sample_cost d psi (phi i) (r l i) (w i l) - sample_cost d psi (phi i) (r l i) wall)
          + (sample_cost d psi (phi i) (r l i) wall - sample_cost d psi (phi i) (r l i) wstar))).
        + rewrite sum_plus, (sum_minus (S n) (fun i => sample_cost d psi (phi i) (r l i) wall)). lra.
        + intros i _. unfold held_out_loss, excess_loss, without. rewrite !Hat.
          replace (fun j => at_point feat y0 l (skip i j)) with (fun j => phi (skip i j)) by (apply functional_extensionality; intro j; symmetry; apply Hat).
          change (snd (nth i l (nowhere y0))) with (r l i). change (fun j => snd (nth (skip i j) l (nowhere y0))) with (fun j => r l (skip i j)). fold (w i l). ring.
      - rewrite (Expect_plus_const law _ (fun l => sum (S n) (fun i => q i * (s i l - e l i) ^ 2)) (Lam / 2 * square_norm d wstar) Hlaw) by reflexivity.
        apply Rplus_le_compat_r. rewrite Expect_sum. right. apply sum_ext. intros i _. apply Expect_scal. }
    set (total := sum (S n) (fun i => Expect law (gain i))) in *. rewrite Mean in *.
    assert (Each : forall i, (i < S n)%nat -> q i * Expect law (fun l => (s i l - e l i) ^ 2) <= s2 * q i + 2 * L / (c + Lam) * Expect law (gain i)).
    { intros i Hi. pose proof (share_nonneg d c Lam Hc (S n) phi i Hi) as q0. pose proof (share_small d c L Lam Hc HL HLam (S n) phi Hphi i Hi) as q1. fold (q i) in q0, q1.
      assert (E1 : Expect law (fun l => (s i l - e l i) ^ 2) = Expect law (fun l => s i l ^ 2) + Expect law (fun l => e l i ^ 2)).
      { rewrite (Expect_ext law _ (fun l => s i l ^ 2 + (e l i ^ 2 + (-2) * (e l i * (link (z i l) - link (zs i)))))) by (intro; unfold s; ring).
        rewrite !Expect_plus, Expect_scal, (Blind i (fun x => link x - link (zs i)) Hi). ring. }
      pose proof (deviation_variance y0 rew _ s2 Hrew Hvar ps i ltac:(lia)) as V. fold law e in V.
      assert (S2 : Expect law (fun l => s i l ^ 2) <= 2 * L * Expect law (gain i)).
      { rewrite <- Expect_scal. apply Expect_le; [apply Hlaw|]. intro l. apply (by_excess psi link c L Hc HL strong smooth). }
      assert (S0 : 0 <= Expect law (fun l => s i l ^ 2)) by (rewrite <- (Expect_const law 0 Hlaw); apply Expect_le; [apply Hlaw|]; intro; apply pow2_ge_0).
      rewrite E1, Rmult_plus_distr_l.
      assert (T1 : q i * Expect law (fun l => s i l ^ 2) <= / (c + Lam) * (2 * L * Expect law (gain i))) by (apply Rmult_le_compat; assumption).
      assert (T2 : q i * Expect law (fun l => e l i ^ 2) <= q i * s2) by (apply Rmult_le_compat_l; assumption).
      replace (2 * L / (c + Lam) * Expect law (gain i)) with (/ (c + Lam) * (2 * L * Expect law (gain i))) by (unfold Rdiv; ring). lra. }
    assert (Sum : total <= s2 * INR d / c + 2 * L / (c + Lam) * total + Lam / 2 * square_norm d wstar).
    { eapply Rle_trans; [exact Upper|]. apply Rplus_le_compat_r.
      eapply Rle_trans; [apply (sum_le (S n) _ _ Each)|]. rewrite sum_plus, !sum_scal. fold total. apply Rplus_le_compat_r.
      pose proof (share_total d c Lam Hc (S n) phi) as St. fold q in St. apply (Rmult_le_compat_l s2) in St; [|exact Hs2]. unfold Rdiv in *. lra. }
    assert (Pos : 0 < 1 - 2 * L / (c + Lam)).
    { assert (2 * L / (c + Lam) < 1); [|lra]. apply (Rmult_lt_reg_r (c + Lam)); [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra. }
    unfold bound. apply (Rmult_le_reg_r (1 - 2 * L / (c + Lam))); [exact Pos|]. unfold Rdiv at 2. rewrite Rmult_assoc, Rinv_l by lra. lra.
  Qed.
  (** The same for rewards of generalised linear models: 2L (s2 d/c + (Lam/2)|wstar|^2) / ((n + 1)(1 - 2L/(c + Lam))). *)
  Theorem glm_iid_excess_risk :
    Expect (iid (point_law Q rew) n) (fun l => Expect Q (fun p => (link (dot d (feat p) (glm_fit l)) - link (dot d (feat p) wstar)) ^ 2)) <=
      glm_constant c L Lam s2 (INR d) (square_norm d wstar) / INR (S n).
  Proof.
    assert (HN : 0 < INR (S n)) by (apply lt_0_INR; lia).
    assert (Hpoints : distribution (point_law Q rew)) by (apply distribution_bind; [exact HQ|]; intro p; apply distribution_bind; [apply Hrew|]; intro; apply distribution_dirac).
    assert (Hiid : forall k, distribution (iid (point_law Q rew) k)).
    { induction k as [|k IH]; [apply distribution_dirac|]. apply distribution_bind; [exact IH|]. intro. apply distribution_bind; [exact Hpoints|]. intro. apply distribution_dirac. }
    apply Rle_trans with (2 * L * Expect (iid (point_law Q rew) n) (fun l => Expect (point_law Q rew) (fun z => fresh_loss z l))).
    - rewrite <- Expect_scal. apply Expect_le; [apply Hiid|]. intro l. rewrite <- Expect_scal. unfold point_law. rewrite Expect_bind.
      apply Expect_le; [apply HQ|]. intro p. rewrite Expect_bind. rewrite (Expect_ext (rew p) _ (fun r => 2 * L * fresh_loss (p, r) l)) by (intro r; exact (Expect_dirac (p, r) (fun z => 2 * L * fresh_loss z l))).
      rewrite Expect_scal. set (y := dot d (feat p) (glm_fit l)). set (ys := dot d (feat p) wstar).
      rewrite (Expect_ext (rew p) _ (fun r => (psi y - psi ys) + - (y - ys) * r)) by (intro r; unfold fresh_loss, excess_loss, sample_cost; cbn [fst snd]; fold y ys; ring).
      rewrite Expect_plus, Expect_const, Expect_scal, Hmean by apply Hrew. fold ys. eapply Rle_trans; [apply (by_excess psi link c L Hc HL strong smooth ys y)|]. right. ring.
    - apply Rle_trans with (2 * L * (bound * / INR (S n))); [|right; unfold glm_constant; fold bound; unfold Rdiv at 1; ring]. apply Rmult_le_compat_l; [lra|].
      apply (Rmult_le_reg_l (INR (S n))); [exact HN|].
      rewrite (held_out_average (point_law Q rew) n fresh_loss held_out_loss) by (intros; apply held_out_insert; assumption).
      rewrite (design_first Q rew). replace (INR (S n) * (bound * / INR (S n))) with bound by (field; lra).
      rewrite <- (Expect_const (iid Q (S n)) bound (distribution_iid Q HQ (S n))).
      apply Expect_le_on_support; [apply (distribution_iid Q HQ)|]. eapply Forall_impl; [|apply (iid_support feat d Q HQ1)]. intros [p ps] [H1 H2]. apply glm_design; assumption.
  Qed.
End GlmSamples.

(** ** The hypotheses can be met: the identity link, c = L = 1, psi(z) = z^2/2 *)
Definition identity_fit (d : nat) (Lam : R) (N : nat) (p : nat -> vector) (r : nat -> R) : vector :=
  solve d (fun j i => / sqrt Lam * p j i) N (fun i => / Lam * sum N (fun j => r j * p j i)).
(** For the identity link the minimiser is a solution of linear equations, and psi is 1-strongly convex and 1-smooth. *)
Theorem identity_link d Lam : 0 < Lam ->
  (forall z y : R, z ^ 2 / 2 + z * (y - z) + 1 / 2 * (y - z) ^ 2 = y ^ 2 / 2) /\
  (forall N p r i, (i < d)%nat -> sum N (fun j => (dot d (p j) (identity_fit d Lam N p r) - r j) * p j i) + Lam * identity_fit d Lam N p r i = 0).
Proof.
  intro HLam. split; [intros; field|]. intros N p r i Hi. set (w := identity_fit d Lam N p r).
  pose proof (solve_solves d (fun j i => / sqrt Lam * p j i) N (fun i => / Lam * sum N (fun j => r j * p j i)) i Hi) as E. fold (identity_fit d Lam N p r) in E. fold w in E.
  unfold A in E. assert (S : / sqrt Lam * / sqrt Lam = / Lam).
  { rewrite <- Rinv_mult by (apply Rgt_not_eq, sqrt_lt_R0, HLam). rewrite sqrt_sqrt by lra. reflexivity. }
  rewrite (sum_ext N (fun j => dot d (fun i0 => / sqrt Lam * p j i0) w * (/ sqrt Lam * p j i)) (fun j => / Lam * (dot d (p j) w * p j i))) in E.
  - rewrite sum_scal in E. rewrite (sum_ext N _ (fun j => dot d (p j) w * p j i - r j * p j i)) by (intros; ring). rewrite sum_minus.
    apply (Rmult_eq_compat_l Lam) in E. rewrite Rmult_plus_distr_l, <- !Rmult_assoc, Rinv_r, !Rmult_1_l in E by lra. lra.
  - intros j _. rewrite <- S. rewrite (dot_symmetric d _ w), (dot_scal d (/ sqrt Lam) w (p j)), (dot_symmetric d w). ring.
Qed.
