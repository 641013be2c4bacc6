"""The data of the page: the scan as columns of numbers and tables of shared strings.

A browser must load 65,000 clusters with a million places in moments. So paths, scenarios and reasons are stored once,
and places as numbers. In a large report, lists of places are capped, with the true counts beside them; the JSON report
leaves nothing out.
"""

import os
from collections.abc import Iterable, Sequence
from pathlib import PurePath
from typing import Any

from cukereuse_engine.blocks.block import Block
from cukereuse_engine.blocks.findings import reasons_for
from cukereuse_engine.detection.options import Cluster
from cukereuse_engine.findings.finding import Finding, Place, Subject
from cukereuse_engine.findings.messages import title_of
from cukereuse_engine.gherkin.feature import ReadError, Step
from cukereuse_engine.glue.definition import GlueError, StepDefinition
from cukereuse_engine.judging.judge import Kind
from cukereuse_engine.report.headline import headline
from cukereuse_engine.report.html.code import MOST_FINDINGS_WITH_CODE, code_of
from cukereuse_engine.report.html.links import PlaceLinks
from cukereuse_engine.report.savings import cluster_savings
from cukereuse_engine.report.summary import parameter_text, summarise, summarise_result
from cukereuse_engine.report.visible import encodable
from cukereuse_engine.rules import RULES, About
from cukereuse_engine.scanning.result import ScanResult, SuiteScan

PLACE_BUDGET = 500_000
"""Maximum number of places in the page, about 4 MB; this sets the cap for each cluster."""
CAPS = (10_000, 3_000, 1_000, 300, 100, 30)
"""Maximum numbers of texts, and of places, in one cluster or wording: the first that keeps the budget, or the last."""
PREFERRED_PLACES = 20
PARAMETER_VALUES = 5
TEXT_LIMIT = 5_000
"""Maximum number of code points of one text: a step of a million characters must not make the page unusable."""

_SHOWN_OF_BLOCKS = frozenset(("saves", "parameters"))
"""Reasons that the card of a block says elsewhere."""

Json = dict[str, Any]


class _Table:
    """Distinct strings in order of first use."""

    def __init__(self) -> None:
        self.rows: list[str] = []
        self._positions: dict[str, int] = {}

    def __call__(self, text: str) -> int:
        position = self._positions.get(text)
        if position is None:
            position = self._positions[text] = len(self.rows)
            self.rows.append(text)
        return position

    def encodable(self) -> list[str]:
        return [encodable(row) for row in self.rows]


