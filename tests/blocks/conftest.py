"""Suites written in a few lines, and the suites in `calling`, which are data: none of their files is a test."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from cukereuse_engine.blocks.extract import plan_extraction
from cukereuse_engine.blocks.symbols import scenarios_of
from cukereuse_engine.gherkin.read import read_text
from cukereuse_engine.refactor.journal import Journal
from cukereuse_engine.refactor.rename_plan import ReadSuites
from cukereuse_engine.scanning.loading import load_glue
from cukereuse_engine.scanning.repetition import repetition_of
from cukereuse_engine.scanning.suite import read_suites
from cukereuse_engine.settings import Settings

collect_ignore = ["calling"]
CALLING = Path(__file__).with_name("calling")
"""Suites by the places of their step functions and by runner: `before`, and the changed files in `after`."""


def contents(root: Path) -> dict[str, bytes]:
    """Bytes of all files by path."""
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in root.rglob("*") if path.is_file()}


@pytest.fixture
def calling(tmp_path: Path) -> Callable[..., Path]:
    """A function that copies a suite of `calling`, with changes (name, old, new) in files; returns its folder."""

    def copy(case: str, *changes: tuple[str, str, str]) -> Path:
        root = tmp_path / "suite"
        shutil.copytree(CALLING / case / "before", root)
        shutil.copytree(CALLING / case / "../features", root, dirs_exist_ok=True)
        for name, old, new in changes:
            (path,) = root.rglob(name)
            text = path.read_text("utf-8")
            assert old in text
            path.write_text(text.replace(old, new), "utf-8")
        return root

    return copy


@pytest.fixture
def scenarios():
    """Scenarios of feature texts by path; a text without a title gets one."""

    def read(**files):
        steps = []
        for name, text in files.items():
            text = text if "Feature:" in text else f"Feature: {name}\n{text}"
            steps += read_text(f"{name}.feature", text).steps
        return scenarios_of(steps)

    return read


@pytest.fixture
def plan_of():
    """A function that plans the extraction of the first block of a suite on disk."""

    def plan(root, wording=None):
        (suite,) = read_suites([str(root)], use_cache=False)
        settings = Settings(jobs=1)
        glue = load_glue(suite, settings, use_cache=False)
        workspace = ReadSuites({file.path: file for file in suite.files}, suite.texts, suite.steps, glue)
        block = repetition_of(suite, glue, settings).blocks[0]
        return plan_extraction(block, workspace, wording)

    return plan


@pytest.fixture
def written(plan_of):
    """A function that extracts the block."""

    def write(root, wording=None):
        plan = plan_of(root, wording)
        Journal(str(root.parent)).apply(list(plan.files), "test")
        return plan

    return write
