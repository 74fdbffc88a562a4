"""Part 4: epoch L-1. Its multiplier is lam', and what an arm kept in epoch L pays for what the epoch below may add."""

from __future__ import annotations

import sympy as sp

from bounds.best.backward import steps
from bounds.best.decay import (
    C2,
    CR2,
    FIRST,
    OV2,
    PREVIOUS,
    eps1,
    om2,
    potential,
    size2,
    square2,
    state,
)
from bounds.best.run import (
    G1,
    PR,
    T0,
    W1,
    K,
    R,
    epsL,
    gL,
    j,
    kp,
    sg0,
    size1,
    w1,
)
from bounds.best.symbols import X, kap, lam, lam1, n, nt, s, smt, th, xbar, y, zeta

NOT_OWN = (sp.Eq(R, 0), sp.Eq(j, 1))
NOT_B = (sp.Eq(R, 0), sp.Eq(j, 0))
AT_PREVIOUS = (
    *steps(PREVIOUS, "L-1", "w_1", ("om covers", "lam'+")),
    smt(
        "L-2: om",
        sp.And(om2 >= 0, 4 * lam1 * om2 <= W1**2, sp.Eq(4 * lam1 * om2, j * W1**2 + w1**2)),
        ("om below L-1", "L-1: c^2", "w_1 <= W_1", "w_1 >= 0", "w_1", "lam'+"),
        "w <= W",
    ),
    smt(
        "y and s",
        sp.And(
            y >= 0,
            kap - th * y > 0,
            (s - X) * (kap - th * y) * n * 4 * lam1 >= kap * X**2 * n,
            sp.Eq(y * n * 4 * lam1, X**2),
            s >= X,
        ),
        ("def y", "def s", "def n", "positive", "th+", "kap+", "lam'+", "E2 chains converge+"),
        "y <= 1",
    ),
    smt(
        "xbar and zeta",
        sp.And(
            kap - th * xbar > 0,
            sp.Eq(zeta * (kap - th * xbar) * 4 * lam1, kap * nt),
            zeta >= 0,
            sp.Eq(xbar * n * 4 * lam1, nt**2),
        ),
        ("def xbar", "def zeta", "def n", "positive", "th+", "kap+", "lam'+", "E2 chains converge+"),
        "xbar <= 1",
    ),
    smt("G_1 >= 0", sp.Ge(G1, 0), ("t", "rbar+", "V"), "t rbar gamma_L"),
    smt(
        "own: below",
        sp.Or(*NOT_OWN, sp.And(om2 * 4 * lam1 <= kp * X**2, -G1 * kp * (s - X) >= C2, kp >= 0, kp <= 1)),
        (
            "own",
            "w_1",
            "L-2: om",
            "C below L-1",
            "t",
            "V",
            "rbar+",
            "om covers",
            "E1 eta >= rbar s",
            "positive",
            "G_1 >= 0",
        ),
        "om <= kp X, kp <= 1, E1",
    ),
    smt(
        "own: fits",
        sp.Or(*NOT_OWN, om2 <= y * n),
        ("own: below", "y and s", "positive", "lam'+"),
        "y n = X^2/(4 lam')",
    ),
    smt(
        "own: paid",
        sp.Or(*NOT_OWN, C2 * (kap * n - th * om2) <= -G1 * kp * (s - X) * (kap - th * y) * n),
        ("own: below", "own: fits", "y and s", "positive", "G_1 >= 0", "th+"),
        "a product of monotone factors",
    ),
    smt(
        "own: X^2",
        sp.Or(*NOT_OWN, 4 * lam1 * G1 * kp * (s - X) * (kap - th * y) * n >= G1 * kp * kap * n * X**2),
        ("own: below", "y and s", "G_1 >= 0"),
        "(s - X)(1 - th y/kap) = X^2/(4 lam')",
    ),
    smt(
        "own: potential",
        sp.Or(*NOT_OWN, C2 * (kap * n - th * om2) + G1 * kap * n * om2 <= 0),
        ("own: paid", "own: X^2", "own: below", "G_1 >= 0", "kap+", "positive", "lam'+"),
        "add",
    ),
    smt(
        "b: below",
        sp.Or(*NOT_B, sp.And(sp.Eq(4 * lam1 * om2, W1**2), -G1 * zeta * W1 >= C2, om2 <= xbar * n)),
        ("own", "w_1", "L-2: om", "C below L-1", "b is paid", "start", "W_1 >= 0", "xbar and zeta", "lam'+"),
        "-(1 - zeta) gamma W pays what was moved, W <= nt",
    ),
    smt(
        "b: paid",
        sp.Or(*NOT_B, C2 * (kap * n - th * om2) <= -G1 * zeta * W1 * (kap - th * xbar) * n),
        ("b: below", "xbar and zeta", "positive", "G_1 >= 0", "W_1 >= 0", "th+"),
        "a product of monotone factors",
    ),
    smt(
        "b: nt",
        sp.Ge(4 * lam1 * G1 * zeta * W1 * (kap - th * xbar) * n, G1 * kap * n * W1**2),
        ("xbar and zeta", "start", "W_1 >= 0", "G_1 >= 0", "kap+", "positive"),
        "zeta (1 - th xbar/kap) = nt/(4 lam')",
    ),
    smt(
        "b: potential",
        sp.Or(*NOT_B, C2 * (kap * n - th * om2) + G1 * kap * n * om2 <= 0),
        ("b: paid", "b: nt", "b: below", "lam'+"),
        "add",
    ),
    smt("L-2: potential", potential(C2, om2, n, G1), ("own: potential", "b: potential", "w_1"), "b or not b"),
    smt(
        "L-2: size",
        sp.And(size2 <= sg0 * n, 3 * om2 <= 2 * sg0 * n),
        ("L-1: size below", "L-2: om", "start", "lam'+"),
        "divided by 4 lam'",
    ),
    smt(
        "L-2: squares",
        sp.Le(square2, (kap - 1) * sg0**2 * n**2),
        ("L-1: squares below", "start", "lam'+"),
        "the same",
    ),
    smt(
        "L-2: so far",
        sp.Le(gL * PR, T0 + K * size1 + CR2 + OV2 + lam * epsL + lam1 * eps1),
        ("(F)", "L-1: chain step"),
        "add",
    ),
    smt(
        "at L-2",
        state(*FIRST),
        (
            "L-2: om",
            "L-2: potential",
            "L-2: size",
            "L-2: squares",
            "L-2: so far",
            "positive",
            "start",
            "G_1 >= 0",
            "beta",
        ),
        "together",
    ),
)
