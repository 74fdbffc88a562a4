"""Find all claims: every file in a folder named `claims`. Each is checked against the rules when it is loaded.

Commands that run no check import no claim. They read a record of the claims' texts, catalogue.json in the paper's
folder. After a change of a claim's texts, variants or checks run `python -m verify.catalogue`. A claim that is not
recorded yet is imported.
"""

import importlib
import json
import pkgutil
import re
from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from functools import cache, partial
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from types import ModuleType
from typing import Any

from bounds.errors import InputError, nearest
from bounds.extensions import packages
from fedigw import outside
from fedigw.discovery import CatalogueError, modules
from verify import own_claims, paper
from verify.claim import BY_COQ, Claim, inconsistency, listed
from verify.description import describe, described
from verify.paper import (
    BY_LABEL,
    BY_NUMBER,
    DEFAULT,
    LABEL,
    NAME,
    NUMBERED,
    OUTSIDE,
    STATEMENTS,
    Statement,
    command,
    file_name,
    is_label,
    number_of,
    plural,
    short,
)
from verify.recorded import of_variant
from verify.statistics.level import SHARES, USERS
from verify.verdict import Verdict, shown

FOLDER = f"verify.papers.{NAME}.claims"
RECORD = paper.FOLDER / "catalogue.json"
_ORDER = (
    "thm",
    "prop",
    "col",
    "cor",
    "lem",
    "rmk",
    "tab",
    "fig",
    "alg",
    "asp",
    "def",
    "own",
    "app",
    "erratum",
)
_RANK = {kind: rank for rank, kind in enumerate(_ORDER)}


@cache
def files() -> dict[str, str]:
    """Return module name -> package for the file of every claim. The result is empty for a paper outside this program's
    packages, whose claims are users' files."""
    here = () if OUTSIDE else packages(FOLDER, "claims") if NAME == DEFAULT else (FOLDER,)
    return {
        info.name: package
        for package in here
        for info in pkgutil.iter_modules(importlib.import_module(package).__path__)
    }


def _path(name: str) -> str:
    return f"{files()[name].replace('.', '/')}/{name}.py"


@cache
def catalogue() -> dict[str, Claim]:
    """Import all claims and return a dictionary label -> claim, sorted by label. If a claim breaks a rule, raise
    CatalogueError, which names its file."""
    if OUTSIDE:
        return index()
    claims: dict[str, Claim] = {}
    found: dict[str, ModuleType] = {}
    shares = SHARES - USERS
    for package in dict.fromkeys(files().values()):
        found |= modules(package, ("claim",))
    for name, module in sorted(found.items()):
        claim = _checked(name, module)
        shares -= sum(check.statistical for check in claim.checks)
        if shares < 0:  # the number of shares is fixed, and some are reserved for users
            reason = f"more than {SHARES - USERS} statistical checks in all: no share of the level is left"
            raise CatalogueError(f"{_path(name)}: {reason}")
        claims[claim.label] = claim
    if cycle := _cycle(claims):
        raise CatalogueError(f"{_path(file_name(cycle[0]))}: cycle in depends: {' -> '.join(cycle)}")
    return dict(sorted(claims.items(), key=lambda item: _order(item[0])))


def index() -> dict[str, Claim]:
    """Return a dictionary label -> claim from the recorded texts, without importing the claims, whose checks cannot be
    run. Claims are sorted by label, those of a user's paper in the order of its statements."""
    if OUTSIDE:
        return dict(sorted(own_claims.of_paper().items(), key=lambda item: _in_print(item[0])))
    return _index(frozenset(files()))


@cache
def _index(names: frozenset[str]) -> dict[str, Claim]:
    entries = json.loads(RECORD.read_text(encoding="utf-8"))
    record = {file_name(label): entry for label, entry in entries.items()}
    claims = []
    for name in names:
        if name not in record:  # a claim that is not recorded yet
            claims.append(_alone(name))
            continue
        claim = described(record[name], "this process has read the record of claims, not the claims")
        notes = tuple(record[name]["notes"])
        claims.append(replace(claim, notes=partial(tuple, notes)) if notes else claim)
    return {claim.label: claim for claim in sorted(claims, key=lambda claim: _order(claim.label))}


def record() -> str:
    """Return the text of catalogue.json, one line for each claim."""
    lines = []
    for label, claim in catalogue().items():
        notes = [] if claim.notes is None else list(claim.notes())
        lines.append(f"{json.dumps(label)}: {json.dumps({**describe(claim), 'notes': notes})}")
    return "{\n" + ",\n".join(lines) + "\n}\n"


def chosen(labels: Collection[str]) -> list[Claim]:
    return [find(label) for label in dict.fromkeys((*index(), *own_claims.registered())) if label in labels]


