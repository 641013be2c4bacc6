"""The syntax trees of sources with step functions: read when they are asked for, and not kept for long."""

from typing import TYPE_CHECKING, NamedTuple

from cukereuse_engine.functions.grammars import GRAMMARS
from cukereuse_engine.functions.names import Names
from cukereuse_engine.functions.reading import parse
from cukereuse_engine.glue.languages.source import Source
from cukereuse_engine.glue.languages.syntax_errors import SlowSourceError

if TYPE_CHECKING:
    from tree_sitter import Node

_KEPT = 1_000_000
"""Maximum size in bytes of the sources whose trees are kept: a tree takes twenty times its source."""


class _Tree(NamedTuple):
    size: int
    """The source's size in bytes."""
    source: Source | None
    """None if it can't be read."""
    names: Names | None
    """The file's imports and classes."""


class SourceTree:
    """The tree of one source; read again after it was released."""

    def __init__(self, path: str, data: bytes, language: str, trees: "SyntaxTrees") -> None:
        self._asked = path, data, language
        self._trees = trees

    @property
    def source(self) -> Source | None:
        return self._trees.of(*self._asked).source

    @property
    def names(self) -> Names | None:
        return self._trees.of(*self._asked).names

    def node_at(self, start_byte: int, end_byte: int, node_type: str) -> "Node":
        """The node with this place and type, which was read before."""
        assert self.source is not None
        node = self.source.root.descendant_for_byte_range(start_byte, end_byte)
        while node is not None and node.type != node_type:
            node = node.parent
        assert node is not None
        return node


class SyntaxTrees:
    """The trees of one suite that were requested last."""

    def __init__(self) -> None:
        self._held: dict[str, _Tree] = {}
        self._size = 0

    def of(self, path: str, data: bytes, language: str) -> _Tree:
        """The tree of a source. `data`: always the same for a path."""
        if path not in self._held:
            self._held[path] = _read(path, data, language)
            self._size += len(data)
            while self._size > _KEPT and len(self._held) > 1:
                self._size -= self._held.pop(next(iter(self._held))).size
        return self._held[path]


def _read(path: str, data: bytes, language: str) -> _Tree:
    try:
        source = parse(path, data, language) if language in GRAMMARS else None
    except SlowSourceError:
        source = None
    return _Tree(len(data), source, Names(source, GRAMMARS[language]) if source is not None else None)
