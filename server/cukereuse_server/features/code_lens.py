"""A code lens "used 42×" is shown above each step that occurs elsewhere too, and a separate one for "3 other wordings";
above each step definition, "used 12×, called 2× in code".

Counts are computed when a lens comes into view. While the
user types, the lenses do not change, so that nothing jumps.

Clients that declare the command in their initialization options (`commands`) get `cukereuse.showReferences` `[uri,
Position]` and request `textDocument/references` there. The lens of the other wordings has the command
`cukereuse.showWordings` `[uri, Position]`; the client sends the request below. For other clients, a lens is only text.

`cukereuse/wordings`: `{textDocument: {uri}, position}` -> `{locations: Location[]}`: steps of the other wordings of the
step's intent, the most used wording first.
"""

import asyncio
from typing import Any

from lsprotocol import types

from cukereuse_server.asking import ask_whole
from cukereuse_server.convert import location_of, range_of
from cukereuse_server.features import running
from cukereuse_server.features.hover import other_wordings, times
from cukereuse_server.features.requests import place_asked_for, wrong
from cukereuse_server.protocol.code_lens import CountUses, FindWordings, ListCounted, StepCount
from cukereuse_server.protocol.places import Place
from cukereuse_server.protocol.state import Changed
from cukereuse_server.server import CukereuseServer

SHOW_REFERENCES, SHOW_WORDINGS = "cukereuse.showReferences", "cukereuse.showWordings"
_STILL_SECONDS = 0.8
"""Seconds without a keystroke before lenses are counted again."""
_REFRESH_SECONDS = 1.0
"""Changes of the index within this time cause one refresh."""


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
        await _still(ls, params.text_document.uri)
        answer = await ask_whole(ls, params.text_document.uri, lambda path: ListCounted(path=path))
        if answer is None:
            return None
        document, counted = answer
        data = {"uri": document.uri, "version": document.version}
        shown = await running.lenses(ls, document.uri, document.path)
        for item in counted:
            whats = (
                ["uses", "wordings"] if item.has_others and SHOW_WORDINGS in ls.session.client_commands else ["uses"]
            )
            at = range_of(item.place, ls.session.encoding)
            shown += [types.CodeLens(at, data={**data, "line": item.place.line, "what": what}) for what in whats]
        return shown

    @server.feature("cukereuse/wordings")
    async def wordings(ls: CukereuseServer, params: Any) -> dict[str, Any]:
        document, position = place_asked_for(ls, params)
        if document is None or position is None:
            raise wrong("a position in an open document is required")
        places: list[Place] = await ls.ask(FindWordings(path=document.path, line=position.line + 1)) or []
        return {"locations": [location_of(place, ls.session.encoding, ls.session.uri) for place in places]}

    @server.feature(types.CODE_LENS_RESOLVE)
    async def resolve(ls: CukereuseServer, params: types.CodeLens) -> types.CodeLens:
        data = _data(params)
        document = ls.session.document(data.get("uri", ""))
        params.command = types.Command("", "")
        if document is None or document.version != data.get("version"):
            return params
        count: StepCount | None = await ls.ask(CountUses(path=document.path, line=data["line"]))
        if count is not None:
            params.command = _command(ls, document.uri, params.range.start, count, data.get("what", "uses"))
        return params


def _data(lens: types.CodeLens) -> dict[str, Any]:
    """The data of a lens. A client returns it as an object or a named tuple."""
    data: Any = lens.data
    if isinstance(data, dict):
        return data
    fields: dict[str, Any] = data._asdict() if hasattr(data, "_asdict") else {}
    return fields


def _command(server: CukereuseServer, uri: str, start: types.Position, count: StepCount, what: str) -> types.Command:
    commands = server.session.client_commands
    others = other_wordings(count.others) if count.others else ""
    if what == "wordings":
        return types.Command(others, SHOW_WORDINGS, arguments=[uri, start]) if others else types.Command("", "")
    title = f"used {times(count.occurrences)}" if count.occurrences or not count.called else ""
    if count.called:
        title = ", ".join(filter(None, (title, f"called {times(count.called)} in code")))
    if others and SHOW_WORDINGS not in commands:
        title += f" · {others}"
    if SHOW_REFERENCES not in commands:
        return types.Command(title, "")
    return types.Command(title, SHOW_REFERENCES, arguments=[uri, start])


async def _still(server: CukereuseServer, uri: str) -> None:
    """Wait until the document stops changing; meanwhile an editor moves its lenses along."""
    first = server.session.document(uri)
    before = None
    while first is not None and first.version > 1 and before is not server.session.document(uri):
        before = server.session.document(uri)
        await asyncio.sleep(_STILL_SECONDS)


async def _refresh(server: CukereuseServer) -> None:
    await asyncio.sleep(_REFRESH_SECONDS)
    await server.workspace_code_lens_refresh_async(None)
