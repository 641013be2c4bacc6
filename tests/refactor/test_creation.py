"""A definition for a step that has none, in the language and style of its neighbours."""

import ast
import re
import shutil
import subprocess
from contextlib import nullcontext
from pathlib import Path

import pytest

from cukereuse_engine.functions.reading import forms_of
from cukereuse_engine.gherkin.feature import Step
from cukereuse_engine.gherkin.read import read_text
from cukereuse_engine.glue.languages.base import extract
from cukereuse_engine.glue.matchers import compile_definition
from cukereuse_engine.refactor.creation.new_file import new_file_for
from cukereuse_engine.refactor.creation.planning import (
    NoCreationError,
    model_for,
    plan_creation,
    plan_creations,
    plan_new_file,
)
from cukereuse_engine.refactor.edits import edited_bytes
from tests.refactor.shop_sources import EXPECTED, SOURCES, steps

SYNTAX = {".rb": ["ruby", "-c"], ".js": ["node", "--check"]}
"""A language's own check of sources, if the tests' machine has it."""


def sayable(name: str) -> list[Step]:
    """Behat's patterns can't contain parentheses, and know no quotes but `"` and `'`."""
    return [step for step in steps() if not (name.endswith(".php") and re.search("[(“«]", step.text))]


def created(name: str, source: str, step: Step) -> str:
    path = f"/shop/{name}"
    data = source.encode()
    definitions = extract(path, data).definitions
    model = model_for(step, (), definitions)
    assert model is not None
    return edited_bytes(plan_creation(step, model, lambda _: data), data).decode()


@pytest.mark.parametrize("name", EXPECTED)
def test_it_reads_like_its_neighbours(name: str):
    source = SOURCES[name]
    after = created(name, source, steps()[1])
    closing = "}\n" if "class" in source and name.endswith((".java", ".kt", ".cs", ".php")) else ""
    assert after == source.removesuffix(closing) + EXPECTED[name] + closing


@pytest.mark.parametrize(
    ("name", "source", "written"),
    [
        (
            "a.py",
            "from pytest_bdd import given, parsers\n\n\n@given(\n    parsers.parse(\n"
            "        'the shop at {place} is open',\n    ),\n)\ndef open_shop(place):\n    place.open()\n",
            "\n@given(parsers.parse('a shop with {number:d} shelves'))\ndef ",
        ),
        (
            "a.py",
            "from pytest_bdd import given, parsers\n\n\n@given(\n    parsers.parse('the shop at {place} is open')\n)\n"
            "def open_shop(place):\n    place.open()\n",
            "\n@given(parsers.parse('a shop with {number:d} shelves'))\ndef ",
        ),
        (
            "a.js",
            "const { Given } = require('@cucumber/cucumber');\n\nGiven(\n  'the shop is open',\n  function () {\n"
            "    this.shop.open();\n  },\n);\n",
            "\nGiven('a shop with {int} shelves', function (",
        ),
        (
            "A.java",
            'import io.cucumber.java.en.Given;\n\npublic class A {\n  @Given(\n      "the shop is open")\n'
            "  public void open() {\n    shop.open();\n  }\n}\n",
            '\n  @Given("a shop with {int} shelves")\n  public void ',
        ),
    ],
)
def test_a_registration_over_several_lines_is_a_model_too(name: str, source: str, written: str):
    assert written in created(name, source, steps()[0])


