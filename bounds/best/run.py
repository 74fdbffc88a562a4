"""One agent, one context, one run of L epochs: what the proof of variant `best` calls things, and what it assumes.

Everything that belongs to an arm is a symbol of the index "arm"; a mark is 1 at one arm and 0 at the others: i at the
greedy arm ahat of epoch L, s at the best arm a*, j at the greedy arm b of epoch L-1. `hat`, `star`, `prev` are the
labels of these arms, so that which of them coincide is a statement about numbers and no case can be forgotten.
"""

from __future__ import annotations

from typing import Any

import sympy as sp

from bounds.best.symbols import X1, X, eta, lam, lam1, mu, n, nt, rbar, th, x
from bounds.proofs import Hypothesis, Total, reals

INDEX = "arm"
# Per arm, epoch L: label, marks, probability, gap gamma (max fhat - fhat), gamma (fhat - f*), regret R, V^{L-1};
# p off {ahat, a*}; comparator weights q, those off {ahat, a*} and off {ahat, a*, b}; c, om, coefficient of R.
label, i, s, j, p, v, d, R = reals("label 1{ahat} 1{a*} 1{b} p v d R")
V1, po, q, qo, qk, c, om1, C1, w1, kp = reals("V_1 po q qo qk c om_1 C_1 w_1 kp")
# Of the run: arms, labels, learning rates of epochs L and L-1, t, level B of the gaps, epoch number.
K, hat, star, prev, gL, G1, t, B, L = reals("K hat star prev gamma_L gamma_{L-1} t B L")
qh, moved, om_hat, om_star, sg0, beta, arms, arms3, arms2 = reals(
    "q_hat mu_ om_hat om_star sg0 beta arms arms_3 arms_2"
)
# Sums over the arms.
P, ps, pb, rest, s2, Abar, PR, T0, CD, csum = reals("P p* p_b rest sum(po^2) Abar PR T0 sum(cd) sum(c)")
OV1, CR1, epsL, size1, ob, W1, sq1, fo1 = reals("OV_1 CR_1 eps_L size_1 om_b W_1 sum(w_1^2) sum(w_1^4)")
bulk, bulk4, oth, mass = reals("bulk sum(qk^4) sum(qo^2) sum(pk)")

APART = sp.Ne(hat, star)
CASES = {
    "A": sp.And(APART, sp.Ne(star, prev), sp.Ne(hat, prev)),
    "B": sp.And(APART, sp.Eq(hat, prev)),
    "C": sp.And(APART, sp.Eq(prev, star)),
    "D": sp.Eq(hat, star),
}
CASE_TEXTS = {
    "A": "ahat, a*, b differ",
    "B": "ahat = b is not a*",
    "C": "b = a* is not ahat",
    "D": "ahat = a*",
}


def define(name: str, text: str, *relations: Any, once: bool = False) -> Hypothesis:
    """What a symbol of the run stands for; once: in the last epoch of the backward chain only."""
    return Hypothesis(name, text, sp.And(*relations), kind="definition", once=once)


def marks(mark: sp.Symbol, arm: sp.Symbol) -> Any:
    """1 at this arm, 0 at every other."""
    return sp.Or(sp.And(sp.Eq(label, arm), sp.Eq(mark, 1)), sp.And(sp.Ne(label, arm), sp.Eq(mark, 0)))


