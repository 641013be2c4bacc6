"""Many repositories in one scan: side by side gives the same as one after another, and needs little memory."""

import gc
import multiprocessing
import os
import shutil
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from cukereuse_engine.errors import Cancelled
from cukereuse_engine.glue import patterns
from cukereuse_engine.glue.glue import Glue
from cukereuse_engine.report.formats import FORMATS
from cukereuse_engine.report.html import PlaceLinks
from cukereuse_engine.scanning import scan as scanning
from cukereuse_engine.scanning.loading import load_glue
from cukereuse_engine.scanning.packed import packed
from cukereuse_engine.scanning.result import ScanResult, SuiteScan
from cukereuse_engine.scanning.scan import ScanOptions, scan
from cukereuse_engine.settings import Settings

SUITES = Path(__file__).parents[1] / "suites"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Three repositories, one of which has two suites."""
    for name in ("one-voice", "library-pytest-bdd"):
        shutil.copytree(SUITES / name, tmp_path / name)
        (tmp_path / name / ".git").mkdir()
    shop = tmp_path / "shops" / ".git"
    shop.mkdir(parents=True)
    for name in ("old", "new"):
        shutil.copytree(SUITES / "one-voice" / "features", shop.parent / name / "features")
        (shop.parent / name / "behave.ini").touch()
    monkeypatch.chdir(tmp_path)
    return tmp_path


def scanned(*, processes: bool, monkeypatch: pytest.MonkeyPatch) -> ScanResult:
    monkeypatch.setattr(scanning, "_POOL_BYTES", 0 if processes else 1 << 40)
    monkeypatch.setattr(scanning, "_LARGE_BYTES", 1)
    monkeypatch.setattr(scanning, "_BATCH_BYTES", 1)
    settings = Settings(jobs=2, ignore=("nobody says this",))
    return scan(["."], ScanOptions(settings, settings_of=lambda _: settings, use_cache=False))


def reports(result: ScanResult, folder: Path) -> dict[str, bytes]:
    links = PlaceLinks(str(folder), "")
    contents = {name: row.render(result, links) for name, row in FORMATS.items()}
    return {name: content if isinstance(content, bytes) else b"".join(content) for name, content in contents.items()}


@pytest.mark.heavy
def test_repositories_side_by_side_give_the_same_reports(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    in_turn = scanned(processes=False, monkeypatch=monkeypatch)
    assert [suite.root for suite in in_turn.suites] == ["library-pytest-bdd", "one-voice", "shops/new", "shops/old"]
    assert any(suite.findings for suite in in_turn.suites)
    side_by_side = scanned(processes=True, monkeypatch=monkeypatch)
    assert reports(side_by_side, folder) == reports(in_turn, folder)


@pytest.mark.usefixtures("folder")
def test_what_is_packed_is_what_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    plain: list[SuiteScan] = []

    def kept(suite: SuiteScan) -> SuiteScan:
        plain.append(suite)
        return packed(suite)

    monkeypatch.setattr(scanning, "packed", kept)
    result = scanned(processes=False, monkeypatch=monkeypatch)
    for small, suite in zip(result.suites, plain, strict=True):
        assert suite.texts
        assert small.steps == suite.steps
        assert [file.steps for file in small.files] == [file.steps for file in suite.files]
        for name in ("texts", "clusters", "definitions", "findings", "blocks", "shortenable", "step_count", "errors"):
            assert getattr(small, name) == getattr(suite, name), name
        assert small.texts[0] == suite.texts[0]
        assert list(small.texts[-2:]) == list(suite.texts[-2:])


@pytest.mark.heavy
def test_a_killed_process_loses_nothing(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = scanned(processes=False, monkeypatch=monkeypatch)
    monkeypatch.setattr(scanning, "_scan_repository", _die_in_a_child)
    assert reports(scanned(processes=True, monkeypatch=monkeypatch), folder) == reports(expected, folder)


_scan_repository = scanning._scan_repository


def _die_in_a_child(task: scanning._Task) -> list[SuiteScan]:
    if multiprocessing.parent_process() is not None:
        os._exit(1)
    return _scan_repository(task)


class _Stops:
    @contextmanager
    def stage(self, label: str, total: int | None = None, unit: str = "") -> Iterator["_Stops"]:
        del label, total, unit
        yield self

    def advance(self, n: int = 1) -> None:
        del n
        raise Cancelled


@pytest.mark.usefixtures("folder")
def test_stopped_while_processes_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scanning, "_POOL_BYTES", 0)
    with pytest.raises(Cancelled):
        scan(["."], ScanOptions(Settings(jobs=2)), progress=_Stops())
    assert not multiprocessing.active_children()


@pytest.mark.usefixtures("folder")
def test_step_definitions_of_a_repository_go_with_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Before, compiled patterns of all repositories stayed, and bindings that read results still referred to."""
    alive = weakref.WeakSet[object]()
    before = []

    def loaded(*arguments: Any, **named: Any) -> Glue:
        before.append(len(alive))
        glue = load_glue(*arguments, **named)
        alive.add(glue)
        return glue

    monkeypatch.setattr(scanning, "load_glue", loaded)
    gc.disable()  # else it happens to look for cycles amid a repository
    try:
        result = scanned(processes=False, monkeypatch=monkeypatch)
    finally:
        gc.enable()
    assert any(suite.definitions for suite in result.suites)
    assert before == [0, 0, 0, 0]
    assert not alive
    assert not patterns._KNOWN
