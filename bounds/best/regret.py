"""Apply the smallest proved constant of one epoch (variant `best`) to whole runs: the regret bounds of
thm:global_regret and col:finite.

    E^l_m, K_m   length of epoch l for agent m, and number of arms of agent m; M agents, T steps
    W^l, S^l     sum over the agents m of E^l_m, and of E^l_m K_m; Kbar^l = S^l/W^l is the mean number of arms
    e_{l-1}      excess risk of the model learned in epoch l-1
    g            factor in the learning rate gamma^l = g sqrt(Kbar^{l-1}/e_{l-1})
    C            constant in the bound C S^l/gamma^l on the regret of one epoch
    |F|          number of functions of a finite class; kappa = 0.46368

    thm:global_regret   Reg(T) <= sum_m (1-1/K_m) E^1_m + sum_{l>=2} min(W^l, (C/g) S^l sqrt(e_{l-1}/Kbar^{l-1}))
    col:finite          Reg(T) <= 2M(1-1/K) + (C/g)(2+sqrt2) sqrt(K M T ln|F|/kappa), for K arms and epochs that end
                        at steps 2, 4, 8, ...
"""

import math
from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise

from bounds.arithmetic import Value, log
from bounds.best.constant import EpochConstant, best, cumulative, of
from bounds.best.parameters import ANY_SCHEDULE, DOUBLING, derive
from bounds.errors import InputError
from bounds.schedules import EpochPlan, uncut_asynchrony

# Proved in Coq: FiniteExponent.one_sample_best.
KAPPA = Fraction(46368, 100000)
KAPPA_EXPONENT = Fraction(104, 100)

IN_STEP = "agents in step (c = 1, also where the horizon cuts), each with at least two arms; K is the largest number"


def over_g(arms: Value, *, doubling: bool = False) -> Value:
    """Return the smallest proved constant of FedIGW's regret bound: the factor of the sum over epochs of sqrt(K x
    excess risk) x steps, for K = `arms` arms. If `arms` is a symbol the result is an expression; at two arms it is
    slightly above the exact 3/sqrt 2. `doubling`: whether epoch lengths double, which allows a smaller constant."""
    if isinstance(arms, int):
        return best(arms, doubling=doubling).over_g
    return of(DOUBLING if doubling else ANY_SCHEDULE, arms, short=True).over_g


def of_plan(plan: EpochPlan, arms: Sequence[int], risks: Sequence[float]) -> EpochConstant:
    """Return the smallest proved constant of the bound on an epoch's regret for agents whose epochs grow alike. `plan`
    has the epoch lengths of each agent. The smaller constant for doubling epochs is returned if the lengths and the
    learning rates allow it, else the one for learning rates that do not decrease. `risks[l]` is the excess risk of the
    model learned in epoch l. Raise InputError if an agent has fewer than two arms or epochs grow unequally."""
    # for complete epochs; `cut_over_g` is for an epoch that the horizon cuts unequally
    if min(arms) < 2:
        raise InputError("K", min(arms), "must be at least 2 for every agent for the variant best")
    if uncut_asynchrony(plan) != 1:
        raise InputError("c", uncut_asynchrony(plan), "variant best is for agents in step, c = 1")
    lengths = [row[0] for row in plan.full]
    doubling = all(length == lengths[0] * 2 ** max(0, l - 1) for l, length in enumerate(lengths))
    smaller = best(max(arms), doubling=True)
    mean = sum(e * k for e, k in zip(plan.full[0], arms, strict=True)) / sum(plan.full[0])
    grows = max(arms) == 2 or rates_grow(smaller, mean, risks[: plan.epochs - 1])
    return smaller if doubling and grows else best(max(arms))


def rates_grow(constant: EpochConstant, mean: float, risks: Sequence[float]) -> bool:
    """Return whether the policy's learning rates grow as fast as `constant`, the constant for doubling epochs,
    requires: from epoch 4 on by a factor of at least 239/169, except in epochs whose regret bound is at least 1 per
    step. `mean`: mean number of arms. `risks[l]`: excess risk of the model learned in epoch l."""
    # epochs grow alike, so the ratio of the rates is sqrt(e_{l-1}/e_{l-2}), and the bound per step sqrt(mean
    # e_{l-1}) over_g
    most = float(DOUBLING.ratio) ** 2
    return all(
        after <= most * before or constant.over_g * math.sqrt(mean * after) >= 1
        for before, after in pairwise(risks[1:])
    )


def cut_over_g(arms: int, c: float, multiplier_squared: Fraction) -> float:
    """Return the constant of the regret bound for an epoch that the horizon cuts at different points of different
    agents. `c`: largest growth of an agent's epoch length (from the epoch before) divided by the smallest.
    `multiplier_squared`: g^2, where the learning rate is g sqrt(arms/excess risk)."""
    # earlier epochs grow alike, so every excess risk counts at most c times; the smaller constant for doubling
    # epochs is proved in epoch 3 only if its risks count once
    constant = cumulative(arms, Fraction(c)).at(multiplier_squared)
    return float(constant) / math.sqrt(multiplier_squared)


def doubling_over_g(arms: int, c: float) -> float:
    """Return the constant of the regret bound of variant `best`, for epochs that end at steps 2, 4, 8, .... It is
    proved only for agents whose epochs grow alike: raise InputError unless `c`, which measures that, is 1."""
    if c != 1:
        raise InputError("c", c, "variant best is for agents in step, c = 1")
    return float(over_g(arms, doubling=True))


def doubling_hypotheses(arms: int) -> tuple[str, ...]:
    """Return, as sentences, the hypotheses of the smallest proved regret bound for epochs that end at steps 2, 4, 8,
    ..., besides H1 to H5 of thm:global_regret (docs/hypotheses.md)."""
    constant = best(arms, doubling=True)
    g2 = constant.best_multiplier_squared
    if arms == 2:
        multiplier = f"{g2} (two arms)"
    else:
        a, b = float(derive(DOUBLING).a), float(constant.risk)
        multiplier = f"max(1-1/K, 1-2/K+a)/b = {float(g2):.6f}, a = {a:.6f}, b = {b:.6f}"
    return (
        IN_STEP,
        "epoch lengths 2, 2, 4, 8, ... (tau^l = 2^l)",
        "e_l = min(1, A/n) after the n = M E^l samples of epoch l",
        f"H4 with g^2 = {multiplier}",
    )


def finite_mean(functions: int, samples: int) -> float:
    """Return the bound min(1, ln(functions)/(0.46368 samples)) on the mean excess risk of empirical risk minimisation
    over a finite class of `functions` functions."""
    return min(1.0, float(log(functions)) / (float(KAPPA) * samples))
