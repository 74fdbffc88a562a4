"""Pictures of own:any_protocol: regret against what is sent, and gaps beside their rates."""

from __future__ import annotations

from typing import Any

import numpy as np

from verify.pictures import PROTOCOL_COLOUR, Figures, colours, logarithmic


def regret_against_numbers(axes: Any, figures: Figures) -> None:
    """A curve per protocol: each point is a horizon; further left is cheaper, further down is better."""
    rows = next(iter(figures.values()))["rows"]
    names = list(dict.fromkeys(row["protocol"] for row in rows))
    colour_of = colours(PROTOCOL_COLOUR, names)
    for marker, name in zip("osD^vP*Xhd<>", names, strict=False):
        mine = sorted((row for row in rows if row["protocol"] == name), key=lambda row: row["T"])
        axes.plot(
            [row["numbers"] for row in mine],
            [row["regret"] / row["T"] for row in mine],
            marker=marker,
            markersize=5,
            color=colour_of[name],
            label=name,
        )
    logarithmic(axes, "numbers sent, up and down", "regret a global step")


def gap_against_rounds(axes: Any, figures: Figures) -> None:
    """Measured gap (solid) and proved rate (dashed) of every local method on one problem."""
    shown = next(iter(figures.values()))["curves"]
    colour_of = colours(PROTOCOL_COLOUR, shown)
    for name, curve in shown.items():
        gap = np.maximum(np.array(curve["gap"]), 1e-17)
        axes.plot(gap, color=colour_of[name], label=f"{name}, measured")
        if curve["rate"] is not None:
            axes.plot(curve["rate"], "--", color=colour_of[name], linewidth=1, label=f"{name}, proved rate")
    axes.set_yscale("log")
    axes.set_xlabel("rounds")
    axes.set_ylabel("$F(w)-F^*$")
