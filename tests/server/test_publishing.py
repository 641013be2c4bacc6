"""A change that comes while diagnostics are computed is not lost."""

import asyncio
from typing import Any

from cukereuse_server.events import Events
from cukereuse_server.features.diagnostics import _Publisher
from cukereuse_server.protocol.diagnostics import Diagnose, FileDiagnoses
from cukereuse_server.protocol.state import Changed
from cukereuse_server.session import Document, Session

URI, PATH = "file:///x.feature", "/x.feature"


class Server:
    """The worker's answer and its next event are read at once."""

    def __init__(self) -> None:
        self.session = Session()
        self.session.documents[URI] = Document(URI, PATH, 1, "")
        self.events = Events()
        self.changes = 1
        self.published: list[str] = []
        self.tasks: list[asyncio.Task[Any]] = []

    def run_task(self, work: Any) -> asyncio.Task[Any]:
        self.tasks.append(asyncio.ensure_future(work))
        return self.tasks[-1]

    async def ask(self, request: Diagnose) -> FileDiagnoses:
        digest = f"{self.changes} changes left"
        if self.changes:
            self.changes -= 1
            self.events.tell(Changed(paths=[request.path]))
        return FileDiagnoses(path=request.path, version=1, complete=True, diagnoses=[], digest=digest)

    def text_document_publish_diagnostics(self, params: Any) -> None:
        self.published.append(params.uri)


def test_a_change_while_computing_is_answered_too() -> None:
    server: Any = Server()

    async def run() -> None:
        publisher = _Publisher(server)
        publisher.listen()
        server.events.tell(Changed(paths=[]))
        while not all(task.done() for task in server.tasks):
            await asyncio.sleep(0)
            await asyncio.gather(*server.tasks)
            await asyncio.sleep(0)

    asyncio.run(run())
    assert server.published == [URI, URI]
    assert len(server.tasks) == 2
