"""Two definitions that differ in a constant become one with a parameter, or call one function, in each language."""

from pathlib import Path

import pytest

from cukereuse_engine.functions.relations import Functions
from cukereuse_engine.refactor.edits import edited_bytes
from cukereuse_engine.refactor.merging.free_names import free_name
from cukereuse_engine.refactor.merging.merge_plan import MergePlan
from cukereuse_engine.refactor.merging.merger import Merger
from cukereuse_engine.refactor.rename_plan import ReadSuites
from cukereuse_engine.refactor.unmergeable import UnmergeableError
from cukereuse_engine.scanning.functions import load_functions
from cukereuse_engine.scanning.repository import read_repository
from cukereuse_engine.settings import Settings

FEATURE = """Feature: F
  Scenario: S
    When I sort 3 books by title
    And I sort 4 books by price
    And I close the shop
"""
CONSTANTS = Path(__file__).parent / "constants"
"""`said`: wordings that contain the constant in which their functions differ; `unsaid`: other wordings. In each
`before` and `after`, a source by its path."""


def sources(kind: str) -> list[str]:
    folder = CONSTANTS / kind / "before"
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())


def text(kind: str, when: str, name: str) -> str:
    return (CONSTANTS / kind / when / name).read_text("utf-8")


def read(folder: Path) -> tuple[ReadSuites, Functions]:
    repository = read_repository([folder], Settings(jobs=1), lambda _: Settings(jobs=1), use_cache=False)
    workspace = repository.suites
    assert workspace is not None
    return workspace, load_functions(repository.named[0][1].glue, jobs=1)


def extracted(folder: Path, name: str, source: str, feature: str = FEATURE) -> tuple[Path, MergePlan]:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(source, "utf-8")
    (folder / "features").mkdir(exist_ok=True)
    (folder / "features" / "a.feature").write_text(feature, "utf-8")
    workspace, functions = read(folder)
    changes = [
        next(definition for definition in workspace.glue.definitions if word in definition.expression)
        for word in ("by title", "by price")
    ]
    return path, Merger(workspace, functions).extract_constant(*changes)


@pytest.mark.parametrize("name", sources("said"))
def test_one_definition_where_the_wordings_say_the_constant(tmp_path: Path, name: str) -> None:
    before, after = text("said", "before", name), text("said", "after", name)
    path, plan = extracted(tmp_path, name, before)
    (file,) = plan.files
    assert edited_bytes(file, path.read_bytes()).decode() == after
    assert path.read_text("utf-8") == before


@pytest.mark.parametrize("name", sources("unsaid"))
def test_one_function_where_they_do_not(tmp_path: Path, name: str) -> None:
    path, plan = extracted(tmp_path, name, text("unsaid", "before", name))
    (file,) = plan.files
    assert edited_bytes(file, path.read_bytes()).decode() == text("unsaid", "after", name)


@pytest.mark.parametrize("name", ["features/steps/steps.py", "features/steps.js", "src/test/java/Steps.java"])
def test_what_calls_one_function_already_is_left_alone(tmp_path: Path, name: str) -> None:
    with pytest.raises(UnmergeableError, match="does not say"):
        extracted(tmp_path, name, text("unsaid", "after", name))


@pytest.mark.parametrize(
    ("expressions", "name"),
    [
        (["I sort books by title", "I sort books by price"], "sort_books_by"),
        (["a frame with a chart", "a frame with an image"], "a_frame_with"),
        (["the option is on", "the option is off"], "the_option"),
        (["the", "the"], "the"),
    ],
)
def test_a_name_does_not_end_where_the_constant_begins(expressions: list[str], name: str) -> None:
    assert free_name("python", expressions, "") == name


@pytest.mark.parametrize("name", sources("unsaid"))
def test_one_line_is_not_put_into_a_function(tmp_path: Path, name: str) -> None:
    lines = text("unsaid", "before", name).splitlines(keepends=True)
    one_line = "".join(line for line in lines if "open(" not in line.lower() and '"""' not in line)
    with pytest.raises(UnmergeableError, match="does not say"):
        extracted(tmp_path, name, one_line)


def test_a_byte_text_can_not_become_a_parameter(tmp_path: Path) -> None:
    source = text("said", "before", "features/steps/steps.py")
    for word in ("title", "price"):
        source = source.replace(f'count, "{word}"', f'count, b"{word}"')
    with pytest.raises(UnmergeableError, match="no variable can replace"):
        extracted(tmp_path, "features/steps/steps.py", source)
