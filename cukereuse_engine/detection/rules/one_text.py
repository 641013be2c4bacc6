"""Rules about the steps of one text: exact-duplicate, undefined-step, ambiguous-step."""

from collections.abc import Iterable, Sequence
from dataclasses import replace as with_changes
from unicodedata import normalize

from msgspec.structs import replace

from cukereuse_engine.detection.context import Context
from cukereuse_engine.detection.options import cluster_id
from cukereuse_engine.findings.finding import Finding, Reason, Subject, Wording, places_of
from cukereuse_engine.findings.messages import defined_at, quoted
from cukereuse_engine.gherkin.feature import Step
from cukereuse_engine.glue.open_outlines import is_open
from cukereuse_engine.glue.text_binding import Status
from cukereuse_engine.judging.judge import Kind
from cukereuse_engine.prose import counted, first_of
from cukereuse_engine.rules import Severity
from cukereuse_engine.text.step_text import StepText


def duplicates(context: Context) -> Iterable[Finding]:
    for text in context.detection.texts:
        steps = context.steps.get(text.identity, ())
        if len(steps) > 1:
            says = f"is used in {len(steps)} places"
            yield of_text(context, "exact-duplicate", text, steps[1:], says, first=steps[:1])


def undefined(context: Context) -> Iterable[Finding]:
    for text, steps in _with_status(context, Status.UNDEFINED):
        steps = [step for step in steps if not is_open(step)]
        if not steps:
            continue
        says = f"matches no step definition{_in_other_form(context, steps)}"
        libraries = [context.bindings(step).libraries if context.bindings is not None else () for step in steps]
        if all(libraries):
            outside = first_of(sorted({name for names in libraries for name in names}))
            says += f" here; {outside}, from outside of this repository, may define it"
            finding = of_text(context, "undefined-step", text, steps, says)
            # a hint at most, as it is not known what they define
            yield with_changes(finding, severity=min(finding.severity, Severity.HINT, key=lambda level: level.rank))
            continue
        steps = [step for step, names in zip(steps, libraries, strict=True) if not names]
        yield of_text(context, "undefined-step", text, steps, says)


def _in_other_form(context: Context, steps: Sequence[Step]) -> str:
    """A note on what a person can't see: a step definition has the same letters in another Unicode normal form."""
    if all(step.text.isascii() for step in steps) or context.bindings is None:
        return ""
    for form in ("NFC", "NFD"):
        other = replace(steps[0], text=normalize(form, steps[0].text))
        if other.text != steps[0].text and context.bindings(other).definitions:
            where = defined_at(context.bindings(other).definitions)
            return f"; apart from its Unicode normal form, it equals what {where} says"
    return ""


def ambiguous(context: Context) -> Iterable[Finding]:
    for text, steps in _with_status(context, Status.AMBIGUOUS):
        where = defined_at(context.definitions(steps).values())
        yield of_text(context, "ambiguous-step", text, steps, f"matches several step definitions: {where}")


def _with_status(context: Context, status: Status) -> Iterable[tuple[StepText, list[Step]]]:
    bindings = context.bindings
    if bindings is None:
        return
    for text in context.detection.texts:
        steps = [step for step in context.steps.get(text.identity, ()) if bindings(step).status is status]
        if steps:
            yield text, steps


def of_text(
    context: Context, rule: str, text: StepText, steps: Sequence[Step], says: str, first: Sequence[Step] = ()
) -> Finding:
    """A finding about `steps`, which all have the text `text`; `first`: the steps that may stay, if any."""
    definitions = tuple(context.definitions(steps).values())

    def subject(some: Sequence[Step]) -> Subject:
        wording = Wording(text.text, text.template, len(some))
        return Subject(text.text, text.text, len(some), places_of(some), definitions, (wording,))

    times = f" ({counted(len(steps), 'step')})" if len(steps) > 1 else ""
    return Finding(
        rule=rule,
        severity=context.options.severity(rule),
        message=f"{quoted(text.text)}{times} {says}.",
        others=(subject(steps),),
        preferred=subject(first) if first else None,
        worth=len(steps),
        reasons=(Reason("fact", says),),
        kind=Kind.EXACT,
        cluster_id=cluster_id([text.identity]),
    )
