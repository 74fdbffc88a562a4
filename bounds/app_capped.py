"""app:capped: the slope of the regret if epochs stop growing at a cap (4096 steps in the paper's experiments).

Once every epoch has `cap` steps, each model is learned from M cap samples. So the excess risk stays e = e(M cap),
and the learning rate stays gamma = g sqrt(K/e), which makes the regret linear in the number T of steps. M agents
have K arms each. With tau the end of the growing epochs:

    upper    Reg(T) <= (regret bound up to tau) + slope M (T - tau),   slope = min(1, (C/g) sqrt(K e))
    lower    on every instance with gap 1 each later step of an agent loses at least (K-1)/(K + gamma)

With doubling epochs both slopes would tend to 0. All agents have the same epochs. C/g and g are the constant and the
learning-rate factor of thm:global_regret in variant `sharpened` at c = 1.
"""

from bounds import lem_epoch_regret_bound, own_ridge_excess_risk
from bounds.arithmetic import Value, sqrt
from bounds.variants import most

PAPERS_CAP = 4096


def slope(arms: int, risk: Value) -> Value:
    """Return (C/g) sqrt(K e), a bound on the regret of one agent in one step. risk: the excess risk e of the model
    in use."""
    return lem_epoch_regret_bound.sharpened_over_g(1.0, most(float(arms))) * sqrt(arms * risk)


def learning_rate(arms: int, risk: float) -> float:
    """Return gamma = g sqrt(K/e), the learning rate of every epoch of the capped length. risk: e."""
    g2 = lem_epoch_regret_bound.best_multiplier_squared(1.0, most(float(arms)))
    return float(sqrt(g2 * arms / risk))


def ridge_risk(dimension: int, agents: int, cap: int = PAPERS_CAP) -> float:
    """Return the excess risk of ridge regression on n = M cap samples, (d/4 + 1)/(n + 1), for agents with the same law
    of data."""
    return float(own_ridge_excess_risk.mean(float(dimension), agents * cap, False))
