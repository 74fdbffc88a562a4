"""Picture of own:adaptive: regret and bound of three learning rates on every instance."""

from typing import Any

from verify.pictures import Figures, rows_of

COLOUR = {"guarantee": "#0b7285", "practical": "#e8590c", "adaptive": "#862e9c"}
LABEL = {
    "guarantee": "smallest guarantee (g = 0.47 to 0.8)",
    "practical": "smallest measured regret (g = 8)",
    "adaptive": "adaptive (delta = 0.001)",
}


def rates(axes: Any, figures: Figures) -> None:
    """One row per family of worlds, a dot for each number of arms and agents, a tick for its bound: every dot is left
    of its tick. The rate with the smallest bound is not the one with the smallest regret; the adaptive one loses least
    in nearly every world."""
    rows = list(figures["rates"]["rows"])
    families = sorted({row["instance"].split(",")[0] for row in rows}, key=lambda name: _typical(rows, name))
    for place, (rate, colour) in enumerate(COLOUR.items()):
        for row in rows:
            y = families.index(row["instance"].split(",")[0]) + 0.26 * (place - 1)
            regret, bound = (row[rate][key] / row["trivial"] for key in ("regret", "bound"))
            axes.plot([regret], [y], "o", color=colour, markersize=5, alpha=0.8)
            axes.plot([bound], [y], "|", color=colour, markersize=8)
        axes.scatter([], [], color=colour, label=LABEL[rate])
    axes.axvline(1.0, color="black", linewidth=1)
    for edge in range(1, len(families)):
        axes.axhline(edge - 0.5, color="0.9", linewidth=0.8)
    axes.set_xscale("log")
    rows_of(axes, families)
    axes.figure.set_size_inches(9.6, 1.3 + 0.5 * len(families))
    axes.set_xlabel("regret (dots) and bound (ticks) over M T, T = 8192; black: known without learning")
    first = sum(row["adaptive"]["regret"] <= min(row[name]["regret"] for name in COLOUR) for row in rows)
    axes.set_title(f"The adaptive rate loses least in {first} of {len(rows)} worlds")


def _typical(rows: list[dict[str, Any]], family: str) -> float:
    """Return the mean share of M T that the adaptive rate loses in a family."""
    mine = [
        row["adaptive"]["regret"] / row["trivial"] for row in rows if row["instance"].startswith(family + ",")
    ]
    return sum(mine) / len(mine)
