(** * Generalised linear rewards on independent samples of different laws

    Setting of GlmExcessRisk.v, n independent samples, each from a law of its own, Lam > 4L - c.  For every i let y_i be a fresh copy
    of the i-th design point.  Main result: [glm_different_laws],

        sum_i E (psi'(phi(y_i)'w) - psi'(phi(y_i)'wstar))^2 <= 2L (2 s2 d/c + (Lam/2)|wstar|^2) / (1 - 4L/(c + Lam)),

    so the excess risk, weighted as the samples are, is at most this over n.  The proof puts the copy in the place of sample i
    ([replaced]): both losses together grow by at most 2 g_i^2 q_i + 2 g~_i^2 q~_i, and the copy and sample i may be exchanged.   *)
From Coq Require Import Reals Lra Lia Psatz List Arith FunctionalExtensionality.
From FedIGW Require Import FiniteSums FiniteProbability AcceleratedGradient RidgeExcessRisk Exchangeability RidgeSamples RidgeDifferentLaws GlmExcessRisk GlmSamples.
Import ListNotations.
Open Scope R_scope.

(** 2L (2 s2 d/c + (Lam/2) norm) / (1 - 4L/(c + Lam)) *)
Definition glm_different_constant (c L Lam s2 d norm : R) : R := 2 * L * ((2 * (s2 * d / c) + Lam / 2 * norm) / (1 - 4 * L / (c + Lam))).

