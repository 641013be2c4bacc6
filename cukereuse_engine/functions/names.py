"""What the names of one file refer to: its imports, classes with their members, functions and constants."""

import posixpath
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import TYPE_CHECKING

from cukereuse_engine.functions.grammars import Grammar
from cukereuse_engine.functions.parameters import parameters_of
from cukereuse_engine.glue.languages.base import Source

if TYPE_CHECKING:
    from tree_sitter import Node

_INJECTING = re.compile(r"@(?:Autowired|Inject|Resource|MockBean|SpyBean|Steps|Managed|ClientPage)\b|\blateinit\b")
_VAR_TYPE = re.compile(r"@var\s+(?:\\?null\|)?(\\?[\w\\]+)")
_FUNCTION_VALUES = frozenset(("arrow_function", "function_expression", "function"))
_MAX_DEPTH = 40


@dataclass(slots=True)
class Field:
    """A field of a class. What its source says: a type, a value, whether it is handed in from outside."""

    type: str = ""
    value: "Node | None" = None
    injected: bool = False
    constant: bool = False


@dataclass(slots=True)
class Class:
    id: str
    """With its package or namespace; with its path where there is none."""
    node: "Node"
    parents: tuple[str, ...] = ()
    """Ids of the superclass, interfaces and traits, as far as imports tell."""
    is_trait: bool = False
    fields: dict[str, Field] = field(default_factory=dict)
    methods: "dict[str, list[Node]]" = field(default_factory=dict)

    def holds(self, name: str) -> bool:
        return name in self.fields or name in self.methods


