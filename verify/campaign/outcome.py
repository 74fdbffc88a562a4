"""Define the outcome of one check, and its JSON form, which is saved, sent between processes and judged."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from verify.catalogue import chosen
from verify.claim import Claim, Evidence, Verdict, fields


@dataclass(frozen=True)
class Outcome:
    """The outcome of one check: its evidence and that of its negative control. If the check could not run, `failure`
    has the reason."""

    claim: str
    check: str
    variant: str
    evidence: Evidence
    control: Evidence
    failure: str | None = None

    @property
    def ran(self) -> bool:
        return self.failure is None and self.evidence.ran

    @property
    def control_ok(self) -> bool:
        """Return whether the negative control came out as it must: refuted if the check confirms, confirmed if the
        check refutes."""
        if self.failure:
            return False
        if self.evidence.kind is Verdict.REFUTED:
            return self.control.kind.confirms
        return self.control.kind is Verdict.REFUTED


def outcome_json(outcome: Outcome) -> dict[str, Any]:
    body = dict(vars(outcome))
    for which, evidence in (("evidence", outcome.evidence), ("control", outcome.control)):
        found = fields(evidence.kind, [evidence])
        body[which] = vars(evidence) | {name: found[name] for name in ("verdict", "by")}
        del body[which]["kind"]
    return body


def failed(label: str, check: str, variant: str, reason: str) -> Outcome:
    nothing = Evidence(Verdict.UNDECIDED, f"could not be checked: {reason}")
    return Outcome(label, check, variant, nothing, nothing, failure=reason)


def outcome_of(body: dict[str, Any]) -> Outcome:
    def read(row: dict[str, Any]) -> Evidence:
        return Evidence(Verdict.of(row), **{k: v for k, v in row.items() if k not in ("verdict", "by")})

    found = (read(body["evidence"]), read(body["control"]))
    return Outcome(body["claim"], body["check"], body["variant"], *found, body["failure"])


def claims_of(outcomes: Iterable[Outcome]) -> list[Claim]:
    return chosen({outcome.claim for outcome in outcomes})
