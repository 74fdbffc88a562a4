"""Play SquareCB of the library vowpalwabbit, one learner for each agent, to compare it with FedIGW in the command
`simulate`.

pip install 'fedigw-verify[bench]'
python -m verify simulate examples/rivals.toml --system examples/own/vowpalwabbit_squarecb.py --set
gamma_scale=1000
"""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from bounds.errors import InputError
from fedigw.game import Sizes
from fedigw.learner import Learner


class Player:
    def __init__(self, options: str, seed: int) -> None:
        try:
            from vowpalwabbit import Workspace
        except ImportError:
            needs = "needs vowpalwabbit: pip install 'fedigw-verify[bench]'"
            raise InputError("system", "vowpalwabbit_squarecb", needs) from None
        self.workspace, self.rng = Workspace(options), np.random.default_rng(seed)

    def choose(self, features: np.ndarray) -> int:
        self.lines = [
            "|a " + " ".join(f"x{i}:{value:.6f}" for i, value in enumerate(row)) for row in features
        ]
        self.chances = np.asarray(self.workspace.predict(self.lines), dtype=float)
        return int(self.rng.choice(len(self.lines), p=self.chances / self.chances.sum()))

    def learn(self, features: np.ndarray, arm: int, reward: float) -> None:
        self.lines[arm] = f"{arm}:{1 - reward}:{self.chances[arm]} {self.lines[arm]}"  # arm:cost:probability
        self.workspace.learn(self.lines)


@dataclass(frozen=True)
class SquareCB(Learner):
    gamma_scale: float = 10.0  # vowpalwabbit's default
    name: ClassVar[str] = "vowpalwabbit_squarecb"
    paper: ClassVar[str] = "vowpalwabbit's SquareCB"

    def fresh(self, sizes: Sizes, seed: int) -> Any:
        options = f"--cb_explore_adf --squarecb --gamma_scale {self.gamma_scale} --quiet --random_seed {seed}"
        return Player(options, seed)
