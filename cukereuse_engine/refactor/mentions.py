"""Code that names the function of a step definition: a hook that calls it, a text that says its name.

What a step function calls is known by its form (`Functions.called`). Other code is not read that closely: a name counts
wherever it is beside a name of the file that has the function, so `getattr(steps, "open_shop")` counts too.
"""

import re
from collections.abc import Iterator
from pathlib import PurePath

from cukereuse_engine.glue.definition import StepDefinition
from cukereuse_engine.refactor.rename_plan import ReadSuites
from cukereuse_engine.refactor.writing import writing_of

_MOST_BYTES = 1_000_000
"""A larger file is generated."""
_LETTER = rb"[\w\x80-\xff]"
"""Names have letters of any script, and those of most take several bytes."""
_WORD = re.compile(_LETTER + rb"+")
_COMMENT = re.compile(rb"[ \t]*(?:#|//|\*)")
_DECLARED = re.compile(rb"(?<![\w.])(?!(?:return|await|yield|new|throw|else|in|and|or|not|import)\b)[\w>\]?]+[ \t]+\Z")
"""What is before a name that is declared: `def`, `public void`."""
_OF_ANOTHER = re.compile(rb"(?<!\w)(?!(?:this|self|cls|static|super)\b)[\w)\]]+\s*(?:\??\.|->|::)\s*\Z")
"""What is before a name that is asked of another thing."""
_BEFORE = 80
"""Bytes before a name that are looked at."""


class Mentions:
    """Those in the code of some suites, which is read once."""

    def __init__(self, suites: ReadSuites) -> None:
        self._suites = suites
        self._paths: dict[str, list[str]] | None = None
        """Name of a function to the files that say it."""

    def of(self, definition: StepDefinition) -> str:
        """Where code names the function of a definition, as `path:line`; empty where none does."""
        name = definition.function_name
        if writing_of(definition.language).registered:
            return ""  # `go_removal` knows the uses
        if self._paths is None:
            self._paths = self._look()
        places = (place for path in self._paths.get(name, ()) for place in self._places(definition, path))
        return next(places, "")

    def _look(self) -> dict[str, list[str]]:
        glue = self._suites.glue
        names = {definition.function_name for definition in glue.definitions} - {""} if glue is not None else set()
        said: dict[str, list[str]] = {}
        for path in self._suites.code_paths:
            for word in set(_WORD.findall(self._read(path))):
                if (name := word.decode("utf-8", "replace")) in names:
                    said.setdefault(name, []).append(path)
        return said

    def _read(self, path: str) -> bytes:
        try:
            data = self._suites.read(path)
        except OSError:
            return b""
        return data if len(data) <= _MOST_BYTES else b""

    def _places(self, definition: StepDefinition, path: str) -> Iterator[str]:
        data, home = self._read(path), definition.path
        if path != home and next(_words(PurePath(home).stem, data), None) is None:
            return
        own, others = self._spans(definition, path)
        for start, end in _words(definition.function_name, data):
            if any(first <= start < last for first, last in own):
                continue
            line = data.rfind(b"\n", 0, start) + 1
            before = data[max(line, start - _BEFORE) : start]
            is_declared = data[end : end + 1] == b"(" and _DECLARED.search(before) is not None
            is_of_another = any(first <= start < last for first, last in others) and _OF_ANOTHER.search(before)
            if not (is_declared or is_of_another or _COMMENT.match(data, line)):
                number = data.count(b"\n", 0, start) + 1
                yield f"{path}:{number}"

    def _spans(self, definition: StepDefinition, path: str) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
        """Where a file has expressions, or functions of the name; and where it has functions of other definitions."""
        glue = self._suites.glue
        own: list[tuple[int, int]] = []
        others: list[tuple[int, int]] = []
        for other in glue.definitions if glue is not None else ():
            if other.path == path:
                own.append((other.literal.start_byte, other.literal.end_byte))
                if other.function is not None and other.function.path == path:
                    is_own = other.function_name == definition.function_name
                    (own if is_own else others).append((other.function.start_byte, other.function.end_byte))
        return own, others


def _words(word: str, data: bytes) -> Iterator[tuple[int, int]]:
    """Where a text has a word."""
    name = re.escape(word.encode("utf-8", "surrogatepass"))
    return (match.span() for match in re.finditer(b"(?<!%s)%s(?!%s)" % (_LETTER, name, _LETTER), data))
