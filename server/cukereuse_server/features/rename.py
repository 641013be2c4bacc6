"""Rename (F2): one wording for all steps with the template of a step, and for the step definition that they bind to. It
begins at a step, or at the step definition's expression, which is then shown as a phrasing with slots.

The text that a person types over the step's text becomes the phrasing: if the step's arguments occur again, every step
keeps its own. A rename that would break the suite is refused with the reason.
"""

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from cukereuse_server.asking import ask_at, settled
from cukereuse_server.convert import range_of
from cukereuse_server.edits import plan_edit
from cukereuse_server.protocol.rename import FindNameable, Nameable, PlanRename
from cukereuse_server.server import CukereuseServer

_NOTES = 5
"""Maximum number of notes on a rename that are shown."""


def register(server: CukereuseServer) -> None:
    @server.feature(types.TEXT_DOCUMENT_PREPARE_RENAME)
    @server.can_be_off("rename")
    async def prepare(ls: CukereuseServer, params: types.PrepareRenameParams) -> types.PrepareRenamePlaceholder | None:
        nameable: Nameable | None = await ask_at(
            ls, params, lambda path, line, column: FindNameable(path=path, line=line, column=column)
        )
        if nameable is None:
            return None
        return types.PrepareRenamePlaceholder(range_of(nameable.place, ls.session.encoding), nameable.text)

    @server.feature(types.TEXT_DOCUMENT_RENAME, types.RenameOptions(prepare_provider=True))
    @server.can_be_off("rename")
    async def rename(ls: CukereuseServer, params: types.RenameParams) -> types.WorkspaceEdit | None:
        document = ls.session.document(params.text_document.uri)
        if document is None:
            return None
        await settled(ls, document.path)
        line, column = document.position(params.position, ls.session.encoding)
        request = PlanRename(path=document.path, line=line, column=column, target=params.new_name.strip())
        plan = await ls.plan(request)
        if plan is None:
            raise _refused("the index is not ready; try again")
        if plan.refused or not plan.changes:
            raise _refused(plan.refused or next(iter(plan.notes), "all steps already have this wording"))
        edit = plan_edit(ls, plan) if ls.session.document(document.uri) is document else None
        if edit is None:
            raise _refused("a document has changed; try again")
        if plan.notes:
            message = "\n".join(plan.notes[:_NOTES])
            ls.window_show_message(types.ShowMessageParams(types.MessageType.Warning, message))
        return edit


def _refused(reason: str) -> JsonRpcException:
    """The error for a refused rename; clients show its message."""
    return JsonRpcException(reason, types.LSPErrorCodes.RequestFailed)
