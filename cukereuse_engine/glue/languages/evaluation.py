"""The value of a string expression: literals, concatenations and constants, without running it.

Languages whose strings are built with an operator and named constants share this module. It reads no other file: the
constants of others are given. It never guesses: an unknown value is None.
"""

import re
from collections.abc import Callable, Iterable, Set
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from cukereuse_engine.glue.definition import Constant
from cukereuse_engine.glue.languages.collector import Value
from cukereuse_engine.glue.languages.source import ConstantNames, Source

if TYPE_CHECKING:
    from tree_sitter import Node

_MAX_PARTS = 1000
"""Maximum number of parts of one expression: it bounds constants that name each other."""
_MAX_CLOSED = 5
"""Maximum number of open strings that are blanked out in one file; a person leaves one open at a time."""


@dataclass(frozen=True, slots=True)
class Name:
    """A constant, by its last name."""

    text: str
    owner: str = ""
    """The name before the last: of a class, an object, a module."""


def name_of(source: Source, node: "Node") -> Name | None:
    """The constant that `NAME`, `Owner.NAME` or `Owner::NAME` is; None for another expression."""
    text = source.text(node)
    if not _DOTTED.fullmatch(text):
        return None
    *owners, last = re.split(r"\s*(?:\.|::|\\)\s*", text)
    return Name(last, owners[-1] if owners and owners[-1].lower() not in _ITSELF else "")


_DOTTED = re.compile(r"\\?\w+(?:\s*(?:\.|::|\\)\s*\w+)*")
_ITSELF = frozenset({"this", "self", "static", "companion"})


Parts: TypeAlias = "list[str | Name | Node]"
"""The parts of an expression: texts, constants and further expressions, in order."""


class Evaluator:
    """Evaluates the string expressions of one file."""

    def __init__(
        self,
        source: Source,
        *,
        literals: frozenset[str],
        parts: "Callable[[Source, Node], Parts | None]",
        constants: "Callable[[Source], Iterable[tuple[str, Node]]]",
    ) -> None:
        """`literals`: node types of string literals. `parts`: the parts of an expression, or None if they are unknown.
        `constants`: the file's constants with their expressions.
        """
        self._source = source
        self._literals = literals
        self._parts = parts
        self._read_constants = constants
        self._constants: dict[str, Node | None] | None = None

    def value(self, node: "Node") -> Value | None:
        while node.type == "parenthesized_expression" and node.named_child_count == 1:
            node = node.named_children[0]
        if node.type in self._literals:
            parts = self._parts(self._source, node)
            if parts is not None and len(parts) == 1 and isinstance(parts[0], str):
                return Value(parts[0], node)
        text = self._text(node)
        return None if text is None else Value(text, node, rewritable=False)

    def _text(self, node: "Node") -> str | None:
        texts: list[str] = []
        waiting: Parts = [node]
        for _ in range(_MAX_PARTS):
            if not waiting:
                return "".join(texts)
            part = waiting.pop()
            if isinstance(part, str):
                texts.append(part)
                continue
            expression = self.constant(part.text) if isinstance(part, Name) else part
            if isinstance(part, Name) and expression is None:
                elsewhere = self._elsewhere(part)
                if elsewhere is None:
                    return None
                texts.append(elsewhere)
                continue
            parts = self._parts(self._source, expression) if expression is not None else None
            if parts is None:
                return None
            waiting.extend(reversed(parts))
        return None

    def _elsewhere(self, name: Name) -> str | None:
        """The value of a constant in another source. A name in lower case without an owner is a variable: unknown."""
        if name.text in (self._constants or ()) or (name.text == name.text.lower() and not name.owner):
            return None
        constant = self._source.names.get(name.text, name.owner)
        return constant.text if constant is not None and not constant.is_function else None

    def constants(self, names: Set[str]) -> list[Constant]:
        """The values of these names in the file; a name with several values is left out."""
        constants = []
        for name in sorted(names):
            node = self.constant(name)
            text = self._text(node) if node is not None else None
            if node is not None and text is not None:
                constants.append(Constant(name, _owner_of(self._source, node), self._source.path, text))
        return constants

    def constant(self, name: str) -> "Node | None":
        """The expression of a constant; None if the constant is unknown or defined twice."""
        if self._constants is None:
            self._constants = {}
            for constant_name, expression in self._read_constants(self._source):
                earlier = self._constants.get(constant_name, expression)
                same = earlier is not None and self._source.text(earlier) == self._source.text(expression)
                self._constants[constant_name] = expression if same else None
        return self._constants.get(name)


def _owner_of(source: Source, node: "Node") -> str:
    """The name of the class, object or module around a node."""
    around = node.parent
    while around is not None:
        name = around.child_by_field_name("name")
        if name is not None and re.search("class|interface|object|module|enum|trait|record|struct", around.type):
            return source.text(name)
        around = around.parent
    return ""


def close_strings(
    path: str, source: bytes, grammar: str, one_line: frozenset[str], names: ConstantNames | None = None
) -> Source:
    """Parse a file whose last edit may have left a string open.

    In languages whose plain strings end with their line, tree-sitter reads an open one up to the next quote and so
    swallows the definitions after it. Such a string is blanked out up to the end of its line, and the file read again;
    offsets stay. `one_line` are the node types of plain strings.
    """
    parsed = Source(path, source, grammar, names=names)
    for _ in range(_MAX_CLOSED):
        broken = next((node for node in parsed.nodes(*one_line) if _is_open(parsed.source, node)), None)
        if broken is None:
            break
        start = broken.start_byte
        end = parsed.source.find(b"\n", start)
        end = end if end >= 0 else len(parsed.source)
        parsed = Source(path, parsed.source[:start] + b" " * (end - start) + parsed.source[end:], grammar, names=names)
    return parsed


def _is_open(source: bytes, node: "Node") -> bool:
    text = source[node.start_byte : node.end_byte]
    return b"\n" in text and not text.startswith(b'"""')
