"""The step definitions of one suite, and which of them its steps bind to.

`Glue` is kept up to date by file: a changed source binds only the texts again that it can affect, a changed feature
file only its new texts. It never reads a feature file and never writes.
"""

import os
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence, Set
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from cukereuse_engine.gherkin.feature import Parts, Step
from cukereuse_engine.gherkin.listings import Listings
from cukereuse_engine.glue import project_rules
from cukereuse_engine.glue.binding import Binder
from cukereuse_engine.glue.definition import Constant, Extraction, GlueError, Match, StepDefinition
from cukereuse_engine.glue.elsewhere import tells
from cukereuse_engine.glue.exported import FRAMEWORK as VANESSA
from cukereuse_engine.glue.exported import exported
from cukereuse_engine.glue.libraries import Libraries
from cukereuse_engine.glue.open_outlines import is_open
from cukereuse_engine.glue.project_rules import ProjectRules
from cukereuse_engine.glue.reach import Reach
from cukereuse_engine.glue.runners import Runners
from cukereuse_engine.glue.sources import (
    Found,
    ReadSources,
    discover_glue,
    extract_source,
    glue_root,
    kept_names,
    kept_sources,
    read_file,
    read_sources,
    sources_key,
    with_names,
)
from cukereuse_engine.glue.step_binder import StepBinder
from cukereuse_engine.glue.step_binding import DefinitionUsage, StepBinding, expanded_texts
from cukereuse_engine.glue.suite_folders import SuiteFolders
from cukereuse_engine.glue.suite_texts import SuiteTexts
from cukereuse_engine.glue.text_binding import Status, TextBinding
from cukereuse_engine.progress import SILENT, Progress
from cukereuse_engine.storage.blob_store import Blobs, BlobStore