@pytest.mark.parametrize(
    ("name", "source"),
    [
        (
            "A.php",
            "<?php\nclass A implements Behat\\Behat\\Context\\Context {\n\t/**\n\t * @Given the shop is open\n\t */\n"
            "\tpublic function open() {\n\t\t$this->open = [\n\t\t\t1,\n\t\t];\n\t}\n}\n",
        ),
        (
            "A.java",
            'import io.cucumber.java.en.Given;\n\npublic class A {\n  @Given("the shop is open")\n'
            "  public void open() {\n    shop.open();\n  }\n}\n",
        ),
        (
            "A.cs",
            'using Reqnroll;\n\n[Binding]\npublic class A\n{\n\t[Given("the shop is open")]\n'
            "\tpublic void Open() { Shop.Open(); }\n}\n",
        ),
        (
            "a.py",
            "from behave import given, when\n\n\f\f\f\f\f\n@given('the shop is open')\ndef open_shop(\n  context,\n):\n"
            "  context.open()\n",
        ),
        (
            "a.js",
            "const { Given } = require('@cucumber/cucumber');\n\nGiven('the shop is open', function () {\n"
            "    this.shop.open();\n});\n",
        ),
    ],
)
def test_it_is_indented_as_its_neighbours_are(name: str, source: str):
    after = created(name, source, steps()[1])
    unit = re.search(r"\n([ \t]+)(?:this\.|@Given|\[Given|\* @Given|context\.|/\*\*)", source)
    assert unit is not None
    new = after.replace(source.removesuffix("}\n"), "")
    steps_in = [
        line[: len(line) - len(line.lstrip())] for line in new.splitlines() if line.strip() and " *" not in line
    ]
    assert {indent.replace(unit.group(1), "") for indent in steps_in} == {""}
    assert any(unit.group(1) * (2 if "class" in source else 1) == indent for indent in steps_in)


@pytest.mark.parametrize("ending", ["\n", "\r\n"])
@pytest.mark.parametrize("name", SOURCES)
def test_every_step_gets_a_definition_that_matches_and_nothing_else_changes(name: str, ending: str):
    source = SOURCES[name].replace("\n", ending)
    before = extract(name, source.encode()).definitions
    for step in sayable(name):
        after = created(name, source, step)
        assert len(extract(name, after.encode()).definitions) == len(before) + 1
        assert [line for line in source.split(ending) if line not in after.split(ending)] == []
        assert ending == "\n" or "\n" not in after.replace("\r\n", "")
        if name.endswith(".py"):
            ast.parse(after)


@pytest.mark.parametrize("ending", ["\n", "\r\n"])
@pytest.mark.parametrize("name", SOURCES)
def test_all_steps_get_theirs_at_once_in_their_order(name: str, ending: str):
    data = SOURCES[name].replace("\n", ending).encode()
    before = extract(name, data).definitions
    model = model_for(steps()[0], (), before)
    assert model is not None
    edits, left = plan_creations([*steps(), *steps()], model, lambda _: data)
    source = edited_bytes(edits, data)
    assert [step.text for step, _ in left] == 2 * [step.text for step in steps() if step not in sayable(name)]
    written = extract(name, source).definitions
    assert len({definition.function_id for definition in written}) == len(written)
    new = [definition for definition in written if definition.expression not in {old.expression for old in before}]
    matchers = [compile_definition(definition, {}).matcher for definition in new]
    texts = [step.text for step in sayable(name) if not step.examples]
    first = [
        next(at for at, matcher in enumerate(matchers) if matcher is not None and matcher.match(text)) for text in texts
    ]
    assert first == sorted(set(first)), "in order, each its own"
    unwritten = forms_of(name, source, written).unwritten
    assert {definition.function_id for definition in new} <= set(unwritten), "no finding is about what is to be written"
    kept = iter(source.splitlines())
    assert all(line in kept for line in data.splitlines()), "nothing else changes"


def test_one_definition_serves_all_that_it_matches():
    outline = ['Given a "x"', "When b", 'And a "<n>"', "Then b", "Examples:", "| n |", "| 1 |"]
    feature = "\n    ".join(["Feature: f", "Scenario Outline: s", *outline])
    for name, number in (("steps.rb", 2), ("steps.py", 4)):  # behave's own keyword decides
        data = SOURCES[name].encode()
        definitions = extract(name, data).definitions
        model = model_for(steps()[0], (), definitions)
        assert model is not None
        edits, left = plan_creations(read_text("/shop/f.feature", feature).steps, model, lambda _, data=data: data)
        assert (left, len(extract(name, edited_bytes(edits, data)).definitions) - len(definitions)) == ([], number)


