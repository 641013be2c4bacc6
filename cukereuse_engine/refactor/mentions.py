"""What uses a step definition besides steps: code that runs a step by its text, and code that names its function, such
as a hook that calls it or a text that contains its name.

What a step function calls is known from its form (`Functions.called`). Other code is not read that closely: a name
counts wherever its file also names the source of the function, so `getattr(steps, "open_shop")` counts too.
"""

import re
from collections.abc import Callable, Hashable, Iterator, Sequence
from pathlib import PurePath

from cukereuse_engine.glue.definition import StepDefinition
from cukereuse_engine.glue.glue import Glue
from cukereuse_engine.refactor.calls import SuiteCalls
from cukereuse_engine.refactor.rename_plan import ReadSuites, read_from_disk, stamp_on_disk
from cukereuse_engine.refactor.writing import writing_of

_MOST_BYTES = 1_000_000
"""A larger file is generated."""
_LETTER = rb"[\w\x80-\xff]"
"""Names may have letters of any script, most of which take several bytes."""
_WORD = re.compile(_LETTER + rb"+")
_COMMENT = re.compile(rb"[ \t]*(?:#|//|\*)")
_DECLARED = re.compile(rb"(?<![\w.])(?!(?:return|await|yield|new|throw|else|in|and|or|not|import)\b)[\w>\]?]+[ \t]+\Z")
"""Text before a name that is declared: `def`, `public void`."""
_OF_ANOTHER = re.compile(rb"(?<!\w)(?!(?:this|self|cls|static|super)\b)[\w)\]]+\s*(?:\??\.|->|::)\s*\Z")
"""Text before a name that belongs to another object."""
_BEFORE = 80
"""Number of bytes before a name that are searched."""


class CodeUses:
    """The uses in the code of some suites, which is searched once, and again where it changes."""

    def __init__(self, suites: ReadSuites, calls: SuiteCalls | None = None) -> None:
        self._suites = suites
        self._calls = calls or SuiteCalls(suites)
        self._paths: dict[str, list[str]] | None = None
        """Maps the name of a source without its suffix to the files that contain it."""

    def of(self, definitions: Sequence[StepDefinition]) -> str:
        """What code does with one of these definitions, and where; empty if it uses none."""
        call = next(iter(self._calls.of(definitions)), None)
        if call is not None:
            return f"code runs it: {call.place}"
        place = next(filter(None, map(self.named_in, definitions)), "")
        return f"its function is named in {place}" if place else ""

    def named_in(self, definition: StepDefinition) -> str:
        """Where code names the function of a definition, as `path:line`; empty if it does not."""
        if writing_of(definition.language).registered or not definition.function_name:
            return ""  # `go_removal` finds the uses
        if definition.function is None:
            return ""  # it only registers a function from elsewhere: whoever calls that does not run the definition
        if self._paths is None:
            self._paths = self._look()
        paths = dict.fromkeys([definition.path, *self._paths.get(PurePath(definition.path).stem, ())])
        return next((place for path in paths for place in self._places(definition, path)), "")

    def _look(self) -> dict[str, list[str]]:
        glue = self._suites.glue
        homes = {definition.path for definition in glue.definitions} if glue is not None else ()
        stems = frozenset(PurePath(path).stem for path in homes)
        saying: dict[str, list[str]] = {}
        for path in self._suites.code_paths:
            for stem in self._said(path, stems):
                saying.setdefault(stem, []).append(path)
        return saying

    def _said(self, path: str, stems: frozenset[str]) -> tuple[str, ...]:
        """The `stems` that a file contains."""
        try:
            stamp = self._suites.stamp(path) if self._suites.stamp is not None else None
        except OSError:
            return ()
        kept_stamp, kept_stems, said = _KNOWN.get(path, (None, stems, ()))
        if stamp is None or stamp != kept_stamp or stems != kept_stems:
            words = (word.decode("utf-8", "replace") for word in set(_WORD.findall(self._read(path))))
            said = tuple(sorted(stems.intersection(words)))
            _KNOWN[path] = stamp, stems, said
        return said

    def _read(self, path: str) -> bytes:
        try:
            data = self._suites.read(path)
        except OSError:
            return b""
        return data if len(data) <= _MOST_BYTES else b""

    def _places(self, definition: StepDefinition, path: str) -> Iterator[str]:
        data = self._read(path)
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
        """Spans of a file's expressions and functions with this name, and of its functions with other names."""
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


_KNOWN: dict[str, tuple[Hashable, frozenset[str], tuple[str, ...]]] = {}
"""Maps a path to the file's stamp, the words that were searched, and the words that it contains."""


class MayBeUsed:
    """Tells for a suite's definitions whether they may be used although no step binds to them: by a step whose binding
    is unknown, or by code in the sources."""

    def __init__(
        self,
        glue: Glue,
        read: Callable[[str], bytes] = read_from_disk,
        stamp: Callable[[str], Hashable] = stamp_on_disk,
    ) -> None:
        """`read` and `stamp`: as in `ReadSuites`."""
        self._glue = glue
        self._uses = CodeUses(ReadSuites({}, (), {}, glue, read, sources=lambda: sorted(glue.files), stamp=stamp))

    def __call__(self, definition: StepDefinition) -> bool:
        return self._glue.may_serve(definition) or bool(self._uses.of([definition]))


def _words(word: str, data: bytes) -> Iterator[tuple[int, int]]:
    """Where a word occurs in a text."""
    name = re.escape(word.encode("utf-8", "surrogatepass"))
    return (match.span() for match in re.finditer(b"(?<!%s)%s(?!%s)" % (_LETTER, name, _LETTER), data))
