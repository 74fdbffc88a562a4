"""own:relaxed_rates: thm:global_regret where learning rates may decrease, by a factor of at most rbar < 4c per
epoch.

The theorem itself requires rates that do not decrease (hypothesis H5). Let c measure how unequally the agents'
epochs grow (1 if alike). If the learning rates satisfy gamma^{l-1} <= rbar gamma^l for l >= 3 and gamma^l <= g
sqrt(Kbar^{l-1}/e_{l-1}), where Kbar^{l-1} is the mean number of arms and e_{l-1} the excess risk of the model
learned in epoch l-1, then in epoch l >= 2

    regret <= C(rbar) S^l/gamma^l,   C(rbar) = (8c - rbar)/(8c - 2 rbar) (q + 1/(3c) + 8 c^2 g^2/3)

S^l is the sum over agents of epoch length times number of arms, and q = 1 - 1/K for the largest number of arms K. It
is lem:epoch_regret_bound as proved in Coq, whose two free numbers are s = t = 1/(8c). At c = rbar = 1 it is the
variant `sharpened`.
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
    """Return the constant C(rbar). fall: rbar, which must be below 4c. c: how unequally the agents' epochs grow. g2:
    g^2."""
    lost = (8 * c - fall) / (8 * c - 2 * fall)
    return lost * (q + ratio(1, 3, q) / c + ratio(8, 3, q) * c**2 * g2)


def fall(rates: Sequence[float]) -> float:
    """Return the largest factor gamma^{l-1}/gamma^l by which the learning rate decreases in an epoch l >= 3; 1 if it
    never does. rates[0] is gamma^1, which is not used."""
    later = [float(rate) for rate in rates[1:]]
    return max([1.0, *(before / after for before, after in pairwise(later))])


def first_fall(rates: Sequence[float]) -> tuple[int, float, float] | None:
    """Return the first epoch l >= 3 (1-based) whose learning rate is below the one before, with both rates. Return
    None if the rates do not decrease (hypothesis H5)."""
    for epoch, (before, after) in enumerate(pairwise(rates[1:]), start=3):
        if after < before:
            return epoch, float(before), float(after)
    return None


def words(rates: Sequence[float]) -> str:
    """Return the sentence for the report that learning rates decrease and that the bound for decreasing rates is
    used."""
    found = first_fall(rates)
    assert found is not None
    epoch, before, after = found
    return (
        f"H5 fails: the learning rate falls from {before:.6g} to {after:.6g} in epoch {epoch}"
        f" (rbar = {fall(rates):.6g}); the relaxed form own:relaxed_rates is applied"
    )


def largest(plan: EpochPlan) -> float:
    """Return 4c, the factor below which learning rates may decrease from epoch to epoch."""
    return 4 * asynchrony(plan)


def epoch_terms(
    plan: EpochPlan, arms: Sequence[int], rates: Sequence[float], risks: Sequence[float]
) -> list[float]:
    """Return the bound on the regret of each epoch, at most one per step. rates[l]: the learning rate of epoch l.
    risks[l]: the excess risk of the model learned in epoch l."""
    relaxed = partial(constant, fall=fall(rates[: plan.epochs]))
    return thm_global_regret.regret_given_learning_rates(plan, arms, rates, risks, relaxed)


@dataclass(frozen=True)
class RelaxedRates(Theorem):
    """The form of thm:global_regret for federations whose learning rates decrease."""

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
