"""Changes on disk without notice are seen, and no folder is walked again unless one changed."""

import random
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from cukereuse_server.protocol.rename import PlanRename
from cukereuse_server.protocol.state import Changed
from cukereuse_server.worker.handlers.rename import rename
from cukereuse_server.workspace.disk import WalkedFiles, changed_paths, stamp_of
from cukereuse_server.workspace.stages import reading, shared_sources
from cukereuse_server.workspace.stages.reading import list_workspace, look

if TYPE_CHECKING:
    from tests.server.conftest import World

FEATURE = "Feature: f\n  Scenario: s\n    When I press Save\n"
STEPS = "from behave import when\n\n@when('I press {name}')\ndef press(context, name):\n    pass\n"


def files(world: "World") -> list[str]:
    paths = [path for suite in world.workspace.suites.values() for path in suite.texts.files]
    return sorted(str(Path(path).relative_to(world.root)) for path in paths)


@pytest.fixture
def started(world: "World") -> "World":
    for name in ("a/one", "a/two", "b/three"):
        world.write(f"{name}.feature", FEATURE)
    world.write("a/steps/steps.py", STEPS)
    world.write("b/steps.py", STEPS)
    world.write("cukereuse.toml", "")
    world.write(".gitignore", "")
    (world.root / ".git").mkdir()
    world.configure()
    world.settled()
    assert files(world) == ["a/one.feature", "a/two.feature", "b/three.feature"]
    return world


