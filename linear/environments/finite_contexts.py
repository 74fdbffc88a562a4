"""Make finitely many contexts with random features (1, u)/sqrt2, u uniform in the unit ball; all agents share them.

The true parameter is (1, v)/sqrt2 with norm(v) = 1, so mean rewards (1 + u'v)/2 fill [0,1]. Contexts are drawn
uniformly.
"""

import numpy as np

from fedigw.federation import Federation
from linear.contexts.finite import FiniteContexts
from linear.federations import alike

EXAMPLES = (
    {"dimension": 3, "contexts": 4, "arms": 3, "agents": 2, "horizon": 16},
    {"dimension": 3, "contexts": 4, "arms": 3, "agents": 2, "horizon": 16, "loss": "logistic"},
)


def make(
    rng: np.random.Generator,
    dimension: int = 5,
    contexts: int = 8,
    arms: int = 5,
    agents: int = 10,
    horizon: int = 1024,
    learning_rate: str = "sharpened",
    loss: str = "squared",
) -> Federation:
    shared = FiniteContexts(
        with_intercept(ball(rng, (contexts, arms), dimension - 1)), np.full(contexts, 1 / contexts)
    )
    return alike(shared, agents, with_intercept(direction(rng, dimension - 1)), horizon, learning_rate, loss)


def with_intercept(vectors: np.ndarray) -> np.ndarray:
    """Return (1, u)/sqrt2 for vectors u in the unit ball. The results lie in the unit ball too, and the scalar product
    of any two lies in [0,1]."""
    return np.concatenate([np.ones((*vectors.shape[:-1], 1)), vectors], axis=-1) / np.sqrt(2)


def direction(rng: np.random.Generator, dimension: int, shape: tuple[int, ...] = ()) -> np.ndarray:
    normal = rng.standard_normal((*shape, dimension))
    return np.asarray(normal / np.maximum(np.linalg.norm(normal, axis=-1, keepdims=True), 1e-300))


def ball(rng: np.random.Generator, shape: tuple[int, ...], dimension: int) -> np.ndarray:
    radius = rng.random((*shape, 1)) ** (1 / max(dimension, 1))
    return np.asarray(radius * direction(rng, dimension, shape))
