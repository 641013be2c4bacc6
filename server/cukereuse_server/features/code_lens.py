"""Code lens above each step: "used 42× · 3 other wordings". Counted when a lens comes into view.

Its command is `cukereuse.showReferences` `[uri, Position]` for clients that declared it in their initialization
options (`commands`): they ask for `textDocument/references` there. For others the lens is a text.
"""

import asyncio
from typing import Any

from lsprotocol import types

from cukereuse_server.convert import range_of
from cukereuse_server.features.asking import ask_whole
from cukereuse_server.features.hover import counted, other_wordings
from cukereuse_server.protocol.navigation import CountUses, ListSteps, StepCount
from cukereuse_server.protocol.state import Changed
from cukereuse_server.server import CukereuseServer

SHOW_REFERENCES = "cukereuse.showReferences"
_REFRESH_SECONDS = 1.0
"""Changes of the index within this time are one refresh."""


def register(server: CukereuseServer) -> None:
    refreshing: list[asyncio.Task[None]] = []

    def changed(event: Changed) -> None:
        del event
        wanted = server.session.editor.server.code_lens and server.session.has("workspace.code_lens.refresh_support")
        if wanted and (not refreshing or refreshing[0].done()):
            refreshing[:] = [server.run_task(_refresh(server))]

    server.events.listen(Changed, changed)

    @server.feature(types.TEXT_DOCUMENT_CODE_LENS, types.CodeLensOptions(resolve_provider=True))
    async def code_lens(ls: CukereuseServer, params: types.CodeLensParams) -> list[types.CodeLens] | None:
        if not ls.session.editor.server.code_lens:
            return None
        answer = await ask_whole(ls, params.text_document.uri, lambda path: ListSteps(path=path))
        if answer is None:
            return None
        document, found = answer
        data = {"uri": document.uri, "version": document.version}
        return [
            types.CodeLens(range_of(place, ls.session.encoding), data={**data, "line": place.line}) for place in found
        ]

    @server.feature(types.CODE_LENS_RESOLVE)
    async def resolve(ls: CukereuseServer, params: types.CodeLens) -> types.CodeLens:
        data = _data(params)
        document = ls.session.document(data.get("uri", ""))
        params.command = types.Command("", "")
        if document is None or document.version != data.get("version"):
            return params
        found: StepCount | None = await ls.ask(CountUses(path=document.path, line=data["line"]))
        if found is not None:
            params.command = _command(ls, document.uri, params.range.start, found)
        return params


def _data(lens: types.CodeLens) -> dict[str, Any]:
    """A client gives data back as it came, which is an object or a named tuple here."""
    data: Any = lens.data
    if isinstance(data, dict):
        return data
    found: dict[str, Any] = data._asdict() if hasattr(data, "_asdict") else {}
    return found


def _command(server: CukereuseServer, uri: str, start: types.Position, found: StepCount) -> types.Command:
    title = f"used {counted(found.occurrences)}"
    if found.others:
        title += f" · {other_wordings(found.others)}"
    if SHOW_REFERENCES not in server.session.client_commands:
        return types.Command(title, "")
    return types.Command(title, SHOW_REFERENCES, arguments=[uri, start])


async def _refresh(server: CukereuseServer) -> None:
    await asyncio.sleep(_REFRESH_SECONDS)
    await server.workspace_code_lens_refresh_async(None)
