"""Definitions that apply in one place only: by tag, feature, scenario, folder, as in their runners."""

import pytest

from cukereuse_engine.gherkin.read import read_text
from cukereuse_engine.glue.glue import Glue
from cukereuse_engine.glue.limits import has_tags, is_path
from cukereuse_engine.glue.text_binding import Status

FEATURE = """@shop
Feature: Shop
  Background:
    Given I start
  @web
  Scenario: On the web
    When I wait
    Then I wait
  @api
  Scenario Outline: By <way>
    When I wait
    Examples:
      | way |
      | api |
    @slow
    Examples:
      | way  |
      | mail |
"""
PATH = "app/features/shop.feature"


def bound(
    sources: dict[str, str], feature: str = FEATURE, path: str = PATH
) -> dict[int, tuple[str, tuple[tuple[str, int], ...]]]:
    """Maps the line of each step to its status and the places of its definitions."""
    glue = Glue("app")
    for name, source in sources.items():
        glue.update_file(name, source.encode())
    steps = read_text(path, feature).steps
    glue.update_feature(path, steps)
    bindings = {step.line: glue.bind(step) for step in steps}
    return {
        line: (binding.status.value, tuple((each.path, each.line) for each in binding.definitions))
        for line, binding in bindings.items()
    }


def lines(bindings: dict[int, tuple[str, tuple[tuple[str, int], ...]]], line: int) -> list[int]:
    return [at for _, at in bindings[line][1]]


def scoped(*attributes: str, where: str = "method") -> str:
    """A class for each row, each with one method on the line of its number: the limit is on the class or the method."""
    rows = ["using Reqnroll;"]
    for number, attribute in enumerate(attributes, 2):
        method = f'[StepDefinition("I wait")] public void A{number}() {{ }}'
        on_class, on_method = (attribute, "") if where == "class" else ("", attribute)
        rows.append(f"[Binding] {on_class} class C{number} {{ {on_method} {method} }}")
    return "\n".join(rows)


@pytest.mark.parametrize("where", ["method", "class"])
@pytest.mark.parametrize(
    ("attributes", "web", "outline"),
    [
        (['[Scope(Tag = "web")]', '[Scope(Tag = "@api")]'], [2], [3]),
        (['[Scope(Tag = "web")]', ""], [2], [3]),
        (['[Scope(Tag = "shop")]', '[Scope(Tag = "shop", Scenario = "on the web")]'], [3], [2]),
        (['[Scope(Feature = "shop")]', '[Scope(Feature = "Other")]'], [2], [2]),
        (['[Scope(Scenario = "By <way>")]', '[Scope(Scenario = "On the web")]'], [3], [2]),
        (['[Scope(Tag = "x")] [Scope(Tag = "web")]', '[Scope(Tag = "slow")]'], [2], [3]),
        (['[Scope(Tag = "x"), Scope(Tag = "web")]', ""], [2], [3]),
        (['[Scope(Tag = "none")]'], [], []),
        (['[Reqnroll.ScopeAttribute(Tag = "web")]', '[Scope(Tag = "api")]'], [2], [3]),
    ],
)
def test_reqnroll_scopes(attributes: list[str], web: list[int], outline: list[int], where: str) -> None:
    bindings = bound({"Steps.cs": scoped(*attributes, where=where)})
    assert (lines(bindings, 7), lines(bindings, 11)) == (web, outline)
    assert {bindings[7][0], bindings[11][0]} <= {"bound", "undefined"}


def test_reqnroll_does_not_choose_between_equals() -> None:
    bindings = bound({"Steps.cs": scoped('[Scope(Tag = "web")]', '[Scope(Tag = "shop")]')})
    assert bindings[7] == ("ambiguous", (("Steps.cs", 2), ("Steps.cs", 3)))
    source = 'using Reqnroll;\n[Binding] class A { [When("I wait")]\n[When("I (.*)")] public void B() { } }'
    assert bound({"Steps.cs": source})[7][0] == "bound", "two expressions of one method"


PLAYWRIGHT = """import { createBdd } from 'playwright-bdd'
const { When, Then } = createBdd()
const { When: OnApi } = createBdd(test, { tags: '@api' })
When('I wait', { tags: '@web' }, async () => {})
OnApi('I wait', async () => {})
OnApi('I start', { tags: 'not @slow' }, async () => {})
"""


def test_playwright_bdd_tags() -> None:
    bindings = bound({"steps.ts": PLAYWRIGHT})
    assert (lines(bindings, 7), lines(bindings, 11)) == ([4], [5])
    assert bindings[4][0] == "undefined", "the background runs before a scenario without @api, too"


