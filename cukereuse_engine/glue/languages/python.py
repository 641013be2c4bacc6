"""Python: behave and pytest-bdd.

Imports tell which of the two it is, or else the shape of the decorator's argument; a bare `@given("…")` is behave's,
whose step files need no import. `use_step_matcher` applies from its line on, as when the file runs.
"""

import re
from collections.abc import Set
from dataclasses import replace
from typing import TYPE_CHECKING

from cukereuse_engine.glue.definition import Anchoring, Constant, ExpressionKind, Extraction, StepDefinition
from cukereuse_engine.glue.languages.base import Language
from cukereuse_engine.glue.languages.collector import Collector, Value
from cukereuse_engine.glue.languages.comments import HASH
from cukereuse_engine.glue.languages.python_modules import module_of
from cukereuse_engine.glue.languages.python_types import read_parameter_types, read_patterns
from cukereuse_engine.glue.languages.python_values import (
    DECORATORS,
    FRAMEWORKS,
    MATCHER_SETTERS,
    PythonFile,
    arguments_of,
    called_name,
    class_around,
    elsewhere,
    read_constants,
    read_imports,
    regex_call,
    value_of,
)
from cukereuse_engine.glue.languages.source import ConstantNames, Source, children
from cukereuse_engine.glue.regexes import dialects

if TYPE_CHECKING:
    from tree_sitter import Node

_MATCHERS = {
    "parse": (ExpressionKind.PARSE, Anchoring.FULL),
    "cfparse": (ExpressionKind.CFPARSE, Anchoring.FULL),
    "re": (ExpressionKind.REGEX, Anchoring.FULL),
    "re0": (ExpressionKind.REGEX, Anchoring.MATCH),
    "cucumber_expressions": (ExpressionKind.CUCUMBER, Anchoring.FULL),
}
"""behave's matchers by name. "re" puts ^ and $ around the pattern itself, "re0" does not (behave/matchers.py)."""
_NAMED_AFTER_A_KEYWORD = re.compile("given|when|then|step", re.IGNORECASE)
"""Names of a project's own decorators that are looked for in other files."""
_COMMENTS = re.compile(rb"(?:^[ \t]*#[^\n]*\n){50,}", re.MULTILINE)
"""A run of comment lines, for which the grammar needs quadratic time: 8,000 lines take over a second."""


def _refusal(definition: StepDefinition) -> str:
    """Why behave refuses a regex (SimplifiedRegexMatcher): for its first or last character, escaped or not."""
    text = definition.expression
    is_anchored = definition.kind is ExpressionKind.REGEX and definition.anchoring is Anchoring.FULL
    if definition.framework != "behave" or not is_anchored or not (text.startswith("^") or text.endswith("$")):
        return ""
    return (
        "behave adds ^ and $ to a pattern itself, and refuses one that begins with ^ or ends with $; take them away, "
        'use_step_matcher("re0"), or write [$] for the character'
    )


def _blank(run: re.Match[bytes]) -> bytes:
    return re.sub(rb"[^\r\n]", b" ", run.group())


def _framework_of(file: PythonFile, decorator: str, argument: "Node | None") -> str | None:
    """The framework of a decorator by name; None if the name is imported from elsewhere (hypothesis' `given`)."""
    root = decorator.split(".")[0]
    module, _ = file.names.get(root, ("", ""))
    package = module.split(".")[0]
    if package in FRAMEWORKS:
        return FRAMEWORKS[package]
    if package in ("hypothesis", "radish", "lettuce", "aloe"):
        return None
    if file.imports("pytest_bdd"):
        return "pytest-bdd"
    if argument is not None and argument.type == "call" and called_name(file, argument).startswith("parsers."):
        return "pytest-bdd"
    return "behave"


def _decorator_name(file: PythonFile, name: str, depth: int = 0) -> str:
    """The decorator or parser that a name of the file denotes: `g = given`, `w = functools.partial(when, …)`."""
    constant = file.constants.get(name) if depth < 5 else None
    if constant is not None and constant.type == "call" and called_name(file, constant).split(".")[-1] == "partial":
        constant = next(iter(arguments_of(constant)[0]), None)
    if constant is None or constant.type not in ("identifier", "attribute"):
        return name
    return _decorator_name(file, file.text(constant), depth + 1)


def _keyword_of(file: PythonFile, decorator: str) -> str | None:
    """ "given", "when", "then" or "step" for a step decorator, in lower case."""
    parts = decorator.split(".")
    original = file.names.get(parts[0], ("", ""))[1] if len(parts) == 1 else parts[-1]
    name = original or parts[-1]
    return name.lower() if name in DECORATORS else None


