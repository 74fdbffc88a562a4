"""Variant best, part 2 continued: the cases B, C and D."""

from __future__ import annotations

import sympy as sp

from bounds.best.symbols import (
    N1,
    A,
    X,
    add,
    assume,
    bt,
    by_hand,
    condition,
    definition,
    eta,
    lam,
    nt,
    smt,
    x,
)
from bounds.proofs import Chain, Step, Summation, Total, reals
from bounds.proofs.chains.best_case_a import BASE as ALL_A
from bounds.proofs.chains.best_case_a import (
    COMMON,
    E5,
    INDEXED,
    MASS,
    T0,
    TOTALS,
    K,
    P,
    T,
    bulk,
    c_hat,
    c_star,
    delta,
    p,
    p_star,
    rest,
    squares,
    t,
)
from bounds.proofs.combination import Combination

SIGNS = ("eta", "t")
BULK = "bulk <= (del/3)(1+eta/3)^2"
room = sp.Symbol("om", real=True)
om = assume("om", "|om| = sum c^2/(4 lam)", sp.Eq(4 * lam * room, c_hat**2 + c_star**2 + bulk))
T0_2 = by_hand("T0", "part 1: T0 <= K - 2 - (K - eta) del'", K - 2 - (K - eta) * rest >= T0)
more = assume("K >= eta", "K >= 2 > eta", K >= 2, eta < 1)

two_arms = assume(
    "K = 2",
    "ahat and a* are the only arms: nothing is summed",
    sp.Eq(rest, 0),
    sp.Eq(bulk, 0),
    sp.Eq(squares, 0),
)
EMPTY = Chain(
    name="best: empty bulk",
    title="With two arms the sums over other arms are empty, so the bounds on them hold as for K >= 3",
    file=__file__,
    variant="best",
    hypotheses=(two_arms, MASS, condition("eta")),
    steps=(
        smt("squares", sp.Le(squares, rest / 3), ("K = 2",), "0 <= 0"),
        smt(BULK, sp.Le(bulk, (1 + eta / 3) ** 2 * delta / 3), ("K = 2", "probabilities", "eta"), "0 <= del"),
        smt("bulk >= 0", sp.Ge(bulk, 0), ("K = 2",), "0 >= 0"),
    ),
    concludes=("squares", BULK, "bulk >= 0"),
)

case_B = assume(
    "case B", "ahat = b: A_ahat = 1, mu_ = 0", sp.Eq(c_hat, P), sp.Eq(c_star, 1 - p_star + t * eta * squares)
)
BASE = (*ALL_A, om, T0_2, more)
CASE_B = Chain(
    name="best: case B",
    title="ahat = b: T0 + K|om| <= K - 2 + K N1, |om off b| <= nt, entries at most X",
    file=__file__,
    variant="best",
    hypotheses=(*BASE, case_B, condition("E4"), condition("E7 case B")),
    steps=(
        *COMMON,
        smt("c_hat", sp.Le(c_hat**2, 1 - delta), ("case B", "probabilities"), "P^2 <= P"),
        smt(
            "c_star",
            sp.And(c_star >= 0, c_star <= 1 + eta * delta / 3),
            ("case B", "probabilities", "squares", "squares are", *SIGNS),
            "sum p^2 <= del'/3",
        ),
        smt(
            "c_star^2",
            sp.Le(c_star**2, 1 + delta * (2 * eta / 3 + eta**2 / 9)),
            ("c_star", "probabilities", "eta"),
            "del <= 1",
        ),
        smt(
            "del pays",
            sp.Le(delta * (2 * eta / 3 + eta**2 / 9 + (1 + eta / 3) ** 2 / 3), delta),
            (E5, "def A", "probabilities", "eta"),
            "E5 times del; A >= 1",
        ),
        add("sum", sp.Le(c_hat**2 + c_star**2 + bulk, 2), ("c_hat", "c_star^2", BULK, "del pays")),
        smt(
            "4 lam N1 >= 2",
            sp.Ge(4 * lam * N1, 2),
            ("E4 A^2 + (1-xi)^2 + mu^2 >= 2", "def X", "def X'", "def Y", "def nt", "def N1"),
            "E4",
        ),
        smt("|om| <= N1", sp.Le(room, N1), ("om", "sum", "4 lam N1 >= 2", "lam+"), "divide by 4 lam"),
        smt(
            "T0 + K|om|",
            sp.Le(T0 + K * room, K - 2 + K * N1),
            ("T0", "|om| <= N1", "K >= eta", "probabilities"),
            "K >= eta",
        ),
        smt(
            "off b",
            sp.Le(c_star**2 + bulk, 4 * lam * nt),
            ("c_star^2", BULK, "E7 case B off b", "probabilities", "eta"),
            "del <= 1 in both, E7",
        ),
        smt(
            "entry a* <= X",
            sp.Le(c_star**2, 4 * lam * X),
            ("c_star", "def A", "def X", "probabilities", "eta"),
            "",
        ),
    ),
    concludes=("T0 + K|om|", "off b", "entry a* <= X", "bulk entries <= X"),
    indexed=INDEXED,
    totals=TOTALS,
)

