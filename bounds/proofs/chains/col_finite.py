"""col:finite from thm:global_regret, lem:finite_error and the doubling sum (synchronous, K arms everywhere).

repaired: 2M + 11 (2 + sqrt 2) sqrt(K M T (25 ln(|F| M T/2) + 1)).
sharpened: 2M (1 - 1/K) + (C/g)(2 + sqrt 2) sqrt(K M T ln|F| / kappa), C/g = (14/9) sqrt(2(3q + 1)), q = 1 - 1/K.
Both for T >= 3; at T = 3 the first epoch is longer than T/2 and the repaired logarithm needs its own case.
"""

import dataclasses
from typing import Any

import sympy as sp

from bounds.proofs.chains import col_finite_doubling_sum, thm_global_regret
from bounds.proofs.chains.lem_finite_error import LEVEL, mean_risk
from bounds.proofs.chains.lem_finite_error import n as samples
from bounds.proofs.chains.lem_finite_error_sharpened import kappa
from bounds.proofs.chains.thm_global_regret_first_epoch import total as first_total
from bounds.proofs.chains.thm_global_regret_first_epoch import total_inverse, total_length
from bounds.proofs.engine.calculus import Tangent
from bounds.proofs.engine.model import At, Chain, Hypothesis, Step, Total, moved, reals
from bounds.proofs.engine.rules import Cases, Smt, Summation
from bounds.proofs.vocabulary import setting as at
from bounds.proofs.vocabulary.earlier import epoch_before
from bounds.proofs.vocabulary.mixture import LARGEST, mean_mixture
from bounds.proofs.vocabulary.sharpening import PARAMETERS, c, g, q, s, t

M, K, N, T, length, previous, epoch_log, top, ratio = reals("M K N T E E_previous Lam_epoch Lam Cg")
later, quotient, cut, first, regret, constant, a, b = reals(
    "later quotient cut first Reg_T C n_small n_large"
)
slope = 2 + sp.sqrt(2)
excess = epoch_log / (M * previous)
F = sp.Rational
# thm:global_regret at one synchronous epoch: M agents, K arms each, lengths E and E_previous.
RENAMED = {
    c: sp.Integer(1),
    thm_global_regret.mean_arms: K,
    thm_global_regret.mean_arms_previous: K,
    at.excess: excess,
    at.weight: M * length,
    at.weight_previous: M * previous,
    at.arms_weight: M * K * length,
    at.arms_weight_previous: M * K * previous,
}


def carried(*hypotheses: Hypothesis) -> tuple[Hypothesis, ...]:
    """The theorem's hypotheses at these values."""
    return tuple(dataclasses.replace(h, statement=moved(h.statement, RENAMED)) for h in hypotheses)