class _Builder:
    def __init__(self, cap: int) -> None:
        self.cap = cap
        self.shown_code = 0
        self.paths = _Table()
        self.scenarios = _Table()
        self.keywords = _Table()
        self.reasons = _Table()
        self.kinds = {kind: position for position, kind in enumerate(Kind)}

    def places(self, places: Iterable[Place | Step]) -> list[int]:
        """Path, line, column, keyword and scenario of each, one after the other."""
        numbers: list[int] = []
        for place in places:
            step = place.step if isinstance(place, Place) else place
            numbers += (
                self.paths(place.path),
                place.line,
                place.column,
                self.keywords(step.keyword if step is not None else ""),
                self.scenarios(step.scenario if step is not None else ""),
            )
        return numbers

    def subject(self, subject: Subject, places: int, among: Sequence[StepDefinition]) -> Json:
        return {
            "text": _text(subject.text),
            "n": subject.occurrences,
            "places": self.places(subject.places[:places]),
            "unlisted": max(0, len(subject.places) - places),
            "definitions": [
                [
                    self.paths(definition.path),
                    definition.line,
                    definition.literal.column,
                    _text(definition.told_apart(definition.shown, among)),
                    encodable(definition.function_name),
                ]
                for definition in subject.definitions[:PREFERRED_PLACES]
            ],
        }

    def finding(self, finding: Finding, suite: int) -> Json:
        among, preferred = finding.definitions, finding.preferred
        return {
            "rule": finding.rule,
            "title": title_of(finding),
            "severity": finding.severity.value,
            "suite": suite,
            "kind": self.kinds[finding.kind] if finding.kind is not None else None,
            "confidence": None if finding.confidence is None else round(finding.confidence, 3),
            "reasons": self.reasons_about(finding),
            "cluster": finding.cluster_id,
            "code": self.code(finding),
            "others": [
                {**self.subject(other, self.cap, among), "reasons": self.reasons_about(finding, other.text)}
                for other in finding.others
            ],
            "preferred": None if preferred is None else self.subject(preferred, PREFERRED_PLACES, among),
        }

    def reasons_about(self, finding: Finding, text: str = "") -> list[int]:
        return [self.reasons(reason.text) for reason in finding.reasons if reason.about == text]

    def code(self, finding: Finding) -> list[list[Any]]:
        """The functions of a finding about step definitions, of the first such findings."""
        if self.shown_code >= MOST_FINDINGS_WITH_CODE:
            return []
        code = code_of(finding, self.paths)
        self.shown_code += bool(code)
        return code

    def cluster(self, cluster: Cluster, suite: SuiteScan, number: int) -> list[Any]:
        shown = cluster.texts[: self.cap]
        listed = shares([text.occurrences for text in shown], self.cap)
        files = {step.path for text in cluster.texts for step in suite.steps.get(text.identity, ())}
        return [
            cluster.id,
            number,
            self.kinds[cluster.kind],
            cluster.occurrences,
            len(files),
            round(cluster_savings(cluster), 2),
            cluster.wordings,
            len(cluster.texts),
            [self.reasons(reason) for reason in cluster.reasons],
            [part for text in shown for part in (_text(text.text), text.occurrences)],
            [self.places(suite.steps.get(text.identity, ())[:n]) for text, n in zip(shown, listed, strict=True)],
        ]

    def block(self, block: Block, suite: int) -> Json:
        return {
            "id": block.id,
            "suite": suite,
            "steps": [[encodable(step.keyword.strip()), _text(step.text)] for step in block.steps],
            "parameters": [
                [
                    parameter.step,
                    encodable(parameter.name),
                    [_text(value) for value in parameter.values[:PARAMETER_VALUES]],
                ]
                for parameter in block.parameters
            ],
            "n": len(block.places),
            "scenarios": block.scenarios,
            "files": len(block.files),
            "saved": block.steps_saved,
            "confidence": round(block.confidence, 3),
            "reasons": [self.reasons(each.text) for each in reasons_for(block) if each.id not in _SHOWN_OF_BLOCKS],
            "places": self.places(place.steps[0] for place in block.places[: self.cap]),
        }

    def tables(self, links: PlaceLinks) -> Json:
        """The tables to whose rows the data refers by number, after all data is made."""
        return {
            "scenarios": self.scenarios.encodable(),
            "keywords": [keyword.strip() for keyword in self.keywords.encodable()],
            "reasons": self.reasons.encodable(),
            "paths": self.paths.encodable(),
            "hrefs": list(map(links.href, self.paths.rows)),
        }

    def problem(self, error: ReadError | GlueError, suite: int) -> list[Any]:
        return [suite, self.paths(error.path), error.line, error.column, encodable(error.message)]


CLUSTER_COLUMNS = (
    "id", "suite", "kind", "occurrences", "files", "savings", "wordings", "textCount", "reasons", "texts", "places",
)  # fmt: skip
"""Names of the values that `_Builder.cluster` returns, in its order."""


