"""String literals as tokens: plain texts, and texts with inserted values."""

import re
from typing import TYPE_CHECKING

from cukereuse_engine.functions.lookup import look_up
from cukereuse_engine.functions.tokens import (
    CLOSE,
    OPEN,
    TEXT,
)
from cukereuse_engine.functions.writer import Writer

if TYPE_CHECKING:
    from tree_sitter import Node

_NAMED = re.compile(r"\$(\w+)")


def write_string(writer: Writer, node: "Node", _kind: str) -> None:
    parts: list[str | Node] = []
    contents = writer.grammar.contents
    if node.child_count == 0:
        parts.append(re.sub(r"^[a-zA-Z@$]{0,3}(\"\"\"|'''|[\"'`])(.*)\1$", r"\2", writer.text(node), flags=re.DOTALL))
    for child in node.named_children:
        if child.type in contents:
            parts.append(writer.text(child))
        elif child.type == "interpolation_start":
            continue
        elif child.child_count or child.type not in ("string_start", "string_end"):
            parts.append(child)
    if node.child_count and not parts:
        inner = writer.text(node)
        parts.append(inner.strip("\"'`@") if len(inner) > 2 else "")
    _write_parts(writer, parts)
    if writer.out[-1][:1] == TEXT:
        writer.note(node)


def _write_parts(writer: Writer, parts: "list[str | Node]") -> None:
    text = ""
    pieces: list[str | Node] = []
    for part in parts:
        if isinstance(part, str):
            text += part
            continue
        pieces += [text] if text else []
        pieces.append(part)
        text = ""
    pieces += [text] if text or not pieces else []
    if writer.grammar.dollars and any(isinstance(piece, str) and "$" in piece for piece in pieces):
        _write_kotlin(writer, pieces)
        return
    if len(pieces) == 1 and isinstance(pieces[0], str):
        writer.out.append(TEXT + _plain(pieces[0]))
        return
    writer.out.append(f"{OPEN}text")
    for piece in pieces:
        if isinstance(piece, str):
            writer.out.append(TEXT + _plain(piece))
        else:
            write_interpolated(writer, piece)
    writer.out.append(CLOSE)


def write_interpolated(writer: Writer, piece: "Node") -> None:
    if "interpolation" in piece.type or "substitution" in piece.type:
        for child in piece.named_children:
            writer.emit(child)
    else:
        writer.emit(piece)


def _write_kotlin(writer: Writer, pieces: "list[str | Node]") -> None:
    """Write a text of Kotlin, where the grammar leaves `$name` in the text."""
    writer.out.append(f"{OPEN}text")
    for piece in pieces:
        if not isinstance(piece, str):
            write_interpolated(writer, piece)
            continue
        for place, part in enumerate(_NAMED.split(piece)):
            if place % 2:
                look_up(writer, part)
            elif part:
                writer.out.append(TEXT + _plain(part))
    writer.out.append(CLOSE)


def write_joined(writer: Writer, children: "list[Node]") -> bool:
    """Write adjacent string literals as one; false for other nodes."""
    before = len(writer.out)
    for child in children:
        writer.emit(child)
    written = writer.out[before:]
    if all(token[:1] == TEXT for token in written):
        writer.out[before:] = [TEXT + "".join(token[1:] for token in written)]
    return True


def _plain(text: str) -> str:
    return text.replace("\\'", "'").replace('\\"', '"')
