"""Ruby: the values of strings and regexes: literals, concatenations, constants of this file and of others."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import regex

from cukereuse_engine.glue.languages import pickle
from cukereuse_engine.glue.languages.collector import Collector, Value
from cukereuse_engine.glue.languages.escapes import unescape
from cukereuse_engine.glue.languages.source import Source, children
from cukereuse_engine.glue.regexes import translate
from cukereuse_engine.glue.regexes.dialects import ONIGMO

if TYPE_CHECKING:
    from tree_sitter import Node

_FLAGS = {"i": "i", "x": "x", "m": "s", "u": ""}
"""Ruby's "m" lets the dot match line ends, which is Python's "s"."""
_TIMEOUT = 0.2
"""Maximum time in seconds for a replacement that a source makes in a text."""
OPTIONS = {flag: letter for letter, flag in _FLAGS.items() if flag}
"""Maps flags to the letters of Ruby's options."""


@dataclass(slots=True)
class RubyFile:
    """One source, with the values of its names."""

    source: Source
    collector: Collector
    constants: "dict[str, Node]" = field(default_factory=dict)
    methods: "dict[str, Node]" = field(default_factory=dict)
    """Methods without parameters whose body is one expression, to this expression."""
    aliases: dict[str, str] = field(default_factory=dict)
    """`alias Angenommen Given`, `alias_method :Angenommen, :Given`."""


def value_of(file: RubyFile, node: "Node", depth: int = 0) -> Value | None:
    """The value of a string or regex literal, a concatenation, `'…'.freeze`, or a constant of the file."""
    if depth > 20:
        return None
    if node.type in ("string", "regex"):
        return _literal(file, node, depth)
    if node.type == "chained_string":
        return _joined(file, node, list(children(node)), depth)
    if node.type == "binary":
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        operator = node.child_by_field_name("operator")
        if left is None or right is None or operator is None or operator.type != "+":
            return None
        return _joined(file, node, [left, right], depth)
    if node.type in ("constant", "identifier", "scope_resolution"):
        return _named(file, node, depth)
    if node.type == "call":
        return _call(file, node, depth)
    if node.type == "parenthesized_statements":
        inner = list(children(node))
        return value_of(file, inner[0], depth + 1) if len(inner) == 1 else None
    return None


def _of_module(file: RubyFile, owner: str, name: str) -> "Node | None":
    """The value of a constant in a module or class of the file."""
    for node in file.source.nodes("module", "class") if owner else ():
        named, body = node.child_by_field_name("name"), node.child_by_field_name("body")
        if named is None or body is None or file.source.text(named) != owner.rpartition("::")[2]:
            continue
        for statement in children(body):
            left = statement.child_by_field_name("left") if statement.type == "assignment" else None
            if left is not None and file.source.text(left) == name:
                return statement.child_by_field_name("right")
    return None


def _named(file: RubyFile, node: "Node", depth: int) -> Value | None:
    """The value of a constant, or of a method without parameters, of any file."""
    owner, _, name = file.source.text(node).rpartition("::")
    constant = _of_module(file, owner, name) or file.constants.get(name) or file.methods.get(name)
    value = value_of(file, constant, depth + 1) if constant is not None else None
    if constant is not None:
        return value and Value(value.text, node, False, value.is_regex, value.flags)
    if not owner and _is_bound(file, name):
        return None
    given = file.source.names.get(name, owner.split("::")[-1])
    return Value(given.text, node, False, given.is_regex, given.flags) if given is not None else None


def _is_bound(file: RubyFile, name: str) -> bool:
    """True if a name is a variable here: a block's parameter, or assigned more than once. A constant is neither."""
    word = re.escape(name).encode()
    assigned = rb"\b" + word + rb"\s*=[^=~>]"
    parameter = rb"(?:\bdo|\{)\s*\|[^|\n]*\b" + word + rb"\b[^|\n]*\||"
    pattern = assigned if name[:1].isupper() else parameter + assigned
    return re.search(pattern, file.source.source) is not None


def _call(file: RubyFile, node: "Node", depth: int) -> Value | None:
    """`'…'.freeze` is the string; `Regexp.new('…')` and `Regexp.union('…', …)` are regexes; `%w(a b).join('|')` and
    `'…'.gsub(/…/, '…')` are strings."""
    receiver, method = node.child_by_field_name("receiver"), node.child_by_field_name("method")
    if method is None:
        return None
    arguments = node.child_by_field_name("arguments")
    inner = list(children(arguments)) if arguments is not None else []
    name = file.source.text(method)
    if receiver is None:
        return _transform(file, node, inner, depth) if name == "Transform" else None
    of_class = _REGEXP_METHODS.get(name)
    if of_class is not None and file.source.text(receiver) == "Regexp":
        return of_class(file, node, inner, depth)
    if name == "freeze":
        value = value_of(file, receiver, depth + 1)
        return value and Value(value.text, node, False, value.is_regex, value.flags)
    if name == "join":
        return _of_list(file, node, receiver, inner, depth)
    if name in ("gsub", "sub") and len(inner) == 2:
        return _replaced(node, *(value_of(file, part, depth + 1) for part in (receiver, *inner)), once=name == "sub")
    return None


def _of_list(file: RubyFile, node: "Node", receiver: "Node", inner: "list[Node]", depth: int) -> Value | None:
    texts = _texts(file, receiver, depth)
    between = value_of(file, inner[0], depth + 1) if len(inner) == 1 else None
    return Value(between.text.join(texts), node, rewritable=False) if texts and between is not None else None


def _union(file: RubyFile, node: "Node", inner: "list[Node]", depth: int) -> Value | None:
    texts = _texts(file, inner[0], depth) if len(inner) == 1 else _listed(file, inner, depth)
    return Value("|".join(map(re.escape, texts)), node, False, True) if texts else None


