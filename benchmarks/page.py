"""Write the page of `make bench` in Markdown from its figures.

The column now/then divides a figure by the one that was committed before. A speed above 1 is faster; a time above 1 is
slower.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from race import OWN, SHARED, Row

from verify.report.grid import grid

LIMITS = {
    "10,000 agents, |X| = 50, K = 10, T = 1e6, one law": ("run", 3.0, "s"),
    "linear, different laws, M = 10,000, d = K = 10, |X| = 4": ("memory", 200.0, "MB"),
    "linear, different laws, M = 10,000, d = K = 10, |X| = 10": ("memory", 200.0, "MB"),
}
GUARANTEES = {"before": "sharpened", "observed": "adaptive", "observed, all data": "adaptive, all data"}
HEAD, RACE, OWN_SHAPE = Path(__file__).with_name("page.txt").read_text(encoding="utf-8").split("\n====\n")


def guaranteed(rows: Sequence[Row], steps: int) -> dict[str, Row]:
    """Return, for each kind of guarantee, our fastest row with that guarantee at this number of agent-steps."""
    mine = sorted((row for row in rows if not row.peer and row.steps == steps), key=lambda row: row.rate)
    found = {row.guarantee: row for row in mine}
    return {name: found[name] for name in GUARANTEES if name in found}


def rivals(rows: Sequence[Row], steps: int) -> list[Row]:
    return [row for row in rows if row.peer and row.steps == steps and row.world == SHARED]


def horizons(rows: Sequence[Row]) -> list[int]:
    return sorted({row.steps for row in rows if row.peer} & {row.steps for row in rows if not row.peer})


def page(figures: dict[str, Any]) -> str:
    """Return the page as Markdown. `figures` are those of bench.py; `before` in them are the figures committed
    before."""
    before = figures.get("before", {})
    versions = ", ".join(f"{name} {number}" for name, number in figures["versions"].items()) or "no peer"
    lines = [HEAD.format(machine=figures["machine"], versions=versions), *_in_short(figures), RACE]
    rows, then = ([Row(**row) for row in of.get("race", [])] for of in (figures, before))
    rates = {_key(row): row.rate for row in then}
    for steps in sorted({row.steps for row in rows}):
        mine = [row for row in rows if row.steps == steps and row.world == SHARED]
        lines += [f"### {steps:,} agent-steps", "", *_race(mine, rates), ""]
    own = [row for row in rows if row.world == OWN]
    if own:
        lines += [OWN_SHAPE, *_race(own, rates, regret=False), ""]
    lines += _absent(figures)
    lines += ["### Floors", "", "What a program that draws every coordinate of every arm does at least.", ""]
    floors = [
        (name, f"{rate:,.0f}", _ratio(rate, before.get("floors", {}).get(name)))
        for name, rate in figures["floors"].items()
    ]
    lines += grid(("floor", "agent-steps a processor second", "now/then"), floors)
    lines += ["", *_growth(figures, before), "", *_scale(figures, before)]
    return "\n".join(lines).replace("|X|", "\\|X\\|").replace("|F|", "\\|F\\|") + "\n"


def _in_short(figures: dict[str, Any]) -> list[str]:
    """Return a sentence for each number of agent-steps, then a comparison of every peer with our guaranteed rows."""
    rows = [Row(**row) for row in figures["race"]]
    lines = ["## In short", ""]
    if not horizons(rows):
        return [*lines, "No peer was run: nothing can be said.", ""]
    for steps in horizons(rows):
        mine, peers = guaranteed(rows, steps), rivals(rows, steps)
        ours, best = mine["observed"], mine.get("observed, all data", mine["observed"])
        kinds = {
            "learns after every step": [row for row in peers if row.batch == 1],
            "learns in batches": [row for row in peers if row.batch > 1],
        }
        speeds = [
            f"{ours.rate / max(row.rate for row in group):.3g} times as fast as the fastest library that {kind}"
            for kind, group in kinds.items()
            if group
        ]
        least = min(peers, key=lambda row: row.regret)
        own = "its" if best is ours else f"on all data, at {best.rate / ours.rate:.2g} of this speed, its"
        lines.append(
            f"* {steps:,} agent-steps: FedIGW with adaptive rates runs {' and '.join(speeds)}; {own} regret is"
            f" {best.regret / least.regret:.3g} times that of the best of them, {least.title}."
        )
    lines += [
        "",
        "Only vowpalwabbit and coba have a policy for arms with features. Of the others, which take one context for",
        "all arms, the regression is used in a loop of ours. All batch peers are of that kind.",
        "",
    ]
    for steps in horizons(rows):
        lines += _less_regret(rows, steps)
    lines += ["", "### Every peer", ""]
    lines += ["Ours over the peer's: speed of whole runs, and regret.", ""]
    table = []
    for steps in horizons(rows):
        mine = guaranteed(rows, steps)
        for peer in rivals(rows, steps):
            cells = []
            for own in map(mine.get, GUARANTEES):
                ratios = (own.rate / peer.rate, own.regret / peer.regret) if own else ()
                cells += [f"{ratio:.3g}" for ratio in ratios] or ["", ""]
            table.append((f"{steps:,}", peer.title, *cells))
    heads = [head for rule in GUARANTEES.values() for head in (f"{rule}: speed", "regret")]
    return [*lines, *grid(("agent-steps", "peer", *heads), table), ""]


def _less_regret(rows: Sequence[Row], steps: int) -> list[str]:
    """Return a sentence that names who has less regret than our best guaranteed row, or nothing if nobody has."""
    mine = guaranteed(rows, steps).values()
    if not mine:
        return []
    best = min(mine, key=lambda row: row.regret)
    less = sorted(
        (row for row in rivals(rows, steps) if row.regret < best.regret), key=lambda row: row.regret
    )
    named = ", ".join(f"{row.title} ({row.regret:.4f})" for row in less)
    said = f"less regret a step than it: {named}." if less else "no peer has less regret a step."
    return [f"* At {steps:,} agent-steps our best guaranteed row is {best.name} ({best.regret:.4f}); {said}"]


def _race(rows: Sequence[Row], then: dict[Any, float], regret: bool = True) -> list[str]:
    table = []
    for row in rows:
        calls = f"{row.calls_rate:,.0f}" if row.peer else ""
        lost = f"{row.regret:.4f} ± {row.error:.4f}" if regret else ""
        name = row.title if regret else f"{row.title}, {row.steps:,} steps"
        ratio = _ratio(row.rate, then.get(_key(row)))
        table.append((name, row.seeds, f"{row.rate:,.0f}", calls, lost, _guarantee(row), ratio))
    head = (
        "program",
        "seeds",
        "whole run, steps a second",
        "its calls",
        "regret a step",
        "guaranteed",
        "now/then",
    )
    return grid(head, table)


def _guarantee(row: Row) -> str:
    """Return the table cell of a guarantee. A bound of at least 1, the largest regret of a step, is called vacuous."""
    if row.peer or row.guarantee == "none" or row.bound is None:
        return "" if row.peer else "no bound"
    size = f"at most {row.bound:.3f}" if row.bound < 1 else "vacuous"
    return f"{size}, " + ("before the run" if row.guarantee == "before" else "observed")


def _absent(figures: dict[str, Any]) -> list[str]:
    lines = [f"* {name}: {why} (extra `bench`); it was not run." for name, why in figures["missing"].items()]
    lines += [f"* {name}: failed, {why}" for name, why in figures["failed"].items()]
    return ["### Not run", "", *lines, ""] if lines else []


def _growth(figures: dict[str, Any], before: dict[str, Any]) -> list[str]:
    table = []
    for name, row in figures["growth"].items():
        limit = "" if row["at most"] is None else _met(row["exponent"], row["at most"])
        then = before.get("growth", {}).get(name, {}).get("exponent")
        sizes = ", ".join(f"{size:g}" for size in row["sizes"])
        taken = ", ".join(f"{s:.3g}" for s in row["seconds"])
        table.append(
            (name, sizes, taken, f"{row['exponent']:.2f}", limit, "" if then is None else f"{then:.2f}")
        )
    head = ("against", "sizes", "seconds", "exponent", "asked", "then")
    return ["## Growth of processor time", "", *grid(head, table)]


def _scale(figures: dict[str, Any], before: dict[str, Any]) -> list[str]:
    table = []
    for name, row in figures["scale"].items():
        key, limit, unit = LIMITS.get(name, ("", 0.0, ""))
        asked = _met(row[key], limit, unit) if key else ""
        ratio = _ratio(row["run"], before.get("scale", {}).get(name, {}).get("run"))
        cells = f"{row['make']:.2f}", f"{row['run']:.2f}", f"{row['memory']:.0f}"
        table.append((name, *cells, f"{row['steps'] / max(row['run'], 1e-6):.2e}", asked, ratio))
    head = ("federation", "make, s", "run, s", "MB", "agent-steps a second", "asked", "run now/then")
    return ["## Scale", "", "Each in a process of its own, for its memory.", "", *grid(head, table)]


def _key(row: Row) -> tuple[str, int, str]:
    return row.title, row.steps, row.world


def _ratio(now: float, then: float | None) -> str:
    return "" if not then else f"{now / then:.2f}"


def _met(value: float, limit: float, unit: str = "") -> str:
    return f"at most {limit:g} {unit}".strip() + (": met" if value <= limit else ": NOT MET")
