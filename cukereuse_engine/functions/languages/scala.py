"""Scala."""

from typing import TYPE_CHECKING

from cukereuse_engine.functions.field_names import Naming, assigned
from cukereuse_engine.functions.grammar import Grammar
from cukereuse_engine.functions.qualified_imports import of_packages

if TYPE_CHECKING:
    from tree_sitter import Node


def _naming(node: "Node", around: "Node") -> Naming:
    return assigned(node, around, "arguments")


GRAMMAR = Grammar(
    module="tree_sitter_scala",
    functions=frozenset(("lambda_expression", "function_definition")),
    blocks=frozenset(("block", "indented_block")),
    strings=frozenset(("string", "interpolated_string_expression")),
    contents=frozenset(("escape_sequence",)),
    values=frozenset(("integer_literal", "floating_point_literal", "boolean_literal", "null_literal", "unit")),
    names=frozenset(("identifier",)),
    members={"field_expression": ("value", "field")},
    declares={"val_definition": "pattern", "var_definition": "pattern", "binding": "name", "enumerator": ""},
    classes=frozenset(("class_definition", "object_definition", "trait_definition")),
    containers=frozenset(("compilation_unit", "template_body")),
    this=frozenset(("this",)),
    implicit_this=True,
    typed=True,
    tail_is_result=True,
    dropped=frozenset(("modifiers", "annotation")),
    transparent=frozenset(("indented_block",)),
    calls={"call_expression": ("function", "arguments")},
    types=frozenset(("type_identifier",)),
    imports=of_packages,
    naming=_naming,
)
