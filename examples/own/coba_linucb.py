"""Play LinUCB of the library coba, one learner for each agent, to compare it with FedIGW in the command `simulate`.

pip install 'fedigw-verify[bench]'
python -m verify simulate examples/rivals.toml --system examples/own/coba_linucb.py --replications 5
"""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from bounds.errors import InputError
from fedigw.game import Sizes
from fedigw.learner import Learner


class Player:
    def __init__(self, seed: int) -> None:
        try:
            from coba.learners import LinUCBLearner
        except ImportError:
            needs = "needs coba: pip install 'fedigw-verify[bench]'"
            raise InputError("system", "coba_linucb", needs) from None
        self.learner = LinUCBLearner(features=["a"], seed=seed)

    def choose(self, features: np.ndarray) -> int:
        given = features.tolist()
        return given.index(self.learner.predict(None, given)[0])

    def learn(self, features: np.ndarray, arm: int, reward: float) -> None:
        self.learner.learn(None, features[arm].tolist(), reward, 1.0)


@dataclass(frozen=True)
class CobaLinUCB(Learner):
    name: ClassVar[str] = "coba_linucb"
    paper: ClassVar[str] = "coba's LinUCBLearner with default settings"

    def fresh(self, sizes: Sizes, seed: int) -> Any:
        return Player(seed)
