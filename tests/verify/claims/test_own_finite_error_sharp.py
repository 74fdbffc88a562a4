"""own:finite_error_sharp: the class that needs the constant, against drawing it and against a constant 1 % smaller."""

import math
from fractions import Fraction

import numpy as np
import pytest

from bounds import own_finite_error_sharp
from bounds.best.regret import KAPPA


def test_kappa_star_lies_just_above_the_kernels_kappa() -> None:
    star, value, exponent = own_finite_error_sharp.kappa_star()
    assert star == pytest.approx(0.463699, abs=1e-6)
    assert value == pytest.approx(0.3531, abs=1e-3)
    assert exponent == pytest.approx(1.04, abs=0.01)
    assert 0 < star / float(KAPPA) - 1 < 5e-5


def test_winning_by_another_path() -> None:
    """First how often the context is met, then how many of the rewards are ones: the same law, every outcome."""
    u, s, steps = own_finite_error_sharp.VALUE, own_finite_error_sharp.OWN, 100
    whole = Fraction(0)
    for met in range(1, steps + 1):
        wins = sum(
            math.comb(met, k) * u**k * (1 - u) ** (met - k)
            for k in range(met + 1)
            if k > Fraction(met) * (1 + u) / 2
        )
        whole += math.comb(steps, met) * s**met * (1 - s) ** (steps - met) * wins
    found = own_finite_error_sharp.exact_beats(steps)
    assert found <= whole  # some outcomes are left out
    assert found == pytest.approx(whole, rel=1e-6)


def test_the_exact_probability_lies_just_below_the_whole_sum_and_near_poisson() -> None:
    steps = 640
    exact = own_finite_error_sharp.exact_beats(steps)
    poisson = math.exp(own_finite_error_sharp.log_beats(float(own_finite_error_sharp.VALUE), steps / 64))
    assert float(exact) == pytest.approx(poisson, rel=0.05)


def test_drawing_the_class_gives_its_ratio() -> None:
    """N = 50 agents, 400 steps each: how often some f_j beats f*, against 1 - (1-q)^N; five standard errors."""
    rng, agents, steps, runs = np.random.default_rng(1), 50, 640, 2000
    u, s = float(own_finite_error_sharp.VALUE), float(own_finite_error_sharp.OWN)
    met = rng.binomial(steps, s, (runs, agents))
    ones = rng.binomial(met, u)
    wins = (ones * (1 - u) > (met - ones) * (1 + u) + 1e-9).any(axis=1).mean()
    expected = 1 - (1 - float(own_finite_error_sharp.exact_beats(steps))) ** agents
    assert abs(wins - expected) <= 5 * math.sqrt(expected * (1 - expected) / runs) + 1e-3
