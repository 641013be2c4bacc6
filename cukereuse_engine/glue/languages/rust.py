"""Rust: cucumber-rs' attributes and `#[derive(Parameter)]`, and rstest-bdd's, whose patterns are of their own kind.

The attribute takes literals only; a constant in it is an error here, as it is for the compiler.
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

from cukereuse_engine.glue import built_in_types
from cukereuse_engine.glue.definition import Anchoring, ExpressionKind, Extraction, Runner
from cukereuse_engine.glue.expressions import ExpressionDialect
from cukereuse_engine.glue.languages.base import Language
from cukereuse_engine.glue.languages.collector import Collector, Value
from cukereuse_engine.glue.languages.comments import C_LIKE
from cukereuse_engine.glue.languages.escapes import unescape
from cukereuse_engine.glue.languages.source import ConstantNames, Source, children
from cukereuse_engine.glue.regexes import dialects

if TYPE_CHECKING:
    from tree_sitter import Node

_KEYWORDS = ("given", "when", "then")
_STRINGS = ("string_literal", "raw_string_literal")
_KINDS = {
    "": (ExpressionKind.LITERAL, Anchoring.FULL),
    "expr": (ExpressionKind.CUCUMBER, Anchoring.FULL),
    "regex": (ExpressionKind.REGEX, Anchoring.SEARCH),
}
"""Kinds by the name of an attribute's argument; without a name, the text itself (codegen/src/attribute.rs)."""
_RSTEST = re.compile(rb"\brstest_bdd(?:_macros)?\b")
_PLACEHOLDER = re.compile(r"\{\{|\}\}|\\([{}])|\{(?P<name>[A-Za-z_]\w*)(?::(?P<hint>[^{}]*))?\}")
_HINTS = {
    **dict.fromkeys(("u8", "u16", "u32", "u64", "u128", "usize"), r"\d+"),
    **dict.fromkeys(("i8", "i16", "i32", "i64", "i128", "isize"), r"[+-]?\d+"),
    **dict.fromkeys(("f32", "f64"), r"(?i:[+-]?(?:\d+\.\d*|\.\d+|\d+)(?:[eE][+-]?\d+)?|nan|inf|infinity)"),
    "string": r""""(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'""",
}
"""Patterns of rstest-bdd's placeholders, by their hint (rstest-bdd-patterns, hint.rs)."""
_RUNS = frozenset({"run", "run_and_exit", "filter_run", "filter_run_and_exit"})
_OF_WORLD = re.compile(r"\s*(?:(?:\w+::)*Cucumber::<\s*([\w:]+)|((?:\w+::)*\w+?)::(?:cucumber\b|(?:filter_)?run))")
_JOINED_LINE = re.compile(r"(\\\\)|\\\r?\n\s*")


def _string(source: Source, node: "Node") -> str:
    text = source.text(node)
    if node.type == "raw_string_literal":
        return text[text.index('"') + 1 : text.rindex('"')]
    body = text[text.index('"') + 1 : -1]
    return unescape(_JOINED_LINE.sub(lambda match: match[1] or "", body), simple="0ntr", octal=False)


def _arguments(source: Source, attribute: "Node") -> "dict[str, Node]":
    """Arguments by name; the one without a name is "". A node that is no string is returned unchanged."""
    tree = attribute.child_by_field_name("arguments")
    arguments: dict[str, Node] = {}
    name = ""
    tokens = [child for child in tree.children[1:-1] if "comment" not in child.type] if tree is not None else []
    for index, token in enumerate(tokens):
        if token.type == "identifier" and index + 1 < len(tokens) and tokens[index + 1].type == "=":
            name = source.text(token)
        elif token.type == ",":
            name = ""
        elif token.type != "=":
            arguments.setdefault(name, token)
    return arguments


def _of_rstest(text: str) -> str:
    """A pattern of rstest-bdd, `I have {count:u32} apples`, as a regex (rstest-bdd-patterns, compiler.rs)."""
    pieces: list[str] = []
    at = 0
    for match in _PLACEHOLDER.finditer(text):
        pieces.append(re.escape(text[at : match.start()]))
        taken = _HINTS.get(match["hint"] or "", ".+?")
        pieces.append(f"(?P<{match['name']}>{taken})" if match["name"] else re.escape(match[1] or match[0][0]))
        at = match.end()
    return "".join((*pieces, re.escape(text[at:])))


