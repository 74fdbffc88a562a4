"""Claims from users' files, beside the catalogue: `python -m verify run my_claim.py`.

Their labels begin with user:, they spend only the shares of the level that are kept for users, and their seeds come
from their own names: no file of a user changes anybody else's result. A file that is no claim is a failing claim
itself, so that the campaign goes on and says what is wrong with it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import partial
from pathlib import Path
from typing import NoReturn

from fedigw import outside
from fedigw.discovery import CatalogueError
from verify.claim import Check, Claim, Task, Variant, inconsistency
from verify.paper import USER_PREFIX
from verify.statistics.level import USERS
from verify.verdict import Verdict

LABEL = re.compile(rf"{USER_PREFIX}[A-Za-z][A-Za-z0-9_]*")
CHECK_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]*")
_claims: dict[str, Claim] = {}
_files: dict[str, str] = {}
_labels: dict[str, str] = {}


class BadFile(RuntimeError):
    """Why a user's file is no claim."""


def registered() -> Mapping[str, Claim]:
    """Label -> claim of every user's file that this process was given."""
    return _claims


def files() -> dict[str, str]:
    """File -> digest, for what decides a result."""
    return dict(_files)


def labels() -> Mapping[str, str]:
    """File -> label of its claim."""
    return _labels


def register(name: str) -> Claim:
    """The claim of a user's file, or one that fails and says why the file has none."""
    path = Path(name)
    try:
        claim = _claim(path)
    except (CatalogueError, BadFile) as error:
        claim = _failing(path, str(error))
    known = _claims.get(claim.label)
    if known is not None and name not in _files:
        claim = _failing(path, f"{path}: label {claim.label} is already that of another file", "_again")
    spent = sum(
        c.statistical for other in _claims.values() if other.label != claim.label for c in other.checks
    )
    if spent + sum(check.statistical for check in claim.checks) > USERS:
        claim = _failing(path, f"{path}: more than {USERS} statistical checks in users' files")
    _claims[claim.label], _files[name], _labels[name] = claim, outside.digest(path), claim.label
    return claim


def register_all(names: Iterable[str]) -> None:
    """What a worker does before it carries out a user's check."""
    for name in names:
        if name not in _files:
            register(name)


def _claim(path: Path) -> Claim:
    module = outside.load(path)
    claim = getattr(module, "CLAIM", None)
    if not isinstance(claim, Claim):
        raise BadFile(f"{path}: must define CLAIM = Claim(...)")
    problem = _problem(claim)
    if problem:
        raise BadFile(f"{path}, line {_line(path, problem)}: {problem}")
    return claim


def _problem(claim: Claim) -> str | None:
    if not isinstance(claim.label, str) or not LABEL.fullmatch(claim.label):
        return f"label {claim.label!r} must be {USER_PREFIX}NAME with letters, digits and _: others are taken"
    for check in claim.checks:
        if not CHECK_NAME.fullmatch(str(check.name)):
            return f"check {check.name!r} must be named with letters, digits, - and _"
    for variant in claim.variants.values():
        if not isinstance(variant.expects, Verdict):
            return f"expects = {variant.expects!r} must be a Verdict"
    return inconsistency(claim)


def _line(path: Path, problem: str) -> int:
    """Where the file says what is wrong: the line with the first quoted word of the problem, else where CLAIM is."""
    lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
    quoted = re.findall(r"'([^']+)'", problem)
    for words in (*quoted, "CLAIM"):
        for number, line in enumerate(lines, start=1):
            if words in line:
                return number
    return 1


def _failing(path: Path, reason: str, suffix: str = "") -> Claim:
    name = re.sub(r"\W", "_", path.stem) + suffix
    fail = partial(_raise, reason=reason)
    return Claim(
        label=f"{USER_PREFIX}{name if name[:1].isalpha() else 'file_' + name}",
        title=f"The file {path.name}",
        section="Users' claims",
        statement=f"{path.name} is a claim.",
        variants={"stated": Variant(r"\text{a claim}", (), Verdict.SUPPORTED)},
        checks=(Check("load", "stated", fail, fail, "the file as a claim"),),
    )


def _raise(task: Task, reason: str) -> NoReturn:
    raise BadFile(reason)


def is_users(label: str) -> bool:
    return label.startswith(USER_PREFIX)
