"""Run commands in forks, make quick plans, and provide a real browser for the tests of pages: headless Chromium,
without which those tests are skipped.
"""

import shutil

import pytest
from forked import Forks

CHROMIUM, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")
FLAGS = (
    "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--hide-scrollbars",
    "--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage",
)  # fmt: skip


@pytest.fixture(scope="session")
def forks():
    with Forks() as running:
        yield running


@pytest.fixture
def few_worlds(monkeypatch):
    """Let `plan` simulate two worlds instead of eight to forty: for tests that do not read its means."""
    from verify.verbs.plan import expectation

    for name in ("FEWEST", "MOST_WORLDS", "RATE_WORLDS", "FEW_WORLDS", "RIVAL_WORLDS"):
        monkeypatch.setattr(expectation, name, 2)


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    if not (CHROMIUM and DRIVER):
        pytest.skip("no browser: install Debian's chromium and chromium-driver")
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
def sized(browser):
    """Return a function that sets the width of the window, of a phone below 600; afterwards the width is as
    before."""

    def window(width: int) -> None:
        metrics = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 600}
        browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)

    yield window
    browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
