"""Compute the regret of greedy play on an instance where it may play the worse arm for ever.

One context, arms e1 and e2 in R^2 with means 1/2 and 3/5, Bernoulli rewards, ridge regression with lambda = 1/n, ties
to the first arm. Epoch 1 is uniform. Later greedy play sees one arm per epoch: once it plays e1 it always plays e1,
and it leaves e2 only if an epoch of e2 brings no reward at all.
"""

import math
from fractions import Fraction
from functools import cache

from bounds.arithmetic import Value

FIRST, SECOND = Fraction(1, 2), Fraction(3, 5)


def stuck(agents: int, epoch: int, second: Fraction = SECOND) -> Fraction:
    """Return the exact probability that greedy play uses the worse arm e1 in this epoch (2 or later), for epochs
    that end at steps 2, 4, 8, ... second: the mean reward of the better arm e2; that of e1 is 1/2."""
    chance = _first_estimate(2 * agents, second)
    for earlier in range(2, epoch):
        chance += (1 - chance) * (1 - second) ** (agents * 2 ** (earlier - 1))
    return chance


@cache
def _first_estimate(samples: int, second: Fraction) -> Fraction:
    """Return the probability that after n = `samples` uniform steps arm e1 is estimated at least as high as e2:
    P(S1/(n - N + 1) >= S2/(N + 1)). N ~ Bin(n, 1/2) counts the pulls of e2; S1 ~ Bin(n - N, 1/2) and S2 ~ Bin(N,
    second) are the reward sums of e1 and e2."""
    top, bottom = second.numerator, second.denominator
    total = Fraction(0)
    for pulls in range(samples + 1):
        others = samples - pulls
        weight, below = 0, 0  # below: weight of S2 <= reached
        reached = -1
        for rewards in range(others + 1):
            while (reached + 1) <= pulls and (reached + 1) * (others + 1) <= rewards * (pulls + 1):
                reached += 1
                below += math.comb(pulls, reached) * top**reached * (bottom - top) ** (pulls - reached)
            weight += math.comb(others, rewards) * below
        total += Fraction(math.comb(samples, pulls) * weight, 2**others * bottom**pulls)
    return total / 2**samples


def regret(agents: int, horizon: int) -> float:
    """Return the expected regret of greedy play up to step `horizon`. Epoch 1 is uniform; every step that plays the
    worse arm e1 costs the gap, 1/10."""
    gap, chance = float(SECOND - FIRST), float(_first_estimate(2 * agents, SECOND))
    lost, end = agents * gap, 2
    while end < horizon:
        length = min(end, horizon - end)
        lost += agents * length * gap * chance
        chance += (1 - chance) * float(1 - SECOND) ** (agents * end)  # an epoch of e2 without a reward
        end += length
    return lost


def unseen_regret(agents: int, horizon: int) -> Fraction:
    """Return the expected regret M/2 + (1/2) 4^-M M (T - 2) of M greedy agents after T steps, for a class of two
    functions of two arms: the true one (1/2, 1) and its rival (1/2, 0), which wins ties."""
    # one pull of the second arm refutes the rival; with probability 4^-M no agent pulls it in the two uniform steps
    # of epoch 1
    return Fraction(agents, 2) + Fraction(agents * (horizon - 2), 2 * 4**agents)


def diverse_step(risk: Value, least: Value, arms: int, epoch: int) -> Value:
    """Return the largest regret of a greedy step if the played features phi satisfy E phi phi' >= least I under
    every greedy policy: 2 sqrt(e/least), where e = `risk` is the excess risk. In epoch 2 it is 2 sqrt(K e/least),
    because the data come from uniform play."""
    return 2 * math.sqrt((arms if epoch == 2 else 1) * risk / least)
