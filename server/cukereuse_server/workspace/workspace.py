"""The workspace as the worker holds it: suites, the editor's texts over what lies on disk, and who brings what up to
date.

`settle` makes the state follow everything that was told; questions are asked after it. Reading, whole comparisons and
embedding run in threads, everything that changes the state runs here. Never writes into a workspace.
"""

import logging
import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from math import inf
from time import monotonic
from typing import Any
from weakref import WeakSet

from cukereuse_engine.gherkin.cache import ParseCache
from cukereuse_engine.gherkin.discovery import FEATURE_SUFFIXES
from cukereuse_engine.gherkin.model import FeatureFile, Step
from cukereuse_engine.gherkin.read import content_hash, read_text
from cukereuse_engine.gherkin.suites import DECIDING
from cukereuse_engine.glue.languages.base import language_for
from cukereuse_engine.settings import Settings
from cukereuse_server.protocol.state import Announced, Changed, Logged
from cukereuse_server.workspace.activities import INDEX, Activities, Activity
from cukereuse_server.workspace.disk import Stamp
from cukereuse_server.workspace.glue import GlueLoader, is_configuration
from cukereuse_server.workspace.host import Host
from cukereuse_server.workspace.judging import Judging
from cukereuse_server.workspace.reading import (
    Listing,
    Seen,
    SuiteSettings,
    list_workspace,
    look,
    read_paths,
    suite_settings,
)
from cukereuse_server.workspace.remembered import Remembered
from cukereuse_server.workspace.suite import SuiteState
from cukereuse_server.workspace.vectors import VectorWork

logger = logging.getLogger(__name__)


@dataclass(slots=True)
class Buffer:
    """A text that an editor holds."""

    version: int
    text: str
    read: bool = False
    """Whether the index has it."""
    known_hash: str = ""
    """Of the text as bytes, once asked."""

    def content_hash(self) -> str:
        if not self.known_hash:
            self.known_hash = content_hash(self.text.encode("utf-8", "surrogatepass"))
        return self.known_hash


