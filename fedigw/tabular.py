"""A table of arms: K means, no features. A finite class with one context is such a world for a system without a model.

For systems that read features an arm's is its own axis, so that features times means are the means.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fedigw.game import Met


@dataclass(frozen=True, eq=False)
class OneContext:
    """features (1, K, K) of an agent's only context."""

    features: np.ndarray


@dataclass(frozen=True, eq=False)
class Table:
    """means (K,), the same arms for all agents. rewards: a law of fedigw.rewards."""

    means: np.ndarray
    agents: tuple[OneContext, ...]
    rewards: str
    heterogeneous: bool = False

    @classmethod
    def of(cls, means: np.ndarray, agents: int, rewards: str) -> Table:
        return cls(means, (OneContext(np.eye(len(means))[None]),) * agents, rewards)

    @property
    def widths(self) -> tuple[int, int]:
        return len(self.means), len(self.means)

    def truth(self, agent: int) -> np.ndarray:
        return self.means

    def meet(self, replications: int, steps: int, rng: np.random.Generator) -> Met:
        shape = (replications, len(self.agents), steps)
        features = np.broadcast_to(np.eye(len(self.means)), (*shape, *(2 * self.means.shape)))
        return Met(features, np.broadcast_to(self.means, (*shape, len(self.means))))
