"""Cucumber's profiles: which step definitions each loads.

Reads `cucumber.yml`, `cucumber.json` and what `cucumber.js` or `cucumber.ts` tells without being run. A profile that
names no glue loads everything and is left out. Nothing is executed: ERB is cut out.
"""

import json
import os
import re
import shlex
from collections.abc import Callable, Iterator, Sequence, Set
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

from cukereuse_engine.glue import globs
from cukereuse_engine.glue.configuration import is_plain
from cukereuse_engine.glue.definition import StepDefinition
from cukereuse_engine.glue.limits import has_tags
from cukereuse_engine.glue.profiles_js import ANY, script_profiles
from cukereuse_engine.glue.scopes import Scope

FRAMEWORKS = frozenset({"cucumber-js", "cucumber-ruby"})
CONFIGURATIONS = tuple(
    folder + name
    for folder in ("", "config/", ".config/")
    for name in (
        *("cucumber.yml", "cucumber.yaml", "cucumber.json", "cucumber.js", "cucumber.cjs", "cucumber.mjs"),
        *("cucumber.ts", "cucumber.cts", "cucumber.mts"),
    )
)
_ERB = re.compile(r"<%.*?%>", re.DOTALL)
_SCRIPTS = frozenset({".js", ".cjs", ".mjs", ".ts", ".cts", ".mts"})
_LOADS = frozenset({"-r", "--require", "-i", "--import"})
_TAGS = frozenset({"-t", "--tags"})
_WITH_VALUE = frozenset(
    (
        *("-f", "--format", "-o", "--out", "-n", "--name", "-e", "--exclude", "-p", "--profile", "--require-module"),
        *("--config", "--format-options", "--language", "--loader", "--order", "--parallel", "--retry"),
        *("--retry-tag-filter", "--shard", "--world-parameters"),
    )
)


@dataclass(frozen=True, slots=True)
class Profile:
    name: str
    loads: tuple[str, ...]
    """Absolute files, folders and globs."""
    paths: tuple[str, ...]
    """Absolute feature files, folders and globs; empty: any."""
    tags: str = ""
    by_keyword: bool = False
    """True if a definition serves only steps of its own keyword."""
    takes_first: bool = False
    """True if the first loaded of several definitions counts."""

    def names(self, path: str) -> bool:
        return not self.paths or _is_below(path, self.paths)

    def takes(self, tags: tuple[str, ...]) -> bool:
        return not self.tags or has_tags(self.tags, tags)


def read_profiles(configuration: Path) -> tuple[Profile, ...]:
    """The profiles that name their glue. Never raises."""
    base = configuration.parent.parent if configuration.parent.name in ("config", ".config") else configuration.parent
    import yaml  # most suites have no configuration

    try:
        if not is_plain(configuration):
            return ()
        text = configuration.read_text(encoding="utf-8", errors="replace")
        read = list(_profiles(configuration.suffix, text))
    except (OSError, ValueError, RecursionError, yaml.YAMLError):
        return ()
    return tuple(profile_of(name, base, loads, paths, tags) for name, loads, paths, tags in read if loads)


def profile_of(name: str, base: Path, loads: Sequence[str], paths: Sequence[str], tags: str) -> Profile:
    """A profile with absolute paths. `base`: the folder in which Cucumber is started."""
    return Profile(name, absolute(base, loads), absolute(base, paths or _default_paths(base)), tags)


def _default_paths(base: Path) -> list[str]:
    """The folders in which Cucumber looks for features if none is named: `features`, if it exists."""
    return ["features"] if (base / "features").is_dir() else []


def _profiles(suffix: str, text: str) -> Iterator[tuple[str, list[str], list[str], str]]:
    """Name, glue, features and tag expression of each profile. Raises `ValueError` and `yaml.YAMLError`."""
    import yaml

    if suffix in _SCRIPTS:
        document: Any = script_profiles(text, typed=suffix.endswith("ts"))
    else:
        document = json.loads(text) if suffix == ".json" else yaml.safe_load(_ERB.sub("", text))
    for name, settings in document.items() if isinstance(document, dict) else ():
        if isinstance(settings, str):
            yield str(name), *of_line(settings)
        elif isinstance(settings, dict):
            tags = settings.get("tags")
            loads = _texts(settings.get("require")) + _texts(settings.get("import"))
            yield str(name), loads, _texts(settings.get("paths")), tags if isinstance(tags, str) else ""


