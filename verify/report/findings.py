"""Arrange the results of a campaign of checks for all reports: by statement of the paper, by group, and as counts."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from verify.campaign.results import checks_of
from verify.catalogue import Coverage, coverage
from verify.claim import MainResult, Severity, errata_words, listed
from verify.paper import HIGHLIGHTS, NAME, OUTSIDE, Statement, command, in_print
from verify.verdict import Kind, Verdict, as_printed, shown

ERRORS = "Errors in the paper"
REMARKS = "Remarks on the paper"
ELSEWHERE = "Refuted, and not in print"
VACUOUS = "Vacuous as printed"
STRONGER = "Stronger than the paper"
BEYOND = "Beyond the paper, not proved"
GROUPS = {
    "Not as expected": "An expectation of the catalogue is not met: look here first.",
    ERRORS: "False as printed, each with a witness, worst first; the repaired form is next to it.",
    REMARKS: "No errors of their own: wording, small samples, a repetition, and what the text only suggests.",
    ELSEWHERE: "Forms that the paper does not print, each with a witness.",
    "Often said, and refuted": "Sayings about FL methods that are not the paper's, each with a witness.",
    VACUOUS: "True and empty: no instance (of those named) meets all printed hypotheses, or the bound is infinite.",
    STRONGER: "Statements that the paper does not make, or makes with a larger constant: each is proved.",
    BEYOND: "Such statements without a proof for all parameters: checked on instances, or measured.",
    "As the paper says": "Confirmed as printed or with the smallest repair.",
    "Errata, repaired": "What stands in the place of each erratum or remark.",
    "Not decided": "The evidence does not decide; this is neither a yes nor a no.",
}

Row = dict[str, Any]
REPAIRS = ("repaired", "sharpened", "best")
PRINTED = ("printed", "implied")
GRAVE = (Severity.FALSE, Severity.VACUOUS, Severity.HYPOTHESIS)
AFFECTED = "Statements that are false as printed because of them:"


def findings(document: dict[str, Any]) -> dict[str, list[dict[str, Any]]]:
    """Return the verdicts in the results of a campaign (`document`) by group, such as "Errors in the paper". A row has
    the keys claim, title, variant, found, summary, erratum and because. `because` lists the errata that make a
    statement false; if there are none, the row is an error of its own. Errors are sorted by severity; empty groups are
    left out."""
    groups: dict[str, list[dict[str, Any]]] = {name: [] for name in GROUPS}
    errors = {claim["label"]: claim["erratum"]["severity"] for claim in refuted_errata(document)}
    for claim in document["claims"]:
        for variant in claim["variants"]:
            group = _group(claim, variant)
            because = [label for label in claim["errata"] if label in errors] if group == ERRORS else []
            if because and all(errors[label] == Severity.REMARK for label in because):
                group = REMARKS
            row = {"claim": claim["label"], "title": claim["title"], "variant": variant["variant"]}
            row |= {"found": variant, "erratum": claim.get("erratum") or None, "because": because}
            summary = carrying(variant) if variant["met"] else "; ".join(variant["problems"])
            groups[group].append(row | {"summary": summary})
    # worst first, statements without a record of their own after the false ones, else as the catalogue has them
    order = [str(severity) for severity in Severity]
    groups[ERRORS].sort(key=lambda row: order.index(row["erratum"]["severity"]) if row["erratum"] else 0)
    return {name: rows for name, rows in groups.items() if rows}


def _group(claim: dict[str, Any], variant: dict[str, Any]) -> str:
    verdict = Verdict.of(variant)
    if not variant["met"]:
        return "Not as expected"
    if verdict is Verdict.REFUTED:
        if claim["kind"] == "appendage":
            return "Often said, and refuted"
        own = claim["kind"] == "own result" or variant["variant"] not in PRINTED
        if own and not claim.get("erratum") and not claim["errata"]:
            return ELSEWHERE
        return REMARKS if (claim.get("erratum") or {}).get("severity") == Severity.REMARK else ERRORS
    if verdict is Verdict.UNDECIDED:
        return "Not decided"
    if variant.get("vacuous"):
        return VACUOUS
    if claim.get("erratum"):
        return "Errata, repaired"
    if variant["variant"] in ("sharpened", "best") or claim["kind"] in ("own result", "appendage"):
        return STRONGER if verdict.proves else BEYOND
    return "As the paper says"


def refuted_errata(document: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the errata and remarks whose printed line the results of a campaign of checks refute, as expected."""
    errata = [claim for claim in document["claims"] if claim.get("erratum")]
    return [c for c in errata if any(v["met"] and v["verdict"] == "refuted" for v in c["variants"])]


