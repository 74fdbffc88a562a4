"""Write summary.md, for a reviewer to paste: the paper's statements, the errata and the main results in Markdown."""

import html
import re
from typing import Any

from verify.claim import Severity
from verify.paper import NOTE, PAPER, command, kinds_in_words
from verify.report import findings
from verify.report.grid import grid
from verify.report.plain import LABEL
from verify.verdict import tally

UNEXPECTED = "Not as expected"


def summary_text(document: dict[str, Any]) -> str:
    profile, seed, paper = _cell(document["profile"]), _cell(document["seed"]), PAPER
    rows, groups = findings.statuses(document), findings.findings(document)
    numbers = findings.counted(document, rows)
    missing, unmet = numbers["not_run"], numbers["unmet"]
    lines = [
        "# The theory, checked",
        "",
        ", ".join(
            [
                f"*{paper['title']}*",
                *(paper[key] for key in ("authors", "where", "year", "address") if paper[key]),
            ]
        ),
        "",
        *([NOTE, ""] if NOTE else ()),
        f"Checked: {numbers['numbered_checked']} of {numbers['numbered']} {kinds_in_words()}. "
        f"{tally(row.kind for row in rows if row.statement.numbered).capitalize()}.",
        f"{numbers['checks']} checks ran on {numbers['forms']} forms of {numbers['claims']} statements; "
        f"{numbers['told_apart']} of {numbers['checks']} false controls rejected."
        + (f" {missing} check{'' if missing == 1 else 's'} did not run." if missing else "")
        + (f" **{unmet} form{'' if unmet == 1 else 's'} not as expected.**" if unmet else ""),
        *([f"{findings.errata_found(document)}."] if findings.refuted_errata(document) else []),
        "",
        *(_group(UNEXPECTED, groups[UNEXPECTED]) if UNEXPECTED in groups else ()),
        "## Statement by statement",
        "",
        *grid(
            ("in print", "statement", "as printed", "what stands, or why it is not covered", "witness"),
            [
                (r.statement.number, _label(r.label), r.kind, _cell(r.stands), _command(r.witness))
                for r in rows
            ],
        ),
        "",
        *_errata(document),
    ]
    if results := findings.main_results(document):
        lines += ["## Main results", ""]
        for r in results:
            where = f"({_label(r.label)}, {findings.shown_variant(r.row)})"
            lines.append(f"* {r.title} {where}: ${r.formula}$. {_cell(r.words)}")
        lines.append("")
    lines += [
        "What is stronger than the paper, beyond it or not decided, with every check: report.html.",
        "",
        f"All statistical verdicts together are wrong with probability at most {document['level']['family']}"
        " (fitted growth exponents excepted: asymptotic).",
        "",
        *(line for note in findings.of_paper("NOTES") or () for line in (note, "")),
    ]
    lines += [f"Coq's answers: {_cell(line)}.\n" for line in findings.coq_records(document)]
    lines.append(
        f"Version {_cell(document['version'])}, code {_cell(document['code'])}, profile {profile}, "
        f"seed {seed}: `{command('all')} --profile {profile} --seed {seed}`."
    )
    return "\n".join(lines) + "\n"


def _errata(document: dict[str, Any]) -> list[str]:
    keys = ("place", "title", "regime", "order_survives", "repair")
    head = ("", "severity", "where", "what is wrong", "fails only if", "order survives", "repair", "replay")
    found = [row for rows in findings.errata(document).values() for row in rows]
    lines = []
    for title, remarks in (("Errata, by severity", False), ("Remarks on the paper", True)):
        cells = [
            (row["name"], row["severity"], *(_cell(row[key]) for key in keys), _command(row["replay"]))
            for row in found
            if (row["severity"] == Severity.REMARK) is remarks
        ]
        lines += [f"## {title} ({len(cells)})", "", *grid(head, cells), ""] if cells else []
    return lines


def _group(name: str, rows: list[dict[str, Any]]) -> list[str]:
    texts = ((r["variant"], findings.shown_variant(r["found"]), r["summary"]) for r in rows)
    cells = ((_label(r["claim"]), *map(_cell, text)) for r, text in zip(rows, texts, strict=True))
    table = grid(("claim", "form", "verdict", "finding"), cells)
    return [f"## {name} ({len(rows)})", "", findings.GROUPS[name], "", *table, ""]


def _command(command: str) -> str:
    return f"`{command}`" if command and re.fullmatch(r"[\w .:/=-]+", command) else _cell(command)


def _label(label: str) -> str:
    return f"`{label}`" if LABEL.fullmatch(label) else _cell(label)


def _cell(text: str) -> str:
    return re.sub(r"([\\`*_|\[\]])", r"\\\1", html.escape(" ".join(str(text).split()), quote=False))
