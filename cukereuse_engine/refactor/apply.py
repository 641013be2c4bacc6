"""Plans on disk: all files or none, and back again.

New and old contents are laid out beside their targets first; then only names change (of a file with hard links, which
would come apart, the contents do). A journal, written before all of that, tells a later run what to take back where the
process died in between. It belongs to everything that one command touches, and is found from any folder inside. What
was applied last can be undone while the files are as they were left. Never writes a file that is not what the plan was
made from.
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
from cukereuse_engine.storage import cache_dir, write_atomically

_ENTRY = ("path", "old", "new", "old_hash", "new_hash")
_ROOT = "root.txt"
"""Holds the path of the folder whose journal it is."""
_NOWHERE = ""
"""The hash of a file that is not there."""
Contents = Mapping[str, tuple[bytes | None, bytes | None]]
"""Path to what a file holds and is to hold; None: it is not there."""
_KEPT = 20
"""Renames below one folder that can be undone, the latest first."""


@dataclass(frozen=True, slots=True)
class Recovered:
    """What was taken back of a rename that a process left half done."""

    files: tuple[str, ...] = ()
    """They are as they were before it."""
    stuck: tuple[tuple[str, str], ...] = ()
    """Files that were changed since, or can't be written, with where their former contents lie."""

    def __bool__(self) -> bool:
        return bool(self.files or self.stuck)

    def __add__(self, other: "Recovered") -> "Recovered":
        return Recovered(self.files + other.files, self.stuck + other.stuck)


class Journal:
    """What was done to the files below one folder. Lies in the user's cache folder."""

    def __init__(self, root: str) -> None:
        name = content_hash(os.path.realpath(root).encode("utf-8", "surrogateescape"))
        self.root = os.path.realpath(root)
        self.folder = cache_dir() / "renames" / name
        self._running = self.folder / "running.json"

    @classmethod
    def around(cls, place: str) -> "list[Journal]":
        """Those that exist of a folder and of all around it, the nearest first."""
        start = Path(os.path.realpath(place))
        journals = [cls(str(folder)) for folder in (start, *start.parents)]
        return [journal for journal in journals if journal.folder.is_dir()]

    @classmethod
    def below(cls, place: str) -> "list[Journal]":
        """Those that exist of folders inside a folder."""
        start = os.path.realpath(place).rstrip(os.sep) + os.sep
        roots = []
        for note in (cache_dir() / "renames").glob(f"*/{_ROOT}"):
            with suppress(OSError, UnicodeError):
                roots.append(note.read_text("utf-8", "surrogateescape"))
        return [cls(root) for root in sorted(roots) if root.startswith(start)]

    def apply(self, files: Sequence[FileEdits], title: str) -> None:
        """Write the plan's files. Raises `ChangedFileError` where one is no longer what it was planned from, and
        `CukereuseError` where one can't be written; then all are as before, or the message names what is not."""
        with self._locked():
            _refuse_halves(self._recover())
            contents: dict[str, tuple[bytes | None, bytes | None]] = {}
            for file in files:
                data = b"" if file.is_new else _read(file.path)
                contents[file.path] = (None if file.is_new else data, edited_bytes(file, data))
            self._swap(contents, title=title)

    def undo(self) -> tuple[str, list[str]]:
        """Take the latest rename back: its title and the files. Raises `CukereuseError` where there is none, and
        `ChangedFileError` where a file has changed since."""
        with self._locked():
            _refuse_halves(self._recover())
            records = sorted(self.folder.glob("done-*.json"))
            if not records:
                raise CukereuseError("there is no change to undo here")
            record = json.loads(records[-1].read_text("utf-8"))
            contents: dict[str, tuple[bytes | None, bytes | None]] = {}
            changed = []
            for path, entry in record["files"].items():
                data = _read(path)
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
        """When the rename that `undo` takes back was made, in seconds of the epoch; 0.0 where there is none."""
        records = sorted(self.folder.glob("done-*.json"))
        return records[-1].stat().st_mtime if records else 0.0

    def recover(self) -> Recovered:
        """Take back what a process left half done."""
        if not self._running.exists():
            return Recovered()
        with self._locked():
            return self._recover()

    def _swap(self, contents: Contents, *, title: str = "", undone: Path | None = None) -> None:
        """Old contents for new ones, all or none; with a record of it under `title`, or without the record `undone`.

        Raises `CukereuseError`.
        """
        token = secrets.token_hex(6)
        staged = [_Staged.beside(path, token, old, new) for path, (old, new) in _each_file_once(contents).items()]
        record = self._next_record() if undone is None else None
        note = _Note(staged, record, undone)
        try:
            note.write(self._running, done=False)
            for file in staged:
                file.lay_out()
            for file in staged:
                file.take_new()
            if record is not None:
                with suppress(OSError):  # the rename stands; it only can't be undone
                    write_atomically(record, _record(contents, title))
            note.write(self._running, done=True)
        except BaseException as error:
            back = note.take_back(self._running)
            if isinstance(error, OSError):
                message = f"{error.filename or 'a file'} can't be written: {error.strerror or error}"
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
        """One process at a time; a lock dies with its process. Raises `CukereuseError` while another one is at it."""
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
    """Without further names of a file, which a repository may link twice. Raises `CukereuseError` where these would
    hold different things."""
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
    """What a person must do about files that could not be taken back."""
    places = "; ".join(f"{path} (its previous contents: {old})" for path, old in back.stuck[:5])
    more = f"; and {len(back.stuck) - 5:,} more" if len(back.stuck) > 5 else ""
    return f"These files have changed since; undo them by hand: {places}{more}."


