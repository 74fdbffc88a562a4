"""Measure the regret of linear federations at horizons where the bounds of col:linear are informative."""

import math
from dataclasses import replace
from functools import cache
from itertools import product
from typing import Any

import numpy as np

from bounds.epoch_sum import EpochSum
from bounds.schedules import doubling_plan
from bounds.theorems import col_linear
from fedigw.applicable import applicable_bounds, largest_regret
from fedigw.discovery import modules, sized
from fedigw.federation import Federation
from fedigw.interfaces import Acting, FLProtocol
from fedigw.replications import pooled
from linear.contexts.finite import FiniteContexts
from linear.environments import finite_contexts
from linear.environments.finite_contexts import make
from linear.federations import changed, linear_federation
from linear.law import exact_law
from linear.protocols.agd import AcceleratedGradient
from linear.protocols.agd_convex import ConvexAcceleratedGradient
from linear.world import LinearWorld
from verify.claim import Evidence, Task, Verdict
from verify.statistics import regrets
from verify.statistics.confidence import within
from verify.statistics.regrets import BELOW_TRUTH, RATE_OF

AGENTS, ARMS, DIMENSION = 10, 5, 5
# By how much wrong estimates in early epochs can change an exponent; it was below 0.001 in T, M and K.
LEARNING_ALLOWANCE = 0.005
AS_GOOD = 1.05  # how much larger a mean regret still counts as the same


class Family(regrets.Family):
    """A federation of linear rewards that can be set to any horizon, with its regret bound of col:linear."""

    def bound(self, variant: str, accuracy: float = 0.0) -> EpochSum:
        arms, world = self.instance.arms, LinearWorld.of(self.instance)
        return col_linear.epoch_sum(
            variant, len(arms), max(arms), world.dimension, accuracy, world.heterogeneous
        )


def families(
    rng: np.random.Generator, finite: bool = True, sizes: tuple[int, int, int] = (AGENTS, ARMS, DIMENSION)
) -> list[Family]:
    """Return the linear environments with finitely many contexts or, unless `finite`, those with infinitely many.
    Each can be set to any horizon. sizes: numbers of agents, arms and dimensions."""
    found, (agents, arms, dimension) = [], sizes
    for name, module in modules("linear.environments", ("make", "EXAMPLES")).items():
        instance = sized(module, rng, arms=arms, agents=agents, dimension=dimension)
        if instance.world.finite is finite:
            found.append(Family(name, instance))
    return found


def telling_horizon(family: Family, variant: str, factor: float = 3.0) -> int:
    """Return the first power of two, from 4 on, at which the largest possible regret is at least `factor` times the
    regret bound. There the comparison of a measured regret with the bound can fail."""
    bound, horizon = family.bound(variant), 4
    while factor * bound.value(horizon) > largest_regret(family.at(horizon, variant)):
        horizon *= 2
    return horizon


def known_world(learning_rate: Any = "sharpened", horizon: int = 32) -> Federation:
    """Return a federation of one agent with two arms whose features are the unit vectors. Its exact regret can be
    computed."""
    axes = FiniteContexts(np.eye(2)[None], np.ones(1))
    return linear_federation((axes,), np.array([0.5, 0.25]), doubling_plan(horizon, 1), learning_rate)


@cache
def known_regret(learning_rate: Any = "sharpened", horizon: int = 32) -> float:
    law = exact_law(known_world(learning_rate, horizon), rational=False, last_risk=False)
    return float(law.total_regret)


def regret_against_false_bound(
    task: Task, variant: str = "sharpened", protocol: FLProtocol | None = None
) -> Evidence:
    """Run the negative control of the regret checks of col:linear, which must fail: compare the measured regret of
    one agent with two arms with a bound a tenth below its exact regret at T = 32."""
    instance, truth = known_world(RATE_OF[variant]), known_regret(RATE_OF[variant])
    where = f"two axes, T = 32, a bound {1 - BELOW_TRUTH:.0%} below the exact regret"
    learned = changed(instance, protocol=protocol or instance.protocol)
    drawn = regrets.draw(task, learned)
    found = regrets.below_truth(task, where, instance, truth, 4000, 100, drawn)
    return regrets.judged(task, [found])


