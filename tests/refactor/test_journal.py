"""Changes on disk: all files or none, and back again."""

import os
import re
import signal
import stat
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from cukereuse_engine.errors import CukereuseError
from cukereuse_engine.gherkin.read import content_hash, read_bytes
from cukereuse_engine.refactor.edits import ChangedFileError, step_edit
from cukereuse_engine.refactor.journal import Journal
from cukereuse_engine.refactor.rename_plan import FileEdits

TEXT = "Feature: F\n  Scenario: S\n    Given I wait\n"


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    root = tmp_path / "a#b 100% ünï"
    root.mkdir()
    for number in range(5):
        (root / f"f{number}.feature").write_text(TEXT.replace("F", f"F{number}", 1), "utf-8")
    return root


def edits(root: Path, new: str = "I rest") -> list[FileEdits]:
    edits = []
    for path in sorted(root.glob("*.feature")):
        data = path.read_bytes()
        step = read_bytes(str(path), data).steps[0]
        edits.append(FileEdits(str(path), content_hash(data), (step_edit(step, new),), False, "utf-8"))
    return edits


def contents(root: Path) -> dict[str, bytes]:
    """Every file below the folder, including leftovers beside the features."""
    return {path.name: path.read_bytes() for path in root.iterdir()}


def test_renamed_and_undone(suite):
    before = contents(suite)
    journal = Journal(str(suite))
    journal.apply(edits(suite), "first")
    first = contents(suite)
    assert first == {name: data.replace(b"I wait", b"I rest") for name, data in before.items()}
    journal.apply(edits(suite, "I sleep"), "second")
    assert journal.undo()[0] == "second"
    assert contents(suite) == first
    assert journal.undo()[0] == "first"
    assert contents(suite) == before
    with pytest.raises(CukereuseError, match="no change to undo"):
        journal.undo()


def test_a_file_that_changed_since_the_plan_stops_all(suite):
    planned = edits(suite)
    (suite / "f3.feature").write_text("Feature: mine\n", "utf-8")
    before = contents(suite)
    with pytest.raises(ChangedFileError, match=r"f3\.feature has changed"):
        Journal(str(suite)).apply(planned, "x")
    assert contents(suite) == before


def test_a_file_that_changed_since_the_rename_stops_the_undo(suite):
    journal = Journal(str(suite))
    journal.apply(edits(suite), "x")
    (suite / "f0.feature").write_text("Feature: mine\n", "utf-8")
    before = contents(suite)
    with pytest.raises(ChangedFileError, match="changed since then"):
        journal.undo()
    assert contents(suite) == before


@pytest.mark.parametrize("failing", range(16))
def test_a_failure_anywhere_leaves_all_as_it_was(suite, failing, monkeypatch):
    """The disk fills up or a file can't be replaced, at each place in turn."""
    before = contents(suite)
    planned = edits(suite)
    calls = 0
    real_fsync, real_replace = os.fsync, Path.replace

    def count() -> None:
        nonlocal calls
        calls += 1
        if calls == failing + 1:
            raise OSError(28, "No space left on device", "somewhere")

    def fsync(descriptor: int) -> None:
        count()
        real_fsync(descriptor)

    def replace(self: Path, target: str) -> Path:
        if self.suffix == ".new":
            count()
        return real_replace(self, target)

    monkeypatch.setattr(os, "fsync", fsync)
    monkeypatch.setattr(Path, "replace", replace)
    with pytest.raises(CukereuseError, match="nothing was changed"):
        Journal(str(suite)).apply(planned, "x")
    monkeypatch.undo()
    assert contents(suite) == before


def test_a_folder_that_may_not_be_written_is_named_and_no_file_that_nobody_knows(suite, monkeypatch):
    real_open = Path.open

    def open_file(self: Path, mode: str = "r", *more: Any, **named: Any) -> Any:
        if mode == "xb" and self.parent.name == suite.name:
            raise PermissionError(13, "Permission denied", str(self))
        return real_open(self, mode, *more, **named)

    planned = edits(suite)
    monkeypatch.setattr(Path, "open", open_file)
    message = f"{os.path.realpath(suite)} can't be written: Permission denied; nothing was changed"
    with pytest.raises(CukereuseError, match=f"^{re.escape(message)}"):
        Journal(str(suite)).apply(planned, "x")


