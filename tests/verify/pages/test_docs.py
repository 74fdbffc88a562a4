"""Generated pages are what the code generates, notebooks show what is stored in them."""

import math
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from verify.pages import constants, notebooks, rates
from verify.pages.claims import page as claims_page
from verify.report import graph
from verify.verdict import Verdict

ROOT = Path(__file__).resolve().parents[3]
LEAST = {"sharpened": 4.3998, "best": 3.8098, "best, doubling epochs": 3.6981, "best, two arms": 2.1213}


def test_the_catalogue_page_is_up_to_date():
    assert (ROOT / "docs" / "claims.md").read_text() == claims_page(), "run `make docs`"


def test_the_graph_tells_statement_from_proof():
    refuted = {"variant": "printed", **Verdict.REFUTED.fields}, {"variant": "repaired", **Verdict.Z3.fields}
    drawn = graph.draw([{"label": "lem:finite_var", "depends": [], "errata": [], "variants": list(refuted)}])
    assert graph.BORDER["repaired"] in drawn
    assert graph.FILL[str(Verdict.Z3)] in drawn
    assert graph.BORDER["as printed"] not in drawn


def test_the_least_value_of_every_curve_is_the_one_in_print():
    found = {name: 2 * math.sqrt(a * b) for name, (a, b) in constants.curves().items()}
    assert found == pytest.approx(LEAST, abs=1.1e-4)  # in print they are rounded up


# Of measured regrets: another numpy draws other numbers.
FIGURES = pytest.mark.skipif(
    not np.__version__.startswith("2.4."), reason="its figures are those of numpy 2.4"
)
LINEAR_ROWS = 12  # of the table of linear worlds, its first: every row draws its seeds after those above it


@pytest.fixture(scope="module")
def page():
    """Return the page of rates with few rows of its slowest table."""
    make = rates.linear.instances

    def few(*given: Any) -> Any:
        made = make(*given)
        ordered = sorted(
            made, key=lambda name: not name.startswith("rare_direction, M = 10")
        )  # as in the table
        return {name: made[name] for name in ordered[:LINEAR_ROWS]}

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rates.linear, "instances", few)
        return rates.page()


def _stable(text):
    """Return the page's lines without the regrets of runs on logged data. There arms often have equal estimates, and
    rounding, which depends on the processor, decides which one is played most."""
    return [re.sub(r"^(\| data, .*= \d+ \|).*", r"\1", line) for line in text.splitlines()]


@FIGURES
def test_the_page_is_up_to_date(page):
    written = iter(_stable((ROOT / "docs" / "rates.md").read_text()))
    assert [line for line in _stable(page) if line not in written] == [], "run `make docs`"


@FIGURES
@pytest.mark.long
def test_the_whole_page_is_up_to_date():
    assert _stable((ROOT / "docs" / "rates.md").read_text()) == _stable(rates.page()), "run `make docs`"


def test_what_the_page_says_of_its_tables(page):
    """Adaptive below the rate of the smallest guarantee on every instance but near ties of 1/100; g = 8 between."""
    lines = [
        line.split("|")[1:-1] for line in page.split("## Three rates")[1].split("## Linear")[0].splitlines()
    ]
    rows = [[cell.strip() for cell in line] for line in lines if len(line) == 5][2:]
    assert len(rows) >= 30
    worse = []
    for name, guarantee, _practical, adaptive, _error in rows:
        regret = [float(cell.split("/")[0]) for cell in (guarantee, adaptive)]
        bound = [float(cell.split("/")[1]) for cell in (guarantee, adaptive)]
        assert bound[1] < bound[0], name
        if regret[1] > regret[0]:
            worse.append(name)
    assert all("1/100" in name for name in worse)
    assert "g = 0.47 (two arms) to 0.80." in page
    assert "5.9 times for ten arms: the constant C(g)/g in\n  front of it is 20.3 at g = 8 and 3.44" in page


def test_a_bound_of_what_is_known_without_learning_is_vacuous():
    assert rates._beside(47.0, 511.6, 511.6) == "47 / vacuous"
    assert rates._beside(47.0, 511.0, 511.6) == "47 / 511"


@FIGURES
@pytest.mark.parametrize("name", notebooks.names())
def test_a_notebook_shows_what_it_stores(name):
    document = notebooks.load(name)
    stored = [cell["outputs"] for cell in document["cells"] if cell["cell_type"] == "code"]
    drawn = 0
    for outputs in stored:
        for output in outputs:
            drawn += output.get("data", {}).pop("image/png", None) is not None
    assert notebooks.run(document, pictures=False) == stored, "run `make docs`"
    text, pictures = notebooks.page(name)
    assert len(pictures) == drawn >= 1
    assert "$" not in text  # formulas are MathML
