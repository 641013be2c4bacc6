"""The order of the stages: files → step definitions → a judge and the pairs that it accepts → vectors → the pairs
again → findings of open files. Nothing but this file starts a stage, and nothing else applies what one gives.

Each suite goes through them by itself, those with an open file first. Later changes take the same way from where they
come in: a definition that changed, a judge that is outdated, a model that was downloaded.
"""

from collections.abc import Iterable
from enum import Enum
from functools import partial
from time import monotonic, thread_time

from cukereuse_engine.detection.options import LOCAL
from cukereuse_engine.embedding_models.embedder import token_table
from cukereuse_engine.errors import Cancelled
from cukereuse_engine.gherkin.discovery import FEATURE_SUFFIXES
from cukereuse_engine.gherkin.read import read_text
from cukereuse_engine.glue.languages.base import language_for
from cukereuse_engine.glue.sources import default_cache
from cukereuse_engine.processes import give_back_memory
from cukereuse_engine.scanning.join_cache import WORTH_KEEPING, join_cache, remembered
from cukereuse_server.workspace.activities import INDEX, VECTORS, Activities, Activity, ActivityProgress
from cukereuse_server.workspace.files import Files
from cukereuse_server.workspace.glue_files import GlueFiles
from cukereuse_server.workspace.host import Host, Work, wait
from cukereuse_server.workspace.language_model import LanguageModel
from cukereuse_server.workspace.news import News
from cukereuse_server.workspace.stages import comparing, glue
from cukereuse_server.workspace.stages.mining import mine
from cukereuse_server.workspace.stages.shared_sources import SharedSources
from cukereuse_server.workspace.state import Replaced, State
from cukereuse_server.workspace.suite import SuiteState

_PAUSE = 3.0
"""Seconds without a keystroke after which the model may have a second core."""


class SuiteStage(Enum):
    """What a suite may be in need of, in this order."""

    DEFINITIONS = "definitions"
    COMPARISON = "comparison"
    """A judge of all that is known, and all pairs by it."""
    VECTORS = "vectors"
    """And all pairs again."""
    REPETITION = "repetition"
    """Blocks and scenarios that repeat."""


