"""Run every system of the paper's tables in the same simulated environments. Measure its regret, how the regret grows
with the horizon, and the numbers it sends."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np

from bounds.errors import InputError
from fedigw.applicable import declared_cost
from fedigw.competing import compete, refuse
from fedigw.parts import protocols
from fedigw.parts import systems as discovered
from fedigw.rates import AdaptiveRates
from fedigw.replications import by_messages, pooled
from linear.environments import finite_contexts
from linear.federations import KIND as LINEAR
from linear.personalised.environments import opposite_arms
from linear.personalised.federations import KIND as PERSONALISED
from verify.claim import Evidence, Task, Verdict
from verify.statistics.confidence import slope_interval

AGENTS, ARMS, DIMENSION = 10, 5, 5
WORLDS = {
    "fixed": "one context, the same five arms for all agents",
    "stochastic": "eight contexts, one law for all agents",
    "partly shared": "four contexts, three shared coordinates and two of each agent's own",
}
HORIZONS = (2**8, 2**10, 2**12)
SHORT = (2**4, 2**5)
# Where exponents are fitted: as soon as a system tells arms apart, and as far as it can be run. Before that it
# plays almost uniformly, and regret grows like T.
BLOCKS = (2**10, 2**12, 2**14)
LATER = {"disbe_lucb": (2**12, 2**14, 2**16), "fn_ucb": (2**9, 2**11, 2**13)}
EPOCHS = (2**16, 2**20, 2**24)
FEW, MANY = 10, 20  # replications
# one run in a hundred loses five times as much: with ten it would decide an exponent
RARE = {"disbe_lucb": 20}
POOLED = 2**16  # agent-steps from which FedIGW goes without messages, which its ledger is not asked for there
# left to the full profile, where T is 2^12 or more
SLOW = ("async_linucb", "fedlinucb", "fedglb_ucb", "nystrom_kernel_ucb", "fn_ucb")
FEDIGW = "fedigw, "  # and the name of its protocol
ADAPTIVE, ALL_DATA = (
    ", adaptive rates",
    ", all data",
)  # learning rates from the data; learning from all epochs
REFERENCE = {  # the rows of tab:linear
    "delb": "Wang et al. 2019",
    "fedlinucb": "He et al. 2022",
    "fed_pe": "Huang et al. 2021",
    "disbe_lucb": "Amani et al. 2022",
    "fedigw, direct": "FedIGW, direct",
    "fedigw, agd": "FedIGW, AGD",
}


def world(name: str, horizon: int, agents: int = AGENTS) -> Any:
    rng = np.random.default_rng(1)
    if name == "partly shared":
        return opposite_arms.make(rng, 3, 2, 4, ARMS, agents, horizon)
    return finite_contexts.make(rng, DIMENSION, 1 if name == "fixed" else 8, ARMS, agents, horizon)


@cache
def systems() -> Mapping[str, Any]:
    return discovered()


def alone(name: str) -> bool:
    return not name.startswith(FEDIGW) and bool(systems()[name].alone)


@cache
def fitting(name: str) -> list[str]:
    """Return the systems that can play in the simulated environment `name`: FedIGW and the rivals that accept it."""
    federation = world(name, 2)
    found = [FEDIGW + federation.model.usual_protocol, FEDIGW + "agd"]
    for system, part in systems().items():
        try:
            refuse(part(), federation.world)
        except InputError:
            continue
        if name == "partly shared" or "one parameter" in part.needs:
            found.append(system)
    return found


def at_its_best(name: str) -> list[str]:
    """Return the names of the variants of FedIGW, in the environment `name`, that compute learning rates from the run's
    data. One variant learns from all data so far, and if the protocol is `direct`, another from each epoch's data only.
    """
    first = fitting(name)[0] + ADAPTIVE
    return [*([first] if "direct" in first else []), first + ALL_DATA]


def run(system: str, federation: Any, replications: int, seed: np.random.SeedSequence) -> tuple[Any, float]:
    """Play a rival, or FedIGW with a protocol, on a federation. Return the record of the runs and the most numbers
    that its formula allows it to send; this is 0 for long runs of FedIGW, which are computed without messages."""

    if not system.startswith(FEDIGW):
        part = systems()[system]()
        found = compete(part, federation, replications, seed)
        return found.record, float(part.numbers_at_most(found.sizes))
    kind = LINEAR if federation.kind == "linear" else PERSONALISED
    name = system.removeprefix(FEDIGW)
    if name == "direct" and federation.kind == "linear" and sum(map(sum, federation.plan.played)) > POOLED:
        return pooled(federation, replications, seed), 0.0
    if ADAPTIVE in name:
        steps = sum(map(sum, federation.plan.played))
        federation = replace(federation, rates=AdaptiveRates(1 / steps))  # the level of the rivals
    if name.endswith(ALL_DATA):
        federation = federation.with_plan(replace(federation.plan, cumulative=True))
    if name == "agd":
        agd = protocols(kind.protocols)["agd"]
        stops = {"early_stopping": True} if "early_stopping" in agd.__dataclass_fields__ else {}
        federation = replace(federation, protocol=agd(**stops))
    declared = declared_cost(federation) or ()
    return by_messages(federation, replications, seed), float(sum(call.numbers for call in declared))


def measure(
    place: str,
    names: Iterable[str],
    horizons: Sequence[int],
    replications: int,
    seed: np.random.SeedSequence,
) -> list[dict[str, Any]]:
    return [
        row_of(place, name, world(place, horizon), horizon, replications, seed)
        for name in names
        for horizon in horizons
    ]


def row_of(
    place: str, name: str, federation: Any, horizon: int, replications: int, seed: np.random.SeedSequence
) -> dict[str, Any]:
    """Play a system on one federation. Return its regret, the numbers it sent and the most that its formula allows, as
    a dictionary. place: the name of the federation's simulated environment."""
    # a stream that depends on what is measured and not on what else is
    stream = np.random.SeedSequence([*words(seed), *name.encode(), horizon])
    record, allowed = run(name, federation, replications, stream)
    sent = record.total_traffic("numbers_up") + record.total_traffic("numbers_down")
    total = record.total_regret
    return {
        "world": place,
        "system": name,
        "T": horizon,
        "regret": [float(value) for value in total],
        "mean": float(total.mean()),
        "error": float(total.std(ddof=1) / math.sqrt(len(total))),
        "numbers": float(sent.mean()),
        "most_numbers": int(sent.max()),
        "formula": allowed,
    }


