"""Where one source names a constant, told by its tree: as what it declares, as a value, or as neither.

A keyword argument, a field of a literal, a method or a variable of that name is no constant. Byte offsets; knows one
source alone.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cukereuse_engine.glue.languages.base import Source

if TYPE_CHECKING:
    from tree_sitter import Node

_DECLARING = re.compile(
    r"declarator|declaration|definition|assignment|_spec$|_item$|_case$|enum|variant|const_element|^pair$|parameter|"
    r"pattern|named_expression|signature"
)
"""Types of nodes that give a name to what they hold."""
_NAMING = frozenset(("name", "left", "pattern", "key", "property", "body"))
"""Fields of these that hold the name; `body`: TypeScript's members of an enumeration."""
_UNNAMED = re.compile(
    r"^(?:variable_declaration|enum_entry|const_element|parameters?|formal_parameters|parameter_list)$"
)
"""The same, where the grammar gives the name no field."""
_LABEL = frozenset(("keyword_argument", "argument", "literal_element"))
"""What names an argument or a field of another."""
_MEMBER = re.compile(
    r"attribute$|member_expression|field_access|navigation|member_access|qualified|scope_resolution|"
    r"scoped_|class_constant_access|selector_expression|field_expression"
)
_CALLED = re.compile(r"method_invocation|^call$")
_IMPORT = re.compile(r"import|export_specifier|use_declaration|namespace_use|using_directive|object_pattern")
_SCOPE = re.compile(
    r"function|method|lambda|closure|class|module|program|source_file|compilation_unit|object|enum|interface|trait|"
    r"namespace|declaration_list|statement_block|do_block|^block$|_item$|struct"
)
_OWNER = re.compile(
    r"(?:class|module|object|enum|interface|trait|namespace|struct|mod)(?:_\w+)?$|internal_module|record_declaration"
)
_WORD = re.compile(rb"[\w$]")
_WITH_DOLLAR = frozenset(("kotlin", "scala"))
"""Languages in which a string puts a name in that stands after a dollar sign."""
_TEXT = re.compile("comment|string|regex|heredoc|char|literal|template|variable_name")
_TEXTS = frozenset(("string_fragment", "string_content", "simple_symbol"))
_BY_NAME = re.compile(r"\b(?:const_get|getattr|constant|getField|GetField)\b[\w\s.:,(]*\Z|\[\s*['\"]?\Z")
"""What looks a name up that a string says."""
_SAID = re.compile(r"::|\\|\?\.|\.|->")


@dataclass(frozen=True, slots=True)
class Occurrence:
    start: int
    end: int
    line: int
    """1-based."""
    owners: tuple[str, ...]
    """Names of the classes, modules, enumerations and objects around it, the outermost first."""
    scopes: tuple[tuple[int, int], ...]
    """Byte ranges of what may hold names of its own, the innermost first."""


@dataclass(frozen=True, slots=True)
class Declaration(Occurrence):
    value: tuple[int, int] | None
    """Byte range of what it is given, where something is."""
    member: bool
    """Whether it belongs to a class, an enumeration or an object."""

    @property
    def owner(self) -> str:
        return self.owners[-1] if self.owners else ""


@dataclass(frozen=True, slots=True)
class Use(Occurrence):
    qualifier: str | None
    """What it is said to be of; None where it stands alone."""
    renaming: bool
    """It gives the constant another name: `import { A as B }`."""
    looked_up: bool
    """A string that names it."""


def occurrences(source: Source, name: str, language: str) -> Iterator[Occurrence]:
    """By place. What imports it under its own name is none; what stands in a comment or in the text of a string is none
    unless the string puts it in, or is what a program looks names up by."""
    wanted, data = name.encode(), source.source
    at = data.find(wanted)
    while at >= 0:
        end = at + len(wanted)
        node = source.root.descendant_for_byte_range(at, end)
        if node is None or _WORD.match(data[end : end + 1]) or _WORD.match(data[at - 1 : at] if at else b""):
            if data[at - 1 : at] == b"$" and language in _WITH_DOLLAR and node is not None:
                yield _use(source, node, None, (at, end))
        elif (node.start_byte, node.end_byte) == (at, end) and not node.children:
            yield from _told(source, node)
        elif data[at - 1 : at] == b":" and node.type in _TEXTS:  # a symbol of Ruby
            yield from _looked_up(source, node)
        elif not _TEXT.search(node.type):
            yield _use(source, node, None, (at, end))
        at = data.find(wanted, at + 1)


