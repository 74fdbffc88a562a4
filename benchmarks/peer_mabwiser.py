"""LinUCB of mabwiser, alpha = 1, its default, with batches.

It learns one parameter for each arm from one context for all arms. On the world of the race, where arms have features
and share a parameter, it is given a single arm and asked for the upper bound of every feature: LinUCB with its code.
"""

import numpy as np
from race import ARMS, DIMENSION, HORIZONS, OWN, Entry, Player

LIBRARY = "mabwiser"


class LinUCB(Player):
    """One arm, the features of all arms as its contexts. Before the first batch is seen: uniform."""

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


class Disjoint(Player):
    """Its own shape: ten arms, one context."""

    def __init__(self, seed: int) -> None:
        from mabwiser.mab import MAB, LearningPolicy

        self.bandit = MAB(list(range(ARMS)), LearningPolicy.LinUCB(), seed=seed)

    def choose(self, given: np.ndarray) -> np.ndarray:
        if not self.learned:
            return np.ones((len(given), ARMS))
        return np.atleast_1d(self.bandit.predict(given))

    def learn(self, given: np.ndarray, arms: np.ndarray, rewards: np.ndarray, chances: np.ndarray) -> None:
        (self.bandit.partial_fit if self.learned else self.bandit.fit)(arms, rewards, given)
        self.learned = True


ENTRIES = (
    Entry("mabwiser LinUCB", LinUCB, (1,), assembled=True),
    Entry("mabwiser LinUCB", LinUCB, (100,), HORIZONS[:2], assembled=True),
    Entry("mabwiser LinUCB", LinUCB, (1000,), HORIZONS, assembled=True),
    Entry("mabwiser LinUCB", Disjoint, (100,), world=OWN),  # with batch 1 it is slower than the rows above
    Entry("mabwiser LinUCB", Disjoint, (1000,), HORIZONS, world=OWN),
)
