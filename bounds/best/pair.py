"""Two arms: the weights of both arms are equal in every epoch, so the backward chain is one number o_l.

lam = 15/8, lam' = 5/16, th = 1/6, eta = 1/4: o_{L-1} <= 5/24, o_{L-2} = (4/5) o_{L-1}^2, o_{l-1} = o_l^2/(6 m_l) with
m_{L-2} = 5/144 and m_{l-1} = m_l/6. An arm's coefficient C keeps C + (6/5) gamma o <= 0.
"""

from __future__ import annotations

from typing import Any

import sympy as sp

from bounds.best import backward, decay, last_epoch, position_cd, positions, run
from bounds.best.decay import (
    C2,
    CR,
    CR2,
    EPOCH,
    OV,
    OV2,
    PREVIOUS,
    C,
    CRx,
    Cx,
    G,
    Lam,
    N,
    Nx,
    OVx,
    eps1,
    gamma,
    om,
    om2,
    omx,
    risks,
    risksx,
    sizes,
    sizesx,
)
from bounds.best.last_epoch import total
from bounds.best.run import (
    G1,
    INDEX,
    PR,
    T0,
    W1,
    Abar,
    K,
    R,
    arms,
    define,
    epsL,
    gL,
    i,
    j,
    moved,
    om1,
    p,
    po,
    rest,
    s,
    s2,
    size1,
    t,
    w1,
)
from bounds.best.run import P as P_
from bounds.best.symbols import eta, kap, lam, lam1, n, rbar, smt, th
from bounds.proofs import Cases, Hypothesis, Step, Total, reals
from bounds.proofs.engine.member import Member

F = sp.Rational
o, ox, o1, o2, p2 = reals("o o' o_1 o_2 p_2")
NUMBERS = {lam: F(15, 8), lam1: F(5, 16), th: F(1, 6), eta: F(1, 4), kap: F(1), n: F(5, 144), rbar: F(1)}
SIGNS = {
    "eta": eta >= 0,
    "lam+": lam > 0,
    "lam'+": lam1 > 0,
    "th+": th > 0,
    "1-th+": 1 - th > 0,
    "kap+": kap > 0,
    "rbar+": rbar > 0,
    "n >= 0": n >= 0,
}
LAST = {h.name: h for h in run.LAST}
PARAMETERS = define("parameters", "of two arms", *(sp.Eq(k, number) for k, number in NUMBERS.items()))


def state(om: Any, C: Any, o: Any, N: Any, sizes: Any, CR: Any, OV: Any, risks: Any, G: Any) -> Any:
    """Everything that is known when epoch l is about to be used; the weights of both arms are o."""
    return sp.And(
        sp.Eq(om, o),
        o >= 0,
        o <= N,
        N > 0,
        G >= 0,
        sp.Or(sp.Eq(R, 0), 5 * C + 6 * G * o <= 0),
        5 * sizes + 6 * o <= 6 * o2,
        gL * PR <= T0 + 4 * o1 + 4 * sizes + CR + OV + lam * epsL + lam1 * eps1 + risks,
    )


NOW = (om, C, o, N, sizes, CR, OV, risks, G)
NEXT = (omx, Cx, ox, Nx, sizesx, CRx, OVx, risksx, gamma)
FIRST = (om2, C2, o2, n, sp.Integer(0), CR2, OV2, sp.Integer(0), G1)
SHARED_NAMES = ("(I)", "V", "c", "C_1", "kernel", "marks", "po", "q", "q_hat", "qo", "regret", "H1", "w_1")
LEVELS = {h.name: h for h in decay.HYPOTHESES}
SETTING = (
    PARAMETERS,
    define("arms", "two arms", sp.Eq(K, 2)),
    *(LAST[name] for name in SHARED_NAMES),
    define(
        "one other",
        "there is one arm besides the greedy one, of probability p_2",
        sp.Or(sp.Eq(i, 1), sp.Eq(p, p2)),
    ),
    define("mu_", "nothing is moved to b", sp.Eq(moved, 0)),
    define("om_1", "c^2/(4 lam)", sp.Eq(4 * lam * om1, run.c**2)),
    define("o_1", "the weight of both arms at L-1", sp.Eq(4 * lam * o1, Abar**2)),
    define("o_2", "and at L-2", sp.Eq(4 * lam1 * o2, o1**2)),
    *run.RATES,
    *backward.definitions(PREVIOUS, "L-1"),
    *backward.definitions(EPOCH, "l"),
    *(LEVELS[k] for k in ("H5", "w", "multiplier", "end at L-1", "end at L-2", "end", "risk")),
    define("sums", "what epoch l adds", sp.Eq(sizesx, sizes + o), sp.Eq(risksx, risks + Lam * EPOCH.eps)),
    define("o'", "the weight of both arms at l-1", sp.Eq(4 * Lam * ox, o**2)),
    define("maximum", "K - 1", arms >= K - 1),
)
OPEN = (
    Hypothesis("apart", "ahat is not a*", run.APART, kind="case"),
    Hypothesis("case D", "ahat = a*", run.CASES["D"], kind="case"),
    *run.STEEP,
    Hypothesis("so far", "the state at l", state(*NOW), kind="induction"),
    *(LEVELS[k] for k in ("L = 2", "L = 3", "L >= 4")),
)
TOTALS = (*run.TOTALS, *decay.TOTALS, Total(K - 2, 1 - i - s))
KNOWN = {step.name: step for step in (*positions.SHARED, *position_cd.D_AFTER)}
HANDED = {
    "equal": sp.Eq(4 * lam * om1, Abar**2),
    "o_1 bounded": sp.And(o1 >= 0, 24 * o1 <= 5),
    "budget": sp.Le(T0 + 4 * o1 + F(24, 5) * o2, 1),
    "own": sp.Or(sp.Eq(R, 0), 5 * C2 + 6 * G1 * o2 <= 0),
}


