"""Picture of own:adaptive: regret and bound of three learning rates on every instance."""

from __future__ import annotations

from typing import Any

from verify.pictures import Figures

COLOUR = {"guarantee": "#0b7285", "practical": "#e8590c", "adaptive": "#862e9c"}
LABEL = {
    "guarantee": "smallest guarantee (g = 0.47 to 0.8)",
    "practical": "smallest measured regret (g = 8)",
    "adaptive": "adaptive (delta = 0.001)",
}


def rates(axes: Any, figures: Figures) -> None:
    """One line per world: every point is left of the tick of its colour. The rate with the smallest bound is not the
    one with the smallest regret; the adaptive one has the smallest regret in nearly every world."""
    rows = sorted(figures["rates"]["rows"], key=lambda row: row["adaptive"]["bound"] / row["trivial"])
    for place, (rate, colour) in enumerate(COLOUR.items()):
        for index, row in enumerate(rows):
            y = index + 0.25 * (place - 1)
            regret, bound = (row[rate][key] / row["trivial"] for key in ("regret", "bound"))
            axes.plot([regret, bound], [y, y], color=colour, linewidth=1, alpha=0.5)
            axes.plot(
                [regret], [y], "o", color=colour, markersize=4, label=LABEL[rate] if not index else None
            )
            axes.plot([bound], [y], "|", color=colour, markersize=6)
    axes.axvline(1.0, color="black", linewidth=1)
    axes.set_xscale("log")
    axes.set_yticks(range(len(rows)), [row["instance"] for row in rows], fontsize=5)
    axes.set_xlabel("regret / (M T), T = 8192; black: M T")
