"""Steps that code runs itself: `step %{…}` and `steps` of Cucumber for Ruby, `Given "…"` inside of a step, behave's
`execute_steps`, SpecFlow's `Given("…")`, `Step(this, "…")` of Cypress, Behat's `new Given("…")`.

They are found in every source of the language by their syntax; comments, strings and regular expressions are not code.
A plain literal is a step with a place of its own. A literal with inserted values counts only if the values can be
arguments, and only its line is known.
"""

import os
import re
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, TypeVar, cast

from msgspec.structs import replace as replace_step

from cukereuse_engine.gherkin.feature import KeywordType, Span, Step
from cukereuse_engine.glue.definition import StepDefinition
from cukereuse_engine.glue.fragments import fold, words
from cukereuse_engine.glue.languages.base import language_for
from cukereuse_engine.glue.languages.source import as_utf8, text_of
from cukereuse_engine.glue.matchers import compile_definition
from cukereuse_engine.grouped import grouped
from cukereuse_engine.refactor.call_literals import (
    BRACKETS,
    CallLiteral,
    joined_to,
)
from cukereuse_engine.refactor.edits import ChangedFileError, source_text
from cukereuse_engine.refactor.rename_plan import ReadSuites
from cukereuse_engine.refactor.step_call import INSERTED, CodePlaces, StepCall
from cukereuse_engine.refactor.unknown_texts import Parts, meet, parts_of, parts_of_definition
from cukereuse_engine.refactor.writing import writing_of
from cukereuse_engine.storage import digest_of
from cukereuse_engine.storage.kept import found_in

T = TypeVar("T")


def calls_steps(language: str) -> bool:
    """True if code in a language can run steps by their texts."""
    return writing_of(language).step_calls is not None


def calls_in(path: str, data: bytes) -> list[StepCall]:
    """The calls in a source, by place; none is plain if the source is not UTF-8. Empty for languages without calls."""
    language = language_for(path)
    finder = writing_of(language.id).step_calls if language is not None else None
    if language is None or finder is None or not finder.hint.search(as_utf8(data)):
        return []
    text = text_of(data)
    calls = sorted(finder.find(path, text, CodePlaces(path, text, language.id)), key=lambda call: call.step.span.start)
    try:
        source_text(data)
    except ChangedFileError:
        return [replace(call, plain=False) for call in calls]
    return calls


def _call(
    path: str, source: str, literal: CallLiteral, start: int, end: int, *, plain: bool = True, whole: str = ""
) -> StepCall:
    text = source[start:end]
    line = source.count("\n", 0, start) + 1
    span = Span(line, start - source.rfind("\n", 0, start), start, end)
    unknown = KeywordType.UNKNOWN
    step = Step(path, text, span, "", unknown, unknown, "", None, "", 0, (), False, False, (), None)
    quote, escaped = _escape_of(path, literal)
    apart = text.split(escaped) if escaped else [text]
    inserted = literal.inserts and INSERTED.search(text) is not None
    others = any('""' in part if literal.raw else "\\" in part for part in apart)
    is_plain = plain and not (inserted or others)
    unsafe = "" if quote else literal.closing[:1] + next((a for a, b in BRACKETS.items() if b == literal.closing), "")
    step = replace_step(step, text=quote.join(apart)) if is_plain else step
    return StepCall(step, is_plain, unsafe + ("{}" if literal.inserts else ""), quote, escaped, whole)


def _escape_of(path: str, literal: CallLiteral) -> tuple[str, str]:
    """The quote that ends a literal, and that quote with its escape; empty if it can't be escaped."""
    quote = literal.closing
    if quote not in ('"', "'", "`"):
        return "", ""
    if literal.raw:
        return (quote, quote * 2) if path.endswith(".cs") else ("", "")
    return quote, "\\" + quote


def whole(path: str, source: str, literal: CallLiteral, joins: re.Pattern[str]) -> Iterator[StepCall]:
    """Yields the call of a literal that is a step, or the beginning of one."""
    text = source[literal.start : literal.end]
    if text and "\n" not in text:
        tail = joined_to(source, literal, joins)
        is_used = _USED.match(source, literal.stop) is not None
        whole = text + tail if tail else ""
        yield _call(path, source, literal, literal.start, literal.end, plain=not (tail or is_used), whole=whole)


def lines(path: str, source: str, literal: CallLiteral, joins: re.Pattern[str]) -> Iterator[StepCall]:
    """Yields the calls of a literal with a step and keyword on each line; joined text may continue the last line."""
    is_used = _USED.match(source, literal.stop) is not None
    length = literal.end - literal.start
    body = source[literal.start : literal.end] + joined_to(source, literal, joins)
    for match in _step_line().finditer(body):
        start, end = min(match.start(1), length), min(match.end(1), length)
        is_keyword_known = INSERTED.search(match[0], 0, match.start(1) - match.start()) is None
        inserted = (is_used and INSERTED.search(match[1]) is not None) or not is_keyword_known
        whole = match[1] if match.end(1) > length else ""
        place = literal.start + start, literal.start + end
        yield _call(path, source, literal, *place, plain=not (inserted or whole), whole=whole)


