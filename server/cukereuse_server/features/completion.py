"""Completion offers keywords of the file's language, tags in use, and steps by their beginning or their meaning.

A step replaces the whole text that is being typed. If the client supports snippets, its arguments become placeholders.
In that case every item is a snippet, even without arguments, because Neovim inserts only the first word of other edits.
A label shows the arguments that were typed and a slot for each other argument; the values in other steps would be
misleading. Labels that would be equal show the words in which the steps differ.

The rest of a known block of steps is one item of several lines. Its lines have the indentation of the line that it is
accepted in: a client adds that to the lines of a snippet.

A step that only runs others is offered where the first of these are above, and takes their place: a second edit
removes them.

The list changes with each character, so it is always marked as incomplete. Until the next list arrives, a client
filters the current one by `filterText`. That is the typed text, so that no paraphrase is dropped, followed by the
item's own text, so that the list stays while the user continues to type it. `sortText` contains the rank; the first
step is preselected.

Neovim replaces only the text up to the cursor. A client that declares the command `cukereuse.dropRest` `[string]` runs
it after an item was accepted in the middle of a line: if the line still ends with that text, the client removes it.
"""

import os

from lsprotocol import types

from cukereuse_server.asking import ask_at
from cukereuse_server.convert import range_of
from cukereuse_server.protocol.completion import Above, Complete, Suggestion, Suggestions
from cukereuse_server.server import CukereuseServer

DROP_REST = "cukereuse.dropRest"
_UNNAMED = "…"
"""The label of a parameter whose step definition gives it no name."""
_KINDS = {
    "keyword": types.CompletionItemKind.Keyword,
    "step": types.CompletionItemKind.Function,
    "definition": types.CompletionItemKind.Method,
    "catalogue": types.CompletionItemKind.Reference,
    "tag": types.CompletionItemKind.Constant,
    "block": types.CompletionItemKind.Snippet,
    "short": types.CompletionItemKind.Snippet,
}


def register(server: CukereuseServer) -> None:
    options = types.CompletionOptions(trigger_characters=[" ", "@"])

    @server.feature(types.TEXT_DOCUMENT_COMPLETION, options)
    @server.can_be_off("completion")
    async def completion(ls: CukereuseServer, params: types.CompletionParams) -> types.CompletionList | None:
        suggestions: Suggestions | None = await ask_at(
            ls, params, lambda path, line, column: Complete(path=path, line=line, column=column), while_typing=True
        )
        if suggestions is None:
            return None
        items = [_item(ls, suggestions, suggestion, rank) for rank, suggestion in enumerate(suggestions.items)]
        return types.CompletionList(is_incomplete=True, items=items)


def _documentation(server: CukereuseServer, suggestion: Suggestion, text: str) -> str | None:
    return text if suggestion.kind == "block" else _shown(server, suggestion.definition) or None


def _item(server: CukereuseServer, suggestions: Suggestions, suggestion: Suggestion, rank: int) -> types.CompletionItem:
    session = server.session
    text = "".join(piece if isinstance(piece, str) else piece.value for piece in suggestion.pieces)
    first_line, *more_lines = text.split("\n")
    snippets = session.has("text_document.completion.completion_item.snippet_support")
    adjusts = snippets and session.has("text_document.completion.completion_item.insert_text_mode_support")
    new_text = _snippet(suggestion) if snippets else text.replace("\n", f"\n{suggestions.indentation}")
    item = types.CompletionItem(
        label=_label(suggestion, len(more_lines)),
        kind=_KINDS[suggestion.kind],
        detail=_detail(suggestion),
        documentation=_documentation(server, suggestion, text),
        sort_text=f"{rank:04}",
        filter_text=text if suggestion.kind in ("keyword", "tag") else _filter(suggestions.typed, first_line),
        insert_text_format=types.InsertTextFormat.Snippet if snippets else types.InsertTextFormat.PlainText,
        text_edit=types.TextEdit(range_of(suggestions.place, session.encoding), new_text),
    )
    if rank == 0 and suggestion.kind == "step":
        item.preselect = True
    if suggestion.above is not None:
        item.additional_text_edits = _removal(suggestions, suggestion.above, session.encoding)
    if more_lines and adjusts:
        item.insert_text_mode = types.InsertTextMode.AdjustIndentation
    if suggestions.rest and DROP_REST in session.client_commands:
        item.command = types.Command("", DROP_REST, arguments=[suggestions.rest])
    return item


def _removal(suggestions: Suggestions, above: Above, encoding: str) -> list[types.TextEdit]:
    """The edit that replaces all from the start of the first step to the cursor by the first step's keyword."""
    end = range_of(suggestions.place, encoding).start
    begin = types.Position(above.line - 1, above.column - 1)
    return [types.TextEdit(types.Range(begin, end), above.keyword)]


def _label(suggestion: Suggestion, follow: int) -> str:
    """The label of a suggestion. `follow`: the number of lines after the first."""
    text = "".join(
        piece if isinstance(piece, str) else piece.value if piece.shown else f"{{{piece.name or _UNNAMED}}}"
        for piece in suggestion.pieces
    )
    first = text.partition("\n")[0].strip()
    if suggestion.above is not None:
        steps = "the step" if suggestion.above.steps == 1 else f"the {suggestion.above.steps} steps"
        more = f" and {suggestion.above.left} more" if suggestion.above.left else ""
        return f"{first} … short for {steps} above{more}"
    if not follow:
        return first
    steps = "the step that usually follows" if follow == 1 else f"the {follow} steps that usually follow"
    return f"{first} … and {steps}"


def _filter(typed: str, text: str) -> str:
    if text[: len(typed)].casefold() == typed.casefold():
        return typed + text[len(typed) :]
    return f"{typed} {text}"


def _detail(suggestion: Suggestion) -> str | None:
    match suggestion.kind:
        case "keyword":
            return None
        case "definition":
            return "not used yet"
        case "short":
            return "replaces them"
        case "block":
            return f"in {suggestion.occurrences} places"
        case "catalogue":
            return suggestion.known_to
        case "tag":
            return "1 scenario" if suggestion.occurrences == 1 else f"{suggestion.occurrences} scenarios"
        case _:
            return f"used {suggestion.occurrences}×"


def _snippet(suggestion: Suggestion) -> str:
    """The suggestion as a snippet: its blanks are tab stops with their values."""
    parts = []
    stops: dict[object, int] = {}
    for place, piece in enumerate(suggestion.pieces):
        if isinstance(piece, str):
            parts.append(_escaped(piece))
            continue
        which = piece.together or (place,)
        parts.append(f"${stops[which]}" if which in stops else f"${{{len(stops) + 1}:{_escaped(piece.value)}}}")
        stops.setdefault(which, len(stops) + 1)
    return "".join(parts)


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace("$", "\\$").replace("}", "\\}")


def _shown(server: CukereuseServer, definition: str) -> str:
    """The place of a definition, relative to its workspace folder."""
    for folder in server.session.folders:
        definition = definition.removeprefix(folder.rstrip(os.sep) + os.sep)
    return definition
