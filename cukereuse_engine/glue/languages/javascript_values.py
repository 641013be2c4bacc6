"""JavaScript and TypeScript: the values of a file's names and expressions."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from cukereuse_engine.glue.languages.collector import Collector, Value
from cukereuse_engine.glue.languages.escapes import unescape
from cukereuse_engine.glue.languages.source import Source, children

if TYPE_CHECKING:
    from tree_sitter import Node

CALLS = frozenset({"Given", "When", "Then", "And", "But", "Step", "defineStep"})
_FLAGS = {"i": "i", "m": "m", "s": "s", "u": "u", "v": "v"}


@dataclass(slots=True)
class ScriptFile:
    source: Source
    collector: Collector
    framework: str = "cucumber-js"
    package: str = ""
    """The module of the framework as the file imports it."""
    aliases: dict[str, str] = field(default_factory=dict)
    """Maps a local name to the original: `import { Given as given }`, `const { Given: given } = createBdd()`."""
    constants: "dict[str, Node]" = field(default_factory=dict)
    imports: dict[str, tuple[str, str]] = field(default_factory=dict)
    """Maps a local name to its name in the module (empty: the whole module), and to the module's own name."""
    tags: dict[str, str] = field(default_factory=dict)
    """Maps a local name to the tag expression of its `createBdd(test, { tags: … })`."""

    def text(self, node: "Node | None") -> str:
        return self.source.text(node) if node is not None else ""


def read_constants(file: ScriptFile) -> None:
    """Read `const`s and enumerations, and other names of the calls that define steps."""
    for node in file.source.nodes("enum_declaration"):
        body = node.child_by_field_name("body")
        if body is not None:
            file.constants[file.text(node.child_by_field_name("name"))] = body
    for declarator in file.source.nodes("variable_declarator"):
        name, value = declarator.child_by_field_name("name"), declarator.child_by_field_name("value")
        if name is None or value is None or name.type != "identifier":
            continue
        declaration = declarator.parent
        if declaration is not None and file.text(declaration.child_by_field_name("kind")) == "const":
            file.constants[file.text(name)] = value
        if aliased := _call_of(file, value):
            file.aliases[file.text(name)] = aliased


def _call_of(file: ScriptFile, node: "Node") -> str:
    """The step-defining call that `Given`, `cucumber.Given` or `require('…').Given` is; empty for anything else."""
    if node.type == "member_expression":
        name = file.text(node.child_by_field_name("property"))
    else:
        name = file.aliases.get(file.text(node), file.text(node)) if node.type == "identifier" else ""
    return name if name in CALLS else ""


def read_imports(file: ScriptFile) -> None:
    """Read `import { A as B } from './k'`, `import * as k from './k'`, `const { A: B } = require('./k')`."""
    for node in file.source.nodes("import_statement", "variable_declarator"):
        if node.type == "import_statement":
            module, bound = node.child_by_field_name("source"), node
        else:
            call, pattern = node.child_by_field_name("value"), node.child_by_field_name("name")
            if call is None or pattern is None or file.text(call.child_by_field_name("function")) != "require":
                continue
            module, bound = next(iter(arguments_of(call)), None), pattern
        owner = _module_name(file.text(module))
        if bound.type in ("namespace_import", "identifier"):
            file.imports[file.text(bound)] = ("", owner)
        for imported in file.source.nodes(*_IMPORTED, within=bound):
            if imported.type == "namespace_import":
                file.imports[file.text(next(children(imported), None))] = ("", owner)
                continue
            original = imported.child_by_field_name("name") or imported.child_by_field_name("key") or imported
            local = imported.child_by_field_name("alias") or imported.child_by_field_name("value") or original
            file.imports[file.text(local)] = (file.text(original), owner)


_IMPORTED = ("import_specifier", "namespace_import", "pair_pattern", "shorthand_property_identifier_pattern")


def _module_name(source: str) -> str:
    """The module of a path: `common` for `'../texts/common.js'`, as a file or a folder."""
    return re.sub(r"\.\w+$", "", source.strip("'\"`()").rstrip("/").split("/")[-1])


def value_of(file: ScriptFile, node: "Node", depth: int = 0) -> Value | None:
    """The value of a string, template or regex literal, a concatenation, `new RegExp(…)`, or a `const` of the file."""
    read = _VALUES.get(node.type)
    return read(file, node, depth) if read is not None and depth <= 20 else None


def _string(file: ScriptFile, node: "Node", _depth: int) -> Value:
    return Value(unescape(file.text(node)[1:-1], simple="ntrbfv"), node)


def _regex(file: ScriptFile, node: "Node", _depth: int) -> Value:
    letters = file.text(node.child_by_field_name("flags"))
    pattern = file.text(node.child_by_field_name("pattern")).replace("\\/", "/")
    return Value(pattern, node, True, True, "".join(_FLAGS.get(letter, "") for letter in letters))


def _sum(file: ScriptFile, node: "Node", depth: int) -> Value | None:
    if file.text(node.child_by_field_name("operator")) != "+":
        return None
    sides = [node.child_by_field_name("left"), node.child_by_field_name("right")]
    values = [value_of(file, side, depth + 1) for side in sides if side is not None]
    texts = [value.text for value in values if value is not None and not value.is_regex]
    return Value("".join(texts), node, rewritable=False) if len(texts) == len(sides) else None


