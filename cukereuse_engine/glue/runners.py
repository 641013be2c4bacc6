"""The configurations of a repository's runners: which definitions apply to which steps.

If several runners are configured, the first one counts. Configurations are read when they are first needed.
"""

from collections.abc import Iterable, Mapping, Set
from functools import partial

from cukereuse_engine.gherkin.feature import Step
from cukereuse_engine.gherkin.listings import Listings
from cukereuse_engine.glue import package_scripts, playwright, script_runners
from cukereuse_engine.glue.behat import Behat
from cukereuse_engine.glue.choice import DOTNET
from cukereuse_engine.glue.cypress import FRAMEWORK as CYPRESS
from cukereuse_engine.glue.cypress import Cypress
from cukereuse_engine.glue.definition import Extraction, GlueError, StepDefinition
from cukereuse_engine.glue.dotnet import DotnetProjects
from cukereuse_engine.glue.jvm_runners import FRAMEWORK as JVM
from cukereuse_engine.glue.jvm_runners import JvmRunners
from cukereuse_engine.glue.profiles import FRAMEWORKS as PROFILED
from cukereuse_engine.glue.profiles import Profiles
from cukereuse_engine.glue.pytest_modules import FRAMEWORK as PYTEST_BDD
from cukereuse_engine.glue.pytest_modules import PytestModules
from cukereuse_engine.glue.rust_worlds import FRAMEWORK as CUCUMBER_RS
from cukereuse_engine.glue.rust_worlds import RustWorlds
from cukereuse_engine.glue.scopes import GlueClasses, Scope, ScopesOf
from cukereuse_engine.glue.suite_texts import SuiteTexts
from cukereuse_engine.storage.blob_store import Blobs


