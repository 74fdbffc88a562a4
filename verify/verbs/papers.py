"""papers: list the papers: their names, how many of their statements have a claim, and their titles."""

from __future__ import annotations

import argparse
from typing import Any

from bounds.errors import InputError
from verify import options
from verify.paper import about, file_name, known, statements_of

__all__: list[str] = []
EXAMPLE = "python -m verify papers"


def papers() -> list[dict[str, Any]]:
    """Return a row for every paper that comes with the program: name, title, authors, folder, and four numbers: its
    labelled statements, those that have a claim, and of each how many are theorems, lemmas or corollaries. If the
    folder has an error, the row has only name, folder and the error."""
    rows: list[dict[str, Any]] = []
    for name, folder in known().items():
        try:
            found, texts = statements_of(folder), about(folder)
        except InputError as error:
            rows.append({"name": name, "folder": str(folder), "refused": str(error)})
            continue
        # a claim is a file or a package
        stems = {path.stem for path in (folder / "claims").glob("*") if path.name != "__init__.py"}
        covered = [s for s in found if any(file_name(label) in stems for label in s.labels)]
        words = {key: texts[key] for key in ("title", "authors")}
        counts = {"statements": len(found), "covered": len(covered)}
        counts |= {
            "theorems": sum(s.numbered for s in found),
            "covered_theorems": sum(s.numbered for s in covered),
        }
        rows.append({"name": name, **words, "folder": str(folder), **counts})
    return rows


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="machine-readable")


def execute(given: argparse.Namespace) -> int:
    options.show(papers(), _text, given.json)
    return 0


def _text(rows: list[dict[str, Any]]) -> str:
    width = max(len(row["name"]) for row in rows)
    lines = []
    for row in rows:
        if "refused" in row:
            lines.append(f"{row['name']:{width}}  {row['refused']}")
            continue
        covered = f"{row['covered']:3} of {row['statements']:3} statements have a claim"
        covered += f", {row['covered_theorems']:2} of {row['theorems']:2} theorems and lemmas"
        lines.append(f"{row['name']:{width}}  {covered}  {row['title']} ({row['authors']})")
    lines.append("One of them, or the path of a folder: `python -m verify --paper NAME list`.")
    return "\n".join(lines) + "\n"
