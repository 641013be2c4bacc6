"""Changes around step definitions: their project's hooks, imports, locked versions."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from cukereuse_server.workspace.watched import WATCHED

if TYPE_CHECKING:
    from tests.server.conftest import World

BEHAVE = "from behave import given\n"
DEEP = {
    "features/steps/main.py": BEHAVE,
    "features/steps/top.py": BEHAVE + '@given("two")\ndef a(c): pass\n',
    "features/steps/sub/x.py": BEHAVE + '@given("one 3")\ndef b(c): pass\n',
}
RUBY = {"features/step_definitions/a.rb": 'Given("one {int}") do |n|\nend\n'}
JS = {"features/step_definitions/a.js": "const {Given} = require('cucumber')\nGiven('one {int}', (n) => {})\n"}
JAVA = {
    "src/test/java/A.java": "import cucumber.api.java.en.Given;\npublic class A {\n"
    '  @Given("one") public void a() {}\n}\n'
}
DEPENDENCY = "<dependency><groupId>io.cucumber</groupId><artifactId>cucumber-java</artifactId><version>%s</version>"
REGEX = {"features/steps/main.py": BEHAVE + '@given(r"one (\\d+)")\ndef b(c, n): pass\n'}
BEHAT = {
    "features/ShopContext.php": "<?php\nclass ShopContext extends Base {\n"
    "  /** @Given ein :n */\n  public function a($n) {}\n}\n",
    "features/en.xliff": "<trans-unit id='a'><source>ein :n</source><target>one :n</target></trans-unit>",
}
TURNIP = {"features/b.steps.rb": "step 'one :n' do |n|\nend\n", "features/b.feature": "Feature: b\n"}
HOOK = (
    "RSpec.configure do |config|\n  config.before(type: :feature) do |example|\n"
    "    require Pathname.new(example.file_path).sub_ext('.steps.rb')\n  end\nend\n"
)
BASE = "<?php\nclass Base implements Behat\\Behat\\Context\\TranslatableContext {\n  %s\n}\n"
NAMING = "public static function getTranslationResources() { return [__DIR__ . '/en.xliff']; }"
TRANSLATED = {**BEHAT, "features/Base.php": BASE % NAMING}
IN_YAML = {**BEHAT, "features/Base.php": BASE % NAMING.replace("en.xliff", "i18n/de.yml")}
CHANGES: list[tuple[dict[str, str], str, str, str]] = [
    # sources, then a file around them that changes, before and after
    (DEEP, "features/steps/main.py", BEHAVE, BEHAVE + "from sub import x\n"),
    (DEEP, "features/environment.py", "", "from features.steps.sub import x\n"),
    (DEEP, "behave.ini", "[behave]\n", "[behave]\nuse_nested_step_modules = true\n"),
    (REGEX, "features/environment.py", "", "from behave import use_step_matcher\nuse_step_matcher('re')\n"),
    (RUBY, "Gemfile.lock", "GEM\n  specs:\n    cucumber (2.4.0)\n", "GEM\n  specs:\n    cucumber (9.0.0)\n"),
    (RUBY, "own.gemspec", "s.add_dependency 'cucumber', '2.0'\n", "s.add_dependency 'cucumber', '9.0'\n"),
    (JS, "package.json", '{"dependencies": {"cucumber": "^1.3.0"}}', '{"dependencies": {"cucumber": "^6.0.0"}}'),
    (BEHAT, "features/Base.php", BASE % "", BASE % NAMING),
    (TRANSLATED, "features/en.xliff", "", BEHAT["features/en.xliff"]),
    (IN_YAML, "features/i18n/de.yml", "'ein :n': 'zwei :n'", "'ein :n': 'one :n'"),
    (TURNIP, "features/spec_helper.rb", HOOK, "require 'turnip/rspec'\n"),
    (JAVA, "pom.xml", DEPENDENCY % "7.1.0", DEPENDENCY % "2.4.0"),
]


def undefined(world: "World") -> list[str]:
    workspace = world.settled()
    return [
        finding.message
        for suite in workspace.suites.values()
        for finding in suite.findings.all()
        if finding.rule == "undefined-step"
    ]


def is_bound(world: "World") -> bool:
    workspace = world.settled()
    bound = []
    for suite in workspace.suites.values():
        assert suite.glue is not None
        steps = [step for entry in suite.texts.files.values() for step in entry.file.steps]
        bound += [bool(suite.glue.bind(step).definitions) for step in steps]
    assert len(bound) == 1
    return bound[0]


def tell_the_file(path: Path) -> list[str]:
    return [str(path)]


def tell_nothing(path: Path) -> list[str]:
    del path
    return []


@pytest.mark.parametrize(
    ("tell", "sources", "name", "before", "after"),
    [
        (tell, *change)
        for tell in (tell_the_file, tell_nothing)
        for change in CHANGES
        if tell is tell_the_file
        or not change[1].endswith((".gemspec", "liff", "de.yml"))  # which have no names to look for
    ],
)
def test_what_is_read_around_definitions_is_read_again(
    world: "World", tell: Any, sources: dict[str, str], name: str, before: str, after: str
) -> None:
    world.write(".git/HEAD", "")
    world.write("features/a.feature", "Feature: X\n  Scenario: y\n    Given one 3\n")
    for file, text in {**sources, name: before}.items():
        world.write(file, text)
    world.configure()
    assert not is_bound(world)
    for text, bound in ((after, True), (before, False), (after, True)):
        path = world.write(name, text)
        world.workspace.changed_on_disk(tell(path))
        assert is_bound(world) == bound
        assert bool(undefined(world)) != bound
    (suite,) = world.workspace.suites.values()
    assert suite.glue is not None
    assert suite.glue.errors == []


CYPRESS = "const {Given} = require('@badeball/cypress-cucumber-preprocessor')\nGiven('one {int}', (n) => {})\n"
SCRIPT = '{"scripts": {"test": "cucumber-js -r features/%s"}}'
PREPROCESSOR = '{"cypress-cucumber-preprocessor": {"stepDefinitions": "features/%s/**"}}'


@pytest.mark.parametrize("tell", [tell_the_file, tell_nothing])
@pytest.mark.parametrize(
    ("package", "source"), [(SCRIPT, JS["features/step_definitions/a.js"]), (PREPROCESSOR, CYPRESS)]
)
def test_a_package_says_otherwise_what_is_loaded(world: "World", tell: Any, package: str, source: str) -> None:
    world.write(".git/HEAD", "")
    world.write("features/a.feature", "Feature: X\n  Scenario: y\n    Given one 3\n")
    for folder in ("web", "api"):
        world.write(f"features/{folder}/a.js", source)
    world.write("package.json", package % "web")
    world.configure()
    for folder in ("web", "api", "web"):
        path = world.write("package.json", package % folder)
        world.workspace.changed_on_disk(tell(path))
        (suite,) = world.settled().suites.values()
        assert suite.glue is not None
        (step,) = [step for entry in suite.texts.files.values() for step in entry.file.steps]
        assert [Path(each.path).parent.name for each in suite.glue.bind(step).definitions] == [folder]


@pytest.mark.parametrize("name", ["behave.ini", "Gemfile.lock", "pom.xml", "package.json", "environment.py"])
def test_what_is_read_around_definitions_is_watched(name: str) -> None:
    assert any(name in watched for watched in WATCHED)


def test_an_import_in_an_open_source_counts_when_it_is_saved(world: "World") -> None:
    world.write(".git/HEAD", "")
    world.write("features/a.feature", "Feature: X\n  Scenario: y\n    Given one 3\n")
    for file, text in DEEP.items():
        world.write(file, text)
    world.configure()
    assert not is_bound(world)
    path = str(world.root / "features/steps/main.py")
    world.workspace.open(path, 1, BEHAVE + "from sub import x\n")
    world.write("features/steps/main.py", BEHAVE + "from sub import x\n")
    world.workspace.changed_on_disk([path])
    assert is_bound(world)
