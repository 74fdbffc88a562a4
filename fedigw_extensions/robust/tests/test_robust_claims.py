"""app:robust_*: what the checks of these claims are made of. Their verdicts and controls are the campaign's."""

from fractions import Fraction

import numpy as np
import pytest

from fedigw.aggregators.mean import Mean
from fedigw.replications import by_messages
from fedigw_extensions.robust.aggregators.median import Median
from fedigw_extensions.robust.attacks.label_flip import LabelFlip
from fedigw_extensions.robust.attacks.sign_flip import SignFlip
from fedigw_extensions.robust.claims import app_breakdown as broken
from fedigw_extensions.robust.claims import app_robust_gd
from fedigw_extensions.robust.claims import app_robust_predictions as liars
from fedigw_extensions.robust.claims.app_robust_mean import exact
from verify.claim import Task


def task(seed: int = 0, profile: str = "quick") -> Task:
    return Task(profile, np.random.SeedSequence(seed), 0.01 / 264)


def test_a_wrong_geometric_median_is_not_certified():
    """The certificate of the exact method: a message that is not the median is not taken for it."""
    points = [(Fraction(x), Fraction(0)) for x in (0, 1, 2)]
    assert exact.aggregate("geometric_median", points, 1) == (Fraction(1), Fraction(0))
    assert exact.root(Fraction(2)) is None
    assert exact.root(Fraction(9, 4)) == Fraction(3, 2)


def test_robust_descent_names_the_condition_that_fails():
    assert app_robust_gd.conditions(0.5, 2.0, 1.0, 1.0, 0.25) == ()
    assert "at most 1/beta = 0.5, it is 0.6" in app_robust_gd.conditions(0.6, 2.0, 1.0, 1.0, 0.25)[0]
    assert "kappa d2 must be at most mu/4" in app_robust_gd.conditions(0.5, 2.0, 1.0, 1.0, 0.26)[0]
    assert app_robust_gd.gap_bound(2, 0.5, 1.0, 0.5, 3.0, 16.0) == pytest.approx(9 + 3)


def test_all_rules_and_attacks_are_met_and_every_call_is_counted():
    met = {tuple(ratio.where.split(", ")[:2]) for ratio in app_robust_gd._descents(task(), 1.0)}
    assert [len(set(kind)) for kind in zip(*met, strict=True)] == [3, 4]  # rules, attacks
    figures = app_robust_gd.in_runs(task()).figures
    assert figures["configurations"] + figures["left_out"] == 4 * 8  # four runs of 8 epochs


def test_the_worst_liars_in_rationals():
    assert sum(liars.predictions(Fraction(1, 3), Fraction(1, 2), 4).values()) == 1
    honest = [Fraction(x) for x in (1, 2, 4)]
    assert liars.worst_error("median", honest, 1, Fraction(2)) == 1  # of 1, 2, 4, +inf: (2+4)/2
    assert liars.worst_error("median", honest[:2], 1, Fraction(0)) == 4
    assert liars.worst_error("trimmed_mean", honest, 1, Fraction(0)) == 9
    assert liars.below(Fraction(4), Fraction(1), Fraction(1))
    assert not liars.below(Fraction(401, 100), Fraction(1), Fraction(1))


@pytest.mark.parametrize(
    ("rule", "attack", "tolerates"),
    [(Median(), LabelFlip((0, 1)), 1), (Median(), SignFlip((0,), 20.0), 1), (Mean(), None, 0)],
)
def test_replications_at_once_have_the_law_of_runs_by_messages(rule, attack, tolerates):
    made = liars.federation(128, rule, attack, tolerates, (0.9, 0.2), agents=4)
    fast = broken.regrets(made, 4000, np.random.SeedSequence(0))
    slow = by_messages(made, 100, 1).total_regret
    error = np.hypot(slow.std() / 10, fast.std() / 4000**0.5)
    assert abs(fast.mean() - slow.mean()) < 4 * error
    assert 0.6 < fast.std() / slow.std() < 1.6


def test_breakdown():
    assert broken.two_worlds(task()).figures["pairs"] == 36
    found = broken.mirrored(task())
    assert found.figures["sum"] == pytest.approx(found.figures["whole"], rel=0.05)
    rows = broken.by_share(task()).figures["rows"]
    assert {row["liars"] for row in rows if row["bound"] is not None} == {0, 1, 2, 3, 4}
