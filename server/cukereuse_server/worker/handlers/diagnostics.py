"""Diagnostics of files: findings at the steps with a less preferred wording, and lines that could not be read."""

import hashlib
from collections.abc import Generator, Iterable
from functools import partial
from itertools import chain
from typing import Any

import msgspec

from cukereuse_engine.definitions.one_definition import UNUSED
from cukereuse_engine.findings.finding import Finding, Place
from cukereuse_engine.gherkin.feature import ReadError
from cukereuse_engine.glue.definition import GlueError
from cukereuse_engine.glue.languages.base import language_for
from cukereuse_engine.rules import REPETITION_RULES, RULES, About, Severity
from cukereuse_server.protocol.base import Request
from cukereuse_server.protocol.diagnostics import Diagnose, DiagnoseAll, Diagnosis, FileDiagnoses, RelatedPlace
from cukereuse_server.worker.handlers.places import PlaceMaker
from cukereuse_server.worker.handlers.wording import WordingMessages
from cukereuse_server.workspace.navigation import used_beside
from cukereuse_server.workspace.suite import SuiteState
from cukereuse_server.workspace.view import DiagnosticsView, View

_RELATED = 5
"""The number of places of the other wording that a diagnostic names."""
_TWINS = {
    About.WORDINGS: "the other wording",
    About.CODE: "the other step definition",
    About.REPETITION: "the same steps",
    About.STEPS: "the same text",
}
"""What the related places contain."""


def diagnose(workspace: DiagnosticsView, request: Diagnose) -> FileDiagnoses:
    """The known diagnostics. While the index is not ready, those that the same text had last time."""
    path = request.path
    if language_for(path) is not None:
        return _diagnose_source(workspace, path)
    suite = workspace.suite_of(path)
    buffer = workspace.buffers.get(path)
    version = buffer.version if buffer is not None else None
    if suite is None or path not in suite.texts.files or not suite.findings.is_known(path):
        if suite is not None and suite.judge is not None:
            workspace.look_into(path)
        remembered = workspace.recall(path)
        if remembered is not None:
            return FileDiagnoses(path=path, version=version, complete=False, diagnoses=remembered, digest="")
        return _answer(path, version, _unread(workspace, path), complete=False)
    say = partial(_of_finding, path=path, places=PlaceMaker(workspace), words=WordingMessages(workspace, suite))
    repeated = partial(suite.findings.repeated_in, path)
    diagnoses = [*_unread(workspace, path), *suite.diagnoses.of(path, suite.findings.standing_in(path), say, repeated)]
    diagnoses += chain.from_iterable(map(say, suite.findings.others_in(path)))
    workspace.announce(skip=path)
    answer = _answer(path, version, diagnoses, complete=suite.compared)
    if answer.complete:
        workspace.keep(path, answer.diagnoses)
    return answer


def _diagnose_source(workspace: DiagnosticsView, path: str) -> FileDiagnoses:
    """The findings that the suites of a source have about its step definitions."""
    suites, places = _suites_with(workspace, path), PlaceMaker(workspace)
    by_finding: dict[str, list[Diagnosis]] = {}
    for suite in suites:
        for finding in suite.findings.in_source(path):
            if finding.rule == UNUSED and any(
                used_beside(workspace, suite, definition) for definition in finding.definitions
            ):
                continue
            by_finding.setdefault(
                finding.fingerprint, _of_finding(finding, path, places, WordingMessages(workspace, suite))
            )
    complete = all(suite.compared for suite in suites)
    diagnoses = [diagnosis for group in by_finding.values() for diagnosis in group]
    diagnoses += _unread_definitions(path, suites, places)
    return _answer(path, _version(workspace, path), diagnoses, complete=complete)


def _suites_with(workspace: View, path: str) -> list[SuiteState]:
    """The suites of a source."""
    return [suite for suite in workspace.suites.values() if suite.sources is not None and path in suite.sources]


def _badly_read(workspace: View) -> set[str]:
    """Sources with step definitions that can't be read."""
    glues = (suite.glue for suite in workspace.suites.values())
    paths = {error.path for glue in glues if glue is not None for error in glue.errors}
    return {path for path in paths if language_for(path) is not None}


def _unread_definitions(path: str, suites: Iterable[SuiteState], places: PlaceMaker) -> Iterable[Diagnosis]:
    """Step definitions of a source that can't be read or matched: no step binds to them."""
    reported: set[GlueError] = set()
    for suite in suites:
        severity = suite.settings.severity.get("unread", RULES["unread"].severity)
        for error in suite.glue.errors_in(path) if suite.glue is not None and severity != Severity.OFF else ():
            if error not in reported:
                reported.add(error)
                yield _unread_at(places, error, str(severity))


