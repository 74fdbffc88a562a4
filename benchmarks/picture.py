"""Draw the picture of `make bench`: the regret of four programs in every environment, and the speed of each library.
Both are of the runs with the smallest number of steps.
"""

from pathlib import Path
from typing import Any

from page import FAST, LINUCB, PLAYED, WIDE
from race import SHARED, WORLDS, Row

DOTS = {  # the programs of the left panel: label and colour
    (PLAYED, 0): ("FedIGW, adaptive, all data", "#0b7285"),
    (WIDE, 100): ("LinUCB, width of its theorem", "#862e9c"),
    (LINUCB, 100): ("LinUCB, alpha = 1 (no guarantee)", "#e8590c"),
    ("vowpalwabbit SquareCB with default settings", 1): ("SquareCB, vowpalwabbit", "#495057"),
}


def draw(figures: dict[str, Any], path: Path) -> None:
    import matplotlib
    from matplotlib.figure import Figure

    rows = [Row(**recorded) for recorded in figures["race"]]
    steps = min(row.steps for row in rows)
    rows = [row for row in rows if row.steps == steps]
    with matplotlib.rc_context({"svg.fonttype": "none", "svg.hashsalt": "benchmarks", "font.size": 10}):
        figure = Figure(figsize=(11, 4.2), layout="constrained")
        left, right = figure.subplots(1, 2)
        _regret(left, rows)
        _speed(right, [row for row in rows if row.world == SHARED])
        left.set_title(f"Regret a step after {steps:,} (less is better)", loc="left")
        right.set_title("Agent-steps a second (more is better)", loc="left")
        figure.legend(*left.get_legend_handles_labels(), loc="outside lower left", ncols=4, fontsize=8)
        figure.savefig(path, metadata={"Date": None} if path.suffix == ".svg" else None)


def _regret(panel: Any, rows: list[Row]) -> None:
    worlds = [name for name in WORLDS if any(row.world == name for row in rows)]
    for i, (key, (label, colour)) in enumerate(DOTS.items()):
        found = {row.world: row for row in rows if (row.name, row.batch) == key}
        seen = [world for world in worlds if world in found]
        height = [worlds.index(world) + 0.12 * (i - 1.5) for world in seen]
        panel.errorbar(
            [found[world].regret for world in seen],
            height,
            xerr=[found[world].error for world in seen],
            fmt="o",
            color=colour,
            label=label,
        )
    panel.set(xscale="log", yticks=range(len(worlds)), yticklabels=worlds)
    panel.invert_yaxis()
    panel.grid(axis="x", alpha=0.3)


def _speed(panel: Any, rows: list[Row]) -> None:
    best: dict[str, Row] = {}
    for row in rows:
        name = row.name if row.name in (PLAYED, FAST) else row.peer
        if name and (name not in best or best[name].rate < row.rate):
            best[name] = row
    order = sorted(best.values(), key=lambda row: row.rate)
    bars = panel.barh(
        [row.title.replace(", 10 agents", "").replace(" with default", "\nwith default") for row in order],
        [row.rate for row in order],
        color=["0.65" if row.peer else "#0b7285" for row in order],
    )
    panel.bar_label(bars, [f"{row.rate:,.0f}" for row in order], padding=3, fontsize=8)
    panel.set(xscale="log")
    panel.set_xlim(right=20 * order[-1].rate)  # room for its figure
