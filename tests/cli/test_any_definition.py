"""One definition that is strange, broken or beyond the engine ends no command."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

FEATURE = "Feature: f\n  Scenario: s\n    Given all is well\n    Then the basket holds 3 apples\n    And a '3'\n"
FATAL = {
    "names.cs": """using Reqnroll;
[Binding] class A { [Then] public void Then_the_basket_holds_P0_apples(int n) { } }""",
    "twice.cs": r"""using Reqnroll;
[Binding] class B { [Then(@"^a (?:""(?<n>\d+)""|'(?<n>\d+)')$")] public void Step(string n) { } }""",
    "twice.rb": r"""Then(/^a (?:"(?<n>\d+)"|'(?<n>\d+)')$/) { |n| }""",
    "twice.js": r"""const {Then} = require('@cucumber/cucumber')
Then(/^a (?:"(?<n>\d+)"|'(?<n>\d+)')$/, function (n) {})
Then(/^a(?<b>c$/, function () {})""",
    "twice.php": r"""<?php class C { /** @Then /(?J)^a (?:"(?<n>\d+)"|'(?<n>\d+)')$/ */ public function a() {}
/** @Then /(?|a (\d)|b (\d)) (?(DEFINE)(?<x>y))(?&x)/ */ public function b() {} }""",
    "conditional.py": """from behave import then, use_step_matcher
use_step_matcher("re")
@then(r"(a)?(?(1)b|c)")
def step(context): pass
""",
    "type.java": r"""import io.cucumber.java.*; import io.cucumber.java.en.*;
class T { @ParameterType("(?<n>a)|(?<n>b)") public String twice(String x) { return x; }
@Given("the {twice}") public void step(String x) { } }""",
}
COMMANDS = [
    ["steps"],
    ["scan"],
    ["similar", "a 'x'"],
    ["rename", "--from", "all is well", "--to", "all is fine"],
    ["stats"],
    ["calibrate", "."],
]


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command[0])
def test_every_command_goes_on(
    command: list[str], run: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, source in FATAL.items():
        (tmp_path / name).write_text(source, encoding="utf-8")
    (tmp_path / "well.py").write_text("from behave import given\n@given('all is well')\ndef step(context): pass\n")
    (tmp_path / "a.feature").write_text(FEATURE, encoding="utf-8")
    (tmp_path / "behave.ini").write_text("[behave]\n")
    outcome = run(*command)
    too_few = command[0] == "calibrate" and "too few" in outcome.err
    assert outcome.code in (0, 1) or too_few, outcome
    assert "Traceback" not in outcome.err
