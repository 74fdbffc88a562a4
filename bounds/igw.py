"""Compute inverse gap weighting, which turns estimated rewards into arm probabilities; one function for floats and
exact rationals.

With K arms and learning rate gamma (larger means greedier), an arm whose estimate is lower than the largest by a gap D
has probability 1/(K + gamma D). The arm with the largest estimate, the greedy arm, has the rest; of equals it is the
one with the lowest index. References: Abe & Long 1999; Foster & Rakhlin 2020; the paper's algorithm alg:FedIGW_agent.
"""

import numpy as np

from bounds.arithmetic import Value


def inverse_gap_weights(scores: np.ndarray, learning_rate: Value) -> np.ndarray:
    """Return the arm probabilities of inverse gap weighting, shape (..., K), for estimated rewards `scores` of that
    shape. They are exact for Fractions. `learning_rate`: the policy's gamma; larger means greedier."""
    arms = scores.shape[-1]
    flat = scores.reshape(-1, arms)
    place = np.arange(len(flat)), flat.argmax(axis=-1)  # the greedy arm of each row
    gap = flat[place].reshape(*scores.shape[:-1], 1) - scores  # a maximum along so short an axis is slow
    weights = 1 / (arms + learning_rate * gap)
    rows = np.ascontiguousarray(weights).reshape(-1, arms)
    rows[place] = 0
    rows[place] = 1 - rows.sum(axis=-1)
    return rows.reshape(weights.shape)
