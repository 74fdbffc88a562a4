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

E, E1, h, low, high, c = reals("E^L_m E^{l-1}_m h low high ratio")
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
        define("h", "h = E_x sum_a p^{l-1}_a (fhat^l - f*)^2 >= 0, K_m >= 2", h >= 0, K >= 2),
        assume("H3", "E Err^{l-1} <= W^{l-1} e", Err <= W1 * e, e > 0, W1 > 0),
        assume("H4", "gamma^2 <= g^2 Kbar^{l-1}/e, Kbar = S/W", gamma**2 * e * W1 <= g**2 * S1, g >= 0),
        define("S1", "S^{l-1} > 0", S1 > 0),
    ),
    steps=(
        Step(
            "risk of an agent",
            sp.Le(weighted, high * Err),
            ("lengths", "h"),
            "E^L_m h <= high E^{l-1}_m h, summed",
            Summation("agent", sp.Le(E * h, high * (E1 * h))),
        ),
        Step(
            "arms of an agent",
            sp.Le(low * S1, S),
            ("lengths", "h"),
            "low E^{l-1}_m K_m <= E^L_m K_m, summed",
            Summation("agent", sp.Le(low * (E1 * K), E * K)),
        ),
        smt("H3 and H4", sp.Le(gamma**2 * Err, g**2 * S1), ("H3", "H4"), "multiply"),
        smt(
            "times high",
            sp.Le(gamma**2 * weighted, high * g**2 * S1),
            ("risk of an agent", "H3 and H4", "lengths"),
            "high > 0",
        ),
        smt(
            "high S1 <= c S", sp.Le(high * S1, c * S), ("arms of an agent", "lengths", "S1"), "high <= c low"
        ),
        smt(
            "average risk",
            sp.Le(gamma**2 * weighted, c * g**2 * S),
            ("times high", "high S1 <= c S"),
            "times g^2",
        ),
    ),
    concludes=("average risk",),
    indexed={"agent": (E, E1, h, K)},
    totals={
        "agent": (Total(weighted, E * h), Total(Err, E1 * h), Total(S1, E1 * K), Total(S, E * K)),
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
