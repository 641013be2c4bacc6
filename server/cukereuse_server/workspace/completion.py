"""Completion at a place: a keyword of the file's language, or a step by its beginning or its meaning.

First come steps that begin with the typed text, then what a step without a definition most likely meant, then steps
that contain the typed words in this order, then steps with the same meaning, and last those of other repositories.
Within these groups, steps with a definition come first, then those used most in this file, in its folder, in the suite.
Opposites that a guard keeps apart are left out.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from heapq import nlargest
from itertools import islice
from typing import cast

import msgspec
from gherkin.dialect import DIALECTS
from rapidfuzz import fuzz

from cukereuse_engine.catalogue.search import said_of
from cukereuse_engine.gherkin.dialects import keywords
from cukereuse_engine.gherkin.discovery import FEATURE_SUFFIXES
from cukereuse_engine.gherkin.feature import KeywordType, Step
from cukereuse_engine.gherkin.outline import Mark, MarkKind, Outline, outline
from cukereuse_engine.glue.definition import StepDefinition
from cukereuse_engine.glue.text_binding import Status
from cukereuse_engine.refactor.arguments import masked_arguments
from cukereuse_engine.scanning.similar_wordings import SimilarWording
from cukereuse_engine.text import template
from cukereuse_engine.text.template import SLOT
from cukereuse_server.protocol.completion import Suggestion
from cukereuse_server.workspace.continuing import Here, rest_of_blocks, short_forms
from cukereuse_server.workspace.navigation import arguments_of_step, known_glue
from cukereuse_server.workspace.phrases import (
    Typed,
    masked_of,
    masked_start,
    phrase_of_definition,
    phrase_of_text,
    read_alike,
    text_of,
    with_typed,
    with_words,
)
from cukereuse_server.workspace.similar import similar_in
from cukereuse_server.workspace.suite import SuiteState
from cukereuse_server.workspace.undefined import meant
from cukereuse_server.workspace.view import View

_MOST_PHRASES = 20
"""The number of suggestions by the beginning or the words of a step."""
_BY_MEANING = 12
_ELSEWHERE = 4
"""The number of steps of other repositories."""
_LOOKED_AT = 3 * _ELSEWHERE
"""The number of these steps that are looked at: those that the suite defines are left out."""
_UNUSED = 8
"""The number of step definitions without steps."""
_LIKE = 0.6
"""The Indel similarity from which an unused step definition is similar to the typed text."""
_NEAR = 0.6
"""The least of the highest similarity or probability of a wording that may mean the typed text."""
_LEAST_TYPED = 5
"""The number of characters from which wordings with the same meaning are searched."""
_BULLET = re.compile(r"\s*[*+-] ")
_STEPS_FOLLOW = frozenset({MarkKind.BACKGROUND, MarkKind.SCENARIO, MarkKind.OUTLINE, MarkKind.STEP})
_HEADERS = ("background", "scenario", "scenarioOutline", "rule")
_NOT_WRITTEN = frozenset({MarkKind.COMMENT, MarkKind.LANGUAGE, MarkKind.ROW, MarkKind.TAGS, MarkKind.DOCSTRING})
_TYPES = ("context", "action", "outcome")


@dataclass(frozen=True, slots=True)
class CompletionPoint:
    """The text that is being written."""

    start: int
    """The 0-based column from which a suggestion replaces the text."""
    end: int
    typed: str
    """The text from `start` to the cursor."""
    whole: str
    """The text from `start` to `end`."""
    keyword: str
    """The step's keyword, if it has one already; else empty."""
    indentation: str
    """The line's indentation."""
    bullet: str = ""
    """The bullet in Markdown, with its blank."""


