"""Adaptive greedy (AGR: Chakrabarti et al. 2008; Cortes 2018) for a single agent, with one logistic regression per arm.

It plays the arm with the highest score if this score exceeds a threshold, else an arm drawn uniformly. The threshold is
a decaying percentile of the latest highest scores. An arm that was never or always rewarded has a score drawn from a
Beta law. Every 50 steps the models are trained further on minibatches of all past data; Cortes' package fits them from
scratch. The other constants follow his paper. `fewest` was the better of 1 and 2 on a seed outside the record.
"""

import math
from collections import deque
from dataclasses import dataclass

import numpy as np

from fedigw_extensions.neural.datasets.multilabel import MultiLabel
from fedigw_extensions.neural.network import Interactions, LinearArms


@dataclass(frozen=True)
class AdaptiveGreedy:
    """Adaptive greedy. refit: steps between two trainings, each of local_steps minibatches. window, percentile, decay:
    the threshold is a percentile of the last `window` highest scores, and the percentile is multiplied by `decay` in
    every step. fewest: an arm is scored by its model once it has so many rewards and so many misses."""

    refit: int = 50
    local_steps: int = 60
    step_size: float = 2.0
    batch: int = 64
    window: int = 500
    percentile: float = 35.0
    decay: float = 0.9998
    fewest: int = 1

    def play(self, data: MultiLabel, steps: int, rng: np.random.Generator) -> np.ndarray:
        """Play and return the rewards of one agent, shape (steps,)."""
        network = LinearArms(data.dimension, data.arms)
        point = np.zeros(network.size, dtype=np.float32)
        rows = rng.integers(0, data.rows, steps).astype(np.int32)
        arms, rewards = np.zeros(steps, dtype=np.int32), np.zeros(steps, dtype=np.float32)
        rewarded, missed = np.zeros(data.arms), np.zeros(data.arms)
        recent: deque[float] = deque(maxlen=self.window)
        percentile, threshold = self.percentile, 1 / (2 * math.sqrt(data.arms))
        prior = (3 / data.arms, 4.0)
        for start in range(0, steps, self.refit):
            here = slice(start, min(start + self.refit, steps))
            scores = _logistic(network.scores(point, data.features[rows[here]]))
            unknown = np.minimum(rewarded, missed) < self.fewest
            scores[:, unknown] = rng.beta(*prior, (len(scores), int(unknown.sum())))
            for i, row in enumerate(scores, start=start):
                best = int(row.argmax())
                explore = row[best] <= threshold
                arms[i] = int(rng.integers(data.arms)) if explore else best
                recent.append(float(row[best]))
                percentile *= self.decay
                if len(recent) == self.window:
                    threshold = float(np.percentile(recent, percentile))
            rewards[here] = data.labels[rows[here], arms[here]]
            np.add.at(rewarded, arms[here], rewards[here])
            np.add.at(missed, arms[here], 1 - rewards[here])
            past = Interactions(data, rows[: here.stop], arms[: here.stop], rewards[: here.stop])
            for places in rng.integers(0, here.stop, (self.local_steps, min(self.batch, here.stop))):
                network.add_gradient(point, past.at(places), -self.step_size, point, logistic=True)
        return rewards


def _logistic(values: np.ndarray) -> np.ndarray:
    return np.asarray(1 / (1 + np.exp(-np.clip(values, -50, 50))))
