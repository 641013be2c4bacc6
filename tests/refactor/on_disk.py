"""A suite of one feature and one file of glue code, written and read with what its functions do."""

from pathlib import Path

from cukereuse_engine.functions.relations import Functions
from cukereuse_engine.refactor.merging.merge_plan import MergePlan
from cukereuse_engine.refactor.merging.merger import Merger
from cukereuse_engine.refactor.rename_plan import ReadSuites
from cukereuse_engine.scanning.functions import load_functions
from cukereuse_engine.scanning.repository import read_repository
from cukereuse_engine.settings import Settings

FEATURE = """Feature: F
  Scenario: S
    Given the basket holds 3 books
    And 4 books lie in the basket
    And the shop is shut
"""


def read(folder: Path) -> tuple[ReadSuites, Functions]:
    repository = read_repository([folder], Settings(jobs=1), lambda _: Settings(jobs=1), use_cache=False)
    workspace = repository.suites
    assert workspace is not None
    (_, own) = repository.named[0]
    return workspace, load_functions(own.glue, jobs=1)


def deletion(folder: Path, word: str) -> MergePlan:
    """The plan to delete the first definition whose expression contains a word."""
    workspace, functions = read(folder)
    definition = next(definition for definition in workspace.glue.definitions if word in definition.expression)
    return Merger(workspace, functions).delete(definition)


def written(folder: Path, name: str, source: str) -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(source, "utf-8")
    (folder / "features").mkdir(exist_ok=True)
    (folder / "features" / "a.feature").write_text(FEATURE, "utf-8")
    return path
