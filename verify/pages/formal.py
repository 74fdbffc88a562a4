"""docs/formal_statements.md: every claim that is a theorem of Coq, next to the formal statement.

    python -m verify.pages.formal        ask Coq, if installed, record its answers, and write the page

The page is computed from proofs/ only (statements.toml, the record, the sources), so tests need no Coq.
"""

import sys
from pathlib import Path

from verify.formal import record
from verify.formal.coq import Broken, NotHere
from verify.formal.statements import (
    PROOFS,
    Statement,
    allowed_axioms,
    coq_series,
    source_statement,
    statements,
)
from verify.report.grid import cell, grid

PAGE = PROOFS.parent / "docs" / "formal_statements.md"

INTRODUCTION = Path(__file__).with_suffix(".txt")


def render(folder: Path = PROOFS) -> str:
    axioms = ", ".join(f"`{axiom.partition(' : ')[0]}`" for axiom in sorted(allowed_axioms(folder)))
    opening = INTRODUCTION.read_text(encoding="utf-8")
    parts = [opening.format(series=coq_series(folder), axioms=axioms), table(folder)]
    first = {s.theorem: s for s in reversed(statements(folder))}
    return "".join([*parts, *(entry(s, folder) for s in statements(folder) if s is first[s.theorem])])


def table(folder: Path) -> str:
    rows = []
    for s in statements(folder):
        variant, link = s.variant + (", refuted" if s.refutes else ""), f"[`{s.theorem}`](#{anchor(s)})"
        rows.append((f"`{s.label}`", variant, link, s.same, cell(s.why)))
    return "\n".join(grid(("claim", "variant", "Coq theorem", "exactly the same?", "why"), rows)) + "\n"


def entry(statement: Statement, folder: Path) -> str:
    """Return the section of one theorem: comment, statement in the source, constants, statement as Coq prints it."""
    found = source_statement(statement, folder)
    comment, source = found if found else ("", "(missing)")
    comment = comment.removeprefix(f"{statement.label}, {statement.variant}").lstrip(".,: ")
    constants = "".join(f"- `{c.definition}` = `{c.expression}`\n" for c in statement.constants)
    printed = record.printed((folder / record.TEXT).read_text(encoding="utf-8"))
    by_coq = printed.get(statement.theorem, "(not recorded)")
    return (
        f'\n<a id="{anchor(statement)}"></a>\n\n## {statement.theorem}\n\n`{statement.label}`, {statement.variant}. '
        f"{comment}\n\n```coq\n{source}\n```\n\n{constants}{assumed(statement)}"
        "\n<details><summary>As Coq prints it, with every hypothesis</summary>\n\n"
        f"```coq\n{by_coq}\n```\n\n</details>\n"
    )


def assumed(statement: Statement) -> str:
    if not statement.hypotheses:
        return ""
    unneeded = f"; not needed: {', '.join(statement.without)}" if statement.without else ""
    return f"\nHypotheses: {', '.join(statement.hypotheses)}{unneeded}.\n"


def anchor(statement: Statement) -> str:
    return statement.theorem.replace(".", "-").lower()


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
