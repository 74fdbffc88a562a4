(** * col:linear for agents with different laws

    As LinearRegret.v, but every agent has contexts, features and rewards of its own and may play from an estimate of its own; only
    wstar is common.  An epoch's pooled data are then independent samples of different laws, and RidgeDifferentLaws.v gives H3 with

        A = d/4 + (9/4) norm2,     e_l = A / n_l,

    for every sampling kernel ([different_H3]), and (1 + delta)^2 A for a solver of accuracy delta ([different_solver_H3]).
    Main results, T >= 3, doubling, K arms: [col_linear_different_repaired], [_sharpened], [_best], [_best_two_arms], by the direct
    method and, with [_agd], by accelerated gradient descent: the bounds of col:linear with this A, as a sum over epochs and closed.  *)
From Coq Require Import Reals Lra Lia Psatz List Arith FunctionalExtensionality.
From FedIGW Require Import FiniteSums FiniteProbability InverseGapWeighting AcceleratedGradient RidgeExcessRisk Constants BestParameters
  Protocol DoublingSchedule DoublingRegret DoublingAnyRisk Exchangeability RidgeSamples RidgeProtocol RidgeDifferentLaws LinearRegret.
Import ListNotations.
Open Scope R_scope.

(** A = d/4 + (9/4) norm2 *)
Definition different_constant (d norm2 : R) : R := d / 4 + 9 / 4 * norm2.

(** ** Lists of laws *)
Lemma sum_head n (f : nat -> R) : sum (S n) f = f 0%nat + sum n (fun i => f (S i)).
Proof. induction n as [|n IH]; [simpl; lra|]. change (sum (S (S n)) f) with (sum (S n) f + f (S n)). rewrite IH. cbn [sum]. lra. Qed.
Lemma sum_over_app {Z} (F : Z -> R) (s t : list Z) dflt :
  sum (length (s ++ t)) (fun i => F (nth i (s ++ t) dflt)) = sum (length s) (fun i => F (nth i s dflt)) + sum (length t) (fun i => F (nth i t dflt)).
Proof. induction s as [|z s IH]; [simpl; lra|]. cbn [app length]. rewrite !sum_head. cbn [nth]. rewrite IH. lra. Qed.
Lemma sum_over_repeat {Z} (F : Z -> R) z n dflt : sum (length (repeat z n)) (fun i => F (nth i (repeat z n) dflt)) = INR n * F z.
Proof. induction n as [|n IH]; [simpl; lra|]. cbn [repeat length]. rewrite sum_head. cbn [nth]. rewrite IH, S_INR. lra. Qed.
Lemma Expect_product_app {Z} (Ps Qs : list (list (R * Z))) F :
  Expect (product (Ps ++ Qs)) F = Expect (product Qs) (fun t => Expect (product Ps) (fun s => F (s ++ t))).
Proof.
  revert F. induction Ps as [|P Ps IH]; intro F.
  - apply Expect_ext. intro t. simpl product. rewrite Expect_dirac. reflexivity.
  - cbn [app]. rewrite Expect_product, IH. apply Expect_ext. intro t. rewrite Expect_product. reflexivity.
Qed.

