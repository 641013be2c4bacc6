"""Kotlin: Cucumber-JVM's annotations and lambdas.

A string template is resolved where it names constants of the file, and is never rewritable.
"""

import re
from collections.abc import Iterator, Set
from functools import cached_property
from typing import TYPE_CHECKING

from cukereuse_engine.glue import built_in_types
from cukereuse_engine.glue.definition import Constant, Extraction
from cukereuse_engine.glue.expressions import ExpressionDialect
from cukereuse_engine.glue.languages import jvm
from cukereuse_engine.glue.languages.base import Language
from cukereuse_engine.glue.languages.comments import C_LIKE
from cukereuse_engine.glue.languages.escapes import unescape
from cukereuse_engine.glue.languages.evaluation import Evaluator, Name, Parts, close_strings, name_of
from cukereuse_engine.glue.languages.source import ConstantNames, Source, children
from cukereuse_engine.glue.regexes import dialects

if TYPE_CHECKING:
    from tree_sitter import Node

_STRING = "string_literal"
_RAW = "multiline_string_literal"
_BODIES = {"lambda_literal", "annotated_lambda", "anonymous_function", "callable_reference", "object_literal"}
_TEMPLATE = re.compile(r"\\.|\$([^\W\d]\w*)", re.DOTALL)
_RAW_TEMPLATE = re.compile(r"\$([^\W\d]\w*)")
_DOLLAR = re.compile(r"\$\{\s*(['\"])\\?\$\1\s*\}")
"""`${'$'}`, which is $ in a raw string."""


def _slice(source: Source, start: int, end: int) -> str:
    return source.decode(source.source[start:end])


def _string(source: Source, node: "Node") -> Parts:
    raw = node.type == _RAW
    quotes = 3 if raw else 1
    parts: Parts = []
    start = node.start_byte + quotes
    for child in node.named_children:
        if child.type == "interpolation":
            parts += _pieces(_slice(source, start, child.start_byte), raw)
            parts += ["$"] if _DOLLAR.fullmatch(source.text(child)) else list(children(child))
            start = child.end_byte
    return parts + _pieces(_slice(source, start, node.end_byte - quotes), raw)


def _pieces(text: str, raw: bool) -> Parts:
    """Texts and `$name` templates, which the grammar leaves in the text; one text if there is no template."""
    parts: Parts = []
    start = 0
    for match in (_RAW_TEMPLATE if raw else _TEMPLATE).finditer(text):
        if match[1] is not None:
            parts += [_value(text[start : match.start()], raw), Name(match[1])]
            start = match.end()
    return [*parts, _value(text[start:], raw)]


def _value(text: str, raw: bool) -> str:
    return text if raw else unescape(text, simple="ntrb", octal=False)


def _parts(source: Source, node: "Node") -> "Parts | None":
    if node.type in (_STRING, _RAW):
        return _string(source, node)
    if node.type == "parenthesized_expression":
        return list(children(node))
    operator = node.child_by_field_name("operator")
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    if node.type == "binary_expression" and operator is not None and operator.type == "+" and left and right:
        return [left, right]
    name = name_of(source, node) if node.type in ("navigation_expression", "identifier") else None
    return [name] if name is not None else None


def _constants(source: Source) -> "Iterator[tuple[str, Node]]":
    """Every `val` with a value: unless it is a constant, it is at least assigned only once."""
    for declaration in source.nodes("property_declaration"):
        named = list(children(declaration))
        if len(named) < 2 or not any(child.type == "val" for child in declaration.children):
            continue
        name, value = named[-2], named[-1]
        if name.type == "variable_declaration" and name.named_children:
            yield source.text(name.named_children[0]), value


def _is_inner(call: "Node") -> bool:
    """True if the result of a call is called."""
    return call.parent is not None and call.parent.type == "call_expression" and call.parent.named_children[0] == call


def _callee(call: "Node") -> "Node | None":
    """The name of the called function, if it belongs to this object or to none."""
    callee = call.named_children[0] if call.named_children else None
    if callee is not None and callee.type == "navigation_expression":
        parts = callee.named_children
        callee = parts[-1] if parts[0].type == "this_expression" else None
    return callee if callee is not None and callee.type == "identifier" else None


