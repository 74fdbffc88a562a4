"""What the claims about compression and gossip rest on: their own path, held to the product's; and their pictures."""

from fractions import Fraction

import numpy as np
import pytest
from matplotlib.figure import Figure

from fedigw_extensions.compression import rounds
from fedigw_extensions.compression.claims.app_diana import draw_regret_against_bits
from fedigw_extensions.compression.encoders.quantise import Quantise
from fedigw_extensions.compression.encoders.top_k import TopK
from fedigw_extensions.gossip.claims.app_gossip_statistics import draw_regret_against_gap
from fedigw_extensions.gossip.rounds import mixing
from verify.catalogue import catalogue

LABELS = (
    "compressed_gradients", "diana", "ef21", "error_feedback", "gossip_statistics", "gradient_tracking",
    "decentralised_gradients",
)  # fmt: skip


def test_every_promise_has_its_claim():
    """A guarantee names a claim that is in the catalogue."""
    assert {f"app:{name}" for name in LABELS} <= set(catalogue())


def test_enumeration_and_closed_form_agree():
    rng = np.random.default_rng(0)
    for _ in range(40):
        case = rounds.tiny(rng)
        hessians = np.array([np.diag([float(h) for h in row]) for row in case.curvatures])
        weights, centres = np.array(case.weights, float), np.array(case.minimisers, float)
        problem = rounds.Quadratics.around(hessians, weights, centres, len(case.point))
        start = rounds.Start(
            problem, case.bits, np.array(case.point, float), np.array(case.references, float)
        )
        for learning in (Fraction(0), Fraction(1, 3)):
            exact = rounds.exact_means(case, Fraction(1, 5), learning)
            closed = rounds.mean_step(start, 0.2, float(learning))
            np.testing.assert_allclose(closed, [float(v) for v in exact], rtol=1e-9, atol=1e-12)
        assert float(case.om) == pytest.approx(start.om)
        assert float(case.mu) == pytest.approx(problem.mu)
        assert float(case.beta) == pytest.approx(problem.beta)


def test_roundings_are_a_distribution_with_the_right_mean():
    vector = np.array([Fraction(3, 4), Fraction(-1, 3), Fraction(0)])
    found = rounds.roundings(vector, 2)
    assert sum(p for p, _ in found) == 1
    for i, value in enumerate(vector):
        assert sum(p * q[i] for p, q in found) == value


def test_the_two_paths_round_and_cut_alike():
    rng = np.random.default_rng(1)
    row = rng.standard_normal((1, 5)).astype(np.float32).astype(float)  # a scale that single precision holds
    drawn = np.concatenate([Quantise(2).encode(row, rng) for _ in range(4000)])
    spread = float(((drawn - row) ** 2).sum(axis=1).mean())
    assert spread == pytest.approx(float(rounds.rounding_variance(row, 2)[0]), rel=0.1)
    many = rng.standard_normal((6, 5))
    np.testing.assert_array_equal(TopK(2).encode(many, rng), rounds.top_k(many, 2))


def test_random_weights_are_symmetric_and_doubly_stochastic():
    rng = np.random.default_rng(2)
    for _ in range(30):
        found = mixing(rng, int(rng.integers(2, 9)))
        np.testing.assert_allclose(found.matrix, found.matrix.T, atol=1e-12)
        np.testing.assert_allclose(found.matrix.sum(axis=0), 1)
        assert found.matrix.min() >= -1e-12
        assert found.rho < 1


def test_the_pictures_name_every_series():
    point = {"bits": 10, "regret": 2.0, "gap": 0.1, "graph": "ring"}
    shared = {"horizon": 8, "agents": 2, "dimension": 3}
    bits = {"bits": {"series": {"one": [point], "two": [point]}, "direct": point} | shared}
    axes = Figure().subplots()
    draw_regret_against_bits(axes, bits)
    assert {"one", "two"} <= {line.get_label() for line in axes.get_lines()}
    axes = Figure().subplots()
    draw_regret_against_gap(axes, {"graphs": {"series": {"one": [point]}, "direct": 1.0} | shared})
    assert "one" in {line.get_label() for line in axes.get_lines()}
    assert [text.get_text().strip() for text in axes.texts] == ["ring"]
