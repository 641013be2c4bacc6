"""Finds the constant that contains an expression, and its other uses.

Every occurrence of the name in a file of the repository counts as a use, except the constant's own declaration, the
expressions that it gives, and comments and imports in these files. Imports, inheritance and aliases, which may show
that a namesake is another thing, are not followed: two attempts to do so were found to be wrong in some sixty ways. A
namesake refuses the rename, with its place; nothing else is rewritten.
"""

import os
import re
import stat
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from cukereuse_engine.functions.reading import parse
from cukereuse_engine.gherkin.discovery import discover
from cukereuse_engine.glue.definition import StepDefinition
from cukereuse_engine.glue.languages.base import language_for
from cukereuse_engine.glue.languages.source import Source, as_utf8
from cukereuse_engine.glue.languages.syntax_errors import SlowSourceError
from cukereuse_engine.glue.sources import glue_root

if TYPE_CHECKING:
    from tree_sitter import Node

_NO_CODE = (
    *(".feature", ".md", ".markdown", ".rst", ".txt", ".csv", ".json", ".yml", ".yaml", ".po", ".lock", ".svg", ".map"),
    *(".png", ".jpg", ".jpeg", ".gif", ".pdf", ".zip", ".jar", ".log"),
)
"""Endings of files that name no constant."""
_MAX_BYTES = 1_000_000
"""Maximum size of a file beside the sources: a larger one is generated, or no code."""
_DECLARING = re.compile(
    r"declarator|declaration|definition|assignment|_spec$|_item$|_case$|enum|variant|const_element|^pair$"
)
"""Types of nodes that give a name to what they contain."""
_NAMING = frozenset(("name", "left", "pattern", "key", "property", "body"))
"""Fields of these nodes with the name; `body`: TypeScript's members of an enumeration."""
_UNNAMED = re.compile(r"^(?:variable_declaration|enum_entry|const_element)$")
"""Types of such nodes whose grammar has no field for the name."""
_IMPORT = re.compile(r"import|export_specifier|use_declaration|namespace_use|using_directive|object_pattern")
_STATEMENT = re.compile(r"statement$|declaration$|body|block|argument")
_RENAMED = re.compile(rb"\s*(?:as\b|=|:|=>)")
_LINE_END = b"\n"
_REQUIRED = re.compile(r"require\s*\(")


@dataclass(frozen=True, slots=True)
class ExpressionConstant:
    """A constant that contains an expression. Offsets in bytes."""

    path: str
    source: bytes
    start: int
    """Start of its name in its declaration."""
    line: int
    """1-based."""
    value: tuple[int, int]
    """Start and end of its value."""

    @property
    def said(self) -> str:
        """The source text of its value."""
        return self.source[slice(*self.value)].decode("utf-8", "replace")


class UnknownConstantError(Exception):
    """The constant's value is not found, or there are several. The message says what is wrong with the name."""


class Constants:
    """The constants with one name in a repository."""

    def __init__(self, name: str, language: str, paths: Sequence[str], read: Callable[[str], bytes]) -> None:
        """`paths`: all sources in glue languages; `read` gives the bytes of any file, and may raise `OSError`."""
        self._name = name.encode()
        self._word = re.compile(rb"(?<!\w)" + re.escape(self._name) + rb"(?![\w$])")
        self._language = language
        self._paths, self._read = paths, read
        self._unread: list[str] = []
        """Files that can't be read: they may use it."""

    @cached_property
    def _holding(self) -> dict[str, bytes]:
        """The files that contain the name, with their bytes."""
        holding: dict[str, bytes] = {}
        for path in (*self._paths, *_others(self._paths)):
            self._look(path, holding)
        return holding

    def _look(self, path: str, holding: dict[str, bytes]) -> None:
        try:
            data = self._read(path)
        except IsADirectoryError:  # `discover` returns folders that it can't list, too
            return
        except OSError:
            self._unread.append(path)
            return
        data = as_utf8(data)
        if self._name in data:
            holding[path] = data

    def only(self) -> ExpressionConstant:
        """The constant with this name, with its value. Raises `UnknownConstantError` if there is none or several."""
        constants = [
            constant
            for path, data in self._holding.items()
            if (spoken := language_for(path)) is not None and spoken.id == self._language
            for constant in self._declared(path, data)
        ]
        if len(constants) != 1:
            places = ", ".join(f"{constant.path}:{constant.line}" for constant in constants[:3])
            why = f"which gets several values ({places})" if constants else "which is defined nowhere that can be read"
            raise UnknownConstantError(f"{why}; write it as one string")
        return constants[0]

    def _declared(self, path: str, data: bytes) -> Iterator[ExpressionConstant]:
        source = self._parsed(path, data, self._language)
        if source is None:
            return
        for start, end in self._places(data):
            node = source.root.descendant_for_byte_range(start, end)
            parent = node.parent if node is not None else None
            if node is None or parent is None or (node.start_byte, node.end_byte) != (start, end):
                continue
            value = _value(node, parent) if _declares(node, parent) else None
            if value is not None and not _has_another_name(parent, value):
                place = value.start_byte, value.end_byte
                yield ExpressionConstant(path, data, start, node.start_point.row + 1, place)

    def _places(self, data: bytes) -> Iterator[tuple[int, int]]:
        """The places of the name as a word; a `$` before it may insert it into a string."""
        return (match.span() for match in self._word.finditer(data))

    def _parsed(self, path: str, data: bytes, language: str) -> Source | None:
        try:
            return parse(path, data, language)
        except SlowSourceError:
            self._unread.append(path)
            return None

    def users(self, constant: ExpressionConstant, definitions: Collection[StepDefinition]) -> list[str]:
        """Places that may use it apart from the expressions of `definitions`, as `path:line`, sorted."""
        ours = {(definition.path, definition.literal.end_byte) for definition in definitions} | {
            (constant.path, constant.start + len(self._name))
        }
        homes = {path for path, _ in ours}
        used = list(dict.fromkeys(self._unread))
        for path, data in self._holding.items():
            spoken = language_for(path)
            source = self._parsed(path, data, spoken.id) if path in homes and spoken is not None else None
            for start, end in self._places(data):
                is_value = path == constant.path and constant.value[0] <= start < constant.value[1]
                if is_value or (path, end) in ours or (source is not None and _is_no_use(source, start, end)):
                    continue
                used.append(f"{path}:{data[:start].count(_LINE_END) + 1}")
                if source is None:
                    break  # one place is enough, and a bundle has thousands
        return list(dict.fromkeys(used))


