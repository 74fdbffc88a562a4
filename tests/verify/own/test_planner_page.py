"""The planner's page in a real browser: its numbers are Python's, no message on the console, nothing clipped."""

from pathlib import Path
from typing import Any

import pytest

from verify import bound, plan
from verify.verbs.plan.guarantees import LINEAR
from verify.verbs.plan.page import render
from verify.verdict import shown

pytestmark = pytest.mark.xdist_group("browser")
GRID = [
    (kind, M, K, T, size)
    for kind in ("linear", "finite")
    for M, K, T, size in (
        *((1, 2, 3, 2), (1, 2, 8, 1000), (50, 5, 10**5, 10), (7, 13, 12345, 33), (10_000, 200, 10**9, 500)),
        *((3, 2, 5, 100), (100, 10, 10**6, 1000), (2, 3, 2**20, 4), (64, 17, 65537, 90)),
    )
]


@pytest.fixture(scope="module")
def planner(browser: Any, tmp_path_factory: pytest.TempPathFactory) -> Any:
    path = tmp_path_factory.mktemp("planner") / "plan.html"
    path.write_text(render(plan(50, 5, 10**5, dimension=10).document), encoding="utf-8")
    browser.get(path.as_uri())
    return browser


def test_its_numbers_are_pythons(planner: Any) -> None:
    for kind, M, K, T, size in GRID:
        question = {"kind": kind, "M": M, "K": K, "T": T, "d": size, "F": size, "price": 0}
        found = planner.execute_script("return window.planner.answer(arguments[0])", question)
        claim, given = ("col:linear", {"d": size}) if kind == "linear" else ("col:finite", {"F": size})
        given |= {"M": M, "K": K, "T": T}
        for row in found["guaranteed"]:
            ours = bound(claim, row["variant"], **given)
            assert row["value"] == pytest.approx(ours.value, rel=1e-12), (question, row)
            assert row["trivial"] == pytest.approx(ours.trivial, rel=1e-12)
            assert row["vacuous"] == ours.vacuous, (question, row)
            assert row["verdict"] == shown(ours.document)
            if row["informative_from"] is not None:
                assert row["informative_from"] == ours.first_informative_horizon, (question, row)
        assert [r["protocol"] for r in found["protocols"]] == (
            list(LINEAR) if kind == "linear" else ["exact_minimiser"]
        )
        for row in found["protocols"]:
            rule = "sharpened" if row["protocol"] == "agd_convex" else "best"
            for quantity in ("calls", "rounds", "numbers", "regret"):
                ours = bound(claim, rule, quantity=quantity, protocol=row["protocol"], **given)
                assert row[quantity] == pytest.approx(ours.value, rel=1e-12), (question, row, quantity)
    read = "return [...document.querySelectorAll('#asked td:first-child')].map(cell => cell.textContent)"
    asked = [name.removeprefix("★ ") for name in planner.execute_script(read)]
    assert asked == [row["protocol"] for row in plan(50, 5, 10**5, dimension=10).protocols]


def test_a_slider_changes_the_answer(planner: Any) -> None:
    read = "return document.querySelector('#bounds tr:last-child td:nth-child(2)').textContent"
    before = planner.execute_script(read)
    planner.execute_script(
        "var s = document.getElementById('T'); s.value = 800; s.dispatchEvent(new Event('input'))"
    )
    assert planner.execute_script(read) != before


@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_is_clipped_and_nothing_complains(planner: Any, sized: Any, width: int, scheme: str) -> None:
    sized(width)
    planner.execute_cdp_cmd(
        "Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": scheme}]}
    )
    wide = planner.execute_script(
        "return document.documentElement.scrollWidth - document.documentElement.clientWidth"
    )
    assert wide <= 0
    assert planner.get_log("browser") == []
    assert "http" not in Path(planner.current_url.removeprefix("file://")).read_text().replace(
        "http://www.w3.org", ""
    )
