"""Places in files, in the form that all answers use."""

import msgspec


class Place(msgspec.Struct, frozen=True):
    """A text on one line."""

    path: str
    line: int
    """1-based."""
    column: int
    """1-based, in code points."""
    end_column: int
    line_text: str = ""
    """The whole line if it is not pure ASCII, so that columns can be converted; else empty."""


class Position(msgspec.Struct, frozen=True):
    path: str
    line: int
    column: int
