"""Worst-case search: the instance with the largest measured/bound ratio that a budget finds.

Random restarts, half of them from the worst instances kept so far, and moves to better neighbours. The worst ones are
kept as instance files in verify/experiments/worst/ and replayed by every later run: what was once seen is never
forgotten. A campaign only reads that folder, so its results stay the same; `python -m verify search` adds to it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from bounds.errors import InputError
from fedigw.instance_file import to_toml
from fedigw.record import replace_text
from verify.claim import Check, Evidence, Search, Task
from verify.paper import file_name
from verify.verdict import Verdict

KEPT = Path(__file__).parent / "worst"
STUCK = 25  # neighbours in a row that are no worse, after which a restart pays more


@dataclass(frozen=True)
class Found:
    ratio: float
    instance: Any


def climb(search: Search, rng: np.random.Generator, budget: int, known: list[Any]) -> Found | None:
    """The largest ratio in `budget` evaluations; None if every instance was outside the claim's reach."""
    best: Found | None = None
    spent = restarts = 0
    while spent < budget:
        begin = known[restarts // 2 % len(known)] if known and restarts % 2 == 0 else search.start(rng)
        restarts += 1
        current, ratio, stuck = begin, evaluate(search, begin), 0
        spent += 1
        while spent < budget and stuck < STUCK:
            candidate = search.neighbour(current, rng)
            value = evaluate(search, candidate)
            spent, stuck = spent + 1, stuck + 1
            if value is not None and (ratio is None or value > ratio):
                current, ratio, stuck = candidate, value, 0
        if ratio is not None and (best is None or ratio > best.ratio):
            best = Found(ratio, current)
    return best


def evaluate(search: Search, instance: Any) -> float | None:
    """The ratio in floats; an instance whose law cannot be computed counts as outside the search."""
    try:
        return search.ratio(instance, False)
    except InputError:
        return None


def kept_files(label: str, variant: str) -> list[Path]:
    return sorted(KEPT.glob(f"{file_name(label)}--{variant}--*.toml"))


def kept(label: str, variant: str) -> list[Any]:
    """The instances kept for a claim's variant, oldest first."""
    from verify.experiments.instances import load

    return [load(path) for path in kept_files(label, variant)]


def keep(label: str, variant: str, found: Found) -> Path:
    """Add an instance to the record, under the next free number."""
    path = KEPT / f"{file_name(label)}--{variant}--{len(kept_files(label, variant)) + 1:03d}.toml"
    KEPT.mkdir(exist_ok=True)
    comment = f"{label}, {variant}: measured/bound = {found.ratio:.6f}"
    replace_text(
        path, to_toml(found.instance.describe(), (comment, f"python -m verify exact {relative(path)}"))
    )
    return path


def relative(path: Path) -> str:
    return path.relative_to(KEPT.parent.parent).as_posix()


def check(label: str, search: Search) -> Check:
    """The check that every campaign makes of a search: replay what is kept, look further, and refute above 1.

    Its control takes a bound that is known to be exceeded: a third of the true one against the kept record.
    """
    return Check(
        f"worst-{search.variant}",
        search.variant,
        partial(_look, label=label, search=search),
        partial(_look, label=label, search=search, shrink=search.control_shrink),
        "search for the largest measured/bound ratio, and the worst instances kept so far",
    )


def _look(task: Task, label: str, search: Search, shrink: float = 1.0) -> Evidence:
    known, files = kept(label, search.variant), kept_files(label, search.variant)
    ratios = [search.ratio(instance, True) for instance in known]
    budget = search.full if task.full else search.quick
    found = climb(search, task.rng(), budget, known) if shrink == 1 else None
    record = max((r for r in ratios if r is not None), default=0.0)
    proved = found and search.ratio(found.instance, True)
    best, instance, replay = record, None, None
    if known:
        index = max(range(len(known)), key=lambda i: ratios[i] or 0.0)
        instance, replay = known[index], f"python -m verify exact {relative(files[index])}"
    if found and proved and proved > record * (1 + 1e-9):
        best, instance = proved, found.instance
        replay = f"python -m verify exact DIR/instances/{file_name(label)}--worst-{search.variant}.toml"
    ratio = best / shrink
    figures = {
        "worst_ratio": ratio,
        "kept_ratio": record,
        "replayed": len(known),
        "evaluations": budget if shrink == 1 else 0,
        "new": best > record * (1 + 1e-9),
    }
    described = None if instance is None else instance.describe()
    if ratio > 1:
        return Evidence(
            Verdict.REFUTED, f"measured/bound = {ratio:.4f} > 1", figures, replay=replay, instance=described
        )
    news = "; NEW WORST" if figures["new"] else ""
    return Evidence(
        Verdict.EXACT if instance is not None else Verdict.INCONCLUSIVE,
        f"worst measured/bound ratio {ratio:.4f} ({len(known)} kept instances, {budget} evaluations{news})",
        figures,
        replay=replay,
        instance=described,
    )


def improve(label: str, search: Search, seed: int, budget: int, tick: Callable[[str], None]) -> list[Path]:
    """Search with all of `budget`; keep what beats the record. Returns the files added."""
    added: list[Path] = []
    known = kept(label, search.variant)
    record = max((search.ratio(i, True) or 0.0 for i in known), default=0.0)
    tick(f"{label} {search.variant}: record {record:.6f}")
    for part, stream in enumerate(np.random.SeedSequence(seed).spawn(10)):
        found = climb(search, np.random.default_rng(stream), max(1, budget // 10), known)
        proved = found and search.ratio(found.instance, True)
        if found and proved and proved > record * (1 + 1e-6):
            record = proved
            added.append(keep(label, search.variant, Found(proved, found.instance)))
            known = [*known, found.instance]
        tick(f"{label} {search.variant}: {part + 1}/10 of the budget, record {record:.6f}")
    return added