def _new(file: RubyFile, node: "Node", inner: "list[Node]", depth: int) -> Value | None:
    value = value_of(file, inner[0], depth + 1) if len(inner) == 1 else None
    return value and Value(value.text, node, False, True, value.flags)


def _transform(file: RubyFile, node: "Node", inner: "list[Node]", depth: int) -> Value | None:
    """What `MONEY = Transform(/^(\\d+)$/) { … }` inserts: its regex without anchors and captures, as the `to_s` of
    cucumber-ruby 1 and 2 changes it (rb_support/rb_transform.rb)."""
    value = value_of(file, inner[0], depth + 1) if len(inner) == 1 else None
    if value is None:
        return None
    text = re.sub(r"^\^|\$$", "", value.text, flags=re.MULTILINE)
    text = re.sub(r"\(\?<(?![=!])", "(?:<", re.sub(r"\((?!\?[<:=!])", "(?:", text))
    return Value(text, node, rewritable=False)


def _replaced(node: "Node", text: Value | None, pattern: Value | None, by: Value | None, *, once: bool) -> Value | None:
    """The text after the replacement; None if the replacement refers to the replaced text."""
    if text is None or pattern is None or by is None or text.is_regex or by.is_regex or "\\" in by.text:
        return None
    looked_for = translate(pattern.text, ONIGMO).text if pattern.is_regex else regex.escape(pattern.text)
    try:
        replaced = regex.sub(looked_for, lambda _: by.text, text.text, count=int(once), timeout=_TIMEOUT)
    except (regex.error, TimeoutError):
        return None
    return Value(replaced, node, rewritable=False)


def _texts(file: RubyFile, node: "Node", depth: int) -> list[str]:
    """The texts of an array, of `%w(a b)`, or of a constant of the file with such a value; empty if the source does not
    tell."""
    if depth > 20:
        return []
    if node.type in ("constant", "identifier", "scope_resolution"):
        constant = file.constants.get(file.source.text(node).rpartition("::")[2])
        return _texts(file, constant, depth + 1) if constant is not None else []
    if node.type == "call":  # `[…].freeze`
        receiver, method = node.child_by_field_name("receiver"), node.child_by_field_name("method")
        is_frozen = receiver is not None and method is not None and file.source.text(method) == "freeze"
        return _texts(file, receiver, depth + 1) if is_frozen and receiver is not None else []
    if node.type in ("string_array", "symbol_array"):
        words = [file.source.text(word) for word in children(node)]
        return [] if any("#{" in word or "\\" in word for word in words) else words
    return _listed(file, list(children(node)), depth) if node.type == "array" else []


def _listed(file: RubyFile, nodes: "list[Node]", depth: int) -> list[str]:
    values = [value_of(file, node, depth + 1) for node in nodes]
    texts = [value.text for value in values if value is not None and not value.is_regex]
    return texts if len(texts) == len(nodes) else []


def _joined(file: RubyFile, node: "Node", parts: "list[Node]", depth: int) -> Value | None:
    values = [value_of(file, part, depth + 1) for part in parts]
    texts = [value.text for value in values if value is not None and not value.is_regex]
    return Value("".join(texts), node, rewritable=False) if len(texts) == len(values) else None


def _literal(file: RubyFile, node: "Node", depth: int) -> Value | None:
    """The body between the delimiters; `#{CONSTANT}` is replaced if the file tells its value."""
    opening, closing = node.children[0], node.children[-1]
    if opening.end_byte > closing.start_byte:
        return None
    is_regex = node.type == "regex"
    delimiters = file.source.text(opening)
    raw = delimiters == "'" or delimiters.startswith("%q")
    pieces: list[str] = []
    at = opening.end_byte
    interpolations = [child for child in node.named_children if child.type == "interpolation"]
    for child in interpolations:
        pieces.append(_body(file, at, child.start_byte, is_regex, raw, delimiters))
        inserted = _inserted(file, list(children(child)), is_regex, depth)
        if inserted is None:
            return None
        pieces.append(inserted)
        at = child.end_byte
    pieces.append(_body(file, at, closing.start_byte, is_regex, raw, delimiters))
    letters = file.source.text(closing)[1:] if is_regex else ""
    flags = "".join(_FLAGS.get(letter, "") for letter in letters)
    return Value("".join(pieces), node, not interpolations, is_regex, flags)


def _inserted(file: RubyFile, inner: "list[Node]", is_regex: bool, depth: int) -> str | None:
    """The text that an interpolation inserts; None if the source does not tell."""
    if len(inner) != 1:
        return None
    value = value_of(file, inner[0], depth + 1)
    if value is not None:
        return embedded(value) if is_regex and value.is_regex else value.text
    return pickle.captured(file.source.names, file.source.text(inner[0])) if is_regex else None


def _body(file: RubyFile, start: int, end: int, is_regex: bool, raw: bool, delimiters: str) -> str:
    body = file.source.decode(file.source.source[start:end])
    if is_regex:
        return body.replace("\\/", "/") if delimiters == "/" else body
    if raw:
        return re.sub(r"\\(['\\])", r"\1", body)
    return unescape(body, simple="ntrbfvase")


def embedded(value: Value) -> str:
    """A regex inside another regex, as Ruby's `to_s` embeds it."""
    return f"(?i:{value.text})" if "i" in value.flags else f"(?:{value.text})"


_REGEXP_METHODS: "Mapping[str, Callable[[RubyFile, Node, list[Node], int], Value | None]]" = {
    "union": _union,
    "new": _new,
}
"""Methods of the class `Regexp`."""
