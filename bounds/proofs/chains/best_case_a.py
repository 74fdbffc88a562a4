"""Variant best, part 2: the positions of the greedy arm ahat, the best arm a* and the previous greedy arm b.

A: all distinct. B: ahat = b. C: b = a*. D: ahat = a*. Each case bounds T0 + K|om| and the om off b.
Distinct arms need K >= 3 in case A and wherever the bulk (arms outside {ahat, a*, b}) is not empty.
"""

from __future__ import annotations

import sympy as sp

from bounds.best.symbols import (
    N1,
    X1,
    A,
    X,
    Y,
    add,
    assume,
    bt,
    by_hand,
    condition,
    definition,
    eta,
    lam,
    mu,
    nt,
    smt,
    x,
    xi,
)
from bounds.proofs import Chain, Hypothesis, Step, Summation, Total, reals
from bounds.proofs.combination import Combination

K, t, P, delta, rest, p, p_star, p_b, squares = reals("K t P del del' p p* p_b sum(p^2)")
bulk, bulk_mass, cube, fourth, T0 = reals("bulk sum(p|bulk) sum(p^3|bulk) sum(p^4|bulk) T0")
c_hat, c_star, c_b, om_hat, om_star, om_bulk, om_b = reals("c_hat c_star c_b om_hat om_star om_bulk om_b")

ARMS = assume("K >= 3", "three different arms, or a bulk that is not empty", K >= 3)
MASS = assume(
    "probabilities",
    "del = 1 - P = p* + del', everything non-negative, at most 1/K off the greedy arm",
    sp.Eq(P, 1 - delta),
    sp.Eq(delta, p_star + rest),
    delta <= 1,
    p_star >= 0,
    rest >= 0,
    K * p_star <= 1,
)
NON_NEGATIVE = assume("squares are", "a sum of squares is non-negative", squares >= 0)
A_b, u_b = reals("A_b u_b")
ARM = assume("arm", "one arm off {ahat, a*}: 0 <= p <= 1/K", p >= 0, K * p <= 1)
T = assume("t", "t = r/rbar is in [0,1]", t >= 0, t <= 1)
BULK_SUMS = assume(
    "bulk",
    "c_a = p_a (1 + t eta p_a) in the bulk: the sum of c_a^2",
    sp.Eq(bulk, sp.Symbol("sum(p^2|bulk)", real=True) + 2 * t * eta * cube + t**2 * eta**2 * fourth),
    bulk_mass <= rest,
    bulk_mass >= 0,
)
SECOND = sp.Symbol("sum(p^2|bulk)", real=True)
DEFS = tuple(definition(name) for name in ("A", "xi", "X", "X'", "Y", "nt", "S2", "N1", "bt", "x"))
CONDITIONS = tuple(condition(k) for k in ("eta", "lam+", "E3 0", "E3 xi", "E5", "E6", "E12", "E11"))
BASE: tuple[Hypothesis, ...] = (ARMS, MASS, ARM, NON_NEGATIVE, T, BULK_SUMS, *DEFS, *CONDITIONS)
E5 = "E5 del pays the bulk"
SIGNS = ("eta", "t")

INDEXED = {"other arm": (p,), "bulk arm": (p,)}
TOTALS = {
    "other arm": (Total(squares, p**2), Total(rest, p)),
    "bulk arm": (Total(SECOND, p**2), Total(cube, p**3), Total(fourth, p**4), Total(bulk_mass, p)),
}