def test_playwright_bdd_folders() -> None:
    source = "import { createBdd } from 'playwright-bdd'\nconst { When } = createBdd()\nWhen('I wait', () => {})\n"
    sources = {"features/@shop/steps.ts": source, "features/@x y/a.@admin.ts": source, "features/@b/steps.ts": source}
    plain = FEATURE.replace("@shop\n", "\n")
    assert [path for path, _ in bound(sources, plain, "features/@shop/a.feature")[7][1]] == ["features/@shop/steps.ts"]
    assert [path for path, _ in bound(sources, plain, "features/@b/a.feature")[7][1]] == ["features/@b/steps.ts"]
    assert bound(sources, plain, "features/a.feature")[7][0] == "undefined"


@pytest.mark.parametrize(("web", "api"), [("'@web'", "'@api'"), ("{ tag: '@web' }", "{ tag: '@api', timeout: 3 }")])
def test_tsflow_tags(web: str, api: str) -> None:
    source = (
        "import { binding, when } from 'cucumber-tsflow'\n@binding()\nclass A {\n"
        f"  @when(/I wait/, {web})\n  a() {{}}\n  @when(/I wait/, {api})\n  b() {{}}\n}}\n"
    )
    bindings = bound({"steps.ts": source})
    assert (lines(bindings, 7), lines(bindings, 11)) == ([4], [6])


JEST = """const { defineFeature, loadFeature } = require('jest-cucumber')
const feature = loadFeature('./features/shop.feature')
defineFeature(feature, (test) => {
  test('On the web', ({ given, when, then }) => {
    given('I start', () => {})
    when('i WAIT', () => {})
    then('I wait', () => {})
  })
  test('By <way>', ({ given, when }) => {
    given('I start', () => {})
    when(/^I (.*)$/, () => {})
  })
})
"""
VITEST = """import { describeFeature, loadFeature } from '@amiceli/vitest-cucumber'
const feature = await loadFeature('features/shop.feature')
describeFeature(feature, ({ Background, Scenario, ScenarioOutline }) => {
  Background(({ Given }) => { Given('I start', () => {}) })
  Scenario('On the web', ({ When, Then }) => {
    When('I wait', () => {})
    Then('I wait', () => {})
  })
  ScenarioOutline('By <way>', (s) => {
    s.When('I wait', () => {})
  })
})
"""


def test_jest_cucumber() -> None:
    bindings = bound({"app/shop.steps.js": JEST})
    assert {line: lines(bindings, line) for line in bindings} == {4: [5, 10], 7: [6], 8: [7], 11: [11]}
    assert {status for status, _ in bindings.values()} == {"bound"}


def test_vitest_cucumber() -> None:
    bindings = bound({"app/shop.spec.ts": VITEST})
    assert {line: lines(bindings, line) for line in bindings} == {4: [4], 7: [6], 8: [7], 11: [10]}
    assert {status for status, _ in bindings.values()} == {"bound"}


def test_definitions_of_other_features_and_scenarios_do_not_answer() -> None:
    for source, name in ((JEST, "app/a.js"), (VITEST, "app/a.ts")):
        bindings = bound({name: source.replace("shop.feature", "other.feature")})
        assert {status for status, _ in bindings.values()} == {"undefined"}
        bindings = bound({name: source.replace("'On the web'", "'Elsewhere'")})
        assert (bindings[7][0], bindings[11][0]) == ("undefined", "bound")


def test_each_test_file_that_loads_a_feature_runs_it_with_its_own() -> None:
    elsewhere = JEST.replace("./features/", "../other/features/")
    bindings = bound({"app/a.steps.js": JEST, "app/in/b.steps.js": JEST, "app/c.steps.js": elsewhere})
    assert bindings[4] == ("bound", (("app/a.steps.js", 5), ("app/a.steps.js", 10), *BACKGROUND_OF_B))
    assert bindings[8] == ("bound", (("app/a.steps.js", 7), ("app/in/b.steps.js", 7)))


BACKGROUND_OF_B = (("app/in/b.steps.js", 5), ("app/in/b.steps.js", 10))


