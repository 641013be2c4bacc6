"""Whether runners load step definitions for a feature, by the rules of each runner, and whether they still do after
edits."""

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import PurePath

from msgspec.structs import replace

from cukereuse_engine.functions.boundary import world_around
from cukereuse_engine.gherkin.feature import KeywordType, Step
from cukereuse_engine.glue.behave_loading import DYNAMIC, IMPORT, module_name
from cukereuse_engine.glue.choice import registration_order
from cukereuse_engine.glue.cucumber_versions import PROFILES
from cukereuse_engine.glue.definition import StepDefinition
from cukereuse_engine.glue.languages.base import refusal
from cukereuse_engine.glue.matchers import compile_definition
from cukereuse_engine.glue.sources import project_around
from cukereuse_engine.glue.step_binding import StepBinding
from cukereuse_engine.refactor.rename_plan import Bindings, ReadSuites

_IMPORTS = {
    "behave": (".py", IMPORT, DYNAMIC),
    "cucumber-ruby": (
        ".rb",
        re.compile(r"^[ \t]*(?:require|require_relative|load)\b.*", re.MULTILINE),
        re.compile(r"\bDir\b|\bglob\b|\$LOAD_PATH|\$:|\bautoload\b|\b(?:require|load)\b[ (]*(?![ (]*['\"])\w"),
    ),
}
"""Runners that load a folder, and what is imported there: suffix, imports, what may import anything."""
_REQUIRES = re.compile(rb"(?<![\w-])(?:-r|--require)\b")
_TYPES = {"given": KeywordType.CONTEXT, "when": KeywordType.ACTION, "then": KeywordType.OUTCOME}


class Loading:
    """Which definitions runners load for the suites' features, as far as folders and imports tell."""

    def __init__(self, suites: ReadSuites, glue: Bindings) -> None:
        self._suites, self._glue = suites, glue
        self._imported: dict[tuple[str, str], frozenset[str] | None] = {}
        """The imported names, by runner and folder of a feature."""
        self._near: dict[tuple[str, str], bool] = {}
        """Results of `_is_of_project`, by the folder of definitions, and the project or folder of a feature."""

    def loads(self, definition: StepDefinition, step: Step) -> bool:
        """True if the runner may load a definition for a step's feature. Behave loads a `steps` folder beside or around
        it, Cucumber for Ruby the files below its `features` folder, and both what these import; others load their
        project. This is stricter than a binding, which also accepts a far definition if no other matches: no step is
        moved to one."""
        if definition.framework not in _IMPORTS:
            return self._is_of_project(definition.path, step.path)
        world = world_around(definition.path)
        if world is not None:
            return _is_below(step.path, world)
        names = self._names_below(definition.framework, step.path)
        return names is None or not names.isdisjoint(PurePath(definition.path).with_suffix("").parts)

    def _is_of_project(self, source: str, feature: str) -> bool:
        """True if a source's project contains the feature, has no features of its own, or already serves a step near
        the feature."""
        home = _home_of(source)
        folder = os.path.dirname(os.path.abspath(feature))  # noqa: PTH100, PTH120
        key = home, folder if source.endswith(".go") else project_around(folder)
        if key not in self._near:
            self._near[key] = PurePath(folder).is_relative_to(home) or self._serves(*key)
        return self._near[key]

    def _serves(self, home: str, near: str) -> bool:
        files = [(os.path.dirname(os.path.abspath(path)), file) for path, file in self._suites.files.items()]  # noqa: PTH100, PTH120
        if not any(PurePath(folder).is_relative_to(home) for folder, _ in files):
            return True
        steps = (step for folder, file in files if near in (folder, project_around(folder)) for step in file.steps)
        return any(_home_of(bound.path) == home for step in steps for bound in self._glue.bind(step).definitions)

    def _names_below(self, framework: str, feature: str) -> frozenset[str] | None:
        """The words of all imports that a runner reaches from what it loads for a feature; None if it may import
        anything."""
        key = framework, os.path.dirname(feature)  # noqa: PTH120 - asked for each step
        if key not in self._imported:
            suffix = _IMPORTS[framework][0]
            paths = [path for path in self._suites.source_paths if path.endswith(suffix)]
            loaded = [path for path in paths if _is_loaded(path, feature)]
            is_told = loaded and not (framework == "cucumber-ruby" and self._requires(feature))
            self._imported[key] = self._names(framework, loaded, paths) if is_told else None
        return self._imported[key]

    def _requires(self, feature: str) -> bool:
        """True if a profile around a feature configures what Cucumber for Ruby loads."""
        profiles = (str(folder / name) for folder in PurePath(feature).parents for name in PROFILES)
        return any(_REQUIRES.search(self._read(path)) is not None for path in profiles)

    def _read(self, path: str) -> bytes:
        try:
            return self._suites.read(path)
        except OSError:
            return b""

    def _names(self, framework: str, loaded: Sequence[str], paths: Sequence[str]) -> frozenset[str] | None:
        _, imports, dynamic = _IMPORTS[framework]
        names: set[str] = set()
        left = set(paths)
        while loaded:
            for path in loaded:
                left.discard(path)
                text = self._read(path).decode("utf-8", "replace")
                if dynamic.search(text):
                    return None
                names |= {word for statement in imports.findall(text) for word in re.findall(r"\w+", statement)}
            names.discard("behave")  # it defines no steps itself
            loaded = [path for path in sorted(left) if module_name(path) in names]
        return frozenset(names)


