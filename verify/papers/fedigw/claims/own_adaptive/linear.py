"""Linear runs with learning rates from the data: the bound that each observed, next to the fixed rates."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np

from fedigw.applicable import applicable_bounds, known_without_learning
from fedigw.discovery import modules, sized
from fedigw.federation import Federation
from fedigw.rates import AdaptiveRates
from fedigw.replications import simulate
from verify.claim import Evidence, Task
from verify.papers.fedigw.claims.own_adaptive.runs import DELTA, exceeded, judged

HORIZONS = (512, 2**17)
PERSONAL = 256  # message by message


def instances(rng: np.random.Generator) -> dict[str, Federation]:
    """Return every environment, M = 1 and 10, short and long; contexts that are drawn one by one only short. The short
    ones also with estimates from all data, and so partly shared parameters, M = 4."""
    found = {}
    for (name, module), agents, horizon in product(
        modules("linear.environments", ("make", "EXAMPLES")).items(), (1, 10), HORIZONS
    ):
        made = sized(module, rng, arms=5, dimension=5, agents=agents, horizon=horizon)
        if made.world.finite or horizon == min(HORIZONS):
            found[f"{name}, M = {agents}, T = {horizon}"] = made
        if horizon == min(HORIZONS):
            found[f"{name}, all data, M = {agents}, T = {horizon}"] = on_all_data(made)
    for name, module in modules("linear.personalised.environments", ("make", "EXAMPLES")).items():
        made = module.make(rng, agents=4, horizon=PERSONAL)
        found[f"{name}, partly shared, all data, M = 4, T = {PERSONAL}"] = on_all_data(made)
    return found


def on_all_data(federation: Federation) -> Federation:
    return replace(federation, plan=replace(federation.plan, cumulative=True))


def failures(
    task: Task, shrink: float = 1.0, shrunk: int | None = None, delta: float | None = None
) -> Evidence:
    """How many runs on each instance lose more than shrink times the bound that they observed; both next to the fixed
    rate. shrunk: how many of the instances have the smaller bound; all by default. delta: by the profile if
    not given."""
    chosen = sorted(
        instances(task.rng()).items(), key=lambda item: not item[0].startswith("rare_direction, M = 10")
    )
    each, allowed = 200 if task.full else 45, delta or DELTA[task.profile]

    def measured() -> Iterator[dict[str, Any]]:
        for place, (name, instance) in enumerate(chosen):
            share = shrink if shrunk is None or place < shrunk else 1.0
            record = simulate(replace(instance, rates=AdaptiveRates(allowed)), each, task.seed.spawn(1)[0])
            one_epoch = replace(instance, plan=replace(instance.plan, cumulative=False))
            fixed = simulate(one_epoch, 6, task.seed.spawn(1)[0])
            assert record.observed is not None
            yield {
                "instance": name,
                "exceeded": exceeded(record, share),
                "regret": float(record.total_regret.mean()),
                "bound": float(record.observed.bound.mean()),
                "fixed_regret": float(fixed.total_regret.mean()),
                "fixed_bound": applicable_bounds(one_epoch)["sharpened"],
                "trivial": known_without_learning(instance),
            }

    size = len(chosen)
    found = judged(measured(), size, each, allowed, task.level, f"of {size} linear instances")
    rows: Any = found.figures["rows"]
    regret = sorted(row["fixed_regret"] / row["regret"] for row in rows)
    bound = sorted(row["fixed_bound"] / row["bound"] for row in rows)
    beside = f"; against the fixed rate regret {regret[0]:.2g} to {regret[-1]:.2g} times smaller, bound"
    return replace(found, summary=f"{found.summary}{beside} {bound[0]:.2g} to {bound[-1]:.2g} times")
