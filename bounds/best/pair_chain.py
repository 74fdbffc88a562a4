"""Two arms, continued: the backward chain of one number, and where it ends."""

from __future__ import annotations

import sympy as sp

from bounds.best import backward, decay, ending
from bounds.best.decay import (
    C2,
    CR2,
    EPOCH,
    OV2,
    PREVIOUS,
    V2,
    C,
    CRx,
    Cx,
    G,
    Lam,
    Nx,
    OVx,
    Vx,
    W,
    eps1,
    gamma,
    mark,
    om,
    om2,
    omx,
    risksx,
    size,
    size2,
    sizesx,
    sizex,
    w,
)
from bounds.best.last_epoch import total
from bounds.best.pair import FIRST, LAST_STEPS, NEXT, NOW, handed, o, o1, o2, ox, p2, state
from bounds.best.run import (
    C1,
    CR1,
    G1,
    OV1,
    PR,
    T0,
    V1,
    K,
    R,
    arms,
    epsL,
    gL,
    i,
    j,
    om1,
    t,
)
from bounds.best.symbols import eta, lam, lam1, smt
from bounds.proofs import Induction, Step

PREVIOUS_STEPS = (
    *backward.steps(PREVIOUS, "L-1", "w_1", ("om covers", "lam'+")),
    smt(
        "om_2 = o_2",
        sp.Eq(om2, o2),
        ("om below L-1", "L-1: c^2", "W_1", "om_1 = o_1", "o_2", "arms", "lam'+", "kernel at L-1"),
        "W = w = o",
    ),
    smt("G_1 >= 0", sp.Ge(G1, 0), ("t", "rbar+", "V"), "t rbar gamma_L"),
    smt(
        "C_2",
        sp.Eq(C2, C1 + G1 * o1 - 2 * G1 * j * o1),
        ("C below L-1", "om_1 = o_1", "W_1", "arms"),
        "W = o",
    ),
    smt("gains", sp.And(G1 * o1 >= 6 * G1 * o2, G1 * o2 >= 0), ("o_2 small", "G_1 >= 0"), "times gamma"),
    smt(
        "C at ahat",
        sp.Or(sp.Eq(i, 0), sp.And(sp.Eq(j, 1), sp.Eq(C1, 0)), sp.And(sp.Eq(j, 0), sp.Eq(C1, -gL * t * eta))),
        ("apart", "C_1", "q", "q_hat", "qo", "po", "mu_", "kernel", "marks"),
        "b is ahat or a*",
    ),
    smt(
        "C off ahat",
        sp.Or(sp.Eq(i, 1), sp.Eq(C1, -gL * t * eta * p2**2)),
        ("case D", "C_1", "q", "q_hat", "qo", "po", "mu_", "one other", "marks"),
        "p (A - 1)",
    ),
    smt(
        "o_1 and o_2",
        sp.Le(20 * o1 + 24 * o2, 5),
        ("o_1 bounded", "o_2", "parameters"),
        "5/24 + (6/5)(5/144) = 1/4",
    ),
    smt(
        "D: o_1 and o_2",
        sp.Le(20 * o1 + 24 * o2, 5 * p2**2),
        ("D: o_1", "D: Abar", "o_1 bounded", "o_2", "parameters"),
        "the same with p^2",
    ),
    *handed(
        "own",
        ("C_2", "gains", "t", "G_1 >= 0", "V", "marks", "regret", "parameters", "o_1 bounded", "o_2 small"),
        ("C at ahat", "ahat or a*", "arms", "o_1 and o_2"),
        ("C off ahat", "D: o_1 and o_2"),
    ),
    total("size_2", sp.Eq(size2, K * o2), ("om_2 = o_2",), "summed", sp.Eq(om2, o2)),
    smt(
        "L-2: so far",
        sp.Le(gL * PR, T0 + 4 * o1 + CR2 + OV2 + lam * epsL + lam1 * eps1),
        ("(F)", "L-1: chain step", "size_1", "arms"),
        "add",
    ),
    smt(
        "at L-2",
        state(*FIRST),
        ("om_2 = o_2", "o_2 small", "own", "L-2: so far", "G_1 >= 0", "parameters"),
        "together",
    ),
)
BELOW = (
    smt("l: signs", sp.And(om >= 0, Lam > 0), ("so far", "multiplier", "parameters"), "o >= 0"),
    smt("l: w", sp.Eq(w, o - mark * o), ("w", "so far"), "off the greedy arm"),
    total("l: W", sp.Eq(W, K * o - o), ("l: w",), "summed", sp.Eq(w, o - mark * o)),
    *backward.steps(EPOCH, "l", "w", ("l: signs",)),
    total("l: size", sp.Eq(size, K * o), ("so far",), "summed", sp.Eq(om, o)),
    smt(
        "l-1: om",
        sp.Eq(omx, ox),
        ("om below l", "l: c^2", "l: W", "l: w", "o'", "arms", "l: signs", "kernel at l"),
        "W = w = o",
    ),
    smt(
        "l-1: o",
        sp.And(ox >= 0, 6 * ox <= o, ox <= Nx, Nx > 0),
        ("o'", "so far", "multiplier", "parameters"),
        "o <= m",
    ),
    smt(
        "l-1: C",
        sp.Eq(Cx, C + gamma * o - 2 * gamma * mark * o),
        ("C below l", "l: w", "l: W", "arms"),
        "W = o",
    ),
    smt(
        "l-1: gains",
        sp.And(gamma * o >= 6 * gamma * ox, gamma * ox >= 0, G * o >= gamma * o),
        ("l-1: o", "H5", "so far"),
        "times gamma",
    ),
    smt(
        "l-1: potential",
        sp.Or(sp.Eq(R, 0), 5 * Cx + 6 * gamma * ox <= 0),
        ("so far", "l-1: C", "l-1: gains", "kernel at l"),
        "5 + 1 = 6; -5 + 1 <= 0",
    ),
    smt("l-1: sizes", sp.Le(5 * sizesx + 6 * ox, 6 * o2), ("sums", "so far", "l-1: o"), "5 + 1 = 6"),
    smt(
        "l-1: so far",
        sp.Le(gL * PR, T0 + 4 * o1 + 4 * sizesx + CRx + OVx + lam * epsL + lam1 * eps1 + risksx),
        ("so far", "l: chain step", "l: size", "sums", "arms"),
        "insert the chain step",
    ),
    smt(
        "below",
        state(*NEXT),
        ("l-1: om", "l-1: o", "l-1: potential", "l-1: sizes", "l-1: so far", "H5"),
        "together",
    ),
    Step(
        "every epoch",
        state(*NEXT),
        ("at L-2", "below"),
        "induction on l downwards",
        Induction(
            "so far",
            "at L-2",
            "below",
            dict(zip(NOW, NEXT, strict=True)) | decay.MOVES,
            dict(zip(NOW, FIRST, strict=True)) | decay.START,
        ),
    ),
)

