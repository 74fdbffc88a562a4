"""app:robust_*: whatever the seed, true constants stand and constants 1 % smaller fall."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from fedigw_extensions.robust.bounds import app_robust_gd, app_robust_mean
from fedigw_extensions.robust.claims import app_breakdown as broken
from fedigw_extensions.robust.claims import app_robust_gd as descent
from fedigw_extensions.robust.claims import app_robust_predictions as liars
from fedigw_extensions.robust.claims.app_robust_mean import attacked, exact
from verify.claim import Task
from verify.verdict import Verdict

RULES = tuple(exact.CONSTANTS)


def task(seed: int = 0, profile: str = "quick", share: float | None = None) -> Task:
    return Task(profile, np.random.SeedSequence(seed), share)


@pytest.mark.parametrize("rule", RULES)
def test_witnesses_reach_the_constants_in_rationals(rule: str) -> None:
    found = exact.witnesses(task(), rule)
    assert found.kind is Verdict.EXACT
    assert len(found.figures["reached"]) == 30
    assert all(0.9999 < share <= 1 for share in found.figures["reached"].values())
    assert exact.witnesses(task(), rule, exact.CONTROL).kind is Verdict.REFUTED


@pytest.mark.parametrize("rule", ["trimmed_mean", "median"])
@pytest.mark.parametrize("seed", range(3))
def test_ten_thousand_attacks_do_not_exceed_the_constants(rule: str, seed: int) -> None:
    found = attacked.largest(task(seed), rule)
    assert found.kind is Verdict.COMPUTED
    assert found.figures["attacks"] == 10_020
    assert 0.99 < found.figures["worst_ratio"] <= 1 + 1e-6
    assert attacked.largest(task(seed), rule, 0.99).kind is Verdict.REFUTED


def test_attacks_on_the_geometric_median_and_on_weights() -> None:
    for check in (lambda t, **k: attacked.largest(t, "geometric_median", **k), attacked.weighted):
        assert check(task(1)).kind is Verdict.COMPUTED
        assert check(task(1), share=0.99).kind is Verdict.REFUTED


@pytest.mark.long
def test_ten_thousand_attacks_on_the_geometric_median() -> None:
    found = attacked.largest(task(2, "full"), "geometric_median")
    assert found.figures["attacks"] == 10_020
    assert found.kind is Verdict.COMPUTED


def test_a_wrong_geometric_median_is_not_certified() -> None:
    """The certificate of the exact road: a message that is not the median is not taken for it."""
    points = [(Fraction(x), Fraction(0)) for x in (0, 1, 2)]
    assert exact.aggregate("geometric_median", points, 1) == (Fraction(1), Fraction(0))
    assert exact.root(Fraction(2)) is None
    assert exact.root(Fraction(9, 4)) == Fraction(3, 2)


def test_the_lower_bound_is_what_the_trimmed_mean_has() -> None:
    assert exact.every_rule(task()).kind is Verdict.EXACT
    assert exact.every_rule(task(), exact.CONTROL_ABOVE).kind is Verdict.REFUTED
    for agents, lying in app_robust_mean.PAIRS:
        least = app_robust_mean.least(agents, lying)
        assert least is not None
        for constant in exact.CONSTANTS.values():
            assert constant(agents, lying) >= least


@pytest.mark.parametrize("seed", [7])
def test_robust_descent_and_its_controls(seed: int) -> None:
    for check, control in ((descent.rate, {"shrink": 0.1}), (descent.in_runs, {"rule": "mean"})):
        found = check(task(seed))
        assert found.kind is Verdict.COMPUTED
        assert found.figures["configurations"] > 10
        assert check(task(seed), **control).kind is Verdict.REFUTED
    assert descent.floor(task()).kind is Verdict.EXACT
    assert descent.floor(task(), descent.CONTROL).kind is Verdict.REFUTED


def test_robust_descent_names_the_condition_that_fails() -> None:
    assert app_robust_gd.conditions(0.5, 2.0, 1.0, 1.0, 0.25) == ()
    assert "at most 1/beta = 0.5, it is 0.6" in app_robust_gd.conditions(0.6, 2.0, 1.0, 1.0, 0.25)[0]
    assert "kappa d2 must be at most mu/4" in app_robust_gd.conditions(0.5, 2.0, 1.0, 1.0, 0.26)[0]
    assert app_robust_gd.gap_bound(2, 0.5, 1.0, 0.5, 3.0, 16.0) == pytest.approx(9 + 3)


def test_the_worst_liars_in_rationals() -> None:
    found = liars.worst_liars(task())
    assert found.kind is Verdict.EXACT
    assert 0.2 < found.figures["worst_ratio"] < 1
    assert liars.worst_liars(task(), liars.CONTROL).kind is Verdict.REFUTED
    assert sum(liars.predictions(Fraction(1, 3), Fraction(1, 2), 4).values()) == 1
    honest = [Fraction(x) for x in (1, 2, 4)]
    assert liars.worst_error("median", honest, 1, Fraction(2)) == 1  # of 1, 2, 4, +inf: (2+4)/2
    assert liars.worst_error("median", honest[:2], 1, Fraction(0)) == 4
    assert liars.worst_error("trimmed_mean", honest, 1, Fraction(0)) == 9
    assert liars.below(Fraction(4), Fraction(1), Fraction(1))
    assert not liars.below(Fraction(401, 100), Fraction(1), Fraction(1))


def test_whole_runs_with_liars_and_their_controls() -> None:
    level = 0.01 / 264
    assert liars.regret(task(0, share=level)).kind is Verdict.SUPPORTED
    assert liars.regret(task(0, share=level), "mean").kind is Verdict.REFUTED
    assert liars.ledger(task()).kind is Verdict.EXACT
    assert liars.ledger(task(), 1).kind is Verdict.REFUTED


def test_breakdown() -> None:
    """The controls of the runs are the campaign's."""
    level = 0.01 / 264
    assert broken.two_worlds(task()).figures["pairs"] == 36
    assert broken.two_worlds(task(), 1).kind is Verdict.REFUTED
    found = broken.mirrored(task(0, share=level))
    assert found.kind is Verdict.SUPPORTED
    assert found.figures["sum"] == pytest.approx(found.figures["whole"], rel=0.05)
    by_share = broken.by_share(task(0, share=level))
    assert by_share.kind is Verdict.SUPPORTED
    assert {row["liars"] for row in by_share.figures["rows"] if row["bound"] is not None} == {0, 1, 2, 3, 4}
