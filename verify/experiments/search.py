"""Search for the instance of a claim with the largest ratio of measured value to bound, within a budget of evaluations.

The search starts from random instances and from the worst ones recorded so far, and moves to neighbours with a larger
ratio. The recorded instances are files in worst/ of the paper's folder; every campaign evaluates them again and changes
none. `python -m verify search --out` writes new instances.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from bounds.errors import InputError
from fedigw.instance_file import to_toml
from fedigw.record import replace_text
from verify.claim import Check, Claim, Evidence, Search, Task, Verdict
from verify.paper import FOLDER, HOME, file_name

KEPT = FOLDER / "worst"
STUCK = 25  # neighbours in a row without a larger ratio, after which the climb restarts


@dataclass(frozen=True)
class Found:
    ratio: float
    instance: Any


@dataclass(frozen=True)
class Climbed:
    """The result of a search for the largest ratio of measured value to bound. best: the instance with the largest
    ratio, None if no instance has one. tried: the number of evaluated instances. counted: how many of them have a
    ratio."""

    best: Found | None
    tried: int
    counted: int


def climb(
    search: Search, rng: np.random.Generator, budget: int, known: list[Any], enough: float = math.inf
) -> Climbed:
    """Search for the instance with the largest ratio of measured value to bound, within `budget` evaluations or until a
    ratio exceeds `enough`. The search restarts alternately from an instance in `known` and from a random one."""
    best: Found | None = None
    tried = counted = restarts = 0

    def look(instance: Any) -> float | None:
        nonlocal best, tried, counted
        value = evaluate(search, instance)
        tried += 1
        if value is not None:
            counted += 1
            if best is None or value > best.ratio:
                best = Found(value, instance)
        return value

    def going() -> bool:
        return tried < budget and (best is None or best.ratio <= enough)

    while going():
        current = known[restarts // 2 % len(known)] if known and restarts % 2 == 0 else search.start(rng)
        restarts += 1
        ratio, stuck = look(current), 0
        while going() and stuck < STUCK:
            candidate = search.neighbour(current, rng)
            value = look(candidate)
            stuck += 1
            if value is not None and (ratio is None or value > ratio):
                current, ratio, stuck = candidate, value, 0
    return Climbed(best, tried, counted)


def evaluate(search: Search, instance: Any) -> float | None:
    try:
        return search.ratio(instance, False)
    except InputError:
        return None


def kept_files(label: str, variant: str) -> list[Path]:
    return sorted(KEPT.glob(f"{file_name(label)}--{variant}--*.toml"))


def kept(label: str, variant: str) -> list[Any]:
    from verify.instances import load

    return [load(path) for path in kept_files(label, variant)]


def keep(label: str, variant: str, found: Found, folder: Path, number: int) -> Path:
    """Write an instance that a search found to the file with number `number` in `folder`, and return its path."""
    path = folder / f"{file_name(label)}--{variant}--{number:03d}.toml"
    folder.mkdir(parents=True, exist_ok=True)
    comments = (
        f"{label}, {variant}: measured/bound = {found.ratio:.6f}",
        f"python -m verify exact {relative(path)}",
    )
    replace_text(path, to_toml(found.instance.describe(), comments))
    return path


def relative(path: Path) -> str:
    """Return a path inside the project relative to the project's folder, any other path unchanged."""
    home, whole = HOME.parents[1], path.absolute()
    return whole.relative_to(home).as_posix() if whole.is_relative_to(home) else path.as_posix()


def searched(claim: Claim) -> tuple[Check, ...]:
    return tuple(check(claim.label, search) for search in claim.searches)


def check(label: str, search: Search) -> Check:
    """Return a check that no recorded instance, and none that a new search finds, has a measured value above its bound.
    The negative control takes too small a bound, and must find an instance above it without the recorded instances."""
    return Check(
        f"worst-{search.variant}",
        search.variant,
        partial(_look, label=label, search=search),
        partial(fresh, search=search),
        "Search for an instance above its bound, and evaluate the worst instances recorded so far; control: a search"
        " from random instances exceeds a bound that is too small",
    )


