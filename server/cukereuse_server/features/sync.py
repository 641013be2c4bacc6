"""didOpen, didChange, didSave, didClose: the session's documents follow the client's, and the worker follows them."""

from lsprotocol import types

from cukereuse_server.convert import edited, path_of
from cukereuse_server.events import DocumentChanged, DocumentClosed
from cukereuse_server.protocol.state import Closed, FilesChanged
from cukereuse_server.server import CukereuseServer
from cukereuse_server.session import Document


def register(server: CukereuseServer) -> None:
    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)
    def opened(ls: CukereuseServer, params: types.DidOpenTextDocumentParams) -> None:
        item = params.text_document
        path = path_of(item.uri)
        if path is not None:
            document = Document(item.uri, path, item.version, item.text)
            _take(ls, document, opened=True)

    @server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    def changed(ls: CukereuseServer, params: types.DidChangeTextDocumentParams) -> None:
        before = ls.session.document(params.text_document.uri)
        if before is None or not params.content_changes:
            return
        text = edited(before.text, params.content_changes, ls.session.encoding)
        document = Document(before.uri, before.path, params.text_document.version, text)
        _take(ls, document)

    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    def closed(ls: CukereuseServer, params: types.DidCloseTextDocumentParams) -> None:
        document = ls.session.documents.pop(params.text_document.uri, None)
        if document is not None:
            ls.worker.tell(Closed(path=document.path))
            ls.events.tell(DocumentClosed(document))

    @server.feature(types.TEXT_DOCUMENT_DID_SAVE)
    def saved(ls: CukereuseServer, params: types.DidSaveTextDocumentParams) -> None:
        """If the client watches no files, look at the disk after each save."""
        del params
        if not ls.session.has("workspace.did_change_watched_files.dynamic_registration"):
            ls.worker.tell(FilesChanged(paths=[]))


def _take(server: CukereuseServer, document: Document, *, opened: bool = False) -> None:
    server.session.documents[document.uri] = document
    if opened and server.session.take_in(document.path):
        server.tell_settings()
    server.tell_document(document)
    server.events.tell(DocumentChanged(document, opened))
