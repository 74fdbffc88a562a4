"""col:finite from thm:global_regret, lem:finite_error and the doubling sum (synchronous, K arms everywhere).

repaired: 2M + 11 (2 + sqrt 2) sqrt(K M T (25 ln(|F| M T/2) + 1)).
sharpened: 2M (1 - 1/K) + (C/g)(2 + sqrt 2) sqrt(K M T ln|F| / kappa).
Both for T >= 3; at T = 3 the first epoch is longer than T/2 and the repaired logarithm needs its own line.
"""

from typing import Any

import sympy as sp

from bounds.proofs import setting as at
from bounds.proofs.calculus import Tangent
from bounds.proofs.mixture import mean_mixture
from bounds.proofs.model import At, Chain, Hypothesis, Step, Total, reals
from bounds.proofs.rules import Smt, Summation
from bounds.proofs.sharpening import c, g

M, K, N, T, length, previous, epoch_log, top, ratio = reals("M K N T E E_previous Lam_epoch Lam Cg")
later, quotient, cut, first, regret, constant, a, b = reals(
    "later quotient cut first Reg_T C n_small n_large"
)
mean_arms, mean_arms_previous = reals("Kbar Kbar_previous")
slope = 2 + sp.sqrt(2)
excess = epoch_log / (M * previous)

SYSTEM = Hypothesis(
    "system",
    "M agents with K arms each; E, E_previous lengths of consecutive epochs, e = Lam_epoch/(M E_previous); "
    "quotient = E/sqrt(E_previous)",
    sp.And(
        *(M >= 1, K >= 1, N >= 2, length > 0, previous >= 2, T >= 3, epoch_log > 0),
        sp.Eq(quotient, length / sp.sqrt(previous)),
    ),
    declares=(first,),
    kind="definition",
)
WHOLE = Hypothesis("whole run", "first epoch and later ones", sp.Eq(regret, first + later), kind="definition")
DOUBLING = Hypothesis(
    "doubling sum",
    "sum of E_cut/sqrt(E_previous) <= (2 + sqrt 2) sqrt T",
    sp.Le(cut, slope * sp.sqrt(T)),
    kind="lemma",
    source="doubling sum/any T above 4",
)
PAPER = Hypothesis("g = 1", "the paper's learning rate", sp.Eq(g, 1))
TANGENT = Hypothesis("two positive numbers", "a, b > 0", sp.And(a > 0, b > 0), kind="definition")
RISK = Hypothesis(
    "excess risk, repaired",
    "e = (25 ln(N n) + 1)/n, n = M E_previous samples; E_previous <= T/2 once T >= 4; Lam takes T/2",
    sp.And(
        sp.Eq(epoch_log, 25 * sp.log(N * M * previous) + 1),
        sp.Eq(top, 25 * sp.log(N * M * T / 2) + 1),
        sp.Le(previous, T / 2),
    ),
    kind="definition",
)
SHARP_RISK = Hypothesis(
    "excess risk, sharpened",
    "e = Lam/n with Lam = ln|F|/kappa, the same in every epoch",
    sp.Eq(epoch_log, top),
    kind="definition",
)
RATIO = Hypothesis(
    "ratio",
    "Cg = C/g at c = 1",
    sp.And(sp.Eq(ratio, constant / g), g > 0, constant > 0, sp.Eq(c, 1)),
    kind="definition",
)
LOG = Step(
    "log below its tangent",
    sp.Le(sp.log(b), sp.log(a) + (b - a) / a),
    ("two positive numbers",),
    "log is concave",
    Tangent(b, a, (1 / b**2,)),
)


def summed(constant: sp.Expr, more: tuple[str, ...]) -> tuple[Step, ...]:
    """From one epoch to the run: the largest logarithm comes out of the sum."""
    epoch = sp.Le(mean_mixture, constant * sp.sqrt(K * M * top) * quotient)
    return (
        Step(
            "one epoch, largest logarithm",
            epoch,
            ("one epoch", "logarithm", "system", *more),
            "Lam_epoch <= Lam",
            Smt(),
        ),
        Step(
            "all epochs",
            sp.Le(later, constant * sp.sqrt(K * M * top) * cut),
            ("one epoch, largest logarithm", "logarithm", "system", "whole run", *more),
            "summed over epochs",
            Summation("epoch", epoch),
        ),
        Step(
            "corollary",
            sp.Le(regret, first + constant * slope * sp.sqrt(K * M * top) * sp.sqrt(T)),
            ("all epochs", "logarithm", "doubling sum", "whole run", "system", *more),
            "the doubling sum",
            Smt(),
        ),
    )


