"""Classes and traits of a PHP source: their names with namespaces, superclasses and traits. Reads syntax only."""

from typing import TYPE_CHECKING

from cukereuse_engine.glue.definition import GlueClass
from cukereuse_engine.glue.languages.source import Source, children

if TYPE_CHECKING:
    from tree_sitter import Node

_NAMES = frozenset({"name", "qualified_name"})


def read_classes(source: Source) -> tuple[GlueClass, ...]:
    """The classes and traits with a name, in source order."""
    namespace = ""
    imports: dict[str, str] = {}
    classes: list[GlueClass] = []
    kinds = ("namespace_definition", "namespace_use_declaration", "class_declaration", "trait_declaration")
    for node in source.nodes(*kinds):
        if node.type == "namespace_definition":
            name = node.child_by_field_name("name")
            namespace, imports = (source.text(name) + "\\" if name is not None else ""), {}
        elif node.type == "namespace_use_declaration":
            imports |= _imports(source, node)
        elif (name := node.child_by_field_name("name")) is not None:
            parents = (_resolved(source.text(parent), namespace, imports) for parent in _parents(node))
            own = namespace + source.text(name)
            classes.append(GlueClass(own, tuple(parents), node.start_byte, node.end_byte))
    return tuple(classes)


def imports_of(source: Source) -> dict[str, str]:
    """Maps the names that the file's `use` statements import, in lower case, to full names."""
    imports: dict[str, str] = {}
    for node in source.nodes("namespace_use_declaration"):
        imports |= _imports(source, node)
    return imports


def _imports(source: Source, node: "Node") -> dict[str, str]:
    """Maps the names that a `use` statement imports, in lower case, to full names."""
    prefix = next((source.text(child) + "\\" for child in children(node) if child.type == "namespace_name"), "")
    imports = {}
    for clause in source.nodes("namespace_use_clause", within=node):
        parts = list(children(clause))
        if parts:
            full = (prefix + source.text(parts[0])).lstrip("\\")
            alias = clause.child_by_field_name("alias")
            imports[(source.text(alias) if alias is not None else full.split("\\")[-1]).lower()] = full
    return imports


def _parents(node: "Node") -> "list[Node]":
    parents: list[Node] = []
    for child in children(node):
        if child.type == "base_clause":
            parents += [parent for parent in children(child) if parent.type in _NAMES]
    body = node.child_by_field_name("body")
    for member in children(body) if body is not None else ():
        if member.type == "use_declaration":
            parents += [trait for trait in children(member) if trait.type in _NAMES]
    return parents


def _resolved(name: str, namespace: str, imports: dict[str, str]) -> str:
    """A class name as PHP resolves it (manual, "Name resolution rules")."""
    if name.startswith("\\"):
        return name[1:]
    first, _, rest = name.partition("\\")
    if first.lower() in imports:
        return imports[first.lower()] + ("\\" + rest if rest else "")
    return namespace + name
