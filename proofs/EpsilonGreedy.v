(** * epsilon-greedy in place of inverse gap weighting

    In epoch l every agent plays each arm with probability eps_l / K and otherwise the greedy arm of the estimate.  It is a run in the
    sense of Protocol.v: inverse gap weighting at rate 1 of the estimate "0 at the greedy arm, -K (1/eps - 1) elsewhere" plays exactly
    these probabilities ([plays_epsilon_greedy]), so the FL routine's estimate is handed on in that form ([greedy_form]).

    Main results, k the largest number of arms:
    [epsilon_greedy_regret]         Reg(T) <= sum_m (1 - 1/K_m) E^1_m + sum_{l >= 2} min(W^l, W^l (eps_l + sqrt(2 c k e_{l-1} / eps_{l-1})))
    [epsilon_greedy_regret_tuned]   with eps_l = min(1, (k e_{l-1} / 2)^{1/3}), agents in step:  W^l min(1, 3 (k e_{l-1} / 2)^{1/3}).  *)
From Coq Require Import Reals Lra Lia Psatz List Arith.
From FedIGW Require Import FiniteSums FiniteProbability InverseGapWeighting Protocol.
Open Scope R_scope.

(** eps/K for every arm and the rest for the greedy one *)
Definition epsilon_greedy (K : nat) (eps : R) (f : nat -> R) (a : nat) : R :=
  eps / INR K + (if Nat.eq_dec a (argmax K f) then 1 - eps else 0).
(** an estimate of which inverse gap weighting at rate 1 makes epsilon-greedy *)
Definition greedy_form (K : nat) (eps : R) (f : nat -> R) : nat -> R :=
  fun a => if Nat.eq_dec a (argmax K f) then 0 else - (INR K * (/ eps - 1)).

Section OneContext.
  Variables (K : nat) (eps : R) (f : nat -> R).
  Hypothesis HK : (1 <= K)%nat.
  Hypothesis Heps : 0 < eps <= 1.
  Let HK1 : 1 <= INR K.
  Proof. replace 1 with (INR 1) by reflexivity. apply le_INR. exact HK. Qed.

  Lemma greedy_form_arm : eps < 1 -> argmax K (greedy_form K eps f) = argmax K f.
  Proof.
    intro H1. set (b := argmax K (greedy_form K eps f)).
    pose proof (argmax_ge K (greedy_form K eps f) (argmax K f) (argmax_lt K f HK)) as H. fold b in H.
    unfold greedy_form in H. destruct (Nat.eq_dec (argmax K f) (argmax K f)) as [_|n]; [|congruence].
    destruct (Nat.eq_dec b (argmax K f)) as [E|_]; [exact E|].
    assert (0 < / eps - 1).
    { assert (/ 1 < / eps) by (apply Rinv_lt_contravar; lra). rewrite Rinv_1 in *. lra. }
    nra.
  Qed.
  (** Inverse gap weighting at rate 1 of the form that is handed on plays epsilon-greedy: eps/K everywhere, the rest on the greedy arm. *)
  Lemma plays_epsilon_greedy a : (a < K)%nat -> igw K 1 (greedy_form K eps f) a = epsilon_greedy K eps f a.
  Proof.
    intro Ha. destruct (Rle_lt_dec 1 eps) as [H1|H1].
    - assert (E : eps = 1) by lra. rewrite igw_uniform; auto.
      + unfold epsilon_greedy. rewrite E. destruct (Nat.eq_dec a (argmax K f)); field; lra.
      + intro i. unfold greedy_form. rewrite E, Rinv_1. destruct (Nat.eq_dec i (argmax K f)); ring.
    - assert (Hoff : forall b, b <> argmax K f -> igw_off_greedy K 1 (greedy_form K eps f) b = eps / INR K).
      { intros b Hb. unfold igw_off_greedy, gap. rewrite greedy_form_arm by exact H1. unfold greedy_form.
        destruct (Nat.eq_dec (argmax K f) (argmax K f)) as [_|n]; [|congruence]. destruct (Nat.eq_dec b (argmax K f)); [contradiction|].
        field. repeat split; lra. }
      unfold igw, epsilon_greedy. rewrite greedy_form_arm by exact H1. destruct (Nat.eq_dec a (argmax K f)) as [E|E].
      + rewrite (sum_ext K _ (fun b => eps / INR K - (if Nat.eq_dec b (argmax K f) then eps / INR K else 0))).
        * rewrite sum_minus, sum_const, sum_delta by (apply argmax_lt; exact HK). field. lra.
        * intros b _. destruct (Nat.eq_dec b (argmax K f)) as [_|Hb]; [ring|]. rewrite (Hoff b Hb). ring.
      + rewrite (Hoff a E). ring.
  Qed.

  (** One step costs at most eps more than the greedy arm. *)
  Lemma epsilon_greedy_step fstar : (forall a, (a < K)%nat -> gap K fstar a <= 1) ->
    sum K (fun a => epsilon_greedy K eps f a * gap K fstar a) <= eps + gap K fstar (argmax K f).
  Proof.
    intro Hgap. pose proof (argmax_lt K f HK) as Hm. pose proof (gap_nonneg K fstar _ Hm) as H0.
    unfold epsilon_greedy.
    rewrite (sum_ext K _ (fun a => eps / INR K * gap K fstar a
      + (if Nat.eq_dec a (argmax K f) then (1 - eps) * gap K fstar a else 0))) by (intros a _; destruct (Nat.eq_dec a (argmax K f)); ring).
    rewrite sum_plus, (sum_delta K (argmax K f) (fun a => (1 - eps) * gap K fstar a)) by exact Hm.
    assert (H1 : sum K (fun a => eps / INR K * gap K fstar a) <= sum K (fun _ => eps / INR K)).
    { apply sum_le. intros a Ha. pose proof (Hgap a Ha). assert (0 < eps / INR K) by (apply Rdiv_lt_0_compat; lra). nra. }
    rewrite sum_const in H1. replace (INR K * (eps / INR K)) with eps in H1 by (field; lra). nra.
  Qed.
