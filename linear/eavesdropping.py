"""Recover the data of one agent from the messages that the server sees, as a curious server could do.

The gradient of the squared loss is an affine function of the point, so gradients at d+1 points determine it.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from fedigw.channel import Channel, Link
from fedigw.encoders.masks import WORDS, exactly
from fedigw.interfaces import Encoder


class ListeningChannel(Channel):
    """A channel that also records every point that the server sent and every message that it received."""

    def __init__(
        self, agents: int, epoch: int, link: Link | None = None, rng: np.random.Generator | None = None
    ) -> None:
        super().__init__(agents, epoch, link, rng)
        self.points: list[np.ndarray] = []
        self.answers: list[np.ndarray] = []

    def broadcast(
        self, field: str, message: np.ndarray, shape: tuple[int, ...], everyone: bool = False
    ) -> np.ndarray:
        if field == "point":
            self.points.append(np.array(message))
        return super().broadcast(field, message, shape, everyone)

    def gather(
        self,
        field: str,
        messages: np.ndarray | Sequence[Any],
        shape: tuple[int, ...],
        packed: Encoder | None = None,
    ) -> np.ndarray:
        received = super().gather(field, messages, shape, packed)
        # masked messages as exact numbers: rounding must not hide what masks do not
        self.answers.append(exactly(received) if received.dtype == WORDS else np.array(received))
        return received


def recover(
    channel: ListeningChannel, agent: int, rounds: int | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """Return the sums over an agent's data that its messages reveal: (2/n) sum phi phi' (d, d) and (2/n) sum r phi (d,)
    over the agent's samples with features phi and rewards r, where n counts all agents' samples. They are fitted by
    least squares to the gradients that the agent sent in the first `rounds` rounds (all by default)."""
    points = np.stack(channel.points[:rounds])
    answers = np.stack([answer[agent] for answer in channel.answers[:rounds]])
    # what all answers share is taken off before anything is rounded: a constant mask is far larger than a gradient
    shifted = (answers - answers[0]).astype(float)
    solution = _least_squares(np.column_stack([points, -np.ones(len(points))]), shifted)
    return solution[:-1].T, solution[-1] - answers[0].astype(float)


def recover_by_differences(
    channel: ListeningChannel, agent: int, rounds: int | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """Return the same sums (d, d) and (d,) as `recover`, from differences of consecutive gradients. A constant that the
    agent adds to all its messages, to hide them, cancels in the differences."""
    points = np.stack(channel.points[:rounds])
    answers = np.stack([answer[agent] for answer in channel.answers[:rounds]])
    gram = _least_squares(np.diff(points, axis=0), np.diff(answers, axis=0).astype(float)).T
    return gram, np.asarray((points @ gram.T - answers.astype(float)).mean(axis=0))


def _least_squares(design: np.ndarray, answers: np.ndarray) -> np.ndarray:
    # columns scaled to one length: iterates of a converging method are nearly collinear
    scale = np.linalg.norm(design, axis=0)
    return np.asarray(np.linalg.lstsq(design / scale, answers, rcond=None)[0] / scale[:, None])
