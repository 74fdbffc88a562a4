"""summary.md: the campaign in Markdown, for pasting into a review."""

from __future__ import annotations

import html
import re
from typing import Any

from verify.campaign.results import controls_text
from verify.catalogue import coverage_sentence
from verify.report.headline import (
    AFFECTED,
    GROUPS,
    MODEL,
    RATES,
    errata_words,
    findings,
    kernel_words,
    statements,
)
from verify.report.mathematics import LABEL
from verify.verdict import Verdict, spoken


def summary_text(document: dict[str, Any]) -> str:
    figures, profile, seed = document["summary"], _cell(document["profile"]), _cell(document["seed"])
    counts = figures["verdicts"]
    named = [f"{counts[name]} {name}" for name in Verdict if counts.get(name)]
    verdicts = ", ".join([*named, *([f"{figures['vacuous']} vacuous"] if figures.get("vacuous") else [])])
    lines = [
        "# FedIGW: the theory, checked",
        "",
        f"{len(document['claims'])} claims in {figures['expectations']} variants: {verdicts}.",
        f"{figures['expectations_met']} of {figures['expectations']} expectations met; "
        f"{controls_text(figures)}",
        f"{errata_words(document)}.",
        f"{coverage_sentence()} of the paper have a claim; the last table says which, and why the others have none.",
        "",
        f"All statistical verdicts together are wrong with probability at most {document['level']['family']}"
        " (fitted growth exponents excepted: asymptotic).",
        "",
    ]
    for group, rows in findings(document).items():
        own, affected = [r for r in rows if not r["because"]], [r for r in rows if r["because"]]
        lines += [f"## {group} ({len(own)})", "", GROUPS[group], "", *_table(own), ""]
        if affected:
            lines += [AFFECTED, "", *_table(affected), ""]
    lines += [
        "## Statements of the paper",
        "",
        "| in print | label | title | verdicts |",
        "|---|---|---|---|",
    ]
    for row in statements(document):
        cells = (
            row.statement.number,
            _label(row.statement.label),
            _cell(row.statement.title),
            _cell(row.words),
        )
        lines.append(f"| {' | '.join(cells)} |")
    lines += ["", MODEL, "", RATES, ""]
    lines += [f"The kernel's word: {_cell(word)}.\n" for word in kernel_words(document)]
    lines.append(
        f"Version {_cell(document['version'])}, code {_cell(document['code'])}, profile {profile}, "
        f"seed {seed}: `python -m verify all --profile {profile} --seed {seed}`."
    )
    return "\n".join(lines) + "\n"


def _table(rows: list[dict[str, Any]]) -> list[str]:
    return [
        "| claim | variant | verdict | finding |",
        "|---|---|---|---|",
        *(
            f"| {_label(r['claim'])} | {_cell(r['variant'])} | {_cell(spoken(Verdict(r['verdict']), r['vacuous']))}"
            f" | {_cell(r['summary'])} |"
            for r in rows
        ),
    ]


def _label(label: str) -> str:
    return f"`{label}`" if LABEL.fullmatch(label) else _cell(label)


def _cell(text: str) -> str:
    """Text as it is, on one line: neither Markdown nor the HTML that Markdown lets through."""
    return re.sub(r"([\\`*_|\[\]])", r"\\\1", html.escape(" ".join(str(text).split()), quote=False))
