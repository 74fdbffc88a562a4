"""Formulas for compressed messages, and constants of a ridge problem that are known before its data are seen.

    stochastic rounding to b bits   E Q(x) = x, E norm(Q(x) - x)^2 <= om norm(x)^2, om = d/(2^b-1)^2; d b + 32 bits
    top-k                           norm(C(x) - x)^2 <= (1 - al) norm(x)^2, al = k/d; k (64 + ceil(log2 d)) bits

Q(x) and C(x) are what the receiver decodes of a message x of d numbers. For rounding, x is divided by its largest
absolute value s, which is rounded up and sent in 32 bits. The variance of a coordinate is at most (s/(2^b-1))^2, and
that of the largest coordinate is almost 0, which compensates for rounding s up as long as b <= 20.
"""

import math
from dataclasses import dataclass

MOST_BITS = 20  # beyond it the 32 bits of the scale are the coarser ones
NUMBER_BITS, SCALE_BITS = 64, 32


def rounding_variance(dimension: int, bits: int) -> float:
    """Return d/(2^b-1)^2, the relative variance of stochastic rounding to b bits: E norm(Q(x) - x)^2 is at most that
    times norm(x)^2."""
    return dimension / float((2**bits - 1) ** 2)


def kept_share(dimension: int, keep: int) -> float:
    return min(keep, dimension) / dimension


def rounding_bits(dimension: int, bits: int) -> int:
    return dimension * bits + SCALE_BITS


def top_k_bits(dimension: int, keep: int) -> int:
    """Return the bits of a top-k message. Positions are sent only if some coordinates are left out."""
    place = (dimension - 1).bit_length() if keep < dimension else 0
    return min(keep, dimension) * (NUMBER_BITS + place)


@dataclass(frozen=True)
class Known:
    """Bounds that hold for every dataset of n samples of ridge regression, so that a schedule fixed before the data
    may use them.

    Features are in the unit ball, rewards in [0,1], and methods start at 0. Agent m has weight p_m and objective
    f_m; F = sum p_m f_m is the objective and w_S its minimiser. F(0) is at most 1 above the minimum of F, and the
    squared distance of a point from w_S is at most 2/mu times what F is above its minimum there.

        mu, beta        strong convexity of F; smoothness of every f_m
        largest_share   upper bound of all weights p_m
        start           upper bound of norm(w_S)^2
        slopes          upper bound of sum p_m norm(grad f_m)^2, at 0 and at w_S
        heterogeneity   upper bound of the mean over the data of sum p_m norm(grad f_m(w_S))^2
        spread          if agents have personal coordinates: their points x_m together are no further from w_S, in
                        squared distance, than `spread` times the weighted sum of the agents' own squared distances
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
    """Return the bounds for ridge regression with lambda = regularisation/n. equal: whether agents have equally many
    samples."""
    # sum p_m norm(grad f_m)^2 <= 2 beta F <= 2 beta F(0) for a non-negative smooth function; lambda norm(w_S)^2 <=
    # 1/4; the mean of zeta*^2 over the data is at most (sqrt M + sqrt(d+4))^2/n
    mu = 2 * regularisation / n
    zeta = (math.sqrt(agents) + math.sqrt(dimension + 4)) ** 2 / n
    share = 1 / agents if equal else 1.0
    return Known(mu, 2 + mu, share, n / (4 * regularisation), 2 * (2 + mu), zeta)


def known_of_lifted(
    n: int, agents: int, lifted: int, smallest: float, personal: bool, equal: bool = True
) -> Known:
    """Return the bounds for partly shared parameters. lifted: the number of coordinates, shared and personal of all
    agents. smallest: the least number of samples of an agent. personal: whether any agent has a personal block."""
    # personal blocks are regularised with lambda/p_m, and points are measured by sum p_m norm(x_m)^2 (as in
    # col:linear_per)
    beta = 2 + 2 / (smallest if personal else n)
    zeta = (math.sqrt(agents) + math.sqrt(lifted + 4 * agents)) ** 2 / n
    share = 1 / agents if equal else 1.0
    return Known(2 / n, beta, share, n / 4, 2 * beta, zeta, n / smallest)


@dataclass(frozen=True)
class Schedule:
    """Step size and length of a method with compressed messages. step: the server's step size. rounds: the number of
    messages each agent sends and receives."""

    step: float
    rounds: int


def remaining(rate: float, rounds: int) -> float:
    return 0.0 if rate >= 1 else math.exp(rounds * math.log1p(-rate))


def rounds_until(ratio: float, rate: float) -> int:
    """Return the least k >= 1 with (1 - rate)^k <= ratio."""
    return 1 if ratio >= 1 or rate >= 1 else max(1, math.ceil(math.log(ratio) / math.log1p(-rate)))
