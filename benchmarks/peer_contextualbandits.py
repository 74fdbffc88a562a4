"""Play LinUCB of contextualbandits in batches, with its default alpha = 1 and with alpha = 0.1, which does better here.

Its policies learn one parameter for each arm from one context that all arms share. In the world of the race arms have
features and share one parameter. There the public regression class `linreg`, from which its LinUCB is built, gives the
upper confidence bound of every feature.
"""

from functools import partial

import numpy as np
from race import ARMS, DIMENSION, HORIZONS, OWN, Entry, Player

LIBRARY = "contextualbandits"


class LinUCB(Player):
    """LinUCB on features of arms. Before the first batch it plays uniformly."""

    def __init__(self, seed: int, alpha: float = 1.0) -> None:
        from contextualbandits.linreg import LinearRegression

        self.alpha = alpha
        self.regression = LinearRegression(lambda_=1.0, fit_intercept=False, method="sm", calc_inv=True)

    def given(self, features: np.ndarray) -> np.ndarray:
        return features.astype(np.float32)  # what it computes with

    def choose(self, given: np.ndarray) -> np.ndarray:
        if not self.learned:
            return np.ones(given.shape[:2])
        found = self.regression.predict_ucb(given.reshape(-1, DIMENSION), alpha=self.alpha)
        return np.asarray(found).reshape(-1, ARMS).argmax(axis=1)

    def learn(self, given: np.ndarray, arms: np.ndarray, rewards: np.ndarray, chances: np.ndarray) -> None:
        self.regression.partial_fit(given[np.arange(len(arms)), arms], rewards)
        self.learned = True


class Disjoint(LinUCB):
    """LinUCB as the library offers it: ten arms and one context for all of them."""

    def __init__(self, seed: int) -> None:
        from contextualbandits.online import LinUCB as Policy

        self.bandit = Policy(ARMS, alpha=1.0, fit_intercept=False, random_state=seed + 1)

    def choose(self, given: np.ndarray) -> np.ndarray:
        return np.atleast_1d(self.bandit.predict(given))

    def learn(self, given: np.ndarray, arms: np.ndarray, rewards: np.ndarray, chances: np.ndarray) -> None:
        self.bandit.partial_fit(given, arms, rewards)


eager = partial(LinUCB, alpha=0.1)
ENTRIES = (
    Entry("contextualbandits LinUCB", LinUCB, (1,), HORIZONS[:2], assembled=True),
    Entry("contextualbandits LinUCB", LinUCB, (100, 1000), HORIZONS, assembled=True),
    Entry("contextualbandits LinUCB, alpha 0.1", eager, (1,), assembled=True),
    Entry("contextualbandits LinUCB, alpha 0.1", eager, (100, 1000), HORIZONS, assembled=True),
    Entry("contextualbandits LinUCB", Disjoint, (100,), world=OWN),  # with batch 1 slower than above
    Entry("contextualbandits LinUCB", Disjoint, (1000,), HORIZONS, world=OWN),
)
