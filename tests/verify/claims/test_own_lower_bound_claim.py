"""own:lower_bound as a claim: attained on some instances, so that 1 % more is refuted, whatever the seed."""

from __future__ import annotations

import numpy as np
from matplotlib.figure import Figure

from verify.claim import Task
from verify.papers.fedigw.claims import own_lower_bound


def test_the_picture_has_both_bounds_of_every_rate() -> None:
    task = Task("quick", np.random.SeedSequence(3))
    axes = Figure().subplots()
    own_lower_bound.between_the_bounds(axes, {"measured": own_lower_bound.measured(task).figures})
    labels = [str(line.get_label()) for line in axes.get_lines()]
    for name in ("best, K = 2", "best, K = 10", "sharpened, K = 2", "sharpened, K = 10"):
        assert f"bound, {name}" in labels
        assert f"{name}, at least if gap 1" in labels
