"""The theorems of Coq's kernel that a campaign rests on, with their statements: the report needs no other file."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from verify.campaign.results import checks_of
from verify.formal.record import Unusable, recorded
from verify.formal.statements import PROOFS, Statement, source_statement, statements


@dataclass(frozen=True)
class Theorem:
    """name: File.lemma. text: its statement as written in proofs/, empty where the sources are not those of the
    campaign. claims: (label, variant, how it compares with the claim) of everything that it states."""

    name: str
    file: str
    line: int
    comment: str
    text: str
    claims: tuple[tuple[str, str, str], ...]

    @property
    def anchor(self) -> str:
        return f"coq:{self.name}"


def theorems(document: dict[str, Any]) -> dict[str, Theorem]:
    """Name -> theorem, in the order in which the claims use them."""
    used: dict[str, list[tuple[str, str, str]]] = {}
    sources: set[str] = set()
    for check in checks_of(document):
        figures = check["evidence"]["figures"]
        if check["check"].startswith("kernel-") and "theorem" in figures:
            row = (check["claim"], check["variant"], str(figures.get("same", "")))
            used.setdefault(str(figures["theorem"]), []).append(row)
            sources.add(str(figures.get("sources", "")))
    known = _same_sources(sources) if used else {}
    return {name: _theorem(name, tuple(rows), known.get(name)) for name, rows in used.items()}


def _same_sources(sources: set[str]) -> dict[str, Statement]:
    """The statements in proofs/, if the campaign was about exactly these sources."""
    try:
        here = recorded().sources
        if all(source and here.startswith(source) for source in sources):
            return {statement.theorem: statement for statement in statements()}
    except (Unusable, OSError):  # an installation without the proofs
        pass
    return {}


def _theorem(name: str, rows: tuple[tuple[str, str, str], ...], statement: Statement | None) -> Theorem:
    file = name.partition(".")[0] + ".v"
    found = source_statement(statement) if statement else None
    comment, text = found or ("", "")
    line = 0
    if text:
        lines = (PROOFS / file).read_text(encoding="utf-8").splitlines()
        first = text.splitlines()[0].strip()
        line = next((number for number, here in enumerate(lines, 1) if here.strip() == first), 0)
    return Theorem(name, f"proofs/{file}", line, comment, text, rows)
