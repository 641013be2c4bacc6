"""Writes one function as the tokens of its normal form.

`Writer` holds what is known while a function is written; `nodes` writes its nodes, with `strings`, `calls`,
`step_calls`; `scope` and `lookup` tell what names refer to.
"""

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from cukereuse_engine.functions.calls import replaced
from cukereuse_engine.functions.classes import Class
from cukereuse_engine.functions.grammars import TRANSPARENT, Grammar, is_noise
from cukereuse_engine.functions.logs import Logging, logging_of
from cukereuse_engine.functions.names import Names
from cukereuse_engine.functions.nodes import Write, writer_of
from cukereuse_engine.functions.parameters import parameters_of
from cukereuse_engine.functions.scope import declare_parameters, go_receiver
from cukereuse_engine.functions.syntax import JUMPS, body_of
from cukereuse_engine.functions.tokens import (
    CLOSE,
    LOGS,
    OPEN,
    PARAMETER,
    SIGN,
)
from cukereuse_engine.glue.languages.source import Source

if TYPE_CHECKING:
    from tree_sitter import Node

_SAID = re.compile(r"\w+")
_ALL_ARGUMENTS = frozenset(("arguments", "func_get_args", "locals", "binding", "args", "kwargs"))
"""How a function says its arguments without their names."""


class File:
    """What the writers of one file share."""

    def __init__(self, source: Source, grammar: Grammar, language: str, names: Names) -> None:
        self.source, self.grammar, self.language, self.names = source, grammar, language, names
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
        """The token of an operator or keyword; empty for one that says nothing."""
        cached = self._signs.get(kind)
        if cached is None:
            cached = "" if is_noise(kind) else "this" if kind in ("this", "base") else SIGN + kind
            self._signs[kind] = cached
        return cached


