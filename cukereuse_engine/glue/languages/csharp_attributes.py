"""C#: a project's own attributes that act as Reqnroll's, as aliases or as derived classes.

The call of a derived class's base constructor tells the keywords, and text around the expression.
"""

import re
from dataclasses import dataclass

from cukereuse_engine.glue.languages.escapes import unescape

KEYWORDS = {
    "Given": frozenset({"given"}),
    "When": frozenset({"when"}),
    "Then": frozenset({"then"}),
    "StepDefinition": frozenset[str](),
}
"""Maps Reqnroll's attributes to the types of the steps that they serve; none: all types."""
_BASE = "StepDefinitionBase"
_ALIAS = re.compile(r"\busing\s+(\w+)\s*=\s*(?:global::)?([\w.]+)\s*;")
_DERIVED = re.compile(
    r"\bclass\s+(\w+)\s*(?:\((?P<own>[^)]*)\)\s*)?:\s*"
    r"(?P<base>(?:\w+\.)*(?:Given|When|Then|StepDefinition(?:Base)?)(?:Attribute)?)\b(?:\((?P<handed>[^;{]*)\))?"
)
_TYPE = re.compile(r"\bStepDefinitionType\.(Given|When|Then)\b")
_STRING = r'(?:\$?@\$?"(?:[^"]|"")*"|\$?"(?:[^"\\]|\\.)*")'
_FIRST = re.compile(rf"\s*((?:{_STRING}|\w+)(?:\s*\+\s*(?:{_STRING}|\w+))*)\s*(?:,|\Z)", re.DOTALL)
_PIECE = re.compile(rf"{_STRING}|\w+")


@dataclass(frozen=True, slots=True)
class StandIn:
    name: str
    """Reqnroll's attribute, without "Attribute"."""
    types: tuple[str, ...] = ()
    """The types of its steps, if it states them itself."""
    before: str = ""
    """Text that it puts before the expression; the whole text if it takes no expression."""
    after: str = ""
    takes_expression: bool = True
    is_computed: bool = False
    """True if the source does not tell what it makes of the expression."""

    @property
    def keyword_types(self) -> frozenset[str]:
        return frozenset(self.types) or KEYWORDS.get(self.name, frozenset())


def plain_name(written: str) -> str:
    """The name without a namespace and the suffix "Attribute"."""
    return re.split(r"\.|::", written)[-1].removesuffix("Attribute")


def stand_ins(text: str) -> dict[str, StandIn]:
    """The stand-ins that a source declares, by their names."""
    stand_ins_by_name = {match[1]: StandIn(plain_name(match[2])) for match in _ALIAS.finditer(text)}
    return stand_ins_by_name | {match[1]: _derived(text, match) for match in _DERIVED.finditer(text)}


def _derived(text: str, declared: re.Match[str]) -> StandIn:
    base = plain_name(declared["base"])
    name = "StepDefinition" if base == _BASE else base
    handed = declared["handed"]
    if handed is None:
        constructor = re.compile(rf"\b{declared[1]}\s*\([^)]*\)\s*:\s*base\s*\((.*?)\)\s*(?:\{{|=>|;)", re.DOTALL)
        called = constructor.search(text, declared.end())
        handed = called[1] if called is not None else ""
    types = tuple(dict.fromkeys(kind.lower() for kind in _TYPE.findall(handed)))
    first = _FIRST.match(handed)
    if not handed.strip():
        return StandIn(name, types)
    if first is None:
        return StandIn(name, types, is_computed=True)
    return _around(name, types, first[1])


def _around(name: str, types: tuple[str, ...], expression: str) -> StandIn:
    """The stand-in for `"text " + expression`, `$"text {expression}"`, or either alone."""
    texts = [""]
    for piece in _PIECE.findall(expression):
        if '"' not in piece:
            texts.append("")
            continue
        head, body = piece[: piece.index('"')], piece[piece.index('"') + 1 : -1]
        body = body.replace('""', '"') if "@" in head else unescape(body, simple="0ntrbfvae", octal=False)
        parts = re.split(r"(?<!\{)\{\w+\}", body) if "$" in head else [body]
        if "$" in head:
            parts = [part.replace("{{", "{").replace("}}", "}") for part in parts]
        texts[-1] += parts[0]
        texts += parts[1:]
    if len(texts) > 2:
        return StandIn(name, types, is_computed=True)
    before, after = texts[0], texts[1] if len(texts) == 2 else ""
    return StandIn(name, types, before, after, takes_expression=len(texts) == 2)
