"""The posterior mean on a box: quadrature by several paths, the protocol, what is said of it, and its claim."""

import math
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bounds import app_posterior_mean as formulas
from bounds.errors import InputError
from fedigw.applicable import applicable
from fedigw.replications import by_messages, simulate
from fedigw.running import audited, run
from linear.posterior import box_mean, interval_mean
from linear.ridge import RidgeData
from verify.cli import main
from verify.instances import parse

MIXTURES = {
    "kind": "linear",
    "environment": {"name": "mixtures", "dimension": 2, "contexts": 4, "agents": 3, "horizon": 64, "seed": 1},
    "protocol": "posterior_mean",
    "data": "cumulative",
}


@settings(max_examples=60, deadline=None)
@given(st.floats(0, 1e8), st.floats(-0.5, 1.5), st.floats(0.5, 2))
def test_in_one_dimension_quadrature_is_the_error_function(curve, peak, exponent):
    found = box_mean(np.array([[[curve]]]), np.array([[curve * peak]]), exponent)[0][0, 0]
    width = min(1.0, 1 / math.sqrt(2 * exponent * curve)) if curve else 1.0
    assert found == pytest.approx(interval_mean(curve, curve * peak, exponent), abs=1e-8 * width + 1e-15)


@pytest.mark.parametrize("slope", [0.0, 1e-9, 0.3, -2.0, 500.0])
def test_a_density_without_curvature(slope):
    """exp(2 b w) on [0,1]: the two paths, and the limit 1/2."""
    found = box_mean(np.zeros((1, 1, 1)), np.array([[slope]]), 1.0)[0][0, 0]
    assert found == pytest.approx(interval_mean(0.0, slope, 1.0), abs=1e-9)
    assert slope != 0.0 or found == pytest.approx(0.5)


def problem(rng: np.random.Generator, d: int, n: float, cells: int) -> tuple[np.ndarray, np.ndarray]:
    shares = rng.dirichlet(np.ones(d + 1), cells)[:, :d]
    gram = n / cells * shares.T @ shares
    return gram, gram @ rng.random(d) + math.sqrt(n / cells) / 2 * shares.T @ rng.standard_normal(cells)


@pytest.mark.parametrize(
    ("d", "n", "cells"), [(2, 3.0, 5), (2, 800.0, 5), (2, 200.0, 1), (3, 40.0, 6), (3, 20.0, 2)]
)
def test_nested_quadrature_is_a_sum_over_a_grid(d, n, cells):
    """Singular systems (fewer cells than coordinates) as well."""
    gram, moment = problem(np.random.default_rng(5), d, n, cells)
    nodes, weights = np.polynomial.legendre.leggauss(400 if d == 2 else 64)
    grid = np.stack(np.meshgrid(*[(nodes + 1) / 2] * d, indexing="ij"), axis=-1).reshape(-1, d)
    volume = np.prod(np.stack(np.meshgrid(*[weights / 2] * d, indexing="ij"), axis=-1).reshape(-1, d), axis=1)
    density = volume * np.exp(-1.04 * (np.einsum("gi,ij,gj->g", grid, gram, grid) - 2 * grid @ moment))
    mean, logarithm = box_mean(gram[None], moment[None], 1.04)
    assert mean[0] == pytest.approx(density @ grid / density.sum(), abs=1e-9)
    assert logarithm[0] == pytest.approx(math.log(density.sum()), abs=1e-9)


@pytest.mark.parametrize(("d", "n"), [(2, 1e3), (2, 1e9), (3, 1e6)])
def test_the_order_of_integration_does_not_matter(d, n):
    gram, moment = problem(np.random.default_rng(2), d, n, 6)
    found = box_mean(gram[None], moment[None], 1.04)[0][0]
    other = box_mean(gram[None, ::-1, ::-1], moment[None, ::-1], 1.04)[0][0, ::-1]
    assert found == pytest.approx(other, abs=1e-7 / math.sqrt(n))
    assert np.linalg.norm(found - np.clip(np.linalg.solve(gram, moment), 0, 1)) < 200 / math.sqrt(n)


def test_beyond_three_dimensions_it_is_refused():
    with pytest.raises(ValueError, match="at most 3"):
        box_mean(np.zeros((1, 4, 4)), np.zeros((1, 4)), 1.0)
    with pytest.raises(
        InputError, match="protocol = posterior_mean: needs at most 3 coordinates, which linear models"
    ):
        parse(MIXTURES | {"environment": {"name": "mixtures", "dimension": 4}})


