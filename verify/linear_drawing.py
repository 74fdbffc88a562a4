"""Pictures of the linear claims: regret, growth, communication of every protocol, cheapest protocol, convergence."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from bounds import linear_communication, linear_regret
from verify.drawing import BOUND_COLOUR

PROTOCOL_COLOUR = {
    "direct": "#1864ab",
    "direct_printed": "#74c0fc",
    "agd": "#b42318",
    "chebyshev": "#9a6700",
    "cg": "#1a7f37",
}
Figures = Mapping[str, Mapping[str, Any]]


def regret_against_horizon(axes: Any, figures: Figures) -> None:
    """Measured regret and bounds against T, divided by M T: below 1 a bound says something."""
    shown = next(iter(figures.values()))
    agents, arms, dimension = shown["M"], shown["K"], shown["d"]
    largest = max(point["T"] for f in figures.values() for point in f["series"])
    grid = [2**k for k in range(2, int(largest).bit_length() + 1)]
    for check in figures:
        variant = check.removeprefix("regret-")
        colour = BOUND_COLOUR[variant]
        bound = linear_regret.epoch_sum(variant, agents, arms, dimension)
        axes.plot(
            grid, [bound.value(t) / (agents * t) for t in grid], color=colour, label=f"bound, {variant}"
        )
        for marker, world in zip(
            "osD^vP", sorted({p["world"] for p in figures[check]["series"]}), strict=False
        ):
            points = [p for p in figures[check]["series"] if p["world"] == world]
            ts = np.array([p["T"] for p in points], dtype=float)
            mean, low, high = (
                np.array([p[k] for p in points]) / (agents * ts) for k in ("mean", "low", "high")
            )
            label = f"measured, {world}" if variant == "sharpened" else None
            axes.plot(ts, mean, marker=marker, markersize=4, linewidth=0.8, color=colour, label=label)
            axes.fill_between(ts, np.maximum(low, 1e-12), high, color=colour, alpha=0.12)
    axes.axhline(1.0, color="black", linewidth=1, label="trivial, M T")
    _logarithmic(axes, "horizon T", "regret / (M T)")


def growth(axes: Any, figures: Figures) -> None:
    """Mean regret against T, M, d and K, each relative to its first point, beside a line of slope 1/2."""
    reach = 1.0
    for colour, shown in zip(("#1864ab", "#1a7f37", "#9a6700", "#862e9c"), figures.values(), strict=False):
        grid, mean = np.array(shown[shown["variable"]], dtype=float), np.array(shown["mean"])
        label = f"{shown['variable']}: slope {shown['slope']:.3f} [{shown['low']:.3f}, {shown['high']:.3f}]"
        axes.plot(grid / grid[0], mean / mean[0], "o-", color=colour, markersize=4, label=label)
        reach = max(reach, grid[-1] / grid[0])
    line = np.geomspace(1, reach, 50)
    axes.plot(line, np.sqrt(line), "--", color="#888", label="slope 1/2")
    _logarithmic(axes, "T, M, d or K relative to its first value", "mean regret relative to its first")


def numbers_against_horizon(axes: Any, figures: Figures) -> None:
    """Numbers of every protocol against T, with the printed orders and the corrected closed bound."""
    _against_horizon(axes, linear_communication.total_numbers, linear_communication.closed_numbers)
    grid = _horizons()
    printed = [linear_communication.printed_numbers("agd", 10, 20, t) for t in grid]
    axes.plot(grid, printed, ":", color=PROTOCOL_COLOUR["agd"], label="printed order, agd (no constant)")
    direct = [linear_communication.printed_numbers("direct", 10, 20, t) for t in grid]
    axes.plot(grid, direct, ":", color=PROTOCOL_COLOUR["direct"], label="printed order, direct (no constant)")
    axes.plot(grid, [10 * t * 21 for t in grid], color="black", linewidth=1, label="raw data")
    _logarithmic(axes, "horizon T", "numbers up and down")


def rounds_against_horizon(axes: Any, figures: Figures) -> None:
    """Rounds of every protocol against T, with rmk:linear's order."""
    _against_horizon(axes, linear_communication.total_rounds, linear_communication.closed_rounds)
    grid = _horizons()
    axes.plot(grid, [np.sqrt(10.0 * t) for t in grid], ":", color="#888", label="printed order, sqrt(MT)")
    _logarithmic(axes, "horizon T", "rounds")


