"""Behat's configuration: which context classes serve which feature files, suite by suite.

Reads `behat.yml` (under all names that Behat looks for, with imports and profiles), the project's service files for
contexts that are named as services, and the literals of a configuration in PHP. Nothing is executed.
"""

import os
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

from cukereuse_engine.gherkin.listings import Listings
from cukereuse_engine.glue import codeception
from cukereuse_engine.glue.behat_php import read_php
from cukereuse_engine.glue.behat_suites import BehatScenario, BehatSuite, bare, description_in, needed_tag, text_on_disk
from cukereuse_engine.glue.configuration import read_yaml
from cukereuse_engine.glue.definition import GlueError, StepDefinition
from cukereuse_engine.glue.libraries import context_classes
from cukereuse_engine.glue.scopes import GlueClasses, Scope
from cukereuse_engine.glue.services import find_services
from cukereuse_engine.storage.blob_store import Blobs
from cukereuse_engine.storage.kept import Stamp, stamp_of

FRAMEWORK = "behat"
_OWN = tuple(
    folder + name
    for folder in ("", "config/")
    for name in (
        *("behat.yaml", "behat.yml", "behat.yaml.dist", "behat.yml.dist"),
        *("behat.dist.yaml", "behat.dist.yml", "behat.php", "behat.dist.php"),
    )
)
"""In the order in which Behat looks for them (ApplicationFactory.php)."""
CONFIGURATIONS = (*_OWN, *codeception.CONFIGURATIONS)
_DEFAULT_CONTEXTS = ("FeatureContext",)
_BASE = "%paths.base%"


def read_suites(configuration: Path) -> tuple[tuple[BehatSuite, ...], tuple[GlueError, ...]]:
    """Every suite of every profile. Never raises: a file that can't be read becomes an error.

    The filters of a profile are left out: the command line replaces them, so that a suite can run any scenario.
    """
    if configuration.name in codeception.CONFIGURATIONS:
        return codeception.read_codeception(configuration)
    errors: list[GlueError] = []
    profiles: dict[str, dict[str, Any]] = {}
    for document in _documents(configuration, errors, frozenset()):
        for profile, settings in document.items():
            if profile != "imports" and isinstance(settings, dict):
                _merge(profiles.setdefault(str(profile), {}), settings)
    default = profiles.get("default", {})
    is_told = any(map(_suites, profiles.values()))
    suites: list[BehatSuite] = []
    for profile, settings in (("default", default), *((n, s) for n, s in profiles.items() if n != "default")):
        inherited = _suites(default) if profile != "default" else {}
        own = _suites(settings)
        suites += [
            replace(_suite(name, {**inherited.get(name, {}), **suite}, configuration), profile=profile)
            for name, suite in own.items()
        ]
        if not own and profile == "default":
            suites.append(replace(_suite(profile, {}, configuration), profile=profile, is_implied=is_told))
    return tuple(dict.fromkeys(suites)), tuple(errors)


def _base_of(configuration: Path) -> Path:
    return configuration.parent.parent if configuration.parent.name == "config" else configuration.parent


def _documents(path: Path, errors: list[GlueError], above: frozenset[Path]) -> Iterator[dict[str, Any]]:
    """Yields the files that a file imports, then the file itself."""
    document = read_php(path, errors) if path.suffix == ".php" else read_yaml(path, errors)
    if not isinstance(document, dict):
        return
    imports = document.get("imports")
    for imported_name in imports if isinstance(imports, list) else ():
        imported = path.parent / str(imported_name).replace(_BASE, str(path.parent))
        if imported not in above and imported != path:
            yield from _documents(imported, errors, above | {path})
    yield document


def _merge(into: dict[str, Any], other: Mapping[str, Any]) -> None:
    """Mappings merge at any depth; anything else replaces."""
    for key, value in other.items():
        present = into.get(key)
        if isinstance(present, dict) and isinstance(value, dict):
            _merge(present, value)
        else:
            into[key] = value


