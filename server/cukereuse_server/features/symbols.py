"""Document symbols (features, rules, backgrounds, scenarios, outlines, examples, steps), workspace symbols (scenarios,
wordings, step definitions), folding ranges."""

from collections.abc import Iterator

from lsprotocol import types

from cukereuse_server.asking import ask_whole, whole_lines
from cukereuse_server.convert import location_of, range_of
from cukereuse_server.protocol.symbols import FindSymbols, FoldingRange, FoundSymbol, ListFolds, ListSymbols, Symbol
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
    @server.can_be_off("documentSymbol")
    async def document_symbols(
        ls: CukereuseServer, params: types.DocumentSymbolParams
    ) -> list[types.DocumentSymbol] | list[types.SymbolInformation] | None:
        answer = await ask_whole(ls, params.text_document.uri, lambda path: ListSymbols(path=path))
        if answer is None:
            return None
        document, symbols = answer
        if ls.session.has("text_document.document_symbol.hierarchical_document_symbol_support"):
            return [_nested(ls, document, symbol) for symbol in symbols]
        return list(_flat(ls, document, symbols, None))

    @server.feature(types.WORKSPACE_SYMBOL)
    @server.can_be_off("workspaceSymbol")
    async def workspace_symbols(
        ls: CukereuseServer, params: types.WorkspaceSymbolParams
    ) -> list[types.SymbolInformation] | None:
        symbols: list[FoundSymbol] = await ls.ask(FindSymbols(query=params.query)) or []
        return [
            types.SymbolInformation(
                location=location_of(symbol.place, ls.session.encoding, ls.session.uri),
                name=symbol.name,
                kind=_KINDS[symbol.kind],
                container_name=symbol.container or None,
            )
            for symbol in symbols
        ]

    @server.feature(types.TEXT_DOCUMENT_FOLDING_RANGE)
    @server.can_be_off("foldingRange")
    async def folding_ranges(ls: CukereuseServer, params: types.FoldingRangeParams) -> list[types.FoldingRange] | None:
        answer = await ask_whole(ls, params.text_document.uri, lambda path: ListFolds(path=path))
        folds: list[FoldingRange] = answer[1] if answer is not None else []
        comment, region = types.FoldingRangeKind.Comment, types.FoldingRangeKind.Region
        return [
            types.FoldingRange(fold.line - 1, fold.end_line - 1, kind=comment if fold.comment else region)
            for fold in folds
        ]


def _nested(server: CukereuseServer, document: Document, symbol: Symbol) -> types.DocumentSymbol:
    encoding = server.session.encoding
    return types.DocumentSymbol(
        name=symbol.name,
        kind=_KINDS[symbol.kind],
        range=whole_lines(document, symbol.line, symbol.end_line, encoding),
        selection_range=range_of(symbol.place, encoding),
        detail=symbol.detail or None,
        children=[_nested(server, document, child) for child in symbol.children],
    )


def _flat(
    server: CukereuseServer, document: Document, symbols: list[Symbol], container: str | None
) -> Iterator[types.SymbolInformation]:
    for symbol in symbols:
        lines = whole_lines(document, symbol.line, symbol.end_line, server.session.encoding)
        location = types.Location(document.uri, lines)
        yield types.SymbolInformation(location, symbol.name, _KINDS[symbol.kind], container_name=container)
        yield from _flat(server, document, symbol.children, symbol.name)
