"""Blocks: runs of steps that recur in a suite and could be taken out, the most worthwhile first, without overlap.

A block is cut where meaning cuts. It lies within one phase (setup, actions or checks), or it is whole phases up to the
last check: a run that ends between an action and the check of that action is shortened.
"""

import heapq
import itertools
from collections.abc import Sequence
from dataclasses import dataclass, field

from cukereuse_engine.blocks.repeats import closed_repeats
from cukereuse_engine.blocks.scenarios import Meaning, Scenario, Symbols, by_template
from cukereuse_engine.gherkin.model import KeywordType, Step
from cukereuse_engine.progress import SILENT, Progress
from cukereuse_engine.text.identity import identity, normalise
from cukereuse_engine.text.template import arguments

_PHASE = {KeywordType.CONTEXT: 0, KeywordType.ACTION: 1, KeywordType.OUTCOME: 2}


@dataclass(frozen=True, slots=True)
class BlockLimits:
    min_steps: int = 2
    min_scenarios: int = 2
    max_parameters: int | None = None
    """Most arguments that may vary between the places; None: any number."""
    attachments: bool = True
    """Whether steps with a table or DocString may be in a block."""
    backgrounds: bool = True
    """Whether places in a Background count."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a block stands: consecutive steps of one scenario."""

    scenario: Scenario
    start: int
    """Position of its first step in the scenario."""
    length: int

    @property
    def steps(self) -> tuple[Step, ...]:
        return self.scenario.steps[self.start : self.start + self.length]

    @property
    def line(self) -> int:
        return self.scenario.steps[self.start].line

    @property
    def last_line(self) -> int:
        return self.scenario.steps[self.start + self.length - 1].line


@dataclass(frozen=True, slots=True)
class Parameter:
    """An argument of a block that is not the same at all places."""

    step: int
    """Position of its step in the block."""
    argument: int
    """Position among that step's arguments."""
    values: tuple[str, ...]
    """Distinct values, the most frequent first."""


@dataclass(frozen=True, slots=True)
class Block:
    id: str
    """Short hash of what its steps mean: stays when places are added."""
    places: tuple[Place, ...]
    """By path and line; none overlaps another, of this block or of one that is worth more."""
    parameters: tuple[Parameter, ...]

    @property
    def length(self) -> int:
        return self.places[0].length

    @property
    def steps(self) -> tuple[Step, ...]:
        """As at the first place."""
        return self.places[0].steps

    @property
    def scenarios(self) -> int:
        return len({(place.scenario.path, place.scenario.line) for place in self.places})

    @property
    def files(self) -> int:
        return len({place.scenario.path for place in self.places})

    @property
    def steps_saved(self) -> int:
        """Lines that go when one step, defined once, stands in place of each."""
        return saved(len(self.places), self.length)

    @property
    def worth(self) -> float:
        """Steps saved, less what the reader pays: each parameter is a word to look up at every place, in part."""
        return worth(len(self.places), self.length, len(self.parameters))


def saved(places: int, length: int) -> int:
    return places * (length - 1) - length


def worth(places: int, length: int, parameters: int) -> float:
    """`saved`, less the name to find and a tenth of a step for each argument at each place."""
    return saved(places, length) - 1 - 0.1 * parameters * places


def find_blocks(
    scenarios: Sequence[Scenario],
    *,
    meaning: Meaning = by_template,
    limits: BlockLimits | None = None,
    progress: Progress = SILENT,
) -> list[Block]:
    """The blocks of one suite, by worth; a step belongs to at most one of them. Raises `Cancelled` when `progress`
    does."""
    return _Miner(scenarios, meaning, limits or BlockLimits(), progress).run()


@dataclass(slots=True)
class _Candidate:
    symbols: tuple[int, ...]
    places: list[tuple[int, int]]
    """Scenario and start, by scenario and start; may overlap."""
    parameters: int | None = None


