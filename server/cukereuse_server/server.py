"""The main process: connects pygls, the session and the worker. Handlers are in `features`.

Never waits for the engine: answers of the worker are awaited, and a handler that gets no answer returns none.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine
from functools import wraps
from typing import Any, ParamSpec, TypeVar

from lsprotocol import types
from msgspec.structs import replace
from pygls.lsp.server import LanguageServer

from cukereuse_engine import __version__
from cukereuse_server.events import Events
from cukereuse_server.protocol.base import Request
from cukereuse_server.protocol.plans import Plan
from cukereuse_server.protocol.state import Configure, Opened
from cukereuse_server.rpc import Protocol, log_answer, quieten
from cukereuse_server.session import Document, Session
from cukereuse_server.worker.client import WorkerClient, WorkerFailed, WorkerLost

logger = logging.getLogger(__name__)

P = ParamSpec("P")
T = TypeVar("T")


class CukereuseServer(LanguageServer):
    def __init__(self) -> None:
        # VS Code delays whole texts by a quarter of a second, and changes not at all
        changes = types.TextDocumentSyncKind.Incremental
        super().__init__("cukereuse", __version__, text_document_sync_kind=changes, protocol_cls=Protocol)
        quieten()
        self.session = Session()
        self.events = Events()
        """The way in which features learn of everything but requests."""
        self.worker = WorkerClient(self.events.tell, self.tell_state)
        self._tasks: set[asyncio.Task[Any]] = set()

    # -- for features

    def can_be_off(self, name: str) -> Callable[[Callable[P, Awaitable[T]]], Callable[P, Awaitable[T | None]]]:
        """A decorator below `feature`: nothing is answered while the user leaves `name` to another extension."""
        self.session.can_be_off.add(name)

        def decorate(handler: Callable[P, Awaitable[T]]) -> Callable[P, Awaitable[T | None]]:
            @wraps(handler)
            async def answer(*args: P.args, **kwargs: P.kwargs) -> T | None:
                return await handler(*args, **kwargs) if self.session.editor.server.offers(name) else None

            return answer

        return decorate

    async def ask(self, request: Request) -> Any:
        """The worker's answer, of the type that the request names; None if there is none."""
        try:
            return await self.worker.ask(request)
        except WorkerLost:
            return None
        except WorkerFailed as error:
            logger.error("%s failed: %s", type(request).__name__, error)
            return None

    async def plan(self, request: Request) -> Plan | None:
        """The worker's plan, with paths in its texts relative to the workspace folders; None if there is none."""
        plan: Plan | None = await self.ask(request)
        if plan is None:
            return None
        say = self.session.relative
        return replace(
            plan,
            refused=say(plan.refused),
            notes=[*map(say, plan.notes)],
            warnings=[*map(say, plan.warnings)],
            moves=[*map(say, plan.moves)],
            left_out=[replace(each, reason=say(each.reason)) for each in plan.left_out],
        )

    def run_task(self, work: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
        """Run a task in the background. It is referenced until it ends, and its exception is logged."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._task_done)
        return task

    def tell_state(self) -> None:
        """Send the client's whole state to a new worker."""
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
        """End tasks and the worker; for `shutdown`."""
        current = asyncio.current_task()
        tasks = [task for task in self._tasks if task is not current]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self.worker.stop()

    # -- inside

    def report_server_error(self, error: Exception, source: Any) -> None:
        """Log an error instead of showing it to the user."""
        log_answer(error, source)

    def _task_done(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            logger.error("a task failed", exc_info=error)
