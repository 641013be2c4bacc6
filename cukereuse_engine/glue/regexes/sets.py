"""Bracket expressions, with set operations that `regex` reads differently from their own engines.

An intersection, a difference and a nested set become look-aheads and alternatives, each of one character.
"""

import re
import unicodedata
from dataclasses import dataclass, field

from cukereuse_engine.glue.regexes.dialects import Dialect, control

CODE_POINT = re.compile(r"\\(?:[xu]\{([0-9a-fA-F]+)\}|x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4}))")
NAMED_CHARACTER = re.compile(r"\\N\{(?:U\+([0-9a-fA-F]+)|([A-Za-z][\w -]*))\}")
CONTROL_LETTER = re.compile(r"\\c([A-Za-z])")
PROPERTY = re.compile(r"\\([pP])(?:\{(\^?)([^}]+)\}|([A-Z]))")
_POSIX = re.compile(r"\[:(\^?)(\w+):\]")
_JAVA_PROPERTIES = {"javaLetter": "L", "javaLetterOrDigit": "Alnum", "javaUpperCase": "Lu", "javaLowerCase": "Ll"}
_ASCII_PROPERTIES = {
    "Lower": "a-z",
    "Upper": "A-Z",
    "Alpha": "a-zA-Z",
    "Digit": "0-9",
    "Alnum": "a-zA-Z0-9",
    "Punct": "!-/:-@\\[-`{-\\~",
    "Graph": "!-\\~",
    "Print": " -\\~",
    "Blank": " \\t",
    "Cntrl": "\\x00-\\x1f\\x7f",
    "XDigit": "0-9a-fA-F",
    "Xdigit": "0-9a-fA-F",
    "Space": " \\t\\n\\v\\f\\r",
}
_SPECIAL = frozenset("\\^$.|?*+()[]{}-&~")
_NEVER = "(?!)"


def character(code: re.Match[str]) -> str:
    """The character of a match of `CODE_POINT`."""
    value = min(int(code[1] or code[2] or code[3], 16), 0x10FFFF)
    return chr(value) if not 0xD800 <= value <= 0xDFFF else "\ufffd"


def named_character(name: re.Match[str], dialect: Dialect) -> str | None:
    """The character of a match of `NAMED_CHARACTER`; None if the dialect has no such character."""
    if name[1]:
        return chr(min(int(name[1], 16), 0x10FFFF)) if dialect.named_characters == "U+" else None
    try:
        return unicodedata.lookup(name[2]) if dialect.named_characters == "name" else None
    except KeyError:
        return None


def spelt_character(pattern: str, at: int, dialect: Dialect) -> tuple[str, int] | None:
    """The character that an escape at an offset spells by its number, its name or a letter for its key, and the offset
    after it."""
    if code := CODE_POINT.match(pattern, at):
        return character(code), code.end()
    if (named := NAMED_CHARACTER.match(pattern, at)) and (char := named_character(named, dialect)):
        return char, named.end()
    if dialect.control_letters and (letter := CONTROL_LETTER.match(pattern, at)):
        return chr(ord(letter[1]) & 31), letter.end()
    return None


def property_class(prop: re.Match[str], dialect: Dialect, inside: bool = False) -> str:
    """The class of a match of `PROPERTY`; `inside` a bracket expression, without brackets if it needs none."""
    letter, negated, name, short = prop.groups()
    if dialect.ascii_properties and name in _ASCII_PROPERTIES:
        complement = "^" if letter == "P" else ""
        return _ASCII_PROPERTIES[name] if inside and not complement else f"[{complement}{_ASCII_PROPERTIES[name]}]"
    if name and dialect.blocks and name.startswith(dialect.blocks):
        name = f"In{name.removeprefix(dialect.blocks)}"
    return f"\\{letter}{{{negated or ''}{_JAVA_PROPERTIES.get(name, name) if name else short}}}"


def class_escape(letter: str, dialect: Dialect, inside: bool = False) -> str:
    r"""The class of `\d` and similar escapes; `inside` a bracket expression, without brackets if it needs none."""
    if letter in "RXN":
        newline = r"(?:\r\n|[\n\r\v\f\x85\u2028\u2029])"
        return {"R": newline, "X": r"\X", "N": r"[^\n]"}[letter]
    escaped = dialect.classes.get(letter.lower())
    if escaped is None:
        return "\\" + letter
    if letter.islower():
        return escaped if inside else f"[{escaped}]"
    return f"[^{escaped}]"


def is_class(letter: str, dialect: Dialect) -> bool:
    """True if a letter after a backslash stands for a class."""
    return letter != "" and (letter in "dDwWsS" or letter.lower() in dialect.classes)


