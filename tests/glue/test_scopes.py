"""Behat's suites: a step binds to the contexts of the suites that run it, and to nothing else."""

from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cukereuse_engine.gherkin.feature import Step
from cukereuse_engine.gherkin.read import read_bytes
from cukereuse_engine.glue import behat
from cukereuse_engine.glue.behat import CONFIGURATIONS, read_suites
from cukereuse_engine.glue.behat_suites import description_in, needed_tag, passes, text_on_disk
from cukereuse_engine.glue.glue import Glue
from cukereuse_engine.glue.services import find_services
from cukereuse_engine.glue.text_binding import Status

FEATURE = """
Feature: Basket
  Background:
    Given the shop is open

  @web
  Scenario: Seen
    When I add "tea"

  @api @web
  Scenario: Both
    When I add "tea"

  @slow
  Scenario: Neither
    When I add "tea"
"""
CONTEXTS = {
    "src/Web.php": """<?php
namespace Shop\\Test;
use Shop\\Base\\Hall as Common;
class WebContext extends Common { use Adding; }
""",
    "src/Hall.php": """<?php
namespace Shop\\Base;
class Hall { /** @Given the shop is open */ public function open() {} }
""",
    "src/Adding.php": """<?php
namespace Shop\\Test;
trait Adding { /** @When I add :what */ public function add($what) {} }
""",
    "src/Api.php": """<?php
namespace Shop\\Test;
class ApiContext implements \\Behat\\Behat\\Context\\Context {
  /** @Given the shop is open */ public function open() {}
  #[When('I add :what')] public function post($what) {}
}
""",
    "src/Old.php": """<?php
class OldContext { /** @When I add :what */ public function add($what) {} }
""",
}
SUITES = """
default:
  suites:
    web:
      contexts: [Shop\\Test\\WebContext]
      filters: {tags: "@web"}
    api:
      contexts:
        - Shop\\Test\\ApiContext: {url: here}
      filters: {tags: "@api"}
"""


def write(folder: Path, files: Mapping[str, str]) -> None:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def bindings(folder: Path) -> list[tuple[str, Status, list[str]]]:
    """Of each step: its text, status and the sources that it binds to."""
    glue = Glue.load(str(folder / "features"), paths=[folder], jobs=1)
    steps = load(folder, glue)
    return [
        (
            step.text,
            (found := glue.bind(step)).status,
            sorted(Path(definition.path).stem for definition in found.definitions),
        )
        for step in steps
    ]


def load(folder: Path, glue: Glue) -> tuple[Step, ...]:
    path = folder / "features" / "basket.feature"
    steps = read_bytes(str(path), path.read_bytes()).steps
    glue.update_feature(str(path), steps)
    return steps


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    (tmp_path / ".git").mkdir()
    write(tmp_path, {**CONTEXTS, "features/basket.feature": FEATURE})
    return tmp_path


def test_each_suite_has_its_contexts(shop: Path) -> None:
    write(shop, {"behat.yml": SUITES})
    assert bindings(shop) == [
        ("the shop is open", Status.BOUND, ["Api", "Hall"]),  # with the scenarios of either suite
        ('I add "tea"', Status.BOUND, ["Adding"]),
        ('I add "tea"', Status.BOUND, ["Adding", "Api"]),
        ('I add "tea"', Status.AMBIGUOUS, ["Adding", "Api", "Old"]),  # no suite runs it
    ]


def test_without_a_configuration_everything_counts(shop: Path) -> None:
    assert [status for _, status, _ in bindings(shop)] == [Status.AMBIGUOUS] * 4


def test_what_one_suite_lacks_is_undefined(shop: Path) -> None:
    write(shop, {"src/Api.php": "<?php namespace Shop\\Test; class ApiContext implements Context {}"})
    write(shop, {"behat.yml": SUITES})
    assert [status for _, status, _ in bindings(shop)] == [
        Status.UNDEFINED,
        Status.BOUND,
        Status.UNDEFINED,
        Status.AMBIGUOUS,
    ]


def test_a_suite_with_a_context_from_elsewhere_stays_open(shop: Path) -> None:
    write(shop, {"behat.yml": "default: {suites: {all: {contexts: [Vendor\\MinkContext, OldContext]}}}"})
    assert bindings(shop)[0] == ("the shop is open", Status.UNDEFINED, ["Api", "Hall"]), "no runner refuses a guess"
    assert bindings(shop)[1] == ('I add "tea"', Status.BOUND, ["Old"])