class Pipeline:
    def __init__(self, state: State, host: Host, news: News, *, use_cache: bool) -> None:
        self._state, self._host, self._news, self._use_cache = state, host, news, use_cache
        self._files = Files(state, host, self._take, use_cache=use_cache)
        self.glue_files = GlueFiles(
            state,
            host,
            load=lambda suite: self._let(suite, SuiteStage.DEFINITIONS),
            compare=lambda suite: self._let(suite, SuiteStage.COMPARISON),
            announce=self.announce,
        )
        self.activities = Activities(host.emit)
        self.model = LanguageModel(host, news, self.activities, self._is_calm)
        self.complete = False
        """Whether all files are read and all suites compared."""
        self._indexing: Activity | None = None
        """While a person waits for all that."""
        self._reading = False
        self._due: dict[SuiteState, set[SuiteStage]] = {}
        """Of suites that are on their way."""
        self._look_again = self._list_anew = self._looking = False
        self._embedding_new: set[SuiteState] = set()
        self._recalling: set[SuiteState] = set()
        """Suites whose pairs of the last run are looked up."""
        self._shared: SharedSources | None = None
        """While step definitions are loaded."""

    # -- what sets it off

    def restart(self) -> None:
        """Read everything anew; what lies in the caches is not parsed again."""
        self._stop()
        self._reading, self.complete = True, False
        self._look_again = self._looking = False
        self._due.clear()
        self._embedding_new.clear()
        self._indexing = self.activities.begin(INDEX, "looking for feature files")
        self._host.start("workspace", self._workspace(self._indexing))

    def look(self, *, list_anew: bool = False) -> None:
        """Feature files may have changed on disk. `list_anew`: the same files may have other suites."""
        self._list_anew |= list_anew
        self._look_again = True
        if not self._reading and not self._looking:
            self._looking = True
            self._host.start("look", self._look())

    def follow(self) -> None:
        """Take the editor's texts as they are now."""
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
        """Where suites have changed much (with `exactly`: at all), let them be judged anew; for idle times."""
        is_calm = self._is_calm()
        for suite in self._state.suites.values():
            if not suite.compared or suite in self._due:
                continue
            if exactly or (is_calm and suite.outdated):
                self._let(suite, SuiteStage.COMPARISON)
            elif is_calm and suite.repetition.due_in() == 0:
                self._let(suite, SuiteStage.REPETITION)
            if suite.neighbours.leaves_open:
                self._want_vectors(suite, ())

    def renewal_in(self) -> float | None:
        """Seconds until `renew` will find something to do though nothing happens; None: never."""
        if not self.complete:
            return None
        resting = (suite for suite in self._state.suites.values() if suite.compared and suite not in self._due)
        due = (0.0 if suite.outdated else suite.repetition.due_in() for suite in resting)
        pauses = (pause for pause in due if pause is not None)
        calm = max(0.0, self._state.typed + _PAUSE - monotonic())
        return min((max(pause, calm) for pause in pauses), default=None)

    def download(self) -> None:
        """The user agreed to download the model."""
        suites = list(self._state.suites.values())
        if suites and self.model.begin_download(suites[0].settings):
            self._host.start("model", self._download(suites[0]))

    def look_into(self, path: str) -> None:
        """Find what there is in a file, then say so."""
        if self._state.suite_of(path) in self._recalling:
            return  # what is recalled tells it, and is looked into then
        self._host.start(f"findings {path}", self._findings(path), urgent=True)

    def _stop(self) -> None:
        """Close all that goes on."""
        self._host.drop("workspace")
        self._host.drop("look")
        for suite in self._state.suites.values():
            self._stop_suite(suite)
        if self._indexing is not None:
            self._indexing.end()

    def _stop_suite(self, suite: SuiteState) -> None:
        self.glue_files.stop(suite)
        for work in ("suite", "new vectors"):
            self._host.drop(f"{work} {suite.root}")
        self._due.pop(suite, None)

    # -- files

    def _workspace(self, indexing: Activity) -> Work[None]:
        """All files of the workspace; then each suite goes its way."""
        state = self._state
        try:
            yield from self._files.read_all(indexing)
        except Exception as error:
            self._news.warn(f"cukereuse could not read the workspace: {type(error).__name__}: {error}")
        self._reading = False
        self.follow()
        self._news.changed(sorted(state.buffers))
        steps = sum(len(entry.file.steps) for suite in state.suites.values() for entry in suite.texts.files.values())
        self._news.log(f"read {len(state.root_of)} files, {steps} steps, {len(state.suites)} suites")
        for suite in state.open_first():
            self._let(suite, *SuiteStage)
        self._finish()
        if self._look_again:
            self.look()

    def _look(self) -> Work[None]:
        """What came, went or changed on disk."""
        try:
            while self._look_again and self._state.listing is not None:
                self._look_again = False
                anew, self._list_anew = self._list_anew, False
                if not (yield from self._files.look(list_anew=anew, applied=self.announce)):
                    self.restart()  # judged otherwise
                    return
                self.follow()
        finally:
            self._looking = False

    def _take(self, replaced: Replaced) -> None:
        """A file is another now."""
        for problem in replaced.problems:
            self._news.warn(f"cukereuse settings: {problem}")
        if replaced.is_last:
            self._stop_suite(replaced.suite)
            self._news.all_changed()
            self._finish()
            return
        if replaced.is_new and not self._reading:
            self._let(replaced.suite, *SuiteStage)
        self._want_vectors(replaced.suite, replaced.keys)

    # -- suites

    def _let(self, suite: SuiteState, *stages: SuiteStage) -> None:
        """Let a suite go through these stages."""
        if suite not in self._due:
            self._due[suite] = set()
            self._host.start(f"suite {suite.root}", self._suite(suite))
        self._due[suite].update(stages)

    def _suite(self, suite: SuiteState) -> Work[None]:
        """One stage after the other, until none is due."""
        run = {
            SuiteStage.DEFINITIONS: self._definitions,
            SuiteStage.COMPARISON: self._comparison,
            SuiteStage.VECTORS: self._vectors,
            SuiteStage.REPETITION: self._repetition,
        }
        due = self._due[suite]
        while due:
            stage = next(stage for stage in SuiteStage if stage in due)
            due.discard(stage)
            try:
                yield from run[stage](suite)
            except Cancelled:
                pass
            except Exception as error:  # the worker goes on with what it has
                reason = f"{type(error).__name__}: {error}"
                self._news.warn(f"cukereuse could not compare the steps of {suite.root}: {reason}")
            self._finish()
        yield from wait(self._host.job("comparing", give_back_memory))
        suite.settled = True
        del self._due[suite]

    def _held_text(self, path: str) -> str | None:
        buffer = self._state.buffers.get(path)
        return buffer.text if buffer is not None else None

    def _definitions(self, suite: SuiteState) -> Work[None]:
        """Find and read the suite's glue, and bind its steps."""
        self._shared = self._shared or SharedSources(default_cache())
        work = partial(glue.load, suite.root, suite.settings, suite.texts.folders(), self._shared)
        loaded = yield from wait(self._host.job("reading", work))
        if loaded is not None:
            loaded.glue.held_text = self._held_text
            for _ in glue.bind(loaded.glue, suite.texts):
                yield None
            buffers = self._state.buffers.items()
            held = {
                path: buffer.content()
                for path, buffer in buffers
                if language_for(path) is not None and path in loaded.sources
            }
            suite.use_glue(loaded, held)
            if loaded.glue.definitions:
                self._news.log(f"{suite.root}: {len(loaded.glue.definitions)} step definitions")
                self._due[suite].add(SuiteStage.COMPARISON)  # a judge learns from them
        suite.definitions_known = True
        if all(other.definitions_known for other in self._state.suites.values()):
            self._shared = None
        if suite.look_at_sources:
            self.glue_files.look_in(suite)

    def _comparison(self, suite: SuiteState) -> Work[None]:
        """Make a judge that knows the suite as it is, and let it see all pairs."""
        try:
            bound = yield from suite.bindings.gather()
            texts = suite.texts.language((yield from suite.texts.gather()))
            judged = yield from wait(self._host.job("comparing", partial(comparing.make_judge, texts, bound)))
            judged.judge.read_with(token_table(self.model.embedding.embedder))
            suite.use_judge(judged)
            yield from self._pairs(suite, self._indexing)
        finally:
            suite.tried = True

    def _pairs(self, suite: SuiteState, activity: Activity | None) -> Work[None]:
        """Compare all templates as they are now; once there are vectors, those that have one. What the same suite was
        found to have before stands at once; else the open files go first."""
        texts = yield from suite.texts.gather()
        rows = suite.neighbours.vectors
        wanted = rows if len(rows) else suite.neighbours
        keys = [key for key in dict.fromkeys(text.template.key for text in texts) if key in wanted]
        vectors = rows.many(keys) if len(rows) else None
        yield None
        judge = suite.judge
        if judge is None:
            return
        threshold, margin = suite.options().effective_threshold, suite.neighbours.margin
        exact = partial(self.model.embedding.embed, exactly=True)
        question = comparing.Question(texts, keys, judge, threshold, vectors, margin, exact, self.model.name)
        compared = None
        cache = join_cache() if self._use_cache and len(keys) >= WORTH_KEEPING else None
        if cache is not None:
            recall = partial(comparing.recall, question, cache)
            self._recalling.add(suite)
            try:
                compared = yield from wait(self._host.job("comparing", recall))
            finally:
                self._recalling.discard(suite)
        if compared is None:
            if not suite.compared:
                self._look_into_open(suite)
            progress = ActivityProgress(self._host, activity, "comparing")
            joins = remembered(LOCAL, cache) if cache is not None else LOCAL
            work = partial(comparing.compare, question, progress, joins, cache)
            compared = yield from wait(self._host.job("comparing", work))
        suite.use_pairs(compared)
        self._look_into_open(suite)
        if self._state.workspace_diagnostics:
            self._news.all_changed()

    def _vectors(self, suite: SuiteState) -> Work[None]:
        """Embed all templates, once, and compare them again."""
        if not (yield from self.model.open(suite.settings)) or suite.asked_for is not None:
            return
        with self.activities.begin(VECTORS, "embedding") as shown:
            keys = suite.neighbours.keys()
            suite.asked_for = set(keys)
            masked = [suite.texts.masked(key) for key in keys]
            work = partial(self.model.embedding.embed_suite, suite.root, keys, masked, shown)
            suite.use_index((yield from wait(self._host.job("embedding", work))))
            if not shown.cancelled:
                suite.asked_for.clear()
                self._want_vectors(suite, suite.neighbours.keys())
            shown.report("comparing by meaning", 0, 0)
            if suite.judge is not None:
                suite.judge.read_with(token_table(self.model.embedding.embedder))
            yield from self._pairs(suite, None if shown.cancelled else shown)

    def _repetition(self, suite: SuiteState) -> Work[None]:
        """Mine the suite as it is now, in a thread."""
        contents = {path: buffer.content() for path, buffer in self._state.buffers.items()}
        for snapshot in suite.repetition.snapshot(suite.glue, contents):
            if snapshot is None:
                yield None
                continue
            progress = ActivityProgress(self._host, None, "comparing")
            work = partial(mine, snapshot, suite.repetition.options(), thread_time, progress, use_cache=self._use_cache)
            mined = yield from wait(self._host.job("comparing", work))
            changed = suite.repetition.use(mined)
            self._news.changed(sorted(changed & set(self._state.buffers)))
            if self._state.workspace_diagnostics and self.complete:
                self._news.all_changed()

    def _finish(self) -> None:
        """Say that everything is there, once it is."""
        if self.complete or self._reading or not all(suite.tried for suite in self._state.suites.values()):
            return
        self.complete = True
        if self._indexing is not None:
            self._indexing.end()
            self._indexing = None
        if self._state.workspace_diagnostics:
            self._news.all_changed()

    # -- findings

    def announce(self, skip: str = "") -> None:
        """Say whose diagnostics may be others now. Nothing is said of `skip`, which is being answered."""
        closed_too = self._state.workspace_diagnostics and self.complete
        gone = self._state.take_gone()
        if closed_too:
            self._news.changed(gone)
        for suite in self._state.suites.values():
            self._news.changed(self._state.affected_paths(suite, closed_too=closed_too) - {skip})

    def _look_into_open(self, suite: SuiteState) -> None:
        for path in self._state.open_in(suite):
            self.look_into(path)

    def _findings(self, path: str) -> Work[None]:
        suite = self._state.suite_of(path)
        if suite is not None and suite.judge is not None:
            yield from suite.look_into(path)
            self.announce(skip=path)
            self._news.changed([path])

    # -- what comes later

    def _want_vectors(self, suite: SuiteState, keys: Iterable[str]) -> None:
        """Embed templates that came since; they are compared by meaning as soon as their vectors are there."""
        if not self.model.is_ready or suite.asked_for is None:
            return
        suite.wanted_vectors.update(key for key in keys if key not in suite.asked_for)
        if (suite.wanted_vectors or suite.neighbours.leaves_open) and suite not in self._embedding_new:
            self._embedding_new.add(suite)
            self._host.start(f"new vectors {suite.root}", self._new_vectors(suite))

    def _new_vectors(self, suite: SuiteState) -> Work[None]:
        try:
            while keys := suite.neighbours.without_vector(sorted(suite.wanted_vectors)):
                suite.wanted_vectors.clear()
                masked = [suite.texts.masked(key) for key in keys]
                vectors = yield from wait(self._host.job("embedding", partial(self.model.embedding.embed, masked)))
                suite.use_vectors(keys, vectors)
                self.announce()
            if keys := suite.neighbours.take_open():
                masked = [suite.texts.masked(key) for key in keys]
                work = partial(self.model.embedding.embed, masked, exactly=True)
                suite.use_exact(keys, (yield from wait(self._host.job("embedding", work))))
                self.announce()
        finally:
            suite.wanted_vectors.clear()
            self._embedding_new.discard(suite)

    # -- the model

    def _download(self, suite: SuiteState) -> Work[None]:
        if (yield from self.model.download(suite.settings)):
            for other in self._state.suites.values():
                self._let(other, SuiteStage.VECTORS)

    def _is_calm(self) -> bool:
        """Whether nobody types, or waits for what wording tells."""
        return self.complete and monotonic() - self._state.typed >= _PAUSE
