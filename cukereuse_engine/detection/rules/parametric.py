"""parametric-variant: texts of one template that bind to different definitions."""

from collections.abc import Iterable

from cukereuse_engine.detection.context import Context
from cukereuse_engine.detection.messages import message_of
from cukereuse_engine.detection.model import Cluster, Finding, Reason
from cukereuse_engine.detection.parts import Part, by_template, parts_of, subject_of
from cukereuse_engine.judging.model import Kind

RULE = "parametric-variant"
_EQUAL = Reason("equal-templates", "the templates are equal, the definitions are not")


def find(context: Context) -> Iterable[Finding]:
    if context.bindings is None or context.detection.strategy == "exact":
        return
    for cluster in context.detection.clusters:
        for texts in by_template(cluster.texts) if len(cluster.texts) > 1 else ():
            parts = [part for part in parts_of(([text] for text in texts), context) if part.definitions]
            for part in parts[1:]:
                yield variant(context, part, parts[0], (_EQUAL,), cluster)


def variant(context: Context, less: Part, more: Part, reasons: tuple[Reason, ...], cluster: Cluster) -> Finding:
    """Two parts that differ in arguments only."""
    one, other = (subject_of(part, context) for part in (less, more))
    if one.identity == other.identity:
        one, other = (subject_of(part, context, by_text=True) for part in (less, more))
    return Finding(
        rule=RULE,
        severity=context.options.severity(RULE),
        message=message_of(RULE, one, other, is_doubtful=False),
        others=(one,),
        preferred=other,
        confidence=1.0,
        worth=one.occurrences,
        reasons=reasons,
        kind=Kind.PARAMETRIC,
        cluster_id=cluster.id,
    )
