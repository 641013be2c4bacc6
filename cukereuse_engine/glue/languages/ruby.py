"""Ruby: cucumber-ruby's `Given(/…/) do |x|`, with regexes or Cucumber Expressions, in any dialect's keywords.

Only calls without a receiver and with a block (or a symbol) define a step; `step "…"` inside a block is a use.
"""

import re
from collections.abc import Set
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from cukereuse_engine.glue.definition import Anchoring, Constant, ExpressionKind, Extraction, Limit
from cukereuse_engine.glue.expressions import TURNIP_TOKEN
from cukereuse_engine.glue.languages import pickle
from cukereuse_engine.glue.languages.base import (
    Collector,
    Language,
    Names,
    Source,
    Value,
    check_parameter_type,
    children,
    keyword_methods,
    unescape,
)
from cukereuse_engine.glue.regexes import dialects

if TYPE_CHECKING:
    from tree_sitter import Node

_FRAMEWORK = "cucumber-ruby"
_TURNIP = "turnip"
_QUOTES = "\"'"
_FLAGS = {"i": "i", "x": "x", "m": "s", "u": ""}
_OPTIONS = {flag: letter for letter, flag in _FLAGS.items() if flag}
"""Ruby's "m" lets the dot match line ends, which is Python's "s"."""


@dataclass(slots=True)
class _File:
    source: Source
    collector: Collector
    constants: "dict[str, Node]" = field(default_factory=dict)
    methods: "dict[str, Node]" = field(default_factory=dict)
    """Methods without parameters whose body is one expression, to that."""
    aliases: dict[str, str] = field(default_factory=dict)
    """`alias Angenommen Given`, `alias_method :Angenommen, :Given`."""


def _read_constants(file: _File) -> None:
    """Those of the file, and of modules where the file has none of that name."""
    assigned: dict[str, list[tuple[bool, Node]]] = {}
    for node in file.source.nodes("assignment"):
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        if left is not None and right is not None and left.type in ("constant", "identifier"):
            around = node.parent
            while around is not None and around.type not in ("class", "module", "singleton_class", "method"):
                around = around.parent
            is_inside = around is not None
            assigned.setdefault(file.source.text(left), []).append((is_inside, right))
    for name, values in assigned.items():
        of_file = [right for is_inside, right in values if not is_inside]
        meant = of_file or [right for _, right in values]
        if len(meant) == 1:
            file.constants[name] = meant[0]
    for node in file.source.nodes("method", "singleton_method"):
        named, body = node.child_by_field_name("name"), node.child_by_field_name("body")
        inner = list(children(body)) if body is not None and node.child_by_field_name("parameters") is None else []
        if named is not None and len(inner) == 1:
            file.methods[file.source.text(named)] = inner[0]


def _read_aliases(file: _File) -> None:
    for node in file.source.nodes("alias", "call"):
        if node.type == "alias":
            names = [node.child_by_field_name("name"), node.child_by_field_name("alias")]
        elif file.source.text(node).startswith("alias_method"):
            arguments = node.child_by_field_name("arguments")
            names = list(children(arguments)) if arguments is not None else []
        else:
            continue
        if len(names) == 2 and names[0] is not None and names[1] is not None:
            new, old = (file.source.text(name).lstrip(":") for name in (names[0], names[1]))
            file.aliases[new] = old


def _value(file: _File, node: "Node", depth: int = 0) -> Value | None:
    """A string or regex literal, a concatenation, `'…'.freeze`, or a constant of the file."""
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
        return _value(file, inner[0], depth + 1) if len(inner) == 1 else None
    return None


def _of_module(file: _File, owner: str, name: str) -> "Node | None":
    """The value of a constant that a module or class of the file has."""
    for node in file.source.nodes("module", "class") if owner else ():
        named, body = node.child_by_field_name("name"), node.child_by_field_name("body")
        if named is None or body is None or file.source.text(named) != owner.rpartition("::")[2]:
            continue
        for statement in children(body):
            left = statement.child_by_field_name("left") if statement.type == "assignment" else None
            if left is not None and file.source.text(left) == name:
                return statement.child_by_field_name("right")
    return None


def _named(file: _File, node: "Node", depth: int) -> Value | None:
    """A constant or a method without parameters, of this file or another one."""
    owner, _, name = file.source.text(node).rpartition("::")
    constant = _of_module(file, owner, name) or file.constants.get(name) or file.methods.get(name)
    value = _value(file, constant, depth + 1) if constant is not None else None
    if constant is not None:
        return value and Value(value.text, node, False, value.is_regex, value.flags)
    if not owner and _is_bound(file, name):
        return None
    given = file.source.names.get(name, owner.split("::")[-1])
    return Value(given.text, node, False, given.is_regex, given.flags) if given is not None else None


