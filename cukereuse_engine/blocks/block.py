"""The result of mining: blocks, their places and parameters."""

from dataclasses import dataclass

from cukereuse_engine.blocks.symbols import Scenario
from cukereuse_engine.gherkin.feature import Step


@dataclass(frozen=True, slots=True)
class BlockLimits:
    """The limits of the search for blocks."""

    min_steps: int = 2
    min_scenarios: int = 2
    max_parameters: int | None = None
    """The number of arguments that may vary between places; None: any."""
    attachments: bool = True
    """True if steps with a table or DocString may be in a block."""
    backgrounds: bool = True
    """True if places in a Background count."""


STRICT = BlockLimits(min_steps=3, min_scenarios=3, max_parameters=3, attachments=False)
"""The limits of blocks that people would really extract. Without them, three times as many steps could be saved, in
blocks that few would take out."""


@dataclass(frozen=True, slots=True)
class BlockPlace:
    """The place of a block: consecutive steps of one scenario."""

    scenario: Scenario
    start: int
    """The position of its first step in the scenario."""
    length: int

    @property
    def steps(self) -> tuple[Step, ...]:
        return self.scenario.steps[self.start : self.start + self.length]

    @property
    def path(self) -> str:
        return self.scenario.path

    @property
    def line(self) -> int:
        return self.scenario.steps[self.start].line

    @property
    def last_line(self) -> int:
        return self.scenario.steps[self.start + self.length - 1].line


@dataclass(frozen=True, slots=True)
class BlockParameter:
    """An argument of a block that differs between places."""

    step: int
    """The position of its step in the block."""
    argument: int
    """The position among that step's arguments."""
    values: tuple[str, ...]
    """Distinct values, most frequent first."""
    name: str
    """A proposal from the block's steps, as an identifier."""
    also: tuple[tuple[int, int], ...] = ()
    """Other steps and arguments of the block that have the same value at every place: one parameter serves them all."""


@dataclass(frozen=True, slots=True)
class Shape:
    """Features that tell whether a block is one thought, each from 0 to 1."""

    cohesion: float
    """The share of the uses of its rarest step that are in this block; a step without varying arguments counts with
    equal ones."""
    borders: float
    """The share of its ends, over all places, at which a phase (setup, actions, checks) begins or ends."""
    constant: float
    """The share of its steps that are equal at all places, including arguments."""
    coverage: float
    """The share of its scenarios' steps that it contains: a block of nearly all of them is their subject."""
    ends: float
    """The share of its places that end a scenario or Background, where checks are."""
    generated: float
    """The share of its places in scenarios whose structure hundreds share: they are generated, or an Outline is
    missing."""


@dataclass(frozen=True, slots=True)
class Block:
    id: str
    """A short hash of the meanings of its steps: it stays when places are added."""
    places: tuple[BlockPlace, ...]
    """By path and line; they overlap no place of this block or of a more worthwhile one."""
    parameters: tuple[BlockParameter, ...]
    shape: Shape
    confidence: float
    """The probability that a maintainer would take it out."""

    @property
    def length(self) -> int:
        return self.places[0].length

    @property
    def steps(self) -> tuple[Step, ...]:
        """The steps at the first place."""
        return self.places[0].steps

    @property
    def scenarios(self) -> int:
        return len({(place.scenario.path, place.scenario.line) for place in self.places})

    @property
    def files(self) -> tuple[str, ...]:
        """Paths, each once."""
        return tuple(dict.fromkeys(place.path for place in self.places))

    @property
    def steps_saved(self) -> int:
        """The number of lines that disappear if one step, defined once, replaces each place."""
        return saved(len(self.places), self.length)

    @property
    def worth(self) -> float:
        """The steps saved, less the cost of a name and of parameters, which must be looked up at every place."""
        return worth(len(self.places), self.length, len(self.parameters))

    @property
    def expected_worth(self) -> float:
        """The value by which blocks are ranked."""
        return self.confidence * self.worth


def saved(places: int, length: int) -> int:
    return places * (length - 1) - length


def worth(places: int, length: int, parameters: int) -> float:
    """`saved`, less a step for the name and a tenth of a step for each argument at each place."""
    return saved(places, length) - 1 - 0.1 * parameters * places
