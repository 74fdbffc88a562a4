"""Variant best, part 6: the total coefficient of every arm's regret R_a, a != a*, is at most zero.

An arm's chain o_l = om^l_a squares itself from epoch to epoch until the arm is greedy: then w_a = 0, the
coefficient gains -gamma_l W, and the chain starts again from W^2/(4 Lam_l). G is the learning rate at the top
of a segment, gamma <= G the one of the current epoch (H5), and rho bounds o_l/n_l.
"""

from __future__ import annotations

from typing import Any

import sympy as sp

from bounds.best.symbols import (
    S2,
    X1,
    X,
    assume,
    by_hand,
    condition,
    definition,
    eta,
    kap,
    lam1,
    mu,
    n,
    nt,
    rbar,
    s,
    smt,
    th,
    xbar,
    y,
    zeta,
)
from bounds.proofs import Chain, Hypothesis, Induction, Step, reals

o, o1, o0, N, M, N0, sofar, sofar1, G, gamma, rho, start = reals(
    "o o' o0 N N' N0 sofar sofar' G gamma rho start"
)
W, kp, g_L, t, R, own, restarted, kept, moved, later = reals("W kp gamma_L t R own restarted kept mu_ later")


def potential(sofar: Any, o: Any, N: Any) -> Any:
    """What the segment has added, plus all it can still add, is at most what it started with."""
    return sp.And(sofar * (kap - th * rho) + G * kap * o <= G * kap * o0, o <= rho * N, o >= 0, N > 0)


SEGMENT = Chain(
    name="best: one segment of an arm's chain",
    title="sum gamma_l o_l <= G o_top/(1 - th rho/kap) when o_top <= rho n_top, rho <= 1",
    file=__file__,
    variant="best",
    hypotheses=(
        assume("rho", "0 <= rho <= 1", rho >= 0, rho <= 1),
        assume("top", "the segment's first weight", o0 >= 0, o0 <= rho * N0, N0 > 0),
        Hypothesis("so far", "the potential at l", potential(sofar, o, N), kind="induction"),
        assume("H5", "learning rates do not decrease with the epoch", gamma >= 0, gamma <= G),
        assume(
            "next",
            "add gamma_l o_l, then o_{l-1} = o_l^2 th/(kap n_l), n_{l-1} = th n_l",
            sp.Eq(sofar1, sofar + gamma * o),
            sp.Eq(kap * N * o1, th * o**2),
            sp.Eq(M, th * N),
        ),
        *(condition(k) for k in ("th+", "1-th+", "E8 kap")),
    ),
    steps=(
        smt("nothing yet", potential(sp.Integer(0), o0, N0), ("top",), "equality"),
        smt(
            "ratio",
            sp.And(kap * o1 <= th * rho * o, o1 >= 0),
            ("so far", "next", "th+", "E8 kap >= 3/2"),
            "o_l <= rho n_l",
        ),
        smt(
            "stays below",
            sp.Le(o1, rho * M),
            ("ratio", "so far", "next", "rho", "th+", "E8 kap >= 3/2"),
            "rho <= 1 <= kap",
        ),
        smt(
            "added",
            sp.Le(gamma * o * (kap - th * rho), G * o * (kap - th * rho)),
            ("H5", "so far", "rho", "th+", "1-th+", "E8 kap >= 3/2"),
            "gamma <= G, th rho <= 1 <= kap",
        ),
        smt("scaled ratio", sp.Le(G * kap * o1, G * th * rho * o), ("ratio", "H5"), "times G"),
        smt(
            "potential",
            sp.Le(sofar1 * (kap - th * rho) + G * kap * o1, G * kap * o0),
            ("so far", "next", "added", "scaled ratio"),
            "o (kap - th rho) + th rho o = kap o",
        ),
        smt(
            "one more",
            potential(sofar1, o1, M),
            ("potential", "stays below", "ratio", "so far", "next", "th+"),
            "together",
        ),
        Step(
            "every epoch",
            potential(sofar1, o1, M),
            ("nothing yet", "one more"),
            "induction",
            Induction(
                "so far",
                "nothing yet",
                "one more",
                {sofar: sofar1, o: o1, N: M},
                {sofar: sp.Integer(0), o: o0, N: N0},
            ),
        ),
        smt(
            "segment",
            sp.Le(sofar1 * (kap - th * rho), G * kap * o0),
            ("every epoch", "H5", "E8 kap >= 3/2"),
            "what is still to come is non-negative",
        ),
    ),
    concludes=("segment",),
)

