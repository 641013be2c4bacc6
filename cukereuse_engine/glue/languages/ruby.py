"""Ruby: cucumber-ruby's `Given(/…/) do |x|`, with regexes or Cucumber Expressions, in any dialect's keywords.

Only calls without a receiver and with a block (or a symbol) define a step; `step "…"` inside a block calls one.
"""

import re
from collections.abc import Iterator, Set
from typing import TYPE_CHECKING

from cukereuse_engine.glue.definition import Anchoring, Constant, ExpressionKind, Extraction, Limit
from cukereuse_engine.glue.expressions import TURNIP_TOKEN, ExpressionDialect
from cukereuse_engine.glue.languages import pickle
from cukereuse_engine.glue.languages.base import Language
from cukereuse_engine.glue.languages.collector import Collector, add_cucumber_type
from cukereuse_engine.glue.languages.comments import HASH
from cukereuse_engine.glue.languages.keyword_methods import keyword_methods
from cukereuse_engine.glue.languages.ruby_values import OPTIONS, RubyFile, embedded, value_of
from cukereuse_engine.glue.languages.source import ConstantNames, Source, children
from cukereuse_engine.glue.libraries import says_steps
from cukereuse_engine.glue.regexes import dialects

if TYPE_CHECKING:
    from tree_sitter import Node

_FRAMEWORK = "cucumber-ruby"
_TURNIP = "turnip"
_WITH_STEPS = frozenset({"aruba/cucumber", "json_spec/cucumber"})
"""Gems whose part for Cucumber defines steps; that of many other gems contains hooks and helpers."""
_QUOTES = "\"'"


_SCOPES = ("class", "module", "singleton_class", "method")


def _read_constants(file: RubyFile) -> None:
    """Read the constants of the file, and names of modules that the file lacks."""
    of_file: dict[str, list[Node]] = {}
    of_modules: dict[str, list[Node]] = {}
    for node in file.source.nodes("assignment"):
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        if left is not None and right is not None and left.type in ("constant", "identifier"):
            inside = any(around.type in _SCOPES for around in _all_around(node))
            (of_modules if inside else of_file).setdefault(file.source.text(left), []).append(right)
    for name, values in {**of_modules, **of_file}.items():
        if len(values) == 1:
            file.constants[name] = values[0]
    for node in file.source.nodes("method", "singleton_method"):
        named, body = node.child_by_field_name("name"), node.child_by_field_name("body")
        inner = list(children(body)) if body is not None and node.child_by_field_name("parameters") is None else []
        if named is not None and len(inner) == 1:
            file.methods[file.source.text(named)] = inner[0]


def _all_around(node: "Node") -> "Iterator[Node]":
    around = node.parent
    while around is not None:
        yield around
        around = around.parent


def _read_aliases(file: RubyFile) -> None:
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


def _first_argument(call: "Node") -> "Node | None":
    arguments = call.child_by_field_name("arguments")
    return next(children(arguments), None) if arguments is not None else None


def _defines_step(call: "Node") -> bool:
    """True if a call has a block, or names a method by a symbol."""
    if call.child_by_field_name("block") is not None:
        return True
    arguments = call.child_by_field_name("arguments")
    others = list(children(arguments))[1:] if arguments is not None else []
    return any(other.type in ("simple_symbol", "lambda", "block_argument") for other in others)


def _read_definition(file: RubyFile, call: "Node", name: str) -> None:
    argument = _first_argument(call)
    if argument is None or argument.type == "pair" or not _defines_step(call):  # `a href: url do` writes HTML
        return
    value = value_of(file, argument)
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


def _priority(file: RubyFile, call: "Node") -> int | None:
    """The priority of `Given(…) do … end.overridable(priority: 5)` (cucumber_priority); None without it."""
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


