"""The texts of one suite with their places, kept up to date file by file.

The order is that of a scan: files by the parts of their path, steps in order. Compares nothing.
"""

import os
from collections import Counter
from collections.abc import Container, Generator, Iterable, Mapping, Set
from dataclasses import dataclass
from functools import reduce
from operator import or_
from typing import TypeVar

from cukereuse_engine.detection.canonical import canonical
from cukereuse_engine.gherkin.feature import FeatureFile, Step
from cukereuse_engine.gherkin.karate import Signs
from cukereuse_engine.scanning.suite import role_of, roles_of
from cukereuse_engine.suppression.pragmas import Pragmas
from cukereuse_engine.text.identity import identity, normalise
from cukereuse_engine.text.step_text import StepText
from cukereuse_engine.text.template import Template, template
from cukereuse_server.workspace.moved import Differing, Shift, differing
from cukereuse_server.workspace.steps_by_text import NO_STEPS, StepsByText

_T = TypeVar("_T")
_NO_KEYS: Mapping[str, int] = {}
_FILES_PER_SLICE, _TEXTS_PER_SLICE = 500, 500
"""Each slice takes some milliseconds."""


@dataclass(frozen=True, slots=True)
class FileEntry:
    """A file as it was last read."""

    file: FeatureFile
    sort_key: tuple[str, ...]
    pragmas: Pragmas
    karate: Signs
    texts: StepsByText
    """Normalised text to its steps in this file."""

    @property
    def is_karate(self) -> bool:
        return self.karate.are_karate


@dataclass(frozen=True, slots=True)
class ChangedFile:
    """The effects of a file's change."""

    before: FileEntry | None
    after: FileEntry | None
    texts: frozenset[str]
    """The texts with steps that differ in more than their lines."""
    keys: frozenset[str]
    """Keys of the templates of these texts."""
    moved: frozenset[str]
    """Keys of all other templates with steps on other lines."""
    shift: Shift | None
    """The shift of the steps; None if they moved in several ways."""

    @property
    def is_reworded(self) -> bool:
        """True if the file's contents changed at all: comments and tables also tell repeated scenarios apart."""
        before, after = (entry.file.content_hash if entry is not None else "" for entry in (self.before, self.after))
        return before != after

    @property
    def is_realigned(self) -> bool:
        """True if steps with the same text may be at other columns: indented further, or after another keyword."""
        before, after = self.before, self.after
        return (
            before is not None
            and after is not None
            and any(map(before.texts.__contains__, self.texts & after.texts.keys()))
        )


@dataclass(slots=True)
class TextEntry:
    """One distinct text."""

    identity: str
    template: Template
    paths: dict[str, int]
    """The files that contain it, with the roles of its steps there."""
    count: int = 0


class _Change:
    """The differences between two versions of a file."""

    def __init__(self, path: str, old: FileEntry | None, file: FeatureFile | None) -> None:
        self.old = old
        self.other = other = differing(path, old.file if old is not None else None, file)
        self.before = old.texts if old is not None else NO_STEPS
        self.names = names = _Names(self.before)
        self.new = new = _entry_of(path, file, old, other, names) if file is not None else None
        self.now = new.texts if new is not None else NO_STEPS
        self._gone, self._come = (
            Counter([names[step.text] for step in steps]) for steps in (other.before, other.after)
        )
        self.texts: set[str] = (self._gone.keys() | self._come.keys()) - {""}
        """Texts with other steps than before."""
        if old is not None and new is not None and old.is_karate != new.is_karate:  # compare all, or none
            self.texts = {*self.before, *self.now}

    def more(self, text: str) -> int:
        """The number of steps with a text that were added; negative if they were removed."""
        return self._come[text] - self._gone[text]

    def roles(self) -> dict[str, int]:
        """The roles of each changed text, at least."""
        if self.old is None:
            return _roles_by_text(self.other.after, self.names)
        return {text: _roles_in(self.now, text) for text in self.texts}


