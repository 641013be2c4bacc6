"""The suggestions at a place."""

from typing import ClassVar

import msgspec

from cukereuse_server.protocol.base import Request
from cukereuse_server.protocol.places import Place


class Blank(msgspec.Struct, frozen=True):
    """An argument that the user keeps or overwrites."""

    value: str
    name: str = ""
    """The parameter's name in the step definition, if it has one."""
    shown: bool = False
    """True if the value is already there, or distinguishes this step from others; otherwise it is an example from
    another step."""
    together: int = 0
    """Blanks with one number above 0 have one value."""


class Above(msgspec.Struct, frozen=True):
    """The steps above the line that a suggestion replaces."""

    line: int
    """The 1-based line of the first one."""
    column: int
    """The 1-based column at which it begins."""
    keyword: str
    """The keyword of the first one, with the blank after it."""
    steps: int
    left: int
    """Further steps that it replaces."""


class Suggestion(msgspec.Struct, frozen=True, kw_only=True):
    kind: str
    """"step", "definition" (without steps), "catalogue" (another repository's), "block" (the rest of a repeated block,
    one step per line), "short" (the short form of the steps above), "keyword" or "tag"."""
    pieces: list[str | Blank]
    """The text, with its arguments separate."""
    occurrences: int = 0
    """The number of steps with this text; for a block, of its places."""
    definition: str = ""
    """The place of its step definition as people read it."""
    known_to: str = ""
    """The repositories that have it, as people read them, if the suite does not."""
    above: Above | None = None


class Suggestions(msgspec.Struct, frozen=True, kw_only=True):
    place: Place
    """The text that a suggestion replaces."""
    typed: str
    """The part of it before the cursor."""
    rest: str
    """The part of it after the cursor."""
    items: list[Suggestion]
    """Likeliest first."""
    indentation: str = ""
    """The line's indentation; further lines of a suggestion have none yet."""


class Complete(Request, frozen=True):
    """The suggestions at a place of an open file; None if nothing is known."""

    answer: ClassVar = Suggestions | None
    path: str
    line: int
    column: int
