"""Step definitions that change on disk without notice of the files: by git, or another editor."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from cukereuse_server.protocol.diagnostics import Diagnose
from cukereuse_server.protocol.hover import Describe, StepInfo
from cukereuse_server.worker.handlers.diagnostics import diagnose
from cukereuse_server.worker.handlers.hover import describe

if TYPE_CHECKING:
    from tests.server.conftest import World

STEPS = "from behave import when\n\n@when('I press {name}')\ndef press(context, name):\n    pass\n"
MORE = STEPS + "\n@when('I leave')\ndef leave(context):\n    pass\n"
FEATURE = "Feature: f\n  Scenario: s\n    When I press Save\n    And I leave\n"


def defined(world: "World") -> list[str]:
    (suite,) = world.workspace.suites.values()
    return sorted({definition.expression for definition in suite.glue.definitions}) if suite.glue is not None else []


@pytest.fixture
def started(world: "World") -> "World":
    world.write("features/one.feature", FEATURE)
    world.write("features/steps/steps.py", STEPS)
    world.write("pyproject.toml", "")
    world.configure(exclude=["old/"])
    world.settled()
    assert defined(world) == ["I press {name}"]
    return world


def tell_nothing(world: "World") -> list[str]:
    del world
    return []


def tell_folder(world: "World") -> list[str]:
    return [str(world.root)]


@pytest.mark.parametrize("tell", [tell_nothing, tell_folder])
def test_all_sources_are_looked_at(started: "World", tell: Any) -> None:
    seen = []
    for name, text in (("steps", MORE), ("others", MORE.replace("leave", "go")), ("steps", None), ("others", "")):
        path = started.root / "features" / "steps" / f"{name}.py"
        if text is None:
            path.unlink()
        else:
            path.write_text(text, "utf-8")
        started.workspace.changed_on_disk(tell(started))
        started.settled()
        seen.append(defined(started))
    press, leave, go = "I press {name}", "I leave", "I go"
    assert seen == [[leave, press], [go, leave, press], [go, press], []]


def test_what_an_editor_holds_goes_before_the_disk(started: "World") -> None:
    path = str(started.root / "features" / "steps" / "steps.py")
    started.workspace.open(path, 1, MORE)
    started.settled()
    started.write("features/steps/steps.py", "# nothing\n")
    started.workspace.changed_on_disk([])
    started.settled()
    assert defined(started) == ["I leave", "I press {name}"]


def test_what_is_excluded_is_no_glue(started: "World") -> None:
    path = started.write("old/steps.py", MORE)
    started.workspace.changed_on_disk([])
    started.settled()
    started.workspace.changed_on_disk([str(path)])
    started.settled()
    started.workspace.pipeline.restart()
    started.settled()
    assert defined(started) == ["I press {name}"]


BEHAT = "default:\n  suites:\n    shop:\n      paths: ['%paths.base%/features']\n      contexts: [ONE]\n"
CONTEXT = """<?php
class NAME implements Context {
  /**
   * @When I press :name
   */
  public function press() {}
}
"""


@pytest.mark.parametrize("named", [True, False])
def test_a_changed_configuration_of_behat_counts(world: "World", named: bool) -> None:
    path = str(world.write("features/one.feature", "Feature: f\n  Scenario: s\n    When I press Save\n"))
    for name in ("Here", "There"):
        world.write(f"features/bootstrap/{name}.php", CONTEXT.replace("NAME", name))
    configuration = world.write("behat.yml", BEHAT.replace("ONE", "Here"))
    world.write("composer.json", "{}")
    world.configure()
    world.settled()
    (suite,) = world.workspace.suites.values()
    bindings = []
    for name in ("There", "Here"):
        step = world.workspace.step_at(path, 3)
        assert step is not None
        assert suite.glue is not None
        bindings.append([Path(definition.path).stem for definition in suite.glue.bind(step).definitions])
        configuration.write_text(BEHAT.replace("ONE", name) + "\n" * len(bindings), "utf-8")
        world.workspace.changed_on_disk([str(configuration)] if named else [])
        world.settled()
    assert bindings == [["Here"], ["There"]]


def test_what_is_ignored_is_no_glue_even_if_it_is_named_or_open(started: "World") -> None:
    started.write(".gitignore", "out/\n")
    (started.root / ".git").mkdir()
    path = str(started.write("out/steps.py", MORE))
    started.workspace.changed_on_disk([path])
    started.settled()
    started.workspace.open(path, 1, MORE)
    started.settled()
    assert defined(started) == ["I press {name}"]


def test_a_new_source_counts_before_it_is_saved_and_no_longer_than_it_is_open(started: "World") -> None:
    path = str(started.root / "features" / "steps" / "new.py")
    seen = []
    for text in (MORE.replace("press", "push"), MORE.replace("press", "pull")):
        started.workspace.open(path, 1, text)
        started.settled()
        seen.append(defined(started))
    started.write("features/steps/new.py", MORE.replace("press", "drag"))
    started.workspace.changed_on_disk([])  # saved by somebody else: the editor's text counts
    started.settled()
    seen.append(defined(started))
    started.workspace.close(path)
    started.settled()
    seen.append(defined(started))
    started.workspace.open(path + "x.py", 1, MORE.replace("press", "lift"))
    started.settled()
    started.workspace.close(path + "x.py")
    started.settled()
    seen.append(defined(started))
    leave, press = "I leave", "I press {name}"
    new = [f"I {verb} {{name}}" for verb in ("push", "pull", "pull", "drag", "drag")]
    assert seen == [sorted([leave, press, expression]) for expression in new]


@pytest.mark.parametrize("is_open", [True, False])
def test_what_a_library_may_define_is_a_hint_while_a_source_takes_it_over(is_open: bool, world: "World") -> None:
    feature = str(world.write("features/a.feature", "Feature: f\n  Scenario: s\n    Given I walk\n    And I fly\n"))
    world.write("features/steps/a.rb", "Given('I walk') do\nend\n")
    env = world.write("features/support/env.rb", "")
    world.write("Gemfile", "")
    world.configure()
    world.settled()
    shown = []
    for version, text in enumerate(("", "require 'aruba/cucumber'\n", "# require 'aruba/cucumber'\n")):
        if is_open:
            world.workspace.open(str(env), version, text)
        else:
            env.write_text(text)
            world.workspace.changed_on_disk([str(env)])
        workspace = world.settled()
        diagnoses = diagnose(workspace, Diagnose(path=feature)).diagnoses
        info = describe(workspace, Describe(path=feature, line=4))
        assert isinstance(info, StepInfo)
        shown.append(([(each.rule, each.severity) for each in diagnoses], info.libraries))
    known = [("undefined-step", "warning")], []
    assert shown == [known, ([("undefined-step", "hint")], ["aruba/cucumber"]), known]


ROLES = """default:
  suites:
    buying: {paths: ['%paths.base%/features'], contexts: [Buying], filters: {role: buyer}}
    selling: {paths: ['%paths.base%/features'], contexts: [Selling], filters: {role: owner}}
