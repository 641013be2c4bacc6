"""Short forms: steps whose definition only runs other steps or calls their functions, and the places that spell them
out.

A definition is unfolded with a unique value for each parameter (`Unfolding`). A place spells it out if its steps unfold
to the same with other values.
"""

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from msgspec.structs import replace

from cukereuse_engine.blocks.block import BlockPlace
from cukereuse_engine.blocks.symbols import Scenario
from cukereuse_engine.errors import CukereuseError
from cukereuse_engine.gherkin.feature import KeywordType, Step
from cukereuse_engine.glue.definition import StepDefinition
from cukereuse_engine.text.identity import identity

if TYPE_CHECKING:
    from cukereuse_engine.blocks.unfolded import Call, Unfolding
    from cukereuse_engine.refactor.rename_plan import Bindings

_LEAST_CALLS = 2
_FIRST_VALUE = 731_001
"""Values of parameters while a definition is unfolded: numbers, which may be text too."""
_TYPES = {"given": KeywordType.CONTEXT, "when": KeywordType.ACTION, "then": KeywordType.OUTCOME}
_RUNS = re.compile(r"execute_steps|\bsteps\b|\bSteps\b")


@dataclass(frozen=True, slots=True)
class ShortForm:
    definition: StepDefinition
    pieces: tuple[str | int, ...]
    """The step in pieces: words, and the numbers of parameters."""
    calls: "tuple[Call, ...]"
    """The calls to which it unfolds, with the text `value_of(number)` for each parameter."""

    @property
    def id(self) -> str:
        """A short hash that stays if its file is edited."""
        return identity(f"short\0{self.definition.expression}")[:12]

    def said(self, values: Mapping[int, str]) -> str | None:
        """The step with these values; None if one of them can't be in its quotes."""
        text = ""
        for number, piece in enumerate(self.pieces):
            if isinstance(piece, str):
                text += piece
                continue
            after = self.pieces[number + 1 : number + 2]
            quote = text[-1:] if after and isinstance(after[0], str) and after[0][:1] == text[-1:] else ""
            if piece not in values or (quote in "\"'" and quote and quote in values[piece]):
                return None
            text += values[piece]
        return text


@dataclass(frozen=True, slots=True)
class SpelledOut:
    """A place that spells a short form out."""

    form: ShortForm
    place: BlockPlace
    text: str
    """The step that could be there."""


@dataclass(frozen=True, slots=True)
class Shortenable:
    """A short form with all places that spell it out."""

    form: ShortForm
    spelled: tuple[SpelledOut, ...]
    uses: int
    """The number of steps that use it."""

    @property
    def id(self) -> str:
        return self.form.id

    @property
    def steps_saved(self) -> int:
        return sum(place.place.length - 1 for place in self.spelled)


def shortenable(glue: "Bindings", spelled: Iterable[SpelledOut], scenarios: Iterable[Scenario]) -> list[Shortenable]:
    """The short forms with places, those that save the most first."""
    by_form: dict[str, list[SpelledOut]] = {}
    for place in spelled:
        by_form.setdefault(place.form.definition.id, []).append(place)
    counts = Counter(step.text for scenario in scenarios for step in scenario.steps) if by_form else Counter[str]()
    shortenings = [
        Shortenable(group[0].form, tuple(group), sum(counts[text] for text in glue.texts_of(definition)))
        for definition, group in by_form.items()
    ]
    return sorted(shortenings, key=lambda shortening: (-shortening.steps_saved, shortening.id))


def value_of(number: int) -> str:
    return str(_FIRST_VALUE + number)


def _or_nothing(source_of: Callable[[str], str]) -> Callable[[str], str]:
    """The source, or an empty one if it can't be read: it runs no known steps."""

    def read(path: str) -> str:
        try:
            return source_of(path)
        except (OSError, CukereuseError):
            return ""

    return read


def unfolding_of(glue: "Bindings", source_of: Callable[[str], str]) -> "Unfolding":
    """Unfolds by the sources that `source_of` gives; one that can't be read runs no known steps."""
    from cukereuse_engine.blocks.unfolded import Unfolding

    return Unfolding(glue, _or_nothing(source_of))


def short_forms(glue: "Bindings", unfolding: "Unfolding", like: Step) -> Iterator[ShortForm | None]:
    """All short forms of the suite; None in between, so that other work may go first. `like`: any step of the suite."""
    by_path: dict[str, list[StepDefinition]] = {}
    for definition in glue.definitions:
        by_path.setdefault(definition.path, []).append(definition)
    names = {definition.function_name for definition in glue.definitions if definition.function_name}
    others: list[StepDefinition] = []
    is_any = False
    for path, definitions in by_path.items():
        yield None
        if not _may_run_others(unfolding.source_of(path), definitions, names):
            others += definitions
            continue
        for definition in definitions:
            form = _short_form(definition, unfolding, like)
            is_any = is_any or form is not None
            yield form
    for definition in others if is_any else ():  # what spells a form out may call these: each source is read once
        unfolding.may_run_others(definition)
        yield None


def _may_run_others(source: str, definitions: Sequence[StepDefinition], names: Collection[str]) -> bool:
    """True if a step function is named outside its declaration, or if steps are run; `names`: the suite's step
    functions."""
    if _RUNS.search(source) is not None:
        return True
    declared = {definition.function_id for definition in definitions}
    return sum(word in names for word in re.findall(r"\w+", source)) > len(declared)


