"""Compute the exact distribution of the regret in FedIGW runs of a few steps with learning rates chosen from the
data, and compare it with the bound and with simulations."""

from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

import numpy as np

from bounds.schedules import doubling_plan
from fedigw.federation import Federation
from fedigw.replications import by_messages, pooled
from finite_class.adaptive_law import final_states
from finite_class.federations import alike
from verify.claim import Evidence, Task, Verdict
from verify.papers.fedigw.claims.own_adaptive.runs import EQUAL, adaptive
from verify.statistics.confidence import SURE, seen_by_chi_square

DELTA = 0.2
SEEN = 0.1  # the total variation that the test of a law must be able to see


def tiny() -> dict[str, Federation]:
    """Return three federations by name. Each has a few steps, learning rates chosen from the data, a class of two
    functions, and one or two contexts."""
    half, one, zero = Fraction(1, 2), Fraction(1), Fraction(0)
    quarter = Fraction(1, 4)
    classes = {
        "one context": (((half, zero),), ((half, one),)),
        "noisy": (((half, quarter),), ((quarter, half),)),
        "two contexts": (((half, zero), (quarter, 1 - quarter)), ((half, one), (quarter, half))),
    }
    found = {}
    for name, functions in classes.items():
        plan = doubling_plan(4, 2) if len(functions[0]) == 1 else doubling_plan(7, 1)
        found[name] = alike(functions, plan, ties="adversarial")
    return {name: adaptive(run, DELTA) for name, run in found.items()}


@cache
def histories(name: str, delta: float = DELTA) -> Any:
    """Return (probability, regret, final state) for each possible course of the federation `name` of `tiny`. delta: the
    error probability of the regret bound."""
    return final_states(adaptive(tiny()[name], delta))[1]


@cache
def _probability(name: str) -> Any:
    states = histories(name)
    return sum(
        chance for chance, lost, state in states if lost > (1 + EQUAL) * float(state.observed().bound[0])
    )


def failing(task: Task, delta: float = DELTA) -> Evidence:
    """Check that the regret of a run exceeds the bound computed from its own data with probability at most 0.2
    (`delta`), by enumerating all possible courses of three short runs. Negative control, which must fail: a probability
    of at most 0.0001."""
    rows = [
        {"instance": name, "histories": len(histories(name)), "fails": _probability(name)} for name in tiny()
    ]
    worst = max(rows, key=lambda row: float(row["fails"]))
    said = f"over every history of {len(rows)} tiny runs the bound fails with probability {worst['fails']:.4f} at most"
    kind = Verdict.FLOAT.unless(float(worst["fails"]) > delta)
    return Evidence(kind, f"{said} ({worst['instance']}), allowed {delta:g}", {"rows": rows})


def against_simulation(task: Task, wrong: bool = False) -> Evidence:
    """Compare the regrets of simulations with their exact distribution by chi-square tests, for three short runs with
    learning rates chosen from the data. Two simulators are tested: one computes all replications as arrays, the other
    passes every message. Negative control, which must fail: the distribution for a bound with another error
    probability."""
    from scipy.special import chdtrc

    level, (many, few) = task.level / (2 * len(tiny())), (20_000, 1000) if task.full else (4000, 30)
    rows: list[dict[str, Any]] = []
    for (name, run), (simulate, replications) in product(
        tiny().items(), ((pooled, many), (by_messages, few))
    ):
        law: dict[float, float] = {}
        for chance, lost, _state in histories(name, 0.9 if wrong else DELTA):
            law[round(lost, 6)] = law.get(round(lost, 6), 0.0) + chance
        drawn = np.round(simulate(run, replications, task.seed.spawn(1)[0]).total_regret, 6)
        statistic, cells = chi_square(law, drawn)
        p = float(chdtrc(cells - 1, statistic)) if cells > 1 else 1.0
        path = "pooled" if simulate is pooled else "messages"
        rows.append({"instance": name, "path": path, "cells": cells, "p": p, "fits": p >= level})
        rows[-1]["seen"] = seen_by_chi_square(cells, replications, level)
        if p < level:
            break
    worst = min(rows, key=lambda row: float(row["p"]))
    seen = {
        path: max((row["seen"] for row in rows if row["path"] == path), default=1.0)
        for path in ("pooled", "messages")
    }
    kind = Verdict.MEASURED if seen["pooled"] <= SEEN else Verdict.UNDECIDED
    return Evidence(
        kind.unless(not worst["fits"]),
        f"simulated regrets against the exact law of {len(tiny())} tiny runs, both paths: least p = {worst['p']:.3g}"
        f" ({worst['instance']}, {worst['path']}), {len(rows)} chi-square tests; a law at total variation"
        f" {seen['pooled']:.2g} ({seen['messages']:.2g} by messages) would have been rejected with probability {SURE}",
        {"rows": rows},
        level=task.level,
    )


def chi_square(law: dict[float, float], drawn: np.ndarray) -> tuple[float, int]:
    """Return the chi-square statistic of the values `drawn` under `law` (value: probability), and its number of
    cells. Values with an expected count below 5, or not in the law, form one cell."""
    n = len(drawn)
    values, counts = np.unique(drawn, return_counts=True)
    seen = dict(zip(values.tolist(), counts.tolist(), strict=True))
    common = {value: p for value, p in law.items() if n * p >= 5}
    rest = max(0.0, 1 - sum(common.values()))
    statistic = sum((seen.get(value, 0) - n * p) ** 2 / (n * p) for value, p in common.items())
    other = n - sum(seen.get(value, 0) for value in common)
    if n * rest >= 5:
        return statistic + (other - n * rest) ** 2 / (n * rest), len(common) + 1
    return (float("inf") if other > 30 else statistic), len(common)
