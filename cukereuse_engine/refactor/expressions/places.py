"""Where the literal stands that says a definition's expression: at the definition, in pieces there, or at a constant.

Pieces that are literals alone (`'I go' ' home'`, `"I go" + " home"`) become one literal; so does what stands in
`new RegExp("…")`. A constant is rewritten where it gets its value, if nothing in its file but the rewritten definitions
names it; who else may is told by `refactor.constants`.
"""

import re
from collections.abc import Collection
from dataclasses import dataclass, replace

from cukereuse_engine.glue.definition import StepDefinition
from cukereuse_engine.refactor.expressions.literals import requote
from cukereuse_engine.refactor.expressions.parameters import UnwritableError
from cukereuse_engine.refactor.expressions.pieces import Pieces, pieces_of

_PIECE = r"""(?:[rRuU]{0,2}|@)(?:"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`$]|\$(?!\{))*`)"""
_PIECES = re.compile(rf"{_PIECE}(?:\s*\+?\s*{_PIECE})+")
_FIRST = re.compile(_PIECE)
_SLASHED = r"/(?![*/])(?:[^/\\\n\[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+/[a-z]*"
_CONSTRUCTED = re.compile(rf"(?:new\s+)?RegExp\(\s*({_PIECE}(?:\s*\+\s*{_PIECE})*)\s*(?:,\s*{_PIECE}\s*)?\)")
"""JavaScript's `new RegExp("…", "i")`."""
_SCRIPTS = ("javascript", "typescript")
_COMMENT = re.compile(r"(?:#|//)[^\n]*|/\*.*?\*/", re.DOTALL)
_NAME = re.compile(r"[A-Za-z_]\w*")


@dataclass(frozen=True, slots=True)
class LiteralPlace:
    start: int
    """Code point offset in the source, byte order mark included."""
    end: int
    definition: StepDefinition
    """The definition as if its expression were one plain literal."""
    pieces: Pieces | None = None
    """Where names stand among literals."""
    constant: str = ""
    """Its name, where the literal is the value of one."""

    def write(self, expression: str) -> str:
        """What is to stand there. Raises `UnwritableError`."""
        if self.pieces is not None:
            return self.pieces.write(self.definition, expression)
        return requote(self.definition, expression)


def literal_place(definition: StepDefinition, source: str, others: Collection[StepDefinition]) -> LiteralPlace:
    """Where the expression of a definition is said. `source`: its file, with its byte order mark; `others`: all
    definitions that are rewritten likewise. Raises `UnwritableError`."""
    data, span = source.encode("utf-8"), definition.literal
    start, end = (len(data[:at].decode("utf-8")) for at in (span.start_byte, span.end_byte))
    if definition.rewritable:
        return LiteralPlace(start, end, definition)
    written = definition.source_literal
    made = _CONSTRUCTED.fullmatch(written) if definition.language in _SCRIPTS else None
    inside, at = (made[1], made.start(1)) if made is not None else (written, 0)
    first = _FIRST.match(inside)
    if first is not None and (made is not None or _PIECES.fullmatch(inside)):
        literal = replace(definition, source_literal=first.group(), rewritable=True)
        return LiteralPlace(start + at, start + at + len(inside), literal)
    if _NAME.fullmatch(written):
        return _constant(definition, source, others)
    pieces = pieces_of(definition)
    if pieces is not None:
        return LiteralPlace(start, end, definition, pieces)
    raise UnwritableError("its expression is not a plain string literal; write it as one string first")


def _constant(definition: StepDefinition, source: str, others: Collection[StepDefinition]) -> LiteralPlace:
    name = definition.source_literal
    value = rf"{_PIECE}|{_SLASHED}" if definition.language in (*_SCRIPTS, "ruby") else _PIECE
    given = re.compile(rf"(?<![\w.]){name}\s*(?::\s*[\w<>\[\]]+\s*)?:?=\s*({value})(?=\s*(?:[;,)\]}}#/]|\n|\Z))")
    places = list(given.finditer(source))
    code = _COMMENT.sub("", _FIRST.sub('""', source))
    uses = sum(1 for _ in re.finditer(rf"(?<!\w){name}(?!\w)", code))
    own = sum(other.path == definition.path and other.source_literal == name for other in others)
    if len(places) != 1:
        raise UnwritableError(
            f"its expression is {name}, which is not a plain string literal in this file; write it as one"
        )
    if uses > own + 1:
        raise UnwritableError(f"its expression is {name}, which other code uses too; write it as one string")
    literal = replace(definition, source_literal=places[0].group(1), rewritable=True)
    is_private = re.search(r"\bprivate\b", source[source.rfind("\n", 0, places[0].start()) + 1 : places[0].start()])
    return LiteralPlace(*places[0].span(1), literal, constant="" if is_private else name)