case_C = assume(
    "case C",
    "b = a*: P A_ahat = P + t eta, mu_ = 0",
    sp.Eq(c_hat, P + t * eta),
    sp.Eq(c_star, 1 - p_star + t * eta + t * eta * squares),
)
CASE_C = Chain(
    name="best: case C",
    title="b = a*: T0 + K|om| <= K - 2 + 2KX, |om off b| <= X",
    file=__file__,
    variant="best",
    hypotheses=(*BASE, case_C),
    steps=(
        *COMMON,
        smt("c_hat", sp.Le(c_hat**2, A**2 - delta), ("case C", "def A", "probabilities", *SIGNS), "t <= 1"),
        smt(
            "c_star",
            sp.And(c_star >= 0, c_star <= A + eta * delta / 3),
            ("case C", "def A", "probabilities", "squares", "squares are", *SIGNS),
            "sum p^2 <= del'/3",
        ),
        smt(
            "c_star^2",
            sp.Le(c_star**2, A**2 + delta * (2 * A * eta / 3 + eta**2 / 9)),
            ("c_star", "probabilities", "eta", "def A"),
            "del <= 1",
        ),
        smt(
            "del pays",
            sp.Le(delta * (2 * A * eta / 3 + eta**2 / 9 + (1 + eta / 3) ** 2 / 3), delta),
            (E5, "probabilities"),
            "E5 times del",
        ),
        add("sum", sp.Le(c_hat**2 + c_star**2 + bulk, 2 * A**2), ("c_hat", "c_star^2", BULK, "del pays")),
        smt("|om| <= 2X", sp.Le(room, 2 * X), ("om", "sum", "def X", "lam+"), "4 lam X = A^2"),
        smt(
            "T0 + K|om|",
            sp.Le(T0 + K * room, K - 2 + 2 * K * X),
            ("T0", "|om| <= 2X", "K >= eta", "probabilities"),
            "K >= eta",
        ),
        smt(
            "del pays the bulk",
            sp.Le((1 + eta / 3) ** 2 * delta / 3, delta),
            (E5, "def A", "eta", "probabilities"),
            "E5 without its other terms",
        ),
        Step(
            "off b",
            sp.Le(c_hat**2 + bulk, 4 * lam * X),
            ("c_hat", BULK, "del pays the bulk", "def X"),
            "A^2 = 4 lam X",
            Combination((("c_hat", 1), (BULK, 1), ("del pays the bulk", 1), ("def X", 1))),
        ),
    ),
    concludes=("T0 + K|om|", "off b", "bulk entries <= X"),
    indexed=INDEXED,
    totals=TOTALS,
)