def test_contexts_that_are_services(shop: Path) -> None:
    write(
        shop,
        {
            "behat.yml": "default: {suites: {web: {contexts: [shop.web]}, api: {contexts: ['shop.api']}}}",
            "config/web.xml": '<container><services><service id="shop.web" class="Shop\\Test\\WebContext"/></services>',
            "config/api.yaml": "services:\n  shop.api: '@shop.inner'\n  shop.inner: {class: '%api%'}\n"
            "  other: !tagged_iterator x\nparameters: {api: Shop\\Test\\ApiContext}\n",
        },
    )
    assert [status for _, status, _ in bindings(shop)] == [Status.BOUND] * 4
    assert find_services(shop, {"shop.api", "nowhere"}) == {"shop.api": "Shop\\Test\\ApiContext"}


def test_a_change_of_a_class_or_of_the_configuration_counts(shop: Path) -> None:
    write(shop, {"behat.yml": SUITES})
    glue = Glue.load(str(shop / "features"), paths=[shop], jobs=1)
    step = load(shop, glue)[1]
    assert [Path(one.path).stem for one in glue.bind(step).definitions] == ["Adding"]
    web = str(shop / "src/Web.php")
    glue.update_file(web, b"<?php namespace Shop\\Test; class WebContext extends \\OldContext {}")
    assert [Path(one.path).stem for one in glue.bind(step).definitions] == ["Old"]
    write(shop, {"behat.yml": "default: {suites: {all: {contexts: [Shop\\Test\\ApiContext]}}}"})
    glue.reload_configuration()
    assert [Path(one.path).stem for one in glue.bind(step).definitions] == ["Api"]


def test_imports_and_profiles(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "config/behat.yml": "imports: [more/a.yml, behat.yml]\n"
            "default: {suites: {one: {paths: ['%paths.base%/x']}}}\n"
            "ci: {suites: {one: {filters: {tags: '@ci'}}, two: ~, off: false}}",
            "config/more/a.yml": "default: {suites: {one: {contexts: A, paths: y}, three: {paths: [z.feature:3]}}}",
        },
    )
    suites, errors = read_suites(tmp_path / "config/behat.yml")
    assert not errors
    base = str(tmp_path)
    assert [(suite.name, suite.contexts, suite.paths, suite.tags) for suite in suites] == [
        ("one", ("A",), (f"{base}/config/x",), ""),
        ("three", ("FeatureContext",), (f"{base}/z.feature",), ""),
        ("one", ("A",), (f"{base}/config/x",), "@ci"),
        ("two", ("FeatureContext",), (f"{base}/config/features",), ""),
    ]


@pytest.mark.parametrize("path", ["%paths.base%/../features/web", "features/web", "../features/web", ""])
def test_the_base_of_paths_is_the_folder_of_the_configuration(path: str, tmp_path: Path) -> None:
    """Behat, Application.php and FilesystemFeatureLocator.php; where nothing is, the folder above may be meant."""
    stated = f"{{paths: ['{path}']}}" if path else "{}"
    write(tmp_path, {"config/behat.yml": f"default: {{suites: {{web: {stated}}}}}", "features/web/a.feature": ""})
    ((suite,), _) = read_suites(tmp_path / "config/behat.yml")
    assert suite.paths == (str(tmp_path / ("features/web" if path else "features")),)


@pytest.mark.parametrize("text", ["default: [", "- a", "default: {suites: 3}", "default: {suites: {a: 1}}", "", "\0"])
def test_a_broken_configuration_is_an_error_at_most(shop: Path, text: str) -> None:
    write(shop, {"behat.yml": text})
    assert bindings(shop)[0][2] == ["Api", "Hall"]
    _, errors = read_suites(shop / "behat.yml")
    assert bool(errors) is (text in ("default: [", "\0"))
    glue = Glue.load(str(shop / "features"), paths=[shop], jobs=1)
    glue.bind(load(shop, glue)[0])
    assert [Path(error.path).name for error in glue.own_errors] == ["behat.yml"] * len(errors)


def test_the_first_of_the_names_counts(shop: Path) -> None:
    names = [name for name in reversed(CONFIGURATIONS) if "behat." in name and not name.endswith(".php")]
    for number, name in enumerate(names):
        context = "OldContext" if number % 2 else "Shop\\Test\\WebContext"
        write(shop, {name: f"default: {{suites: {{all: {{contexts: [{context}]}}}}}}"})
        expected = "Old" if number % 2 else "Adding"
        assert bindings(shop)[1] == ('I add "tea"', Status.BOUND, [expected]), name


