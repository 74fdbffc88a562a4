"""The picture of the constants: its curves have the least values that the pages state."""

import math

import pytest

from verify.pages import constants

LEAST = {"sharpened": 4.3998, "best": 3.8098, "best, doubling epochs": 3.6981, "best, two arms": 2.1213}


def test_the_least_value_of_every_curve_is_the_one_in_print() -> None:
    found = {name: 2 * math.sqrt(a * b) for name, (a, b) in constants.curves().items()}
    assert found == pytest.approx(LEAST, abs=1.1e-4)  # in print they are rounded up