class Writer:
    """The form of one function; see `statements`."""

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
        self.is_method = self.around is not None and (
            file.language not in ("javascript", "typescript") or function.type == "method_definition"
        )
        self.out: list[str] = []
        self.scope: dict[str, str] = {}
        self.locals = 0
        self.used: set[int] = set()
        self.mentions: set[str] = set()
        self.literals: dict[tuple[int, int], str] | None = None
        """Where it is asked for: the place of each plain literal of the function itself, to its token."""
        self.doubtful: set[int] = set()
        """Statements, by the id of their nodes, that log unless other files tell otherwise."""
        self.steps: list[str] = []
        self.step_arguments: list[tuple[str, ...]] = []
        self.parameters = parameters_of(function, file.language, file.text)
        if (
            file.language == "python"
            and self.parameters
            and self.around is not None
            and self.parameters[0].name == "self"
        ):
            self.parameters = self.parameters[1:]
        self.captured = captured
        declare_parameters(self)
        self.receiver = go_receiver(self)
        self.closure: dict[str, tuple[str, Node | None]] | None = None

    @property
    def parameter_names(self) -> tuple[str, ...]:
        return tuple(parameter.name for parameter in self.parameters if parameter.pattern is None)

    def statements(self) -> tuple[tuple[str, ...], ...]:
        body = body_of(self.function, self.grammar)
        if body is None:
            return ()
        statements: list[tuple[str, ...]] = []
        nodes = list(self.statement_nodes(body))
        for node in nodes:
            self.out = []
            self.emit(node)
            if self.out:
                statements.append(tuple(self.out))
        if len(statements) == 1:
            put_in_place = replaced(self, nodes)
            statements = list(put_in_place) if put_in_place is not None else statements
        if statements and self.grammar.tail_is_result:
            statements[-1] = _without_jumps(statements[-1])
        return tuple(statement for statement in statements if statement)

    def signature(self) -> tuple[str, ...]:
        """Types where they matter, and defaults, of the parameters that are used."""
        tokens: list[str] = []
        for index, parameter in enumerate(parameter for parameter in self.parameters if parameter.pattern is None):
            if index not in self.used:
                continue
            if self.grammar.typed and parameter.type and not self._says_nothing(parameter.type):
                tokens += [f"{PARAMETER}{index}", "t" + self.file.names.type_name(parameter.type)]
            if parameter.default is not None:
                self.out = []
                self.emit(parameter.default)
                tokens += [f"{PARAMETER}{index}", *self.out]
        return tuple(tokens)

    def _says_nothing(self, written: str) -> bool:
        return self.file.language == "php" and written.lstrip("?") in (
            "string",
            "int",
            "float",
            "bool",
            "mixed",
            "array",
        )

    def unused(self) -> tuple[str, ...]:
        """Names of parameters that the body never says, not even to a log."""
        body = body_of(self.function, self.grammar)
        said = set(_SAID.findall(self.text(body))) if body is not None else set()
        if not _ALL_ARGUMENTS.isdisjoint(said):
            return ()
        return tuple(
            parameter.name
            for parameter in self.parameters
            if parameter.pattern is None and parameter.name and parameter.name not in said
        )

    def statement_nodes(self, body: "Node") -> "Iterable[Node]":
        transparent = self.grammar.blocks | {"statement_list", "function_body", "arrow_expression_clause"}
        if body.type not in transparent and not (body.type == "block" and body.id == self.function.id):
            if not self.is_left_out(body):
                yield body
            return
        for child in body.named_children:
            if child.type in ("statement_list", "block", "body_statement", "block_body") and child.type in transparent:
                yield from self.statement_nodes(child)
            elif not self.is_left_out(child):
                yield child

    def is_left_out(self, node: "Node") -> bool:
        kind = node.type
        if "comment" in kind or kind in self.grammar.dropped or kind in ("pass_statement", "empty_statement", ";"):
            return True
        if kind in ("parameters", "block_parameters", "lambda_parameters", "parameter_list", "attribute_list"):
            return True
        if kind == "expression_statement" and self.file.language == "python":
            inner = node.named_children[0] if node.named_child_count == 1 else None
            if inner is not None and inner.type in ("string", "concatenated_string", "ellipsis"):
                return True
        if kind.startswith(("if", "for", "while", "try", "local_", "let_", "return", "assignment", "lexical")):
            return False
        logging = logging_of(self, node)
        if logging is Logging.MAYBE:
            self.doubtful.add(node.id)
        return logging is Logging.YES

    def this_class(self) -> Class | None:
        if self.file.language == "go":
            return self.receiver[1] if self.receiver else None
        return self.around if self.is_method else None

    def inner(self, function: "Node") -> "Writer":
        """What writes a helper that is put in place."""
        return Writer(self.file, function, None, self.depth + 1, self.active)

    def is_this(self, node: "Node") -> bool:
        written = self.text(node) if node.end_byte - node.start_byte < 20 else ""
        if self.receiver is not None:
            return written == self.receiver[0]
        return written in self.grammar.this

    def emit(self, node: "Node") -> None:
        if node.id in self.doubtful:
            self.doubtful.discard(node.id)
            self.out.append(LOGS)
            self.emit(node)
            self.out.append(CLOSE)
            return
        kind = node.type
        if not node.is_named:
            token = self.file.sign(kind)
            if token:
                self.out.append(token)
            return
        write = self.file.writers.get(kind)
        if write is None:
            write = self.file.writers[kind] = writer_of(kind, self.grammar)
        write(self, node, kind)

    def note(self, literal: "Node") -> None:
        """The last token is all that a literal says."""
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


def _without_jumps(statement: tuple[str, ...]) -> tuple[str, ...]:
    """`return await x` as `x`."""
    while len(statement) > 3 and statement[0][:1] == OPEN and statement[0][1:] in JUMPS and statement[-1] == CLOSE:
        statement = statement[2 if statement[1] in ("=return", "=await") else 1 : -1]
    return statement
