"""Variant best: the average of one epoch's risk, and the numbers."""

from __future__ import annotations

import dataclasses

import sympy as sp

from bounds.best.mean import S, g
from bounds.best.parameters import ANY_SCHEDULE, DOUBLING, side_conditions
from bounds.best.run import K, define
from bounds.best.symbols import (
    PARAMETERS,
    assume,
    smt,
)
from bounds.proofs import Chain, Enumeration, Hypothesis, Step, Summation, Total, reals

# Of a draw (an agent, a context and the data): lengths, h; of an arm: fhat^l - f* and V^{l-1} = 1/p^{l-1}.
E, E1, h, low, high, c, miss, V = reals("E^L_m E^{l-1}_m h low high ratio miss V^{l-1}")
gamma, e, W1, S1, Err, weighted = reals("gamma e W^{l-1} S^{l-1} Err weighted")
AVERAGE = Chain(
    name="best: average",
    title="E S^L[eps^l] <= c g^2 S^L, c = 1 when synchronous",
    file=__file__,
    variant="best",
    hypotheses=(
        assume(
            "lengths",
            "low <= E^L_m/E^{l-1}_m <= high for every agent; c = high/low is 1 when synchronous",
            E1 >= 1,
            low > 0,
            low * E1 <= E,
            high * E1 >= E,
            high <= c * low,
            c >= 1,
        ),
        define("inverse probabilities", "V^{l-1} = 1/p^{l-1}; h = sum_a (fhat^l - f*)^2/V^{l-1}", V > 0),
        define("two arms at least", "K_m >= 2", K >= 2),
        assume("H3", "E Err^{l-1} <= W^{l-1} e", Err <= W1 * e, e > 0, W1 > 0),
        assume("H4", "gamma^2 <= g^2 Kbar^{l-1}/e, Kbar = S/W", gamma**2 * e * W1 <= g**2 * S1, g >= 0),
        define("S1", "S^{l-1} > 0", S1 > 0),
        Hypothesis("miss", "fhat^l - f* is any number", declares=(miss, h), kind="definition"),
    ),
    steps=(
        Step(
            "h >= 0",
            sp.Ge(h, 0),
            ("inverse probabilities", "miss"),
            "a sum of squares",
            Summation("arm", sp.Ge(miss**2 / V, 0)),
        ),
        Step(
            "risk of a draw",
            sp.Le(weighted, high * Err),
            ("lengths", "h >= 0"),
            "E^L_m h <= high E^{l-1}_m h, summed",
            Summation("draw", sp.Le(E * h, high * (E1 * h))),
        ),
        Step(
            "arms of a draw",
            sp.Le(low * S1, S),
            ("lengths", "two arms at least"),
            "low E^{l-1}_m K_m <= E^L_m K_m, summed",
            Summation("draw", sp.Le(low * (E1 * K), E * K)),
        ),
        smt("H3 and H4", sp.Le(gamma**2 * Err, g**2 * S1), ("H3", "H4"), "multiply"),
        smt(
            "times high",
            sp.Le(gamma**2 * weighted, high * g**2 * S1),
            ("risk of a draw", "H3 and H4", "lengths"),
            "high > 0",
        ),
        smt("high S1 <= c S", sp.Le(high * S1, c * S), ("arms of a draw", "lengths", "S1"), "high <= c low"),
        smt(
            "average risk",
            sp.Le(gamma**2 * weighted, c * g**2 * S),
            ("times high", "high S1 <= c S"),
            "times g^2",
        ),
    ),
    concludes=("average risk",),
    indexed={"arm": (miss, V), "draw": (E, E1, h, K)},
    totals={
        "arm": (Total(h, miss**2 / V),),
        "draw": (
            Total(weighted, E * h),
            Total(Err, E1 * h),
            Total(W1, E1),
            Total(S1, E1 * K),
            Total(S, E * K),
        ),
    },
)


def _relations() -> sp.Basic:
    slacks = side_conditions(PARAMETERS)
    return sp.And(*(sp.Gt(v, 0) if name.endswith("+") else sp.Ge(v, 0) for name, v in slacks.items()))


def _case(p: object) -> dict[sp.Symbol, object]:
    return {getattr(PARAMETERS, f.name): getattr(p, f.name) for f in dataclasses.fields(PARAMETERS)}


SIDE = Chain(
    name="best: side conditions",
    title="E1-E12 at the two rational parameter sets",
    file=__file__,
    variant="best",
    hypotheses=(Hypothesis("parameters", "seven reals", declares=tuple(_case(ANY_SCHEDULE))),),
    steps=(
        Step(
            "E1-E12",
            _relations(),
            ("parameters",),
            "exact rational arithmetic",
            Enumeration((_case(ANY_SCHEDULE), _case(DOUBLING))),
        ),
    ),
    concludes=("E1-E12",),
)

CHAINS = (AVERAGE, SIDE)
