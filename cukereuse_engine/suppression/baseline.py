"""The baseline: the findings that a team has postponed, so that only new ones are reported.

Each wording that should change has an entry, whose key depends on what the finding says, never on where it is: moved
lines and new members bring nothing old back. So has each place that was not read; its key consists of the file, the
message and how many places with that message are above. The texts beside the keys are for people.
"""

import json
import os
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path, PurePath
from typing import Any

from cukereuse_engine.errors import CukereuseError
from cukereuse_engine.findings.finding import Finding, Subject, fingerprint
from cukereuse_engine.gherkin.feature import FeatureFile, ReadError
from cukereuse_engine.storage import write_atomically

VERSION = 1
UNREAD = "unread"


@dataclass(frozen=True, slots=True, order=True)
class BaselineEntry:
    """A known finding, by one of its `others`, or an unread place. Entries are sorted by their fields in this order."""

    rule: str
    text: str
    """A wording; for an unread place its file, relative to the baseline's folder."""
    beside: str
    """The preferred wording; for an unread place its message."""
    fingerprint: str

    @classmethod
    def of(cls, finding: Finding, other: Subject) -> "BaselineEntry":
        return cls(finding.rule, other.text, finding.beside(other).text, finding.key(other))

    @staticmethod
    def names(rule: str) -> tuple[str, str]:
        """The names of `text` and `beside` in the file."""
        return ("file", "message") if rule == UNREAD else ("wording", "preferred")


@dataclass(frozen=True)
class Baseline:
    entries: tuple[BaselineEntry, ...] = ()
    """Sorted, one entry for each fingerprint."""
    folder: Path = field(default=Path(), compare=False)
    """The folder of the baseline; the paths of unread places are relative to it."""

    @classmethod
    def of(cls, findings: Iterable[Finding], errors: Iterable[ReadError] = (), folder: Path = Path()) -> "Baseline":
        """A baseline of all current findings and unread places."""
        entries = [BaselineEntry.of(finding, other) for finding in findings for other in finding.others]
        return cls._sorted([*entries, *(entry for entry, _ in _unread(errors, folder))], folder)

    @classmethod
    def _sorted(cls, entries: Iterable[BaselineEntry], folder: Path) -> "Baseline":
        by_fingerprint: dict[str, BaselineEntry] = {}
        for entry in sorted(entries):
            by_fingerprint.setdefault(entry.fingerprint, entry)
        return cls(tuple(by_fingerprint.values()), folder)

    @cached_property
    def fingerprints(self) -> frozenset[str]:
        return frozenset(entry.fingerprint for entry in self.entries)

    def pruned(self, findings: Iterable[Finding], errors: Iterable[ReadError] = ()) -> "Baseline":
        """Only the entries that still occur, with their current texts and keys; nothing is added."""
        pairs = ((finding, other) for finding in findings for other in finding.others)
        entries = [BaselineEntry.of(finding, other) for finding, other in pairs if self._knows(finding, other)]
        unread = (entry for entry, _ in _unread(errors, self.folder) if entry.fingerprint in self.fingerprints)
        return self._sorted([*entries, *unread], self.folder)

    def new(self, findings: Iterable[Finding]) -> tuple[Finding, ...]:
        """Findings that are not completely known yet, reduced to what is new."""
        if not self.entries:
            return tuple(findings)
        left = map(self._unknown_of, findings)
        return tuple(finding for finding in left if finding is not None)

    def known(self, findings: Iterable[Finding]) -> tuple[Finding, ...]:
        """The rest of `new`: findings of which something is known, reduced to that."""
        left = map(self._known_of, findings)
        return tuple(finding for finding in left if finding is not None)

    def new_errors(self, errors: Iterable[ReadError]) -> tuple[ReadError, ...]:
        """Unread places that are not in the baseline. `errors` contains all places of a file."""
        if not self.entries:
            return tuple(errors)
        numbered = _unread(errors, self.folder)
        return tuple(error for entry, error in numbered if entry.fingerprint not in self.fingerprints)

    def _unknown_of(self, finding: Finding) -> Finding | None:
        suppressed = [other for other in finding.others if self._knows(finding, other)]
        return finding.within(lambda _, other: other not in suppressed) if suppressed else finding

    def _known_of(self, finding: Finding) -> Finding | None:
        return finding.within(lambda _, other: self._knows(finding, other))

    def _knows(self, finding: Finding, other: Subject) -> bool:
        return not self.fingerprints.isdisjoint(finding.keys(other))

    def to_json(self) -> str:
        """Stable text: one entry per block, sorted by rule and texts, so that a diff shows what was added and
        removed."""
        entries = [
            {
                "rule": entry.rule,
                **dict(zip(BaselineEntry.names(entry.rule), (entry.text, entry.beside), strict=True)),
                "fingerprint": entry.fingerprint,
            }
            for entry in self.entries
        ]
        return json.dumps({"version": VERSION, "findings": entries}, ensure_ascii=False, indent=2) + "\n"


