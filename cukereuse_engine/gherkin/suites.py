"""Which suite a feature file belongs to: the unit that is compared, and to which the judge is adapted.

The suite's root is the nearest folder, including the file's own, with a configuration of cukereuse or of a runner. The
search goes up to the repository's root, whatever path the user named, so that a scan of one file or of `features/`
finds the same suite as a scan of the whole. Outside a repository, it ends below the home folder and below the file
system's root. If no folder is marked, the suite is the folder that the user named; for a named file, the outermost
`features` folder around it, else its repository, else its own folder. Never reads feature files.
"""

# Paths are strings all the way: pathlib doubles the time of a walk.
# ruff: noqa: PTH100, PTH110, PTH111, PTH112, PTH113, PTH117, PTH118, PTH119, PTH120, PTH206, PTH208

import os
from collections.abc import Iterable, Mapping
from pathlib import Path

from cukereuse_engine.source_root import repository_around
from cukereuse_engine.storage import plain_text

_MARKERS = frozenset(
    [
        "cukereuse.toml",
        "behave.ini",
        ".behaverc",
        "cucumber.js",
        "cucumber.cjs",
        "cucumber.mjs",
        "cucumber.ts",
        "cucumber.json",
        "cucumber.yml",
        "cucumber.yaml",
        "cucumber.properties",
        ".cypress-cucumber-preprocessorrc",
        ".cypress-cucumber-preprocessorrc.json",
        "behat.yml",
        "behat.yaml",
        "behat.php",
        "behat.yml.dist",
        "behat.yaml.dist",
        "behat.dist.yml",
        "behat.dist.yaml",
        "behat.dist.php",
        "reqnroll.json",
        "specflow.json",
    ]
)
"""Files whose presence marks a suite's root."""
_IN_CONFIG = frozenset({"cucumber.yml", "cucumber.yaml", "behat.yml", "behat.yaml"})
"""Files that mark the folder above when they lie in `config` or `.config`."""
_TELLING = {
    "pyproject.toml": ("[tool.cukereuse", "[tool.behave", "bdd_features_base_dir"),
    "pytest.ini": ("bdd_features_base_dir",),
    ".pytest.ini": ("bdd_features_base_dir",),
    "tox.ini": ("[behave", "bdd_features_base_dir"),
    "setup.cfg": ("[behave", "bdd_features_base_dir"),
}
"""Files that mark a suite's root when one of their lines begins so."""
DECIDING = _MARKERS.union(_TELLING)
"""Files that decide which suite a feature file belongs to."""


def group_by_suite(files: Iterable[str], roots: Iterable[str | Path]) -> Mapping[str, list[str]]:
    """Maps a suite's root to its files, both sorted; `roots` are the paths that the user named.

    A root is relative if its first file is; it may be above every named path.
    """
    finder = SuiteFinder(roots)
    groups: dict[str, list[str]] = {}
    for file in files:
        groups.setdefault(finder.root_of(file), []).append(file)
    shown = {root: _as_given(root, members[0]) for root, members in groups.items()}
    return {shown[root]: sorted(groups[root], key=lambda f: f.split(os.sep)) for root in sorted(groups)}


def _as_given(root: str, file: str) -> str:
    if os.path.isabs(file):
        return root
    try:
        return os.path.relpath(root)
    except ValueError:  # another drive
        return root


class SuiteFinder:
    """Looks at each folder once. While files are being added, make a new one instead."""

    def __init__(self, roots: Iterable[str | Path]) -> None:
        absolute = [os.path.abspath(root) for root in roots]
        self._folders = sorted((root for root in absolute if os.path.isdir(root)), key=len, reverse=True)
        self._marked: dict[str, str | None] = {}
        self._home = os.path.expanduser("~")

    def root_of(self, file: str) -> str:
        """Absolute suite root of a file."""
        folder = os.path.dirname(os.path.abspath(file))
        return self._nearest(folder) or self._unmarked(folder)

    def place_of(self, file: str) -> str:
        """The folder or file that is read for a file opened alone: its suite's folder if anything marks one, otherwise
        the file. Never the home folder or a folder around it."""
        path = os.path.abspath(file)
        folder = os.path.dirname(path)
        root = self.root_of(path)
        marked = self._nearest(folder), repository_around(folder)
        is_marked = root != folder or root in marked or "features" in path.split(os.sep)
        is_home = self._home == root or self._home.startswith(root.rstrip(os.sep) + os.sep)
        return root if is_marked and not is_home else path

    def _nearest(self, folder: str) -> str | None:
        """The nearest marked folder, including `folder`."""
        climbed: list[str] = []
        current, marked = folder, None
        while current not in self._marked:
            climbed.append(current)
            parent = os.path.dirname(current)
            if parent == current or current == self._home:
                break
            if _is_marked(current):
                marked = current
                break
            if os.path.exists(os.path.join(current, ".git")):
                break
            current = parent
        else:
            marked = self._marked[current]
        for each in climbed:
            self._marked[each] = marked
        return marked

    def _unmarked(self, folder: str) -> str:
        for root in self._folders:
            if folder == root or folder.startswith(root.rstrip(os.sep) + os.sep):
                return root
        repository = repository_around(folder)
        within = folder[len(repository) :] if repository else folder
        parts = within.split(os.sep)
        if "features" in parts:
            at = parts.index("features")
            return (repository or "") + os.sep.join(parts[: at + 1])
        return repository or folder


def _is_marked(folder: str) -> bool:
    try:
        names = set(os.listdir(folder))
    except OSError:
        return False
    if names & _MARKERS:
        # config/cucumber.yml applies to the folder above
        return not (os.path.basename(folder) in ("config", ".config") and names & _MARKERS <= _IN_CONFIG)
    for name in ("config", ".config"):
        if name in names and any(os.path.isfile(os.path.join(folder, name, file)) for file in _IN_CONFIG):
            return True
    return any(_has_line(os.path.join(folder, name), words) for name, words in _TELLING.items() if name in names)


def _has_line(path: str, words: tuple[str, ...]) -> bool:
    try:
        lines = plain_text(path).splitlines()
    except OSError:
        return False
    return any(line.strip().startswith(words) for line in lines)
