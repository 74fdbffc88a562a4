"""What a reader should see first: the unexpected, then the paper's errors, then what is new, then the rest."""

from __future__ import annotations

from typing import Any

from verify.campaign.results import checks_of
from verify.catalogue import Coverage, coverage
from verify.claim import Severity, errata_words
from verify.verdict import Verdict

ERRORS = "Errors in the paper"
REMARKS = "Remarks on the paper"
VACUOUS = "Vacuous as printed"
STRONGER = "Stronger than the paper"
BEYOND = "Beyond the paper, not proved"
GROUPS = {
    "Not as expected": "An expectation of the catalogue is not met: look here first.",
    ERRORS: "Refuted as printed, each with a witness, worst first; the repaired form is beside it.",
    REMARKS: "No errors of their own: wording, small samples, a repetition, and what the text only suggests.",
    "Often said, and refuted": "Sayings about FL methods that are not the paper's, each with a witness.",
    VACUOUS: "True and empty: no instance meets the printed hypotheses together, or the printed bound is infinite.",
    STRONGER: "Statements that the paper does not make, or makes with a larger constant: each is proved.",
    BEYOND: "Such statements without a proof for all parameters: certified, exact on instances, computed or measured.",
    "As the paper says": "Confirmed as printed or with the smallest repair.",
    "Errata, repaired": "What stands in the place of each erratum or remark.",
    "Not decided": "The evidence does not decide; this is neither a yes nor a no.",
}

AFFECTED = "Statements that are refuted as printed because of them:"


def findings(document: dict[str, Any]) -> dict[str, list[dict[str, Any]]]:
    """Group -> rows {claim, title, variant, verdict, vacuous, summary, erratum, because}, in reading order, errors by
    severity; empty groups left out.

    because: the errata, refuted here themselves, that a refuted statement suffers from. One error is one row without.
    """
    groups: dict[str, list[dict[str, Any]]] = {name: [] for name in GROUPS}
    errors = {claim["label"]: claim["erratum"]["severity"] for claim in refuted_errata(document)}
    for claim in document["claims"]:
        for variant in claim["variants"]:
            row = {
                "claim": claim["label"],
                "title": claim["title"],
                "variant": variant["variant"],
                "verdict": variant["verdict"],
                "vacuous": variant.get("vacuous", ""),
                "summary": carrying(variant) if variant["met"] else "; ".join(variant["problems"]),
                "erratum": claim.get("erratum") or None,
            }
            group = _group(claim, variant)
            because = [label for label in claim["errata"] if label in errors] if group == ERRORS else []
            if because and all(errors[label] == Severity.REMARK for label in because):
                group = REMARKS
            groups[group].append(row | {"because": because})
    groups[ERRORS].sort(key=_severity)  # a stable sort: within a severity as the catalogue has them
    return {name: rows for name, rows in groups.items() if rows}


def _severity(row: dict[str, Any]) -> int:
    """What an error costs, worst first; statements without a record of their own after the false ones."""
    order = [str(severity) for severity in Severity]
    return order.index(row["erratum"]["severity"]) if row["erratum"] else 0


def _group(claim: dict[str, Any], variant: dict[str, Any]) -> str:
    verdict = Verdict(variant["verdict"])
    if not variant["met"]:
        return "Not as expected"
    if verdict is Verdict.REFUTED:
        if claim["kind"] == "appendage":
            return "Often said, and refuted"
        return REMARKS if (claim.get("erratum") or {}).get("severity") == Severity.REMARK else ERRORS
    if verdict is Verdict.INCONCLUSIVE:
        return "Not decided"
    if variant.get("vacuous"):
        return VACUOUS
    if claim.get("erratum"):
        return "Errata, repaired"
    if variant["variant"] in ("sharpened", "best") or claim["kind"] in ("own result", "appendage"):
        return STRONGER if verdict in (Verdict.KERNEL, Verdict.PROVED) else BEYOND
    return "As the paper says"


def refuted_errata(document: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the errata and remarks whose line this campaign refuted, as expected."""
    return [
        claim
        for claim in document["claims"]
        if claim.get("erratum")
        and any(v["met"] and v["verdict"] == Verdict.REFUTED for v in claim["variants"])
    ]


def errata_found(document: dict[str, Any]) -> str:
    """Return how many errata and remarks this campaign found."""
    return errata_words(claim["erratum"]["severity"] for claim in refuted_errata(document))


def carrying(variant: dict[str, Any]) -> str:
    """The finding that carries the verdict."""
    checks = variant["checks"]
    for check in checks:
        if check["evidence"]["kind"] == variant["verdict"] and not check["evidence"]["vacuous"]:
            return str(check["evidence"]["summary"])
    return str(checks[0]["evidence"]["summary"]) if checks else "no evidence"


def new_worst(document: dict[str, Any]) -> list[dict[str, Any]]:
    """Checks whose search found a worse instance than any kept one."""
    return [c for c in checks_of(document) if c["evidence"]["figures"].get("new") is True]


def statements(document: dict[str, Any]) -> list[Coverage]:
    """Every label of the paper, with the verdicts of this campaign, or that it is not covered, and why."""
    found = {c["label"]: {v["variant"]: v["verdict"] for v in c["variants"]} for c in document["claims"]}
    return coverage(found)


def kernel_words(document: dict[str, Any]) -> list[str]:
    """How the kernel's evidence was had (recorded or rechecked), on which sources, by which Coq: one line each."""
    kernel = (check for check in checks_of(document) if check["check"].startswith("kernel-"))
    figures = (check["evidence"]["figures"] for check in kernel)
    said = (f for f in figures if {"word", "sources", "coq"} <= f.keys())
    return sorted({f"{f['word']}, checked on sources {f['sources']}, Coq {f['coq']}" for f in said})
