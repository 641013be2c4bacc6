"""The state while a function is written.

`normal_form` writes a function; the files that write its parts get a `Writer` and know nothing else of it.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from cukereuse_engine.functions.classes import Class
from cukereuse_engine.functions.grammar import TRANSPARENT, Grammar, is_noise
from cukereuse_engine.functions.names import Names
from cukereuse_engine.functions.parameters import Parameter, parameters_of
from cukereuse_engine.functions.tokens import SIGN
from cukereuse_engine.glue.languages.source import Source

if TYPE_CHECKING:
    from tree_sitter import Node

Write = Callable[["Writer", "Node", str], None]
"""Writes a node of a type, which is passed too."""


class File:
    """The data that the writers of one file share."""

    def __init__(self, source: Source, grammar: Grammar, names: Names) -> None:
        self.source, self.grammar, self.names = source, grammar, names
        self.helpers: dict[tuple[int, int], tuple[str, ...]] = {}
        self.transparent = TRANSPARENT | grammar.transparent
        self.statement_lists = grammar.blocks | {"then", "else", "statement_list", "function_body"}
        self.writers: dict[str, Write] = {}
        self._signs: dict[str, str] = {}
        self._data = source.source
        self._encoding = "utf-8" if source.is_utf8 else "latin-1"

    def text(self, node: "Node") -> str:
        return self._data[node.start_byte : node.end_byte].decode(self._encoding)

    def sign(self, kind: str) -> str:
        """The token of an operator or keyword; empty if it means nothing."""
        cached = self._signs.get(kind)
        if cached is None:
            cached = "" if is_noise(kind) else "this" if kind in ("this", "base") else SIGN + kind
            self._signs[kind] = cached
        return cached


class Writer(ABC):
    """The state of one function's form, and the questions about it."""

    def __init__(
        self,
        file: File,
        function: "Node",
        captured: frozenset[str] | None = None,
        depth: int = 0,
        active: frozenset[int] = frozenset(),
    ) -> None:
        """`captured`: names of the parameters that are arguments of the step, the others being fixtures; None: all."""
        self.file, self.function, self.depth = file, function, depth
        self.grammar, self.text = file.grammar, file.text
        self.active = active | {function.start_byte}
        self.around: Class | None = file.names.class_around(function)
        self.is_method = self.around is not None and (not file.grammar.methods or function.type in file.grammar.methods)
        self.out: list[str] = []
        self.scope: dict[str, str] = {}
        self.locals = 0
        self.used: set[int] = set()
        self.mentions: set[str] = set()
        self.literals: dict[tuple[int, int], str] | None = None
        """If requested: the place of each plain literal in the function itself, with its token."""
        self.doubtful: dict[int, str] = {}
        """Statements that log unless other files tell otherwise: node ids, with the function's token."""
        self.only_logged: dict[int, str] = {}
        """Likewise the locals that only these read."""
        self.steps: list[str] = []
        self.step_arguments: list[tuple[str, ...]] = []
        self.parameters = parameters_of(function, file.grammar, file.text)
        if self._is_receiver(self.parameters[:1]):
            self.parameters = self.parameters[1:]
        self.captured = captured
        self.receiver: tuple[str, Class | None] | None = None
        """Go: the name of the receiver, and its type if this file declares it."""
        self.closure: dict[str, tuple[str, Node | None]] | None = None

    def _is_receiver(self, first: Sequence[Parameter]) -> bool:
        """True for Python's `self`, and for what tells the type of TypeScript's `this`: no step passes them."""
        names = [parameter.name for parameter in first]
        if self.grammar.first_is_self and self.around is not None:
            return names == ["self"]
        return bool(self.grammar.calls_with_this) and names == ["this"]

    @abstractmethod
    def emit(self, node: "Node") -> None:
        """Write a node at the end of `out`."""

    @abstractmethod
    def statements(self) -> tuple[tuple[str, ...], ...]:
        """The tokens of each statement of the function that does something."""

    @abstractmethod
    def signature(self) -> tuple[str, ...]:
        """The types, where they matter, and defaults of the parameters that are used."""

    @abstractmethod
    def statement_nodes(self, function: "Node") -> "list[Node]":
        """The statements of a function's body that are not left out."""

    @abstractmethod
    def is_left_out(self, node: "Node") -> bool:
        """True if a statement does nothing: a comment, a log, an empty one."""

    @abstractmethod
    def inner(self, function: "Node") -> "Writer":
        """A writer for a helper that is inlined."""

    @property
    def parameter_names(self) -> tuple[str, ...]:
        return tuple(parameter.name for parameter in self.parameters if parameter.pattern is None)

    def this_class(self) -> Class | None:
        if self.grammar.receivers:
            return self.receiver[1] if self.receiver else None
        return self.around if self.is_method else None

    def is_this(self, node: "Node") -> bool:
        written = self.text(node) if node.end_byte - node.start_byte < 20 else ""
        if self.receiver is not None:
            return written == self.receiver[0]
        return written in self.grammar.this

    def note(self, literal: "Node") -> None:
        """Record that a literal is the source of the last token."""
        if self.literals is not None and self.depth == 0:
            self.literals[literal.start_byte, literal.end_byte] = self.out[-1]

    def member_parts(self, node: "Node") -> "tuple[Node | None, Node] | None":
        place = self.grammar.members.get(node.type)
        if place is None:
            return None
        if place == ("", ""):
            parts = [child for child in node.named_children if "comment" not in child.type]
            return (parts[0], parts[-1]) if len(parts) > 1 else None
        name = node.child_by_field_name(place[1])
        thing = node.child_by_field_name(place[0])
        if thing is None and node.children and not node.children[0].is_named:
            thing = node.children[0]  # C#: `this`
        return None if name is None else (thing, name)
