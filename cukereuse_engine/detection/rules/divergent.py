"""divergent-wording and divergent-definition: other words for one intent, with a definition each or none known."""

from collections import Counter
from collections.abc import Iterable

import numpy as np

from cukereuse_engine.detection.canonical import canonical
from cukereuse_engine.detection.context import Context
from cukereuse_engine.detection.messages import ONE_SCENARIO, STRANGERS, likeness, message_of
from cukereuse_engine.detection.model import Cluster, Finding, Reason, Subject
from cukereuse_engine.detection.parts import (
    Part,
    by_template,
    counts_one_of,
    is_moved,
    leave_it_to_arguments,
    opens_a_path,
    parts_of,
    subject_of,
)
from cukereuse_engine.detection.rules.parametric import variant
from cukereuse_engine.gherkin.model import KeywordType
from cukereuse_engine.judging.meaning import is_inverted
from cukereuse_engine.judging.model import Judgement, Kind, StepText
from cukereuse_engine.rules import Severity

_ONE_FUNCTION = 0.9
"""Definitions whose functions are less alike are a hint at most: they mostly act on two pages or objects, or in other
ways, and are kept apart for it. By verdicts of blind judges 29 of 30 above the bar were to be merged, 6 of 10 from .8
to there, 7 of 20 below."""

_OF_ANY_ROLE = 0.9
"""`p_one_intent` from which one wording may be a context and the other an action: the same words, no inflection."""

_OTHER_ROLE = 0.1
"""Share of a wording's steps that may have another role before it counts as used in both."""


def find(context: Context) -> Iterable[Finding]:
    if context.detection.strategy == "exact":
        return
    search = _Search(context)
    for cluster in context.detection.clusters:
        if len(cluster.texts) > 1:
            yield from search.of_cluster(cluster)


