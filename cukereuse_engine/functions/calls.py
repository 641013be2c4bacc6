"""The function that a call calls, as far as its file tells, and the arguments that it passes on."""

from typing import TYPE_CHECKING

from cukereuse_engine.functions.grammar import Grammar, SharedFolder
from cukereuse_engine.functions.helpers import MAX_DEPTH, substitute
from cukereuse_engine.functions.syntax import JUMPS, child_of
from cukereuse_engine.functions.tokens import (
    NAME,
    PARAMETER,
    own,
)
from cukereuse_engine.functions.writer import Writer

if TYPE_CHECKING:
    from tree_sitter import Node


def unwrapped(writer: Writer, node: "Node") -> "Node | None":
    """The call that is the whole statement, or None."""
    for _ in range(6):
        if node.type in writer.grammar.calls:
            return node
        inner = [child for child in node.named_children if "comment" not in child.type]
        if len(inner) != 1 or (node.type not in writer.file.transparent and node.type not in JUMPS):
            return None
        node = inner[0]
    return None


def target_of(writer: Writer, call: "Node") -> "tuple[str, Node | None] | None":
    """The function of this file or class that a call names: its token, and its node."""
    callee = callee_of(writer, call)
    if callee is None:
        return None
    name, of_this = callee
    if of_this or (writer.grammar.implicit_this and writer.around is not None and writer.around.holds(name)):
        owner = writer.this_class()
        if owner is None:
            return None
        methods = owner.methods.get(name, [])
        return own(owner.id, name), methods[0] if len(methods) == 1 else None
    if name in writer.scope:
        return None
    functions = writer.file.names.functions.get(name, [])
    if len(functions) == 1:
        return own(writer.file.names.unit, name), functions[0]
    if name in writer.file.names.imports:
        module, original = writer.file.names.imports[name]
        return f"{NAME}{module}\0{original}", None
    return (own(writer.file.names.unit, name), None) if writer.grammar.sharing is SharedFolder.FOLDER else None


def callee_of(writer: Writer, call: "Node") -> tuple[str, bool] | None:
    """The name of the called function, and true if it is called on `this`."""
    handed = _handed_this(writer, call)
    if handed is not None:
        return writer.text(handed), False
    function = child_of(call, "function", "method")
    thing = child_of(call, "object", "receiver", "scope")
    name = call.child_by_field_name("name")
    if function is None and name is not None:
        return (writer.text(name), thing is not None) if thing is None or writer.is_this(thing) else None
    if function is None and call.named_children:  # Kotlin
        function = call.named_children[0]
    if function is None:
        return None
    if function.type in writer.grammar.names:
        return (writer.text(function), False) if thing is None else None
    return _member_of_this(writer, function) if function.type in writer.grammar.members else None


def _member_of_this(writer: Writer, node: "Node") -> tuple[str, bool] | None:
    parts = writer.member_parts(node)
    if parts is not None and parts[0] is not None and writer.is_this(parts[0]):
        return writer.text(parts[1]), True
    return None


def _handed_this(writer: Writer, call: "Node") -> "Node | None":
    """The name in JavaScript's `name.call(this, …)`, which calls the function as `name(…)` does."""
    if not writer.grammar.calls_with_this:
        return None
    function, arguments = call.child_by_field_name("function"), call.child_by_field_name("arguments")
    parts = writer.member_parts(function) if function is not None and function.type in writer.grammar.members else None
    first = arguments.named_children[0] if arguments is not None and arguments.named_children else None
    if parts is None or parts[0] is None or first is None or first.type != "this":
        return None
    is_such = writer.text(parts[1]) == writer.grammar.calls_with_this
    return parts[0] if is_such and parts[0].type in writer.grammar.names else None


def handed_on(call: "Node", grammar: Grammar) -> "list[Node]":
    """The arguments of a call, brackets and commas included, and its block."""
    nodes: list[Node] = []
    for index, child in enumerate(call.children):
        if child.type in _LISTS:
            nodes += child.children
        elif child.type in grammar.functions or child.type in _ASIDE:
            nodes.append(child)
        elif call.field_name_for_child(index) == "arguments":
            nodes.append(child)  # Python's `all(… for …)`
    return nodes


_TYPES = "type_arguments"
_ASIDE = frozenset(("annotated_lambda", _TYPES))
_LISTS = frozenset(("arguments", "argument_list", "value_arguments", "template_string"))


def _arguments(writer: Writer, call: "Node") -> tuple[tuple[str, ...], ...]:
    """The arguments of a call, each as tokens. Type arguments are left out."""
    arguments: list[tuple[str, ...]] = []
    children = [
        child
        for child in handed_on(call, writer.grammar)
        if child.is_named and child.type != _TYPES and "comment" not in child.type
    ]
    for child in children[1:] if _handed_this(writer, call) is not None else children:
        writer.out = []
        writer.emit(child)
        arguments.append(tuple(writer.out))
    return tuple(arguments)


def _is_told_types(writer: Writer, call: "Node") -> bool:
    """True if type arguments decide what a call does: the helper's form does not contain them."""
    return _TYPES not in writer.grammar.dropped and any(child.type == _TYPES for child in call.children)


def replaced(writer: Writer, nodes: "list[Node]") -> tuple[tuple[str, ...], ...] | None:
    """The statements of the called function with the arguments in place, if the call is the whole function."""
    call = unwrapped(writer, nodes[0]) if len(nodes) == 1 else None
    _, function = (target_of(writer, call) if call is not None else None) or ("", None)
    if call is None or function is None or writer.depth >= MAX_DEPTH:
        return None
    if _is_told_types(writer, call) or function.start_byte in writer.active:
        return None
    inner = writer.inner(function)
    statements = inner.statements()
    arguments = _arguments(writer, call)
    apart = any(parameter.pattern is not None for parameter in inner.parameters)
    if not statements or apart or len(arguments) != len(inner.parameters):
        return None
    handed = {f"{PARAMETER}{index}": argument for index, argument in enumerate(arguments)}
    return tuple(substitute(statement, handed) for statement in statements)


def only_call(writer: Writer) -> tuple[str, tuple[tuple[str, ...], ...]] | None:
    """The function that the body consists of calling, as a token, and its arguments; None if the body does more."""
    nodes = writer.statement_nodes(writer.function)
    call = unwrapped(writer, nodes[0]) if len(nodes) == 1 else None
    target = target_of(writer, call) if call is not None else None
    if call is None or target is None:
        return None
    writer.mentions.add(target[0])
    return target[0], _arguments(writer, call)
