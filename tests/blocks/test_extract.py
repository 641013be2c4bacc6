"""A block is extracted from a suite on disk: the written code, and a run that is the same before and after."""

import re
import shutil
import subprocess
import sys
from dataclasses import replace

import pytest

from cukereuse_engine.blocks import composite
from cukereuse_engine.blocks.cut_places import NoExtractionError
from cukereuse_engine.refactor.journal import Journal
from tests.blocks.conftest import contents

STEPS = """\
from behave import given, then, when


@given('I open the "{page}" page')
def open_page(context, page):
    context.calls = [("open", page)]


@given("I fill in the name '{name}'")
def fill_in(context, name):
    context.calls.append(("name", name))


@given("I press the button")
def press(context):
    context.calls.append(("press",))


@when("I {act} now")
def act(context, act):
    context.calls.append(act)


@when("I pay")
def pay(context):
    context.calls.append("pay")


@when("I ship")
def ship(context):
    context.calls.append("ship")


@when("I leave")
def leave(context):
    context.calls.append("leave")


@then("all is done")
def done(context):
    print("CALLS", context.calls)
"""
UNNAMED = re.sub(r"def \w+\(", "def step_impl(", STEPS)
"""Functions that can't be called."""
RUBY = """\
Given(/^I open the "([^"]*)" page$/) { |page| @calls = [page] }

Given(/^I fill in the name '([^']*)'$/) do |name|
  @calls << name
end

Given(/^I press the button$/) do
  @calls << 'press'
end

When(/^I pay$/) { @calls << 'pay' }
When(/^I ship$/) { @calls << 'ship' }
When(/^I leave$/) { @calls << 'leave' }
When(/^I wait now$/) { @calls << 'wait' }

Then(/^all is done$/) do
  puts @calls.inspect
end
"""
SCENARIO = """\
  Scenario: {name}
    Given I open the "login" page
    And I fill in the name '{name}'
    And I press the button
    When I {act}
    Then all is done
"""
NAMES = ("Ann", "Bob", "a {brace} \\ #{x}", "Zoë")


@pytest.fixture
def suite(tmp_path):
    """A function that writes a suite and returns its folder."""

    def write(glue=("steps/steps.py", STEPS), scenario=SCENARIO, names=NAMES):
        root = tmp_path / "features"
        source = root / glue[0]
        source.parent.mkdir(parents=True)
        rows = list(zip(names, ("pay", "ship", "leave", "wait now"), strict=True))
        source.write_text(glue[1], "utf-8")
        for number, half in enumerate((rows[:2], rows[2:])):
            text = "".join(scenario.format(name=name, act=act) + "\n" for name, act in half)
            (root / f"f{number}.feature").write_text(f"Feature: f{number}\n{text}", "utf-8", newline="\r\n")
        return root

    return write


def test_the_new_step_runs_the_old_ones(suite, written):
    root = suite(("steps/steps.py", UNNAMED))
    plan = written(root, "I am logged in as {name}")
    assert len(plan.places) == 4
    assert (root / "steps/steps.py").read_text("utf-8").split("@given")[-1].split("\n\n\n@when")[0] == (
        "('I am logged in as \"{name}\"')\n"
        "def step_impl(context, name):\n"
        '    context.execute_steps(f"""\n'
        '        Given I open the "login" page\n'
        "        And I fill in the name '{name}'\n"
        "        And I press the button\n"
        '    """)\n'
    )
    assert (root / "f0.feature").read_bytes().decode() == (
        "Feature: f0\r\n"
        '  Scenario: Ann\r\n    Given I am logged in as "Ann"\r\n    When I pay\r\n    Then all is done\r\n\r\n'
        '  Scenario: Bob\r\n    Given I am logged in as "Bob"\r\n    When I ship\r\n    Then all is done\r\n\r\n'
    )


