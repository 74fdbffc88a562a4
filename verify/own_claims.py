"""Load claims from users' files: `python -m verify run my_claim.py`, or the folder claims/ of a user's paper.

The label of such a claim begins with user:, or is that of a statement of the paper in whose folder its file is.
Statistical checks use only the part of the campaign's error probability that is reserved for users. A campaign never
runs a user's file in its own process: one child process describes the claim (`description`, `adopt`), and every check
runs in another. If a file contains no valid claim, a claim that fails takes its place, so that the campaign continues
and reports what is wrong.
"""

import json
import re
import sys
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache, partial
from pathlib import Path
from typing import Any, NoReturn

from bounds.errors import InputError
from fedigw import outside
from fedigw.discovery import CatalogueError, classes_of
from fedigw.instance_file import to_toml
from verify import guard
from verify.claim import BY_COQ, PROOF_FILE, Check, Claim, Evidence, Plot, Task, Variant, inconsistency
from verify.description import describe, described
from verify.paper import FOLDER, OUTSIDE, USER_PREFIX, elsewhere, file_name, is_label
from verify.paper import LABEL as STATEMENT
from verify.statistics.level import SHARE, USERS
from verify.verdict import ASSERTED, Verdict

# Both become names of files, which have at most 255 letters.
LABEL = re.compile(rf"{USER_PREFIX}[A-Za-z][A-Za-z0-9_]{{0,79}}")
CHECK_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,79}")
VARIANT = re.compile(r"[A-Za-z0-9][A-Za-z0-9_. -]{0,79}")
PROGRAM = ("-c", "from verify.campaign import own_answers; own_answers.serve()")  # of a child that answers


@dataclass(frozen=True)
class Own:
    """A claim from a user's file. digest: the hash of the file. refused: why the file contains no valid claim; `claim`
    is then a substitute whose check fails. None if the claim is valid."""

    claim: Claim
    file: str
    digest: str
    refused: str | None


_own: dict[str, Own] = {}  # by label


class BadFile(RuntimeError):
    """Raised with the reason why a user's file is not a valid claim."""


def registered() -> Mapping[str, Claim]:
    return {label: own.claim for label, own in _own.items()}


def files() -> dict[str, str]:
    """Return the users' files from which this process has a claim, with the hash of each."""
    return {own.file: own.digest for own in _own.values()}


def runs_here(label: str) -> bool:
    """Return whether this process itself ran the user's file that defines the claim, and so can draw its plots."""
    own = _own.get(label)
    return own is not None and all(plot.draw is not _elsewhere for plot in own.claim.plots)


def own(label: str) -> Own | None:
    return _own.get(label)


@cache
def of_paper() -> Mapping[str, Claim]:
    """Return label -> claim for a paper in a user's folder. A child process reads each file. If a file is invalid, the
    reason is printed, and the claim is a substitute that fails."""
    for path in sorted((FOLDER / "claims").glob("*.py")):
        if not _loaded(path) and (refused := refusal(path)):
            sys.stderr.write(f"verify: {refused}\n")
    return {label: own.claim for label, own in _own.items() if _of_paper(Path(own.file))}


def refusal(path: Path) -> str | None:
    """Return why a file in the folder claims/ of a user's paper contains no valid claim. Return None if the file is
    valid or does not exist."""
    if path.exists() and not path.is_file():
        return f"{path}: is no file"
    return _own[asked(str(path)).label].refused if path.is_file() else None


def refused(stem: str) -> str | None:
    """Return why the file stem.py of a user's paper, if already read, contains no valid claim; else None."""
    mine = (own for own in _own.values() if _of_paper(Path(own.file)) and Path(own.file).stem == stem)
    return next((own.refused for own in mine), None)


def _loaded(path: Path) -> bool:
    return any(Path(file).resolve() == path.resolve() for file in files())


def _of_paper(path: Path) -> bool:
    return OUTSIDE and path.resolve().parent == FOLDER.resolve() / "claims"


def asked(name: str) -> Claim:
    """Run the user's file `name` in a child process, and return its claim from the description that the child sends."""
    try:
        name.encode()
    except UnicodeEncodeError:
        raise InputError("file", repr(name), "must have a name in UTF-8") from None
    try:
        outside.digest(Path(name))
    except FileNotFoundError:
        raise InputError("file", name, "there is no such file") from None
    try:
        return adopt(name, guard.ask((*PROGRAM, name), name, silent=True)[0])
    except guard.Ended as error:
        return broken(name, str(error))


