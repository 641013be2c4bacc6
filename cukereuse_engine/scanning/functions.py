"""The functions of one suite's step definitions, read and related."""

from collections.abc import Callable, Sequence

from cukereuse_engine.functions.boundary import boundary_of
from cukereuse_engine.functions.relations import Functions, by_path, read_source
from cukereuse_engine.functions.sources import read_forms
from cukereuse_engine.gherkin.cache import ParseCache
from cukereuse_engine.glue.model import StepDefinition
from cukereuse_engine.glue.workspace import Glue
from cukereuse_engine.progress import SILENT, Progress
from cukereuse_engine.storage import cache_dir


def functions_cache() -> ParseCache:
    """Forms in the user's cache folder."""
    return ParseCache(cache_dir() / "functions.sqlite")


def load_functions(
    glue: Glue,
    *,
    jobs: int | None = None,
    cache: ParseCache | None = None,
    read: Callable[[str], bytes | None] = read_source,
    progress: Progress = SILENT,
) -> Functions:
    """What the functions of a suite's step definitions do. Raises `Cancelled` when `progress` does."""

    def bind(text: str, path: str) -> Sequence[tuple[StepDefinition, tuple[str | None, ...]]]:
        matches = glue.matches(text, path)
        return [(match.definition, tuple(argument.value for argument in match.arguments)) for match in matches]

    definitions = glue.definitions
    forms = read_forms(by_path(definitions), read, jobs=jobs, cache=cache, progress=progress)
    functions = Functions(read, bind, boundary_of)
    functions.load(definitions, forms, glue.own_definitions)
    return functions
