"""Compute the differential privacy that one call of a protocol spends on each sample, and that several calls spend."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from bounds import app_gaussian_mechanism as gaussian


class Spending(Protocol):
    """The interface of the differential privacy that one call of a federated protocol spends on one sample.

    epsilon(delta)   the epsilon of (epsilon, delta) privacy against anyone who sees what the call releases
    uses(k)          the privacy that k such calls on the same sample spend together
    rounds           number of releases within the call, which are already added up
    """

    @property
    def rounds(self) -> int: ...
    def epsilon(self, delta: float) -> float: ...
    def uses(self, calls: int) -> Spending: ...


@dataclass(frozen=True)
class Gaussian:
    """The differential privacy that Gaussian noise spends. mu: sensitivity divided by the standard deviation of the
    noise, for all `rounds` releases together."""

    mu: float
    rounds: int = 1

    def epsilon(self, delta: float) -> float:
        return gaussian.epsilon_of(self.mu, delta)

    def uses(self, calls: int) -> Gaussian:
        return Gaussian(gaussian.together([self.mu] * calls), self.rounds)


@dataclass(frozen=True)
class Nothing:
    """The privacy spent if no call is made: epsilon is 0."""

    rounds: int = 0

    def epsilon(self, delta: float) -> float:
        return 0.0

    def uses(self, calls: int) -> Nothing:
        return self


def of_run(spent: Spending, calls: Sequence[Sequence[int]]) -> tuple[Spending, int]:
    """Return the privacy that a run of FedIGW spends on a sample, and the largest number of calls of the protocol that
    use the same sample. spent: the privacy that each call spends. calls: for each call, the epochs whose data it
    uses."""
    from bounds.app_epochs_do_not_compose import uses

    most = uses(calls)
    return (spent.uses(most) if most else Nothing()), most
