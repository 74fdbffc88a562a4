"""Whole runs of every protocol: their ledgers against the declared costs, over T, M and d, and the pictures."""

from __future__ import annotations

from dataclasses import fields, replace
from functools import partial
from typing import Any

import numpy as np

from verify.claim import Evidence, Task
from verify.pictures import PROTOCOL_COLOUR, Figures, colours, logarithmic
from verify.verdict import Verdict

GRIDS = {"T": (16, 64, 256), "M": (1, 3, 9), "d": (1, 3, 6)}
USUAL = {"T": 64, "M": 3, "d": 3}
ROUNDS = 4  # of local methods, whose number of rounds is the user's


def totals(task: Task, forgotten: int = 0) -> Evidence:
    """One run of every protocol at every point of the grids; the control declares one number too few a call."""
    rows: list[dict[str, Any]] = []
    for variable, grid in GRIDS.items():
        for value in grid:
            sizes = USUAL | {variable: value}
            for kind, name, federation in _federations(sizes):
                row = _run(federation, forgotten)
                adaptive = getattr(federation.protocol, "adaptive", False)
                row |= {"kind": kind, "protocol": name, "variable": variable} | sizes
                rows.append(row)
                if row["numbers"] > row["declared"] or (row["numbers"] < row["declared"] and not adaptive):
                    where = f"{kind}, {name}, T = {sizes['T']}, M = {sizes['M']}, d = {sizes['d']}"
                    said = f"{row['numbers']} numbers sent, {row['declared']} declared"
                    return Evidence(Verdict.REFUTED, f"{where}: {said}", {"rows": rows})
    return Evidence(
        Verdict.EXACT,
        f"numbers in the ledgers of {len(rows)} runs equal what their protocols declare (at most, where a protocol"
        " stops by itself)",
        {"rows": rows},
    )


def _run(federation: Any, forgotten: int) -> dict[str, Any]:
    from fedigw.running import run

    sent = [traffic.numbers for traffic in run(federation, np.random.default_rng(0)).traffic]
    plan, promised = federation.plan, federation.guarantee()
    calls = [promised.cost(sum(row)).numbers for epoch, row in enumerate(plan.full) if plan.learns(epoch)]
    return {"numbers": int(sum(sent)), "declared": int(sum(calls)) - forgotten * len(calls)}


def _federations(sizes: dict[str, int]) -> list[tuple[str, str, Any]]:
    """Every protocol of every kind that can learn in a world of these sizes; d counts functions less one, or shared
    coordinates."""
    from fedigw.parts import protocols, suits
    from finite_class.environments import random_table
    from finite_class.kind import KIND as FINITE
    from linear.environments import finite_contexts
    from linear.kind import KIND as LINEAR
    from linear.personalised.environments import opposite_arms
    from linear.personalised.kind import KIND as PERSONALISED

    rng = np.random.default_rng(0)
    horizon, agents, size = sizes["T"], sizes["M"], sizes["d"]
    worlds = (
        (FINITE, random_table.make(rng, size + 1, 2, 2, agents, horizon)),
        (LINEAR, finite_contexts.make(rng, size, 2, 2, agents, horizon)),
        (PERSONALISED, opposite_arms.make(rng, size + 1, 1, 2, 2, agents, horizon)),
    )
    found = []
    for kind, made in worlds:
        for name, protocol in protocols(kind.protocols).items():
            chosen = protocol()
            if not suits(chosen, made.model):
                continue
            for key in {field.name for field in fields(chosen)} & {"rounds", "steps"}:
                chosen = replace(chosen, **{key: ROUNDS})
            found.append((kind.name, name, replace(made, protocol=chosen)))
    return found


def _draw(axes: Any, figures: Figures, kind: str) -> None:
    """Three panels: numbers against T, M and d; lines are declared, dots counted."""
    rows = [row for row in next(iter(figures.values()))["rows"] if row["kind"] == kind]
    names = list(dict.fromkeys(row["protocol"] for row in rows))
    colour_of = colours(PROTOCOL_COLOUR, names)
    axes.axis("off")
    for index, variable in enumerate(GRIDS):
        panel = axes.inset_axes((0.03 + 0.345 * index, 0.0, 0.28, 0.95))
        for place, name in enumerate(names):
            mine = [row for row in rows if row["protocol"] == name and row["variable"] == variable]
            mine.sort(key=lambda row: row[variable])
            grid = [row[variable] for row in mine]
            panel.plot(
                grid, [row["declared"] for row in mine], color=colour_of[name], linewidth=1, label=name
            )
            # rings, the later the smaller: protocols that send equally many stay visible
            size = 4 + 0.9 * (len(names) - place)
            counted = [row["numbers"] for row in mine]
            panel.plot(grid, counted, "o", color=colour_of[name], markersize=size, fillstyle="none")
        logarithmic(panel, variable, "numbers" if index == 0 else "")
        panel.set_xticks(GRIDS[variable], [str(value) for value in GRIDS[variable]])
        panel.minorticks_off()
        panel.tick_params(labelsize=7)
        panel.grid(True, alpha=0.25)


linear = partial(_draw, kind="linear")
finite = partial(_draw, kind="finite_class")
personal = partial(_draw, kind="linear_personalised")
