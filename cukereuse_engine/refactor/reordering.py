"""Reorders the parameters of a step function, with their types and defaults, if only steps call it.

A runner passes captured arguments by position: a target that swaps two arguments swaps the function's parameters. Only
parameters that the syntax tree separates are moved; the body stays. If anything but the rewritten definitions may call
the function, the order is refused.
"""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cukereuse_engine.functions.grammars import GRAMMARS
from cukereuse_engine.functions.parameters import Parameter, holder_of, parameters_of
from cukereuse_engine.functions.reading import function_of, parse
from cukereuse_engine.glue.definition import StepDefinition
from cukereuse_engine.glue.languages.base import language_for
from cukereuse_engine.glue.languages.source import Source, text_of
from cukereuse_engine.glue.languages.syntax_errors import SlowSourceError
from cukereuse_engine.refactor.edits import byte_edit
from cukereuse_engine.refactor.expressions.parameters import UnwritableError
from cukereuse_engine.refactor.rename_plan import TextEdit
from cukereuse_engine.refactor.step_call import CodePlaces
from cukereuse_engine.refactor.writing import writing_of

if TYPE_CHECKING:
    from tree_sitter import Node

_MOVABLE = frozenset(
    (
        *("identifier", "object_pattern", "array_pattern", "assignment_pattern", "required_parameter"),
        *("optional_parameter", "typed_parameter", "default_parameter", "typed_default_parameter"),
        *("formal_parameter", "parameter", "simple_parameter", "variable_declaration", "parameter_declaration"),
        *("binding", "destructured_parameter"),
    )
)
"""Node types of parameters that take one positional argument; others, such as `*rest`, take all that remain."""
_MANY = re.compile(r"\.\.\.|\bparams\b|\bvararg\b|[\w\]]\*\Z")
_DEFAULT = re.compile(r"(?<![=!<>])=(?![=>])|\w\?\s*(?::|\Z)")
_CONTEXT_FIRST = frozenset(("behave", "cucumber-rs", "vitest-cucumber"))
"""Runners that pass a context before the arguments."""
_DECLARED = re.compile(r"\b(?:def|function|func|fn|fun)\s+(?:\([^()]*\)\s*)?`?\Z")
_PASSED = re.compile(rb"[\s,&(:]*(?:\w+(?:\.|::|->))*")
"""The code between an expression and the function that is registered with it: `, api.`."""
_SYMBOL = re.compile(rb"\s*,\s*:(\w+[?!]?)")
"""Ruby: the symbol of a method that runs the step, after its expression."""
_HANDED_OVER = 40
"""Maximum number of bytes between an expression and the name of its function in one call."""


@dataclass(frozen=True, slots=True)
class Taking:
    """The parameters of a function that take captured arguments, and those after them."""

    texts: tuple[str, ...]
    names: tuple[str, ...]
    """Empty for a destructured parameter."""
    types: tuple[str, ...]
    """As written; empty if there is none."""
    spans: tuple[tuple[int, int], ...]
    """Byte offsets in the source."""
    groups: tuple[int, ...]
    """Equal for parameters that may change places: Go declares several with one type (`a, b string`)."""
    name_at: int
    """Byte offset of the function's name; -1 if it has none."""


def parameters_taking(definition: StepDefinition, source: bytes) -> Taking | None:
    """The parameters of a definition's function; None if the tree does not separate them. `source`: its file."""
    there = _parsed(definition, source)
    if there is None:
        return None
    parsed, function = there
    holder = holder_of(function)
    if holder is None or _passes_all(definition, parsed.text(function)):
        return None
    declared = _declared(holder)
    written = [parsed.text(node) for node, _ in declared]
    if any(node.type not in _MOVABLE for node, _ in declared) or any(map(_MANY.search, written)):
        return None
    units = [unit for number, parameter in enumerate(declared) for unit in _units(*parameter, number)]
    texts = [source[start:end].decode("utf-8") for start, end, _ in units]
    parameters = parameters_of(function, GRAMMARS[definition.language], parsed.text)
    at = _first(definition, texts, written)
    if at is None or len(parameters) != len(texts):
        return None
    return _taking(units[at:], texts[at:], parameters[at:], _name_of(function))