def _is_bound(file: _File, name: str) -> bool:
    """Whether a name is a variable here: assigned, more than once, or a parameter of a block."""
    word = re.escape(name).encode()
    return (
        re.search(rb"\|[^|\n]*\b" + word + rb"\b[^|\n]*\||\b" + word + rb"\s*=[^=~>]", file.source.source) is not None
    )


def _call(file: _File, node: "Node", depth: int) -> Value | None:
    """`'…'.freeze` is the string; `Regexp.new('…')` and `Regexp.union('…', …)` are regexes; `%w(a b).join('|')`."""
    receiver, method = node.child_by_field_name("receiver"), node.child_by_field_name("method")
    if receiver is None or method is None:
        return None
    name = file.source.text(method)
    if name == "freeze":
        value = _value(file, receiver, depth + 1)
        return value and Value(value.text, node, False, value.is_regex, value.flags)
    arguments = node.child_by_field_name("arguments")
    inner = list(children(arguments)) if arguments is not None else []
    if name == "join":
        texts = _texts(file, receiver, depth)
        between = _value(file, inner[0], depth + 1) if len(inner) == 1 else None
        return Value(between.text.join(texts), node, rewritable=False) if texts and between is not None else None
    if name == "union" and file.source.text(receiver) == "Regexp":
        texts = _texts(file, inner[0], depth) if len(inner) == 1 else _listed(file, inner, depth)
        return Value("|".join(map(re.escape, texts)), node, False, True) if texts else None
    if name == "new" and file.source.text(receiver) == "Regexp":
        value = _value(file, inner[0], depth + 1) if len(inner) == 1 else None
        return value and Value(value.text, node, False, True, value.flags)
    return None


def _texts(file: _File, node: "Node", depth: int) -> list[str]:
    """The texts of an array, `%w(a b)`, or a constant of the file that is one; empty where the source does not tell."""
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


def _listed(file: _File, nodes: "list[Node]", depth: int) -> list[str]:
    values = [_value(file, node, depth + 1) for node in nodes]
    texts = [value.text for value in values if value is not None and not value.is_regex]
    return texts if len(texts) == len(nodes) else []


def _joined(file: _File, node: "Node", parts: "list[Node]", depth: int) -> Value | None:
    values = [_value(file, part, depth + 1) for part in parts]
    texts = [value.text for value in values if value is not None and not value.is_regex]
    return Value("".join(texts), node, rewritable=False) if len(texts) == len(values) else None


def _literal(file: _File, node: "Node", depth: int) -> Value | None:
    """The body between the delimiters; `#{CONSTANT}` is resolved where the file tells."""
    opening, closing = node.children[0], node.children[-1]
    if opening.end_byte > closing.start_byte:
        return None
    is_regex = node.type == "regex"
    delimiters = file.source.text(opening)
    raw = delimiters == "'" or delimiters.startswith("%q")
    pieces: list[str] = []
    rewritable = True
    at = opening.end_byte
    for child in node.named_children:
        if child.type == "interpolation":
            pieces.append(_body(file, at, child.start_byte, is_regex, raw, delimiters))
            inner = list(children(child))
            value = _value(file, inner[0], depth + 1) if len(inner) == 1 else None
            is_name = len(inner) == 1 and is_regex and value is None
            collected = pickle.captured(file.source.names, file.source.text(inner[0])) if is_name else None
            if value is None and collected is None:
                return None
            if value is not None:
                pieces.append(_embedded(value) if is_regex and value.is_regex else value.text)
            elif collected is not None:
                pieces.append(collected)
            at, rewritable = child.end_byte, False
    pieces.append(_body(file, at, closing.start_byte, is_regex, raw, delimiters))
    letters = file.source.text(closing)[1:] if is_regex else ""
    flags = "".join(_FLAGS.get(letter, "") for letter in letters)
    return Value("".join(pieces), node, rewritable, is_regex, flags)


def _body(file: _File, start: int, end: int, is_regex: bool, raw: bool, delimiters: str) -> str:
    body = file.source.decode(file.source.source[start:end])
    if is_regex:
        return body.replace("\\/", "/") if delimiters == "/" else body
    if raw:
        return re.sub(r"\\(['\\])", r"\1", body)
    return unescape(body, simple="ntrbfvase")


def _first_argument(call: "Node") -> "Node | None":
    arguments = call.child_by_field_name("arguments")
    return next(children(arguments), None) if arguments is not None else None


def _defines_step(call: "Node") -> bool:
    """Has a block, or hands the step to a method by symbol."""
    if call.child_by_field_name("block") is not None:
        return True
    arguments = call.child_by_field_name("arguments")
    others = list(children(arguments))[1:] if arguments is not None else []
    return any(other.type in ("simple_symbol", "lambda", "block_argument", "pair") for other in others)


