"""Write docs/comparison.md, the paper's tables tab:linear and tab:summary with measured numbers.

python -m fedigw_extensions.rivals.page writes the page from the measurements recorded in docs/comparison.json. With
--measure [SYSTEM ...] it measures again first, only these systems if any are named; this takes minutes.
"""

import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from bounds import tab_linear
from fedigw.competing import NEEDS
from fedigw.parts import systems
from fedigw_extensions.rivals.claims.own_comparison import runs, worst
from verify.report.grid import grid

ROOT = Path(__file__).resolve().parents[2]
KEPT = ROOT / "docs" / "comparison.json"
PAGE = ROOT / "docs" / "comparison.md"
TEMPLATE = Path(__file__).with_name("page.md.jinja")
REPLICATIONS, SEED, LEVEL = 20, 0, 0.05
BESIDE = "fedres_sgd"  # epsilon-greedy: nobody promises sqrt T for it


def measured(known: dict[str, Any], names: Sequence[str] = ()) -> dict[str, Any]:
    """Measure the regret of every system in every simulated environment in which it can play, at three horizons, and
    fit how it grows.

    The same is measured at the gap between arms at which a system loses most, for systems with a proved regret of order
    sqrt T and for FedRes.SGD. names: measure only these systems, and take the others from `known`, earlier results."""
    fixed: dict[str, Any] = {"rows": [], "exponents": []}
    hardest: dict[str, Any] = {"rows": [], "exponents": []}

    def enter(to: dict[str, Any], old: Any, of: tuple[str, str], measure: Callable[..., Any]) -> None:
        if names and of[1] not in names:
            found = [[row for row in old[key] if (row["world"], row["system"]) == of] for key in to]
        else:
            found = measure(*of)
        for key, rows in zip(to, found, strict=True):
            to[key] += [{name: value for name, value in row.items() if name != "regret"} for row in rows]

    for place in runs.WORLDS:
        for name in playing(place):
            enter(fixed, known, (place, name), _on_one_world)
        beside = [name for name in runs.fitting(place) if name == BESIDE]
        for name in worst.promised(place) + beside:
            enter(hardest, known.get("worst"), (place, name), _at_hardest)
    return fixed | {"worst": hardest}


def playing(place: str) -> list[str]:
    """Return the systems that play in the simulated environment `place`, FedIGW in several variants among them."""
    first, *others = runs.fitting(place)
    return [first, *runs.at_its_best(place), *others]


def _on_one_world(place: str, name: str) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    rows = one(place, name)
    # by messages FedIGW is too slow for other horizons than the table's
    longer = not name.startswith(runs.FEDIGW) or name == "fedigw, direct"
    mine = one(place, name, runs.fit_horizons(name)) if longer else rows
    return rows, [runs.fitted(place, name, mine, LEVEL)]


def _at_hardest(place: str, name: str) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    rows = worst.measure(place, name, worst.horizons(name), np.random.SeedSequence(SEED))
    return rows, [worst.fitted(place, name, rows, LEVEL)]


def one(place: str, name: str, horizons: Sequence[int] = runs.HORIZONS) -> list[dict[str, Any]]:
    return runs.measure(place, [name], horizons, REPLICATIONS, np.random.SeedSequence(SEED))


def page(kept: dict[str, Any]) -> str:
    from jinja2 import Environment, StrictUndefined

    tables = []
    for place, about in runs.WORLDS.items():
        if mine := [row for row in kept["rows"] if row["world"] == place]:
            tables.append((place, about, _table(place, mine, kept["exponents"])))
    exponents = kept["worst"]["exponents"]
    outside = [e for e in exponents if e["low"] > e["limit"] or e["high"] < e["least"]]
    words = {
        "runs": runs,
        "replications": REPLICATIONS,
        "seed": SEED,
        "short": _short(kept["rows"]),
        "tables": tables,
        "hardest": _hardest(kept["worst"]),
        "promised": sum(e["system"] != BESIDE for e in exponents),
        "outside": ", ".join(f"`{e['system']}` on {e['world']} ({e['slope']:.2f})" for e in outside),
        "places": _places(),
        "printed": _printed(),
    }
    template = Environment(undefined=StrictUndefined, autoescape=False, keep_trailing_newline=True)
    return template.from_string(TEMPLATE.read_text(encoding="utf-8")).render(words)


def _short(rows: list[dict[str, Any]]) -> str:
    horizon, found = runs.HORIZONS[-1], []
    for place in runs.WORLDS:
        lost = {row["system"]: row for row in rows if (row["world"], row["T"]) == (place, horizon)}
        rival = min((name for name in lost if name in systems()), key=lambda name: float(lost[name]["mean"]))
        own = runs.fitting(place)[0], runs.at_its_best(place)[-1]
        cells = [f"{lost[name]['mean']:.0f} ± {2 * lost[name]['error']:.0f}" for name in (*own, rival)]
        found.append((place, *cells[:2], f"{cells[2]} (`{rival}`)"))
    return "\n".join(grid(("world", "guaranteed rate", "adaptive rate, all data", "best rival"), found))


