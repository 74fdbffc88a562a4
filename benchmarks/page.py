"""Write the page of `make bench` in Markdown from the measured numbers, with one section per question.

The column now/then divides a number by its previously committed value. A speed above 1 is faster; a time above 1 is
slower.
"""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from race import SHARED, WORLDS, Row

from verify.report.grid import grid

LIMITS = {
    "10,000 agents, |X| = 50, K = 10, T = 1e6, one law": ("run", 3.0, "s"),
    "linear, different laws, M = 10,000, d = K = 10, |X| = 4": ("memory", 200.0, "MB"),
    "linear, different laws, M = 10,000, d = K = 10, |X| = 10": ("memory", 200.0, "MB"),
}
HEAD, REGRET, GOAL, OBSTACLE, SPEED = (
    Path(__file__).with_name("page.txt").read_text(encoding="utf-8").split("====\n")
)
PLAYED = "FedIGW, adaptive rates, all data, 10 agents"  # the setting that is recommended for play
FAST = "FedIGW, adaptive rates, 10 agents"
LINUCB, WIDE = "contextualbandits LinUCB", "contextualbandits LinUCB at its theorem's width"
GOALS = {"LinUCB": 1.3, "bound": 6.0, "SquareCB": 1.0}


def page(figures: dict[str, Any]) -> str:
    """Return the page as Markdown. figures: the measured numbers, as bench.py returns them. Its key `before` holds
    those committed last, with which they are compared."""
    before = figures.get("before", {})
    rows, then = ([Row(**row) for row in of.get("race", [])] for of in (figures, before))
    versions = ", ".join(f"{name} {number}" for name, number in figures["versions"].items()) or "no peer"
    short = "\n".join(f"* {sentence}" for sentence in in_short(rows)) or "No peer was run."
    lines = [HEAD.format(short=short, machine=figures["machine"], versions=versions), REGRET]
    for steps in sorted({row.steps for row in rows}):
        lines += [f"### {steps:,} agent-steps", "", *_regret([row for row in rows if row.steps == steps]), ""]
    lines += [
        GOAL,
        *_goal(rows),
        "",
        OBSTACLE,
        "",
        SPEED,
        *_speed([row for row in rows if row.world == SHARED], then),
        "",
    ]
    floors = [(name, f"{rate:,.0f}") for name, rate in figures["floors"].items()]
    lines += ["What a program that draws every coordinate of every arm does at least:", ""]
    lines += grid(("floor", "agent-steps a processor second"), floors)
    lines += _rounds(figures.get("rounds", {}))
    lines += ["", *_growth(figures, before), "", *_scale(figures, before), *_absent(figures)]
    return "\n".join(lines).replace("|X|", "\\|X\\|").replace("|F|", "\\|F\\|") + "\n"


def in_short(rows: Sequence[Row]) -> list[str]:
    """Return up to three sentences that summarise the race against other libraries: FedIGW's speed, its regret and its
    regret bound. A sentence whose measurements are missing is left out."""
    speeds = {
        "every step": [_fastest(rows, steps, one=True) for steps in _steps(rows)],
        "in batches": [_fastest(rows, steps, one=False) for steps in _steps(rows)],
    }
    fast = [
        f"{_range(filter(None, ratios))} times as fast as the fastest library that learns {kind}"
        for kind, ratios in speeds.items()
        if any(ratios)
    ]
    said = [f"FedIGW with adaptive rates runs {' and '.join(fast)}."] if fast else []
    plain, wide = _ratios(rows, LINUCB), _ratios(rows, WIDE)
    if plain and wide:
        said.append(
            f"On all data its regret is {_range(wide)} times that of LinUCB (batch 100) at the width for which"
            f" LinUCB has a theorem, and {_range(plain)} times that of LinUCB with alpha = 1, which has no guarantee."
        )
    bounds = [row.bound / row.regret for row in rows if row.name == PLAYED and row.bound]
    if bounds:
        said.append(
            f"The bound that the run reports on its own regret is {_range(bounds)} times that regret."
        )
    return said


def _steps(rows: Iterable[Row]) -> list[int]:
    return sorted({row.steps for row in rows})


def _fastest(rows: Sequence[Row], steps: int, one: bool) -> float | None:
    """Return FedIGW's speed divided by that of the fastest other library that learns after every step (`one`), or else
    in batches; None if either was not measured. steps: the number of steps of the runs compared."""
    of = [row for row in rows if row.steps == steps and row.world == SHARED]
    ours = [row.rate for row in of if row.name == FAST]
    peers = [row.rate for row in of if row.peer and (row.batch == 1) is one]
    return max(ours) / max(peers) if ours and peers else None


def _ratios(rows: Sequence[Row], peer: str) -> list[float]:
    """Return FedIGW's regret divided by that of the program `peer` with batch 100, in every environment and at every
    number of steps that both ran."""
    lost = {(row.world, row.steps): row.regret for row in rows if row.name == peer and row.batch == 100}
    ours = [row for row in rows if row.name == PLAYED and (row.world, row.steps) in lost]
    return [row.regret / lost[row.world, row.steps] for row in ours]


def _range(values: Iterable[float]) -> str:
    found = sorted(values)
    low, high = (f"{value:.0f}" if value >= 10 else f"{value:.2g}" for value in (found[0], found[-1]))
    return low if low == high else f"{low} to {high}"


