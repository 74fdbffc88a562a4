"""Items of a line put together: one row inside a bracket, pieces that a line may break between elsewhere."""

from __future__ import annotations

import re
from dataclasses import dataclass

from verify.report.marks import mo, row

BEFORE = {"(", "[", "{", "&#39;", "&quot;", '"'}
AFTER = {")", "]", "}", ",", ".", ";", ":", "&#39;", "&quot;", '"'}


@dataclass(frozen=True)
class Item:
    """What a part of a line became. kind: text, space, atom, operator, relation, comma."""

    kind: str
    shown: str

    @property
    def maths(self) -> bool:
        return self.kind in ("atom", "operator", "relation")


def all_maths(items: list[Item]) -> bool:
    """Nothing but mathematics, and some."""
    return bool(items) and all(i.kind != "text" for i in items)


def flat(items: list[Item]) -> str:
    """Inside a bracket, a root or a script: one row, words as text."""
    parts = []
    for index, item in enumerate(items):
        if item.kind == "space":
            near = items[index - 1 : index] + items[index + 1 : index + 2]
            if not any(other.kind in ("operator", "relation", "comma") for other in near):
                parts.append('<mspace width="0.2em"/>')
        elif item.kind == "comma":
            parts.append(mo(item.shown, separator="true") if item.shown == "," else mo(item.shown))
        elif item.kind == "text":
            parts.append(f"<mtext>{re.sub(r'<[^>]*>', '', item.shown)}</mtext>")
        else:
            parts.append(_sign_or_atom(item, prefix=not parts))
    return row(parts) if parts else "<mrow></mrow>"


def _sign_or_atom(item: Item, prefix: bool) -> str:
    if item.kind == "relation":
        return mo(item.shown)
    if item.kind == "operator":
        if item.shown in "/∣":
            return mo(item.shown, lspace="0", rspace="0")
        return mo(item.shown, form="prefix") if prefix else mo(item.shown)
    return item.shown


def joined(items: list[Item]) -> list[str]:
    """Pieces of mathematics, each its own element, with a place to break before relations and signs."""
    parts: list[str] = []
    piece: list[str] = []

    def close() -> None:
        if piece:  # a number alone stays text
            alone = len(piece) == 1 and re.fullmatch(r"<mn>[\d.,]+</mn>", piece[0])
            parts.append(re.sub(r"<[^>]*>", "", piece[0]) if alone else f"<math>{''.join(piece)}</math>")
            piece.clear()

    for index, item in enumerate(items):
        following = items[index + 1] if index + 1 < len(items) else None
        if item.kind == "space":
            if piece and following is not None and following.maths and following.kind == "atom":
                last = items[index - 1]
                if last.kind == "atom":
                    piece.append('<mspace width="0.2em"/>')
                continue
            close()
            parts.append(" ")
        elif item.kind == "relation":
            close()
            piece.append(mo(item.shown, form="infix", lspace="0", rspace="0.28em"))
        elif item.kind == "operator":
            if item.shown in "+−" and piece and index and items[index - 1].kind == "space":
                close()
                parts.append(" ")
            begins = not piece and bool(parts) and parts[-1] == " "
            sign = mo(item.shown, form="infix", lspace="0", rspace="0.2em")
            piece.append(sign if begins else _sign_or_atom(item, not piece))
        elif item.kind == "atom":
            piece.append(item.shown)
        else:
            close()
            parts.append(item.shown)
    close()
    return _kept_together(parts)


def _kept_together(parts: list[str]) -> list[str]:
    """A bracket or a comma stays on the line of the formula that it touches."""
    kept: list[str] = []
    index = 0
    while index < len(parts):
        end = index
        while end < len(parts) and parts[end] in BEFORE:
            end += 1
        if end < len(parts) and parts[end].startswith("<math"):
            end += 1
            while end < len(parts) and parts[end] in AFTER:
                end += 1
            whole = "".join(parts[index:end])
            kept.append(whole if end == index + 1 else f'<span class="together">{whole}</span>')
        else:
            end = max(end, index + 1)
            kept += parts[index:end]
        index = end
    return kept