def _member(file: ScriptFile, node: "Node", depth: int) -> Value | None:
    if file.text(node.child_by_field_name("property")) == "source":
        regex = value_of(file, node.child_by_field_name("object") or node.children[0], depth + 1)
        if regex is not None and regex.is_regex:
            return Value(regex.text, node, rewritable=False)
    return _named(file, node, depth)


def _call(file: ScriptFile, node: "Node", depth: int) -> Value | None:
    if file.text(node.child_by_field_name("function")) != "String.raw":
        return _regexp(file, node, depth)
    template = node.child_by_field_name("arguments")
    is_template = template is not None and template.type == "template_string"
    return _template(file, template, depth, raw=True) if is_template and template is not None else None


def _inner(file: ScriptFile, node: "Node", depth: int) -> Value | None:
    inner = next(children(node), None)
    return value_of(file, inner, depth + 1) if inner is not None else None


def _named(file: ScriptFile, node: "Node", depth: int) -> Value | None:
    """The value of a `const`, or of an entry of a `const` object or an enumeration; of this file or an imported one."""
    owner, _, name = file.text(node).rpartition(".")
    constant = file.constants.get(name) if not owner else entry_of(file, owner, name)
    value = value_of(file, constant, depth + 1) if constant is not None else None
    if value is not None:
        return Value(value.text, node, False, value.is_regex, value.flags)
    original, module = file.imports.get(owner or name, ("", ""))
    if constant is not None or not module or "." in owner:
        return None
    if not owner:
        given = file.source.names.get(original or name, module)
    else:
        given = file.source.names.get(name, original or module)
    return Value(given.text, node, False, given.is_regex, given.flags) if given is not None else None


def entry_of(file: ScriptFile, owner: str, name: str) -> "Node | None":
    """The value of a name in a `const` object or an enumeration."""
    constant = file.constants.get(owner)
    while constant is not None and constant.type in ("as_expression", "satisfies_expression", "call_expression"):
        constant = next(iter(arguments_of(constant) or children(constant)), None)  # `Object.freeze({ … }) as const`
    if constant is not None and constant.type == "enum_body":
        values = {file.text(member.child_by_field_name("name")): member for member in children(constant)}
        return values[name].child_by_field_name("value") if name in values else None
    return entries_of(file, constant).get(name) if constant is not None else None


def _regexp(file: ScriptFile, node: "Node", depth: int) -> Value | None:
    """The value of `new RegExp("…", "i")`. A rewrite would replace only the literal inside, so it is not rewritable."""
    constructor = node.child_by_field_name("constructor") or node.child_by_field_name("function")
    arguments = node.child_by_field_name("arguments")
    parts = list(children(arguments)) if arguments is not None else []
    if file.text(constructor) != "RegExp" or not parts:
        return None
    value = value_of(file, parts[0], depth + 1)
    flags = value_of(file, parts[1], depth + 1) if len(parts) > 1 else None
    letters = "".join(_FLAGS.get(letter, "") for letter in flags.text) if flags is not None else ""
    return value and Value(value.text, node, False, True, letters or value.flags)


def _template(file: ScriptFile, node: "Node", depth: int, *, raw: bool = False) -> Value | None:
    """The value of a template literal. `raw`: no escapes are resolved."""
    pieces: list[str] = []
    at = node.start_byte + 1
    plain = True
    for child in node.named_children:
        if child.type != "template_substitution":
            continue
        inner = next(children(child), None)
        value = value_of(file, inner, depth + 1) if inner is not None else None
        if value is None:
            return None
        pieces += [_body(file, at, child.start_byte, raw=raw), value.text]
        at, plain = child.end_byte, False
    pieces.append(_body(file, at, node.end_byte - 1, raw=raw))
    return Value("".join(pieces), node, rewritable=plain and not raw)


def _body(file: ScriptFile, start: int, end: int, *, raw: bool = False) -> str:
    text = file.source.decode(file.source.source[start:end])
    return text if raw else unescape(text, simple="ntrbfv")


def arguments_of(call: "Node") -> "list[Node]":
    """The arguments of a call or a construction."""
    arguments = call.child_by_field_name("arguments")
    return list(children(arguments)) if arguments is not None else []


def entries_of(file: ScriptFile, node: "Node") -> "dict[str, Node]":
    """The entries of an object literal; empty for anything else. In `{ name }`, the name is its own value."""
    entries: dict[str, Node] = {}
    for pair in children(node) if node.type == "object" else ():
        if pair.type == "shorthand_property_identifier":
            entries[file.text(pair)] = pair
        if pair.type == "method_definition":
            entries[file.text(pair.child_by_field_name("name"))] = pair
        key, value = pair.child_by_field_name("key"), pair.child_by_field_name("value")
        if key is not None and value is not None:
            entries[file.text(key).strip("'\"")] = value
    return entries


_VALUES: "Mapping[str, Callable[[ScriptFile, Node, int], Value | None]]" = {
    "string": _string,
    "template_string": _template,
    "regex": _regex,
    "binary_expression": _sum,
    "member_expression": _member,
    "call_expression": _call,
    "new_expression": _regexp,
    **dict.fromkeys(("identifier", "shorthand_property_identifier"), _named),
    **dict.fromkeys(("parenthesized_expression", "as_expression", "satisfies_expression"), _inner),
}