def _suites(settings: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    suites = settings.get("suites")
    if not isinstance(suites, dict):
        return {}
    return {str(name): suite if isinstance(suite, dict) else {} for name, suite in suites.items() if suite is not False}


def _suite(name: str, settings: Mapping[str, Any], configuration: Path) -> BehatSuite:
    contexts = settings.get("contexts", settings.get("context"))
    paths = settings.get("paths", settings.get("path", f"{_BASE}/features"))
    absolute = (_absolute(str(path), configuration) for path in _list(paths))
    classes = (
        str(next(iter(context), "")) if isinstance(context, dict) else str(context) for context in _list(contexts)
    )
    filters = settings.get("filters")
    filter_of = filters if isinstance(filters, dict) else {}
    tags, title, role, narrative = (str(filter_of.get(key) or "") for key in ("tags", "name", "role", "narrative"))
    return BehatSuite(
        name,
        tuple(class_name.lstrip("\\").partition("::")[0] for class_name in classes) or _DEFAULT_CONTEXTS,
        tuple(re.sub(r":\d[\d*-]*$", "", path) for path in absolute),
        tags,
        title,
        role,
        narrative,
    )


def _absolute(path: str, configuration: Path) -> str:
    """Behat looks for a relative path where it is run, and then in its base, the configuration's own folder
    (FilesystemFeatureLocator.php, Application.php)."""
    folders = (configuration.parent, _base_of(configuration))
    places = [os.path.normpath(folder / path.replace(_BASE, str(folder))) for folder in folders]
    likely = places if _BASE in path else places[::-1]
    return next((place for place in likely if os.path.exists(re.sub(r":\d[\d*-]*$", "", place))), likely[0])  # noqa: PTH110


def _list(value: object) -> list[Any]:
    return value if isinstance(value, list) else list(value) if isinstance(value, dict) else [value] if value else []


class Behat:
    """The scopes of Behat's suites for the feature files below one folder."""

    def __init__(
        self,
        root: str,
        classes: GlueClasses,
        cache: Blobs | None = None,
        listings: Listings | None = None,
        held: Callable[[str], str | None] = lambda _: None,
    ) -> None:
        """`root`: no configuration above it is looked for. `cache` keeps what files say about services, `listings`
        knows what is below folders, `held` gives the text of a feature file that is open in an editor."""
        self._cache = cache
        self._listings = listings
        self._root = Path(os.path.abspath(root))  # noqa: PTH100
        self._held = held
        self._classes = classes
        self._version = -1
        """The version of the classes with which `_scopes` and `_known` were made."""
        self._absolute: dict[str, str] = {}
        self._by_folder: dict[str, Path | None] = {}
        self._suites: dict[Path, tuple[BehatSuite, ...]] = {}
        self._services: dict[Path, dict[str, str]] = {}
        self._needing: dict[Path, dict[str, list[int]]] = {}
        """Maps a tag that suites need to their numbers, see `needed_tag`."""
        self._scopes: dict[Path, tuple[Scope, ...]] = {}
        """The scopes of each suite, in the order of `_suites`."""
        self._scopes_by_path: dict[str, dict[BehatScenario, tuple[Scope, ...]]] = {}
        self._narratives: dict[str, tuple[Stamp | str | None, str]] = {}
        """Maps the absolute path of a feature file to its description, with the editor's text or the stamp on disk as
        of then."""
        self.errors: list[GlueError] = []
        """The errors of the configurations read so far."""

    def scopes_of(self, path: str, tags: tuple[str, ...], titles: tuple[str, str] = ("", "")) -> tuple[Scope, ...]:
        """The scopes of the suites that run a scenario with these tags in the feature file `path`; `titles` are those
        of its feature and its own. Empty if there is no configuration, or if no suite runs the scenario."""
        if self._version != self._classes.version:
            self._scopes.clear()
            self._scopes_by_path.clear()
            self._version = self._classes.version
        scenario = BehatScenario(self._absolute_of(path), tags, *titles)
        if self.tells_otherwise(path):  # an editor may save a file that it has already sent
            self.forget(path)
        scopes_of_scenario = self._scopes_by_path.setdefault(scenario.path, {})
        scopes = scopes_of_scenario.get(scenario)
        if scopes is None:
            scopes = scopes_of_scenario[scenario] = self._find(scenario)
        return scopes

    def tells_otherwise(self, path: str) -> bool:
        """True if the description of a feature that was read before has changed."""
        absolute = self._absolute_of(path)
        narrative = self._narratives.get(absolute)
        if narrative is None:
            return False
        held = self._held(path)
        if narrative[0] == (_stamp(absolute) if held is None else held):
            return False
        return narrative[1] != description_in(text_on_disk(absolute) if held is None else held)

    def forget(self, path: str) -> None:
        """Forget what was read from a feature file, which has changed."""
        absolute = self._absolute_of(path)
        self._scopes_by_path.pop(absolute, None)
        if self._narratives.pop(absolute, None) is not None:
            self._narrative_of(absolute)  # the next change is told from it, even if no step is bound until then

    def _absolute_of(self, path: str) -> str:
        absolute = self._absolute.get(path)
        if absolute is None:
            absolute = self._absolute[path] = os.path.abspath(path)  # noqa: PTH100
        return absolute

    def looks_at_titles(self, path: str) -> bool:
        """True if some suite around a feature file runs scenarios by their titles."""
        configuration = self._configuration(os.path.dirname(self._absolute_of(path)))  # noqa: PTH120
        return configuration is not None and any(suite.title for suite in self._suites[configuration])

    def _find(self, scenario: BehatScenario) -> tuple[Scope, ...]:
        path = scenario.path
        configuration = self._configuration(os.path.dirname(path))  # noqa: PTH120
        if configuration is None:
            return ()
        suites = self._suites[configuration]
        if configuration not in self._scopes:
            self._scopes[configuration] = tuple(self._scope(configuration, suite) for suite in suites)
        if configuration not in self._needing:
            needing = self._needing[configuration] = {}
            for at, suite in enumerate(suites):
                needing.setdefault(needed_tag(suite.tags), []).append(at)
        needing, scopes = self._needing[configuration], self._scopes[configuration]
        asked = sorted(at for tag in {"", *bare(scenario.tags)} for at in needing.get(tag, ()))
        around = {path, *_with_those_above(os.path.dirname(path))}  # noqa: PTH120
        around_it = (at for at in asked if not around.isdisjoint(suites[at].paths))
        running = [at for at in around_it if suites[at].takes(scenario, self._narrative_of)]
        return tuple(scopes[at] for at in running if not (suites[at].is_implied and scopes[at].is_open))

    def _narrative_of(self, path: str) -> str:
        """The description of a feature, from the editor that has it open, or else from disk."""
        if path not in self._narratives:
            held = self._held(path)
            stamp = _stamp(path) if held is None else held
            self._narratives[path] = stamp, description_in(text_on_disk(path) if held is None else held)
        return self._narratives[path][1]

    def _scope(self, configuration: Path, suite: BehatSuite) -> Scope:
        services = self._services[configuration]
        folder = str(_base_of(configuration))
        names = [services.get(context, context) for context in suite.contexts]
        lineage = frozenset[tuple[str, str]]().union(*(self._classes.lineage(name, folder) for name in names))
        is_open = any(not path for _, path in lineage)
        return Scope(
            suite.name,
            partial(self._holds, lineage),
            is_open,
            frameworks=frozenset({FRAMEWORK}),
            libraries=self._not_found(names, lineage),
            run=suite.profile,
        )

    def _not_found(self, named: list[str], lineage: frozenset[tuple[str, str]]) -> tuple[str, ...]:
        """The classes that a suite names or inherits and that the repository lacks. If it names only Behat's default
        contexts, its configuration may be computed; then these are the unknown parents of all classes."""
        unknown = {name for name, path in lineage if not path}
        missing = [name for name in named if name.lower() in unknown]
        foreign = self._classes.foreign()
        if tuple(missing) == _DEFAULT_CONTEXTS and (inherited := context_classes((), foreign)):
            return inherited
        return context_classes(missing, (name for name in foreign if name.lower() in unknown))

    def _holds(self, lineage: frozenset[tuple[str, str]], definition: StepDefinition) -> bool:
        return definition.framework != FRAMEWORK or self._classes.class_of(definition) in lineage

    def _configuration(self, folder: str) -> Path | None:
        """The nearest configuration in `folder` or above it."""
        if folder in self._by_folder:
            return self._by_folder[folder]
        configuration = next((path for name in CONFIGURATIONS if (path := Path(folder, name)).is_file()), None)
        if configuration is not None:
            self._read(configuration)
        elif Path(folder) != self._root and self._root in Path(folder).parents:
            configuration = self._configuration(os.path.dirname(folder))  # noqa: PTH120
        self._by_folder[folder] = configuration
        return configuration

    def _read(self, configuration: Path) -> None:
        if configuration in self._suites:
            return
        suites, errors = read_suites(configuration)
        self.errors += errors
        unknown = {context for suite in suites for context in suite.contexts if context not in self._classes}
        self._services[configuration] = (
            find_services(configuration.parent, unknown, self._cache, self._listings) if unknown else {}
        )
        self._suites[configuration] = suites


@lru_cache(maxsize=1_000)
def _with_those_above(folder: str) -> tuple[str, ...]:
    return folder, *map(str, Path(folder).parents)


def _stamp(path: str) -> Stamp | None:
    try:
        return stamp_of(path)
    except (OSError, ValueError):
        return None
