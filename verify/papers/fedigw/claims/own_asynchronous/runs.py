"""Check the regret of federations whose agents act at different times.

Regret must be at most every bound that applies. Agents who act at every second time must have, up to T, exactly the
models and regret that agents who always act have up to T/2.
"""

from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np

from bounds.schedules import asynchrony, synchronous_plan
from bounds.theorems import own_relaxed_rates
from fedigw.applicable import applicable, largest_regret
from fedigw.clocks.periodic import Periodic
from fedigw.federation import Federation
from fedigw.replications import simulate
from fedigw.timing import Timing
from finite_class.law import exact_law
from verify.claim import Evidence, Task, Verdict
from verify.papers.fedigw.claims.own_asynchronous.configurations import configurations, finite, tiny
from verify.statistics.measurement import Comparison, measure
from verify.statistics.regrets import below_truth, draw, judged

RULES = ("sharpened", "printed")


def regret(task: Task) -> Evidence:
    """Check that the measured regret of federations whose agents act at different times is at most every bound that
    applies, at the sharpened and at the paper's learning rates. Negative control, which must fail: a bound a tenth
    below an exact regret."""
    chosen = configurations(task.rng(), task.full)
    series: list[dict[str, Any]] = []
    comparisons: list[Comparison] = []
    level = task.level / (4 * len(chosen))  # at most four comparisons each
    for (name, timed), rule in product(chosen.items(), RULES):
        found, rows = _compared(task, name, timed.with_rates(rule), rule, level)
        comparisons += found
        series += rows
    telling = [row for row in series if not row["vacuous"]]
    return judged(
        task,
        comparisons,
        runs="informative comparisons",
        configurations=len(chosen),
        informative_configurations=len({row["name"] for row in telling}),
        rates_fall=len({row["name"] for row in series if row["relaxed"]}),
        series=series,
    )


def _compared(
    task: Task, name: str, federation: Federation, rule: str, level: float
) -> tuple[list[Comparison], list[dict[str, Any]]]:
    told, largest = applicable(federation), largest_regret(federation)
    drawn = draw(task, federation)
    comparisons, rows = [], []
    for variant, bound in told.values.items():
        telling = bound < min(told.trivial[variant], largest)
        if not telling and rule == "printed":
            continue  # the paper's constants say nothing here: no run is spent on them
        where, trivial, budget = f"{name}, {variant}", told.trivial[variant], 4096 if task.full else 1024
        comparison = measure(where, drawn, largest, bound, trivial, level, budget=budget, least=16)
        comparisons.append(comparison)
        rates = [float(rate) for rate in federation.learning_rates()]
        rows.append(
            comparison.json()
            | {"name": name, "variant": variant, "rule": rule, "c": asynchrony(federation.plan)}
            | {"relaxed": bool(told.remarks), "fall": own_relaxed_rates.fall(rates)}
        )
    return comparisons, rows


def false_regret(task: Task) -> Evidence:
    """Run the negative control of `regret`, which must fail: compare the measured regret of two agents with different
    clocks with a bound a tenth below their exact regret."""
    federation = tiny(task.rng()).with_rates([20, 40])
    truth = float(exact_law(federation, rational=False).total_regret)
    where = "two agents with clocks, a bound a tenth below the exact regret"
    return judged(task, [below_truth(task, where, federation, truth, 6000, 256)], exact=truth)


def half(task: Task, period: int = 2) -> Evidence:
    """Compare agents who act at every second global time up to T with agents who always act up to T/2. Regret and
    models must be exactly the same, at three horizons T. Negative control, which must fail: agents that always act in
    both cases."""
    rows = []
    for number, horizon in enumerate((64, 1000, 4098)):
        made = finite(np.random.default_rng(number), 4, 4)
        ends = [2 << l for l in range(13) if (1 << l) < horizon]
        timing = Timing(horizon, tuple(ends), (Periodic(period),) * 4)
        slow = replace(made, plan=timing.plan(), timing=timing)
        halves = (
            after - before
            for before, after in zip((0, *(e // 2 for e in ends)), (e // 2 for e in ends), strict=False)
        )
        usual = made.with_plan(synchronous_plan(halves, horizon // 2, 4))
        one, other = (simulate(f, 8, 7) for f in (slow, usual))
        same = one.regret.tobytes() == other.regret.tobytes() and one.models == other.models
        rows.append({"T": horizon, "same": bool(same), "regret": float(one.total_regret.mean())})
    if not all(row["same"] for row in rows):
        said = f"period {period}: the run differs from that of half the horizon"
        return Evidence(Verdict.REFUTED, said, {"rows": rows})
    said = f"period 2 and T, period 1 and T/2: the same bits of regret and the same models at {len(rows)} horizons"
    return Evidence(Verdict.EXACT, said, {"rows": rows})
