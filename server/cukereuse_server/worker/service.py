"""Assembles the worker: loop, workspace, handlers."""

import gc
from functools import partial
from typing import Any, BinaryIO

from cukereuse_server.protocol import requests, state
from cukereuse_server.protocol.base import Request
from cukereuse_server.worker.handlers import handler_of
from cukereuse_server.worker.loop import Ended, Loop
from cukereuse_server.workspace.watched import WATCHED
from cukereuse_server.workspace.workspace import Workspace

_YOUNG = 5_000
"""The number of young objects from which the garbage collector looks at them: a few milliseconds."""


def serve(source: BinaryIO, sink: BinaryIO) -> None:
    """Run until the main process has ended or asks to stop."""
    loop = Loop(source, sink)
    workspace = Workspace(loop)
    loop.handlers = {kind: partial(_answer, workspace, kind) for kind in requests()}
    loop.listeners = {
        state.Configure: lambda event: workspace.configure(event.folders, event.settings, event.workspace_diagnostics),
        state.Opened: lambda event: workspace.open(event.path, event.version, event.text),
        state.Closed: lambda event: workspace.close(event.path),
        state.FilesChanged: lambda event: workspace.changed_on_disk(event.paths),
        state.AllowDownload: lambda _: workspace.allow_download(),
        state.CancelWork: lambda event: workspace.cancel(event.task),
        state.Shutdown: lambda _: _end(workspace),
    }
    loop.when_idle = partial(_idle, workspace)
    # Millions of small objects live as long as the process: looking for cycles among them takes a second each time. So
    # only young ones are looked at, few at a time, and the contents of a built index are left alone.
    gc.set_threshold(_YOUNG, 1_000_000, 1_000_000)
    loop.trace.watch_collector()
    loop.emit(state.Ready(watched=list(WATCHED)))
    loop.run()


def _answer(workspace: Workspace, kind: type[Request], request: Request) -> Any:
    """The index first takes in earlier messages, such as the text that the question is about."""
    return handler_of(kind)(workspace.settled(), request)


def _idle(workspace: Workspace) -> float | None:
    pause = workspace.idle()
    if workspace.complete and gc.get_count()[1]:
        gc.freeze()
    return pause


def _end(workspace: Workspace) -> None:
    workspace.end()
    raise Ended
