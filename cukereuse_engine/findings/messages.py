"""A finding's message, in one sentence."""

from collections.abc import Iterable, Sequence

from cukereuse_engine.findings.finding import Finding, Reason, Subject
from cukereuse_engine.glue.definition import StepDefinition
from cukereuse_engine.prose import counted

_LONGEST = 80
"""Code points of a step's text that a message quotes."""
_ENDING = 30
"""Number of code points from the end of a longer text: texts with the same beginning differ there."""

_LIKELY = 0.5
"""A finding with less confidence only may be right."""
_MOST_SUBJECTS = 3
"""Maximum number of subjects that a message names; more are counted."""


def message_of(
    rule: str, less: Sequence[Subject], more: Subject, *, confidence: float | None = None, is_doubtful: bool = False
) -> str:
    """The message about what should change and what is preferred. `is_doubtful`: their functions speak against joining
    them."""
    may = "may " if confidence is not None and confidence < _LIKELY else ""
    if rule == "divergent-wording":
        means = "means" if len(less) == 1 and not may else f"{may}mean"
        return f"{_joined(map(_named, less))} {means} the same as {_named(more)}."
    defined = _joined(
        (f"{_named(subject)}, defined at {defined_at(subject.definitions)}," for subject in (*less, more)), " "
    )
    if rule == "divergent-definition":
        unlike = "seem to mean the same, but their functions do different things"
        verdict = unlike if is_doubtful else f"{may}mean the same"
        return f"{defined} {verdict}."
    apart = " and ".join(defined_at(subject.definitions) for subject in (*less, more))
    names = _joined(map(_named, (*less, more)))
    is_argument = any(subject.text.lower() != more.text.lower() for subject in less)
    part = "an argument" if is_argument else "their capitals"
    return f"{names} differ only in {part} but have separate definitions, at {apart}."


def with_place(finding: Finding) -> str:
    """The message, with the place of the preferred subject if there is only one: for reports that show no other places.
    A finding's own message contains no place of a feature file, because lines move."""
    preferred = finding.preferred
    if preferred is None or preferred.definitions or len(preferred.places) != 1:
        return finding.message
    place = preferred.places[0]
    return f"{finding.message.removesuffix('.')} ({place.path}:{place.line})."


def told(reason: Reason) -> str:
    """The reason, after the wording that it is about if it is not about all."""
    return f"{quoted(reason.about)}: {reason.text}" if reason.about else reason.text


def _named(subject: Subject) -> str:
    return f"{quoted(subject.text)} ({counted(subject.occurrences, 'step')})"


def _joined(names: Iterable[str], comma: str = ", ") -> str:
    """A list for a sentence. `comma` is empty if the names end in a comma of their own."""
    some = list(names)
    if len(some) > _MOST_SUBJECTS + 1:
        some = [*some[:_MOST_SUBJECTS], f"{len(some) - _MOST_SUBJECTS} more"]
    return " and ".join(filter(None, (comma.join(some[:-1]), some[-1])))


def defined_at(definitions: Iterable[StepDefinition]) -> str:
    return ", ".join(sorted({f"{definition.place}" for definition in definitions}))


def quoted(text: str) -> str:
    if len(text) <= _LONGEST:
        return f"“{text}”"
    return f"“{text[: _LONGEST - _ENDING - 1].rstrip()}…{text[-_ENDING:].lstrip()}”"