def errata_found(document: dict[str, Any]) -> str:
    return errata_words(claim["erratum"]["severity"] for claim in refuted_errata(document))


def shown_variant(variant: dict[str, Any]) -> str:
    return shown(variant, variant.get("vacuous", ""), bool(variant.get("added")))


def carrying(variant: dict[str, Any]) -> str:
    """Return the summary, one line, of the evidence that decides the verdict on a variant of a claim."""
    found = [check["evidence"] for check in variant["checks"]]
    telling = [e for e in found if Verdict.of(e) is Verdict.of(variant) and not e["vacuous"]]
    return str(next((e["summary"] for e in (*telling, *found)), "no evidence"))


def new_worst(document: dict[str, Any]) -> list[dict[str, Any]]:
    return [c for c in checks_of(document) if c["evidence"]["figures"].get("new") is True]


def statements(document: dict[str, Any]) -> list[Coverage]:
    """Return every labelled statement of the paper with its verdicts in the results of a campaign of checks, or why no
    claim covers it."""
    found = {c["label"]: {v["variant"]: v for v in c["variants"]} for c in document["claims"]}
    return coverage(found)


def coq_records(document: dict[str, Any]) -> list[str]:
    """Return lines about Coq's answers: recorded or checked again, a digest of the sources, and the version of Coq."""
    by_coq = (check for check in checks_of(document) if check["check"].startswith("coq-"))
    figures = (check["evidence"]["figures"] for check in by_coq)
    known = (f for f in figures if {"answers", "sources", "coq"} <= f.keys())
    return sorted({f"{f['answers']}, checked on sources {f['sources']}, Coq {f['coq']}" for f in known})


def of_paper(name: str) -> Any:
    """Return the attribute `name` of headlines.py in the chosen paper's folder, None if there is no such file."""
    place = f"verify.papers.{NAME}.headlines"
    return None if OUTSIDE or find_spec(place) is None else getattr(import_module(place), name)


def main_results(document: dict[str, Any]) -> list[MainResult]:
    """Return the main results of a campaign of checks (`document`): those that headlines.py of the paper's folder lists
    and the campaign proved, or else the highlights in paper.toml whose verdict the campaign decided as expected."""
    if (found := of_paper("main_results")) is not None:
        return list(found(document))
    pairs = {f"{c['label']}/{v['variant']}": (c, v) for c in document["claims"] for v in c["variants"]}
    return [
        MainResult(c["label"], v["variant"], v, c["title"], v["formula"], words)
        for c, v, words in ((*pairs[name], words) for name, words in HIGHLIGHTS.items() if name in pairs)
        if v["met"] and v["verdict"] != "undecided" and not v.get("vacuous")
    ]


def errata(document: dict[str, Any]) -> dict[Severity, list[dict[str, Any]]]:
    """Return the errata whose printed line this campaign refuted, by severity, worst first, remarks last. A row has the
    fields of verify.claim.Erratum and the keys label, name (without "erratum:"), title, witness and replay (a
    command)."""
    found: dict[Severity, list[dict[str, Any]]] = {severity: [] for severity in Severity}
    for claim in refuted_errata(document):
        found_by = [check["evidence"] for variant in claim["variants"] for check in variant["checks"]]
        first = next(evidence for evidence in found_by if evidence["verdict"] == "refuted")
        label, record = claim["label"], claim["erratum"]
        row = {"label": label, "name": label.removeprefix("erratum:"), "title": in_print(claim["title"])}
        row |= {"place": in_print(record["place"]), "repair": in_print(record["repair"])}
        row |= {"witness": first["summary"], "replay": first["replay"] or command(f"run {label}")}
        found[Severity(record["severity"])].append(record | row)
    return {severity: rows for severity, rows in found.items() if rows}


def counted(document: dict[str, Any], rows: list[Status]) -> dict[str, Any]:
    """Return the counts in the report's first sentence: checks, claims, statements and so on that this campaign covers.
    rows: from `statuses`."""
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
    """Return reason -> numbers in print of the statements that have no claim for this reason. rows: from `statuses`."""
    reasons: dict[str, list[str]] = {}
    last: dict[str, str] = {}
    for row in rows:
        if row.kind is Kind.UNCOVERED:
            reason = row.stands.partition(": ")[0].replace("the algorithm itself", "an algorithm")
            word, _, number = row.statement.number.partition(" ")
            reasons.setdefault(reason, []).append(number if last.get(reason) == word else f"{word} {number}")
            last[reason] = word
    return reasons


