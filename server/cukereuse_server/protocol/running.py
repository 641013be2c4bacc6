"""The scenarios that can be run, and the commands that run them."""

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
    """1-based first and last line."""
    command: list[str]
    """The command of the suite's runner, with its arguments; empty if no command that runs this alone is known."""
    debug: dict[str, str | list[str]] = msgspec.field(default_factory=dict)
    """How a debugger does the same: its type, and the arguments of its launch request; empty if there is none."""


class Runs(msgspec.Struct, frozen=True, kw_only=True):
    folder: str
    """The folder in which the command runs."""
    found: list[Runnable]
    """The feature first, then its scenarios."""


class ListRuns(Request, frozen=True):
    """The runnable parts of a feature file, open or not; None for a file that belongs to no suite."""

    answer: ClassVar = Runs | None
    path: str
