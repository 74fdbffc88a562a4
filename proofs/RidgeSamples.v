(** * Ridge regression on independent samples: the excess risk at a fresh point

    Main definitions: [ridge_fit], the solution of the ridge problem with lambda n = 1 on n points; [fresh_risk], its squared error at
    a point.  Main result: [ridge_iid_excess_risk], for n independent points of any finite law with features in the unit ball, means
    phi'wstar and variances of at most s2,

        E (phi'(w - wstar))^2 <= (s2 d + |wstar|^2) / (n + 1).

    Note: the design is random here.  Given the n + 1 features, RidgeExcessRisk.v bounds the average of the held-out risks; by
    exchangeability (Exchangeability.v) its mean is the risk at a fresh point.                                        *)
From Coq Require Import Reals Lra Lia Psatz List Arith FunctionalExtensionality.
From FedIGW Require Import FiniteSums FiniteProbability AcceleratedGradient RidgeExcessRisk Exchangeability.
Import ListNotations.
Open Scope R_scope.

Section RidgeSamples.
  Context {Y : Type} (feat : Y -> vector) (y0 : Y).
  Variables (d : nat) (wstar : vector) (s2 : R) (n : nat).
  (** design law; reward law given the feature *)
  Variables (Q : list (R * Y)) (rew : Y -> list (R * R)).
  Hypothesis HQ : distribution Q.
  Hypothesis HQ1 : Forall (fun pw => square_norm d (feat (snd pw)) <= 1) Q.
  Hypothesis Hrew : forall p, distribution (rew p).
  Hypothesis Hmean : forall p, Expect (rew p) (fun r => r) = dot d (feat p) wstar.
  Hypothesis Hvar : forall p, Expect (rew p) (fun r => (r - dot d (feat p) wstar) ^ 2) <= s2.
  Hypothesis Hs2 : 0 <= s2.
  Definition point : Type := (Y * R)%type.
  Definition nowhere : point := (y0, 0).
  Definition at_point (l : list point) (j : nat) : vector := feat (fst (nth j l nowhere)).
  Definition point_law : list (R * point) := bind Q (fun p => bind (rew p) (fun r => dirac (p, r))).

  (** the ridge estimate of n points, lambda n = 1 *)
  Definition ridge_solution (p : nat -> vector) (r : nat -> R) : vector := solve d p n (fun i => sum n (fun j => r j * p j i)).
  Definition ridge_fit (l : list point) : vector := ridge_solution (fun j => at_point l j) (fun j => snd (nth j l nowhere)).
  Definition fresh_risk (z : point) (l : list point) : R := dot d (feat (fst z)) (minus (ridge_fit l) wstar) ^ 2.
  Definition held_out_risk (i : nat) (l : list point) : R :=
    dot d (at_point l i) (minus (ridge_solution (fun j => at_point l (skip i j)) (fun j => snd (nth (skip i j) l nowhere))) wstar) ^ 2.
  Lemma held_insert i z l : length l = n -> (i <= n)%nat -> held_out_risk i (insert i z l) = fresh_risk z l.
  Proof.
    intros Hl Hi. unfold held_out_risk, fresh_risk, ridge_fit, at_point. rewrite nth_insert_same by lia.
    replace (fun j => feat (fst (nth (skip i j) (insert i z l) nowhere))) with (fun j => feat (fst (nth j l nowhere)))
      by (apply functional_extensionality; intro j; rewrite nth_insert_skip by lia; reflexivity).
    replace (fun j => snd (nth (skip i j) (insert i z l) nowhere)) with (fun j => snd (nth j l nowhere))
      by (apply functional_extensionality; intro j; rewrite nth_insert_skip by lia; reflexivity).
    reflexivity.
  Qed.

  (** design first, rewards second *)
  Fixpoint rewards_law (ps : list Y) : list (R * list point) :=
    match ps with nil => dirac nil | p :: t => bind (rewards_law t) (fun l => bind (rew p) (fun r => dirac ((p, r) :: l))) end.
  Lemma Expect_rewards p t F : Expect (rewards_law (p :: t)) F = Expect (rewards_law t) (fun l => Expect (rew p) (fun r => F ((p, r) :: l))).
  Proof.
    simpl. rewrite Expect_bind. apply Expect_ext. intro l. rewrite Expect_bind. apply Expect_ext. intro r. apply Expect_dirac.
  Qed.
  Lemma design_first N : forall F, Expect (iid point_law N) F = Expect (iid Q N) (fun ps => Expect (rewards_law ps) F).
  Proof.
    induction N as [|N IH]; intro F; [simpl; lra|].
    rewrite (Expect_iid_S point_law), (Expect_iid_S Q), IH. apply Expect_ext. intro ps.
    rewrite (Expect_ext Q (fun z => Expect (rewards_law (z :: ps)) F)
      (fun p => Expect (rewards_law ps) (fun l => Expect (rew p) (fun r => F ((p, r) :: l))))) by (intro; apply Expect_rewards).
    rewrite (Expect_swap Q (rewards_law ps) (fun p l => Expect (rew p) (fun r => F ((p, r) :: l)))). apply Expect_ext. intro l. unfold point_law. rewrite Expect_bind. apply Expect_ext. intro p.
    rewrite Expect_bind. apply Expect_ext. intro r. rewrite Expect_dirac. reflexivity.
  Qed.
  Lemma distribution_rewards ps : distribution (rewards_law ps).
  Proof.
    induction ps as [|p t IH]; simpl; [apply distribution_dirac|]. apply distribution_bind; [exact IH|]. intro l.
    apply distribution_bind; [apply Hrew|]. intro r. apply distribution_dirac.
  Qed.
  Lemma rewards_support ps : Forall (fun pw => map fst (snd pw) = ps) (rewards_law ps).
  Proof.
    induction ps as [|p t IH]; simpl; [repeat constructor|].
    apply (Forall_bind (fun l => map fst l = p :: t)). eapply Forall_impl; [|exact IH]. intros [q l] Hl. simpl in Hl. simpl.
    apply (Forall_bind (fun l => map fst l = p :: t)). apply Forall_forall. intros [q' r] _. simpl.
    repeat constructor. simpl. rewrite Hl. reflexivity.
  Qed.
  Definition feature_at (ps : list Y) (j : nat) : vector := feat (nth j ps y0).
  Definition noise (ps : list Y) (l : list point) (j : nat) : R := snd (nth j l nowhere) - dot d (feature_at ps j) wstar.
  Lemma noise_mean ps : forall j, (j < length ps)%nat -> Expect (rewards_law ps) (fun l => noise ps l j) = 0.
  Proof.
    induction ps as [|p t IH]; intros j Hj; simpl in Hj; [lia|]. rewrite Expect_rewards. destruct j as [|j].
    - rewrite (Expect_ext _ _ (fun _ => 0)).
      + apply Expect_const, distribution_rewards.
      + intro l. unfold noise, feature_at. simpl. unfold Rminus. rewrite (Expect_plus (rew p) (fun r => r)), Hmean, Expect_const by apply Hrew. ring.
    - rewrite <- (IH j ltac:(lia)). apply Expect_ext. intro l. unfold noise, feature_at. simpl. apply Expect_const, Hrew.
  Qed.
  Lemma noise_variance ps : forall j, (j < length ps)%nat -> Expect (rewards_law ps) (fun l => noise ps l j ^ 2) <= s2.
  Proof.
    induction ps as [|p t IH]; intros j Hj; [simpl in Hj; lia|]. rewrite Expect_rewards. destruct j as [|j].
    - rewrite (Expect_ext _ _ (fun _ => Expect (rew p) (fun r => (r - dot d (feat p) wstar) ^ 2))) by (intro; reflexivity).
      rewrite Expect_const by apply distribution_rewards. apply Hvar.
    - simpl in Hj. eapply Rle_trans; [|apply (IH j); lia]. right. apply Expect_ext. intro l.
      apply (Expect_const_out (rew p) (noise t l j ^ 2)); [apply Hrew|]. intro r. reflexivity.
  Qed.
  Lemma noise_uncorrelated ps : forall j k, (j < length ps)%nat -> (k < length ps)%nat -> j <> k ->
    Expect (rewards_law ps) (fun l => noise ps l j * noise ps l k) = 0.
  Proof.
    assert (H0 : forall p t k, (k < length t)%nat -> Expect (rewards_law (p :: t)) (fun l => noise (p :: t) l 0 * noise (p :: t) l (S k)) = 0).
    { intros p t k Hk. rewrite Expect_rewards, (Expect_ext _ _ (fun _ => 0)); [apply Expect_const, distribution_rewards|].
      intro l. rewrite (Expect_ext _ _ (fun r => noise t l k * (r - dot d (feat p) wstar))) by (intro r; unfold noise, feature_at; simpl; ring).
      rewrite Expect_scal. unfold Rminus. rewrite (Expect_plus (rew p) (fun r => r)), Hmean, Expect_const by apply Hrew. ring. }
    induction ps as [|p t IH]; intros j k Hj Hk Hn; [simpl in Hj; lia|]. simpl in Hj, Hk.
    destruct j as [|j], k as [|k]; [lia | apply H0; lia | |].
    - rewrite (Expect_ext _ _ (fun l => noise (p :: t) l 0 * noise (p :: t) l (S j))) by (intro; ring). apply H0. lia.
    - rewrite Expect_rewards, <- (IH j k) by lia. apply Expect_ext. intro l.
      apply (Expect_const_out (rew p) (noise t l j * noise t l k)); [apply Hrew|]. intro r. reflexivity.
  Qed.

  (** one design of n+1 points *)
  Lemma fixed_design ps : length ps = S n -> Forall (fun p => square_norm d (feat p) <= 1) ps ->
    Expect (rewards_law ps) (fun l => sum (S n) (fun i => held_out_risk i l)) <= ridge_risk_constant s2 (INR d) (square_norm d wstar).
  Proof.
    intros Hl Hp.
    set (fit := fun i (l : list point) => ridge_solution (fun j => feature_at ps (skip i j)) (fun j => snd (nth (skip i j) l nowhere))).
    pose proof (ridge_excess_risk d (feature_at ps) (S n)) as T.
    assert (A1 : forall j, (j < S n)%nat -> square_norm d (feature_at ps j) <= 1).
    { intros j Hj. unfold feature_at. apply (proj1 (Forall_forall _ _) Hp). apply nth_In. lia. }
    specialize (T A1 wstar s2 (list point) (rewards_law ps) (noise ps) (distribution_rewards ps) Hs2).
    specialize (T (fun j Hj => noise_mean ps j ltac:(lia)) (fun j k Hj Hk Hn => noise_uncorrelated ps j k ltac:(lia) ltac:(lia) Hn)).
    specialize (T (fun j Hj => noise_variance ps j ltac:(lia)) fit).
    assert (A2 : forall i w m, (i < S n)%nat -> (m < d)%nat ->
      sum (S n) (fun j => if Nat.eq_dec j i then 0
        else (dot d (feature_at ps j) (fit i w) - (dot d (feature_at ps j) wstar + noise ps w j)) * feature_at ps j m) + fit i w m = 0).
    { intros i w m Hi Hm.
      rewrite (sum_skip (fun j => (dot d (feature_at ps j) (fit i w) - (dot d (feature_at ps j) wstar + noise ps w j)) * feature_at ps j m) n i) by lia.
      pose proof (solve_solves d (fun j => feature_at ps (skip i j)) n (fun k => sum n (fun j => snd (nth (skip i j) w nowhere) * feature_at ps (skip i j) k)) m Hm) as E.
      fold (ridge_solution (fun j => feature_at ps (skip i j)) (fun j => snd (nth (skip i j) w nowhere))) in E. fold (fit i w) in E. unfold A in E.
      rewrite (sum_ext n _ (fun j => dot d (feature_at ps (skip i j)) (fit i w) * feature_at ps (skip i j) m - snd (nth (skip i j) w nowhere) * feature_at ps (skip i j) m))
        by (intros j _; unfold noise; ring).
      rewrite sum_minus. lra. }
    specialize (T A2 ltac:(lia)).
    assert (E : Expect (rewards_law ps) (fun l => sum (S n) (fun i => held_out_risk i l)) =
      sum (S n) (fun i => Expect (rewards_law ps) (fun w => dot d (feature_at ps i) (minus (fit i w) wstar) ^ 2))).
    { rewrite Expect_sum. apply sum_ext. intros i Hi. apply Expect_ext_on_support.
      eapply Forall_impl; [|apply rewards_support]. intros [q l] Hs. simpl in Hs. simpl snd. unfold held_out_risk, fit.
      assert (Hnth : forall j, at_point l j = feature_at ps j)
        by (intro j; unfold at_point, feature_at; rewrite <- Hs; f_equal; symmetry; apply (map_nth fst l nowhere j)).
      rewrite Hnth. replace (fun j => at_point l (skip i j)) with (fun j => feature_at ps (skip i j))
        by (apply functional_extensionality; intro j; symmetry; apply Hnth). reflexivity. }
    rewrite E. assert (HN : 0 < INR (S n)) by (apply lt_0_INR; lia).
    apply (Rmult_le_reg_l (/ INR (S n))); [apply Rinv_0_lt_compat; exact HN|].
    eapply Rle_trans; [exact T|]. right. unfold Rdiv. ring.
  Qed.
  Lemma iid_support N : Forall (fun pw => length (snd pw) = N /\ Forall (fun p => square_norm d (feat p) <= 1) (snd pw)) (iid Q N).
  Proof.
    induction N as [|N IH]; simpl; [repeat constructor|].
    apply (Forall_bind (fun l => length l = S N /\ Forall (fun p => square_norm d (feat p) <= 1) l)).
    eapply Forall_impl; [|exact IH]. intros [q l] [H1 H2]. simpl in H1, H2. simpl.
    apply (Forall_bind (fun l => length l = S N /\ Forall (fun p => square_norm d (feat p) <= 1) l)).
    eapply Forall_impl; [|exact HQ1]. intros [q' p] Hp. simpl in Hp. simpl.
    constructor; [simpl; split; [congruence | constructor; assumption] | constructor].
  Qed.
  Lemma distribution_iid N : distribution (iid Q N).
  Proof.
    induction N as [|N IH]; simpl; [apply distribution_dirac|]. apply distribution_bind; [exact IH|]. intro l.
    apply distribution_bind; [exact HQ|]. intro p. apply distribution_dirac.
  Qed.
  (** Ridge regression on n i.i.d. samples, lambda n = 1: excess fresh_risk at most (s2 d + |wstar|^2)/(n+1). *)
  Theorem ridge_iid_excess_risk :
    Expect (iid point_law n) (fun l => Expect point_law (fun z => fresh_risk z l)) <=
      ridge_risk_constant s2 (INR d) (square_norm d wstar) / INR (S n).
  Proof.
    assert (HN : 0 < INR (S n)) by (apply lt_0_INR; lia).
    apply (Rmult_le_reg_l (INR (S n))); [exact HN|].
    rewrite (held_out_average point_law n fresh_risk held_out_risk) by (intros; apply held_insert; assumption).
    rewrite design_first.
    apply Rle_trans with (Expect (iid Q (S n)) (fun _ => ridge_risk_constant s2 (INR d) (square_norm d wstar))).
    - apply Expect_le_on_support; [apply distribution_iid|]. eapply Forall_impl; [|apply iid_support].
      intros [q ps] [H1 H2]. apply fixed_design; assumption.
    - rewrite Expect_const by apply distribution_iid. right. field. lra.
  Qed.
End RidgeSamples.
