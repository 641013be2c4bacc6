"""The result of translating a pattern."""

from dataclasses import dataclass
from enum import Enum, auto


class TokenKind(Enum):
    LITERAL = auto()
    """One character that stands for itself."""
    SET = auto()
    """One character of several: a class, `.`, `\\d`."""
    OPEN = auto()
    """Start of a capturing group."""
    PLAIN_OPEN = auto()
    """Start of a group that does not capture and that the text runs through."""
    LOOK_OPEN = auto()
    """Start of a look-around, or of a group whose meaning is not followed (a conditional, a definition)."""
    CLOSE = auto()
    BAR = auto()
    QUANTIFIER = auto()
    START = auto()
    END = auto()
    OTHER = auto()
    """Anything else: a reference, a word boundary, inline flags."""


@dataclass(frozen=True, slots=True)
class Token:
    kind: TokenKind
    text: str
    """In the syntax of `regex`."""
    literal: str = ""
    """The character of a LITERAL; the name of an OPEN as written; the flags of inline flags."""


@dataclass(frozen=True, slots=True)
class Group:
    """A capturing group, numbered as in its language; in the translated pattern, its name is `g<number>`."""

    number: int
    name: str
    depth: int
    """0 for a group that is in no other capturing group."""

    @property
    def engine_name(self) -> str:
        return engine_name(self.number)


def engine_name(number: int) -> str:
    return f"g{number}"


@dataclass(frozen=True, slots=True)
class Pattern:
    """A regular expression in the syntax of `regex`."""

    tokens: tuple[Token, ...]
    groups: tuple[Group, ...]
    """By number, each number once."""
    problem: str = ""
    """Why it can't be used, for people: what its own engine would refuse, or what can't be translated."""

    is_unsupported: bool = False
    """True if the problem is this engine's, not the pattern's."""

    @property
    def text(self) -> str:
        """The pattern to compile with `regex`."""
        return "".join(token.text for token in self.tokens)