def register(name: str) -> Claim:
    """Run the user's file `name` in this process and return its claim. If it contains no valid claim, return one that
    fails and gives the reason."""
    path = Path(name)
    try:
        return _enter(name, _claim(path))
    except (CatalogueError, BadFile) as error:
        return broken(name, str(error))
    except InputError:  # there is no such file
        raise
    except (TypeError, ValueError, AttributeError) as error:
        return broken(name, f"{path}: is no claim ({type(error).__name__}: {str(error)[:80]})")


def description(name: str) -> str:
    """Run the user's file `name` and return its claim as JSON text, without the functions of its checks and plots."""
    claim = register(name)
    if (reason := _own[claim.label].refused) is not None:
        return json.dumps({"refused": reason})
    plots = [[plot.name, plot.title, list(plot.checks), plot.caption] for plot in claim.plots]
    notes = [] if claim.notes is None else list(claim.notes())
    return json.dumps(describe(claim) | {"plots": plots, "notes": notes})


def adopt(name: str, description: str | bytes) -> Claim:
    """Return the claim of the user's file `name` from its JSON description, without running the file."""
    try:
        body = json.loads(description)
        if "refused" in body:
            return broken(name, body["refused"])
        claim = described(body, f"{name}: runs in a child process only")
        plots = tuple(
            Plot(f"{n}", f"{t}", tuple(map(str, c)), _elsewhere, f"{w}") for n, t, c, w in body["plots"]
        )
        notes = tuple(map(str, body["notes"]))
        return _enter(name, replace(claim, plots=plots, notes=partial(tuple, notes) if notes else None))
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        said = f"{type(error).__name__}: {str(error)[:80]}"
        return broken(name, f"{name}: does not describe itself as a claim ({said})")


def _elsewhere(axes: Any, figures: Any) -> NoReturn:
    raise BadFile("drawn in a child process only")


def broken(name: str, reason: str) -> Claim:
    return _enter(name, _failing(Path(name), reason), reason)


def _enter(name: str, claim: Claim, reason: str | None = None) -> Claim:
    if claim.label in _own and not _loaded(Path(name)):
        reason, number = f"{name}: label {claim.label} is already that of another file", 1
        while (claim := _failing(Path(name), reason, f"_again_{number}")).label in _own:
            number += 1
    others = [other for label, other in registered().items() if label != claim.label]
    if sum(check.statistical for other in (claim, *others) for check in other.checks) > USERS:
        reason = f"{name}: more than {USERS} statistical checks in users' files"
        claim = _failing(Path(name), reason)
    _own[claim.label] = Own(claim, name, outside.digest(Path(name)), reason)
    return claim


def _claim(path: Path) -> Claim:
    module = outside.load(path)
    claim = getattr(module, "claim", None)
    if not isinstance(claim, Claim):
        from fedigw.parts import SORTS

        sort = next((s for s, base in SORTS.items() for c in classes_of(module) if issubclass(c, base)), "")
        instead = f"; a {sort} is tried by `python -m verify check {path}`" if sort else ""
        instead += (
            f" and played by `simulate --{sort} {path}`" if sort in ("protocol", "policy", "system") else ""
        )
        raise BadFile(f"{path}: must define claim = Claim(...){instead}")
    claim.close(module.__doc__)
    if problem := _problem(claim, path):
        raise BadFile(f"{path}, line {line_of(path, problem)}: {problem}")
    return claim


def _problem(claim: Claim, path: Path) -> str | None:
    if _of_paper(path):
        if not isinstance(claim.label, str) or not is_label(claim.label):
            if not (isinstance(claim.label, str) and STATEMENT.fullmatch(claim.label)):
                return (
                    "the docstring must begin with the statement's label and a full stop, such as thm:main."
                )
            return f"label {claim.label!r} is not in statements.toml; a result of your own begins with own:"
        if path.stem != file_name(claim.label):
            return f"the file of {claim.label} must be called {file_name(claim.label)}.py"
    elif not isinstance(claim.label, str) or not LABEL.fullmatch(claim.label):
        form = f"{USER_PREFIX}NAME with at most 80 letters, digits and _: others are taken"
        return f"label {repr(claim.label)[:60]} must be {form}"
    try:
        list(map(elsewhere, claim.depends))
    except InputError as error:
        return f"depends: {error}"
    if claim.searches:
        return "has searches, which run only in claims of the packages: make each a check"
    for name in (part.name for parts in (claim.plots, claim.checks) for part in parts):
        if not CHECK_NAME.fullmatch(str(name)):
            return f"{name!r} must be named with at most 80 letters, digits, - and _"
    for check in claim.checks:
        if str(check.name).startswith(BY_COQ):
            return f"check {check.name!r} must not begin with {BY_COQ}: such checks are Coq's own"
    for name, variant in claim.variants.items():
        if not VARIANT.fullmatch(str(name)):
            return f"variant {name!r:.40} must be named with at most 80 letters, digits, spaces, _ . and -"
        if not isinstance(variant.expects, Verdict):
            return f"expects = {variant.expects!r} must be a Verdict"
    return inconsistency(claim)


