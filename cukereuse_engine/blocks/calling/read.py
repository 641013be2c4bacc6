"""Step functions that only call others, read from a source."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cukereuse_engine.blocks.calling.functions import StepFunction, SuiteFunctions
from cukereuse_engine.blocks.calling.resolving import Place, stands_at
from cukereuse_engine.functions.grammars import GRAMMARS, Grammar
from cukereuse_engine.refactor.call_style import ValueKind

if TYPE_CHECKING:
    from tree_sitter import Node

_AROUND = frozenset(("await", "return", ";", "?", ".", "async", "{", "}"))
"""Syntax that may be around a call which is a whole statement."""
_INT, _FLOAT = re.compile(r"-?\d+"), re.compile(r"-?\d+\.\d+")
_NAME = re.compile(r"\$?[^\W\d]\w*")
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", **{sign: sign for sign in "\"'\\$`/"}}
_ON_THIS = frozenset(("this", "$this"))
_COPY = re.compile(r"\.(?:clone|to_string|to_owned)\(\)\Z")


@dataclass(frozen=True, slots=True)
class Given:
    """The argument of a call for one parameter: a value, or the name of the caller's own parameter."""

    value: str
    kind: ValueKind | None
    """None if `value` is a name."""


@dataclass(frozen=True, slots=True)
class FunctionCall:
    function: StepFunction
    given: Mapping[int, Given]
    """By the position of the parameter; only parameters that take something from the step's text."""


def calls_of(function: StepFunction, suite: SuiteFunctions) -> list[FunctionCall] | None:
    """The step functions that a step function calls, in order; None if it does anything else."""
    body = function.node.child_by_field_name("body") or next(
        (child for child in function.node.named_children if child.type in ("function_body", "block")), None
    )
    if body is None:
        return None
    calls: list[FunctionCall] = []
    for statement in _statements(body):
        if "comment" in statement.type or _text(statement) == "Ok(())":
            continue
        call = _call_alone(statement, function, suite)
        if call is None:
            return None
        calls.append(call)
    return calls or None


def _call_alone(statement: "Node", caller: StepFunction, suite: SuiteFunctions) -> FunctionCall | None:
    """The step function's call that is the whole statement, with a wait if it needs one; None for anything else."""
    grammar = GRAMMARS[caller.definition.language]
    call = _outermost(statement, grammar)
    around = _signs_around(statement, call) if call is not None else None
    if call is None or around is None:
        return None
    read = _call(call, caller, suite, grammar)
    return None if read is not None and read.function.is_async and "await" not in around else read


def _statements(body: "Node") -> "Iterator[Node]":
    for child in body.named_children:
        if child.type in ("block", "statement_list", "function_body"):
            yield from _statements(child)
        else:
            yield child


def _outermost(node: "Node", grammar: Grammar) -> "Node | None":
    if node.type in grammar.calls:
        return node
    for child in node.named_children:
        call = _outermost(child, grammar)
        if call is not None:
            return call
    return None


def _signs_around(statement: "Node", call: "Node") -> set[str] | None:
    """The syntax around a call; None if there is more than is allowed. For most statements, the first word tells."""
    signs: set[str] = set()
    for leaf in _leaves(statement, call):
        sign = _text(leaf)
        if sign not in _AROUND:
            return None
        signs.add(sign)
    return signs


def _leaves(node: "Node", without: "Node") -> "Iterator[Node]":
    if (node.start_byte, node.end_byte, node.type) == (without.start_byte, without.end_byte, without.type):
        return
    if not node.child_count:
        yield node
    for child in node.children:
        yield from _leaves(child, without)


def _text(node: "Node") -> str:
    return (node.text or b"").decode("utf-8", "replace")


def _call(call: "Node", caller: StepFunction, suite: SuiteFunctions, grammar: Grammar) -> FunctionCall | None:
    member, name, arguments, on_this = _parts(call, grammar)
    if arguments is None:
        return None
    listed = [child for child in arguments.named_children if "comment" not in child.type]
    if name == "call" and member and listed and _text(listed[0]) == "this":
        *before, name = member.split(".")
        member, listed, on_this = ".".join(before), listed[1:], True
    elif on_this and caller.owner < 0:
        return None
    function = _function_at(stands_at(member, name, caller, suite), len(listed))
    if function is None or function.on_this != (on_this and caller.owner < 0):
        return None
    given = _all_given(function, listed, caller, grammar)
    return FunctionCall(function, given) if given is not None else None