def _others(paths: Sequence[str]) -> Iterator[str]:
    """The repository's other files, which may name a constant."""
    if not paths or not os.path.exists(paths[0]):  # noqa: PTH110 - sources in memory only
        return
    absolute = {os.path.abspath(path) for path in paths}  # noqa: PTH100
    root = glue_root(os.path.dirname(paths[0]))  # noqa: PTH120
    for path in discover([os.path.relpath(root)], suffixes=("",)):
        if os.path.abspath(path) in absolute or path.endswith(_NO_CODE):  # noqa: PTH100
            continue
        try:
            status = os.stat(path)  # noqa: PTH116
        except OSError:
            continue  # a link to nothing
        if stat.S_ISREG(status.st_mode) and status.st_size <= _MAX_BYTES:
            yield path


def _has_another_name(holder: "Node", value: "Node") -> bool:
    """True for `L = LOGIN = "…"`: uses of the other name are not searched."""
    above = holder.parent
    return any(node is not None and node.type.startswith("assignment") for node in (above, value))


def _is_no_use(source: Source, start: int, end: int) -> bool:
    """True in a comment, or if the constant is imported or exported under its name."""
    node = source.root.descendant_for_byte_range(start, end)
    if node is None:
        return False
    if "comment" in node.type:
        return True
    parent = node.parent
    if "shorthand_property_identifier" in node.type and parent is not None and _is_exported(source, parent):
        return True
    for above in _above(node):
        if above.type == "object_pattern":
            value = above.parent.child_by_field_name("value") if above.parent is not None else None
            required = value is not None and _REQUIRED.match(source.text(value)) is not None
            return required and _RENAMED.match(source.source, end) is None
        if _IMPORT.search(above.type):
            before = source.source[max(0, start - 8) : start]
            return _RENAMED.match(source.source, end) is None and not re.search(rb"(?:\bas|=)\s*$", before)
        if _STATEMENT.search(above.type):
            return False
    return False


def _is_exported(source: Source, node: "Node") -> bool:
    above = node.parent
    left = above.child_by_field_name("left") if above is not None and above.type == "assignment_expression" else None
    return left is not None and source.text(left) in ("module.exports", "exports")


def _above(node: "Node") -> "Iterator[Node]":
    above = node.parent
    while above is not None:
        yield above
        above = above.parent


def _field(node: "Node", parent: "Node") -> str | None:
    number = next((number for number, child in enumerate(parent.children) if child == node), -1)
    return parent.field_name_for_child(number) if number >= 0 else None


def _declares(node: "Node", parent: "Node") -> bool:
    if parent.type == "expression_list":
        above = parent.parent
        return above is not None and _field(parent, above) == "left"
    if _UNNAMED.search(parent.type):
        return parent.named_children[0] == node
    if parent.type == "pair" and node.type not in ("property_identifier", "hash_key_symbol"):
        return False
    return _DECLARING.search(parent.type) is not None and _field(node, parent) in _NAMING


def _value(node: "Node", parent: "Node") -> "Node | None":
    above = parent.parent
    wrapped = parent.type in ("variable_declaration", "expression_list") and above is not None
    holder = above if wrapped and above is not None else parent
    for field in ("value", "right", "default"):
        value = holder.child_by_field_name(field)
        if value is not None:
            alone = value.type == "expression_list" and value.named_child_count == 1
            return value.named_children[0] if alone else value
    after = [child for child in holder.named_children if child.start_byte >= node.end_byte]
    return after[-1] if after else None