def test_the_new_step_is_where_its_keyword_is_imported(suite, written):
    """Most of the block's steps are in another file, which has none of this keyword."""
    source = 'from behave import when\n\n\n@when("we {act}")\ndef step_impl(context, act):\n    print(act)\n'
    scenario = "  Scenario: {name}\n    When we {act}\n    Then all is done\n    And nothing is left\n"
    root = suite(("steps/actions.py", source), scenario, ("A", "B", "C", "D"))
    thens = "".join(
        f'\n\n@then("{text}")\ndef step_impl(context):\n    print(1)\n' for text in ("all is done", "nothing is left")
    )
    (root / "steps/checks.py").write_text(f"from behave import then\n{thens}", "utf-8")
    assert len(written(root, "I am done with {act}").places) == 4
    assert "@when('I am done with" in (root / "steps/actions.py").read_text("utf-8")


def test_a_run_is_the_same(suite, written):
    root = suite(("steps/steps.py", UNNAMED), names=("Ann", "Bob", "a {brace}", "Zoë"))

    def run():
        command = [sys.executable, "-m", "behave", "--no-capture", "--format", "null", str(root)]
        done = subprocess.run(command, capture_output=True, text=True, check=True, encoding="utf-8")
        return [line for line in done.stdout.splitlines() if line.startswith("CALLS")]

    before = run()
    written(root)
    assert run() == before
    assert len(before) == 4


def test_undone_whole(suite, written):
    root = suite()
    before = contents(root)
    written(root)
    assert contents(root) != before
    Journal(str(root.parent)).undo()
    assert contents(root) == before


def test_in_ruby(suite, written):
    root = suite(("step_definitions/steps.rb", RUBY))
    plan = written(root, "I am logged in as {name}")
    assert plan.model.framework == "cucumber-ruby"
    assert (
        'Given(/^I am logged in as "([^"]*)"$/) do |name|\n'
        "  steps <<~STEPS\n"
        '    Given I open the "login" page\n'
        "    And I fill in the name '#{name}'\n"
        "    And I press the button\n"
        "  STEPS\n"
        "end\n"
    ) in (root / "step_definitions/steps.rb").read_text("utf-8")


@pytest.mark.runner
def test_a_run_in_ruby_is_the_same(suite, written):
    cucumber = shutil.which("cucumber")
    if cucumber is None:
        pytest.skip("Cucumber for Ruby is not installed")
    root = suite(("step_definitions/steps.rb", RUBY), names=("Ann", "Bob", 'a \\ #{x} "y"', "Zoë"))

    def run():
        command = [cucumber, "--format", "progress", str(root)]
        done = subprocess.run(command, capture_output=True, text=True, check=True, encoding="utf-8", cwd=root.parent)
        return [line for line in done.stdout.splitlines() if "login" in line]

    before = run()
    assert len(before) == 4
    written(root, "I am logged in as '{name}'")
    assert run() == before


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"names": ('it\'s the "great"', "Ann", "Bob", "Cid")}, "a value contains a quote"),
        ({"glue": ("steps/steps.py", UNNAMED.replace('@given("I press the button")', ""))}, "binds to no step"),
        ({"glue": ("notes.txt", "")}, "no step definitions are known"),
    ],
)
def test_refused_with_the_reason(suite, plan_of, change, reason):
    root = suite(**change)
    before = contents(root)
    with pytest.raises(NoExtractionError, match=reason):
        plan_of(root)
    assert contents(root) == before


