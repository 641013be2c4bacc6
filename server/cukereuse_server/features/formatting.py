"""Formatting of a feature file, of a selection, and of a table as its bars are typed. Indentation follows the editor,
tables are aligned, and the content stays the same."""

from lsprotocol import types

from cukereuse_server.convert import range_of
from cukereuse_server.protocol.formatting import LayOut, Layout
from cukereuse_server.server import CukereuseServer

_BAR = "|"


def register(server: CukereuseServer) -> None:
    @server.feature(types.TEXT_DOCUMENT_FORMATTING)
    @server.can_be_off("formatting")
    async def whole(ls: CukereuseServer, params: types.DocumentFormattingParams) -> list[types.TextEdit] | None:
        return await _edits(ls, params.text_document.uri, params.options)

    @server.feature(types.TEXT_DOCUMENT_RANGE_FORMATTING)
    @server.can_be_off("formatting")
    async def part(ls: CukereuseServer, params: types.DocumentRangeFormattingParams) -> list[types.TextEdit] | None:
        start, end = params.range.start, params.range.end
        is_before = end.character == 0 and end.line > start.line  # nothing of the last line is selected
        last = end.line if is_before else end.line + 1
        return await _edits(ls, params.text_document.uri, params.options, start.line + 1, last)

    @server.feature(
        types.TEXT_DOCUMENT_ON_TYPE_FORMATTING, types.DocumentOnTypeFormattingOptions(first_trigger_character=_BAR)
    )
    @server.can_be_off("formatting")
    async def typed(ls: CukereuseServer, params: types.DocumentOnTypeFormattingParams) -> list[types.TextEdit] | None:
        line = params.position.line + 1
        return await _edits(ls, params.text_document.uri, params.options, line, line, table_only=True)


async def _edits(
    server: CukereuseServer,
    uri: str,
    options: types.FormattingOptions,
    line: int = 1,
    end_line: int = 0,
    *,
    table_only: bool = False,
) -> list[types.TextEdit] | None:
    document, settings = server.session.document(uri), server.session.editor.server
    if document is None:
        return None
    request = LayOut(
        path=document.path,
        unit=" " * options.tab_size if options.insert_spaces else "\t",
        line=line,
        end_line=end_line,
        table_only=table_only,
        numbers_right=settings.format_numbers == "right",
        flat_scenarios=settings.format_scenarios == "level",
        flat_arguments=settings.format_arguments == "level",
    )
    answer: Layout | None = await server.ask(request)
    if answer is None or server.session.document(uri) is not document or answer.version != document.version:
        return None
    return [types.TextEdit(range_of(edit.place, server.session.encoding), edit.new_text) for edit in answer.edits]
