"""Go: removes a registration, and its function if nothing else in the package names it.

Refuses what would not compile: an import or a variable that is left without a use.
"""

import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from cukereuse_engine.glue.definition import StepDefinition
from cukereuse_engine.glue.languages.source import Source
from cukereuse_engine.refactor.declarations import line_start, with_comment
from cukereuse_engine.refactor.unmergeable import UnmergeableError

if TYPE_CHECKING:
    from tree_sitter import Node

Span = tuple[int, int]
"""Start and end of removed code, in bytes."""
NAMED = re.compile(r"(?:\w+\.)?(\w+)")
"""The name of a function in a registration."""
_FUNCTIONS = ("function_declaration", "method_declaration", "func_literal")
_DECLARING = ("short_var_declaration", "var_spec", "range_clause")


def registration_of(definition: StepDefinition, source: Source) -> "tuple[Node, Node]":
    """The call that registers a definition, and the handler that it passes."""
    span = definition.literal
    node = source.root.descendant_for_byte_range(span.start_byte, span.end_byte)
    while node is not None and node.type != "call_expression":
        node = node.parent
    arguments = node.child_by_field_name("arguments") if node is not None else None
    handed = arguments.named_children if arguments is not None else []
    if node is None or len(handed) != 2 or handed[0].start_byte != span.start_byte:
        raise UnmergeableError(f"{definition.place}: it is not a call with an expression and a function")
    return node, handed[1]


def is_named_here_alone(name: str, path: str, source: Source, read: Callable[[str], bytes]) -> bool:
    """True if a function is not exported and its package names it only in its declaration and its registration."""
    word = re.compile(rb"\b%s\b" % name.encode())
    uses = [node for node in source.nodes("identifier", "field_identifier") if source.text(node) == name]
    beside = (str(file) for file in Path(path).parent.glob("*.go") if file != Path(path) and file.is_file())
    return name[:1].islower() and len(uses) == 2 and not any(word.search(read(file)) for file in beside)


def whole_function(definition: StepDefinition, data: bytes) -> Span:
    """The lines of the function, the comment above it, and the blank lines after it."""
    function = definition.function
    assert function is not None
    start, end = function.start_byte, data.find(b"\n", function.end_byte)
    end = end + 1 if end >= 0 else len(data)
    if data[line_start(data, start) : start].strip() or data[function.end_byte : end].strip():
        raise UnmergeableError(f"{definition.place}: its function's lines contain other code")
    start = with_comment(data, line_start(data, start), definition.path)
    blank = re.compile(rb"(?:[ \t]*\r?\n)*").match(data, end)
    return start, blank.end() if blank is not None else end


def function_around(node: "Node") -> "Node | None":
    around = node.parent
    while around is not None and around.type not in _FUNCTIONS:
        around = around.parent
    return around


def removed(definition: StepDefinition, data: bytes, source: Source, read: Callable[[str], bytes]) -> list[Span]:
    """The code to remove with a definition. Raises `UnmergeableError`."""
    call, handler = registration_of(definition, source)
    statement = call.parent
    start, end = line_start(data, call.start_byte), data.find(b"\n", call.end_byte) + 1 or len(data)
    if (
        statement is None
        or statement.type not in ("expression_statement", "statement_list", "block")
        or data[start : call.start_byte].strip()
        or data[call.end_byte : end].strip(b" \t\r\n;")
    ):
        raise UnmergeableError(f"{definition.place}: its line contains other code; remove it by hand")
    registration = (start, end)
    around = function_around(call)
    if around is not None and _leaves_unused(_locals(around, source), [registration], around, source):
        raise UnmergeableError(f"{definition.place}: a variable would have no use; remove it by hand")
    imports = _imports(source)
    name = NAMED.fullmatch(source.text(handler))
    function = definition.function
    if name is not None and function is not None and is_named_here_alone(name[1], definition.path, source, read):
        spans = [registration, whole_function(definition, data)]
        if not _leaves_unused(imports, spans, source.root, source):
            return spans
    if _leaves_unused(imports, [registration], source.root, source):
        raise UnmergeableError(f"{definition.place}: an import would have no use; remove it by hand")
    return [registration]


def _imports(source: Source) -> dict[str, int]:
    """Maps the possible names of imported packages to the byte of their import: any word of `gopkg.in/yaml.v3` or
    `github.com/x/go-yaml` after the last slash may be the name."""
    names: dict[str, int] = {}
    for spec in source.nodes("import_spec"):
        alias, path = spec.child_by_field_name("name"), spec.child_by_field_name("path")
        if path is not None:
            parts = [part for part in source.text(path).strip('"`').split("/") if not re.fullmatch(r"v\d+", part)]
            last = source.text(alias) if alias is not None else parts[-1] if parts else ""
            names |= dict.fromkeys(re.findall(r"\w+", last), spec.start_byte)
    return names


def _locals(function: "Node", source: Source) -> dict[str, int]:
    """Maps the variables that a function declares to the byte of their declaration."""
    names: dict[str, int] = {}
    for node in source.nodes(*_DECLARING, within=function):
        target = node.child_by_field_name("left") or node.child_by_field_name("name")
        for leaf in source.nodes("identifier", within=target) if target is not None else ():
            names.setdefault(source.text(leaf), leaf.start_byte)
    return names


def _leaves_unused(names: dict[str, int], spans: Iterable[Span], within: "Node", source: Source) -> bool:
    """True if one of the names is used in the removed code and nowhere else."""
    gone = list(spans)
    inside: set[str] = set()
    outside: set[str] = set()
    for node in source.nodes("identifier", "package_identifier", within=within):
        name = source.text(node)
        if name in names and names[name] != node.start_byte and not _is_in_import(node):
            is_gone = any(start <= node.start_byte < end for start, end in gone)
            (inside if is_gone else outside).add(name)
    return bool(inside - outside)


def _is_in_import(node: "Node") -> bool:
    return node.parent is not None and node.parent.type == "import_spec"
