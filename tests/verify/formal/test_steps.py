"""Proof chains as evidence: what a chain imports is checked too."""

import numpy as np
import pytest

from verify.claim import Task
from verify.formal import steps
from verify.verdict import Verdict

TASK = Task("quick", np.random.SeedSequence(3), 0.01)


def test_a_theorem_is_no_better_than_the_proofs_it_uses(monkeypatch: pytest.MonkeyPatch) -> None:
    """A broken step far below: what imports it is inconclusive, and says where."""
    report = steps._report

    class Broken:
        failures = ("own: below",)

    def broken(name: str) -> object:
        return Broken() if name == "lem:VE" else report(name)

    assert "lem:VE" in steps.imported(("lem:epoch_regret_bound",))
    monkeypatch.setattr(steps, "_report", broken)
    found = steps.proof(TASK, ("lem:epoch_regret_bound",))
    assert found.kind is Verdict.INCONCLUSIVE
    assert found.summary == "rests on lem:VE, where own: below is not shown"
