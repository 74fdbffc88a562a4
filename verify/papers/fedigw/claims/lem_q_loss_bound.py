"""lem:q_loss_bound. Exploration by inverse gap weighting costs little if the estimate is true: at most K/gamma a step.

A step with K arms and learning rate gamma has the regret sum_pi Q(pi) Reghat(pi) if the estimate fhat is true. Q is a
measure on policies pi under which the chosen arm has the probabilities of inverse gap weighting (lem:q_distribution),
and Reghat(pi) the regret of pi under fhat:

    printed     sum_pi Q(pi) Reghat(pi) <= K/gamma
    sharpened   sum_pi Q(pi) Reghat(pi) <= (K-1)/gamma, and <= (K-1)/(K+gamma) if fhat takes values in [0,1]

(K-1)/(K+gamma) is attained if all gaps are 1, and (K-1)/gamma is approached as gamma grows.
"""

from fractions import Fraction
from itertools import product

import numpy as np

from finite_class.lemmas.one_agent import q_loss_bound
from verify.claim import Claim, Evidence, Task, Variant, Verdict
from verify.experiments import random_worlds

claim = Claim(
    title="What exploration costs in estimated regret",
    section="General theorem",
    tags=("general", "kernel"),
    depends=("lem:q_distribution", "lem:loss_decompose"),
    variants={
        "printed": Variant(
            r"\sum_\pi Q(\pi)\widehat{\mathrm{Reg}}(\pi) \le K/\gamma", ("gamma > 0",), Verdict.Z3
        ),
        "sharpened": Variant(
            r"\sum_\pi Q(\pi)\widehat{\mathrm{Reg}}(\pi) \le (K-1)/\gamma;\quad"
            r" (K-1)/(K+\gamma)\text{ if }\hat f\in[0,1]",
            ("gamma > 0",),
            Verdict.Z3,
            tight=True,
        ),
    },
)


def exact(task: Task, variant: str, shrink: Fraction = Fraction(1)) -> Evidence:
    """Compare with its bound, K/gamma (printed) or (K-1)/gamma (sharpened) for K arms and learning rate gamma, the
    regret that a step of inverse gap weighting would have if the estimate were true. Estimates are random rationals,
    also outside [0,1], and gamma is up to 1e12. Negative control, which must fail: 0.7 times the bound."""

    def one(rng: np.random.Generator) -> random_worlds.Case:
        contexts, estimate, rate, _ = random_worlds.one_agent(rng)
        witness = {"gamma": str(rate), "estimate": str(estimate)}
        return q_loss_bound(contexts, estimate, rate, variant).shrunk(shrink), witness

    return random_worlds.exact(task, one, (100, 1000), "sum_Q Reghat against the bound")


for variant in claim.variants:
    claim.check(variant, control=dict(shrink=Fraction(7, 10)), name=f"exact-{variant}")(exact)


@claim.check("sharpened", control=dict(shrink=Fraction(99, 100)))
def extremal(task: Task, shrink: Fraction = Fraction(1)) -> Evidence:
    """Check that a step of inverse gap weighting with K arms, learning rate gamma and all gaps 1 has exactly the regret
    (K-1)/(K+gamma). Negative control, which must fail: a bound of 0.99 times this regret."""
    cases, ratios, one = [], {}, Fraction(1)
    for arms, rate in product((2, 5, 50), (one, Fraction(10**3), Fraction(10**9))):
        estimate = ((one, *([Fraction(0)] * (arms - 1))),)
        unit, wide = (q_loss_bound((one,), estimate, rate, what) for what in ("unit range", "sharpened"))
        cases.append((unit.shrunk(shrink), {"K": arms, "gamma": str(rate)}))
        ratios[f"K={arms}, gamma={rate}"] = wide.ratio
    if all(sides.left == sides.right for sides, _ in cases):
        most = f"ratio to (K-1)/gamma up to {max(ratios.values()):.9f}"
        said = f"attained: equality with (K-1)/(K+gamma); {most}"
        return Evidence(Verdict.EXACT, said, {"ratio_to_sharpened": ratios})
    return random_worlds.verdict(cases, "extremal instance")
