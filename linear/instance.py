"""A linear instance: features, parameter, agents and how the federation plays. What the theory assumes is checked.

norm(phi) <= 1, norm(omega*) <= 1 and mean rewards in [0,1], for every agent, context and arm.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from bounds import linear_communication, own_ridge_excess_risk, thm_global_regret
from bounds.errors import InputError
from bounds.schedules import EpochPlan
from linear.contexts.finite import FiniteContexts
from linear.contexts.sphere import SphereContexts
from linear.ridge import check_regularisation

REWARDS = ("bernoulli", "deterministic", "two_point")
LEARNING_RATES = ("printed", "sharpened")
LEAST_ACCURACY = 1e-12  # of iterative solvers: below it floats cannot tell
ROUNDING = 1e-9  # what writing a number in decimals may add to a norm or a mean

Contexts = FiniteContexts | SphereContexts


@dataclass(frozen=True, eq=False)
class LinearInstance:
    """agents: the contexts of each. parameter: omega* (d,). accuracy: delta of iterative solvers.

    regularisation: Lam = n lambda, 1 in the paper; only then do the bounds apply.
    """

    agents: tuple[Contexts, ...]
    parameter: np.ndarray
    plan: EpochPlan
    learning_rate: str | tuple[float, ...] = "sharpened"
    rewards: str = "bernoulli"
    regularisation: float = 1.0
    accuracy: float = linear_communication.DEFAULT_ACCURACY
    kind: ClassVar[str] = "linear"

    def __post_init__(self) -> None:
        check_parameter(self.parameter)
        check_regularisation(self.regularisation)
        check_accuracy(self.accuracy)
        check_plan(self.plan)
        seen: set[int] = set()
        for m, contexts in enumerate(self.agents):
            if id(contexts) not in seen:  # agents that share one object share its check
                check_contexts(contexts, self.parameter, f"agents[{m}].")
                seen.add(id(contexts))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, LinearInstance):
            return NotImplemented
        return self.plan == other.plan and self.describe() == other.describe()

    __hash__ = object.__hash__

    @property
    def dimension(self) -> int:
        return len(self.parameter)

    @property
    def arms(self) -> tuple[int, ...]:
        return tuple(contexts.arms for contexts in self.agents)

    @property
    def heterogeneous(self) -> bool:
        """Whether two agents' laws of features differ."""
        return any(not same_law(self.agents[0], other) for other in self.agents[1:])

    @property
    def finite(self) -> bool:
        return all(isinstance(contexts, FiniteContexts) for contexts in self.agents)

    def with_plan(self, plan: EpochPlan) -> LinearInstance:
        return replace(self, plan=plan)

    def risks(self, accuracy: float = 0.0) -> tuple[float, ...]:
        """e_l: the proved mean excess risk of what epoch l teaches with a solver of this accuracy. Not clipped: where
        it exceeds 1 the epoch's bound is trivial anyway, and the smaller learning rate keeps every lemma."""
        het = self.heterogeneous
        return tuple(
            float(
                own_ridge_excess_risk.with_solver_error(
                    own_ridge_excess_risk.mean(float(self.dimension), sum(row), het), accuracy
                )
            )
            for row in self.plan.full
        )

    def learning_rates(self, accuracy: float = 0.0) -> tuple[float, ...]:
        """gamma^l of every epoch; gamma^1 = 1 by convention."""
        return learning_rates(self.learning_rate, self.plan, self.arms, self.risks(accuracy))

    def describe(self) -> dict[str, Any]:
        """The instance as JSON, in the keys of the instance file."""
        rate = self.learning_rate
        return {
            "kind": self.kind,
            "horizon": max(sum(row[m] for row in self.plan.played) for m in range(len(self.agents))),
            "parameter": self.parameter.tolist(),
            "learning_rate": rate if isinstance(rate, str) else list(rate),
            "rewards": self.rewards,
            "regularisation": self.regularisation,
            "accuracy": self.accuracy,
            "agents": [
                contexts.describe() | {"epochs": [row[m] for row in self.plan.full]}
                for m, contexts in enumerate(self.agents)
            ],
        }


