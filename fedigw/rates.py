"""Learning rates gamma^l: by the theorem's rule, the same in every epoch, or as listed. gamma^1 = 1 by convention.

Epoch 1 plays uniformly whatever gamma^1 is, since it multiplies gaps of the zero function.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Protocol

from bounds import own_adaptive
from bounds.errors import InputError, choose
from bounds.schedules import EpochPlan, uncut_asynchrony
from bounds.theorems import app_epsilon_greedy, col_finite, thm_global_regret
from fedigw import instance_file
from fedigw.interfaces import Guarantee

RULES = ("printed", "sharpened", "best")
LARGEST = 10**100  # its square is still a float
# Rational rates are rounded down to this grid, so that the exact law has short fractions. Every lemma survives a
# smaller learning rate; at 10^-6 the difference is invisible.
GRID = 10**6
DELTA = 0.05  # of adaptive rates, unless the file says otherwise


class Rates(Protocol):
    """describe(): the value of `learning_rate` in an instance file."""

    def of(
        self, plan: EpochPlan, arms: tuple[int, ...], guarantee: Guarantee | None, rational: bool
    ) -> tuple[Any, ...]:
        """gamma^l of every epoch; Fractions if rational."""
        ...

    def describe(self) -> Any: ...


@dataclass(frozen=True)
class TheoremRates:
    """gamma^l = g sqrt(Kbar^{l-1}/e_{l-1}) with the g and the e of a variant (H4)."""

    variant: str

    def of(
        self, plan: EpochPlan, arms: tuple[int, ...], guarantee: Guarantee | None, rational: bool
    ) -> tuple[Any, ...]:
        self.check(plan, arms, guarantee)
        assert guarantee is not None
        if plan.lag != 1:  # interleaved runs have each its own g
            return _interleaved(plan, [self.of(run, arms, guarantee, rational) for run in plan.runs])
        risks = [guarantee.risk(self.variant, plan.taught(epoch)) for epoch in range(plan.epochs)]
        g2 = thm_global_regret.multiplier_squared(self.variant, plan, arms, risks)
        rates: list[Any] = [Fraction(1) if rational else 1.0]
        for segment in plan.segments[1:]:
            if segment.uses is None:  # uniform play: any rate does
                rates.append(rates[0])
                continue
            full = plan.full[segment.uses]
            risk = risks[segment.uses]
            if risk == 0:
                raise InputError("learning_rate", self.variant, f"{col_finite.INFINITE_RATE}; give a list")
            rate = thm_global_regret.learning_rate(g2, risk, thm_global_regret.mean_arms(full, arms))
            rates.append(Fraction(math.floor(rate * GRID), GRID) if rational else rate)
        return tuple(rates)

    def check(self, plan: EpochPlan, arms: tuple[int, ...], guarantee: Guarantee | None) -> None:
        """The hypotheses of the rule that a federation can fail, named as its file names them."""
        if guarantee is None:
            raise InputError(
                "learning_rate", self.variant, "needs a protocol with a guarantee; give a number or a list"
            )
        if self.variant == "best" and self.variant not in guarantee.variants:
            known = " or ".join(guarantee.variants)
            raise InputError("learning_rate", "best", f"is not proved for this model and protocol: {known}")
        choose("learning_rate", self.variant, guarantee.variants)
        if self.variant != "best":
            return
        if (c := max(uncut_asynchrony(run) for run in plan.runs)) != 1:
            raise InputError("learning_rate", "best", f"is for agents in step, c = 1; here c = {c:.6g}")
        if 1 in arms:
            single = f"agents[{arms.index(1)}] has 1"
            raise InputError("learning_rate", "best", f"is for agents with at least two arms each; {single}")

    def describe(self) -> str:
        return self.variant


def _interleaved(plan: EpochPlan, rates: Sequence[Sequence[Any]]) -> tuple[Any, ...]:
    return tuple(rates[epoch % plan.lag][epoch // plan.lag] for epoch in range(plan.epochs))


@dataclass(frozen=True)
class TunedShares:
    """eps_l = min(1, (K e_{l-1}/2)^{1/3}): the share of uniform play of app:epsilon_greedy, e of variant sharpened."""

    def of(
        self, plan: EpochPlan, arms: tuple[int, ...], guarantee: Guarantee | None, rational: bool
    ) -> tuple[Any, ...]:
        if guarantee is None:
            raise InputError(
                "learning_rate", "tuned", "needs a protocol with a guarantee; give a number or a list"
            )
        shares: list[Any] = [Fraction(1) if rational else 1.0]
        for segment in plan.segments[1:]:
            share = 1.0
            if segment.uses is not None:
                risk = guarantee.risk("sharpened", sum(plan.full[segment.uses]))
                share = max(app_epsilon_greedy.share(max(arms), min(1.0, risk)), 1 / GRID)
            shares.append(Fraction(math.floor(share * GRID), GRID) if rational else share)
        return tuple(shares)

    def describe(self) -> str:
        return "tuned"


@dataclass(frozen=True)
class ListedRates:
    """gamma^2, gamma^3, ... as given."""

    values: tuple[Any, ...]

    def of(
        self, plan: EpochPlan, arms: tuple[int, ...], guarantee: Guarantee | None, rational: bool
    ) -> tuple[Any, ...]:
        needed = plan.epochs - 1
        if len(self.values) < needed:
            raise InputError("learning_rate", f"{len(self.values)} numbers", f"must have at least {needed}")
        if rational:
            return (Fraction(1), *self.values[:needed])
        return (1.0, *(float(value) for value in self.values[:needed]))

    def describe(self) -> list[Any]:
        return [str(v) if isinstance(v, Fraction) else v for v in self.values]


@dataclass(frozen=True)
class ConstantRate:
    """The same gamma in every epoch, as the paper's experiments have it."""

    value: Any

    def of(
        self, plan: EpochPlan, arms: tuple[int, ...], guarantee: Guarantee | None, rational: bool
    ) -> tuple[Any, ...]:
        one, value = (Fraction(1), self.value) if rational else (1.0, float(self.value))
        return (one, *(value,) * (plan.epochs - 1))

    def describe(self) -> Any:
        return str(self.value) if isinstance(self.value, Fraction) else self.value


