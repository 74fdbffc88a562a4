"""Measured over proved: controls that take a tenth of the slack, and the hardest configurations they rest on."""

import numpy as np
import pytest

from verify.claim import Task, Verdict
from verify.experiments.local_ratios import Ratio, cut, judged, sampled
from verify.papers.fedigw.claims import (
    app_local_operator,
)
from verify.papers.fedigw.claims.col_convex import stochastic

TASK = Task("quick", np.random.SeedSequence(7))


@pytest.mark.parametrize("largest", [0.001, 0.0165, 0.3, 0.5238, 0.66, 0.9148, 0.99, 0.99999, 1.0])
def test_a_control_takes_the_slack_and_a_tenth_more(largest):
    factor = cut(largest)
    assert 0 < factor < largest, "below what is measured: false"
    taken = 1 - factor
    assert taken >= 1.1 * (1 - largest) * (1 - 1e-12) or factor == pytest.approx(largest / 1.1)
    assert factor >= largest / 1.1 * (1 - 1e-12), "and near it: not false by far"


def test_the_hardest_come_first_and_none_is_counted_that_compares_nothing():
    def one(rng: np.random.Generator) -> Ratio | None:
        value = float(rng.random())
        return Ratio(value, 1.0, "drawn") if value < 0.5 else None

    hard = next(seed for seed in range(50) if 0.49 < np.random.default_rng(seed).random() < 0.5)
    found = list(sampled(TASK, one, 30, (hard,)))
    assert len(found) == 31
    assert found[0].value == np.random.default_rng(hard).random()
    assert judged(found, "x").kind == Verdict.FLOAT
    assert judged(found, "x", shrink=cut(found[0].value)).kind == Verdict.REFUTED


def test_every_message_says_how_many_configurations_and_the_largest_ratio():
    found = next(check for check in app_local_operator.claim.checks if check.name == "bias").run(TASK)
    assert "in 41 configurations" in found.summary
    assert found.figures["configurations"] == 41


def test_the_stochastic_rows_are_met_on_every_dataset_once():
    world = next(stochastic.worlds(TASK))
    chances = [chance for chance, _ in world.datasets()]
    assert sum(chances) == pytest.approx(1, abs=1e-12)
    assert len(chances) == 10**2, "multisets of two of four outcomes, two agents"


def test_a_row_whose_target_the_start_meets_is_vacuous(monkeypatch):
    monkeypatch.setattr(stochastic, "mean_gaps", lambda world, protocol, path: (1e-9, 1e-10))
    assert stochastic.reached(TASK).vacuous
