"""A step's text with its arguments masked, and the arguments kept.

The mask is the measured one: template equality by it agrees with maintainers at F1 .867. Quoted strings, numbers and
placeholders become one slot each. What kind of argument a slot holds serves for mapping arguments, never for masking.
"""

import re
from dataclasses import dataclass
from enum import StrEnum

SLOT = "\N{WHITE SQUARE CONTAINING BLACK SMALL SQUARE}"
"""Stands for one argument in a masked text. A symbol that no step uses, and one token for the lexical scores."""

_MASK = re.compile(
    r'"(?:\\.|[^"\\])*"'
    r"|(?<!\w)'(?:[^'\\]|\\.)*'(?!\w)"
    r"|`[^`]*`"
    r"|<[^<>]+>"
    r"|(?<!\w)[-+]?\d+(?:[.,:]\d+)*(?!\w)"
)
_WHITE_SPACE = re.compile(r"\s+")
_URL = re.compile(r"[a-z][a-z0-9+.-]*://\S+", re.IGNORECASE)
_EMAIL = re.compile(r"[^@\s]+@[^@\s]+\.\w+")
_NUMBER = re.compile(r"[-+]?\d+(?:[.,:]\d+)*")
_UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)
_PATH = re.compile(r"(?:[A-Za-z]:)?[./\\~]?[\w.{}$@-]*[/\\][\w./\\{}$@:?=&-]*")
_IDENTIFIER = re.compile(r"[A-Za-z_][\w-]*[\w]")


class SlotType(StrEnum):
    STRING = "string"
    NUMBER = "number"
    PLACEHOLDER = "placeholder"
    URL = "url"
    EMAIL = "email"
    UUID = "uuid"
    PATH = "path"
    IDENTIFIER = "identifier"


@dataclass(frozen=True, slots=True)
class Argument:
    text: str
    """As written, quotes or angle brackets included."""
    value: str
    """Without its delimiters."""
    start: int
    """Code point offset in the text that was masked."""
    end: int
    type: SlotType

    @property
    def delimiter(self) -> str:
        """The opening delimiter: `"`, `'`, `` ` ``, `<`, or empty for a bare number."""
        return self.text[0] if self.text[0] in "\"'`<" else ""


@dataclass(frozen=True, slots=True)
class Template:
    masked: str
    """The text with each argument replaced by `SLOT` and white space collapsed; case kept."""
    arguments: tuple[Argument, ...]

    @property
    def key(self) -> str:
        """Two texts with equal keys have the same template: `masked` without regard to case."""
        return self.masked.lower()


def _type_of(text: str, value: str) -> SlotType:
    if text.startswith("<"):
        return SlotType.PLACEHOLDER
    for pattern, slot_type in (
        (_NUMBER, SlotType.NUMBER),
        (_URL, SlotType.URL),
        (_UUID, SlotType.UUID),
        (_EMAIL, SlotType.EMAIL),
        (_PATH, SlotType.PATH),
        (_IDENTIFIER, SlotType.IDENTIFIER),
    ):
        if pattern.fullmatch(value):
            return slot_type
    return SlotType.STRING


def arguments(text: str) -> tuple[Argument, ...]:
    """The arguments that the mask finds, left to right."""
    found = []
    for match in _MASK.finditer(text):
        written = match.group()
        value = written[1:-1] if written[0] in "\"'`<" else written
        found.append(Argument(written, value, match.start(), match.end(), _type_of(written, value)))
    return tuple(found)


def mask(text: str) -> str:
    """`text` with each argument replaced by `SLOT`, white space collapsed, case kept."""
    return _WHITE_SPACE.sub(" ", _MASK.sub(SLOT, text)).strip()


def template(text: str) -> Template:
    """The template of a step's text."""
    return Template(mask(text), arguments(text))
