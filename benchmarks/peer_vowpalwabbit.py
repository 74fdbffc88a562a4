"""Play SquareCB of vowpalwabbit, which weighs arms by inverse gaps after every step: the method closest to FedIGW.

Each action is described by its features. Two settings run: the defaults, and the exploration that did best here.
"""

from functools import partial

import numpy as np
from race import DIMENSION, WORLDS, Entry, Player

LIBRARY = "vowpalwabbit"
NAMES = [f"x{i}" for i in range(DIMENSION)]


class SquareCB(Player):
    def __init__(self, seed: int, more: str = "") -> None:
        import vowpalwabbit

        call = f"--cb_explore_adf --squarecb --quiet --random_seed {seed} {more}"
        self.workspace = vowpalwabbit.Workspace(call)

    def given(self, features: np.ndarray) -> list[str]:
        """Return the features (1, K, d) as text, one line for each of K arms, in the input format of vowpalwabbit."""
        return [
            "|a " + " ".join(f"{n}:{v:.6f}" for n, v in zip(NAMES, row, strict=True)) for row in features[0]
        ]

    def choose(self, given: list[str]) -> np.ndarray:
        return np.asarray([self.workspace.predict(given)])

    def learn(self, given: list[str], arms: np.ndarray, rewards: np.ndarray, chances: np.ndarray) -> None:
        arm = int(arms[0])
        given[arm] = f"{arm}:{1 - rewards[0]}:{chances[0]} " + given[arm]
        self.workspace.learn(given)


eager = partial(SquareCB, more="--gamma_scale 1000")
ENTRIES = (
    Entry("vowpalwabbit SquareCB with default settings", SquareCB),
    Entry("vowpalwabbit SquareCB, gamma_scale 1000", eager),
    *(Entry("vowpalwabbit SquareCB with default settings", SquareCB, world=w) for w in list(WORLDS)[1:]),
    *(Entry("vowpalwabbit SquareCB, gamma_scale 1000", eager, world=w) for w in list(WORLDS)[1:]),
)
