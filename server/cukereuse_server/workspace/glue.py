"""Step definitions of the suites: loaded in a thread, applied in slices, kept up to date by file."""

from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING
from weakref import WeakSet

from cukereuse_engine.errors import CukereuseError
from cukereuse_engine.gherkin.cache import ParseCache
from cukereuse_engine.glue.sources import default_cache
from cukereuse_engine.glue.workspace import Glue
from cukereuse_server.protocol.state import Logged
from cukereuse_server.workspace.suite import SuiteState

if TYPE_CHECKING:
    from cukereuse_server.workspace.workspace import Workspace


class GlueLoader:
    def __init__(self, workspace: "Workspace") -> None:
        self._workspace = workspace
        self._loaded: WeakSet[SuiteState] = WeakSet()
        self._ready: WeakSet[SuiteState] = WeakSet()
        self._sources: dict[str, bytes] = {}
        """What editors hold of glue code."""

    def load(self, suite: SuiteState) -> None:
        """Find and read the glue of a suite, once."""
        if suite in self._loaded:
            return
        self._loaded.add(suite)
        work = partial(_load, suite.root, suite.settings.glue, default_cache())
        self._workspace.host.thread("reading", work, partial(self._take, suite))

    def ready(self, suite: SuiteState) -> bool:
        """Whether it is known which step definitions the suite has, be it none."""
        return suite in self._ready

    def source(self, path: str, content: bytes | None) -> None:
        """An editor holds this glue code now, or (None) lets the disk speak again."""
        if content is None:
            self._sources.pop(path, None)
            content = _read(path)
        else:
            self._sources[path] = content
        for suite in self._workspace.suites.values():
            if suite.glue is not None and self._is_of(suite, path):
                suite.update_glue(path, content)

    def changed(self, paths: Iterable[str]) -> None:
        for path in paths:
            self.source(path, None)

    def _is_of(self, suite: SuiteState, path: str) -> bool:
        """Whether a source counts for a suite: one below the folder where its glue was looked for."""
        from cukereuse_engine.glue.sources import glue_root

        places = suite.settings.glue or (glue_root(suite.root),)
        return any(path == place or Path(path).is_relative_to(place) for place in places)

    def _take(self, suite: SuiteState, glue: Glue | None) -> None:
        if self._workspace.suites.get(suite.root) is not suite:
            return
        if glue is None:
            self._ready.add(suite)
            return
        self._workspace.host.background(f"glue {suite.root}", self._apply(suite, glue))

    def _apply(self, suite: SuiteState, glue: Glue) -> Iterator[None]:
        """Bind the suite's texts; files that change meanwhile are bound again at the end."""
        seen = {}
        for path, entry in list(suite.texts.files.items()):
            glue.update_feature(path, entry.file.steps)
            seen[path] = entry
            yield
        for path, entry in suite.texts.files.items():
            if seen.get(path) is not entry:
                glue.update_feature(path, entry.file.steps)
        for path in seen.keys() - suite.texts.files.keys():
            glue.update_feature(path, None)
        for path, content in self._sources.items():
            if self._is_of(suite, path):
                glue.update_file(path, content)
        suite.use_glue(glue)
        self._ready.add(suite)
        count = len(glue.definitions)
        if count:
            self._workspace.host.emit(Logged(level="INFO", message=f"{suite.root}: {count} step definitions"))
            self._workspace.glue_came(suite)


def _load(root: str, paths: tuple[str, ...], cache: ParseCache) -> Glue | None:
    try:
        return Glue.load(root, paths=paths or None, jobs=1, cache=cache)
    except (CukereuseError, OSError):
        return None


def _read(path: str) -> bytes | None:
    try:
        return Path(path).read_bytes()
    except (OSError, ValueError):
        return None
