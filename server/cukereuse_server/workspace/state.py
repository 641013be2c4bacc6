"""The state of the worker: suites with their files, and the open documents, which take precedence over the disk.

Not thread-safe. Starts nothing, sends nothing, and never reads or writes a file.
"""

import os
from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import dataclass
from math import inf
from operator import attrgetter
from typing import Any

from cukereuse_engine.gherkin.feature import FeatureFile, Step
from cukereuse_engine.settings import Settings
from cukereuse_server.workspace.buffers import Buffer
from cukereuse_server.workspace.disk import Stamp
from cukereuse_server.workspace.stages.reading import Listing, ReadFile, suite_settings
from cukereuse_server.workspace.suite import SuiteState


@dataclass(frozen=True, slots=True)
class Replaced:
    """The effects of a changed file."""

    suite: SuiteState
    keys: set[str]
    """The templates in the file before and after."""
    is_new: bool
    """True for the first file of its suite."""
    is_last: bool
    """True if it was the last file of its suite, which is gone."""
    problems: tuple[str, ...]
    """The problems of a new suite's settings."""


class State:
    def __init__(self) -> None:
        self.folders: tuple[str, ...] = ()
        self.editor: dict[str, Any] = {}
        """The editor's values for the engine's settings."""
        self.workspace_diagnostics = False
        self.suites: dict[str, SuiteState] = {}
        """Suites by root."""
        self.root_of: dict[str, str] = {}
        """Maps a feature file to the root of its suite."""
        self.buffers: dict[str, Buffer] = {}
        """Buffers by path."""
        self.typed = -inf
        """The time of the last keystroke, by the monotonic clock."""
        self.listing: Listing | None = None
        self.stamps: dict[str, Stamp | None] = {}
        """The stamps of closed files as of their reading."""
        self._gone: set[str] = set()

    # -- what is asked

    def suite_of(self, path: str) -> SuiteState | None:
        """The suite of a feature file."""
        root = self.root_of.get(path)
        return self.suites.get(root) if root is not None else None

    def file(self, path: str) -> FeatureFile | None:
        suite = self.suite_of(path)
        entry = suite.texts.files.get(path) if suite is not None else None
        return entry.file if entry is not None else None

    def step_at(self, path: str, line: int) -> Step | None:
        """The step on a 1-based line."""
        file = self.file(path)
        steps = file.steps if file is not None else ()
        at = bisect_left(steps, line, key=attrgetter("line"))
        return steps[at] if at < len(steps) and steps[at].line == line else None

    def settings_of(self, path: str) -> Settings:
        suite = self.suite_of(path)
        return suite.settings if suite is not None else Settings()

    def open_first(self) -> list[SuiteState]:
        """All suites; those with an open file come first."""
        return sorted(self.suites.values(), key=lambda suite: not self.open_in(suite))

    def open_in(self, suite: SuiteState) -> list[str]:
        """The open files of a suite."""
        return [path for path in self.buffers if path in suite.texts.files]

    def affected_paths(self, suite: SuiteState, *, closed_too: bool) -> set[str]:
        """Files whose findings, or places in them, may have changed since the last call."""
        affected, beside = suite.take_affected(), suite.repetition.take_affected()
        beside &= self.buffers.keys()  # closed files are requested all together
        if closed_too:
            return beside.union(*(suite.texts.paths_of(key) for key in affected))
        return beside.union(path for path in self.buffers if not affected.isdisjoint(suite.texts.keys_of(path)))

    def take_gone(self) -> set[str]:
        """Files that disappeared since the last call."""
        gone, self._gone = self._gone, set()
        return gone

    # -- what changes

    def clear(self, listing: Listing) -> None:
        """Start again with the files in `listing`, which are not read yet."""
        self.listing = listing
        self.suites, self.root_of, self.stamps = {}, dict(listing.root_of), {}
        for buffer in self.buffers.values():
            buffer.read = False

    def replace_file(self, path: str, file: FeatureFile | None) -> Replaced | None:
        """Take the present state of a file, or (None) that it is gone. None if it belongs to no suite."""
        root = self.root_of.get(path)
        if root is None and file is not None:
            root = self._place(path)
        if root is None:
            return None
        problems: tuple[str, ...] = ()
        suite = self.suites.get(root)
        is_new = suite is None
        if suite is None:
            suite, problems = self._new_suite(root)
        keys = suite.replace_file(path, file)
        if file is None:
            self.root_of.pop(path, None)
            self.stamps.pop(path, None)
            self._gone.add(path)
        is_last = not suite.texts.files
        if is_last:
            del self.suites[root]
        return Replaced(suite, keys, is_new, is_last, problems)

    def replace_closed(self, read: ReadFile) -> Replaced | None:
        """Take a file as read from disk; an editor's text takes precedence."""
        path = read.file.path
        self.stamps[path] = read.stamp
        if path in self.buffers or path not in self.root_of:
            return None
        return self.replace_file(path, read.file)

    def use_listing(self, listing: Listing) -> list[str]:
        """Use a new listing. Returns the files that must leave their suites, which are no longer their own."""
        self.listing = listing
        return [path for path, root in self.root_of.items() if listing.root(path) != root]

    def place_again(self, moved: Iterable[str]) -> list[str]:
        """Give the listed files their suites, once those have left theirs. Returns closed ones, which must be read
        again."""
        listing = self.listing
        assert listing is not None
        self.root_of.update(listing.root_of)
        for path, buffer in self.buffers.items():
            if self.file(path) is None:  # it belongs to another suite now, or was not listed when it was opened
                buffer.read = False
        return [path for path in moved if path in listing.root_of and path not in self.buffers]

    def _place(self, path: str) -> str | None:
        """The suite of a file that is not listed: it is new, or was opened before the listing came. None for a file
        that is outside or ignored."""
        if not any(path == folder or path.startswith(folder.rstrip(os.sep) + os.sep) for folder in self.folders):
            return None
        if self.listing is None or (path not in self.listing.root_of and os.path.exists(path)):  # noqa: PTH110
            return None
        root = self.root_of[path] = self.listing.root(path)
        return root

    def _new_suite(self, root: str) -> tuple[SuiteState, tuple[str, ...]]:
        settings = self.listing.suites.get(root) if self.listing is not None else None
        settings = settings or suite_settings(root, self.editor)
        suite = self.suites[root] = SuiteState(root, settings.settings, settings.baseline)
        return suite, settings.problems
