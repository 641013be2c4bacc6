"""What Java, Kotlin and Scala share: Cucumber-JVM's names, its rule for regexes and Cucumber Expressions, and what its
annotations and calls define."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

from cukereuse_engine.glue.definition import Anchoring, ExpressionKind, Extraction, StepDefinition
from cukereuse_engine.glue.languages import jvm_loading
from cukereuse_engine.glue.languages.collector import Collector, Value
from cukereuse_engine.glue.languages.evaluation import Evaluator
from cukereuse_engine.glue.languages.jvm_runner_classes import with_runners
from cukereuse_engine.glue.languages.source import Source

if TYPE_CHECKING:
    from tree_sitter import Node

FRAMEWORK = "cucumber-jvm"
_PACKAGE = re.compile(r"\b(?:io\.cucumber|cucumber\.api)\.java8?\.(\w+)")
"""Annotations are in a package, lambdas in an interface named after the dialect: `io.cucumber.java.fr.*`,
`io.cucumber.java8.Fr` (cucumber-jvm, GenerateI18n.java)."""
_IMPORTED = re.compile(r"\b(?:io\.cucumber|cucumber\.api)\.java\.[a-z]\w*\.([^\W\d]\w*)")
"""The package of a dialect has nothing but annotations of steps, so others in it are a project's or a library's own."""
_ALL_INTERFACES = re.compile(r"\bimport\s+(?:io\.cucumber|cucumber\.api)\.java8\.\*")
_IMPLEMENTED = re.compile(r"(?:\bimplements\b|\bclass\s+\w+\s*(?:\([^{]*?\))?\s*:)([\w\s,.<>()]*)\{")
_LEGACY = re.compile(r"\bcucumber\.api\.java8?\b")
_REGEX_GROUP = re.compile(r"\([^)]*[^A-Za-z)][^)]*\)")


@cache
def _dialects() -> dict[str, frozenset[str]]:
    """Maps the package name of a Gherkin dialect to the names of its annotations (cucumber-jvm, GenerateI18n.java)."""
    from gherkin.dialect import DIALECTS

    names = {}
    for code, spec in DIALECTS.items():
        keywords = [word for kind in ("given", "when", "then", "and", "but") for word in spec[kind]]
        cleaned = {re.sub(r"[\s',!’\xad]", "", word) for word in keywords if "*" not in word}
        names[re.sub(r"[\s-]", "_", code).lower()] = frozenset(cleaned - {""})
    return names


def step_names(text: str) -> frozenset[str]:
    """The names of step annotations and lambdas in a source: the English ones, those of the dialects that it imports or
    whose interfaces it implements, and what it imports from a dialect's package."""
    codes = {"en", *_PACKAGE.findall(text)}
    if _ALL_INTERFACES.search(text):
        codes.update(name for names in _IMPLEMENTED.findall(text) for name in re.findall(r"\w+", names))
    return frozenset(_IMPORTED.findall(text)).union(*(_dialects().get(code.lower(), frozenset()) for code in codes))


_ALIAS = re.compile(
    r"\bimport\s+(?:io\.cucumber|cucumber\.api)\.java8?\.[\w.]+\.`?(?P<name>\w+)`?\s+as\s+`?(?P<alias>\w+)`?"
    r"|\btypealias\s+`?(?P<other>\w+)`?\s*=\s*(?:[\w.]+\.)?`?(?P<type>\w+)`?"
)


def aliases(text: str) -> dict[str, str]:
    """Maps the local names of Kotlin's `import io.cucumber.java.en.Given as G` and `typealias G = Given` to the
    imported names."""
    return {match["alias"] or match["other"]: match["name"] or match["type"] for match in _ALIAS.finditer(text)}


def is_legacy(text: str) -> bool:
    """True if a source uses the packages of Cucumber-JVM 1 to 4."""
    return _LEGACY.search(text) is not None


def kind_reason(definition: StepDefinition) -> str:
    """What determines the kind of a definition; see `JvmFile`."""
    if definition.kind is ExpressionKind.CUCUMBER:
        return "does not begin with ^, end with $ or have / on both sides"
    text = definition.expression
    return "begins with ^" if text.startswith("^") else "ends with $" if text.endswith("$") else "has / on both sides"


class JvmFile:
    """A source with definitions of Cucumber-JVM. Its language finds the annotations and calls."""

    def __init__(
        self, language: str, source: Source, evaluator: Evaluator, names: frozenset[str], legacy: bool
    ) -> None:
        """`names`: the names that define a step (`step_names`). `legacy`: the result of `is_legacy`."""
        self.source = source
        self.evaluator = evaluator
        self.names = names
        self._collector = Collector(source, language)
        self._legacy = legacy
        self._annotated: list[Node] = []
        """Functions that are step definitions by an annotation."""

    def read_arguments(
        self,
        annotation: "Node",
        name: str,
        arguments: "Mapping[str, Node]",
        function: "Node | None",
        function_name: str,
    ) -> None:
        """Read an annotation of a function. Arguments are by name; "value" is the one without a name."""
        argument = arguments.get("value")
        if argument is None:
            return
        if name == "ParameterType":
            value = self.evaluator.value(argument)
            named = self.evaluator.value(arguments["name"]) if "name" in arguments else None
            type_name = (named.text if named is not None else "") or function_name
            self._collector.add_parameter_type(type_name, (value.text,) if value is not None else (), annotation)
        elif self.define(argument, name, function, function_name):
            if function is not None:
                self._annotated.append(function)
            if reason := jvm_loading.reason(self.source, function):
                self._collector.error(annotation, reason)

    def define(self, argument: "Node", keyword: str, function: "Node | None", function_name: str = "") -> bool:
        """Add a step definition with this expression; false if the source does not tell its value."""
        value = self.evaluator.value(argument)
        if value is None:
            self._collector.computed(argument)
            return False
        self._add(value, keyword, function, function_name)
        return True

    def define_type(self, name: "Node", regex: "Node", call: "Node") -> None:
        type_name, pattern = self.evaluator.value(name), self.evaluator.value(regex)
        if type_name is not None:
            self._collector.add_parameter_type(type_name.text, (pattern.text,) if pattern is not None else (), call)

    def extraction(self, source: bytes) -> Extraction:
        for declared, reason in jvm_loading.extended(self.source, self._annotated):
            self._collector.error(declared, reason)
        return with_runners(self._collector.extraction(), source)

    def _add(self, value: Value, keyword: str, function: "Node | None", function_name: str) -> None:
        """The rule is that of cucumber-expressions (ExpressionFactory.java): a regex begins with ^, ends with $ or is
        between slashes, and matches the whole step (TreeRegexp.java). Before version 5, a group of anything but letters
        also made a regex."""
        text = value.text
        regex = text.startswith("^") or text.endswith("$")
        if not regex and len(text) > 1 and text.startswith("/") and text.endswith("/"):
            value, regex = replace(value, text=text[1:-1]), True
        regex = regex or (self._legacy and _REGEX_GROUP.search(text) is not None)
        self._collector.add(
            value,
            ExpressionKind.REGEX if regex else ExpressionKind.CUCUMBER,
            framework=FRAMEWORK,
            keyword=keyword,
            function=function,
            function_name=function_name,
            anchoring=Anchoring.FULL,
        )


def only(functions: "Sequence[Node]") -> "Node | None":
    """The function that a name refers to, if only one has it."""
    return functions[0] if len(functions) == 1 else None
