"""The paper that is checked: its title, and its statements with labels, numbers in print and lines of the source.

The data are in the paper's folder, verify/papers/<name>: paper.toml, statements.toml and places.json.
"""

import json
import re
import tomllib
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import Any

NAME = "fedigw"
FOLDER = Path(__file__).resolve().parent / "papers" / NAME
NUMBERED = ("theorem", "corollary", "lemma")  # the statements that a proof is given or cited for


@dataclass(frozen=True)
class Statement:
    """A statement of the paper with its label and number. also: labels and numbers of its restatements. missing: why
    there is no claim about it yet. rests_on: labels that would have to be covered first."""

    label: str
    number: str
    title: str
    also: tuple[str, ...] = ()
    missing: str = "no claim has been written for it yet"
    rests_on: tuple[str, ...] = ()

    @property
    def kind(self) -> str:
        return self.number.partition(" ")[0].lower()

    @property
    def numbered(self) -> bool:
        return self.kind in NUMBERED

    @property
    def labels(self) -> tuple[str, ...]:
        return (self.label, *(name for name in self.also if ":" in name))

    @property
    def numbers(self) -> tuple[str, ...]:
        return (self.number, *(name for name in self.also if ":" not in name))

    @property
    def lines(self) -> str:
        """Return its lines in the paper's TeX source, "lines 305 to 307, again 889 to 895"; "" for a table."""
        spans = [f"{first} to {last}" for first, last in (PLACES[n] for n in self.numbers if n in PLACES)]
        return f"lines {', again '.join(spans)}" if spans else ""

    def covered(self, claimed: Collection[str]) -> bool:
        return any(label in claimed for label in self.labels)

    def reason(self, claimed: Collection[str]) -> str:
        """Return why the statement is not covered. claimed: the labels that have a claim."""
        first = [label for label in self.rests_on if not BY_LABEL[label].covered(claimed)]
        rest = f"; it rests on {' and '.join(first)}, not covered either" if first else ""
        return self.missing + rest


def _read(name: str) -> dict[str, Any]:
    return tomllib.loads((FOLDER / name).read_text(encoding="utf-8"))


def _statement(entry: dict[str, Any]) -> Statement:
    return Statement(**entry | {key: tuple(entry.get(key, ())) for key in ("also", "rests_on")})


# number -> first and last line, as verify.papers.fedigw.places read them from the TeX source
_PLACES = json.loads((FOLDER / "places.json").read_text(encoding="utf-8"))
PLACES = {row["number"]: row["lines"] for row in _PLACES}
PAPER: dict[str, str] = _read("paper.toml")  # title, authors, where, year, address
STATEMENTS = tuple(_statement(entry) for entry in _read("statements.toml")["statement"])

BY_LABEL = {label: statement for statement in STATEMENTS for label in statement.labels}
BY_NUMBER = {number.lower(): statement for statement in STATEMENTS for number in statement.numbers}
# labels that a claim may have
LABELS = tuple(label for label in BY_LABEL if not label.startswith(("asp:", "def:")))

# Labels of our own: errata of the paper, lemmas that its proofs need and do not state, and appendages: theorems with
# constants where the paper cites an order.
OWN_PREFIXES = ("erratum:", "own:", "app:")
USER_PREFIX = "user:"  # of claims in users' files

_SHORT = {"thm": "theorem", "cor": "corollary", "lem": "lemma", "rmk": "remark", "rem": "remark"}
_NUMBER = re.compile(r"([a-z]+)\.?\s*([a-z]\.\d+|\d+(?:\.\d+)?)")
_BARE = re.compile(r"[a-z]\.\d+|\d+\.\d+")


def is_label(label: str) -> bool:
    return label in LABELS or label.startswith(OWN_PREFIXES)


def file_name(label: str) -> str:
    """Return the name of the module that must hold the claim: lem:V_upper -> lem_V_upper."""
    return label.replace(":", "_").replace("-", "_")


def number_of(text: str) -> str | None:
    """Return a number of the paper in full and lower case: "cor. D.8" gives "corollary d.8", a bare "4.1" gives the
    statement with that number. Return None for any other text."""
    given = " ".join(text.lower().split())
    if _BARE.fullmatch(given):
        return next((number for number in BY_NUMBER if number.partition(" ")[2] == given), None)
    found = _NUMBER.fullmatch(given)
    kinds = {statement.kind for statement in STATEMENTS}
    if found is None or (kind := _SHORT.get(found[1], found[1])) not in kinds:
        return None
    return f"{kind} {found[2]}"


def in_print(text: str) -> str:
    """Return the text with every label of the paper replaced by its number in print."""
    return re.sub(r"[a-z]{3}:[\w-]+", lambda f: BY_LABEL[f[0]].number if f[0] in BY_LABEL else f[0], text)
