"""Python: the values of a file's names and expressions, without running it."""

import ast
import re
import warnings
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from cukereuse_engine.glue.definition import Constant
from cukereuse_engine.glue.languages.collector import Collector, Value
from cukereuse_engine.glue.languages.source import Source, children

if TYPE_CHECKING:
    from tree_sitter import Node

DECORATORS = {"given", "when", "then", "step", "Given", "When", "Then", "Step"}
FRAMEWORKS = {"behave": "behave", "pytest_bdd": "pytest-bdd"}
MATCHER_SETTERS = {"use_step_matcher", "step_matcher", "use_default_step_matcher"}
_FLAGS = {
    **{"I": "i", "IGNORECASE": "i", "X": "x", "VERBOSE": "x", "M": "m", "MULTILINE": "m"},
    **{"S": "s", "DOTALL": "s", "U": "u", "UNICODE": "u"},
}


@dataclass(slots=True)
class PythonFile:
    source: Source
    collector: Collector
    names: dict[str, tuple[str, str]] = field(default_factory=dict)
    """Maps an imported name to (module, name in that module); the latter is empty for a module."""
    constants: "dict[str, Node]" = field(default_factory=dict)
    """Names assigned exactly once at the top of the file or of a class."""
    wildcards: list[str] = field(default_factory=list)
    """Modules whose names are all imported."""
    functions: "dict[str, Node]" = field(default_factory=dict)
    """Functions of the file, and lambdas with a name."""
    bound: dict[str, Value] = field(default_factory=dict)
    """Maps the parameters of a function that is followed to the arguments of its call."""
    patterns: dict[str, Value] = field(default_factory=dict)
    """Functions that carry a `@parse.with_pattern(…)`."""

    def text(self, node: "Node") -> str:
        return self.source.text(node)

    def imports(self, package: str) -> bool:
        return any(module.split(".")[0] == package for module, _ in self.names.values())


def read_imports(file: PythonFile) -> None:
    """Read imports into `names` and `wildcards`."""
    for node in file.source.nodes("import_from_statement", "import_statement"):
        module_node = node.child_by_field_name("module_name")
        module = file.text(module_node) if module_node else ""
        for name in node.children_by_field_name("name"):
            if name.type == "aliased_import":
                original, alias = name.child_by_field_name("name"), name.child_by_field_name("alias")
            else:
                original, alias = name, name
            if original is None or alias is None:
                continue
            written = file.text(original)
            if module:
                file.names[file.text(alias)] = (module, written)
            else:
                file.names[file.text(alias)] = (written, "")
        if module and any(child.type == "wildcard_import" for child in node.children):
            file.wildcards.append(module)
            for name_ in (*DECORATORS, *MATCHER_SETTERS, "register_type", "parsers"):
                if module.split(".")[0] in FRAMEWORKS:
                    file.names[name_] = (module, name_)


def read_constants(file: PythonFile) -> None:
    """Read constants into `constants`: the module's, and those of classes and functions with other names."""
    assigned: dict[str, list[tuple[Node, Node]]] = {}
    for node in file.source.nodes("assignment"):
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        if left is not None and right is not None and left.type == "identifier":
            assigned.setdefault(file.text(left), []).append((node, right))
    for name, values in assigned.items():
        of_module = [value for value in values if not _is_in(value[0], _WITH_NAMES)]
        # a default that some condition replaces
        always = [value for value in of_module if not _is_in(value[0], _CONDITIONS)]
        is_default = len(always) == 1 and always[0] is of_module[0]
        meant = always if is_default else of_module or values
        if len(meant) == 1:  # assigned twice: not a constant
            file.constants[name] = meant[0][1]


_WITH_NAMES = frozenset({"class_definition", "function_definition", "lambda"})
"""Syntax with names of its own: `if` and `try` have none."""
_CONDITIONS = frozenset({"if_statement", "try_statement", "for_statement", "while_statement", "match_statement"})


def _is_in(node: "Node", kinds: frozenset[str]) -> bool:
    around = node.parent
    while around is not None and around.type not in kinds:
        around = around.parent
    return around is not None


