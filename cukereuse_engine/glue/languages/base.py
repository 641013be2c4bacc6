"""What a language module is, and what all of them need: parsing, spans, the collector of definitions.

A language module is one file beside this one with a module constant `LANGUAGE`; `language_for` finds it by suffix. It
reads syntax only: what a program would compute is reported as a `GlueError`, never guessed and never run.
"""

import codecs
import importlib
import os
import pkgutil
import re
import time
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from itertools import count
from typing import TYPE_CHECKING

from cukereuse_engine.glue.definition import (
    Anchoring,
    Constant,
    ExpressionKind,
    Extraction,
    GlueError,
    Limit,
    ParameterType,
    Reference,
    SourceSpan,
    StepDefinition,
)
from cukereuse_engine.glue.languages.syntax_errors import SlowSourceError as SlowSourceError
from cukereuse_engine.glue.languages.syntax_errors import around_errors, hidden, unreadable
from cukereuse_engine.glue.regexes import Dialect, dialects

if TYPE_CHECKING:
    import tree_sitter

_WIDE_MARKS = (codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
"""UTF-32-LE begins with UTF-16-LE's mark: longest first."""
_BOM = b"\xef\xbb\xbf"
_SLICE = 65_536
PARSE_SECONDS = 5
"""A source that takes longer to parse is given up. Processor time: a busy machine gives up nothing."""
_TICKS = 16
"""Turns of the parser between two looks at the clock, each of which costs more than a turn."""


class Names:
    """What one source takes from others by name: what it is given, and what it asks for."""

    def __init__(self, given: Sequence[Constant] = ()) -> None:
        self._given: dict[tuple[str, str], list[Constant]] = {}
        for constant in given:
            self._given.setdefault((constant.name, constant.owner), []).append(constant)
        self._asked: dict[Reference, None] = {}

    def get(self, name: str, owner: str = "") -> Constant | None:
        """What a name stands for that this source does not define; None as long as no other source is known to."""
        return next(iter(self.parts(name, owner)), None)

    def parts(self, name: str, owner: str) -> Sequence[Constant]:
        """All that other sources say of a name of which each may hold a part (`Language.gathered`)."""
        self._asked[Reference(name, owner)] = None
        return self._given.get((name, owner), ())

    @property
    def references(self) -> tuple[Reference, ...]:
        return tuple(self._asked)


@dataclass(frozen=True, slots=True)
class Language:
    id: str
    """Id that definitions carry: "python", "ruby", …"""
    suffixes: tuple[str, ...]
    """File suffixes in lower case, with their dot."""
    editor_ids: tuple[str, ...]
    """What the protocol, and so VS Code, calls such documents."""
    hint: re.Pattern[bytes]
    """Found in every source that holds glue. Cheap, and rare elsewhere: what does not hold it is never parsed."""
    regex: Dialect
    """How its runners read regular expressions."""
    extract: Callable[[str, bytes, Names], Extraction]
    """(path, source, names) to what the source holds. Raises nothing but `SlowSourceError`, whatever the bytes."""
    constants: Callable[[str, bytes, Set[str]], list[Constant]] | None = None
    """(path, source, names) to what the source says that the names stand for. Raises as `extract`."""
    collected: Mapping[str, bytes] = field(default_factory=dict)
    """Names of which every source may hold a part, joined by bars, to a pattern that tells such a source."""
    gathered: str = ""
    """How the owner begins of a name of which every source may hold a part."""
    filetypes: Mapping[str, str] = field(default_factory=dict)
    """Editor id to what Vim calls it, where that differs."""
    kind_reason: Callable[[StepDefinition], str] | None = None
    """Where an expression's text tells its kind: by what it does, as the end of a sentence."""
    refusal: Callable[[StepDefinition], str] | None = None
    """Why a runner loads no such definition though its expression is one; empty where it does."""


@cache
def languages() -> tuple[Language, ...]:
    """Every language there is a module for, by id. Loads no grammar: modules load theirs when they first parse."""
    package = importlib.import_module("cukereuse_engine.glue.languages")
    names = (info.name for info in pkgutil.iter_modules(package.__path__))
    modules = (importlib.import_module(f"{package.__name__}.{name}") for name in names if name != "base")
    rows: list[Language] = [module.LANGUAGE for module in modules if hasattr(module, "LANGUAGE")]
    return tuple(sorted(rows, key=lambda language: language.id))


@cache
def suffixes() -> tuple[str, ...]:
    """Every suffix of a glue source, sorted."""
    return tuple(sorted({suffix for language in languages() for suffix in language.suffixes}))


@cache
def _by_id() -> dict[str, Language]:
    return {language.id: language for language in languages()}


def kind_reason(definition: StepDefinition) -> str:
    """By what the text of an expression tells its kind, as the end of a sentence; empty where something else does."""
    row = _by_id().get(definition.language)
    return row.kind_reason(definition) if row is not None and row.kind_reason is not None else ""


def refusal(definition: StepDefinition) -> str:
    """Why its runner does not load a definition whose expression is one; empty where it does."""
    row = _by_id().get(definition.language)
    return row.refusal(definition) if row is not None and row.refusal is not None else ""


def dialect_of(language: str) -> Dialect:
    """How regular expressions of a language are read; Python's way for what is no glue language."""
    row = _by_id().get(language)
    return row.regex if row is not None else dialects.PYTHON


@cache
def _by_suffix() -> dict[str, Language]:
    return {suffix: language for language in languages() for suffix in language.suffixes}


def language_for(path: str) -> Language | None:
    """The language of a file by its suffix, or None."""
    return _by_suffix().get(os.path.splitext(path)[1].lower())  # noqa: PTH122 - asked of every file of a repository


def extract(path: str, source: bytes, given: Sequence[Constant] = ()) -> Extraction:
    """What a source file holds; empty for a file of no known language and for one without the language's hint.
    `given`: what names stand for that it takes from other sources."""
    language = language_for(path)
    source = as_utf8(source)
    if language is None or not language.hint.search(source):
        return Extraction()
    names = Names(given)
    try:
        found = language.extract(path, source, names)
    except Exception as error:  # too slow, or a fault of this reader: it may be one definition that does it
        found = unreadable(path, source, error)
    if found.lost:
        found = around_errors(path, lambda text: language.extract(path, text, names), source, found)
    return replace(found, references=names.references, given=tuple(given), is_broken=False)


def as_utf8(source: bytes) -> bytes:
    """A source in UTF-16 or UTF-32 by its byte order mark, as the compilers of C# and TypeScript read it; any other
    as it is."""
    mark = next((mark for mark in _WIDE_MARKS if source.startswith(mark)), b"")
    if not mark:
        return source
    try:
        return source.decode("utf-32" if len(mark) > 2 else "utf-16").encode("utf-8")
    except UnicodeError:
        return source


def text_of(source: bytes) -> str:
    """A source to look for something in, without byte order mark, whatever its encoding."""
    data = as_utf8(source).removeprefix(_BOM)
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return _of_windows(data)


@cache
def _grammar(module: str, function: str) -> "tree_sitter.Language":
    import tree_sitter

    return tree_sitter.Language(getattr(importlib.import_module(module), function)())


class Source:
    """One parsed source file: its tree, texts of nodes and their spans."""

    def __init__(
        self,
        path: str,
        source: bytes,
        grammar: str,
        function: str = "language",
        *,
        names: Names | None = None,
        parsed: bytes | None = None,
    ) -> None:
        """`grammar` is the module of a tree-sitter wheel, such as "tree_sitter_python"; `function` its entry point.
        `names` are those that it takes from other sources. `parsed` is what to parse instead of `source`, byte for byte
        in the same places.

        Raises `SlowSourceError`: some grammars need quadratic time on some sources.
        """
        import tree_sitter

        self.path = path
        self.source = source
        self.names = names or Names()
        self._grammar = (grammar, function)
        data = source if parsed is None else parsed
        deadline, ticks = time.thread_time() + PARSE_SECONDS, count(1)
        parser = tree_sitter.Parser(_grammar(grammar, function))
        try:
            self._tree = parser.parse(
                lambda offset, _: data[offset : offset + _SLICE],
                progress_callback=lambda *_: next(ticks) % _TICKS == 0 and time.thread_time() > deadline,
            )
        except ValueError as error:
            raise SlowSourceError(f"parsing took longer than {PARSE_SECONDS} seconds") from error

    @property
    def root(self) -> "tree_sitter.Node":
        return self._tree.root_node

    @cached_property
    def is_utf8(self) -> bool:
        try:
            self.source.decode("utf-8")
        except UnicodeDecodeError:
            return False
        return True

    def nodes(self, *types: str, within: "tree_sitter.Node | None" = None) -> "list[tree_sitter.Node]":
        """Named nodes of these types in `within` (default: the file), `within` itself included, in source order.

        Walks the tree, the whole of it once: a query costs as much on real sources, and its time is quadratic on broken
        ones.
        """
        wanted = frozenset(types)
        if within is not None:
            return [node for node in _walk(within) if node.type in wanted]
        numbered = [entry for name in wanted for entry in self._nodes.get(name, ())]
        if len(wanted) > 1:
            numbered.sort(key=lambda entry: entry[0])
        return [node for _, node in numbered]

    @cached_property
    def _nodes(self) -> "dict[str, list[tuple[int, tree_sitter.Node]]]":
        """Type to the named nodes of it, numbered in source order."""
        nodes: dict[str, list[tuple[int, tree_sitter.Node]]] = {}
        for number, node in enumerate(_walk(self.root)):
            nodes.setdefault(node.type, []).append((number, node))
        return nodes

    def decode(self, raw: bytes) -> str:
        """A part of the file as text: UTF-8, or else Windows-1252."""
        return raw.decode("utf-8") if self.is_utf8 else _of_windows(raw)

    def text(self, node: "tree_sitter.Node") -> str:
        """A node's source text. A file that is not UTF-8 is read as Windows-1252, and nothing in it is rewritable."""
        return self.decode(self.source[node.start_byte : node.end_byte])

    def span(self, first: "tree_sitter.Node", last: "tree_sitter.Node | None" = None) -> SourceSpan:
        """From the start of `first` to the end of `last` (default: `first`)."""
        last = last if last is not None else first
        return SourceSpan(
            path=self.path,
            start_byte=first.start_byte,
            end_byte=last.end_byte,
            line=first.start_point.row + 1,
            column=self._column(first.start_byte, first.start_point.column),
            end_line=last.end_point.row + 1,
            end_column=self._column(last.end_byte, last.end_point.column),
        )

    def _column(self, offset: int, byte_column: int) -> int:
        line = self.source[offset - byte_column : offset]
        return len(self.decode(line.removeprefix(_BOM) if offset == byte_column else line)) + 1


def _of_windows(raw: bytes) -> str:
    """A superset of Latin-1 for text, and a character for every byte."""
    try:
        return raw.decode("cp1252")
    except UnicodeDecodeError:
        return raw.decode("latin-1")


def _walk(root: "tree_sitter.Node") -> "Iterator[tree_sitter.Node]":
    """The named nodes of a tree, each before what is in it."""
    cursor = root.walk()
    while True:
        node = cursor.node
        if node is not None and node.is_named:
            yield node
        if cursor.goto_first_child() or cursor.goto_next_sibling():
            continue
        while cursor.goto_parent():
            if cursor.goto_next_sibling():
                break
        else:
            return


@dataclass(frozen=True, slots=True)
class Value:
    """What an expression of the source denotes, told without running it."""

    text: str
    """The string's value, or a regex literal's pattern without its delimiters."""
    node: "tree_sitter.Node"
    """The expression as it stands at the step definition."""
    rewritable: bool = True
    """`node` is one plain literal: False for a constant, a concatenation, an interpolation."""
    is_regex: bool = False
    """The source says that it is a regex: `/…/`, `new RegExp`, `re.compile`, …"""
    flags: str = ""
    """Regex flags in Python's letters."""


class Collector:
    """Gathers what one source file holds."""

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
        """One step definition whose expression is `value`; see `StepDefinition` for the rest."""
        if function is not None and not isinstance(function, SourceSpan):
            function = self.source.span(function)
        self.definitions.append(
            StepDefinition(
                expression=_whole_characters(value.text),
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
        """A custom parameter type; `regexps` empty where the source does not tell."""
        line = node.start_point.row + 1
        self.parameter_types.append(ParameterType(name, regexps, self.language, self.source.path, line))

    def error(self, node: "tree_sitter.Node", message: str) -> None:
        span = self.source.span(node)
        self.errors.append(GlueError(self.source.path, span.line, span.column, message))

    def computed(self, node: "tree_sitter.Node") -> None:
        """The error for an expression that only running the program would tell."""
        text = re.sub(r"\s+", " ", self.source.text(node))
        self.error(node, f"the step's expression is computed: {text if len(text) <= 60 else text[:59] + '…'}")

    def extraction(self) -> Extraction:
        """What was gathered, in source order."""
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


def check_parameter_type(collector: Collector, name: str, flags: str, node: "tree_sitter.Node") -> None:
    """Say why Cucumber refuses a parameter type, before it is added (cucumber-expressions, ParameterType and its
    registry). `flags`: of its regexp, in the language's letters; old versions dropped them."""
    refused = f"parameter type {{{name}}} is refused by Cucumber: "
    if flags:
        collector.error(node, f'{refused}its regexp has the flag "{flags}"')
    if _NO_NAME.search(name):
        collector.error(node, f"{refused}a name may not have any of []()$.|?*+ in it")
    if name in _BUILT_IN or any(name == earlier.name for earlier in collector.parameter_types):
        collector.error(node, f"{refused}there is one of this name already")


_ESCAPE = re.compile(
    r"\\(?:u\{([0-9a-fA-F]+)\}|u+([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|x([0-9a-fA-F]{2})|([0-7]{1,3})|(\r\n|.))", re.DOTALL
)
_SIMPLE = dict(zip("ntrbfva0se", "\n\t\r\b\f\v\a\0 \x1b", strict=True))


def unescape(body: str, *, simple: str = "ntrbfv", unknown_keeps_backslash: bool = False, octal: bool = True) -> str:
    """Resolve backslash escapes as C's descendants do: `simple` are the one-letter ones that the language knows.

    `\\uXXXX` (with surrogate pairs), `\\u{X}`, `\\UXXXXXXXX`, `\\xXX` and octal ones are resolved, a backslash before
    a line end joins lines, `\\c` for another c is c, or stays as it is where `unknown_keeps_backslash`.
    """

    def character(match: re.Match[str]) -> str:
        braced, four, eight, two, octal_digits, other = match.groups()
        digits = braced or four or eight or two
        if digits:
            code = int(digits, 16)
            return chr(code) if code <= 0x10FFFF else match.group()
        if octal_digits:
            if octal:
                return chr(int(octal_digits, 8))
            return match.group() if unknown_keeps_backslash else octal_digits
        if other in ("\n", "\r\n"):
            return ""
        if other in simple:
            return _SIMPLE[other]
        return match.group() if unknown_keeps_backslash and other not in "\\\"'`$/" else other

    text = _ESCAPE.sub(character, body)
    return _whole_characters(text)


def _whole_characters(text: str) -> str:
    """Surrogate pairs joined, lone surrogates replaced: a text that every encoding can hold."""
    if any("\ud800" <= char <= "\udfff" for char in text):
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


@cache
def keyword_methods() -> dict[str, frozenset[str]]:
    """Names that Cucumber derives from the step keywords of all Gherkin dialects ("Given", "Etantdonné", …) to the
    keyword types that they stand for. Blanks, apostrophes, commas and exclamation marks are removed, as in
    cucumber-ruby's `code_keywords` and Cucumber-JVM's annotations.
    """
    from gherkin.dialect import DIALECTS

    types: dict[str, set[str]] = {}
    for spec in DIALECTS.values():
        for keyword_type, keywords in (
            ("given", spec["given"]),
            ("when", spec["when"]),
            ("then", spec["then"]),
            ("and", spec["and"]),
            ("but", spec["but"]),
        ):
            for keyword in keywords:
                name = re.sub(r"[\s',!’\xad]", "", keyword)
                if name and name != "*":
                    types.setdefault(name, set()).add(keyword_type)
    return {name: frozenset(keyword_types) for name, keyword_types in types.items()}


def children(node: "tree_sitter.Node") -> "Iterator[tree_sitter.Node]":
    """Named children without comments."""
    return (child for child in node.named_children if "comment" not in child.type)
