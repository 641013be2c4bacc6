"""Which files below a folder belong to the suite, by ignore rules and the user's patterns.

Skips everything that is not the user's own: version control, dependencies, virtual environments, build outputs, and
whatever `.gitignore` or `.cukereuseignore` names. Links to folders are not followed (their target is read in its own
place), so no loop of links is ever walked. Never opens a file other than ignore files.
"""

# Paths are strings all the way: pathlib doubles the time of a walk.
# ruff: noqa: PTH110, PTH113, PTH118, PTH120, PTH206

import hashlib
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import TYPE_CHECKING, NamedTuple, Protocol

import msgspec

from cukereuse_engine.storage import plain_text

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

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
"""Folders that build tools write, and what must be beside them (a name or its end)."""
_OWN_PARENTS = frozenset({"features", "feature", "spec", "specs"})
"""A `vendor` folder below one of these is a subject of the suite, not a dependency."""
_ENVIRONMENT = "pyvenv.cfg"
"""A virtual environment contains this file, whatever its folder is called."""
_IGNORE_FILES = (".gitignore", ".cukereuseignore")


@dataclass(frozen=True, slots=True)
class _Rules:
    """The ignore rules of one folder."""

    base: str
    """Absolute folder that the patterns are relative to."""
    spec: "GitIgnoreSpec"
    from_git: bool


class Folder(msgspec.Struct, array_like=True, frozen=True, gc=False):
    """The parts of a folder that a walk takes, by the rules that apply there."""

    rules: str
    """Digest of the ignore rules in the folder, its own among them."""
    only_included: bool
    """True if only what `include` names counts."""
    folders: tuple[tuple[str, bool], ...]
    """Names of the folders that are walked, and whether only included files count in them."""
    files: tuple[str, ...]
    links: tuple[tuple[str, bool], ...]
    """Links whose names count, and whether they lead to a file, or to nothing."""
    ignore_files: tuple[str, ...]


class KeptFolders(Protocol):
    """Listings of unchanged folders: see `storage.kept`."""

    def get(self, path: str) -> tuple[Folder] | None: ...

    def put(self, path: str, value: Folder) -> None: ...


