"""The state of the worker and its index."""

from typing import ClassVar, Literal

import msgspec

from cukereuse_server.protocol.base import Request

ModelState = Literal["off", "missing", "downloading", "loading", "ready"]
"""State of the embedding model: missing and forbidden, missing, being downloaded, being loaded, in use."""


class SuiteStatus(msgspec.Struct, frozen=True):
    root: str
    files: int
    steps: int
    texts: int
    templates: int
    definitions: int
    vectors: int
    """The number of templates with a vector."""
    compared: bool
    """True if all templates have been compared."""


class WorkerStatus(msgspec.Struct, frozen=True, rename="camel"):
    complete: bool
    """True if all files are read and all suites compared."""
    model: str
    """Id of the embedding model in use; empty: lexical only."""
    suites: list[SuiteStatus]
    model_state: ModelState = "loading"
    settled: bool = False
    """Complete, and compared by meaning too where there is a model."""


class IsSettled(Request, frozen=True):
    """True if the known results for a file, including its diagnostics, come from the index and not from the last run;
    also true for a file that belongs to no suite."""

    answer: ClassVar = bool
    path: str


class GetStatus(Request, frozen=True):
    answer: ClassVar = WorkerStatus
