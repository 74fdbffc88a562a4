"""The report and the planner's page in a real browser: no console error, links, numbers, phone, print."""

import base64
import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from report_example import document, whole_document

from verify import bound, plan
from verify.report import page as report
from verify.verbs.plan import Plan
from verify.verbs.plan.guarantees import LINEAR
from verify.verbs.plan.page import render
from verify.verdict import shown


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    return report.write_report(tmp_path_factory.mktemp("report"), document()).as_uri()


@pytest.fixture
def opened(browser, address):
    browser.get("about:blank")
    browser.get(address)
    browser.execute_script("document.documentElement.style.scrollBehavior = 'auto'")
    return browser


def show(browser: Any, page: str) -> None:
    """As somebody who follows a link."""
    browser.execute_script("location.hash = arguments[0]", page)
    browser.execute_async_script("setTimeout(arguments[0], 50)")


def find(browser: Any, selector: str) -> list[Any]:
    return list(browser.find_elements("css selector", selector))


def shown_rows(browser: Any) -> int:
    return sum(row.is_displayed() for row in find(browser, "table.claims tbody tr"))


def choose(browser: Any, name: str, value: str) -> None:
    browser.execute_script(
        "var c = document.querySelector(`[data-filter='${arguments[0]}']`); c.value = arguments[1];"
        "c.dispatchEvent(new Event('input', {bubbles: true}))",
        name,
        value,
    )


def test_no_console_message(opened):
    assert opened.get_log("browser") == []
    assert "the theory, checked" in opened.title


def test_filters(opened):
    show(opened, "table")
    assert shown_rows(opened) == 9
    choose(opened, "section", "Lemmas")
    assert shown_rows(opened) == 3
    choose(opened, "verdict", "proved (z3)")
    assert shown_rows(opened) == 1
    assert opened.find_element("id", "shown").text == "1 of 9"
    choose(opened, "section", "")
    choose(opened, "verdict", "")
    choose(opened, "kind", "erratum")
    assert shown_rows(opened) == 2
    choose(opened, "kind", "")
    choose(opened, "text", "sharp")
    assert 1 <= shown_rows(opened) < 9


def test_links_of_the_graph_lead_to_the_claims(opened):
    assert len(find(opened, "svg#graph a")) == 4
    for number in range(4):
        show(opened, "graph-section")
        link = find(opened, "svg#graph a")[number]
        label = link.get_dom_attribute("href")[1:]
        for place in (f"#graph:{label}", f"#{label}"):  # what it rests on, then the claim
            link.find_element("css selector", "text").click()
            assert opened.execute_script("return decodeURIComponent(location.hash)") == place
        top = opened.execute_script(
            "return document.getElementById(arguments[0]).getBoundingClientRect().top", label
        )
        assert -5 <= top < 900
        assert [page.get_attribute("id") for page in find(opened, ".page") if page.is_displayed()] == [label]


def test_every_link_inside_leads_somewhere_that_is_then_shown(opened):
    targets = {a.get_dom_attribute("href") for a in find(opened, "a[href^='#']")}
    assert {"#errata", "#row-E7", "#statements", "#reading", "#thm:global_regret"} <= targets
    for target in targets:
        show(opened, target[1:])
        assert opened.find_element("id", target[1:]).is_displayed(), target


def test_an_address_opens_its_page(browser, address):
    browser.get("about:blank")
    browser.get(address + "#lem:VE")
    assert [page.get_attribute("id") for page in find(browser, ".page") if page.is_displayed()] == ["lem:VE"]
    show(browser, "graph:thm:global_regret")
    assert "it rests on " in browser.find_element("id", "rests-on").text


def test_search(opened):
    box = opened.find_element("id", "search")
    every = len(find(opened, ".side li"))
    box.send_keys("q_loss_bound")
    kept = [li.text for li in find(opened, ".side li") if li.is_displayed()]
    assert any("lem:VE" in text for text in kept)
    assert len(kept) < every
    assert opened.find_element("id", "found").text == f"{len(kept)} of {every} pages"
    box.clear()
    box.send_keys("lem:V_upper undecided\n")
    assert opened.execute_script("return decodeURIComponent(location.hash)") != ""
    box.clear()
    box.send_keys("no such words anywhere")
    assert not any(li.is_displayed() for li in find(opened, ".side li"))


def test_light_and_dark(opened):
    def ground() -> str:
        return str(opened.execute_script("return getComputedStyle(document.body).backgroundColor"))

    seen = set()
    for scheme in ("light", "dark"):
        features = [{"name": "prefers-color-scheme", "value": scheme}]
        opened.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "", "features": features})
        seen.add(ground())
    assert len(seen) == 2
    opened.find_element("id", "theme").click()
    assert ground() == "rgb(255, 255, 255)"
    opened.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "", "features": []})


def test_mathematics_is_laid_out(opened):
    """MathML that a browser does not understand is a line of letters; a laid-out fraction is taller than its digits."""
    assert len(find(opened, ".formula")) == 9
    show(opened, "lem:VE")
    fraction, digits = (
        opened.find_element("css selector", f"[id='lem:VE'] .formula {tag}") for tag in ("mfrac", "mfrac mn")
    )
    assert fraction.size["height"] > 1.5 * digits.size["height"]
    assert opened.find_element("css selector", "[id='lem:VE'] .formula msqrt").size["width"] > 50


