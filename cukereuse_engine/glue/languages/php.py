"""PHP: Behat's annotations in doc comments, its attributes, and `@Transform`.

Behat ignores a step's keyword.
"""

import re
from collections.abc import Iterator, Set
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from cukereuse_engine.glue.definition import Anchoring, Constant, ExpressionKind, Extraction, SourceSpan, StepDefinition
from cukereuse_engine.glue.languages.base import Language
from cukereuse_engine.glue.languages.collector import Collector, Value
from cukereuse_engine.glue.languages.comments import C_LIKE
from cukereuse_engine.glue.languages.escapes import unescape
from cukereuse_engine.glue.languages.evaluation import Evaluator, Parts, name_of
from cukereuse_engine.glue.languages.php_classes import imports_of, read_classes
from cukereuse_engine.glue.languages.source import ConstantNames, Source, children
from cukereuse_engine.glue.regexes import dialects

if TYPE_CHECKING:
    from tree_sitter import Node

FRAMEWORK = "behat"
_STRINGS = frozenset({"string", "encapsed_string", "nowdoc", "heredoc"})
_KEYWORDS = {"given", "when", "then"}
_ANNOTATION = re.compile(r"@(given|when|then)\s+(.+)|@(transform)\s*(.*)", re.IGNORECASE | re.DOTALL)
"""Behat, DefinitionAnnotationReader.php and TransformationAnnotationReader.php."""
_LINE_START = re.compile(r"[ \t]*(?:/\*\*|\*(?!/))?[ \t]*")
"""The beginning of a doc comment's line, which Behat removes (AnnotatedContextReader.php)."""
_REGEX = re.compile(
    r"(?:\{(?P<braced>.*)\}|(?P<delimiter>[~/#`])(?P<body>.*)(?P=delimiter))(?P<flags>[imsxADSUXJu]*)", re.DOTALL
)
"""Behat, RegexPatternPolicy.php; anything else is a Turnip pattern."""
_METHOD = re.compile(r"\s*(?:(?:public|static|final|abstract)\s+)*function\s+(\w+)\s*\(")
_TABLES = re.compile(r"(?:row|column|rowtable|table):", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class BehatPattern:
    """The kind of expression that Behat takes a text for, and its pattern."""

    text: str
    """Without the delimiters of a regex."""
    kind: ExpressionKind
    anchoring: Anchoring = Anchoring.FULL
    flags: str = ""


def pattern_of(text: str) -> BehatPattern:
    regex = _REGEX.fullmatch(text)
    if regex is None:
        return BehatPattern(text, ExpressionKind.TURNIP)
    body = regex["braced"] if regex["braced"] is not None else regex["body"]
    anchoring = Anchoring.MATCH if "A" in regex["flags"] else Anchoring.SEARCH
    flags = "".join(flag for flag in regex["flags"] if flag in "imsxuU")
    return BehatPattern(body, ExpressionKind.REGEX, anchoring, flags)


def _add(collector: Collector, value: Value, keyword: str, function: "Node | None", function_name: str) -> None:
    pattern = pattern_of(value.text)
    collector.add(
        replace(value, text=pattern.text),
        pattern.kind,
        framework=FRAMEWORK,
        keyword=keyword,
        function=function,
        function_name=function_name,
        anchoring=pattern.anchoring,
        flags=pattern.flags,
    )


def _kind_reason(definition: StepDefinition) -> str:
    """What `_REGEX` finds in a text that determines its kind."""
    if definition.kind is ExpressionKind.TURNIP:
        return "has neither / ~ # ` on both sides nor braces around it"
    delimiter = definition.source_literal.lstrip("'\"")[:1]
    return "has braces around it" if delimiter == "{" else f"has {delimiter} on both sides"


@dataclass(frozen=True, slots=True)
class _DocLine:
    """One annotation of a doc comment."""

    text: str
    start: int
    """Offset of the annotation in the file, in bytes."""
    end: int
    joined: bool
    """True if it is written over several lines, each but the last ending in a backslash."""


def _doc_lines(comment: bytes, offset: int) -> Iterator[_DocLine]:
    text = ""
    start = 0
    joined = False
    for line in comment.split(b"\n"):
        decoded = line.decode("utf-8", "surrogateescape")
        cut = _LINE_START.match(decoded)
        content = decoded[cut.end() if cut else 0 :]
        first = offset + len(line) - len(content.encode("utf-8", "surrogateescape"))
        content = re.sub(r"\s*\*/$", "", content.rstrip()).rstrip()
        end = first + len(content.encode("utf-8", "surrogateescape"))
        offset += len(line) + 1
        if not joined:
            start = first
        text += content
        if content.endswith("\\"):
            text, joined = text[:-1], True
            continue
        yield _DocLine(text, start, end, joined)
        text, joined = "", False


def _quoted(source: Source, node: "Node") -> "Parts | None":
    text = source.text(node)
    if node.type == "string":
        return [re.sub(r"\\([\\'])", r"\1", text[text.index("'") + 1 : -1])]
    if node.type == "nowdoc":
        return [_dedented(source, node)]
    if node.type == "heredoc":
        body = node.child_by_field_name("value")
        plain = body is None or all(child.type in ("string_content", "escape_sequence") for child in children(body))
        return [_double_quoted(_dedented(source, node))] if plain else None
    parts: Parts = []
    for child in children(node):
        if child.type in ("string_content", "escape_sequence"):
            parts.append(_double_quoted(source.text(child)))
        else:
            return None  # a variable
    return ["".join(part for part in parts if isinstance(part, str))]


def _double_quoted(text: str) -> str:
    return unescape(text, simple="ntrvfe", unknown_keeps_backslash=True)


def _dedented(source: Source, node: "Node") -> str:
    """The body of a heredoc, without the indentation of its last line."""
    lines = source.text(node).split("\n")
    indent = len(lines[-1]) - len(lines[-1].lstrip())
    return "\n".join(line.rstrip("\r")[indent:] for line in lines[1:-1])


def _parts(source: Source, node: "Node") -> "Parts | None":
    if node.type in _STRINGS:
        return _quoted(source, node)
    if node.type == "parenthesized_expression":
        return list(children(node))
    operator = node.child_by_field_name("operator")
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    if node.type == "binary_expression" and operator is not None and operator.type == "." and left and right:
        return [left, right]
    name = name_of(source, node) if node.type in ("class_constant_access_expression", "name") else None
    return [name] if name is not None else None


def _constants(source: Source) -> "Iterator[tuple[str, Node]]":
    for element in source.nodes("const_element"):
        parts = list(children(element))
        if len(parts) > 1:
            yield source.text(parts[0]), parts[-1]


class _File:
    def __init__(self, path: str, source: bytes, names: ConstantNames | None = None) -> None:
        self.source = Source(path, source, "tree_sitter_php", "language_php", names=names)
        self.collector = Collector(self.source, LANGUAGE.id)
        self.imports = imports_of(self.source)
        self.comments: set[int] = set()
        """Offsets of the doc comments that were read."""
        self.evaluator = Evaluator(self.source, literals=_STRINGS, parts=_parts, constants=_constants)

    def read_methods(self) -> None:
        """Read each method with the doc comment above it; blanks and other comments may be between. This compares
        offsets: a node searches its siblings from the first one on, and its text in all parsed slices."""
        comment: Node | None = None
        end = 0
        for node in self.source.nodes("comment", "method_declaration"):
            if self.source.source[end : node.start_byte].strip():
                comment = None
            end = node.end_byte
            if node.type == "method_declaration":
                self._read(node, comment)
                comment, end = None, node.start_byte
            elif self.source.source.startswith(b"/**", node.start_byte):
                comment = node

    def _read(self, method: "Node", comment: "Node | None") -> None:
        name_node = method.child_by_field_name("name")
        visibility = next((child for child in children(method) if child.type == "visibility_modifier"), None)
        if name_node is None or (visibility is not None and self.source.text(visibility).lower() != "public"):
            return  # Behat reads public methods only (AnnotatedContextReader.php)
        name = self.source.text(name_node)
        if comment is not None:
            self._read_comment(comment, method, name)
        for child in method.children:  # if a `#` hides the function of `public`, the next method's comment is in here
            if child.end_byte < name_node.start_byte and self.source.source.startswith(b"/**", child.start_byte):
                self._read_comment(child, method, name)
        attributes = method.child_by_field_name("attributes")
        for attribute in self.source.nodes("attribute", within=attributes) if attributes is not None else ():
            self._read_attribute(attribute, method, name)

    def read_strays(self) -> None:
        """Read doc comments whose methods an earlier syntax error hides: the method's name is taken from the text."""
        for comment in self.source.nodes("comment"):
            if comment.start_byte not in self.comments:
                following = self.source.source[comment.end_byte : comment.end_byte + 300]
                match = _METHOD.match(following.decode("utf-8", "replace"))
                if match is not None:
                    self._read_comment(comment, None, match[1])

    def _read_comment(self, comment: "Node", method: "Node | None", name: str) -> None:
        self.comments.add(comment.start_byte)
        text = self.source.source[comment.start_byte : comment.end_byte]
        for line in _doc_lines(text, comment.start_byte):
            match = _ANNOTATION.fullmatch(line.text)
            if match is None:
                continue
            if match[3]:
                self._add_transformation(match[4], name, comment)
                continue
            pattern = match[2]
            _add(self.collector, Value(pattern, comment, rewritable=not line.joined), match[1], method, name)
            start = line.start + len(line.text[: match.start(2)].encode("utf-8", "surrogateescape"))
            self._place(comment, start, line.end)

    def _place(self, comment: "Node", start: int, end: int) -> None:
        """Set the place of the last definition's pattern inside its comment, which has no tree of its own."""
        source = self.source.source
        definition = self.collector.definitions[-1]
        encoding = "utf-8" if self.source.is_utf8 else "latin-1"

        def position(offset: int) -> tuple[int, int]:
            line_start = source.rfind(b"\n", 0, offset) + 1
            line = comment.start_point.row + source.count(b"\n", comment.start_byte, offset) + 1
            return line, len(source[line_start:offset].decode(encoding)) + 1

        self.collector.definitions[-1] = replace(
            definition,
            literal=SourceSpan(self.source.path, start, end, *position(start), *position(end)),
            source_literal=source[start:end].decode(encoding),
        )

    def _read_attribute(self, attribute: "Node", method: "Node", name: str) -> None:
        parts = list(children(attribute))
        written = self.source.text(parts[0]) if parts else ""
        keyword = self.imports.get(written.lower(), written).split("\\")[-1]
        if keyword.lower() not in _KEYWORDS | {"transform"}:
            return
        arguments = attribute.child_by_field_name("parameters")
        argument = next(children(arguments), None) if arguments is not None else None
        expression = list(children(argument))[-1] if argument is not None and argument.named_child_count else None
        value = self.evaluator.value(expression) if expression is not None else None
        if keyword.lower() == "transform":
            if value is not None or expression is None:
                self._add_transformation(value.text if value is not None else "", name, attribute)
        elif value is not None:
            _add(self.collector, value, keyword, method, name)
        elif expression is not None:
            self.collector.computed(expression)

    def _add_transformation(self, pattern: str, method_name: str, node: "Node") -> None:
        """`:name` names an argument, a regex selects arguments by value; tables define no type here."""
        if _TABLES.match(pattern):
            return
        regex = _REGEX.fullmatch(pattern)
        if regex is not None:
            body = regex["braced"] if regex["braced"] is not None else regex["body"]
            self.collector.add_parameter_type(method_name, (body,), node)
        for name in re.findall(r":(\w+)", pattern) if regex is None else ():
            self.collector.add_parameter_type(name, (), node)


def extract(path: str, source: bytes, names: ConstantNames | None = None) -> Extraction:
    file = _File(path, source, names)
    file.read_methods()
    if file.source.root.has_error:
        file.read_strays()
    return replace(file.collector.extraction(), classes=read_classes(file.source))


def constants(path: str, source: bytes, names: Set[str]) -> list[Constant]:
    return _File(path, source).evaluator.constants(names)


LANGUAGE = Language(
    id="php",
    name="PHP",
    regex=dialects.PCRE,
    suffixes=(".php",),
    comments=replace(C_LIKE, line=("//", "#"), directives=("#[", "#!")),
    editor_ids=("php",),
    # contexts without steps of their own still name the classes and traits that have them
    hint=re.compile(
        rb"(?i)@(?:given|when|then|transform)\b|Behat\\(?:Step|Transformation|Behat\\Context)|class \w*Context\b"
    ),
    extract=extract,
    constants=constants,
    kind_reason=_kind_reason,
)
