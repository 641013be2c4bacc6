"""The baseline: findings that a team knows and leaves for later, so that only new ones are reported.

One entry for each thing that should change, keyed by what the finding says of it, never by where it stands: moved lines
and new members bring nothing old back. The readable texts beside the key are for the people who review the file.
"""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from cukereuse_engine.detection.finding import Finding, Subject
from cukereuse_engine.errors import CukereuseError
from cukereuse_engine.storage import write_atomically

VERSION = 1


@dataclass(frozen=True, slots=True, order=True)
class Entry:
    """One of the `others` of a known finding; the order of the fields is the order in the file."""

    rule: str
    wording: str
    preferred: str
    fingerprint: str

    @classmethod
    def of(cls, finding: Finding, other: Subject) -> "Entry":
        return cls(finding.rule, other.text, (finding.preferred or other).text, finding.key(other))


@dataclass(frozen=True)
class Baseline:
    entries: tuple[Entry, ...] = ()
    """Sorted, one a fingerprint."""

    @classmethod
    def of(cls, findings: Iterable[Finding]) -> "Baseline":
        """Everything that is found now."""
        return cls._sorted(Entry.of(finding, other) for finding in findings for other in finding.others)

    @classmethod
    def _sorted(cls, entries: Iterable[Entry]) -> "Baseline":
        by_fingerprint: dict[str, Entry] = {}
        for entry in sorted(entries):
            by_fingerprint.setdefault(entry.fingerprint, entry)
        return cls(tuple(by_fingerprint.values()))

    @cached_property
    def fingerprints(self) -> frozenset[str]:
        return frozenset(entry.fingerprint for entry in self.entries)

    def pruned(self, findings: Iterable[Finding]) -> "Baseline":
        """Only the entries that are still found, with their present texts and keys; nothing is added."""
        pairs = ((finding, other) for finding in findings for other in finding.others)
        return self._sorted(Entry.of(finding, other) for finding, other in pairs if self._knows(finding, other))

    def new(self, findings: Iterable[Finding]) -> tuple[Finding, ...]:
        """Findings of which something is not known yet, with that alone."""
        if not self.entries:
            return tuple(findings)
        left = map(self._unknown_of, findings)
        return tuple(finding for finding in left if finding is not None)

    def _unknown_of(self, finding: Finding) -> Finding | None:
        suppressed = [other for other in finding.others if self._knows(finding, other)]
        return finding.within(lambda _, other: other not in suppressed) if suppressed else finding

    def _knows(self, finding: Finding, other: Subject) -> bool:
        return not self.fingerprints.isdisjoint(finding.keys(other))

    def to_json(self) -> str:
        """Stable text: one entry a block, sorted by rule and texts, so that a diff shows what came and went."""
        fields = ("rule", "wording", "preferred", "fingerprint")
        entries = [{name: getattr(entry, name) for name in fields} for entry in self.entries]
        return json.dumps({"version": VERSION, "findings": entries}, ensure_ascii=False, indent=2) + "\n"


def read_baseline(path: Path) -> Baseline:
    """Raises `CukereuseError` when the file is missing, unreadable, or not a baseline of this version."""
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
    return Baseline._sorted(_entry(item, number, path) for number, item in enumerate(data["findings"], start=1))


def _entry(item: Any, number: int, path: Path) -> Entry:
    if not isinstance(item, dict) or not isinstance(item.get("fingerprint"), str):
        raise CukereuseError(f"baseline {path}: finding {number} has no fingerprint")
    rule, wording, preferred = (str(item.get(name, "")) for name in ("rule", "wording", "preferred"))
    return Entry(rule, wording, preferred, item["fingerprint"])


def write_baseline(path: Path, baseline: Baseline) -> None:
    """Raises `CukereuseError` when the file can't be written."""
    try:
        write_atomically(path, baseline.to_json().encode("utf-8", "backslashreplace"))
    except OSError as error:
        raise CukereuseError(f"baseline {path} can't be written: {error.strerror or error}") from None
