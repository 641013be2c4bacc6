"""The suites of a repository as one: a step definition may serve steps of several suites.

Each step binds as in its own suite, and also to the definitions of runners without features of their own that run its
feature: `features/` may be run by Go, Java and Node.
"""

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from functools import cached_property

from cukereuse_engine.gherkin.feature import FeatureFile, Step
from cukereuse_engine.gherkin.read import content_hash
from cukereuse_engine.glue.definition import Extraction, GlueError, Match, StepDefinition
from cukereuse_engine.glue.glue import Glue
from cukereuse_engine.glue.sources import PROJECT_FILES, extract_source
from cukereuse_engine.glue.step_binding import StepBinding
from cukereuse_engine.glue.text_binding import TextBinding
from cukereuse_engine.refactor.rename_plan import ReadSuites

Runner = tuple[str, str]
"""A framework and the folder of the project that its definitions are in."""
_KNOWN = 0.5
"""Share of a feature's bound steps that a runner must exceed to count as running it: below, it would leave many
undefined, and runners that share words by chance have far less."""


def joined(suites: Sequence[ReadSuites]) -> ReadSuites:
    """Several suites, by path, as one. Raises `ValueError` if there is none."""
    first, *others = suites
    files: dict[str, FeatureFile] = {path: file for suite in suites for path, file in suite.files.items()}
    steps: Mapping[str, Sequence[Step]] = first.steps
    texts = first.texts
    if others:
        gathered: dict[str, list[Step]] = {}
        for suite in suites:
            for key, group in suite.steps.items():
                gathered.setdefault(key, []).extend(group)
        steps = gathered
        texts = [*{text.identity: text for suite in suites for text in suite.texts}.values()]
    glues = [(suite.files, suite.glue) for suite in suites if isinstance(suite.glue, Glue)]
    glue = RepositoryGlue(glues, files) if glues else None
    spoken = lambda: tuple(dict.fromkeys(language for suite in suites for language in suite.languages))  # noqa: E731
    return ReadSuites(files, texts, steps, glue, first.read, spoken, first.sources, stamp=first.stamp)


