"""The policy's learning rates (exploration parameter gamma): from a theorem, constant, listed, or chosen from the
data.
"""

import math
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, ClassVar

from bounds import own_adaptive
from bounds.errors import InputError, choose
from bounds.schedules import EpochPlan
from bounds.theorem import Theorem
from bounds.theorems import app_epsilon_greedy, thm_global_regret
from fedigw import instance_file
from fedigw.interfaces import Arms, Guarantee, Policy, Rates

THEOREMS: tuple[Theorem, ...] = (thm_global_regret.THEOREM, app_epsilon_greedy.THEOREM)
RULES = tuple(rule for theorem in THEOREMS for rule in theorem.rules)
LARGEST = 10**100  # its square is still a float
# Rational rates are rounded down to this grid, so that the exact law has short fractions. Every lemma survives a
# smaller learning rate; at 10^-6 the difference is invisible.
GRID = 10**6
DELTA = 0.05  # of adaptive rates, unless the file says otherwise


@dataclass(frozen=True)
class TheoremRates(Rates):
    """The learning rates that a theorem prescribes: gamma of inverse gap weighting, or for epsilon-greedy the
    probability of uniform play. rule: the name of the prescription, such as "sharpened"."""

    rule: str = field()

    @property
    def theorem(self) -> Theorem:
        return next(theorem for theorem in THEOREMS if self.rule in theorem.rules)

    def of(self, plan: EpochPlan, arms: Arms, guarantee: Guarantee | None, rational: bool) -> tuple[Any, ...]:
        if guarantee is None:
            raise InputError(
                "learning_rate", self.rule, "needs a protocol with a guarantee; give a number or a list"
            )
        known = [rule for rule in guarantee.variants if rule in self.theorem.rules]
        if known and self.rule not in known:
            said = f"cannot be played with this model and protocol; give {' or '.join(known)}, or numbers"
            raise InputError("learning_rate", self.rule, said)
        rates = self.theorem.rates(self.rule, plan, arms, guarantee.risk)
        return tuple(Fraction(math.floor(rate * GRID), GRID) for rate in rates) if rational else tuple(rates)

    def describe(self) -> str:
        return self.rule

    def check(self, policy: Policy) -> None:
        """Raise InputError unless the rule is for this policy: for inverse gap weighting it prescribes gamma, for
        epsilon-greedy the probability of uniform play."""
        if policy.usual_rate not in self.theorem.rules:
            said = f"is the rule of {self.theorem.label}; {policy.name} takes {policy.usual_rate}, or numbers"
            raise InputError("learning_rate", self.rule, said)


@dataclass(frozen=True)
class ListedRates(Rates):
    """The policy's learning rates in epochs 2, 3, ..., as a list."""

    values: tuple[Any, ...]

    def of(self, plan: EpochPlan, arms: Arms, guarantee: Guarantee | None, rational: bool) -> tuple[Any, ...]:
        needed = plan.epochs - 1
        if len(self.values) < needed:
            said = f"must have at least {needed}: one for each epoch from 2 on, of {plan.epochs} epochs"
            raise InputError("learning_rate", f"{len(self.values)} numbers", said)
        if rational:
            return (Fraction(1), *self.values[:needed])
        return (1.0, *(float(value) for value in self.values[:needed]))

    def describe(self) -> list[Any]:
        return [str(v) if isinstance(v, Fraction) else v for v in self.values]


@dataclass(frozen=True)
class ConstantRate(Rates):
    """The same learning rate of the policy in every epoch, as in the paper's experiments."""

    value: Any

    def of(self, plan: EpochPlan, arms: Arms, guarantee: Guarantee | None, rational: bool) -> tuple[Any, ...]:
        one, value = (Fraction(1), self.value) if rational else (1.0, float(self.value))
        return (one, *(value,) * (plan.epochs - 1))

    def describe(self) -> Any:
        return str(self.value) if isinstance(self.value, Fraction) else self.value


@dataclass(frozen=True)
class AdaptiveRates(Rates):
    """Learning rates chosen from the data (own:adaptive). Each run computes a bound on its regret that holds with
    probability 1 - delta. For linear rewards the learning rate is multiplier x sqrt(arms x samples)/b, where b is the
    radius of a confidence ellipsoid for the true parameter. The bound holds for any multiplier (16 by default); a
    larger one explores less."""

    delta: float = DELTA
    multiplier: float | None = None
    adaptive: ClassVar[bool] = True

    def __post_init__(self) -> None:
        own_adaptive.check_delta(self.delta)
        if self.multiplier is not None and not 0 < self.multiplier <= LARGEST:
            raise InputError("learning_rate.multiplier", self.multiplier, "must be above 0 and at most 1e100")

    def of(self, plan: EpochPlan, arms: Arms, guarantee: Guarantee | None, rational: bool) -> tuple[Any, ...]:
        raise InputError("learning_rate", "adaptive", "is known only when the data are; use simulate")

    def describe(self) -> dict[str, Any]:
        more = {} if self.multiplier is None else {"multiplier": self.multiplier}
        return {"name": "adaptive", "delta": self.delta} | more


def rates_of(value: Any, rational: bool, delta: Any = None) -> Rates:
    """Return the learning rates that the value of the key `learning_rate` describes: a rule's name, a number, a list or
    a table. rational: whether to convert numbers to Fractions. delta: failure probability of the regret bound, for
    rates chosen from the data."""
    multiplier = None
    if isinstance(value, dict):
        instance_file.refuse_unknown(value, ("name", "delta", "multiplier"), "learning_rate.")
        if value.get("name") != "adaptive":
            raise InputError("learning_rate.name", value.get("name"), "must be adaptive: no other is a table")
        if "multiplier" in value:
            field, allowed = "learning_rate.multiplier", "must be above 0 and at most 1e100"
            multiplier = float(instance_file.exact_number(value["multiplier"], field, allowed))
        value, delta = "adaptive", value.get("delta", delta)
    if value == "adaptive":
        if isinstance(delta, str):  # files may have numbers in quotes
            delta = instance_file.exact_number(delta, "delta")
        return AdaptiveRates(DELTA if delta is None else own_adaptive.check_delta(delta), multiplier)
    if delta is not None:
        raise InputError("delta", delta, "is for learning_rate = adaptive")
    if isinstance(value, Rates):
        return value
    if isinstance(value, str) and not value[:1].isdigit():
        return TheoremRates(choose("learning_rate", value, (*RULES, "adaptive")))
    if isinstance(value, (list, tuple)):
        items = instance_file.array(list(value), "learning_rate", "gamma^2, gamma^3, ...") if value else []
        return ListedRates(
            tuple(_rate(item, f"learning_rate[{i}]", rational) for i, item in enumerate(items))
        )
    return ConstantRate(_rate(value, "learning_rate", rational))


def _rate(value: Any, field: str, rational: bool) -> Any:
    allowed = "must be a number between 0 and 1e100"
    rate = value if isinstance(value, Fraction) else instance_file.exact_number(value, field, allowed)
    if not 0 <= rate <= LARGEST:
        raise InputError(field, str(value), allowed)
    return rate if rational else float(rate)
