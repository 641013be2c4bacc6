"""The meanings of names in one file: its imports, classes with their members, functions and constants."""

import posixpath
import re
from collections.abc import Callable
from pathlib import PurePath
from typing import TYPE_CHECKING

from cukereuse_engine.functions.classes import Class, ClassReader
from cukereuse_engine.functions.grammar import Grammar, SharedFolder
from cukereuse_engine.functions.imports import Imports
from cukereuse_engine.functions.java_packages import OF_THE_LANGUAGE, gives_assertion, may_give
from cukereuse_engine.functions.syntax import child_of
from cukereuse_engine.glue.languages.source import Source

if TYPE_CHECKING:
    from tree_sitter import Node

_FUNCTION_VALUES = frozenset(("arrow_function", "function_expression", "function"))
_MAX_DEPTH = 40
_TYPES = frozenset(("struct_item", "enum_item", "union_item", "type_item", "trait_item"))
"""Rust's declarations of types."""


def _is_class_name(name: str) -> bool:
    """True for the spelling of a class. A name in upper case is a constant, from a parent or a static import."""
    return name[:1].isupper() and not name.isupper() and name not in OF_THE_LANGUAGE


class Names:
    """The names of one parsed file."""

    def __init__(self, source: Source, grammar: Grammar) -> None:
        self.source, self.grammar = source, grammar
        self.text: Callable[[Node], str] = source.text
        self.package = ""
        self._imports = Imports(source, grammar)
        self.imports = self._imports.by_name
        self.classes: list[Class] = []
        self.functions: dict[str, list[Node]] = {}
        self.constants: dict[str, Node | None] = {}
        """Values of the file's names; None if a name gets several values, or if its value may change."""
        self.types: set[str] = set()
        """Rust: types that the file declares and no other file can name. A type that is public, or that modules of
        other files see, is the one that these use."""
        self._has_modules = False
        self.unit = PurePath(source.path).as_posix()
        self._read(source.root, 0)
        if self._has_modules:
            self.types.clear()
        if grammar.sharing is SharedFolder.FOLDER:
            self.unit = posixpath.dirname(self.unit)
        reader = ClassReader(source, grammar, self.type_name)
        for class_ in self.classes:
            reader.read(class_)

    def class_around(self, node: "Node") -> Class | None:
        """The innermost class around a function."""
        at = node.start_byte
        around = [class_ for class_ in self.classes if class_.node.start_byte <= at < class_.node.end_byte]
        return max(around, key=lambda class_: class_.node.start_byte) if around else None

    def type_name(self, written: str) -> str:
        """A type with the packages that imports tell, also for its generic arguments."""
        return re.sub(r"[\w\\]+(?:\.[\w]+)*", lambda match: self._full(match.group()), written).replace(" ", "")

    def _full(self, name: str) -> str:
        if name.startswith("\\"):
            return name[1:]
        first, mark, rest = name.partition(self.grammar.separator)
        if first in self.imports and not self.grammar.bare_imports:
            module, inner = self.imports[first]
            return self.grammar.separator.join(filter(None, (module, inner))).strip(".") + mark + rest
        if any(class_.id.split("\0")[-1] == name for class_ in self.classes):
            return self._class_id(name)
        if self.grammar.package_types and self.package and name[:1].isupper():
            return f"{self.package}{self.grammar.separator}{name}"
        return f"{self.unit}:{name}" if self._is_of_unit(name) else name

    def _is_of_unit(self, name: str) -> bool:
        """True if a type that no import names belongs to this file (Rust) or package (Go)."""
        if self.grammar.sharing is SharedFolder.FOLDER:
            return name.isidentifier() and name not in self.grammar.builtins
        return name in self.types

    def home_of(self, name: str) -> str:
        """The packages of this project that may contain a class that no import names: this one, and those imported
        whole. Empty if that tells nothing: in other languages, for a name that is not spelled as a class, for classes
        of the language, and if a package of others that is imported whole may contain it.

        Two files of different packages, or with different whole imports, have different homes for a class that both
        import: nothing looks up which package has it, and what may be two things is never called one.
        """
        if not self.grammar.package_classes or not self.package or not _is_class_name(name):
            return ""
        if any(class_.id == self._class_id(name) for class_ in self.classes):
            return self.package
        project = self.package.split(".")[:2]
        near = [package for package in self._imports.whole if package.split(".")[:2] == project]
        if any(may_give(package, name) for package in self._imports.whole if package not in near):
            return ""
        return "|".join(sorted({self.package, *near}))

    def class_asserting(self, name: str) -> str:
        """The class of an assertion that no import names; empty if unknown. A parent may have any other static member
        of a class that is imported whole."""
        giving = [class_ for class_ in self._imports.whole_classes if gives_assertion(class_, name)]
        return giving[0] if len(giving) == 1 else ""

    # -- reading

    def _read(self, parent: "Node", depth: int) -> None:
        if depth > _MAX_DEPTH:
            return
        for node in parent.named_children:
            kind = node.type
            if "import" in kind or kind in ("namespace_use_declaration", "using_directive", "use_declaration"):
                self._imports.read(node)
            elif kind in ("package_declaration", "package_header"):
                self.package = self.text(node).removeprefix("package").strip(" ;\n")
            elif kind in ("namespace_definition", "namespace_declaration", "file_scoped_namespace_declaration"):
                name = child_of(node, "name")
                self.package = self.text(name) if name is not None else ""
                self._read_namespace(node, depth)
            elif kind in self.grammar.classes:
                self._add_class(node, depth)
            elif kind in self.grammar.functions:
                self._add_function(node)
            elif kind in _TYPES:
                self._add_type(node)
            elif kind == "mod_item" and child_of(node, "body") is None:
                self._has_modules = True
            else:
                self._read_other(node, depth)

    def _add_type(self, node: "Node") -> None:
        name = child_of(node, "name")
        if name is not None and not any(child.type == "visibility_modifier" for child in node.children):
            self.types.add(self.text(name))

    def _read_namespace(self, node: "Node", depth: int) -> None:
        body = child_of(node, "body")
        self._read(body if body is not None else node, depth + 1)

    def _read_other(self, node: "Node", depth: int) -> None:
        kind = node.type
        if kind in ("lexical_declaration", "variable_declaration"):
            changes = node.children[0].type in ("let", "var")
            for declarator in node.named_children:
                if declarator.type == "variable_declarator":
                    self._add_value(child_of(declarator, "name"), child_of(declarator, "value"), changes)
        elif kind in ("assignment", "const_item", "static_item", "const_spec", "var_spec", "const_element"):
            name, value = child_of(node, "left", "name"), child_of(node, "right", "value")
            if value is not None and value.type == "expression_list" and value.named_child_count == 1:
                value = value.named_children[0]
            self._add_value(name, value, kind in ("static_item", "var_spec"))
        elif kind == "property_declaration":
            self._add_kotlin_value(node)
        elif kind in self.grammar.containers:
            self._read(node, depth + 1)

    def _add_kotlin_value(self, node: "Node") -> None:
        variable = next((child for child in node.named_children if child.type == "variable_declaration"), None)
        name = variable.named_children[0] if variable is not None and variable.named_children else None
        value = node.named_children[-1] if node.named_children[-1] is not variable else None
        self._add_value(name, value, any(child.type == "var" for child in node.children))

    def _add_value(self, name: "Node | None", value: "Node | None", changes: bool) -> None:
        if name is None:
            return
        if value is not None and self._imports.require(name, value):
            return
        if name.type in ("identifier", "constant"):
            written = self.text(name)
            if value is not None and value.type in _FUNCTION_VALUES:
                self.functions.setdefault(written, []).append(value)
                return
            self.constants[written] = None if changes or written in self.constants else value

    # -- classes and functions

    def _class_id(self, name: str) -> str:
        return f"{self.package}{self.grammar.separator}{name}" if self.package else f"{self.unit}:{name}"

    def _add_class(self, node: "Node", depth: int) -> None:
        name = child_of(node, "name")
        written = self.text(name) if name is not None else str(node.start_byte)
        self.classes.append(Class(self._class_id(written), node, is_trait=node.type == "trait_declaration"))
        body = child_of(node, "body") or next((c for c in node.named_children if c.type == "class_body"), None)
        for child in body.named_children if body is not None else ():
            if child.type in self.grammar.classes:
                self._add_class(child, depth + 1)

    def _add_function(self, node: "Node") -> None:
        name = child_of(node, "name")
        if name is None:
            return
        if node.type == "method_declaration" and self.grammar.receivers:
            self._add_method(node, self.text(name))
        else:
            self.functions.setdefault(self.text(name), []).append(node)

    def _add_method(self, node: "Node", name: str) -> None:
        receiver = child_of(node, "receiver")
        types = self.source.nodes("type_identifier", within=receiver) if receiver is not None else []
        owner = f"{posixpath.dirname(PurePath(self.source.path).as_posix())}:{self.text(types[0]) if types else ''}"
        owning = next((class_ for class_ in self.classes if class_.id == owner), None)
        if owning is None:
            owning = Class(owner, node)
            self.classes.append(owning)
        owning.methods.setdefault(name, []).append(node)
