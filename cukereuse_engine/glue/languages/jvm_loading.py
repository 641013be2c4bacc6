"""Why Cucumber-JVM does not load some methods that are annotated as step definitions.

It loads the public methods of public classes that it can instantiate, and refuses to run if a class extends one that
defines steps (cucumber-jvm, MethodScanner.java). Lambdas are registered in another way.
"""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from cukereuse_engine.glue.languages.source import Source, children

if TYPE_CHECKING:
    from tree_sitter import Node

_NOT_LOADED = "Cucumber does not load this step definition: "
_NO_PUBLIC_METHOD = f"{_NOT_LOADED}its method is not public"
_NO_PUBLIC_CLASS = f"{_NOT_LOADED}its class is not public"
_ABSTRACT = f"{_NOT_LOADED}its class is abstract, and no other class may extend one that defines steps"
_INTERFACE = f"{_NOT_LOADED}it is in an interface"
_INNER = f"{_NOT_LOADED}its class needs an instance of the class around it"
_OBJECT = f"{_NOT_LOADED}it makes an instance of each class with steps, and an object has a private constructor"
_JAVA_CLASSES = frozenset({"class_declaration", "record_declaration", "enum_declaration"})


def reason(source: Source, method: "Node | None") -> str:
    """Why an annotated method is not loaded; empty if it is loaded, or if the source does not tell."""
    if method is None:
        return ""
    if method.type == "method_declaration":
        return _in_java(source, method)
    return _in_kotlin(source, method) if method.type == "function_declaration" else ""


def extended(source: Source, methods: "list[Node]") -> "Iterator[tuple[Node, str]]":
    """The classes of a source that extend one with such methods, each with the message about it."""
    defining = [around for method in methods if (around := _around(method)) is not None]
    for declared in source.nodes("class_declaration") if defining else ():
        base = _base(source, declared)
        if base and any(_is_meant(source, candidate, base, declared) for candidate in defining):
            name = _name(source, declared)
            extended_name = base.rpartition(".")[2]
            yield declared, f"Cucumber refuses to run: {name} extends {extended_name}, which defines steps"


def _base(source: Source, declared: "Node") -> str:
    """The name of the class that a class extends, as it is written."""
    superclass = declared.child_by_field_name("superclass")  # Java
    if superclass is None:  # Kotlin calls the constructor of a class, but only names an interface
        listed = next((child for child in children(declared) if child.type == "delegation_specifiers"), None)
        calls = source.nodes("constructor_invocation", within=listed) if listed is not None else []
        superclass = calls[0] if calls else None
    written = source.text(superclass) if superclass is not None else ""
    return written.removeprefix("extends").split("<")[0].split("(")[0].strip()


def _is_meant(source: Source, candidate: "Node", base: str, declared: "Node") -> bool:
    """True if another class surely extends this class of the source, and no namesake in another file."""
    qualifier, _, name = base.rpartition(".")
    if candidate == declared or _name(source, candidate) != name:
        return False
    around = _around(candidate)
    if qualifier:
        package = next(iter(source.nodes("package_declaration", "package_header")), None)
        is_packaged = package is not None and re.search(rf"\s{re.escape(qualifier)}\W*$", source.text(package))
        return bool(is_packaged) if around is None else _name(source, around) == qualifier
    return around is None or any(around == outer for outer in _all_around(declared))


def _in_java(source: Source, method: "Node") -> str:
    holder = _around(method)
    if holder is None:
        return ""
    if holder.type == "interface_declaration":
        return _INTERFACE
    own, around = _modifiers(source, holder), _around(holder)
    is_inner = around is not None and around.type != "interface_declaration"
    if "abstract" in own:
        return _ABSTRACT
    if "public" not in own and (around is None or is_inner):
        return _NO_PUBLIC_CLASS
    if is_inner and "static" not in own and holder.type == "class_declaration":
        return _INNER
    return "" if "public" in _modifiers(source, method) else _NO_PUBLIC_METHOD


def _in_kotlin(source: Source, function: "Node") -> str:
    holder = _around(function)
    if {"private", "protected"} & _modifiers(source, function):
        return _NO_PUBLIC_METHOD
    if holder is None:
        return ""
    own = _modifiers(source, holder)
    if holder.type in ("object_declaration", "companion_object"):
        return _OBJECT
    if any(child.type == "interface" for child in holder.children):
        return _INTERFACE
    if {"abstract", "sealed"} & own:
        return _ABSTRACT
    if {"private", "protected"} & own:
        return _NO_PUBLIC_CLASS
    return _INNER if "inner" in own else ""


_HOLDERS = _JAVA_CLASSES | {"interface_declaration", "object_declaration", "companion_object"}


def _around(node: "Node") -> "Node | None":
    """The class, interface or object around a node."""
    around = node.parent
    while around is not None and around.type not in _HOLDERS:
        around = around.parent
    return around


def _all_around(node: "Node") -> "Iterator[Node]":
    around = _around(node)
    while around is not None:
        yield around
        around = _around(around)


def _name(source: Source, declared: "Node") -> str:
    name = declared.child_by_field_name("name")
    return source.text(name) if name is not None else ""


def _modifiers(source: Source, declared: "Node") -> set[str]:
    """The modifiers of a declaration, without its annotations."""
    modifiers = next((child for child in declared.children if child.type == "modifiers"), None)
    plain = [child for child in modifiers.children if "annotation" not in child.type] if modifiers is not None else []
    return {source.text(child) for child in plain}
