"""A finding: what should change, what should remain, where both are, and why."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace

from cukereuse_engine.gherkin.feature import Step
from cukereuse_engine.glue.definition import StepDefinition
from cukereuse_engine.judging.judge import Kind
from cukereuse_engine.rules import Severity
from cukereuse_engine.text.identity import identity
from cukereuse_engine.text.template import Template


@dataclass(frozen=True, slots=True)
class Place:
    """A place: of a step, a sequence of steps, a step definition's expression, or a function."""

    path: str
    line: int
    """1-based."""
    column: int
    """1-based, in code points."""
    end_line: int
    end_column: int
    """Column after the last code point."""
    step: Step | None = None
    """The step at this place, or the first of a sequence; None in glue code."""

    @classmethod
    def of_step(cls, step: Step) -> "Place":
        return cls(step.path, step.line, step.column, step.line, step.span.end_column, step)

    @classmethod
    def of_definition(cls, definition: StepDefinition) -> "Place":
        """Place of its expression."""
        span = definition.literal
        return cls(span.path, span.line, span.column, span.end_line, span.end_column)


def places_of(steps: Iterable[Step]) -> tuple[Place, ...]:
    """The places of steps, by path, line and column."""
    return tuple(Place.of_step(step) for step in sorted(steps, key=lambda step: (step.path, step.line, step.column)))


@dataclass(frozen=True, slots=True)
class Wording:
    """A template, as a finding shows it."""

    text: str
    """Its most frequent step text (then shortest, then alphabetical)."""
    template: Template
    occurrences: int


@dataclass(frozen=True, slots=True)
class Subject:
    """A thing that a finding is about: a wording, a step definition with all steps that it serves, a scenario, or a
    sequence of steps."""

    text: str
    """The text that a person knows it by: its most used step text, or the one that was compared; a definition's
    expression; a scenario's name."""
    identity: str
    """The identity for fingerprints: a template's key, or an expression. It does not depend on lines or counts."""
    occurrences: int
    """Number of steps with it, including silenced ones."""
    places: tuple[Place, ...]
    """Every place that may have to be edited, by path and line; silenced places are left out."""
    definitions: tuple[StepDefinition, ...] = ()
    """The definitions that its steps bind to; empty if none is known."""
    wordings: tuple[Wording, ...] = ()
    """Its templates, the most used first; empty if it is not a step."""

    @property
    def steps(self) -> tuple[Step, ...]:
        return tuple(place.step for place in self.places if place.step is not None)


FUNCTIONS = "functions"
"""The id of reasons about what functions do."""


@dataclass(frozen=True, slots=True)
class Reason:
    """Something that speaks for a finding, or against it."""

    id: str
    """Stable, for programs: "judge", "functions"."""
    text: str
    """The reason in words, for people."""
    value: float | None = None
    """0 to 1, if it was measured."""
    against: bool = False
    about: str = ""
    """The text of the one of the finding's `others` that it is about; empty: all of them."""


