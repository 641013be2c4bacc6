"""The incremental index gives the same as a fresh scan, whatever happened before."""

import json
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from cukereuse_server.protocol.diagnostics import Diagnose, DiagnoseAll
from cukereuse_server.protocol.state import Progressed
from cukereuse_server.worker.handlers.diagnostics import diagnose, diagnose_all
from cukereuse_server.workspace import neighbours, pipeline
from cukereuse_server.workspace.moved import Moves, moved
from cukereuse_server.workspace.texts import complete

from cukereuse_engine.cli.main import run as run_command
from cukereuse_engine.findings.finding import Finding
from cukereuse_engine.index import crowds
from cukereuse_engine.index.graphs import hnswlib_available
from cukereuse_engine.index.hnsw import HnswIndex
from cukereuse_engine.rules import REPETITION_RULES
from cukereuse_engine.scanning.scan import ScanOptions, scan
from cukereuse_engine.settings import Settings
from cukereuse_engine.text.identity import normalise
from tests.server.random_changes import Changes, random_feature

if TYPE_CHECKING:
    from tests.server.conftest import HashEmbedder, World


@contextmanager
def written(world: "World") -> Iterator[None]:
    """The disk with the editor's texts."""
    before = {}
    for name, buffer in world.workspace.buffers.items():
        path = Path(name)
        before[path] = path.read_bytes() if path.exists() else None
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(buffer.text, "utf-8", newline="")
    try:
        yield
    finally:
        for path, content in before.items():
            path.unlink() if content is None else path.write_bytes(content)


def shape(finding: Finding) -> tuple[Any, ...]:
    """What a user sees of a finding; the score without what the judge's picture of the suite changes."""
    places = [tuple((place.path, place.line, place.column) for place in subject.places) for subject in finding.subjects]
    definitions = [tuple(definition.id for definition in subject.definitions) for subject in finding.subjects]
    return (
        finding.rule,
        finding.severity,
        finding.message,
        finding.kind,
        *places,
        *definitions,
        None if finding.confidence is None else round(finding.confidence, 1),
        tuple((reason.id, reason.text, reason.against, reason.about) for reason in finding.reasons),
    )


def fresh(world: "World", settings: Settings) -> dict[str, dict[str, tuple[Any, ...]]]:
    with written(world):
        folders = [folder for folder in world.workspace.folders if Path(folder).is_dir()]
        result = scan(folders, ScanOptions(settings, use_cache=False), embedder=world.embedder) if folders else None
        suites = result.suites if result is not None else ()
    return {
        # an editor leaves to the report what repeats as a whole
        suite.root: {
            finding.fingerprint: shape(finding) for finding in suite.findings if finding.rule not in REPETITION_RULES
        }
        for suite in suites
    }


def incremental(world: "World") -> dict[str, dict[str, tuple[Any, ...]]]:
    return {
        root: {
            finding.fingerprint: shape(finding)
            for finding in suite.findings.all()
            # an editor marks undefined steps, a scan does not unless the settings say so
            if finding.rule != "undefined-step" or "undefined-step" in suite.settings.severity
        }
        for root, suite in world.workspace.suites.items()
        if suite.texts.files
    }


def counts(world: "World") -> dict[str, tuple[Counter[str], list[int]]]:
    """For each file, what an editor counts by function, and the lines of its undefined steps."""
    suites = world.settled().suites.values()
    return {
        path: (suite.functions_in(path), [step.line for step in suite.undefined_in(path)])
        for suite in suites
        for path in suite.texts.files
    }


def fresh_counts(world: "World") -> dict[str, tuple[Counter[str], list[int]]]:
    """Those of a server that starts now."""
    with written(world):
        other = type(world)(world.root)
        other.configure(*map(Path, world.workspace.folders))
        return counts(other)