COMMON = (
    Step(
        "squares",
        sp.Le(squares, rest / 3),
        ("K >= 3", "arm"),
        "p_a^2 <= p_a/3, summed over the arms outside {ahat, a*}",
        Summation("other arm", sp.Le(p**2, p / 3)),
    ),
    Step(
        "bulk summed",
        sp.Le(SECOND + 2 * t * eta * cube + t**2 * eta**2 * fourth, (1 + eta / 3) ** 2 * bulk_mass / 3),
        ("K >= 3", "arm", "eta", "t"),
        "c_a^2 = p_a^2 (1 + t eta p_a)^2 <= (p_a/3)(1 + eta/3)^2, summed",
        Summation(
            "bulk arm", sp.Le(p**2 + 2 * t * eta * p**3 + t**2 * eta**2 * p**4, (1 + eta / 3) ** 2 * p / 3)
        ),
    ),
    Step(
        "bulk summed >= 0",
        sp.Ge(SECOND + 2 * t * eta * cube + t**2 * eta**2 * fourth, 0),
        ("arm", "eta", "t"),
        "a sum of squares",
        Summation("bulk arm", sp.Ge(p**2 + 2 * t * eta * p**3 + t**2 * eta**2 * p**4, 0)),
    ),
    smt("bulk >= 0", sp.Ge(bulk, 0), ("bulk summed >= 0", "bulk"), "the same sum"),
    smt(
        "bulk <= (del/3)(1+eta/3)^2",
        sp.Le(bulk, (1 + eta / 3) ** 2 * delta / 3),
        ("bulk summed", "bulk", "probabilities", "eta"),
        "the bulk's probability is at most del' <= del",
    ),
    smt(
        "bulk entries <= X",
        sp.Le((p * (1 + t * eta * p)) ** 2, 4 * lam * X),
        ("arm", "K >= 3", "def A", "def X", *SIGNS),
        "p <= 1/3",
    ),
)

case_A = assume(
    "case A",
    "P A_ahat = P + t eta, mu_ = t mu: the coefficients",
    sp.Eq(c_hat, P + t * eta),
    sp.Eq(c_star, 1 - p_star + t * eta + t * eta * squares - t * mu),
    sp.Eq(A_b, 1 + t * eta * p_b),
    sp.Eq(u_b, p_b * A_b),
    sp.Eq(c_b, u_b - t * mu),
    p_b >= 0,
    p_b <= rest,
    K * p_b <= 1,
)
enlarged = assume(
    "enlarged",
    "om_{a*} = max(c*^2, (1-xi)^2)/(4 lam), om_ahat = nt - om_{a*} - om_bulk",
    sp.Or(sp.Eq(4 * lam * om_star, c_star**2), sp.Eq(om_star, X1)),
    4 * lam * om_star >= c_star**2,
    om_star >= X1,
    sp.Eq(4 * lam * om_bulk, bulk),
    sp.Eq(om_hat, nt - om_star - om_bulk),
)
om_b_is = assume("om_b", "om_b = c_b^2/(4 lam)", sp.Eq(4 * lam * om_b, c_b**2))
T0_A = by_hand(
    "T0", "part 1: T0 <= #{others} - (K - eta) del', here # = K - 2", K - 2 - (K - eta) * rest >= T0
)

