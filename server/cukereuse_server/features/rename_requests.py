"""Requests that rename a cluster in stages, for editors that ask the user in between.

`cukereuse/renameCandidates`: `{textDocument: {uri}, position}` -> `{candidates: [{text, phrasing, occurrences}]}`: the
wordings of the step's cluster, the most used first. `phrasing` has a slot for each argument and can be used as the
target. `text` and `phrasing`: strings; `occurrences`: integer.

`cukereuse/renamePlan`: `{textDocument: {uri}, position, target: string, cluster?: boolean, move?: boolean, confirmed?:
boolean}` -> `{target, steps, files, leftOut: [{text, occurrences, reason}], warnings: string[], edit: WorkspaceEdit}`,
or `{refused: string}` with the reason. Nothing is written. `move` (default: the value of `cluster`): another function
may serve the steps, with the same arguments; the warnings name both functions. In this case, and if no step definitions
are known, the edit asks the user for confirmation. `confirmed` skips that: the user has seen the warnings. `target`,
`text`, `reason`: strings; `steps`, `files`, `occurrences`: integers. Paths in warnings are relative to their workspace
folder.

After the start, both requests wait a few seconds at most until the file's suite is known.
"""

from typing import Any

from cukereuse_server.asking import settled
from cukereuse_server.edits import plan_edit, workspace_edit
from cukereuse_server.features.requests import place_asked_for, wrong
from cukereuse_server.protocol.plans import Plan
from cukereuse_server.protocol.rename import PlanRename, RenameCandidate, RenameCandidates
from cukereuse_server.server import CukereuseServer
from cukereuse_server.session import Document


def register(server: CukereuseServer) -> None:
    @server.feature("cukereuse/renameCandidates")
    async def candidates(ls: CukereuseServer, params: Any) -> dict[str, Any]:
        document, line = _step(ls, params)
        await settled(ls, document.path)
        wordings: list[RenameCandidate] = await ls.ask(RenameCandidates(path=document.path, line=line)) or []
        rows = [
            {"text": candidate.text, "phrasing": candidate.phrasing, "occurrences": candidate.occurrences}
            for candidate in wordings
        ]
        return {"candidates": rows}

    @server.feature("cukereuse/renamePlan")
    async def rename_plan(ls: CukereuseServer, params: Any) -> dict[str, Any]:
        document, line = _step(ls, params)
        target = getattr(params, "target", None)
        if not isinstance(target, str):
            raise wrong("target must be a string")
        cluster = bool(getattr(params, "cluster", False))
        await settled(ls, document.path)
        move = bool(getattr(params, "move", cluster))
        request = PlanRename(path=document.path, line=line, target=target, cluster=cluster, move=move)
        return _answer(ls, await ls.plan(request), confirmed=bool(getattr(params, "confirmed", False)))


def _step(server: CukereuseServer, params: Any) -> tuple[Document, int]:
    document, position = place_asked_for(server, params)
    if document is None or position is None:
        raise wrong("a position in an open document is required")
    return document, position.line + 1


def _answer(server: CukereuseServer, plan: Plan | None, *, confirmed: bool) -> dict[str, Any]:
    if plan is None or plan.refused:
        return {"refused": plan.refused if plan else "the server is still starting; try again"}
    if not plan.changes:
        return {"refused": plan.left_out[0].reason if plan.left_out else "all steps already have this wording"}
    edit = workspace_edit(server, plan.changes) if confirmed else plan_edit(server, plan)
    if edit is None:
        return {"refused": "a document has changed; try again"}
    return {
        "target": plan.target,
        "steps": plan.steps,
        "files": len(plan.changes),
        "leftOut": [
            {"text": text.text, "occurrences": text.occurrences, "reason": text.reason} for text in plan.left_out
        ],
        "warnings": plan.warnings,
        "edit": edit,
    }
