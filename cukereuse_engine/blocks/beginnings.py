"""Blocks by their beginnings: the steps that usually follow those that somebody has just written."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from cukereuse_engine.blocks.block import Block
from cukereuse_engine.blocks.symbols import Meaning, StepMeaning
from cukereuse_engine.gherkin.feature import Step

LEAST_WRITTEN = 2
"""The number of written steps from which a block is surely meant: many blocks share their first step."""


@dataclass(frozen=True, slots=True)
class BegunBlock:
    """A block whose first steps are written."""

    block: Block
    written: int
    """The number of written steps."""
    values: tuple[str | None, ...]
    """The value of each parameter in the written steps; None: a later step has it."""


class Beginnings:
    """The beginnings of the blocks of one suite."""

    def __init__(self, blocks: Sequence[Block], meaning: Meaning) -> None:
        """`blocks`: most worthwhile first."""
        self._meaning = meaning
        self._begin: dict[tuple[str, ...], list[tuple[Block, list[StepMeaning]]]] = {}
        for block in blocks:
            meanings = [meaning(step) for step in block.steps]
            key = tuple(step.meaning for step in meanings[:LEAST_WRITTEN])
            if block.length > LEAST_WRITTEN and not any(step.argument for step in block.steps):
                self._begin.setdefault(key, []).append((block, meanings))
        self._longest = max((block.length for block in blocks), default=0)

    def of(self, written: Sequence[Step]) -> Iterator[BegunBlock]:
        """Yields the blocks that the last of these steps begin, those with the most steps written first. `written`: the
        steps of one scenario up to a place."""
        if not self._begin:
            return
        last = [self._meaning(step) for step in written[-self._longest :]]
        for count in range(min(len(last), self._longest - 1), LEAST_WRITTEN - 1, -1):
            begins = last[len(last) - count :]
            if any(step.argument for step in written[len(written) - count :]):
                continue
            for block, meanings in self._begin.get(tuple(step.meaning for step in begins[:LEAST_WRITTEN]), ()):
                values = _values(block, meanings, begins) if count < block.length else None
                if values is not None:
                    yield BegunBlock(block, count, values)

    def follows(self, begun: BegunBlock, steps: Sequence[Step]) -> bool:
        """True if the rest of a block is already there; `steps`: those after the next one."""
        rest = begun.block.steps[begun.written + 1 :]
        if not rest or not steps:
            return False
        return self._meaning(steps[0]).meaning == self._meaning(rest[0]).meaning


def _values(
    block: Block, meanings: Sequence[StepMeaning], begins: Sequence[StepMeaning]
) -> tuple[str | None, ...] | None:
    """The values of the parameters in the written steps; None if these are not the steps of the block."""
    if any(step.meaning != block_step.meaning for step, block_step in zip(begins, meanings, strict=False)):
        return None
    places = {
        at: number
        for number, parameter in enumerate(block.parameters)
        for at in ((parameter.step, parameter.argument), *parameter.also)
    }  # fmt: skip
    values: list[str | None] = [None] * len(block.parameters)
    for step, (step_said, block_said) in enumerate(zip(begins, meanings, strict=False)):
        if len(step_said.arguments) != len(block_said.arguments):
            return None
        for argument, value in enumerate(step_said.arguments):
            number = places.get((step, argument))
            if number is None and value != block_said.arguments[argument]:
                return None
            if number is not None and values[number] not in (None, value):
                return None
            if number is not None:
                values[number] = value
    return tuple(values)
