"""Writes plans to disk, all files or none, and undoes them.

New and old contents are first written beside their targets; then only names change (if a file has hard links, which a
new name would separate, its contents). A journal is written before that, so that a later run can undo the change if the
process died meanwhile. It covers everything that one command changes, and is found from any folder inside. The last
change can be undone while its files are as it left them. A file that has changed since the plan is never written.
"""

import json
import os
import secrets
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from cukereuse_engine.errors import CukereuseError
from cukereuse_engine.gherkin.read import content_hash
from cukereuse_engine.refactor.edits import ChangedFileError, edited_bytes
from cukereuse_engine.refactor.rename_plan import FileEdits
from cukereuse_engine.refactor.staged_file import StagedFile, contents_of, hash_of
from cukereuse_engine.storage import cache_dir, write_atomically

_ROOT = "root.txt"
"""Name of the file with the path of the journal's folder."""
Contents = Mapping[str, tuple[bytes | None, bytes | None]]
"""Maps a path to the file's old and new content; None: there is no file."""
_KEPT = 20
"""Number of changes below one folder that can be undone, the latest first."""


@dataclass(frozen=True, slots=True)
class Recovered:
    """What was undone of an interrupted change."""

    files: tuple[str, ...] = ()
    """Files that are as they were before it."""
    stuck: tuple[tuple[str, str], ...] = ()
    """Files that have changed since, or can't be written, each with the path of its former content."""

    def __bool__(self) -> bool:
        return bool(self.files or self.stuck)

    def __add__(self, other: "Recovered") -> "Recovered":
        return Recovered(self.files + other.files, self.stuck + other.stuck)


class Journal:
    """The changes of the files below one folder. Kept in the user's cache folder."""

    def __init__(self, root: str) -> None:
        name = content_hash(os.path.realpath(root).encode("utf-8", "surrogateescape"))
        self.root = os.path.realpath(root)
        self.folder = cache_dir() / "renames" / name
        self._running = self.folder / "running.json"

    @classmethod
    def around(cls, place: str) -> "list[Journal]":
        """The existing journals of a folder and of all folders above it, the nearest first."""
        start = Path(os.path.realpath(place))
        journals = [cls(str(folder)) for folder in (start, *start.parents)]
        return [journal for journal in journals if journal.folder.is_dir()]

    @classmethod
    def below(cls, place: str) -> "list[Journal]":
        """The existing journals of folders inside a folder."""
        start = os.path.realpath(place).rstrip(os.sep) + os.sep
        roots = []
        for note in (cache_dir() / "renames").glob(f"*/{_ROOT}"):
            with suppress(OSError, UnicodeError):
                roots.append(note.read_text("utf-8", "surrogateescape"))
        return [cls(root) for root in sorted(roots) if root.startswith(start)]

    def apply(self, files: Sequence[FileEdits], title: str) -> None:
        """Write the plan's files. Raises `ChangedFileError` if one has changed since the plan, and `CukereuseError` if
        one can't be written; then all are as before, or the message names those that are not."""
        with self._locked():
            _refuse_halves(self._recover())
            contents: dict[str, tuple[bytes | None, bytes | None]] = {}
            for file in files:
                data = b"" if file.is_new else contents_of(file.path)
                contents[file.path] = (None if file.is_new else data, edited_bytes(file, data))
            self._swap(contents, title=title)

    def undo(self) -> tuple[str, list[str]]:
        """Undo the latest change; returns its title and files. Raises `CukereuseError` if there is none, and
        `ChangedFileError` if a file has changed since."""
        with self._locked():
            _refuse_halves(self._recover())
            records = sorted(self.folder.glob("done-*.json"))
            if not records:
                raise CukereuseError("there is no change to undo here")
            record = json.loads(records[-1].read_text("utf-8"))
            contents: dict[str, tuple[bytes | None, bytes | None]] = {}
            changed = []
            for path, entry in record["files"].items():
                data = contents_of(path)
                if content_hash(data) != entry["new"]:
                    changed.append(path)
                content = entry["content"]
                contents[path] = (data, None if content is None else bytes.fromhex(content))
            if changed:
                names = ", ".join(changed[:5])
                raise ChangedFileError(
                    f"changed since then: {names}", "Revert your changes, or undo the change by hand."
                )
            self._swap(contents, undone=records[-1])
            return record["title"], list(contents)

    @property
    def latest(self) -> float:
        """When the change that `undo` would take back was made, in seconds since 1970; 0.0 if there is none."""
        records = sorted(self.folder.glob("done-*.json"))
        return records[-1].stat().st_mtime if records else 0.0

    def recover(self) -> Recovered:
        """Undo an interrupted change."""
        if not self._running.exists():
            return Recovered()
        with self._locked():
            return self._recover()

    def _swap(self, contents: Contents, *, title: str = "", undone: Path | None = None) -> None:
        """Replace old contents by new ones, all or none; keep a record under `title`, or remove the record `undone`.

        Raises `CukereuseError`.
        """
        token = secrets.token_hex(6)
        staged = [StagedFile.beside(path, token, old, new) for path, (old, new) in _each_file_once(contents).items()]
        record = self._next_record() if undone is None else None
        note = _Note(staged, record, undone)
        try:
            note.write(self._running, done=False)
            for file in staged:
                file.lay_out()
            for file in staged:
                file.take_new()
            if record is not None:
                with suppress(OSError):  # the change is done; it only can't be undone
                    write_atomically(record, _record(contents, title))
            note.write(self._running, done=True)
        except BaseException as error:
            back = note.take_back(self._running)
            if isinstance(error, OSError):
                beside = {place: str(file.old.parent) for file in staged for place in (str(file.old), str(file.new))}
                place = beside.get(str(error.filename), error.filename or "a file")
                message = f"{place} can't be written: {error.strerror or error}"
                if back.stuck:
                    raise CukereuseError(message, _described(back)) from None
                raise CukereuseError(f"{message}; nothing was changed") from None
            raise
        note.finish(self._running)
        for old_record in sorted(self.folder.glob("done-*.json"))[:-_KEPT]:
            old_record.unlink(missing_ok=True)

    def _next_record(self) -> Path:
        records = sorted(self.folder.glob("done-*.json"))
        number = int(records[-1].stem.split("-")[1]) + 1 if records else 1
        return self.folder / f"done-{number:08d}.json"

    def _recover(self) -> Recovered:
        try:
            document = json.loads(self._running.read_text("utf-8"))
            note, done = _Note.of(document), bool(document["done"])
        except (OSError, ValueError, KeyError, TypeError):
            return Recovered()
        if done:
            note.finish(self._running)
            return Recovered()
        return note.take_back(self._running)

    @contextmanager
    def _locked(self) -> Iterator[None]:
        """One process at a time; a lock ends with its process. Raises `CukereuseError` while another process works."""
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            if not (self.folder / _ROOT).exists():
                (self.folder / _ROOT).write_bytes(self.root.encode("utf-8", "surrogateescape"))
            file = (self.folder / "lock").open("a+b")
        except OSError as error:
            raise CukereuseError(f"{self.folder} can't be written: {error.strerror or error}") from None
        with file:
            try:
                _lock(file)
            except OSError:
                raise CukereuseError("another change is being written here", "Wait for it.") from None
            yield


