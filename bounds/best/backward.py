"""Part 3: one epoch l of the backward chain, for l = L-1 (multiplier lam') and for every l <= L-2.

sum_a om_a V^l_a + sum_a C_a R_a <= K |om| + sum_a C'_a R_a + sum_a om'_a V^{l-1}_a + Lam eps^l,
om' = c^2/(4 Lam), c = W at the greedy arm and -om_a elsewhere, W = |om off the greedy arm|.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

import sympy as sp

from bounds.best.last_epoch import total
from bounds.best.run import K, R, define
from bounds.best.symbols import smt
from bounds.proofs import Hypothesis, Step, Total
from bounds.proofs.engine.combination import Combination


@dataclass(frozen=True)
class Epoch:
    """The symbols of one epoch. Per arm: mark of its greedy arm, probability, V, gap, error, om and C before and after,
    om off the greedy arm, V of the epoch before. Of the epoch: the rest."""

    mark: Any
    p: Any
    V: Any
    v: Any
    d: Any
    c: Any
    om: Any
    w: Any
    C: Any
    om_next: Any
    C_next: Any
    V_next: Any
    P: Any
    B: Any
    rate: Any
    multiplier: Any
    size: Any
    W: Any
    sq: Any
    fo: Any
    OV: Any
    CR: Any
    CD: Any
    csum: Any
    eps: Any
    size_next: Any
    square_next: Any
    OV_next: Any
    CR_next: Any

    @property
    def arm_symbols(self) -> tuple[sp.Symbol, ...]:
        return tuple(getattr(self, f.name) for f in fields(self)[:12])


def totals(e: Epoch) -> tuple[Total, ...]:
    return (
        Total(1, e.mark),
        Total(1, e.p),
        Total(e.P, e.mark * e.p),
        Total(e.size, e.om),
        Total(e.W, e.w),
        Total(e.sq, e.w**2),
        Total(e.fo, e.w**4),
        Total(e.OV, e.om * e.V),
        Total(e.CR, e.C * R),
        Total(e.CD, e.c * e.d),
        Total(e.csum, e.c),
        Total(e.eps, e.d**2 / e.V_next),
        Total(e.size_next, e.om_next),
        Total(e.square_next, e.om_next**2),
        Total(e.OV_next, e.om_next * e.V_next),
        Total(e.CR_next, e.C_next * R),
    )


def definitions(e: Epoch, at: str) -> tuple[Hypothesis, ...]:
    """What the symbols of epoch `at` stand for."""
    greedy, off = sp.Eq(e.mark, 1), sp.Eq(e.mark, 0)
    return (
        define(
            f"kernel at {at}",
            "inverse gap weighting, V = 1/p",
            e.v >= 0,
            sp.Eq(e.p * e.V, 1),
            sp.Or(sp.And(greedy, sp.Eq(e.v, 0), sp.Eq(e.p, e.P)), sp.And(off, sp.Eq(e.V, K + e.v))),
        ),
        define(f"(I) at {at}", "as in epoch L", sp.Eq(e.v + e.d, e.B + e.rate * R)),
        define(f"V before {at}", "inverse probabilities are positive", e.V_next > 0),
        define(f"c at {at}", "the coefficient of d", sp.Eq(e.c, e.mark * e.W - e.w)),
        define(f"om below {at}", "AM-GM", sp.Eq(4 * e.multiplier * e.om_next, e.c**2)),
        define(f"C below {at}", "the coefficient of R", sp.Eq(e.C_next, e.C + e.rate * (e.w - e.mark * e.W))),
    )


def steps(e: Epoch, at: str, weights: str, positive: tuple[str, ...]) -> tuple[Step, ...]:
    """weights: the step that has w >= 0 and so on; positive: names that give om >= 0 and the multiplier > 0."""
    k, I = f"kernel at {at}", f"(I) at {at}"
    return (
        smt(
            f"{at}: p",
            sp.Le(K * e.p - K * e.mark * e.p, 1 - e.mark),
            (k, "arms"),
            "V >= K off the greedy arm",
        ),
        total(
            f"{at}: P",
            sp.Le(K - K * e.P, K - 1),
            (f"{at}: p",),
            "K - 1 arms",
            sp.Le(K * e.p - K * e.mark * e.p, 1 - e.mark),
        ),
        smt(f"{at}: V", sp.Or(sp.Eq(e.mark, 0), e.V <= K), (k, f"{at}: P", "arms"), "P >= 1/K"),
        smt(
            f"{at}: om V",
            sp.Le(e.om * e.V, K * e.om + e.w * e.v),
            (k, f"{at}: V", weights, *positive),
            "V <= K at the greedy arm, V = K + v elsewhere",
        ),
        smt(f"{at}: v greedy", sp.Eq(e.mark * e.v, 0), (k,), "no gap at the greedy arm"),
        Step(
            f"{at}: an arm",
            sp.Le(e.om * e.V + e.C * R, K * e.om + e.C_next * R + e.c * (e.d - e.B)),
            (f"{at}: om V", f"c at {at}", f"C below {at}", I, f"{at}: v greedy"),
            "(I), and v = 0 at the greedy arm",
            Combination(
                (
                    (f"{at}: om V", 1),
                    (f"c at {at}", e.d - e.B),
                    (f"C below {at}", R),
                    (I, e.mark * e.W - e.w),
                    (f"{at}: v greedy", -e.W),
                )
            ),
        ),
        total(
            f"{at}: arms",
            sp.Le(e.OV + e.CR, K * e.size + e.CR_next + e.CD - e.B * e.csum),
            (f"{at}: an arm",),
            "summed",
            sp.Le(e.om * e.V + e.C * R, K * e.om + e.C_next * R + e.c * e.d - e.c * e.B),
        ),
        total(f"{at}: sum of c", sp.Eq(e.csum, 0), (f"c at {at}",), "W - W", sp.Eq(e.c, e.mark * e.W - e.w)),
        smt(
            f"{at}: AM-GM",
            sp.Le(e.c * e.d, e.om_next * e.V_next + e.multiplier * e.d**2 / e.V_next),
            (f"om below {at}", f"V before {at}", I, *positive),
            "c^2 V/(4 Lam) + Lam d^2/V >= c d",
        ),
        total(
            f"{at}: AM-GM, summed",
            sp.Le(e.CD, e.OV_next + e.multiplier * e.eps),
            (f"{at}: AM-GM", f"V before {at}"),
            "eps = sum d^2/V",
            sp.Le(e.c * e.d, e.om_next * e.V_next + e.multiplier * e.d**2 / e.V_next),
        ),
        Step(
            f"{at}: chain step",
            sp.Le(e.OV + e.CR, K * e.size + e.CR_next + e.OV_next + e.multiplier * e.eps),
            (f"{at}: arms", f"{at}: AM-GM, summed", f"{at}: sum of c", I),
            "add",
            Combination(((f"{at}: arms", 1), (f"{at}: AM-GM, summed", 1), (f"{at}: sum of c", e.B))),
        ),
        smt(
            f"{at}: c^2",
            sp.And(sp.Eq(e.c**2, e.mark * e.W**2 + e.w**2), sp.Eq(e.c**4, e.mark * e.W**4 + e.w**4)),
            (f"c at {at}", weights, k),
            "W at the greedy arm, w elsewhere",
        ),
        total(
            f"{at}: size below",
            sp.Eq(4 * e.multiplier * e.size_next, e.W**2 + e.sq),
            (f"om below {at}", f"{at}: c^2"),
            "summed",
            sp.Eq(4 * e.multiplier * e.om_next, e.mark * e.W**2 + e.w**2),
        ),
        smt(
            f"{at}: om^2",
            sp.Eq(16 * e.multiplier**2 * e.om_next**2, e.mark * e.W**4 + e.w**4),
            (f"om below {at}", f"{at}: c^2"),
            "squared",
        ),
        total(
            f"{at}: squares below",
            sp.Eq(16 * e.multiplier**2 * e.square_next, e.W**4 + e.fo),
            (f"{at}: om^2",),
            "summed",
            sp.Eq(16 * e.multiplier**2 * e.om_next**2, e.mark * e.W**4 + e.w**4),
        ),
    )
