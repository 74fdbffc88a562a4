"""What to expect: simulation on a stated family of worlds that the question fits.

M agents in step with one law of contexts pool their samples, so that an epoch enters only through M E^l: one agent
with M times as long epochs has the same law of regret, and costs the same whatever M and T are.
"""

from __future__ import annotations

import math
from typing import Any

from bounds.schedules import doubling_plan, synchronous_plan
from verify.verbs.plan.question import Question

LEVEL = 0.01
CONTEXTS = 5
MOST_CELLS = 60_000  # numbers of one world
ALL_CELLS = 400_000  # of all worlds together: a second or two
FEWEST, MOST_WORLDS = 8, 40


def expected(question: Question, seed: int = 0) -> dict[str, Any]:
    """Mean regret over worlds of the family, and an interval for the mean of as many others; or why there is none."""
    import numpy as np
    from scipy.special import stdtrit

    from fedigw.replications import simulate

    cells = _cells(question)
    if cells > MOST_CELLS:
        return {
            "family": _family(question),
            "mean": None,
            "why": f"a world holds {cells:.3g} numbers: too large here",
        }
    if question.agents * question.horizon > 2**60:
        return {"family": _family(question), "mean": None, "why": "more than 2^60 steps: too many to count"}
    worlds = max(FEWEST, min(MOST_WORLDS, ALL_CELLS // cells))
    rng = np.random.default_rng([seed, 2026])
    totals = np.array([simulate(_world(question, rng), 1, seed + i).total_regret[0] for i in range(worlds)])
    mean, error = float(totals.mean()), float(totals.std(ddof=1) / math.sqrt(worlds))
    # of another mean of as many worlds: both means vary
    reach = float(stdtrit(worlds - 1, 1 - LEVEL / 2)) * math.sqrt(2) * error
    return {
        "family": _family(question),
        "worlds": worlds,
        "mean": mean,
        "standard_error": error,
        "interval": [max(0.0, mean - reach), mean + reach],
        "level": LEVEL,
        "per_step": mean / (question.agents * question.horizon),
    }


MULTIPLE = 8  # of g, the square root of K/e in the learning rate: docs/rates.md says why
RATE_WORLDS = 8


def three_rates(question: Question, seed: int = 0) -> list[dict[str, Any]]:
    """The same worlds of the family with three learning rates: the smallest guarantee, a small regret with its price in
    the guarantee, and rates from the data, whose bound each run observes (probability 0.9)."""
    import dataclasses

    import numpy as np

    from fedigw.applicable import applicable
    from fedigw.rates import AdaptiveRates, ListedRates
    from fedigw.replications import simulate

    if _cells(question) > MOST_CELLS // 2 or question.agents * question.horizon > 2**60:
        return []
    rng = np.random.default_rng([seed, 3])
    found: dict[str, dict[str, list[float]]] = {}
    for i in range(RATE_WORLDS):
        world = _world(question, rng)
        own = [float(rate) for rate in world.learning_rates()]
        g = MULTIPLE / _multiplier(question, own)
        rules = {
            "smallest guarantee": world.rates,
            f"g = {MULTIPLE}": ListedRates(tuple(g * rate for rate in own[1:])),
            "adaptive": AdaptiveRates(0.1),
        }
        for name, rule in rules.items():
            one = dataclasses.replace(world, rates=rule)
            record = simulate(one, 1, seed + i)
            row = found.setdefault(name, {"regret": [], "bound": []})
            row["regret"].append(float(record.total_regret[0]))
            observed = record.observed
            known = min(applicable(one).values.values()) if observed is None else float(observed.bound[0])
            row["bound"].append(known)
    return [
        {"rates": name, "regret": float(np.mean(r["regret"])), "bound": _mean_bound(r["bound"])}
        for name, r in found.items()
    ]


def _mean_bound(bounds: list[float]) -> float | None:
    """None where a run has none: its data excluded every function, which happens with probability at most 0.1. The mean
    of the others would stand beside a regret that it does not bound."""
    return sum(bounds) / len(bounds) if all(map(math.isfinite, bounds)) else None


def _multiplier(question: Question, rates_used: list[float]) -> float:
    """g of the rates in use, from the last epoch: gamma/sqrt(K/e)."""
    from bounds.theorems import col_finite, col_linear

    plan = _plan(question)
    n = plan.full[-2][0] if plan.epochs > 1 else plan.full[-1][0]
    if question.linear:
        risk = col_linear.excess_risk("best", int(question.dimension or 1), n)
    else:
        risk = min(1.0, float(col_finite.lem_finite_error.mean("best", int(question.class_size or 1), n)))
    return float(rates_used[-1] / math.sqrt(question.arms / risk))


def rates(question: Question) -> list[float]:
    """gamma^l of every epoch, that the smallest bound is for; epoch 1 is uniform (0)."""
    import numpy as np

    if _cells(question) > 10 * MOST_CELLS:
        return []
    return [float(rate) for rate in _world(question, np.random.default_rng(0)).learning_rates()]


def lower_bound(question: Question) -> float | None:
    """What every run with these rates loses at least on a world with gap 1."""
    from bounds.own_lower_bound import regret

    found = rates(question)
    if question.arms < 2 or len(found) < 2:
        return None
    lengths = [(row[0],) for row in _plan(question).played]
    return float(regret(lengths, (question.arms,), found))


def _plan(question: Question) -> Any:
    alone = doubling_plan(question.horizon)
    steps = [question.agents * row[0] for row in alone.full]
    return synchronous_plan(iter(steps), question.agents * question.horizon, 1)


def _cells(question: Question) -> int:
    if question.linear:
        dimension = int(question.dimension or 1)
        return CONTEXTS * question.arms * dimension + dimension**2
    return CONTEXTS * question.arms * int(question.class_size or 1)


def _family(question: Question) -> str:
    if question.linear:
        return f"linear rewards, {CONTEXTS} contexts alike for all agents, random features (finite_contexts)"
    return f"random tables, {CONTEXTS} contexts alike for all agents (random_table)"


def _world(question: Question, rng: Any) -> Any:
    import dataclasses

    from fedigw.rates import TheoremRates

    if question.linear:
        from linear.environments.finite_contexts import make as linear

        made = linear(
            rng, dimension=int(question.dimension or 1), contexts=CONTEXTS, arms=question.arms, agents=1
        )
    else:
        from finite_class.environments.random_table import make as finite

        functions = int(question.class_size or 1)
        made = finite(rng, functions=functions, contexts=CONTEXTS, arms=question.arms, agents=1)
    return dataclasses.replace(made, plan=_plan(question), rates=TheoremRates("best"))