@dataclass(slots=True)
class _Union:
    """The part of a bracket expression between two operators."""

    plain: list[str] = field(default_factory=list)
    others: list[str] = field(default_factory=list)
    """Patterns of one character that have no spelling inside of brackets."""

    def text(self) -> str:
        parts = [f"[{''.join(self.plain)}]"] if self.plain else []
        parts += self.others
        if not parts:
            return _NEVER
        return parts[0] if len(parts) == 1 else f"(?:{'|'.join(parts)})"


class _Set:
    """A bracket expression while it is read."""

    def __init__(self, *, negated: bool) -> None:
        self.negated = negated
        self.union = _Union()
        self._total, self._operator = "", ""

    def combine(self, operator: str, union: _Union) -> None:
        """Apply the operator before the current union; `union` collects what follows `operator`."""
        self._total = _combined(self._total, self._operator, self.union.text())
        self._operator, self.union = operator, union

    @property
    def pattern(self) -> str:
        if not self._total and not self.union.others and self.union.plain:
            return f"[{'^' if self.negated else ''}{''.join(self.union.plain)}]"
        text = _combined(self._total, self._operator, self.union.text())
        return f"(?:(?!{text})[\\s\\S])" if self.negated else text


class SetReader:
    def __init__(self, pattern: str, dialect: Dialect) -> None:
        self.pattern = pattern
        self.dialect = dialect

    def read(self, start: int) -> tuple[str, int] | None:
        """The bracket expression at `start` as a pattern, and the offset after it; None if it does not end."""
        at = start + 1
        negated = self.pattern.startswith("^", at)
        at += negated
        if self.pattern.startswith("]", at) and not self.dialect.anchors:  # ECMAScript: [] is nothing, [^] is anything
            return (r"[\s\S]" if negated else _NEVER), at + 1
        reading = _Set(negated=negated)
        if self.pattern.startswith("]", at):
            reading.union.plain.append("\\]")
            at += 1
        while at < len(self.pattern):
            if self.pattern[at] == "]":
                return reading.pattern, at + 1
            operator = next((each for each in self.dialect.operators if self.pattern.startswith(each, at)), "")
            after = self._combine(reading, operator, at) if operator else self._item(reading.union, at)
            if after is None:
                return None
            at = after
        return None

    def _combine(self, reading: _Set, operator: str, at: int) -> int | None:
        """The offset after an operator; None if its operand has no end."""
        if operator != "-[":
            reading.combine(operator, _Union())
            return at + len(operator)
        nested = self.read(at + 1)
        if nested is None:
            return None
        reading.combine("--", _Union(others=[nested[0]]))
        return nested[1]

    def _item(self, union: _Union, at: int) -> int | None:
        char = self.pattern[at]
        if self.dialect.posix and (posix := _POSIX.match(self.pattern, at)):
            letters = _ASCII_PROPERTIES.get(posix[2].capitalize()) if self.dialect.ascii_words else None
            if letters and posix[1]:
                union.others.append(f"[^{letters}]")
            else:
                union.plain.append(letters or posix.group())
            return posix.end()
        if char == "[" and self.dialect.nested:
            nested = self.read(at)
            if nested is None:
                return None
            union.others.append(nested[0])
            return nested[1]
        if char == "\\":
            return self._escape(union, at)
        union.plain.append("\\" + char if char in "[&~|" else char)
        return at + 1

    def _escape(self, union: _Union, at: int) -> int:
        following = self.pattern[at + 1 : at + 2]
        if spelt := spelt_character(self.pattern, at, self.dialect):
            union.plain.append(re.escape(spelt[0]))
            return spelt[1]
        if self.dialect.properties and (prop := PROPERTY.match(self.pattern, at)):
            text = property_class(prop, self.dialect, inside=True)
            (union.others if text.startswith("[") else union.plain).append(text)
            return prop.end()
        if is_class(following, self.dialect):
            text = class_escape(following, self.dialect, inside=True)
            (union.others if text.startswith("[") else union.plain).append(text)
        elif following and following in self.dialect.control + "b":
            union.plain.append(re.escape(control(following) if following != "b" else "\b"))
        elif following.isalnum() and self.dialect.strict:
            union.plain.append("\\" + following)
        else:
            union.plain.append("\\" + following if following in _SPECIAL else re.escape(following))
        return at + 2


def _combined(left: str, operator: str, right: str) -> str:
    if not operator:
        return right
    if operator == "&&":
        return f"(?:(?={right}){left})"
    if operator == "--":
        return f"(?:(?!{right}){left})"
    return f"(?:(?!{right}){left}|(?!{left}){right})"