positive = assume("X, nt", "X >= X' >= 0 < nt", X > 0, X1 >= 0, nt > 0)
RATIOS = Chain(
    name="best: the three segments",
    title="own chain <= kp s, after greedy at L-1 <= zeta W, after greedy below <= W",
    file=__file__,
    variant="best",
    hypotheses=(
        positive,
        by_hand(
            "own top",
            "own chain: om^{L-1}_a <= kp X, kp <= 1, so om^{L-2}_a <= kp X^2/(4 lam')",
            kp >= 0,
            kp <= 1,
            4 * lam1 * o0 <= (kp * X) ** 2,
            o0 >= 0,
        ),
        by_hand(
            "W top", "greedy at L-1: om^{L-2}_a = W^2/(4 lam')", W >= 0, nt >= W, sp.Eq(4 * lam1 * o0, W**2)
        ),
        by_hand(
            "W below",
            "greedy at l <= L-2: om^{l-1}_a = W^2 th/(kap n_l), N' = th n_l",
            W >= 0,
            W <= N,
            N > 0,
            sp.Eq(kap * N * o0, th * W**2),
            sp.Eq(M, th * N),
        ),
        by_hand("segment y", "the segment with rho = y", later * (kap - th * y) <= G * kap * o0),
        by_hand("segment xbar", "the segment with rho = xbar", later * (kap - th * xbar) <= G * kap * o0),
        by_hand("segment 1", "the segment with rho = 1", later * (kap - th) <= G * kap * o0),
        assume("G", "G >= 0", G >= 0),
        *(definition(k) for k in ("nt", "S2", "n", "xbar", "y", "zeta", "s")),
        *(condition(k) for k in ("lam'+", "th+", "1-th+", "kap+", "E8 kap", "E10", "E2 chains")),
    ),
    steps=(
        smt("S2 > 0", sp.And(S2 > 0, S2 >= X**2), ("def S2", "X, nt"), "X > 0"),
        smt(
            "y, xbar", sp.And(y >= 0, y <= 1, xbar >= 0, xbar <= 1), ("def y", "def xbar", "S2 > 0"), "shares"
        ),
        smt(
            "convergent",
            sp.And(kap - th * y > 0, kap - th * xbar > 0),
            ("y, xbar", "th+", "E2 chains converge+"),
            "",
        ),
        smt("kp^2 <= kp", sp.Le(4 * lam1 * o0, kp * X**2), ("own top",), "kp <= 1"),
        smt(
            "own chain fits",
            sp.Le(o0, y * n),
            ("kp^2 <= kp", "own top", "def y", "def n", "lam'+", "X, nt"),
            "y n = X^2/(4 lam')",
        ),
        smt(
            "G o0",
            sp.Le(G * kap * 4 * lam1 * o0, G * kap * kp * X**2),
            ("kp^2 <= kp", "G", "kap+"),
            "times G kap",
        ),
        smt("s", sp.Ge(s, X), ("def s", "convergent", "lam'+", "kap+"), "s - X is a quotient of positives"),
        smt(
            "own chain below L-1",
            sp.Le(later, G * kp * (s - X)),
            ("segment y", "G o0", "convergent", "def s", "lam'+", "own top", "G"),
            "(s - X)(1 - th y/kap) = X^2/(4 lam')",
        ),
        smt(
            "restart at L-1 fits",
            sp.Le(o0, xbar * n),
            ("W top", "def xbar", "def n", "S2 > 0", "lam'+"),
            "W <= nt",
        ),
        smt("G W", sp.Le(G * kap * 4 * lam1 * o0, G * kap * nt * W), ("W top", "G", "kap+"), "W^2 <= nt W"),
        smt(
            "restart at L-1",
            sp.Le(later, G * zeta * W),
            ("segment xbar", "G W", "convergent", "def zeta", "lam'+", "W top", "G"),
            "zeta (1 - th xbar/kap) = nt/(4 lam')",
        ),
        smt("restart below fits", sp.Le(o0, M), ("W below", "th+", "E8 kap >= 3/2"), "W <= n_l, kap >= 1"),
        smt("G W below", sp.Le(G * kap * o0, G * th * W), ("W below", "G", "th+", "kap+"), "W <= n_l"),
        smt(
            "restart below",
            sp.Le(later, G * W),
            ("segment 1", "G W below", "E10 2 th <= kap", "E2 chains converge+", "W below", "G"),
            "th/(kap - th) <= 1",
        ),
    ),
    concludes=(
        "own chain below L-1",
        "restart at L-1",
        "restart below",
        "own chain fits",
        "restart at L-1 fits",
    ),
)

