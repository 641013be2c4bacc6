"""Code that runs steps by their texts: `step "…"`."""

import re
from itertools import count
from typing import TYPE_CHECKING

from cukereuse_engine.functions.calls import callee_of
from cukereuse_engine.functions.strings import write_interpolated
from cukereuse_engine.functions.tokens import (
    CLOSE,
    OPEN,
    STEP,
    TEXT,
)
from cukereuse_engine.functions.writer import Writer

if TYPE_CHECKING:
    from tree_sitter import Node

_FORMATS = re.compile(r"(?:^|\.)format$", re.IGNORECASE)
"""Python's `"…".format(…)`, C#'s `string.Format("…", …)`."""


def write_step_call(writer: Writer, node: "Node") -> bool:
    """Write a call such as `step "…"` as the step's text, with arguments in their places; false for other nodes."""
    wanted = writer.grammar.step_calls
    callee = callee_of(writer, node) if wanted else None
    if callee is None and writer.grammar.step_members:
        function = node.child_by_field_name("function")
        parts = writer.member_parts(function) if function is not None else None
        callee = (writer.text(parts[1]), False) if parts is not None else None
    if callee is None or callee[0] not in wanted:
        return False
    arguments = _arguments_of(writer, node)
    if arguments is None:
        return False
    texts, handed, carried = arguments
    writer.steps += texts
    writer.step_arguments += handed
    writer.out.append(f"{OPEN}step")
    writer.out += [STEP + text for text in texts]
    for argument in handed:
        writer.out += argument
    writer.out += carried
    writer.out.append(CLOSE)
    return True


def _arguments_of(writer: Writer, node: "Node") -> tuple[list[str], list[tuple[str, ...]], list[str]] | None:
    """The texts of the called steps, the expressions in their places, and their tables and DocStrings."""
    holder = node.child_by_field_name("arguments")
    given = list(holder.named_children) if holder is not None else []
    if writer.grammar.step_takes_this:
        if not given or given[0].type != "this":
            return None
        del given[0]
    first = _body_of(_inside(writer, given[0])) if given else None
    template = _template(writer, first) if first is not None else None
    first = template[0] if template is not None else first
    if first is None or first.type not in writer.grammar.strings:
        return None
    text, handed = _with_places(writer, first)
    if template is not None:
        text, holes = _filled(writer, text, template[2])
        handed += [_emitted(writer, template[1])] * holes
    texts, attached = _steps_in(text)
    for more in given[1:]:
        attached += _emitted(writer, more)
    return (texts, handed, attached) if texts else None


def _with_places(writer: Writer, string: "Node") -> tuple[str, list[tuple[str, ...]]]:
    """The text of a string with NUL for each inserted value, and the tokens of these values."""
    text, handed = "", list[tuple[str, ...]]()
    for child in string.named_children:
        if child.type in writer.grammar.contents:
            text += re.sub(r"^\\([\"'`])$", r"\1", writer.text(child))
        elif child.child_count and child.type not in ("string_start", "string_end"):
            outer, writer.out = writer.out, []
            write_interpolated(writer, child)
            handed.append(tuple(writer.out))
            writer.out = outer
            text += "\0"
    return text, handed


def _steps_in(text: str) -> tuple[list[str], list[str]]:
    """The steps of a text, and the lines of their tables and DocStrings."""
    texts, attached, inside = list[str](), list[str](), False
    for line in filter(None, map(str.strip, text.splitlines())):
        fence = line.startswith(('"""', "```"))
        if fence or inside or line.startswith("|"):
            attached.append(TEXT + line)
        elif not line.startswith("#"):
            texts.append(line)
        inside ^= fence
    return texts, attached


def _inside(writer: Writer, node: "Node") -> "Node":
    while node.type in writer.file.transparent and node.named_children:
        node = node.named_children[0]
    return node


def _body_of(node: "Node") -> "Node":
    """The node itself, or for Ruby's `<<~NAME` the text, which follows the statement."""
    around: Node | None = node if node.type == "heredoc_beginning" else None
    while around is not None:
        following = around.next_named_sibling
        if following is not None and following.type == "heredoc_body":
            return following
        around = around.parent
    return node


def _template(writer: Writer, node: "Node") -> "tuple[Node, Node, list[Node]] | None":
    """The literal into which values are inserted, if there is one, with the values."""
    if writer.grammar.placeholders is None:
        return None
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    operator = node.child_by_field_name("operator")
    if left is not None and right is not None and operator is not None and operator.type == "%":
        return left, right, right.named_children or [right]
    function, values = node.child_by_field_name("function"), node.child_by_field_name("arguments")
    if function is None or values is None or not _FORMATS.search(writer.text(function)):
        return None
    literal = function.child_by_field_name("object")
    if literal is not None:
        return literal, values, values.named_children
    if not values.named_children:
        return None
    return _inside(writer, values.named_children[0]), values, values.named_children[1:]


def _filled(writer: Writer, text: str, values: "list[Node]") -> tuple[str, int]:
    """A format's text with the literals among its arguments, and the number of other values."""
    given = [_inside(writer, value) for value in values]
    places = count()
    holes = 0

    def value_of(match: re.Match[str]) -> str:
        nonlocal holes
        number = re.sub(r"\D", "", match[0].partition(":")[0])
        place = int(number) if number else next(places)
        value = given[place] if place < len(given) else None
        parts = value.named_children if value is not None and value.type in writer.grammar.strings else []
        body = [part for part in parts if part.type not in ("string_start", "string_end")]
        if body and all(part.type in writer.grammar.contents for part in body):
            return "".join(map(writer.text, body))
        holes += 1
        return "\0"

    pattern = writer.grammar.placeholders
    return (pattern.sub(value_of, text) if pattern is not None else text), holes


def _emitted(writer: Writer, node: "Node | None") -> tuple[str, ...]:
    outer, writer.out = writer.out, []
    if node is not None:
        writer.emit(node)
    tokens, writer.out = tuple(writer.out), outer
    return tokens
