"""Bound the regret of FedIGW if its epochs double only until they have `cap` steps (app:capped). The paper's
experiments use cap 4096.

FedIGW learns a new model after every epoch, from the samples of that epoch. Once every epoch has `cap` steps, every
model has equally many samples, `cap` from each of M agents. Its excess risk e and the policy's learning rate gamma = g
sqrt(K/e), for K arms and a constant g, then stay the same. So the regret becomes linear in the number T of steps. Let
tau be the last step of the growing epochs, and C the constant of the regret bound of one epoch, C x (agent steps) x
K/gamma (variant `sharpened`, bounds/lem_epoch_regret_bound.py):

    upper bound   Reg(T) <= (regret bound up to tau) + slope M (T - tau),   slope = min(1, (C/g) sqrt(K e))
    lower bound   if the best arm has mean 1 and all others 0, an agent loses at least (K-1)/(K + gamma) in a later
                  step

With doubling epochs both slopes would tend to 0. All agents have the same epochs.
"""

from bounds import lem_epoch_regret_bound, own_ridge_excess_risk
from bounds.arithmetic import Value, sqrt
from bounds.variants import most

PAPERS_CAP = 4096


def slope(arms: int, risk: Value) -> Value:
    """Return an upper bound on the expected regret of one agent in one step, after epochs have stopped growing: c
    sqrt(K risk). K is `arms`, `risk` is the excess risk of the model in use, and c is the constant of the sharpened
    regret bound, at most 4.4."""
    return lem_epoch_regret_bound.sharpened_over_g(1.0, most(float(arms))) * sqrt(arms * risk)


def learning_rate(arms: int, risk: float) -> float:
    """Return the learning rate gamma of inverse gap weighting (the policy's exploration parameter) for which the regret
    bound of an epoch is least. `risk` is the excess risk of the model in use, the same after every epoch of the capped
    length."""
    g2 = lem_epoch_regret_bound.best_multiplier_squared(1.0, most(float(arms)))
    return float(sqrt(g2 * arms / risk))


def ridge_risk(dimension: int, agents: int, cap: int = PAPERS_CAP) -> float:
    """Return the excess risk (d/4 + 1)/(n + 1) of ridge regression, for agents whose data have the same distribution.
    d is `dimension`, and n = `agents` x `cap` is the number of samples of one epoch."""
    return float(own_ridge_excess_risk.mean(float(dimension), agents * cap, False))
