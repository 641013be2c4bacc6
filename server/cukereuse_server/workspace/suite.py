"""One suite, kept up to date: changes are compared again, everything else stays.

Holds the results of the stages. `scan` is its exact twin, except for the judge's knowledge of the whole suite (how
often a frame is filled): that is as of the last `use_judge`, and renewed when the suite has changed much."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from operator import attrgetter
from typing import TYPE_CHECKING

from cukereuse_engine.catalogue.search import Catalogue, read_catalogue
from cukereuse_engine.detection.options import StrategyOptions
from cukereuse_engine.embedding_models.embedder import Vectors
from cukereuse_engine.errors import CukereuseError
from cukereuse_engine.gherkin.feature import FeatureFile, Step
from cukereuse_engine.glue.definition import StepDefinition
from cukereuse_engine.glue.glue import Glue
from cukereuse_engine.scanning.why import Why
from cukereuse_engine.settings import Settings
from cukereuse_engine.suppression.baseline import Baseline
from cukereuse_engine.text.identity import normalise
from cukereuse_engine.text.step_text import StepText
from cukereuse_server.workspace.bindings import SuiteBindings
from cukereuse_server.workspace.code_findings import CodeFindings
from cukereuse_server.workspace.components import Component, Components
from cukereuse_server.workspace.detection import SuiteDetection
from cukereuse_server.workspace.diagnoses import Diagnoses
from cukereuse_server.workspace.judge_age import JudgeAge
from cukereuse_server.workspace.moved import Trail
from cukereuse_server.workspace.neighbours import FoundCrowds, Neighbours
from cukereuse_server.workspace.repetition import SuiteRepetition
from cukereuse_server.workspace.rules import SuiteRules
from cukereuse_server.workspace.shared_judge import SharedJudge
from cukereuse_server.workspace.siblings import Siblings
from cukereuse_server.workspace.stages.comparing import AcceptedPairs, Judged
from cukereuse_server.workspace.stages.embedding import Embedded
from cukereuse_server.workspace.stages.glue import LoadedGlue, Sources
from cukereuse_server.workspace.suite_findings import SuiteFindings
from cukereuse_server.workspace.texts import ChangedFile, Texts

if TYPE_CHECKING:
    from cukereuse_engine.functions.relations import Functions

_line = attrgetter("line")


class SuiteState:
    """`replace_file` and `replace_source` take changed files, `use_…` the results of a stage; everything else answers
    questions. Not thread-safe."""

    def __init__(self, root: str, settings: Settings, baseline: Baseline = Baseline()) -> None:  # noqa: B008 - it never changes
        self.root = root
        self.settings = settings
        self.texts = Texts()
        self.tried = self.settled = False
        """True after an attempt to compare all templates, with vectors if there is a model."""
        self.definitions_known = False
        """True if it is known which step definitions there are, even if there are none."""
        self.sources: Sources | None = None
        """The sources of the step definitions, if any can be read."""
        self.look_at_sources = False
        """True if the sources may have changed on disk."""
        self.asked_for: set[str] | None = None
        """Templates whose vectors were already requested; None before there is a model."""
        self.wanted_vectors: set[str] = set()
        """New templates."""
        self._judge_age = JudgeAge()
        self._rebound: set[str] = set()
        """Templates whose bindings have changed since they were compared."""
        self.bindings = SuiteBindings(self.texts)
        self.rules = SuiteRules(self.texts, settings, baseline)
        self.trail = Trail()
        self.diagnoses = Diagnoses(self.trail)
        """The diagnoses of the findings in open files."""
        self._siblings = Siblings(self.texts, self.bindings)
        self._code = CodeFindings(self.texts, self.bindings, self._siblings, self.rules)
        self._detection = SuiteDetection(self.texts, self.bindings, self.rules, self._code, settings)
        self._components = Components(
            self._siblings, self._detection.accepted, self._detection.basis, self._detection.find
        )
        self.repetition = SuiteRepetition(self.texts, self.rules, settings)
        self.findings = SuiteFindings(
            self.texts, self.bindings, self.rules, self._detection, self._components, self._code, self.repetition
        )

    @property
    def catalogue(self) -> Catalogue | None:
        """Other repositories' steps, if the settings name a file of them; never mixed with the suite's own."""
        if self.settings.catalogue is None:
            return None
        try:
            return read_catalogue(self.settings.catalogue)
        except CukereuseError:  # reported when the settings were read; the file may be being written
            return None

    def defines(self, text: str) -> bool:
        """True if a step definition of the suite matches a text, even if no step has it."""
        return self.glue is not None and bool(self.glue.matches(text))

    # -- what changes

    def replace_file(self, path: str, file: FeatureFile | None) -> set[str]:
        """Take a file that is new, changed or (None) gone. Returns the keys of the templates that this affects."""
        change = self.texts.replace_file(path, file)
        self.trail.add(path, change.shift)
        self.repetition.move(path, file, change.shift, is_realigned=change.is_realigned)
        redefined, rebound, texts = self.bindings.replace_file(path, change)
        concerned = change.texts.union(texts or ())
        keys = change.keys | self.texts.templates_of(concerned)
        self._detection.forget_steps(keys, concerned)
        if redefined:  # exported scenarios are step definitions
            self._bind_anew(rebound, texts)
        elif change.shift is None or change.shift.lines:
            self._code.move(path)
        self._siblings.update(texts)
        self._code.forget_steps(texts or ())  # after `_bind_anew`, nothing is left to forget
        if change.keys or change.is_reworded:
            self.repetition.forget()
        if self.judge is None:  # otherwise nothing is known that could be forgotten
            self._components.touch(change.keys | change.moved)
        else:
            for key in keys:
                self._components.forget(key)
            self._components.move(change.moved - keys)
        self.rules.forget(concerned)
        self._silence_anew(path, change)
        self._compare_anew(rebound)
        for key in change.keys:
            self._compare_or_not(key)
        return set(change.keys)

    def _silence_anew(self, path: str, change: ChangedFile) -> None:
        pragmas = [entry.pragmas for entry in (change.before, change.after) if entry is not None]
        if any(pragmas):
            self.repetition.silence_anew()
            self._look_for_pragmas(change.keys | change.moved)
            if len(pragmas) == 2 and not pragmas[0].silence_as(pragmas[1]):
                self._look_for_pragmas(self.texts.keys_of(path))  # a pragma may concern any step of the file

    def _compare_or_not(self, key: str) -> None:
        """Compare a template that came; no longer compare one that went."""
        compared = self.texts.is_language(key)
        if compared and key not in self.neighbours:
            self._judge_age.come(key)
            self.neighbours.add(key, self.texts.masked(key))
            self._components.add(key)
        elif not compared and key in self.neighbours:
            self._judge_age.go(key)
            self.neighbours.remove(key)
            self._components.remove(key)

    def use_judge(self, judged: Judged) -> None:
        """Use a judge that knows the present suite; results of an earlier judge stay until they are compared again."""
        judge, neighbours = judged.judge, judged.neighbours
        if neighbours.languages != self.neighbours.languages:
            self._components.restart(self.neighbours.keys())
        self._detection.use_judge(judge, neighbours)
        self.bindings.use_judge(judge)
        self._code.forget()
        self.rules.show_undefined(self.bindings.is_whole)
        self._rebound.clear()
        self._judge_age.restart()
        self._forget_compared()

    def use_pairs(self, compared: AcceptedPairs) -> None:
        """Replace the accepted pairs among some templates by these. Newer templates are compared one by one."""
        self.neighbours.add_exact(compared.exact)
        self._components.use_pairs({key for key in compared.keys if key in self.neighbours}, compared.pairs)
        if len(self.neighbours.vectors):  # scores may have changed
            self._code.forget()
            self._forget_compared()

    def use_glue(self, loaded: LoadedGlue, held: Mapping[str, bytes]) -> None:
        """Use step definitions that know the texts of the suite. `held`: sources, by path, that differ from disk."""
        self.bindings.glue, self.sources = loaded.glue, loaded.sources
        self._code.use(loaded.functions)
        for path, source in held.items():
            loaded.glue.update_file(path, source)
            self._code.hold(path, source)
            self._code.replace_source(path, source, self.bindings.defined_in(path))
        self._siblings.forget()
        self._forget_all()

    def reconfigure(self) -> bool:
        """Read the configurations again; false if there are no definitions."""
        if self.glue is None:
            return False
        self.glue.reload_configuration()
        self._siblings.forget()
        self._forget_all()
        return True

    @property
    def is_configured_anew(self) -> bool:
        """True if `reconfigure` is due; see `Glue.is_configured_anew`."""
        return self.glue is not None and self.glue.is_configured_anew

    def apply_rules(self) -> set[str]:
        """Apply the rules of the runners' projects again; returns the sources that define something else now."""
        changed = self.glue.apply_rules() if self.glue is not None else set()
        if self._code.look_at_projects() or changed:
            self._siblings.forget()
            self._forget_all()
        return changed

    def replace_source(self, path: str, source: bytes | None) -> bool:
        """Take a source that is new, changed or (None) gone. True if any text, definition or finding is affected;
        `rejudge` then compares templates that bind differently."""
        before = self.bindings.defined_in(path)
        self._code.hold(path, source)
        changed, rebound, texts = self.bindings.replace_source(path, source)
        after = self.bindings.defined_in(path)
        compared = self.functions is not None and bool(before or after)
        if compared:
            self._code.replace_source(path, source, after)
        if changed or compared:
            self._bind_anew(rebound, texts)
            self._rebound |= rebound
        return changed or compared

    def use_all_vectors(self, embedded: Embedded) -> None:
        """Use vectors of all templates, as far as these still exist."""
        self.neighbours.margin = embedded.margin
        self.neighbours.add_vectors(embedded.keys, embedded.vectors)

    def use_vectors(self, keys: Sequence[str], vectors: Vectors) -> None:
        """Use vectors of templates that were compared without; they are compared again."""
        self.neighbours.add_vectors(keys, vectors)
        self._compare_anew(keys)

    def use_exact(self, keys: Sequence[str], vectors: Vectors) -> None:
        """Use exact vectors of templates whose pairs the others left open; they are compared again."""
        self.neighbours.add_exact(dict(zip(keys, vectors, strict=True)))
        self._compare_anew(keys)

    def crowd_search(self) -> tuple[Callable[[], FoundCrowds], set[str]]:
        """A thread-safe search for crowds of near copies, and the templates that must be compared again after it."""
        same_words = self.neighbours.told_same_words()
        return self.neighbours.crowd_search(), same_words

    def use_crowds(self, crowds: FoundCrowds, same_words: set[str]) -> None:
        self._compare_anew(self.neighbours.use_crowds(crowds) | same_words)

    def rejudge(self) -> Iterator[None]:
        """Compare templates again whose bindings have changed since, in slices."""
        while self._rebound:
            self._compare_anew({self._rebound.pop()})
            yield from self._components.catch_up()
            yield

    # -- what is asked

    @property
    def judge(self) -> SharedJudge | None:
        """The judge; None until the suite is known well enough."""
        return self._detection.judge

    @property
    def neighbours(self) -> Neighbours:
        return self._detection.neighbours

    @property
    def glue(self) -> Glue | None:
        return self.bindings.glue

    @property
    def functions(self) -> "Functions | None":
        """The functions of the step definitions, if there are any."""
        return self._code.functions

    @property
    def compared(self) -> bool:
        """True if all templates have been compared; until then, a template is compared when it is requested."""
        return self._components.complete

    @property
    def is_embedded(self) -> bool:
        """True if all templates have been embedded, even if there are none; new ones are embedded one by one."""
        return self.asked_for is not None and not self.asked_for

    @property
    def outdated(self) -> bool:
        """True if so much has changed that the judge should be renewed."""
        return self._judge_age.is_outdated(len(self.texts.members))

    def all_texts(self) -> tuple[StepText, ...]:
        return self.texts.all_texts()

    def component(self, key: str) -> Component:
        """The component of a template, with its clusters and findings. Needs a judge."""
        return self._components.of(key)

    def take_affected(self) -> set[str]:
        """Keys of the templates whose findings may have changed since the last call."""
        return self._components.take_affected()

    def is_unused(self, definition: StepDefinition) -> bool:
        """True if no step binds to a definition of the suite's own, and no code calls it."""
        return self.compared and self._code.is_unused(definition)

    def is_used(self, definition: StepDefinition) -> bool:
        """True if a step of the suite binds to a definition, if code calls it, or if that is not known yet."""
        return not self.compared or self._code.is_used(definition)

    def functions_in(self, path: str) -> Counter[str]:
        """The functions (`StepDefinition.function_id`) that a file's steps bind to, with their numbers of steps."""
        return self._siblings.functions_in(self.texts.files[path].texts)

    def undefined_in(self, path: str) -> list[Step]:
        """The steps of a file without a definition, and some that may have one."""
        texts = self.texts.files[path].texts
        return sorted((step for text in self._siblings.undefined_in(texts) for step in texts[text]), key=_line)

    def look_up_functions(self) -> Iterator[None]:
        """Look up, in slices, what findings and `functions_in` need."""
        return self._siblings.look_up()

    def key_of(self, text: str) -> str | None:
        """The key of the template of a step's text; None if no step has the text."""
        entry = self.texts.texts.get(normalise(text))
        return entry.template.key if entry is not None else None

    def wording(self, key: str) -> StepText:
        """The canonical text of a template."""
        return self._detection.wording(key)

    def why(self, text: str, other: str) -> Why | None:
        """The evidence for and against one meaning of two texts, as in `cukereuse why`; None without a judge."""
        return self._detection.why(text, other)

    def options(self) -> StrategyOptions:
        """The server always compares by the default strategy."""
        return self._detection.options()

    # -- inside

    def _look_for_pragmas(self, keys: Iterable[str]) -> None:
        """Forget findings at the steps of these templates, because pragmas may apply to other steps now."""
        for key in keys:
            self.rules.forget(self.texts.members.get(key, ()))
            self._components.forget(key, moved=True)

    def _bind_anew(self, rebound: set[str], texts: set[str] | None) -> None:
        """Definitions have changed. `rebound`: keys of the templates that bind differently now; `texts`: all texts that
        may (None: every text)."""
        self._judge_age.bind_anew(rebound)
        self._siblings.update(texts)
        self._forget_all()

    def _forget_all(self) -> None:
        """Steps may bind to others now."""
        self._code.forget()
        self._components.forget_all(self.texts.members)
        self._detection.forget_bindings()
        self.rules.forget_all()
        self.repetition.forget()

    def _forget_compared(self) -> None:
        """Pairs are judged differently; what repeats, and findings about single texts, do not depend on that."""
        self._components.forget_all(self.texts.members, detections=True)

    def _compare_anew(self, keys: Iterable[str]) -> None:
        """Compare templates again that the judge may judge differently now."""
        self._components.compare_anew(key for key in keys if key in self.neighbours)
