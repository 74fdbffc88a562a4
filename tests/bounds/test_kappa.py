"""kappa of the finite class: certified values, false ones refuted with a witness."""

import math
from fractions import Fraction as F

import pytest

from bounds.constants.kappa import certify_kappa


def chernoff(D: float, m: float, exponent: float) -> float:
    """E e^{-exponent l} for a Bernoulli(m) reward."""
    return math.exp(-exponent * (D * D + 2 * D * m)) * (1 - m + m * math.exp(2 * exponent * D))


@pytest.mark.parametrize(("kappa", "exponent"), [("0.4631", "1"), ("0.46317", "1"), ("0.46368", "1.04")])
def test_kappa_is_certified(kappa: str, exponent: str) -> None:
    assert certify_kappa(F(kappa), F(exponent)).proved


@pytest.mark.parametrize(("kappa", "exponent"), [("0.4632", "1"), ("0.4638", "1.04"), ("0.4638", "1.1")])
def test_a_larger_kappa_is_refuted_by_a_witness(kappa: str, exponent: str) -> None:
    result = certify_kappa(F(kappa), F(exponent))
    assert not result.proved
    assert result.witness is not None
    D = float(result.witness)
    assert chernoff(D, 1 - D, float(F(exponent))) > 1 - float(F(kappa)) * D * D


def test_certified_value_holds_on_a_grid_of_laws() -> None:
    # Independent of the reduction to one dimension: all (D, m), positive and negative D.
    for i in range(1, 200):
        for j in range(41):
            D = i / 200
            m = (1 - D) * j / 40
            assert chernoff(D, m, 1.04) <= 1 - 0.46368 * D * D
            assert chernoff(-D, 1 - m, 1.04) <= 1 - 0.46368 * D * D
