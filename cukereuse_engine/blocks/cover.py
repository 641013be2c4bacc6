"""Chooses blocks so that each step is in at most one of them, most worthwhile first."""

import heapq
from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from operator import itemgetter
from typing import Any

import numpy as np

from cukereuse_engine.blocks.block import Block, BlockLimits, BlockParameter, BlockPlace, Shape, saved, worth
from cukereuse_engine.blocks.repeats import RunInterval
from cukereuse_engine.blocks.sequences import SEPARATOR, Sequences
from cukereuse_engine.blocks.worthy import confidence
from cukereuse_engine.text.identity import identity

_Column = tuple[Any, ...]
"""The values of one step, or of one argument, at each place."""
_Arguments = dict[tuple[str, ...], list[tuple[int, int]]]
"""Maps the values at each place to the steps and arguments that have them."""


@dataclass(slots=True)
class _Candidate:
    length: int
    pool: RunInterval | list[int]
    """Its possible places, at least two."""
    places: list[int] = field(default_factory=list)
    """The positions that were free at the last look; empty before that."""
    arguments: _Arguments = field(default_factory=dict)
    """The varying arguments."""
    shape: Shape | None = None
    confidence: float = 1.0


class Cover:
    """Chooses blocks. A candidate's worth is computed when it is looked at, and again if others have taken its places.
    Most candidates have few places, for which arrays would take several times as long."""

    def __init__(self, sequences: Sequences, limits: BlockLimits) -> None:
        self._said = sequences
        self._limits = limits
        self._heap: list[tuple[float, int, _Candidate]] = []
        self._number = 0
        self._taken = bytearray(len(sequences.values))
        self._symbol_counts: list[int] = np.bincount(sequences.runs.text.symbols).tolist()
        self._value_counts: list[int] = np.bincount(np.array(sequences.values, np.int64) + 1).tolist()
        self._begins = (np.diff(np.array(sequences.phases, np.int8), prepend=SEPARATOR) != 0).tobytes()
        """1 for items at which a phase begins."""

    def of(self, candidates: Sequence[RunInterval]) -> list[Block]:
        for interval in candidates:
            self._push(worth(interval.occurrences, interval.length, 0), _Candidate(interval.length, interval))
        blocks: list[Block] = []
        while self._heap:
            _, number, candidate = heapq.heappop(self._heap)
            untaken, length = self._untaken(candidate), candidate.length
            free = _apart(untaken, length)
            if free and free == candidate.places:
                blocks.append(self._block(candidate))
                for place in free:
                    self._taken[place : place + length] = b"\1" * length
                continue
            if saved(len(free), length) <= 1:
                continue
            is_new, candidate.places = not candidate.places, free
            steps = self._steps(free, length)
            varying = [number for number, column in enumerate(steps) if _varies(column)]
            if is_new and isinstance(candidate.pool, RunInterval) and varying:
                self._add_narrower(untaken, length, varying)
                self._add_shorter(untaken, length, varying)
            candidate.pool = untaken
            value = self._value(candidate, steps, varying)
            if value > 0:
                heapq.heappush(self._heap, (-value, number, candidate))
        return sorted(blocks, key=lambda block: (-block.expected_worth, block.id))

    def _push(self, value: float, candidate: _Candidate) -> None:
        heapq.heappush(self._heap, (-value, self._number, candidate))
        self._number += 1

    def _untaken(self, candidate: _Candidate) -> list[int]:
        """The positions at which no step is taken; they may overlap."""
        pool, length, is_taken = candidate.pool, candidate.length, self._taken.find
        places = self._said.runs.occurrences(pool).tolist() if isinstance(pool, RunInterval) else pool
        return [place for place in places if is_taken(1, place, place + length) < 0]

    def _steps(self, places: Sequence[int], length: int) -> list[_Column]:
        """The values of each step of the run."""
        values = self._said.values
        return list(zip(*[values[place : place + length] for place in places], strict=True))

    def _add_narrower(self, untaken: Sequence[int], length: int, varying: Sequence[int]) -> None:
        """Add the same run with all arguments, or those of one step, fixed: "I open the page 'Home'" three times is one
        thought, "I open the page …" a hundred times is not."""
        if len(untaken) <= self._limits.min_scenarios:
            return  # fewer places are too few
        steps = self._steps(untaken, length)
        columns: list[Sequence[Any]] = [steps[number] for number in varying]
        for column in (list(zip(*columns, strict=True)), *columns) if len(columns) > 1 else columns:
            for _, same in sorted(_equal(column, self._limits.min_scenarios)):
                least = worth(len(same), length, 0)
                if least > 1:
                    self._push(least, _Candidate(length, [untaken[number] for number in same]))

    def _add_shorter(self, untaken: Sequence[int], length: int, varying: Sequence[int]) -> None:
        """Add the same run without varying steps at its ends: directly after the setup, scenarios often contain their
        subject, in the same words with other values."""
        constant = sorted(set(range(length)) - set(varying))
        if not constant:
            return
        for first, last in {(constant[0], length - 1), (0, constant[-1]), (constant[0], constant[-1])}:
            shorter = last - first + 1
            if not self._limits.min_steps <= shorter < length:
                continue
            start = untaken[0] + first
            if (start, shorter) in self._said.cuts(start, shorter, self._limits):
                places = [place + first for place in untaken]
                self._push(worth(len(places), shorter, 0), _Candidate(shorter, places))

    def _value(self, candidate: _Candidate, steps: Sequence[_Column], varying: Sequence[int]) -> float:
        """The expected worth of a candidate at its places; 0 if it is no block there."""
        places, length = candidate.places, candidate.length
        if len(set(itemgetter(*places)(self._said.owners))) < self._limits.min_scenarios:
            return 0.0
        arguments = self._arguments(steps, varying)
        if arguments is None:
            return 0.0
        candidate.arguments = arguments
        candidate.shape = self._shape(candidate, steps, varying)
        candidate.confidence = confidence(candidate.shape, length, saved(len(places), length))
        return candidate.confidence * worth(len(places), length, len(arguments))

    def _arguments(self, steps: Sequence[_Column], varying: Sequence[int]) -> _Arguments | None:
        """The arguments that vary; those with equal values at every place are joined. None if there are too many."""
        most = self._limits.max_parameters
        arguments: _Arguments = {}
        for position in varying:
            said = [self._said.arguments[value] for value in steps[position]]
            for number, column in enumerate(zip_longest(*said, fillvalue="")):
                if _varies(column):
                    arguments.setdefault(column, []).append((position, number))
            if most is not None and len(arguments) > most:
                return None
        return arguments

    def _shape(self, candidate: _Candidate, steps: Sequence[_Column], varying: Sequence[int]) -> Shape:
        suite, places, length = self._said, candidate.places, candidate.length
        count, start = len(places), places[0]
        uses = [self._value_counts[column[0] + 1] for column in steps]
        for position in varying:
            uses[position] = self._symbol_counts[suite.symbols[start + position]]
        at = itemgetter(*places)
        after = itemgetter(*[place + length for place in places])
        return Shape(
            cohesion=count / min(uses),
            borders=(sum(at(self._begins)) + sum(after(self._begins))) / (2 * count),
            constant=1 - len(varying) / length,
            coverage=sum(length / len(suite.scenarios[owner].steps) for owner in at(suite.owners)) / count,
            ends=after(suite.phases).count(SEPARATOR) / count,
            generated=sum(at(suite.generated)) / count,
        )

    def _block(self, candidate: _Candidate) -> Block:
        suite, length, start = self._said, candidate.length, candidate.places[0]
        offsets = suite.runs.text.offset[candidate.places].tolist()
        places = tuple(
            BlockPlace(suite.scenarios[suite.owners[position]], position - offset, length)
            for position, offset in zip(candidate.places, offsets, strict=True)
        )
        varying = {place for arguments in candidate.arguments.values() for place in arguments}
        lines = [suite.meanings[symbol] for symbol in suite.symbols[start : start + length]]
        lines += [" ".join(self._constant(start, position, varying)) for position in range(length)]
        assert candidate.shape is not None
        parameters = _parameters(candidate.arguments)
        return Block(identity("\n".join(lines))[:12], places, parameters, candidate.shape, candidate.confidence)

    def _constant(self, start: int, position: int, varying: Iterable[tuple[int, int]]) -> Sequence[str]:
        """The arguments of one step that are equal everywhere."""
        arguments = self._said.arguments[self._said.values[start + position]]
        return [value for number, value in enumerate(arguments) if (position, number) not in varying]


def _apart(places: list[int], length: int) -> list[int]:
    """The positions from left to right, without overlap."""
    kept, end = [], -1
    for place in places:
        if place >= end:
            kept.append(place)
            end = place + length
    return kept


def _varies(column: _Column) -> bool:
    return column.count(column[0]) != len(column)


def _equal(values: Iterable[Hashable], least: int) -> Iterable[tuple[Any, list[int]]]:
    """Yields each value with its positions, if there are at least `least`."""
    places: dict[Hashable, list[int]] = {}
    for number, value in enumerate(values):
        places.setdefault(value, []).append(number)
    return ((value, same) for value, same in places.items() if len(same) >= least)


def _parameters(arguments: _Arguments) -> tuple[BlockParameter, ...]:
    """The parameters, without names: these depend on more than what is mined."""
    parameters = []
    for column, ((step, argument), *also) in arguments.items():
        counts = sorted(Counter(column).items(), key=lambda pair: (-pair[1], pair[0]))
        parameters.append(BlockParameter(step, argument, tuple(value for value, _ in counts), "", tuple(also)))
    return tuple(parameters)
