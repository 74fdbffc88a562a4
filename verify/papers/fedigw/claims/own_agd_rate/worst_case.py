"""Exact worst cases of accelerated gradient descent after k rounds, beside the textbook rate.

Over quadratics: a maximum over one eigenvalue; over all smooth strongly convex functions see all_functions.
Both are the largest (F(w_k) - F*)/(F(w_0) - F* + (mu/2) norm(w_0 - w*)^2); textbook: at most (1 - 1/sqrt kappa)^k.
"""

import math

import numpy as np


def textbook(kappa: float, rounds: int) -> float:
    return (1 - 1 / math.sqrt(kappa)) ** rounds


def over_quadratics(kappa: float, rounds: int, points: int = 20_001) -> float:
    """max over h in [mu, L] of h c_k(h)^2/(h + mu), c_k the error's factor: a fine grid in log h (mu = 1, L = kappa).

    A lower bound of the maximum that misses it by O(grid^2): c_k is a polynomial of degree k.
    """
    values = np.geomspace(1, kappa, points)
    root = math.sqrt(kappa)
    momentum = (root - 1) / (root + 1)
    contraction = 1 - values / kappa
    before = now = np.ones(points)
    for _ in range(rounds):
        before, now = now, contraction * ((1 + momentum) * now - momentum * before)
    return float((values * now**2 / (values + 1)).max())
