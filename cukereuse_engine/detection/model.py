"""What detection gives."""

from dataclasses import dataclass

from cukereuse_engine.judging.model import Kind, StepText
from cukereuse_engine.text.identity import identity


@dataclass(frozen=True, slots=True)
class Cluster:
    """Texts that a strategy holds to be one."""

    id: str
    """Short hash of the sorted texts: the same members give the same id, on every machine and in every run."""
    strategy: str
    kind: Kind
    """The loosest that any member needs to be joined."""
    canonical: str
    """Most frequent, then fewest quoted parameters, then shortest, then alphabetical."""
    texts: tuple[StepText, ...]
    """Canonical first, then by occurrences, then alphabetical."""
    score: float
    """The weakest link that linkage accepted, in the strategy's own unit; 1.0 for one text."""
    reasons: tuple[str, ...]
    """Why, in words."""

    @property
    def occurrences(self) -> int:
        return sum(text.occurrences for text in self.texts)

    @property
    def wordings(self) -> int:
        """How many templates: two or more are what a person should look at."""
        return len({text.template.key for text in self.texts})


def cluster_id(texts: list[str]) -> str:
    """12 hex digits of the BLAKE2b of the sorted, normalised texts."""
    return identity("\n".join(sorted(identity(text) for text in texts)))[:12]
