(** * lem:error_decompose, repaired:  Ec <= 2 (eps_opt + eps_gen) / mu_f

    The appendix prints >= (false: erratum E11).  A loss l(y, r) that is mu-strongly convex and differentiable in y;
    fstar(z) minimises E_r l(., r) over all reals, for every cell z = (agent, context, arm).  The population
    is a finite law over cells and rewards; S is the training data, omega the random source of the FL routine, and
    only the outcome (S, omega) -> (fhat, training loss) enters.                                                 *)
From Coq Require Import Reals Lra Lia Psatz List Ranalysis.
From FedIGW Require Import FiniteSums FiniteProbability.
Open Scope R_scope.

Section ErrorDecompose.
  (** cells with the law of x, a weighted by n_m / n; reward laws; loss and its derivative in the first coordinate *)
  Variables (Z : Type) (cells : list (R * Z)) (reward : Z -> list (R * R)) (l dl : R -> R -> R) (mu : R).
  Hypothesis Hcells : Forall (fun pz => 0 <= fst pz) cells.
  Hypothesis Hmu : 0 < mu.
  Hypothesis Hconvex : forall y y' r, l y' r - l y r >= dl y r * (y' - y) + mu / 2 * (y' - y) ^ 2.
  Hypothesis Hderivative : forall y r, derivable_pt_lim (fun v => l v r) y (dl y r).
  Variable fstar : Z -> R.
  (** eqn:opt_omega_star *)
  Hypothesis Hoptimal : forall z y, Expect (reward z) (l (fstar z)) <= Expect (reward z) (l y).
  Hypothesis Hreward : forall z, distribution (reward z).

  Definition population_loss (f : Z -> R) : R := Expect cells (fun z => Expect (reward z) (l (f z))).

  Lemma risk_derivative (d : list (R * R)) y :
    derivable_pt_lim (fun v => Expect d (l v)) y (Expect d (dl y)).
  Proof using Hderivative.
    induction d as [|[p r] d IH]; simpl; [apply derivable_pt_lim_const|].
    apply (derivable_pt_lim_plus (fun v => p * l v r) (fun v => Expect d (l v))); [|exact IH].
    apply (derivable_pt_lim_scal (fun v => l v r)). apply Hderivative.
  Qed.

  (** the first-order condition: E_r dl(fstar, r) = 0 *)
  Lemma stationary z : Expect (reward z) (dl (fstar z)) = 0.
  Proof using Hderivative Hoptimal.
    set (h := fun v => Expect (reward z) (l v)).
    assert (pr : derivable_pt h (fstar z)) by (exists (Expect (reward z) (dl (fstar z))); apply risk_derivative).
    assert (E : derive_pt h (fstar z) pr = Expect (reward z) (dl (fstar z))).
    { apply derive_pt_eq_0. apply risk_derivative. }
    rewrite <- E. apply (deriv_minimum h (fstar z - 1) (fstar z + 1)); try lra.
    intros y _ _. apply Hoptimal.
  Qed.

  (** E (f - fstar)^2 <= (2 / mu) (L(f) - L(fstar)) *)
  Lemma excess_by_loss f :
    Expect cells (fun z => (f z - fstar z) ^ 2) <= 2 / mu * (population_loss f - population_loss fstar).
  Proof using Hcells Hmu Hconvex Hderivative Hoptimal Hreward.
    assert (P : forall z, (f z - fstar z) ^ 2 <=
      2 / mu * (Expect (reward z) (l (f z)) - Expect (reward z) (l (fstar z)))).
    { intro z. apply (Rmult_le_reg_l (mu / 2)); [lra|].
      replace (mu / 2 * (2 / mu * (Expect (reward z) (l (f z)) - Expect (reward z) (l (fstar z)))))
        with (Expect (reward z) (l (f z)) - Expect (reward z) (l (fstar z))) by (field; lra).
      assert (H : Expect (reward z) (fun r => (f z - fstar z) * dl (fstar z) r + mu / 2 * (f z - fstar z) ^ 2)
        <= Expect (reward z) (fun r => l (f z) r + -1 * l (fstar z) r)).
      { apply Expect_le; [apply Hreward|]. intro r. pose proof (Hconvex (fstar z) (f z) r). lra. }
      rewrite (Expect_plus (reward z) (l (f z)) (fun r => -1 * l (fstar z) r)) in H.
      rewrite (Expect_scal (reward z) (-1) (l (fstar z))) in H.
      rewrite (Expect_plus (reward z) (fun r => (f z - fstar z) * dl (fstar z) r)) in H.
      rewrite (Expect_scal (reward z) (f z - fstar z) (dl (fstar z))), stationary in H.
      rewrite (Expect_const (reward z) _ (Hreward z)) in H. lra. }
    eapply Rle_trans; [apply (Expect_le cells _ _ Hcells P)|]. right.
    rewrite (Expect_scal cells (2 / mu)). f_equal. unfold population_loss.
    rewrite (Expect_ext cells _ (fun z => Expect (reward z) (l (f z)) + -1 * Expect (reward z) (l (fstar z))))
      by (intro; ring).
    rewrite (Expect_plus cells (fun z => Expect (reward z) (l (f z)))).
    rewrite (Expect_scal cells (-1) (fun z => Expect (reward z) (l (fstar z)))). ring.
  Qed.

  (** outcomes (S, xi): the learned function, its training loss, the training losses of fstar and of the minimiser *)
  Variables (Omega : Type) (outcomes : list (R * Omega)).
  Variables (fhat : Omega -> Z -> R) (train_fhat train_fstar train_min : Omega -> R).
  Hypothesis Houtcomes : distribution outcomes.
  (** the data are drawn from the population, and the minimiser does at least as well as fstar on them *)
  Hypothesis Hunbiased : Expect outcomes train_fstar = population_loss fstar.
  Hypothesis Hminimal : forall w, train_min w <= train_fstar w.

  Definition eps_opt : R := Expect outcomes (fun w => train_fhat w - train_min w).
  Definition eps_gen : R := Expect outcomes (fun w => population_loss (fhat w) - train_fhat w).

  (** lem:error_decompose, repaired:  Ec <= 2 (eps_opt + eps_gen) / mu_f. *)
  Theorem lem_error_decompose_repaired :
    Expect outcomes (fun w => Expect cells (fun z => (fhat w z - fstar z) ^ 2)) <= 2 * (eps_opt + eps_gen) / mu.
  Proof using Hcells Hmu Hconvex Hderivative Hoptimal Hreward Houtcomes Hunbiased Hminimal.
    eapply Rle_trans.
    - apply (Expect_le outcomes _ (fun w => 2 / mu * (population_loss (fhat w) + -1 * population_loss fstar)));
        [apply Houtcomes|]. intro w. pose proof (excess_by_loss (fhat w)).
      replace (population_loss (fhat w) + -1 * population_loss fstar)
        with (population_loss (fhat w) - population_loss fstar) by ring. assumption.
    - rewrite (Expect_scal outcomes (2 / mu)).
      rewrite (Expect_plus outcomes (fun w => population_loss (fhat w))), (Expect_const outcomes _ Houtcomes).
      replace (2 * (eps_opt + eps_gen) / mu) with (2 / mu * (eps_opt + eps_gen)) by (field; lra).
      apply Rmult_le_compat_l; [left; apply Rdiv_lt_0_compat; lra|].
      unfold eps_opt, eps_gen.
      rewrite (Expect_ext outcomes (fun w => train_fhat w - train_min w) (fun w => train_fhat w + -1 * train_min w))
        by (intro; ring).
      rewrite (Expect_ext outcomes (fun w => population_loss (fhat w) - train_fhat w)
        (fun w => population_loss (fhat w) + -1 * train_fhat w)) by (intro; ring).
      rewrite (Expect_plus outcomes train_fhat), (Expect_plus outcomes (fun w => population_loss (fhat w))).
      rewrite (Expect_scal outcomes (-1) train_min), (Expect_scal outcomes (-1) train_fhat).
      pose proof (Expect_le outcomes _ _ (proj1 Houtcomes) Hminimal) as Hm. rewrite Hunbiased in Hm. lra.
  Qed.
End ErrorDecompose.
