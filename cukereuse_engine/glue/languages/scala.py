"""Scala: Cucumber for Scala's `Given("…") { (n: Int) => … }`.

A string interpolation is resolved if it names constants of the file, and is never rewritable.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Set
from functools import cached_property
from typing import TYPE_CHECKING

from cukereuse_engine.glue import built_in_types
from cukereuse_engine.glue.definition import Constant, Extraction
from cukereuse_engine.glue.expressions import ExpressionDialect
from cukereuse_engine.glue.languages import jvm
from cukereuse_engine.glue.languages.base import Language
from cukereuse_engine.glue.languages.comments import C_LIKE
from cukereuse_engine.glue.languages.escapes import unescape
from cukereuse_engine.glue.languages.evaluation import Evaluator, Name, Parts, name_of
from cukereuse_engine.glue.languages.source import ConstantNames, Source, children
from cukereuse_engine.glue.regexes import dialects

if TYPE_CHECKING:
    from tree_sitter import Node

_STRINGS = frozenset({"string"})
_INTERPOLATED = re.compile(r"\$\$|\$\{\s*([\w.]+)\s*\}|\$(\w+)")
_PACKAGE = re.compile(r"\bio\.cucumber\.scala\.(?:\{([^}]*)\}|(\w+))")


def _string(text: str) -> str:
    if text.startswith('"""'):
        return text[3:-3]
    return unescape(text[1:-1], simple="ntrbf")


def _parts(source: Source, node: "Node") -> "Parts | None":
    read = _PARTS.get(node.type)
    return read(source, node) if read is not None else None


def _of_field(source: Source, node: "Node") -> "Parts | None":
    """`\"""…\""".r`, `\"""…\""".stripMargin`, `Steps.Name`."""
    field, value = node.child_by_field_name("field"), node.child_by_field_name("value")
    if field is None or value is None:
        return None
    if source.text(field) == "r":
        return [value]
    stripped = _stripped(source, node)
    return [stripped] if stripped is not None else _named(source, node)


def _sum(source: Source, node: "Node") -> "Parts | None":
    operator = node.child_by_field_name("operator")
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    return [left, right] if operator is not None and source.text(operator) == "+" and left and right else None


def _named(source: Source, node: "Node") -> "Parts | None":
    name = name_of(source, node)
    return [name] if name is not None else None


_PARTS: "Mapping[str, Callable[[Source, Node], Parts | None]]" = {
    "string": lambda source, node: [_string(source.text(node))],
    "interpolated_string_expression": lambda source, node: _interpolated(source.text(node)),
    "parenthesized_expression": lambda _, node: list(children(node)),
    "field_expression": _of_field,
    "infix_expression": _sum,
    "identifier": _named,
}


def _stripped(source: Source, node: "Node") -> str | None:
    """The literal after `.stripMargin` and `.trim`; None for anything else."""
    if node.type == "string":
        return _string(source.text(node))
    field, value = node.child_by_field_name("field"), node.child_by_field_name("value")
    text = _stripped(source, value) if field is not None and value is not None else None
    if text is None or field is None:
        return None
    called = source.text(field)
    if called == "stripMargin":
        return re.sub(r"(?m)^[ \t]*\|", "", text)
    return text.strip() if called == "trim" else None


def _interpolated(text: str) -> "Parts | None":
    """The parts of `s"a $name b"`; `raw"…"` resolves no escapes, and other interpolators are unknown."""
    head, quotes, rest = text.partition('"""') if '"""' in text else text.partition('"')
    if head not in ("s", "raw"):
        return None
    body = rest[: -len(quotes)]
    parts: Parts = []
    start = 0
    for match in _INTERPOLATED.finditer(body):
        literal = body[start : match.start()]
        parts.append(literal if head == "raw" or len(quotes) == 3 else unescape(literal, simple="ntrbf"))
        name = match[1] or match[2]
        owner, _, last = (name or "").rpartition(".")
        parts.append(Name(last, owner.rpartition(".")[2]) if name else "$")
        start = match.end()
    tail = body[start:]
    return None if "${" in tail else [*parts, tail if head == "raw" or len(quotes) == 3 else unescape(tail)]


def _constants(source: Source) -> "Iterator[tuple[str, Node]]":
    for definition in source.nodes("val_definition"):
        pattern, value = definition.child_by_field_name("pattern"), definition.child_by_field_name("value")
        if pattern is not None and value is not None and pattern.type == "identifier":
            yield source.text(pattern), value


def _names(text: str) -> frozenset[str]:
    """The English keywords, and those of the dialects that the file imports: `io.cucumber.scala.{FR, ScalaDsl}`."""
    imported = [name for match in _PACKAGE.finditer(text) for name in re.findall(r"\w+", match[1] or match[2])]
    return jvm.step_names("".join(f"io.cucumber.java.{name.lower()} " for name in imported))


def lambda_in(body: "Node") -> "Node | None":
    """The function with parameters in `{ (n: Int) => … }`; None if the braces contain statements only."""
    within = list(children(body)) if body.type == "block" else [body]
    return within[0] if len(within) == 1 and within[0].type == "lambda_expression" else None


class _File(jvm.JvmFile):
    def __init__(self, path: str, source: bytes, names: ConstantNames | None = None) -> None:
        parsed = Source(path, source, "tree_sitter_scala", names=names)
        evaluator = Evaluator(parsed, literals=_STRINGS, parts=_parts, constants=_constants)
        text = source.decode("utf-8", "replace")
        super().__init__(LANGUAGE.id, parsed, evaluator, _names(text), "cucumber.api.scala" in text)

    @cached_property
    def functions(self) -> "dict[str, Node]":
        """The values that are functions, by name."""
        return {name: value for name, value in _constants(self.source) if lambda_in(value) is not None}

    def read(self, call: "Node") -> None:
        """Read `Given("…") { body }`, a call whose function is a call, and `Given("…")(body)`."""
        inner, body = call.child_by_field_name("function"), call.child_by_field_name("arguments")
        if inner is None or body is None or inner.type != "call_expression":
            return
        function, arguments = inner.child_by_field_name("function"), inner.child_by_field_name("arguments")
        name = self.source.text(function) if function is not None and function.type == "identifier" else ""
        given = list(children(arguments)) if arguments is not None else []
        if name == "ParameterType" and len(given) > 1:
            self.define_type(given[0], given[1], call)
        elif name in self.names and len(given) == 1:
            self.define(given[0], name, self._function(body))

    def _function(self, body: "Node") -> "Node":
        """The function that a definition runs; for `(name)`, the function of this name in the class."""
        handed = list(children(body)) if body.type == "arguments" else []
        if len(handed) != 1 or handed[0].type != "identifier":
            return body
        value = self.functions.get(self.source.text(handed[0]))
        return value if value is not None else body


def extract(path: str, source: bytes, names: ConstantNames | None = None) -> Extraction:
    file = _File(path, source, names)
    for call in file.source.nodes("call_expression"):
        file.read(call)
    return file.extraction(source)


def constants(path: str, source: bytes, names: Set[str]) -> list[Constant]:
    return _File(path, source).evaluator.constants(names)


LANGUAGE = Language(
    id="scala",
    name="Scala",
    regex=dialects.JVM,
    suffixes=(".scala", ".sc"),
    comments=C_LIKE,
    editor_ids=("scala",),
    hint=re.compile(rb"cucumber"),
    extract=extract,
    constants=constants,
    kind_reason=jvm.kind_reason,
    expressions=ExpressionDialect(built_in_types.JVM),
)