_USED = re.compile(r"\s*(?:\+|\.)|[ \t]*(?:%|<<)")
"""Text after a literal that is only a part of what runs."""


@lru_cache(maxsize=1)
def _step_line() -> re.Pattern[str]:
    r"""A step on its line after a keyword of any language or an inserted one; in a literal on one line, `\n` may
    separate two."""
    words = "|".join(sorted(map(re.escape, keywords()), key=len, reverse=True))
    return re.compile(
        rf"(?:^|\\n)[ \t]*(?:{words}|#?\{{[^{{}}\n]*\}}[ \t]+)(\S(?:(?!\\n).)*?)[ \t\r]*(?=$|\\n)", re.MULTILINE
    )


@cache
def keywords() -> frozenset[str]:
    """Step keywords of all languages, each with the blank after it, if it needs one."""
    from gherkin.dialect import DIALECTS

    dialects = [cast("Mapping[str, list[str]]", dialect) for dialect in DIALECTS.values()]
    kinds = ("given", "when", "then", "and", "but")
    return frozenset(word for dialect in dialects for kind in kinds for word in dialect[kind] if word.strip())


_RUNS = re.compile(rb"[Ss]teps?\b|(?<![.\w])send\b|(?:Given|When|Then|And|But)(?:Async)?\(")
"""Code that may run a step whose text is elsewhere."""
_LITERAL = re.compile(r"""("|'|`)((?:\\.|(?!\1)[^\\\n])*)\1""")
"""A literal on one line."""


def _texts_in(_: str, data: bytes, expressions: Collection[int]) -> Iterator[tuple[int, str]]:
    """The lines of a source that begin with a step's keyword, and its literals with several words, each with its line
    and also without a keyword; not the lines of the `expressions` of step definitions, which are given by their first
    bytes."""
    defining = {data.count(b"\n", 0, start) + 1 for start in expressions}
    for number, line in enumerate(text_of(data).split("\n"), 1):
        if number not in defining and not line.lstrip().startswith(("#", "//", "*")):
            literals = (literal[2] for literal in _LITERAL.finditer(line))
            for text in (line, *(literal for literal in literals if re.search(r"\s", literal))):
                step = _step_line().match(text[:1].upper() + text[1:])  # behave takes "given" too
                yield from ((number, said) for said in (text, step[1] if step is not None else "") if said)


_ENOUGH = 0.5
"""The share of a definition's words from which a text that no call contains, and of which a part is known, is taken for
its step."""
_RUN_BY_NAME = re.compile(rb"(?:[Ss]teps?|Given|When|Then|And|But)(?:Async)?[ \t]*\(?[ \t]*([A-Za-z_][\w.:]*)")
_NAME = re.compile(rb"[A-Za-z_]\w{2,}")
_SET = re.compile(rb"(?m)^[ \t]*(?:[a-zA-Z]\w*[ \t]+)*([A-Za-z_]\w{2,})[ \t]*(?::[^\n=]*)?=(?!=)")


def _names_run(_: str, data: bytes, language: str) -> Iterator[bytes]:
    """The names by which a source runs steps, `SHUT` in `step Texts::SHUT`; first an empty one if it runs steps."""
    finder = writing_of(language).step_calls
    code = as_utf8(data)
    if finder is not None and finder.hint.search(code) and _RUNS.search(code):
        yield b""
        for said in _RUN_BY_NAME.findall(code):
            yield from _NAME.findall(said)


def _names_set(_: str, data: bytes) -> Iterable[bytes]:
    """The names to which a source assigns a value."""
    return set(_SET.findall(as_utf8(data)))


@dataclass(frozen=True, slots=True)
class _Told:
    """A text in a source that may be a step."""

    text: str
    place: str
    folded: str
    words: frozenset[str]
    parts: Parts

    @classmethod
    def of(cls, text: str, place: str) -> "_Told":
        folded = fold(text)
        return cls(text, place, folded, words(folded), parts_of(text))


