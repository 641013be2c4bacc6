"""A suite's glue from files on disk: found, read, cached, bound, counted."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cukereuse_engine.errors import CukereuseError
from cukereuse_engine.gherkin.feature import Step
from cukereuse_engine.gherkin.read import read_bytes
from cukereuse_engine.glue import binding, glue, sources
from cukereuse_engine.glue.definition import Extraction, GlueError, StepDefinition
from cukereuse_engine.glue.glue import Glue
from cukereuse_engine.glue.languages import base
from cukereuse_engine.glue.languages import source as parsing
from cukereuse_engine.glue.sources import (
    ReadSources,
    default_cache,
    discover_glue,
    glue_root,
    kept_sources,
    read_sources,
    sources_key,
)
from cukereuse_engine.glue.step_binding import MAX_ROWS, expanded_texts
from cukereuse_engine.glue.text_binding import Status

Make = Callable[..., StepDefinition]
FEATURE = """
Feature: Machine
  Background:
    Given the machine is ready
  Scenario Outline: Taking
    When <who> takes <n> of them
    Then nothing is left
    Examples:
      | who | n |
      | Ann | 1 |
      | Bob | 2 |
      | Ann | 1 |
    Examples:
      | who | n   |
      | Cid | two |
"""
GLUE = """
from behave import given, when, then
@given("the machine is ready")
def ready(context): pass
@when("{who:w} takes {n:d} of them")
def takes(context, who, n): pass
@then("all is left")
def left(context): pass
"""


def steps_of(text: str, path: str = "machine.feature") -> tuple[Step, ...]:
    return read_bytes(path, text.encode()).steps


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A repository with two packages and glue beside the features of one."""
    (tmp_path / ".git").mkdir()
    for package in ("one", "two"):
        (tmp_path / package / "features" / "steps").mkdir(parents=True)
        (tmp_path / package / "features" / "machine.feature").write_text(FEATURE)
        (tmp_path / package / "features" / "steps" / "steps.py").write_text(GLUE)
    (tmp_path / "node_modules").mkdir()
    (tmp_path / "node_modules" / "steps.js").write_text("Given('the machine is ready', () => {})")
    return tmp_path


def test_an_outline_step_binds_through_every_row(project: Path) -> None:
    glue = Glue.load(str(project / "one" / "features"), jobs=1)
    ready, takes, nothing = (
        glue.bind(step) for step in steps_of(FEATURE, str(project / "one/features/machine.feature"))
    )
    assert [text.text for text in takes.texts] == [
        "Ann takes 1 of them",
        "Bob takes 2 of them",
        "Cid takes two of them",
    ]
    assert [text.status for text in takes.texts] == [Status.BOUND, Status.BOUND, Status.UNDEFINED]
    assert [definition.function_name for definition in takes.definitions] == ["takes"]
    assert (ready.status, takes.status, nothing.status) == (Status.BOUND, Status.UNDEFINED, Status.UNDEFINED)


