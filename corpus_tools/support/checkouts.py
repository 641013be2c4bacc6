"""Checkouts on the user's machine as repositories of a corpus: read in place, and never changed.

Git names a checkout: by the address of its remote, without secrets, and by its commit, with `-dirty` if files differ
from it. A folder without git counts too.
"""

import hashlib
from collections.abc import Iterable, Sequence
from pathlib import Path

from corpus_tools.support.addresses import name_of, without_credentials
from corpus_tools.support.files import SUITES
from corpus_tools.support.repositories import Clone, slug
from cukereuse_engine.errors import CukereuseError
from cukereuse_engine.gherkin.discovery import FEATURE_SUFFIXES, discover
from cukereuse_engine.git import GitRepository, check_is_checkout
from cukereuse_engine.progress import SILENT, Progress


def checkouts(folders: Iterable[Path], progress: Progress = SILENT) -> list[Clone]:
    """A row for each checkout: the folder itself, or the folders in it that are checkouts or have feature files; by
    name.

    Raises `CukereuseError` for a folder that is missing, empty or a bare repository.
    """
    checkouts: dict[Path, None] = {}
    for folder in folders:
        if not folder.is_dir():
            raise CukereuseError(f"{folder} is not a folder")
        check_is_checkout(folder, "Name a clone of it, or list its address in a file for --addresses.")
        within = [folder] if _is_checkout(folder) else _folders(folder)
        checkouts |= {checkout.resolve(): None for checkout in within}
        if not within:
            raise CukereuseError(f"{folder} has no checkouts in it", "Name a checkout, or a folder of them.")
    rows: dict[str, Clone] = {}
    with progress.stage("looking", len(checkouts), "checkouts") as stage:
        for place in checkouts:
            row = _row(place)
            if slug(row.full_name) in rows:  # two checkouts of one remote
                row = _row(place, f"{place.parent.name or 'local'}/{place.name}")
            name, number = row.full_name, 2
            while slug(row.full_name) in rows:
                row = _row(place, f"{name}~{number}")
                number += 1
            rows[slug(row.full_name)] = row
            stage.advance()
    return sorted(rows.values(), key=lambda row: row.full_name)


def _folders(folder: Path) -> list[Path]:
    """The visible folders in it, in order; a link to a folder around it is none."""
    around = folder.resolve()
    places = sorted(place for place in folder.iterdir() if place.is_dir() and not place.name.startswith("."))
    return [place for place in places if not around.is_relative_to(place.resolve())]


def _is_checkout(folder: Path) -> bool:
    """True for a folder with a git repository; if no folder in it has one, also with the first files of a suite."""
    if _has_git(folder):
        return True
    if any(map(_has_git, _folders(folder))):
        return False
    begins = (folder / "features").is_dir() or any((folder / name).exists() for name in SUITES)
    return begins or any(folder.glob("*.feature"))


def _has_git(folder: Path) -> bool:
    try:
        return (folder / ".git").exists()
    except OSError:  # may not be looked into
        return False


def _row(place: Path, name: str = "") -> Clone:
    try:
        check_is_checkout(place)
    except (CukereuseError, OSError) as error:
        problem = error.message if isinstance(error, CukereuseError) else f"{error.filename}: {error.strerror}"
        return Clone(name or _of_folder(place), "failed", 0, 0, "", problem, str(place))
    features = [Path(name) for name in discover([place], suffixes=FEATURE_SUFFIXES)]
    address, commit = _known_to_git(place, features)
    named = name or name_of(without_credentials(address)) or _of_folder(place)
    status = "ok" if features else "no-features"
    return Clone(named, status, len(features), 0, commit, "", str(place))


def _of_folder(place: Path) -> str:
    owner, _, name = place.name.partition("__")
    return f"{owner}/{name}" if name else f"{place.parent.name or 'local'}/{place.name}"


def _known_to_git(place: Path, features: Sequence[Path]) -> tuple[str, str]:
    """The remote's address and the commit; empty if git knows none, or if the folder is only a part of a repository."""
    try:
        repository = GitRepository(place)
        if repository.root.resolve() != place:
            return "", ""
        commit = repository.resolve("HEAD")
        committed = {blob.path: blob.id for blob in repository.files(commit, FEATURE_SUFFIXES)}
    except CukereuseError:
        return "", ""
    changed = any(not (place / path).exists() for path in committed)
    own = [path for path in features if not _is_in_another(path, place)]
    if changed or any(_differs(path, committed.get(path.relative_to(place).as_posix())) for path in own):
        commit += "-dirty"
    try:
        return repository.run("config", "--get", "remote.origin.url").strip(), commit
    except CukereuseError:
        return "", commit


def _is_in_another(path: Path, place: Path) -> bool:
    """True for a file of a submodule, or of another repository inside `place`."""
    between = list(path.relative_to(place).parents)[:-1]
    return any((place / folder / ".git").exists() for folder in between)


def _differs(path: Path, blob: str | None) -> bool:
    """True if a file is not that blob. Line ends may be the system's own. Asks no git, whose filters are programs."""
    if blob is None:
        return True
    try:
        content = path.read_bytes()
    except OSError:
        return True
    made = hashlib.sha1 if len(blob) == 40 else hashlib.sha256
    forms = (content, content.replace(b"\r\n", b"\n"))
    return all(made(b"blob %d\0" % len(form) + form).hexdigest() != blob for form in forms)
