"""The order of the stages: files → step definitions → a judge and the pairs that it accepts by wording, while texts are
embedded → the pairs again, by meaning → findings of open files. Only this file starts a stage; `suite_stages` runs it.

Each suite goes through the stages by itself, suites with an open file first. Later changes (a changed definition, an
outdated judge, a downloaded model) start at the stage that they affect.
"""

from enum import Enum
from time import monotonic

from cukereuse_engine.errors import Cancelled
from cukereuse_engine.gherkin.discovery import FEATURE_SUFFIXES
from cukereuse_engine.gherkin.read import read_text
from cukereuse_engine.glue.languages.base import language_for
from cukereuse_engine.processes import give_back_memory
from cukereuse_engine.prose import counted
from cukereuse_server.workspace.activities import INDEX, Activities, Activity
from cukereuse_server.workspace.announcements import Announcements
from cukereuse_server.workspace.early_vectors import EarlyVectors
from cukereuse_server.workspace.files import Files
from cukereuse_server.workspace.glue_files import GlueFiles
from cukereuse_server.workspace.host import Host, Work
from cukereuse_server.workspace.language_model import LanguageModel
from cukereuse_server.workspace.new_vectors import NewVectors
from cukereuse_server.workspace.news import News
from cukereuse_server.workspace.state import Replaced, State
from cukereuse_server.workspace.suite import SuiteState
from cukereuse_server.workspace.suite_stages import SuiteStages

_PAUSE = 3.0
"""Seconds without a keystroke after which the model may have a second core."""


class SuiteStage(Enum):
    """The stages that a suite may need, in this order."""

    DEFINITIONS = "definitions"
    COMPARISON = "comparison"
    """A new judge, and all pairs by wording."""
    CODE = "code"
    """The findings about code, after something has changed that they depend on."""
    VECTORS = "vectors"
    """All pairs again, by meaning. Texts are embedded from the beginning on."""
    CROWDS = "crowds"
    """Crowds of near copies among the templates, after some came or went."""
    REPETITION = "repetition"
    """Repeated blocks and scenarios."""
    INDEX = "index"
    """The index of the vectors is written, after much of it has changed, or made again, after much was removed."""


_FIRST = SuiteStage.DEFINITIONS, SuiteStage.COMPARISON, SuiteStage.VECTORS, SuiteStage.REPETITION
"""The stages of a new suite: its comparison looks for crowds."""


