"""Variant best: from one agent and context to the epoch regret, for any arms and for two."""

from __future__ import annotations

import sympy as sp

from bounds.best import decay, pair, pair_chain, run
from bounds.best.mean import (
    LEVELS,
    RISKS,
    SHORT,
    STEPS,
    C,
    W,
    lams,
    lamsx,
    mean_risk,
    multipliers,
    reg,
    short_steps,
    so_far,
    so_farx,
    top,
    top2,
    top3,
)
from bounds.best.run import PR, K, define
from bounds.best.symbols import (
    b_,
    definition,
    inherited,
    lemma,
    merged,
    n,
    smt,
    tagged,
)
from bounds.proofs import Chain, Hypothesis, Step, Total
from bounds.proofs.chains import best_average as average
from bounds.proofs.chains import best_two_arms as two_arms
from bounds.proofs.chains.best_average import AVERAGE, E, S, c, g, gamma
from bounds.proofs.chains.best_pathwise import CLAIM, SETTING

OF = {
    tag: {**tagged(AVERAGE, {E, K, g, S, c}, tag), gamma: at.rate, average.V: at.V, c: sp.Integer(1)}
    for tag, at in LEVELS.items()
}
RATES = tuple(at.rate for at in LEVELS.values())
PARTS = {run.arms: K * top, run.arms2: K * top2, run.arms3: K * top3}


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
                    sp.Le(at.rate**2 * at.weighted, g**2 * S),
                    "best: average/average risk",
                    OF[tag],
                )
                for tag, at in LEVELS.items()
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
                "d",
                "d = gamma (fhat - f*), for every arm",
                *(sp.Eq(at.d, at.rate * at.miss) for at in LEVELS.values()),
            ),
            Hypothesis(
                "known rates", "learning rates do not depend on the data (H2, H4)", fixes={"draw": RATES}
            ),
            Hypothesis(
                "of a draw",
                "PR and eps of an agent, a context and the data",
                declares=(PR, *(s for at in LEVELS.values() for s in (at.eps, at.h, at.mean))),
                kind="definition",
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
        indexed={
            run.INDEX: tuple(s for at in LEVELS.values() for s in (at.miss, at.d, at.V)),
            "draw": (
                *(E, PR, K, decay.risk, decay.risks, decay.risksx, *RATES),
                *(s for at in LEVELS.values() for s in (at.h, at.eps)),
            ),
        },
        weights={"draw": E},
        totals={
            run.INDEX: tuple(total for at in LEVELS.values() for total in at.arm_totals),
            "draw": (
                Total(reg, PR),
                Total(S, K),
                Total(W, sp.Integer(1)),
                Total(mean_risk, decay.risk),
                *(total for at in LEVELS.values() for total in at.draw_totals),
                Total(so_far, decay.risks),
                Total(so_farx, decay.risksx),
            ),
        },
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