def words(seed: np.random.SeedSequence) -> list[int]:
    return [int(word) for word in [*np.atleast_1d(np.asarray(seed.entropy)), *seed.spawn_key]]


def fitted(place: str, name: str, rows: Sequence[Mapping[str, Any]], level: float) -> dict[str, Any]:
    span, samples = [row["T"] for row in rows], np.array([row["regret"] for row in rows])
    slope, low, high = slope_interval(np.log(span), samples, level)
    return {"world": place, "system": name, "T": span, "slope": slope, "low": low, "high": high}


def said(fit: Mapping[str, Any], permitted: str) -> str:
    where = f"{fit['system']} on {fit['world']}: {fit['slope']:.2f}"
    return f"{where} in [{fit['low']:.2f}, {fit['high']:.2f}], permitted {permitted}"


def fit_horizons(system: str, full: bool = True) -> tuple[int, ...]:
    if system.startswith(FEDIGW):
        return EPOCHS
    usual = BLOCKS if alone(system) else HORIZONS if full else tuple(T // 4 for T in HORIZONS)
    return LATER.get(system, usual)


def log_factor(horizons: Sequence[int]) -> float:
    """Return by how much a factor ln(MT) in the regret (M agents) raises the exponent of T fitted over `horizons`."""
    first, last = math.log(AGENTS * horizons[0]), math.log(AGENTS * horizons[-1])
    return (math.log(last) - math.log(first)) / (last - first)


def numbers(task: Task, share: float = 1.0, names: Sequence[str] = ()) -> Evidence:
    """Check that every run sends at most `share` times the number that the system's formula allows: 1, and 0.9 in the
    control, which must fail. FedIGW plays with fixed and with adaptive learning rates. names: the systems, by default
    all."""
    rows = []
    for place in WORLDS:
        chosen = [name for name in fitting(place) + at_its_best(place) if not names or name in names]
        horizons = HORIZONS if task.full else SHORT
        rows += measure(place, chosen, horizons, 4 if task.full else 2, task.seed)
    figures = {"rows": rows, "M": AGENTS, "K": ARMS, "d": DIMENSION}
    worst = max(rows, key=lambda row: row["most_numbers"] / row["formula"])
    where = f"{worst['system']}, {worst['world']}, T = {worst['T']}"
    if worst["most_numbers"] > share * worst["formula"]:
        text = f"{where}: {worst['most_numbers']} numbers sent, allowed {share * worst['formula']:.0f}"
        return Evidence(Verdict.REFUTED, text, figures)
    count = len({row["system"] for row in rows})
    said = f"{count} systems, {len(rows)} settings: numbers sent in every run at most the formula, at most"
    said += f" {worst['most_numbers'] / worst['formula']:.2f} of it ({where})"
    return Evidence(Verdict.FLOAT, said, figures)


def growth(task: Task, stated: float = 0.5, names: Sequence[str] = ()) -> Evidence:
    """Check that regret grows at most like T^stated, up to one logarithm, for systems whose papers prove sqrt T up
    to logarithms. stated: 1/2, and 0.1 in the control, which must fail. names: the systems, all if empty."""
    chosen = [
        (place, name)
        for place in (("fixed", "stochastic") if task.full else ("fixed",))
        for name in fitting(place)
        if name != "fedigw, agd"  # the same estimates as direct, and messages in every round
        and (name in names if names else task.full or name not in SLOW)
    ]
    rows, exponents = [], []
    for place, name in chosen:
        horizons = fit_horizons(name, task.full)
        mine = measure(place, [name], horizons, MANY if task.full else RARE.get(name, FEW), task.seed)
        rows += mine
        limit = stated + log_factor(horizons)
        exponents.append(fitted(place, name, mine, task.level / len(chosen)) | {"limit": limit})
    beyond = [fit for fit in exponents if fit["low"] > fit["limit"]]
    worst = max(beyond or exponents, key=lambda fit: float(fit["high"] - fit["limit"]))
    text = said(worst, f"{worst['limit']:.2f}")
    figures = {"rows": rows, "exponents": exponents, "M": AGENTS, "K": ARMS, "d": DIMENSION}
    if beyond:
        return Evidence(Verdict.REFUTED, f"growth exponent of {text}", figures)
    return Evidence(
        Verdict.MEASURED if worst["high"] <= worst["limit"] else Verdict.UNDECIDED,
        f"{len(exponents)} growth exponents of regret in T (asymptotic intervals) at most 1/2 and one logarithm;"
        f" nearest to it {text}",
        figures,
    )