CASE_A = Chain(
    name="best: case A",
    title="ahat, a*, b distinct: T0 + K|om| <= K - 2 + K N1, |om off b| = nt, entries at most X",
    file=__file__,
    variant="best",
    hypotheses=(*BASE, case_A, enlarged, om_b_is, T0_A),
    steps=(
        *COMMON,
        smt(
            "mu_ <= Abar",
            sp.Ge(c_star, 0),
            (
                "case A",
                "probabilities",
                "squares are",
                "E12 mu <= 1/2",
                "K >= 3",
                "E3 0 <= xi",
                "def xi",
                *SIGNS,
            ),
            "Abar >= 1 - p* >= 2/3 >= mu",
        ),
        smt(
            "c_hat",
            sp.Le(c_hat**2, (1 + t * eta) ** 2 - delta),
            ("case A", "probabilities", *SIGNS),
            "(1 - del + t eta)^2, del <= 1",
        ),
        smt(
            "c_star",
            sp.Le(c_star, 1 - t * xi + t * eta * delta / 3),
            ("case A", "probabilities", "squares", "def xi", *SIGNS),
            "sum p^2 <= del'/3",
        ),
        smt(
            "c_star^2",
            sp.Le(c_star**2, (1 - t * xi) ** 2 + delta * (2 * eta / 3 + eta**2 / 9)),
            (
                "c_star",
                "mu_ <= Abar",
                "probabilities",
                "E3 0 <= xi",
                "E3 xi <= eta",
                "E12 mu <= 1/2",
                "def xi",
                *SIGNS,
            ),
            "square, 0 <= t xi <= 1, del <= 1",
        ),
        smt(
            "monotone in t",
            sp.Le((1 + t * eta) ** 2 + (1 - t * xi) ** 2, A**2 + (1 - xi) ** 2),
            ("def A", "E3 0 <= xi", "E3 xi <= eta", *SIGNS),
            "the derivative 2 eta (1 + t eta) - 2 xi (1 - t xi) is non-negative",
        ),
        smt(
            "del pays",
            sp.Le(delta * (2 * eta / 3 + eta**2 / 9 + (1 + eta / 3) ** 2 / 3), delta),
            (E5, "def A", "probabilities", "eta"),
            "E5 times del; A >= 1",
        ),
        add(
            "sum off b in t",
            sp.Le(c_hat**2 + c_star**2 + bulk, (1 + t * eta) ** 2 + (1 - t * xi) ** 2),
            ("c_hat", "c_star^2", "bulk <= (del/3)(1+eta/3)^2", "del pays"),
        ),
        smt(
            "4 lam nt",
            sp.Eq(4 * lam * nt, A**2 + (1 - xi) ** 2),
            ("def X", "def X'", "def nt"),
            "nt = X + X'",
        ),
        add(
            "sum off b",
            sp.Le(c_hat**2 + c_star**2 + bulk, 4 * lam * nt),
            ("sum off b in t", "monotone in t", "4 lam nt"),
            "t <= 1",
        ),
        smt(
            "sum off b and a*",
            sp.Le(c_hat**2 + bulk, 4 * lam * X),
            ("c_hat", "bulk <= (del/3)(1+eta/3)^2", E5, "def A", "def X", "probabilities", *SIGNS),
            "the same without a*; 4 lam X = A^2",
        ),
        smt(
            "om_hat covers c_hat^2",
            sp.Ge(4 * lam * om_hat, c_hat**2),
            ("enlarged", "sum off b", "sum off b and a*", "def nt", "lam+"),
            "either om_{a*} is c*^2/(4 lam) or X'",
        ),
        smt("om_hat <= X", sp.Le(om_hat, X), ("enlarged", "def nt", "bulk >= 0", "lam+"), "om_{a*} >= X'"),
        smt(
            "om_star <= X",
            sp.Le(om_star, X),
            (
                "enlarged",
                "c_star",
                "mu_ <= Abar",
                "probabilities",
                "def A",
                "def X",
                "E11 X' <= X",
                "lam+",
                "E3 0 <= xi",
                *SIGNS,
            ),
            "c* <= 1 + eta/3 <= A, and X' <= X",
        ),
        smt("|om off b| = nt", sp.Eq(om_hat + om_star + om_bulk, nt), ("enlarged",), "by construction"),
        smt(
            "A_b", sp.And(A_b >= 1, A_b**2 <= bt), ("case A", "K >= 3", "def bt", *SIGNS), "p_b <= 1/K <= 1/2"
        ),
        smt(
            "u_b",
            sp.And(u_b >= 0, K * u_b**2 <= p_b * bt),
            ("case A", "A_b", "K >= 3"),
            "K p_b^2 A_b^2 <= p_b A_b^2",
        ),
        smt(
            "c_b",
            sp.Le(c_b**2, mu**2 + u_b**2),
            ("case A", "u_b", "t", "E3 0 <= xi", "def xi", "eta"),
            "(u - w)^2 <= u^2 + w^2 for u, w >= 0, and w = t mu <= mu",
        ),
        smt(
            "p_b is paid",
            sp.Le(p_b * x, (K - eta) * rest),
            ("case A", "K >= 3", "E6 del pays the arm b", "def x", "def bt", "lam+", "eta"),
            "p_b <= del', K - eta >= 1 - eta >= x (E6)",
        ),
        smt(
            "K om_b",
            sp.Le(K * om_b, K * Y + p_b * x),
            ("c_b", "u_b", "om_b", "def Y", "def x", "K >= 3", "lam+"),
            "divide by 4 lam",
        ),
        Step(
            "T0 + K|om|",
            sp.Le(T0 + K * (nt + om_b), K - 2 + K * N1),
            ("T0", "K om_b", "p_b is paid", "def N1"),
            "T0 <= K - 2 - (K - eta) del'",
            Combination((("T0", 1), ("K om_b", 1), ("p_b is paid", 1), ("def N1", K))),
        ),
    ),
    concludes=(
        "T0 + K|om|",
        "|om off b| = nt",
        "om_hat <= X",
        "om_star <= X",
        "bulk entries <= X",
        "mu_ <= Abar",
    ),
    indexed=INDEXED,
    totals=TOTALS,
)

CHAINS = (CASE_A,)
