"""The colours of keywords, tags, comments and the arguments of steps, if the setting `semanticTokens` is on."""

from lsprotocol import types

from cukereuse_server.asking import ask_whole
from cukereuse_server.convert import range_of
from cukereuse_server.protocol.semantic_tokens import ListColours
from cukereuse_server.server import CukereuseServer

_LEGEND = ["keyword", "parameter", "string", "number", "decorator", "comment"]
_NAMES = {"tag": "decorator"}


def register(server: CukereuseServer) -> None:
    legend = types.SemanticTokensLegend(_LEGEND, [])

    @server.feature(types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL, legend)
    async def semantic_tokens(ls: CukereuseServer, params: types.SemanticTokensParams) -> types.SemanticTokens | None:
        if not ls.session.editor.server.semantic_tokens:
            return None
        answer = await ask_whole(ls, params.text_document.uri, lambda path: ListColours(path=path))
        if answer is None:
            return None
        data: list[int] = []
        line = character = 0
        for token in answer[1]:
            span = range_of(token.place, ls.session.encoding)
            start, length = span.start, span.end.character - span.start.character
            column = start.character - (character if start.line == line else 0)
            data += [start.line - line, column, length, _LEGEND.index(_NAMES.get(token.kind, token.kind)), 0]
            line, character = start.line, start.character
        return types.SemanticTokens(data)
