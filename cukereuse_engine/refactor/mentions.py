"""What uses a step definition besides steps: code that runs a step by its text, code that names its function, such as a
hook that calls it or a text that contains its name, and a runner for which the function is a hook or fixture too.

What a step function calls is known from its form (`Functions.called`). Other code is not read that closely: a name
counts wherever its file also names the source of the function, so `getattr(steps, "open_shop")` counts too.
"""

import re
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import PurePath

from cukereuse_engine.functions.reading import parse
from cukereuse_engine.glue.definition import StepDefinition
from cukereuse_engine.glue.glue import Glue
from cukereuse_engine.glue.languages.syntax_errors import SlowSourceError
from cukereuse_engine.refactor.calls import SuiteCalls
from cukereuse_engine.refactor.declarations import first_stacked, line_start, with_comment
from cukereuse_engine.refactor.offered import offered_by
from cukereuse_engine.refactor.rename_plan import ReadSuites, read_from_disk, stamp_on_disk
from cukereuse_engine.refactor.unmergeable import UnmergeableError
from cukereuse_engine.refactor.writing import writing_of

_MOST_BYTES = 1_000_000
"""A larger file is generated."""
_LETTER = rb"[\w\x80-\xff]"
"""Names may have letters of any script, most of which take several bytes."""
_WORD = re.compile(_LETTER + rb"+")
_IN_WORD = re.compile(_LETTER)
_COMMENT = re.compile(rb"[ \t]*(?:#|//|\*)")
_DECLARED = re.compile(rb"(?<![\w.])(?!(?:return|await|yield|new|throw|else|in|and|or|not|import)\b)[\w>\]?]+[ \t]+\Z")
"""Text before a name that is declared: `def`, `public void`."""
_OF_ANOTHER = re.compile(rb"(?<!\w)(?!(?:this|self|cls|static|super)\b)[\w)\]]+\s*(?:\??\.|->|::)\s*\Z")
"""Text before a name that belongs to another object."""
_TEXT = re.compile(rb"""(?m)"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|^[ \t]*/?\*+[ \t]*(@[\w\\]+)?.*""")
"""A literal, or a line of a comment, which may begin with a mark."""
_HOOK = re.compile(
    rb"[@\[,]\s*((?:[\w.:\\]*[.:\\])?"
    rb"(?:(?:Before|After|Around)(?![a-z])\w*|(?i:fixture|test|transform|parametertype|datatabletype)|StepArgumentTransformation)"
    rb")(?!\w)"
)
"""A mark by which a runner calls a function at other times than for its steps."""
_BOUND = re.compile(rb"(?:const|let|var)\s+([\w$]+)\s*=\s*[\w$.]+\(\s*\Z")
"""Text before an expression whose definition is the value of a variable."""
_BEFORE = 80
"""Number of bytes before a name that are searched."""
_Span = tuple[int, int, str | None]
"""The first byte of an expression or function, the byte after its last, and the name of the function or None."""


