"""jest-cucumber and vitest-cucumber: definitions in the block of one scenario of one feature file.

Finds which calls are step calls, and for which feature, rule and scenario they count, as far as the source tells.
"""

import re
from collections.abc import Callable, Iterator, Set
from typing import TYPE_CHECKING

from cukereuse_engine.glue.definition import Limit
from cukereuse_engine.glue.languages.collector import Value
from cukereuse_engine.glue.languages.source import Source, children

if TYPE_CHECKING:
    from tree_sitter import Node

JEST = "jest-cucumber"
VITEST = "vitest-cucumber"
FRAMEWORKS = frozenset({JEST, VITEST})
_FEATURES = frozenset({"defineFeature", "describeFeature"})
_STEPS = {
    JEST: frozenset({"given", "when", "then", "and", "but"}),
    VITEST: frozenset({"Given", "When", "Then", "And", "But"}),
}
_VITEST_BLOCKS = {"Background": "background", "RuleBackground": "background", "Rule": "rule"}
_FUNCTIONS = frozenset({"arrow_function", "function_expression", "function_declaration", "method_definition"})
_EXPRESSIONS = frozenset({"string", "template_string", "regex", "identifier", "new_expression"})
VITEST_TYPES = ("boolean", "number", "char", "email", "url", "date", "currency", "list", "any")
"""vitest-cucumber, src/parser/expression/regexes.ts; those that are Cucumber's too are left out."""
_PLACEHOLDER = re.compile(rf"\{{(?:string|int|word|{'|'.join(VITEST_TYPES)})(?::[^}}]*)?\}}")


def framework_of(source: Source) -> str:
    """The framework of a file that imports neither package: jest-cucumber if a step function is a parameter, as in
    steps that several features share; otherwise empty."""
    calls = source.nodes("call_expression")
    names = {_name(source, call) for call in calls}
    if "describeFeature" in names:
        return VITEST
    if "defineFeature" in names:
        return JEST
    return JEST if any(is_step(source, call, JEST, _name(source, call)) for call in calls) else ""


def defines_at_top(source: Source, names: Set[str]) -> bool:
    """True if a file that drives Cypress calls one of these names, which it neither imports nor declares, with an
    expression and a function, as a statement at top level."""
    if not re.search(rb"\bcy\.|[Cc]ypress", source.source):
        return False
    statements = [node for node in children(source.root) if node.type == "expression_statement"]
    calls = [call for statement in statements for call in children(statement) if call.type == "call_expression"]
    if names.isdisjoint(_name(source, call) for call in calls if _has_function(call)):
        return False
    declarations = source.nodes("import_specifier", "variable_declarator", "function_declaration", "import_clause")
    declared = [node for node in declarations if not _is_ambient(node)]
    texts = {source.text(node.child_by_field_name("name") or node) for node in declared}
    return not any(re.search(rf"\b(?:{'|'.join(names)})\b", text) for text in texts)


def _has_function(call: "Node") -> bool:
    """True if a call hands over an expression and a function."""
    expression, *_, function = _arguments(call) if len(_arguments(call)) > 1 else (None, None)
    if expression is None or function is None:
        return False
    return expression.type in ("string", "template_string", "regex") and function.type in _FUNCTIONS


def _is_ambient(node: "Node") -> bool:
    """True for TypeScript's `declare const given: …`, which only declares that there is a definition."""
    around = node.parent.parent if node.parent is not None else None
    return around is not None and around.type == "ambient_declaration"


def is_step(source: Source, call: "Node", framework: str, name: str) -> bool:
    """True if a call of this name defines a step: the name is a parameter of a function around it, or a part of such a
    parameter (`({ given, when }) =>`, `steps => steps.given(…)`)."""
    arguments = _arguments(call)
    function = call.child_by_field_name("function")
    if framework not in FRAMEWORKS or name not in _STEPS[framework] or function is None:
        return False
    if len(arguments) < 2 or arguments[0].type not in _EXPRESSIONS:
        return False
    handed = function
    if function.type == "member_expression":
        target = function.child_by_field_name("object")
        if target is None or target.type != "identifier":
            return False
        handed = target
    word = re.compile(rf"(?<![\w.]){re.escape(source.text(handed))}(?!\w)")
    return any(word.search(text) for text in _parameters(source, call))


def _parameters(source: Source, node: "Node") -> Iterator[str]:
    """The parameters of the functions around a node, nearest first."""
    around = node.parent
    while around is not None:
        if around.type in _FUNCTIONS:
            parameters = around.child_by_field_name("parameters") or around.child_by_field_name("parameter")
            if parameters is not None:
                yield source.text(parameters)
        around = around.parent


def limits_of(source: Source, call: "Node", framework: str, plain: "Callable[[Node], str]") -> tuple[Limit, ...]:
    """The feature file, rule and scenario around a step's call. `plain` gives the text of an expression."""
    path = rule = scenario = ""
    background = in_scenario = False
    for name, arguments in _calls_around(source, call):
        if name in _FEATURES:
            path = plain(arguments[0]) if arguments else ""
            break
        title = plain(arguments[0]) if len(arguments) > 1 else ""
        part = _VITEST_BLOCKS.get(name) if framework == VITEST else None
        if part == "background":
            background = True
        elif part == "rule":
            rule = rule or title
        elif not in_scenario and name != "describe" and arguments[1:] and arguments[-1].type in _FUNCTIONS:
            scenario, in_scenario = title, True
    else:  # in no feature's block: steps that several features share
        return ()
    limit = Limit(path=path, rule=rule, scenario=scenario, background=background)
    return (limit,) if limit != Limit() else ()


def _calls_around(source: Source, call: "Node") -> "Iterator[tuple[str, list[Node]]]":
    """Name and arguments of each call that a node is in, the innermost first."""
    around = call.parent
    while around is not None:
        if around.type == "call_expression":
            yield _name(source, around), _arguments(around)
        around = around.parent


def feature_path(value: Value | None) -> str:
    """The feature file that `loadFeature` names; empty for several files, and if the source does not tell."""
    text = value.text if value is not None else ""
    return text if text and "*" not in text else ""


def has_placeholder(text: str, framework: str) -> bool:
    return framework == VITEST and _PLACEHOLDER.search(text) is not None


def _name(source: Source, call: "Node") -> str:
    """The name of the called function, without `.only` and `.skip`."""
    function = call.child_by_field_name("function")
    is_name = function is not None and function.type in ("identifier", "member_expression")
    parts = source.text(function).split(".") if function is not None and is_name else []
    while len(parts) > 1 and parts[-1] in ("only", "skip", "concurrent"):
        parts.pop()
    return parts[-1] if parts else ""


def _arguments(call: "Node") -> "list[Node]":
    arguments = call.child_by_field_name("arguments")
    return list(children(arguments)) if arguments is not None else []
