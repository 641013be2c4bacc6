"""The layout of a feature file."""

from typing import ClassVar

import msgspec

from cukereuse_server.protocol.base import Request
from cukereuse_server.protocol.plans import Edit


class Layout(msgspec.Struct, frozen=True, kw_only=True):
    version: int
    """The version of the editor's text that was read."""
    edits: list[Edit]
    """Edits of whole lines, in order."""


class LayOut(Request, frozen=True, kw_only=True):
    """Lay out an open feature file, or a part of it; None if it is no feature file."""

    answer: ClassVar = Layout | None
    path: str
    unit: str
    """One level of indentation."""
    line: int = 1
    end_line: int = 0
    """The last of these 1-based lines; tables that they touch are formatted as a whole. 0: to the end."""
    table_only: bool = False
    """True to format only a table."""
    numbers_right: bool = False
    flat_scenarios: bool = False
    flat_arguments: bool = False