def build(result: ScanResult, links: PlaceLinks) -> Json:
    """The page's data, ready for JSON."""
    builder = _Builder(_cap(result))
    numbered = list(enumerate(result.suites))
    findings = [builder.finding(each, number) for number, suite in numbered for each in suite.findings]
    rows = [builder.cluster(each, suite, number) for number, suite in numbered for each in suite.clusters]
    columns = list(zip(*rows, strict=True)) if rows else [()] * len(CLUSTER_COLUMNS)
    data: Json = {
        "strategy": encodable(parameter_text(result)),
        "notes": list(map(encodable, result.notes)),
        "summary": _figures(result.suites),
        "headline": _headline(result),
        "suppressed": summarise_result(result).suppressed,
        "suites": [{"root": encodable(suite.root), **_figures([suite])} for suite in result.suites],
        "rules": [[rule.id, rule.title, rule.help, rule.about is About.REPETITION] for rule in RULES.values()],
        "kinds": [kind.value for kind in Kind],
        "findings": findings,
        "blocks": [builder.block(each, number) for number, suite in numbered for each in suite.blocks],
        "clusters": dict(zip(CLUSTER_COLUMNS, columns, strict=True)),
        "errors": [builder.problem(each, number) for number, suite in numbered for each in suite.errors],
        "glueErrors": [builder.problem(each, number) for number, suite in numbered for each in suite.glue_errors],
        "files": _duplication(result.suites, builder.paths),
    }
    return {**data, **builder.tables(links), "prefix": encodable(_prefix(result))}


def shares(counts: Sequence[int], cap: int) -> list[int]:
    """The number of each text's listed places: all of rare texts first, at least one of each, `cap` in all if that
    leaves one for each."""
    listed = [0] * len(counts)
    left = cap
    for done, position in enumerate(sorted(range(len(counts)), key=lambda position: counts[position])):
        listed[position] = min(counts[position], max(1, left // (len(counts) - done)))
        left -= listed[position]
    return listed


def _cap(result: ScanResult) -> int:
    sizes = [cluster.occurrences for suite in result.suites for cluster in suite.clusters]
    sizes += [len(other.places) for suite in result.suites for finding in suite.findings for other in finding.others]
    for cap in CAPS:
        if sum(min(size, cap) for size in sizes) <= PLACE_BUDGET:
            return cap
    return CAPS[-1]


def _prefix(result: ScanResult) -> str:
    """The common beginning of all suites' absolute paths, with the separator: stored once instead of at each place."""
    roots = [suite.root for suite in result.suites]
    if not roots or not all(PurePath(root).is_absolute() for root in roots):
        return ""
    try:
        return os.path.join(os.path.commonpath(roots), "")  # noqa: PTH118 - keeps the separator at the end
    except ValueError:  # different drives
        return ""


def _headline(result: ScanResult) -> Json:
    summary = headline(result)
    return {"title": encodable(summary.title), "detail": encodable(summary.detail)}


def _figures(suites: Iterable[SuiteScan]) -> Json:
    figures = summarise(suites)
    return {
        "files": figures.feature_files,
        "steps": figures.steps,
        "texts": figures.unique_step_texts,
        "findings": figures.findings,
        "clusters": figures.clusters,
        "rate": round(figures.exact_duplication_rate, 4),
    }


def _duplication(suites: Iterable[SuiteScan], paths: _Table) -> list[list[int]]:
    """Path, suite, steps, and steps whose text occurs more than once in the suite; most of these first. At most 1,000
    files."""
    rows: list[tuple[int, str, int, int]] = []
    for number, suite in enumerate(suites):
        total: dict[str, int] = {}
        repeated: dict[str, int] = {}
        for steps in suite.steps.values():
            for step in steps:
                total[step.path] = total.get(step.path, 0) + 1
            if len(steps) > 1:
                for step in steps:
                    repeated[step.path] = repeated.get(step.path, 0) + 1
        rows += [(repeated[path], path, number, total[path]) for path in repeated]
    rows.sort(key=lambda row: (-row[0], row[1]))
    return [[paths(path), number, total, repeated] for repeated, path, number, total in rows[:1_000]]


def _text(text: str) -> str:
    cut = text if len(text) <= TEXT_LIMIT else f"{text[:TEXT_LIMIT]}… ({len(text):,} characters)"
    return encodable(cut)