def suggest(workspace: View, path: str, line: int, column: int) -> tuple[CompletionPoint, list[Suggestion]] | None:
    """Suggestions at a 1-based place of an open file; None if nothing can be suggested."""
    buffer = workspace.buffers.get(path)
    if buffer is None or not path.lower().endswith(FEATURE_SUFFIXES):
        return None
    plan = outline(path, buffer.text)
    text = plan.lines[line - 1] if line <= len(plan.lines) else ""
    mark = plan.at(line)
    if mark is not None and mark.kind in _NOT_WRITTEN:
        return None
    previous = plan.before(line)
    place = _step_place(plan, previous, text, column, markdown=path.lower().endswith(".md"))
    suite = workspace.suite_of(path)
    if place is None:
        keywords = _keywords(plan, previous, text, column)
        if keywords is None or suite is None:
            return keywords
        place, words = keywords
        return place, [*_rest(suite, plan, previous, place, path, line), *words]
    if suite is None:
        return None
    rest = _rest(suite, plan, previous, place, path, line)
    return place, [*rest, *_Steps(workspace, suite, place, path, line).suggestions()]


def _rest(
    suite: SuiteState, plan: Outline, previous: Mark | None, place: CompletionPoint, path: str, line: int
) -> list[Suggestion]:
    """The short form of the steps above, and the steps that usually follow them."""
    if previous is None or previous.kind is not MarkKind.STEP or (not place.keyword and path.lower().endswith(".md")):
        return []
    start = masked_start(place.typed) if place.keyword else place.typed
    here = Here(path, line, previous.line, plan.language, place.keyword, place.bullet, start)
    return [*short_forms(suite, here), *rest_of_blocks(suite, here)]


# Keywords


def _keywords(
    plan: Outline, previous: Mark | None, text: str, column: int
) -> tuple[CompletionPoint, list[Suggestion]] | None:
    before = text[: column - 1]
    start = len(before) - len(before.lstrip())
    typed = before[start:]
    keywords = [
        Suggestion(kind="keyword", pieces=[word])
        for word in _keywords_after(plan.language, previous)
        if word.casefold().startswith(typed.casefold()) and word != typed
    ]
    return (CompletionPoint(start, column - 1, typed, typed, "", text[:start]), keywords) if keywords else None


def _keywords_after(language: str, previous: Mark | None) -> Iterator[str]:
    """Keywords that may follow a title or a step; those of steps with their blank, those of titles with their colon."""
    spec = cast("dict[str, list[str]]", DIALECTS.get(language) or DIALECTS["en"])
    kind = previous.kind if previous is not None else None
    if kind in _STEPS_FOLLOW:
        words = (word for name in ("given", "when", "then", "and", "but") for word in spec[name])
        yield from dict.fromkeys(word for word in words if word != "* ")
    titles: tuple[str, ...] = _HEADERS
    if kind is None:
        titles = ("feature",)
    elif kind in _STEPS_FOLLOW or kind is MarkKind.EXAMPLES:
        titles = ("scenario", "scenarioOutline", "examples", "rule")
    yield from dict.fromkeys(f"{word}: " for name in titles for word in spec[name])


# Steps


def _step_place(
    plan: Outline, previous: Mark | None, text: str, column: int, *, markdown: bool
) -> CompletionPoint | None:
    """The place of the step's text that is being written; None if the cursor is not in one."""
    if previous is None or previous.kind not in _STEPS_FOLLOW:
        return None
    before = text[: column - 1]
    bullet = _BULLET.match(before) if markdown else None
    start = bullet.end() if bullet is not None else len(before) - len(before.lstrip())
    for keyword in (*keywords(plan.language).steps, "* "):
        if before.startswith(keyword, start):
            rest = before[start + len(keyword) :]
            begin = start + len(keyword) + len(rest) - len(rest.lstrip())
            end = max(len(text.rstrip()), column - 1)
            indentation = text[: len(text) - len(text.lstrip())]
            before_keyword = text[len(indentation) : start]
            return CompletionPoint(begin, end, before[begin:], text[begin:end], keyword, indentation, before_keyword)
    return None


