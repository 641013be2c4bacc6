"""Cucumber Expressions, `parse` formats and Behat's turnip patterns as regular expressions.

The libraries that the runners themselves use translate the first two; plain Cucumber Expressions take a short cut with
the same result. Nothing is matched here.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from cukereuse_engine.glue import built_in_types
from cukereuse_engine.glue.built_in_types import BuiltInTypes
from cukereuse_engine.glue.definition import ExpressionKind


class BrokenExpressionError(ValueError):
    """An expression that the runner would refuse."""


@dataclass(frozen=True, slots=True)
class ExpressionDialect:
    """The features of expressions that the runners of a language know."""

    parameter_types: BuiltInTypes = built_in_types.CUCUMBER
    """The parameter types of Cucumber Expressions."""
    placeholders: bool = False
    """True if patterns in Turnip's style are Turnip's own, with placeholders; else they are Behat's."""


CUCUMBER = ExpressionDialect()


@dataclass(frozen=True, slots=True)
class Translation:
    pattern: str
    """Matches whole texts; each outermost capturing group is an argument."""
    parameter_types: frozenset[str] = frozenset()
    """Custom parameter types that the expression names, known or not."""
    unknown: tuple[str, ...] = ()
    """The custom parameter types that are not defined."""
    names: tuple[str, ...] = ()
    """The names of the parameters in order, if the groups have none."""


_PARAMETER = re.compile(r"(?<!\\)\{([^{}\\]*)\}")
_FIELD = re.compile(r"\{[^{}:]*:([^{}]*)\}")
_FIELD_TYPE = re.compile(r"([A-Za-z_][\w]*)[?*+]?$")


def parameter_names(expression: str, kind: ExpressionKind, dialect: ExpressionDialect = CUCUMBER) -> frozenset[str]:
    """The names in an expression that may be custom parameter types."""
    if kind is ExpressionKind.CUCUMBER:
        return frozenset(_PARAMETER.findall(expression)) - dialect.parameter_types.fixed
    if kind is ExpressionKind.TURNIP and dialect.placeholders:
        return frozenset(_PLACEHOLDER.findall(expression))
    if kind in (ExpressionKind.PARSE, ExpressionKind.CFPARSE):
        field_types = (_FIELD_TYPE.search(field) for field in _FIELD.findall(expression))
        return frozenset(match.group(1) for match in field_types if match)
    return frozenset()


def to_regex(
    expression: str,
    kind: ExpressionKind,
    custom: Mapping[str, tuple[str, ...]],
    untold: frozenset[str],
    dialect: ExpressionDialect,
    framework: str = "",
) -> Translation:
    """Translate an expression. `custom`: regexps of custom parameter types by name; `untold`: types whose regexps the
    source does not tell. Raises `BrokenExpressionError`."""
    if kind is ExpressionKind.CUCUMBER and framework == "vitest-cucumber":
        return _vitest(expression, custom, untold)
    if kind is ExpressionKind.CUCUMBER:
        return _cucumber(expression, custom, untold, dialect)
    if kind is ExpressionKind.TURNIP:
        return _of_turnip(expression, custom) if dialect.placeholders else _of_behat(expression)
    translation = _parse(expression, kind, custom, untold)
    return _with_lines_below(translation) if framework == "pytest-bdd" else translation


def _cucumber(
    expression: str, custom: Mapping[str, tuple[str, ...]], untold: frozenset[str], dialect: ExpressionDialect
) -> Translation:
    names = parameter_names(expression, ExpressionKind.CUCUMBER, dialect)
    types = dialect.parameter_types
    custom = {name: (*types.extended.get(name, ()), *regexps) for name, regexps in custom.items()}
    custom = {**{name: types.extended[name] for name in names & types.extended.keys() - untold}, **custom}
    unknown = tuple(sorted(names - custom.keys() - untold))
    regexps = {**types.built_in, **dict.fromkeys(names, (".*",)), **custom}
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
    """vitest-cucumber escapes `?` and inserts parameters; the rest is a regular expression whose groups are no
    arguments (src/parser/expression/ExpressionStep.ts)."""

    def in_regex(match: re.Match[str]) -> str:
        return {"?": r"\?", "(": "(?:"}.get(match.group(), match.group())

    names = parameter_names(expression, ExpressionKind.CUCUMBER)
    regexps = {**built_in_types.JVM.built_in, **dict.fromkeys(names, (".*",)), **custom}
    pieces = _PARAMETER.split(expression)
    pattern = "".join(
        _captured(regexps[piece]) if at % 2 else _IN_REGEX.sub(in_regex, piece) for at, piece in enumerate(pieces)
    )
    return Translation(pattern, names, tuple(sorted(names - custom.keys() - untold)), tuple(pieces[1::2]))


