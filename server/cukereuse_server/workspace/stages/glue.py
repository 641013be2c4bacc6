"""The step definitions of one suite: found and read in a thread, bound to its texts in slices. If no client reports
changed files, stamps tell which have changed on disk, and only those are read.
"""

import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from pathspec import GitIgnoreSpec

from cukereuse_engine.errors import CukereuseError
from cukereuse_engine.glue import configurations, project_rules
from cukereuse_engine.glue.glue import Glue
from cukereuse_engine.glue.sources import default_cache, glue_root, with_names
from cukereuse_engine.scanning.functions import functions_cache, load_functions
from cukereuse_engine.settings import Settings
from cukereuse_server.workspace.disk import Stamp, Stamps, WalkedFiles, changed_paths, stamp_of
from cukereuse_server.workspace.stages.shared_sources import SharedSources, places_of, walk_sources
from cukereuse_server.workspace.texts import Texts

if TYPE_CHECKING:
    from cukereuse_engine.functions.relations import Functions

_STEPS_AT_ONCE = 150
"""The number of steps that are bound in some milliseconds."""


class Sources:
    """The sources of one suite, as they were read."""

    def __init__(self, root: str, settings: Settings, walk: WalkedFiles, stamps: Mapping[str, Stamp | None]) -> None:
        """`stamps`: of the sources, and of runners' configurations."""
        self._root, self._settings = root, settings
        self._places = places_of(root, settings)
        self.stamps = dict(stamps)
        self.use(walk)

    def use(self, walk: WalkedFiles) -> None:
        self.walk, self.files = walk, frozenset(walk.files)

    @property
    def are_elsewhere(self) -> bool:
        """True if sources are looked for in other places now: a project or repository around the suite came or went."""
        return places_of(self._root, self._settings) != self._places

    def take_stamp(self, path: str, stamp: Stamp | None) -> None:
        """Record that a file was read again, or is gone."""
        if stamp is not None and (path in self.files or os.path.basename(path) in configurations.NAMES):  # noqa: PTH119
            self.stamps[path] = stamp
        else:
            self.stamps.pop(path, None)

    def __contains__(self, path: str) -> bool:
        """True if a source belongs to the suite: it was found, or is not on disk yet and would be found."""
        if path in self.files:
            return True
        if os.path.exists(path):  # noqa: PTH110
            return False
        for place in self._places:
            if path == place:
                return True
            if Path(path).is_relative_to(place):
                excluded = GitIgnoreSpec.from_lines(self._settings.exclude)
                return not excluded.match_file(os.path.relpath(path, place))
        return False


def is_configuration(path: str) -> bool:
    """True if a file decides which step definitions apply where."""
    return configurations.is_configuration(path)


# In a thread


@dataclass(frozen=True, slots=True)
class LoadedGlue:
    glue: Glue
    sources: Sources
    functions: "Functions"
    """The functions of its step definitions."""


def load(root: str, settings: Settings, folders: frozenset[str], shared: SharedSources) -> LoadedGlue | None:
    """The glue of the suite at `root`, with no texts yet; None if there is none, or if it can't be read. `folders`: the
    folders of the suite's feature files."""
    try:
        walk = shared.walk(root, settings)
        configurations = {path: stamp_of(path) for path in _configurations(root, walk.files, folders)}
        sources, stamps = shared.read(walk.files)
        glue = Glue(root, with_names(sources, walk.files), default_cache(), files=walk.files)
        functions = load_functions(glue, jobs=1, cache=functions_cache(), edits=True, shared=shared.functions)
        return LoadedGlue(glue, Sources(root, settings, walk, stamps | configurations), functions)
    except (CukereuseError, OSError):
        return None


def look(
    root: str, settings: Settings, folders: frozenset[str], walk: WalkedFiles, known: Stamps
) -> tuple[WalkedFiles, list[str]]:
    """The present walk, and the files that were added, removed or changed since `known`."""
    if not walk.stands():
        try:
            walk = walk_sources(root, settings)
        except (CukereuseError, OSError):
            walk = WalkedFiles((), {path: stamp_of(path) for path in walk.stamps})  # what comes back is not the same
    here = [*walk.files, *_configurations(root, walk.files, folders)]
    return walk, [*changed_paths(here, known), *sorted(known.keys() - set(here))]


def _configurations(root: str, sources: Iterable[str], folders: Iterable[str]) -> list[str]:
    """Configurations of runners around the feature files, if there is any code."""
    paths = frozenset(sources)
    if not paths:
        return []
    top = Path(glue_root(root))
    places: set[Path] = set()
    for folder in map(Path, folders):
        places.update(place for place in (folder, *folder.parents) if place.is_relative_to(top))
    names = sorted({*configurations.CONFIGURATIONS, *project_rules.CONFIGURATIONS})
    here = (place / name for place in sorted(places) for name in names)
    return [str(path) for path in here if path.is_file() and str(path) not in paths]


# In slices


def bind(glue: Glue, texts: Texts) -> Iterator[None]:
    """Give `glue` the steps of the suite; files that change meanwhile are given again at the end."""
    seen = {}
    steps = 0
    for path, entry in list(texts.files.items()):
        glue.update_feature(path, entry.file.steps)
        seen[path] = entry
        steps += len(entry.file.steps)
        if steps > _STEPS_AT_ONCE:
            steps = 0
            yield
    for path, entry in texts.files.items():
        if seen.get(path) is not entry:
            glue.update_feature(path, entry.file.steps)
    for path in seen.keys() - texts.files.keys():
        glue.update_feature(path, None)