class Names:
    """The names of one parsed file."""

    def __init__(self, source: Source, grammar: Grammar, language: str) -> None:
        self.source, self.grammar, self.language = source, grammar, language
        self.text: Callable[[Node], str] = source.text
        self.package = ""
        self.imports: dict[str, tuple[str, str]] = {}
        """Local name to module (or namespace) and name in it; an empty name is the module itself."""
        self.classes: list[Class] = []
        self.functions: dict[str, list[Node]] = {}
        self.constants: dict[str, Node | None] = {}
        """Names that the file itself gives a value, once; None where it is given several, or may change."""
        self.unit = PurePath(source.path).as_posix()
        self._read(source.root, 0)
        if language == "go":
            self.unit = posixpath.dirname(self.unit)
        for one in self.classes:
            self._read_class(one)

    def class_around(self, node: "Node") -> Class | None:
        """The innermost class that a function stands in."""
        at = node.start_byte
        found = [one for one in self.classes if one.node.start_byte <= at < one.node.end_byte]
        return max(found, key=lambda one: one.node.start_byte) if found else None

    def type_name(self, written: str) -> str:
        """A type as imports tell it, generic arguments included."""
        return re.sub(r"[\w\\]+(?:\.[\w]+)*", lambda found: self._full(found.group()), written.replace(" ", ""))

    def _full(self, name: str) -> str:
        if name.startswith("\\"):
            return name[1:]
        first, mark, rest = name.partition("\\" if self.language == "php" else ".")
        if first in self.imports:
            module, inner = self.imports[first]
            joined = (
                "\\".join(filter(None, (module, inner))) if self.language == "php" else f"{module}.{inner}".strip(".")
            )
            return joined + mark + rest
        if any(one.id.split("\0")[-1] == name for one in self.classes):
            return self._class_id(name)
        if self.language == "php" and self.package and name[:1].isupper():
            return f"{self.package}\\{name}"
        return name

    # -- reading

    def _child(self, node: "Node", *names: str) -> "Node | None":
        return next((found for name in names if (found := node.child_by_field_name(name)) is not None), None)

    def _read(self, parent: "Node", depth: int) -> None:
        if depth > _MAX_DEPTH:
            return
        for node in parent.named_children:
            kind = node.type
            if "import" in kind or kind in ("namespace_use_declaration", "using_directive", "use_declaration"):
                self._read_import(node)
            elif kind in ("package_declaration", "package_header"):
                self.package = self.text(node).removeprefix("package").strip(" ;\n")
            elif kind in ("namespace_definition", "namespace_declaration", "file_scoped_namespace_declaration"):
                name = self._child(node, "name")
                self.package = self.text(name) if name is not None else ""
                self._read_namespace(node, depth)
            elif kind in self.grammar.classes:
                self._add_class(node, depth)
            elif kind in self.grammar.functions:
                self._add_function(node)
            else:
                self._read_other(node, depth)

    def _read_namespace(self, node: "Node", depth: int) -> None:
        body = self._child(node, "body")
        self._read(body if body is not None else node, depth + 1)

    def _read_other(self, node: "Node", depth: int) -> None:
        kind = node.type
        if kind in ("lexical_declaration", "variable_declaration"):
            changes = node.children[0].type in ("let", "var")
            for declarator in node.named_children:
                if declarator.type == "variable_declarator":
                    self._add_value(self._child(declarator, "name"), self._child(declarator, "value"), changes)
        elif kind in ("assignment", "const_item", "static_item", "const_spec", "var_spec", "const_element"):
            name, value = self._child(node, "left", "name"), self._child(node, "right", "value")
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
        required = self._required(value) if value is not None else None
        if required and name.type in ("object_pattern", "identifier"):
            self._destructure(name, required)
        elif name.type in ("identifier", "constant"):
            written = self.text(name)
            if value is not None and value.type in _FUNCTION_VALUES:
                self.functions.setdefault(written, []).append(value)
                return
            self.constants[written] = None if changes or written in self.constants else value

    def _required(self, value: "Node") -> str:
        """The module of `require("…")`."""
        found = re.fullmatch(r"require\(\s*['\"`]([^'\"`]+)['\"`]\s*\)(\.default)?", self.text(value)[:300])
        return self._module(found[1]) if found else ""

    def _destructure(self, pattern: "Node", module: str) -> None:
        if pattern.type == "identifier":
            self.imports[self.text(pattern)] = (module, "default")
            return
        for child in pattern.named_children:
            key, value = self._child(child, "key"), self._child(child, "value")
            original = self.text(key if key is not None else child)
            self.imports[self.text(value if value is not None else child)] = (module, original)

    def _module(self, written: str) -> str:
        """A relative module as a path without suffix."""
        if self.language == "python" and written.startswith("."):
            dots = len(written) - len(written.lstrip("."))
            folder = PurePath(self.source.path).parent.as_posix() + "/.." * (dots - 1)
            return _as_path(posixpath.join(folder, written[dots:].replace(".", "/")))
        if written.startswith("."):
            folder = PurePath(self.source.path).parent.as_posix()
            return re.sub(r"\.[cm]?[jt]sx?$|/index$", "", _as_path(posixpath.join(folder, written)))
        return written

    def _read_import(self, node: "Node") -> None:
        text = self.text(node)
        if self.language in ("javascript", "typescript"):
            self._read_script_import(node)
        elif self.language == "python":
            self._read_python_import(node)
        elif self.language == "php":
            self._read_php_import(text)
        elif self.language == "go":
            for found in re.finditer(r"(?m)^\s*(?:import\s+)?(?:(\w+|\.)\s+)?\"([^\"]+)\"", text):
                self.imports[found[1] or found[2].rsplit("/", 1)[-1]] = (found[2], "")
        elif self.language == "rust":
            for name in re.findall(r"\w+", text):
                self.imports.setdefault(name, ("use", name))
        else:
            written = re.match(
                r"(?:import|using)\s+(?:static\s+)?(?:(\w+)\s*=\s*)?([\w.]+?)(?:\s+as\s+(\w+))?\s*;?\s*$", text
            )
            if written and self.language != "csharp":
                module, _, name = written[2].rpartition(".")
                self.imports[written[3] or name] = (module, name)
            elif written and written[1]:
                self.imports[written[1]] = (written[2], "")

    def _read_script_import(self, node: "Node") -> None:
        module_node = self._child(node, "source")
        if module_node is None:
            return
        module = self._module(self.text(module_node).strip("'\"`"))
        for child in self.source.nodes("import_specifier", "import_clause", "namespace_import", within=node):
            if child.type == "import_specifier":
                name, alias = self._child(child, "name"), self._child(child, "alias")
                if name is not None:
                    self.imports[self.text(alias if alias is not None else name)] = (module, self.text(name))
            elif child.type == "namespace_import":
                self.imports[self.text(child.named_children[-1])] = (module, "")
            else:
                for name in child.named_children:
                    if name.type == "identifier":
                        self.imports[self.text(name)] = (module, "default")

    def _read_python_import(self, node: "Node") -> None:
        module_node = self._child(node, "module_name")
        module = self._module(self.text(module_node)) if module_node is not None else ""
        for name in node.children_by_field_name("name"):
            original, alias = self._child(name, "name"), self._child(name, "alias")
            written = self.text(original if original is not None else name)
            local = self.text(alias) if alias is not None else written
            self.imports[local] = (module, written) if module else (written, "")

    def _read_php_import(self, text: str) -> None:
        found = re.match(r"use\s+(?:function\s+|const\s+)?(.*?);?\s*$", text, re.DOTALL)
        if found is None:
            return
        prefix, brace, group = found[1].partition("{")
        for part in (group.rstrip("} \n") if brace else found[1]).split(","):
            name, _, alias = part.strip().partition(" as ")
            full = (prefix.strip() + name.strip()).lstrip("\\") if brace else name.strip().lstrip("\\")
            namespace, _, last = full.rpartition("\\")
            self.imports[alias.strip() or last] = (namespace, last)

    # -- classes and functions

    def _class_id(self, name: str) -> str:
        mark = "\\" if self.language == "php" else "."
        return f"{self.package}{mark}{name}" if self.package else f"{self.unit}:{name}"

    def _add_class(self, node: "Node", depth: int) -> None:
        name = self._child(node, "name")
        written = self.text(name) if name is not None else str(node.start_byte)
        self.classes.append(Class(self._class_id(written), node, is_trait=node.type == "trait_declaration"))
        body = self._child(node, "body") or next((c for c in node.named_children if c.type == "class_body"), None)
        for child in body.named_children if body is not None else ():
            if child.type in self.grammar.classes:
                self._add_class(child, depth + 1)

    def _add_function(self, node: "Node") -> None:
        name = self._child(node, "name")
        if name is None:
            return
        if node.type == "method_declaration" and self.language == "go":
            self._add_go_method(node, self.text(name))
        else:
            self.functions.setdefault(self.text(name), []).append(node)

    def _add_go_method(self, node: "Node", name: str) -> None:
        receiver = self._child(node, "receiver")
        types = self.source.nodes("type_identifier", within=receiver) if receiver is not None else []
        owner = f"{posixpath.dirname(PurePath(self.source.path).as_posix())}:{self.text(types[0]) if types else ''}"
        known = next((one for one in self.classes if one.id == owner), None)
        if known is None:
            known = Class(owner, node)
            self.classes.append(known)
        known.methods.setdefault(name, []).append(node)

    def _read_class(self, one: Class) -> None:
        node = one.node
        if self.language == "go":
            return
        one.parents = tuple(self._parents(node))
        body = self._child(node, "body") or next((c for c in node.named_children if c.type == "class_body"), None)
        members = list(body.named_children) if body is not None else []
        primary = next((child for child in node.named_children if child.type == "primary_constructor"), None)
        if primary is not None:
            for parameter in parameters_of(primary, self.language, self.text):
                one.fields[parameter.name] = Field(self.type_name(parameter.type), injected=True)
        for member in members:
            self._read_member(one, member)
        for member in members:
            name = self._child(member, "name")
            is_constructor = member.type == "constructor_declaration" or (
                name is not None and self.text(name) in ("__construct", "constructor", "__init__")
            )
            if is_constructor:
                self._read_constructor(one, member)

    def _parents(self, node: "Node") -> "Iterator[str]":
        for child in node.named_children:
            if child.type in ("superclass", "base_list", "base_clause", "class_heritage", "delegation_specifiers"):
                for name in re.findall(
                    r"[\w\\.]+", re.sub(r"<[^<>]*>|\([^()]*\)|\b(?:extends|implements)\b", " ", self.text(child))
                ):
                    yield self.type_name(name)
            elif child.type == "argument_list" and self.language == "python":
                yield from (self.type_name(self.text(base)) for base in child.named_children)
        body = self._child(node, "body")
        for child in body.named_children if body is not None and self.language == "php" else ():
            if child.type == "use_declaration":
                yield from (self.type_name(self.text(name)) for name in child.named_children if name.type != "use_list")

    def _read_member(self, one: Class, member: "Node") -> None:
        kind = member.type
        if kind in self.grammar.functions:
            name = self._child(member, "name")
            if name is not None:
                one.methods.setdefault(self.text(name), []).append(member)
            return
        text = self.text(member) if member.end_byte - member.start_byte < 2_000 else ""
        type_node = self._child(member, "type")
        constant = (
            re.search(r"\b(?:const|final|readonly)\b", text.split("=")[0]) is not None or kind == "const_declaration"
        )
        injected = _INJECTING.search(text.split("=")[0]) is not None
        for declarator in (
            self.source.nodes("variable_declarator", "property_element", "const_element", within=member)
            if kind in ("field_declaration", "property_declaration", "const_declaration", "constant_declaration")
            else ()
        ):
            self._add_field(one, member, declarator, type_node, constant=constant, injected=injected)
        if self.language == "kotlin" and kind == "property_declaration":
            self._add_kotlin_field(one, member, injected)
        elif self.language == "kotlin" and kind == "companion_object":
            for inner in (
                c for body in member.named_children if body.type == "class_body" for c in body.named_children
            ):
                self._read_member(one, inner)
        elif self.language == "csharp" and kind == "property_declaration":
            name = self._child(member, "name")
            if name is not None and type_node is not None:
                one.fields[self.text(name)] = Field(self.type_name(self.text(type_node)), self._child(member, "value"))
        elif kind in ("public_field_definition", "field_definition"):
            name = self._child(member, "name", "property")
            if name is not None:
                one.fields[self.text(name)] = Field(value=self._child(member, "value"), constant="readonly" in text)

    def _add_field(
        self,
        one: Class,
        member: "Node",
        declarator: "Node",
        type_node: "Node | None",
        *,
        constant: bool,
        injected: bool,
    ) -> None:
        holder = declarator.parent
        if type_node is None and holder is not None:
            type_node = self._child(holder, "type")
        name = self._child(declarator, "name") or (declarator.named_children[0] if declarator.named_children else None)
        if name is None or self.language == "kotlin":
            return
        value = self._child(declarator, "value", "default_value")
        if value is None and declarator.named_child_count > 1 and declarator.named_children[-1].id != name.id:
            value = declarator.named_children[-1]
        type_name = self.type_name(self.text(type_node)) if type_node is not None else self._documented_type(member)
        one.fields[self.text(name).lstrip("$")] = Field(type_name, value, injected, constant)

    def _documented_type(self, member: "Node") -> str:
        before = member.prev_named_sibling
        found = _VAR_TYPE.search(self.text(before)) if before is not None and before.type == "comment" else None
        return self.type_name(found[1]) if found else ""

    def _add_kotlin_field(self, one: Class, member: "Node", injected: bool) -> None:
        variable = next((child for child in member.named_children if child.type == "variable_declaration"), None)
        if variable is None or not variable.named_children:
            return
        parts = variable.named_children
        last = member.named_children[-1]
        value = last if last.id != variable.id and last.type not in ("getter", "setter") else None
        constant = any(child.type == "val" for child in member.children)
        type_name = self.type_name(self.text(parts[-1])) if len(parts) > 1 else ""
        one.fields[self.text(parts[0])] = Field(type_name, value, injected, constant)

    def _read_constructor(self, one: Class, node: "Node") -> None:
        """Parameters that become fields, and fields that are given a parameter or a new object."""
        handed = {parameter.name: parameter for parameter in parameters_of(node, self.language, self.text)}
        for parameter in handed.values():
            if parameter.promoted:
                one.fields[parameter.name] = Field(self.type_name(parameter.type), injected=True)
        body = self._child(node, "body")
        for assignment in self.source.nodes("assignment_expression", within=body) if body is not None else ():
            left, right = self._child(assignment, "left"), self._child(assignment, "right")
            if left is None or right is None:
                continue
            name = re.sub(r"^(?:\$?this\s*(?:\.|->)\s*)", "", self.text(left))
            source = handed.get(self.text(right).lstrip("$"))
            known = one.fields.get(name)
            if source is not None and (known is not None or self.language in ("javascript", "typescript")):
                type_name = self.type_name(source.type) or (known.type if known is not None else "")
                one.fields[name] = Field(type_name, injected=True)
            elif known is not None and known.value is None and not known.injected:
                one.fields[name] = Field(known.type, right)


def _as_path(written: str) -> str:
    """Nothing that a package could be called."""
    path = posixpath.normpath(written)
    return path if path.startswith(("/", "../")) else f"./{path}"
