"""Property-based tests of the linear lemmas: what must hold for every design, every dataset, every round."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bounds import own_agd_rate
from fedigw.channel import Channel
from fedigw.interfaces import Acting
from fedigw.policies.igw import InverseGapWeighting
from linear.contexts.finite import FiniteContexts
from linear.model import Ridge
from linear.protocols import agd, cg, chebyshev
from linear.ridge import RidgeData, RidgeProblem, exact_minimiser, loss_gap
from linear.spectral import agd_jump

numbers = st.floats(-1, 1, allow_nan=False).map(lambda v: 0.0 if abs(v) < 1e-6 else v)


@st.composite
def data(draw):
    """Real samples of up to three agents: features in the unit ball, rewards in [0,1]."""
    d = draw(st.integers(1, 4))
    datasets = []
    for _ in range(draw(st.integers(1, 3))):
        count = draw(st.integers(1, 5))
        phi = np.array(
            draw(st.lists(st.lists(numbers, min_size=d, max_size=d), min_size=count, max_size=count))
        )
        phi = phi / np.maximum(np.linalg.norm(phi, axis=1, keepdims=True), 1)
        r = np.abs(np.array(draw(st.lists(numbers, min_size=count, max_size=count))))
        datasets.append(RidgeData(count, phi.T @ phi, phi.T @ r))
    return datasets


@settings(max_examples=60, deadline=None)
@given(data(), st.integers(0, 60))
def test_agd_obeys_its_rate_and_its_certificate(datasets, rounds):
    agents = RidgeProblem(datasets, 1)
    n = agents.samples
    point = agd.descend(agents, Channel(agents.count, 1), rounds)
    gap, away = loss_gap(datasets, point), point - exact_minimiser(datasets)
    # 1e-13: rounding of iterates of norm at most sqrt(n)
    assert gap <= own_agd_rate.loss_gap(float(n), rounds) + 1e-13
    assert away @ away <= own_agd_rate.distance_squared(float(n), rounds) + 1e-12
    gradient = agents.gradients(point).sum(axis=0) + agents.shrinkage * point
    np.testing.assert_allclose(agents.gradient(Channel(agents.count, 1), point), gradient, atol=1e-12)
    norm = float(np.linalg.norm(gradient))
    curvature = agents.curvature(Channel(agents.count, 1))
    assert agents.shrinkage * (1 - 1e-12) <= curvature
    assert gap <= norm**2 / (2 * curvature) + 1e-13
    assert np.linalg.norm(away) <= norm / curvature + 1e-12
    pooled = sum(d.gram for d in datasets) / n, sum(d.moment for d in datasets) / n
    np.testing.assert_allclose(agd_jump(*pooled, n, rounds), point, atol=1e-12)


@settings(max_examples=60, deadline=None)
@given(data(), st.integers(0, 30))
def test_chebyshev_obeys_its_rate_and_cg_is_exact(datasets, rounds):
    agents = RidgeProblem(datasets, 1)
    point = chebyshev.iterate(agents, Channel(agents.count, 1), rounds)
    assert (
        loss_gap(datasets, point) <= own_agd_rate.polynomial_loss_gap(float(agents.samples), rounds) + 1e-13
    )
    channel = Channel(agents.count, 1)
    found = cg.solve(agents, channel, 0.0)
    assert channel.traffic.rounds <= min(agents.dimension, agents.samples)
    np.testing.assert_allclose(found, exact_minimiser(datasets), atol=1e-9)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**32 - 1), st.floats(0, 1000))
def test_kernels_and_regret(seed, rate):
    rng = np.random.default_rng(seed)
    contexts = FiniteContexts(rng.random((3, 4, 2)) / 2, np.full(3, 1 / 3))
    parameter = np.array([0.5, 0.5])
    act = Acting(Ridge(2), rng.standard_normal((5, 2)), InverseGapWeighting(), rate)
    kernel = act(contexts.features)
    assert kernel.shape == (5, 3, 4)
    np.testing.assert_allclose(kernel.sum(axis=2), 1, atol=1e-12)
    assert (kernel >= -1e-15).all()
    regret = contexts.regret_rate(kernel, parameter)
    assert (regret >= -1e-15).all()
    assert (regret <= contexts.largest_regret_rate(parameter) + 1e-12).all()
    assert contexts.excess_risk(kernel, np.zeros((5, 3, 4))) == pytest.approx(0)
