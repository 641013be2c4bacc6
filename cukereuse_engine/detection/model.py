"""What detection gives."""

from dataclasses import dataclass

from cukereuse_engine.gherkin.model import Step
from cukereuse_engine.glue.model import StepDefinition
from cukereuse_engine.judging.model import Kind, StepText
from cukereuse_engine.rules import Severity
from cukereuse_engine.text.identity import identity
from cukereuse_engine.text.template import Template


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


@dataclass(frozen=True, slots=True)
class Wording:
    """One template of an intent, with every place where it stands."""

    text: str
    """Its most frequent step text (then shortest, then alphabetical)."""
    template: Template
    occurrences: int
    steps: tuple[Step, ...]
    """Every step of this wording, by path and line."""
    definitions: tuple[StepDefinition, ...]
    """What its steps bind to; empty where no definition is known."""


@dataclass(frozen=True, slots=True)
class Finding:
    """What a person should look at: `wording` should become `preferred`, or their definitions one."""

    rule: str
    """Id of one of `cukereuse_engine.rules.RULES`."""
    severity: Severity
    fingerprint: str
    """Short hash of (rule, pair of identities): stays when lines move or members are added."""
    message: str
    """One sentence for a terminal or an editor."""
    wording: Wording
    """The one used less."""
    preferred: Wording
    """The one used more."""
    score: float
    """`p_one_intent` of the two."""
    kind: Kind
    reasons: tuple[str, ...]
    cluster_id: str
    function_similarity: float | None = None
    """Of `divergent-definition`: how much of what their functions name both name, where that is known."""

    @property
    def certainty(self) -> float:
        """What findings of one severity are ranked by: of two definitions the mean of what texts and functions say. An
        unknown function counts half."""
        if self.rule != "divergent-definition":
            return self.score
        return (self.score + (0.5 if self.function_similarity is None else self.function_similarity)) / 2
