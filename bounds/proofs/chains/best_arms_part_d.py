"""Variant best, part 5 continued: the K-part of case D (the greedy arm is best) and of the second epoch."""

from __future__ import annotations

from typing import Any

import sympy as sp

from bounds.best.symbols import (
    N1,
    a_,
    assume,
    by_hand,
    condition,
    definition,
    eta,
    kap,
    lam,
    lam1,
    n,
    smt,
    th,
    x,
)
from bounds.proofs import Chain, Hypothesis, Induction, Step, Summation, Total, reals

K, N, M, total, total1 = reals("K N N' total total'")
z, z1, z0, W, w, two, delta, T0, om, whole = reals("z z' z0 W w sum(w^2) del T0 om whole")


def potential(total: Any, z: Any, N: Any, z0: Any) -> Any:
    return sp.And(total + z / (1 - th) <= z0 / (1 - th), 2 * z <= kap * N, z >= 0, N > 0)


BEST_IS_GREEDY = Chain(
    name="best: K-part of D",
    title="ahat = a*: the whole K-part is at most K - 1",
    file=__file__,
    variant="best",
    hypotheses=(
        Hypothesis("an entry", "0 <= w <= |om|", sp.And(w >= 0, w <= whole), fixes={"off": (whole,)}),
        assume("W", "w is om off the greedy arm", W >= 0, whole >= W),
        by_hand("at L-1", "part 2: whole = |om^{L-1}| <= x del", whole <= x * delta, whole >= 0),
        assume("z0", "z0 = |om^{L-2}| = (W^2 + sum w^2)/(4 lam')", sp.Eq(4 * lam1 * z0, W**2 + two), z0 >= 0),
        assume("n", "n > 0", n > 0),
        Hypothesis("so far", "potential at l, z = |om^l|", potential(total, z, N, z0), kind="induction"),
        by_hand(
            "next",
            "z' = |om^{l-1}| <= 2 |om^l|^2 th/(kap n_l) (as at L-2), n_{l-1} = th n_l",
            kap * N * z1 <= 2 * th * z**2,
            z1 >= 0,
            sp.Eq(total1, total + z),
            sp.Eq(M, th * N),
        ),
        assume("del", "0 <= del <= 1", delta >= 0, delta <= 1),
        by_hand("T0", "part 1: T0 <= K - 1 - (K - eta) del", K - 1 - (K - eta) * delta >= T0),
        assume("arms", "K >= 2", K >= 2),
        *(definition(k) for k in ("x", "bt")),
        *(condition(k) for k in ("th+", "1-th+", "kap+", "lam+", "lam'+", "eta", "E7 chain", "E7 K-part")),
    ),
    steps=(
        Step(
            "squares",
            sp.Le(two, whole * W),
            ("an entry",),
            "w^2 <= |om| w, summed",
            Summation("off", sp.Le(w**2, whole * w)),
        ),
        smt("twice", sp.Le(W**2 + two, 2 * whole**2), ("squares", "W", "at L-1"), "W <= |om|"),
        smt(
            "z0 bound",
            sp.Le(4 * lam1 * z0, 2 * x**2 * delta**2),
            ("twice", "z0", "at L-1"),
            "|om^{L-1}| <= x del",
        ),
        smt(
            "starts small",
            sp.Le(2 * z0, kap * n),
            ("z0 bound", "E7 chain of case D decays", "del", "lam'+", "kap+", "n"),
            "E7, del <= 1",
        ),
        smt(
            "nothing yet",
            potential(sp.Integer(0), z0, n, z0),
            ("starts small", "z0", "n", "1-th+"),
            "equality",
        ),
        smt(
            "ratio at most th",
            sp.Le(z1, th * z),
            ("so far", "next", "kap+", "th+", "1-th+"),
            "2 z <= kap N",
        ),
        smt(
            "one more",
            potential(total1, z1, M, z0),
            ("so far", "next", "ratio at most th", "th+", "1-th+", "kap+"),
            "z + th z/(1-th) = z/(1-th)",
        ),
        Step(
            "every epoch",
            potential(total1, z1, M, z0),
            ("nothing yet", "one more"),
            "induction",
            Induction(
                "so far",
                "nothing yet",
                "one more",
                {total: total1, z: z1, N: M},
                {total: sp.Integer(0), z: z0, N: n},
            ),
        ),
        smt("geometric sum", sp.Le(total1 * (1 - th), z0), ("every epoch", "1-th+"), "drop what is to come"),
        smt(
            "all weights",
            sp.Le(whole + total1, delta * (1 - eta / 2)),
            ("geometric sum", "z0 bound", "at L-1", "E7 K-part of case D", "del", "lam'+", "1-th+"),
            "x + (2 x^2/4 lam')/(1-th) <= 1 - eta/2, del^2 <= del",
        ),
        smt(
            "K-part",
            sp.Le(T0 + K * whole + K * total1, K - 1),
            ("T0", "all weights", "arms", "del", "eta"),
            "K (1 - eta/2) <= K - eta",
        ),
    ),
    concludes=("K-part",),
    indexed={"off": (w,)},
    totals={"off": (Total(W, w), Total(two, w**2))},
)

