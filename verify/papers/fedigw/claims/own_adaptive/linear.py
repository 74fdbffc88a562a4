"""Check for linear rewards, with learning rates chosen from the data, that the regret of each simulation is at most
the bound computed from its own data."""

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
from linear.environments import sphere
from verify.claim import Evidence, Task
from verify.papers.fedigw.claims.own_adaptive.runs import DELTA, exceeded, judged

HORIZONS = (512, 2**17)
FEW = 32  # steps of what takes long: contexts drawn twice, agents' messages one by one


def instances(rng: np.random.Generator, full: bool = False) -> dict[str, Federation]:
    """Return federations from every linear environment, by name.

    With finitely many contexts there are 1 and 10 agents, and 512 and 2^17 steps. With infinitely many there are 512
    steps. The federations with 512 steps are repeated with learning from all data so far; those of 10 agents with
    infinitely many contexts then have 32 steps. Environments with partly shared parameters have 2 agents and 32 steps,
    and learn from all data so far. full: whether to add 10 and 100 thousand steps, of 10 agents together, with
    infinitely many contexts.
    """
    found = {}
    for (name, module), agents, horizon in product(
        modules("linear.environments", ("make", "EXAMPLES")).items(), (1, 10), HORIZONS
    ):
        made = sized(module, rng, arms=5, dimension=5, agents=agents, horizon=horizon)
        if made.world.finite or horizon == min(HORIZONS):
            found[f"{name}, M = {agents}, T = {horizon}"] = made
        if horizon == min(HORIZONS):
            if not made.world.finite and agents > 1:
                horizon = FEW
                made = sized(module, rng, arms=5, dimension=5, agents=agents, horizon=horizon)
            found[f"{name}, all data, M = {agents}, T = {horizon}"] = on_all_data(made)
    for name, module in modules("linear.personalised.environments", ("make", "EXAMPLES")).items():
        made = module.make(rng, agents=2, horizon=FEW)
        found[f"{name}, partly shared, all data, M = 2, T = {FEW}"] = on_all_data(made)
    for horizon in (1000, 10_000) if full else ():
        made = sphere.make(rng, dimension=10, arms=10, agents=10, horizon=horizon)  # as in benchmarks/race.py
        found[f"sphere, all data, d = K = M = 10, T = {horizon}"] = on_all_data(made)
    return found


def on_all_data(federation: Federation) -> Federation:
    return replace(federation, plan=replace(federation.plan, cumulative=True))


def failures(
    task: Task,
    shrink: float = 1.0,
    shrunk: int | None = None,
    delta: float | None = None,
    fixed: bool = False,
) -> Evidence:
    """Check in every linear environment that at most a share delta of the simulations has a regret above the bound
    computed from their own data. delta is the allowed probability of failure. Negative control, which must fail: 0.9
    times the bound in two environments.

    shrink: a factor on the bound in the first `shrunk` environments, by default in all. delta: by default the profile's
    value. fixed: whether to record also the regret and the bound at the learning rates of the variant sharpened.
    """
    chosen = sorted(
        instances(task.rng(), task.full).items(),
        key=lambda item: not item[0].startswith("rare_direction, M = 10"),
    )
    each, allowed = 200 if task.full else 24, delta or DELTA[task.profile]

    def measured() -> Iterator[dict[str, Any]]:
        for place, (name, instance) in enumerate(chosen):
            share = shrink if shrunk is None or place < shrunk else 1.0
            record = simulate(replace(instance, rates=AdaptiveRates(allowed)), each, task.seed.spawn(1)[0])
            assert record.observed is not None
            row = {
                "instance": name,
                "exceeded": exceeded(record, share),
                "regret": float(record.total_regret.mean()),
                "bound": float(record.observed.bound.mean()),
                "trivial": known_without_learning(instance),
            }
            yield row | (at_fixed_rates(instance, task.seed.spawn(1)[0]) if fixed else {})

    size = len(chosen)
    return judged(measured(), size, each, allowed, task.level, f"of {size} linear instances")


def at_fixed_rates(instance: Federation, seed: np.random.SeedSequence) -> dict[str, float]:
    one_epoch = replace(instance, plan=replace(instance.plan, cumulative=False))
    regret = float(simulate(one_epoch, 6, seed).total_regret.mean())
    return {"fixed_regret": regret, "fixed_bound": applicable_bounds(one_epoch)["sharpened"]}
