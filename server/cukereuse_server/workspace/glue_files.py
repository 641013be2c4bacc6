"""The glue code of the workspace as it changes, in the editor and on disk; changes on disk are read in slices.

Changed code is bound and judged again. Functions passed in start the stages that a suite needs after that.
"""

from collections.abc import Callable
from functools import partial

from cukereuse_engine.glue.project_rules import is_read
from cukereuse_engine.glue.sources import read_file
from cukereuse_server.workspace.disk import stamp_of
from cukereuse_server.workspace.host import Host, Work, wait
from cukereuse_server.workspace.stages import glue
from cukereuse_server.workspace.state import State
from cukereuse_server.workspace.suite import SuiteState


class GlueFiles:
    def __init__(
        self,
        state: State,
        host: Host,
        *,
        load: Callable[[SuiteState], None],
        compare: Callable[[SuiteState], None],
        announce: Callable[[], None],
    ) -> None:
        """`load`: all step definitions of a suite must be read. `compare`: all of a suite must be judged
        again. `announce`: called when diagnostics may have changed."""
        self._state, self._host = state, host
        self._load, self._compare, self._announce = load, compare, announce
        self._looking: set[SuiteState] = set()
        """Suites whose sources are being looked at."""

    def replace(self, path: str) -> None:
        """Read this glue code again, from the editor or else from disk."""
        content = self._content(path)
        for suite in self._state.suites.values():
            if suite.sources is None:
                suite.look_at_sources = True
            elif path in suite.sources and suite.replace_source(path, content):
                self._host.start(f"rejudge {suite.root}", self._rejudge(suite))

    def look(self) -> None:
        """Look for glue code that has changed on disk."""
        for suite in self._state.suites.values():
            self.look_in(suite)

    def reconfigure(self) -> None:
        """Read the configurations again: other step definitions may apply to steps now."""
        for suite in self._state.suites.values():
            self._reconfigure(suite)

    def apply_rules(self) -> None:
        """A file has changed that may affect how definitions are read."""
        for suite in self._state.suites.values():
            self._apply_rules(suite)

    def look_in(self, suite: SuiteState) -> None:
        """Look for changed glue code of one suite; if its definitions are still being read, after that."""
        suite.look_at_sources = True
        if not suite.definitions_known or suite in self._looking:
            return
        if suite.sources is None or suite.sources.are_elsewhere:
            suite.look_at_sources = False
            suite.apply_rules()  # forgets the old projects
            self._load(suite)
        else:
            self._looking.add(suite)
            self._host.start(f"sources {suite.root}", self._sources(suite, suite.sources))

    def stop(self, suite: SuiteState) -> None:
        """Close all work on a suite."""
        for work in ("sources", "rejudge"):
            self._host.drop(f"{work} {suite.root}")
        self._looking.discard(suite)

    # -- inside

    def _content(self, path: str) -> bytes | None:
        """The content from the editor, or else from disk."""
        buffer = self._state.buffers.get(path)
        return buffer.content() if buffer is not None else read_file(path)

    def _rejudge(self, suite: SuiteState) -> Work[None]:
        """Compare templates again that bind differently now."""
        if suite.judge is not None:
            for _ in suite.rejudge():
                yield None
            for _ in suite.findings.look_into_code():
                yield None
        self._announce()

    def _reconfigure(self, suite: SuiteState) -> None:
        if suite.reconfigure():
            self._compare(suite)

    def _apply_rules(self, suite: SuiteState) -> None:
        if suite.sources is not None and suite.sources.are_elsewhere:
            self.look_in(suite)
            return
        changed = suite.apply_rules()
        for path in sorted(changed):
            suite.replace_source(path, self._content(path))
        if suite.is_configured_anew:
            self._reconfigure(suite)
        elif changed:
            self._compare(suite)

    def _sources(self, suite: SuiteState, sources: glue.Sources) -> Work[None]:
        """Take the glue code of a suite that is new, changed or gone on disk."""
        try:
            while suite.look_at_sources and not sources.are_elsewhere:
                suite.look_at_sources = False
                stamps = dict(sources.stamps)
                work = partial(glue.look, suite.root, suite.settings, suite.texts.folders(), sources.walk, stamps)
                walk, paths = yield from wait(self._host.job("reading", work))
                sources.use(walk)
                for path in paths:
                    self._read_source(suite, sources, path)
                    yield None
                if any(is_read(path) for path in paths):
                    self._apply_rules(suite)
                yield from self._rejudge(suite)
        finally:
            self._looking.discard(suite)
        if suite.look_at_sources:
            self.look_in(suite)

    def _read_source(self, suite: SuiteState, sources: glue.Sources, path: str) -> None:
        """The content is read when it is used, so that newer messages about the source are not undone."""
        stamp = stamp_of(path)
        if glue.is_configuration(path):
            self._reconfigure(suite)
        elif path in sources.files:
            suite.replace_source(path, self._content(path))
        elif path not in self._state.buffers:
            suite.replace_source(path, None)
        sources.take_stamp(path, stamp)
