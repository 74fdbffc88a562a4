"""Robust aggregation: the constants of trimmed mean, median and geometric median are reached and not exceeded.

For S the honest agents, z their mean and v = mean_S norm(x_i - z)^2: norm(A(x) - z)^2 <= kappa v, f of M lying.
"""

import re
from dataclasses import replace
from fractions import Fraction
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from bounds.errors import InputError
from fedigw import conformance
from fedigw.aggregators.mean import Mean
from fedigw.channel import Link
from fedigw.parts import aggregators, attacks, encoders, protocols
from fedigw.replications import by_messages
from fedigw.running import SolverError
from fedigw_extensions.robust.aggregators.centred_clipping import CentredClipping
from fedigw_extensions.robust.aggregators.geometric_median import GeometricMedian, geometric_median
from fedigw_extensions.robust.aggregators.krum import Krum
from fedigw_extensions.robust.aggregators.median import Median
from fedigw_extensions.robust.aggregators.trimmed_mean import TrimmedMean
from fedigw_extensions.robust.attacks.label_flip import LabelFlip
from fedigw_extensions.robust.attacks.sign_flip import SignFlip
from fedigw_extensions.robust.claims import app_breakdown as broken
from fedigw_extensions.robust.claims import app_robust_gd
from fedigw_extensions.robust.claims import app_robust_predictions as liars
from fedigw_extensions.robust.claims.app_robust_mean import exact
from linear.environments import finite_contexts
from verify.claim import Task
from verify.instances import kind_of


def test_constants_are_those_of_the_theorem():
    assert Median().constant(4, 1) == Fraction(1, 2)  # the older constant floor(M/2)/(ceil(M/2)-f) is 2
    assert Median().constant(10, 2) == Fraction(1)
    assert TrimmedMean(2).constant(10, 2) == Fraction(1, 3)
    assert GeometricMedian().constant(10, 2) == Fraction(5, 3)
    assert GeometricMedian().constant(3, 1) == Fraction(1)
    assert Mean().constant(10, 0) == 0
    for rule in (Mean(), TrimmedMean(1), Median(), GeometricMedian(), Krum(), CentredClipping()):
        assert rule.constant(4, 2) is None, "half of them lie"
    assert TrimmedMean(2).constant(10, 1) is TrimmedMean(2).constant(10, 3) is None, "it is about cut = f"
    assert Mean().constant(10, 1) is None
    for rule in (Krum(), CentredClipping()):
        assert rule.constant(9, 1) is None
        assert rule.constant(5, 1) is None
        assert f"{rule.name}, a reference without a proved constant" in Link(aggregator=rule).missing[0]


@pytest.mark.parametrize("size", [1, 2, 4])
def test_the_geometric_median_is_certified(size):
    rng = np.random.default_rng(size)
    for trial in range(60):
        points, weights = rng.standard_normal((6, size)) ** 3, rng.dirichlet(np.ones(6))
        if trial % 3 == 0:
            points[:2] *= 1e6
        found = geometric_median(points, weights, 1e-9, 2000)
        assert found.residual <= 1e-9

        def value(y: np.ndarray, points: np.ndarray = points, weights: np.ndarray = weights) -> float:
            return float(weights @ np.linalg.norm(points - y, axis=1))

        for step in (1e-3, 1.0):
            for _ in range(10):
                assert (
                    value(found.point) <= value(found.point + step * rng.standard_normal(size)) + found.excess
                )


def test_a_geometric_median_that_is_not_reached_is_refused():
    points = np.random.default_rng(0).standard_normal((7, 3)) ** 3
    with pytest.raises(SolverError, match=r"residual 0\.\d+ after 1 iterations, above the precision 1e-12"):
        GeometricMedian(precision=1e-12, iterations=1).combine(points, np.full(7, 1 / 7))


@pytest.mark.parametrize("scale", [1e-3, 1e-9, 1e-12])
def test_a_tight_cluster_far_from_the_rest_keeps_its_digits(scale):
    """A cluster of five among ten: measured from a point half-way its digits were lost, and the call refused."""
    rng = np.random.default_rng(0)
    cluster = scale * rng.standard_normal((5, 2))
    points = np.concatenate([cluster, [[-1.0, 0.0]], np.full((4, 2), -0.9)])
    found = geometric_median(points, np.full(10, 0.1), 1e-9, 2000)
    assert found.residual <= 1e-9
    assert np.linalg.norm(found.point) <= 10 * scale


def test_where_a_segment_is_least_its_middle_is_taken():
    points = np.array([[0.0, 0.0], [1.0, 1.0], [3.0, 3.0], [9.0, 9.0]])
    for order in ([0, 1, 2, 3], [3, 1, 0, 2]):
        found = GeometricMedian().combine(points[order], np.full(4, 0.25))
        np.testing.assert_allclose(found, [2.0, 2.0])


def test_krum_takes_the_message_in_the_thick_of_it():
    messages = np.array([[0.0], [0.1], [0.2], [50.0], [60.0]])
    assert Krum(lying=2).combine(messages, np.full(5, 0.2))[0] in (0.0, 0.1)
    with pytest.raises(InputError, match="leaves nobody to compare with among 4 agents; at most 1"):
        Krum(lying=2).check(4)


def test_clipping_lets_nobody_pull_further_than_the_radius():
    messages = np.array([[0.0], [0.0], [0.0], [1e9]])
    found = CentredClipping(radius=1.0, iterations=2).combine(messages, np.full(4, 0.25))
    assert 0 < found[0] <= 2 * 0.25


@pytest.mark.parametrize("protocol", ["direct", "agd", "fedavg", "scaffold", "fedprox"])
def test_every_combination_runs_and_keeps_its_ledger(protocol):
    """5 protocols x every aggregator (6) x every encoder (4), one call and a whole run with a liar."""
    kind, made = kind_of("linear"), finite_contexts.make(np.random.default_rng(0), 2, 2, 2, 5, 4)
    chosen = protocols(kind.protocols)[protocol]()
    if hasattr(chosen, "rounds"):
        chosen = replace(chosen, rounds=3)
    ran = 0
    for aggregator, encoder in product(aggregators().values(), encoders().values()):
        if encoder.name == "masks" and not aggregator.exact:
            with pytest.raises(InputError, match="which the encoder masks hides"):
                Link(encoder=encoder(), aggregator=aggregator())
            continue
        link = Link(encoder=encoder(), aggregator=aggregator(), attack=SignFlip())
        federation = replace(made, protocol=chosen, link=link)
        if federation.guarantee() is None:
            federation = federation.with_rates(9)
        assert np.isfinite(by_messages(federation, 1, 0).total_regret).all()
        assert conformance.ledger_problems(federation) == [], (protocol, aggregator, encoder)
        ran += 1
    assert ran >= 6 * 3 + 1


PAGE = (Path(__file__).parents[3] / "docs" / "robust.md").read_text(encoding="utf-8")


def test_every_rule_and_attack_is_on_the_page_and_no_number_outside_a_command():
    """What commands print is compared with the page by tests/verify/pages."""
    for name in (*aggregators(), *attacks()):
        assert f"| `{name}` |" in PAGE
    loose = re.sub(r"^```console\n.*?^```$", "", PAGE, flags=re.MULTILINE | re.DOTALL)
    assert set(re.findall(r"\b\d{4,}(?:\.\d+)?\b", loose)) == {str(8 * 65536), str(int(0.8 * 8 * 65536))}


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
