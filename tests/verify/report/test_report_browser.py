"""The report in a real browser (headless Chromium): no console error, filters, links, mathematics, phone, print."""

import base64
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from report_example import document

from verify.report import page as report

CHROMIUM, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")
pytestmark = [
    pytest.mark.skipif(
        not (CHROMIUM and DRIVER), reason="no browser: install Debian's chromium and chromium-driver"
    ),
    pytest.mark.xdist_group("browser"),
]
FLAGS = (
    "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--hide-scrollbars",
    "--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage",
)  # fmt: skip


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    webdriver = pytest.importorskip("selenium.webdriver", reason="selenium is not installed")
    options = webdriver.ChromeOptions()
    for flag in (*FLAGS, f"--user-data-dir={tmp_path_factory.mktemp('profile')}", "--window-size=1100,900"):
        options.add_argument(flag)
    options.binary_location = CHROMIUM
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(DRIVER))
    yield driver
    driver.quit()


@pytest.fixture
def opened(browser: Any, tmp_path: Path) -> Any:
    path = report.write_report(tmp_path, document())
    browser.get(path.as_uri())
    browser.execute_script("document.documentElement.style.scrollBehavior = 'auto'")
    return browser


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
    assert shown_rows(opened) == 9
    choose(opened, "section", "Lemmas")
    assert shown_rows(opened) == 3
    choose(opened, "verdict", "proved")
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
    links = find(opened, "svg#graph a")
    assert len(links) == 4
    for link in links:
        label = link.get_dom_attribute("href")[1:]
        link.find_element("css selector", "text").click()
        assert opened.execute_script("return decodeURIComponent(location.hash)") == f"#{label}"
        top = opened.execute_script(
            "return document.getElementById(arguments[0]).getBoundingClientRect().top", label
        )
        assert -5 <= top < 900


def test_mathematics_is_laid_out(opened: Any) -> None:
    """MathML that a browser does not understand is a line of letters; a laid-out fraction is taller than its digits."""
    assert len(find(opened, ".formula math")) == 9
    fraction, digits = (
        opened.find_element("css selector", f".formula {tag}") for tag in ("mfrac", "mfrac mn")
    )
    assert fraction.size["height"] > 1.5 * digits.size["height"]
    assert opened.find_element("css selector", ".formula msqrt").size["width"] > 50


@pytest.mark.parametrize("width", [360, 1100])
def test_nothing_is_wider_than_the_page(opened: Any, width: int, tmp_path: Path) -> None:
    metrics = {"width": width, "height": 800, "deviceScaleFactor": 1, "mobile": width < 600}
    opened.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    try:
        assert opened.execute_script("return document.documentElement.scrollWidth") <= width
        opened.save_screenshot(str(tmp_path / f"report-{width}.png"))
        assert (tmp_path / f"report-{width}.png").stat().st_size > 10_000
    finally:
        opened.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


@pytest.mark.parametrize("width", [390, 1280])
def test_nothing_is_wider_than_the_page_with_everything_open(opened: Any, width: int) -> None:
    metrics = {"width": width, "height": 800, "deviceScaleFactor": 1, "mobile": width < 600}
    opened.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    try:
        opened.execute_script("document.querySelectorAll('details').forEach(function (d) { d.open = true; })")
        assert find(opened, "div.figures table table")
        assert opened.execute_script("return document.documentElement.scrollWidth") <= width
        # the verdicts in it stay in one piece, whatever scrolls
        cells = find(opened, "div.figures td td:last-child")
        assert {cell.text for cell in cells} >= {"supported"}
        assert max(cell.size["height"] for cell in cells) < 40
    finally:
        opened.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def style(browser: Any, selector: str, name: str) -> set[str]:
    script = "return getComputedStyle(arguments[0]).getPropertyValue(arguments[1])"
    return {browser.execute_script(script, found, name) for found in find(browser, selector)}


def test_print_keeps_together_what_belongs_together(opened: Any) -> None:
    opened.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    try:
        for heading in ("h1", "h2", "h3", "h4", "#graph-section + p"):
            assert style(opened, heading, "break-after") == {"avoid"}, heading
        for whole in (".drawing", ".card", "table.claims tr"):
            assert style(opened, whole, "break-inside") == {"avoid"}, whole
        assert style(opened, "div.figures", "display") == {"none"}
        assert style(opened, "details, .card, .group li", "overflow-wrap") == {"break-word"}
        assert style(opened, ".verdict", "overflow-wrap") == {"normal"}
    finally:
        opened.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})


def test_it_prints_with_the_evidence_open(opened: Any) -> None:
    printed = base64.b64decode(opened.execute_cdp_cmd("Page.printToPDF", {"printBackground": True})["data"])
    assert printed.startswith(b"%PDF")
    assert len(printed) > 20_000
    assert not find(opened, "section.claim > details[open]")  # closed again afterwards


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