class RepositoryGlue:
    """The step definitions of several suites. Not thread-safe."""

    def __init__(
        self, suites: Sequence[tuple[Iterable[str], Glue]], files: Mapping[str, FeatureFile] | None = None
    ) -> None:
        """`suites`: each suite's paths of feature files, and its glue; `files`: the parsed feature files by path."""
        self._files = files or {}
        self._glues = [glue for _, glue in suites]
        self._glue_of = {path: glue for paths, glue in suites for path in paths}
        self._projects: dict[str, str] = {}
        self._running: dict[tuple[Runner, str], bool] = {}
        self._extractions: dict[tuple[str, str], Extraction] = {}
        self._bound: dict[tuple[str, int, str], tuple[Step, StepBinding]] = {}
        """Bindings by place and text until something changes: each stage of a plan asks for the same steps."""

    @property
    def definitions(self) -> list[StepDefinition]:
        """The definitions of all suites, each once."""
        if len(self._glues) == 1:
            return self._glues[0].definitions
        definition_of = {definition.id: definition for glue in reversed(self._glues) for definition in glue.definitions}
        return sorted(definition_of.values(), key=lambda definition: (definition.path, definition.literal.start_byte))

    @property
    def errors(self) -> list[GlueError]:
        """The errors of all suites, each once."""
        return list(dict.fromkeys(error for glue in self._glues for error in glue.errors))

    def bind(self, step: Step) -> StepBinding:
        """Bind a step in its own suite, and in a separate scope for each runner from elsewhere."""
        key = step.path, step.span.start, step.text
        cached = self._bound.get(key)
        if cached is None or cached[0] is not step:
            cached = self._bound[key] = step, self._bind(step)
        return cached[1]

    def _bind(self, step: Step) -> StepBinding:
        glue = self._glue_of.get(step.path, self._glues[0])
        bound = glue.bind(step)
        if len(self._runners) < 2:
            return bound
        # a text that its runner binds with its placeholders is no other runner's
        anywhere = {binding.text: binding for binding in glue.matches_anywhere(step)}
        texts = tuple(
            self._with_others(step, mine, anywhere[mine.text]) if mine.text in anywhere else mine
            for mine in bound.texts
        )
        return StepBinding(step, texts) if any(a is not b for a, b in zip(texts, bound.texts, strict=True)) else bound

    def _with_others(self, step: Step, mine: TextBinding, anywhere: TextBinding) -> TextBinding:
        if len(anywhere.matches) == len(mine.matches):
            return mine
        own = {match.definition.id for match in mine.matches}
        others: dict[Runner, list[Match]] = {}
        for match in anywhere.matches:
            runner = self._runner_of(match.definition)
            if match.definition.id not in own and self._runs(runner, step.path):
                others.setdefault(runner, []).append(match)
        if not others:
            return mine
        scopes = [*(mine.scopes or (mine.matches,)), *(tuple(others[runner]) for runner in sorted(others))]
        matches = {match.definition.id: match for scope in scopes for match in scope}
        return replace(mine, matches=tuple(matches.values()), scopes=tuple(scope for scope in scopes if scope))

    def matches_anywhere(self, step: Step) -> tuple[TextBinding, ...]:
        return self._glue_of.get(step.path, self._glues[0]).matches_anywhere(step)

    def texts_of(self, definition_id: str) -> frozenset[str]:
        return frozenset[str]().union(*(glue.texts_of(definition_id) for glue in self._glues))

    def may_serve(self, definition: StepDefinition) -> bool:
        return any(glue.may_serve(definition) for glue in self._glues)

    def update_feature(self, path: str, steps: Sequence[Step] | None, *, defines: bool = True) -> None:
        """Take a feature file that is new, changed or (None) gone; a file that is in no suite belongs to all."""
        if defines or path in self._files:
            self._bound.clear()
        for glue in [self._glue_of[path]] if path in self._glue_of else self._glues:
            glue.update_feature(path, steps, defines=defines)

    def update_file(self, path: str, source: bytes | None) -> set[str]:
        extraction = self.extracted(path, source) if source is not None else None
        self._bound.clear()
        return set[str]().union(*[glue.use_extraction(path, extraction) for glue in self._glues])

    @contextmanager
    def trying(self, sources: Mapping[str, bytes]) -> Iterator[None]:
        extractions = {path: self.extracted(path, source) for path, source in sources.items()}
        before, self._bound = self._bound, {}
        try:
            with ExitStack() as stack:
                for glue in self._glues:
                    stack.enter_context(glue.trying(sources, extractions))
                yield
        finally:
            self._bound = before

    def extracted(self, path: str, source: bytes) -> Extraction:
        """The extraction of a source, read once: a rename goes back to the earlier source."""
        key = path, content_hash(source)
        if key not in self._extractions:
            given = next((constants for glue in self._glues if (constants := glue.given(path))), ())
            self._extractions[key] = extract_source(path, source, given)
        return self._extractions[key]

    # Runners from elsewhere

    @cached_property
    def _runners(self) -> frozenset[Runner]:
        return frozenset(self._runner_of(definition) for glue in self._glues for definition in glue.definitions)

    def _runner_of(self, definition: StepDefinition) -> Runner:
        return definition.framework, self._project_of(os.path.dirname(definition.path))  # noqa: PTH120

    def _project_of(self, folder: str) -> str:
        """The nearest folder with a project file; empty if the repository has none."""
        project = self._projects.get(folder)
        if project is None:
            place = os.path.abspath(folder)  # noqa: PTH100
            above = os.path.dirname(folder) if folder else os.path.dirname(place)  # noqa: PTH120
            if any(os.path.exists(os.path.join(place, name)) for name in PROJECT_FILES):  # noqa: PTH110, PTH118
                project = place
            elif os.path.exists(os.path.join(place, ".git")) or above == folder:  # noqa: PTH110, PTH118
                project = ""
            else:
                project = self._project_of(above)
            self._projects[folder] = project
        return project

    def _runs(self, runner: Runner, path: str) -> bool:
        """True if a runner without features of its own runs a feature."""
        if runner not in self._idle or path not in self._files:
            return False
        is_run = self._running.get((runner, path))
        if is_run is None:
            steps = {(step.text, step.resolved_type): step for step in self._files[path].steps if step.text}
            matches = [self.matches_anywhere(step) for step in steps.values()]
            bound = [texts for texts in matches if any(text.matches for text in texts)]
            mine = [texts for texts in bound if any(map(runner.__eq__, self._matching(texts)))]
            is_run = self._running[runner, path] = len(mine) > _KNOWN * len(bound)
        return is_run

    def _matching(self, texts: Sequence[TextBinding]) -> Iterator[Runner]:
        return (self._runner_of(match.definition) for text in texts for match in text.matches)

    @cached_property
    def _idle(self) -> frozenset[Runner]:
        """The runners without a definition that a step of any suite binds to: their features are elsewhere."""
        idle = set(self._runners)
        seen: set[tuple[str, str, object]] = set()
        for path, file in self._files.items():
            folder = os.path.dirname(path)  # noqa: PTH120
            for step in file.steps:
                key = step.text, folder, step.resolved_type
                if not step.text or (key in seen and not step.examples):
                    continue
                seen.add(key)
                bound = self._glue_of[path].bind(step) if path in self._glue_of else None
                for definition in bound.definitions if bound is not None else ():
                    idle.discard(self._runner_of(definition))
                if not idle:
                    return frozenset()
        return frozenset(idle)