@dataclass(frozen=True)
class Status:
    """What a campaign found about one statement of the paper.

    * label: of its claim; kind: its status as printed; verdicts: variant -> its results
    * stands: what is true instead, or why there is no claim
    * errata: claims about the errors that make it fail, worst first; witness: the command that shows the refutation
    """

    statement: Statement
    label: str
    kind: Kind
    stands: str
    witness: str
    verdicts: dict[str, dict[str, Any]]
    errata: tuple[dict[str, Any], ...] = ()


def statuses(document: dict[str, Any]) -> list[Status]:
    """Return the status of each labelled statement of the paper, theorems first, in the results of a campaign of
    checks."""
    found = {claim["label"]: claim for claim in document["claims"]}
    added = _added_hypotheses(document)
    errata = [claim for claim in refuted_errata(document) if claim["erratum"]["severity"] in GRAVE]
    errata.sort(key=lambda claim: GRAVE.index(claim["erratum"]["severity"]))
    rows = []
    for row in coverage({}):
        label = row.claim.label if row.claim else row.statement.label
        claim = found.get(label)
        if row.missing is not None:
            rows.append(Status(row.statement, label, Kind.UNCOVERED, row.missing, "", {}))
        elif claim is None or not any(ran(check) for v in claim["variants"] for check in v["checks"]):
            rows.append(Status(row.statement, label, Kind.ABSENT, "", "", {}))
        else:
            rows.append(_status(row.statement, claim, added.get(label, []), errata))
    return rows


def ran(check: dict[str, Any]) -> bool:
    return check["failure"] is None and check["evidence"].get("ran", True)


def count(rows: list[Status]) -> dict[Kind, int]:
    return {kind: number for kind in Kind if (number := sum(row.kind is kind for row in rows))}


def _added_hypotheses(document: dict[str, Any]) -> dict[str, list[str]]:
    added: dict[str, list[str]] = {}
    for claim in document["claims"]:
        record = claim.get("erratum")
        if record and record["severity"] in (Severity.HYPOTHESIS, Severity.VACUOUS):
            for label in record["about"]:
                added.setdefault(label, []).append(f"{record['repair']} ({short(claim)})")
    return added


def _status(statement: Statement, claim: Row, added: list[str], errata: list[Row]) -> Status:
    variants = {v["variant"]: v for v in claim["variants"]}
    printed = next((variants[name] for name in PRINTED if name in variants), None)
    if printed is None:
        words = listed({name: shown(v) for name, v in variants.items()})
        kind = Kind.FORMS if statement.numbered else Kind.OTHER
        return Status(statement, claim["label"], kind, words, "", variants)
    verdict, where = Verdict.of(printed), printed.get("vacuous", "")
    kind = as_printed(printed, where, bool(printed.get("added")))
    mine = [e for e in errata if set(statement.labels) & set(e["erratum"]["about"])]
    if kind is Kind.HYPOTHESIS:
        mine = [e for e in mine if e["erratum"]["severity"] == Severity.HYPOTHESIS]
    elif kind not in (Kind.REFUTED, Kind.VACUOUS, Kind.PARTLY):
        mine = []
    stands, witness = _standing(variants, added), ""
    if mine:
        witness = command(f"run {' '.join(short(e) for e in mine)}")
    elif verdict is Verdict.REFUTED:
        found = [check["evidence"] for check in printed["checks"]]
        replays = (e["replay"] for e in found if e["verdict"] == "refuted" and e["replay"])
        witness = str(next(replays, command(f"run {claim['label']}")))
    if kind in (Kind.VACUOUS, Kind.PARTLY):
        stands = f"it is vacuous {where}; {stands}"
    elif verdict.confirms:
        stands = shown(printed) + (f", if one adds: {'; '.join(added)}" if kind is Kind.HYPOTHESIS else "")
    return Status(statement, claim["label"], kind, stands, witness, variants, tuple(mine))


def short(claim: dict[str, Any]) -> str:
    return str(claim["label"]).removeprefix("erratum:")


def _standing(variants: dict[str, dict[str, Any]], added: list[str]) -> str:
    repairs = {name: v for name, v in variants.items() if name in REPAIRS and not v.get("vacuous")}
    known = {name: v for name, v in repairs.items() if Verdict.of(v).confirms}
    if not known:
        return "no repaired form is confirmed"
    first, *rest = (f"{name}: {shown(v)}" for name, v in known.items())
    if not Verdict.of(next(iter(known.values()))).proves:
        first += ", not a proof"
    elif added:
        first += f", under an added hypothesis: {'; '.join(added)}"
    return "; ".join([first, *rest])
