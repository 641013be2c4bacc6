"""Findings, and lines that are not valid Gherkin. An editor that can ask for diagnostics asks (pull); all others get
them unasked (push).

Never both. Only changes are published.
"""

import asyncio

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from cukereuse_engine.gherkin.discovery import FEATURE_SUFFIXES
from cukereuse_server.convert import SOURCE, diagnostic_of
from cukereuse_server.events import ClientKnown, DocumentChanged, DocumentClosed, SettingsChanged, WorkerEnded
from cukereuse_server.protocol.diagnostics import Diagnose, DiagnoseAll, Diagnosis, FileDiagnoses
from cukereuse_server.protocol.state import Changed
from cukereuse_server.server import CukereuseServer
from cukereuse_server.session import Document

_REFRESH_SECONDS = 0.1
"""Changes within this time cause one refresh."""
_MOST_MADE = 10_000
"""The number of diagnostics that are kept for reuse."""
_TRIES = 3
"""Maximum number of outdated answers, after which the client is told to ask again."""

METHODS_BY_CLIENT = (
    types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS,
    types.TEXT_DOCUMENT_DIAGNOSTIC,
    types.WORKSPACE_DIAGNOSTIC,
)
"""What is only registered when the client is known, so that `reference` finds it here."""


def register(server: CukereuseServer) -> None:
    def choose(event: ClientKnown) -> None:
        del event
        if server.session.pulls:
            _register_pull(server)
        else:
            _Publisher(server).listen()

    server.events.listen(ClientKnown, choose)


async def diagnoses_of(server: CukereuseServer, uri: str) -> FileDiagnoses | None:
    """The worker's diagnostics of an open document; None if there are none or the text kept changing."""
    for _ in range(_TRIES):
        document = server.session.document(uri)
        if document is None:
            return None
        answer: FileDiagnoses | None = await server.ask(Diagnose(path=document.path))
        if answer is None:
            return None
        current = server.session.document(uri)
        if current is not None and answer.version == current.version:
            return answer
    return None


def to_protocol(
    server: CukereuseServer, answer: FileDiagnoses, made: dict[Diagnosis, types.Diagnostic] | None = None
) -> list[types.Diagnostic]:
    """The protocol's diagnostics. `made`: objects made before, by diagnosis; new ones are added."""
    session, made = server.session, {} if made is None else made
    capability = "text_document.diagnostic" if session.pulls else "text_document.publish_diagnostics"
    related = session.has(f"{capability}.related_information")
    address = session.editor.server.documentation_url
    describes = bool(address) and session.has(f"{capability}.code_description_support")
    for diagnosis in answer.diagnoses:
        if diagnosis not in made:
            made[diagnosis] = diagnostic_of(diagnosis, session.encoding, session.uri, related=related)
            if describes:
                made[diagnosis].code_description = types.CodeDescription(f"{address}#{diagnosis.rule}")
    return [made[diagnosis] for diagnosis in answer.diagnoses]


