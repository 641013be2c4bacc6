"""An answer for an older text is dropped; questions about a whole document are repeated."""

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest
from cukereuse_server.asking import ask_at, ask_whole
from cukereuse_server.protocol.code_lens import ListCounted
from cukereuse_server.protocol.hover import Describe
from cukereuse_server.session import Document, Session
from lsprotocol import types

URI = "file:///x.feature"
PARAMS = types.HoverParams(types.TextDocumentIdentifier(URI), types.Position(0, 3))


class Server:
    """Answers with the text at the time of the question; the document changes a given number of times meanwhile."""

    def __init__(self, changes: int, new: str = "v{}") -> None:
        self.new = new
        self.session = Session(encoding="utf-16")
        self.session.documents[URI] = Document(URI, "/x.feature", 1, "😀ab")
        self.changes = changes
        self.asked: list[Any] = []

    async def ask(self, request: Any) -> str:
        self.asked.append(request)
        text = self.session.documents[URI].text
        if self.changes:
            self.changes -= 1
            version = self.session.documents[URI].version + 1
            self.session.documents[URI] = Document(URI, "/x.feature", version, self.new.format(version))
        return text


@pytest.mark.parametrize(("changes", "expected"), [(0, "😀ab"), (1, None)])
def test_at_a_position(changes: int, expected: str | None) -> None:
    server: Any = Server(changes)
    answer = asyncio.run(ask_at(server, PARAMS, lambda path, line, column: SimpleNamespace(at=(path, line, column))))
    assert answer == expected
    assert [request.at for request in server.asked] == [("/x.feature", 1, 3)]


@pytest.mark.parametrize(
    ("new", "holds"),
    [
        ("😀abc", True),  # typed on
        ("😀b", True),  # behind the cursor
        ("😀", True),
        ("a😀", False),
        ("", False),
        ("\n😀ab", False),
    ],
)
def test_what_stands_before_the_cursor_is_answered_while_somebody_types_on(new: str, holds: bool) -> None:
    server: Any = Server(1, new)
    place = types.HoverParams(types.TextDocumentIdentifier(URI), types.Position(0, 2))
    asked = ask_at(server, place, lambda path, line, _: Describe(path=path, line=line), while_typing=True)
    assert asyncio.run(asked) == ("😀ab" if holds else None)


@pytest.mark.parametrize(("new", "holds"), [("Given a\nAnd bc", True), ("When a\nAnd b", False)])
def test_what_stands_above_is_before_the_cursor_too(new: str, holds: bool) -> None:
    """An item that is short for the steps above replaces them."""
    server: Any = Server(1, new)
    server.session.documents[URI] = Document(URI, "/x.feature", 1, "Given a\nAnd b")
    place = types.HoverParams(types.TextDocumentIdentifier(URI), types.Position(1, 5))
    asked = ask_at(server, place, lambda path, line, _: Describe(path=path, line=line), while_typing=True)
    assert asyncio.run(asked) == ("Given a\nAnd b" if holds else None)


@pytest.mark.parametrize(("changes", "version", "text"), [(0, 1, "😀ab"), (2, 3, "v3")])
def test_about_a_whole_document(changes: int, version: int, text: str) -> None:
    server: Any = Server(changes)
    answer = asyncio.run(ask_whole(server, URI, lambda path: ListCounted(path=path)))
    assert answer is not None
    assert (answer[0].version, answer[1]) == (version, text)
    assert len(server.asked) == changes + 1


def test_a_document_that_keeps_changing_has_no_answer() -> None:
    assert asyncio.run(ask_whole(Server(99), URI, lambda path: ListCounted(path=path))) is None  # type: ignore[arg-type]


def test_a_document_that_is_not_open_is_not_asked_about() -> None:
    server: Any = Server(0)
    server.session.documents.clear()
    asked = ask_at(server, PARAMS, lambda path, line, _: Describe(path=path, line=line))
    assert asyncio.run(asked) is None
    assert server.asked == []
