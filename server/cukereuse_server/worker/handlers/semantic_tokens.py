"""The tokens of a file that are coloured by meaning."""

import re
from collections.abc import Iterator
from typing import Any

from cukereuse_engine.gherkin.outline import TITLES, Mark, MarkKind
from cukereuse_engine.text import template
from cukereuse_engine.text.template import SlotType
from cukereuse_server.protocol.base import Request
from cukereuse_server.protocol.semantic_tokens import Colour, ListColours
from cukereuse_server.worker.handlers.places import PlaceMaker
from cukereuse_server.worker.handlers.symbols import outline_of
from cukereuse_server.workspace.view import View

_TAG = re.compile(r"@[^\s@]+")
_COLOURS = {SlotType.NUMBER: "number", SlotType.PLACEHOLDER: "parameter"}


def colours(workspace: View, request: ListColours) -> list[Colour]:
    plan = outline_of(workspace, request.path)
    if plan is None:
        return []
    places = PlaceMaker(workspace)
    return [
        Colour(places.at(request.path, mark.line, start + 1, end + 1), kind)
        for mark in plan.marks
        for start, end, kind in _spans(mark, plan.lines[mark.line - 1])
        if start < end
    ]


def _spans(mark: Mark, line: str) -> Iterator[tuple[int, int, str]]:
    """The 0-based columns and the kinds of the tokens on a line."""
    if mark.kind in (MarkKind.COMMENT, MarkKind.LANGUAGE):
        yield mark.column - 1, len(line.rstrip()), "comment"
    elif mark.kind is MarkKind.TAGS:
        yield from ((*match.span(), "tag") for match in _TAG.finditer(line.split(" #")[0]))
    elif mark.kind in TITLES:
        yield mark.column - 1, mark.column - 1 + len(mark.keyword), "keyword"
    elif mark.kind is MarkKind.STEP:
        yield mark.column - 1, mark.column - 1 + len(mark.keyword.rstrip()), "keyword"
        start = len(line.rstrip()) - len(mark.text)
        for argument in template.arguments(mark.text):
            yield start + argument.start, start + argument.end, _COLOURS.get(argument.type, "string")


HANDLERS: dict[type[Request], Any] = {ListColours: colours}
