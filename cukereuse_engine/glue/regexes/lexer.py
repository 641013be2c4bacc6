"""Cuts a pattern of one dialect into tokens; groups and references keep their original names."""

import re
from dataclasses import dataclass, field, replace

from cukereuse_engine.glue.regexes.dialects import Dialect, control
from cukereuse_engine.glue.regexes.pattern import Token, TokenKind
from cukereuse_engine.glue.regexes.sets import (
    PROPERTY,
    SetReader,
    class_escape,
    is_class,
    property_class,
    spelt_character,
)

_SPECIAL = frozenset("\\^$.|?*+()[]{}")
_SIMPLE = {"^": TokenKind.START, "$": TokenKind.END, ".": TokenKind.SET}
_QUANTIFIER = re.compile(r"(?:[*+?]|\{\d+(?:,\d*)?\})[?+]?")
_AT_MOST = re.compile(r"\{,\d+\}[?+]?")
_NAMED = re.compile(r"\(\?(?:P?<([^=!>][^>]*)>|'([^']+)')")
_LOOK = re.compile(r"\(\?(?:[=!]|<[=!])")
_CONDITION = re.compile(r"\(\?\((?:(R\d*|DEFINE)|<([^>]+)>|'([^']+)'|([+-]?\w+))\)")
_INLINE_FLAGS = re.compile(r"\(\?([a-zA-Z^]*)(?:-([a-zA-Z]+))?([:)])")
_CALL = re.compile(r"\(\?(?:&([^)]+)|P>([^)]+)|(R|[+-]?\d+))\)")
_CALL_ESCAPE = re.compile(r"\\g(?:<([^>]+)>|'([^']+)')")
_BACK = re.compile(r"\\k(?:<([^>]+)>|'([^']+)'|\{([^}]+)\})|\(\?P=(\w+)\)")
_BACK_BRACED = re.compile(r"\\g(?:\{([^}]+)\}|([+-]?\d+))")
_BACK_NUMBER = re.compile(r"\\([1-9]\d*)")
_BALANCING = re.compile(r"\(\?[<'][^>'=!]*-[^>']*[>']")
_OPTION = re.compile(r"\(\*(UTF8?|UCP|NO_\w+|NOTEMPTY\w*|CR|LF|CRLF|ANY|ANYCRLF|NUL|BSR_\w+|LIMIT_\w+=\d+)\)")
_VERB = re.compile(r"\(\*([A-Z]*)(?::[^)]*)?\)")


_WORD = "[0-9A-Za-z_]"
_EDGES = {
    "b": f"(?:(?<={_WORD})(?!{_WORD})|(?<!{_WORD})(?={_WORD}))",
    "B": f"(?:(?<={_WORD})(?={_WORD})|(?<!{_WORD})(?!{_WORD}))",
}
"""Borders of words of ASCII letters, and all other places."""


@dataclass(frozen=True, slots=True)
class GroupReference:
    """A place in a token's text for a group, by the name or number that the source gives it."""

    prefix: str
    target: str
    suffix: str
    at: int
    """Number of groups that were opened before it."""
    back: bool = False
    """True for a back reference, false for a call or a condition."""


@dataclass(slots=True)
class Lexed:
    tokens: list[Token] = field(default_factory=list)
    references: dict[int, GroupReference] = field(default_factory=dict)
    """References by the index of their token."""
    resets: set[int] = field(default_factory=set)
    """Indices of the tokens that open a branch reset: every branch of it numbers its groups from the same start."""
    problem: str = ""
    is_unsupported: bool = False


@dataclass(frozen=True, slots=True)
class _Flags:
    """The flags at a place in the pattern."""

    verbose: bool = False
    bare: bool = False
    """True if groups without a name do not capture (.NET's flag n)."""
    dialect: Dialect | None = None
    """The dialect after an inline flag."""
    ungreedy: bool = False
    """True if quantifiers are lazy, and greedy with ? after them."""
    folds: bool = False
    """True if upper and lower case are equal."""

    def changed(self, on: str, off: str, dialect: Dialect) -> "_Flags":
        """The flags after an inline flag; `on` and `off` are letters."""

        def is_on(flag: str, before: bool) -> bool:
            return (flag in on or before) and flag not in off

        changing = [*on, *(f"-{flag}" for flag in off)]
        return _Flags(
            verbose=is_on("x", self.verbose),
            bare=dialect.named_last and is_on("n", self.bare),
            dialect=next((dialect.inline[flag] for flag in changing if flag in dialect.inline), self.dialect),
            ungreedy=dialect.ungreedy and is_on("U", self.ungreedy),
            folds=is_on("i", self.folds),
        )


