"""Print what a campaign of checks found on one terminal screen: first what was not expected, then each statement of the
paper, then where to read more. The README's table has the same rows."""

import re
from dataclasses import dataclass
from textwrap import wrap
from typing import Any

from verify.claim import Severity
from verify.paper import HIGHLIGHTS, in_print, kinds_in_words
from verify.report.findings import (
    REPAIRS,
    Status,
    counted,
    errata_found,
    main_results,
    refuted_errata,
    short,
    statuses,
)
from verify.verdict import Kind, Verdict, shown


@dataclass(frozen=True)
class Row:
    """A line about one numbered statement of the paper. wrong: what is wrong with it as printed, "" if nothing. bad:
    whether the order of the result survives the error. true: the variants that hold, with their verdicts."""

    number: str
    label: str
    kind: Kind
    wrong: str
    bad: str
    true: str


def rows(document: dict[str, Any]) -> list[Row]:
    return [_row(status) for status in statuses(document) if status.statement.numbered]


def _row(status: Status) -> Row:
    number, mine = status.statement.number, status.errata
    plain = status.kind in (Kind.PROVED, Kind.CHECKED, Kind.UNDECIDED, Kind.ABSENT, Kind.UNCOVERED)
    wrong = "; ".join(_wrong(claim, number) for claim in mine)
    if status.kind is Kind.PARTLY:
        names = ", ".join(map(short, mine))
        wrong = f"vacuous {status.verdicts['printed']['vacuous']} ({names})"
    answers = (in_print(claim["erratum"]["order_survives"]) for claim in mine)
    each = zip(mine, answers, strict=True)
    bad = "; ".join(f"{short(e)}: {said}" if len(mine) > 1 else said for e, said in each)
    forms = status.verdicts if plain else {name: v for name, v in status.verdicts.items() if name in REPAIRS}
    by_verdict: dict[str, list[str]] = {}
    for name, variant in forms.items():
        if name in ("printed", *REPAIRS) and Verdict.of(variant).confirms and not variant.get("vacuous"):
            by_verdict.setdefault(shown(variant), []).append(name)
    if status.kind is Kind.HYPOTHESIS and Verdict.of(status.verdicts["printed"]).confirms:
        by_verdict = {shown(status.verdicts["printed"]): ["printed, with it"]} | by_verdict
    true = "; ".join(f"{', '.join(names)}: {verdict}" for verdict, names in by_verdict.items())
    return Row(number, status.label, status.kind, wrong, bad, true or "no form is confirmed")


def _wrong(claim: dict[str, Any], number: str) -> str:
    name = short(claim)
    if claim["erratum"]["severity"] == Severity.HYPOTHESIS:
        return f"needs a hypothesis: {in_print(claim['erratum']['repair'])} ({name})"
    said = in_print(claim["title"]).removeprefix(number).strip()
    other = re.match(r"(\w+ [\w.]*\d) (.*)", said)  # the number in print of a statement with the same error
    if other:
        said = f"like {other[1]}, {other[2]}"
    elif said[1:2].islower():
        said = said[0].lower() + said[1:]
    return f"{said} ({name})"


def numbers(found: list[Row]) -> str:
    """Return the numbers in print of some statements, grouped by kind: "Lemma 1, 2; Theorem 3"."""
    kinds: dict[str, list[str]] = {}
    for row in found:
        kind, _, number = row.number.partition(" ")
        kinds.setdefault(kind, []).append(number)
    return "; ".join(f"{kind} {', '.join(mine)}" for kind, mine in kinds.items())


def screen(document: dict[str, Any], folder: str) -> list[str]:
    found, counts = rows(document), counted(document, statuses(document))
    explained: set[str] = set()
    lines = [
        f"{counts['numbered_checked']} of {counts['numbered']} {kinds_in_words()} checked"
        f" ({document['profile']} profile, seed {document['seed']}).",
        *_surprises(document, counts),
        "",
    ]
    for kind in Kind:
        mine, title = [row for row in found if row.kind is kind], kind.capitalize()
        if mine and (kind in (Kind.PROVED, Kind.CHECKED) or not any(row.wrong for row in mine)):
            lines += wrap(f"{title} ({len(mine)}): {numbers(mine)}", 100, subsequent_indent="  ")
        elif mine:
            repaired = {_short(row) for row in mine}
            common = repaired.pop() if len(repaired) == 1 else ""
            lines.append(f"{title} ({len(mine)}){common}:")
            groups: dict[str, list[Row]] = {}
            for row in mine:
                said = row.wrong.removeprefix(f"{Kind.HYPOTHESIS}: ") + ("" if common else _short(row))
                groups.setdefault(said, []).append(row)
            for said, same in groups.items():
                said = said if kind is Kind.PARTLY else _once(said, explained)
                lines += wrap(f"  {numbers(same)}: {said}", 100, subsequent_indent="      ")
    results = main_results(document)
    if results and not HIGHLIGHTS:
        lines += wrap(f"New here, proved: {'; '.join(result.title for result in results)}.", 100)
    for name, words in HIGHLIGHTS.items():
        there = any(f"{result.label}/{result.variant}" == name for result in results)
        lines += wrap(f"Found: {words}" if there else f"Not shown, as it is not decided here: {name}", 100)
    lines += [
        *([f"{errata_found(document)}."] if refuted_errata(document) else []),
        f"Read {folder}/report.html",
        "Paste summary.md, which lies next to it. Every verdict: --details.",
    ]
    return lines


def _once(wrong: str, explained: set[str]) -> str:
    """Return `wrong`, the texts about a statement's errata separated by "; ". An erratum that an earlier line explains,
    listed in `explained`, is only named. The others are added to `explained`."""
    parts = []
    for part in wrong.split("; "):
        name = re.search(r"\((E\d+)\)", part)
        parts.append(f"{name[1]}, as above" if name and name[1] in explained else part)
        explained |= {name[1]} if name else set()
    return "; ".join(parts)


def _short(row: Row) -> str:
    enough = row.kind in (Kind.HYPOTHESIS, Kind.PARTLY, Kind.UNDECIDED)
    return "" if enough else f"; repaired: {row.true.partition(': ')[2].partition(';')[0]}"


def _surprises(document: dict[str, Any], counts: dict[str, Any]) -> list[str]:
    unmet = [(c["label"], v) for c in document["claims"] for v in c["variants"] if not v["met"]]
    problems = [f"  {label} {v['variant']}: {'; '.join(v['problems'])}" for label, v in unmet]
    if problems:
        more = [f"  ... {len(problems) - 8} more: --details"] if len(problems) > 8 else []
        return ["NOT AS EXPECTED:", *problems[:8], *more]
    if not counts["checks"]:
        return ["Nothing was checked: no statement has a claim yet."]
    rejected = f"{counts['told_apart']} of {counts['checks']} checks rejected their false control"
    return [f"All {counts['forms']} verdicts are as expected; {rejected}."]
