"""The meaning of a name in a function: a parameter, a local, a constant, a member, or an inlined helper."""

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from cukereuse_engine.functions.classes import Class, Field
from cukereuse_engine.functions.grammar import SharedFolder
from cukereuse_engine.functions.helpers import MAX_DEPTH, MAX_TOKENS
from cukereuse_engine.functions.parameters import parameters_of
from cukereuse_engine.functions.tokens import (
    CLOSE,
    INJECTED,
    NAME,
    OPEN,
    PARAMETER,
    own,
)
from cukereuse_engine.functions.writer import Writer

if TYPE_CHECKING:
    from tree_sitter import Node

_COLLECTIONS = re.compile(
    r"(?:^|\.)(?:\w*(?:List|Map|Set|Dictionary|Queue|Stack|Builder|Array|Hash|Deque|Collection)|Object|Atomic\w+|String)\b"
)
"""Classes that collect what a scenario gathers: each owner has its own object."""
_DATA = re.compile(
    r"(?:^(?:Integer|Boolean|Double|Float|Long|Date|DateTime|Guid|Uri|Task|Future)|Response|Result|Exception|Request"
    r"|Message|Token|Dto|Data|Model|Future)$"
)
"""Types of the data of a scenario: each owner has its own object."""
_MADE = frozenset(("object_creation_expression", "new_expression", "implicit_object_creation_expression"))


def look_up(writer: Writer, name: str, *, is_called: bool = False) -> None:
    """Write the meaning of a bare name."""
    local = writer.scope.get(name)
    if local is not None:
        if local[:1] == PARAMETER:
            writer.used.add(int(local[1:]))
        writer.out.append(local)
        return
    if not _look_up_outside(writer, name) and not _look_up_here(writer, name):
        writer.out.append(_token_of(writer, name, is_called=is_called))


def _look_up_here(writer: Writer, name: str) -> bool:
    """Write a member of the class around, a function or a constant of the file."""
    names, around = writer.file.names, writer.around
    if writer.grammar.implicit_this and around is not None and around.holds(name):
        write_member(writer, around, name)
        return True
    if writer.grammar.sharing is SharedFolder.BELOW:  # names are of a world, not of a file
        return False
    if name in names.functions:
        _write_helper(writer, names.functions[name], own(names.unit, name))
        return True
    if name in names.constants:
        value = names.constants[name]
        if value is None or not _put_value(writer, value, constant=True):
            writer.out.append(own(names.unit, name))
        return True
    return False


def _token_of(writer: Writer, name: str, *, is_called: bool) -> str:
    """The token for a name whose meaning is not written out."""
    names, grammar = writer.file.names, writer.grammar
    if name in names.types:
        return own(names.unit, name)
    if name in names.imports:
        module, original = names.imports[name]
        return f"{NAME}{module}\0{original}"
    if asserting := names.class_asserting(name):
        return f"{NAME}{asserting}\0{name}"
    if writer.around is not None and _may_be_inherited(writer, name, is_called=is_called):
        return own(writer.around.id, name)
    if grammar.sharing is SharedFolder.FOLDER and name not in grammar.builtins:
        return own(names.unit, name)  # a function of another file of the package
    home = names.home_of(name)
    return f"{NAME}{home}\0{name}" if home else NAME + name


def _may_be_inherited(writer: Writer, name: str, *, is_called: bool) -> bool:
    around = writer.around
    if not writer.grammar.implicit_this or around is None or not around.parents:
        return False
    return not name[:1].isupper() or (is_called and writer.grammar.capitalised)


def _look_up_outside(writer: Writer, name: str) -> bool:
    """Write a name that the functions around this one define; false if none does."""
    if writer.closure is None:
        writer.closure = _read_closure(writer)
    if name not in writer.closure:
        return False
    owner, value = writer.closure[name]
    if value is None or not _put_value(writer, value, constant=True):
        writer.out.append(own(owner, name))
    return True


def _read_closure(writer: Writer) -> "dict[str, tuple[str, Node | None]]":
    variables: dict[str, tuple[str, Node | None]] = {}
    node = writer.function.parent
    while node is not None:
        if node.type in writer.grammar.functions:
            owner = f"{writer.file.source.path}@{node.start_byte}"
            for parameter in parameters_of(node, writer.grammar, writer.text):
                variables.setdefault(parameter.name, (owner, None))
            for child in writer.statement_nodes(node):
                for name, value in _declared_in(writer, child):
                    variables.setdefault(name, (owner, value))
        node = node.parent
    return variables


