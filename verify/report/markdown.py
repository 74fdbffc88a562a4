"""summary.md: the campaign in Markdown, for pasting into a review."""

from __future__ import annotations

from typing import Any

from verify.report.headline import GROUPS, findings
from verify.verdict import Verdict


def summary_text(document: dict[str, Any]) -> str:
    figures = document["summary"]
    counts = figures["verdicts"]
    verdicts = ", ".join(f"{counts[name]} {name}" for name in Verdict if counts.get(name))
    lines = [
        "# FedIGW: the theory, checked",
        "",
        f"{len(document['claims'])} claims in {figures['expectations']} variants: {verdicts}.",
        f"{figures['expectations_met']} of {figures['expectations']} expectations met; "
        f"{figures['controls_told_apart']} of {figures['controls']} negative controls told apart.",
        "",
        f"All statistical verdicts together are wrong with probability at most {document['level']['family']}"
        " (fitted growth exponents excepted: asymptotic).",
        "",
    ]
    for group, rows in findings(document).items():
        lines += [
            f"## {group}",
            "",
            GROUPS[group],
            "",
            "| claim | variant | verdict | finding |",
            "|---|---|---|---|",
        ]
        lines += [
            f"| `{r['claim']}` | {r['variant']} | {r['verdict']} | {_cell(r['summary'])} |" for r in rows
        ]
        lines.append("")
    lines.append(
        f"Version {document['version']}, code {document['code']}, profile {document['profile']}, "
        f"seed {document['seed']}: `python -m verify all --profile {document['profile']} --seed {document['seed']}`."
    )
    return "\n".join(lines) + "\n"


def _cell(text: str) -> str:
    return text.replace("\\", "\\\\").replace("|", "\\|").replace("*", "\\*").replace("_", "\\_")
