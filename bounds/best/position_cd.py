"""Part 2, cases C (b = a*) and D (ahat = a*): the weights start smaller."""

from __future__ import annotations

import sympy as sp

from bounds.best.last_epoch import total
from bounds.best.position_b import OWN, simple, size, weights
from bounds.best.positions import SIGNS, START, delta, handed
from bounds.best.run import (
    T0,
    W1,
    Abar,
    K,
    P,
    beta,
    bulk,
    i,
    om1,
    oth,
    p,
    po,
    q,
    qh,
    qk,
    qo,
    rest,
    s,
    s2,
    sg0,
    size1,
    v,
)
from bounds.best.symbols import A, X, a_, bt, eta, lam, n, smt, x
from bounds.proofs import Step
from bounds.proofs.engine.combination import Combination

C_FIRST = simple("C")
C_AFTER = (
    smt(
        "C: at a*",
        sp.And(Abar >= 0, Abar <= A + eta * delta / 3),
        (
            "case C",
            "Abar",
            "q_hat",
            "rest apart",
            "s2 apart",
            "s2 >= 0",
            "p* >= 0",
            "p* <= 1/K",
            "rest <= del",
            "arms",
            "def A",
            *SIGNS,
        ),
        "sum p^2 <= del/3",
    ),
    smt(
        "C: at a*, squared",
        sp.Le(Abar**2, A**2 + delta * (2 * A * eta / 3 + eta**2 / 9)),
        ("C: at a*", "P", "P <= 1", "def A", "eta"),
        "del <= 1",
    ),
    smt(
        "C: at ahat",
        sp.Le(qh**2, A**2 - delta),
        ("case C", "q_hat", "P", "P <= 1", "def A", *SIGNS),
        "t <= 1",
    ),
    Step(
        "C: sum",
        sp.Le(qh**2 + Abar**2 + bulk, 2 * A**2),
        ("C: at a*, squared", "C: at ahat", "bulk", "E5 times del"),
        "E5",
        Combination(
            (("C: at a*, squared", 1), ("C: at ahat", 1), ("bulk", sp.Rational(1, 3)), ("E5 times del", 1))
        ),
    ),
    *size(
        "C",
        sp.Eq(4 * lam * size1, qh**2 + Abar**2 + bulk),
        sp.Eq(4 * lam * om1, qh**2 * i + Abar**2 * s + qk**2),
    ),
    *weights("C", qh, i)[:2],
    smt("C: W <= X", sp.Le(W1, X), ("C: W", "C: at ahat", "bulk <= del", "def X", "lam+"), "A^2 = 4 lam X"),
    smt(
        "C: T0 + K|om|",
        sp.Le(T0 + K * size1, K - 2 + 2 * K * X),
        (
            "C: |om|",
            "C: sum",
            "T0 apart",
            "rest <= del",
            "arms",
            "lam+",
            "E6 del pays the arm b",
            "def x",
            "def bt",
            "def X",
        ),
        "sum c^2 <= 2 A^2",
    ),
    handed(
        "C",
        "start",
        ("C: W <= X", "squares of w_1", "fourth powers of w_1", "sg0", "def nt", *START),
        "W <= X",
    ),
    handed("C", "b is paid", ("mu_", "t", "V", "rbar+", "E2 zeta < 1+", "W_1 >= 0"), "mu_ = 0"),
    handed(
        "C",
        "own",
        ("C: at ahat", "P", "P <= 1", "def X", "def A", "qk", *OWN),
        "kp = 1 at ahat, p^2 elsewhere",
    ),
    smt(
        "C: 2X + beta <= a",
        sp.Le(2 * X + beta, a_),
        (
            "case C",
            "sg0",
            "beta",
            "def nC",
            "E9 K-part of case C",
            "th+",
            "1-th+",
            "positive",
            "lam'+",
            "C: start",
        ),
        "E9",
    ),
    handed("C", "budget", ("C: T0 + K|om|", "C: 2X + beta <= a", "maximum", "arms"), "E9"),
    handed(
        "C",
        "budget of epoch 3",
        ("C: T0 + K|om|", "sg0", "def nC", "maximum of epoch 3", "arms", "lam'+"),
        "2X + nC",
    ),
    handed("C", "budget of epoch 2", ("L", "C: T0 + K|om|", "maximum of epoch 2"), "L > 2: b is not ahat"),
)

