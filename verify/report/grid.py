"""Tables in Markdown."""

from collections.abc import Iterable, Sequence
from typing import Any


def grid(head: Sequence[str], rows: Iterable[Sequence[Any]]) -> list[str]:
    """Return the lines of a Markdown table; cells are Markdown text."""
    lines = ["| " + " | ".join(map(str, row)) + " |" for row in (head, *rows)]
    return [lines[0], "|" + "---|" * len(head), *lines[1:]]


def cell(text: str) -> str:
    """Return text with bars escaped, so that none ends the cell."""
    return text.replace("|", "\\|")
