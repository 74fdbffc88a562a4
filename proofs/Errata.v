(** * Errata: printed steps that are false, refuted by finite examples *)
From Coq Require Import Reals Lra Lia Psatz List Arith.
From FedIGW Require Import FiniteSums FiniteProbability FiniteVariance.
Import ListNotations.
Open Scope R_scope.

Lemma argmax_two (f : nat -> R) : argmax 2 f = if Rlt_dec (f 0%nat) (f 1%nat) then 1%nat else 0%nat.
Proof. simpl. destruct (Rlt_dec (f 0%nat) (f 0%nat)); [lra|]. reflexivity. Qed.

(** ** E1: from a fixed to a data-dependent policy

    lem:true_virtual_loss is proved for a fixed policy and applied to pihat^l.  Two arms, fstar = (1, 1/2),
    fhat = (1, 0) or (0, 1) with probability 1/2: every fixed arm satisfies E[Reg - 2 Reghat] <= 0, and yet
    E[Reg(pihat) - 2 Reghat(pihat)] = 1/4.  The repair is in RepairedInduction.v. *)
Definition E1_fstar (a : nat) : R := if Nat.eq_dec a 0 then 1 else 1 / 2.
Definition E1_fhat : list (R * (nat -> R)) :=
  [(1 / 2, fun a => if Nat.eq_dec a 0 then 1 else 0); (1 / 2, fun a => if Nat.eq_dec a 0 then 0 else 1)].
(** Fixed arms satisfy E[Reg - 2 Reghat] <= 0; the greedy arm has E[Reg - 2 Reghat] = 1/4. *)
Theorem erratum_E1 :
  (forall a, (a < 2)%nat -> Expect E1_fhat (fun fhat => gap 2 E1_fstar a - 2 * gap 2 fhat a) <= 0) /\
  Expect E1_fhat (fun fhat => gap 2 E1_fstar (argmax 2 fhat) - 2 * gap 2 fhat (argmax 2 fhat)) = 1 / 4.
Proof.
  split.
  - intros a Ha. unfold Expect, E1_fhat, gap. rewrite !argmax_two. unfold E1_fstar.
    destruct a as [|[|a]]; [| |lia]; simpl; repeat (destruct (Rlt_dec _ _)); simpl; lra.
  - unfold Expect, E1_fhat, gap. rewrite !argmax_two. unfold E1_fstar.
    simpl; repeat (destruct (Rlt_dec _ _)); simpl; lra.
Qed.

(** ** E2: (4/3)(25/4) is printed as 25/4

    It is 25/3; the conclusion 1/(3c) + 25c^2/3 <= 9c^2 survives. *)
Theorem erratum_E2 :
  4 / 3 * (25 / 4) = 25 / 3 /\ 25 / 3 <> 25 / 4 /\
  forall c, 1 <= c -> 1 / (3 * c) + 25 / 3 * c ^ 2 <= 9 * c ^ 2.
Proof.
  repeat split; [lra | lra |]. intros c Hc.
  assert (1 / (3 * c) <= 1 / 3) by (unfold Rdiv; rewrite !Rmult_1_l; apply Rinv_le_contravar; lra).
  assert (1 <= c ^ 2) by nra. lra.
Qed.

(** ** E3: step (g) has cund where 1/cund is meant

    The step claims  E' Reg(pihat) <= 2 cund E Reghat(pihat) + cund eta  from  E Reg(pihat) <= 2 E Reghat(pihat) + eta,
    for E' = E^{l-1}, E = E^l, cund = E/E'.  It fails already for one agent whose epochs halve; with 1/cund it always
    holds.  With the printed factor the sum of the second half is 31/2 > 9 at cund = 2, c = 1; corrected it is 35/4. *)
Theorem erratum_E3 :
  (exists E' E reg reghat eta, 0 < E' /\ 0 < E /\ 0 <= reg /\ reghat = 0 /\
     E * reg <= 2 * E * reghat + eta /\ ~ (E' * reg <= 2 * (E / E') * E * reghat + E / E' * eta)) /\
  (forall E' E reg reghat eta, 0 < E' -> 0 < E -> E * reg <= 2 * E * reghat + eta ->
     E' * reg <= / (E / E') * (2 * E * reghat + eta)) /\
  (let cund := 2 in let c := 1 in let cbar := c * cund in
   1 / (4 * c) + cbar / (4 * c) * (cund * (9 * c ^ 2)) + 9 * c ^ 2 / 4 + 4 * c ^ 2 = 31 / 2 /\ 9 < 31 / 2 /\
   1 / (4 * c) + cbar / (4 * c) * (/ cund * (9 * c ^ 2)) + 9 * c ^ 2 / 4 + 4 * c ^ 2 = 35 / 4 /\ 35 / 4 <= 9).
