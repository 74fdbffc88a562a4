"""A rule about sums: a member of a sum of non-negative terms is at most the sum."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import sympy as sp

from bounds.proofs.engine.model import Chain, Checked, Outcome, Step
from bounds.proofs.engine.smt import decide

COUNTED = ("arm", "agent")  # indices whose sums have weights 1; the others are expectations


@dataclass(frozen=True)
class Member:
    """term <= total, for every member, because every term is non-negative.

    Only for a sum that counts its members: in an expectation, whose weights sum to 1, a member may exceed the mean.
    """

    index: str
    kind: str = "member"

    def check(self, step: Step, facts: Mapping[str, Any], chain: Chain) -> Checked:
        totals = chain.totals.get(self.index, ())
        count = next((total.value for total in totals if total.term == 1), None)
        if self.index not in COUNTED or self.index in chain.weights or count is None or count == 1:
            return Checked(Outcome.INCONCLUSIVE, f"{self.index} is not known to be a sum with weights 1")
        claim = step.statement
        if not isinstance(claim, sp.Le) or not any(
            claim.lhs == total.term and claim.rhs == total.value for total in totals
        ):
            return Checked(Outcome.INCONCLUSIVE, f"not of the form term <= its total over every {self.index}")
        found = decide(sp.Ge(claim.lhs, 0), facts.values())
        return Checked(found.outcome, f"every term is non-negative: {found.detail}", found.model, found.smt2)
