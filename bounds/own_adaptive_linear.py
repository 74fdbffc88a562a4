"""own:adaptive, linear rewards: ellipsoids that hold w*, rates from their size, and a bound on the very run.

Within an epoch the kernel is fixed, so given the features the noise of rewards is independent, centred and
1/2-subgaussian (rewards in [0,1]). G = sum phi phi', A = G + I, w_S = A^{-1} sum phi r, ridge with lambda = 1/n:
    w_S - w* = A^{-1} Phi' noise - A^{-1} w*,   norm(A^{-1} w*)_A <= norm(w*) <= 1,
    norm(A^{-1} Phi' noise)_A^2 = noise' P noise,   P = Phi A^{-1} Phi', 0 <= P <= I, tr P = d_eff = tr(A^{-1} G) <= d.
Hsu, Kakade and Zhang (2012), cited: noise' P noise <= (1/4)(tr P + 2 sqrt(tr P^2 t) + 2 t) with probability 1 - e^{-t},
and tr P^2 <= tr P. With t = ln(L/delta), L calls, all ellipsoids at once hold w* with probability 1 - delta:
    norm(w_l - w*)_{A_l} <= b_l = (1/2) sqrt(d_eff + 2 sqrt(d_eff t) + 2 t) + 1.
The regret of a step in context x, arms played with p, phibar = sum_a p_a phi_a, is then at most, for every l,
    max_a [ (phi_a - phibar)' w_l + b_l norm(phi_a - phibar)_{A_l^{-1}} ],
whatever the rates were: the observed bound takes the least over l, and 1. It rests on the ellipsoids alone.
Rates: gamma^l = 16 sqrt(K n)/b_{l-1}, never smaller than before. b^2 is about four times the n e(n) of the mean, so
this is g = 8 in the theorem's terms, the multiplier that measures best (docs/rates.md). As the bound holds whatever the
rates are, a federation may have another multiplier than 16.
"""

import math

import numpy as np

MULTIPLIER = 16.0
NOISE = 0.5  # rewards in [0,1]
NORM = 1.0  # norm(w*)


def radius(effective: np.ndarray, calls: int, delta: float) -> np.ndarray:
    """Return b for the effective dimension tr(A^{-1} G) of a call."""
    t = math.log(calls / delta)
    return np.asarray(NOISE * np.sqrt(effective + 2 * np.sqrt(effective * t) + 2 * t) + NORM)


def rate(arms: int, samples: int, b: np.ndarray, multiplier: float = MULTIPLIER) -> np.ndarray:
    """Return gamma = 16 sqrt(K n)/b."""
    return np.asarray(multiplier * math.sqrt(arms * samples) / b)