def _taking(
    units: Sequence[tuple[int, int, int]], texts: Sequence[str], parameters: Sequence[Parameter], name: int
) -> Taking:
    return Taking(
        tuple(texts),
        tuple(parameter.name for parameter in parameters),
        tuple(parameter.type for parameter in parameters),
        tuple((start, end) for start, end, _ in units),
        tuple(group for _, _, group in units),
        name,
    )


def _parsed(definition: StepDefinition, source: bytes) -> "tuple[Source, Node] | None":
    """The file of a definition, and its function; None if that is in another file."""
    if definition.function is not None and definition.function.path != definition.path:
        return None
    try:
        parsed = parse(definition.path, source, definition.language)
        function = function_of(parsed, definition)
    except (SlowSourceError, RecursionError, KeyError):
        return None
    return (parsed, function) if function is not None else None


def _passes_all(definition: StepDefinition, function: str) -> bool:
    """True if a function uses the name for all its arguments at once, as JavaScript's `arguments`."""
    name = writing_of(definition.language).all_arguments
    return bool(name) and re.search(rf"\b{name}\b", function) is not None


def _name_of(function: "Node") -> int:
    """Byte offset of a function's name; -1 if it has none."""
    name = function.child_by_field_name("name")
    if name is None and function.parent is not None and function.parent.type == "variable_declarator":
        name = function.parent.child_by_field_name("name")
    return name.start_byte if name is not None else -1


def _declared(holder: "Node") -> "list[tuple[Node, int]]":
    """Each parameter with the end of its default, which Kotlin's grammar puts beside it."""
    declared: list[tuple[Node, int]] = []
    is_default = False
    for child in holder.children:
        if child.type == "=":
            is_default = True
        elif child.is_named and "comment" not in child.type and child.type != "self_parameter":
            if is_default and declared:
                declared[-1] = declared[-1][0], child.end_byte
            else:
                declared.append((child, child.end_byte))
            is_default = False
    return declared


def _units(node: "Node", end: int, number: int) -> list[tuple[int, int, int]]:
    """Start, end and group of each parameter of a declaration."""
    names = node.children_by_field_name("name") if node.type == "parameter_declaration" else []
    if len(names) > 1:
        return [(name.start_byte, name.end_byte, number) for name in names]
    return [(node.start_byte, end, -1)]


def _first(definition: StepDefinition, units: Sequence[str], declared: Sequence[str]) -> int | None:
    """The number of parameters before those that take captured arguments; None if unknown."""
    if definition.framework == "playwright-bdd":
        return 1 if units and units[0].startswith("{") else None
    if definition.framework == "godog":
        return int(bool(declared) and "context.Context" in declared[0])
    bound = bool(units) and re.match(r"this\s*:", units[0]) is not None
    return int(bound or definition.framework in _CONTEXT_FIRST)


def reordered(definition: StepDefinition, source: str, order: Sequence[int]) -> list[TextEdit]:
    """The edits that reorder the parameters of a definition's function.

    `source`: its file, with its byte order mark. `order`: for each captured argument of the new expression its number
    in the present one. Raises `UnwritableError`.
    """
    taking = parameters_taking(definition, source.encode("utf-8"))
    name = definition.function_name or "its function"
    symbol = _SYMBOL.match(source.encode("utf-8")[definition.literal.end_byte :])
    if symbol is not None:
        method = symbol.group(1).decode()
        raise _refused(f"the symbol :{method} stands for a method that others may call too", "or change it by hand")
    if taking is None or len(taking.texts) < len(order):
        raise _refused(f"the parameters of {name} can't be told apart", "or change it by hand")
    chosen = [*order, *range(len(order), len(taking.texts))]
    after = [taking.texts[number] for number in chosen]
    if any(taking.groups[number] != taking.groups[at] for at, number in enumerate(chosen)):
        raise _refused(f"{name} declares two of its parameters at once", "or declare each with its type first")
    given = [_DEFAULT.search(text) is not None for text in after]
    if _leans_on_another(after):
        raise _refused(f"a parameter of {name} uses another parameter as its default")
    if writing_of(definition.language).defaults_last and given != sorted(given):
        raise _refused(f"a parameter of {name} with a default can't come before a parameter without one")
    changes = zip(taking.spans, taking.texts, after, strict=True)
    return [byte_edit(source, *span, new) for span, old, new in changes if old != new]