@dataclass(slots=True)
class _Frame:
    """An open group, and what ends with it."""

    flags: _Flags
    opened: list[str] = field(default_factory=list)
    """The groups that carry inline flags to its end, as they are opened."""


def literal(char: str) -> Token:
    return Token(TokenKind.LITERAL, "\\" + char if char in _SPECIAL or char in " #" else char, char)


def _swapped(quantifier: str) -> str:
    """The quantifier with greedy and lazy exchanged; a possessive one stays."""
    if len(quantifier) > 1 and quantifier.endswith("+"):
        return quantifier
    return quantifier[:-1] if len(quantifier) > 1 and quantifier.endswith("?") else f"{quantifier}?"


class Lexer:
    def __init__(self, pattern: str, dialect: Dialect, flags: str = "") -> None:
        self.pattern = pattern
        self._dialect = dialect
        self.at = 0
        self.lexed = Lexed()
        self.opened = 0
        self.frames = [_Frame(_Flags(verbose="x" in flags, ungreedy="U" in flags, folds="i" in flags))]

    @property
    def dialect(self) -> Dialect:
        return self.flags.dialect or self._dialect

    @property
    def frame(self) -> _Frame:
        return self.frames[-1]

    @property
    def flags(self) -> _Flags:
        return self.frame.flags

    def run(self) -> Lexed:
        self._options()
        signs = {"\\": self._escape, "[": self._set, "(": self._open, ")": self._close, "|": self._bar}
        while self.at < len(self.pattern):
            char = self.pattern[self.at]
            if char in signs:
                signs[char]()
            elif quantifier := self._quantifier():
                if quantifier[1:].endswith("+") and not self.dialect.possessive:
                    self._problem(f"nothing to repeat at position {self.at + len(quantifier) - 1}")
                self._push(TokenKind.QUANTIFIER, quantifier, _swapped(quantifier) if self.flags.ungreedy else None)
            elif self.flags.verbose and (char.isspace() or char == "#"):
                self.at = self.at + 1 if char != "#" else (self.pattern.find("\n", self.at) + 1 or len(self.pattern))
            elif char in _SIMPLE:
                self._push(_SIMPLE[char], char)
            else:
                if char == "{" and self.dialect.strict_braces:
                    self._problem(f"nothing is repeated by the brace at position {self.at}")
                self._literal(char)
                self.at += 1
        self._end_flags()
        return self.lexed

    def _options(self) -> None:
        """Read the options before the pattern itself: `(*UTF)`."""
        while self.dialect.verbs and (option := _OPTION.match(self.pattern, self.at)):
            self.at = option.end()
            if option[1].startswith("UTF"):
                self.frame.flags = replace(self.flags, dialect=replace(self.dialect, ascii_case=False))

    def _quantifier(self) -> str:
        quantifier = _QUANTIFIER.match(self.pattern, self.at)
        if quantifier is None and self.dialect.at_most:
            quantifier = _AT_MOST.match(self.pattern, self.at)
        return quantifier.group() if quantifier is not None else ""

    def _add(self, token: Token) -> None:
        self.lexed.tokens.append(token)

    def _literal(self, char: str) -> None:
        token = literal(char)
        if self.flags.folds and self.dialect.ascii_case and not char.isascii() and char.swapcase() != char:
            token = replace(token, text=f"(?-i:{token.text})")
        self._add(token)

    def _push(self, kind: TokenKind, source: str, text: str | None = None, name: str = "") -> None:
        self._add(Token(kind, source if text is None else text, name))
        self.at += len(source)

    def _enter(self, kind: TokenKind, source: str, text: str, name: str = "") -> None:
        self._push(kind, source, text, name)
        self.frames.append(_Frame(self.flags))

    def _refer(self, source: str, reference: GroupReference, kind: TokenKind = TokenKind.OTHER) -> None:
        if not self.dialect.looks:
            self._problem("a reference to a group, which this engine does not support")
        self.lexed.references[len(self.lexed.tokens)] = reference
        self._push(kind, source, "")

    def _problem(self, message: str) -> None:
        self.lexed.problem = self.lexed.problem or message

    def _unsupported(self, message: str) -> None:
        if not self.lexed.problem:
            self.lexed.problem, self.lexed.is_unsupported = message, True

    # groups

    def _close(self) -> None:
        self._end_flags()
        if len(self.frames) > 1:
            self.frames.pop()
        self._push(TokenKind.CLOSE, ")")

    def _end_flags(self) -> None:
        for _ in self.frame.opened:
            self._add(Token(TokenKind.CLOSE, ")"))

    def _bar(self) -> None:
        if self.dialect.flags_branch:
            self._push(TokenKind.BAR, "|")
            return
        self._end_flags()
        self._push(TokenKind.BAR, "|")
        for opening in self.frame.opened:
            self._add(Token(TokenKind.PLAIN_OPEN, opening))

    def _open(self) -> None:
        pattern, at = self.pattern, self.at
        if self.dialect.verbs and (verb := _VERB.match(pattern, at)):
            if verb[1] not in ("F", "FAIL"):
                self._unsupported(f"it steers the search by (*{verb[1]})")
            self._push(TokenKind.OTHER, verb.group(), "(?!)")
        elif pattern.startswith("(?#", at):
            end = pattern.find(")", at)
            self.at = len(pattern) if end < 0 else end + 1
        elif back := _BACK.match(pattern, at):
            self._refer(back.group(), GroupReference("(?P=", back[4], ")", self.opened, back=True))
        elif look := _LOOK.match(pattern, at):
            if not self.dialect.looks:
                self._problem("look-around, which this engine does not support")
            self._enter(TokenKind.LOOK_OPEN, look.group(), look.group())
        elif not self._open_group():
            self._open_other()

    def _open_group(self) -> bool:
        """Read the start of a group, captured or not; false if the parenthesis opens something else."""
        pattern, at = self.pattern, self.at
        if self.dialect.named_last and _BALANCING.match(pattern, at):
            self._unsupported("it has a balancing group, which this engine does not support")
            self._enter(TokenKind.LOOK_OPEN, "(?", "(?")
        elif named := _NAMED.match(pattern, at):
            self.opened += 1
            self._enter(TokenKind.OPEN, named.group(), "(", named[1] or named[2])
        elif pattern.startswith("(?|", at):
            self.lexed.resets.add(len(self.lexed.tokens))
            self._enter(TokenKind.PLAIN_OPEN, "(?|", "(?:")
        elif pattern.startswith(("(?:", "(?>"), at):
            self._enter(TokenKind.PLAIN_OPEN, pattern[at : at + 3], pattern[at : at + 3])
        elif pattern.startswith("(?", at):
            return False
        elif self.flags.bare:
            self._enter(TokenKind.PLAIN_OPEN, "(", "(?:")
        else:
            self.opened += 1
            self._enter(TokenKind.OPEN, "(", "(")
        return True

    def _open_other(self) -> None:
        pattern, at = self.pattern, self.at
        if condition := _CONDITION.match(pattern, at):
            special, *names = condition.groups()
            if special == "DEFINE":
                self._enter(TokenKind.LOOK_OPEN, condition.group(), "(?(DEFINE)")
            elif special:
                self._unsupported("it tests for recursion, which this engine does not support")
                self._enter(TokenKind.LOOK_OPEN, condition.group(), "(?:")
            else:
                target = next(name for name in names if name)
                self._refer(condition.group(), GroupReference("(?(", target, ")", self.opened), TokenKind.LOOK_OPEN)
                self.frames.append(_Frame(self.flags))
        elif call := _CALL.match(pattern, at):
            target = next(group for group in call.groups() if group)
            self._call(call.group(), target)
        elif inline := _INLINE_FLAGS.match(pattern, at):
            self._inline_flags(inline)
        else:
            self._enter(TokenKind.LOOK_OPEN, "(?", "(?")  # a look-around as condition, or unknown: left to the engine

    def _call(self, source: str, target: str) -> None:
        if target in ("R", "0"):
            self._push(TokenKind.OTHER, source, "(?R)")
        else:
            self._refer(source, GroupReference("(?&", target, ")", self.opened))

    def _inline_flags(self, inline: re.Match[str]) -> None:
        on, off, end = inline[1], inline[2] or "", inline[3]
        names = {"m": "s", "s": ""} if self.dialect.lines_always else {}
        added, dropped = ("".join(names.get(flag, flag) for flag in part if flag in "imsx") for part in (on, off))
        without = dropped.replace("x", "")
        opening = f"(?{added.replace('x', '')}{f'-{without}' if without else ''}:"
        is_first = not any(token.text for token in self.lexed.tokens)
        flags = self.flags.changed(on, off, self._dialect)
        self._add(Token(TokenKind.OTHER, "", added))
        self.at = inline.end()
        if end == ":":
            self._add(Token(TokenKind.PLAIN_OPEN, opening))
            self.frames.append(_Frame(flags))
            return
        self.frame.flags = flags
        if opening == "(?:":
            return
        if is_first and not dropped:
            self._add(Token(TokenKind.OTHER, opening[:-1] + ")", added))
        else:
            self.frame.opened.append(opening)
            self._add(Token(TokenKind.PLAIN_OPEN, opening))

    # single characters

    def _set(self) -> None:
        read = SetReader(self.pattern, self.dialect).read(self.at)
        text, self.at = read if read is not None else (self.pattern[self.at :], len(self.pattern))
        self._add(Token(TokenKind.SET, text))

    def _escape(self) -> None:
        following = self.pattern[self.at + 1 : self.at + 2]
        if following == "Q" and self.dialect.quotes:
            end = self.pattern.find("\\E", self.at)
            end = len(self.pattern) if end < 0 else end
            self.lexed.tokens.extend(literal(char) for char in self.pattern[self.at + 2 : end])
            self.at = end + 2
        elif spelt := spelt_character(self.pattern, self.at, self.dialect):
            self._add(literal(spelt[0]))
            self.at = spelt[1]
        elif not (self._reference_escape(following) or self._special_escape(following)):
            if following.isalnum() and following.isascii() and self.dialect.strict:
                self._problem(f"\\{following} means nothing")
                self._push(TokenKind.OTHER, "\\" + following)
            else:
                self._add(literal(following))
                self.at += 2

    def _special_escape(self, following: str) -> bool:
        """Read a set of characters, an edge or a control character; false if it is none of these."""
        dialect = self.dialect
        if not following:
            self._push(TokenKind.OTHER, "\\")
        elif dialect.properties and (prop := PROPERTY.match(self.pattern, self.at)):
            self._push(TokenKind.SET, prop.group(), property_class(prop, dialect))
        elif following in dialect.anchors:
            self._anchor(following)
        elif is_class(following, dialect) or following in dialect.others:
            self._push(TokenKind.SET, "\\" + following, class_escape(following, dialect))
        elif following in dialect.control:
            self._add(literal(control(following)))
            self.at += 2
        elif following in ("b", "B"):
            self._push(TokenKind.OTHER, "\\" + following, _EDGES.get(following) if dialect.ascii_words else None)
        elif following == "K" and dialect.calls:
            self._push(TokenKind.OTHER, "\\K")
        else:
            return False
        return True

    def _anchor(self, letter: str) -> None:
        last = r"\Z" if self.dialect.at_most and self.dialect.strict else r"(?=\n?\Z)"  # Python's \Z is the very end
        text = {"A": r"\A", "z": r"\Z", "G": r"\A", "Z": last}[letter]
        self._push(TokenKind.START if letter in "AG" else TokenKind.END, "\\" + letter, text)

    def _reference_escape(self, following: str) -> bool:
        r"""Read `\1`, `\k<x>`, `\g{x}` or `\g<x>` if it is next."""
        if number := _BACK_NUMBER.match(self.pattern, self.at):
            self._refer(number.group(), GroupReference("(?P=", number[1], ")", self.opened, back=True))
            return True
        if following == "k" and (back := _BACK.match(self.pattern, self.at)):
            target = next(name for name in back.groups() if name)
            self._refer(back.group(), GroupReference("(?P=", target, ")", self.opened, back=True))
            return True
        if following != "g" or not self.dialect.calls:
            return False
        if braced := _BACK_BRACED.match(self.pattern, self.at):
            self._refer(braced.group(), GroupReference("(?P=", braced[1] or braced[2], ")", self.opened, back=True))
            return True
        if call := _CALL_ESCAPE.match(self.pattern, self.at):
            self._call(call.group(), call[1] or call[2])
            return True
        return False
