"""Titles of the pictures of simulate and sweep: a vacuous or undecided bound is not called a success."""

import pytest

from verify import bound, simulate, sweep
from verify.pictures import PROTOCOL_COLOUR, colours, short, stays_below

LINEAR = "examples/linear.toml"


def title(picture):
    return picture.axes[0].get_title(loc="left")


@pytest.mark.parametrize(
    ("keys", "said"),
    [
        ({"horizon": 64}, "The bound (sharpened, proved) is vacuous up to this horizon"),
        ({"horizon": 2048}, "Measured regret stays "),
        (
            {"learning_rate": [9, 8, 7, 6, 5], "horizon": 64},
            "is lost a step on average; the bound is undecided",
        ),
    ],
)
def test_the_title_says_what_the_bound_is_worth(keys, said):
    found = simulate(LINEAR, replications=3, **keys)
    assert said in title(found.plot())


def test_a_vacuous_bound_is_not_drawn_below_what_is_known_without_learning():
    """In epoch 1, of uniform steps, both are the same."""
    lines = {
        line.get_label(): line.get_ydata() for line in simulate(LINEAR, replications=3).plot().axes[0].lines
    }
    bound = next(values for name, values in lines.items() if name.startswith("bound, sharpened"))
    trivial = lines["known without learning"]
    assert bound[0] == pytest.approx(trivial[0])
    assert trivial[-1] > bound[-1]


def test_epochs_with_a_vacuous_bound_are_not_counted():
    """At 64 and 256 steps the bound is vacuous: only 1024 counts."""
    found = sweep(LINEAR, {"horizon": [64, 256, 1024]}, replications=3)
    (last,) = [row for row in found.rows if not row["vacuous"]]
    times = last["bound"] / last["regret"]
    assert title(found.plot()) == f"Measured regret stays {times:.2g} times below non-vacuous bounds"
    vacuous = sweep(LINEAR, {"horizon": [64]}, replications=3)
    assert title(vacuous.plot()) == "All bounds are vacuous"


def test_values_that_are_words_are_not_joined_by_lines():
    """A bound at one learning rate is no line across the others."""
    found = sweep(LINEAR, {"learning_rate": ["best", "adaptive"], "horizon": [512]}, replications=2)
    axes = found.plot().axes[0]
    assert all(line.get_linestyle() == "None" for line in axes.lines)
    assert axes.get_legend() is not None


def test_ranges_and_ticks_in_words():
    assert stays_below("It", [(1, 1), (1, 1.13)], "that") == "It stays up to 1.1 times below that"
    assert [short(x) for x in (0, 500, 2e6)] == ["0", "500", "2·10⁶"]


def test_a_spare_colour_is_not_one_that_is_taken():
    """FedAvg's own colour was also the first spare one."""
    found = colours(PROTOCOL_COLOUR, ["fedavg", "mine", "yours"])
    assert len(set(found.values())) == 3


@pytest.mark.fedigw
@pytest.mark.parametrize(
    ("variant", "said"),
    [
        ("best", "(best, proved) says something from T = 65 on"),
        ("printed", "(printed, refuted) would say something"),
    ],
)
def test_a_refuted_bound_says_nothing(variant, said):
    found = bound("col:finite", variant, M=100, K=10, T=1000, F=1000)
    assert said in title(found.plot())
