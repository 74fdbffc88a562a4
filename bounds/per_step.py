"""Evaluate regret bounds of a single learner that updates after every step: one formula in the number of steps, without
agents or epochs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from bounds.arithmetic import Value, first_integer
from bounds.errors import InputError
from bounds.report import BoundReport
from bounds.theorem import Case, Theorem

LONGEST = 10**300


@dataclass(frozen=True)
class StepTheorem(Theorem):
    """Base class of a regret bound for a single learner. A paper other than FedIGW defines a subclass in its own folder
    theorems/, with a method bound(case): one formula for numbers and sympy symbols. The bound divided by the number of
    steps must not increase with this number. largest: the largest possible regret of a step."""

    required: tuple[str, ...] = ("T",)
    forms: tuple[str, ...] = ("printed",)
    largest: float = 1.0

    def bound(self, case: Case) -> Value:
        raise NotImplementedError

    def evaluate(
        self, variant: str, quantity: str, protocol: str | None, parameters: Mapping[str, Any]
    ) -> BoundReport:
        def value(horizon: int) -> float:
            return float(self.bound(self.case(variant, None, {**parameters, "T": horizon})))

        case, horizon = self.case(variant, protocol, parameters), int(parameters["T"])
        self.check(case, quantity)
        first = first_integer(lambda t: value(t) < self.largest * t, most=LONGEST)
        now, trivial = value(horizon), self.largest * horizon
        if (now < trivial) != (first is not None and horizon >= first):
            raise InputError(
                "--set",
                f"T={horizon}",
                f"{self.label}: bound/T rises, so no horizon is the first informative",
            )
        formula = partial(_closed, self, variant, quantity)
        needs = self.needs(case, quantity)
        return BoundReport(now, formula, trivial, first, needs, rests_on=self.rests_on(case), per_step=True)

    def closed_regret(self, case: Case) -> Value:
        return self.bound(case)


def _closed(theorem: StepTheorem, variant: str, quantity: str) -> Any:
    return theorem.expression(variant, quantity, None)
