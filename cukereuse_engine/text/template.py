"""A step's text with its arguments masked, and the arguments kept.

Quoted strings, numbers and placeholders become one slot each: template equality by that mask agrees with maintainers at
F1 .867 (`measured_mask`). The product's mask also takes for one argument what is in typographic quotes (`“x”`,
`”x”`, `«x»`, `„x“`, `「x」`), and a JSON value, a `{{ variable }}`, a `$variable$` or an HTTP status with its reason
phrase (`404 Not Found`) without quotes. What kind of argument a slot holds serves for mapping arguments, never for
masking.
"""

import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from functools import lru_cache
from http import HTTPStatus
from typing import NamedTuple

SLOT = "\N{WHITE SQUARE CONTAINING BLACK SMALL SQUARE}"
"""Stands for one argument in a masked text. A symbol that no step uses, and one token for the lexical scores."""

_MASK = re.compile(
    r'"(?:\\.|[^"\\])*"'
    r"|(?<!\w)'(?:[^'\\]|\\.)*'(?!\w)"
    r"|`[^`]*`"
    r"|<[^<>]+>"
    r"|(?<!\w)[-+]?\d+(?:[.,:]\d+)*(?!\w)"
)
_MASK_BEGINS = re.compile(r"""["'`<\d]""")
"""Without one of these nothing is masked; most texts have none, and this test takes a tenth of the time."""
QUOTES = {
    **{'"': '"', "'": "'", "`": "`", "<": ">"},
    **{"“": "”", "„": "“”", "”": "”", "«": "»", "»": "«»", "‹": "›", "「": "」", "『": "』", "‘": "’", "‚": "‘’"},
}
"""Opening delimiter of an argument to what may close it."""
_FORMER_REASONS = ("413 Request Entity Too Large", "414 Request-URI Too Long", "422 Unprocessable Entity")
_LATER_REASONS = ("413 Content Too Large", "414 URI Too Long", "422 Unprocessable Content")
_REASONS = "|".join(
    sorted({f"{each.value} {each.phrase}" for each in HTTPStatus} | {*_FORMER_REASONS, *_LATER_REASONS})
)
"""Status codes with what is behind them and says no more (RFC 9110, section 15), as it is written there; behind
another number the same words tell what is counted ("100 Accepted invoices")."""
_STATUS = rf"(?<![\w.,:])(?:{_REASONS})(?!\w)"
_OWN = re.compile(
    r"(?=[“”„«»‹「『‘‚$])(?:"
    r"“[^“”]*”|(?<!\w)”(?=\S)[^“”]*(?<=\S)”(?!\w)|„[^„“”]*[“”]|«[^«»]*»|»(?=\S)[^«»]*(?<=\S)[«»]|‹[^‹›]*›|「[^「」]*」|『[^『』]*』"
    r"|(?<!\w)[‘‚](?:[^‘’‚]|(?<=\w)’(?=\w))*[‘’](?!\w)"  # an apostrophe inside ends nothing
    r"|(?<![\w$])\$(?:[^\W\d]\w*|\$[^\W\d]\w*\$)\$(?![\w$])"
    rf")|{_STATUS}|{_MASK.pattern}"
)
"""The product's mask except for what is in braces. `$x$` and `$$x$$` are variables of Vanessa Automation."""
_MARKS = re.compile(r"[“”„«»‹「『‘‚$]|\d [A-Z]")
"""Without one of these, and without braces, the product's mask is the measured one."""
_BRACED = re.compile(r"""(?<![\w}\])])[$#]?(?:\{(?=\s*["'{}\[])|\[(?=\s*["'\[{\]]))""")
"""Where a JSON value or a variable in braces may begin: `{"`, `[{`, `{{`, `${{`, `{}`."""
_INSIDE = re.compile(r""""(?:\\.|[^"\\])*"|(?<!\w)'(?:[^'\\]|\\.)*'(?!\w)|[{}\[\]]""")


class SlotType(StrEnum):
    STRING = "string"
    NUMBER = "number"
    PLACEHOLDER = "placeholder"
    URL = "url"
    EMAIL = "email"
    UUID = "uuid"
    PATH = "path"
    IDENTIFIER = "identifier"
    JSON = "json"


