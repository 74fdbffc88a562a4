"""The bound of thm:global_regret on the regret of one epoch l >= 2, before any cap: one function per form.

    papers      11 c^{5/2} sqrt(Kbar^l e_{l-1}) W^l                      (the paper's c)
    by_lemma    (C(g)/g) S^l sqrt(e_{l-1}/Kbar^{l-1})                    (c = max_l c_l; C and g^2 are given)
    in_step     the same with the constant of bounds.best for agents whose epochs grow alike; an epoch that the horizon
                cuts unequally has the constant of its own ratio c_l, or the bound of the whole epoch if that is less

W^l = sum_m E^l_m steps, S^l = sum_m E^l_m K_m, Kbar^l = S^l/W^l. c_l: the ratio of the largest to the smallest
growth E^l_m/E^{l-1}_m of the agents. e_{l-1}: the excess risk of the model of epoch l-1. g: the factor in gamma^l =
g sqrt(Kbar^{l-1}/e_{l-1}).
"""

from collections.abc import Callable, Sequence

from bounds.arithmetic import Value, ratio, sqrt
from bounds.best import regret
from bounds.schedules import EpochPlan, asynchrony, epoch_weights, papers_ratio, spread_of_growth

Charge = Callable[[int], float]  # 0-based epoch >= 1 -> its bound
Multiplier = Callable[[EpochPlan, Sequence[int], Sequence[float]], float]  # g^2 of (plan, arms, risks)


def mean_arms(lengths: Sequence[int], arms: Sequence[int]) -> float:
    """Return Kbar, the number of arms averaged over all steps of an epoch. lengths[m], arms[m]: steps and arms of
    agent m."""
    return sum(e * k for e, k in zip(lengths, arms, strict=True)) / sum(lengths)


def papers_over_g(c: Value) -> Value:
    """Return 11 c^{5/2}, the constant of the paper's theorem. The paper's lemma has 11 c^2; the factor sqrt c replaces
    the mean number of arms of epoch l-1 by that of epoch l."""
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
    """Return the function that maps an epoch l to its regret bound (C/g) S^l sqrt(e_{l-1}/Kbar^{l-1}).

    risks[l]: the excess risk of the model learned in epoch l. constant(c, q, g^2): the C of lem:epoch_regret_bound,
    q = 1 - 1/K for the largest number of arms K. multiplier_squared: computes g^2.
    """
    g2 = multiplier_squared(plan, arms, risks)
    over_g = float(constant(asynchrony(plan), 1 - 1 / max(arms), g2) / sqrt(g2))

    def charge(epoch: int) -> float:
        return over_g * _scale(epoch_weights(plan, epoch), plan.full[epoch - 1], arms, risks[epoch - 1])

    return charge


def in_step(plan: EpochPlan, arms: Sequence[int], risks: Sequence[float]) -> Charge:
    """Return the function that maps an epoch to its regret bound, for agents whose epochs grow alike. risks[l]: the
    excess risk of the model learned in epoch l."""
    # the least of three: one per step; the bound on the whole epoch; and, if every agent plays in it, the bound on
    # the part before the horizon, with a constant for its unequal growth
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
    played_arms = sum(weights) * mean_arms(weights, arms)
    return played_arms * float(sqrt(risk / mean_arms(before, arms)))