def _table(place: str, rows: list[dict[str, Any]], exponents: list[dict[str, Any]]) -> str:
    horizons = list(dict.fromkeys(row["T"] for row in rows))
    head = [f"regret, T = {horizon}" for horizon in horizons]
    found: list[tuple[str, ...]] = []
    for name in dict.fromkeys(row["system"] for row in rows):
        mine = {row["T"]: row for row in rows if row["system"] == name}
        last = mine[horizons[-1]]
        paper = "this paper" if name.startswith(runs.FEDIGW) else systems()[name].paper
        fit = next(e for e in exponents if e["world"] == place and e["system"] == name)
        cells = [f"{mine[h]['mean']:.0f} ± {2 * mine[h]['error']:.0f}" for h in horizons]
        between = f"2^{fit['T'][0].bit_length() - 1} to 2^{fit['T'][-1].bit_length() - 1}"
        grown = f"{fit['slope']:.2f} [{fit['low']:.2f}, {fit['high']:.2f}] ({between})"
        found.append((f"`{name}`", paper, *cells, grown, f"{last['numbers']:.0f}", f"{last['formula']:.4g}"))
    last_column = (f"numbers at T = {horizons[-1]}", "at most")
    return "\n".join(grid(("system", "paper", *head, "exponent (T)", *last_column), found))


def _hardest(kept: dict[str, Any]) -> str:
    head = ("world", "system", "T", "hardest gap", "regret", "share", "exponent", "permitted")
    rows = []
    for fit in kept["exponents"]:
        of = fit["world"], fit["system"]
        mine = [row for row in kept["rows"] if (row["world"], row["system"]) == of]
        sent, most = mine[-1]["numbers"], mine[-1]["formula"]
        steps = [runs.AGENTS * row["T"] for row in mine]
        scaled = [row["mean"] / n**0.5 for row, n in zip(mine, steps, strict=True)]
        cells = (
            [f"2^{row['T'].bit_length() - 1}" for row in mine],
            [f"{row['gap']:.3g}" for row in mine],
            [f"{row['mean']:.0f} ± {2 * row['error']:.0f}" for row in mine],
            [f"{row['share']:.2f}" for row in mine],
            [f"{fit['slope']:.2f} [{fit['low']:.2f}, {fit['high']:.2f}]"],
            [f"{fit['least']:.2f} to {fit['limit']:.2f}"],
            [f"{value:.2f}" for value in scaled],
            [f"{value / np.log(n):.2f}" for value, n in zip(scaled, steps, strict=True)],
            [f"{sent:.0f}" if most else "not counted"],
            [f"{most:.4g}" if most else ""],
        )
        rows.append((of[0], f"`{of[1]}`", *map(", ".join, cells)))
    more = ("regret/sqrt(MT)", "regret/(sqrt(MT) ln(MT))", "numbers", "at most")
    return "\n".join(grid((*head, *more), rows))


def _places() -> str:
    rows = []
    for name, part in systems().items():
        same = "same arms" in part.needs or "known law" in part.needs
        cells = (
            f"`{name}`",
            "; ".join(NEEDS[need] for need in part.needs) or "nothing",
            "yes" if part.clocks else "no: its rounds are of all agents",
            "no: the arms are the same for all" if same else "yes",
            "one context" if part.tabular else "no: it learns a parameter",
        )
        rows.append(cells)
    return "\n".join(grid(("system", "needs", "clocks", "different K_m", "a finite class"), rows))


def _printed() -> str:
    of = {reference: name for name, reference in runs.REFERENCE.items()}
    rows = [
        (
            *(row[key] for key in ("reference", "arms", "context")),
            f"{row['regret']} = {row['regret_order']:.0f}",
            f"{row['numbers']} = {row['numbers_order']:.4g}",
            f"`{of[row['reference']]}`",
        )
        for row in tab_linear.evaluated(runs.AGENTS, runs.ARMS, runs.DIMENSION, runs.HORIZONS[-1], 0.1)
    ]
    return "\n".join(grid(("row", "arms", "contexts", "regret", "numbers", "here"), rows))


def main(words: Sequence[str]) -> None:
    known = json.loads(KEPT.read_text(encoding="utf-8"))
    if words and words[0] == "--measure":
        known = json.loads(json.dumps(measured(known, words[1:])))
        KEPT.write_text(json.dumps(known, indent=1) + "\n", encoding="utf-8")
    PAGE.write_text(page(known), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