@pytest.mark.parametrize(
    "source",
    [
        "export const sharedSteps = ({ given, when }) => {\n  when('I wait', () => {})\n}\n",
        "export const iWait = (when) => {\n  when('I wait', () => {})\n}\n",
        "export function iWait(when: DefineStepFunction) {\n  when('I wait', () => {})\n}\n",
        "import 'jest-cucumber'\nexport const a = (it) => { it.when('I wait', () => {}) }\n",
    ],
)
def test_steps_that_features_share(source: str) -> None:
    bindings = bound({"app/shared.ts": source})
    assert (bindings[7], bindings[11]) == (("bound", (("app/shared.ts", 2),)),) * 2
    bindings = bound({"app/shared.ts": source, "app/shop.steps.js": JEST})
    assert (lines(bindings, 7), lines(bindings, 11)) == ([6], [11]), "the scenario's own goes first"


@pytest.mark.parametrize(
    "source",
    [
        "given('a', () => 1)\nwhen('I wait', () => {})\n",
        "promise.then('I wait', () => {})\n",
        "const f = (x) => { x.then('I wait', 1) }\n",
    ],
)
def test_other_calls_are_no_steps(source: str) -> None:
    assert bound({"a.js": source})[7][0] == "undefined"


@pytest.mark.parametrize(
    ("expression", "tags", "holds"),
    [
        ("@a", ("@a", "@b"), True),
        ("not @a", ("@a",), False),
        ("@a and (@b or not @c)", ("@a",), True),
        ("@a and", ("@z",), True),
    ],
)
def test_tag_expressions(expression: str, tags: tuple[str, ...], holds: bool) -> None:
    assert has_tags(expression, tags) is holds


@pytest.mark.parametrize(
    ("named", "path", "source", "same"),
    [
        ("./a.feature", "x/a.feature", "x/s.js", True),
        ("./a.feature", "x/a.feature", "x/y/s.js", True),  # from where the runner is started
        ("./a.feature", "x/a.feature", "y/s.js", False),
        ("../f/a.feature", "x/f/a.feature", "x/y/s.js", True),
        ("../f/a.feature", "y/f/a.feature", "x/y/s.js", False),
        ("f/a.feature", "x/g/a.feature", "x/s.js", False),
        ("a.feature", "x/aa.feature", "x/s.js", False),
        ("f\\a.feature", "f/a.feature", "s.js", True),
    ],
)
def test_feature_files_by_relative_path(named: str, path: str, source: str, same: bool) -> None:
    assert is_path(named, path, source) is same


def test_a_limit_that_changes_binds_anew() -> None:
    glue = Glue("app")
    steps = read_text(PATH, FEATURE).steps
    glue.update_feature(PATH, steps)
    for tag, status in (("web", Status.BOUND), ("none", Status.UNDEFINED), ("web", Status.BOUND)):
        glue.update_file("Steps.cs", scoped(f'[Scope(Tag = "{tag}")]').encode())
        assert glue.bind(steps[1]).status is status


TURNIP = {
    "spec/steps/login_steps.rb": """\
module Admin
  module LoginSteps
    step 'I log in' do
    end
    step 'I leave' do
    end
  end
end

RSpec.configure do |config|
  config.include Admin::LoginSteps, admin: true
end
""",
    "spec/steps/common_steps.rb": "module CommonSteps\n  step 'I log in' do\n  end\nend\n",
}
ADMINS = """\
Feature: f
  @admin
  Scenario: a
    Given I log in
    And I leave
  Scenario: b
    Given I log in
    And I leave
"""


def test_modules_of_turnip_answer_under_the_tag_that_they_are_included_for() -> None:
    """turnip, define.rb: a step is a method of the module; the module's own takes precedence over an included one."""
    bindings = bound(TURNIP, ADMINS, "spec/features/a.feature")
    login, common = TURNIP
    assert bindings == {
        4: ("bound", ((login, 3),)),
        5: ("bound", ((login, 5),)),
        7: ("bound", ((common, 2),)),
        8: ("undefined", ()),
    }


def test_a_module_of_turnip_brings_the_steps_of_those_that_it_includes() -> None:
    files = {
        "spec/steps/dig.rb": (
            "module Dig\n  step 'I dig' do\n  end\nend\n"
            "module Sow\n  include Dig\nend\nmodule Reap\n  include Sow\nend\n"
            "RSpec.configure { |c| c.include Dig, dig: true }\nRSpec.configure { |c| c.include Reap, reap: true }\n"
        )
    }
    feature = "Feature: f\n" + "".join(f"  @{tag}\n  Scenario: s\n    Given I dig\n" for tag in ("dig", "reap", "rest"))
    statuses = [status for status, _ in bound(files, feature, "spec/features/a.feature").values()]
    assert statuses == ["bound", "bound", "undefined"]
