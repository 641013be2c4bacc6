"""The parameters of a function: names, types, defaults."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cukereuse_engine.functions.grammar import Grammar
from cukereuse_engine.functions.syntax import child_of

if TYPE_CHECKING:
    from tree_sitter import Node

_LISTS = frozenset(
    (
        *("parameters", "formal_parameters", "parameter_list", "block_parameters", "lambda_parameters"),
        *("method_parameters", "function_value_parameters", "class_parameters", "closure_parameters"),
        *("inferred_parameters", "bindings"),
    )
)
_TAKEN_APART = frozenset(("object_pattern", "array_pattern"))
_MARKS = frozenset(
    ("keyword_separator", "positional_separator", "modifiers", "attribute_list", "comment", "self_parameter")
)


@dataclass(frozen=True, slots=True)
class Parameter:
    name: str
    """Empty for a destructured parameter."""
    type: str = ""
    default: "Node | None" = None
    promoted: bool = False
    """True if it is also a field of the class."""
    pattern: "Node | None" = None
    """The destructuring pattern: `{ page }`."""


def parameters_of(function: "Node", grammar: Grammar, text: "Callable[[Node], str]") -> list[Parameter]:
    """The parameters in order, without `self` and separators."""
    single = function.child_by_field_name("parameter")
    if single is not None:
        return [Parameter(text(single))] if single.type == "identifier" else []
    holder = function.child_by_field_name("parameters")
    if holder is not None and holder.type not in _LISTS:  # one name without parentheses
        return [Parameter(text(holder).strip())]
    holder = holder_of(function)
    return list(_read(holder, grammar, text)) if holder is not None else []


def holder_of(function: "Node") -> "Node | None":
    """The list that contains the parameters of a function."""
    holder = function.child_by_field_name("parameters") or next(
        (child for child in function.named_children if child.type in _LISTS), None
    )
    return holder if holder is not None and holder.type in _LISTS else None


def _read(holder: "Node", grammar: Grammar, text: "Callable[[Node], str]") -> "Iterator[Parameter]":
    children = [child for child in holder.named_children if child.type not in _MARKS and "comment" not in child.type]
    waiting: Parameter | None = None
    for child in children:
        if grammar.parts_by_place and child.type not in ("parameter", "class_parameter", "variable_declaration"):
            if waiting is not None and "modifier" not in child.type:
                waiting = Parameter(waiting.name, waiting.type, child, waiting.promoted)
            continue
        if waiting is not None:
            yield waiting
        waiting = None
        if child.type in ("parameter_declaration", "variadic_parameter_declaration"):
            yield from _of_go(child, text)
        else:
            waiting = _parameter(child, grammar, text)
    if waiting is not None:
        yield waiting


def _of_go(child: "Node", text: "Callable[[Node], str]") -> "Iterator[Parameter]":
    type_node = child.child_by_field_name("type")
    written = text(type_node) if type_node is not None else ""
    names = child.children_by_field_name("name")
    dots = "..." if child.type.startswith("variadic") else ""
    yield from (Parameter(text(name), dots + written) for name in names)
    if not names:
        yield Parameter("", dots + written)


def _parameter(child: "Node", grammar: Grammar, text: "Callable[[Node], str]") -> Parameter:
    if child.type in _TAKEN_APART:
        return Parameter("", pattern=child)
    named, type_node, default = _parts(child, grammar)
    if named is None:
        named = child.named_children[0] if child.named_children else child
    if named.type in _TAKEN_APART:
        return Parameter("", pattern=named)
    written = text(type_node) if type_node is not None else ""
    promoted = child.type == "property_promotion_parameter" or any(
        part.type in ("accessibility_modifier", "readonly") for part in child.children
    )
    return Parameter(text(named).lstrip("$&*"), written.removeprefix(":").strip(), default, promoted)


def _parts(child: "Node", grammar: Grammar) -> "tuple[Node | None, Node | None, Node | None]":
    """Name, type and default of a parameter."""
    if grammar.parts_by_place:
        parts = [part for part in child.named_children if part.type != "modifiers"]
        by_place = dict(enumerate(parts))
        return by_place.get(0), by_place.get(1), by_place.get(2)
    default = child_of(child, "value", "default_value", "right")
    if child.type == "spread_parameter":
        declarators = (part for part in child.named_children if part.type == "variable_declarator")
        declarator = next(declarators, None)
        return declarator and declarator.child_by_field_name("name"), child.named_children[0], default
    named = child_of(child, "name", "pattern", "left")
    if grammar.default_is_last and child.type == "parameter" and named is not None:
        last = child.named_children[-1]
        default = last if last.id != named.id else default
    return named, child.child_by_field_name("type"), default