@dataclass(slots=True)
class _Miner:
    scenarios: Sequence[Scenario]
    meaning: Meaning
    limits: BlockLimits
    progress: Progress
    sequences: list[list[int]] = field(default_factory=list)
    taken: list[bytearray] = field(default_factory=list)

    def run(self) -> list[Block]:
        symbols = Symbols(self.meaning)
        self.sequences = [
            symbols.of(scenario) if self.limits.backgrounds or not scenario.is_background else []
            for scenario in self.scenarios
        ]
        self.taken = [bytearray(len(sequence)) for sequence in self.sequences]
        return self._cover(self._candidates())

    def _candidates(self) -> list[_Candidate]:
        """Every meaningful cut of every closed repeat, with all its places."""
        found: dict[tuple[int, ...], _Candidate] = {}
        repeats = closed_repeats(
            self.sequences, min_length=self.limits.min_steps, min_support=self.limits.min_scenarios
        )
        with self.progress.stage("looking for repeated blocks", None, "blocks") as stage:
            for repeat in repeats:
                stage.advance()
                owner, start = int(repeat.sequences[0]), int(repeat.starts[0])
                for first, last in self._cuts(owner, start, repeat.length):
                    key = tuple(self.sequences[owner][start + first : start + last])
                    known = found.get(key)
                    if known is None or len(known.places) < len(repeat.starts):
                        starts = (repeat.starts + first).tolist()
                        found[key] = _Candidate(key, list(zip(repeat.sequences.tolist(), starts, strict=True)))
        return list(found.values())

    def _cuts(self, owner: int, start: int, length: int) -> list[tuple[int, int]]:
        """Parts of a run that make sense alone, as positions in it: each phase, and whole phases that end with a
        check or do not reach one."""
        steps = self.scenarios[owner].steps
        phases = [_PHASE.get(step.resolved_type, -1) for step in steps[start : start + length]]
        if not self.limits.attachments:
            plain = [step.argument is None for step in steps[start : start + length]]
        else:
            plain = [True] * length
        following = steps[start + length].resolved_type if start + length < len(steps) else None
        borders = [0, *(i for i in range(1, length) if phases[i] != phases[i - 1]), length]
        cuts = list(itertools.pairwise(borders))  # one phase each
        for i, first in enumerate(borders[:-2]):
            for last in borders[i + 2 :]:
                ends = phases[last - 1]
                after = phases[last] if last < length else _PHASE.get(following, -1) if following else None
                if after == ends or (ends == 1 and after == 2):
                    continue  # amid a phase, or between an action and its check
                cuts.append((first, last))
        least = self.limits.min_steps
        return [(a, b) for a, b in cuts if b - a >= least and all(plain[a:b])]

    def _cover(self, candidates: list[_Candidate]) -> list[Block]:
        """The most worthwhile first, each step once; worth is computed anew once places were taken by others."""
        heap: list[tuple[float, tuple[int, ...], int]] = []
        for number, candidate in enumerate(candidates):
            value = self._value(candidate, candidate.places)
            if value > 0:
                heapq.heappush(heap, (-value, candidate.symbols, number))
        blocks: list[Block] = []
        while heap:
            negative, symbols, number = heapq.heappop(heap)
            candidate = candidates[number]
            free = self._free(candidate)
            value = self._value(candidate, free)
            if value <= 0 or len({owner for owner, _ in free}) < self.limits.min_scenarios:
                continue
            if value < -negative:
                candidate.places = free
                heapq.heappush(heap, (-value, symbols, number))
                continue
            block = self._block(candidate, free)
            if self.limits.max_parameters is not None and len(block.parameters) > self.limits.max_parameters:
                continue
            for owner, start in free:
                self.taken[owner][start : start + len(symbols)] = b"\1" * len(symbols)
            blocks.append(block)
        return sorted(blocks, key=lambda block: (-block.worth, block.id))

    def _value(self, candidate: _Candidate, places: list[tuple[int, int]]) -> float:
        length = len(candidate.symbols)
        if saved(len(places), length) <= 0:
            return 0.0
        if candidate.parameters is None:
            candidate.parameters = len(self._parameters(self._places(places, length)))
        return worth(len(places), length, candidate.parameters)

    def _free(self, candidate: _Candidate) -> list[tuple[int, int]]:
        """Places of which no step is taken, left to right without overlap."""
        length = len(candidate.symbols)
        free: list[tuple[int, int]] = []
        for owner, start in candidate.places:
            if free and free[-1][0] == owner and start < free[-1][1] + length:
                continue
            if not any(self.taken[owner][start : start + length]):
                free.append((owner, start))
        return free

    def _places(self, places: list[tuple[int, int]], length: int) -> tuple[Place, ...]:
        return tuple(Place(self.scenarios[owner], start, length) for owner, start in places)

    def _block(self, candidate: _Candidate, places: list[tuple[int, int]]) -> Block:
        found = self._places(places, len(candidate.symbols))
        meant = [f"{self.meaning(step)}\0{step.argument or ''}" for step in found[0].steps]
        return Block(identity("\n".join(meant))[:12], found, self._parameters(found))

    def _parameters(self, places: Sequence[Place]) -> tuple[Parameter, ...]:
        parameters = []
        for position in range(places[0].length):
            texts = [normalise(place.steps[position].text) for place in places]
            if len(set(texts)) == 1:
                continue
            values = [tuple(argument.value for argument in arguments(text)) for text in texts]
            for number in range(min(map(len, values))):
                column = [row[number] for row in values]
                distinct = sorted(set(column), key=lambda value: (-column.count(value), value))
                if len(distinct) > 1:
                    parameters.append(Parameter(position, number, tuple(distinct)))
        return tuple(parameters)