def _declared_in(writer: Writer, statement: "Node") -> "Iterable[tuple[str, Node | None]]":
    changes = bool(statement.children) and statement.children[0].type in ("let", "var")
    for node in (statement, *statement.named_children):
        place = writer.grammar.declares.get(node.type)
        if place and place != "*":
            name, value = (
                node.child_by_field_name(place),
                node.child_by_field_name("value") or node.child_by_field_name("right"),
            )
            if name is not None:
                for leaf in writer.file.source.nodes(*writer.grammar.names, within=name):
                    yield writer.text(leaf), value if leaf.id == name.id and not changes else None


def write_member(writer: Writer, owner: Class, name: str) -> None:
    """Write the meaning of a class's member: its value, its type, the helper's own form, or its name."""
    field = owner.fields.get(name)
    if field is not None:
        _write_field(writer, owner, name, field)
    elif name in owner.methods:
        _write_helper(writer, owner.methods[name], own(owner.id, name))
    else:
        writer.out.append(own(owner.id, name))


def _write_field(writer: Writer, owner: Class, name: str, field: Field) -> None:
    if field.injected and field.type:
        alone = sum(other.injected and other.type == field.type for other in owner.fields.values()) == 1
        of_that_type = "" if alone and not writer.grammar.configured else name
        writer.out.append(f"{INJECTED}{field.type}\0{of_that_type}\0{owner.id}")
    elif field.value is None or not _put_value(writer, field.value, constant=field.constant):
        alone = sum(other.type == field.type for other in owner.fields.values()) == 1
        writer.out.append(own(owner.id, name, field.type if alone and _is_a_thing(field.type) else ""))


def _put_value(writer: Writer, value: "Node", *, constant: bool) -> bool:
    """Write a value instead of its name, if it is the same for every owner."""
    if writer.depth >= MAX_DEPTH or value.start_byte in writer.active:
        return False
    kind = value.type
    text = writer.text(value) if value.end_byte - value.start_byte < 400 else ""
    literal = constant and (kind in writer.grammar.strings or kind in writer.grammar.values)
    made = (kind in _MADE or kind in writer.grammar.calls) and _makes_a_thing(kind, text, constant)
    if not text or not (literal or made):
        return False
    outer, writer.active, writer.depth = writer.active, writer.active | {value.start_byte}, writer.depth + 1
    writer.emit(value)
    writer.active, writer.depth = outer, writer.depth - 1
    return True


def _makes_a_thing(kind: str, text: str, constant: bool) -> bool:
    if kind in _MADE:
        match = re.match(r"new\s+([\w.\\]+)", text)
        return match is not None and not _COLLECTIONS.search(match[1])
    return (
        constant and re.match(r"(?:[\w.]+\.)?[A-Z]\w*\(|require\(", text) is not None and not _COLLECTIONS.search(text)
    )


def _write_helper(writer: Writer, functions: "list[Node]", token: str) -> None:
    """Write the form of a function of this file instead of its name."""
    function = functions[0]
    writer.mentions.add(token)
    if len(functions) > 1 or writer.depth >= MAX_DEPTH or function.start_byte in writer.active:
        writer.out.append(token)
        return
    key = (function.start_byte, writer.depth)
    cached = writer.file.helpers.get(key)
    if cached is None:
        inner = writer.inner(function)
        statements = inner.statements()
        tokens = (*inner.signature(), *(each for statement in statements for each in (*statement, ";")))
        cached = (f"{OPEN}own", *tokens, CLOSE) if 0 < len(tokens) <= MAX_TOKENS else (token,)
        writer.file.helpers[key] = cached
    writer.out += cached


def _is_a_thing(type_name: str) -> bool:
    """True if a field of this type is something that acts, such as a page or a client, and no plain data."""
    name = re.split(r"[.\\]", type_name.partition("<")[0])[-1]
    return name[:1].isupper() and not _COLLECTIONS.search(name) and not _DATA.search(name)