KILLED = """
import os, signal, sys
from pathlib import Path
from cukereuse_engine.refactor.journal import Journal
sys.path.insert(0, sys.argv[2])
root, place = Path(sys.argv[1]), int(sys.argv[3])
from cukereuse_engine.gherkin.read import content_hash, read_bytes
from cukereuse_engine.refactor.edits import step_edit
from cukereuse_engine.refactor.rename_plan import FileEdits
files = []
for path in sorted(root.glob("*.feature")):
    data = path.read_bytes()
    step = read_bytes(str(path), data).steps[0]
    files.append(FileEdits(str(path), content_hash(data), (step_edit(step, "I rest"),), False, "utf-8"))
real_replace, real_fsync, calls = Path.replace, os.fsync, 0
def count():
    global calls
    calls += 1
    if calls == place:
        os.kill(os.getpid(), signal.SIGKILL)
def replace(self, target):
    if self.suffix == ".new":
        count()
    return real_replace(self, target)
def fsync(descriptor):
    if os.readlink(f"/proc/self/fd/{descriptor}").endswith((".old", ".new")):
        count()
    return real_fsync(descriptor)
Path.replace, os.fsync = replace, fsync
Journal(str(root)).apply(files, "x")
"""


CAN_KILL = pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="what a descriptor stands for can't be told")


@CAN_KILL
@pytest.mark.parametrize("place", [1, 2, 5, 10, 11, 13, 15])
def test_a_killed_rename_is_taken_back_at_the_next_start(suite, place):
    before = contents(suite)
    done = subprocess.run([sys.executable, "-c", KILLED, str(suite), "", str(place)], check=False, timeout=120)
    assert done.returncode == -signal.SIGKILL
    assert contents(suite) != before  # at least what was laid out
    assert len(Journal(str(suite)).recover().files) == 5
    assert contents(suite) == before
    assert not Journal(str(suite)).recover()


@CAN_KILL
@pytest.mark.parametrize("killed_at", ["_end", "clean"])
def test_what_was_done_when_the_process_died_is_kept_and_can_be_undone(suite, killed_at):
    before = contents(suite)
    script = KILLED.replace(
        "Journal(str(root)).apply",
        f"""
from cukereuse_engine.refactor import journal, staged_file
one = journal._Note if "{killed_at}" == "_end" else staged_file.StagedFile
real = one.{killed_at}
setattr(one, "{killed_at}", lambda *_: os.kill(os.getpid(), signal.SIGKILL))
Journal(str(root)).apply""",
    )
    done = subprocess.run([sys.executable, "-c", script, str(suite), "", "0"], check=False, timeout=120)
    assert done.returncode == -signal.SIGKILL
    assert not Journal(str(suite)).recover()
    assert contents(suite).keys() == before.keys()
    assert all(data != before[path] for path, data in contents(suite).items())
    Journal(str(suite)).undo()
    assert contents(suite) == before


@CAN_KILL
def test_recovery_leaves_what_somebody_wrote_since(suite):
    subprocess.run([sys.executable, "-c", KILLED, str(suite), "", "13"], check=False, timeout=120)
    (suite / "f0.feature").write_text("Feature: mine\n", "utf-8")
    recovered = Journal(str(suite)).recover()
    assert (suite / "f0.feature").read_text("utf-8") == "Feature: mine\n"
    assert b"I wait" in (suite / "f1.feature").read_bytes()
    assert len(recovered.files) == 4
    ((path, former),) = recovered.stuck
    assert (Path(path).name, Path(former).read_bytes()) == ("f0.feature", TEXT.replace("F", "F0", 1).encode())