def _told(source: Source, node: "Node") -> Iterator[Occurrence]:
    parent = node.parent
    if parent is None or parent.type == "variable_name" or re.search("comment", node.type):
        return
    if node.type in _TEXTS:
        yield from _looked_up(source, node)
        return
    if _is_import(node):
        renaming = re.compile(rb"(?:as|=|:|=>)\s*[\w$]+").match(source.source[node.end_byte :].lstrip()[:80])
        pattern = next((above for above in _above(node) if above.type == "object_pattern"), None)
        if pattern is not None:
            yield from _taken_apart(source, node, pattern, renaming is not None)
        elif renaming is not None and b"as " + source.source[node.start_byte : node.end_byte] != renaming.group():
            yield _use(source, node, None, renaming=True)
        return
    if _is_label(node, parent) or (_CALLED.search(parent.type) and _field(node, parent) in ("name", "method")):
        return
    if _declares(node, parent):
        holder = _holder(parent)
        yield _declaration(source, node, _value(node, holder))
    elif _MEMBER.search(parent.type) and parent.named_children[-1] == node and parent.type != "qualified_name":
        before = source.text(parent)[: -len(source.text(node))].rstrip(":.\\>?-")
        above = parent.parent
        if above is not None and _field(parent, above) == "left" and "assignment" in above.type:
            owner = _last(before)
            if owner in ("self", "this", "exports"):
                yield _declaration(source, node, _value(parent, above), of_self=owner != "exports")
            else:
                yield _use(source, node, before)
        elif not (parent.type.endswith("member_access_expression") and source.path.endswith(".php")):
            yield _use(source, node, before)  # PHP: `->` reaches no constant
    elif parent.type == "shorthand_property_identifier" or node.type == "shorthand_property_identifier":
        if not _is_exports(source, parent):
            yield _use(source, node, None)
    else:
        yield _use(source, node, None)


def _taken_apart(source: Source, node: "Node", pattern: "Node", renamed: bool) -> Iterator[Occurrence]:
    """`const { LOGIN } = says`: a use; of a `require` it is imported."""
    holder = pattern.parent
    value = holder.child_by_field_name("value") if holder is not None else None
    said = source.text(value) if value is not None else ""
    if not re.match(r"require\s*\(", said):
        yield _use(source, node, said)
    elif renamed:
        yield _use(source, node, None, renaming=True)


def _looked_up(source: Source, node: "Node") -> Iterator[Use]:
    before = source.source[: node.start_byte].decode("utf-8", "replace")[-40:].rstrip("\"'`:( ")
    opened = source.source[: node.start_byte].decode("utf-8", "replace")[-3:]
    if _BY_NAME.search(before) or re.search(r"\[\s*['\"`]\Z", opened):
        yield Use(*_place(source, node), qualifier="", renaming=False, looked_up=True)


def _place(source: Source, node: "Node") -> tuple[int, int, int, tuple[str, ...], tuple[tuple[int, int], ...]]:
    owners: list[str] = []
    scopes: list[tuple[int, int]] = []
    above = node.parent
    while above is not None:
        if _OWNER.search(above.type):
            named = _name_of(above)
            if named is not None and named != node:
                owners.append(source.text(named))
        if _is_scope(source, above) and _name_of(above) != node:
            scopes.append((above.start_byte, above.end_byte))
        above = above.parent
    return node.start_byte, node.end_byte, node.start_point.row + 1, tuple(reversed(owners)), tuple(scopes)


def _is_scope(source: Source, node: "Node") -> bool:
    """Blocks of statements are none in Python, nor for constants in Ruby."""
    if source.path.endswith((".py", ".rb")) and re.search(r"block$", node.type):
        return False
    return _SCOPE.search(node.type) is not None