def _each_file_once(contents: Contents) -> dict[str, tuple[bytes | None, bytes | None]]:
    """One path for each file, which a repository may link several times. Raises `CukereuseError` if the paths of a file
    would get different contents."""
    first: dict[tuple[int, int], str] = {}
    for path, (_, new) in contents.items():
        try:
            status = os.stat(path)  # noqa: PTH116
        except OSError:
            status = None
        is_told = status is not None and status.st_ino
        key = (status.st_dev, status.st_ino) if status is not None and is_told else (-1, len(first))
        other = first.setdefault(key, path)
        if contents[other][1] != new:
            message = f"{other} and {path} are one file, which would have to hold two texts; nothing was changed"
            raise CukereuseError(message, "Replace one of the links with a copy.")
    return {path: contents[path] for path in first.values()}


def _described(back: Recovered) -> str:
    """What a person must do about files that could not be restored."""
    places = "; ".join(f"{path} (its previous contents: {old})" for path, old in back.stuck[:5])
    more = f"; and {len(back.stuck) - 5:,} more" if len(back.stuck) > 5 else ""
    return f"These files have changed since; undo them by hand: {places}{more}."


def _refuse_halves(back: Recovered) -> None:
    """Raises `CukereuseError` if an interrupted change could not be undone completely."""
    if back.stuck:
        raise CukereuseError("an interrupted change could not be undone completely", _described(back))


def _record(contents: Contents, title: str) -> bytes:
    """The record that `undo` needs."""
    files = {
        os.path.abspath(path): {"new": hash_of(new), "content": None if old is None else old.hex()}  # noqa: PTH100
        for path, (old, new) in contents.items()
    }
    return json.dumps({"title": title, "files": files}, ensure_ascii=True).encode()


class _Note:
    """A change in progress, for the process that finds it unfinished."""

    def __init__(self, staged: Sequence[StagedFile], made: Path | None, undone: Path | None) -> None:
        self.staged = staged
        self.made = made
        """Its record, which `take_back` removes."""
        self.undone = undone
        """The record of the change that it undoes, which `finish` removes."""

    @classmethod
    def of(cls, document: dict[str, Any]) -> "_Note":
        staged = [StagedFile.of(entry) for entry in document["files"]]
        made, undone = (Path(name) if name else None for name in (document["made"], document["undone"]))
        return cls(staged, made, undone)

    def write(self, path: Path, *, done: bool) -> None:
        """Raises `OSError`."""
        names = {name: str(value or "") for name, value in (("made", self.made), ("undone", self.undone))}
        document = {"done": done, "files": [file.entry() for file in self.staged], **names}
        write_atomically(path, json.dumps(document, ensure_ascii=True).encode())

    def take_back(self, path: Path) -> Recovered:
        """Restore all files; `path` is the note's own file."""
        kept = [file for file in self.staged if not file.take_back()]
        self._end(path, self.made)
        stuck = tuple((file.path, str(file.old)) for file in kept)
        return Recovered(tuple(file.path for file in self.staged if file not in kept), stuck)

    def finish(self, path: Path) -> None:
        """Remove what lies beside the new files."""
        for file in self.staged:
            file.clean()
        self._end(path, self.undone)

    def _end(self, path: Path, record: Path | None) -> None:
        for place in (record, path):
            if place is not None:
                place.unlink(missing_ok=True)


if os.name == "nt":
    import msvcrt

    def _lock(file: IO[bytes]) -> None:
        file.seek(0)
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined]
else:
    import fcntl

    def _lock(file: IO[bytes]) -> None:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