@pytest.fixture
def walks(started: "World", monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The folders that are walked from now on."""
    del started
    done: list[str] = []
    for module, name in ((reading, "discover"), (shared_sources, "discover_glue")):
        walk = getattr(module, name)

        def counted(*args: Any, walk: Any = walk, name: str = name, **named: Any) -> Any:
            done.append(name)
            return walk(*args, **named)

        monkeypatch.setattr(module, name, counted)
    return done


def test_where_nothing_changed_nothing_is_walked(started: "World", walks: list[str]) -> None:
    for paths in ([], [str(started.root)], [str(started.root / "a/one.feature")]):
        started.workspace.changed_on_disk(paths)
        started.settled()
    assert walks == []


def test_a_changed_file_is_read_without_a_walk(started: "World", walks: list[str]) -> None:
    path = str(started.write("a/one.feature", FEATURE.replace("Save", "Undo")))
    started.write("b/steps.py", STEPS.replace("press", "leave"))
    started.workspace.changed_on_disk([])
    started.settled()
    (suite,) = started.workspace.suites.values()
    assert [step.text for step in suite.texts.files[path].file.steps] == ["I press Undo"]
    assert suite.glue is not None
    assert sorted(definition.expression for definition in suite.glue.definitions) == [
        "I leave {name}",
        "I press {name}",
    ]
    assert walks == []


@pytest.mark.parametrize("folder", ["a", "new/deep"])
def test_a_file_that_comes_is_found(started: "World", folder: str) -> None:
    for number, paths in enumerate(([], [str(started.root)])):
        started.write(f"{folder}/{number}.feature", FEATURE)
        started.workspace.changed_on_disk(paths)
        started.settled()
        assert f"{folder}/{number}.feature" in files(started)
    shutil.rmtree(started.root / folder)
    started.workspace.changed_on_disk([])
    started.settled()
    assert not [name for name in files(started) if name.startswith(folder)]


@pytest.mark.parametrize("named", [True, False])
@pytest.mark.parametrize("name", [".gitignore", ".cukereuseignore"])
def test_ignore_files_count(started: "World", name: str, named: bool) -> None:
    seen = []
    for text in ("b/\n", "b/\nsteps/\n", "", None):
        path = started.root / name
        path.unlink() if text is None else path.write_text(text)
        started.workspace.changed_on_disk([str(path)] if named else [])
        started.settled()
        (suite,) = started.workspace.suites.values()
        seen.append((len(files(started)), len(suite.glue.definitions) if suite.glue is not None else 0))
    assert seen == [(2, 1), (2, 0), (3, 2), (3, 2)]


@pytest.mark.parametrize("named", [True, False])
@pytest.mark.parametrize("folder", ["", ".."])
def test_settings_count(started: "World", folder: str, named: bool) -> None:
    """Those of a folder above the workspace too."""
    (started.root / "cukereuse.toml").unlink()
    path = started.root / folder / "pyproject.toml"
    seen = []
    for text in ("[tool.cukereuse]\nexclude = ['a/two*']\n", "[tool.cukereuse]\nseverity = {unread = 'off'}\n"):
        path.write_text(text)
        started.workspace.changed_on_disk([str(path)] if named else [])
        started.settled()
        (suite,) = started.workspace.suites.values()
        seen.append((len(files(started)), dict(suite.settings.severity)))
    assert [count for count, _ in seen] == [2, 3]
    assert [severity.get("unread") for _, severity in seen] == [None, "off"]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("behave.ini", "[behave]\n"),
        ("cucumber.js", "module.exports = {}\n"),
        ("behat.yml", "default:\n"),
        ("specflow.json", "{}\n"),
        ("setup.cfg", "[behave]\n"),
        ("pytest.ini", "bdd_features_base_dir = .\n"),
    ],
)
@pytest.mark.parametrize("empty", [False, True])
def test_a_runner_s_configuration_makes_a_suite(started: "World", name: str, text: str, empty: bool) -> None:
    """If it appears, or (`empty`) gets more contents."""
    if empty:
        started.write(f"a/{name}", "")
        started.workspace.changed_on_disk([str(started.root / f"a/{name}")])
        started.settled()
    path = started.write(f"a/{name}", text)
    started.workspace.changed_on_disk([str(path)])
    workspace = started.settled()
    roots = {root: len(suite.texts.files) for root, suite in workspace.suites.items()}
    assert roots == {str(started.root): 1, str(started.root / "a"): 2}
    assert files(started) == ["a/one.feature", "a/two.feature", "b/three.feature"]
    path.unlink()
    workspace.changed_on_disk([str(path)])
    roots = {root: len(suite.texts.files) for root, suite in started.settled().suites.items()}
    assert roots[str(started.root)] == 3


def test_settings_that_say_the_same_start_nothing_anew(started: "World") -> None:
    (before,) = started.workspace.suites.values()
    started.write("cukereuse.toml", "# nothing new\n")
    started.workspace.changed_on_disk([])
    started.settled()
    (after,) = started.workspace.suites.values()
    assert after is before


def test_what_is_told_while_the_first_files_are_read_is_not_lost(world: "World") -> None:
    world.write("one.feature", FEATURE)
    world.configure()
    while not world.workspace.suites:
        assert world.host.step()
    world.write("two.feature", FEATURE)
    world.workspace.changed_on_disk([])
    world.settled()
    assert files(world) == ["one.feature", "two.feature"]


def change(root: Path, chance: random.Random) -> None:
    folder = root / chance.choice(["a", "a/b", "a/b/c", "d", "."])
    match chance.randrange(6):
        case 0 if folder != root:
            shutil.rmtree(folder, ignore_errors=True)
        case 1:
            for path in sorted(root.rglob("*.feature"))[:1]:
                path.unlink()
        case 2:
            folder.mkdir(parents=True, exist_ok=True)
            (folder / chance.choice([".gitignore", ".cukereuseignore"])).write_text(chance.choice(["x*\n", "b/\n", ""]))
        case 3:
            (root / "cukereuse.toml").write_text(f"exclude = ['{chance.choice('xyz')}*']\n")
        case _:
            folder.mkdir(parents=True, exist_ok=True)
            (folder / f"{chance.choice('xyz')}.feature").write_text(FEATURE + "\n" * chance.randrange(99))


@pytest.mark.parametrize("seed", range(6))
def test_a_look_sees_what_a_walk_sees(tmp_path: Path, seed: int) -> None:
    root = tmp_path / "ws"
    root.mkdir()
    (tmp_path / ".git").mkdir()
    chance = random.Random(seed)
    folders = [str(root)]
    listing = list_workspace(folders, {})
    stamps: dict[str, Any] = {}
    walked = 0
    for _ in range(60):
        for _ in range(chance.randrange(3)):
            change(root, chance)
        seen = look(listing, stamps, (), folders, {})
        walked += seen.is_new
        listing = seen.listing
        expected = list_workspace(folders, {})
        assert (listing.root_of, listing.suites) == (expected.root_of, expected.suites)
        assert seen.changed == changed_paths(listing.root_of, stamps)
        stamps = {path: stamp_of(path) for path in listing.root_of}
    assert 0 < walked < 60


def test_a_folder_that_comes_back_is_seen(tmp_path: Path) -> None:
    root = tmp_path / "ws"
    listing = list_workspace([str(root)], {})
    assert listing.root_of == {}
    assert listing.walk.stands()
    root.mkdir()
    assert not listing.walk.stands()
    assert WalkedFiles((), {}).stands()


@pytest.mark.parametrize("seed", range(3))
def test_a_workspace_that_vanishes_and_comes_back_is_as_it_was(world: "World", tmp_path: Path, seed: int) -> None:
    """Its disk was away; the editor's texts stay, and step definitions come back with the rest."""
    world = type(world)(tmp_path / "vanishing", seed)
    glue = "from behave import when\n@when('I press {what}')\ndef step(context, what):\n    pass\n"
    world.write("behave.ini", "[behave]\n")
    world.write("features/steps/steps.py", glue)
    path = str(world.write("features/a.feature", "Feature: a\n  Scenario: a\n    When I press save\n"))
    world.write("features/b.feature", "Feature: b\n  Scenario: b\n    When I press send\n")
    world.configure()
    world.workspace.open(path, 1, "Feature: a\n")
    world.settled()
    away = world.root.rename(tmp_path / "away")
    world.workspace.changed_on_disk([str(world.root)])
    world.settled()
    away.rename(world.root)
    world.workspace.changed_on_disk([str(world.root)])
    (suite,) = world.settled().suites.values()
    assert len(suite.texts.files) == 2
    assert suite.glue is not None
    assert len(suite.glue.definitions) == 1


@pytest.mark.parametrize("is_open", [False, True])
@pytest.mark.parametrize("others", [0, 1])
def test_a_file_that_is_gone_is_told_of(world: "World", is_open: bool, others: int) -> None:
    """Its diagnostics would stay forever."""
    path = world.write("a.feature", "Feature: a\n  Scenario: a\n    When I press save\n")
    for number in range(others):
        world.write(f"{number}.feature", "Feature: b\n  Scenario: b\n    Then it rains\n")
    world.workspace.configure([str(world.root)], {}, True)
    if is_open:
        world.workspace.open(str(path), 1, path.read_text("utf-8"))
    world.settled()
    path.unlink()
    world.workspace.changed_on_disk([str(path)])
    world.settled()
    if is_open:
        world.host.events.clear()
        world.workspace.close(str(path))
        world.settled()
    told = [event.paths for event in world.host.events if isinstance(event, Changed)]
    assert [] in told[-2:] or any(str(path) in paths for paths in told)
    assert len(world.workspace.suites) == others


@pytest.mark.parametrize("asked", [{"line": 4, "target": "I push {1}"}, {"line": 2, "column": 4, "target": "@slow"}])
def test_nothing_is_renamed_in_a_closed_file_that_changed_without_notice(world: "World", asked: dict[str, Any]) -> None:
    """Its steps and tags are elsewhere now: an edit would hit what took their places."""
    text = FEATURE.replace("  Scenario", "  @fast\n  Scenario")
    path, other = (str(world.write(name, text)) for name in ("open.feature", "closed.feature"))
    world.write("steps.py", STEPS)
    world.configure()
    world.workspace.open(path, 1, text)
    request = PlanRename(path=path, **asked)

    def renamed() -> tuple[list[str], str]:
        plan = rename(world.settled(), request)
        return sorted(Path(change.path).name for change in plan.changes), plan.refused

    features = ["closed.feature", "open.feature"]
    assert {*renamed()[0], "steps.py"} == {*features, "steps.py"}
    Path(other).write_text(f"# a note\n{text}", "utf-8")
    assert renamed() == ([], f"{other} has changed on disk; try again in a moment")
    Path(other).unlink()
    refused = ([], f"{other} has changed on disk; try again in a moment")
    assert renamed() == (refused if "column" not in asked else (["open.feature"], ""))  # nothing is left of its tags
    Path(other).write_text(text, "utf-8")
    world.workspace.changed_on_disk([other])
    assert {*renamed()[0], "steps.py"} == {*features, "steps.py"}


def test_a_file_that_is_renamed_elsewhere_counts_until_it_is_closed_too(started: "World") -> None:
    """An editor may hold the only copy of what was typed in it."""
    path = started.root / "a/one.feature"
    started.workspace.open(str(path), 1, FEATURE.replace("Save", "Undo"))
    path.rename(started.root / "a/uno.feature")
    started.workspace.changed_on_disk([str(path), str(started.root / "a/uno.feature")])
    started.settled()
    assert files(started) == ["a/one.feature", "a/two.feature", "a/uno.feature", "b/three.feature"]
    started.workspace.close(str(path))
    started.settled()
    assert files(started) == ["a/two.feature", "a/uno.feature", "b/three.feature"]
