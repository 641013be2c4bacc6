"""The classes of one file: their fields, methods and parents, as far as the file tells."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from cukereuse_engine.functions.grammars import Grammar
from cukereuse_engine.functions.parameters import Parameter, parameters_of
from cukereuse_engine.functions.syntax import child_of
from cukereuse_engine.glue.languages.source import Source

if TYPE_CHECKING:
    from tree_sitter import Node

_INJECTING = re.compile(r"@(?:Autowired|Inject|Resource|MockBean|SpyBean|Steps|Managed|ClientPage)\b|\blateinit\b")
_VAR_TYPE = re.compile(r"@var\s+(?:\\?null\|)?(\\?[\w\\]+)")


@dataclass(slots=True)
class Field:
    """A field of a class: its type, its value, and whether it is injected."""

    type: str = ""
    value: "Node | None" = None
    injected: bool = False
    constant: bool = False


@dataclass(slots=True)
class Class:
    id: str
    """With its package or namespace; without one, with its path."""
    node: "Node"
    parents: tuple[str, ...] = ()
    """Ids of the superclass, interfaces and traits, as far as imports tell."""
    is_trait: bool = False
    fields: dict[str, Field] = field(default_factory=dict)
    methods: "dict[str, list[Node]]" = field(default_factory=dict)
    sets: set[str] = field(default_factory=set)
    """Names that its constructor sets and it does not declare: fields of its parents, if anything."""

    def holds(self, name: str) -> bool:
        return name in self.fields or name in self.methods


class ClassReader:
    """Reads the classes of one file."""

    def __init__(self, source: Source, grammar: Grammar, type_name: Callable[[str], str]) -> None:
        """`type_name`: completes a type's name by the file's imports."""
        self.source, self.grammar, self.type_name = source, grammar, type_name
        self.text = source.text

    def read(self, class_: Class) -> None:
        node = class_.node
        if node.type not in self.grammar.classes:
            return
        class_.parents = tuple(self._parents(node))
        body = child_of(node, "body") or next((c for c in node.named_children if c.type == "class_body"), None)
        members = list(body.named_children) if body is not None else []
        primary = next((child for child in node.named_children if child.type == "primary_constructor"), node)
        for parameter in parameters_of(primary, self.grammar, self.text):
            class_.fields[parameter.name] = Field(self.type_name(parameter.type), injected=True)
        for member in members:
            self._read_member(class_, member)
        for member in members:
            name = child_of(member, "name")
            is_constructor = member.type == "constructor_declaration" or (
                name is not None and self.text(name) in ("__construct", "constructor", "__init__")
            )
            if is_constructor:
                self._read_constructor(class_, member)

    def _parents(self, node: "Node") -> "Iterator[str]":
        for child in node.named_children:
            if child.type in ("superclass", "base_list", "base_clause", "class_heritage", "delegation_specifiers"):
                for name in re.findall(
                    r"[\w\\.]+", re.sub(r"<[^<>]*>|\([^()]*\)|\b(?:extends|implements)\b", " ", self.text(child))
                ):
                    yield self.type_name(name)
            elif child.type in self.grammar.bases:
                yield from (self.type_name(self.text(base)) for base in child.named_children)
        body = child_of(node, "body")
        for child in body.named_children if body is not None else ():
            if child.type == "use_declaration":
                yield from (self.type_name(self.text(name)) for name in child.named_children if name.type != "use_list")

    def _read_member(self, class_: Class, member: "Node") -> None:
        kind = member.type
        if kind in self.grammar.functions:
            name = child_of(member, "name")
            if name is not None:
                class_.methods.setdefault(self.text(name), []).append(member)
            return
        text = self.text(member) if member.end_byte - member.start_byte < 2_000 else ""
        type_node = child_of(member, "type")
        constant = (
            re.search(r"\b(?:const|final|readonly)\b", text.split("=")[0]) is not None or kind == "const_declaration"
        )
        injected = _INJECTING.search(text.split("=")[0]) is not None
        for declarator in (
            self.source.nodes("variable_declarator", "property_element", "const_element", within=member)
            if kind in ("field_declaration", "property_declaration", "const_declaration", "constant_declaration")
            else ()
        ):
            self._add_field(class_, member, declarator, type_node, constant=constant, injected=injected)
        if kind == "property_declaration":
            self._add_property(class_, member, type_node, injected)
        elif kind == "companion_object":
            for inner in (
                c for body in member.named_children if body.type == "class_body" for c in body.named_children
            ):
                self._read_member(class_, inner)
        elif kind in ("public_field_definition", "field_definition"):
            name = child_of(member, "name", "property")
            if name is not None:
                class_.fields[self.text(name)] = Field(value=child_of(member, "value"), constant="readonly" in text)

    def _add_field(
        self,
        class_: Class,
        member: "Node",
        declarator: "Node",
        type_node: "Node | None",
        *,
        constant: bool,
        injected: bool,
    ) -> None:
        holder = declarator.parent
        if type_node is None and holder is not None:
            type_node = child_of(holder, "type")
        name = child_of(declarator, "name") or (declarator.named_children[0] if declarator.named_children else None)
        if name is None:
            return
        value = child_of(declarator, "value", "default_value")
        if value is None and declarator.named_child_count > 1 and declarator.named_children[-1].id != name.id:
            value = declarator.named_children[-1]
        type_name = self.type_name(self.text(type_node)) if type_node is not None else self._documented_type(member)
        class_.fields[self.text(name).lstrip("$")] = Field(type_name, value, injected, constant)

    def _documented_type(self, member: "Node") -> str:
        before = member.prev_named_sibling
        match = _VAR_TYPE.search(self.text(before)) if before is not None and before.type == "comment" else None
        return self.type_name(match[1]) if match else ""

    def _add_property(self, class_: Class, member: "Node", type_node: "Node | None", injected: bool) -> None:
        """Add a property of C# (a name and a type) or of Kotlin (a declaration of a variable)."""
        name = child_of(member, "name")
        if name is not None and type_node is not None:
            class_.fields[self.text(name)] = Field(self.type_name(self.text(type_node)), child_of(member, "value"))
        variable = next((child for child in member.named_children if child.type == "variable_declaration"), None)
        if variable is None or not variable.named_children:
            return
        parts = variable.named_children
        last = member.named_children[-1]
        value = last if last.id != variable.id and last.type not in ("getter", "setter") else None
        constant = any(child.type == "val" for child in member.children)
        type_name = self.type_name(self.text(parts[-1])) if len(parts) > 1 else ""
        class_.fields[self.text(parts[0])] = Field(type_name, value, injected, constant)

    def _read_constructor(self, class_: Class, node: "Node") -> None:
        """Read the parameters that become fields, and the fields that get a parameter or a new object."""
        handed = {parameter.name: parameter for parameter in parameters_of(node, self.grammar, self.text)}
        for parameter in handed.values():
            if parameter.promoted:
                class_.fields[parameter.name] = Field(self.type_name(parameter.type), injected=True)
        body = child_of(node, "body")
        for assignment in self.source.nodes("assignment_expression", within=body) if body is not None else ():
            left, right = child_of(assignment, "left"), child_of(assignment, "right")
            if left is not None and right is not None:
                name = re.sub(r"^(?:\$?this\s*(?:\.|->)\s*)", "", self.text(left))
                self._assign(class_, name, right, handed.get(self.text(right).lstrip("$")))

    def _assign(self, class_: Class, name: str, value: "Node", parameter: Parameter | None) -> None:
        """A constructor gives a field a value: a parameter of its own, or something else."""
        field = class_.fields.get(name)
        if parameter is not None and (field is not None or self.grammar.undeclared_fields):
            type_name = self.type_name(parameter.type) or (field.type if field is not None else "")
            class_.fields[name] = Field(type_name, injected=True)
        elif field is None and name.isidentifier():
            class_.sets.add(name)
        elif field is not None and field.value is None and not field.injected:
            class_.fields[name] = Field(field.type, value)