def _pytest_bdd_value(file: PythonFile, argument: "Node", depth: int = 0) -> tuple[Value, ExpressionKind] | None:
    """The expression and kind of a pytest-bdd decorator's first argument; a plain string is the expression itself."""
    if argument.type == "identifier" and depth < 5:
        constant = file.constants.get(file.text(argument))
        if constant is not None and constant.type == "call":
            pair = _pytest_bdd_value(file, constant, depth + 1)
            if pair is None:
                return None
            return Value(pair[0].text, argument, False, pair[0].is_regex, pair[0].flags), pair[1]
    if argument.type != "call":
        value = value_of(file, argument)
        return None if value is None else (value, ExpressionKind.LITERAL)
    called = _decorator_name(file, called_name(file, argument))
    original = file.names.get(called, ("", called))[1] or called
    kind = {
        "parse": ExpressionKind.PARSE,
        "cfparse": ExpressionKind.CFPARSE,
        "re": ExpressionKind.REGEX,
        "string": ExpressionKind.LITERAL,
    }.get(original.split(".")[-1])
    if kind is None:
        return None
    if kind is ExpressionKind.REGEX:
        regex = regex_call(file, argument)
        return None if regex is None else (regex, kind)
    positional, named = arguments_of(argument)
    node = positional[0] if positional else named.get("name")
    value = value_of(file, node) if node is not None else None
    return None if value is None else (value, kind)


def _read_functions(file: PythonFile) -> None:
    for node in file.source.nodes("function_definition"):
        name = node.child_by_field_name("name")
        if name is not None:
            file.functions.setdefault(file.text(name), node)
    for named, value in file.constants.items():
        if value.type == "lambda":
            file.functions.setdefault(named, value)


def _passed_on(file: PythonFile, call: "Node") -> "tuple[PythonFile, Node] | None":
    """The call of a runner's decorator inside a project's own decorator that only passes on (`def mine(text): return
    given(parse(text))`, also around the function itself), with the file that contains it. Its parameters are bound."""
    inside, function = _own_decorator(file, called_name(file, call))
    returned = _returned(function) if function is not None else None
    if function is None or returned is None or not _bind(file, inside, function, call):
        return None
    inner = inside.functions.get(inside.text(returned)) if returned.type == "identifier" else None
    if inner is not None:  # `def wrap(f): return given(text)(f)` … `return wrap`
        outer = _returned(inner)
        returned = outer.child_by_field_name("function") if outer is not None and outer.type == "call" else None
    if returned is None or returned.type != "call":
        return None
    return inside, returned


def _own_decorator(file: PythonFile, name: str) -> "tuple[PythonFile, Node | None]":
    """The function that a name stands for, in this file or in one that it is imported from, and that file."""
    own = name if "." not in name or name.split(".")[0] in file.names else name.split(".")[-1]
    if own in file.functions:
        return replace(file, bound={}), file.functions[own]
    given = elsewhere(file, name) if _NAMED_AFTER_A_KEYWORD.search(name) else None
    if given is None or not given.is_function:
        return file, None
    inside = _parsed_file(given.path, given.text.encode())
    return inside, inside.functions.get(given.name)


def _returned(function: "Node") -> "Node | None":
    """What a function returns, if it does little else: at most a docstring and nested functions come before."""
    body = function.child_by_field_name("body")
    if function.type == "lambda" or body is None:
        return body
    statements = [
        statement
        for statement in children(body)
        if statement.type not in ("function_definition", "expression_statement")
    ]
    if len(statements) != 1 or statements[0].type != "return_statement":
        return None
    return next(children(statements[0]), None)


def _bind(caller: PythonFile, file: PythonFile, function: "Node", call: "Node") -> bool:
    """Bind the parameters of a function to the arguments of a call; false if these are unknown."""
    parameters = function.child_by_field_name("parameters")
    names = []
    for parameter in children(parameters) if parameters is not None else ():
        named = (
            parameter
            if parameter.type == "identifier"
            else parameter.child_by_field_name("name") or next(children(parameter), parameter)
        )
        if "splat" not in parameter.type and file.text(named) not in ("self", "cls"):
            names.append(file.text(named))
    positional, by_name = arguments_of(call)
    handed = {**dict(zip(names, positional, strict=False)), **{key: by_name[key] for key in names if key in by_name}}
    values = {name: value_of(caller, node) for name, node in handed.items()}
    file.bound = {name: value for name, value in values.items() if value is not None}
    return bool(file.bound)


def _parsed_file(path: str, source: bytes, names: ConstantNames | None = None) -> PythonFile:
    parsed = Source(path, source, "tree_sitter_python", names=names, parsed=_COMMENTS.sub(_blank, source))
    file = PythonFile(parsed, Collector(parsed, LANGUAGE.id))
    read_imports(file)
    read_constants(file)
    _read_functions(file)
    read_patterns(file)
    return file


