(** * lem:rademacher: eps_gen <= 2 R

    n independent samples with laws of their own, any class W of models, any routine that returns one of them, with randomness of its
    own.  population - shown is n times the expected loss less the training loss of a model; sup s sigma is any number above
    (1/n) sum_i sigma_i loss(w, s_i) for every model w, such as the supremum where it is finite.  Then

        E (1/n)(population - shown)(output) <= 2 R,     R = E sup_w (1/n) sum_i sigma_i loss(w, s_i),

    by symmetrisation: a second sample for the mean, then random signs.  With finite laws the routine has finitely many outputs, and
    the proof takes the maximum over these.  For linear models with the squared loss, |phi| <= 1, rewards in [0,1] and |w| <= B,
    R <= 2B(B + 1)/sqrt n: a loss is 2(B + 1)-Lipschitz in the prediction, so by contraction it may be replaced by it.
    Main definitions: [signs], [signed_loss], [rademacher_complexity].
    Main results: [lem_rademacher], [rademacher_ball], [lem_rademacher_repaired].                                                *)
From Coq Require Import Reals Lra Lia Psatz List FunctionalExtensionality.
From FedIGW Require Import FiniteSums FiniteProbability AcceleratedGradient Exchangeability RidgeExcessRisk RidgeDifferentLaws.
Import ListNotations.
Open Scope R_scope.

(** random signs: n independent fair coins, 1 or -1 *)
Definition coin : list (R * R) := [(/ 2, 1); (/ 2, -1)].
Definition signs (n : nat) : list (R * list R) := product (repeat coin n).

