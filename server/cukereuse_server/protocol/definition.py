"""The step definitions of a step; from code, the steps of a definition."""

from typing import ClassVar

import msgspec

from cukereuse_server.protocol.base import Request
from cukereuse_server.protocol.places import Place


class DefinitionTargets(msgspec.Struct, frozen=True):
    origin: Place
    """The place of the question."""
    places: list[Place]


class FindDefinitions(Request, frozen=True):
    """The step definitions of the step on a line, or of the steps that the Examples row there fills. For a step
    definition in code, its steps; for a step's text that code runs, its definitions."""

    answer: ClassVar = DefinitionTargets | None
    path: str
    line: int
    column: int
