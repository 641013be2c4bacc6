"""A finding's message, in one sentence, and its title: both claim the same, as far as it is sure."""

from collections.abc import Callable, Iterable, Sequence

from cukereuse_engine.findings.finding import Finding, Reason, Subject
from cukereuse_engine.glue.definition import StepDefinition
from cukereuse_engine.prose import counted
from cukereuse_engine.rules import RULES

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
    if rule == "divergent-wording":
        means = _mean(confidence, is_doubtful, of_one=len(less) == 1)
        return f"{_joined(map(_named, less))} {means} the same as {_named(more)}."
    places = [defined_at(subject.definitions, definitions_of((*less, more))) for subject in (*less, more)]
    if rule == "divergent-definition":
        defined = zip(map(_named, (*less, more)), places, strict=True)
        subjects = _joined((f"{name}, defined at {place}," for name, place in defined), " ")
        unlike = ", but their functions do different things" if is_doubtful else ""
        return f"{subjects} {_mean(confidence, is_doubtful)} the same{unlike}."
    apart = " and ".join(places)
    names = _joined(map(_named, (*less, more)))
    return f"{names} differ only in {differing_part(less, more)} but have separate definitions, at {apart}."


def differing_part(less: Sequence[Subject], more: Subject) -> str:
    """What differs in texts of one template."""
    return "an argument" if any(subject.text.lower() != more.text.lower() for subject in less) else "their capitals"


def title_of(finding: Finding) -> str:
    """The rule's title, as sure as the finding's message."""
    rule = RULES.get(finding.rule)
    return rule.title.replace("may mean", mean(finding)) if rule is not None else finding.rule


def mean(finding: Finding, *, of_one: bool = False) -> str:
    """The verb of a finding about wordings. `of_one`: of a single subject."""
    return _mean(finding.confidence, finding.is_unlike, of_one=of_one)


def _mean(confidence: float | None, is_doubtful: bool, *, of_one: bool = False) -> str:
    if is_doubtful:
        return "seems to mean" if of_one else "seem to mean"
    if confidence is not None and confidence < _LIKELY:
        return "may mean"
    return "means" if of_one else "mean"


def with_place(finding: Finding) -> str:
    """The message, with the place of the preferred subject if there is only one: for reports that show no other places.
    A finding's own message contains no place of a feature file, because lines move."""
    preferred = finding.preferred
    if preferred is None or preferred.definitions or len(preferred.places) != 1:
        return finding.message
    place = preferred.places[0]
    return f"{finding.message.removesuffix('.')} ({place.path}:{place.line})."


def renamed(message: str, paths: Iterable[str], name: Callable[[str], str]) -> str:
    """The message with another `name` for each of these `paths`."""
    for path in set(paths):
        message = message.replace(f"{path}:", f"{name(path)}:")
    return message


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


def defined_at(definitions: Iterable[StepDefinition], among: Iterable[StepDefinition] = ()) -> str:
    """Their places, with their keywords if one of those `among` which they are told has another."""
    known = tuple(among)
    places = {(each.path, each.line): each.told_apart(each.place, known) for each in definitions}
    return ", ".join(place for _, place in sorted(places.items()))


def definitions_of(subjects: Iterable[Subject]) -> tuple[StepDefinition, ...]:
    return tuple(definition for subject in subjects for definition in subject.definitions)


def quoted(text: str) -> str:
    if len(text) <= _LONGEST:
        return f"“{text}”"
    return f"“{text[: _LONGEST - _ENDING - 1].rstrip()}…{text[-_ENDING:].lstrip()}”"
