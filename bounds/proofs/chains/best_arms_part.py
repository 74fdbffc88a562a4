"""Variant best, part 5: everything that is multiplied by K sums to at most max(K - 1, K - 2 + K a)."""

from __future__ import annotations

from typing import Any

import sympy as sp

from bounds.best.symbols import (
    N1,
    X,
    a_,
    assume,
    b_,
    by_hand,
    condition,
    definition,
    kap,
    lam,
    lam1,
    n,
    nC,
    smt,
    th,
)
from bounds.proofs import Chain, Hypothesis, Induction, Step, Summation, Total, reals

K, size, N, M, total, total1, risk = reals("K size N N' total total' sum(Lam)")
z, z1, z0, W, w, two, delta, T0, om, start = reals("z z' z0 W w sum(w^2) del T0 om start")

size0, square0, size3, four = reals("size_{L-2} square_{L-2} size_{L-3} sum(w^4)")


def potential(total: Any, N: Any, start: Any) -> Any:
    """What is summed so far, plus all that a geometric decay may still add."""
    return sp.And(total + N / (1 - th) <= start / (1 - th), N >= 0)


def geometric(
    name: str, title: str, start_text: str, extra: tuple[Step, ...], more: tuple[Hypothesis, ...]
) -> Chain:
    return Chain(
        name=name,
        title=title,
        file=__file__,
        variant="best",
        hypotheses=(
            assume("start", start_text, start >= 0),
            Hypothesis("so far", "potential at l", potential(total, N, start), kind="induction"),
            by_hand(
                "next",
                "add |om^l| <= n_l, then n_{l-1} = th n_l",
                size <= N,
                sp.Eq(total1, total + size),
                sp.Eq(M, th * N),
            ),
            condition("th+"),
            condition("1-th+"),
            *more,
        ),
        steps=(
            smt("nothing yet", potential(sp.Integer(0), start, start), ("start", "1-th+"), "equality"),
            smt(
                "one more",
                potential(total1, M, start),
                ("so far", "next", "th+", "1-th+"),
                "N + th N/(1-th) = N/(1-th)",
            ),
            Step(
                "every epoch",
                potential(total1, M, start),
                ("nothing yet", "one more"),
                "induction",
                Induction(
                    "so far",
                    "nothing yet",
                    "one more",
                    {total: total1, N: M},
                    {total: sp.Integer(0), N: start},
                ),
            ),
            smt(
                "geometric sum",
                sp.Le(total1 * (1 - th), start),
                ("every epoch", "1-th+"),
                "drop what is still to come",
            ),
            *extra,
        ),
        concludes=("geometric sum", *(step.name for step in extra[-1:])),
        indexed={"off": (w,)},
        totals={"off": (Total(W, w), Total(two, w**2), Total(four, w**4))},
    )


APART = geometric(
    "best: K-part of A and B",
    "K - 2 + K (N1 + n + th n + ...) = K - 2 + K a, and the multipliers sum to at most b",
    "n_{L-2} = n",
    (
        smt(
            "sum of multipliers",
            sp.Le(lam + lam1 + risk, b_),
            ("geometric sum", "multipliers", "n", "def b", "th+", "1-th+", "kap+"),
            "Lam_l = kap n_l/(4 th), the same geometric sum",
        ),
        smt(
            "N1 + total <= a",
            sp.Le(N1 + total1, a_),
            ("geometric sum", "n", "def a", "1-th+"),
            "a = N1 + n/(1-th)",
        ),
        smt(
            "K-part",
            sp.Le(T0 + K * om + K * total1, K - 2 + K * a_),
            ("T0 + K|om|", "N1 + total <= a", "arms"),
            "add",
        ),
    ),
    (
        assume("n", "it starts at n", sp.Eq(start, n)),
        assume("multipliers", "Lam_l = kap n_l/(4 th)", sp.Eq(4 * th * risk, kap * total1)),
        by_hand("T0 + K|om|", "part 2, cases A and B", T0 + K * om <= K - 2 + K * N1),
        assume("arms", "K >= 2", K >= 2),
        *(definition(k) for k in ("a", "b")),
        condition("kap+"),
    ),
)

MET = geometric(
    "best: K-part of C",
    "b = a*: the chain starts smaller, E9 pays for the larger start",
    "n_{L-4} = th^2 n",
    (
        Step(
            "squares",
            sp.Le(two, X * W),
            ("an entry",),
            "w^2 <= X w, summed",
            Summation("off", sp.Le(w**2, X * w)),
        ),
        Step(
            "fourth powers",
            sp.Le(four, X**3 * W),
            ("an entry",),
            "w^4 <= X^3 w, summed",
            Summation("off", sp.Le(w**4, X**3 * w)),
        ),
        smt("|om^{L-2}|", sp.Le(size0, nC), ("size0", "squares", "case C", "def nC", "lam'+"), "W <= X"),
        smt("powers", sp.Le(W**4 + four, 2 * X**4), ("fourth powers", "case C"), "W <= X"),
        smt(
            "sum (om^{L-2})^2",
            sp.Le(2 * square0, nC**2),
            ("square0", "powers", "def nC", "lam'+"),
            "2 X^4/(4 lam')^2 = nC^2/2",
        ),
        smt(
            "|om^{L-3}|",
            sp.Le(2 * kap * n * size3, 3 * th * nC**2),
            ("size3", "|om^{L-2}|", "sum (om^{L-2})^2", "th+"),
            "(1 + 1/2) nC^2 th/(kap n)",
        ),
        smt(
            "2X + ... <= a",
            sp.Le(2 * X + size0 + size3 + total1, a_),
            (
                "|om^{L-2}|",
                "|om^{L-3}|",
                "geometric sum",
                "n",
                "E9 K-part of case C",
                "def a",
                "1-th+",
                "th+",
                "kap+",
            ),
            "E9 and a = N1 + n + th n + th^2 n/(1-th)",
        ),
        smt(
            "K-part",
            sp.Le(T0 + K * om + K * (size0 + size3 + total1), K - 2 + K * a_),
            ("T0 + K|om|", "2X + ... <= a", "arms"),
            "add",
        ),
    ),
    (
        assume("n", "it starts at th^2 n", sp.Eq(start, th**2 * n), n > 0),
        Hypothesis("an entry", "w <= X off b", sp.And(w >= 0, w <= X), fixes={"off": (X,)}),
        by_hand("case C", "part 2: |om off b| <= X", W >= 0, W <= X),
        assume("size0", "|om^{L-2}|", sp.Eq(4 * lam1 * size0, W**2 + two)),
        assume("square0", "sum (om^{L-2})^2", sp.Eq(16 * lam1**2 * square0, W**4 + four)),
        by_hand(
            "size3",
            "|om^{L-3}| <= (|om|^2 + sum om^2) th/(kap n)",
            kap * n * size3 <= th * (size0**2 + square0),
            size0 >= 0,
        ),
        by_hand("T0 + K|om|", "part 2, case C", T0 + K * om <= K - 2 + 2 * K * X),
        assume("arms", "K >= 2", K >= 2),
        *(definition(k) for k in ("nC", "a")),
        *(condition(k) for k in ("E9", "kap+", "lam'+")),
    ),
)
CHAINS: tuple[Chain, ...] = (APART, MET)
