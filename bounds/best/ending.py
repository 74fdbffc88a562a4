"""Part 6: the chain ends in epoch 1, which is uniform; the claim for two, three and more epochs."""

from __future__ import annotations

from typing import Any

import sympy as sp

from bounds.best.decay import (
    C2,
    CR2,
    OV2,
    V2,
    CRx,
    Cx,
    OVx,
    Vx,
    eps1,
    om2,
    omx,
    risk,
    risksx,
    size2,
    sizesx,
    sizex,
)
from bounds.best.last_epoch import total
from bounds.best.run import (
    C1,
    CR1,
    G1,
    OV1,
    PR,
    V1,
    K,
    L,
    R,
    arms,
    arms2,
    arms3,
    beta,
    epsL,
    gL,
    om1,
    sg0,
    size1,
)
from bounds.best.symbols import lam, lam1, n, rbar, smt
from bounds.proofs import Cases, Step

FLAT = sp.Gt(G1, rbar * gL)
FINE = {
    "epoch 2": sp.Or(sp.Ne(L, 2), sp.Le(gL * PR, arms2 + lam * epsL)),
    "epoch 3": sp.Or(sp.Ne(L, 3), FLAT, sp.Le(gL * PR, arms3 + lam * epsL + lam1 * eps1)),
    "claim": sp.Or(FLAT, sp.Le(gL * PR, arms + risk)),
}
ABOUT = (
    "risk",
    "L",
    "maximum",
    "kernel",
    "regret",
    "V",
    "V before L-1",
    "(I)",
    "(I) at L-1",
    "rates",
    "rbar+",
)
LENGTHS = ("L = 2", "L = 3", "L >= 4")


def concluded(name: str, statement: Any, about: tuple[str, ...]) -> tuple[Step, ...]:
    """For two, three and more epochs, and nothing if the learning rates are too close."""
    parts = tuple(f"{name}, {length}" for length in LENGTHS)
    return (
        *(
            smt(part, statement, (length, f"{length}: end", *about), "in its case")
            for part, length in zip(parts, LENGTHS, strict=True)
        ),
        Step(
            f"{name}, ratio",
            statement,
            (*parts, "L"),
            "two, three or more epochs",
            Cases(dict(zip(LENGTHS, parts, strict=True))),
        ),
        smt(f"{name}, no ratio", statement, ("no ratio", *about), "nothing is claimed; L = 2 has a ratio"),
        Step(
            name,
            statement,
            (f"{name}, ratio", f"{name}, no ratio"),
            "either way",
            Cases({"ratio": f"{name}, ratio", "no ratio": f"{name}, no ratio"}),
        ),
    )


END = (
    smt(
        "end: C <= 0",
        sp.Le(Cx * R, 0),
        ("every epoch", "regret", "th+", "1-th+", "E8 kap >= 3/2"),
        "or R = 0",
    ),
    total("end: regrets cancel", sp.Le(CRx, 0), ("end: C <= 0",), "summed", sp.Le(Cx * R, 0)),
    total("end: V = K", sp.Eq(OVx, K * sizex), ("end", "every epoch"), "uniform", sp.Eq(omx * Vx, K * omx)),
    smt(
        "end: sizes", sp.Le(sizesx + sizex, beta), ("every epoch", "th+", "1-th+"), "sg N <= sg N/(1 - th sg)"
    ),
    smt(
        "L >= 4: end",
        sp.Le(gL * PR, arms + lam * epsL + lam1 * eps1 + risksx),
        ("every epoch", "end: regrets cancel", "end: V = K", "end: sizes", "budget", "arms"),
        "add",
    ),
    smt("L = 3: C <= 0", sp.Le(C2 * R, 0), ("at L-2", "regret", "th+", "1-th+", "E8 kap >= 3/2"), "or R = 0"),
    total("L = 3: regrets cancel", sp.Le(CR2, 0), ("L = 3: C <= 0",), "summed", sp.Le(C2 * R, 0)),
    total(
        "L = 3: V = K",
        sp.Eq(OV2, K * size2),
        ("L = 3", "end at L-2", "L-2: om"),
        "uniform",
        sp.Eq(om2 * V2, K * om2),
    ),
    smt(
        "sg0 n <= beta",
        sp.And(sg0 * n <= beta, beta >= 0),
        ("beta", "start", "positive", "th+", "1-th+"),
        "1 - th sg0 <= 1",
    ),
    smt(
        "L = 3: end",
        sp.And(gL * PR <= arms3 + lam * epsL + lam1 * eps1, gL * PR <= arms + lam * epsL + lam1 * eps1),
        (
            "L-2: so far",
            "L = 3: regrets cancel",
            "L = 3: V = K",
            "L-2: size",
            "sg0 n <= beta",
            "budget of epoch 3",
            "budget",
            "arms",
        ),
        "add",
    ),
    smt("L = 2: C <= 0", sp.Le(C1 * R, 0), ("L = 2", "own", "mu_", "t", "regret"), "t = 0"),
    total("L = 2: regrets cancel", sp.Le(CR1, 0), ("L = 2: C <= 0",), "summed", sp.Le(C1 * R, 0)),
    total(
        "L = 2: V = K",
        sp.Eq(OV1, K * size1),
        ("L = 2", "end at L-1", "om covers"),
        "uniform",
        sp.Eq(om1 * V1, K * om1),
    ),
    smt(
        "L = 2: end",
        sp.And(gL * PR <= arms2 + lam * epsL, gL * PR <= arms + lam * epsL),
        (
            "L = 2",
            "(F)",
            "L = 2: regrets cancel",
            "L = 2: V = K",
            "sg0 n <= beta",
            "budget of epoch 2",
            "budget",
            "arms",
        ),
        "add",
    ),
    *(
        step
        for name in FINE
        for step in concluded(name, FINE[name], (*ABOUT, "maximum of epoch 2", "maximum of epoch 3"))
    ),
    smt("claims", sp.And(*FINE.values(), PR <= 1), (*FINE, "capped"), "together"),
)