@pytest.mark.parametrize(
    ("tag_filter", "passing"),
    [
        ("@a", ["@a", "@a @b"]),
        ("~@a", ["", "@b"]),
        ("@a&&~@b", ["@a"]),
        ("@a,@b", ["@a", "@b", "@a @b"]),
        ("~@a,@b", ["", "@b", "@a @b"]),
        ("a && ~b", ["@a"]),
    ],
)
def test_tag_filters(tag_filter: str, passing: list[str]) -> None:
    assert [tags for tags in ("", "@a", "@b", "@a @b") if passes(tuple(tags.split()), tag_filter)] == passing


ALTERNATIVES = st.lists(st.sampled_from(["@a", "~@a", "@b", "~@b", "c", "~ c", ""]), min_size=1, max_size=3)
FILTERS = st.lists(ALTERNATIVES, max_size=3)


@given(parts=FILTERS, tags=st.sets(st.sampled_from(["@a", "@b", "@c"])))
def test_what_lacks_the_tag_that_a_filter_needs_does_not_pass(parts, tags):
    """Scenarios without it are not asked."""
    tag_filter = "&&".join(",".join(alternatives) for alternatives in parts)
    needed = needed_tag(tag_filter)
    if needed and f"@{needed}" not in tags:
        assert not passes(tuple(tags), tag_filter)
    if len(parts) == 1 and parts[0] in (["@a"], ["@b"], ["c"]):
        assert needed == parts[0][0].lstrip("@")


PHP = """<?php
use Behat\\Config\\{Config, Profile, Suite};
use Shop\\Test\\WebContext as Web;
// ->withPaths('features/old')
return (new Config())->withProfile(
    (new Profile('default'))
        ->withSuite((new Suite('web'))->withPaths('%paths.base%/features/web')->withContexts(Web::class))
        ->withSuite((new Suite('api', ['paths' => ['features/api'], 'contexts' => ['\\ApiContext']]))
            ->withFilter(new TagFilter('@api'))->withFilter(new \\Behat\\Config\\Filter\\NameFilter('buys')))
);
"""


def test_a_configuration_in_php(tmp_path: Path) -> None:
    configuration = tmp_path / "behat.php"
    configuration.write_text(PHP, encoding="utf-8")
    suites, errors = read_suites(configuration)
    assert not errors
    places = {suite.name: [Path(path).relative_to(tmp_path).as_posix() for path in suite.paths] for suite in suites}
    assert places == {"web": ["features/web"], "api": ["features/api"]}
    contexts = {suite.name: suite.contexts for suite in suites}
    assert contexts == {"web": ("Shop\\Test\\WebContext",), "api": ("ApiContext",)}
    assert [(suite.tags, suite.title) for suite in suites] == [("", ""), ("@api", "buys")]


FILTERS = [
    ("{name: Seen}", "{name: Both}", [["Adding"], ["Api"]]),
    ("{name: '/^seen$/i'}", "{name: /o/}", [["Adding"], ["Api"]]),
    ("{name: Basket}", "{name: Other}", [["Adding"], ["Adding"]]),
    ("{role: buyer}", "{role: 'shop owner'}", [["Api"], ["Api"]]),
    ("{role: 'shop *'}", "{role: buyer}", [["Adding"], ["Adding"]]),
    ("{narrative: '/tea.*cheap/s'}", "{narrative: /coffee/}", [["Adding"], ["Adding"]]),
    ("{tags: '@web', name: Seen}", "{tags: '@api', name: Basket}", [["Adding"], ["Api"]]),
    ("{name: '/(/'}", "{name: none}", [["Adding"], ["Adding"]]),
]


@pytest.mark.parametrize(("web", "api", "expected"), FILTERS)
def test_filters_of_suites(web: str, api: str, expected: list[list[str]], shop: Path) -> None:
    """By a scenario's or its feature's title, by whom a feature is for, by its description."""
    said = "Feature: Basket\n  As a shop owner\n  I want tea\n  so that it is cheap\n"
    write(shop, {"features/basket.feature": FEATURE.replace("Feature: Basket\n", said)})
    write(shop, {"behat.yml": SUITES.replace('{tags: "@web"}', web).replace('{tags: "@api"}', api)})
    found = [files for text, _, files in bindings(shop) if text.startswith("I add")]
    assert found[:2] == expected


