"""What may be written at a place."""

from typing import ClassVar

import msgspec

from cukereuse_server.protocol.base import Request
from cukereuse_server.protocol.places import Place


class Blank(msgspec.Struct, frozen=True):
    """An argument, to be kept or typed over."""

    value: str
    name: str = ""
    """The parameter's, where its step definition gives one."""
    shown: bool = False
    """The value is what stands there already, or tells this step from others; else it is any other step's."""
    together: int = 0
    """Blanks with one number above 0 have one value."""


class Above(msgspec.Struct, frozen=True):
    """Steps above the line that a suggestion stands for, and takes the place of."""

    line: int
    """Of the first one, 1-based."""
    column: int
    """At which it begins, 1-based."""
    keyword: str
    """Of the first one, with what follows it."""
    steps: int
    left: int
    """Steps that it stands for besides."""


class Suggestion(msgspec.Struct, frozen=True, kw_only=True):
    kind: str
    """"step", "definition" (no step says it yet), "catalogue" (another repository's), "block" (the rest of steps that
    recur, one a line), "short" (the short form of steps that stand above), "keyword" or "tag"."""
    pieces: list[str | Blank]
    """The text, its arguments apart."""
    occurrences: int = 0
    """Steps that say it so; places of a block."""
    definition: str = ""
    """Where its step definition is, for reading."""
    known_to: str = ""
    """Who has it, for reading, where the suite has not."""
    above: Above | None = None


class Suggestions(msgspec.Struct, frozen=True, kw_only=True):
    place: Place
    """What a suggestion replaces."""
    typed: str
    """What stands there before the cursor."""
    rest: str
    """What stands there behind it."""
    items: list[Suggestion]
    """The likeliest first."""
    indentation: str = ""
    """Of the line; further lines of a suggestion have none yet."""


class Complete(Request, frozen=True):
    """What may be written at a place of an open file; None where nothing is known."""

    answer: ClassVar = Suggestions | None
    path: str
    line: int
    column: int
