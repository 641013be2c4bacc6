"""Paths that a user names -> files to read, in an order that is the same on every machine.

A file named by the user is always read. Below a folder, what is not the user's own is skipped: version control,
dependencies, virtual environments, outputs of build tools, and whatever `.gitignore` or `.cukereuseignore` says. Links
to folders are not followed (their target is read where it stands), so no loop of links is ever walked. Never opens a
file other than ignore files.
"""

# Paths are strings all the way: pathlib doubles the time of a walk.
# ruff: noqa: PTH100, PTH110, PTH112, PTH118, PTH120, PTH206

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from pathspec import GitIgnoreSpec

from cukereuse_engine.errors import CukereuseError

FEATURE_SUFFIXES = (".feature", ".feature.md")

_SKIPPED = frozenset(
    [
        ".git",
        ".hg",
        ".svn",
        ".bzr",
        ".jj",
        "_darcs",
        "CVS",
        "node_modules",
        "bower_components",
        "jspm_packages",
        ".venv",
        "venv",
        ".tox",
        ".nox",
        "site-packages",
        "__pycache__",
        ".mypy_cache",
        ".pytest_cache",
        ".ruff_cache",
        ".hypothesis",
        ".gradle",
        ".mvn",
        ".idea",
        ".vs",
        ".vscode",
        ".terraform",
        ".bundle",
        ".yarn",
        ".pnpm-store",
        ".next",
        ".nuxt",
        ".svelte-kit",
        ".cache",
        ".eggs",
        ".direnv",
        "Pods",
        ".dart_tool",
        ".nyc_output",
    ]
)
"""Folders that never hold a suite of the user's own."""
_OUTPUTS = {
    "target": ("pom.xml", "Cargo.toml", "build.sbt", "project.clj"),
    "build": ("build.gradle", "build.gradle.kts", "settings.gradle", "CMakeLists.txt", "setup.py", "pubspec.yaml"),
    "dist": ("package.json", "setup.py", "pyproject.toml"),
    "bin": (".csproj", ".vbproj", ".fsproj"),
    "obj": (".csproj", ".vbproj", ".fsproj"),
    "_build": ("mix.exs",),
    "deps": ("mix.exs",),
}
"""Folders that build tools write, and what must stand beside them (a name or its end)."""
_OWN_PARENTS = frozenset({"features", "feature", "spec", "specs"})
"""A `vendor` folder below one of these is a subject of the suite, not a dependency."""


@dataclass(frozen=True, slots=True)
class _Rules:
    """Ignore rules of one folder."""

    base: str
    """Absolute folder that the patterns are relative to."""
    spec: GitIgnoreSpec
    from_git: bool


def discover(
    paths: Iterable[str | Path],
    *,
    suffixes: Sequence[str] = FEATURE_SUFFIXES,
    include: Sequence[str] = (),
    exclude: Sequence[str] = (),
    on_folder: Callable[[str], None] | None = None,
) -> list[str]:
    """Files below `paths` whose name ends with one of `suffixes`, and every file that `paths` name themselves.

    `include` and `exclude` are patterns in the syntax of `.gitignore`, relative to each folder of `paths`: `include`
    brings back what is skipped by default or by ignore files, `exclude` leaves out and goes before everything else but
    a file that was named. Relative paths stay relative. A folder that can't be listed, or is named like a file, stands
    in the result too, so that reading it tells why. Each file once, sorted by the parts of its path. `on_folder` is
    told each folder before it is listed.

    Raises `CukereuseError` for a path that does not exist.
    """
    walk = _Walk(tuple(suffixes), tuple(include), GitIgnoreSpec.from_lines(exclude), on_folder)
    files: dict[str, str] = {}
    links: list[str] = []
    for path in paths:
        root = os.path.normpath(path)
        if not os.path.lexists(root):
            raise CukereuseError(
                f"{root}: no such file or folder", "Check the path, or the folder in which you started the command."
            )
        if not os.path.isdir(root):
            files.setdefault(os.path.abspath(root), root)
            continue
        for file, is_link in walk.files(root):
            if is_link:
                links.append(file)
            else:
                files.setdefault(os.path.abspath(file), file)
    real = {os.path.realpath(file) for file in files} if links else set()
    for link in links:
        target = os.path.realpath(link)
        if target not in real:
            real.add(target)
            files.setdefault(os.path.abspath(link), link)
    return sorted(files.values(), key=lambda file: file.split(os.sep))