def handed(
    name: str, both: tuple[str, ...], apart: tuple[str, ...], met: tuple[str, ...]
) -> tuple[Step, ...]:
    """The same whether ahat is a* or not."""
    return (
        smt(f"apart: {name}", HANDED[name], ("apart", *both, *apart), "ahat is the other arm"),
        smt(f"D: {name}", HANDED[name], ("case D", *both, *met), "ahat is the best arm"),
        Step(
            name,
            HANDED[name],
            (f"apart: {name}", f"D: {name}"),
            "ahat is a* or not",
            Cases({"apart": f"apart: {name}", "case D": f"D: {name}"}),
        ),
    )


LAST_STEPS = (
    *(smt(name, relation, ("parameters",), "a number") for name, relation in SIGNS.items()),
    *last_epoch.PROBABILITIES,
    *(
        KNOWN[k]
        for k in (
            "others apart",
            "rest apart",
            "few others",
            "po <= rest",
            "T0 of an arm",
            "T0 apart",
            "Abar",
        )
    ),
    total(
        "squares apart", sp.Le(s2, rest**2), ("po <= rest", "po >= 0"), "po <= rest", sp.Le(po**2, rest * po)
    ),
    smt(
        "no other arm",
        sp.And(sp.Eq(rest, 0), sp.Eq(s2, 0)),
        ("few others", "rest >= 0", "squares apart", "s2 >= 0", "arms"),
        "K - 2 = 0",
    ),
    Step(
        "ahat or a*", sp.Le(1 - i - s, K - 2), ("marks", "apart"), "K - 2 = 0 arms are neither", Member(INDEX)
    ),
    *(KNOWN[k] for k in ("D: others", "D: rest", "D: T0 of an arm", "D: T0")),
    total(
        "p_2", sp.Eq(1 - P_, p2 * (K - 1)), ("one other", "marks"), "summed", sp.Eq(p - i * p, p2 - i * p2)
    ),
    smt("po of the other", sp.Eq(po**2, p2**2 - i * p2**2), ("D: others", "one other", "marks"), "one arm"),
    total(
        "D: s2", sp.Eq(s2, p2**2 * (K - 1)), ("po of the other",), "summed", sp.Eq(po**2, p2**2 - i * p2**2)
    ),
    smt(
        "D: Abar",
        sp.And(sp.Eq(Abar, p2 + t * eta * p2**2), sp.Eq(rest, p2), p2 >= 0, 2 * p2 <= 1),
        ("case D", "Abar", "q_hat", "D: rest", "D: s2", "p_2", "arms", "P", "P <= 1"),
        "the other arm alone",
    ),
    smt("mu_ fits", sp.And(moved >= 0, moved <= Abar), ("mu_", "Abar >= 0"), "mu_ = 0"),
    smt("om covers", sp.And(4 * lam * om1 >= run.c**2, om1 >= 0), ("om_1", "lam+"), "equality"),
    *last_epoch.COMPARED,
    *handed(
        "equal",
        ("om_1", "c", "q", "qo", "po", "q_hat", "mu_", "marks"),
        ("no other arm", "ahat or a*", "Abar", "arms"),
        ("D: Abar", "D: others", "one other"),
    ),
    *handed(
        "o_1 bounded",
        ("o_1", "t", "parameters"),
        ("Abar", "no other arm", "q_hat", "P", "P <= 1"),
        ("D: Abar",),
    ),
    smt("D: o_1", sp.Le(24 * o1, 5 * p2**2), ("D: Abar", "o_1", "t", "parameters"), "1 + t p/4 <= 5/4"),
    smt(
        "o_2 small",
        sp.And(o2 >= 0, o2 <= n, 6 * o2 <= o1),
        ("o_2", "o_1 bounded", "parameters"),
        "(4/5)(5/24) = 1/6",
    ),
    *handed(
        "budget",
        ("o_2", "o_1 bounded", "o_2 small", "parameters", "arms"),
        ("T0 apart", "no other arm"),
        ("D: T0", "D: Abar", "D: o_1", "t"),
    ),
    smt(
        "om_1 = o_1",
        sp.And(sp.Eq(om1, o1), sp.Eq(w1, o1 - j * o1)),
        ("equal", "o_1", "w_1", "lam+"),
        "4 lam om = Abar^2",
    ),
    total("size_1", sp.Eq(size1, K * o1), ("om_1 = o_1",), "summed", sp.Eq(om1, o1)),
    total("W_1", sp.Eq(W1, K * o1 - o1), ("om_1 = o_1",), "summed", sp.Eq(w1, o1 - j * o1)),
)
