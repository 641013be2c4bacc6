"""The built-in parameter types of each Cucumber: a row for each registry. A glue language names its row."""

from collections.abc import Mapping
from dataclasses import dataclass, field

_FLOAT = r"[-+]?(?:\d+(?:[.,]\d+)*|\.\d+)(?:[Ee][+-]?\d+)?"
_PLAIN_FLOAT = r"(?=.*\d.*)[-+]?\d*(?:\.(?=\d.*))?\d*(?:\d+[E][+-]?\d+)?"
"""For languages other than Java, where the feature's language does not decide how numbers are written."""
_RUST_FLOAT = r"[-+]?(?:inf|NaN|(?:\d+|\d+\.\d*|\d*\.\d+)(?:[eE][-+]?\d+)?)"
_INTEGERS = (r"-?\d+", r"\d+")
_FLOATS = ("float", "double", "bigdecimal")


@dataclass(frozen=True, slots=True)
class BuiltInTypes:
    built_in: Mapping[str, tuple[str, ...]]
    """Maps each name to its regexps."""
    fixed: frozenset[str]
    """Names that a project can't redefine."""
    extended: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Names to which a project's own types add regexps."""


def _of(number: str) -> BuiltInTypes:
    built_in = {
        "": (".*",),
        "word": (r"[^\s]+",),
        "string": (r'"(?:[^"\\]*(?:\\.[^"\\]*)*)"', r"'(?:[^'\\]*(?:\\.[^'\\]*)*)'"),
        **dict.fromkeys(("int", "byte", "short", "long", "biginteger"), _INTEGERS),
        **dict.fromkeys(_FLOATS, (number,)),
    }
    return BuiltInTypes(built_in, frozenset(built_in))


CUCUMBER = _of(_PLAIN_FLOAT)
"""The types of every Cucumber, with their regexps (cucumber-expressions, section "Parameter types")."""
JVM = _of(_FLOAT)
"""Cucumber-JVM reads numbers as the feature's language writes them. Numbers with a decimal comma count in languages
that use it."""
RUST = _of(_RUST_FLOAT)
_BASIC = {name: JVM.built_in[name] for name in ("", "word", "string")}
DOTNET = BuiltInTypes(
    JVM.built_in,
    frozenset(_BASIC),
    {
        **_BASIC,
        **dict.fromkeys(("byte", "int", "long", "Byte", "Int16", "Int32", "Int64"), (r"-?\d+",)),
        **dict.fromkeys(("float", "double", "decimal", "Single", "Double", "Decimal"), (_FLOAT,)),
        **dict.fromkeys(("Boolean", "Char", "DateTime", "Guid"), (".*",)),
    },
)
"""Reqnroll's own; transformations of a project add to most of them (CucumberExpressionParameterTypeRegistry.cs)."""
