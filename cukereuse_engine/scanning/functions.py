"""The functions of a suite's step definitions, read and kept up to date."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from cukereuse_engine.glue.definition import StepDefinition
from cukereuse_engine.glue.glue import Glue
from cukereuse_engine.progress import SILENT, Progress
from cukereuse_engine.storage.blob_store import BlobStore

if TYPE_CHECKING:
    from cukereuse_engine.functions.relations import Functions


def functions_cache() -> BlobStore:
    """The cache of forms in the user's cache folder."""
    return BlobStore("functions.sqlite")


def load_functions(
    glue: Glue,
    *,
    jobs: int | None = None,
    cache: BlobStore | None = None,
    edits: bool = False,
    progress: Progress = SILENT,
) -> "Functions":
    """The functions of a suite's step definitions. `edits`: true if edits will follow, so that sources are kept. Raises
    `Cancelled` when `progress` does."""
    from cukereuse_engine.functions.boundary import boundary_of, build_of
    from cukereuse_engine.functions.read_forms import read_forms
    from cukereuse_engine.functions.relations import Functions, by_path, read_source

    def bind(text: str, path: str) -> Sequence[tuple[StepDefinition, tuple[str | None, ...]]]:
        matches = glue.matches(text, path)
        return [(match.definition, tuple(argument.value for argument in match.arguments)) for match in matches]

    sources: dict[str, bytes] = {}

    def read_once(path: str) -> bytes | None:
        data = read_source(path)
        if data is not None and edits:
            sources[path] = data
        return data

    definitions = glue.definitions
    forms = read_forms(by_path(definitions), read_once, jobs=jobs, cache=cache, progress=progress)
    functions = Functions(read_source, bind, boundary_of, build=build_of)
    own = [
        definition for definition in glue.own_definitions if glue.is_checked(definition)
    ]  # the uses of others are unknown
    functions.load(definitions, forms, own, sources)
    return functions