def together(reasons_of: Mapping[str, Iterable[Reason]]) -> tuple[Reason, ...]:
    """The reasons of several `others`, by their texts: what speaks for the finding first, and what all share once."""
    told = {text: list(reasons) for text, reasons in reasons_of.items()}
    reasons = dict.fromkeys(
        reason if all(reason in each for each in told.values()) else replace(reason, about=text)
        for text, each in told.items()
        for reason in each
    )
    return tuple(sorted(reasons, key=lambda reason: reason.against))


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that a person can do: replace the `others` by `preferred`, remove them, or look at them."""

    rule: str
    """Id of one of `cukereuse_engine.rules.RULES`."""
    severity: Severity
    message: str
    """One sentence for a terminal or an editor."""
    others: tuple[Subject, ...]
    """The subjects that should change, the most used first; at least one. Reports list the finding at these places."""
    preferred: Subject | None = None
    """The subject that should remain; None if nothing is preferred."""
    confidence: float | None = None
    """Probability that a reader agrees, by the weakest of `others`; None for plain facts."""
    worth: int = 1
    """Number of steps and definitions that a person can remove, or no longer needs to look at."""
    reasons: tuple[Reason, ...] = ()
    kind: Kind | None = None
    """For findings about wordings: the kind of the two nearest."""
    cluster_id: str = ""
    """Id of the cluster of the texts, if any."""
    fingerprint: str = ""
    """Short hash of the rule and the two most used subjects. It stays the same when lines move, members are added, or
    places are silenced. Set when the finding is made."""

    def __post_init__(self) -> None:
        if not self.fingerprint:
            object.__setattr__(self, "fingerprint", self.key(self.others[0]))

    @property
    def expected_worth(self) -> float:
        """The sort key of reports."""
        return (1.0 if self.confidence is None else self.confidence) * self.worth

    @property
    def subjects(self) -> tuple[Subject, ...]:
        """The preferred one first."""
        return self.others if self.preferred is None else (self.preferred, *self.others)

    def reasons_about(self, other: str) -> tuple[Reason, ...]:
        """The reasons that are about the one of `others` with this text, or about all of them."""
        return tuple(reason for reason in self.reasons if reason.about in ("", other))

    def measured(self, reason: str) -> float | None:
        """The value of the reason with this id; None if there is none."""
        return next((reason_of.value for reason_of in self.reasons if reason_of.id == reason), None)

    def within(self, kept: Callable[[Place, Subject], bool]) -> "Finding | None":
        """The finding with only the kept places of `others`; None if no place is left."""
        left = []
        for other in self.others:
            places = tuple(place for place in other.places if kept(place, other))
            if places:
                left.append(other if len(places) == len(other.places) else replace(other, places=places))
        return replace(self, others=tuple(left)) if left else None

    @property
    def is_unlike(self) -> bool:
        """True if its wordings seem to mean the same and their functions speak against it."""
        return any(reason.id == FUNCTIONS and reason.against for reason in self.reasons)

    @property
    def definitions(self) -> tuple[StepDefinition, ...]:
        """The places of all subjects, each once, those of `others` first."""
        subjects = (*self.others, *((self.preferred,) if self.preferred is not None else ()))
        return tuple({definition.id: definition for subject in subjects for definition in subject.definitions}.values())

    def beside(self, other: Subject) -> Subject:
        """What one of `others` is told with: the preferred subject, or else the most used of the rest; itself if there
        is none."""
        return self.preferred or next((each for each in self.others if each is not other), other)

    def key(self, other: Subject) -> str:
        """The key of one of `others` in a baseline."""
        return fingerprint(self.rule, self.beside(other).identity, other.identity)

    def keys(self, other: Subject) -> frozenset[str]:
        """All keys that one of `others` may have in a baseline: `key`, and each pair of it and another subject of this
        finding, by wordings and by expressions, whichever was preferred and whichever rule of one intent told it."""
        rules = {self.rule, *_OF_ONE_INTENT} if self.rule in _OF_ONE_INTENT else {self.rule}
        pairs = {
            (mine, theirs)
            for subject in self.subjects
            if subject is not other
            for identities in (_wordings, _expressions)
            for mine in identities(other)
            for theirs in identities(subject)
            if mine != theirs
        }
        return frozenset({self.key(other), *(fingerprint(rule, *pair) for pair in pairs for rule in rules)})


_OF_ONE_INTENT = ("divergent-wording", "divergent-definition", "same-code")
"""Rules that tell the same pair: which one does depends on what else its group has, and on whether code was read."""


def _wordings(subject: Subject) -> frozenset[str]:
    return frozenset(wording.template.key for wording in subject.wordings)


def _expressions(subject: Subject) -> frozenset[str]:
    return frozenset(definition.expression for definition in subject.definitions)


def fingerprint(rule: str, left: str, right: str) -> str:
    """16 hex digits of a rule and two identities, in any order."""
    return identity("\n".join([rule, *sorted((identity(left), identity(right)))]))[:16]


def importance(finding: Finding) -> tuple[int, float, str, str]:
    """Sort key: severity, then what it is likely worth."""
    return (-finding.severity.rank, -finding.expected_worth, finding.others[0].text, finding.fingerprint)