class Texts:
    def __init__(self) -> None:
        self.files: dict[str, FileEntry] = {}
        self.texts: dict[str, TextEntry] = {}
        """Entries by normalised text."""
        self.text_of: dict[str, str] = {}
        """Identity to text."""
        self.members: dict[str, dict[str, None]] = {}
        """Template key to the texts of this template."""
        self._key_of: dict[str, str] = {}
        """Text to the key of its template."""
        self._step_texts: dict[str, StepText] = {}
        """Results of `step_text` since the steps of a text changed."""
        self._karate: set[str] = set()
        """Paths of Karate's files."""
        self._keys: dict[str, dict[str, int]] = {}
        """For each path, the keys of the templates in the file, each with the number of texts there."""
        self._uses: dict[str, dict[str, int]] = {}
        """For each path, and each folder, these keys, each with the number of steps there."""
        self._occurrences: dict[str, int] = {}
        """The number of a template's steps, by key."""

    def folders(self) -> frozenset[str]:
        """The folders of the suite's feature files."""
        return frozenset(os.path.dirname(path) for path in self.files)  # noqa: PTH120

    def templates_of(self, texts: Set[str]) -> set[str]:
        """The keys of the templates of those texts that the suite has."""
        return set(map(self._key_of.__getitem__, texts & self._key_of.keys()))

    def replace_file(self, path: str, file: FeatureFile | None) -> ChangedFile:
        """Take a file that is new, changed or (None) gone."""
        change = _Change(path, self.files.pop(path, None), file)
        old, new, other = change.old, change.new, change.other
        (self._karate.add if new is not None and new.is_karate else self._karate.discard)(path)
        roles = change.roles()
        texts_of: dict[str, int] = {}
        """Key to how many texts more the file has of a template."""
        steps_of: dict[str, int] = {}
        for text in change.texts:
            self._step_texts.pop(text, None)
            more, is_here = change.more(text), text in change.now
            key = self._add(text, path, more, roles[text]) if is_here else self._remove(text, path, -more)
            texts_of[key] = texts_of.get(key, 0) + is_here - (text in change.before)
            steps_of[key] = steps_of.get(key, 0) + more
        self._count(path, texts_of, steps_of)
        if new is not None:
            self.files[path] = new
        else:
            del self._keys[path], self._uses[path]
        keys, moved = texts_of.keys(), set[str]()
        if other.shift is None or other.shift.lines:
            moved = self._moved(other, change.now, change.names, change.texts) - keys
        return ChangedFile(old, new, frozenset(change.texts), frozenset(keys), frozenset(moved), other.shift)

    def _count(self, path: str, texts_of: Mapping[str, int], steps_of: Mapping[str, int]) -> None:
        """Add a file's number of texts and steps, by template key."""
        _add_to(self._keys.setdefault(path, {}), texts_of)
        for counts in (*(self._uses.setdefault(place, {}) for place in (path, _folder(path))), self._occurrences):
            _add_to(counts, steps_of)

    def _moved(self, other: Differing, now: StepsByText, names: "_Names", changed: Set[str]) -> set[str]:
        """Keys of the templates with steps that have moved to other lines."""
        elsewhere = now.names(other.moved_parts)
        elsewhere.update(names[step.text] for step in other.moved)
        return set(map(self._key_of.__getitem__, elsewhere - changed - {""}))

    def _add(self, text: str, path: str, more: int, roles: int) -> str:
        entry = self.texts.get(text)
        if entry is None:
            entry = self.texts[text] = TextEntry(identity(text), template(text), {})
            self.text_of[entry.identity] = text
            self._key_of[text] = entry.template.key
            self.members.setdefault(entry.template.key, {})[text] = None
        entry.paths[path] = roles
        entry.count += more
        return entry.template.key

    def _remove(self, text: str, path: str, fewer: int) -> str:
        entry = self.texts[text]
        key = entry.template.key
        entry.paths.pop(path, None)
        entry.count -= fewer
        if not entry.paths:
            del self.texts[text]
            del self.text_of[entry.identity], self._key_of[text]
            members = self.members[key]
            del members[text]
            if not members:
                del self.members[key]
        return key

    def keys_of(self, path: str) -> Set[str]:
        """Keys of the templates in the present state of a file."""
        return self._keys.get(path, _NO_KEYS).keys()

    def is_language(self, key: str) -> bool:
        """True if a template occurs outside Karate's files; otherwise it is code and compared with nothing."""
        texts = self.members.get(key, ())
        return (
            any(not self._karate.issuperset(self.texts[text].paths) for text in texts) if self._karate else bool(texts)
        )

    def paths_of(self, key: str) -> set[str]:
        """The files that contain a template."""
        return {path for text in self.members.get(key, ()) for path in self.texts[text].paths}

    def occurrences(self, key: str) -> int:
        """The number of steps of a template."""
        return self._occurrences.get(key, 0)

    def uses_in(self, path: str, key: str) -> int:
        """The number of steps of a template in a file."""
        return self._uses.get(path, _NO_KEYS).get(key, 0)

    def uses_beside(self, path: str, key: str) -> int:
        """The number of steps of a template in the files of its folder, including this one."""
        return self._uses.get(_folder(path), _NO_KEYS).get(key, 0)

    def masked(self, key: str) -> str:
        """The masked form of a template's canonical text, which a scan embeds too."""
        members = self.members[key]
        if len(members) == 1:
            return self.texts[next(iter(members))].template.masked
        return canonical(map(self.step_text, members)).template.masked

    def step_text(self, text: str) -> StepText:
        cached = self._step_texts.get(text)
        if cached is not None:
            return cached
        entry = self.texts[text]
        roles = reduce(or_, entry.paths.values())
        cached = self._step_texts[text] = StepText(text, entry.identity, entry.template, entry.count, roles)
        return cached

    def count(self, text: str) -> int:
        """The number of steps with a text."""
        entry = self.texts.get(text)
        return entry.count if entry is not None else 0

    def steps(self, text: str, *, karate: bool = True) -> tuple[Step, ...]:
        """Every step with this text, by path and line."""
        files = [self.files[path] for path in self.texts[text].paths]
        if len(files) == 1:
            return files[0].texts[text] if karate or not files[0].is_karate else ()
        files.sort(key=lambda entry: entry.sort_key)
        return tuple(step for entry in files if karate or not entry.is_karate for step in entry.texts[text])

    def first_place(self, text: str) -> tuple[tuple[str, ...], tuple[int, int]]:
        """Sort key for the order of first appearance."""
        entries = [self.files[path] for path in self.texts[text].paths]
        first = entries[0] if len(entries) == 1 else min(entries, key=lambda entry: entry.sort_key)
        return first.sort_key, first.texts.first(text)

    def in_order(self, texts: Iterable[str]) -> list[str]:
        return sorted(texts, key=self.first_place)

    def all_texts(self) -> tuple[StepText, ...]:
        """Every distinct text in order of first appearance."""
        return complete(self.gather())

    def gather(self) -> Generator[None, None, tuple[StepText, ...]]:
        """`all_texts` in slices; texts that come or go meanwhile may be missing."""
        names: dict[str, None] = {}
        for number, entry in enumerate(sorted(self.files.values(), key=lambda entry: entry.sort_key)):
            names.update(dict.fromkeys(entry.texts))
            if number % _FILES_PER_SLICE == _FILES_PER_SLICE - 1:
                yield
        texts: list[StepText] = []
        for number, text in enumerate(names):
            if text in self.texts:
                texts.append(self.step_text(text))
            if number % _TEXTS_PER_SLICE == _TEXTS_PER_SLICE - 1:
                yield
        return tuple(texts)

    def language(self, texts: Iterable[StepText]) -> tuple[StepText, ...]:
        """The texts that occur outside Karate's files, from which a judge learns."""
        if not self._karate:
            return tuple(texts)
        paths = ((text, self.texts[text.text].paths) for text in texts if text.text in self.texts)
        return tuple(text for text, where in paths if not self._karate.issuperset(where))


