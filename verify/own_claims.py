"""Claims from users' files, beside the catalogue: `python -m verify run my_claim.py`.

Their labels begin with user:, they spend only the shares of the level that are kept for users, and their seeds come
from their own names: no file of a user changes anybody else's result. A file that is no claim is a failing claim
itself, so that the campaign goes on and says what is wrong with it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from functools import partial
from pathlib import Path
from typing import Any, NoReturn

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
    return _entered(name, claim)


def told(name: str, text: str) -> Claim:
    """The claim of a user's file as `described` told it: the file itself is not loaded in this process.

    A claim with pictures of its own is loaded after all: they are drawn here.
    """
    body = json.loads(text)
    if body["pictures"]:
        return register(name)
    if body["failure"] is not None:
        return _entered(name, _failing(Path(name), body["failure"]))
    away = partial(_raise, reason=f"{name}: is not loaded in this process")
    whole: dict[str, Any] = {
        key: body[key] for key in ("label", "title", "section", "statement", "reference")
    }
    lists: dict[str, Any] = {key: tuple(body[key]) for key in ("tags", "depends", "errata")}
    variants = {
        key: Variant(row[0], tuple(row[1]), Verdict(row[2]), row[3], row[4])
        for key, row in body["variants"].items()
    }
    checks = tuple(Check(row[0], row[1], away, away, row[2], row[3]) for row in body["checks"])
    return _entered(name, Claim(**whole, **lists, variants=variants, checks=checks))


def broken(name: str, reason: str) -> Claim:
    """A file that ends whoever reads it."""
    return _entered(name, _failing(Path(name), reason))


def described(name: str) -> str:
    """What `told` needs to know of a user's file, as JSON: said by the limited process that has loaded it."""
    claim = register(name)
    words = [claim.title, claim.section, claim.statement, claim.reference, *claim.tags, *claim.depends]
    words += [*claim.errata, *(text for v in claim.variants.values() for text in (v.formula, *v.hypotheses))]
    if not all(isinstance(word, str) for word in words):
        claim = _failing(
            Path(name), f"{name}: title, section, statement, formulas and hypotheses must be texts"
        )
    return json.dumps(
        {
            "failure": reason_of(claim),
            "pictures": bool(claim.plots or claim.searches or claim.bound or claim.notes or claim.erratum),
            "variants": {
                key: [v.formula, list(v.hypotheses), str(v.expects), bool(v.tight), str(v.vacuous)]
                for key, v in claim.variants.items()
            },
            "checks": [[c.name, c.variant, str(c.about), bool(c.statistical)] for c in claim.checks],
            **{key: getattr(claim, key) for key in ("label", "title", "section", "statement", "reference")},
            **{key: list(getattr(claim, key)) for key in ("tags", "depends", "errata")},
        }
    )


def reason_of(claim: Claim) -> str | None:
    """Why a file has no claim, of the claim that says so."""
    run = claim.checks[0].run
    return run.keywords["reason"] if isinstance(run, partial) and run.func is _raise else None


def _entered(name: str, claim: Claim) -> Claim:
    path = Path(name)
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


def register_owner(label: str, owners: Iterable[tuple[str, str, str | None]]) -> None:
    """What a worker does before it carries out a user's check: it loads that claim's file, and no other.

    owners: (label, file, why it is no claim or None) of every user's file.
    """
    for owned, name, reason in owners:
        if owned == label and label not in _claims:
            claim = _failing(Path(name), reason) if reason is not None else _claim(Path(name))
            if claim.label != label and reason is None:
                raise BadFile(f"{name}: its label is {claim.label} now and was {label} before")
            _claims[label], _files[name] = claim, outside.digest(Path(name))


def owners() -> tuple[tuple[str, str, str | None], ...]:
    """For `register_owner`, of all files that this process knows of."""
    return tuple((label, name, _reason(label)) for name, label in _labels.items())


def _reason(label: str) -> str | None:
    said = reason_of(_claims[label])
    return None if said is not None and said.endswith("is not loaded in this process") else said


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