COMMON: dict[str, Any] = {
    "file": __file__,
    "indexed": {"epoch": (mean_mixture, quotient, length, previous, epoch_log)},
    "totals": {"epoch": (Total(later, mean_mixture), Total(cut, quotient))},
}
HYPOTHESES = (at.H1, at.H2, at.H3, at.H4, at.H5, SYSTEM, WHOLE, DOUBLING)
REPAIRED = Chain(
    name="col:finite",
    title="Reg(T) <= 2M + 11 (2 + sqrt 2) sqrt(K M T (25 ln(|F|MT/2) + 1))",
    variant="repaired",
    hypotheses=(
        *HYPOTHESES,
        PAPER,
        TANGENT,
        RISK,
        Hypothesis(
            "thm:global_regret",
            "at c = 1 an epoch costs at most 11 sqrt(K e) M E",
            sp.Le(mean_mixture, 11 * sp.sqrt(K * excess) * M * length),
            kind="lemma",
            source="thm:global_regret/an epoch",
            renamed={c: sp.Integer(1), mean_arms: K, at.excess: excess, at.weight: M * length},
        ),
        Hypothesis("T = 3", "one later step, after E_previous = 2", sp.Eq(T, 3), kind="definition"),
        Hypothesis(
            "n", "samples n <= n', N n >= 4", sp.And(N * a >= 4, N >= 2, a > 0, b >= a), kind="definition"
        ),
    ),
    steps=(
        LOG,
        Step(
            "one epoch",
            sp.Le(mean_mixture, 11 * sp.sqrt(K * M * epoch_log) * quotient),
            ("thm:global_regret", "system"),
            "M sqrt(1/M) = sqrt M",
            Smt(),
        ),
        Step(
            "logarithm",
            sp.And(sp.Le(epoch_log, top), top > 0),
            (
                "excess risk, repaired",
                "system",
                At("log below its tangent", {a: N * M * T / 2, b: N * M * previous}),
            ),
            "E_previous <= T/2",
            Smt(),
        ),
        *summed(sp.Integer(11), ()),
        Step(
            "T = 3 is different",
            sp.Le(
                25 * sp.log(2 * N * M) + 1, 25 * sp.log(sp.Rational(3, 2) * N * M) + 1 + sp.Rational(25, 3)
            ),
            ("system", At("log below its tangent", {a: sp.Rational(3, 2) * N * M, b: 2 * N * M})),
            "E^1 = 2 > T/2 = 3/2: the logarithm grows by at most ln(4/3) <= 1/3",
            Smt(),
        ),
        Step(
            "learning rates increase",
            sp.Le((25 * sp.log(N * b) + 1) / b, (25 * sp.log(N * a) + 1) / a),
            (
                "n",
                At("log below its tangent", {a: N * a, b: N * b}),
                At("log below its tangent", {a: N * a, b: sp.Integer(4)}),
            ),
            "H5 holds: e decreases with n because ln(N n) >= ln 4 > 24/25",
            Smt(),
        ),
    ),
    concludes=("corollary", "learning rates increase"),
    **COMMON,
)
SHARPENED = Chain(
    name="col:finite sharpened",
    title="Reg(T) <= 2M(1 - 1/K) + (C/g)(2 + sqrt 2) sqrt(K M T ln|F| / kappa)",
    variant="sharpened",
    hypotheses=(
        *HYPOTHESES,
        SHARP_RISK,
        RATIO,
        Hypothesis(
            "thm:global_regret",
            "an epoch costs at most (C/g) S sqrt(e/K)",
            sp.Le(mean_mixture, constant / g * sp.sqrt(excess / K) * M * K * length),
            kind="lemma",
            source="thm:global_regret sharpened/an epoch",
            renamed={mean_arms_previous: K, at.excess: excess, at.arms_weight: M * K * length},
        ),
    ),
    steps=(
        Step(
            "one epoch",
            sp.Le(mean_mixture, ratio * sp.sqrt(K * M * epoch_log) * quotient),
            ("thm:global_regret", "system", "ratio"),
            "K/sqrt K = sqrt K, M/sqrt M = sqrt M",
            Smt(),
        ),
        Step(
            "logarithm",
            sp.And(sp.Le(epoch_log, top), top > 0),
            ("excess risk, sharpened", "system"),
            "no logarithm of n",
            Smt(),
        ),
        *summed(ratio, ("ratio",)),
    ),
    concludes=("corollary",),
    **COMMON,
)
CHAINS = (REPAIRED, SHARPENED)
