(** * Ridge regression inside the protocol: H3

    All agents have one law of contexts and rewards, with means phi(x,a)'wstar, and play from one estimate.  Then an epoch's pooled data
    are independent samples of one law ([all_is_iid]) and RidgeSamples.v applies with n = W^l samples and s2 = 1/4.
    Main definitions: [linear_estimate], [pooled], [ridge_of].
    Main results, for any A >= d/4 + |wstar|^2:
    [ridge_H3]    E Err^l <= W^l A / (W^l + 1), the exact solution;
    [solver_H3]   E Err^l <= W^l (1 + delta)^2 A / (W^l + 1), any solver with |w - w_S|^2 <= delta^2 A / (n + 1).
    Note: estimates are not clipped.  That agents share the estimate is why H3 is asked of reachable estimates only.  *)
From Coq Require Import Reals Lra Lia Psatz List Arith FunctionalExtensionality.
From FedIGW Require Import FiniteSums FiniteProbability InverseGapWeighting AcceleratedGradient RidgeExcessRisk Protocol Exchangeability RidgeSamples.
Import ListNotations.
Open Scope R_scope.

Section RidgeProtocol.
  Variables (M X0 K0 : nat) (D0 : nat -> R) (rl : nat -> nat -> list (R * R)).
  Variables (len : nat -> nat -> nat) (gamma : nat -> R) (dim : nat) (phi : nat -> nat -> vector) (wstar : vector).
  Hypothesis HK0 : (1 <= K0)%nat.
  Hypothesis HD0 : forall x, (x < X0)%nat -> 0 <= D0 x.
  Hypothesis HD1 : sum X0 D0 = 1.
  Hypothesis Hrl : forall x a, distribution (rl x a).
  Hypothesis Hrl01 : forall x a, Forall (fun pr => 0 <= snd pr <= 1) (rl x a).
  Hypothesis Hlin : forall x a, Expect (rl x a) (fun r => r) = dot dim (phi x a) wstar.
  Hypothesis Hphi : forall x a, square_norm dim (phi x a) <= 1.
  (** any A from d/4 + |wstar|^2 on *)
  Variable A : R.
  Hypothesis HA : ridge_risk_constant (1 / 4) (INR dim) (square_norm dim wstar) <= A.
  Variables (l : nat) (f : estimate).
  Hypothesis Hgamma : 0 <= gamma l.
  (** all agents play from one estimate *)
  Hypothesis common : forall m x, f m x = f 0%nat x.
  Let X := fun _ : nat => X0.
  Let K := fun _ : nat => K0.
  Let D := fun _ : nat => D0.
  Let reward_law := fun _ : nat => rl.
  Definition feature (y : nat * nat) : vector := phi (fst y) (snd y).
  Definition rewards_at (y : nat * nat) : list (R * R) := rl (fst y) (snd y).
  Definition epoch_design : list (R * (nat * nat)) :=
    bind (finite_law X0 D0) (fun x => bind (finite_law K0 (igw K0 (gamma l) (f 0%nat x))) (fun a => dirac (x, a))).
  Let P := point_law epoch_design rewards_at.

  Lemma distribution_epoch_design : distribution epoch_design.
  Proof.
    apply distribution_bind; [apply distribution_finite_law; auto|]. intro x.
    apply distribution_bind; [apply distribution_finite_law|].
    - intros a Ha. left. apply igw_pos; auto.
    - apply igw_total; auto.
    - intro a. apply distribution_dirac.
  Qed.
  Lemma epoch_design_norms : Forall (fun pw => square_norm dim (feature (snd pw)) <= 1) epoch_design.
  Proof. apply Forall_forall. intros [q [x a]] _. apply Hphi. Qed.
  (** Var r <= 1/4 for rewards_at in [0,1] *)
  Lemma quarter y : Expect (rewards_at y) (fun r => (r - dot dim (feature y) wstar) ^ 2) <= 1 / 4.
  Proof.
    destruct y as [x a]. unfold rewards_at, feature. simpl fst. simpl snd. set (mu := dot dim (phi x a) wstar).
    apply Rle_trans with (Expect (rl x a) (fun r => (1 - 2 * mu) * r + mu ^ 2)).
    - apply Expect_le_on_support; [apply Hrl|]. eapply Forall_impl; [|apply Hrl01]. intros [p r] H. simpl in *. nra.
    - rewrite (Expect_plus_const (rl x a) _ (fun r => (1 - 2 * mu) * r) (mu ^ 2)) by (try apply Hrl; reflexivity).
      rewrite Expect_scal, Hlin. fold mu. pose proof (pow2_ge_0 (mu - 1 / 2)). nra.
  Qed.
  Lemma step_is_sample m F : Expect (one_step X K D reward_law gamma l f m) F = Expect P F.
  Proof.
    unfold one_step, P, point_law, epoch_design, X, K, D, reward_law. rewrite !Expect_bind. apply Expect_ext. intro x.
    rewrite common, !Expect_bind. apply Expect_ext. intro a. rewrite Expect_dirac, !Expect_bind. apply Expect_ext. intro r.
    rewrite !Expect_dirac. reflexivity.
  Qed.
  Lemma epoch_is_iid m n F : Expect (agent_epoch X K D reward_law gamma l f m n) F = Expect (iid P n) F.
  Proof.
    revert F. induction n as [|n IH]; intro F; [reflexivity|].
    rewrite Expect_iid_S, <- IH. simpl. rewrite Expect_bind. apply Expect_ext. intro d.
    rewrite Expect_bind, step_is_sample. apply Expect_ext. intro z. apply Expect_dirac.
  Qed.
  Fixpoint pooled (k : nat) (ds : dataset) : list sample := match k with O => nil | S m => ds m ++ pooled m ds end.
  Fixpoint pooled_count (k : nat) : nat := match k with O => O | S m => (len l m + pooled_count m)%nat end.
  Lemma pooled_update k j ds d : (k <= j)%nat -> pooled k (update ds j d) = pooled k ds.
  Proof.
    induction k as [|k IH]; intro H; [reflexivity|]. simpl. rewrite update_other by lia. rewrite IH by lia. reflexivity.
  Qed.
  Lemma all_is_iid k F : Expect (all_agents X K D reward_law len gamma l f k) (fun ds => F (pooled k ds)) = Expect (iid P (pooled_count k)) F.
  Proof.
    revert F. induction k as [|k IH]; intro F; [reflexivity|].
    pose (F' := fun t : list sample => Expect (iid P (len l k)) (fun d => F (d ++ t))).
    transitivity (Expect (all_agents X K D reward_law len gamma l f k) (fun ds => F' (pooled k ds))).
    - simpl. rewrite Expect_bind. apply Expect_ext. intro ds. unfold F'. rewrite Expect_bind.
      transitivity (Expect (agent_epoch X K D reward_law gamma l f k (len l k)) (fun d => F (d ++ pooled k ds))).
      + apply Expect_ext. intro d. rewrite Expect_dirac. rewrite update_same, pooled_update by lia. reflexivity.
      + apply epoch_is_iid.
    - rewrite IH. symmetry. apply (iid_plus P (len l k) (pooled_count k) F).
  Qed.
  Lemma pooled_count_W k : INR (pooled_count k) = sum k (fun m => INR (len l m)).
  Proof. induction k as [|k IH]; [reflexivity|]. simpl pooled_count. rewrite plus_INR, IH. simpl. ring. Qed.

  (** the FL routine: ridge regression on the pooled data of the epoch, lambda = 1/n *)
  Definition linear_estimate (w : vector) : estimate := fun _ x a => dot dim (phi x a) w.
  Definition ridge_of (ds : dataset) : vector := ridge_fit feature (0%nat, 0%nat) dim (pooled_count M) (pooled M ds).
  Lemma Err_linear w : Err_of M X K D reward_law len gamma l f (linear_estimate w) =
    W M len l * Expect P (fun z => dot dim (feature (fst z)) (minus w wstar) ^ 2).
  Proof.
    unfold Err_of, over_epoch, W.
    set (q := Expect P (fun z => dot dim (feature (fst z)) (minus w wstar) ^ 2)).
    rewrite Rmult_comm, <- sum_scal. apply sum_ext. intros m _. rewrite Rmult_comm. f_equal.
    unfold q, P, point_law, epoch_design, X, D, K. rewrite !Expect_bind, Expect_finite_law. apply sum_ext. intros x _. f_equal.
    rewrite !Expect_bind, Expect_finite_law, common. apply sum_ext. intros a _. f_equal.
    rewrite Expect_dirac, Expect_bind. symmetry. apply Expect_const_out; [apply Hrl|]. intro r. rewrite Expect_dirac.
    unfold linear_estimate, fstar, reward_law, feature. simpl fst. simpl snd. rewrite Hlin, dot_minus. ring.
  Qed.
  (** The risk at a fresh point, with A. *)
  Lemma mean_fresh_risk : Expect (iid P (pooled_count M)) (fun t => Expect P (fun z => fresh_risk feature (0%nat, 0%nat) dim wstar (pooled_count M) z t)) <=
    A / INR (S (pooled_count M)).
  Proof.
    eapply Rle_trans.
    - apply (ridge_iid_excess_risk feature (0%nat, 0%nat) dim wstar (1 / 4) (pooled_count M) epoch_design rewards_at distribution_epoch_design epoch_design_norms).
      + intros [x a]. apply Hrl.
      + intros [x a]. apply Hlin.
      + apply quarter.
      + lra.
    - unfold Rdiv. apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat, lt_0_INR; lia|exact HA].
  Qed.
  (** H3 for the direct method: E Err^l <= W^l A/(n+1), n = W^l. *)
  Theorem ridge_H3 :
    Expect (all_agents X K D reward_law len gamma l f M)
      (fun ds => Err_of M X K D reward_law len gamma l f (linear_estimate (ridge_of ds))) <=
    W M len l * (A / (W M len l + 1)).
  Proof.
    rewrite (Expect_ext _ _ (fun ds => W M len l * Expect P (fun z => fresh_risk feature (0%nat, 0%nat) dim wstar (pooled_count M) z (pooled M ds))))
      by (intro ds; rewrite Err_linear; reflexivity).
    rewrite Expect_scal.
    rewrite (all_is_iid M (fun t => Expect P (fun z => fresh_risk feature (0%nat, 0%nat) dim wstar (pooled_count M) z t))).
    apply Rmult_le_compat_l.
    - unfold W, E. apply sum_nonneg. intros. apply pos_INR.
    - replace (W M len l + 1) with (INR (S (pooled_count M))) by (rewrite S_INR, pooled_count_W; reflexivity).
      exact mean_fresh_risk.
  Qed.
  (** ** A solver that is not exact: |w - w_S|^2 <= delta^2 A/(n+1) surely gives (1+delta)^2 A/(n+1) *)
  Definition good_list (n : nat) (t : list sample) : Prop := length t = n /\ Forall (fun z : sample => 0 <= snd z <= 1) t.
  Lemma P_unit : Forall (fun pz => 0 <= snd (snd pz) <= 1) P.
  Proof.
    unfold P, point_law. apply (Forall_bind (fun z : (nat * nat) * R => 0 <= snd z <= 1)). apply Forall_forall. intros [q [x a]] _. simpl.
    apply (Forall_bind (fun z : (nat * nat) * R => 0 <= snd z <= 1)). eapply Forall_impl; [|apply Hrl01]. intros [q' r] Hr. simpl in Hr. simpl.
    constructor; [exact Hr|constructor].
  Qed.
  Lemma iid_good n : Forall (fun pw => good_list n (snd pw)) (iid P n).
  Proof.
    induction n as [|n IH]; simpl; [constructor; [split; [reflexivity|constructor]|constructor]|].
    apply (Forall_bind (good_list (S n))). eapply Forall_impl; [|exact IH]. intros [q t] [H1 H2]. simpl in H1, H2. simpl.
    apply (Forall_bind (good_list (S n))). eapply Forall_impl; [|apply P_unit]. intros [q' z] Hz. simpl in Hz. simpl.
    constructor; [|constructor]. split; simpl; [congruence|constructor; assumption].
  Qed.
  Lemma distribution_P : distribution P.
  Proof.
    unfold P, point_law. apply distribution_bind; [apply distribution_epoch_design|]. intros [x a].
    apply distribution_bind; [apply Hrl|]. intro r. apply distribution_dirac.
  Qed.
  Lemma distribution_iid_P n : distribution (iid P n).
  Proof.
    induction n as [|n IH]; simpl; [apply distribution_dirac|]. apply distribution_bind; [exact IH|]. intro t.
    apply distribution_bind; [apply distribution_P|]. intro z. apply distribution_dirac.
  Qed.
  Variables (solver : list sample -> vector) (delta : R).
  Hypothesis Hdelta : 0 < delta.
  Let fit (t : list sample) : vector := ridge_fit feature (0%nat, 0%nat) dim (pooled_count M) t.
  Hypothesis accurate : forall t, good_list (pooled_count M) t ->
    square_norm dim (minus (solver t) (fit t)) <= delta ^ 2 * (A / INR (S (pooled_count M))).
  Lemma solver_point t (z : sample) : good_list (pooled_count M) t ->
    dot dim (feature (fst z)) (minus (solver t) wstar) ^ 2 <=
    (1 + delta) * fresh_risk feature (0%nat, 0%nat) dim wstar (pooled_count M) z t + (1 + / delta) * (delta ^ 2 * (A / INR (S (pooled_count M)))).
  Proof.
    intro Ht. pose proof (accurate t Ht) as Hs. unfold fresh_risk. fold (fit t). destruct z as [[x a] r]. cbn [fst].
    set (p := feature (x, a)).
    assert (Hp : square_norm dim p <= 1) by apply Hphi.
    replace (dot dim p (minus (solver t) wstar)) with (dot dim p (minus (fit t) wstar) + dot dim p (minus (solver t) (fit t)))
      by (rewrite !dot_minus; ring).
    pose proof (cauchy_schwarz dim p (minus (solver t) (fit t))) as Hc. fold (dot dim p (minus (solver t) (fit t))) in Hc.
    fold (square_norm dim p) (square_norm dim (minus (solver t) (fit t))) in Hc.
    pose proof (square_norm_nonneg dim (minus (solver t) (fit t))) as Hn. pose proof (square_norm_nonneg dim p) as Hp0.
    set (u := dot dim p (minus (fit t) wstar)) in *. set (v := dot dim p (minus (solver t) (fit t))) in *.
    set (N := square_norm dim (minus (solver t) (fit t))) in *.
    assert (Hv : v ^ 2 <= delta ^ 2 * (A / INR (S (pooled_count M)))) by nra.
    assert (Hi : 0 < / delta) by (apply Rinv_0_lt_compat; exact Hdelta).
    assert (Hq : 2 * u * v <= delta * u ^ 2 + / delta * v ^ 2).
    { assert (0 <= / delta * (delta * u - v) ^ 2) by (apply Rmult_le_pos; [lra|apply pow2_ge_0]).
      replace (/ delta * (delta * u - v) ^ 2) with (delta * u ^ 2 - 2 * u * v + / delta * v ^ 2) in H by (field; lra). lra. }
    assert ((1 + / delta) * v ^ 2 <= (1 + / delta) * (delta ^ 2 * (A / INR (S (pooled_count M))))) by (apply Rmult_le_compat_l; lra).
    nra.
  Qed.
  Theorem solver_H3 :
    Expect (all_agents X K D reward_law len gamma l f M)
      (fun ds => Err_of M X K D reward_law len gamma l f (linear_estimate (solver (pooled M ds)))) <=
    W M len l * ((1 + delta) ^ 2 * A / (W M len l + 1)).
  Proof.
    rewrite (Expect_ext _ _ (fun ds => W M len l * Expect P (fun z => dot dim (feature (fst z)) (minus (solver (pooled M ds)) wstar) ^ 2)))
      by (intro ds; rewrite Err_linear; reflexivity).
    rewrite Expect_scal.
    rewrite (all_is_iid M (fun t => Expect P (fun z => dot dim (feature (fst z)) (minus (solver t) wstar) ^ 2))).
    apply Rmult_le_compat_l.
    - unfold W, E. apply sum_nonneg. intros. apply pos_INR.
    - replace (W M len l + 1) with (INR (S (pooled_count M))) by (rewrite S_INR, pooled_count_W; reflexivity).
      set (c := (1 + / delta) * (delta ^ 2 * (A / INR (S (pooled_count M))))).
      set (g := fun (z : sample) t => fresh_risk feature (0%nat, 0%nat) dim wstar (pooled_count M) z t).
      apply Rle_trans with (Expect (iid P (pooled_count M)) (fun t => (1 + delta) * Expect P (fun z => g z t) + c)).
      + apply Expect_le_on_support; [apply distribution_iid_P|]. eapply Forall_impl; [|apply iid_good]. intros [q t] Ht. simpl snd in *.
        rewrite <- (Expect_const P c) by apply distribution_P. rewrite <- Expect_scal, <- Expect_plus.
        apply Expect_le; [apply distribution_P|]. intro z. apply solver_point. exact Ht.
      + rewrite (Expect_plus_const (iid P (pooled_count M)) _ (fun t => (1 + delta) * Expect P (fun z => g z t)) c)
          by (try apply distribution_iid_P; reflexivity).
        rewrite Expect_scal.
        assert (Hr : Expect (iid P (pooled_count M)) (fun t => Expect P (fun z => g z t)) <= A / INR (S (pooled_count M))).
        { exact mean_fresh_risk. }
        assert (HN : 0 < INR (S (pooled_count M))) by (apply lt_0_INR; lia).
        apply (Rmult_le_compat_l (1 + delta)) in Hr; [|lra].
        replace ((1 + delta) ^ 2 * A / INR (S (pooled_count M))) with ((1 + delta) * (A / INR (S (pooled_count M))) + c); [lra|].
        unfold c. field. split; lra.
  Qed.
End RidgeProtocol.
