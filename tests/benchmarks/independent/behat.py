"""Reads which contexts each suite of Behat loads, and which scenarios it runs: from `behat.yml` and its imports, the
services' files, and the lines of the contexts' own sources."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

CONFIGURATIONS = ("behat.yml", "behat.yaml", "behat.yml.dist", "behat.dist.yml", "behat.yaml.dist")
_CLASS = re.compile(r"^(?:abstract |final |readonly )*(?:class|trait)\s+(\w+)(?:\s+extends\s+([\w\\]+))?", re.MULTILINE)
_TRAIT = re.compile(r"^\s+use\s+([\w\\, ]+);", re.MULTILINE)
_SERVICE = re.compile(r"<service\s+id=\"([^\"]+)\"\s+class=\"([^\"]+)\"")


@dataclass(frozen=True)
class Suite:
    name: str
    sources: frozenset[str]
    """Sources of its contexts, and of all that they inherit."""
    paths: tuple[str, ...]
    tags: str

    def runs(self, path: str, scenarios: Iterable[Sequence[str]]) -> bool:
        inside = not self.paths or any(
            path == folder or path.startswith(folder.rstrip("/") + "/") for folder in self.paths
        )
        return inside and any(_holds(self.tags, tags) for tags in scenarios)


def suites_in(sources: Mapping[str, bytes]) -> list[Suite]:
    """The suites of the current folder; none if it has no configuration, or if some context is not found."""
    configuration = next((Path(name) for name in CONFIGURATIONS if Path(name).is_file()), None)
    if configuration is None:
        return []
    files: dict[str, str] = {}
    inherits: dict[str, list[str]] = {}
    for path, data in sources.items():
        text = data.decode("utf-8", "replace") if path.endswith(".php") else ""
        for header in _CLASS.finditer(text):
            files[header.group(1)] = path
            used = [name.strip() for names in _TRAIT.findall(text[header.start() :]) for name in names.split(",")]
            parents = [*used, *([header.group(2)] if header.group(2) else [])]
            inherits[path] = [parent.rpartition("\\")[2] for parent in parents]
    services = _services()
    suites: list[Suite] = []
    for name, suite in _suites(configuration):
        contexts = [
            next(iter(context)) if isinstance(context, dict) else context for context in suite.get("contexts") or []
        ]
        classes = [_of_class(services.get(context, context), sources, files) for context in contexts]
        own = _lineage([context for context in classes if context], files, inherits)
        paths = [str(path).replace("%paths.base%/", "") for path in suite.get("paths") or []]
        tags = str((suite.get("filters") or {}).get("tags", ""))
        suites.append(Suite(name, frozenset(own), tuple(paths), tags))
    return suites


def _suites(configuration: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    read = yaml.safe_load(configuration.read_text("utf-8")) or {}
    for imported in read.get("imports") or []:
        if (configuration.parent / imported).is_file():
            yield from _suites(configuration.parent / imported)
    for profile in read.values():
        suites = profile.get("suites") if isinstance(profile, dict) else None
        yield from ((name, suite) for name, suite in (suites or {}).items() if isinstance(suite, dict))


def _services() -> dict[str, str]:
    services: dict[str, str] = {}
    for path in Path().rglob("*.xml"):
        services.update(_SERVICE.findall(path.read_text("utf-8", "replace")))
    return services


def _of_class(name: str, sources: Mapping[str, bytes], files: Mapping[str, str]) -> str:
    """The source whose path ends like the class; otherwise the one with a class of its last name."""
    parts = name.strip("\\").split("\\")
    for at in range(len(parts)):
        wanted = "/".join(parts[at:]) + ".php"
        for path in sources:
            if path == wanted or path.endswith("/" + wanted):
                return path
    return files.get(parts[-1], "")


def _lineage(paths: Sequence[str], files: Mapping[str, str], inherits: Mapping[str, Sequence[str]]) -> set[str]:
    lineage: set[str] = set()
    waiting = list(paths)
    while waiting:
        path = waiting.pop()
        if path not in lineage:
            lineage.add(path)
            waiting += [files[parent] for parent in inherits.get(path, ()) if parent in files]
    return lineage


def _holds(expression: str, tags: Sequence[str]) -> bool:
    """True if tags meet a filter such as `@a&&~@b,@c`: all conditions, each by one alternative; `~` denies."""
    if not expression:
        return True
    every = [group.split(",") for group in expression.split("&&")]
    return all(any(_has(tag.strip(), tags) for tag in group) for group in every)


def _has(tag: str, tags: Sequence[str]) -> bool:
    wanted = tag.lstrip("~")
    return (f"@{wanted.lstrip('@')}" in tags) is not tag.startswith("~")