class CodeUses:
    """The uses in the code of some suites, which is searched once, and again where it changes."""

    def __init__(self, suites: ReadSuites, calls: SuiteCalls | None = None) -> None:
        self._suites = suites
        self._calls = calls or SuiteCalls(suites)
        self._paths: dict[str, list[str]] | None = None
        """Maps the name of a source without its suffix to the files that contain it."""
        self._places: dict[str, Mapping[str, str]] = {}
        """By path, see `_named`."""

    def of(self, definitions: Sequence[StepDefinition]) -> str:
        """What code does with one of these definitions, and where; empty if it uses none."""
        offer = next(filter(None, (offered_by(definition.path) for definition in definitions)), "")
        if offer:
            return f"suites elsewhere may use it: {offer} offers it"
        call = next(iter(self._calls.of(definitions)), None)
        if call is not None:
            return f"code runs it: {call.place}"
        if place := self._calls.meeting(definitions):
            return f"code may run it with a text that is not known here: {place}"
        place = next(filter(None, map(self.named_in, definitions)), "")
        if place:
            return f"its function is named in {place}"
        hook = next(filter(None, map(self._hook, definitions)), "")
        if hook:
            return f"its function is run as “{hook}” too"
        place = self._calls.told(definitions)
        return f"code that runs steps contains its text: {place}" if place else ""

    def named_in(self, definition: StepDefinition) -> str:
        """Where code names the function of a definition, as `path:line`; empty if it does not."""
        if writing_of(definition.language).registered:
            return ""  # `go_removal` finds the uses
        if not definition.function_name:
            return self._bound_in(definition)
        if definition.function is None:
            return ""  # it only registers a function from elsewhere: whoever calls that does not run the definition
        paths = self._naming(definition.path)
        return next(filter(None, (self._named(path).get(definition.function_name, "") for path in paths)), "")

    def _bound_in(self, definition: StepDefinition) -> str:
        """Where code names the variable of a definition (`const open = Given(…)`), whose value is the function."""
        start, end = definition.literal.start_byte, definition.function.end_byte if definition.function else 0
        bound = _BOUND.search(self._read(definition.path)[max(start - _BEFORE, 0) : start])
        if bound is None:
            return ""
        name = re.compile(rb"(?<![\w$.])" + re.escape(bound[1]) + rb"(?![\w$]|\s*=[^=])")
        for path in self._naming(definition.path):
            data = self._read(path)
            own = range(start, max(definition.literal.end_byte, end)) if path == definition.path else ()
            for use in name.finditer(data):
                if use.start() not in own and not _COMMENT.match(data, data.rfind(b"\n", 0, use.start()) + 1):
                    line = data.count(b"\n", 0, use.start()) + 1
                    return f"{path}:{line}"
        return ""

    def _naming(self, path: str) -> Iterable[str]:
        """A source, and the files that name it."""
        if self._paths is None:
            self._paths = self._look()
        return dict.fromkeys([path, *self._paths.get(PurePath(path).stem, ())])

    def _hook(self, definition: StepDefinition) -> str:
        """The mark that makes a definition's function a hook or fixture; empty if there is none."""
        function = definition.function
        if function is None or function.path != definition.path or not definition.function_name:
            return ""
        data = self._read(definition.path)
        code = _TEXT.sub(rb"\1", data[_marked_from(definition, data, function.start_byte) : function.end_byte])
        name = re.escape(definition.function_name.encode("utf-8", "surrogatepass"))
        declared = re.search(rb"(?<![\w.@\x80-\xff])" + name + rb"(?!" + _LETTER + rb")", code)
        found = _HOOK.search(code, 0, declared.start() if declared is not None else 0)
        return found[1].decode("utf-8", "replace") if found is not None else ""

    @cached_property
    def _definitions(self) -> Sequence[StepDefinition]:
        return self._suites.glue.definitions if self._suites.glue is not None else ()

    def _look(self) -> dict[str, list[str]]:
        stems = frozenset(PurePath(path).stem for path in {definition.path for definition in self._definitions})
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

    def _named(self, path: str) -> Mapping[str, str]:
        """Maps the step functions that code of a file names to the first place, found in one pass for all of them."""
        if path not in self._places:
            self._places[path] = self._read_places(path)
        return self._places[path]

    def _read_places(self, path: str) -> dict[str, str]:
        data, spans = self._read(path), _Spans(self._spans_by_path.get(path, ()))
        places: dict[str, str] = {}
        number, counted = 1, 0
        for name, start, end in self._occurrences(data):
            if name in places:
                continue
            around = spans.around(start)
            if around.isdisjoint((None, name)) and _is_use(data, start, end, is_in_another=bool(around)):
                number += data.count(b"\n", counted, start)
                counted = start
                places[name] = f"{path}:{number}"
        return places

    def _occurrences(self, data: bytes) -> Iterator[tuple[str, int, int]]:
        """Yields the names of step functions in a text, each with its first byte and the byte after its last."""
        for word in _WORD.finditer(data):
            for name, written, offset in self._names.get(word[0], ()):
                start = max(word.start() - offset, 0)
                end = start + len(written)
                is_part = _IN_WORD.match(data[start - 1 : start]) or _IN_WORD.match(data, end)
                if data.startswith(written, start) and not is_part:
                    yield name, start, end

    @cached_property
    def _names(self) -> Mapping[bytes, Sequence[tuple[str, bytes, int]]]:
        """Maps a word to the names of step functions that have it as their first, with their bytes and the number of
        those before it: names may have other signs (`$open`, `open?`)."""
        names: dict[bytes, list[tuple[str, bytes, int]]] = {}
        for name in dict.fromkeys(definition.function_name for definition in self._definitions):
            written = name.encode("utf-8", "surrogatepass")
            first = _WORD.search(written)
            if first is not None:
                names.setdefault(first[0], []).append((name, written, first.start()))
        return names

    @cached_property
    def _spans_by_path(self) -> Mapping[str, Sequence[_Span]]:
        """The expressions and functions of each source's definitions."""
        spans: dict[str, list[_Span]] = {}
        for definition in self._definitions:
            literal, function = definition.literal, definition.function
            its = spans.setdefault(definition.path, [])
            its.append((literal.start_byte, literal.end_byte, None))
            if function is not None and function.path == definition.path:
                its.append((function.start_byte, function.end_byte, definition.function_name))
        return spans


class _Spans:
    """The spans of a source, which is read from its beginning to its end."""

    def __init__(self, spans: Iterable[_Span]) -> None:
        self._ahead = sorted(spans, key=lambda span: span[0], reverse=True)
        self._open: list[_Span] = []

    def around(self, at: int) -> set[str | None]:
        """The names of the spans around a byte; no earlier byte is asked for after it."""
        while self._ahead and self._ahead[-1][0] <= at:
            self._open.append(self._ahead.pop())
        self._open = [span for span in self._open if at < span[1]]
        return {name for _, _, name in self._open}


def _marked_from(definition: StepDefinition, data: bytes, function: int) -> int:
    """The first byte of what marks a function: decorators, annotations, attributes, or the comment that has them."""
    row = writing_of(definition.language)
    if row.comment_line is not None:
        return with_comment(data, line_start(data, function), definition.path)
    try:
        parsed = parse(definition.path, data, definition.language)
        return min(function, first_stacked(definition, parsed)) if row.stacked else function
    except (UnmergeableError, SlowSourceError):
        return function


def _is_use(data: bytes, start: int, end: int, *, is_in_another: bool) -> bool:
    """False if a name is declared or in a comment or, in the function of another definition, asked of another thing."""
    line = data.rfind(b"\n", 0, start) + 1
    before = data[max(line, start - _BEFORE) : start]
    is_declared = data[end : end + 1] == b"(" and _DECLARED.search(before) is not None
    is_of_another = is_in_another and _OF_ANOTHER.search(before) is not None
    return not (is_declared or is_of_another or _COMMENT.match(data, line))


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
