"""Step definitions of the suites: loaded in a thread, applied in slices, kept up to date by file.

Where nobody tells which files changed, `reconcile` looks at all of them: by stamp, and reads only those that differ.
"""

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path, PurePath
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary, WeakSet

from pathspec import GitIgnoreSpec

from cukereuse_engine.errors import CukereuseError
from cukereuse_engine.glue.behat import CONFIGURATIONS
from cukereuse_engine.glue.languages.base import language_for
from cukereuse_engine.glue.sources import MAX_SOURCE_BYTES, default_cache, glue_root
from cukereuse_engine.glue.workspace import Glue
from cukereuse_engine.settings import Settings
from cukereuse_server.protocol.state import Logged
from cukereuse_server.workspace.disk import Stamp, Stamps, Walk, changed_paths, stamp_of
from cukereuse_server.workspace.sources import SharedSources, walk_sources
from cukereuse_server.workspace.suite import SuiteState

if TYPE_CHECKING:
    from cukereuse_server.workspace.workspace import Workspace

_STEPS_AT_ONCE = 150
"""Bound in some milliseconds."""
_BEHAT = frozenset(PurePath(name).name for name in CONFIGURATIONS)


@dataclass
class Read:
    """The sources of one suite as they were read."""

    walk: Walk
    stamps: dict[str, Stamp | None]
    """Of the sources, and of runners' configurations."""

    def __post_init__(self) -> None:
        self.files = frozenset(self.walk.files)

    def use(self, walk: Walk) -> None:
        if walk is not self.walk:
            self.walk, self.files = walk, frozenset(walk.files)


def is_configuration(path: str) -> bool:
    """Whether a file says which step definitions hold where."""
    return PurePath(path).name in _BEHAT


class GlueLoader:
    def __init__(self, workspace: "Workspace") -> None:
        self._workspace = workspace
        self._loaded: WeakSet[SuiteState] = WeakSet()
        self._ready: WeakSet[SuiteState] = WeakSet()
        self._sources: dict[str, bytes] = {}
        """What editors hold of glue code."""
        self._read: WeakKeyDictionary[SuiteState, Read] = WeakKeyDictionary()
        self._looking: WeakSet[SuiteState] = WeakSet()
        self._again: WeakSet[SuiteState] = WeakSet()
        """Suites whose files may have changed while they were loaded or looked at."""
        self._shared: SharedSources | None = None
        """While suites are loaded."""

    def load(self, suite: SuiteState) -> None:
        """Find and read the glue of a suite, once."""
        if suite in self._loaded:
            return
        self._loaded.add(suite)
        self._shared = self._shared or SharedSources(default_cache())
        work = partial(_load, suite.root, suite.settings, _folders(suite), self._shared)
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
            if suite.glue is None:
                self._again.add(suite)
            elif self._is_of(suite, path) and suite.update_glue(path, content):
                self._workspace.host.background(f"rejudge {suite.root}", self._rejudge(suite))

    def changed(self, paths: Iterable[str]) -> None:
        """These sources or configurations changed on disk. Of one that nobody knows, a walk tells whether it counts."""
        named = list(paths)
        sources = [path for path in named if language_for(path) is not None]
        known = {path for read in self._read.values() for path in read.files.intersection(sources)}
        for path in known | self._sources.keys() & set(sources):
            self.source(path, None)
        if not known.issuperset(sources):
            self.reconcile()
        if any(is_configuration(path) for path in named):
            for suite in self._workspace.suites.values():
                self._reconfigure(suite)

    def reconcile(self) -> None:
        """Anything may have changed on disk: look at all sources of all suites."""
        for suite in self._workspace.suites.values():
            self._look_at(suite)

    def _look_at(self, suite: SuiteState) -> None:
        if suite.glue is None and suite in self._ready:
            self._loaded.discard(suite)  # there was nothing to read
            self.load(suite)
        elif suite in self._ready and suite not in self._looking:
            self._looking.add(suite)
            read = self._read[suite]
            work = partial(_look, suite.root, suite.settings, _folders(suite), read.walk, dict(read.stamps))
            take, fail = partial(self._take_changes, suite), lambda _: self._looking.discard(suite)
            self._workspace.host.thread("reading", work, take, fail)
        else:
            self._again.add(suite)

    def _take_changes(self, suite: SuiteState, seen: tuple[Walk, list[str]]) -> None:
        self._looking.discard(suite)
        if self._workspace.suites.get(suite.root) is not suite:
            return
        walk, paths = seen
        self._read[suite].use(walk)
        if paths:
            self._workspace.host.background(f"glue {suite.root}", self._apply_changes(suite, paths))
        self._look_again(suite)

    def _look_again(self, suite: SuiteState) -> None:
        if suite in self._again:
            self._again.discard(suite)
            self._look_at(suite)

    def _apply_changes(self, suite: SuiteState, paths: list[str]) -> Iterator[None]:
        """Each is read when its turn comes: what was told about it meanwhile must not be undone."""
        read = self._read[suite]
        for path in paths:
            stamp = stamp_of(path)
            if is_configuration(path):
                self._reconfigure(suite)
            elif path in read.files:
                suite.update_glue(path, self._sources[path] if path in self._sources else _read(path))
            elif path not in self._sources:
                suite.update_glue(path, None)
            if stamp is not None and (path in read.files or is_configuration(path)):
                read.stamps[path] = stamp
            else:
                read.stamps.pop(path, None)
            yield
        yield from self._rejudge(suite)

    def _rejudge(self, suite: SuiteState) -> Iterator[None]:
        if suite.judge is not None:
            yield from suite.rejudge()
        self._workspace.announce()

    def _reconfigure(self, suite: SuiteState) -> None:
        if suite.glue is not None:
            suite.glue.reload_configuration()
            suite.use_glue(suite.glue)
            self._workspace.judging.compare(suite)

    def _is_of(self, suite: SuiteState, path: str) -> bool:
        """Whether a source counts for a suite: one that was found, or is not on disk yet and would be found."""
        if path in self._read[suite].files:
            return True
        if os.path.exists(path):  # noqa: PTH110
            return False
        for place in suite.settings.glue or (glue_root(suite.root),):
            if path == place:
                return True
            if Path(path).is_relative_to(place):
                excluded = GitIgnoreSpec.from_lines(suite.settings.exclude)
                return not excluded.match_file(os.path.relpath(path, place))
        return False

    def _take(self, suite: SuiteState, loaded: tuple[Glue, Read] | None) -> None:
        if self._workspace.suites.get(suite.root) is not suite:
            self._forget_shared()
            return
        if loaded is None:
            self._is_ready(suite)
            return
        glue, self._read[suite] = loaded
        self._workspace.host.background(f"glue {suite.root}", self._apply(suite, glue))

    def _apply(self, suite: SuiteState, glue: Glue) -> Iterator[None]:
        """Bind the suite's texts; files that change meanwhile are bound again at the end."""
        seen = {}
        steps = 0
        for path, entry in list(suite.texts.files.items()):
            glue.update_feature(path, entry.file.steps)
            seen[path] = entry
            steps += len(entry.file.steps)
            if steps > _STEPS_AT_ONCE:
                steps = 0
                yield
        for path, entry in suite.texts.files.items():
            if seen.get(path) is not entry:
                glue.update_feature(path, entry.file.steps)
        for path in seen.keys() - suite.texts.files.keys():
            glue.update_feature(path, None)
        held = {path: content for path, content in self._sources.items() if self._is_of(suite, path)}
        for path, content in held.items():
            glue.update_file(path, content)
        suite.use_glue(glue, held)
        self._is_ready(suite)
        count = len(glue.definitions)
        if count:
            self._workspace.host.emit(Logged(level="INFO", message=f"{suite.root}: {count} step definitions"))
            self._workspace.judging.compare(suite)  # a judge learns from step definitions too
        self._look_again(suite)

    def _is_ready(self, suite: SuiteState) -> None:
        self._ready.add(suite)
        self._forget_shared()

    def _forget_shared(self) -> None:
        if all(suite in self._ready for suite in self._workspace.suites.values() if suite in self._loaded):
            self._shared = None


