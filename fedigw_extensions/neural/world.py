"""Multi-label data as a simulated bandit environment: at every step every agent draws a row uniformly, with
replacement.

The reward of a label is 1 if it is true for the row, else 0. So expected rewards, regret and excess risk are computed
from the table, without noise from the choice of arms.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from fedigw.interfaces import Acting, Experience, Steps, World
from fedigw_extensions.neural.datasets.multilabel import MultiLabel
from fedigw_extensions.neural.network import Interactions

CHUNK = 512  # rows whose K probabilities are computed at once: they stay in the cache of a processor


@dataclass
class _Latest:
    """Values computed from the policy in use, stored for the table rows that occurred: cumulative arm probabilities (N,
    K), expected reward (N,) and probability of the likeliest arm (N,). Agents with the same policy share them."""

    act: Acting | None = None
    known: np.ndarray = field(default_factory=lambda: np.zeros(0, dtype=bool))
    sums: np.ndarray = field(default_factory=lambda: np.zeros((0, 0)))
    value: np.ndarray = field(default_factory=lambda: np.zeros(0))
    likeliest: np.ndarray = field(default_factory=lambda: np.zeros(0))


@dataclass(frozen=True, eq=False)
class MultiLabelWorld(World):
    """A simulated bandit environment on a multi-label table, in which every agent draws its contexts from all rows."""

    data: MultiLabel
    agents: int
    _latest: _Latest = field(default_factory=_Latest, repr=False)

    @property
    def arms(self) -> tuple[int, ...]:
        return (self.data.arms,) * self.agents

    def play(self, agent: int, act: Acting, steps: Steps, rng: np.random.Generator) -> Experience:
        rows = rng.integers(0, self.data.rows, steps.full).astype(np.int32)
        chosen = rng.random(steps.full)
        known = self._known(act, rows)
        arms = drawn(known.sums, rows, chosen)
        rewards = self.data.labels[rows, arms].astype(np.float32)
        counted = rows[: steps.played]
        regret = float((self.data.best[counted] - known.value[counted]).sum())
        return Experience(Interactions(self.data, rows, arms, rewards), regret)

    def exploration(self, act: Acting, rows: np.ndarray) -> float:
        """Return the probability with which the policy `act` plays another arm than its likeliest, averaged over these
        rows (n,) of the table."""
        return float(1 - self._known(act, rows).likeliest[rows].mean())

    def excess_risk(
        self, act: Callable[[int], Acting], learned: Callable[[int], Any], full: Sequence[int]
    ) -> np.ndarray:
        """Return the excess risk of the models learned after an epoch: the mean squared difference between learned and
        true expected rewards. The mean is over all rows, over arms with the probabilities of the policy that collected
        the data, and over agents with their numbers of samples `full` as weights."""
        found: dict[tuple[int, int], float] = {}
        total = 0.0
        for agent, steps in enumerate(full):
            acting, parameters = act(agent), learned(agent)
            key = (id(acting.parameters), id(parameters))
            if key not in found:
                found[key] = self._risk(acting, parameters)
            total += steps / sum(full) * found[key]
        return np.asarray(total)

    def largest_losses(self, played: Sequence[int]) -> list[float]:
        """Return, for each entry of `played`, the largest possible regret in that many steps."""
        worst = float((self.data.best - self.data.labels.all(axis=1)).max())
        return [worst * steps for steps in played]

    def describe(self) -> dict[str, Any]:
        return {"data": self.data.about, "agents": [{} for _ in range(self.agents)]}

    def _risk(self, acting: Acting, parameters: Any) -> float:
        total = 0.0
        for rows in _chunks(np.arange(self.data.rows)):
            features = self.data.features[rows]
            error = acting.model.scores(parameters, features) - self.data.labels[rows]
            total += float((acting(features) * error**2).sum())
        return total / self.data.rows

    def _known(self, act: Acting, rows: np.ndarray) -> _Latest:
        latest, data = self._latest, self.data
        if latest.sums.shape != (data.rows, data.arms):
            latest.sums = np.empty((data.rows, data.arms))
            latest.value, latest.likeliest = np.empty(data.rows), np.empty(data.rows)
        if not _same(latest.act, act):
            latest.act, latest.known = act, np.zeros(data.rows, dtype=bool)
        for new in _chunks(np.unique(rows[~latest.known[rows]])):
            probabilities = act(data.features[new])
            latest.value[new] = np.einsum("nk,nk->n", probabilities, data.labels[new])
            latest.likeliest[new] = probabilities.max(axis=1)
            latest.sums[new] = np.cumsum(probabilities, axis=1)
            latest.known[new] = True
        return latest


def _same(one: Acting | None, other: Acting) -> bool:
    if one is None or one.parameters is not other.parameters or one.model is not other.model:
        return False
    return bool(one.policy == other.policy and one.rate == other.rate)


def _chunks(rows: np.ndarray) -> list[np.ndarray]:
    return [rows[start : start + CHUNK] for start in range(0, len(rows), CHUNK)]


def drawn(sums: np.ndarray, rows: np.ndarray, uniform: np.ndarray) -> np.ndarray:
    """Return for each uniform random number the arm it selects, shape (n,): the first whose cumulative probability
    exceeds it. sums: cumulative probabilities, one row per context. rows: the row of `sums` for each number."""
    target = uniform * sums[rows, -1]
    low = np.zeros(len(rows), dtype=np.int32)
    high = np.full(len(rows), sums.shape[1] - 1, dtype=np.int32)
    while (low < high).any():
        middle = (low + high) // 2
        above = sums[rows, middle] > target
        high = np.where(above, middle, high)
        low = np.where(above, low, np.minimum(middle + 1, high))
    return low
