"""Compute variance and size of compressed messages, and bounds on a ridge problem that hold before its data are seen.

x is a message of d numbers; the receiver decodes a vector Q(x) or C(x) instead:

    stochastic rounding to b bits   E Q(x) = x and E norm(Q(x) - x)^2 <= om norm(x)^2, om = d/(2^b-1)^2; d b + 32 bits
    top-k (only the k largest)      norm(C(x) - x)^2 <= (1 - k/d) norm(x)^2; k (64 + ceil(log2 d)) bits
"""

# For rounding, x is divided by its largest absolute value s, which is rounded up and sent in 32 bits. The variance of a
# coordinate is at most (s/(2^b-1))^2. The largest coordinate has almost none, which makes up for rounding s up if b <=
# 20.

import math
from dataclasses import dataclass

MOST_BITS = 20  # beyond it the 32 bits of the scale are the coarser ones
NUMBER_BITS, SCALE_BITS = 64, 32


def rounding_variance(dimension: int, bits: int) -> float:
    """Return the relative variance of stochastic rounding of a vector x: E norm(Q(x) - x)^2 is at most this number
    times norm(x)^2, where Q(x) is x rounded to `bits` bits per coordinate."""
    return dimension / float((2**bits - 1) ** 2)


def kept_share(dimension: int, keep: int) -> float:
    return min(keep, dimension) / dimension


def rounding_bits(dimension: int, bits: int) -> int:
    return dimension * bits + SCALE_BITS


def top_k_bits(dimension: int, keep: int) -> int:
    """Return the number of bits of a message that has only the `keep` largest of `dimension` numbers. Positions are
    sent only if some coordinates are left out."""
    place = (dimension - 1).bit_length() if keep < dimension else 0
    return min(keep, dimension) * (NUMBER_BITS + place)


@dataclass(frozen=True)
class Known:
    """Bounds on a ridge problem that hold for every dataset of a given size, so that step sizes and rounds can be fixed
    before the data.

    Features are in the unit ball, rewards in [0,1], and methods start at 0. F = sum_m p_m f_m is the objective, with
    weight p_m and objective f_m of agent m, and w is its minimiser.

    mu, beta        smallest curvature of F; largest curvature of any f_m
    largest_share   upper bound of all weights p_m
    start           upper bound of norm(w)^2
    slopes          upper bound of sum_m p_m norm(grad f_m)^2, at 0 and at w
    heterogeneity   upper bound of the mean over the data of sum_m p_m norm(grad f_m)^2 at w
    spread          1/(least p_m) for partly shared parameters (`known_of_lifted`), else 1: the largest ratio of a
                    squared distance to the same with agents weighted by p_m
    """

    mu: float
    beta: float
    largest_share: float
    start: float
    slopes: float
    heterogeneity: float
    spread: float = 1.0


def known_of_ridge(
    n: int, agents: int, dimension: int, regularisation: float = 1.0, equal: bool = True
) -> Known:
    """Return bounds on curvature, start and heterogeneity that hold for every dataset of `n` samples of ridge
    regression, with weight `regularisation`/n on the squared norm. `equal`: whether agents have equally many samples.
    """
    # sum p_m norm(grad f_m)^2 <= 2 beta F <= 2 beta F(0) for a non-negative smooth function; lambda norm(w_S)^2 <=
    # 1/4; the mean of zeta*^2 over the data is at most (sqrt M + sqrt(d+4))^2/n
    mu = 2 * regularisation / n
    zeta = (math.sqrt(agents) + math.sqrt(dimension + 4)) ** 2 / n
    share = 1 / agents if equal else 1.0
    return Known(mu, 2 + mu, share, n / (4 * regularisation), 2 * (2 + mu), zeta)


def known_of_lifted(
    n: int, agents: int, lifted: int, smallest: float, personal: bool, equal: bool = True
) -> Known:
    """Return bounds on curvature, start and heterogeneity that hold for every dataset of `n` samples of ridge
    regression if agents share only a part of their parameters. `lifted`: number of coordinates, shared and personal
    of all agents together. `smallest`: the least number of samples of an agent. `personal`: whether any agent has
    personal coordinates. `equal`: whether agents have equally many samples."""
    # personal blocks are regularised with lambda/p_m, and points are measured by sum p_m norm(x_m)^2 (as in
    # col:linear_per)
    beta = 2 + 2 / (smallest if personal else n)
    zeta = (math.sqrt(agents) + math.sqrt(lifted + 4 * agents)) ** 2 / n
    share = 1 / agents if equal else 1.0
    return Known(2 / n, beta, share, n / 4, 2 * beta, zeta, n / smallest)


@dataclass(frozen=True)
class Schedule:
    """Step size and length of a method with compressed messages. step: of the server. rounds: messages that each
    agent sends and receives."""

    step: float
    rounds: int


def remaining(rate: float, rounds: int) -> float:
    return 0.0 if rate >= 1 else math.exp(rounds * math.log1p(-rate))


def rounds_until(ratio: float, rate: float) -> int:
    """Return the least number of rounds k >= 1 after which an error that shrinks by the factor 1 - rate per round is
    at most `ratio` of its start."""
    return 1 if ratio >= 1 or rate >= 1 else max(1, math.ceil(math.log(ratio) / math.log1p(-rate)))