def _read_turnip(file: RubyFile, call: "Node") -> None:
    """Read Turnip's `step "… :name …" do` and `step :method, "…"`; inside `steps_for :admin`, they apply only under the
    tag @admin."""
    given = call.child_by_field_name("arguments")
    arguments = list(children(given)) if given is not None else []
    block = call.child_by_field_name("block")
    method = ""
    if block is None:
        if len(arguments) != 2 or arguments[0].type != "simple_symbol":
            return
        method = file.source.text(arguments.pop(0)).lstrip(":")
    argument = arguments[0] if arguments else None
    if argument is None or argument.type != "string":
        return
    value = value_of(file, argument)
    if value is None:
        file.collector.computed(argument)
        return
    file.collector.add(
        value,
        ExpressionKind.TURNIP,
        framework=_TURNIP,
        keyword="step",
        function=block or _method(file, method),
        function_name=method,
        limits=_turnip_limits(file, call),
    )


def _turnip_limits(file: RubyFile, call: "Node") -> tuple[Limit, ...]:
    """The tags under which a step is there: of the outermost `steps_for`, or of those that include its module."""
    scopes = [
        file.source.text(scope)
        for around in _all_around(call)
        if around.type == "call" and _is_called(file, around, "steps_for")
        if (scope := _first_argument(around)) is not None
    ]
    tags = [f"@{scope.lstrip(':').strip(_QUOTES)}" for scope in scopes if scope != ":global"][-1:]
    modules = _modules_around(file, call)
    if modules and not tags:
        tags = _included_under(file).get("::".join(modules), [])
    return tuple(Limit(tags=tag) for tag in tags)


def _is_called(file: RubyFile, call: "Node", name: str) -> bool:
    method = call.child_by_field_name("method")
    return method is not None and file.source.text(method) == name


def _method(file: RubyFile, name: str) -> "Node | None":
    """The only method of this name in the file."""
    methods = [
        node
        for node in file.source.nodes("method")
        if (named := node.child_by_field_name("name")) is not None and file.source.text(named) == name
    ]
    return methods[0] if len(methods) == 1 else None


def _read_placeholder(file: RubyFile, call: "Node") -> None:
    """Read Turnip's `placeholder :name do match(/…/) { … }; default { … } end`."""
    given, block = call.child_by_field_name("arguments"), call.child_by_field_name("block")
    names = [node for node in (children(given) if given is not None else ()) if node.type == "simple_symbol"]
    if block is None or not names:
        return
    regexps: list[str] = []
    for inner in file.source.nodes("call", within=block):
        argument = _first_argument(inner)
        if _is_called(file, inner, "match") and argument is not None:
            value = value_of(file, argument)
            regexps.append(".*?" if value is None else embedded(value) if value.is_regex else re.escape(value.text))
        elif _is_called(file, inner, "default"):
            regexps.append(TURNIP_TOKEN)
    for name in names if regexps else ():
        file.collector.add_parameter_type(file.source.text(name).lstrip(":"), tuple(regexps), call)


def _included_under(file: RubyFile) -> dict[str, list[str]]:
    """Maps each module of `config.include Admin::Steps, admin: true`, and the modules that it includes, to the tags
    under which its steps are known."""
    tags_of: dict[str, list[str]] = {}
    including: dict[str, list[str]] = {}
    for call in file.source.nodes("call"):
        method, arguments = call.child_by_field_name("method"), call.child_by_field_name("arguments")
        if method is None or arguments is None or file.source.text(method) != "include":
            continue
        module, *pairs = list(children(arguments)) or [arguments]
        name = file.source.text(module).removeprefix("::")
        if call.child_by_field_name("receiver") is None:
            including.setdefault(name, []).append("::".join(_modules_around(file, call)))
            continue
        for pair in pairs:
            key, value = pair.child_by_field_name("key"), pair.child_by_field_name("value")
            if key is not None and value is not None and file.source.text(value) == "true":
                tags_of.setdefault(name, []).append(f"@{file.source.text(key).strip(':')}")
    return {name: _with_tags_of(name, tags_of, including) for name in tags_of}


def _with_tags_of(name: str, tags_of: dict[str, list[str]], including: dict[str, list[str]]) -> list[str]:
    modules = [name]
    for module in modules:
        modules += [holder for holder in including.get(module, ()) if holder not in modules]
    return list(dict.fromkeys(tag for module in modules for tag in tags_of.get(module, ())))


