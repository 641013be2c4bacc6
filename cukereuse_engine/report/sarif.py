"""SARIF 2.1.0, for code scanning services and editors.

A result is a finding, not a place: a maintainer decides once for it, and services track the decision by its fingerprint
(`cukereuse/v1`), which stays when lines move. The result is at the first place that should change; the other places,
some preferred ones and the step definitions are related locations, to which the message links. Deterministic: no time,
no user, no machine name.
"""

import os
from collections.abc import Iterable, Iterator
from pathlib import PurePath
from typing import Any
from urllib.parse import quote

import msgspec

from cukereuse_engine import __version__
from cukereuse_engine.findings.finding import Finding, Place, Subject, importance
from cukereuse_engine.findings.messages import told
from cukereuse_engine.gherkin.feature import ReadError
from cukereuse_engine.glue.definition import StepDefinition
from cukereuse_engine.report.visible import encodable, shortened, visible
from cukereuse_engine.rules import RULES, Severity
from cukereuse_engine.scanning.result import ScanResult
from cukereuse_engine.source_root import name_below
from cukereuse_engine.text.identity import identity

SCHEMA_URI = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
BASE_ID = "%SRCROOT%"
FINGERPRINT = "cukereuse/v1"
RESULT_LIMIT = 5_000
"""GitHub shows the first 5,000 results of a run and refuses more than 25,000."""
PLACE_LIMIT = 10
"""Maximum number of related places of one wording."""

_LEVELS = {Severity.HINT: "note", Severity.INFORMATION: "note", Severity.WARNING: "warning", Severity.ERROR: "error"}

Json = dict[str, Any]


def render(result: ScanResult, base: str | None = None) -> bytes:
    """The log as UTF-8. See `sarif_log`."""
    return msgspec.json.format(msgspec.json.encode(sarif_log(result, base)), indent=2) + b"\n"


def sarif_log(result: ScanResult, base: str | None = None) -> Json:
    """The log as plain data.

    `base` is the absolute path of the folder from which paths below it are named (a repository's root); without it they
    stay as they are.
    """
    all_results = list(_results(result, base))
    if result.comparison is not None:
        all_results = [entry | {"baselineState": "new"} for entry in all_results]
        for gone in result.comparison.gone:
            absent = _finding(gone.finding, base) | {"baselineState": "absent"}
            absent["properties"]["how"] = gone.how.value
            all_results.append(absent)
    results = all_results[:RESULT_LIMIT]
    notes = list(result.notes)
    if len(all_results) > len(results):
        notes.append(
            f"{len(all_results) - len(results)} results beyond {RESULT_LIMIT} are left out; see the JSON report."
        )
    base_id: Json = {"description": {"text": "The root of the source files."}}
    if base is not None:
        base_id["uri"] = _file_uri(base).rstrip("/") + "/"
    driver: Json = {
        "name": "cukereuse",
        "version": __version__,
        "semanticVersion": __version__,
        "rules": [_rule(identifier) for identifier in RULES],
    }
    invocation: Json = {"executionSuccessful": True}
    if notes:
        invocation["toolExecutionNotifications"] = [
            {"level": "note", "message": {"text": encodable(note)}} for note in notes
        ]
    run: Json = {
        "tool": {"driver": driver},
        "invocations": [invocation],
        "columnKind": "unicodeCodePoints",
        "originalUriBaseIds": {BASE_ID: base_id},
        "results": results,
        "properties": {"strategy": result.strategy, "model": result.model or "none"},
    }
    return {"$schema": SCHEMA_URI, "version": "2.1.0", "runs": [run]}


def _results(result: ScanResult, base: str | None) -> Iterator[Json]:
    """The results, most severe first over all suites, so that a limit cuts the least important."""
    findings = [finding for suite in result.suites for finding in suite.findings]
    findings.sort(key=importance)
    for finding in findings:
        if finding.severity.rank >= result.unread.rank:
            yield _finding(finding, base)
    for error in result.reported_errors:
        yield _unread(error, base, result.unread)
    for finding in findings:
        if finding.severity.rank < result.unread.rank:
            yield _finding(finding, base)


def _rule(identifier: str) -> Json:
    rule = RULES[identifier]
    configuration: Json = {"enabled": rule.severity is not Severity.OFF, "level": _LEVELS.get(rule.severity, "none")}
    return {
        "id": rule.id,
        "name": "".join(word.capitalize() for word in rule.id.split("-")),
        "shortDescription": {"text": rule.title + "."},
        "fullDescription": {"text": rule.help},
        "help": {"text": rule.help},
        "defaultConfiguration": configuration,
        "properties": {"tags": ["gherkin", "maintainability"], "precision": "medium"},
    }


