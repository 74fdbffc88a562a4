"""Pictures of col:finite: regret with confidence bands beside every bound, and its growth."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from verify.pictures import BOUND_COLOUR, Figures, bound_curve, colours, logarithmic, lower_curve

RATE_COLOUR = {"printed": "#7048e8", "sharpened": "#1864ab", "best": "#d6336c"}


def regret_against_horizon(axes: Any, figures: Figures) -> None:
    """Where a bound crosses the black line it begins to say something: the printed one after more than a million steps,
    the sharpened and best ones after a few dozen. Points, the measured regret, lie below the bound for their own
    learning rate. Dashed: what a run at that rate pays at least where the gap is 1.

    figures: check "regret-<variant>" -> its series. Each learning rate is drawn once: all its worlds as points, the
    worst with its confidence band. A vacuous bound is faint; all is divided by M T.
    """
    from bounds.theorems import col_finite

    shown = next(iter(figures.values()))
    agents, arms, size = shown["M"], shown["K"], 10
    largest = max(point["T"] for f in figures.values() for point in f["series"])
    grid = [2**k for k in range(2, int(largest).bit_length() + 1)]
    variants = colours(BOUND_COLOUR, (check.removeprefix("regret-") for check in figures))
    for place, (name, colour) in enumerate(variants.items()):
        bound = col_finite.epoch_sum(name, agents, arms, size)
        bound_curve(axes, bound, grid, colour, f"bound, {name}")
        horizon = bound.first_informative_horizon()
        if horizon:
            axes.axvline(horizon, color=colour, linestyle=":", linewidth=1)
            axes.annotate(f" T = {horizon:,}", (horizon, 1.3 * 1.7 ** (place % 2)), fontsize=7, color=colour)
    by_rate: dict[str, list[Mapping[str, Any]]] = {}
    for f in figures.values():
        by_rate.setdefault(f["learning_rate"], []).extend(f["series"])
    rates, least = colours(RATE_COLOUR, sorted(by_rate)), 1.0
    for rate, points in sorted(by_rate.items()):
        _measured(axes, points, agents, rates[rate], f"measured, {rate} learning rate, worst world")
        gap_one = [p for p in points if p["world"] == "gap_one"]
        sizes = {p.get("F", size) for p in gap_one} or {size}
        bound = col_finite.epoch_sum(rate, agents, arms, max(sizes))
        drawn = lower_curve(axes, bound, grid, rates[rate], f"{rate} rate")
        ts = [p["T"] for p in gap_one]
        inside = [p["mean"] / (agents * p["T"]) for p in gap_one]
        axes.plot(ts, inside, "s", color=rates[rate], markersize=6, markerfacecolor="none")
        least = min([least, *drawn, *(p["mean"] / (agents * p["T"]) for p in points)])
    axes.plot([], [], "s", color="black", markerfacecolor="none", label="measured, world with gap 1")
    axes.axhline(1.0, color="black", linewidth=1, label="trivial, M T")
    logarithmic(
        axes, "horizon T (dotted: first T at which a bound is informative; faint before)", "regret / (M T)"
    )
    axes.set_ylim(least / 3, 20)


def _measured(axes: Any, points: list[Mapping[str, Any]], agents: int, colour: str, label: str) -> None:
    """Every world a point; a line and a confidence band through the worst at each horizon."""
    ts = np.array([p["T"] for p in points], dtype=float)
    axes.plot(ts, [p["mean"] for p in points] / (agents * ts), ".", color=colour, markersize=4, alpha=0.6)
    grid = np.array(sorted(set(ts)))
    worst = [max((p for p in points if p["T"] == t), key=lambda p: float(p["mean"])) for t in grid]
    mean, low, high = (np.array([p[key] for p in worst]) / (agents * grid) for key in ("mean", "low", "high"))
    axes.plot(grid, mean, "o-", color=colour, markersize=4, linewidth=1, label=label)
    axes.fill_between(grid, np.maximum(low, 1e-12), high, color=colour, alpha=0.15)


def slope_against_half(axes: Any, figures: Figures) -> None:
    """The measured points follow a line of slope 1/2: regret grows like the square root of the horizon, as the
    corollary says."""
    shown = next(iter(figures.values()))
    ts, mean = np.array(shown["T"], dtype=float), np.array(shown["mean"])
    fitted = mean[0] * (ts / ts[0]) ** shown["slope"]
    axes.plot(ts, mean, "o", color="#1864ab", label="measured mean regret")
    interval = f"[{shown['low']:.3f}, {shown['high']:.3f}]"
    axes.plot(ts, fitted, color="#1864ab", label=f"fitted slope {shown['slope']:.3f} {interval}")
    axes.plot(ts, mean[0] * (ts / ts[0]) ** 0.5, "--", color="#888", label="slope 1/2")
    logarithmic(axes, "horizon T", "mean regret")
