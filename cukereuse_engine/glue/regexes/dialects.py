"""The differences of regex engines: a row for each engine. A glue language names its row.

Sources: the engines' own references (java.util.regex.Pattern, ECMA-262 22.2, Onigmo's RE, .NET's "Regular expression
language", pcre2pattern, Python's `re`, RE2's and the regex crate's syntax pages).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import Enum, auto

_CONTROL = {"n": "\n", "t": "\t", "r": "\r", "f": "\f", "v": "\v", "a": "\a", "e": "\x1b", "0": "\0"}
_SPACES = r" \t\n\r\f\v"
_VERTICAL = r"\n\v\f\r\x85\u2028\u2029"
_HORIZONTAL = r" \t\xa0\u1680\u180e\u2000-\u200a\u202f\u205f\u3000"
_HEXADECIMAL = "0-9a-fA-F"
_ASCII = {"d": "0-9", "w": "0-9A-Za-z_", "s": _SPACES}


class NameReuse(Enum):
    """The meaning of a group name that is used twice."""

    REFUSED = auto()
    SHARED = auto()
    """One group, wherever it is (.NET)."""
    SEPARATE = auto()
    """Groups of their own, each with a number (Onigmo, ECMAScript, PCRE with `(?J)`)."""


@dataclass(frozen=True, slots=True)
class Dialect:
    control: str
    """Letters that stand for control characters after a backslash."""
    classes: Mapping[str, str]
    """Maps letters after a backslash for a class (lower case) or its complement (upper case) to the class in brackets;
    letters that `regex` reads alike are left out."""
    strict: bool = False
    """True if an escaped letter without a meaning is an error; otherwise it is the letter."""
    names: NameReuse = NameReuse.REFUSED
    named_last: bool = False
    """True if groups with names are numbered after those without (.NET)."""
    named_only: bool = False
    """True if a pattern with named groups captures nothing else (Onigmo)."""
    looks: bool = True
    """True if it has look-around, back references, conditionals and calls, which a linear-time engine refuses."""
    properties: bool = True
    """True if it has `\\p{…}`."""
    blocks: str = ""
    """The beginning of a Unicode block's name, if it is not "In"."""
    others: str = "RXN"
    """Letters after a backslash that stand for a line end, a character with its marks, anything but a line end."""
    possessive: bool = True
    """True if `a++` takes all and gives nothing back."""
    anchors: str = "AzZG"
    """Letters after a backslash that stand for an end of the text."""
    quotes: bool = False
    """True if it has `\\Q…\\E`."""
    posix: bool = False
    """True if it has `[:alpha:]` in brackets."""
    operators: tuple[str, ...] = ()
    """Set operators in brackets."""
    nested: bool = False
    """True if brackets in brackets are a set."""
    at_most: bool = False
    """True if `{,3}` is a quantifier, not text."""
    calls: bool = False
    """True if `\\g<name>` calls a group (Onigmo, PCRE)."""
    flags_branch: bool = False
    """True if flags amid a branch end with the group, and bars after them separate only what follows them (Onigmo)."""
    control_letters: bool = False
    """True if it has `\\cA`."""
    named_characters: str = ""
    """The contents of `\\N{…}`: a character's "name", or its number after "U+"."""
    empty_back_reference: bool = False
    """True if a reference to a group that took no part matches nothing, instead of failing (ECMAScript)."""
    ungreedy: bool = False
    """True if the flag U makes quantifiers lazy, and `+?` and the like greedy (PCRE, RE2)."""
    lines_always: bool = False
    """True if `^` and `$` always match at lines (Onigmo)."""
    ascii_words: bool = False
    """True if `\\b` looks at ASCII letters only."""
    ascii_case: bool = False
    """True if only ASCII letters are equal in upper and lower case, without a flag for Unicode."""
    ascii_properties: bool = False
    """True if `\\p{Alpha}` and the like contain ASCII only (java.util.regex)."""
    verbs: bool = False
    """True if it has `(*UTF8)` and the like: options at the beginning, control of the search elsewhere (PCRE)."""
    strict_braces: bool = False
    """True if an opening brace that begins no quantifier is an error; otherwise it is the character."""
    inline: "Mapping[str, Dialect]" = field(default_factory=dict)
    """The dialect after a flag amid a pattern, up to the end of its group; a removed flag has a minus."""
    with_flag: "Mapping[str, Dialect]" = field(default_factory=dict)
    """The dialect under a pattern's own flag."""

    def under(self, flags: str) -> "Dialect":
        """The dialect with the changes that the pattern's own flags make."""
        return next((self.with_flag[flag] for flag in flags if flag in self.with_flag), self)


