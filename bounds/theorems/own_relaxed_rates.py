"""Bound the regret of inverse gap weighting if its learning rates may decrease, by a factor below 4c per epoch
(own:relaxed_rates).

The regret theorem itself requires rates that do not decrease (hypothesis H5). c measures how unequally the agents'
epochs grow (1 if alike). For epoch l, gamma^l is the learning rate, Kbar^{l-1} the mean number of arms and e_{l-1} the
excess risk of the model in use. Let r < 4c and g be such that

    gamma^{l-1} <= r gamma^l for l >= 3,   gamma^l <= g sqrt(Kbar^{l-1}/e_{l-1})

Then in every epoch l >= 2

    regret <= C(r) S^l/gamma^l,   C(r) = (8c - r)/(8c - 2r) (q + 1/(3c) + 8 c^2 g^2/3)

S^l is the sum over agents of epoch length times number of arms, and q = 1 - 1/K for the largest number K of arms. At
c = r = 1 this is the variant `sharpened`. It follows from lem:epoch_regret_bound as proved in Coq, with both free
numbers equal to 1/(8c).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise

from bounds.arithmetic import Value, ratio
from bounds.schedules import EpochPlan, asynchrony
from bounds.theorem import Applied, Setting, Theorem
from bounds.theorems import thm_global_regret


def constant(c: Value, q: Value, g2: Value, fall: Value) -> Value:
    """Return C in the bound C x steps x arms/gamma on an epoch's regret if the policy's learning rates gamma may
    decrease from epoch to epoch. `fall`: the largest factor by which they do, below 4c. `c`: how unequally the
    agents' epochs grow (1 if alike). `q`: 1 - 1/K for K arms. `g2`: g^2, where gamma <= g sqrt(K/excess risk)."""
    lost = (8 * c - fall) / (8 * c - 2 * fall)
    return lost * (q + ratio(1, 3, q) / c + ratio(8, 3, q) * c**2 * g2)


def fall(rates: Sequence[float]) -> float:
    """Return the largest factor by which the policy's learning rate decreases from one epoch to the next; 1 if it
    never does. rates[0], of the uniform epoch 1, is not used."""
    later = [float(rate) for rate in rates[1:]]
    return max([1.0, *(before / after for before, after in pairwise(later))])


def first_fall(rates: Sequence[float]) -> tuple[int, float, float] | None:
    """Return the first epoch (1-based) whose learning rate is below that of the epoch before, with the earlier and
    the later rate; None if there is none. Epoch 1 is uniform, so its rate is not used."""
    for epoch, (before, after) in enumerate(pairwise(rates[1:]), start=3):
        if after < before:
            return epoch, float(before), float(after)
    return None


def words(rates: Sequence[float]) -> str:
    """Return a sentence that says where the policy's learning rates decrease, and which regret bound is used then."""
    found = first_fall(rates)
    assert found is not None
    epoch, before, after = found
    return (
        f"H5 fails: the learning rate falls from {before:.6g} to {after:.6g} in epoch {epoch}"
        f" (rbar = {fall(rates):.6g}); the relaxed form own:relaxed_rates is applied"
    )


def largest(plan: EpochPlan) -> float:
    """Return 4c, where c measures how unequally the agents' epochs grow. The factor by which the policy's learning
    rates decrease from epoch to epoch must be smaller than this."""
    return 4 * asynchrony(plan)


def epoch_terms(
    plan: EpochPlan, arms: Sequence[int], rates: Sequence[float], risks: Sequence[float]
) -> list[float]:
    """Return the bound on the regret of each epoch, at most one per step, if learning rates may decrease. rates[l]:
    the policy's learning rate in epoch l (0-based). risks[l]: the excess risk of the model learned in it."""
    relaxed = partial(constant, fall=fall(rates[: plan.epochs]))
    return thm_global_regret.regret_given_learning_rates(plan, arms, rates, risks, relaxed)


@dataclass(frozen=True)
class RelaxedRates(Theorem):
    """The regret bound for federations whose policy has learning rates that decrease somewhere."""

    label: str = "own:relaxed_rates"
    hypotheses: tuple[str, ...] = (
        *thm_global_regret.HYPOTHESES[:4],
        "gamma^{l-1} <= rbar gamma^l for l >= 3, rbar < 4c",
    )
    required: tuple[str, ...] = ()
    replaces: str = "thm:global_regret"
    forms: tuple[str, ...] = ("relaxed",)

    def concerns(self, setting: Setting) -> bool:
        return setting.plan.lag == 1 and not setting.plan.cumulative and thm_global_regret.falls(setting)

    def missing(self, setting: Setting) -> tuple[str, ...]:
        rates = setting.rates or ()
        covered = all(rates) and fall(rates) < largest(setting.plan)
        found = () if covered else ("learning rates decrease by a factor of 4c or more (H5)",)
        return (*thm_global_regret.common(setting), *found)

    def applied(self, setting: Setting) -> Applied:
        plan, arms = setting.counted
        assert setting.rates is not None
        terms = epoch_terms(plan, arms, setting.rates, setting.risks("sharpened"))
        return thm_global_regret.apply(
            thm_global_regret.THEOREM,
            setting,
            {"sharpened": terms},
            (("own:relaxed_rates", "relaxed"),),
            (words(setting.rates),),
        )


THEOREM = RelaxedRates()
