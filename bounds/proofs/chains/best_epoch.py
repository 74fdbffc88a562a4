"""Variant best: from one agent and context to the epoch regret, for any arms and for two."""

from __future__ import annotations

from typing import Any

import sympy as sp

from bounds.best import decay, ending, pair, pair_chain, run
from bounds.best.run import G1, PR, K, L, define, epsL, gL
from bounds.best.symbols import (
    b_,
    definition,
    inherited,
    kap,
    lam,
    lam1,
    lemma,
    merged,
    n,
    smt,
    tagged,
    th,
)
from bounds.proofs import Cases, Chain, Hypothesis, Induction, Step, Summation, Total, reals
from bounds.proofs.chains import best_two_arms as two_arms
from bounds.proofs.chains.best_average import AVERAGE, E, S, c, g, gamma, weighted
from bounds.proofs.chains.best_pathwise import CLAIM, SETTING

# Sums over agents, contexts and data (a draw), with the weights E^L_m: of the regret and of every risk.
reg, W, top, top2, top3, C, C2, C3 = reals("regret W^L top top_2 top_3 C(g) C(g)_2 C(g)_3")
mean_risk, meanL, mean1, mean_l, so_far, so_farx, lams, lamsx = reals(
    "sum(risk) sum(eps_L) sum(eps_{L-1}) sum(eps_l) sum(risks) sum(risks') sum(Lam) sum(Lam')"
)
LEVELS: dict[str, tuple[Any, Any]] = {"L": (gL, meanL), "L-1": (G1, mean1), "l": (decay.gamma, mean_l)}
OF = {
    tag: {**tagged(AVERAGE, {E, K, g, S, c}, tag), gamma: rate, c: sp.Integer(1)}
    for tag, (rate, _) in LEVELS.items()
}
PARTS = {run.arms: K * top, run.arms2: K * top2, run.arms3: K * top3}


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


def epoch_regret(
    name: str,
    title: str,
    claim: Chain,
    setting: tuple[Hypothesis, ...],
    signs: tuple[Step, ...],
    short: tuple[str, ...],
) -> Chain:
    """The claim of every draw, averaged; signs: steps that give the signs of the parameters and n >= 0."""
    maxima = tuple(h for h in setting if h.name.startswith("maximum"))
    claims = next(step for step in claim.steps if step.name == "claims")
    constants = {k: SHORT[k][2] for k in short}
    body = (*STEPS, *(step for k in short for step in short_steps(k)))
    concluding = ("epoch regret", "epoch capped", *short)
    together = sp.And(*(step.statement for step in body if step.name in concluding))
    return Chain(
        name=name,
        title=title,
        file=__file__,
        variant="best",
        hypotheses=(
            lemma(
                "claims",
                "of one agent and context",
                claims.statement.xreplace(PARTS),
                f"{claim.name}/claims",
                PARTS,
            ),
            *(
                lemma(
                    f"average risk of {tag}",
                    "one epoch",
                    sp.Le(rate**2 * OF[tag][weighted], g**2 * S),
                    "best: average/average risk",
                    OF[tag],
                )
                for tag, (rate, _) in LEVELS.items()
            ),
            *merged(
                inherited(setting, PARTS, but=[h.name for h in maxima]),
                *(inherited(AVERAGE.hypotheses, OF[tag]) for tag in LEVELS),
            ),
            define(
                "maximum",
                "top bounds the part of the arms for every agent; so do top_2 and top_3 for short chains",
                *(relation for h in inherited(maxima, PARTS) for relation in sp.And.make_args(h.statement)),
            ),
            define(
                "eps",
                "eps^l = gamma_l^2 sum_a p^{l-1}_a (fhat^l - f*)^2, averaged",
                *(sp.Eq(mean, rate**2 * OF[tag][weighted]) for tag, (rate, mean) in LEVELS.items()),
            ),
            define("weights", "E^L_m >= 1", E >= 1),
            define("S", "S^L > 0", S > 0),
            definition("b"),
            define(
                "constants",
                "C(g) = top + b g^2; with fewer multipliers in epochs 2 and 3",
                sp.Eq(C, top + b_ * g**2),
                *(
                    sp.Eq(constant, SHORT[k][1] + RISKS[SHORT[k][0]][2] * g**2)
                    for k, constant in constants.items()
                ),
            ),
            Hypothesis(
                "risks so far",
                "of epochs L-2 down to l+1",
                multipliers(so_far, lams, decay.N),
                kind="induction",
            ),
            define("more multipliers", "Lam_l is the next", sp.Eq(lamsx, lams + decay.Lam)),
            *(h for h in claim.hypotheses if h.name in (*RISKS, "ratio", "no ratio")),
        ),
        steps=(*signs, *body, smt("of an epoch", together, concluding, "together")),
        concludes=("of an epoch",),
        indexed={"draw": (E, PR, K, decay.risk, epsL, decay.eps1, decay.eps, decay.risks, decay.risksx)},
        weights={"draw": E},
        totals={
            "draw": (
                Total(reg, PR),
                Total(S, K),
                Total(W, sp.Integer(1)),
                Total(mean_risk, decay.risk),
                Total(meanL, epsL),
                Total(mean1, decay.eps1),
                Total(mean_l, decay.eps),
                Total(so_far, decay.risks),
                Total(so_farx, decay.risksx),
            ),
        },
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
FINAL = epoch_regret(
    "best: epoch regret",
    "gamma_L S^L[Reg] <= (max(1 - 1/K, 1 - 2/K + a) + b g^2) S^L",
    CLAIM,
    SETTING,
    (smt("n >= 0", sp.Ge(n, 0), ("def n", "def S2", "lam'+"), "squares"),),
    ("epoch 2", "epoch 3"),
)
PAIR = epoch_regret(
    "best: epoch regret, two arms",
    "gamma_L S^L[Reg] <= (1/2 + 9 g^2/4) S^L",
    two_arms.CLAIM,
    pair.SETTING,
    tuple(step for step in pair_chain.STEPS if step.name in pair.SIGNS),
    (),
)

CHAINS = (FINAL, PAIR)
