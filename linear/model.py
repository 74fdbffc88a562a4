"""The model of ridge regression: parameters are estimates w (d,), and the score of an arm with features phi is phi'w.

The weight on the squared norm is Lam/n for n samples, where Lam is the field `regularisation`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from bounds import col_convex_rounds, linear_communication, own_agd_rate, own_ridge_excess_risk
from bounds.compression import Known, known_of_ridge
from bounds.errors import InputError
from fedigw.interfaces import FLProtocol, Guarantee, Parameters, PerAgent, RiskModel, Setting
from fedigw.ledger import Traffic, one_call
from linear.ellipsoid import Ellipsoid
from linear.ensemble import Ensemble
from linear.posterior import MOST_DIMENSIONS
from linear.ridge import PooledRidge, RidgeData, RidgeProblem, check_regularisation, together

if TYPE_CHECKING:
    from fedigw.adapting import Chooser
    from fedigw.federation import Federation

FEW = f"at most {MOST_DIMENSIONS} coordinates"  # what some protocols need of a model
LEAST_TOLERANCE = 1e-12  # of iterative solvers: below it floats cannot tell


class Watched(np.ndarray):
    """An estimate (d,) that reports every use of it to an observer.

    watch      watch(features (n, K, d), scores (n, K)) is called whenever scores are computed
    on_plane   on_plane(basis) is called in place of `watch` by an engine that draws only projections of features on a
               plane; without it the engine draws whole features, at least those of the first `shown` steps
    remember   is called with a function that plays the same steps again
    """

    watch: Callable[[np.ndarray, np.ndarray], None] | None = None
    on_plane: Callable[[np.ndarray], Any] | None = None
    remember: Callable[[Any], None] | None = None
    shown: float = math.inf


@dataclass(frozen=True)
class LinearModel(RiskModel):
    """Base class of models with scores phi'w for features phi in d coordinates.

    regularisation   n times the weight on the squared norm, for n samples
    tolerance        iterative protocols stop by default where the excess risk is at most (1 + tolerance)^2 times the
                     minimiser's
    heterogeneous    whether the features of two agents have different distributions
    """

    dimension: int
    regularisation: float = 1.0
    tolerance: float = linear_communication.DEFAULT_TOLERANCE
    heterogeneous: bool = False
    descent_rate: ClassVar[tuple[str, str]] = ("own:agd_rate", "rate")
    claim: ClassVar[str] = "col:linear"  # the regret of an estimate near the minimiser
    rounds_claim: ClassVar[str] = col_convex_rounds.LABEL
    accumulates: ClassVar[bool] = True

    def __post_init__(self) -> None:
        check_regularisation(self.regularisation)
        check_tolerance(self.tolerance, "accuracy")

    @property
    def descent(self) -> own_agd_rate.Geometric:
        return own_agd_rate.AGD

    def effective_samples(self, n: int) -> float:
        """Return L n/(regularisation x weight) for n samples, where L is the largest curvature of the loss and `weight`
        the loss's own constant. Formulas stated for ridge regression with regularisation 1 hold with this in place of
        n. The condition number of the objective is at most 1 plus this number."""
        return n / self.regularisation

    def initial(self) -> np.ndarray:
        return np.zeros(self.dimension)

    @property
    def shared_width(self) -> int:
        return self.dimension

    @property
    def rules(self) -> dict[str, tuple[str, ...]]:
        return {**super().rules, "best": ("best",)}

    def accumulated(self, before: Any, after: Any) -> Any:
        if isinstance(before, list):
            return [self.accumulated(one, other) for one, other in zip(before, after, strict=True)]
        return together(before, after)

    def repeated(self, parameters: np.ndarray, replications: int) -> np.ndarray:
        return np.tile(parameters, (replications, 1))

    def distinct(self, parameters: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        return parameters, np.arange(len(parameters))

    def describe(self, parameters: Parameters) -> list[Any]:
        if isinstance(parameters, PerAgent):
            return [list(map(float, v)) for v in parameters]
        found: list[Any] = np.asarray(parameters, dtype=float).tolist()
        return found

    def settings(self) -> dict[str, Any]:
        return {"regularisation": self.regularisation, "accuracy": self.tolerance}


@dataclass(frozen=True)
class Ridge(LinearModel):
    """Ridge regression in d coordinates, as a model. Its excess risk is proved for regularisation 1, as in the paper.
    clip: whether predictions are cut to [0,1], which some protocols' theorems require. unit_box: whether the true
    parameter lies in [0,1]^d and every parameter there predicts values in [0,1]."""

    clip: bool = False
    unit_box: bool = False
    usual_protocol: ClassVar[str] = "direct"
    adapts: ClassVar[bool] = True
    gives_widths: ClassVar[bool] = True

    def scores(self, parameters: np.ndarray | Ensemble, contexts: np.ndarray) -> np.ndarray:
        if isinstance(parameters, Ensemble):
            found = parameters.scores(contexts)
        else:
            found = np.einsum("xkd,...d->...xk", contexts, np.asarray(parameters))
        if isinstance(parameters, Watched) and parameters.watch is not None:
            parameters.watch(contexts, found)
        return np.clip(found, 0, 1) if self.clip else found

    def predicting(self, clip: bool) -> Ridge:
        return self if clip == self.clip else replace(self, clip=clip)

    def widths(self, parameters: np.ndarray, contexts: np.ndarray) -> np.ndarray:
        assert isinstance(parameters, Ellipsoid)  # a federation without such a protocol is refused
        return parameters.widths(contexts)

    def offers(self, need: str) -> bool:
        return need in (
            *("gradients", "products", "gram", "moments", "local_gradients", "clipping"),
            *("own_estimates", "local_minimisers", "known_curvature", "strong convexity"),
            *((FEW,) if self.dimension <= MOST_DIMENSIONS else ()),
        )

    def risk(self, n: int) -> float:
        return float(own_ridge_excess_risk.mean(float(self.dimension), n, self.heterogeneous))

    def charged_risk(self, variant: str, n: int) -> float:
        if variant != "best":
            return self.risk(n)
        return float(own_ridge_excess_risk.coefficient(float(self.dimension), self.heterogeneous)) / n

    @property
    def risk_statements(self) -> tuple[tuple[str, str], ...]:
        return (("own:ridge_excess_risk", "different_laws" if self.heterogeneous else "same_law"),)

    @property
    def schedules(self) -> tuple[str, ...]:
        names = ("fedavg", "scaffold", "fedavg_sgd", "scaffold_sgd")
        return names if self.regularisation == 1.0 else ()

    def problem(self, datasets: Sequence[RidgeData], epoch: int) -> RidgeProblem:
        error = self.risk(sum(int(data.count) for data in datasets))
        return RidgeProblem(datasets, epoch, self.regularisation, error, self.tolerance)

    def pooled_problem(self, data: RidgeData, epoch: int) -> PooledRidge:
        return PooledRidge(
            data.count,
            data.gram,
            data.moment,
            epoch,
            self.regularisation,
            self.risk(data.count),
            self.tolerance,
        )

    def known(self, n: int, agents: int, equal: bool) -> Known:
        return known_of_ridge(n, agents, self.dimension, self.regularisation, equal)

    @property
    def unproved(self) -> tuple[str, ...]:
        unproved = f"regularisation {self.regularisation:g}: the excess risk is proved for lambda = 1/n"
        return () if self.regularisation == 1.0 else (unproved,)

    def adapting(self, federation: Federation, replications: int) -> Chooser:
        from linear.adaptive import Adapting, Streaming

        if self.regularisation != 1.0:
            raise InputError(
                "learning_rate", "adaptive", "needs regularisation 1: the ellipsoids are stated for it"
            )
        if federation.plan.cumulative:
            from linear.joint import AllData, StreamedAllData

            return (AllData if federation.world.finite else StreamedAllData)(federation, replications)
        return (Adapting if federation.world.finite else Streaming)(federation, replications)


def check_tolerance(value: float, field: str = "tolerance") -> None:
    if not LEAST_TOLERANCE <= value < math.inf:
        raise InputError(field, value, f"must be a number of at least {LEAST_TOLERANCE:g}")


def call_cost(protocol: str, agents: int, dimension: int, rounds: int) -> Traffic:
    """Return the counts of messages and numbers of one call of a protocol with this number of rounds, by the table in
    bounds/linear_communication.py. protocol: its name there."""
    row = linear_communication.PROTOCOLS[protocol]
    (up, down), (numbers_up, numbers_down) = row.messages(rounds), row.sent(dimension, rounds, 1)
    return one_call(agents, rounds, (up, numbers_up), (down, numbers_down))


def solver_guarantee(protocol: str, setting: Setting, tolerance: float | None = 0.0) -> Guarantee:
    """Return the guarantee of a protocol listed in bounds/linear_communication.py. tolerance: the result's squared
    distance from the minimiser is at most tolerance^2 times the minimiser's proved excess risk; None for the model's
    tolerance."""
    model, row = Ridge.of(setting), linear_communication.PROTOCOLS[protocol]
    delta = model.tolerance if tolerance is None else tolerance

    def cost(n: int) -> Traffic:
        samples = n / model.regularisation if row.iterative else n
        rounds = row.rounds(samples, model.dimension, delta**2 * model.risk(n))
        return call_cost(protocol, setting.agents, model.dimension, rounds)

    return near_minimiser(setting, delta, cost, row.rests_on)


@dataclass(frozen=True)
class Solver(FLProtocol):
    """Base class of iterative protocols for ridge regression. tolerance: the result's excess risk is at most (1 +
    tolerance)^2 times the minimiser's; if not set, the model's tolerance is used."""

    tolerance: float | None = None

    def __post_init__(self) -> None:
        if self.tolerance is not None:
            check_tolerance(self.tolerance)

    def guarantee(self, setting: Setting) -> Guarantee:
        return solver_guarantee(self.name, setting, self.tolerance)


def near_minimiser(
    setting: Setting,
    tolerance: float,
    cost: Callable[[int], Traffic],
    solver: tuple[tuple[str, str], ...] = (),
) -> Guarantee:
    """Return the guarantee of a protocol that ends near the minimiser: its excess risk is at most (1 + tolerance)^2
    times the minimiser's. cost(n): the counts of one call on n samples. solver: the statements, as (label of the claim,
    variant), that prove the distance; none for an exact solver."""
    model = LinearModel.of(setting)
    return Guarantee(
        claim=model.claim,
        risk=lambda variant, n: float(
            own_ridge_excess_risk.with_solver_error(model.charged_risk(variant, n), tolerance)
        ),
        distance=lambda n: model.reach(n, tolerance),
        cost=cost,
        variants=model.rules,
        missing=model.unproved,
        rests_on=(*model.risk_statements, *solver),
    )