@dataclass(frozen=True)
class AdaptiveRates:
    """Chosen from the data while they come in (own:adaptive); the bound of a run holds with probability 1 - delta.
    multiplier: linear rewards only, gamma = multiplier sqrt(K n)/b, 16 by default. The bound holds whatever it is; a
    larger one explores less, and where arms are then hardly played the bound stays large."""

    delta: float = DELTA
    multiplier: float | None = None

    def __post_init__(self) -> None:
        own_adaptive.check_delta(self.delta)
        if self.multiplier is not None and not 0 < self.multiplier <= LARGEST:
            raise InputError("learning_rate.multiplier", self.multiplier, "must be above 0 and at most 1e100")

    def of(
        self, plan: EpochPlan, arms: tuple[int, ...], guarantee: Guarantee | None, rational: bool
    ) -> tuple[Any, ...]:
        raise InputError("learning_rate", "adaptive", "is known only when the data are; use simulate")

    def describe(self) -> dict[str, Any]:
        more = {} if self.multiplier is None else {"multiplier": self.multiplier}
        return {"name": "adaptive", "delta": self.delta} | more


def rates_of(value: Any, rational: bool, delta: Any = None) -> Rates:
    """The rates that `learning_rate` of an instance file, or of a caller, means. delta: its key for adaptive rates."""
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
        level = DELTA if delta is None else own_adaptive.check_delta(_decimal(delta))
        return AdaptiveRates(level, multiplier)
    if delta is not None:
        raise InputError("delta", delta, "is for learning_rate = adaptive")
    if isinstance(value, (TheoremRates, TunedShares, ListedRates, ConstantRate, AdaptiveRates)):
        return value
    if value == "tuned":
        return TunedShares()
    if isinstance(value, str) and not value[:1].isdigit():
        return TheoremRates(choose("learning_rate", value, (*RULES, "adaptive", "tuned")))
    if isinstance(value, (list, tuple)):
        items = instance_file.array(list(value), "learning_rate", "gamma^2, gamma^3, ...") if value else []
        return ListedRates(
            tuple(_rate(item, f"learning_rate[{i}]", rational) for i, item in enumerate(items))
        )
    return ConstantRate(_rate(value, "learning_rate", rational))


def _decimal(delta: Any) -> Any:
    """A number, or one in quotes as files may have it."""
    return instance_file.exact_number(delta, "delta") if isinstance(delta, str) else delta


def _rate(value: Any, field: str, rational: bool) -> Any:
    allowed = "must be a number between 0 and 1e100"
    rate = value if isinstance(value, Fraction) else instance_file.exact_number(value, field, allowed)
    if not 0 <= rate <= LARGEST:
        raise InputError(field, str(value), allowed)
    return rate if rational else float(rate)
