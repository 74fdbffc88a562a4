(** * col:convex_raw: any FL protocol by its optimisation error

    Agents in step with K arms each, epochs of any lengths.  The call after epoch l has the optimisation error eps_opt_l and the
    generalisation error eps_gen_l; lem:error_decompose bounds its excess risk by (2/mu_f)(eps_opt + eps_gen + lam norm(w* )^2), and
    lem:rademacher has eps_gen <= 2 R.  Both enter as hypotheses here: ErrorDecompose.v proves the first.  Then with
    e_l = (2/mu_f)(2 R_l + eps_opt_l + lam_l norm(w* )^2), gamma^{l+1} = g sqrt(K / e_l) and e_l not increasing (which is H5):
    [col_convex_raw]       Reg(T) <= M E^1 (1 - 1/K) + sum_{l >= 2} M E^l min(1, (C/g) sqrt(K e_{l-1})), C of the variant sharpened
    [col_convex_raw_best]  the same with C of the variant best, for at least two arms.                                    *)
From Coq Require Import Reals Lra Lia Psatz List Arith.
From FedIGW Require Import FiniteSums FiniteProbability Constants BestParameters Protocol GlobalRegret DoublingRegret.
Open Scope R_scope.

Section ConvexRaw.
  Variables (M : nat) (X : nat -> nat) (k : nat) (D : nat -> nat -> R).
  Variable reward_law : nat -> nat -> nat -> list (R * R).
  (** number of epochs, their lengths, the same for all agents *)
  Variables (L : nat) (steps : nat -> nat).
  Variable FLroutine : nat -> run -> list (R * estimate).
  (** R_l, eps_opt_l, eps_gen_l, lam_l; norm2 = norm(w* )^2 *)
  Variables (complexity optimisation generalisation regulariser : nat -> R) (mu norm2 g : R).
  Hypothesis HM : (1 <= M)%nat.
  Hypothesis Hk : (1 <= k)%nat.
  Hypothesis HD0 : forall m x, (x < X m)%nat -> 0 <= D m x.
  Hypothesis HD1 : forall m, sum (X m) (D m) = 1.
  Hypothesis HR : forall m x a, distribution (reward_law m x a).
  Hypothesis HR01 : forall m x a, Forall (fun pr => 0 <= snd pr <= 1) (reward_law m x a).
  Hypothesis HL : (1 <= L)%nat.
  Hypothesis Hsteps : forall l, (1 <= l <= L)%nat -> (1 <= steps l)%nat.
  Hypothesis HFL : forall l h, distribution (FLroutine l h).
  Hypothesis Hmu : 0 < mu.
  Hypothesis Hg : 0 < g.

  (** the lengths of epochs for agents in step *)
  Definition in_step (l m : nat) : nat := steps l.
  (** e_l = (2/mu_f)(2 R_l + eps_opt_l + lam_l norm(w* )^2) *)
  Definition raw_risk (l : nat) : R := 2 / mu * (2 * complexity l + optimisation l + regulariser l * norm2).
  (** gamma^{l+1} = g sqrt(K / e_l), gamma^1 = 0 *)
  Definition raw_rates (l : nat) : R :=
    match l with
    | O => 0
    | S l' => match l' with O => 0 | _ => g * sqrt (INR k / raw_risk l') end
    end.
  Hypothesis Hpositive : forall l, (1 <= l)%nat -> (S l <= L)%nat -> 0 < raw_risk l.
  Hypothesis Hdecreases : forall l, (1 <= l)%nat -> (S (S l) <= L)%nat -> raw_risk (S l) <= raw_risk l.
  Variable reachable : estimate -> Prop.
  Hypothesis Hzero : reachable zero_estimate.
  Hypothesis Hreach : forall l h, Forall (fun pf => reachable (snd pf)) (FLroutine l h).
  (** lem:error_decompose, repaired, and lem:rademacher, for every call *)
  Hypothesis Hdecomposed : forall l h f, reachable f -> (1 <= l)%nat -> (S l <= L)%nat ->
    Expect (all_agents X (K_arms k) D reward_law in_step raw_rates l f M)
      (fun d => Expect (FLroutine l (update h l (f, d)))
        (fun f' => Err_of M X (K_arms k) D reward_law in_step raw_rates l f f'))
    <= Protocol.W M in_step l * (2 / mu * (optimisation l + generalisation l + regulariser l * norm2)).
  Hypothesis Hrademacher : forall l, (1 <= l)%nat -> (S l <= L)%nat -> generalisation l <= 2 * complexity l.
  (** Reg(T) with these rates *)
  Definition raw_Reg_T : R :=
    Expect (run_law M X (K_arms k) D reward_law in_step raw_rates FLroutine L) (total_regret M (K_arms k) reward_law L).

  Lemma raw_arms : 1 <= INR k.
  Proof. replace 1 with (INR 1) by reflexivity. apply le_INR, Hk. Qed.
  Lemma raw_W l : Protocol.W M in_step l = INR M * INR (steps l).
  Proof. unfold Protocol.W, E, in_step. apply sum_const. Qed.
  Lemma raw_SK l : SK M (K_arms k) in_step l = INR k * (INR M * INR (steps l)).
  Proof. unfold SK, E, in_step, K_arms. rewrite sum_const. ring. Qed.
  Lemma raw_W_pos l : (1 <= l <= L)%nat -> 0 < INR M * INR (steps l).
  Proof. intro Hl. pose proof (Hsteps l Hl). apply Rmult_lt_0_compat; apply lt_0_INR; lia. Qed.
  Lemma raw_Kbar l : (1 <= l <= L)%nat -> Kbar M (K_arms k) in_step l = INR k.
  Proof. intro Hl. unfold Kbar. rewrite raw_SK, raw_W. pose proof (raw_W_pos l Hl). field. split; intro H0; rewrite H0 in *; lra. Qed.
  Lemma raw_H3 l h f : reachable f -> (1 <= l)%nat -> (S l <= L)%nat ->
    Expect (all_agents X (K_arms k) D reward_law in_step raw_rates l f M)
      (fun d => Expect (FLroutine l (update h l (f, d)))
        (fun f' => Err_of M X (K_arms k) D reward_law in_step raw_rates l f f'))
    <= Protocol.W M in_step l * raw_risk l.
  Proof.
    intros Hf H1 H2. eapply Rle_trans; [apply (Hdecomposed l h f Hf H1 H2)|].
    apply Rmult_le_compat_l; [rewrite raw_W; left; apply raw_W_pos; lia|]. unfold raw_risk.
    apply Rmult_le_compat_l; [left; apply Rdiv_lt_0_compat; lra|]. pose proof (Hrademacher l H1 H2). lra.
  Qed.
  Lemma raw_H4 l : (1 <= l)%nat -> (S l <= L)%nat -> raw_rates (S l) = g * sqrt (Kbar M (K_arms k) in_step l / raw_risk l).
  Proof. intros H1 H2. destruct l as [|l]; [lia|]. rewrite raw_Kbar by lia. reflexivity. Qed.
  Lemma raw_H4first : 0 <= raw_rates 1.
  Proof. simpl. lra. Qed.
  Lemma raw_H5 l : (2 <= l)%nat -> (S l <= L)%nat -> raw_rates l <= raw_rates (S l).
  Proof.
    intros H1 H2. destruct l as [|[|l]]; [lia|lia|]. simpl raw_rates. apply Rmult_le_compat_l; [lra|]. apply sqrt_le_1_alt.
    pose proof raw_arms. apply Rmult_le_compat_l; [lra|]. apply Rinv_le_contravar; [apply Hpositive; lia|apply Hdecreases; lia].
  Qed.
  Lemma raw_c l m m' : (1 <= l)%nat -> (S l <= L)%nat -> (m < M)%nat -> (m' < M)%nat ->
    E in_step (S l) m / E in_step l m <= 1 * (E in_step (S l) m' / E in_step l m').
  Proof. intros _ _ _ _. unfold E, in_step. lra. Qed.

  (** From the sum of the theorem to the display:  min(W, C0 S sqrt(e / K)) = W min(1, C0 sqrt(K e)). *)
  Lemma raw_display C0 :
    sum M (fun m => (1 - / INR (K_arms k m)) * E in_step 1 m) +
      sum (L - 1) (fun i => Rmin (Protocol.W M in_step (i + 2)) (C0 *
        (SK M (K_arms k) in_step (i + 2) * sqrt (raw_risk (i + 1) / Kbar M (K_arms k) in_step (i + 1))))) <=
    INR M * INR (steps 1) * (1 - / INR k) +
      sum (L - 1) (fun i => INR M * INR (steps (i + 2)) * Rmin 1 (C0 * sqrt (INR k * raw_risk (i + 1)))).
  Proof.
    pose proof raw_arms as Hk1. apply Rplus_le_compat.
    - unfold K_arms, E, in_step. rewrite sum_const. right. ring.
    - apply sum_le. intros i Hi. rewrite raw_W, raw_SK, raw_Kbar by lia.
      pose proof (Hpositive (i + 1) ltac:(lia) ltac:(lia)) as He. pose proof (raw_W_pos (i + 2) ltac:(lia)) as HW.
      assert (Hroot : INR k * sqrt (raw_risk (i + 1) / INR k) = sqrt (INR k * raw_risk (i + 1))).
      { rewrite <- (sqrt_square (INR k)) at 1 by lra. rewrite <- sqrt_mult_alt by nra. f_equal. field. lra. }
      replace (C0 * (INR k * (INR M * INR (steps (i + 2))) * sqrt (raw_risk (i + 1) / INR k)))
        with (INR M * INR (steps (i + 2)) * (C0 * (INR k * sqrt (raw_risk (i + 1) / INR k)))) by ring.
      rewrite Hroot. set (w := INR M * INR (steps (i + 2))) in *. set (y := C0 * sqrt (INR k * raw_risk (i + 1))).
      destruct (Rle_dec 1 y) as [Hy|Hy].
      + rewrite (Rmin_left 1 y) by exact Hy. rewrite Rmult_1_r. apply Rmin_l.
      + rewrite (Rmin_right 1 y) by lra. apply Rmin_r.
  Qed.

  (** col:convex_raw, with the constant C = 7q/6 + 7/18 + 28 g^2 / 9 of agents in step, q = 1 - 1/K. *)
  Theorem col_convex_raw :
    raw_Reg_T <= INR M * INR (steps 1) * (1 - / INR k) +
      sum (L - 1) (fun i => INR M * INR (steps (i + 2)) *
        Rmin 1 (sharpened_constant 1 g (1 - / INR k) / g * sqrt (INR k * raw_risk (i + 1)))).
  Proof.
    eapply Rle_trans; [|apply raw_display].
    apply (thm_global_regret_sharpened M X (K_arms k) D reward_law HM (fun _ => Hk) HD0 HD1 HR HR01 L in_step HL
      (fun l m Hl _ => Hsteps l Hl) raw_rates FLroutine raw_risk) with (c := 1) (reachable := reachable);
      auto using raw_H3, raw_H4, raw_H4first, raw_H5, raw_c.
    intros m _. unfold K_arms. lra.
  Qed.

  (** The same with the constant of the variant best. *)
  Theorem col_convex_raw_best : (2 <= k)%nat ->
    raw_Reg_T <= INR M * INR (steps 1) * (1 - / INR k) +
      sum (L - 1) (fun i => INR M * INR (steps (i + 2)) *
        Rmin 1 (best_constant (INR k) g / g * sqrt (INR k * raw_risk (i + 1)))).
  Proof.
    intro Hk2. eapply Rle_trans; [|apply raw_display].
    apply (thm_global_regret_best M X (K_arms k) D reward_law HM (fun _ => Hk) HD0 HD1 HR HR01 L in_step HL
      (fun l m Hl _ => Hsteps l Hl) raw_rates FLroutine raw_risk) with (c := 1) (reachable := reachable);
      auto using raw_H3, raw_H4, raw_H4first, raw_H5, raw_c.
  Qed.
End ConvexRaw.
