"""Compute how fast the regret grows if epochs stop growing at a cap (app:capped); the paper's experiments cap them at
4096.

Once every epoch has `cap` steps, every model is learned from equally many samples, `cap` from each of M agents. Its
excess risk e and the learning rate gamma = g sqrt(K/e), for K arms, then stay the same. So the regret becomes linear
in the number T of steps. With tau the last step of the growing epochs:

    upper bound   Reg(T) <= (regret bound up to tau) + slope M (T - tau),   slope = min(1, (C/g) sqrt(K e))
    lower bound   if the best arm has mean 1 and all others 0, an agent loses at least (K-1)/(K + gamma) in a later
                  step

With doubling epochs both slopes would tend to 0. All agents have the same epochs. C and g are the numbers in the
regret bound C S/gamma of one epoch, variant `sharpened` (bounds/lem_epoch_regret_bound.py); S is steps times arms.
"""

from bounds import lem_epoch_regret_bound, own_ridge_excess_risk
from bounds.arithmetic import Value, sqrt
from bounds.variants import most

PAPERS_CAP = 4096


def slope(arms: int, risk: Value) -> Value:
    """Return a bound on the regret of one agent in one step, after epochs have stopped growing. `risk` is the excess
    risk of the model in use. The result is (C/g) sqrt(K risk) for K = `arms`, where C/g = 4.4 at most is the
    constant of the sharpened regret bound."""
    return lem_epoch_regret_bound.sharpened_over_g(1.0, most(float(arms))) * sqrt(arms * risk)


def learning_rate(arms: int, risk: float) -> float:
    """Return the learning rate of inverse gap weighting in every epoch of the capped length. `risk` is the excess
    risk of the model in use."""
    g2 = lem_epoch_regret_bound.best_multiplier_squared(1.0, most(float(arms)))
    return float(sqrt(g2 * arms / risk))


def ridge_risk(dimension: int, agents: int, cap: int = PAPERS_CAP) -> float:
    """Return the excess risk (d/4 + 1)/(n + 1) of ridge regression, for agents whose data have the same distribution.
    d is `dimension`, and n = `agents` x `cap` is the number of samples of one epoch."""
    return float(own_ridge_excess_risk.mean(float(dimension), agents * cap, False))
