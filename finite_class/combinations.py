"""Learn linear combinations of the functions of a finite class, so that protocols that need gradients run there too.

A combination sum_j v_j f_j of F functions is linear in its weights v. Its features in context x at arm a are phi =
(f_1(x, a), ..., f_F(x, a))/c, and its parameter is c v, where c >= 1 is the least number with norm(phi) <= 1. So
learning v is ridge regression.

The parameter of the true function may have a norm up to c. The claim own:ridge_excess_risk bounds the excess risk for
any norm; col:linear and claims that cite it require norm at most 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from bounds import own_ridge_excess_risk
from fedigw.interfaces import Guarantee, Model
from finite_class.model import CellCounts, FiniteClass
from linear.ensemble import Ensemble
from linear.model import Ridge
from linear.quadratics import Samples
from linear.ridge import PooledRidge, RidgeData, RidgeProblem


@dataclass(frozen=True)
class Combinations(Ridge):
    """The model of all linear combinations of the functions of a finite class, learned by ridge regression. finite: the
    class. In its methods, `contexts` are the indices of an agent's arms; the results are for all contexts."""

    finite: FiniteClass | None = None
    usual_protocol: ClassVar[str] = FiniteClass.usual_protocol
    adapts: ClassVar[bool] = False
    claim: ClassVar[str] = "thm:global_regret"
    certified_claim: ClassVar[str] = "thm:global_regret"

    @classmethod
    def of_class(cls, finite: FiniteClass) -> Combinations:
        return cls(finite.size, heterogeneous=not finite.alike, finite=finite)

    @property
    def members(self) -> FiniteClass:
        assert self.finite is not None
        return self.finite

    @cached_property
    def norm(self) -> float:
        """Return a bound on the norm of the true function's parameter: the largest Euclidean norm of the vector of all
        functions' values at one context and arm, but at least 1."""
        return max(1.0, float(np.sqrt((self.members.values**2).sum(axis=0).max())))

    @cached_property
    def features(self) -> np.ndarray:
        """Return the feature vector of every context and arm, shape (X, K, F)."""
        return np.ascontiguousarray(np.moveaxis(self.members.values, 0, -1)) / self.norm

    def serving(self, needs: Sequence[str]) -> Model:
        return self.members.serving(needs)

    def offers(self, need: str) -> bool:
        return need == "mixtures" or super().offers(need)

    def unmet(self, promised: Guarantee) -> tuple[str, ...]:
        if self.norm == 1 or promised.claim == self.claim:
            return ()
        said = f"the class as features has norm(omega*) up to {self.norm:.4g}"
        return (f"{said}, and {promised.claim} is for at most 1",)

    def risk(self, n: int) -> float:
        return float(own_ridge_excess_risk.mean(float(self.dimension), n, self.heterogeneous, self.norm**2))

    def charged_risk(self, variant: str, n: int) -> float:
        whole = own_ridge_excess_risk.coefficient(float(self.dimension), self.heterogeneous, self.norm**2)
        return float(whole) / n if variant == "best" else self.risk(n)

    def scores(self, parameters: np.ndarray | Ensemble, contexts: Any) -> np.ndarray:
        return super().scores(parameters, self.features[:, list(contexts)])

    def widths(self, parameters: np.ndarray, contexts: Any) -> np.ndarray:
        return super().widths(parameters, self.features[:, list(contexts)])

    def problem(self, datasets: Sequence[Any], epoch: int) -> RidgeProblem:
        sums = [self._sums(data) for data in datasets]
        error = self.risk(sum(data.count for data in sums))
        found = RidgeProblem(sums, epoch, self.regularisation, error, self.tolerance)
        found.norm = self.norm
        return found

    def pooled_problem(self, data: Any, epoch: int) -> PooledRidge:
        return super().pooled_problem(self._sums(data), epoch)

    def accumulated(self, before: Any, after: Any) -> Any:
        return self.members.accumulated(before, after)

    def words(self, kind: str) -> str:
        return "combinations of a finite class"

    def settings(self) -> dict[str, Any]:
        return {}

    def _sums(self, data: CellCounts) -> RidgeData:
        cells = self.features.reshape(-1, self.dimension)
        counts = np.asarray(data.counts, dtype=float)
        if counts.ndim == 1:  # as einsum does it, without a search for the best order
            gram = (counts[:, None] * cells).T @ cells
        else:
            gram = np.einsum("...c,ci,cj->...ij", counts, cells, cells, optimize=True)
        moment = (np.asarray(data.sums, dtype=float) / data.unit) @ cells
        samples = None
        if data.drawn is not None:
            rewards, numbers = data.drawn
            met = numbers > 0
            samples = Samples(cells[np.nonzero(met)[0]], rewards[met], numbers[met])
        return RidgeData(int(np.sum(data.counts, axis=-1).flat[0]), gram, moment, samples)
