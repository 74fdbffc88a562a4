"""From evidence to verdicts: what each variant of each claim amounts to, and whether that was expected."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from verify.campaign.outcome import Outcome, claims_of
from verify.claim import fields
from verify.verdict import Verdict


@dataclass(frozen=True)
class Judgement:
    """The verdict on one variant, with the outcomes it rests on and every reason why an expectation is not met."""

    claim: str
    variant: str
    verdict: Verdict
    expects: Verdict
    outcomes: tuple[Outcome, ...]
    problems: tuple[str, ...]
    vacuous: str = ""

    @property
    def fields(self) -> dict[str, Any]:
        """Return verdict and by, and what is shown with them."""
        return verdict_fields(self.outcomes, self.verdict)

    @property
    def met(self) -> bool:
        return not self.problems


def judge(outcomes: Sequence[Outcome]) -> list[Judgement]:
    """One judgement per variant, in catalogue order."""
    judgements = []
    for claim in claims_of(outcomes):
        for name, variant in claim.variants.items():
            found = tuple(o for o in outcomes if o.claim == claim.label and o.variant == name)
            verdict = combine(found)
            judgements.append(
                Judgement(
                    claim.label,
                    name,
                    verdict,
                    variant.expects,
                    found,
                    problems(found, verdict, variant.expects),
                    variant.vacuous,
                )
            )
    return judgements


def combine(outcomes: Sequence[Outcome]) -> Verdict:
    """Refuted if anything refutes; else the strongest kind that is not vacuous; else undecided."""
    kinds = [o.evidence.kind for o in outcomes]
    if Verdict.REFUTED in kinds:
        return Verdict.REFUTED
    telling = [o.evidence.kind for o in _telling(outcomes)]
    return min(telling, key=list(Verdict).index, default=Verdict.UNDECIDED)


def verdict_fields(outcomes: Sequence[Outcome], verdict: Verdict) -> dict[str, Any]:
    """Return the fields of a verdict, from the evidence that carries it."""
    return fields(verdict, [o.evidence for o in _telling(outcomes) if o.evidence.kind is verdict])


def _telling(outcomes: Sequence[Outcome]) -> list[Outcome]:
    return [o for o in outcomes if not o.evidence.vacuous and o.control_ok]


def problems(outcomes: Sequence[Outcome], verdict: Verdict, expects: Verdict) -> tuple[str, ...]:
    found = [f"{o.check}: {o.failure}" for o in outcomes if o.failure]
    found += [
        f"{o.check}: its negative control was not rejected" for o in outcomes if o.ran and not o.control_ok
    ]
    if not expects.confirms:  # refuted; or undecided, for a sentence that the runs there are do not decide
        if verdict is not expects:
            found.append(f"expected {expects}, found {verdict}")
    elif not (verdict.confirms and verdict.at_least(expects)):
        found.append(f"expected {expects} or stronger, found {verdict}")
    return tuple(found)
