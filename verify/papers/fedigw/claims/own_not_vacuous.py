"""own:not_vacuous. The hypotheses of col:finite can all hold at once, and then the bound says something.

One agent, one context, T = 2^14; two arms with Bernoulli(3/4) and Bernoulli(1/4) rewards, for the variant best a third
one, Bernoulli(1/4); F = {f*, f* with the first two arms exchanged}, gamma as in the corollary. Always playing a wrong
arm has regret T/2 = 8192, and

    sharpened   Reg(T) <= 2M(1-1/K) + (28 sqrt2/9)(2+sqrt2) sqrt(K M T ln|F|/kappa) = 3610.1 < T/2 < M T
    best        Reg(T) <= 2M(1-1/K) + (C/g)(2+sqrt2) sqrt(K M T ln|F|/kappa) = 2533.2 < T/2 < M T, kappa = 0.46368

A claim of our own: without it, a theorem whose hypotheses contradict each other would pass every other check.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from bounds.best.constant import best
from bounds.best.regret import KAPPA
from verify.claim import Claim, Evidence, Task, Variant
from verify.verdict import Verdict

AGENTS, FUNCTIONS, HORIZON = 1, 2, 2**14
WORST = HORIZON / 2


claim = Claim(
    label="own:not_vacuous",
    title="The hypotheses of the corollary can hold and its bound says something",
    section="Finite class",
    tags=("finite", "regret"),
    depends=("col:finite", "col:linear", "col:linear_per", "lem:rademacher"),
    variants={
        "sharpened": Variant(
            r"2M(1-\tfrac1K) + \tfrac{28\sqrt2}{9}(2+\sqrt2)\sqrt{KMT\ln|F|/\kappa} < T/2",
            ("the system of the statement",),
            Verdict.CERTIFICATE,
        ),
        "best": Variant(
            r"2M(1-\tfrac1K) + \tfrac{C}{g}(2+\sqrt2)\sqrt{KMT\ln|F|/\kappa} < T/2",
            ("the system of the statement, with three arms",),
            Verdict.COQ,
        ),
        "linear": Variant(
            r"2M(1-\tfrac1K) + \tfrac{C}{g}(2+\sqrt2)\sqrt{KMT(d/4+1)} < T/2",
            ("the same means as phi'omega* in dimension 2, with two arms (sharpened) and three (best)",),
            Verdict.COQ,
        ),
        "personalised": Variant(
            r"2M(1-\tfrac1K) + \tfrac{C}{g}(2+\sqrt2)\sqrt{KMT(\tilde d/4+9M/4)} < MT/2",
            (
                "two agents, one shared coordinate and one of each agent's own, two arms (sharpened) and three (best)",
            ),
            Verdict.COQ,
        ),
        "rademacher": Variant(
            r"4B(B+1)/\sqrt n = 1 < (B+1)^2",
            ("64 fair coins as rewards of one feature, B = 1",),
            Verdict.COQ,
        ),
    },
)


def rational(value: Fraction) -> Any:
    """An interval around a fraction."""
    from mpmath import iv

    return iv.mpf(value.numerator) / value.denominator


def bounds(variant: str, factor: int) -> list[Any]:
    """Return 2M(1-1/K) + C/g (2+sqrt2) sqrt(K M T risk) as intervals: one for each system of the variant."""
    from mpmath import iv

    best_constant = iv.sqrt(rational(best(3, doubling=True).over_g_squared))
    systems = {
        "sharpened": [(2, 28 * iv.sqrt(2) / 9, iv.log(FUNCTIONS) / (1 - iv.exp(iv.mpf(-1) / 2)))],
        "best": [(3, best_constant, iv.log(FUNCTIONS) / rational(KAPPA))],
        "linear": [(2, 14 * iv.sqrt(5) / 9, iv.mpf(3) / 2), (3, best_constant, iv.mpf(3) / 2)],  # d/4 + 1
    }
    return [
        2 * AGENTS * (1 - iv.mpf(1) / arms)
        + factor * constant * (2 + iv.sqrt(2)) * iv.sqrt(AGENTS * arms * HORIZON * risk)
        for arms, constant, risk in systems[variant]
    ]


def below_worst_play(task: Task, variant: str, factor: int = 1) -> Evidence:
    """The bound, in interval arithmetic, against the regret T/2 of the worst play; linear: in dimension 2, sharpened
    with two arms and best with three. factor: a larger constant."""
    found = bounds(variant, factor)
    largest = max(float(bound.b) for bound in found)
    figures = {"bounds": [float(bound.b) for bound in found], "worst_play": WORST, "ratio": largest / WORST}
    if all(bound.b < WORST for bound in found):
        said = f"bound at most {largest:.1f} < {WORST:.0f}, the worst play"
        return Evidence(Verdict.CERTIFICATE, said, figures)
    return Evidence(Verdict.REFUTED, f"bound {largest:.1f} is not below {WORST:.0f}, the worst play", figures)


for variant in ("sharpened", "best", "linear"):  # personalised: by Coq alone
    claim.check(variant, control=dict(factor=4), name=f"interval-{variant}")(below_worst_play)
