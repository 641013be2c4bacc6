"""`cukereuse steps`: definitions and uses, as a table, as JSON, as an exit code."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cukereuse
import pytest

Run = Callable[..., Any]


def test_table(run: Run, suite: Path) -> None:
    del suite
    outcome = run("steps")
    assert outcome.code == 1, "an undefined step is a warning here"
    lines = [line.split() for line in outcome.out.splitlines()]
    assert ["2", "the", "shop", "is", "open", "features/steps/steps.py:4"] in lines
    assert ["3", "I", "log", "in", "as", '"{name}"', "features/steps/steps.py:9"] in lines
    assert ["nobody", "needs", "this", "features/steps/steps.py:24"] in lines
    assert ["I", "fly", "to", "the", "moon", "features/login.feature:13"] in lines
    assert outcome.out.splitlines()[-1] == "5 definitions, 1 unused; 10 steps, 1 undefined, 0 ambiguous"


def test_json(run: Run, suite: Path) -> None:
    outcome = run("steps", "--json", suite)
    data = json.loads(outcome.out)
    assert data["summary"] == {
        "definitions": 5,
        "unused_definitions": 1,
        "steps": 10,
        "undefined_steps": 1,
        "library_steps": 0,
        "ambiguous_steps": 0,
        "unread": 0,
    }
    (entry,) = data["suites"]
    assert {each["expression"]: each["uses"] for each in entry["definitions"]} == {
        "the shop is open": 2,
        'I log in as "{name}"': 3,
        "I order tea": 1,
        "I see my name": 3,
        "nobody needs this": 0,
    }
    (undefined,) = entry["undefined"]
    assert (undefined["text"], undefined["line"], undefined["keyword"]) == ("I fly to the moon", 13, "And")
    assert Path(undefined["path"]) == suite / "features" / "login.feature"


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ([], 1),
        (["--fail-on", "error"], 0),
        (["--fail-on", "off"], 0),
        (["--severity", "undefined-step=error", "--fail-on", "error"], 1),
        (["--severity", "undefined-step=off"], 0),
        (["--severity", "undefined-step=off", "--fail-on", "information"], 1),
        (["features/orders.feature"], 0),
        (["features/login.feature"], 1),
        (["--unused"], 0),
        (["--unused", "--fail-on", "information"], 1),
        (["--undefined"], 1),
    ],
)
def test_exit_code(run: Run, suite: Path, arguments: list[str], code: int) -> None:
    del suite
    assert run("steps", *arguments).code == code


@pytest.mark.parametrize(
    ("flag", "there", "missing"),
    [
        ("--unused", "nobody needs this", "I fly to the moon"),
        ("--undefined", "I fly to the moon", "nobody needs this"),
        ("--ambiguous", "0 ambiguous", "nobody needs this"),
    ],
)
def test_only_one_list(run: Run, suite: Path, flag: str, there: str, missing: str) -> None:
    del suite
    outcome = run("steps", flag)
    assert there in outcome.out
    assert missing not in outcome.out


def test_ambiguous_names_every_definition(run: Run, suite: Path) -> None:
    (suite / "features" / "steps" / "more.js").write_text(
        "const { When } = require('@cucumber/cucumber');\nWhen('I order tea', () => {});\nWhen(/order/, () => {});\n"
    )
    (suite / "features" / "steps" / "steps.py").unlink()
    outcome = run("steps", "--json", "-", "--severity", "undefined-step=off")
    (ambiguous,) = json.loads(outcome.out)["suites"][0]["ambiguous"]
    assert [(each["expression"], each["line"]) for each in ambiguous["definitions"]] == [
        ("I order tea", 2),
        ("order", 3),
    ]
    assert outcome.code == 1
    assert "more.js:2, features/steps/more.js:3" in run("steps").out


@pytest.mark.parametrize("glue", ["elsewhere", "elsewhere/deep/steps.py", "else*/**/*.py"])
def test_glue_elsewhere(run: Run, suite: Path, glue: str) -> None:
    (suite / "elsewhere" / "deep").mkdir(parents=True)
    (suite / "features" / "steps" / "steps.py").rename(suite / "elsewhere" / "deep" / "steps.py")
    outcome = run("steps", "features", "--glue", glue)
    assert "5 definitions" in outcome.out
    (suite / "cukereuse.toml").write_text(f"glue = ['{glue}']")
    assert run("steps", "features").out == outcome.out


def test_no_definitions(run: Run, suite: Path) -> None:
    (suite / "features" / "steps" / "steps.py").unlink()
    outcome = run("steps")
    assert outcome.code == 2
    assert "no step definitions were found" in outcome.err
    assert "--glue" in outcome.err


@pytest.mark.parametrize(("glue", "message"), [("nowhere", "nowhere: no such file"), ("no*", "nothing matches no*")])
@pytest.mark.parametrize("command", ["steps", "scan"])
def test_glue_that_is_not_there(run: Run, suite: Path, command: str, glue: str, message: str) -> None:
    """What is named is the place to correct: the flag or the file, and the setting."""
    outcome = run(command, "--glue", glue)
    assert outcome.code == 2
    assert f"--glue: glue: {message}" in outcome.err
    (suite / "cukereuse.toml").write_text(f"glue = '{glue}'")
    outcome = run(command)
    assert outcome.code == 2
    assert f"{suite / 'cukereuse.toml'}: glue: {message}" in outcome.err.replace("\n", "")


def test_what_was_not_read_is_said(run: Run, suite: Path) -> None:
    """A definition looks unused if only a skipped line uses it: every command tells the user about skipped lines."""
    broken = suite / "features" / "broken.feature"
    broken.write_text("Feature: b\n  Scenario: s\n    Given the shop is open\n    Given: nobody needs this\n")
    outcome = run("steps")
    assert "note: 1 place could not be read as valid Gherkin." in outcome.err
    assert "broken.feature:4:5" in outcome.err
    assert "unused" in outcome.err
    (entry,) = json.loads(run("steps", "--json", "-").out)["suites"]
    assert [error["line"] for error in entry["unread"]] == [4]
    assert "could not be read" not in run("steps", "--undefined").err
    renamed = run("rename", "--from", "the shop is open", "--to", "the shop has opened")
    assert "1 place could not be read" in renamed.err
    assert "1 place could not be read" in run("fold").err


def test_exported_scenarios_of_vanessa_automation_are_definitions(
    run: "Run", tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Vanessa's own step definitions are in no source: a step without a definition here is not called undefined."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "library.feature").write_text(
        '#language: ru\n@ExportScenarios\nФункционал: Библиотека\nСценарий: я открываю форму "Имя"\n\tИ я жду\n',
        "utf-8",
    )
    (tmp_path / "form.feature").write_text(
        '#language: ru\nФункционал: f\nСценарий: s\n\tКогда я открываю форму $Форма$\n\tЕсли "x" Тогда\n'
        "\t\tИ я ОТКРЫВАЮ форму 'x'\n\tКонецЕсли\n\tИ я нажимаю $Кнопка$\n",
        "utf-8",
    )
    summary, (suite,) = (document := json.loads(run("steps", "--json").out))["summary"], document["suites"]
    assert [(definition["function"], definition["uses"]) for definition in suite["definitions"]] == [
        ('я открываю форму "Имя"', 2)
    ]
    assert (summary["undefined_steps"], summary["unread"], summary["steps"]) == (0, 0, 4)


EXPORTED = """# language: ru
@ExportScenarios
Функционал: Библиотека
  Сценарий: я делаю "Что"
    И я жду
  Сценарий: я жму дважды
    И я делаю "раз"
