"""What Java and Kotlin share: Cucumber-JVM's names, and its rule that distinguishes regexes from Cucumber
Expressions."""

import re
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

from cukereuse_engine.glue.definition import Anchoring, ExpressionKind, StepDefinition
from cukereuse_engine.glue.languages.collector import Collector, Value

if TYPE_CHECKING:
    from tree_sitter import Node

FRAMEWORK = "cucumber-jvm"
_PACKAGE = re.compile(r"\b(?:io\.cucumber|cucumber\.api)\.java8?\.(\w+)")
"""Annotations stand in a package, lambdas in an interface named after the dialect: `io.cucumber.java.fr.*`,
`io.cucumber.java8.Fr` (cucumber-jvm, GenerateI18n.java)."""
_ALL_INTERFACES = re.compile(r"\bimport\s+(?:io\.cucumber|cucumber\.api)\.java8\.\*")
_IMPLEMENTED = re.compile(r"(?:\bimplements\b|\bclass\s+\w+\s*(?:\([^{]*?\))?\s*:)([\w\s,.<>()]*)\{")
_LEGACY = re.compile(r"\bcucumber\.api\.java8?\b")
_REGEX_GROUP = re.compile(r"\([^)]*[^A-Za-z)][^)]*\)")


@cache
def _dialects() -> dict[str, frozenset[str]]:
    """Package name of a Gherkin dialect to the names of its annotations (cucumber-jvm, GenerateI18n.java)."""
    from gherkin.dialect import DIALECTS

    names = {}
    for code, spec in DIALECTS.items():
        keywords = [word for kind in ("given", "when", "then", "and", "but") for word in spec[kind]]
        cleaned = {re.sub(r"[\s',!’\xad]", "", word) for word in keywords if "*" not in word}
        names[re.sub(r"[\s-]", "_", code).lower()] = frozenset(cleaned - {""})
    return names


def step_names(text: str) -> frozenset[str]:
    """Names of step annotations and lambdas in a source: the English ones, and those of the dialects it imports,
    or implements of all."""
    codes = {"en", *_PACKAGE.findall(text)}
    if _ALL_INTERFACES.search(text):
        codes.update(name for names in _IMPLEMENTED.findall(text) for name in re.findall(r"\w+", names))
    return frozenset().union(*(_dialects().get(code.lower(), frozenset()) for code in codes))


_ALIAS = re.compile(
    r"\bimport\s+(?:io\.cucumber|cucumber\.api)\.java8?\.[\w.]+\.`?(?P<name>\w+)`?\s+as\s+`?(?P<alias>\w+)`?"
    r"|\btypealias\s+`?(?P<other>\w+)`?\s*=\s*(?:[\w.]+\.)?`?(?P<type>\w+)`?"
)


def aliases(text: str) -> dict[str, str]:
    """Kotlin's `import io.cucumber.java.en.Given as G`, `typealias G = Given`: the local name to the one that it stands
    for."""
    return {match["alias"] or match["other"]: match["name"] or match["type"] for match in _ALIAS.finditer(text)}


def is_legacy(text: str) -> bool:
    """Whether a source uses the packages of Cucumber-JVM 1 to 4."""
    return _LEGACY.search(text) is not None


def kind_reason(definition: StepDefinition) -> str:
    """By what `add` tells the kind."""
    if definition.kind is ExpressionKind.CUCUMBER:
        return "does not begin with ^, end with $ or have / on both sides"
    text = definition.expression
    return "begins with ^" if text.startswith("^") else "ends with $" if text.endswith("$") else "has / on both sides"


def add(
    collector: Collector,
    value: Value,
    *,
    keyword: str,
    function: "Node | None",
    function_name: str,
    legacy: bool,
) -> None:
    """One definition. The rule is cucumber-expressions' (ExpressionFactory.java): a regex begins with ^, ends with $
    or stands between slashes. Before version 5 a group of anything but letters told a regex too.
    """
    text = value.text
    regex = text.startswith("^") or text.endswith("$")
    if not regex and len(text) > 1 and text.startswith("/") and text.endswith("/"):
        value, regex = replace(value, text=text[1:-1]), True
    regex = regex or (legacy and _REGEX_GROUP.search(text) is not None)
    collector.add(
        value,
        ExpressionKind.REGEX if regex else ExpressionKind.CUCUMBER,
        framework=FRAMEWORK,
        keyword=keyword,
        function=function,
        function_name=function_name,
        anchoring=Anchoring.SEARCH if regex else Anchoring.FULL,
    )
