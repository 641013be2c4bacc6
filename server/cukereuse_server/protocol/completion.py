"""The suggestions at a place."""

from typing import ClassVar

import msgspec

from cukereuse_server.protocol.base import Request
from cukereuse_server.protocol.places import Place


class Blank(msgspec.Struct, frozen=True):
    """An argument that the user keeps or overwrites."""

    value: str
    name: str = ""
    """The parameter's, where its step definition gives one."""
    shown: bool = False
    """True if the value is already there, or distinguishes this step from others; otherwise it is an example from
    another step."""
    together: int = 0
    """Blanks with one number above 0 have one value."""


class Above(msgspec.Struct, frozen=True):
    """The steps above the line that a suggestion replaces."""

    line: int
    """Of the first one, 1-based."""
    column: int
    """At which it begins, 1-based."""
    keyword: str
    """Of the first one, with what follows it."""
    steps: int
    left: int
    """Further steps that it replaces."""


class Suggestion(msgspec.Struct, frozen=True, kw_only=True):
    kind: str
    """"step", "definition" (no step says it yet), "catalogue" (another repository's), "block" (the rest of steps that
    recur, one a line), "short" (the short form of steps that are above), "keyword" or "tag"."""
    pieces: list[str | Blank]
    """The text, with its arguments separate."""
    occurrences: int = 0
    """How many steps have it; places of a block."""
    definition: str = ""
    """Where its step definition is, for reading."""
    known_to: str = ""
    """Which repositories have it, for display, if the suite does not."""
    above: Above | None = None


class Suggestions(msgspec.Struct, frozen=True, kw_only=True):
    place: Place
    """What a suggestion replaces."""
    typed: str
    """The part of it before the cursor."""
    rest: str
    """The part of it after the cursor."""
    items: list[Suggestion]
    """The most likely first."""
    indentation: str = ""
    """Of the line; further lines of a suggestion have none yet."""


class Complete(Request, frozen=True):
    """The suggestions at a place of an open file; None if nothing is known."""

    answer: ClassVar = Suggestions | None
    path: str
    line: int
    column: int
