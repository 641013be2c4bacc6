"""How a step function calls another step function."""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum, StrEnum, auto


class ValueKind(StrEnum):
    """The type in which a step function gets the text that its expression captures."""

    TEXT = "text"
    INT = "int"
    FLOAT = "float"
    BOOL = "bool"
    OTHER = "other"
    """A type that only the runner can make of the text."""


class Others(StrEnum):
    """Parameters of a step function that get no part of the step's text."""

    NONE = "none"
    FIRST = "first"
    """The first parameter: behave's context, the World of cucumber-rs, the fixtures of playwright-bdd."""
    FIXTURES = "fixtures"
    """The parameters that the expression does not name, in pytest-bdd."""


class Way(Enum):
    """How code reaches functions in another place."""

    OBJECTS = auto()
    """By an object of their class that the runner passes."""
    SCRIPT_MODULES = auto()
    PYTHON_MODULES = auto()
    RUST_MODULES = auto()


@dataclass(frozen=True, slots=True)
class CallStyle:
    frameworks: Mapping[str, Others]
    """The runners whose functions can be called."""
    text: Callable[[str, str], str]
    """Maps (value, source of the file) to a literal."""
    way: Way
    types: Mapping[str, ValueKind] = field(default_factory=dict)
    """Maps a parameter's type, as written, to its kind. Without a type, the expression decides."""
    typed: bool = False
    """True if only a type decides."""
    call: str = "{name}({arguments})"
    wait: str = "{call}"
    """Template of an awaited call."""
    waited_for: re.Pattern[str] | None = None
    """Matches the results of functions to await; None: functions that are declared so."""
    variable: str = "{name}"
    copied: str = "{variable}"
    """Template of a text that another call gets too."""
    member: str = "{object}.{name}"
    """Template of a function of another object."""
    end: str = ";"
    end_where_used: bool = False
    """True if a statement may lack its end, as others in the file do."""
    in_class: bool = False
    """True if functions are members of a class: they are called on the same object."""
    overloads: bool = False
    """True if functions of one class may share a name, and differ in their parameters."""
    public: bool = False
    """True if other classes can only call functions that are declared public."""
    kept_with: re.Pattern[str] | None = None
    """Text before a constructor's parameter that is a field."""
    fetched: re.Pattern[str] | None = None
    """Matches how an object is fetched: `name` of the field, class `named` or `said`. None: a constructor receives
    it."""
    binds_this: bool = False
    """True if a function is called with its `this`."""
    declares_this: bool = False
    """True if the type of `this` is among the parameters."""
    digits_are_numbers: bool = False
    """True if the runner converts a group of digits to a number."""
    whole_floats: bool = False
    """True if a number needs no fraction where it may have one."""
    fallible: bool = False
    """True if a function returns an error."""
    throws: bool = False
    """True if a function declares what it throws."""
    any_type: bool = False
    """True if the runner converts by the parameter's type, so that a value of any type may be passed on."""
    true: str = "true"
    false: str = "false"
    void: tuple[str, ...] = ()
    """Results that may be dropped; empty: all."""


def double_quoted(value: str, _source: str) -> str:
    return json.dumps(value, ensure_ascii=False)


_INT, _FLOAT = re.compile(r"-?(?:0|[1-9]\d{0,8})"), re.compile(r"-?(?:0|[1-9]\d{0,8})(?:\.\d+)?")


def fits(kind: ValueKind, value: str) -> bool:
    """True if code can contain a value as this kind."""
    if kind is ValueKind.INT:
        return _INT.fullmatch(value) is not None
    if kind is ValueKind.FLOAT:
        return _FLOAT.fullmatch(value) is not None
    if kind is ValueKind.BOOL:
        return value in ("true", "false")
    return kind is ValueKind.TEXT and value.isprintable()
