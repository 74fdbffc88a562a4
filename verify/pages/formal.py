"""Generate docs/formal_statements.md: a table of the claims about which Coq has proved a theorem, with the theorem's
name.

    python -m verify.pages.formal        ask Coq, if installed, record its answers, and write the page

The page is computed from proofs/ only (statements.toml, the record of Coq's answers, the sources), so tests need no
Coq.
"""

import sys
from pathlib import Path

from verify.formal import record
from verify.formal.coq import Broken, NotHere
from verify.formal.statements import PROOFS, allowed_axioms, coq_series, statements
from verify.report.grid import cell, grid

PAGE = PROOFS.parent / "docs" / "formal_statements.md"

INTRODUCTION = Path(__file__).with_suffix(".txt")


def render(folder: Path = PROOFS) -> str:
    axioms = ", ".join(f"`{axiom.partition(' : ')[0]}`" for axiom in sorted(allowed_axioms(folder)))
    opening = INTRODUCTION.read_text(encoding="utf-8")
    return opening.format(series=coq_series(folder), axioms=axioms) + table(folder)


def table(folder: Path) -> str:
    rows = []
    for s in statements(folder):
        variant = s.variant + (", refuted" if s.refutes else "")
        rows.append((f"`{s.label}`", variant, f"`{s.theorem}`", s.same, cell(s.why)))
    return "\n".join(grid(("claim", "variant", "Coq theorem", "exactly the same?", "why"), rows)) + "\n"


def main() -> int:
    try:
        record.write(record.recheck())
    except NotHere as reason:
        sys.stderr.write(f"statements not recorded, the page uses the last record: {reason}\n")
    except Broken as reason:
        sys.stderr.write(f"{reason}\n")
        return 1
    PAGE.parent.mkdir(exist_ok=True)
    PAGE.write_text(render(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
