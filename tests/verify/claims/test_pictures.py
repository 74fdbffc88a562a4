"""Pictures of claims: what they draw, and that measured ones show bounds with their intervals."""

import pytest
from matplotlib.figure import Figure

from bounds.theorems import col_finite
from verify.catalogue import find
from verify.papers.fedigw.claims.col_finite import regret_against_horizon as finite_regret
from verify.papers.fedigw.claims.lem_finite_error import excess_risk_against_samples
from verify.papers.fedigw.claims.own_agd_rate import convergence
from verify.pictures import BOUND_COLOUR, SPARE, bound_curve, colours

VARIANTS = ("sharpened", "fifth")
POINTS = [{"T": t, "mean": t / 4, "low": t / 5, "high": t / 3, "world": "w"} for t in (64, 256)]
RISKS = {"curve": {"n": [1, 10], "mean": [0.5, 0.1], "low": [0.4, 0.05], "high": [0.6, 0.2], "bounds": {}}}
RISKS["curve"]["bounds"] = {name: [1.0, 0.5] for name in VARIANTS}
CURVES = {"runs": {"curves": {name: {"rounds": [1, 2], "gap": [1.0, 0.1]} for name in ("agd", "fifth")}}}


@pytest.mark.parametrize(
    ("draw", "figures"),
    [
        (excess_risk_against_samples, RISKS),
        (convergence, CURVES),
    ],
)
def test_a_fifth_name_is_drawn(draw, figures):
    axes = Figure().subplots()
    draw(axes, figures)
    lines = [line for line in axes.get_lines() if "fifth" in str(line.get_label())]
    assert lines
    assert {line.get_color() for line in lines} == {SPARE[0]}


def test_what_is_measured_lies_below_every_bound_on_the_first_picture():
    """A measurement at one learning rate next to the bound for another would look as if it broke it."""
    axes = Figure().subplots()
    finite_regret(axes, {"regret-best": {"M": 2, "K": 2, "series": [p | {"T": 8 * p["T"]} for p in POINTS]}})
    lines = {str(line.get_label()): dict(zip(*line.get_data(), strict=True)) for line in axes.get_lines()}
    measured = lines.pop("measured")
    assert measured == {512: 1 / 64, 2048: 1 / 64}
    assert {"bound, best", "bound, printed"} <= set(lines)
    for name in ("bound, best", "bound, printed"):
        assert set(measured) <= set(lines[name])
        assert max(lines[name]) == max(measured)
        assert all(lines[name][t] > mean for t, mean in measured.items())


def test_a_vacuous_bound_is_drawn_faintly_and_without_a_name():
    """Capped at every epoch it lies below the line M T and says nothing all the same."""
    axes, bound = Figure().subplots(), col_finite.epoch_sum("sharpened", 10, 2, 10)
    first = bound.first_informative_horizon()
    assert first == 33
    bound_curve(axes, bound, [4, 8, 16, 32, 64, 128], "red", "bound")
    faint, told = axes.get_lines()
    assert told.get_label() == "bound"
    assert min(told.get_xdata()) >= first
    assert str(faint.get_label()).startswith("_")  # not in the legend
    assert list(faint.get_xdata()) == [4, 8, 16, 32, 64]
    assert faint.get_alpha() < 1


def test_colours_never_run_out_and_known_ones_stay():
    names = [*BOUND_COLOUR, *(f"new {i}" for i in range(20))]
    found = colours(BOUND_COLOUR, names)
    assert list(found) == names
    assert {name: found[name] for name in BOUND_COLOUR} == BOUND_COLOUR
    assert len({found[f"new {i}"] for i in range(len(SPARE))}) == len(SPARE)
    assert not set(SPARE) & set(BOUND_COLOUR.values())


LINEAR = {
    f"ledger-{name}": {"rows": [{"M": 10, "d": 5, "T": 128, "numbers": sent, "rounds": 7}]}
    for name, sent in (("direct", 900), ("agd", 90000), ("agd_convex", 9000), ("cg", 2000))
}
PERSONAL = {f"runs-{name}": {"rows": [{"T": 16, "numbers": 480}]} for name in ("agd", "cg")}


@pytest.mark.parametrize(
    ("label", "name", "figures", "dots"),
    [
        ("col:linear", "cheapest", LINEAR, [(128, 5)]),
        ("col:linear_per", "numbers", PERSONAL, [(16, 480)] * 2),
    ],
)
def test_the_runs_are_on_the_picture(label, name, figures, dots):
    from matplotlib.figure import Figure

    plot = next(plot for plot in find(label).plots if plot.name == name)
    assert set(plot.checks) == set(figures)
    axes = Figure().subplots()
    plot.draw(axes, figures)
    drawn = [line for line in axes.lines if line.get_marker() == "o" and len(line.get_xdata())]
    assert [(int(line.get_xdata()[0]), int(line.get_ydata()[0])) for line in drawn] == dots