def regret_against_bound(task: Task, variant: str) -> Evidence:
    """Compare the measured regret with the bound of col:linear in every linear environment with finitely many
    contexts, at horizons where the bound is informative. Negative control, which must fail: a bound a tenth below
    an exact regret."""
    chosen, (points, least) = families(task.rng()), (4, 100) if task.full else (2, 80)
    parts = len(chosen) * points
    comparisons, series = [], []
    for family in chosen:
        first, bound = telling_horizon(family, variant), family.bound(variant)
        for horizon in (first * 4**i for i in range(points)):
            instance, where = family.at(horizon, variant), f"{family.name}, T = {horizon}"
            comparisons.append(regrets.to_the_end(task, where, instance, bound, parts, 4000, least))
            series.append(comparisons[-1].json() | {"world": family.name, "T": horizon})
    return regrets.judged(task, comparisons, series=series, M=AGENTS, K=ARMS, d=DIMENSION)


def by_protocol(rng: np.random.Generator, protocol: FLProtocol) -> list[Family]:
    """Return fourteen federations that learn by `protocol`: every environment with finitely many contexts, at two
    sizes."""
    sizes = ((4, 3, 3), (2, 2, 2))
    return [
        Family(f"{one.name}, M = {size[0]}, d = {size[2]}", replace(one.instance, protocol=protocol))
        for size in sizes
        for one in families(rng, sizes=size)
    ]


def descended_regret(task: Task) -> Evidence:
    """Run FedIGW with accelerated gradient descent to the tolerance 0.1 in fourteen simulated environments. The run
    must send the declared numbers, and the measured regret be below the sharpened bound, which has a factor 1.1 for
    this tolerance. Negative control, which must fail: a bound a tenth below an exact regret."""
    worlds = by_protocol(task.rng(), AcceleratedGradient())
    found, rows = regrets.in_worlds(task, worlds, len(worlds))
    return regrets.judged(task, found, runs="worlds", worlds=rows)


def as_the_direct_method(task: Task, effort: float = 1.0) -> Evidence:
    """Check that the mean regret with accelerated gradient descent for convex functions is at most 1.05 times that with
    the direct method. Both have the same learning rates, and are simulated with the same seeds. Negative control, which
    must fail: 0.3 times the prescribed ceil(sqrt n) rounds for a model of n samples."""
    # the interval of four standard errors is asymptotic and not part of the campaign's error level
    rows: list[dict[str, Any]] = []
    kinds = []
    horizons = (2**10, 2**16, 2**20) if task.full else (2**10,)
    for family, horizon in product(families(task.rng()), horizons):
        direct = family.at(horizon, "sharpened")
        rates = tuple(float(rate) for rate in direct.learning_rates()[1:])
        convex = changed(direct, protocol=ConvexAcceleratedGradient(effort), learning_rate=rates)
        seed = task.seed.spawn(1)[0]
        one, other = (pooled(run, 100, seed).total_regret for run in (direct, convex))
        excess = other - AS_GOOD * one
        error, found = 4 * float(excess.std(ddof=1)) / math.sqrt(len(excess)), float(excess.mean())
        kinds.append(within(found - error, found + error, 0.0))
        means = {"direct": float(one.mean()), "agd_convex": float(other.mean())}
        ratio = float(other.mean() / one.mean())
        rows.append({"world": family.name, "T": horizon, **means, "ratio": ratio, **kinds[-1].fields})
        if kinds[-1] is Verdict.REFUTED:
            break
    worst = max(rows, key=lambda row: row["ratio"])
    return Evidence(
        max(kinds, key=list(Verdict).index),
        f"mean regret at most {worst['ratio']:.3f} times the direct method's at the same learning rates, in {len(rows)}"
        f" times 100 pairs of runs ({worst['world']}, T = {worst['T']}); held against {AS_GOOD}",
        {"rows": rows, "interval": "asymptotic"},
    )