class Workspace:
    def __init__(self, host: Host, *, use_cache: bool = True) -> None:
        self.host = host
        self.folders: tuple[str, ...] = ()
        self.editor: dict[str, Any] = {}
        self.suites: dict[str, SuiteState] = {}
        self.root_of: dict[str, str] = {}
        """Feature file to the root of its suite."""
        self.buffers: dict[str, Buffer] = {}
        self.typed = -inf
        """When the last keystroke came, by the monotonic clock."""
        self.workspace_diagnostics = False
        self.activities = Activities(host.emit)
        self.indexing: Activity | None = None
        """While not everything is read and compared once."""
        self.complete = False
        """Whether all files are read and all suites compared."""
        self.use_cache = use_cache
        self._generation = 0
        self._listing: Listing | None = None
        self._stamps: dict[str, Stamp | None] = {}
        self._looking = self._look_again = self._list_anew = False
        self._reading = False
        self._told: set[str] = set()
        self._warming: set[str] = set()
        """Files that are being warmed."""
        self._settled: WeakSet[SuiteState] = WeakSet()
        """Suites that were known as a whole once; what changes in them later is seen at once."""
        self.glue = GlueLoader(self)
        self.judging = Judging(self)
        self.vectors = VectorWork(self)
        self.remembered = Remembered(self, enabled=use_cache)

    # -- what is told

    def configure(self, folders: Iterable[str], editor: dict[str, Any], workspace_diagnostics: bool) -> None:
        wanted = (tuple(os.path.normpath(folder) for folder in folders), editor)
        if workspace_diagnostics != self.workspace_diagnostics:
            self.workspace_diagnostics = workspace_diagnostics
            self.host.emit(Changed(paths=[]))
        if wanted != (self.folders, self.editor):
            self.folders, self.editor = wanted
            self.start()

    def start(self) -> None:
        """Read everything anew: what lies in the caches is not parsed again."""
        self._generation += 1
        before, self.indexing = self.indexing, self.activities.begin(INDEX, "looking for feature files")
        if before is not None:
            before.end()
        self.vectors.forget_activities()
        self.judging.forget_activities()
        self.complete = False
        self._listing = None
        self._looking = self._look_again = False
        self._reading = True
        work = partial(list_workspace, self.folders, dict(self.editor))
        take, fail = partial(self._take_listing, self._generation), partial(self._not_read, self._generation)
        self.host.thread("reading", work, take, fail)

    def open(self, path: str, version: int, text: str) -> None:
        if path in self.buffers:
            self.typed = monotonic()
        self.buffers[path] = Buffer(version, text)

    def close(self, path: str) -> None:
        if self.buffers.pop(path, None) is not None:
            self._stamps.pop(path, None)
            self.changed_on_disk([path])

    def changed_on_disk(self, paths: Iterable[str]) -> None:
        """Files or folders came, went or changed; none named: look at all."""
        named = list(paths)
        glue = [path for path in named if language_for(path) is not None or is_configuration(path)]
        self.glue.changed(path for path in glue if path not in self.buffers)
        deciding = {path for path in named if os.path.basename(path) in DECIDING}  # noqa: PTH119
        others = deciding.union(set(named).difference(glue))
        self._list_anew |= bool(deciding)
        if not named or any(not path.lower().endswith(FEATURE_SUFFIXES) for path in others):  # a folder
            self.glue.reconcile()
        if not named or others:
            self._look()

    def _look(self) -> None:
        """Compare the disk with what was read; one look at a time, and one more where something came meanwhile."""
        if self._looking or self._listing is None or self._reading:
            self._look_again = True
            return
        self._looking, self._look_again = True, False
        anew, self._list_anew = self._list_anew, False
        known, held, editor = dict(self._stamps), set(self.buffers), dict(self.editor)
        work = partial(look, self._listing, known, held, self.folders, editor, anew)
        take = partial(self._take_look, self._generation)
        self.host.thread("reading", work, take, lambda _: self._looked())

    def _looked(self) -> None:
        self._looking = False
        if self._look_again:
            self._look()

    def settle(self) -> None:
        """Let the index follow the editor's texts."""
        for path, buffer in list(self.buffers.items()):
            if not buffer.read:
                buffer.read = True
                if path.lower().endswith(FEATURE_SUFFIXES):
                    self._update(path, read_text(path, buffer.text))
                elif language_for(path) is not None:
                    self.glue.source(path, buffer.text.encode("utf-8", "surrogatepass"))
        self.announce()

    # -- what is asked

    def suite_of(self, path: str) -> SuiteState | None:
        root = self.root_of.get(path)
        return self.suites.get(root) if root is not None else None

    def file(self, path: str) -> FeatureFile | None:
        suite = self.suite_of(path)
        entry = suite.texts.files.get(path) if suite is not None else None
        return entry.file if entry is not None else None

    def step_at(self, path: str, line: int) -> Step | None:
        """The step on a 1-based line."""
        file = self.file(path)
        return next((step for step in file.steps if step.line == line), None) if file is not None else None

    def is_settled(self, path: str) -> bool:
        """Whether a file's suite has been read, with its step definitions, and compared, by meaning too where there is
        a model; or the file belongs to none."""
        suite = self.suite_of(path)
        if suite is None or path not in suite.texts.files:
            return self.complete
        compared = suite.compared and suite.root not in self.judging.pending
        if compared and self.glue.ready(suite) and self.vectors.settled(suite):
            self._settled.add(suite)
        return suite in self._settled

    def warm(self, path: str) -> None:
        """Find what there is in a file, in slices; then say so."""
        if path not in self._warming:
            self._warming.add(path)
            self.host.background(f"warm {path}", self._warm(path))

    # -- inside

    def _warm(self, path: str) -> Iterator[None]:
        try:
            suite = self.suite_of(path)
            if suite is None or suite.judge is None:
                return
            yield from suite.catch_up()
            for key in sorted(suite.texts.keys_of(path)):
                if key in suite.texts.members:
                    suite.component(key)
                    yield
        finally:
            self._warming.discard(path)
        self.announce(skip=path)
        self.host.emit(Changed(paths=[path]))

    def _update(self, path: str, file: FeatureFile | None) -> None:
        """The index takes a file as it is now, or (None) that it is gone."""
        root = self.root_of.get(path)
        if root is None and file is not None:
            root = self._place(path)
        if root is None:
            return
        suite = self.suites.get(root)
        if suite is None:
            suite = self.suites[root] = self._new_suite(root)
            if not self._reading:
                self.judging.compare(suite)
        touched = suite.update(path, file)
        if file is None:
            self.root_of.pop(path, None)
            self._stamps.pop(path, None)
        self.vectors.embed_new(suite, touched)

    def _place(self, path: str) -> str | None:
        """The suite of a file that no listing holds: one that is new, or opened before the listing came. None for one
        that lies outside or is ignored."""
        if not any(path.startswith(folder.rstrip(os.sep) + os.sep) for folder in self.folders):
            return None
        if self._listing is None or (path not in self._listing.root_of and os.path.exists(path)):  # noqa: PTH110
            return None
        root = self.root_of[path] = self._listing.root(path)
        return root

    def _new_suite(self, root: str) -> SuiteState:
        known: SuiteSettings | None = self._listing.suites.get(root) if self._listing is not None else None
        known = known or suite_settings(root, self.editor)
        for problem in known.problems:
            self.tell(f"cukereuse settings: {problem}")
        return SuiteState(root, known.settings, known.baseline)

    def _take_listing(self, generation: int, listing: Listing) -> None:
        if generation != self._generation:
            return
        self._listing = listing
        self.suites, self.root_of, self._stamps = {}, dict(listing.root_of), {}
        self.judging.pending.clear()
        for buffer in self.buffers.values():
            buffer.read = False
        paths = list(listing.root_of)
        total, done = len(paths), 0
        indexing = self.indexing

        def take(batch: list[tuple[FeatureFile, Stamp | None]]) -> None:
            nonlocal done
            if generation != self._generation:
                return
            done += len(batch)
            self._take_files(batch)
            if indexing is not None:
                indexing.report("reading", done, total)

        def stopped() -> bool:
            cancelled = indexing is not None and indexing.cancelled
            return generation != self._generation or cancelled or self.host.stopping()

        cache = ParseCache() if self.use_cache else None
        work = partial(read_paths, paths, cache, partial(self.host.post, take), stopped)
        fail = partial(self._not_read, generation)
        self.host.thread("reading", work, lambda _: self._all_read(generation), fail)

    def _not_read(self, generation: int, error: BaseException) -> None:
        """The worker goes on with what it has."""
        self.tell(f"cukereuse could not read the workspace: {type(error).__name__}: {error}")
        self._all_read(generation)

    def _take_files(self, batch: list[tuple[FeatureFile, Stamp | None]]) -> None:
        for file, stamp in batch:
            self._stamps[file.path] = stamp
            if file.path not in self.buffers and file.path in self.root_of:
                self._update(file.path, file)

    def _all_read(self, generation: int) -> None:
        if generation != self._generation:
            return
        self._reading = False
        self.settle()
        if self._look_again:
            self._look()
        if self.buffers:
            self.host.emit(Changed(paths=sorted(self.buffers)))
        steps = sum(len(entry.file.steps) for suite in self.suites.values() for entry in suite.texts.files.values())
        count = f"{len(self.root_of)} files, {steps} steps, {len(self.suites)} suites"
        self.host.emit(Logged(level="INFO", message=f"read {count}"))
        for suite in sorted(self.suites.values(), key=lambda suite: not self._has_open(suite)):
            self.glue.load(suite)
            self.vectors.start(suite)
            self.judging.compare(suite)
        if not self.suites:
            self.finish()

    def _has_open(self, suite: SuiteState) -> bool:
        return any(path in suite.texts.files for path in self.buffers)

    def tell(self, message: str) -> None:
        """A warning for a person, once."""
        if message not in self._told:
            self._told.add(message)
            self.host.emit(Announced(message=message, warning=True))

    def finish(self) -> None:
        """Say that everything is there, once it is."""
        if not self.complete and not self.judging.pending and not self._reading:
            self.complete = True
            if self.indexing is not None:
                self.indexing.end()
                self.indexing = None
            if self.workspace_diagnostics:
                self.host.emit(Changed(paths=[]))

    def _take_look(self, generation: int, seen: Seen) -> None:
        """What came, went or changed on disk."""
        if generation != self._generation or self._listing is None:
            return
        if any(self._listing.suites.get(root, one) != one for root, one in seen.listing.suites.items()):
            self.start()  # judged otherwise
            return
        self._listing = seen.listing
        for path in self.root_of.keys() - seen.listing.root_of.keys() - self.buffers.keys():
            self._update(path, None)
        moved = self._move() if seen.is_new else []

        def take(batch: list[tuple[FeatureFile, Stamp | None]]) -> None:
            if generation == self._generation:
                self._take_files(batch)
                self.announce()

        def taken(_: None) -> None:
            self.settle()
            self._looked()

        changed = list(dict.fromkeys([*seen.changed, *moved]))
        work = partial(read_paths, changed, None, partial(self.host.post, take), self.host.stopping)
        self.host.thread("reading", work, taken, lambda _: self._looked())

    def _move(self) -> list[str]:
        """Let each file be in its suite; gives those that must be read again."""
        listing = self._listing
        assert listing is not None
        moved = [path for path, root in self.root_of.items() if listing.root(path) != root]
        for path in moved:
            self._update(path, None)
        self.root_of.update(listing.root_of)
        for path, buffer in self.buffers.items():
            if self.file(path) is None:  # it has another suite now, or was not listed when it was opened
                buffer.read = False
        return [path for path in moved if path in listing.root_of and path not in self.buffers]

    def announce(self, skip: str = "") -> None:
        """Say whose diagnostics may be others now: of files that hold a template that was touched. Nothing is said of
        `skip`, which is being answered."""
        for suite in self.suites.values():
            affected = suite.take_affected()
            if not affected:
                continue
            if self.workspace_diagnostics and self.complete:
                paths = {path for key in affected for path in suite.texts.paths_of(key)}
            else:
                paths = {path for path in self.buffers if not affected.isdisjoint(suite.texts.keys_of(path))}
            paths.discard(skip)
            if paths:
                self.host.emit(Changed(paths=sorted(paths)))

    def settings_of(self, path: str) -> Settings:
        suite = self.suite_of(path)
        return suite.settings if suite is not None else Settings()
