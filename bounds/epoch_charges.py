"""Bound the regret of a single epoch l >= 2 in three ways, for the sums over epochs of thm:global_regret. No bound is
capped at one per step here.

    E^l_m, K_m   length of epoch l for agent m, and number of arms of agent m
    W^l, S^l     sum over the agents m of E^l_m, and of E^l_m K_m; Kbar^l = S^l/W^l is the mean number of arms
    c_l          largest growth E^l_m/E^{l-1}_m of an agent, divided by the smallest
    e_{l-1}      excess risk of the model learned in epoch l-1
    g            factor in the learning rate gamma^l = g sqrt(Kbar^{l-1}/e_{l-1})
    C            constant in the bound C S^l/gamma^l on the regret of the epoch

    function    its bound
    papers      11 c^{5/2} sqrt(Kbar^l e_{l-1}) W^l, with c as the paper defines it
    by_lemma    (C/g) S^l sqrt(e_{l-1}/Kbar^{l-1}), with c = max_l c_l; C and g are given
    in_step     the same with the smallest proved C/g, for agents whose epochs grow alike. An epoch that the horizon
                cuts unequally has the C/g of its own c_l, or the bound of the whole epoch if that is less
"""

from collections.abc import Callable, Sequence

from bounds.arithmetic import Value, ratio, sqrt
from bounds.best import regret
from bounds.schedules import EpochPlan, asynchrony, epoch_weights, papers_ratio, spread_of_growth

Charge = Callable[[int], float]  # 0-based epoch >= 1 -> its bound
Multiplier = Callable[[EpochPlan, Sequence[int], Sequence[float]], float]  # g^2 of (plan, arms, risks)


def mean_arms(lengths: Sequence[int], arms: Sequence[int]) -> float:
    """Return the number of arms averaged over all steps of an epoch. lengths[m], arms[m]: steps and arms of agent m."""
    return sum(e * k for e, k in zip(lengths, arms, strict=True)) / sum(lengths)


def papers_over_g(c: Value) -> Value:
    """Return 11 c^{5/2}, the constant of the paper's regret theorem. `c` measures how unequally the agents' epochs grow
    (1 if alike). The lemma behind the theorem has 11 c^2. The further factor sqrt c bounds the change of the mean
    number of arms from one epoch to the next."""
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
    """Return a function that maps an epoch to the bound C S/gamma on its regret, for a given constant C. S is the sum
    over agents of steps times arms, and gamma = g sqrt(mean number of arms/excess risk) the policy's learning rate.

    constant             maps (c, q, g^2) to C: c measures how unequally the agents' epochs grow, q = 1 - 1/K for the
                         largest number K of arms
    multiplier_squared   maps (plan, arms, risks) to g^2
    plan, arms           the epoch lengths and the number of arms of each agent
    risks                risks[l] is the excess risk of the model learned in epoch l
    """
    g2 = multiplier_squared(plan, arms, risks)
    over_g = float(constant(asynchrony(plan), 1 - 1 / max(arms), g2) / sqrt(g2))

    def charge(epoch: int) -> float:
        return over_g * _scale(epoch_weights(plan, epoch), plan.full[epoch - 1], arms, risks[epoch - 1])

    return charge


def in_step(plan: EpochPlan, arms: Sequence[int], risks: Sequence[float]) -> Charge:
    """Return a function that maps an epoch to the smallest proved bound on its regret, for agents whose epochs grow
    alike. `plan` has the epoch lengths of each agent; risks[l] is the excess risk of the model learned in epoch l."""
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
