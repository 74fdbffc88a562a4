"""Tables in Markdown, for every page."""

from collections.abc import Iterable, Sequence
from typing import Any


def grid(head: Sequence[str], rows: Iterable[Sequence[Any]]) -> list[str]:
    """Return the lines of a table; cells are text that Markdown reads as it is."""
    lines = ["| " + " | ".join(map(str, row)) + " |" for row in (head, *rows)]
    return [lines[0], "|" + "---|" * len(head), *lines[1:]]


def cell(text: str) -> str:
    """Return text in which no bar ends the cell."""
    return text.replace("|", "\\|")