"""


@pytest.mark.parametrize(
    ("old", "new", "message", "code"),
    [
        ('я делаю "раз"', "я готовлю {1}", "it is the title of an exported scenario", 1),
        ("я жду", "я жму дважды", "я жму дважды (library.feature:6) would match it", 1),
        ('я жду "x"', "я делаю {1}", 'я делаю "Что" (library.feature:4) would match it', 1),
        ("я жду", "я стою", "would rename 2 steps in 2 feature files", 0),
    ],
)
def test_renames_around_exported_scenarios(
    old: str, new: str, message: str, code: int, run: "Run", tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "library.feature").write_text(EXPORTED, "utf-8")
    form = '# language: ru\nФункционал: f\n  Сценарий: s\n    Когда я жду\n    И я жду "x"\n    И я делаю "два"\n'
    (tmp_path / "form.feature").write_text(form, "utf-8")
    outcome = run("rename", "--from", old, "--to", new)
    assert message in outcome.out + outcome.err
    assert "planned" not in outcome.out + outcome.err
    assert outcome.code == code


RUBY = "Given(/^caller$/) do\n  {}\nend\nGiven(/^alone$/) do\nend\n{}"
BEHAVE = "from behave import given\n@given('caller')\ndef a(context):\n    {}\n@given('alone')\ndef b(c): pass\n{}"
CSHARP = (
    'using Reqnroll;\n[Binding] public class A : Steps {{\n  [Given("caller")] public void M() {{ {} }}\n'
    '  [Given("alone")] public void N() {{}}\n{}\n}}\n'
)
CYPRESS = (
    "import {{ Given, Step }} from '@badeball/cypress-cucumber-preprocessor';\nGiven('caller', function () {{ {} }});\n"
    "Given('alone', () => {{}});\n{}"
)


@pytest.mark.parametrize(
    ("name", "source", "call", "called"),
    [
        ("step_definitions/a.rb", RUBY, 'step "tea"', "Given(/^tea$/) do\nend"),
        ("step_definitions/a.rb", RUBY, 'steps %{\n    When tea\n    And x "y"\n}', "When(/^tea$/) { }"),
        ("step_definitions/a.rb", RUBY, 'steps %{ And no \\"tea\\" }', 'When(/^no "(.*)"$/) { |x| }'),
        ("step_definitions/a.rb", RUBY, "steps <<~S\n  Angenommen 3 Tees\nS", "Angenommen(/^(\\d) Tees$/) { |n| }"),
        ("steps/a.py", BEHAVE, "context.execute_steps('When tea')", "@given('tea')\ndef c(x): pass"),
        ("steps/a.py", BEHAVE, "context.execute_steps(f'When {a} teas')", "@given('{n:d} teas')\ndef c(x, n): pass"),
        ("steps/a.py", BEHAVE, "context.execute_steps('Given tea {}'.format('x'))", "@given('tea x')\ndef c(x): pass"),
        ("steps/a.py", BEHAVE, "context.execute_steps('Given tea %s' % n)", "@given('tea {n:d}')\ndef c(x, n): pass"),
        ("A.cs", CSHARP, 'Given("tea");', '[Given("tea")] public void C() {}'),
        ("A.cs", CSHARP, 'Given(string.Format("tea {0}", n));', '[Given("tea {int}")] public void C(int n) {}'),
        ("A.cs", CSHARP, 'Given(String.Format("{1} tea", n, "green"));', '[Given("green tea")] public void C() {}'),
        ("step_definitions/a.js", CYPRESS, "Step(this, 'tea \"x\"');", "Given('tea {string}', (s) => {});"),
        ("step_definitions/a.js", CYPRESS, "Step(this, `Given ${n} teas`);", "Given('Given {int} teas', (n) => {});"),
    ],
)
def test_what_code_alone_runs_is_used(run: Run, tmp_path: Path, name: str, source: str, call: str, called: str) -> None:
    folder = tmp_path / "features"
    path = folder / name
    path.parent.mkdir(parents=True)
    path.write_text(source.format(call, called), encoding="utf-8")
    (folder / "a.feature").write_text("Feature: f\n  Scenario: s\n    Given caller\n", encoding="utf-8")
    data = json.loads(run("steps", "--json", tmp_path).out)
    assert [definition["expression"].strip("^$") for definition in data["suites"][0]["unused"]] == ["alone"]


def test_one_expression_under_two_keywords_is_used_with_one_of_them(run: Run, tmp_path: Path) -> None:
    (tmp_path / "steps").mkdir()
    (tmp_path / "steps/a.py").write_text(
        "from behave import given, when\n\n\n@given('tea')\n@when('tea')\n@when('coffee')\ndef f(context):\n    pass\n",
        "utf-8",
    )
    (tmp_path / "a.feature").write_text("Feature: f\n  Scenario: s\n    Given tea\n", "utf-8")
    (suite,) = json.loads(run("steps", "--json", tmp_path).out)["suites"]
    assert [definition["expression"] for definition in suite["unused"]] == ["coffee"]


def test_a_function_that_other_code_names_too_does_not_make_its_registration_used(run: Run, tmp_path: Path) -> None:
    steps = "const { Before, Given } = require('@cucumber/cucumber');\nconst { open, shut } = require('./doors');\n"
    (tmp_path / "steps").mkdir()
    (tmp_path / "steps/doors.js").write_text("exports.open = () => {};\nexports.shut = () => {};\n", "utf-8")
    (tmp_path / "steps/a.js").write_text(f"{steps}Before(shut);\nGiven('open', open);\nGiven('shut', shut);\n", "utf-8")
    (tmp_path / "a.feature").write_text("Feature: f\n  Scenario: s\n    Given open\n", "utf-8")
    (suite,) = json.loads(run("steps", "--json", tmp_path).out)["suites"]
    assert [definition["expression"] for definition in suite["unused"]] == ["shut"]


KEYWORDS = """from behave import given, when, then


