"""Cucumber-JVM's runner classes and properties: which packages of step definitions each loads, for which features.

Each runner is a separate run. If no runner names the feature, `cucumber.glue` in `cucumber.properties` or
`junit-platform.properties` applies.
"""

import os
import re
from collections.abc import Mapping
from functools import lru_cache, partial
from pathlib import Path

from cukereuse_engine.glue.configuration import is_plain
from cukereuse_engine.glue.definition import Extraction, Runner, StepDefinition
from cukereuse_engine.glue.limits import has_tags
from cukereuse_engine.glue.rust_worlds import SUFFIX as RUST
from cukereuse_engine.glue.scopes import Scope

FRAMEWORK = "cucumber-jvm"
CONFIGURATIONS = ("cucumber.properties", "junit-platform.properties")
_LIBRARY = re.compile(r"(?!(?:io\.)?cucumber\.)[a-z_]\w*(?:\.\w+)+")
"""A package that several projects may have; Cucumber's own packages contain no step definitions."""


class JvmRunners:
    """The scopes of the runners for the feature files below one folder."""

    def __init__(self, root: str) -> None:
        """`root`: no properties above this folder are looked for."""
        self._root = Path(os.path.abspath(root))  # noqa: PTH100
        self._by_path: dict[str, tuple[Runner, ...]] = {}
        self._packages: dict[str, str] = {}
        """The packages that sources with definitions declare."""
        self._properties: dict[str, tuple[Runner, ...]] = {}
        self._of_modules: dict[Path, list[tuple[str, Runner]]] = {}
        """Maps a module's folder to its runners, each with the source of its class; empty until it is computed."""
        self._of_features: dict[str, list[tuple[str, Runner]]] = {}
        self._kept: dict[tuple[str, tuple[str, ...]], tuple[Scope, ...]] = {}
        self._scope_of: dict[tuple[str, tuple[str, ...]], Scope] = {}

    def reload(self) -> None:
        """Forget the properties, which have changed on disk."""
        self._properties.clear()
        self._forget()

    def _forget(self) -> None:
        for cache in (self._of_modules, self._of_features, self._kept, self._scope_of):
            cache.clear()

    def update(self, extractions: Mapping[str, Extraction | None]) -> bool:
        """Take sources that are new, changed or (None) gone. True if steps may bind to other definitions now."""
        has_changed = False
        for path, extraction in extractions.items():
            if path.endswith(RUST):
                continue
            before = self._by_path.pop(path, ())
            after = extraction.runners if extraction is not None else ()
            if after:
                self._by_path[path] = after
            package = extraction.package if extraction is not None else ""
            if before != after or package != self._packages.get(path, ""):
                has_changed = True
                self._forget()
            self._packages[path] = package
        return has_changed

    def scopes_of(self, path: str, tags: tuple[str, ...], titles: tuple[str, str] = ("", "")) -> tuple[Scope, ...]:
        """The scopes of the runners that run a scenario with these tags, or else of all: people can set other tags."""
        del titles
        key = path, tags
        if key not in self._kept:
            own = self._runners_of(path)
            own = [(source, runner) for source, runner in own if all(has_tags(tag, tags) for tag in runner.tags)] or own
            by_glue = {runner.glue: (source, runner) for source, runner in own}
            self._kept[key] = tuple(self._scope(source, runner) for source, runner in by_glue.values())
        return self._kept[key]

    def _scope(self, source: str, runner: Runner) -> Scope:
        """One scope for all files, which share its bindings."""
        run, glue = f"{source} {runner.name}", runner.glue
        if (run, glue) not in self._scope_of:
            self._scope_of[run, glue] = Scope(
                runner.name,
                partial(self._holds, glue),
                is_open=True,
                anywhere=False,
                libraries=self._outside(glue),
                run=run,
            )
        return self._scope_of[run, glue]

    def _holds(self, glue: tuple[str, ...], definition: StepDefinition) -> bool:
        if definition.framework != FRAMEWORK:
            return True
        package = self._packages.get(definition.path, "") + "."
        return any(not name or package.startswith(name + ".") for name in map(_package, glue))

    def _outside(self, glue: tuple[str, ...]) -> tuple[str, ...]:
        """The packages that have no source and no folder in the repository. A package directly in one of the
        repository's own packages is left out: its name is wrong, or the package is gone."""
        packages = {f"{package}." for package in self._packages.values() if package}
        roots = {root for source, package in self._packages.items() for root in _source_roots(source, package)}
        names = [name for name in map(_package, glue) if _LIBRARY.fullmatch(name)]
        return tuple(
            name
            for name in names
            if roots
            and not any(package.startswith(name + ".") for package in packages)
            and f"{name.rpartition('.')[0]}." not in packages
            and not any(os.path.isdir(os.path.join(root, *name.split("."))) for root in roots)  # noqa: PTH112, PTH118
        )

    def _runners_of(self, path: str) -> list[tuple[str, Runner]]:
        """The runners of the nearest module around a feature file that has any, or else those of the properties."""
        if path not in self._of_features:
            if not self._of_modules:
                for source in sorted(self._by_path):
                    runners = [(source, runner) for runner in self._by_path[source]]
                    self._of_modules.setdefault(self._module_of(source), []).extend(runners)
            absolute = Path(os.path.abspath(path))  # noqa: PTH100
            module = next((folder for folder in absolute.parents if folder in self._of_modules), absolute)
            named = [each for each in self._of_modules.get(module, ()) if _names(each[1], absolute)]
            self._of_features[path] = named or [("", runner) for runner in self._properties_of(absolute)]
        return self._of_features[path]

    def _module_of(self, source: str) -> Path:
        """The folder that contains `src`, or else the file's own. Folders above the root are in no module."""
        folder = Path(os.path.abspath(source)).parent  # noqa: PTH100
        if not folder.is_relative_to(self._root):
            return folder
        parts = folder.relative_to(self._root).parts
        return self._root.joinpath(*parts[: parts.index("src")]) if "src" in parts else folder

    def _properties_of(self, path: Path) -> tuple[Runner, ...]:
        """The runners that the properties on a feature file's classpath define."""
        resources = next((folder for folder in path.parents if folder.name == "resources"), None)
        if resources is None or self._root not in (resources, *resources.parents):
            return ()
        key = str(resources)
        if key not in self._properties:
            texts = (_text(resources / name) for name in CONFIGURATIONS)
            glue = [
                package
                for text in texts
                for package in re.findall(r"^[ \t]*cucumber\.glue[ \t]*[=:][ \t]*(.*\S)", text, re.MULTILINE)
            ]
            packages = tuple(package.strip() for line in glue[:1] for package in line.split(","))
            self._properties[key] = (Runner(key, packages),) if packages else ()
        return self._properties[key]


