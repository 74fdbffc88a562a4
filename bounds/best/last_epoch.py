"""Part 1: the last epoch. Two comparators (a* and b) and AM-GM bound its regret by the V of the epoch before.

(F)  gamma_L sum_a p_a R_a <= T0 + sum_a C_a R_a + sum_a om_a V^{L-1}_a + lam eps^L,   4 lam om_a >= c_a^2
"""

from __future__ import annotations

import sympy as sp

from bounds.best.run import (
    C1,
    CD,
    CR1,
    G1,
    INDEX,
    OV1,
    PR,
    T0,
    V1,
    Abar,
    B,
    K,
    L,
    P,
    R,
    c,
    csum,
    d,
    epsL,
    gL,
    i,
    j,
    moved,
    om1,
    p,
    po,
    q,
    qo,
    rest,
    s,
    s2,
    t,
    v,
)
from bounds.best.symbols import lam, rbar, smt
from bounds.proofs import Step, Summation
from bounds.proofs.engine.combination import Combination


def total(name: str, statement: object, assumes: tuple[str, ...], because: str, term: object) -> Step:
    """A step that is a sum over the arms of what holds for every arm."""
    return Step(name, statement, assumes, because, Summation(INDEX, term))


PROBABILITIES = (
    smt(
        "t",
        sp.And(t >= 0, t <= 1, sp.Eq(G1, t * rbar * gL), sp.Or(L >= 3, sp.Eq(t, 0))),
        ("ratio", "rates", "def t", "rbar+", "V"),
        "between 0 and 1",
    ),
    smt(
        "p",
        sp.And(p * K * (1 - i) <= 1 - i, p * (1 - i) >= 0),
        ("kernel", "marks", "arms"),
        "p = 1/(K+v) off ahat",
    ),
    total(
        "P >= 1/K",
        sp.Le(K - K * P, K - 1),
        ("p", "marks"),
        "1/K off ahat at most",
        sp.Le(K * p - K * i * p, 1 - i),
    ),
    smt("P", sp.And(P * K >= 1, P > 0), ("P >= 1/K", "arms"), "what the others leave"),
    total("P <= 1", sp.Ge(1 - P, 0), ("p", "marks"), "the others have the rest", sp.Ge(p - i * p, 0)),
    smt("p R", sp.Le(p * R, p), ("p", "P", "kernel", "regret", "H1", "marks"), "R <= 1"),
    total("capped", sp.Le(PR, 1), ("p R",), "a step costs at most 1", sp.Le(p * R, p)),
    smt("po >= 0", sp.And(po >= 0, K * po <= 1), ("po", "p", "marks", "arms"), "a probability off ahat"),
    total("rest >= 0", sp.Ge(rest, 0), ("po >= 0",), "summed", sp.Ge(po, 0)),
    total("s2 >= 0", sp.Ge(s2, 0), ("po >= 0",), "summed", sp.Ge(po**2, 0, evaluate=False)),
    smt(
        "q >= 0",
        sp.And(q >= 0, qo >= 0),
        ("q", "qo", "q_hat", "po >= 0", "P", "t", "eta", "marks"),
        "p A >= 0",
    ),
    total("Abar >= 0", sp.Ge(Abar, 0), ("q >= 0",), "summed", sp.Ge(q, 0)),
)
COMPARED = (
    smt("at a*", sp.Ge(s * (B - d), 0), ("(I)", "regret", "kernel", "marks"), "v >= 0 and R = 0 at a*"),
    smt("at b", sp.Ge(j * (B - d + gL * R), 0), ("(I)", "kernel", "marks"), "v >= 0 at b"),
    Step(
        "compared",
        sp.Le(gL * p * R, q * v + c * (d - B) + C1 * R),
        ("(I)", "c", "C_1", "at a*", "at b", "mu_ fits"),
        "gamma R = v + d - B; B >= d at a*, B >= d - gamma R at b",
        Combination((("(I)", q), ("c", d - B), ("C_1", R), ("at a*", Abar - moved), ("at b", moved))),
    ),
    total(
        "compared, summed",
        sp.Le(gL * PR, T0 + CD - B * csum + CR1),
        ("compared", "V"),
        "over all arms",
        sp.Le(gL * p * R, q * v + c * d - c * B + C1 * R),
    ),
    total(
        "sum of c",
        sp.Eq(csum, 0),
        ("c",),
        "Abar - (Abar - mu_) - mu_",
        sp.Eq(c, q - (Abar - moved) * s - moved * j),
    ),
    smt(
        "AM-GM",
        sp.Le(c * d, om1 * V1 + lam * d**2 / V1),
        ("om covers", "lam+", "V", "(I)"),
        "c^2 V/(4 lam) + lam d^2/V >= c d",
    ),
    total(
        "AM-GM, summed",
        sp.Le(CD, OV1 + lam * epsL),
        ("AM-GM", "V"),
        "eps^L = sum d^2/V",
        sp.Le(c * d, om1 * V1 + lam * d**2 / V1),
    ),
    Step(
        "(F)",
        sp.Le(gL * PR, T0 + CR1 + OV1 + lam * epsL),
        ("compared, summed", "AM-GM, summed", "sum of c", "(I)"),
        "add",
        Combination((("compared, summed", 1), ("AM-GM, summed", 1), ("sum of c", B))),
    ),
)
