"""The writers for each type of node."""

import re
from typing import TYPE_CHECKING

from cukereuse_engine.functions.calls import handed_on
from cukereuse_engine.functions.field_names import Naming
from cukereuse_engine.functions.grammar import Grammar, is_noise
from cukereuse_engine.functions.lookup import look_up, write_member
from cukereuse_engine.functions.parameters import Parameter, parameters_of
from cukereuse_engine.functions.scope import add_local, declare
from cukereuse_engine.functions.step_calls import write_step_call
from cukereuse_engine.functions.strings import write_joined, write_string
from cukereuse_engine.functions.tokens import (
    CLOSE,
    LOCAL,
    MEMBER,
    NAME,
    OPEN,
    SIGN,
    VALUE,
    own,
)
from cukereuse_engine.functions.writer import Write, Writer

if TYPE_CHECKING:
    from tree_sitter import Node

_ARGUMENTS = frozenset(("value_argument", "argument"))
"""An argument of a call, with or without the name of its parameter."""
_ASSERTED = frozenset(("non_null_expression", "as_expression", "satisfies_expression"))
"""Everything after the first child is for the compiler only."""


def _nothing(writer: Writer, _node: "Node", _kind: str) -> None:
    """For nodes that do nothing when they run."""


def _value(writer: Writer, node: "Node", _kind: str) -> None:
    writer.out.append(VALUE + writer.text(node))
    writer.note(node)


def _type(writer: Writer, node: "Node", _kind: str) -> None:
    writer.out.append(NAME + writer.file.names.type_name(writer.text(node)))


def _other(writer: Writer, node: "Node", kind: str) -> None:
    if kind in ("keyword_argument", "pair", "named_argument") and _write_pair(writer, node):
        return
    children = node.children
    if not children:
        _leaf(writer, node, kind)
        return
    if kind in _ARGUMENTS and len(children) > 2 and children[1].type in ("=", ":") and not children[0].child_count:
        writer.out.append(MEMBER + writer.text(children[0]))  # the name of an argument is no variable
        _write_all(writer, children[2:], kind)
        return
    if kind in _ASSERTED:
        writer.emit(children[0])
        return
    _declare_names(writer, node)
    if kind == "concatenated_string" and write_joined(writer, children):
        return
    if kind in writer.file.transparent:
        _write_all(writer, children, kind)
        return
    writer.out.append(OPEN + kind)
    _write_all(writer, children, kind)
    writer.out.append(CLOSE)


def _declare_names(writer: Writer, node: "Node") -> None:
    for declaring in (node, *(child for child in node.children if child.type == "for_in_clause")):
        place = writer.grammar.declares.get(declaring.type)
        if place is not None:
            _declare_at(writer, declaring, place)


def _leaf(writer: Writer, node: "Node", kind: str) -> None:
    if kind in ("this", "writer"):
        writer.out.append("this")
    elif kind == "super" and writer.around is not None:
        writer.out.append(own(",".join(writer.around.parents) or writer.around.id, kind))
    elif "interpolation_" not in kind and kind != "optional_chain" and not is_noise(kind):
        writer.out.append(SIGN + writer.text(node))


def _write_all(writer: Writer, children: "list[Node]", kind: str) -> None:
    statements = kind in writer.file.statement_lists
    for child in children:
        if not (statements and child.is_named and writer.is_left_out(child)):
            writer.emit(child)


def _declare_at(writer: Writer, node: "Node", place: str) -> None:
    if place == "*":
        targets = node.named_children
    elif place:
        targets = node.children_by_field_name(place)
    else:
        targets = node.named_children[:1]
    for target in targets:
        declare(writer, target)


def _write_pair(writer: Writer, node: "Node") -> bool:
    """Write a named argument, whose name is no variable."""
    name = node.child_by_field_name("name") or node.child_by_field_name("key")
    value = node.child_by_field_name("value")
    if name is None or (name.child_count and name.type != "string"):
        return False
    if value is None:  # Ruby: `name:` for `name: name`
        writer.out.append(MEMBER + writer.text(name).strip(":"))
        look_up(writer, writer.text(name).strip(":"))
        return True
    writer.out.append(MEMBER + writer.text(name).strip("'\":"))
    writer.emit(value)
    return True


def _naming(writer: Writer, node: "Node") -> Naming:
    """The meaning of an identifier at its place."""
    around = node.parent if writer.grammar.naming is not None else None
    return (
        writer.grammar.naming(node, around)
        if writer.grammar.naming is not None and around is not None
        else Naming.VALUE
    )


