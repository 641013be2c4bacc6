"""Plans and edits of the worker -> `WorkspaceEdit`, in the form that the client knows."""

from lsprotocol import types

from cukereuse_server.convert import range_of
from cukereuse_server.protocol.actions import FileChange
from cukereuse_server.server import CukereuseServer


def workspace_edit(server: CukereuseServer, changes: list[FileChange]) -> types.WorkspaceEdit | None:
    """Versioned where the client knows versions. None where a document is not as the edits were made for."""
    session = server.session
    by_uri: dict[str, list[types.TextEdit]] = {}
    versions: dict[str, int | None] = {}
    for change in changes:
        document = session.of_path(change.path)
        if (document.version if document is not None else None) != change.version:
            return None
        uri = session.uri(change.path)
        versions[uri] = change.version
        by_uri[uri] = [types.TextEdit(range_of(one.place, session.encoding), one.new_text) for one in change.edits]
    if not session.has("workspace.workspace_edit.document_changes"):
        return types.WorkspaceEdit(changes=by_uri)
    return types.WorkspaceEdit(
        document_changes=[
            types.TextDocumentEdit(types.OptionalVersionedTextDocumentIdentifier(uri, versions[uri]), edits)
            for uri, edits in by_uri.items()
        ]
    )