@pytest.mark.parametrize(("name", "left"), [("steps.py", ['I see "x"']), ("steps.rb", [])])
def test_no_two_that_are_created_match_one_step(name: str, left: list[str]):
    """behave's `"{text}"` takes quotes too, and with both definitions it would not start; Cucumber's takes none."""
    data = SOURCES[name].encode()
    model = model_for(steps()[0], (), extract(name, data).definitions)
    assert model is not None
    feature = 'Feature: f\n  Scenario: s\n    When I see "x"\n    When I see "x" and "y"\n'
    _, apart = plan_creations(read_text("/shop/f.feature", feature).steps, model, lambda _: data)
    assert [step.text for step, _ in apart] == left
    assert all(reason == 'its definition would match “I see "x" and "y"” too' for _, reason in apart)


NEW = {
    "steps.py": ("check_out.py", "from behave import when\n"),
    "shop_steps.py": ("check_out_steps.py", "from behave import when\n"),
    "steps.rb": ("check_out.rb", ""),
    "regex_steps.rb": ("check_out_steps.rb", ""),
    "steps.js": ("check_out.js", "const { Given, When, Then } = require('@cucumber/cucumber');\n"),
    "shop.steps.ts": ("check_out.steps.ts", "import { Given, When, Then } from '@cucumber/cucumber';\n"),
}
"""Maps a file to the name of a new file beside it, and the new file's beginning."""


@pytest.mark.parametrize("name", NEW)
def test_a_file_of_its_own_has_what_it_needs(name: str):
    alike = next(candidate for candidate in (name, f"steps{Path(name).suffix}") if candidate in SOURCES)
    model = model_for(steps()[0], (), extract(f"/shop/{name}", SOURCES[alike].encode()).definitions)
    assert model is not None
    read = lambda _: SOURCES[alike].encode()  # noqa: E731
    path = new_file_for(model, "/shop/check-out.feature", read)
    expected, begin = NEW[name]
    assert path == f"/shop/{expected}"
    (creation,) = plan_new_file(steps()[1], model, path, read)
    assert (creation.path, [edit.new for edit in creation.edits]) == (
        path,
        [begin + EXPECTED[alike].removeprefix("\n" * (not begin))],
    )


@pytest.mark.parametrize("name", [source for source in SOURCES if Path(source).suffix in SYNTAX])
def test_the_languages_own_parser_reads_it(name: str, tmp_path: Path):
    command = SYNTAX[Path(name).suffix]
    if shutil.which(command[0]) is None:
        pytest.skip(f"{command[0]} is not on this machine")
    for number, step in enumerate(sayable(name)):
        file = tmp_path / f"{number}{Path(name).suffix}"
        file.write_text(created(name, SOURCES[name], step))
        ran = subprocess.run([*command, str(file)], capture_output=True, text=True, check=False)
        assert ran.returncode == 0, ran.stderr


def test_the_file_of_the_neighbours_is_chosen():
    shop = extract("/shop/shop.py", SOURCES["steps.py"].encode()).definitions
    other = extract("/shop/other.py", (SOURCES["steps.py"] + '\n\n@then("b")\ndef b(c): pass\n').encode()).definitions
    assert model_for(steps()[0], (), [*shop, *other]).path == "/shop/other.py"
    assert model_for(steps()[0], shop, [*shop, *other]).path == "/shop/shop.py"
    assert model_for(steps()[0], (), ()) is None


def test_a_file_with_the_keyword_is_chosen():
    """behave's `@then` serves no When step, and a file that has none need not import `when`."""
    whens = extract("/shop/whens.py", b"from behave import when\n\n@when('a')\ndef a(c): pass\n").definitions
    thens = "from behave import then\n" + "".join(f"\n@then('{name}')\ndef {name}(c): pass\n" for name in "bc")
    both = [*whens, *extract("/shop/thens.py", thens.encode()).definitions]
    feature = "Feature: f\n  Scenario: s\n    Given x\n    When x\n    Then x\n"
    chosen = [model_for(step, both, both).path for step in read_text("/shop/f.feature", feature).steps]
    assert chosen == ["/shop/thens.py", "/shop/whens.py", "/shop/thens.py"]