@pytest.mark.parametrize("width", [360, 1280])
def test_nothing_is_wider_than_the_page_also_with_everything_open(opened, sized, width, tmp_path):
    sized(width)
    assert opened.execute_script("return document.documentElement.scrollWidth") <= width
    opened.save_screenshot(str(tmp_path / "report.png"))
    assert (tmp_path / "report.png").stat().st_size > 10_000
    opened.execute_script("document.querySelectorAll('details').forEach(function (d) { d.open = true; })")
    show(opened, "lem:VE")
    assert find(opened, "div.figures table table")
    assert opened.execute_script("return document.documentElement.scrollWidth") <= width
    # the verdicts in it stay in one piece, whatever scrolls
    cells = find(opened, "[id='lem:VE'] div.figures td td:last-child")
    assert {cell.text for cell in cells} >= {"measured"}
    assert max(cell.size["height"] for cell in cells) < 40


def style(browser: Any, selector: str, name: str) -> set[str]:
    script = "return getComputedStyle(arguments[0]).getPropertyValue(arguments[1])"
    return {browser.execute_script(script, found, name) for found in find(browser, selector)}


def test_print_keeps_together_what_belongs_together(opened):
    opened.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    try:
        for heading in ("h1", "h2", "h3", "h4", "#graph-section > h2 + p"):
            assert style(opened, heading, "break-after") == {"avoid"}, heading
        for whole in (".drawing", ".card", "table.stacked tr"):
            assert style(opened, whole, "break-inside") == {"avoid"}, whole
        for absent in ("div.figures", "details.evidence", ".side", "#table"):
            assert style(opened, absent, "display") == {"none"}, absent
        assert "none" not in style(opened, ".page:not(#table):not(#coq)", "display")
        assert style(opened, ".contents", "display") == {"block"}
        assert style(opened, ".verdict", "overflow-wrap") == {"normal"}
    finally:
        opened.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})


def test_without_scripts_everything_is_there(browser, address):
    browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    try:
        browser.get(address)
        assert len(find(browser, "table.claims tbody tr")) == 9
        assert all(row.is_displayed() for row in find(browser, "table.claims tbody tr"))
        assert not any(control.is_displayed() for control in find(browser, ".filters"))
    finally:
        browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})


# --- the report on every claim ----------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def whole(browser, tmp_path_factory):
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
def test_nothing_of_the_whole_report_is_clipped(whole, sized, width):
    sized(width)
    assert whole.execute_script(CLIPPED, width) == []
    # the test itself jumps from page to page faster than a person could, and the browser remarks on that
    messages = [line["message"] for line in whole.get_log("browser")]
    assert [text for text in messages if "Throttling navigation" not in text] == []


@pytest.mark.fedigw
def test_the_first_screen_has_paper_scope_results_and_errata(whole, sized):
    sized(1280)
    whole.get(whole.current_url.partition("#")[0] + "#overview")
    whole.refresh()  # a page of its own, whatever the tests before have done to it
    whole.execute_async_script("setTimeout(arguments[0], 1000)")
    for words in ("Main results", "Scope", "Errata, by severity"):
        heading = next(h for h in whole.find_elements("css selector", ".front h2") if h.text == words)
        assert heading.rect["y"] < 900, words
    severities = whole.find_elements("css selector", ".front .severity")
    assert len(severities) >= 4
    assert all(s.rect["y"] + s.rect["height"] <= 900 for s in severities)
    shown = whole.find_element("id", "overview").text
    for words in ("Shi", "2024", "openreview.net", "4.40", "3.81", "1,750,069", "typo"):
        assert words in shown


@pytest.mark.fedigw
def test_printed_it_has_fewer_than_forty_pages_and_contents(whole):
    answer = whole.execute_cdp_cmd("Page.printToPDF", {"printBackground": True, "preferCSSPageSize": True})
    printed = base64.b64decode(answer["data"])
    pages = len(re.findall(rb"/Type\s*/Page\b", printed))
    assert 10 <= pages < 40


# --- the planner's page -----------------------------------------------------------------------------------------------


GRID = [
    (kind, M, K, T, size)
    for kind in ("linear", "finite")
    for M, K, T, size in (*((1, 2, 8, 1000), (50, 5, 10**5, 10), (3, 2, 5, 100), (10_000, 200, 10**9, 500)),)
]


@cache
def planned() -> Plan:
    return plan(50, 5, 10**5, dimension=10)


@pytest.fixture(scope="module")
def planner(browser, tmp_path_factory):
    path = tmp_path_factory.mktemp("planner") / "plan.html"
    path.write_text(render(planned().document), encoding="utf-8")
    browser.get(path.as_uri())
    return browser


def test_its_numbers_are_pythons(planner):
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
    assert asked == [row["protocol"] for row in planned().protocols]


def test_a_slider_changes_the_answer(planner):
    read = "return document.querySelector('#bounds tr:last-child td:nth-child(2)').textContent"
    before = planner.execute_script(read)
    planner.execute_script(
        "var s = document.getElementById('T'); s.value = 800; s.dispatchEvent(new Event('input'))"
    )
    assert planner.execute_script(read) != before


def test_nothing_of_the_planner_is_clipped_and_nothing_complains(planner, sized):
    read = "return document.documentElement.scrollWidth - document.documentElement.clientWidth"
    for width, scheme in ((1280, "light"), (390, "light"), (390, "dark")):
        sized(width)
        features = [{"name": "prefers-color-scheme", "value": scheme}]
        planner.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
        assert planner.execute_script(read) <= 0
    planner.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "", "features": []})
    assert planner.get_log("browser") == []
    assert "http" not in Path(planner.current_url.removeprefix("file://")).read_text().replace(
        "http://www.w3.org", ""
    )
