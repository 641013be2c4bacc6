"""A step definition's expression as a step says it: plain words, and a sample value for each parameter."""

import re
from dataclasses import dataclass
from functools import lru_cache

from cukereuse_engine.glue.definition import ExpressionKind, StepDefinition
from cukereuse_engine.glue.patterns import NESTED_ARGUMENTS
from cukereuse_engine.refactor.expressions.parameters import (
    ExpressionParameter,
    ExpressionParameters,
    UnwritableError,
    parameters_of,
)

_OPTIONAL = re.compile(r"(?<!\\)\([^()]*\)")
_ALTERNATIVES = re.compile(r"([^\s/\\]+)(?:/[^\s/\\]+)+")
_ESCAPED = re.compile(r"\\(.)")
_SPACES = re.compile(r"\\s[+*]?")
_REGEX_SYNTAX = re.compile(r"\\\w|(?<!\\)[\^$|?*+()\[\]{}]")
_CHOICE = re.compile(r"\(([\w ]+)(?:\|[\w ]+)+\)")


@dataclass(frozen=True, slots=True)
class Sample:
    """A value that a parameter takes."""

    value: str
    is_choice: bool
    """True if the value is from a list of words in the expression."""


def spoken(definition: StepDefinition) -> list[str | Sample] | None:
    """Texts and samples, no two texts side by side, none empty; None if plain words can't express it."""
    if definition.kind is ExpressionKind.LITERAL:
        return [definition.expression]
    try:
        parameters = parameters_of(definition, nested=definition.framework not in NESTED_ARGUMENTS)
    except UnwritableError:
        return None
    pieces = _spoken(definition.expression, definition.kind, parameters)
    return None if pieces is None else list(pieces)


@lru_cache(1 << 14)  # completion asks for those of all unused definitions, at each key
def _spoken(expression: str, kind: ExpressionKind, parameters: ExpressionParameters) -> tuple[str | Sample, ...] | None:
    body = expression[len(parameters.prefix) : len(expression) - len(parameters.suffix)]
    pieces: list[str | Sample] = []
    at = 0
    for parameter in parameters.found:
        start = body.find(parameter.source, at)
        literal = _plain(body[at:start], kind) if start >= 0 else None
        if literal is None:
            return None
        at = start + len(parameter.source)
        quote = _quote_of(parameter, kind)
        pieces += [literal + quote, _sample(parameter), quote]
    last = _plain(body[at:], kind)
    return None if last is None else tuple(_joined([*pieces, last]))


def _joined(pieces: list[str | Sample]) -> list[str | Sample]:
    joined: list[str | Sample] = []
    for piece in pieces:
        if isinstance(piece, str) and joined and isinstance(joined[-1], str):
            joined[-1] += piece
        elif piece != "":
            joined.append(piece)
    return joined


def _plain(literal: str, kind: ExpressionKind) -> str | None:
    """The text between parameters as a step says it: the first alternative, without optional parts."""
    match kind:
        case ExpressionKind.PARSE | ExpressionKind.CFPARSE:
            return literal.replace("{{", "{").replace("}}", "}")
        case ExpressionKind.CUCUMBER | ExpressionKind.TURNIP:
            return _ESCAPED.sub(r"\1", _ALTERNATIVES.sub(r"\1", _OPTIONAL.sub("", literal)))
        case _:
            literal = _SPACES.sub(" ", literal)
            return None if _REGEX_SYNTAX.search(literal) else _ESCAPED.sub(r"\1", literal)


def _quote_of(parameter: ExpressionParameter, kind: ExpressionKind) -> str:
    """The quote that steps write around an argument although the expression does not contain it."""
    is_string = kind is ExpressionKind.CUCUMBER and parameter.name == "string"
    return '"' if is_string or (kind is ExpressionKind.TURNIP and not parameter.quote) else ""


def _sample(parameter: ExpressionParameter) -> Sample:
    choice = _CHOICE.fullmatch(parameter.source)
    if choice is not None:
        return Sample(choice.group(1), True)
    if parameter.name:
        return Sample(parameter.name, False)
    return Sample("1" if "\\d" in parameter.source or "[0-9" in parameter.source else "value", False)