class SuiteCalls:
    """Finds the calls in suites, and those that a step definition serves."""

    def __init__(self, suites: ReadSuites) -> None:
        self._suites = suites
        self._by_path: dict[str, Sequence[StepCall]] = {}
        """The calls in each source that was searched."""
        self._of_languages: dict[frozenset[str], Iterable[Sequence[StepCall]]] = {}
        self._told: dict[str, Sequence[_Told]] = {}
        """By language, see `_texts`."""

    def at(self, path: str) -> Sequence[StepCall]:
        """All calls in a source."""
        if path not in self._by_path:
            self._by_path[path] = self._in(path)
        return self._by_path[path]

    def of(self, definitions: Sequence[StepDefinition]) -> list[StepCall]:
        """The calls that one of the definitions matches, by place."""
        distinct = {
            (definition.expression, definition.kind, definition.flags): definition
            for definition in definitions
            if calls_steps(definition.language)
        }
        matchers = [
            matcher for definition in distinct.values() if (matcher := compile_definition(definition, {}).matcher)
        ]
        calls_by_source = self._calls_in({definition.language for definition in distinct.values()} if matchers else ())
        return [
            call
            for calls in calls_by_source
            for call in calls
            if any(matcher.match(text) for text in dict.fromkeys(call.could_say()) for matcher in matchers)
        ]

    def perhaps(self, definitions: Sequence[StepDefinition], texts: Collection[str]) -> list[StepCall]:
        """The calls with texts that a program composes, if they could run one of the definitions' `texts`."""
        languages = {language for language in {it.language for it in definitions} if calls_steps(language)}
        return [call for calls in self._calls_in(languages) for call in calls if call.may_say(texts)]

    def told(self, definitions: Sequence[StepDefinition]) -> str:
        """Where a text says a step that one of the definitions matches or may match, in a source that runs steps by
        their texts or that such a source names, as `path:line`: code may run it from a variable or a list. Empty if
        there is none."""
        for definition in definitions:
            matcher = compile_definition(definition, {}).matcher if calls_steps(definition.language) else None
            if matcher is None:
                continue
            its = parts_of_definition(definition) or ()
            own = words(fold(" ".join(its)))
            for told in self._texts(definition.language):
                if matcher.requirement.allows(told.folded) and matcher.match(told.text):
                    return told.place
                is_like = len(told.parts) > 1 and len(own & told.words) > _ENOUGH * len(own)
                if is_like and its and meet(told.parts, its):
                    return told.place
        return ""

    def meeting(self, definitions: Sequence[StepDefinition]) -> str:
        """Where code runs a step of which only a part is known, and which may be one of the definitions', as
        `path:line`; empty if there is none. A call must say a word of its own."""
        for definition in definitions if any(calls_steps(each.language) for each in definitions) else ():
            its = parts_of_definition(definition)
            for call in (call for calls in self._calls_in({definition.language}) for call in calls if not call.plain):
                parts = parts_of(call.whole or call.step.text)
                if its is not None and any(map(words, parts)) and meet(parts, its):
                    return call.place
        return ""

    def _texts(self, language: str) -> Sequence[_Told]:
        """The texts in sources of a language that run steps, which may be steps; each with its place."""
        if language not in self._told:
            glue = self._suites.glue
            own = grouped((it.path, it.literal.start_byte) for it in (glue.definitions if glue is not None else ()))
            self._told[language] = [
                _Told.of(text, f"{path}:{line}")
                for path in self._telling(language)
                for line, text in self._once(path, _texts_in, tuple(own.get(path, ())))
            ]
        return self._told[language]

    def _telling(self, language: str) -> list[str]:
        """The sources of a language that run steps, and those with a name by which one of them does."""
        paths = [
            path
            for path in self._suites.source_paths
            if (found := language_for(path)) is not None and found.id == language
        ]
        names = {path: self._once(path, _names_run, language) for path in paths}
        asked = frozenset(name for of_source in names.values() for name in of_source if name)
        return [path for path in paths if names[path] or (asked and not asked.isdisjoint(self._once(path, _names_set)))]

    def _calls_in(self, languages: Collection[str]) -> Iterable[Sequence[StepCall]]:
        """The calls in each source of these languages and of the languages that are mixed with them."""
        mixed = frozenset(languages).union(*(writing_of(language).mixed_with for language in languages))
        if mixed in self._of_languages:
            return self._of_languages[mixed]
        paths = self._suites.source_paths if mixed else ()
        asked = sorted(path for path in paths if (language := language_for(path)) is not None and language.id in mixed)
        keep = self._suites.keep
        kept = keep(tuple[StepCall, ...], "calls", _code(), *sorted(mixed)) if keep is not None and asked else None
        calls = found_in(asked, kept, self._in)
        self._by_path |= calls
        self._of_languages[mixed] = calls.values()
        return self._of_languages[mixed]

    def _in(self, path: str) -> tuple[StepCall, ...]:
        return self._once(path, calls_in)

    def _once(self, path: str, read: Callable[..., Iterable[T]], *more: Hashable) -> tuple[T, ...]:
        """What `read` gives for a source and `more`; an unchanged source is read only once per process."""
        suites = self._suites
        try:
            stamp = suites.stamp(path) if suites.stamp is not None else None
            if stamp is None:
                return tuple(read(path, suites.read(path), *more))
            key = read, os.path.abspath(path), path, stamp, more  # noqa: PTH100 - calls name their path as given
            if key not in _KNOWN:
                if len(_KNOWN) >= _MOST_SOURCES:
                    _KNOWN.clear()
                _KNOWN[key] = tuple(read(path, suites.read(path), *more))
            return _KNOWN[key]
        except OSError:
            return ()


@cache
def _code() -> str:
    """A fingerprint of the code that finds calls."""
    here, engine = Path(__file__), Path(__file__).parents[1]
    functions = (engine / "functions" / name for name in ("reading.py", "grammar.py", "languages"))
    return digest_of(
        here,
        here.with_name("edits.py"),
        here.with_name("step_call.py"),
        here.with_name("call_literals.py"),
        here.with_name("languages"),
        *functions,
        engine / "glue" / "languages",
        engine / "gherkin",
    )


_KNOWN: dict[Hashable, tuple[Any, ...]] = {}
_MOST_SOURCES = 100_000
