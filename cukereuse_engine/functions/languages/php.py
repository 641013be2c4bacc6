"""PHP."""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from cukereuse_engine.functions.grammar import Grammar, Import

if TYPE_CHECKING:
    from tree_sitter import Node

    from cukereuse_engine.glue.languages.source import Source


def _imports(source: "Source", node: "Node") -> Iterator[Import]:
    match = re.match(r"use\s+(?:function\s+|const\s+)?(.*?);?\s*$", source.text(node), re.DOTALL)
    if match is None:
        return
    prefix, brace, group = match[1].partition("{")
    for part in (group.rstrip("} \n") if brace else match[1]).split(","):
        name, _, alias = part.strip().partition(" as ")
        full = (prefix.strip() + name.strip()).lstrip("\\") if brace else name.strip().lstrip("\\")
        namespace, _, last = full.rpartition("\\")
        yield alias.strip() or last, namespace, last


GRAMMAR = Grammar(
    module="tree_sitter_php",
    functions=frozenset(("method_declaration", "function_definition", "anonymous_function", "arrow_function")),
    blocks=frozenset(("compound_statement",)),
    strings=frozenset(("string", "encapsed_string", "heredoc", "nowdoc")),
    contents=frozenset(("string_content", "escape_sequence", "nowdoc_string")),
    values=frozenset(("integer", "float", "boolean", "null")),
    names=frozenset(("name", "qualified_name")),
    members={
        **{"member_access_expression": ("object", "name"), "member_call_expression": ("object", "name")},
        **{"nullsafe_member_access_expression": ("object", "name")},
        **{"nullsafe_member_call_expression": ("object", "name")},
        **{"scoped_call_expression": ("scope", "name"), "class_constant_access_expression": ("", "")},
        **{"scoped_property_access_expression": ("scope", "name")},
    },
    declares={},
    classes=frozenset(("class_declaration", "trait_declaration")),
    containers=frozenset(("program", "namespace_definition", "compound_statement", "declaration_list")),
    this=frozenset(("$this", "self", "static", "parent")),
    typed=True,
    dropped=frozenset(("attribute_list", "visibility_modifier", "static_modifier", "primitive_type")),
    calls={
        "member_call_expression": ("name", "arguments"),
        "nullsafe_member_call_expression": ("name", "arguments"),
        "scoped_call_expression": ("name", "arguments"),
        "function_call_expression": ("function", "arguments"),
    },
    entry="language_php",
    imports=_imports,
    separator="\\",
    package_types=True,
    configured=True,
    sigils=True,
    plain_quote="'",
    assigned_locals=True,
    vague_types=frozenset(("string", "int", "float", "bool", "mixed", "array")),
)
