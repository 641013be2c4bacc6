"""Python: behave and pytest-bdd.

Which of the two is told by imports, else by the shape of the decorator's argument; a bare `@given("…")` is behave's,
whose step files need no import. `use_step_matcher` counts from its line on, as it does when the file runs.
"""

import ast
import re
import warnings
from collections.abc import Set
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from cukereuse_engine.glue.definition import Anchoring, Constant, ExpressionKind, Extraction
from cukereuse_engine.glue.languages.base import Collector, Language, Names, Source, Value, children
from cukereuse_engine.glue.regexes import dialects

if TYPE_CHECKING:
    from tree_sitter import Node

_DECORATORS = {"given", "when", "then", "step", "Given", "When", "Then", "Step"}
_FRAMEWORKS = {"behave": "behave", "pytest_bdd": "pytest-bdd"}
_MATCHERS = {
    "parse": (ExpressionKind.PARSE, Anchoring.FULL),
    "cfparse": (ExpressionKind.CFPARSE, Anchoring.FULL),
    "re": (ExpressionKind.REGEX, Anchoring.FULL),
    "re0": (ExpressionKind.REGEX, Anchoring.MATCH),
    "cucumber_expressions": (ExpressionKind.CUCUMBER, Anchoring.FULL),
}
"""behave's matchers by name. "re" puts ^ and $ around the pattern itself, "re0" does not (behave/matchers.py)."""
_MATCHER_SETTERS = {"use_step_matcher", "step_matcher", "use_default_step_matcher"}
_FLAGS = {
    **{"I": "i", "IGNORECASE": "i", "X": "x", "VERBOSE": "x", "M": "m", "MULTILINE": "m"},
    **{"S": "s", "DOTALL": "s", "U": "u", "UNICODE": "u"},
}

_NAMED_AFTER_A_KEYWORD = re.compile("given|when|then|step", re.IGNORECASE)
"""Names of a project's own decorators that are looked for in other files."""
_COMMENTS = re.compile(rb"(?:^[ \t]*#[^\n]*\n){50,}", re.MULTILINE)
"""A run of comment lines, for which the grammar needs quadratic time: 8,000 lines take over a second."""


@dataclass(slots=True)
class _File:
    source: Source
    collector: Collector
    names: dict[str, tuple[str, str]] = field(default_factory=dict)
    """Imported name to (module, name in that module); the latter empty for a module."""
    constants: "dict[str, Node]" = field(default_factory=dict)
    """Names assigned exactly once at the top of the file or of a class."""
    wildcards: list[str] = field(default_factory=list)
    """Modules of which all names are imported."""
    functions: "dict[str, Node]" = field(default_factory=dict)
    """Functions of the file, and lambdas with a name."""
    bound: dict[str, Value] = field(default_factory=dict)
    """Parameters of a function that is followed, to what they are called with."""
    patterns: dict[str, Value] = field(default_factory=dict)
    """Functions that carry a `@parse.with_pattern(…)`."""

    def text(self, node: "Node") -> str:
        return self.source.text(node)

    def imports(self, package: str) -> bool:
        return any(module.split(".")[0] == package for module, _ in self.names.values())


def _blank(run: re.Match[bytes]) -> bytes:
    return re.sub(rb"[^\r\n]", b" ", run.group())


def _read_imports(file: _File) -> None:
    for node in file.source.nodes("import_from_statement", "import_statement"):
        module_node = node.child_by_field_name("module_name")
        module = file.text(module_node) if module_node else ""
        for name in node.children_by_field_name("name"):
            if name.type == "aliased_import":
                original, alias = name.child_by_field_name("name"), name.child_by_field_name("alias")
            else:
                original, alias = name, name
            if original is None or alias is None:
                continue
            written = file.text(original)
            if module:
                file.names[file.text(alias)] = (module, written)
            else:
                file.names[file.text(alias)] = (written, "")
        if module and any(child.type == "wildcard_import" for child in node.children):
            file.wildcards.append(module)
            for name_ in (*_DECORATORS, *_MATCHER_SETTERS, "register_type", "parsers"):
                if module.split(".")[0] in _FRAMEWORKS:
                    file.names[name_] = (module, name_)


def _read_constants(file: _File) -> None:
    seen: set[str] = set()
    for node in file.source.nodes("assignment"):
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        if left is None or right is None or left.type != "identifier":
            continue
        name = file.text(left)
        if name in seen:
            file.constants.pop(name, None)  # assigned twice: not a constant
        else:
            seen.add(name)
            file.constants[name] = right


