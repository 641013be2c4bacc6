"""Writes files completely or not at all; knows where caches are, and when entries are no longer valid.

A partly written file is never read as complete: a temporary file in the same folder, fsync, `os.replace`.
"""

import hashlib
import os
import secrets
from collections.abc import Iterable
from pathlib import Path

CACHE_VARIABLE = "CUKEREUSE_CACHE_DIR"
"""Environment variable that names the cache folder instead of the platform's own."""


def cache_dir() -> Path:
    """The user's cache folder for cukereuse (not created here)."""
    override = os.environ.get(CACHE_VARIABLE)
    if override:
        return Path(override).expanduser()
    import platformdirs

    return Path(platformdirs.user_cache_dir("cukereuse", appauthor=False))


def digest_of(*places: Path) -> str:
    """Hex digest of files and of everything in folders, code and data of any kind. Another version of them is a cache
    miss, without a number that a person must remember to raise."""
    digest = hashlib.blake2b(digest_size=16)
    for place in places:
        for path in sorted(place.rglob("*")) if place.is_dir() else (place,):
            if path.is_file() and path.suffix != ".pyc":
                digest.update(path.read_bytes())
    return digest.hexdigest()


def plain_text(path: str, encoding: str = "utf-8") -> str:
    """The text of a file, bytes that are not UTF-8 replaced. Raises `OSError`, also for anything that is not a file: a
    pipe or a device has no end."""
    if not os.path.isfile(path):  # noqa: PTH113
        raise FileNotFoundError(path)
    return Path(path).read_text(encoding, "replace")


def write_atomically(path: Path, content: bytes | Iterable[bytes]) -> None:
    """Write `content`, whole or in pieces, to `path`: afterwards the file has all of it, or is as it was before.

    Creates missing parent folders. Raises `OSError` if the disk is full or the folder can't be written; the temporary
    file is removed then.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.parent / f".{path.name[:100]}.{secrets.token_hex(8)}.tmp"
    try:
        # "x" refuses an existing file and, unlike tempfile, leaves the permissions to the umask.
        with temporary.open("xb") as file:
            file.writelines((content,) if isinstance(content, bytes) else content)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
