"""The options of findings about repetition."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from cukereuse_engine.blocks.block import STRICT, BlockLimits
from cukereuse_engine.rules import REPETITION_RULES, RULES, Severity

DUPLICATE, FOLDABLE, BACKGROUND, BLOCK = REPETITION_RULES


@dataclass(frozen=True, slots=True)
class RepetitionOptions:
    severities: Mapping[str, Severity] = field(default_factory=dict)
    """Maps a rule's id to its severity, if that is not the rule's default."""
    limit: int = 10
    """The number of findings of each rule; 0: all."""
    worth: float = 30
    """The number of saved steps from which a `repeated-block` has severity information."""
    limits: BlockLimits = STRICT

    @property
    def wants_blocks(self) -> bool:
        return self.severity(BLOCK) is not Severity.OFF

    def severity(self, rule: str) -> Severity:
        return self.severities.get(rule, RULES[rule].severity)
