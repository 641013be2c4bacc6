"""Statements that only log, as far as one file shows, and locals for them alone."""

import re
from collections.abc import Set
from enum import Enum
from typing import TYPE_CHECKING

from cukereuse_engine.functions.calls import callee_of, target_of, unwrapped
from cukereuse_engine.functions.grammar import SharedFolder
from cukereuse_engine.functions.syntax import LOGS
from cukereuse_engine.functions.tokens import NAME
from cukereuse_engine.functions.writer import Writer

if TYPE_CHECKING:
    from tree_sitter import Node


_READS = re.compile(
    r"member|field_|attribute|subscript|selector|navigation|access|binary|comparison|boolean|not_op|parenth|type|variable"
    r"|interpol|substitution|expression_list"
)
"""Node types of expressions that do no more than their parts; what assigns, calls or waits has others."""
_DECLARES = re.compile(
    r"(?:expression|local_declaration)_statement|\w+_declaration|va[lr]_definition|\w+_declarator|var_spec|assignment\w*"
)
"""Node types of statements that may declare a local, and of what they consist of."""
_OF_A_TYPE = re.compile("type|annotation|modifier|comment")


class Logging(Enum):
    NO = 0
    MAYBE = 1
    """By its name; the function that it calls may be the suite's own, in another file."""
    YES = 2


def logging_of(writer: Writer, node: "Node") -> Logging:
    """Tells if a statement logs: by a name, unless that is a function of the suite that does something else."""
    head = writer.file.source.source[node.start_byte : min(node.end_byte, node.start_byte + 60)]
    if LOGS.match(head.decode("utf-8", "replace")) is None:
        return Logging.NO
    call = unwrapped(writer, node)
    callee = callee_of(writer, call) if call is not None else None
    if call is None or callee is None:
        return Logging.YES  # of a logger
    name, of_this = callee
    if name in writer.scope and not of_this:
        return Logging.NO  # what the function was handed is the suite's own
    token, function = target_of(writer, call) or ("", None)
    if function is not None:
        writer.mentions.add(token)
        return Logging.YES if _is_empty(writer, function) else Logging.NO
    shared = writer.grammar.sharing is not SharedFolder.NONE and not of_this
    if not shared and not _is_imported(token):
        return Logging.YES
    writer.doubtful[node.id] = token or f"{NAME}{name}"
    return Logging.MAYBE


def _is_empty(writer: Writer, function: "Node") -> bool:
    """True if a function does nothing but log."""
    return function.start_byte in writer.active or not writer.inner(function).statements()


def _is_imported(token: str) -> bool:
    return token != "" and (token[:1] != NAME or "\0" in token)


def only_reads(writer: Writer, node: "Node", own: Set[str] | None = None) -> bool:
    """True if an expression does nothing but read values; where `own` is given, those of these names only, as another
    name alone may be a call."""
    parts = writer.member_parts(node) if own is not None and node.type not in writer.grammar.calls else None
    if parts is not None:
        return parts[0] is None or only_reads(writer, parts[0], own)
    if own is not None and (node.type in writer.grammar.names or node.type == "variable_name"):
        return "variable" in node.type or writer.text(node) in own
    inner = node.named_children
    is_sign = "unary" in node.type and node.children[0].type in ("!", "not", "-")
    reads = not inner or is_sign or node.type in writer.grammar.strings or _READS.search(node.type) is not None
    return reads and all(only_reads(writer, child, own) for child in inner)


def without_logged(writer: Writer, function: "Node", nodes: "list[Node]") -> "list[Node]":
    """The statements `nodes` of a function without locals that are only read from others, for what is left out."""
    declared = {node.id: local for node in nodes if (local := _declared(writer, node)) is not None}
    receiver = writer.receiver[:1] if writer.receiver is not None else ()
    own = {*writer.scope, *writer.grammar.this, *receiver, *(name for name, _ in declared.values())}
    for node in reversed(nodes):
        name, value = declared.get(node.id, ("", node))
        if not name or name in writer.scope or not only_reads(writer, value, own):
            continue
        says = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)")
        others = [other for other in nodes if other.id != node.id]
        is_said = len(says.findall(writer.text(function))) > len(says.findall(writer.text(node)))
        if is_said and not any(says.search(writer.text(other)) for other in others):
            nodes = others
    return nodes


def _declared(writer: Writer, node: "Node") -> "tuple[str, Node] | None":
    """The name and the value of a statement that declares one local."""
    kinds, parts = [node.type], [node]
    while len(parts) == 1 and _DECLARES.fullmatch(parts[0].type):
        parts = _untyped_children(parts[0])
        kinds += [part.type for part in parts[:1]]
    if len(parts) != 2 or _DECLARES.fullmatch(parts[1].type):
        return None
    name = parts[0]
    while len(inner := _untyped_children(name)) == 1:
        name = inner[0]
    is_local = writer.grammar.sigils or not writer.grammar.declares.keys().isdisjoint(kinds)
    is_name = name.type in writer.grammar.names or name.type.startswith("shorthand")
    return (writer.text(name), parts[1]) if is_local and is_name and not inner and "variable" not in name.type else None


def _untyped_children(node: "Node") -> "list[Node]":
    return [child for child in node.named_children if not _OF_A_TYPE.search(child.type)]
