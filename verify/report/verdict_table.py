"""Write the README's table of verdicts and its picture, and the recorded verdicts, from the results of a campaign of
checks: python -m verify.report.verdict_table build/verify/results.json"""

import json
import re
import shutil
import sys
from pathlib import Path
from typing import Any

from verify import recorded
from verify.catalogue import catalogue
from verify.report.brief import Row, numbers, rows
from verify.report.findings import errata_found, of_paper
from verify.report.grid import grid
from verify.verdict import Kind, tally

COLUMNS = (
    "in the paper",
    "as printed",
    "does the order survive?",
    "which [variants](docs/glossary.md#variants-and-parts) are true",
)
BEGIN, END = "<!-- verdicts -->\n", "<!-- /verdicts -->\n"
VERDICTS = re.compile(re.escape(BEGIN) + "(.*?)" + re.escape(END), re.DOTALL)
AS_PRINTED = {Kind.HYPOTHESIS: "", Kind.REFUTED: "false: ", Kind.VACUOUS: "vacuous: ", Kind.PARTLY: ""}


def summary(document: dict[str, Any]) -> str:
    """Return a sentence with the number of the paper's statements, and how many have each status as printed."""
    kinds = [row.kind for row in rows(document)]
    return f"**{len(kinds)} statements.** {tally(kinds).capitalize()}. {errata_found(document)}.\n"


def table(document: dict[str, Any]) -> str:
    """Return the sentence of `summary`, and a Markdown table with a row for each statement that does not hold as
    printed."""
    groups: dict[tuple[str, str, str], list[Row]] = {}
    for row in rows(document):
        if row.kind not in (Kind.PROVED, Kind.CHECKED):
            said = AS_PRINTED.get(row.kind, str(row.kind)) + row.wrong
            groups.setdefault((said, row.bad, row.true), []).append(row)
    cells = [(numbers(same), *said) for said, same in groups.items()]
    stands = [row for row in rows(document) if row.kind in (Kind.PROVED, Kind.CHECKED)]
    others = f"The others stand as printed: {numbers(stands)}."
    return "\n".join([summary(document), *grid(COLUMNS, cells), "", others]) + "\n"


def insert(text: str, document: dict[str, Any]) -> str:
    return VERDICTS.sub(lambda _: BEGIN + table(document) + END, text)


if __name__ == "__main__":
    checkout, campaign = Path(__file__).resolve().parents[2], Path(sys.argv[1])
    readme = checkout / "README.md"
    results = json.loads(campaign.read_text(encoding="utf-8"))
    readme.write_text(insert(readme.read_text(encoding="utf-8"), results), encoding="utf-8")
    recorded.PLACE.write_text(recorded.text(results, catalogue()), encoding="utf-8")
    picture = "-".join(of_paper("PICTURE")).replace(":", "_")  # the one that opens the report
    shutil.copyfile(campaign.parent / "plots" / f"{picture}.svg", checkout / "docs" / "regret.svg")
