"""One value of one setting: from TOML, from an editor's JSON, from an environment variable, to its checked form.

Raises `ValueError` whose message completes "`key` ": "must be a number from 0 to 1, not 7".
"""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from cukereuse_engine.settings.table import Setting, ValueType
from cukereuse_engine.spelling import nearest

_TRUE = frozenset({"1", "true", "yes", "on"})
_FALSE = frozenset({"0", "false", "no", "off"})


def check(setting: Setting, value: Any) -> Any:
    """The checked value of a parsed one (from TOML, JSON or a flag)."""
    match setting.type:
        case ValueType.CHOICE:
            return _choice(value, setting.allowed)
        case ValueType.TEXT | ValueType.PATH:
            if not isinstance(value, str) or not value.strip():
                raise ValueError(f"must be a string, not {_show(value)}")
            return value
        case ValueType.FLAG:
            if not isinstance(value, bool):
                raise ValueError(f"must be true or false, not {_show(value)}")
            return value
        case ValueType.NUMBER | ValueType.COUNT:
            return _number(setting, value)
        case ValueType.TEXTS | ValueType.PATHS:
            return _texts(setting, value)
        case ValueType.LEVELS:
            return _levels(setting, value)


def parse(setting: Setting, text: str) -> Any:
    """The checked value of an environment variable's text.

    A list has one value per line, or is a JSON array; a table is `rule=level` separated by commas.
    """
    value: Any = text
    match setting.type:
        case ValueType.FLAG:
            lowered = text.strip().lower()
            if lowered not in _TRUE | _FALSE:
                raise ValueError(f"must be true or false (or 1, 0, yes, no, on, off), not {_show(text)}")
            value = lowered in _TRUE
        case ValueType.NUMBER | ValueType.COUNT:
            try:
                value = float(text) if setting.type is ValueType.NUMBER else int(text)
            except ValueError:
                value = text
        case ValueType.TEXTS | ValueType.PATHS:
            value = _split_list(text)
        case ValueType.LEVELS:
            value = split_levels(text.split(","))
        case ValueType.CHOICE:
            value = text.strip()
        case ValueType.TEXT | ValueType.PATH:
            pass
    return check(setting, value)


def split_levels(pairs: Sequence[str]) -> dict[str, str]:
    """A table from pairs `rule=level`."""
    table = {}
    for pair in pairs:
        rule, equals, level = pair.partition("=")
        if not equals:
            raise ValueError(f"must be of the form rule=severity, not {_show(pair)}")
        table[rule.strip()] = level.strip()
    return table


def _split_list(text: str) -> Any:
    if text.lstrip().startswith("["):
        try:
            return json.loads(text)
        except ValueError as error:
            # A regular expression may begin with a bracket: `[Aa]dmin`.
            if text.rstrip().endswith("]") and '"' in text:
                raise ValueError(f"looks like a JSON array but is not valid JSON ({error})") from None
    return [line for line in text.splitlines() if line.strip()]


def _choice(value: Any, allowed: Sequence[str]) -> str:
    if isinstance(value, str) and value in allowed:
        return value
    suggestion = nearest(value, allowed) if isinstance(value, str) else None
    hint = f"; did you mean {suggestion!r}?" if suggestion else ""
    raise ValueError(f"must be one of {', '.join(allowed)}, not {_show(value)}{hint}")


def _number(setting: Setting, value: Any) -> float | int:
    whole = setting.type is ValueType.COUNT
    low, high = setting.minimum, setting.maximum
    fits = (
        isinstance(value, int if whole else (int, float))
        and not isinstance(value, bool)
        and (low is None or value >= low)
        and (high is None or value <= high)
    )
    if not fits:  # NaN fails both comparisons
        bounds = (
            f" from {low:g} to {high:g}" if high is not None else f" of at least {low:g}" if low is not None else ""
        )
        raise ValueError(f"must be a {'whole ' if whole else ''}number{bounds}, not {_show(value)}")
    return int(value) if whole else float(value)


def _texts(setting: Setting, value: Any) -> tuple[str, ...]:
    texts = [value] if isinstance(value, str) else value
    if not isinstance(texts, Sequence) or not all(isinstance(text, str) for text in texts):
        raise ValueError(f"must be a list of strings, not {_show(value)}")
    if setting.name == "ignore":
        for pattern in texts:
            try:
                re.compile(pattern)
            except (re.error, OverflowError, RecursionError) as error:
                raise ValueError(f"contains {_show(pattern)}, which is not a regular expression: {error}") from None
    return tuple(texts)


def _levels(setting: Setting, value: Any) -> Mapping[str, str]:
    if not isinstance(value, Mapping):
        raise ValueError(f"must be a table that maps rules to severities, not {_show(value)}")
    levels = {}
    for rule, level in value.items():
        if rule not in setting.keys:
            suggestion = nearest(str(rule), setting.keys)
            hint = f"; did you mean {suggestion!r}?" if suggestion else ""
            raise ValueError(f"names the unknown rule {_show(rule)}; the rules are {', '.join(setting.keys)}{hint}")
        try:
            levels[rule] = _choice(level, setting.allowed)
        except ValueError as error:
            raise ValueError(f"({rule}) {error}") from None
    return levels


def _show(value: Any) -> str:
    shown = repr(value).lower() if isinstance(value, bool) else repr(value)
    return shown if len(shown) <= 80 else shown[:77] + "..."