TOTAL = Chain(
    name="best: coefficients",
    title="kept share + moved weight + own chain + segments <= 0",
    file=__file__,
    variant="best",
    hypotheses=(
        assume(
            "G",
            "G = gamma_{L-1} = t rbar gamma_L, t in [0,1]",
            sp.Eq(G, t * rbar * g_L),
            g_L > 0,
            t >= 0,
            t <= 1,
        ),
        assume(
            "kp",
            "kp = p_a^2, or 1 for ahat in A and C; p_a (A_a - 1) = t eta kp",
            kp >= 0,
            kp <= 1,
            sp.Eq(kept, t * eta * kp),
        ),
        by_hand(
            "own",
            "level L-1 gives at most G kp X, the rest G kp (s - X)",
            own <= G * kp * X + G * kp * (s - X),
        ),
        by_hand("segments", "segments after greedy epochs below L-1 add at most 0", later <= 0),
        by_hand(
            "restart",
            "greedy at L-1: -G W, then at most G zeta W",
            restarted <= -G * W + G * zeta * W,
            W >= 0,
        ),
        by_hand("moved", "only in case A and only for b, where W = nt", sp.Eq(moved, t * mu), sp.Eq(W, nt)),
        *(condition(k) for k in ("E1 ", "E2 mu", "E2 zeta", "rbar+", "eta")),
    ),
    steps=(
        smt("G >= 0", sp.Ge(G, 0), ("G", "rbar+"), "a product of non-negative numbers"),
        smt(
            "E1 scaled",
            sp.Le(G * s * kp, g_L * t * eta * kp),
            ("G", "kp", "E1 eta >= rbar s"),
            "times t gamma_L kp",
        ),
        smt(
            "own chain absorbed",
            sp.Le(-g_L * kept + own + later, 0),
            ("own", "segments", "E1 scaled", "kp"),
            "E1",
        ),
        smt("greedy at L-1", sp.Le(restarted, 0), ("restart", "G >= 0", "E2 zeta < 1+"), "zeta < 1"),
        smt(
            "E2 scaled",
            sp.Le(g_L * t * mu, G * (1 - zeta) * nt),
            ("G", "E2 mu <= rbar (1-zeta) nt"),
            "times t gamma_L",
        ),
        smt(
            "moved weight absorbed",
            sp.Le(-g_L * kept + g_L * moved + restarted + later, 0),
            ("moved", "restart", "E2 scaled", "segments", "kp", "G", "eta"),
            "E2: the arm b is greedy at L-1, its own chain starts there",
        ),
        smt(
            "greedy at L-1 otherwise",
            sp.Le(-g_L * kept + restarted + later, 0),
            ("greedy at L-1", "segments", "kp", "G", "eta"),
            "cases B and D: nothing was moved to b",
        ),
    ),
    concludes=("own chain absorbed", "moved weight absorbed", "greedy at L-1 otherwise"),
)

CHAINS = (SEGMENT, RATIOS, TOTAL)