def line_of(path: Path, problem: str) -> int:
    """Return the number of the line in a claim's file to which an error message `problem` refers. That is the first
    line with a word that the message quotes, or else the first with `claim =`."""
    lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
    quoted = re.findall(r"'([^']+)'", problem)
    for words in (*quoted, "claim ="):
        for number, line in enumerate(lines, start=1):
            if words in line:
                return number
    return 1


def _failing(path: Path, reason: str, suffix: str = "") -> Claim:
    name = re.sub(r"[^A-Za-z0-9_]", "_", path.stem)[:40] + suffix
    fail = partial(_raise, reason=reason)
    return Claim(
        label=f"{USER_PREFIX}{name if name[:1].isalpha() else 'file_' + name}",
        title=f"The file {path.name}",
        section="Users' claims",
        statement=f"{path.name} is a claim.",
        variants={"stated": Variant(r"\text{a claim}", (), Verdict.MEASURED)},
        checks=(Check("load", "stated", fail, fail, "the file as a claim"),),
    )


def _raise(task: Task, reason: str) -> NoReturn:
    raise BadFile(reason)


def is_users(label: str) -> bool:
    return OUTSIDE or label.startswith(USER_PREFIX)


# Figures from which the report makes proofs, theorems of Coq and new worst instances.
RESERVED = {"theorem", "axioms", "same", "answers", "coq", "sources", "new"}


def received(finding: Evidence, statistical: bool) -> Evidence:
    """Return a finding of a user's check, with the verdict that follows from its numbers. Raise BadFile for wrong types
    or reserved names.

    A proof needs a file in the paper's proofs/, or SMT-LIB text in figures["smt2"], which the solver checks here again.
    Other verdicts need a witness, or numbers from verify.statistics.compared, which are compared again. Without these
    the verdict is undecided, and is shown as asserted by the author.
    """
    if isinstance(finding, Evidence) and PROOF_FILE in finding.figures:
        from verify.formal import proof_files

        return proof_files.earned(finding)
    _refuse(finding, statistical)
    if finding.kind is Verdict.UNDECIDED:
        return finding
    if finding.kind.proves:
        from verify.formal.attached import shortfall

        if not (why := shortfall(finding.figures.get("smt2"))):
            return replace(finding, kind=Verdict.Z3)
    else:
        from verify.statistics.compared import recomputed

        if (earned := recomputed(finding.figures, SHARE if statistical else None)) is not None:
            return replace(finding, kind=earned)
        witness = str(finding.figures.get("witness") or "")
        if finding.kind is Verdict.REFUTED and witness:
            text = finding.summary if witness in finding.summary else f"{finding.summary}; witness: {witness}"
            return replace(finding, summary=text)
        why = "with no witness attached" if finding.kind is Verdict.REFUTED else "with no numbers attached"
    summary, figures = f"{ASSERTED}, {why}: {finding.summary}", {**finding.figures, "asserted": True}
    return replace(finding, kind=Verdict.UNDECIDED, summary=summary, figures=figures)


def _refuse(finding: Evidence, statistical: bool) -> None:
    if not isinstance(finding, Evidence):
        raise BadFile(f"the check returned {type(finding).__name__}, must return Evidence")
    if finding.kind is Verdict.COQ:
        raise BadFile("the check says proved by Coq: only a recorded theorem is")
    if taken := sorted(RESERVED & finding.figures.keys()):
        raise BadFile(f"figures called {taken[0]!r} are those of proofs; choose another name")
    if finding.level is not None and not (statistical and 0 <= finding.level <= SHARE * (1 + 1e-9)):
        share = f"{SHARE:.3g}, its share" if statistical else "none: the check is not declared statistical"
        raise BadFile(f"a level of {finding.level!r:.20} is spent, and allowed is {share}")
    if finding.instance is not None:
        tomllib.loads(to_toml(dict(finding.instance)))  # it will be an instance file
    json.dumps([finding.summary, dict(finding.figures)], ensure_ascii=False).encode()  # it will be UTF-8