@pytest.mark.parametrize(
    ("language", "keywords", "steps", "proposed"),
    [
        (
            "en",
            ("Given", "And", "When"),
            ("I open the shop", 'I am "{name}" of {place}', "I lock the door"),
            "I open the shop, am {user_name} of Rome and lock the door",
        ),
        (
            "de",
            ("Angenommen", "Und", "Wenn"),
            ("ich öffne den Laden", 'ich bin "{name}" aus {place}', "ich schließe ab"),
            "ich öffne den Laden, bin {user_name} aus Rome und schließe ab",
        ),
        (
            "ja",
            ("前提", "かつ", "もし"),
            ("店を開ける", '名前は "{name}" で {place}', "鍵を掛ける"),
            "店を開ける, 名前は {user_name} で Rome且つ鍵を掛ける",
        ),
    ],
)
def test_a_step_is_proposed_in_the_words_of_the_suite(tmp_path, plan_of, language, keywords, steps, proposed):
    """Parameters have the names of the step definitions, and the words between are in the features' language."""
    given, conjunction, when = keywords
    definitions = [text.replace('"{name}"', '"{userName}"') for text in steps]
    (tmp_path / "steps").mkdir()
    (tmp_path / "steps/steps.py").write_text(
        "from behave import step\n\n\n"
        + "".join(f"@step('{text}')\ndef f{number}(context, **rest):\n    context.calls.append({number})\n\n\n"
                  for number, text in enumerate((*definitions, "{anything}?"))),
        "utf-8",
    )  # fmt: skip
    for number, name in enumerate(("Ann", "Bob", "Cid")):
        lines = [text.format(name=name, place="Rome") for text in steps]
        (tmp_path / f"{number}.feature").write_text(
            f"# language: {language}\n{TITLES[language][0]}: f\n\n  {TITLES[language][1]}: s\n    {given} {lines[0]}\n"
            f"    {conjunction} {lines[1]}\n    {conjunction} {lines[2]}\n    {when} {number}?\n",
            "utf-8",
        )
    assert plan_of(tmp_path).wording == proposed


@pytest.mark.parametrize(
    ("steps", "wording"),
    [
        (
            ("a node {a}", "a node {b}", "a node {c}"),
            "a node {node}, a node {node2} and a node {node3}",
        ),
        (  # what was said already is said by its name: its value would be true in one place only
            ("a node {a}", "a leaf {b}", "an edge from {a} to {c}"),
            "a node {node}, a leaf {leaf} and an edge from node to {value}",
        ),
        (  # a label is no value, so it can name what has no name of its own
            ('I fill in "Email" with {a}', 'I fill in "Password" with {b}', 'I press "Sign in"'),
            """I fill in "Email" with {email}, fill in "Password" with {password} and press "Sign in\"""",
        ),
        (("I open {a}", "I follow {b}", "I pay"), "I open {value}, follow {value2} and pay"),
    ],
)
def test_a_proposed_step_says_of_each_place_what_is_true(tmp_path, plan_of, steps, wording):
    (tmp_path / "steps").mkdir()
    texts = {re.sub(r"\{\w\}", '"{}"', step) for step in steps} | {"{}?"}
    (tmp_path / "steps/steps.py").write_text(
        "from behave import step\n\n\n"
        + "".join(f"@step('{text}')\ndef f{number}(context, *rest):\n    context.calls.append({number})\n\n\n"
                  for number, text in enumerate(sorted(texts))),
        "utf-8",
    )  # fmt: skip
    for number in range(3):
        said = [step.format(**{name: f'"{name}{number}"' for name in "abc"}) for step in steps]
        lines = "".join(f"    And {text}\n" for text in said)
        (tmp_path / f"{number}.feature").write_text(
            f'Feature: f\n\n  Scenario: s\n{lines}    When "{number}"?\n'.replace("And", "Given", 1), "utf-8"
        )
    assert plan_of(tmp_path).wording.removeprefix("first ") == wording


def test_the_examples_of_a_place_decide_the_type_of_a_parameter(tmp_path, plan_of):
    """`{word}` would hand a text to a function that takes a number."""
    (tmp_path / "Steps.java").write_text(
        "import io.cucumber.java.en.Given;\n\npublic class Steps {\n"
        '    @Given("I add {int} teas")\n    public void add(int n) {\n        this.shop.add(n);\n    }\n\n'
        '    @Given("I pay")\n    public void pay() {\n        this.shop.pay();\n    }\n\n'
        '    @Given("I have {int} teas")\n    public void have(int n) {\n        this.shop.check(n);\n    }\n}\n',
        "utf-8",
    )
    for number in range(3):
        (tmp_path / f"{number}.feature").write_text(
            "Feature: f\n\n  Scenario Outline: s\n    Given I add <n> teas\n    Given I pay\n"
            "    Given I have <n> teas\n"
            f"    Given I pay\n\n    Examples:\n      | n |\n      | {number} |\n",
            "utf-8",
        )
    written = next(file for file in plan_of(tmp_path).files if file.is_glue)
    new = "".join(edit.new for edit in written.edits)
    assert "{int}" in new
    assert "{word}" not in new