def _read_definition(file: _File, call: "Node", name: str) -> None:
    argument = _first_argument(call)
    if argument is None or not _defines_step(call):
        return
    value = _value(file, argument)
    if value is None:
        file.collector.computed(argument)
        return
    file.collector.add(
        value,
        ExpressionKind.REGEX if value.is_regex else ExpressionKind.CUCUMBER,
        framework=_FRAMEWORK,
        keyword=name,
        function=call.child_by_field_name("block") or call,
        anchoring=Anchoring.SEARCH,
        yields=_priority(file, call),
    )


def _priority(file: _File, call: "Node") -> int | None:
    """Of `Given(…) do … end.overridable(priority: 5)` (cucumber_priority); None without it."""
    around = call.parent
    method = around.child_by_field_name("method") if around is not None and around.type == "call" else None
    if around is None or method is None or file.source.text(method) != "overridable":
        return None
    if around.child_by_field_name("receiver") != call:
        return None
    arguments = around.child_by_field_name("arguments")
    stated = (
        re.search(r"\bpriority(?::|\s*=>)\s*(-?\d+)", file.source.text(arguments)) if arguments is not None else None
    )
    return int(stated[1]) if stated else 0


def _read_turnip(file: _File, call: "Node") -> None:
    """Turnip's `step "… :name …" do` and `step :method, "…"`; inside of `steps_for :admin` it answers under the tag
    @admin alone."""
    given = call.child_by_field_name("arguments")
    arguments = list(children(given)) if given is not None else []
    block = call.child_by_field_name("block")
    name = file.source.text(arguments[0]).lstrip(":") if arguments and arguments[0].type == "simple_symbol" else ""
    if name and len(arguments) == 2 and block is None:
        del arguments[0]
    elif block is None:
        return
    argument = arguments[0] if arguments else None
    if argument is None or argument.type != "string":
        return
    value = _value(file, argument)
    if value is None:
        file.collector.computed(argument)
        return
    limits: list[Limit] = []
    modules: list[str] = []
    around = call.parent
    while around is not None:
        method = around.child_by_field_name("method") if around.type == "call" else None
        scope = _first_argument(around) if method is not None and file.source.text(method) == "steps_for" else None
        if scope is not None and file.source.text(scope) != ":global":
            limits = [Limit(tags=f"@{file.source.text(scope).lstrip(':').strip(_QUOTES)}")]
        module = around.child_by_field_name("name") if around.type == "module" else None
        if module is not None:
            modules.insert(0, file.source.text(module))
        around = around.parent
    if modules and not limits and (tags := _included_under(file).get("::".join(modules))):
        limits = [Limit(tags=tag) for tag in tags]
    file.collector.add(
        value,
        ExpressionKind.TURNIP,
        framework=_TURNIP,
        keyword="step",
        function=block or _method(file, name),
        function_name=name if block is None else "",
        limits=tuple(limits),
    )


def _method(file: _File, name: str) -> "Node | None":
    """The only method of that name here."""
    found = [
        node
        for node in file.source.nodes("method")
        if (named := node.child_by_field_name("name")) is not None and file.source.text(named) == name
    ]
    return found[0] if len(found) == 1 else None


def _read_placeholder(file: _File, call: "Node") -> None:
    """Turnip's `placeholder :name do match(/…/) { … }; default { … } end`."""
    given, block = call.child_by_field_name("arguments"), call.child_by_field_name("block")
    names = [one for one in (children(given) if given is not None else ()) if one.type == "simple_symbol"]
    if block is None or not names:
        return
    regexps: list[str] = []
    for inner in file.source.nodes("call", "identifier", within=block):
        method = inner.child_by_field_name("method") if inner.type == "call" else inner
        called = file.source.text(method) if method is not None else ""
        argument = _first_argument(inner) if inner.type == "call" else None
        if called == "match" and argument is not None:
            value = _value(file, argument)
            regexps.append(".*?" if value is None else _embedded(value) if value.is_regex else re.escape(value.text))
        elif called == "default" and inner.type == "call":
            regexps.append(TURNIP_TOKEN)
    for name in names if regexps else ():
        file.collector.add_parameter_type(file.source.text(name).lstrip(":"), tuple(regexps), call)


