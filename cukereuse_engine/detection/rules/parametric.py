"""parametric-variant: texts of one template that bind to different definitions."""

from collections.abc import Iterable
from dataclasses import replace

from cukereuse_engine.detection.context import Context
from cukereuse_engine.detection.units import by_template, units_of
from cukereuse_engine.findings.finding import Finding, Reason, Subject
from cukereuse_engine.findings.messages import differing_part, message_of
from cukereuse_engine.judging.judge import Kind
from cukereuse_engine.text.step_text import StepText

RULE = "parametric-variant"


def find(context: Context) -> Iterable[Finding]:
    if context.bindings is None or not context.detection.options.row.joins:
        return
    for texts in by_template(context.detection.texts).values():
        if len(texts) > 1:
            yield from _of_template(context, texts)


def _of_template(context: Context, texts: list[StepText]) -> Iterable[Finding]:
    functions = {definition.function_id for definition in context.defined_for(texts).values()}
    if len(functions) < 2:  # the usual case: units of possibly thousands of texts are not made
        return
    units = [unit for unit in units_of(([text] for text in texts), context) if unit.definitions]
    if len(units) < 2:
        return
    # they share the template, so that the text identifies each
    subjects = [
        replace(unit.subject(), identity=unit.shown.text) for unit in sorted(units, key=lambda unit: unit.order)
    ]
    for subject in subjects[1:]:
        if _answer_other_keywords(subject, subjects[0]):
            continue
        yield Finding(
            rule=RULE,
            severity=context.options.severity(RULE),
            message=message_of(RULE, (subject,), subjects[0]),
            others=(subject,),
            preferred=subjects[0],
            worth=subject.occurrences,
            reasons=(Reason("equal-templates", f"they differ only in {differing_part((subject,), subjects[0])}"),),
            kind=Kind.PARAMETRIC,
            cluster_id=context.cluster_of(subjects[0].text),
        )


def _answer_other_keywords(one: Subject, other: Subject) -> bool:
    """True if their definitions have one expression under different keywords: a parameter can't join those."""
    return all(
        mine.id == theirs.id
        or (
            mine.expression == theirs.expression
            and bool(mine.keyword_types and theirs.keyword_types)
            and mine.keyword_types.isdisjoint(theirs.keyword_types)
        )
        for mine in one.definitions
        for theirs in other.definitions
    )