def _captured(regexps: tuple[str, ...]) -> str:
    return f"({'|'.join(f'(?:{regexp})' for regexp in regexps)})"


def _by_library(expression: str, regexps: Mapping[str, tuple[str, ...]]) -> tuple[str, list[str]]:
    """Translate by the library, with stand-ins for the types' regexps, which it would compile by Python's rules."""
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
    """The library's error with its advice on one line, without the picture of the expression."""
    lines = [line.strip() for line in message.splitlines()]
    column = re.search(r"problem at column (\d+)", message)
    sentences = [line for line in lines if re.search(r"[a-zA-Z]{3}", line) and line != expression.strip()]
    sentences = [line for line in sentences if "has a problem at column" not in line]
    place = f" (column {column[1]})" if column else ""
    return f"{' '.join(sentences)}{place}" if sentences else "not a Cucumber Expression"


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


def _with_lines_below(translation: Translation) -> Translation:
    """Before version 8, the lines below a step were part of its text in pytest-bdd: a parameter at the end, behind a
    line end or a colon, takes them (parser.py). Steps are bound by their first line here."""
    pattern = re.sub(r"(?:\\?(\n)|(?<=:))(\((?:\?P<\w+>)?\.\+\?\))\Z", r"(?:\1\2)?", translation.pattern)
    return replace(translation, pattern=pattern)


def _converter(regexps: tuple[str, ...]) -> Any:
    """A converter that carries a pattern and converts nothing."""
    import parse

    pattern = "|".join(f"(?:{regexp})" for regexp in regexps) if len(regexps) > 1 else regexps[0]
    without_sets = re.sub(r"\\.|\[(?:\\.|[^\]\\])*\]", "", pattern)
    captures = len(re.findall(r"\((?!\?)|\(\?P<", without_sets))

    def same(text: str) -> str:
        return text

    return parse.with_pattern(pattern, regex_group_count=captures)(same)


_PLACEHOLDER = re.compile(r":(\w+)")
_TURNIP_WORD = r"""(?<=")[^"]*(?=")|(?<=')[^']*(?=')|(?<!["'])[\w-]+(?!["'])"""
TURNIP_TOKEN = f"[\"']?(?:{_TURNIP_WORD})[\"']?"
"""The pattern of a Turnip placeholder that a project does not define (turnip, placeholder.rb)."""


def _of_turnip(expression: str, custom: Mapping[str, tuple[str, ...]]) -> Translation:
    """Turnip's pattern (step_definition.rb): `:name`, `(optional)` with alternatives in it, `one/other/third`; a blank
    beside an optional word is optional too."""
    names = _PLACEHOLDER.findall(expression)
    pattern = _PLACEHOLDER.sub("\x00", expression)
    pattern = "".join(char if char in "\x00/" or char.isalnum() else re.escape(char) for char in pattern)
    pattern = re.sub(
        r"(\\ )?\\\(([^)]+)\\\)(\\ )?",
        lambda match: "".join(f"(?:{part})?" for part in match.groups() if part is not None),
        pattern,
    )
    pattern = re.sub(r"([^\W\d_]+)((?:/[^\W\d_]+)+)", lambda match: f"(?:{match[0].replace('/', '|')})", pattern)
    pieces = pattern.split("\x00")
    token = f"[\"']?({_TURNIP_WORD})[\"']?"
    taken = [_captured(custom[name]) if name in custom else token for name in names]
    pattern = "".join(piece + value for piece, value in zip(pieces, [*taken, ""], strict=True))
    return Translation(pattern, frozenset(names), names=tuple(names))


_TOKEN = r"""["']?((?<=")[^"]*(?=")|(?<=')[^']*(?=')|-?[\w.,]+)['"]?"""  # a quoted string, or one token


def _of_behat(expression: str) -> Translation:
    r"""Behat's turnip pattern (TurnipPatternPolicy.php): `:name`, `word(s)`, `one/other`, `\/` for a slash. Words
    consist of ASCII letters; case is ignored."""
    pattern = re.sub(r"([\\.+*?\[^\]$(){}=!<>|:\-#/])", r"\\\1", expression)
    names = re.findall(r"\\:(\w+)", pattern, re.ASCII)
    pattern = re.sub(r"\\:\w+", "\x00", pattern, flags=re.ASCII)
    pattern = re.sub(r"(\s)?\\\(([^\\\x00]+)\\\)(\s)?", r"(?:\1)?(?:\2)?(?:\3)?", pattern, flags=re.ASCII)
    pattern = re.sub(r"(\w+)\\/(\w+)", r"(?:\1|\2)", pattern, flags=re.ASCII)
    pattern = pattern.replace(r"\\/", "/").replace("\x00", _TOKEN)
    return Translation(pattern, names=tuple(names))
