(** * Two arms: a smaller constant still

    With two arms both weights of the chain are equal, whichever arm is greedy, so one number o is carried.  With
    lambda = 15/8, lambda' = 5/16 and multipliers (3/2) m, m = 5/144, 5/864, ... below,

        gamma_L sum_a p^L_a R_a <= 1 + sum_{l = 2}^L Lam_l eps^l,     sum_l Lam_l <= 9/4,

    under H5 alone: C = 1/2 + 9 g^2 / 4, and C/g = 3 / sqrt 2 at the best g.                                   *)
From Coq Require Import Reals Lra Lia Psatz List Arith.
From FedIGW Require Import FiniteSums InverseGapWeighting BackwardChain BestParameters LastEpoch.
Open Scope R_scope.

Lemma sum_two g (f : nat -> R) : (g < 2)%nat -> sum 2 f = f g + f (1 - g)%nat.
Proof. intro H. destruct g as [|[|g]]; [| |lia]; simpl; ring. Qed.
Lemma other_arm g a : (g < 2)%nat -> (a < 2)%nat -> a <> g -> a = (1 - g)%nat.
Proof. lia. Qed.

Section TwoArms.
  Variables (L : nat) (fstar : nat -> R) (fhat : nat -> nat -> R) (gamma : nat -> R).
  Hypothesis first_estimate : forall a, fhat 1 a = 0.
  Hypothesis rates_positive : forall l, (2 <= l <= L)%nat -> 0 < gamma l.
  Hypothesis rates_grow : forall l, (2 <= l)%nat -> (S l <= L)%nat -> gamma l <= gamma (S l).
  Let risk := scaled_risk 2 fstar fhat gamma.
  Let reg := true_gap 2 fstar.
  Let star := best_arm 2 fstar.
  Let p := play 2 fhat gamma.
  Let V := inverse 2 fhat gamma.

  Lemma star_lt_2 : (star < 2)%nat.
  Proof. apply best_arm_lt. lia. Qed.
  Lemma greedy_lt_2 l : (greedy_arm 2 fhat l < 2)%nat.
  Proof. apply greedy_arm_lt. lia. Qed.

  (** Equal weights stay equal: o^2 / (4 lam). *)
  Lemma earlier_equal l o lam a : (a < 2)%nat -> earlier 2 fhat l (fun _ => o) lam a = o * o / (4 * lam).
  Proof.
    intro Ha. unfold earlier. cbv zeta. set (g := greedy_arm 2 fhat l). assert (Hg : (g < 2)%nat) by apply greedy_lt_2.
    rewrite (sum_two g) by exact Hg. rewrite off_same, off_other by lia.
    destruct (Nat.eq_dec a g) as [->|Hn]; [f_equal; ring|]. rewrite off_other by exact Hn. reflexivity.
  Qed.
  (** The greedy arm's coefficient falls by gamma o, the other's rises by it. *)
  Lemma charge_equal l o C a : (a < 2)%nat ->
    charge 2 fhat gamma l (fun _ => o) C a = C a + (if Nat.eq_dec a (greedy_arm 2 fhat l) then - (gamma l * o) else gamma l * o).
  Proof.
    intro Ha. unfold charge. cbv zeta. set (g := greedy_arm 2 fhat l). assert (Hg : (g < 2)%nat) by apply greedy_lt_2.
    rewrite (sum_two g) by exact Hg. rewrite off_same, (off_other g _ (1 - g)) by lia.
    destruct (Nat.eq_dec a g) as [->|Hn]; [rewrite off_same; ring|]. rewrite off_other by exact Hn. ring.
  Qed.

  (** sum_{j = 2}^l (3/2) (m / 6^{l-j}) eps^j *)
  Fixpoint pair_risks (m : R) (l : nat) : R :=
    match l with
    | S (S _ as l') => 3 / 2 * m * risk l' + pair_risks (m / 6) l'
    | _ => 0
    end.

  Theorem pair_chain l : (1 <= l <= L)%nat -> forall C o m G, 0 < m -> 0 <= o <= m -> 0 <= G ->
    ((2 <= l)%nat -> gamma l <= G) -> (forall a, (a < 2)%nat -> a <> star -> C a + 6 / 5 * (G * o) <= 0) ->
    sum 2 (fun a => o * V l a) + sum 2 (fun a => C a * reg a) <= 4 * o * (6 / 5) + pair_risks m l.
  Proof.
    induction l as [|l IH]; [lia|]. intros Hl C o m G Hm Ho HG0 HG Hpaid.
    destruct (Nat.eq_dec l 0) as [->|Hn].
    - simpl pair_risks. unfold V. rewrite (sum_ext 2 _ (fun _ => o * 2))
        by (intros a Ha; rewrite inverse_first by (lia || assumption); simpl; ring).
      assert (HC : sum 2 (fun a => C a * reg a) <= 0).
      { rewrite <- (sum_zero 2). apply sum_le. intros a Ha.
        destruct (Nat.eq_dec a star) as [->|Hs]; [unfold reg, star; rewrite true_gap_best; lra|].
        pose proof (Hpaid a Ha Hs) as H. pose proof (true_gap_nonneg 2 fstar a Ha) as H0. fold reg in H0.
        assert (0 <= G * o) by (apply Rmult_le_pos; lra). nra. }
      rewrite sum_const. simpl INR. lra.
    - assert (H2 : (2 <= S l <= L)%nat) by lia. pose proof (rates_positive (S l) H2) as Hg.
      set (o' := o * o / (4 * (3 / 2 * m))).
      assert (Ho' : 0 <= o' <= o / 6).
      { unfold o'. split; [apply Rmult_le_pos; [nra|left; apply Rinv_0_lt_compat; lra]|].
        apply (Rmult_le_reg_r (6 * m)); [lra|].
        replace (o * o / (4 * (3 / 2 * m)) * (6 * m)) with (o * o) by (field; lra). nra. }
      pose proof (descend 2 L fstar fhat gamma ltac:(lia) first_estimate rates_positive l (fun _ => o) C (3 / 2 * m)
        ltac:(lia) ltac:(lia) ltac:(lra) (fun a _ => proj1 Ho)) as Hd.
      rewrite (sum_ext 2 (fun a => earlier 2 fhat (S l) (fun _ => o) (3 / 2 * m) a * inverse 2 fhat gamma l a) (fun a => o' * V l a)) in Hd
        by (intros a Ha; rewrite earlier_equal by exact Ha; reflexivity).
      assert (Hnext : forall a, (a < 2)%nat -> a <> star -> charge 2 fhat gamma (S l) (fun _ => o) C a + 6 / 5 * (gamma (S l) * o') <= 0).
      { intros a Ha Hs. rewrite charge_equal by exact Ha. pose proof (Hpaid a Ha Hs) as H.
        assert (F1 : gamma (S l) * o <= G * o) by (apply Rmult_le_compat_r; [lra|apply HG; lia]).
        assert (F2 : gamma (S l) * o' <= gamma (S l) * (o / 6)) by (apply Rmult_le_compat_l; lra).
        assert (F3 : 0 <= gamma (S l) * o) by (apply Rmult_le_pos; lra).
        destruct (Nat.eq_dec a (greedy_arm 2 fhat (S l))); lra. }
      pose proof (IH ltac:(lia) (charge 2 fhat gamma (S l) (fun _ => o) C) o' (m / 6) (gamma (S l)) ltac:(lra) ltac:(lra) ltac:(lra)
        ltac:(intro; apply rates_grow; lia) Hnext) as Hi.
      assert (Hpast : pair_risks m (S l) = 3 / 2 * m * risk l + pair_risks (m / 6) l) by (destruct l; [lia|reflexivity]).
      rewrite Hpast. rewrite (sum_const 2 o) in Hd. replace (INR 2) with 2 in Hd by (simpl; ring).
      fold reg V risk in Hd. unfold V, reg, risk in *. lra.
  Qed.

  (** The last epoch: t = gamma^l / gamma^{l+1} (0 in epoch 2), b the arm that was greedy before. *)
  Record pair_start (l b : nat) (t o part : R) (C : nat -> R) : Prop := {
    pair_range : 0 <= o <= 5 / 24;
    pair_first : gamma (S l) * sum 2 (fun a => p (S l) a * reg a) <=
      part - 4 * o + sum 2 (fun a => C a * reg a) + sum 2 (fun a => o * V l a) + 15 / 8 * risk l;
    pair_budget : part + 24 / 5 * (4 / 5 * (o * o)) <= 1;
    pair_own : forall a, (a < 2)%nat -> a <> star -> a <> b ->
      C a + gamma (S l) * t * (o + 24 / 25 * (o * o)) <= 0;
    pair_previous : b <> star -> C b <= 0
  }.

  Lemma pair_start_exists l b t : (1 <= l)%nat -> (S l <= L)%nat -> (b < 2)%nat -> 0 <= t <= 1 ->
    exists o part C, pair_start l b t o part C.
  Proof.
    intros Hl HlL Hb Ht. set (ahat := greedy_arm 2 fhat (S l)). set (G := gamma (S l)). set (P := p (S l)).
    assert (HG : 0 < G) by (apply rates_positive; lia).
    assert (Ha : (ahat < 2)%nat) by apply greedy_lt_2. pose proof star_lt_2 as Hs.
    set (v := fun a => G * gap 2 (fhat (S l)) a).
    assert (HP : forall a, (a < 2)%nat -> 0 < P a).
    { intros a Ha'. apply (play_pos 2 L); auto; lia. }
    assert (HPt : P ahat + P (1 - ahat)%nat = 1).
    { rewrite <- sum_two by exact Ha. unfold P, p, play. apply igw_total. lia. }
    assert (Hva : v ahat = 0) by (unfold v, ahat, greedy_arm; rewrite gap_best; ring).
    assert (Hcomp : forall q om, q star = 0 -> 0 <= sum 2 q ->
      (forall a, (a < 2)%nat -> (q a - at_arm star (sum 2 q) a) ^ 2 <= 15 / 2 * om a) ->
      G * sum 2 (fun a => P a * reg a) <= sum 2 (fun a => q a * v a) + sum 2 (fun a => G * (P a - q a) * reg a)
        + sum 2 (fun a => om a * V l a) + 15 / 8 * risk l).
    { intros q om Hq0 Hq Hom.
      pose proof (compared 2 L fstar fhat gamma ltac:(lia) first_estimate rates_positive l Hl HlL b Hb (15 / 8) q om 0
        ltac:(lra) Hq0 ltac:(lra) Hq) as H.
      eapply Rle_trans; [apply H|].
      - intros a Ha'. replace (at_arm b 0 a) with 0 by (unfold at_arm; destruct (Nat.eq_dec a b); reflexivity).
        rewrite Rminus_0_r, Rminus_0_r. replace (4 * (15 / 8)) with (15 / 2) by lra. apply Hom, Ha'.
      - right. f_equal. f_equal. f_equal. apply sum_ext. intros a _.
        replace (at_arm b 0 a) with 0 by (unfold at_arm; destruct (Nat.eq_dec a b); reflexivity). unfold reg, P, p, G. ring. }
    destruct (Nat.eq_dec ahat star) as [He|Hne].
    - (* ahat is the best arm: the other one has probability z <= 1/2 *)
      set (a' := (1 - ahat)%nat). assert (Ha' : (a' < 2)%nat) by (unfold a'; lia). assert (Hn' : a' <> ahat) by (unfold a'; lia).
      set (z := P a'). assert (Hz0 : 0 < z) by (apply HP; exact Ha').
      assert (Hzv : z * (2 + v a') = 1).
      { unfold z, P, p, play. pose proof (igw_inverse_off_greedy 2 G (fhat (S l)) a' Hn') as H. replace (INR 2) with 2 in H by (simpl; ring).
        unfold v. rewrite <- H. apply Rinv_r. apply Rgt_not_eq. apply (HP a' Ha'). }
      assert (Hv' : 0 <= v a') by (apply Rmult_le_pos; [lra|apply gap_nonneg; exact Ha']).
      assert (Hz : z <= 1 / 2) by nra. assert (Hzv2 : z * v a' = 1 - 2 * z) by lra.
      set (u := t / 4 * z). assert (Hu : 0 <= u <= 1 / 8) by (unfold u; split; nra).
      set (q := fun a => at_arm a' (z * (1 + u)) a).
      set (o := 2 / 15 * (z * (1 + u)) ^ 2).
      assert (Hsq : sum 2 q = z * (1 + u)) by (apply sum_at; exact Ha').
      exists o, (1 - 7 / 4 * z + 4 * o), (fun a => G * (P a - q a)).
      assert (Hqs : q star = 0) by (unfold q; apply at_other; congruence).
      assert (Ho : 0 <= o <= 27 / 160 * (z * z)).
      { unfold o. assert ((1 + u) ^ 2 <= 81 / 64) by nra. assert (0 <= z * z) by nra.
        replace (2 / 15 * (z * (1 + u)) ^ 2) with (2 / 15 * ((z * z) * (1 + u) ^ 2)) by ring.
        assert (0 <= (1 + u) ^ 2) by apply pow2_ge_0.
        assert ((z * z) * (1 + u) ^ 2 <= (z * z) * (81 / 64)) by (apply Rmult_le_compat_l; lra).
        assert (0 <= (z * z) * (1 + u) ^ 2) by (apply Rmult_le_pos; lra). lra. }
      assert (Hzz : 0 <= z * z <= 1 / 2 * z) by (split; nra).
      assert (Hoz : o <= 27 / 320 * z) by lra.
      assert (Hoo : 0 <= o * o <= 1 / 10 * o) by (split; nra).
      constructor.
      + lra.
      + pose proof (Hcomp q (fun _ => o) Hqs) as H. rewrite Hsq in H.
        eapply Rle_trans; [apply H|].
        * apply Rmult_le_pos; lra.
        * intros a Ha2. right. unfold q, o. destruct (Nat.eq_dec a star) as [->|Hns].
          -- rewrite at_same, at_other by congruence. field.
          -- rewrite (at_other star) by exact Hns. assert (a = a') by (unfold a'; apply other_arm; congruence).
             subst a. rewrite at_same. field.
        * assert (HT : sum 2 (fun a => q a * v a) <= 1 - 7 / 4 * z).
          { unfold q. rewrite sum_at_times by exact Ha'.
            replace (z * (1 + u) * v a') with ((1 + u) * (z * v a')) by ring. rewrite Hzv2.
            assert (0 <= u * z) by nra. assert (u <= 1 / 4 * z) by (unfold u; nra). lra. }
          lra.
      + lra.
      + intros a Ha2 Hns Hnb. assert (Haa : a = a') by (unfold a'; apply other_arm; congruence). subst a.
        unfold q. rewrite at_same. fold z. fold G.
        replace (G * (z - z * (1 + u))) with (- (G * t * (1 / 4 * (z * z)))) by (unfold u; field).
        assert (F : o + 24 / 25 * (o * o) <= 1 / 4 * (z * z)) by lra.
        assert (HGt : 0 <= G * t) by (apply Rmult_le_pos; lra).
        apply (Rmult_le_compat_l (G * t)) in F; [|exact HGt]. lra.
      + intro Hbs. assert (Hbb : b = a') by (unfold a'; apply other_arm; congruence). rewrite Hbb. unfold q. rewrite at_same. fold z.
        assert (0 <= G * (z * u)) by (apply Rmult_le_pos; [lra|apply Rmult_le_pos; lra]). lra.
    - (* ahat is the other arm *)
      assert (Hst : star = (1 - ahat)%nat) by (apply other_arm; auto).
      assert (HPa : 0 < P ahat <= 1).
      { pose proof (HP ahat Ha). pose proof (HP (1 - ahat)%nat ltac:(lia)). lra. }
      set (te := if Nat.eq_dec b ahat then 0 else t / 4).
      assert (Hte : 0 <= te <= 1 / 4) by (unfold te; destruct (Nat.eq_dec b ahat); lra).
      set (q := fun a => at_arm ahat (P ahat + te) a). set (o := 2 / 15 * (P ahat + te) ^ 2).
      assert (Hsq : sum 2 q = P ahat + te) by (apply sum_at; exact Ha).
      assert (Hqs : q star = 0) by (unfold q; apply at_other; auto).
      assert (Ho : 0 <= o <= 5 / 24).
      { unfold o. assert (0 <= (P ahat + te) ^ 2) by apply pow2_ge_0. assert ((P ahat + te) ^ 2 <= (5 / 4) ^ 2) by (apply pow_incr; lra). lra. }
      assert (Hoo : 0 <= o * o <= 5 / 24 * o) by (split; nra).
      exists o, (4 * o), (fun a => G * (P a - q a)).
      constructor.
      + exact Ho.
      + pose proof (Hcomp q (fun _ => o) Hqs) as H. rewrite Hsq in H.
        eapply Rle_trans; [apply H|].
        * lra.
        * intros a Ha2. right. unfold q, o. destruct (Nat.eq_dec a star) as [->|Hns].
          -- rewrite at_same, at_other by auto. field.
          -- rewrite (at_other star) by exact Hns.
             assert (Haa : a = ahat) by lia. subst a. rewrite at_same. field.
        * assert (HT : sum 2 (fun a => q a * v a) = 0) by (unfold q; rewrite sum_at_times by exact Ha; rewrite Hva; ring).
          lra.
      + lra.
      + intros a Ha2 Hns Hnb. assert (Haa : a = ahat) by lia. subst a. unfold q. rewrite at_same. fold G.
        unfold te. destruct (Nat.eq_dec b ahat); [congruence|].
        replace (G * (P ahat - (P ahat + t / 4))) with (- (G * t * (1 / 4))) by field.
        assert (F : o + 24 / 25 * (o * o) <= 1 / 4) by lra.
        assert (HGt : 0 <= G * t) by (apply Rmult_le_pos; lra).
        apply (Rmult_le_compat_l (G * t)) in F; [|exact HGt]. lra.
      + intro Hbs. assert (Hbb : b = ahat) by lia. rewrite Hbb. unfold q. rewrite at_same. unfold te.
        destruct (Nat.eq_dec b ahat); [|contradiction].
        replace (P ahat - (P ahat + 0)) with 0 by ring. lra.
  Qed.

  (** sum_{j = 2}^{l + 1} Lam_j eps^j *)
  Definition two_arm_risks (l : nat) : R :=
    15 / 8 * risk l +
    match l with
    | S (S _ as l') => 5 / 16 * risk l' + pair_risks (5 / 144) l'
    | _ => 0
    end.

  Theorem pathwise_two_arms l : (1 <= l)%nat -> (S l <= L)%nat ->
    gamma (S l) * sum 2 (fun a => p (S l) a * reg a) <= 1 + two_arm_risks l.
  Proof.
    intros Hl HlL. destruct l as [|[|l]]; [lia| |].
    - destruct (pair_start_exists 1 (greedy_arm 2 fhat 2) 0 Hl HlL (greedy_lt_2 2) ltac:(lra)) as [o [part [C St]]].
      destruct St as [Ho F Hbud Hown Hprev].
      rewrite (sum_ext 2 (fun a => o * V 1 a) (fun _ => o * 2)) in F
        by (intros a Ha; unfold V; rewrite inverse_first by (lia || assumption); simpl; ring).
      rewrite sum_const in F. replace (INR 2) with 2 in F by (simpl; ring).
      assert (HC : sum 2 (fun a => C a * reg a) <= 0).
      { rewrite <- (sum_zero 2). apply sum_le. intros a Ha.
        destruct (Nat.eq_dec a star) as [->|Hs]; [unfold reg, star; rewrite true_gap_best; lra|].
        pose proof (true_gap_nonneg 2 fstar a Ha) as H0. fold reg in H0.
        assert (C a <= 0); [|nra]. destruct (Nat.eq_dec a (greedy_arm 2 fhat 2)) as [->|Hn]; [apply Hprev, Hs|].
        pose proof (Hown a Ha Hs Hn) as H. lra. }
      assert (0 <= o * o) by nra. unfold two_arm_risks. lra.
    - set (G := gamma (S (S (S l)))). pose proof (rates_positive (S (S l)) ltac:(lia)) as Hg.
      assert (HG : 0 < G) by (apply rates_positive; lia). pose proof (rates_grow (S (S l)) ltac:(lia) HlL) as Hgrow. fold G in Hgrow.
      set (t := gamma (S (S l)) / G). assert (HtG : G * t = gamma (S (S l))) by (unfold t; field; lra).
      assert (Ht : 0 <= t <= 1).
      { split; [left; apply Rdiv_lt_0_compat; lra|]. apply (Rmult_le_reg_l G); lra. }
      set (b := greedy_arm 2 fhat (S (S l))). assert (Hb : (b < 2)%nat) by apply greedy_lt_2.
      destruct (pair_start_exists (S (S l)) b t Hl HlL Hb Ht) as [o [part [C St]]].
      destruct St as [Ho F Hbud Hown Hprev]. fold G in F, Hown. rewrite HtG in Hown.
      pose proof (descend 2 L fstar fhat gamma ltac:(lia) first_estimate rates_positive (S l) (fun _ => o) C (5 / 16)
        ltac:(lia) ltac:(lia) ltac:(lra) (fun a _ => proj1 Ho)) as Hd.
      set (o' := 4 / 5 * (o * o)).
      rewrite (sum_ext 2 (fun a => earlier 2 fhat (S (S l)) (fun _ => o) (5 / 16) a * inverse 2 fhat gamma (S l) a) (fun a => o' * V (S l) a)) in Hd
        by (intros a Ha; rewrite earlier_equal by exact Ha; unfold o', V; field).
      rewrite (sum_const 2 o) in Hd. replace (INR 2) with 2 in Hd by (simpl; ring).
      assert (Hoo : 0 <= o * o <= 5 / 24 * o) by (split; nra).
      assert (Hgo : 0 <= gamma (S (S l)) * (o * o) <= 5 / 24 * (gamma (S (S l)) * o)).
      { split; [apply Rmult_le_pos; lra|]. replace (5 / 24 * (gamma (S (S l)) * o)) with (gamma (S (S l)) * (5 / 24 * o)) by ring.
        apply Rmult_le_compat_l; lra. }
      assert (Hpaid : forall a, (a < 2)%nat -> a <> star ->
        charge 2 fhat gamma (S (S l)) (fun _ => o) C a + 6 / 5 * (gamma (S (S l)) * o') <= 0).
      { intros a Ha Hs. rewrite charge_equal by exact Ha. fold b. unfold o'.
        destruct (Nat.eq_dec a b) as [->|Hn].
        - pose proof (Hprev Hs). lra.
        - pose proof (Hown a Ha Hs Hn). lra. }
      pose proof (pair_chain (S l) ltac:(lia) (charge 2 fhat gamma (S (S l)) (fun _ => o) C) o' (5 / 144) (gamma (S (S l)))
        ltac:(lra) ltac:(unfold o'; lra) ltac:(lra) ltac:(intro; apply rates_grow; lia) Hpaid) as Hc.
      unfold two_arm_risks. fold G. unfold o' in *. unfold V, reg, risk, p in *. lra.
  Qed.
End TwoArms.
