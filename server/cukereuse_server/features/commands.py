"""Commands that any client can execute.

`cukereuse.similar` `[uri, Position]` -> `Location[]`, the wordings most similar to the step there, the best first. If
the client can show a document, the user chooses which of the first five to open.

`cukereuse.tell` `[message]` -> null, shows the user `message` (a string): why the chosen code action did nothing.

`cukereuse.show` `[uri, Position]` -> null: asks the client to show the place, if it can show documents.
"""

from typing import Any

from lsprotocol import types

from cukereuse_server.asking import settled
from cukereuse_server.convert import location_of
from cukereuse_server.features.requests import wrong
from cukereuse_server.protocol.similar import Similar, SimilarStep
from cukereuse_server.server import CukereuseServer

TELL, SHOW = "cukereuse.tell", "cukereuse.show"
_ASKED = 5


def register(server: CukereuseServer) -> None:
    @server.command(TELL)
    def tell(ls: CukereuseServer, message: str = "") -> None:
        ls.window_show_message(types.ShowMessageParams(types.MessageType.Warning, message))

    @server.command(SHOW)
    async def show(ls: CukereuseServer, uri: str = "", position: types.Position | None = None) -> None:
        if position is not None and ls.session.has("window.show_document.support"):
            selection = types.Range(position, position)
            await ls.window_show_document_async(types.ShowDocumentParams(uri, take_focus=True, selection=selection))

    @server.command("cukereuse.similar")
    async def similar(
        ls: CukereuseServer, uri: str = "", position: types.Position | None = None
    ) -> list[types.Location]:
        if position is None:
            raise wrong("a URI and a position are required")
        document = ls.session.document(uri)
        if document is None:
            return []
        await settled(ls, document.path)
        steps: list[SimilarStep] = await ls.ask(Similar(path=document.path, line=position.line + 1)) or []
        shown = [step for step in steps if step.places]
        locations = [location_of(step.places[0], ls.session.encoding, ls.session.uri) for step in shown]
        if locations and ls.session.has("window.show_document.support"):
            ls.run_task(_ask(ls, shown, locations))
        return locations


async def _ask(server: CukereuseServer, steps: list[SimilarStep], locations: list[types.Location]) -> None:
    titles = {f"{step.text} ({step.occurrences}×)": location for step, location in zip(steps, locations, strict=True)}
    actions = [types.MessageActionItem(title) for title in list(titles)[:_ASKED]]
    question = types.ShowMessageRequestParams(types.MessageType.Info, "Similar steps", actions)
    answer: Any = await server.window_show_message_request_async(question)
    location = titles.get(answer.title) if answer is not None else None
    if location is not None:
        show = types.ShowDocumentParams(location.uri, take_focus=True, selection=location.range)
        await server.window_show_document_async(show)
