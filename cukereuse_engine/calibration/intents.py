"""What readers would merge: labelled suites, read from files, and how much of them a set of reported pairs contains.

A JSON file for each suite: `suite`; `wordings` (`id`, `text`, `uses`, `roles`: C context, A action, O outcome),
distinct with masked arguments; `readers`, each with groups of ids: `same`, `maybe`, `frames`. Wordings in no group
differ, so that recall and precision can both be measured.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property
from itertools import combinations
from pathlib import Path
from typing import Any

from cukereuse_engine.errors import CukereuseError
from cukereuse_engine.text.identity import normalise
from cukereuse_engine.text.template import measured_mask

Pair = tuple[int, int]
"""Two ids, the smaller first."""


class ReaderVerdict(IntEnum):
    """One reader's verdict on a pair; if a pair is in several groups, the highest counts."""

    FRAMES = 0
    """They differ in an argument without quotes."""
    MAYBE = 1
    """Worth a look: it depends on the glue."""
    SAME = 2
    """One wording, said in review."""


@dataclass(frozen=True, slots=True)
class ReadWording:
    text: str
    """Normalised; an example of the wording."""
    uses: int
    roles: frozenset[str]
    """Some of "C", "A", "O"."""


@dataclass(frozen=True, eq=False)
class ReadSuite:
    """One suite with everything that its readers grouped."""

    name: str
    wordings: Mapping[int, ReadWording]
    """Wordings by id."""
    readers: tuple[Mapping[Pair, ReaderVerdict], ...]

    @cached_property
    def sure(self) -> frozenset[Pair]:
        """Pairs that one reader calls the same, and every other at least maybe."""
        pairs = {pair for reader in self.readers for pair, reading in reader.items() if reading is ReaderVerdict.SAME}
        return frozenset(
            pair
            for pair in pairs
            if all(reader.get(pair, ReaderVerdict.FRAMES) >= ReaderVerdict.MAYBE for reader in self.readers)
        )

    @cached_property
    def right(self) -> frozenset[Pair]:
        """Pairs that any reader calls the same or maybe: a tool that reports them is right."""
        return frozenset(
            pair for reader in self.readers for pair, reading in reader.items() if reading >= ReaderVerdict.MAYBE
        )

    @cached_property
    def frames(self) -> frozenset[Pair]:
        """Pairs that differ only in an argument without quotes according to some reader, and that none would merge."""
        return frozenset(pair for reader in self.readers for pair in reader) - self.right

    @cached_property
    def groups(self) -> tuple[frozenset[int], ...]:
        """The groups that sure pairs form, smallest id first."""
        return joined(self.sure)

    @cached_property
    def id_of(self) -> Mapping[str, int]:
        """Maps the masked text in lower case to the wording's id."""
        return {wording_key(wording.text): number for number, wording in self.wordings.items()}


def wording_key(text: str) -> str:
    """A key that is equal for texts which are one wording to the readers."""
    return measured_mask(normalise(text)).lower()


def joined(pairs: Iterable[Pair]) -> tuple[frozenset[int], ...]:
    """The connected components of the pairs, each once, by their smallest id."""
    group_of: dict[int, set[int]] = {}
    for left, right in pairs:
        group = group_of.setdefault(left, {left})
        merged = group_of.setdefault(right, {right})
        if group is not merged:
            group |= merged
            group_of.update(dict.fromkeys(merged, group))
    distinct = {id(group): frozenset(group) for group in group_of.values()}
    return tuple(sorted(distinct.values(), key=min))


def read_suites_of_readers(paths: Iterable[Path]) -> tuple[ReadSuite, ...]:
    """Read every `.json` file of the folders, and single files, by name of the suite; a suite in several files has all
    their readers. Raises `CukereuseError` for files that can't be used, and if there is none."""
    suites: dict[str, ReadSuite] = {}
    for file in [file for path in paths for file in (sorted(path.glob("*.json")) if path.is_dir() else [path])]:
        suite = _read(file)
        earlier = suites.get(suite.name)
        if earlier is not None and earlier.id_of == suite.id_of:
            suite = ReadSuite(suite.name, suite.wordings, earlier.readers + suite.readers)
        suites[suite.name] = suite
    if not suites:
        raise CukereuseError("no labelled suites were found", "Name a folder with .json files, one per suite.")
    return tuple(suites[name] for name in sorted(suites))


def _read(path: Path) -> ReadSuite:
    try:
        data = json.loads(path.read_text("utf-8"))
        wordings = {
            int(item["id"]): ReadWording(normalise(item["text"]), int(item.get("uses", 1)), frozenset(item["roles"]))
            for item in data["wordings"]
        }
        readers = tuple(_reader(item, wordings) for item in data["readers"])
        return ReadSuite(str(data["suite"]), wordings, readers)
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise CukereuseError(
            f"{path} can't be used: {type(error).__name__} {error}",
            "Each file needs suite, wordings (id, text, uses, roles) and readers (same, maybe, frames).",
        ) from error


def _reader(data: Mapping[str, Any], wordings: Mapping[int, ReadWording]) -> dict[Pair, ReaderVerdict]:
    readings: dict[Pair, ReaderVerdict] = {}
    for reading in ReaderVerdict:  # the highest last
        for group in data.get(reading.name.lower(), ()):
            for member in group:
                if member not in wordings:
                    raise ValueError(f"no wording has the id {member}")
            readings.update(dict.fromkeys(combinations(sorted(set(group)), 2), reading))
    return readings