def check(world: "World", settings: Settings) -> int:
    """Compare with a fresh scan, and a fresh server; returns the number of findings."""
    world.settled()
    world.workspace.pipeline.renew(exactly=True)
    world.settled()
    expected, kept = fresh(world, settings), incremental(world)
    assert kept == expected
    assert counts(world) == fresh_counts(world)
    for suite in world.workspace.suites.values():
        by_file = {finding.fingerprint for path in suite.texts.files for finding in suite.findings.in_file(path)}
        sources = suite.sources.files if suite.sources is not None else ()
        by_file |= {
            finding.fingerprint
            for path in sources
            for finding in suite.findings.in_source(path)
            if finding.rule != "unused-definition"
            and any(place.step is None for each in finding.others for place in each.places)
        }
        assert by_file == {finding.fingerprint for finding in suite.findings.all()}
    running = {event.task: event for event in world.host.events if isinstance(event, Progressed)}
    assert all(last.finished for last in running.values())
    return sum(len(findings) for findings in kept.values())


def begin(world: "World", seed: int, severity: dict[str, str]) -> tuple[random.Random, Changes]:
    world.write("a/behave.ini", "[behave]\n")
    world.write("b/cukereuse.toml", "")
    chance = random.Random(seed)
    for name in ("a/x", "a/y", "b/x", "b/z", "c d#1/x", "top"):
        world.write(f"{name}.feature", random_feature(chance))
    world.configure(severity=severity)
    return chance, Changes(world, seed)


def run(world: "World", seed: int, changes: int, every: int, severity: dict[str, str]) -> int:
    """A check costs as much as two scans, and many changes before it may go wrong in more ways than few."""
    settings = Settings(severity=severity, jobs=1)
    chance, source = begin(world, seed, severity)
    total = check(world, settings)
    for number in range(1, changes + 1):
        source.one()
        if chance.random() < 0.5:
            world.workspace.settled()
        for _ in range(chance.randrange(4)):
            world.host.step()
        if number % every == 0:
            total += check(world, settings)
    return total


@pytest.mark.parametrize("seed", range(2))
def test_incremental_equals_fresh(world: "World", seed: int) -> None:
    assert run(world, seed, changes=60, every=10, severity={}) > 5


def test_incremental_equals_fresh_with_all_rules(world: "World") -> None:
    severity = dict.fromkeys(("exact-duplicate", "undefined-step", "ambiguous-step"), "warning")
    assert run(world, 12, changes=40, every=10, severity=severity) > 100


def test_incremental_equals_fresh_with_vectors(world: "World", embedder: "HashEmbedder") -> None:
    assert run(world, 5, changes=40, every=10, severity={}) > 5
    assert world.workspace.embedder is embedder.coarse()
    for suite in world.workspace.suites.values():
        assert len(suite.neighbours.vectors) == len(suite.neighbours) == len(suite.neighbours.index or ())
        assert not suite.neighbours.leaves_open
        assert not hnswlib_available() or isinstance(suite.neighbours.index, HnswIndex)


def test_what_coarse_vectors_leave_open_is_looked_at_exactly(world: "World", embedder: "HashEmbedder") -> None:
    """Nothing else is embedded exactly, and the result equals a fresh scan after each edit."""
    text = "Feature: shop\n  Scenario: s\n    Given I am on the home page\n    And I am on the home page\n"
    path = str(world.write("a.feature", text))
    world.configure()
    world.settled()
    assert not incremental(world)[str(world.root)]
    for version, step in enumerate(("the cart is open", "I am at the home page", "I see 3 orders"), 1):
        world.workspace.open(path, version, f"{text}    And {step}\n")
        for _ in range(2):
            world.settled()
            incremental(world)  # as when an editor asks
            world.workspace.idle()
        assert incremental(world) == fresh(world, Settings(jobs=1))
        assert len(incremental(world)[str(world.root)]) == (version == 2)
    assert set(embedder.embedded) == {"I am on the home page", "I am at the home page"}


