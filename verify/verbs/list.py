"""list: every statement of the paper with its verdict, or why it is not covered."""

from __future__ import annotations

import argparse
import shutil
import sys
import textwrap
from typing import Any

from verify import options
from verify.catalogue import coverage, coverage_sentence, index, tagged
from verify.claim import Claim, errata_words, is_part, listed
from verify.paper import BY_LABEL, Statement
from verify.recorded import of_variant, record
from verify.verdict import shown

__all__ = ["statements"]
EXAMPLE = "python -m verify list --tag erratum"
PYTHON = """
assert {row["label"] for row in statements("erratum")} >= {"erratum:E6"}"""


def statements(tag: str | None = None) -> list[dict[str, Any]]:
    """Return a row for every statement of the paper, then for every other claim; with `tag` only claims that have it.

    verdicts: `verdict` and `by` of each variant and part, as recorded from a campaign. parts: which of the names are
    parts of the claim. variants: what the claim expects of each. vacuous: those that say nothing, and where. added:
    those that need a hypothesis that they do not state: it, and what suggests it.
    missing: why no claim is about a statement.
    """
    if tag is not None:
        return [_of_claim(claim) for claim in tagged(tag)]
    own = [claim for label, claim in index().items() if label not in BY_LABEL]
    paper = [(row.claim, row.statement, row.missing) for row in coverage()]
    rows = [_row(statement) | {"missing": why} if c is None else _of_claim(c) for c, statement, why in paper]
    return [*rows, *map(_of_claim, own)]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="machine-readable")
    parser.add_argument("--tag", help="only claims with this tag")


def execute(given: argparse.Namespace) -> int:
    options.show(statements(given.tag), lambda rows: _text(rows, given.tag is None), given.json)
    return 0


def _row(said: Statement | Claim) -> dict[str, Any]:
    """Return the row of a statement that no claim is about; `_of_claim` fills it."""
    statement = BY_LABEL.get(said.label)
    row: dict[str, Any] = {
        "label": said.label,
        "number": statement.number if statement else None,
        "title": said.title,
    }
    row |= {"section": None, "covered": False, "missing": None, "tags": []}
    return row | {
        "variants": {},
        "verdicts": {},
        "vacuous": {},
        "added": {},
        "parts": [],
        "checks": [],
        "depends": [],
    }


def _of_claim(claim: Claim) -> dict[str, Any]:
    return _row(claim) | {
        "section": claim.section,
        "covered": True,
        "tags": list(claim.tags),
        "variants": {name: v.expects.fields for name, v in claim.variants.items()},
        "verdicts": {name: dict(of_variant(claim, name).row) for name in claim.variants},
        "vacuous": {name: v.vacuous for name, v in claim.variants.items() if v.vacuous},
        "added": {name: list(v.added) for name, v in claim.variants.items() if v.added},
        "parts": [name for name in claim.variants if is_part(name)],
        "checks": [check.name for check in claim.checks],
        "depends": list(claim.depends),
    }


def _text(rows: list[dict[str, Any]], all_of_them: bool) -> str:
    """One line each where a program reads it; on a terminal, lines that fit it."""
    columns = shutil.get_terminal_size((80, 24)).columns if sys.stdout.isatty() else None
    width = max((len(row["label"]) for row in rows), default=0)
    numbers = max((len(row["number"] or "") for row in rows), default=0)
    lines = [
        f"{'label':{width}}  {'in print':{numbers}}  what it says  (variant verdict, ...; parts: part verdict, ...)"
    ]
    for row in rows:
        verdicts = {
            name: shown(found, row["vacuous"].get(name, ""), name in row["added"])
            for name, found in row["verdicts"].items()
        }
        words = f"({listed(verdicts)})" if row["covered"] else f"NOT COVERED: {row['missing']}"
        line = f"{row['label']:{width}}  {row['number'] or '':{numbers}}  {row['title']}  {words}"
        lines += (
            [line] if columns is None else textwrap.wrap(line, max(columns, 40), subsequent_indent="    ")
        )
    if all_of_them:
        recorded = record()
        lines.append(f"{coverage_sentence()} of the paper are covered by claims.")
        severities = [claim.erratum.severity for claim in index().values() if claim.erratum is not None]
        lines.append(f"{errata_words(severities)} (--tag erratum, --tag remark).")
        lines.append(
            f"Verdicts: as recorded from a campaign ({recorded['profile']} profile, seed {recorded['seed']})."
        )
    return "\n".join(lines) + "\n"
