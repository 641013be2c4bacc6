"""All that depends on an expression alone: its pattern, the groups that are its arguments, and the words that each
matching text must contain.

Computed once: a process keeps it in memory, and a cache keeps it for other processes.
"""

import hashlib
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import regex

from cukereuse_engine.glue import expressions, regexes
from cukereuse_engine.glue.definition import Anchoring, ExpressionKind
from cukereuse_engine.glue.fragments import Requirement, literal_requirement, requirement
from cukereuse_engine.glue.languages.base import dialect_of, expression_dialect_of
from cukereuse_engine.storage import digest_of
from cukereuse_engine.storage.blob_store import Blobs

TIMEOUT = 0.2
"""Seconds that one match may take: a thousand times what an honest pattern needs."""
NESTED_ARGUMENTS = frozenset(
    {"cucumber-js", "cucumber-jvm", "cucumber-ruby", "cypress-cucumber-preprocessor", "playwright-bdd"}
)
"""Frameworks for which a group inside a captured group is no argument of its own."""
_MOST_PATTERNS = 50_000


class UnsupportedExpressionError(ValueError):
    """A valid expression that the `regex` engine can't express."""


class PatternQuestion(NamedTuple):
    """Everything that a pattern depends on."""

    expression: str
    kind: ExpressionKind
    language: str
    framework: str
    anchoring: Anchoring
    flags: str
    custom: tuple[tuple[str, tuple[str, ...]], ...]
    """The parameter types that the expression names, each with its patterns."""
    untold: frozenset[str]
    """The parameter types that are defined, but whose patterns are unknown."""


class DefinitionPattern(msgspec.Struct, frozen=True, eq=False, array_like=True, dict=True):
    text: str
    """In the syntax of `regex`."""
    flags: int
    anchoring: Anchoring
    groups: tuple[regexes.Group, ...]
    requirement: Requirement
    parameter_types: frozenset[str]
    unknown: tuple[str, ...]
    """Parameter types that are defined nowhere; each matches anything."""

    def compile(self) -> Callable[..., Any]:
        """The pattern's `fullmatch`, `match` or `search`. Raises `regex.error`."""
        compiled = regex.compile(self.text, self.flags)
        finders = {Anchoring.FULL: compiled.fullmatch, Anchoring.MATCH: compiled.match}
        find: Callable[..., Any] = finders.get(self.anchoring, compiled.search)
        self.__dict__["find_in"] = find
        return find

    def find(self, text: str) -> Any:
        """A match of `regex`, or None. Compiled (half a millisecond) when it is first needed. Raises `TimeoutError`."""
        return (self.__dict__.get("find_in") or self.compile())(text, timeout=TIMEOUT)


_KNOWN: dict[PatternQuestion, DefinitionPattern] = {}


def pattern_of(question: PatternQuestion) -> DefinitionPattern:
    """Raises `UnsupportedExpressionError`, `BrokenExpressionError`, `regex.error` for a pattern that can't be used."""
    pattern = _KNOWN.get(question)
    if pattern is None:
        if len(_KNOWN) >= _MOST_PATTERNS:
            _KNOWN.clear()
        pattern = _KNOWN[question] = _pattern(question)
    return pattern


def forget() -> None:
    """Forget all patterns that are not in use; a compiled pattern takes about 25 KB."""
    _KNOWN.clear()


def forget_compiled() -> None:
    """Frees the compiled patterns. Each is compiled again where it is needed."""
    for pattern in _KNOWN.values():
        pattern.__dict__.pop("find_in", None)


def remember(questions: Iterable[PatternQuestion], cache: Blobs) -> None:
    """Read the patterns from a cache, and write those that it lacks. Patterns that can't be compiled are left out."""
    missing = [question for question in dict.fromkeys(questions) if question not in _KNOWN]
    encoded = [msgspec.msgpack.encode((*question[:-1], sorted(question.untold))) for question in missing]
    together = _key("patterns", *encoded)
    patterns = _together(cache.get_many([together]).get(together))
    if len(patterns) == len(missing):  # all questions of an earlier call are one payload
        _KNOWN.update((question, pattern) for question, pattern in zip(missing, patterns, strict=True) if pattern)
        return
    _remember_each(dict(zip((_key("pattern", question) for question in encoded), missing, strict=True)), cache)
    cache.put_many({together: msgspec.msgpack.encode([_KNOWN.get(question) for question in missing])})


def _together(payload: bytes | None) -> "list[DefinitionPattern | None]":
    try:
        return _TOGETHER.decode(payload) if payload is not None else []
    except msgspec.MsgspecError:
        return []