(** ** One sample replaced *)
Section Replaced.
  Variables (d : nat) (psi link : R -> R) (c L Lam : R).
  Hypothesis Hc : 0 < c.
  Hypothesis HL : c <= L.
  Hypothesis HLam : 2 * L - c < Lam.
  Hypothesis strong : forall z y, psi z + link z * (y - z) + c / 2 * (y - z) ^ 2 <= psi y.
  Variables (N : nat) (phi : nat -> vector) (r : nat -> R) (i : nat) (p : vector) (r0 : R).
  Hypothesis Hi : (i < N)%nat.
  Let phi' := update phi i p.
  Let r' := update r i r0.
  Lemma split_at (f : nat -> R) : sum N (fun j => everyone j * f j) = sum N (fun j => but i j * f j) + f i.
  Proof. rewrite <- (sum_delta N i f Hi), <- sum_plus. apply sum_ext. intros j _. unfold everyone, but. destruct (Nat.eq_dec j i); ring. Qed.
  Lemma off_i (F : vector -> R -> R) : sum N (fun j => but i j * F (phi' j) (r' j)) = sum N (fun j => but i j * F (phi j) (r j)).
  Proof. apply sum_ext. intros j _. unfold but, phi', r', update. destruct (Nat.eq_dec j i); ring. Qed.
  Lemma replaced w v : stationary_for d link Lam N phi r everyone w -> stationary_for d link Lam N phi' r' everyone v ->
    (sample_cost d psi (phi i) (r i) v - sample_cost d psi (phi i) (r i) w) + (sample_cost d psi p r0 w - sample_cost d psi p r0 v) <=
    2 * ((link (dot d (phi i) v) - r i) ^ 2 * share_of d c Lam N phi i) + 2 * ((link (dot d p w) - r0) ^ 2 * share_of d c Lam N phi' i).
  Proof.
    intros Hw Hv. set (D := minus v w). set (a := dot d (phi i) D). set (b := dot d p D).
    set (g := link (dot d (phi i) v) - r i). set (g0 := link (dot d p w) - r0).
    pose proof (grows d psi link c Lam strong N phi r everyone w v ltac:(intro; unfold everyone; lra) Hw) as H1.
    pose proof (grows d psi link c Lam strong N phi' r' everyone v w ltac:(intro; unfold everyone; lra) Hv) as H2.
    unfold cost in H1, H2. rewrite !split_at in H1, H2.
    assert (Ep : phi' i = p) by (unfold phi'; apply update_same). assert (Er : r' i = r0) by (unfold r'; apply update_same).
    rewrite (off_i (fun x y => sample_cost d psi x y v)), (off_i (fun x y => sample_cost d psi x y w)), (off_i (fun x y => dot d x (minus w v) ^ 2)), Ep, Er in H2.
    fold D a in H1.
    assert (Neg : forall x, dot d x (minus w v) ^ 2 = dot d x D ^ 2) by (intro x; unfold D; rewrite !dot_minus; ring).
    rewrite (sum_ext N (fun j => but i j * dot d (phi j) (minus w v) ^ 2) (fun j => but i j * dot d (phi j) D ^ 2)) in H2 by (intros; rewrite Neg; reflexivity).
    rewrite Neg in H2. fold b in H2.
    assert (Nn : square_norm d (minus w v) = square_norm d D) by (apply sum_ext; intros; unfold D, minus; ring). rewrite Nn in H2.
    set (B := sum N (fun j => but i j * dot d (phi j) D ^ 2)) in *. set (S := square_norm d D) in *.
    assert (B0 : 0 <= B) by (apply sum_nonneg; intros j _; apply Rmult_le_pos; [unfold but; destruct (Nat.eq_dec j i); lra|apply pow2_ge_0]).
    assert (S0 : 0 <= S) by apply square_norm_nonneg. pose proof (pow2_ge_0 a) as A0. pose proof (pow2_ge_0 b) as C0.
    set (Q := c * B + c * a ^ 2 + c * b ^ 2 + Lam * S).
    assert (Lp : 0 < Lam) by lra.
    assert (P1 : 0 <= c * B) by (apply Rmult_le_pos; lra). assert (P2 : 0 <= c * a ^ 2) by (apply Rmult_le_pos; lra). assert (P3 : 0 <= c * b ^ 2) by (apply Rmult_le_pos; lra). assert (P4 : 0 <= Lam * S) by (apply Rmult_le_pos; lra).
    assert (W1 : weighed d c Lam N phi D <= Q).
    { unfold weighed. rewrite (sum_ext N _ (fun j => everyone j * dot d (phi j) D ^ 2)) by (intros; unfold everyone; ring). rewrite split_at. fold B a. fold S. unfold Q. lra. }
    assert (W2 : weighed d c Lam N phi' D <= Q).
    { unfold weighed. rewrite (sum_ext N _ (fun j => everyone j * dot d (phi' j) D ^ 2)) by (intros; unfold everyone; ring). rewrite split_at, (off_i (fun x _ => dot d x D ^ 2)), Ep. fold B b. fold S. unfold Q. lra. }
    set (gen := sample_cost d psi (phi i) (r i) v - sample_cost d psi (phi i) (r i) w) in *. set (gen0 := sample_cost d psi p r0 w - sample_cost d psi p r0 v) in *.
    assert (Low : Q - c / 2 * a ^ 2 - c / 2 * b ^ 2 <= gen + gen0) by (unfold Q, gen, gen0; lra).
    assert (U1 : gen <= g * a - c / 2 * a ^ 2).
    { pose proof (strong (dot d (phi i) v) (dot d (phi i) w)) as St. unfold gen, sample_cost, g, a, D. rewrite dot_minus.
      replace ((dot d (phi i) w - dot d (phi i) v) ^ 2) with ((dot d (phi i) v - dot d (phi i) w) ^ 2) in St by ring. lra. }
    assert (U2 : gen0 <= - g0 * b - c / 2 * b ^ 2).
    { pose proof (strong (dot d p w) (dot d p v)) as St. unfold gen0, sample_cost, g0, b, D. rewrite dot_minus. lra. }
    pose proof (by_share d c L Lam Hc HL HLam N phi i D Hi) as Q1. pose proof (by_share d c L Lam Hc HL HLam N phi' i D Hi) as Q2. rewrite Ep in Q2. fold a in Q1. fold b in Q2.
    pose proof (share_nonneg d c Lam Hc N phi i Hi) as q0. pose proof (share_nonneg d c Lam Hc N phi' i Hi) as q0'. set (q := share_of d c Lam N phi i) in *. set (q' := share_of d c Lam N phi' i) in *.
    set (T := 2 * (g ^ 2 * q) + 2 * (g0 ^ 2 * q')). assert (T0 : 0 <= T) by (unfold T; pose proof (Rmult_le_pos _ _ (pow2_ge_0 g) q0); pose proof (Rmult_le_pos _ _ (pow2_ge_0 g0) q0'); lra).
    set (y := g * a - g0 * b). assert (Qy : Q <= y) by (unfold y; lra).
    assert (Ty : y <= T).
    { destruct (Rle_lt_dec y 0) as [Hn|Hp]; [lra|]. apply (Rmult_le_reg_l y); [exact Hp|].
      assert (X1 : y * y <= 2 * (g ^ 2 * a ^ 2) + 2 * (g0 ^ 2 * b ^ 2)) by (unfold y; pose proof (pow2_ge_0 (g * a + g0 * b)); lra).
      assert (X2 : g ^ 2 * a ^ 2 <= g ^ 2 * q * Q).
      { rewrite Rmult_assoc. apply Rmult_le_compat_l; [apply pow2_ge_0|]. eapply Rle_trans; [exact Q1|]. apply Rmult_le_compat_l; assumption. }
      assert (X3 : g0 ^ 2 * b ^ 2 <= g0 ^ 2 * q' * Q).
      { rewrite Rmult_assoc. apply Rmult_le_compat_l; [apply pow2_ge_0|]. eapply Rle_trans; [exact Q2|]. apply Rmult_le_compat_l; assumption. }
      assert (X4 : T * Q <= T * y) by (apply Rmult_le_compat_l; assumption). rewrite (Rmult_comm y T). unfold T in *. lra. }
    fold T. unfold y in Ty. lra.
  Qed.
End Replaced.

(** ** The copy and the sample may be exchanged *)
Lemma exchange {Z} (Ps : list (list (R * Z))) : forall i dflt (F : Z -> list Z -> R), (i < length Ps)%nat ->
  Expect (product Ps) (fun t => Expect (nth i Ps nil) (fun z => F z t)) = Expect (product Ps) (fun t => Expect (nth i Ps nil) (fun z => F (nth i t dflt) (set_nth i z t))).
Proof.
  induction Ps as [|P Ps IH]; intros i dflt F Hi; [simpl in Hi; lia|]. rewrite !Expect_product. destruct i as [|i].
  - apply Expect_ext. intro t. cbn [nth set_nth]. apply Expect_swap.
  - cbn [nth set_nth]. simpl in Hi.
    rewrite (Expect_swap (product Ps) P (fun t x => Expect (nth i Ps nil) (fun z => F z (x :: t)))).
    rewrite (Expect_swap (product Ps) P (fun t x => Expect (nth i Ps nil) (fun z => F (nth i t dflt) (x :: set_nth i z t)))).
    apply Expect_ext. intro x. apply (IH i dflt (fun z t => F z (x :: t)) ltac:(lia)).
Qed.
Lemma set_back {Z} i : forall (t : list Z) z dflt, (i < length t)%nat -> set_nth i (nth i t dflt) (set_nth i z t) = t.
Proof. induction i as [|i IH]; intros [|y t] z dflt H; simpl in *; try lia; [reflexivity|]. rewrite IH by lia. reflexivity. Qed.
Lemma set_length {Z} i : forall (t : list Z) z, length (set_nth i z t) = length t.
Proof. induction i as [|i IH]; intros [|y t] z; simpl; try reflexivity. rewrite IH. reflexivity. Qed.

Section DifferentLaws.
  Context {Y : Type} (feat : Y -> vector) (y0 : Y).
  Variables (d : nat) (psi link : R -> R) (c L Lam : R) (wstar : vector) (s2 : R).
  Hypothesis Hc : 0 < c.
  Hypothesis HL : c <= L.
  Hypothesis HLam : 4 * L - c < Lam.
  Hypothesis strong : forall z y, psi z + link z * (y - z) + c / 2 * (y - z) ^ 2 <= psi y.
  Hypothesis smooth : forall z y, psi y <= psi z + link z * (y - z) + L / 2 * (y - z) ^ 2.
  (** the laws of the designs; the law of the reward given the design *)
  Variables (Qs : list (list (R * Y))) (rew : Y -> list (R * R)).
  Hypothesis HQs : Forall distribution Qs.
  Hypothesis Hfeat : forall y, square_norm d (feat y) <= 1.
  Hypothesis Hrew : forall p, distribution (rew p).
  Hypothesis Hmean : forall p, Expect (rew p) (fun r => r) = link (dot d (feat p) wstar).
  Hypothesis Hvar : forall p, Expect (rew p) (fun r => (r - link (dot d (feat p) wstar)) ^ 2) <= s2.
  Hypothesis Hs2 : 0 <= s2.
  Variable fit : nat -> (nat -> vector) -> (nat -> R) -> vector.
  Hypothesis stationary : forall N p r i, (i < d)%nat -> sum N (fun j => (link (dot d (p j) (fit N p r)) - r j) * p j i) + Lam * fit N p r i = 0.
  Let n := length Qs.
  Let Ps := map (fun Q => point_law Q rew) Qs.
  Let w (t : list point) : vector := glm_fit feat y0 n fit t.
  Let phi (t : list point) (j : nat) : vector := at_point feat y0 t j.
  Let r (t : list point) (j : nat) : R := snd (nth j t (nowhere y0)).
  Let excess (x : point) (v : vector) : R := excess_loss d psi wstar (feat (fst x)) (snd x) v.
  Let out i (t : list point) : point := nth i t (nowhere y0).
  (** E over the samples and a copy of sample i *)
  Let both i (F : list point -> point -> R) : R := Expect (product Ps) (fun t => Expect (nth i Ps nil) (fun z => F t z)).
  Let HLam2 : 2 * L - c < Lam. Proof. lra. Qed.
  Let law_at i : (i < n)%nat -> nth i Ps nil = point_law (nth i Qs nil) rew.
  Proof.
    intro Hi. unfold Ps. rewrite (nth_indep _ nil (point_law nil rew)) by (rewrite map_length; exact Hi). apply (map_nth (fun Q => point_law Q rew)).
  Qed.
  Let point_distribution Q : distribution Q -> distribution (point_law Q rew).
  Proof. intro HQ. apply distribution_bind; [exact HQ|]. intro p. apply distribution_bind; [apply Hrew|]. intro. apply distribution_dirac. Qed.
  Let Ps_laws : Forall distribution Ps.
  Proof. unfold Ps. apply Forall_map. eapply Forall_impl; [|exact HQs]. exact point_distribution. Qed.
  Let data_law : distribution (product Ps) := distribution_product Ps Ps_laws.
  Let one_law i : (i < n)%nat -> distribution (nth i Ps nil).
  Proof. intro Hi. rewrite (law_at i Hi). apply point_distribution. apply (proj1 (Forall_forall _ _) HQs). apply nth_In. exact Hi. Qed.
  Let Ps_length : length Ps = n. Proof. apply map_length. Qed.
  Let data_length : Forall (fun pw => length (snd pw) = n) (product Ps).
  Proof. rewrite <- Ps_length. apply product_length. Qed.
  Lemma both_le i F G : (i < n)%nat -> (forall t z, length t = n -> F t z <= G t z) -> both i F <= both i G.
  Proof.
    intros Hi H. apply Expect_le_on_support; [apply data_law|]. eapply Forall_impl; [|exact data_length]. intros [p t] Ht. cbn [snd] in *.
    apply Expect_le; [apply one_law, Hi|]. intro z. apply H, Ht.
  Qed.
  Lemma both_exchange i F : (i < n)%nat -> both i F = both i (fun t z => F (set_nth i z t) (out i t)).
  Proof. intro Hi. unfold both. apply (exchange Ps i (nowhere y0) (fun z t => F t z)). rewrite Ps_length. exact Hi. Qed.
  Lemma both_plus i F G : both i (fun t z => F t z + G t z) = both i F + both i G.
  Proof. unfold both. rewrite <- Expect_plus. apply Expect_ext. intro t. apply Expect_plus. Qed.
  Lemma both_scal i k F : both i (fun t z => k * F t z) = k * both i F.
  Proof. unfold both. rewrite <- Expect_scal. apply Expect_ext. intro t. apply Expect_scal. Qed.

  Let grad i (t : list point) (z : point) : R := link (dot d (phi t i) (w (set_nth i z t))) - r t i.
  Let share i (t : list point) : R := share_of d c Lam n (phi t) i.
  Let held i : R := both i (fun t z => excess (out i t) (w (set_nth i z t))).
  Let seen i : R := Expect (product Ps) (fun t => excess (out i t) (w t)).
  Lemma stationary_at t : stationary_for d link Lam n (phi t) (r t) everyone (w t).
  Proof. intros i Hi. etransitivity; [|apply (stationary n (phi t) (r t) i Hi)]. f_equal. apply sum_ext. intros j _. unfold everyone. change (fit n (phi t) (r t)) with (w t). ring. Qed.
  Lemma updated t i z : (i < length t)%nat -> phi (set_nth i z t) = update (phi t) i (feat (fst z)) /\ r (set_nth i z t) = update (r t) i (snd z).
  Proof.
    intro Hi. split; apply functional_extensionality; intro j; unfold phi, r, at_point, update; rewrite nth_set by exact Hi; destruct (Nat.eq_dec j i); reflexivity.
  Qed.
  (** E gen_i <= 2 E g_i^2 q_i *)
  Lemma held_bound i : (i < n)%nat -> held i <= seen i + 2 * both i (fun t z => grad i t z ^ 2 * share i t).
  Proof.
    intro Hi. set (gen := fun t z => excess (out i t) (w (set_nth i z t)) - excess (out i t) (w t)).
    set (gen0 := fun t z => excess z (w t) - excess z (w (set_nth i z t))). set (cost_i := fun t z => grad i t z ^ 2 * share i t).
    set (cost0 := fun t (z : point) => (link (dot d (feat (fst z)) (w t)) - snd z) ^ 2 * share i (set_nth i z t)).
    assert (X1 : both i gen0 = both i gen).
    { rewrite (both_exchange i gen0 Hi). unfold both. apply Expect_ext_on_support. eapply Forall_impl; [|exact data_length]. intros [p t] Ht. cbn [snd] in *.
      apply Expect_ext. intro z. unfold gen0, gen. unfold out. rewrite set_back by lia. reflexivity. }
    assert (X2 : both i cost0 = both i cost_i).
    { rewrite (both_exchange i cost0 Hi). unfold both. apply Expect_ext_on_support. eapply Forall_impl; [|exact data_length]. intros [p t] Ht. cbn [snd] in *.
      apply Expect_ext. intro z. unfold cost0, cost_i, grad. unfold out. rewrite set_back by lia. reflexivity. }
    assert (X3 : both i (fun t z => gen t z + gen0 t z) <= both i (fun t z => 2 * cost_i t z + 2 * cost0 t z)).
    { apply both_le; [exact Hi|]. intros t z Ht. destruct (updated t i z ltac:(lia)) as [U1 U2].
      pose proof (stationary_at (set_nth i z t)) as Sv. rewrite U1, U2 in Sv.
      pose proof (replaced d psi link c L Lam Hc HL HLam2 strong n (phi t) (r t) i (feat (fst z)) (snd z) Hi (w t) (w (set_nth i z t)) (stationary_at t) Sv) as H.
      rewrite <- U1 in H. unfold gen, gen0, cost_i, cost0, grad, share, excess, excess_loss. change (feat (fst (out i t))) with (phi t i). change (snd (out i t)) with (r t i). lra. }
    rewrite !both_plus, !both_scal, X1, X2 in X3.
    assert (X4 : held i = both i gen + seen i).
    { unfold held, seen. rewrite (Expect_ext (product Ps) (fun t => excess (out i t) (w t)) (fun t => Expect (nth i Ps nil) (fun z => excess (out i t) (w t)))).
      - change (Expect (product Ps) (fun t => Expect (nth i Ps nil) (fun z => excess (out i t) (w t)))) with (both i (fun t z => excess (out i t) (w t))).
        rewrite <- both_plus. unfold both. apply Expect_ext. intro t. apply Expect_ext. intro z. unfold gen. ring.
      - intro t. symmetry. apply Expect_const, one_law, Hi. }
    fold cost_i. lra.
  Qed.

  (** E g_i^2 q_i <= s2 E q_i + (2L/(c + Lam)) held_i: given the designs and the copy, w does not depend on sample i *)
  Lemma grad_bound i : (i < n)%nat -> both i (fun t z => grad i t z ^ 2 * share i t) <=
    s2 * Expect (product Qs) (fun ps => share_of d c Lam n (fun j => feat (nth j ps y0)) i) + 2 * L / (c + Lam) * held i.
  Proof.
    intro Hi. pose proof (distribution_product Qs HQs) as HQd.
    assert (Swap : forall F : list point -> point -> R, both i F = Expect (nth i Ps nil) (fun z => Expect (product Qs) (fun ps => Expect (rewards_law rew ps) (fun t => F t z)))).
    { intro F. unfold both. rewrite (Expect_swap (product Ps) (nth i Ps nil) F). apply Expect_ext. intro z. apply (designs_first rew Qs). }
    unfold held. rewrite !Swap. set (sh := Expect (product Qs) (fun ps => share_of d c Lam n (fun j => feat (nth j ps y0)) i)).
    set (H := fun z0 => Expect (product Qs) (fun ps => Expect (rewards_law rew ps) (fun t => excess (out i t) (w (set_nth i z0 t))))).
    change (Expect (nth i Ps nil) (fun z0 => Expect (product Qs) (fun ps => Expect (rewards_law rew ps) (fun t => excess (out i t) (w (set_nth i z0 t)))))) with (Expect (nth i Ps nil) H).
    rewrite <- (Expect_const (nth i Ps nil) (s2 * sh) (one_law i Hi)), <- (Expect_scal (nth i Ps nil) (2 * L / (c + Lam)) H), <- (Expect_plus (nth i Ps nil)).
    apply Expect_le; [apply one_law, Hi|]. intro z0. unfold H, sh. rewrite <- (Expect_scal (product Qs) s2), <- (Expect_scal (product Qs) (2 * L / (c + Lam))), <- (Expect_plus (product Qs)).
    apply Expect_le_on_support; [apply HQd|]. eapply Forall_impl; [|apply (product_length Qs)]. intros [pr ps] Hl. cbn [snd] in *. fold n in Hl.
    set (law := rewards_law rew ps). assert (Hlaw : distribution law) by (apply distribution_rewards, Hrew).
    set (ph := fun j => feat (nth j ps y0)). set (q := share_of d c Lam n ph i).
    set (v := fun t : list point => fit n (update ph i (feat (fst z0))) (update (r t) i (snd z0))).
    set (z := fun t => dot d (ph i) (v t)). set (zs := dot d (ph i) wstar). set (s := fun t => link (z t) - link zs).
    set (e := fun t => deviation y0 (fun p => link (dot d (feat p) wstar)) ps t i). set (gain := fun t => psi (z t) - psi zs - link zs * (z t - zs)).
    assert (Blind : forall F : R -> R, Expect law (fun t => e t * F (z t)) = 0).
    { intro F. apply (deviation_blind y0 rew _ Hrew Hmean ps i (fun t => F (z t)) ltac:(lia)). intros t t' He. unfold z, v. f_equal. f_equal. f_equal.
      apply functional_extensionality. intro j. unfold update, r. destruct (Nat.eq_dec j i); [reflexivity|]. rewrite He by assumption. reflexivity. }
    assert (At : forall t, map fst t = ps -> (forall j, phi t j = ph j) /\ length t = n).
    { intros t Ht. split; [|rewrite <- Hl, <- Ht, map_length; reflexivity]. intro j. unfold phi, at_point, ph. rewrite <- Ht. f_equal. symmetry. apply (map_nth fst t (nowhere y0) j). }
    assert (Fit : forall t, map fst t = ps -> w (set_nth i z0 t) = v t).
    { intros t Ht. destruct (At t Ht) as [A1 A2]. destruct (updated t i z0 (eq_ind_r (fun k => (i < k)%nat) Hi A2)) as [U1 U2]. unfold w, glm_fit. change (fun j => at_point feat y0 (set_nth i z0 t) j) with (phi (set_nth i z0 t)).
      change (fun j => snd (nth j (set_nth i z0 t) (nowhere y0))) with (r (set_nth i z0 t)). rewrite U1, U2. unfold v. f_equal. f_equal. apply functional_extensionality. exact A1. }
    assert (On : forall F G : list point -> R, (forall t, map fst t = ps -> F t = G t) -> Expect law F = Expect law G).
    { intros F G HFG. apply Expect_ext_on_support. eapply Forall_impl; [|apply rewards_support]. intros [p t] Ht. apply HFG. exact Ht. }
    rewrite (On (fun t => grad i t z0 ^ 2 * share i t) (fun t => q * (s t ^ 2 + (e t ^ 2 + (-2) * (e t * (link (z t) - link zs)))))).
    2:{ intros t Ht. destruct (At t Ht) as [A1 A2]. unfold grad, share. rewrite (Fit t Ht), A1. replace (phi t) with ph by (apply functional_extensionality; intro; symmetry; apply A1).
        change (share_of d c Lam n ph i) with q. change (dot d (ph i) (v t)) with (z t). change (e t) with (r t i - link zs). unfold s. ring. }
    rewrite (On (fun t => excess (out i t) (w (set_nth i z0 t))) (fun t => gain t + (-1) * (e t * (z t - zs)))).
    2:{ intros t Ht. destruct (At t Ht) as [A1 A2]. unfold excess, excess_loss, sample_cost. change (feat (fst (out i t))) with (phi t i). change (snd (out i t)) with (r t i). rewrite (Fit t Ht), A1.
        change (dot d (ph i) (v t)) with (z t). change (dot d (ph i) wstar) with zs. change (e t) with (r t i - link zs). unfold gain. ring. }
    rewrite Expect_scal, !Expect_plus, !Expect_scal, (Blind (fun x => link x - link zs)), (Blind (fun x => x - zs)).
    pose proof (share_nonneg d c Lam Hc n ph i Hi) as q0. pose proof (share_small d c L Lam Hc HL HLam2 n ph (fun j _ => Hfeat _) i Hi) as q1. fold q in q0, q1.
    pose proof (deviation_variance y0 rew _ s2 Hrew Hvar ps i ltac:(lia)) as V. change (Expect law (fun t => e t ^ 2) <= s2) in V.
    assert (S2 : Expect law (fun t => s t ^ 2) <= 2 * L * Expect law gain).
    { rewrite <- Expect_scal. apply Expect_le; [apply Hlaw|]. intro t. apply (by_excess psi link c L Hc HL strong smooth). }
    assert (S0 : 0 <= Expect law (fun t => s t ^ 2)) by (rewrite <- (Expect_const law 0 Hlaw); apply Expect_le; [apply Hlaw|]; intro; apply pow2_ge_0).
    assert (T1 : q * Expect law (fun t => s t ^ 2) <= / (c + Lam) * (2 * L * Expect law gain)) by (apply Rmult_le_compat; assumption).
    assert (T2 : q * Expect law (fun t => e t ^ 2) <= q * s2) by (apply Rmult_le_compat_l; assumption).
    change (share_of d c Lam n ph i) with q.
    replace (2 * L / (c + Lam) * (Expect law gain + -1 * 0)) with (/ (c + Lam) * (2 * L * Expect law gain)) by (unfold Rdiv; ring). lra.
  Qed.
  (** the population's excess loss of w at a copy of sample i is held_i, and bounds the squares *)
  Lemma square_bound i : (i < n)%nat ->
    Expect (product Ps) (fun t => Expect (nth i Qs nil) (fun y => (link (dot d (feat y) (w t)) - link (dot d (feat y) wstar)) ^ 2)) <= 2 * L * held i.
  Proof.
    intro Hi. replace (held i) with (both i (fun t z => excess z (w t))) by (rewrite (both_exchange i (fun t z => excess z (w t)) Hi); reflexivity).
    unfold both. rewrite <- Expect_scal. apply Expect_le; [apply data_law|]. intro t. rewrite (law_at i Hi), <- Expect_scal. unfold point_law. rewrite Expect_bind.
    apply Expect_le; [apply (proj1 (Forall_forall _ _) HQs), nth_In, Hi|]. intro p. rewrite Expect_bind.
    rewrite (Expect_ext (rew p) _ (fun r0 => 2 * L * excess (p, r0) (w t))) by (intro r0; exact (Expect_dirac (p, r0) (fun z => 2 * L * excess z (w t)))).
    rewrite Expect_scal. set (y := dot d (feat p) (w t)). set (ys := dot d (feat p) wstar).
    rewrite (Expect_ext (rew p) _ (fun r0 => (psi y - psi ys) + - (y - ys) * r0)) by (intro r0; unfold excess, excess_loss, sample_cost; cbn [fst snd]; fold y ys; ring).
    rewrite Expect_plus, Expect_const, Expect_scal, Hmean by apply Hrew. fold ys. eapply Rle_trans; [apply (by_excess psi link c L Hc HL strong smooth ys y)|]. right. ring.
  Qed.
  (** Generalised linear rewards, n independent samples of different laws: fresh copies of all of them are predicted with this error. *)
  Theorem glm_different_laws :
    Expect (product (map (fun Q => point_law Q rew) Qs)) (fun t => sum (length Qs) (fun i => Expect (nth i Qs nil)
      (fun y => (link (dot d (feat y) (glm_fit feat y0 (length Qs) fit t)) - link (dot d (feat y) wstar)) ^ 2))) <=
    glm_different_constant c L Lam s2 (INR d) (square_norm d wstar).
  Proof.
    fold n. fold Ps. rewrite Expect_sum. set (total := sum n held).
    apply Rle_trans with (2 * L * total).
    - unfold total. rewrite <- sum_scal. apply sum_le. intros i Hi. apply (square_bound i Hi).
    - pose proof (distribution_product Qs HQs) as HQd.
      assert (Seen : sum n seen <= Lam / 2 * square_norm d wstar).
      { unfold seen. rewrite <- Expect_sum. rewrite <- (Expect_const (product Ps) (Lam / 2 * square_norm d wstar) data_law). apply Expect_le; [apply data_law|]. intro t.
        pose proof (all_in d psi link c L Lam Hc HL HLam2 strong n (phi t) (r t) (w t) wstar (stationary_at t)) as H.
        unfold excess, excess_loss. rewrite sum_minus. change (sum n (fun i => sample_cost d psi (feat (fst (out i t))) (snd (out i t)) (w t))) with (sum n (fun i => sample_cost d psi (phi t i) (r t i) (w t))).
        change (sum n (fun i => sample_cost d psi (feat (fst (out i t))) (snd (out i t)) wstar)) with (sum n (fun i => sample_cost d psi (phi t i) (r t i) wstar)). lra. }
      assert (Shares : sum n (fun i => Expect (product Qs) (fun ps => share_of d c Lam n (fun j => feat (nth j ps y0)) i)) <= INR d / c).
      { rewrite <- (Expect_sum (product Qs) n (fun i ps => share_of d c Lam n (fun j => feat (nth j ps y0)) i)).
        rewrite <- (Expect_const (product Qs) (INR d / c) HQd). apply Expect_le; [apply HQd|]. intro ps. apply (share_total d c Lam Hc n (fun j => feat (nth j ps y0))). }
      assert (Sum : total <= 2 * (s2 * INR d / c) + 4 * L / (c + Lam) * total + Lam / 2 * square_norm d wstar).
      { apply Rle_trans with (sum n (fun i => seen i + 2 * (s2 * Expect (product Qs) (fun ps => share_of d c Lam n (fun j => feat (nth j ps y0)) i) + 2 * L / (c + Lam) * held i))).
        - unfold total. apply sum_le. intros i Hi. pose proof (held_bound i Hi) as H1. pose proof (grad_bound i Hi) as H2. lra.
        - rewrite sum_plus, sum_scal, sum_plus, !sum_scal. fold total. apply (Rmult_le_compat_l s2) in Shares; [|exact Hs2]. unfold Rdiv in *. lra. }
      assert (Pos : 0 < 1 - 4 * L / (c + Lam)).
      { assert (4 * L / (c + Lam) < 1); [|lra]. apply (Rmult_lt_reg_r (c + Lam)); [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra. }
      unfold glm_different_constant. apply Rmult_le_compat_l; [lra|]. apply (Rmult_le_reg_r (1 - 4 * L / (c + Lam))); [exact Pos|].
      replace ((2 * (s2 * INR d / c) + Lam / 2 * square_norm d wstar) / (1 - 4 * L / (c + Lam)) * (1 - 4 * L / (c + Lam)))
        with (2 * (s2 * INR d / c) + Lam / 2 * square_norm d wstar) by (field; lra). lra.
  Qed.
End DifferentLaws.