Proof.
  split; [|split].
  - exists 2, 1, 1, 0, 1. repeat split; try lra.
  - intros E' E reg reghat eta HE' HE H. replace (/ (E / E')) with (E' / E) by (field; lra).
    apply (Rmult_le_reg_r E); [exact HE|].
    replace (E' / E * (2 * E * reghat + eta) * E) with (E' * (2 * E * reghat + eta)) by (field; lra). nra.
  - cbv zeta. repeat split; lra.
Qed.

(** ** E5: Kbar^l is not Kbar^{l-1}

    E^{l-1} = (99, 1), E^l = (99, 10), K = (2, 1000): Kbar^l > 7.8 Kbar^{l-1}, so the last display needs its sqrt(c)
    (Kbar_ratio in SumOverEpochs.v). *)
Theorem erratum_E5 :
  let Kbar := fun E0 E1 => (E0 * 2 + E1 * 1000) / (E0 + E1) in 7.8 * Kbar 99 1 < Kbar 99 10.
Proof. cbv zeta. lra. Qed.

(** ** E11: lem:error_decompose with ">="

    One sample, F = {1/2, 0}, fstar = 1/2, r Bernoulli(1/2), squared loss (mu_f = 2), exact minimiser.  The hypotheses
    hold, Ec = 1/8, and 2(eps_opt + eps_gen)/mu_f = 1/4: the printed ">=" is false ("<=" is what the proof gives).
    Second part: without the optimality condition "<=" fails too.  l(y, r) = (y - r)^2 + y, r = 1/2, the same F:
    eps_opt = eps_gen = 0 but Ec = 1/4. *)
Definition E11_reward : list (R * R) := [(1 / 2, 0); (1 / 2, 1)].
Definition E11_loss (y r : R) : R := (y - r) ^ 2.
Definition E11_fhat (r : R) : R := if Rle_dec (E11_loss (1 / 2) r) (E11_loss 0 r) then 1 / 2 else 0.
Definition E11_risk (y : R) : R := Expect E11_reward (fun r => E11_loss y r).
Definition E11_opt : R :=
  Expect E11_reward (fun r => E11_loss (E11_fhat r) r - Rmin (E11_loss (1 / 2) r) (E11_loss 0 r)).
Definition E11_gen : R := Expect E11_reward (fun r => E11_risk (E11_fhat r) - E11_loss (E11_fhat r) r).
Definition E11_excess : R := Expect E11_reward (fun r => (E11_fhat r - 1 / 2) ^ 2).

(** The hypotheses hold and Ec = 1/8 < 1/4 = 2(eps_opt + eps_gen)/mu_f. *)
Theorem erratum_E11 :
  (* strongly convex with mu_f = 2, and fstar minimises the risk *)
  (forall y y' r, E11_loss y' r - E11_loss y r >= 2 * (y - r) * (y' - y) + 2 / 2 * (y' - y) ^ 2) /\
  (forall y, E11_risk (1 / 2) <= E11_risk y) /\
  E11_excess = 1 / 8 /\ 2 * (E11_opt + E11_gen) / 2 = 1 / 4 /\ ~ (E11_excess >= 2 * (E11_opt + E11_gen) / 2).
Proof.
  assert (F0 : E11_fhat 0 = 0).
  { unfold E11_fhat, E11_loss. destruct (Rle_dec _ _); [lra|reflexivity]. }
  assert (F1 : E11_fhat 1 = 1 / 2).
  { unfold E11_fhat, E11_loss. destruct (Rle_dec _ _); [reflexivity|lra]. }
  assert (X1 : E11_excess = 1 / 8) by (unfold E11_excess, E11_reward; simpl; rewrite F0, F1; lra).
  assert (X2 : 2 * (E11_opt + E11_gen) / 2 = 1 / 4).
  { unfold E11_opt, E11_gen, E11_risk, E11_reward. simpl. rewrite F0, F1. unfold E11_loss, Rmin.
    repeat (destruct (Rle_dec _ _)); lra. }
  repeat split; try assumption.
  - intros y y' r. unfold E11_loss. right. field.
  - intro y. unfold E11_risk, E11_reward, E11_loss. simpl. pose proof (pow2_ge_0 (y - 1 / 2)). nra.
  - rewrite X1, X2. lra.
Qed.

(** Without the optimality condition <= is false too: eps_opt = eps_gen = 0 and Ec = 1/4. *)
Theorem erratum_E11_without_optimality :
  let loss := fun y r : R => (y - r) ^ 2 + y in
  let fhat := 0 in let fstar := 1 / 2 in let r := 1 / 2 in
  (* fhat is the exact minimiser over {1/2, 0}; data and risk coincide, so eps_opt = eps_gen = 0 *)
  loss fhat r <= loss fstar r /\
  loss fhat r - Rmin (loss (1 / 2) r) (loss 0 r) = 0 /\
  (fhat - fstar) ^ 2 = 1 / 4.
Proof. cbv zeta. repeat split; try lra. unfold Rmin. destruct (Rle_dec _ _); lra. Qed.

(** ** E12: lem:finite_var needs F in [0,1]

    x uniform on two contexts, one arm, fstar = 1/2, r Bernoulli(1/2), f = (1/2, 10): Var l = 2081.4 > 4 E l = 180.5. *)
Definition E12_reward : nat -> nat -> list (R * R) := fun _ _ => [(1 / 2, 0); (1 / 2, 1)].
Definition E12_f (x _ : nat) : R := if Nat.eq_dec x 0 then 1 / 2 else 10.
Definition E12_law := sample_law 2 1 (fun _ => 1 / 2) (fun _ _ => 1) E12_reward.
(** Var l = 133209/64 = 2081.4 > 4 E l = 361/2. *)
Theorem erratum_E12 :
  variance E12_law (excess_loss E12_reward E12_f) = 133209 / 64 /\
  printed_variance_constant * Expect E12_law (excess_loss E12_reward E12_f) = 361 / 2 /\
  361 / 2 < 133209 / 64.
Proof.
  unfold variance, E12_law. rewrite !Expect_sample.
  unfold excess_loss, mean_reward, E12_reward, E12_f, printed_variance_constant. simpl. repeat split; lra.
Qed.
