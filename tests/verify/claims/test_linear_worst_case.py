"""Accelerated gradient descent's exact worst cases against its textbook rate."""

from fractions import Fraction

import numpy as np
import pytest

from verify.papers.fedigw.claims.own_agd_rate.all_functions import (
    attains,
    interpolation,
    lower,
    over_quadratics,
    positive_semidefinite,
    proves,
    textbook,
    upper,
)


@pytest.mark.parametrize(("root", "rounds"), [(2, 1), (3, 2), (10, 3), (100, 2)])
def test_the_worst_case_is_enclosed_between_quadratics_and_the_textbook(root, rounds):
    low, high = lower(Fraction(root), rounds), upper(Fraction(root), rounds)
    assert over_quadratics(float(root**2), rounds) < low <= high < textbook(float(root**2), rounds)
    assert high - low <= Fraction(3, 10**4)  # margins of 1e-6 and two roundings to four decimals


def test_one_round_by_hand():
    """At k = 1 the multipliers of the textbook's own proof: a certificate that no solver had a part in."""
    root = Fraction(3)
    # x_1 against y, and the minimiser against y (weights 1 and 1/s), the start against y is the same point
    weights = {(0, 1): Fraction(1), (2, 0): 1 / root}
    bound = 1 - 1 / root
    # F(x_1) <= F(y) - norm(g)^2/2 is weaker than interpolation between y and x_1, so this proves the textbook's rate
    assert proves(root, 1, bound, weights)
    assert not proves(root, 1, bound - Fraction(1, 100), weights)  # values no longer cancel
    assert not proves(root, 1, bound, weights | {(1, 0): Fraction(-1), (0, 1): Fraction(0)})  # a negative one


def test_a_spoilt_certificate_is_refused():
    root, form = Fraction(2), interpolation(Fraction(2), 1)[1]
    assert positive_semidefinite(form)
    assert not positive_semidefinite(-form)
    assert not positive_semidefinite(np.array([[Fraction(0), Fraction(1)], [Fraction(1), Fraction(0)]]))
    # x^2/2 with L = 1, mu = 1/4, from x_0 = 2t: g_0 = x_0, x_1 = 0. Start: 2t^2 + t^2/2 <= 1
    t = Fraction(1, 2)
    gram = np.array([[t * t, 2 * t * t, 0], [2 * t * t, 4 * t * t, 0], [0, 0, 0]], dtype=object)
    assert attains(root, 1, gram, [2 * t * t, Fraction(0)])
    assert not attains(root, 1, gram, [2 * t * t, Fraction(1, 10)])  # x_1 is the minimiser: no such function
    assert not attains(root, 1, 4 * gram, [8 * t * t, Fraction(0)])  # starts from more than 1


def test_interpolation_holds_for_true_functions_and_rules_out_others():
    """On h x^2/2 the inequalities hold for mu <= h <= 1 and fail outside."""
    root, rounds = Fraction(3), 2
    forms, _ = interpolation(root, rounds)
    momentum = (root - 1) / (root + 1)
    curvatures = {"1/9": True, "1/2": True, "1": True, "1/10": False, "11/10": False}
    for curvature, member in ((Fraction(h), inside) for h, inside in curvatures.items()):
        now = point = Fraction(1)
        points = []
        for _ in range(rounds):
            points.append(point)
            following = point - curvature * point
            point, now = following + momentum * (following - now), following
        points += [now, Fraction(0)]
        coordinates = np.array([1 / root, *(curvature * p for p in points[:-1])], dtype=object)
        values = [curvature * p * p / 2 for p in points]
        holds = all(
            values[i] >= values[j] + coordinates @ form @ coordinates for (i, j), form in forms.items()
        )
        assert holds == member
