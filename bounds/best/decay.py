"""What is known of epoch l in the backward chain, as one statement: parts 4 and 5 carry it from epoch to epoch.

At l the weights are at most sg n_l with n_{l-1} = th n_l and sg squared from epoch to epoch, what is multiplied by K
stays below beta, and an arm's coefficient C with all that its weight om may still add stays below zero:
C + gamma om/(1 - th om/(kap n_l)) <= 0.
"""

from __future__ import annotations

from typing import Any

import sympy as sp

from bounds.best.backward import Epoch, definitions, totals
from bounds.best.run import (
    C1,
    CR1,
    G1,
    OV1,
    PR,
    T0,
    V1,
    W1,
    K,
    L,
    R,
    beta,
    define,
    epsL,
    fo1,
    gL,
    j,
    om1,
    sg0,
    size1,
    sq1,
    w1,
)
from bounds.best.symbols import kap, lam, lam1, n, th
from bounds.proofs import Hypothesis, Total, reals

names = "p_1 v_1 d_1 c_1 om_2 C_2 V_2 P_1 B_1 sum(c_1d_1) sum(c_1) eps_{L-1} size_2 square_2 OV_2 CR_2"
p1, v1, d1, c1, om2, C2, V2, P1, B1, CD1, csum1, eps1, size2, square2, OV2, CR2 = reals(names)
PREVIOUS = Epoch(
    mark=j,
    p=p1,
    V=V1,
    v=v1,
    d=d1,
    c=c1,
    om=om1,
    w=w1,
    C=C1,
    om_next=om2,
    C_next=C2,
    V_next=V2,
    P=P1,
    B=B1,
    rate=G1,
    multiplier=lam1,
    size=size1,
    W=W1,
    sq=sq1,
    fo=fo1,
    OV=OV1,
    CR=CR1,
    CD=CD1,
    csum=csum1,
    eps=eps1,
    size_next=size2,
    square_next=square2,
    OV_next=OV2,
    CR_next=CR2,
)
mark, p, V, v, d, c, om, w, C, omx, Cx, Vx = reals("1{ahat_l} p_l V_l v_l d_l c_l om w C om' C' V'")
P, B, gamma, Lam, size, W, sq, fo, OV, CR, CD, csum = reals(
    "P_l B_l gamma_l Lam size W sum(w^2) sum(w^4) OV CR sum(cd_l) sum(c_l)"
)
eps, sizex, squarex, OVx, CRx = reals("eps_l size' square' OV' CR'")
EPOCH = Epoch(
    mark,
    p,
    V,
    v,
    d,
    c,
    om,
    w,
    C,
    omx,
    Cx,
    Vx,
    P,
    B,
    gamma,
    Lam,
    size,
    W,
    sq,
    fo,
    OV,
    CR,
    CD,
    csum,
    eps,
    sizex,
    squarex,
    OVx,
    CRx,
)
N, sg, square, sizes, risks, G, Nx, sgx, sizesx, risksx = reals(
    "N sg square sizes risks G N' sg' sizes' risks'"
)
risk = reals("risk")[0]


def potential(C: Any, om: Any, N: Any, G: Any) -> Any:
    """What an arm's coefficient may still become, unless the arm is a best one."""
    return sp.Or(sp.Eq(R, 0), C * (kap * N - th * om) + G * kap * N * om <= 0)


def state(
    om: Any, C: Any, N: Any, sg: Any, size: Any, square: Any, sizes: Any, CR: Any, OV: Any, risks: Any, G: Any
) -> Any:
    """Everything that is known when epoch l is about to be used; G is the learning rate of epoch l+1."""
    return sp.And(
        om >= 0,
        3 * om <= 2 * sg * N,
        potential(C, om, N, G),
        size <= sg * N,
        square <= (kap - 1) * sg**2 * N**2,
        N > 0,
        sg >= 0,
        sg <= 1,
        G >= 0,
        sizes * (1 - th * sg) + sg * N <= beta * (1 - th * sg),
        gL * PR <= T0 + K * size1 + K * sizes + CR + OV + lam * epsL + lam1 * eps1 + risks,
    )


NOW = (om, C, N, sg, size, square, sizes, CR, OV, risks, G)
NEXT = (omx, Cx, Nx, sgx, sizex, squarex, sizesx, CRx, OVx, risksx, gamma)
FIRST = (om2, C2, n, sg0, size2, square2, sp.Integer(0), CR2, OV2, sp.Integer(0), G1)

# What the epochs below L are, whatever the parameters of the proof.
PLAYED = (p1, v1, d1, V2, P1, B1, eps1, mark, p, V, v, d, Vx, P, B, G, gamma, eps)
# Of the inverse probabilities nothing is known from epoch to epoch but that OV is their sum, weighted by om.
MOVES = {V: Vx}
START = {V: V2}

HYPOTHESES = (
    *definitions(PREVIOUS, "L-1"),
    *definitions(EPOCH, "l"),
    Hypothesis("so far", "the state at l", state(*NOW), kind="induction"),
    Hypothesis("H5", "learning rates do not decrease with the epoch", sp.And(gamma <= G, gamma >= 0)),
    define(
        "w",
        "om off the greedy arm",
        sp.Or(sp.And(sp.Eq(mark, 1), sp.Eq(w, 0)), sp.And(sp.Eq(mark, 0), sp.Eq(w, om))),
    ),
    define(
        "multiplier",
        "Lam_l = kap n_l/(4 th), n_{l-1} = th n_l",
        sp.Eq(4 * th * Lam, kap * N),
        sp.Eq(Nx, th * N),
    ),
    define("sg'", "squared", sp.Eq(sgx, sg**2)),
    define("sums", "what epoch l adds", sp.Eq(sizesx, sizes + size), sp.Eq(risksx, risks + Lam * eps)),
    define("end at L-1", "L = 2: epoch L-1 is uniform", sp.Or(L >= 3, sp.Eq(V1, K))),
    define("end at L-2", "L = 3: epoch L-2 is uniform", sp.Or(L >= 4, sp.Eq(L, 2), sp.Eq(V2, K))),
    define("end", "l - 1 = 1 is uniform", sp.Eq(Vx, K), once=True),
    define(
        "risk",
        "the risks of all epochs",
        sp.Or(
            sp.And(sp.Eq(L, 2), sp.Eq(risk, lam * epsL)),
            sp.And(sp.Eq(L, 3), sp.Eq(risk, lam * epsL + lam1 * eps1)),
            sp.And(L >= 4, sp.Eq(risk, lam * epsL + lam1 * eps1 + risksx)),
        ),
        once=True,
    ),
    Hypothesis("L = 2", "two epochs", sp.Eq(L, 2), kind="case"),
    Hypothesis("L = 3", "three epochs", sp.Eq(L, 3), kind="case"),
    Hypothesis("L >= 4", "four epochs or more", sp.And(L >= 4), kind="case"),
)
MOVING = (*PREVIOUS.arm_symbols, *EPOCH.arm_symbols)
TOTALS = (*totals(PREVIOUS), *totals(EPOCH), Total(square, om**2))
