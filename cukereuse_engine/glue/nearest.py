"""The step definition whose wording is most similar to an unbound text, which its author may have meant.

Compares wordings with masked arguments by Indel similarity. A suggestion for people, never a binding.
"""

import re
from collections.abc import Sequence

from rapidfuzz import fuzz, process

from cukereuse_engine.glue import regexes
from cukereuse_engine.glue.definition import ExpressionKind, StepDefinition
from cukereuse_engine.glue.languages.base import dialect_of
from cukereuse_engine.glue.regexes import TokenKind
from cukereuse_engine.text.template import SLOT, mask

CUTOFF = 60.0
"""Indel similarity in percent below which wordings have nothing to do with each other."""
_OPTIONAL = re.compile(r"(?<!\\)\([^()]*\)")
_ALTERNATIVES = re.compile(r"(?<![\\\s])/[^\s/]+")
_PARAMETERS = {
    ExpressionKind.CUCUMBER: re.compile(r"(?<!\\)\{[^{}]*\}"),
    ExpressionKind.PARSE: re.compile(r"(?<!\{)\{[^{}]*\}"),
    ExpressionKind.CFPARSE: re.compile(r"(?<!\{)\{[^{}]*\}"),
    ExpressionKind.TURNIP: re.compile(r"(?<!\S):\w+"),
}
_QUOTED = re.compile(rf"([\"'])\s*{SLOT}\s*\1")


class Nearest:
    """Looks up definitions by wording."""

    def __init__(self, definitions: Sequence[StepDefinition]) -> None:
        self._definitions = definitions
        self._wordings = [wording(definition).lower() for definition in definitions]

    def of(self, text: str) -> StepDefinition | None:
        """The nearest definition, or the first of several; None if none is near enough."""
        best = process.extractOne(mask(text).lower(), self._wordings, scorer=fuzz.ratio, score_cutoff=CUTOFF)
        return self._definitions[best[2]] if best is not None else None


def wording(definition: StepDefinition) -> str:
    """A definition's expression as a step would read, with `SLOT` for each argument: without optional parts, and with
    the first of several alternatives."""
    expression = definition.expression
    if definition.sentence:
        return " ".join(re.sub(r"\{\w+\}", SLOT, definition.sentence).split())
    if definition.kind is ExpressionKind.REGEX:
        text = _of_regex(expression, definition.language, definition.flags)
    elif definition.kind is ExpressionKind.LITERAL:
        text = expression
    else:
        text = _PARAMETERS[definition.kind].sub(SLOT, expression)
        if definition.kind in (ExpressionKind.CUCUMBER, ExpressionKind.TURNIP):
            text = re.sub(r"\\(.)", r"\1", _ALTERNATIVES.sub("", _OPTIONAL.sub("", text)))
    return " ".join(_QUOTED.sub(SLOT, text).split())


def _of_regex(pattern: str, language: str, flags: str) -> str:
    """A group becomes its first alternative, or an argument if it captures; optional parts are left out."""
    levels: list[list[str]] = [[]]
    kinds = [TokenKind.PLAIN_OPEN]
    closed = [False]
    """True if a bar ended the level's first alternative."""
    for token in regexes.translate(pattern, dialect_of(language), flags).tokens:
        if token.kind in (TokenKind.OPEN, TokenKind.PLAIN_OPEN, TokenKind.LOOK_OPEN):
            levels.append([])
            kinds.append(token.kind)
            closed.append(False)
        elif token.kind is TokenKind.CLOSE and len(levels) > 1:
            text, kind = "".join(levels.pop()), kinds.pop()
            closed.pop()
            _append(levels, closed, {TokenKind.OPEN: SLOT, TokenKind.PLAIN_OPEN: text}.get(kind, ""))
        elif token.kind is TokenKind.BAR:
            closed[-1] = True
        elif token.kind is TokenKind.QUANTIFIER and levels[-1] and token.text[0] in "?*" and not closed[-1]:
            if levels[-1][-1] != SLOT:
                levels[-1].pop()
        elif token.kind in (TokenKind.LITERAL, TokenKind.SET):
            _append(levels, closed, token.literal if token.kind is TokenKind.LITERAL else SLOT)
    return "".join(levels[0])


def _append(levels: list[list[str]], closed: list[bool], text: str) -> None:
    if not closed[-1]:
        levels[-1].append(text)
