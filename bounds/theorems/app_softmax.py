"""Bound the regret if FedIGW's agents play softmax of a fixed temperature in place of inverse gap weighting
(app:softmax).

Softmax of temperature z gives arm a a probability proportional to exp(score of a/z). A step of epoch l loses at most

    z ln K + sqrt(2 c K e_{l-1}/s_{l-1}),   and at most 1

K is the number of arms, e_{l-1} the excess risk of the model learned in epoch l-1, and c measures how unequally the
agents' epochs grow (1 if alike). In epoch l every arm has at least the probability s_l/K: s_1 = 1, since epoch 1 is
uniform, and then s_l = e^{-1/z}, for scores in [0,1]. The proof is in the docstring of the claim app:softmax.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from bounds.schedules import EpochPlan, asynchrony
from bounds.theorem import Applied, Setting, Theorem
from bounds.theorems.thm_global_regret import apply, common, explored_terms

FLOOR = 0.27846454276107374  # max_u u/(1 + e^u), at u = 1.2784645...


def step(temperature: float, arms: int, risk: float, least: float | None = None) -> float:
    """Bound the expected regret of a softmax step: temperature x ln(arms) + sqrt(2 arms risk/s). `risk`: excess risk
    of the model, learned in an epoch in which every arm had probability at least s/arms. `least`: s, by default
    e^{-1/temperature}."""
    share = least_share(temperature) if least is None else least
    return temperature * math.log(arms) + math.sqrt(2 * arms * risk / share)


def least_share(temperature: float) -> float:
    """Return K times the least probability that softmax gives any of K arms, for scores in [0,1]: e^{-1/temperature},
    or 1e-300 if that is smaller."""
    return max(math.exp(-1 / temperature), 1e-300)


def worst_gap(temperature: float) -> float:
    """Return the gap between two arms at which softmax has the largest regret even if it knows the mean rewards. The
    regret is then gap/(1 + e^{gap/temperature}) = 0.2785 x temperature."""
    return (1 + FLOOR) * temperature


def epoch_terms(
    plan: EpochPlan, arms: Sequence[int], temperature: float, risks: Sequence[float]
) -> list[float]:
    """Return the bound on the regret of each epoch of softmax play. `plan`: epoch lengths of each agent. risks[l]:
    the excess risk of the model learned in epoch l."""
    c, k = asynchrony(plan), max(arms)
    return explored_terms(
        plan, arms, lambda l: step(temperature, k, c * risks[l - 1], 1.0 if l == 1 else None)
    )


@dataclass(frozen=True)
class SoftmaxRegret(Theorem):
    """The regret bound of softmax for a federation, summed over its epochs. It has no closed form in the numbers of
    agents, arms and steps."""

    label: str = "app:softmax"
    policies: tuple[str, ...] = ("softmax",)
    required: tuple[str, ...] = ()
    forms: tuple[str, ...] = ("upper",)

    def missing(self, setting: Setting) -> tuple[str, ...]:
        found = list(common(replace(setting, rule="fixed", rates=())))
        if not setting.unit_scores:
            found.append("softmax has a theorem for scores in [0,1] alone, such as those of a finite class")
        if setting.plan.lag != 1 or setting.plan.cumulative:
            found.append("softmax has no theorem for interleaved epochs or for learning from all data")
        return tuple(found)

    def applied(self, setting: Setting) -> Applied:
        plan, arms = setting.counted
        assert setting.temperature is not None
        terms = epoch_terms(plan, arms, setting.temperature, setting.risks("sharpened"))
        return apply(self, setting, {"upper": terms}, known={"upper": "sharpened"})


THEOREM = SoftmaxRegret()