Section Rademacher.
  Variables (Z W : Type) (loss : W -> Z -> R).
  (** n times the expected loss, n times the training loss, and the training losses with signs *)
  Fixpoint population (Ps : list (list (R * Z))) (w : W) : R :=
    match Ps with nil => 0 | P :: Ps' => Expect P (loss w) + population Ps' w end.
  Fixpoint shown (s : list Z) (w : W) : R := match s with nil => 0 | z :: s' => loss w z + shown s' w end.
  Fixpoint signed_loss (sigma : list R) (s : list Z) (w : W) : R :=
    match sigma, s with x :: sigma', z :: s' => x * loss w z + signed_loss sigma' s' w | _, _ => 0 end.
  (** R, for a given supremum over the class of (1/n) sum_i sigma_i loss(w, s_i) *)
  Definition rademacher_complexity (Ps : list (list (R * Z))) (sup : list Z -> list R -> R) : R :=
    Expect (product Ps) (fun s => Expect (signs (length Ps)) (fun sigma => sup s sigma)).

  (** ** Finitely many models *)
  Section Finite.
    Variables (w0 : W) (ws : list W).
    Definition Max (f : W -> R) : R := fold_right (fun w m => Rmax (f w) m) (f w0) ws.
    Lemma Max_ge f w : In w (w0 :: ws) -> f w <= Max f.
    Proof.
      unfold Max. induction ws as [|v vs IH]; simpl; [intros [->|[]]; lra|].
      intros [->|[->|H]]; [|apply Rmax_l|]; (eapply Rle_trans; [|apply Rmax_r]; apply IH; simpl; auto).
    Qed.
    Lemma Max_attained f : exists w, In w (w0 :: ws) /\ Max f = f w.
    Proof.
      unfold Max. induction ws as [|v vs [w [H1 H2]]]; simpl; [exists w0; auto|].
      unfold Rmax. destruct (Rle_dec (f v) _); [|exists v; auto].
      exists w. split; [|exact H2]. destruct H1; auto.
    Qed.
    Lemma Max_plus f g : Max (fun w => f w + g w) <= Max f + Max g.
    Proof. destruct (Max_attained (fun w => f w + g w)) as (w & H1 & ->). pose proof (Max_ge f w H1). pose proof (Max_ge g w H1). lra. Qed.
    Lemma Max_le f g : (forall w, f w <= g w) -> Max f <= Max g.
    Proof. intro H. destruct (Max_attained f) as (w & H1 & ->). eapply Rle_trans; [apply H|apply Max_ge, H1]. Qed.
    Lemma Max_mean {Y} (Q : list (R * Y)) (f : Y -> W -> R) : distribution Q ->
      Max (fun w => Expect Q (fun y => f y w)) <= Expect Q (fun y => Max (f y)).
    Proof.
      intro HQ. destruct (Max_attained (fun w => Expect Q (fun y => f y w))) as (w & H1 & ->).
      apply Expect_le; [apply HQ|]. intro y. apply Max_ge, H1.
    Qed.
    (** E max (acc + population - shown); the same with a second sample in place of the population, and with random signs;
        E max (acc + signed losses): all by recursion over the samples *)
    Fixpoint deviation (Ps : list (list (R * Z))) (acc : W -> R) : R :=
      match Ps with nil => Max acc
      | P :: Ps' => Expect P (fun z => deviation Ps' (fun w => acc w + (Expect P (loss w) - loss w z))) end.
    Fixpoint ghost (Ps : list (list (R * Z))) (acc : W -> R) : R :=
      match Ps with nil => Max acc
      | P :: Ps' => Expect P (fun z => Expect P (fun z' => ghost Ps' (fun w => acc w + (loss w z' - loss w z)))) end.
    Fixpoint signed (Ps : list (list (R * Z))) (acc : W -> R) : R :=
      match Ps with nil => Max acc
      | P :: Ps' => Expect P (fun z => Expect P (fun z' =>
          / 2 * (signed Ps' (fun w => acc w + (loss w z' - loss w z)) + signed Ps' (fun w => acc w + (loss w z - loss w z'))))) end.
    Fixpoint rademacher (Ps : list (list (R * Z))) (acc : W -> R) : R :=
      match Ps with nil => Max acc
      | P :: Ps' => Expect P (fun z => / 2 * (rademacher Ps' (fun w => acc w + loss w z) + rademacher Ps' (fun w => acc w - loss w z))) end.

    Lemma deviation_mean {Y} (Q : list (R * Y)) Ps : distribution Q -> Forall distribution Ps -> forall f : Y -> W -> R,
      deviation Ps (fun w => Expect Q (fun y => f y w)) <= Expect Q (fun y => deviation Ps (f y)).
    Proof.
      intros HQ HPs. induction HPs as [|P Ps HP HPs IH]; intro f; [apply Max_mean, HQ|]. simpl. rewrite <- Expect_swap.
      apply Expect_le; [apply HP|]. intro z. eapply Rle_trans; [|apply IH]. right. f_equal. apply functional_extensionality. intro w.
      rewrite (Expect_plus_const Q (fun y => f y w + (Expect P (loss w) - loss w z)) (fun y => f y w) (Expect P (loss w) - loss w z) HQ); reflexivity.
    Qed.
    Lemma deviation_ghost Ps : Forall distribution Ps -> forall acc, deviation Ps acc <= ghost Ps acc.
    Proof.
      intro HPs. induction HPs as [|P Ps HP HPs IH]; intro acc; simpl; [lra|]. apply Expect_le; [apply HP|]. intro z.
      eapply Rle_trans; [|apply Expect_le; [apply HP|]; intro z'; apply IH].
      eapply Rle_trans; [|apply (deviation_mean P Ps HP HPs (fun z' w => acc w + (loss w z' - loss w z)))]. right. f_equal.
      apply functional_extensionality. intro w.
      rewrite (Expect_plus_const P (fun z' => acc w + (loss w z' - loss w z)) (loss w) (acc w - loss w z) HP); [ring|intro; ring].
    Qed.
    Lemma ghost_signed Ps : forall acc, ghost Ps acc = signed Ps acc.
    Proof.
      induction Ps as [|P Ps IH]; intro acc; simpl; [reflexivity|].
      set (A := fun z z' => signed Ps (fun w => acc w + (loss w z' - loss w z))).
      rewrite (Expect_ext P _ (fun z => Expect P (fun z' => A z z'))) by (intro z; apply Expect_ext; intro z'; apply IH).
      rewrite (Expect_ext P (fun z => Expect P (fun z' => / 2 * (_ + _)))
        (fun z => / 2 * (Expect P (fun z' => A z z') + Expect P (fun z' => A z' z)))).
      - rewrite (Expect_scal P), (Expect_plus P), (Expect_swap P P (fun z z' => A z' z)). lra.
      - intro z. rewrite (Expect_scal P), (Expect_plus P). reflexivity.
    Qed.
    Lemma signed_rademacher Ps : Forall distribution Ps -> forall a b, signed Ps (fun w => a w + b w) <= rademacher Ps a + rademacher Ps b.
    Proof.
      intro HPs. induction HPs as [|P Ps HP HPs IH]; intros a b; [apply Max_plus|]. simpl.
      set (Ra := fun z => / 2 * (rademacher Ps (fun w => a w + loss w z) + rademacher Ps (fun w => a w - loss w z))).
      set (Rb := fun z => / 2 * (rademacher Ps (fun w => b w + loss w z) + rademacher Ps (fun w => b w - loss w z))).
      eapply Rle_trans; [apply (Expect_le P _ (fun z => Expect P (fun z' => Ra z' + Rb z))); [apply HP|]|].
      - intro z. apply Expect_le; [apply HP|]. intro z'. unfold Ra, Rb.
        pose proof (IH (fun w => a w + loss w z') (fun w => b w - loss w z)) as H1.
        pose proof (IH (fun w => a w - loss w z') (fun w => b w + loss w z)) as H2.
        replace (fun w => a w + b w + (loss w z' - loss w z)) with (fun w => a w + loss w z' + (b w - loss w z))
          by (apply functional_extensionality; intro; ring).
        replace (fun w => a w + b w + (loss w z - loss w z')) with (fun w => a w - loss w z' + (b w + loss w z))
          by (apply functional_extensionality; intro; ring). lra.
      - right. rewrite (Expect_ext P _ (fun z => Rb z + Expect P Ra)).
        + rewrite (Expect_plus P Rb), (Expect_const P _ HP). ring.
        + intro z. rewrite (Expect_plus P Ra), (Expect_const P _ HP). ring.
    Qed.
    (** the recursions are expectations over the sample, and over sample and signs *)
    Lemma deviation_draws Ps : forall acc, deviation Ps acc = Expect (product Ps) (fun s => Max (fun w => acc w + (population Ps w - shown s w))).
    Proof.
      induction Ps as [|P Ps IH]; intro acc.
      - simpl. replace (fun w => acc w + (0 - 0)) with acc by (apply functional_extensionality; intro; ring). ring.
      - rewrite Expect_product, Expect_swap. cbn [deviation]. apply Expect_ext. intro z. rewrite IH. apply Expect_ext. intro s. f_equal.
        apply functional_extensionality. intro w. simpl. ring.
    Qed.
    Lemma rademacher_draws Ps : forall acc, rademacher Ps acc =
      Expect (product Ps) (fun s => Expect (signs (length Ps)) (fun sigma => Max (fun w => acc w + signed_loss sigma s w))).
    Proof.
      induction Ps as [|P Ps IH]; intro acc.
      - simpl. replace (fun w => acc w + 0) with acc by (apply functional_extensionality; intro; ring). ring.
      - rewrite Expect_product, Expect_swap. cbn [rademacher length]. apply Expect_ext. intro z. rewrite !IH.
        rewrite <- Expect_plus, <- Expect_scal. apply Expect_ext. intro s. rewrite <- Expect_plus, <- Expect_scal.
        unfold signs. cbn [repeat]. rewrite Expect_product. apply Expect_ext. intro sigma. cbn [Expect coin signed_loss].
        rewrite Rplus_0_r, <- Rmult_plus_distr_l. do 3 f_equal; apply functional_extensionality; intro w; ring.
    Qed.
    (** E (population - shown)(output) <= 2 E max_w (signed losses), for outputs among these models *)
    Lemma finite_rademacher Ps (out : list Z -> list (R * W)) : Forall distribution Ps -> (forall s, distribution (out s)) ->
      Forall (fun ps => Forall (fun qw => In (snd qw) (w0 :: ws)) (out (snd ps))) (product Ps) ->
      Expect (product Ps) (fun s => Expect (out s) (fun w => population Ps w - shown s w)) <=
      2 * Expect (product Ps) (fun s => Expect (signs (length Ps)) (fun sigma => Max (signed_loss sigma s))).
    Proof.
      intros HPs Hout Hin. apply Rle_trans with (deviation Ps (fun _ => 0)).
      - rewrite deviation_draws. apply Expect_le_on_support; [apply (distribution_product Ps HPs)|].
        eapply Forall_impl; [|exact Hin]. intros [p s] Hs. cbn [snd] in *.
        rewrite <- (Expect_const (out s) (Max (fun w => 0 + (population Ps w - shown s w))) (Hout s)).
        apply Expect_le_on_support; [apply Hout|]. eapply Forall_impl; [|exact Hs]. intros [q w] Hw. cbn [snd] in *.
        pose proof (Max_ge (fun w => 0 + (population Ps w - shown s w)) w Hw) as H. cbv beta in H. lra.
      - eapply Rle_trans; [apply deviation_ghost, HPs|]. rewrite ghost_signed.
        replace (fun _ : W => 0) with (fun _ : W => 0 + 0) by (apply functional_extensionality; intro; ring).
        eapply Rle_trans; [apply (signed_rademacher Ps HPs (fun _ => 0) (fun _ => 0))|].
        rewrite rademacher_draws. right.
        rewrite (Expect_ext _ (fun s => Expect (signs (length Ps)) (fun sigma => Max (fun w => 0 + signed_loss sigma s w)))
          (fun s => Expect (signs (length Ps)) (fun sigma => Max (signed_loss sigma s)))); [ring|].
        intro s. apply Expect_ext. intro sigma. f_equal. apply functional_extensionality. intro w. ring.
    Qed.
  End Finite.

  Lemma coin_distribution : distribution coin.
  Proof. split; [repeat constructor; simpl; lra|simpl; lra]. Qed.
  Lemma signs_distribution n : distribution (signs n).
  Proof. apply distribution_product. apply Forall_forall. intros P HP. apply repeat_spec in HP. subst P. exact coin_distribution. Qed.

  (** lem:rademacher, printed:  eps_gen <= 2 R for independent samples, any class with a supremum, any randomised routine. *)
  Theorem lem_rademacher (Ps : list (list (R * Z))) (out : list Z -> list (R * W)) (sup : list Z -> list R -> R) :
    Ps <> nil -> Forall distribution Ps -> (forall s, distribution (out s)) ->
    (forall s sigma w, / INR (length Ps) * signed_loss sigma s w <= sup s sigma) ->
    Expect (product Ps) (fun s => Expect (out s) (fun w => / INR (length Ps) * (population Ps w - shown s w))) <=
      2 * rademacher_complexity Ps sup.
  Proof.
    intros Hn HPs Hout Hsup. set (n := length Ps).
    assert (HN : 0 < / INR n) by (apply Rinv_0_lt_compat, lt_0_INR; unfold n; destruct Ps; [congruence|simpl; lia]).
    set (outputs := flat_map (fun ps => map snd (out (snd ps))) (product Ps)).
    pose proof (distribution_product Ps HPs) as HD.
    assert (Hw0 : exists w0 : W, True).
    { pose proof (Hout nil) as [_ H1]. destruct (out nil) as [|[q w] l]; [simpl in H1; lra|exists w; exact I]. }
    destruct Hw0 as [w0 _].
    assert (Hin : Forall (fun ps => Forall (fun qw => In (snd qw) (w0 :: outputs)) (out (snd ps))) (product Ps)).
    { apply Forall_forall. intros ps Hps. apply Forall_forall. intros qw Hqw. right. unfold outputs. apply in_flat_map.
      exists ps. split; [exact Hps|]. apply in_map, Hqw. }
    pose proof (finite_rademacher w0 outputs Ps out HPs Hout Hin) as H. fold n in H.
    rewrite (Expect_ext _ _ (fun s => / INR n * Expect (out s) (fun w => population Ps w - shown s w))) by (intro s; apply Expect_scal).
    rewrite Expect_scal. apply (Rmult_le_compat_l (/ INR n)) in H; [|lra]. eapply Rle_trans; [exact H|].
    replace (/ INR n * (2 * Expect (product Ps) (fun s => Expect (signs n) (fun sigma => Max w0 outputs (signed_loss sigma s)))))
      with (2 * (/ INR n * Expect (product Ps) (fun s => Expect (signs n) (fun sigma => Max w0 outputs (signed_loss sigma s))))) by ring.
    apply Rmult_le_compat_l; [lra|]. rewrite <- Expect_scal. apply Expect_le; [apply HD|]. intro s. rewrite <- Expect_scal.
    apply Expect_le; [apply (signs_distribution n)|]. intro sigma.
    destruct (Max_attained w0 outputs (signed_loss sigma s)) as (w & _ & ->). apply Hsup.
  Qed.
End Rademacher.
Arguments population {Z W}.
Arguments shown {Z W}.
Arguments signed_loss {Z W}.
Arguments rademacher_complexity {Z}.
Arguments Max {W}.
Arguments Max_attained {W}.
Arguments Max_ge {W}.
Arguments finite_rademacher {Z W}.

(** ** Linear models in a ball: R <= 2 B (B + 1) / sqrt n *)
Section Contraction.
  Variables (W : Type) (w0 : W) (ws : list W).
  (** E over signs of max (acc + sum_i sigma_i h_i), by recursion *)
  Fixpoint signed_max (hs : list (W -> R)) (acc : W -> R) : R :=
    match hs with nil => Max w0 ws acc
    | h :: hs' => / 2 * (signed_max hs' (fun w => acc w + h w) + signed_max hs' (fun w => acc w - h w)) end.
  Lemma signed_max_signs Z (loss : W -> Z -> R) s : forall acc,
    Expect (signs (length s)) (fun sigma => Max w0 ws (fun w => acc w + signed_loss loss sigma s w)) =
    signed_max (map (fun z w => loss w z) s) acc.
  Proof.
    induction s as [|z s IH]; intro acc.
    - simpl. replace (fun w => acc w + 0) with acc by (apply functional_extensionality; intro; ring). ring.
    - cbn [length map signed_max]. rewrite <- !IH, <- Expect_plus, <- Expect_scal. unfold signs. cbn [repeat]. rewrite Expect_product.
      apply Expect_ext. intro sigma. cbn [Expect coin signed_loss]. rewrite Rplus_0_r, <- Rmult_plus_distr_l.
      do 3 f_equal; apply functional_extensionality; intro w; ring.
  Qed.
  Definition less_steep (h u : W -> R) : Prop :=
    forall w w', In w (w0 :: ws) -> In w' (w0 :: ws) -> Rabs (h w - h w') <= Rabs (u w - u w').
  Lemma one_contraction h u us : less_steep h u -> forall acc,
    signed_max us (fun w => acc w + h w) + signed_max us (fun w => acc w - h w) <=
    signed_max us (fun w => acc w + u w) + signed_max us (fun w => acc w - u w).
  Proof.
    intro Hs. induction us as [|v us IH]; intro acc.
    - cbn [signed_max]. destruct (Max_attained w0 ws (fun w => acc w + h w)) as (w & H1 & ->).
      destruct (Max_attained w0 ws (fun w => acc w - h w)) as (w' & H2 & ->). pose proof (Hs w w' H1 H2) as H.
      pose proof (Max_ge w0 ws (fun w => acc w + u w)) as P. pose proof (Max_ge w0 ws (fun w => acc w - u w)) as N. cbv beta in P, N.
      pose proof (P w H1). pose proof (P w' H2). pose proof (N w H1). pose proof (N w' H2). pose proof (Rle_abs (h w - h w')).
      unfold Rabs at 2 in H. destruct (Rcase_abs (u w - u w')); lra.
    - cbn [signed_max]. pose proof (IH (fun w => acc w + v w)) as H1. pose proof (IH (fun w => acc w - v w)) as H2. cbv beta in H1, H2.
      assert (E : forall (x y : W -> R) (f g : W -> R), (forall w, f w = g w) -> signed_max us f = signed_max us g)
        by (intros _ _ f g He; f_equal; apply functional_extensionality; exact He).
      rewrite (E v v (fun w => acc w + v w + h w) (fun w => acc w + h w + v w)) in H1 by (intro; ring).
      rewrite (E v v (fun w => acc w + v w - h w) (fun w => acc w - h w + v w)) in H1 by (intro; ring).
      rewrite (E v v (fun w => acc w + v w + u w) (fun w => acc w + u w + v w)) in H1 by (intro; ring).
      rewrite (E v v (fun w => acc w + v w - u w) (fun w => acc w - u w + v w)) in H1 by (intro; ring).
      rewrite (E v v (fun w => acc w - v w + h w) (fun w => acc w + h w - v w)) in H2 by (intro; ring).
      rewrite (E v v (fun w => acc w - v w - h w) (fun w => acc w - h w - v w)) in H2 by (intro; ring).
      rewrite (E v v (fun w => acc w - v w + u w) (fun w => acc w + u w - v w)) in H2 by (intro; ring).
      rewrite (E v v (fun w => acc w - v w - u w) (fun w => acc w - u w - v w)) in H2 by (intro; ring). lra.
  Qed.
  Lemma contraction hs us : Forall2 less_steep hs us -> forall acc, signed_max hs acc <= signed_max us acc.
  Proof.
    induction 1 as [|h u hs us Hhu _ IH]; intro acc; [simpl; lra|]. cbn [signed_max].
    pose proof (IH (fun w => acc w + h w)). pose proof (IH (fun w => acc w - h w)). pose proof (one_contraction h u us Hhu acc). lra.
  Qed.
End Contraction.
Arguments signed_max {W}.
Arguments less_steep {W}.
Arguments contraction {W}.

Section Ball.
  Variables (d : nat) (B : R) (w0 : vector) (ws : list vector).
  Hypothesis HB : 0 <= B.
  Hypothesis Hball : Forall (fun w => square_norm d w <= B ^ 2) (w0 :: ws).
  Lemma dot_ball v w : In w (w0 :: ws) -> Rabs (dot d v w) <= B * sqrt (square_norm d v).
  Proof.
    intro Hin. rewrite Forall_forall in Hball. specialize (Hball w Hin).
    pose proof (cauchy_schwarz d v w) as Hc. fold (dot d v w) (square_norm d v) (square_norm d w) in Hc.
    pose proof (square_norm_nonneg d v) as Hv. pose proof (square_norm_nonneg d w) as Hw.
    rewrite <- (sqrt_pow2 B HB), <- sqrt_mult_alt by apply pow2_ge_0. rewrite <- (sqrt_pow2 (Rabs (dot d v w))) by apply Rabs_pos.
    apply sqrt_le_1_alt. rewrite pow2_abs. nra.
  Qed.
  Definition linear_terms (ps : list vector) : list (vector -> R) := map (fun p w => dot d p w) ps.
  Fixpoint total_square (ps : list vector) : R := match ps with nil => 0 | p :: ps' => square_norm d p + total_square ps' end.
  Lemma mean_of_roots a b : 0 <= a -> 0 <= b -> / 2 * (sqrt a + sqrt b) <= sqrt (/ 2 * (a + b)).
  Proof.
    intros Ha Hb. pose proof (sqrt_pos a). pose proof (sqrt_pos b). pose proof (sqrt_sqrt a Ha). pose proof (sqrt_sqrt b Hb).
    rewrite <- (sqrt_pow2 (/ 2 * (sqrt a + sqrt b))) by lra. apply sqrt_le_1_alt. pose proof (pow2_ge_0 (sqrt a - sqrt b)). nra.
  Qed.
  Lemma total_square_nonneg ps : 0 <= total_square ps.
  Proof. induction ps as [|p ps IH]; simpl; [lra|]. pose proof (square_norm_nonneg d p). lra. Qed.
  Lemma linear_max ps : forall v, signed_max w0 ws (linear_terms ps) (fun w => dot d v w) <=
    B * sqrt (square_norm d v + total_square ps).
  Proof.
    induction ps as [|p ps IH]; intro v.
    - cbn [linear_terms map signed_max total_square]. rewrite Rplus_0_r.
      destruct (Max_attained w0 ws (fun w => dot d v w)) as (w & Hw & ->). eapply Rle_trans; [apply Rle_abs|apply dot_ball, Hw].
    - cbn [linear_terms map signed_max total_square]. fold (linear_terms ps).
      replace (fun w => dot d v w + dot d p w) with (fun w => dot d (fun i => v i + p i) w)
        by (apply functional_extensionality; intro w; unfold dot; rewrite <- sum_plus; apply sum_ext; intros; ring).
      replace (fun w => dot d v w - dot d p w) with (fun w => dot d (fun i => v i - p i) w)
        by (apply functional_extensionality; intro w; unfold dot; rewrite <- sum_minus; apply sum_ext; intros; ring).
      pose proof (IH (fun i => v i + p i)) as H1. pose proof (IH (fun i => v i - p i)) as H2.
      pose proof (total_square_nonneg ps) as Ht. pose proof (square_norm_nonneg d (fun i => v i + p i)) as N1.
      pose proof (square_norm_nonneg d (fun i => v i - p i)) as N2.
      pose proof (mean_of_roots (square_norm d (fun i => v i + p i) + total_square ps) (square_norm d (fun i => v i - p i) + total_square ps)
        ltac:(lra) ltac:(lra)) as Hm.
      assert (Hp : / 2 * (square_norm d (fun i => v i + p i) + total_square ps + (square_norm d (fun i => v i - p i) + total_square ps)) =
        square_norm d v + (square_norm d p + total_square ps)).
      { unfold square_norm.
        assert (Q : sum d (fun i => (v i + p i) ^ 2) + sum d (fun i => (v i - p i) ^ 2) = 2 * (sum d (fun i => v i ^ 2) + sum d (fun i => p i ^ 2))).
        { rewrite <- !sum_plus, <- sum_scal. apply sum_ext. intros. ring. } lra. }
      rewrite Hp in Hm. apply (Rmult_le_compat_l B) in Hm; [|exact HB]. lra.
  Qed.
  (** the squared loss of a linear model on (features, reward) *)
  Definition linear_loss (w : vector) (z : vector * R) : R := (dot d (fst z) w - snd z) ^ 2.
  Definition unit_sample (z : vector * R) : Prop := square_norm d (fst z) <= 1 /\ 0 <= snd z <= 1.
  Lemma loss_steep z : unit_sample z ->
    less_steep w0 ws (fun w => linear_loss w z) (fun w => dot d (fun i => 2 * (B + 1) * fst z i) w).
  Proof.
    intros [Hp Hr] w w' Hw Hw'. unfold linear_loss.
    assert (Hone : B * sqrt (square_norm d (fst z)) <= B).
    { rewrite <- (Rmult_1_r B) at 2. apply Rmult_le_compat_l; [exact HB|]. rewrite <- sqrt_1. apply sqrt_le_1_alt. exact Hp. }
    pose proof (dot_ball (fst z) w Hw) as H1. pose proof (dot_ball (fst z) w' Hw') as H2.
    assert (E : forall u, dot d (fun i => 2 * (B + 1) * fst z i) u = 2 * (B + 1) * dot d (fst z) u)
      by (intro u; unfold dot; rewrite <- sum_scal; apply sum_ext; intros; ring).
    rewrite !E. set (x := dot d (fst z) w) in *. set (y := dot d (fst z) w') in *.
    replace ((x - snd z) ^ 2 - (y - snd z) ^ 2) with ((x + y - 2 * snd z) * (x - y)) by ring.
    replace (2 * (B + 1) * x - 2 * (B + 1) * y) with (2 * (B + 1) * (x - y)) by ring. rewrite !Rabs_mult.
    apply Rmult_le_compat_r; [apply Rabs_pos|]. rewrite (Rabs_right (2)) by lra. rewrite (Rabs_right (B + 1)) by lra.
    apply Rabs_le. unfold Rabs in H1, H2. destruct (Rcase_abs x), (Rcase_abs y); lra.
  Qed.
  Lemma ball_sample s : Forall unit_sample s ->
    Expect (signs (length s)) (fun sigma => Max w0 ws (signed_loss linear_loss sigma s)) <=
    2 * B * (B + 1) * sqrt (INR (length s)).
  Proof.
    intro Hs. set (zero := fun _ : nat => 0). set (ps := map (fun (z : vector * R) i => 2 * (B + 1) * fst z i) s).
    rewrite (Expect_ext _ _ (fun sigma => Max w0 ws (fun w => dot d zero w + signed_loss linear_loss sigma s w))).
    2:{ intro sigma. f_equal. apply functional_extensionality. intro w. unfold dot, zero.
        rewrite (sum_ext d _ (fun _ => 0)) by (intros; ring). rewrite sum_zero. ring. }
    rewrite signed_max_signs. eapply Rle_trans; [apply (contraction w0 ws _ (linear_terms ps))|].
    - unfold linear_terms, ps. rewrite map_map. clear - Hs HB Hball. induction Hs as [|z s Hz Hs IH]; simpl; constructor; [apply loss_steep, Hz|exact IH].
    - eapply Rle_trans; [apply linear_max|].
      assert (T : square_norm d zero + total_square ps <= (2 * (B + 1)) ^ 2 * INR (length s)).
      { replace (square_norm d zero) with 0.
        2:{ unfold square_norm, zero. rewrite (sum_ext d _ (fun _ => 0)) by (intros; ring). rewrite sum_zero. reflexivity. }
        unfold ps. clear - Hs HB. induction Hs as [|z s [Hz _] Hs IH]; [simpl; lra|]. cbn [map total_square length]. rewrite S_INR.
        assert (E : square_norm d (fun i => 2 * (B + 1) * fst z i) = (2 * (B + 1)) ^ 2 * square_norm d (fst z))
          by (unfold square_norm; rewrite <- sum_scal; apply sum_ext; intros; ring).
        rewrite E. pose proof (pow2_ge_0 (2 * (B + 1))). nra. }
      apply Rle_trans with (B * sqrt ((2 * (B + 1)) ^ 2 * INR (length s))).
      + apply Rmult_le_compat_l; [exact HB|]. apply sqrt_le_1_alt, T.
      + rewrite sqrt_mult_alt by apply pow2_ge_0. rewrite sqrt_pow2 by lra. lra.
  Qed.
End Ball.

Lemma product_support {Z} (good : Z -> Prop) Ps : Forall (Forall (fun pz => good (snd pz))) Ps ->
  Forall (fun ps => Forall good (snd ps)) (product Ps).
Proof.
  induction 1 as [|P Ps HP HPs IH]; simpl; [repeat constructor|]. apply (Forall_bind (Forall good)).
  eapply Forall_impl; [|exact IH]. intros [p t] Ht. simpl in Ht. simpl. apply (Forall_bind (Forall good)).
  eapply Forall_impl; [|exact HP]. intros [q z] Hz. simpl in Hz. simpl. repeat constructor; assumption.
Qed.

(** The Rademacher complexity of linear models with the squared loss, |phi| <= 1, rewards in [0,1], |w| <= B: at most 2B(B + 1)/sqrt n. *)
Theorem rademacher_ball d B w0 ws (Ps : list (list (R * (vector * R)))) : 0 <= B -> Ps <> nil -> Forall distribution Ps ->
  Forall (Forall (fun pz => unit_sample d (snd pz))) Ps -> Forall (fun w => square_norm d w <= B ^ 2) (w0 :: ws) ->
  rademacher_complexity Ps (fun s sigma => / INR (length Ps) * Max w0 ws (signed_loss (linear_loss d) sigma s)) <=
    2 * B * (B + 1) / sqrt (INR (length Ps)).
Proof.
  intros HB Hn HPs Hunit Hball. unfold rademacher_complexity. set (n := length Ps).
  assert (HN : 0 < INR n) by (apply lt_0_INR; unfold n; destruct Ps; [congruence|simpl; lia]).
  pose proof (distribution_product Ps HPs) as HD.
  apply Rle_trans with (Expect (product Ps) (fun _ => / INR n * (2 * B * (B + 1) * sqrt (INR n)))).
  - apply Expect_le_on_support; [apply HD|]. pose proof (product_support (unit_sample d) Ps Hunit) as H1. pose proof (product_length Ps) as H2.
    rewrite Forall_forall in H1, H2 |- *. intros ps Hps. specialize (H1 ps Hps). specialize (H2 ps Hps). rewrite Expect_scal.
    apply Rmult_le_compat_l; [left; apply Rinv_0_lt_compat, HN|]. unfold n. rewrite <- H2. apply (ball_sample d B w0 ws HB Hball _ H1).
  - rewrite (Expect_const _ _ HD). right. pose proof (sqrt_lt_R0 _ HN). rewrite <- (sqrt_sqrt (INR n)) at 1 by lra. field. lra.
Qed.
(** lem:rademacher, repaired:  eps_gen <= 2 R <= 4B(B + 1)/sqrt n for outputs with |w| <= B. *)
Theorem lem_rademacher_repaired d B (Ps : list (list (R * (vector * R)))) (out : list (vector * R) -> list (R * vector)) :
  0 <= B -> Ps <> nil -> Forall distribution Ps -> Forall (Forall (fun pz => unit_sample d (snd pz))) Ps ->
  (forall s, distribution (out s)) -> (forall s, Forall (fun qw => square_norm d (snd qw) <= B ^ 2) (out s)) ->
  Expect (product Ps) (fun s => Expect (out s) (fun w => / INR (length Ps) * (population (linear_loss d) Ps w - shown (linear_loss d) s w))) <=
    2 * (2 * B * (B + 1) / sqrt (INR (length Ps))).
Proof.
  intros HB Hn HPs Hunit Hout Hball. set (n := length Ps).
  assert (HN : 0 < / INR n) by (apply Rinv_0_lt_compat, lt_0_INR; unfold n; destruct Ps; [congruence|simpl; lia]).
  set (outputs := flat_map (fun ps => map snd (out (snd ps))) (product Ps)). set (w0 := (fun _ => 0) : vector).
  assert (Hin : Forall (fun ps => Forall (fun qw => In (snd qw) (w0 :: outputs)) (out (snd ps))) (product Ps)).
  { apply Forall_forall. intros ps Hps. apply Forall_forall. intros qw Hqw. right. unfold outputs. apply in_flat_map.
    exists ps. split; [exact Hps|]. apply in_map, Hqw. }
  assert (Hin2 : Forall (fun w => square_norm d w <= B ^ 2) (w0 :: outputs)).
  { constructor.
    - unfold square_norm, w0. rewrite (sum_ext d _ (fun _ => 0)) by (intros; ring). rewrite sum_zero. apply pow2_ge_0.
    - apply Forall_forall. intros w Hw. unfold outputs in Hw. apply in_flat_map in Hw as (ps & _ & Hw). apply in_map_iff in Hw as (qw & <- & Hqw).
      pose proof (Hball (snd ps)) as H. rewrite Forall_forall in H. apply H, Hqw. }
  pose proof (finite_rademacher (linear_loss d) w0 outputs Ps out HPs Hout Hin) as H.
  pose proof (rademacher_ball d B w0 outputs Ps HB Hn HPs Hunit Hin2) as H2. unfold rademacher_complexity in H2. fold n in H, H2.
  rewrite (Expect_ext _ _ (fun s => / INR n * Expect (out s) (fun w => population (linear_loss d) Ps w - shown (linear_loss d) s w)))
    by (intro s; apply Expect_scal).
  rewrite Expect_scal. apply (Rmult_le_compat_l (/ INR n)) in H; [|lra]. eapply Rle_trans; [exact H|].
  rewrite (Expect_ext _ _ (fun s => / INR n * Expect (signs n) (fun sigma => Max w0 outputs (signed_loss (linear_loss d) sigma s)))) in H2
    by (intro s; apply Expect_scal).
  rewrite Expect_scal in H2. lra.
Qed.

(** ** Not vacuous: 64 samples with one feature 1 and a fair coin as reward, the first reward as estimate; losses are at most 4 *)
Definition coin_sample : list (R * (vector * R)) := [(/ 2, (fun _ => 1, 0)); (/ 2, (fun _ => 1, 1))].
Definition first_reward (s : list (vector * R)) : list (R * vector) :=
  dirac (fun _ => match s with nil => 0 | z :: _ => Rmax 0 (Rmin 1 (snd z)) end).
(** lem:rademacher, repaired, applies: every hypothesis holds for the example, and the bound is a quarter of the largest loss. *)
Theorem rademacher_example : let Ps := repeat coin_sample 64 in
  Expect (product Ps) (fun s => Expect (first_reward s) (fun w => / INR (length Ps) * (population (linear_loss 1) Ps w - shown (linear_loss 1) s w))) <= 1.
Proof.
  intro Ps. assert (Hlen : length Ps = 64%nat) by apply repeat_length.
  eapply Rle_trans; [apply (lem_rademacher_repaired 1 1 Ps first_reward)|].
  - lra.
  - intro H. rewrite H in Hlen. discriminate.
  - apply Forall_forall. intros P HP. apply repeat_spec in HP. subst P. split; [repeat constructor; simpl; lra|simpl; lra].
  - apply Forall_forall. intros P HP. apply repeat_spec in HP. subst P.
    unfold coin_sample. apply Forall_cons; [|apply Forall_cons; [|apply Forall_nil]]; unfold unit_sample, square_norm; simpl; lra.
  - intro s. apply distribution_dirac.
  - intro s. unfold first_reward, dirac. apply Forall_cons; [|apply Forall_nil]. unfold square_norm. cbn [snd sum].
    destruct s as [|z s]; [lra|]. pose proof (Rmax_l 0 (Rmin 1 (snd z))). pose proof (Rmin_l 1 (snd z)).
    assert (Rmax 0 (Rmin 1 (snd z)) <= 1) by (apply Rmax_lub; lra). nra.
  - rewrite Hlen. replace (INR 64) with (8 * 8) by (simpl; lra). rewrite sqrt_square by lra. lra.
Qed.