class _Walk:
    def __init__(
        self,
        suffixes: tuple[str, ...],
        include: tuple[str, ...],
        exclude: GitIgnoreSpec,
        on_folder: Callable[[str], None] | None,
    ) -> None:
        self._on_folder = on_folder
        self._suffixes = suffixes
        self._include = include
        self._include_spec = GitIgnoreSpec.from_lines(include)
        self._exclude = exclude

    def files(self, root: str) -> Iterator[tuple[str, bool]]:
        """Path, and whether it is a link, of each file below a folder."""
        absolute = os.path.realpath(root)
        rules = _rules_above(absolute)
        if _ignored(rules, absolute, is_folder=True):
            rules = []  # the user named a folder that the repository ignores
        pending = [(root, absolute, "", rules, False)]
        while pending:
            folder, absolute, relative, rules, only_included = pending.pop()
            if self._on_folder is not None:
                self._on_folder(folder)
            try:
                with os.scandir(folder) as listing:
                    entries = sorted(listing, key=lambda entry: entry.name)
            except OSError:
                yield folder, False
                continue
            names = {entry.name for entry in entries}
            rules = _with_own(rules, absolute, names, nested=bool(relative))
            for entry in entries:
                below = f"{relative}{entry.name}"
                path = entry.name if folder == os.curdir else os.path.join(folder, entry.name)
                if _is_folder(entry):
                    if entry.name.endswith(self._suffixes):
                        yield path, False
                    real = os.path.join(absolute, entry.name)
                    walked, narrow = self._enters(entry, below, real, rules, names, only_included)
                    if walked:
                        pending.append((path, real, f"{below}/", rules, narrow))
                elif (
                    entry.name.endswith(self._suffixes)
                    and _is_file(entry)
                    and self._takes(below, os.path.join(absolute, entry.name), rules, only_included)
                ):
                    yield path, entry.is_symlink()

    def _takes(self, relative: str, absolute: str, rules: list[_Rules], only_included: bool) -> bool:
        if self._exclude.match_file(relative):
            return False
        if self._include and self._include_spec.match_file(relative):
            return True
        return not only_included and not _ignored(rules, absolute, is_folder=False)

    def _enters(
        self,
        entry: os.DirEntry[str],
        relative: str,
        absolute: str,
        rules: list[_Rules],
        siblings: set[str],
        only_included: bool,
    ) -> tuple[bool, bool]:
        """Whether to walk into a folder, and whether only included files count there."""
        inside = f"{relative}/"
        if self._exclude.match_file(inside):
            return False, False
        skipped = (
            only_included
            or _is_foreign(entry.path, entry.name, absolute, siblings)
            or _ignored(rules, absolute, is_folder=True)
        )
        if not skipped:
            return True, False
        if not self._include:
            return False, False
        leads = self._include_spec.match_file(inside) or any(_leads_to(pattern, inside) for pattern in self._include)
        return leads, True


def _leads_to(pattern: str, folder: str) -> bool:
    """Whether a pattern names something below `folder` ("a/b/")."""
    return not pattern.startswith("!") and pattern.removeprefix("/").startswith(folder)


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir(follow_symlinks=False)
    except OSError:
        return False


def _is_file(entry: os.DirEntry[str]) -> bool:
    """A file, a link to one, or a broken link; neither a link to a folder nor a device."""
    try:
        return entry.is_file() or (entry.is_symlink() and not entry.is_dir())
    except OSError:
        return entry.is_symlink()


def _is_foreign(path: str, name: str, absolute: str, siblings: set[str]) -> bool:
    """A folder that holds what is not the user's own."""
    if name in _SKIPPED:
        return True
    if name == "vendor":
        return _OWN_PARENTS.isdisjoint(absolute.split(os.sep))
    if name in _OUTPUTS:
        return any(sibling.endswith(_OUTPUTS[name]) for sibling in siblings)
    return os.path.exists(os.path.join(path, "pyvenv.cfg"))


def _rules_above(folder: str) -> list[_Rules]:
    """Ignore rules of the folders above an absolute folder, up to its repository's root."""
    above: list[str] = []
    current = folder
    while not os.path.exists(os.path.join(current, ".git")):
        parent = os.path.dirname(current)
        if parent == current:
            return []
        above.append(parent)
        current = parent
    rules: list[_Rules] = []
    for base in reversed(above):
        rules = _with_own(rules, base, {".gitignore", ".cukereuseignore"}, nested=False)
    return rules


def _with_own(rules: list[_Rules], folder: str, names: set[str], *, nested: bool) -> list[_Rules]:
    """`rules` and those of the folder itself; a repository inside another one keeps its own only."""
    result = list(rules)
    if nested and ".git" in names:
        result = [rule for rule in rules if not rule.from_git]
    for name in (".gitignore", ".cukereuseignore"):
        if name in names:
            try:
                lines = Path(folder, name).read_text("utf-8-sig", "replace").splitlines()
                result.append(_Rules(folder, GitIgnoreSpec.from_lines(lines), name == ".gitignore"))
            except (OSError, ValueError):  # unreadable, or a pattern that git would not take either
                continue
    return result


def _ignored(rules: list[_Rules], absolute: str, *, is_folder: bool) -> bool:
    """Whether ignore rules leave a path out; the deepest rule that matches decides, as in git."""
    for rule in reversed(rules):
        relative = os.path.relpath(absolute, rule.base).replace(os.sep, "/")
        verdict = rule.spec.check_file(f"{relative}/" if is_folder else relative).include
        if verdict is not None:
            return verdict
    return False