"""


def test_a_changed_description_of_a_feature_counts(world: "World") -> None:
    text = "Feature: f\n  As a buyer\n  I want tea\n\n  Scenario: s\n    When I press Save\n"
    path = str(world.write("features/one.feature", text))
    for name in ("Buying", "Selling"):
        world.write(f"features/bootstrap/{name}.php", CONTEXT.replace("NAME", name))
    world.write("behat.yml", ROLES)
    world.write("composer.json", "{}")
    world.configure()
    world.settled()
    (suite,) = world.workspace.suites.values()
    unused = []
    for version, role in enumerate(("a buyer", "an owner", "a buyer")):
        world.workspace.open(path, version, text.replace("a buyer", role))
        world.settled()
        assert suite.glue is not None
        unused.append(
            [Path(definition.path).stem for definition in suite.glue.definitions if suite.is_unused(definition)]
        )
    assert unused == [["Selling"], ["Buying"], ["Selling"]]


def test_a_definition_that_no_profile_loads_is_not_called_unused(world: "World") -> None:
    """Other tests have it. It is called so as soon as a profile loads it, or something loads the one beside it."""
    script = "const {{ When }} = require('@cucumber/cucumber')\nWhen('I {}', () => {{}})\n"
    feature, configuration = "Feature: f\n  Scenario: s\n    When I {}\n", '{{"default": {{"require": ["{}/*.js"]}}}}'
    world.write("features/steps.js", script.format("wait"))
    path = str(world.write("test/spec.js", script.format("fly") + "When('I land', () => {})\n"))
    said = str(world.write("features/a.feature", feature.format("wait")))
    loads = world.write("cucumber.json", configuration.format("features"))
    world.configure()
    workspace = world.settled()
    unused = []
    for text, loaded in (("wait", "features"), ("wait", "*"), ("wait", "features"), ("land", "features")):
        workspace.open(said, 1, feature.format(text))
        loads.write_text(configuration.format(loaded))
        workspace.changed_on_disk([str(loads)])
        (suite,) = world.settled().suites.values()
        defined = [each for each in suite.glue.definitions if each.path == path] if suite.glue is not None else []
        unused.append([definition.expression for definition in defined if suite.is_unused(definition)])
        workspace.close(said)
    assert unused == [[], ["I fly", "I land"], [], ["I fly"]]


@pytest.mark.parametrize("tells", [True, False], ids=["the client tells", "a look"])
def test_a_project_file_that_comes_or_goes_moves_where_definitions_are_looked_for(world: "World", tells: bool) -> None:
    """Without a repository, as in an unpacked archive, the project around a suite contains its step definitions."""
    project = world.write("shop/package.json", "{}")
    feature = world.write("shop/e2e/features/a.feature", "Feature: f\n  Scenario: s\n    When I wait\n")
    world.write("shop/e2e/behave.ini", "[behave]\n")
    world.write("shop/steps/steps.py", "from behave import when\n@when('I wait')\ndef wait(context): pass\n")
    world.configure(feature.parents[1])
    bound = []
    for is_there in (True, False, True, False):
        if is_there:
            project.write_text("{}", "utf-8")
        else:
            project.unlink()
        world.workspace.changed_on_disk([str(project)] if tells else [])
        (suite,) = world.settled().suites.values()
        step = suite.texts.steps("I wait")[0]
        bound.append(suite.glue is not None and bool(suite.glue.bind(step).definitions))
    assert bound == [True, False, True, False]


SCOPED = """[Binding, Scope(Tag = "web")]
public class Web { [Given("I log in")] public void A() {} }
"""
TAGGED = "Feature: f\n  Background:\n    Given I log in\n  {}\n  Scenario: s\n    Given I wait\n"
TWO_SUITES = """default:
  suites:
    other: {contexts: [Api], filters: {tags: '~@web'}}
    shop: {contexts: [Web], filters: {tags: '@web'}}
