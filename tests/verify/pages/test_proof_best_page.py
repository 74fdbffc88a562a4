"""docs/proof_best.md quotes the right numbers."""

import math
from fractions import Fraction
from pathlib import Path

from bounds.best.constant import best, of
from bounds.best.parameters import ANY_SCHEDULE, TUNED, derive, violated

PAGE = (Path(__file__).resolve().parents[3] / "docs" / "proof_best.md").read_text(encoding="utf-8")


def test_quoted_constants() -> None:
    for doubling in (False, True):  # upper bounds are rounded up
        assert f"{math.ceil(best(None, doubling=doubling).over_g * 10**4) / 10**4:.4f}" in PAGE
    for arms in (3, 5, 10, 100):
        assert f"{best(arms).over_g:.3f}" in PAGE


def test_the_tuned_parameters_close_and_give_the_number_on_the_page() -> None:
    assert not violated(TUNED)
    found = derive(TUNED)
    assert f"{math.sqrt(4 * (1 + found.a) * found.b):.4f}" == "3.8079"
    assert "[3.7592, 3.8079]" in PAGE


def test_the_constants_of_agents_out_of_step() -> None:
    """The figure of section 6."""
    assert f"{of(ANY_SCHEDULE, None, Fraction(2)).over_g:.3f}" == "6.696"
    assert "C/g is at most 6.696 at c = 2" in PAGE
