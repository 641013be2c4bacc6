"""Regular expressions of every glue language in the syntax of one engine (PyPI `regex`, version 0 behaviour).

A pattern is cut into tokens once; translation, capture groups and the literals that a match must contain all read
those. Nothing here compiles or matches; a broken pattern passes through and fails where it is compiled.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, auto

_SPECIAL = frozenset("\\^$.|?*+()[]{}")
_QUANTIFIER = re.compile(r"(?:[*+?]|\{\d+(?:,\d*)?\}|\{,\d+\})[?+]?")
_NAMED = re.compile(r"\(\?(?:P?<([^=!>][^>]*)>|'([^']+)')")
_PLAIN_OPEN = re.compile(r"\(\?(?:[:>|=!]|<[=!])")
_INLINE_FLAGS = re.compile(r"\(\?([a-zA-Z^]*)(?:-([a-zA-Z]+))?([:)])")
_REFERENCE = re.compile(r"\\k(?:<([^>]+)>|'([^']+)'|\{([^}]+)\})|\(\?P=(\w+)\)")
_CODE_POINT = re.compile(r"\\(?:[xu]\{([0-9a-fA-F]+)\}|x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4}))")
_PROPERTY = re.compile(r"\\([pP])(?:\{(\^?)([^}]+)\}|([A-Z]))")
_IDENTIFIER = re.compile(r"[A-Za-z_]\w*")
_POSIX = re.compile(r"\[:\^?\w+:\]")
_CONTROL = {"n": "\n", "t": "\t", "r": "\r", "f": "\f", "v": "\v", "a": "\a", "e": "\x1b", "0": "\0"}
_UNICODE_CLASSES = frozenset({"python", "csharp", "rust"})
"""Languages whose \\d and \\w know all of Unicode by default; elsewhere they are ASCII's."""
_ASCII = {"d": "0-9", "w": "0-9A-Za-z_"}
_JAVA_PROPERTIES = {"javaLetter": "L", "javaLetterOrDigit": "Alnum", "javaUpperCase": "Lu", "javaLowerCase": "Ll"}


class Kind(Enum):
    LITERAL = auto()
    """One character that stands for itself."""
    SET = auto()
    """One character of several: a class, `.`, `\\d`."""
    OPEN = auto()
    """Start of a capturing group."""
    PLAIN_OPEN = auto()
    """Start of a group that does not capture and that the text runs through."""
    LOOK_OPEN = auto()
    """Start of a look-around, or of a group whose meaning is not followed (branch reset)."""
    CLOSE = auto()
    BAR = auto()
    QUANTIFIER = auto()
    START = auto()
    END = auto()
    OTHER = auto()
    """Anything else: a reference, a word boundary, inline flags."""


@dataclass(frozen=True, slots=True)
class Token:
    kind: Kind
    text: str
    """In the syntax of `regex`."""
    literal: str = ""
    """The character of a LITERAL; the name of an OPEN; the flags of inline flags."""


def _literal(char: str) -> Token:
    return Token(Kind.LITERAL, "\\" + char if char in _SPECIAL or char in " #" else char, char)