_TYPES = {
    SlotType.NUMBER: re.compile(rf"[-+]?\d+(?:[.,:]\d+)*|{_STATUS}"),
    SlotType.URL: re.compile(r"[a-z][a-z0-9+.-]*://\S+", re.IGNORECASE),
    SlotType.UUID: re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE),
    SlotType.EMAIL: re.compile(r"[^@\s]+@[^@\s]+\.\w+"),
    SlotType.PATH: re.compile(r"(?:[A-Za-z]:)?[./\\~]?[\w.{}$@-]*[/\\][\w./\\{}$@:?=&-]*"),
    SlotType.IDENTIFIER: re.compile(r"[A-Za-z_][\w-]*[\w]"),
}
"""What a value of each type looks like, the first that fits counts."""


class Argument(NamedTuple):
    text: str
    """As written, quotes or angle brackets included."""
    value: str
    """Without its delimiters."""
    start: int
    """Code point offset in the text that was masked."""
    end: int

    @property
    def type(self) -> SlotType:
        if self.text.startswith(("<", "$")) or self.text.lstrip("#").startswith("{{"):
            return SlotType.PLACEHOLDER
        if self.text.startswith(("{", "[")):
            return SlotType.JSON
        return next((kind for kind, pattern in _TYPES.items() if pattern.fullmatch(self.value)), SlotType.STRING)

    @property
    def delimiter(self) -> str:
        """The opening delimiter: `"`, `'`, `` ` ``, `<`, `«`, …, or empty for a bare number."""
        return self.text[0] if self.text[0] in QUOTES else ""


@dataclass(frozen=True, slots=True)
class Template:
    text: str
    masked: str
    """The text with each argument replaced by `SLOT` and white space collapsed; case kept."""
    key: str = field(init=False, repr=False, compare=False)
    """Two texts with equal keys have the same template: `masked` without regard to case. They share one object."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "key", sys.intern(self.masked.lower()))

    @property
    def arguments(self) -> tuple[Argument, ...]:
        """Left to right; found when asked for, since few texts of a suite are."""
        return arguments(self.text) if SLOT in self.masked else ()


@lru_cache(maxsize=8192)  # a component of many texts is searched again with every key that belongs to it
def arguments(text: str) -> tuple[Argument, ...]:
    """The arguments that the mask finds, left to right."""
    return tuple(
        Argument(text[start:end], text[start + 1 : end - 1] if text[start] in QUOTES else text[start:end], start, end)
        for start, end in _spans(text)
    )


@lru_cache(maxsize=8192)  # scenarios that may fold are compared step by step
def mask(text: str) -> str:
    """`text` with each argument replaced by `SLOT`, white space collapsed, case kept."""
    if "{" not in text and "[" not in text and not _MARKS.search(text):
        return measured_mask(text)
    parts: list[str] = []
    at = 0
    for start, end in _spans(text):
        parts += (text[at:start], SLOT)
        at = end
    return " ".join("".join((*parts, text[at:])).split())


def measured_mask(text: str) -> str:
    """The mask that the figures on maintainers' decisions were measured with: no JSON, no variables, plain quotes."""
    masked = _MASK.sub(SLOT, text) if _MASK_BEGINS.search(text) else text
    return " ".join(masked.split())


def _spans(text: str) -> Iterator[tuple[int, int]]:
    """Start and end of each argument, left to right."""
    if "{" not in text and "[" not in text:
        yield from (match.span() for match in _OWN.finditer(text))
        return
    braced = _braced_spans(text)
    at = 0
    while True:
        match = _OWN.search(text, at)
        while braced and braced[-1][0] < at:
            braced.pop()
        span = match.span() if match else None
        if braced and (span is None or braced[-1][0] <= span[0]):
            span = braced.pop()
        if span is None:
            return
        yield span
        at = span[1]


def _braced_spans(text: str) -> list[tuple[int, int]]:
    """JSON values and variables in braces that close again, the last first; none inside another. One pass."""
    begins = {match.end() - 1: match.start() for match in _BRACED.finditer(text)}
    spans: list[tuple[int, int]] = []
    open_: list[int] = []
    for match in _INSIDE.finditer(text):
        sign, place = match.group(), match.start()
        if sign in "{[":
            open_.append(place)
        elif sign in "}]" and open_:
            opened = open_.pop()
            if opened in begins:
                while spans and spans[-1][0] > opened:
                    spans.pop()
                spans.append((begins[opened], match.end()))
    return spans[::-1]


def template(text: str) -> Template:
    """The template of a step's text."""
    return Template(text, mask(text))
