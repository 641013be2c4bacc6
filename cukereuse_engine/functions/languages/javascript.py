"""JavaScript."""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from cukereuse_engine.functions.grammar import Grammar, Import
from cukereuse_engine.functions.paths import script_module
from cukereuse_engine.functions.syntax import child_of

if TYPE_CHECKING:
    from tree_sitter import Node

    from cukereuse_engine.glue.languages.source import Source

_FUNCTIONS_BEGIN = re.compile(
    rb"^(?:export[ \t]+)?(?:default[ \t]+)?"
    rb"(?:(?:async[ \t]+)?function\*?[ \t]+(\w+)|(?:const|let|var)[ \t]+(\w+)[ \t]*=)",
    re.MULTILINE,
)
_SUFFIXES = ("", ".ts", ".js", ".tsx", ".jsx", ".mjs", ".cjs", ".mts", "/index.ts", "/index.js")


def _imports(source: "Source", node: "Node") -> Iterator[Import]:
    module_node = child_of(node, "source")
    if module_node is None:
        return
    module = script_module(source.text(module_node).strip("'\"`"), source.path)
    for child in source.nodes("import_specifier", "import_clause", "namespace_import", within=node):
        if child.type == "import_specifier":
            name, alias = child_of(child, "name"), child_of(child, "alias")
            if name is not None:
                yield source.text(alias if alias is not None else name), module, source.text(name)
        elif child.type == "namespace_import":
            yield source.text(child.named_children[-1]), module, ""
        else:
            yield from ((source.text(name), module, "default") for name in child.named_children
                        if name.type == "identifier")  # fmt: skip


def files_of(module: str, _path: str = "") -> Iterator[str]:
    """Paths at which a module may be, likeliest first; none for a package's name."""
    if module.startswith(("/", "./", "../")) or module[1:3] == ":/":
        plain = module.removeprefix("./")
        yield from (plain + suffix for suffix in _SUFFIXES)


GRAMMAR = Grammar(
    module="tree_sitter_javascript",
    functions=frozenset(
        (
            *("arrow_function", "function_expression", "function", "generator_function", "method_definition"),
            *("function_declaration", "generator_function_declaration"),
        )
    ),
    blocks=frozenset(("statement_block",)),
    strings=frozenset(("string", "template_string")),
    contents=frozenset(("string_fragment", "escape_sequence")),
    values=frozenset(("number", "true", "false", "null", "undefined", "regex")),
    names=frozenset(("identifier", "shorthand_property_identifier")),
    members={"member_expression": ("object", "property")},
    declares={
        **{"variable_declarator": "name", "for_in_statement": "left", "catch_clause": "parameter"},
        **{"formal_parameters": "*", "arrow_function": "parameter"},
    },
    classes=frozenset(("class_declaration", "class", "abstract_class_declaration")),
    containers=frozenset(("export_statement", "program", "class_body", "lexical_declaration", "variable_declaration")),
    this=frozenset(("this",)),
    tail_is_result=True,
    dropped=frozenset(
        (
            "type_annotation",
            "type_arguments",
            "type_parameters",
            "accessibility_modifier",
            "decorator",
            "predefined_type",
        )
    ),
    calls={"call_expression": ("function", "arguments")},
    types=frozenset(("type_identifier",)),
    imports=_imports,
    modules=files_of,
    functions_begin=_FUNCTIONS_BEGIN,
    methods=frozenset(("method_definition",)),
    undeclared_fields=True,
    calls_with_this="call",
    step_calls=frozenset(("Step", "step")),
    step_takes_this=True,
)
