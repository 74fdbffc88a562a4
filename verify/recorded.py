"""The verdicts that the last recorded campaign found, for commands that run none: list, bound, simulate.

verify/verdicts.kept is written by `python -m verify.report.verdict_table RESULTS`, and the end-to-end test holds it to
what a campaign finds. A variant that is not in it has no verdict yet, only what its claim expects, and that is said.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, reduce
from pathlib import Path
from typing import Any

from verify.claim import Claim
from verify.verdict import Verdict, spoken

# no suffix of a source: a campaign's digest of the program must not depend on what the campaign finds
PLACE = Path(__file__).resolve().parent / "verdicts.kept"


@dataclass(frozen=True)
class Word:
    """A verdict and where it comes from. vacuous: where the statement says nothing, see Variant."""

    verdict: Verdict
    source: str
    vacuous: str = ""

    @property
    def proved(self) -> bool:
        """Whether a proof stands behind it: a measurement or a finite number of instances is none."""
        return self.verdict in (Verdict.KERNEL, Verdict.PROVED) and not self.vacuous

    @property
    def said(self) -> str:
        return spoken(self.verdict, self.vacuous)

    @property
    def meaning(self) -> str:
        """What the verdict is of: of the statement, or of its saying nothing."""
        return (
            f"it says nothing {self.vacuous}, {self.verdict.meaning}"
            if self.vacuous
            else self.verdict.meaning
        )

    @property
    def caution(self) -> str:
        """What a number with this verdict is not; empty for a theorem."""
        if self.verdict is Verdict.REFUTED:
            return "NOT A BOUND: its statement is refuted, and no claim proves the number"
        if self.vacuous:
            return f"NOT A BOUND: its statement is vacuous {self.vacuous}, and no claim proves the number"
        if self.verdict is Verdict.INCONCLUSIVE:
            return f"NOT PROVED: {self.source}"
        return "" if self.proved else "not proved"


NOBODY = Word(Verdict.INCONCLUSIVE, "no claim is about it")
UNCHECKED = Word(Verdict.INCONCLUSIVE, "no check bears on it")
OF_THE_SCHEDULE = ("regret", "calls")  # whatever the protocol: what depends on one is said by `rests_on`


@cache
def kept() -> Mapping[str, Any]:
    return dict(json.loads(PLACE.read_text(encoding="utf-8")))


def word(claim: Claim, variant: str) -> Word:
    """What is known of a variant without running anything."""
    record = kept()
    found = record["verdicts"].get(claim.label, {}).get(variant)
    vacuous = claim.variants[variant].vacuous if variant in claim.variants else ""
    if found is not None:
        return Word(Verdict(found), _source(record), vacuous)
    if variant in claim.variants:
        source = "expected by the claim; no campaign that ran it is recorded"
        return Word(claim.variants[variant].expects, source, vacuous)
    return NOBODY


def of_number(label: str, variant: str, quantity: str = "regret", protocol: str | None = None) -> Word:
    """Return what stands behind a number that a command shows: the verdict of the statement whose checks bear on
    exactly this variant and quantity of the theorem, and protocol where the number depends on one."""
    key = (
        (variant, quantity)
        if protocol is None or quantity in OF_THE_SCHEDULE
        else (variant, quantity, protocol)
    )
    part = kept()["keys"].get(label, {}).get(" ".join(key))
    return UNCHECKED if part is None else of_statement(label, part)


def of_risk(label: str | None, variant: str) -> Word:
    """Return what stands behind an excess risk: the statement named like the variant, else the weakest of the others
    that the paper does not print."""
    parts = kept()["verdicts"].get(label or "", {})
    names = [variant] if variant in parts else [name for name in parts if name != "printed"]
    return reduce(weaker, (of_statement(str(label), name) for name in names)) if names else NOBODY


def of_statement(label: str, variant: str) -> Word:
    """Return the recorded verdict of a statement, without loading its claim."""
    record = kept()
    found = record["verdicts"].get(label, {}).get(variant)
    if found is None:
        return NOBODY
    return Word(Verdict(found), _source(record), record["vacuous"].get(label, {}).get(variant, ""))


def _source(record: Mapping[str, Any]) -> str:
    return f"found by the recorded campaign ({record['profile']} profile, seed {record['seed']})"


def weaker(first: Word, second: Word) -> Word:
    """A number that rests on both."""
    return first if second.verdict.at_least(first.verdict) else second


def text(document: Mapping[str, Any], claims: Mapping[str, Claim]) -> str:
    """Return the record of a campaign's results: verdicts, and of which numbers each statement decides."""
    verdicts = {
        claim["label"]: {v["variant"]: v["verdict"] for v in claim["variants"]}
        for claim in document["claims"]
    }
    body = {"profile": document["profile"], "seed": document["seed"], "verdicts": verdicts} | declared(claims)
    return json.dumps(body, indent=1) + "\n"


def declared(claims: Mapping[str, Claim]) -> dict[str, Any]:
    """Return what the claims declare beside their checks: keys, and which statements say nothing."""
    keys = {label: {" ".join(key): name for key, name in claim.covered()} for label, claim in claims.items()}
    empty = {
        label: {name: variant.vacuous for name, variant in claim.variants.items() if variant.vacuous}
        for label, claim in claims.items()
    }
    return {"keys": _filled(keys), "vacuous": _filled(empty)}


def _filled(tables: Mapping[str, Any]) -> dict[str, Any]:
    return {label: table for label, table in tables.items() if table}