def find(name: str) -> Claim:
    """Return the claim that a user names by label, number in print, erratum or file, with checks that can be
    run."""
    claim = look_up(name)
    return claim if own_claims.is_users(claim.label) else _alone(file_name(claim.label))


@cache
def _alone(name: str) -> Claim:
    return _checked(name, modules(files()[name], ("claim",), only=name)[name])


def look_up(name: str) -> Claim:
    """Return the claim that a user names by label, number in print, erratum or file, from the recorded texts. Its
    checks cannot be run."""
    if outside.is_file(name):
        return own_claims.register(name)
    name = short(name)
    if name in own_claims.registered():
        return own_claims.registered()[name]
    own_file = paper.FOLDER / "claims" / f"{file_name(name)}.py"
    # before the index, which names every bad file
    if OUTSIDE and LABEL.fullmatch(name) and (reason := own_claims.refusal(own_file)):
        raise InputError("claim", name, reason)
    claims = index()
    label = label_of(name)
    if label in claims:
        return claims[label]
    statement = BY_LABEL.get(label)
    if statement is not None:
        called = statement.number if name == statement.label else f"{statement.number} ({statement.label})"
        raise InputError("claim", name, f"{called} of the paper is not covered: {missing(statement)}")
    raise InputError("claim", name, _instead(name, claims))


def _instead(name: str, claims: Mapping[str, Claim]) -> str:
    """Return what to type instead of a name that no claim has: the nearest label, or labels whose titles contain it."""
    word = name.lower()
    if word in ("all", "everything", "*"):
        return f"not a claim; `{command('all')}` checks every claim"
    if word.endswith(".toml"):
        return f"an instance file is no claim; `python -m verify simulate {name}` simulates it"
    if name and Path(name).is_dir():
        return "is a folder; name a file.py in it"
    printed = [number for statement in STATEMENTS for number in statement.numbers if "." in number]
    if same := [number for number in printed if number.lower().startswith(f"{word} ")]:
        return f"which one? {', '.join(same)}"
    titles = {label: claim.title for label, claim in claims.items()}
    titles = {label: statement.title for label, statement in BY_LABEL.items() if ":" in label} | titles
    numbers = {label: f" ({BY_LABEL[label].number})" if label in BY_LABEL else "" for label in titles}
    telling = len(word) > 2 and ":" not in word
    found = [label for label, t in titles.items() if telling and word in f"{label} {t}".lower()]
    found.sort(key=lambda label: _order(label) if label in claims else (len(_RANK), label, 0, ""))
    if found:
        named = ", ".join(f"{label}{numbers[label]}" for label in found[:6])
        more = f" and {len(found) - 6} more" if len(found) > 6 else ""
        return f"no claim has this name; it is in the name or title of {named}{more}"
    close = nearest(
        re.split("[/@]", name)[0], [*titles, *printed, *(number.partition(" ")[2] for number in printed)]
    )
    listed = f"`{command('list')}` prints the paper's statements, `list --all` every claim"
    return f"unknown; {listed if 'known: ' in close else close}"


def label_of(name: str) -> str:
    """Return the label of the statement with a number such as "theorem 4.1", or of an erratum. Raise
    InputError if there is none. A label is returned as it is, except that this paper's name in front is removed."""
    name = short(name)
    number = number_of(name)
    if number is not None and number not in BY_NUMBER:
        kind, _, figure = number.partition(" ")
        same = [s for n, s in BY_NUMBER.items() if n.partition(" ")[2] == figure and s.numbered]
        if same:
            raise InputError("claim", name, f"that is {same[0].number}, {same[0].label}")
        numbers = [n for s in STATEMENTS for n in s.numbers if s.kind == kind]
        raise InputError("claim", name, f"the paper has {', '.join(numbers)}")
    if number is not None:
        labels = BY_NUMBER[number].labels
        return next((label for label in labels if label in index()), labels[0])
    label = f"erratum:{name.upper()}" if re.fullmatch(r"[Ee]\d+", name) else name
    if label.startswith("erratum:") and label not in index():
        errata = ", ".join(known for known in index() if known.startswith("erratum:"))
        said = f"no such erratum; known: {errata}" if errata else "this paper has no errata here"
        raise InputError("claim", name, said)
    statement = BY_LABEL.get(label)  # a restatement has a label of its own
    if statement is not None and label not in index():
        return next((other for other in statement.labels if other in index()), label)
    return label


@dataclass(frozen=True)
class Coverage:
    """A statement of the paper and the claim about it. verdicts: variant of the claim -> verdict as JSON fields.
    missing: the reason if there is no claim."""

    statement: Statement
    claim: Claim | None
    verdicts: Mapping[str, Mapping[str, Any]]
    missing: str | None

    @property
    def words(self) -> str:
        if self.missing is not None:
            return f"not covered: {self.missing}"
        return listed(self.shown) or "not in this campaign"

    @property
    def shown(self) -> dict[str, str]:
        variants = self.claim.variants if self.claim else {}
        known = {name: (v.vacuous, bool(v.added)) for name, v in variants.items()}
        return {name: shown(row, *known.get(name, ())) for name, row in self.verdicts.items()}


