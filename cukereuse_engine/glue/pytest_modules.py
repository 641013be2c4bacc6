"""Which step definitions a module of pytest-bdd has (its own, those of star imports, of `conftest.py` around it, and of
plugins), and which modules run a feature file.

A step definition is a fixture (pytest_bdd/steps.py): another test module does not have it, and of several that match,
the nearest counts: in the module itself, then in the deepest `conftest.py`, then in a plugin.
"""

import os
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path

from cukereuse_engine.glue.configuration import is_plain
from cukereuse_engine.glue.definition import Extraction, FeatureRun, PythonModule, StepDefinition
from cukereuse_engine.glue.libraries import says_steps
from cukereuse_engine.glue.scopes import Scope

FRAMEWORK = "pytest-bdd"
CONFIGURATIONS = (
    *("pytest.toml", ".pytest.toml", "pytest.ini", ".pytest.ini"),
    *("pyproject.toml", "tox.ini", "setup.cfg", "setup.py"),
)
"""Files that set up pytest and its plugins, in the order in which pytest looks."""
ANY, HERE = "*", "@"
"""Parts of a path: an unknown one, and the module's own folder at the beginning."""
_SECTIONS = ("[pytest]", "[tool.pytest", "[tool:pytest]")
_CONFTEST = "conftest.py"
_OWN, _PLUGIN = sys.maxsize, 0
_BASE = re.compile(r"^[ \t]*bdd_features_base_dir[ \t]*=[ \t]*[\"']?([^\"'\n#]*[^\"'\n#\s])", re.MULTILINE)
_LOADED = re.compile(r"(?<![\w-])-p(?:[ =]+|[\"']\s*,\s*[\"'])?([\w.]*\.[\w.]+|\w+)")
_ENTRIES = re.compile(r"pytest11[\"'\]]*[ \t]*(?::\s*\[|=)?((?:\s*[\"']?[\w-]+[ \t]*=[ \t]*[\"']?[\w.:]+[\"']?,?)+)")
"""The entry points for pytest in each of these files."""
_ENTRY = re.compile(r"=\s*[\"']?([\w.]+)")


def _entry_points(text: str) -> Iterator[str]:
    for entries in _ENTRIES.findall(text):
        yield from _ENTRY.findall(entries)


_NOTHING = Extraction()


@dataclass(frozen=True, slots=True)
class _Settings:
    base: str = ""
    """Absolute folder of relative feature paths; empty: the module's own."""
    plugins: tuple[str, ...] = ()
    """Modules that are loaded for all tests."""
    installed: tuple[str, ...] = ()
    """The `plugins` that a package provides for all who install it."""


