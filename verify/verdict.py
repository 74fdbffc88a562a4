"""Define the verdicts on statements, strongest first, each with the method by which it was reached."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from enum import Enum, StrEnum
from typing import Any


class Verdict(Enum):
    """A verdict on a statement and the method by which it was reached, `verdict` and `by` in JSON; strongest first."""

    COQ = ("proved", "coq")
    Z3 = ("proved", "z3")
    CERTIFICATE = ("proved", "certificate")
    EXACT = ("checked", "exact")
    FLOAT = ("checked", "float")
    MEASURED = ("measured", None)  # by its level, which the evidence states
    UNDECIDED = ("undecided", None)
    REFUTED = ("refuted", "witness")

    @classmethod
    def of(cls, row: Mapping[str, Any]) -> Verdict:
        """Return the verdict in a JSON row with the keys `verdict` and `by`. Raise ValueError or KeyError if there is
        none."""
        by = None if row["verdict"] in ("measured", "undecided") else row["by"]
        return cls((row["verdict"], by))

    @property
    def fields(self) -> dict[str, Any]:
        return {"verdict": self.value[0], "by": self.value[1]}

    def __str__(self) -> str:
        return shown(self.fields)

    @property
    def meaning(self) -> str:
        return MEANING[self]

    @property
    def proves(self) -> bool:
        return self.value[0] == "proved"

    @property
    def confirms(self) -> bool:
        return self not in (Verdict.UNDECIDED, Verdict.REFUTED)

    @property
    def decided(self) -> bool:
        return self is not Verdict.UNDECIDED

    def unless(self, broken: bool) -> Verdict:
        """Return this verdict, or REFUTED if `broken`."""
        return Verdict.REFUTED if broken else self

    def at_least(self, other: Verdict) -> bool:
        order = list(Verdict)
        return order.index(self) <= order.index(other)


def shown(row: Mapping[str, Any], vacuous: str = "", added: bool = False) -> str:
    """Return a verdict as text, in the form used on every page and picture, such as `checked (exact, 12 instances)`.

    * row: `verdict` and `by` and, where known, `instances`, `differs` (how a Coq theorem differs from the claim),
      `margin` (shown if small) and `statement_vacuous` (where the statement behind a number says nothing)
    * vacuous: where the statement itself says nothing ("on R^d"), "" if it says something everywhere
    * added: whether the statement needs a hypothesis that it does not state
    """
    verdict, by = row["verdict"], row["by"]
    if row.get("statement_vacuous"):
        return f"vacuous {row['statement_vacuous']}"
    notes = [WAYS.get(by, by)] if by else []
    notes += [f"{row['instances']} instances"] if row.get("instances") else []
    notes += [DIFFERS[row["differs"]]] if row.get("differs") else []
    if (margin := row.get("margin", 1)) < NEAR:
        notes.append(f"{margin:.1%} below its bound" if margin >= 0.0005 else "at its bound")
    if added and verdict != "undecided":
        brackets = "refuted without it" if verdict == "refuted" else ", ".join([f"{verdict} with it", *notes])
        return f"{Kind.HYPOTHESIS} ({brackets})"
    if vacuous and verdict not in ("undecided", "refuted"):
        return f"vacuous {vacuous} ({', '.join([verdict, *notes])})"
    return f"{verdict} ({', '.join(notes)})" if notes else str(verdict)


class Kind(StrEnum):
    """The status of a statement of the paper as it is printed, best first; every page uses these words."""

    PROVED = "stands as printed"
    HYPOTHESIS = "needs a hypothesis"
    CHECKED = "checked as printed, not proved"
    OTHER = "not a single statement: checked part by part"
    FORMS = "checked in other forms only"
    REFUTED = "false as printed"
    VACUOUS = "vacuous as printed"
    PARTLY = "vacuous for some problems"
    UNDECIDED = "not decided"
    ABSENT = "not in this campaign"
    UNCOVERED = "not covered"


def as_printed(row: Mapping[str, Any], vacuous: str = "", added: bool = False) -> Kind:
    """Return the status of a statement as printed. row: its verdict (keys `verdict`, `by`). vacuous: where it says
    nothing, "" if nowhere. added: whether it needs a hypothesis that it does not state."""
    verdict = Verdict.of(row)
    if added and verdict is not Verdict.UNDECIDED:
        return Kind.HYPOTHESIS
    if verdict is Verdict.REFUTED:
        return Kind.REFUTED
    if vacuous:
        return Kind.PARTLY if vacuous.startswith("for ") else Kind.VACUOUS
    return Kind.PROVED if verdict.proves else Kind.CHECKED if verdict.confirms else Kind.UNDECIDED


def tally(kinds: Iterable[Kind]) -> str:
    """Return how many of the statements have each status: "stands as printed: 7; false as printed: 5"."""
    counts = Counter(kinds)
    return "; ".join(f"{kind}: {counts[kind]}" for kind in Kind if counts[kind])


ASSERTED = "asserted by the author"  # the way to an undecided verdict, where an author attaches nothing that gives it
FIELDS = ("verdict", "by", "instances", "differs", "statement_vacuous")
NEAR = 0.1  # a verdict with a smaller margin says so: other versions of the libraries change figures by up to 8 %
WAYS = {"coq": "Coq", "float": "floating point"}
DIFFERS = {
    "stronger": "a stronger statement",
    "weaker": "a weaker statement",
    "part": "a part of it",
    "beside": "a statement next to it",
}
MEANING = {
    Verdict.COQ: "a theorem that Coq has checked, axioms listed",
    Verdict.Z3: "for all parameters, as inequalities that z3 decides or identities and limits that sympy shows",
    Verdict.CERTIFICATE: "by a rational or interval certificate",
    Verdict.EXACT: "in rational arithmetic on the stated instances",
    Verdict.FLOAT: "deterministically in floating point, at the stated places and tolerance",
    Verdict.MEASURED: "by measurement, statistically at the stated level",
    Verdict.UNDECIDED: "not decided by the evidence",
    Verdict.REFUTED: "the statement is false: there is a witness against it",
}
