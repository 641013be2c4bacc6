"""A change during the computation of diagnostics is not lost."""

import asyncio
import random
from typing import Any

import pytest
from cukereuse_server.events import DocumentChanged, DocumentClosed, Events
from cukereuse_server.features.diagnostics import _Publisher
from cukereuse_server.protocol.diagnostics import Diagnose, DiagnoseAll, Diagnosis, FileDiagnoses
from cukereuse_server.protocol.places import Place
from cukereuse_server.protocol.state import Changed
from cukereuse_server.session import Document, Session
from cukereuse_server.settings import read_settings

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


class Editing:
    """A server with a slow worker; knows the diagnostics that should be shown, and those that are."""

    def __init__(self, seed: int, *, workspace: bool) -> None:
        self.chance = random.Random(seed)
        self.session = Session()
        self.session.editor = read_settings({"workspaceDiagnostics": workspace, "diagnosticsDelay": 0})
        self.events = Events()
        self.found = dict.fromkeys((f"/{name}.feature" for name in "abc"), 1)
        """The number of diagnostics of each file on disk or open."""
        self.deleted: set[str] = set()
        self.shown: dict[str, int] = {}
        """Shown diagnostics by URI."""
        self.tasks: list[asyncio.Task[Any]] = []
        self.worker = asyncio.Lock()

    def run_task(self, work: Any) -> asyncio.Task[Any]:
        self.tasks.append(asyncio.ensure_future(work))
        return self.tasks[-1]

    async def ask(self, request: Diagnose | DiagnoseAll) -> Any:
        """Answers one request after another."""
        async with self.worker:
            await self.pause()
            answers = [self.answer(path) for path in self.found if self.many(path)]
            answer = self.answer(request.path) if isinstance(request, Diagnose) else answers
            await self.pause()
            return answer

    def many(self, path: str) -> int:
        return 0 if path in self.deleted and f"file://{path}" not in self.session.documents else self.found[path]

    def answer(self, path: str) -> FileDiagnoses:
        many = self.many(path)
        place = Place(path, 1, 1, 2)
        diagnosis = Diagnosis(place=place, rule="divergent-wording", severity="hint", message="so", related=())
        document = self.session.of_path(path)
        version = document.version if document is not None else None
        return FileDiagnoses(path=path, version=version, complete=True, diagnoses=[diagnosis] * many, digest=str(many))

    def text_document_publish_diagnostics(self, params: Any) -> None:
        self.shown[params.uri] = len(params.diagnostics)

    async def pause(self) -> None:
        for _ in range(self.chance.randrange(4)):
            await asyncio.sleep(0)

    def happens(self, version: int) -> None:
        """Somebody opens, types, closes or deletes; the diagnostics of some file change."""
        path = self.chance.choice("abc")
        uri, path = f"file:///{path}.feature", f"/{path}.feature"
        document = Document(uri, path, version, "")
        match self.chance.randrange(5):
            case 0 | 1 if uri in self.session.documents:
                self.events.tell(DocumentClosed(self.session.documents.pop(uri)))
            case 0 | 1 | 2:
                is_new = uri not in self.session.documents
                self.session.documents[uri] = document
                self.events.tell(DocumentChanged(document, is_new))
            case 3:
                self.deleted.add(path)
            case _:
                self.deleted.discard(path)
                self.found[path] = self.chance.randrange(3)
        self.events.tell(Changed(paths=self.chance.choice([[path], []])))


@pytest.mark.parametrize("workspace", [False, True])
@pytest.mark.parametrize("seed", range(10))
def test_what_is_shown_is_what_there_is_in_the_end(seed: int, workspace: bool) -> None:
    """Whatever was closed, deleted, undone or requested meanwhile."""
    server: Any = Editing(seed, workspace=workspace)

    async def run() -> None:
        _Publisher(server).listen()
        for version in range(1, 120):
            server.happens(version)
            await server.pause()
            if not version % 6:
                still = 0
                while still < 3:  # what is done may begin another
                    await asyncio.sleep(0)
                    still = still + 1 if all(task.done() for task in server.tasks) else 0
                assert dict.fromkeys(expected(), 0) | server.shown == expected()

    def expected() -> dict[str, int]:
        files = {f"file://{path}": server.many(path) for path in server.found}
        return {uri: many if workspace or uri in server.session.documents else 0 for uri, many in files.items()}

    asyncio.run(run())
