"""What a campaign found, on one screen of a terminal: surprises first, then statement by statement, then where to read.

The README's table has the same rows.
"""

from dataclasses import dataclass
from textwrap import wrap
from typing import Any

from verify.claim import Severity
from verify.paper import in_print
from verify.report.findings import (
    REPAIRS,
    Kind,
    Status,
    counted,
    errata_found,
    main_results,
    refuted_errata,
    statuses,
)
from verify.verdict import Verdict, shown

GROUPS = {
    Kind.PROVED: "Stands as printed, proved",
    Kind.CHECKED: "Stands where it was checked",
    Kind.HYPOTHESIS: "Needs a hypothesis that is not stated",
    Kind.REFUTED: "False as printed",
    Kind.VACUOUS: "Says nothing as printed",
    Kind.PARTLY: "Says nothing of some problems, undecided for others",
    Kind.UNDECIDED: "Undecided",
}
GRAVE = (Severity.FALSE, Severity.VACUOUS, Severity.HYPOTHESIS)


@dataclass(frozen=True)
class Row:
    """A numbered statement. wrong: what is wrong with it as printed, "" if nothing is. bad: whether the paper's order
    survives. true: the forms that hold, and how that is known."""

    number: str
    label: str
    kind: Kind
    wrong: str
    bad: str
    true: str


def rows(document: dict[str, Any]) -> list[Row]:
    """Return the theorem, the corollaries and the lemmas in the order of the paper."""
    errata = [claim for claim in refuted_errata(document) if claim["erratum"]["severity"] in GRAVE]
    errata.sort(key=lambda claim: GRAVE.index(claim["erratum"]["severity"]))
    return [_row(status, errata) for status in statuses(document) if status.statement.numbered]


def _row(status: Status, errata: list[dict[str, Any]]) -> Row:
    number, labels = status.statement.number, status.statement.labels
    mine = [claim for claim in errata if set(labels) & set(claim["erratum"]["about"])]
    if status.kind is Kind.HYPOTHESIS:
        mine = [claim for claim in mine if claim["erratum"]["severity"] == Severity.HYPOTHESIS]
    plain = status.kind in (Kind.PROVED, Kind.CHECKED, Kind.UNDECIDED, Kind.ABSENT, Kind.UNCOVERED)
    if plain:
        mine = []
    wrong = "; ".join(_wrong(claim, number) for claim in mine)
    if status.kind is Kind.PARTLY:
        names = ", ".join(claim["label"].removeprefix("erratum:") for claim in mine)
        wrong = f"says nothing {status.verdicts['printed']['vacuous']} ({names})"
    bad = "; ".join(dict.fromkeys(in_print(claim["erratum"]["order_survives"]) for claim in mine))
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
    """Return what an erratum says of the statement of that number, and its name: "drops the first epoch (E9)"."""
    name = claim["label"].removeprefix("erratum:")
    if claim["erratum"]["severity"] == Severity.HYPOTHESIS:
        return f"needs: {in_print(claim['erratum']['repair'])} ({name})"
    return f"{in_print(claim['title']).removeprefix(number).strip()} ({name})"


def numbers(found: list[Row]) -> str:
    """Return "Corollary 4.2, D.7; Lemma C.2": the kind of a statement once."""
    kinds: dict[str, list[str]] = {}
    for row in found:
        kind, _, number = row.number.partition(" ")
        kinds.setdefault(kind, []).append(number)
    return "; ".join(f"{kind} {', '.join(mine)}" for kind, mine in kinds.items())


def screen(document: dict[str, Any], folder: str) -> list[str]:
    """Return the lines that a campaign ends with."""
    found, counts = rows(document), counted(document, statuses(document))
    lines = [
        f"{counts['numbered_checked']} of {counts['numbered']} theorems, corollaries and lemmas checked"
        f" ({document['profile']} profile, seed {document['seed']}).",
        *_surprises(document, counts),
        "",
    ]
    for kind, title in GROUPS.items():
        mine = [row for row in found if row.kind is kind]
        if mine and kind in (Kind.PROVED, Kind.CHECKED):
            lines.append(f"{title} ({len(mine)}): {numbers(mine)}")
        elif mine:
            lines.append(f"{title} ({len(mine)}):")
            groups: dict[str, list[Row]] = {}
            for row in mine:
                groups.setdefault(row.wrong + _short(row), []).append(row)
            for said, same in groups.items():
                lines += wrap(
                    f"{numbers(same)}: {said}", 100, initial_indent="  ", subsequent_indent="      "
                )
    new = [result.title for result in main_results(document)]
    lines += [*wrap(f"New here, proved: {'; '.join(new)}.", 100)] if new else []
    lines += [
        "",
        f"{errata_found(document)}.",
        f"Read {folder}/report.html",
        "Paste summary.md, which lies next to it. Every verdict: --details.",
    ]
    return lines


def _short(row: Row) -> str:
    """Return the verdict on the repaired form, or "" where the kind of the row says enough."""
    return (
        ""
        if row.kind in (Kind.HYPOTHESIS, Kind.PARTLY, Kind.UNDECIDED)
        else f". Repaired: {row.true.partition(': ')[2].partition(';')[0]}"
    )


def _surprises(document: dict[str, Any], counts: dict[str, Any]) -> list[str]:
    problems = [
        f"  {claim['label']} {variant['variant']}: {'; '.join(variant['problems'])}"
        for claim in document["claims"]
        for variant in claim["variants"]
        if not variant["met"]
    ]
    if problems:
        more = [f"  ... {len(problems) - 8} more: --details"] if len(problems) > 8 else []
        return ["NOT AS EXPECTED:", *problems[:8], *more]
    return [
        f"All {counts['forms']} verdicts are as expected; {counts['told_apart']} of {counts['checks']} checks"
        " rejected their false control."
    ]
