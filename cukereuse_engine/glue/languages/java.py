"""Java: Cucumber-JVM's annotations, its Java 8 lambdas, and `@ParameterType`.

Annotations are read in the class that contains them; inherited glue is reported there.
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
from cukereuse_engine.glue.languages.evaluation import Evaluator, Parts, close_strings, name_of
from cukereuse_engine.glue.languages.source import ConstantNames, Source, children
from cukereuse_engine.glue.regexes import dialects

if TYPE_CHECKING:
    from tree_sitter import Node

_STRING = "string_literal"
_ANNOTATION_PARENTS = {
    "annotation",
    "annotation_argument_list",
    "element_value_array_initializer",
    "element_value_pair",
    "modifiers",
}
_BODIES = ("lambda_expression", "method_reference", "object_creation_expression")


def _string(literal: str) -> str:
    if literal.startswith('"""'):
        return _text_block(literal)
    return unescape(literal[1:-1], simple="ntrbfs")


def _text_block(literal: str) -> str:
    """A text block's value: indentation and trailing blanks are removed before escapes are read (JLS 3.10.6)."""
    lines = re.split(r"\r\n|\r|\n", literal[3:-3])[1:]
    indents = [len(line) - len(line.lstrip()) for line in lines if line.strip()]
    if lines and not lines[-1].strip():
        indents.append(len(lines[-1]))  # closing quotes on a line of their own count
    indent = min(indents, default=0)
    body = "\n".join(line[indent:].rstrip() for line in lines)
    return unescape(body, simple="ntrbfs")


def _parts(source: Source, node: "Node") -> "Parts | None":
    if node.type == _STRING:
        return [_string(source.text(node))]
    if node.type == "character_literal":
        return [unescape(source.text(node)[1:-1], simple="ntrbfs")]
    if node.type == "decimal_integer_literal":
        return [source.text(node).rstrip("lL").replace("_", "")]
    if node.type == "parenthesized_expression":
        return list(children(node))
    operator = node.child_by_field_name("operator")
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    if node.type == "binary_expression" and operator is not None and operator.type == "+" and left and right:
        return [left, right]
    name = name_of(source, node) if node.type in ("field_access", "identifier") else None
    return [name] if name is not None else None


def _constants(source: Source) -> "Iterator[tuple[str, Node]]":
    for declaration in source.nodes("field_declaration", "constant_declaration", "local_variable_declaration"):
        modifiers = declaration.named_children[0] if declaration.named_children else None
        final = modifiers is not None and modifiers.type == "modifiers" and b"final" in (modifiers.text or b"")
        if not final and declaration.type != "constant_declaration":
            continue
        for declarator in declaration.children_by_field_name("declarator"):
            name, value = declarator.child_by_field_name("name"), declarator.child_by_field_name("value")
            if name is not None and value is not None:
                yield source.text(name), value


class _File(jvm.JvmFile):
    def __init__(self, path: str, source: bytes, names: ConstantNames | None = None) -> None:
        parsed = close_strings(path, source, "tree_sitter_java", frozenset({_STRING}), names)
        evaluator = Evaluator(parsed, literals=frozenset({_STRING}), parts=_parts, constants=_constants)
        text = source.decode("utf-8", "replace")
        super().__init__(LANGUAGE.id, parsed, evaluator, jvm.step_names(text), jvm.is_legacy(text))

    def _text(self, node: "Node | None") -> str:
        return self.source.text(node) if node is not None else ""

    def read_annotation(self, annotation: "Node") -> None:
        name = self._text(annotation.child_by_field_name("name")).split(".")[-1]
        if name == "ParameterType" or name in self.names:
            method = _annotated_method(annotation)
            method_name = self._text(method.child_by_field_name("name")) if method is not None else ""
            self.read_arguments(annotation, name, _annotation_arguments(self.source, annotation), method, method_name)

    def read_call(self, call: "Node") -> None:
        """`Given("…", (String name) -> {…})` in a class that implements a dialect's interface."""
        name = self._text(call.child_by_field_name("name"))
        receiver = call.child_by_field_name("object")
        arguments = list(children(node)) if (node := call.child_by_field_name("arguments")) is not None else []
        if (
            len(arguments) < 2
            or (receiver is not None and receiver.type != "this")
            or arguments[-1].type not in _BODIES
        ):
            return
        body = arguments[-1]
        if name == "ParameterType" and len(arguments) > 2:
            self.define_type(arguments[0], arguments[1], call)
        elif name in self.names:
            referred = _referred_name(self.source, body) if body.type == "method_reference" else ""
            method = jvm.only(self._methods.get(referred, ())) if referred else body
            self.define(arguments[0], name, method, referred)

    def read_type(self, creation: "Node") -> None:
        """`new ParameterType<>("name", "regexp", …)` of a `TypeRegistryConfigurer`."""
        type_name = self._text(creation.child_by_field_name("type")).split("<")[0].split(".")[-1]
        given = creation.child_by_field_name("arguments")
        arguments = list(children(given)) if given is not None else []
        if type_name == "ParameterType" and len(arguments) > 2:
            self.define_type(arguments[0], arguments[1], creation)

    @cached_property
    def _methods(self) -> "dict[str, list[Node]]":
        methods: dict[str, list[Node]] = {}
        for method in self.source.nodes("method_declaration"):
            methods.setdefault(self._text(method.child_by_field_name("name")), []).append(method)
        return methods


def _annotation_arguments(source: Source, annotation: "Node") -> "dict[str, Node]":
    arguments = annotation.child_by_field_name("arguments")
    arguments_by_name: dict[str, Node] = {}
    for child in children(arguments) if arguments is not None else ():
        if child.type == "element_value_pair":
            key, value = child.child_by_field_name("key"), child.child_by_field_name("value")
            if key is not None and value is not None:
                arguments_by_name[source.text(key)] = value
        elif child.type not in ("ERROR", "element_value_array_initializer"):
            arguments_by_name.setdefault("value", child)
    return arguments_by_name


def _annotated_method(annotation: "Node") -> "Node | None":
    node = annotation.parent
    while node is not None and node.type in _ANNOTATION_PARENTS:
        node = node.parent
    return node if node is not None and node.type == "method_declaration" else None


def _referred_name(source: Source, reference: "Node") -> str:
    return source.text(reference).rsplit("::", 1)[-1].strip()


def extract(path: str, source: bytes, names: ConstantNames | None = None) -> Extraction:
    file = _File(path, source, names)
    for node in file.source.nodes("annotation", "method_invocation", "object_creation_expression"):
        if node.type == "annotation":
            file.read_annotation(node)
        elif node.type == "object_creation_expression":
            file.read_type(node)
        else:
            file.read_call(node)
    return file.extraction(source)


def constants(path: str, source: bytes, names: Set[str]) -> list[Constant]:
    return _File(path, source).evaluator.constants(names)


LANGUAGE = Language(
    id="java",
    name="Java",
    regex=dialects.JVM,
    suffixes=(".java",),
    comments=C_LIKE,
    editor_ids=("java",),
    hint=re.compile(rb"cucumber"),
    extract=extract,
    constants=constants,
    kind_reason=jvm.kind_reason,
    expressions=ExpressionDialect(built_in_types.JVM),
)