def diagnose_all(workspace: View, request: DiagnoseAll) -> Generator[None, None, list[FileDiagnoses]]:
    """The diagnostics of suites that have been compared as a whole, in slices. For each file, these are those of
    `diagnose`, except for unused definitions, which only fade in open code."""
    del request
    places = PlaceMaker(workspace)
    unread: dict[str, list[Diagnosis]] = {}
    by_file: dict[str, dict[object, list[Diagnosis]]] = {}
    """Diagnoses by path and fingerprint, which suites with common code may share; so may repeated scenarios."""
    for suite in list(workspace.suites.values()):
        for path in suite.texts.files:
            if errors := _unread(workspace, path):
                unread[path] = errors
        words = WordingMessages(workspace, suite)
        found = (yield from suite.findings.gather()) if suite.compared else []
        for finding in chain(found, suite.findings.of_files() if suite.compared else ()):
            if finding is None:
                yield
                continue
            key = (finding.fingerprint, id(finding) if finding.rule in REPETITION_RULES else None)
            for path in dict.fromkeys(place.path for other in finding.others for place in other.places):
                of_file = by_file.setdefault(path, {})
                if key not in of_file:
                    of_file[key] = _of_finding(finding, path, places, words)
            yield
    for path in sorted(_badly_read(workspace)):
        unread[path] = list(_unread_definitions(path, _suites_with(workspace, path), places))
    answers = []
    for path in sorted(unread.keys() | by_file.keys()):
        diagnoses = [*unread.get(path, ()), *chain.from_iterable(by_file.get(path, {}).values())]
        answers.append(_answer(path, _version(workspace, path), diagnoses, complete=True))
        yield
    return answers


def _version(workspace: View, path: str) -> int | None:
    buffer = workspace.buffers.get(path)
    return buffer.version if buffer is not None else None


def _answer(path: str, version: int | None, diagnoses: Iterable[Diagnosis], *, complete: bool) -> FileDiagnoses:
    ordered = sorted(
        diagnoses,
        key=lambda diagnosis: (diagnosis.place.line, diagnosis.place.column, diagnosis.rule, diagnosis.fingerprint),
    )
    digest = hashlib.blake2b(msgspec.msgpack.encode(ordered), digest_size=12).hexdigest()
    return FileDiagnoses(path=path, version=version, complete=complete, diagnoses=ordered, digest=digest)


def _of_finding(finding: Finding, path: str, places: PlaceMaker, words: WordingMessages) -> list[Diagnosis]:
    twin = _TWINS[RULES[finding.rule].about]
    related = [RelatedPlace(places.of(place), twin) for place in _nearest(finding, path)]
    related += [
        RelatedPlace(places.of(Place.of_definition(definition)), definition.told_apart(said, finding.definitions))
        for subject in finding.subjects
        for said in (f"step definition of “{subject.text}”",)
        for definition in subject.definitions
    ]
    told = tuple(related)
    return [
        Diagnosis(
            place=places.of(place),
            rule=finding.rule,
            severity=finding.severity.value,
            message=words.of(finding, other, place),
            related=told,
            fingerprint=finding.fingerprint,
            preferred=finding.preferred.text if finding.preferred is not None else "",
        )
        for other in finding.others
        for place in other.places
        if place.path == path
    ]


def _nearest(finding: Finding, path: str) -> list[Place]:
    """Places of the preferred subject, those in the same file first."""
    preferred = finding.preferred.places if finding.preferred is not None else ()
    return sorted(preferred, key=lambda place: place.path != path)[:_RELATED]


def _unread(workspace: View, path: str) -> list[Diagnosis]:
    suite: SuiteState | None = workspace.suite_of(path)
    if suite is None:
        return []
    severity = suite.settings.severity.get("unread", RULES["unread"].severity)
    if severity == Severity.OFF:
        return []
    places = PlaceMaker(workspace)
    return [_unread_at(places, error, str(severity)) for error in suite.rules.unread(path)]


def _unread_at(places: PlaceMaker, error: ReadError | GlueError, severity: str) -> Diagnosis:
    number = max(error.line, 1)
    line = places.line(error.path, number)
    column = min(max(error.column, 1), len(line) + 1)
    place = places.at(error.path, number, column, max(len(line.rstrip()) + 1, column))
    return Diagnosis(place=place, rule="unread", severity=severity, message=error.message, related=())


HANDLERS: dict[type[Request], Any] = {Diagnose: diagnose, DiagnoseAll: diagnose_all}