class _Publisher:
    """Pushes diagnostics."""

    def __init__(self, server: CukereuseServer) -> None:
        self._server = server
        self._running: dict[str, asyncio.Task[None]] = {}
        """Computations by URI, one at a time. A later one replaces a waiting one."""
        self._stale: set[str] = set()
        """URIs whose diagnostics changed while they were computed, so that the answer may be outdated."""
        self._others: asyncio.Task[None] | None = None
        """Publishes the files that are not open."""
        self._others_stale = False
        """True if their diagnostics may have changed since they were last asked for."""
        self._published: dict[str, tuple[str, int | None]] = {}
        """Maps a URI to the digest of the published diagnostics, and their version."""
        self._made: dict[Diagnosis, types.Diagnostic] = {}
        """Published diagnostics: after a keystroke, most are published again. They contain URIs of open documents."""

    def listen(self) -> None:
        events = self._server.events
        events.listen(DocumentChanged, lambda event: self._document_changed(event.document, event.opened))
        events.listen(DocumentClosed, lambda event: self._closed(event.document))
        events.listen(Changed, self._changed)

    def _document_changed(self, document: Document, opened: bool) -> None:
        if opened:
            self._made.clear()
        first = document.uri not in self._published
        delay = 0 if first else self._server.session.editor.server.diagnostics_delay / 1000
        self._schedule(document.uri, delay)

    def _closed(self, document: Document) -> None:
        self._made.clear()
        task = self._running.pop(document.uri, None)
        if task is not None:
            task.cancel()
        self._stale.discard(document.uri)
        if document.uri in self._published and not self._server.session.editor.server.workspace_diagnostics:
            self._withdraw({document.uri})

    def _changed(self, event: Changed) -> None:
        session = self._server.session
        for document in session.documents.values():
            is_feature = document.path.lower().endswith(FEATURE_SUFFIXES)
            if event.paths and is_feature and document.path not in event.paths:  # code is used by features
                continue
            if document.uri in self._running:
                self._stale.add(document.uri)
            else:
                self._schedule(document.uri, 0)
        if session.editor.server.workspace_diagnostics:
            self._others_stale = True
            if self._others is None or self._others.done():
                self._others = self._server.run_task(self._publish_others())
        else:
            self._withdraw_others()

    def _schedule(self, uri: str, delay: float) -> None:
        task = self._running.pop(uri, None)
        if task is not None:
            task.cancel()
        self._running[uri] = task = self._server.run_task(self._compute(uri, delay))
        task.add_done_callback(lambda done: self._computed(uri, done))

    def _computed(self, uri: str, done: "asyncio.Task[None]") -> None:
        if self._running.get(uri) is not done:
            return
        del self._running[uri]
        if uri in self._stale:
            self._stale.discard(uri)
            if uri in self._server.session.documents and not done.cancelled():
                self._schedule(uri, 0)

    async def _compute(self, uri: str, delay: float) -> None:
        await asyncio.sleep(delay)
        self._stale.discard(uri)  # the answer includes all changes until now
        answer = await diagnoses_of(self._server, uri)
        if answer is not None and uri in self._server.session.documents:
            self._publish_if_new(uri, answer)

    async def _publish_others(self) -> None:
        """Publish files that are not open and whose diagnostics have changed, until nothing changes meanwhile."""
        while self._others_stale:
            self._others_stale = False
            answers: list[FileDiagnoses] | None = await self._server.ask(DiagnoseAll())
            if answers is None or not self._server.session.editor.server.workspace_diagnostics:
                continue
            seen = set(self._server.session.documents)
            for answer in answers:
                uri = self._server.session.uri(answer.path)
                if uri not in self._server.session.documents:
                    seen.add(uri)
                    self._publish_if_new(uri, answer)
            self._withdraw(self._published.keys() - seen)

    def _withdraw_others(self) -> None:
        self._withdraw(self._published.keys() - self._server.session.documents.keys())

    def _withdraw(self, uris: set[str]) -> None:
        for uri in sorted(uris):
            del self._published[uri]
            self._publish(uri, None, [])

    def _publish_if_new(self, uri: str, answer: FileDiagnoses) -> None:
        published = self._published.get(uri)
        if published == (answer.digest, answer.version):
            return
        if published is None and not answer.diagnoses and not answer.complete:
            return  # nothing is known yet, and nothing has been shown
        self._published[uri] = (answer.digest, answer.version)
        if len(self._made) > _MOST_MADE:
            self._made.clear()
        self._publish(uri, answer.version, to_protocol(self._server, answer, self._made))

    def _publish(self, uri: str, version: int | None, diagnostics: list[types.Diagnostic]) -> None:
        params = types.PublishDiagnosticsParams(uri, diagnostics, version)
        self._server.text_document_publish_diagnostics(params)


def _register_pull(server: CukereuseServer) -> None:
    refreshing: list[asyncio.Task[None]] = []
    held, news = _Known(server), _News(server)

    def changed(event: Changed) -> None:
        del event
        if not refreshing or refreshing[0].done():
            refreshing[:] = [server.run_task(_refresh(server))]

    server.events.listen(Changed, changed)
    options = types.DiagnosticOptions(inter_file_dependencies=True, workspace_diagnostics=True, identifier=SOURCE)

    @server.feature(types.TEXT_DOCUMENT_DIAGNOSTIC, options)
    async def pull(ls: CukereuseServer, params: types.DocumentDiagnosticParams) -> types.DocumentDiagnosticReport:
        uri = params.text_document.uri
        if ls.session.document(uri) is None:
            return types.RelatedFullDocumentDiagnosticReport(items=[])
        answer = await held.diagnoses_of(uri)
        if answer is None:
            if ls.worker.given_up or not ls.worker.running:
                return types.RelatedFullDocumentDiagnosticReport(items=[])
            raise _ask_again()
        if answer.digest and answer.digest == params.previous_result_id:
            return types.RelatedUnchangedDocumentDiagnosticReport(result_id=answer.digest)
        return types.RelatedFullDocumentDiagnosticReport(to_protocol(ls, answer), result_id=answer.digest or None)

    @server.feature(types.WORKSPACE_DIAGNOSTIC)
    async def pull_all(ls: CukereuseServer, params: types.WorkspaceDiagnosticParams) -> types.WorkspaceDiagnosticReport:
        """Clients ask again two seconds after each answer, forever, so the answer waits for news."""
        await news.wait()
        return types.WorkspaceDiagnosticReport(await _workspace_reports(ls, params))


