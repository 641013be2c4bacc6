"""The JSON report: everything a scan found, for programs.

Published as `schema/cukereuse-report-2.schema.json`. Deterministic, one finding and one cluster a line, and written
piece by piece, so that a report of a million steps never is in memory twice. Unlike the HTML report it leaves no
place out.
"""

from collections.abc import Iterable, Iterator
from functools import cache
from importlib import resources
from typing import Any

import msgspec

from cukereuse_engine import __version__
from cukereuse_engine.detection.options import Cluster
from cukereuse_engine.findings import finding as engine
from cukereuse_engine.gherkin.feature import ReadError, Step
from cukereuse_engine.glue.definition import GlueError, StepDefinition
from cukereuse_engine.report import document, summary
from cukereuse_engine.report.savings import cluster_savings
from cukereuse_engine.report.visible import encodable
from cukereuse_engine.rules import Severity
from cukereuse_engine.scanning.result import How, ScanResult, SuiteScan

PREFERRED_PLACES = 10
"""Maximum number of a preferred wording's places in a finding, as examples; the cluster contains all of them."""


def schema() -> dict[str, Any]:
    """The report's JSON Schema (2020-12)."""
    file = resources.files("cukereuse_engine.report") / "schema" / "cukereuse-report-2.schema.json"
    loaded: dict[str, Any] = msgspec.json.decode(file.read_bytes())
    return loaded


def render(result: ScanResult) -> bytes:
    """The whole report, UTF-8, with a line feed at its end."""
    return b"".join(chunks(result))


def chunks(result: ScanResult) -> Iterator[bytes]:
    """The report in pieces of at most one finding or cluster each."""
    encode = msgspec.json.Encoder().encode
    opening = b"{"
    for name, value in _head(result).items():
        yield opening + b"\n" + encode(name) + b": " + encode(value)
        opening = b","
    for name, items in _lists(result).items():
        yield b",\n" + encode(name) + b": ["
        separator = b"\n"
        for item in items:
            yield separator + encode(item)
            separator = b",\n"
        yield b"]" if separator == b"\n" else b"\n]"
    yield b"\n}\n"


def _head(result: ScanResult) -> dict[str, Any]:
    """The members about a scan as a whole."""
    parameters = result.parameters.items()
    head: dict[str, Any] = {
        "schema_version": document.SCHEMA_VERSION,
        "tool": document.Tool("cukereuse", __version__),
        "strategy": result.strategy,
        "parameters": {name: encodable(value) if isinstance(value, str) else value for name, value in parameters},
        "model": None if result.model is None else encodable(result.model),
        "notes": list(map(encodable, result.notes)),
        "summary": _summary(summary.summarise_result(result), result.unread),
    }
    comparison = result.comparison
    if comparison is not None:
        before = summary.summarise(comparison.before)
        head["compared_with"] = document.Compared(
            ref=encodable(comparison.ref),
            commit=comparison.commit,
            feature_files=before.feature_files,
            steps=before.steps,
            unique_step_texts=before.unique_step_texts,
            elsewhere=comparison.elsewhere,
        )
    return head


def _lists(result: ScanResult) -> dict[str, Iterable[msgspec.Struct]]:
    """The lists with an item for each suite, file or finding; items are made when they are read."""
    lists: dict[str, Iterable[msgspec.Struct]] = {
        "suites": (_suite(suite, result.unread) for suite in result.suites),
        "errors": (_problem(error) for suite in result.suites for error in suite.errors),
        "glue_errors": (_problem(error) for suite in result.suites for error in suite.glue_errors),
        "findings": (_finding(finding, suite) for suite in result.suites for finding in suite.findings),
        "clusters": (_cluster(cluster, suite) for suite in result.suites for cluster in suite.clusters),
    }
    if result.comparison is not None:
        for how in How:
            lists[how.value] = [_finding(gone.finding, gone.suite) for gone in result.comparison.went(how)]
    return lists