D_FIRST = simple("D")
D_AFTER = (
    smt("D: others", sp.Eq(po, p - i * p), ("case D", "po", "marks"), "off ahat = a*"),
    total("D: rest", sp.Eq(rest, 1 - P), ("D: others",), "summed", sp.Eq(po, p - i * p)),
    total("D: K s2", sp.Le(K * s2, rest), ("po >= 0",), "K p <= 1", sp.Le(K * po**2, po)),
    smt("D: of an arm", sp.Le(qo**2, bt * po**2), ("qo", "po >= 0", "arms", "def bt", *SIGNS), "p <= 1/2"),
    total("D: bulk", sp.Le(oth, bt * s2), ("D: of an arm",), "summed", sp.Le(qo**2, bt * po**2)),
    smt(
        "D: at a*",
        sp.And(Abar >= 0, Abar <= (1 + eta / 2) * delta),
        ("case D", "Abar", "q_hat", "D: rest", "D: K s2", "s2 >= 0", "rest >= 0", "arms", *SIGNS),
        "sum p^2 <= del/2",
    ),
    smt(
        "D: at a*, squared", sp.Le(Abar**2, bt * delta**2), ("D: at a*", "def bt", "P <= 1", "eta"), "squared"
    ),
    *size("D", sp.Eq(4 * lam * size1, Abar**2 + oth), sp.Eq(4 * lam * om1, Abar**2 * s + qo**2)),
    smt(
        "D: K|om|",
        sp.Le(4 * lam * K * size1, K * bt * delta),
        ("D: |om|", "D: at a*, squared", "D: bulk", "D: K s2", "D: rest", "def bt", "P", "P <= 1", "arms"),
        "K (del^2 + del/K) <= K del",
    ),
    smt(
        "D: |om| <= x del",
        sp.Le(size1, x * delta),
        ("D: K|om|", "def x", "lam+", "arms"),
        "divided by 4 lam K",
    ),
    smt(
        "D: W <= x del",
        sp.And(x * delta >= W1, x <= X, x * delta <= X),
        (
            "D: |om| <= x del",
            "size_1",
            "om_b >= 0",
            "def x",
            "def bt",
            "def X",
            "def A",
            "P",
            "P <= 1",
            "lam+",
            "eta",
        ),
        "bt <= A^2",
    ),
    smt(
        "D: T0 of an arm",
        sp.Le(q * v, 1 - i - (K - eta) * po),
        ("case D", "kernel", "q", "q_hat", "qo", "D: others", "po >= 0", "marks", "arms", *SIGNS),
        "as before",
    ),
    total(
        "D: T0",
        sp.Le(T0, K - 1 - (K - eta) * rest),
        ("D: T0 of an arm",),
        "summed",
        sp.Le(q * v, 1 - i - (K - eta) * po),
    ),
    handed(
        "D",
        "start",
        ("D: W <= x del", "squares of w_1", "fourth powers of w_1", "sg0", "def nt", *START),
        "W <= x del",
    ),
    handed("D", "b is paid", ("mu_", "t", "V", "rbar+", "E2 zeta < 1+", "W_1 >= 0"), "mu_ = 0"),
    handed("D", "own", OWN, "kp = p^2"),
    smt(
        "D: all weights",
        sp.Le(size1 + beta, delta * (1 - eta / 2)),
        (
            "case D",
            "D: |om| <= x del",
            "sg0",
            "beta",
            "D: start",
            "E7 K-part of case D",
            "th+",
            "1-th+",
            "P",
            "P <= 1",
            "lam'+",
            "positive",
        ),
        "x + (2 x^2/4 lam')/(1-th) <= 1 - eta/2, del^2 <= del",
    ),
    smt(
        "D: T0 + K|om|",
        sp.Le(T0 + K * size1 + K * beta, K - 1),
        ("D: T0", "D: rest", "D: all weights", "arms", "P <= 1", "eta"),
        "K (1 - eta/2) <= K - eta",
    ),
    smt(
        "D: sg0 n <= beta",
        sp.And(sg0 * n <= beta, beta >= 0),
        ("beta", "D: start", "positive", "th+", "1-th+"),
        "1 - th sg0 <= 1",
    ),
    handed("D", "budget", ("D: T0 + K|om|", "maximum"), "K - 1"),
    handed(
        "D", "budget of epoch 3", ("D: T0 + K|om|", "D: sg0 n <= beta", "maximum of epoch 3", "arms"), "K - 1"
    ),
    handed(
        "D",
        "budget of epoch 2",
        ("D: T0 + K|om|", "D: sg0 n <= beta", "maximum of epoch 2", "arms", "L"),
        "K - 1",
    ),
)
