"""The sources that a merge edits: read once, edited by byte offsets."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cukereuse_engine.functions.reading import parse
from cukereuse_engine.gherkin.read import content_hash
from cukereuse_engine.glue.definition import StepDefinition
from cukereuse_engine.glue.languages.source import Source
from cukereuse_engine.glue.languages.syntax_errors import SlowSourceError
from cukereuse_engine.refactor.edits import byte_edit, sorted_edits
from cukereuse_engine.refactor.rename_plan import FileEdits, ReadSuites, TextEdit
from cukereuse_engine.refactor.unmergeable import UnmergeableError

if TYPE_CHECKING:
    from tree_sitter import Node


class EditedSources:
    def __init__(self, suites: ReadSuites) -> None:
        self.suites = suites
        self._data: dict[str, bytes] = {}
        self._parsed: dict[str, Source] = {}
        self._edits: dict[str, list[TextEdit]] = {}

    def read(self, definition: StepDefinition) -> tuple[bytes, Source]:
        """The source of a definition and its tree. Raises `UnmergeableError`, `OSError`."""
        path = definition.path
        if path not in self._parsed:
            data = self.suites.read(path)
            try:
                data.decode("utf-8")
                self._parsed[path] = parse(path, data, definition.language)
            except UnicodeDecodeError:
                raise UnmergeableError(f"{path} is not UTF-8; save it as UTF-8") from None
            except SlowSourceError:
                raise UnmergeableError(f"{path} takes too long to read") from None
            self._data[path] = data
        return self._data[path], self._parsed[path]

    def edit(self, path: str, start: int, end: int, new: str) -> None:
        """Replace the bytes from `start` to `end` of a source that was read."""
        edit = byte_edit(self._data[path].decode("utf-8"), start, end, new)
        self._edits.setdefault(path, []).append(edit)

    def add(self, definition: StepDefinition, edit: TextEdit) -> None:
        """Add an edit of a definition's source."""
        self.read(definition)
        self._edits.setdefault(definition.path, []).append(edit)

    def newline(self, path: str) -> str:
        return "\r\n" if b"\r\n" in self._data[path] else "\n"

    @property
    def files(self) -> tuple[FileEdits, ...]:
        return tuple(
            FileEdits(path, content_hash(self._data[path]), sorted_edits(edits), True, "utf-8")
            for path, edits in sorted(self._edits.items())
        )


@dataclass(frozen=True, slots=True)
class SharedValue:
    """The function that two calls run in future, as a named value."""

    keep: StepDefinition
    other: StepDefinition
    calls: "Sequence[Node]"
    """Both calls, in one source."""
    at: int
    """Byte offset at which the value is inserted."""
    name: str
