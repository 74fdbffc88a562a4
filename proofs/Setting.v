(** * The federation over epochs: notation and hypotheses

    A [setting] is what the proof of thm:global_regret talks about.

    - [M] agents; agent [m] has [X m] contexts with law [D m] and [K m] arms; the mean reward of
      arm [a] in context [x] is [fstar m x a].
    - [Omega], [law]: the randomness of the whole run (contexts, arms, rewards, FL routine), a
      finite law.  Protocol.v builds it from the interaction itself; here it is arbitrary.
    - epochs 1 .. [L]; agent [m] makes [E l m] steps in epoch [l]; [gamma l] is the learning rate and
      [fhat l w] the estimate used in epoch [l] when the run is [w].
    - [c], [g], [rbar]: the ratio of epoch lengths, the factor of the learning rate, the slack
      in its monotonicity (the paper has g = rbar = 1).

    What finiteness costs: context sets and supports of reward laws are finite (the paper allows any),
    so that every expectation is a finite sum and no measurability is needed; the supremum over
    policies separates into one maximum per (agent, context).  Epoch lengths are numbers fixed in
    advance (the paper's proof needs this too).  Nothing else is restricted: M, X, K, L, the reward
    laws and the FL routine are arbitrary.                                                          *)
From Coq Require Import Reals Lra Lia Psatz List Arith.
From FedIGW Require Import FiniteSums FiniteProbability InverseGapWeighting Policies.
Open Scope R_scope.

Class setting := {
  M : nat;
  X : nat -> nat;
  K : nat -> nat;
  D : nat -> nat -> R;
  fstar : nat -> nat -> nat -> R;
  Omega : Type;
  law : list (R * Omega);
  L : nat;
  E : nat -> nat -> R;
  gamma : nat -> R;
  fhat : nat -> Omega -> nat -> nat -> nat -> R;
  c : R;
  g : R;
  rbar : R
}.

Section Notation.
  Context {s : setting}.

  (** S^l[u] = sum_m E^l_m E_x u(m, x) *)
  Definition over_epoch (l : nat) (u : nat -> nat -> R) : R :=
    sum M (fun m => E l m * sum (X m) (fun x => D m x * u m x)).
  (** S^l = sum_m E^l_m K_m  and  W^l = sum_m E^l_m;  Kbar^l = S^l / W^l *)
  Definition SK (l : nat) : R := sum M (fun m => E l m * INR (K m)).
  Definition W (l : nat) : R := sum M (fun m => E l m).
  Definition Kbar (l : nat) : R := SK l / W l.
  (** p^l_m(. | x) *)
  Definition kernel l w m x : nat -> R := igw (K m) (gamma l) (fhat l w m x).
  (** sum_a p^l(a|x) (fhat^{l+1} - fstar)^2,  and  Err^l = S^l of it *)
  Definition err_cell l w m x : R :=
    sum (K m) (fun a => kernel l w m x a *
       ((fhat (S l) w m x a - fstar m x a) * (fhat (S l) w m x a - fstar m x a))).
  Definition Err l w : R := over_epoch l (err_cell l w).
  (** expected regret of epoch l given the estimate in use:
      sum_m E^l_m E_{x, a ~ p^l} [fstar(x, pi*(x)) - fstar(x, a)] *)
  Definition regret_cell l w m x : R := sum (K m) (fun a => kernel l w m x a * gap (K m) (fstar m x) a).
  Definition epoch_regret l w : R := over_epoch l (regret_cell l w).
  (** S^l[Reg](pi)  and  S^l[Reghat^l](pi) for a policy pi_[M] *)
  Definition true_loss l (pi : nat -> nat -> nat) : R :=
    over_epoch l (fun m x => gap (K m) (fstar m x) (pi m x)).
  Definition virtual_loss l w (pi : nat -> nat -> nat) : R :=
    over_epoch l (fun m x => gap (K m) (fhat l w m x) (pi m x)).
  Definition policies (pi : nat -> nat -> nat) : Prop :=
    forall m, (m < M)%nat -> policy (X m) (K m) (pi m).

  (** The two losses are the paper's  sum_m E^l_m Reg_m(pi_m)  and  sum_m E^l_m Reghat^l_m(pi_m). *)
  Lemma true_loss_Reg l pi : true_loss l pi = sum M (fun m => E l m * Reg (X m) (K m) (D m) (fstar m) (pi m)).
  Proof. apply sum_ext. intros m _. rewrite Reg_gap. reflexivity. Qed.
  Lemma virtual_loss_Reg l w pi :
    virtual_loss l w pi = sum M (fun m => E l m * Reg (X m) (K m) (D m) (fhat l w m) (pi m)).
  Proof. apply sum_ext. intros m _. rewrite Reg_gap. reflexivity. Qed.
End Notation.

(** ** The hypotheses of the general theorem *)
Class valid (s : setting) : Prop := {
  HM : (1 <= M)%nat;
  HK : forall m, (m < M)%nat -> (1 <= K m)%nat;
  HD0 : forall m x, (m < M)%nat -> (x < X m)%nat -> 0 <= D m x;
  HD1 : forall m, (m < M)%nat -> sum (X m) (D m) = 1;
  Hlaw : distribution law;
  (** H2: every agent steps in every epoch *)
  HE : forall l m, (1 <= l <= L)%nat -> (m < M)%nat -> 0 < E l m;
  (** epoch 1 explores uniformly *)
  Hfirst : forall w m x a, fhat 1 w m x a = 0;
  (** c_l <= c:  E^{l+1}_m / E^l_m <= c E^{l+1}_m' / E^l_m' *)
  Hc : forall l m m', (1 <= l)%nat -> (S l <= L)%nat -> (m < M)%nat -> (m' < M)%nat ->
    E (S l) m / E l m <= c * (E (S l) m' / E l m');
  Hgamma : forall l, (2 <= l <= L)%nat -> 0 < gamma l;
  (** H5, relaxed by rbar: the paper's gamma^l <= gamma^{l+1} is rbar = 1 *)
  Hrbar : 0 <= rbar;
  Hmono : forall l, (2 <= l)%nat -> (S l <= L)%nat -> gamma l <= rbar * gamma (S l);
  (** H3 and H4 through lem:learning_rate:  E Err^l <= g^2 S^l / (gamma^{l+1})^2 *)
  HErr : forall l, (1 <= l)%nat -> (S l <= L)%nat ->
    Expect law (Err l) <= g ^ 2 * SK l / gamma (S l) ^ 2
}.

(** lem:learning_rate.  From E Err^{l-1} <= W^{l-1} e_{l-1} (H3) and gamma^l = g sqrt(Kbar^{l-1} / e_{l-1}) (H4):
    E Err^{l-1} <= g^2 S^{l-1} / (gamma^l)^2;  the paper's statement is g = 1, divided by W^{l-1}. *)
Theorem lem_learning_rate {s : setting} (e : nat -> R) l : 0 < SK l -> 0 < W l -> 0 < e l -> 0 < g ->
  Expect law (Err l) <= W l * e l ->
  gamma (S l) = g * sqrt (Kbar l / e l) ->
  Expect law (Err l) <= g ^ 2 * SK l / gamma (S l) ^ 2.
Proof.
  intros HS HW He Hg H3 H4. eapply Rle_trans; [exact H3|]. right.
  rewrite H4, Rpow_mult_distr. unfold Kbar.
  assert (Hx : 0 <= SK l / W l / e l).
  { left. apply Rdiv_lt_0_compat; [|exact He]. apply Rdiv_lt_0_compat; assumption. }
  rewrite pow2_sqrt by exact Hx. field. repeat split; lra.
Qed.

(** ** Linearity and positivity of S^l *)
Section Facts.
  Context {s : setting} {valid_s : valid s}.
  Let some_agent := HM (s := s).
  Let some_arm := HK (s := s).
  Let contexts_nonneg := HD0 (s := s).
  Let contexts_total := HD1 (s := s).
  Let epochs_positive := HE (s := s).
  Let rates_positive := Hgamma (s := s).
  Let ratio_of_lengths := Hc (s := s).
  Let explore_first := Hfirst (s := s).

  Lemma over_epoch_plus l u v : over_epoch l (fun m x => u m x + v m x) = over_epoch l u + over_epoch l v.
  Proof.
    unfold over_epoch. rewrite <- sum_plus. apply sum_ext. intros m _.
    rewrite <- Rmult_plus_distr_l. f_equal. rewrite <- sum_plus. apply sum_ext. intros; ring.
  Qed.
  Lemma over_epoch_scal l k u : over_epoch l (fun m x => k * u m x) = k * over_epoch l u.
  Proof.
    unfold over_epoch. rewrite <- sum_scal. apply sum_ext. intros m _.
    rewrite (sum_ext _ _ (fun x => k * (D m x * u m x))) by (intros; ring).
    rewrite sum_scal. ring.
  Qed.
  Lemma over_epoch_minus l u v : over_epoch l (fun m x => u m x - v m x) = over_epoch l u - over_epoch l v.
  Proof.
    unfold over_epoch. rewrite <- sum_minus. apply sum_ext. intros m _.
    rewrite <- Rmult_minus_distr_l. f_equal. rewrite <- sum_minus. apply sum_ext. intros; ring.
  Qed.
  Lemma over_epoch_le l u v : (1 <= l <= L)%nat ->
    (forall m x, (m < M)%nat -> (x < X m)%nat -> u m x <= v m x) -> over_epoch l u <= over_epoch l v.
  Proof.
    intros Hl H. apply sum_le. intros m Hm. apply Rmult_le_compat_l.
    - left. apply HE; assumption.
    - apply sum_le. intros x Hx. apply Rmult_le_compat_l; auto.
  Qed.
  Lemma over_epoch_agent l (k : nat -> R) : over_epoch l (fun m _ => k m) = sum M (fun m => E l m * k m).
  Proof.
    apply sum_ext. intros m Hm. f_equal.
    rewrite (sum_ext _ _ (fun x => k m * D m x)) by (intros; ring).
    rewrite sum_scal, HD1 by exact Hm. ring.
  Qed.

  Lemma arms_ge_one m : (m < M)%nat -> 1 <= INR (K m).
  Proof. intro H. replace 1 with (INR 1) by reflexivity. apply le_INR, HK, H. Qed.

  Lemma SK_pos l : (1 <= l <= L)%nat -> 0 < SK l.
  Proof.
    intro Hl. assert (H0 : (0 < M)%nat) by lia.
    assert (Hp : forall m, (m < M)%nat -> 0 < E l m * INR (K m)).
    { intros m Hm. pose proof (arms_ge_one m Hm). pose proof (HE l m Hl Hm). apply Rmult_lt_0_compat; lra. }
    apply Rlt_le_trans with (E l 0%nat * INR (K 0%nat)); [apply Hp; exact H0|].
    apply (sum_ge_one M (fun m => E l m * INR (K m)) 0); [|exact H0].
    intros i Hi. left. apply Hp. exact Hi.
  Qed.

  Lemma c_ge1 : (2 <= L)%nat -> 1 <= c.
  Proof.
    intro HL. pose proof (Hc 1 0 0 ltac:(lia) ltac:(lia) ltac:(lia) ltac:(lia)) as H.
    assert (0 < E 2 0%nat / E 1 0%nat) by (apply Rdiv_lt_0_compat; apply HE; lia). nra.
  Qed.

  (** Change of epoch weights:  S^{l'}[u] <= k (S^{l'} / S^l) S^l[u]  for u >= 0, if the ratios E^{l'}_m / E^l_m of
      any two agents differ by at most a factor k.  This is where c enters, and the only place. *)
  Lemma reweight_gen l l' k u : (1 <= l <= L)%nat -> (1 <= l' <= L)%nat ->
    (forall m m', (m < M)%nat -> (m' < M)%nat -> E l' m / E l m <= k * (E l' m' / E l m')) ->
    (forall m x, (m < M)%nat -> (x < X m)%nat -> 0 <= u m x) ->
    over_epoch l' u <= k * SK l' / SK l * over_epoch l u.
  Proof.
    intros H1 H2 Hk Hu. pose proof (SK_pos l H1) as Hs.
    apply (Rmult_le_reg_r (SK l)); [exact Hs|].
    replace (k * SK l' / SK l * over_epoch l u * SK l) with (k * (SK l' * over_epoch l u)) by (field; lra).
    unfold over_epoch, SK. set (U := fun m => sum (X m) (fun x => D m x * u m x)).
    rewrite !sum_sum_scal, sum_swap, <- sum_scal. apply sum_le. intros m' Hm'.
    rewrite <- sum_scal. apply sum_le. intros m Hm.
    assert (0 <= U m).
    { apply sum_nonneg. intros x Hx. apply Rmult_le_pos; auto. }
    fold (U m).
    pose proof (Hk m m' Hm Hm') as Hratio.
    pose proof (HE l m ltac:(lia) Hm). pose proof (HE l m' ltac:(lia) Hm'). pose proof (arms_ge_one m' Hm').
    assert (Hcc' : E l' m * E l m' <= k * (E l' m' * E l m)).
    { apply (Rmult_le_compat_r (E l m * E l m')) in Hratio; [|nra].
      replace (E l' m / E l m * (E l m * E l m')) with (E l' m * E l m') in Hratio by (field; lra).
      replace (k * (E l' m' / E l m') * (E l m * E l m')) with (k * (E l' m' * E l m)) in Hratio
        by (field; lra).
      exact Hratio. }
    replace (E l' m * U m * (E l m' * INR (K m'))) with ((E l' m * E l m') * (U m * INR (K m'))) by ring.
    replace (k * (E l' m' * INR (K m') * (E l m * U m)))
      with ((k * (E l' m' * E l m)) * (U m * INR (K m'))) by ring.
    apply Rmult_le_compat_r; [apply Rmult_le_pos; lra | exact Hcc'].
  Qed.
  Lemma reweight l u : (1 <= l)%nat -> (S l <= L)%nat ->
    (forall m x, (m < M)%nat -> (x < X m)%nat -> 0 <= u m x) ->
    over_epoch (S l) u <= c * SK (S l) / SK l * over_epoch l u.
  Proof. intros H1 H2 Hu. apply reweight_gen; auto; lia. Qed.


  (** ** The kernel of an epoch *)
  (** gamma^1 is irrelevant: p^1 is uniform, and gamma0 1 = 0. *)
  Definition gamma0 (l : nat) : R := if Nat.eq_dec l 1 then 0 else gamma l.

  Lemma gamma0_nonneg l : (1 <= l <= L)%nat -> 0 <= gamma0 l.
  Proof.
    intro H. unfold gamma0. destruct (Nat.eq_dec l 1); [lra|]. left. apply Hgamma. lia.
  Qed.
  Lemma gamma0_le l : (1 <= l)%nat -> (S l <= L)%nat -> gamma0 l <= rbar * gamma (S l).
  Proof.
    intros H1 H2. unfold gamma0. destruct (Nat.eq_dec l 1).
    - apply Rmult_le_pos; [exact Hrbar|]. left. apply Hgamma. lia.
    - apply Hmono; lia.
  Qed.
  Lemma kernel_pos l w m x a : (1 <= l <= L)%nat -> (m < M)%nat -> (a < K m)%nat -> 0 < kernel l w m x a.
  Proof.
    intros Hl Hm Ha. unfold kernel. destruct (Nat.eq_dec l 1) as [->|Hn].
    - rewrite igw_uniform; auto. apply Rinv_0_lt_compat. pose proof (arms_ge_one m Hm). lra.
    - apply igw_pos; auto. left. apply Hgamma. lia.
  Qed.
  Lemma kernel_total l w m x : (m < M)%nat -> sum (K m) (kernel l w m x) = 1.
  Proof. intro Hm. apply igw_total; auto. Qed.
  (** lem:V_upper in one cell *)
  Lemma kernel_inverse l w m x a : (1 <= l <= L)%nat -> (m < M)%nat -> (a < K m)%nat ->
    / kernel l w m x a <= INR (K m) + gamma0 l * gap (K m) (fhat l w m x) a.
  Proof.
    intros Hl Hm Ha. unfold kernel, gamma0. destruct (Nat.eq_dec l 1) as [->|Hn].
    - rewrite igw_uniform, Rinv_inv; auto. lra.
    - apply igw_inverse; auto. left. apply Hgamma. lia.
  Qed.

  Lemma err_cell_nonneg l w m x : (1 <= l <= L)%nat -> (m < M)%nat -> 0 <= err_cell l w m x.
  Proof.
    intros Hl Hm. apply sum_nonneg. intros a Ha. apply Rmult_le_pos.
    - left. apply kernel_pos; assumption.
    - apply Rle_0_sqr.
  Qed.
  Lemma over_epoch_arms l k : over_epoch l (fun m _ => INR (K m) / k) = SK l / k.
  Proof.
    rewrite (over_epoch_agent l (fun m => INR (K m) / k)). unfold SK, Rdiv.
    rewrite Rmult_comm, <- sum_scal. apply sum_ext. intros; ring.
  Qed.
End Facts.