class Walk:
    """The rules of a walk through folders."""

    def __init__(
        self,
        suffixes: tuple[str, ...],
        include: tuple[str, ...],
        exclude: tuple[str, ...],
        on_folder: Callable[[str], None] | None = None,
    ) -> None:
        self.suffixes = suffixes
        self.endings = tuple(suffix.lower() for suffix in suffixes)
        """The same suffixes in lower case, for names in lower case."""
        self.include = include
        self.exclude = exclude
        self.unlisted: set[str] = set()
        """Folders that can't be listed."""
        self._on_folder = on_folder
        self._include_spec = spec_of(include) if include else None
        self._exclude_spec = spec_of(exclude) if exclude else None

    def files(self, root: str, kept: KeptFolders | None = None) -> Iterator[tuple[str, bool]]:
        """The path of each file below a folder, and true if it is a link."""
        absolute = os.path.realpath(root)
        rules = _Chain.above(absolute)
        if _ignored(rules.rules, absolute, is_folder=True):
            rules = _Chain(absolute)  # the user named a folder that the repository ignores
        pending = [_Visit(root, absolute, "", rules, only_included=False)]
        while pending:
            visit = pending.pop()
            if self._on_folder is not None:
                self._on_folder(visit.folder)
            known = visit.kept_in(kept) if kept is not None else None
            listing = known or self._listed(visit)
            if listing is None:
                self.unlisted.add(visit.folder)
                yield visit.folder, False
                continue
            if known is None and kept is not None:
                kept.put(visit.folder, listing)
            before = visit.before
            for name in listing.files:
                yield f"{before}{name}", False
            for name, was_file in listing.links:
                if was_file if known is None else _leads_to_file(f"{before}{name}"):
                    yield f"{before}{name}", True
            pending += visit.below(listing)

    def _listed(self, visit: "_Visit") -> Folder | None:
        """The listing of a folder; None if it can't be listed."""
        try:
            with os.scandir(visit.folder) as listing:
                entries = sorted(listing, key=lambda entry: entry.name)
        except OSError:
            return None
        names = {entry.name for entry in entries}
        is_environment = bool(visit.relative) and _ENVIRONMENT in names
        if is_environment and not visit.only_included and not (self.include and self._leads(visit.relative)):
            return Folder(visit.around.digest, False, (), (), (), ())
        own = tuple(name for name in (*_IGNORE_FILES, ".git") if name in names)
        chain = visit.rules_with(own)
        contents = self._contents(entries, visit, chain.rules, names, visit.only_included or is_environment)
        return Folder(chain.digest, visit.only_included, *contents, own)

    def _contents(
        self,
        entries: "Iterable[os.DirEntry[str]]",
        visit: "_Visit",
        rules: "list[_Rules]",
        names: set[str],
        narrowed: bool,
    ) -> tuple[tuple[tuple[str, bool], ...], tuple[str, ...], tuple[tuple[str, bool], ...]]:
        """The folders to walk into, the files, and the links of a folder; see `Folder`."""
        folders: list[tuple[str, bool]] = []
        files: list[str] = []
        links: list[tuple[str, bool]] = []
        for entry in entries:
            below, real = f"{visit.relative}{entry.name}", os.path.join(visit.absolute, entry.name)
            if _is_folder(entry):
                walked, narrow = self._enters(entry.name, below, real, rules, names, narrowed)
                if walked:
                    folders.append((entry.name, narrow))
            elif entry.name.lower().endswith(self.endings) and self._takes(below, real, rules, narrowed):
                if entry.is_symlink():
                    links.append((entry.name, _leads_to_file(real)))
                elif _is_file(entry):
                    files.append(entry.name)
        return tuple(folders), tuple(files), tuple(links)

    def _takes(self, relative: str, absolute: str, rules: "list[_Rules]", only_included: bool) -> bool:
        if _names(self._exclude_spec, relative):
            return False
        if _names(self._include_spec, relative):
            return True
        return not only_included and not _ignored(rules, absolute, is_folder=False)

    def _enters(
        self,
        name: str,
        relative: str,
        absolute: str,
        rules: "list[_Rules]",
        siblings: set[str],
        only_included: bool,
    ) -> tuple[bool, bool]:
        """True to walk into a folder, and true if only included files count there."""
        inside = f"{relative}/"
        if _names(self._exclude_spec, inside):
            return False, False
        skipped = only_included or is_foreign(name, absolute, siblings) or _ignored(rules, absolute, is_folder=True)
        if not skipped:
            return True, False
        return bool(self.include) and self._leads(inside), True

    def _leads(self, folder: str) -> bool:
        """True if included files may be below a folder ("a/b/")."""
        return _names(self._include_spec, folder) or any(_leads_to(pattern, folder) for pattern in self.include)


def _leads_to(pattern: str, folder: str) -> bool:
    """True if a pattern names something below `folder` ("a/b/")."""
    return not pattern.startswith("!") and pattern.removeprefix("/").startswith(folder)


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir(follow_symlinks=False)
    except OSError:
        return False


def _is_file(entry: os.DirEntry[str]) -> bool:
    """True unless the entry is a device or a socket."""
    try:
        return entry.is_file()
    except OSError:
        return False


def _leads_to_file(link: str) -> bool:
    """True if a link leads to a file or to nothing, but not to a device or a pipe, which have no end."""
    return os.path.isfile(link) or not os.path.exists(link)


def is_foreign(name: str, absolute: str, siblings: set[str]) -> bool:
    """True for a folder whose contents are not the user's own."""
    if name in _SKIPPED:
        return True
    if name == "vendor":
        return _OWN_PARENTS.isdisjoint(absolute.split(os.sep))
    return name in _OUTPUTS and any(sibling.endswith(_OUTPUTS[name]) for sibling in siblings)


def by_names(include: Sequence[str] = (), exclude: Sequence[str] = ()) -> Callable[[str], bool]:
    """Whether a file counts in a walk, as far as its path below the walked folder tells, with `/`: for files that are
    not on the disk."""
    included, excluded = (spec_of(patterns) if patterns else None for patterns in (include, exclude))

    @cache
    def is_own(folder: str) -> bool:
        names = folder.split("/")
        return not any(is_foreign(name, os.sep.join(names[:end]), set()) for end, name in enumerate(names, 1))

    def takes(path: str) -> bool:
        return not _names(excluded, path) and (_names(included, path) or is_own(path.rpartition("/")[0]))

    return takes


