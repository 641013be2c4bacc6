"""Writes one function as the tokens of its normal form.

`writer` holds the state while a function is written; `nodes` writes its nodes, with `strings`, `calls`, `step_calls`;
`scope` and `lookup` tell what names mean.
"""

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from cukereuse_engine.functions.calls import replaced
from cukereuse_engine.functions.logs import Logging, logging_of, only_reads, without_logged
from cukereuse_engine.functions.nodes import writer_of
from cukereuse_engine.functions.scope import declare_parameters, receiver_of
from cukereuse_engine.functions.syntax import JUMPS, body_of
from cukereuse_engine.functions.tokens import CLOSE, LOGS, OPEN, PARAMETER
from cukereuse_engine.functions.writer import File, Writer

if TYPE_CHECKING:
    from tree_sitter import Node

_SAID = re.compile(r"\w+")
_ALL_ARGUMENTS = frozenset(("arguments", "func_get_args", "locals", "binding", "args", "kwargs"))
"""How a function names all of its arguments at once."""


_DISCARD = re.compile(r"(?:let\s+)?_\s*=\s*\w+\s*;?")


class NormalFormWriter(Writer):
    """Writes the form of one function; see `statements`."""

    def __init__(
        self,
        file: File,
        function: "Node",
        captured: frozenset[str] | None = None,
        depth: int = 0,
        active: frozenset[int] = frozenset(),
    ) -> None:
        """`captured`: names of the parameters that are arguments of the step, the others being fixtures; None: all."""
        super().__init__(file, function, captured, depth, active)
        declare_parameters(self)
        self.receiver = receiver_of(self)
        self._logs: list[Node] = []

    def statements(self) -> tuple[tuple[str, ...], ...]:
        nodes = self.statement_nodes(self.function)
        written = {}
        for node in sorted(nodes, key=lambda node: node.id in self.only_logged):  # so others keep their numbers
            self.out = []
            self.emit(node)
            written[node.id] = tuple(self.out)
        statements = [written[node.id] for node in nodes if written[node.id]]
        if len(statements) == 1:
            put_in_place = replaced(self, nodes)
            statements = list(put_in_place) if put_in_place is not None else statements
        if statements and self.grammar.tail_is_result:
            statements[-1] = _without_jumps(statements[-1])
        return tuple(statement for statement in statements if statement)

    def signature(self) -> tuple[str, ...]:
        """The types, where they matter, and defaults of the parameters that are used; in Rust also the return type,
        whose value rstest-bdd hands to later steps."""
        tokens: list[str] = []
        for index, parameter in enumerate(parameter for parameter in self.parameters if parameter.pattern is None):
            if index not in self.used:
                continue
            if self.grammar.typed and parameter.type and parameter.type.lstrip("?") not in self.grammar.vague_types:
                tokens += [f"{PARAMETER}{index}", "t" + self.file.names.type_name(parameter.type)]
            if parameter.default is not None:
                self.out = []
                self.emit(parameter.default)
                tokens += [f"{PARAMETER}{index}", *self.out]
        result = self.function.child_by_field_name(self.grammar.result) if self.grammar.result else None
        if result is not None and "()" not in self.text(result):
            tokens.append("t" + self.file.names.type_name(self.text(result)))
        return tuple(tokens)

    def unused(self) -> tuple[str, ...]:
        """The names of parameters that the body never uses, not even in a log."""
        body = body_of(self.function, self.grammar)
        names = set(_SAID.findall(self.text(body))) if body is not None else set()
        if not _ALL_ARGUMENTS.isdisjoint(names):
            return ()
        return tuple(
            parameter.name
            for parameter in self.parameters
            if parameter.pattern is None and parameter.name and parameter.name not in names
        )

    def statement_nodes(self, function: "Node") -> "list[Node]":
        body, logs = body_of(function, self.grammar), len(self._logs)
        nodes = list(self._statements_in(body, function)) if body is not None else []
        nodes = without_logged(self, function, nodes) if len(self._logs) > logs else nodes
        told_by = {self.doubtful[node.id] for node in nodes if node.id in self.doubtful}
        if len(told_by) == 1:
            sure = [node for node in nodes if node.id not in self.doubtful]
            kept = {node.id for node in without_logged(self, function, sure)}
            self.only_logged.update(dict.fromkeys({node.id for node in sure} - kept, told_by.pop()))
        return nodes

    def _statements_in(self, body: "Node", function: "Node") -> "Iterable[Node]":
        transparent = self.grammar.blocks | {"statement_list", "function_body", "arrow_expression_clause"}
        if body.type not in transparent and body.id != function.id:
            if not self.is_left_out(body):
                yield body
            return
        parameters = function.child_by_field_name("parameters")
        for child in body.named_children:
            if child.type in ("statement_list", "block", "body_statement", "block_body") and child.type in transparent:
                yield from self._statements_in(child, function)
            elif child != parameters and not self.is_left_out(child):
                yield child

    def is_left_out(self, node: "Node") -> bool:
        kind = node.type
        if "comment" in kind or kind in self.grammar.dropped or kind in ("pass_statement", "empty_statement", ";"):
            return True
        if kind in ("parameters", "block_parameters", "lambda_parameters", "parameter_list", "attribute_list"):
            return True
        if self.grammar.discards and _DISCARD.fullmatch(self.text(node)):
            return True
        if kind == "expression_statement" and self.grammar.docstrings:
            inner = node.named_children[0] if node.named_child_count == 1 else None
            if inner is not None and inner.type in ("string", "concatenated_string", "ellipsis"):
                return True
        if kind.startswith(("if", "for", "while")):
            return self._only_logs(node)
        if kind.startswith(("try", "local_", "let_", "return", "assignment", "lexical")):
            return False
        logging = logging_of(self, node)
        if logging is Logging.YES:
            self._logs.append(node)
        return logging is Logging.YES

    def _only_logs(self, node: "Node") -> bool:
        """True if all that a condition or a loop does is to log: it ends with its block, and before that it only reads
        values."""
        parts = [child for child in node.named_children if "comment" not in child.type]
        if (
            not parts
            or parts[-1].type not in self.grammar.blocks
            or not all(only_reads(self, part) for part in parts[:-1])
        ):
            return False
        logs = len(self._logs)
        is_left_out = [self.is_left_out(child) for child in parts[-1].named_children]
        return len(self._logs) > logs and all(is_left_out)

    def logs(self) -> list[tuple[str, ...]]:
        """The tokens of the logs that `statements` leaves out."""
        logs = []
        for node in self._logs:
            self.out = []
            self.emit(node)
            logs.append(tuple(self.out))
        return logs

    def inner(self, function: "Node") -> "NormalFormWriter":
        return NormalFormWriter(self.file, function, None, self.depth + 1, self.active)

    def emit(self, node: "Node") -> None:
        if node.id in self.doubtful or node.id in self.only_logged:
            self.out.append(LOGS)
            if self.doubtful.pop(node.id, None) is None:
                self.out.append(self.only_logged.pop(node.id))
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


def _without_jumps(statement: tuple[str, ...]) -> tuple[str, ...]:
    """`return await x` as `x`."""
    while len(statement) > 3 and statement[0][:1] == OPEN and statement[0][1:] in JUMPS and statement[-1] == CLOSE:
        statement = statement[2 if statement[1] in ("=return", "=await") else 1 : -1]
    return statement
