"""A read-only view of the workspace for answers.

Helpers and handlers take one of these and never the workspace itself, so that none of them starts anything.
"""

from collections.abc import Mapping
from typing import Protocol

from cukereuse_engine.embedding_models.embedder import Embedder
from cukereuse_engine.gherkin.feature import FeatureFile, Step
from cukereuse_server.protocol.diagnostics import Diagnosis
from cukereuse_server.protocol.status import ModelState
from cukereuse_server.workspace.buffers import Buffer
from cukereuse_server.workspace.suite import SuiteState


class View(Protocol):
    @property
    def folders(self) -> tuple[str, ...]: ...

    @property
    def suites(self) -> Mapping[str, SuiteState]:
        """Suites by root."""

    @property
    def buffers(self) -> Mapping[str, Buffer]:
        """Buffers by path."""

    @property
    def embedder(self) -> Embedder | None:
        """The model of the suites' vectors; None until there is one."""

    def suite_of(self, path: str) -> SuiteState | None:
        """The suite of a feature file."""

    def file(self, path: str) -> FeatureFile | None: ...

    def step_at(self, path: str, line: int) -> Step | None:
        """The step on a 1-based line."""


class DiagnosticsView(View, Protocol):
    """A view that can also find and announce findings."""

    def look_into(self, path: str) -> None:
        """Find the findings of a file, in slices between questions; then announce diagnostics."""

    def announce(self, skip: str = "") -> None:
        """Announce the files whose diagnostics may have changed; `skip` is left out, because it is being answered."""

    def recall(self, path: str) -> list[Diagnosis] | None:
        """The diagnostics of the same text in the last run."""

    def keep(self, path: str, diagnoses: list[Diagnosis]) -> None:
        """Keep diagnostics for the next run."""


class StatusView(View, Protocol):
    """A view that also knows the progress of the index."""

    @property
    def complete(self) -> bool:
        """True if all files are read and all suites compared."""

    @property
    def model_state(self) -> ModelState: ...

    @property
    def running(self) -> list[str]:
        """Tasks that a person may wait for, by the names in `Progressed`."""

    def is_settled(self, path: str) -> bool:
        """True if a file's suite has been read, with its step definitions, and compared, by meaning too if there is a
        model; or if the file belongs to no suite."""


class WholeView(DiagnosticsView, StatusView, Protocol):
    """Everything that any answer may read."""