class _File:
    def __init__(self, path: str, source: bytes, names: ConstantNames | None = None) -> None:
        self.source = Source(path, source, "tree_sitter_rust", names=names)
        self.collector = Collector(self.source, LANGUAGE.id)
        self.aliases = {
            self.source.text(alias): _last(self.source.text(name))
            for clause in self.source.nodes("use_as_clause", "type_item")
            if (name := clause.child_by_field_name("path") or clause.child_by_field_name("type")) is not None
            and (alias := clause.child_by_field_name("alias") or clause.child_by_field_name("name")) is not None
            and self.source.text(alias) != "_"
        }
        """`use cucumber::{given as g}`, `use crate::App as World`, `type World = App`"""
        self.is_rstest = _RSTEST.search(source) is not None

    def read(self, item: "Node") -> None:
        attribute = next((child for child in children(item) if child.type == "attribute"), None)
        path = next(children(attribute), None) if attribute is not None else None
        if attribute is None or path is None:
            return
        written = self.source.text(path).split("::")[-1].strip()
        name = self.aliases.get(written, written)
        if name in _KEYWORDS:
            self._read_definition(item, attribute, name)
        elif name == "param":
            self._read_parameter(item, attribute)

    def _expression(self, argument: "Node | None", function: "Node | None") -> Value | None:
        """The expression in the attribute, or, in rstest-bdd without arguments, the name of its function."""
        if argument is not None and argument.type not in _STRINGS:
            self.collector.computed(argument)
            return None
        if argument is not None:
            return Value(_string(self.source, argument), argument)
        if function is None or not self.is_rstest:
            return None
        named = function.child_by_field_name("name") or function
        return Value(self._name(function).replace("_", " "), named, False)

    def _read_definition(self, item: "Node", attribute: "Node", keyword: str) -> None:
        arguments = _arguments(self.source, attribute)
        name, argument = next(((key, arguments[key]) for key in _KINDS if key in arguments), ("", None))
        function = _annotated(item)
        function = function if function is not None and function.type == "function_item" else None
        value = self._expression(argument, function if not arguments else None)
        if value is None:
            return
        kind, anchoring = _KINDS["" if self.is_rstest else name]
        sentence = ""
        if self.is_rstest and (pattern := _of_rstest(value.text)) != re.escape(value.text):
            kind, sentence = ExpressionKind.REGEX, value.text
            value = replace(value, text=pattern, rewritable=False)
        self.collector.add(
            value,
            kind,
            framework="rstest-bdd" if self.is_rstest else "cucumber-rs",
            keyword=keyword,
            keyword_types=frozenset({keyword}),
            function=self.source.span(_first_attribute(item), function) if function is not None else None,
            function_name=self._name(function),
            anchoring=anchoring,
            registry="@" if self.is_rstest else self._world(function),
            sentence=sentence,
        )

    def _world(self, function: "Node | None") -> str:
        """The World of a function, whose steps are a registry. A program (a file with `main`) that declares it has its
        own."""
        parameters = function.child_by_field_name("parameters") if function is not None else None
        first = next(children(parameters), None) if parameters is not None else None
        taken = first.child_by_field_name("type") if first is not None else None
        name = _last(re.sub(r"^&\s*(?:'\w+\s+)?(?:mut\s+)?", "", self.source.text(taken))) if taken is not None else ""
        name = self._type(name)
        return f"@{name}" if name in self._of_a_program else name

    @cached_property
    def _of_a_program(self) -> frozenset[str]:
        """Structs that a program declares."""
        source = self.source.source
        declared = re.findall(rb"\bstruct\s+([\w\x80-\xff]+)", source) if b"fn main" in source else ()
        return frozenset(name.decode("utf-8", "replace") for name in declared)

    def _type(self, name: str) -> str:
        """The type that an alias names; the alias itself if several aliases name types of that name."""
        original = self.aliases.get(name, name)
        return original if [*self.aliases.values()].count(original) < 2 else name

    def runners(self) -> Iterator[Runner]:
        """The runs of `World::run("features")` and `World::cucumber()….run("features")`, and all other runs."""
        for call in self.source.nodes("call_expression"):
            function, arguments = call.child_by_field_name("function"), call.child_by_field_name("arguments")
            place = next(children(arguments), None) if arguments is not None else None
            if function is None or place is None or place.type not in _STRINGS:
                continue
            name = function.child_by_field_name("field") or function.child_by_field_name("name")
            if name is None or self.source.text(name) not in _RUNS:
                continue
            if (world := _OF_WORLD.match(self.source.text(function))) is not None:
                name_of_world = self._type(_last(world[1] or world[2])).partition("<")[0]
                yield Runner(name_of_world, (), (_string(self.source, place),))

    def _read_parameter(self, item: "Node", attribute: "Node") -> None:
        arguments = _arguments(self.source, attribute)
        regex, name = arguments.get("regex"), arguments.get("name")
        if regex is None or regex.type not in _STRINGS:
            return
        named = name is not None and name.type in _STRINGS
        type_name = _string(self.source, name) if named and name is not None else self._name(_annotated(item)).lower()
        if type_name:
            self.collector.add_parameter_type(type_name, (_string(self.source, regex),), attribute)

    def _name(self, item: "Node | None") -> str:
        name = item.child_by_field_name("name") if item is not None else None
        return self.source.text(name) if name is not None else ""


def _last(path: str) -> str:
    """The last part of a path, with its angle brackets."""
    name, bracket, inner = path.partition("<")
    return f"{name.rstrip(': ').split('::')[-1]}{bracket}{inner}"


def _is_attribute(node: "Node") -> bool:
    return node.type == "attribute_item" or "comment" in node.type


def _annotated(item: "Node") -> "Node | None":
    """The node after an attribute; other attributes and comments are skipped."""
    node = item.next_named_sibling
    while node is not None and _is_attribute(node):
        node = node.next_named_sibling
    return node


def _first_attribute(item: "Node") -> "Node":
    first, node = item, item.prev_named_sibling
    while node is not None and _is_attribute(node):
        first = node if node.type == "attribute_item" else first
        node = node.prev_named_sibling
    return first


def extract(path: str, source: bytes, names: ConstantNames | None = None) -> Extraction:
    file = _File(path, source, names)
    for item in file.source.nodes("attribute_item"):
        file.read(item)
    return replace(file.collector.extraction(), runners=tuple(file.runners()))


LANGUAGE = Language(
    id="rust",
    name="Rust",
    regex=dialects.CRATE,
    suffixes=(".rs",),
    comments=C_LIKE,
    editor_ids=("rust",),
    hint=re.compile(rb"\bcucumber\b|#\s*\[\s*(?:\w+\s*::\s*)*(?:given|when|then|param)\s*\("),
    extract=extract,
    expressions=ExpressionDialect(built_in_types.RUST),
)
