"""From the worker's plans and edits to `WorkspaceEdit`, in the form that the client supports."""

from lsprotocol import types

from cukereuse_server.convert import range_of
from cukereuse_server.protocol.plans import Edit, FileChange, Plan
from cukereuse_server.server import CukereuseServer

_ANNOTATION = "cukereuse"
_UNSURE = "No step definition is known here. Check that the steps still bind."


def plan_edit(server: CukereuseServer, plan: Plan) -> types.WorkspaceEdit | None:
    """A plan's edits. They ask for confirmation if only the user can tell whether the steps still bind, or if another
    function would serve some steps."""
    return workspace_edit(server, plan.changes, confirm="; ".join(plan.moves) or (_UNSURE if plan.unsure else ""))


def can_confirm(server: CukereuseServer) -> bool:
    """True if the client can show edits that need confirmation before it applies them."""
    needed = ("document_changes", "change_annotation_support")
    return all(server.session.has(f"workspace.workspace_edit.{name}") for name in needed)


def can_create(server: CukereuseServer) -> bool:
    """True if the client can create files as part of an edit."""
    workspace = server.session.capabilities.workspace
    edit = workspace.workspace_edit if workspace is not None else None
    operations = edit.resource_operations if edit is not None else None
    return types.ResourceOperationKind.Create in (operations or ())


def workspace_edit(
    server: CukereuseServer, changes: list[FileChange], *, confirm: str = ""
) -> types.WorkspaceEdit | None:
    """The edit, with versions if the client supports them. None if a document has changed since the edits were made.
    `confirm`: why the user should look at the edits first, for clients that can ask; empty if there is no need."""
    session = server.session
    by_uri: dict[str, list[types.TextEdit]] = {}
    versions: dict[str, int | None] = {}
    for change in changes:
        document = session.of_path(change.path)
        if (document.version if document is not None else None) != change.version:
            return None
        uri = session.uri(change.path)
        versions[uri] = change.version
        by_uri[uri] = [_text_edit(edit, session.encoding) for edit in change.edits]
    new = {session.uri(change.path) for change in changes if change.is_new}
    if not new and not session.has("workspace.workspace_edit.document_changes"):
        return types.WorkspaceEdit(changes=by_uri)
    annotations = None
    if confirm and can_confirm(server):
        annotations = {_ANNOTATION: types.ChangeAnnotation(confirm, needs_confirmation=True)}
    return types.WorkspaceEdit(
        document_changes=[
            *(types.CreateFile(uri) for uri in sorted(new)),
            *(
                types.TextDocumentEdit(
                    types.OptionalVersionedTextDocumentIdentifier(uri, versions[uri]),
                    [_annotated(edit) for edit in edits] if annotations else list(edits),
                )
                for uri, edits in by_uri.items()
            ),
        ],
        change_annotations=annotations,
    )


def _text_edit(edit: Edit, encoding: str) -> types.TextEdit:
    range_ = range_of(edit.place, encoding)
    if edit.end is not None:
        range_ = types.Range(range_.start, range_of(edit.end, encoding).end)
    return types.TextEdit(range_, edit.new_text)


def _annotated(edit: types.TextEdit) -> types.AnnotatedTextEdit:
    return types.AnnotatedTextEdit(_ANNOTATION, edit.range, edit.new_text)
