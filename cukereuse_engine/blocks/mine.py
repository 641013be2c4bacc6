"""Blocks: runs of steps that recur in a suite and could be taken out, the most worthwhile first, without overlap.

A block is cut where meaning cuts. It lies within one phase (setup, actions or checks), or it is whole phases up to the
last check: a run that ends between an action and the check of that action is shortened.
"""

import heapq
import itertools
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cukereuse_engine.blocks.block import Block, BlockLimits, Parameter, Place, Shape, saved, worth
from cukereuse_engine.blocks.repeats import Integers, Interval, Runs
from cukereuse_engine.blocks.symbols import Meaning, Scenario, Symbols, by_template
from cukereuse_engine.blocks.worthy import confidence
from cukereuse_engine.gherkin.feature import KeywordType, Step
from cukereuse_engine.progress import SILENT, Progress
from cukereuse_engine.refactor.arguments import masked_arguments
from cukereuse_engine.refactor.outline import said_name
from cukereuse_engine.text.identity import identity

_PHASE = {KeywordType.CONTEXT: 0, KeywordType.ACTION: 1, KeywordType.OUTCOME: 2}
_ACTION, _CHECK, _NO_PHASE, _SEPARATOR = 1, 2, -1, -2

_SURE_USES, _SURE_SHARE = 3, 0.8
"""From so many Givens, Whens or Thens on, and such a share of one of them, a wording has its phase where it follows an
"And" too."""
_GENERATED = 100
"""From so many scenarios of one structure on they were written by a program, or for want of an outline."""


def find_blocks(
    scenarios: Sequence[Scenario],
    *,
    meaning: Meaning = by_template,
    limits: BlockLimits | None = None,
    progress: Progress = SILENT,
) -> list[Block]:
    """The blocks of one suite, by expected worth; a step belongs to at most one of them. Raises `Cancelled` when
    `progress` does."""
    limits = limits or BlockLimits()
    used = [scenario for scenario in scenarios if limits.backgrounds or not scenario.is_background]
    if not used:
        return []
    suite = _Suite.of(used, meaning)
    with progress.stage("looking for repeated blocks", None, "blocks") as stage:
        windows: set[tuple[int, int]] = set()
        for number, interval in enumerate(suite.runs.closed(limits.min_steps, limits.min_scenarios)):
            windows.update(cuts(suite, suite.runs.one(interval), interval.length, limits))
            if not number % 1000:
                stage.advance(1000)
        candidates = [
            candidate
            for candidate in suite.runs.everywhere(windows)
            if saved(candidate.occurrences, candidate.length) > 1
        ]
        return _Cover(suite, limits).of(candidates)


@dataclass(frozen=True, slots=True, eq=False)
class _Suite:
    """All scenarios as arrays with a row for each step, and one for the separator after each scenario."""

    scenarios: Sequence[Scenario]
    runs: Runs
    values: Integers
    """Equal where symbol and arguments are; -1 for a separator."""
    phases: NDArray[np.int8]
    plain: NDArray[np.bool_]
    """Nothing is attached."""
    generated: NDArray[np.bool_]
    backgrounds: NDArray[np.bool_]
    """Of each scenario."""
    arguments: Sequence[tuple[str, ...]]
    """Of each value."""
    meanings: Sequence[str]
    """Of each symbol."""

    @classmethod
    def of(cls, scenarios: Sequence[Scenario], meaning: Meaning) -> "_Suite":
        symbols = Symbols(meaning)
        said = [symbols.of(scenario) for scenario in scenarios]
        structures = Counter(tuple(sequence) for sequence, _ in said)
        usual = _usual_phases(scenarios, [sequence for sequence, _ in said])
        values: list[int] = []
        phases, plain, generated = bytearray(), bytearray(), bytearray()
        for scenario, (sequence, its_values) in zip(scenarios, said, strict=True):
            many = structures[tuple(sequence)] >= _GENERATED
            values += (*its_values, -1)
            phases += bytes(
                _phase(step, usual.get(symbol)) & 0xFF for step, symbol in zip(scenario.steps, sequence, strict=True)
            )
            phases.append(_SEPARATOR & 0xFF)
            plain += bytes(step.argument is None for step in scenario.steps)
            plain.append(False)
            generated += bytes([many]) * (len(sequence) + 1)
        return cls(
            scenarios,
            Runs([sequence for sequence, _ in said]),
            np.array(values, np.int64),
            np.frombuffer(phases, np.int8),
            np.frombuffer(plain, np.bool_),
            np.frombuffer(generated, np.bool_),
            np.array([scenario.is_background for scenario in scenarios], np.bool_),
            symbols.arguments,
            symbols.meanings,
        )


