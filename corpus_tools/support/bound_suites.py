"""The suites of one repository of a corpus, each with its step definitions."""

from collections.abc import Iterator
from pathlib import PurePath

from corpus_tools.support.repositories import Checkout
from cukereuse_engine.glue.definition import StepDefinition
from cukereuse_engine.glue.glue import Glue
from cukereuse_engine.glue.sources import ReadSources
from cukereuse_engine.report.visible import encodable
from cukereuse_engine.scanning.loading import load_glue
from cukereuse_engine.scanning.suite import Suite, read_suites
from cukereuse_engine.settings import Settings


def suites(source: Checkout) -> Iterator[tuple[Suite, Glue]]:
    """Yields the suites by root. Works in this process, without caches."""
    settings = Settings(jobs=1)
    sources = ReadSources()
    for suite in read_suites([source.folder], jobs=1, use_cache=False):
        yield suite, load_glue(suite, settings, use_cache=False, read=sources)


def relative(source: Checkout, path: str) -> str:
    """A path below the repository, with `/`."""
    return encodable(PurePath(path).relative_to(source.folder).as_posix())


def function_of(source: Checkout, definition: StepDefinition) -> str:
    """A name for a definition's function that does not depend on the place of the repository."""
    where = definition.function or definition.literal
    return f"{relative(source, where.path)}:{where.line}:{where.column}"
