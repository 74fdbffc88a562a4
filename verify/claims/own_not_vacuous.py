"""own:not_vacuous. The hypotheses of col:finite can all hold at once, and then the bound says something.

One agent, one context, two arms with Bernoulli(3/4) and Bernoulli(1/4) rewards, F = {f*, f* with the arms exchanged},
T = 2^14, gamma as in the sharpened corollary. Always playing the wrong arm has regret T/2 = 8192, and

    sharpened   Reg(T) <= 2M(1-1/K) + (28 sqrt2/9)(2+sqrt2) sqrt(K M T ln|F|/kappa) = 3608.2 < T/2 < M T

A claim of our own: without it, a theorem whose hypotheses contradict each other would pass every other check.
"""

from __future__ import annotations

from functools import partial

from verify.claim import Check, Claim, Evidence, Task, Variant
from verify.verdict import Verdict

AGENTS, ARMS, FUNCTIONS, HORIZON = 1, 2, 2, 2**14


def below_worst_play(task: Task, factor: int = 1) -> Evidence:
    """The bound, in interval arithmetic, against the regret T/2 of the worst play. factor: a larger constant."""
    from mpmath import iv

    kappa = 1 - iv.exp(iv.mpf(-1) / 2)
    constant = factor * 28 * iv.sqrt(2) / 9 * (2 + iv.sqrt(2))
    bound = 2 * AGENTS * (1 - iv.mpf(1) / ARMS) + constant * iv.sqrt(
        AGENTS * ARMS * HORIZON * iv.log(FUNCTIONS) / kappa
    )
    worst = HORIZON / 2
    figures = {
        "bound": float(bound.b),
        "worst_play": worst,
        "trivial": float(AGENTS * HORIZON),
        "ratio": float(bound.b) / worst,
    }
    if bound.b < worst:
        return Evidence(
            Verdict.CERTIFIED, f"bound at most {float(bound.b):.1f} < {worst:.0f}, the worst play", figures
        )
    return Evidence(
        Verdict.REFUTED, f"bound {float(bound.a):.1f} is not below {worst:.0f}, the worst play", figures
    )


CLAIM = Claim(
    label="own:not_vacuous",
    title="The hypotheses of the corollary can hold and its bound says something",
    section="Finite class",
    statement=__doc__ or "",
    tags=("finite", "regret"),
    depends=("col:finite",),
    variants={
        "sharpened": Variant(
            r"2M(1-\tfrac1K) + \tfrac{28\sqrt2}{9}(2+\sqrt2)\sqrt{KMT\ln|F|/\kappa} < T/2",
            ("the system of the statement",),
            Verdict.CERTIFIED,
        )
    },
    checks=(
        Check(
            "interval",
            "sharpened",
            below_worst_play,
            partial(below_worst_play, factor=3),
            "the bound in interval arithmetic",
        ),
    ),
)
