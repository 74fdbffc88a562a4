"""Ridge regression as a model: parameters are estimates (d,), scores phi'w, lambda = Lam/n."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from bounds import linear_communication, own_ridge_excess_risk
from bounds.errors import InputError
from fedigw.interfaces import Guarantee, Setting
from fedigw.ledger import Traffic
from linear.ridge import PooledRidge, RidgeData, RidgeProblem, check_regularisation

LEAST_TOLERANCE = 1e-12  # of iterative solvers: below it floats cannot tell


@dataclass(frozen=True)
class Ridge:
    """regularisation: Lam = n lambda, 1 in the paper; only then do the bounds apply. tolerance: delta, how far from the
    minimiser protocols that iterate may stop unless they have their own, norm(w - w_S)^2 <= delta^2 e(n).
    heterogeneous: whether two agents' laws of features differ."""

    dimension: int
    regularisation: float = 1.0
    tolerance: float = linear_communication.DEFAULT_TOLERANCE
    heterogeneous: bool = False
    usual_protocol: ClassVar[str] = "direct"

    def __post_init__(self) -> None:
        check_regularisation(self.regularisation)
        check_tolerance(self.tolerance, "accuracy")

    def initial(self) -> np.ndarray:
        return np.zeros(self.dimension)

    def scores(self, parameters: np.ndarray, contexts: np.ndarray) -> np.ndarray:
        """(..., n, K) of estimates (..., d) at features (n, K, d)."""
        return np.einsum("xkd,...d->...xk", contexts, parameters)

    def offers(self, need: str) -> bool:
        return need in ("gradients", "products", "gram", "moments", "local_gradients", "local_minimisers")

    @property
    def shared_width(self) -> int:
        """Coordinates that travel."""
        return self.dimension

    def risk(self, n: int) -> float:
        """e(n): proved for the exact minimiser. Not clipped: where it exceeds 1 the epoch's bound is trivial
        anyway, and the smaller learning rate keeps every lemma."""
        return float(own_ridge_excess_risk.mean(float(self.dimension), n, self.heterogeneous))

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

    def repeated(self, parameters: np.ndarray, replications: int) -> np.ndarray:
        return np.tile(parameters, (replications, 1))

    def distinct(self, parameters: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Estimates hardly ever coincide: every replication is its own."""
        return parameters, np.arange(len(parameters))

    def describe(self, parameters: np.ndarray) -> list[float]:
        return [float(value) for value in parameters]

    def settings(self) -> dict[str, Any]:
        return {"regularisation": self.regularisation, "accuracy": self.tolerance}


def check_tolerance(value: float, field: str = "tolerance") -> None:
    if not LEAST_TOLERANCE <= value < math.inf:
        raise InputError(field, value, f"must be a number of at least {LEAST_TOLERANCE:g}")


def ridge_guarantee(
    setting: Setting, tolerance: float, cost: Callable[[int], Traffic], claim: str = "col:linear"
) -> Guarantee:
    """What a solver with norm(w - w_S)^2 <= tolerance^2 e(n) promises: excess risk (1 + tolerance)^2 e(n)."""
    model = setting.model
    unproved = f"regularisation {model.regularisation:g}: the excess risk is proved for lambda = 1/n"
    return Guarantee(
        claim=claim,
        risk=lambda variant, n: float(own_ridge_excess_risk.with_solver_error(model.risk(n), tolerance)),
        distance=lambda n: tolerance**2 * model.risk(n),
        cost=cost,
        variants={"printed": ("repaired",), "sharpened": ("sharpened",)},
        missing=() if model.regularisation == 1.0 else (unproved,),
    )
