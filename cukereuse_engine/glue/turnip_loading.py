"""Extensions of Turnip in projects: hooks that load a file of steps for the feature beside it, and forks that choose.

Turnip itself loads nothing, and refuses a step that several definitions match. Many helpers derive the path of a steps
file from that of the feature that is about to run; only this feature knows the definitions. Files are read, never run.
"""

import os
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from cukereuse_engine.glue import globs
from cukereuse_engine.glue.definition import Extraction, Limit, StepDefinition

HELPERS = ("spec_helper.rb", "turnip_helper.rb", "rails_helper.rb")
LOCK = "Gemfile.lock"
_FEATURE = r"(?:[\"']\.feature[\"']|/\\\.feature(?:\$|\\[zZ])?/)"
_REPLACED = re.compile(
    rf"\bsub_ext!?\(?\s*[\"']([\w.-]*\.rb)[\"']|\.g?sub!?\(?\s*{_FEATURE}\s*,\s*[\"']([\w.-]*\.rb)[\"']"
)
_CUT = re.compile(rf"\.(?:chomp|delete_suffix|basename|remove|g?sub)\b[^\n]*?{_FEATURE}")
_ADDED = re.compile(r"(?:\}|\+\s*[\"'])([\w.-]*\.rb)[\"']")
_MOVED = re.compile(r"\.g?sub!?\(?\s*(?:[\"']|/\^?)/?([\w-]+)/?(?:[\"']|/)\s*,\s*[\"']/?([\w-]+)/?[\"']")
"""`sub("features", "steps")`: the folder of the steps instead of that of the features."""
_LOADS = re.compile(r"^[^#\n]*\b(?:require(?:_relative|_dependency)?|load)\b[ (]+(?![\"'\s])", re.MULTILINE)
"""A path that is computed."""
_GLOB = re.compile(r"\bDir(?:\.glob\b|\[)[^\n]*?[\"'}]/*([\w.*,/-]*\*[\w.*{},/-]*\.rb)[\"']")
_BETWEEN_PARTS = re.compile(r"[\"']\s*,\s*[\"']")
_FORK = re.compile(
    r"^GIT\n  remote: (?!\S*[/:]jnicklas/turnip(?:\.git)?\n)\S+\n(?:  \S.*\n)*?  specs:\n(?: {4,}.*\n)*? {4}turnip \(",
    re.MULTILINE,
)


@dataclass(frozen=True, slots=True)
class Hooks:
    """What the helpers of one folder do."""

    suffixes: tuple[str, ...] = ()
    """Endings of steps files in place of `.feature`."""
    folders: tuple[tuple[str, str], ...] = ()
    """Folders of features, each with the folder of their steps."""
    patterns: tuple[str, ...] = ()
    """Patterns of files that are loaded in any case."""


def hooks(texts: Iterator[str]) -> Hooks:
    """The hooks in sources in Ruby."""
    suffixes: list[str] = []
    folders: list[tuple[str, str]] = []
    patterns: list[str] = []
    for text in texts:
        patterns += _GLOB.findall(_BETWEEN_PARTS.sub("/", text))
        if "feature" not in text or not _LOADS.search(text):
            continue
        own = [extension or replaced for extension, replaced in _REPLACED.findall(text)]
        own = own or (_ADDED.findall(text) if _CUT.search(text) else [])
        suffixes += own
        folders += [(old, new) for old, new in _MOVED.findall(text) if own and "feature" not in new]
    return Hooks(tuple(dict.fromkeys(suffixes)), tuple(dict.fromkeys(folders)), tuple(dict.fromkeys(patterns)))


def is_fork(lock: str) -> bool:
    """True if a bundle takes Turnip from a fork."""
    return _FORK.search(lock) is not None


def for_own_feature(
    path: str, extraction: Extraction, own: Hooks, root: str, is_file: Callable[[str], bool]
) -> Extraction:
    """A source's definitions, limited to its feature file if a hook loads the source for it."""
    feature = next((feature for feature in _features(path, own) if is_file(feature)), None)
    if feature is None or any(globs.matches(path.replace(os.sep, "/"), f"**/{pattern}") for pattern in own.patterns):
        return extraction
    named = os.path.relpath(feature, root)
    definitions = tuple(_limited(definition, named) for definition in extraction.definitions)
    return replace(extraction, definitions=definitions)


def _features(path: str, own: Hooks) -> Iterator[str]:
    for suffix in own.suffixes:
        if not path.endswith(suffix) or path.endswith(os.sep + suffix):
            continue
        beside = f"{path.removesuffix(suffix)}.feature"
        yield beside
        for features, steps in own.folders:
            before, middle, after = beside.rpartition(f"{os.sep}{steps}{os.sep}")
            if middle:
                yield f"{before}{os.sep}{features}{os.sep}{after}"


def _limited(definition: StepDefinition, feature: str) -> StepDefinition:
    return replace(definition, limits=tuple(replace(limit, path=feature) for limit in definition.limits or (Limit(),)))
