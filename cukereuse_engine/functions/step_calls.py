"""Steps that call steps by their texts: `step "…"`."""

from typing import TYPE_CHECKING

from cukereuse_engine.functions.calls import callee_of
from cukereuse_engine.functions.strings import write_interpolated
from cukereuse_engine.functions.tokens import (
    CLOSE,
    OPEN,
    STEP,
    TEXT,
)

if TYPE_CHECKING:
    from tree_sitter import Node

    from cukereuse_engine.functions.normal_form import Writer

_STEP_CALLS = {
    "ruby": frozenset(("step", "steps", "Given", "When", "Then", "And")),
    "python": frozenset(("execute_steps",)),
    "csharp": frozenset(("Given", "When", "Then", "And", "But")),
}


def write_step_call(writer: "Writer", node: "Node") -> bool:
    """`step "…"`: written as the step's text, arguments in their places."""
    wanted = _STEP_CALLS.get(writer.file.language)
    callee = callee_of(writer, node) if wanted else None
    if callee is None and writer.file.language == "python":
        function = node.child_by_field_name("function")
        parts = writer.member_parts(function) if function is not None else None
        callee = (writer.text(parts[1]), False) if parts is not None else None
    if wanted is None or callee is None or callee[0] not in wanted:
        return False
    arguments = _arguments_of(writer, node)
    if arguments is None:
        return False
    texts, handed, carried = arguments
    writer.steps += texts
    writer.step_arguments += handed
    writer.out.append(f"{OPEN}step")
    writer.out += [STEP + text for text in texts]
    for one in handed:
        writer.out += one
    writer.out += carried
    writer.out.append(CLOSE)
    return True


def _arguments_of(writer: "Writer", node: "Node") -> tuple[list[str], list[tuple[str, ...]], list[str]] | None:
    """Texts of the steps, what stands in their places, and the tables and DocStrings that they carry."""
    holder = node.child_by_field_name("arguments")
    first = holder.named_children[0] if holder is not None and holder.named_children else None
    while first is not None and first.type in writer.file.transparent and first.named_children:
        first = first.named_children[0]
    if first is None or first.type not in writer.grammar.strings:
        return None
    text, handed = "", list[tuple[str, ...]]()
    for child in first.named_children:
        if child.type in writer.grammar.contents:
            text += writer.text(child)
        elif child.child_count and child.type not in ("string_start", "string_end"):
            outer, writer.out = writer.out, []
            write_interpolated(writer, child)
            handed.append(tuple(writer.out))
            writer.out = outer
            text += "\0"
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    texts, attached, inside = list[str](), list[str](), False
    for line in lines:
        fence = line.startswith(('"""', "```"))
        if fence or inside or line.startswith("|"):
            attached.append(TEXT + line)
        elif not line.startswith("#"):
            texts.append(line)
        inside ^= fence
    outer, writer.out = writer.out, attached
    for more in holder.named_children[1:] if holder is not None else ():
        writer.emit(more)
    writer.out = outer
    return (texts, handed, attached) if texts else None
