"""A campaign: every check of the chosen claims, in parallel, each finished one on disk before the next is counted.

A unit of work is one check with its negative control. Its seed depends on the campaign's seed and its own name alone,
so results are the same bytes whatever the order, the number of processes or the interruptions.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from bounds.errors import InputError
from fedigw.record import RecordError, read_checked, write_checked
from verify.catalogue import catalogue, find
from verify.claim import Claim, Evidence, Task
from verify.verdict import Verdict

PROFILES = ("quick", "full")
FAMILY_LEVEL = 0.01  # probability that any statistical verdict of a whole campaign is wrong
MARKER = "campaign.json"
RECORDS = "records"


@dataclass(frozen=True)
class Outcome:
    """What one check found. `control_ok`: its negative control was told apart. `failure`: why it could not run."""

    claim: str
    check: str
    variant: str
    evidence: Evidence
    control: Evidence
    failure: str | None = None

    @property
    def control_ok(self) -> bool:
        """A checker that confirms must refute its control; one that refutes must confirm it."""
        if self.failure:
            return False
        if self.evidence.kind is Verdict.REFUTED:
            return self.control.kind.confirms
        return self.control.kind is Verdict.REFUTED


@dataclass(frozen=True)
class Settings:
    profile: str = "quick"
    seed: int = 0
    jobs: int = 1


def units(labels: Iterable[str]) -> list[tuple[str, str]]:
    """(claim, check) of every check of the claims."""
    return [(label, check.name) for label in labels for check in find(label).checks]


def task(settings: Settings, label: str, check: str) -> Task:
    """Seed and error level of one check: fixed by names and the size of the catalogue, never by data."""
    digest = hashlib.sha256(f"{label}/{check}".encode()).digest()
    words = tuple(int.from_bytes(digest[i : i + 4], "big") for i in range(0, 16, 4))
    total = sum(len(claim.checks) for claim in catalogue().values())
    seed = np.random.SeedSequence(settings.seed, spawn_key=words)
    return Task(settings.profile, seed, FAMILY_LEVEL / total)


def run_unit(settings: Settings, label: str, name: str) -> Outcome:
    """One check and its control. A crash is a result with its reason, not the end of the campaign."""
    claim = find(label)
    check = next(c for c in claim.checks if c.name == name)
    given = task(settings, label, name)
    try:
        evidence = check.run(given)
        control = check.control(replace(given, seed=given.seed.spawn(1)[0]))
        return Outcome(label, name, check.variant, evidence, control)
    except Exception as error:
        reason = f"{type(error).__name__}: {error}"
        nothing = Evidence(Verdict.INCONCLUSIVE, f"could not be checked: {reason}")
        return Outcome(label, name, check.variant, nothing, nothing, failure=reason)


def run_campaign(
    labels: Iterable[str],
    settings: Settings,
    folder: Path | None,
    resume: bool = False,
    progress: Callable[[int, int, Outcome], None] | None = None,
) -> list[Outcome]:
    """Outcomes of all checks, in catalogue order."""
    pending = units(labels)
    done: dict[tuple[str, str], Outcome] = {}
    if folder is not None:
        open_folder(folder, settings, resume)
        if resume:
            done = {unit: found for unit in pending if (found := load_outcome(folder, *unit)) is not None}
    missing = [unit for unit in pending if unit not in done]
    total = len(pending)
    for outcome in _execute(missing, settings):
        if folder is not None:
            save_outcome(folder, outcome)
        done[outcome.claim, outcome.check] = outcome
        if progress:
            progress(len(done), total, outcome)
    return [done[unit] for unit in pending]


def _execute(missing: list[tuple[str, str]], settings: Settings) -> Iterable[Outcome]:
    if settings.jobs == 1 or len(missing) < 2:
        return (run_unit(settings, *unit) for unit in missing)
    from joblib import Parallel, delayed

    parallel = Parallel(n_jobs=settings.jobs, return_as="generator_unordered", batch_size=1)
    return parallel(delayed(run_unit)(settings, *unit) for unit in missing)


def open_folder(folder: Path, settings: Settings, resume: bool) -> None:
    """Make or adopt the campaign's folder; never touch a folder with foreign files."""
    marker = folder / MARKER
    parameters = {"profile": settings.profile, "seed": settings.seed}
    try:
        if folder.exists() and not folder.is_dir():
            raise InputError("--out", str(folder), "is a file; give a folder")
        if marker.exists():
            known = read_checked(marker)
            if resume and known != parameters:
                differing = ", ".join(k for k in parameters if known.get(k) != parameters[k])
                raise InputError("--resume", str(folder), f"was begun with another {differing}: {known}")
        elif folder.exists() and any(folder.iterdir()):
            raise InputError("--out", str(folder), "is not empty and not a campaign's folder; give another")
        write_checked(marker, parameters)
    except OSError as error:
        raise InputError("--out", str(folder), f"cannot be written: {error.strerror}") from None
    except RecordError as error:
        raise InputError("--out", str(folder), f"has a damaged {MARKER}: {error}") from None


def record_path(folder: Path, label: str, check: str) -> Path:
    return folder / RECORDS / f"{label.replace(':', '_')}--{check}.json"


def save_outcome(folder: Path, outcome: Outcome) -> None:
    write_checked(record_path(folder, outcome.claim, outcome.check), outcome_json(outcome))


def load_outcome(folder: Path, label: str, check: str) -> Outcome | None:
    """A saved outcome, or None if there is none that can be trusted."""
    try:
        body = read_checked(record_path(folder, label, check))
    except RecordError:
        return None
    return outcome_of(body)


def evidence_json(evidence: Evidence) -> dict[str, Any]:
    return {
        "kind": str(evidence.kind),
        "summary": evidence.summary,
        "figures": dict(evidence.figures),
        "vacuous": evidence.vacuous,
        "replay": evidence.replay,
    }


def evidence_of(body: dict[str, Any]) -> Evidence:
    return Evidence(Verdict(body["kind"]), body["summary"], body["figures"], body["vacuous"], body["replay"])


def outcome_json(outcome: Outcome) -> dict[str, Any]:
    return {
        "claim": outcome.claim,
        "check": outcome.check,
        "variant": outcome.variant,
        "evidence": evidence_json(outcome.evidence),
        "control": evidence_json(outcome.control),
        "failure": outcome.failure,
    }


def outcome_of(body: dict[str, Any]) -> Outcome:
    return Outcome(
        body["claim"],
        body["check"],
        body["variant"],
        evidence_of(body["evidence"]),
        evidence_of(body["control"]),
        body["failure"],
    )


def claims_of(outcomes: Iterable[Outcome]) -> list[Claim]:
    """The claims that the outcomes are about, in catalogue order."""
    labels = {outcome.claim for outcome in outcomes}
    return [claim for label, claim in catalogue().items() if label in labels]
