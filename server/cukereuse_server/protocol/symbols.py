"""The symbols of a file and of a workspace."""

from typing import ClassVar

import msgspec

from cukereuse_server.protocol.base import Request
from cukereuse_server.protocol.places import Place


class Symbol(msgspec.Struct, frozen=True, kw_only=True):
    kind: str
    """The kind of a title, or "step", as in `cukereuse_engine.gherkin.outline.MarkKind`."""
    name: str
    detail: str
    """The keyword, if the name does not contain it."""
    place: Place
    """The name, or the keyword if there is none."""
    line: int
    end_line: int
    """1-based first and last line."""
    children: list["Symbol"]


class ListSymbols(Request, frozen=True):
    """The outline of an open file."""

    answer: ClassVar = list[Symbol]
    path: str


class FoldingRange(msgspec.Struct, frozen=True):
    line: int
    end_line: int
    comment: bool


class ListFolds(Request, frozen=True):
    """The ranges that can be folded in an open file."""

    answer: ClassVar = list[FoldingRange]
    path: str


class FoundSymbol(msgspec.Struct, frozen=True, kw_only=True):
    kind: str
    """"scenario", "step" or "definition"."""
    name: str
    container: str
    place: Place


class FindSymbols(Request, frozen=True):
    """Scenarios, wordings and step definitions that contain every word of a query."""

    answer: ClassVar = list[FoundSymbol]
    query: str
