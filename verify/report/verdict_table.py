"""The README's first words and verdict table, and the recorded verdicts, from a campaign (which needs no Coq):

python -m verify.report.verdict_table build/verify/results.json
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

from verify import recorded
from verify.catalogue import catalogue, coverage_sentence
from verify.claim import listed
from verify.report.findings import errata_found, statements
from verify.report.grid import grid

COLUMNS = ("printed", "repaired", "sharpened", "best")
BEGIN, END = "<!-- verdicts -->\n", "<!-- /verdicts -->\n"
COVERAGE_BEGIN, COVERAGE_END = "<!-- coverage -->\n", "<!-- /coverage -->\n"


def coverage_text() -> str:
    """The README's first sentence: counted, not remembered."""
    return (
        f"{coverage_sentence()} of *Harnessing the Power of Federated\n"
        "Learning in Federated Contextual Bandits* (Shi, Zhou, Yang, Shen, TMLR 2024) as executable claims with\n"
        "explicit constants: proved, refuted or measured by\n"
    )


def table(document: dict[str, Any]) -> str:
    """The theorem, the corollaries and the lemmas, also those that no claim is about; parts of a
    claim are shown in words."""
    rows = []
    for row in statements(document):
        if not row.statement.numbered:
            continue
        verdicts = row.shown
        cells = [verdicts.pop(name, "") for name in COLUMNS]
        if not row.verdicts:
            cells[0] = row.words
        others = f"; {listed(verdicts)}" if verdicts else ""
        rows.append((f"`{row.statement.label}`{others}", *cells))
    return "\n".join([*grid(("claim", *COLUMNS), rows), "", f"{errata_found(document)}."]) + "\n"


def insert(text: str, document: dict[str, Any]) -> str:
    """`text` with what stands between the markers replaced."""
    parts = ((COVERAGE_BEGIN, coverage_text(), COVERAGE_END), (BEGIN, table(document), END))
    for begin, between, end in parts:
        pattern = re.escape(begin) + ".*?" + re.escape(end)
        made = begin + between + end
        text = re.sub(pattern, lambda _, made=made: made, text, flags=re.DOTALL)  # type: ignore[misc]
    return text


if __name__ == "__main__":
    readme = Path(__file__).resolve().parents[2] / "README.md"
    results = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    readme.write_text(insert(readme.read_text(encoding="utf-8"), results), encoding="utf-8")
    recorded.PLACE.write_text(recorded.text(results, catalogue()), encoding="utf-8")
