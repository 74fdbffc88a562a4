"""Read and write the verdicts of the last recorded campaign of checks, for commands that run no check, such as
simulate.

`python -m verify.report.verdict_table RESULTS` writes recorded_verdicts.json in the paper's folder, and a test compares
it with a campaign. A variant that is not recorded is undecided.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache, reduce
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bounds.errors import InputError
from fedigw import outside
from fedigw.instance_file import read_plain
from verify.claim import Claim
from verify.paper import FOLDER, HOME, OUTSIDE, command, elsewhere, file_name, hashes
from verify.verdict import FIELDS, Verdict, shown

if TYPE_CHECKING:
    from bounds.theorem import Applied

PLACE = FOLDER / "recorded_verdicts.json"
TABLES = ("verdicts", "keys", "vacuous", "files", "proofs", "hashes", "rests_on")
NOTHING: Mapping[str, Any] = {"profile": None, "seed": None} | {name: {} for name in TABLES}
EDITED = f"{PLACE.name} is not as `all --record` wrote it; run that again"


@dataclass(frozen=True)
class Recorded:
    """A verdict and its origin. row: its JSON fields (`verdict`, `by`, ...). source: the campaign of checks, or why
    there is no verdict. vacuous: for which problems the statement says nothing. added: whether the statement needs a
    hypothesis that it does not state."""

    row: Mapping[str, Any]
    source: str
    vacuous: str = ""
    added: bool = False

    @classmethod
    def of(cls, document: Mapping[str, Any]) -> Recorded:
        """Return the verdict that a command's JSON document contains."""
        return cls({name: document[name] for name in FIELDS if name in document}, document["verdict_source"])

    @property
    def fields(self) -> dict[str, Any]:
        return {**self.row, "verdict_source": self.source}

    @property
    def verdict(self) -> Verdict:
        return Verdict.of(self.row)

    @property
    def proved(self) -> bool:
        return self.verdict.proves and not self.vacuous

    @property
    def shown(self) -> str:
        return shown(self.row, self.vacuous, self.added)

    @property
    def meaning(self) -> str:
        if where := self.row.get("statement_vacuous"):
            return f"its statement is vacuous {where}"
        return (f"it is vacuous {self.vacuous}, " if self.vacuous else "") + self.verdict.meaning

    @property
    def caution(self) -> str:
        """Return a warning to print next to a number whose statement is not proved, "" if it is proved."""
        if self.verdict is Verdict.REFUTED:
            return "NO GUARANTEE: its statement is refuted"
        if self.vacuous or "statement_vacuous" in self.row:
            return "NO GUARANTEE: its statement is vacuous"
        if self.verdict is Verdict.UNDECIDED:
            return f"NOT PROVED: {self.source}"
        return "" if self.proved else "not proved"


def undecided(source: str) -> Recorded:
    return Recorded(Verdict.UNDECIDED.fields, source)


NO_CLAIM = undecided("no claim is about it")
UNCHECKED = undecided("no check bears on it")
OF_THE_SCHEDULE = ("regret", "calls")  # for any protocol: what depends on one is named by `rests_on`


@cache
def record(folder: Path = FOLDER) -> Mapping[str, Any]:
    """Return the recorded verdicts of a paper, with the profile and seed of their campaign. Verdicts on claims that
    have changed since then are left out; the entry `changed` gives the reason for each label."""
    place, ours = folder / PLACE.name, folder.is_relative_to(HOME)
    if not place.is_file():
        return NOTHING
    try:
        found = {**NOTHING, **json.loads(read_plain(place, "file"))}
        for row in (row for rows in found["verdicts"].values() for row in rows.values()):
            if (
                Verdict.of(row) is Verdict.COQ
                and not ours
                and not any(n.endswith(".v") for n in found["proofs"])
            ):
                raise ValueError("there is no proof in Coq")
        if len(origin := _campaign(found)) > 80 or not origin.isprintable():
            raise ValueError("it does not say from which campaign it is")
        changed = {label: why for label in found["verdicts"] if (why := _changed(found, label, folder))}
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        again = f"{PLACE.name} is damaged; `{command('all --record')}` writes it"
        raise InputError("--paper", str(folder), again) from None
    kept = {label: rows for label, rows in found["verdicts"].items() if label not in changed}
    return found | {"verdicts": kept, "changed": changed}


