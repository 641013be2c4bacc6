"""The binding of a step, through every Examples row, and the use of definitions by all steps of a suite."""

from collections.abc import Mapping
from dataclasses import dataclass

from cukereuse_engine.gherkin.feature import Step
from cukereuse_engine.glue.definition import StepDefinition
from cukereuse_engine.glue.text_binding import Status, TextBinding

MAX_ROWS = 2_000
"""Maximum number of distinct texts of one outline step that are bound, in the order of its Examples rows."""


@dataclass(frozen=True, slots=True)
class StepBinding:
    """The bindings of a step with every Examples row, if it has placeholders."""

    step: Step
    texts: tuple[TextBinding, ...]
    """One for each distinct text that the step takes."""
    libraries: tuple[str, ...] = ()
    """Libraries outside the repository that may define a step without a definition here."""

    @property
    def definitions(self) -> tuple[StepDefinition, ...]:
        """All definitions that its texts bind to, each once."""
        definition_of = {match.definition.id: match.definition for text in self.texts for match in text.matches}
        return tuple(definition_of.values())

    @property
    def guessed(self) -> bool:
        """True if a text is bound by a guess; see `TextBinding.guessed`."""
        return any(text.guessed for text in self.texts)

    @property
    def status(self) -> Status:
        """BOUND if every text binds to exactly one definition, else the problem: UNDEFINED before AMBIGUOUS."""
        statuses = {text.status for text in self.texts}
        return next((status for status in (Status.UNDEFINED, Status.AMBIGUOUS) if status in statuses), Status.BOUND)


@dataclass(frozen=True, slots=True)
class DefinitionUsage:
    counts: Mapping[str, int]
    """Maps a definition's id to the number of steps that bind to it."""
    unused: tuple[StepDefinition, ...]
    """Definitions of the suite's own folder, by path and place; without those that can't be matched."""
    undefined: tuple[StepBinding, ...]
    ambiguous: tuple[StepBinding, ...]


def expanded_texts(step: Step) -> list[str]:
    """The distinct texts of a step: its own, or one for each Examples row, at most `MAX_ROWS`.

    Its own text if there are no rows, or if it contains none of their placeholders.
    """
    texts: dict[str, None] = {}
    for examples in step.examples if "<" in step.text else ():
        places = [(f"<{name}>", column) for column, name in enumerate(examples.header) if f"<{name}>" in step.text]
        for row in examples.rows:
            text = step.text
            for placeholder, column in places:
                text = text.replace(placeholder, row[column] if column < len(row) else "")
            texts[text] = None
            if len(texts) >= MAX_ROWS:
                return list(texts)
    return list(texts) or [step.text]