s2, s3, s4 = reals("sum(p^2) sum(p^3) sum(p^4)")
D_ARM = assume("every other arm", "0 <= p <= 1/K, K >= 2", p >= 0, K * p <= 1, K >= 2)
D_MASS = assume("del", "0 <= del <= 1 - 1/K (P >= 1/K)", delta >= 0, K * delta <= K - 1, K >= 2)
D_SUMS = assume(
    "case D",
    "ahat = a*: c_a = p_a (1 + t eta p_a), c_{a*} = -sum c_a",
    sp.Eq(c_star, delta + t * eta * s2),
)
D_OM = assume(
    "om D",
    "|om| = sum c^2/(4 lam)",
    sp.Le(4 * lam * room, c_star**2 + s2 + 2 * t * eta * s3 + t**2 * eta**2 * s4),
)
square_sum = s2 + 2 * t * eta * s3 + t**2 * eta**2 * s4
CASE_D = Chain(
    name="best: case D",
    title="ahat = a*: |om| <= x del, T0 <= K - 1 - (K - eta) del, entries at most X",
    file=__file__,
    variant="best",
    hypotheses=(
        D_ARM,
        D_MASS,
        D_SUMS,
        D_OM,
        T,
        *(condition(k) for k in ("eta", "lam+", "E7 bt", "E7 x")),
        *(definition(k) for k in ("A", "X", "bt", "x")),
        assume("squares are", "a sum of squares is non-negative", s2 >= 0),
    ),
    steps=(
        Step(
            "K sum p^2 <= del",
            sp.Le(K * s2, delta),
            ("every other arm",),
            "K p^2 <= p, summed",
            Summation("arm", sp.Le(K * p**2, p)),
        ),
        Step(
            "squares summed",
            sp.Le(square_sum, bt * s2),
            ("every other arm", "def bt", *SIGNS),
            "1 + t eta p <= 1 + eta/2, squared, summed",
            Summation("arm", sp.Le(p**2 + 2 * t * eta * p**3 + t**2 * eta**2 * p**4, bt * p**2)),
        ),
        smt(
            "c_star",
            sp.And(c_star >= 0, c_star <= (1 + eta / 2) * delta),
            ("case D", "K sum p^2 <= del", "squares are", "del", *SIGNS),
            "sum p^2 <= del/2",
        ),
        smt("c_star^2", sp.Le(c_star**2, bt * delta**2), ("c_star", "def bt", "del", "eta"), "squared"),
        smt(
            "sum",
            sp.Le(K * bt * delta**2 + bt * delta, K * bt * delta),
            ("del", "def bt"),
            "del + 1/K <= 1",
        ),
        smt("bt s2", sp.Le(K * bt * s2, bt * delta), ("K sum p^2 <= del", "def bt"), "times bt >= 0"),
        Step(
            "K |om| <= K x del",
            sp.Le(K * 4 * lam * room, K * bt * delta),
            ("om D", "c_star^2", "squares summed", "bt s2", "sum", "del"),
            "add up",
            Combination((("om D", K), ("c_star^2", K), ("squares summed", K), ("bt s2", 1), ("sum", 1))),
        ),
        smt(
            "|om| <= x del",
            sp.Le(room, x * delta),
            ("K |om| <= K x del", "def x", "lam+", "del"),
            "divide by 4 lam K",
        ),
        smt(
            "off b",
            sp.Le(room, nt),
            ("|om| <= x del", "E7 x <= nt", "del", "def x", "def bt", "lam+"),
            "del <= 1",
        ),
        smt(
            "entry a* <= X",
            sp.Le(c_star**2, 4 * lam * X),
            ("c_star^2", "E7 bt <= A^2", "def X", "del", "def bt"),
            "bt <= A^2, del <= 1",
        ),
        smt(
            "entries <= X p^2",
            sp.Le((p * (1 + t * eta * p)) ** 2, 4 * lam * X * p**2),
            ("every other arm", "def A", "def X", *SIGNS),
            "1 + t eta p <= A",
        ),
    ),
    concludes=("|om| <= x del", "off b", "entry a* <= X", "entries <= X p^2"),
    indexed={"arm": (p,)},
    totals={"arm": (Total(s2, p**2), Total(s3, p**3), Total(s4, p**4), Total(delta, p))},
)

CHAINS = (EMPTY, CASE_B, CASE_C, CASE_D)