def _all_given(
    function: StepFunction, listed: "Sequence[Node]", caller: StepFunction, grammar: Grammar
) -> dict[int, Given] | None:
    """The values that a call passes to parameters for arguments of a step; None if it passes anything, also to the
    others, that is neither a value nor a name of the caller's own."""
    given: dict[int, Given] = {}
    for number, node in enumerate(listed):
        if number in function.numbers:
            value = _given(node, grammar)
            if value is None:
                return None
            given[number] = value
        elif not _is_passed_on(node, caller):
            return None
    return given


def _function_at(place: Place | None, count: int) -> StepFunction | None:
    """The only step function with this name at a place that takes so many arguments; None if there is none."""
    if place is None:
        return None
    source, name, owner = place
    named_so = source.by_place.get((name, owner), ())
    fitting = [function for function in named_so if count == len(function.others) + len(function.taken)]
    return fitting[0] if len(fitting) == 1 and source.is_alone(fitting[0]) else None


def _parts(call: "Node", grammar: Grammar) -> "tuple[str, str, Node | None, bool]":
    """The member or module before the called name, the name, the list of arguments, and true for a call on the object
    itself."""
    function_field, arguments_field = grammar.calls[call.type]
    function = call.child_by_field_name(function_field) if function_field else call.named_children[0]
    arguments = call.child_by_field_name(arguments_field) or next(
        (child for child in call.named_children if child.type == arguments_field), None
    )
    written = _text(function) if function is not None else ""
    thing = call.child_by_field_name("object")
    if thing is not None:
        written = f"{_text(thing)}.{written}"
    first, *rest = re.split(r"\.|->|::", written)
    on_this = first in _ON_THIS and bool(rest)
    *before, name = rest if on_this else [first, *rest]
    return ".".join(before), name, arguments, on_this


def _is_passed_on(node: "Node", caller: StepFunction) -> bool:
    """True for fixtures, the context and the World, which the caller has under the same names."""
    names = {parameter.name for parameter in caller.others if parameter.name}
    for other in caller.others:
        if other.pattern is not None:
            names |= {_text(child) for child in other.pattern.named_children}
    return set(re.findall(r"\w+", _text(node))) <= names


def _given(node: "Node", grammar: Grammar) -> Given | None:
    while node.type in ("argument", "value_argument") and len(node.named_children) == 1:
        node = node.named_children[0]
    text = _text(node)
    copied = _COPY.search(text)
    if copied is not None and node.type in grammar.calls:
        function = node.child_by_field_name("function")
        inner = function.named_children[0] if function is not None and function.named_children else None
        return _given(inner, grammar) if inner is not None else None
    if node.type in grammar.strings:
        value = _text_passed(node, grammar)
        return Given(value, ValueKind.TEXT) if value is not None else None
    if _INT.fullmatch(text):
        return Given(text, ValueKind.INT)
    if _FLOAT.fullmatch(text):
        return Given(text, ValueKind.FLOAT)
    if text in ("true", "false", "True", "False"):
        return Given(text.lower(), ValueKind.BOOL)
    return Given(text.lstrip("$"), None) if _NAME.fullmatch(text) else None


def _text_passed(node: "Node", grammar: Grammar) -> str | None:
    """The text of a string; None if a program inserts something into it."""
    raw = _text(node)
    if node.type == "string" and raw[:1].lower() in ("f", "r", "b", "u"):
        return None
    if any("interpolation" in child.type or "substitution" in child.type for child in node.named_children):
        return None
    begin = next((child for child in node.children if not child.is_named or child.type == "string_start"), None)
    mark = len(_text(begin)) if begin is not None else 1
    inside = raw[mark : len(raw) - mark]
    if grammar.plain_quote and raw.startswith(grammar.plain_quote):
        return re.sub(r"\\([\\'])", r"\1", inside)
    if any(escape[1] not in _ESCAPES for escape in re.finditer(r"\\(.)", inside, re.DOTALL)):
        return None
    return re.sub(r"\\(.)", lambda escape: _ESCAPES[escape[1]], inside, flags=re.DOTALL)
