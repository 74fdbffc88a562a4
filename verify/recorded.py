"""The verdicts that the last recorded campaign found, for commands that run none: list, bound, simulate.

verify/verdicts.kept is written by `python -m verify.report.verdict_table RESULTS`, and the end-to-end test holds it to
what a campaign finds. A variant that is not in it has no verdict yet, only what its claim expects, and that is said.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
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


def of_bound(
    claim: Claim | None, variant: str, quantity: str = "regret", protocol: str | None = None
) -> Word:
    """What stands behind a number that `bound` or `simulate` shows: for regret, and for what the paper prints, the
    variant; for a count, the claim's variant named after the protocol or the quantity."""
    if claim is None:
        return NOBODY
    if quantity == "regret" or variant == "printed":
        return word(claim, variant)
    named = [name for name in (protocol, quantity) if name in claim.variants]
    return word(claim, str(named[0])) if named else NOBODY


def of_statement(label: str, variant: str) -> Word:
    """The recorded verdict of a statement that a number rests on; without loading its claim."""
    record = kept()
    found = record["verdicts"].get(label, {}).get(variant)
    if found is None:
        return NOBODY
    return Word(Verdict(found), _source(record))


def _source(record: Mapping[str, Any]) -> str:
    return f"found by the recorded campaign ({record['profile']} profile, seed {record['seed']})"


def weaker(first: Word, second: Word) -> Word:
    """A number that rests on both."""
    return first if second.verdict.at_least(first.verdict) else second


def text(document: Mapping[str, Any]) -> str:
    """The record of a campaign's results."""
    verdicts = {
        claim["label"]: {v["variant"]: v["verdict"] for v in claim["variants"]}
        for claim in document["claims"]
    }
    body = {"profile": document["profile"], "seed": document["seed"], "verdicts": verdicts}
    return json.dumps(body, indent=1) + "\n"
