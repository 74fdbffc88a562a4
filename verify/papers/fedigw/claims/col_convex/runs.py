"""Runs of FedIGW with FedAvg and SCAFFOLD, each with the rounds that its theorem asks for, against their bounds."""

from dataclasses import replace
from typing import Any

import numpy as np

from bounds.linear_communication import total_numbers
from bounds.schedules import doubling_plan
from bounds.theorems.col_convex import THEOREM
from fedigw.applicable import applicable, largest_regret
from fedigw.protocols.fedavg import FedAvg
from fedigw.protocols.scaffold import Scaffold
from fedigw.replications import by_messages
from linear.environments import finite_contexts
from verify.claim import Evidence, Task, Verdict
from verify.pictures import (
    BOUND,
    BOUND_COLOUR,
    MEASURED,
    PROTOCOL_COLOUR,
    WITHOUT,
    Figures,
    logarithmic,
    stays_below,
)
from verify.statistics.measurement import compare
from verify.statistics.regrets import judged

AGENTS, ARMS, DIMENSION, TOLERANCE = 4, 3, 3, 0.5
# Runs at the last horizon, where 24 decide, and before it, where the picture has points and nothing is decided.
RUNS = {"quick": (24, 3), "full": (60, 10)}
METHODS = {"fedavg": FedAvg(tolerance=TOLERANCE), "scaffold": Scaffold(tolerance=TOLERANCE)}


def scheduled_regret(task: Task) -> Evidence:
    """Measure the regret of FedIGW with FedAvg and with SCAFFOLD, both with the rounds that ensure delta = 1/2, against
    the sharpened bound, at T = 4096. The numbers in the ledger are compared with those that the corollary states.
    Control: a tenth below the exact regret of a small world."""
    world = finite_contexts.make(np.random.default_rng(1), DIMENSION, 4, ARMS, AGENTS, 4)
    horizons = (2**8, 2**10, 2**12)
    comparisons, series = [], []
    for name, method in METHODS.items():
        for horizon in horizons:
            federation = replace(world.with_plan(doubling_plan(horizon, AGENTS)), protocol=method)
            last = horizon == horizons[-1]
            record = by_messages(federation, RUNS[task.profile][not last], task.seed.spawn(1)[0])
            found, level = applicable(federation), task.level / len(METHODS)
            bound, trivial = found.values["sharpened"], found.trivial["sharpened"]
            where, largest = f"{name}, T = {horizon}", largest_regret(federation)
            compared = compare(where, record.total_regret, largest, bound, trivial, level)
            comparisons += [compared] if last else []
            sent = record.total_traffic("numbers_up") + record.total_traffic("numbers_down")
            row = {"protocol": name, "T": horizon, "numbers": int(sent.max())}
            series.append(compared.json() | row)
            if row["numbers"] != stated_numbers(name, horizon):
                said = (
                    f"{where}: {row['numbers']} numbers in the ledger, {stated_numbers(name, horizon)} stated"
                )
                return Evidence(Verdict.REFUTED, said, {"series": series})
    return judged(task, comparisons, series=series)


def stated_numbers(protocol: str, horizon: int) -> int:
    """Return the numbers that col:convex states for these runs, up and down."""
    given = {"M": AGENTS, "K": ARMS, "T": horizon, "d": DIMENSION, "delta": TOLERANCE, "path": 1}
    steps = {"local_steps": METHODS[protocol].local_steps}
    return int(
        THEOREM.evaluate("sharpened", "numbers", protocol, {**THEOREM.optional, **given, **steps}).value
    )


def regret_picture(axes: Any, figures: Figures) -> None:
    """Both methods, with the rounds that they are proved to need, stay below their common bound."""
    series = next(iter(figures.values()))["series"]
    for name in METHODS:
        mine = [point for point in series if point["protocol"] == name]
        at, scale = [point["T"] for point in mine], [AGENTS * point["T"] for point in mine]
        mean, bound = (
            [point[key] / steps for point, steps in zip(mine, scale, strict=True)]
            for key in ("mean", "bound")
        )
        colour = PROTOCOL_COLOUR[name]
        axes.plot(at, mean, color=colour, label=f"measured, {name}", **MEASURED)
    axes.plot(at, bound, color=BOUND_COLOUR["sharpened"], label="bound of both, sharpened", **BOUND)
    axes.axhline(1.0, label="trivial, M T", **WITHOUT)
    logarithmic(axes, "horizon T", "regret / (M T)")
    axes.set_title(stays_below("Measured regret", [(p["mean"], p["bound"]) for p in series], "the bound"))


def numbers_picture(axes: Any, figures: Figures) -> None:
    """Dots, the counts of runs, lie on the lines of the schedules; the direct method sends far less for the same."""
    series = next(iter(figures.values()))["series"]
    horizons = [2**k for k in range(4, 15)]
    for name in METHODS:
        stated = [stated_numbers(name, horizon) for horizon in horizons]
        axes.plot(horizons, stated, color=PROTOCOL_COLOUR[name], label=f"stated, {name}", **BOUND)
        mine = [point for point in series if point["protocol"] == name]
        sent = [point["numbers"] for point in mine]
        axes.plot([point["T"] for point in mine], sent, "o", color=PROTOCOL_COLOUR[name])
    direct = [total_numbers("direct", AGENTS, DIMENSION, horizon, TOLERANCE) for horizon in horizons]
    axes.plot(horizons, direct, color=PROTOCOL_COLOUR["direct"], label="stated, direct", **BOUND)
    logarithmic(axes, "horizon T", "numbers up and down (dots: counted in runs)")
    most, least = (stated_numbers(name, horizons[-1]) / direct[-1] for name in METHODS)
    axes.set_title(
        f"The rounds proved to suffice send {least:.0e} to {most:.0e} times what the direct method sends"
    )
