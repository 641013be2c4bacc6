"""The worker's background work as `workDoneProgress`, if the client can show it.

Every progress that begins also ends exactly once, in whatever order the worker reports, the client answers and cancels,
and the worker ends. `ProgressBook` holds the states and sends nothing itself.
"""

import uuid
from dataclasses import dataclass
from typing import Protocol

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from cukereuse_server.events import WorkerEnded
from cukereuse_server.protocol.state import CancelWork, Progressed
from cukereuse_server.server import CukereuseServer

_TITLES = {"index": "cukereuse: indexing", "vectors": "cukereuse: embedding steps", "model": "cukereuse: model"}


class ProgressClient(Protocol):
    """Sends messages to the client."""

    def create(self, token: str) -> None:
        """Ask for a progress; the client answers by `ProgressBook.created`, or never."""

    def begin(self, token: str, value: types.WorkDoneProgressBegin) -> None: ...

    def report(self, token: str, value: types.WorkDoneProgressReport) -> None: ...

    def end(self, token: str) -> None: ...


@dataclass
class _Shown:
    """The states of one progress: requested, begun, ended."""

    task: str
    token: str
    latest: Progressed
    begun: bool = False


class ProgressBook:
    def __init__(self, client: ProgressClient) -> None:
        self._client = client
        self._tasks: dict[str, _Shown] = {}
        """Running tasks, with the progress that shows each."""
        self._tokens: dict[str, _Shown] = {}
        """Progress of running tasks, by token. An answer for any other token is too late: its task has ended."""

    def progressed(self, event: Progressed) -> None:
        """The worker has reported progress."""
        if event.finished:
            self._end(event.task)
            return
        shown = self._tasks.get(event.task)
        if shown is None:
            token = f"cukereuse/{event.task}/{uuid.uuid4()}"
            shown = self._tasks[event.task] = self._tokens[token] = _Shown(event.task, token, event)
            self._client.create(token)
        else:
            shown.latest = event
            if shown.begun:
                self._client.report(shown.token, _report(event))

    def created(self, token: str) -> None:
        """The client will show the progress."""
        shown = self._tokens.get(token)
        if shown is None or shown.begun:
            return
        shown.begun = True
        title = _TITLES.get(shown.task, shown.task)
        first = _report(shown.latest)
        begin = types.WorkDoneProgressBegin(
            title, cancellable=True, message=first.message, percentage=first.percentage or 0
        )
        self._client.begin(token, begin)

    def task_of(self, token: str | int) -> str | None:
        """The task that a progress shows; None once the progress has ended."""
        shown = self._tokens.get(str(token))
        return shown.task if shown is not None else None

    def end_all(self) -> None:
        """The worker that did the work has ended."""
        for task in list(self._tasks):
            self._end(task)

    def _end(self, task: str) -> None:
        shown = self._tasks.pop(task, None)
        if shown is None:
            return
        del self._tokens[shown.token]
        if shown.begun:
            self._client.end(shown.token)


def _report(event: Progressed) -> types.WorkDoneProgressReport:
    percentage = min(100, 100 * event.done // event.total) if event.total else None
    message = f"{event.label} {event.done}/{event.total}" if event.total else event.label
    return types.WorkDoneProgressReport(message=message, percentage=percentage)


class _Sender:
    """The `ProgressClient` of a server."""

    def __init__(self, server: CukereuseServer) -> None:
        self._server = server
        self.book = ProgressBook(self)

    def create(self, token: str) -> None:
        self._server.run_task(self._create(token))

    async def _create(self, token: str) -> None:
        try:
            await self._server.work_done_progress.create_async(token)
        except JsonRpcException:
            return  # the client does not want to show it
        self.book.created(token)

    def begin(self, token: str, value: types.WorkDoneProgressBegin) -> None:
        self._server.work_done_progress.begin(token, value)

    def report(self, token: str, value: types.WorkDoneProgressReport) -> None:
        self._server.work_done_progress.report(token, value)

    def end(self, token: str) -> None:
        self._server.work_done_progress.end(token, types.WorkDoneProgressEnd())
        self._server.work_done_progress.tokens.pop(token, None)


def register(server: CukereuseServer) -> None:
    book = _Sender(server).book

    def progressed(event: Progressed) -> None:
        if server.session.has("window.work_done_progress"):
            book.progressed(event)

    server.events.listen(Progressed, progressed)
    server.events.listen(WorkerEnded, lambda _: book.end_all())

    @server.feature(types.WINDOW_WORK_DONE_PROGRESS_CANCEL)
    def cancelled(ls: CukereuseServer, params: types.WorkDoneProgressCancelParams) -> None:
        task = book.task_of(params.token)
        if task is not None:
            ls.worker.tell(CancelWork(task=task))
