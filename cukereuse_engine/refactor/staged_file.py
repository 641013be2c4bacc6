"""A file with its old and new contents, both stored beside it."""

import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from cukereuse_engine.gherkin.read import content_hash
from cukereuse_engine.refactor.edits import ChangedFileError

_ENTRY = ("path", "old", "new", "old_hash", "new_hash")
NOWHERE = ""
"""The hash of a file that is not there."""


class StagedFile:
    """A file between its old and new contents, both stored beside it."""

    def __init__(self, path: str, old: str, new: str, old_hash: str, new_hash: str) -> None:
        """Paths of the file and of both contents, and the hashes of these."""
        self.path = path
        self.old = Path(old)
        self.new = Path(new)
        self.old_hash = old_hash
        self.new_hash = new_hash
        self.contents: tuple[bytes | None, bytes | None] | None = None

    @classmethod
    def beside(cls, path: str, token: str, old: bytes | None, new: bytes | None) -> "StagedFile":
        real = Path(os.path.realpath(path))  # keeps a symbolic link
        before, after = (str(real.with_name(f".{real.name[:100]}.{token}.{kind}")) for kind in ("old", "new"))
        staged = cls(str(real), before, after, hash_of(old), hash_of(new))
        staged.contents = (old, new)
        return staged

    @classmethod
    def of(cls, entry: Mapping[str, object]) -> "StagedFile":
        """The file of an `entry`. Raises `KeyError`."""
        return cls(*(str(entry[name]) for name in _ENTRY))

    def entry(self) -> dict[str, str]:
        """The file as JSON."""
        return {name: str(getattr(self, name)) for name in _ENTRY}

    def lay_out(self) -> None:
        """Write both contents beside the file. Raises `OSError`."""
        assert self.contents is not None
        mode = None
        if self.old_hash != NOWHERE:
            mode = Path(self.path).stat().st_mode & 0o7777
            with Path(self.path).open("r+b"):
                pass  # a write-protected file stays write-protected
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
        """Give the file its new content. Raises `OSError`, and `ChangedFileError` if it has changed in between."""
        if self._hash_now() != self.old_hash:
            raise ChangedFileError(f"{self.path} has changed since the plan was made", "Plan again.")
        if self.new_hash == NOWHERE:
            Path(self.path).unlink()
        elif self.old_hash == NOWHERE:
            self.new.replace(self.path)
        elif self._is_linked():
            self._overwrite(self.new.read_bytes())
        else:
            self.new.replace(self.path)

    def take_back(self) -> bool:
        """Restore the old contents. False if somebody else has changed the file: the old contents then stay beside it.
        If they were not written completely, no file has been renamed yet, and they are not needed."""
        try:
            if NOWHERE in (self.old_hash, self.new_hash):
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
        """As `take_back`, for a file that was created or deleted. Raises `OSError`."""
        now = self._hash_now()
        if now == self.new_hash and self.old_hash == NOWHERE:
            Path(self.path).unlink()
        elif now == self.new_hash and self.old.exists() and content_hash(self.old.read_bytes()) == self.old_hash:
            self.old.replace(self.path)
        elif now != self.old_hash:
            self.new.unlink(missing_ok=True)
            return False
        self.clean()
        return True

    def _hash_now(self) -> str:
        return hash_of(contents_of(self.path)) if os.path.lexists(self.path) else NOWHERE

    def _is_linked(self) -> bool:
        """True if the file has other names, which must keep the same contents."""
        return Path(self.path).stat().st_nlink > 1

    def _is_mixed(self, now: bytes, old: bytes) -> bool:
        """True if the file contains the new contents, or a beginning of them that a process wrote over the old ones."""
        if content_hash(now) == self.new_hash:
            return True
        new = self.new.read_bytes()
        pairs = enumerate(zip(now, new, strict=False))
        same = next((at for at, (a, b) in pairs if a != b), min(len(now), len(new)))
        return now[same:] == old[same:]

    def _overwrite(self, data: bytes) -> None:
        """Write the content into the file itself. Raises `OSError`."""
        with Path(self.path).open("r+b") as file:
            file.write(data)
            file.truncate()
            file.flush()
            os.fsync(file.fileno())

    def clean(self) -> None:
        for place in (self.old, self.new):
            with suppress(OSError):
                place.unlink(missing_ok=True)


def hash_of(contents: bytes | None) -> str:
    """The hash of contents; None: there is no file."""
    return NOWHERE if contents is None else content_hash(contents)


def contents_of(path: str) -> bytes:
    """The bytes of a file. Raises `ChangedFileError` if it can't be read."""
    try:
        return Path(path).read_bytes()
    except OSError as error:
        raise ChangedFileError(f"{path} can no longer be read: {error.strerror or error}") from None
