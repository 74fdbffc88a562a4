"""The verdicts that the last recorded campaign found, for commands that run none: list, bound, simulate.

verify/recorded_verdicts.json is written by `python -m verify.report.verdict_table RESULTS`, and the end-to-end test
holds it to what a campaign finds. A variant that is not in it has no verdict yet, only what its claim expects.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache, reduce
from pathlib import Path
from typing import TYPE_CHECKING, Any

from verify.claim import Claim
from verify.verdict import FIELDS, Verdict, shown

if TYPE_CHECKING:
    from bounds.theorem import Applied

PLACE = Path(__file__).resolve().parent / "recorded_verdicts.json"


@dataclass(frozen=True)
class Recorded:
    """A verdict and where it comes from. row: its fields, `verdict` and `by` among them. vacuous: where the statement
    says nothing, added: whether it needs a hypothesis that it does not state, see Variant."""

    row: Mapping[str, Any]
    source: str
    vacuous: str = ""
    added: bool = False

    @classmethod
    def of(cls, document: Mapping[str, Any]) -> Recorded:
        """Return the verdict that a document of a command has, in its `fields`."""
        return cls({name: document[name] for name in FIELDS if name in document}, document["verdict_source"])

    @property
    def fields(self) -> dict[str, Any]:
        """Return the verdict as a document of a command has it."""
        return {**self.row, "verdict_source": self.source}

    @property
    def verdict(self) -> Verdict:
        return Verdict.of(self.row)

    @property
    def proved(self) -> bool:
        """Return whether a proof stands behind it: a measurement or a finite number of instances is none."""
        return self.verdict.proves and not self.vacuous

    @property
    def shown(self) -> str:
        return shown(self.row, self.vacuous, self.added)

    @property
    def meaning(self) -> str:
        """Return what the verdict is of: of the statement, or of its saying nothing."""
        if where := self.row.get("statement_vacuous"):
            return f"its statement says nothing {where}"
        return (
            f"it says nothing {self.vacuous}, {self.verdict.meaning}"
            if self.vacuous
            else self.verdict.meaning
        )

    @property
    def caution(self) -> str:
        """Return what a number with this verdict is not; empty for a theorem."""
        if self.verdict is Verdict.REFUTED:
            return "NO GUARANTEE: its statement is refuted"
        if self.vacuous or "statement_vacuous" in self.row:
            return "NO GUARANTEE: its statement is vacuous"
        if self.verdict is Verdict.UNDECIDED:
            return f"NOT PROVED: {self.source}"
        return "" if self.proved else "not proved"


def undecided(source: str) -> Recorded:
    """Return that nothing is decided, and why."""
    return Recorded(Verdict.UNDECIDED.fields, source)


NO_CLAIM = undecided("no claim is about it")
UNCHECKED = undecided("no check bears on it")
OF_THE_SCHEDULE = ("regret", "calls")  # for any protocol: what depends on one is named by `rests_on`


@cache
def record() -> Mapping[str, Any]:
    """Return the recorded campaign: profile, seed, verdicts by label and variant, keys, vacuous statements."""
    return dict(json.loads(PLACE.read_text(encoding="utf-8")))


def of_variant(claim: Claim, name: str) -> Recorded:
    """Return what is known of a variant without running anything."""
    found = record()["verdicts"].get(claim.label, {}).get(name)
    variant = claim.variants.get(name)
    if variant is None:
        return NO_CLAIM if found is None else Recorded(found, _source())
    if found is None:
        return undecided(f"no campaign that ran it is recorded; its claim expects {variant.expects}")
    return Recorded(found, _source(), variant.vacuous, bool(variant.added))


def of_number(label: str, variant: str, quantity: str = "regret", protocol: str | None = None) -> Recorded:
    """Return what stands behind a number that a command shows: the verdict of the statement whose checks bear on
    exactly this variant and quantity of the theorem, and protocol where the number depends on one."""
    key = (
        (variant, quantity)
        if protocol is None or quantity in OF_THE_SCHEDULE
        else (variant, quantity, protocol)
    )
    part = record()["keys"].get(label, {}).get(" ".join(key))
    return UNCHECKED if part is None else of_statement(label, part)


def of_risk(label: str | None, variant: str) -> Recorded:
    """Return what stands behind an excess risk: the statement named like the variant, else the weakest of the others
    that the paper does not print."""
    parts = record()["verdicts"].get(label or "", {})
    names = [variant] if variant in parts else [name for name in parts if name != "printed"]
    return weakest([(str(label), name) for name in names])


def of_applied(found: Applied, variant: str) -> Recorded:
    """Return what stands behind a bound on a federation: its theorem, its excess risk, and all that it rests on."""
    risk = of_risk(*found.risks.get(variant, (found.claim, variant)))
    return resting(weaker(of_number(found.theorem, variant), risk), found.rests_on)


def resting(known: Recorded, statements: Iterable[tuple[str, str]]) -> Recorded:
    """Return the weakest of a verdict and of those of statements (label, variant) that its number rests on."""
    return reduce(weaker, (of_statement(*statement) for statement in statements), known)


def of_statement(label: str, variant: str) -> Recorded:
    """Return what a number may rest on: the recorded verdict of a statement, without loading its claim. Where the
    statement says nothing, what was proved is that: nothing is decided of its numbers."""
    found = record()["verdicts"].get(label, {}).get(variant)
    if found is None:
        return NO_CLAIM
    if where := record()["vacuous"].get(label, {}).get(variant):
        row = Verdict.UNDECIDED.fields | {"statement_vacuous": where}
        return Recorded(row, f"its statement is vacuous {where}")
    return Recorded(found, _source())


def _source() -> str:
    return f"found by the recorded campaign ({record()['profile']} profile, seed {record()['seed']})"


def weaker(first: Recorded, second: Recorded) -> Recorded:
    """Return the verdict of a number that rests on both."""
    return first if second.verdict.at_least(first.verdict) else second


def weakest(statements: Iterable[tuple[str, str]]) -> Recorded:
    """Return the weakest recorded verdict on statements (label, variant); undecided where there are none."""
    found = [of_statement(*statement) for statement in statements]
    return reduce(weaker, found) if found else NO_CLAIM


def text(document: Mapping[str, Any], claims: Mapping[str, Claim]) -> str:
    """Return the record of a campaign's results: verdicts, and of which numbers each statement decides; a line a
    claim."""
    verdicts = {
        claim["label"]: {
            v["variant"]: {name: v[name] for name in FIELDS if name in v} for v in claim["variants"]
        }
        for claim in document["claims"]
    }
    tables = {"verdicts": verdicts} | declared(claims)
    lines = [f'"profile": {json.dumps(document["profile"])},\n"seed": {document["seed"]}']
    for name, table in tables.items():
        rows = ",\n".join(f" {json.dumps(label)}: {json.dumps(row)}" for label, row in table.items())
        lines.append(f"{json.dumps(name)}: {{\n{rows}\n}}")
    return "{\n" + ",\n".join(lines) + "\n}\n"


def declared(claims: Mapping[str, Claim]) -> dict[str, Any]:
    """Return what the claims declare besides their checks: keys, and which statements say nothing."""
    keys = {label: {" ".join(key): name for key, name in claim.covered()} for label, claim in claims.items()}
    empty = {
        label: {name: variant.vacuous for name, variant in claim.variants.items() if variant.vacuous}
        for label, claim in claims.items()
    }
    return {"keys": _filled(keys), "vacuous": _filled(empty)}


def _filled(tables: Mapping[str, Any]) -> dict[str, Any]:
    return {label: table for label, table in tables.items() if table}