def _short_form(definition: StepDefinition, unfolding: "Unfolding", like: Step) -> ShortForm | None:
    from cukereuse_engine.refactor.creation.spoken import Sample, spoken

    sample = spoken(definition) if unfolding.may_run_others(definition) else None
    if sample is None:
        return None
    pieces: list[str | int] = []
    text = ""
    for piece in sample:
        if isinstance(piece, Sample) and not piece.is_choice:
            number = sum(isinstance(piece, int) for piece in pieces)
            pieces.append(number)
            text += value_of(number)
        else:
            word = piece.value if isinstance(piece, Sample) else piece
            pieces.append(word)
            text += word
    step = replace(like, text=text, argument=None, examples=(), tags=())
    for keyword_type in sorted(definition.keyword_types)[:1]:
        kind = _TYPES[keyword_type]
        step = replace(step, keyword_type=kind, resolved_type=kind, carried_type=kind, run_type=kind)
    calls = tuple(unfolding.calls(step, "en"))
    if len(calls) < _LEAST_CALLS or any(_function(call) is None for call in calls):
        return None
    numbers = {piece for piece in pieces if isinstance(piece, int)}
    return ShortForm(definition, tuple(pieces), calls) if numbers <= set(_numbers(calls)) else None


def _function(call: "Call") -> object:
    """The called function, without its arguments; None if it is not a single one."""
    if isinstance(call[0], frozenset):
        return call[:2]
    is_one = len(call) == 2 and isinstance(call[0], tuple)
    return cast("tuple[object, ...]", call[0])[0] if is_one else None


def _numbers(calls: object) -> Iterator[int]:
    """The parameters that reach the called function."""
    if isinstance(calls, tuple):
        for part in calls:
            yield from _numbers(part)
    elif isinstance(calls, (str, float)):
        number = _number(calls)
        if number is not None:
            yield number


def _number(value: object) -> int | None:
    """The parameter for which a value was inserted."""
    try:
        number = float(value) - _FIRST_VALUE if isinstance(value, (str, float)) else -1.0
    except ValueError:
        return None
    return int(number) if 0 <= number < 100 and number.is_integer() else None


@dataclass(frozen=True, slots=True)
class BegunForm:
    """A short form whose first steps are written."""

    form: ShortForm
    written: tuple[Step, ...]
    left: int
    """The number of calls that no step represents yet."""
    values: Mapping[int, str]
    """The values of parameters in the written steps."""


class ShortForms:
    """The short forms of a suite: finds places that spell one out, or begin to."""

    def __init__(self, forms: Iterable[ShortForm], unfolding: "Unfolding") -> None:
        self._unfolding = unfolding
        self._calls: dict[tuple[object, ...], tuple[Call, ...]] = {}
        self._by_first: dict[object, list[ShortForm]] = {}
        for form in sorted(forms, key=lambda form: (-len(form.calls), form.id)):
            self._by_first.setdefault(_function(form.calls[0]), []).append(form)
        self._longest = max((len(form.calls) for group in self._by_first.values() for form in group), default=0)

    def spelled_out(self, scenario: Scenario, language: str) -> Iterator[SpelledOut]:
        """Yields places of at least two steps, left to right without overlap, the longest form first; `language`: the
        file's dialect."""
        calls = [self._calls_of(step, language) for step in scenario.steps] if self._by_first else []
        at = 0
        while at < len(calls):
            places = (_place(form, scenario, calls, at) for form in self._of(calls[at]))
            place_found = next((place for place in places if place is not None), None)
            if place_found is not None:
                yield place_found
            at += place_found.place.length if place_found is not None else 1

    def begun(self, written: Sequence[Step], language: str) -> Iterator[BegunForm]:
        """Yields the forms that the last two or more steps begin or spell out, those with the most steps written first.
        `written`: the steps of one scenario up to a place."""
        last = written[-self._longest :] if self._longest else ()
        calls = [self._calls_of(step, language) for step in last]
        for begin in range(len(last) - _LEAST_CALLS + 1):
            if any(step.argument is not None for step in last[begin:]):
                continue
            flat = tuple(call for group in calls[begin:] for call in group)
            for form in self._of(calls[begin]):
                values: dict[int, str] = {}
                if len(flat) <= len(form.calls) and _unified(form.calls[: len(flat)], flat, values):
                    yield BegunForm(form, tuple(last[begin:]), len(form.calls) - len(flat), values)

    def _of(self, calls: "Sequence[Call]") -> Sequence[ShortForm]:
        """The forms whose first call is of the same function as a step's."""
        return self._by_first.get(_function(calls[0]), ()) if calls else ()

    def _calls_of(self, step: Step, language: str) -> "tuple[Call, ...]":
        key = (step.text, step.resolved_type, step.tags, step.argument, language)
        if key not in self._calls:
            self._calls[key] = tuple(self._unfolding.calls(replace(step, examples=()), language))
        return self._calls[key]


def _place(form: ShortForm, scenario: Scenario, calls: "Sequence[tuple[Call, ...]]", at: int) -> SpelledOut | None:
    flat: list[Call] = []
    end = at
    while end < len(calls) and len(flat) < len(form.calls):
        if scenario.steps[end].argument is not None:
            return None
        flat += calls[end]
        end += 1
    values: dict[int, str] = {}
    if end - at < _LEAST_CALLS or len(flat) != len(form.calls) or not _unified(form.calls, tuple(flat), values):
        return None
    text = form.said(values)
    return SpelledOut(form, BlockPlace(scenario, at, end - at), text) if text is not None else None


def _unified(of_form: object, actual: object, values: dict[int, str]) -> bool:
    """True if two calls are equal except for the values of parameters, which are filled in."""
    if isinstance(of_form, tuple):
        if not isinstance(actual, tuple) or len(of_form) != len(actual):
            return False
        return all(_unified(part, other, values) for part, other in zip(of_form, actual, strict=True))
    number = _number(of_form)
    if number is None or isinstance(actual, (tuple, frozenset)):
        return of_form == actual
    value = f"{actual:g}" if isinstance(actual, float) else str(actual)
    return values.setdefault(number, value) == value