def coverage(found: Mapping[str, Mapping[str, Mapping[str, Any]]] | None = None) -> list[Coverage]:
    """Return a Coverage for each labelled statement of the paper. found: label -> variant -> verdict, from a campaign;
    by default the recorded verdicts."""
    claims = index()
    rows = []
    for statement in sorted(STATEMENTS, key=lambda s: _rank(s.label)):
        claim = next((claims[label] for label in statement.labels if label in claims), None)
        if claim is None:
            rows.append(Coverage(statement, None, {}, missing(statement)))
        elif found is not None:
            rows.append(Coverage(statement, claim, found.get(claim.label, {}), None))
        else:
            known = {name: of_variant(claim, name).row for name in claim.variants}
            rows.append(Coverage(statement, claim, known, None))
    return rows


def missing(statement: Statement) -> str:
    """Return why there is no claim about a statement: its file contains no valid one, or none is written."""
    claims = index()
    bad = (own_claims.refused(file_name(label)) for label in statement.labels)
    return next((f"its file is not a claim: {why}" for why in bad if why), statement.reason(claims))


def coverage_sentence() -> str:
    """Return how many statements have a claim, in words such as "All 12 numbered statements (2 theorems, 10
    lemmas)"."""
    rows = [row for row in coverage({}) if row.statement.numbered]
    covered = sum(row.missing is None for row in rows)
    count = {kind: sum(row.statement.kind.endswith(kind) for row in rows) for kind in NUMBERED}
    kinds = ", ".join(f"{number} {plural(kind, number)}" for kind, number in count.items() if number)
    share = f"All {len(rows)}" if covered == len(rows) else f"{covered} of the {len(rows)}"
    return f"{share} numbered statements ({kinds})"


def tagged(tag: str) -> list[Claim]:
    """Return the claims that have a tag. If there are none, raise InputError, which lists the tags."""
    tags = Counter(t for claim in index().values() for t in claim.tags)
    if tag not in tags:
        if label_of(tag) in index():
            raise InputError("list", tag, f"is one statement: `{command(f'show {tag!r}')}`")
        close = nearest(tag, {*tags, "errata", "remarks"})
        topics = ", ".join(name for name, count in tags.most_common() if ":" not in name and count > 3)
        listed = f"`{command('list')}` prints the paper's theorems; with a word: errata, remarks, {topics}"
        raise InputError("list", tag, f"unknown; {listed if 'known: ' in close else close}")
    return [claim for claim in index().values() if tag in claim.tags]


def _in_print(label: str) -> tuple[int, int, str]:
    place = list(BY_LABEL).index(label) if label in BY_LABEL else len(BY_LABEL)
    return _rank(label), place, label


def _order(label: str) -> tuple[int, str, int, str]:
    kind, _, name = label.partition(":")
    number = int(name[1:]) if kind == "erratum" and name[1:].isdigit() else 0
    return _rank(label), kind, number, name


def _rank(label: str) -> int:
    return _RANK.get(label.partition(":")[0], _RANK["def"])  # other kinds: after the paper's, before our own


@cache
def _checked(name: str, module: ModuleType) -> Claim:
    """Return the claim that a module defines. Checks that follow from its searches, and from theorems in Coq, are
    added. Raise CatalogueError if the claim breaks a rule."""
    from verify.experiments.search import searched
    from verify.formal.coq_evidence import attach

    claim: Claim = module.claim
    claim.close(module.__doc__)
    claim = attach(replace(claim, checks=(*claim.checks, *searched(claim))))
    claim.close()
    problem = inconsistency(claim)
    in_coq = {check.variant for check in claim.checks if check.name.startswith(BY_COQ)}
    for variant, form in claim.variants.items():
        if form.expects is Verdict.COQ and variant not in in_coq:
            problem = f"variant {variant!r} states {form.expects}, and no theorem of proofs/statements.toml is about it"
    if name != file_name(claim.label):
        problem = f"the file of {claim.label} must be called {file_name(claim.label)}.py"
    if not is_label(claim.label):
        problem = f"label {claim.label!r} is not in the paper's list"
    if problem:
        line = own_claims.line_of(Path(module.__file__ or ""), problem)
        raise CatalogueError(f"{module.__name__.replace('.', '/')}.py, line {line}: {problem}")
    return claim


def _cycle(claims: dict[str, Claim]) -> list[str] | None:
    try:
        TopologicalSorter({label: claim.depends for label, claim in claims.items()}).prepare()
    except CycleError as error:
        return list(reversed(error.args[1]))
    return None


if __name__ == "__main__":
    RECORD.write_text(record(), encoding="utf-8")