def test_words_that_the_kind_can_not_say_are_refused():
    (step,) = read_text("/a.feature", "Feature: f\n  Scenario: s\n    Given a/b (c) :d\n").steps
    with pytest.raises(NoCreationError):
        created("Context.php", SOURCES["Context.php"], step)


GO = """package shop

func Register(s *godog.ScenarioContext) {{
	s.Step(`^the shop is open$`,{})
}}

func theShopIsOpen() error {{ return nil }}
"""


@pytest.mark.parametrize(
    ("name", "source"),
    [
        ("steps.js", 'Given(\n  "the shop is open",\n  () => {\n    open();\n  }\n);\n'),
        ("steps.js", 'Given(\n  "the shop is open",\n  () => open()\n)\n\nThen("the shop is shut", () => shut());\n'),
        ("steps.js", 'Given(\n  "the shop is open",\n  () => open(),\n);'),
        ("steps.js", 'const open = () => {};\nGiven("the shop is open",\n  open\n);\n'),
        ("steps.go", GO.format("\n\t\ttheShopIsOpen,\n\t")),
        ("steps.go", GO.format(" func() error {\n\t\treturn nil\n\t},\n\t")),
    ],
)
def test_a_definition_goes_below_the_whole_call_of_another(name: str, source: str):
    model = extract(f"/shop/{name}", source.encode()).definitions[0]
    after = edited_bytes(plan_creation(steps()[0], model, lambda _: source.encode()), source.encode()).decode()
    call = re.match(r"(?s).*?\n\s*\)", source)
    assert call is not None
    assert after.startswith(call.group())
    assert re.match(r";?\n\s*(Given|s.Step)\(", after[call.end() :])


@pytest.mark.parametrize("rest", ["", "const a = (;\n"])
@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("Given('I stop', () => {});\n", ""),
        ("module.exports = [\n  Given('I stop', () => {}),\n];\n", "the file would no longer parse"),
        ("all({\n  stop: Given('I stop', () => {}),\n});\n", "the file would no longer parse"),
    ],
)
def test_a_definition_that_would_break_the_file_is_refused(source: str, reason: str, rest: str):
    """The code after a model is no place for a statement where the model is an item of a list. A file that is broken
    elsewhere may get definitions."""
    data = (source + rest).encode()
    model = model_for(steps()[0], (), extract("/shop/steps.js", data).definitions)
    assert model is not None
    for plan in (plan_creation, lambda step, *rest: plan_creations([step], *rest)):
        with pytest.raises(NoCreationError, match=reason) if reason else nullcontext():
            plan(steps()[0], model, lambda _: data)


@pytest.mark.parametrize(
    ("name", "source", "begins"),
    [
        ("s.py", "from behave import when\n\n\n# what is given, then waits\n@when('I pay')\ndef a(c): pass\n", ""),
        ("s.py", "import behave\n\n\n# and then\n@behave.when('I pay')\ndef a(c): pass\n", ""),
        (
            "s.js",
            "const { When } = require('@cucumber/cucumber');\n\n// Then it waits\nWhen('I pay', () => a().then(b));\n",
            "When('I own figs'",
        ),
        (
            "S.java",
            "import io.cucumber.java.en.When;\n\nclass S {\n    // Then it waits\n"
            '    @When("I pay")\n    public void pay() {\n    }\n}\n',
            '@io.cucumber.java.en.Then("I own figs")',
        ),
    ],
)
def test_a_keyword_in_a_comment_is_not_imported(name: str, source: str, begins: str):
    (step,) = read_text("/a.feature", "Feature: f\n  Scenario: s\n    Then I own figs\n").steps
    (model,) = extract(name, source.encode()).definitions
    if not begins:
        with pytest.raises(NoCreationError, match=r"s\.py does not import the keyword of Then steps"):
            plan_creation(step, model, lambda _: source.encode())
        return
    written = edited_bytes(plan_creation(step, model, lambda _: source.encode()), source.encode()).decode()
    assert begins in written