def _summary(figures: summary.Summary, unread: Severity) -> document.Summary:
    by_rule, by_severity = figures.with_unread(unread)
    return document.Summary(
        feature_files=figures.feature_files,
        parse_errors=figures.parse_errors,
        steps=figures.steps,
        unique_step_texts=figures.unique_step_texts,
        clusters=figures.clusters,
        exact_duplication_rate=round(figures.exact_duplication_rate, 6),
        eliminable_steps=figures.eliminable_steps,
        findings=document.Findings(sum(by_rule.values()), figures.suppressed, by_rule, by_severity),
    )


def _suite(suite: SuiteScan, unread: Severity) -> document.Suite:
    figures = _summary(summary.summarise([suite]), unread)
    return document.Suite(root=_name(suite.root), step_definitions=len(suite.definitions), summary=figures)


def _problem(error: ReadError | GlueError) -> document.Problem:
    return document.Problem(_name(error.path), error.line, error.column, encodable(error.message))


def _finding(finding: engine.Finding, suite: SuiteScan) -> document.Finding:
    return document.Finding(
        rule=finding.rule,
        severity=finding.severity.value,
        fingerprint=finding.fingerprint,
        suite=_name(suite.root),
        message=encodable(finding.message),
        confidence=None if finding.confidence is None else round(finding.confidence, 6),
        worth=finding.worth,
        kind=None if finding.kind is None else finding.kind.value,
        reasons=[_reason(reason) for reason in finding.reasons],
        cluster_id=finding.cluster_id,
        preferred=None if finding.preferred is None else _subject(finding.preferred, PREFERRED_PLACES),
        others=[_subject(other) for other in finding.others],
    )


def _reason(reason: engine.Reason) -> document.Reason:
    value = None if reason.value is None else round(reason.value, 6)
    return document.Reason(reason.id, encodable(reason.text), value, reason.against, encodable(reason.about))


def _subject(subject: engine.Subject, places: int | None = None) -> document.Subject:
    return document.Subject(
        text=encodable(subject.text),
        occurrences=subject.occurrences,
        wordings=[
            document.Wording(encodable(wording.text), encodable(wording.template.masked), wording.occurrences)
            for wording in subject.wordings
        ],
        places=[_place(place) for place in subject.places[:places]],
        definitions=[_definition(definition) for definition in subject.definitions],
    )


def _place(place: engine.Place) -> document.Place:
    step = place.step
    keyword, scenario = ("", "") if step is None else (_keyword(step), _name(step.scenario))
    return document.Place(
        _name(place.path), place.line, place.column, place.end_line, place.end_column, keyword, scenario
    )


def _definition(definition: StepDefinition) -> document.Definition:
    return document.Definition(
        path=_name(definition.path),
        line=definition.line,
        column=definition.literal.column,
        keyword=encodable(definition.keyword),
        expression=encodable(definition.expression),
        function=encodable(definition.function_name),
        framework=definition.framework,
    )


def _cluster(cluster: Cluster, suite: SuiteScan) -> document.Cluster:
    members = [
        document.Member(_name(step.path), step.line, step.column, _keyword(step), _name(step.scenario), position)
        for position, text in enumerate(cluster.texts)
        for step in suite.steps.get(text.identity, ())
    ]
    members.sort(key=lambda member: (member.path, member.line, member.column))
    return document.Cluster(
        id=cluster.id,
        suite=_name(suite.root),
        canonical=encodable(cluster.canonical),
        kind=cluster.kind.value,
        strategy=cluster.strategy,
        score=round(cluster.score, 6),
        reasons=[encodable(reason) for reason in cluster.reasons],
        occurrences=cluster.occurrences,
        files=len({member.path for member in members}),
        savings=round(cluster_savings(cluster), 6),
        texts=[document.Text(encodable(text.text), text.occurrences) for text in cluster.texts],
        members=members,
    )


@cache
def _interned(text: str) -> str:
    return encodable(text)


def _name(text: str) -> str:
    """A path or a scenario's name, which thousands of members share."""
    return text if text.isascii() else _interned(text)


def _keyword(step: Step) -> str:
    return _name(step.keyword.strip())
