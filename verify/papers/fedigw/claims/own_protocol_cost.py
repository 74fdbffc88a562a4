"""own:protocol_cost. What a call of a protocol sends is what the protocol declares.

printed     rounds, messages and numbers of a call, up and down, equal the declared cost; a protocol that stops when the
            gradient tells it to sends at most that; so does a whole run of FedIGW, summed over its calls
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import fields, replace
from functools import partial
from itertools import product
from typing import Any

import numpy as np

from fedigw.conformance import ledger_problems
from fedigw.parts import protocols, suits
from fedigw.running import run
from finite_class.environments import random_table
from finite_class.federations import KIND as FINITE
from linear.environments import different_laws, finite_contexts
from linear.federations import KIND as LINEAR
from linear.personalised.environments import opposite_arms
from linear.personalised.federations import KIND as PERSONALISED
from verify.claim import Claim, Evidence, Task, Variant
from verify.pictures import PROTOCOL_COLOUR, Figures, colours, logarithmic
from verify.verdict import Verdict

# of whole runs; in the middle what the other two are varied at
GRIDS = {
    "quick": {"T": (4, 16, 64), "M": (1, 2, 6), "d": (1, 2, 6)},
    "full": {"T": (16, 64, 256), "M": (1, 3, 9), "d": (1, 3, 6)},
}
ROUNDS = 4  # of local methods, whose number of rounds is the user's

claim = Claim(
    label="own:protocol_cost",
    title="Ledgers are the declared costs",
    section="FL protocols",
    tags=("fl", "communication"),
    variants={
        "printed": Variant(
            r"\text{ledger of a call equals the declared cost}",
            ("the calls that were made",),
            Verdict.EXACT,
        )
    },
)


def fitting(
    rng: np.random.Generator, linear: Any, size: int, agents: int, horizon: int
) -> Iterator[tuple[Any, str, Any, Any]]:
    """Every protocol of every kind that can learn in a world of these sizes: kind, name, protocol, federation. size:
    functions less one, or dimensions, or shared coordinates less one. linear: the environment of the linear kind."""
    worlds = (
        (FINITE, random_table.make(rng, size + 1, 2, 2, agents, horizon)),
        (LINEAR, linear.make(rng, size, 2, 2, agents, horizon)),
        (PERSONALISED, opposite_arms.make(rng, size + 1, 1, 2, 2, agents, horizon)),
    )
    for kind, made in worlds:
        for name, protocol in protocols(kind.protocols).items():
            if suits(protocol(), made.model):
                yield kind, name, protocol(), made


@claim.check("printed", control=dict(forgotten=1), name="ledger")
def calls(task: Task, forgotten: int = 0) -> Evidence:
    """Every protocol of every kind on a grid of agents, dimensions, rounds and participants; the control declares
    `forgotten` numbers too few."""
    count, adaptive = 0, 0
    sizes = product((1, 3, 8), (1, 2, 5)) if task.full else product((1, 4), (1, 3))
    for federation in _one_call_each(sizes):
        chosen = _forgetful(federation, forgotten) if forgotten else federation
        if problems := ledger_problems(chosen):
            name = federation.protocol.name
            return Evidence(Verdict.REFUTED, f"{name}: {problems[0]}", {"calls": count, "protocol": name})
        count += 1
        adaptive += federation.protocol.adaptive
    return Evidence(
        Verdict.EXACT,
        f"ledgers of {count} calls of every protocol equal their declared cost ({adaptive} of them, which stop when"
        " the gradient tells them to, are at most that)",
        {"calls": count, "adaptive": adaptive},
    )


def _one_call_each(sizes: Iterable[tuple[int, int]]) -> Iterator[Any]:
    """Federations of two epochs of (agents, dimension) `sizes` with every combination of rounds and participants."""
    rng = np.random.default_rng(0)
    for agents, size in sizes:
        for _, _, protocol, made in fitting(rng, different_laws, size, agents, 4):
            keys = {field.name for field in fields(protocol)}
            changes: list[dict[str, int]] = [{"rounds": 1}, {"rounds": 4}] if "rounds" in keys else [{}]
            if {"rounds", "participants"} <= keys:
                changes.append({"rounds": 3, "participants": max(1, agents // 2)})
            for changed in changes:
                yield replace(made, protocol=replace(protocol, **changed))


def _forgetful(federation: Any, numbers: int) -> Any:
    """The same federation with a protocol that declares a few numbers too few."""
    original = federation.protocol

    def less(cost: Any) -> Any:
        return replace(cost, numbers_up=cost.numbers_up - numbers)

    class Forgetful(type(original)):  # type: ignore[misc]
        def guarantee(self, setting: Any) -> Any:
            promised = super().guarantee(setting)
            return replace(promised, cost=lambda n: less(promised.cost(n)))

    values = {field.name: getattr(original, field.name) for field in fields(original)}
    return replace(federation, protocol=Forgetful(**values))


@claim.check("printed", control=dict(forgotten=1), name="runs")
def totals(task: Task, forgotten: int = 0) -> Evidence:
    """One run of every protocol of every kind at every point of the grids over T, M and d; the control declares one
    number too few a call."""
    rows: list[dict[str, Any]] = []
    grids = GRIDS[task.profile]
    usual = {variable: grid[1] for variable, grid in grids.items()}
    for sizes in [usual, *(usual | {v: value} for v, grid in grids.items() for value in grid[::2])]:
        for kind, name, federation in federations(sizes):
            row = _run(federation, forgotten) | {"kind": kind, "protocol": name} | sizes
            rows.append(row)
            adaptive = federation.protocol.adaptive
            if row["numbers"] > row["declared"] or (row["numbers"] < row["declared"] and not adaptive):
                where = f"{kind}, {name}, T = {sizes['T']}, M = {sizes['M']}, d = {sizes['d']}"
                said = f"{row['numbers']} numbers sent, {row['declared']} declared"
                return Evidence(Verdict.REFUTED, f"{where}: {said}", {"rows": rows})
    return Evidence(
        Verdict.EXACT,
        f"numbers in the ledgers of {len(rows)} runs equal what their protocols declare (at most, where a protocol"
        " stops by itself)",
        {"rows": rows, "usual": usual},
    )


def _run(federation: Any, forgotten: int) -> dict[str, Any]:
    sent = [traffic.numbers for traffic in run(federation, np.random.default_rng(0)).traffic]
    plan, promised = federation.plan, federation.guarantee()
    declared = [promised.cost(sum(row)).numbers for epoch, row in enumerate(plan.full) if plan.learns(epoch)]
    return {"numbers": int(sum(sent)), "declared": int(sum(declared)) - forgotten * len(declared)}


def federations(sizes: dict[str, int]) -> Iterator[tuple[str, str, Any]]:
    """Kind, protocol and federation of a whole run of each that can learn in a world of these sizes."""
    rng = np.random.default_rng(0)
    for kind, name, protocol, made in fitting(rng, finite_contexts, sizes["d"], sizes["M"], sizes["T"]):
        keys = {field.name for field in fields(protocol)} & {"rounds", "steps"}
        yield kind.name, name, replace(made, protocol=replace(protocol, **dict.fromkeys(keys, ROUNDS)))


def _draw(axes: Any, figures: Figures, kind: str) -> None:
    """Three panels: numbers against T, M and d; lines are declared, dots counted."""
    shown = next(iter(figures.values()))
    usual, rows = shown["usual"], [row for row in shown["rows"] if row["kind"] == kind]
    names = list(dict.fromkeys(row["protocol"] for row in rows))
    colour_of = colours(PROTOCOL_COLOUR, names)
    axes.axis("off")
    for index, variable in enumerate(usual):
        others = [key for key in usual if key != variable]
        panel = axes.inset_axes((0.03 + 0.345 * index, 0.0, 0.28, 0.95))
        for place, name in enumerate(names):
            mine = [r for r in rows if r["protocol"] == name and all(r[key] == usual[key] for key in others)]
            mine.sort(key=lambda row: row[variable])
            grid = [row[variable] for row in mine]
            declared = [row["declared"] for row in mine]
            panel.plot(grid, declared, color=colour_of[name], linewidth=1, label=name)
            # rings, the later the smaller: protocols that send equally many stay visible
            size = 4 + 0.9 * (len(names) - place)
            counted = [row["numbers"] for row in mine]
            panel.plot(grid, counted, "o", color=colour_of[name], markersize=size, fillstyle="none")
        logarithmic(panel, variable, "numbers" if index == 0 else "")
        panel.set_xticks(grid, [str(value) for value in grid])
        panel.minorticks_off()
        panel.tick_params(labelsize=7)
        panel.grid(True, alpha=0.25)


for name, kind, title, caption in (
    (
        "linear",
        "linear",
        "ledgers of runs (rings), linear",
        "Every ring, a count in the ledger of a run, lies on the line of what its protocol declares. The direct method"
        " sends least, accelerated gradient descent most; rings inside one another are protocols that send equally"
        " many.",
    ),
    (
        "finite",
        "finite_class",
        "ledgers of runs (rings), finite class",
        "Rings, counts in the ledgers of runs, lie on the line of what the exact minimiser declares: it sends a loss"
        " for every function, so the numbers grow with the class.",
    ),
    (
        "personalised",
        "linear_personalised",
        "ledgers (rings), personalised",
        "As before with a shared and a personal block: only the shared block travels. Every ring lies on its line.",
    ),
):
    drawn = partial(_draw, kind=kind)
    claim.plot(f"Numbers sent: declared (lines), {title}", "runs", name=name, caption=caption)(drawn)
