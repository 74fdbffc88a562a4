"""list: list the paper's theorems, corollaries and lemmas, its errata, or all claims, with their verdicts."""

from __future__ import annotations

import argparse
import shutil
import sys
import textwrap
from collections.abc import Callable
from functools import partial
from typing import Any

from bounds.errors import InputError
from verify import options, showing
from verify.catalogue import coverage, coverage_sentence, index, tagged
from verify.claim import Claim, Severity, errata_words, is_part, listed
from verify.paper import BY_LABEL, DEFAULT, NAME, NOTE, OUTSIDE, STATEMENTS, Statement, command, in_print
from verify.recorded import of_variant, origin, record
from verify.verdict import Kind, Verdict, as_printed, shown, tally

__all__ = ["Claims", "claims", "statements"]
EXAMPLE = "python -m verify list errata"


class Claims(tuple[dict[str, Any], ...]):
    """A tuple of rows about claims or statements of the paper. It is displayed like the output of the command
    `list`."""

    text: Callable[[Any], str]

    def __str__(self) -> str:
        return self.text(list(self)).rstrip()

    def _repr_html_(self) -> str:
        return showing.html_text(str(self))


def claims(what: str | None = None) -> Claims:
    """Return the paper's numbered theorems, corollaries and lemmas with their verdicts. what: "errata", "remarks",
    "all" or a tag, to list those claims instead."""
    tag = {"errata": "erratum", "remarks": "remark", "all": None}.get(what or "all", what)
    rows = statements(tag)
    if what is None:
        rows = [row for row in rows if row["label"] in BY_LABEL and BY_LABEL[row["label"]].numbered]
    found = Claims(rows)
    found.text = _numbered if what is None else partial(_text, all_of_them=tag is None)
    if tag in ("erratum", "remark"):
        found.text = _errata
    return found


def statements(tag: str | None = None) -> list[dict[str, Any]]:
    """Return a row for every statement of the paper, then for every other claim. tag: return only the claims that have
    it. Some keys of a row:

    * verdicts: the recorded `verdict` and `by` of each variant and part; expects: the expected ones
    * parts: which of these names are parts of the claim, not variants
    * vacuous: variants that say nothing, and for which problems
    * added: variants that need a hypothesis that they do not state, with this hypothesis
    * missing: why there is no claim
    """
    if tag is not None:
        return [_of_claim(claim) for claim in tagged(tag)]
    own = [claim for label, claim in index().items() if label not in BY_LABEL]
    paper = [(row.claim, row.statement, row.missing) for row in coverage()]
    rows = [_row(statement) | {"missing": why} if c is None else _of_claim(c) for c, statement, why in paper]
    return [*rows, *map(_of_claim, own)]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("what", nargs="?", metavar="WHAT", help="errata, remarks, or a tag")
    parser.add_argument("--all", action="store_true", help="every label of the paper, then every other claim")
    parser.add_argument("--json", action="store_true", help="machine-readable, every label")
    parser.add_argument("--tag", help="only claims with this tag")


def execute(given: argparse.Namespace) -> int:
    if given.what and given.tag:
        raise InputError("list", f"{given.what} --tag {given.tag}", "give one of them")
    found = claims(given.what or given.tag or ("all" if given.all or given.json else None))
    options.show(list(found), found.text, given.json)
    return 0


def _row(said: Statement | Claim) -> dict[str, Any]:
    number = BY_LABEL[said.label].number if said.label in BY_LABEL else None
    row: dict[str, Any] = {"label": said.label, "number": number, "title": said.title}
    row |= {"section": None, "covered": False, "missing": None, "tags": []}
    row |= {"variants": [], "verdicts": {}, "vacuous": {}, "added": {}, "parts": []}
    return row | {"checks": [], "depends": []}


def _of_claim(claim: Claim) -> dict[str, Any]:
    return _row(claim) | {
        "section": claim.section,
        "covered": True,
        "tags": list(claim.tags),
        "variants": list(claim.variants),
        "verdicts": {name: dict(of_variant(claim, name).row) for name in claim.variants},
        "expects": {name: v.expects.fields for name, v in claim.variants.items()},
        "vacuous": {name: v.vacuous for name, v in claim.variants.items() if v.vacuous},
        "added": {name: list(v.added) for name, v in claim.variants.items() if v.added},
        "parts": [name for name in claim.variants if is_part(name)],
        "checks": [check.name for check in claim.checks],
        "depends": list(claim.depends),
    }


