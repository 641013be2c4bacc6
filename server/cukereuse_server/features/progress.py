"""Background work of the worker as `workDoneProgress`, where the client can show it."""

import uuid
from dataclasses import dataclass

from lsprotocol import types

from cukereuse_server.protocol.state import CancelWork, Progressed
from cukereuse_server.server import CukereuseServer

_TITLES = {"index": "cukereuse: indexing", "vectors": "cukereuse: embedding steps", "model": "cukereuse: model"}


@dataclass
class _Shown:
    token: str
    begun: bool = False
    finished: bool = False
    latest: Progressed | None = None


def register(server: CukereuseServer) -> None:
    shown: dict[str, _Shown] = {}

    def progressed(event: Progressed) -> None:
        if not server.session.has("window.work_done_progress"):
            return
        current = shown.get(event.task)
        if current is None:
            if event.finished:
                return
            current = shown[event.task] = _Shown(f"cukereuse/{event.task}/{uuid.uuid4()}")
            server.run_task(_begin(server, current, event))
        current.latest = event
        if event.finished:
            del shown[event.task]
            current.finished = True
        if current.begun:
            _tell(server, current)

    server.on_event[Progressed] = progressed

    @server.feature(types.WINDOW_WORK_DONE_PROGRESS_CANCEL)
    def cancelled(ls: CukereuseServer, params: types.WorkDoneProgressCancelParams) -> None:
        for task, current in shown.items():
            if current.token == params.token:
                ls.worker.tell(CancelWork(task=task))


async def _begin(server: CukereuseServer, shown: _Shown, event: Progressed) -> None:
    await server.work_done_progress.create_async(shown.token)
    begin = types.WorkDoneProgressBegin(
        _TITLES.get(event.task, event.task), cancellable=True, message=event.label, percentage=0
    )
    server.work_done_progress.begin(shown.token, begin)
    shown.begun = True
    _tell(server, shown)


def _tell(server: CukereuseServer, shown: _Shown) -> None:
    event = shown.latest
    if shown.finished:
        server.work_done_progress.end(shown.token, types.WorkDoneProgressEnd())
        server.work_done_progress.tokens.pop(shown.token, None)
    elif event is not None:
        percentage = min(100, 100 * event.done // event.total) if event.total else None
        message = f"{event.label} {event.done}/{event.total}" if event.total else event.label
        server.work_done_progress.report(
            shown.token, types.WorkDoneProgressReport(message=message, percentage=percentage)
        )