def of_line(line: str, more: Set[str] = frozenset()) -> tuple[list[str], list[str], str]:
    """The glue, the features and the tag expression in a line of options. `more`: further options that take a value.
    Raises `ValueError` for an unclosed quote."""
    loads: list[str] = []
    paths: list[str] = []
    tags: list[str] = []
    words = shlex.split(line)[::-1]
    while words:
        word = words.pop()
        name, equals, value = word.partition("=")
        if name in _LOADS or name in _TAGS or name in _WITH_VALUE or name in more:
            if not equals and words and not words[-1].startswith("-"):  # `-i` takes no value in Ruby
                value = words.pop()
            if value:
                {**dict.fromkeys(_LOADS, loads), **dict.fromkeys(_TAGS, tags)}.get(name, []).append(value)
        elif not word.startswith(("-", "$")) and word != ANY:  # a computed word may be any option
            paths.append(re.sub(r":\d[\d:]*$", "", word))
    return loads, paths, " and ".join(f"({tag_expression})" for tag_expression in tags if ANY not in tag_expression)


def literals(text: str) -> list[str]:
    return [literal[1] for literal in re.findall(r"(['\"`])(.*?)\1", text)]


def _texts(value: Any) -> list[str]:
    return [text for text in value if isinstance(text, str)] if isinstance(value, list) else []


def absolute(base: Path, names: Sequence[str]) -> tuple[str, ...]:
    return tuple(os.path.normpath(base / name) for name in names)


@lru_cache(maxsize=100_000)
def _is_below(path: str, places: tuple[str, ...]) -> bool:
    return any(
        path == place
        or path.startswith(place.rstrip(os.sep) + os.sep)
        or (any(sign in place for sign in "*{[") and globs.matches(path, place))
        for place in places
    )


