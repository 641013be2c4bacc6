"""Scenarios as sequences: each step's meaning, arguments and phase, and where a sequence may be cut.

A block lies within one phase (setup, actions or checks), or consists of whole phases up to the last check: a run that
ends between an action and its check is shortened.
"""

import itertools
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cukereuse_engine.blocks.block import BlockLimits
from cukereuse_engine.blocks.karate import statement_types
from cukereuse_engine.blocks.repeats import Integers, SymbolRuns
from cukereuse_engine.blocks.symbols import Meaning, Scenario, Symbols
from cukereuse_engine.gherkin.feature import KeywordType

SEPARATOR = -2
"""The phase of a separator between two scenarios."""
_PHASES = {
    id(kind): phase for phase, kind in enumerate((KeywordType.CONTEXT, KeywordType.ACTION, KeywordType.OUTCOME), 1)
}
"""The phase of a keyword's type, by the type's identity: hashing an enumeration's member costs more than everything
else about a step."""
_SETUP, _ACTION, _CHECK, _NO_PHASE = 0, 1, 2, -1
_NEXT_ACTION = 3
"""A separate action after an action."""

_SURE_USES, _SURE_SHARE = 3, 0.8
"""If one phase has at least so many of a wording's Givens, Whens and Thens, and such a share of them, the wording has
that phase after an "And" too."""
_GENERATED = 100
"""The number of scenarios with one structure from which they are generated, or an Outline is missing."""


@dataclass(frozen=True, slots=True, eq=False)
class Sequences:
    """All scenarios of a suite one after another, with an item for each step and for the separator after each scenario.
    Uses lists and bytes, not arrays, because a few items are read at a time."""

    scenarios: Sequence[Scenario]
    runs: SymbolRuns
    symbols: list[int]
    values: list[int]
    """Equal if symbol and arguments are; -1 for a separator."""
    owners: list[int]
    """The position of the scenario."""
    phases: list[int]
    plain: bytes
    """1 for a step without attachment."""
    generated: bytes
    """1 in scenarios whose structure hundreds share."""
    arguments: Sequence[tuple[str, ...]]
    """The arguments of each value."""
    meanings: Sequence[str]
    """The meaning of each symbol."""

    @classmethod
    def of(cls, scenarios: Sequence[Scenario], meaning: Meaning) -> "Sequences":
        symbols = Symbols(meaning)
        sequences = [symbols.of(scenario) for scenario in scenarios]
        structures = Counter(tuple(sequence) for sequence, _ in sequences)
        values: list[int] = []
        own, resolved = bytearray(), bytearray()
        plain, generated = bytearray(), bytearray()
        phase = _PHASES.get
        for scenario, (sequence, its_values) in zip(scenarios, sequences, strict=True):
            steps = scenario.steps
            values += its_values
            values.append(-1)
            if scenario.is_karate:
                types = statement_types(steps)
                said_phases = [phase(id(kind), 0) for kind, _ in types]
                own += bytes(said_phases)
                resolved += bytes(
                    _NEXT_ACTION + 1 if kind is KeywordType.ACTION and requests % 2 else said_phase
                    for (kind, requests), said_phase in zip(types, said_phases, strict=True)
                )
            else:
                own += bytes([phase(id(step.keyword_type), 0) for step in steps])
                resolved += bytes([phase(id(step.resolved_type), 0) for step in steps])
            plain += bytes([step.argument is None for step in steps])
            for separated in (own, resolved, plain):
                separated.append(0)
            generated += bytes([structures[tuple(sequence)] >= _GENERATED]) * (len(sequence) + 1)
        runs = SymbolRuns([sequence for sequence, _ in sequences])
        return cls(
            scenarios,
            runs,
            runs.text.symbols.tolist(),
            values,
            runs.text.owner.tolist(),
            _phases(runs.text.symbols, np.array(values, np.int64) < 0, own, resolved),
            bytes(plain),
            bytes(generated),
            symbols.arguments,
            symbols.meanings,
        )

    def cuts(self, position: int, length: int, limits: BlockLimits) -> Iterator[tuple[int, int]]:
        """The parts of a run that are useful alone, as position and length: each phase, and whole phases that begin
        with a setup or an action and end with a check, or contain none."""
        phases = self.phases[position : position + length + 1]
        borders = [0, *(i for i in range(1, length) if phases[i] != phases[i - 1]), length]
        parts = list(itertools.pairwise(borders))  # single phases
        for i, first in enumerate(borders[:-2]):
            if phases[first] == _CHECK:
                continue  # of an earlier action
            for last in borders[i + 2 :]:
                ends, after = phases[last - 1], phases[last]
                # neither amid a phase, nor between an action and its check
                if after != ends and not (after == _CHECK and ends in (_ACTION, _NEXT_ACTION)):
                    parts.append((first, last))
        plain = self.plain[position : position + length]
        for first, last in parts:
            if last - first >= limits.min_steps and (limits.attachments or all(plain[first:last])):
                yield position + first, last - first


def _phases(symbols: Integers, separators: NDArray[np.bool_], own: bytearray, resolved: bytearray) -> list[int]:
    """The phase of each item. "And" after an action may begin its check: if nearly all other keywords of a wording name
    one phase, it has that phase here too."""
    own_phases, phases = (np.frombuffer(packed, np.int8).astype(np.int64) - 1 for packed in (own, resolved))
    says = own_phases >= 0
    highest = int(symbols.max(initial=0)) + 1
    counts = np.bincount(symbols[says] * 3 + own_phases[says], minlength=3 * highest).reshape(-1, 3)
    most = counts.max(axis=1)
    sure = (most >= _SURE_USES) & (most >= _SURE_SHARE * counts.sum(axis=1))
    usual = np.where(sure, counts.argmax(axis=1), _NO_PHASE)[symbols]
    phases = np.where(~says & (usual != _NO_PHASE), usual, phases)
    phases[separators] = SEPARATOR
    settled: list[int] = phases.tolist()
    return settled
