"""Play LinUCB of contextualbandits in batches, with its default alpha = 1, with alpha = 0.1, which does better here,
and with the alpha of its theorem.

The library's policies learn one parameter for each arm from one context that all arms share. In the race, arms have
features and share one parameter. So its public regression class `linreg`, from which its LinUCB is built, gives the
upper confidence bound of every feature vector. "At its theorem's width" is alpha = 1 + sqrt(ln(1/delta)/2 + d ln(1 +
n/d)/4) after n steps in d dimensions, delta = 0.05, with which Abbasi-Yadkori et al. (2011) prove LinUCB's regret bound
for rewards in [0,1].
"""

import math
from functools import partial

import numpy as np
from race import ARMS, DIMENSION, HORIZONS, SHARED, WORLDS, Entry, Player

LIBRARY = "contextualbandits"


class LinUCB(Player):
    """LinUCB of contextualbandits on features of arms. It first plays uniformly."""

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


class Wide(LinUCB):
    """LinUCB of contextualbandits with the growing alpha for which its regret bound is proved."""

    steps = 0

    def learn(self, given: np.ndarray, arms: np.ndarray, rewards: np.ndarray, chances: np.ndarray) -> None:
        super().learn(given, arms, rewards, chances)
        self.steps += len(arms)
        self.alpha = 1 + math.sqrt(math.log(20) / 2 + DIMENSION * math.log1p(self.steps / DIMENSION) / 4)


eager = partial(LinUCB, alpha=0.1)
ENTRIES = (
    Entry("contextualbandits LinUCB", LinUCB, (1,), HORIZONS[:2], assembled=True),
    Entry("contextualbandits LinUCB", LinUCB, (100, 1000), HORIZONS, assembled=True),
    Entry("contextualbandits LinUCB, alpha 0.1", eager, (1,), assembled=True),
    Entry("contextualbandits LinUCB, alpha 0.1", eager, (100, 1000), HORIZONS, assembled=True),
    *(
        Entry(f"contextualbandits LinUCB{said}", make, (100, 1000), HORIZONS[:2], where, assembled=True)
        for where in WORLDS
        for said, make in (("", LinUCB), (" at its theorem's width", Wide))
        if where != SHARED or make is Wide
    ),
    *(Entry("contextualbandits LinUCB", LinUCB, world=where, assembled=True) for where in list(WORLDS)[1:]),
)
