"""Suites of one repository share what their step functions do; each has what it would have alone, also after edits."""

from pathlib import Path
from typing import Any

import pytest

from cukereuse_engine.functions.relations import Functions
from cukereuse_engine.glue import sources
from cukereuse_engine.glue.glue import Glue
from cukereuse_engine.scanning.functions import SharedFunctions, load_functions

HELPERS = "def sign_in(name):\n    driver.type(name)\n    driver.click('ok')\n"
SHOP = """
from behave import *
from steps.pages import sign_in

@when('I come in as {name}')
def third(context, name):
    context.execute_steps(f'Given I sign in as {name}')

@given('I sign in as {name}')
def first(context, name):
    sign_in(name)

@given('I log in as {name}')
def second(context, name):
    sign_in(name)

@when('I enter')
def fourth(context):
    context.execute_steps('Given I log in as anna')

@then('I am {name}')
def fifth(context, name):
    context.execute_steps(f'Given I only exist in one suite as {name}')
"""
ONLY_HERE = "\n@given('I only exist in one suite as {name}')\ndef only(context, name):\n    context.shop.leave(name)\n"
IN_B = SHOP.replace("sign_in(name)", "context.shop.greet(name)", 1) + ONLY_HERE
"""A suite where a called step does something else."""
RUBY = """
Given('I sign in') { sign_in_as 'anna' }
Given('I log in') { sign_in_as 'anna' }
When('I come in') { sign_in_as 'clara' }
When('I enter') { sign_in_as 'berta' }
"""
WORLD = "def sign_in_as(name)\n  fill_in 'name', with: name\n  click_on 'ok'\nend\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A repository with three suites of Python and two of Ruby."""
    (tmp_path / ".git").mkdir()
    for name in "abc":
        steps = tmp_path / name / "steps"
        steps.mkdir(parents=True)
        (tmp_path / name / "behave.ini").touch()
        (steps / "pages.py").write_text(HELPERS)
        (steps / "shop.py").write_text(IN_B if name == "b" else SHOP)
    for name in ("d", "e"):
        features = tmp_path / name / "features"
        features.mkdir(parents=True)
        (tmp_path / name / "cucumber.yml").touch()
        (features / "steps.rb").write_text(RUBY)
        (features / "world.rb").write_text(WORLD)
    return tmp_path


def shown(functions: Functions, glue: Glue) -> dict[str, Any]:
    groups = ("equal", "loosely_equal", "alike", "copied", "passing")
    return {
        **{name: list(getattr(functions, name)()) for name in groups},
        "forms": {each.id: (functions.form(each), functions.whole_of(each.function_id)) for each in glue.definitions},
        "called": functions.called,
        "notable": functions.notable(),
        "own": functions.own_definitions,
    }


def test_what_suites_share_is_what_each_would_have_alone(folder: Path) -> None:
    shared, kept = SharedFunctions(), list[tuple[Glue, Functions, Functions]]()
    for name in "abcde":
        glue = Glue.load(str(folder / name))
        alone = load_functions(glue, edits=True)
        together = load_functions(glue, edits=True, shared=shared)
        assert shown(together, glue) == shown(alone, glue)
        kept.append((glue, alone, together))
    assert kept[0][1].passing() != kept[1][1].passing()
    edits = {
        "a/steps/pages.py": HELPERS.replace("'ok'", "'go'"),
        "d/features/world.rb": WORLD.replace("'ok'", "'go'"),
        "b/steps/shop.py": SHOP,
        "e/features/steps.rb": RUBY.replace("berta", "anna"),
    }
    for path, source in edits.items():
        for glue, alone, together in kept[1:]:  # the first one stays as it is
            glue.update_file(str(folder / path), source.encode())
            before = shown(together, glue)
            defined = [each for each in glue.definitions if each.path == str(folder / path)]
            for functions in (alone, together):
                functions.update(str(folder / path), source.encode(), defined)
            assert shown(together, glue) == shown(alone, glue)
            assert shown(together, glue)["forms"] != before["forms"], path
    glue, alone, together = kept[0]
    fresh = load_functions(glue, shared=SharedFunctions())
    assert shown(together, glue) == shown(alone, glue) == shown(fresh, glue)


def test_nothing_is_shared_once_a_project_came(folder: Path) -> None:
    shared = SharedFunctions()
    load_functions(Glue.load(str(folder / "d")), shared=shared)
    glue = Glue.load(str(folder / "e"))
    assert shared.of(glue.definitions) is not None
    (folder / "a" / "steps" / "package.json").touch()
    script = folder / "f.js"
    script.write_text("const { Given } = require('@cucumber/cucumber')\nGiven('I go', () => { go(1) })\n")
    glue = Glue.load(str(folder / "e"))
    assert shared.of(glue.definitions) is None
    load_functions(glue, shared=shared)
    assert shared.of(glue.definitions) is not None
    (folder / "package.json").write_text("{}")
    sources.forget_projects()
    assert shared.of(glue.definitions) is None
