"""The model of ridge regression with partly shared parameters.

Parameters are one estimate for each of M agents, and the weight on the squared norm is 1/n for n samples. In all D
coordinates, shared and personal, the agents' features have different distributions, and the true parameter can have the
squared norm M. So the proved excess risk is (D/4 + 9M/4)/n.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from bounds import linear_communication
from bounds.compression import Known, known_of_lifted
from bounds.theorems import col_linear_per
from fedigw.interfaces import Guarantee, PerAgent, RiskModel, Setting
from fedigw.ledger import Traffic
from fedigw.local_problem import ProblemWithLocal
from linear.model import call_cost, check_tolerance
from linear.personalised.lifted import Blocks, exact_minimiser, split
from linear.quadratics import LocalQuadratics, Samples
from linear.ridge import DataError, RidgeData, together

if TYPE_CHECKING:
    from fedigw.adapting import Chooser
    from fedigw.federation import Federation


@dataclass(frozen=True)
class PersonalisedRidge(RiskModel):
    """Ridge regression on the shared and all agents' personal coordinates, as a model.

    shared       number of shared coordinates
    dimensions   number of coordinates of each agent, including the shared ones
    tolerance    iterative protocols stop at a squared distance from the minimiser of tolerance^2 times the minimiser's
                 proved excess risk
    """

    shared: int
    dimensions: tuple[int, ...]
    tolerance: float = linear_communication.DEFAULT_TOLERANCE
    usual_protocol: ClassVar[str] = "cg"
    adapts: ClassVar[bool] = True
    accumulates: ClassVar[bool] = True
    rounds_claim: ClassVar[str] = "col:convex_per"  # where the rounds of local methods are counted
    certified_claim: ClassVar[str] = "col:linear_per"
    unequal_unproved: ClassVar[bool] = True  # curvature at home depends on the agent with the fewest samples

    def __post_init__(self) -> None:
        check_tolerance(self.tolerance, "accuracy")

    @property
    def lifted_dimension(self) -> int:
        return self.shared + sum(d - self.shared for d in self.dimensions)

    @property
    def coordinates(self) -> int:
        return self.lifted_dimension

    @property
    def schedules(self) -> tuple[str, ...]:
        return ("lsgd_pfl", "lsgd_pfl_sgd")

    @property
    def risk_statements(self) -> tuple[tuple[str, str], ...]:
        return (("own:ridge_excess_risk", "different_laws"),)

    def initial(self) -> PerAgent:
        return PerAgent(np.zeros(d) for d in self.dimensions)

    def scores(self, parameters: np.ndarray, contexts: np.ndarray) -> np.ndarray:
        return np.einsum("xkd,...d->...xk", contexts, parameters)

    def offers(self, need: str) -> bool:
        known = ("blocks", "local_gradients", "local_minimisers", "known_curvature", "strong convexity")
        return need in known

    @property
    def shared_width(self) -> int:
        return self.shared

    def risk(self, n: int) -> float:
        return float(col_linear_per.excess_risk(self.lifted_dimension, len(self.dimensions), n))

    @property
    def rules(self) -> dict[str, tuple[str, ...]]:
        return {**super().rules, "best": ("best",)}

    def problem(self, datasets: Sequence[RidgeData], epoch: int) -> BlockProblem:
        return BlockProblem(tuple(datasets), epoch, self)

    def known(self, n: int, agents: int, equal: bool) -> Known:
        personal = max(self.dimensions) > self.shared
        return known_of_lifted(n, agents, self.lifted_dimension, n / agents, personal, equal)

    def accumulated(self, before: Sequence[RidgeData], after: Sequence[RidgeData]) -> list[RidgeData]:
        return [together(one, other) for one, other in zip(before, after, strict=True)]

    def adapting(self, federation: Federation, replications: int) -> Chooser:
        from linear.personalised.adaptive import LiftedAllData

        return LiftedAllData(federation, replications)

    @property
    def own_widths(self) -> tuple[int, ...]:
        return self.dimensions

    def describe(self, parameters: PerAgent) -> list[list[float]]:
        return [part.tolist() for part in parameters]

    def settings(self) -> dict[str, Any]:
        return {"accuracy": self.tolerance}


@dataclass(frozen=True)
class BlockProblem(ProblemWithLocal):
    """The learning problem of one call of a protocol for partly shared parameters. Agents answer from their sums over
    samples, split into shared and personal coordinates."""

    datasets: tuple[RidgeData, ...]
    epoch: int
    model: PersonalisedRidge

    @cached_property
    def blocks(self) -> list[Blocks]:
        return split(self.datasets, self.model.shared, self.epoch)

    @property
    def shared(self) -> int:
        return self.model.shared

    @property
    def samples(self) -> int:
        return sum(int(data.count) for data in self.datasets)

    def known(self) -> Known:
        """Return bounds on this learning problem that follow from the numbers of samples, agents and coordinates only,
        so that rounds and step sizes may depend on them."""
        counts = [int(data.count) for data in self.datasets]
        personal = max(self.model.dimensions) > self.shared
        return known_of_lifted(
            self.samples,
            len(counts),
            self.model.lifted_dimension,
            min(counts),
            personal,
            len(set(counts)) == 1,
        )

    @property
    def coordinates(self) -> int:
        return self.model.lifted_dimension

    def target(self, tolerance: float | None) -> float:
        """Return the squared distance from the minimiser at which a solver may stop: tolerance^2 times the minimiser's
        proved excess risk. tolerance: None stands for the model's."""
        chosen = self.model.tolerance if tolerance is None else tolerance
        return chosen**2 * self.model.risk(self.samples)

    @cached_property
    def local(self) -> LocalQuadratics:
        """Return the agents' own objectives, for local methods such as LSGD-PFL, as functions of vectors padded to one
        length. The weight on the squared norm is lambda = 1/n for shared coordinates, and lambda divided by the agent's
        share of the n samples for personal ones."""
        width, a, n = max(self.model.dimensions), self.shared, self.samples
        agents = len(self.datasets)
        hessians, linear = np.zeros((agents, width, width)), np.zeros((agents, width))
        weights = np.array([int(data.count) / n for data in self.datasets])
        if not weights.all():
            absent = f"agent {int(np.argmin(weights))}, epoch {self.epoch}: no sample"
            raise DataError(f"{absent}, and its own loss has no scale without one; use cg or agd")
        regulariser = np.concatenate(
            [np.full((agents, a), 2 / n), np.tile(2 / (n * weights)[:, None], (1, width - a))], axis=1
        )
        samples: list[Samples] = []
        for m, data in enumerate(self.datasets):
            d = len(data.moment)
            hessians[m, :d, :d] = data.gram * (2 / data.count)
            linear[m, :d] = data.moment * (2 / data.count)
            hessians[m] += np.diag(regulariser[m])
            if data.samples is not None:
                padded = np.zeros((len(data.samples.rewards), width))
                padded[:, :d] = data.samples.features
                samples.append(Samples(padded, data.samples.rewards, data.samples.counts))
        return LocalQuadratics(
            hessians,
            linear,
            weights,
            a,
            regulariser,
            2 / n,
            samples if len(samples) == agents else None,
        )

    def parameters(self, shared: np.ndarray, personal: np.ndarray) -> PerAgent:
        """Return each agent's estimate from the shared coordinates (a,) and all padded personal ones (M, D - a)."""
        sizes = [d - self.shared for d in self.model.dimensions]
        return PerAgent(
            np.concatenate([shared, mine[:size]]) for mine, size in zip(personal, sizes, strict=True)
        )

    def points(self, parameters: Sequence[np.ndarray]) -> np.ndarray:
        found = np.zeros((len(self.datasets), max(self.model.dimensions)))
        for row, own in zip(found, parameters, strict=True):
            row[: len(own)] = own
        return found

    def gap(self, parameters: Sequence[np.ndarray]) -> float:
        best = exact_minimiser(self.datasets, self.shared)

        def value(points: Sequence[np.ndarray]) -> float:
            total = float(points[0][: self.shared] @ points[0][: self.shared])
            for data, w in zip(self.datasets, points, strict=True):
                total += float(w @ data.gram @ w - 2 * data.moment @ w)
                total += float(w[self.shared :] @ w[self.shared :])
            return total / self.samples

        return value(parameters) - value(best)

    def distance(self, parameters: Sequence[np.ndarray]) -> float:
        """Return the squared distance of the estimates (d_m,) from the minimiser. Shared coordinates count once."""
        best, a = exact_minimiser(self.datasets, self.shared), self.shared
        shared = float(np.sum((parameters[0][:a] - best[0][:a]) ** 2))
        return shared + sum(
            float(np.sum((p[a:] - b[a:]) ** 2)) for p, b in zip(parameters, best, strict=True)
        )


def lifted_guarantee(protocol: str, setting: Setting, tolerance: float | None) -> Guarantee:
    """Return the guarantee, for partly shared parameters, of a protocol listed in bounds/linear_communication.py.
    tolerance: the result's squared distance from the minimiser is at most tolerance^2 times the minimiser's proved
    excess risk; None for the model's tolerance."""
    model, row = PersonalisedRidge.of(setting), linear_communication.PROTOCOLS[protocol]
    delta = model.tolerance if tolerance is None else tolerance

    def cost(n: int) -> Traffic:
        rounds = row.rounds(n, model.shared, delta**2 * model.risk(n))
        return call_cost(protocol, setting.agents, model.shared, rounds)

    return Guarantee(
        claim="col:linear_per",
        risk=lambda variant, n: (1 + delta) ** 2 * model.risk(n),
        distance=lambda n: delta**2 * model.risk(n),
        cost=cost,
        variants=model.rules,
    )