End OneContext.

(** The regret of the greedy arm by the error of the estimate, under any sampling kernel with p(a) >= eps/K. *)
Lemma greedy_arm_regret K eps (p fhat fstar : nat -> R) s : (1 <= K)%nat -> 0 < eps -> 0 < s ->
  (forall a, (a < K)%nat -> eps / INR K <= p a) ->
  gap K fstar (argmax K fhat) <=
  s / 2 + INR K / (eps * s) * sum K (fun a => p a * ((fhat a - fstar a) * (fhat a - fstar a))).
Proof.
  intros HK Heps Hs Hp. set (b := argmax K fhat). set (a := argmax K fstar). set (D := fun i => fhat i - fstar i).
  assert (Hb : (b < K)%nat) by (apply argmax_lt; exact HK). assert (Ha : (a < K)%nat) by (apply argmax_lt; exact HK).
  assert (HK1 : 1 <= INR K) by (replace 1 with (INR 1) by reflexivity; apply le_INR; exact HK).
  pose proof (gap_nonneg K fstar b Hb) as H0. pose proof (argmax_ge K fhat a Ha) as H1. fold b in H1.
  assert (Hle : gap K fstar b <= D b - D a) by (unfold gap, D; fold a; lra).
  set (S2 := sum K (fun i => D i ^ 2)).
  assert (HS : (D b - D a) ^ 2 <= 2 * S2).
  { destruct (Nat.eq_dec b a) as [->|Hn].
    - replace (D a - D a) with 0 by ring. assert (0 <= S2) by (apply sum_nonneg; intros; apply pow2_ge_0). nra.
    - pose proof (sum_ge_two K (fun i => D i ^ 2) b a (fun i _ => pow2_ge_0 (D i)) Hb Ha Hn) as H. fold S2 in H.
      pose proof (pow2_ge_0 (D b + D a)). nra. }
  assert (HE : S2 <= INR K / eps * sum K (fun i => p i * (D i * D i))).
  { unfold S2. rewrite <- sum_scal. apply sum_le. intros i Hi. pose proof (Hp i Hi) as H. pose proof (pow2_ge_0 (D i)).
    assert (1 <= INR K / eps * p i).
    { apply Rle_trans with (INR K / eps * (eps / INR K)); [right; field; lra|].
      apply Rmult_le_compat_l; [|exact H]. apply Rlt_le, Rdiv_lt_0_compat; lra. }
    nra. }
  change (sum K (fun i => p i * ((fhat i - fstar i) * (fhat i - fstar i)))) with (sum K (fun i => p i * (D i * D i))).
  set (Er := sum K (fun i => p i * (D i * D i))) in *.
  assert (Hsq : gap K fstar b ^ 2 <= 2 * (INR K / eps * Er)) by (apply Rle_trans with ((D b - D a) ^ 2); [apply pow_incr; lra|lra]).
  apply (Rmult_le_reg_l (2 * s)); [lra|].
  replace (2 * s * (s / 2 + INR K / (eps * s) * Er)) with (s ^ 2 + 2 * (INR K / eps * Er)) by (field; lra).
  pose proof (pow2_ge_0 (s - gap K fstar b)). nra.
Qed.

