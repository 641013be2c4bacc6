"""The feature files of the workspace: a thread reads them, the state gets them in slices, and they are read again when
they may have changed on disk.
"""

from collections.abc import Callable, Iterable
from functools import partial

from cukereuse_engine.gherkin.cache import parse_cache
from cukereuse_server.workspace.activities import Activity
from cukereuse_server.workspace.host import Host, Job, Work, wait
from cukereuse_server.workspace.stages import reading
from cukereuse_server.workspace.stages.reading import ReadFile
from cukereuse_server.workspace.state import Replaced, State


class Files:
    def __init__(self, state: State, host: Host, taken: Callable[[Replaced], None], *, use_cache: bool) -> None:
        """`taken`: called for each file that has changed."""
        self._state, self._host, self._taken, self._use_cache = state, host, taken, use_cache

    def read_all(self, indexing: Activity) -> Work[None]:
        """Read all files; files in the cache are not parsed again."""
        state = self._state
        listing = yield from wait(
            self._host.job("reading", partial(reading.list_workspace, state.folders, dict(state.editor)))
        )
        state.clear(listing)
        paths = list(listing.root_of)
        reader = reading.FileReader(paths, parse_cache() if self._use_cache else None)
        done = 0
        coming = None
        for batch in reader.batches():
            if indexing.cancelled:
                break
            before, coming = coming, self._host.job("reading", batch)  # the thread goes on while one batch is applied
            done += yield from self._apply(before)
            indexing.report("reading", done, len(paths))
        yield from self._apply(coming)
        yield from wait(self._host.job("reading", reader.flush))

    def look(self, *, list_anew: bool, applied: Callable[[], None]) -> Work[bool]:
        """Take all changes on disk; `applied` is called after each part. False if suites have other settings now: then
        nothing is applied, and all files must be read again. `list_anew`: the same files may be in other suites."""
        state = self._state
        if state.listing is None:
            return True
        stamps, held, editor = dict(state.stamps), set(state.buffers), dict(state.editor)
        work = partial(reading.look, state.listing, stamps, held, state.folders, editor, list_anew)
        seen = yield from wait(self._host.job("reading", work))
        if any(state.listing.suites.get(root, now) != now for root, now in seen.listing.suites.items()):
            return False
        # by the protocol, what is open counts until it is closed, even if its file was renamed or removed elsewhere
        yield from self._drop(state.root_of.keys() - seen.listing.root_of.keys() - held)
        moved: list[str] = []
        if seen.is_new:
            leaving = state.use_listing(seen.listing)
            yield from self._drop(leaving, opened=True)
            moved = state.place_again(leaving)
        reader = reading.FileReader(list(dict.fromkeys([*seen.changed, *moved])), None)
        for batch in reader.batches():
            yield from self._apply(self._host.job("reading", batch))
            applied()
        return True

    def _apply(self, coming: Job[list[list[ReadFile]]] | None) -> Work[int]:
        """Apply the files that a thread has read; returns their number."""
        parts = (yield from wait(coming)) if coming is not None else []
        for part in parts:
            for read in part:
                self._take(self._state.replace_closed(read))
            yield None
        return sum(len(part) for part in parts)

    def _drop(self, paths: Iterable[str], *, opened: bool = False) -> Work[None]:
        """Files leave their suites; with `opened`, those that were opened meanwhile, too."""
        for path in paths:
            if opened or path not in self._state.buffers:
                self._take(self._state.replace_file(path, None))
                yield None

    def _take(self, replaced: Replaced | None) -> None:
        if replaced is not None:
            self._taken(replaced)