class Profiles:
    """The scopes of Cucumber's profiles, or of another runner's, for the feature files below one folder."""

    def __init__(
        self,
        root: str,
        frameworks: frozenset[str] = FRAMEWORKS,
        configurations: Sequence[str] = CONFIGURATIONS,
        read: Callable[[Path], tuple[Profile, ...] | None] = read_profiles,
    ) -> None:
        """`root`: no configuration above this folder is looked for. `frameworks`: the frameworks whose definitions they
        load. `read`: returns None for a file that is no configuration after all."""
        self._glue_folders: set[str] = set()
        """Absolute folders around step definitions: a project there may run features that are elsewhere."""
        self._elsewhere: list[tuple[str, Profile]] | None = None
        """Profiles with the folders of their configurations; None before they are searched."""
        self._frameworks = frameworks
        self._configurations = configurations
        self._read = read
        self._root = Path(os.path.abspath(root))  # noqa: PTH100
        self._by_folder: dict[str, tuple[Profile, ...]] = {}
        self._absolute_paths: dict[str, str] = {}
        self._scope_of: dict[tuple[Profile, bool], Scope] = {}
        self._scopes_by_place: dict[tuple[str, tuple[str, ...]], tuple[Scope, ...]] = {}

    def scopes_of(self, path: str, tags: tuple[str, ...], titles: tuple[str, str] = ("", "")) -> tuple[Scope, ...]:
        """The scopes of the profiles that run a scenario with these tags, or else its file; each glue counts once."""
        del titles
        saved = self._scopes_by_place.get((path, tags))
        if saved is None:
            absolute = os.path.abspath(path)  # noqa: PTH100
            profiles = self._profiles(os.path.dirname(absolute))  # noqa: PTH120
            profiles = profiles or self._of_elsewhere(absolute)
            naming = [profile for profile in profiles if profile.names(absolute)]
            taking = [profile for profile in naming if profile.takes(tags)]  # tags do not change what is loaded
            running = {profile.loads: profile for profile in taking or naming}
            scopes = (self._scope(profile, is_run=bool(taking)) for profile in running.values())
            saved = self._scopes_by_place[path, tags] = tuple(scopes)
        return saved

    def _scope(self, profile: Profile, *, is_run: bool) -> Scope:
        """One scope for all files, which share its bindings."""
        scope = self._scope_of.get((profile, is_run))
        if scope is None:
            scope = self._scope_of[profile, is_run] = Scope(
                profile.name,
                partial(self._holds, profile.loads),
                is_open=True,
                frameworks=self._frameworks,
                by_keyword=profile.by_keyword,
                libraries=tuple(filter(None, map(_package_of, profile.loads))),
                run="" if is_run else profile.name,  # nothing tells which profile runs such a scenario
                nearness=partial(self._nearness, profile.loads) if profile.takes_first else None,
            )
        return scope

    def _holds(self, loads: tuple[str, ...], definition: StepDefinition) -> bool:
        return definition.framework not in self._frameworks or _is_below(self._absolute(definition.path), loads)

    def _nearness(self, loads: tuple[str, ...], definition: StepDefinition) -> int:
        """The nearness of a definition: the earlier it is loaded, the higher."""
        path = self._absolute(definition.path)
        return -next((at for at, place in enumerate(loads) if _is_below(path, (place,))), len(loads))

    def _absolute(self, path: str) -> str:
        """The absolute path, cached because it is needed for each matching definition of each step."""
        absolute = self._absolute_paths.get(path)
        if absolute is None:
            absolute = self._absolute_paths[path] = os.path.abspath(path)  # noqa: PTH100
        return absolute

    def add_source(self, path: str) -> None:
        """Take a source with step definitions: a configuration around it applies to the features that it names."""
        folder = os.path.dirname(os.path.abspath(path))  # noqa: PTH100, PTH120
        root = str(self._root)
        new: list[str] = []
        while folder not in self._glue_folders and (folder == root or folder.startswith(root.rstrip(os.sep) + os.sep)):
            new.append(folder)
            folder = os.path.dirname(folder)  # noqa: PTH120
        self._glue_folders.update(new)
        if new:
            self._elsewhere = None
            self._scopes_by_place.clear()

    def is_outdated(self) -> bool:
        """True if configurations tell something else than when they were read."""
        now = Profiles(str(self._root), self._frameworks, self._configurations, self._read)
        now._glue_folders = self._glue_folders
        return (self._elsewhere is not None and now._told_elsewhere() != self._elsewhere) or any(
            now._profiles(folder) != profiles for folder, profiles in self._by_folder.items()
        )

    def _of_elsewhere(self, path: str) -> tuple[Profile, ...]:
        """The profiles that name a feature file outside their own folder."""
        return tuple(
            profile
            for folder, profile in self._told_elsewhere()
            if not path.startswith(folder) and _is_below(path, profile.paths)
        )

    def _told_elsewhere(self) -> list[tuple[str, Profile]]:
        if self._elsewhere is None:
            self._elsewhere = [
                (folder + os.sep, profile)
                for folder in sorted(self._glue_folders)
                for profile in self._in_folder(folder) or ()
                if profile.paths
            ]
        return self._elsewhere

    def _in_folder(self, folder: str) -> tuple[Profile, ...] | None:
        """The profiles in a folder; None if it has no configuration."""
        paths = (path for name in self._configurations if (path := Path(folder, name)).is_file())
        return next((profiles for path in paths if (profiles := self._read(path)) is not None), None)

    def _profiles(self, folder: str) -> tuple[Profile, ...]:
        if folder in self._by_folder:
            return self._by_folder[folder]
        own = self._in_folder(folder)
        profiles = own or ()
        if own is None and Path(folder) != self._root and self._root in Path(folder).parents:
            profiles = self._profiles(os.path.dirname(folder))  # noqa: PTH120
        self._by_folder[folder] = profiles
        return profiles


def _package_of(place: str) -> str:
    """The installed package that a profile loads from; empty if there is none."""
    _, inside, name = place.replace(os.sep, "/").rpartition("/node_modules/")
    parts = name.split("/")
    return "/".join(parts[: 2 if name.startswith("@") else 1]) if inside else ""
