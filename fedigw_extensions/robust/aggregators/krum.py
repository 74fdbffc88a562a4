"""Krum: take the message that is closest to its neighbours. Nothing is proved about its robustness here.

The score of a message is the sum of squared distances to its M - f - 2 nearest other messages, if f of M agents may
lie; the message with the smallest score is the aggregate (Blanchard et al. 2017). Since it is one agent's message,
noise is never averaged out.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from bounds.errors import InputError
from fedigw.interfaces import Aggregator


@dataclass(frozen=True)
class Krum(Aggregator):
    """Aggregate by taking the message closest to its neighbours. lying: how many lying agents the rule allows for."""

    lying: int = 1
    name: ClassVar[str] = "krum"
    coordinatewise: ClassVar[bool] = False
    reference: ClassVar[bool] = True

    def __post_init__(self) -> None:
        if self.lying < 0:
            raise InputError("lying", self.lying, "must be an integer of at least 0")

    def check(self, agents: int) -> None:
        if self.lying > agents - 3:
            allowed = f"leaves nobody to compare with among {agents} agents; at most {max(agents - 3, 0)}"
            raise InputError("link.aggregator.lying", self.lying, allowed)

    def combine(self, messages: np.ndarray, weights: np.ndarray) -> np.ndarray:
        self.check(len(messages))
        return np.asarray(messages[int(np.argmin(scores(messages, self.lying)))])


def scores(messages: np.ndarray, lying: int) -> np.ndarray:
    """Return each message's score, the sum of squared distances to its P - lying - 2 nearest others, shape (P,)."""
    points = messages.reshape(len(messages), -1).astype(float)
    apart = ((points[:, None] - points[None]) ** 2).sum(axis=2)
    return np.asarray(np.sort(apart, axis=1)[:, 1 : len(points) - lying - 1].sum(axis=1))
