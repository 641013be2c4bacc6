"""From clusters to findings: what a person should look at, by the rules of `cukereuse_engine.rules`.

A step used often with one wording is what reuse looks like and is no finding; neither are wordings that already share
a step definition. Decides nothing about texts: that the strategy did.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from cukereuse_engine.detection.canonical import canonical
from cukereuse_engine.detection.folders import Folders
from cukereuse_engine.detection.karate import karate_files
from cukereuse_engine.detection.messages import ONE_SCENARIO, STRANGERS, likeness, message_of, places, quoted, times
from cukereuse_engine.detection.model import Cluster, Finding, Wording, cluster_id
from cukereuse_engine.detection.options import Detection
from cukereuse_engine.detection.parts import Part, counts_one_of, is_moved, leave_it_to_arguments, opens_a_path
from cukereuse_engine.gherkin.model import KeywordType, Step
from cukereuse_engine.glue.binding import Status
from cukereuse_engine.glue.model import StepDefinition
from cukereuse_engine.glue.workspace import StepBinding
from cukereuse_engine.judging.agreement import plain_wording
from cukereuse_engine.judging.meaning import is_inverted
from cukereuse_engine.judging.model import Judge, Judgement, Kind, StepText
from cukereuse_engine.rules import RULES, Severity
from cukereuse_engine.text.identity import identity

Bindings = Callable[[Step], StepBinding]
"""What a step binds to, as `Glue.bind` says."""

Alike = Callable[[StepDefinition, StepDefinition], float | None]
"""How alike the functions of two definitions are, 0 to 1 (`glue.bodies`); None where that is not known."""

_ONE_FUNCTION = 0.9
"""Definitions whose functions are less alike are a hint at most: they mostly act on two pages or objects, or in other
ways, and are kept apart for it. By verdicts of blind judges 29 of 30 above the bar were to be merged, 6 of 10 from .8
to there, 7 of 20 below."""

_OF_ANY_ROLE = 0.9
"""`p_one_intent` from which one wording may be a context and the other an action: the same words, no inflection."""

_OTHER_ROLE = 0.1
"""Share of a wording's steps that may have another role before it counts as used in both."""


@dataclass(frozen=True, slots=True)
class FindingOptions:
    severities: Mapping[str, Severity] = field(default_factory=dict)
    """Rule id to severity, where it is not the rule's own."""
    karate: bool = False
    """Look at Karate's files too."""

    def severity(self, rule: str) -> Severity:
        return self.severities.get(rule, RULES[rule].severity)


def find(
    detection: Detection,
    steps: Mapping[str, Sequence[Step]],
    *,
    bindings: Bindings | None = None,
    judge: Judge | None = None,
    alike: Alike | None = None,
    folders: Folders | None = None,
    options: FindingOptions | None = None,
) -> tuple[Finding, ...]:
    """The findings of one suite, by severity, then how sure they are.

    `steps` maps a text's identity to its steps, by path and line. `bindings` is None where no glue is known. `judge`
    says kind and reasons of the pair that a finding shows; without one they are the cluster's. `alike` compares the
    functions of two step definitions that serve one intent. `folders`: of the whole suite, where `steps` are not all.
    """
    return _Finder(detection, steps, bindings, judge, alike, folders, options or FindingOptions()).run()


