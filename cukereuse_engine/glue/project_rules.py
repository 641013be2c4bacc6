"""How the files around a source change the way its runner reads it: locked versions, and hooks that set a matcher.

A rule maps one source's definitions to those that its runner would have. Files are read, never run.
"""

import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from itertools import islice

from cukereuse_engine.glue import behat_translations, behave_loading, behave_versions, cucumber_versions, turnip_loading
from cukereuse_engine.glue.definition import Extraction
from cukereuse_engine.glue.project_files import (
    MANY_SOURCES,
    PROJECT_SUFFIXES,
    Surroundings,
    text_at,
    until_files_change,
    walk,
)
from cukereuse_engine.glue.project_files import forget as forget_files
from cukereuse_engine.glue.sources import PROJECT_FILES, SOLUTION_SUFFIXES, forget_projects

CONFIGURATIONS = (
    behave_loading.HOOKS,
    *behave_loading.SETTINGS,
    "Gemfile.lock",
    "Gemfile",
    "cucumber.yml",
    "cucumber.yaml",
    *cucumber_versions.JVM_BUILDS,
    *sorted(PROJECT_FILES - {"setup.py", "Gemfile", *cucumber_versions.JVM_BUILDS}),
    *(name for name in (*behave_versions.LOCKS, *behave_versions.REQUIREMENTS) if name not in PROJECT_FILES),
)
"""Names of configurations. Rules also read gems' own files, .NET's project files, and every source in Python (behave),
PHP (Behat) or Ruby (Turnip)."""
DOTNET = (*PROJECT_SUFFIXES, *SOLUTION_SUFFIXES)


class ProjectRules:
    """The rules for the projects below one folder."""

    def __init__(self, root: str) -> None:
        """`root`: nothing above this folder is looked for."""
        self._root = os.path.abspath(root)  # noqa: PTH100

    def applied(self, path: str, extraction: Extraction) -> Extraction:
        """A source's definitions as its runner has them."""
        rule = _RULES.get(extraction.definitions[0].framework) if extraction.definitions else None
        if rule is None:
            return extraction
        path = os.path.abspath(path)  # noqa: PTH100
        return rule(extraction, Surroundings(path, tuple(self._folders(path)), self._root))

    def _folders(self, path: str) -> Iterator[str]:
        """Yields the folders around a file, up to the root."""
        folder = os.path.dirname(path)  # noqa: PTH120
        while folder.startswith(self._root):
            yield folder
            above = os.path.dirname(folder)  # noqa: PTH120
            if folder == self._root or above == folder:
                return
            folder = above


def _as_turnip_reads(extraction: Extraction, around: Surroundings) -> Extraction:
    own = next((own for folder in around.folders if (own := _turnip_hooks(folder)) is not None), turnip_loading.Hooks())
    extraction = turnip_loading.for_own_feature(around.path, extraction, own, around.root, os.path.isfile)
    locked = next((text for folder in around.folders if (text := text_at(folder, turnip_loading.LOCK))), "")
    if not turnip_loading.is_fork(locked):
        return extraction
    definitions = (replace(definition, guesses=True) for definition in extraction.definitions)
    return replace(extraction, definitions=tuple(definitions))


_RULES: Mapping[str, Callable[[Extraction, Surroundings], Extraction]] = {
    "behave": behave_loading.as_behave_reads,
    "behat": lambda extraction, around: behat_translations.with_translations(around.path, extraction),
    "cucumber-ruby": cucumber_versions.as_ruby_reads,
    "cucumber-jvm": cucumber_versions.as_jvm_reads,
    "cucumber-js": cucumber_versions.as_javascript_reads,
    "turnip": _as_turnip_reads,
}
"""The rule of each runner."""


def is_read(path: str) -> bool:
    """True if a rule may look at a file."""
    folder, name = os.path.split(path)
    is_translation = os.path.basename(folder) in behat_translations.FOLDERS and name.endswith(".yml")  # noqa: PTH119
    suffixes = (".gemspec", ".php", ".py", ".rb", behat_translations.SUFFIX, *DOTNET)
    return name in CONFIGURATIONS or name.endswith(suffixes) or is_translation


def forget() -> None:
    """Forget everything: files around sources have changed."""
    behat_translations.tables.cache_clear()
    forget_files()
    forget_projects()


@until_files_change(10_000)
def _turnip_hooks(folder: str) -> turnip_loading.Hooks | None:
    """The hooks of a folder with RSpec's helpers, and of those below; None if no folder has any."""
    if not any(os.path.isfile(os.path.join(folder, name)) for name in turnip_loading.HELPERS):  # noqa: PTH113, PTH118
        return None
    names = (os.path.join(inner, name) for inner, names in islice(walk(folder), MANY_SOURCES) for name in names)  # noqa: PTH118
    sources = (name for name in names if name.endswith(".rb") and not name.endswith("_spec.rb"))
    return turnip_loading.hooks(map(text_at, islice(sources, MANY_SOURCES)))
