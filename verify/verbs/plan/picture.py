"""The guarantee against the horizon, between what is known without learning and what no run can undercut."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from bounds.errors import InputError
from verify.verbs.plan.question import Question


def draw(question: Question, document: Mapping[str, Any], path: Path) -> None:
    """One curve a variant; the horizon asked for, what is to be expected there and the lower bound are marked."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7.2, 4.4), layout="constrained")
    axes = figure.subplots()
    last = max(64, 100 * question.horizon)
    horizons = sorted({int(3 * (last / 3) ** (i / 40)) for i in range(41)})
    axes.loglog(
        horizons, [question.agents * t for t in horizons], "--", color="0.6", label="known without learning"
    )
    for row in document["guaranteed"]:
        if row["value"] is None or row["order_only"]:
            continue
        try:
            values = [question.bound(row["variant"], T=t)["value"] for t in horizons]
        except InputError:
            continue
        axes.loglog(horizons, values, label=f"{row['variant']} ({row['verdict']})")
    found = document["expected"]
    if found.get("interval"):
        low, high = found["interval"]
        error = [[found["mean"] - low], [high - found["mean"]]]
        axes.errorbar(
            [question.horizon], [found["mean"]], yerr=error, fmt="ko", label="expected, by simulation"
        )
    if document["lower_bound"] is not None:
        axes.plot(
            [question.horizon], [document["lower_bound"]], "k_", markersize=14, label="at least, with gap 1"
        )
    axes.set_xlabel("horizon T, steps of every agent")
    axes.set_ylabel("regret of all agents together")
    figure.legend(loc="outside right upper", fontsize="small")
    figure.savefig(path)
