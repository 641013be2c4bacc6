"""Go."""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from cukereuse_engine.functions.field_names import Naming, is_of
from cukereuse_engine.functions.grammar import Grammar, Import, SharedFolder

if TYPE_CHECKING:
    from tree_sitter import Node

    from cukereuse_engine.glue.languages.source import Source

_BUILTINS = frozenset(
    (
        *("append", "cap", "clear", "close", "copy", "delete", "len", "make", "max", "min", "new", "panic", "print"),
        *("println", "recover", "bool", "byte", "error", "any", "float32", "float64", "int", "int8", "int16", "int32"),
        *("int64", "rune", "string", "uint", "uint8", "uint16", "uint32", "uint64", "_", "comparable", "complex"),
        *("chan", "func", "interface", "map", "struct"),
    )
)


def _imports(source: "Source", node: "Node") -> Iterator[Import]:
    for match in re.finditer(r"(?m)^[ \t]*(?:import\s+)?(?:(\w+|\.)\s+)?\"([^\"]+)\"", source.text(node)):
        yield match[1] or match[2].rsplit("/", 1)[-1], match[2], ""


def _naming(node: "Node", around: "Node") -> Naming:
    """A key is a field of a struct or, in a map, a value."""
    keyed = around.parent if around.type == "literal_element" else None
    if keyed is None or keyed.type != "keyed_element" or keyed.start_byte != node.start_byte:
        return Naming.VALUE
    literal = keyed.parent.parent if keyed.parent is not None else None
    type_node = literal.child_by_field_name("type") if is_of(literal, "composite_literal") and literal else None
    return Naming.VALUE if is_of(type_node, "map_type") else Naming.BOTH


GRAMMAR = Grammar(
    discards=True,
    module="tree_sitter_go",
    functions=frozenset(("func_literal", "function_declaration", "method_declaration")),
    blocks=frozenset(("block", "statement_list")),
    strings=frozenset(("interpreted_string_literal", "raw_string_literal")),
    contents=frozenset(("interpreted_string_literal_content", "raw_string_literal_content", "escape_sequence")),
    values=frozenset(
        ("int_literal", "float_literal", "rune_literal", "true", "false", "nil", "imaginary_literal", "iota")
    ),
    names=frozenset(("identifier",)),
    members={"selector_expression": ("operand", "field")},
    declares={
        **{"short_var_declaration": "left", "var_spec": "name", "range_clause": "left"},
        **{"parameter_declaration": "name", "const_spec": "name"},
    },
    containers=frozenset(("source_file", "const_declaration", "var_declaration", "var_spec_list")),
    typed=True,
    calls={"call_expression": ("function", "arguments")},
    types=frozenset(("type_identifier", "package_identifier")),
    imports=_imports,
    functions_begin=re.compile(rb"^func[ \t]+(?:\([^)\n]*\)[ \t]*)?(\w+)", re.MULTILINE),
    sharing=SharedFolder.FOLDER,
    receivers=True,
    builtins=_BUILTINS,
    naming=_naming,
)
