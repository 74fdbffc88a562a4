"""Write tables in Markdown."""

from collections.abc import Iterable, Sequence
from typing import Any


def grid(head: Sequence[str], rows: Iterable[Sequence[Any]]) -> list[str]:
    lines = ["| " + " | ".join(map(str, row)) + " |" for row in (head, *rows)]
    return [lines[0], "|" + "---|" * len(head), *lines[1:]]


def cell(text: str) -> str:
    return text.replace("|", "\\|")