class _Names(dict[str, str]):
    """Maps texts of steps to their normalised form, each computed once; most are already normalised."""

    def __init__(self, normalised: Container[str]) -> None:
        self._normalised = normalised

    def __missing__(self, text: str) -> str:
        name = self[text] = text if text in self._normalised else normalise(text)
        return name


def _entry_of(path: str, file: FeatureFile, before: FileEntry | None, other: Differing, names: _Names) -> FileEntry:
    old = before.texts if before is not None else NO_STEPS
    karate = before.karate if before is not None else Signs(0, 0, 0)
    return FileEntry(
        file=file,
        sort_key=tuple(path.split(os.sep)),  # noqa: PTH206 - as discovery sorts
        pragmas=Pragmas([file]),
        karate=karate.changed(_signs(other.before, names), _signs(other.after, names)),
        texts=old.changed(other.parts, other.gone, other.come, names.__getitem__),
    )


def _signs(steps: Iterable[Step], names: _Names) -> Signs:
    return Signs.of([step.text for step in steps if names[step.text]])


def _roles_by_text(steps: Iterable[Step], names: _Names) -> dict[str, int]:
    """Maps each text of these steps to the roles of its steps."""
    roles: dict[str, int] = {}
    for step in steps:
        name = names[step.text]
        roles[name] = roles.get(name, 0) | role_of(step)
    return roles


def _roles_in(texts: StepsByText, text: str) -> int:
    return roles_of(texts.get(text, ()))


def _add_to(counts: dict[str, int], more: Mapping[str, int]) -> None:
    """Add counts to counts; zeros are removed."""
    for key, by in more.items():
        count = counts.get(key, 0) + by
        if count:
            counts[key] = count
        else:
            counts.pop(key, None)


def _folder(path: str) -> str:
    return path.rpartition(os.sep)[0]


def complete(work: Generator[None, None, _T]) -> _T:
    """Run work in slices to its end, and return its result."""
    while True:
        try:
            next(work)
        except StopIteration as end:
            result: _T = end.value
            return result
