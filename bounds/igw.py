"""Inverse gap weighting, one function for floats and exact rationals.

With K arms, learning rate gamma and estimate fhat, arm a has probability p(a|x) = 1/(K + gamma (fhat(x, ahat) -
fhat(x, a))) in context x, and the greedy arm ahat (of equals the one with the lowest index) has the rest. Reference:
Abe & Long 1999; Foster & Rakhlin 2020; alg:FedIGW_agent.
"""

import numpy as np

from bounds.arithmetic import Value


def inverse_gap_weights(scores: np.ndarray, learning_rate: Value) -> np.ndarray:
    """Return the arm probabilities, shape (..., K), for estimated rewards `scores`, shape (..., K). They are exact for
    object arrays of Fractions."""
    arms = scores.shape[-1]
    gap = scores.max(axis=-1, keepdims=True) - scores
    weights = 1 / (arms + learning_rate * gap)
    rows = np.ascontiguousarray(weights).reshape(-1, arms)
    place = np.arange(len(rows)), np.ravel(np.argmax(scores, axis=-1))  # the greedy arm of each row
    rows[place] = 0
    rows[place] = 1 - rows.sum(axis=-1)
    return rows.reshape(weights.shape)
