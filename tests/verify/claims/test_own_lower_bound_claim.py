"""own:lower_bound as a claim: attained on some instances, so that 1 % more is refuted, whatever the seed."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from matplotlib.figure import Figure

from verify.claim import Task
from verify.papers.fedigw.claims import own_lower_bound
from verify.verdict import Verdict


@pytest.mark.parametrize("seed", range(5))
def test_exact_and_its_control(seed: int) -> None:
    found = own_lower_bound.exact(Task("quick", np.random.SeedSequence(seed)))
    assert found.kind is Verdict.EXACT
    assert found.figures["attained"] > 0
    refuted = own_lower_bound.exact(Task("quick", np.random.SeedSequence(seed)), Fraction(101, 100))
    assert refuted.kind is Verdict.REFUTED


def test_measured_points_lie_between_the_bounds_and_one_percent_more_does_not_hold() -> None:
    task = Task("quick", np.random.SeedSequence(3))
    found = own_lower_bound.measured(task)
    assert found.kind is Verdict.COMPUTED
    assert all(row["lower"] <= (1 + 1e-9) * row["least"] for row in found.figures["rows"])
    assert all(row["mean"] <= row["upper"] for row in found.figures["rows"])
    assert own_lower_bound.measured(task, 1.01).kind is Verdict.REFUTED


def test_the_picture_has_both_bounds_of_every_rate() -> None:
    task = Task("quick", np.random.SeedSequence(3))
    axes = Figure().subplots()
    own_lower_bound.between_the_bounds(axes, {"measured": own_lower_bound.measured(task).figures})
    labels = [str(line.get_label()) for line in axes.get_lines()]
    for name in ("best, K = 2", "best, K = 10", "sharpened, K = 2", "sharpened, K = 10"):
        assert f"bound, {name}" in labels
        assert f"{name}, at least if gap 1" in labels
