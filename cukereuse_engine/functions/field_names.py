"""Identifiers that name a field or a named argument, and no parameter or local of the function around them.

`User { name }` and `User { email }` differ, whatever the names of the parameters are.
"""

from enum import Enum, auto
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Node


class Naming(Enum):
    VALUE = auto()
    """The value of the name."""
    FIELD = auto()
    """A field or argument."""
    BOTH = auto()
    """A field and its value; or one of the two, as the key of a literal in Go."""


def assigned(node: "Node", around: "Node", kind: str) -> Naming:
    """FIELD if an identifier is given a value in a node of this kind."""
    named = (
        around.type == "assignment_expression" and is_of(around.parent, kind) and around.start_byte == node.start_byte
    )
    return Naming.FIELD if named else Naming.VALUE


def is_of(node: "Node | None", *kinds: str) -> bool:
    """True if the node is not None and has one of these types."""
    return node is not None and node.type in kinds
