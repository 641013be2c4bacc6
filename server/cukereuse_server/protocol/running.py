"""What can be run, and the command that does."""

from typing import ClassVar

import msgspec

from cukereuse_server.protocol.base import Request

FEATURE, SCENARIO = "feature", "scenario"


class Runnable(msgspec.Struct, frozen=True, kw_only=True):
    kind: str
    """`FEATURE` or `SCENARIO`."""
    name: str
    line: int
    end_line: int
    """1-based; the whole of it lies in these lines."""
    command: list[str]
    """Of the suite's runner, with its arguments; empty where none is known that can run this alone."""
    debug: dict[str, str | list[str]] = msgspec.field(default_factory=dict)
    """What a debugger is told to do the same: its type, and arguments of its launch request; empty where none can."""


class Runs(msgspec.Struct, frozen=True, kw_only=True):
    folder: str
    """In which the command is run."""
    found: list[Runnable]
    """The feature first, then its scenarios."""


class ListRuns(Request, frozen=True):
    """What can be run of a feature file, open or not; None for a file that belongs to no suite."""

    answer: ClassVar = Runs | None
    path: str
