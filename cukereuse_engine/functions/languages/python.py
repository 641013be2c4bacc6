"""Python."""

import posixpath
import re
from collections.abc import Iterable, Iterator
from pathlib import PurePath
from typing import TYPE_CHECKING

from cukereuse_engine.functions.grammar import Grammar, Import
from cukereuse_engine.functions.paths import above, join, module_path
from cukereuse_engine.functions.syntax import child_of

if TYPE_CHECKING:
    from tree_sitter import Node

    from cukereuse_engine.glue.languages.source import Source


def _imports(source: "Source", node: "Node") -> Iterator[Import]:
    module_node = child_of(node, "module_name")
    module = _module(source.text(module_node), source.path) if module_node is not None else ""
    for name in node.children_by_field_name("name"):
        original, alias = child_of(name, "name"), child_of(name, "alias")
        written = source.text(original if original is not None else name)
        local = source.text(alias) if alias is not None else written
        yield (local, module, written) if module else (local, written, "")


def _module(written: str, path: str) -> str:
    """A relative module as a path without suffix."""
    if not written.startswith("."):
        return written
    dots = len(written) - len(written.lstrip("."))
    folder = PurePath(path).parent.as_posix() + "/.." * (dots - 1)
    return module_path(posixpath.join(folder, written[dots:].replace(".", "/")))


def files_of(module: str, path: str) -> Iterator[str]:
    """Paths at which an imported module may be; `module` is its name, or its path if the import is relative."""
    if module.startswith(("/", "./")):
        starts: Iterable[str] = ("",)
        plain = module.removeprefix("./")
    else:
        starts, plain = above(path), module.replace(".", "/")
    for folder in starts:
        yield from (join(folder, plain) + suffix for suffix in (".py", "/__init__.py"))


GRAMMAR = Grammar(
    module="tree_sitter_python",
    functions=frozenset(("function_definition", "lambda")),
    blocks=frozenset(("block",)),
    strings=frozenset(("string",)),
    contents=frozenset(("string_content", "escape_sequence")),
    values=frozenset(("integer", "float", "true", "false", "none", "ellipsis")),
    names=frozenset(("identifier",)),
    members={"attribute": ("object", "attribute")},
    declares={
        **{"assignment": "left", "for_statement": "left", "for_in_clause": "left", "as_pattern_target": "*"},
        **{"named_expression": "name", "lambda_parameters": "*"},
    },
    classes=frozenset(("class_definition",)),
    containers=frozenset(("module", "decorated_definition", "expression_statement", "block", "if_statement")),
    this=frozenset(("self",)),
    dropped=frozenset(("decorator",)),
    calls={"call": ("function", "arguments")},
    imports=_imports,
    modules=files_of,
    submodules=True,
    functions_begin=re.compile(rb"^(?:async[ \t]+)?def[ \t]+(\w+)", re.MULTILINE),
    bases=frozenset(("argument_list",)),
    first_is_self=True,
    assigned_locals=True,
    docstrings=True,
    step_calls=frozenset(("execute_steps",)),
    step_members=True,
    placeholders=re.compile(r"\{[^{}]*\}|%[sdr]"),
)
