"""Kotlin."""

import re

from cukereuse_engine.functions.grammar import Grammar
from cukereuse_engine.functions.qualified_imports import of_packages

_TOP_LEVEL = re.compile(
    r"^(?:@\w+(?:\([^)\n]*\))?[ \t]+)*(?:[a-z]+[ \t]+)*(?:fun|va[lr])[ \t]+"
    r"(?:<[^>\n]*>[ \t]*)?(?:[\w<>?, ]+\.)?`?(\w+)",
    re.MULTILINE,
)

GRAMMAR = Grammar(
    module="tree_sitter_kotlin",
    functions=frozenset(("function_declaration", "lambda_literal", "anonymous_function")),
    blocks=frozenset(("block", "lambda_literal", "function_body")),
    strings=frozenset(("string_literal", "multiline_string_literal")),
    contents=frozenset(("string_content", "escape_sequence")),
    values=frozenset(
        ("number_literal", "float_literal", "boolean_literal", "true", "false", "null", "character_literal")
    ),
    names=frozenset(("identifier",)),
    members={"navigation_expression": ("", "")},
    declares={"variable_declaration": "", "lambda_parameters": "*", "parameter": "", "catch_block": ""},
    classes=frozenset(("class_declaration", "object_declaration")),
    containers=frozenset(("source_file", "class_body", "companion_object")),
    this=frozenset(("this_expression",)),
    implicit_this=True,
    typed=True,
    tail_is_result=True,
    dropped=frozenset(("modifiers", "annotation", "user_type")),
    calls={"call_expression": ("", "value_arguments")},
    imports=of_packages,
    package_classes=True,
    dollars=True,
    parts_by_place=True,
    copies=True,
    top_level=_TOP_LEVEL,
)
