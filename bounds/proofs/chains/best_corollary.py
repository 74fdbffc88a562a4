"""Variant best: col:finite under doubling, 2M(1 - 1/K) + (C/g)(2 + sqrt 2) sqrt(K M T ln|F|/kappa) for every T >= 3."""

from __future__ import annotations

import sympy as sp

from bounds.best.mean import S, W, reg
from bounds.best.run import K, define
from bounds.best.symbols import inherited, lemma, merged, smt, tagged
from bounds.proofs import Chain, Hypothesis, Step, Summation, Total, reals
from bounds.proofs.chains import best_average as average
from bounds.proofs.chains import best_doubling as doubling
from bounds.proofs.chains import best_finite_error as finite_error
from bounds.proofs.chains import best_theorem as theorem
from bounds.proofs.chains import col_finite_doubling_sum, thm_global_regret_first_epoch
from bounds.proofs.chains.best_doubling import Cg, Kbar, Lam, before, clipped, e, most
from bounds.proofs.chains.best_epoch import OF
from bounds.proofs.chains.best_theorem import S1, W1
from bounds.proofs.vocabulary import setting as at

later, first, whole, quotient, root = reals("later first Reg_T E/sqrt(E) root")
M, El, E1, E2 = reals("M E^L E^{L-1} E^{L-2}")
cut, T = col_finite_doubling_sum.cut, col_finite_doubling_sum.T
Err = OF["L"][average.Err]
slope = sp.sqrt(2) + 2
EVERY = sp.Le(reg, Cg * M * K * El * sp.sqrt(e / K))
FIRST = {
    thm_global_regret_first_epoch.total: first,
    thm_global_regret_first_epoch.total_length: 2 * M,
    thm_global_regret_first_epoch.total_inverse: 2 * M / K,
    at.length: sp.Integer(2),
}
# The samples of one epoch: n = M E^{L-1}, and |F| functions; its proof has its own letters.
functions = reals("|F|")[0]
OF_F = {
    **tagged(finite_error.MEAN, {finite_error.kappa}, "risk"),
    finite_error.n: M * E1,
    finite_error.N: functions,
}
log_N = -sp.log(1 / functions)


def corollary(
    name: str,
    title: str,
    source: Chain,
    epoch: Hypothesis,
    more: tuple[Hypothesis, ...],
    steps: tuple[Step, ...],
) -> Chain:
    """The sum over the epochs of the doubling schedule."""
    return Chain(
        name=name,
        title=title,
        file=__file__,
        variant="best",
        hypotheses=(
            epoch,
            lemma(
                "doubling sum",
                "sum of E^l_cut/sqrt(E^{l-1})",
                sp.Le(cut, col_finite_doubling_sum.slope * sp.sqrt(T)),
                "doubling sum/any T",
            ),
            lemma(
                "first epoch",
                "two steps per agent",
                sp.Le(first, 2 * M - 2 * M / K),
                "first epoch/first epoch, sharpened",
                FIRST,
            ),
            lemma(
                "mean excess risk",
                "of the exact minimiser after n = M E^{L-1} samples",
                sp.Le(finite_error.kappa * M * E1 * OF_F[finite_error.mean_risk], log_N),
                "best: mean excess risk/mean",
                OF_F,
            ),
            *merged(
                inherited(source.hypotheses, but=("whole run", "bound")),
                inherited(thm_global_regret_first_epoch.CHAINS[0].hypotheses, FIRST),
                (
                    col_finite_doubling_sum.SCHEDULE,
                    col_finite_doubling_sum.NEXT,
                    col_finite_doubling_sum.FIRST,
                ),
                inherited(finite_error.MEAN.hypotheses, OF_F),
            ),
            define(
                "run",
                "M agents with K arms; Lambda = ln|F|/kappa; E^l/sqrt(E^{l-1}); T = 3, 4, ...",
                M >= 1,
                El >= 1,
                E1 >= 2,
                T >= 3,
                Lam > 0,
                sp.Eq(finite_error.kappa * Lam, log_N),
                sp.Eq(quotient, El / sp.sqrt(E1)),
                sp.Eq(root, sp.sqrt(K * M * Lam)),
            ),
            define(
                "error of a sample",
                "Err sums the error over n samples; no error is above 1",
                sp.Eq(Err, M * E1 * OF_F[finite_error.mean_risk]),
                OF_F[finite_error.mean_risk] <= 1,
            ),
            define(
                "risk of an epoch",
                "e = min(1, Lambda/n), also one epoch earlier; epochs do not get shorter",
                clipped(e, M * E1),
                clipped(before, M * E2),
                E2 >= 2,
                E1 >= E2,
            ),
            *more,
            define("whole run", "first epoch and the later ones", sp.Eq(whole, first + later)),
        ),
        steps=(
            smt(
                "H3 holds",
                sp.Le(Err, M * E1 * e),
                ("mean excess risk", "error of a sample", "risk of an epoch", "run", "setting"),
                "n E risk <= min(n, ln|F|/kappa)",
            ),
            smt(
                "learning rates increase",
                sp.Le(e, before),
                ("risk of an epoch", "run"),
                "H5: gamma = g sqrt(K/e)",
            ),
            smt("e", sp.And(e > 0, e * M * E1 <= Lam), ("risk of an epoch", "run"), "min(1, Lambda/n)"),
            *steps,
            smt(
                "one epoch",
                sp.Le(reg, Cg * root * quotient),
                ("in one symbol", "e", "run", "C/g > 0", "arms of an agent"),
                "E M K sqrt(Lambda/(M K E')) = sqrt(K M Lambda) E/sqrt(E')",
            ),
            Step(
                "all epochs",
                sp.Le(later, Cg * root * cut),
                ("one epoch", "run"),
                "summed",
                Summation("epoch", sp.Le(reg, Cg * root * quotient)),
            ),
            smt(
                "root >= 0",
                sp.And(Cg * root >= 0, root >= 0),
                ("run", "C/g > 0", "arms of an agent"),
                "a root",
            ),
            smt(
                "doubling put in",
                sp.Le(Cg * root * cut, Cg * root * slope * sp.sqrt(T)),
                ("doubling sum", "root >= 0", "run"),
                "times a non-negative number",
            ),
            smt(
                "corollary",
                sp.Le(whole, 2 * M - 2 * M / K + Cg * root * slope * sp.sqrt(T)),
                (
                    "all epochs",
                    "doubling put in",
                    "first epoch",
                    "whole run",
                    "run",
                    "arms of an agent",
                    "root >= 0",
                ),
                "add",
            ),
        ),
        concludes=("corollary", "H3 holds", "learning rates increase"),
        indexed={"epoch": (reg, quotient, El, E1)},
        totals={
            "epoch": (Total(later, reg), Total(cut, quotient)),
            "agent": (Total(M, sp.Integer(1)),),  # all alike: a sum over agents is M times its term
        },
    )