def _changed(found: Mapping[str, Any], label: str, folder: Path) -> str:
    if found["hashes"].get(label, []) != hashes(folder).get(label, []):
        return "the statement changed since it was checked"
    if folder.is_relative_to(HOME):  # of its files, `cite` has the hashes
        return ""
    if found.get("seal") != _seal(found):
        return EDITED
    file = f"{file_name(label)}.py"
    if found["files"].get(file) != _digest(folder / "claims" / file):
        return "its file changed since it was checked"
    same = found["proofs"] == _proofs(folder)
    return "" if same else "a file in proofs/ or theorems/ changed since it was checked"


def _seal(document: Mapping[str, Any]) -> str:
    """Return a hash of a record without its seal. The hash tells an edited record from one that a campaign wrote; it is
    no signature, because anybody can compute it."""
    body = {name: document.get(name) for name in ("profile", "seed", "version", *TABLES)}
    return hashlib.sha256(json.dumps(body, sort_keys=True).encode()).hexdigest()[:16]


def _digest(path: Path) -> str:
    return outside.digest(path) if path.is_file() else ""


def _proofs(folder: Path) -> dict[str, str]:
    proofs = (path for kind in ("smt2", "v", "lean") for path in (folder / "proofs").glob(f"*.{kind}"))
    return {path.name: _digest(path) for path in sorted((*proofs, *(folder / "theorems").glob("*.py")))}


def of_other(name: str) -> Recorded:
    """Return the recorded verdict on a statement of another paper. name: `paper:label/variant`."""
    folder, label, variant = elsewhere(name) or (FOLDER, name, "printed")
    found = record(folder)
    row = found["verdicts"].get(label, {}).get(variant)
    if row is None or found["vacuous"].get(label, {}).get(variant):
        return undecided(found.get("changed", {}).get(label, "no verdict on it is recorded"))
    return Recorded(row, f"recorded by the paper {name.partition(':')[0]}")


def limited(known: Recorded, rests_on: Iterable[str]) -> Recorded:
    """Return the verdict `known`, made weaker if the claim rests on statements of another paper (`rests_on`) whose
    verdicts are weaker. If such a statement is refuted or undecided, the result is undecided."""
    for name in (name for name in rests_on if elsewhere(name)):
        other = of_other(name)
        if known.verdict.confirms and not other.verdict.at_least(known.verdict):
            why = f"rests on {name}: {other.shown}"
            row = other.row if other.verdict.confirms else Verdict.UNDECIDED.fields | {"by": why}
            known = Recorded(row, why, known.vacuous, known.added)
    return known


def of_variant(claim: Claim, name: str) -> Recorded:
    """Return the recorded verdict on a variant of a claim; no check is run."""
    found = record()["verdicts"].get(claim.label, {}).get(name)
    variant = claim.variants.get(name)
    if variant is None:
        return NO_CLAIM if found is None else Recorded(found, _source())
    if found is None:
        why = record().get("changed", {}).get(claim.label, "no campaign that ran it is recorded")
        return undecided(f"{why}; its claim expects {variant.expects}")
    known = Recorded(found, _source(), variant.vacuous, bool(variant.added))
    return limited(known, claim.depends)


def of_number(label: str, variant: str, quantity: str = "regret", protocol: str | None = None) -> Recorded:
    """Return the recorded verdict on a number that a command prints, such as a regret bound. It is the verdict on the
    statement about this variant and quantity and, if the number depends on the protocol, this protocol."""
    own = [] if protocol is None or quantity in OF_THE_SCHEDULE else [protocol]
    part = record()["keys"].get(label, {}).get(" ".join([variant, quantity, *own]))
    return UNCHECKED if part is None else of_statement(label, part)


def of_risk(label: str | None, variant: str) -> Recorded:
    """Return the recorded verdict on the excess-risk bound that the claim `label` states: the verdict on the given
    variant or, if the claim lacks it, the weakest verdict on its variants other than the printed one."""
    parts = record()["verdicts"].get(label or "", {})
    names = [variant] if variant in parts else [name for name in parts if name != "printed"]
    return weakest([(str(label), name) for name in names])


def of_applied(found: Applied, variant: str) -> Recorded:
    """Return the verdict on the regret bound `found` of a federation. It is the weakest of the verdicts on the theorem,
    on the bound on the excess risk, and on the statements from which both follow."""
    risk = of_risk(*found.risks.get(variant, (found.claim, variant)))
    return resting(weaker(of_number(found.theorem, variant), risk), found.rests_on)