def large_horizon(task: Task) -> Evidence:
    """Check that the measured regret of one agent, with ten arms in ten dimensions, is below the sharpened bound after
    2^20 steps (2^30 in the full profile). Negative control, which must fail: a bound a tenth below an exact regret."""
    # with one agent the bound is the largest fraction of M T, so that the fewest runs decide; the factors between
    # bound and regret in other worlds at T = 2^30 are reported without a test
    horizon = 2**30 if task.full else 2**20
    family = Family("finite_contexts", finite_contexts.make(task.rng(), 10, 8, 10, 1))
    run = family.at(horizon, "sharpened")
    found = regrets.to_the_end(task, f"M = 1, T = {horizon}", run, family.bound("sharpened"), 1, 30_000)
    rows = []
    for other in families(task.rng()):
        mean = float(regrets.draw(task, other.at(2**30, "sharpened"))(20 if task.full else 4).mean())
        rows.append({"world": other.name, "T": 2**30, "factor": other.bound("sharpened").value(2**30) / mean})
    said = f"{found.where}: regret {found.mean:.4g}, bound {found.bound:.4g} ({found.bound / horizon:.2g} of M T)"
    factors = ", ".join(f"{row['factor']:.1f}" for row in rows)
    figures = {"comparison": found.json(), "others": rows}
    return Evidence(
        found.verdict, f"{said}; factors {factors} in other worlds at 2^30", figures, level=task.level
    )


def resolved_regret(instance: Federation) -> float:
    """Return the regret, in closed form, of a federation that knows the true parameter from epoch 2 on."""
    total, world = 0.0, LinearWorld.of(instance)
    for epoch, (played, rate) in enumerate(zip(instance.plan.played, instance.learning_rates(), strict=True)):
        estimate = world.parameter if epoch else np.zeros(world.dimension)
        act = Acting(instance.model, estimate, instance.policy, rate)
        for contexts, members in world.groups():
            steps = sum(played[m] for m in members)
            total += steps * float(contexts.regret_rate(act(contexts.features), world.parameter))
    return total


def growing(task: Task, variable: str) -> tuple[list[int], list[Federation]]:
    """Return increasing values of one variable (T: steps, M: agents, d: dimension, K: arms), and a federation for
    each of them."""
    if variable == "T":
        family = make(task.rng(), DIMENSION, 8, ARMS, AGENTS)
        grid = [2**k for k in range(22, 41, 3)]
        return grid, [family.with_plan(doubling_plan(t, AGENTS)) for t in grid]
    grid = {"M": [4, 16, 64, 256], "K": [8, 16, 32, 64, 128], "d": [3, 6, 12, 24, 48]}[variable]
    usual = {"d": DIMENSION, "K": ARMS, "M": AGENTS}
    sizes, contexts = [usual | {variable: value} for value in grid], 4 if variable == "K" else 8
    return grid, [make(task.rng(), size["d"], contexts, size["K"], size["M"], 2**22) for size in sizes]


def growth(task: Task, variable: str, stated: float = 0.5) -> Evidence:
    """Check that the mean regret grows at most as the square root of `variable`: the number of steps (T), agents (M),
    coordinates (d) or arms (K). The exponent is the slope of the regret against `variable` on logarithmic axes.
    Negative control, which must fail: a smaller exponent."""
    # 1/2 is an upper bound: where arms that are not yet resolved flatten the curve, the slope is smaller
    grid, instances = growing(task, variable)
    replications = 300 if task.full else 24
    fitted, mean = regrets.slope(
        task, np.log(grid), instances, replications, resolved_regret, stated, LEARNING_ALLOWANCE, 0.0
    )
    bounds = [applicable_bounds(instance)["sharpened"] for instance in instances]
    figures = {"variable": variable, variable: grid, "T": grid, "mean": mean, "bound": bounds}
    return Evidence(fitted.verdict, f"regret grows as {variable}^{fitted.text}", fitted.figures | figures)
