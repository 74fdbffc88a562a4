"""own:relaxed_rates: what the planted instances meet, and that its controls are told apart."""

from fractions import Fraction

import numpy as np
import pytest

from verify.papers.fedigw.claims import own_relaxed_rates


def test_the_planted_share_is_known_beforehand() -> None:
    """(1-1/K)/C at e = 0: 1/2 over (8 - r)/(8 - 2r) (1/2 + 1/3)."""
    for fall in (Fraction(1001, 1000), Fraction(2)):
        last = own_relaxed_rates.ratios(own_relaxed_rates.planted(fall))[-1]
        expected = 0.5 / (float((8 - fall) / (8 - 2 * fall)) * 5 / 6)
        assert last == (pytest.approx(expected, rel=1e-4), True)


def test_rates_do_fall() -> None:
    rng = np.random.default_rng(0)
    for _ in range(10):
        rates = own_relaxed_rates.falling(rng).learning_rates()
        assert rates[2] < rates[1] < 4 * rates[2]