def _included_under(file: _File) -> dict[str, list[str]]:
    """`config.include Admin::Steps, admin: true`: a module to the tags under which its steps are known."""
    tags_of: dict[str, list[str]] = {}
    for call in file.source.nodes("call"):
        method, arguments = call.child_by_field_name("method"), call.child_by_field_name("arguments")
        if method is None or arguments is None or file.source.text(method) != "include":
            continue
        module, *pairs = list(children(arguments)) or [arguments]
        for pair in pairs if call.child_by_field_name("receiver") is not None else ():
            key, value = pair.child_by_field_name("key"), pair.child_by_field_name("value")
            if key is not None and value is not None and file.source.text(value) == "true":
                name = file.source.text(module).removeprefix("::")
                tags_of.setdefault(name, []).append(f"@{file.source.text(key).strip(':')}")
    return tags_of


def _read_parameter_type(file: _File, call: "Node") -> None:
    """`ParameterType(name: 'x', regexp: /…/, …)`; regexp may be a list."""
    arguments = call.child_by_field_name("arguments")
    pairs: dict[str, Node] = {}
    for child in children(arguments) if arguments is not None else ():
        key, value = child.child_by_field_name("key"), child.child_by_field_name("value")
        if child.type == "pair" and key is not None and value is not None:
            pairs[file.source.text(key).strip(":")] = value
    name = _value(file, pairs["name"]) if "name" in pairs else None
    if name is None or "regexp" not in pairs:
        return
    node = pairs["regexp"]
    nodes = list(children(node)) if node.type == "array" else [node]
    values = [_value(file, regexp) for regexp in nodes]
    flags = "".join(_OPTIONS[flag] for value in values if value is not None for flag in value.flags)
    check_parameter_type(file.collector, name.text, flags, call)
    texts = tuple(value.text for value in values if value is not None)
    file.collector.add_parameter_type(name.text, texts if len(texts) == len(nodes) else (), call)


def _embedded(value: Value) -> str:
    """A regex as a part of another one, as Ruby's `to_s` embeds it."""
    return f"(?i:{value.text})" if "i" in value.flags else f"(?:{value.text})"


def _owner_of(file: _File, node: "Node") -> str:
    around = node.parent
    while around is not None:
        name = around.child_by_field_name("name") if around.type in ("class", "module") else None
        if name is not None:
            return file.source.text(name).split("::")[-1]
        around = around.parent
    return ""


def constants(path: str, source: bytes, names: Set[str]) -> list[Constant]:
    """Of constants and methods; and what pickle collects."""
    text = source.decode("utf-8", "replace")
    constants = []
    for name, read in pickle.COLLECT.items():
        patterns = {re.escape(pattern).replace("_", "[_ ]") for pattern in read(text)} if name in names else ()
        constants += [Constant(name, "", path, pattern) for pattern in sorted(patterns)]
    plain = sorted(name for name in names - pickle.COLLECT.keys() if name in text)
    file = _File(parsed := Source(path, source, "tree_sitter_ruby"), Collector(parsed, LANGUAGE.id)) if plain else None
    if file is None:
        return constants
    _read_constants(file)
    for name in plain:
        node = file.constants.get(name) or file.methods.get(name)
        value = _value(file, node) if node is not None else None
        if node is not None and value is not None:
            owner = _owner_of(file, node)
            constants.append(Constant(name, owner, path, value.text, value.is_regex, value.flags))
    return constants


def extract(path: str, source: bytes, names: Names | None = None) -> Extraction:
    parsed = Source(path, source, "tree_sitter_ruby", names=names)
    file = _File(parsed, Collector(parsed, LANGUAGE.id))
    _read_constants(file)
    _read_aliases(file)
    keywords = keyword_methods()
    for call in parsed.nodes("call"):
        method = call.child_by_field_name("method")
        if method is None or call.child_by_field_name("receiver") is not None:
            continue
        name = parsed.text(method)
        if name == "ParameterType":
            _read_parameter_type(file, call)
        elif name == "placeholder":
            _read_placeholder(file, call)
        elif name == "step":
            _read_turnip(file, call)
        elif file.aliases.get(name, name) in keywords:
            _read_definition(file, call, name)
    return file.collector.extraction()


LANGUAGE = Language(
    id="ruby",
    regex=dialects.ONIGMO,
    suffixes=(".rb",),
    editor_ids=("ruby",),
    # a keyword of any dialect, then a regex or a string and a block; a parameter type; an alias; Turnip
    hint=re.compile(
        rb"^\s*[^\s\x00-\x40\x5b-\x60a-z][^\s(]*[ (]\s*(?:[/\"']|%[rqQ]|[A-Z])|ParameterType|alias\b"
        rb"|^\s*step[ (]+(?::\w+\s*,|[\"'][^\n]*(?:do|\{)\s*(?:\||$))|^\s*placeholder[ (]+:",
        re.MULTILINE,
    ),
    extract=extract,
    constants=constants,
    collected=pickle.COLLECTED,
)