def _string(file: _File, node: "Node") -> Value | None:
    """One string literal; an f-string's interpolations must be constants of the file."""
    source = file.text(node)
    prefix = source[: len(source) - len(source.lstrip("rRuUbBfF"))]
    if "b" in prefix.lower():
        return None
    if "f" not in prefix.lower():
        value = _evaluated(source)
        return Value(value, node) if isinstance(value, str) else None
    parts: list[str] = []
    for child in node.named_children:
        if child.type == "string_content":
            raw = file.text(child)
            parts.append((raw if "r" in prefix.lower() else _unescape(raw)).replace("{{", "{").replace("}}", "}"))
        elif child.type == "interpolation":
            inner = child.child_by_field_name("expression")
            simple = inner is not None and len(child.named_children) == 1
            embedded = _value(file, inner) if simple and inner is not None else None
            if embedded is None:
                return None
            parts.append(embedded.text)
    return Value("".join(parts), node, rewritable=False)


def _unescape(body: str) -> str:
    value = _evaluated('"""' + body.replace('"', '\\"') + '"""') if "\\" in body else body
    return value if isinstance(value, str) else body


def _evaluated(literal: str) -> object:
    """A literal's value; None for what is none."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # an unknown escape stays as it is written
        try:
            return ast.literal_eval(literal)
        except (ValueError, SyntaxError, MemoryError, RecursionError):
            return None


def _value(file: _File, node: "Node", depth: int = 0) -> Value | None:
    """What an expression denotes: a literal, a concatenation of literals, a constant of the file, `re.compile(…)`."""
    if depth > 20:
        return None
    if node.type == "string":
        return _string(file, node)
    if node.type == "concatenated_string":
        return _joined(file, node, list(children(node)), depth)
    if node.type == "parenthesized_expression":
        inner = list(children(node))
        value = _value(file, inner[0], depth + 1) if len(inner) == 1 else None
        # the parentheses are not part of what a rewrite replaces
        return value and Value(value.text, inner[0] if value.rewritable else node, value.rewritable, value.is_regex)
    if node.type == "binary_operator":
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        operator = node.child_by_field_name("operator")
        if left is None or right is None or operator is None or operator.type != "+":
            return None
        return _joined(file, node, [left, right], depth)
    if node.type == "identifier" and file.text(node) in file.bound:
        return file.bound[file.text(node)]
    if node.type in ("identifier", "attribute"):
        constant = file.constants.get(file.text(node).split(".")[-1])
        value = _value(file, constant, depth + 1) if constant is not None else None
        if value is not None:
            return Value(value.text, node, False, value.is_regex, value.flags)
        given = _elsewhere(file, file.text(node)) if constant is None else None
        usable = given is not None and not given.is_function
        return Value(given.text, node, False, given.is_regex, given.flags) if given is not None and usable else None
    if node.type == "call" and _called(file, node) == "re.compile":
        return _regex_call(file, node, depth)
    return None


def _elsewhere(file: _File, written: str) -> Constant | None:
    """What a name stands for that the file imports: `NAME`, `module.NAME`, `Class.NAME`."""
    root, _, rest = written.partition(".")
    module, original = file.names.get(root, ("", ""))
    if "." in rest or module.split(".")[0] in _FRAMEWORKS:
        return None
    if not module:
        for wildcard in file.wildcards if not rest else ():
            if (given := file.source.names.get(root, wildcard.split(".")[-1])) is not None:
                return given
        return None
    if not rest:
        return file.source.names.get(original or root, module.split(".")[-1])
    return file.source.names.get(rest, original or module.split(".")[-1])


def _joined(file: _File, node: "Node", parts: "list[Node]", depth: int) -> Value | None:
    values = [_value(file, part, depth + 1) for part in parts]
    texts = [value.text for value in values if value is not None]
    return Value("".join(texts), node, rewritable=False) if len(texts) == len(values) else None


def _called(file: _File, call: "Node") -> str:
    function = call.child_by_field_name("function")
    return file.text(function) if function is not None else ""


def _arguments(call: "Node") -> "tuple[list[Node], dict[str, Node]]":
    """Positional and keyword arguments of a call."""
    positional: list[Node] = []
    named: dict[str, Node] = {}
    arguments = call.child_by_field_name("arguments")
    for child in children(arguments) if arguments is not None else ():
        if child.type == "keyword_argument":
            name, value = child.child_by_field_name("name"), child.child_by_field_name("value")
            if name is not None and name.text and value is not None:
                named[name.text.decode()] = value
        else:
            positional.append(child)
    return positional, named


def _regex_flags(file: _File, positional: "list[Node]", named: "dict[str, Node]") -> str:
    node = named.get("flags") or (positional[1] if len(positional) > 1 else None)
    return (
        "".join(sorted({_FLAGS[name] for name in re.findall(r"\w+", file.text(node)) if name in _FLAGS}))
        if node
        else ""
    )


def _regex_call(file: _File, call: "Node", depth: int = 0) -> Value | None:
    positional, named = _arguments(call)
    node = positional[0] if positional else named.get("pattern")
    value = _value(file, node, depth + 1) if node is not None else None
    return value and Value(value.text, value.node, value.rewritable, True, _regex_flags(file, positional, named))


def _framework_of(file: _File, decorator: str, argument: "Node | None") -> str | None:
    """The framework of a decorator by name, or None where the name comes from elsewhere (hypothesis' `given`)."""
    root = decorator.split(".")[0]
    module, _ = file.names.get(root, ("", ""))
    package = module.split(".")[0]
    if package in _FRAMEWORKS:
        return _FRAMEWORKS[package]
    if package in ("hypothesis", "radish", "lettuce", "aloe"):
        return None
    if file.imports("pytest_bdd"):
        return "pytest-bdd"
    if argument is not None and argument.type == "call" and _called(file, argument).startswith("parsers."):
        return "pytest-bdd"
    return "behave"


def _decorator_name(file: _File, name: str, depth: int = 0) -> str:
    """The decorator or parser that a name of the file stands for: `g = given`, `w = functools.partial(when, …)`."""
    constant = file.constants.get(name) if depth < 5 else None
    if constant is not None and constant.type == "call" and _called(file, constant).split(".")[-1] == "partial":
        constant = next(iter(_arguments(constant)[0]), None)
    if constant is None or constant.type not in ("identifier", "attribute"):
        return name
    return _decorator_name(file, file.text(constant), depth + 1)


def _keyword_of(file: _File, decorator: str) -> str | None:
    """ "given", "when", "then" or "step" for a step decorator, in lower case."""
    parts = decorator.split(".")
    original = file.names.get(parts[0], ("", ""))[1] if len(parts) == 1 else parts[-1]
    name = original or parts[-1]
    return name.lower() if name in _DECORATORS else None


def _pytest_bdd_value(file: _File, argument: "Node", depth: int = 0) -> tuple[Value, ExpressionKind] | None:
    """The expression and kind of a pytest-bdd decorator's first argument; a plain string stands for itself."""
    if argument.type == "identifier" and depth < 5:
        constant = file.constants.get(file.text(argument))
        if constant is not None and constant.type == "call":
            pair = _pytest_bdd_value(file, constant, depth + 1)
            if pair is None:
                return None
            return Value(pair[0].text, argument, False, pair[0].is_regex, pair[0].flags), pair[1]
    if argument.type != "call":
        value = _value(file, argument)
        return None if value is None else (value, ExpressionKind.LITERAL)
    called = _decorator_name(file, _called(file, argument))
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
        regex = _regex_call(file, argument)
        return None if regex is None else (regex, kind)
    positional, named = _arguments(argument)
    node = positional[0] if positional else named.get("name")
    value = _value(file, node) if node is not None else None
    return None if value is None else (value, kind)


def _read_functions(file: _File) -> None:
    for node in file.source.nodes("function_definition"):
        name = node.child_by_field_name("name")
        if name is not None:
            file.functions.setdefault(file.text(name), node)
    for named, value in file.constants.items():
        if value.type == "lambda":
            file.functions.setdefault(named, value)


def _passed_on(file: _File, call: "Node") -> "tuple[_File, Node] | None":
    """The call that a project's own decorator makes of a runner's, where it only passes on: `def mine(text): return
    given(parse(text))`, also around the function itself. With the file that it stands in, its parameters bound."""
    name = _called(file, call)
    function, inside = file.functions.get(name), replace(file, bound={})
    if function is None:
        given = _elsewhere(file, name) if _NAMED_AFTER_A_KEYWORD.search(name) else None
        if given is None or not given.is_function:
            return None
        inside = _parsed_file(given.path, given.text.encode())
        function = inside.functions.get(given.name)
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


def _returned(function: "Node") -> "Node | None":
    """What a function returns that does little else: at most a doc string and functions of its own stand before."""
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


def _bind(caller: _File, file: _File, function: "Node", call: "Node") -> bool:
    """Give the parameters of a function what a call hands over, where that is told."""
    parameters = function.child_by_field_name("parameters")
    names = []
    for parameter in children(parameters) if parameters is not None else ():
        named = (
            parameter
            if parameter.type == "identifier"
            else parameter.child_by_field_name("name") or next(children(parameter), parameter)
        )
        if "splat" not in parameter.type:
            names.append(file.text(named))
    positional, by_name = _arguments(call)
    handed = {**dict(zip(names, positional, strict=False)), **{key: by_name[key] for key in names if key in by_name}}
    values = {name: _value(caller, node) for name, node in handed.items()}
    file.bound = {name: value for name, value in values.items() if value is not None}
    return bool(file.bound)


def _parsed_file(path: str, source: bytes, names: Names | None = None) -> _File:
    parsed = Source(path, source, "tree_sitter_python", names=names, parsed=_COMMENTS.sub(_blank, source))
    file = _File(parsed, Collector(parsed, LANGUAGE.id))
    _read_imports(file)
    _read_constants(file)
    _read_functions(file)
    _read_patterns(file)
    return file


def _read_definition(file: _File, decorated: "Node", decorator: "Node", matcher: str) -> None:
    call = next(children(decorator), None)
    if call is None or call.type != "call":
        return
    passed = _passed_on(file, call)
    inside, made = passed if passed is not None else (file, call)
    name = _decorator_name(inside, _called(inside, made))
    keyword = _keyword_of(inside, name)
    positional, named = _arguments(made)
    argument = positional[0] if positional else (named.get("name") or named.get("step_text"))
    if keyword is None or argument is None:
        return
    framework = _framework_of(inside, name, argument)
    if framework is None:
        return
    function = decorated.child_by_field_name("definition")
    function_name = function.child_by_field_name("name") if function is not None else None
    anchoring = Anchoring.FULL
    pair: tuple[Value, ExpressionKind] | None
    if framework == "pytest-bdd":
        pair = _pytest_bdd_value(inside, argument)
    else:
        kind, anchoring = _MATCHERS.get(matcher, (None, Anchoring.FULL))
        value = _value(inside, argument)
        pair = (value, kind) if value is not None and kind is not None else None
        if kind is None and value is not None:
            file.collector.error(argument, f"the step matcher {matcher!r} is not known")
            return
    if pair is None:
        file.collector.computed(argument if inside is file else call)
        return
    value, kind = pair
    if passed is not None and not any(bound.node is value.node for bound in inside.bound.values()):
        handed = next(iter(_arguments(call)[0]), call)
        value = Value(value.text, handed, False, value.is_regex, value.flags)
    file.collector.add(
        value,
        kind,
        framework=framework,
        keyword=name if passed is None else _called(file, call),
        keyword_types=frozenset() if keyword == "step" else frozenset((keyword,)),
        function=function,
        function_name=file.text(function_name) if function_name is not None else "",
        anchoring=anchoring,
    )


def _matcher_of(file: _File, call: "Node") -> str | None:
    """The matcher that `use_step_matcher("re")` sets, or None for any other call."""
    called = _called(file, call).split(".")[-1]
    if called == "use_step_matcher_for_cucumber_expressions":
        return "cucumber_expressions"
    if called not in _MATCHER_SETTERS:
        return None
    positional, named = _arguments(call)
    argument = positional[0] if positional else named.get("name")
    if argument is None:
        return "parse"
    value = _value(file, argument)
    return value.text if value is not None else file.text(argument)


def _read_parameter_types(file: _File) -> None:
    """`register_type(Name=function)` of behave, `extra_types=dict(Name=function)` of pytest-bdd's parsers."""
    for call in file.source.nodes("call"):
        called = _called(file, call).split(".")[-1]
        if called == "register_type":
            for name, node in _arguments(call)[1].items():
                file.collector.add_parameter_type(name, _pattern_of(file, node), node)
        elif called in ("parse", "cfparse"):
            positional, named = _arguments(call)
            extra = named.get("extra_types") or (positional[1] if len(positional) > 1 else None)
            for name, node in _entries(file, extra) if extra is not None else ():
                file.collector.add_parameter_type(name, _pattern_of(file, node), node)
        elif called in ("define_parameter_type_with", "ParameterType"):
            positional, named = _arguments(call)
            name_node = positional[0] if positional else named.get("name")
            regex_node = positional[1] if len(positional) > 1 else named.get("regexp")
            known_name = _value(file, name_node) if name_node is not None else None
            regex = _value(file, regex_node) if regex_node is not None else None
            if known_name is not None:
                file.collector.add_parameter_type(known_name.text, (regex.text,) if regex else (), call)


def _entries(file: _File, node: "Node") -> "list[tuple[str, Node]]":
    """Entries of `dict(a=b)`, `{"a": b}` or a constant that holds one."""
    if node.type == "identifier":
        constant = file.constants.get(file.text(node))
        return _entries(file, constant) if constant is not None and constant.type != "identifier" else []
    if node.type == "call" and _called(file, node) == "dict":
        return list(_arguments(node)[1].items())
    entries = []
    for pair in children(node) if node.type == "dictionary" else ():
        key, value = pair.child_by_field_name("key"), pair.child_by_field_name("value")
        name = _value(file, key) if key is not None else None
        if name is not None and value is not None:
            entries.append((name.text, value))
    return entries


def _pattern_of(file: _File, node: "Node", depth: int = 0) -> tuple[str, ...]:
    """Regexes of a converter: a function with `@with_pattern`, or `TypeBuilder.make_enum/make_choice` of literals."""
    if node.type == "identifier":
        name = file.text(node)
        if name in file.patterns:
            return (file.patterns[name].text,)
        constant = file.constants.get(name)
        return _pattern_of(file, constant, depth + 1) if constant is not None and depth < 5 else ()
    if node.type != "call":
        return ()
    called = _called(file, node).split(".")[-1]
    positional, _ = _arguments(node)
    if called in ("make_enum", "make_choice") and positional:
        if positional[0].type == "dictionary":
            return tuple(re.escape(name) for name, _ in _entries(file, positional[0]))
        items = [_value(file, child) for child in children(positional[0])]
        texts = tuple(re.escape(item.text) for item in items if item is not None)
        return texts if len(texts) == len(items) and positional[0].type in ("list", "tuple") else ()
    return ()


def _read_patterns(file: _File) -> None:
    for decorated in file.source.nodes("decorated_definition"):
        function = decorated.child_by_field_name("definition")
        name = function.child_by_field_name("name") if function is not None else None
        for decorator in children(decorated):
            call = next(children(decorator), None) if decorator.type == "decorator" else None
            if call is not None and call.type == "call" and _called(file, call).split(".")[-1] == "with_pattern":
                positional, named = _arguments(call)
                node = positional[0] if positional else named.get("pattern")
                value = _value(file, node) if node is not None else None
                if value is not None and name is not None:
                    file.patterns[file.text(name)] = value


def constants(path: str, source: bytes, names: Set[str]) -> list[Constant]:
    """Of constants, of classes' too, and of functions: those with the imports that they need."""
    file = _parsed_file(path, source)
    imports = [file.text(statement) for statement in file.source.nodes("import_from_statement", "import_statement")]
    constants = []
    for name in sorted(names):
        node, function = file.constants.get(name), file.functions.get(name)
        value = _value(file, node) if node is not None else None
        if node is not None and value is not None:
            constants.append(Constant(name, _class_around(file, node), path, value.text, value.is_regex, value.flags))
        elif function is not None:
            text = file.text(function) if function.type != "lambda" else f"{name} = {file.text(function)}"
            constants.append(Constant(name, "", path, "\n".join([*imports, text]), is_function=True))
    return constants


def _class_around(file: _File, node: "Node") -> str:
    around = node.parent
    while around is not None:
        name = around.child_by_field_name("name") if around.type == "class_definition" else None
        if name is not None:
            return file.text(name)
        around = around.parent
    return ""


def extract(path: str, source: bytes, names: Names | None = None) -> Extraction:
    file = _parsed_file(path, source, names)
    parsed = file.source
    _read_parameter_types(file)
    matcher = "parse"
    for node in parsed.nodes("decorated_definition", "call"):
        if node.type == "call":
            matcher = _matcher_of(file, node) or matcher
            continue
        for decorator in children(node):
            if decorator.type == "decorator":
                _read_definition(file, node, decorator, matcher)
    return file.collector.extraction()


LANGUAGE = Language(
    id="python",
    regex=dialects.PYTHON,
    suffixes=(".py",),
    editor_ids=("python",),
    # a decorator that is a keyword or named after one
    hint=re.compile(rb"@\s*[\w.]*(?:[gG]iven|[wW]hen|[tT]hen|[sS]tep)\w*\s*\(|register_type|pytest_bdd|\bbehave\b"),
    extract=extract,
    constants=constants,
)
