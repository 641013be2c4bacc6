"""What one regex engine knows and another does not: one row for each engine behind a glue language.

Sources: the engines' own references (java.util.regex.Pattern, ECMA-262 22.2, Onigmo's RE, .NET's "Regular expression
language", pcre2pattern, Python's `re`, RE2's and the regex crate's syntax pages).
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import Enum, auto

_CONTROL = {"n": "\n", "t": "\t", "r": "\r", "f": "\f", "v": "\v", "a": "\a", "e": "\x1b", "0": "\0"}
_SPACES = r" \t\n\r\f\v"
_VERTICAL = r"\n\v\f\r\x85\u2028\u2029"
_HORIZONTAL = r" \t\xa0\u1680\u180e\u2000-\u200a\u202f\u205f\u3000"
_HEXADECIMAL = "0-9a-fA-F"
_ASCII = {"d": "0-9", "w": "0-9A-Za-z_", "s": _SPACES}


class Names(Enum):
    """What a group name that is used twice means."""

    REFUSED = auto()
    SHARED = auto()
    """One group, wherever it stands (.NET)."""
    SEPARATE = auto()
    """Groups of their own, each with a number (Onigmo, ECMAScript, PCRE with `(?J)`)."""


@dataclass(frozen=True, slots=True)
class Dialect:
    control: str
    """Letters that stand for control characters after a backslash."""
    classes: Mapping[str, str]
    """Letters after a backslash that stand for a class (lower case) or its complement (upper case), to what stands in
    brackets for them; those that `regex` reads alike are left out."""
    strict: bool = False
    """An escaped letter without a meaning is an error; else it is the letter."""
    names: Names = Names.REFUSED
    named_last: bool = False
    """Groups with names are numbered after those without (.NET)."""
    named_only: bool = False
    """A pattern with named groups captures nothing else (Onigmo)."""
    looks: bool = True
    """Look-around, back references, conditionals, calls: what a linear-time engine refuses."""
    properties: bool = True
    """`\\p{…}`."""
    anchors: str = "AzZG"
    """Letters after a backslash that stand for an end of the text."""
    quotes: bool = False
    """`\\Q…\\E`."""
    posix: bool = False
    """`[:alpha:]` in brackets."""
    operators: tuple[str, ...] = ()
    """Set operators in brackets."""
    nested: bool = False
    """Brackets in brackets are a set."""
    at_most: bool = False
    """`{,3}` is a quantifier, not text."""
    calls: bool = False
    """`\\g<name>` calls a group (Onigmo, PCRE)."""
    flags_branch: bool = False
    """Flags set amid a branch end with the group, and the bars after them part only what follows them (Onigmo)."""
    control_letters: bool = False
    """`\\cA`."""
    empty_back_reference: bool = False
    """A reference to a group that took no part matches nothing, instead of failing (ECMAScript)."""


_JVM = Dialect(
    control="ntrfae0",
    classes={**_ASCII, "h": _HORIZONTAL, "v": _VERTICAL},
    strict=True,
    quotes=True,
    operators=("&&",),
    nested=True,
    control_letters=True,
)
_ECMASCRIPT = Dialect(
    control="ntrfv0",
    classes={"d": _ASCII["d"], "w": _ASCII["w"], "s": r"\s\ufeff"},
    names=Names.SEPARATE,
    anchors="",
    properties=False,
    control_letters=True,
    empty_back_reference=True,
)
_ECMASCRIPT_UNICODE = replace(_ECMASCRIPT, strict=True, properties=True)
_ECMASCRIPT_SETS = replace(_ECMASCRIPT_UNICODE, operators=("&&", "--"), nested=True)
_ONIGMO = Dialect(
    control="ntrfvae0",
    classes={**_ASCII, "h": _HEXADECIMAL},
    names=Names.SEPARATE,
    named_only=True,
    posix=True,
    operators=("&&",),
    nested=True,
    at_most=True,
    calls=True,
    flags_branch=True,
    control_letters=True,
)
_DOTNET = Dialect(
    control="ntrfvae0",
    classes={},
    strict=True,
    names=Names.SHARED,
    named_last=True,
    operators=("-[",),
    control_letters=True,
)
_PCRE = Dialect(
    control="ntrfae0",
    classes={**_ASCII, "h": _HORIZONTAL, "v": _VERTICAL},
    names=Names.SEPARATE,
    quotes=True,
    posix=True,
    calls=True,
    control_letters=True,
)
_PCRE_UNICODE = replace(_PCRE, classes={"h": _HORIZONTAL, "v": _VERTICAL})
_PYTHON = Dialect(control="ntrfva0", classes={}, strict=True, at_most=True)
_RE2 = Dialect(control="ntrfva", classes=_ASCII, strict=True, looks=False, quotes=True, posix=True, anchors="Az")
_CRATE = replace(_RE2, classes={}, quotes=False, operators=("&&", "--", "~~"), nested=True)
_ENGINE = Dialect(control="ntrfva0", classes={}, strict=True, names=Names.SHARED, posix=True)
"""What was translated already, put together from several patterns."""
ENGINE = "engine"
_BY_LANGUAGE = {
    "java": _JVM,
    "kotlin": _JVM,
    "scala": _JVM,
    "javascript": _ECMASCRIPT,
    "typescript": _ECMASCRIPT,
    "ruby": _ONIGMO,
    "csharp": _DOTNET,
    "php": _PCRE,
    "python": _PYTHON,
    "go": _RE2,
    "rust": _CRATE,
    ENGINE: _ENGINE,
}
_WITH_FLAG = {
    ("javascript", "u"): _ECMASCRIPT_UNICODE,
    ("typescript", "u"): _ECMASCRIPT_UNICODE,
    ("javascript", "v"): _ECMASCRIPT_SETS,
    ("typescript", "v"): _ECMASCRIPT_SETS,
    ("php", "u"): _PCRE_UNICODE,
}


def dialect(language: str, flags: str = "") -> Dialect:
    """That of a glue language, as the pattern's own flags change it."""
    changed = (_WITH_FLAG[language, flag] for flag in flags if (language, flag) in _WITH_FLAG)
    return next(changed, _BY_LANGUAGE.get(language, _PYTHON))


def control(letter: str) -> str:
    """The control character of `\\n` and its like."""
    return _CONTROL[letter]
