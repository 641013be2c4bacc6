"""A commit's files in a temporary folder, to be read like a work tree: nothing is checked out, no filter or hook runs.
Only files that the engine reads are there: features, sources of step definitions, configurations."""

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath

from cukereuse_engine.gherkin.default_language import CONFIGURATIONS as LANGUAGES
from cukereuse_engine.gherkin.discovery import FEATURE_SUFFIXES
from cukereuse_engine.gherkin.suites import DECIDING
from cukereuse_engine.git import GitRepository
from cukereuse_engine.glue.configurations import NAMES
from cukereuse_engine.glue.languages.base import suffixes
from cukereuse_engine.glue.sources import MAX_SOURCE_BYTES, PROJECT_FILES
from cukereuse_engine.progress import SILENT, Progress

_CONFIGURATION = (
    *(".toml", ".ini", ".cfg", ".yml", ".yaml", ".xml", ".properties", ".gemspec"),
    *(".csproj", ".fsproj", ".vbproj", ".props", ".targets"),
)
_NAMES = DECIDING | NAMES | LANGUAGES | PROJECT_FILES | {".gitignore", ".ignore"}
_OUTSIDE = frozenset(("", ".", "..", ".git"))


@contextmanager
def laid_out(
    repository: GitRepository, commit: str, progress: Progress = SILENT, *, lenient: bool = False
) -> Iterator[Path]:
    """The folder, which looks like a repository's root and is removed at the end. Raises `CukereuseError` if git lacks
    an object, unless `lenient`, which leaves it out; `Cancelled` when `progress` does."""
    sizes = repository.sizes(commit)
    wanted = [blob for blob, size in sizes if _is_read(blob.path, size) and (size >= 0 or not lenient)]
    folder = Path(tempfile.mkdtemp(prefix="cukereuse-")).resolve()
    try:
        (folder / ".git").mkdir()
        with progress.stage("reading the other version", len(wanted), "files") as stage:
            for blob, (_, content) in zip(wanted, repository.contents(blob.id for blob in wanted), strict=True):
                target = folder.joinpath(*PurePosixPath(blob.path).parts)
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(content)
                stage.advance()
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _is_read(path: str, size: int) -> bool:
    lower = path.lower()
    if any(part in _OUTSIDE for part in lower.split("/")) or "\\" in path or ":" in path:
        return False  # a tree made by hand may contain names that no checkout writes
    if lower.endswith(FEATURE_SUFFIXES):
        return True
    return size <= MAX_SOURCE_BYTES and (
        lower.endswith((*suffixes(), *_CONFIGURATION)) or PurePosixPath(path).name in _NAMES
    )