def _read_definition(file: PythonFile, decorated: "Node", decorator: "Node", matcher: str) -> None:
    call = next(children(decorator), None)
    if call is None or call.type != "call":
        return
    passed = _passed_on(file, call)
    inside, made = passed if passed is not None else (file, call)
    name = _decorator_name(inside, called_name(inside, made))
    keyword = _keyword_of(inside, name)
    positional, named = arguments_of(made)
    argument = positional[0] if positional else (named.get("name") or named.get("step_text"))
    if keyword is None or argument is None:
        return
    framework = _framework_of(inside, name, argument)
    if framework is None:
        return
    read = _expression(file, inside, framework, matcher, argument, argument if inside is file else call)
    if read is None:
        return
    value, kind, anchoring = read
    if passed is not None:
        value, name = _where_handed(inside, call, value), called_name(file, call)
    file.collector.add(
        value,
        kind,
        framework=framework,
        keyword=name,
        keyword_types=frozenset() if keyword == "step" else frozenset((keyword,)),
        function=decorated.child_by_field_name("definition"),
        function_name=_name_of(file, decorated),
        anchoring=anchoring,
    )


def _name_of(file: PythonFile, decorated: "Node") -> str:
    function = decorated.child_by_field_name("definition")
    name = function.child_by_field_name("name") if function is not None else None
    return file.text(name) if name is not None else ""


def _where_handed(inside: PythonFile, call: "Node", value: Value) -> Value:
    """An expression that a project's own decorator makes; its place is the decorator's argument if they differ."""
    if any(bound.node is value.node for bound in inside.bound.values()):
        return value
    handed = next(iter(arguments_of(call)[0]), call)
    return Value(value.text, handed, False, value.is_regex, value.flags)


def _expression(
    file: PythonFile, inside: PythonFile, framework: str, matcher: str, argument: "Node", place: "Node"
) -> tuple[Value, ExpressionKind, Anchoring] | None:
    """The expression of a decorator, read `inside` the file that calls the runner's. None if it is unknown, with an
    error at `place`."""
    if framework == "pytest-bdd":
        pair = _pytest_bdd_value(inside, argument)
        if pair is not None:
            return *pair, Anchoring.FULL
    else:
        value = value_of(inside, argument)
        if value is not None and matcher in _MATCHERS:
            return value, *_MATCHERS[matcher]
        if value is not None:
            file.collector.error(argument, f"the step matcher {matcher!r} is not known", untold=True)
            return None
    file.collector.computed(place)
    return None


def _matcher_of(file: PythonFile, call: "Node") -> str | None:
    """The matcher that `use_step_matcher("re")` sets, or None for any other call."""
    called = called_name(file, call).split(".")[-1]
    if called == "use_step_matcher_for_cucumber_expressions":
        return "cucumber_expressions"
    if called not in MATCHER_SETTERS:
        return None
    positional, named = arguments_of(call)
    argument = positional[0] if positional else named.get("name")
    if argument is None:
        return "parse"
    value = value_of(file, argument)
    return value.text if value is not None else file.text(argument)


def constants(path: str, source: bytes, names: Set[str]) -> list[Constant]:
    """The values of constants, including those of classes and functions, with the imports that they need."""
    file = _parsed_file(path, source)
    imports = [file.text(statement) for statement in file.source.nodes("import_from_statement", "import_statement")]
    constants = []
    for name in sorted(names):
        node, function = file.constants.get(name), file.functions.get(name)
        value = value_of(file, node) if node is not None else None
        if node is not None and value is not None:
            constants.append(Constant(name, class_around(file, node), path, value.text, value.is_regex, value.flags))
        elif function is not None:
            text = file.text(function) if function.type != "lambda" else f"{name} = {file.text(function)}"
            owner = class_around(file, function)
            constants.append(Constant(name, owner, path, "\n".join([*imports, text]), is_function=True))
    return constants


def extract(path: str, source: bytes, names: ConstantNames | None = None) -> Extraction:
    file = _parsed_file(path, source, names)
    parsed = file.source
    read_parameter_types(file)
    matcher = "parse"
    for node in parsed.nodes("decorated_definition", "call"):
        if node.type == "call":
            matcher = _matcher_of(file, node) or matcher
            continue
        for decorator in children(node):
            if decorator.type == "decorator":
                _read_definition(file, node, decorator, matcher)
    extraction = file.collector.extraction()
    return replace(extraction, module=module_of(file, defines=bool(extraction.definitions)))


LANGUAGE = Language(
    id="python",
    name="Python",
    regex=dialects.PYTHON,
    suffixes=(".py",),
    comments=HASH,
    editor_ids=("python",),
    # a decorator that is a keyword or named after one, and imports of other modules' step definitions
    hint=re.compile(
        rb"@\s*[\w.]*(?:[gG]iven|[wW]hen|[tT]hen|[sS]tep)\w*\s*\(|register_type|pytest_bdd|\bbehave\b|pytest_plugins"
        rb"|\bfrom[ \t]+[\w.]+[ \t]+import[ \t]*\*"
    ),
    extract=extract,
    constants=constants,
    takes_over=re.compile(
        rb"^(?:from[ \t]+([\w.]+)[ \t]+import\b|import[ \t]+([\w.]+)|[ \t]*pytest_plugins\b[^\n]*?[\"']([\w.]+)[\"'])",
        re.MULTILINE,
    ),
    refusal=_refusal,
    lowest_first=True,
)