class _Finder:
    def __init__(
        self,
        detection: Detection,
        steps: Mapping[str, Sequence[Step]],
        bindings: Bindings | None,
        judge: Judge | None,
        alike: Alike | None,
        folders: Folders | None,
        options: FindingOptions,
    ) -> None:
        self.detection = detection
        self.bindings = bindings
        self.judge = judge
        self.alike = alike
        self.options = options
        left_out = (
            frozenset[str]() if options.karate else karate_files(step for group in steps.values() for step in group)
        )
        self.steps = {key: tuple(s for s in group if s.path not in left_out) for key, group in steps.items()}
        self.given_folders = folders
        self.pair_of = self._pairs_of_templates()

    @cached_property
    def folders(self) -> Folders:
        return self.given_folders or Folders.of(self.detection.texts, self.steps)

    def run(self) -> tuple[Finding, ...]:
        found: list[Finding] = []
        if self.detection.strategy != "exact":
            for cluster in self.detection.clusters:
                if len(cluster.texts) > 1:
                    found += self._divergent(cluster)
                    found += self._parametric(cluster)
        for rule, search in (
            ("repeated-step", self._repeated),
            ("exact-duplicate", self._duplicates),
            ("undefined-step", self._undefined),
            ("ambiguous-step", self._ambiguous),
        ):
            if self.options.severity(rule) is not Severity.OFF:
                found += search()
        unique = {finding.fingerprint: finding for finding in reversed(found) if finding.severity is not Severity.OFF}
        return tuple(sorted(unique.values(), key=_importance))

    # -- several wordings

    def _divergent(self, cluster: Cluster) -> Iterable[Finding]:
        """One finding for each wording (or group of wordings with one definition) that is not the preferred."""
        by_template: dict[str, list[StepText]] = {}
        for text in cluster.texts:
            by_template.setdefault(text.template.key, []).append(text)
        parts = self._merged(by_template.values())
        if len(parts) < 2:
            return
        preferred, *others = parts
        languages = self.detection.languages
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
            if judgement.kind in (Kind.EXACT, Kind.PARAMETRIC, Kind.DISTINCT):
                if apart and judgement.kind is not Kind.DISTINCT:
                    yield self._finding("parametric-variant", part, preferred, judgement, cluster)
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
        types = Counter(step.resolved_type for text in part.texts for step in self.steps[text.identity])
        known = types[one] + sum(types[other] for other in others)
        if known < (1 - _OTHER_ROLE) * types.total() or not known:
            return None
        share = types[one] / known
        return True if share >= 1 - _OTHER_ROLE else False if share <= _OTHER_ROLE else None

    def _attached(self, part: Part) -> set[str | None]:
        """What the part's steps carry: "docstring", "table", None for nothing."""
        return {step.argument for text in part.texts for step in self.steps[text.identity]}

    def _parametric(self, cluster: Cluster) -> Iterable[Finding]:
        """Texts of one template that bind to different definitions."""
        if self.bindings is None:
            return
        by_template: dict[str, list[StepText]] = {}
        for text in cluster.texts:
            by_template.setdefault(text.template.key, []).append(text)
        for texts in by_template.values():
            parts = [part for part in self._merged([text] for text in texts) if part.definitions]
            for part in parts[1:]:
                reasons = ("the templates are equal, the definitions are not",)
                judgement = Judgement(1.0, 1.0, Kind.PARAMETRIC, reasons)
                yield self._finding("parametric-variant", part, parts[0], judgement, cluster)

    def _merged(self, groups: Iterable[list[StepText]]) -> list[Part]:
        """Groups that are one become one part; the most used part first, one with a slip of the pen last."""
        parts: list[Part] = []
        for texts in groups:
            placed = [text for text in texts if self.steps.get(text.identity)]
            if not placed:
                continue
            part = self._part(placed)
            for other in [other for other in parts if other.is_one_with(part)]:
                parts.remove(other)
                part = other.with_(part)
            parts.append(part)
        return sorted(parts, key=lambda part: (part.slips, -part.occurrences, canonical(part.texts).text))

    def _part(self, texts: list[StepText]) -> Part:
        definitions = self._definitions(texts)
        return Part(
            texts,
            definitions,
            sum(len(self.steps[text.identity]) for text in texts),
            frozenset(plain_wording(text.template.key, self.detection.languages) for text in texts),
            frozenset(definition.function_id for definition in definitions.values()),
        )

    def _definitions(self, texts: Iterable[StepText]) -> dict[str, StepDefinition]:
        return self._bound(step for text in texts for step in self.steps.get(text.identity, ()))

    def _bound(self, steps: Iterable[Step]) -> dict[str, StepDefinition]:
        bindings = self.bindings
        if bindings is None:
            return {}
        return {definition.id: definition for step in steps for definition in bindings(step).definitions}

    def _judgement(self, less: list[StepText], more: list[StepText], cluster: Cluster) -> Judgement:
        """The strategy's verdict on the two parts: on their closest pair, where it accepted one."""
        keys = [{text.template.key for text in texts} for texts in (less, more)]
        both = (_ordered(one, other) for one in keys[0] for other in keys[1])
        found = [self.pair_of[key] for key in both if key in self.pair_of]
        if not found:
            if self.judge is not None and self.detection.strategy == "auto":
                return self.judge.explain(canonical(less), canonical(more))
            return Judgement(cluster.score, cluster.score, cluster.kind, cluster.reasons)
        pair = max(found, key=lambda index: (self.detection.pairs.score[index], -index))
        score, kind = float(self.detection.pairs.score[pair]), self.detection.kind(pair)
        if self.judge is None:
            return Judgement(score, score, kind, cluster.reasons)
        texts, pairs, cosine = self.detection.texts, self.detection.pairs, self.detection.cosine
        near = None if cosine is None else float(cosine[pair])
        explained = self.judge.explain(texts[pairs.a[pair]], texts[pairs.b[pair]], near)
        return Judgement(explained.p_same_definition, score, kind, explained.reasons)

    def _pairs_of_templates(self) -> dict[tuple[str, str], int]:
        """Two template keys to the closest accepted pair of their texts."""
        pairs, texts = self.detection.pairs, self.detection.texts
        found: dict[tuple[str, str], int] = {}
        for index in np.lexsort((np.arange(len(pairs)), pairs.score)).tolist():
            found[_ordered(texts[pairs.a[index]].template.key, texts[pairs.b[index]].template.key)] = index
        return found

    # -- rules that are off by default

    def _repeated(self) -> Iterable[Finding]:
        """Twice in one scenario with nothing of another type between, and nothing attached."""
        scenarios: dict[tuple[str, int], list[Step]] = {}
        for group in self.steps.values():
            for step in group:
                scenarios.setdefault((step.path, step.scenario_line), []).append(step)
        again: dict[str, list[Step]] = {}
        first: dict[str, list[Step]] = {}
        for place in sorted(scenarios):
            block: dict[str, Step] = {}
            last = None
            for step in sorted(scenarios[place], key=lambda step: step.line):
                if step.resolved_type != last:
                    block, last = {}, step.resolved_type
                key = identity(step.text)
                if step.argument is None and key in block:
                    again.setdefault(key, []).append(step)
                    first.setdefault(key, []).append(block[key])
                elif step.argument is None:
                    block[key] = step
        for key, steps in again.items():
            yield self._of_text("repeated-step", self._text(key), steps, first[key], "stands twice in one scenario")

    def _duplicates(self) -> Iterable[Finding]:
        for text in self.detection.texts:
            steps = self.steps.get(text.identity, ())
            if len(steps) > 1:
                yield self._of_text("exact-duplicate", text, steps[1:], steps[:1], f"stands in {len(steps)} places")

    def _undefined(self) -> Iterable[Finding]:
        for text, steps in self._with_status(Status.UNDEFINED):
            yield self._of_text("undefined-step", text, steps, steps, "matches no step definition")

    def _ambiguous(self) -> Iterable[Finding]:
        for text, steps in self._with_status(Status.AMBIGUOUS):
            where = places(self._bound(steps).values())
            yield self._of_text("ambiguous-step", text, steps, steps, f"matches several step definitions: {where}")

    def _with_status(self, status: Status) -> Iterable[tuple[StepText, list[Step]]]:
        bindings = self.bindings
        if bindings is None:
            return
        for text in self.detection.texts:
            steps = [step for step in self.steps.get(text.identity, ()) if bindings(step).status is status]
            if steps:
                yield text, steps

    def _text(self, key: str) -> StepText:
        return next(text for text in self.detection.texts if text.identity == key)

    # -- building

    def _of_text(self, rule: str, text: StepText, steps: Sequence[Step], first: Sequence[Step], says: str) -> Finding:
        definitions = tuple(self._bound(steps).values())
        return Finding(
            rule=rule,
            severity=self.options.severity(rule),
            fingerprint=_fingerprint(rule, text.identity, text.identity),
            message=f"{quoted(text.text)} ({times(len(steps))}) {says}.",
            wording=Wording(text.text, text.template, len(steps), _sorted(steps), definitions),
            preferred=Wording(text.text, text.template, len(first), _sorted(first), definitions),
            score=1.0,
            kind=Kind.EXACT,
            reasons=(says,),
            cluster_id=cluster_id([text.text]),
        )

    def _finding(self, rule: str, less: Part, more: Part, judgement: Judgement, cluster: Cluster) -> Finding:
        wording, preferred = self._wording(less), self._wording(more)
        keys = (wording.template.key, preferred.template.key)
        if keys[0] == keys[1]:
            keys = (wording.text, preferred.text)
        functions = self._functions(wording, preferred) if rule == "divergent-definition" else None
        are_unlike = functions is not None and functions < _ONE_FUNCTION
        apart = self._kept_apart(wording, preferred) if rule == "divergent-wording" else []
        severity = self.options.severity(rule)
        if are_unlike or apart:
            severity = min(severity, Severity.HINT, key=lambda one: one.rank)
        reasons = (*judgement.reasons, *([likeness(functions)] if functions is not None else apart))
        return Finding(
            rule=rule,
            severity=severity,
            fingerprint=_fingerprint(rule, *map(identity, keys)),
            message=message_of(rule, wording, preferred, is_doubtful=are_unlike),
            wording=wording,
            preferred=preferred,
            score=judgement.p_one_intent,
            kind=judgement.kind,
            reasons=reasons,
            cluster_id=cluster.id,
            function_similarity=functions,
        )

    def _functions(self, less: Wording, more: Wording) -> float | None:
        """How alike the functions of the two wordings are: their least alike pair, as one is to serve all."""
        if self.alike is None:
            return None
        pairs = (self.alike(one, other) for one in less.definitions for other in more.definitions)
        return min((known for known in pairs if known is not None), default=None)

    def _kept_apart(self, less: Wording, more: Wording) -> list[str]:
        """What in their places speaks against joining two wordings: of those in one scenario 12 of 17 that were judged
        blind were to be joined, of the others nine of ten."""
        found = []
        if self.folders.are_strangers(*([step.path for step in one.steps] for one in (less, more))):
            found.append(STRANGERS)
        scenarios = ({(step.path, step.scenario_line) for step in one.steps} for one in (less, more))
        if not any(one.template.arguments for one in (less, more)) and set.intersection(*scenarios):
            found.append(ONE_SCENARIO)
        return found

    def _wording(self, part: Part) -> Wording:
        """The part's canonical template with all its steps; what other templates of the part add stays out."""
        shown = canonical(part.texts)
        texts = [text for text in part.texts if text.template.key == shown.template.key]
        steps = _sorted(step for text in texts for step in self.steps[text.identity])
        bound = self._definitions(texts) or part.definitions
        definitions = tuple(sorted(bound.values(), key=lambda d: (d.path, d.line, d.id)))
        return Wording(shown.text, shown.template, len(steps), steps, definitions)


def _ordered(one: str, other: str) -> tuple[str, str]:
    return (one, other) if one <= other else (other, one)


def _sorted(steps: Iterable[Step]) -> tuple[Step, ...]:
    return tuple(sorted(steps, key=lambda step: (step.path, step.line, step.column)))


def _fingerprint(rule: str, one: str, other: str) -> str:
    return identity("\n".join([rule, *sorted((one, other))]))[:16]


def _importance(finding: Finding) -> tuple[int, float, int, str, str]:
    """Sort key: severity, then certainty, then how many steps say it the other way."""
    return (
        -finding.severity.rank,
        -finding.certainty,
        -finding.wording.occurrences,
        finding.wording.text,
        finding.fingerprint,
    )
