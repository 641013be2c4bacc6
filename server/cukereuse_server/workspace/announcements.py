"""Announces the files whose diagnostics may have changed, and finds the findings of a file if they are not known."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager

from cukereuse_server.workspace.host import Host, Work
from cukereuse_server.workspace.news import News
from cukereuse_server.workspace.state import State
from cukereuse_server.workspace.suite import SuiteState

logger = logging.getLogger(__name__)

_SOON = 300
"""The number of templates that are looked into in a second."""


class Announcements:
    def __init__(self, state: State, host: Host, news: News) -> None:
        self._state, self._host, self._news = state, host, news
        self.complete = False
        """True if all files are read and all suites compared."""
        self._held_back: set[SuiteState] = set()

    def announce(self, skip: str = "") -> None:
        """Announce the files whose diagnostics may have changed; `skip` is left out, because it is being answered."""
        closed_too = self._state.workspace_diagnostics and self.complete
        gone = self._state.take_gone()
        if closed_too:
            self._news.changed(gone)
        for suite in self._state.suites.values():
            self._news.changed(self._state.affected_paths(suite, closed_too=closed_too) - {skip})

    def all_changed(self) -> None:
        """Announce that the diagnostics of all files may have changed, if those of closed files are shown."""
        if self._state.workspace_diagnostics:
            self._news.all_changed()

    def look_into(self, path: str) -> None:
        """Find the findings of a file, then announce them."""
        if self._state.suite_of(path) not in self._held_back:
            self._host.start(f"findings {path}", self._findings(path), urgent=True)

    def look_into_open(self, suite: SuiteState) -> None:
        for path in self._state.open_in(suite):
            self.look_into(path)

    def look_into_first(self, suite: SuiteState) -> Work[None]:
        """Look into the open files: into one of them, if it is not too long, before any other work."""
        paths = self._state.open_in(suite)
        if paths and len(suite.texts.keys_of(paths[0])) <= _SOON:
            path = paths.pop(0)
            try:
                yield from self._findings(path)
            except Exception:  # as where it is work of its own
                logger.exception("findings %s failed", path)
        for path in paths:
            self.look_into(path)

    @contextmanager
    def held_back(self, suite: SuiteState) -> Iterator[None]:
        """Look into no file of a suite meanwhile; files requested in this time are looked into afterwards."""
        self._held_back.add(suite)
        try:
            yield
        finally:
            self._held_back.discard(suite)

    def _findings(self, path: str) -> Work[None]:
        suite = self._state.suite_of(path)
        if suite is not None and suite.judge is not None:
            yield from suite.findings.look_into(path)
            self.announce(skip=path)
            self._news.changed([path])