def _refuse_halves(back: Recovered) -> None:
    """Raises `CukereuseError` where an interrupted change could not be undone completely."""
    if back.stuck:
        raise CukereuseError("an interrupted change could not be undone completely", _described(back))


def _record(contents: Contents, title: str) -> bytes:
    """What `undo` needs to know."""
    files = {
        os.path.abspath(path): {"new": _hash(new), "content": None if old is None else old.hex()}  # noqa: PTH100
        for path, (old, new) in contents.items()
    }
    return json.dumps({"title": title, "files": files}, ensure_ascii=True).encode()


class _Note:
    """What is being done, for the process that finds it undone."""

    def __init__(self, staged: "Sequence[_Staged]", made: Path | None, undone: Path | None) -> None:
        self.staged = staged
        self.made = made
        """The record of it, which goes where it is taken back."""
        self.undone = undone
        """The record of what it takes back, which goes where it is done."""

    @classmethod
    def of(cls, document: dict[str, Any]) -> "_Note":
        staged = [_Staged(*(str(entry[name]) for name in _ENTRY)) for entry in document["files"]]
        made, undone = (Path(name) if name else None for name in (document["made"], document["undone"]))
        return cls(staged, made, undone)

    def write(self, path: Path, *, done: bool) -> None:
        """Raises `OSError`."""
        names = {name: str(value or "") for name, value in (("made", self.made), ("undone", self.undone))}
        document = {"done": done, "files": [file.entry() for file in self.staged], **names}
        write_atomically(path, json.dumps(document, ensure_ascii=True).encode())

    def take_back(self, path: Path) -> Recovered:
        """All files as they were; `path` is where it was written."""
        kept = [file for file in self.staged if not file.take_back()]
        self._end(path, self.made)
        stuck = tuple((file.path, str(file.old)) for file in kept)
        return Recovered(tuple(file.path for file in self.staged if file not in kept), stuck)

    def finish(self, path: Path) -> None:
        """Clear away what lies beside the files that are new."""
        for file in self.staged:
            file.clean()
        self._end(path, self.undone)

    def _end(self, path: Path, record: Path | None) -> None:
        for place in (record, path):
            if place is not None:
                place.unlink(missing_ok=True)


