"""Where the literal stands that says a definition's expression: at the definition, in pieces there, or at a constant.

Pieces that are literals alone (`'I go' ' home'`, `"I go" + " home"`) become one literal. A constant is rewritten where
it gets its value, if nothing in its file but the rewritten definitions names it.
"""

import re
from collections.abc import Collection
from dataclasses import dataclass, replace

from cukereuse_engine.glue.model import StepDefinition
from cukereuse_engine.refactor.expressions.parameters import UnwritableError

_PIECE = r"""(?:[rRuU]{0,2}|@)(?:"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`$]|\$(?!\{))*`)"""
_PIECES = re.compile(rf"{_PIECE}(?:\s*\+?\s*{_PIECE})+")
_FIRST = re.compile(_PIECE)
_COMMENT = re.compile(r"(?:#|//)[^\n]*|/\*.*?\*/", re.DOTALL)
_NAME = re.compile(r"[A-Za-z_]\w*")


@dataclass(frozen=True, slots=True)
class LiteralPlace:
    start: int
    """Code point offset in the source, byte order mark included."""
    end: int
    definition: StepDefinition
    """The definition as if its expression were one plain literal."""


def literal_place(definition: StepDefinition, source: str, others: Collection[StepDefinition]) -> LiteralPlace:
    """Where the expression of a definition is said. `source`: its file, with its byte order mark; `others`: all
    definitions that are rewritten likewise. Raises `UnwritableError`."""
    data, literal = source.encode("utf-8"), definition.literal
    start, end = (len(data[:at].decode("utf-8")) for at in (literal.start_byte, literal.end_byte))
    if definition.rewritable:
        return LiteralPlace(start, end, definition)
    written = definition.source_literal
    first = _FIRST.match(written)
    if first is not None and _PIECES.fullmatch(written):
        return LiteralPlace(start, end, replace(definition, source_literal=first.group(), rewritable=True))
    if _NAME.fullmatch(written):
        return _constant(definition, source, others)
    raise UnwritableError("its expression is not one plain literal; write it as one string first")


def _constant(definition: StepDefinition, source: str, others: Collection[StepDefinition]) -> LiteralPlace:
    name = definition.source_literal
    given = re.compile(rf"(?<![\w.]){name}\s*(?::\s*[\w<>\[\]]+\s*)?:?=\s*({_PIECE})(?=\s*(?:[;,)\]}}#/]|\n|\Z))")
    places = list(given.finditer(source))
    code = _COMMENT.sub("", _FIRST.sub('""', source))
    uses = sum(1 for _ in re.finditer(rf"(?<!\w){name}(?!\w)", code))
    own = sum(one.path == definition.path and one.source_literal == name for one in others)
    if len(places) != 1:
        raise UnwritableError(f"its expression is {name}, whose value is no plain literal in its file; write it as one")
    if uses > own + 1:
        raise UnwritableError(f"its expression is {name}, which serves something else too; write it as one string")
    literal = replace(definition, source_literal=places[0].group(1), rewritable=True)
    return LiteralPlace(*places[0].span(1), literal)