def _source_roots(source: str, package: str) -> list[str]:
    """The folders in which packages begin, with those of the same module's other sources and languages."""
    folder = os.path.dirname(os.path.abspath(source))  # noqa: PTH100, PTH120
    inner = os.sep + package.replace(".", os.sep)
    if not package or not folder.endswith(inner):
        return []
    root = folder.removesuffix(inner)
    sources = Path(root).parent.parent
    return [root, *map(str, sources.glob("*/*"))] if sources.name == "src" else [root]


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace") if is_plain(path) else ""
    except (OSError, ValueError):
        return ""


@lru_cache(maxsize=10_000)
def _package(glue: str) -> str:
    """The package in `classpath:web/steps`, or of a folder of sources, from which Cucumber loads nothing."""
    name = re.sub(r"^(?:classpath|file):|(?:^|.*/)src/\w+/(?:java|kotlin|scala)(?:/|$)", "", glue)
    return re.sub(r"[/\\]", ".", name).strip(".")


def _names(runner: Runner, path: Path) -> bool:
    """True if the features of a runner may include this file. A runner without features runs those beside its class on
    the classpath, or those on the command line."""
    around = path.as_posix() + "/"
    places = (re.sub(r"^(?:classpath|file):|(?::\d+)+$", "", place).strip("./") for place in runner.features)
    return not runner.features or any(not place or f"/{place}/" in around for place in places)
