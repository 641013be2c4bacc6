"""Whatever one definition does affects only that definition, in every language."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cukereuse_engine.gherkin.feature import Step
from cukereuse_engine.gherkin.read import read_text
from cukereuse_engine.glue.behat import read_suites
from cukereuse_engine.glue.dotnet import DotnetProjects
from cukereuse_engine.glue.glue import Glue
from cukereuse_engine.glue.nearest import Nearest
from cukereuse_engine.glue.playwright import read_projects
from cukereuse_engine.glue.profiles import read_profiles
from cukereuse_engine.glue.script_runners import read_codecept, read_webdriverio
from cukereuse_engine.glue.text_binding import Status

FEATURE = "Feature: f\n  Scenario: s\n    Given all is well\n    Then the basket holds 3 apples\n    And a (b) 'c' 1\n"
SOURCES = {
    ".py": ("from behave import given, use_step_matcher\n", "@given({}'{}')\ndef step{}(context): pass\n"),
    ".rb": ("# cucumber\n", "Given({}/{}/) {{ |x{}| }}\n"),
    ".js": ("const {Given} = require('@cucumber/cucumber')\n", "Given({}/{}/, function step{}() {{}})\n"),
    ".ts": ("import {Given} from '@cucumber/cucumber'\n", "Given({}'{}', function step{}() {{}})\n"),
    ".java": ("import io.cucumber.java.en.*;\npublic class A {\n", '@Given({}"^{}$") public void step{}() {{ }}\n'),
    ".kt": ("import io.cucumber.java.en.*\nclass A {\n", '@Given({}"^{}$") fun step{}() {{ }}\n'),
    ".scala": (
        "import io.cucumber.scala.{EN, ScalaDsl}\nclass A extends ScalaDsl with EN {\n",
        'Given({}"""^{}$""") {{ (step{}: Int) => }}\n',
    ),
    ".cs": ("using Reqnroll;\n[Binding] class A {\n", '[Given({}@"{}")] public void Step{}() {{ }}\n'),
    ".php": ("<?php\nclass A {\n", "/** @Given {}/{}/ */ public function step{}() {{ }}\n"),
    ".go": ("package a // godog\nfunc f(ctx *godog.ScenarioContext) {\n", "ctx.Step({}`{}`, step{})\n"),
    ".rs": ("use cucumber::given;\n", '#[given({}regex = r#"{}"#)] fn step{}(w: &mut World) {{ }}\n'),
}
"""By suffix: the head of a file, and a definition with places for a prefix, its expression and a number."""
FRAGMENTS = st.sampled_from(
    [
        *"()[]{}?*+|^$\\.,:/#'\"&~-<>=! ab1é",
        *(
            "(?:",
            "(?<n>",
            "(?P<n>",
            "(?|",
            "(?(1)",
            "(?(DEFINE)",
            "(?=",
            "(?<=",
            "(?i)",
            "(?n)",
            "(?J)",
            "(?R)",
            "(?&n)",
        ),
        *(
            r"\1",
            r"\k<n>",
            r"\g<n>",
            r"\g{n}",
            r"\d",
            r"\cA",
            r"\Q",
            r"\p{L}",
            "[a-z-[b]]",
            "&&[",
            "[[",
            "{int}",
            "{n:d}",
        ),
        *("{2,1}", "{99999999999}", "(a*)*", "((", "\n", "\u2028", "\x00", "${", "#{", ":x", "(s)", "a/b", "P0"),
    ]
)


def steps_of(text: str) -> tuple[Step, ...]:
    return read_text("a.feature", text).steps


@pytest.fixture(params=SOURCES)
def suffix(request: pytest.FixtureRequest) -> str:
    return request.param


def bound(sources: dict[str, bytes]) -> None:
    """Everything that a user sees of definitions exists, and the sound definition is bound."""
    glue = Glue("suite")
    for path, source in sources.items():
        glue.update_file(path, source)
    steps = steps_of(FEATURE)
    glue.update_feature("a.feature", steps)
    usage = glue.usage(steps)
    assert glue.bind(steps[0]).status is not Status.UNDEFINED
    assert all(error.message for error in glue.errors)
    Nearest(glue.definitions).of(steps[1].text)
    glue.unsaid()
    del usage


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(pieces=st.lists(FRAGMENTS, max_size=8), prefix=st.sampled_from(["", "", "", "u", "(", "x + "]))
def test_any_expression(suffix: str, pieces: list[str], prefix: str) -> None:
    head, definition = SOURCES[suffix]
    sound = head + definition.format("", "all is well", 1)
    wild = head + definition.format(prefix, "".join(pieces), 2) + definition.format("", "(" + "".join(pieces), 3)
    bound({f"a{suffix}": sound.encode(), f"b{suffix}": wild.encode("utf-8", "replace")})


TAME = st.sampled_from(
    [
        *"()[]{}?*+|^.,:&~-<>=! ab1é",
        "(?:",
        "(?<n>",
        "(?P<n>",
        "(?|",
        "(?(1)",
        "(?=",
        "(?i)",
        "[a-z-[b]]",
        "&&[",
        "{int}",
    ]
)
"""Pieces that end no literal in any language, so that only the expression is broken."""


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(pieces=st.lists(TAME, min_size=1, max_size=8))
def test_an_expression_costs_itself_alone(suffix: str, pieces: list[str]) -> None:
    """Both sound definitions around it in the file stay."""
    head, definition = SOURCES[suffix]
    middle = definition.format("", "q" + "".join(pieces), 2)
    source = head + definition.format("", "all is well", 1) + middle + definition.format("", "it is over", 3)
    glue = Glue("suite")
    glue.update_file(f"a{suffix}", source.encode())
    steps = steps_of("Feature: f\n  Scenario: s\n    Given all is well\n    Given it is over\n")
    glue.update_feature("a.feature", steps)
    assert all(glue.bind(step).status is not Status.UNDEFINED for step in steps)
    assert {error.line for error in glue.errors} <= {source[: source.index("q" + "".join(pieces))].count("\n") + 1}


@settings(max_examples=30, deadline=None)
@given(text=st.text("()[]{}'\"`,:->\\/*\n $ab", max_size=60), at=st.integers(0, 200))
def test_any_configuration(tmp_path_factory: pytest.TempPathFactory, text: str, at: int) -> None:
    """Programs that are read for their literals, and project files: nothing is raised."""
    folder = tmp_path_factory.mktemp("configuration")
    for name, sound in CONFIGURATIONS.items():
        (folder / name).write_text(sound[:at] + text + sound[at:], encoding="utf-8")
    read_suites(folder / "behat.php")
    read_projects(folder / "playwright.config.ts")
    read_profiles(folder / "cucumber.js")
    read_webdriverio(folder / "wdio.conf.ts")
    read_codecept(folder / "codecept.conf.js")
    read_suites(folder / "codeception.yml")
    glue = Glue.load(str(folder), jobs=1)
    steps = read_text(str(folder / "features/a.feature"), FEATURE).steps
    glue.update_feature(str(folder / "features/a.feature"), steps)
    assert len([glue.bind(step) for step in steps]) == len(steps)
    assert DotnetProjects(str(folder)).sees(str(folder / "a.feature"), str(folder / "A.cs"))


CONFIGURATIONS = {
    "behat.php": "<?php return (new Config())->withProfile((new Profile('default'))->withSuite((new Suite('web'))"
    "->withPaths('features')->withContexts(A::class)->withFilter(new TagFilter('@a'))));",
    "playwright.config.ts": "defineBddConfig({ features: 'features', steps: ['a/*.ts', `b/${c}.ts`], tags: '@a' })",
    "cucumber.js": "module.exports = { default: { paths: ['features'], require: ['a/*.js'], tags: '@a' } }",
    "wdio.conf.ts": "export const config = { specs: ['a/**'], cucumberOpts: { require: [path.join('b', 'c.js')] } }",
    "codecept.conf.js": "exports.config = { gherkin: { features: './features/*', steps: ['./steps/a.js'] } }",
    "codeception.yml": "paths: {tests: tests}\nsuites: {web: {actor: A, gherkin: {contexts: {tag: {slow: [B]}}}}}\n",
    "cypress.config.ts": "export default { env: { stepDefinitions: ['a/[filepath]/*.js', 'b/[filepart].js'] } }",
    "pytest.ini": "[pytest]\nbdd_features_base_dir = features\naddopts = -p steps.a\n",
    "cucumber.yml": "default: --guess -r features\n",
    "test_a.py": "from pytest_bdd import scenarios, when\nfrom .steps import *\nHERE = Path(__file__).parents[0]\n"
    "scenarios(HERE / 'features', f'{X}/a.feature')\n@when('I go')\ndef a(): ...\n",
    "main.rs": '#[when("I go")]\nfn go(w: &mut W) {}\nfn main() { W::cucumber().x(1).run("features"); }\n',
    "A.php": "<?php class A { static function getTranslationResources() { return [__DIR__ . '/a.yml']; }\n"
    "/** @When I go */ function go() {} }",
    "a.yml": "'I go': 'je vais'\n",
    "a.rb": "When('I go') { }\n",
    "a.js": "import { When } from '@badeball/cypress-cucumber-preprocessor'\nWhen('I go', () => {})\n",
    "a.csproj": '<Project><ItemGroup><ProjectReference Include="..\\b\\b.csproj" /></ItemGroup></Project>',
}
