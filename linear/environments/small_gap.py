"""One gap between the best arm and all others, as small as is asked for: where a horizon is hardest to play.

Arm k of context x has feature e_{(k + x) mod K} in R^K, so the best arm moves with the context; its mean is the gap
above that of all others, which lies near 1/2. With gaps of order sqrt(K/(MT)) this is the world behind the lower bound
sqrt(KMT): telling arms apart takes as many steps as there are. Nothing is drawn.
"""

import math

import numpy as np

from bounds.errors import InputError
from fedigw.federation import Federation
from linear.contexts.finite import FiniteContexts
from linear.federations import alike

EXAMPLES = ({"gap": 0.25, "arms": 2, "contexts": 2, "agents": 2, "horizon": 16},)


def make(
    rng: np.random.Generator,
    gap: float = 0.125,
    arms: int = 2,
    contexts: int = 1,
    agents: int = 10,
    horizon: int = 1024,
    learning_rate: str = "sharpened",
) -> Federation:
    if not 0 < gap <= 1:
        raise InputError("gap", gap, "must be a number above 0, at most 1")
    turns = (np.arange(arms)[None, :] + np.arange(contexts)[:, None]) % arms
    shared = FiniteContexts(np.eye(arms)[turns], np.full(contexts, 1 / contexts))
    return alike(shared, agents, level(gap, arms) + gap * np.eye(arms)[0], horizon, learning_rate)


def level(gap: float, arms: int) -> float:
    """The mean of the other arms: as near to (1 - gap)/2 as keeps the parameter in the unit ball."""
    longest = (math.sqrt(arms - (arms - 1) * gap**2) - gap) / arms
    return min((1 - gap) / 2, longest)
