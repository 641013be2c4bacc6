"""Cucumber's profiles in programs (`cucumber.js`, `.mjs`, `.ts`, …): their literals and constants."""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from cukereuse_engine.glue.languages import javascript
from cukereuse_engine.glue.languages.collector import Collector
from cukereuse_engine.glue.languages.escapes import unescape
from cukereuse_engine.glue.languages.javascript_values import (
    ScriptFile,
    arguments_of,
    entries_of,
    read_constants,
    value_of,
)
from cukereuse_engine.glue.languages.source import Source, children
from cukereuse_engine.glue.languages.syntax_errors import SlowSourceError

if TYPE_CHECKING:
    from tree_sitter import Node

_SETTINGS = frozenset({"require", "import", "paths", "tags"})
_NAMES = ("identifier", "shorthand_property_identifier")
_FUNCTIONS = frozenset(
    f"{kind}{form}" for kind in ("function", "generator_function") for form in ("", "_expression", "_declaration")
) | {"arrow_function", "method_definition"}
_WRAPPED = frozenset({"as_expression", "satisfies_expression", "non_null_expression", "parenthesized_expression"})
_HANDED_ON = re.compile(r"(?:Promise\.resolve|Object\.freeze|structuredClone|define\w*)")
_MOST_CALLS = 5
_HERE = frozenset({"__dirname", "process.cwd()", "import.meta.dirname"})
ANY = "*"
"""Replaces what a template computes, as in a file pattern."""


def script_profiles(text: str, *, typed: bool = False) -> dict[str, Any]:
    """Profiles by name, each a line of options or an object of settings, as in JSON. `typed`: TypeScript. Raises
    `ValueError`."""
    file = parsed_script(text, typed=typed)
    profiles: dict[str, Any] = {}
    for name, node in exported(file):
        function = _function(file, node)
        if function is not None and name != "default":  # only the default profile may be one
            continue
        for own, value in _returned(file, function) if function is not None else [(name, node)]:
            while own in profiles and function is not None:  # each return is a separate run
                own += "'"
            profiles[own] = _settings(file, value)
    return profiles


def parsed_script(text: str, *, typed: bool) -> ScriptFile:
    """The program with its constants. Raises `ValueError`."""
    grammar = ("tree_sitter_typescript", "language_typescript") if typed else ("tree_sitter_javascript", "language")
    try:
        source = Source("cucumber.js", text.encode(), *grammar)
    except SlowSourceError as error:
        raise ValueError(str(error)) from error
    file = ScriptFile(source, Collector(source, javascript.LANGUAGE.id))
    read_constants(file)
    return file


def _function(file: ScriptFile, node: "Node") -> "Node | None":
    """The function that a value denotes: Cucumber takes the profiles from its result (lib/configuration)."""
    while node.type in _WRAPPED:
        node = next(children(node), node)
    node = file.constants.get(file.text(node), node) if node.type in _NAMES else node
    if node.type in _NAMES:
        named = (function for function in file.source.nodes("function_declaration", "generator_function_declaration"))
        name = file.text(node)
        node = next((function for function in named if file.text(function.child_by_field_name("name")) == name), node)
    return node if node.type in _FUNCTIONS else None


def _returned(file: ScriptFile, function: "Node") -> "Iterator[tuple[str, Node]]":
    """The profiles in the objects that a function returns; an object of settings is the default profile."""
    for value in _results(function):
        result = meant(file, value)
        entries = entries_of(file, result)
        if entries.keys() & _SETTINGS:
            yield "default", result
        else:
            yield from entries.items()


def exported(file: ScriptFile) -> "Iterator[tuple[str, Node]]":
    """Yields the exports of `module.exports = { web: …, api: … }`, `exports.web = …`, `export default …`, `export const
    web = …` and `export { web, api as default }`."""
    for node in file.source.nodes("assignment_expression", "export_statement"):
        if node.type == "assignment_expression":
            target, value = node.child_by_field_name("left"), node.child_by_field_name("right")
            owner, _, name = file.text(target).rpartition(".")
            if value is not None and owner.split(".")[-1] == "exports":
                yield name, value
            elif value is not None and name == "exports" and _function(file, value) is not None:
                yield "default", value
            elif value is not None and name == "exports":
                yield from entries_of(file, meant(file, value)).items()
        elif (value := _default_of(node)) is not None:
            yield "default", value
        else:
            for exported in _outside_functions(node, "variable_declarator", "export_specifier"):
                name_node = exported.child_by_field_name("name")
                value = exported.child_by_field_name("value") or name_node
                if value is not None:
                    yield file.text(exported.child_by_field_name("alias") or name_node), value


def _default_of(export: "Node") -> "Node | None":
    """The value of `export default …`."""
    declared = export.child_by_field_name("declaration")
    is_default = any(child.type == "default" for child in export.children)
    return export.child_by_field_name("value") or (declared if is_default else None)