class _Known:
    """Answers that wait for news, because clients ask for open documents again and again."""

    def __init__(self, server: CukereuseServer) -> None:
        self._server = server
        self._answers: dict[str, FileDiagnoses] = {}
        """Answers by URI."""
        self._asked: set[str] = set()
        """URIs that were asked for, without news since then."""
        server.events.listen(Changed, self._changed)
        server.events.listen(DocumentChanged, lambda event: self._forget(event.document.uri))
        server.events.listen(DocumentClosed, lambda event: self._forget(event.document.uri))
        server.events.listen(SettingsChanged, lambda _: self._forget_all())
        server.events.listen(WorkerEnded, lambda _: self._forget_all())

    async def diagnoses_of(self, uri: str) -> FileDiagnoses | None:
        """Like the function of this name."""
        answer = self._answers.get(uri)
        if answer is None:
            self._asked.add(uri)
            answer = await diagnoses_of(self._server, uri)
            if answer is not None and answer.complete and uri in self._asked:
                self._answers[uri] = answer
        return answer

    def _changed(self, event: Changed) -> None:
        for document in self._server.session.documents.values():
            if not event.paths or document.path in event.paths:
                self._forget(document.uri)

    def _forget(self, uri: str) -> None:
        self._answers.pop(uri, None)
        self._asked.discard(uri)

    def _forget_all(self) -> None:
        self._answers.clear()
        self._asked.clear()


class _News:
    """Tells if the diagnostics of files that are not open may have changed since the last question."""

    def __init__(self, server: CukereuseServer) -> None:
        self._news = asyncio.Event()
        self._news.set()
        for kind in (Changed, DocumentClosed, SettingsChanged, WorkerEnded):
            server.events.listen(kind, lambda _: self._news.set())
        server.events.listen(DocumentChanged, self._document_changed)

    async def wait(self) -> None:
        await self._news.wait()
        self._news.clear()

    def _document_changed(self, event: DocumentChanged) -> None:
        if event.opened:
            self._news.set()


async def _workspace_reports(
    server: CukereuseServer, params: types.WorkspaceDiagnosticParams
) -> list[types.WorkspaceDocumentDiagnosticReport]:
    """Reports of files that are not open, if the setting asks for them, and empty ones for files that are gone."""
    held = {previous.uri: previous.value for previous in params.previous_result_ids}
    wanted = server.session.editor.server.workspace_diagnostics
    answers: list[FileDiagnoses] = (await server.ask(DiagnoseAll()) or []) if wanted else []
    reports: list[types.WorkspaceDocumentDiagnosticReport] = []
    for answer in answers:
        uri = server.session.uri(answer.path)
        previous = held.pop(uri, None)
        if uri in server.session.documents:
            continue
        if previous == answer.digest:
            reports.append(types.WorkspaceUnchangedDocumentDiagnosticReport(uri, answer.digest))
        else:
            items = to_protocol(server, answer)
            reports.append(types.WorkspaceFullDocumentDiagnosticReport(uri, items, result_id=answer.digest))
    gone = [uri for uri in held if uri not in server.session.documents]
    return [*reports, *(types.WorkspaceFullDocumentDiagnosticReport(uri, []) for uri in gone)]


async def _refresh(server: CukereuseServer) -> None:
    await asyncio.sleep(_REFRESH_SECONDS)
    await server.workspace_diagnostic_refresh_async(None)


def _ask_again() -> JsonRpcException:
    """The error with which the client repeats its request: `DiagnosticServerCancellationData`."""
    return JsonRpcException("the text changed", types.LSPErrorCodes.ServerCancelled, {"retriggerRequest": True})