(** ** An epoch of the protocol *)
Section Epoch.
  Variables (M : nat) (X K : nat -> nat) (D : nat -> nat -> R) (reward_law : nat -> nat -> nat -> list (R * R)).
  Variables (len : nat -> nat -> nat) (gamma : nat -> R) (dim : nat) (phi : nat -> nat -> nat -> vector) (wstar : vector).
  Hypothesis HK : forall m, (1 <= K m)%nat.
  Hypothesis HD0 : forall m x, (x < X m)%nat -> 0 <= D m x.
  Hypothesis HD1 : forall m, sum (X m) (D m) = 1.
  Hypothesis HR : forall m x a, distribution (reward_law m x a).
  Hypothesis HR01 : forall m x a, Forall (fun pr => 0 <= snd pr <= 1) (reward_law m x a).
  Hypothesis Hlin : forall m x a, Expect (reward_law m x a) (fun r => r) = dot dim (phi m x a) wstar.
  Hypothesis Hphi : forall m x a, square_norm dim (phi m x a) <= 1.
  Variables (l : nat) (f : estimate).
  Hypothesis Hgamma : 0 <= gamma l.
  (** a design point: agent, context, arm *)
  Definition place : Type := (nat * (nat * nat))%type.
  Definition place_feature (y : place) : vector := phi (fst y) (fst (snd y)) (snd (snd y)).
  Definition place_rewards (y : place) : list (R * R) := reward_law (fst y) (fst (snd y)) (snd (snd y)).
  Definition agent_design (m : nat) : list (R * place) :=
    bind (finite_law (X m) (D m)) (fun x => bind (finite_law (K m) (igw (K m) (gamma l) (f m x))) (fun a => dirac (m, (x, a)))).
  (** the pooled data, each sample with its agent; the laws they were drawn from *)
  Definition with_agent (m : nat) (z : sample) : place * R := ((m, fst z), snd z).
  Fixpoint pooled_places (k : nat) (ds : dataset) : list (place * R) :=
    match k with O => nil | S m => map (with_agent m) (ds m) ++ pooled_places m ds end.
  Fixpoint designs (k : nat) : list (list (R * place)) :=
    match k with O => nil | S m => repeat (agent_design m) (len l m) ++ designs m end.
  Let sample_law (Q : list (R * place)) : list (R * (place * R)) := point_law Q place_rewards.

  Lemma distribution_agent_design m : distribution (agent_design m).
  Proof.
    apply distribution_bind; [apply distribution_finite_law; auto|]. intro x.
    apply distribution_bind; [apply distribution_finite_law|].
    - intros a Ha. left. apply igw_pos; auto.
    - apply igw_total; auto.
    - intro a. apply distribution_dirac.
  Qed.
  Lemma designs_distributions k : Forall distribution (designs k).
  Proof.
    induction k as [|k IH]; simpl; [constructor|]. apply Forall_app. split; [|exact IH].
    apply Forall_forall. intros Q HQ. apply repeat_spec in HQ. subst Q. apply distribution_agent_design.
  Qed.
  Lemma designs_length k : length (designs k) = pooled_count len l k.
  Proof. induction k as [|k IH]; [reflexivity|]. cbn [designs pooled_count]. rewrite app_length, repeat_length, IH. reflexivity. Qed.
  Lemma one_step_place m F : Expect (one_step X K D reward_law gamma l f m) (fun z => F (with_agent m z)) = Expect (sample_law (agent_design m)) F.
  Proof.
    unfold one_step, sample_law, point_law, agent_design. rewrite !Expect_bind. apply Expect_ext. intro x.
    rewrite !Expect_bind. apply Expect_ext. intro a. rewrite Expect_dirac, !Expect_bind. apply Expect_ext. intro r.
    rewrite !Expect_dirac. reflexivity.
  Qed.
  Lemma agent_epoch_places m n F :
    Expect (agent_epoch X K D reward_law gamma l f m n) (fun d => F (map (with_agent m) d)) =
    Expect (product (map sample_law (repeat (agent_design m) n))) F.
  Proof.
    revert F. induction n as [|n IH]; intro F; [reflexivity|].
    cbn [repeat map]. rewrite Expect_product, <- IH. simpl. rewrite Expect_bind. apply Expect_ext. intro d.
    rewrite Expect_bind, <- one_step_place. apply Expect_ext. intro z. rewrite Expect_dirac. reflexivity.
  Qed.
  Lemma pooled_places_update k j ds d : (k <= j)%nat -> pooled_places k (update ds j d) = pooled_places k ds.
  Proof. induction k as [|k IH]; intro H; [reflexivity|]. simpl. rewrite update_other by lia. rewrite IH by lia. reflexivity. Qed.
  Lemma all_agents_places k F :
    Expect (all_agents X K D reward_law len gamma l f k) (fun ds => F (pooled_places k ds)) = Expect (product (map sample_law (designs k))) F.
  Proof.
    revert F. induction k as [|k IH]; intro F; [reflexivity|].
    cbn [designs]. rewrite map_app, Expect_product_app.
    rewrite <- (IH (fun t => Expect (product (map sample_law (repeat (agent_design k) (len l k)))) (fun s => F (s ++ t)))).
    simpl all_agents. rewrite Expect_bind. apply Expect_ext. intro ds. rewrite <- agent_epoch_places, Expect_bind.
    apply Expect_ext. intro d. rewrite Expect_dirac. cbn [pooled_places]. rewrite update_same, pooled_places_update by lia. reflexivity.
  Qed.

  (** the estimate of weights w; its error under this epoch's play *)
  Definition own_linear_estimate (w : vector) : estimate := fun m x a => dot dim (phi m x a) w.
  Lemma Err_places w : Err_of M X K D reward_law len gamma l f (own_linear_estimate w) =
    sum (length (designs M)) (fun i => Expect (nth i (designs M) nil) (fun y => dot dim (place_feature y) (minus w wstar) ^ 2)).
  Proof.
    assert (F : forall k, sum (length (designs k)) (fun i => Expect (nth i (designs k) nil) (fun y => dot dim (place_feature y) (minus w wstar) ^ 2)) =
      sum k (fun m => INR (len l m) * Expect (agent_design m) (fun y => dot dim (place_feature y) (minus w wstar) ^ 2))).
    { induction k as [|k IH]; [reflexivity|]. cbn [designs].
      rewrite (sum_over_app (fun Q => Expect Q (fun y => dot dim (place_feature y) (minus w wstar) ^ 2))).
      rewrite (sum_over_repeat (fun Q => Expect Q (fun y => dot dim (place_feature y) (minus w wstar) ^ 2))), IH. cbn [sum]. ring. }
    rewrite F. unfold Err_of, over_epoch. apply sum_ext. intros m _. unfold E. f_equal. unfold agent_design.
    rewrite Expect_bind, Expect_finite_law. apply sum_ext. intros x _. f_equal. rewrite Expect_bind, Expect_finite_law.
    apply sum_ext. intros a _. f_equal. rewrite Expect_dirac. unfold own_linear_estimate, fstar, place_feature. cbn [fst snd].
    rewrite Hlin, dot_minus. ring.
  Qed.
  Lemma place_variance y : Expect (place_rewards y) (fun r => (r - dot dim (place_feature y) wstar) ^ 2) <= 1 / 4.
  Proof.
    destruct y as [m [x a]]. unfold place_rewards, place_feature. cbn [fst snd]. set (mu := dot dim (phi m x a) wstar).
    apply Rle_trans with (Expect (reward_law m x a) (fun r => (1 - 2 * mu) * r + mu ^ 2)).
    - apply Expect_le_on_support; [apply HR|]. eapply Forall_impl; [|apply HR01]. intros [p r] H. simpl in *. nra.
    - rewrite (Expect_plus_const (reward_law m x a) _ (fun r => (1 - 2 * mu) * r) (mu ^ 2)) by (try apply HR; reflexivity).
      rewrite Expect_scal, Hlin. fold mu. pose proof (pow2_ge_0 (mu - 1 / 2)). nra.
  Qed.

  (** the ridge solution on the pooled data, lambda = 1/n *)
  Definition nowhere_place : place := (0, (0, 0))%nat.
  Definition places_fit (t : list (place * R)) : vector := ridge_fit place_feature nowhere_place dim (pooled_count len l M) t.
  (** H3 for the direct method: E Err^l <= d/4 + (9/4) |wstar|^2, whatever kernels the agents play. *)
  Theorem different_H3 :
    Expect (all_agents X K D reward_law len gamma l f M)
      (fun ds => Err_of M X K D reward_law len gamma l f (own_linear_estimate (places_fit (pooled_places M ds)))) <=
    different_laws_constant (1 / 4) (INR dim) (square_norm dim wstar).
  Proof.
    rewrite (Expect_ext _ _ (fun ds => sum (length (designs M)) (fun i => Expect (nth i (designs M) nil)
      (fun y => dot dim (place_feature y) (minus (places_fit (pooled_places M ds)) wstar) ^ 2)))) by (intro ds; apply Err_places).
    rewrite (all_agents_places M (fun t => sum (length (designs M)) (fun i => Expect (nth i (designs M) nil)
      (fun y => dot dim (place_feature y) (minus (places_fit t) wstar) ^ 2)))).
    unfold places_fit. rewrite <- designs_length.
    apply (ridge_different_laws place_feature nowhere_place dim wstar (1 / 4) (designs M) place_rewards (designs_distributions M)).
    - intros [m [x a]]. apply Hphi.
    - intros [m [x a]]. apply HR.
    - intros [m [x a]]. apply Hlin.
    - exact place_variance.
    - lra.
  Qed.

  (** ** A solver that is not exact: |w - w_S|^2 <= delta^2 A/n surely gives (1 + delta)^2 A *)
  Definition good_places (n : nat) (t : list (place * R)) : Prop := length t = n /\ Forall (fun z => 0 <= snd z <= 1) t.
  Lemma samples_good Qs : Forall (fun pw => good_places (length Qs) (snd pw)) (product (map sample_law Qs)).
  Proof.
    induction Qs as [|Q Qs IH]; simpl; [constructor; [split; [reflexivity|constructor]|constructor]|].
    apply (Forall_bind (good_places (S (length Qs)))). eapply Forall_impl; [|exact IH]. intros [q t] [H1 H2]. simpl in H1, H2. simpl.
    apply (Forall_bind (good_places (S (length Qs)))).
    assert (HP : Forall (fun pz => 0 <= snd (snd pz) <= 1) (sample_law Q)).
    { unfold sample_law, point_law. apply (Forall_bind (fun z : place * R => 0 <= snd z <= 1)). apply Forall_forall. intros [p y] _. simpl.
      apply (Forall_bind (fun z : place * R => 0 <= snd z <= 1)). unfold place_rewards. eapply Forall_impl; [|apply HR01].
      intros [q' r] Hr. simpl in Hr. simpl. constructor; [exact Hr|constructor]. }
    eapply Forall_impl; [|exact HP]. intros [q' z] Hz. simpl in Hz. simpl.
    constructor; [|constructor]. split; simpl; [congruence|constructor; assumption].
  Qed.
  Variables (solver : list (place * R) -> vector) (delta A : R).
  Hypothesis Hdelta : 0 < delta.
  Hypothesis HA : different_laws_constant (1 / 4) (INR dim) (square_norm dim wstar) <= A.
  Hypothesis Hcount : (1 <= pooled_count len l M)%nat.
  Hypothesis accurate : forall t, good_places (pooled_count len l M) t ->
    square_norm dim (minus (solver t) (places_fit t)) <= delta ^ 2 * (A / INR (pooled_count len l M)).
  Lemma solver_at p t : good_places (pooled_count len l M) t -> square_norm dim p <= 1 ->
    dot dim p (minus (solver t) wstar) ^ 2 <=
    (1 + delta) * dot dim p (minus (places_fit t) wstar) ^ 2 + (1 + / delta) * (delta ^ 2 * (A / INR (pooled_count len l M))).
  Proof.
    intros Ht Hp. pose proof (accurate t Ht) as Hs.
    replace (dot dim p (minus (solver t) wstar)) with (dot dim p (minus (places_fit t) wstar) + dot dim p (minus (solver t) (places_fit t)))
      by (rewrite !dot_minus; ring).
    pose proof (cauchy_schwarz dim p (minus (solver t) (places_fit t))) as Hc. fold (dot dim p (minus (solver t) (places_fit t))) in Hc.
    fold (square_norm dim p) (square_norm dim (minus (solver t) (places_fit t))) in Hc.
    pose proof (square_norm_nonneg dim (minus (solver t) (places_fit t))) as Hn. pose proof (square_norm_nonneg dim p) as Hp0.
    set (u := dot dim p (minus (places_fit t) wstar)) in *. set (v := dot dim p (minus (solver t) (places_fit t))) in *.
    set (s := square_norm dim (minus (solver t) (places_fit t))) in *.
    assert (Hv : v ^ 2 <= delta ^ 2 * (A / INR (pooled_count len l M))) by nra.
    assert (Hi : 0 < / delta) by (apply Rinv_0_lt_compat; exact Hdelta).
    assert (Hq : 2 * u * v <= delta * u ^ 2 + / delta * v ^ 2).
    { assert (0 <= / delta * (delta * u - v) ^ 2) by (apply Rmult_le_pos; [lra|apply pow2_ge_0]).
      replace (/ delta * (delta * u - v) ^ 2) with (delta * u ^ 2 - 2 * u * v + / delta * v ^ 2) in H by (field; lra). lra. }
    assert ((1 + / delta) * v ^ 2 <= (1 + / delta) * (delta ^ 2 * (A / INR (pooled_count len l M)))) by (apply Rmult_le_compat_l; lra).
    nra.
  Qed.
  Theorem different_solver_H3 :
    Expect (all_agents X K D reward_law len gamma l f M)
      (fun ds => Err_of M X K D reward_law len gamma l f (own_linear_estimate (solver (pooled_places M ds)))) <= (1 + delta) ^ 2 * A.
  Proof.
    set (n := pooled_count len l M). set (extra := (1 + / delta) * (delta ^ 2 * (A / INR n))).
    set (risk := fun (w : list (place * R) -> vector) t => sum (length (designs M)) (fun i => Expect (nth i (designs M) nil)
      (fun y => dot dim (place_feature y) (minus (w t) wstar) ^ 2))).
    rewrite (Expect_ext _ _ (fun ds => risk solver (pooled_places M ds))) by (intro ds; apply Err_places).
    rewrite (all_agents_places M (risk solver)).
    pose proof different_H3 as H.
    rewrite (Expect_ext _ _ (fun ds => risk places_fit (pooled_places M ds))) in H by (intro ds; apply Err_places).
    rewrite (all_agents_places M (risk places_fit)) in H.
    assert (Hd : distribution (product (map sample_law (designs M)))).
    { apply distribution_product. apply Forall_map. eapply Forall_impl; [|apply designs_distributions]. intros Q HQ.
      unfold sample_law, point_law. apply distribution_bind; [exact HQ|]. intros [m [x a]].
      apply distribution_bind; [apply HR|]. intro r. apply distribution_dirac. }
    assert (HN : 0 < INR n) by (apply lt_0_INR; unfold n; lia).
    apply Rle_trans with (Expect (product (map sample_law (designs M))) (fun t => (1 + delta) * risk places_fit t + INR n * extra)).
    - apply Expect_le_on_support; [apply Hd|]. eapply Forall_impl; [|apply samples_good]. intros [p t] Ht. cbn [snd] in *.
      rewrite designs_length in Ht. unfold risk. rewrite <- sum_scal.
      replace (INR n * extra) with (sum (length (designs M)) (fun _ => extra)) by (rewrite sum_const, designs_length; reflexivity).
      rewrite <- sum_plus. apply sum_le. intros i Hi.
      assert (HQ : distribution (nth i (designs M) nil)).
      { pose proof (designs_distributions M) as HF. rewrite Forall_forall in HF. apply HF, nth_In. exact Hi. }
      rewrite <- Expect_scal, <- (Expect_plus_const (nth i (designs M) nil)
        (fun y => (1 + delta) * dot dim (place_feature y) (minus (places_fit t) wstar) ^ 2 + extra)
        (fun y => (1 + delta) * dot dim (place_feature y) (minus (places_fit t) wstar) ^ 2)) by (auto; reflexivity).
      apply Expect_le; [apply HQ|]. intros [m [x a]]. apply solver_at; [exact Ht|apply Hphi].
    - rewrite (Expect_plus_const _ _ (fun t => (1 + delta) * risk places_fit t) (INR n * extra)) by (auto; reflexivity).
      rewrite Expect_scal. apply (Rmult_le_compat_l (1 + delta)) in H; [|lra].
      assert (H2 : (1 + delta) * different_laws_constant (1 / 4) (INR dim) (square_norm dim wstar) <= (1 + delta) * A)
        by (apply Rmult_le_compat_l; lra).
      replace ((1 + delta) ^ 2 * A) with ((1 + delta) * A + INR n * extra); [lra|]. unfold extra. field. split; lra.
  Qed.
End Epoch.

(** ** The regret *)
Section Regret.
  Variables (M k : nat) (X : nat -> nat) (D : nat -> nat -> R) (reward_law : nat -> nat -> nat -> list (R * R)) (T : nat).
  Variables (dim : nat) (phi : nat -> nat -> nat -> vector) (wstar : vector) (norm2 : R).
  Hypothesis HM : (1 <= M)%nat.
  Hypothesis Hk : (1 <= k)%nat.
  Hypothesis HD0 : forall m x, (x < X m)%nat -> 0 <= D m x.
  Hypothesis HD1 : forall m, sum (X m) (D m) = 1.
  Hypothesis HR : forall m x a, distribution (reward_law m x a).
  Hypothesis HR01 : forall m x a, Forall (fun pr => 0 <= snd pr <= 1) (reward_law m x a).
  Hypothesis Hlin : forall m x a, Expect (reward_law m x a) (fun r => r) = dot dim (phi m x a) wstar.
  Hypothesis Hphi : forall m x a, square_norm dim (phi m x a) <= 1.
  Hypothesis Hstar : square_norm dim wstar <= norm2.
  Hypothesis Hdim : (1 <= dim)%nat.
  Hypothesis HT : (3 <= T)%nat.
  Let A := different_constant (INR dim) norm2.

  (** FL routine: weights l t is what the solver returns on the pooled data t of epoch l *)
  Definition different_routine (weights : nat -> list (place * R) -> vector) (l : nat) (h : run) : list (R * estimate) :=
    dirac (own_linear_estimate dim phi (weights l (pooled_places M (snd (h l))))).
  (** e_l = A / n_l *)
  Definition different_risk (risk : R) (l : nat) : R := risk / (INR M * INR (doubling T l 0)).
  (** Reg(T) of FedIGW with this solver and gamma^{l+1} = g sqrt(K / e_l), gamma^1 = 0 *)
  Definition different_Reg_T (weights : nat -> list (place * R) -> vector) (risk g : R) : R :=
    risk_Reg_T M X k D reward_law (different_routine weights) (different_risk risk) T g.

  Lemma different_A_large : different_laws_constant (1 / 4) (INR dim) (square_norm dim wstar) <= A.
  Proof. unfold A, different_constant, different_laws_constant. lra. Qed.
  Lemma different_A_positive : 0 < A.
  Proof.
    unfold A, different_constant. pose proof (square_norm_nonneg dim wstar).
    assert (1 <= INR dim) by (replace 1 with (INR 1) by reflexivity; apply le_INR; exact Hdim). lra.
  Qed.
  Lemma samples_count l : (1 <= l <= epochs_until T)%nat -> 0 < INR M * INR (doubling T l 0).
  Proof. intro Hl. apply (samples_pos M k T HM Hk HT l Hl). Qed.
  Lemma some_sample l : (1 <= l)%nat -> (S l <= epochs_until T)%nat -> (1 <= pooled_count (doubling T) l M)%nat.
  Proof.
    intros H1 H2. destruct M as [|M']; [lia|]. cbn [pooled_count]. pose proof (doubling_positive T HT l M' ltac:(lia)). lia.
  Qed.
  Lemma pooled_samples l : INR (pooled_count (doubling T) l M) = INR M * INR (doubling T l 0).
  Proof. rewrite pooled_count_W. change (sum M (fun m => INR (doubling T l m))) with (Protocol.W M (doubling T) l). apply (W_samples M T). Qed.

  (** ** Any solver that satisfies H3 with some constant *)
  Section AnyWeights.
    Variables (weights : nat -> list (place * R) -> vector) (risk : R).
    Hypothesis Hrisk : 0 < risk.
    Hypothesis Hweights : forall gamma l f, 0 <= gamma l -> (1 <= l)%nat -> (S l <= epochs_until T)%nat ->
      Expect (all_agents X (K_arms k) D reward_law (doubling T) gamma l f M)
        (fun ds => Err_of M X (K_arms k) D reward_law (doubling T) gamma l f (own_linear_estimate dim phi (weights l (pooled_places M ds)))) <= risk.
    Lemma different_risk_pos l : (1 <= l <= epochs_until T)%nat -> 0 < different_risk risk l.
    Proof. intro Hl. pose proof (samples_count l Hl). apply Rdiv_lt_0_compat; lra. Qed.
    Lemma different_risk_decreases l : (1 <= l)%nat -> (S (S l) <= epochs_until T)%nat -> different_risk risk (S l) <= different_risk risk l.
    Proof.
      intros H1 H2. pose proof (samples_count l ltac:(lia)). apply Rmult_le_compat_l; [lra|]. apply Rinv_le_contravar; [assumption|].
      apply Rmult_le_compat_l; [apply pos_INR|]. apply le_INR, (doubling_mono T HT); assumption.
    Qed.
    Lemma different_risk_halves l : (2 <= l)%nat -> (S (S l) <= epochs_until T)%nat -> different_risk risk (S l) = different_risk risk l / 2.
    Proof.
      intros H1 H2. assert (Ed : doubling T (S l) 0 = (2 * doubling T l 0)%nat).
      { unfold doubling, full_length. destruct (Nat.eq_dec (S l) (epochs_until T)); [lia|].
        destruct (Nat.eq_dec l (epochs_until T)); [lia|]. destruct (Nat.eq_dec (S l) 1); [lia|]. destruct (Nat.eq_dec l 1); [lia|].
        replace (S l - 1)%nat with (S (l - 1)) by lia. reflexivity. }
      unfold different_risk. rewrite Ed, mult_INR. change (INR 2) with 2. pose proof (samples_count l ltac:(lia)) as Hc. field.
      split; intro Hz; rewrite Hz in Hc; lra.
    Qed.
    Lemma different_H3_at g l h f : 0 < g -> True -> (1 <= l)%nat -> (S l <= epochs_until T)%nat ->
      Expect (all_agents X (K_arms k) D reward_law (doubling T) (risk_rates k (different_risk risk) g) l f M)
        (fun d => Expect (different_routine weights l (update h l (f, d)))
          (fun f' => Err_of M X (K_arms k) D reward_law (doubling T) (risk_rates k (different_risk risk) g) l f f'))
      <= Protocol.W M (doubling T) l * different_risk risk l.
    Proof.
      intros Hg _ H1 H2.
      rewrite (Expect_ext _ _ (fun d => Err_of M X (K_arms k) D reward_law (doubling T) (risk_rates k (different_risk risk) g) l f
         (own_linear_estimate dim phi (weights l (pooled_places M d)))))
        by (intro d; unfold different_routine; rewrite Expect_dirac, update_same; reflexivity).
      eapply Rle_trans; [apply Hweights; try assumption; apply risk_rates_nonneg; exact Hg|].
      rewrite (W_samples M T). pose proof (samples_count l ltac:(lia)) as Hc. right. unfold different_risk. field.
      split; intro Hz; rewrite Hz in Hc; lra.
    Qed.
    Let any (f : estimate) : Prop := True.
    Let reached l h : Forall (fun pf => any (snd pf)) (different_routine weights l h).
    Proof. repeat constructor. Qed.
    Let certain l h : distribution (different_routine weights l h).
    Proof. apply distribution_dirac. Qed.
    Let below l : (1 <= l <= epochs_until T)%nat -> different_risk risk l <= risk / (INR M * INR (doubling T l 0)).
    Proof. intros _. unfold different_risk. lra. Qed.

    Lemma different_repaired : different_Reg_T weights risk 1 <=
      uncapped_sum 11 M k T (different_risk risk) <=
      linear_repaired_bound (INR M) (INR k) (INR T) risk.
    Proof.
      apply (thm_risk_repaired_closed M X k D reward_law (different_routine weights) (different_risk risk) T 1 HM Hk HD0 HD1 HR HR01 certain HT
        ltac:(lra) different_risk_pos different_risk_decreases any I reached).
      - intros l h f. apply different_H3_at. lra.
      - lra.
      - reflexivity.
      - exact below.
    Qed.
    Lemma different_sharpened g q : 0 < g -> 1 - / INR k <= q ->
      different_Reg_T weights risk g <=
        capped_sum (sharpened_constant 1 g q / g) M k T (different_risk risk) <=
        linear_bound (sharpened_constant 1 g q / g) (INR M) (INR k) (INR T) risk.
    Proof.
      intros Hg Hq.
      apply (risk_closed M X k D reward_law (different_routine weights) (different_risk risk) T g HM Hk HT Hg risk (sharpened_constant 1 g q)).
      - lra.
      - apply (sharpened_nonneg k g Hk q Hq).
      - exact below.
      - apply (thm_risk_sharpened M X k D reward_law (different_routine weights) (different_risk risk) T g HM Hk HD0 HD1 HR HR01 certain HT Hg
          different_risk_pos different_risk_decreases any I reached); [|exact Hq].
        intros l h f. apply different_H3_at. exact Hg.
    Qed.
    Lemma different_best g : 0 < g -> (3 <= k)%nat -> g ^ 2 <= 6 / 5 ->
      different_Reg_T weights risk g <=
        capped_sum (doubling_constant (INR k) g / g) M k T (different_risk risk) <=
        linear_bound (doubling_constant (INR k) g / g) (INR M) (INR k) (INR T) risk.
    Proof.
      intros Hg Hk3 Hg2.
      apply (risk_closed M X k D reward_law (different_routine weights) (different_risk risk) T g HM Hk HT Hg risk (doubling_constant (INR k) g)).
      - lra.
      - apply (doubling_above_g k g Hg). lia.
      - exact below.
      - apply (thm_risk_best M X k D reward_law (different_routine weights) (different_risk risk) T g HM Hk HD0 HD1 HR HR01 certain HT Hg
          different_risk_pos different_risk_decreases any I reached); auto.
        + intros l h f. apply different_H3_at. exact Hg.
        + exact different_risk_halves.
    Qed.
    Lemma different_best_two_arms g : 0 < g -> k = 2%nat ->
      different_Reg_T weights risk g <=
        capped_sum (two_arm_constant g / g) M k T (different_risk risk) <=
        linear_bound (two_arm_constant g / g) (INR M) (INR k) (INR T) risk.
    Proof.
      intros Hg Hk2.
      apply (risk_closed M X k D reward_law (different_routine weights) (different_risk risk) T g HM Hk HT Hg risk (two_arm_constant g)).
      - lra.
      - unfold two_arm_constant. pose proof (pow2_ge_0 g). lra.
      - exact below.
      - apply (thm_risk_best_two_arms M X k D reward_law (different_routine weights) (different_risk risk) T g HM Hk HD0 HD1 HR HR01 certain HT Hg
          different_risk_pos different_risk_decreases any I reached); auto.
        intros l h f. apply different_H3_at. exact Hg.
    Qed.
    (** the three at their best rates *)
    Lemma different_sharpened_at_best : let q := 1 - / INR k in
      different_Reg_T weights risk (sqrt ((3 * q + 1) / 8)) <=
        capped_sum (linear_sharpened_constant q) M k T (different_risk risk) <=
        linear_bound (linear_sharpened_constant q) (INR M) (INR k) (INR T) risk.
    Proof.
      intro q. assert (Hkk : 1 <= INR k) by (replace 1 with (INR 1) by reflexivity; apply le_INR, Hk).
      assert (Hki : 0 < / INR k <= 1) by (split; [apply Rinv_0_lt_compat; lra|rewrite <- Rinv_1; apply Rinv_le_contravar; lra]).
      assert (Hgp : 0 < sqrt ((3 * q + 1) / 8)) by (apply sqrt_lt_R0; unfold q; lra).
      pose proof (different_sharpened (sqrt ((3 * q + 1) / 8)) q Hgp ltac:(unfold q; lra)) as H0.
      pose proof (sharpened_constant_attained 1 q ltac:(lra) ltac:(unfold q; lra)) as H1. cbv zeta in H1.
      replace ((3 * 1 * q + 1) / (8 * 1 ^ 3)) with ((3 * q + 1) / 8) in H1 by field.
      replace (2 * 1 * (3 * 1 * q + 1)) with (2 * (3 * q + 1)) in H1 by ring.
      rewrite H1 in H0. exact H0.
    Qed.
    Lemma different_best_at_best : (3 <= k)%nat ->
      different_Reg_T weights risk (sqrt (Rmax (1 - / INR k) (1 - 2 / INR k + doubling_arms) / doubling_risk)) <=
        capped_sum (doubling_over_g (INR k)) M k T (different_risk risk) <=
        linear_bound (doubling_over_g (INR k)) (INR M) (INR k) (INR T) risk.
    Proof.
      intro Hk3. assert (H2 : 2 <= INR k) by (change 2 with (INR 2); apply le_INR; lia).
      pose proof (arms_positive doubling_arms (INR k) H2) as HC.
      pose proof (arms_below doubling_arms (INR k) H2 ltac:(unfold doubling_arms; lra)) as HC1.
      assert (HB : 0 < doubling_risk) by (unfold doubling_risk; lra).
      rewrite <- (doubling_constant_attained (INR k) H2). apply different_best; [|exact Hk3|].
      - apply sqrt_lt_R0. apply Rdiv_lt_0_compat; assumption.
      - rewrite pow2_sqrt by (left; apply Rdiv_lt_0_compat; assumption).
        apply (Rmult_le_reg_r doubling_risk); [exact HB|].
        replace (Rmax (1 - / INR k) (1 - 2 / INR k + doubling_arms) / doubling_risk * doubling_risk)
          with (Rmax (1 - / INR k) (1 - 2 / INR k + doubling_arms)) by (field; lra).
        unfold doubling_arms, doubling_risk in *. lra.
    Qed.
    Lemma different_best_two_arms_at_best : k = 2%nat ->
      different_Reg_T weights risk (sqrt (2 / 9)) <=
        capped_sum (3 / sqrt 2) M k T (different_risk risk) <=
        linear_bound (3 / sqrt 2) (INR M) (INR k) (INR T) risk.
    Proof. intro Hk2. rewrite <- two_arm_constant_attained. apply different_best_two_arms; [apply sqrt_lt_R0; lra|exact Hk2]. Qed.
  End AnyWeights.

  (** ** The direct method *)
  Definition different_direct (l : nat) (t : list (place * R)) : vector := places_fit M (doubling T) dim phi l t.
  Lemma different_direct_H3 gamma l f : 0 <= gamma l -> (1 <= l)%nat -> (S l <= epochs_until T)%nat ->
    Expect (all_agents X (K_arms k) D reward_law (doubling T) gamma l f M)
      (fun ds => Err_of M X (K_arms k) D reward_law (doubling T) gamma l f (own_linear_estimate dim phi (different_direct l (pooled_places M ds)))) <= A.
  Proof.
    intros Hg _ _. eapply Rle_trans; [|exact different_A_large].
    apply (different_H3 M X (K_arms k) D reward_law (doubling T) gamma dim phi wstar (fun _ => Hk) HD0 HD1 HR HR01 Hlin Hphi l f Hg).
  Qed.

  (** col:linear, agents with different laws, repaired, direct method:  2M + 11 (2 + sqrt 2) sqrt(M K T (d/4 + (9/4) norm2)). *)
  Theorem col_linear_different_repaired :
    different_Reg_T different_direct (different_constant (INR dim) norm2) 1 <=
      uncapped_sum 11 M k T (different_risk (different_constant (INR dim) norm2)) <=
      linear_repaired_bound (INR M) (INR k) (INR T) (different_constant (INR dim) norm2).
  Proof. apply different_repaired; [exact different_A_positive | exact different_direct_H3]. Qed.
  (** col:linear, agents with different laws, sharpened, direct method, g^2 = (3q + 1)/8. *)
  Theorem col_linear_different_sharpened : let q := 1 - / INR k in
    different_Reg_T different_direct (different_constant (INR dim) norm2) (sqrt ((3 * q + 1) / 8)) <=
      capped_sum (linear_sharpened_constant q) M k T (different_risk (different_constant (INR dim) norm2)) <=
      linear_bound (linear_sharpened_constant q) (INR M) (INR k) (INR T) (different_constant (INR dim) norm2).
  Proof. apply different_sharpened_at_best; [exact different_A_positive | exact different_direct_H3]. Qed.
  (** col:linear, agents with different laws, best, direct method, K >= 3: the constant is at most 3.6981. *)
  Theorem col_linear_different_best : (3 <= k)%nat ->
    different_Reg_T different_direct (different_constant (INR dim) norm2)
      (sqrt (Rmax (1 - / INR k) (1 - 2 / INR k + doubling_arms) / doubling_risk)) <=
      capped_sum (doubling_over_g (INR k)) M k T (different_risk (different_constant (INR dim) norm2)) <=
      linear_bound (doubling_over_g (INR k)) (INR M) (INR k) (INR T) (different_constant (INR dim) norm2).
  Proof. apply different_best_at_best; [exact different_A_positive | exact different_direct_H3]. Qed.
  (** col:linear, agents with different laws, best, direct method, two arms:  3 / sqrt 2. *)
  Theorem col_linear_different_best_two_arms : k = 2%nat ->
    different_Reg_T different_direct (different_constant (INR dim) norm2) (sqrt (2 / 9)) <=
      capped_sum (3 / sqrt 2) M k T (different_risk (different_constant (INR dim) norm2)) <=
      linear_bound (3 / sqrt 2) (INR M) (INR k) (INR T) (different_constant (INR dim) norm2).
  Proof. apply different_best_two_arms_at_best; [exact different_A_positive | exact different_direct_H3]. Qed.

  (** ** Accelerated gradient descent *)
  Variables (delta : R) (rounds : nat -> nat).
  Hypothesis Hdelta : 0 < delta.
  (** (5/4) n exp(-k_l / sqrt(n + 1)) <= delta^2 A / n, n = M E^l *)
  Hypothesis enough_rounds : forall l, (1 <= l)%nat -> (S l <= epochs_until T)%nat ->
    let n := pooled_count (doubling T) l M in
    agd_start_constant * INR n * exp (- (INR (rounds l) / sqrt (INR n + 1))) <=
      delta ^ 2 * (different_constant (INR dim) norm2 / INR n).
  Definition different_agd (l : nat) (t : list (place * R)) : vector :=
    agd dim (pooled_count (doubling T) l M) (fun j => at_point (place_feature phi) nowhere_place t j)
      (fun j => snd (nth j t (nowhere nowhere_place))) (rounds l).
  Lemma different_agd_accurate l t : (1 <= l)%nat -> (S l <= epochs_until T)%nat -> good_places (pooled_count (doubling T) l M) t ->
    square_norm dim (minus (different_agd l t) (different_direct l t)) <= delta ^ 2 * (A / INR (pooled_count (doubling T) l M)).
  Proof.
    intros H1 H2 [Hlen Hunit]. eapply Rle_trans; [|apply enough_rounds; assumption].
    set (n := pooled_count (doubling T) l M) in *. apply agd_ridge_distance.
    - apply some_sample; assumption.
    - intros j _. unfold at_point, place_feature. apply Hphi.
    - intros j Hj. apply (proj1 (Forall_forall _ _) Hunit (nth j t (nowhere nowhere_place))). apply nth_In. rewrite Hlen. exact Hj.
    - intros i Hi. unfold different_direct, places_fit. fold n. unfold ridge_gradient, ridge_fit, ridge_solution.
      set (p := fun j => at_point (place_feature phi) nowhere_place t j). set (r := fun j => snd (nth j t (nowhere nowhere_place))).
      pose proof (solve_solves dim p n (fun i => sum n (fun j => r j * p j i)) i Hi) as Es. unfold RidgeExcessRisk.A in Es.
      set (w := solve dim p n (fun i => sum n (fun j => r j * p j i))) in *.
      change (2 * (/ INR n * sum n (fun j => (dot dim (p j) w - r j) * p j i)) + 2 * (/ INR n * w i) = 0).
      rewrite (sum_ext n (fun j => (dot dim (p j) w - r j) * p j i) (fun j => dot dim (p j) w * p j i - r j * p j i)) by (intros; ring).
      rewrite sum_minus.
      assert (HN : INR n <> 0) by (apply not_0_INR; pose proof (some_sample l H1 H2); unfold n; lia).
      replace (w i) with (sum n (fun j => r j * p j i) - sum n (fun j => dot dim (p j) w * p j i)) by lra. field. exact HN.
  Qed.
  Lemma different_agd_positive : 0 < (1 + delta) ^ 2 * A.
  Proof. pose proof different_A_positive. apply Rmult_lt_0_compat; [apply pow_lt; lra|assumption]. Qed.
  Lemma different_agd_H3 gamma l f : 0 <= gamma l -> (1 <= l)%nat -> (S l <= epochs_until T)%nat ->
    Expect (all_agents X (K_arms k) D reward_law (doubling T) gamma l f M)
      (fun ds => Err_of M X (K_arms k) D reward_law (doubling T) gamma l f (own_linear_estimate dim phi (different_agd l (pooled_places M ds)))) <=
    (1 + delta) ^ 2 * A.
  Proof.
    intros Hg H1 H2.
    apply (different_solver_H3 M X (K_arms k) D reward_law (doubling T) gamma dim phi wstar (fun _ => Hk) HD0 HD1 HR HR01 Hlin Hphi l f Hg
      (different_agd l) delta A Hdelta different_A_large (some_sample l H1 H2)).
    intros t Ht. apply different_agd_accurate; assumption.
  Qed.
  (** col:linear, agents with different laws, repaired, AGD:  the same with the factor 1 + delta. *)
  Theorem col_linear_different_repaired_agd :
    different_Reg_T different_agd ((1 + delta) ^ 2 * different_constant (INR dim) norm2) 1 <=
      uncapped_sum 11 M k T (different_risk ((1 + delta) ^ 2 * different_constant (INR dim) norm2)) <=
      linear_repaired_bound (INR M) (INR k) (INR T) ((1 + delta) ^ 2 * different_constant (INR dim) norm2).
  Proof. apply different_repaired; [exact different_agd_positive | exact different_agd_H3]. Qed.
  (** col:linear, agents with different laws, sharpened, AGD:  the same with the factor 1 + delta. *)
  Theorem col_linear_different_sharpened_agd : let q := 1 - / INR k in
    different_Reg_T different_agd ((1 + delta) ^ 2 * different_constant (INR dim) norm2) (sqrt ((3 * q + 1) / 8)) <=
      capped_sum (linear_sharpened_constant q) M k T (different_risk ((1 + delta) ^ 2 * different_constant (INR dim) norm2)) <=
      linear_bound (linear_sharpened_constant q) (INR M) (INR k) (INR T) ((1 + delta) ^ 2 * different_constant (INR dim) norm2).
  Proof. apply different_sharpened_at_best; [exact different_agd_positive | exact different_agd_H3]. Qed.
  (** col:linear, agents with different laws, best, AGD, K >= 3. *)
  Theorem col_linear_different_best_agd : (3 <= k)%nat ->
    different_Reg_T different_agd ((1 + delta) ^ 2 * different_constant (INR dim) norm2)
      (sqrt (Rmax (1 - / INR k) (1 - 2 / INR k + doubling_arms) / doubling_risk)) <=
      capped_sum (doubling_over_g (INR k)) M k T (different_risk ((1 + delta) ^ 2 * different_constant (INR dim) norm2)) <=
      linear_bound (doubling_over_g (INR k)) (INR M) (INR k) (INR T) ((1 + delta) ^ 2 * different_constant (INR dim) norm2).
  Proof. apply different_best_at_best; [exact different_agd_positive | exact different_agd_H3]. Qed.
  (** col:linear, agents with different laws, best, AGD, two arms. *)
  Theorem col_linear_different_best_two_arms_agd : k = 2%nat ->
    different_Reg_T different_agd ((1 + delta) ^ 2 * different_constant (INR dim) norm2) (sqrt (2 / 9)) <=
      capped_sum (3 / sqrt 2) M k T (different_risk ((1 + delta) ^ 2 * different_constant (INR dim) norm2)) <=
      linear_bound (3 / sqrt 2) (INR M) (INR k) (INR T) ((1 + delta) ^ 2 * different_constant (INR dim) norm2).
  Proof. apply different_best_two_arms_at_best; [exact different_agd_positive | exact different_agd_H3]. Qed.
End Regret.
