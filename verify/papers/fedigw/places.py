"""Read from the TeX source of the paper where its statements stand: their numbers, lines and references.

python -m verify.papers.fedigw.places paper.tex > verify/papers/fedigw/places.json. Only this command needs the source.
"""

import json
import re
import sys
from pathlib import Path
from typing import Any

KINDS = ("theorem", "lemma", "corollary", "definition", "assumption", "remark")  # they share one counter
SECTION = re.compile(r"\\section\{")
BEGIN = re.compile(rf"\\begin\{{({'|'.join(KINDS)})\}}(.*)")
REFERENCE = re.compile(r"\\(?:eq|c|C|auto)?ref\{([^}]+)\}")
LABEL = re.compile(r"\\label\{((?:thm|lem|col|rmk|def|asp):[^}]+)\}")
RESTATED = re.compile(r"\[(?:Restatement|Complete Version) of [A-Z]\w+~\\ref\{([^}]+)\}\]")


def read(source: str) -> list[dict[str, Any]]:
    """Return a row for each statement: its number, its label, its first and last line, the label of the statement that
    it restates, and the labels of the statements that it and the text up to the next one refer to."""
    section, appendix, count, rows = 0, False, 0, []
    inside = False
    for number, text in enumerate(source.splitlines(), start=1):
        line = re.sub(r"(?<!\\)%.*", "", text)
        if "\\appendix" in line:
            section, appendix = 0, True
        if SECTION.search(line):
            section, count = section + 1, 0
        if found := BEGIN.search(line):
            count, inside = count + 1, True
            place = f"{chr(64 + section) if appendix else section}.{count}"
            again = RESTATED.match(found[2])
            row: dict[str, Any] = {"number": f"{found[1].title()} {place}", "label": None}
            rows.append(row | {"lines": [number, number], "again": again[1] if again else None, "refers": []})
        if not rows:
            continue
        last = rows[-1]
        if inside:
            last["lines"][1] = number
            if last["label"] is None and (label := LABEL.search(line)):
                last["label"] = label[1]
            inside = f"\\end{{{last['number'].split()[0].lower()}}}" not in line
        last["refers"] += REFERENCE.findall(line)
    known = {row["label"] for row in rows}
    for row in rows:
        own = (None, row["label"], row["again"])
        row["refers"] = sorted({name for name in row["refers"] if name in known and name not in own})
    return rows


if __name__ == "__main__":
    written = (json.dumps(row) for row in read(Path(sys.argv[1]).read_text(encoding="utf-8")))
    sys.stdout.write("[\n" + ",\n".join(written) + "\n]\n")
