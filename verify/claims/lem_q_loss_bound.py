"""lem:q_loss_bound. The estimated regret that inverse gap weighting pays for exploring:

    printed     sum_pi Q(pi) Reghat(pi) <= K/gamma
    sharpened   sum_pi Q(pi) Reghat(pi) <= (K-1)/gamma, and <= (K-1)/(K+gamma) if fhat takes values in [0,1]

The second is attained (all gaps 1), the first in the limit of large gamma times gap.
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from typing import Any

from finite_class.lemmas.lem_q_loss_bound import q_loss_bound
from finite_class.lemmas.sides import Sides
from verify.claim import Check, Claim, Evidence, Task, Variant
from verify.experiments import random_worlds
from verify.verdict import Verdict


def exact(task: Task, variant: str, shrink: Fraction = Fraction(1)) -> Evidence:
    """Random estimates, also outside [0,1], learning rates from 1e-6 to 1e12."""
    rng = task.rng()
    cases: list[tuple[Sides, Any]] = []
    for _ in range(1000 if task.full else 300):
        contexts, estimate, rate, _ = random_worlds.one_agent(rng)
        sides = q_loss_bound(contexts, estimate, rate, variant)
        cases.append(
            (Sides(sides.left, shrink * sides.right), {"gamma": str(rate), "estimate": str(estimate)})
        )
    return random_worlds.verdict(cases, "sum_Q Reghat against the bound")


def extremal(task: Task, shrink: Fraction = Fraction(1)) -> Evidence:
    """Every gap 1: equality with (K-1)/(K+gamma), and the ratio to (K-1)/gamma tends to 1."""
    cases: list[tuple[Sides, Any]] = []
    ratios = {}
    for arms in (2, 5, 50):
        estimate = ((Fraction(1), *([Fraction(0)] * (arms - 1))),)
        for rate in (Fraction(1), Fraction(10**3), Fraction(10**9)):
            unit = q_loss_bound((Fraction(1),), estimate, rate, "unit range")
            cases.append((Sides(unit.left, shrink * unit.right), {"K": arms, "gamma": str(rate)}))
            ratios[f"K={arms}, gamma={rate}"] = q_loss_bound(
                (Fraction(1),), estimate, rate, "sharpened"
            ).ratio
    if all(sides.left == sides.right for sides, _ in cases):
        return Evidence(
            Verdict.EXACT,
            f"attained: equality with (K-1)/(K+gamma); ratio to (K-1)/gamma up to {max(ratios.values()):.9f}",
            {"ratio_to_sharpened": ratios},
        )
    return random_worlds.verdict(cases, "extremal instance")


CLAIM = Claim(
    label="lem:q_loss_bound",
    title="What exploration costs in estimated regret",
    section="General theorem",
    statement=__doc__ or "",
    tags=("general", "kernel"),
    depends=("lem:q_distribution", "lem:loss_decompose"),
    variants={
        "printed": Variant(
            r"\sum_\pi Q(\pi)\widehat{\mathrm{Reg}}(\pi) \le K/\gamma", ("gamma > 0",), Verdict.PROVED
        ),
        "sharpened": Variant(
            r"\sum_\pi Q(\pi)\widehat{\mathrm{Reg}}(\pi) \le (K-1)/\gamma;\quad"
            r" (K-1)/(K+\gamma)\text{ if }\hat f\in[0,1]",
            ("gamma > 0",),
            Verdict.PROVED,
            tight=True,
        ),
    },
    checks=(
        *(
            Check(
                f"exact-{variant}",
                variant,
                partial(exact, variant=variant),
                partial(exact, variant=variant, shrink=Fraction(2, 5)),
                "random exact instances",
            )
            for variant in ("printed", "sharpened")
        ),
        Check(
            "extremal",
            "sharpened",
            extremal,
            partial(extremal, shrink=Fraction(99, 100)),
            "how far from equality",
        ),
    ),
)
