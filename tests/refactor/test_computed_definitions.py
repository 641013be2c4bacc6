"""Definitions with a computed expression: a step that one of them may define is not renamed by half."""

import pytest

from cukereuse_engine.refactor.plan import plan_rename
from cukereuse_engine.refactor.rename_plan import RefusedPlanError
from cukereuse_engine.refactor.request import request_for

LOOP = "const {Given} = require('@cucumber/cucumber');\nGiven('I wait', () => {});\n"
HASH = "Given('I wait') { wait }\nT = { red: 'I see red' }\nT.each do |k, t|\n  Given(t) do\n    see k\n  end\nend\n"
EACH = "Given('I wait') {}\n{see: 1}.each { |k, v| Given(%s) { |w| v } }\n"
ONE_STEP = "Feature: f\n  Scenario: s\n    Given I see red\n"
LIST = "from behave import given\nfor t in ['I see red']:\n    @given(t)\n    def f(c): see()\n"
BEGUN = "from behave import given\n@given('I see')\ndef f(c): see()\n@given('I see' + more())\ndef g(c): go()\n"
ENUM = (
    "from behave import given\nclass T(str, Enum):\n    SEE = 'I see \"{c}\"'\n\n@given(T.SEE.value)\ndef f(c): see()\n"
)


@pytest.mark.parametrize(
    ("path", "source", "text", "place"),
    [
        ("s.js", LOOP + "['red', 'blue'].forEach(c => Given(`I see ${c}`, () => see(c)));\n", "I see red", "s.js:3"),
        (
            "s.js",
            LOOP + "const A = ['I see red'];\nfor (const c of A) Given(c, () => see(c));\n",
            "I see red",
            "s.js:4",
        ),
        ("s.js", LOOP + "for (const c of more()) Given(c, () => see(c));\n", "I see red", ""),
        ("s.js", LOOP + "Given('I see a {hue}', () => {});\n", "I see red", ""),
        ("s.js", LOOP + "Given('I see blue', () => {});\nGiven(more(), () => {});\n", "I see red", ""),
        ("s.js", LOOP + "Given(more(), () => {});\nexports.more = () => 'I see red';\n", "I see red", "s.js:3"),
        ("s.rb", HASH, "I see red", "s.rb:4"),
        ("s.rb", '%w[red].each do |c|\n  Given("I see #{c}") { see c }\nend\n', "I see red", "s.rb:2"),
        (
            "s.rb",
            "Given('I wait') {}\n{see: 1}.each { |k, v| Given(/^I #{k} (\\w+)$/) { |w| v } }\n",
            "I see red",
            "s.rb:2",
        ),
        ("s.rb", "Given('I wait') {}\n{see: 1}.each { |k, v| Given(/^I #{k} (\\d+)$/) { |w| v } }\n", "I see red", ""),
        ("s.js", LOOP + "for (const c of more()) Given(`${c} see {word}`, () => see(c));\n", "I see red", "s.js:3"),
        ("s.py", LIST, "I see red", "s.py:3"),
        ("s.py", BEGUN, "I see red", "s.py:4"),
        ("s.py", ENUM, 'I see "red"', "s.py:5"),
        ("s.py", ENUM, 'I see "what is red and much longer than that"', "s.py:5"),
    ],
)
def test_a_step_that_a_loop_may_define_is_not_half_renamed(path, source, text, place, memory):
    files = memory({"a.feature": f"Feature: f\n  Scenario: s\n    Given {text}\n", path: source})
    workspace = files.workspace()
    request = request_for(workspace, text, text.replace("see", "watch"))
    if not place:
        assert plan_rename(request, workspace).confirmation_needed
        return
    with pytest.raises(RefusedPlanError, match=f"{place} may define the step"):
        plan_rename(request, workspace)


def test_the_source_that_says_the_words_of_a_computed_definition_is_named(memory):
    words = "const {Then} = require('@cucumber/cucumber');\nThen('I go', go);\nexports.all = () => ['I see red'];\n"
    files = memory({"a.feature": ONE_STEP, "a.js": LOOP + "Given(more(), () => {});\n", "z.js": words})
    workspace = files.workspace()
    with pytest.raises(RefusedPlanError, match=r"a\.js:3 may define the step.* z\.js contains the step's words"):
        plan_rename(request_for(workspace, "I see red", "I watch red"), workspace)


def test_a_source_that_no_runner_loads_defines_nothing(tmp_path, disk):
    text = LIST.replace("['I see red']", "more()").replace("@given(t)", "@given('I see ' + t)")
    files = disk(tmp_path)
    files.write({"features/a.feature": ONE_STEP, "features/steps/old/s.py": text + "@given('I go')\ndef g(c): go()\n"})
    workspace = files.workspace()
    assert plan_rename(request_for(workspace, "I see red", "I watch red"), workspace).confirmation_needed
    files.write({"features/steps/s.py": "from steps.old import s\n"})
    workspace = files.workspace()
    with pytest.raises(RefusedPlanError, match=r"old/s\.py:3 may define the step"):
        plan_rename(request_for(workspace, "I see red", "I watch red"), workspace)