class Pipeline:
    def __init__(self, state: State, host: Host, news: News, *, use_cache: bool) -> None:
        self._state, self._host, self._news = state, host, news
        self.announcements = Announcements(state, host, news)
        self._files = Files(state, host, self._take, use_cache=use_cache)
        self.glue_files = GlueFiles(
            state,
            host,
            load=lambda suite: self._let(suite, SuiteStage.DEFINITIONS),
            compare=lambda suite: self._let(suite, SuiteStage.COMPARISON),
            announce=self.announcements.announce,
        )
        self.activities = Activities(host.emit)
        self.model = LanguageModel(host, news, self.activities, self._is_calm)
        self._early_vectors = EarlyVectors(host, self.model)
        self._new_vectors = NewVectors(host, self.model, self.announcements)
        self._stages = SuiteStages(
            state,
            host,
            news,
            self.activities,
            self.model,
            self.announcements,
            self._new_vectors,
            use_cache=use_cache,
        )
        self._indexing: Activity | None = None
        """The activity that a person sees until everything is known."""
        self._reading = False
        self._due: dict[SuiteState, set[SuiteStage]] = {}
        """The stages that running suites still need."""
        self._look_again = self._list_anew = self._looking = False
        self._may_download = False
        """True if the user agreed to the download before there was a suite."""

    # -- what starts it

    def restart(self) -> None:
        """Read everything again; files in the caches are not parsed again."""
        self._stop()
        self._reading, self.announcements.complete = True, False
        self._look_again = self._looking = False
        self._due.clear()
        self._stages.clear()
        self._new_vectors.clear()
        self._indexing = self.activities.begin(INDEX, "looking for feature files")
        self._host.start("workspace", self._workspace(self._indexing))
        self._early_vectors.begin()

    def look(self, *, list_anew: bool = False) -> None:
        """Look for changes of feature files on disk. `list_anew`: the same files may belong to other suites now."""
        self._list_anew |= list_anew
        self._look_again = True
        if not self._reading and not self._looking:
            self._looking = True
            self._host.start("look", self._look())

    def follow(self) -> None:
        """Take the present texts of the editor."""
        for path, buffer in list(self._state.buffers.items()):
            if not buffer.read:
                buffer.read = True
                if path.lower().endswith(FEATURE_SUFFIXES):
                    replaced = self._state.replace_file(path, read_text(path, buffer.text))
                    if replaced is not None:
                        self._take(replaced)
                elif language_for(path) is not None:
                    self.glue_files.replace(path)

    def renew(self, *, exactly: bool = False) -> None:
        """Judge suites again that have changed much (with `exactly`: at all); for idle times."""
        is_calm = self._is_calm()
        for suite in self._state.suites.values():
            if not suite.compared or suite in self._due:
                continue
            stage = SuiteStage.COMPARISON if exactly else self._stage_due(suite) if is_calm else None
            if stage is not None:
                self._let(suite, stage)
            if suite.neighbours.leaves_open:
                self._new_vectors.want(suite, ())

    def _stage_due(self, suite: SuiteState) -> SuiteStage | None:
        """The next stage of a compared suite that is worth its time."""
        stages = (
            (SuiteStage.COMPARISON, suite.outdated),
            (SuiteStage.CODE, suite.findings.is_code_due),
            (SuiteStage.CROWDS, suite.neighbours.has_other_crowds),
            (SuiteStage.REPETITION, suite.repetition.due_in() == 0),
            (SuiteStage.INDEX, self._stages.is_index_due(suite)),
        )
        return next((stage for stage, is_due in stages if is_due), None)

    def renewal_in(self) -> float | None:
        """Seconds until `renew` has something to do if nothing else happens; None: never."""
        if not self.announcements.complete:
            return None
        resting = (suite for suite in self._state.suites.values() if suite.compared and suite not in self._due)
        due = (0.0 if self._stage_due(suite) is not None else suite.repetition.due_in() for suite in resting)
        pauses = (pause for pause in due if pause is not None)
        calm = max(0.0, self._state.typed + _PAUSE - monotonic())
        return min((max(pause, calm) for pause in pauses), default=None)

    def download(self) -> None:
        """Download the model, to which the user agreed, as soon as there is a suite."""
        suites = list(self._state.suites.values())
        self._may_download = not suites
        if suites and self.model.begin_download(suites[0].settings):
            self._host.start("model", self._download(suites[0]))

    def _stop(self) -> None:
        """Stop all running work."""
        self._host.drop("workspace")
        self._host.drop("look")
        self._early_vectors.end()
        for suite in self._state.suites.values():
            self._stop_suite(suite)
        if self._indexing is not None:
            self._indexing.end()

    def _stop_suite(self, suite: SuiteState) -> None:
        self.glue_files.stop(suite)
        self._host.drop(f"suite {suite.root}")
        self._stages.stop(suite)
        self._new_vectors.stop(suite)
        self._due.pop(suite, None)

    # -- files

    def _workspace(self, indexing: Activity) -> Work[None]:
        """Read all files of the workspace, then start each suite."""
        state = self._state
        try:
            yield from self._files.read_all(indexing)
        except Exception as error:
            self._news.warn(f"cukereuse could not read the workspace: {type(error).__name__}: {error}")
        self._reading = False
        self._early_vectors.end()
        self.follow()
        self._news.changed(sorted(state.buffers))
        steps = sum(len(entry.file.steps) for suite in state.suites.values() for entry in suite.texts.files.values())
        counts = (len(state.root_of), "file"), (steps, "step"), (len(state.suites), "suite")
        self._news.log(f"read {', '.join(counted(count, noun) for count, noun in counts)}")
        for suite in state.open_first():
            self._let(suite, *_FIRST)
        if self._may_download:
            self.download()
        self._finish()
        if self._look_again:
            self.look()

    def _look(self) -> Work[None]:
        """Take the files that came, went or changed on disk."""
        try:
            while self._look_again and self._state.listing is not None:
                self._look_again = False
                anew, self._list_anew = self._list_anew, False
                if not (yield from self._files.look(list_anew=anew, applied=self.announcements.announce)):
                    self.restart()  # its suites have other settings now
                    return
                self.follow()
        finally:
            self._looking = False

    def _take(self, replaced: Replaced) -> None:
        """React to a new, changed or removed file."""
        for problem in replaced.problems:
            self._news.warn(f"cukereuse settings: {problem}")
        if replaced.is_last:
            self._stop_suite(replaced.suite)
            self._news.all_changed()
            self._finish()
            return
        if replaced.is_new and not self._reading:
            self._let(replaced.suite, *_FIRST)
            if self._may_download:
                self.download()
        if self._reading:
            self._early_vectors.want(replaced.suite, replaced.keys)
        self._new_vectors.want(replaced.suite, replaced.keys)  # a downloaded model may have embedded the suite already

    # -- suites

    def _let(self, suite: SuiteState, *stages: SuiteStage) -> None:
        """Start these stages of a suite, after those that it already needs."""
        if suite not in self._due:
            self._due[suite] = set()
            self._host.start(f"suite {suite.root}", self._suite(suite))
        self._due[suite].update(stages)
        if SuiteStage.VECTORS in stages:
            self._stages.begin_embedding(suite)

    def _suite(self, suite: SuiteState) -> Work[None]:
        """Run one stage after the other until none is due."""
        run = {
            SuiteStage.DEFINITIONS: self._definitions,
            SuiteStage.COMPARISON: self._comparison,
            SuiteStage.CODE: self._stages.code,
            SuiteStage.VECTORS: self._vectors,
            SuiteStage.CROWDS: self._stages.crowds,
            SuiteStage.REPETITION: self._stages.repetition,
            SuiteStage.INDEX: self._stages.index,
        }
        due = self._due[suite]
        while due:
            stage = next(stage for stage in SuiteStage if stage in due)
            if stage is SuiteStage.VECTORS and SuiteStage.REPETITION in due and self._stages.is_embedding(suite):
                stage = SuiteStage.REPETITION  # it needs no vectors
            due.discard(stage)
            try:
                yield from run[stage](suite)
            except Cancelled:
                pass
            except Exception as error:  # the worker goes on with what it has
                reason = f"{type(error).__name__}: {error}"
                self._news.warn(f"cukereuse could not compare the steps of {suite.root}: {reason}")
            self._finish()
        self._host.job("comparing", give_back_memory)  # not awaited: stages that become due meanwhile would be lost
        suite.settled = True
        self._stages.begin_index(suite)
        del self._due[suite]

    def _definitions(self, suite: SuiteState) -> Work[None]:
        if (yield from self._stages.definitions(suite)):
            self._due[suite].add(SuiteStage.COMPARISON)
        if suite.look_at_sources:
            self.glue_files.look_in(suite)

    def _comparison(self, suite: SuiteState) -> Work[None]:
        by_meaning = yield from self._stages.comparison(suite, self._indexing)
        due = self._due[suite]
        (due.discard if by_meaning else due.add)(SuiteStage.VECTORS)
        due.add(SuiteStage.CODE)

    def _vectors(self, suite: SuiteState) -> Work[None]:
        yield from self._stages.vectors(suite)
        self._due[suite].add(SuiteStage.CODE)

    def _finish(self) -> None:
        """Announce that everything is known, once it is."""
        if (
            self.announcements.complete
            or self._reading
            or not all(suite.tried for suite in self._state.suites.values())
        ):
            return
        self.announcements.complete = True
        if self._indexing is not None:
            self._indexing.end()
            self._indexing = None
        self.announcements.all_changed()

    # -- the model

    def _download(self, suite: SuiteState) -> Work[None]:
        if (yield from self.model.download(suite.settings)):
            for other in self._state.suites.values():
                self._let(other, SuiteStage.VECTORS)

    def _is_calm(self) -> bool:
        """True if nobody types or waits for the comparison by wording."""
        return self.announcements.complete and monotonic() - self._state.typed >= _PAUSE