def resting(known: Recorded, statements: Iterable[tuple[str, str]]) -> Recorded:
    """Return the weakest of the verdict `known` and the recorded verdicts on the statements. A statement is a pair
    (label, variant)."""
    return reduce(weaker, (of_statement(*statement) for statement in statements), known)


def of_statement(label: str, variant: str) -> Recorded:
    """Return the recorded verdict on a variant of a statement. It is undecided if the statement is vacuous, because
    only the vacuity was checked."""
    found = record()["verdicts"].get(label, {}).get(variant)
    if found is None:
        why = record().get("changed", {}).get(label)
        return undecided(why) if why else NO_CLAIM
    if where := record()["vacuous"].get(label, {}).get(variant):
        row = Verdict.UNDECIDED.fields | {"statement_vacuous": where}
        return Recorded(row, f"its statement is vacuous {where}")
    return limited(Recorded(found, _source()), record()["rests_on"].get(label, ()))


def _source() -> str:
    return origin() if OUTSIDE else f"found by the recorded campaign ({_campaign(record())})"


def _campaign(found: Mapping[str, Any]) -> str:
    version = f", version {found['version']}" if "version" in found else ""
    return f"{found['profile']} profile, seed {found['seed']}{version}"


def origin() -> str:
    """Return where the recorded verdicts come from. Those in a folder outside the package are its author's: they were
    not computed here."""
    said = _campaign(record())
    if not OUTSIDE:
        return f"recorded from a campaign ({said})"
    return f"recorded by the folder's author ({said}), not recomputed here"


def weaker(first: Recorded, second: Recorded) -> Recorded:
    return first if second.verdict.at_least(first.verdict) else second


def weakest(statements: Iterable[tuple[str, str]]) -> Recorded:
    """Return the weakest recorded verdict on the statements, pairs (label, variant); undecided if there are none."""
    found = [of_statement(*statement) for statement in statements]
    return reduce(weaker, found) if found else NO_CLAIM


def text(document: Mapping[str, Any], claims: Mapping[str, Claim]) -> str:
    """Return the text of recorded_verdicts.json for the results of a campaign: the verdicts, and the numbers that each
    is about."""
    verdicts: dict[str, Any] = {}
    for claim in document["claims"]:
        rows = {v["variant"]: {name: v[name] for name in FIELDS if name in v} for v in claim["variants"]}
        verdicts[claim["label"]] = rows
    tables = {"verdicts": verdicts} | declared(claims)
    texts = hashes(FOLDER)
    tables["hashes"] = {label: texts[label] for label in claims if texts.get(label)}
    if OUTSIDE:
        names = [f"{file_name(label)}.py" for label in claims]
        tables["files"] = {name: _digest(FOLDER / "claims" / name) for name in names}
        tables["proofs"] = _proofs(FOLDER)
        others = {label: list(filter(elsewhere, claim.depends)) for label, claim in claims.items()}
        tables["rests_on"] = {label: names for label, names in others.items() if names}
    lines = [f'"profile": {json.dumps(document["profile"])},\n"seed": {document["seed"]}']
    if OUTSIDE:
        head = {name: document[name] for name in ("profile", "seed", "version")}
        sealed = json.loads(json.dumps(head | tables))
        lines += [f'"version": {json.dumps(head["version"])},\n"seal": "{_seal(sealed)}"']
    for name, table in tables.items():
        body = ",\n".join(f" {json.dumps(label)}: {json.dumps(row)}" for label, row in table.items())
        lines.append(f"{json.dumps(name)}: {{\n{body}\n}}")
    return "{\n" + ",\n".join(lines) + "\n}\n"


def declared(claims: Mapping[str, Claim]) -> dict[str, Any]:
    """Return two tables by claim: "keys" says which variant's verdict is about which computed number, and "vacuous" for
    which problems a variant says nothing."""
    keys, vacuous = {}, {}
    for label, claim in claims.items():
        covered = [((name, "regret"), name) for name in claim.variants] if OUTSIDE else claim.covered()
        if covered:
            keys[label] = {" ".join(key): name for key, name in covered}
        if empty := {name: variant.vacuous for name, variant in claim.variants.items() if variant.vacuous}:
            vacuous[label] = empty
    return {"keys": keys, "vacuous": vacuous}
