"""What one check found, and its JSON form: the only form that is saved, sent between processes and judged."""

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any

from verify.catalogue import chosen
from verify.claim import Claim, Evidence, Verdict, fields


@dataclass(frozen=True)
class Outcome:
    """What one check found. `control_ok`: its negative control was rejected. `failure`: why it could not run."""

    claim: str
    check: str
    variant: str
    evidence: Evidence
    control: Evidence
    failure: str | None = None

    @property
    def ran(self) -> bool:
        """Return whether there is anything to tell apart: the check was carried out, and it had what it needs."""
        return self.failure is None and self.evidence.ran

    @property
    def control_ok(self) -> bool:
        """A checker that confirms must refute its control; one that refutes must confirm it."""
        if self.failure:
            return False
        if self.evidence.kind is Verdict.REFUTED:
            return self.control.kind.confirms
        return self.control.kind is Verdict.REFUTED


def outcome_json(outcome: Outcome) -> dict[str, Any]:
    """Return an outcome in values of JSON: of its evidence `verdict` and `by` in place of the kind."""
    body = asdict(outcome)
    for which, evidence in (("evidence", outcome.evidence), ("control", outcome.control)):
        del body[which]["kind"]
        body[which] |= {name: fields(evidence.kind, [evidence])[name] for name in ("verdict", "by")}
    return body


def failed(label: str, check: str, variant: str, reason: str) -> Outcome:
    """Return the outcome of a check that could not be carried out."""
    nothing = Evidence(Verdict.UNDECIDED, f"could not be checked: {reason}")
    return Outcome(label, check, variant, nothing, nothing, failure=reason)


def outcome_of(body: dict[str, Any]) -> Outcome:
    evidence, control = (
        Evidence(
            Verdict.of(body[which]), **{k: v for k, v in body[which].items() if k not in ("verdict", "by")}
        )
        for which in ("evidence", "control")
    )
    return Outcome(body["claim"], body["check"], body["variant"], evidence, control, body["failure"])


def claims_of(outcomes: Iterable[Outcome]) -> list[Claim]:
    """Return the claims that the outcomes are about, in catalogue order."""
    return chosen({outcome.claim for outcome in outcomes})
