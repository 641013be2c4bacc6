"""The layout of a feature file, as edits of the lines that change."""

from typing import Any

from cukereuse_engine.gherkin.discovery import FEATURE_SUFFIXES
from cukereuse_engine.gherkin.layout import Style, laid_out, tables
from cukereuse_engine.gherkin.lines import split_lines
from cukereuse_server.protocol.base import Request
from cukereuse_server.protocol.formatting import LayOut, Layout
from cukereuse_server.protocol.plans import Edit
from cukereuse_server.worker.handlers.places import PlaceMaker
from cukereuse_server.workspace.view import View


def lay_out(workspace: View, request: LayOut) -> Layout | None:
    buffer = workspace.buffers.get(request.path)
    if buffer is None or not request.path.lower().endswith(FEATURE_SUFFIXES):
        return None
    style = Style(request.unit, request.numbers_right, request.flat_scenarios, request.flat_arguments)
    text = buffer.text.removeprefix("\ufeff")
    lines, new = split_lines(text)[0], laid_out(request.path, text, style)
    chosen = _asked(request, text, len(lines))
    places = PlaceMaker(workspace)
    edits = []
    for number, (before, after) in enumerate(zip(lines, new, strict=True), 1):
        if number not in chosen or before == after:
            continue
        at, end = 1, len(before) + 1
        if number == 1 and text is not buffer.text:
            continue  # the client counts the byte order mark
        edits.append(Edit(places.at(request.path, number, at, end), after))
    return Layout(version=buffer.version, edits=edits)


def _asked(request: LayOut, text: str, count: int) -> set[int]:
    chosen = set(range(request.line, (request.end_line or count) + 1))
    touched = [table for table in tables(request.path, text) if not chosen.isdisjoint(table)]
    if request.table_only:
        chosen = set()
    return chosen.union(*touched)


HANDLERS: dict[type[Request], Any] = {LayOut: lay_out}
