"""Variant best with two arms: C = 1/2 + (9/4) g^2.

lam = 15/8, lam' = 5/16, th = 1/6, eta = 1/4. Both entries of om^l are equal, so the chain is one number o_l:
o_{L-1} = (2/15) c^2, o_{L-2} = (4/5) o_{L-1}^2, o_{l-1} = o_l^2/(6 m_l), m_{L-2} = 5/144, m_{l-1} = m_l/6.
"""

from __future__ import annotations

from typing import Any

import sympy as sp

from bounds.best.symbols import assume, by_hand, smt
from bounds.proofs import Chain, Hypothesis, Induction, Step, reals

F = sp.Rational
c, o, o2, P, t, delta, T0 = reals("c o o_{L-2} P t del T0")
u, u1, m, m1, sofar, sofar1, gamma, G, top, below = reals("u u' m m' sofar sofar' gamma G u0 below")
m0, kp, g_L, own, risk, risk1, W = reals("m0 kp gamma_L own risk risk' W")


def potential(sofar: Any, u: Any, m: Any) -> Any:
    return sp.And(F(5, 6) * sofar + G * u <= G * top, u <= m, u >= 0, m > 0)


SEGMENT = Chain(
    name="best: two arms, one segment",
    title="sum gamma_l o_l <= (6/5) G o_top when o_top <= m_top",
    file=__file__,
    variant="best",
    hypotheses=(
        assume("top", "the segment's first weight", top >= 0, top <= m0, m0 > 0),
        Hypothesis("so far", "the potential at l", potential(sofar, u, m), kind="induction"),
        assume("H5", "learning rates do not decrease with the epoch", gamma >= 0, gamma <= G),
        assume(
            "next",
            "add gamma o, o' = o^2/(6 m), m' = m/6",
            sp.Eq(sofar1, sofar + gamma * u),
            sp.Eq(6 * m * u1, u**2),
            sp.Eq(6 * m1, m),
        ),
    ),
    steps=(
        smt("nothing yet", potential(sp.Integer(0), top, m0), ("top",), "equality"),
        smt("ratio", sp.And(6 * u1 <= u, u1 >= 0, u1 <= m1), ("so far", "next"), "o <= m"),
        smt("added", sp.Le(gamma * u, G * u), ("H5", "so far"), "gamma <= G"),
        smt("scaled", sp.Le(6 * G * u1, G * u), ("ratio", "H5"), "times G"),
        smt(
            "one more",
            potential(sofar1, u1, m1),
            ("so far", "next", "ratio", "added", "scaled"),
            "5/6 + 1/6 = 1",
        ),
        Step(
            "every epoch",
            potential(sofar1, u1, m1),
            ("nothing yet", "one more"),
            "induction",
            Induction(
                "so far",
                "nothing yet",
                "one more",
                {sofar: sofar1, u: u1, m: m1},
                {sofar: sp.Integer(0), u: top, m: m0},
            ),
        ),
        smt(
            "segment",
            sp.Le(sofar1, F(6, 5) * G * top),
            ("every epoch", "H5"),
            "what is to come is non-negative",
        ),
    ),
    concludes=("segment",),
)

