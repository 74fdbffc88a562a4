"""Make an environment with one given gap between the best arm and all others. A small gap makes the arms hard to
distinguish before the horizon.

With K arms, arm k of context x has the unit vector of coordinate (k + x) mod K as its feature, so the best arm changes
with the context. Its mean is the gap above the common mean of all others, which is near 1/2. A gap of order
sqrt(K/(MT)), for M agents and T steps, gives the lower bound sqrt(KMT): the horizon is just too short to distinguish
the arms. Nothing is random.
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
    """Return the mean reward of all arms but the best one: (1 - gap)/2, or less if the true parameter would otherwise
    leave the unit ball. The best arm's mean is higher by `gap`."""
    longest = (math.sqrt(arms - (arms - 1) * gap**2) - gap) / arms
    return min((1 - gap) / 2, longest)
