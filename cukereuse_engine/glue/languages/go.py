"""Go: godog's `ctx.Step`, `ctx.Given`, `ctx.When` and `ctx.Then`.

Steps that are registered in a loop over a table are reported as computed.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Set
from functools import cached_property
from typing import TYPE_CHECKING

from cukereuse_engine.glue.definition import Anchoring, Constant, ExpressionKind, Extraction
from cukereuse_engine.glue.languages.base import Language
from cukereuse_engine.glue.languages.collector import Collector
from cukereuse_engine.glue.languages.comments import C_LIKE
from cukereuse_engine.glue.languages.escapes import unescape
from cukereuse_engine.glue.languages.evaluation import Evaluator, Parts, close_strings, name_of
from cukereuse_engine.glue.languages.source import ConstantNames, Source, children
from cukereuse_engine.glue.regexes import dialects

if TYPE_CHECKING:
    from tree_sitter import Node

_INTERPRETED = "interpreted_string_literal"
_STRINGS = frozenset({_INTERPRETED, "raw_string_literal"})
_KEYWORDS = {
    "Step": frozenset[str](),
    "Given": frozenset({"given"}),
    "When": frozenset({"when"}),
    "Then": frozenset({"then"}),
}
"""godog, test_context.go: `Step` answers to any keyword. All match anywhere in the text (suite.go)."""
_FUNCTIONS = frozenset({"func_literal", "function_declaration", "method_declaration"})
_SELECTOR = "selector_expression"
_STRICT = re.compile(r"\bStrict\s*[:=]\s*true\b")
_INITIALISER = re.compile(r"\bScenarioInitializer\s*:\s*(?:\w+\.)*(\w+)")
_OWN_CONTEXT = re.compile(r"(?:var\s+)?(\w+)\s*:?=\s*(?:&\s*)?(?:new\(\s*)?(?:\w+\.)?ScenarioContext\s*[{)]")
_VERB = re.compile(r"(?<!%)(?:%%)*%[svd]")
_COMPILERS = ("regexp.MustCompile", "regexp.MustCompilePOSIX")


def _parts(source: Source, node: "Node") -> "Parts | None":
    read = _PARTS.get(node.type)
    return read(source, node) if read is not None else None


def _of_call(source: Source, node: "Node") -> "Parts | None":
    pattern = _compiled(source, node)
    return [pattern] if pattern is not None else _formatted(source, node)


def _converted(_source: Source, node: "Node") -> "Parts | None":
    """The parts of `[]byte("…")`."""
    operand = node.child_by_field_name("operand")
    return [operand] if operand is not None else None


def _sum(_source: Source, node: "Node") -> "Parts | None":
    operator = node.child_by_field_name("operator")
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    return [left, right] if operator is not None and operator.type == "+" and left and right else None


def _named(source: Source, node: "Node") -> "Parts | None":
    name = name_of(source, node)
    return [name] if name is not None else None


_PARTS: "Mapping[str, Callable[[Source, Node], Parts | None]]" = {
    "raw_string_literal": lambda source, node: [source.text(node)[1:-1].replace("\r", "")],
    _INTERPRETED: lambda source, node: [unescape(source.text(node)[1:-1], simple="ntrbfva")],
    "parenthesized_expression": lambda _, node: list(children(node)),
    "call_expression": _of_call,
    "type_conversion_expression": _converted,
    "int_literal": lambda source, node: [source.text(node)],
    "binary_expression": _sum,
    "selector_expression": _named,
    "identifier": _named,
}


def _formatted(source: Source, node: "Node") -> "Parts | None":
    """The parts of `fmt.Sprintf("… %s …", name)` with plain verbs."""
    function, given = node.child_by_field_name("function"), node.child_by_field_name("arguments")
    arguments = list(children(given)) if given is not None else []
    if function is None or source.text(function) != "fmt.Sprintf" or not arguments:
        return None
    template = _parts(source, arguments[0]) if arguments[0].type in _STRINGS else None
    if not template or not isinstance(template[0], str):
        return None
    pieces = _VERB.split(template[0])
    if len(pieces) != len(arguments) or any("%" in piece.replace("%%", "") for piece in pieces):
        return None
    parts: Parts = []
    for piece, argument in zip(pieces, [*arguments[1:], None], strict=True):
        parts.append(piece.replace("%%", "%"))
        if argument is not None:
            parts.append(argument)
    return parts


def _compiled(source: Source, node: "Node") -> "Node | None":
    """The pattern in `regexp.MustCompile(pattern)`."""
    function, arguments = node.child_by_field_name("function"), node.child_by_field_name("arguments")
    if function is None or arguments is None or source.text(function) not in _COMPILERS:
        return None
    return next(children(arguments), None)


def _constants(source: Source) -> "Iterator[tuple[str, Node]]":
    """Constants, and variables of the package, which hold compiled patterns."""
    for spec in source.nodes("const_spec", "var_spec"):
        values = spec.child_by_field_name("value")
        names = spec.children_by_field_name("name")
        names = [name for name in names if name.type == "identifier"]
        expressions = list(children(values)) if values is not None else []
        if len(names) == len(expressions):
            yield from zip(map(source.text, names), expressions, strict=True)


class _File:
    def __init__(self, path: str, source: bytes, names: ConstantNames | None = None) -> None:
        self.source = close_strings(path, source, "tree_sitter_go", frozenset({_INTERPRETED}), names)
        self.collector = Collector(self.source, LANGUAGE.id)
        self.evaluator = Evaluator(self.source, literals=_STRINGS, parts=_parts, constants=_constants)

    def read(self, call: "Node") -> None:
        function, arguments_node = call.child_by_field_name("function"), call.child_by_field_name("arguments")
        if function is not None and function.type == "identifier":
            function = self._method_values.get(self.source.text(function))
        if function is None or arguments_node is None or function.type != _SELECTOR:
            return
        field = function.child_by_field_name("field")
        keyword = self.source.text(field) if field is not None else ""
        arguments = list(children(arguments_node))
        if keyword not in _KEYWORDS or len(arguments) != 2 or self._is_nobodys(function, call):
            return
        pattern, handler = arguments
        if pattern.type == "call_expression":
            pattern = _compiled(self.source, pattern) or pattern
        value = self.evaluator.value(pattern)
        if value is None:
            self.collector.computed(pattern)
            return
        body, handler_name = self._handler(handler)
        registrar = self._registrar(call)
        self.collector.add(
            value,
            ExpressionKind.REGEX,
            framework="godog",
            keyword=self.source.text(function),
            keyword_types=_KEYWORDS[keyword],
            function=body,
            function_name=handler_name,
            anchoring=Anchoring.SEARCH,
            registry=f"@{registrar}",
            takes_first=not self._refusing or (registrar not in self._refusing and not registrar.isdecimal()),
        )

    def _is_nobodys(self, function: "Node", call: "Node") -> bool:
        """True if a step is registered on a context that the code creates itself, as the library's own tests do. A
        runner passes its own context in and knows no other."""
        operand = function.child_by_field_name("operand")
        name = self.source.text(operand) if operand is not None else ""
        made = [node for made_name, node in self._made if made_name == name and node.start_byte < call.start_byte]
        blocks = {node.parent.start_byte for node in made if node.parent is not None}
        around = call.parent if blocks else None
        while around is not None:
            parameters = around.child_by_field_name("parameters") if around.type in _FUNCTIONS else None
            if parameters is not None and re.search(rf"\b{re.escape(name)}\b", self.source.text(parameters)):
                return False
            if around.type in ("block", "statement_list") and around.start_byte in blocks:
                return True
            around = around.parent
        return False

    @cached_property
    def _made(self) -> "list[tuple[str, Node]]":
        """The names that are declared as a new context, `ctx := ScenarioContext{…}`, with their places."""
        return [
            (match[1], node)
            for node in self.source.nodes("short_var_declaration", "var_declaration")
            if (match := _OWN_CONTEXT.match(self.source.text(node)))
        ]

    def _registrar(self, call: "Node") -> str:
        """The function in which a step is registered: its name, or the number of a function without a name."""
        around = call.parent
        while around is not None and around.type not in _FUNCTIONS:
            around = around.parent
        name = around.child_by_field_name("name") if around is not None else None
        if around is None or name is not None:
            return self.source.text(name) if name is not None else ""
        return str(self._literals.index(around.start_byte))

    @cached_property
    def _method_values(self) -> "dict[str, Node]":
        """The names of method values: `step := ctx.Step`."""
        values: dict[str, Node] = {}
        for node in self.source.nodes("short_var_declaration"):
            left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
            names, expressions = (list(children(side)) if side is not None else [] for side in (left, right))
            pairs = zip(names, expressions, strict=False)
            values.update(
                {self.source.text(name): value for name, value in pairs if value.type == "selector_expression"}
            )
        return values

    @cached_property
    def _literals(self) -> list[int]:
        """The offsets of functions without a name."""
        return [node.start_byte for node in self.source.nodes("func_literal")]

    @cached_property
    def _refusing(self) -> frozenset[str]:
        """The functions that initialise scenarios of a suite with `Strict: true`, as far as the file tells. If several
        steps match, godog takes the first, unless the suite is strict (suite.go)."""
        text = self.source.text(self.source.root)
        return frozenset(_INITIALISER.findall(text)) if _STRICT.search(text) else frozenset()

    def _handler(self, handler: "Node") -> "tuple[Node | None, str]":
        """The function that a step calls, if it is in this file, and its name."""
        if handler.type == "func_literal":
            return handler, ""
        if handler.type in ("index_expression", "type_instantiation_expression"):
            handler = handler.named_children[0]
        method = handler.type == "selector_expression"
        named = handler.child_by_field_name("field") if method else handler
        if named is None or named.type not in ("identifier", "field_identifier"):
            return None, ""
        name = self.source.text(named)
        functions = self._functions.get((method, name), [])
        return functions[0] if len(functions) == 1 else None, name

    @cached_property
    def _functions(self) -> "dict[tuple[bool, str], list[Node]]":
        """The functions and methods of the file: maps (is a method, name) to their nodes."""
        functions: dict[tuple[bool, str], list[Node]] = {}
        for node in self.source.nodes("function_declaration", "method_declaration"):
            name = node.child_by_field_name("name")
            if name is not None:
                functions.setdefault((node.type == "method_declaration", self.source.text(name)), []).append(node)
        return functions


def extract(path: str, source: bytes, names: ConstantNames | None = None) -> Extraction:
    file = _File(path, source, names)
    for call in file.source.nodes("call_expression"):
        file.read(call)
    return file.collector.extraction()


def constants(path: str, source: bytes, names: Set[str]) -> list[Constant]:
    return _File(path, source).evaluator.constants(names)


LANGUAGE = Language(
    id="go",
    name="Go",
    regex=dialects.RE2,
    suffixes=(".go",),
    comments=C_LIKE,
    editor_ids=("go",),
    hint=re.compile(rb"godog"),
    extract=extract,
    constants=constants,
)
