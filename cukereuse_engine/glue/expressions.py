"""Cucumber Expressions, `parse` formats and Behat's turnip patterns as regular expressions.

The first two are translated by the libraries that the runners themselves use; plain Cucumber Expressions take a short
cut that gives the same. Nothing is matched here.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from cukereuse_engine.glue.definition import ExpressionKind


class BrokenExpressionError(ValueError):
    """The runner would refuse this expression."""


@dataclass(frozen=True, slots=True)
class Translation:
    pattern: str
    """Matches whole texts; each capturing group that stands in no other is an argument."""
    parameter_types: frozenset[str] = frozenset()
    """Custom parameter types that the expression names, known or not."""
    unknown: tuple[str, ...] = ()
    """Those that are defined nowhere."""
    names: tuple[str, ...] = ()
    """Parameter names in order where the groups carry none."""


_FLOAT = r"[-+]?(?:\d+(?:[.,]\d+)*|\.\d+)(?:[Ee][+-]?\d+)?"
_INTEGERS = (r"-?\d+", r"\d+")
_BUILT_IN: dict[str, tuple[str, ...]] = {
    "": (".*",),
    "word": (r"[^\s]+",),
    "string": (r'"(?:[^"\\]*(?:\\.[^"\\]*)*)"', r"'(?:[^'\\]*(?:\\.[^'\\]*)*)'"),
    **dict.fromkeys(("int", "byte", "short", "long", "biginteger"), _INTEGERS),
    **dict.fromkeys(("float", "double", "bigdecimal"), (_FLOAT,)),
}
"""Parameter types of every Cucumber, with their regexps (cucumber-expressions, section "Parameter types"). Numbers with
a decimal comma count in locales that have one."""
_BY_LANGUAGE: dict[str, frozenset[str]] = {
    "csharp": frozenset(
        {"decimal", "bool", "char", "DateTime", "Guid", "Int32", "Int64", "String", "Double", "Decimal", "Boolean"}
    ),
}
"""Types that a runner knows by itself and that match whatever its converter takes (Reqnroll's .NET types)."""
_PARAMETER = re.compile(r"(?<!\\)\{([^{}\\]*)\}")
_FIELD = re.compile(r"\{[^{}:]*:([^{}]*)\}")
_FIELD_TYPE = re.compile(r"([A-Za-z_][\w]*)[?*+]?$")


def parameter_names(expression: str, kind: ExpressionKind) -> frozenset[str]:
    """Names that may be custom parameter types of the expression."""
    if kind is ExpressionKind.CUCUMBER:
        return frozenset(_PARAMETER.findall(expression)) - _BUILT_IN.keys()
    if kind in (ExpressionKind.PARSE, ExpressionKind.CFPARSE):
        field_types = (_FIELD_TYPE.search(field) for field in _FIELD.findall(expression))
        return frozenset(match.group(1) for match in field_types if match)
    return frozenset()


def to_regex(
    expression: str,
    kind: ExpressionKind,
    custom: Mapping[str, tuple[str, ...]],
    untold: frozenset[str],
    language: str,
    framework: str = "",
) -> Translation:
    """Translate an expression. `custom`: regexps of custom parameter types by name; `untold`: types that are defined,
    but not in a way that the source tells. Raises `BrokenExpressionError`."""
    if kind is ExpressionKind.CUCUMBER and framework == "vitest-cucumber":
        return _vitest(expression, custom, untold)
    if kind is ExpressionKind.CUCUMBER:
        return _cucumber(expression, custom, untold | _BY_LANGUAGE.get(language, frozenset()))
    if kind is ExpressionKind.TURNIP:
        return _turnip(expression)
    return _parse(expression, kind, custom, untold)


def _cucumber(expression: str, custom: Mapping[str, tuple[str, ...]], untold: frozenset[str]) -> Translation:
    names = parameter_names(expression, ExpressionKind.CUCUMBER)
    unknown = tuple(sorted(names - custom.keys() - untold))
    regexps = {**_BUILT_IN, **dict.fromkeys(names, (".*",)), **custom}
    if re.search(r"[()/\\]", expression):
        pattern, used = _by_library(expression, regexps)
    elif re.search(r"[{}]", _PARAMETER.sub("", expression)):
        raise BrokenExpressionError("unbalanced brace; write \\{ for a literal brace")
    else:
        pieces = _PARAMETER.split(expression)
        pattern = "".join(_captured(regexps[piece]) if at % 2 else re.escape(piece) for at, piece in enumerate(pieces))
        used = pieces[1::2]
    return Translation(pattern, names, unknown, tuple(used))


_IN_REGEX = re.compile(r"\\.|\[(?:\\.|[^\]\\])*\]|\((?!\?)|\?", re.DOTALL)


def _vitest(expression: str, custom: Mapping[str, tuple[str, ...]], untold: frozenset[str]) -> Translation:
    """vitest-cucumber escapes `?` and puts parameters in; the rest is a regular expression, of which groups are no
    arguments (src/parser/expression/ExpressionStep.ts)."""

    def in_regex(match: re.Match[str]) -> str:
        return {"?": r"\?", "(": "(?:"}.get(match.group(), match.group())

    names = parameter_names(expression, ExpressionKind.CUCUMBER)
    regexps = {**_BUILT_IN, **dict.fromkeys(names, (".*",)), **custom}
    pieces = _PARAMETER.split(expression)
    pattern = "".join(
        _captured(regexps[piece]) if at % 2 else _IN_REGEX.sub(in_regex, piece) for at, piece in enumerate(pieces)
    )
    return Translation(pattern, names, tuple(sorted(names - custom.keys() - untold)), tuple(pieces[1::2]))


def _captured(regexps: tuple[str, ...]) -> str:
    return f"({'|'.join(f'(?:{regexp})' for regexp in regexps)})"


def _by_library(expression: str, regexps: Mapping[str, tuple[str, ...]]) -> tuple[str, list[str]]:
    """Let the library translate with stand-ins for the types' regexps, which it would compile by Python's rules."""
    from cucumber_expressions.errors import CucumberExpressionError
    from cucumber_expressions.expression import CucumberExpression
    from cucumber_expressions.parameter_type import ParameterType

    class Registry:
        def lookup_by_type_name(self, name: str) -> Any:
            number = [*regexps].index(name)
            return ParameterType(name, f"\x00{number}\x01", str, None, False, False)

    try:
        compiled = CucumberExpression(expression, Registry())
    except (CucumberExpressionError, re.error) as error:
        raise BrokenExpressionError(_complaint(str(error), expression)) from error
    values = list(regexps.values())
    pattern = re.sub(r"\(\x00(\d+)\x01\)", lambda match: _captured(values[int(match.group(1))]), compiled.regexp)
    return pattern, [type_.name for type_ in compiled.parameter_types]


def _complaint(message: str, expression: str) -> str:
    """What the library says is wrong, with its advice, on one line: without the picture of the expression."""
    lines = [line.strip() for line in message.splitlines()]
    column = re.search(r"problem at column (\d+)", message)
    said = [line for line in lines if re.search(r"[a-zA-Z]{3}", line) and line != expression.strip()]
    said = [line for line in said if "has a problem at column" not in line]
    place = f" (column {column[1]})" if column else ""
    return f"{' '.join(said)}{place}" if said else "not a Cucumber Expression"


def _parse(
    expression: str, kind: ExpressionKind, custom: Mapping[str, tuple[str, ...]], untold: frozenset[str]
) -> Translation:
    import parse

    if kind is ExpressionKind.CFPARSE:
        from parse_type import cfparse

        parser_class = cfparse.Parser
    else:
        parser_class = parse.Parser
    converters = {name: _converter(regexps) for name, regexps in custom.items()}
    converters |= {name: _converter((".+?",)) for name in untold}
    unknown: list[str] = []
    while True:
        try:
            parser = parser_class(expression, extra_types=dict(converters), case_sensitive=True)
        except (ValueError, KeyError, NotImplementedError) as error:
            missing = re.search(r"format spec '(\w+)' not recognised|^'(\w+)'$", str(error))
            name = next((group for group in missing.groups() if group), "") if missing else ""
            if not name or name in converters:
                raise BrokenExpressionError(str(error) or "not a parse format") from error
            unknown.append(name)
            converters[name] = _converter((".+?",))
        else:
            names = frozenset(parameter_names(expression, kind)) & (custom.keys() | untold | set(unknown))
            return Translation(parser._expression, names, tuple(unknown))


def _converter(regexps: tuple[str, ...]) -> Any:
    """A converter that carries a pattern and converts nothing."""
    import parse

    pattern = "|".join(f"(?:{regexp})" for regexp in regexps) if len(regexps) > 1 else regexps[0]
    without_sets = re.sub(r"\\.|\[(?:\\.|[^\]\\])*\]", "", pattern)
    captures = len(re.findall(r"\((?!\?)|\(\?P<", without_sets))

    def same(text: str) -> str:
        return text

    return parse.with_pattern(pattern, regex_group_count=captures)(same)


_TOKEN = r"""["']?((?<=")[^"]*(?=")|(?<=')[^']*(?=')|-?[\w.,]+)['"]?"""  # a quoted string, or one token


def _turnip(expression: str) -> Translation:
    """Behat's turnip patterns (TurnipPatternPolicy): `:name`, `word(s)`, `one/other`; case is ignored."""
    names: list[str] = []

    def token(match: re.Match[str]) -> str:
        names.append(match.group(1))
        return _TOKEN

    pattern = re.sub(r"([\\.+*?\[^\]$(){}=!<>|:\-#/])", r"\\\1", expression)
    pattern = re.sub(r"(\s)?\\\(([^\\]+)\\\)(\s)?", r"(?:\1)?(?:\2)?(?:\3)?", pattern)
    pattern = re.sub(r"(\w+)\\/(\w+)", r"(?:\1|\2)", pattern)
    pattern = re.sub(r"\\:(\w+)", token, pattern)
    return Translation(pattern, names=tuple(names))
