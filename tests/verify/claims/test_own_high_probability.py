"""own:high_probability: the value by hand, beside the mean's, and what its check sees."""

import json

import pytest

from bounds.theorems import col_finite, own_high_probability
from verify.cli import main
from verify.papers.fedigw.claims import own_high_probability as claim


def test_the_bound_is_above_that_of_the_mean_and_below_its_closed_form(
    capsys: pytest.CaptureFixture[str],
) -> None:
    words = [
        "bound", "own:high_probability", "--variant", "best", "--set", "M=10", "K=5", "T=1e6", "F=100",
        "delta=0.05", "--json",
    ]  # fmt: skip
    assert main(words) == 0
    document = json.loads(capsys.readouterr().out)
    mean = col_finite.epoch_sum("best", 10, 5, 100).value(10**6)
    assert mean < document["value"] < 2 * mean
    import sympy

    closed = sympy.sympify(document["closed_form"])
    numbers = {str(s): document["parameters"][str(s)] for s in closed.free_symbols}
    assert document["value"] <= float(closed.subs(numbers))


@pytest.mark.parametrize("delta", ["1", "1.5", "0"])
def test_delta_must_be_a_probability(delta: str, capsys: pytest.CaptureFixture[str]) -> None:
    words = f"bound own:high_probability --variant best --set M=1 K=2 T=8 F=2 delta={delta}".split()
    assert main(words) == 2
    assert "delta" in capsys.readouterr().err


def test_the_learning_rates_are_those_of_the_bound() -> None:
    """The lower bound at the federation's own rates is the one beside the bound."""
    world = claim.worlds()["gap 1, K = 2"]
    from fedigw.applicable import lower_bound

    beside = own_high_probability.epoch_sum(10, 2, 2, claim.HORIZON, claim.DELTA).lower(claim.HORIZON)
    assert beside is not None
    assert lower_bound(world) == pytest.approx(beside.value, rel=1e-9)
