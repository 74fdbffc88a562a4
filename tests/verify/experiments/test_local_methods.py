"""The simulator of local methods: special cases of each method, and exact second moments by enumeration."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from bounds.app_local_operator import fedavg_filter, fedprox_filter
from verify.experiments import local_methods as methods
from verify.experiments import local_moments

QUICK = settings(max_examples=30)
Run = tuple[methods.Quadratics, np.ndarray, np.ndarray, int, float]


@st.composite
def runs(draw: st.DrawFn, personal: bool = False) -> Run:
    """(problem, state, control variates, local steps, step size), all matrices drawn entry by entry."""
    agents, size = draw(st.integers(1, 3)), draw(st.integers(1, 3))
    shared = draw(st.integers(0, size)) if personal else size
    entries = st.integers(-8, 8).map(lambda k: k / 4)
    factors = draw(arrays(float, (agents, size, size), elements=entries))
    flat = draw(st.sampled_from([1.0, 0.1, 0.01]))
    hessians = factors @ factors.transpose(0, 2, 1) + flat * np.eye(size)
    weights = draw(arrays(float, agents, elements=st.integers(1, 9).map(float)))
    minimisers, controls = (draw(arrays(float, (agents, size), elements=entries)) for _ in range(2))
    problem = methods.Quadratics.around(hessians, weights / weights.sum(), minimisers, shared)
    away = draw(arrays(float, problem.hessian.shape[0], elements=entries))
    state = problem.best + problem.embedding @ away
    return problem, state, controls, draw(st.integers(1, 5)), 0.5 / problem.beta


@QUICK
@given(runs())
def test_one_local_step_is_gradient_descent(drawn):
    problem, point, _, _, size = drawn
    gradient = problem.weights @ problem.gradients(point)
    after = methods.fedavg_round(problem, point, 1, size)
    assert after == pytest.approx(point - size * gradient, rel=1e-9, abs=1e-9)


@QUICK
@given(runs())
def test_the_mean_control_variate_is_the_step_of_the_server(drawn):
    """c+ = (x - x+)/(K eta eta_g), so it need not be sent; the agents agree after the round."""
    problem, point, controls, steps, size = drawn
    after, kept = methods.scaffold_round(problem, point, controls, steps, size, 2.0)
    assert problem.weights @ kept == pytest.approx(
        (point - after)[0] / (steps * size * 2.0), rel=1e-7, abs=1e-7
    )
    assert np.ptp(after, axis=0) == pytest.approx(0, abs=1e-12 * np.abs(after).max())


@QUICK
@given(runs())
def test_the_minimiser_is_where_scaffold_rests(drawn):
    problem, _, _, steps, size = drawn
    for option in (1, 2):
        controls = problem.gradients(problem.best)
        after, kept = methods.scaffold_round(problem, problem.best, controls, steps, size, 1.0, option)
        scale = max(1.0, float(np.abs(problem.minimisers).max()))
        assert np.abs(after - problem.best).max() <= 1e-10 * scale
        assert np.abs(kept - controls).max() <= 1e-8 * scale * problem.beta


@QUICK
@given(runs(personal=True))
def test_a_round_rests_at_its_closed_fixed_point(drawn):
    problem, _, _, steps, size = drawn
    weight = problem.beta
    for filters, advance in (
        (
            methods.spectral(problem.hessians, lambda h: fedavg_filter(h, steps, size)),
            lambda x: methods.fedavg_round(problem, x, steps, size),
        ),
        (
            methods.spectral(problem.hessians, lambda h: fedprox_filter(h, weight)),
            lambda x: methods.fedprox_round(problem, x, weight),
        ),
    ):
        rest = methods.fixed_point(problem, filters)
        scale = max(1.0, float(np.abs(problem.minimisers).max()))
        assert np.abs(advance(rest) - rest).max() <= 1e-10 * scale


def enumerated(
    data: local_moments.Samples, steps: int, size: float, server: float, controls: np.ndarray | None
) -> float:
    """E gap after one round: every sequence of samples of every agent, each with the same probability."""
    agents, d = data.mean.minimisers.shape
    total, count = 0.0, 0
    start = np.zeros((agents, d))
    mean = np.zeros(d) if controls is None else data.weights @ controls
    own = [list(product(range(len(r)), repeat=steps)) for r in data.rewards]
    for paths in product(*own):
        moved = start.copy()
        for m, path in enumerate(paths):
            correction = 0.0 if controls is None else mean - controls[m]
            for i in path:
                gradient = (
                    data.sample_hessians(m)[i] @ moved[m] - 2 * data.rewards[m][i] * data.features[m][i]
                )
                moved[m] = moved[m] - size * (gradient + correction)
        total += data.mean.gap(start + server * (data.mean.together(moved) - start))
        count += 1
    return total / count


@st.composite
def samples(draw: st.DrawFn, personal: bool) -> local_moments.Samples:
    """Return two agents with at most three samples each, every feature and reward drawn."""
    size = draw(st.integers(1, 2))
    entries, rewards = st.integers(-4, 4).map(lambda k: k / 6), st.integers(0, 4).map(lambda k: k / 4)
    counts = [draw(st.integers(1, 3)) for _ in range(2)]
    features = tuple(draw(arrays(float, (count, size), elements=entries)) for count in counts)
    given = tuple(draw(arrays(float, count, elements=rewards)) for count in counts)
    return local_moments.Samples(features, given, draw(st.integers(0, size)) if personal else size)


@pytest.mark.parametrize("method", ["fedavg", "lsgd_pfl", "scaffold"])
@settings(max_examples=15)
@given(st.data())
def test_second_moments_are_those_of_all_sample_paths(method, data):
    drawn = data.draw(samples(personal=method == "lsgd_pfl"))
    controls = None
    if method == "scaffold":
        entries = st.integers(-8, 8).map(lambda k: k / 4)
        controls = data.draw(arrays(float, drawn.mean.minimisers.shape, elements=entries))
    moments = local_moments.run(drawn, 2, 0.1, 1.5, controls)
    found = enumerated(drawn, 2, 0.1, 1.5, controls)
    assert moments.expected_gaps(2)[1] == pytest.approx(found, rel=1e-10, abs=1e-12)


@pytest.mark.parametrize("scaffold", [False, True])
def test_without_noise_the_moments_are_the_run_itself(scaffold):
    rng = np.random.default_rng(5)
    data = local_moments.random_samples(rng, noisy=False)
    point = np.zeros_like(data.mean.minimisers)
    controls = np.zeros_like(point)
    gaps = local_moments.run(data, 3, 0.05, 1.5, controls if scaffold else None).expected_gaps(40)
    for gap in gaps:
        assert gap == pytest.approx(data.mean.gap(point), rel=1e-7, abs=1e-12)
        if scaffold:
            point, controls = methods.scaffold_round(data.mean, point, controls, 3, 0.05, 1.5)
        else:
            point = methods.fedavg_round(data.mean, point, 3, 0.05, 1.5)


def test_the_gap_after_some_rounds_is_that_of_the_last_of_them():
    data = local_moments.random_samples(np.random.default_rng(1))
    moments = local_moments.run(data, 2, 0.05, 1.0)
    assert moments.gap_after(399) == pytest.approx(moments.expected_gaps(400)[-1], rel=1e-9)


@pytest.mark.parametrize("rounds", [1, 2, 3, 7, 64, 513])
def test_the_weighted_mean_by_halves_is_the_weighted_mean(rounds):
    data = local_moments.random_samples(np.random.default_rng(1))
    moments = local_moments.run(data, 2, 0.05, 1.0)
    weights = 0.97 ** np.arange(rounds - 1, -1, -1.0)
    plain = weights @ moments.expected_gaps(rounds) / weights.sum()
    assert moments.weighted_gap(rounds, 0.97) == pytest.approx(plain, rel=1e-12)
