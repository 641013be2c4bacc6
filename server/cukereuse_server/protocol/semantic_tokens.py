"""The tokens of a file that are coloured by meaning."""

from typing import ClassVar

import msgspec

from cukereuse_server.protocol.base import Request
from cukereuse_server.protocol.places import Place


class Colour(msgspec.Struct, frozen=True):
    place: Place
    kind: str
    """"keyword", "parameter", "string", "number", "tag" or "comment"."""


class ListColours(Request, frozen=True):
    """The tokens of an open file, in order."""

    answer: ClassVar = list[Colour]
    path: str
