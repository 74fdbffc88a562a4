"""Part 2: the positions of ahat, a* and b. What every case hands to the backward chain, and what the first three share.

A: all distinct. B: ahat = b. C: b = a*. D: ahat = a*. In A, B and C ("apart") ahat is not a*.
"""

from __future__ import annotations

import sympy as sp

from bounds.best.last_epoch import total
from bounds.best.run import (
    APART,
    C1,
    CASE_TEXTS,
    CASES,
    G1,
    INDEX,
    T0,
    W1,
    Abar,
    K,
    L,
    P,
    R,
    arms,
    arms2,
    arms3,
    beta,
    bulk,
    bulk4,
    c,
    fo1,
    gL,
    i,
    j,
    kp,
    moved,
    ob,
    om1,
    p,
    po,
    ps,
    q,
    qh,
    qk,
    rest,
    s,
    s2,
    sg0,
    size1,
    sq1,
    t,
    v,
    w1,
)
from bounds.best.symbols import N1, S2, X1, A, X, a_, eta, kap, lam, lam1, n, nC, nt, smt, zeta
from bounds.proofs import Cases, Hypothesis, Step
from bounds.proofs.engine.member import Member

delta = 1 - P
SIGNS = ("eta", "t")
START = ("def n", "def S2", "positive", "E8 squares at L-2", "E8 kap >= 3/2", "W_1 >= 0", "lam'+")
BUDGET = ("sg0", "beta", "maximum", "def a", "positive", "th+", "1-th+", "arms")

POSITIONS = (
    Hypothesis("apart", "ahat is not a*", APART, kind="case"),
    *(Hypothesis(f"case {k}", CASE_TEXTS[k], CASES[k], kind="case") for k in "ABCD"),
)
MAXIMA = (
    Hypothesis(
        "maximum",
        "arms = max(K - 1, K - 2 + K a)",
        sp.And(arms >= K - 1, arms >= K - 2 + K * a_),
        kind="definition",
    ),
    Hypothesis(
        "maximum of epoch 3",
        "the chain has one link only",
        sp.And(arms3 >= K - 1, arms3 >= K - 2 + K * (N1 + n), arms3 >= K - 2 + K * (2 * X + nC)),
        kind="definition",
    ),
    Hypothesis(
        "maximum of epoch 2",
        "no chain",
        sp.And(arms2 >= K - 1, 2 * lam * (arms2 - K + 2) >= K),
        kind="definition",
    ),
)
HANDED = {
    "mu_ fits": sp.And(moved >= 0, moved <= Abar),
    "om covers": sp.And(4 * lam * om1 >= c**2, om1 >= 0),
    "start": sp.And(
        nt >= W1,
        W1**2 + sq1 <= 4 * lam1 * sg0 * n,
        W1**4 + fo1 <= (kap - 1) * (4 * lam1 * sg0 * n) ** 2,
        2 * (4 * lam1 * sg0 * n) >= 3 * W1**2,
        sg0 >= 0,
        sg0 <= 1,
    ),
    "b is paid": sp.Le(moved * gL, G1 * (1 - zeta) * W1),
    "own": sp.Or(
        sp.Eq(R, 0),
        sp.And(sp.Eq(j, 1), moved * gL >= C1),
        sp.And(sp.Eq(j, 0), om1 <= kp * X, sp.Eq(C1, -gL * t * eta * kp), kp >= 0, kp <= 1),
    ),
    "budget": sp.Le(T0 + K * size1 + K * beta, arms),
    "budget of epoch 3": sp.Le(T0 + K * size1 + K * sg0 * n, arms3),
    "budget of epoch 2": sp.Or(sp.Ne(L, 2), sp.Le(T0 + K * size1, arms2)),
}


def handed(case: str, name: str, assumes: tuple[str, ...], because: str) -> Step:
    """One case of what is handed on."""
    return smt(f"{case}: {name}", HANDED[name], (f"case {case}", *assumes), because)


def in_every_position(*names: str) -> tuple[Step, ...]:
    """The same in A, B, C and D."""
    found = []
    for name in names:
        apart = Step(
            f"{name}, apart",
            HANDED[name],
            ("apart", *(f"{k}: {name}" for k in "ABC")),
            "b is ahat, a* or neither",
            Cases({f"case {k}": f"{k}: {name}" for k in "ABC"}),
        )
        both = Step(
            name,
            HANDED[name],
            (apart.name, f"D: {name}"),
            "ahat is a* or not",
            Cases({"apart": apart.name, "case D": f"D: {name}"}),
        )
        found += [apart, both]
    return tuple(found)


