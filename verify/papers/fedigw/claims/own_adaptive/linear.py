"""Linear runs with learning rates from the data: the bound that each observed, beside the fixed rates."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np

from fedigw.applicable import applicable_bounds, known_without_learning
from fedigw.discovery import modules, sized
from fedigw.federation import Federation
from fedigw.rates import AdaptiveRates
from fedigw.replications import pooled
from verify.claim import Evidence, Task
from verify.papers.fedigw.claims.own_adaptive.runs import DELTA, exceeded
from verify.statistics.confidence import share_within

HORIZONS = (512, 2**17)


def instances(rng: np.random.Generator) -> dict[str, Federation]:
    """Every environment, M = 1 and 10, short and long; contexts that are drawn one by one only short."""
    found = {}
    for (name, module), agents, horizon in product(
        modules("linear.environments", ("make", "EXAMPLES")).items(), (1, 10), HORIZONS
    ):
        made = sized(module, rng, arms=5, dimension=5, agents=agents, horizon=horizon)
        if made.world.finite or horizon == min(HORIZONS):
            found[f"{name}, M = {agents}, T = {horizon}"] = made
    return found


def failures(task: Task, shrink: float = 1.0) -> Evidence:
    """How many runs lose more than shrink times the bound that they observed; both beside the fixed rate."""
    chosen = instances(task.rng())
    each = 100 if task.full else 6
    rows: list[dict[str, Any]] = []
    for name, instance in chosen.items():
        record = pooled(replace(instance, rates=AdaptiveRates(DELTA)), each, task.seed.spawn(1)[0])
        fixed = pooled(instance, each, task.seed.spawn(1)[0])
        assert record.observed is not None
        rows.append(
            {
                "instance": name,
                "exceeded": exceeded(record, shrink),
                "regret": float(record.total_regret.mean()),
                "bound": float(record.observed.bound.mean()),
                "fixed_regret": float(fixed.total_regret.mean()),
                "fixed_bound": applicable_bounds(instance)["sharpened"],
                "trivial": known_without_learning(instance),
            }
        )
    count, total = sum(row["exceeded"] for row in rows), each * len(rows)
    kind, _, high = share_within(count, total, DELTA, task.level)
    regret = sorted(row["fixed_regret"] / row["regret"] for row in rows)
    bound = sorted(row["fixed_bound"] / row["bound"] for row in rows)
    return Evidence(
        kind,
        f"{count} of {total} runs on {len(rows)} linear instances lose more than the bound that they observed: a share"
        f" of at most {high:.4f}, delta = {DELTA:g}; against the fixed rate regret {regret[0]:.2g} to {regret[-1]:.2g}"
        f" times smaller, bound {bound[0]:.2g} to {bound[-1]:.2g} times",
        {"rows": rows, "exceeded": count, "runs": total, "high": high},
        level=task.level,
    )
