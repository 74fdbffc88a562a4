"""own:not_vacuous: the figures of its statement are the ones that its check finds."""

from __future__ import annotations

import numpy as np
import pytest

from verify.catalogue import find
from verify.claim import Task
from verify.claims import own_not_vacuous
from verify.verdict import Verdict


@pytest.mark.parametrize(("variant", "bound"), [("sharpened", "3610.1"), ("best", "2533.2")])
def test_the_statement_has_the_bound_that_the_check_finds(variant: str, bound: str) -> None:
    claim = find("own:not_vacuous")
    line = next(part for part in claim.statement.splitlines() if part.split()[:1] == [variant])
    assert f"= {bound} < T/2" in line
    found = own_not_vacuous.below_worst_play(Task("quick", np.random.SeedSequence(0), 0.01), variant)
    assert found.kind is Verdict.CERTIFIED
    assert f"{found.figures['bound']:.1f}" == bound