@pytest.mark.skipif(os.name == "nt", reason="permissions and links of POSIX")
def test_permissions_and_links_stay(suite, tmp_path):
    elsewhere = tmp_path / "elsewhere.txt"
    (suite / "f1.feature").rename(elsewhere)
    (suite / "f1.feature").symlink_to(elsewhere)
    (suite / "f0.feature").chmod(0o640)
    Journal(str(suite)).apply(edits(suite), "x")
    assert (suite / "f1.feature").is_symlink()
    assert b"I rest" in elsewhere.read_bytes()
    assert stat.S_IMODE((suite / "f0.feature").stat().st_mode) == 0o640


def test_two_renames_at_once(suite):
    journal = Journal(str(suite))
    with journal._locked(), pytest.raises(CukereuseError, match="another change"):
        Journal(str(suite)).apply(edits(suite), "x")


@pytest.mark.skipif(os.name == "nt", reason="links of POSIX")
def test_hard_links_stay(suite, tmp_path):
    other = tmp_path / "other.feature"
    os.link(suite / "f1.feature", other)
    before = other.read_bytes()
    Journal(str(suite)).apply(edits(suite), "x")
    assert other.read_bytes() == before.replace(b"I wait", b"I rest") == (suite / "f1.feature").read_bytes()
    assert other.stat().st_nlink == 2
    Journal(str(suite)).undo()
    assert other.read_bytes() == before


@pytest.mark.skipif(os.name == "nt", reason="links of POSIX")
@pytest.mark.parametrize("link", [os.link, os.symlink])
def test_two_names_of_one_file_in_a_plan(link, suite):
    """Both are feature files of the repository."""
    link(suite / "f1.feature", suite / "g1.feature")
    (edited,) = [file for file in edits(suite) if file.path.endswith("f1.feature")]
    twin = replace(edited, path=str(suite / "g1.feature"))
    before = (suite / "f1.feature").read_bytes()
    Journal(str(suite)).apply([edited, twin], "x")
    assert (suite / "g1.feature").read_bytes() == before.replace(b"I wait", b"I rest")
    assert (suite / "g1.feature").samefile(suite / "f1.feature")
    Journal(str(suite)).undo()
    assert (suite / "g1.feature").read_bytes() == before == (suite / "f1.feature").read_bytes()
    other = replace(twin, edits=tuple(replace(edit, new="I sleep") for edit in twin.edits))
    with pytest.raises(CukereuseError, match="are one file"):
        Journal(str(suite)).apply([edited, other], "x")
    assert (suite / "f1.feature").read_bytes() == before


@CAN_KILL
@pytest.mark.parametrize("written", [3, 36, 10_000])
def test_a_linked_file_that_was_written_in_part_is_taken_back(suite, tmp_path, written):
    """Its contents are overwritten in place, and the process dies in the middle."""
    os.link(suite / "f1.feature", tmp_path / "other.feature")
    before = contents(suite)
    script = KILLED.replace(
        "Journal(str(root)).apply",
        f"""
from cukereuse_engine.refactor import journal, staged_file
def overwrite(self, data):
    with open(self.path, "r+b") as file:
        file.write(data[:{written}])
    os.kill(os.getpid(), signal.SIGKILL)
staged_file.StagedFile._overwrite = overwrite
Journal(str(root)).apply""",
    )
    done = subprocess.run([sys.executable, "-c", script, str(suite), "", "0"], check=False, timeout=120)
    assert done.returncode == -signal.SIGKILL
    assert len(Journal(str(suite)).recover().files) == 5
    assert contents(suite) == before


def test_the_journal_is_found_from_any_folder_inside(suite):
    before = contents(suite)
    inside = suite / "features" / "deep"
    inside.mkdir(parents=True)
    Journal(str(suite)).apply(edits(suite), "x")
    (journal,) = Journal.around(str(inside))
    assert [journal.root for journal in Journal.below(str(suite.parent))] == [str(suite)]
    assert Journal.below(str(suite)) == []
    assert journal.undo()[0] == "x"
    assert {path.name: path.read_bytes() for path in suite.iterdir() if path.is_file()} == before
