"""Variant best, part 3: the backward chain over epochs l = L-1, ..., 2, for any number of arms and epochs.

om^{l-1} = (W^2 1_ahat + w^2)/(4 Lam_l), w = om^l off the greedy arm ahat^l, W = |w|.
"""

from __future__ import annotations

import sympy as sp

from bounds.best.symbols import S2, X1, X, assume, condition, definition, nt, smt
from bounds.proofs import Chain, Hypothesis, Step, Summation, Total, reals
from bounds.proofs.combination import Combination

e, top, rest, squares = reals("e max rest squares")
LARGEST = Hypothesis(
    "entries",
    "non-negative entries: one is the largest, the others sum to rest and each is at most both",
    sp.And(e >= 0, e <= top, e <= rest, top >= 0, rest >= 0),
    fixes={"other entry": (top, rest)},
)
MAJORISATION = Chain(
    name="best: sum of squares",
    title="Entries in [0, X] with sum at most X + X', X' <= X, have a sum of squares at most X^2 + X'^2",
    file=__file__,
    variant="best",
    hypotheses=(
        LARGEST,
        assume("bounds", "largest entry and total", top <= X, top + rest <= nt, X1 >= 0),
        *(definition(k) for k in ("nt", "S2")),
        condition("E11"),
    ),
    steps=(
        Step(
            "times the largest",
            sp.Le(squares, top * rest),
            ("entries",),
            "e^2 <= max e, summed",
            Summation("other entry", sp.Le(e**2, top * e)),
        ),
        Step(
            "times the rest",
            sp.Le(squares, rest * rest),
            ("entries",),
            "e^2 <= rest e, summed",
            Summation("other entry", sp.Le(e**2, rest * e)),
        ),
        smt(
            "sum of squares",
            sp.Le(top**2 + squares, S2),
            ("times the largest", "times the rest", "bounds", "entries", "def nt", "def S2", "E11 X' <= X"),
            "rest <= max: max^2 + rest^2 is largest at max = X; rest > max: max (max + rest) <= nt^2/2 <= S2",
        ),
    ),
    concludes=("sum of squares",),
    indexed={"other entry": (e,)},
    totals={"other entry": (Total(squares, e**2), Total(rest, e))},
)

# One epoch l: w = om^l off the greedy arm, V and V1 the V of epochs l and l-1, R scaled by gamma_l, L: Lam_l.
w, V, V1, v, d, R, K, L = reals("w V V1 v d R K Lam")
W, R_g, d_g, V_g, V1_g, om_g, wV, wR, wd, below, risk = reals("W R_g d_g V_g V1_g om_g wV wR wd below risk")
STEP = Chain(
    name="best: chain step",
    title="sum om^l V^l <= K|om^l| + gamma_l (sum w R - W R_g) + sum om^{l-1} V^{l-1} + Lam_l eps^l",
    file=__file__,
    variant="best",
    hypotheses=(
        assume("V", "V <= K + v off the greedy arm, w >= 0", K + v >= V, w >= 0),
        assume("V greedy", "V <= K at the greedy arm", V_g <= K, om_g >= 0),
        Hypothesis(
            "(I)",
            "(I) with j = ahat^l, v = 0 there",
            sp.Eq(v, R - R_g - d + d_g),
            fixes={"off": (R_g, d_g, K, L)},
        ),
        assume("W", "the total weight off the greedy arm", W >= 0),
        assume("multiplier", "Lam > 0 and V of the epoch before > 0", L > 0, V1 > 0, V1_g > 0),
    ),
    steps=(
        Step(
            "gaps",
            sp.Le(wV, K * W + wR - W * R_g - wd + W * d_g),
            ("V", "(I)"),
            "w V <= w (K + v), summed over the arms off the greedy one",
            Summation("off", sp.Le(w * V, K * w + w * R - w * R_g - w * d + w * d_g)),
        ),
        Step(
            "AM-GM off",
            sp.Le(-wd, below / (4 * L) + L * risk),
            ("V", "(I)", "multiplier"),
            "-w d <= w^2 V/(4 Lam) + Lam d^2/V, summed",
            Summation("off", sp.Le(-w * d, w**2 * V1 / (4 * L) + L * d**2 / V1)),
        ),
        smt(
            "AM-GM greedy",
            sp.Le(W * d_g, W**2 * V1_g / (4 * L) + L * d_g**2 / V1_g),
            ("multiplier", "(I)", "V", "W"),
            "the same at the greedy arm with W",
        ),
        smt("greedy", sp.Le(om_g * V_g, K * om_g), ("V greedy",), "V_g <= K"),
        Step(
            "chain step",
            sp.Le(
                om_g * V_g + wV,
                K * (om_g + W) + wR - W * R_g + (W**2 * V1_g + below) / (4 * L) + L * (risk + d_g**2 / V1_g),
            ),
            ("gaps", "AM-GM off", "AM-GM greedy", "greedy"),
            "add the four",
            Combination((("gaps", 1), ("AM-GM off", 1), ("AM-GM greedy", 1), ("greedy", 1))),
        ),
    ),
    concludes=("chain step",),
    indexed={"off": (w, V, V1, v, d, R)},
    totals={
        "off": (
            Total(wV, w * V),
            Total(wR, w * R),
            Total(wd, w * d),
            Total(below, w**2 * V1),
            Total(risk, d**2 / V1),
            Total(W, w),
        )
    },
)

CHAINS = (MAJORISATION, STEP)