class _Steps:
    """Suggestions for one step's text."""

    def __init__(self, workspace: View, suite: SuiteState, place: CompletionPoint, path: str, line: int) -> None:
        self._workspace = workspace
        self._suite = suite
        self._place = place
        self._path = path
        self._glue = known_glue(suite)
        self._typed = Typed.of(place.whole)
        self._step = step = workspace.step_at(path, line)
        self._own = suite.key_of(step.text) if step is not None and step.text else None
        self._type = step.resolved_type if step is not None else KeywordType.UNKNOWN
        self._start = masked_start(place.typed)

    def suggestions(self) -> list[Suggestion]:
        """Each text once, without those that are already in the list or look like another one."""
        texts: dict[str, Suggestion] = {}
        for suggestion in self._all():
            texts.setdefault(text_of(suggestion.pieces), suggestion)
        texts.pop(self._place.whole.strip(), None)
        return told_apart(list(texts.values()))

    def _all(self) -> Iterator[Suggestion]:
        beginning = self._ranked(key for key in self._suite.texts.members if key.startswith(self._start))
        yield from map(self._of_wording, beginning)
        unused = list(self._unused())
        begun = [
            suggestion
            for suggestion in unused
            if self._start and masked_of(suggestion.pieces).lower().startswith(self._start)
        ]
        yield from begun
        if not beginning and not begun:
            yield from self._meant()
        words = self._by_words(set(beginning)) if len(beginning) < _MOST_PHRASES else []
        yield from map(self._of_wording, words)
        if len(self._place.whole.strip()) >= _LEAST_TYPED:
            yield from self._by_meaning({*beginning, *words})
        yield from unused
        yield from self._elsewhere()

    def _elsewhere(self) -> Iterator[Suggestion]:
        """Steps of other repositories that this suite lacks: by their beginning, or else by their similarity."""
        catalogue = self._suite.catalogue
        if catalogue is None or len(self._place.whole.strip()) < _LEAST_TYPED:
            return
        own = self._suite.texts.members.keys()
        entries = catalogue.beginning(self._start, _LOOKED_AT, own)
        if not entries:
            entries = [entry for entry, _ in catalogue.like(self._place.whole, _LOOKED_AT, own)]
        lacking = (entry for entry in entries if not self._suite.defines(entry.text))
        for entry in islice(lacking, _ELSEWHERE):
            pieces = phrase_of_text(entry.text, masked_arguments(entry.text), self._typed)
            yield Suggestion(kind="catalogue", pieces=pieces, known_to=said_of(entry))

    def _is_said(self, key: str) -> bool:
        """True if a template is natural language and occurs outside the step being written."""
        return key in self._suite.neighbours and self._count(key) > 0

    def _count(self, key: str) -> int:
        return self._suite.texts.occurrences(key) - (key == self._own)

    def _ranked(self, keys: Iterable[str]) -> list[str]:
        """The templates used most here; those with a step definition come first and, if nothing is typed yet, those
        after the same kind of keyword."""
        most = nlargest(_MOST_PHRASES, filter(self._is_said, keys), key=self._use)
        return sorted(most, key=lambda key: (not self._is_bound(key), not self._start and not self._fits(key)))

    def _use(self, key: str) -> tuple[int, int, int]:
        """The number of steps of a template in this file, in its folder, in the suite."""
        texts = self._suite.texts
        here = texts.uses_in(self._path, key) - (key == self._own)
        return here, texts.uses_beside(self._path, key), self._count(key)

    def _by_words(self, shown: set[str]) -> list[str]:
        words = [word for word in self._start.split() if word != SLOT]
        if not words:
            return []
        rare = max(words, key=len)
        pattern = re.compile(r"(?<!\w)" + r".*?(?<!\w)".join(map(re.escape, words)))
        fitting = (key for key in self._suite.texts.members if rare in key and key not in shown)
        return self._ranked(key for key in fitting if pattern.search(key))

    def _by_meaning(self, shown: set[str]) -> Iterator[Suggestion]:
        near = similar_in(self._suite, self._place.whole, _BY_MEANING, self._workspace.embedder)
        keys = [wording.text.template.key for wording in near if not wording.judgement.barred_by and _is_near(wording)]
        keys = [key for key in keys if key not in shown and self._is_said(key)]
        yield from map(self._of_wording, sorted(keys, key=lambda key: not self._is_bound(key)))

    def _meant(self) -> Iterator[Suggestion]:
        """The text that the step most likely meant, if no step definition matches it and nothing begins with it."""
        step = self._step
        if step is None or len(self._place.whole.strip()) < _LEAST_TYPED:
            return
        for candidate in meant(self._suite, step, self._workspace.embedder):
            if candidate.definition is not None:
                pieces = with_typed(candidate.pieces, self._typed)
                yield Suggestion(kind="definition", pieces=pieces, definition=_where(candidate.definition))
            elif self._is_said(candidate.key):
                yield self._of_wording(candidate.key)

    def _first_step(self, key: str) -> Step:
        return self._suite.texts.steps(self._suite.wording(key).text)[0]

    def _is_bound(self, key: str) -> bool:
        return self._glue is not None and self._glue.bind(self._first_step(key)).status is not Status.UNDEFINED

    def _fits(self, key: str) -> bool:
        return self._type is KeywordType.UNKNOWN or self._first_step(key).resolved_type is self._type

    def _of_wording(self, key: str) -> Suggestion:
        step = self._first_step(key)
        arguments = arguments_of_step(self._suite, step)
        binding = self._glue.bind(step) if self._glue is not None else None
        return Suggestion(
            kind="step",
            pieces=phrase_of_text(step.text, arguments, self._typed),
            occurrences=self._count(key),
            definition=_where(binding.definitions[0]) if binding is not None and binding.definitions else "",
        )

    def _unused(self) -> Iterator[Suggestion]:
        """Step definitions without steps: those that contain the typed text, then similar ones."""
        if self._glue is None:
            return
        words = [word for word in self._start.split() if word != SLOT]
        typed = template.mask(self._place.whole).lower()
        wanted = _keyword_type(self._type)
        ranked: list[tuple[float, Suggestion]] = []
        for definition in self._glue.unsaid(self._place.whole.strip()):
            pieces = phrase_of_definition(definition)
            if pieces is None or (definition.keyword_types and wanted and wanted not in definition.keyword_types):
                continue
            masked = masked_of(pieces).lower()
            likeness = 1.0 if all(word in masked for word in words) else fuzz.ratio(typed, masked) / 100
            if likeness >= _LIKE:
                pieces = with_typed(pieces, self._typed)
                ranked.append((likeness, Suggestion(kind="definition", pieces=pieces, definition=_where(definition))))
        yield from (suggestion for _, suggestion in nlargest(_UNUSED, ranked, key=lambda pair: pair[0]))