def _string(file: PythonFile, node: "Node") -> Value | None:
    """One string literal; an f-string's interpolations must be constants of the file."""
    source = file.text(node)
    prefix = source[: len(source) - len(source.lstrip("rRuUbBfF"))]
    if "b" in prefix.lower():
        return None
    if "f" not in prefix.lower():
        value = _evaluated(source)
        return Value(value, node) if isinstance(value, str) else None
    parts: list[str] = []
    for child in node.named_children:
        if child.type == "string_content":
            raw = file.text(child)
            parts.append((raw if "r" in prefix.lower() else _unescape(raw)).replace("{{", "{").replace("}}", "}"))
        elif child.type == "interpolation":
            inner = child.child_by_field_name("expression")
            simple = inner is not None and len(child.named_children) == 1
            embedded = value_of(file, inner) if simple and inner is not None else None
            if embedded is None:
                return None
            parts.append(embedded.text)
    return Value("".join(parts), node, rewritable=False)


def _unescape(body: str) -> str:
    value = _evaluated('"""' + body.replace('"', '\\"') + '"""') if "\\" in body else body
    return value if isinstance(value, str) else body


def _evaluated(literal: str) -> object:
    """The value of a literal; None for anything else."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # an unknown escape stays as it is written
        try:
            return ast.literal_eval(literal)
        except (ValueError, SyntaxError, MemoryError, RecursionError):
            return None


def value_of(file: PythonFile, node: "Node", depth: int = 0) -> Value | None:
    """The value of an expression: a literal, a concatenation of literals, a constant of the file, `re.compile(…)`."""
    read = _READERS.get(node.type)
    return read(file, node, depth) if read is not None and depth <= 20 else None


def _parenthesised(file: PythonFile, node: "Node", depth: int) -> Value | None:
    inner = list(children(node))
    value = value_of(file, inner[0], depth + 1) if len(inner) == 1 else None
    # the parentheses are not part of what a rewrite replaces
    return value and Value(value.text, inner[0] if value.rewritable else node, value.rewritable, value.is_regex)


def _sum(file: PythonFile, node: "Node", depth: int) -> Value | None:
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    operator = node.child_by_field_name("operator")
    if left is None or right is None or operator is None or operator.type != "+":
        return None
    return _joined(file, node, [left, right], depth)


def _named(file: PythonFile, node: "Node", depth: int) -> Value | None:
    name = file.text(node)
    if node.type == "identifier" and name in file.bound:
        return file.bound[name]
    constant = _constant(file, name)
    value = value_of(file, constant, depth + 1) if constant is not None else None
    if value is not None:
        return Value(value.text, node, False, value.is_regex, value.flags)
    given = elsewhere(file, name) if constant is None else None
    if given is None or given.is_function:
        return None
    return Value(given.text, node, False, given.is_regex, given.flags)


def _entry(file: PythonFile, node: "Node", depth: int) -> Value | None:
    """The value of `NAMES["key"]`."""
    owner, key = node.child_by_field_name("value"), node.child_by_field_name("subscript")
    name = value_of(file, key, depth + 1) if key is not None else None
    entries = dict(entries_of(file, owner)) if owner is not None and name is not None else {}
    value = value_of(file, entries[name.text], depth + 1) if name is not None and name.text in entries else None
    return value and Value(value.text, node, False, value.is_regex, value.flags)


def _called(file: PythonFile, node: "Node", depth: int) -> Value | None:
    name = called_name(file, node)
    if name.endswith(".join"):
        return _join(file, node, depth)
    return regex_call(file, node, depth) if name == "re.compile" else None


def _constant(file: PythonFile, written: str) -> "Node | None":
    """The value of a constant of the file: `NAME`, or `Owner.NAME` of a class that has it."""
    owner, _, name = written.rpartition(".")
    for node in file.source.nodes("class_definition") if owner else ():
        named, body = node.child_by_field_name("name"), node.child_by_field_name("body")
        if named is None or body is None or file.text(named) != owner.rpartition(".")[2]:
            continue
        for statement in children(body):
            inner = statement.named_children[0] if statement.named_children else statement
            left = inner.child_by_field_name("left") if inner.type == "assignment" else None
            if left is not None and file.text(left) == name:
                return inner.child_by_field_name("right")
    return file.constants.get(name)


def _join(file: PythonFile, call: "Node", depth: int) -> Value | None:
    """The value of `" ".join(["…", "…"])`."""
    function = call.child_by_field_name("function")
    between = function.child_by_field_name("object") if function is not None else None
    positional, _ = arguments_of(call)
    if between is None or len(positional) != 1 or positional[0].type not in ("list", "tuple"):
        return None
    values = [value_of(file, part, depth + 1) for part in (between, *children(positional[0]))]
    texts = [value.text for value in values if value is not None]
    return Value(texts[0].join(texts[1:]), call, rewritable=False) if len(texts) == len(values) else None


def elsewhere(file: PythonFile, written: str) -> Constant | None:
    """The value of a name that the file imports: `NAME`, `module.NAME`, `Class.NAME`."""
    root, _, rest = written.partition(".")
    module, original = file.names.get(root, ("", ""))
    if "." in rest or module.split(".")[0] in FRAMEWORKS:
        return None
    if not module:
        for wildcard in file.wildcards if not rest else ():
            if (given := file.source.names.get(root, wildcard.split(".")[-1])) is not None:
                return given
        return None
    if not rest:
        return file.source.names.get(original or root, module.split(".")[-1])
    return file.source.names.get(rest, original or module.split(".")[-1])


def _joined(file: PythonFile, node: "Node", parts: "list[Node]", depth: int) -> Value | None:
    values = [value_of(file, part, depth + 1) for part in parts]
    texts = [value.text for value in values if value is not None]
    return Value("".join(texts), node, rewritable=False) if len(texts) == len(values) else None


def called_name(file: PythonFile, call: "Node") -> str:
    """The name of the called function as it is written: `behave.given`."""
    function = call.child_by_field_name("function")
    return file.text(function) if function is not None else ""


def arguments_of(call: "Node") -> "tuple[list[Node], dict[str, Node]]":
    """Positional and keyword arguments of a call."""
    positional: list[Node] = []
    named: dict[str, Node] = {}
    arguments = call.child_by_field_name("arguments")
    for child in children(arguments) if arguments is not None else ():
        if child.type == "keyword_argument":
            name, value = child.child_by_field_name("name"), child.child_by_field_name("value")
            if name is not None and name.text and value is not None:
                named[name.text.decode()] = value
        else:
            positional.append(child)
    return positional, named


def _regex_flags(file: PythonFile, positional: "list[Node]", named: "dict[str, Node]") -> str:
    node = named.get("flags") or (positional[1] if len(positional) > 1 else None)
    return (
        "".join(sorted({_FLAGS[name] for name in re.findall(r"\w+", file.text(node)) if name in _FLAGS}))
        if node
        else ""
    )


def regex_call(file: PythonFile, call: "Node", depth: int = 0) -> Value | None:
    """The regex of `re.compile(pattern, flags)` and similar calls."""
    positional, named = arguments_of(call)
    node = positional[0] if positional else named.get("pattern")
    value = value_of(file, node, depth + 1) if node is not None else None
    return value and Value(value.text, value.node, value.rewritable, True, _regex_flags(file, positional, named))


def entries_of(file: PythonFile, node: "Node") -> "list[tuple[str, Node]]":
    """The entries of `dict(a=b)`, `{"a": b}` or a constant with such a value."""
    if node.type == "identifier":
        constant = file.constants.get(file.text(node))
        return entries_of(file, constant) if constant is not None and constant.type != "identifier" else []
    if node.type == "call" and called_name(file, node) == "dict":
        return list(arguments_of(node)[1].items())
    entries = []
    for pair in children(node) if node.type == "dictionary" else ():
        key, value = pair.child_by_field_name("key"), pair.child_by_field_name("value")
        name = value_of(file, key) if key is not None else None
        if name is not None and value is not None:
            entries.append((name.text, value))
    return entries


def class_around(file: PythonFile, node: "Node") -> str:
    """The name of the class around a node; empty if there is none."""
    around = node.parent
    while around is not None:
        name = around.child_by_field_name("name") if around.type == "class_definition" else None
        if name is not None:
            return file.text(name)
        around = around.parent
    return ""


_READERS: dict[str, Callable[[PythonFile, "Node", int], Value | None]] = {
    "string": lambda file, node, _: _string(file, node),
    "concatenated_string": lambda file, node, depth: _joined(file, node, list(children(node)), depth),
    "parenthesized_expression": _parenthesised,
    "binary_operator": _sum,
    "identifier": _named,
    "attribute": _named,
    "subscript": _entry,
    "call": _called,
}
"""Maps a node's type to the reader of its value."""
