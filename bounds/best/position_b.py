"""Part 2, cases B (ahat = b), C (b = a*) and D (ahat = a*): nothing is moved to b, om = c^2/(4 lam)."""

from __future__ import annotations

import sympy as sp

from bounds.best.last_epoch import total
from bounds.best.positions import BUDGET, SIGNS, START, delta, handed
from bounds.best.run import (
    T0,
    W1,
    Abar,
    K,
    bulk,
    bulk4,
    fo1,
    i,
    om1,
    qh,
    qk,
    s,
    size1,
    sq1,
    w1,
)
from bounds.best.symbols import N1, S2, X, eta, lam, nt, smt
from bounds.proofs import Step
from bounds.proofs.engine.combination import Combination

OWN = (
    "kp",
    "c",
    "C_1",
    "q",
    "qo",
    "po",
    "q_hat",
    "om_1",
    "qo^2",
    "regret",
    "po >= 0",
    "mu_",
    "V",
    "arms",
    "kernel",
    "marks",
    "lam+",
    *SIGNS,
)
ENTRY = ("marks", "qk^2 <= bulk", "bulk <= del", "P", "def X", "def A", "eta", "lam+", "qk", "qo", "po")


def simple(case: str) -> tuple[Step, ...]:
    """om = c^2/(4 lam), mu_ = 0."""
    return (
        handed(case, "mu_ fits", ("mu_", "Abar >= 0"), "mu_ = 0"),
        handed(case, "om covers", ("om_1", "lam+"), "equality"),
    )


def size(case: str, statement: sp.Eq, term: sp.Eq) -> tuple[Step, ...]:
    """|om| from the squares of c."""
    name = f"{case}: om"
    assumes = (f"case {case}", "om_1", "c", "q", "q_hat", "qo", "qk", "po", "mu_", "marks")
    return (
        smt(name, term, assumes, "whichever arm it is"),
        total(f"{case}: |om|", statement, (name,), "summed", term),
    )


def weights(case: str, at: sp.Basic, mark: sp.Symbol) -> tuple[Step, ...]:
    """w = om off b: one large arm and the bulk."""
    term = sp.Eq(4 * lam * w1, at**2 * mark + qk**2)
    squares = sp.Eq(16 * lam**2 * w1**2, at**4 * mark + qk**4)
    return (
        smt(f"{case}: w", term, (f"case {case}", f"{case}: om", "w_1", "qk", "qo", "po", "marks"), "off b"),
        total(f"{case}: W", sp.Eq(4 * lam * W1, at**2 + bulk), (f"{case}: w",), "summed", term),
        smt(
            f"{case}: w^2",
            squares,
            (f"{case}: w", f"case {case}", "qk", "qo", "po", "marks"),
            "one of the two",
        ),
        total(
            f"{case}: w^2 summed",
            sp.Eq(16 * lam**2 * sq1, at**4 + bulk4),
            (f"{case}: w^2",),
            "summed",
            squares,
        ),
    )


B_FIRST = simple("B")
B_AFTER = (
    smt(
        "B: at a*",
        sp.And(Abar >= 0, Abar <= 1 + eta * delta / 3),
        (
            "case B",
            "Abar",
            "q_hat",
            "rest apart",
            "s2 apart",
            "s2 >= 0",
            "p* >= 0",
            "p* <= 1/K",
            "rest <= del",
            "arms",
            *SIGNS,
        ),
        "sum p^2 <= del/3",
    ),
    smt(
        "B: at a*, squared",
        sp.Le(Abar**2, 1 + delta * (2 * eta / 3 + eta**2 / 9)),
        ("B: at a*", "P", "P <= 1", "eta"),
        "del <= 1",
    ),
    smt("B: at ahat", sp.Le(qh**2, 1 - delta), ("case B", "q_hat", "P", "P <= 1"), "P^2 <= P"),
    Step(
        "B: sum",
        sp.Le(qh**2 + Abar**2 + bulk, 2),
        ("B: at a*, squared", "B: at ahat", "del pays"),
        "their sum",
        Combination((("B: at a*, squared", 1), ("B: at ahat", 1), ("del pays", 1))),
    ),
    *size(
        "B",
        sp.Eq(4 * lam * size1, qh**2 + Abar**2 + bulk),
        sp.Eq(4 * lam * om1, qh**2 * i + Abar**2 * s + qk**2),
    ),
    *weights("B", Abar, s),
    smt(
        "B: W <= nt",
        sp.Le(W1, nt),
        ("B: W", "B: at a*, squared", "bulk", "P", "P <= 1", "E7 case B off b", "lam+", "eta"),
        "del <= 1, E7",
    ),
    smt(
        "B: entries",
        sp.And(w1 <= X, Abar**2 <= 4 * lam * X, bulk <= 4 * lam * X),
        ("B: w", "B: at a*", *ENTRY, "case B"),
        "A^2 = 4 lam X",
    ),
    smt(
        "B: squares",
        sp.Le(sq1, S2),
        (
            "B: w^2 summed",
            "bulk4",
            "B: W",
            "B: W <= nt",
            "B: entries",
            "bulk >= 0",
            "def nt",
            "def S2",
            "positive",
            "lam+",
        ),
        "both at most X, together at most X + X'",
    ),
    total(
        "B: fourth powers",
        sp.Le(fo1, X**2 * sq1),
        ("B: entries", "w_1 >= 0"),
        "w <= X",
        sp.Le(w1**4, X**2 * w1**2),
    ),
    smt(
        "B: T0 + K|om|",
        sp.Le(2 * lam * (T0 + K * size1 - K + 2), K),
        (
            "B: |om|",
            "B: sum",
            "T0 apart",
            "rest <= del",
            "arms",
            "lam+",
            "E6 del pays the arm b",
            "def x",
            "def bt",
        ),
        "sum c^2 <= 2",
    ),
    smt(
        "2 <= 4 lam N1",
        sp.Ge(4 * lam * N1, 2),
        ("E4 A^2 + (1-xi)^2 + mu^2 >= 2", "def X", "def X'", "def Y", "def nt", "def N1"),
        "E4",
    ),
    smt(
        "B: T0 + K|om|, N1",
        sp.Le(T0 + K * size1, K - 2 + K * N1),
        ("B: T0 + K|om|", "2 <= 4 lam N1", "lam+", "arms"),
        "E4",
    ),
    handed("B", "start", ("B: W <= nt", "B: squares", "B: fourth powers", "sg0", *START), "E8"),
    handed("B", "b is paid", ("mu_", "t", "V", "rbar+", "E2 zeta < 1+", "W_1 >= 0"), "mu_ = 0"),
    handed("B", "own", OWN, "ahat is b; kp = p^2 elsewhere"),
    handed("B", "budget", ("B: T0 + K|om|, N1", *BUDGET), "a = N1 + n/(1-th)"),
    handed("B", "budget of epoch 3", ("B: T0 + K|om|, N1", "sg0", "maximum of epoch 3", "arms"), "N1 + n"),
    handed("B", "budget of epoch 2", ("B: T0 + K|om|", "maximum of epoch 2", "lam+", "L"), "sum c^2 <= 2"),
)
