"""Document symbols (features, rules, backgrounds, scenarios, outlines, examples, steps), workspace symbols (scenarios,
wordings, step definitions), folding ranges."""

from collections.abc import Iterator

from lsprotocol import types

from cukereuse_server.convert import location_of, range_of
from cukereuse_server.features.asking import ask_whole, whole_lines
from cukereuse_server.protocol.symbols import FindSymbols, Fold, FoundSymbol, ListFolds, ListSymbols, Symbol
from cukereuse_server.server import CukereuseServer
from cukereuse_server.session import Document

_KINDS = {
    "feature": types.SymbolKind.Module,
    "rule": types.SymbolKind.Namespace,
    "background": types.SymbolKind.Constructor,
    "scenario": types.SymbolKind.Function,
    "outline": types.SymbolKind.Function,
    "examples": types.SymbolKind.Array,
    "step": types.SymbolKind.Field,
    "definition": types.SymbolKind.Method,
}


def register(server: CukereuseServer) -> None:
    @server.feature(types.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
    async def document_symbols(
        ls: CukereuseServer, params: types.DocumentSymbolParams
    ) -> list[types.DocumentSymbol] | list[types.SymbolInformation] | None:
        if not ls.session.editor.server.offers("documentSymbol"):
            return None
        answer = await ask_whole(ls, params.text_document.uri, lambda path: ListSymbols(path=path))
        if answer is None:
            return None
        document, found = answer
        if ls.session.has("text_document.document_symbol.hierarchical_document_symbol_support"):
            return [_nested(ls, document, one) for one in found]
        return list(_flat(ls, document, found, None))

    @server.feature(types.WORKSPACE_SYMBOL)
    async def workspace_symbols(
        ls: CukereuseServer, params: types.WorkspaceSymbolParams
    ) -> list[types.SymbolInformation] | None:
        if not ls.session.editor.server.offers("workspaceSymbol"):
            return None
        found: list[FoundSymbol] = await ls.ask(FindSymbols(query=params.query)) or []
        return [
            types.SymbolInformation(
                location=location_of(one.place, ls.session.encoding, ls.session.uri),
                name=one.name,
                kind=_KINDS[one.kind],
                container_name=one.container or None,
            )
            for one in found
        ]

    @server.feature(types.TEXT_DOCUMENT_FOLDING_RANGE)
    async def folding_ranges(ls: CukereuseServer, params: types.FoldingRangeParams) -> list[types.FoldingRange] | None:
        if not ls.session.editor.server.offers("foldingRange"):
            return None
        answer = await ask_whole(ls, params.text_document.uri, lambda path: ListFolds(path=path))
        found: list[Fold] = answer[1] if answer is not None else []
        comment, region = types.FoldingRangeKind.Comment, types.FoldingRangeKind.Region
        return [
            types.FoldingRange(one.line - 1, one.end_line - 1, kind=comment if one.comment else region) for one in found
        ]


def _nested(server: CukereuseServer, document: Document, one: Symbol) -> types.DocumentSymbol:
    encoding = server.session.encoding
    return types.DocumentSymbol(
        name=one.name,
        kind=_KINDS[one.kind],
        range=whole_lines(document, one.line, one.end_line, encoding),
        selection_range=range_of(one.place, encoding),
        detail=one.detail or None,
        children=[_nested(server, document, child) for child in one.children],
    )


def _flat(
    server: CukereuseServer, document: Document, found: list[Symbol], container: str | None
) -> Iterator[types.SymbolInformation]:
    for one in found:
        lines = whole_lines(document, one.line, one.end_line, server.session.encoding)
        location = types.Location(document.uri, lines)
        yield types.SymbolInformation(location, one.name, _KINDS[one.kind], container_name=container)
        yield from _flat(server, document, one.children, one.name)
