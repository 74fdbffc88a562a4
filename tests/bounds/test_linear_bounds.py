"""Bounds of the linear class: epoch sums, schedules and closed forms agree with each other."""

import math
from itertools import product
from pathlib import Path

import pytest
import sympy

from bounds import linear_communication, own_agd_rate
from bounds.errors import InputError
from bounds.report import parse_parameter
from bounds.symbols import symbol
from bounds.theorems import col_linear

FAMILY = col_linear.LinearRegret()


def evaluate(variant, quantity="regret", protocol=None, **parameters):
    given = {"delta": 0.0, "heterogeneous": 0} | parameters
    return FAMILY.evaluate(variant, quantity, protocol, given)


def test_agds_numbers_over_their_printed_order_are_those_of_the_page():
    found = []
    for last in (10, 20, 30, 40):
        given = {"M": 10, "K": 5, "d": 5, "delta": 0.1, "T": 2**last}
        sent, order = (
            evaluate(variant, "numbers", "agd", **given).value for variant in ("repaired", "printed")
        )
        found.append(round(sent / order))
    page = " ".join(Path("docs/linear.md").read_text().split())
    assert f"delta = 0.1 the count is {', '.join(map(str, found))} times it" in page


def test_best_charges_a_risk_that_halves():
    parameters = {"M": 10, "K": 5, "d": 5, "T": 10**5}
    report = evaluate("best", **parameters)
    assert report.value == pytest.approx(35300.9, rel=1e-5)
    assert report.value < evaluate("sharpened", **parameters).value
    assert "e(n) = (d/4 + 1)/n" in report.hypotheses
    different = evaluate("best", **parameters, heterogeneous=1)
    assert report.value < different.value < evaluate("sharpened", **parameters, heterogeneous=1).value
    assert "e(n) = (d/4 + 9/4)/n" in different.hypotheses


def test_rates_of_ridge_regression_come_from_the_risk_as_it_is():
    """Where e(n) exceeds 1 the theorem's learning rates are smaller than those of min(1, e)."""
    for variant in ("sharpened", "best"):
        report = evaluate(variant, M=1, K=5, d=50, T=64)
        assert any(line.startswith("H4") and ", e = e(n), " in line for line in report.hypotheses)
        # epochs of 2, 2, 4, 8, 16, 32 steps: the least that rates g sqrt(K/e) lose on an instance with gap 1
        g2 = {"sharpened": 3.4 / 8, "best": (1 - 2 / 5 + 0.472548) / 2.321695}[variant]
        least = 2 * 0.8
        for before, length in ((2, 2), (2, 4), (4, 8), (8, 16), (16, 32)):
            risk = 13.5 / (before if variant == "best" else before + 1)
            least += length * 4 / (5 + math.sqrt(g2 * 5 / risk))
        assert report.lower.value == pytest.approx(least, rel=1e-6)


@pytest.mark.parametrize("protocol", linear_communication.PROTOCOLS)
def test_closed_communication_is_above_the_exact_sum(protocol):
    names = [symbol(name) for name in ("M", "T", "d", "delta")]
    for delta, het in ((0.1, False), (1.0, True)):
        for total, closed in (
            (linear_communication.total_rounds, linear_communication.closed_rounds),
            (linear_communication.total_numbers, linear_communication.closed_numbers),
        ):
            formula = sympy.lambdify(names, closed(protocol, het), "math")
            for M, d, T in product((1, 10, 300), (1, 5, 60), (2, 3, 17, 2**10, 2**30 + 1)):
                exact = total(protocol, M, d, T, delta, het)
                assert exact <= formula(M, T, d, delta) * (1 + 1e-12)


def test_agd_schedule_reaches_its_target():
    for n in (2, 10, 10**6):
        eps = linear_communication.target(n, 5, 0.1)
        k = own_agd_rate.AGD.rounds(n, eps)
        assert own_agd_rate.distance_squared(n, k) <= eps * (1 + 1e-9)
        assert own_agd_rate.distance_squared(n, k - 1) > eps


def test_printed_does_not_bound_cg():
    with pytest.raises(InputError, match="cg"):
        evaluate("printed", "numbers", "cg", M=1, K=2, d=2, T=8)


def test_flag_parameter():
    assert parse_parameter("heterogeneous", "0") == 0
    assert parse_parameter("T", math.nextafter(1e6, 0)) == 10**6  # as of np.logspace
    assert parse_parameter("T", 999_999.5) == 999_999
    with pytest.raises(InputError):
        parse_parameter("heterogeneous", "2")