class _File(jvm.JvmFile):
    def __init__(self, path: str, source: bytes, names: ConstantNames | None = None) -> None:
        parsed = close_strings(path, source, "tree_sitter_kotlin", frozenset({_STRING}), names)
        evaluator = Evaluator(parsed, literals=frozenset({_STRING, _RAW}), parts=_parts, constants=_constants)
        text = source.decode("utf-8", "replace")
        super().__init__(LANGUAGE.id, parsed, evaluator, jvm.step_names(text), jvm.is_legacy(text))
        self._aliases = jvm.aliases(text)

    def read_annotation(self, annotation: "Node") -> None:
        call = next((child for child in children(annotation) if child.type == "constructor_invocation"), None)
        user_type = call.named_children[0] if call is not None and call.named_children else None
        written = self.source.text(user_type).split(".")[-1].strip("`") if user_type is not None else ""
        name = self._aliases.get(written, written)
        name = self._aliases.get(name, name)
        if call is not None and (name == "ParameterType" or name in self.names):
            function = _annotated_function(annotation)
            self.read_arguments(annotation, name, self._arguments(call), function, self._function_name(function))

    def read_annotated(self, expression: "Node") -> None:
        """Read a function outside classes: after the imports, or after a function whose body is an expression, the
        grammar makes an expression and a function of it."""
        annotation, inner, function = (
            expression.named_children[0],
            expression.named_children[-1],
            expression.next_named_sibling,
        )
        name = self.source.text(annotation).lstrip("@").split(".")[-1].strip("`")
        name = self._aliases.get(name, name)
        is_one = inner.type == "parenthesized_expression" and function is not None
        is_known = name == "ParameterType" or name in self.names
        if not is_one or function is None or function.type != "function_declaration" or not is_known:
            return
        value = next(children(inner), inner)
        self.read_arguments(annotation, name, {"value": value}, function, self._function_name(function))

    def _arguments(self, call: "Node") -> "dict[str, Node]":
        arguments: dict[str, Node] = {}
        values = next((child for child in children(call) if child.type == "value_arguments"), None)
        for argument in children(values) if values is not None else ():
            parts = list(children(argument))
            named = len(parts) == 2 and parts[0].type == "identifier"
            if parts and (named or len(parts) == 1):
                arguments.setdefault(self.source.text(parts[0]) if named else "value", parts[-1])
        return arguments

    def _function_name(self, function: "Node | None") -> str:
        name = function.child_by_field_name("name") if function is not None else None
        return self.source.text(name).strip("`") if name is not None else ""

    def read_call(self, call: "Node") -> None:
        """Read `Given("…") { name: String -> … }` and `Given("…", ::function)` in a class that implements a dialect's
        interface."""
        body: Node | None = None
        inner = call
        first = call.named_children[0] if call.named_children else None
        if first is not None and first.type == "call_expression":
            body, inner = call.named_children[-1], first
        elif _is_inner(call):
            return  # the outer call, which has the lambda, is read
        callee = _callee(inner)
        values = next((child for child in children(inner) if child.type == "value_arguments"), None)
        if callee is None or values is None:
            return
        arguments = [next(children(value), value) for value in children(values)]
        if body is None and arguments:
            body = arguments.pop()
        if arguments and body is not None and body.type in _BODIES:
            self._read_registration(self.source.text(callee), arguments, body, call)

    def _read_registration(self, name: str, arguments: "list[Node]", body: "Node", call: "Node") -> None:
        if name == "ParameterType" and len(arguments) > 1:
            self.define_type(arguments[0], arguments[1], call)
        elif name in self.names:
            referred = self.source.text(body).rsplit("::", 1)[-1] if body.type == "callable_reference" else ""
            function = jvm.only(self._functions.get(referred, ())) if referred else body
            self.define(arguments[0], name, function, referred)

    @cached_property
    def _functions(self) -> "dict[str, list[Node]]":
        functions: dict[str, list[Node]] = {}
        for function in self.source.nodes("function_declaration"):
            functions.setdefault(self._function_name(function), []).append(function)
        return functions


def _annotated_function(annotation: "Node") -> "Node | None":
    parent = annotation.parent
    function = parent.parent if parent is not None and parent.type == "modifiers" else None
    return function if function is not None and function.type == "function_declaration" else None


def extract(path: str, source: bytes, names: ConstantNames | None = None) -> Extraction:
    file = _File(path, source, names)
    for node in file.source.nodes("annotation", "annotated_expression", "call_expression"):
        if node.type == "annotation":
            file.read_annotation(node)
        elif node.type == "annotated_expression":
            file.read_annotated(node)
        else:
            file.read_call(node)
    return file.extraction(source)


def constants(path: str, source: bytes, names: Set[str]) -> list[Constant]:
    return _File(path, source).evaluator.constants(names)


LANGUAGE = Language(
    id="kotlin",
    name="Kotlin",
    regex=dialects.JVM,
    suffixes=(".kt", ".kts"),
    comments=C_LIKE,
    editor_ids=("kotlin",),
    hint=re.compile(rb"cucumber"),
    extract=extract,
    constants=constants,
    kind_reason=jvm.kind_reason,
    expressions=ExpressionDialect(built_in_types.JVM),
)
