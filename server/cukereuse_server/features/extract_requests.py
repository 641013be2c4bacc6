"""The request that replaces a recurring block of steps by one step, for editors that ask the user for its text.

`cukereuse/extractPlan`: `{textDocument: {uri}, position, block?: string, wording?: string}` -> `{wording, places,
files, warnings: string[], edit: WorkspaceEdit}`, or `{refused: string}` with the reason. Nothing is written. It applies
to the block around the position with the id `block`, or else to the most worthwhile one. `wording` has a slot `{name}`
for each parameter; without it, one is proposed and returned. `wording`: string; `places`, `files`: integers. The edit
replaces each occurrence by the new step and writes its definition into the suite's glue code. Every scenario runs the
same code as before.
"""

from typing import Any

from cukereuse_server.asking import settled
from cukereuse_server.edits import workspace_edit
from cukereuse_server.features.requests import place_asked_for, wrong
from cukereuse_server.protocol.extraction import PlanExtraction
from cukereuse_server.protocol.plans import Plan
from cukereuse_server.server import CukereuseServer


def register(server: CukereuseServer) -> None:
    @server.feature("cukereuse/extractPlan")
    async def extract_plan(ls: CukereuseServer, params: Any) -> dict[str, Any]:
        document, position = place_asked_for(ls, params)
        if document is None or position is None:
            raise wrong("a position in an open document is required")
        wording, block = getattr(params, "wording", None) or "", getattr(params, "block", None) or ""
        if not isinstance(wording, str) or not isinstance(block, str):
            raise wrong("wording and block must be strings")
        await settled(ls, document.path)
        request = PlanExtraction(path=document.path, line=position.line + 1, block=block, wording=wording)
        return _answer(ls, await ls.plan(request))


def _answer(server: CukereuseServer, plan: Plan | None) -> dict[str, Any]:
    if plan is None or plan.refused:
        return {"refused": plan.refused if plan else "the server is still starting; try again"}
    edit = workspace_edit(server, plan.changes)
    if edit is None:
        return {"refused": "a document has changed; try again"}
    return {
        "wording": plan.target,
        "places": plan.steps,
        "files": len(plan.changes),
        "warnings": plan.warnings,
        "edit": edit,
    }
