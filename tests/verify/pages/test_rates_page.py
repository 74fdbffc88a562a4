"""docs/rates.md is what the code measures, and says what its numbers show."""

from pathlib import Path

import pytest

from verify.pages import rates

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture(scope="module")
def page() -> str:
    return rates.page()


def test_the_page_is_up_to_date(page: str) -> None:
    assert (ROOT / "docs" / "rates.md").read_text() == page, "run `make docs`"


def test_what_the_page_says_of_its_tables(page: str) -> None:
    """Adaptive below the rate of the smallest guarantee on every instance but near ties of 1/100; g = 8 between."""
    lines = [
        line.split("|")[1:-1] for line in page.split("## Three rates")[1].split("## Linear")[0].splitlines()
    ]
    rows = [[cell.strip() for cell in line] for line in lines if len(line) == 4][2:]
    assert len(rows) >= 30
    worse = []
    for name, guarantee, _practical, adaptive in rows:
        regret = [float(cell.split("/")[0]) for cell in (guarantee, adaptive)]
        bound = [float(cell.split("/")[1]) for cell in (guarantee, adaptive)]
        assert bound[1] < bound[0], name
        if regret[1] > regret[0]:
            worse.append(name)
    assert all("1/100" in name for name in worse)


def test_the_price_of_the_practical_rate(page: str) -> None:
    assert "5.4 times larger for ten arms:\n  C(g)/g is 18.7 at g = 8, 3.44 at best" in page


def test_a_bound_of_what_is_known_without_learning_is_vacuous() -> None:
    assert rates._beside(47.0, 511.6, 511.6) == "47 / vacuous"
    assert rates._beside(47.0, 511.0, 511.6) == "47 / 511"