def _numbered(rows: list[dict[str, Any]]) -> str:
    table = [("in print", "what it says", "as printed", "what is true")]
    table += [(row["number"], row["title"], _cell(_printed(row)), _true(row)) for row in rows]
    widths = [max(len(line[i]) for line in table) for i in range(3)]
    padded = [[f"{cell:{width}}" for cell, width in zip(row, (*widths, 0), strict=True)] for row in table]
    lines = ["  ".join(row).rstrip() for row in padded]
    lines += ["", *textwrap.wrap(f"{tally(map(_printed, rows)).capitalize()}.", 100)]
    if NAME == DEFAULT:
        lines += textwrap.wrap(f"{_counted()}: `list errata`, `list remarks`.", 100)
        number = rows[1]["number"].split()[-1]
        return "\n".join([*lines, f"Everything else: `list --all`. One statement: `show {number}`.", ""])
    first = f'"{rows[0]["number"]}"' if rows else STATEMENTS[0].label
    lines += textwrap.wrap(NOTE, 100)
    lines += [f"Everything else: `{command('list --all')}`. One statement: `{command(f'show {first}')}`."]
    return "\n".join([*lines, *_origin(), ""])


def _cell(kind: Kind) -> str:
    short = kind.removesuffix(" as printed").removesuffix(" for some problems")
    return f"partly {short}" if kind.endswith(" for some problems") else short


def _printed(row: dict[str, Any]) -> Kind:
    found = row["verdicts"].get("printed")
    if found is None:
        checked = Kind.FORMS if BY_LABEL[row["label"]].numbered else Kind.OTHER
        return checked if row["covered"] else Kind.UNCOVERED
    return as_printed(found, row["vacuous"].get("printed", ""), "printed" in row["added"])


def _true(row: dict[str, Any]) -> str:
    if _printed(row) in (Kind.PROVED, Kind.CHECKED):
        return "as printed"
    stronger = (row["verdicts"].get(name) for name in ("best", "sharpened", "repaired"))
    found = next((known for known in stronger if known and Verdict.of(known).confirms), None)
    if found is None:
        return "-"
    return f"{found['verdict']} ({'Coq' if found['by'] == 'coq' else found['by']})"


def _errata(rows: list[dict[str, Any]]) -> str:
    order = list(Severity)
    found = [(erratum, row) for row in rows if (erratum := index()[row["label"]].erratum) is not None]
    lines = []
    for erratum, row in sorted(found, key=lambda pair: order.index(pair[0].severity)):
        about = BY_LABEL.get(next(iter(erratum.about), ""))
        place = about.number if about else ""
        line = f"{row['label'].removeprefix('erratum:'):4} {erratum.severity:10}  {place:14}  {in_print(row['title'])}"
        lines += textwrap.wrap(line, 100, subsequent_indent=" " * 33)
    lines += ["", f"Each with its witness: `show {lines[0].split()[0]}`."]
    return "\n".join(lines) + "\n"


def _counted() -> str:
    return errata_words(claim.erratum.severity for claim in index().values() if claim.erratum is not None)


def _text(rows: list[dict[str, Any]], all_of_them: bool) -> str:
    columns = shutil.get_terminal_size((80, 24)).columns if sys.stdout.isatty() else None
    width = max((len(row["label"]) for row in rows), default=0)
    numbers = max((len(row["number"] or "") for row in rows), default=0)
    what = "what it says  (variant verdict, ...; parts: part verdict, ...)"
    lines = [f"{'label':{width}}  {'in print':{numbers}}  {what}"]
    for row in rows:
        vacuous, added, found = row["vacuous"], row["added"], row["verdicts"]
        verdicts = {name: shown(found[name], vacuous.get(name, ""), name in added) for name in found}
        words = f"({listed(verdicts)})" if row["covered"] else f"NOT COVERED: {row['missing']}"
        line = f"{row['label']:{width}}  {row['number'] or '':{numbers}}  {row['title']}  {words}"
        lines += textwrap.wrap(line, max(columns, 40), subsequent_indent="    ") if columns else [line]
    if all_of_them:
        lines.append(f"{coverage_sentence()} of the paper are covered by claims.")
        if any(claim.erratum for claim in index().values()):
            lines.append(f"{_counted()} (list errata, list remarks).")
        lines += _origin()
    return "\n".join(lines) + "\n"


def _origin() -> list[str]:
    """Return lines that say where the verdicts come from, and why recorded ones are not shown."""
    changed: dict[str, list[str]] = {}
    for label, why in record().get("changed", {}).items():
        changed.setdefault(why, []).append(label)
    lines = [f"Undecided: {', '.join(labels)}: {why}." for why, labels in changed.items()]
    if record()["verdicts"]:
        lines.append(f"Verdicts: as {origin()}" + (f": `{command('all')}`." if OUTSIDE else "."))
    elif not changed:
        lines.append(f"No campaign is recorded: `{command('all --record')}`.")
    return lines