P, p, p_star, rest, s2 = reals("P p p* del' sum(p^2)")
SECOND = Chain(
    name="best: second epoch",
    title="L = 2: V^1 = K, A_a = 1, mu_ = 0: K-part at most K - 2 + 2K/(4 lam), resp. K - 1",
    file=__file__,
    variant="best",
    hypotheses=(
        assume("arm", "0 <= p <= 1/K, K >= 2", p >= 0, K * p <= 1, K >= 2),
        assume(
            "probabilities", "ahat is not a*", sp.Eq(P + p_star + rest, 1), P >= 0, p_star >= 0, rest >= 0
        ),
        assume(
            "om apart",
            "sum c^2 with c = p off a*, 1 - p* at a*",
            sp.Eq(4 * lam * om, P**2 + s2 + (1 - p_star) ** 2),
        ),
        by_hand("T0 apart", "sum of 1 - K p", K - 2 - K * rest >= T0),
        assume("del", "ahat = a*: 0 <= del <= 1 - 1/K", delta >= 0, K * delta <= K - 1),
        assume("om met", "sum c^2 with c_{a*} = -del", sp.Eq(4 * lam * om, s2 + delta**2)),
        by_hand("T0 met", "sum of 1 - K p", K - 1 - K * delta >= T0),
        *(condition(k) for k in ("lam+", "E4", "E13", "th+", "1-th+")),
        *(definition(k) for k in ("A", "xi", "X", "X'", "Y", "nt", "N1", "a")),
        assume("n", "n > 0", n > 0),
    ),
    steps=(
        Step("squares", sp.Le(s2, rest), ("arm",), "p^2 <= p", Summation("other", sp.Le(p**2, p))),
        Step(
            "K squares",
            sp.Le(K * s2, delta),
            ("arm",),
            "K p^2 <= p",
            Summation("not greedy", sp.Le(K * p**2, p)),
        ),
        smt("sum <= 2", sp.Le(4 * lam * om, 2), ("om apart", "squares", "probabilities"), "P^2 <= P"),
        smt(
            "4 lam N1 >= 2",
            sp.Ge(4 * lam * N1, 2),
            ("E4 A^2 + (1-xi)^2 + mu^2 >= 2", "def X", "def X'", "def Y", "def nt", "def N1"),
            "E4",
        ),
        smt("N1 <= a", sp.Le(N1, a_), ("def a", "n", "1-th+"), "n/(1-th) > 0"),
        smt("om <= a", sp.Le(om, a_), ("sum <= 2", "4 lam N1 >= 2", "N1 <= a", "lam+"), "divide by 4 lam"),
        smt(
            "K-part apart",
            sp.Le(T0 + K * om, K - 2 + K * a_),
            ("om <= a", "T0 apart", "probabilities", "arm"),
            "",
        ),
        smt(
            "K-part met",
            sp.Le(T0 + K * om, K - 1),
            ("om met", "T0 met", "K squares", "del", "E13 4 lam >= 1", "arm"),
            "K (del^2 + del/K) <= K del",
        ),
    ),
    concludes=("K-part apart", "K-part met"),
    indexed={"other": (p,), "not greedy": (p,)},
    totals={
        "other": (Total(s2, p**2), Total(rest, p)),
        "not greedy": (Total(s2, p**2), Total(delta, p)),
    },
)

CHAINS = (BEST_IS_GREEDY, SECOND)
