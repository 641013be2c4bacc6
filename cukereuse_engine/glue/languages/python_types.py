"""Python: parameter types of behave, of pytest-bdd's parsers and of Cucumber Expressions, with their patterns."""

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING

from cukereuse_engine.glue.languages.python_values import PythonFile, arguments_of, called_name, entries_of, value_of
from cukereuse_engine.glue.languages.source import children

if TYPE_CHECKING:
    from tree_sitter import Node


_MANY = ("with_many", "with_many0", "with_optional", "with_zero_or_more", "with_zero_or_one")


def read_parameter_types(file: PythonFile) -> None:
    """Read `register_type(Name=function)` of behave, and `extra_types=dict(Name=function)` of pytest-bdd's parsers."""
    for call in file.source.nodes("call"):
        called = called_name(file, call).split(".")[-1]
        positional, named = arguments_of(call)
        converters: Iterable[tuple[str, Node]] = ()
        if called == "register_type":
            converters = named.items()
        elif called in ("parse", "cfparse"):
            extra = named.get("extra_types") or (positional[1] if len(positional) > 1 else None)
            converters = entries_of(file, extra) if extra is not None else ()
        elif called in ("define_parameter_type_with", "ParameterType"):
            _read_cucumber_type(file, call, positional, named)
        for name, node in converters:
            file.collector.add_parameter_type(name, _pattern_of(file, node), node)


def _read_cucumber_type(
    file: PythonFile, call: "Node", positional: "Sequence[Node]", named: "Mapping[str, Node]"
) -> None:
    given = {**named, **dict(zip(("name", "regexp"), positional, strict=False))}
    name, regex = (value_of(file, given[key]) if key in given else None for key in ("name", "regexp"))
    if name is not None:
        file.collector.add_parameter_type(name.text, (regex.text,) if regex else (), call)


def _pattern_of(file: PythonFile, node: "Node", depth: int = 0) -> tuple[str, ...]:
    """The regexes of a converter: a function with `@with_pattern`, or `make_enum/make_choice` of literals."""
    if node.type == "identifier":
        name = file.text(node)
        if name in file.patterns:
            return (file.patterns[name].text,)
        constant = file.constants.get(name)
        return _pattern_of(file, constant, depth + 1) if constant is not None and depth < 5 else ()
    if node.type != "call":
        return ()
    called = called_name(file, node).split(".")[-1]
    positional, named = arguments_of(node)
    if not positional:
        return ()
    if called in _MANY:
        return _repeated(file, called, _pattern_of(file, positional[0], depth + 1), named)
    if called == "make_variant":
        variants = [_pattern_of(file, child, depth + 1) for child in children(positional[0])]
        return tuple(chain.from_iterable(variants)) if all(variants) else ()
    if called == "make_enum" and positional[0].type == "identifier":
        return tuple(map(re.escape, _members(file, file.text(positional[0]))))
    return _choices(file, positional[0]) if called in ("make_enum", "make_choice") else ()


def _choices(file: PythonFile, node: "Node") -> tuple[str, ...]:
    """The texts of a literal; none if it contains anything else."""
    if node.type == "dictionary":
        return tuple(re.escape(name) for name, _ in entries_of(file, node))
    items = [value_of(file, child) for child in children(node)]
    texts = tuple(re.escape(item.text) for item in items if item is not None)
    return texts if len(texts) == len(items) and node.type in ("list", "tuple") else ()


def _repeated(file: PythonFile, called: str, patterns: tuple[str, ...], named: "dict[str, Node]") -> tuple[str, ...]:
    """The regexes with parse_type's cardinality: one or more with a separator, any number, or at most one."""
    alternatives = "|".join(patterns)
    if not patterns or called in ("with_optional", "with_zero_or_one"):
        return (f"(?:{alternatives})?",) if patterns else ()
    between = value_of(file, named["listsep"]) if "listsep" in named else None
    if "listsep" in named and between is None:
        return ()
    separator = re.escape(between.text if between is not None else ",")
    many = rf"(?:{alternatives})(?:\s*{separator}\s*(?:{alternatives}))*"
    return (many,) if called == "with_many" else (f"(?:{many})?",)


def _members(file: PythonFile, name: str) -> list[str]:
    """The members of an enumeration in this file."""
    for definition in file.source.nodes("class_definition"):
        named, body = definition.child_by_field_name("name"), definition.child_by_field_name("body")
        if named is not None and body is not None and file.text(named) == name:
            assigned = (
                next(children(statement), statement)
                for statement in children(body)
                if statement.type == "expression_statement"
            )
            lefts = (
                expression.child_by_field_name("left") for expression in assigned if expression.type == "assignment"
            )
            return [file.text(left) for left in lefts if left is not None and left.type == "identifier"]
    return []


def read_patterns(file: PythonFile) -> None:
    """Read functions under `@parse.with_pattern(…)` into `patterns`."""
    for decorated in file.source.nodes("decorated_definition"):
        function = decorated.child_by_field_name("definition")
        name = function.child_by_field_name("name") if function is not None else None
        for decorator in children(decorated):
            call = next(children(decorator), None) if decorator.type == "decorator" else None
            if call is not None and call.type == "call" and called_name(file, call).split(".")[-1] == "with_pattern":
                positional, named = arguments_of(call)
                node = positional[0] if positional else named.get("pattern")
                value = value_of(file, node) if node is not None else None
                if value is not None and name is not None:
                    file.patterns[file.text(name)] = value
