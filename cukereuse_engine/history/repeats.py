"""Repetition over a history: scenarios of one file that could be folded, or that run the same steps.

Each version of a file is looked at once. Repeated blocks are left out: mining a suite at every point would take longer
than everything else.
"""

from collections import Counter, defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import combinations_with_replacement
from typing import TypeVar

import msgspec

from cukereuse_engine.blocks.duplicates import Backgrounds, contents_of, said_by
from cukereuse_engine.blocks.findings import find_repetition
from cukereuse_engine.blocks.folding import FeatureSources
from cukereuse_engine.blocks.options import BACKGROUND, BLOCK, DUPLICATE, FOLDABLE, RepetitionOptions
from cukereuse_engine.blocks.symbols import StepMeaning, scenarios_of
from cukereuse_engine.findings.finding import Subject, fingerprint
from cukereuse_engine.gherkin.feature import FeatureFile, Step
from cukereuse_engine.gherkin.karate import karate_files
from cukereuse_engine.rules import Severity
from cukereuse_engine.text.identity import identity, normalise
from cukereuse_engine.text.template import template

T = TypeVar("T")
_MOST_SCENARIOS = 60
"""Maximum number of scenarios of a group whose pairs a baseline is asked for."""
_ONE_FILE = RepetitionOptions({DUPLICATE: Severity.OFF, BLOCK: Severity.OFF}, limit=0)


class Folded(msgspec.Struct, frozen=True, array_like=True):
    """One finding about the scenarios of one file."""

    rule: str
    key: str
    """Its key in a baseline."""
    description: str
    """For people; the same after an edit of the steps."""


class RepeatableScenario(msgspec.Struct, frozen=True, array_like=True):
    """A scenario that another scenario may repeat."""

    key: str
    """Hash of its steps, arguments and Examples."""
    content: str
    """Hash of its tables and DocStrings; empty without, or where they were not looked at yet."""
    is_attached: bool
    tags: str
    identity: str
    """Its identity in a baseline: the titles of its feature and its own."""

    @property
    def shown(self) -> str:
        return self.identity.replace("\0", ": ")


class Repeats(msgspec.Struct, frozen=True, array_like=True):
    """The repeats in one version of a file."""

    folded: tuple[Folded, ...] = ()
    scenarios: tuple[RepeatableScenario, ...] = ()


def repeats_of(file: FeatureFile, data: bytes, *, contents: bool) -> Repeats:
    """`contents`: true to read tables and DocStrings too, which takes another reading of the file."""
    steps = [step for step in file.steps if step.text]
    if karate_files(steps):
        return Repeats()
    scenarios = scenarios_of(steps)
    backgrounds, sources = Backgrounds(scenarios), FeatureSources(lambda _: data)
    repeatable = []
    for scenario, its_said in said_by(scenarios, backgrounds, _meaning):
        is_attached = any(step.argument for step in (*backgrounds.of(scenario), *scenario.steps))
        attached = contents_of(scenario, backgrounds, sources.attached) if contents and is_attached else ()
        if attached is not None:
            content = identity("\0".join(attached))[:16] if attached else ""
            tags = "\0".join(sorted(scenario.tags))
            name = f"{scenario.steps[0].feature}\0{scenario.name}"
            repeatable.append(RepeatableScenario(identity(repr(its_said))[:16], content, is_attached, tags, name))
    findings = find_repetition(steps, lambda _: data, options=_ONE_FILE).findings
    folded = [
        Folded(finding.rule, finding.key(other), _description(finding.rule, other))
        for finding in findings
        for other in finding.others
    ]
    return Repeats(tuple(folded), tuple(repeatable))


def _description(rule: str, scenarios: Subject) -> str:
    feature = scenarios.steps[0].feature
    if rule == BACKGROUND:
        return f"All scenarios of “{feature}” start with the same steps: {scenarios.text}"
    first = f"“{feature}: {scenarios.text}”"
    return f"{len(scenarios.places)} scenarios differ only in their arguments, of which {first} is the first"


