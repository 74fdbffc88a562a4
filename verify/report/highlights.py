"""The first screen of a report: the paper, what was checked of it, the main results as mathematics, the errata.

Every number is computed from the bounds that `bound` evaluates, and shown only if this campaign proved its statement.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from bounds import lem_epoch_regret_bound
from bounds.best.constant import best
from bounds.theorems import col_finite
from verify.campaign.results import checks_of
from verify.claim import Severity
from verify.report.headline import refuted_errata
from verify.report.status import PROOFS, Kind, Status, ran
from verify.verdict import Verdict

PAPER = {
    "title": "Harnessing the Power of Federated Learning in Federated Contextual Bandits",
    "authors": "Chengshuai Shi, Ruida Zhou, Kun Yang, Cong Shen",
    "where": "Transactions on Machine Learning Research",
    "year": "2024",
    "address": "https://openreview.net/forum?id=Z8wcREe9qV",
}
AGENTS, ARMS, FUNCTIONS = 10, 2, 10  # of the example horizon


@dataclass(frozen=True)
class Result:
    """label and variant: what it is of. formula: LaTeX. words: what it means, in a sentence."""

    label: str
    variant: str
    verdict: str
    title: str
    formula: str
    words: str


def main_results(document: dict[str, Any]) -> list[Result]:
    """What is new in one line of mathematics each; only what this campaign proved."""
    return [
        result
        for result in (
            _constants(document),
            _horizons(document),
            _printed_form(
                document,
                "col:finite",
                "The regret for a finite class, with its constant",
                "The paper gives the order. Here every constant is explicit, the first epoch is kept, and the"
                " logarithm of the number of samples is gone.",
            ),
            _printed_form(
                document,
                "col:linear",
                "The regret for linear rewards",
                "The same for ridge regression in d dimensions, with delta the relative error that the solver may"
                " leave (0 for an exact one).",
            ),
        )
        if result is not None
    ]


def _proved(document: dict[str, Any], label: str, *variants: str) -> dict[str, Any] | None:
    """The last of the variants, if all of them are proved in this campaign."""
    claim = next((c for c in document["claims"] if c["label"] == label), None)
    found = {v["variant"]: v for v in claim["variants"]} if claim else {}
    proved = [found.get(name) for name in variants]
    if any(v is None or v.get("vacuous") or Verdict(v["verdict"]) not in PROOFS for v in proved):
        return None
    return proved[-1]


def _constants(document: dict[str, Any]) -> Result | None:
    label = "thm:global_regret"
    variant = _proved(document, label, "repaired", "sharpened", "best")
    if variant is None:
        return None
    # agents in step (c = 1) and the supremum over the number of arms (q = 1)
    paper = int(lem_epoch_regret_bound.paper(1))
    sharpened = _up(float(lem_epoch_regret_bound.sharpened_over_g(1, 1)))
    smallest = _up(best(None).over_g)
    return Result(
        label,
        "best",
        variant["verdict"],
        "The constant of the theorem",
        rf"{paper}\,c^2 \longrightarrow {sharpened:.2f} \longrightarrow {smallest:.2f}",
        f"An epoch costs at most so many times the sum of square roots in the theorem: {paper} by the paper's proof,"
        f" {sharpened:.2f} by a short one, {smallest:.2f} by the best here (agents in step, c = 1, any number of arms;"
        " each at a learning rate of its own).",
    )


def _horizons(document: dict[str, Any]) -> Result | None:
    label = "col:finite"
    variant = _proved(document, label, "repaired", "sharpened", "best")
    if variant is None:
        return None
    first = {
        name: col_finite.epoch_sum(name, AGENTS, ARMS, FUNCTIONS).first_informative_horizon()
        for name in ("printed", "repaired", "sharpened", "best")
    }
    if None in first.values():
        return None
    shown = [rf"\text{{{value:,}}}" for value in first.values()]
    return Result(
        label,
        "best",
        variant["verdict"],
        "The horizon from which the bound says anything",
        r"T \ge " + r" \longrightarrow ".join(shown),
        f"Up to that many steps the bound is not below what is known without learning. {AGENTS} agents, {ARMS} arms,"
        f" {FUNCTIONS} functions: as the paper's proof gives it, repaired, sharpened, and the best here.",
    )


def _printed_form(document: dict[str, Any], label: str, title: str, words: str) -> Result | None:
    variant = _proved(document, label, "best")
    return Result(label, "best", variant["verdict"], title, variant["formula"], words) if variant else None


def _up(value: float) -> float:
    """Two decimals, never below: a bound must not be rounded down."""
    return math.ceil(round(value * 100, 9)) / 100


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
