"""The simulator of local methods: special cases of each method, and exact second moments by enumeration."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bounds.app_local_operator import fedavg_filter, fedprox_filter
from verify.experiments import local_methods as methods
from verify.experiments import local_moments

QUICK = settings(max_examples=60, deadline=None, derandomize=True, database=None)
seeds = st.integers(0, 2**32 - 1)


def drawn(seed: int, personal: bool = False) -> tuple[methods.Quadratics, np.ndarray, int, float]:
    """(problem, state, local steps, step size)."""
    rng = np.random.default_rng(seed)
    problem = methods.random_problem(rng, personal)
    return problem, methods.random_state(rng, problem), int(rng.integers(1, 6)), 0.5 / problem.beta


@QUICK
@given(seeds)
def test_one_local_step_is_gradient_descent(seed: int) -> None:
    problem, point, _, size = drawn(seed)
    gradient = problem.weights @ problem.gradients(point)
    after = methods.fedavg_round(problem, point, 1, size)
    assert after == pytest.approx(point - size * gradient, rel=1e-9, abs=1e-9)


@QUICK
@given(seeds)
def test_the_mean_control_variate_is_the_step_of_the_server(seed: int) -> None:
    """c+ = (x - x+)/(K eta eta_g), so it need not be sent; the agents agree after the round."""
    problem, point, steps, size = drawn(seed)
    controls = np.random.default_rng(seed).standard_normal(point.shape)
    after, kept = methods.scaffold_round(problem, point, controls, steps, size, 2.0)
    assert problem.weights @ kept == pytest.approx(
        (point - after)[0] / (steps * size * 2.0), rel=1e-7, abs=1e-7
    )
    assert np.ptp(after, axis=0) == pytest.approx(0, abs=1e-12 * np.abs(after).max())
    assert np.abs(kept).max() > 0


@QUICK
@given(seeds)
def test_the_minimiser_is_where_scaffold_rests(seed: int) -> None:
    problem, _, steps, size = drawn(seed)
    for option in (1, 2):
        controls = problem.gradients(problem.best)
        after, kept = methods.scaffold_round(problem, problem.best, controls, steps, size, 1.0, option)
        scale = max(1.0, float(np.abs(problem.minimisers).max()))
        assert np.abs(after - problem.best).max() <= 1e-10 * scale
        assert np.abs(kept - controls).max() <= 1e-8 * scale * problem.beta


@QUICK
@given(seeds)
def test_a_round_rests_at_its_closed_fixed_point(seed: int) -> None:
    problem, _, steps, size = drawn(seed, personal=True)
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


@pytest.mark.parametrize("personal", [False, True])
@pytest.mark.parametrize("scaffold", [False, True])
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_second_moments_are_those_of_all_sample_paths(seed: int, scaffold: bool, personal: bool) -> None:
    if scaffold and personal:
        return
    rng = np.random.default_rng(seed)
    while True:
        data = local_moments.random_samples(rng, personal)
        if len(data.rewards) == 2 and sum(len(r) for r in data.rewards) <= 6:
            break
    controls = rng.standard_normal(data.mean.minimisers.shape) if scaffold else None
    moments = local_moments.run(data, 2, 0.1, 1.5, controls)
    assert moments.expected_gaps(2)[1] == pytest.approx(enumerated(data, 2, 0.1, 1.5, controls), rel=1e-10)


@pytest.mark.parametrize("scaffold", [False, True])
def test_without_noise_the_moments_are_the_run_itself(scaffold: bool) -> None:
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


def test_the_gap_after_some_rounds_is_that_of_the_last_of_them() -> None:
    data = local_moments.random_samples(np.random.default_rng(1))
    moments = local_moments.run(data, 2, 0.05, 1.0)
    assert moments.gap_after(399) == pytest.approx(moments.expected_gaps(400)[-1], rel=1e-9)


@pytest.mark.parametrize("rounds", [1, 2, 3, 7, 64, 513])
def test_the_weighted_mean_by_halves_is_the_weighted_mean(rounds: int) -> None:
    data = local_moments.random_samples(np.random.default_rng(1))
    moments = local_moments.run(data, 2, 0.05, 1.0)
    weights = 0.97 ** np.arange(rounds - 1, -1, -1.0)
    plain = weights @ moments.expected_gaps(rounds) / weights.sum()
    assert moments.weighted_gap(rounds, 0.97) == pytest.approx(plain, rel=1e-12)
