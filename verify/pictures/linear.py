"""Pictures of the linear claims: regret, growth, communication of every protocol, cheapest protocol, convergence."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from bounds import col_linear, linear_communication
from verify.pictures.regret import BOUND_COLOUR

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
        bound = col_linear.epoch_sum(variant, agents, arms, dimension)
        axes.plot(
            grid, [bound.value(t) / (agents * t) for t in grid], color=colour, label=f"bound, {variant}"
        )
        different = col_linear.epoch_sum(variant, agents, arms, dimension, heterogeneous=True)
        values = [different.value(t) / (agents * t) for t in grid]
        axes.plot(
            grid, values, color=colour, linewidth=0.8, linestyle=":", label=f"{variant}, different laws"
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
            axes.vlines(ts, np.maximum(low, 1e-12), high, color=colour, linewidth=0.8, alpha=0.35)
    axes.axhline(1.0, color="black", linewidth=1, label="trivial, M T")
    _logarithmic(axes, "horizon T", "regret / (M T)")


def growth(axes: Any, figures: Figures) -> None:
    """Four panels: mean regret against T, M, d and K with its fitted slope, the sharpened bound, a slope of 1/2."""
    axes.axis("off")
    for index, shown in enumerate(figures.values()):
        panel = axes.inset_axes((0.06 + 0.53 * (index % 2), 0.58 - 0.56 * (index // 2), 0.42, 0.38))
        grid, mean = np.array(shown[shown["variable"]], dtype=float), np.array(shown["mean"])
        if "bound" in shown:  # results of earlier versions have none
            panel.plot(grid, shown["bound"], color=BOUND_COLOUR["sharpened"], label="bound, sharpened")
        label = f"measured, slope {shown['slope']:.3f}"
        panel.plot(grid, mean, "o-", color="#1864ab", markersize=3, linewidth=1, label=label)
        panel.plot(
            grid, mean[0] * np.sqrt(grid / grid[0]), "--", color="#888", linewidth=1, label="slope 1/2"
        )
        _logarithmic(panel, shown["variable"], "regret")
        if grid[-1] < 1000:
            panel.set_xticks(grid, [f"{value:g}" for value in grid])
            panel.minorticks_off()
        panel.tick_params(labelsize=7)
        low, high = panel.get_ylim()
        panel.set_ylim(low, high * (high / low))  # room for the legend
        panel.grid(True, alpha=0.25)
        panel.legend(fontsize=6.5, framealpha=0.8)


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
        rows, columns = np.nonzero(choice == index)
        if len(rows) > 20:  # room for its name
            middle = 2.0 ** float(np.median(exponents[columns])), float(np.median(dimensions[rows]))
            axes.text(*middle, name, color="white", weight="bold", ha="center", va="center")
        elif len(rows):
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
            label = "chebyshev, rate (and cg's)" if name == "chebyshev" else f"{name}, rate"
            axes.plot(curve["rounds"], curve["rate"], "--", color=colour, label=label)
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
        # drawn over the protocol that it equals: CG in numbers, direct in rounds
        style: dict[str, Any] = (
            {"linestyle": (0, (4, 4)), "linewidth": 2, "zorder": 3} if name == "direct_printed" else {}
        )
        axes.plot(grid, [total(name, 10, 20, t, 0.1) for t in grid], color=colour, label=name, **style)
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


def personalised_numbers(axes: Any, figures: Figures) -> None:
    """Numbers by T of AGD and CG on the shared block, with the printed order and the corrected closed bound."""
    import sympy

    from bounds import col_linear_per
    from bounds.symbols import symbol

    grid = _horizons()
    for name in col_linear_per.PROTOCOLS:
        values = [col_linear_per.total("numbers", name, 10, 3, 2, t, 0.1) for t in grid]
        axes.plot(grid, values, color=PROTOCOL_COLOUR[name], label=name)
    names = [symbol(n) for n in ("M", "T", "da", "db", "delta")]
    closed = sympy.lambdify(names, col_linear_per.closed_total("numbers", "agd"), "math")
    label, colour = "corrected closed bound, agd", PROTOCOL_COLOUR["agd"]
    axes.plot(grid, [closed(10, t, 3, 2, 0.1) for t in grid], "--", color=colour, label=label)
    printed = [col_linear_per.printed_numbers(10, 3, t) for t in grid]
    axes.plot(grid, printed, ":", color=colour, label="printed order, agd (no constant)")
    _logarithmic(axes, "horizon T", "numbers up and down")


def worst_cases(axes: Any, figures: Figures) -> None:
    """Exact worst cases of AGD after k rounds: over quadratics, over all functions (enclosed), and the textbook."""
    rows = next(iter(figures.values()))["rows"]
    for colour, kappa in zip(
        ("#1864ab", "#1a7f37", "#9a6700", "#862e9c"), sorted({r["kappa"] for r in rows}), strict=False
    ):
        mine = sorted((r for r in rows if r["kappa"] == kappa), key=lambda r: int(r["rounds"]))
        rounds = [r["rounds"] for r in mine]
        axes.plot(
            rounds, [r["textbook"] for r in mine], "--", color=colour, label=f"textbook, kappa = {kappa}"
        )
        axes.plot(rounds, [r["high"] for r in mine], "o-", color=colour, markersize=4, label="worst function")
        axes.plot(
            rounds, [r["quadratics"] for r in mine], "s:", color=colour, markersize=4, label="worst quadratic"
        )
    axes.set_yscale("log")
    axes.xaxis.get_major_locator().set_params(integer=True)
    axes.set_xlabel("rounds k")
    axes.set_ylabel("(F(w_k) - F*) / (F(w_0) - F* + (mu/2) norm(w_0 - w*)^2)", fontsize=8)
