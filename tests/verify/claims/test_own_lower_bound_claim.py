"""own:lower_bound as a claim: attained on some instances, so that 1 % more is refuted, whatever the seed."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from verify.claim import Task
from verify.claims import own_lower_bound
from verify.verdict import Verdict


@pytest.mark.parametrize("seed", range(5))
def test_exact_and_its_control(seed: int) -> None:
    found = own_lower_bound.exact(Task("quick", np.random.SeedSequence(seed)))
    assert found.kind is Verdict.EXACT
    assert found.figures["attained"] > 0
    refuted = own_lower_bound.exact(Task("quick", np.random.SeedSequence(seed)), Fraction(101, 100))
    assert refuted.kind is Verdict.REFUTED
