"""What a file is made of, and what a workspace holds by name."""

from typing import ClassVar

import msgspec

from cukereuse_server.protocol.base import Request
from cukereuse_server.protocol.places import Place


class Symbol(msgspec.Struct, frozen=True, kw_only=True):
    kind: str
    """A title's or "step", as `cukereuse_engine.gherkin.outline.Kind` has them."""
    name: str
    detail: str
    """The keyword, where the name does not hold it."""
    place: Place
    """The name, or the keyword where there is none."""
    line: int
    end_line: int
    """1-based; the whole of it lies in these lines."""
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
    """What can be folded in an open file."""

    answer: ClassVar = list[FoldingRange]
    path: str


class Colour(msgspec.Struct, frozen=True):
    place: Place
    kind: str
    """"keyword", "parameter", "string", "number", "tag" or "comment"."""


class ListColours(Request, frozen=True):
    """What has a meaning of its own in an open file, in order."""

    answer: ClassVar = list[Colour]
    path: str


class FoundSymbol(msgspec.Struct, frozen=True, kw_only=True):
    kind: str
    """"scenario", "step" or "definition"."""
    name: str
    container: str
    place: Place


class FindSymbols(Request, frozen=True):
    """Scenarios, wordings and step definitions that hold every word of a query."""

    answer: ClassVar = list[FoundSymbol]
    query: str