def _remember_each(missing: dict[str, PatternQuestion], cache: Blobs) -> None:
    stored = cache.get_many(missing)
    fresh: dict[str, bytes] = {}
    for key, question in missing.items():
        try:
            if key in stored:
                _KNOWN[question] = _DECODER.decode(stored[key])
            else:
                fresh[key] = msgspec.msgpack.encode(pattern_of(question))
        except Exception:
            continue
    cache.put_many(fresh)


_DECODER = msgspec.msgpack.Decoder(DefinitionPattern)
_TOGETHER = msgspec.msgpack.Decoder(list[DefinitionPattern | None])


def _key(name: str, *questions: bytes) -> str:
    digest = hashlib.blake2b(digest_size=16)
    for question in questions:
        digest.update(len(question).to_bytes(4, "little") + question)
    return f"{name}/{_version()}/{digest.hexdigest()}"


@cache
def _version() -> str:
    """A digest of everything that determines a pattern: the code of this package, and the engine."""
    return f"{regex.__version__}/{digest_of(Path(__file__).parent)}"


def _pattern(question: PatternQuestion) -> DefinitionPattern:
    match question.kind:
        case ExpressionKind.LITERAL:
            return _of_literal(question)
        case ExpressionKind.REGEX:
            return _of_regex(question)
        case _:
            return _of_expression(question)


def _of_literal(question: PatternQuestion) -> DefinitionPattern:
    expression, flags = question.expression, question.flags
    needed = literal_requirement(expression) if expression.isascii() or "i" not in flags else Requirement()
    text = regex.escape(expression, literal_spaces=True)
    return DefinitionPattern(text, _flags(flags, ""), Anchoring.FULL, (), needed, frozenset(), ())


def _of_regex(question: PatternQuestion) -> DefinitionPattern:
    expression, anchoring = question.expression, question.anchoring
    if question.framework == "behave" and anchoring is Anchoring.FULL:
        # a wrapper without a group would apply to one side only: `^a|b$`
        expression, anchoring = f"^{expression}$", Anchoring.MATCH
    own = regexes.translate(expression, dialect_of(question.language), question.flags)
    refuse(own)
    nested = question.framework not in NESTED_ARGUMENTS
    captured = tuple(group for group in own.groups if group.depth == 0 or nested)
    pattern = _finish(own, captured, _flags(question.flags, question.language), anchoring)
    pattern.compile()
    return pattern


def _of_expression(question: PatternQuestion) -> DefinitionPattern:
    """An expression that is translated to a regex first."""
    expression, kind, language, framework, _, flags, custom, untold = question
    source = expressions.to_regex(expression, kind, dict(custom), untold, expression_dialect_of(language), framework)
    parts = regexes.translate(source.pattern, regexes.ENGINE)
    refuse(parts)
    top = [group for group in parts.groups if group.depth == 0]
    names = source.names or tuple(group.name for group in top)
    named = tuple(regexes.Group(g.number, name, 0) for g, name in zip(top, names, strict=False))
    # pytest-bdd calls `parse` with its default, which ignores case; behave is case-sensitive since 1.3
    ignore_case = framework in ("behat", "pytest-bdd") or "i" in flags
    compile_flags = int(regex.V0 | (regex.IGNORECASE if ignore_case else 0))
    pattern = _finish(parts, named, compile_flags, Anchoring.FULL, source.parameter_types, source.unknown)
    # what is translated from other syntaxes is always a regex, except for what custom types bring along
    if custom or framework == "vitest-cucumber":
        pattern.compile()
    return pattern


def refuse(pattern: regexes.Pattern, prefix: str = "") -> None:
    """Raises `UnsupportedExpressionError`, `BrokenExpressionError` for a pattern with a problem."""
    if pattern.problem:
        kind = UnsupportedExpressionError if pattern.is_unsupported else expressions.BrokenExpressionError
        raise kind(prefix + pattern.problem)


def _flags(flags: str, language: str) -> int:
    value = regex.V0
    for letter, flag in (("i", regex.IGNORECASE), ("m", regex.MULTILINE), ("s", regex.DOTALL)):
        value |= flag if letter in flags else 0
    return int(value | (regex.MULTILINE if dialect_of(language).lines_always else 0))


def _finish(
    pattern: regexes.Pattern,
    captured: tuple[regexes.Group, ...],
    flags: int,
    anchoring: Anchoring,
    parameter_types: frozenset[str] = frozenset(),
    unknown: tuple[str, ...] = (),
) -> DefinitionPattern:
    needed = requirement(
        pattern.tokens,
        ignore_case=bool(flags & regex.IGNORECASE),
        starts=anchoring is not Anchoring.SEARCH,
        ends=anchoring is Anchoring.FULL,
    )
    return DefinitionPattern(pattern.text, flags, anchoring, captured, needed, parameter_types, unknown)
