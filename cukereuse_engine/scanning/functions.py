"""The functions of a suite's step definitions, read and kept up to date."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from cukereuse_engine.gherkin.listings import Listings
from cukereuse_engine.glue.definition import StepDefinition
from cukereuse_engine.glue.glue import Glue
from cukereuse_engine.glue.sources import ReadSources
from cukereuse_engine.progress import SILENT, Progress
from cukereuse_engine.storage.blob_store import BlobStore

if TYPE_CHECKING:
    from cukereuse_engine.functions.linking import BindText
    from cukereuse_engine.functions.relations import Functions


def functions_cache() -> BlobStore:
    """The cache of forms in the user's cache folder."""
    return BlobStore("functions.sqlite")


class SharedFunctions:
    """The functions of step definitions that several suites have in common: read and linked once. Valid as long as
    their sources do not change."""

    def __init__(self) -> None:
        self._definitions: list[StepDefinition] = []
        self._functions: Functions | None = None

    def of(self, definitions: list[StepDefinition]) -> "Functions | None":
        """The functions of these definitions, to be copied; None if others were read last."""
        functions = self._functions
        stands = functions is not None and definitions == self._definitions and functions.are_placed
        return functions if stands else None

    def keep(self, definitions: list[StepDefinition], functions: "Functions") -> None:
        functions.unbind()
        self._definitions, self._functions = definitions, functions


class Common(NamedTuple):
    """What the suites of one repository have in common."""

    sources: ReadSources
    functions: SharedFunctions | None
    """None if there is only one suite."""

    @classmethod
    def of(cls, listings: Listings, suites: int) -> "Common":
        return cls(ReadSources(listings), SharedFunctions() if suites > 1 else None)


def load_functions(
    glue: Glue,
    *,
    jobs: int | None = None,
    cache: BlobStore | None = None,
    edits: bool = False,
    shared: SharedFunctions | None = None,
    progress: Progress = SILENT,
) -> "Functions":
    """The functions of a suite's step definitions. `edits`: true if edits will follow, so that sources are kept.
    `shared` is looked up first, and filled. Raises `Cancelled` when `progress` does."""

    def bind(text: str, path: str) -> Sequence[tuple[StepDefinition, tuple[str | None, ...]]]:
        matches = glue.matches(text, path)
        return [(match.definition, tuple(argument.value for argument in match.arguments)) for match in matches]

    definitions = glue.definitions
    own = [
        definition for definition in glue.own_definitions if glue.is_checked(definition)
    ]  # the uses of others are unknown
    functions = shared.of(definitions) if shared is not None else None
    if functions is None:
        functions = _read(definitions, bind, jobs, cache, edits, progress)
        functions.own_definitions = tuple(own)
        if shared is None:
            return functions
        shared.keep(definitions, functions)
    return functions.copy(bind, own)


def _read(
    definitions: Sequence[StepDefinition],
    bind: "BindText",
    jobs: int | None,
    cache: BlobStore | None,
    edits: bool,
    progress: Progress,
) -> "Functions":
    from cukereuse_engine.functions.boundary import boundary_of, build_of
    from cukereuse_engine.functions.read_forms import read_forms
    from cukereuse_engine.functions.relations import Functions, by_path, read_source

    sources: dict[str, bytes] = {}

    def read_once(path: str) -> bytes | None:
        data = read_source(path)
        if data is not None and edits:
            sources[path] = data
        return data

    forms = read_forms(by_path(definitions), read_once, jobs=jobs, cache=cache, progress=progress)
    functions = Functions(read_source, bind, boundary_of, build=build_of)
    functions.load(definitions, forms, sources=sources)
    return functions
