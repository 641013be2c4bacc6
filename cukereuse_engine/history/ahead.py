"""The findings at the end of a history that a baseline does not contain, and since when they have been there.

They are those of a scan, with step definitions, as a baseline is written by a scan. When each came is told by what a
history has of every commit: repeated scenarios, and wordings.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass

from cukereuse_engine.findings.finding import Finding, Subject
from cukereuse_engine.git import Commit


@dataclass(frozen=True, slots=True)
class Ahead:
    """A finding at the last point that the baseline does not contain."""

    rule: str
    id: str
    """The finding's fingerprint."""
    says: str
    since: Commit | None
    """The commit of the first point since which its scenarios or wordings were always there; None if it has neither: a
    finding about code that no step uses."""


def ahead(
    findings: Iterable[Finding],
    commits: Sequence[Commit],
    repeats: Sequence[Mapping[str, Set[str]]],
    known_by: Mapping[str, str],
    keys_at: Callable[[Set[str]], Sequence[Set[str]]],
) -> tuple[Ahead, ...]:
    """The findings, the oldest first. `commits`: those of the points. `repeats`: at each point the ids of repeats by
    rule; `known_by`: key of a baseline to the id of the repeat that it names. `keys_at`: which of some templates' keys
    each point has."""
    findings = list(findings)
    wordings = [[keys for subject in finding.subjects if (keys := _keys(subject))] for finding in findings]
    present = keys_at(frozenset().union(*(keys for each in wordings for keys in each)))
    unsorted = []
    for finding, subjects in zip(findings, wordings, strict=True):
        names = (key for other in finding.others for key in finding.keys(other))
        repeat = next((known_by[key] for key in names if key in known_by), None)
        there = [repeat in ids.get(finding.rule, ()) for ids in repeats] if repeat else _are_said(subjects, present)
        unsorted.append(Ahead(finding.rule, finding.fingerprint, finding.message, _since(commits, there)))
    return tuple(sorted(unsorted, key=_order))


def _are_said(subjects: Sequence[Set[str]], present: Iterable[Set[str]]) -> list[bool]:
    """Whether two of the subjects, or the only one, have a wording at each point."""
    least = min(2, len(subjects))
    return [0 < least <= sum(not keys.isdisjoint(now) for keys in subjects) for now in present]


def _keys(subject: Subject) -> frozenset[str]:
    return frozenset(wording.template.key for wording in subject.wordings)


def _since(commits: Sequence[Commit], there: Sequence[bool]) -> Commit | None:
    """The first commit of the last run."""
    since = None
    for commit, is_there in zip(reversed(commits), reversed(there), strict=True):
        if not is_there:
            break
        since = commit
    return since


def _order(finding: Ahead) -> tuple[bool, int, str, str]:
    return (finding.since is None, finding.since.time if finding.since is not None else 0, finding.rule, finding.says)
