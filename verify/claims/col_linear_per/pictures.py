"""Picture of col:linear_per: numbers by the horizon, with the printed order and the corrected bound."""

from __future__ import annotations

from typing import Any

from bounds.linear_communication import printed_numbers
from bounds.theorems import col_linear_per
from verify.pictures import HORIZONS, PROTOCOL_COLOUR, Figures, colours, logarithmic

AGENTS, SHARED, OWN = 10, 3, 2  # M, d^a, d^b of the picture and of the runs on it


def personalised_numbers(axes: Any, figures: Figures) -> None:
    """Numbers by T of AGD and CG on the shared block, the ledgers of runs, the printed order, the corrected bound."""
    import sympy

    from bounds.symbols import symbol

    grid = HORIZONS
    colour_of = colours(PROTOCOL_COLOUR, col_linear_per.PROTOCOLS)
    for name in col_linear_per.PROTOCOLS:
        values = [col_linear_per.total(name, AGENTS, SHARED, OWN, t, 0.1).numbers for t in grid]
        axes.plot(grid, values, color=colour_of[name], label=name)
        rows = figures.get(f"runs-{name}", {}).get("rows", ())
        axes.plot(
            [r["T"] for r in rows], [r["numbers"] for r in rows], "o", color=colour_of[name], markersize=5
        )
    axes.plot([], [], "o", color="black", markersize=5, label="ledgers of runs")
    names = [symbol(n) for n in ("M", "T", "da", "db")]
    closed = sympy.lambdify(
        names, col_linear_per.THEOREM.expression("repaired", "numbers", "agd", 0.1), "math"
    )
    label, colour = "corrected closed bound, agd", PROTOCOL_COLOUR["agd"]
    axes.plot(grid, [closed(AGENTS, t, SHARED, OWN) for t in grid], "--", color=colour, label=label)
    printed = [printed_numbers("agd", AGENTS, SHARED, t) for t in grid]
    axes.plot(grid, printed, ":", color=colour, label="printed order, agd (no constant)")
    logarithmic(axes, "horizon T", "numbers up and down")
