"""Rewrites a step definition's expression to a target phrasing, with the same parameters.

The target's words replace everything between parameters (alternatives, optional words, groups that do not capture);
anchors, flags and parameters stay unchanged.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from cukereuse_engine.glue.choice import DOTNET, RSTEST
from cukereuse_engine.glue.definition import ExpressionKind, StepDefinition
from cukereuse_engine.glue.languages.base import refusal
from cukereuse_engine.glue.patterns import NESTED_ARGUMENTS
from cukereuse_engine.refactor.expressions.endings import Ending, endings_of
from cukereuse_engine.refactor.expressions.parameters import (
    ExpressionParameter,
    ExpressionParameters,
    UnwritableError,
    is_extended,
    parameters_of,
)
from cukereuse_engine.refactor.target import Slot

_NAMED = frozenset({"behave", "pytest-bdd", "behat"})
"""Frameworks that pass named parameters by name, so that their order is free."""
_REGEX_SPECIAL = re.compile(r"[\\^$.|?*+()\[\]{}]")
_CUCUMBER_SPECIAL = re.compile(r"[\\(){}/]")
_VITEST_SPECIAL = re.compile(r"[\\^$.|*+()\[\]{}]")
"""vitest-cucumber: an expression with a parameter is a regex in which ? is literal
(src/parser/expression/ExpressionStep.ts)."""
_STRING_TYPES = frozenset({"string"})
"""Parameter types whose regexps include the quotes: {string} matches "a" and 'a'."""


@dataclass(frozen=True, slots=True)
class ParameterPart:
    """A parameter among the new words of a definition and its steps."""

    place: int
    """0-based, left to right in the present expression."""
    slot: Slot | None
    """None: the target has no slot for it, and what it matches stays."""
    around: tuple[str, str] | None = None
    """For an optional part: the words before and after its argument, which are present when it is."""


Word: TypeAlias = str | ParameterPart | Ending


def parameters(definition: StepDefinition) -> ExpressionParameters:
    """The definition's parameters. Raises `UnwritableError`."""
    if definition.sentence and definition.framework in DOTNET:
        raise UnwritableError("its expression is the name of its method; write it as a string first")
    if definition.sentence and definition.framework == RSTEST:
        raise UnwritableError("a pattern of rstest-bdd is not rewritten; reword it by hand, with the steps")
    return parameters_of(definition, nested=definition.framework not in NESTED_ARGUMENTS)


def by_name(definition: StepDefinition) -> bool:
    """True if arguments reach the function by their names."""
    return definition.framework in _NAMED


def slots_of(definition: StepDefinition, number: int, there: Sequence[int] = ()) -> list[int]:
    """The 0-based parameters that `number` slots of a target stand for, left to right: those that do not stay, or all
    with one argument, or those that are `there` in the step that the user named.

    Raises `UnwritableError` if the definition takes another number of arguments.
    """
    own = parameters(definition).found
    sure = [at for at, parameter in enumerate(own) if not parameter.stays]
    every = [at for at, parameter in enumerate(own) if parameter.is_group]
    worded = [
        at for at, parameter in enumerate(own) if at in every or argument_inside(parameter, definition) is not None
    ]
    usable = [*there] if {*there} <= {*worded} else sure
    for chosen in (sure, every, worded, usable):
        if len(chosen) == number:
            return chosen
    raise UnwritableError(_other_number(own, sure, number))


def _other_number(own: Sequence[ExpressionParameter], sure: Sequence[int], number: int) -> str:
    takes = {0: "no argument", 1: "one argument"}.get(len(sure), f"{len(sure)} arguments")
    takes += f" ({', '.join(own[at].source for at in sure)})" if sure else ""
    message = f"its step definition takes {takes}, the target has places for {number}"
    staying = [parameter.source for parameter in own if parameter.stays and parameter.captures]
    if staying:
        return f"{message}; what {', '.join(staying)} matches stays, leave it out of the target"
    slots = ", ".join(f"{{{place}}}" for place in range(1, len(sure) + 1))
    return f"{message}; write {slots or 'no slot'} in it"


def order_for_function(definition: StepDefinition, words: Sequence[Word]) -> tuple[int, ...] | None:
    """For each captured argument of the new expression its number in the present one, if the function takes arguments
    by position and would get them in another order; else None. Raises `UnwritableError` for groups inside a group,
    which are arguments of their own."""
    own = parameters(definition).found
    places = [word.place for word in words if isinstance(word, ParameterPart) and own[word.place].captures]
    named = by_name(definition) and all(own[place].name for place in places)
    if places == sorted(places) or named:
        return None
    if any(parameter.captures > 1 for parameter in own):
        raise UnwritableError("the target changes the order of nested arguments; keep {1} before {2}")
    taking = [place for place, parameter in enumerate(own) if parameter.captures]
    return tuple(taking.index(place) for place in places)


def rewrite(definition: StepDefinition, words: Sequence[Word]) -> str:
    """The new expression. Raises `UnwritableError` if its kind can't express the words."""
    own = parameters(definition)
    pieces = [own.prefix]
    for word in words:
        if isinstance(word, str):
            pieces.append(escape(word, definition))
        elif isinstance(word, Ending):
            pieces.append(endings_of(definition)[word.stem, word.ending])
        else:
            parameter = own.found[word.place]
            pieces.append(_words_of(parameter, word, definition))
    return loadable("".join([*pieces, own.suffix]), definition)


