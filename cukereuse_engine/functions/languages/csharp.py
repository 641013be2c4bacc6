"""C#."""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from cukereuse_engine.functions.field_names import Naming, assigned, is_of
from cukereuse_engine.functions.grammar import Grammar, Import

if TYPE_CHECKING:
    from tree_sitter import Node

    from cukereuse_engine.glue.languages.source import Source


def _imports(source: "Source", node: "Node") -> Iterator[Import]:
    """Only an alias says what a name is: `using` imports a whole namespace, and any assembly may add to it."""
    written = re.match(r"using\s+(?:static\s+)?(\w+)\s*=\s*([\w.]+?)\s*;?\s*$", source.text(node))
    if written is not None:
        yield written[1], written[2], ""


def _naming(node: "Node", around: "Node") -> Naming:
    if around.type == "anonymous_object_creation_expression":
        is_value = is_of(node.prev_sibling, "=")
        return Naming.VALUE if is_value else Naming.FIELD if is_of(node.next_sibling, "=") else Naming.BOTH
    return assigned(node, around, "initializer_expression")


GRAMMAR = Grammar(
    module="tree_sitter_c_sharp",
    functions=frozenset(
        (
            *("method_declaration", "local_function_statement", "lambda_expression", "constructor_declaration"),
            "anonymous_method_expression",
        )
    ),
    blocks=frozenset(("block",)),
    strings=frozenset(
        ("string_literal", "verbatim_string_literal", "raw_string_literal", "interpolated_string_expression")
    ),
    contents=frozenset(
        ("string_literal_content", "string_content", "escape_sequence", "raw_string_content", "verbatim_string")
    ),
    values=frozenset(("integer_literal", "real_literal", "boolean_literal", "null_literal", "character_literal")),
    names=frozenset(("identifier",)),
    members={"member_access_expression": ("expression", "name")},
    declares={
        **{"variable_declarator": "name", "parameter": "name", "implicit_parameter": "*"},
        **{"foreach_statement": "left", "declaration_expression": "name", "catch_declaration": "name"},
    },
    classes=frozenset(("class_declaration", "record_declaration", "struct_declaration")),
    containers=frozenset(
        ("compilation_unit", "namespace_declaration", "file_scoped_namespace_declaration", "declaration_list")
    ),
    this=frozenset(("this", "base")),
    implicit_this=True,
    discards=True,
    capitalised=True,
    typed=True,
    tail_is_result=True,
    dropped=frozenset(
        (
            "modifier",
            "attribute_list",
            "implicit_type",
            "preproc_region",
            "preproc_endregion",
            "interpolation_start",
        )
    ),
    calls={"invocation_expression": ("function", "arguments")},
    imports=_imports,
    default_is_last=True,
    naming=_naming,
    step_calls=frozenset(("Given", "When", "Then", "And", "But")),
    placeholders=re.compile(r"\{[^{}]*\}"),
    copies=True,
)