def test_incremental_equals_fresh_in_a_crowd(world: "World", monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(crowds, "CROWD", 4)
    for module in (crowds, neighbours):
        monkeypatch.setattr(module, "EXAMPLES", 2)
    assert run(world, 3, changes=40, every=10, severity={}) > 5
    assert any(suite.neighbours._left_out for suite in world.workspace.suites.values())


@pytest.mark.parametrize("seed", range(2))
def test_crowds_are_right_once_nobody_types(world: "World", seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Near copies come and go; the findings equal those of a fresh comparison of all."""
    monkeypatch.setattr(crowds, "CROWD", 6)
    monkeypatch.setattr(pipeline, "_PAUSE", 0.0)
    for module in (crowds, neighbours):
        monkeypatch.setattr(module, "EXAMPLES", 2)
    chance = random.Random(seed)

    def step() -> str:
        verb = chance.choice(["click", "press", "click on", "press on"])
        return f"    When I {verb} the {'b' * chance.randrange(1, 4)}{chance.randrange(6)} button in a row"

    def joined() -> dict[str, set[str]]:
        incremental(world)  # as when an editor asks
        return {key: others for key, others in suite._components._adjacent.items() if others}

    lines = ["Feature: shop", "  Scenario: s", *(step() for _ in range(20))]
    path = str(world.write("a.feature", "\n".join(lines)))
    world.configure()
    (suite,) = world.settled().suites.values()
    left_out = 0
    for version in range(1, 20):
        for moment in range(2):
            for _ in range(chance.randrange(1, 3)):
                lines[chance.randrange(2, len(lines))] = step()
            world.workspace.open(path, 2 * version + moment, "\n".join(lines))
            world.workspace.settled()  # the second edit comes while crowds are looked for
            world.settled()
            joined()
            world.workspace.idle()
        world.settled()
        kept = joined()
        left_out += len(suite.neighbours._left_out)
        suite.neighbours.find_crowds()
        suite._compare_anew(suite.neighbours.keys())
        suite._forget_compared()
        assert joined() == kept
    assert left_out > 20


@pytest.mark.parametrize("scan_first", [True, False])
def test_scan_and_server_share_vectors(world: "World", embedder: "HashEmbedder", scan_first: bool) -> None:
    """All templates are embedded once coarsely, and two of them once exactly."""
    world.write(
        "a.feature", "Feature: f\n  Scenario: s\n    * I am on the home page\n    * I am at the home page\n    * so\n"
    )

    def serve() -> None:
        world.configure()
        world.settled()

    def scan_all() -> None:
        scan([world.root], ScanOptions(Settings(jobs=1)), embedder=embedder)

    for work in (scan_all, serve) if scan_first else (serve, scan_all):
        work()
    assert len(embedder.coarse().embedded) == 3
    assert sorted(embedder.embedded) == ["I am at the home page", "I am on the home page"]


def test_blank_steps_do_not_make_a_file_of_karate_another(world: "World") -> None:
    """Half of the written steps are statements."""
    steps = ["When I press the button", "When I press the button", "* ", "When def x = 1", "* url 'http://x'"]
    for name, lines in (("a/x", steps), ("a/deep/x", ["When I click on the button"])):
        world.write(f"{name}.feature", "\n    ".join(["Feature: shop\n  Scenario: s", *lines]))
    world.configure()
    assert check(world, Settings(jobs=1)) == 0


@pytest.mark.parametrize("seed", range(2))
def test_findings_of_steps_that_moved_are_those_of_a_search(
    world: "World", seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    moves: list[int] = []

    def counted(findings: Sequence[Finding], where: Moves) -> tuple[Finding, ...]:
        moves.append(len(findings) * len(where))

        return moved(findings, where)

    monkeypatch.setattr("cukereuse_server.workspace.detection.moved", counted)
    _, source = begin(world, seed, {})
    for _ in range(24):
        source.one()
        world.settled()
        for path, buffer in list(world.workspace.buffers.items()):
            source.version += 1
            world.workspace.open(path, source.version, f"# a line above\n{buffer.text}")
        world.settled()
        kept = incremental(world)
        for suite in world.workspace.suites.values():
            suite._forget_all()  # but for what was detected
        assert kept == incremental(world)
    assert sum(map(bool, moves)) > 5


@pytest.mark.parametrize("seed", [2, 5])
def test_what_was_said_moves_along_with_its_lines(world: "World", seed: int) -> None:
    """Lines come and go above, between and below steps that stay, also several at a time."""
    chance, source = begin(world, seed, {"exact-duplicate": "warning", "undefined-step": "warning"})
    source.rare = 0
    world.settled()
    view, moved_along = world.workspace, 0
    for _ in range(40):
        if chance.random() < 0.4:
            source.one()
        for path, buffer in list(view.buffers.items()):
            lines = buffer.text.split("\n")
            for _ in range(chance.randrange(3)):
                at = chance.randrange(len(lines) + 1)
                lines[at : at + chance.randrange(2)] = chance.choice([[""], ["  # so"], ["", ""]])
            source.version += 1
            view.open(path, source.version, "\n".join(lines))
        world.settled()
        for path in view.buffers:
            suite = view.suite_of(path)
            if suite is None:
                continue
            answer = diagnose(view.settled(), Diagnose(path=path))
            suite.diagnoses.forget()
            assert diagnose(view, Diagnose(path=path)) == answer
            for text, steps in suite.texts.files[path].texts.items():
                assert steps == tuple(
                    step for step in suite.texts.files[path].file.steps if normalise(step.text) == text
                )
            moved_along += len(answer.diagnoses)
            diagnose(view, Diagnose(path=path))
    assert moved_along > 25


@pytest.mark.parametrize("severity", [{}, dict.fromkeys(("repeated-step", "undefined-step"), "warning")])
def test_a_file_says_the_same_whether_it_is_open_or_not(world: "World", severity: dict[str, str]) -> None:
    """The counts of a scan are those of the panel, before and after somebody opens a file."""
    _, source = begin(world, 3, severity)
    count = 0
    for _ in range(12):
        source.one()
        world.settled()
        world.workspace.idle()
        view = world.settled()
        of_all = {answer.path: answer.diagnoses for answer in complete(diagnose_all(view, DiagnoseAll()))}
        for suite in view.suites.values():
            for path in (*suite.texts.files, *(suite.sources.files if suite.sources is not None else ())):
                diagnoses = diagnose(view, Diagnose(path=path)).diagnoses
                assert of_all.get(path, []) == [
                    diagnosis for diagnosis in diagnoses if diagnosis.rule != "unused-definition"
                ]
                count += len(diagnoses)
    assert count > 50


@pytest.mark.heavy(seconds=10)
@pytest.mark.parametrize("seed", range(100, 103))
def test_incremental_equals_fresh_after_hundreds_of_changes(world: "World", seed: int) -> None:
    assert run(world, seed, changes=300, every=30, severity={}) > 20


@pytest.mark.parametrize("pragma", ["", "  # cukereuse: ignore[same-code] -- so"])
def test_a_file_does_not_repeat_what_is_told_of_the_code(world: "World", pragma: str) -> None:
    """Also if the finding about the code is silenced."""
    for name, thing in (("one", "lid"), ("two", "pot")):
        world.write(f"{name}.feature", f"Feature: {name}\n  Scenario: S\n    When I lift the '{thing}'\n")
        world.write(
            f"test_{name}.py",
            f"from pytest_bdd import parsers, scenarios, when\n\nscenarios('{name}.feature')\n\n\n"
            f"@when(parsers.parse(\"I lift the '{{thing}}'\")){pragma}\n"
            "def _(shop, thing):\n    shop.lift(thing, 1)\n",
        )
    world.configure()
    assert check(world, Settings(jobs=1)) == (not pragma)
    for name in ("one", "two"):
        assert not diagnose(world.workspace, Diagnose(path=str(world.root / f"{name}.feature"))).diagnoses


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("environment", "def before_all(context):\n    open_shop(context)\n"),
        ("environment", "HOOKS = ['steps.open_shop']\n"),
        ("environment", "def before_all(context):\n    context.execute_steps('Given the shop is open')\n"),
        ("steps/more", "from steps import open_shop\n\n\ndef again(context):\n    open_shop(context)\n"),
    ],
)
def test_a_definition_that_code_uses_is_not_called_unused(
    world: "World", name: str, code: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """A scan, an editor and `cukereuse steps` agree."""
    definition = "\n\n@given('the shop is {0}')\ndef {0}_shop(context):\n    context.{0}()\n"
    steps = "from behave import given\n" + definition.format("open") + definition.format("shut")
    source = world.write("features/steps/steps.py", steps)
    world.write(f"features/{name}.py", f"import steps\n\n\n{code}")
    world.write("features/a.feature", "Feature: F\n  Scenario: S\n    Given it rains\n")
    severity = {"unused-definition": "hint"}
    found = scan([world.root], ScanOptions(Settings(severity=severity, jobs=1), use_cache=False)).suites[0].findings
    assert [finding.others[0].text for finding in found] == ["the shop is shut"]
    for settings in ({}, {"severity": severity}):
        world.configure(**settings)
        (suite,) = world.settled().suites.values()
        texts = [subject.text for finding in suite.findings.in_source(str(source)) for subject in finding.others]
        assert texts == ["the shop is shut"]
    run_command(["steps", "--unused", "--json", "--no-cache", str(world.root)])
    unused = json.loads(capsys.readouterr().out)["suites"][0]["unused"]
    assert [each["expression"] for each in unused] == ["the shop is shut"]


@pytest.mark.parametrize("is_open_first", [True, False])
def test_code_that_is_not_saved_uses_definitions_too(world: "World", is_open_first: bool) -> None:
    """Also if it was opened before the definitions are read, as after a restart."""
    code = "from behave import given\n\n\n@given('the shop is open')\ndef open_shop(context):\n    context.open()\n"
    source, hooks = world.write("features/steps/steps.py", code), world.write("features/environment.py", "")
    world.write("features/a.feature", "Feature: F\n  Scenario: S\n    Given it rains\n")

    def edit() -> None:
        world.workspace.open(
            str(hooks), 1, "import steps\n\n\ndef before_all(context):\n    steps.open_shop(context)\n"
        )

    for act in (edit, world.configure) if is_open_first else (world.configure, edit):
        act()
        world.settled()
    (suite,) = world.workspace.suites.values()
    assert not suite.findings.in_source(str(source))


def test_an_exported_scenario_that_no_step_uses_is_unused_while_it_is_there(world: "World") -> None:
    severity = {"unused-definition": "hint"}
    path = world.write("a.feature", "Feature: F\n  @ExportScenarios\n  Scenario: I pay\n    * it rains\n")
    world.write("b.feature", "Feature: G\n  @ExportScenarios\n  Scenario: I go\n    * it snows\n")
    world.configure(severity=severity)
    world.settled()
    assert incremental(world) == fresh(world, Settings(severity=severity, jobs=1))
    world.workspace.open(str(path), 1, "\n\n" + path.read_text("utf-8"))
    for messages in ({"No step uses “I\\ pay”.", "No step uses “I\\ go”."}, {"No step uses “I\\ go”."}):
        world.settled()
        kept = incremental(world)
        assert kept == fresh(world, Settings(severity=severity, jobs=1))
        assert {message for _, _, message, *_ in kept[str(world.root)].values()} == messages
        world.workspace.close(str(path))
        path.unlink(missing_ok=True)
        world.workspace.changed_on_disk([str(path)])