class _Lexer:
    def __init__(self, pattern: str, language: str, flags: str) -> None:
        self.pattern = pattern
        self.language = language
        self.ascii = language not in _UNICODE_CLASSES and not (language == "php" and "u" in flags)
        self.verbose = "x" in flags
        self.at = 0
        self.found: list[Token] = []

    def run(self) -> list[Token]:
        while self.at < len(self.pattern):
            char = self.pattern[self.at]
            if char == "\\":
                self._escape()
            elif char == "[":
                self.found.append(Token(Kind.SET, self._set()))
            elif char == "(":
                self._open()
            elif quantifier := _QUANTIFIER.match(self.pattern, self.at):
                self._push(Kind.QUANTIFIER, quantifier.group())
            elif self.verbose and (char.isspace() or char == "#"):
                end = self.at + 1 if char != "#" else (self.pattern.find("\n", self.at) + 1 or len(self.pattern))
                self.at = end
            else:
                simple = {")": Kind.CLOSE, "|": Kind.BAR, "^": Kind.START, "$": Kind.END, ".": Kind.SET}.get(char)
                if simple is None:
                    self.found.append(_literal(char))
                    self.at += 1
                else:
                    self._push(simple, char)
        return self.found

    def _push(self, kind: Kind, source: str, text: str | None = None, literal: str = "") -> None:
        self.found.append(Token(kind, source if text is None else text, literal))
        self.at += len(source)

    def _escape(self) -> None:
        following = self.pattern[self.at + 1 : self.at + 2]
        if following == "Q" and self.language != "python":
            end = self.pattern.find("\\E", self.at)
            end = len(self.pattern) if end < 0 else end
            self.found.extend(_literal(char) for char in self.pattern[self.at + 2 : end])
            self.at = end + 2
        elif code := _CODE_POINT.match(self.pattern, self.at):
            value = int(code.group(1) or code.group(2) or code.group(3), 16)
            self.found.append(_literal(chr(min(value, 0x10FFFF))))
            self.at = code.end()
        elif reference := _REFERENCE.match(self.pattern, self.at):
            name = next(group for group in reference.groups() if group)
            self._push(Kind.OTHER, reference.group(), f"\\{name}" if name.isdigit() else f"(?P={name})")
        elif prop := _PROPERTY.match(self.pattern, self.at):
            self._push(Kind.SET, prop.group(), self._property(prop))
        elif following in ("A", "z", "Z", "G"):
            text = {"A": r"\A", "z": r"\Z", "G": ""}.get(
                following, r"\Z" if self.language == "python" else r"(?=\n?\Z)"
            )
            self._push(Kind.START if following in "AG" else Kind.END, "\\" + following, text)
        elif following in ("d", "w", "D", "W", "s", "S", "h", "H", "R", "X", "N"):
            self._push(Kind.SET, "\\" + following, self._class_escape(following))
        elif following in _CONTROL:
            self.found.append(_literal(_CONTROL[following]))
            self.at += 2
        elif following.isdigit() or following in ("b", "B", "K", "") or (following.isalpha() and self._strict):
            self._push(Kind.OTHER, "\\" + following)
        else:
            self.found.append(_literal(following))
            self.at += 2

    @property
    def _strict(self) -> bool:
        """An escaped letter without a meaning is an error."""
        return self.language in ("python", "java", "kotlin", "go", "rust")

    def _property(self, prop: re.Match[str]) -> str:
        letter, negated, name, short = prop.groups()
        name = _JAVA_PROPERTIES.get(name, name) if name else short
        return f"\\{letter}{{{negated or ''}{name}}}"

    def _class_escape(self, letter: str, inside: bool = False) -> str:
        if letter in "hH" and self.language == "ruby":
            known = "0-9a-fA-F"
        elif letter == "N" and self.language != "python":
            return r"[^\n]"
        elif self.ascii and letter.lower() in _ASCII:
            known = _ASCII[letter.lower()]
        elif letter == "R":
            return r"(?:\r\n|[\n\r\v\f\x85\u2028\u2029])"
        else:
            return "\\" + letter
        if letter.islower():
            return known if inside else f"[{known}]"
        return "\\" + letter if inside else f"[^{known}]"  # a negated class inside a class has no ASCII spelling

    def _set(self) -> str:
        """A bracket expression from `self.at` on."""
        pattern, start = self.pattern, self.at
        at = start + 1
        parts = ["["]
        if pattern[at : at + 1] == "^":
            parts.append("^")
            at += 1
        if pattern[at : at + 1] == "]":
            if self.language in ("javascript", "typescript"):  # [] matches nothing there, [^] anything
                self.at = at + 1
                return r"[\s\S]" if len(parts) > 1 else r"(?!)"
            parts.append("\\]")
            at += 1
        while at < len(pattern):
            char = pattern[at]
            if char == "]":
                self.at = at + 1
                return "".join((*parts, "]"))
            if posix := _POSIX.match(pattern, at):
                parts.append(posix.group())
                at = posix.end()
            elif char == "\\":
                at = self._set_escape(parts, at)
            else:
                parts.append("\\" + char if char in "[&~|" else char)
                at += 1
        self.at = len(pattern)
        return pattern[start:]

    def _set_escape(self, parts: list[str], at: int) -> int:
        """One escape inside a bracket expression; gives the offset after it."""
        following = self.pattern[at + 1 : at + 2]
        if code := _CODE_POINT.match(self.pattern, at):
            value = int(code.group(1) or code.group(2) or code.group(3), 16)
            parts.append(re.escape(chr(min(value, 0x10FFFF))))
            return code.end()
        if prop := _PROPERTY.match(self.pattern, at):
            parts.append(self._property(prop))
            return prop.end()
        if following in ("d", "w", "D", "W", "s", "S", "h", "H"):
            parts.append(self._class_escape(following, inside=True))
        elif following in _CONTROL or following == "b":
            parts.append(re.escape(_CONTROL.get(following, "\b")))
        elif following.isalnum() and self._strict:
            parts.append("\\" + following)
        else:
            parts.append("\\" + following if following in _SPECIAL or following in "-&~|" else re.escape(following))
        return at + 2

    def _open(self) -> None:
        pattern, at = self.pattern, self.at
        if not pattern.startswith("(?", at):
            self._push(Kind.OPEN, "(")
        elif pattern.startswith("(?#", at):
            end = pattern.find(")", at)
            self.at = len(pattern) if end < 0 else end + 1
        elif reference := _REFERENCE.match(pattern, at):
            self._push(Kind.OTHER, reference.group())
        elif named := _NAMED.match(pattern, at):
            name = named.group(1) or named.group(2)
            usable = _IDENTIFIER.fullmatch(name) is not None
            self._push(Kind.OPEN, named.group(), f"(?P<{name}>" if usable else "(", name if usable else "")
        elif plain := _PLAIN_OPEN.match(pattern, at):
            through = plain.group() in ("(?:", "(?>")
            self._push(Kind.PLAIN_OPEN if through else Kind.LOOK_OPEN, plain.group())
        elif inline := _INLINE_FLAGS.match(pattern, at):
            self._inline_flags(inline)
        else:
            self._push(Kind.LOOK_OPEN, "(?")  # unknown: left to the engine

    def _inline_flags(self, inline: re.Match[str]) -> None:
        on, off, end = inline.groups()
        names = {"m": "s", "s": ""} if self.language == "ruby" else {}
        kept = "".join(names.get(flag, flag) for flag in on if flag in "imsx")
        dropped = "".join(names.get(flag, flag) for flag in off or "" if flag in "imsx")
        self.found.append(Token(Kind.OTHER, "", kept))
        self.at = inline.end()
        if end == ":":
            text = f"(?{kept}{'-' + dropped if dropped else ''}:"
            self.found.append(Token(Kind.PLAIN_OPEN, text))
        elif kept:
            self.found.append(Token(Kind.OTHER, f"(?{kept})", kept))
        self.verbose = self.verbose or "x" in kept


def tokens(pattern: str, language: str, flags: str = "") -> list[Token]:
    """`pattern`, written in the regex flavour of glue language `language`, as tokens of the syntax of `regex`.

    White space and comments that the flag "x" takes away are taken away here, so that the result needs no such flag.
    """
    return _Lexer(pattern, language, flags).run()


def joined(parts: Sequence[Token]) -> str:
    """The pattern to compile with `regex`."""
    return "".join(part.text for part in parts)


@dataclass(frozen=True, slots=True)
class Group:
    number: int
    name: str
    depth: int
    """0 for a group that stands in no other capturing group."""


def groups(parts: Sequence[Token]) -> list[Group]:
    """The capturing groups in order."""
    found: list[Group] = []
    stack: list[bool] = []
    for part in parts:
        if part.kind is Kind.OPEN:
            found.append(Group(len(found) + 1, part.literal, sum(stack)))
            stack.append(True)
        elif part.kind in (Kind.PLAIN_OPEN, Kind.LOOK_OPEN):
            stack.append(False)
        elif part.kind is Kind.CLOSE and stack:
            stack.pop()
    return found