class PytestModules:
    """The scopes of the modules below one folder that run feature files."""

    def __init__(self, root: str) -> None:
        """`root`: nothing above this folder is looked for."""
        self._root = os.path.abspath(root)  # noqa: PTH100
        self._modules: dict[str, PythonModule] = {}
        """Modules by absolute path."""
        self._running_modules: set[str] = set()
        """Paths of modules that run features."""
        self._defining: set[str] = set()
        """Paths of modules with step definitions."""
        self._orphans: frozenset[str] | None = None
        """None: not known yet."""
        self._absolute: Callable[[str], str] = lru_cache(100_000)(os.path.abspath)
        self._changes = 0
        """Number of times that a module came, went or changed."""
        self._settings: dict[str, _Settings] = {}
        """Settings by folder."""
        self._texts: dict[str, tuple[str, ...]] = {}
        """Texts of the configurations in each folder."""
        self._patterns: list[tuple[re.Pattern[str], str, FeatureRun]] | None = None
        """What each module runs; None: not known yet."""
        self._of_features: dict[str, list[tuple[str, FeatureRun]]] = {}
        self._holders: dict[str, tuple[dict[str, int], frozenset[str]]] = {}
        """Results of `_holders_of`, by module."""
        self._scopes: dict[str, Scope] = {}
        """The scope of each module that runs features."""

    def __bool__(self) -> bool:
        return bool(self._running_modules)

    def reload(self) -> None:
        """Forget the settings, which have changed on disk."""
        self._settings.clear()
        self._texts.clear()
        self._forget()

    def _forget(self) -> None:
        self._patterns = None
        self._of_features.clear()
        self._holders.clear()
        self._scopes.clear()
        self._orphans = None

    def update(self, extractions: Mapping[str, Extraction | None]) -> bool:
        """Take sources that are new, changed or (None) gone. True if steps may bind to other definitions now."""
        before = self._changes
        for path, extraction in extractions.items():
            module = extraction.module if extraction is not None else None
            absolute = self._absolute(path)
            defines = any(each.framework == FRAMEWORK for each in (extraction or _NOTHING).definitions)
            if module == self._modules.get(absolute) and defines == (absolute in self._defining):
                continue
            self._modules.pop(absolute, None)
            self._running_modules.discard(absolute)
            self._defining.discard(absolute)
            if module is not None:
                self._modules[absolute] = module
            if module is not None and module.runs:
                self._running_modules.add(absolute)
            if defines:
                self._defining.add(absolute)
            self._changes += 1
            self._forget()
        return self._changes != before

    def scopes_of(self, path: str, tags: tuple[str, ...], titles: tuple[str, str] = ("", "")) -> tuple[Scope, ...]:
        """The scopes of the modules that run the scenario, or else of those that run any scenario of its feature."""
        del tags
        running = self._running(self._absolute(path))
        own = [module for module, run in running if run.scenario in ("", titles[1])] or [
            module for module, _ in running
        ]
        return tuple(self._scope(module) for module in dict.fromkeys(own))

    def _running(self, feature: str) -> list[tuple[str, FeatureRun]]:
        if feature not in self._of_features:
            if self._patterns is None:
                self._patterns = [
                    (pattern, path, run)
                    for path in sorted(self._running_modules)
                    for run in self._modules[path].runs
                    if (pattern := self._pattern(path, run.feature)) is not None
                ]
            self._of_features[feature] = [
                (path, run) for pattern, path, run in self._patterns if pattern.fullmatch(feature)
            ]
        return self._of_features[feature]

    def _pattern(self, module: str, place: str) -> re.Pattern[str] | None:
        """Matches the feature files at a place that a module names; None if the place is unknown."""
        folder = os.path.dirname(module)  # noqa: PTH120
        if place.startswith(HERE):
            absolute = os.path.join(folder, place[len(HERE) :].lstrip("/"))  # noqa: PTH118
        elif place.startswith(ANY):
            absolute = place
        else:
            absolute = os.path.join(self._settings_of(folder).base or folder, place)  # noqa: PTH118
        absolute = os.path.normpath(absolute)
        if not absolute.strip("*/.\\"):
            return None
        pieces = ".*".join(map(re.escape, absolute.split(ANY)))
        return re.compile(rf"{pieces}(?:[\\/].*)?", re.DOTALL)

    def _scope(self, module: str) -> Scope:
        if module not in self._scopes:
            holders, unknown = self._holders_of(module)
            may_hold = self._may_hold if self._unplaced() else None
            if unknown:  # what is loaded by a computed name runs nothing itself; what was not found may be anything
                may_hold = self._runs_nothing if ANY in unknown else None
            self._scopes[module] = Scope(
                module,
                partial(self._holds, holders),
                is_open=bool(unknown),
                libraries=tuple(filter(says_steps, sorted(unknown))),
                may_hold=may_hold,
                frameworks=frozenset({FRAMEWORK}),
                nearness=lambda definition: holders.get(self._absolute(definition.path), _PLUGIN),
            )
        return self._scopes[module]

    def _holds(self, holders: Mapping[str, int], definition: StepDefinition) -> bool:
        return definition.framework != FRAMEWORK or self._absolute(definition.path) in holders

    def _may_hold(self, definition: StepDefinition) -> bool:
        return definition.framework == FRAMEWORK and self._absolute(definition.path) in self._unplaced()

    def _runs_nothing(self, definition: StepDefinition) -> bool:
        return definition.framework == FRAMEWORK and self._absolute(definition.path) not in self._running_modules

    def _unplaced(self) -> frozenset[str]:
        """The sources of step definitions that any module may have: those that no known module loads, which are hardly
        unused, and plugins of pytest, which may be installed anywhere. pytest itself places `conftest.py`."""
        if self._orphans is None:
            held = {path for module in self._running_modules for path in self._holders_of(module)[0]}
            self._orphans = frozenset(
                path
                for path in self._defining - self._running_modules
                if os.path.basename(path) != _CONFTEST  # noqa: PTH119
                and (path not in held or self._is_installed(path))
            )
        return self._orphans

    def _is_installed(self, path: str) -> bool:
        plugins = self._settings_of(os.path.dirname(path)).installed  # noqa: PTH120
        return any(path in self._named(name, path) for name in plugins)

    def _holders_of(self, module: str) -> tuple[dict[str, int], frozenset[str]]:
        """The sources whose definitions a module has, each with its nearness; and the names of the module's sources
        that were not found, which may include `ANY`."""
        if module not in self._holders:
            self._holders[module] = self._followed(module)
        return self._holders[module]

    def _followed(self, module: str) -> tuple[dict[str, int], frozenset[str]]:
        folder = os.path.dirname(module)  # noqa: PTH120
        around = {self._absolute(os.path.join(each, _CONFTEST)): len(each) for each in self._folders(folder)}  # noqa: PTH118
        waiting = [(module, _OWN), *((path, depth) for path, depth in around.items() if path in self._modules)]
        waiting += [(path, _PLUGIN) for name in self._settings_of(folder).plugins for path in self._named(name, module)]
        holders: dict[str, int] = {}
        unknown: set[str] = set()
        while waiting:
            path, nearness = waiting.pop()
            if holders.get(path, -1) >= nearness:
                continue
            holders[path] = nearness
            for name, near in self._taken_over(path, nearness):
                paths = self._named(name, path) if name != ANY else []
                waiting += [(other, near) for other in paths]
                if name == ANY or not (paths or self._is_without_steps(name, path)):
                    unknown.add(name)
        return holders, frozenset(unknown)

    def _taken_over(self, path: str, nearness: int) -> Iterator[tuple[str, int]]:
        """Yields the names of the modules that a module imports, with the nearness of their definitions."""
        module = self._modules.get(path)
        if module is not None:
            yield from ((name, nearness) for name in module.imports)
            yield from ((name, _PLUGIN) for name in module.plugins)

    def _named(self, name: str, importer: str) -> list[str]:
        """The likeliest source with a part in this that a module's name denotes, or none."""
        return [path for path in self._places(name, importer) if path in self._modules][:1]

    def _is_without_steps(self, name: str, importer: str) -> bool:
        """True if a module surely has no step definitions: it is one of Python's own, or of the repository."""
        root = name.split(".")[0]
        return root in sys.stdlib_module_names or any(map(_is_file, self._places(name, importer)))

    def _places(self, name: str, importer: str) -> list[str]:
        """The places where a module may be, likeliest first: below a folder around its importer, or below a folder on
        the path."""
        folder = os.path.dirname(importer)  # noqa: PTH120
        bare = name.lstrip(".")
        up = len(name) - len(bare)
        if up:
            for _ in range(up - 1):
                folder = os.path.dirname(folder)  # noqa: PTH120
            bases = [folder]
        else:
            bases = [place for each in self._folders(folder) for place in (each, os.path.join(each, "src"))]  # noqa: PTH118
        inner = bare.replace(".", os.sep)
        if not inner:
            return [os.path.join(base, "__init__.py") for base in bases]  # noqa: PTH118
        files = (f"{inner}.py", os.path.join(inner, "__init__.py"))  # noqa: PTH118
        places = [os.path.join(base, file) for base in bases for file in files]  # noqa: PTH118
        others = [] if up else [path for path in self._modules if path.endswith(f"{os.sep}{inner}.py")]
        return [*places, *sorted(others, key=lambda path: (-len(os.path.commonpath((path, importer))), path))]

    def _folders(self, folder: str) -> list[str]:
        """The folder and those around it, up to the root."""
        folders = [folder]
        while folder != self._root and folder.startswith(self._root) and os.path.dirname(folder) != folder:  # noqa: PTH120
            folder = os.path.dirname(folder)  # noqa: PTH120
            folders.append(folder)
        return folders

    def _settings_of(self, folder: str) -> _Settings:
        settings = self._settings.get(folder)
        if settings is None:
            base, plugins, installed, is_told = "", [], [], False
            for around in self._folders(folder):
                texts = self._texts_in(around)
                if not is_told:  # pytest takes only the nearest
                    own = [text for text in texts if any(section in text for section in _SECTIONS)]
                    stated = [match[1] for text in own for match in _BASE.finditer(text)]
                    base = os.path.join(around, stated[0]) if stated else ""  # noqa: PTH118
                    plugins = [name for text in own if "addopts" in text for name in _LOADED.findall(text)]
                    is_told = bool(own)
                installed += [name for text in texts for name in _entry_points(text)]
            together = dict.fromkeys([*plugins, *installed])
            settings = self._settings[folder] = _Settings(base, tuple(together), tuple(installed))
        return settings

    def _texts_in(self, folder: str) -> tuple[str, ...]:
        if folder not in self._texts:
            paths = (os.path.join(folder, name) for name in CONFIGURATIONS)  # noqa: PTH118
            self._texts[folder] = tuple(map(_text, paths))
        return self._texts[folder]


def _is_file(path: str) -> bool:
    return os.path.isfile(path)  # noqa: PTH113


def _text(path: str) -> str:
    try:
        file = Path(path)
        return file.read_text(encoding="utf-8", errors="replace") if is_plain(file) else ""
    except (OSError, ValueError):
        return ""
