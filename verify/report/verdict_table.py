"""The README's verdict table, from a campaign: python -m verify.report.verdict_table build/verify/results.json"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

COLUMNS = ("printed", "repaired", "sharpened", "best")
KINDS = ("thm:", "col:", "lem:")
BEGIN, END = "<!-- verdicts -->\n", "<!-- /verdicts -->\n"


def table(document: dict[str, Any]) -> str:
    """The theorem, the corollaries and the lemmas; a claim whose variants have other names shows them in words."""
    lines = [f"| claim | {' | '.join(COLUMNS)} |", "|---" * (len(COLUMNS) + 1) + "|"]
    for claim in document["claims"]:
        if not claim["label"].startswith(KINDS):
            continue
        verdicts = {v["variant"]: v["verdict"] for v in claim["variants"]}
        cells = [verdicts.pop(name, "") for name in COLUMNS]
        others = "".join(f"; {name} {verdict}" for name, verdict in verdicts.items())
        lines.append(f"| `{claim['label']}`{others} | {' | '.join(cells)} |")
    errata = [c for c in document["claims"] if c["label"].startswith("erratum:")]
    refuted = sum(
        v["verdict"] == "refuted" for c in errata for v in c["variants"] if v["variant"] == "printed"
    )
    lines.append(f"| {len(errata)} errata | {refuted} refuted | | | |")
    return "\n".join(lines) + "\n"


def insert(text: str, document: dict[str, Any]) -> str:
    """`text` with the table between the markers replaced."""
    pattern = re.escape(BEGIN) + ".*?" + re.escape(END)
    return re.sub(pattern, lambda _: BEGIN + table(document) + END, text, flags=re.DOTALL)


if __name__ == "__main__":
    readme = Path(__file__).resolve().parents[2] / "README.md"
    results = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    readme.write_text(insert(readme.read_text(encoding="utf-8"), results), encoding="utf-8")
