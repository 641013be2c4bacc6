"""Literals in sources that contain steps, and what is joined to them: `"I have " + n + " left"` runs one step.

Reads only delimiters and operators; callers decide whether a place is code.
"""

import re
from dataclasses import dataclass
from functools import cache

BRACKETS = {"{": "}", "(": ")", "[": "]", "<": ">"}
UNKNOWN = "#{}"
"""Text of an operand that is no literal: it may be anything."""
JOINED_BY_PLUS = re.compile(r"\s*\+\s*")
"""The operator between two operands, and the white space around it."""
JOINED_BY_DOT = re.compile(r"\s*\.\s*")
"""The same in PHP."""
JOINED_IN_RUBY = re.compile(r"[ \t]*(?:(?:\+|<<)\s*|(?:\\\r?\n\s*)?(?=[\"']))")
"""Operators on the literal's line, or nothing between two literals on one line."""
JOINED_IN_PYTHON = re.compile(r"(?:\s|#[^\n]*\n)*(?:\\\r?\n\s*)?(?:\+\s*|(?=[a-zA-Z]{0,2}[\"']))")
"""Within the brackets of a call: over lines and comments."""
_OPENING = re.compile(r"([a-zA-Z@$]{0,2})(\"\"\"|'''|[\"'`])|%[qQ]?([{(\[<|!])")
_ENDS = re.compile(r"[,;)\]}\n]|\s(?:do|if|unless)\b")
_LONGEST = 500
"""Maximum length of one operand."""


@dataclass(frozen=True, slots=True)
class CallLiteral:
    """A string in a source, between its delimiters."""

    start: int
    end: int
    stop: int
    """Offset after the closing delimiter."""
    closing: str
    raw: bool
    """True if a backslash means itself."""
    inserts: bool
    """True if values in braces are inserted."""


def literal_at(source: str, at: int, opening: str, *, raw: bool = False, inserts: bool = False) -> CallLiteral | None:
    """The literal whose opening delimiter ends at `at`; None if the literal does not end."""
    closing = BRACKETS.get(opening, opening)
    depth = 1
    for sign in _signs(opening, closing, raw).finditer(source, at):
        if sign[0] == closing:
            depth -= 1
            if not depth:
                return CallLiteral(at, sign.start(), sign.end(), closing, raw, inserts)
        elif sign[0] == opening:
            depth += 1
    return None


@cache
def _signs(opening: str, closing: str, raw: bool) -> re.Pattern[str]:
    """Matches what matters inside a literal: escapes, doubled quotes, and its delimiters."""
    signs = [*([] if raw else [r"\\."]), *(['""'] if raw and closing == '"' else []), re.escape(closing)]
    return re.compile("|".join([*signs, *([re.escape(opening)] if opening != closing else [])]), re.DOTALL)


def joined_to(source: str, literal: CallLiteral, joins: re.Pattern[str]) -> str:
    """What follows a literal in the same string: the literals that are joined to it, `UNKNOWN` for anything else."""
    return tail_of(source, literal, joins)[0]


def tail_of(source: str, literal: CallLiteral, joins: re.Pattern[str]) -> tuple[str, int]:
    """The text that is joined to a literal, as in `joined_to`, and the offset of its end."""
    tail, at = "", literal.stop
    while (operator := joins.match(source, at)) is not None:
        operand, after = _operand(source, operator.end(), joins)
        if after == operator.end():
            break
        tail, at = tail + operand, after
    return tail, at


def _operand(source: str, at: int, joins: re.Pattern[str]) -> tuple[str, int]:
    """The text of an operand, and the offset of its end."""
    opening = _OPENING.match(source, at)
    if opening is not None:
        prefix = (opening[1] or "").lower()
        literal = literal_at(source, opening.end(), opening[2] or opening[3], raw="r" in prefix or "@" in prefix)
        return (source[literal.start : literal.end], literal.stop) if literal is not None else ("", at)
    depth, place = 0, at
    while place < min(len(source), at + _LONGEST):
        if not depth and (_ENDS.match(source, place) or joins.fullmatch(source, place, place + 1)):
            break
        depth += (source[place] in "([{") - (source[place] in ")]}")
        place += 1
    return (UNKNOWN, place) if source[at:place].strip() else ("", at)
