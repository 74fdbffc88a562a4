"""Compute how much greedy play (always the arm with the largest estimate) loses, mainly on an instance where it can
stay at the worse arm for ever.

The instance has one context and two arms with orthogonal features. Rewards are Bernoulli with means 1/2 (the worse arm)
and 3/5. After every epoch a ridge estimate is computed from the epoch's n samples of all agents, with weight 1/n on the
squared norm; ties go to the worse arm. Arms are drawn uniformly in epoch 1. In each later epoch all agents play a
single arm. Greedy play never leaves the worse arm. It leaves the better arm only after a whole epoch without reward.
"""

import math
from fractions import Fraction
from functools import cache

from bounds.arithmetic import Value

FIRST, SECOND = Fraction(1, 2), Fraction(3, 5)


def stuck(agents: int, epoch: int, second: Fraction = SECOND) -> Fraction:
    """Return the exact probability that greedy play chooses the worse of two arms in an epoch (the second or later).
    Rewards are Bernoulli, with mean 1/2 for the worse arm and `second` for the better one. `agents` agents share
    their data, and epochs end at steps 2, 4, 8, ...."""
    chance = _first_estimate(2 * agents, second)
    for earlier in range(2, epoch):
        chance += (1 - chance) * (1 - second) ** (agents * 2 ** (earlier - 1))
    return chance


@cache
def _first_estimate(samples: int, second: Fraction) -> Fraction:
    """Return the probability that, after `samples` steps of uniform play, the worse arm is estimated at least as high
    as the better one. `second` is the mean reward of the better arm."""
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
    """Return the expected regret of greedy play on a two-armed bandit with Bernoulli means 1/2 and 3/5, summed over
    `agents` agents, up to step `horizon`. Each step with the worse arm costs 1/10."""
    gap, chance = float(SECOND - FIRST), float(_first_estimate(2 * agents, SECOND))
    lost, end = agents * gap, 2
    while end < horizon:
        length = min(end, horizon - end)
        lost += agents * length * gap * chance
        chance += (1 - chance) * float(1 - SECOND) ** (agents * end)  # an epoch of e2 without a reward
        end += length
    return lost


def unseen_regret(agents: int, horizon: int) -> Fraction:
    """Return the expected regret of M = `agents` greedy agents up to step T = `horizon`, on a class of two functions
    of two arms. The true function is (1/2, 1). Its rival (1/2, 0) differs only at the second arm and wins ties. If
    nobody pulls the second arm in epoch 1, nobody ever does. The regret is M/2 + (1/2) 4^-M M (T - 2)."""
    # one pull of the second arm refutes the rival; with probability 4^-M no agent pulls it in the two uniform steps
    # of epoch 1
    return Fraction(agents, 2) + Fraction(agents * (horizon - 2), 2 * 4**agents)


def diverse_step(risk: Value, least: Value, arms: int, epoch: int) -> Value:
    """Bound the regret of a greedy step by 2 sqrt(risk/least), if contexts are so diverse that greedy play explores:
    under every greedy policy the features phi of the chosen arms have E phi phi' >= `least` times the identity. `risk`:
    excess risk of the model in use; in epoch 2, after uniform play, it is multiplied by `arms`."""
    return 2 * math.sqrt((arms if epoch == 2 else 1) * risk / least)
