"""own:protocol_cost. Every FL protocol sends exactly what it declares, or at most that if it may stop early.

printed     the rounds, messages and numbers of a call, up (to the server) and down, equal the declared cost, and so
            do those of a whole run of FedIGW, summed over its calls; a protocol that may stop early sends at most
            its declared cost
"""

from collections.abc import Iterable, Iterator
from dataclasses import fields, replace
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
from verify.claim import Claim, Evidence, Task, Variant, Verdict
from verify.pictures import PROTOCOL_COLOUR, Figures, rows_of

# of whole runs; in the middle what the other two are varied at
GRIDS = {
    "quick": {"T": (4, 8, 32), "M": (1, 2, 5), "d": (1, 2, 5)},
    "full": {"T": (16, 64, 256), "M": (1, 3, 9), "d": (1, 3, 6)},
}
ROUNDS = 4  # of local methods, whose number of rounds is the user's

claim = Claim(
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
    """Yield (kind of environment, name of protocol, protocol, federation) for every protocol and kind of environment in
    which it can learn. linear: the linear environment. size: its dimension; finite classes have size + 1 functions, and
    environments with partly shared parameters size + 1 shared coordinates."""
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
    """Check that one call of every protocol sends what the protocol declares, on a grid of agents, dimensions, rounds
    and participants. Negative control, which must fail: protocols that declare one number fewer than they send."""
    count, adaptive = 0, 0
    sizes = product((1, 3, 8), (1, 2, 5)) if task.full else product((1, 4), (1, 3))
    for federation in _one_call_each(sizes):
        chosen = _forgetful(federation, forgotten) if forgotten else federation
        if problems := ledger_problems(chosen):
            name = federation.protocol.name
            return Evidence(Verdict.REFUTED, f"{name}: {problems[0]}", {"calls": count, "protocol": name})
        count += 1
        adaptive += federation.protocol.adaptive
    said = f"ledgers of {count} calls of every protocol equal their declared cost ({adaptive} of them, which may stop"
    return Evidence(Verdict.EXACT, f"{said} early, are at most that)", {"calls": count, "adaptive": adaptive})


def _one_call_each(sizes: Iterable[tuple[int, int]]) -> Iterator[Any]:
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
    """Check that a whole simulation with every protocol sends as many numbers as the protocol declares for its calls,
    on grids of numbers of steps, agents and coordinates. Negative control, which must fail: one number fewer declared
    for each call."""
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
                return Evidence(Verdict.REFUTED, f"{where}: {said}", {"rows": rows, "usual": usual})
    said = f"numbers in the ledgers of {len(rows)} runs equal what their protocols declare (at most, where a protocol"
    return Evidence(Verdict.EXACT, f"{said} may stop early)", {"rows": rows, "usual": usual})


def _run(federation: Any, forgotten: int) -> dict[str, Any]:
    sent = [traffic.numbers for traffic in run(federation, np.random.default_rng(0)).traffic]
    plan, promised = federation.plan, federation.guarantee()
    declared = [promised.cost(sum(row)).numbers for epoch, row in enumerate(plan.full) if plan.learns(epoch)]
    return {"numbers": int(sum(sent)), "declared": int(sum(declared)) - forgotten * len(declared)}


def federations(sizes: dict[str, int]) -> Iterator[tuple[str, str, Any]]:
    rng = np.random.default_rng(0)
    for kind, name, protocol, made in fitting(rng, finite_contexts, sizes["d"], sizes["M"], sizes["T"]):
        keys = {field.name for field in fields(protocol)} & {"rounds", "steps"}
        yield kind.name, name, replace(made, protocol=replace(protocol, **dict.fromkeys(keys, ROUNDS)))


@claim.plot("Numbers that each protocol sends", "runs", name="numbers")
def numbers_sent(axes: Any, figures: Figures) -> None:
    """The picture has one line for each protocol for linear rewards. The number counted in a simulation is a dot, the
    declared one a ring; each dot lies in its ring. The direct method sends little, accelerated gradient descent
    most."""
    shown = next(iter(figures.values()))
    usual = shown["usual"]
    rows = [row for row in shown["rows"] if row["kind"] == "linear" and usual.items() <= row.items()]
    rows = sorted({row["protocol"]: row for row in rows}.values(), key=lambda row: float(row["numbers"]))
    for place, row in enumerate(rows):
        colour = PROTOCOL_COLOUR.get(row["protocol"], "0.35")
        axes.plot([row["declared"]], [place], "o", color=colour, markersize=10, fillstyle="none")
        axes.plot([row["numbers"]], [place], "o", color=colour, markersize=5)
    rows_of(axes, [row["protocol"] for row in rows])
    axes.set_xscale("log")
    sizes = ", ".join(f"{key} = {value}" for key, value in usual.items())
    axes.set_xlabel(f"numbers, up and down, {sizes} (dots: counted in a run; rings: declared)")
    equal = sum(row["numbers"] == row["declared"] for row in shown["rows"])
    less = sum(row["numbers"] < row["declared"] for row in shown["rows"])
    other = f", {less} send less" if less else ""
    axes.set_title(f"{equal} of {len(shown['rows'])} runs send exactly what their protocol declares{other}")