def _folders(suite: SuiteState) -> frozenset[str]:
    """Where the suite's feature files lie."""
    return frozenset(os.path.dirname(path) for path in suite.texts.files)  # noqa: PTH120


def _load(root: str, settings: Settings, folders: frozenset[str], shared: SharedSources) -> tuple[Glue, Read] | None:
    try:
        walk = shared.walk(root, settings)
        configurations = {path: stamp_of(path) for path in _configurations(root, walk.files, folders)}
        sources, stamps = shared.read(walk.files)
        return Glue(root, sources), Read(walk, stamps | configurations)
    except (CukereuseError, OSError):
        return None


def _look(root: str, settings: Settings, folders: frozenset[str], walk: Walk, known: Stamps) -> tuple[Walk, list[str]]:
    """The walk as it would be now, and what came, went or changed since it was as `known`."""
    if not walk.stands():
        try:
            walk = walk_sources(root, settings)
        except (CukereuseError, OSError):
            walk = Walk((), walk.stamps)
    here = [*walk.files, *_configurations(root, walk.files, folders)]
    return walk, [*changed_paths(here, known), *sorted(known.keys() - set(here))]


def _configurations(root: str, sources: Iterable[str], folders: Iterable[str]) -> list[str]:
    """Configurations of Behat around the feature files, where there is code in its language."""
    if not any(path.endswith(".php") for path in sources):
        return []
    top = Path(glue_root(root))
    places: set[Path] = set()
    for folder in map(Path, folders):
        places.update(one for one in (folder, *folder.parents) if one.is_relative_to(top))
    return [str(path) for place in sorted(places) for name in CONFIGURATIONS if (path := place / name).is_file()]


def _read(path: str) -> bytes | None:
    """None for what is gone, and for what is too large to be glue."""
    try:
        with Path(path).open("rb") as file:
            content = file.read(MAX_SOURCE_BYTES + 1)
    except (OSError, ValueError):
        return None
    return content if len(content) <= MAX_SOURCE_BYTES else None