def _finding(finding: Finding, base: str | None) -> Json:
    related: list[Json] = []
    parts = [_plain(finding.message)]
    first, preferred = finding.others[0], finding.preferred
    places = {_key(_place(place, base)) for place in first.places[:1]}

    def relate(label: str, items: Iterable[tuple[Json, str, str]], total: int) -> None:
        links = []
        for location, name, message in items:
            places.add(_key(location))
            related.append({**location, "id": len(related) + 1, "message": {"text": message}})
            links.append(f"[{_plain(name)}]({len(related)})")
        if links:
            more = f" and {total - len(links):,} more" if total > len(links) else ""
            parts.append(f"{label}: {', '.join(links)}{more}.")

    for other in finding.others:
        label = "the same wording" if other is first else f"other wording: {shortened(visible(other.text), 200)}"
        skip = 1 if other is first else 0
        heading = "Also here" if other is first else f"“{_plain(shortened(other.text, 80))}”"
        relate(heading, _places(other, label, base, skip), len(other.places) - skip)
    if preferred is not None:
        label = f"preferred: {shortened(visible(preferred.text), 200)}"
        relate("Preferred", _places(preferred, label, base), len(preferred.places))
    definitions = [
        location
        for each in finding.definitions
        if _key((location := _definition(each, finding.definitions, base))[0]) not in places
    ]
    relate("Step definitions", definitions[:PLACE_LIMIT], len(definitions))
    return {
        "ruleId": finding.rule,
        "ruleIndex": _rule_index(finding.rule),
        "level": _LEVELS.get(finding.severity, "none"),
        "message": {"text": "\n".join(parts)},
        "locations": [_place(place, base) for place in first.places[:1]],
        "relatedLocations": related,
        "partialFingerprints": {FINGERPRINT: finding.fingerprint},
        "rank": round(100 * (1.0 if finding.confidence is None else finding.confidence), 2),
        "properties": {
            "kind": finding.kind.value if finding.kind is not None else None,
            "worth": finding.worth,
            "occurrences": sum(other.occurrences for other in finding.others),
            "preferredOccurrences": preferred.occurrences if preferred is not None else 0,
            "reasons": [encodable(told(reason)) for reason in finding.reasons],
            "clusterId": finding.cluster_id,
        },
    }


def _key(location: Json) -> tuple[str, int, int]:
    """The sort key of a location: where it begins."""
    physical = location["physicalLocation"]
    region = physical["region"]
    return physical["artifactLocation"]["uri"], region["startLine"], region["startColumn"]


def _rule_index(rule: str) -> int:
    return list(RULES).index(rule) if rule in RULES else -1


def _places(subject: Subject, message: str, base: str | None, skip: int = 0) -> Iterator[tuple[Json, str, str]]:
    for place in subject.places[skip : skip + PLACE_LIMIT]:
        yield _place(place, base), f"{PurePath(place.path).name}:{place.line}", message


def _definition(definition: StepDefinition, among: Iterable[StepDefinition], base: str | None) -> tuple[Json, str, str]:
    span = definition.literal
    region = {
        "startLine": span.line,
        "startColumn": span.column,
        "endLine": span.end_line,
        "endColumn": span.end_column,
    }
    name = f"{PurePath(span.path).name}:{span.line}"
    return (
        {"physicalLocation": {"artifactLocation": _artifact(span.path, base), "region": region}},
        name,
        f"step definition: {shortened(visible(definition.told_apart(definition.shown, among)), 200)}",
    )


def _unread(error: ReadError, base: str | None, severity: Severity) -> Json:
    physical: Json = {"artifactLocation": _artifact(error.path, base)}
    if error.line > 0:
        physical["region"] = {"startLine": error.line} | ({"startColumn": error.column} if error.column > 0 else {})
    return {
        "ruleId": "unread",
        "ruleIndex": _rule_index("unread"),
        "level": _LEVELS.get(severity, "none"),
        "message": {"text": _plain(error.message)},
        "locations": [{"physicalLocation": physical}],
        "partialFingerprints": {FINGERPRINT: identity(f"unread {_relative(error.path, base)} {error.message}")},
    }


def _place(place: Place, base: str | None) -> Json:
    region = {"startLine": place.line, "startColumn": place.column, "endColumn": place.end_column}
    if place.end_line != place.line:
        region["endLine"] = place.end_line
    return {"physicalLocation": {"artifactLocation": _artifact(place.path, base), "region": region}}


def _plain(text: str) -> str:
    r"""`text` as a plain text message of SARIF: `[`, `]` and `\` would begin a link or an escape."""
    shown = visible(text)
    return "".join(f"\\{character}" if character in "[]\\" else character for character in shown)


def _relative(path: str, base: str | None) -> str:
    return PurePath(path).as_posix() if base is None else name_below(base, path)


def _artifact(path: str, base: str | None) -> Json:
    relative = _relative(path, base)
    if PurePath(relative).is_absolute():
        return {"uri": _file_uri(relative)}
    return {"uri": quote(os.fsencode(relative), safe="/"), "uriBaseId": BASE_ID}


def _file_uri(path: str) -> str:
    posix = PurePath(path).as_posix()
    return f"file://{'' if posix.startswith('/') else '/'}{quote(os.fsencode(posix), safe='/:')}"
