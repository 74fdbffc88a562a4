(** * col:convex: FedIGW with FedAvg or SCAFFOLD

    Ridge regression (lambda = 1/n), |phi| <= 1, |omega*| <= 1, doubling, K arms, T >= 3.  A call on n samples runs a [method] of
    LocalRidge.v from 0 with a step size and a number of rounds that [accurate_call] accepts: Theorem G's right-hand side, at the
    bounds of LocalEpoch.v on start, noise and drift, is at most tol = delta^2 C/(n + 1), C = d/4 + 1.  Then the excess risk is at
    most (1 + delta)^2 C/(n + 1), in the mean over the data and over everything the method draws.  Main results
    [col_convex_repaired], [_sharpened], [_best], [_best_two_arms]             one law, C = d/4 + 1
    [col_convex_different_repaired], ...                                       different laws, tol = delta^2 C/n, C = d/4 + 9/4
    and in ColConvexPer.v the same for LSGD-PFL, each with the bound of col:linear at (1 + delta)^2 C: the sum over epochs and the closed form.
    Main definitions: [accurate_call], [local_routine], [local_points].                                                      *)
From Coq Require Import Reals Lra Lia Psatz List Arith FunctionalExtensionality.
From FedIGW Require Import FiniteSums FiniteProbability InverseGapWeighting AcceleratedGradient RidgeExcessRisk Constants BestParameters
  Protocol DoublingSchedule DoublingRegret DoublingAnyRisk Exchangeability RidgeSamples RidgeProtocol RidgeDifferentLaws LinearRegret
  LinearDifferentLaws ColLinearPer CertifiedRegret LocalSteps LocalRuns AgentSpace LocalConvergence RidgeMoments LocalRidge LocalEpoch.
Import ListNotations.
Open Scope R_scope.

(** what a call returns: its last point, or the average of the points before it with weights q^(R-1-r) *)
Inductive output := the_last | the_average.
(** a step size eta and a number of rounds with which the method ends, in the mean, within tol: the bound on the squared distance of the
    last point, or D times the bound on the gap of the average point; D parameters, norm(wstar)^2 <= norm2 *)
Definition accurate_call (out : output) (way : method) (M steps local_steps : nat) (server_step eta : R) (rounds : nat) (D norm2 big share tol : R) : Prop :=
  let n := INR M * INR steps in
  let h := whole_step eta server_step local_steps in
  let beta := 2 * (1 + big / n) in
  let C := D / 4 + norm2 in
  0 < eta /\ step_condition way (h * beta) /\ match out with
  | the_last => method_bound way (INR local_steps) server_step h beta (2 / n) share rounds (mean_start C) (mean_noise n norm2) (mean_drift (INR M) C n) <= tol
  | the_average => (1 <= rounds)%nat /\
      D * gap_bound way (INR local_steps) server_step h beta (2 / n) share rounds (mean_start C) (mean_noise n norm2) (mean_drift (INR M) C n) <= tol end.

(** each agent predicts with its own row of the point *)
Definition point_estimate (d : nat) (phi : nat -> nat -> nat -> vector) (y : agents_point) : estimate := fun m x b => dot d (phi m x b) (y m).
Definition local_routine (d : nat) (phi : nat -> nat -> nat -> vector) (points : nat -> run -> list (R * agents_point)) (l : nat) (h : run) : list (R * estimate) :=
  bind (points l h) (fun y => dirac (point_estimate d phi y)).

Lemma doubling_pos T l m : (3 <= T)%nat -> (1 <= doubling T l m)%nat.
Proof.
  intro HT. destruct (Nat.eq_dec l (epochs_until T)) as [->|Hn].
  - apply doubling_positive; [exact HT|]. pose proof (epochs_until_log2 T HT) as [_ H]. lia.
  - unfold doubling. destruct (Nat.eq_dec l (epochs_until T)); [congruence|]. unfold full_length. destruct (Nat.eq_dec l 1); [lia|]. pose proof (pow_ge1 (l - 1)). lia.
Qed.