ARMS = define("arms", "an integer number of arms, at least two", sp.Or(sp.Eq(K, 2), K >= 3))
LAST = (
    ARMS,
    define("marks", "of ahat, a* and b", marks(i, hat), marks(s, star), marks(j, prev)),
    define(
        "kernel",
        "inverse gap weighting in epoch L",
        v >= 0,
        sp.Or(sp.And(sp.Eq(i, 1), sp.Eq(v, 0), sp.Eq(p, P)), sp.And(sp.Eq(i, 0), sp.Eq(p * (K + v), 1))),
    ),
    define("regret", "f*(a*) - f*(a)", R >= 0, sp.Or(sp.Eq(s, 0), sp.Eq(R, 0))),
    Hypothesis("H1", "rewards in [0,1]: no arm's regret is above 1", sp.And(R <= 1)),
    define(
        "(I)", "v + d = gamma (max fhat - f*(a)): regret plus what no arm changes", sp.Eq(v + d, B + gL * R)
    ),
    define("V", "inverse probabilities are positive, so is the learning rate", V1 > 0, gL > 0),
    define(
        "po",
        "the probability off {ahat, a*}",
        sp.Or(
            *(
                sp.And(sp.Eq(i, 0), sp.Eq(s, 0), sp.Eq(po, p)),
                sp.And(sp.Eq(i, 1), sp.Eq(po, 0)),
                sp.And(sp.Eq(s, 1), sp.Eq(po, 0)),
            )
        ),
    ),
    define("qo", "p_a A_a = p_a (1 + t eta p_a) off {ahat, a*}", sp.Eq(qo, po + t * eta * po**2)),
    define(
        "qk",
        "the same off {ahat, a*, b}",
        sp.Or(sp.And(sp.Eq(j, 1), sp.Eq(qk, 0)), sp.And(sp.Eq(j, 0), sp.Eq(qk, qo))),
    ),
    define(
        "q_hat",
        "p A at ahat",
        sp.Or(
            sp.And(CASES["D"], sp.Eq(qh, 0)),
            sp.And(CASES["B"], sp.Eq(qh, P)),
            sp.And(APART, sp.Ne(hat, prev), sp.Eq(qh, P + t * eta)),
        ),
    ),
    define("q", "p_a A_a off a*", sp.Eq(q, i * qh + qo)),
    define(
        "mu_",
        "the weight of the comparator b",
        sp.Or(
            sp.And(CASES["A"], sp.Eq(moved, t * mu)),
            sp.And(sp.Or(CASES["D"], sp.Eq(hat, prev), sp.Eq(prev, star)), sp.Eq(moved, 0)),
        ),
    ),
    define("c", "the coefficient of d", sp.Eq(c, q - (Abar - moved) * s - moved * j)),
    define("C_1", "the coefficient of R", sp.Eq(C1, gL * (p - q + moved * j))),
    define(
        "enlarged",
        "case A: om_{a*} = max(c^2, (1-xi)^2)/(4 lam), om_ahat takes what is left of nt",
        sp.Or(sp.Eq(4 * lam * om_star, (Abar - moved) ** 2), sp.Eq(om_star, X1)),
        4 * lam * om_star >= (Abar - moved) ** 2,
        om_star >= X1,
        sp.Eq(4 * lam * (nt - om_star - om_hat), bulk),
    ),
    define(
        "om_1",
        "the weights on V^{L-1}: c^2/(4 lam), enlarged in case A",
        sp.Or(
            sp.And(CASES["A"], sp.Eq(i, 1), sp.Eq(om1, om_hat)),
            sp.And(CASES["A"], sp.Eq(s, 1), sp.Eq(om1, om_star)),
            sp.And(CASES["A"], sp.Eq(i, 0), sp.Eq(s, 0), sp.Eq(4 * lam * om1, c**2)),
            sp.And(sp.Or(*(CASES[k] for k in "BCD")), sp.Eq(4 * lam * om1, c**2)),
        ),
    ),
    define("kp", "p_a (A_a - 1) = t eta kp off b: 1 at ahat, p_a^2 elsewhere", sp.Eq(kp, i + po**2)),
    define(
        "w_1", "om_1 off b", sp.Or(sp.And(sp.Eq(j, 1), sp.Eq(w1, 0)), sp.And(sp.Eq(j, 0), sp.Eq(w1, om1)))
    ),
)
RATIO = sp.Le(G1, rbar * gL)
RATES = (
    define(
        "rates",
        "learning rates are not negative; for L = 2, where that of epoch 1 plays no role, it is read as 0",
        G1 >= 0,
        sp.Or(L >= 3, sp.And(sp.Eq(L, 2), sp.Eq(G1, 0))),
    ),
    define("def t", "t = gamma_{L-1}/(rbar gamma_L)", sp.Eq(t * rbar * gL, G1)),
    define(
        "L",
        "epochs are integers; fhat^1 = 0 makes every arm greedy in epoch 1: for L = 2, b = ahat",
        sp.Or(sp.And(sp.Eq(L, 2), sp.Eq(prev, hat)), sp.Eq(L, 3), L >= 4),
    ),
)
STEEP = (
    Hypothesis("ratio", "gamma_{L-1} <= rbar gamma_L: H5 if rbar = 1", RATIO, kind="case"),
    Hypothesis("no ratio", "then nothing is claimed", sp.Gt(G1, rbar * gL), kind="case"),
)
DECAY = (
    define(
        "sg0",
        "how much smaller than n the weights start",
        sp.Or(
            sp.And(sp.Or(CASES["A"], CASES["B"]), sp.Eq(sg0, 1)),
            sp.And(CASES["C"], sp.Eq(4 * lam1 * sg0 * n, 2 * X**2)),
            sp.And(CASES["D"], sp.Eq(4 * lam1 * sg0 * n, 2 * x**2 * (1 - P) ** 2)),
        ),
    ),
    define("beta", "what all weights below L-1 sum to", sp.Eq(beta * (1 - th * sg0), sg0 * n)),
)

TOTALS = (
    Total(K, sp.Integer(1)),
    Total(1, i),
    Total(1, s),
    Total(1, j),
    Total(1, p),
    Total(P, i * p),
    Total(ps, s * p),
    Total(pb, j * p),
    Total(rest, po),
    Total(s2, po**2),
    Total(Abar, q),
    Total(PR, p * R),
    Total(T0, q * v),
    Total(CD, c * d),
    Total(csum, c),
    Total(OV1, om1 * V1),
    Total(CR1, C1 * R),
    Total(epsL, d**2 / V1),
    Total(size1, om1),
    Total(ob, j * om1),
    Total(W1, w1),
    Total(sq1, w1**2),
    Total(fo1, w1**4),
    Total(bulk, qk**2),
    Total(bulk4, qk**4),
    Total(oth, qo**2),
)
# What a run is, whatever the parameters of the proof: the same in two uses of the claim.
PLAYED = (label, i, s, j, p, v, d, R, V1, K, hat, star, prev, gL, G1, B, L, P, ps, pb, PR, epsL)
MOVING = (label, i, s, j, p, v, d, R, V1, po, q, qo, qk, c, om1, C1, w1, kp)
