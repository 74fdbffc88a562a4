"""Play LinUCB of mabwiser in batches, with its default alpha = 1.

The library's policy learns one parameter for each arm from one context that all arms share. In the race, arms have
features and share one parameter. So the policy gets a single arm, and gives the upper confidence bound of every feature
vector in turn.
"""

import numpy as np
from race import ARMS, DIMENSION, HORIZONS, Entry, Player

LIBRARY = "mabwiser"


class LinUCB(Player):
    """LinUCB of mabwiser with a single arm, whose contexts are the features of all arms. It first plays uniformly."""

    def __init__(self, seed: int) -> None:
        from mabwiser.mab import MAB, LearningPolicy

        self.bandit = MAB([0], LearningPolicy.LinUCB(), seed=seed)

    def choose(self, given: np.ndarray) -> np.ndarray:
        if not self.learned:
            return np.ones(given.shape[:2])
        found = self.bandit.predict_expectations(given.reshape(-1, DIMENSION))
        return np.array([row[0] for row in found]).reshape(-1, ARMS).argmax(axis=1)

    def learn(self, given: np.ndarray, arms: np.ndarray, rewards: np.ndarray, chances: np.ndarray) -> None:
        fit = self.bandit.partial_fit if self.learned else self.bandit.fit
        fit(np.zeros(len(arms), dtype=np.int64), rewards, given[np.arange(len(arms)), arms])
        self.learned = True


ENTRIES = (
    Entry("mabwiser LinUCB", LinUCB, (1,), assembled=True),
    Entry("mabwiser LinUCB", LinUCB, (100,), HORIZONS[:2], assembled=True),
    Entry("mabwiser LinUCB", LinUCB, (1000,), HORIZONS, assembled=True),
)