def _regret(rows: Sequence[Row]) -> list[str]:
    worlds = [name for name in WORLDS if any(row.world == name for row in rows)]
    cells = {(row.title, row.world): _lost(row) for row in rows}
    table = [
        (title, *(cells.get((title, world), "") for world in worlds))
        for title in dict.fromkeys(row.title for row in rows)
    ]
    return grid(("program", *worlds), table)


def _goal(rows: Sequence[Row]) -> list[str]:
    """Return a table of the ratios that GOALS bounds, in every environment and at every number of steps that FedIGW
    ran with ten agents and all data."""
    found: dict[tuple[str, str, int], float] = {}
    for row in rows:  # of vowpalwabbit's settings the better one
        key = ("SquareCB" if row.peer == "vowpalwabbit" else row.title, row.world, row.steps)
        found[key] = min(row.regret, found.get(key, row.regret))
    table = []
    for row in (row for row in rows if row.name == PLAYED and row.bound):
        plain, wide, weighed = (
            found.get((peer, row.world, row.steps))
            for peer in (f"{LINUCB}, batch 100", f"{WIDE}, batch 100", "SquareCB")
        )
        ratios = {
            "LinUCB": plain and row.regret / plain,
            "bound": (row.bound or 0.0) / row.regret,
            "SquareCB": weighed and row.regret / weighed,
        }
        missed = [name for name, ratio in ratios.items() if ratio and ratio > GOALS[name]]
        cells = (f"{ratio:.2f}" if ratio else "" for ratio in (*ratios.values(), wide and row.regret / wide))
        table.append((row.world, f"{row.steps:,}", *cells, f"no: {', '.join(missed)}" if missed else "yes"))
    head = ("world", "agent-steps", *(f"{name}, at most {most:g}" for name, most in GOALS.items()))
    return grid((*head, "LinUCB at its theorem's width", "goal met"), table)


def _lost(row: Row) -> str:
    text = f"{row.regret:.5f} ± {row.error:.5f}"
    if row.bound is None:
        return text
    bound = f"at most {row.bound:.4f}" if row.bound < 1 else "vacuous"  # a step loses at most 1
    return f"{text}; {bound}, {'before the run' if row.guarantee == 'before' else 'observed'}"


def _speed(rows: Sequence[Row], then: Sequence[Row]) -> list[str]:
    steps = _steps(rows)
    past = {(row.title, row.steps): row.rate for row in then if row.world == SHARED}
    table = []
    for title in dict.fromkeys(row.title for row in rows):
        found = {row.steps: row for row in rows if row.title == title}
        cells = [
            f"{row.rate:,.0f}" + (f" ({row.calls_rate:,.0f})" if row.peer else "") if row else ""
            for row in map(found.get, steps)
        ]
        last = found[max(found)]
        table.append((title, *cells, _ratio(last.rate, past.get((title, last.steps)))))
    return grid(("program", *(f"{count:,} agent-steps" for count in steps), "now/then"), table)


def _absent(figures: dict[str, Any]) -> list[str]:
    lines = [f"* {name}: {why} (extra `bench`); it was not run." for name, why in figures["missing"].items()]
    lines += [f"* {name}: failed, {why}" for name, why in figures["failed"].items()]
    return ["", "## Not run", "", *lines] if lines else []


def _rounds(rounds: dict[str, dict[str, float]]) -> list[str]:
    if not rounds:
        return []
    said = "A round of FedAvg with full gradients: 100 agents, 100 samples each, d = 100, 10 local steps."
    head, table = ("loss", "ms a round", "the same in bare numpy, ms", "ratio", "limit"), []
    for name, row in rounds.items():
        ratio = row["ours"] / row["numpy"]
        table.append((name, f"{row['ours']:.2f}", f"{row['numpy']:.2f}", f"{ratio:.2f}", _met(ratio, 1.5)))
    return ["", said, "", *grid(head, table)]


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
    head = ("against", "sizes", "seconds", "exponent", "limit", "then")
    return ["## How does time grow?", "", *grid(head, table)]


def _scale(figures: dict[str, Any], before: dict[str, Any]) -> list[str]:
    table = []
    for name, row in figures["scale"].items():
        key, limit, unit = LIMITS.get(name, ("", 0.0, ""))
        asked = _met(row[key], limit, unit) if key else ""
        ratio = _ratio(row["run"], before.get("scale", {}).get(name, {}).get("run"))
        cells = f"{row['make']:.2f}", f"{row['run']:.2f}", f"{row['memory']:.0f}"
        table.append((name, *cells, f"{row['steps'] / max(row['run'], 1e-6):.2e}", asked, ratio))
    head = ("federation", "make, s", "run, s", "MB", "agent-steps a second", "limit", "run now/then")
    lines = ["## How large?", "", "Each in a process of its own, for its memory.", "", *grid(head, table)]
    if found := figures.get("largest"):
        said = "The largest size, a first guess times a power of 2, that runs within 10 s of processor time and 1 GB:"
        lines += ["", said, "", *_largest(found)]
    return lines


def _largest(found: dict[str, Any]) -> list[str]:
    table = [
        (name, f"{row['size']:,}", f"{row['seconds']:.1f}", f"{row['memory']:.0f}", f"{row['too large']:,}")
        for name, row in found.items()
    ]
    return grid(("what grows", "reached", "s", "MB", "too large"), table)


def _ratio(now: float, then: float | None) -> str:
    return "" if not then else f"{now / then:.2f}"


def _met(value: float, limit: float, unit: str = "") -> str:
    return f"at most {limit:g} {unit}".strip() + ("" if value <= limit else ": EXCEEDED")
