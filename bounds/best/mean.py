"""Part 7: the claim averaged over contexts and data and summed over agents, and the sum of the multipliers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import sympy as sp

from bounds.best import decay, ending, run
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
from bounds.proofs import Cases, Induction, Step, Summation, Total, reals

g, S = reals("g S^L")
# Sums over agents, contexts and data (a draw), with the weights E^L_m: of the regret and of every risk.
reg, W, top, top2, top3, C, C2, C3 = reals("regret W^L top top_2 top_3 C(g) C(g)_2 C(g)_3")
mean_risk, meanL, mean1, mean_l, so_far, so_farx, lams, lamsx = reals(
    "sum(risk) sum(eps_L) sum(eps_{L-1}) sum(eps_l) sum(risks) sum(risks') sum(Lam) sum(Lam')"
)


@dataclass(frozen=True)
class Level:
    """An epoch whose risk is averaged. Per arm: fhat - f*, d = gamma (fhat - f*), V of the epoch before. Per draw: the
    sums h of (fhat - f*)^2/V and eps of d^2/V. Of the epoch: its rate, and the sums of h and eps over the draws."""

    miss: Any
    d: Any
    V: Any
    h: Any
    eps: Any
    rate: Any
    weighted: Any
    mean: Any
    positive: str  # the hypothesis that has V > 0

    @property
    def arm_totals(self) -> tuple[Total, ...]:
        return (Total(self.eps, self.d**2 / self.V), Total(self.h, self.miss**2 / self.V))

    @property
    def draw_totals(self) -> tuple[Total, ...]:
        return (Total(self.mean, self.eps), Total(self.weighted, self.h))


def level(tag: str, d: Any, V: Any, eps: Any, rate: Any, mean: Any, positive: str) -> Level:
    miss, h, weighted = (sp.Symbol(f"{name} ({tag})", real=True) for name in ("miss", "h", "weighted"))
    return Level(miss, d, V, h, eps, rate, weighted, mean, positive)


LEVELS = {
    "L": level("L", run.d, run.V1, epsL, gL, meanL, "V"),
    "L-1": level("L-1", decay.d1, decay.V2, decay.eps1, G1, mean1, "V before L-1"),
    "l": level("l", decay.d, decay.Vx, decay.eps, decay.gamma, mean_l, "V before l"),
}


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
            ("claims", length, "ratio", "weights", "known rates"),
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


def level_steps(tag: str) -> tuple[Step, ...]:
    """The risk of one epoch: summed over arms it is what the average speaks of, then over the draws."""
    at = LEVELS[tag]
    return (
        Step(
            f"eps of {tag}",
            sp.Eq(at.eps, at.rate**2 * at.h),
            ("d", at.positive),
            "d^2 = gamma^2 (fhat - f*)^2, summed over arms",
            Summation(run.INDEX, sp.Eq(at.d**2 / at.V, at.rate**2 * at.miss**2 / at.V)),
        ),
        Step(
            f"eps of {tag}, averaged",
            sp.Eq(at.mean, at.rate**2 * at.weighted),
            (f"eps of {tag}", "weights", "known rates"),
            "gamma does not depend on the draw",
            Summation("draw", sp.Eq(at.eps, at.rate**2 * at.h)),
        ),
        smt(
            f"risk of {tag}",
            sp.Le(at.mean, g**2 * S),
            (f"average risk of {tag}", f"eps of {tag}, averaged"),
            "one epoch's risk",
        ),
    )


STEPS = (
    *(step for tag in LEVELS for step in level_steps(tag)),
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
            {so_far: so_farx, lams: lamsx, decay.N: decay.Nx, decay.risks: decay.risksx},
            {so_far: sp.Integer(0), lams: sp.Integer(0), decay.N: n, decay.risks: sp.Integer(0)},
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
        ("claims", "ratio", "weights", "known rates"),
        "times E^L_m, averaged over contexts and data, summed over agents",
        Summation("draw", sp.Le(gL * PR, top * K + decay.risk)),
    ),
    *concluded("epoch regret", sp.Le(gL * reg, C * S), ("averaged",)),
)
