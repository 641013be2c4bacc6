"""Cached walks give the result of a walk, whatever happened to the folders in between."""

import os
import random
import shutil
import time
from pathlib import Path

import pytest

from cukereuse_engine.gherkin.discovery import discover
from cukereuse_engine.gherkin.listings import Listings
from cukereuse_engine.storage import kept
from cukereuse_engine.storage.blob_store import BlobStore

SUFFIXES = (".feature", ".py", ".yml")
FOLDERS = ("a", "a/b", "a/b/c", "features", "features/vendor", "vendor", "build", "env", "a/x.feature", "repo")
FILES = ("one.feature", "two.feature", "step.py", "x.yml", "setup.py", "readme.txt")
RULES = ("", "b/\n", "*.py\n", "!two.feature\n*.feature\n", "/a/one.feature\nenv\n", "vendor/*\n!vendor/x.yml\n")


@pytest.fixture(autouse=True)
def _soon_settled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept, "SETTLED", 10_000_000)


def change(root: Path, chance: random.Random) -> None:
    """Change the folders as people do."""
    folder = root / chance.choice(("", *FOLDERS))
    if not folder.is_dir():
        if folder.is_symlink() or folder.exists():
            return
        folder.mkdir(parents=True)
    name = folder / chance.choice(FILES)
    match chance.randrange(10):
        case 0 | 1 | 2:
            if not name.exists() and not name.is_symlink():
                name.write_text("x")
        case 3:
            name.unlink(missing_ok=True)
        case 4 | 5:
            (folder / chance.choice((".gitignore", ".cukereuseignore"))).write_text(chance.choice(RULES))
        case 6:
            (folder / ".gitignore").unlink(missing_ok=True)
        case 7:
            if folder != root:
                shutil.rmtree(folder)
        case 8:
            marker = folder / chance.choice(("pyvenv.cfg", "package.json"))
            if marker.exists():
                marker.unlink()
            else:
                marker.touch()
            (folder / ".git").mkdir(exist_ok=True)
        case 9:
            if not name.exists() and not name.is_symlink():
                name.symlink_to(root / chance.choice((*FOLDERS, "a/one.feature", "nowhere")))


@pytest.mark.parametrize("seed", range(6))
def test_remembered_walks(tmp_path: Path, seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    chance = random.Random(seed)
    root = tmp_path / "root"
    (root / ".git").mkdir(parents=True)
    monkeypatch.chdir(root)
    for _ in range(15):
        for _ in range(chance.randrange(1, 6)):
            change(root, chance)
        time.sleep(0.03)
        include, exclude = chance.choice(((), (), ("build/**", "env/"))), chance.choice(((), (), ("*/step.py", "a/b")))
        listings = Listings(SUFFIXES, BlobStore("kept.sqlite"))
        for place in (".", str(root)):
            for suffixes in ((".feature",), (".py", ".yml"), (".txt",)):
                asked = {"suffixes": suffixes, "include": include, "exclude": exclude}
                paths = discover([place], **asked, listings=listings)  # type: ignore[arg-type]
                assert paths == discover([place], **asked)  # type: ignore[arg-type]


def test_an_unchanged_folder_is_not_listed_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "one.feature").touch()
    time.sleep(0.03)
    listed: list[str] = []
    scandir = os.scandir

    def counting(path: str) -> object:
        listed.append(path)
        return scandir(path)

    monkeypatch.setattr(os, "scandir", counting)
    for times in (2, 0):
        paths = discover([tmp_path], suffixes=SUFFIXES, listings=Listings(SUFFIXES, BlobStore("kept.sqlite")))
        assert paths == [str(tmp_path / "a" / "one.feature")]
        assert len(listed) == times
        listed.clear()


def test_a_folder_that_cannot_be_listed_stands_in_the_result(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "shut").mkdir()
    scandir = os.scandir

    def refusing(path: str) -> object:
        if Path(path).name == "shut":
            raise PermissionError
        return scandir(path)

    monkeypatch.setattr(os, "scandir", refusing)
    assert discover([tmp_path], suffixes=SUFFIXES, listings=Listings(SUFFIXES)) == [str(tmp_path / "shut")]
