"""How far the bounds of asynchronous federations are from what they lose, against c."""

from __future__ import annotations

from typing import Any

from verify.pictures import Figures, colours, logarithmic


def factors(axes: Any, figures: Figures) -> None:
    """bound/mean against c, one colour a mix of clocks; hollow where the relaxed form was needed."""
    rows = [row for row in figures["regret"]["series"] if not row["vacuous"]]
    mixes = [row["name"].split(", ")[1] for row in rows]
    colour = colours({}, mixes)
    for row, mix in zip(rows, mixes, strict=True):
        face = "none" if row["relaxed"] else colour[mix]
        axes.scatter([row["c"]], [row["factor"]], s=22, facecolors=face, edgecolors=colour[mix])
    for mix, shade in colour.items():
        axes.scatter([], [], s=22, color=shade, label=mix)
    axes.axhline(1.0, color="0.4", linewidth=0.8)
    logarithmic(axes, "c of the realised lengths", "bound / measured regret")
    axes.legend(title="hollow: learning rates fall", fontsize="small")
