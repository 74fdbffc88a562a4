"""own:asynchronous: its configurations are what they say."""

import numpy as np
import pytest

from bounds.schedules import asynchrony
from verify.claim import Task, Verdict
from verify.papers.fedigw.claims.own_asynchronous import configurations as made
from verify.papers.fedigw.claims.own_asynchronous import runs
from verify.statistics.level import SHARE


def test_configurations_are_asynchronous_and_heterogeneous() -> None:
    found = made.configurations(np.random.default_rng(0), full=False)
    assert len(found) == 6
    assert {name.split(", ")[1] for name in found} == set(made.MIXES)
    for one in found.values():
        plan = one.plan
        assert asynchrony(plan) > 1
        assert len(set(one.arms)) > 1
        assert min(map(min, plan.full)) >= 1
        assert plan.played[-1] != plan.full[-1] or one.timing.horizon == one.timing.ends[-1]


@pytest.mark.long
def test_fifty_configurations() -> None:
    found = runs.regret(Task("full", np.random.SeedSequence(0), SHARE))
    assert found.kind is Verdict.MEASURED
    assert found.figures["configurations"] >= 50
    assert found.figures["informative_configurations"] >= 50
    assert found.figures["rates_fall"] >= 1
