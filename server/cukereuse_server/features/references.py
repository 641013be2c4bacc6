"""References: from a step all steps of its wording, from a tag all its places, from the expression of a step definition
all that bind to it. Document highlight: the steps of the same wording in this file.
"""

from lsprotocol import types

from cukereuse_server.asking import ask_at
from cukereuse_server.convert import location_of, range_of
from cukereuse_server.protocol.places import Place
from cukereuse_server.protocol.references import FindHere, FindUses
from cukereuse_server.server import CukereuseServer


def register(server: CukereuseServer) -> None:
    @server.feature(types.TEXT_DOCUMENT_REFERENCES)
    @server.can_be_off("references")
    async def references(ls: CukereuseServer, params: types.ReferenceParams) -> list[types.Location] | None:
        declaration = params.context.include_declaration
        places: list[Place] | None = await ask_at(
            ls,
            params,
            lambda path, line, column: FindUses(path=path, line=line, column=column, declaration=declaration),
        )
        return [location_of(place, ls.session.encoding, ls.session.uri) for place in places] if places else None

    @server.feature(types.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT)
    @server.can_be_off("documentHighlight")
    async def highlight(
        ls: CukereuseServer, params: types.DocumentHighlightParams
    ) -> list[types.DocumentHighlight] | None:
        places: list[Place] | None = await ask_at(ls, params, lambda path, line, _: FindHere(path=path, line=line))
        kind = types.DocumentHighlightKind.Text
        return [types.DocumentHighlight(range_of(place, ls.session.encoding), kind) for place in places or ()] or None
