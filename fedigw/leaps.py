"""Compute many rounds of a local method at once, if one round is an affine map of its state.

With quadratic objectives, full gradients and all agents, a round maps the state z to A z + b. The state is the server's
point, the agents' personal coordinates and the control variates. One round from the zero state and one from each unit
vector give A and b. Then r rounds are the matrix power [A b; 0 1]^r, by repeated squaring, so ten million rounds cost
as much as a few hundred. The map is compared with a round that was computed in the usual way. If the two differ, the
method is not affine, and all rounds are computed one by one.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

FEWEST = 200  # rounds: below, playing them is as fast
LARGEST = 1_000  # coordinates of a state: its matrices are dense
# Rounding of a round of a few hundred operations on numbers of size 1; a method that is not affine is off by far more.
AFFINE = 1e-9


def worth(rounds: int, size: int) -> bool:
    """Return whether a matrix power is cheaper than computing `rounds` rounds of a local method one by one. size:
    number of coordinates of its state."""
    return rounds > max(FEWEST, 4 * size) and size <= LARGEST


def leap(
    play: Callable[[np.ndarray], np.ndarray], before: np.ndarray, after: np.ndarray, rounds: int
) -> np.ndarray | None:
    """Return the state of a local method `rounds` rounds after the state `after`, shape (S,); None if a round is not an
    affine map. play: computes one round, from state to state. before: the state one round before `after`."""
    size = len(before)
    constant = play(np.zeros(size))
    whole = np.zeros((size + 1, size + 1))
    whole[:size, size], whole[size, size] = constant, 1
    for column, unit in enumerate(np.eye(size)):
        whole[:size, column] = play(unit) - constant
    scale = 1 + np.abs(whole).max() * (1 + np.abs(before).max())
    if not np.abs(whole[:size] @ np.append(before, 1) - after).max() <= AFFINE * scale:
        return None
    return np.asarray(np.linalg.matrix_power(whole, rounds)[:size] @ np.append(after, 1))
