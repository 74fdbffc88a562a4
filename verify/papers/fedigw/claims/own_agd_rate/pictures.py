"""Pictures of own:agd_rate: convergence beside the rates, and the exact worst cases."""

from typing import Any

import numpy as np

from verify.pictures import PROTOCOL_COLOUR, Figures, colours, stays_below

SMALL = 1e-6  # a gap after which nobody waits


def convergence(axes: Any, figures: Figures) -> None:
    """Every solid curve is below the dashed rate of its colour. Conjugate gradients are done after a few rounds."""
    shown = next(iter(figures.values()))["curves"]
    colour_of = colours(PROTOCOL_COLOUR, shown)
    for name, curve in shown.items():
        gaps = np.maximum(np.array(curve["gap"]), 1e-18)
        colour = colour_of[name]
        axes.plot(curve["rounds"], gaps, color=colour, label=f"{name}, measured")
        if "rate" in curve:
            label = "chebyshev, rate (and cg's)" if name == "chebyshev" else f"{name}, rate"
            axes.plot(curve["rounds"], curve["rate"], "--", color=colour, label=label)
    reached = sorted(
        (min(k for k, gap in zip(curve["rounds"], curve["gap"], strict=True) if gap <= SMALL), name)
        for name, curve in shown.items()
        if min(curve["gap"]) <= SMALL
    )
    if reached:
        (first, fast), (last, slow) = reached[0], reached[-1]
        axes.set_title(f"{fast} reach a gap of {SMALL:g} after {first} rounds, {slow} after {last}")
    axes.set_yscale("log")
    axes.set_ylim(1e-18, 10)
    axes.set_xlabel("rounds")
    axes.set_ylabel("$F(w)-F^*$")


def worst_cases(axes: Any, figures: Figures) -> None:
    """The textbook rate is not attained: the exactly worst function is below it after every round, and the worst
    quadratic below that."""
    rows = next(iter(figures.values()))["rows"]
    for colour, kappa in zip(
        ("#1864ab", "#1a7f37", "#9a6700", "#862e9c"), sorted({r["kappa"] for r in rows}), strict=False
    ):
        mine = sorted((r for r in rows if r["kappa"] == kappa), key=lambda r: int(r["rounds"]))
        rounds = [r["rounds"] for r in mine]
        for key, style, label in (
            ("textbook", "--", f"textbook rate, kappa = {kappa}"),
            ("high", "o-", "worst function of all"),
            ("quadratics", "s:", "worst quadratic"),
        ):
            axes.plot(rounds, [r[key] for r in mine], style, color=colour, markersize=4, label=label)
    axes.set_title(
        stays_below("The worst function", [(r["high"], r["textbook"]) for r in rows], "the textbook rate")
    )
    axes.set_yscale("log")
    axes.xaxis.get_major_locator().set_params(integer=True)
    axes.set_xlabel("rounds k")
    axes.set_ylabel(r"$(F(w_k)-F^*)\;/\;(F(w_0)-F^*+\frac{\mu}{2}\|w_0-w^*\|^2)$")
