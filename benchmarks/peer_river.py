"""Play LinUCB with the Bayesian linear regression of river in its default settings, one step at a time.

The library's policy has one Bayesian regression for each arm and takes one context for all arms. In the race, arms have
features and share one parameter. So a single regression gives the mean and the standard deviation of every arm's
reward, and their sum is the upper confidence bound, as in the library's policy.
"""

from typing import Any

import numpy as np
from race import Entry, Player

LIBRARY = "river"


class LinUCB(Player):
    def __init__(self, seed: int) -> None:
        from river.linear_model import BayesianLinearRegression

        self.regression = BayesianLinearRegression()

    def given(self, features: np.ndarray) -> list[dict[int, float]]:
        return [dict(enumerate(row)) for row in features[0].tolist()]

    def choose(self, given: list[dict[int, float]]) -> np.ndarray:
        found = [self.regression.predict_one(x, with_dist=True) for x in given]
        return np.array([int(np.argmax([one.mu + one.sigma for one in found]))])

    def learn(self, given: Any, arms: np.ndarray, rewards: np.ndarray, chances: np.ndarray) -> None:
        self.regression.learn_one(given[int(arms[0])], rewards[0])


ENTRIES = (Entry("river LinUCB", LinUCB, assembled=True),)