def cheapest_protocol(axes: Any, figures: Figures) -> None:
    """The protocol that sends the fewest numbers by T in dimension d, all to the same accuracy.

    CG is charged min(d, n) rounds or Chebyshev's, whichever is less: it is never behind Chebyshev's polynomial.
    """
    from matplotlib.colors import ListedColormap

    names = ["direct", "agd", "chebyshev", "cg", "raw data"]
    dimensions = np.unique(np.geomspace(1, 1e6, 60).astype(int))
    exponents = np.arange(2, 41)
    choice = np.zeros((len(dimensions), len(exponents)))
    for i, d in enumerate(dimensions):
        totals = dict.fromkeys(names, 0.0)
        for j, k in enumerate(exponents):
            samples = linear_communication.samples_of_calls(10, 2 ** int(k))
            for n in samples[-1:] if j else samples:
                rounds = {p: linear_communication.rounds_of_call(p, n, int(d), 0.1) for p in names[:4]}
                rounds["cg"] = min(rounds["cg"], rounds["chebyshev"])
                for p in names[:4]:
                    totals[p] += sum(linear_communication.numbers_of_call(p, 10, int(d), rounds[p]))
                totals["raw data"] += n * (int(d) + 1)
            choice[i, j] = int(np.argmin([totals[name] for name in names]))
    colours = [*(PROTOCOL_COLOUR[name] for name in names[:4]), "#bbbbbb"]
    axes.pcolormesh(
        2.0**exponents,
        dimensions,
        choice,
        cmap=ListedColormap(colours),
        vmin=-0.5,
        vmax=4.5,
        shading="nearest",
    )
    for index, (name, colour) in enumerate(zip(names, colours, strict=True)):
        if (choice == index).any():
            axes.plot([], [], "s", color=colour, label=name)
    _logarithmic(axes, "horizon T", "dimension d")


def convergence(axes: Any, figures: Figures) -> None:
    """Loss gap of each solver against rounds, beside its rate."""
    shown = next(iter(figures.values()))["curves"]
    for name, curve in shown.items():
        gaps = np.maximum(np.array(curve["gap"]), 1e-18)
        colour = PROTOCOL_COLOUR[name]
        axes.plot(curve["rounds"], gaps, color=colour, label=f"{name}, measured")
        if "rate" in curve:
            axes.plot(curve["rounds"], curve["rate"], "--", color=colour, label=f"{name}, rate")
    axes.set_yscale("log")
    axes.set_ylim(1e-18, 10)
    axes.set_xlabel("rounds")
    axes.set_ylabel("F(w) - F*")


def _horizons() -> list[int]:
    return [2**k for k in range(2, 41, 2)]


def _against_horizon(axes: Any, total: Any, closed: Any) -> None:
    import sympy

    from bounds.symbols import symbol

    grid = _horizons()
    for name, colour in PROTOCOL_COLOUR.items():
        axes.plot(grid, [total(name, 10, 20, t, 0.1) for t in grid], color=colour, label=name)
    formula = sympy.lambdify([symbol(n) for n in ("M", "T", "d", "delta")], closed("agd"), "math")
    axes.plot(
        grid,
        [formula(10, t, 20, 0.1) for t in grid],
        "--",
        color=PROTOCOL_COLOUR["agd"],
        label="corrected closed bound, agd",
    )


def _logarithmic(axes: Any, x: str, y: str) -> None:
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlabel(x)
    axes.set_ylabel(y)