def test_the_glue_of_a_repository_is_read_once_for_its_suites(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    roots = [str(project / name) for name in ("one/features", "one", "two")]
    apart = [Glue.load(root, jobs=1) for root in roots]
    opened: list[str] = []

    def reading(paths: list[str], **options: Any) -> dict[str, Extraction]:
        opened.extend(paths)
        return read_sources(paths, **options)

    monkeypatch.setattr(glue, "read_sources", reading)
    read = ReadSources()
    together = [Glue.load(root, jobs=1, read=read) for root in roots]
    assert opened
    assert len(opened) == len(set(opened)), "a source was read for two suites"
    for one, other in zip(together, apart, strict=True):
        assert one.definitions == other.definitions
        assert one.own_definitions == other.own_definitions
    without = Glue.load(roots[0], exclude=["two"], jobs=1, read=read)
    assert without.definitions == Glue.load(roots[0], exclude=["two"], jobs=1).definitions != apart[0].definitions


def test_usage(project: Path) -> None:
    glue = Glue.load(str(project / "one" / "features"), jobs=1)
    usage = glue.usage(steps_of(FEATURE, str(project / "one/features/machine.feature")))
    assert sorted(count for count in usage.counts.values()) == [0, 0, 0, 0, 1, 1]
    assert [definition.function_name for definition in usage.unused] == ["left"]
    assert [binding.step.text for binding in usage.undefined] == ["<who> takes <n> of them", "nothing is left"]
    assert usage.ambiguous == ()


def test_each_package_has_its_own_definitions_first(project: Path) -> None:
    for package, other in (("one", "two"), ("two", "one")):
        glue = Glue.load(str(project / package), jobs=1)
        (step, *_) = steps_of(FEATURE, str(project / package / "features/machine.feature"))
        assert [definition.path for definition in glue.bind(step).definitions] == [
            str(project / package / "features/steps/steps.py")
        ]
        assert len(glue.definitions) == 2 * len(glue.own_definitions) == 6
        assert not any(other in Path(definition.path).parts for definition in glue.own_definitions)


@pytest.mark.parametrize(
    ("step", "folders", "status"),
    [
        ("all is left:\n   | a |", ["steps"], Status.BOUND),
        ("all is left:\n   | a |", ["steps", "develop_steps"], Status.BOUND),  # a stage has its own
        ("all is left:", ["steps"], Status.UNDEFINED),
    ],
)
def test_behave_drops_the_colon_before_an_argument(step: str, folders: list[str], status: Status) -> None:
    glue = Glue("suite")
    for folder in folders:
        glue.update_file(f"{folder}/steps.py", GLUE.encode())
    (read,) = steps_of(f"Feature: a\n Scenario: b\n  Then {step}")
    assert glue.bind(read).status is status


def test_the_features_own_project_goes_before_others(project: Path) -> None:
    for package in ("one", "two"):
        (project / package / "package.json").touch()
        (project / package / "features" / "steps.js").write_text("Given('the lid opens', () => {})")
    glue = Glue.load(str(project), jobs=1)
    (step,) = steps_of("Feature: a\n Scenario: b\n  Given the lid opens", str(project / "one/tests/a.feature"))
    binding = glue.bind(step)
    assert binding.status is Status.BOUND
    assert [definition.path for definition in binding.definitions] == [str(project / "one/features/steps.js")]


def test_glue_outside_the_suite_is_found(project: Path) -> None:
    (project / "one/features/steps/steps.py").rename(project / "elsewhere.py")
    glue = Glue.load(str(project / "one" / "features"), exclude=["two"], jobs=1)
    assert {definition.path for definition in glue.own_definitions} == {str(project / "elsewhere.py")}


def test_own_definitions_follow_their_sources(project: Path) -> None:
    glue = Glue.load(str(project / "one"), jobs=1)
    own = str(project / "one/features/steps/steps.py")
    (ready, *_) = steps_of(FEATURE, str(project / "one/features/machine.feature"))
    for source, functions in (
        (GLUE.replace("ready(", "is_ready("), ["is_ready", "takes", "left"]),
        (None, ["ready", "takes", "left"]),  # those of the other package
        (GLUE, ["ready", "takes", "left"]),
    ):
        assert glue.own_definitions
        glue.update_file(own, source.encode() if source is not None else None)
        assert [definition.function_name for definition in glue.own_definitions] == functions
        assert {definition.path for definition in glue.own_definitions} == {
            definition.path for definition in glue.bind(ready).definitions
        }
        assert all(glue.binds_to(ready, each.id) is (each is glue.own_definitions[0]) for each in glue.own_definitions)


def test_include_and_exclude(project: Path) -> None:
    sources = discover_glue([project], exclude=["two/"], include=["node_modules/steps.js"])
    assert [str(Path(path).relative_to(project)) for path in sources] == [
        "node_modules/steps.js",
        str(Path("one/features/steps/steps.py")),
    ]


@pytest.mark.parametrize(
    ("markers", "root"),
    [
        ([".git"], "."),
        (["one/two/package.json"], "one/two"),
        (["one/pom.xml", "one/two/pom.xml"], "one"),
        (["pom.xml", "one/two/pom.xml"], "one/two"),
        (["one/pom.xml"], "one"),
        ([], "one/two/features"),
    ],
)
def test_glue_root(tmp_path: Path, markers: list[str], root: str) -> None:
    (tmp_path / "one/two/features").mkdir(parents=True)
    for marker in markers:
        (tmp_path / marker).mkdir()
    assert Path(glue_root(str(tmp_path / "one/two/features"))) == (tmp_path / root).resolve()


def test_a_missing_path_is_told(tmp_path: Path) -> None:
    with pytest.raises(CukereuseError, match="no such file"):
        Glue.load(str(tmp_path), paths=[tmp_path / "nowhere"], jobs=1)


def test_files_come_change_and_go(project: Path) -> None:
    path = str(project / "one/features/steps/steps.py")
    glue = Glue.load(str(project / "one"), exclude=["two"], jobs=1)
    steps = steps_of(FEATURE)
    glue.update_feature("machine.feature", steps)
    assert glue.update_file(path, ("\n\n" + GLUE).encode()) == set(), "nobody has asked for a text"
    glue.usage(steps)
    glue.update_file(path, GLUE.encode())
    assert glue.update_file(path, GLUE.encode()) == set()
    lower = ("\n" + GLUE).encode()
    assert glue.update_file(path, lower) == {"the machine is ready", "Ann takes 1 of them", "Bob takes 2 of them"}
    assert [definition.line for definition in glue.bind(steps[0]).definitions] == [4]
    changed = glue.update_file(path, GLUE.replace("is ready", "was ready").encode())
    assert "the machine is ready" in changed
    assert glue.bind(steps[0]).status is Status.UNDEFINED
    glue.update_file(path, None)
    assert glue.definitions == []
    glue.update_feature("machine.feature", None)
    assert list(glue._binder.texts) == []


def test_of_a_changed_file_only_what_matches_otherwise_is_bound_again(monkeypatch: pytest.MonkeyPatch) -> None:
    glue = Glue("suite")
    glue.update_feature("machine.feature", steps_of(FEATURE))
    glue.update_file("steps.py", GLUE.encode())
    compiled = []
    original = binding.compile_definition
    monkeypatch.setattr(
        binding,
        "compile_definition",
        lambda definition, *rest: compiled.append(definition) or original(definition, *rest),
    )
    glue.update_file("steps.py", ("# moved\n" + GLUE.replace("is left", "is gone")).encode())
    assert [definition.expression for definition in compiled] == ["all is gone"]


def test_a_text_of_two_features_stays_while_one_has_it() -> None:
    glue = Glue("suite")
    steps = steps_of("Feature: a\n Scenario: b\n  Given a b")
    glue.update_feature("one.feature", steps)
    glue.update_feature("two.feature", steps)
    glue.update_feature("one.feature", [])
    assert list(glue._binder.texts) == ["a b"]
    glue.update_feature("two.feature", [])
    assert list(glue._binder.texts) == []


def test_rows_are_bounded() -> None:
    rows = "".join(f"      | {n} |\n" for n in range(MAX_ROWS + 50))
    text = f"Feature: a\n Scenario Outline: b\n  Given <n> b\n  When c\n  Examples:\n      | n |\n{rows}"
    first, second = steps_of(text)
    assert len(expanded_texts(first)) == MAX_ROWS
    assert expanded_texts(second) == ["c"]


@pytest.mark.parametrize("examples", ["", "  Examples:\n", "  Examples:\n    | n |\n"])
def test_without_rows_the_text_itself_counts(examples: str) -> None:
    (step,) = steps_of(f"Feature: a\n Scenario Outline: b\n  Given <n> b\n{examples}")
    assert expanded_texts(step) == ["<n> b"]


def test_cached_extractions_are_the_same_at_another_path(project: Path) -> None:
    one, two = (str(project / name / "features/steps/steps.py") for name in ("one", "two"))
    cache = default_cache()
    fresh = read_sources([one], jobs=1, cache=cache)
    assert cache.path.exists()
    cached = read_sources([two], jobs=1, cache=cache)
    assert cached[two] == base.extract(two, GLUE.encode())
    assert fresh[one].definitions[0].id == f"{one}:3:8"


def test_a_reader_that_changed_reads_anew(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = str(project / "one/features/steps/steps.py")
    cache = default_cache()

    def read() -> bool:
        """True if it found everything."""
        extraction = read_sources([path], jobs=1, cache=cache, kept=kept_sources(cache, sources_key([path])))[path]
        return bool(extraction.definitions)

    assert read()
    monkeypatch.setattr(sources, "extract_source", lambda *_: Extraction(errors=(GlueError(path, 0, 0, "new"),)))
    assert read()
    monkeypatch.setattr(sources, "digest_of", lambda *_: "another")
    sources.reader.cache_clear()
    assert not read()
    sources.reader.cache_clear()


def test_processes_give_what_one_gives(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(3):
        (project / f"more{number}.py").write_text(f'{GLUE}@given("number {number}")\ndef n(c): pass\n')
    paths = discover_glue([project])
    alone = read_sources(paths, jobs=1)
    monkeypatch.setattr(sources, "POOL_BYTES", 0)
    monkeypatch.setattr(sources, "CHUNK_BYTES", 1)
    assert read_sources(paths, jobs=2) == alone
    assert len(alone) == 5


def test_what_cannot_be_read_is_an_error(tmp_path: Path) -> None:
    path = str(tmp_path / "gone.py")
    (error,) = read_sources([path], jobs=1)[path].errors
    assert error.path == path
    assert "can't be read" in error.message


@pytest.mark.parametrize("suffix", base.suffixes())
@pytest.mark.parametrize(
    "data", [b"", b"\xff\xfe@given('\x00", b"Given('x", b"@given(" * 2000, b'\xef\xbb\xbf@Given("a")'], ids=range(5)
)
def test_any_bytes_are_read(suffix: str, data: bytes) -> None:
    assert isinstance(base.extract(f"x{suffix}", data), Extraction)


@pytest.mark.parametrize(("encoding", "text"), [("latin-1", "café"), ("cp1252", "café 5 €"), ("latin-1", "é\x81")])
@pytest.mark.parametrize(
    ("path", "source"),
    [
        ("steps.py", 'from behave import given\n@given("{}")\ndef f(c): pass\n'),
        ("steps.rb", "Given(/{}/) {{ }}\n"),
        ("steps.js", "const {{ Given }} = require('@cucumber/cucumber')\nGiven(`{}`, () => {{}})\n"),
        ("A.cs", 'using Reqnroll;\n[Binding] class A {{ [Given(@"{}")] public void B() {{ }} }}'),
        ("A.kt", 'import io.cucumber.java.en.*\nclass A {{ @Given("{}") fun b() {{ }} }}'),
    ],
)
def test_sources_of_windows_are_read_but_never_rewritten(encoding: str, text: str, path: str, source: str) -> None:
    (definition,) = base.extract(path, source.format(text).encode(encoding)).definitions
    assert (definition.expression, definition.rewritable) == (text, False)


def test_a_bundled_script_is_no_glue(tmp_path: Path) -> None:
    step = 'Given("I wait", () => {});'
    bundle = "import {Given} from '@cucumber/cucumber';" + "var a=[1,2,3];" * 500 + step + "Given(a, () => {});"
    paths = [tmp_path / "bundle.js", tmp_path / "steps.js"]
    paths[0].write_text(bundle)
    paths[1].write_text("import {Given} from '@cucumber/cucumber';\n" + "const a = 1;\n" * 500 + step)
    glue = Glue.load(str(tmp_path))
    assert [definition.path for definition in glue.definitions] == [str(paths[1])]
    assert not glue.errors


def test_columns_count_code_points_after_a_byte_order_mark() -> None:
    source = '\ufeffGiven("é 😀", () => {}); When("b", () => {})'.encode()
    first, second = base.extract("steps.js", source).definitions
    assert (first.literal.column, second.literal.column) == (7, 30)


def test_a_source_that_takes_too_long_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parsing, "PARSE_SECONDS", 0)
    assert base.extract("steps.py", (GLUE * 500).encode()).definitions  # in parts it is fast enough
    (error,) = base.extract("steps.py", b"# behave\n" + b"x = 1\n" * 5000).errors
    assert "took longer" in error.message


EXPORTED = """@ExportScenarios
Feature: Library
  Scenario: I open the form "Name"
    Given a
  Scenario: I close <all> forms
    Given a
"""


def test_exported_scenarios_are_definitions() -> None:
    """Vanessa Automation: a scenario under @ExportScenarios is a step definition for all others."""
    glue = Glue("suite")
    glue.update_feature("library.feature", steps_of(EXPORTED, "library.feature"))
    steps = steps_of(
        "Feature: f\n  Scenario: s\n    Given I OPEN the form 'X y'\n    And I close 3 forms\n    And I close\n"
    )
    glue.update_feature("machine.feature", steps)
    bound = [glue.bind(step) for step in steps]
    assert [[definition.line for definition in binding.definitions] for binding in bound] == [[3], [5], []]
    assert bound[0].texts[0].matches[0].arguments[0].value == "'X y'"
    assert [definition.shown for definition in glue.own_definitions] == [
        'I open the form "Name"',
        "I close <all> forms",
    ]
    glue.update_feature("library.feature", steps_of(EXPORTED.replace("@Export", "@"), "library.feature"))
    assert glue.bind(steps[0]).status is Status.UNDEFINED
    assert not glue.definitions
