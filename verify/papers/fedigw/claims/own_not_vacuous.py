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
ARMS = {"sharpened": 2, "best": 3}
WORST = HORIZON / 2


claim = Claim(
    label="own:not_vacuous",
    title="The hypotheses of the corollary can hold and its bound says something",
    section="Finite class",
    tags=("finite", "regret"),
    depends=("col:finite", "col:linear", "col:linear_per"),
    variants={
        "sharpened": Variant(
            r"2M(1-\tfrac1K) + \tfrac{28\sqrt2}{9}(2+\sqrt2)\sqrt{KMT\ln|F|/\kappa} < T/2",
            ("the system of the statement",),
            Verdict.CERTIFIED,
        ),
        "best": Variant(
            r"2M(1-\tfrac1K) + \tfrac{C}{g}(2+\sqrt2)\sqrt{KMT\ln|F|/\kappa} < T/2",
            ("the system of the statement, with three arms",),
            Verdict.KERNEL,
        ),
        "linear": Variant(
            r"2M(1-\tfrac1K) + \tfrac{C}{g}(2+\sqrt2)\sqrt{KMT(d/4+1)} < T/2",
            ("the same means as phi'omega* in dimension 2, with two arms (sharpened) and three (best)",),
            Verdict.KERNEL,
        ),
        "personalised": Variant(
            r"2M(1-\tfrac1K) + \tfrac{C}{g}(2+\sqrt2)\sqrt{KMT(\tilde d/4+9M/4)} < MT/2",
            (
                "two agents, one shared coordinate and one of each agent's own, two arms (sharpened) and three (best)",
            ),
            Verdict.KERNEL,
        ),
    },
)


def rational(value: Fraction) -> Any:
    """An interval around a fraction."""
    from mpmath import iv

    return iv.mpf(value.numerator) / value.denominator


def regret(constant: Any, arms: int, risk: Any) -> Any:
    """2M(1-1/K) + C/g (2+sqrt2) sqrt(K M T risk) as an interval."""
    from mpmath import iv

    first = 2 * AGENTS * (1 - iv.mpf(1) / arms)
    return first + constant * (2 + iv.sqrt(2)) * iv.sqrt(AGENTS * arms * HORIZON * risk)


def below_worst_play(task: Task, variant: str, factor: int = 1) -> Evidence:
    """The bound, in interval arithmetic, against the regret T/2 of the worst play. factor: a larger constant."""
    from mpmath import iv

    constant, kappa = 28 * iv.sqrt(2) / 9, 1 - iv.exp(iv.mpf(-1) / 2)
    if variant == "best":
        constant = iv.sqrt(rational(best(ARMS[variant], doubling=True).over_g_squared))
        kappa = rational(KAPPA)
    bound = regret(factor * constant, ARMS[variant], iv.log(FUNCTIONS) / kappa)
    figures = {"bound": float(bound.b), "worst_play": WORST, "trivial": float(AGENTS * HORIZON)}
    figures["ratio"] = float(bound.b) / WORST
    if bound.b < WORST:
        said = f"bound at most {float(bound.b):.1f} < {WORST:.0f}, the worst play"
        return Evidence(Verdict.CERTIFIED, said, figures)
    said = f"bound {float(bound.a):.1f} is not below {WORST:.0f}, the worst play"
    return Evidence(Verdict.REFUTED, said, figures)


for variant in ARMS:
    claim.check(variant, control=dict(factor=4), name=f"interval-{variant}")(below_worst_play)


@claim.check("linear", control=dict(factor=4), name="interval-linear")
def linear_below_worst_play(task: Task, factor: int = 1) -> Evidence:
    """The same for col:linear in dimension 2: sharpened with two arms, best with three."""
    from mpmath import iv

    squared = best(ARMS["best"], doubling=True).over_g_squared
    over_g = {2: 14 * iv.sqrt(5) / 9, 3: iv.sqrt(rational(squared))}
    bounds = {arms: regret(factor * over, arms, iv.mpf(2) / 4 + 1) for arms, over in over_g.items()}
    figures = {"worst_play": WORST, "bounds": {str(arms): float(bound.b) for arms, bound in bounds.items()}}
    largest = max(float(bound.b) for bound in bounds.values())
    if all(bound.b < WORST for bound in bounds.values()):
        return Evidence(
            Verdict.CERTIFIED, f"bounds at most {largest:.1f} < {WORST:.0f}, the worst play", figures
        )
    return Evidence(Verdict.REFUTED, f"a bound of {largest:.1f} is not below {WORST:.0f}", figures)
