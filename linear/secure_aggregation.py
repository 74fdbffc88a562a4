"""Secure aggregation simulated by pairwise masks, and the server's attack that it stops.

Agents m < j share a secret s_mj in every round; m adds it to its message and j subtracts it. The masks cancel in the
server's sum, and what it sees of any one agent is noise. (Masks here are Gaussian floats, not field elements: a
simulation of what the server can and cannot learn, not an implementation of the cryptography.)
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from fedigw.ledger import Channel

MASK_SCALE = 10.0  # messages have norm at most 2


def masks(agents: int, shape: tuple[int, ...], rng: np.random.Generator) -> np.ndarray:
    """(M, *shape): what each agent adds; the sum over agents is 0 to rounding."""
    total = np.zeros((agents, *shape))
    for first in range(agents):
        for second in range(first + 1, agents):
            secret = MASK_SCALE * rng.standard_normal(shape)
            total[first] += secret
            total[second] -= secret
    return total


class ListeningChannel(Channel):
    """A channel whose server remembers every point it sent and every message it received."""

    def __init__(self, agents: int, epoch: int) -> None:
        super().__init__(agents, epoch)
        self.points: list[np.ndarray] = []
        self.answers: list[np.ndarray] = []

    def broadcast(self, field: str, message: np.ndarray, shape: tuple[int, ...]) -> np.ndarray:
        if field == "point":
            self.points.append(np.array(message))
        return super().broadcast(field, message, shape)

    def upload_all(
        self, field: str, messages: np.ndarray | Sequence[Any], shape: tuple[int, ...]
    ) -> np.ndarray:
        self.answers.append(np.array(messages))
        return super().upload_all(field, messages, shape)


def recover(
    channel: ListeningChannel, agent: int, rounds: int | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """(2/n) V_m (d, d) and (2/n) b_m (d,) of an agent from its answers: gradients are affine in the point.

    d+1 points in general position determine the affine map; more are used in least squares.
    """
    points = np.stack(channel.points[:rounds])
    answers = np.stack([answer[agent] for answer in channel.answers[:rounds]])
    solution = _least_squares(np.column_stack([points, -np.ones(len(points))]), answers)
    return solution[:-1].T, solution[-1]


def recover_by_differences(
    channel: ListeningChannel, agent: int, rounds: int | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """The same from differences of consecutive answers, in which whatever is added in every round cancels."""
    points = np.stack(channel.points[:rounds])
    answers = np.stack([answer[agent] for answer in channel.answers[:rounds]])
    gram = _least_squares(np.diff(points, axis=0), np.diff(answers, axis=0)).T
    return gram, np.asarray((points @ gram.T - answers).mean(axis=0))


def _least_squares(design: np.ndarray, answers: np.ndarray) -> np.ndarray:
    # columns scaled to one length: iterates of a converging method are nearly collinear
    scale = np.linalg.norm(design, axis=0)
    return np.asarray(np.linalg.lstsq(design / scale, answers, rcond=None)[0] / scale[:, None])