TITLES = {"en": ("Feature", "Scenario"), "de": ("Funktionalität", "Szenario"), "ja": ("フィーチャ", "シナリオ")}


@pytest.mark.parametrize(
    ("wording", "reason"),
    [
        ("I am logged in", "needs these parameters"),
        ("I am logged in as {name} {name}", "appears twice"),
        ("I am {name}", None),
        ("I fill in the name '{name}'", "the edited source would define different steps|different functions|match"),
    ],
)
def test_wordings(suite, plan_of, wording, reason):
    root = suite()
    if reason is None:
        plan_of(root, wording)
    else:
        with pytest.raises(NoExtractionError, match=reason):
            plan_of(root, wording)


@pytest.mark.parametrize(
    ("wrong", "reason"),
    [
        (lambda lines: lines[:-1], "“Ann” would run “I pay” instead of “I press the button”"),
        (
            lambda lines: [*lines[:-1], (lines[-1][0], ["I press the button again"])],
            "“Ann” would run “I press the button again” instead of “I press the button”",
        ),
        (
            lambda lines: [lines[0], (lines[1][0], ["I fill in the name 'Ann'"]), lines[2]],
            "“Bob” would run “I fill in the name .+” with other arguments",
        ),
    ],
)
def test_the_check_sees_what_is_wrong(suite, plan_of, monkeypatch, wrong, reason):
    """The check reads the written code: it refuses a writer that forgets a step or a value."""
    honest = composite.WRITERS["behave"]
    monkeypatch.setitem(composite.WRITERS, "behave", lambda lines, names: honest(wrong(lines), names))
    with pytest.raises(NoExtractionError, match=reason):
        plan_of(suite(("steps/steps.py", UNNAMED)))


def test_code_that_would_not_parse_is_refused(suite, plan_of, monkeypatch):
    honest = composite.WRITERS["behave"]

    def broken(lines, names):
        body = honest(lines, names)
        return replace(body, lines=(*body.lines, "run(("))

    monkeypatch.setitem(composite.WRITERS, "behave", broken)
    with pytest.raises(NoExtractionError, match="the file would no longer parse"):
        plan_of(suite(("steps/steps.py", UNNAMED)))


@pytest.mark.parametrize(
    ("step", "wording"),
    [
        ('I see "Hello {}!"', "I open the shop, see Hello {hello}! and leave"),  # no slot inside quotes
        ("I GET /users/{}/tea", "I open the shop, GET /users/users/tea and leave, with users {users}"),
        ("I run `{}` twice", "I open the shop, run {value} twice and leave"),
    ],
)
def test_a_proposed_step_has_its_slots_apart(tmp_path, plan_of, step, wording):
    (tmp_path / "steps").mkdir()
    (tmp_path / "steps/steps.py").write_text(
        "from behave import step\n\n\n"
        + "".join(f"@step('{text}')\ndef step_impl(context, *rest):\n    context.calls.append({number})\n\n\n"
                  for number, text in enumerate(("I open the shop", step, "I leave", "I {:d}"))),
        "utf-8",
    )  # fmt: skip
    for number in range(3):
        said = f"    Given I open the shop\n    And {step.replace('{}', f'a{number}')}\n    And I leave\n"
        (tmp_path / f"{number}.feature").write_text(
            f"Feature: f\n\n  Scenario: s\n{said}    When I {number}\n", "utf-8"
        )
    plan = plan_of(tmp_path)
    assert plan.wording == wording