@pytest.mark.parametrize("told", [True, False])
def test_a_narrative_that_changes_counts(told: bool, shop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether its feature file is taken in again, or only saved as it was taken in before."""
    if told:
        monkeypatch.setattr(behat, "stamp_of", lambda _: (0,))  # as where a file system's clock is coarse
    said = FEATURE.replace("Feature: Basket\n", "Feature: Basket\n  As a buyer\n  I want tea\n")
    write(shop, {"features/basket.feature": said})
    roles = SUITES.replace('{tags: "@web"}', "{role: buyer}").replace('{tags: "@api"}', "{role: owner}")
    write(shop, {"behat.yml": roles})
    glue = Glue.load(str(shop / "features"), paths=[shop], jobs=1)
    step = load(shop, glue)[1]
    assert [Path(one.path).stem for one in glue.bind(step).definitions] == ["Adding"]
    write(shop, {"features/basket.feature": said.replace("As a buyer", "As an owner")})
    if told:
        load(shop, glue)
    assert [Path(one.path).stem for one in glue.bind(step).definitions] == ["Api"]


def test_a_narrative_that_an_editor_holds_counts(shop: Path) -> None:
    """Not what is on disk; and what is on disk once the editor lets go."""
    said = FEATURE.replace("Feature: Basket\n", "Feature: Basket\n  As a buyer\n  I want tea\n")
    roles = SUITES.replace('{tags: "@web"}', "{role: buyer}").replace('{tags: "@api"}', "{role: owner}")
    write(shop, {"features/basket.feature": said, "behat.yml": roles})
    glue = Glue.load(str(shop / "features"), paths=[shop], jobs=1)
    step = load(shop, glue)[1]
    held: dict[str, str] = {}
    glue.held_text = held.get
    for text, expected in (
        (None, "Adding"),
        (said.replace("buyer", "owner"), "Api"),
        (said.replace("buyer", "buyer\n  I want"), "Adding"),
        (said.replace("buyer", "owner"), "Api"),
        (None, "Adding"),
    ):
        held.clear()
        held |= {step.path: text} if text is not None else {}
        assert [Path(one.path).stem for one in glue.bind(step).definitions] == [expected]
        assert not glue.tells_otherwise(step.path)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Feature: a\n  As a b\n\n  Scenario: c\n", ["As a b"]),
        (
            "Feature: a\n  In order to: win\n  See https://x.y\n  As a b\n@t\n  Scenario: c\n",
            ["In order to: win", "See https://x.y", "As a b"],
        ),
        ("\ufeff# language: de\nFunktionalität: a\n  Als: b\n  Grundlage:\n  Szenario: c", ["Als: b"]),
        ("# by: me\n# language: fr\n@t\nFonctionnalité: a\n  Rule: b\n  Règle: c\n", ["Rule: b"]),
        ("Feature: a\n  Examples: b\nBackground:\n  Given: c\n", ["Examples: b"]),
        ("Feature: a\nAs a b", ["As a b"]),
        ("# Feature: a\nScenario: a\n  As a b\n", []),
        ("", []),
    ],
)
def test_the_description_of_a_feature(text: str, expected: list[str], tmp_path: Path) -> None:
    write(tmp_path, {"a.feature": text})
    lines = description_in(text_on_disk(str(tmp_path / "a.feature"))).splitlines()
    assert [line.strip() for line in lines if line.strip()] == expected


CONTEXT = "<?php class {} implements \\Behat\\Behat\\Context\\Context {{ /** @Given {} */ public function a() {{}} }}"
"""A class, and the text of its one step."""
PROFILES = """
{default}
a: {{suites: {{one: {{contexts: [A]}}}}}}
b: {{suites: {{one: {{contexts: [B]}}, two: {{contexts: [A]}}}}}}
"""


@pytest.mark.parametrize("configuration", ["", "default: {suites: {all: {contexts: [A]}}}"])
@pytest.mark.parametrize(
    ("expression", "expected"),
    [(r'/^a text "([^\n]*)"$/', Status.BOUND), (r'/^a text "([a-z]*)"$/', Status.UNDEFINED)],
)
def test_a_cell_keeps_its_escapes(configuration: str, expression: str, expected: Status, tmp_path: Path) -> None:
    cell = 'Feature: f\n  Scenario Outline: s\n    Given a text "<t>"\n    Examples:\n      | t |\n      | a\\nb |\n'
    write(tmp_path, {"features/basket.feature": cell, "features/bootstrap/A.php": CONTEXT.format("A", expression)})
    write(tmp_path, {"behat.yml": configuration} if configuration else {})
    assert [status for _, status, _ in bindings(tmp_path)] == [expected]


@pytest.mark.parametrize(
    ("default", "contexts", "expected"),
    [
        ("", {"A": "it is", "B": "it is"}, Status.BOUND),
        ("", {"A": "it is", "B": "it was"}, Status.BOUND),  # undefined for one suite of `b`, not for `a`
        ("", {"A": "it was", "B": "it is"}, Status.UNDEFINED),
        ("", {"A": "it was", "B": "it was", "FeatureContext": "it is"}, Status.BOUND),
        ("", {"A": "it was", "B": "it was", "Other": "it is"}, Status.UNDEFINED),  # there is no FeatureContext
        ("default: {suites: {three: {contexts: [Other]}}}", {"Other": "it is", "A": "a", "B": "b"}, Status.BOUND),
        (
            "default: {suites: {three: {contexts: [Other]}}}",
            {"FeatureContext": "it is", "Other": "a"},
            Status.UNDEFINED,
        ),
    ],
)
def test_profiles_are_runs_of_their_own(
    default: str, contexts: dict[str, str], expected: Status, tmp_path: Path
) -> None:
    """What one lacks another may have; inside one, each suite must have it."""
    files = {f"features/bootstrap/{name}.php": CONTEXT.format(name, text) for name, text in contexts.items()}
    files.setdefault("features/bootstrap/A.php", CONTEXT.format("A", "nothing"))
    files.setdefault("features/bootstrap/B.php", CONTEXT.format("B", "nothing"))
    write(
        tmp_path,
        {
            "behat.yml": PROFILES.format(default=default),
            "features/basket.feature": ONE_STEP,
            "composer.json": "{}",
            **files,
        },
    )
    assert [status for _, status, _ in bindings(tmp_path)] == [expected]


ONE_STEP = "Feature: a\n  Scenario: b\n    Given it is\n"


def test_of_classes_with_one_name_the_nearest_to_the_configuration_counts(tmp_path: Path) -> None:
    """Projects of one repository each have their `FeatureContext`, and what it inherits."""
    php = "features/bootstrap/FeatureContext.php"
    inheriting = "<?php class FeatureContext extends Base {}"
    base = "features/bootstrap/Base.php"
    write(
        tmp_path,
        {
            "composer.json": "{}",
            php: CONTEXT.format("FeatureContext", "it is"),
            f"one/{php}": CONTEXT.format("FeatureContext", "it is"),
            f"two/{php}": inheriting,
            f"two/{base}": CONTEXT.format("Base", "it is"),
            f"three/{php}": inheriting,
            f"three/{base}": CONTEXT.format("Base", "it is"),
            **{f"{folder}behat.yml": "default: {}" for folder in ("", "one/", "two/", "three/")},
            **{f"{folder}features/basket.feature": ONE_STEP for folder in ("", "one/", "two/", "three/")},
        },
    )
    for folder, expected in (("", php), ("one", php), ("two", base), ("three", base)):
        glue = Glue.load(str(tmp_path / folder / "features"), paths=[tmp_path], jobs=1)
        (step,) = load(tmp_path / folder, glue)
        found = [Path(one.path) for one in glue.bind(step).definitions]
        assert found == [tmp_path / folder / expected]


def test_a_class_that_comes_nearer_counts_from_then_on(tmp_path: Path) -> None:
    near, far = "one/features/bootstrap/FeatureContext.php", "lib/FeatureContext.php"
    source = CONTEXT.format("FeatureContext", "it is")
    write(
        tmp_path,
        {
            far: source,
            "one/behat.yml": "default: {}",
            "one/features/basket.feature": ONE_STEP,
            "composer.json": "{}",
            "one/composer.json": "{}",
        },
    )
    glue = Glue.load(str(tmp_path / "one/features"), paths=[tmp_path], jobs=1)
    (step,) = load(tmp_path / "one", glue)
    for text, expected in ((None, far), (source, near), ("<?php class Other {}", far), (source, near), (None, far)):
        glue.update_file(str(tmp_path / near), text.encode() if text is not None else None)
        assert [Path(one.path) for one in glue.bind(step).definitions] == [tmp_path / expected]
