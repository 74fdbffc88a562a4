"""list: every label of the paper with its verdicts, or that it is not covered and why; then our own claims."""

from __future__ import annotations

import argparse
import json
import shutil
import sys
import textwrap
from typing import Any

from verify.catalogue import Coverage, catalogue, coverage, coverage_sentence, tagged
from verify.claim import Claim
from verify.paper import BY_LABEL
from verify.recorded import kept, word
from verify.verdict import Verdict, spoken

EXAMPLE = "python -m verify list --tag erratum"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="machine-readable")
    parser.add_argument("--tag", help="only claims with this tag")


def execute(options: argparse.Namespace) -> int:
    if options.tag is not None:
        rows = [_of_claim(claim) for claim in tagged(options.tag)]
    else:
        own = [claim for label, claim in catalogue().items() if label not in BY_LABEL]
        rows = [*(_of_paper(row) for row in coverage()), *(_of_claim(claim) for claim in own)]
    sys.stdout.write(json.dumps(rows, indent=1) + "\n" if options.json else _text(rows, options.tag is None))
    return 0


def _of_paper(row: Coverage) -> dict[str, Any]:
    """verdicts: found by the recorded campaign; variants: what the claim expects. vacuous: variants that say nothing,
    and where. missing: why it is not covered."""
    if row.claim is not None:
        return _of_claim(row.claim)
    return {
        "label": row.statement.label,
        "number": row.statement.number,
        "title": row.statement.title,
        "section": None,
        "covered": False,
        "missing": row.missing,
        "tags": [],
        "variants": {},
        "verdicts": {},
        "vacuous": {},
        "checks": [],
        "depends": [],
    }


def _of_claim(claim: Claim) -> dict[str, Any]:
    statement = BY_LABEL.get(claim.label)
    return {
        "label": claim.label,
        "number": statement.number if statement else None,
        "title": claim.title,
        "section": claim.section,
        "covered": True,
        "missing": None,
        "tags": list(claim.tags),
        "variants": {name: str(v.expects) for name, v in claim.variants.items()},
        "verdicts": {name: str(word(claim, name).verdict) for name in claim.variants},
        "vacuous": {name: v.vacuous for name, v in claim.variants.items() if v.vacuous},
        "checks": [check.name for check in claim.checks],
        "depends": list(claim.depends),
    }


def _text(rows: list[dict[str, Any]], all_of_them: bool) -> str:
    """One line each where a program reads it; on a terminal, lines that fit it."""
    columns = shutil.get_terminal_size((80, 24)).columns if sys.stdout.isatty() else None
    width = max((len(row["label"]) for row in rows), default=0)
    numbers = max((len(row["number"] or "") for row in rows), default=0)
    lines = [f"{'label':{width}}  {'in print':{numbers}}  what it says  (variant verdict, ...)"]
    for row in rows:
        said = ", ".join(
            f"{name} {spoken(Verdict(verdict), row['vacuous'].get(name, ''))}"
            for name, verdict in row["verdicts"].items()
        )
        words = f"({said})" if row["covered"] else f"NOT COVERED: {row['missing']}"
        line = f"{row['label']:{width}}  {row['number'] or '':{numbers}}  {row['title']}  {words}"
        lines += (
            [line] if columns is None else textwrap.wrap(line, max(columns, 40), subsequent_indent="    ")
        )
    if all_of_them:
        record = kept()
        lines.append(f"{coverage_sentence()} of the paper are covered by claims.")
        lines.append(
            f"Verdicts: as recorded from a campaign ({record['profile']} profile, seed {record['seed']})."
        )
    return "\n".join(lines) + "\n"