def new_errors(files: tuple[FeatureFile, ...], baseline: Baseline) -> tuple[FeatureFile, ...]:
    """The files, each only with those unread places that are not in the baseline."""
    return tuple(replace(file, errors=baseline.new_errors(file.errors)) if file.errors else file for file in files)


def read_baseline(path: Path) -> Baseline:
    """Raises `CukereuseError` if the file is missing, unreadable, or no baseline of this version."""
    remedy = f"Recreate it: cukereuse scan … --baseline {path} --write-baseline"
    try:
        data: Any = json.loads(path.read_bytes().decode("utf-8"))
    except OSError as error:
        raise CukereuseError(f"baseline {path} can't be read: {error.strerror or error}", remedy) from None
    except (ValueError, RecursionError) as error:
        raise CukereuseError(f"baseline {path} is not JSON: {error}", remedy) from None
    if not isinstance(data, dict) or not isinstance(data.get("findings"), list):
        raise CukereuseError(f"baseline {path} has no list of findings", remedy)
    if data.get("version") != VERSION:
        message = f"baseline {path} has version {data.get('version')!r}; this cukereuse reads version {VERSION}"
        raise CukereuseError(message, remedy)
    entries = (_entry(item, number, path) for number, item in enumerate(data["findings"], start=1))
    return Baseline._sorted(entries, path.parent)


def _entry(item: Any, number: int, path: Path) -> BaselineEntry:
    if not isinstance(item, dict) or not isinstance(item.get("fingerprint"), str):
        raise CukereuseError(f"baseline {path}: finding {number} has no fingerprint")
    rule = str(item.get("rule", ""))
    text, beside = (str(item.get(name, "")) for name in BaselineEntry.names(rule))
    return BaselineEntry(rule, text, beside, item["fingerprint"])


def _unread(errors: Iterable[ReadError], folder: Path) -> list[tuple[BaselineEntry, ReadError]]:
    """Each place with its entry. Places of one file with the same message are told apart by their order."""
    above: Counter[tuple[str, str]] = Counter()
    entries = []
    for error in errors:
        file = _seen_from(folder, error.path)
        above[file, error.message] += 1
        key = fingerprint(UNREAD, file, f"{above[file, error.message]} {error.message}")
        entries.append((BaselineEntry(UNREAD, file, error.message, key), error))
    return entries


def _seen_from(folder: Path, path: str) -> str:
    """A path relative to the baseline's folder: the same on every machine and from every working folder."""
    real = os.path.realpath(path)
    try:
        return PurePath(os.path.relpath(real, os.path.realpath(folder))).as_posix()
    except ValueError:  # another drive
        return PurePath(real).as_posix()


def write_baseline(path: Path, baseline: Baseline) -> None:
    """Raises `CukereuseError` if the file can't be written."""
    try:
        write_atomically(path, baseline.to_json().encode("utf-8", "backslashreplace"))
    except OSError as error:
        raise CukereuseError(f"baseline {path} can't be written: {error.strerror or error}") from None