class _Search:
    def __init__(self, context: Context) -> None:
        self.context = context
        self.pair_of = _pairs_of_templates(context)

    def of_cluster(self, cluster: Cluster) -> Iterable[Finding]:
        """One finding for each wording (or group of wordings with one definition) that is not the preferred."""
        parts = parts_of(by_template(cluster.texts), self.context)
        if len(parts) < 2:
            return
        preferred, *others = parts
        languages = self.context.detection.languages
        for part in others:
            if {self._checks(part), self._checks(preferred)} == {True, False}:
                continue  # one sets up or acts, the other checks: "the branches" and "the branches are now"
            if not self._attached(part) & self._attached(preferred):
                continue  # no definition takes a table or DocString and takes none: "it fails" and "it fails with:"
            if counts_one_of(part, preferred):
                continue  # "I add 2 books" and "I add the book 'Emma'"
            if opens_a_path(part, preferred):
                continue  # "I visit '/about'" and "I visit the 'About' page"
            judgement = self._judgement(part.texts, preferred.texts, cluster)
            if judgement.p_one_intent < _OF_ANY_ROLE and {self._sets_up(part), self._sets_up(preferred)} == {
                True,
                False,
            }:
                continue  # "an order is created" as a context, "I create an order" as an action
            apart = bool(part.definitions and preferred.definitions)
            if not apart and is_moved(judgement.p_one_intent, part, preferred):
                continue  # "the 'x' plot" and "the plot 'x'": mostly one definition takes both
            if not apart and leave_it_to_arguments(part, preferred, languages):
                continue
            if is_inverted(part.masked, preferred.masked, languages):
                continue  # the clause asks for the order
            reasons = tuple(Reason("judge", reason) for reason in judgement.reasons)
            if judgement.kind in (Kind.EXACT, Kind.PARAMETRIC, Kind.DISTINCT):
                if apart and judgement.kind is not Kind.DISTINCT:
                    yield variant(self.context, part, preferred, reasons, cluster)
                continue
            rule = "divergent-definition" if apart else "divergent-wording"
            yield self._finding(rule, part, preferred, judgement, cluster)

    def _checks(self, part: Part) -> bool | None:
        """Whether the part's steps are outcomes (True) or contexts and actions (False); None where they are both."""
        return self._mostly(part, KeywordType.OUTCOME, (KeywordType.CONTEXT, KeywordType.ACTION))

    def _sets_up(self, part: Part) -> bool | None:
        """Whether the part's steps are contexts (True) or not (False); None where they are both."""
        return self._mostly(part, KeywordType.CONTEXT, (KeywordType.ACTION, KeywordType.OUTCOME))

    def _mostly(self, part: Part, one: KeywordType, others: tuple[KeywordType, ...]) -> bool | None:
        types = Counter(step.resolved_type for step in self.context.steps_of(part.texts))
        known = types[one] + sum(types[other] for other in others)
        if known < (1 - _OTHER_ROLE) * types.total() or not known:
            return None
        share = types[one] / known
        return True if share >= 1 - _OTHER_ROLE else False if share <= _OTHER_ROLE else None

    def _attached(self, part: Part) -> set[str | None]:
        """What the part's steps carry: "docstring", "table", None for nothing."""
        return {step.argument for step in self.context.steps_of(part.texts)}

    def _judgement(self, less: list[StepText], more: list[StepText], cluster: Cluster) -> Judgement:
        """The strategy's verdict on the two parts: on their closest pair, where it accepted one."""
        detection, judge = self.context.detection, self.context.judge
        keys = [{text.template.key for text in texts} for texts in (less, more)]
        both = (_ordered(one, other) for one in keys[0] for other in keys[1])
        found = [self.pair_of[key] for key in both if key in self.pair_of]
        if not found:
            if judge is not None and detection.strategy == "auto":
                return judge.explain(canonical(less), canonical(more))
            return Judgement(cluster.score, cluster.score, cluster.kind, cluster.reasons)
        pair = max(found, key=lambda index: (detection.pairs.score[index], -index))
        score, kind = float(detection.pairs.score[pair]), detection.kind(pair)
        if judge is None:
            return Judgement(score, score, kind, cluster.reasons)
        texts, pairs, cosine = detection.texts, detection.pairs, detection.cosine
        near = None if cosine is None else float(cosine[pair])
        explained = judge.explain(texts[pairs.a[pair]], texts[pairs.b[pair]], near)
        return Judgement(explained.p_same_definition, score, kind, explained.reasons)

    # -- building

    def _finding(self, rule: str, less: Part, more: Part, judgement: Judgement, cluster: Cluster) -> Finding:
        one, other = (subject_of(part, self.context) for part in (less, more))
        functions = self._functions(one, other) if rule == "divergent-definition" else None
        are_unlike = functions is not None and functions < _ONE_FUNCTION
        reasons = [Reason("judge", reason) for reason in judgement.reasons]
        if functions is not None:
            reasons.append(likeness(functions, against=are_unlike))
        if rule == "divergent-wording":
            reasons += self._kept_apart(one, other)
        severity = self.context.options.severity(rule)
        if any(reason.against for reason in reasons):
            severity = min(severity, Severity.HINT, key=lambda one: one.rank)
        confidence = judgement.p_one_intent
        if rule == "divergent-definition":  # what texts say and what functions say; an unknown function counts half
            confidence = (confidence + (0.5 if functions is None else functions)) / 2
        return Finding(
            rule=rule,
            severity=severity,
            message=message_of(rule, one, other, is_doubtful=are_unlike),
            others=(one,),
            preferred=other,
            confidence=confidence,
            worth=one.occurrences + len({definition.function_id for definition in one.definitions}),
            reasons=tuple(reasons),
            kind=judgement.kind,
            cluster_id=cluster.id,
        )

    def _functions(self, less: Subject, more: Subject) -> float | None:
        """How alike the functions of the two wordings are: their least alike pair, as one is to serve all."""
        alike = self.context.alike
        if alike is None:
            return None
        pairs = (alike(one, other) for one in less.definitions for other in more.definitions)
        return min((known for known in pairs if known is not None), default=None)

    def _kept_apart(self, less: Subject, more: Subject) -> list[Reason]:
        """What in their places speaks against joining two wordings: of those in one scenario 12 of 17 that were judged
        blind were to be joined, of the others nine of ten."""
        found = []
        if self.context.folders.are_strangers(*([step.path for step in one.steps] for one in (less, more))):
            found.append(STRANGERS)
        scenarios = ({(step.path, step.scenario_line) for step in one.steps} for one in (less, more))
        arguments = any(wording.template.arguments for one in (less, more) for wording in one.wordings)
        if not arguments and set.intersection(*scenarios):
            found.append(ONE_SCENARIO)
        return found


def _pairs_of_templates(context: Context) -> dict[tuple[str, str], int]:
    """Two template keys to the closest accepted pair of their texts."""
    pairs, texts = context.detection.pairs, context.detection.texts
    found: dict[tuple[str, str], int] = {}
    for index in np.lexsort((np.arange(len(pairs)), pairs.score)).tolist():
        found[_ordered(texts[pairs.a[index]].template.key, texts[pairs.b[index]].template.key)] = index
    return found


def _ordered(one: str, other: str) -> tuple[str, str]:
    return (one, other) if one <= other else (other, one)
