"""Manage the folder of a campaign of checks: a marker file with its parameters, and a record of every finished check.

Every record contains the parameters of its campaign. So a record that is damaged or comes from another campaign is
recognised, and the check is run again. Records of a newer version of this program, and folders that are not a
campaign's, are never changed.
"""

import contextlib
import errno
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

from bounds.errors import InputError
from fedigw.record import NewerRecord, RecordError, read_checked, write_checked
from verify.campaign.derived import RECORDS, bad, clear_derived, is_about_a_claim, refuse_links
from verify.campaign.outcome import Outcome, outcome_json, outcome_of
from verify.campaign.provenance import VERSION, code_digest, differing, made_with
from verify.paper import NAME

try:
    import fcntl
except ImportError:  # on Windows the folder is not locked
    fcntl = None  # type: ignore[assignment]

MARKER = "campaign.json"
LOCK = "campaign.lock"
TAKEN = (errno.EWOULDBLOCK, errno.EACCES)  # EACCES: on network file systems
Warn = Callable[[str], None]


def parameters(profile: str, seed: int, files: Mapping[str, str] = MappingProxyType({})) -> dict[str, Any]:
    """Return the parameters that decide the results of each check in a campaign. files: users' files and the hash of
    each."""
    return {
        "paper": NAME,
        "profile": profile,
        "seed": seed,
        "version": VERSION,
        "code": code_digest(),
        "made_with": made_with(),
        **({"files": dict(files)} if files else {}),
    }


@contextlib.contextmanager
def _one_line(folder: Path) -> Iterator[None]:
    try:
        yield
    except NewerRecord as error:
        raise bad(folder, f"is of a newer version ({error}); nothing changed") from None
    except RecordError as error:
        raise bad(folder, f"has a damaged {MARKER} ({error}); nothing changed") from None
    except OSError as error:
        raise bad(folder, f"cannot be written: {error.strerror}") from None


def refuse_foreign(folder: Path) -> dict[str, Any] | None:
    """Return the parameters of the campaign of checks in a folder, None if the folder is new or empty. Raise InputError
    if the folder contains something else."""
    marker = folder / MARKER
    with _one_line(folder):
        if folder.exists() and not folder.is_dir():
            raise bad(folder, "is a file; give a folder")
        if marker.exists():
            known = read_checked(marker)
            if not isinstance(known, dict) or not {"profile", "seed"} <= set(known):
                raise RecordError(f"{marker}: not a campaign's")
            return known
        if folder.exists() and any(not _temporary(path) and path.name != LOCK for path in folder.iterdir()):
            raise bad(folder, "is not empty and not a campaign's folder; give another")
    return None


def open_folder(folder: Path, wanted: dict[str, Any], resume: bool, warn: Warn) -> None:
    """Create the folder of a campaign of checks with the parameters `wanted`, or take over an existing one. With
    `resume`, an earlier campaign in it must have the same parameters; without, it is removed, which `warn` reports."""
    known = refuse_foreign(folder)
    refuse_links(folder)
    with _one_line(folder):
        if known is not None:
            _adopt(folder, known, wanted, resume, warn)
        write_checked(folder / MARKER, wanted)
        for path in (*folder.iterdir(), *(folder / RECORDS).glob(".*.tmp")):
            # what a killed run was about to write
            if _temporary(path):
                path.unlink(missing_ok=True)


def _adopt(folder: Path, known: dict[str, Any], wanted: dict[str, Any], resume: bool, warn: Warn) -> None:
    refuse_newer(folder)
    if known == wanted and resume:
        return
    if resume:
        changes = "; ".join(differing(known, wanted))
        raise InputError("--resume", str(folder), f"was begun with other parameters: {changes}")
    saved = [path for path in sorted((folder / RECORDS).glob("*.json")) if is_about_a_claim(path)]
    if saved:
        warn(f"{folder} held an earlier campaign of {len(saved)} records: starting over (--resume continues)")
    clear_derived(folder)
    for path in saved:
        path.unlink()


def _temporary(path: Path) -> bool:
    return path.name.startswith(".") and path.name.endswith(".tmp")


def refuse_newer(folder: Path) -> None:
    for path in sorted((folder / RECORDS).glob("*.json")):
        try:
            read_checked(path)
        except NewerRecord:
            raise
        except RecordError:
            continue


def record_path(folder: Path, label: str, check: str) -> Path:
    return folder / RECORDS / f"{label.replace(':', '_')}--{check}.json"


def refuse_folders(folder: Path, units: Iterable[tuple[str, str]]) -> None:
    for unit in units:
        path = record_path(folder, *unit)
        if path.is_dir():
            raise bad(folder, f"a folder stands in the place of the record {path.name}; move it away")


def save_outcome(folder: Path, outcome: Outcome, made_with: dict[str, Any]) -> None:
    body = {"parameters": made_with, "outcome": outcome_json(outcome)}
    write_checked(record_path(folder, outcome.claim, outcome.check), body)


def load_outcome(folder: Path, label: str, check: str, wanted: Any, warn: Warn) -> Outcome | None:
    """Return the saved outcome of a check, or None if there is none. If it cannot be used, call `warn` with the reason
    and return None. wanted: the campaign parameters that the record must have, None for any."""
    path = record_path(folder, label, check)
    if not path.exists():
        return None
    try:
        body = read_checked(path)
        if wanted is not None and body["parameters"] != wanted:
            changes = "; ".join(differing(body["parameters"], wanted))
            raise RecordError(f"{path}: of another campaign, {changes}")
        outcome = outcome_of(body["outcome"])
        if (outcome.claim, outcome.check) != (label, check):
            raise RecordError(f"{path}: is about {outcome.claim} {outcome.check}")
        if outcome.failure is not None or outcome_json(outcome) != body["outcome"]:
            raise RecordError(f"{path}: is no finding that this program writes")
        return outcome
    except RecordError as error:
        warn(f"{error}: recomputed")
    except (KeyError, TypeError, ValueError, AttributeError):
        warn(f"{path}: not a campaign's record: recomputed")
    return None


@contextlib.contextmanager
def held(folder: Path, warn: Warn) -> Iterator[None]:
    """Lock the folder of a campaign of checks within a with-block; create it if needed. Raise InputError, before
    anything is written, if another campaign holds the lock; call `warn` if the file system has no locks. The system
    releases the lock when the process ends."""
    refuse_foreign(folder)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(folder / LOCK, os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o644)
    except OSError as error:
        raise bad(folder, f"cannot be written: {error.strerror}") from None
    try:
        if fcntl is not None:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        if error.errno in TAKEN:
            os.close(descriptor)
            raise bad(folder, "another campaign is running there") from None
        warn(f"{folder}: its file system has no locks; run no other campaign there meanwhile")
    try:
        yield
    finally:  # the file stays, since another campaign may be waiting for its lock
        os.close(descriptor)