def _leans_on_another(texts: Sequence[str]) -> bool:
    """True if a default uses another parameter, which must precede it: `what = n`."""
    parts = [_DEFAULT.split(text, maxsplit=1) for text in texts]
    declared = [{*re.findall(r"\w+", part[0])} for part in parts]
    return any(
        not declared[other].isdisjoint(re.findall(r"\w+", part[1]))
        for at, part in enumerate(parts)
        if len(part) > 1
        for other in range(len(parts))
        if other != at
    )


def refuse_callers(
    definition: StepDefinition,
    rewritten: Collection[StepDefinition],
    definitions: Iterable[StepDefinition],
    sources: Iterable[str],
    read: Callable[[str], bytes],
) -> None:
    """Raises `UnwritableError` if anything but the `rewritten` definitions may call the function of `definition`.

    `definitions`: all known ones; `sources`: every source that may name the function, in any language.
    """
    definitions, own = list(definitions), {other.id for other in rewritten}
    runs = (other for other in definitions if other.function_id == definition.function_id)
    shared = next((other for other in runs if other.id not in own), None)
    if shared is not None:
        raise _refused(f"{shared.path}:{shared.line} runs the same function")
    name = definition.function_name
    if not re.search(r"\w", name):
        return
    named = [other for other in definitions if other.function_name == name]
    handing = [other for other in named if other.id in own or other.function is not None]  # others hand over a namesake
    for path, text, at in _naming(definition, sources, read):
        if not _is_own(text, at, path, definition, handing, read):
            line = text.count("\n", 0, at) + 1
            raise _refused(f"{path}:{line} names {name}", "or change it by hand")


def _naming(
    definition: StepDefinition, sources: Iterable[str], read: Callable[[str], bytes]
) -> Iterator[tuple[str, str, int]]:
    """Path, text and code point of each place where code that may call a definition's function names it."""
    beside = writing_of(definition.language).mixed_with | {definition.language}
    word = re.compile(rf"(?<![\w$]){re.escape(definition.function_name)}(?![\w$])")
    for path in sources:
        language = language_for(path)
        if language is not None and language.id not in beside:
            continue
        try:
            text = text_of(read(path))
        except OSError:
            continue
        if definition.function_name not in text:
            continue
        code = CodePlaces(path, text, language.id) if language is not None else None
        for match in word.finditer(text):
            if code is None or code.holds(match.start()):
                yield path, text, match.start()


def _is_own(
    text: str,
    at: int,
    path: str,
    definition: StepDefinition,
    handing: Iterable[StepDefinition],
    read: Callable[[str], bytes],
) -> bool:
    """True if a name at a code point is in a declaration, or in the registration of a definition of `handing`."""
    if _DECLARED.search(text, max(at - 80, 0), at):
        return True
    offset = len(text[:at].encode("utf-8")) + 3 * (read(path)[:3] == b"\xef\xbb\xbf")
    if path == definition.path:
        taking = parameters_taking(definition, read(path))
        if taking is not None and taking.name_at == offset:
            return True
    for handed in handing:
        between = read(path)[handed.literal.end_byte : offset] if handed.path == path else b"-"
        if len(between) < _HANDED_OVER and _PASSED.fullmatch(between) and offset >= handed.literal.end_byte:
            return True
    return False


def _refused(why: str, otherwise: str = "") -> UnwritableError:
    message = f"the target changes the order of arguments, and {why}; keep {{1}} before {{2}}"
    return UnwritableError(f"{message}, {otherwise}" if otherwise else message)