@lru_cache(1 << 16)
def _said_by_template(text: str) -> StepMeaning:
    """Cached: thousands of versions contain the same few thousand texts."""
    parsed = template(normalise(text))
    return StepMeaning(parsed.key, tuple(argument.value for argument in parsed.arguments))


def _meaning(step: Step) -> StepMeaning:
    return _said_by_template(step.text)


@dataclass(slots=True)
class Together:
    """The repeats of a suite at one time, blob by blob."""

    repeats: Mapping[str, Repeats]
    _files: Counter[str] = field(default_factory=Counter)
    """Files of each blob."""
    _folded: Counter[Folded] = field(default_factory=Counter)
    _groups: dict[tuple[str, str], Counter[RepeatableScenario]] = field(default_factory=lambda: defaultdict(Counter))
    _same: set[tuple[str, str]] = field(default_factory=set)
    """Texts of two or more scenarios."""

    def change(self, id_: str, sign: int) -> None:
        """A file with this blob was added, or removed (-1). A second file with the same bytes changes nothing, because
        scenarios repeat each other within one file."""
        before = self._files[id_]
        self._files[id_] += sign
        if before and self._files[id_]:
            return
        its = self.repeats.get(id_, Repeats())
        _add(self._folded, its.folded, sign)
        for scenario in its.scenarios:
            key = scenario.key, scenario.content
            group = self._groups[key]
            _add(group, [scenario], sign)
            if group.total() > 1:
                self._same.add(key)
            else:
                self._same.discard(key)
                if not group:
                    del self._groups[key]

    def replace(self, gone: Iterable[str], come: Iterable[str]) -> None:
        for id_ in gone:
            self.change(id_, -1)
        for id_ in come:
            self.change(id_, 1)

    def alike(self) -> Iterator[Counter[RepeatableScenario]]:
        """Groups of scenarios that run the same steps."""
        return (self._groups[key] for key in self._same)

    def findings(self) -> dict[str, frozenset[str]]:
        """Maps a rule to the ids of its findings, which stay over time."""
        by_rule = {FOLDABLE: set[str](), BACKGROUND: set[str](), DUPLICATE: set[str]()}
        for folded in self._folded:
            by_rule[folded.rule].add(folded.key)
        for group in self.alike():
            if len({scenario.tags for scenario in group}) == 1:
                by_rule[DUPLICATE].add(_group_id(next(iter(group))))
        return {rule: frozenset(ids) for rule, ids in by_rule.items()}

    def described(self, unless: Container[str] = ()) -> Iterator[tuple[str, str]]:
        """The id of each present finding, and its description; `unless`: ids that need none."""
        for folded in self._folded:
            if folded.key not in unless:
                yield folded.key, folded.description
        for group in self.alike():
            some = next(iter(group))
            if _group_id(some) not in unless:
                names = ", ".join(dict.fromkeys(f"“{scenario.shown}”" for scenario in sorted(group, key=_name)))
                yield _group_id(some), f"{group.total()} scenarios run the same steps: {names}"

    def known_by(self) -> Iterator[tuple[str, frozenset[str]]]:
        """The id of each present finding, and the keys under which a baseline may contain it."""
        for folded in self._folded:
            yield folded.key, frozenset({folded.key})
        for group in self.alike():
            names = sorted({scenario.identity for scenario in group})[:_MOST_SCENARIOS]
            pairs = combinations_with_replacement(names, 2)
            yield _group_id(next(iter(group))), frozenset(fingerprint(DUPLICATE, *pair) for pair in pairs)


def _name(scenario: RepeatableScenario) -> str:
    return scenario.identity


def _group_id(scenario: RepeatableScenario) -> str:
    return f"{scenario.key}{scenario.content}"


def _add(counter: Counter[T], values: Iterable[T], sign: int) -> None:
    for value in values:
        counter[value] += sign
        if not counter[value]:
            del counter[value]
