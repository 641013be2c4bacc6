"""C#: the values of strings and constants: literals, concatenations, `nameof`."""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from cukereuse_engine.glue.languages.escapes import unescape
from cukereuse_engine.glue.languages.evaluation import Parts, name_of
from cukereuse_engine.glue.languages.source import Source, children

if TYPE_CHECKING:
    from tree_sitter import Node

STRINGS = frozenset({"string_literal", "verbatim_string_literal", "raw_string_literal"})


def _string(source: Source, node: "Node") -> str | None:
    text = source.text(node)
    if node.type == "verbatim_string_literal":
        return text[2:-1].replace('""', '"')
    if node.type == "string_literal":
        return unescape(text[1:-1], simple="0ntrbfvae", octal=False)
    quotes = len(text) - len(text.lstrip('"'))
    return _raw_string(text[quotes:-quotes])


def _raw_string(body: str) -> str:
    """The value of a raw string: if it has several lines, the indentation of the last line is removed from each."""
    lines = body.splitlines()
    if len(lines) < 2 or lines[0].strip():
        return body
    return "\n".join(line.removeprefix(lines[-1]) for line in lines[1:-1])


def parts_of(source: Source, node: "Node") -> "Parts | None":
    if node.type in STRINGS:
        text = _string(source, node)
        return None if text is None else [text]
    if node.type == "parenthesized_expression":
        return list(children(node))
    if node.type == "interpolated_string_expression":
        return _interpolated(source, node)
    if node.type == "invocation_expression":
        match = re.fullmatch(r"nameof\s*\(\s*(?:\w+\s*\.\s*)*(\w+)\s*\)", source.text(node))
        return [match[1]] if match else None
    operator = node.child_by_field_name("operator")
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    if node.type == "binary_expression" and operator is not None and operator.type == "+" and left and right:
        return [left, right]
    name = name_of(source, node) if node.type in ("member_access_expression", "identifier") else None
    return [name] if name is not None else None


def _interpolated(source: Source, node: "Node") -> "Parts | None":
    start = source.text(node).split('"')[0]
    if node.text is not None and node.text.count(b'"""'):
        return None
    parts: Parts = []
    for child in children(node):
        text = source.text(child)
        if child.type == "interpolation":
            inner = [part for part in children(child) if part.type != "interpolation_brace"]
            if len(inner) != 1:
                return None
            parts.append(inner[0])
        elif child.type == "escape_sequence":
            parts.append(unescape(text, simple="0ntrbfvae", octal=False))
        elif child.type == "string_content":
            parts.append((text.replace('""', '"') if "@" in start else text).replace("{{", "{").replace("}}", "}"))
    return parts


def constants_of(source: Source) -> "Iterator[tuple[str, Node]]":
    for declaration in source.nodes("field_declaration", "local_declaration_statement"):
        if not any(source.text(child) == "const" for child in declaration.children if child.type == "modifier"):
            continue
        for declarator in source.nodes("variable_declarator", within=declaration):
            name = declarator.child_by_field_name("name")
            value = declarator.named_children[-1]
            if name is not None and value != name:
                yield source.text(name), value
