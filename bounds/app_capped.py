"""app:capped: if epochs stop growing at a cap (4096 in the paper's experiments), regret is linear; its slope is
computed here.

Once every epoch has `cap` steps, the excess risk stays e(M cap), and so do the learning rates:

    upper    Reg(T) <= (cost of the growing epochs) + slope M (T - tau),   slope = min(1, (C/g) sqrt(K e(M cap)))
    lower    on every instance with gap 1 each later step of an agent loses at least (K-1)/(K + g sqrt(K/e(M cap)))

Under doubling both slopes tend to 0. Agents play in step with K arms each; C/g and g are those of `sharpened` at c =
1.
"""

from bounds import lem_epoch_regret_bound, own_ridge_excess_risk
from bounds.arithmetic import Value, sqrt
from bounds.variants import most

PAPERS_CAP = 4096


def slope(arms: int, risk: Value) -> Value:
    """Return (C/g) sqrt(K e), the bound of the sharpened theorem on the regret of a step of an agent."""
    return lem_epoch_regret_bound.sharpened_over_g(1.0, most(float(arms))) * sqrt(arms * risk)


def learning_rate(arms: int, risk: float) -> float:
    """Return the learning rate gamma of `sharpened` in every capped epoch."""
    g2 = lem_epoch_regret_bound.best_multiplier_squared(1.0, most(float(arms)))
    return float(sqrt(g2 * arms / risk))


def ridge_risk(dimension: int, agents: int, cap: int = PAPERS_CAP) -> float:
    """Return the excess risk e(M cap) of ridge regression when all agents have the same law: (d/4 + 1)/(M cap + 1)."""
    return float(own_ridge_excess_risk.mean(float(dimension), agents * cap, False))
