"""An import stays whose last use went with a step definition, and it is said: it may run code, or serve other files."""

from pathlib import Path

import pytest

from cukereuse_engine.cli.main import run

FEATURE = "Feature: F\n  Scenario: S\n    Given I stay\n    And I go\n"
PYTHON = """import os.path
import json, re
from a.b import (
    c as d,
    used,
)
from behave import given


@given("I stay")
def stay(context):
    used(json)


@given("I leave")
def leave(context):
    d(os.path.join(re, json))
"""
JAVA = """import io.cucumber.java.en.Given;
import shop.Clock;
import shop.Lamp;
import static shop.Lamps.*;

public class Steps {
  private Clock clock;

  @Given("I stay")
  public void stay() { clock.stop(); }

  @Given("I leave")
  public void leave() { new Lamp(clock).off(); }
}
"""
TYPESCRIPT = """import { Given } from '@cucumber/cucumber';
import Lamp, { Clock, type Hour as Time } from './shop';
import './hooks';

Given('I stay', function () { Clock.stop(); });

Given('I leave', function () { const at: Time = Clock.now(); new Lamp().off(at); });
"""
PHP = """<?php
use Behat\\Behat\\Context\\Context;
use Shop\\{Lamp, Clock as Time};

class Steps implements Context {
  /** @Given I stay */
  public function stay() { Lamp::on(); }

  /** @Given I leave */
  public function leave() { Lamp::off(new Time()); }
}
"""


TYPED = """import json, re
from behave import given


@given("I leave")
def leave(context):
    re.match(json)


@given("I stay")
def stay(context, of: {} = None):
    pass
"""
DOCUMENTED = """import {{ Given }} from '@cucumber/cucumber';
import {{ Lamp, Clock }} from './shop';

Given('I leave', () => {{ new Lamp().off(Clock.now()); }});

{}
Given('I stay', (it) => {{}});
"""


@pytest.mark.parametrize(
    ("path", "source", "said"),
    [
        ("features/steps/s.py", PYTHON, [":1 imports os", ":2 imports re", ":3 imports d"]),
        ("src/test/java/Steps.java", JAVA, [":3 imports Lamp"]),
        ("features/steps.ts", TYPESCRIPT, [":2 imports Lamp", ":2 imports Time"]),
        ("features/bootstrap/Steps.php", PHP, [":3 imports Time"]),
        ("features/steps/s.py", PYTHON.replace("used(json)", "used(json, 're of d', 're', 'd')"), [":1 imports os"]),
        ("features/steps/s.py", TYPED.format("'dict[str, re | json.Decoder]'"), []),
        ("features/steps/s.py", TYPED.format("'what re says, json too'"), [":1 imports json", ":1 imports re"]),
        ("features/steps.js", DOCUMENTED.format("/** @param {Lamp} of {@link Clock} */"), []),
        ("features/steps.js", DOCUMENTED.format("// of a Lamp"), [":2 imports Clock", ":2 imports Lamp"]),
        ("src/test/java/Steps.java", f"{JAVA}/** Of a {{@link Lamp}}. */ class More {{}}\n", []),
    ],
)
def test_imports_without_a_use_are_told(
    tmp_path: Path, monkeypatch, capfd, path: str, source: str, said: list[str]
) -> None:
    for name, text in ((path, source), ("features/a.feature", FEATURE)):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, "utf-8")
    (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path)
    assert run(["merge", "--unused", "--write", "--no-cache"]) == 0
    printed = capfd.readouterr().err
    told = [
        line.removeprefix("note: ") for line in printed.splitlines() if line.endswith("which nothing uses there then")
    ]
    assert told == [f"{path}{each}, which nothing uses there then" for each in said]
    assert "leave" not in (tmp_path / path).read_text("utf-8")
