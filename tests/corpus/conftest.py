"""A small corpus of invented repositories."""

import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from corpus_tools.support.repositories import Clone, ListedRepository, slug, write_manifest, write_repositories
from tests.report.browser import FLAGS

FEATURES = {
    "ant/shop": (
        "MIT",
        {
            "features/cart.feature": """Feature: Cart
  Background:
    Given the shop is open
  Scenario: Add
    When I add "tea" to the cart
    Then the cart holds 1 item
  Scenario: Add twice
    When I add "tea" to the cart
    When I add "milk" to the cart
    Then the cart holds 2 items
""",
            "features/login.feature": """Feature: Login
  Scenario Outline: Roles
    Given the shop is open
    When I log in as <role>
    Then I see   the start page
    Examples:
      | role  |
      | clerk |
      | guest |
""",
        },
    ),
    "bee/bank": (
        "GPL-3.0",
        {
            "spec/pay.feature": """Feature: Pay
  Scenario: Pay
    Given the shop is open
    When I pay 10 euros
    Then I see the start page
  Scenario: Broken
    Given the shop is open
    | a |
    | b | c |
"""
        },
    ),
    "cat/empty": ("", {"notes/odd.feature": "nothing to read here\n"}),
}


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    """A corpus after materialising: `repos.csv`, manifest, clones."""
    return build(tmp_path / "corpus")


@pytest.fixture
def build_corpus(tmp_path: Path) -> Callable[[str], Path]:
    return lambda name: build(tmp_path / name)


def build(folder: Path) -> Path:
    repositories, clones = [], []
    for number, (name, (spdx, files)) in enumerate(FEATURES.items()):
        for path, text in files.items():
            target = folder / "clones" / slug(name) / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text, encoding="utf-8")
        kind = {"MIT": "permissive", "GPL-3.0": "copyleft", "": "unlicensed"}[spdx]
        repositories.append(
            ListedRepository(
                name, f"https://example.org/{name}.git", "main", 50 - number, "2026-01-02", spdx, kind, "Gherkin", False
            )
        )
        clones.append(Clone(name, "ok", len(files), 4, f"{number:040x}", ""))
    write_repositories(folder / "repos.csv", repositories)
    write_manifest(folder / "clone_manifest.jsonl", clones)
    return folder


@pytest.fixture
def pairs_file(tmp_path: Path) -> Path:
    """Invented labelled pairs in the release's columns."""
    rows = [
        ('I add "tea" to the cart', 'I add "milk" to the cart', 1, 0.91, 0.8),
        ("I open the door", "I open a door", 1, 0.96, 0.9),
        ("I open the door", "the door should be open", 0, 0.83, 0.5),
        ("call helper", "callonce helper", 0, 0.86, 0.8),
        ("I pay the bill", "a fox sleeps", 0, 0.55, 0.2),
        ("I close the window", "I shut the window", 0, 0.72, 0.7),
    ]
    path = tmp_path / "labeled_pairs.jsonl"
    names = ("text_a", "text_b", "label", "cos", "lev")
    repeated = [dict(zip(names, row, strict=True)) for row in rows * 4]
    path.write_text("".join(json.dumps(row) + "\n" for row in repeated), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    webdriver = pytest.importorskip("selenium.webdriver")
    chromium, driver = shutil.which("chromium"), shutil.which("chromedriver")
    if not chromium or not driver:
        pytest.skip("Chromium and ChromeDriver are not installed (Debian: chromium chromium-driver)")
    options = webdriver.ChromeOptions()
    options.binary_location = chromium
    for flag in (*FLAGS, f"--user-data-dir={tmp_path_factory.mktemp('p')}"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    session = webdriver.Chrome(options=options, service=webdriver.ChromeService(driver))
    session.implicitly_wait(10)
    yield session
    session.quit()