def _look(task: Task, label: str, search: Search) -> Evidence:
    known, files = kept(label, search.variant), kept_files(label, search.variant)
    ratios = [search.ratio(instance, True) for instance in known]
    climbed = climb(search, task.rng(), search.full if task.full else search.quick, known)
    found = climbed.best
    record = max((r for r in ratios if r is not None), default=0.0)
    proved = found and search.ratio(found.instance, True)
    best, instance, replay = record, None, None
    if known:
        index = max(range(len(known)), key=lambda i: ratios[i] or 0.0)
        instance, replay = known[index], f"python -m verify exact {relative(files[index])}"
    if found and proved and proved > record * (1 + 1e-9):
        best, instance = proved, found.instance
        replay = f"python -m verify exact DIR/instances/{file_name(label)}--worst-{search.variant}.toml"
    figures = {"worst_ratio": best, "kept_ratio": record, "replayed": len(known)}
    figures |= {"evaluations": climbed.counted, "tried": climbed.tried, "new": best > record * (1 + 1e-9)}
    described = None if instance is None else instance.describe()
    if best > 1:
        said = f"measured/bound = {best:.4f} > 1"
        return Evidence(Verdict.REFUTED, said, figures, replay=replay, instance=described)
    said = f"worst measured/bound ratio {best:.4f} ({len(known)} recorded instances, {climbed.counted} evaluations of"
    said += f" {climbed.tried} instances{'; NEW WORST' if figures['new'] else ''})"
    confirmed = Verdict.EXACT if search.exact_bound else Verdict.FLOAT
    kind = confirmed if instance is not None and climbed.counted else Verdict.UNDECIDED
    return Evidence(kind, said, figures, replay=replay, instance=described)


def fresh(task: Task, search: Search) -> Evidence:
    """Run the negative control of a search, which must be refuted. A search from small random instances must find a
    measured value above `control_shrink` times the bound."""
    cheap = replace(search, ratio=lambda i, rational: search.ratio(i, rational) if search.small(i) else None)
    climbed = climb(cheap, task.rng(), search.control_budget, [], enough=search.control_shrink)
    proved = climbed.best and search.ratio(climbed.best.instance, True)
    figures = {"shrink": search.control_shrink, "evaluations": climbed.counted, "tried": climbed.tried}
    if climbed.best is None or not proved:
        return Evidence(Verdict.UNDECIDED, f"no ratio in {climbed.tried} instances", figures)
    said = f"a search from random instances reaches {proved:.3f} of the bound after {climbed.counted} evaluations; the"
    said += f" false bound is {search.control_shrink} of it"
    kind = Verdict.REFUTED if proved > search.control_shrink else Verdict.UNDECIDED
    return Evidence(kind, said, figures, instance=climbed.best.instance.describe())


def improve(label: str, search: Search, seed: int, budget: int, tick: Callable[[str], None]) -> list[Found]:
    """Search for instances whose ratio of measured value to bound is larger than that of all recorded ones. Return the
    new ones, in order of rising ratio. The budget of evaluations is used in ten parts; tick(line) is called after
    each."""
    found: list[Found] = []
    known = kept(label, search.variant)
    record = max((search.ratio(i, True) or 0.0 for i in known), default=0.0)
    tick(f"{label} {search.variant}: record {record:.6f}")
    for part, stream in enumerate(np.random.SeedSequence(seed).spawn(10)):
        best = climb(search, np.random.default_rng(stream), max(1, budget // 10), known).best
        proved = best and search.ratio(best.instance, True)
        if best and proved and proved > record * (1 + 1e-6):
            record = proved
            found.append(Found(proved, best.instance))
            known = [*known, best.instance]
        tick(f"{label} {search.variant}: {part + 1}/10 of the budget, record {record:.6f}")
    return found