def _modules_around(file: RubyFile, node: "Node") -> list[str]:
    """The names of the modules around a node, outermost first."""
    names: list[str] = []
    around = node.parent
    while around is not None:
        name = around.child_by_field_name("name") if around.type == "module" else None
        if name is not None:
            names.insert(0, file.source.text(name))
        around = around.parent
    return names


def _read_parameter_type(file: RubyFile, call: "Node") -> None:
    """Read `ParameterType(name: 'x', regexp: /…/, …)`; regexp may be a list."""
    arguments = call.child_by_field_name("arguments")
    pairs: dict[str, Node] = {}
    for child in children(arguments) if arguments is not None else ():
        key, value = child.child_by_field_name("key"), child.child_by_field_name("value")
        if child.type == "pair" and key is not None and value is not None:
            pairs[file.source.text(key).strip(":")] = value
    name = value_of(file, pairs["name"]) if "name" in pairs else None
    if name is None or "regexp" not in pairs:
        return
    node = pairs["regexp"]
    values = [value_of(file, regexp) for regexp in (children(node) if node.type == "array" else [node])]
    flags = "".join(OPTIONS[flag] for value in values if value is not None for flag in value.flags)
    add_cucumber_type(file.collector, name.text, values, flags, call)


def _owner_of(file: RubyFile, node: "Node") -> str:
    around = node.parent
    while around is not None:
        name = around.child_by_field_name("name") if around.type in ("class", "module") else None
        if name is not None:
            return file.source.text(name).split("::")[-1]
        around = around.parent
    return ""


def constants(path: str, source: bytes, names: Set[str]) -> list[Constant]:
    """The values of constants and methods, and the names that pickle collects."""
    text = source.decode("utf-8", "replace")
    constants = []
    for name, read in pickle.COLLECT.items():
        patterns = {re.escape(pattern).replace("_", "[_ ]") for pattern in read(text)} if name in names else ()
        constants += [Constant(name, "", path, pattern) for pattern in sorted(patterns)]
    plain = sorted(name for name in names - pickle.COLLECT.keys() if name in text)
    file = (
        RubyFile(parsed := Source(path, source, "tree_sitter_ruby"), Collector(parsed, LANGUAGE.id)) if plain else None
    )
    if file is None:
        return constants
    _read_constants(file)
    for name in plain:
        node = file.constants.get(name) or file.methods.get(name)
        value = value_of(file, node) if node is not None else None
        if node is not None and value is not None:
            owner = _owner_of(file, node)
            constants.append(Constant(name, owner, path, value.text, value.is_regex, value.flags))
    return constants


def extract(path: str, source: bytes, names: ConstantNames | None = None) -> Extraction:
    parsed = Source(path, source, "tree_sitter_ruby", names=names)
    file = RubyFile(parsed, Collector(parsed, LANGUAGE.id))
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


def _brings_steps(name: str) -> bool:
    """True for a library known to bring steps, and for a path that says so; a single name may be a project's file."""
    return name in _WITH_STEPS or ("/" in name and says_steps(name))


LANGUAGE = Language(
    id="ruby",
    name="Ruby",
    regex=dialects.ONIGMO,
    suffixes=(".rb",),
    comments=HASH,
    editor_ids=("ruby",),
    # a keyword of any dialect, then a regex or a string and a block; a parameter type; an alias; Turnip
    hint=re.compile(
        rb"^[ \t]*[^\s\x00-\x40\x5b-\x60a-z][^\s(]*[ (]\s*(?:[/\"']|%[rqQ]|[A-Z])|ParameterType|alias\b"
        rb"|^[ \t]*step[ (]+(?::\w+\s*,|[\"'][^\n]*(?:do|\{)\s*(?:\||$))|^[ \t]*placeholder[ (]+:",
        re.MULTILINE,
    ),
    extract=extract,
    constants=constants,
    takes_over=re.compile(rb"^[ \t]*require[ (]+[\"']([^\"'\n]+)[\"']", re.MULTILINE),
    brings_steps=_brings_steps,
    collected=pickle.COLLECTED,
    expressions=ExpressionDialect(placeholders=True),
)
