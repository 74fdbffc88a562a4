"""Variant best, part 4: the weights of the backward chain decay by the factor th per epoch, by induction."""

from __future__ import annotations

import sympy as sp

from bounds.best.symbols import S2, X, assume, by_hand, condition, definition, kap, lam1, n, nt, smt, th
from bounds.proofs import Chain, Hypothesis, Induction, Step, Summation, Total, reals

# size = |om^l|, square = sum om^2, largest = max om, N = n_l; W, w: off the greedy arm; primes: below.
size, square, largest, N = reals("size square largest N")
size1, square1, largest1, M = reals("size' square' largest' N'")
size0, square0, largest0 = reals("size0 square0 largest0")
w, W, top, two, four, u = reals("w W max sum(w^2) sum(w^4) u")


def invariants(size: sp.Symbol, square: sp.Symbol, largest: sp.Symbol, N: sp.Symbol) -> sp.Basic:
    return sp.And(size <= N, square <= (kap - 1) * N**2, largest <= 2 * N / 3, N > 0)


ENTRY = Hypothesis("an entry", "an entry off the greedy arm", sp.And(w >= 0, w <= top), fixes={"off": (top,)})
FOURTH = Step(
    "fourth powers",
    sp.Le(four, top**2 * two),
    ("an entry",),
    "w^4 <= max^2 w^2, summed",
    Summation("off", sp.Le(w**4, top**2 * w**2)),
)
SUMS = {"off": (Total(two, w**2), Total(four, w**4))}

INVARIANTS = Chain(
    name="best: chain invariants",
    title="|om^l| <= n_l, sum (om^l)^2 <= (kap-1) n_l^2, max om^l <= (2/3) n_l for every l <= L-2",
    file=__file__,
    variant="best",
    hypotheses=(
        ENTRY,
        by_hand("W at L-1", "part 2: 0 <= W <= nt", W >= 0, nt >= W, nt > 0),
        by_hand("w^2 at L-1", "part 2 and the sum of squares: sum w^2 <= S2", two >= 0, two <= S2),
        by_hand(
            "max at L-1", "part 2: entries at most X; u is one of them", u >= 0, u <= top, top <= X, nt >= X
        ),
        assume("size0", "|om^{L-2}|", sp.Eq(4 * lam1 * size0, W**2 + two)),
        assume("square0", "sum (om^{L-2})^2", sp.Eq(16 * lam1**2 * square0, W**4 + four)),
        assume(
            "largest0", "an entry", sp.Or(sp.Eq(4 * lam1 * largest0, W**2), sp.Eq(4 * lam1 * largest0, u**2))
        ),
        Hypothesis(
            "invariants", "the invariants at l", invariants(size, square, largest, N), kind="induction"
        ),
        assume("W at l", "w is om^l off the greedy arm", W >= 0, size >= W, two >= 0, two <= square),
        assume("max at l", "u is one of its entries", u >= 0, u <= top, top <= largest),
        assume("size'", "|om^{l-1}|", sp.Eq(kap * N * size1, th * (W**2 + two))),
        assume("square'", "sum (om^{l-1})^2", sp.Eq(kap**2 * N**2 * square1, th**2 * (W**4 + four))),
        assume(
            "largest'",
            "an entry",
            sp.Or(sp.Eq(kap * N * largest1, th * W**2), sp.Eq(kap * N * largest1, th * u**2)),
        ),
        assume("N'", "n_{l-1} = th n_l", sp.Eq(M, th * N)),
        *(definition(k) for k in ("nt", "S2", "n")),
        *(condition(k) for k in ("lam'+", "th+", "kap+", "E8 kap", "E8 squares at", "E8 squares below")),
    ),
    steps=(
        FOURTH,
        smt(
            "(i) at L-2",
            sp.Le(size0, n),
            ("size0", "W at L-1", "w^2 at L-1", "def n", "lam'+"),
            "definition of n",
        ),
        smt(
            "fourth powers at L-1",
            sp.Le(four, X**2 * S2),
            ("fourth powers", "max at L-1", "w^2 at L-1"),
            "max <= X",
        ),
        smt("W^4 at L-1", sp.Le(W**4, nt**4), ("W at L-1",), "W <= nt"),
        smt(
            "(ii) at L-2",
            sp.Le(16 * lam1**2 * square0, (kap - 1) * (4 * lam1 * n) ** 2),
            ("square0", "fourth powers at L-1", "W^4 at L-1", "E8 squares at L-2", "def n"),
            "E8",
        ),
        smt(
            "(iii) at L-2",
            sp.Le(largest0, 2 * n / 3),
            ("largest0", "W at L-1", "max at L-1", "def n", "def S2", "def nt", "lam'+"),
            "nt^2 <= 2 S2 (two squares), so nt^2 <= (2/3)(nt^2 + S2)",
        ),
        smt("n > 0", sp.Gt(n, 0), ("def n", "def S2", "W at L-1", "lam'+"), "nt > 0"),
        smt(
            "at L-2",
            invariants(size0, square0, largest0, n),
            ("(i) at L-2", "(ii) at L-2", "(iii) at L-2", "n > 0", "lam'+"),
            "together",
        ),
        smt(
            "W <= N",
            sp.And(W >= 0, W <= N, two >= 0, two <= (kap - 1) * N**2, top <= 2 * N / 3, N > 0, top >= 0),
            ("invariants", "W at l", "max at l"),
            "the invariants off the greedy arm",
        ),
        smt(
            "(i) below",
            sp.Le(size1, M),
            ("size'", "W <= N", "N'", "th+", "kap+"),
            "th (N^2 + (kap-1) N^2)/(kap N) = th N",
        ),
        smt(
            "fourth powers below",
            sp.Le(four, 4 * (kap - 1) * N**4 / 9),
            ("fourth powers", "W <= N"),
            "max^2 <= (4/9) N^2",
        ),
        smt("W^4 below", sp.Le(W**4, N**4), ("W <= N",), "W <= N"),
        smt(
            "E8 times N^4",
            sp.Le(N**4 + 4 * (kap - 1) * N**4 / 9, (kap - 1) * kap**2 * N**4),
            ("E8 squares below", "W <= N"),
            "E8",
        ),
        smt(
            "(ii) below, scaled",
            sp.Le(W**4 + four, (kap - 1) * kap**2 * N**4),
            ("W^4 below", "fourth powers below", "E8 times N^4"),
            "add",
        ),
        smt(
            "(ii) below",
            sp.Le(square1, (kap - 1) * M**2),
            ("square'", "(ii) below, scaled", "N'", "th+", "kap+", "W <= N"),
            "divide by kap^2 N^2",
        ),
        smt(
            "(iii) below",
            sp.Le(largest1, 2 * M / 3),
            ("largest'", "max at l", "W <= N", "N'", "E8 kap >= 3/2", "th+"),
            "1/kap <= 2/3",
        ),
        smt(
            "below",
            invariants(size1, square1, largest1, M),
            ("(i) below", "(ii) below", "(iii) below", "N'", "th+", "W <= N"),
            "together",
        ),
        Step(
            "every epoch",
            invariants(size1, square1, largest1, M),
            ("at L-2", "below"),
            "induction on l downwards",
            Induction(
                "invariants",
                "at L-2",
                "below",
                later={size: size1, square: square1, largest: largest1, N: M},
                first={size: size0, square: square0, largest: largest0, N: n},
            ),
        ),
    ),
    concludes=("every epoch",),
    indexed={"off": (w,)},
    totals=SUMS,
)

CHAINS = (INVARIANTS,)
