"""How a step function calls another one: one row a language."""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum


class Kind(StrEnum):
    """What a step function gets of the text that its expression captures."""

    TEXT = "text"
    INT = "int"
    FLOAT = "float"
    BOOL = "bool"
    OTHER = "other"
    """What only the runner can make of the text."""


class Others(StrEnum):
    """Which parameters of a step function take no part of the step's text."""

    NONE = "none"
    FIRST = "first"
    """The first: behave's context, the World of cucumber-rs, the fixtures of playwright-bdd."""
    FIXTURES = "fixtures"
    """Those that the expression does not name: pytest-bdd."""


@dataclass(frozen=True, slots=True)
class CallStyle:
    frameworks: Mapping[str, Others]
    """The runners whose functions can be called."""
    text: Callable[[str, str], str]
    """(value, source of the file) to a literal."""
    types: Mapping[str, Kind] = field(default_factory=dict)
    """By a parameter's type as written. Where it has none, the expression tells."""
    call: str = "{name}({arguments})"
    wait: str = "{call}"
    """A call that is waited for."""
    variable: str = "{name}"
    end: str = ";"
    in_class: bool = False
    """Functions are members of a class: they are called on the same object."""
    any_type: bool = False
    """The runner converts by the type of the parameter, so that one of any type may be passed on."""
    true: str = "true"
    false: str = "false"
    void: tuple[str, ...] = ()
    """Results that may be dropped; empty: all."""


def _double(value: str, _: str) -> str:
    return json.dumps(value, ensure_ascii=False)


def _script(value: str, source: str) -> str:
    double = json.dumps(value, ensure_ascii=False)
    if source.count("'") <= source.count('"'):
        return double
    return "'" + double[1:-1].replace('\\"', '"').replace("'", "\\'") + "'"


def _dollar(value: str, _: str) -> str:
    return json.dumps(value, ensure_ascii=False).replace("$", "\\$")


def _single(value: str, _: str) -> str:
    return "'" + value.replace("\\", "\\\\").replace("'", "\\'") + "'"


def _owned(value: str, _: str) -> str:
    return json.dumps(value, ensure_ascii=False) + ".to_string()"


_SCRIPT = CallStyle(
    {
        "cucumber-js": Others.NONE,
        "playwright-bdd": Others.FIRST,
        "cypress-cucumber-preprocessor": Others.NONE,
    },
    _script,
    wait="await {call}",
)

STYLES: Mapping[str, CallStyle] = {
    "python": CallStyle(
        {"behave": Others.FIRST, "pytest-bdd": Others.FIXTURES},
        _double,
        wait="await {call}",
        end="",
        true="True",
        false="False",
    ),
    "javascript": _SCRIPT,
    "typescript": _SCRIPT,
    "java": CallStyle(
        {"cucumber-jvm": Others.NONE},
        _double,
        {
            **{"String": Kind.TEXT, "CharSequence": Kind.TEXT, "int": Kind.INT, "Integer": Kind.INT},
            **{"long": Kind.INT, "double": Kind.FLOAT, "Double": Kind.FLOAT},
        },
        in_class=True,
    ),
    "kotlin": CallStyle(
        {"cucumber-jvm": Others.NONE},
        _dollar,
        {"String": Kind.TEXT, "Int": Kind.INT, "Double": Kind.FLOAT},
        end="",
        in_class=True,
    ),
    "csharp": CallStyle(
        {"reqnroll": Others.NONE, "specflow": Others.NONE},
        _double,
        {
            **{"string": Kind.TEXT, "String": Kind.TEXT, "int": Kind.INT, "long": Kind.INT, "double": Kind.FLOAT},
            **{"bool": Kind.BOOL},
        },
        wait="await {call}",
        in_class=True,
        any_type=True,
    ),
    "php": CallStyle(
        {"behat": Others.NONE},
        _single,
        {"string": Kind.TEXT, "?string": Kind.TEXT, "int": Kind.INT, "float": Kind.FLOAT},
        call="$this->{name}({arguments})",
        variable="${name}",
        in_class=True,
    ),
    "rust": CallStyle(
        {"cucumber-rs": Others.FIRST},
        _owned,
        {
            **{"String": Kind.TEXT, "f64": Kind.FLOAT, "f32": Kind.FLOAT},
            **dict.fromkeys(("i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "isize", "usize"), Kind.INT),
        },
        wait="{call}.await",
        void=("", "()"),
    ),
}
"""By the id of the language module in `glue.languages`. Functions of Ruby's step definitions have no names, and those
of godog are methods of what a scenario is begun with: both runners run steps instead."""

_INT, _FLOAT = re.compile(r"-?(?:0|[1-9]\d{0,8})"), re.compile(r"-?(?:0|[1-9]\d{0,8})(?:\.\d+)?")


def fits(kind: Kind, value: str) -> bool:
    """Whether a value can stand in code as this kind."""
    if kind is Kind.INT:
        return _INT.fullmatch(value) is not None
    if kind is Kind.FLOAT:
        return _FLOAT.fullmatch(value) is not None
    if kind is Kind.BOOL:
        return value in ("true", "false")
    return kind is Kind.TEXT and value.isprintable()
