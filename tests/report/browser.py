"""An HTML report, open in Chromium."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from cukereuse_engine.report import html
from cukereuse_engine.scanning.result import ScanResult

FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--hide-scrollbars",
]


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    webdriver = pytest.importorskip(
        "selenium.webdriver", reason="selenium is not installed: pip install 'cukereuse[test]'"
    )
    chromium, driver = shutil.which("chromium"), shutil.which("chromedriver")
    if not chromium or not driver:
        pytest.skip("Chromium and ChromeDriver are not installed (Debian: chromium chromium-driver)")
    options = webdriver.ChromeOptions()
    options.binary_location = chromium
    for flag in [*FLAGS, f"--user-data-dir={tmp_path_factory.mktemp('profile')}"]:
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    session = webdriver.Chrome(options=options, service=webdriver.ChromeService(driver))
    session.set_script_timeout(60)
    yield session
    session.quit()


class Report:
    """One report, open in the browser."""

    def __init__(self, browser: Any, path: Path) -> None:
        self.browser = browser
        self.path = path

    def open(
        self, result: ScanResult, *, anchor: str = "", width: int = 1280, height: int = 900, **media: str
    ) -> "Report":
        self.path.write_bytes(html.render(result, links=html.PlaceLinks(folder=str(self.path.parent))))
        features = [{"name": name.replace("_", "-"), "value": value} for name, value in media.items()]
        self.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600}
        self.browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
        for log in ("browser", "performance"):
            self.browser.get_log(log)
        self.browser.get("about:blank")
        self.browser.get(self.path.as_uri() + anchor)
        self.wait("document.documentElement.dataset.ready === 'yes'", 60)
        return self

    def js(self, code: str, *values: object) -> Any:
        return self.browser.execute_script(code, *values)

    def wait(self, condition: str, seconds: float = 10) -> None:
        from selenium.webdriver.support.ui import WebDriverWait

        WebDriverWait(self.browser, seconds, poll_frequency=0.02).until(lambda _: self.js(f"return {condition}"))

    def texts(self, selector: str) -> list[str]:
        texts: list[str] = self.js(
            "return [...document.querySelectorAll(arguments[0])].map((e) => e.innerText.trim())", selector
        )
        return texts

    def click(self, selector: str) -> None:
        self.browser.find_element("css selector", selector).click()

    def search(self, words: str) -> list[str]:
        """Type, wait for the list, and return its counts."""
        box = self.browser.find_element("id", "search")
        self.js("document.getElementById('panels').firstChild.dataset.old = 'yes'")
        box.clear()
        box.send_keys(words or " ")
        self.wait("!document.getElementById('panels').firstChild.dataset.old")
        return self.texts("#count")

    def problems(self) -> list[str]:
        return [entry["message"] for entry in self.browser.get_log("browser")]

    def requests(self) -> list[str]:
        events = [json.loads(entry["message"])["message"] for entry in self.browser.get_log("performance")]
        urls = [e["params"]["request"]["url"] for e in events if e["method"] == "Network.requestWillBeSent"]
        return [url for url in urls if not url.startswith(("data:", "about:"))]


@pytest.fixture
def report(browser: Any, tmp_path: Path) -> Report:
    return Report(browser, tmp_path / "report.html")
