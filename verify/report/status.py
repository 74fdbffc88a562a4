"""What became of each statement of the paper, in the words that a reviewer pastes."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from verify.catalogue import coverage
from verify.claim import Severity
from verify.paper import Statement
from verify.verdict import Verdict

PROOFS = (Verdict.KERNEL, Verdict.PROVED)
AS_PRINTED = ("printed", "implied")
REPAIRS = ("repaired", "sharpened", "best")


class Kind(StrEnum):
    """Best first."""

    PROVED = "proved as printed"
    HYPOTHESIS = "true with an added hypothesis"
    CHECKED = "checked as printed, not proved"
    OTHER = "not a single statement: checked part by part"
    REFUTED = "refuted with witness"
    VACUOUS = "vacuous as printed"
    UNDECIDED = "not decided"
    ABSENT = "not in this campaign"
    UNCOVERED = "not covered"


@dataclass(frozen=True)
class Status:
    """A statement of the paper. label: of its claim. stands: what holds in its place, or why it is not covered.
    witness: the command that shows again what refutes it. verdicts: variant -> (verdict, where it is vacuous)."""

    statement: Statement
    label: str
    kind: Kind
    stands: str
    witness: str
    verdicts: dict[str, tuple[str, str]]


def statuses(document: dict[str, Any]) -> list[Status]:
    """Every label of the paper, the theorem first, as this campaign found it."""
    found = {claim["label"]: claim for claim in document["claims"]}
    added = _added_hypotheses(document)
    rows = []
    for row in coverage({}):
        label = row.claim.label if row.claim else row.statement.label
        claim = found.get(label)
        if row.missing is not None:
            rows.append(Status(row.statement, label, Kind.UNCOVERED, row.missing, "", {}))
        elif claim is None or not checked(claim):
            rows.append(Status(row.statement, label, Kind.ABSENT, "", "", {}))
        else:
            rows.append(_status(row.statement, claim, added.get(label, [])))
    return rows


def checked(claim: dict[str, Any]) -> bool:
    """Whether anything about it was checked in this campaign."""
    return any(ran(check) for variant in claim["variants"] for check in variant["checks"])


def ran(check: dict[str, Any]) -> bool:
    return check["failure"] is None and check["evidence"].get("ran", True)


def count(rows: list[Status]) -> dict[Kind, int]:
    """Kind -> how many, kinds that occur, best first."""
    return {kind: number for kind in Kind if (number := sum(row.kind is kind for row in rows))}


def _added_hypotheses(document: dict[str, Any]) -> dict[str, list[str]]:
    """Label -> the hypotheses that its proof needs and the paper does not state, in the words of the errata."""
    added: dict[str, list[str]] = {}
    for claim in document["claims"]:
        record = claim.get("erratum")
        if record and record["severity"] in (Severity.HYPOTHESIS, Severity.VACUOUS):
            for label in record["about"]:
                words = f"{record['repair']} ({claim['label'].removeprefix('erratum:')})"
                added.setdefault(label, []).append(words)
    return added


def _status(statement: Statement, claim: dict[str, Any], added: list[str]) -> Status:
    variants = {v["variant"]: v for v in claim["variants"]}
    verdicts = {name: (v["verdict"], v.get("vacuous", "")) for name, v in variants.items()}
    printed = next((variants[name] for name in AS_PRINTED if name in variants), None)
    if printed is None:
        words = ", ".join(f"{name} {verdict}" for name, (verdict, _) in verdicts.items())
        return Status(statement, claim["label"], Kind.OTHER, words, "", verdicts)
    verdict = Verdict(printed["verdict"])
    stands = _standing(verdicts, added)
    witness = ""
    if verdict is Verdict.REFUTED:
        kind = Kind.HYPOTHESIS if printed.get("added") else Kind.REFUTED
        witness = _replay(claim["label"], printed)
    elif printed.get("vacuous"):
        kind, stands = Kind.VACUOUS, f"it says nothing {printed['vacuous']}; {stands}"
    elif verdict in PROOFS:
        kind = Kind.HYPOTHESIS if added else Kind.PROVED
        stands = f"{verdict}" + (f", if one adds: {'; '.join(added)}" if added else "")
    elif verdict.confirms:
        kind, stands = Kind.CHECKED, str(verdict)
    else:
        kind = Kind.UNDECIDED
    return Status(statement, claim["label"], kind, stands, witness, verdicts)


def _standing(verdicts: dict[str, tuple[str, str]], added: list[str]) -> str:
    """The repaired form and its verdict; a smaller constant where one is proved."""
    known = {
        name: Verdict(verdict)
        for name, (verdict, vacuous) in verdicts.items()
        if name in REPAIRS and not vacuous and Verdict(verdict).confirms
    }
    if not known:
        return "no repaired form is confirmed"
    first, *rest = known
    words = f"{first}: {known[first]}"
    if known[first] not in PROOFS:
        words += " (not a proof)"
    if added and known[first] in PROOFS:
        words += f", under an added hypothesis: {'; '.join(added)}"
    return "; ".join([words, *(f"{name}: {known[name]}" for name in rest)])


def _replay(label: str, variant: dict[str, Any]) -> str:
    for check in variant["checks"]:
        if check["evidence"]["kind"] == Verdict.REFUTED and check["evidence"]["replay"]:
            return str(check["evidence"]["replay"])
    return f"python -m verify run {label}"
