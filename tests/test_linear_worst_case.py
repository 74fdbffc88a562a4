"""Accelerated gradient descent's exact worst cases against its textbook rate."""

import warnings

import pytest

from verify.agd_worst_case import over_all_functions, over_quadratics, textbook


@pytest.mark.parametrize("kappa", [2.0, 10.0, 101.0, 10_001.0])
@pytest.mark.parametrize("rounds", [1, 2, 5, 20, 200])
def test_quadratics_stay_below_the_textbook(kappa, rounds):
    worst = over_quadratics(kappa, rounds)
    assert worst <= textbook(kappa, rounds)
    assert rounds > 1 or worst > 0.05 * textbook(kappa, rounds)  # not vacuous


@pytest.mark.parametrize("rounds", [1, 2, 3])
def test_performance_estimation_lies_between(rounds):
    pytest.importorskip("PEPit")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the modelling layer's own deprecations
        exact = over_all_functions(10.0, rounds)
    # a semidefinite solver's answer, good to about 1e-5
    assert over_quadratics(10.0, rounds) <= exact + 1e-4
    assert exact <= textbook(10.0, rounds) + 1e-4
