"""A project of Behat with several suites, and the bindings of their steps."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from cukereuse_engine.gherkin.feature import Step
from cukereuse_engine.gherkin.read import read_bytes
from cukereuse_engine.glue.glue import Glue
from cukereuse_engine.glue.text_binding import Status

FEATURE = """
Feature: Basket
  Background:
    Given the shop is open

  @web
  Scenario: Seen
    When I add "tea"

  @api @web
  Scenario: Both
    When I add "tea"

  @slow
  Scenario: Neither
    When I add "tea"
"""


CONTEXTS = {
    "src/Web.php": """<?php
namespace Shop\\Test;
use Shop\\Base\\Hall as Common;
class WebContext extends Common { use Adding; }
""",
    "src/Hall.php": """<?php
namespace Shop\\Base;
class Hall { /** @Given the shop is open */ public function open() {} }
""",
    "src/Adding.php": """<?php
namespace Shop\\Test;
trait Adding { /** @When I add :what */ public function add($what) {} }
""",
    "src/Api.php": """<?php
namespace Shop\\Test;
class ApiContext implements \\Behat\\Behat\\Context\\Context {
  /** @Given the shop is open */ public function open() {}
  #[When('I add :what')] public function post($what) {}
}
""",
    "src/Old.php": """<?php
class OldContext { /** @When I add :what */ public function add($what) {} }
""",
}


SUITES = """
default:
  suites:
    web:
      contexts: [Shop\\Test\\WebContext]
      filters: {tags: "@web"}
    api:
      contexts:
        - Shop\\Test\\ApiContext: {url: here}
      filters: {tags: "@api"}
"""


def write(folder: Path, files: Mapping[str, str]) -> None:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def bindings(folder: Path) -> list[tuple[str, Status, list[str]]]:
    """Text and status of each step, and the sources that it binds to."""
    glue = Glue.load(str(folder / "features"), paths=[folder], jobs=1)
    steps = load(folder, glue)
    return [
        (
            step.text,
            (binding := glue.bind(step)).status,
            sorted(Path(definition.path).stem for definition in binding.definitions),
        )
        for step in steps
    ]


def load(folder: Path, glue: Glue) -> tuple[Step, ...]:
    path = folder / "features" / "basket.feature"
    steps = read_bytes(str(path), path.read_bytes()).steps
    glue.update_feature(str(path), steps)
    return steps


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    (tmp_path / ".git").mkdir()
    write(tmp_path, {**CONTEXTS, "features/basket.feature": FEATURE})
    return tmp_path
