"""What a call spends on every sample that it uses, and how what several calls spend adds up."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from bounds import app_gaussian_mechanism as gaussian


class Spending(Protocol):
    """epsilon(delta): how private, against anyone who sees what the call releases. uses(k): k such calls on one sample.
    rounds: releases within the call, already added up."""

    @property
    def rounds(self) -> int: ...
    def epsilon(self, delta: float) -> float: ...
    def uses(self, calls: int) -> Spending: ...


@dataclass(frozen=True)
class Gaussian:
    """mu: sensitivity over standard deviation, of all `rounds` releases together."""

    mu: float
    rounds: int = 1

    def epsilon(self, delta: float) -> float:
        return gaussian.epsilon_of(self.mu, delta)

    def uses(self, calls: int) -> Gaussian:
        return Gaussian(gaussian.together([self.mu] * calls), self.rounds)


@dataclass(frozen=True)
class Nothing:
    """No call has been made."""

    rounds: int = 0

    def epsilon(self, delta: float) -> float:
        return 0.0

    def uses(self, calls: int) -> Nothing:
        return self


def of_run(spent: Spending, calls: Sequence[Sequence[int]]) -> tuple[Spending, int]:
    """The run's spending and by how many calls a sample is used at most. calls: for each call, the epochs whose data it
    uses; every call spends the same."""
    from bounds.app_epochs_do_not_compose import uses

    most = uses(calls)
    return (spent.uses(most) if most else Nothing()), most
