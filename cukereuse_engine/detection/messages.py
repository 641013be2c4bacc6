"""What a finding says, in one sentence."""

from collections.abc import Iterable, Sequence

from cukereuse_engine.detection.model import Reason, Subject
from cukereuse_engine.glue.definition import StepDefinition
from cukereuse_engine.prose import counted

_LONGEST = 80
"""Code points of a step's text that a message quotes."""

_MOST_NAMED = 3
"""Subjects that a message names; more are counted."""


def message_of(rule: str, less: Sequence[Subject], more: Subject, *, is_doubtful: bool = False) -> str:
    """Of what should change and what is preferred; `is_doubtful`: their functions speak against joining them."""
    if rule == "divergent-wording":
        means = "means" if len(less) == 1 else "mean"
        return f"{_joined(map(_named, less))} {means} the same as {_named(more)}."
    defined = _joined(
        (f"{_named(subject)}, defined at {defined_at(subject.definitions)}," for subject in (*less, more)), " "
    )
    if rule == "divergent-definition":
        told = "seem to mean the same, but their functions use different things" if is_doubtful else "serve one intent"
        return f"{defined} {told}."
    apart = " and ".join(defined_at(subject.definitions) for subject in (*less, more))
    names = _joined(map(_named, (*less, more)))
    return f"{names} differ only in an argument but have separate definitions, at {apart}."


def _named(subject: Subject) -> str:
    return f"{quoted(subject.text)} ({counted(subject.occurrences, 'step')})"


def _joined(names: Iterable[str], comma: str = ", ") -> str:
    """A list for a sentence; where names end in a comma of their own, `comma` is a blank."""
    some = list(names)
    if len(some) > _MOST_NAMED + 1:
        some = [*some[:_MOST_NAMED], f"{len(some) - _MOST_NAMED} more"]
    return " and ".join(filter(None, (comma.join(some[:-1]), some[-1])))


def likeness(similarity: float, *, against: bool) -> Reason:
    """Of two functions, 0 to 1."""
    told = "use the same things" if similarity == 1 else f"are {similarity:.0%} alike"
    return Reason("function-likeness", f"their functions {told}", similarity, against)


def defined_at(definitions: Iterable[StepDefinition]) -> str:
    return ", ".join(sorted({f"{definition.path}:{definition.line}" for definition in definitions}))


def quoted(text: str) -> str:
    return f"“{text}”" if len(text) <= _LONGEST else f"“{text[: _LONGEST - 1]}…”"