def loadable(expression: str, definition: StepDefinition) -> str:
    """The expression with a literal $ at its end written as a set, if its runner takes it for an anchor."""
    ends = re.search(r"(?<!\\)(?:\\\\)*(\\\$)\Z", expression)
    refused = ends is not None and refusal(replace(definition, expression=expression))
    return f"{expression[: ends.start(1)]}[$]" if ends is not None and refused else expression


def with_stays_captured(definition: StepDefinition) -> tuple[StepDefinition, tuple[int, ...]]:
    """The definition with a group around each parameter that stays, and the number of each parameter's first argument
    in it: the new group if there is one."""
    text, at, pieces = definition.expression, 0, []
    firsts: list[int] = []
    count = 0
    for parameter in parameters(definition).found:
        firsts.append(count)
        if parameter.stays:
            pieces += [text[at : parameter.start], f"({parameter.source})"]
            at = parameter.end
            count += 1 if definition.framework in NESTED_ARGUMENTS else 1 + parameter.captures
        else:
            count += parameter.captures
    return replace(definition, expression="".join([*pieces, text[at:]])), tuple(firsts)


def _words_of(parameter: ExpressionParameter, part: ParameterPart, definition: StepDefinition) -> str:
    if part.slot is None:
        return parameter.source
    if part.around is None or parameter.is_group:
        return _placed(parameter, part.slot, definition)
    inner = argument_inside(parameter, definition)
    assert inner is not None
    before, after = (escape(words, definition) for words in part.around)
    return f"(?:{before}{_placed(inner, part.slot, definition)}{after})?"


def argument_inside(parameter: ExpressionParameter, definition: StepDefinition) -> ExpressionParameter | None:
    """The only argument of an optional part with words: `(?: within "([^"]*)")?`; None for another part."""
    whole = re.fullmatch(r"\(\?:(.*)\)\?", parameter.source, re.DOTALL)
    if not parameter.stays or parameter.is_group or parameter.captures != 1 or whole is None:
        return None
    try:
        inner = parameters(replace(definition, expression=whole[1])).found
    except UnwritableError:
        return None
    return inner[0] if len(inner) == 1 and inner[0].is_group and not inner[0].stays else None


def _placed(parameter: ExpressionParameter, slot: Slot, definition: StepDefinition) -> str:
    """A parameter in its slot, with the quotes of the target, or its own if the target has none."""
    if says_quotes(parameter, definition):
        return parameter.source
    quote = slot.quote or parameter.quote
    return f"{quote}{parameter.source}{quote}"


def says_quotes(parameter: ExpressionParameter, definition: StepDefinition) -> bool:
    """True if the quotes around an argument are part of the parameter."""
    is_string = definition.kind is ExpressionKind.CUCUMBER and parameter.name in _STRING_TYPES
    is_turnip = definition.kind is ExpressionKind.TURNIP
    return is_string or is_turnip or parameter.either_quote or _captures_quotes(parameter)


def _captures_quotes(parameter: ExpressionParameter) -> bool:
    """True for a group that begins and ends with a quote: `("[^"]*")`."""
    inner = re.sub(r"\A\((?:\?(?:P?<\w+>|:))?", "", parameter.source)
    return parameter.source.startswith("(") and inner[:1] in ('"', "'") and inner.rstrip(")?")[-1:] == inner[:1]


def escape(text: str, definition: StepDefinition) -> str:
    """Literal words, escaped for the definition's kind of expression. Raises `UnwritableError` if it can't say them."""
    match definition.kind:
        case ExpressionKind.LITERAL:
            return text
        case ExpressionKind.CUCUMBER if definition.framework == "vitest-cucumber":
            return _VITEST_SPECIAL.sub(r"\\\g<0>", text)
        case ExpressionKind.CUCUMBER:
            return _CUCUMBER_SPECIAL.sub(r"\\\g<0>", text)
        case ExpressionKind.PARSE | ExpressionKind.CFPARSE:
            return text.replace("{", "{{").replace("}", "}}")
        case ExpressionKind.TURNIP:
            return _escape_turnip(text, definition)
        case ExpressionKind.REGEX:
            return _escape_regex(text, definition)


def _escape_turnip(text: str, definition: StepDefinition) -> str:
    """Behat can only escape slashes, other runners nothing."""
    slashes = definition.framework == "behat"
    if re.search(r":\w|\([^\\)]+\)", text, re.ASCII) or (not slashes and re.search(r"\w/\w", text)):
        between = "" if slashes else " / between words,"
        raise UnwritableError(
            f"a Turnip pattern can't contain : before a word,{between} or parentheses; choose other words"
        )
    # the text may be next to a word
    return re.sub(r"(?:\A|(?<=\w))/(?=\w|\Z)|(?<=\\)/", r"\\/", text, flags=re.ASCII) if slashes else text


def _escape_regex(text: str, definition: StepDefinition) -> str:
    escaped = _REGEX_SPECIAL.sub(r"\\\g<0>", text)
    if is_extended(definition.expression, definition.flags):
        escaped = re.sub(r"[\s#]", r"\\\g<0>", escaped)
    from cukereuse_engine.refactor.writing import writing_of  # with the grammars of all languages

    return writing_of(definition.language).escaped_regex(escaped, definition)