def told_apart(suggestions: list[Suggestion]) -> list[Suggestion]:
    """If several suggestions look the same, each shows the words that its definition captures as a value; of those that
    still look the same, the first one stays."""
    number = Counter(read_alike(suggestion.pieces) for suggestion in suggestions)
    shown: dict[tuple[str, ...], Suggestion] = {}
    for suggestion in suggestions:
        if number[read_alike(suggestion.pieces)] > 1:
            suggestion = msgspec.structs.replace(suggestion, pieces=with_words(suggestion.pieces))
        reads = read_alike(suggestion.pieces)
        same = shown.get(reads, msgspec.structs.replace(suggestion, occurrences=0))
        shown[reads] = msgspec.structs.replace(same, occurrences=same.occurrences + suggestion.occurrences)
    return list(shown.values())


def _is_near(wording: SimilarWording) -> bool:
    """True if a wording is near enough: the nearest may be far, and a person reads each line of a short list."""
    return max(wording.indel, wording.cosine or 0.0, wording.judgement.p_one_intent) >= _NEAR


def _keyword_type(kind: KeywordType) -> str:
    return dict(zip(_TYPES, ("given", "when", "then"), strict=True)).get(kind.value, "")


def _where(definition: StepDefinition) -> str:
    name = f" {definition.function_name}" if definition.function_name else ""
    return f"{definition.place}{name}"
