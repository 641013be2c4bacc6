"""Expressions that consist of literals and names: `f"I run {command}"`, `` `${WHO} adds {string}` ``,
`PREFIX + " {string}"`, `/^#{WHO} adds (.*)$/`.

The expression's value shows the values of the names. In the new expression, each name replaces its value; a name whose
value no longer occurs is dropped.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from cukereuse_engine.glue.definition import StepDefinition
from cukereuse_engine.refactor.expressions.literals import requote
from cukereuse_engine.refactor.writing import NAME, Interpolation, writing_of

PIECE = r"""(?:[rRuUfFbB]{0,2}|@)(?:"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`)"""
"""One string literal of any glue language."""
_JOINED = re.compile(rf"(?:{PIECE}|{NAME})(?:\s*[+.]\s*(?:{PIECE}|{NAME}))+")
_PART = re.compile(rf"({PIECE})|({NAME})|(\s*\+\s*|\s+\.\s+|\s*\.(?=\s*['\"])|(?<=['\"])\.\s*)")
_DELIMITERS = re.compile(r"(?:[a-zA-Z@$]{0,2}(\"\"\"|'''|\"|'|`)|(/)|%r?\W)")
_MARK = 0xE000
"""The first of the private characters that stand for names while a literal is written."""


@dataclass(frozen=True, slots=True)
class Pieces:
    style: str
    """The literal whose quotes are used again."""
    names: tuple[tuple[str, str], ...]
    """The source of each name, interpolation included, and its value."""
    join: str
    """The operator between a literal and a name; empty for an interpolated literal."""
    prefix: str = ""
    """The prefix of an interpolated literal, if `style` lacks it."""

    def write(self, definition: StepDefinition, expression: str) -> str:
        """The source of an expression. Raises `UnwritableError`."""
        marked = expression
        name_of: dict[str, str] = {}
        for number, (name, put_in) in enumerate(self.names):
            value = put_in
            at = _find(marked, value)
            if at < 0 and value.startswith("(?:"):  # the rewrite replaced the group around the value by its words
                value = value[3:-1]
                at = _find(marked, value)
            if at >= 0:
                mark = chr(_MARK + number)
                name_of[mark] = name
                marked = marked[:at] + mark + marked[at + len(value) :]
        literal = replace(definition, source_literal=self.style, rewritable=True)
        if self.join:
            parts = [piece for piece in re.split(f"([{''.join(name_of)}])" if name_of else "(?!)", marked) if piece]
            return self.join.join(name_of[piece] if piece in name_of else requote(literal, piece) for piece in parts)
        interpolation = writing_of(definition.language).interpolation
        for sign in interpolation.doubled if interpolation is not None else "":
            marked = marked.replace(sign, sign * 2)
        written = self.prefix + requote(literal, marked)
        for mark, name in name_of.items():
            written = written.replace(mark, name)
        return written


def pieces_of(definition: StepDefinition) -> Pieces | None:
    """The pieces of a definition's expression; None for an expression without names, or one that is unclear."""
    written = definition.source_literal
    interpolation = writing_of(definition.language).interpolation
    if interpolation is not None and interpolation.names.search(written) and _DELIMITERS.match(written):
        return _interpolated(definition, written, interpolation)
    if _JOINED.fullmatch(written):
        return _concatenated(definition, written)
    return None


def _interpolated(definition: StepDefinition, written: str, interpolation: Interpolation) -> Pieces | None:
    opening = _DELIMITERS.match(written)
    assert opening is not None
    closing = opening.group(1) or written[opening.end() - 1]
    body = written[opening.end() : written.rfind({"{": "}", "(": ")", "[": "]"}.get(closing, closing))]
    mark, prefix = interpolation.mark, written[: opening.start(1)].lower()
    if mark not in prefix:
        return None
    for number, sign in enumerate(interpolation.doubled):
        body = body.replace(sign * 2, chr(number))
    texts = interpolation.names.split(body)[::2]
    for number, sign in enumerate(interpolation.doubled):
        texts = [text.replace(chr(number), sign) for text in texts]
    names = [match.group() for match in interpolation.names.finditer(body)]
    values = _values(definition.expression, texts)
    if values is None:
        return None
    style = written if interpolation.keeps_mark else written.replace(mark, "", 1)
    return Pieces(style, tuple(zip(names, values, strict=True)), "", "" if style == written else mark)


def _concatenated(definition: StepDefinition, written: str) -> Pieces | None:
    texts, names, joins, style = [""], [], [], ""
    for match in _PART.finditer(written):
        literal, name, join = match.groups()
        if literal is not None:
            style = style or literal
            opening = re.match(r"[a-zA-Z@]*", literal)
            texts[-1] += literal[(opening.end() if opening else 0) + 1 : -1]
        elif name is not None:
            names.append(name)
            texts.append("")
        else:
            joins.append(join)
    values = _values(definition.expression, texts)
    if values is None or not style:
        return None
    return Pieces(style, tuple(zip(names, values, strict=True)), joins[0] if joins else " + ")


def _values(expression: str, texts: Sequence[str]) -> list[str] | None:
    """The values between the texts in an expression; None if they are ambiguous, or if a text is missing."""
    for read in _readings(texts):
        matches = [
            re.fullmatch(wanted.join(map(re.escape, read)), expression, re.DOTALL) for wanted in ("(.*?)", "(.*)")
        ]
        if matches[0] is not None and matches[1] is not None and matches[0].groups() == matches[1].groups():
            return list(matches[0].groups())
    return None


def _readings(texts: Sequence[str]) -> Iterator[list[str]]:
    """The texts as they are, then without the escapes of strings."""
    yield list(texts)
    yield [re.sub(r"\\(.)", r"\1", text) for text in texts]


def _find(text: str, value: str) -> int:
    """Offset of a value that is not inside a word; -1 if there is none."""
    for match in re.finditer(re.escape(value), text) if value else ():
        before, after = text[: match.start()][-1:], text[match.end() :][:1]
        inside = (before.isalnum() and value[0].isalnum()) or (after.isalnum() and value[-1].isalnum())
        if not inside:
            return match.start()
    return -1
