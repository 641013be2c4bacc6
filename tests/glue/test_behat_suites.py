"""Behat's suites: a step binds to the contexts of the suites that run it, and to nothing else."""

from pathlib import Path

import pytest

from cukereuse_engine.glue.behat import CONFIGURATIONS, read_suites
from cukereuse_engine.glue.glue import Glue
from cukereuse_engine.glue.services import find_services
from cukereuse_engine.glue.text_binding import Status
from tests.glue.behat_shop import SUITES, bindings, load, write


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
    assert [Path(definition.path).stem for definition in glue.bind(step).definitions] == ["Adding"]
    web = str(shop / "src/Web.php")
    glue.update_file(web, b"<?php namespace Shop\\Test; class WebContext extends \\OldContext {}")
    assert [Path(definition.path).stem for definition in glue.bind(step).definitions] == ["Old"]
    write(shop, {"behat.yml": "default: {suites: {all: {contexts: [Shop\\Test\\ApiContext]}}}"})
    glue.reload_configuration()
    assert [Path(definition.path).stem for definition in glue.bind(step).definitions] == ["Api"]


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
    """Behat, Application.php and FilesystemFeatureLocator.php; if nothing is there, the folder above may be meant."""
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
    """One suite may have what another lacks; in a run, each suite must have it."""
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
    """Each project of a repository has its own `FeatureContext`, and its parents."""
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
        paths = [Path(definition.path) for definition in glue.bind(step).definitions]
        assert paths == [tmp_path / folder / expected]


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
        assert [Path(definition.path) for definition in glue.bind(step).definitions] == [tmp_path / expected]
