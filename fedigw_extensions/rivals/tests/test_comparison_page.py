"""docs/comparison.md says what was measured, and what was measured is found again."""

import json

import numpy as np
import pytest

from fedigw.parts import systems
from fedigw_extensions.rivals import page as comparison
from fedigw_extensions.rivals.claims.own_comparison import runs, worst

NUMBERS = {7: "seven", 8: "eight", 9: "nine", 10: "ten", 11: "eleven"}
KEPT = json.loads(comparison.KEPT.read_text())


def test_the_page_is_what_the_measurements_say():
    assert comparison.PAGE.read_text() == comparison.page(KEPT), "run python -m fedigw_extensions.rivals.page"


@pytest.mark.parametrize(
    "name",
    [
        "delb",
        "mean_averaging",
        "disbe_lucb",
        "fedigw, direct",
        "fedigw, direct, adaptive rates",
        "fedigw, direct, adaptive rates, all data",
    ],
)
def test_cheap_rows_are_measured_again(name):
    horizon = runs.HORIZONS[0]
    found = comparison.one("fixed", name, [horizon])[0]
    row = next(r for r in KEPT["rows"] if (r["world"], r["system"], r["T"]) == ("fixed", name, horizon))
    assert found["mean"] == pytest.approx(row["mean"], rel=1e-6)
    assert found["most_numbers"] == row["most_numbers"]


def test_every_system_has_a_row_below_its_formula():
    assert {row["system"] for row in KEPT["rows"]} == {
        *systems(),
        "fedigw, direct",
        "fedigw, direct, adaptive rates",
        "fedigw, direct, adaptive rates, all data",
        "fedigw, cg, adaptive rates, all data",
        "fedigw, agd",
        "fedigw, cg",
    }
    assert all(row["most_numbers"] <= row["formula"] for row in KEPT["rows"])


def test_the_readme_has_fedigw_at_both_rates_and_its_best_rival():
    last = {row["system"]: row for row in KEPT["rows"] if (row["world"], row["T"]) == ("stochastic", 2**12)}
    rivals = [row["mean"] for name, row in last.items() if not name.startswith(runs.FEDIGW)]
    readme = " ".join((comparison.ROOT / "README.md").read_text().split())
    guaranteed, best = (
        last["fedigw, direct"]["mean"],
        last["fedigw, direct, adaptive rates, all data"]["mean"],
    )
    assert (
        f"FedIGW loses {guaranteed:.0f} at the guaranteed rate and {best:.0f} at the adaptive one" in readme
    )
    assert f"the best of {NUMBERS[len(rivals)]} systems of other papers loses {min(rivals):.0f} " in readme
    fixed = {
        row["system"]: row["mean"] for row in KEPT["rows"] if (row["world"], row["T"]) == ("fixed", 2**12)
    }
    ours = fixed["fedigw, direct, adaptive rates, all data"]
    theirs = min(mean for name, mean in fixed.items() if not name.startswith(runs.FEDIGW))
    assert f"{ours:.0f}" == f"{theirs:.0f}"
    assert f"one fixed context the adaptive rate and the best other system both lose {ours:.0f}." in readme


def test_every_row_of_the_printed_table_has_a_program():
    from bounds import tab_linear

    assert {row.reference for row in tab_linear.rows()} == set(runs.REFERENCE.values())


def test_every_promise_of_sqrt_t_was_measured_where_it_is_hardest():
    found = {(row["world"], row["system"]) for row in KEPT["worst"]["exponents"]}
    asked = {(place, name) for place in runs.WORLDS for name in worst.promised(place)}
    assert found == asked | {("partly shared", comparison.BESIDE)}
    assert all(row["most_numbers"] <= row["formula"] for row in KEPT["worst"]["rows"] if row["formula"])


def test_exponents_at_the_hardest_gaps_hold_and_epsilon_greedys_does_not():
    for fit in KEPT["worst"]["exponents"]:
        inside = fit["low"] <= fit["limit"] and fit["high"] >= fit["least"]
        assert inside == (fit["system"] != comparison.BESIDE), fit


def test_a_row_at_the_hardest_gap_is_measured_again():
    found = worst.measure("fixed", "mean_averaging", [2**8], np.random.SeedSequence(comparison.SEED))[0]
    kept = next(r for r in KEPT["worst"]["rows"] if (r["system"], r["T"]) == ("mean_averaging", 2**8))
    assert found["gap"] == kept["gap"]
    assert found["mean"] == pytest.approx(kept["mean"], rel=1e-6)