def _name(writer: Writer, node: "Node", kind: str) -> None:
    name = writer.text(node)
    naming = _naming(writer, node)
    if naming is not Naming.VALUE:
        writer.out.append(MEMBER + name)
    if naming is Naming.FIELD:
        return
    if kind in ("instance_variable", "global_variable", "class_variable"):
        writer.out.append(NAME + name)
    elif writer.grammar.sigils:
        writer.out.append(NAME + writer.file.names.type_name(name))
    else:
        if kind.startswith("shorthand"):
            writer.out.append(MEMBER + name)
        look_up(writer, name, is_called=_is_called(writer, node))


def _is_called(writer: Writer, node: "Node") -> bool:
    around = node.parent
    fields = writer.grammar.calls.get(around.type) if around is not None else None
    called = around.child_by_field_name(fields[0]) if around is not None and fields is not None else None
    return called is not None and called.id == node.id


def _variable(writer: Writer, node: "Node", _kind: str) -> None:
    """Write PHP's `$name`: a parameter or a local."""
    name = writer.text(node).lstrip("$")
    if name == "this":
        writer.out.append("this")
        return
    if name not in writer.scope:
        add_local(writer, name)
    look_up(writer, name)


def _member_or_call(writer: Writer, node: "Node", _kind: str) -> None:
    parts = writer.member_parts(node)
    if parts is not None:
        _member(writer, *parts)
        if node.type in writer.grammar.calls:
            _write_rest_of_call(writer, node)
    elif not write_step_call(writer, node):
        _call(writer, node)


def _member(writer: Writer, thing: "Node | None", name: "Node") -> None:
    if thing is None:
        look_up(writer, writer.text(name))
    elif writer.is_this(thing) and (owner := writer.this_class()) is not None:
        write_member(writer, owner, writer.text(name).lstrip("$"))
    else:
        writer.emit(thing)
        _write_member_name(writer, name)


def _call(writer: Writer, node: "Node") -> None:
    function, arguments = (
        node.child_by_field_name(name) if name else None for name in writer.grammar.calls.get(node.type, ("", ""))
    )
    thing = node.child_by_field_name("receiver")
    if thing is not None and function is not None:
        writer.emit(thing)
        _write_member_name(writer, function)
    elif function is not None:
        writer.emit(function)
    else:  # Kotlin
        _write_all(writer, [child for child in node.children if child.type != "value_arguments"][:1], "")
    if function is None or arguments is not None or node.child_by_field_name("block") is not None:
        _write_rest_of_call(writer, node)


def _write_member_name(writer: Writer, name: "Node") -> None:
    if name.child_count == 0 or name.type == "variable_name":
        writer.out.append(MEMBER + writer.text(name))
    elif name.type == "generic_name":
        writer.out.append(MEMBER + re.sub(r"\s+", "", writer.text(name)))
    else:
        writer.emit(name)


def _write_rest_of_call(writer: Writer, node: "Node") -> None:
    writer.out.append(f"{OPEN}call")
    for child in handed_on(node, writer.grammar):
        writer.emit(child)
    writer.out.append(CLOSE)


def _nested(writer: Writer, node: "Node", _kind: str) -> None:
    """Write a function inside the function."""
    writer.out.append(f"{OPEN}fn")
    for parameter in parameters_of(node, writer.grammar, writer.text):
        if parameter.pattern is not None:
            declare(writer, parameter.pattern)
            writer.emit(parameter.pattern)
        elif parameter.name:
            _add_nested(writer, parameter)
    for child in writer.statement_nodes(node):
        writer.emit(child)
    writer.out.append(CLOSE)


def _add_nested(writer: Writer, parameter: Parameter) -> None:
    writer.scope[parameter.name] = f"{LOCAL}{writer.locals}"
    writer.out.append(writer.scope[parameter.name])
    writer.locals += 1


def writer_of(kind: str, grammar: Grammar) -> Write:
    """The function that writes a node of this type."""
    if "comment" in kind or kind in grammar.dropped:
        return _nothing
    if kind in grammar.names or kind == "shorthand_property_identifier_pattern":
        return _name
    if kind in grammar.strings:
        return write_string
    if kind in grammar.values:
        return _value
    if kind in grammar.members or kind in grammar.calls:
        return _member_or_call
    if kind in grammar.functions:
        return _nested
    if kind in grammar.types or kind == "type_arguments":
        return _type
    return _variable if kind == "variable_name" else _other