class Runners:
    def __init__(
        self,
        root: str,
        texts: SuiteTexts,
        *,
        cache: Blobs | None = None,
        listings: Listings | None = None,
    ) -> None:
        """`root`: the folder in which glue is looked for. `texts`: the scenarios of the suite's feature files.
        `cache` and `listings` are those of `Glue`."""
        self._root, self._suite_texts = root, texts
        self._cache, self._listings = cache, listings
        self._classes = GlueClasses()
        self._jvm, self._pytest, self._worlds = JvmRunners(root), PytestModules(root), RustWorlds()
        self._asked_for: dict[tuple[bool, frozenset[str]], tuple[ScopesOf, ...]] = {}
        """`_asked`, by whether there are classes and by the frameworks: it is needed for each step."""
        self.reload(())

    def reload(self, sources: Iterable[str]) -> None:
        """Forget the configurations, which have changed on disk; they are read again when they are next needed.
        `sources`: the paths of those that contain definitions."""
        root = self._root
        self._asked_for.clear()
        self._behat = Behat(root, self._classes, self._cache, self._listings, self._suite_texts.held_text)
        self._cypress, self._profiles = Cypress(root), Profiles(root)
        self._dotnet = DotnetProjects(root)
        self._jvm.reload()
        self._pytest.reload()
        self._worlds.reload()
        self._scripts = Profiles(
            root, package_scripts.FRAMEWORKS, package_scripts.CONFIGURATIONS, package_scripts.read_scripts
        )
        self._playwright = Profiles(root, playwright.FRAMEWORKS, playwright.CONFIGURATIONS, playwright.read_projects)
        of_scripts = partial(Profiles, root, script_runners.FRAMEWORKS)
        self._webdriverio = of_scripts(script_runners.WEBDRIVERIO, script_runners.read_webdriverio)
        self._codecept = of_scripts(script_runners.CODECEPT, script_runners.read_codecept)
        for path in sources:
            self.add_source(path)

    def are_outdated(self) -> bool:
        """True if a `package.json`, which also changes for other reasons, has changed a runner's configuration."""
        return self._scripts.is_outdated() or self._cypress.is_outdated()

    def add_source(self, path: str) -> None:
        """Take a source with definitions."""
        for profiles in (self._profiles, self._scripts, self._playwright, self._webdriverio, self._codecept):
            profiles.add_source(path)

    def update(self, extractions: Mapping[str, Extraction | None]) -> bool:
        """Take sources that are new, changed or (None) gone. True if definitions may apply to other steps now."""
        self._classes.update(extractions)
        scoped_anew = [runner.update(extractions) for runner in (self._jvm, self._pytest, self._worlds)]
        return any(scoped_anew)

    def forget(self, path: str) -> None:
        """Forget a feature file, which has changed."""
        self._behat.forget(path)

    @property
    def errors(self) -> list[GlueError]:
        """The errors of the configurations that were read so far."""
        return self._behat.errors

    def scopes_of(self, step: Step, frameworks: Set[str]) -> tuple[Scope, ...]:
        """The scopes of the first runner that is configured. A background runs with each scenario after it, under that
        scenario's tags. `frameworks`: the frameworks of all definitions."""
        runs = [(step.tags, step.scenario)]
        if step.is_background:
            scenarios = self._suite_texts.scenarios_of(step.path)
            runs = [(tags, title) for rule, title, tags in scenarios if step.rule in (None, rule)] or runs
        for scopes_of in self._asked(frameworks):
            scopes = dict.fromkeys(
                scope for tags, title in runs for scope in scopes_of(step.path, tags, (step.feature, title))
            )
            if scopes:
                return tuple(scopes)
        return ()

    def profiles_of(self, steps: Iterable[Step], frameworks: Set[str]) -> set[Scope]:
        """The scopes of Cucumber's profiles that run `steps`; none if another runner or no configuration runs one."""
        profiles: set[Scope] = set()
        for step in steps if frameworks & PROFILED else ():
            scopes = self.scopes_of(step, frameworks)
            if not scopes or not all(scope.frameworks and scope.frameworks <= PROFILED for scope in scopes):
                return set()
            profiles.update(scopes)
        return profiles

    def _asked(self, frameworks: Set[str]) -> tuple[ScopesOf, ...]:
        """The sources of a step's scopes whose runners are used, in the order in which they are asked."""
        used = bool(self._classes), frozenset(frameworks)
        asked = self._asked_for.get(used)
        if asked is None:
            configurations: tuple[tuple[bool, ScopesOf], ...] = (
                (used[0], self._behat.scopes_of),
                (bool(frameworks & PROFILED), self._profiles.scopes_of),
                (bool(frameworks & package_scripts.FRAMEWORKS), self._scripts.scopes_of),
                (bool(frameworks & playwright.FRAMEWORKS), self._playwright.scopes_of),
                (bool(frameworks & script_runners.FRAMEWORKS), self._webdriverio.scopes_of),
                (bool(frameworks & script_runners.FRAMEWORKS), self._codecept.scopes_of),
                (CYPRESS in frameworks, self._cypress.scopes_of),
                (JVM in frameworks, self._jvm.scopes_of),
                (PYTEST_BDD in frameworks, self._pytest.scopes_of),
                (CUCUMBER_RS in frameworks, self._worlds.scopes_of),
            )
            asked = self._asked_for[used] = tuple(scopes_of for is_used, scopes_of in configurations if is_used)
        return asked

    def are_asked(self, frameworks: Set[str]) -> bool:
        """True if a configuration may decide which definitions apply to which features."""
        return bool(self._asked(frameworks))

    def sees(self, path: str, definition: StepDefinition) -> bool:
        """True if the project of a feature file refers to that of a definition."""
        return definition.framework not in DOTNET or self._dotnet.sees(path, definition.path)

    def look_at_titles(self, path: str) -> bool:
        """True if a step's feature title or scenario title may decide which definitions apply to it."""
        return (bool(self._classes) and self._behat.looks_at_titles(path)) or bool(self._pytest)

    def tells_otherwise(self, path: str) -> bool:
        """True if a feature file has changed, beside its steps, in a way that may change what they bind to."""
        return self._behat.tells_otherwise(path)
