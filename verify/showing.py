"""Display the results of commands: as text on a terminal, as a table or mathematics in a notebook."""

import html
from collections.abc import Iterable, Mapping, Sequence
from typing import Any


def html_table(rows: Iterable[tuple[str, Any]]) -> str:
    cells = "".join(
        f"<tr><th style='text-align:left'>{html.escape(name)}</th><td>{html.escape(shown(value))}</td></tr>"
        for name, value in rows
    )
    return f"<table>{cells}</table>"


def html_text(text: str) -> str:
    return f"<pre>{html.escape(text)}</pre>"


def html_grid(columns: Sequence[str], rows: Iterable[Mapping[str, Any]]) -> str:
    head = "".join(f"<th>{html.escape(name)}</th>" for name in columns)
    cells = ([f"<td>{html.escape(shown(row.get(name)))}</td>" for name in columns] for row in rows)
    body = "".join(f"<tr>{''.join(row)}</tr>" for row in cells)
    return f"<table><tr>{head}</tr>{body}</table>"


def text_grid(columns: Sequence[str], rows: Iterable[Mapping[str, Any]]) -> str:
    """Return a table as plain text: columns as wide as needed, numbers aligned to the right."""
    table = [[*columns], *([shown(row.get(name)) for name in columns] for row in rows)]
    widths = [max(len(line[i]) for line in table) for i in range(len(columns))]
    lines = []
    for first, *others in table:
        right = (cell.rjust(width) for cell, width in zip(others, widths[1:], strict=True))
        lines.append("  ".join([first.ljust(widths[0]), *right]).rstrip())
    return "\n".join(lines) + "\n"


def shown(value: Any) -> str:
    if value is None or isinstance(value, bool):
        return {None: "-", True: "yes", False: "no"}[value]
    return f"{value:.6g}" if isinstance(value, float) else str(value)