"""
OF_WEB = "<?php\nclass Web implements Context {\n  /** @Given I log in */\n  public function a() {}\n}\n"
OF_API = OF_WEB.replace("Web", "Api").replace("log in", "wait")
IN_BEHAT = {"features/bootstrap/Web.php": OF_WEB, "features/bootstrap/Api.php": OF_API, "behat.yml": TWO_SUITES}


@pytest.mark.parametrize(
    "sources",
    [
        {"Web.cs": SCOPED, "shop.csproj": "<Project/>"},
        {**IN_BEHAT, "composer.json": "{}"},
    ],
    ids=["SpecFlow", "Behat"],
)
def test_a_background_is_bound_as_the_scenarios_after_it_are_tagged(world: "World", sources: dict[str, str]) -> None:
    for name, text in sources.items():
        world.write(name, text)
    path = str(world.write("features/a.feature", TAGGED.format("")))
    world.configure()
    (suite,) = world.settled().suites.values()
    bound, defined = [], []
    for version, tags in enumerate(("", "@web", "@api", "@web @slow", "")):
        world.workspace.open(path, version, TAGGED.format(tags))
        world.settled()
        bound.append(bool(suite.bindings.bound("I log in").functions))
        defined.append(not any("log in" in finding.message for finding in suite.findings.in_file(path)))
    assert bound == defined == [False, True, False, True, False]
