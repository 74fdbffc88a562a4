(** * epsilon-greedy under doubling: the closed form

    Epochs of 2, 2, 4, 8, ... steps cut at T >= 3, K arms each, e_l <= A/(M E^l) not increasing, eps_1 = 1 and
    eps_{l+1} = min(1, (K e_l / 2)^{1/3}):

        Reg(T) <= 2M(1 - 1/K) + 5.11 (K A)^{1/3} (M T)^{2/3}                                              ([epsilon_greedy_doubling])

    The schedule: with c = 2^{1/3},  sum_{l = 2}^{L} E^l_cut / (E^{l-1})^{1/3} <= c/(c^2 - 1) T^{2/3}, and 3/(c^2 - 1) <= 5.11.      *)
From Coq Require Import Reals Lra Lia Psatz List Arith.
From FedIGW Require Import FiniteSums FiniteProbability InverseGapWeighting Protocol DoublingSchedule DoublingRegret EpsilonGreedy.
Open Scope R_scope.

(** ** Cube roots *)
Lemma cube_root_mult x y : 0 < x -> 0 < y -> cube_root (x * y) = cube_root x * cube_root y.
Proof. intros Hx Hy. unfold cube_root. symmetry. apply Rpower_mult_distr; assumption. Qed.
Lemma cube_unique x y : 0 < x -> 0 < y -> x ^ 3 = y ^ 3 -> x = y.
Proof.
  intros Hx Hy H. assert (E : (x - y) * (x ^ 2 + x * y + y ^ 2) = 0) by (replace ((x - y) * (x ^ 2 + x * y + y ^ 2)) with (x ^ 3 - y ^ 3) by ring; lra).
  apply Rmult_integral in E. destruct E as [E|E]; [lra|nra].
Qed.
Definition two_root : R := cube_root 2.
Lemma two_root_spec : 12599 / 10000 <= two_root <= 126 / 100 /\ two_root ^ 3 = 2.
Proof.
  destruct (cube_root_spec 2 ltac:(lra)) as [P E]. fold two_root in P, E. split; [|exact E].
  split; [destruct (Rle_lt_dec (12599 / 10000) two_root) as [H|H]; [exact H|]|destruct (Rle_lt_dec two_root (126 / 100)) as [H|H]; [exact H|]];
  exfalso; assert (two_root ^ 2 * two_root = 2) by (rewrite <- E; ring); nra.
Qed.
Lemma cube_root_power k : cube_root (INR (2 ^ k)) = two_root ^ k.
Proof.
  destruct two_root_spec as [[H1 _] E]. assert (Hp : 0 < INR (2 ^ k)) by (apply lt_0_INR; pose proof (pow_ge1 k); lia).
  destruct (cube_root_spec _ Hp) as [P EP]. apply cube_unique; [exact P|apply pow_lt; lra|].
  rewrite EP, <- pow_mult, Nat.mul_comm, pow_mult, E, pow_INR. reflexivity.
Qed.

(** ** The schedule *)
Definition cube_constant : R := two_root / (two_root ^ 2 - 1).
Lemma cube_term_le E2 l : (1 <= l)%nat -> 0 <= E2 -> E2 / cube_root (INR (full_length l)) <= E2 / two_root ^ (l - 1).
Proof.
  intros Hl HE. destruct two_root_spec as [[H1 _] _]. apply Rmult_le_compat_l; [exact HE|].
  apply Rinv_le_contravar; [apply pow_lt; lra|]. rewrite <- cube_root_power.
  apply cube_root_le; [apply lt_0_INR; pose proof (pow_ge1 (l - 1)); lia|apply le_INR, full_length_ge, Hl].
Qed.
Lemma full_cube_sum j : sum j (fun i => INR (full_length (i + 2)) / cube_root (INR (full_length (i + 1)))) <=
  cube_constant * ((two_root ^ (j + 1)) ^ 2 - two_root ^ 2).
