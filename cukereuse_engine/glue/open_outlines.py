"""Steps with placeholders whose rows come from elsewhere when the outline runs: from a file that a tag names
(Reqnroll's `@DataSource:prices.csv`), or from parameters of a test. Sample values tell what they bind to.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import islice, product

from cukereuse_engine.gherkin.feature import Step
from cukereuse_engine.glue.definition import BoundArgument, Match, ParameterType, StepDefinition
from cukereuse_engine.glue.matchers import compile_definition
from cukereuse_engine.glue.text_binding import TextBinding

_PLACEHOLDER = re.compile(r"<[^<>\s][^<>]*>")
_DATA_FILE = re.compile(r"\.(?:csv|tsv|json|xlsx?|xml|ya?ml|txt)\b", re.IGNORECASE)
SAMPLES = ("1", "x", "1.5", "true", "2020-01-01", "x y", '"x"')
_ALTERNATIVES = re.compile(r"\((?:\?:|\?P?<\w+>)?([^()]*\|[^()]*)\)|(?<!\S)(\w+(?:/\w+)+)(?!\S)")
_PARAMETER = re.compile(r"\{(?:\w*:)?(\w+)\}")
_MOST_SAMPLES = 500
"""Maximum number of samples of one definition, if a step has several placeholders."""


def is_open(step: Step) -> bool:
    """True if a step has placeholders that are filled from elsewhere."""
    if "<" not in step.text or _PLACEHOLDER.search(step.text) is None:
        return False
    if any(_DATA_FILE.search(tag) for tag in step.tags):
        return True
    return step.is_outline and not any(table.rows for table in step.examples)


class OpenTexts:
    """Samples for placeholders, taken from definitions: from their alternatives and their parameter types. Made once
    for all steps."""

    def __init__(self, definitions: Sequence[StepDefinition], types: Mapping[str, ParameterType]) -> None:
        self._definitions, self._types = definitions, types
        self._samples: dict[str, tuple[tuple[str, ...], ...]] = {}
        """Samples by text."""

    def samples(self, text: str) -> tuple[tuple[str, ...], ...]:
        """The first sample that each definition with a word of the text matches: a value for each placeholder."""
        samples = self._samples.get(text)
        if samples is None:
            pieces = _PLACEHOLDER.split(text)
            words = set(re.findall(r"\w+", " ".join(pieces)))
            with_all = set[int].intersection(*(self._by_word.get(word, set()) for word in words)) if words else ()
            fitting = (self._fitting(self._definitions[number], pieces) for number in sorted(with_all))
            samples = self._samples[text] = tuple(dict.fromkeys(each for each in fitting if each is not None))
        return samples

    @cached_property
    def _by_word(self) -> Mapping[str, set[int]]:
        """Maps each word to the numbers of the definitions whose expressions contain it."""
        by_word: dict[str, set[int]] = {}
        for number, definition in enumerate(self._definitions):
            for word in re.findall(r"\w+", definition.expression):
                by_word.setdefault(word, set()).add(number)
        return by_word

    def _fitting(self, definition: StepDefinition, pieces: Sequence[str]) -> tuple[str, ...] | None:
        types = [self._types[name] for name in _PARAMETER.findall(definition.expression) if name in self._types]
        patterns = (f"({regexp.strip('()')})" for parameter_type in types for regexp in parameter_type.regexps)
        own = dict.fromkeys(word for pattern in (definition.expression, *patterns) for word in _alternatives(pattern))
        matcher = compile_definition(definition, self._types).matcher if own else None
        if matcher is None:
            return None
        samples = islice(product((*own, *SAMPLES), repeat=len(pieces) - 1), _MOST_SAMPLES)
        return next((each for each in samples if matcher.match(_filled(pieces, each)) is not None), None)


def bound_open(text: str, bind: Callable[[str], TextBinding], open_texts: OpenTexts) -> TextBinding:
    """The binding of a text with the first samples that some definition matches; arguments keep the text's own places.
    Without samples, if it matches so, or if no sample does."""
    binding = bind(text)
    if binding.matches:
        return binding
    pieces = _PLACEHOLDER.split(text)
    alike = ((sample,) * (len(pieces) - 1) for sample in SAMPLES)
    for samples in (*alike, *open_texts.samples(text)):
        filled = bind(_filled(pieces, samples))
        if filled.matches:
            places = _places(text, samples)
            scopes = tuple(tuple(_moved(match, text, places) for match in scope) for scope in filled.scopes)
            matches = tuple(_moved(match, text, places) for match in filled.matches)
            return replace(filled, text=text, matches=matches, scopes=scopes, guessed=True)
    return binding


def _filled(pieces: Sequence[str], samples: Sequence[str]) -> str:
    return "".join(part for pair in zip(pieces, (*samples, ""), strict=True) for part in pair)


def _alternatives(pattern: str) -> Iterator[str]:
    """Yields the alternatives in `(red|green)` and `red/green` that are plain text."""
    for match in _ALTERNATIVES.finditer(pattern):
        yield from (word for word in re.split(r"[|/]", match[1] or match[2]) if re.fullmatch(r"[\w .,'-]+", word))


def _places(text: str, samples: Sequence[str]) -> list[tuple[int, int, int, int]]:
    """For each placeholder, the start and end of its sample, and its own start and end."""
    places = []
    shift = 0
    for match, sample in zip(_PLACEHOLDER.finditer(text), samples, strict=True):
        begin = match.start() + shift
        places.append((begin, begin + len(sample), match.start(), match.end()))
        shift += len(sample) - len(match.group())
    return places


def _moved(match: Match, text: str, places: list[tuple[int, int, int, int]]) -> Match:
    return replace(match, arguments=tuple(_argument(argument, text, places) for argument in match.arguments))


def _argument(argument: BoundArgument, text: str, places: list[tuple[int, int, int, int]]) -> BoundArgument:
    """An argument contains a placeholder as a whole, or not at all."""
    if argument.start < 0:
        return argument
    start, end = argument.start, argument.end
    for begin, stop, own_begin, own_stop in places:
        if begin <= argument.start:
            start = own_begin if argument.start < stop else own_stop + argument.start - stop
        if begin < argument.end:
            end = own_stop + max(argument.end - stop, 0)
    return replace(argument, start=start, end=end, value=text[start:end])
