"""Run a campaign: every check of the chosen claims, in parallel, each saved as soon as it is finished.

A unit of work is one check with its negative control. Its seed depends only on the campaign's seed and its own name.
Results therefore have the same bytes for any order, number of processes and interruptions, also on a cluster.
"""

import hashlib
import json
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from bounds.errors import InputError
from fedigw import outside
from fedigw.record import canonical
from verify import own_claims
from verify.campaign.outcome import Outcome, failed, outcome_json, outcome_of
from verify.campaign.records import load_outcome, open_folder, parameters, refuse_folders, save_outcome
from verify.catalogue import find
from verify.claim import Check, Task
from verify.statistics.level import SHARE

PROFILES = ("quick", "full")
Unit = tuple[str, str]


@dataclass(frozen=True)
class Settings:
    profile: str = "quick"
    seed: int = 0
    jobs: int = 1
    files: tuple[str, ...] = ()  # of users' own claims


@dataclass(frozen=True)
class Finished:
    """The outcome of one check with its negative control, and the seconds it took, which are only displayed."""

    outcome: Outcome
    seconds: float


# An engine carries out units in any order and yields each as it finishes.
Engine = Callable[[Settings, list[Unit]], Iterator[Finished]]


def units(labels: Iterable[str]) -> list[Unit]:
    return [(label, check.name) for label in labels for check in find(label).checks]


def _check(label: str, name: str) -> Check:
    return next(check for check in find(label).checks if check.name == name)


def task(settings: Settings, label: str, check: Check) -> Task:
    """Return the input of a check: profile, seed (from the campaign's seed and the check's name) and, if it is
    statistical, the probability with which it may err."""
    digest = hashlib.sha256(f"{label}/{check.name}".encode()).digest()
    words = tuple(int.from_bytes(digest[i : i + 4], "big") for i in range(0, 16, 4))
    seed = np.random.SeedSequence(settings.seed, spawn_key=words)
    return Task(settings.profile, seed, SHARE if check.statistical else None)


def run_unit(settings: Settings, label: str, name: str) -> Outcome:
    """Run the check `name` of a claim and its negative control. If either raises, return an outcome with the reason."""
    # the outcome is converted to JSON and back, so that it equals one that is read from a record; one thread of
    # linear algebra, since the number of threads changes the order of sums and so the last bits
    if own_claims.is_users(label):
        for file in settings.files:
            if file not in own_claims.files():
                own_claims.register(file)
    check = _check(label, name)
    given = task(settings, label, check)
    try:
        with libraries(len(sys.modules)).limit(limits=1):
            evidence = check.run(given)
            control = check.control(replace(given, seed=given.seed.spawn(1)[0]))
        if own_claims.is_users(label):
            evidence, control = (own_claims.received(e, check.statistical) for e in (evidence, control))
        found = Outcome(label, name, check.variant, evidence, control)
        return outcome_of(json.loads(canonical(outcome_json(found))))
    except BaseException as error:
        plain = isinstance(error, Exception) or own_claims.is_users(label)  # a user's file may raise anything
        if not plain or isinstance(error, KeyboardInterrupt):
            raise
        theirs = str(error) if isinstance(error, own_claims.BadFile) else outside.blame(error)
        return failed(label, name, check.variant, theirs or in_one_line(error))


@lru_cache(maxsize=1)
def libraries(modules: int) -> Any:
    """Return threadpoolctl's controller for the threads of linear-algebra libraries. It is cached for each value of
    `modules`, the number of loaded modules, because a new module may bring a new library."""
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()


def in_one_line(error: BaseException | None) -> str:
    return " ".join(f"{type(error).__name__}: {error}".split())


def run_timed(settings: Settings, unit: Unit) -> Finished:
    start = time.perf_counter()
    outcome = run_unit(settings, *unit)
    return Finished(outcome, time.perf_counter() - start)


def in_process(settings: Settings, missing: list[Unit]) -> Iterator[Finished]:
    return (run_timed(settings, unit) for unit in missing)


def run_campaign(
    labels: Iterable[str],
    settings: Settings,
    folder: Path | None,
    resume: bool = False,
    progress: Callable[[int, int, Finished], None] | None = None,
    engine: Engine = in_process,
    warn: Callable[[str], None] = lambda _: None,
) -> list[Outcome]:
    """Run every check of the claims `labels` and return the outcomes in the order of the catalogue. With `resume`, use
    outcomes already saved in `folder`. progress(done, total, result) is called after each check. engine: runs the
    checks, by default in this process. warn: takes warnings about the folder."""
    if sys.flags.optimize:
        raise InputError("python", "-O", "removes assertions, which some checks use; leave it out")
    pending = units(labels)
    done: dict[Unit, Outcome] = {}
    made_with = parameters(settings.profile, settings.seed, own_claims.files() if settings.files else {})
    if folder is not None:
        refuse_folders(folder, pending)
        open_folder(folder, made_with, resume, warn)
        for label, name in pending if resume else ():
            found = load_outcome(folder, label, name, made_with, warn)
            if found is not None and found.variant == _check(label, name).variant:
                done[label, name] = found
    missing = [unit for unit in pending if unit not in done]
    for finished in engine(settings, missing):
        outcome = finished.outcome
        if folder is not None and outcome.failure is None:
            save_outcome(folder, outcome, made_with)
        done[outcome.claim, outcome.check] = outcome
        if progress:
            progress(len(done), len(pending), finished)
    return [done[unit] for unit in pending]