Proof.
  destruct two_root_spec as [[H1 H1'] E]. set (c := two_root) in *. assert (Hc : 0 < c ^ 2 - 1) by nra.
  induction j as [|j IH]; [simpl sum; simpl (0 + 1)%nat; rewrite pow_1; lra|].
  change (sum (S j) (fun i => INR (full_length (i + 2)) / cube_root (INR (full_length (i + 1))))) with
    (sum j (fun i => INR (full_length (i + 2)) / cube_root (INR (full_length (i + 1)))) + INR (full_length (j + 2)) / cube_root (INR (full_length (j + 1)))).
  pose proof (cube_term_le (INR (full_length (j + 2))) (j + 1) ltac:(lia) (pos_INR _)) as Ht.
  replace (j + 1 - 1)%nat with j in Ht by lia. fold c in Ht. assert (Hp : 0 < c ^ j) by (apply pow_lt; lra).
  assert (Hf : INR (full_length (j + 2)) = (c ^ (j + 1)) ^ 3).
  { rewrite <- pow_mult, Nat.mul_comm, pow_mult, E, <- (pow_INR 2). unfold full_length. destruct (Nat.eq_dec (j + 2) 1); [lia|].
    do 2 f_equal. lia. }
  rewrite Hf in Ht at 2. set (p := c ^ j) in *.
  replace (c ^ (j + 1)) with (p * c) in * by (unfold p; rewrite pow_add; simpl; ring).
  replace (c ^ (S j + 1)) with (p * c * c) by (unfold p; replace (S j + 1)%nat with (j + 2)%nat by lia; rewrite pow_add; simpl; ring).
  replace ((p * c) ^ 3 / p) with (p ^ 2 * c ^ 3) in Ht by (field; lra).
  eapply Rle_trans; [apply Rplus_le_compat; [exact IH|exact Ht]|]. right. unfold cube_constant. fold c. field. lra.
Qed.
(** (t^{2/3} is concave)  (s^3 - 1)(c^2 - 1) <= s^2 - 1 for 1 <= s <= c, c^3 = 2 *)
Lemma cube_concave c s : 12599 / 10000 <= c <= 126 / 100 -> c ^ 3 = 2 -> 1 <= s <= c -> (s ^ 3 - 1) * (c ^ 2 - 1) <= s ^ 2 - 1.
Proof.
  intros Hc E Hs.
  assert (Q : 0 <= (s + 1) - (s ^ 2 + s + 1) * (c ^ 2 - 1)).
  { (* concave in s, 5 - 3 c^2 >= 0 at s = 1 and 0 at s = c *)
    assert (Ec : (c + 1) - (c ^ 2 + c + 1) * (c ^ 2 - 1) = 0).
    { replace ((c + 1) - (c ^ 2 + c + 1) * (c ^ 2 - 1)) with ((c + 1) * (2 - c ^ 3)) by ring. rewrite E. ring. }
    assert (Hc2 : 0 < c ^ 2 - 1 <= 5876 / 10000) by (split; nra).
    assert (Hfac : (s + 1) - (s ^ 2 + s + 1) * (c ^ 2 - 1) = (c - s) * ((c ^ 2 - 1) * (s + c + 1) - 1)).
    { replace ((c - s) * ((c ^ 2 - 1) * (s + c + 1) - 1)) with
        ((s + 1) - (s ^ 2 + s + 1) * (c ^ 2 - 1) - ((c + 1) - (c ^ 2 + c + 1) * (c ^ 2 - 1))) by ring. rewrite Ec. ring. }
    rewrite Hfac. apply Rmult_le_pos; [lra|]. assert (5873 / 10000 <= c ^ 2 - 1) by nra. nra. }
  replace ((s ^ 3 - 1) * (c ^ 2 - 1)) with ((s - 1) * ((s ^ 2 + s + 1) * (c ^ 2 - 1))) by ring.
  replace (s ^ 2 - 1) with ((s - 1) * (s + 1)) by ring. apply Rmult_le_compat_l; lra.
Qed.
(** sum_{l = 2}^{L} E^l_cut / (E^{l-1})^{1/3} <= c/(c^2 - 1) T^{2/3} *)
Lemma cube_schedule_sum T : (3 <= T)%nat ->
  sum (epochs_until T - 1) (fun i => INR (doubling T (i + 2) 0) / cube_root (INR (doubling T (i + 1) 0))) <= cube_constant * cube_root (INR T) ^ 2.
Proof.
  intro HT. destruct two_root_spec as [Hc E]. set (c := two_root) in *. assert (Hc1 : 0 < c ^ 2 - 1) by nra.
  pose proof (epochs_until_log2 T HT) as [Hlog HL2]. set (L := epochs_until T) in *. set (k := (L - 2)%nat).
  assert (HLk : L = (k + 2)%nat) by (unfold k; lia). set (u := (T - 2 ^ (k + 1))%nat).
  assert (Hu : (1 <= u <= 2 ^ (k + 1))%nat).
  { rewrite HLk in Hlog. replace (k + 2 - 1)%nat with (k + 1)%nat in Hlog by lia.
    replace (2 ^ (k + 2))%nat with (2 ^ (k + 1) + 2 ^ (k + 1))%nat in Hlog by (replace (k + 2)%nat with (S (k + 1)) by lia; simpl; lia). unfold u. lia. }
  assert (HTu : T = (2 ^ (k + 1) + u)%nat) by (unfold u in *; lia).
  replace (L - 1)%nat with (S k) by lia. cbn [sum].
  rewrite (sum_ext k _ (fun i => INR (full_length (i + 2)) / cube_root (INR (full_length (i + 1))))).
  2:{ intros i Hi. unfold doubling. fold L. destruct (Nat.eq_dec (i + 2) L); [lia|]. destruct (Nat.eq_dec (i + 1) L); [lia|]. reflexivity. }
  pose proof (full_cube_sum k) as F. fold c in F.
  replace (doubling T (k + 2) 0) with u.
  2:{ unfold doubling. fold L. destruct (Nat.eq_dec (k + 2) L); [|lia]. unfold u. do 2 f_equal. lia. }
  replace (doubling T (k + 1) 0) with (full_length (k + 1)).
  2:{ unfold doubling. fold L. destruct (Nat.eq_dec (k + 1) L); [lia|reflexivity]. }
  pose proof (cube_term_le (INR u) (k + 1) ltac:(lia) (pos_INR _)) as Ht. replace (k + 1 - 1)%nat with k in Ht by lia. fold c in Ht.
  set (p := c ^ k) in *. assert (Hp : 0 < p) by (apply pow_lt; lra).
  assert (Ep : c ^ (k + 1) = p * c) by (unfold p; rewrite pow_add; simpl; ring). rewrite Ep in F.
  assert (Ecube : INR (2 ^ (k + 1)) = (p * c) ^ 3).
  { rewrite <- Ep, <- pow_mult, Nat.mul_comm, pow_mult, E, pow_INR. reflexivity. }
  set (R0 := p * c) in *. assert (HR : 0 < R0) by (unfold R0; nra). assert (HR3 : 0 < R0 ^ 3) by (apply pow_lt; exact HR).
  set (v := INR u / R0 ^ 3). assert (Huv : INR u = v * R0 ^ 3) by (unfold v; field; lra).
  assert (Hv : 0 <= v <= 1).
  { assert (0 <= INR u <= R0 ^ 3) by (rewrite <- Ecube; split; [apply pos_INR|apply le_INR; apply Hu]). split; nra. }
  destruct (cube_root_spec (1 + v) ltac:(lra)) as [Ps Es]. set (s := cube_root (1 + v)) in *.
  assert (HsT : cube_root (INR T) = R0 * s).
  { rewrite HTu, plus_INR, Ecube, Huv. replace (R0 ^ 3 + v * R0 ^ 3) with (R0 ^ 3 * (1 + v)) by ring.
    rewrite cube_root_mult by lra. fold s. f_equal. destruct (cube_root_spec _ HR3) as [P3 E3]. apply cube_unique; assumption. }
  assert (Hs : 1 <= s <= c).
  { split.
    - destruct (Rle_lt_dec 1 s) as [H|H]; [exact H|]. assert (s ^ 2 < 1) by nra. assert (s ^ 3 < 1) by (replace (s ^ 3) with (s ^ 2 * s) by ring; nra). lra.
    - unfold s, c, two_root. apply cube_root_le; lra. }
  pose proof (cube_concave c s Hc E Hs) as Hconc. rewrite Es in Hconc. replace (1 + v - 1) with v in Hconc by ring.
  assert (HuR : INR u / p = v * c * R0 ^ 2) by (rewrite Huv; unfold R0; field; lra). rewrite HuR in Ht.
  rewrite HsT. apply Rle_trans with (cube_constant * (R0 ^ 2 - c ^ 2) + v * c * R0 ^ 2); [lra|].
  assert (Hk0 : 0 < cube_constant) by (unfold cube_constant; fold c; apply Rdiv_lt_0_compat; lra).
  assert (Hkc : cube_constant * (c ^ 2 - 1) = c) by (unfold cube_constant; fold c; field; lra).
  assert (Hstep : v * c <= cube_constant * (s ^ 2 - 1)).
  { rewrite <- Hkc at 1. replace (v * (cube_constant * (c ^ 2 - 1))) with (cube_constant * (v * (c ^ 2 - 1))) by ring.
    apply Rmult_le_compat_l; lra. }
  apply (Rmult_le_compat_r (R0 ^ 2)) in Hstep; [|apply pow2_ge_0].
  assert (0 <= cube_constant * c ^ 2) by (apply Rmult_le_pos; [lra|apply pow2_ge_0]).
  replace ((R0 * s) ^ 2) with (R0 ^ 2 * s ^ 2) by ring. nra.
Qed.

(** 2M(1 - 1/K) + 5.11 (K A)^{1/3} (M T)^{2/3} *)
Definition epsilon_greedy_bound (M K T A : R) : R := 2 * M * (1 - / K) + 511 / 100 * cube_root (K * A) * cube_root (M * T) ^ 2.

(** ** The regret *)
Section EpsilonGreedyDoubling.
  Variables (M : nat) (X : nat -> nat) (k : nat) (D : nat -> nat -> R) (reward_law : nat -> nat -> nat -> list (R * R)).
  Variables (routine : nat -> run -> list (R * estimate)) (e : nat -> R) (A : R) (T : nat).
  Hypothesis HM : (1 <= M)%nat.
  Hypothesis Hk : (1 <= k)%nat.
  Hypothesis HD0 : forall m x, (x < X m)%nat -> 0 <= D m x.
  Hypothesis HD1 : forall m, sum (X m) (D m) = 1.
  Hypothesis HR : forall m x a, distribution (reward_law m x a).
  Hypothesis HR01 : forall m x a, Forall (fun pr => 0 <= snd pr <= 1) (reward_law m x a).
  Hypothesis Hroutine : forall l h, distribution (routine l h).
  Hypothesis HT : (3 <= T)%nat.
  Hypothesis HA : 0 < A.
  (** risks of at most A/n that do not grow *)
  Hypothesis He : forall l, (1 <= l <= epochs_until T)%nat -> 0 < e l <= A / (INR M * INR (doubling T l 0)).
  Hypothesis Hdecreases : forall l, (1 <= l)%nat -> (S (S l) <= epochs_until T)%nat -> e (S l) <= e l.
  (** eps_1 = 1, eps_{l+1} = min(1, (K e_l / 2)^{1/3}) *)
  Definition tuned_shares (l : nat) : R :=
    match l with S l' => match l' with O => 1 | _ => Rmin 1 (cube_root (INR k * e l' / 2)) end | _ => 1 end.
  Hypothesis H3 : forall l h f, (forall m x a, (a < K_arms k m)%nat -> tuned_shares l / INR (K_arms k m) <= igw (K_arms k m) 1 (f m x) a) ->
    (1 <= l)%nat -> (S l <= epochs_until T)%nat ->
    Expect (all_agents X (K_arms k) D reward_law (doubling T) (fun _ => 1) l f M)
      (fun d => Expect (routine l (update h l (f, d))) (fun f' => Err_of M X (K_arms k) D reward_law (doubling T) (fun _ => 1) l f f'))
    <= Protocol.W M (doubling T) l * e l.
  (** Reg(T) of the run *)
  Definition epsilon_greedy_Reg_T : R :=
    Expect (run_law M X (K_arms k) D reward_law (doubling T) (fun _ => 1) (greedy_routine (K_arms k) tuned_shares routine) (epochs_until T))
      (total_regret M (K_arms k) reward_law (epochs_until T)).

  (** epsilon-greedy, tuned, under doubling:  Reg(T) <= 2M(1 - 1/K) + 5.11 (K A)^{1/3} (M T)^{2/3}. *)
  Theorem epsilon_greedy_doubling : epsilon_greedy_Reg_T <= epsilon_greedy_bound (INR M) (INR k) (INR T) A.
  Proof.
    assert (Hk1 : 1 <= INR k) by (replace 1 with (INR 1) by reflexivity; apply le_INR, Hk).
    assert (HM1 : 1 <= INR M) by (replace 1 with (INR 1) by reflexivity; apply le_INR, HM).
    set (L := epochs_until T). assert (HL2 : (2 <= L)%nat) by apply (epochs_until_log2 T HT).
    assert (Hroot : forall l, (1 <= l <= L)%nat -> 0 < cube_root (INR k * e l / 2)).
    { intros l Hl. destruct (He l Hl) as [P _]. apply cube_root_spec. nra. }
    eapply Rle_trans.
    - apply (epsilon_greedy_regret_tuned M X (K_arms k) D reward_law HM (fun _ => Hk) HD0 HD1 HR HR01 L (doubling T) ltac:(lia)
        (fun l m Hl _ => doubling_positive T HT l m Hl) tuned_shares) with (e := e) (c := 1) (k := k); auto.
      + intros l Hl. destruct l as [|[|l]]; [lia|simpl; lra|]. unfold tuned_shares.
        split; [apply Rmin_glb_lt; [lra|apply Hroot; lia]|apply Rmin_l].
      + intros l H1 H2. apply He. fold L. lia.
      + intros l m m' _ _ _ _. unfold E, doubling. lra.
      + intros l H1 H2. destruct l as [|l]; [lia|]. reflexivity.
    - unfold epsilon_greedy_bound. apply Rplus_le_compat.
      + rewrite (sum_ext M _ (fun _ => (1 - / INR k) * INR (doubling T 1 0))) by reflexivity. rewrite sum_const, doubling_first by exact HT.
        simpl (INR 2). right. ring.
      + destruct two_root_spec as [Hc Ec]. set (c := two_root) in *.
        assert (HkA : 0 < INR k * A) by nra. set (a := cube_root (INR k * A)). destruct (cube_root_spec _ HkA) as [Pa Ea]. fold a in Pa, Ea.
        set (b := cube_root (INR M)). destruct (cube_root_spec (INR M) ltac:(lra)) as [Pb Eb]. fold b in Pb, Eb.
        apply Rle_trans with (3 / c * a * b ^ 2 * sum (L - 1) (fun i => INR (doubling T (i + 2) 0) / cube_root (INR (doubling T (i + 1) 0)))).
        * rewrite <- sum_scal. apply sum_le. intros i Hi. eapply Rle_trans; [apply Rmin_r|].
          assert (Hl : (1 <= i + 1 <= L)%nat) by lia. destruct (He (i + 1)%nat Hl) as [P0 P1].
          assert (Hp : 0 < INR (doubling T (i + 1) 0)) by (apply lt_0_INR; pose proof (doubling_positive T HT (i + 1) 0 Hl); lia).
          set (d := cube_root (INR (doubling T (i + 1) 0))). destruct (cube_root_spec _ Hp) as [Pd Ed]. fold d in Pd, Ed.
          assert (Hle : cube_root (INR k * e (i + 1)%nat / 2) <= a / (c * b * d)).
          { assert (Hx : 0 < a / (c * b * d)) by (apply Rdiv_lt_0_compat; [exact Pa|]; repeat apply Rmult_lt_0_compat; lra).
            assert (Hcube : (a / (c * b * d)) ^ 3 = INR k * A / (2 * INR M * INR (doubling T (i + 1) 0))).
            { replace ((a / (c * b * d)) ^ 3) with (a ^ 3 / (c ^ 3 * b ^ 3 * d ^ 3)) by (field; repeat split; lra). rewrite Ea, Eb, Ed, Ec. reflexivity. }
            assert (Hy : 0 < INR k * e (i + 1)%nat / 2) by nra.
            apply Rle_trans with (cube_root ((a / (c * b * d)) ^ 3)).
            - apply cube_root_le; [exact Hy|]. rewrite Hcube.
              replace (INR k * A / (2 * INR M * INR (doubling T (i + 1) 0))) with (INR k * (A / (INR M * INR (doubling T (i + 1) 0))) / 2)
                by (field; split; lra). nra.
            - right. assert (Hc3 : 0 < (a / (c * b * d)) ^ 3) by (apply pow_lt; exact Hx).
              destruct (cube_root_spec _ Hc3) as [Pq Eq]. apply cube_unique; assumption. }
          rewrite (W_samples M T). pose proof (pos_INR (doubling T (i + 2) 0)) as P2.
          apply Rle_trans with (3 * (a / (c * b * d)) * (INR M * INR (doubling T (i + 2) 0))).
          -- apply Rmult_le_compat_r; [nra|]. lra.
          -- right. rewrite <- Eb. field. repeat split; lra.
        * assert (H0 : 0 <= 3 / c * a * b ^ 2).
          { apply Rmult_le_pos; [apply Rmult_le_pos; [left; apply Rdiv_lt_0_compat; lra|lra]|apply pow2_ge_0]. }
          apply Rle_trans with (3 / c * a * b ^ 2 * (cube_constant * cube_root (INR T) ^ 2)); [apply Rmult_le_compat_l; [exact H0|exact (cube_schedule_sum T HT)]|].
          assert (HTp : 0 < INR T) by (apply lt_0_INR; lia).
          rewrite (cube_root_mult (INR M) (INR T)) by lra. fold b. set (t := cube_root (INR T)).
          replace (3 / c * a * b ^ 2 * (cube_constant * t ^ 2)) with (3 / (c ^ 2 - 1) * a * (b * t) ^ 2).
          2:{ unfold cube_constant. fold c. field. split; nra. }
          apply Rmult_le_compat_r; [apply pow2_ge_0|]. apply Rmult_le_compat_r; [lra|].
          apply (Rmult_le_reg_r (c ^ 2 - 1)); [nra|]. replace (3 / (c ^ 2 - 1) * (c ^ 2 - 1)) with 3 by (field; nra). nra.
  Qed.
End EpsilonGreedyDoubling.