(** x^{1/3} *)
Definition cube_root (x : R) : R := Rpower x (1 / 3).
Lemma cube_root_spec x : 0 < x -> 0 < cube_root x /\ cube_root x ^ 3 = x.
Proof.
  intro H. unfold cube_root. assert (P : 0 < Rpower x (1 / 3)) by (unfold Rpower; apply exp_pos). split; [exact P|].
  rewrite <- Rpower_pow by exact P. rewrite Rpower_mult. replace (1 / 3 * INR 3) with 1 by (simpl; field). apply Rpower_1, H.
Qed.
Lemma cube_root_le x y : 0 < x -> x <= y -> cube_root x <= cube_root y.
Proof. intros H1 H2. unfold cube_root. apply Rle_Rpower_l; lra. Qed.

(** ** The run *)
Section EpsilonGreedy.
  Variables (M : nat) (X K : nat -> nat) (D : nat -> nat -> R) (reward_law : nat -> nat -> nat -> list (R * R)).
  Hypothesis HM : (1 <= M)%nat.
  Hypothesis HK : forall m, (1 <= K m)%nat.
  Hypothesis HD0 : forall m x, (x < X m)%nat -> 0 <= D m x.
  Hypothesis HD1 : forall m, sum (X m) (D m) = 1.
  Hypothesis HR : forall m x a, distribution (reward_law m x a).
  (** H1: rewards in [0,1] *)
  Hypothesis H1 : forall m x a, Forall (fun pr => 0 <= snd pr <= 1) (reward_law m x a).
  (** H2: epoch lengths are fixed in advance and at least 1 *)
  Variables (L : nat) (len : nat -> nat -> nat).
  Hypothesis HL : (1 <= L)%nat.
  Hypothesis H2 : forall l m, (1 <= l <= L)%nat -> (m < M)%nat -> (1 <= len l m)%nat.
  (** how much is explored in epoch l *)
  Variable eps : nat -> R.
  Hypothesis Heps : forall l, (1 <= l <= L)%nat -> 0 < eps l <= 1.
  (** the FL routine, and what it hands on after epoch l *)
  Variables (routine : nat -> run -> list (R * estimate)) (e : nat -> R).
  Hypothesis Hroutine : forall l h, distribution (routine l h).
  Definition greedy_estimate (l : nat) (f : estimate) : estimate := fun m x => greedy_form (K m) (eps l) (f m x).
  Definition greedy_routine (l : nat) (h : run) : list (R * estimate) :=
    map (fun pf => (fst pf, greedy_estimate (S l) (snd pf))) (routine l h).
  Local Notation rate := (fun _ : nat => 1).
  Local Notation law := (run_law M X K D reward_law len rate greedy_routine).
  Local Notation W := (W M len).
  Local Notation E := (E len).
  Local Notation Err := (Err_of M X K D reward_law len rate).
  Local Notation regret := (regret_of M X K D reward_law len rate).
  Local Notation "'Reg_T'" := (Expect (law L) (total_regret M K reward_law L)).
  Hypothesis He : forall l, (1 <= l)%nat -> (S l <= L)%nat -> 0 < e l.
  (** H3, for kernels that play every arm with probability eps_l / K_m or more *)
  Hypothesis H3 : forall l h f, (forall m x a, (a < K m)%nat -> eps l / INR (K m) <= igw (K m) 1 (f m x) a) ->
    (1 <= l)%nat -> (S l <= L)%nat ->
    Expect (all_agents X K D reward_law len rate l f M)
      (fun d => Expect (routine l (update h l (f, d))) (fun f' => Err l f f'))
    <= W l * e l.
  Variable c : R.
  Hypothesis Hc : forall l m m', (1 <= l)%nat -> (S l <= L)%nat -> (m < M)%nat -> (m' < M)%nat ->
    E (S l) m / E l m <= c * (E (S l) m' / E l m').
  (** at most k arms *)
  Variable k : nat.
  Hypothesis Hk : forall m, (m < M)%nat -> (K m <= k)%nat.

  Lemma Expect_greedy_routine l h F : Expect (greedy_routine l h) F = Expect (routine l h) (fun f => F (greedy_estimate (S l) f)).
  Proof. unfold greedy_routine. induction (routine l h) as [|[p f] d IH]; simpl; [reflexivity|]. rewrite IH. reflexivity. Qed.
  Lemma distribution_greedy_routine l h : distribution (greedy_routine l h).
  Proof.
    split; [|rewrite Expect_greedy_routine; apply Hroutine]. destruct (Hroutine l h) as [H0 _]. unfold greedy_routine.
    apply Forall_map. eapply Forall_impl; [|exact H0]. intros [p f] H. exact H.
  Qed.
  Let rate_nonneg : forall l : nat, (1 <= l <= L)%nat -> 0 <= 1.
  Proof. intros. lra. Qed.
  Lemma step_pos l m : (1 <= l <= L)%nat -> (m < M)%nat -> 0 < E l m.
  Proof. intros Hl Hm. apply lt_0_INR. pose proof (H2 l m Hl Hm). lia. Qed.
  Lemma steps_pos l : (1 <= l <= L)%nat -> 0 < W l.
  Proof.
    intro Hl. apply Rlt_le_trans with (E l 0); [apply step_pos; lia|].
    apply (sum_ge_one M (fun m => E l m) 0); [|lia]. intros i Hi. left. apply step_pos; assumption.
  Qed.
  Lemma true_gap_unit m x a : (a < K m)%nat -> gap (K m) (fstar reward_law m x) a <= 1.
  Proof.
    intro Ha. unfold gap. pose proof (fstar_unit reward_law HR H1 m x a) as A.
    pose proof (fstar_unit reward_law HR H1 m x (argmax (K m) (fstar reward_law m x))) as B. lra.
  Qed.
  Lemma arms_INR m : 1 <= INR (K m).
  Proof. replace 1 with (INR 1) by reflexivity. apply le_INR, HK. Qed.

  (** weights of epoch l + 1 by those of epoch l *)
  Lemma next_weight l m : (1 <= l)%nat -> (S l <= L)%nat -> (m < M)%nat -> E (S l) m <= c * (W (S l) / W l) * E l m.
  Proof.
    intros A1 A2 Hm. pose proof (steps_pos l ltac:(lia)) as PW. pose proof (step_pos l m ltac:(lia) Hm) as PE.
    apply (Rmult_le_reg_r (W l)); [exact PW|].
    replace (c * (W (S l) / W l) * E l m * W l) with (c * E l m * W (S l)) by (field; lra).
    unfold Protocol.W. rewrite <- !sum_scal. apply sum_le. intros m' Hm'. pose proof (step_pos l m' ltac:(lia) Hm') as PE'.
    pose proof (Hc l m m' A1 A2 Hm Hm') as H. apply (Rmult_le_compat_r (E l m * E l m')) in H; [|nra].
    replace (E (S l) m / E l m * (E l m * E l m')) with (E (S l) m * E l m') in H by (field; lra).
    replace (c * (E (S l) m' / E l m') * (E l m * E l m')) with (c * E l m * E (S l) m') in H by (field; lra). exact H.
  Qed.
  Lemma c_nonneg l : (1 <= l)%nat -> (S l <= L)%nat -> 0 < c.
  Proof.
    intros A1 A2. pose proof (Hc l 0 0 A1 A2 ltac:(lia) ltac:(lia)) as H.
    assert (0 < E (S l) 0 / E l 0) by (apply Rdiv_lt_0_compat; apply step_pos; lia). nra.
  Qed.

  (** One epoch, given the estimate f that was played before and f' learned from it. *)
  Lemma one_epoch l f f' s : (1 <= l)%nat -> (S l <= L)%nat -> 0 < s ->
    (forall m x a, (a < K m)%nat -> eps l / INR (K m) <= igw (K m) 1 (f m x) a) ->
    regret (S l) (greedy_estimate (S l) f') <=
    W (S l) * (eps (S l) + s / 2) + INR k / (eps l * s) * (c * (W (S l) / W l)) * Err l f f'.
  Proof.
    intros A1 A2 Hs Hp. destruct (Heps l ltac:(lia)) as [He0 He1]. pose proof (Heps (S l) ltac:(lia)) as He'.
    set (cell := fun m x => sum (K m) (fun a => igw (K m) 1 (f m x) a *
      ((f' m x a - fstar reward_law m x a) * (f' m x a - fstar reward_law m x a)))).
    assert (Hcell0 : forall m x, 0 <= cell m x).
    { intros m x. apply sum_nonneg. intros a Ha. apply Rmult_le_pos; [left; apply igw_pos; auto; lra|apply Rle_0_sqr]. }
    assert (Hstep : forall m x, (m < M)%nat ->
      sum (K m) (fun a => igw (K m) 1 (greedy_estimate (S l) f' m x) a * gap (K m) (fstar reward_law m x) a) <=
      (eps (S l) + s / 2) + INR k / (eps l * s) * cell m x).
    { intros m x Hm.
      rewrite (sum_ext (K m) _ (fun a => epsilon_greedy (K m) (eps (S l)) (f' m x) a * gap (K m) (fstar reward_law m x) a))
        by (intros a Ha; unfold greedy_estimate; rewrite plays_epsilon_greedy by (auto; lia); reflexivity).
      pose proof (epsilon_greedy_step (K m) (eps (S l)) (f' m x) (HK m) He' (fstar reward_law m x) (fun a Ha => true_gap_unit m x a Ha)) as F1.
      pose proof (greedy_arm_regret (K m) (eps l) (igw (K m) 1 (f m x)) (f' m x) (fstar reward_law m x) s (HK m) He0 Hs (fun a Ha => Hp m x a Ha)) as F2.
      fold (cell m x) in F2.
      assert (F3 : INR (K m) / (eps l * s) * cell m x <= INR k / (eps l * s) * cell m x).
      { apply Rmult_le_compat_r; [apply Hcell0|]. apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; nra|]. apply le_INR, Hk, Hm. }
      lra. }
    assert (Hks : 0 <= INR k / (eps l * s)) by (apply Rmult_le_pos; [apply pos_INR|left; apply Rinv_0_lt_compat; nra]).
    unfold regret_of, over_epoch.
    apply Rle_trans with (sum M (fun m => (eps (S l) + s / 2) * E (S l) m
      + INR k / (eps l * s) * (c * (W (S l) / W l)) * (E l m * sum (X m) (fun x => D m x * cell m x)))).
    - apply sum_le. intros m Hm. pose proof (step_pos (S l) m ltac:(lia) Hm) as PE.
      apply Rle_trans with (E (S l) m * ((eps (S l) + s / 2) + INR k / (eps l * s) * sum (X m) (fun x => D m x * cell m x))).
      + apply Rmult_le_compat_l; [lra|].
        apply Rle_trans with (sum (X m) (fun x => (eps (S l) + s / 2) * D m x + INR k / (eps l * s) * (D m x * cell m x))).
        * apply sum_le. intros x Hx. pose proof (HD0 m x Hx) as P0. pose proof (Hstep m x Hm) as F.
          apply (Rmult_le_compat_l (D m x)) in F; [|exact P0]. lra.
        * rewrite sum_plus, !sum_scal, HD1. lra.
      + assert (PX : 0 <= sum (X m) (fun x => D m x * cell m x)).
        { apply sum_nonneg. intros x Hx. apply Rmult_le_pos; [apply HD0, Hx|apply Hcell0]. }
        pose proof (next_weight l m A1 A2 Hm) as F. apply (Rmult_le_compat_r (sum (X m) (fun x => D m x * cell m x))) in F; [|exact PX].
        apply (Rmult_le_compat_l (INR k / (eps l * s))) in F; [|exact Hks]. lra.
    - rewrite sum_plus, !sum_scal. fold (W (S l)). unfold Err_of, over_epoch. fold cell. right. unfold Protocol.W. fold (W (S l)). ring_simplify. reflexivity.
  Qed.

  (** What is played explores enough. *)
  Lemma played_explores n h : (S n <= L)%nat ->
    Forall (fun pf => forall m x a, (a < K m)%nat -> eps (S n) / INR (K m) <= igw (K m) 1 (snd pf m x) a) (next_estimate greedy_routine n h).
  Proof.
    intro Hn. destruct (Heps (S n) ltac:(lia)) as [He0 He1].
    assert (F : forall m, eps (S n) / INR (K m) <= / INR (K m)).
    { intro m. pose proof (arms_INR m). unfold Rdiv. rewrite <- (Rmult_1_l (/ INR (K m))) at 2. apply Rmult_le_compat_r; [|lra].
      left. apply Rinv_0_lt_compat. lra. }
    destruct n as [|n].
    - constructor; [|constructor]. intros m x a Ha. simpl snd. rewrite igw_uniform; auto.
    - simpl. unfold greedy_routine. apply Forall_map, Forall_forall. intros [p f] _ m x a Ha. simpl snd.
      unfold greedy_estimate. rewrite plays_epsilon_greedy by auto. unfold epsilon_greedy.
      destruct (Nat.eq_dec a (argmax (K m) (f m x))); lra.
  Qed.

  Lemma epoch_mean l : (1 <= l)%nat -> (S l <= L)%nat ->
    Expect (law L) (fun w => dataset_regret M K reward_law (snd (w (S l)))) <=
    W (S l) * (eps (S l) + sqrt (2 * c * INR k * e l / eps l)).
  Proof.
    intros A1 A2. set (s := sqrt (2 * c * INR k * e l / eps l)).
    destruct (Heps l ltac:(lia)) as [He0 _]. pose proof (He l A1 A2) as Pe. pose proof (c_nonneg l A1 A2) as Pc.
    assert (Pk : 1 <= INR k) by (pose proof (arms_INR 0); pose proof (le_INR _ _ (Hk 0%nat HM)); lra).
    assert (Pin : 0 < 2 * c * INR k * e l / eps l) by (apply Rdiv_lt_0_compat; [|lra]; repeat apply Rmult_lt_0_compat; lra).
    assert (Ps : 0 < s) by (apply sqrt_lt_R0; exact Pin).
    assert (Ps2 : s ^ 2 = 2 * c * INR k * e l / eps l) by (unfold s; rewrite pow2_sqrt; lra).
    rewrite (realised_regret M X K D reward_law L len rate greedy_routine) by (auto using distribution_greedy_routine; lia).
    rewrite (forget_after M X K D reward_law L len rate greedy_routine HM HK HD0 HD1 HR distribution_greedy_routine rate_nonneg (S l))
      by (try lia; intros j h v Hj; rewrite fhat_other by lia; reflexivity).
    change (law (S l)) with (bind (law l) (fun h => bind (next_estimate greedy_routine l h) (fun f =>
      bind (all_agents X K D reward_law len rate (S l) f M) (fun d => dirac (update h (S l) (f, d)))))).
    rewrite Expect_bind.
    rewrite (Expect_ext _ _ (fun h => Expect (routine l h) (fun f' => regret (S l) (greedy_estimate (S l) f')))).
    2:{ intro h. rewrite Expect_bind. destruct l as [|n]; [lia|]. rewrite <- Expect_greedy_routine. apply Expect_ext. intro f. rewrite Expect_bind.
        apply Expect_const_out; [apply (distribution_all_agents X K D reward_law L); auto; lia|]. intro d.
        rewrite Expect_dirac, (fhat_same M HM) by lia. reflexivity. }
    set (A := W (S l) * (eps (S l) + s / 2)). set (B := INR k / (eps l * s) * (c * (W (S l) / W l))).
    pose proof (steps_pos l ltac:(lia)) as PW. pose proof (steps_pos (S l) ltac:(lia)) as PW'.
    assert (PB : 0 <= B).
    { unfold B. apply Rmult_le_pos; apply Rlt_le; [|apply Rmult_lt_0_compat; [lra|]]; apply Rdiv_lt_0_compat; nra. }
    replace (W (S l) * (eps (S l) + s)) with (A + B * (W l * e l)).
    2:{ unfold A, B. replace (INR k / (eps l * s) * (c * (W (S l) / W l)) * (W l * e l)) with (W (S l) * (2 * c * INR k * e l / eps l) / (2 * s)) by (field; lra).
        rewrite <- Ps2. field. lra. }
    destruct l as [|n]; [lia|]. simpl run_law. rewrite Expect_bind.
    destruct (distribution_run M X K D reward_law L len rate greedy_routine HM HK HD0 HD1 HR distribution_greedy_routine rate_nonneg n ltac:(lia)) as [Hw Ht].
    rewrite <- (Expect_const (law n) (A + B * (W (S n) * e (S n)))) by (split; assumption).
    apply Expect_le; [exact Hw|]. intro h. rewrite Expect_bind.
    destruct (distribution_next_estimate greedy_routine distribution_greedy_routine n h) as [Hw2 Ht2].
    rewrite <- (Expect_const (next_estimate greedy_routine n h) (A + B * (W (S n) * e (S n)))) by (split; assumption).
    apply Expect_le_on_support; [exact Hw2|]. eapply Forall_impl; [|apply (played_explores n h); lia].
    intros [q f] Hf. simpl snd in *. rewrite Expect_bind.
    assert (Hall : distribution (all_agents X K D reward_law len rate (S n) f M)) by (apply (distribution_all_agents X K D reward_law L); auto; lia).
    apply Rle_trans with (Expect (all_agents X K D reward_law len rate (S n) f M)
      (fun d => B * Expect (routine (S n) (update h (S n) (f, d))) (fun f' => Err (S n) f f') + A)).
    - apply Expect_le; [apply Hall|]. intro d. rewrite Expect_dirac.
      destruct (Hroutine (S n) (update h (S n) (f, d))) as [H0 H0'].
      rewrite <- Expect_scal, <- (Expect_plus_const _ (fun f' => B * Err (S n) f f' + A) (fun f' => B * Err (S n) f f') A)
        by (try split; auto).
      apply Expect_le; [exact H0|]. intro f'. rewrite Rplus_comm. apply (one_epoch (S n) f f' s A1 A2 Ps Hf).
    - rewrite (Expect_plus_const _ _ (fun d => B * Expect (routine (S n) (update h (S n) (f, d))) (fun f' => Err (S n) f f')) A) by (auto; intros; reflexivity).
      rewrite Expect_scal. pose proof (H3 (S n) h f Hf A1 A2) as F. apply (Rmult_le_compat_l B) in F; [|exact PB]. rewrite Rplus_comm. apply Rplus_le_compat_l. exact F.
  Qed.

  (** the first epoch explores uniformly; no epoch costs more than its length *)
  Lemma first_epoch : Expect (law L) (fun w => dataset_regret M K reward_law (snd (w 1%nat))) <= sum M (fun m => (1 - / INR (K m)) * E 1 m).
  Proof.
    rewrite (realised_regret M X K D reward_law L len rate greedy_routine) by (auto using distribution_greedy_routine; lia).
    pose proof (distribution_run M X K D reward_law L len rate greedy_routine HM HK HD0 HD1 HR distribution_greedy_routine rate_nonneg L (le_n L)) as Hd.
    rewrite <- (Expect_const (law L) (sum M (fun m => (1 - / INR (K m)) * E 1 m))) by exact Hd.
    apply Expect_le; [apply Hd|]. intro w. unfold regret_of, over_epoch. apply sum_le. intros m Hm. pose proof (arms_INR m) as HKm.
    rewrite Rmult_comm. apply Rmult_le_compat_r; [apply pos_INR|].
    replace (1 - / INR (K m)) with ((1 - / INR (K m)) * sum (X m) (D m)) by (rewrite HD1; ring). rewrite <- sum_scal.
    apply sum_le. intros x Hx. rewrite (Rmult_comm (1 - / INR (K m))). apply Rmult_le_compat_l; [apply HD0, Hx|].
    set (b := argmax (K m) (fstar reward_law m x)).
    apply Rle_trans with (sum (K m) (fun a => / INR (K m) - (if Nat.eq_dec a b then / INR (K m) else 0))).
    - apply sum_le. intros a Ha. rewrite igw_uniform; auto. assert (0 < / INR (K m)) by (apply Rinv_0_lt_compat; lra).
      destruct (Nat.eq_dec a b) as [->|_]; [unfold b; rewrite gap_best; lra|]. pose proof (true_gap_unit m x a Ha). nra.
    - rewrite sum_minus, sum_const, sum_delta by (apply argmax_lt, HK). right. field. lra.
  Qed.
  Lemma any_epoch l : (1 <= l <= L)%nat -> Expect (law L) (fun w => dataset_regret M K reward_law (snd (w l))) <= W l.
  Proof.
    intro Hl. rewrite (realised_regret M X K D reward_law L len rate greedy_routine) by (auto using distribution_greedy_routine; lia).
    pose proof (distribution_run M X K D reward_law L len rate greedy_routine HM HK HD0 HD1 HR distribution_greedy_routine rate_nonneg L (le_n L)) as Hd.
    rewrite <- (Expect_const (law L) (W l)) by exact Hd. apply Expect_le; [apply Hd|]. intro w. unfold regret_of, over_epoch, Protocol.W.
    apply sum_le. intros m Hm. rewrite <- (Rmult_1_r (E l m)) at 2. apply Rmult_le_compat_l; [apply pos_INR|].
    apply Rle_trans with (sum (X m) (D m)); [|rewrite HD1; lra]. apply sum_le. intros x Hx. rewrite <- (Rmult_1_r (D m x)) at 2. apply Rmult_le_compat_l; [apply HD0, Hx|].
    apply Rle_trans with (sum (K m) (igw (K m) 1 (fhat l w m x))); [|rewrite igw_total by apply HK; lra]. apply sum_le. intros a Ha.
    pose proof (igw_pos (K m) 1 (fhat l w m x) (HK m) Rle_0_1 a Ha). pose proof (true_gap_unit m x a Ha). nra.
  Qed.

  (** epsilon-greedy, any exploration:
      Reg(T) <= sum_m (1 - 1/K_m) E^1_m + sum_{l >= 2} min(W^l, W^l (eps_l + sqrt(2 c k e_{l-1} / eps_{l-1}))). *)
  Theorem epsilon_greedy_regret :
    Reg_T <= sum M (fun m => (1 - / INR (K m)) * E 1 m) +
      sum (L - 1) (fun i => Rmin (W (i + 2)) (W (i + 2) * (eps (i + 2)%nat + sqrt (2 * c * INR k * e (i + 1)%nat / eps (i + 1)%nat)))).
  Proof.
    unfold total_regret. rewrite Expect_sum.
    assert (F : forall n, (n <= L - 1)%nat ->
      sum (S n) (fun i => Expect (law L) (fun w => dataset_regret M K reward_law (snd (w (S i))))) <=
      sum M (fun m => (1 - / INR (K m)) * E 1 m) +
      sum n (fun i => Rmin (W (i + 2)) (W (i + 2) * (eps (i + 2)%nat + sqrt (2 * c * INR k * e (i + 1)%nat / eps (i + 1)%nat))))).
    { induction n as [|n IH]; intro Hn.
      - simpl. pose proof first_epoch. lra.
      - specialize (IH ltac:(lia)).
        change (sum (S (S n)) (fun i => Expect (law L) (fun w => dataset_regret M K reward_law (snd (w (S i))))))
          with (sum (S n) (fun i => Expect (law L) (fun w => dataset_regret M K reward_law (snd (w (S i)))))
            + Expect (law L) (fun w => dataset_regret M K reward_law (snd (w (S (S n)))))).
        cbn [sum] in IH |- *. replace (n + 2)%nat with (S (S n)) by lia. replace (n + 1)%nat with (S n) by lia.
        pose proof (any_epoch (S (S n)) ltac:(lia)) as G1. pose proof (epoch_mean (S n) ltac:(lia) ltac:(lia)) as G2.
        pose proof (Rmin_glb _ _ _ G1 G2). lra. }
    replace L with (S (L - 1)) at 1 by lia. apply F. lia.
  Qed.

  (** epsilon-greedy with eps_1 = 1 and eps_l = min(1, (k e_{l-1} / 2)^{1/3}), errors that do not grow, agents in step:
      Reg(T) <= sum_m (1 - 1/K_m) E^1_m + sum_{l >= 2} min(W^l, 3 (k e_{l-1} / 2)^{1/3} W^l). *)
  Theorem epsilon_greedy_regret_tuned : c = 1 -> eps 1%nat = 1 ->
    (forall l, (1 <= l)%nat -> (S l <= L)%nat -> eps (S l) = Rmin 1 (cube_root (INR k * e l / 2))) ->
    (forall l, (1 <= l)%nat -> (S (S l) <= L)%nat -> e (S l) <= e l) ->
    Reg_T <= sum M (fun m => (1 - / INR (K m)) * E 1 m) +
      sum (L - 1) (fun i => Rmin (W (i + 2)) (3 * cube_root (INR k * e (i + 1)%nat / 2) * W (i + 2))).
  Proof.
    intros Hc1 Hfirst Htune Hdown. eapply Rle_trans; [apply epsilon_greedy_regret|]. apply Rplus_le_compat_l.
    assert (Pk : 1 <= INR k) by (pose proof (arms_INR 0); pose proof (le_INR _ _ (Hk 0%nat HM)); lra).
    apply sum_le. intros i Hi. set (l := (i + 1)%nat). replace (i + 2)%nat with (S l) by (unfold l; lia).
    assert (A1 : (1 <= l)%nat) by (unfold l; lia). assert (A2 : (S l <= L)%nat) by (unfold l; lia).
    pose proof (He l A1 A2) as Pe. pose proof (steps_pos (S l) ltac:(lia)) as PW.
    set (r := cube_root (INR k * e l / 2)). assert (Px : 0 < INR k * e l / 2) by nra.
    destruct (cube_root_spec _ Px) as [Pr Hr]. fold r in Pr, Hr.
    destruct (Rle_lt_dec 1 r) as [Hbig|Hsmall].
    - (* nothing to gain: the cap *)
      eapply Rle_trans; [apply Rmin_l|]. apply Rmin_glb; [lra|nra].
    - apply Rle_min_compat_l. rewrite (Htune l A1 A2). fold r. rewrite Rmin_right by lra.
      replace (3 * r * W (S l)) with (W (S l) * (r + 2 * r)) by ring. apply Rmult_le_compat_l; [lra|]. apply Rplus_le_compat_l.
      (* eps_l >= r, because errors do not grow *)
      assert (Hprev : r <= eps l).
      { destruct (Nat.eq_dec l 1) as [E1|Hn]; [rewrite E1, Hfirst; lra|]. replace l with (S (l - 1)) by lia.
        rewrite (Htune (l - 1)%nat) by lia. apply Rmin_glb; [lra|]. unfold r. apply cube_root_le; [exact Px|].
        pose proof (Hdown (l - 1)%nat ltac:(lia) ltac:(lia)) as H. replace (S (l - 1)) with l in H by lia. nra. }
      rewrite <- (sqrt_pow2 (2 * r)) by lra. apply sqrt_le_1_alt.
      apply (Rmult_le_reg_r (eps l)); [lra|]. replace (2 * c * INR k * e l / eps l * eps l) with (2 * c * INR k * e l) by (field; lra).
      rewrite Hc1. replace (2 * 1 * INR k * e l) with (4 * r ^ 3) by (rewrite Hr; field).
      replace ((2 * r) ^ 2 * eps l) with (4 * (r ^ 2 * eps l)) by ring. assert (r ^ 2 * r <= r ^ 2 * eps l) by (apply Rmult_le_compat_l; [apply pow2_ge_0|exact Hprev]).
      lra.
  Qed.
End EpsilonGreedy.