def _usual_phases(scenarios: Sequence[Scenario], symbols: Sequence[Sequence[int]]) -> dict[int, int]:
    """Symbol to the phase that nearly all keywords of its own say."""
    counts = Counter(
        (symbol, _PHASE[step.keyword_type])
        for scenario, sequence in zip(scenarios, symbols, strict=True)
        for step, symbol in zip(scenario.steps, sequence, strict=True)
        if step.keyword_type in _PHASE
    )
    totals: Counter[int] = Counter()
    for (symbol, _), count in counts.items():
        totals[symbol] += count
    usual = {}
    for (symbol, phase), count in counts.items():
        if count >= _SURE_USES and count >= _SURE_SHARE * totals[symbol]:
            usual[symbol] = phase
    return usual


def _phase(step: Step, usual: int | None) -> int:
    """What continues an action with "And" may be the check of it: then other places tell so."""
    if usual is not None and step.keyword_type not in _PHASE:
        return usual
    return _PHASE.get(step.resolved_type, _NO_PHASE)


def cuts(suite: _Suite, position: int, length: int, limits: BlockLimits) -> Iterator[tuple[int, int]]:
    """Parts of a run that make sense alone, as position and length: each phase, and whole phases from a setup or an
    action on that end with a check or do not reach one."""
    phases = suite.phases[position : position + length + 1].tolist()
    borders = [0, *(i for i in range(1, length) if phases[i] != phases[i - 1]), length]
    parts = list(itertools.pairwise(borders))  # one phase each
    for i, first in enumerate(borders[:-2]):
        if phases[first] == _CHECK:
            continue  # of an action before
        for last in borders[i + 2 :]:
            ends, after = phases[last - 1], phases[last]
            if after != ends and (ends, after) != (_ACTION, _CHECK):  # not amid a phase, not between action and check
                parts.append((first, last))
    plain = suite.plain[position : position + length]
    for first, last in parts:
        if last - first >= limits.min_steps and (limits.attachments or plain[first:last].all()):
            yield position + first, last - first


_NONE = np.empty(0, np.int64)


@dataclass(slots=True)
class _Candidate:
    length: int
    pool: Interval | Integers
    """Where it may stand."""
    places: Integers
    """The positions that were free when it was looked at; empty before that."""
    parameters: tuple[Parameter, ...] = ()
    shape: Shape | None = None
    confidence: float = 1.0