def test_messages_and_arrays_compute_the_same():
    federation = parse(MIXTURES)
    model, rng = federation.model, np.random.default_rng(0)
    cells = federation.world.agents[0].cells
    data = [RidgeData(20, 2 * cells.T @ cells / 3, rng.random(len(cells)) @ cells) for _ in range(3)]
    from fedigw.channel import Channel

    channel = Channel(3, 1, federation.link, rng)
    fitted = federation.protocol.fit(model.problem(data, 1), channel, None, rng)
    total = RidgeData(60, *(sum(getattr(one, name) for one in data)[None] for name in ("gram", "moment")))
    at_once = federation.protocol.pooled(model.pooled_problem(total, 1), rng)[0]
    assert fitted.parameters == pytest.approx(at_once, abs=1e-12)
    for problem_of, parameters in (
        (model.problem(data, 1), fitted.parameters),
        (model.pooled_problem(total, 1), at_once[None]),
    ):
        assert all(promise.kept for promise in audited(federation, problem_of, parameters, 1))
        wrong = audited(federation, problem_of, parameters + 1e-3, 1)
        assert not wrong[0].kept


def test_both_paths_have_one_regret():
    federation = parse(MIXTURES)
    pooled, sent = (path(federation, 60, 3).total_regret for path in (simulate, by_messages))
    error = math.hypot(pooled.std(), sent.std()) / math.sqrt(60)
    assert abs(pooled.mean() - sent.mean()) < 5 * error
    assert all(promise.kept for promise in run(federation, np.random.default_rng(0), audit=True).promises)


def test_the_bound_is_that_of_all_samples_and_needs_shares():
    long = MIXTURES | {"environment": {"name": "mixtures", "horizon": 2**16}}
    told = applicable(parse(long))
    assert told.missing == ()
    assert {("app:cumulative", "finite"), ("app:posterior_mean", "regret")} <= set(told.rests_on)
    assert told.values["sharpened"] < applicable(parse(long | {"data": "epoch"})).values["sharpened"]
    other = parse(MIXTURES | {"environment": {"name": "finite_contexts", "dimension": 2}})
    assert applicable(other).values == {}
    assert any("features are shares of 1" in reason for reason in applicable(other).missing)


def test_a_parameter_outside_the_box_has_no_bound():
    table = MIXTURES | {
        "parameter": [-0.1, 0.5],
        "features": [[[0.0, 0.5], [0.1, 0.6]]],
        "agents": [{}],
        "horizon": 8,
    }
    del table["environment"]
    found = applicable(parse(table))
    assert found.values == {}


def test_formulas():
    """Both pieces meet at x = 1, e never rises, the sharpened is smaller, and 8c's own numbers."""
    for d in (1, 2, 5):
        for variant in formulas.POSTERIORS:
            risks = [formulas.risk(variant, d, n) for n in (*np.linspace(0.2, 3 * d, 200), 1e3, 1e9)]
            assert all(before >= after - 1e-15 for before, after in pairwise(risks))
        for n in (d, 10 * d, 1e6):
            assert formulas.total("sharpened", d, n) < formulas.total("stated", d, n)
    kappa = 1 - math.exp(-0.5)
    assert formulas.total("stated", 3, 100) == pytest.approx(3 / (2 * kappa) * (1 + math.log(200 / 3)))
    assert formulas.total("sharpened", 2, 50) == pytest.approx(2 / (2 * 0.46368) * (1 + math.log(104 / 4)))
    with pytest.raises(InputError, match="variant"):
        formulas.total("best", 1, 10)


def test_data_add_up_and_samples_are_kept():
    from linear.quadratics import Samples

    model = parse(MIXTURES).model
    one = RidgeData(2, np.eye(2), np.ones(2), Samples(np.eye(2), np.ones(2), np.ones(2)))
    both = model.accumulated([one], [replace(one, gram=2 * np.eye(2))])[0]
    assert both.count == 4
    assert np.array_equal(both.gram, 3 * np.eye(2))
    assert len(both.samples.rewards) == 4
    assert model.accumulated(one, replace(one, samples=None)).samples is None


def test_fit_promises_nothing_of_data_whose_truth_is_unknown(tmp_path, capsys):
    path = tmp_path / "data.toml"
    path.write_text('kind = "dataset"\n[[agents]]\nfeatures = [[0.5], [1.0]]\nrewards = [0.2, 0.6]\n')
    assert main(["fit", str(path), "--protocol", "posterior_mean"]) == 0
    said = capsys.readouterr().out
    assert "no guarantee: posterior_mean is proved where features are shares of 1" in said
    assert f"{interval_mean(1.25, 0.7, 1.04):.6g}" in said
