"""Compare the regret of FedIGW on logistic rewards with its bound, in simulated environments of several sizes."""

from collections.abc import Callable

import numpy as np

from bounds import variants
from bounds.schedules import doubling_plan
from bounds.theorem import Case
from bounds.theorems.own_logistic_excess_risk import THEOREM
from verify.claim import Evidence, Task
from verify.experiments.logistic_runs import Run, world
from verify.statistics import regrets
from verify.statistics.measurement import measure

# d, K, B, M, different laws
SIZES = (
    (1, 2, 3.0, 4, 1),
    (2, 2, 3.0, 10, 1),
    (1, 2, 1.0, 4, 2),
    (3, 3, 3.0, 10, 5),
    (2, 4, 2.0, 1, 1),
    (5, 2, 1.0, 50, 1),
)
ARGUED = 1.25  # how far the bound must be below the most that a world can lose


def telling(made: Run, variant: str) -> tuple[int, float, float]:
    """Return the first horizon at which the largest possible regret is at least 1.25 times the regret bound, and there
    the bound and the trivial bound."""
    given = {"M": made.agents, "K": made.arms, "d": float(len(made.parameter)), "B": made.radius}
    found = THEOREM.regret(Case(variant, None, None, given | {"delta": 0.0, "heterogeneous": made.different}))
    horizon = 8
    while ARGUED * found.value(horizon) > made.most(horizon):
        horizon *= 2
    return horizon, found.value(horizon), found.trivial(horizon)


def drawing(task: Task, made: Run, variant: str, horizon: int) -> Callable[[int], np.ndarray]:
    """Return a function draw(count) that simulates FedIGW on logistic rewards `count` times and returns the regrets,
    shape (count,). The learning rates are those that the variant of the bound prescribes."""
    row, rng = variants.row(variant), np.random.default_rng(task.seed.spawn(1)[0])
    g2 = row.learning_rate.multiplier_squared(doubling_plan(4), (made.arms,), ())
    rates = made.rates(horizon, g2, 0 if row.ridge.halves else 1)
    return lambda count: made.regret(rates, horizon, count, rng)


def regret(task: Task, variant: str, reduced: bool = False) -> Evidence:
    """Compare the measured regret of FedIGW on logistic rewards with its bound, at the first horizon where the bound is
    informative, in environments of six sizes. In two of them agents have different distributions of contexts. Models
    are exact minimisers. Negative control, which must fail: a bound a tenth below the mean of many simulations."""
    rng, found = task.rng(), []
    chosen = (SIZES * 2 if task.full else SIZES)[: 1 if reduced else None]
    for d, arms, radius, agents, laws in chosen:
        made = world(rng, d, arms, radius, agents, laws)
        horizon, bound, trivial = telling(made, variant)
        draw = drawing(task, made, variant, horizon)
        if reduced:
            bound = regrets.BELOW_TRUTH * float(draw(2000).mean())
        where = f"d = {d}, K = {arms}, B = {radius:g}, M = {agents}, {laws} laws, T = {horizon}"
        limits = (task.level / len(chosen), 8000, 20)
        found.append(measure(where, draw, made.most(horizon), bound, trivial, *limits))
    return regrets.judged(task, found, runs="worlds")
