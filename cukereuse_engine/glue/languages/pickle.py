"""pickle, a Ruby library: the names of a project's factories, models and predicates that its regexes contain."""

import re
from collections.abc import Callable, Iterator

from cukereuse_engine.glue.languages.source import ConstantNames

_VALUE = r"(?:\"(?:[^\\\"]|\\.)*\"|nil|true|false|[+-]?\d+(?:\.\d+)?)"
_LABEL = r"(?::? \"(?:[^\\\"]|\\.)*\")"
_PREFIX = r"(?:(?:a|an|another|the|that) )?(?:(?:first|last|\d+(?:st|nd|rd|th)) )?"
_WORD = r"(?!(?:should|be|not|has|have|had|is|are|was|exists?|with|in|one|of|following)\b)\w+"
_ANY_FACTORY = rf"{_WORD}(?: {_WORD}){{0,3}}?"
"""The pattern if no factory is found."""
_FACTORIES, _MAPPED, _PREDICATES = "pickle's factories", "pickle's mappings", "pickle's predicates"
COLLECTED = {
    _FACTORIES: rb"\bfactory[ (]+:|\bFactory\.define\b|\bFabricator[ (]+:|\.blueprint\b"
    rb"|<\s*(?:::)?(?:ApplicationRecord|ActiveRecord::Base)\b",
    _MAPPED: rb"\bPickle\.configure\b",
    _PREDICATES: rb"\bdef\s+\w+\?|\bcreate_table\b",
}
_FACTORY = re.compile(
    r"^[ \t]*(?:factory|Factory\.define|Fabricator)[ (]+:(?P<factory>\w+)(?:.*?\baliases:\s*\[(?P<aliases>[^\]]*)\])?"
    r"|^[ \t]*(?P<blueprint>[A-Z][\w:]*)\.blueprint\b"
    r"|^[ \t]*class\s+(?P<model>[A-Z][\w:]*)\s*<\s*(?:::)?(?:ApplicationRecord|ActiveRecord::Base)\b",
    re.MULTILINE,
)
"""Factories of FactoryBot, Fabrication and Machinist, and Active Record's classes."""
_PREDICATE = re.compile(r"^[ \t]*(?:def\s+(?:self\.)?(\w+)\?|t\.\w+[ (]+[\"':](\w+))", re.MULTILINE)
"""Methods whose name ends in ?, and columns of tables."""
_MAPPING = re.compile(r"^[ \t]*\w+\.map\b(.*?)(?::to\s*=>|\bto:)", re.MULTILINE)


def captured(names: ConstantNames, method: str) -> str | None:
    """The pattern of pickle's `capture_model` and similar methods (pickle, parser/matchers.rb): the project's
    factories, models and mappings. The value of a field may be a model (session/parser.rb); emails are in
    email/parser.rb."""
    if method not in _PICKLE_METHODS:
        return None
    kind = method.partition("_")[2]
    factories = names.get(_FACTORIES) if kind in _WITH_FACTORIES else None
    factory = f"(?:{factories.text})" if factories is not None else f"(?:{_ANY_FACTORY})"
    if kind == "plural_factory":
        factory = f"(?:{re.sub(r'[^|]+', _plural, factories.text)})" if factories is not None else factory
    asked = names.get(_PREDICATES) if kind == "predicate" else None
    mapped = names.get(_MAPPED) if kind in ("model", "fields") else None
    model = rf"{_PREFIX}{factory}{_LABEL}?"
    model = f"(?:{mapped.text}|{model})" if mapped is not None else f"(?:{model})"
    field = rf"\w+: (?:{model}|{_VALUE})"
    pattern = {
        "model": model,
        "fields": f"(?:{field}, )*{field}",
        "factory": factory,
        "plural_factory": factory,
        "predicate": f"(?:{asked.text})" if asked is not None else r"\w+(?: \w+)*",
        "value": _VALUE,
        "label": _LABEL,
        "email": f"(?:{_PREFIX}email)",
    }[kind]
    return f"({pattern})" if method.startswith("capture_") else pattern


_WITH_FACTORIES = ("model", "fields", "factory", "plural_factory")
_PICKLE_METHODS = {
    f"{how}_{what}"
    for how in ("capture", "match")
    for what in ("model", "fields", "factory", "plural_factory", "predicate", "value", "label", "email")
}


def _plural(name: re.Match[str]) -> str:
    text = name.group()
    return re.sub(r"([^aeiou])y$", r"\1ie", text) + ("es" if re.search("(?:s|x|ch|sh)$", text) else "s")


def _snake_case(name: str) -> str:
    return re.sub(r"(?<=[a-z\d])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", name).replace("::", "_").lower()


def _predicates(text: str) -> Iterator[str]:
    return (match[1] or match[2] for match in _PREDICATE.finditer(text))


def _mapped(text: str) -> Iterator[str]:
    return (match[2] for line in _MAPPING.findall(text) for match in re.finditer(r"(['\"])(.*?)\1", line))


def _factories(text: str) -> Iterator[str]:
    for match in _FACTORY.finditer(text):
        if match["factory"]:
            yield match["factory"]
            yield from re.findall(r":(\w+)", match["aliases"] or "")
        else:
            yield _snake_case(match["blueprint"] or match["model"])


COLLECT: dict[str, Callable[[str], Iterator[str]]] = {
    _FACTORIES: _factories,
    _PREDICATES: _predicates,
    _MAPPED: _mapped,
}