SHARED = (
    smt(
        "others apart",
        sp.And(sp.Eq(po, p - i * p - s * p), K * po <= 1 - i - s),
        ("po", "marks", "apart", "po >= 0"),
        "no arm is both",
    ),
    total("rest apart", sp.Eq(rest, 1 - P - ps), ("others apart",), "summed", sp.Eq(po, p - i * p - s * p)),
    total("few others", sp.Le(K * rest, K - 2), ("others apart",), "K - 2 arms", sp.Le(K * po, 1 - i - s)),
    Step("po <= rest", sp.Le(po, rest), ("po >= 0",), "one of them", Member(INDEX)),
    smt(
        "po <= 1/3",
        sp.Le(3 * po, 1),
        ("po <= rest", "few others", "po >= 0", "arms"),
        "no other arm if K = 2",
    ),
    total("s2 apart", sp.Le(3 * s2, rest), ("po <= 1/3", "po >= 0"), "po <= 1/3", sp.Le(3 * po**2, po)),
    smt("p*", sp.And(s * p >= 0, s * p * K <= s), ("p", "marks", "apart"), "a* is not ahat"),
    total("p* <= 1/K", sp.Le(K * ps, 1), ("p*",), "summed", sp.Le(K * s * p, s)),
    total("p* >= 0", sp.Ge(ps, 0), ("p*",), "summed", sp.Ge(s * p, 0)),
    smt(
        "rest <= del",
        sp.And(rest <= delta, rest >= 0, delta <= 1),
        ("rest apart", "p* >= 0", "rest >= 0", "P"),
        "p* >= 0",
    ),
    smt(
        "T0 of an arm",
        sp.Le(q * v, 1 - i - s - (K - eta) * po),
        ("kernel", "q", "qo", "po", "others apart", "marks", "apart", "po >= 0", "arms", *SIGNS),
        "p v = 1 - K p, (1 + t eta p)(1 - K p) <= 1 - (K - eta) p; v = 0 at ahat, q = 0 at a*",
    ),
    total(
        "T0 apart",
        sp.Le(T0, K - 2 - (K - eta) * rest),
        ("T0 of an arm", "eta"),
        "summed",
        sp.Le(q * v, 1 - i - s - (K - eta) * po),
    ),
    total(
        "Abar",
        sp.Eq(Abar, qh + rest + t * eta * s2),
        ("q", "qo", *SIGNS),
        "summed",
        sp.Eq(q, i * qh + po + t * eta * po**2),
    ),
    smt(
        "bulk of an arm",
        sp.Le(3 * qk**2, (1 + eta / 3) ** 2 * po),
        ("qk", "qo", "po <= 1/3", "po >= 0", *SIGNS),
        "p (1 + t eta p)^2 <= (1/3)(1 + eta/3)^2",
    ),
    total(
        "bulk summed",
        sp.Le(3 * bulk, (1 + eta / 3) ** 2 * rest),
        ("bulk of an arm", "eta"),
        "summed",
        sp.Le(3 * qk**2, (1 + eta / 3) ** 2 * po),
    ),
    total("bulk >= 0", sp.Ge(bulk, 0), ("qk",), "squares", sp.Ge(qk**2, 0, evaluate=False)),
    smt(
        "bulk",
        sp.Le(3 * bulk, (1 + eta / 3) ** 2 * delta),
        ("bulk summed", "rest <= del", "eta"),
        "rest <= del",
    ),
    Step("qk^2 <= bulk", sp.Le(qk**2, bulk), ("qk",), "one of them", Member(INDEX)),
    total("bulk4", sp.Le(bulk4, bulk**2), ("qk^2 <= bulk",), "qk^4 <= bulk qk^2", sp.Le(qk**4, bulk * qk**2)),
    smt(
        "E5 times del",
        sp.Le(delta * (2 * A * eta / 3 + eta**2 / 9 + (1 + eta / 3) ** 2 / 3), delta),
        ("E5 del pays the bulk", "P <= 1"),
        "del >= 0",
    ),
    smt(
        "del pays",
        sp.Le(delta * (2 * eta / 3 + eta**2 / 9) + bulk, delta),
        ("E5 times del", "bulk", "def A", "P <= 1", "eta"),
        "E5, A >= 1",
    ),
    smt("bulk <= del", sp.Le(bulk, delta), ("bulk", "E5 times del", "def A", "P <= 1", "eta"), "E5"),
    smt(
        "qo^2",
        sp.Le((po + t * eta * po**2) ** 2, 4 * lam * X * po**2),
        ("po >= 0", "arms", "def A", "def X", *SIGNS),
        "1 + t eta p <= A",
    ),
    smt(
        "positive",
        sp.And(X > 0, X1 >= 0, nt > 0, n > 0, S2 >= X**2, nt**2 <= 2 * S2),
        ("def A", "def X", "def X'", "def nt", "def S2", "def n", "lam+", "lam'+", "eta"),
        "squares",
    ),
)
WEIGHTS = (
    smt("w_1 >= 0", sp.And(w1 >= 0, w1 <= om1, j * om1 >= 0), ("w_1", "om covers", "marks"), "om off b"),
    total("W_1 >= 0", sp.Ge(W1, 0), ("w_1 >= 0",), "summed", sp.Ge(w1, 0)),
    total("om_b >= 0", sp.Ge(ob, 0), ("w_1 >= 0",), "summed", sp.Ge(j * om1, 0)),
    total("size_1", sp.Eq(size1, W1 + ob), ("w_1", "marks"), "off b and at b", sp.Eq(om1, w1 + j * om1)),
    Step("w_1 <= W_1", sp.Le(w1, W1), ("w_1 >= 0",), "one of them", Member(INDEX)),
    total(
        "squares of w_1", sp.Le(sq1, W1**2), ("w_1 >= 0", "w_1 <= W_1"), "w^2 <= W w", sp.Le(w1**2, W1 * w1)
    ),
    smt("w_1^4", sp.Le(w1**4, W1**3 * w1), ("w_1 >= 0", "w_1 <= W_1"), "w^3 <= W^3"),
    total("fourth powers of w_1", sp.Le(fo1, W1**4), ("w_1^4",), "summed", sp.Le(w1**4, W1**3 * w1)),
)