def learning_rates(
    rule: str | tuple[float, ...], plan: EpochPlan, arms: tuple[int, ...], risks: tuple[float, ...]
) -> tuple[float, ...]:
    """gamma^l of every epoch, by a rule that knows the excess risks or as listed; gamma^1 = 1 by convention."""
    needed = plan.epochs - 1
    if not isinstance(rule, str):
        if len(rule) < needed:
            raise InputError("learning_rate", f"{len(rule)} numbers", f"must have at least {needed}")
        return (1.0, *rule[:needed])
    g2 = thm_global_regret.multiplier_squared(rule, plan, arms)
    rates = [1.0]
    for full, risk in zip(plan.full[:needed], risks, strict=False):
        rates.append(thm_global_regret.learning_rate(g2, risk, thm_global_regret.mean_arms(full, arms)))
    return tuple(rates)


def check_plan(plan: EpochPlan) -> None:
    """Counts are 64-bit integers."""
    longest = max(sum(row) for row in plan.full)
    if longest >= 2**62:
        raise InputError("horizon", f"an epoch of {longest} steps", "must be less than 2^62 over all agents")


def check_accuracy(accuracy: float) -> None:
    if not LEAST_ACCURACY <= accuracy < math.inf:
        raise InputError("accuracy", accuracy, f"must be a number of at least {LEAST_ACCURACY:g}")


def same_law(one: Contexts, other: Contexts) -> bool:
    if one is other:
        return True
    if isinstance(one, FiniteContexts) and isinstance(other, FiniteContexts):
        return np.array_equal(one.features, other.features) and np.array_equal(one.law, other.law)
    return one == other if isinstance(one, SphereContexts) and isinstance(other, SphereContexts) else False


def check_parameter(parameter: np.ndarray, field: str = "parameter") -> None:
    if parameter.ndim != 1 or not len(parameter):
        raise InputError(field, f"shape {parameter.shape}", "must be a vector of d numbers")
    if not np.isfinite(parameter).all():
        raise InputError(field, parameter.tolist(), "must be finite numbers")
    norm = float(np.linalg.norm(parameter))
    if norm > 1 + ROUNDING:
        raise InputError(field, f"norm {norm:.10g}", "must lie in the unit ball")


def check_contexts(contexts: Contexts, parameter: np.ndarray, where: str) -> None:
    """What the theory assumes of one agent; InputError names context and arm of the first violation."""
    if contexts.dimension != len(parameter):
        raise InputError(
            where + "features",
            f"dimension {contexts.dimension}",
            f"must be the parameter's, {len(parameter)}",
        )
    if contexts.arms < 1:
        raise InputError(where + "arms", contexts.arms, "must be a positive integer")
    if isinstance(contexts, SphereContexts):
        _check_sphere(parameter, where)
        return
    features = contexts.features
    if contexts.law.shape != (len(features),) or (contexts.law < 0).any():
        raise InputError(where + "contexts", f"shape {contexts.law.shape}", "one probability per context")
    if abs(contexts.law.sum() - 1) > ROUNDING:
        raise InputError(where + "contexts", f"sum {contexts.law.sum():.10g}", "probabilities must sum to 1")
    norms, means = np.linalg.norm(features, axis=2), contexts.means(parameter)
    for values, low, allowed in (
        (norms, 0.0, "must lie in the unit ball: norm at most 1"),
        (means, 0.0, "the mean reward phi'parameter must lie in [0,1]"),
    ):
        bad = ~((values >= low - ROUNDING) & (values <= 1 + ROUNDING))  # NaN is bad too
        if bad.any():
            x, a = (int(i) for i in np.argwhere(bad)[0])
            raise InputError(f"{where}features[{x}][{a}]", f"{values[x, a]:.10g}", allowed)


def _check_sphere(parameter: np.ndarray, where: str) -> None:
    if len(parameter) < 2:
        raise InputError(where + "contexts", "sphere", "needs a parameter of dimension at least 2")
    intercept, slope = float(parameter[0]), float(np.linalg.norm(parameter[1:]))
    if intercept < slope - ROUNDING or intercept + slope > math.sqrt(2) + ROUNDING:
        raise InputError(
            "parameter",
            f"intercept {intercept:.6g}, slope {slope:.6g}",
            "with sphere contexts mean rewards lie in [0,1] only if norm(slope) <= intercept <= sqrt2 - norm(slope)",
        )
