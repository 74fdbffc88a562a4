"""Pictures of own:agd_rate: convergence beside the rates, and the exact worst cases."""

from __future__ import annotations

from typing import Any

import numpy as np

from verify.pictures import PROTOCOL_COLOUR, Figures, colours


def convergence(axes: Any, figures: Figures) -> None:
    """Loss gap of each solver against rounds, beside its rate."""
    shown = next(iter(figures.values()))["curves"]
    colour_of = colours(PROTOCOL_COLOUR, shown)
    for name, curve in shown.items():
        gaps = np.maximum(np.array(curve["gap"]), 1e-18)
        colour = colour_of[name]
        axes.plot(curve["rounds"], gaps, color=colour, label=f"{name}, measured")
        if "rate" in curve:
            label = "chebyshev, rate (and cg's)" if name == "chebyshev" else f"{name}, rate"
            axes.plot(curve["rounds"], curve["rate"], "--", color=colour, label=label)
    axes.set_yscale("log")
    axes.set_ylim(1e-18, 10)
    axes.set_xlabel("rounds")
    axes.set_ylabel("$F(w)-F^*$")


def worst_cases(axes: Any, figures: Figures) -> None:
    """Exact worst cases of AGD after k rounds: over quadratics, over all functions (enclosed), and the textbook."""
    rows = next(iter(figures.values()))["rows"]
    for colour, kappa in zip(
        ("#1864ab", "#1a7f37", "#9a6700", "#862e9c"), sorted({r["kappa"] for r in rows}), strict=False
    ):
        mine = sorted((r for r in rows if r["kappa"] == kappa), key=lambda r: int(r["rounds"]))
        rounds = [r["rounds"] for r in mine]
        axes.plot(
            rounds, [r["textbook"] for r in mine], "--", color=colour, label=f"textbook rate, kappa = {kappa}"
        )
        axes.plot(
            rounds, [r["high"] for r in mine], "o-", color=colour, markersize=4, label="worst function of all"
        )
        axes.plot(
            rounds, [r["quadratics"] for r in mine], "s:", color=colour, markersize=4, label="worst quadratic"
        )
    axes.set_yscale("log")
    axes.xaxis.get_major_locator().set_params(integer=True)
    axes.set_xlabel("rounds k")
    axes.set_ylabel(r"$(F(w_k)-F^*)\;/\;(F(w_0)-F^*+\frac{\mu}{2}\|w_0-w^*\|^2)$")
