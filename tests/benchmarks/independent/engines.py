"""Matchers that are independent of the product: Ruby's, PCRE, JavaScript's, Python's `re`, behave's, pytest-bdd's, the
official Cucumber Expressions for JavaScript.

`matches` takes definitions and texts, and returns the captures of each matching pair. A pattern that its engine
refuses, or whose engine is not installed, is unknown, which differs from one that matches nothing.
"""

import json
import os
import re
import shutil
import subprocess
import warnings
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from cukereuse_engine.glue.definition import ExpressionKind, StepDefinition

HERE = Path(__file__).parent
Key = tuple[str, str, str, str, str, str]
"""All that a matcher needs of a definition: expression, kind, language, framework, anchoring, flags."""
Captured = tuple[str | None, ...]
Types = Mapping[str, tuple[str, ...]]


class UnknownMatcherError(Exception):
    """No engine here can match the definition."""


def key_of(definition: StepDefinition) -> Key:
    return (
        definition.expression,
        definition.kind,
        definition.language,
        definition.framework,
        definition.anchoring,
        definition.flags,
    )


@cache
def _process(name: str) -> "subprocess.Popen[str] | None":
    command = {"rb": "ruby", "php": "php", "cjs": "node"}[name.rpartition(".")[2]]
    if shutil.which(command) is None:
        return None
    modules = os.environ.get("CUKEREUSE_NODE_MODULES", "")
    return subprocess.Popen(
        [command, str(HERE / name)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        env={**os.environ, "NODE_PATH": modules, "LC_ALL": "C.UTF-8"},
    )


def _ask(name: str, request: Any) -> list[tuple[int, int, list[str | None]]]:
    process = _process(name)
    if process is None or process.stdin is None or process.stdout is None:
        raise UnknownMatcherError(name)
    process.stdin.write(json.dumps(request) + "\n")
    process.stdin.flush()
    line = process.stdout.readline()
    if not line:
        raise UnknownMatcherError(name)
    return json.loads(line)


class Engines:
    """Matches by the engines, and remembers the results."""

    def __init__(self, types: Types) -> None:
        self._types = {name: list(regexps) for name, regexps in types.items()}
        self._known: dict[Key, dict[str, Captured | None]] = defaultdict(dict)
        self.unknown: set[Key] = set()

    def matches(self, keys: Iterable[Key], texts: Sequence[str]) -> dict[Key, dict[str, Captured]]:
        """Maps a definition to its matching texts, each with the captures."""
        asked = [key for key in dict.fromkeys(keys) if key not in self.unknown]
        by_engine: dict[tuple[str, tuple[str, ...]], list[Key]] = defaultdict(list)
        for key in asked:
            missing = tuple(text for text in texts if text not in self._known[key])
            if missing:
                by_engine[_engine_of(key), missing].append(key)
        for (engine, missing), group in by_engine.items():
            self._learn(engine, group, missing)
        return {
            key: {text: captures for text in texts if (captures := self._known[key].get(text)) is not None}
            for key in asked
            if key not in self.unknown
        }

    def _learn(self, engine: str, keys: Sequence[Key], texts: Sequence[str]) -> None:
        try:
            answers = self._run(engine, keys, texts)
        except UnknownMatcherError:
            self.unknown.update(keys)
            return
        for key in keys:
            self._known[key].update(dict.fromkeys(texts))
        for number, at, values in answers:
            if at < 0:
                self.unknown.add(keys[number])
            else:
                self._known[keys[number]][texts[at]] = tuple(values)

    def _run(
        self, engine: str, keys: Sequence[Key], texts: Sequence[str]
    ) -> Iterable[tuple[int, int, Sequence[str | None]]]:
        patterns = [(key[0], key[5]) for key in keys]
        if engine == "ruby":
            return _ask("match.rb", {"patterns": patterns, "texts": texts})
        if engine == "pcre":
            return _ask("match.php", {"patterns": patterns, "texts": texts})
        if engine in ("js", "cucumber", "vitest"):
            kind = "regex" if engine == "js" else engine
            return _ask("match.cjs", {"kind": kind, "patterns": patterns, "texts": texts, "types": self._types})
        return self._in_python(engine, keys, texts)

    def _in_python(
        self, engine: str, keys: Sequence[Key], texts: Sequence[str]
    ) -> Iterable[tuple[int, int, Sequence[str | None]]]:
        for number, key in enumerate(keys):
            try:
                match = _PYTHON[engine](key, self._types)
            except Exception:
                yield number, -1, ()
                continue
            for at, text in enumerate(texts):
                values = match(text)
                if values is not None:
                    yield number, at, values


def _engine_of(key: Key) -> str:
    _, kind, language, framework, _, _ = key
    if kind == ExpressionKind.CUCUMBER:
        return "vitest" if framework == "vitest-cucumber" else "cucumber"
    if kind == ExpressionKind.TURNIP:
        return "turnip"
    if framework in ("behave", "pytest-bdd"):
        return framework
    if kind == ExpressionKind.REGEX:
        return {"ruby": "ruby", "php": "pcre", "javascript": "js", "typescript": "js"}.get(language, "re")
    return "literal"


Matching = Callable[[str], Sequence[str | None] | None]


def _literal(key: Key, _: Any) -> Matching:
    """jest-cucumber ignores the case of texts (its `validateStep`)."""
    if key[3] == "jest-cucumber":
        return lambda text: () if text.lower() == key[0].lower() else None
    return lambda text: () if text == key[0] else None


def _re(key: Key, _: Any) -> Matching:
    """For Java, Go, Rust and .NET, whose simple patterns mean the same to Python."""
    flags = sum(
        {"i": re.IGNORECASE, "m": re.MULTILINE, "s": re.DOTALL, "x": re.VERBOSE}.get(letter, 0) for letter in key[5]
    )
    pattern = re.compile(re.sub(r"\(\?<(?![=!])", "(?P<", key[0]).replace(r"\z", r"\Z"), flags)
    find = pattern.fullmatch if key[4] == "full" else pattern.search
    return lambda text: match.groups() if (match := find(text)) else None


def _behave(key: Key, types: Mapping[str, list[str]]) -> Matching:
    from behave import matchers

    kinds = {"parse": matchers.ParseMatcher, "cfparse": matchers.CFParseMatcher, "regex": matchers.RegexMatcher}
    names = re.findall(r"\{[^{}:]*:(\w\w+)[?*+]?\}", key[0])
    own = {name: _converter(types.get(name) or [".+?"]) for name in names}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        matcher = kinds[key[1]](lambda: None, key[0], **({} if key[1] == "regex" else {"custom_types": own}))

    def match(text: str) -> Sequence[str | None] | None:
        match = matcher.match(text)
        if match is None or not hasattr(match, "arguments") or match.arguments is None:
            return None
        return [
            f"{argument.name}={argument.original}"
            for argument in sorted(match.arguments, key=lambda argument: str(argument.name))
        ]

    return match


def _converter(regexps: Sequence[str]) -> Any:
    import parse

    def same(text: str) -> str:
        return text

    pattern = "|".join(regexps)
    return parse.with_pattern(pattern, regex_group_count=re.compile(pattern).groups)(same)


def _pytest_bdd(key: Key, types: Mapping[str, list[str]]) -> Matching:
    from pytest_bdd import parsers

    names = re.findall(r"\{[^{}:]*:(\w\w+)[?*+]?\}", key[0])
    extra = {name: _converter(types.get(name) or [".+?"]) for name in names}
    if key[1] == "literal":
        return _literal(key, types)
    if key[1] == "regex":
        parser: Any = parsers.re(key[0])
    else:
        parser = getattr(parsers, key[1])(key[0], extra_types=extra)

    def match(text: str) -> Sequence[str | None] | None:
        if not parser.is_matching(text):
            return None
        return [f"{name}={value}" for name, value in sorted(parser.parse_arguments(text).items())]

    return match


_TOKEN = r"""(?:"([^"]*)"|'([^']*)'|(-?[\w.,]+))"""


def _turnip(key: Key, _: Any) -> Matching:
    """Behat's patterns, from their documentation: `:name`, `one/other`, `word(s)`, `\\/` for a slash."""
    pieces = re.split(r"(:\w+|\s?\([^):\\]*\)\s?|\w+/\w+)", key[0])
    pattern = ""
    for piece in pieces:
        if re.fullmatch(r":\w+", piece):
            pattern += _TOKEN
        elif re.fullmatch(r"\s?\([^)]*\)\s?", piece):
            before, words, after = re.fullmatch(r"(\s?)\(([^)]*)\)(\s?)", piece).groups()
            inside = re.escape(words)
            if re.fullmatch(r"\w+(/\w+)+", words):  # turnip's, step_definition.rb: `categor(y/ies)`
                inside = words.replace("/", "|")
            pattern += f"(?:{before})?(?:{inside})?(?:{after})?" if before or after else f"(?:{inside})?"
        elif re.fullmatch(r"\w+/\w+", piece):
            pattern += f"(?:{piece.replace('/', '|')})"
        else:
            pattern += re.escape(piece.replace("\\/", "/"))
    compiled = re.compile(pattern, re.IGNORECASE)

    def match(text: str) -> Sequence[str | None] | None:
        match = compiled.fullmatch(text)
        if match is None:
            return None
        values = match.groups()
        return [
            next((value for value in values[at : at + 3] if value is not None), None) for at in range(0, len(values), 3)
        ]

    return match


_PYTHON: dict[str, Callable[[Key, Any], Matching]] = {
    "literal": _literal,
    "re": _re,
    "behave": _behave,
    "pytest-bdd": _pytest_bdd,
    "turnip": _turnip,
}