START = (
    assume("P, t", "0 <= P <= 1, t in [0,1]", P >= 0, P <= 1, t >= 0, t <= 1),
    assume("del", "ahat = a*: 0 <= del <= 1/2", delta >= 0, 2 * delta <= 1),
    assume(
        "o",
        "o = c^2/(4 lam) at both arms, o_{L-2} = o^2/(4 lam')",
        sp.Eq(15 * o, 2 * c**2),
        sp.Eq(5 * o2, 4 * o**2),
    ),
    assume("case B", "ahat = b: c = P", sp.Eq(c, P)),
    assume("case C", "b = a*: c = P + t/4", sp.Eq(c, P + t / 4)),
    assume("case D", "ahat = a*: c = del (1 + t del/4)", sp.Eq(c, delta * (1 + t * delta / 4))),
    by_hand("T0 apart", "the only arm other than a* is greedy", sp.Eq(T0, 0)),
    by_hand("T0 met", "p v = 1 - 2 del", sp.Eq(T0, (1 + t * delta / 4) * (1 - 2 * delta))),
    by_hand(
        "sum",
        "the segment with gamma = 1: the o_l, l <= L-2, sum to at most (6/5) o_{L-2}",
        below <= F(6, 5) * o2,
    ),
    assume("G", "G = gamma_{L-1} = t gamma_L", sp.Eq(G, t * g_L), g_L > 0),
    by_hand("own", "own chain, kp = p^2 or 1", own <= G * o + F(6, 5) * G * o2),
    by_hand(
        "after",
        "greedy at L-1: the segment below adds at most (6/5) G o_{L-2}",
        own <= -G * o + F(6, 5) * G * o2,
    ),
    by_hand(
        "after below",
        "greedy at l <= L-2: W = o_l <= m_l, then at most (6/5) G o_{l-1}",
        W >= 0,
        m >= W,
        m > 0,
        sp.Eq(6 * m * u, W**2),
        own <= -G * W + F(6, 5) * G * u,
        G >= 0,
    ),
)
TWO = Chain(
    name="best: two arms",
    title="K = 2: K-part at most 1 = K - 1, coefficients at most 0, for every gamma with H5",
    file=__file__,
    variant="best",
    hypotheses=START,
    steps=(
        smt("C: o", sp.And(o <= F(5, 24), o >= 0), ("case C", "o", "P, t"), "c <= 5/4"),
        smt("C: o_{L-2}", sp.And(o2 <= F(5, 144), o2 >= 0), ("C: o", "o"), "(4/5)(5/24)^2 = 5/144 = m_{L-2}"),
        smt(
            "C: K-part",
            sp.Le(T0 + 4 * o + 4 * below, 1),
            ("C: o", "C: o_{L-2}", "sum", "T0 apart"),
            "5/6 + 1/6 = 1",
        ),
        smt("C: G >= 0", sp.Ge(G, 0), ("G", "P, t"), ""),
        smt(
            "C: coefficient",
            sp.Le(-g_L * t / 4 + own, 0),
            ("own", "C: o", "C: o_{L-2}", "G", "C: G >= 0"),
            "5/24 + (6/5)(5/144) = 1/4 = eta",
        ),
        smt("B: o", sp.And(o <= F(5, 24), o >= 0), ("case B", "o", "P, t"), "2/15 <= 5/24"),
        smt("B: K-part", sp.Le(T0 + 4 * o + 4 * below, 1), ("B: o", "o", "sum", "T0 apart"), "as in C"),
        smt("B: o_{L-2}", sp.And(o2 <= F(5, 144), 6 * o2 <= o), ("B: o", "o"), "o <= 5/24"),
        smt("B: coefficient", sp.Le(own, 0), ("after", "B: o", "B: o_{L-2}", "C: G >= 0"), "(6/5)(1/6) < 1"),
        smt(
            "D: o",
            sp.And(o <= delta**2 * F(5, 24), o >= 0),
            ("case D", "o", "del", "P, t"),
            "1 + t del/4 <= 5/4",
        ),
        smt(
            "D: o_{L-2}",
            sp.And(o2 <= delta**2 * F(5, 144), o2 <= F(5, 144)),
            ("D: o", "o", "del"),
            "del <= 1",
        ),
        smt(
            "D: K-part",
            sp.Le(T0 + 4 * o + 4 * below, 1),
            ("D: o", "D: o_{L-2}", "sum", "T0 met", "del", "P, t"),
            "T0 <= 1 - (7/4) del, 4 (5/24 + 1/24) del^2 <= del",
        ),
        smt(
            "D: coefficient",
            sp.Le(-g_L * t * delta**2 / 4 + own, 0),
            ("own", "D: o", "D: o_{L-2}", "G", "C: G >= 0", "del"),
            "the same with kp = del^2",
        ),
        smt("restart below", sp.Le(own, 0), ("after below",), "o_{l-1} <= W/6"),
    ),
    concludes=("C: K-part", "C: coefficient", "B: K-part", "B: coefficient", "D: K-part", "D: coefficient"),
)

om = sp.Symbol("om", real=True)
SECOND = Chain(
    name="best: two arms, second epoch and multipliers",
    title="L = 2: K-part at most 1; the multipliers sum to 15/8 + 5/16 + 1/16 = 9/4",
    file=__file__,
    variant="best",
    hypotheses=(
        assume("P", "0 <= P <= 1, 0 <= del <= 1/2", P >= 0, P <= 1, delta >= 0, 2 * delta <= 1),
        assume("om apart", "c = P at both arms", sp.Eq(15 * om, 4 * P**2)),
        assume("om met", "c = del at both arms", sp.Eq(15 * om, 4 * delta**2)),
        assume("m0", "m_{L-2} = 5/144", sp.Eq(m0, F(5, 144))),
        Hypothesis(
            "risk so far",
            "sum of Lam_l = (3/2) m_l",
            sp.And(risk + F(9, 5) * m <= F(1, 16), m >= 0),
            kind="induction",
        ),
        assume("next", "add (3/2) m, m' = m/6", sp.Eq(risk1, risk + F(3, 2) * m), sp.Eq(6 * m1, m)),
    ),
    steps=(
        smt("K-part apart", sp.Le(2 * om, 1), ("om apart", "P"), "8/15 <= 1"),
        smt("K-part met", sp.Le(1 - 2 * delta + 2 * om, 1), ("om met", "P"), "8/15 del^2 <= 2 del"),
        smt("no multiplier yet", sp.And(F(9, 5) * m0 <= F(1, 16), m0 >= 0), ("m0",), "(9/5)(5/144) = 1/16"),
        smt(
            "one more",
            sp.And(risk1 + F(9, 5) * m1 <= F(1, 16), m1 >= 0),
            ("risk so far", "next"),
            "3/2 + 3/10 = 9/5",
        ),
        Step(
            "every epoch",
            sp.And(risk1 + F(9, 5) * m1 <= F(1, 16), m1 >= 0),
            ("no multiplier yet", "one more"),
            "induction",
            Induction(
                "risk so far",
                "no multiplier yet",
                "one more",
                {risk: risk1, m: m1},
                {risk: sp.Integer(0), m: m0},
            ),
        ),
        smt("9/4", sp.Le(F(15, 8) + F(5, 16) + risk1, F(9, 4)), ("every epoch",), "15/8 + 5/16 + 1/16"),
    ),
    concludes=("K-part apart", "K-part met", "9/4"),
)

CHAINS = (SEGMENT, TWO, SECOND)
