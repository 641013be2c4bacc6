"""What a finding says, in one sentence."""

from collections.abc import Iterable

from cukereuse_engine.detection.model import Reason, Subject
from cukereuse_engine.glue.model import StepDefinition

_LONGEST = 80
"""Code points of a step's text that a message quotes."""

STRANGERS = Reason("strangers", "their folders share no step", against=True)
ONE_SCENARIO = Reason("one-scenario", "one scenario has both", against=True)


def message_of(rule: str, less: Subject, more: Subject, *, is_doubtful: bool) -> str:
    """Of two wordings; `is_doubtful`: their functions speak against joining them."""
    one, other = (f"{quoted(subject.text)} ({times(subject.occurrences)})" for subject in (less, more))
    if rule == "divergent-wording":
        return f"{one} says in other words what {other} says."
    definitions = [defined_at(subject.definitions) for subject in (less, more)]
    if rule == "divergent-definition":
        told = "read as one intent, but their functions name other things" if is_doubtful else "serve one intent"
        return f"{one}, defined at {definitions[0]}, and {other}, defined at {definitions[1]}, {told}."
    return f"{one} and {other} differ in an argument but are defined apart, at {definitions[0]} and {definitions[1]}."


def likeness(similarity: float, *, against: bool) -> Reason:
    """Of two functions, 0 to 1."""
    told = "name the same things" if similarity == 1 else f"are alike to {similarity:.0%}"
    return Reason("function-likeness", f"their functions {told}", similarity, against)


def defined_at(definitions: Iterable[StepDefinition]) -> str:
    return ", ".join(sorted({f"{definition.path}:{definition.line}" for definition in definitions}))


def quoted(text: str) -> str:
    return f"“{text}”" if len(text) <= _LONGEST else f"“{text[: _LONGEST - 1]}…”"


def times(count: int) -> str:
    return "1 step" if count == 1 else f"{count} steps"