class _Cover:
    """Chooses blocks, the most worthwhile first, each step once; what a candidate is worth is known once it was looked
    at, and looked at anew when others took places of it."""

    def __init__(self, suite: _Suite, limits: BlockLimits) -> None:
        self._suite = suite
        self._limits = limits
        self._heap: list[tuple[float, int, _Candidate]] = []
        self._number = 0
        self._taken = np.zeros(len(suite.values), bool)
        self._symbol_counts = np.bincount(suite.runs.text.symbols)
        self._value_counts = np.bincount(suite.values + 1)
        self._begins = np.diff(suite.phases, prepend=_SEPARATOR) != 0
        """Whether a phase begins at a position."""

    def of(self, candidates: Sequence[Interval]) -> list[Block]:
        self._heap = [
            (-worth(interval.occurrences, interval.length, 0), number, _Candidate(interval.length, interval, _NONE))
            for number, interval in enumerate(candidates)
        ]
        heapq.heapify(self._heap)
        self._number = len(candidates)
        blocks: list[Block] = []
        while self._heap:
            _, number, candidate = heapq.heappop(self._heap)
            free = self._free(candidate)
            if len(free) and np.array_equal(free, candidate.places):
                blocks.append(self._block(candidate))
                self._taken[free[:, None] + np.arange(candidate.length)] = True
                continue
            if saved(len(free), candidate.length) <= 1:
                continue
            is_new, candidate.places = not len(candidate.places), free
            varying = self._varying(candidate)
            if is_new and isinstance(candidate.pool, Interval) and varying:
                self._add_narrower(candidate, varying)
                self._add_shorter(candidate, varying)
            value = self._value(candidate, varying)
            if value > 0:
                heapq.heappush(self._heap, (-value, number, candidate))
        return sorted(blocks, key=lambda block: (-block.expected_worth, block.id))

    def _untaken(self, candidate: _Candidate) -> Integers:
        """Positions of which no step is taken; they may overlap."""
        pool = candidate.pool
        places: Integers = self._suite.runs.occurrences(pool) if isinstance(pool, Interval) else pool
        free: Integers = places[~self._taken[places[:, None] + np.arange(candidate.length)].any(axis=1)]
        return free

    def _free(self, candidate: _Candidate) -> Integers:
        """Positions of which no step is taken, left to right without overlap."""
        places, length = self._untaken(candidate), candidate.length
        if len(places) < 2 or np.diff(places).min() >= length:
            return places
        kept, end = [], -1
        for place in places.tolist():
            if place >= end:
                kept.append(place)
                end = place + length
        return np.array(kept, np.int64)

    def _varying(self, candidate: _Candidate) -> list[int]:
        """Positions of the steps whose arguments are not the same everywhere."""
        rows = self._suite.values[candidate.places[:, None] + np.arange(candidate.length)]
        return np.flatnonzero((rows != rows[0]).any(axis=0)).tolist()

    def _add_narrower(self, candidate: _Candidate, varying: Sequence[int]) -> None:
        """The same run where all its arguments, or those of one step, are the same: "I open the page 'Home'" three
        times is one thought, where "I open the page …" is a hundred."""
        places = self._untaken(candidate)
        rows = [tuple(row) for row in self._suite.values[places[:, None] + np.array(varying)].tolist()]
        columns = list(zip(*rows, strict=True))
        for column in (rows, *columns) if len(columns) > 1 else (rows,):
            for _, same in sorted(_equal(column).items()):
                least = worth(len(same), candidate.length, 0)
                if len(same) >= self._limits.min_scenarios and least > 1:
                    narrower = _Candidate(candidate.length, places[same], _NONE)
                    heapq.heappush(self._heap, (-least, self._number, narrower))
                    self._number += 1

    def _add_shorter(self, candidate: _Candidate, varying: Sequence[int]) -> None:
        """The same run without the steps at its ends that vary: what a scenario is about often stands right behind
        its setup, in one form of words with something else each time."""
        constant = sorted(set(range(candidate.length)) - set(varying))
        if not constant:
            return
        places = self._untaken(candidate)
        for first, last in {(constant[0], candidate.length - 1), (0, constant[-1]), (constant[0], constant[-1])}:
            length = last - first + 1
            if not self._limits.min_steps <= length < candidate.length:
                continue
            start = int(places[0]) + first
            if (start, length) in cuts(self._suite, start, length, self._limits):
                least = worth(len(places), length, 0)
                heapq.heappush(self._heap, (-least, self._number, _Candidate(length, places + first, _NONE)))
                self._number += 1

    def _value(self, candidate: _Candidate, varying: Sequence[int]) -> float:
        """Expected worth of a candidate at its places; 0 where it is no block there."""
        places, length = candidate.places, candidate.length
        if len(set(self._suite.runs.text.owner[places].tolist())) < self._limits.min_scenarios:
            return 0.0
        parameters = self._parameters(places, varying)
        if parameters is None:
            return 0.0
        candidate.parameters = parameters
        candidate.shape = self._shape(candidate, varying)
        value = worth(len(places), length, len(candidate.parameters))
        candidate.confidence = confidence(candidate.shape, length, len(candidate.parameters))
        return candidate.confidence * value

    def _parameters(self, places: Integers, varying: Sequence[int]) -> tuple[Parameter, ...] | None:
        """Arguments with the same values at every place are one parameter. None for more than may be."""
        most = self._limits.max_parameters
        columns: dict[tuple[str, ...], list[tuple[int, int]]] = {}
        for position in varying:
            rows = self._suite.values[places + position].tolist()
            said = {value: self._suite.arguments[value] for value in set(rows)}
            for number in range(max(map(len, said.values()))):
                values = {value: row[number] if number < len(row) else "" for value, row in said.items()}
                if len(set(values.values())) > 1:
                    columns.setdefault(tuple(values[row] for row in rows), []).append((position, number))
            if most is not None and len(columns) > most:
                return None
        parameters = []
        for column, at in columns.items():
            counts = sorted(Counter(column).items(), key=lambda pair: (-pair[1], pair[0]))
            parameters.append(Parameter(*at[0], tuple(value for value, _ in counts), "", tuple(at[1:])))
        return tuple(parameters)

    def _shape(self, candidate: _Candidate, varying: Sequence[int]) -> Shape:
        suite, places, length, parameters = self._suite, candidate.places, candidate.length, candidate.parameters
        window = places[0] + np.arange(length)
        uses = self._value_counts[suite.values[window] + 1]
        uses[list(varying)] = self._symbol_counts[suite.runs.text.symbols[window[list(varying)]]]
        ends = self._begins[places].sum() + self._begins[places + length].sum()
        scenario_begins, scenario_ends = (
            suite.phases[places - 1] == _SEPARATOR,
            suite.phases[places + length] == _SEPARATOR,
        )
        is_scenario = ~suite.backgrounds[suite.runs.text.owner[places]]
        edges = {parameter.step for parameter in parameters if not parameter.also} & {0, length - 1}
        others = [len(set(suite.values[places + edge].tolist())) - 1 for edge in edges]
        return Shape(
            cohesion=len(places) / int(uses.min()),
            borders=float(ends) / (2 * len(places)),
            constant=1 - len(varying) / length,
            generated=float(suite.generated[places].mean()),
            whole=float((scenario_begins & scenario_ends & is_scenario).mean()),
            ragged=sum(others) / (2 * max(1, len(places) - 1)),
        )

    def _block(self, candidate: _Candidate) -> Block:
        suite, length = self._suite, candidate.length
        text = suite.runs.text
        places = tuple(
            Place(suite.scenarios[text.owner[position]], int(position - text.offset[position]), length)
            for position in candidate.places.tolist()
        )
        start = candidate.places[0]
        meant = [suite.meanings[symbol] for symbol in text.symbols[start : start + length].tolist()]
        assert candidate.shape is not None
        key = "\n".join([*meant, *(" ".join(self._constant(candidate, position)) for position in range(length))])
        named = _named(candidate.parameters, places[0])
        return Block(identity(key)[:12], places, named, candidate.shape, candidate.confidence)

    def _constant(self, candidate: _Candidate, position: int) -> Sequence[str]:
        """The arguments of one step that are the same everywhere."""
        varying = {
            place
            for parameter in candidate.parameters
            for place in ((parameter.step, parameter.argument), *parameter.also)
        }
        said = self._suite.arguments[self._suite.values[candidate.places[0] + position]]
        return [value for number, value in enumerate(said) if (position, number) not in varying]


def _equal(values: Iterable[Hashable]) -> dict[Any, list[int]]:
    """Each value to where it stands: most candidates have a few places, for which NumPy takes ten times as long."""
    places: dict[Hashable, list[int]] = {}
    for number, value in enumerate(values):
        places.setdefault(value, []).append(number)
    return places


def _named(parameters: Sequence[Parameter], place: Place) -> tuple[Parameter, ...]:
    """With the names that the steps themselves suggest, each another."""
    named: dict[str, Parameter] = {}
    for parameter in parameters:
        text = place.steps[parameter.step].text
        arguments = masked_arguments(text)
        base = said_name(text, arguments[parameter.argument]) if parameter.argument < len(arguments) else "value"
        names = (base, *(f"{base}{number}" for number in range(2, len(parameters) + 2)))
        name = next(name for name in names if name not in named)
        named[name] = replace(parameter, name=name)
    return tuple(named.values())
