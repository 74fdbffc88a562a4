"""Variant best, part 1: the last epoch. Two comparators (best arm, previous greedy arm b), then AM-GM.

(F)  gamma_L sum_a p_a R_a <= T0 + mu_ gamma_L R_b - gamma_L sum_a p_a (A_a - 1) R_a
                              + sum_a om_a V^{L-1}_a + lam eps^L
"""

from __future__ import annotations

import sympy as sp

from bounds.best.symbols import assume, condition, eta, lam
from bounds.proofs import Chain, Hypothesis, Smt, Step, Summation, Total, reals

# One arm: probability, scaled gap, scaled error, scaled regret gamma_L R_a, weight q = p A, coefficient c, V.
p, v, d, R, q, c, om, V, K = reals("p v d R q c om V K")
d_star, v_star, d_b, v_b, R_b = reals("d* v* d_b v_b R_b")
share, moved, total, t = reals("share mu_ Abar t")
T0, QR, QD, CD, OV, eps, PR, kept, rest, number, P = reals("T0 QR QD CD OV eps PR kept del' # P")
first, second = reals("sum(pv) sum(p^2v)")

LAST = Chain(
    name="best: last epoch",
    title="Two comparators and AM-GM bound the last epoch's regret by the V of the epoch before",
    file=__file__,
    variant="best",
    hypotheses=(
        assume(
            "kernel",
            "inverse gap weighting off the greedy arm, V = K + v",
            sp.Eq(p * (K + v), 1),
            v >= 0,
            K >= 2,
        ),
        assume("gaps", "scaled gaps are non-negative", v_star >= 0, v_b >= 0),
        assume("(I) a*", "(I) with j = a*, R_{a*} = 0", sp.Eq(v - v_star, R - d + d_star)),
        assume("(I) b", "(I) with j = b", sp.Eq(v - v_b, R - R_b - d + d_b)),
        Hypothesis(
            "share",
            "the share mu_/Abar of the comparator b; it is the same for every arm",
            sp.And(share >= 0, share <= 1, sp.Eq(share * total, moved)),
            fixes={"arm": (share, total, moved, d_star, d_b, R_b)},
        ),
        assume("weights", "q_a = p_a A_a with A_a >= 0", q >= 0),
        assume("lam", "lam > 0, V > 0", lam > 0, V > 0),
        assume("om", "om_a = c_a^2/(4 lam)", sp.Eq(4 * lam * om, c**2)),
        Hypothesis("errors", "the scaled errors d are any reals", declares=(d,)),
        condition("eta"),
        assume(
            "A_a",
            "A_a = 1 + t eta p_a off {ahat, a*}, and v = 0 at ahat",
            sp.Eq(T0, first + t * eta * second),
        ),
        assume("t", "t = r/rbar is in [0,1]", t >= 0, t <= 1),
        assume("split", "p_a A_a = p_a + p_a(A_a - 1); the sums of it", sp.Eq(QR, PR + kept)),
        assume(
            "c",
            "c collects the coefficient of each d_a",
            sp.Eq(CD, QD - (total - moved) * d_star - moved * d_b),
        ),
    ),
    steps=(
        Step("p <= 1/K", sp.And(p > 0, p * K <= 1), ("kernel",), "v >= 0 in p = 1/(K+v)", Smt()),
        Step("p v = 1 - K p", sp.Eq(p * v, 1 - K * p), ("kernel",), "V = K + v", Smt()),
        Step("comparator a*", sp.Le(R, v + d - d_star), ("(I) a*", "gaps"), "v* >= 0", Smt()),
        Step("comparator b", sp.Le(R, v + d - d_b + R_b), ("(I) b", "gaps"), "v_b >= 0", Smt()),
        Step(
            "both comparators",
            sp.Le(QR, T0 + QD - total * (1 - share) * d_star - total * share * (d_b - R_b)),
            ("comparator a*", "comparator b", "share", "weights"),
            "(1 - share) times the first plus share times the second, summed with the weights q_a",
            Summation("arm", sp.Le(q * R, q * (v + d - (1 - share) * d_star - share * (d_b - R_b)))),
        ),
        Step(
            "AM-GM",
            sp.Le(CD, OV + lam * eps),
            ("lam", "om", "errors"),
            "c d <= c^2 V/(4 lam) + lam d^2/V, summed over all arms; sum d^2/V is eps^L",
            Summation("any arm", sp.Le(c * d, om * V + lam * d**2 / V)),
        ),
        Step(
            "(F)",
            sp.Le(PR, T0 + moved * R_b - kept + OV + lam * eps),
            ("both comparators", "AM-GM", "share", "split", "c"),
            "insert the sums",
            Smt(),
        ),
        Step(
            "T0 summed",
            sp.Le(first + t * eta * second, number - (K - eta) * rest),
            ("kernel", "p <= 1/K", "p v = 1 - K p", "eta", "t"),
            "p_a A_a v_a = (1 + t eta p_a)(1 - K p_a) <= 1 - (K - eta) p_a over the arms outside {ahat, a*}",
            Summation("other arm", sp.Le(p * v + t * eta * p**2 * v, 1 - (K - eta) * p)),
        ),
        Step("T0", sp.Le(T0, number - (K - eta) * rest), ("T0 summed", "A_a"), "the same sum", Smt()),
        Step(
            "greedy arm",
            sp.Le(1 - P, (K - 1) / K),
            ("p <= 1/K", "kernel"),
            "the K - 1 other arms have at most 1/K each: P >= 1/K, so V <= K at the greedy arm",
            Summation("not greedy", sp.Le(p, 1 / K)),
        ),
    ),
    concludes=("(F)", "T0", "greedy arm"),
    indexed={
        "arm": (v, d, R, q),
        "any arm": (c, d, V, om),
        "other arm": (p, v),
        "not greedy": (p, v),
    },
    totals={
        "arm": (Total(QR, q * R), Total(T0, q * v), Total(QD, q * d), Total(total, q)),
        "any arm": (Total(CD, c * d), Total(OV, om * V), Total(eps, d**2 / V)),
        "other arm": (
            Total(first, p * v),
            Total(second, p**2 * v),
            Total(rest, p),
            Total(number, sp.Integer(1)),
        ),
        "not greedy": (Total(1 - P, p), Total(K - 1, sp.Integer(1))),
    },
)

CHAINS = (LAST,)