def _home_of(source: str) -> str:
    """The folder of a source's project; in Go, each package is tested by itself."""
    folder = os.path.dirname(os.path.abspath(source))  # noqa: PTH100, PTH120
    return folder if source.endswith(".go") else project_around(folder)


def _is_loaded(path: str, feature: str) -> bool:
    """True if a runner loads a source for a feature without an import."""
    world = world_around(path)
    if world is None and PurePath(path).name == "environment.py":
        world = os.path.dirname(os.path.abspath(path))  # noqa: PTH100, PTH120
    return world is not None and _is_below(feature, world)


def _is_below(path: str, folder: str) -> bool:
    return PurePath(os.path.abspath(path)).is_relative_to(folder)  # noqa: PTH100


def unloadable(definition: StepDefinition, before: StepDefinition | None = None) -> str:
    """Why a runner does not load a definition; empty if it does, or if that was so `before`."""
    wrong = _wrong(definition)
    return "" if before is not None and wrong and wrong == _wrong(before) else wrong


def _wrong(definition: StepDefinition) -> str:
    compiled = compile_definition(definition, {})
    return refusal(definition) if compiled.matcher is not None else compiled.errors[0].message


def already_defined(
    glue: Bindings, bound: Iterable[StepBinding], definitions: Sequence[StepDefinition]
) -> Iterator[tuple[StepDefinition, StepDefinition]]:
    """Pairs, with one of the `definitions`, of which behave loads the first and stops at the second, because the first
    matches the second's pattern (behave/step_registry.py). `bound`: steps of the definitions, which tell what is loaded
    together."""
    step_of = {definition.id: binding.step for binding in bound for definition in binding.definitions}
    for definition in definitions:
        step = step_of.get(definition.id)
        matcher = (
            compile_definition(definition, {}).matcher
            if step is not None and definition.framework == "behave"
            else None
        )
        if step is None or matcher is None:
            continue
        kind = _TYPES.get(next(iter(definition.keyword_types), ""), KeywordType.UNKNOWN)
        step = replace(step, examples=(), argument=None, resolved_type=kind)
        for other in _matching(glue, replace(step, text=definition.expression)):
            if _is_before(other, definition):
                yield other, definition
        for other in glue.definitions:
            if not _is_before(definition, other) or matcher.match(other.expression) is None:
                continue
            if any(match.id == definition.id for match in _matching(glue, replace(step, text=other.expression))):
                yield definition, other


def _is_before(left: StepDefinition, right: StepDefinition) -> bool:
    """True if `left` is already in behave's list when behave registers `right` in it."""
    in_one_list = left.framework == right.framework == "behave" and left.keyword_types == right.keyword_types
    return in_one_list and registration_order(left) < registration_order(right)


def _matching(glue: Bindings, step: Step) -> Iterator[StepDefinition]:
    """The definitions that match a step without a converter of the project, which may refuse the text."""
    for text in glue.matches_anywhere(step):
        for match in text.matches:
            compiled = compile_definition(match.definition, {}).matcher
            if compiled is None or not compiled.parameter_types:
                yield match.definition