JVM = Dialect(
    control="ntrfae0",
    classes={**_ASCII, "h": _HORIZONTAL, "v": _VERTICAL},
    strict=True,
    quotes=True,
    operators=("&&",),
    nested=True,
    control_letters=True,
    named_characters="name",
    ascii_case=True,
    ascii_properties=True,
    strict_braces=True,
)
_JVM_UNICODE = replace(JVM, classes={"h": _HORIZONTAL, "v": _VERTICAL}, ascii_case=False, ascii_properties=False)
JVM = replace(JVM, inline={"U": _JVM_UNICODE, "u": replace(JVM, ascii_case=False)})
ECMASCRIPT = Dialect(
    control="ntrfv0",
    classes={"d": _ASCII["d"], "w": _ASCII["w"], "s": r"\s\ufeff"},
    names=NameReuse.SEPARATE,
    anchors="",
    properties=False,
    others="",
    possessive=False,
    control_letters=True,
    empty_back_reference=True,
    ascii_words=True,
)
ECMASCRIPT_UNICODE = replace(ECMASCRIPT, strict=True, properties=True, strict_braces=True)
ECMASCRIPT_SETS = replace(ECMASCRIPT_UNICODE, operators=("&&", "--"), nested=True)
ECMASCRIPT = replace(ECMASCRIPT, with_flag={"u": ECMASCRIPT_UNICODE, "v": ECMASCRIPT_SETS})
ONIGMO = Dialect(
    control="ntrfvae0",
    classes={**_ASCII, "h": _HEXADECIMAL},
    others="RX",
    names=NameReuse.SEPARATE,
    named_only=True,
    posix=True,
    operators=("&&",),
    nested=True,
    at_most=True,
    calls=True,
    flags_branch=True,
    lines_always=True,
    control_letters=True,
)
ONIGMO = replace(ONIGMO, inline={"u": replace(ONIGMO, classes={"h": _HEXADECIMAL})})
DOTNET = Dialect(
    control="ntrfvae0",
    classes={},
    strict=True,
    names=NameReuse.SHARED,
    named_last=True,
    blocks="Is",
    others="",
    possessive=False,
    operators=("-[",),
    control_letters=True,
)
PCRE = Dialect(
    control="ntrfae0",
    classes={**_ASCII, "h": _HORIZONTAL, "v": _VERTICAL},
    names=NameReuse.SEPARATE,
    quotes=True,
    posix=True,
    calls=True,
    control_letters=True,
    ungreedy=True,
    ascii_words=True,
    ascii_case=True,
    verbs=True,
)
PCRE_UNICODE = replace(
    PCRE,
    classes={"h": _HORIZONTAL, "v": _VERTICAL},
    named_characters="U+",
    ascii_words=False,
    ascii_case=False,
)
PCRE = replace(PCRE, with_flag={"u": PCRE_UNICODE})
PYTHON = Dialect(
    control="ntrfva0",
    classes={},
    strict=True,
    properties=False,
    others="",
    anchors="AzZ",
    at_most=True,
    named_characters="name",
)
RE2 = Dialect(
    control="ntrfva",
    classes=_ASCII,
    strict=True,
    looks=False,
    others="",
    possessive=False,
    anchors="Az",
    quotes=True,
    posix=True,
    ungreedy=True,
    ascii_words=True,
)
CRATE = replace(
    RE2,
    classes={},
    ascii_words=False,
    possessive=True,
    quotes=False,
    operators=("&&", "--", "~~"),
    nested=True,
    strict_braces=True,
)
CRATE = replace(CRATE, inline={"-u": replace(CRATE, classes=_ASCII, ascii_words=True)})
PYTHON = replace(PYTHON, inline={"a": replace(PYTHON, classes=_ASCII, ascii_words=True)})
ENGINE = Dialect(control="ntrfva0", classes={}, strict=True, names=NameReuse.SHARED, posix=True)
"""The dialect of translated patterns, also if several are joined."""


def control(letter: str) -> str:
    r"""The control character that an escape such as `\n` denotes."""
    return _CONTROL[letter]
