"""The main process: pygls, the session and the worker, put together. Handlers are in `features`.

Never waits for the engine: what the worker is asked is awaited, and a handler whose answer does not come gives none.
"""

import asyncio
import logging
from collections.abc import Callable, Coroutine
from typing import Any

from lsprotocol import types
from pygls.lsp.server import LanguageServer

from cukereuse_engine import __version__
from cukereuse_server.protocol.base import Event, Request
from cukereuse_server.protocol.state import Configure, Opened
from cukereuse_server.rpc import Protocol, log_answer, quieten
from cukereuse_server.session import Document, Session
from cukereuse_server.worker.client import WorkerClient, WorkerFailed, WorkerLost

logger = logging.getLogger(__name__)


class CukereuseServer(LanguageServer):
    def __init__(self) -> None:
        full = types.TextDocumentSyncKind.Full
        super().__init__("cukereuse", __version__, text_document_sync_kind=full, protocol_cls=Protocol)
        quieten()
        self.session = Session()
        self.worker = WorkerClient(self._take_event, self.tell_state)
        self.on_event: dict[type[Event], Callable[[Any], None]] = {}
        """What features do with what the worker tells."""
        self.on_initialize: list[Callable[[], None]] = []
        """Called once the client's capabilities are known and before ours are told: features that depend on them
        register here."""
        self.on_document: list[Callable[[Document], None]] = []
        """Called when a document was opened or changed."""
        self.on_close: list[Callable[[Document], None]] = []
        """Called when a document was closed."""
        self._tasks: set[asyncio.Task[Any]] = set()

    # -- for features

    async def ask(self, request: Request) -> Any:
        """The worker's answer, of the type that the request names; None where there is none."""
        try:
            return await self.worker.ask(request)
        except WorkerLost:
            return None
        except WorkerFailed as error:
            logger.error("%s failed: %s", type(request).__name__, error)
            return None

    def listen(self, kind: type[Event], handler: Callable[[Any], None]) -> None:
        """Call `handler` with each such event, beside what takes it already."""
        before = self.on_event.get(kind)

        def both(event: Any) -> None:
            if before is not None:
                before(event)
            handler(event)

        self.on_event[kind] = both

    def run_task(self, work: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
        """Run beside everything else; the task is held until it ends, and what it raises is logged."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._task_done)
        return task

    def tell_state(self) -> None:
        """Tell a worker everything that the client told."""
        if not self.worker.running:
            return
        self.tell_settings()
        for document in self.session.documents.values():
            self.tell_document(document)

    def tell_settings(self) -> None:
        editor = self.session.editor
        self.worker.tell(
            Configure(
                folders=self.session.folders,
                settings=editor.engine,
                workspace_diagnostics=editor.server.workspace_diagnostics,
            )
        )

    def tell_document(self, document: Document) -> None:
        self.worker.tell(Opened(path=document.path, version=document.version, text=document.text))

    async def finish(self) -> None:
        """End tasks and worker; for `shutdown`."""
        current = asyncio.current_task()
        tasks = [task for task in self._tasks if task is not current]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self.worker.stop()

    # -- inside

    def report_server_error(self, error: Exception, source: Any) -> None:
        """Into the log, never into the user's face."""
        log_answer(error, source)

    def _take_event(self, event: Event) -> None:
        handler = self.on_event.get(type(event))
        if handler is not None:
            handler(event)

    def _task_done(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            logger.error("a task failed", exc_info=error)


def create_server() -> CukereuseServer:
    """A server with all features registered."""
    from cukereuse_server.features.setup import register_all

    server = CukereuseServer()
    register_all(server)
    return server
