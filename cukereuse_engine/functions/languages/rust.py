"""Rust."""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from cukereuse_engine.functions.field_names import Naming, is_of
from cukereuse_engine.functions.grammar import Grammar, Import

if TYPE_CHECKING:
    from tree_sitter import Node

    from cukereuse_engine.glue.languages.source import Source


def _imports(source: "Source", node: "Node") -> Iterator[Import]:
    yield from ((name, "use", name) for name in re.findall(r"\w+", source.text(node)))


def _naming(node: "Node", around: "Node") -> Naming:
    """The arguments of a macro are parsed into tokens only."""
    if around.type == "shorthand_field_initializer":
        return Naming.BOTH
    if around.type == "token_tree" and (is_of(node.prev_sibling, ".", "::") or is_of(node.next_sibling, ":")):
        return Naming.FIELD
    return Naming.VALUE


GRAMMAR = Grammar(
    discards=True,
    module="tree_sitter_rust",
    functions=frozenset(("function_item", "closure_expression")),
    blocks=frozenset(("block",)),
    strings=frozenset(("string_literal", "raw_string_literal")),
    contents=frozenset(("string_content", "escape_sequence")),
    values=frozenset(("integer_literal", "float_literal", "boolean_literal", "char_literal", "unit_expression")),
    names=frozenset(("identifier",)),
    members={"field_expression": ("value", "field")},
    declares={
        **{"let_declaration": "pattern", "closure_parameters": "*", "for_expression": "pattern"},
        **{"match_pattern": "*", "let_condition": "pattern"},
    },
    containers=frozenset(("source_file", "mod_item", "declaration_list")),
    this=frozenset(("self",)),
    typed=True,
    dropped=frozenset(("mutable_specifier", "attribute_item", "lifetime")),
    calls={"call_expression": ("function", "arguments")},
    types=frozenset(("type_identifier",)),
    imports=_imports,
    bare_imports=True,
    result="return_type",
    naming=_naming,
)
