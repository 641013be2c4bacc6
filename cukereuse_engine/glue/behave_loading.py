"""How behave reads a project's sources: what its hooks set, which sources it loads, and what its version ignores."""

import os
import re
import sys
from collections.abc import Container, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import Any

from cukereuse_engine.glue import behave_versions
from cukereuse_engine.glue.definition import Anchoring, ExpressionKind, Extraction, GlueError
from cukereuse_engine.glue.project_files import MANY_SOURCES, Surroundings, bytes_of, text_at, until_files_change, walk

_MATCHERS = {
    "re": (ExpressionKind.REGEX, Anchoring.FULL),
    "re0": (ExpressionKind.REGEX, Anchoring.MATCH),
    "cfparse": (ExpressionKind.CFPARSE, Anchoring.FULL),
}
_OF_PARSE = (ExpressionKind.PARSE, ExpressionKind.CFPARSE)
_SETS_MATCHER = re.compile(r"""^(?:\w+\.)*use_(?:default_)?step_matcher\(\s*["'](\w+)["']""", re.MULTILINE)
SETTINGS = ("behave.ini", ".behaverc", "setup.cfg", "tox.ini", "pyproject.toml")
_NESTED = re.compile(
    r"^[ \t]*use_nested_step_modules[ \t]*[=:][ \t]*[\"']?(?:true|yes|on|1)", re.MULTILINE | re.IGNORECASE
)
_STEPS = "steps"
HOOKS = "environment.py"
IMPORT = re.compile(r"^[ \t]*(?:from|import)\b(?:[^\n(\\]|\\.|\([^)]*\))*", re.MULTILINE | re.DOTALL)
DYNAMIC = re.compile(r"\b(?:importlib|__import__|walk_packages|iter_modules|glob|exec|load_step_modules)\b")


def as_behave_reads(extraction: Extraction, around: Surroundings) -> Extraction:
    """Before 1.3, `parse` ignored case (behave/matchers.py)."""
    steps = next((folder for folder in around.folders if os.path.basename(folder) == _STEPS), "")  # noqa: PTH119
    if not steps:
        return extraction
    base = os.path.dirname(steps)  # noqa: PTH120
    if os.path.dirname(around.path) != steps and not _is_loaded(around.path, steps, base, around.root):  # noqa: PTH120
        return _not_loaded(extraction)
    changes: list[tuple[Container[ExpressionKind], dict[str, Any]]] = []
    matcher = _MATCHERS.get(_default_matcher(os.path.join(base, HOOKS)))  # noqa: PTH118
    if matcher is not None and b"step_matcher" not in bytes_of(around.path):
        kind, anchoring = matcher
        changes.append(((ExpressionKind.PARSE,), {"kind": kind, "anchoring": anchoring}))
    if next((old for folder in around.folders if (old := _is_old_behave(folder)) is not None), False):
        changes.append((_OF_PARSE, {"flags": "i"}))
    definitions = extraction.definitions
    for kinds, change in changes:
        definitions = tuple(
            replace(definition, **change) if definition.kind in kinds else definition for definition in definitions
        )
    return replace(extraction, definitions=definitions) if definitions != extraction.definitions else extraction


def _not_loaded(extraction: Extraction) -> Extraction:
    first = extraction.definitions[0]
    message = "is not loaded: behave does not read folders below `steps`, and nothing imports this one"
    error = GlueError(first.path, first.line, first.literal.column, message)
    errors = (replace(other, untold=False) for other in extraction.errors)
    return replace(extraction, definitions=(), errors=(*errors, error))


@until_files_change(10_000)
def _default_matcher(environment: str) -> str:
    """The matcher that behave's hooks set before any step definition is loaded; empty if they set none."""
    matchers = _SETS_MATCHER.findall(text_at(environment))
    return matchers[-1] if matchers else ""


@until_files_change(10_000)
def _is_old_behave(folder: str) -> bool | None:
    return behave_versions.is_before_1_3(folder, text_at)


def _is_loaded(path: str, steps: str, base: str, root: str) -> bool:
    """True if a source in a folder below `steps` may be imported, or if a setting loads it. False only if behave surely
    takes this `steps` folder, and nothing below `root` imports the source."""
    if not _has_features(base):
        return True
    parts = Path(os.path.relpath(path, steps)).parts
    names = {part.removesuffix(".py") for part in parts}
    loaded = _loaded_names(steps, base, root)
    return "*" in loaded or not names.isdisjoint(loaded)


@until_files_change(1000)
def _has_features(base: str) -> bool:
    """True if behave would take a `steps` folder here: beside its hooks, or around or beside feature files."""
    if os.path.isfile(os.path.join(base, HOOKS)):  # noqa: PTH113, PTH118
        return True
    folders = islice(walk(base), MANY_SOURCES)
    return any(name.endswith(".feature") for _, names in folders for name in names)


@dataclass(frozen=True, slots=True)
class _Source:
    words: frozenset[str]
    imported: frozenset[str]
    """The words in its imports."""
    is_dynamic: bool
    """True if it may import what it does not name."""


@until_files_change(8)
def _sources(root: str) -> Mapping[str, _Source] | None:
    """All Python sources of a repository, by path; None if there are too many to search."""
    paths: list[str] = []
    for count, (folder, names) in enumerate(walk(root)):
        paths += [os.path.join(folder, name) for name in names if name.endswith(".py")]  # noqa: PTH118
        if max(count, len(paths)) > MANY_SOURCES:
            return None
    return {path: _source(path, *_stamp(path)) for path in paths}


def _stamp(path: str) -> tuple[int, int]:
    try:
        status = os.stat(path)  # noqa: PTH116 - asked of every source
    except OSError:
        return 0, 0
    return status.st_mtime_ns, status.st_size


@lru_cache(maxsize=2 * MANY_SOURCES)
def _source(path: str, modified: int, size: int) -> _Source:
    """Cached until the file's stamp changes."""
    del modified, size
    text = text_at(path)
    imported = frozenset(sys.intern(word) for line in IMPORT.findall(text) for word in re.findall(r"\w+", line))
    return _Source(frozenset(map(sys.intern, re.findall(r"\w+", text))), imported, DYNAMIC.search(text) is not None)


@until_files_change(1000)
def _loaded_names(steps: str, base: str, root: str) -> frozenset[str]:
    """The words of the sources that behave loads here, and of all imports of the repository; "*" if it also loads
    folders, or if a loaded source may import anything."""
    sources = None if _loads_folders(base) else _sources(root)
    if sources is None:
        return frozenset("*")
    names = {word for source in sources.values() for word in source.imported}
    left = dict(sources)
    loaded = [path for path in left if os.path.dirname(path) == steps]  # noqa: PTH120
    loaded += [path for path in left if os.path.dirname(path) == base and path.endswith(HOOKS)]  # noqa: PTH120
    while loaded:
        for path in loaded:
            source = left.pop(path)
            names |= source.words
            if source.is_dynamic:
                return frozenset("*")
        loaded = [path for path in left if module_name(path) in names]
    return frozenset(names)


def _loads_folders(folder: str) -> bool:
    """True if the settings of a folder, or of the three above it, make behave load folders below `steps`."""
    for _ in range(4):
        if any(_NESTED.search(text_at(folder, name)) for name in SETTINGS):
            return True
        folder = os.path.dirname(folder)  # noqa: PTH120
    return False


def module_name(path: str) -> str:
    """The name by which an import runs a source."""
    folder, name = os.path.split(path)
    return os.path.basename(folder) if name == "__init__.py" else os.path.splitext(name)[0]  # noqa: PTH119, PTH122
