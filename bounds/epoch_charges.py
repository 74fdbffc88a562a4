"""The charges of thm:global_regret for one epoch l >= 2 of a plan, before any cap: one function per form of the
theorem.

    papers      11 c^{5/2} sqrt(Kbar^l e_{l-1}) W^l                      (the paper's c)
    by_lemma    (C(g)/g) S^l sqrt(e_{l-1}/Kbar^{l-1})                    (c = max_l c_l; C and g^2 are given)
    in_step     the same with the constant of bounds.best for agents in step; an epoch that the horizon cuts out of step
                has the constant of its own ratio c_l, or the charge of the whole epoch if that is less
"""

from collections.abc import Callable, Sequence

from bounds.arithmetic import Value, ratio, sqrt
from bounds.best import regret
from bounds.schedules import EpochPlan, asynchrony, epoch_weights, papers_ratio, spread_of_growth

Charge = Callable[[int], float]  # 0-based epoch >= 1 -> its bound
Multiplier = Callable[[EpochPlan, Sequence[int], Sequence[float]], float]  # g^2 of (plan, arms, risks)


def mean_arms(lengths: Sequence[int], arms: Sequence[int]) -> float:
    """Return the mean number of arms, Kbar = S/W."""
    return sum(e * k for e, k in zip(lengths, arms, strict=True)) / sum(lengths)


def papers_over_g(c: Value) -> Value:
    """Return 11 c^{5/2}: the lemma's 11 c^2, times sqrt c for Kbar^l in place of Kbar^{l-1}."""
    return 11 * c ** ratio(5, 2, c)


def papers(plan: EpochPlan, arms: Sequence[int], risks: Sequence[float]) -> Charge:
    factor = papers_over_g(papers_ratio(plan))

    def charge(epoch: int) -> float:
        weights = epoch_weights(plan, epoch)
        return factor * float(sqrt(mean_arms(weights, arms) * risks[epoch - 1])) * sum(weights)

    return charge


def by_lemma(
    constant: Callable[[Value, Value, Value], Value],
    multiplier_squared: Multiplier,
    plan: EpochPlan,
    arms: Sequence[int],
    risks: Sequence[float],
) -> Charge:
    """Return the charge for a constant C(c, q, g^2) of lem:epoch_regret_bound, q = 1 - 1/K_max."""
    g2 = multiplier_squared(plan, arms, risks)
    over_g = float(constant(asynchrony(plan), 1 - 1 / max(arms), g2) / sqrt(g2))

    def charge(epoch: int) -> float:
        return over_g * _scale(epoch_weights(plan, epoch), plan.full[epoch - 1], arms, risks[epoch - 1])

    return charge


def in_step(plan: EpochPlan, arms: Sequence[int], risks: Sequence[float]) -> Charge:
    """Return the charge for agents in step, the least of three bounds. The horizon cuts epochs of unequal lengths
    differently. Such an epoch is charged one per step, or as a whole epoch in step, or with the constant of its own
    ratio on its cut lengths. The last needs that every agent plays in it."""
    constant = regret.of_plan(plan, arms, risks)
    g2 = constant.best_multiplier_squared

    def charge(epoch: int) -> float:
        before, whole = plan.full[epoch - 1 : epoch + 1]
        played, risk = plan.played[epoch], risks[epoch - 1]
        charges = [float(sum(played)), constant.over_g * _scale(whole, before, arms, risk)]
        if all(played):
            c = spread_of_growth(played, before)
            over_g = constant.over_g if c == 1 else regret.cut_over_g(max(arms), c, g2)
            charges.append(over_g * _scale(played, before, arms, risk))
        return min(charges)

    return charge


def _scale(weights: Sequence[int], before: Sequence[int], arms: Sequence[int], risk: float) -> float:
    """Return S^l sqrt(e_{l-1}/Kbar^{l-1}). before: the full lengths of epoch l-1, whose data set the learning rate."""
    played_arms = sum(weights) * mean_arms(weights, arms)
    return played_arms * float(sqrt(risk / mean_arms(before, arms)))
