"""The report in a real browser (headless Chromium): no console error, filters, links, mathematics, phone, print."""

import base64
from pathlib import Path
from typing import Any

import pytest
from report_example import document

from verify.report import page as report

pytestmark = pytest.mark.xdist_group("browser")


@pytest.fixture
def opened(browser: Any, tmp_path: Path) -> Any:
    path = report.write_report(tmp_path, document())
    browser.get(path.as_uri())
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


def test_no_console_message(opened: Any) -> None:
    assert opened.get_log("browser") == []
    assert "the theory, checked" in opened.title


def test_filters(opened: Any) -> None:
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


def test_links_of_the_graph_lead_to_the_claims(opened: Any) -> None:
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


def test_every_link_inside_leads_somewhere_that_is_then_shown(opened: Any) -> None:
    targets = {a.get_dom_attribute("href") for a in find(opened, "a[href^='#']")}
    assert {"#errata", "#row-E7", "#statements", "#reading", "#thm:global_regret"} <= targets
    for target in targets:
        show(opened, target[1:])
        assert opened.find_element("id", target[1:]).is_displayed(), target


def test_an_address_opens_its_page(browser: Any, tmp_path: Path) -> None:
    path = report.write_report(tmp_path, document())
    browser.get("about:blank")
    browser.get(path.as_uri() + "#lem:VE")
    assert [page.get_attribute("id") for page in find(browser, ".page") if page.is_displayed()] == ["lem:VE"]
    show(browser, "graph:thm:global_regret")
    assert "it rests on " in browser.find_element("id", "rests-on").text


def test_search(opened: Any) -> None:
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


def test_light_and_dark(opened: Any) -> None:
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


def test_mathematics_is_laid_out(opened: Any) -> None:
    """MathML that a browser does not understand is a line of letters; a laid-out fraction is taller than its digits."""
    assert len(find(opened, ".formula")) == 9
    show(opened, "lem:VE")
    fraction, digits = (
        opened.find_element("css selector", f"[id='lem:VE'] .formula {tag}") for tag in ("mfrac", "mfrac mn")
    )
    assert fraction.size["height"] > 1.5 * digits.size["height"]
    assert opened.find_element("css selector", "[id='lem:VE'] .formula msqrt").size["width"] > 50


@pytest.mark.parametrize("width", [360, 390, 1100, 1280])
def test_nothing_is_wider_than_the_page_also_with_everything_open(
    opened: Any, sized: Any, width: int, tmp_path: Path
) -> None:
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


def test_print_keeps_together_what_belongs_together(opened: Any) -> None:
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


def test_it_prints_every_page(opened: Any) -> None:
    printed = base64.b64decode(opened.execute_cdp_cmd("Page.printToPDF", {"printBackground": True})["data"])
    assert printed.startswith(b"%PDF")
    assert len(printed) > 20_000


def test_without_scripts_everything_is_there(browser: Any, tmp_path: Path) -> None:
    path = report.write_report(tmp_path, document())
    browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    try:
        browser.get(path.as_uri())
        assert len(find(browser, "table.claims tbody tr")) == 9
        assert all(row.is_displayed() for row in find(browser, "table.claims tbody tr"))
        assert not any(control.is_displayed() for control in find(browser, ".filters"))
    finally:
        browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})