(** ** Any world of LocalEpoch.v: H3 for the routine *)
Section World.
  Variables (M k T : nat) (X : nat -> nat) (D : nat -> nat -> R) (reward_law : nat -> nat -> nat -> list (R * R)).
  Hypothesis HM : (1 <= M)%nat.
  Hypothesis Hk : (1 <= k)%nat.
  Hypothesis HT : (3 <= T)%nat.
  Hypothesis HD0 : forall m x, (x < X m)%nat -> 0 <= D m x.
  Hypothesis HD1 : forall m, sum (X m) (D m) = 1.
  Hypothesis HR : forall m x a, distribution (reward_law m x a).
  Hypothesis HR01 : forall m x a, Forall (fun pr => 0 <= snd pr <= 1) (reward_law m x a).
  Variables (d a dim : nat) (phi Phi : nat -> nat -> nat -> vector) (place_of : nat -> nat -> nat) (wstar : vector) (norm2 big share : R).
  Hypothesis Hlin : forall m x b, Expect (reward_law m x b) (fun r => r) = dot dim (Phi m x b) wstar.
  Hypothesis HPhi : forall m x b, square_norm dim (Phi m x b) <= 1.
  Hypothesis Hphi : forall m x b, square_norm d (phi m x b) <= 1.
  Hypothesis place_below : forall m i, (m < M)%nat -> (i < d)%nat -> (place_of m i < dim)%nat.
  Hypothesis place_shared : forall m i, (m < M)%nat -> (i < a)%nat -> place_of m i = i.
  Hypothesis feature_shared : forall m x b i, (m < M)%nat -> (i < a)%nat -> Phi m x b i = phi m x b i.
  Hypothesis feature_own : forall m m' x b i, (m < M)%nat -> (m' < M)%nat -> (a <= i)%nat -> (i < d)%nat ->
    Phi m' x b (place_of m i) = if Nat.eq_dec m' m then phi m x b i else 0.
  Hypothesis same_dot : forall m x b v, (m < M)%nat -> dot dim (Phi m x b) v = dot d (phi m x b) (restrict place_of m v).
  Hypothesis smaller_norm : forall v, sum M (fun m => / INR M * square_norm d (restrict place_of m v)) <= square_norm dim v.
  Hypothesis same_combination : forall m J (c : nat -> R) (at_ : nat -> nat * nat), (m < M)%nat ->
    square_norm d (fun i => sum J (fun j => c j * phi m (fst (at_ j)) (snd (at_ j)) i)) <=
    square_norm dim (fun i => sum J (fun j => c j * Phi m (fst (at_ j)) (snd (at_ j)) i)).
  Hypothesis truth_norm : square_norm dim wstar <= norm2.
  Hypothesis truth_weighted : sum M (fun m => / INR M * sum d (fun i => block_weight M a i * restrict place_of m wstar i ^ 2)) <= norm2.
  Hypothesis truth_unit : sum M (fun m => / INR M * square_norm d (restrict place_of m wstar)) <= 1.
  Hypothesis Hbig : forall i, (i < d)%nat -> block_weight M a i <= big.
  Hypothesis Hbig1 : 1 <= big.
  Hypothesis Hshare : (a = d /\ share = / INR M) \/ share = 1.
  Hypothesis Hnorm2 : 0 < norm2.
  Hypothesis lifts : forall v : agents_point, (forall m i, (m < M)%nat -> (i < a)%nat -> v m i = v O i) -> exists V : vector,
    (forall m i, (m < M)%nat -> (i < d)%nat -> restrict place_of m V i = v m i) /\ square_norm dim V <= sum M (fun m => / INR M * sum d (fun i => block_weight M a i * v m i ^ 2)).
  Variables (out : output) (way : method) (local_steps : nat) (server_step : R) (eta : nat -> R) (rounds : nat -> nat).
  Hypothesis Hlocal : (1 <= local_steps)%nat.
  Hypothesis Hserver : 1 <= server_step.
  Let len := doubling T.
  (** what the method returns after epoch l *)
  Definition local_points (l : nat) (h : run) : list (R * agents_point) := match out with
    | the_last => epoch_run M (doubling T) l (doubling T l 0) d a dim phi Phi place_of (eta l) server_step local_steps way (rounds l) (snd (h l))
    | the_average => epoch_average M (doubling T) l (doubling T l 0) d a dim phi Phi place_of (eta l) server_step local_steps way (rounds l) (snd (h l)) end.
  Lemma local_points_law l h : distribution (local_points l h).
  Proof.
    unfold local_points. destruct out; (apply distribution_bind; [|intro; apply distribution_dirac]).
    - apply local_run_law; [exact HM|apply doubling_pos, HT].
    - apply local_average_law; [exact HM|apply doubling_pos, HT].
  Qed.
  Lemma local_routine_law l h : distribution (local_routine d phi local_points l h).
  Proof. apply distribution_bind; [apply local_points_law|]. intro. apply distribution_dirac. Qed.

  Variables (gamma : nat -> R) (l : nat) (f : estimate) (delta A : R) (h : run).
  Hypothesis Hgamma : forall i, 0 <= gamma i.
  Hypothesis Hl : (1 <= l)%nat.
  Hypothesis Hdelta : 0 < delta.
  Let Err := Err_of M X (K_arms k) D reward_law (doubling T) gamma l f.
  Let W := Protocol.W M (doubling T) l.
  Let fit ds := agents_fit M (doubling T) l dim Phi place_of ds.
  Lemma truth_at m x b : (m < M)%nat -> Expect (reward_law m x b) (fun r => r) = dot d (phi m x b) (restrict place_of m wstar).
  Proof. intro Hm. rewrite Hlin. apply same_dot, Hm. Qed.
  (** the prediction of y errs by that of xs and by the difference *)
  Lemma point_error xs y : Err (point_estimate d phi y) <= (1 + delta) * Err (point_estimate d phi xs) + (1 + / delta) * Err (moved reward_law d phi xs y).
  Proof.
    unfold Err, Err_of, over_epoch. rewrite <- !sum_scal, <- sum_plus. apply sum_le. intros m Hm.
    set (kernel := fun x b => igw (K_arms k m) (gamma l) (f m x) b).
    set (q := fun (g : estimate) x b => (g m x b - fstar reward_law m x b) * (g m x b - fstar reward_law m x b)).
    apply Rle_trans with (E (doubling T) l m * sum (X m) (fun x => D m x * sum (K_arms k m) (fun b => kernel x b * ((1 + delta) * q (point_estimate d phi xs) x b + (1 + / delta) * q (moved reward_law d phi xs y) x b)))).
    - apply Rmult_le_compat_l; [apply pos_INR|]. apply sum_le. intros x Hx. apply Rmult_le_compat_l; [apply HD0; exact Hx|]. apply sum_le. intros b Hb.
      pose proof (igw_pos (K_arms k m) (gamma l) (f m x) Hk (Hgamma l) b Hb) as Hk0. apply Rmult_le_compat_l; [left; exact Hk0|].
      unfold q, point_estimate, moved. rewrite dot_minus.
      set (u := dot d (phi m x b) (xs m) - fstar reward_law m x b). set (v := dot d (phi m x b) (y m) - dot d (phi m x b) (xs m)).
      replace ((dot d (phi m x b) (y m) - fstar reward_law m x b) * (dot d (phi m x b) (y m) - fstar reward_law m x b)) with ((u + v) * (u + v)) by (unfold u, v; ring).
      replace ((fstar reward_law m x b + v - fstar reward_law m x b) * (fstar reward_law m x b + v - fstar reward_law m x b)) with (v * v) by ring.
      assert (0 < / delta) by (apply Rinv_0_lt_compat; exact Hdelta). assert (S : 0 <= / delta * (delta * u - v) ^ 2) by (apply Rmult_le_pos; [lra|apply pow2_ge_0]).
      replace (/ delta * (delta * u - v) ^ 2) with (delta * (u * u) - 2 * u * v + / delta * (v * v)) in S by (field; lra). lra.
    - right. unfold kernel, q.
      rewrite (sum_ext (X m) _ (fun x => (1 + delta) * (D m x * sum (K_arms k m) (fun b => igw (K_arms k m) (gamma l) (f m x) b * q (point_estimate d phi xs) x b))
        + (1 + / delta) * (D m x * sum (K_arms k m) (fun b => igw (K_arms k m) (gamma l) (f m x) b * q (moved reward_law d phi xs y) x b)))).
      + rewrite sum_plus, !sum_scal. unfold q. ring.
      + intros x _. rewrite (sum_ext (K_arms k m) _ (fun b => (1 + delta) * (igw (K_arms k m) (gamma l) (f m x) b * q (point_estimate d phi xs) x b)
          + (1 + / delta) * (igw (K_arms k m) (gamma l) (f m x) b * q (moved reward_law d phi xs y) x b))) by (intros; unfold q; ring).
        rewrite sum_plus, !sum_scal. ring.
  Qed.
  Lemma moved_distance xs y : Err (moved reward_law d phi xs y) <= W * distance_from M d xs y.
  Proof.
    assert (M1 : 1 <= INR M) by (replace 1 with (INR 1) by reflexivity; apply le_INR, HM).
    assert (Ew : W * distance_from M d xs y = sum M (fun m => E (doubling T) l m * square_norm d (minus (y m) (xs m)))).
    { unfold W, Protocol.W. change (fun m => E (doubling T) l m) with (fun _ : nat => INR (doubling T l 0)). rewrite sum_const.
      change (fun m => E (doubling T) l m * square_norm d (minus (y m) (xs m))) with (fun m => INR (doubling T l 0) * square_norm d (minus (y m) (xs m))).
      rewrite sum_scal. unfold distance_from. rewrite sum_scal. field. lra. }
    rewrite Ew. unfold Err, Err_of, over_epoch. apply sum_le. intros m Hm. apply Rmult_le_compat_l; [apply pos_INR|]. set (far := square_norm d (minus (y m) (xs m))).
    apply Rle_trans with (sum (X m) (fun x => D m x * far)); [|rewrite (sum_ext _ _ (fun x => far * D m x)) by (intros; ring); rewrite sum_scal, HD1; lra].
    apply sum_le. intros x Hx. apply Rmult_le_compat_l; [apply HD0; exact Hx|].
    apply Rle_trans with (sum (K_arms k m) (fun b => far * igw (K_arms k m) (gamma l) (f m x) b)); [|rewrite sum_scal, igw_total by auto; lra].
    apply sum_le. intros b Hb. pose proof (igw_pos (K_arms k m) (gamma l) (f m x) Hk (Hgamma l) b Hb) as Hk0. rewrite (Rmult_comm far). apply Rmult_le_compat_l; [left; exact Hk0|].
    unfold moved. pose proof (cauchy_schwarz d (phi m x b) (minus (y m) (xs m))) as C. fold (dot d (phi m x b) (minus (y m) (xs m))) in C. fold (square_norm d (phi m x b)) in C.
    change (sum d (fun i => minus (y m) (xs m) i ^ 2)) with far in C. pose proof (Hphi m x b) as P. assert (0 <= far) by apply square_norm_nonneg. set (v := dot d (phi m x b) (minus (y m) (xs m))) in *.
    replace ((fstar reward_law m x b + v - fstar reward_law m x b) * (fstar reward_law m x b + v - fstar reward_law m x b)) with (v ^ 2) by ring.
    assert (square_norm d (phi m x b) * far <= 1 * far) by (apply Rmult_le_compat_r; assumption). lra.
  Qed.
  Lemma exact_error ds : Err (point_estimate d phi (fit ds)) = Err (own_linear_estimate dim Phi (pooled_fit M (doubling T) l dim Phi ds)).
  Proof.
    unfold Err, Err_of, over_epoch. apply sum_ext. intros m Hm. f_equal. apply sum_ext. intros x _. f_equal. apply sum_ext. intros b _.
    unfold point_estimate, own_linear_estimate. rewrite (same_dot m x b _ Hm). reflexivity.
  Qed.
  Hypothesis Hexact : Expect (all_agents X (K_arms k) D reward_law (doubling T) gamma l f M)
    (fun ds => Err_of M X (K_arms k) D reward_law (doubling T) gamma l f (own_linear_estimate dim Phi (pooled_fit M (doubling T) l dim Phi ds))) <= Protocol.W M (doubling T) l * A.
  Hypothesis Hcall : accurate_call out way M (doubling T l 0) local_steps server_step (eta l) (rounds l) (INR dim) norm2 big share (delta ^ 2 * A).
  (** E Err^l <= W^l (1 + delta)^2 A *)
  Lemma local_H3 : Expect (all_agents X (K_arms k) D reward_law (doubling T) gamma l f M)
      (fun ds => Expect (local_routine d phi local_points l (update h l (f, ds))) (fun f' => Err_of M X (K_arms k) D reward_law (doubling T) gamma l f f'))
    <= Protocol.W M (doubling T) l * ((1 + delta) ^ 2 * A).
  Proof.
    destruct Hcall as (He & Hs & Hb). set (data := all_agents X (K_arms k) D reward_law (doubling T) gamma l f M).
    assert (Hd : distribution data) by (apply (distribution_all_agents X (K_arms k) D reward_law l (doubling T) gamma (fun _ => Hk) HD0 HD1 HR (fun i _ => Hgamma i)); lia).
    assert (Hmoved : Expect data (fun ds => Expect (local_points l (update h l (f, ds))) (fun y => Err (moved reward_law d phi (fit ds) y))) <= W * (delta ^ 2 * A)).
    { assert (W0 : 0 <= W) by (apply sum_nonneg; intros; apply pos_INR). unfold local_points. destruct out.
      - pose proof (epoch_distance M X (K_arms k) D reward_law (doubling T) gamma l (doubling T l 0) f HM (fun _ => Hk) HD0 HD1 HR HR01 Hgamma Hl (fun _ => eq_refl) (doubling_pos T l 0 HT)
          d a dim phi Phi place_of wstar norm2 big share Hlin HPhi Hphi place_below place_shared feature_shared feature_own same_dot smaller_norm same_combination truth_norm truth_weighted truth_unit
          Hbig Hbig1 Hshare Hnorm2 (eta l) server_step local_steps way (rounds l) He Hserver Hlocal Hs) as Hdist.
        fold data in Hdist. apply (Rle_trans _ _ (delta ^ 2 * A)) in Hdist; [|exact Hb]. apply (Rmult_le_compat_l W) in Hdist; [|exact W0].
        eapply Rle_trans; [|exact Hdist]. rewrite <- Expect_scal. apply Expect_le; [apply Hd|]. intro ds. rewrite update_same. cbn [snd].
        rewrite <- Expect_scal. apply Expect_le; [apply epoch_run_law; [exact HM|apply doubling_pos, HT]|]. intro y. apply moved_distance.
      - destruct Hb as [HR1 Hb].
        pose proof (epoch_gap M X (K_arms k) D reward_law (doubling T) gamma l (doubling T l 0) f HM (fun _ => Hk) HD0 HD1 HR HR01 Hgamma Hl (fun _ => eq_refl) (doubling_pos T l 0 HT)
          d a dim phi Phi place_of wstar norm2 big share Hlin HPhi Hphi place_below place_shared feature_shared feature_own same_dot smaller_norm same_combination truth_norm truth_weighted truth_unit
          Hbig Hbig1 Hshare Hnorm2 (eta l) server_step local_steps way (rounds l) He Hserver Hlocal Hs lifts HR1) as Hgap.
        fold data in Hgap. apply (Rmult_le_compat_l W) in Hb; [|exact W0].
        assert (Wn : W = INR M * INR (doubling T l 0)) by (unfold W, Protocol.W; change (fun m => E (doubling T) l m) with (fun _ : nat => INR (doubling T l 0)); apply sum_const).
        eapply Rle_trans; [|eapply Rle_trans; [|exact Hb]].
        + eapply Rle_trans; [|exact Hgap]. right. apply Expect_ext. intro ds. rewrite update_same. reflexivity.
        + right. rewrite Wn. ring. }
    apply Rle_trans with (Expect data (fun ds => (1 + delta) * Err (point_estimate d phi (fit ds)) +
      (1 + / delta) * Expect (local_points l (update h l (f, ds))) (fun y => Err (moved reward_law d phi (fit ds) y)))).
    - apply Expect_le; [apply Hd|]. intro ds. set (h' := update h l (f, ds)). unfold local_routine. rewrite Expect_bind.
      rewrite <- (Expect_const (local_points l h') ((1 + delta) * Err (point_estimate d phi (fit ds))) (local_points_law l h')), <- Expect_scal, <- Expect_plus.
      apply Expect_le; [apply local_points_law|]. intro y. rewrite Expect_dirac. apply point_error.
    - rewrite Expect_plus, !Expect_scal.
      rewrite (Expect_ext data (fun ds => Err (point_estimate d phi (fit ds))) (fun ds => Err (own_linear_estimate dim Phi (pooled_fit M (doubling T) l dim Phi ds)))) by exact exact_error.
      assert (Di : 0 < / delta) by (apply Rinv_0_lt_compat; exact Hdelta).
      apply (Rmult_le_compat_l (1 + delta)) in Hexact; [|lra]. fold data in Hexact. apply (Rmult_le_compat_l (1 + / delta)) in Hmoved; [|lra].
      apply Rle_trans with ((1 + delta) * (W * A) + (1 + / delta) * (W * (delta ^ 2 * A))).
      + apply Rplus_le_compat; [exact Hexact|exact Hmoved].
      + right. fold W. field. lra.
  Qed.
End World.

(** ** All coordinates shared *)
Definition in_place (m i : nat) : nat := i.
Section Shared.
  Variables (M k T : nat) (X : nat -> nat) (D : nat -> nat -> R) (reward_law : nat -> nat -> nat -> list (R * R)).
  Variables (dim : nat) (phi : nat -> nat -> nat -> vector) (wstar : vector).
  Hypothesis HM : (1 <= M)%nat.
  Hypothesis Hk : (1 <= k)%nat.
  Hypothesis HT : (3 <= T)%nat.
  Hypothesis HD0 : forall m x, (x < X m)%nat -> 0 <= D m x.
  Hypothesis HD1 : forall m, sum (X m) (D m) = 1.
  Hypothesis HR : forall m x a, distribution (reward_law m x a).
  Hypothesis HR01 : forall m x a, Forall (fun pr => 0 <= snd pr <= 1) (reward_law m x a).
  Hypothesis Hlin : forall m x a, Expect (reward_law m x a) (fun r => r) = dot dim (phi m x a) wstar.
  Hypothesis Hphi : forall m x a, square_norm dim (phi m x a) <= 1.
  Hypothesis Hstar : square_norm dim wstar <= 1.
  Variables (out : output) (way : method) (local_steps : nat) (server_step : R) (eta : nat -> R) (rounds : nat -> nat).
  Hypothesis Hlocal : (1 <= local_steps)%nat.
  Hypothesis Hserver : 1 <= server_step.
  (** FedAvg or SCAFFOLD after every epoch *)
  Definition shared_points : nat -> run -> list (R * agents_point) :=
    local_points M T dim dim dim phi phi in_place out way local_steps server_step eta rounds.
  Lemma agents_average c : sum M (fun _ => / INR M * c) = c.
  Proof. rewrite sum_const. field. apply not_0_INR. lia. Qed.
  Lemma all_shared i : (i < dim)%nat -> block_weight M dim i = 1.
  Proof. intro Hi. unfold block_weight. apply Nat.ltb_lt in Hi. rewrite Hi. reflexivity. Qed.
  Lemma shared_H3 gamma l f delta A h : (forall i, 0 <= gamma i) -> (1 <= l)%nat -> 0 < delta ->
    Expect (all_agents X (K_arms k) D reward_law (doubling T) gamma l f M)
      (fun ds => Err_of M X (K_arms k) D reward_law (doubling T) gamma l f (own_linear_estimate dim phi (pooled_fit M (doubling T) l dim phi ds))) <= Protocol.W M (doubling T) l * A ->
    accurate_call out way M (doubling T l 0) local_steps server_step (eta l) (rounds l) (INR dim) 1 1 (/ INR M) (delta ^ 2 * A) ->
    Expect (all_agents X (K_arms k) D reward_law (doubling T) gamma l f M)
      (fun ds => Expect (local_routine dim phi shared_points l (update h l (f, ds))) (fun f' => Err_of M X (K_arms k) D reward_law (doubling T) gamma l f f'))
    <= Protocol.W M (doubling T) l * ((1 + delta) ^ 2 * A).
  Proof.
    intros Hg Hl Hd Hex Hcall.
    apply (local_H3 M k T X D reward_law HM Hk HT HD0 HD1 HR HR01 dim dim dim phi phi in_place wstar 1 1 (/ INR M) Hlin Hphi Hphi) ; try assumption; try lra.
    - intros m i _ Hi. exact Hi.
    - intros. reflexivity.
    - intros. reflexivity.
    - intros. lia.
    - intros. reflexivity.
    - intro v. right. exact (agents_average (square_norm dim v)).
    - intros. right. reflexivity.
    - apply Rle_trans with (square_norm dim wstar); [|exact Hstar]. right. rewrite <- (agents_average (square_norm dim wstar)). apply sum_ext. intros m _. f_equal.
      apply sum_ext. intros i Hi. rewrite all_shared by exact Hi. unfold restrict, in_place. ring.
    - apply Rle_trans with (square_norm dim wstar); [|exact Hstar]. right. exact (agents_average (square_norm dim wstar)).
    - intros i Hi. rewrite all_shared by exact Hi. lra.
    - left. split; reflexivity.
    - intros v Hv. exists (v O). assert (Same : forall m i, (m < M)%nat -> (i < dim)%nat -> v O i = v m i) by (intros; symmetry; apply Hv; assumption).
      split; [exact Same|]. right. rewrite <- (agents_average (square_norm dim (v O))). apply sum_ext. intros m Hm. f_equal. apply sum_ext. intros i Hi.
      rewrite all_shared, (Same m i Hm Hi) by exact Hi. ring.
  Qed.
  Lemma shared_law l h : distribution (local_routine dim phi shared_points l h).
  Proof. apply local_routine_law; assumption. Qed.
End Shared.

(** ** Different laws *)
Section DifferentLaws.
  Variables (M k T : nat) (X : nat -> nat) (D : nat -> nat -> R) (reward_law : nat -> nat -> nat -> list (R * R)).
  Variables (dim : nat) (phi : nat -> nat -> nat -> vector) (wstar : vector).
  Hypothesis HM : (1 <= M)%nat.
  Hypothesis Hk : (1 <= k)%nat.
  Hypothesis HT : (3 <= T)%nat.
  Hypothesis Hdim : (1 <= dim)%nat.
  Hypothesis HD0 : forall m x, (x < X m)%nat -> 0 <= D m x.
  Hypothesis HD1 : forall m, sum (X m) (D m) = 1.
  Hypothesis HR : forall m x a, distribution (reward_law m x a).
  Hypothesis HR01 : forall m x a, Forall (fun pr => 0 <= snd pr <= 1) (reward_law m x a).
  Hypothesis Hlin : forall m x a, Expect (reward_law m x a) (fun r => r) = dot dim (phi m x a) wstar.
  Hypothesis Hphi : forall m x a, square_norm dim (phi m x a) <= 1.
  Hypothesis Hstar : square_norm dim wstar <= 1.
  Variables (out : output) (way : method) (local_steps : nat) (server_step delta : R) (eta : nat -> R) (rounds : nat -> nat).
  Hypothesis Hlocal : (1 <= local_steps)%nat.
  Hypothesis Hserver : 1 <= server_step.
  Hypothesis Hdelta : 0 < delta.
  Local Notation A := (different_constant (INR dim) 1).
  Local Notation risk := ((1 + delta) ^ 2 * different_constant (INR dim) 1).
  (** every call ends, in the mean, within delta^2 A / n *)
  Hypothesis calls : forall l, (1 <= l)%nat -> (S l <= epochs_until T)%nat ->
    accurate_call out way M (doubling T l 0) local_steps server_step (eta l) (rounds l) (INR dim) 1 1 (/ INR M)
      (delta ^ 2 * (different_constant (INR dim) 1 / (INR M * INR (doubling T l 0)))).
  (** Reg(T) of FedIGW with this method and gamma^{l+1} = g sqrt(K / e_l), e_l = risk / n_l *)
  Definition convex_different_Reg_T (g : R) : R :=
    risk_Reg_T M X k D reward_law (local_routine dim phi (shared_points M T dim phi out way local_steps server_step eta rounds))
      (different_risk M T ((1 + delta) ^ 2 * different_constant (INR dim) 1)) T g.
  Let positive_risk : 0 < risk.
  Proof. apply Rmult_lt_0_compat; [apply pow_lt; lra|]. apply (different_A_positive dim wstar 1 Hstar Hdim). Qed.
  Let H3 g l h f : 0 < g -> True -> (1 <= l)%nat -> (S l <= epochs_until T)%nat ->
    Expect (all_agents X (K_arms k) D reward_law (doubling T) (risk_rates k (different_risk M T risk) g) l f M)
      (fun d => Expect (local_routine dim phi (shared_points M T dim phi out way local_steps server_step eta rounds) l (update h l (f, d)))
        (fun f' => Err_of M X (K_arms k) D reward_law (doubling T) (risk_rates k (different_risk M T risk) g) l f f'))
    <= Protocol.W M (doubling T) l * different_risk M T risk l.
  Proof.
    intros Hg _ H1 H2. assert (Hrates : forall i, 0 <= risk_rates k (different_risk M T risk) g i) by (intro i; apply risk_rates_nonneg; exact Hg).
    pose proof (samples_count M k T HM Hk HT l ltac:(lia)) as Hn.
    eapply Rle_trans.
    - apply (shared_H3 M k T X D reward_law dim phi wstar HM Hk HT HD0 HD1 HR HR01 Hlin Hphi Hstar out way local_steps server_step eta rounds Hlocal Hserver
        (risk_rates k (different_risk M T risk) g) l f delta (A / (INR M * INR (doubling T l 0))) h Hrates H1 Hdelta); [|apply calls; assumption].
      eapply Rle_trans; [apply (different_direct_H3 M k X D reward_law T dim phi wstar 1 Hk HD0 HD1 HR HR01 Hlin Hphi Hstar); auto|].
      rewrite (W_samples M T). right. field. split; intro Hz; rewrite Hz in Hn; lra.
    - rewrite (W_samples M T). right. unfold different_risk. field. split; intro Hz; rewrite Hz in Hn; lra.
  Qed.
  Let any (f : estimate) : Prop := True.
  Let reached l h : Forall (fun pf => any (snd pf)) (local_routine dim phi (shared_points M T dim phi out way local_steps server_step eta rounds) l h).
  Proof. apply Forall_forall. intros. exact I. Qed.
  Let below l : (1 <= l <= epochs_until T)%nat -> different_risk M T risk l <= risk / (INR M * INR (doubling T l 0)).
  Proof. intros _. unfold different_risk. lra. Qed.
  Let law := shared_law M T dim phi HM HT out way local_steps server_step eta rounds.
  Let positive := different_risk_pos M k T HM Hk HT risk positive_risk.
  Let decreases := different_risk_decreases M k T dim HM Hk Hdim HT risk positive_risk.

  (** repaired:  2M + 11 (2 + sqrt 2)(1 + delta) sqrt(M K T (d/4 + 9/4)). *)
  Theorem col_convex_different_repaired :
    convex_different_Reg_T 1 <= uncapped_sum 11 M k T (different_risk M T risk) <= linear_repaired_bound (INR M) (INR k) (INR T) risk.
  Proof.
    exact (routine_repaired M k T X D reward_law _ _ risk any HM Hk HT HD0 HD1 HR HR01 law I reached positive_risk positive decreases below H3).
  Qed.
  (** sharpened, g^2 = (3q + 1)/8. *)
  Theorem col_convex_different_sharpened : let q := 1 - / INR k in
    convex_different_Reg_T (sqrt ((3 * q + 1) / 8)) <= capped_sum (linear_sharpened_constant q) M k T (different_risk M T risk) <=
      linear_bound (linear_sharpened_constant q) (INR M) (INR k) (INR T) risk.
  Proof.
    exact (routine_sharpened M k T X D reward_law _ _ risk any HM Hk HT HD0 HD1 HR HR01 law I reached positive_risk positive decreases below H3).
  Qed.
  (** best, K >= 3: the constant is at most 3.6981. *)
  Theorem col_convex_different_best : (3 <= k)%nat ->
    convex_different_Reg_T (sqrt (Rmax (1 - / INR k) (1 - 2 / INR k + doubling_arms) / doubling_risk)) <=
      capped_sum (doubling_over_g (INR k)) M k T (different_risk M T risk) <= linear_bound (doubling_over_g (INR k)) (INR M) (INR k) (INR T) risk.
  Proof.
    intro Hk3. exact (routine_best M k T X D reward_law _ _ risk any HM Hk HT HD0 HD1 HR HR01 law I reached positive_risk positive decreases below H3 Hk3
      (different_risk_halves M k T dim HM Hk Hdim HT risk)).
  Qed.
  (** best, two arms:  3 / sqrt 2. *)
  Theorem col_convex_different_best_two_arms : k = 2%nat ->
    convex_different_Reg_T (sqrt (2 / 9)) <= capped_sum (3 / sqrt 2) M k T (different_risk M T risk) <= linear_bound (3 / sqrt 2) (INR M) (INR k) (INR T) risk.
  Proof.
    exact (routine_best_two_arms M k T X D reward_law _ _ risk any HM Hk HT HD0 HD1 HR HR01 law I reached positive_risk positive decreases below H3).
  Qed.
End DifferentLaws.

(** ** One law for all agents *)
Section SameLaw.
  Variables (M contexts k T : nat) (D : nat -> R) (reward_law : nat -> nat -> list (R * R)).
  Variables (dim : nat) (phi : nat -> nat -> vector) (wstar : vector).
  Hypothesis HM : (1 <= M)%nat.
  Hypothesis Hk : (1 <= k)%nat.
  Hypothesis HT : (3 <= T)%nat.
  Hypothesis Hdim : (1 <= dim)%nat.
  Hypothesis HD0 : forall x, (x < contexts)%nat -> 0 <= D x.
  Hypothesis HD1 : sum contexts D = 1.
  Hypothesis HR : forall x a, distribution (reward_law x a).
  Hypothesis HR01 : forall x a, Forall (fun pr => 0 <= snd pr <= 1) (reward_law x a).
  Hypothesis Hlin : forall x a, Expect (reward_law x a) (fun r => r) = dot dim (phi x a) wstar.
  Hypothesis Hphi : forall x a, square_norm dim (phi x a) <= 1.
  Hypothesis Hstar : square_norm dim wstar <= 1.
  Variables (out : output) (way : method) (local_steps : nat) (server_step delta : R) (eta : nat -> R) (rounds : nat -> nat).
  Hypothesis Hlocal : (1 <= local_steps)%nat.
  Hypothesis Hserver : 1 <= server_step.
  Hypothesis Hdelta : 0 < delta.
  Local Notation A := (linear_constant (INR dim) 1).
  Local Notation risk := ((1 + delta) ^ 2 * linear_constant (INR dim) 1).
  Local Notation routine := (local_routine dim (fun _ => phi) (shared_points M T dim (fun _ => phi) out way local_steps server_step eta rounds)).
  (** every call ends, in the mean, within delta^2 A / (n + 1) *)
  Hypothesis calls : forall l, (1 <= l)%nat -> (S l <= epochs_until T)%nat ->
    accurate_call out way M (doubling T l 0) local_steps server_step (eta l) (rounds l) (INR dim) 1 1 (/ INR M)
      (delta ^ 2 * (linear_constant (INR dim) 1 / (INR M * INR (doubling T l 0) + 1))).
  (** Reg(T) of FedIGW with this method and gamma^{l+1} = g sqrt(K / e_l) *)
  Definition convex_Reg_T (e : nat -> R) (g : R) : R :=
    risk_Reg_T M (fun _ => contexts) k (fun _ => D) (fun _ => reward_law)
      (local_routine dim (fun _ => phi) (shared_points M T dim (fun _ => phi) out way local_steps server_step eta rounds)) e T g.
  Let positive_risk : 0 < risk.
  Proof. apply Rmult_lt_0_compat; [apply pow_lt; lra|]. apply (A_positive dim wstar 1 Hstar Hdim). Qed.
  Let reached l h : Forall (fun pf => common_estimate (snd pf)) (routine l h).
  Proof.
    unfold local_routine, shared_points, local_points, epoch_run, epoch_average. apply (Forall_bind common_estimate). destruct out; (apply (Forall_bind (fun y => Forall (fun pf => common_estimate (snd pf)) (dirac (point_estimate dim (fun _ => phi) y))));
    apply Forall_forall; intros [q y] _; constructor; [|constructor]; constructor; [|constructor]; cbn [snd]; intros m x; apply functional_extensionality; intro b;
    unfold point_estimate, dot; apply sum_ext; intros i Hi; f_equal; unfold average; apply Nat.ltb_lt in Hi; rewrite Hi; reflexivity).
  Qed.
  (** the pooled data with and without the agents' names have one minimiser *)
  Lemma same_fit l ds : pooled_fit M (doubling T) l dim (fun _ => phi) ds = ridge_of M (doubling T) dim phi l ds.
  Proof.
    assert (P : forall j, nth j (pooled M ds) (nowhere (0%nat, 0%nat)) =
      (snd (fst (nth j (pooled_places M ds) (nowhere nowhere_place))), snd (nth j (pooled_places M ds) (nowhere nowhere_place)))).
    { assert (Hm : pooled M ds = map (fun z : place * R => (snd (fst z), snd z)) (pooled_places M ds)).
      { clear. induction M as [|m IH]; [reflexivity|]. cbn [pooled pooled_places]. rewrite map_app, map_map, <- IH. f_equal. rewrite <- (map_id (ds m)) at 1.
        apply map_ext. intros [y r]. reflexivity. }
      intro j. rewrite Hm. apply (map_nth (fun z : place * R => (snd (fst z), snd z)) (pooled_places M ds) (nowhere nowhere_place) j). }
    unfold pooled_fit, places_fit, ridge_of, ridge_fit. f_equal; apply functional_extensionality; intro j; unfold at_point; rewrite P; reflexivity.
  Qed.
  Lemma convex_H3 e g l h f : (forall i, (1 <= i <= epochs_until T)%nat -> ridge_risk M T risk i <= e i) ->
    0 < g -> common_estimate f -> (1 <= l)%nat -> (S l <= epochs_until T)%nat ->
    Expect (all_agents (fun _ => contexts) (K_arms k) (fun _ => D) (fun _ => reward_law) (doubling T) (risk_rates k e g) l f M)
      (fun d => Expect (routine l (update h l (f, d)))
        (fun f' => Err_of M (fun _ => contexts) (K_arms k) (fun _ => D) (fun _ => reward_law) (doubling T) (risk_rates k e g) l f f'))
    <= Protocol.W M (doubling T) l * e l.
  Proof.
    intros He Hg Hf H1 H2. assert (Hrates : forall i, 0 <= risk_rates k e g i) by (intro i; apply risk_rates_nonneg; exact Hg).
    pose proof (samples_count M k T HM Hk HT l ltac:(lia)) as Hn.
    apply Rle_trans with (Protocol.W M (doubling T) l * ridge_risk M T risk l).
    - eapply Rle_trans.
      + apply (shared_H3 M k T (fun _ => contexts) (fun _ => D) (fun _ => reward_law) dim (fun _ => phi) wstar HM Hk HT (fun _ => HD0) (fun _ => HD1) (fun _ => HR) (fun _ => HR01)
          (fun _ => Hlin) (fun _ => Hphi) Hstar out way local_steps server_step eta rounds Hlocal Hserver
          (risk_rates k e g) l f delta (A / (INR M * INR (doubling T l 0) + 1)) h Hrates H1 Hdelta); [|apply calls; assumption].
        pose proof (direct_H3 M contexts k D reward_law T dim phi wstar 1 Hk HD0 HD1 HR HR01 Hlin Hphi Hstar (risk_rates k e g) l f (Hrates l) Hf H1 H2) as H.
        rewrite (W_samples M T) in *. eapply Rle_trans; [|exact H]. right. apply Expect_ext. intro ds. rewrite same_fit. reflexivity.
      + rewrite (W_samples M T). right. unfold ridge_risk. field. lra.
    - rewrite (W_samples M T). apply Rmult_le_compat_l; [lra|]. apply He. lia.
  Qed.
  Let law := shared_law M T dim (fun _ => phi) HM HT out way local_steps server_step eta rounds.
  Let positive := ridge_risk_pos M k T HM Hk HT risk positive_risk.
  Let decreases := ridge_decreases M k T dim HM Hk Hdim HT risk positive_risk.
  Let below := ridge_below_scaled M k T HM Hk HT risk positive_risk.
  Let H3 g l h f := convex_H3 (ridge_risk M T risk) g l h f (fun i _ => Rle_refl _).
  Let start : common_estimate zero_estimate := fun m x => eq_refl.

  (** repaired:  2M + 11 (2 + sqrt 2)(1 + delta) sqrt(M K T (d/4 + 1)). *)
  Theorem col_convex_repaired :
    convex_Reg_T (ridge_risk M T risk) 1 <= uncapped_sum 11 M k T (ridge_risk M T risk) <= linear_repaired_bound (INR M) (INR k) (INR T) risk.
  Proof.
    exact (routine_repaired M k T _ _ _ _ _ risk common_estimate HM Hk HT (fun _ => HD0) (fun _ => HD1) (fun _ => HR) (fun _ => HR01) law
      start reached positive_risk positive decreases below H3).
  Qed.
  (** sharpened, g^2 = (3q + 1)/8. *)
  Theorem col_convex_sharpened : let q := 1 - / INR k in
    convex_Reg_T (ridge_risk M T risk) (sqrt ((3 * q + 1) / 8)) <= capped_sum (linear_sharpened_constant q) M k T (ridge_risk M T risk) <=
      linear_bound (linear_sharpened_constant q) (INR M) (INR k) (INR T) risk.
  Proof.
    exact (routine_sharpened M k T _ _ _ _ _ risk common_estimate HM Hk HT (fun _ => HD0) (fun _ => HD1) (fun _ => HR) (fun _ => HR01) law
      start reached positive_risk positive decreases below H3).
  Qed.
  Let scaled_positive : forall l, (1 <= l <= epochs_until T)%nat -> 0 < scaled_risk M T risk l := scaled_risk_pos M k T HM Hk HT risk positive_risk.
  Let scaled_decrease : forall l, (1 <= l)%nat -> (S (S l) <= epochs_until T)%nat -> scaled_risk M T risk (S l) <= scaled_risk M T risk l :=
    different_risk_decreases M k T dim HM Hk Hdim HT risk positive_risk.
  Let scaled_below l : (1 <= l <= epochs_until T)%nat -> scaled_risk M T risk l <= risk / (INR M * INR (doubling T l 0)).
  Proof. intros _. unfold scaled_risk. lra. Qed.
  Let scaled_H3 g l h f := convex_H3 (scaled_risk M T risk) g l h f below.
  (** best, K >= 3: the constant is at most 3.6981. *)
  Theorem col_convex_best : (3 <= k)%nat ->
    convex_Reg_T (scaled_risk M T risk) (sqrt (Rmax (1 - / INR k) (1 - 2 / INR k + doubling_arms) / doubling_risk)) <=
      capped_sum (doubling_over_g (INR k)) M k T (scaled_risk M T risk) <= linear_bound (doubling_over_g (INR k)) (INR M) (INR k) (INR T) risk.
  Proof.
    intro Hk3. exact (routine_best M k T _ _ _ _ _ risk common_estimate HM Hk HT (fun _ => HD0) (fun _ => HD1) (fun _ => HR) (fun _ => HR01) law
      start reached positive_risk scaled_positive scaled_decrease scaled_below scaled_H3 Hk3 (different_risk_halves M k T dim HM Hk Hdim HT risk)).
  Qed.
  (** best, two arms:  3 / sqrt 2. *)
  Theorem col_convex_best_two_arms : k = 2%nat ->
    convex_Reg_T (scaled_risk M T risk) (sqrt (2 / 9)) <= capped_sum (3 / sqrt 2) M k T (scaled_risk M T risk) <= linear_bound (3 / sqrt 2) (INR M) (INR k) (INR T) risk.
  Proof.
    exact (routine_best_two_arms M k T _ _ _ _ _ risk common_estimate HM Hk HT (fun _ => HD0) (fun _ => HD1) (fun _ => HR) (fun _ => HR01) law
      start reached positive_risk scaled_positive scaled_decrease scaled_below scaled_H3).
  Qed.
End SameLaw.

