"""Identifiers that name a field or a named argument, and no parameter or local of the function that writes them.

`User { name }` and `User { email }` are other things however the parameter is called that each is given.
"""

from enum import Enum, auto
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Node


class Naming(Enum):
    VALUE = auto()
    """What the name stands for."""
    FIELD = auto()
    """A field or argument."""
    BOTH = auto()
    """A field, and what it is given; or one of the two, as the key of a literal in Go."""


def naming_of(node: "Node", language: str) -> Naming:
    """What an identifier names where it stands."""
    name = _BY_LANGUAGE.get(language)
    around = node.parent if name is not None else None
    return name(node, around) if name is not None and around is not None else Naming.VALUE


def _rust(node: "Node", around: "Node") -> Naming:
    """What a macro is handed is parsed no further than into tokens."""
    if around.type == "shorthand_field_initializer":
        return Naming.BOTH
    if around.type == "token_tree" and (_is(node.prev_sibling, ".", "::") or _is(node.next_sibling, ":")):
        return Naming.FIELD
    return Naming.VALUE


def _csharp(node: "Node", around: "Node") -> Naming:
    if around.type == "anonymous_object_creation_expression":
        is_value = _is(node.prev_sibling, "=")
        return Naming.VALUE if is_value else Naming.FIELD if _is(node.next_sibling, "=") else Naming.BOTH
    return _assigned(node, around, "initializer_expression")


def _scala(node: "Node", around: "Node") -> Naming:
    return _assigned(node, around, "arguments")


def _assigned(node: "Node", around: "Node", kind: str) -> Naming:
    named = around.type == "assignment_expression" and _is(around.parent, kind) and around.start_byte == node.start_byte
    return Naming.FIELD if named else Naming.VALUE


def _go(node: "Node", around: "Node") -> Naming:
    """A key is a field of a struct, or what a map's key holds."""
    keyed = around.parent if around.type == "literal_element" else None
    if keyed is None or keyed.type != "keyed_element" or keyed.start_byte != node.start_byte:
        return Naming.VALUE
    literal = keyed.parent.parent if keyed.parent is not None else None
    type_node = literal.child_by_field_name("type") if _is(literal, "composite_literal") and literal else None
    return Naming.VALUE if _is(type_node, "map_type") else Naming.BOTH


def _is(node: "Node | None", *kinds: str) -> bool:
    return node is not None and node.type in kinds


_BY_LANGUAGE = {"rust": _rust, "csharp": _csharp, "scala": _scala, "go": _go}
