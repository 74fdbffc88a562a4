"""Estimate the expected regret of a planned federation by simulation, in random environments of a stated family."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from bounds.errors import InputError
from verify.instances import parse
from verify.verbs.plan import files
from verify.verbs.plan.question import Question

if TYPE_CHECKING:
    from fedigw.federation import Federation

LEVEL = 0.01
ALL_CELLS = 400_000  # of all worlds together: a second or two
FEWEST, MOST_WORLDS = 8, 40


def expected(question: Question, seed: int = 0) -> dict[str, Any]:
    """Return the mean regret in random simulated environments of the requested size, with an interval for the mean in
    as many other environments. If they are too large to simulate, return the reason."""
    import numpy as np
    from scipy.special import stdtrit

    from fedigw.replications import simulate

    cells, none = files.cells(question), {"family": _family(question), "mean": None}
    if cells > files.MOST_CELLS:
        return none | {"why": f"a world holds {cells:.3g} numbers: too large here"}
    if question.agents * question.horizon > files.MOST_STEPS:
        return none | {"why": "more than 2^60 steps: too many to count"}
    worlds = max(FEWEST, min(MOST_WORLDS, ALL_CELLS // cells))
    rng = np.random.default_rng([seed, 2026])
    totals = np.array([simulate(_world(question, rng), 1, seed + i).total_regret[0] for i in range(worlds)])
    mean, error = float(totals.mean()), float(totals.std(ddof=1) / math.sqrt(worlds))
    # sqrt(2): the mean of the other worlds varies as well
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
RATE_WORLDS, FEW_WORLDS = 8, 3  # few: agents simulated one by one
ADAPTS = ("direct", "exact_minimiser")  # protocols whose rates can come from the data
RIVAL_WORLDS, RIVAL_STEPS, RIVAL_NUMBERS = 4, 10_000, 20_000


def three_rates(question: Question, row: Mapping[str, Any], seed: int = 0) -> list[dict[str, Any]]:
    """Return the expected regret and the regret bound of a protocol with three choices of the policy's learning rate, a
    row for each.

    The first choice has the smallest guarantee, the second a smaller regret and a weaker guarantee. The third adapts to
    the data, if the protocol allows it; each simulation then computes a bound that holds with probability 0.9.
    """
    import dataclasses

    import numpy as np

    from fedigw.adapting import adapts
    from fedigw.applicable import applicable
    from fedigw.rates import ListedRates
    from fedigw.replications import simulate

    if files.cells(question) > files.MOST_CELLS // 2:
        return []
    found: dict[str, dict[str, list[float]]] = {}
    for i in range(_worlds(question, row)):
        try:
            world = files.federation(question, row, seed + i)
            own = [float(rate) for rate in world.learning_rates()]
        except InputError:
            return []
        g = MULTIPLE / _multiplier(question, world, own)
        played = {"smallest guarantee": world}
        if world.plan.epochs > 1:
            rates = ListedRates(tuple(g * rate for rate in own[1:]))
            played[f"g = {MULTIPLE}"] = dataclasses.replace(world, rates=rates)
        if row["protocol"] in ADAPTS:
            played["adaptive"] = _adaptive(question, world, 0.1)
        for name, one in played.items():
            record = simulate(one, 1, seed + i)
            entry = found.setdefault(name, {"regret": [], "bound": []})
            entry["regret"].append(float(record.total_regret[0]))
            observed = record.observed if adapts(one) else None
            values = applicable(one).values.values() if observed is None else (float(observed.bound[0]),)
            entry["bound"].append(min(values, default=math.inf))
    return [
        {"rates": name, "regret": float(np.mean(r["regret"])), "bound": _mean_bound(r["bound"])}
        | {"data": data_of(question, name)}
        for name, r in found.items()
    ]


def data_of(question: Question, rates: str) -> str:
    """Return which data the protocol learns from: "cumulative", all epochs so far, if rates are adaptive and rewards
    linear; else "epoch", the last epoch only."""
    return "cumulative" if rates == "adaptive" and question.linear else "epoch"


def _adaptive(question: Question, world: Federation, delta: float) -> Federation:
    import dataclasses

    from fedigw.rates import AdaptiveRates

    plan = dataclasses.replace(world.plan, cumulative=data_of(question, "adaptive") == "cumulative")
    return dataclasses.replace(world, rates=AdaptiveRates(delta), plan=plan)


def of_rows(question: Question, rows: Iterable[dict[str, Any]], seed: int = 0) -> None:
    """Simulate each protocol that meets the request in the same few random environments. Add its learning rates and
    mean regret to its row of the plan. The regret is None if the simulation would be too large."""
    from fedigw.replications import simulate

    for row in rows:
        row["expected"], row["rates"] = None, []
        if not row["allowed"]:
            continue
        try:
            worlds = [files.federation(question, row, seed + i) for i in range(_worlds(question, row))]
            row["rates"] = [float(rate) for rate in worlds[0].learning_rates()]
            if row["rounds"] > row["calls"]:  # round by round takes long
                worlds = [_exact(world) for world in worlds]
            lost = [float(simulate(world, 1, seed + i).total_regret[0]) for i, world in enumerate(worlds)]
            row["expected"] = sum(lost) / len(lost)
        except InputError:
            continue


def _worlds(question: Question, row: Mapping[str, Any]) -> int:
    return RATE_WORLDS if files.pools(question, row) else FEW_WORLDS


def _exact(world: Federation) -> Federation:
    import dataclasses

    from fedigw.parts import protocols
    from fedigw.rates import ListedRates
    from verify.instances import kind_of

    usual = protocols(kind_of(world.kind).protocols)[world.model.usual_protocol]
    own = tuple(world.learning_rates())
    return dataclasses.replace(world, protocol=usual(), rates=ListedRates(own[1:]))


def rival(question: Question, row: Mapping[str, Any], seed: int = 0) -> dict[str, Any] | None:
    """Return the mean regret and numbers sent of a rival algorithm (DisLinUCB, or Async-LinUCB for asynchronous
    agents), and the mean regret of FedIGW with the protocol of `row`, at guaranteed and at adaptive learning rates, in
    the same environments. Return None if these are unfit for the rival or too large."""
    import dataclasses

    from fedigw.competing import compete
    from fedigw.parts import systems
    from fedigw.replications import simulate

    horizon = min(question.horizon, RIVAL_STEPS // question.agents)
    width = question.agents * int(question.dimension or 1) ** 2
    large = width > RIVAL_NUMBERS or files.cells(question) > files.MOST_CELLS
    name = "async_linucb" if question.asynchronous else "dislinucb"
    private = row["private"] or row["robust"]
    if not question.linear or private or horizon < 64 or large or name not in systems():
        return None
    short = dataclasses.replace(question, horizon=horizon)
    level = 1 / (question.agents * horizon)  # that of the rival's confidence sets
    lost: dict[str, list[float]] = {"regret": [], "guaranteed": [], "adaptive": [], "numbers": []}
    try:
        for i in range(RIVAL_WORLDS):
            whole = parse(files.file(short, row, seed + i))
            played = compete(systems()[name](), whole, 1, seed + i).record
            sent = played.total_traffic("numbers_up") + played.total_traffic("numbers_down")
            own = files.federation(short, row, seed + i)
            adaptive = _adaptive(short, own, level)
            ours = [simulate(one, 1, seed + i).total_regret for one in (own, adaptive)]
            for key, value in zip(lost, (played.total_regret, *ours, sent), strict=True):
                lost[key].append(float(value[0]))
    except InputError:
        return None
    means: dict[str, Any] = {key: sum(values) / RIVAL_WORLDS for key, values in lost.items()}
    rates = ("guaranteed", "adaptive")
    means["better_than"] = [key for key in rates if _clearly_less(lost["regret"], lost[key])]
    about = {"system": name, "paper": systems()[name].paper, "horizon": horizon, "worlds": RIVAL_WORLDS}
    return about | means


def _clearly_less(first: list[float], second: list[float]) -> bool:
    import numpy as np

    more = np.subtract(second, first)
    return bool(more.mean() > 2 * more.std(ddof=1) / math.sqrt(len(more)))


def _mean_bound(bounds: list[float]) -> float | None:
    return sum(bounds) / len(bounds) if all(map(math.isfinite, bounds)) else None


def _multiplier(question: Question, world: Federation, rates_used: list[float]) -> float:
    if world.plan.epochs < 2:
        return 1.0
    risk = world.risks(str(world.rates.describe()))[-2]
    return float(rates_used[-1] / math.sqrt(question.arms / min(1.0, risk)))


def lower_bound(question: Question) -> float | None:
    """Return a lower bound on the regret with the guaranteed learning rates. It holds for any estimator, in an
    environment whose best arm has mean reward 1 and whose other arms have 0."""
    import numpy as np

    from bounds.own_lower_bound import regret

    if question.arms < 2 or files.cells(question) > 10 * files.MOST_CELLS:
        return None
    found = [float(rate) for rate in _world(question, np.random.default_rng(0)).learning_rates()]
    if len(found) < 2:
        return None
    lengths = [(row[0],) for row in files.pooled_plan(question).played]
    return float(regret(lengths, (question.arms,), found))


def _family(question: Question) -> str:
    if question.linear:
        return f"linear rewards, {files.CONTEXTS} contexts alike for all agents, random features (finite_contexts)"
    return f"random tables, {files.CONTEXTS} contexts alike for all agents (random_table)"


def _world(question: Question, rng: Any) -> Any:
    import dataclasses

    from fedigw.discovery import modules
    from fedigw.rates import TheoremRates
    from verify.instances import kind_of

    kind, arguments = files.environment(question)
    make = modules(kind_of(kind).environments, ("make",))[arguments.pop("name")].make
    rates = TheoremRates("best")
    return dataclasses.replace(make(rng, **arguments), plan=files.pooled_plan(question), rates=rates)
