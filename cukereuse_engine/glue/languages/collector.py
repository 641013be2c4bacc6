"""Collects the contents of a source file: step definitions, parameter types, errors."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cukereuse_engine.glue.definition import (
    Anchoring,
    ExpressionKind,
    Extraction,
    GlueError,
    Limit,
    ParameterType,
    SourceSpan,
    StepDefinition,
)
from cukereuse_engine.glue.languages.escapes import whole_characters
from cukereuse_engine.glue.languages.source import Source
from cukereuse_engine.glue.languages.syntax_errors import hidden

if TYPE_CHECKING:
    import tree_sitter


@dataclass(frozen=True, slots=True)
class Value:
    """The value of an expression in the source, computed without running it."""

    text: str
    """The string's value, or a regex literal's pattern without its delimiters."""
    node: "tree_sitter.Node"
    """The expression as it is at the step definition."""
    rewritable: bool = True
    """True if `node` is one plain literal: no constant, concatenation or interpolation."""
    is_regex: bool = False
    """True if the source says that it is a regex: `/…/`, `new RegExp`, `re.compile`, …"""
    flags: str = ""
    """Regex flags in Python's letters."""


class Collector:
    """Collects the contents of one source file."""

    def __init__(self, source: Source, language: str) -> None:
        self.source = source
        self.language = language
        self.definitions: list[StepDefinition] = []
        self.parameter_types: list[ParameterType] = []
        self.errors: list[GlueError] = []

    def add(
        self,
        value: Value,
        kind: ExpressionKind,
        *,
        framework: str,
        keyword: str,
        keyword_types: frozenset[str] = frozenset(),
        function: "SourceSpan | tree_sitter.Node | None",
        function_name: str = "",
        anchoring: Anchoring = Anchoring.FULL,
        flags: str = "",
        sentence: str = "",
        limits: tuple[Limit, ...] = (),
        registry: str = "",
        takes_first: bool = False,
        parameters: tuple[str, ...] | None = None,
        yields: int | None = None,
    ) -> None:
        """Add a step definition whose expression is `value`; see `StepDefinition` for the other parameters."""
        if function is not None and not isinstance(function, SourceSpan):
            function = self.source.span(function)
        self.definitions.append(
            StepDefinition(
                expression=whole_characters(value.text),
                kind=kind,
                keyword_types=keyword_types,
                keyword=keyword,
                language=self.language,
                framework=framework,
                literal=self.source.span(value.node),
                source_literal=self.source.text(value.node),
                function=function,
                function_name=function_name,
                anchoring=anchoring,
                flags="".join(sorted(set(flags + value.flags))),
                rewritable=value.rewritable and self.source.is_utf8,
                sentence=sentence,
                limits=limits,
                registry=registry,
                takes_first=takes_first,
                parameters=parameters,
                yields=yields,
            )
        )

    def add_parameter_type(self, name: str, regexps: tuple[str, ...], node: "tree_sitter.Node") -> None:
        """Add a custom parameter type; `regexps` is empty if the source does not contain them."""
        line = node.start_point.row + 1
        self.parameter_types.append(ParameterType(name, regexps, self.language, self.source.path, line))

    def error(self, node: "tree_sitter.Node", message: str, *, untold: bool = False) -> None:
        span = self.source.span(node)
        self.errors.append(GlueError(self.source.path, span.line, span.column, message, untold))

    def computed(self, node: "tree_sitter.Node") -> None:
        """Add the error for an expression whose value only the running program would know."""
        text = re.sub(r"\s+", " ", self.source.text(node))
        message = f"the step's expression is computed: {text if len(text) <= 60 else text[:59] + '…'}"
        self.error(node, message, untold=True)

    def extraction(self) -> Extraction:
        """The collected contents, in source order."""
        return Extraction(
            tuple(sorted(self.definitions, key=lambda d: (d.literal.start_byte, d.keyword))),
            tuple(self.parameter_types),
            tuple(self.errors),
            lost=hidden(self.source.root, self.source.source, self.definitions, self.errors),
            is_broken=self.source.root.has_error,
        )


_NO_NAME = re.compile(r"[\[\]()$.|?*+]")
_BUILT_IN = frozenset(
    {"int", "float", "word", "string", "double", "bigdecimal", "byte", "short", "long", "biginteger", ""}
)


def add_cucumber_type(
    collector: Collector, name: str, values: Sequence[Value | None], flags: str, node: "tree_sitter.Node"
) -> None:
    """Add a parameter type of these regexps, with errors if Cucumber refuses it (cucumber-expressions, ParameterType
    and its registry). `flags`: of its regexp, in the language's letters; old versions dropped them."""
    refused = f"parameter type {{{name}}} is refused by Cucumber: "
    if flags:
        collector.error(node, f'{refused}its regexp has the flag "{flags}"')
    if _NO_NAME.search(name):
        collector.error(node, f"{refused}a name may not have any of []()$.|?*+ in it")
    if name in _BUILT_IN or any(name == earlier.name for earlier in collector.parameter_types):
        collector.error(node, f"{refused}its name is already in use")
    regexps = tuple(value.text for value in values if value is not None)
    collector.add_parameter_type(name, regexps if len(regexps) == len(values) else (), node)
