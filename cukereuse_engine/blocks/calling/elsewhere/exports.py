"""The exports of a JavaScript or TypeScript file, read from its top level."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from cukereuse_engine.blocks.calling.functions import SourceFunctions

if TYPE_CHECKING:
    from tree_sitter import Node

_NAME = re.compile(r"[\w$]+")
_MEMBER = re.compile(r"(?P<whole>module\.)?exports\.(?P<name>[\w$]+)")


@dataclass(slots=True)
class Exports:
    own: set[str] = field(default_factory=set)
    """Names of the file that other files can import under the same name."""
    others: set[str] = field(default_factory=set)
    """Names under which something else is exported."""
    is_open: bool = True
    """True if a further name can be exported at the end of the file; false for an export that is frozen, imported, or
    made in an unknown way."""

    def add(self, name: str, *, is_own: bool) -> None:
        """Record what is exported last under a name: the file's own value of this name, or something else."""
        (self.own if is_own else self.others).add(name)
        (self.others if is_own else self.own).discard(name)


def is_module(source: SourceFunctions) -> bool:
    """True if a file's syntax shows that it is an ES module."""
    return source.source is not None and any(
        node.type in ("import_statement", "export_statement") for node in source.source.root.named_children
    )


def exports_of(source: SourceFunctions) -> Exports:
    if source.source is None:
        return Exports(is_open=False)
    return _of_module(source) if is_module(source) else _of_common_js(source)


def _of_module(source: SourceFunctions) -> Exports:
    assert source.source is not None
    exports = Exports()
    for node in source.source.root.named_children:
        if node.type != "export_statement":
            continue
        if any(child.type == "=" for child in node.children):  # TypeScript's way to write `module.exports = …`
            return Exports(is_open=False)
        own = exports.own if node.child_by_field_name("source") is None else exports.others
        for specifier in source.source.nodes("export_specifier", within=node):
            name, alias = specifier.child_by_field_name("name"), specifier.child_by_field_name("alias")
            if alias is not None:
                exports.others.add(source.text_of(alias))
            elif name is not None:
                own.add(source.text_of(name))
        exports.others.update(
            source.text_of(space.named_children[-1]) for space in source.source.nodes("namespace_export", within=node)
        )
        if not any(child.type == "default" for child in node.children):
            exports.own.update(_declared(source, node.child_by_field_name("declaration")))
    return exports


def _declared(source: SourceFunctions, declaration: "Node | None") -> Iterable[str]:
    if declaration is None:
        return
    own = declaration.child_by_field_name("name")
    variables = (child for child in declaration.named_children if child.type == "variable_declarator")
    for name in (own, *(variable.child_by_field_name("name") for variable in variables)):
        if name is not None and _NAME.fullmatch(source.text_of(name)):
            yield source.text_of(name)


def _of_common_js(source: SourceFunctions) -> Exports:
    """The exports by CommonJS. What `exports` names after an assignment to `module.exports` is not exported."""
    assert source.source is not None
    exports, is_assigned, assignments = Exports(), False, 0
    for target, right in _assignments(source):
        member = _MEMBER.fullmatch(target)
        if target == "module.exports":
            exports, is_assigned, assignments = _of_object(source, right), True, assignments + 1
        elif member is not None:
            assignments += 1
            if member["whole"] or not is_assigned:
                exports.add(member["name"], is_own=source.text_of(right) == member["name"])
    names = source.source.nodes("identifier", "property_identifier")
    if sum(source.text_of(name) == "exports" for name in names) != assignments:
        return Exports(others=exports.own | exports.others, is_open=False)
    return exports


def _assignments(source: SourceFunctions) -> "Iterator[tuple[str, Node]]":
    """Yields the target and the value of each assignment by a statement at the top."""
    assert source.source is not None
    for node in source.source.root.named_children:
        assignment = node.named_children[0] if node.type == "expression_statement" and node.named_children else None
        if assignment is not None and assignment.type == "assignment_expression":
            left, right = (assignment.child_by_field_name(side) for side in ("left", "right"))
            assert left is not None
            assert right is not None
            yield source.text_of(left), right


def _of_object(source: SourceFunctions, value: "Node") -> Exports:
    """The exports of `module.exports = {…}`."""
    if value.type != "object":
        return Exports(is_open=False)
    exports = Exports()
    for entry in value.named_children:
        key, inner = entry.child_by_field_name("key"), entry.child_by_field_name("value")
        if entry.type == "shorthand_property_identifier":
            exports.own.add(source.text_of(entry))
        elif entry.type == "pair" and key is not None and inner is not None and key.type == "property_identifier":
            is_own = source.text_of(key) == source.text_of(inner)
            (exports.own if is_own else exports.others).add(source.text_of(key))
        elif entry.type == "method_definition":
            name = entry.child_by_field_name("name")
            exports.others.update([source.text_of(name)] if name is not None else [])
        elif entry.type != "comment":  # a spread or computed entry may have any name
            exports.is_open = False
    return exports
