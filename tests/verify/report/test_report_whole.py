"""The report on every claim in a real browser: nothing clipped at 1280 and 390 px, few pages printed."""

import base64
import re
from pathlib import Path
from typing import Any

import pytest
from report_example import whole_document

from verify.report import page as report

pytestmark = pytest.mark.xdist_group("browser")


@pytest.fixture(scope="module")
def opened(browser: Any, tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Every claim of the catalogue, as it expects to be found."""
    path = report.write_report(Path(tmp_path_factory.mktemp("whole")), whole_document())
    browser.get(path.as_uri())
    return browser


CLIPPED = """
var width = arguments[0];
document.querySelectorAll("details:not(.side)").forEach(function (d) { d.open = true; });
var bad = [];
document.querySelectorAll(".page").forEach(function (page) {
  location.hash = page.id;
  document.querySelectorAll(".page").forEach(function (other) { other.classList.toggle("open", other === page); });
  window.fitFormulas(page);
  page.querySelectorAll(".formula").forEach(function (formula) {
    if (formula.scrollWidth > formula.clientWidth + 1) { bad.push(page.id + ": " + formula.title.slice(0, 60)); }
  });
  page.querySelectorAll("math").forEach(function (math) {
    var box = math.getBoundingClientRect();
    if (!math.closest(".scroll") && box.right > width + 1) { bad.push(page.id + ": " + math.textContent.slice(0, 60)); }
  });
  if (document.documentElement.scrollWidth > width) { bad.push(page.id + " is wider than the window"); }
});
return bad;
"""


@pytest.mark.parametrize("width", [390, 1280])
def test_nothing_is_clipped(opened: Any, sized: Any, width: int) -> None:
    sized(width)
    assert opened.execute_script(CLIPPED, width) == []
    # the test itself jumps from page to page faster than a person could, and the browser remarks on that
    messages = [line["message"] for line in opened.get_log("browser")]
    assert [text for text in messages if "Throttling navigation" not in text] == []


def test_the_first_screen_has_paper_scope_results_and_errata(opened: Any, sized: Any) -> None:
    sized(1280)
    opened.get(opened.current_url.partition("#")[0] + "#overview")
    opened.refresh()  # a page of its own, whatever the tests before have done to it
    opened.execute_async_script("setTimeout(arguments[0], 1000)")
    for words in ("Main results", "Scope", "Errata, by severity"):
        heading = next(h for h in opened.find_elements("css selector", ".front h2") if h.text == words)
        assert heading.rect["y"] < 900, words
    severities = opened.find_elements("css selector", ".front .severity")
    assert len(severities) >= 4
    assert all(s.rect["y"] + s.rect["height"] <= 900 for s in severities)
    shown = opened.find_element("id", "overview").text
    for words in ("Shi", "2024", "openreview.net", "4.40", "3.81", "1,750,069", "typo"):
        assert words in shown


def test_printed_it_has_fewer_than_forty_pages_and_contents(opened: Any) -> None:
    answer = opened.execute_cdp_cmd("Page.printToPDF", {"printBackground": True, "preferCSSPageSize": True})
    printed = base64.b64decode(answer["data"])
    pages = len(re.findall(rb"/Type\s*/Page\b", printed))
    assert 10 <= pages < 40
