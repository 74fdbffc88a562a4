"""Play LinUCB of coba with its default alpha = 1 on features of actions, one step at a time."""

from typing import Any

import numpy as np
from race import Entry, Player

LIBRARY = "coba"


class LinUCB(Player):
    def __init__(self, seed: int) -> None:
        from coba.learners import LinUCBLearner

        self.learner = LinUCBLearner(features=["a"], seed=seed)

    def given(self, features: np.ndarray) -> list[list[float]]:
        return [list(row) for row in features[0].tolist()]

    def choose(self, given: list[list[float]]) -> np.ndarray:
        action = self.learner.predict(None, given)[0]
        return np.array([given.index(action)])

    def learn(self, given: Any, arms: np.ndarray, rewards: np.ndarray, chances: np.ndarray) -> None:
        self.learner.learn(None, given[int(arms[0])], float(rewards[0]), 1.0)


ENTRIES = (Entry("coba LinUCB", LinUCB),)