def _name_of(node: "Node") -> "Node | None":
    named = node.child_by_field_name("name")
    if named is None and node.type in ("object", "as_expression", "satisfies_expression"):
        holder = node.parent
        while holder is not None and holder.type in ("as_expression", "satisfies_expression", "call_expression"):
            holder = holder.parent
        if holder is not None and holder.type in ("variable_declarator", "pair"):
            named = holder.child_by_field_name("name") or holder.child_by_field_name("key")
    if named is None:
        named = next((child for child in node.named_children if "identifier" in child.type), None)
        named = named if node.type in ("class_declaration", "object_declaration", "interface_declaration") else None
    return named


def _use(
    source: Source,
    node: "Node",
    qualifier: str | None,
    at: tuple[int, int] | None = None,
    *,
    renaming: bool = False,
) -> Use:
    start, end, line, owners, scopes = _place(source, node)
    if at is not None:  # inside of a node
        (start, end), line = at, source.source.count(b"\n", 0, at[0]) + 1
    return Use(start, end, line, owners, scopes, qualifier=qualifier, renaming=renaming, looked_up=False)


def _declaration(source: Source, node: "Node", value: "Node | None", *, of_self: bool = False) -> Declaration:
    """`of_self`: `self.LOGIN = …`."""
    given = (value.start_byte, value.end_byte) if value is not None else None
    return Declaration(*_place(source, node), value=given, member=of_self or _is_in_class(node))


def _is_in_class(node: "Node") -> bool:
    """Whether the innermost scope is the body of a class: a block of statements does in Python and Ruby."""
    for above in _above(node):
        if re.search(r"function|method|lambda|closure|do_block|source_file|program|^module$", above.type):
            return above.type == "module" and above.parent is not None
        if re.search(r"^class|class_d|_class$|^object$|object_d|companion|enum|trait_d|interface_d", above.type):
            return True
    return False


def _above(node: "Node") -> "Iterator[Node]":
    above = node.parent
    while above is not None:
        yield above
        above = above.parent


def _field(node: "Node", parent: "Node") -> str | None:
    for number, child in enumerate(parent.children):
        if child == node:
            return parent.field_name_for_child(number)
    return None


def _is_import(node: "Node") -> bool:
    for above in _above(node):
        if _IMPORT.search(above.type):
            return True
        if re.search(r"statement$|declaration$|body|block|argument", above.type):
            return False
    return False


def _is_label(node: "Node", parent: "Node") -> bool:
    if parent.type not in _LABEL and parent.type != "value_argument":
        return False
    if parent.type == "literal_element":
        above = parent.parent
        return above is not None and _field(parent, above) == "key"
    return _field(node, parent) == "name" or (parent.named_child_count > 1 and parent.named_children[0] == node)


def _declares(node: "Node", parent: "Node") -> bool:
    if parent.type == "expression_list":
        above = parent.parent
        return above is not None and _field(parent, above) == "left"
    if _UNNAMED.search(parent.type):
        return parent.named_children[0] == node or "parameter" in parent.type
    if parent.type == "pair" and node.type not in ("property_identifier", "hash_key_symbol"):
        return False
    if parent.type == "assignment_expression" and any("argument" in above.type for above in _above(parent)):
        return False  # Scala's named argument
    return _DECLARING.search(parent.type) is not None and _field(node, parent) in _NAMING


def _holder(parent: "Node") -> "Node":
    """What holds the name and the value."""
    above = parent.parent
    wrapped = parent.type in ("variable_declaration", "expression_list") and above is not None
    return above if wrapped and above is not None else parent


def _value(node: "Node", holder: "Node") -> "Node | None":
    for field in ("value", "right", "default"):
        value = holder.child_by_field_name(field)
        if value is not None:
            alone = value.type == "expression_list" and value.named_child_count == 1
            return value.named_children[0] if alone else value
    after = [child for child in holder.named_children if child.start_byte >= node.end_byte]
    return after[-1] if after and holder.children[-2:] else None


def _is_exports(source: Source, node: "Node") -> bool:
    above = node.parent
    if above is None or above.type != "assignment_expression":
        return False
    left = above.child_by_field_name("left")
    return left is not None and source.text(left) in ("module.exports", "exports")


def _last(text: str) -> str:
    return _SAID.split(text.strip())[-1]
