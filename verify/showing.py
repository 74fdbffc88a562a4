"""How results show themselves: text on a terminal, a table or mathematics in a notebook."""

import html
from collections.abc import Iterable, Mapping, Sequence
from typing import Any


def html_table(rows: Iterable[tuple[str, Any]]) -> str:
    """Two columns, everything escaped."""
    cells = "".join(
        f"<tr><th style='text-align:left'>{html.escape(name)}</th><td>{html.escape(shown(value))}</td></tr>"
        for name, value in rows
    )
    return f"<table>{cells}</table>"


def html_text(text: str) -> str:
    """Return a text as it is on a terminal, escaped."""
    return f"<pre>{html.escape(text)}</pre>"


def html_grid(columns: Sequence[str], rows: Iterable[Mapping[str, Any]]) -> str:
    """Return a table with a header, everything escaped."""
    head = "".join(f"<th>{html.escape(name)}</th>" for name in columns)
    body = "".join(
        "<tr>" + "".join(f"<td>{html.escape(shown(row.get(name)))}</td>" for name in columns) + "</tr>"
        for row in rows
    )
    return f"<table><tr>{head}</tr>{body}</table>"


def text_grid(columns: Sequence[str], rows: Iterable[Mapping[str, Any]]) -> str:
    """Return columns as wide as they need, numbers to the right."""
    table = [[*columns], *([shown(row.get(name)) for name in columns] for row in rows)]
    widths = [max(len(line[i]) for line in table) for i in range(len(columns))]
    lines = [
        "  ".join(
            cell.rjust(width) if i else cell.ljust(width)
            for i, (cell, width) in enumerate(zip(line, widths, strict=True))
        )
        for line in table
    ]
    return "\n".join(line.rstrip() for line in lines) + "\n"


def shown(value: Any) -> str:
    """Return a figure as a person reads it."""
    if value is None:
        return "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.6g}"
    return str(value)
