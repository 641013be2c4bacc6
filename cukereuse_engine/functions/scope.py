"""The names that a function defines: parameters, fixtures, locals."""

from typing import TYPE_CHECKING

from cukereuse_engine.functions.classes import Class
from cukereuse_engine.functions.tokens import (
    LOCAL,
    NAME,
    PARAMETER,
)
from cukereuse_engine.functions.writer import Writer

if TYPE_CHECKING:
    from tree_sitter import Node


def declare_parameters(writer: Writer) -> None:
    index = 0
    for parameter in writer.parameters:
        if parameter.pattern is not None:
            _declare_fixtures(writer, parameter.pattern)
            continue
        fixture = writer.captured is not None and parameter.name not in writer.captured
        writer.scope[parameter.name] = f"{NAME}{parameter.name}" if fixture else f"{PARAMETER}{index}"
        if fixture:
            writer.used.add(index)
        index += 1


def _declare_fixtures(writer: Writer, pattern: "Node") -> None:
    for child in pattern.named_children:
        key, value = child.child_by_field_name("key"), child.child_by_field_name("value")
        left = child.child_by_field_name("left")
        local = value if value is not None else left if left is not None else child
        writer.scope[writer.text(local)] = NAME + writer.text(
            key if key is not None else left if left is not None else child
        )


def receiver_of(writer: Writer) -> tuple[str, Class | None] | None:
    receiver = writer.function.child_by_field_name("receiver") if writer.grammar.receivers else None
    if receiver is None:
        return None
    names = writer.file.source.nodes("identifier", within=receiver)
    types = writer.file.source.nodes("type_identifier", within=receiver)
    if not names or not types:
        return None
    owner = f"{writer.file.names.unit}:{writer.text(types[0])}"
    owning = next((class_ for class_ in writer.file.names.classes if class_.id == owner), None)
    return writer.text(names[0]), owning


def declare(writer: Writer, node: "Node") -> None:
    """Declare the names in a pattern as locals."""
    if node.child_count == 0 or node.type == "variable_name":
        if node.type in writer.grammar.names or node.type in (
            "shorthand_property_identifier_pattern",
            "variable_name",
        ):
            name = writer.text(node)
            if name[:1] not in "@$" or node.type == "variable_name":
                add_local(writer, name)
        return
    if node.type in writer.grammar.members or node.type in (
        "subscript",
        "subscript_expression",
        "element_reference",
        "call",
    ):
        return
    if node.type == "pair_pattern":
        value = node.child_by_field_name("value")
        if value is not None:
            declare(writer, value)
        return
    for child in node.named_children:
        if not child.type.endswith(("type", "annotation")) and child.type != "call":
            declare(writer, child)


def add_local(writer: Writer, name: str) -> None:
    if writer.scope.get(name, "")[:1] == PARAMETER and writer.grammar.assigned_locals:
        return  # it gets another value
    if writer.grammar.assigned_locals and name in writer.scope:
        return
    writer.scope[name] = f"{LOCAL}{writer.locals}"
    writer.locals += 1
