"""The plane of regret against communication on one world, and regret at the hardest gaps."""

from __future__ import annotations

from typing import Any

from verify.pictures import Figures, colours, logarithmic

COLOUR = {"fedigw, direct": "#1864ab", "fedigw, agd": "#b42318"}


def plane(axes: Any, figures: Figures) -> None:
    """A curve per system, a point per horizon: further left is cheaper, further down is better."""
    rows = next(iter(figures.values()))["rows"]
    agents = next(iter(figures.values()))["M"]
    rows = [row for row in rows if row["world"] == "fixed"]
    names = list(dict.fromkeys(row["system"] for row in rows))
    colour_of = colours(COLOUR, names)
    for marker, name in zip("osD^vP*Xhd<>p8", names, strict=False):
        mine = sorted((row for row in rows if row["system"] == name), key=lambda row: float(row["T"]))
        axes.plot(
            [row["numbers"] for row in mine],
            [row["mean"] / (agents * row["T"]) for row in mine],
            marker=marker,
            markersize=5,
            linewidth=1,
            color=colour_of[name],
            label=name,
        )
    logarithmic(axes, "numbers sent, up and down", "regret / (M T)")


def hardest(axes: Any, figures: Figures) -> None:
    """Regret over sqrt(MT) against T: a curve per system."""
    shown = next(iter(figures.values()))
    rows = [row for row in shown["rows"] if row["world"] == "fixed"]
    names = list(dict.fromkeys(row["system"] for row in rows))
    colour_of = colours(COLOUR, names)
    for marker, name in zip("osD^vP*Xhd<>p8", names, strict=False):
        mine = [row for row in rows if row["system"] == name]
        axes.plot(
            [row["T"] for row in mine],
            [row["mean"] / (shown["M"] * row["T"]) ** 0.5 for row in mine],
            marker=marker,
            markersize=5,
            linewidth=1,
            color=colour_of[name],
            label=name,
        )
    logarithmic(axes, "horizon T", "regret / sqrt(M T)")
