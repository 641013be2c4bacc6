"""The values that a function receives for the arguments of a step, as far as expressions and sources tell.

For one function, equal texts are equal arguments. Another function may read a text as another value: `007` is seven for
`{int}`, and `007` for `{string}`.
"""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from functools import lru_cache

from cukereuse_engine.functions.grammars import GRAMMARS
from cukereuse_engine.glue.definition import ExpressionKind, Match, StepDefinition
from cukereuse_engine.refactor.expressions.parameters import UnwritableError
from cukereuse_engine.refactor.expressions.rewrite import by_name, parameters
from cukereuse_engine.refactor.reordering import parameters_taking

_NUMBERS = frozenset(("int", "float", "byte", "short", "long", "biginteger", "double", "bigdecimal"))
_TEXTS = frozenset(("", "string", "word"))
_PARSED = {"d": "int", **dict.fromkeys("nfFgGeE%", "float"), **dict.fromkeys("lwWsSD", "")}
"""The types of parse's formats: `{n:d}`."""
_DIGITS = re.compile(r"\((?:\?P?<\w+>)?-?\\d[+*]\)")
"""A regex group that runners of Cucumber Expressions read as {int}; others pass its text."""
_DECLARED_NUMBER = re.compile(
    r"(?:u?int(?:\d+|eger)?|[iu](?:\d+|size)|s?byte|u?short|u?long|float\d*|double|f\d+|big\w+|decimal)\??",
    re.IGNORECASE,
)
_DECLARED_TEXT = re.compile(r"&?(?:\w+[.:]+)*(?:string|str|object|any|charsequence)\??", re.IGNORECASE)


def passed(match: Match) -> tuple[object, ...]:
    """The arguments that the function receives: sorted by name if they are passed by name, else in order."""
    values = _values(match)
    if by_name(match.definition):
        named = sorted((name, value or "") for name, value in values if name)
        return (*named, *(value for name, value in values if not name))
    return tuple(value for _, value in values)


def same_for_function(old: Match, new: Match, order: Sequence[int] | None) -> bool:
    """True if a function receives the same arguments. `order`: the former place of each parameter, if their order has
    changed."""
    was = passed(old)
    if order is not None and len(order) >= len(was):
        was = tuple(was[at] if at < len(was) else None for at in order[: len(was)])
    return was == passed(new)


def differing_for_another(old: Match, new: Match, read: Callable[[str], bytes | None]) -> str:
    """Why another function would not receive the same values as the one before; empty if it would. `read`: gives a
    source by its path."""
    before, after = _as_read(old, read), _as_read(new, read)
    if before == after:
        return ""
    values = Counter(value for value, _, _ in before.elements())
    if values != Counter(value for value, _, _ in after.elements()):
        return "would receive different arguments"
    value = next(iter(before - after or after - before))[0]
    return f"may read {value} as another value than the function before it does"


def _as_read(match: Match, read: Callable[[str], bytes | None]) -> Counter[tuple[str, str, str]]:
    """Counts each value as written and as the function receives it, with the name of its type if that type's conversion
    is unknown."""
    types = _types(match.definition, read)
    values: Counter[tuple[str, str, str]] = Counter()
    for at, (_, value) in enumerate(_values(match)):
        if value is not None:
            type_ = types[at] if at < len(types) else ""
            is_number = type_ in _NUMBERS
            values[value, _number(value) if is_number else value, "" if is_number or type_ in _TEXTS else type_] += 1
    return values


def _number(text: str) -> str:
    """A number without leading and trailing zeros; another text as it is."""
    match = re.fullmatch(r"([-+]?)0*(\d+)(?:\.(\d*?)0*)?", text.strip())
    if match is None:
        return text
    sign, whole, fraction = match.groups()
    return f"{'-' if sign == '-' else ''}{whole}{f'.{fraction}' if fraction else ''}"


def _types(definition: StepDefinition, read: Callable[[str], bytes | None]) -> list[str]:
    """The type of each argument for the function: a number, a text, or a type of the suite."""
    try:
        own = parameters(definition).found
    except UnwritableError:
        return []
    types = [type_ for parameter in own for type_ in [_type_of(parameter.source, definition)] * parameter.captures]
    grammar = GRAMMARS.get(definition.language)
    source = read(definition.path) if grammar is not None and grammar.typed else None
    taking = parameters_taking(definition, source) if source is not None else None
    for at, declared in enumerate(taking.types if taking is not None else ()):
        if at < len(types) and types[at] in _TEXTS | _NUMBERS and declared:
            types[at] = _declared(declared)
    return types


def _type_of(source: str, definition: StepDefinition) -> str:
    match definition.kind:
        case ExpressionKind.CUCUMBER:
            return source[1:-1]
        case ExpressionKind.PARSE | ExpressionKind.CFPARSE:
            format_ = source[1:-1].partition(":")[2]
            return _PARSED.get(format_[-1:], "") if len(format_.lstrip("0123456789.,+-<>^= ")) < 2 else format_
        case ExpressionKind.REGEX:
            return "int" if _DIGITS.fullmatch(source) else ""
    return ""


def _declared(type_: str) -> str:
    bare = type_.replace("&", "").replace("mut ", "").strip()
    if _DECLARED_NUMBER.fullmatch(bare.rpartition(".")[2]):
        return "int"
    return "" if _DECLARED_TEXT.fullmatch(bare) else bare


def _values(match: Match) -> list[tuple[str, str | None]]:
    """Each argument's name and value; only `{string}` removes the quotes."""
    cucumber = match.definition.kind is ExpressionKind.CUCUMBER
    return [
        (argument.name, _bare(argument.value) if cucumber and argument.name == "string" else argument.value)
        for argument in match.arguments
    ]


@lru_cache(maxsize=1024)
def _bare(value: str | None) -> str | None:
    quoted = value is not None and len(value) > 1 and value[0] in "\"'" and value[-1] == value[0]
    return value[1:-1] if value is not None and quoted else value
