"""Make an environment whose true function is a weighted mean of functions k(z_j, .) of a Gaussian (RBF) kernel k.

Every context and arm is a random point of the unit cube. The class has the functions k(z_j, .) of some random landmarks
z_j, as in Nystrom's method, rounded to multiples of 1/1000. The weighted means of these are an infinite class, in which
the protocol searches; own:covering bounds the excess risk by their covering number.
"""

from fractions import Fraction

import numpy as np

from bounds.schedules import doubling_plan
from fedigw.federation import Federation
from finite_class.federations import alike
from finite_class.grids import on_grid
from finite_class.protocols.least_mixture import LeastMixture

GRID = 1000
EXAMPLES = ({"functions": 3, "contexts": 2, "arms": 2, "agents": 2, "horizon": 16},)


def make(
    rng: np.random.Generator,
    inputs: int = 2,
    width: float = 0.5,
    functions: int = 5,
    contexts: int = 8,
    arms: int = 3,
    agents: int = 10,
    horizon: int = 1024,
    learning_rate: str = "sharpened",
) -> Federation:
    points, landmarks = rng.random((contexts, arms, inputs)), rng.random((functions, 1, 1, inputs))
    values = np.exp(-((points - landmarks) ** 2).sum(axis=-1) / (2 * width**2))
    drawn = rng.integers(1, 10, size=functions)
    return alike(
        on_grid(np.rint(GRID * values).astype(int), GRID),
        doubling_plan(horizon, agents),
        tuple(Fraction(int(weight), int(drawn.sum())) for weight in drawn),
        learning_rate=learning_rate,
        protocol=LeastMixture(),
    )
