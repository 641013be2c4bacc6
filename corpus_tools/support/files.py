"""The files of a repository that belong to a corpus; and a stamp that shows whether they have changed."""

import hashlib
import os
from fnmatch import fnmatch
from pathlib import Path

from cukereuse_engine.gherkin.suites import DECIDING
from cukereuse_engine.glue.languages.base import suffixes

FEATURES = ("*.feature", "*.feature.md")
GLUE = tuple(f"*{suffix}" for suffix in suffixes())
CONFIGURATION = ("setup.cfg", "tox.ini", "cucumber.*", "behat.*", "*.csproj", "package.json", "Gemfile", "pom.xml",
                 "go.mod", "composer.json", "CODEOWNERS")  # fmt: skip
SUITES = tuple(sorted(DECIDING))
"""Files that mark the beginning of a suite."""
_HIDDEN = (".github", ".gitlab")
"""Hidden folders of a repository that may have CODEOWNERS."""
_BUILT = frozenset(("node_modules", "target", "dist", "build"))


def stamp(folder: Path) -> str:
    """Hex digest of the paths, sizes and times of all files below `folder` that a stage may read. Links are not
    followed; unreadable files are ignored."""
    hasher = hashlib.blake2b(digest_size=16)
    for place, folders, names in os.walk(folder):
        hidden = _HIDDEN if place == str(folder) else ()
        folders[:] = sorted(
            name for name in folders if name in hidden or (name not in _BUILT and not name.startswith("."))
        )
        for name in sorted(names):
            if any(fnmatch(name, pattern) for pattern in (*FEATURES, *GLUE, *CONFIGURATION, *SUITES)):
                path = Path(place, name)
                try:
                    state = path.stat()
                except OSError:
                    continue
                line = f"{path.relative_to(folder).as_posix()}\0{state.st_size}\0{state.st_mtime_ns}\n"
                hasher.update(line.encode("utf-8", "surrogateescape"))
    return hasher.hexdigest()