SYSTEM = Hypothesis(
    "system",
    "M agents with K arms each; E, E_previous lengths of consecutive epochs, e = Lam_epoch/(M E_previous); "
    "quotient = E/sqrt(E_previous); T = 3, 4, ...",
    sp.And(
        *(M >= 1, K >= 1, N >= 2, length >= 1, previous >= 2, T >= 3, epoch_log > 0),
        sp.Eq(quotient, length / sp.sqrt(previous)),
    ),
    kind="definition",
)
WHOLE = Hypothesis("whole run", "first epoch and later ones", sp.Eq(regret, first + later), kind="definition")
LENGTHS = Hypothesis(
    "lengths",
    "an epoch after E_previous steps begins at 2 E_previous < T, but for the second, which begins at 2 = E_previous",
    sp.Or(sp.And(sp.Eq(T, 3), sp.Eq(previous, 2)), sp.And(T >= 4, sp.Le(previous, T / 2))),
    kind="definition",
)
DOUBLING = Hypothesis(
    "doubling sum",
    "sum of E_cut/sqrt(E_previous) <= (2 + sqrt 2) sqrt T",
    sp.Le(cut, slope * sp.sqrt(T)),
    kind="lemma",
    source="doubling sum/any T",
)
TANGENT = Hypothesis("two positive numbers", "a, b > 0", sp.And(a > 0, b > 0), kind="special")
RISK = Hypothesis(
    "excess risk, repaired",
    "e = (25 ln(N n) + 1)/n, n = M E_previous samples; Lam takes T/2 for E_previous",
    sp.And(
        sp.Eq(epoch_log, 25 * sp.log(N * M * previous) + 1),
        sp.Eq(top, 25 * sp.log(N * M * T / 2) + 1),
    ),
    kind="definition",
)
SHARP_RISK = Hypothesis(
    "excess risk, sharpened",
    "e = Lam/n with Lam = ln|F|/kappa, the same in every epoch; kappa = 1 - e^{-1/2}",
    sp.And(sp.Eq(epoch_log, top), sp.Eq(kappa * top, -sp.log(1 / N))),
    kind="definition",
)
RATIO = Hypothesis(
    "ratio",
    "Cg = C/g",
    sp.And(sp.Eq(ratio, constant / g), g > 0, constant > 0),
    kind="definition",
)
CHOICE = Hypothesis(
    "choice",
    "the paper's split s = t = 1/8, the best multiplier 8 g^2 = 3q + 1, and q = 1 - 1/K",
    sp.And(sp.Eq(s, F(1, 8)), sp.Eq(t, F(1, 8)), sp.Eq(8 * g**2, 3 * q + 1), sp.Eq(K * q, K - 1)),
    kind="definition",
)
ERROR = Hypothesis(
    "error of a sample",
    "Err sums the error over the n = M E_previous samples, so E Err = n E risk",
    sp.Eq(at.mean_error, M * previous * mean_risk),
    kind="definition",
)
# A case is about the horizon alone: what it means for an epoch follows from the lengths.
ABOVE = Hypothesis("T at least 4", "so E_previous <= T/2", T >= 4, kind="case")
THREE = Hypothesis("T = 3", "one later step, after E_previous = 2", sp.Eq(T, 3), kind="case")
LOG = Step(
    "log below its tangent",
    sp.Le(sp.log(b), sp.log(a) + (b - a) / a),
    ("two positive numbers",),
    "log is concave",
    Tangent(b, a, (1 / b**2,)),
)


def first_lemma(cost: Any, source: str, inverse: Any) -> Hypothesis:
    """The first epoch has two steps."""
    return Hypothesis(
        "first epoch",
        "what the first epoch of length 2 costs",
        sp.Le(first, cost),
        kind="lemma",
        source=source,
        renamed={first_total: first, total_length: 2 * M, total_inverse: inverse, at.length: sp.Integer(2)},
    )


def summed(name: str, constant: Any, level: Any, more: tuple[str, ...]) -> tuple[Step, ...]:
    """From one epoch to the later part of the run, with the largest logarithm `level` taken out of the sum."""
    epoch = sp.Le(mean_mixture, constant * sp.sqrt(K * M * level) * quotient)
    return (
        Step(
            f"one epoch, largest logarithm{name}",
            epoch,
            ("one epoch", f"logarithm{name}", "system", *more),
            "Lam_epoch is at most the largest",
            Smt(),
        ),
        Step(
            f"all epochs{name}",
            sp.Le(later, constant * sp.sqrt(K * M * level) * cut),
            (f"one epoch, largest logarithm{name}", f"logarithm{name}", "system", "whole run", *more),
            "summed over epochs",
            Summation("epoch", epoch),
        ),
    )


def corollary(constant: Any, cost: Any, more: tuple[str, ...], name: str = "", case: str = "") -> Step:
    """The first epoch and the doubling sum put in."""
    return Step(
        f"corollary{name}",
        sp.Le(regret, cost + constant * slope * sp.sqrt(K * M * top) * sp.sqrt(T)),
        (
            f"all epochs{case}",
            f"logarithm{case}",
            "first epoch",
            "doubling sum",
            "whole run",
            "system",
            *more,
        ),
        "the doubling sum and the first epoch",
        Smt(),
    )


