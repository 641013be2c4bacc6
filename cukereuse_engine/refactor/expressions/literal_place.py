"""Finds the literal of a definition's expression: at the definition, in pieces there, or at a constant.

Adjacent literals (`'I go' ' home'`, `"I go" + " home"`) become one literal, in `new RegExp("…")` too.
`refactor.constants` finds the constant that a name stands for, and if it may change.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from cukereuse_engine.glue.definition import StepDefinition
from cukereuse_engine.refactor.expressions.literals import requote
from cukereuse_engine.refactor.expressions.parameters import UnwritableError
from cukereuse_engine.refactor.expressions.pieces import Pieces, pieces_of
from cukereuse_engine.refactor.writing import writing_of

if TYPE_CHECKING:
    from cukereuse_engine.refactor.constants import ExpressionConstant

_PIECE = r"""(?:[rRuU]{0,2}|@)(?:"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`$]|\$(?!\{))*`)"""
_PIECES = re.compile(rf"{_PIECE}(?:\s*(?:\\\r?\n\s*)?\+?\s*{_PIECE})+")
_FIRST = re.compile(_PIECE)
_SLASHED = r"/(?![*/])(?:[^/\\\n\[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+/[a-z]*"
_CONSTRUCTED = re.compile(rf"(?:new\s+)?RegExp\(\s*({_PIECE}(?:\s*\+\s*{_PIECE})*)\s*(?:,\s*{_PIECE}\s*)?\)")
"""JavaScript's `new RegExp("…", "i")`."""
CONSTANT = re.compile(r"(?:[A-Za-z_$\\][\w$.:\\]*?(?:\.|::))?(?P<name>[A-Za-z_$][\w$]*)")
"""An expression that is a constant: `LOGIN`, `Urls.LOGIN`, `Urls::LOGIN`."""


@dataclass(frozen=True, slots=True)
class LiteralPlace:
    path: str
    start: int
    """Code point offset in the source, byte order mark included."""
    end: int
    definition: StepDefinition
    """The definition as if its expression were one plain literal."""
    pieces: Pieces | None = None
    """The literals and names of the expression, if it contains names."""

    def write(self, expression: str) -> str:
        """The new source at this place. Raises `UnwritableError`."""
        if self.pieces is not None:
            return self.pieces.write(self.definition, expression)
        return requote(self.definition, expression)


def literal_place(
    definition: StepDefinition, source: str, constant: "Callable[[], ExpressionConstant] | None" = None
) -> LiteralPlace:
    """Where the expression of a definition is written. `source`: its file, with its byte order mark; `constant` finds
    the constant that holds it, or raises. Raises `UnwritableError`."""
    data, span = source.encode("utf-8"), definition.literal
    start, end = (len(data[:at].decode("utf-8")) for at in (span.start_byte, span.end_byte))
    if definition.rewritable:
        return LiteralPlace(definition.path, start, end, definition)
    written = definition.source_literal
    place = _plain(written, definition)
    if place is not None:
        literal, first, last = place
        return LiteralPlace(definition.path, start + first, start + last, literal)
    if CONSTANT.fullmatch(written) and constant is not None:
        return _of_constant(definition, constant())
    pieces = pieces_of(definition)
    if pieces is not None:
        return LiteralPlace(definition.path, start, end, definition, pieces)
    raise UnwritableError("its expression is not a plain string literal; write it as one string first")


def _plain(written: str, definition: StepDefinition, *, single: bool = False) -> tuple[StepDefinition, int, int] | None:
    """The definition as if its expression were the first of its literals, and the start and end of all its literals in
    `written`; None if it has other parts. `single`: one literal is enough."""
    made = _CONSTRUCTED.fullmatch(written)
    inside, at = (made[1], made.start(1)) if made is not None else (written, 0)
    first = _FIRST.match(inside)
    alone = single and (
        (first is not None and first.end() == len(inside))
        or (writing_of(definition.language).slashed_regexes and re.fullmatch(_SLASHED, inside) is not None)
    )
    if not alone and (first is None or (made is None and not _PIECES.fullmatch(inside))):
        return None
    text = first.group() if first is not None else inside
    return replace(definition, source_literal=text, rewritable=True), at, at + len(inside)


def _of_constant(definition: StepDefinition, constant: "ExpressionConstant") -> LiteralPlace:
    plain = _plain(constant.said, definition, single=True)
    if plain is None:
        place = f"{constant.path}:{constant.line}"
        name = definition.source_literal
        raise UnwritableError(
            f"its expression is {name}, which is not a plain string literal at {place}; write it as one"
        )
    literal, first, last = plain
    start = len(constant.source[: constant.value[0]].decode("utf-8", "replace"))
    return LiteralPlace(constant.path, start + first, start + last, literal)