class Glue:
    """The definitions and bindings of one suite. Not thread-safe."""

    def __init__(
        self,
        suite_root: str,
        sources: Mapping[str, Extraction] | None = None,
        cache: Blobs | None = None,
        listings: Listings | None = None,
        files: Iterable[str] = (),
    ) -> None:
        """`sources` as `read_sources` gives them. Definitions outside `suite_root` count only if none inside does.
        `cache` keeps results about expressions and configurations; `listings` knows what is below folders. `files`: all
        sources, including those that define nothing."""
        self.root = suite_root
        self._folders = SuiteFolders(suite_root)
        self._suite_texts = SuiteTexts()
        self._runners = Runners(glue_root(suite_root), self._suite_texts, cache=cache, listings=listings)
        self._binder = Binder(Reach(self._folders.hold, self._folders.project_of, self._runners.sees), cache)
        self._rules = ProjectRules(glue_root(suite_root))
        self._libraries = Libraries(glue_root(suite_root), self._folders.project_of, self._folders.hold, files)
        self._asking: dict[str, Extraction] = {}
        """Sources that import names from others."""
        self._held: dict[str, bytes] = {}
        """Their contents, if they differ from disk."""
        self._read: dict[str, Extraction] = {}
        """The contents of sources, before the rules of their projects apply."""
        self._unloaded_then: frozenset[str] | None = None
        """None after something changed."""
        self._steps = StepBinder(self._binder, self._runners, self._suite_texts)
        self._own: tuple[frozenset[str], tuple[StepDefinition, ...]] | None = None
        """`own_definitions`, and the unloaded sources then; None after a source changed. Asked for at each key."""
        self.apply_rules()
        if sources:
            self._update_files(dict(sources))

    @classmethod
    def load(
        cls,
        suite_root: str,
        *,
        paths: Sequence[str | Path] | None = None,
        include: Sequence[str] = (),
        exclude: Sequence[str] = (),
        jobs: int | None = None,
        cache: BlobStore | None = None,
        read: ReadSources | None = None,
        progress: Progress = SILENT,
    ) -> "Glue":
        """Find and read the glue of the suite at `suite_root`: below `paths`, or else `glue_root(suite_root)`.

        `include`, `exclude`: patterns as in `discover`. `read` is looked up first, and added to.
        Raises `CukereuseError` for a path that does not exist.
        """
        read = ReadSources() if read is None else read
        where = tuple(str(path) for path in paths or [glue_root(suite_root)])
        key = sources_key(where, include, exclude)
        if key not in read:
            files = discover_glue(where, include=include, exclude=exclude, listings=read.listings)
            kept = kept_sources(cache, key, read.stamps) if cache is not None else None
            extractions = read_sources(files, jobs=jobs, cache=cache, kept=kept, progress=progress)
            keep = kept_names(cache, key, read.stamps) if cache is not None else None
            read[key] = Found(files, with_names(extractions, files, keep=keep))
        return cls(suite_root, read[key].extractions, cache, read.listings, read[key].files)

    def hold_texts(self, held: Callable[[str], str | None]) -> None:
        """`held`: the text of a feature file that is open in an editor; None if it is as on disk."""
        self._suite_texts.held = held

    @property
    def files(self) -> Set[str]:
        """All sources that there are, those that define nothing too."""
        return self._libraries.files

    @property
    def definitions(self) -> list[StepDefinition]:
        """All definitions by path and place: those of other suites in the repository too, but no translations."""
        return [definition for definition in self._binder.definitions if not definition.is_translation]

    @property
    def frameworks(self) -> frozenset[str]:
        """The frameworks of all definitions; empty if there are none."""
        return frozenset(self._binder.frameworks)

    @property
    def own_definitions(self) -> Sequence[StepDefinition]:
        """The definitions in the suite's folder, or else in the nearest folder around it that has any. Other suites of
        the repository have their own. Sources that the runner's configuration does not load are left out."""
        unloaded = self._unloaded
        if self._own is None or self._own[0] != unloaded:
            definitions = self.definitions
            is_own = self._folders.nearest_with(definition.path for definition in definitions)
            own = (each for each in definitions if each.path not in unloaded and is_own(each.path))
            self._own = unloaded, tuple(own)
        return self._own[1]

    @property
    def errors(self) -> list[GlueError]:
        """Errors of all sources that were read, and of the configurations that were needed so far."""
        return [*self._binder.errors, *self._runners.errors]

    @property
    def own_errors(self) -> list[GlueError]:
        """Errors in the folder of `own_definitions`, and of configurations."""
        is_own = self._folders.nearest_with(definition.path for definition in self.definitions)
        own = (error for error in self._binder.errors if is_own(error.path))
        return [*(error for error in own if error.path not in self._unloaded), *self._runners.errors]

    @property
    def knows_all(self) -> bool:
        """False if a runner has step definitions that are not in the repository, as Vanessa Automation does: a step
        without a definition here may bind to one of these."""
        return self._binder.frameworks != {VANESSA}

    def is_checked(self, definition: StepDefinition) -> bool:
        """True if it is known what a definition matches."""
        return self._binder.is_checked(definition)

    def errors_in(self, path: str) -> list[GlueError]:
        """The errors of one source."""
        return self._binder.errors_in(path)

    def texts_of(self, definition_id: str) -> frozenset[str]:
        """The known texts that a definition matches, after any keyword. A step that binds to it has one of these texts
        (except for a colon that behave drops)."""
        return self._binder.texts_of(definition_id)

    def may_serve(self, definition: StepDefinition) -> bool:
        """True if the definition matches known texts of other definitions that are only assumed to match them."""
        return self._binder.may_serve(definition)

    def matches(self, text: str, path: str = "") -> tuple[Match, ...]:
        """The matches for a step that the code in the source at `path` calls by its text."""
        return self._binder.bind(text, path=path).matches

    def paths_saying(self, texts: Set[str]) -> list[str]:
        """The feature files where a step takes one of these texts, itself or through an Examples row."""
        return self._suite_texts.paths_of(texts)

    def unsaid(self, ignoring: str = "") -> list[StepDefinition]:
        """The `own_definitions` that no step of a feature file uses, the text `ignoring` not counted."""

        def is_said(text: str) -> bool:
            return any(
                wording in self._suite_texts and wording != ignoring for wording in (text, f"{text}:")
            )  # behave drops a colon

        unsaid = {definition.id for definition in self._binder.unsaid(is_said)}
        return [definition for definition in self.own_definitions if definition.id in unsaid] if unsaid else []

    def update_file(self, path: str, source: bytes | None) -> set[str]:
        """Take a source that is new, changed or (None) gone. Returns the known texts whose definitions changed."""
        changed = self.use_extraction(path, self.extracted(path, source) if source is not None else None)
        self._held.pop(path, None)
        if source is not None and path in self._asking:
            self._held[path] = source
        return changed | self._told_anew(path, source) if self._asking else changed

    @contextmanager
    def trying(self, sources: Mapping[str, bytes], known: Mapping[str, Extraction] | None = None) -> Iterator[None]:
        """Sources have these contents inside a `with` block only. `known`: what they define, if it is known."""
        before, held = dict(self._read), dict(self._held)
        defined = {path: self.extracted(path, source) for path, source in sources.items()} if known is None else known
        try:
            self._update_files(defined)
            self._held |= {path: source for path, source in sources.items() if path in self._asking}
            for path, source in sources.items() if self._asking else ():
                self._told_anew(path, source)
            yield
        finally:
            now = self._read
            changed = {path for path in now.keys() | before.keys() if now.get(path) is not before.get(path)}
            self._update_files({path: before.get(path) for path in sorted(changed)})
            self._held = held

    def extracted(self, path: str, source: bytes) -> Extraction:
        """The definitions of a source; names that it imports from others keep their values."""
        return extract_source(path, source, self.given(path))

    def given(self, path: str) -> tuple[Constant, ...]:
        """The values of the names that a source imports from others."""
        return self._asking[path].given if path in self._asking else ()

    def _told_anew(self, path: str, source: bytes | None) -> set[str]:
        """Read those sources again that import names from a changed source, whose values may have changed."""
        telling = {constant.path for extraction in self._asking.values() for constant in extraction.given} - {""}
        if path not in telling and (source is None or not tells(path, source, self._asking.values())):
            return set()
        telling.add(path)
        held = {**self._held, path: source}
        read = lambda file: held[file] if file in held else read_file(file)  # noqa: E731
        after = with_names(self._asking, sorted(telling), read)
        return self._update_files({file: new for file, new in after.items() if new is not self._asking[file]})

    def use_extraction(self, path: str, extraction: Extraction | None) -> set[str]:
        """`update_file` for a source that is read already."""
        return self._update_files({path: extraction})

    def _update_files(self, extractions: Mapping[str, Extraction | None]) -> set[str]:
        self._unloaded_then = None
        scoped_anew = [self._runners.update(extractions), self._libraries.update(extractions)]
        for path, extraction in extractions.items():
            self._read.pop(path, None)
            if extraction is not None:
                self._read[path] = extraction
        extractions = {
            path: self._rules.applied(path, extraction) if extraction is not None else None
            for path, extraction in extractions.items()
        }
        for path, extraction in extractions.items():
            if extraction is not None and extraction.definitions:
                self._runners.add_source(path)
            self._asking.pop(path, None)
            if extraction is not None and extraction.references:
                self._asking[path] = extraction
        self._steps.forget()
        self._own = None
        changed = self._binder.update_files(extractions)
        return changed | self._binder.asked if any(scoped_anew) else changed

    def reload_configuration(self) -> None:
        """Forget the configurations of runners: they are read again when they are next needed."""
        self._runners.reload({definition.path for definition in self._binder.definitions})
        self.apply_rules()

    @property
    def is_configured_anew(self) -> bool:
        """True if a file that also changes for other reasons (`package.json`) now configures other definitions; then
        `reload_configuration` is due."""
        return self._runners.are_outdated()

    def apply_rules(self) -> set[str]:
        """Files around sources have changed on disk. Returns the sources that define something else now."""
        project_rules.forget()
        self._libraries.forget()
        self._folders.forget_projects()
        extractions, none = self._binder.extractions, Extraction()
        changed = {
            path: read
            for path, read in self._read.items()
            if self._rules.applied(path, read) != (extractions.get(path) or none)
        }
        self._update_files(changed)
        return set(changed)

    def update_feature(
        self, path: str, steps: Sequence[Step] | None, *, defines: bool = True, parts: Parts | None = None
    ) -> set[str] | None:
        """Take a feature file that is new, changed or (None) gone. Unless it `defines`, its exported scenarios are
        ignored: they are in another file. `parts`: all its steps; known parts are skipped. Returns the known texts, in
        all files, whose definitions changed because scenarios are exported; None if no binding changed."""
        self._unloaded_then = None
        self._runners.forget(path)
        change = self._suite_texts.update(path, steps, parts)
        definitions = exported(path, steps or ()) if defines and change.exports_some else Extraction()
        extraction = self._binder.extractions.get(path, Extraction())
        changed = None
        if definitions != extraction:
            changed = self._update_files({path: definitions if definitions != Extraction() else None})
            if not changed and len(definitions.definitions) == len(extraction.definitions):
                changed = None  # they are on other lines, and no step uses them
        self._binder.update_texts(added=change.added, removed=change.gone)
        self._steps.forget_texts(change.gone)
        return changed

    def bind(self, step: Step) -> StepBinding:
        """The definitions that a step binds to. A new text is bound now and kept."""
        scopes = self._runners.scopes_of(step, self._binder.frameworks)
        binding = self._steps.bind(step, scopes)
        if binding.status is not Status.UNDEFINED:
            return binding
        stated = self._libraries.outside(name for scope in scopes for name in scope.libraries)
        names = {*stated, *self._libraries.around(step.path)}
        return replace(binding, libraries=tuple(sorted(names))) if names else binding

    def binds_to(self, step: Step, definition_id: str) -> bool:
        """True if a step binds to a definition; sooner known than its whole binding."""
        binding = self._steps.bind(step, self._runners.scopes_of(step, self._binder.frameworks))
        return any(match.definition.id == definition_id for text in binding.texts for match in text.matches)

    def role_of(self, step: Step) -> Hashable:
        """What else than its text decides which definitions a step binds to: steps of one text and role bind alike."""
        return self._steps.role_of(step)

    @property
    def binds_by_scenario(self) -> bool:
        """True if a background's steps may bind to others with another title or tag of a scenario after it."""
        return self._binder.has_limits or self._runners.are_asked(self.frameworks)

    def matches_anywhere(self, step: Step) -> tuple[TextBinding, ...]:
        """All matches for each text of a step after its keyword, whatever their place and runner."""
        kind = step.resolved_type
        return tuple(self._binder.bind(text, kind, holds=lambda _: True) for text in expanded_texts(step))

    def tells_otherwise(self, path: str) -> bool:
        """True if a feature file has changed, beside its steps, in a way that may change what they bind to."""
        return self._runners.tells_otherwise(path)

    @property
    def _unloaded(self) -> frozenset[str]:
        """The sources that Cucumber's configuration does not load, as a repository has for other tests; none if it does
        not tell for each step."""
        if self._unloaded_then is None:
            self._unloaded_then = self._find_unloaded()
        return self._unloaded_then

    def _find_unloaded(self) -> frozenset[str]:
        scopes = self._runners.profiles_of(self._suite_texts.first_steps(), self.frameworks)
        loaded = {each.path for each in self.definitions if any(scope.holds(each) for scope in scopes)}
        others = {each.path for each in self.definitions} - loaded if scopes else set()
        return frozenset(others - self._beside_served(others)) if others else frozenset()

    def _beside_served(self, paths: Set[str]) -> set[str]:
        """Those of the sources that serve a step, or are beside one that does: something loads them."""
        by_folder: dict[str, set[str]] = {}
        for path in paths:
            by_folder.setdefault(os.path.dirname(path), set()).add(path)  # noqa: PTH120
        beside = [each for each in self.definitions if os.path.dirname(each.path) in by_folder]  # noqa: PTH120
        texts = frozenset[str]().union(*(self.texts_of(each.id) for each in beside))
        steps = (step for step in self._suite_texts.steps() if "<" in step.text or step.text in texts)
        served = {os.path.dirname(each.path) for step in steps for each in self.bind(step).definitions}  # noqa: PTH120
        return set().union(*(by_folder[folder] for folder in served & by_folder.keys()))

    def usage(self, steps: Iterable[Step]) -> DefinitionUsage:
        """How `steps` use the definitions; steps without a text are left out."""
        counts = dict.fromkeys((definition.id for definition in self.definitions), 0)
        undefined: list[StepBinding] = []
        ambiguous: list[StepBinding] = []
        for step in steps:
            if not step.text:
                continue
            binding = self.bind(step)
            for definition in binding.definitions:
                counts[definition.id] += 1
            if binding.status is Status.UNDEFINED:
                if self.knows_all and not is_open(step):
                    undefined.append(binding)
            elif binding.status is Status.AMBIGUOUS:
                ambiguous.append(binding)
        unchecked = self._binder.unchecked
        unused = tuple(
            definition
            for definition in self.own_definitions
            if not counts[definition.id] and definition.id not in unchecked
        )
        return DefinitionUsage(counts, unused, tuple(undefined), tuple(ambiguous))
