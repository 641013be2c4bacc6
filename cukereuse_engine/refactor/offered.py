"""Step definitions that a package offers to others: suites that are not here may use them, whatever the steps here do.

A manifest says which sources its package publishes; code of others that a repository contains says so by its folder.
"""

import os
import re
import tomllib
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path, PurePath
from typing import Any

from cukereuse_engine.glue.project_files import PROJECT_SUFFIXES, bytes_of, text_at, until_files_change

_OF_OTHERS = frozenset(("vendor", "vendored", "third_party", "third-party", "node_modules", "site-packages"))
"""Folders with packages of other people."""
_PACKED = ("<PackageId>", "<IsPackable>true", "<GeneratePackageOnBuild>true")
"""What a project of .NET says that becomes a package."""
_DEPLOYED = re.compile(r"<distributionManagement>|<artifactId>(?:central-publishing|nexus-staging)-maven-plugin<")
_NOT_DEPLOYED = re.compile(r"<(?:maven\.deploy\.skip|skipDeploy|skipPublishing)>\s*true")
_PUBLISHED_BY_GRADLE = re.compile(r"maven[-.]publish")
_MOST_SOURCES = 10_000


@until_files_change(_MOST_SOURCES)
def offered_by(path: str) -> str:
    """The manifest by which a package offers a source to others, or the folder of others' code that contains it; empty
    if it is offered by nobody. The folders up to the repository's are asked."""
    source = Path(path).absolute()
    for folder in source.parents:
        if folder.name in _OF_OTHERS:
            return f"{folder.name}/"
        names = _names(folder)
        manifests = [(name, publishes(folder, name)) for name in names if (publishes := _reader(name)) is not None]
        below = source.relative_to(folder)
        if offering := next((name for name, published in manifests if _is_within(below, published)), ""):
            return offering
        if ".git" in names:
            break
    return ""


def _names(folder: Path) -> list[str]:
    try:
        return sorted(os.listdir(folder))  # noqa: PTH208
    except OSError:
        return []


def _is_within(path: PurePath, folders: Iterable[str]) -> bool:
    """Whether a path is in one of the folders, which may begin with `/` and have a pattern behind them."""
    roots = (os.path.normpath(folder.partition("*")[0].lstrip("/")) for folder in folders)
    return any(map(path.is_relative_to, roots))


def _reader(manifest: str) -> Callable[[Path, str], list[str]] | None:
    """Reads the folders and files, relative to the manifest's, that its package publishes."""
    suffix = next((suffix for suffix in (".gemspec", *PROJECT_SUFFIXES) if manifest.endswith(suffix)), manifest)
    return _READERS.get(suffix)


def _of_composer(folder: Path, manifest: str) -> list[str]:
    """`autoload`, which an application has too, but not under a name for others or with another type."""
    data = _json(folder, manifest)
    if not isinstance(data.get("name"), str) or data.get("type") == "project":
        return []
    loaded = data.get("autoload")
    places = [loaded.get(how) for how in ("psr-4", "psr-0", "classmap", "files")] if isinstance(loaded, dict) else ()
    return list(_texts(each.values() if isinstance(each, dict) else each for each in places))


def _of_npm(folder: Path, manifest: str) -> list[str]:
    data = _json(folder, manifest)
    if data.get("private") or not isinstance(data.get("name"), str):
        return []
    main = next(iter(_texts([data.get("main")])), "")
    return [*_texts([data.get("files")]), *filter(None, [os.path.dirname(os.path.normpath(main))])]  # noqa: PTH120


def _of_dotnet(folder: Path, manifest: str) -> list[str]:
    project = text_at(str(folder), manifest)
    return [""] if any(mark in project for mark in _PACKED) else []


def _of_maven(folder: Path, manifest: str) -> list[str]:
    """A module that some repository of artifacts gets. Its parents inside the repository may say to which."""
    own = text_at(str(folder), manifest)
    if _NOT_DEPLOYED.search(own):
        return []
    if "<goal>test-jar</goal>" in own:
        return ["src/main", "src/test"]
    poms = [own, *(text_at(str(parent), manifest) for parent in _inside_repository(folder))]
    return ["src/main"] if any(map(_DEPLOYED.search, poms)) else []


def _of_gradle(folder: Path, manifest: str) -> list[str]:
    build = text_at(str(folder), manifest)
    fixtures = ["src/testFixtures"] if "java-test-fixtures" in build else []
    return [*fixtures, *(["src/main"] if _PUBLISHED_BY_GRADLE.search(build) else [])]


def _of_python(folder: Path, manifest: str) -> list[str]:
    """The packages of a distribution, which lie in `src` or have its name."""
    data = _toml(folder, manifest)
    tools = data.get("tool")
    project = data.get("project") or (tools.get("poetry") if isinstance(tools, dict) else None)
    if not isinstance(project, dict) or not isinstance(project.get("name"), str) or _is_private(project):
        return []
    return ["src", re.sub(r"[-_.]+", "_", project["name"])]


def _is_private(project: Mapping[str, Any]) -> bool:
    return project.get("package-mode") is False or any(
        text.startswith("Private ::") for text in _texts([project.get("classifiers")])
    )


def _of_cargo(folder: Path, manifest: str) -> list[str]:
    package = _toml(folder, manifest).get("package")
    if not isinstance(package, dict) or package.get("publish") is False or package.get("publish") == []:
        return []
    return ["src"] if (folder / "src" / "lib.rs").is_file() else []


def _inside_repository(folder: Path) -> Iterable[Path]:
    """The folders above, up to the repository's."""
    for above in (folder, *folder.parents):
        if above != folder:
            yield above
        if (above / ".git").exists():
            return


def _toml(folder: Path, manifest: str) -> Mapping[str, Any]:
    try:
        return tomllib.loads(bytes_of(str(folder / manifest)).decode("utf-8"))
    except (ValueError, RecursionError):
        return {}


def _json(folder: Path, manifest: str) -> Mapping[str, Any]:
    import json

    try:
        data = json.loads(bytes_of(str(folder / manifest)))
    except (ValueError, RecursionError):
        return {}
    return data if isinstance(data, dict) else {}


def _texts(values: Iterable[Any]) -> Iterable[str]:
    """The texts in values and in the lists that they are."""
    for value in values:
        if isinstance(value, str):
            yield value
        elif not isinstance(value, dict) and isinstance(value, Iterable):
            yield from _texts(value)


_READERS: Mapping[str, Callable[[Path, str], list[str]]] = {
    "composer.json": _of_composer,
    "package.json": _of_npm,
    ".gemspec": lambda _folder, _manifest: ["lib"],
    "pom.xml": _of_maven,
    "build.gradle": _of_gradle,
    "build.gradle.kts": _of_gradle,
    "pyproject.toml": _of_python,
    "Cargo.toml": _of_cargo,
    **dict.fromkeys(PROJECT_SUFFIXES, _of_dotnet),
}
"""Manifest, or its suffix, to what reads it."""