COMMON: dict[str, Any] = {
    "file": __file__,
    "indexed": {"epoch": (mean_mixture, quotient, length, previous, epoch_log)},
    "totals": {
        "epoch": (Total(later, mean_mixture), Total(cut, quotient)),
        "agent": (Total(M, sp.Integer(1)),),  # all alike: a sum over agents is M times its term
    },
}
SETTING = (
    *carried(at.H1, at.H2, at.H3, at.H4, at.H5, at.RATES, at.RATIOS),
    *(
        SYSTEM,
        WHOLE,
        DOUBLING,
        col_finite_doubling_sum.SCHEDULE,
        col_finite_doubling_sum.NEXT,
        col_finite_doubling_sum.FIRST,
        ERROR,
    ),
)
theorem_repaired = Hypothesis(
    "thm:global_regret",
    "at c = 1 an epoch costs at most 11 sqrt(K e) M E",
    sp.Le(mean_mixture, 11 * sp.sqrt(K * excess) * M * length),
    kind="lemma",
    source="thm:global_regret/an epoch",
    renamed=RENAMED,
)
REPAIRED = Chain(
    name="col:finite",
    title="Reg(T) <= 2M + 11 (2 + sqrt 2) sqrt(K M T (25 ln(|F|MT/2) + 1))",
    variant="repaired",
    hypotheses=(
        *SETTING,
        *(thm_global_regret.PAPER, TANGENT, RISK, LENGTHS, ABOVE, THREE),
        Hypothesis("exact minimiser", "f* is in F (H1), and the protocol returns an exact minimiser"),
        Hypothesis("F in [0,1]", "functions of the class take values in [0,1]"),
        dataclasses.replace(LEVEL, statement=LEVEL.statement.subs(samples, M * previous), kind="definition"),
        theorem_repaired,
        first_lemma(2 * M, "first epoch/first epoch", 2 * M / K),
        Hypothesis(
            "lem:finite_error",
            "the mean excess risk of the exact minimiser over n = M E_previous samples",
            sp.Le(mean_risk, (25 * sp.log(N * M * previous) + 1) / (M * previous)),
            kind="lemma",
            source="lem:finite_error/mean at delta = 1/n",
            renamed={samples: M * previous},
        ),
        Hypothesis(
            "n", "samples n <= n', N n >= 4", sp.And(N * a >= 4, N >= 2, a > 0, b >= a), kind="special"
        ),
    ),
    steps=(
        LOG,
        Step(
            "H3 holds",
            sp.Le(at.mean_error, epoch_log),
            ("lem:finite_error", "error of a sample", "excess risk, repaired", "system"),
            "n E risk <= 25 ln(N n) + 1",
            Smt(),
        ),
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
                *("excess risk, repaired", "system", "lengths", "T at least 4"),
                At("log below its tangent", {a: N * M * T / 2, b: N * M * previous}),
            ),
            "E_previous <= T/2",
            Smt(),
        ),
        *summed("", sp.Integer(11), top, ()),
        corollary(sp.Integer(11), 2 * M, (), ", T at least 4"),
        Step(
            "logarithm, T = 3",
            sp.And(sp.Le(epoch_log, top + F(25, 3)), top >= 1),
            (
                *("excess risk, repaired", "system", "lengths", "T = 3"),
                At("log below its tangent", {a: N * M * T / 2, b: N * M * previous}),
                At("log below its tangent", {a: N * M * T / 2, b: sp.Integer(1)}),
            ),
            "E^1 = 2 > T/2 = 3/2: the logarithm grows by at most ln(4/3) <= 1/3",
            Smt(),
        ),
        *summed(", T = 3", sp.Integer(11), top + F(25, 3), ()),
        Step(
            "short sum, T = 3",
            sp.And(sp.Le(cut * slope, F(5, 2)), cut >= 0),
            ("schedule", "one epoch more", "T = 3"),
            "cut = 1/sqrt 2",
            Smt(),
        ),
        Step(
            "room, T = 3",
            sp.Le(sp.sqrt(K * M * (top + F(25, 3))), 4 * sp.sqrt(K * M * top)),
            ("logarithm, T = 3", "system"),
            "top + 25/3 <= 16 top",
            Smt(),
        ),
        Step(
            "corollary, T = 3",
            sp.Le(regret, 2 * M + 11 * slope * sp.sqrt(K * M * top) * sp.sqrt(T)),
            (
                *("all epochs, T = 3", "logarithm, T = 3", "short sum, T = 3", "room, T = 3"),
                *("first epoch", "whole run", "system", "T = 3"),
            ),
            "4/sqrt 2 <= (2 + sqrt 2) sqrt 3",
            Smt(),
        ),
        Step(
            "corollary",
            sp.Le(regret, 2 * M + 11 * slope * sp.sqrt(K * M * top) * sp.sqrt(T)),
            ("lengths", "corollary, T at least 4", "corollary, T = 3"),
            "T = 3 or more",
            Cases({"T at least 4": "corollary, T at least 4", "T = 3": "corollary, T = 3"}),
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
    concludes=("corollary", "H3 holds", "learning rates increase"),
    **COMMON,
)
EPOCH_CONSTANT = "lem:epoch_regret_bound sharpened"
special = 7 * q / 6 + F(7, 18) + 28 * g**2 / 9
SHARPENED = Chain(
    name="col:finite sharpened",
    title="Reg(T) <= 2M(1 - 1/K) + (14/9) sqrt(2(3q + 1)) (2 + sqrt 2) sqrt(K M T ln|F| / kappa)",
    variant="sharpened",
    hypotheses=(
        *SETTING,
        *carried(PARAMETERS, dataclasses.replace(thm_global_regret.CONSTANT, name="constant of an epoch")),
        *carried(LARGEST, epoch_before()),
        *(SHARP_RISK, RATIO, CHOICE),
        Hypothesis("exact minimiser", "f* is in F (H1), and the protocol returns an exact minimiser"),
        Hypothesis("F in [0,1]", "functions of the class take values in [0,1]"),
        Hypothesis(
            "thm:global_regret",
            "an epoch costs at most (C/g) S sqrt(e/K)",
            sp.Le(mean_mixture, constant / g * sp.sqrt(excess / K) * M * K * length),
            kind="lemma",
            source="thm:global_regret sharpened/an epoch",
            renamed=RENAMED,
        ),
        first_lemma(2 * M - 2 * M / K, "first epoch/first epoch, sharpened", 2 * M / K),
        Hypothesis(
            "lem:finite_error",
            "the mean excess risk of the exact minimiser over n = M E_previous samples",
            sp.Le(kappa * M * previous * mean_risk, -sp.log(1 / N)),
            kind="lemma",
            source="lem:finite_error sharpened/mean",
            renamed={samples: M * previous},
        ),
        Hypothesis(
            "best multiplier",
            "C/g at the best g",
            sp.Eq(special / g, F(14, 9) * sp.sqrt(2 * (3 * q + 1))),
            kind="lemma",
            source=f"{EPOCH_CONSTANT}/best multiplier attained",
            renamed={c: sp.Integer(1)},
        ),
    ),
    steps=(
        Step(
            "H3 holds",
            sp.Le(at.mean_error, epoch_log),
            ("lem:finite_error", "error of a sample", "excess risk, sharpened", "system"),
            "n E risk <= ln|F|/kappa",
            Smt(),
        ),
        Step(
            "constant",
            sp.Eq(constant, special),
            ("constant of an epoch", "parameters", "choice"),
            "s = t = 1/8: A2 = 8/7, A1 = 7/6",
            Smt(),
        ),
        Step(
            "ratio at the best multiplier",
            sp.Eq(ratio, F(14, 9) * sp.sqrt(2 * (3 * q + 1))),
            ("ratio", "constant", "best multiplier", "parameters"),
            "C/g",
            Smt(),
        ),
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
        *summed("", ratio, top, ("ratio",)),
        corollary(ratio, 2 * M - 2 * M / K, ("ratio",)),
    ),
    concludes=("corollary", "H3 holds", "ratio at the best multiplier"),
    **COMMON,
)
CHAINS = (REPAIRED, SHARPENED)
