"""Java."""

from cukereuse_engine.functions.grammar import Grammar
from cukereuse_engine.functions.qualified_imports import of_packages

GRAMMAR = Grammar(
    module="tree_sitter_java",
    functions=frozenset(("method_declaration", "lambda_expression", "constructor_declaration")),
    blocks=frozenset(("block", "constructor_body")),
    strings=frozenset(("string_literal",)),
    contents=frozenset(("string_fragment", "escape_sequence", "multiline_string_fragment")),
    values=frozenset(
        (
            *("decimal_integer_literal", "decimal_floating_point_literal", "true", "false", "null_literal"),
            *("character_literal", "hex_integer_literal"),
        )
    ),
    names=frozenset(("identifier",)),
    members={"field_access": ("object", "field"), "method_invocation": ("object", "name")},
    declares={
        **{"variable_declarator": "name", "formal_parameter": "name", "inferred_parameters": "*"},
        **{"lambda_expression": "parameters", "enhanced_for_statement": "name"},
        **{"catch_formal_parameter": "name", "resource": "name"},
    },
    classes=frozenset(("class_declaration", "record_declaration")),
    containers=frozenset(("program", "class_body")),
    this=frozenset(("this", "super")),
    implicit_this=True,
    typed=True,
    dropped=frozenset(("modifiers", "marker_annotation", "annotation")),
    calls={"method_invocation": ("name", "arguments")},
    types=frozenset(("type_identifier",)),
    imports=of_packages,
    package_classes=True,
    copies=True,
)
