"""Part 7: the claim averaged over contexts and data and summed over agents, and the sum of the multipliers."""

from __future__ import annotations

from typing import Any

import sympy as sp

from bounds.best import decay, ending
from bounds.best.run import G1, PR, K, L, epsL, gL
from bounds.best.symbols import (
    b_,
    kap,
    lam,
    lam1,
    n,
    smt,
    th,
)
from bounds.proofs import Cases, Induction, Step, Summation, reals

g, S = reals("g S^L")
# Sums over agents, contexts and data (a draw), with the weights E^L_m: of the regret and of every risk.
reg, W, top, top2, top3, C, C2, C3 = reals("regret W^L top top_2 top_3 C(g) C(g)_2 C(g)_3")
mean_risk, meanL, mean1, mean_l, so_far, so_farx, lams, lamsx = reals(
    "sum(risk) sum(eps_L) sum(eps_{L-1}) sum(eps_l) sum(risks) sum(risks') sum(Lam) sum(Lam')"
)
LEVELS: dict[str, tuple[Any, Any]] = {"L": (gL, meanL), "L-1": (G1, mean1), "l": (decay.gamma, mean_l)}


def multipliers(so_far: Any, lams: Any, N: Any) -> Any:
    """The risks so far, and the multipliers so far with all that may still come."""
    return sp.And(so_far <= g**2 * S * lams, 4 * th * (1 - th) * lams + kap * N <= kap * n, N >= 0)


RISKS = {  # number of epochs -> the risk of a draw, summed, its bound
    "L = 2": (lam * epsL, lam * meanL, lam),
    "L = 3": (lam * epsL + lam1 * decay.eps1, lam * meanL + lam1 * mean1, lam + lam1),
    "L >= 4": (lam * epsL + lam1 * decay.eps1 + decay.risksx, lam * meanL + lam1 * mean1 + so_farx, b_),
}
SHORT = {"epoch 2": ("L = 2", top2, C2), "epoch 3": ("L = 3", top3, C3)}


def risk_steps(length: str) -> tuple[Step, ...]:
    """The risks of so many epochs, averaged."""
    value, total, bound = RISKS[length]
    below = ("risks below",) if length == "L >= 4" else ()
    return (
        Step(
            f"{length}: risk",
            sp.Eq(mean_risk, total),
            (length, "risk", "weights"),
            "summed",
            Summation("draw", sp.Eq(decay.risk, value)),
        ),
        smt(
            f"{length}: risk bounded",
            sp.Le(mean_risk, bound * g**2 * S),
            (f"{length}: risk", "risk of L", "risk of L-1", *below, "lam+", "lam'+"),
            "add",
        ),
        smt(
            f"{length}: at most b",
            sp.Le(mean_risk, b_ * g**2 * S),
            (f"{length}: risk bounded", "b", "S"),
            "fewer multipliers",
        ),
    )


def concluded(name: str, inequality: Any, assumes: tuple[str, ...], length: str = "") -> tuple[Step, ...]:
    """The inequality if the learning rates are not too close (and in this epoch)."""
    about = ("rates", "V", "rbar+", "constants", "all risks", "L")
    other = sp.Ne(L, int(length[-1])) if length else sp.false
    statement = sp.Or(other, inequality) if length == "L = 2" else sp.Or(other, ending.FLAT, inequality)
    if not length:
        inside: tuple[Step, ...] = (smt(f"{name}, ratio", statement, ("ratio", *assumes, *about), "add"),)
    else:
        parts = {k: f"{name}, {k}" for k in RISKS}
        inside = (
            *(
                smt(
                    part, statement, (k, *about, "averaged", *(assumes if k == length else ())), "in its case"
                )
                for k, part in parts.items()
            ),
            Step(
                f"{name}, ratio", statement, (*parts.values(), "L"), "two, three or more epochs", Cases(parts)
            ),
        )
    return (
        *inside,
        smt(f"{name}, no ratio", statement, ("no ratio", "epoch capped", *about), "nothing is claimed"),
        Step(
            name,
            statement,
            (f"{name}, ratio", f"{name}, no ratio"),
            "either way",
            Cases({"ratio": f"{name}, ratio", "no ratio": f"{name}, no ratio"}),
        ),
    )