@given("a list with:")
def listed(context):
    context.lists.fill()


@then("a list with:")
def checked(context):
    assert context.lists


@when("tea")
def tea(context):
    context.pour()
"""


@pytest.mark.parametrize(
    ("steps", "arguments", "said"),
    [
        (["Given a list with:", "When tea"], [], ["1  a list with: (given)", "0  a list with: (then)", "1  tea  "]),
        (["Given a list with:", "When tea"], ["--unused"], ["a list with: (then)"]),
        (["Given a list with:"], ["--unused"], ["a list with: (then)", "tea  "]),
    ],
)
def test_a_keyword_tells_two_definitions_apart(
    run: Run, tmp_path: Path, steps: list[str], arguments: list[str], said: list[str]
) -> None:
    listed = suite_of_keywords(run, tmp_path, steps)("steps", *arguments, tmp_path).out
    assert all(part in listed for part in said)
    assert "tea (" not in listed


def test_the_definition_that_is_deleted_is_told_by_its_keyword(run: Run, tmp_path: Path) -> None:
    deleted = suite_of_keywords(run, tmp_path, ["Given a list with:", "When tea"])("merge", "--unused", tmp_path).err
    assert "  without “a list with: (then)”\n" in deleted


def suite_of_keywords(run: Run, folder: Path, steps: list[str]) -> Run:
    (folder / "steps").mkdir()
    (folder / "steps/a.py").write_text(KEYWORDS, "utf-8")
    lines = "".join(f"    {step}\n" for step in steps)
    (folder / "a.feature").write_text(f"Feature: f\n  Scenario: s\n{lines}", "utf-8")
    return run


OTHER_TEST = """const { When } = require('@cucumber/cucumber')
When('I fly {nowhere}', () => {})
"""


@pytest.mark.parametrize(
    ("configuration", "other", "is_listed"),
    [
        ('{"default": {"require": ["features/**/*.js"]}}', OTHER_TEST, False),
        ('{"default": {"import": ["features/**/*.js"]}}', OTHER_TEST, False),
        ('{"default": {"require": ["features/**/*.js"], "paths": ["features/web/*.feature"]}}', OTHER_TEST, True),
        ('{"default": {"require": ["features/**/*.js"]}}', OTHER_TEST + "When('I land', () => {})\n", True),
        ("{}", OTHER_TEST, True),
        ("{", OTHER_TEST, True),
    ],
    ids=["required", "imported", "other features", "loaded by another", "nothing named", "no JSON"],
)
def test_sources_that_the_profile_does_not_load_are_not_listed(
    configuration: str, other: str, is_listed: bool, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = {
        "cucumber.json": configuration,
        "features/a.feature": "Feature: f\n  Scenario: s\n    When I wait\n    And I land\n",
        "features/steps.js": "const { When } = require('@cucumber/cucumber')\nWhen('I wait', () => {})\n",
        "test/spec.js": other,
    }
    for name, text in files.items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, "utf-8")
    (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path)
    (suite,) = json.loads(run("steps", "--json").out)["suites"]
    for kind in ("definitions", "unused", "errors"):
        assert any("spec.js" in str(entry) for entry in suite[kind]) == is_listed, kind
    scanned = json.loads(run("scan", "--json", "--strategy", "exact", "--severity", "unused-definition=hint").out)
    assert (scanned["suites"][0]["step_definitions"] > 1) == is_listed
    assert (len(scanned["findings"]) == 1) == is_listed
    assert ("spec.js" in run("merge", "--unused", "--no-cache").out) == is_listed
    assert any("spec.js" in use.definition.path for use in cukereuse.steps(".")) == is_listed
