"""The suggestions at a place."""

from typing import Any

from cukereuse_server.protocol.base import Request
from cukereuse_server.protocol.completion import Complete, Suggestions
from cukereuse_server.worker.handlers.places import PlaceMaker
from cukereuse_server.worker.handlers.tags import suggest_tags
from cukereuse_server.workspace.completion import suggest
from cukereuse_server.workspace.view import View


def complete(workspace: View, request: Complete) -> Suggestions | None:
    tags = suggest_tags(workspace, request.path, request.line, request.column)
    if tags is not None:
        return tags
    suggested = suggest(workspace, request.path, request.line, request.column)
    if suggested is None:
        return None
    place, items = suggested
    shown = PlaceMaker(workspace).at(request.path, request.line, place.start + 1, place.end + 1)
    rest = place.whole[len(place.typed) :]
    return Suggestions(place=shown, typed=place.typed, rest=rest, items=items, indentation=place.indentation)


HANDLERS: dict[type[Request], Any] = {Complete: complete}
