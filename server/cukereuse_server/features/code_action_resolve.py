"""The edit of the code action that the user chose, planned and checked by the worker."""

from typing import Any

from lsprotocol import types

from cukereuse_server.convert import range_of
from cukereuse_server.edits import can_confirm, plan_edit, workspace_edit
from cukereuse_server.features.commands import SHOW, TELL
from cukereuse_server.features.requests import is_whole
from cukereuse_server.protocol.code_actions import ActionsAt, PlanCreation, StepActions
from cukereuse_server.protocol.extraction import PlanExtraction
from cukereuse_server.protocol.folding import PlanFold
from cukereuse_server.protocol.merging import PlanMerge
from cukereuse_server.protocol.places import Place
from cukereuse_server.protocol.plans import Edit, FileChange, Plan
from cukereuse_server.protocol.rename import PlanRename
from cukereuse_server.server import CukereuseServer
from cukereuse_server.session import Document


def register(server: CukereuseServer) -> None:
    @server.feature(types.CODE_ACTION_RESOLVE)
    async def resolve_action(ls: CukereuseServer, params: types.CodeAction) -> types.CodeAction:
        await resolve(ls, params)
        return params


async def resolve(server: CukereuseServer, action: types.CodeAction) -> None:
    """Add the edit. If the document has changed, the action says why it can't be done."""
    data = data_of(action)
    if action.edit is not None or not data:
        return
    document = server.session.document(str(data.get("uri")))
    if document is None or document.version != data.get("version"):
        _refuse(action, "the document has changed; try again")
        return
    line = data.get("line")
    if not is_whole(line, least=1, most=len(document.lines)):
        action.disabled = types.CodeActionDisabled("this is not a cukereuse action")
        return
    match data:
        case {"do": "use", "text": str(text)}:
            await _resolve_use(server, action, document, line, text)
        case {"do": "ignore", "rule": str(rule)}:
            action.edit = workspace_edit(server, [ignoring(document, line, rule)])
        case _:
            request = plan_request(server, document, line, data)
            if request is None:
                action.disabled = types.CodeActionDisabled("this is not a cukereuse action")
                return
            plan = await server.plan(request)
            await resolve_plan(server, action, plan)
            if action.edit is not None and plan is not None and isinstance(request, PlanCreation):
                action.command = _show(server, plan)


def plan_request(
    server: CukereuseServer, document: Document, line: int, data: dict[str, Any]
) -> PlanRename | PlanMerge | PlanCreation | PlanFold | PlanExtraction | None:
    """The request that plans an action; None for an action that needs no plan, or that another server made."""
    match data:
        case {"do": "rename", "text": str(text)}:
            move = can_confirm(server)
            return PlanRename(path=document.path, line=line, target=text, cluster=True, move=move)
        case {"do": "merge", "how": str(how), "definition": str(definition), "twin": str(twin)}:
            return PlanMerge(how=how, definition=definition, twin=twin)
        case {"do": "create"}:
            return PlanCreation(path=document.path, line=line, new=data.get("new") is True, all=data.get("all") is True)
        case {"do": "fold", "kind": str(kind)}:
            return PlanFold(path=document.path, line=line, kind=kind)
        case {"do": "extract", "block": str(block)}:
            return PlanExtraction(path=document.path, line=line, block=block)
        case _:
            return None


def data_of(action: types.CodeAction) -> dict[str, Any]:
    """The data of an action. A client returns it as an object or a named tuple."""
    data: Any = action.data
    if isinstance(data, dict):
        return data
    fields: dict[str, Any] = vars(data) if hasattr(data, "__dict__") else getattr(data, "_asdict", dict)()
    return fields


def _show(server: CukereuseServer, plan: Plan) -> types.Command:
    """The command that shows the beginning of the plan's first edit, below the empty lines that it adds."""
    (change, *_) = plan.changes
    (edit, *_) = change.edits
    start = range_of(edit.place, server.session.encoding).start
    text = edit.new_text.replace("\r\n", "\n")
    start.line += len(text) - len(text.lstrip("\n"))
    return types.Command("Show it", SHOW, arguments=[server.session.uri(change.path), start])


async def _resolve_use(
    server: CukereuseServer, action: types.CodeAction, document: Document, line: int, text: str
) -> None:
    actions_here: StepActions | None = await server.ask(ActionsAt(path=document.path, line=line))
    if actions_here is None or actions_here.version != document.version:
        _refuse(action, "the document has changed; try again")
        return
    edit = Edit(actions_here.place, text)
    action.edit = workspace_edit(server, [FileChange(path=document.path, version=document.version, edits=[edit])])


async def resolve_plan(server: CukereuseServer, action: types.CodeAction, plan: Plan | None) -> None:
    """Make a plan the action's edit, and show what it leaves out."""
    reason = refusal(plan)
    if plan is None or reason:
        _refuse(action, reason)
        return
    action.edit = plan_edit(server, plan)
    if action.edit is None:
        _refuse(action, "a document has changed; try again")
    elif plan.notes:
        message = "\n".join(plan.notes[:5])
        server.window_show_message(types.ShowMessageParams(types.MessageType.Info, message))


def refusal(plan: Plan | None) -> str:
    """Why nothing would change; empty if something would."""
    if plan is None:
        return "the server is still starting"
    left_out = plan.left_out[0].reason if plan.left_out else ""
    return "" if plan.changes and not plan.refused else plan.refused or left_out or "nothing would change"


def _refuse(action: types.CodeAction, reason: str) -> None:
    """Editors silently apply nothing if a chosen action is refused, so its command says why."""
    action.disabled = types.CodeActionDisabled(reason)
    action.command = types.Command("Say why", TELL, arguments=[f"Nothing was changed: {reason}"])


def ignoring(document: Document, line: int, rule: str) -> FileChange:
    """The edit that adds a pragma above a step or step definition, with its indentation and the file's line ending."""
    from cukereuse_engine.glue.languages.base import comments_of

    text = document.lines[line - 1]
    indentation = text[: len(text) - len(text.lstrip())]
    ending = "\r\n" if "\r\n" in document.text else "\n"
    mark = comments_of(document.path).mark_above(text)
    pragma = f"{indentation}{mark} cukereuse: ignore[{rule}] -- reason{ending}"
    edit = Edit(Place(document.path, line, 1, 1), pragma)
    return FileChange(path=document.path, version=document.version, edits=[edit])
