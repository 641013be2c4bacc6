"""Asks the worker about a document as it is now: an answer about an older text is dropped, never shown.

An answer about what is before the cursor stays valid while the user types after it: a fast typist would get no other.
"""

import asyncio
from collections.abc import Callable
from time import monotonic
from typing import Any, Protocol

from lsprotocol import types

from cukereuse_server.convert import units
from cukereuse_server.protocol.base import Request
from cukereuse_server.protocol.status import IsSettled
from cukereuse_server.server import CukereuseServer
from cukereuse_server.session import Document

_LOOK_AGAIN, _PATIENCE = 0.05, 5.0
"""Seconds between two checks of an index that is not ready, and seconds until the wait ends."""
_TRIES = 3
"""Maximum number of outdated answers, after which there is none."""


async def settled(server: CukereuseServer, path: str) -> None:
    """Wait until the file has more than the remembered results of the last run, but some seconds at most."""
    give_up = monotonic() + _PATIENCE
    while await server.ask(IsSettled(path=path)) is False and monotonic() < give_up:
        await asyncio.sleep(_LOOK_AGAIN)


class AtPosition(Protocol):
    """The parameters of every request about a position."""

    @property
    def text_document(self) -> types.TextDocumentIdentifier: ...

    @property
    def position(self) -> types.Position: ...


async def ask_at(
    server: CukereuseServer,
    params: AtPosition,
    request: Callable[[str, int, int], Request],
    *,
    while_typing: bool = False,
) -> Any:
    """The answer about a position. `request` gets path, 1-based line, and column in code points. None if the document
    is not open or has changed since, or if nothing is known. With `while_typing`, the answer is valid as long as the
    text before the position stays the same."""
    document = server.session.document(params.text_document.uri)
    if document is None:
        return None
    line, column = document.position(params.position, server.session.encoding)
    answer = await server.ask(request(document.path, line, column))
    now = server.session.document(document.uri)
    if now is document or (while_typing and now is not None and _is_typed_on(document, now, line, column)):
        return answer
    return None


def _is_typed_on(before: Document, now: Document, line: int, column: int) -> bool:
    above, at = slice(line - 1), slice(line - 1, line)
    if len(before.lines) != len(now.lines) or before.lines[above] != now.lines[above]:
        return False
    return [text[: column - 1] for text in before.lines[at]] == [text[: column - 1] for text in now.lines[at]]


async def ask_whole(
    server: CukereuseServer, uri: str, request: Callable[[str], Request]
) -> tuple[Document, Any] | None:
    """The answer about a whole document, with the document; asked again if the document has changed."""
    for _ in range(_TRIES):
        document = server.session.document(uri)
        if document is None:
            break
        answer = await server.ask(request(document.path))
        if answer is None:
            break
        if server.session.document(uri) is document:
            return document, answer
    return None


def whole_lines(document: Document, line: int, end_line: int, encoding: str) -> types.Range:
    """The range from the beginning of a 1-based line to the end of another."""
    last = document.lines[end_line - 1] if end_line <= len(document.lines) else ""
    end = types.Position(max(end_line - 1, 0), units(last, encoding))
    return types.Range(types.Position(max(line - 1, 0), 0), end)
