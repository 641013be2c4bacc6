"""Cucumber-JVM's runner classes and properties: which packages of step definitions each loads, for which features.

Each runner is a run of its own. `cucumber.glue` in `cucumber.properties` or `junit-platform.properties` counts where no
runner names the feature.
"""

import os
import re
from collections.abc import Mapping
from functools import partial
from pathlib import Path, PurePath

from cukereuse_engine.glue.configuration import MAX_BYTES
from cukereuse_engine.glue.definition import Extraction, Runner, StepDefinition
from cukereuse_engine.glue.limits import has_tags
from cukereuse_engine.glue.scopes import Scope

FRAMEWORK = "cucumber-jvm"
CONFIGURATIONS = ("cucumber.properties", "junit-platform.properties")


class JvmRunners:
    """The scopes of the runners around the feature files below one folder."""

    def __init__(self, root: str) -> None:
        """`root`: the folder above which no properties are looked for."""
        self._root = Path(os.path.abspath(root))  # noqa: PTH100
        self._by_path: dict[str, tuple[Runner, ...]] = {}
        self._properties: dict[str, tuple[Runner, ...]] = {}
        self._kept: dict[tuple[str, tuple[str, ...]], tuple[Scope, ...]] = {}

    def reload(self) -> None:
        """Properties changed on disk."""
        self._properties.clear()
        self._kept.clear()

    def update(self, extractions: Mapping[str, Extraction | None]) -> None:
        """Sources are new, changed or (None) gone."""
        for path, extraction in extractions.items():
            before = self._by_path.pop(path, ())
            after = extraction.runners if extraction is not None else ()
            if after:
                self._by_path[path] = after
            if before != after:
                self._kept.clear()

    def scopes_of(self, path: str, tags: tuple[str, ...], titles: tuple[str, str] = ("", "")) -> tuple[Scope, ...]:
        """Those that run a scenario with these tags; where no runner has them, by tags that somebody types."""
        del titles
        key = path, tags
        if key not in self._kept:
            absolute = Path(os.path.abspath(path))  # noqa: PTH100
            around = {
                source: module for source in sorted(self._by_path) if (module := _module_of(source)) in absolute.parents
            }
            module = max(around.values(), key=lambda folder: len(folder.parts), default=absolute)
            own = [
                runner
                for source in around
                if around[source] == module
                for runner in self._by_path[source]
                if _names(runner, absolute)
            ] or list(self._properties_of(absolute))
            own = [runner for runner in own if all(has_tags(one, tags) for one in runner.tags)] or own
            by_glue = {runner.glue: runner for runner in own}
            self._kept[key] = tuple(
                Scope(runner.name, partial(_holds, glue), is_open=True, anywhere=False, run=runner.name)
                for glue, runner in by_glue.items()
            )
        return self._kept[key]

    def _properties_of(self, path: Path) -> tuple[Runner, ...]:
        """Of the properties on the classpath that a feature file is on."""
        resources = next((folder for folder in path.parents if folder.name == "resources"), None)
        if resources is None or self._root not in (resources, *resources.parents):
            return ()
        key = str(resources)
        if key not in self._properties:
            texts = (_text(resources / name) for name in CONFIGURATIONS)
            glue = [
                one for text in texts for one in re.findall(r"^\s*cucumber\.glue\s*[=:]\s*(.*\S)", text, re.MULTILINE)
            ]
            packages = tuple(package.strip() for line in glue[:1] for package in line.split(","))
            self._properties[key] = (Runner(key, packages),) if packages else ()
        return self._properties[key]


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace") if path.stat().st_size <= MAX_BYTES else ""
    except (OSError, ValueError):
        return ""


def _module_of(source: str) -> Path:
    """The folder that holds `src`, or else the one of the file."""
    folder = Path(os.path.abspath(source)).parent  # noqa: PTH100
    parts = folder.parts
    return Path(*parts[: parts.index("src")]) if "src" in parts[1:] else folder


def _names(runner: Runner, path: Path) -> bool:
    """Whether its features may be this one. Without any it runs what stands beside its class on the classpath, or what
    somebody types."""
    around = path.as_posix() + "/"
    places = (re.sub(r"^(?:classpath|file):|(?::\d+)+$", "", place).strip("./") for place in runner.features)
    return not runner.features or any(not place or f"/{place}/" in around for place in places)


def _holds(glue: tuple[str, ...], definition: StepDefinition) -> bool:
    if definition.framework != FRAMEWORK:
        return True
    folder = f"/{PurePath(os.path.abspath(definition.path)).parent.as_posix()}/"  # noqa: PTH100
    packages = (re.sub(r"^classpath:", "", package).replace(".", "/").strip("/") for package in glue)
    return any(not package or f"/{package}/" in folder for package in packages)