def _outside_functions(node: "Node", *types: str) -> "Iterator[Node]":
    """The outermost nodes of these types in `node`, in source order. Functions are skipped, because their results are
    unknown."""
    pending = [node]
    while pending:
        inner = pending.pop()
        if inner.type in types:
            yield inner
        elif inner.type not in _FUNCTIONS:
            pending += reversed(list(children(inner)))


def meant(file: ScriptFile, node: "Node", depth: int = 0) -> "Node":
    """The value of a constant, of a call of a function in the file, or of a call that passes its argument on; without
    TypeScript's assertions."""
    while node.type in _WRAPPED or node.type == "await_expression":
        node = next(children(node), node)
    if node.type in _NAMES:
        node = file.constants.get(file.text(node), node)
    called = node.child_by_field_name("function") if node.type == "call_expression" and depth < _MOST_CALLS else None
    if called is None:
        return node
    function = _function(file, called)
    if function is not None:
        return next((meant(file, value, depth + 1) for value in _results(function)), node)
    arguments = arguments_of(node)
    if len(arguments) == 1 and _HANDED_ON.fullmatch(file.text(called)):
        return meant(file, arguments[0], depth + 1)
    return node


def _results(function: "Node") -> "Iterator[Node]":
    """The values that a function returns."""
    body = function.child_by_field_name("body")
    if body is None:
        return
    for statement in _outside_functions(body, "return_statement") if body.type == "statement_block" else [body]:
        yield (
            next(children(statement), statement)
            if statement.type in ("return_statement", "parenthesized_expression")
            else statement
        )


def _settings(file: ScriptFile, node: "Node", depth: int = 0) -> Any:
    node = meant(file, node)
    if node.type != "object":
        return _line(file, node)
    settings: dict[str, Any] = {}
    for spread in children(node):
        inner = next(children(spread), None) if spread.type == "spread_element" and depth < 5 else None
        other = _settings(file, inner, depth + 1) if inner is not None else None
        settings |= other if isinstance(other, dict) else {}
    for name, value in entries_of(file, node).items():
        if name in _SETTINGS:
            settings[name] = _texts(file, value)
    return settings


def _texts(file: ScriptFile, node: "Node") -> "list[str] | str":
    node = meant(file, node)
    if node.type != "array":
        return _text(file, node) or ""
    texts = [_text(file, meant(file, element)) for element in children(node)]
    return [text for text in texts if text is not None]


def texts_of(file: ScriptFile, node: "Node") -> list[str]:
    """The texts of a text or a list; computed ones are left out."""
    texts = _texts(file, node)
    return texts if isinstance(texts, list) else [texts] if texts else []


def _resolved(parts: list[str | None]) -> str | None:
    if len(parts) != 1 or parts[0] is None:
        return None
    return parts[0] if parts[0].startswith((".", "/")) else f"node_modules/{parts[0]}"


def _joined(parts: list[str | None]) -> str | None:
    told = [part for part in parts if part is not None]
    return "/".join(told) if len(told) == len(parts) else None


_PATHS: Mapping[str, Callable[[list[str | None]], str | None]] = {
    "require.resolve": _resolved,
    **dict.fromkeys(("path.join", "path.resolve", "join", "resolve"), _joined),
}
"""Functions that make a path of their arguments."""


def _text(file: ScriptFile, node: "Node") -> str | None:
    """The text of an expression, with `ANY` for computed parts of a template; None if all of it is computed."""
    if node.type == "call_expression" and (called := file.text(node.child_by_field_name("function"))) in _PATHS:
        parts = [_text(file, part) for part in arguments_of(node)]
        return _PATHS[called](parts)
    if file.text(node) in _HERE:
        return "."
    value = value_of(file, node)
    if value is not None:
        return value.text
    return _template(file, node) if node.type == "template_string" else None


def _template(file: ScriptFile, node: "Node") -> str:
    pieces: list[str] = []
    for part in children(node):
        if part.type != "template_substitution":
            pieces.append(unescape(file.text(part), simple="ntrbfv"))
            continue
        inner = next(children(part), None)
        text = _text(file, inner) if inner is not None else None
        pieces.append(text if text is not None else ANY)
    return "".join(pieces)


def _line(file: ScriptFile, node: "Node") -> str:
    """A line of options: a text, or `[…].join(' ')`; for other expressions, the literals in them."""
    joined = node.child_by_field_name("function") if node.type == "call_expression" else None
    if joined is not None and joined.type == "member_expression" and arguments_of(node):
        array = joined.child_by_field_name("object")
        texts = _texts(file, array) if array is not None else ""
        return " ".join(texts) if isinstance(texts, list) else texts
    text = _text(file, node)
    if text is not None:
        return text
    literals = (_text(file, literal) for literal in _outside_functions(node, "string", "template_string"))
    return " ".join(literal for literal in literals if literal is not None)