class _Staged:
    """One file between old and new: both lie beside it."""

    def __init__(self, path: str, old: str, new: str, old_hash: str, new_hash: str) -> None:
        self.path = path
        self.old = Path(old)
        self.new = Path(new)
        self.old_hash = old_hash
        self.new_hash = new_hash
        self.contents: tuple[bytes | None, bytes | None] | None = None

    @classmethod
    def beside(cls, path: str, token: str, old: bytes | None, new: bytes | None) -> "_Staged":
        real = Path(os.path.realpath(path))  # a link stays a link
        before, after = (str(real.with_name(f".{real.name[:100]}.{token}.{kind}")) for kind in ("old", "new"))
        staged = cls(str(real), before, after, _hash(old), _hash(new))
        staged.contents = (old, new)
        return staged

    def entry(self) -> dict[str, str]:
        return {name: str(getattr(self, name)) for name in _ENTRY}

    def lay_out(self) -> None:
        """Raises `OSError`."""
        assert self.contents is not None
        mode = None
        if self.old_hash != _NOWHERE:
            mode = Path(self.path).stat().st_mode & 0o7777
            with Path(self.path).open("r+b"):
                pass  # a file that is write-protected stays as it is
        for place, data in zip((self.old, self.new), self.contents, strict=True):
            if data is None:
                continue
            with place.open("xb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            if mode is not None:
                place.chmod(mode)

    def take_new(self) -> None:
        """Raises `OSError`; `ChangedFileError` where somebody wrote the file in between."""
        if self._hash_now() != self.old_hash:
            raise ChangedFileError(f"{self.path} has changed since the plan was made", "Plan again.")
        if self.new_hash == _NOWHERE:
            Path(self.path).unlink()
        elif self.old_hash == _NOWHERE:
            self.new.replace(self.path)
        elif self._is_linked():
            self._overwrite(self.new.read_bytes())
        else:
            self.new.replace(self.path)

    def take_back(self) -> bool:
        """The old contents; False, and they stay beside it, where somebody else wrote the file. Old contents that were
        not laid out whole are not needed: then no file has a new name yet."""
        try:
            if _NOWHERE in (self.old_hash, self.new_hash):
                return self._take_back_whole()
            now = Path(self.path).read_bytes()
            old = self.old.read_bytes() if self.old.exists() else None
            if content_hash(now) != self.old_hash and old is not None and content_hash(old) == self.old_hash:
                if content_hash(now) == self.new_hash and not self._is_linked():
                    self.old.replace(self.path)
                elif self._is_linked() and self._is_mixed(now, old):
                    self._overwrite(old)
                else:
                    self.new.unlink(missing_ok=True)
                    return False
        except OSError:
            return False
        self.clean()
        return True

    def _take_back_whole(self) -> bool:
        """The same for a file that came or went. Raises `OSError`."""
        now = self._hash_now()
        if now == self.new_hash and self.old_hash == _NOWHERE:
            Path(self.path).unlink()
        elif now == self.new_hash and self.old.exists() and content_hash(self.old.read_bytes()) == self.old_hash:
            self.old.replace(self.path)
        elif now != self.old_hash:
            self.new.unlink(missing_ok=True)
            return False
        self.clean()
        return True

    def _hash_now(self) -> str:
        return _hash(_read(self.path)) if os.path.lexists(self.path) else _NOWHERE

    def _is_linked(self) -> bool:
        """Whether the file has other names that must go on showing the same contents."""
        return Path(self.path).stat().st_nlink > 1

    def _is_mixed(self, now: bytes, old: bytes) -> bool:
        """Whether the file holds the new contents, or as much of them as a process wrote over the old ones."""
        if content_hash(now) == self.new_hash:
            return True
        new = self.new.read_bytes()
        pairs = enumerate(zip(now, new, strict=False))
        same = next((at for at, (a, b) in pairs if a != b), min(len(now), len(new)))
        return now[same:] == old[same:]

    def _overwrite(self, data: bytes) -> None:
        """Raises `OSError`."""
        with Path(self.path).open("r+b") as file:
            file.write(data)
            file.truncate()
            file.flush()
            os.fsync(file.fileno())

    def clean(self) -> None:
        for place in (self.old, self.new):
            with suppress(OSError):
                place.unlink(missing_ok=True)


def _hash(data: bytes | None) -> str:
    return _NOWHERE if data is None else content_hash(data)


def _read(path: str) -> bytes:
    try:
        return Path(path).read_bytes()
    except OSError as error:
        raise ChangedFileError(f"{path} can no longer be read: {error.strerror or error}") from None


if os.name == "nt":
    import msvcrt

    def _lock(file: IO[bytes]) -> None:
        file.seek(0)
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined]
else:
    import fcntl

    def _lock(file: IO[bytes]) -> None:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
