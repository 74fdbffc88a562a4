"""Part 2, case A: ahat, a* and b are three arms. The weights are enlarged so that off b they sum to nt."""

from __future__ import annotations

import sympy as sp

from bounds.best.last_epoch import total
from bounds.best.positions import BUDGET, SIGNS, START, delta, handed
from bounds.best.run import (
    T0,
    W1,
    Abar,
    K,
    bulk,
    bulk4,
    c,
    fo1,
    i,
    j,
    moved,
    ob,
    om1,
    om_hat,
    om_star,
    p,
    pb,
    po,
    qh,
    qk,
    qo,
    rest,
    s,
    size1,
    sq1,
    t,
    w1,
)
from bounds.best.symbols import N1, S2, X1, A, X, Y, bt, eta, lam, mu, nt, smt, x, xi
from bounds.proofs import Step
from bounds.proofs.combination import Combination

star = Abar - moved
FIRST = (
    smt(
        "A: at a*",
        sp.And(star >= 0, star <= 1 - t * xi + t * eta * delta / 3),
        (
            "case A",
            "Abar",
            "q_hat",
            "mu_",
            "rest apart",
            "s2 apart",
            "s2 >= 0",
            "rest <= del",
            "p* <= 1/K",
            "arms",
            "E12 mu <= 1/2",
            "E3 0 <= xi",
            "def xi",
            *SIGNS,
        ),
        "Abar >= 1 - p* >= 1/2 >= mu; sum p^2 <= del/3",
    ),
    handed("A", "mu_ fits", ("A: at a*", "mu_", "E3 0 <= xi", "def xi", *SIGNS), "c* >= 0"),
    smt(
        "A: at a*, squared",
        sp.Le(star**2, (1 - t * xi) ** 2 + delta * (2 * eta / 3 + eta**2 / 9)),
        ("A: at a*", "P", "P <= 1", "E3 0 <= xi", "E3 xi <= eta", "E12 mu <= 1/2", "def xi", *SIGNS),
        "0 <= t xi <= 1",
    ),
    smt(
        "A: at ahat",
        sp.Le(qh**2, (1 + t * eta) ** 2 - delta),
        ("case A", "q_hat", "P", "P <= 1", *SIGNS),
        "(1 - del + t eta)^2",
    ),
    smt(
        "A: monotone in t",
        sp.Le((1 + t * eta) ** 2 + (1 - t * xi) ** 2, A**2 + (1 - xi) ** 2),
        ("def A", "E3 0 <= xi", "E3 xi <= eta", *SIGNS),
        "2 eta (1 + t eta) >= 2 xi (1 - t xi)",
    ),
    smt("4 lam nt", sp.Eq(4 * lam * nt, A**2 + (1 - xi) ** 2), ("def X", "def X'", "def nt"), "nt = X + X'"),
    Step(
        "A: off b",
        sp.Le(qh**2 + star**2 + bulk, 4 * lam * nt),
        ("A: at ahat", "A: at a*, squared", "del pays", "A: monotone in t", "4 lam nt"),
        "their sum",
        Combination(
            tuple(
                (k, 1)
                for k in ("A: at ahat", "A: at a*, squared", "del pays", "A: monotone in t", "4 lam nt")
            )
        ),
    ),
    smt(
        "A: off b and a*",
        sp.Le(qh**2 + bulk, 4 * lam * X),
        ("A: at ahat", "bulk <= del", "def A", "def X", *SIGNS),
        "(1 + t eta)^2 <= A^2",
    ),
    smt(
        "A: om_hat",
        sp.And(4 * lam * om_hat >= qh**2, om_hat <= X, om_hat >= 0),
        ("enlarged", "A: off b", "A: off b and a*", "def nt", "bulk >= 0", "lam+"),
        "om_{a*} is c*^2/(4 lam) or X'",
    ),
    smt(
        "A: om_star",
        sp.And(om_star <= X, om_star >= X1),
        (
            "enlarged",
            "A: at a*",
            "P",
            "P <= 1",
            "def A",
            "def X",
            "E11 X' <= X",
            "E3 0 <= xi",
            "lam+",
            *SIGNS,
        ),
        "c* <= 1 + eta/3 <= A, and X' <= X",
    ),
    smt(
        "A: c",
        sp.And(
            sp.Or(sp.Eq(i, 0), sp.Eq(c, qh)),
            sp.Or(sp.Eq(s, 0), sp.Eq(c, -star)),
            sp.Or(sp.Eq(i, 1), sp.Eq(s, 1), sp.Eq(j, 1), sp.And(sp.Eq(c, qk), sp.Eq(qk, qo))),
        ),
        ("case A", "c", "q", "qo", "qk", "po", "marks"),
        "at ahat, at a*, in the bulk",
    ),
    handed(
        "A",
        "om covers",
        ("A: c", "A: om_hat", "A: om_star", "enlarged", "om_1", "marks", "positive", "lam+"),
        "whichever arm it is",
    ),
)
u = po + t * eta * po**2
AFTER = (
    smt(
        "A: w",
        sp.Eq(4 * lam * w1, 4 * lam * om_hat * i + 4 * lam * om_star * s + qk**2),
        ("case A", "w_1", "om_1", "A: c", "qk", "qo", "po", "marks"),
        "whichever arm it is",
    ),
    total(
        "A: W summed",
        sp.Eq(4 * lam * W1, 4 * lam * om_hat + 4 * lam * om_star + bulk),
        ("A: w",),
        "summed",
        sp.Eq(4 * lam * w1, 4 * lam * om_hat * i + 4 * lam * om_star * s + qk**2),
    ),
    smt("A: W", sp.Eq(W1, nt), ("A: W summed", "enlarged", "lam+"), "by construction"),
    smt(
        "A: w^2",
        sp.Eq(16 * lam**2 * w1**2, 16 * lam**2 * om_hat**2 * i + 16 * lam**2 * om_star**2 * s + qk**4),
        ("A: w", "case A", "qk", "qo", "po", "marks"),
        "one of the three",
    ),
    total(
        "A: w^2 summed",
        sp.Eq(16 * lam**2 * sq1, 16 * lam**2 * om_hat**2 + 16 * lam**2 * om_star**2 + bulk4),
        ("A: w^2",),
        "summed",
        sp.Eq(16 * lam**2 * w1**2, 16 * lam**2 * om_hat**2 * i + 16 * lam**2 * om_star**2 * s + qk**4),
    ),
    smt(
        "A: bulk squared",
        sp.Eq(bulk**2, 16 * lam**2 * (nt - om_star - om_hat) ** 2),
        ("enlarged",),
        "squared",
    ),
    smt(
        "A: squares with lam",
        sp.Le(16 * lam**2 * sq1, 16 * lam**2 * (om_star**2 + (nt - om_star) ** 2)),
        ("A: w^2 summed", "A: bulk squared", "bulk4", "A: om_hat", "enlarged", "bulk >= 0", "lam+"),
        "om_hat^2 + om_bulk^2 <= (om_hat + om_bulk)^2",
    ),
    smt(
        "A: squares",
        sp.Le(sq1, S2),
        ("A: squares with lam", "A: om_star", "def nt", "def S2", "lam+"),
        "convex in om_{a*}, X' <= om_{a*} <= X",
    ),
    smt(
        "A: entries",
        sp.Le(w1, X),
        (
            "A: w",
            "A: om_hat",
            "A: om_star",
            "marks",
            "qk^2 <= bulk",
            "case A",
            "bulk <= del",
            "P",
            "def X",
            "def A",
            "eta",
            "lam+",
            "qk",
            "qo",
            "po",
        ),
        "whichever arm it is",
    ),
    smt(
        "A: u", sp.And(u >= 0, K * u**2 <= po * bt), ("po >= 0", "arms", "def bt", *SIGNS), "p <= 1/K <= 1/2"
    ),
    smt(
        "A: c at b",
        sp.Or(sp.Eq(j, 0), sp.And(sp.Eq(po, p), sp.Eq(c, u - t * mu), sp.Eq(4 * lam * om1, c**2))),
        ("case A", "c", "q", "qo", "po", "mu_", "om_1", "marks"),
        "b is neither ahat nor a*",
    ),
    smt(
        "A: c^2 at b",
        sp.Or(sp.Eq(j, 0), c**2 <= u**2 + mu**2),
        ("A: c at b", "A: u", "E3 0 <= xi", "def xi", *SIGNS),
        "(u - t mu)^2 <= u^2 + mu^2",
    ),
    smt(
        "A: om at b",
        sp.Le(K * j * om1, K * j * Y + x * j * p),
        ("A: c at b", "A: c^2 at b", "A: u", "def Y", "def x", "marks", "lam+", "arms"),
        "divided by 4 lam",
    ),
    total(
        "A: om_b",
        sp.Le(K * ob, K * Y + x * pb),
        ("A: om at b",),
        "at the one arm b",
        sp.Le(K * j * om1, K * j * Y + x * j * p),
    ),
    smt("A: p at b", sp.Le(j * p, po), ("case A", "po", "po >= 0", "marks"), "b is one of the others"),
    total("A: p_b", sp.Le(pb, rest), ("A: p at b",), "summed", sp.Le(j * p, po)),
    smt(
        "A: p_b is paid",
        sp.Le(pb * x, (K - eta) * rest),
        ("A: p_b", "rest <= del", "arms", "E6 del pays the arm b", "def x", "def bt", "lam+", "eta"),
        "K - eta >= 1 - eta >= x",
    ),
    Step(
        "A: T0 + K|om|",
        sp.Le(T0 + K * size1, K - 2 + K * N1),
        ("T0 apart", "size_1", "A: W", "A: om_b", "A: p_b is paid", "def N1"),
        "add",
        Combination(
            (
                ("T0 apart", 1),
                ("size_1", -K),
                ("A: W", -K),
                ("A: om_b", 1),
                ("A: p_b is paid", 1),
                ("def N1", K),
            )
        ),
    ),
    total(
        "A: fourth powers",
        sp.Le(fo1, X**2 * sq1),
        ("A: entries", "w_1 >= 0"),
        "w <= X",
        sp.Le(w1**4, X**2 * w1**2),
    ),
    handed("A", "start", ("A: W", "A: squares", "A: fourth powers", "sg0", *START), "E8"),
    handed("A", "b is paid", ("A: W", "mu_", "t", "V", "E2 mu <= rbar (1-zeta) nt"), "E2"),
    handed(
        "A",
        "own",
        (
            "kp",
            "C_1",
            "q",
            "qo",
            "qk",
            "po",
            "q_hat",
            "om_1",
            "A: c",
            "A: om_hat",
            "qo^2",
            "regret",
            "po >= 0",
            "mu_",
            "V",
            "arms",
            "kernel",
            "marks",
            "lam+",
            *SIGNS,
        ),
        "kp = 1 at ahat, p^2 in the bulk",
    ),
    handed("A", "budget", ("A: T0 + K|om|", *BUDGET), "a = N1 + n/(1-th)"),
    handed("A", "budget of epoch 3", ("A: T0 + K|om|", "sg0", "maximum of epoch 3", "arms"), "N1 + n"),
    handed("A", "budget of epoch 2", ("L", "A: T0 + K|om|", "maximum of epoch 2"), "L > 2: b is not ahat"),
)