def short_steps(name: str) -> tuple[Step, ...]:
    """A bound for one epoch alone: its chain is short."""
    length, part, constant = SHORT[name]
    value, total, _ = RISKS[length]
    return (
        Step(
            f"{name}: averaged",
            sp.Le(gL * reg, part * S + total),
            ("claims", length, "ratio", "weights"),
            "as before",
            Summation("draw", sp.Le(gL * PR, part * K + value)),
        ),
        *concluded(
            name,
            sp.Le(gL * reg, constant * S),
            (f"{name}: averaged", "risk of L", "risk of L-1", "lam+", "lam'+"),
            length,
        ),
    )


STEPS = (
    *(
        smt(f"risk of {tag}", sp.Le(mean, g**2 * S), (f"average risk of {tag}", "eps"), "one epoch's risk")
        for tag, (_, mean) in LEVELS.items()
    ),
    smt(
        "b",
        sp.And(b_ >= lam + lam1, b_ >= lam),
        ("def b", "n >= 0", "kap+", "th+", "1-th+", "lam'+"),
        "kap n >= 0",
    ),
    smt(
        "no risk yet",
        multipliers(sp.Integer(0), sp.Integer(0), n),
        ("n >= 0", "S", "kap+", "th+"),
        "equality",
    ),
    Step(
        "one risk more",
        sp.Eq(so_farx, so_far + decay.Lam * mean_l),
        ("sums", "weights"),
        "summed",
        Summation("draw", sp.Eq(decay.risksx, decay.risks + decay.Lam * decay.eps)),
    ),
    smt(
        "next multiplier",
        sp.And(decay.Lam * mean_l <= decay.Lam * g**2 * S, decay.Lam >= 0, decay.Nx >= 0),
        ("risk of l", "multiplier", "risks so far", "kap+", "th+"),
        "Lam >= 0",
    ),
    smt(
        "one epoch more",
        multipliers(so_farx, lamsx, decay.Nx),
        (
            "risks so far",
            "one risk more",
            "next multiplier",
            "more multipliers",
            "multiplier",
            "th+",
            "1-th+",
            "kap+",
        ),
        "kap N (1 - th) + kap th N = kap N",
    ),
    Step(
        "every epoch",
        multipliers(so_farx, lamsx, decay.Nx),
        ("no risk yet", "one epoch more"),
        "induction",
        Induction(
            "risks so far",
            "no risk yet",
            "one epoch more",
            {so_far: so_farx, lams: lamsx, decay.N: decay.Nx},
            {so_far: sp.Integer(0), lams: sp.Integer(0), decay.N: n},
        ),
    ),
    smt(
        "all multipliers",
        sp.Le(lam + lam1 + lamsx, b_),
        ("every epoch", "def b", "th+", "1-th+", "kap+"),
        "the geometric sum",
    ),
    smt(
        "risks below",
        sp.Le(lam * g**2 * S + lam1 * g**2 * S + so_farx, b_ * g**2 * S),
        ("every epoch", "all multipliers", "S"),
        "times g^2 S",
    ),
    *(step for length in RISKS for step in risk_steps(length)),
    Step(
        "all risks",
        sp.Le(mean_risk, b_ * g**2 * S),
        (*(f"{length}: at most b" for length in RISKS), "L"),
        "two, three or more epochs",
        Cases({length: f"{length}: at most b" for length in RISKS}),
    ),
    Step(
        "epoch capped",
        sp.Le(reg, W),
        ("claims", "weights"),
        "a step costs at most 1",
        Summation("draw", sp.Le(PR, 1)),
    ),
    Step(
        "averaged",
        sp.Le(gL * reg, top * S + mean_risk),
        ("claims", "ratio", "weights"),
        "times E^L_m, averaged over contexts and data, summed over agents",
        Summation("draw", sp.Le(gL * PR, top * K + decay.risk)),
    ),
    *concluded("epoch regret", sp.Le(gL * reg, C * S), ("averaged",)),
)