class _Visit(NamedTuple):
    """A folder on the walk."""

    folder: str
    """The folder as the user named it."""
    absolute: str
    relative: str
    """The path to what is walked: empty, or with a slash at its end."""
    around: "_Chain"
    """The rules of the folders above."""
    only_included: bool

    def rules_with(self, own: Sequence[str]) -> "_Chain":
        """The rules that apply in it, with its own ignore files."""
        return _Chain(self.absolute, self.around, own, nested=bool(self.relative)) if own else self.around

    def kept_in(self, kept: KeptFolders) -> Folder | None:
        """Its kept listing, if it is still valid."""
        listing, *_ = kept.get(self.folder) or (None,)
        if listing is None or listing.only_included != self.only_included:
            return None
        return listing if listing.rules == self.rules_with(listing.ignore_files).digest else None

    @property
    def before(self) -> str:
        """The beginning of the paths of its contents."""
        return "" if self.folder == os.curdir else os.path.join(self.folder, "")

    def below(self, listing: Folder) -> "Iterator[_Visit]":
        rules = self.rules_with(listing.ignore_files) if listing.folders else self.around
        before, inside = self.before, self.absolute.rstrip(os.sep)
        for name, narrow in listing.folders:
            yield _Visit(f"{before}{name}", f"{inside}{os.sep}{name}", f"{self.relative}{name}/", rules, narrow)


class _Chain:
    """The ignore rules that apply in a folder, read when they are needed."""

    def __init__(
        self, folder: str, around: "_Chain | None" = None, names: Sequence[str] = (), *, nested: bool = False
    ) -> None:
        """`names`: the ignore files of the folder, and `.git` if it is a repository. `nested`: it is below the walked
        folder; then a repository has only its own rules."""
        self._folder = folder
        self._around = around
        self._is_repository = nested and ".git" in names
        self._texts: list[tuple[str, str]] = []
        for name in _IGNORE_FILES:
            if name in names:
                try:
                    self._texts.append((name, plain_text(os.path.join(folder, name), "utf-8-sig")))
                except OSError:
                    continue

    @classmethod
    def above(cls, folder: str) -> "_Chain":
        """The rules of the folders above an absolute folder, up to its repository's root."""
        above: list[str] = []
        current = folder
        while not os.path.exists(os.path.join(current, ".git")):
            parent = os.path.dirname(current)
            if parent == current:
                return cls(folder)
            above.append(parent)
            current = parent
        chain: _Chain | None = None
        for base in reversed(above):
            chain = cls(base, chain, _IGNORE_FILES)
        return chain or cls(folder)

    @cached_property
    def digest(self) -> str:
        content = (
            self._around.digest if self._around is not None else "",
            *((self._folder, str(self._is_repository)) if self._texts or self._is_repository else ()),
            *(part for text in self._texts for part in text),
        )
        return hashlib.blake2b("\0".join(content).encode("utf-8", "surrogateescape"), digest_size=16).hexdigest()

    @cached_property
    def rules(self) -> "list[_Rules]":
        around = self._around.rules if self._around is not None else []
        rules = [rule for rule in around if not (self._is_repository and rule.from_git)]
        for name, text in self._texts:
            try:
                spec = spec_of(text.splitlines())
            except ValueError:  # git would not accept this pattern either
                continue
            rules.append(_Rules(self._folder, spec, name == ".gitignore"))
        return rules


def spec_of(patterns: Iterable[str]) -> "GitIgnoreSpec":
    """Patterns as in `.gitignore`. Raises `ValueError` for a pattern that git would refuse."""
    from pathspec import GitIgnoreSpec  # loaded here, because it is not needed if no folder has changed

    return GitIgnoreSpec.from_lines(patterns)


def _names(spec: "GitIgnoreSpec | None", path: str) -> bool:
    return spec is not None and spec.match_file(path)


def _ignored(rules: list[_Rules], absolute: str, *, is_folder: bool) -> bool:
    """True if ignore rules leave a path out; the deepest rule that matches decides, as in git."""
    for rule in reversed(rules):
        relative = absolute[len(rule.base.rstrip(os.sep)) + 1 :].replace(os.sep, "/")
        verdict = rule.spec.check_file(f"{relative}/" if is_folder else relative).include
        if verdict is not None:
            return verdict
    return False
