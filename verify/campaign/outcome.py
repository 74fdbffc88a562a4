"""The outcome of one check and its JSON form, which is what is saved, sent between processes and judged."""

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any

from verify.catalogue import chosen
from verify.claim import Claim, Evidence, Verdict, fields


@dataclass(frozen=True)
class Outcome:
    """The outcome of one check: evidence of the check and its negative control, or `failure`, why it could not run."""

    claim: str
    check: str
    variant: str
    evidence: Evidence
    control: Evidence
    failure: str | None = None

    @property
    def ran(self) -> bool:
        """Return whether the check was carried out and had everything that it needs."""
        return self.failure is None and self.evidence.ran

    @property
    def control_ok(self) -> bool:
        """Return whether the control was rejected: refuted by a check that confirms, confirmed by one that refutes."""
        if self.failure:
            return False
        if self.evidence.kind is Verdict.REFUTED:
            return self.control.kind.confirms
        return self.control.kind is Verdict.REFUTED


def outcome_json(outcome: Outcome) -> dict[str, Any]:
    """Return an outcome as JSON values; the kind of its evidence becomes `verdict` and `by`."""
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
    def read(row: dict[str, Any]) -> Evidence:
        return Evidence(Verdict.of(row), **{k: v for k, v in row.items() if k not in ("verdict", "by")})

    found = (read(body["evidence"]), read(body["control"]))
    return Outcome(body["claim"], body["check"], body["variant"], *found, body["failure"])


def claims_of(outcomes: Iterable[Outcome]) -> list[Claim]:
    """Return the claims that the outcomes are about, in catalogue order."""
    return chosen({outcome.claim for outcome in outcomes})
