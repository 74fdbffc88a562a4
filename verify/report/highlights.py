"""The first screen of a report: what was checked of the paper, the main results as mathematics, the errata."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import Any

from verify.campaign.results import checks_of
from verify.claim import Severity
from verify.paper import NAME
from verify.report.headline import refuted_errata
from verify.report.status import Kind, Status, ran
from verify.verdict import Verdict


def main_results(document: dict[str, Any]) -> list[Any]:
    """Return what the paper's folder calls new, a line of mathematics each; only what this campaign proved."""
    headlines = headlines_of_paper()
    return [] if headlines is None else list(headlines.main_results(document))


def notes() -> tuple[str, ...]:
    """Return what the paper's folder wants a reader of its results to know."""
    headlines = headlines_of_paper()
    return () if headlines is None else tuple(headlines.NOTES)


def headlines_of_paper() -> ModuleType | None:
    """Import headlines.py of the paper's folder, if it has one."""
    place = f"verify.papers.{NAME}.headlines"
    return None if find_spec(place) is None else import_module(place)


def errata(document: dict[str, Any]) -> dict[Severity, list[dict[str, Any]]]:
    """Return severity -> errata that this campaign refuted, worst first, remarks last: the fields of
    verify.claim.Erratum, and label, name (E6), title, witness and replay."""
    found: dict[Severity, list[dict[str, Any]]] = {severity: [] for severity in Severity}
    for claim in refuted_errata(document):
        first = next(
            check["evidence"]
            for variant in claim["variants"]
            for check in variant["checks"]
            if check["evidence"]["kind"] == Verdict.REFUTED
        )
        label, record = claim["label"], claim["erratum"]
        row = {"label": label, "name": label.removeprefix("erratum:"), "title": claim["title"]}
        row |= {"witness": first["summary"], "replay": first["replay"] or f"python -m verify run {label}"}
        found[Severity(record["severity"])].append(record | row)
    return {severity: rows for severity, rows in found.items() if rows}


def counted(document: dict[str, Any], rows: list[Status]) -> dict[str, Any]:
    """The headline's numbers: only what this campaign checked."""
    checks = checks_of(document)
    done = [check for check in checks if ran(check)]
    numbered = [row for row in rows if row.statement.numbered]
    touched = [row for row in numbered if row.kind not in (Kind.ABSENT, Kind.UNCOVERED)]
    forms = {(check["claim"], check["variant"]) for check in done}
    return {
        "checks": len(done),
        "not_run": len(checks) - len(done),
        "told_apart": sum(check["control_ok"] for check in done),
        "forms": len(forms),
        "claims": len({claim for claim, _ in forms}),
        "numbered": len(numbered),
        "numbered_checked": len(touched),
        "unmet": sum(not v["met"] for claim in document["claims"] for v in claim["variants"]),
    }


def uncovered(rows: list[Status]) -> dict[str, list[str]]:
    """Why -> numbers in print of what is not covered, the word before them once: "Table 1, 2"."""
    reasons: dict[str, list[str]] = {}
    last: dict[str, str] = {}
    for row in rows:
        if row.kind is Kind.UNCOVERED:
            reason = row.stands.partition(":")[0].replace("the algorithm itself", "an algorithm")
            word, _, number = row.statement.number.partition(" ")
            reasons.setdefault(reason, []).append(number if last.get(reason) == word else f"{word} {number}")
            last[reason] = word
    return reasons
