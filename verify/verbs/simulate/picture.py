"""simulate --plot: regret against the steps played, beside the bound that applies."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from fedigw.applicable import applicable
from fedigw.federation import Federation
from fedigw.record import RunRecord


def draw(federation: Federation, record: RunRecord, path: Path) -> None:
    """Mean and extreme regret of the runs after every epoch; the bound of the whole run, and what is known without
    learning, at the end."""
    from matplotlib.figure import Figure

    steps = np.cumsum([sum(row) for row in record.played])
    regret = np.cumsum(record.regret, axis=1)  # (R, L)
    figure = Figure(figsize=(7.2, 4.4), layout="constrained")
    axes: Any = figure.subplots()
    axes.plot(steps, steps, "--", color="0.6", label="one a step")
    axes.fill_between(steps, regret.min(axis=0), regret.max(axis=0), alpha=0.25, label="all runs")
    axes.plot(steps, regret.mean(axis=0), "o-", markersize=4, label=f"mean of {record.replications} runs")
    for variant, value in applicable(federation).values.items():
        axes.plot([steps[-1]], [value], "v", label=f"bound, {variant}")
    axes.set_xscale("log")
    axes.set_yscale("log" if regret[:, 0].min() > 0 else "linear")
    axes.set_xlabel("steps of all agents together")
    axes.set_ylabel("regret")
    figure.legend(loc="outside right upper", fontsize="small")
    figure.savefig(path)
