"""Derive the verdict on each variant of each claim from the outcomes of its checks, and compare it with the expected
one."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from verify.campaign.outcome import Outcome, claims_of
from verify.claim import fields
from verify.recorded import Recorded, limited
from verify.verdict import Verdict


@dataclass(frozen=True)
class Judgement:
    """The verdict on one variant of a claim, with the outcomes of its checks. problems: why the verdict is not as
    expected; empty if it is. vacuous: for which problems the variant says nothing. limit: the verdict's JSON fields if
    it is weaker than the checks allow, because the claim rests on a statement of another paper."""

    claim: str
    variant: str
    verdict: Verdict
    expects: Verdict
    outcomes: tuple[Outcome, ...]
    problems: tuple[str, ...]
    vacuous: str = ""
    limit: Mapping[str, Any] | None = None  # fields of the verdict, if it is that of what it rests on

    @property
    def fields(self) -> dict[str, Any]:
        return verdict_fields(self.outcomes, self.verdict) if self.limit is None else dict(self.limit)

    @property
    def met(self) -> bool:
        return not self.problems


def judge(outcomes: Sequence[Outcome]) -> list[Judgement]:
    """Return the verdict on each variant of the claims that were checked, in the order of the catalogue."""
    judgements = []
    for claim in claims_of(outcomes):
        for name, variant in claim.variants.items():
            found = tuple(o for o in outcomes if o.claim == claim.label and o.variant == name)
            verdict, expects = combine(found), variant.expects
            known = limited(Recorded(verdict.fields, ""), claim.depends)
            limit = (
                known.row if known.source else None
            )  # it rests on a statement of another paper that is less sure
            unmet = problems(found, known.verdict, expects)
            unmet += (known.source,) if unmet and limit else ()
            made = Judgement(claim.label, name, known.verdict, expects, found, unmet, variant.vacuous, limit)
            judgements.append(made)
    return judgements


def combine(outcomes: Sequence[Outcome]) -> Verdict:
    """Return the verdict that follows from the outcomes of several checks. It is refuted if one of them refutes.
    Otherwise it is the strongest verdict among the checks that are not vacuous and whose negative control was rejected;
    undecided without such checks."""
    if any(o.evidence.kind is Verdict.REFUTED for o in outcomes):
        return Verdict.REFUTED
    telling = [o.evidence.kind for o in _telling(outcomes)]
    return min(telling, key=list(Verdict).index, default=Verdict.UNDECIDED)


def verdict_fields(outcomes: Sequence[Outcome], verdict: Verdict) -> dict[str, Any]:
    return fields(verdict, [o.evidence for o in _telling(outcomes) if o.evidence.kind is verdict])


def _telling(outcomes: Sequence[Outcome]) -> list[Outcome]:
    return [o for o in outcomes if not o.evidence.vacuous and o.control_ok]


def problems(outcomes: Sequence[Outcome], verdict: Verdict, expects: Verdict) -> tuple[str, ...]:
    found = [f"{o.check}: {o.failure}" for o in outcomes if o.failure]
    kept = (o.check for o in outcomes if o.ran and not o.control_ok)
    found += [f"{check}: its negative control was not rejected" for check in kept]
    if not expects.confirms:  # it expects refuted, or undecided
        if verdict is not expects:
            found.append(f"expected {expects}, found {verdict}")
    elif not (verdict.confirms and verdict.at_least(expects)):
        why = next((o.evidence.summary for o in outcomes if o.evidence.figures.get("asserted")), "")
        found.append(f"expected {expects} or stronger, found {verdict}{why and f', {why:.200}'}")
    return tuple(found)
