"""Suites of one repository share one search of its glue code."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from cukereuse_server.workspace.stages import shared_sources
from cukereuse_server.workspace.stages.shared_sources import SharedSources

from cukereuse_engine.errors import CukereuseError
from cukereuse_engine.settings import Settings
from cukereuse_engine.storage.blob_store import BlobStore

if TYPE_CHECKING:
    from tests.server.conftest import World

FEATURE = "Feature: f\n  Scenario: s\n    When I press Save\n"
STEPS = "from behave import when\n\n@when('I press {name}')\ndef press(context, name):\n    pass\n"


@pytest.fixture
def looked(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, list[str]]]:
    """The folders that are walked, and the files that are read, by name."""
    done: list[tuple[str, list[str]]] = []
    for name in ("discover_glue", "read_sources"):
        real = getattr(shared_sources, name)

        def counted(paths: Sequence[str], *, real: Any = real, name: str = name, **named: Any) -> Any:
            done.append((name, [Path(path).name for path in paths]))
            return real(paths, **named)

        monkeypatch.setattr(shared_sources, name, counted)
    return done


def test_suites_share_a_walk_and_what_was_read(world: "World", looked: list[tuple[str, list[str]]]) -> None:
    world.write("steps/a.py", STEPS)
    (world.root / ".git").mkdir()
    for name in "abc":
        world.write(f"{name}/cukereuse.toml", "")
        world.write(f"{name}/one.feature", FEATURE)
    world.configure()
    world.settled()
    suites = list(world.workspace.suites.values())
    assert [len(suite.glue.definitions) if suite.glue else 0 for suite in suites] == [1, 1, 1]
    read = ["a.py"], [], []
    assert looked == [("discover_glue", [world.root.name]), *(("read_sources", files) for files in read)]


def test_the_disk_decides(tmp_path: Path, looked: list[tuple[str, list[str]]]) -> None:
    (tmp_path / ".git").mkdir()
    one, two = tmp_path / "one.py", tmp_path / "two.py"
    one.write_text(STEPS)
    shared = SharedSources(BlobStore(tmp_path / "cache"))

    def read(settings: Settings = Settings()) -> dict[str, int]:  # noqa: B008 - immutable
        extractions, stamps = shared.read(shared.walk(str(tmp_path), settings).files)
        assert all(stamp is not None for stamp in stamps.values())
        return {os.path.basename(path): len(extraction.definitions) for path, extraction in extractions.items()}  # noqa: PTH119

    assert read() == {"one.py": 1}
    two.write_text("import os\n")
    assert read() == {"one.py": 1}
    two.write_text(STEPS)
    assert read() == {"one.py": 1, "two.py": 1}
    assert read(Settings(exclude=("one.py",))) == {"two.py": 1}
    one.unlink()
    assert read() == {"two.py": 1}
    reads = [files for name, files in looked if name == "read_sources"]
    assert reads == [["one.py"], ["two.py"], ["two.py"], [], []]
    assert len(looked) - len(reads) == 4  # a changed file asks for no walk
    with pytest.raises(CukereuseError):
        read(Settings(glue=(str(tmp_path / "gone"),)))
