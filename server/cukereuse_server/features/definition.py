"""Go to definition: from a step, or from a row of its Examples, to its step definitions."""

from lsprotocol import types

from cukereuse_server.asking import ask_at
from cukereuse_server.convert import location_of, range_of
from cukereuse_server.protocol.definition import DefinitionTargets, FindDefinitions
from cukereuse_server.server import CukereuseServer


def register(server: CukereuseServer) -> None:
    @server.feature(types.TEXT_DOCUMENT_DEFINITION)
    @server.can_be_off("definition")
    async def definition(
        ls: CukereuseServer, params: types.DefinitionParams
    ) -> list[types.Location] | list[types.LocationLink] | None:
        targets: DefinitionTargets | None = await ask_at(
            ls, params, lambda path, line, column: FindDefinitions(path=path, line=line, column=column)
        )
        if targets is None:
            return None
        locations = [location_of(place, ls.session.encoding, ls.session.uri) for place in targets.places]
        if not ls.session.has("text_document.definition.link_support"):
            return locations
        origin = range_of(targets.origin, ls.session.encoding)
        return [types.LocationLink(location.uri, location.range, location.range, origin) for location in locations]
