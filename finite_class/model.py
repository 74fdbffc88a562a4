"""The model "finite class": one of finitely many known functions is learned. Its parameter is the index of the function
in use, or |F| for the initial zero function.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from fedigw.interfaces import Model, Parameters, Problem, World
from finite_class.losses import Functions, LossTable

if TYPE_CHECKING:
    from fedigw.adapting import Chooser
    from fedigw.federation import Federation


@dataclass(frozen=True)
class CellCounts:
    """A dataset of a finite-class world, as sums over C cells, the pairs of context and arm.

    counts   (..., C): number of samples in each cell
    sums     (..., C): `unit` times the sum of their rewards, which is an integer
    drawn    if samples were recorded, the J possible rewards in each cell and how often each occurred, both (C, J)
    """

    counts: np.ndarray
    sums: np.ndarray
    unit: int
    drawn: tuple[np.ndarray, np.ndarray] | None = None

    def flipped(self) -> CellCounts:
        """Return the data with every reward r reported as 1 - r, as an agent that lies would do."""
        drawn = None if self.drawn is None else (1 - self.drawn[0], self.drawn[1])
        return CellCounts(self.counts, self.unit * self.counts - self.sums, self.unit, drawn)


@dataclass(frozen=True)
class PerContext:
    """Parameters that differ between contexts, as they do if learning rates are chosen from the data. states: (..., X),
    the index of the function in use in each context, |F| for the zero function."""

    states: np.ndarray

    def __iter__(self) -> Iterator[PerContext]:
        return (PerContext(row) for row in self.states)

    def __len__(self) -> int:
        return len(self.states)


@dataclass(frozen=True)
class FiniteClass(Model):
    """A finite class of functions as the model.

    functions    |F| x |X| x K values in [0,1]
    truth        index of the true function, used only for adversarial ties and for checks; None if the class does not
                 contain it
    make_table   makes the same values as integers over one denominator, so that ties are exact; called when first
                 needed
    alike        whether all agents have the same arms and the same distribution of contexts
    """

    functions: Functions
    truth: int | None
    make_table: Callable[[], LossTable]
    alike: bool = True
    usual_protocol: ClassVar[str] = "exact_minimiser"
    adapts: ClassVar[bool] = True
    accumulates: ClassVar[bool] = True
    unit_scores: ClassVar[bool] = True

    @cached_property
    def _scores(self) -> np.ndarray:
        return np.concatenate([self.values, np.zeros((1, *self.values.shape[1:]))])

    @cached_property
    def values(self) -> np.ndarray:
        return np.array(self.functions, dtype=object).astype(float)

    @cached_property
    def _names(self) -> np.ndarray:
        return np.array([*range(self.size), "initial"], dtype=object)

    @cached_property
    def table(self) -> LossTable:
        return self.make_table()

    @property
    def size(self) -> int:
        return len(self.functions)

    def initial(self) -> int:
        return self.size

    def scores(self, parameters: Parameters, contexts: tuple[int, ...]) -> np.ndarray:
        if isinstance(parameters, PerContext):
            states = parameters.states
            return np.asarray(self._scores[states, np.arange(states.shape[-1])][..., list(contexts)])
        return np.asarray(self._scores[parameters][..., list(contexts)])

    def offers(self, need: str) -> bool:
        return need == "losses" and self.truth is not None

    def words(self, kind: str) -> str:
        return super().words(kind) if self.truth is not None else "finite classes without f*, a mixture here,"

    def serving(self, needs: Sequence[str]) -> Model:
        from finite_class.combinations import Combinations

        combined = Combinations.of_class(self)
        return (
            self
            if not needs or any(map(self.offers, needs)) or not all(map(combined.offers, needs))
            else combined
        )

    def problem(self, datasets: Sequence[CellCounts], epoch: int) -> LossProblem:
        return LossProblem(np.stack([d.counts for d in datasets]), np.stack([d.sums for d in datasets]), self)

    def pooled_problem(self, data: CellCounts, epoch: int) -> PooledLossProblem:
        return PooledLossProblem(data.counts, data.sums, self)

    def accumulated(self, before: Any, after: Any) -> Any:
        if isinstance(after, list):
            return [self.accumulated(one, other) for one, other in zip(before, after, strict=True)]
        drawn = None
        if before.drawn is not None and after.drawn is not None:
            drawn = after.drawn[0], before.drawn[1] + after.drawn[1]
        return CellCounts(before.counts + after.counts, before.sums + after.sums, after.unit, drawn)

    def repeated(self, parameters: int, replications: int) -> np.ndarray:
        return np.full(replications, parameters)

    def distinct(self, parameters: Parameters) -> tuple[Any, np.ndarray]:
        if isinstance(parameters, PerContext):
            return parameters, np.arange(len(parameters))
        found, index = np.unique(parameters, return_inverse=True)
        return found, index.ravel()

    def describe(self, parameters: Parameters) -> Any:
        states = parameters.states if isinstance(parameters, PerContext) else parameters
        return np.asarray(self._names[states], dtype=object).tolist()

    def adapting(self, federation: Federation, replications: int) -> Chooser:
        from finite_class.adaptive import Adapting

        return Adapting(federation, replications)

    def rates_sent(self, world: World) -> int:
        return len(self.functions[0])


@dataclass(frozen=True)
class LossProblem(Problem):
    """The learning problem of M agents in one call of a protocol for finite classes. A cell is a pair of context and
    arm. counts: (M, C), number of samples of each agent in each of C cells. sums: (M, C), sums of their rewards, as
    integers over the common denominator."""

    counts: np.ndarray
    sums: np.ndarray
    model: FiniteClass

    @property
    def samples(self) -> int:
        return int(self.counts.sum())

    def losses(self) -> np.ndarray:
        return self.model.table.losses(self.counts, self.sums).astype(object)

    def distance(self, parameters: Parameters) -> float:
        total = self.losses().sum(axis=0)
        excess = Fraction(int(total[int(parameters)] - total.min()), self.model.table.denominator**2)
        return float(excess / self.samples)

    gap = distance


@dataclass(frozen=True)
class PooledLossProblem(Problem):
    """The learning problem of all agents together, for R replications at once. A cell is a pair of context and arm.
    counts: (R, C), number of samples in each of C cells. sums: (R, C), sums of their rewards, as integers over the
    common denominator."""

    counts: np.ndarray
    sums: np.ndarray
    model: FiniteClass

    @property
    def samples(self) -> int:
        return int(self.counts[0].sum())

    def totals(self) -> np.ndarray:
        return self.model.table.losses(self.counts, self.sums)

    def minimal(self) -> np.ndarray:
        return self.model.table.minimal(self.counts, self.sums)

    def distance(self, parameters: np.ndarray) -> np.ndarray:
        held = self.minimal()[np.arange(len(parameters)), parameters]
        return np.where(held, 0.0, np.inf)
