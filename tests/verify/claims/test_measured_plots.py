"""Plots that are called schedules and ledgers hold ledgers: dots at what real runs sent."""

from typing import Any

import pytest

from verify.catalogue import find

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
def test_the_runs_are_on_the_picture(
    label: str, name: str, figures: Any, dots: list[tuple[int, int]]
) -> None:
    from matplotlib.figure import Figure

    plot = next(plot for plot in find(label).plots if plot.name == name)
    assert set(plot.checks) == set(figures)
    axes = Figure().subplots()
    plot.draw(axes, figures)
    drawn = [line for line in axes.lines if line.get_marker() == "o" and len(line.get_xdata())]
    assert [(int(line.get_xdata()[0]), int(line.get_ydata()[0])) for line in drawn] == dots