COROLLARY = corollary(
    "best: corollary",
    "Reg(T) <= 2M(1-1/K) + (C/g)(2+sqrt2) sqrt(K M T Lambda), K >= 3, Lambda = ln|F|/kappa, tau^l = 2^l; C/g <= 3.6981",
    doubling.DOUBLING,
    lemma("an epoch", "of the doubling schedule", doubling.EVERY, "best: doubling/an epoch"),
    (
        define(
            "agents",
            "M agents with K arms each",
            sp.Eq(W, M * El),
            sp.Eq(W1, M * E1),
            sp.Eq(Kbar, K),
            sp.Eq(most, K),
        ),
    ),
    (
        smt("arms of an agent", sp.And(K >= 2, K >= 3), ("system", "agents"), "K >= 3"),
        smt(
            "C/g > 0",
            sp.And(Cg > 0, Cg <= sp.Rational(36981, 10000)),
            ("C/g", "constants", "multiplier g", "top", "system"),
            "(C/g)^2 = 4 top b, top <= 1 + a",
        ),
        smt(
            "in one symbol",
            EVERY,
            ("an epoch", "e", "arms of an agent", "agents", "system", "run"),
            "S = M K E",
        ),
    ),
)
EQUAL = define(
    "system",
    "M agents with two arms each, in step",
    sp.Eq(S, M * K * El),
    sp.Eq(W1, M * E1),
    sp.Eq(S1, M * K * E1),
    sp.Eq(Cg * sp.sqrt(2), 3),
)
PAIR = corollary(
    "best: corollary, two arms",
    "the same with K = 2 and C/g = 3/sqrt 2",
    theorem.AT_PAIR,
    lemma(
        "an epoch",
        "of any schedule",
        sp.Le(reg, 3 / sp.sqrt(2) * theorem.term),
        "best: any schedule, two arms/epoch regret",
    ),
    (EQUAL,),
    (
        smt("arms of an agent", sp.Ge(K, 2), ("arms",), "K = 2"),
        smt("C/g > 0", sp.Gt(Cg, 0), ("system",), "3/sqrt 2"),
        smt(
            "in one symbol",
            EVERY,
            ("an epoch", "system", "run", "arms", "e", "C/g > 0"),
            "S = M K E",
        ),
    ),
)

CHAINS = (COROLLARY, PAIR)