CLAIM = ending.FINE["claim"]
ENDS = (
    ("L >= 4", "every epoch", Cx, CRx, ox, sizex, omx, Vx, OVx, "end", ("sums",)),
    ("L = 3", "at L-2", C2, CR2, o2, size2, om2, V2, OV2, "end at L-2", ()),
)
END = (
    *(
        step
        for name, now, C_, CR_, o_, size_, om_, V_, OV_, uniform, more in ENDS
        for step in (
            smt(f"{name}: C <= 0", sp.Le(C_ * R, 0), (now, "regret"), "or R = 0"),
            total(f"{name}: regrets cancel", sp.Le(CR_, 0), (f"{name}: C <= 0",), "summed", sp.Le(C_ * R, 0)),
            total(
                f"{name}: V = K",
                sp.Eq(OV_, K * K * o_),
                (name, uniform, now, "arms"),
                "uniform",
                sp.Eq(om_ * V_, K * o_),
            ),
            smt(
                f"{name}: end",
                sp.Le(gL * PR, arms + decay.risk),
                (name, now, f"{name}: regrets cancel", f"{name}: V = K", "budget", "arms", "maximum", "risk"),
                "add",
            ),
        )
    ),
    smt(
        "L = 2: C <= 0",
        sp.Le(C1 * R, 0),
        ("L = 2", "C_1", "q", "q_hat", "qo", "po", "mu_", "kernel", "marks", "t", "regret", "L"),
        "t = 0",
    ),
    total("L = 2: regrets cancel", sp.Le(CR1, 0), ("L = 2: C <= 0",), "summed", sp.Le(C1 * R, 0)),
    total(
        "L = 2: V = K",
        sp.Eq(OV1, K * K * o1),
        ("L = 2", "end at L-1", "om_1 = o_1", "arms"),
        "uniform",
        sp.Eq(om1 * V1, K * o1),
    ),
    smt(
        "L = 2: end",
        sp.Le(gL * PR, arms + decay.risk),
        (
            "L = 2",
            "(F)",
            "L = 2: regrets cancel",
            "L = 2: V = K",
            "budget",
            "o_2 small",
            "arms",
            "maximum",
            "risk",
        ),
        "add",
    ),
    *ending.concluded("claim", CLAIM, ending.ABOUT),
    smt("claims", sp.And(CLAIM, PR <= 1), ("claim", "capped"), "together"),
)
STEPS = (*LAST_STEPS, *PREVIOUS_STEPS, *BELOW, *END)
