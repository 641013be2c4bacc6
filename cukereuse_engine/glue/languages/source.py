"""A source file as a tree: nodes, texts and spans, in any encoding; and the names that it imports from other
sources."""

import codecs
import importlib
import time
from collections.abc import Iterator, Sequence
from functools import cache, cached_property
from itertools import count
from typing import TYPE_CHECKING

from cukereuse_engine.glue.definition import Constant, Reference, SourceSpan
from cukereuse_engine.glue.languages.syntax_errors import SlowSourceError

if TYPE_CHECKING:
    import tree_sitter

_WIDE_MARKS = (codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
"""UTF-32-LE begins with UTF-16-LE's mark: longest first."""
_BOM = b"\xef\xbb\xbf"
_SLICE, _TEXT_SLICE = 65_536, 512
"""Number of bytes that the parser gets at once, and of those from which it cuts the text of a node."""
PARSE_SECONDS = 5
"""Maximum time to parse a source, in seconds of processor time, so that a busy machine gives up nothing."""
_TICKS = 16
"""Turns of the parser between two looks at the clock; a look costs more than a turn."""
_ASKED: dict[tuple[str, str], frozenset[str]] = {}
"""The types of nodes that were requested, by grammar. All nodes of a file take thirty times its size."""


class ConstantNames:
    """The names that one source imports: the values that it is given, and the names that it looks up."""

    def __init__(self, given: Sequence[Constant] = ()) -> None:
        self._given: dict[tuple[str, str], list[Constant]] = {}
        for constant in given:
            self._given.setdefault((constant.name, constant.owner), []).append(constant)
        self._asked: dict[Reference, None] = {}

    def get(self, name: str, owner: str = "") -> Constant | None:
        """The value of a name that this source does not define; None if no other source is known to define it."""
        return next(iter(self.parts(name, owner)), None)

    def parts(self, name: str, owner: str) -> Sequence[Constant]:
        """All values of a name to which several sources may contribute (`Language.gathered`)."""
        self._asked[Reference(name, owner)] = None
        return self._given.get((name, owner), ())

    @property
    def references(self) -> tuple[Reference, ...]:
        return tuple(self._asked)


def as_utf8(source: bytes) -> bytes:
    """A source in UTF-16 or UTF-32, by its byte order mark, as UTF-8; other sources unchanged. The compilers of C# and
    TypeScript read them so."""
    mark = next((mark for mark in _WIDE_MARKS if source.startswith(mark)), b"")
    if not mark:
        return source
    try:
        return source.decode("utf-32" if len(mark) > 2 else "utf-16").encode("utf-8")
    except UnicodeError:
        return source


def text_of(source: bytes) -> str:
    """A source as text to search, without byte order mark, in any encoding."""
    data = as_utf8(source).removeprefix(_BOM)
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return _of_windows(data)


@cache
def _grammar(module: str, function: str) -> "tree_sitter.Language":
    import tree_sitter

    return tree_sitter.Language(getattr(importlib.import_module(module), function)())


class _ByteReader:
    """What the parser reads, and texts of nodes after it. The parser never lets go of what it was given (tree-sitter
    0.26), so it gets views that are emptied: a process that reads hundreds of repositories would keep all sources."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._views: list[memoryview] | None = []

    def __call__(self, offset: int, _: object) -> bytes | memoryview:
        if self._views is None:
            return self._data[offset : offset + _TEXT_SLICE]
        view = memoryview(self._data)[offset : offset + _SLICE]
        self._views.append(view)
        return view

    def release(self) -> None:
        """Release the views; the parser is done."""
        for view in self._views or ():
            view.release()
        self._views = None


class Source:
    """A parsed source file: its tree, the texts of nodes and their spans."""

    def __init__(
        self,
        path: str,
        source: bytes,
        grammar: str,
        function: str = "language",
        *,
        names: ConstantNames | None = None,
        parsed: bytes | None = None,
    ) -> None:
        """`grammar` is the module of a tree-sitter wheel, such as "tree_sitter_python"; `function` its entry point.
        `names` are the imported ones. `parsed` is parsed instead of `source`; all its bytes must be in the same places.

        Raises `SlowSourceError`: some grammars need quadratic time on some sources.
        """
        import tree_sitter

        self.path = path
        self.source = source
        self.names = names or ConstantNames()
        self._grammar = (grammar, function)
        self._nodes: dict[str, list[tuple[int, tree_sitter.Node]]] = {}
        """Maps each requested type to its named nodes, numbered in source order."""
        data = source if parsed is None else parsed
        deadline, ticks = time.thread_time() + PARSE_SECONDS, count(1)
        parser = tree_sitter.Parser(_grammar(grammar, function))
        reader = _ByteReader(data)
        try:
            self._tree = parser.parse(
                reader, progress_callback=lambda *_: next(ticks) % _TICKS == 0 and time.thread_time() > deadline
            )
        except ValueError as error:
            raise SlowSourceError(f"parsing took longer than {PARSE_SECONDS} seconds") from error
        finally:
            reader.release()

    @property
    def root(self) -> "tree_sitter.Node":
        return self._tree.root_node

    @cached_property
    def is_utf8(self) -> bool:
        try:
            self.source.decode("utf-8")
        except UnicodeDecodeError:
            return False
        return True

    def nodes(self, *types: str, within: "tree_sitter.Node | None" = None) -> "list[tree_sitter.Node]":
        """The named nodes of these types in `within` (default: the file), including `within` itself, in source order.

        Walks the whole tree once. A query takes as long on real sources, and quadratic time on broken ones.
        """
        wanted = frozenset(types)
        if within is not None:
            return [node for node in _walk(within) if node.type in wanted]
        if not wanted <= self._nodes.keys():
            self._collect(wanted)
        numbered = [entry for name in wanted for entry in self._nodes[name]]
        if len(wanted) > 1:
            numbered.sort(key=lambda entry: entry[0])
        return [node for _, node in numbered]

    def _collect(self, wanted: frozenset[str]) -> None:
        """Collects all types that any source of this grammar was asked for, so that one walk is usually enough."""
        asked = _ASKED[self._grammar] = _ASKED.get(self._grammar, frozenset()) | wanted
        self._nodes = {name: [] for name in asked}
        for number, node in enumerate(_walk(self.root)):
            entries = self._nodes.get(node.type)
            if entries is not None:
                entries.append((number, node))

    def decode(self, raw: bytes) -> str:
        """A part of the file as text: UTF-8, or else Windows-1252."""
        return raw.decode("utf-8") if self.is_utf8 else _of_windows(raw)

    def text(self, node: "tree_sitter.Node") -> str:
        """A node's source text. A file that is not UTF-8 is read as Windows-1252, and nothing in it is rewritable."""
        return self.decode(self.source[node.start_byte : node.end_byte])

    def span(self, first: "tree_sitter.Node", last: "tree_sitter.Node | None" = None) -> SourceSpan:
        """The span from the start of `first` to the end of `last` (default: `first`)."""
        last = last if last is not None else first
        return SourceSpan(
            path=self.path,
            start_byte=first.start_byte,
            end_byte=last.end_byte,
            line=first.start_point.row + 1,
            column=self._column(first.start_byte, first.start_point.column),
            end_line=last.end_point.row + 1,
            end_column=self._column(last.end_byte, last.end_point.column),
        )

    def _column(self, offset: int, byte_column: int) -> int:
        line = self.source[offset - byte_column : offset]
        return len(self.decode(line.removeprefix(_BOM) if offset == byte_column else line)) + 1


def _of_windows(raw: bytes) -> str:
    """Windows-1252, or Latin-1 if a byte is undefined there: every byte is a character."""
    try:
        return raw.decode("cp1252")
    except UnicodeDecodeError:
        return raw.decode("latin-1")


def _walk(root: "tree_sitter.Node") -> "Iterator[tree_sitter.Node]":
    """The named nodes of a tree, each before its descendants."""
    cursor = root.walk()
    while True:
        node = cursor.node
        if node is not None and node.is_named:
            yield node
        if cursor.goto_first_child() or cursor.goto_next_sibling():
            continue
        while cursor.goto_parent():
            if cursor.goto_next_sibling():
                break
        else:
            return


def children(node: "tree_sitter.Node") -> "Iterator[tree_sitter.Node]":
    """The named children without comments."""
    return (child for child in node.named_children if "comment" not in child.type)
