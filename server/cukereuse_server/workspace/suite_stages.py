"""What each stage of a suite does: it takes a snapshot, lets a thread work, and gives the suite what came of it.

Starts no other stage; `pipeline` knows the order.
"""

from collections.abc import Callable
from functools import partial
from time import thread_time
from typing import TYPE_CHECKING

from cukereuse_engine.detection.options import LOCAL
from cukereuse_engine.embedding_models.embedder import token_table
from cukereuse_engine.glue.languages.base import language_for
from cukereuse_engine.glue.sources import default_cache
from cukereuse_engine.scanning.join_cache import WORTH_KEEPING, join_cache, remembered
from cukereuse_server.workspace.activities import VECTORS, Activities, Activity, ActivityProgress
from cukereuse_server.workspace.announcements import Announcements
from cukereuse_server.workspace.host import Host, Work, wait
from cukereuse_server.workspace.language_model import LanguageModel
from cukereuse_server.workspace.new_vectors import NewVectors
from cukereuse_server.workspace.news import News
from cukereuse_server.workspace.stages import comparing, glue
from cukereuse_server.workspace.stages.shared_sources import SharedSources
from cukereuse_server.workspace.state import State
from cukereuse_server.workspace.suite import SuiteState

if TYPE_CHECKING:
    from cukereuse_server.workspace.stages.mining import Mined


class SuiteStages:
    def __init__(
        self,
        state: State,
        host: Host,
        news: News,
        activities: Activities,
        model: LanguageModel,
        announcements: Announcements,
        new_vectors: NewVectors,
        *,
        use_cache: bool,
    ) -> None:
        self._state, self._host, self._news, self._activities = state, host, news, activities
        self._model, self._announcements, self._new_vectors = model, announcements, new_vectors
        self._use_cache = use_cache
        self._shared: SharedSources | None = None
        """While step definitions are loaded."""

    def definitions(self, suite: SuiteState) -> Work[bool]:
        """Find and read the suite's glue, and bind its steps. Gives whether a judge can learn from definitions."""
        can_learn = False
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
                can_learn = True
        suite.definitions_known = True
        if all(other.definitions_known for other in self._state.suites.values()):
            self._shared = None
        return can_learn

    def comparison(self, suite: SuiteState, activity: Activity | None) -> Work[None]:
        """Make a judge that knows the suite as it is, and let it see all pairs."""
        try:
            bound = yield from suite.bindings.gather()
            texts = suite.texts.language((yield from suite.texts.gather()))
            judged = yield from wait(self._host.job("comparing", partial(comparing.make_judge, texts, bound)))
            judged.judge.read_with(token_table(self._model.embedding.embedder))
            suite.use_judge(judged)
            yield from self._pairs(suite, activity)
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
        exact = partial(self._model.embedding.embed, exactly=True)
        question = comparing.Question(texts, keys, judge, threshold, vectors, margin, exact, self._model.name)
        compared = None
        cache = join_cache() if self._use_cache and len(keys) >= WORTH_KEEPING else None
        if cache is not None:
            recall = partial(comparing.recall, question, cache)
            with self._announcements.held_back(suite):
                compared = yield from wait(self._host.job("comparing", recall))
        if compared is None:
            if not suite.compared:
                self._announcements.look_into_open(suite)
            progress = ActivityProgress(self._host, activity, "comparing")
            joins = remembered(LOCAL, cache) if cache is not None else LOCAL
            work = partial(comparing.compare, question, progress, joins, cache)
            compared = yield from wait(self._host.job("comparing", work))
        suite.use_pairs(compared)
        self._announcements.look_into_open(suite)
        self._announcements.all_changed()

    def vectors(self, suite: SuiteState) -> Work[None]:
        """Embed all templates, once, and compare them again."""
        if not (yield from self._model.open(suite.settings)) or suite.asked_for is not None:
            return
        with self._activities.begin(VECTORS, "embedding") as shown:
            keys = suite.neighbours.keys()
            suite.asked_for = set(keys)
            masked = [suite.texts.masked(key) for key in keys]
            work = partial(self._model.embedding.embed_suite, suite.root, keys, masked, shown)
            suite.use_index((yield from wait(self._host.job("embedding", work))))
            if not shown.cancelled:
                suite.asked_for.clear()
                self._new_vectors.want(suite, suite.neighbours.keys())
            shown.report("comparing by meaning", 0, 0)
            if suite.judge is not None:
                suite.judge.read_with(token_table(self._model.embedding.embedder))
            yield from self._pairs(suite, None if shown.cancelled else shown)

    def repetition(self, suite: SuiteState) -> Work[None]:
        """Mine the suite as it is now, in a thread."""
        mine = yield from wait(self._host.job("comparing", _load_mining))
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
            if self._announcements.complete:
                self._announcements.all_changed()

    def _held_text(self, path: str) -> str | None:
        buffer = self._state.buffers.get(path)
        return buffer.text if buffer is not None else None


def _load_mining() -> Callable[..., "Mined"]:
    """`mine`, with what it needs: a start has no use for it."""
    from cukereuse_server.workspace.stages.mining import mine

    return mine
